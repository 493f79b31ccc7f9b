/* merge.h -- base/par: element types of collective calls, and how two arrays are reduced to one. */
#ifndef PSB_MERGE_H
#define PSB_MERGE_H
#include "psb_coll.h"

/* out[i] = lower[i] op upper[i], 0 <= i < n; out may be lower or upper. */
typedef void psb_merge(size_t n, void *out, const void *lower, const void *upper);

struct psb_kind_info {
    const char *name;
    size_t size;             /* bytes of an element */
    psb_merge *const *merge; /* by op; NULL entries: the op is not defined for this type */
};

/* Return the description of a kind, NULL for an invalid one.  Local. */
const struct psb_kind_info *psb_kind_info(int kind);

/* Return the function that applies op to arrays of a kind, NULL where it is not defined.  Local. */
psb_merge *psb_merge_of(int op, int kind);

/* Replace x[0..n), float or double, by its absolute values.  Local. */
void psb_moduli(int kind, size_t n, void *x);

/* Check kind, n >= 0 and x, and store the length of x[0..n) in *bytes.  PSB_EARG.  Local. */
PSB_MUST_CHECK psb_err psb_check_array(int kind, psb_epk n, const void *x, size_t *bytes);
#endif
