/* scalar.cuh -- cuda/kernels: the four scalars in CUDA: a complex number is a pair, multiplied without
 * the special cases of C and C++ for infinities. */
#ifndef PSB_SCALAR_CUH
#define PSB_SCALAR_CUH
#include <string.h>

template <class R>
struct alignas(2 * sizeof(R)) pair {
    R re, im;
};

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

/* a b + c */
__device__ __forceinline__ float mad(float a, float b, float c)
{
    return fmaf(a, b, c);
}
__device__ __forceinline__ double mad(double a, double b, double c)
{
    return fma(a, b, c);
}
/* Products and quotients of complex numbers name the operations that are fused: the compiler could contract
 * a b - c d in two ways, and differently in each kernel. */
template <class R>
__device__ __forceinline__ pair<R> mul(pair<R> a, pair<R> b)
{
    return { mad(a.re, b.re, -(a.im * b.im)), mad(a.re, b.im, a.im * b.re) };
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

__device__ __forceinline__ float negative(float a)
{
    return -a;
}
__device__ __forceinline__ double negative(double a)
{
    return -a;
}
template <class R>
__device__ __forceinline__ pair<R> negative(pair<R> a)
{
    return { -a.re, -a.im };
}

template <class R>
__device__ __forceinline__ R conjugate(R a)
{
    return a;
}
template <class R>
__device__ __forceinline__ pair<R> conjugate(pair<R> a)
{
    return { a.re, -a.im };
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

/* a x + b y; y must be 0 if b is 0; x is ignored if a is 0 */
template <class T>
__device__ __forceinline__ T combined(T a, T x, T b, T y)
{
    T s = mul(b, y);
    return is_zero(a) ? s : mad(a, x, s);
}

template <class T>
__host__ __device__ bool is_one(T a)
{
    return a == 1;
}
template <class R>
__host__ __device__ bool is_one(pair<R> a)
{
    return a.re == 1 && a.im == 0;
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

/* conj(a) b in double; conj(a) a has imaginary part exactly 0, because the products are rounded before the
 * difference */
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
    return { fma(ar, br, ai * bi), __dmul_rn(ar, bi) - __dmul_rn(ai, br) };
}

/* The scalar at p, stored by C with the alignment of C. */
template <class T>
T given(const void *p)
{
    T a;
    memcpy(&a, p, sizeof a);
    return a;
}

/* The real type of a scalar; the real part; the scalar with a given real part; |a| in double. */
template <class T>
struct real_sister {
    using type = T;
};
template <class R>
struct real_sister<pair<R>> {
    using type = R;
};
template <class T>
using real_of = typename real_sister<T>::type;

__host__ __device__ __forceinline__ float real(float a)
{
    return a;
}
__host__ __device__ __forceinline__ double real(double a)
{
    return a;
}
template <class R>
__host__ __device__ __forceinline__ R real(pair<R> a)
{
    return a.re;
}

template <class T>
__device__ __forceinline__ T from_real(real_of<T> a)
{
    return { a };
}

__device__ __forceinline__ double modulus(float a)
{
    return fabs((double)a);
}
__device__ __forceinline__ double modulus(double a)
{
    return fabs(a);
}
__device__ __forceinline__ double modulus(pair<float> a)
{
    double re = a.re, im = a.im; /* squares of single-precision numbers do not overflow in double */
    return sqrt(re * re + im * im);
}
__device__ __forceinline__ double modulus(pair<double> a)
{
    return hypot(a.re, a.im);
}

/* a / b.  Method: Smith, "Algorithm 116: complex division", CACM 5 (1962); single precision needs
 * no scaling, because it is computed in double. */
__device__ __forceinline__ float quotient(float a, float b)
{
    return a / b;
}
__device__ __forceinline__ double quotient(double a, double b)
{
    return a / b;
}
__device__ __forceinline__ pair<float> quotient(pair<float> a, pair<float> b)
{
    double ar = a.re, ai = a.im, br = b.re, bi = b.im, d = br * br + bi * bi;
    return { (float)((ar * br + ai * bi) / d), (float)((ai * br - ar * bi) / d) };
}
__device__ __forceinline__ pair<double> quotient(pair<double> a, pair<double> b)
{
    if (fabs(b.re) >= fabs(b.im)) {
        double r = b.im / b.re, d = fma(b.im, r, b.re);
        return { fma(a.im, r, a.re) / d, fma(-a.re, r, a.im) / d };
    }
    double r = b.re / b.im, d = fma(b.re, r, b.im);
    return { fma(a.re, r, a.im) / d, fma(a.im, r, -a.re) / d };
}

/* The scalar type in single precision, and the conversion back. */
template <class T>
struct narrow_of {
    using type = float;
};
template <class R>
struct narrow_of<pair<R>> {
    using type = pair<float>;
};
template <class T>
using narrow = typename narrow_of<T>::type;

template <class T>
struct as {
    static __device__ __forceinline__ T from(T v)
    {
        return v;
    }
};
template <class R>
struct as<pair<R>> {
    template <class Q>
    static __device__ __forceinline__ pair<R> from(pair<Q> v)
    {
        return { (R)v.re, (R)v.im };
    }
};
#endif
