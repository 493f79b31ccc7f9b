/* scalar.cuh -- room: cuda.  The four scalars as CUDA sees them: a complex number is a pair, multiplied
 * without the detours that C and C++ take for infinities. */
#ifndef PSB_SCALAR_CUH
#define PSB_SCALAR_CUH

template <class R>
struct alignas(2 * sizeof(R)) pair {
    R re, im;
};

using psb_dev_s = float;
using psb_dev_d = double;
using psb_dev_c = pair<float>;
using psb_dev_z = pair<double>;
#define D PSB_CAT(psb_dev_, PSB_NOW)

template <class T>
__device__ __forceinline__ T zero()
{
    return T();
}

__device__ __forceinline__ float mul(float a, float b)
{
    return a * b;
}
__device__ __forceinline__ double mul(double a, double b)
{
    return a * b;
}
template <class R>
__device__ __forceinline__ pair<R> mul(pair<R> a, pair<R> b)
{
    return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

/* a b + c */
__device__ __forceinline__ float mad(float a, float b, float c)
{
    return fmaf(a, b, c);
}
__device__ __forceinline__ double mad(double a, double b, double c)
{
    return fma(a, b, c);
}
template <class R>
__device__ __forceinline__ pair<R> mad(pair<R> a, pair<R> b, pair<R> c)
{
    return { mad(a.re, b.re, mad(-a.im, b.im, c.re)), mad(a.re, b.im, mad(a.im, b.re, c.im)) };
}

__device__ __forceinline__ float add(float a, float b)
{
    return a + b;
}
__device__ __forceinline__ double add(double a, double b)
{
    return a + b;
}
template <class R>
__device__ __forceinline__ pair<R> add(pair<R> a, pair<R> b)
{
    return { a.re + b.re, a.im + b.im };
}

__host__ __device__ __forceinline__ bool is_zero(float a)
{
    return a == 0;
}
__host__ __device__ __forceinline__ bool is_zero(double a)
{
    return a == 0;
}
template <class R>
__host__ __device__ __forceinline__ bool is_zero(pair<R> a)
{
    return a.re == 0 && a.im == 0;
}

/* conj(a) b in double */
__device__ __forceinline__ pair<double> dotted(float a, float b)
{
    return { (double)a * (double)b, 0 };
}
__device__ __forceinline__ pair<double> dotted(double a, double b)
{
    return { a * b, 0 };
}
template <class R>
__device__ __forceinline__ pair<double> dotted(pair<R> a, pair<R> b)
{
    double ar = a.re, ai = a.im, br = b.re, bi = b.im;
    return { ar * br + ai * bi, ar * bi - ai * br };
}
#endif
