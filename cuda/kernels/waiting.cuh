/* waiting.cuh -- room: cuda/kernels.  Numbers that threads of a kernel wait for, and the order in which warps
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

/* Is p a number that has not been stored?  A complex number is stored in two parts. */
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
    return __double_as_longlong(v) == -1;
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

/* v, or another NaN if all bits of v are 1. */
__device__ __forceinline__ float as_set(float v)
{
    return is_unset(v) ? __uint_as_float(~1u) : v;
}
__device__ __forceinline__ double as_set(double v)
{
    return is_unset(v) ? __longlong_as_double(-2) : v;
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
#define PSB_RELOAD(ld, type, constraint) \
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.volatile" ld type " %0, [%1]; }" \
                 : constraint(w) \
                 : "l"(p), "r"(wanted) \
                 : "memory")
template <bool SHARED>
__device__ __forceinline__ void reload(float &v, const float *p)
{
    const unsigned wanted = is_unset(v);
    unsigned w = __float_as_uint(v);
    if (SHARED)
        PSB_RELOAD("", ".u32", "+r");
    else
        PSB_RELOAD(".global", ".u32", "+r");
    v = __uint_as_float(w);
}
template <bool SHARED>
__device__ __forceinline__ void reload(double &v, const double *p)
{
    const unsigned wanted = is_unset(v);
    long long w = __double_as_longlong(v);
    if (SHARED)
        PSB_RELOAD("", ".u64", "+l");
    else
        PSB_RELOAD(".global", ".u64", "+l");
    v = __longlong_as_double(w);
}
#undef PSB_RELOAD
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
