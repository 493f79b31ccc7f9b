/* rows_kernels.cu -- room: cuda/kernels.  Rows in a list: gathered, added to, or summed over their owners. */
#include "psb_scalar.h"
#include "launchers.h"
#include "grid.cuh"
#include "overlap.cuh"
#include "scalar.cuh"

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

/* --- rows with several owners ------------------------------------------------------------------------- */

/* As owners_factor of vec_owners.t.h, with its roundings. */
template <class R>
static __device__ R owners_factor(psb_ovrl op, psb_ipk n, bool lowest)
{
    switch (op) {
    case PSB_OVRL_AVG:
        return 1 / (R)n;
    case PSB_OVRL_SQRT:
        return 1 / (R)sqrt((double)n);
    case PSB_OVRL_ZERO:
        return lowest ? 1 : 0;
    default:
        return 1;
    }
}

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

template <class T>
static __global__ void join_owners(const psb_dev_owners t)
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
        const R f = owners_factor<R>(t.op, end - first, t.place[first] < 0);
        *x = f == 0 ? zero<T>() : times(sum, f);
    }
}

#define PSB_TEMPLATE "rows_launchers.t.cuh"
#include "psb_each_type.h"
