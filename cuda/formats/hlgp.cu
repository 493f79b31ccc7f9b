/* hlgp.cu -- cuda/formats: y = alpha A x + beta y, the columns of A packed (psb_hlgp.t.h): one thread per row,
 * one warp per strip. */
#include "psb_cuda_format.h"
#include "epilogue.cuh"
#include "overlap.cuh"

enum { THREADS = 128 };

static_assert(PSB_STRIP == 32, "a strip has the rows of a warp");
static_assert((int)THREADS >= (int)SUMMED_ROWS, "there is space for the sums of all blocks");

/* How d is stored for a lane, one type for each code; BYTES: its size. */
namespace
{
struct none {
    enum { BYTES = 0 };
};
template <class W>
struct stored {
    enum { BYTES = sizeof(W) };
};
} // namespace

static __device__ __forceinline__ unsigned d_of(none, const unsigned char *)
{
    return 0;
}
template <class W>
static __device__ __forceinline__ unsigned d_of(stored<W>, const unsigned char *d)
{
    return __ldg(reinterpret_cast<const W *>(d));
}

/* Load a value as a word; in these kernels this needs fewer registers than loading it as a number.  POLICY:
 * with the policy. */
template <bool POLICY, class S>
static __device__ __forceinline__ S value(const S *p, uint64_t policy)
{
    const word<S> *w = reinterpret_cast<const word<S> *>(p);
    return from_word<S>(POLICY ? kept(w, policy) : kept(w));
}

static __device__ __forceinline__ psb_strip strip_at(const psb_strip *p)
{
    static_assert(sizeof *p == 32, "two words");
    const uint4 *w = reinterpret_cast<const uint4 *>(p);
    const uint4 both[2] = { __ldg(w), __ldg(w + 1) };
    psb_strip s;
    memcpy(&s, both, sizeof s);
    return s;
}

/* --- one column --------------------------------------------------------------------------------------- */

namespace
{
/* Read positions of a lane: slots, values, bytes of d, and x from the lane's own row in the strip on. */
template <class S, class T>
struct lane_of {
    const psb_strip_slot *slot;
    const S *val;
    const unsigned char *bytes;
    const T *x;
    uint64_t policy; /* of val */
};
} // namespace

/* sum += the lane's entries in the next n slots, n <= 32, all of one code; `own` is the slot that this lane
 * has loaded. */
template <bool POLICY, class C, class S, class T>
static __device__ __forceinline__ T add_some(C code, psb_strip_slot own, int n, const lane_of<S, T> &l,
                                             unsigned lane, T sum)
{
    const S *val = l.val;
    const unsigned char *bytes = l.bytes;
    for (int k = 0; k < n;
         k += PACKED_AHEAD, val += PACKED_AHEAD * PSB_STRIP, bytes += PACKED_AHEAD * PSB_STRIP * C::BYTES) {
        S v[PACKED_AHEAD];
        unsigned d[PACKED_AHEAD];
#pragma unroll
        for (int u = 0; u < PACKED_AHEAD; u++)
            if (k + u < n) {
                d[u] = d_of(code, bytes + u * PSB_STRIP * C::BYTES);
                v[u] = value<POLICY>(val + u * PSB_STRIP, l.policy);
            }
#pragma unroll
        for (int u = 0; u < PACKED_AHEAD; u++) {
            const psb_ipk base = __shfl_sync(~0u, own.base, k + u);
            const unsigned mask = __shfl_sync(~0u, own.mask, k + u);
            if (k + u < n && mask >> lane & 1)
                sum = mad(as<T>::from(v[u]), kept(l.x + (base + (psb_ipk)d[u])), sum);
        }
    }
    return sum;
}

template <bool POLICY, class C, class S, class T>
static __device__ __forceinline__ T add_code(C code, int n, lane_of<S, T> &l, unsigned lane, T sum)
{
    for (int some; n > 0; n -= some) {
        some = min(n, (int)PSB_STRIP);
        const psb_strip_slot own = (int)lane < some ? kept(l.slot + lane) : psb_strip_slot{ 0, 0 };
        sum = add_some<POLICY>(code, own, some, l, lane, sum);
        l.slot += some;
        l.val += some * PSB_STRIP;
        l.bytes += some * (PSB_STRIP * C::BYTES);
    }
    return sum;
}

/* The sum of row r, which belongs to lane `lane`.  All lanes of the warp must call this; lanes past the last
 * row are in no mask. */
template <bool POLICY, class S, class T>
static __device__ __forceinline__ T sum_row(const psb_packed_dev &a, psb_epk r, unsigned lane, const T *x)
{
    const psb_strip s = strip_at(a.strip + r / PSB_STRIP);
    lane_of<S, T> l = { a.slot + s.first, (const S *)a.val + s.first * PSB_STRIP + lane, a.bytes + s.at,
                        x + lane, policy_of<POLICY>(a.stays) };
    T sum = add_code<POLICY>(none{}, s.slots[0], l, lane, zero<T>());
    l.bytes += lane;
    sum = add_code<POLICY>(stored<unsigned char>{}, s.slots[1], l, lane, sum);
    l.bytes += lane;
    sum = add_code<POLICY>(stored<unsigned short>{}, s.slots[2], l, lane, sum);
    l.bytes += 2 * lane;
    return add_code<POLICY>(stored<unsigned>{}, s.slots[3], l, lane, sum);
}

/* E: the epilogue. */
template <class S, class E, class T>
static __global__ void __launch_bounds__(THREADS, PACKED_BLOCKS(sizeof(T)))
    packed_csmv(psb_packed_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
                const __grid_constant__ E end)
{
    /* in single complex the policy's registers would be spilled */
    constexpr bool POLICY = E::KEEPS_SHARE && !std::is_same<T, pair<float>>::value;
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % PSB_STRIP;
    typename E::sums s = {};
    start_in_order();
    if (r - lane < a.m) {
        const T sum = sum_row<POLICY, S>(a, r, lane, x);
        if (r < a.m)
            end.row(alpha, sum, beta, y, r, s);
    }
    end.template leave<THREADS>(s, blockIdx.x);
}

static unsigned blocks(psb_epk n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* One column; a.m > 0. */
template <class S, class E, class T>
static void run_one(psb_packed_dev a, T alpha, const T *x, T beta, T *y, const E &end, cudaStream_t stream)
{
    a.stays = share_that_stays(a.moved);
    launch_early(packed_csmv<S, E, T>, blocks(a.m), THREADS, stream, a, alpha, x, beta, y, end);
}

/* Product and epilogue of one column; a.m > 0. */
template <class T, class E>
static int fused_product(const psb_packed_dev &a, T alpha, const T *x, T beta, T *y,
                         const epilogue_of_c<E> &c, cudaStream_t stream)
{
    return with_epilogue(c, y, blocks(a.m), stream, [&](const auto &t) {
        if (a.narrow)
            run_one<narrow<T>>(a, alpha, x, beta, y, t, stream);
        else
            run_one<T>(a, alpha, x, beta, y, t, stream);
    });
}

/* --- several columns ---------------------------------------------------------------------------------- */

/* sum += N times V columns, from column c on, of the products of lane `lane` in n slots of one code. */
template <class C, int N, int V, class S, class T>
static __device__ __forceinline__ void add_many(C code, int n, lane_of<S, T> &l, unsigned lane, psb_ipk k,
                                                int c, vec<T, V> (&sum)[N])
{
#pragma unroll 4
    for (int i = 0; i < n; i++, l.slot++, l.val += PSB_STRIP, l.bytes += PSB_STRIP * C::BYTES) {
        const psb_strip_slot s = kept(l.slot);
        if (s.mask >> lane & 1) {
            const psb_epk j = s.base + (psb_ipk)d_of(code, l.bytes);
            add_columns<N, V>(as<T>::from(kept(l.val)), l.x + j * k + c, k - c, sum);
        }
    }
}

/* k columns: a thread computes N times V columns of a row; the threads of a row are consecutive. */
template <class S, int N, int V, class T>
static __global__ void __launch_bounds__(THREADS)
    packed_csmm(psb_packed_dev a, psb_ipk k, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, r = place / shares;
    start_in_order();
    if (r >= a.m)
        return;
    const int c = (int)(place % shares) * N * V;
    const unsigned lane = (unsigned)(r % PSB_STRIP);
    const psb_strip s = strip_at(a.strip + r / PSB_STRIP);
    lane_of<S, T> l = { a.slot + s.first, (const S *)a.val + s.first * PSB_STRIP + lane, a.bytes + s.at,
                        x + (psb_epk)lane * k };
    vec<T, V> sum[N] = {};
    add_many(none{}, s.slots[0], l, lane, k, c, sum);
    l.bytes += lane;
    add_many(stored<unsigned char>{}, s.slots[1], l, lane, k, c, sum);
    l.bytes += lane;
    add_many(stored<unsigned short>{}, s.slots[2], l, lane, k, c, sum);
    l.bytes += 2 * lane;
    add_many(stored<unsigned>{}, s.slots[3], l, lane, k, c, sum);
    put_columns(alpha, sum, k - c, beta, y + r * k + c);
}

template <class S, class T>
static void run(const psb_packed_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if (k == 1)
        run_one<S>(a, alpha, x, beta, y, no_epilogue<T>(), stream);
    else
        by_width(k, x, y, [&](auto w) {
            using W = decltype(w);
            launch_early(packed_csmm<S, W::N, W::V, T>, blocks(W::shares(k) * a.m), THREADS, stream, a, k,
                         alpha, x, beta, y);
        });
}

template <class T>
static int product(const psb_packed_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if (a.m > 0 && k > 0)
        (a.narrow ? run<narrow<T>, T> : run<T, T>)(a, k, alpha, x, beta, y, stream);
    return cudaGetLastError();
}

template <class K, class T>
constexpr K packed_kernels()
{
    return product_and_fused<K>();
}
PSB_CUDA_TABLES(packed_kernels)
