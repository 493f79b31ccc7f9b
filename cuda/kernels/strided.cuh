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

/* A thread computes an element; neighbouring threads have neighbouring elements of Y. */
template <psb_semiring OVER, class T>
static __global__ void __launch_bounds__(THREADS)
    multiply(const __grid_constant__ psb_row_products q, T alpha, const T *__restrict__ val,
             const T *__restrict__ x, T beta, T *__restrict__ y)
{
    const bool down = q.y.row < q.y.col;
    const psb_epk near = down ? q.m : q.k, far = down ? q.k : q.m, all = near * far * q.batch;
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk n = (psb_epk)blockIdx.x * THREADS + threadIdx.x; n < all; n += step) {
        const psb_epk a = n % near, b = n / near % far;
        steps<T>::strided_element(&q, OVER, n / near / far, down ? a : b, down ? b : a, alpha, val, x, beta,
                                  y);
    }
}

/* A warp takes 32 entries, of which lane l finds the row of the l-th; then STRIDED_LANES lanes compute one.
 */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    sample(const __grid_constant__ psb_row_products q, T alpha, const T *__restrict__ x,
           const T *__restrict__ y, T beta, T *val)
{
    constexpr int WARP = 32, LANES = steps<T>::STRIDED_LANES, GROUPS = WARP / LANES;
    const int lane = threadIdx.x % WARP, part = lane % LANES, group = lane / LANES;
    const psb_epk step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk first = (psb_epk)blockIdx.x * THREADS + threadIdx.x / WARP * WARP; first < q.nnz;
         first += step) {
        const psb_epk mine = first + lane < q.nnz ? first + lane : q.nnz - 1;
        const psb_ipk row = (psb_ipk)psb_raw_line(q.off, 64, 0, q.m, mine), col = q.ja[mine];
        for (int e = group; e < WARP; e += GROUPS) {
            const psb_epk i = from_lane(row, e), j = from_lane(col, e);
            T s;
            steps<T>::strided_dot(q.k, x + i * q.x.row, y + j * q.y.row, part, part + 1, &s);
            s = sum_lanes(s, LANES);
            if (part == 0 && first + e < q.nnz)
                steps<T>::strided_put(alpha, s, beta, val + (first + e));
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
    strided::sample<<<blocks(q->nnz, THREADS), THREADS, 0, stream()>>>(*q, on_gpu(alpha), on_gpu(x),
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
