/* cu.h -- test/kernel: calls of CUDA's runtime that must succeed. */
#ifndef CU_H
#define CU_H
#include <cuda_runtime_api.h>
#include "bench.h"

/* If e is not cudaSuccess, print `what` and the error, and exit. */
static inline void cu(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        stop(what, cudaGetErrorString(e));
}
#endif
