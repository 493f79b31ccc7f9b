/* rounded.cuh -- room: cuda/kernels.  Arithmetic with every operation rounded, in the order of C without
 * contraction: results have the bits of the host's, also those of complex numbers compiled with
 * -fcx-limited-range. */
#ifndef PSB_ROUNDED_CUH
#define PSB_ROUNDED_CUH
#include "scalar.cuh"

namespace rounded
{
__device__ __forceinline__ float add(float a, float b)
{
    return __fadd_rn(a, b);
}
__device__ __forceinline__ double add(double a, double b)
{
    return __dadd_rn(a, b);
}
template <class R>
__device__ __forceinline__ pair<R> add(pair<R> a, pair<R> b)
{
    return { add(a.re, b.re), add(a.im, b.im) };
}

__device__ __forceinline__ float sub(float a, float b)
{
    return __fsub_rn(a, b);
}
__device__ __forceinline__ double sub(double a, double b)
{
    return __dsub_rn(a, b);
}
template <class R>
__device__ __forceinline__ pair<R> sub(pair<R> a, pair<R> b)
{
    return { sub(a.re, b.re), sub(a.im, b.im) };
}

__device__ __forceinline__ float mul(float a, float b)
{
    return __fmul_rn(a, b);
}
__device__ __forceinline__ double mul(double a, double b)
{
    return __dmul_rn(a, b);
}
template <class R>
__device__ __forceinline__ pair<R> mul(pair<R> a, pair<R> b)
{
    return { sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re)) };
}

__device__ __forceinline__ float div(float a, float b)
{
    return __fdiv_rn(a, b);
}
__device__ __forceinline__ double div(double a, double b)
{
    return __ddiv_rn(a, b);
}
template <class R>
__device__ __forceinline__ pair<R> div(pair<R> a, pair<R> b)
{
    const R d = add(mul(b.re, b.re), mul(b.im, b.im));
    return { div(add(mul(a.re, b.re), mul(a.im, b.im)), d), div(sub(mul(a.im, b.re), mul(a.re, b.im)), d) };
}
} // namespace rounded
#endif
