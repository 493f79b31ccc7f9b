/* vec_kernels.cu -- room: cuda.  Vector operations; sums in two stages of fixed order. */
#include "psb_names.h"
#include "doors.h"
#include "gpu.h"
#include "scalar.cuh"

enum { THREADS = 256, WARP = 32 };

static int blocks(psb_epk n)
{
    return (int)((n + THREADS - 1) / THREADS);
}

static __device__ psb_epk me()
{
    return (psb_epk)blockIdx.x * THREADS + threadIdx.x;
}

/* --- elementwise ------------------------------------------------------------------------------------- */

template <class T>
__global__ void fill(psb_epk n, T a, T *x)
{
    psb_epk i = me();
    if (i < n)
        x[i] = a;
}

template <class T>
__global__ void axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    psb_epk i = me();
    if (i >= n)
        return;
    T sum = is_zero(alpha) ? zero<T>() : mul(alpha, x[i]);
    y[i] = is_zero(beta) ? sum : mad(beta, y[i], sum);
}

template <class T>
__global__ void gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    psb_epk i = me();
    if (i < (psb_epk)n * k)
        buf[i] = k == 1 ? x[idx[i]] : x[(psb_epk)idx[i / k] * k + i % k];
}

template <class T>
__global__ void sct(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    psb_epk i = me();
    if (i < (psb_epk)n * k) {
        T *to = k == 1 ? y + idx[i] : y + (psb_epk)idx[i / k] * k + i % k;
        *to = add(*to, buf[i]);
    }
}

/* --- sums -------------------------------------------------------------------------------------------- */

/* The sum over the block, on thread 0: a tree, the same every time. */
static __device__ pair<double> block_sum(pair<double> s)
{
    __shared__ pair<double> of_warp[THREADS / WARP];
    for (int d = WARP / 2; d > 0; d /= 2)
        s = add(s, { __shfl_down_sync(~0u, s.re, d), __shfl_down_sync(~0u, s.im, d) });
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = s;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < THREADS / WARP; w++)
            s = add(s, of_warp[w]);
    return s;
}

template <class T>
__global__ void dot_partial(psb_ipk n, int k, const T *x, const T *y, pair<double> *partial)
{
    pair<double> s = { 0, 0 };
    for (psb_epk i = me(); i < n; i += (psb_epk)gridDim.x * THREADS)
        s = add(s, dotted(x[i * k], y[i * k]));
    s = block_sum(s);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s;
}

static __global__ void sum_partials(const pair<double> *partial, pair<double> *sum)
{
    pair<double> s = { 0, 0 };
    for (int i = threadIdx.x; i < PSB_GPU_PARTIALS; i += THREADS)
        s = add(s, partial[i]);
    s = block_sum(s);
    if (threadIdx.x == 0)
        *sum = s;
}

template <class T>
static int dot(psb_ipk n, int k, const T *x, const T *y, double *partial, double *sum, cudaStream_t stream)
{
    auto *p = reinterpret_cast<pair<double> *>(partial);
    dot_partial<<<PSB_GPU_PARTIALS, THREADS, 0, stream>>>(n, k, x, y, p);
    sum_partials<<<1, THREADS, 0, stream>>>(p, reinterpret_cast<pair<double> *>(sum));
    return cudaGetLastError();
}

#define PSB_TEMPLATE "vec_doors.t.cuh"
#include "psb_each_type.h"
