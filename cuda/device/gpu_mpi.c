/* gpu_mpi.c -- cuda/device: can MPI access the memory of GPUs? */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include "gpu.h"

/* Open MPI and MPICH say it when the program runs. */
static int mpi_knows_gpus(void)
{
#if defined OPEN_MPI && defined MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support();
#elif defined MPIX_GPU_SUPPORT_CUDA
    int yes = 0;
    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &yes) == MPI_SUCCESS && yes;
#else
    return 0;
#endif
}

const char *psb_cudart_mpi_obstacle(void)
{
    return mpi_knows_gpus() ? NULL : "this MPI does not say that it can access the memory of GPUs";
}
