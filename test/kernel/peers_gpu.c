/* peers_gpu.c -- test/kernel: the peers of gpu_spmv, and the rows of a matrix on the GPU, which they
 * share. */
#include "psb_cuda.h"
#include <string.h>
#include "psb_type.h"
#include "gpu_spmv.h"
#include "peers_gpu.h"

struct device_rows X(device_rows);

psb_err X(cuda_error)(cudaError_t e, const char *what)
{
    if (e == cudaErrorMemoryAllocation)
        (void)cudaGetLastError();
    PSB_CHECK(e == cudaSuccess, e == cudaErrorMemoryAllocation ? PSB_ENOMEM : PSB_EDEVICE, "%s: %s", what,
              cudaGetErrorString(e));
    return PSB_OK;
}

psb_err X(copy_to_device)(void **p, const void *host, size_t bytes)
{
    PSB_TRY(X(cuda_error)(cudaMalloc(p, bytes ? bytes : 1), "device memory"));
    PSB_TRY(X(cuda_error)(cudaMemcpy(*p, host, bytes, cudaMemcpyHostToDevice), "copy to the device"));
    return X(cuda_error)(cudaDeviceSynchronize(), "copy to the device"); /* no other stream waits for it */
}

static psb_err set_rows(const struct problem *p)
{
    struct device_rows *r = &X(device_rows);
    PSB_TRY(psb_alloc_zero(&r->irp, (size_t)p->m + 1, sizeof *r->irp, "row pointers"));
    for (psb_epk k = 0; k < p->nnz; k++)
        r->irp[p->a->ia[k] + 1]++;
    for (psb_ipk i = 0; i < p->m; i++)
        r->irp[i + 1] += r->irp[i];
    PSB_TRY(X(copy_to_device)(&r->dev_irp, r->irp, ((size_t)p->m + 1) * sizeof *r->irp));
    PSB_TRY(X(copy_to_device)(&r->dev_ja, p->a->ja, (size_t)p->nnz * sizeof *p->a->ja));
    return X(copy_to_device)(&r->dev_val, p->a->val, (size_t)p->nnz * sizeof *p->a->val);
}

static void free_rows(void)
{
    cudaFree(X(device_rows).dev_irp);
    cudaFree(X(device_rows).dev_ja);
    cudaFree(X(device_rows).dev_val);
    psb_free(X(device_rows).irp);
    memset(&X(device_rows), 0, sizeof X(device_rows));
}

void X(gpu_enter_peers)(struct field *f, const struct problem *p)
{
    good(set_rows(p), "rows of the peers");
    X(enter_cusparse)(f, p);
#ifdef WITH_CUB
    X(enter_cub)(f, p);
#endif
}

void X(gpu_leave_peers)(void)
{
    X(leave_cusparse)();
    free_rows();
}
