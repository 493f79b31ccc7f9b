/* cu.h -- room: test/kernel.  Calls of the CUDA runtime that must succeed. */
#ifndef CU_H
#define CU_H
#include <cuda_runtime_api.h>
#include "bench.h"

/* Print what and why, and end, unless e is cudaSuccess. */
static inline void cu(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        stop(what, cudaGetErrorString(e));
}
#endif
