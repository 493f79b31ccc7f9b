/* geops.t.h -- room: base/vect.  What vectors compute.
 *
 * Vectors of one call have one descriptor (or none, and as many rows) and as many columns, and are assembled.
 * Only owned rows are read and written.  The same vector may stand for several arguments where nothing else
 * is said.  A call runs on the device that all its vectors share, if it knows the operation, else on the
 * host. Numbers go as IEEE says: a NaN stays one, and only the factor 0 of a vector keeps it from being read.
 */

/* --- element by element.  Local. ---------------------------------------------------------------------- */

/* y = alpha x + beta y */
PSB_MUST_CHECK psb_err X(geaxpby)(T alpha, struct X(vect) *x, T beta, struct X(vect) *y);
/* z = alpha x + beta y */
PSB_MUST_CHECK psb_err X(geaxpbyz)(T alpha, struct X(vect) *x, T beta, struct X(vect) *y, struct X(vect) *z);
/* y = alpha x + beta y, then z = gamma y + delta z, in one pass; x, y and z are different vectors. */
PSB_MUST_CHECK psb_err X(upd_xyz)(T alpha, T beta, T gamma, T delta, struct X(vect) *x, struct X(vect) *y,
                                  struct X(vect) *z);
/* x = alpha x; 0 does not read x. */
PSB_MUST_CHECK psb_err X(gescal)(T alpha, struct X(vect) *x);
/* y = x y; z = alpha x y + beta z */
PSB_MUST_CHECK psb_err X(gemlt)(struct X(vect) *x, struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gemlt2)(T alpha, struct X(vect) *x, struct X(vect) *y, T beta, struct X(vect) *z);
/* x = x / y; z = x / y.  The checked variants (`_check`) divide nothing where an element of y is 0, an error
 * that names its global row. */
PSB_MUST_CHECK psb_err X(gediv)(struct X(vect) *x, struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gediv_check)(struct X(vect) *x, struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gediv2)(struct X(vect) *x, struct X(vect) *y, struct X(vect) *z);
PSB_MUST_CHECK psb_err X(gediv2_check)(struct X(vect) *x, struct X(vect) *y, struct X(vect) *z);
/* y = 1 / x; checked as above. */
PSB_MUST_CHECK psb_err X(geinv)(struct X(vect) *x, struct X(vect) *y);
PSB_MUST_CHECK psb_err X(geinv_check)(struct X(vect) *x, struct X(vect) *y);
/* y = |x|, the modulus of complex numbers. */
PSB_MUST_CHECK psb_err X(geabs)(struct X(vect) *x, struct X(vect) *y);
/* z = 1 where |x| >= c, else 0. */
PSB_MUST_CHECK psb_err X(gecmp)(struct X(vect) *x, R c, struct X(vect) *z);
/* z = x + b */
PSB_MUST_CHECK psb_err X(geaddconst)(struct X(vect) *x, T b, struct X(vect) *z);

/* --- reductions: over all processes, the same bits on each, in every run on as many processes, whatever the
 * number of threads.  A row that several processes own counts once, at the lowest.  Results are one a column:
 * res has as many elements as x has columns, and is as it was on error.  Collective: where one process fails
 * all do.  The variants `_local` join nothing: they answer for the rows owned here.  Local.
 * ------------------------------------------------------------------------------
 */

/* The sum of conj(x) y. */
PSB_MUST_CHECK psb_err X(gedot)(struct X(vect) *x, struct X(vect) *y, T *res);
PSB_MUST_CHECK psb_err X(gedot_local)(struct X(vect) *x, struct X(vect) *y, T *res);
/* m >= 0 dot products in one reduction: of x[i] and y[i], all alike, into the i-th columns elements of res.
 */
PSB_MUST_CHECK psb_err X(gedots)(int m, struct X(vect) *const *x, struct X(vect) *const *y, T *res);
PSB_MUST_CHECK psb_err X(gedots_local)(int m, struct X(vect) *const *x, struct X(vect) *const *y, T *res);
/* The 2-norm: of x; of w x, element by element; of that over the rows where id is not 0.  Safe from overflow
 * and underflow of the squares. */
PSB_MUST_CHECK psb_err X(genrm2)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrm2_local)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weight)(struct X(vect) *x, struct X(vect) *w, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weight_local)(struct X(vect) *x, struct X(vect) *w, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weightmask)(struct X(vect) *x, struct X(vect) *w, struct X(vect) *id, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weightmask_local)(struct X(vect) *x, struct X(vect) *w, struct X(vect) *id,
                                                  R *res);
/* The largest |x|, 0 for no rows; two names.  The sum of |x|. */
PSB_MUST_CHECK psb_err X(geamax)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(geamax_local)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrmi)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrmi_local)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(geasum)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(geasum_local)(struct X(vect) *x, R *res);

/* These compare numbers: of complex vectors they are PSB_ENOTIMPL, on every process.
 * The least x, infinity for no rows. */
PSB_MUST_CHECK psb_err X(gemin)(struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(gemin_local)(struct X(vect) *x, R *res);
/* The least x / y over the elements where y is not 0, the largest number where there are none or the least is
 * larger; as N_VMinQuotient of SUNDIALS. */
PSB_MUST_CHECK psb_err X(minquotient)(struct X(vect) *x, struct X(vect) *y, R *res);
PSB_MUST_CHECK psb_err X(minquotient_local)(struct X(vect) *x, struct X(vect) *y, R *res);
/* m = 1 where x breaks its constraint, else 0, and *ok = no element does; c says which: 2 x > 0, 1 x >= 0,
 * 0 any x, -1 x <= 0, -2 x < 0 (other values count as 2 from 1.5 on, else as 1, by sign; NaN breaks every one
 * but 0); as N_VConstrMask of SUNDIALS.  One *ok for all columns. */
PSB_MUST_CHECK psb_err X(mask)(struct X(vect) *c, struct X(vect) *x, struct X(vect) *m, int *ok);
PSB_MUST_CHECK psb_err X(mask_local)(struct X(vect) *c, struct X(vect) *x, struct X(vect) *m, int *ok);
