/* rounded.cuh -- cuda/kernels: arithmetic with every operation rounded, in the order of C without
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

/* --- division by a number that is known long before the quotient is needed ------------------------------ */

__device__ __forceinline__ float inverse(float a)
{
    return __frcp_rn(a);
}
__device__ __forceinline__ double inverse(double a)
{
    return __drcp_rn(a);
}

/* Do quotients of such numbers and their remainders neither overflow nor underflow? */
__device__ __forceinline__ bool is_moderate(float a)
{
    return fabsf(a) > 0x1p-60f && fabsf(a) < 0x1p60f;
}
__device__ __forceinline__ bool is_moderate(double a)
{
    return fabs(a) > 0x1p-500 && fabs(a) < 0x1p500;
}

/* of(a) has the bits of div(a, d): a quotient that is nearly right is corrected by its remainder, which is
 * exact, times the rounded inverse.  Source: Markstein, "Computation of elementary functions on the IBM RISC
 * System/6000 processor", IBM J. Res. Dev. 34 (1990). */
template <class R>
struct quotients {
    R d, inv;
    bool moderate;

    __device__ __forceinline__ quotients(R by) : d(by), inv(inverse(by)), moderate(is_moderate(by))
    {
    }
    __device__ __forceinline__ R of(R a) const
    {
        if (!moderate || !is_moderate(a))
            return div(a, d);
        const R q = mul(a, inv), better = mad(mad(-q, d, a), inv, q);
        return mad(mad(-better, d, a), inv, better);
    }
};
template <class R>
struct quotients<pair<R>> {
    pair<R> d;
    quotients<R> square;

    __device__ __forceinline__ quotients(pair<R> by)
        : d(by), square(add(mul(by.re, by.re), mul(by.im, by.im)))
    {
    }
    __device__ __forceinline__ pair<R> of(pair<R> a) const
    {
        return { square.of(add(mul(a.re, d.re), mul(a.im, d.im))),
                 square.of(sub(mul(a.im, d.re), mul(a.re, d.im))) };
    }
};
} // namespace rounded
#endif
