/* reduce.h -- room: base/par.  Reductions over all processes in a fixed order. */
#ifndef PSB_REDUCE_H
#define PSB_REDUCE_H
#include "join.h"
#include "psb_ctxt.h"

/* Reduce v[0..n) over all processes: every process gets the same bits, and gets them again in every run on as
 * many processes.  `mine` is the error of this process: if any process has failed, all return an error, as
 * from psb_agree, and v is unchanged; a process that has failed need not know n.  With ctxt NULL this process
 * is the only one.  Collective.  Method: recursive doubling (Thakur, Rabenseifner and Gropp, "Optimization of
 * collective communication operations in MPICH", IJHPCA 2005), lower ranks on the left; MPI_Allreduce does
 * not guarantee an order. */
PSB_MUST_CHECK psb_err psb_reduce(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine);
/* The same for computations on vectors, in which processes do not wait for long: see psb_reduce_or_fail. */
PSB_MUST_CHECK psb_err psb_reduce_in_time(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine);
#endif
