/* hll_kernels.cu -- room: cuda/kernels.  y = alpha A x + beta y, A in HLL or ELL: a thread a row, so that a warp
 * reads consecutive entries of each stored column. */
#include "psb_names.h"
#include "launchers.h"
#include "epilogue.cuh"

enum { THREADS = 128, WARP = 32, AHEAD = 4, SHORT = PSB_HLL_SHORT, LEAST_PART = 8, MOST_CUTS = 3 };
static_assert((int)THREADS >= (int)PSB_SUMMED_ROWS, "there is room for the sums of all blocks");

/* Where the row of rank r begins. */
static __device__ __forceinline__ psb_epk first_of(const psb_hll_dev &a, psb_ipk r)
{
    return a.off ? a.off[(unsigned)r / (unsigned)a.rows] + (unsigned)r % (unsigned)a.rows : r;
}

/* What loads are like where a warp's columns lie together, and where they are scattered: there the matrix
 * makes room for x.  LEAST: entries that are worth a batch; where it is AHEAD the rest is a case of its own.
 * IN_PARTS: rows may be summed part by part. */
namespace
{
struct together {
    enum { LEAST = AHEAD, IN_PARTS = 0 };
    __device__ together()
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

struct apart {
    enum { LEAST = 1, IN_PARTS = 1 };
    const uint64_t first = leaves_first();
    template <class S>
    __device__ S entry(const S *p) const
    {
        return passing(p, first);
    }
    template <class S>
    __device__ S of_x(const S *p) const
    {
        return kept(p);
    }
};
} // namespace

/* --- one column --------------------------------------------------------------------------------------- */

/* Entries of a row, some at a time: all are loaded before the first is used, so that latencies overlap; what
 * is past the row's end is not loaded, and not multiplied, so that padding touches nothing. */

template <class T>
struct batch {
    psb_ipk j[AHEAD];
    T v[AHEAD];
};

/* Columns come first: x waits for them.  most, no less than n, is known where this is inlined. */
template <class L, class T>
static __device__ __forceinline__ void load_batch(const L &load, const psb_ipk *ja, const T *val,
                                                  psb_epk step, int n, int most, batch<T> &b)
{
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < most && u < n)
            b.j[u] = load.entry(ja + u * step);
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < most && u < n)
            b.v[u] = load.entry(val + u * step);
}

template <class L, class T>
static __device__ __forceinline__ T add_batch(const L &load, const batch<T> &b, int n, int most, const T *x,
                                              T sum)
{
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        if (u < most && u < n)
            sum = mad(b.v[u], load.of_x(x + b.j[u]), sum);
    return sum;
}

template <class L, class T>
static __device__ __forceinline__ T in_batches(const L &load, const psb_ipk *ja, const T *val, psb_epk step,
                                               int n, const T *x)
{
    constexpr int LEAST = sizeof(T) == sizeof(float) ? 1 : (int)L::LEAST;
    T sum = zero<T>();
    batch<T> b;
    for (; n >= LEAST; n -= AHEAD, ja += AHEAD * step, val += AHEAD * step) {
        const int all = LEAST < AHEAD ? n : AHEAD;
        load_batch(load, ja, val, step, all, AHEAD, b);
        sum = add_batch(load, b, all, AHEAD, x, sum);
    }
    load_batch(load, ja, val, step, n, AHEAD - 1, b);
    return add_batch(load, b, n, AHEAD - 1, x, sum);
}

/* Of n entries the first of part `part` of 2^cut. */
static __device__ __forceinline__ int first_of_part(int n, int part, int cut)
{
    return (int)((psb_epk)n * part >> cut);
}

/* ROWS: of a hack, or 0 where that is known only now.  E: what follows. */
template <class L, int ROWS, class E, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmv(psb_hll_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
             const __grid_constant__ E end)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    typename E::sums s = {};
    if (r < a.nrows) {
        const L load;
        const psb_epk step = ROWS ? ROWS : a.rows;
        psb_epk at = ROWS ? a.off[r / WARP] + r % WARP : first_of(a, (psb_ipk)r);
        int n = a.irn[r];
        if (L::IN_PARTS && a.cut > 0) {
            const int from = first_of_part(n, a.part, a.cut);
            n = first_of_part(n, a.part + 1, a.cut) - from;
            at += from * step;
        }
        const T *val = (const T *)a.val + at;
        const T sum = in_batches(load, a.ja + at, val, step, n, x);
        end.row(alpha, sum, beta, y, a.row ? a.row[r] : r, s);
    }
    end.template leave<THREADS>(s, blockIdx.x);
}

/* Row r, all lanes of whose warp take part: what it has beyond SHORT entries they sum together. */
template <class T>
static __device__ __forceinline__ T ragged_row(const psb_hll_dev &a, psb_epk r, const T *x)
{
    const psb_epk step = a.rows;
    const int n = r < a.nrows ? a.irn[r] : 0, lane = threadIdx.x % WARP;
    const psb_epk at = n > 0 ? first_of(a, (psb_ipk)r) : 0;
    const T *val = (const T *)a.val;
    T sum = in_batches(together(), a.ja + at, val + at, step, min(n, (int)SHORT), x);
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

/* Where rows of a hack differ much in length. */
template <class E, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_ragged(psb_hll_dev a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y,
               const __grid_constant__ E end)
{
    const psb_epk r = (psb_epk)blockIdx.x * THREADS + threadIdx.x;
    typename E::sums s = {};
    const T sum = ragged_row(a, r, x);
    if (r < a.nrows)
        end.row(alpha, sum, beta, y, a.row ? a.row[r] : r, s);
    end.template leave<THREADS>(s, blockIdx.x);
}

/* --- several columns ----------------------------------------------------------------------------------- */

/* k columns: a thread has N times V of a row, the threads of a row side by side. */
template <int N, int V, class T>
static __global__ void __launch_bounds__(THREADS)
    hll_csmm(psb_hll_dev a, psb_ipk k, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const unsigned shares = (unsigned)(k + N * V - 1) / (N * V);
    const psb_epk place = (psb_epk)blockIdx.x * THREADS + threadIdx.x, r = place / shares;
    if (r >= a.nrows)
        return;
    const int c = (int)(place % shares) * N * V;
    const psb_epk at = first_of(a, (psb_ipk)r), step = a.rows;
    const psb_ipk *ja = a.ja + at;
    const T *val = (const T *)a.val + at;
    vec<T, V> sum[N] = {};
    for (int n = a.irn[r]; n > 0; n -= AHEAD, ja += AHEAD * step, val += AHEAD * step) {
        psb_ipk j[AHEAD];
        T v[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n) {
                j[u] = kept(ja + u * step);
                v[u] = kept(val + u * step);
            }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (u < n)
                add_columns<N, V>(v[u], x + (psb_epk)j[u] * k + c, k - c, sum);
    }
    put_columns(alpha, sum, k - c, beta, y + (psb_epk)(a.row ? a.row[r] : r) * k + c);
}

static unsigned blocks(psb_epk n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* One column. */
template <class E, class T>
static auto *kernel_for(const psb_hll_dev &a)
{
    return a.ragged                  ? hll_ragged<E, T>
           : a.scattered             ? hll_csmv<apart, 0, E, T>
           : a.off && a.rows == WARP ? hll_csmv<together, WARP, E, T>
                                     : hll_csmv<together, 0, E, T>;
}

/* Where x is met at random by rows that are long enough: so many cuts of rows in two that what a part meets
 * of x, since columns ascend in a row, stays in that part of the second-level cache that lies near; y is read
 * and written again for every part. */
template <class T>
static int cuts(const psb_hll_dev &a)
{
    int gpu = 0, cache = 0, cut = 0;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, gpu);
    const psb_epk x = (psb_epk)a.scattered * sizeof(T), each = a.nnz / a.nrows;
    while (cut < MOST_CUTS && x >> cut > cache / 3 && each >> (cut + 1) >= LEAST_PART)
        cut++;
    return cut;
}

/* All parts of rows but the last; returns a for that one.  beta becomes what is left to do to y. */
template <class T>
static psb_hll_dev run_parts(psb_hll_dev a, T alpha, const T *x, T *beta, T *y, cudaStream_t stream)
{
    a.cut = a.scattered && !a.ragged ? cuts<T>(a) : 0;
    for (a.part = 0; a.part < (1 << a.cut) - 1; a.part++, *beta = T{ 1 })
        kernel_for<no_epilogue<T>, T>(a)<<<blocks(a.nrows), THREADS, 0, stream>>>(a, alpha, x, *beta, y, {});
    return a;
}

/* a has rows. */
template <class T>
static int run_fused(const psb_hll_dev &a, T alpha, const T *x, T beta, T *y, const psb_dev_epilogue &given,
                     cudaStream_t stream)
{
    const psb_hll_dev last = run_parts(a, alpha, x, &beta, y, stream);
    const unsigned grid = blocks(a.nrows);
    return with_epilogue(given, y, grid, stream, [&](const auto &t) {
        using E = std::decay_t<decltype(t)>;
        kernel_for<E, T>(a)<<<grid, THREADS, 0, stream>>>(last, alpha, x, beta, y, t);
    });
}

template <class T>
static int run(const psb_hll_dev &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if (a.nrows == 0 || k == 0)
        return cudaSuccess;
    if (k == 1) {
        const psb_hll_dev last = run_parts(a, alpha, x, &beta, y, stream);
        kernel_for<no_epilogue<T>, T>(a)<<<blocks(a.nrows), THREADS, 0, stream>>>(last, alpha, x, beta, y, {});
    } else
        by_width(k, x, y, [&](auto w) {
            using W = decltype(w);
            hll_csmm<W::N, W::V>
                <<<blocks(W::shares(k) * a.nrows), THREADS, 0, stream>>>(a, k, alpha, x, beta, y);
        });
    return cudaGetLastError();
}

#define PSB_TEMPLATE "hll_launchers.t.cuh"
#include "psb_each_type.h"
