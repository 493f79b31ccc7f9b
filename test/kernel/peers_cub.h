/* peers_cub.h -- test/kernel: the product of CUB, compiled by nvcc. */
#ifndef PEERS_CUB_H
#define PEERS_CUB_H
#include <cuda_runtime_api.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Arrays on the device: an m by n matrix of nnz entries in CSR, n elements of x, m of y. */
struct cub_product {
    int m, n, nnz;
    const int *irp, *ja;
    const void *val, *x;
    void *y;
};

/* Submit y = A x for the scalar 's', 'd', 'c' or 'z' to the stream; buffer has *bytes.  buffer NULL: set
 * *bytes to those it needs. */
cudaError_t cub_spmv(const struct cub_product *p, char scalar, void *buffer, size_t *bytes,
                     cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
