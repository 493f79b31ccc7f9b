/* scal.t.h -- base/vect: the members of a scalar; what other layers use of vectors of the four scalars. */
#include "vect.t.h"
#include <complex.h>
struct X(scal) {
    unsigned mark; /* see psb_handle.h */
    psb_desc *desc;
    struct psb_dual v;
};

/* PSB_EARG unless s, argument `name`, is a scalar of descriptor d.  Local. */
PSB_MUST_CHECK psb_err X(scal_check)(const struct X(scal) *s, const psb_desc *d, const char *name);
/* *f = the factor, on side s of device `on`.  Local. */
PSB_MUST_CHECK psb_err X(scal_factor)(T value, const struct X(scal) *by, enum psb_side s,
                                      const struct psb_device *on, struct X(vec_factor) *f);
/* The side that computes op(A) x: PSB_DEV if a, x and y are on one device and a's format offers op there.
 * Local. */
enum psb_side X(mat_side)(const struct X(mat) *a, char trans, const struct X(vect) *x,
                          const struct X(vect) *y);
/* Store in sum[0], sum[1] the real and the imaginary part of this process's contribution to psb_gedot, for
 * one column.  Local. */
PSB_MUST_CHECK psb_err X(gedot_parts)(const struct X(vect) *x, const struct X(vect) *y, double *sum);
/* g = X^H Y for vectors of k <= PSB_MOST_BLOCK columns, k x k elements by rows; one reduction.  x may be y.
 * Collective. */
PSB_MUST_CHECK psb_err X(vect_gram)(const struct X(vect) *x, const struct X(vect) *y, double complex *g);
/* Y = X C + beta Y, c by rows as g above; x is not y; y is not read if beta is 0.  Local. */
PSB_MUST_CHECK psb_err X(vect_block_axpy)(const struct X(vect) *x, const T *c, T beta, struct X(vect) *y);
/* Take part in the messages of psb_ovrl on d with error e, for a process that has no vector. */
void X(ovrl_refuse)(psb_desc *d, psb_err e);
