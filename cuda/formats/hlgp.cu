/* hlgp.cu -- cuda/formats: y = alpha A x + beta y, the columns of A packed (psb_hlgp.t.h): one thread per
 * row, one warp per strip. */
#include "psb_cuda_format.h"
#include "epilogue.cuh"
#include "overlap.cuh"
#include "scan.cuh"

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

/* --- packing -------------------------------------------------------------------------------------------- */

static const char packing[] = "packed columns";

namespace
{
/* The n entries of a row to be packed, from `at` on; a lane of strip h.  Rows past the last one are empty. */
struct unpacked {
    psb_epk h, at, n, step;
    int lane;
};
} // namespace

static __device__ unpacked my_row(const psb_packing &q)
{
    const psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    unpacked r = { i / PSB_STRIP, 0, 0, q.rows, (int)(i % PSB_STRIP) };
    if (i < q.m) {
        r.at = q.off[i / q.rows] + i % q.rows;
        r.n = q.irn[i];
    }
    return r;
}

/* The distance of the entry at p from the row's lane. */
static __device__ __forceinline__ int distance_of(const psb_packing &q, const unpacked &r, psb_epk p)
{
    return q.ja[p] - r.lane;
}

/* The least d of a warp. */
static __device__ int least_of_warp(int d)
{
    for (int by = PSB_STRIP / 2; by > 0; by /= 2)
        d = min(d, __shfl_xor_sync(~0u, d, by));
    return d;
}

/* tag[p]: the number of the diagonal of the entry at p, or -1; slots[0] of all strips.  A warp visits the
 * distances of the entries of a strip in ascending order. */
static __global__ void __launch_bounds__(THREADS)
    find_diagonals(const __grid_constant__ psb_packing q, psb_ipk *__restrict__ tag)
{
    const unpacked r = my_row(q);
    if (r.h >= q.strips)
        return;
    const int rows = (int)min((psb_epk)PSB_STRIP, q.m - r.h * PSB_STRIP);
    const int enough = rows - rows / PACKED_ROWS_OF_A_GAP;
    psb_ipk found = 0;
    for (psb_epk k = 0;;) {
        const int d = k < r.n ? distance_of(q, r, r.at + k * r.step) : INT32_MAX, least = least_of_warp(d);
        if (least == INT32_MAX)
            break;
        const bool diagonal = __popc(__ballot_sync(~0u, d == least)) >= enough;
        psb_ipk mine = diagonal ? found : -1;
        for (psb_epk p = r.at + k * r.step; k < r.n && distance_of(q, r, p) == least; k++, p += r.step) {
            tag[p] = mine;
            mine = -1; /* of duplicates the first one is on the diagonal */
        }
        found += diagonal;
    }
    if (r.lane == 0)
        q.strip[r.h].slots[0] = found;
}

/* Call f(d, is, least, code) by all lanes of a strip for the first of their entries that are not on
 * diagonals, for the second, and so on; is: the lane has one, at distance d; least: of all lanes. */
template <class F>
static __device__ void for_rest(const psb_packing &q, const psb_ipk *tag, const unpacked &r, F f)
{
    for (psb_epk k = 0;; k++) {
        while (k < r.n && tag[r.at + k * r.step] >= 0)
            k++;
        const bool is = k < r.n;
        if (!__any_sync(~0u, is))
            return;
        const int d = is ? distance_of(q, r, r.at + k * r.step) : 0;
        const int least = least_of_warp(is ? d : INT32_MAX), most = -least_of_warp(is ? -d : INT32_MAX);
        const psb_epk range = (psb_epk)most - least;
        f(d, is, least, range <= UINT8_MAX ? 1 : range <= UINT16_MAX ? 2 : 3);
    }
}

/* The other slots of all strips; the number of slots and of bytes of each. */
static __global__ void __launch_bounds__(THREADS)
    count_slots(const __grid_constant__ psb_packing q, const psb_ipk *__restrict__ tag,
                psb_epk *__restrict__ slots, psb_epk *__restrict__ bytes)
{
    const unpacked r = my_row(q);
    psb_epk one = 0, two = 0, four = 0;
    if (r.h >= q.strips)
        return;
    for_rest(q, tag, r, [&](int, bool, int, int code) {
        one += code == 1;
        two += code == 2;
        four += code == 3;
    });
    if (r.lane > 0)
        return;
    psb_ipk *n = q.strip[r.h].slots;
    n[1] = (psb_ipk)one;
    n[2] = (psb_ipk)two;
    n[3] = (psb_ipk)four;
    slots[r.h] = n[0] + one + two + four;
    bytes[r.h] = PSB_STRIP * (one + 2 * two + 4 * four);
}

/* first and at of all strips, from the sums of slots and bytes; found. */
static __global__ void __launch_bounds__(THREADS)
    place_strips(const __grid_constant__ psb_packing q, const psb_epk *__restrict__ slots,
                 const psb_epk *__restrict__ bytes, psb_epk *found)
{
    const psb_epk h = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    if (h >= q.strips)
        return;
    q.strip[h].first = h > 0 ? slots[h - 1] : 0;
    q.strip[h].at = h > 0 ? bytes[h - 1] : 0;
    if (h == q.strips - 1) {
        found[0] = slots[h];
        found[1] = bytes[h];
    }
}

static int measure(const psb_packing &q, psb_epk *found, arena &d)
{
    psb_ipk *tag = d.allocate<psb_ipk>(q.size);
    psb_epk *slots = d.allocate<psb_epk>(q.strips), *bytes = d.allocate<psb_epk>(q.strips);
    const unsigned all = blocks(q.strips * PSB_STRIP);
    if (d.at && q.strips > 0) {
        find_diagonals<<<all, THREADS, 0, stream()>>>(q, tag);
        count_slots<<<all, THREADS, 0, stream()>>>(q, tag, slots, bytes);
    }
    int e = cudaGetLastError();
    if (e == cudaSuccess)
        e = sum_up(slots, q.strips, d);
    if (e == cudaSuccess)
        e = sum_up(bytes, q.strips, d);
    if (e == cudaSuccess && d.at)
        e = cudaMemsetAsync(found, 0, PSB_FOUND * sizeof *found, stream());
    if (e != cudaSuccess || !d.at || q.strips == 0)
        return e;
    place_strips<<<blocks(q.strips), THREADS, 0, stream()>>>(q, slots, bytes, found);
    return cudaGetLastError();
}

static psb_err packed_measure(const psb_packing *q, psb_epk *found)
{
    return with_memory(packing, [=](arena &d) { return measure(*q, found, d); });
}

static __global__ void __launch_bounds__(THREADS)
    fill_slots(const __grid_constant__ psb_packing q, const psb_ipk *__restrict__ tag)
{
    const unpacked r = my_row(q);
    if (r.h >= q.strips)
        return;
    const psb_strip s = q.strip[r.h];
    psb_strip_slot *slot = q.slot + s.first;
    psb_ipk *left = q.left + s.first;
    psb_epk k = 0;
    for (psb_ipk g = 0; g < s.slots[0]; g++) {
        while (k < r.n && tag[r.at + k * r.step] < 0)
            k++;
        const bool is = k < r.n && tag[r.at + k * r.step] == g;
        const unsigned mask = __ballot_sync(~0u, is);
        if (is && r.lane == __ffs((int)mask) - 1) {
            slot[g] = { distance_of(q, r, r.at + k * r.step), mask };
            left[g] = 0;
        }
        k += is;
    }
    unsigned char *one = q.bytes + s.at + r.lane;
    uint16_t *two = (uint16_t *)(q.bytes + s.at + (psb_epk)s.slots[1] * PSB_STRIP) + r.lane;
    uint32_t *four =
        (uint32_t *)(q.bytes + s.at + ((psb_epk)s.slots[1] + 2 * (psb_epk)s.slots[2]) * PSB_STRIP) + r.lane;
    psb_ipk at1 = s.slots[0], at2 = at1 + s.slots[1], at4 = at2 + s.slots[2], n = s.slots[0];
    for_rest(q, tag, r, [&](int d, bool is, int least, int code) {
        const unsigned mask = __ballot_sync(~0u, is), by = is ? (unsigned)d - (unsigned)least : 0;
        const psb_ipk at = code == 1 ? at1++ : code == 2 ? at2++ : at4++;
        if (code == 1) {
            *one = (unsigned char)by;
            one += PSB_STRIP;
        } else if (code == 2) {
            *two = (uint16_t)by;
            two += PSB_STRIP;
        } else {
            *four = by;
            four += PSB_STRIP;
        }
        if (r.lane == 0) {
            slot[at] = { least, mask };
            left[n] = at;
        }
        n++;
    });
}

static int fill(const psb_packing &q, arena &d)
{
    psb_ipk *tag = d.allocate<psb_ipk>(q.size);
    const unsigned all = blocks(q.strips * PSB_STRIP);
    if (!d.at || q.strips == 0)
        return cudaSuccess;
    find_diagonals<<<all, THREADS, 0, stream()>>>(q, tag);
    fill_slots<<<all, THREADS, 0, stream()>>>(q, tag);
    return cudaGetLastError();
}

static psb_err packed_fill(const psb_packing *q)
{
    return with_memory(packing, [=](arena &d) { return fill(*q, d); });
}

/* S: the values in slots.  The diagonals of a strip are ordered. */
template <class S, class T>
static __global__ void __launch_bounds__(THREADS) move_values(const __grid_constant__ psb_packing q)
{
    const unpacked r = my_row(q);
    if (r.n == 0)
        return;
    const psb_strip s = q.strip[r.h];
    const psb_strip_slot *slot = q.slot + s.first;
    const psb_ipk *left = q.left + s.first + s.slots[0];
    psb_ipk next = 0;
    for (psb_epk k = 0, p = r.at; k < r.n; k++, p += r.step) {
        const int d = distance_of(q, r, p);
        while (next < s.slots[0] && slot[next].base < d)
            next++;
        const psb_ipk at = next < s.slots[0] && slot[next].base == d ? next++ : *left++;
        ((S *)q.to)[(s.first + at) * PSB_STRIP + r.lane] = as<S>::from(((const T *)q.from)[p]);
    }
}

template <class T>
static psb_err packed_move(const psb_packing *q)
{
    PSB_TRY(psb_cudart_ok(cudaMemsetAsync(q->to, 0, q->to_bytes, stream()), packing));
    if (q->m > 0)
        (q->narrow ? move_values<narrow<T>, T>
                   : move_values<T, T>)<<<blocks(q->m), THREADS, 0, stream()>>>(*q);
    return psb_cudart_ok(cudaGetLastError(), packing);
}

template <class K, class T>
constexpr K packed_kernels()
{
    K k = product_and_fused<K>();
    k.measure = packed_measure;
    k.fill = packed_fill;
    k.move = packed_move<dev<T>>;
    return k;
}
PSB_CUDA_TABLES(packed_kernels)
