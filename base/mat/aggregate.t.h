/* aggregate.t.h -- base/mat: smoothing matrices and aggregates of rows, on the host.  What multigrid and the
 * fake device use; the kernels in CUDA compute the same bits. */
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

/* of[i] = the aggregate of row i of s, a number below *n; -1 for a row without couplings.  Columns from s->n
 * on are no rows here: a row that is coupled to them alone is alone in its aggregate.  Aggregates are
 * numbered by their roots.  Source: aggregate.h. */
PSB_MUST_CHECK psb_err X(aggregate_rows)(const struct X(compressed) *s, psb_ipk *of, psb_ipk *n);

/* The last of its passes for row i: its aggregate of[i], or the one to which it is coupled most. */
psb_lpk X(aggregate_joined)(const struct X(compressed) *s, psb_ipk i, const psb_lpk *of);
