/* waiting.cuh -- cuda/kernels: numbers that threads of a kernel wait for, and the order in which warps
 * take their work.
 *
 * All bits of a number are 1 until a thread stores its result, once; a thread that needs it reads it until it
 * has changed, so that no flag and no fence is needed.  Warps take chunks of work in ascending order, and a
 * chunk waits only for chunks before it and for itself: the first chunk that is not finished can always
 * proceed.
 * After Liu, Li, Hogg, Duff and Vinter, "A synchronization-free algorithm for parallel sparse triangular
 * solves", Euro-Par 2016. */
#ifndef PSB_WAITING_CUH
#define PSB_WAITING_CUH
#include "lanes.cuh"

enum { PSB_UNSET_BYTE = 0xff };

/* Is v a number that has not been stored?  The upper half of a double tells; a complex number is stored in
 * two parts. */
__device__ __forceinline__ bool is_unset(int v)
{
    return v == -1;
}
__device__ __forceinline__ bool is_unset(float v)
{
    return __float_as_uint(v) == ~0u;
}
__device__ __forceinline__ bool is_unset(double v)
{
    return __double2hiint(v) == -1;
}
template <class R>
__device__ __forceinline__ bool is_unset(pair<R> v)
{
    return is_unset(v.re) || is_unset(v.im);
}

/* A number that has not been stored. */
template <class T>
struct unset {
    static __device__ __forceinline__ T value()
    {
        T v;
        memset(&v, PSB_UNSET_BYTE, sizeof v);
        return v;
    }
};

/* v, or another NaN if v looks like a number that has not been stored. */
__device__ __forceinline__ float as_set(float v)
{
    return is_unset(v) ? __uint_as_float(~1u) : v;
}
__device__ __forceinline__ double as_set(double v)
{
    return is_unset(v) ? __hiloint2double(-2, 0) : v;
}
template <class R>
__device__ __forceinline__ pair<R> as_set(pair<R> v)
{
    return { as_set(v.re), as_set(v.im) };
}

/* Read a number that another thread may be storing. */
template <class R>
__device__ __forceinline__ R peek(const R *p)
{
    return *(const volatile R *)p;
}
template <class R>
__device__ __forceinline__ pair<R> peek(const pair<R> *p)
{
    return { peek(&p->re), peek(&p->im) };
}

/* Read v again from p if it has not been stored yet, in global memory, or, if SHARED, in global or shared
 * memory. The loads of several calls are under way at the same time, without branches. */
#define PSB_WORD "{ .reg .pred p; setp.eq.s32 p, %0, -1; @p ld.volatile"
#define PSB_DOUBLE \
    "{ .reg .pred p; .reg .b32 lo, hi; mov.b64 {lo, hi}, %0; setp.eq.s32 p, hi, -1; @p ld.volatile"
template <bool SHARED>
__device__ __forceinline__ void reload(float &v, const float *p)
{
    int w = __float_as_int(v);
    if (SHARED)
        asm volatile(PSB_WORD ".b32 %0, [%1]; }" : "+r"(w) : "l"(p) : "memory");
    else
        asm volatile(PSB_WORD ".global.b32 %0, [%1]; }" : "+r"(w) : "l"(p) : "memory");
    v = __int_as_float(w);
}
template <bool SHARED>
__device__ __forceinline__ void reload(double &v, const double *p)
{
    long long w = __double_as_longlong(v);
    if (SHARED)
        asm volatile(PSB_DOUBLE ".b64 %0, [%1]; }" : "+l"(w) : "l"(p) : "memory");
    else
        asm volatile(PSB_DOUBLE ".global.b64 %0, [%1]; }" : "+l"(w) : "l"(p) : "memory");
    v = __longlong_as_double(w);
}
#undef PSB_WORD
#undef PSB_DOUBLE
template <bool SHARED, class R>
__device__ __forceinline__ void reload(pair<R> &v, const pair<R> *p)
{
    reload<SHARED>(v.re, &p->re);
    reload<SHARED>(v.im, &p->im);
}

/* Store a number for which other threads wait. */
template <class R>
__device__ __forceinline__ void post(R *p, R v)
{
    *(volatile R *)p = v;
}
template <class R>
__device__ __forceinline__ void post(pair<R> *p, pair<R> v)
{
    post(&p->re, v.re);
    post(&p->im, v.im);
}

/* The next chunk for this warp; *taken, the number of chunks taken minus 1, starts as -1, all bits 1. */
__device__ __forceinline__ psb_epk next_chunk(unsigned long long *taken)
{
    unsigned long long chunk = 0;
    if (threadIdx.x % 32 == 0)
        chunk = atomicAdd(taken, 1ull) + 1;
    return (psb_epk)__shfl_sync(~0u, chunk, 0);
}

/* The number of blocks for n chunks of a warp each: as many as run at the same time with `warps` warps on
 * each multiprocessor, or fewer.  threads: of a block. */
static inline unsigned waiting_blocks(psb_epk n, int warps, int threads)
{
    int device = 0, count = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    const psb_epk each = threads / 32, need = (n + each - 1) / each, most = (psb_epk)count * warps / each;
    return (unsigned)(need < most ? need : most);
}
#endif
