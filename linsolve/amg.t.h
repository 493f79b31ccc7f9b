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

/* Set of[i] to the aggregate of row i of a here, below 0 if it has none, and *n to their number; see
 * amg_prolongator.  Collective. */
PSB_MUST_CHECK psb_err X(amg_aggregates)(const struct X(spmat) *a, double theta, psb_ipk *of, psb_ipk *n);

/* Create *coarse, of n rows here, the same on all processes if `fine` is replicated.  Collective. */
PSB_MUST_CHECK psb_err X(amg_new_rows)(const psb_desc *fine, psb_ipk n, psb_desc **coarse);

/* The near-null vectors of a level, m >= 1, by rows; rows first[k] .. first[k + 1] here are the unknowns of
 * node k; m 0: a constant vector, and nodes of one row.  single: all nodes have one row. */
struct X(amg_modes) {
    int m;
    psb_ipk nodes;
    psb_ipk *first;
    T *v;
    bool single;
};

/* Set *q, which is empty, for the finest level of p.  Local. */
PSB_MUST_CHECK psb_err X(amg_modes_open)(const struct X(prec) *p, struct X(amg_modes) *q);
void X(amg_modes_free)(struct X(amg_modes) *q);

/* As amg_prolongator, with q's vectors in the range of the tentative prolongator; q becomes that of the next
 * level.  Collective. */
PSB_MUST_CHECK psb_err X(amg_modes_prolongator)(const struct X(spmat) *a, double theta, R omega,
                                                struct X(amg_modes) *q, struct X(spmat) **p);

/* Create *inv, in CSR, the inverse of a, which is square and small, on a new descriptor with a's rows; of a
 * singular matrix a generalised inverse G, of which A G A = A.  Each process computes it from the whole
 * matrix.  Collective. */
PSB_MUST_CHECK psb_err X(amg_inverse)(const struct X(spmat) *a, struct X(spmat) **inv);
#endif
