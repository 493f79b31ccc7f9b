/* strided.cuh -- cuda/kernels: products of rows in CSR and dense arrays, small solves, and copies of dense
 * arrays from one order to another. */
#ifndef PSB_STRIDED_CUH
#define PSB_STRIDED_CUH
#include "band.cuh"
#include "lanes.cuh"
#include "raw_place.h"

namespace strided
{
template <class T>
using steps = band::elimination<T>;

/* Element (i, j) of product b. */
struct element {
    psb_epk b, i, j;
};

/* Of the n-th thread: neighbouring threads have neighbouring elements of Y. */
static __device__ __forceinline__ element element_of(const psb_row_products &q, psb_epk n)
{
    const bool down = q.y.row < q.y.col;
    const psb_epk near = down ? q.m : q.k, far = down ? q.k : q.m;
    const psb_epk a = n % near, b = n / near % far;
    return { n / near / far, down ? a : b, down ? b : a };
}

/* Where the arrays of products are. */
template <class T>
struct products {
    T alpha, beta;
    const T *val, *x;
    T *y;
};

/* A warp computes the elements of its lanes in `left`, of long rows, one after the other; lane l has the sums
 * l, l + 32, ...  first: the element of lane 0.  All lanes call this. */
template <psb_semiring OVER, class T>
static __device__ __forceinline__ void multiply_by_warp(const psb_row_products &q, psb_epk first,
                                                        unsigned left, const products<T> &p)
{
    constexpr int WARP = 32, SUMS = steps<T>::STRIDED_SUMS, EACH = SUMS / WARP;
    const int lane = threadIdx.x % WARP;
    for (; left; left &= left - 1) {
        const element at = element_of(q, first + __ffs(left) - 1);
        const psb_epk end = q.off[at.i + 1];
        T s[EACH];
#pragma unroll
        for (int u = 0; u < EACH; u++)
            s[u] = steps<T>::strided_none(OVER);
        for (psb_epk e = q.off[at.i] + lane; e < end; e += SUMS)
#pragma unroll
            for (int u = 0; u < EACH; u++)
                if (e + u * WARP < end)
                    s[u] = steps<T>::strided_term(&q, OVER, at.b, at.j, e + u * WARP, s[u], p.val, p.x);
#pragma unroll
        for (int o = EACH / 2; o > 0; o /= 2)
#pragma unroll
            for (int u = 0; u < o; u++)
                s[u] = steps<T>::strided_join(OVER, s[u], s[u + o]);
#pragma unroll
        for (int o = WARP / 2; o > 0; o /= 2)
            s[0] = steps<T>::strided_join(OVER, s[0], from_down(s[0], o, WARP));
        if (lane == 0)
            steps<T>::strided_end(&q, OVER, at.b, at.i, at.j, p.alpha, s[0], p.beta, p.y);
    }
}

/* A block computes the elements of its threads for which `mine` holds; thread t has sum t.  first: the
 * element of thread 0.  All threads call this. */
template <psb_semiring OVER, class T>
static __device__ __forceinline__ void multiply_by_block(const psb_row_products &q, psb_epk first, bool mine,
                                                         const products<T> &p)
{
    static_assert(steps<T>::STRIDED_SUMS == THREADS, "a thread has one sum");
    __shared__ T sums[THREADS];
    __shared__ unsigned chosen[THREADS / 32];
    const int t = threadIdx.x;
    const unsigned of_warp = __ballot_sync(~0u, mine);
    chosen[t / 32] = of_warp;
    __syncthreads();
    for (int w = 0; w < THREADS / 32; w++)
        for (unsigned left = chosen[w]; left; left &= left - 1) {
            const element at = element_of(q, first + w * 32 + __ffs(left) - 1);
            const psb_epk end = q.off[at.i + 1];
            T s = steps<T>::strided_none(OVER);
#pragma unroll 4
            for (psb_epk e = q.off[at.i] + t; e < end; e += THREADS)
                s = steps<T>::strided_term(&q, OVER, at.b, at.j, e, s, p.val, p.x);
            sums[t] = s;
            for (int o = THREADS / 2; o > 0; o /= 2) {
                __syncthreads();
                if (t < o)
                    sums[t] = steps<T>::strided_join(OVER, sums[t], sums[t + o]);
            }
            if (t == 0)
                steps<T>::strided_end(&q, OVER, at.b, at.i, at.j, p.alpha, sums[0], p.beta, p.y);
            __syncthreads();
        }
}

/* A thread computes an element; a warp, or a block, those of long rows, in the same order of additions. */
template <psb_semiring OVER, class T>
static __global__ void __launch_bounds__(THREADS, 4)
    multiply(const __grid_constant__ psb_row_products q, T alpha, const T *__restrict__ val,
             const T *__restrict__ x, T beta, T *__restrict__ y)
{
    constexpr int LONG = steps<T>::STRIDED_LONG, LONGER = 64 * LONG;
    const psb_epk all = (psb_epk)q.m * q.k * q.batch, step = (psb_epk)gridDim.x * THREADS;
    const products<T> p = { alpha, beta, val, x, y };
    for (psb_epk first = (psb_epk)blockIdx.x * THREADS; first < all; first += step) {
        const psb_epk mine = first + threadIdx.x;
        const element at = element_of(q, mine < all ? mine : 0);
        const psb_epk terms = mine < all ? steps<T>::strided_terms(&q, at.i, alpha) : 0;
        if (mine < all && terms <= LONG)
            steps<T>::strided_element(&q, OVER, at.b, at.i, at.j, alpha, val, x, beta, y);
        multiply_by_warp<OVER>(q, mine - threadIdx.x % 32,
                               __ballot_sync(~0u, terms > LONG && terms <= LONGER), p);
        if (__syncthreads_or(terms > LONGER))
            multiply_by_block<OVER>(q, first, terms > LONGER, p);
    }
}

/* Sampled products: MATES lanes share an entry, so that a lane reads 16 bytes, SHARE elements, of a row at a
 * time; MATES entries pass at once. */
template <class T>
struct sampling {
    enum { SHARE = WIDEST<T>, MATES = steps<T>::STRIDED_LANES / SHARE, TURNS = 8 };
};

/* s[u][i] is sum part * SHARE + i of the u-th entry.  Returns the sum of the part-th entry. */
template <class T, int MATES, int SHARE>
static __device__ __forceinline__ T join_mates(T (&s)[MATES][SHARE], int part)
{
#pragma unroll
    for (int o = MATES / 2; o > 0; o /= 2)
#pragma unroll
        for (int u = 0; u < o; u++)
#pragma unroll
            for (int i = 0; i < SHARE; i++) {
                const T mine = part & o ? s[u + o][i] : s[u][i], theirs = part & o ? s[u][i] : s[u + o][i];
                s[u][i] = rounded::add(mine, across(theirs, o));
            }
#pragma unroll
    for (int o = SHARE / 2; o > 0; o /= 2)
#pragma unroll
        for (int i = 0; i < o; i++)
            s[0][i] = rounded::add(s[0][i], s[0][i + o]);
    return s[0][0];
}

/* The sum of products of the entry of this lane, in `row` and `col`; all lanes call this.  V: elements of one
 * load. */
template <int V, class T>
static __device__ __forceinline__ T sampled(const psb_row_products &q, const T *x, const T *y, psb_ipk row,
                                            psb_ipk col)
{
    constexpr int SHARE = sampling<T>::SHARE, MATES = sampling<T>::MATES;
    const int lane = threadIdx.x % 32, part = lane % MATES;
    const T *left[MATES], *right[MATES];
    T s[MATES][SHARE] = {};
#pragma unroll
    for (int u = 0; u < MATES; u++) {
        left[u] = x + from_lane(row, lane - part + u) * q.x.row;
        right[u] = y + from_lane(col, lane - part + u) * q.y.row;
    }
    for (psb_epk c = part * SHARE; c < q.k; c += MATES * SHARE)
#pragma unroll
        for (int i = 0; i < SHARE; i += V)
            if (c + i < q.k)
#pragma unroll
                for (int u = 0; u < MATES; u++) {
                    const auto a = kept(reinterpret_cast<const vec<T, V> *>(left[u] + c + i));
                    const auto b = kept(reinterpret_cast<const vec<T, V> *>(right[u] + c + i));
#pragma unroll
                    for (int v = 0; v < V; v++)
                        s[u][i + v] = rounded::add(s[u][i + v], rounded::mul(a.v[v], b.v[v]));
                }
    return join_mates(s, part);
}

/* A warp takes `turns` times 32 entries at a time; lane l writes the l-th of 32. */
template <int V, class T>
static __global__ void __launch_bounds__(THREADS)
    sample(const __grid_constant__ psb_row_products q, int turns, T alpha, const T *__restrict__ x,
           const T *__restrict__ y, T beta, T *val)
{
    constexpr int WARP = 32;
    const int lane = threadIdx.x % WARP;
    const psb_epk part = (psb_epk)turns * WARP, step = gridDim.x * (THREADS / WARP) * part;
    psb_epk start = ((psb_epk)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP) * part;
    for (; start < q.nnz; start += step) {
        const psb_epk end = start + part < q.nnz ? start + part : q.nnz;
        psb_ipk low = (psb_ipk)psb_raw_line(q.off, 64, 0, q.m, lane == 0 ? start : end - 1);
        const psb_ipk high = from_lane(low, 1);
        low = from_lane(low, 0);
        for (psb_epk first = start; first < end; first += WARP) {
            const psb_epk e = first + lane < end ? first + lane : end - 1;
            const psb_ipk row = low + (psb_ipk)psb_raw_line(q.off + low, 64, 0, high - low + 1, e);
            const T s = sampled<V>(q, x, y, row, once(q.ja + e));
            if (first + lane < end)
                steps<T>::strided_put(alpha, s, beta, val + e);
            low = from_lane(row, WARP - 1);
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(THREADS)
    solve(const __grid_constant__ psb_row_products q, const T *__restrict__ val, T *y,
          unsigned long long *bad)
{
    const psb_epk turns = (psb_epk)q.k * q.batch, step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk n = (psb_epk)blockIdx.x * THREADS + threadIdx.x; n < turns; n += step) {
        const psb_epk b = n % q.batch, j = n / q.batch;
        const psb_ipk row = steps<T>::strided_solve(&q, val + b * q.values, y + (j * q.y.col + b * q.y.batch),
                                                    q.y.row);
        if (row >= 0)
            atomicMin(bad, (unsigned long long)(b * q.m + row));
    }
}

/* Tiles of ELEMENTS elements, 1 << bits columns wide, pass through shared memory, so that neighbouring
 * threads read, and write, neighbouring elements. */
constexpr int ELEMENTS = 1024, BANKS = 32;

static __device__ __forceinline__ int place(int i, int j, int bits)
{
    const int e = (i << bits) + j;
    return e + e / BANKS;
}

template <class T>
static __global__ void __launch_bounds__(THREADS)
    lay(psb_epk m, psb_epk n, int bits, bool conj, const T *__restrict__ x, psb_places from,
        T *__restrict__ y, psb_places to)
{
    __shared__ T tile[ELEMENTS + ELEMENTS / BANKS];
    const int wide = 1 << bits, high = ELEMENTS >> bits;
    const psb_epk across = (n + wide - 1) / wide, tiles = (m + high - 1) / high * across;
    const bool in_by_rows = from.col < from.row, out_by_rows = to.col < to.row;
    for (psb_epk t = blockIdx.x; t < tiles; t += gridDim.x) {
        const psb_epk i0 = t / across * high, j0 = t % across * wide;
        for (int e = threadIdx.x; e < ELEMENTS; e += THREADS) {
            const int i = in_by_rows ? e / wide : e % high, j = in_by_rows ? e % wide : e / high;
            if (i0 + i < m && j0 + j < n)
                tile[place(i, j, bits)] = kept(x + ((i0 + i) * from.row + (j0 + j) * from.col));
        }
        __syncthreads();
        for (int e = threadIdx.x; e < ELEMENTS; e += THREADS) {
            const int i = out_by_rows ? e / wide : e % high, j = out_by_rows ? e % wide : e / high;
            if (i0 + i < m && j0 + j < n) {
                const T v = tile[place(i, j, bits)];
                y[(i0 + i) * to.row + (j0 + j) * to.col] = conj ? conjugate(v) : v;
            }
        }
        __syncthreads();
    }
}

template <psb_semiring OVER, class T>
static void start(const psb_row_products &q, T alpha, const T *val, const T *x, T beta, T *y)
{
    const int many = blocks((psb_epk)q.m * q.k * q.batch, THREADS);
    multiply<OVER><<<many, THREADS, 0, stream()>>>(q, alpha, val, x, beta, y);
}
} // namespace strided

namespace entry
{
template <class T>
static psb_err spmm(const psb_row_products *q, T alpha, const T *val, const T *x, T beta, T *y)
{
    const auto start = q->over == PSB_PLUS_TIMES  ? strided::start<PSB_PLUS_TIMES, dev<T>>
                       : q->over == PSB_MIN_PLUS  ? strided::start<PSB_MIN_PLUS, dev<T>>
                       : q->over == PSB_MAX_TIMES ? strided::start<PSB_MAX_TIMES, dev<T>>
                                                  : strided::start<PSB_OR_AND, dev<T>>;
    start(*q, on_gpu(alpha), on_gpu(val), on_gpu(x), on_gpu(beta), on_gpu(y));
    return psb_cudart_ok(cudaGetLastError(), "products with dense arrays");
}

template <class T>
static psb_err sddmm(const psb_row_products *q, T alpha, const T *x, const T *y, T beta, T *val)
{
    using D = dev<T>;
    constexpr int V = strided::sampling<D>::SHARE, TURNS = strided::sampling<D>::TURNS;
    const psb_epk share = q->nnz / resident_threads();
    const int turns = share < 1 ? 1 : share < TURNS ? (int)share : TURNS;
    const bool wide = fits<V>(q->k, x, y) && q->x.row % V == 0 && q->y.row % V == 0;
    const auto kernel = wide ? strided::sample<V, D> : strided::sample<1, D>;
    kernel<<<blocks(q->nnz, THREADS * turns), THREADS, 0, stream()>>>(*q, turns, on_gpu(alpha), on_gpu(x),
                                                                      on_gpu(y), on_gpu(beta), on_gpu(val));
    return psb_cudart_ok(cudaGetLastError(), "a sampled product");
}

template <class T>
static psb_err lay(psb_epk m, psb_epk n, bool conjugate, const T *x, psb_places from, T *y, psb_places to)
{
    int bits = 0;
    while (bits < 5 && (psb_epk)1 << bits < n)
        bits++;
    const psb_epk wide = (psb_epk)1 << bits, high = strided::ELEMENTS / wide;
    const psb_epk tiles = (m + high - 1) / high * ((n + wide - 1) / wide);
    if (tiles > 0)
        strided::lay<<<blocks(tiles, 1), THREADS, 0, stream()>>>(m, n, bits, conjugate, on_gpu(x), from,
                                                                 on_gpu(y), to);
    return psb_cudart_ok(cudaGetLastError(), "a copy of a dense array");
}

template <class T>
static psb_err spsm(const psb_row_products *q, const T *val, T *y, psb_epk *bad)
{
    static const char what[] = "small solves";
    void *own = nullptr;
    PSB_TRY(psb_device_take(&psb_device_cuda, &own, sizeof *bad, what));
    psb_err e = psb_cudart_ok(cudaMemsetAsync(own, 0xff, sizeof *bad, stream()), what);
    if (e == PSB_OK)
        strided::solve<<<blocks((psb_epk)q->k * q->batch, THREADS), THREADS, 0, stream()>>>(
            *q, on_gpu(val), on_gpu(y), (unsigned long long *)own);
    PSB_THEN(e, psb_cudart_ok(cudaGetLastError(), what));
    PSB_THEN(e, psb_get(&psb_device_cuda, bad, own, sizeof *bad, what));
    psb_device_give(&psb_device_cuda, own, sizeof *bad);
    return e;
}
} // namespace entry
#endif
