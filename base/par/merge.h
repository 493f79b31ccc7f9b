/* merge.h -- room: base/par.  What can be sent, and how the arrays of two processes become one. */
#ifndef PSB_MERGE_H
#define PSB_MERGE_H
#include "psb_coll.h"

/* out[0..n) of lower[0..n) and upper[0..n); out may be one of them. */
typedef void psb_merge(size_t n, void *out, const void *lower, const void *upper);

struct psb_kind_info {
    const char *name;
    size_t size;
    psb_merge *const *merge; /* by op; NULL where it has no meaning */
};

/* NULL: there is no such kind. */
const struct psb_kind_info *psb_kind_info(int kind);

/* NULL: it has no meaning. */
psb_merge *psb_merge_of(int op, int kind);

/* Each of x[0..n) becomes its modulus; float and double. */
void psb_moduli(int kind, size_t n, void *x);
#endif
