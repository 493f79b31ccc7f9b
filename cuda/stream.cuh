/* stream.cuh -- room: cuda.  What the kernels of formats share: loads of what is used once and of what is
 * used again, sums over the lanes of a warp, the end of a row. */
#ifndef PSB_STREAM_CUH
#define PSB_STREAM_CUH
#include "scalar.cuh"

/* The read-only cache, for what neighbours will ask for too; and past it. */
template <class V>
__device__ __forceinline__ V kept(const V *p)
{
    return __ldg(p);
}
template <class V>
__device__ __forceinline__ V once(const V *p)
{
    return __ldcs(p);
}
__device__ __forceinline__ pair<float> kept(const pair<float> *p)
{
    float2 v = __ldg(reinterpret_cast<const float2 *>(p));
    return { v.x, v.y };
}
__device__ __forceinline__ pair<float> once(const pair<float> *p)
{
    float2 v = __ldcs(reinterpret_cast<const float2 *>(p));
    return { v.x, v.y };
}
__device__ __forceinline__ pair<double> kept(const pair<double> *p)
{
    double2 v = __ldg(reinterpret_cast<const double2 *>(p));
    return { v.x, v.y };
}
__device__ __forceinline__ pair<double> once(const pair<double> *p)
{
    double2 v = __ldcs(reinterpret_cast<const double2 *>(p));
    return { v.x, v.y };
}

template <class R>
__device__ __forceinline__ bool is_finite(R a)
{
    return a - a == 0;
}
template <class R>
__device__ __forceinline__ bool is_finite(pair<R> a)
{
    return is_finite(a.re) && is_finite(a.im);
}

/* Shuffles of a whole warp. */
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

/* The sum over all lanes, in every lane, to the same bits. */
template <class T>
__device__ __forceinline__ T warp_sum(T a)
{
#pragma unroll
    for (int by = 16; by > 0; by /= 2)
        a = add(a, from_down(a, by, 32));
    return from_lane(a, 0);
}

/* y = alpha sum + beta y */
template <class T>
__device__ __forceinline__ void put(T alpha, T sum, T beta, T *y)
{
    sum = mul(alpha, sum);
    *y = is_zero(beta) ? sum : mad(beta, *y, sum);
}
#endif
