/* prune.t.h -- base/mat: entries below a threshold are dropped: what local and distributed matrices share. */
#ifndef PSB_PRUNE_INSIDE_H
#define PSB_PRUNE_INSIDE_H
#include "psb_ctxt.h"

/* What is kept, and where the entries are.  ctxt: PSB_PRUNE_SHARE counts the entries of all its processes;
 * NULL: of this one.  row, col: global numbers of local rows and columns; NULL: these are their own. */
struct X(pruning) {
    enum psb_prune rule;
    R t;
    bool diagonal;
    psb_ctxt *ctxt;
    const psb_lpk *row, *col;
};

/* PSB_EARG for a rule that is none, or a threshold that it does not take.  Local. */
PSB_MUST_CHECK psb_err X(prune_check)(enum psb_prune rule, R t);

/* Set the flags of a for the entries that are left.  Local. */
void X(prune_flags)(enum psb_prune rule, struct X(mat) *a);

/* Drop entries of c, which is ordered by rows; err: an earlier error of this process, or PSB_OK.  Collective
 * over the context, if there is one. */
PSB_MUST_CHECK psb_err X(coo_prune)(const struct X(pruning) *p, psb_err err, struct X(coo_mat) *c);
#endif
