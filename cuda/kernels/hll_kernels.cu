/* hll_kernels.cu -- cuda/kernels: y = alpha A x + beta y, A in HLL or ELL: one thread per row, so
 * that a warp reads consecutive entries of each stored column. */
#include "epilogue.cuh"
#include "overlap.cuh"

enum { THREADS = 128, WARP = 32, SHORT = HLL_SHORT, ELL = -1 };
static_assert((int)THREADS >= (int)SUMMED_ROWS, "there is space for the sums of all blocks");

/* The index of the first entry of the row of rank r. */
static __device__ __forceinline__ psb_epk first_entry(const psb_hll_dev &a, psb_ipk r)
{
    return a.off ? a.off[(unsigned)r / (unsigned)a.rows] + (unsigned)r % (unsigned)a.rows : r;
}

/* How entries and x are loaded.  `coalesced`: the columns of a warp are close together; `streamed`: the same,
 * and entries have a policy of the second-level cache (policy_of); `scattered`: the columns are not close
 * (see `bypasses`), entries have a policy and bypass the first-level cache, which is left to x.  LEAST: the
 * smallest number of entries that is loaded as a batch; if it is HLL_AHEAD, the last n % HLL_AHEAD entries of
 * a row are handled separately.  IN_PARTS: rows may be summed part by part. */
namespace
{
struct coalesced {
    enum { LEAST = HLL_AHEAD, IN_PARTS = 0 };
    __device__ coalesced(uint64_t)
    {
    }
    template <class S>
    __device__ S entry(const S *p) const
    {
        return kept(p);
    }
    template <class S>
    __device__ S of_x(const S *p) const
    {
        return kept(p);
    }
};

struct streamed : coalesced {
    const uint64_t policy;
    __device__ streamed(uint64_t p) : coalesced(p), policy(p)
    {
    }
    template <class S>
    __device__ S entry(const S *p) const
    {
        return kept(p, policy);
    }
};

struct scattered {
    enum { LEAST = 1, IN_PARTS = 1 };
    const uint64_t policy;
    __device__ scattered(uint64_t p) : policy(p)
    {
    }
    template <class S>
    __device__ S entry(const S *p) const
    {
        return passing(p, policy);
    }
    template <class S>
    __device__ S of_x(const S *p) const
    {
        return kept(p);
    }
};
} // namespace

/* --- one column --------------------------------------------------------------------------------------- */

/* Entries of a row are processed in batches: all entries of a batch are loaded before the first is used, so
 * that latencies overlap.  Padding past the row's end is not multiplied, and loaded only in ELL's first
 * batch. */

template <class T, int N>
struct batch {
    psb_ipk j[N];
    T v[N];
};

/* Load n entries, at most `most`, into b.  Column indices are loaded first, because the loads of x depend on
 * them.  most <= N is a compile-time constant after inlining. */
template <class L, class T, int N>
static __device__ __forceinline__ void load_batch(const L &load, const psb_ipk *ja, const T *val,
                                                  psb_epk step, int n, int most, batch<T, N> &b)
{
#pragma unroll
    for (int u = 0; u < N; u++)
        if (u < most && u < n)
            b.j[u] = load.entry(ja + u * step);
#pragma unroll
    for (int u = 0; u < N; u++)
        if (u < most && u < n)
            b.v[u] = load.entry(val + u * step);
}

template <class L, class T, int N>
static __device__ __forceinline__ T add_batch(const L &load, const batch<T, N> &b, int n, int most,
                                              const T *x, T sum)
{
#pragma unroll
    for (int u = 0; u < N; u++)
        if (u < most && u < n)
            sum = mad(b.v[u], load.of_x(x + b.j[u]), sum);
    return sum;
}

template <class L, class T>
static __device__ __forceinline__ T in_batches(const L &load, const psb_ipk *ja, const T *val, psb_epk step,
                                               int n, const T *x, T sum)
{
    constexpr int LEAST = sizeof(T) == sizeof(float) ? 1 : (int)L::LEAST;
    batch<T, HLL_AHEAD> b;
    for (; n >= LEAST; n -= HLL_AHEAD, ja += HLL_AHEAD * step, val += HLL_AHEAD * step) {
        const int all = LEAST < HLL_AHEAD ? n : HLL_AHEAD;
        load_batch(load, ja, val, step, all, HLL_AHEAD, b);
        sum = add_batch(load, b, all, HLL_AHEAD, x, sum);
    }
    load_batch(load, ja, val, step, n, HLL_AHEAD - 1, b);
    return add_batch(load, b, n, HLL_AHEAD - 1, x, sum);
}

/* The same for long rows: a batch is loaded before the elements of x for the one before it, so that two
 * batches are under way, and the rows of a warp go through the columns in step, so that a sector of ja or val
 * is read once although rows differ in length.  The first batch has `loaded` entries, maybe with padding; its
 * loads need not wait for n. */
template <class L, class T>
static __device__ __forceinline__ T in_early_batches(const L &load, const psb_ipk *ja, const T *val,
                                                     psb_epk step, int loaded, int n, const T *x)
{
    constexpr int N = sizeof(T) == 16 && L::IN_PARTS ? HLL_AHEAD : HLL_LONG_AHEAD;
    T sum = zero<T>();
    batch<T, N> b;
    load_batch(load, ja, val, step, loaded, N, b);
    for (; n > 0; n -= N) {
        batch<T, N> next;
        ja += N * step, val += N * step;
        load_batch(load, ja, val, step, n - N, N, next);
        sum = add_batch(load, b, n, N, x, sum);
        b = next;
    }
    return sum;
}

/* The first entry of part `part`, if n entries are divided into 2^cut parts. */
static __device__ __forceinline__ int first_of_part(int n, int part, int cut)
{
    return (int)((psb_epk)n * part >> cut);
}

/* The sum of row r of ELL.  The first batch, with its padding, is loaded while the row's length is. */
template <bool LONG, class L, class T>
static __device__ __forceinline__ T ell_row(const L &load, const psb_hll_dev &a, psb_epk r, const T *x)
{
    const psb_epk step = a.rows, next = HLL_AHEAD * step;
    const psb_ipk *ja = a.ja + r;
    const T *val = (const T *)a.val + r;
    const int n = a.irn[r];
    if constexpr (LONG)
        return in_early_batches(load, ja, val, step, a.width, n, x);
    batch<T, HLL_AHEAD> b;
    load_batch(load, ja, val, step, a.width, HLL_AHEAD, b);
    const T sum = add_batch(load, b, n, HLL_AHEAD, x, zero<T>());
    return in_batches(load, ja + next, val + next, step, n - HLL_AHEAD, x, sum);
}

/* The sum of row r of HLL, or of its part; ROWS: rows of a hack, or 0 if known only at run time. */
template <bool LONG, int ROWS, class L, class T>
static __device__ __forceinline__ T hll_row(const L &load, const psb_hll_dev &a, psb_epk r, const T *x)
{
    const psb_epk step = ROWS ? ROWS : a.rows;
    psb_epk at = ROWS ? a.off[r / WARP] + r % WARP : first_entry(a, (psb_ipk)r);
    int n = a.irn[r];
    if (L::IN_PARTS && a.cut > 0) {
        const int from = first_of_part(n, a.part, a.cut);
        n = first_of_part(n, a.part + 1, a.cut) - from;
        at += from * step;
    }
    const psb_ipk *ja = a.ja + at;
    const T *val = (const T *)a.val + at;
    if constexpr (LONG)
        return in_early_batches(load, ja, val, step, n, n, x);
    return in_batches(load, ja, val, step, n, x, zero<T>());
}

/* L: the load policy.  LONG: rows are long on average.  ROWS: as in hll_row, or ELL.  E: the epilogue. */
template <class L, bool LONG, int ROWS, class E, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmv(psb_hll_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
             const __grid_constant__ E end)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    typename E::sums s = {};
    start_in_order();
    if (r < a.nrows) {
        const L load(policy_of<E::KEEPS_SHARE>(a.stays));
        T sum;
        if constexpr (ROWS == ELL)
            sum = ell_row<LONG>(load, a, r, x);
        else
            sum = hll_row<LONG, ROWS>(load, a, r, x);
        end.row(alpha, sum, beta, y, a.row ? a.row[r] : r, s);
    }
    end.template leave<THREADS>(s, blockIdx.x);
}

/* The sum of row r.  All lanes of the warp must call this: they sum the entries beyond the first SHORT of a
 * row together. */
template <class T>
static __device__ __forceinline__ T ragged_row(const psb_hll_dev &a, psb_epk r, const T *x)
{
    const psb_epk step = a.rows;
    const int n = r < a.nrows ? a.irn[r] : 0, lane = threadIdx.x % WARP;
    const psb_epk at = n > 0 ? first_entry(a, (psb_ipk)r) : 0;
    const T *val = (const T *)a.val;
    T sum = in_batches(coalesced(0), a.ja + at, val + at, step, min(n, (int)SHORT), x, zero<T>());
    for (unsigned left = __ballot_sync(~0u, n > SHORT); left; left &= left - 1) {
        const int owner = __ffs(left) - 1, most = __shfl_sync(~0u, n, owner);
        const psb_epk first = __shfl_sync(~0u, at, owner);
        T rest = zero<T>();
#pragma unroll 4
        for (int k = SHORT + lane; k < most; k += WARP)
            rest = mad(kept(val + first + k * step), kept(x + kept(a.ja + first + k * step)), rest);
        rest = sum_lanes(rest, WARP);
        if (lane == owner)
            sum = add(sum, rest);
    }
    return sum;
}

/* For matrices whose rows differ much in length within a hack. */
template <class E, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_ragged(psb_hll_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
               const __grid_constant__ E end)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    typename E::sums s = {};
    start_in_order();
    const T sum = ragged_row(a, r, x);
    if (r < a.nrows)
        end.row(alpha, sum, beta, y, a.row ? a.row[r] : r, s);
    end.template leave<THREADS>(s, blockIdx.x);
}

/* --- several columns ----------------------------------------------------------------------------------- */

/* k columns: a thread computes N times V columns of a row; the threads of a row are consecutive. */
template <int N, int V, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmm(psb_hll_dev a, psb_ipk k, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, r = place / shares;
    start_in_order();
    if (r >= a.nrows)
        return;
    const int c = (int)(place % shares) * N * V;
    const psb_epk at = first_entry(a, (psb_ipk)r), step = a.rows;
    const psb_ipk *ja = a.ja + at;
    const T *val = (const T *)a.val + at;
    vec<T, V> sum[N] = {};
    for (int n = a.irn[r]; n > 0; n -= HLL_AHEAD, ja += HLL_AHEAD * step, val += HLL_AHEAD * step) {
        psb_ipk j[HLL_AHEAD];
        T v[HLL_AHEAD];
#pragma unroll
        for (int u = 0; u < HLL_AHEAD; u++)
            if (u < n) {
                j[u] = kept(ja + u * step);
                v[u] = kept(val + u * step);
            }
#pragma unroll
        for (int u = 0; u < HLL_AHEAD; u++)
            if (u < n)
                add_columns<N, V>(v[u], x + (psb_epk)j[u] * k + c, k - c, sum);
    }
    put_columns(alpha, sum, k - c, beta, y + (psb_epk)(a.row ? a.row[r] : r) * k + c);
}

static unsigned blocks(psb_epk n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* Are entries loaded past the first-level cache?  Elements of 16 bytes only if x is large: docs/decisions. */
template <class T>
static bool bypasses(const psb_hll_dev &a)
{
    const size_t x = (size_t)a.scattered * sizeof(T);
    return x >= HLL_LARGE_X || (x > 0 && sizeof(T) < 16);
}

template <class L, bool LONG, class E, class T>
static auto *kernel_with(const psb_hll_dev &a)
{
    return !a.off           ? hll_csmv<L, LONG, ELL, E, T>
           : a.rows == WARP ? hll_csmv<L, LONG, WARP, E, T>
                            : hll_csmv<L, LONG, 0, E, T>;
}

template <bool LONG, class E, class T>
static auto *kernel_of(const psb_hll_dev &a)
{
    if (bypasses<T>(a))
        return hll_csmv<scattered, LONG, 0, E, T>;
    if constexpr (E::KEEPS_SHARE)
        if (a.stays < 1)
            return kernel_with<streamed, LONG, E, T>(a);
    return kernel_with<coalesced, LONG, E, T>(a);
}

static bool is_long(const psb_hll_dev &a)
{
    return a.nnz > (psb_epk)HLL_LONG_ROW * a.nrows;
}

/* The kernel for one column. */
template <class E, class T>
static auto *kernel_for(const psb_hll_dev &a)
{
    return a.ragged ? hll_ragged<E, T> : is_long(a) ? kernel_of<true, E, T>(a) : kernel_of<false, E, T>(a);
}

/* May entries be evicted first from the second-level cache?  With short rows that is slower if they are
 * unlike in length, or if the matrix is much larger than the cache (docs/decisions). */
template <class T>
static bool evicts_first(const psb_hll_dev &a)
{
    const double padding = (double)a.moved.matrix / ((double)a.nnz * (double)(sizeof(T) + sizeof(psb_ipk)));
    return is_long(a) || (padding <= HLL_FULL && a.moved.matrix <= HLL_EVICTS_WITHIN * cache_bytes());
}

/* The share of the matrix that stays in the cache; KEEPS_SHARE: as in no_epilogue. */
template <bool KEEPS_SHARE, class T>
static float stays_of(const psb_hll_dev &a)
{
    if (bypasses<T>(a))
        return KEEPS_SHARE ? share_that_stays(a.moved) : stays_in_cache<T>(a.nnz);
    return KEEPS_SHARE && evicts_first<T>(a) ? share_that_stays(a.moved) : 1;
}

/* How many times to halve the rows of a matrix with scattered columns.  Columns ascend within a row, so one
 * part reads only a section of x; rows are halved until that section fits in a third of the second-level
 * cache (the portion near the multiprocessor), as long as parts keep HLL_LEAST_PART entries on average, at
 * most HLL_MOST_CUTS times. y is read and written again for every part. */
template <class T>
static int cuts(const psb_hll_dev &a)
{
    int cut = 0;
    const psb_epk x = (psb_epk)a.scattered * sizeof(T), each = a.nnz / a.nrows, cache = cache_bytes();
    while (cut < HLL_MOST_CUTS && x >> cut > cache / CACHE_NEAR && each >> (cut + 1) >= HLL_LEAST_PART)
        cut++;
    return cut;
}

/* Run all parts of the rows but the last, and return a set up for the last.  *beta becomes the factor of y
 * for the last part. */
template <bool KEEPS_SHARE, class T>
static psb_hll_dev run_parts(psb_hll_dev a, T alpha, const T *x, T *beta, T *y, cudaStream_t stream)
{
    a.cut = bypasses<T>(a) && !a.ragged ? cuts<T>(a) : 0;
    a.stays = stays_of<KEEPS_SHARE, T>(a);
    for (a.part = 0; a.part < (1 << a.cut) - 1; a.part++, *beta = T{ 1 })
        launch_early(kernel_for<no_epilogue<T>, T>(a), blocks(a.nrows), THREADS, stream, a, alpha, x, *beta,
                     y, no_epilogue<T>());
    return a;
}

/* Product and epilogue of one column; a.nrows > 0. */
template <class T, class E>
static int fused_product(const psb_hll_dev &a, T alpha, const T *x, T beta, T *y, const epilogue_of_c<E> &c,
                         cudaStream_t stream)
{
    const psb_hll_dev last = run_parts<false>(a, alpha, x, &beta, y, stream);
    const unsigned grid = blocks(a.nrows);
    return with_epilogue(c, y, grid, stream, [&](const auto &t) {
        launch_early(kernel_for<std::decay_t<decltype(t)>, T>(last), grid, THREADS, stream, last, alpha, x,
                     beta, y, t);
    });
}

template <class T>
static int product(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if (a.nrows == 0 || k == 0)
        return cudaSuccess;
    if (k == 1) {
        const psb_hll_dev last = run_parts<true>(a, alpha, x, &beta, y, stream);
        launch_early(kernel_for<no_epilogue<T>, T>(last), blocks(a.nrows), THREADS, stream, last, alpha, x,
                     beta, y, no_epilogue<T>());
    } else
        by_width(k, x, y, [&](auto w) {
            using W = decltype(w);
            launch_early(hll_csmm<W::N, W::V, T>, blocks(W::shares(k) * a.nrows), THREADS, stream, a, k,
                         alpha, x, beta, y);
        });
    return cudaGetLastError();
}

template <class K, class T>
constexpr K hll_kernels()
{
    return product_and_fused<K>();
}
PSB_CUDA_TABLES(hll_kernels)
