/* await.cuh -- cuda/kernels: flags between GPUs: stored, and waited for. */
#ifndef PSB_AWAIT_CUH
#define PSB_AWAIT_CUH
#include "psb_onesided.h"

static __device__ __forceinline__ void store_release(unsigned *flag, unsigned value)
{
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

static __device__ __forceinline__ unsigned load_acquire(const unsigned *flag)
{
    unsigned value;
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

static __device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/* The time limit of an arrival, which begins when it is first asked whether it is over.  It is over at once
 * if an earlier wait of the channel ended by its limit. */
struct time_limit {
    double seconds;
    const volatile unsigned *late;
    unsigned long long end;

    __device__ time_limit(const psb_arrival &job) : seconds(job.seconds), late(&job.counts->late), end(0)
    {
    }
    __device__ bool is_over()
    {
        const unsigned long long now = nanoseconds();
        if (end == 0)
            end = now + (unsigned long long)(1e9 * seconds);
        return now > end || *late;
    }
};

/* Store in *job.status what a wait that failed has found.  A late neighbour takes precedence over one that
 * failed. */
static __device__ __forceinline__ void report(const psb_arrival &job, int found)
{
    if (!job.status)
        return;
    if (found < 0)
        *(volatile unsigned *)&job.counts->late = 1;
    if (found < 0 || *job.status >= 0)
        *job.status = found;
    __threadfence_system();
}

/* Wait until the flag is that of exchange e: 1; -1 if its sender failed, 0 after the time limit. */
static __device__ __forceinline__ int await_flag(const unsigned *flag, unsigned e, time_limit &limit)
{
    for (;;) {
        const unsigned now = load_acquire(flag);
        const unsigned ahead = ((now >> 1) - e) & (~0U >> 1);
        if (ahead == 0)
            return now & 1 ? -1 : 1;
        if (ahead < 1U << 30)
            return -1; /* its sender has not waited for this process */
        if (limit.is_over())
            return 0;
    }
}

/* Wait for the flags of exchange e of all neighbours, a thread each, and report those that failed or have not
 * come in time. */
static __device__ __forceinline__ void await_neighbours(const psb_arrival &job, unsigned e)
{
    time_limit limit(job);
    for (int k = threadIdx.x; k < job.n; k += blockDim.x) {
        const int came = await_flag(job.flag + (e & 1) * job.n + k, e, limit);
        if (came <= 0)
            report(job, came < 0 ? k + 1 : -(k + 1));
    }
}

/* Wait by one thread until exchange e has been put by this process. */
static __device__ __forceinline__ void await_own_put(const psb_arrival &job, unsigned e)
{
    time_limit limit(job);
    while (load_acquire(&job.counts->put) != e)
        if (limit.is_over()) {
            report(job, -(job.n + 1));
            return;
        }
}

/* Wait in every block of a kernel that reads rows where they land, once, by all threads: for the neighbours'
 * rows, and until this process has put its own, since later kernels may overwrite those.  The last block that
 * has waited counts the exchange; all blocks have read the count before. */
static __device__ __forceinline__ void await_in_kernel(const psb_arrival &job)
{
    const unsigned e = *(volatile unsigned *)&job.counts->received + 1;
    await_neighbours(job, e);
    if (threadIdx.x == 0)
        await_own_put(job, e);
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&job.counts->waiting, 1) == gridDim.x - 1) {
        job.counts->waiting = 0;
        job.counts->received = e;
    }
}
#endif
