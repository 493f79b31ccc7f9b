/* onesided_cuda.c -- room: cuda/kernels.  One-sided exchanges of GPUs: memory by CUDA IPC, kernels by
 * onesided_kernels.cu. */
#include <cuda_runtime_api.h>
#include "gpu.h"
#include "host_id.h"
#include "onesided_launch.h"
#include <string.h>

_Static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(struct psb_shared_handle), "a handle of CUDA fits");

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
    psb_err e = psb_cudart_ok(cudaMemsetAsync(*p, 0, bytes, psb_cudart_stream()), "fill");
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

/* Long puts run beside the kernels that follow; a short one costs less than the events between two streams.
 */
static psb_err put(const struct psb_row_put *job)
{
    const size_t LONG = (size_t)128 << 10;
    void *side;
    if (job->n == 0)
        return PSB_OK;
    if ((size_t)job->rows * job->row < LONG)
        return psb_cudart_ok(psb_put_dev(job, psb_cudart_stream()), "put");
    PSB_TRY(psb_cudart_fork(job->counts, &side));
    return psb_cudart_ok(psb_put_dev(job, side), "put");
}

static psb_err arrive(const struct psb_arrival *job)
{
    if (job->n == 0)
        return PSB_OK;
    PSB_TRY(psb_cudart_join());
    return psb_cudart_ok(psb_arrive_dev(job, psb_cudart_stream()), "arrive");
}

const struct psb_onesided psb_onesided_cuda = {
    .name = "lsa",
    .identify = identify,
    .share = share_memory,
    .unshare = unshare_memory,
    .open = open_shared,
    .close = close_shared,
    .put = put,
    .arrive = arrive,
};
