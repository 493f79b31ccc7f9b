/* rows.cuh -- cuda/kernels: rows in a list, gathered, added to, or summed over their owners. */
#ifndef PSB_ROWS_CUH
#define PSB_ROWS_CUH
#include "grid.cuh"
#include "overlap.cuh"
#include "psb_vec_ops.h"
#include "tables.cuh"

/* --- rows by a list ----------------------------------------------------------------------------------- */

/* The index of element i of the listed rows. */
static __device__ __forceinline__ psb_epk place(psb_epk i, const psb_ipk *idx, int k)
{
    return k == 1 ? idx[i] : (psb_epk)idx[i / k] * k + i % k;
}

template <class T>
static __global__ void gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    psb_epk all = (psb_epk)n * k, step = (psb_epk)gridDim.x * THREADS;
    start_in_order();
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < all; i += step)
        buf[i] = x[place(i, idx, k)];
}

template <class T>
static __global__ void scatter_add(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    psb_epk all = (psb_epk)n * k, step = (psb_epk)gridDim.x * THREADS;
    start_in_order();
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < all; i += step) {
        T *to = y + place(i, idx, k);
        *to = add(*to, buf[i]);
    }
}

template <class T>
static __global__ void scatter(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T beta, bool assign, T *y)
{
    psb_epk all = (psb_epk)n * k, step = (psb_epk)gridDim.x * THREADS;
    start_in_order();
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < all; i += step) {
        T *to = y + place(i, idx, k);
        *to = assign ? buf[i] : add(mul(beta, *to), buf[i]);
    }
}

/* --- rows with several owners ------------------------------------------------------------------------- */

static __device__ float times(float a, float f)
{
    return a * f;
}
static __device__ double times(double a, double f)
{
    return a * f;
}
template <class R>
static __device__ pair<R> times(pair<R> a, R f)
{
    return { a.re * f, a.im * f };
}

/* V: X(vec_owners) */
template <class T, class V>
static __global__ void join_owners(const V t)
{
    using R = real_of<T>;
    const psb_epk all = (psb_epk)t.n * t.k, step = (psb_epk)gridDim.x * THREADS;
    start_in_order();
    for (psb_epk e = (psb_epk)blockIdx.x * THREADS + threadIdx.x; e < all; e += step) {
        const psb_ipk first = t.start[e / t.k], end = t.start[e / t.k + 1];
        const int j = (int)(e % t.k);
        T *x = (T *)t.x + place(e, t.loc, t.k), sum = zero<T>();
        for (psb_ipk o = first; o < end; o++)
            sum = add(sum, t.place[o] < 0 ? *x : ((const T *)t.in)[(psb_epk)t.place[o] * t.k + j]);
        const R f = PSB_OWNERS_FACTOR(R, t.op, end - first, t.place[first] < 0);
        *x = f == 0 ? zero<T>() : times(sum, f);
    }
}

namespace entry
{
template <class T>
static psb_err gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    if (n > 0)
        launch_early(::gth<dev<T>>, blocks((psb_epk)n * k, THREADS), THREADS, stream(), n, idx, k, on_gpu(x),
                     on_gpu(buf));
    return psb_cudart_ok(cudaGetLastError(), "gather");
}

template <class T>
static psb_err scatter_add(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    if (n > 0)
        launch_early(::scatter_add<dev<T>>, blocks((psb_epk)n * k, THREADS), THREADS, stream(), n, idx, k,
                     on_gpu(buf), on_gpu(y));
    return psb_cudart_ok(cudaGetLastError(), "scatter");
}

template <class T>
static psb_err scatter(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T beta, T *y)
{
    if (n > 0)
        launch_early(::scatter<dev<T>>, blocks((psb_epk)n * k, THREADS), THREADS, stream(), n, idx, k,
                     on_gpu(buf), on_gpu(beta), beta == T(0), on_gpu(y));
    return psb_cudart_ok(cudaGetLastError(), "scatter");
}

template <class T, class V>
static psb_err join_owners(const V *t)
{
    const psb_epk all = (psb_epk)t->n * t->k;
    if (all > 0)
        launch_early(::join_owners<dev<T>, V>, blocks(all, THREADS), THREADS, stream(), *t);
    return psb_cudart_ok(cudaGetLastError(), "rows of several owners");
}
} // namespace entry
#endif
