/* aggregate.t.h -- base/mat: smoothing matrices and aggregates of rows, on the host.  What multigrid and the
 * fake device use; the kernels in CUDA compute the same bits. */
#ifndef AGGREGATE_T_H
#define AGGREGATE_T_H
#include "aggregate.h"

/* S = I - omega D^-1 F, of the rows a of a square matrix: rows i and j are coupled if |a_ij| > theta
 * sqrt(|d_i d_j|), with the diagonal d, which has an element for each column; F is A with the entries of
 * uncoupled rows added to its diagonal D, where this leaves a tenth of d_i at least, else D is d.  S has the
 * entries of coupled rows, and the diagonal where A has it. */
struct X(smoothing) {
    struct X(compressed) a, s; /* a may have columns from a.n on */
    const T *d;
    double theta;
    R omega;
};

/* Set s.ptr; after that s.idx; after that, or for new values of A in the same pattern, s.val. */
void X(smoothing_lengths)(const struct X(smoothing) *q);
void X(smoothing_pattern)(const struct X(smoothing) *q);
void X(smoothing_values)(const struct X(smoothing) *q);

/* Rows of several processes: columns from s->n on are rows of others.  name[j]: the number of column j among
 * all rows.  share: set v[s->n .. s->m) to what their owners have, and *open if it is set on any process.
 * before: *first = the sum of n over the processes before this one.  Both are collective. */
struct psb_row_owners {
    void *with;
    const psb_lpk *name;
    psb_err (*share)(void *with, psb_lpk *v, bool *open);
    psb_err (*before)(void *with, psb_ipk n, psb_lpk *first);
};

/* of[i] = the aggregate of row i of s, i < s->m, -1 for a row without couplings; of has 3 s->m elements, the
 * others are workspace.  *n = the number of roots here.  Aggregates are numbered by their roots, those of the
 * processes before first.  others NULL: columns from s->m = s->n on are no rows: a row that is coupled to
 * them alone is alone in its aggregate.  Else collective, and the entries of a row are in the order of names.
 * Source: aggregate.h. */
PSB_MUST_CHECK psb_err X(aggregate_rows)(const struct X(compressed) *s, const struct psb_row_owners *others,
                                         psb_lpk *of, psb_ipk *n);

/* The last of its passes for row i: its aggregate of[i], or the one to which it is coupled most. */
psb_lpk X(aggregate_joined)(const struct X(compressed) *s, psb_ipk i, const psb_lpk *of);
#endif
