/* amg.t.h -- linsolve: the parts of algebraic multigrid. */
#ifndef AMG_T_H
#define AMG_T_H
#include "operator_inside.t.h"
#include "prec_inside.t.h"

/* Create *p, in CSR, the prolongator by smoothed aggregation of the square matrix a, whose diagonal has no
 * 0: theta >= 0 says which rows are coupled; omega: of the smoothing step, 4/3 divided by the largest
 * eigenvalue of D^-1 A.  Its columns are the rows of the next level, perhaps 0.  Collective. */
PSB_MUST_CHECK psb_err X(amg_prolongator)(const struct X(spmat) *a, double theta, R omega,
                                          struct X(spmat) **p);

/* Create *inv, in CSR, the inverse of a, which is square and small, on a new descriptor with a's rows; of a
 * singular matrix a generalised inverse G, of which A G A = A.  Each process computes it from the whole
 * matrix.  Collective. */
PSB_MUST_CHECK psb_err X(amg_inverse)(const struct X(spmat) *a, struct X(spmat) **inv);
#endif
