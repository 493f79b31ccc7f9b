/* psb_mpi.h -- base/core: MPI, in C++ without the C++ classes that MPI 3 removed. */
#ifndef PSB_MPI_H
#define PSB_MPI_H
#if defined(__cplusplus) && !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if defined(__cplusplus) && !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#endif
