/* onesided_kernels.cu -- room: cuda/kernels.  One-sided exchanges: rows stored into the memory of other GPUs,
 * and flags, which release them and are awaited. */
#include "await.cuh"
#include "onesided_launch.h"

/* BATCH: words that a thread loads before it stores them; BLOCKS: enough to fill NVLink, and few enough to
 * leave a product most of the GPU. */
constexpr int THREADS = 256, BATCH = 4, BLOCKS = 128;

/* --- put ---------------------------------------------------------------------------------------------- */

/* The last neighbour k with peer[k].first <= row. */
static __device__ int neighbour_of(const psb_row_put &job, psb_ipk row)
{
    int low = 0, high = job.n;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (job.peer[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the i-th word that a put stores goes; *from: where it is loaded.  A row has `words` words. */
template <class W>
static __device__ W *place_of(const psb_row_put &job, int words, int turn, psb_epk i, const W **from)
{
    const psb_epk n = (psb_epk)job.rows * words, next = i + (psb_epk)job.begin * words;
    const psb_epk at = next < n ? next : next - n; /* among the packed words */
    const psb_ipk row = (psb_ipk)(words == 1 ? at : at / words);
    const psb_epk word = at - (psb_epk)row * words;
    const psb_peer &to = job.peer[neighbour_of(job, row)];
    *from = (const W *)job.from + (psb_epk)(job.idx ? job.idx[row] : row) * words + word;
    return (W *)to.landing[turn] + (psb_epk)(to.place + row - to.first) * words + word;
}

template <class W>
static __device__ void store_rows(const psb_row_put &job, int words, int turn)
{
    const psb_epk n = (psb_epk)job.rows * words, step = (psb_epk)gridDim.x * THREADS;
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < n; i += BATCH * step) {
        const W *from[BATCH];
        W *to[BATCH], value[BATCH];
#pragma unroll
        for (int b = 0; b < BATCH; b++)
            to[b] = i + b * step < n ? place_of(job, words, turn, i + b * step, &from[b]) : nullptr;
#pragma unroll
        for (int b = 0; b < BATCH; b++)
            if (to[b])
                value[b] = *from[b];
#pragma unroll
        for (int b = 0; b < BATCH; b++)
            if (to[b])
                *to[b] = value[b];
    }
}

/* Is this the last block of the grid to get here?  What the others stored before is then visible. */
static __device__ bool is_last(unsigned *blocks)
{
    __shared__ bool last;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(blocks, 1) == gridDim.x - 1;
    __syncthreads();
    return last;
}

template <class W>
static __global__ void put_rows(const psb_row_put job, int words)
{
    const unsigned e = *(volatile unsigned *)&job.counts->put + 1;
    const int turn = e & 1;
    if (job.rows > 0)
        store_rows<W>(job, words, turn);
    if (!is_last(&job.counts->blocks))
        return;
    if (threadIdx.x == 0) {
        job.counts->blocks = 0;
        store_release(&job.counts->put, e); /* await_in_kernel reads it */
    }
    __threadfence_system();
    for (int k = threadIdx.x; k < job.n; k += THREADS)
        store_release(job.peer[k].flag[turn], PSB_FLAG(e, job.failed));
}

template <class W>
static int launch_put(const psb_row_put &job, cudaStream_t stream)
{
    const int words = (int)(job.row / sizeof(W));
    const psb_epk n = (psb_epk)job.rows * words, need = (n + THREADS - 1) / THREADS;
    const int grid = need < 1 ? 1 : need < BLOCKS ? (int)need : BLOCKS;
    put_rows<W><<<grid, THREADS, 0, stream>>>(job, words);
    return cudaGetLastError();
}

extern "C" int psb_put_dev(const psb_row_put *job, void *stream)
{
    const size_t common = job->row | (size_t)job->from;
    if (common % sizeof(uint4) == 0)
        return launch_put<uint4>(*job, (cudaStream_t)stream);
    if (common % sizeof(uint2) == 0)
        return launch_put<uint2>(*job, (cudaStream_t)stream);
    return launch_put<unsigned>(*job, (cudaStream_t)stream);
}

/* --- arrive ------------------------------------------------------------------------------------------- */

static __global__ void await_flags(const psb_arrival job)
{
    const unsigned e = job.counts->received + 1;
    __syncthreads(); /* all threads have read the count */
    await_neighbours(job, e);
    if (threadIdx.x == 0)
        job.counts->received = e;
}

extern "C" int psb_arrive_dev(const psb_arrival *job, void *stream)
{
    const int threads = job->n < 32 ? 32 : 128;
    await_flags<<<1, threads, 0, (cudaStream_t)stream>>>(*job);
    return cudaGetLastError();
}
