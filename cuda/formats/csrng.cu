/* csrng.cu -- cuda/formats: y = alpha A x + beta y, A in CSRN: a warp computes the products of the entries of
 * 32 rows, all lanes together, and each lane adds those of a row in storage order. */
#include <cuda_fp16.h>
#include "psb_cuda_format.h"
#include "tables.cuh"
#include "load.cuh"
#include "rounded.cuh"

enum { WARP = 32, THREADS = 128, EACH = 8 }; /* entries of a lane that are in flight */

/* Numbers of 16 bits that are not integers. */
namespace
{
struct half16 {
    uint16_t bits;
};
struct brain16 {
    uint16_t bits;
};
} // namespace

static __device__ __forceinline__ double number(const double *p)
{
    return __ldcs(p);
}
static __device__ __forceinline__ float number(const float *p)
{
    return __ldcs(p);
}
static __device__ __forceinline__ float number(const signed char *p)
{
    return (float)__ldcs(p);
}
static __device__ __forceinline__ float number(const half16 *p)
{
    return __half2float(__ushort_as_half(__ldcs(&p->bits)));
}
static __device__ __forceinline__ float number(const brain16 *p)
{
    return __uint_as_float((unsigned)__ldcs(&p->bits) << 16);
}

/* Value p times x; numbers of type S, PARTS of a value. */
template <int PARTS, class S, class R>
static __device__ __forceinline__ R times(const S *val, psb_epk p, R x)
{
    return rounded::mul((R)number(val + p), x);
}
template <int PARTS, class S, class R>
static __device__ __forceinline__ pair<R> times(const S *val, psb_epk p, pair<R> x)
{
    if constexpr (PARTS == 2)
        return rounded::mul(pair<R>{ (R)number(val + 2 * p), (R)number(val + 2 * p + 1) }, x);
    const R v = (R)number(val + p);
    return { rounded::mul(v, x.re), rounded::mul(v, x.im) };
}

template <class T>
static __device__ __forceinline__ void put_rounded(T alpha, T sum, T beta, T *y)
{
    sum = rounded::mul(alpha, sum);
    *y = is_zero(beta) ? sum : rounded::add(sum, rounded::mul(beta, *y));
}

template <int CHUNK>
static __device__ __forceinline__ int in_chunk(psb_epk k)
{
    return k < 0 ? 0 : k < CHUNK ? (int)k : CHUNK;
}

/* One column.  Products are stored with a place left free after every 32, so that lanes whose rows have a
 * power of two of entries use different banks. */
template <int PARTS, class S, class T, class A>
static __global__ void __launch_bounds__(THREADS)
    narrow_rows(const __grid_constant__ A a, T alpha, const T *__restrict__ x, T beta, T *__restrict__ y)
{
    constexpr int CHUNK = WARP * EACH;
    __shared__ uint4 shared[THREADS / WARP * (CHUNK + EACH) * sizeof(T) / 16];
    T *const all = reinterpret_cast<T *>(shared) + threadIdx.x / WARP * (CHUNK + EACH);
    const int lane = threadIdx.x % WARP;
    const psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; /* the row of this lane */
    const psb_epk from = a.ptr[i < a.n ? i : a.n], to = a.ptr[i < a.n ? i + 1 : a.n];
    const psb_epk begin = __shfl_sync(~0u, from, 0), end = __shfl_sync(~0u, to, WARP - 1);
    const S *val = (const S *)a.val;
    T sum = zero<T>();
    for (psb_epk base = begin; base < end; base += CHUNK) {
        psb_ipk j[EACH];
#pragma unroll
        for (int u = 0; u < EACH; u++)
            if (base + u * WARP + lane < end)
                j[u] = __ldcs(a.idx + (base + u * WARP + lane));
#pragma unroll
        for (int u = 0; u < EACH; u++)
            if (base + u * WARP + lane < end)
                all[u * (WARP + 1) + lane] = times<PARTS>(val, base + u * WARP + lane, kept(x + j[u]));
        __syncwarp();
        const int last = in_chunk<CHUNK>(to - base);
        for (int k = in_chunk<CHUNK>(from - base); k < last; k++)
            sum = rounded::add(sum, all[k + k / WARP]);
        __syncwarp();
    }
    if (i < a.n)
        put_rounded(alpha, sum, beta, y + i);
}

/* Several columns: a thread for each element of y. */
template <int PARTS, class S, class T, class A>
static __global__ void __launch_bounds__(THREADS)
    narrow_columns(const __grid_constant__ A a, psb_ipk k, T alpha, const T *__restrict__ x, T beta,
                   T *__restrict__ y)
{
    const psb_epk e = (psb_epk)blockIdx.x * THREADS + threadIdx.x, i = e / k;
    if (i >= a.n)
        return;
    T sum = zero<T>();
    x += e % k;
    for (psb_epk p = a.ptr[i]; p < a.ptr[i + 1]; p++)
        sum = rounded::add(sum, times<PARTS>((const S *)a.val, p, kept(x + (psb_epk)a.idx[p] * k)));
    put_rounded(alpha, sum, beta, y + e);
}

template <int PARTS, class S, class T, class A>
static void run(const A &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)(((psb_epk)a.n * k + THREADS - 1) / THREADS);
    if (blocks > 0 && k == 1)
        narrow_rows<PARTS, S><<<blocks, THREADS, 0, stream>>>(a, alpha, x, beta, y);
    else if (blocks > 0)
        narrow_columns<PARTS, S><<<blocks, THREADS, 0, stream>>>(a, k, alpha, x, beta, y);
}

template <int PARTS, class T, class A>
static void run_stored(const A &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    switch (a.stored) {
    case PSB_VALUES_INT8:
        return run<PARTS, signed char>(a, k, alpha, x, beta, y, stream);
    case PSB_VALUES_HALF:
        return run<PARTS, half16>(a, k, alpha, x, beta, y, stream);
    case PSB_VALUES_BFLOAT16:
        return run<PARTS, brain16>(a, k, alpha, x, beta, y, stream);
    case PSB_VALUES_SINGLE:
        return run<PARTS, float>(a, k, alpha, x, beta, y, stream);
    default:
        return run<PARTS, real_of<T>>(a, k, alpha, x, beta, y, stream);
    }
}

template <class T, class A>
static int product(const A &a, psb_ipk k, T alpha, const T *x, T beta, T *y, cudaStream_t stream)
{
    if constexpr (!std::is_arithmetic<T>::value)
        if (a.parts == 2) {
            run_stored<2>(a, k, alpha, x, beta, y, stream);
            return cudaGetLastError();
        }
    run_stored<1>(a, k, alpha, x, beta, y, stream);
    return cudaGetLastError();
}

template <class K, class T>
constexpr K csrn_kernels()
{
    return { csmm };
}
PSB_CUDA_TABLES(csrn_kernels)
