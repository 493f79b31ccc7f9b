/* onesided_kernels.cu -- cuda/kernels: one-sided exchanges of GPUs: rows stored into the memory of other
 * GPUs, which CUDA IPC opens, and flags, which release them and are awaited. */
#include <string.h>
#include "await.cuh"
#include "gpu_tuning.h"
#include "host_id.h"
#include "tables.cuh"

constexpr int THREADS = 256;

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
    for (psb_epk i = (psb_epk)blockIdx.x * THREADS + threadIdx.x; i < n; i += PUT_BATCH * step) {
        const W *from[PUT_BATCH];
        W *to[PUT_BATCH], value[PUT_BATCH];
#pragma unroll
        for (int b = 0; b < PUT_BATCH; b++)
            to[b] = i + b * step < n ? place_of(job, words, turn, i + b * step, &from[b]) : nullptr;
#pragma unroll
        for (int b = 0; b < PUT_BATCH; b++)
            if (to[b])
                value[b] = *from[b];
#pragma unroll
        for (int b = 0; b < PUT_BATCH; b++)
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
    const int grid = need < 1 ? 1 : need < PUT_BLOCKS ? (int)need : PUT_BLOCKS;
    put_rows<W><<<grid, THREADS, 0, stream>>>(job, words);
    return cudaGetLastError();
}

/* Long puts run beside the kernels that follow; a short one costs less than the events between two streams.
 */
static psb_err put(const psb_row_put *job)
{
    const size_t common = job->row | (size_t)job->from;
    void *side = stream();
    if (job->n == 0)
        return PSB_OK;
    if ((size_t)job->rows * job->row >= PUT_BESIDE)
        PSB_TRY(psb_cudart_fork(job->counts, &side));
    const auto launch = common % sizeof(uint4) == 0   ? launch_put<uint4>
                        : common % sizeof(uint2) == 0 ? launch_put<uint2>
                                                      : launch_put<unsigned>;
    return psb_cudart_ok(launch(*job, (cudaStream_t)side), "put");
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

static psb_err arrive(const psb_arrival *job)
{
    if (job->n == 0)
        return PSB_OK;
    PSB_TRY(psb_cudart_join());
    const int threads = job->n < 32 ? 32 : 128;
    await_flags<<<1, threads, 0, stream()>>>(*job);
    return psb_cudart_ok(cudaGetLastError(), "arrive");
}

/* --- shared memory -------------------------------------------------------------------------------------- */

static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(psb_shared_handle), "a handle of CUDA fits");

static psb_err identify(char id[32], unsigned long long *host)
{
    int device;
    memset(id, 0, 32);
    PSB_TRY(psb_cudart_ok(cudaGetDevice(&device), "device in use"));
    *host = psb_host_id();
    return psb_cudart_ok(cudaDeviceGetPCIBusId(id, 32, device), "bus of the device");
}

/* CUDA shares whole pieces of this size. */
static size_t pieces(size_t bytes)
{
    const size_t piece = (size_t)2 << 20;
    return (bytes + piece - 1) / piece * piece;
}

static psb_err share_memory(void **p, size_t bytes, struct psb_shared_handle *h)
{
    cudaIpcMemHandle_t handle;
    PSB_TRY(psb_cudart_alloc(p, pieces(bytes), "halo channel"));
    psb_err e = psb_cudart_ok(cudaMemsetAsync(*p, 0, bytes, stream()), "fill");
    if (e == PSB_OK)
        e = psb_cudart_sync();
    if (e == PSB_OK)
        e = psb_cudart_ok(cudaIpcGetMemHandle(&handle, *p), "shared memory");
    if (e != PSB_OK) {
        psb_cudart_free(*p);
        return e;
    }
    memcpy(h->bytes, &handle, sizeof handle);
    return PSB_OK;
}

static void unshare_memory(void *p, size_t bytes)
{
    (void)bytes;
    psb_cudart_free(p);
}

static psb_err open_shared(const struct psb_shared_handle *h, size_t bytes, void **p)
{
    cudaIpcMemHandle_t handle;
    (void)bytes;
    memcpy(&handle, h->bytes, sizeof handle);
    return psb_cudart_ok(cudaIpcOpenMemHandle(p, handle, cudaIpcMemLazyEnablePeerAccess),
                         "memory of another process");
}

static void close_shared(void *p, size_t bytes)
{
    (void)bytes;
    cudaIpcCloseMemHandle(p);
}

const struct psb_onesided psb_onesided_cuda = {
    "lsa", identify, share_memory, unshare_memory, open_shared, close_shared, put, arrive,
};
