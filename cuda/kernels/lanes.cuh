/* lanes.cuh -- cuda/kernels: exchange and sums between lanes of a warp; all lanes must call these. */
#ifndef PSB_LANES_CUH
#define PSB_LANES_CUH
#include "scalar.cuh"

template <class R>
__device__ __forceinline__ R from_down(R a, int by, int width)
{
    return __shfl_down_sync(~0u, a, by, width);
}
template <class R>
__device__ __forceinline__ pair<R> from_down(pair<R> a, int by, int width)
{
    return { from_down(a.re, by, width), from_down(a.im, by, width) };
}
template <class R>
__device__ __forceinline__ R from_up(R a, int by)
{
    return __shfl_up_sync(~0u, a, by);
}
template <class R>
__device__ __forceinline__ pair<R> from_up(pair<R> a, int by)
{
    return { from_up(a.re, by), from_up(a.im, by) };
}
template <class R>
__device__ __forceinline__ R from_lane(R a, int lane)
{
    return __shfl_sync(~0u, a, lane);
}
template <class R>
__device__ __forceinline__ pair<R> from_lane(pair<R> a, int lane)
{
    return { from_lane(a.re, lane), from_lane(a.im, lane) };
}

template <class R>
__device__ __forceinline__ R across(R a, int lane)
{
    return __shfl_xor_sync(~0u, a, lane);
}
template <class R>
__device__ __forceinline__ pair<R> across(pair<R> a, int lane)
{
    return { across(a.re, lane), across(a.im, lane) };
}

/* The sum over groups of `lanes` consecutive lanes, a power of two; all lanes of a group get equal bits. */
template <class T>
__device__ __forceinline__ T sum_lanes(T s, int lanes)
{
    for (int o = lanes / 2; o > 0; o /= 2)
        s = add(s, across(s, o));
    return s;
}

/* The sum over the threads of a block, all of which must call this; thread 0 gets it. */
template <int THREADS, class T>
__device__ __forceinline__ T sum_threads(T s)
{
    __shared__ T all[THREADS / 32];
    s = sum_lanes(s, 32);
    if (threadIdx.x % 32 == 0)
        all[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < THREADS / 32; w++)
            s = add(s, all[w]);
    return s;
}
#endif
