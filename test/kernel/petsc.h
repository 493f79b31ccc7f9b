/* petsc.h -- test/kernel: PETSc, whose calls must succeed. */
#ifndef PETSC_H
#define PETSC_H
#include <petscksp.h>
#include "bench.h"
#include "psb_alloc.h"

static inline void petsc(PetscErrorCode e)
{
    if (e != 0)
        stop("PETSc", "a call failed");
}

static inline Mat petsc_matrix(psb_ipk rows, psb_ipk cols, psb_lpk m, psb_lpk n)
{
    Mat a;
    petsc(MatCreate(PETSC_COMM_WORLD, &a));
    petsc(MatSetSizes(a, rows, cols, (PetscInt)m, (PetscInt)n));
    petsc(MatSetType(a, MATAIJ));
    return a;
}
#endif
