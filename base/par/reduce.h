/* reduce.h -- room: base/par.  Results of all processes joined, in a fixed order. */
#ifndef PSB_REDUCE_H
#define PSB_REDUCE_H
#include "psb_ctxt.h"

enum psb_join { PSB_JOIN_SUM, PSB_JOIN_MAX, PSB_JOIN_MIN };

/* a and b joined; a NaN stays one.  Local. */
double psb_join(enum psb_join how, double a, double b);

/* v[0..n) of all processes joined, the same bits on each, and in every run on as many.  `mine` is what went
 * wrong here: where anything did, every process returns an error, as from psb_agree, and v is as it was.  A
 * process that failed need not know n.  ctxt NULL: nobody else takes part.  Collective.  Method: recursive
 * doubling (Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 2005), lower ranks on the left; MPI_Allreduce promises no order. */
PSB_MUST_CHECK psb_err psb_reduce(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine);
#endif
