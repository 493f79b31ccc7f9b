/* peers_gpu.h -- test/kernel: what the peers of gpu_spmv share.  For typed sources, after spmv.h. */
#ifndef PEERS_GPU_H
#define PEERS_GPU_H
#include <cuda_runtime_api.h>

/* A matrix in CSR.  irp: the row pointers on the host; the other arrays are on the device. */
struct device_rows {
    int *irp;
    void *dev_irp, *dev_ja, *dev_val;
};
extern struct device_rows X(device_rows);

/* The error that e means; `what` was done. */
PSB_MUST_CHECK psb_err X(cuda_error)(cudaError_t e, const char *what);
/* Set *p to a copy on the device; cudaFree frees it. */
PSB_MUST_CHECK psb_err X(copy_to_device)(void **p, const void *host, size_t bytes);

/* Enter CUB; device_rows is set. */
void X(enter_cub)(struct field *f, const struct problem *p);
#endif
