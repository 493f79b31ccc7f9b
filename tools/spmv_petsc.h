/* spmv_petsc.h -- tools: products by PETSc, for psb-spmv --compare petsc. */
#ifndef PSB_SPMV_PETSC_H
#define PSB_SPMV_PETSC_H
#include "psb_base.h"

#define PETSC_AIJ  "PETSc"
#define PETSC_SELL "PETSc-SELL"
struct petsc;

/* The entries of the rows here, each once, in PETSc's numbers, of which each process owns a range. */
struct petsc_entries {
    psb_ipk rows, cols; /* owned here */
    psb_epk nz;
    const psb_lpk *ia, *ja;
    const void *val; /* of PETSc's scalar type */
};

/* Return the letter of PETSc's scalar type; 0: this program was built without PETSc.  Local. */
char petsc_scalar(void);

/* Create *p, on the processes of MPI_COMM_WORLD; sell: converted to SELL.  PETSc is started.  Collective.
 * PSB_ENOTIMPL if PETSc's indices are too short. */
PSB_MUST_CHECK psb_err petsc_new(psb_ctxt *ctxt, const struct petsc_entries *t, bool sell, struct petsc **p);

/* y = alpha op(A) x + beta y, n times; scalars by address, elements owned here.  Collective. */
PSB_MUST_CHECK psb_err petsc_multiply(struct petsc *p, int n, const void *alpha, char trans, const void *x,
                                      const void *beta, void *y);

/* The bytes of what PETSc stores of the matrix on all processes.  Collective. */
PSB_MUST_CHECK psb_err petsc_bytes(struct petsc *p, double *bytes);
void petsc_free(struct petsc *p);

/* Stop PETSc, if it has been started.  Collective. */
void petsc_end(void);
#endif
