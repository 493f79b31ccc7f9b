/* psb_geops.t.h -- base/vect: computations on vectors.
 *
 * The vectors of a call are assembled, have the same number of columns, and have the same descriptor (or
 * none, and the same number of rows).  Only owned rows are read and written.  One vector may be passed for
 * several arguments unless stated otherwise.  A call runs on the device that holds all its vectors, if that
 * device offers the operation, else on the host.  Arithmetic is IEEE: NaN propagates, and a vector is not
 * read only if its factor is 0. */

/* --- products ------------------------------------------------------------------------------------------ */

/* y = alpha op(A) x + beta y for all columns, as many in x and y, with a local matrix, op by trans as for
 * psb_?_mat_csmv.  x and y are different vectors of at least the rows that op(A) asks for; they need not be
 * assembled.  Computed on the device if a, x and y are on one device and a's format offers that op there,
 * else on the host.  alpha == 0 reads neither A nor x, beta == 0 does not read y.  On error y is as it was,
 * or undefined.  Local. */
PSB_MUST_CHECK psb_err X(mat_vect_mv)(T alpha, const struct X(mat) *a, const struct X(vect) *x, T beta,
                                      struct X(vect) *y, char trans);

/* y = alpha op(T)^-1 x + beta y (scale 'U'), alpha D op(T)^-1 x + beta y ('L') or alpha op(T)^-1 D x + beta y
 * ('R') for all columns, with a local triangle T, as its flags say, op by trans, and D = diag(d), where d has
 * one column and is not used for 'U'.  x, y and d have at least the rows of T, of which the first are used;
 * they need not be assembled; x may be y.  alpha == 0 reads neither T nor x, beta == 0 does not read y.  A
 * zero or missing diagonal entry, and an entry outside the triangle, is an error that names its row; then y
 * is as it was, or undefined if beta == 0.  Computed on the device if T, x, y and d are there and T's format
 * solves there, else on the host.  Local. */
PSB_MUST_CHECK psb_err X(mat_vect_sv)(T alpha, const struct X(mat) *t, const struct X(vect) *x, T beta,
                                      struct X(vect) *y, char trans, char scale, const struct X(vect) *d);

/* --- rows with several owners --------------------------------------------------------------------------- */

/* Combine by op the values of each row with several owners and store the result on all of them; sums are in
 * the order of ranks, with the same bits on each owner.  The halo does not change.  op is the same on all
 * processes.  Collective over the owners; over all processes for a replicated descriptor. */
PSB_MUST_CHECK psb_err X(ovrl)(struct X(vect) *x, enum psb_ovrl op);

/* --- elementwise operations.  Local. ------------------------------------------------------------------ */

/* y = alpha x + beta y.  Local. */
PSB_MUST_CHECK psb_err X(geaxpby)(T alpha, const struct X(vect) *x, T beta, struct X(vect) *y);
/* y = y + alpha[0] x[0] + ... + alpha[m-1] x[m-1], added in this order; m >= 0, no x[i] is y.  The x[i] are
 * only read; they are not declared const because C converts no array of pointers to that.  Local. */
PSB_MUST_CHECK psb_err X(gemaxpy)(int m, const T *alpha, struct X(vect) *const *x, struct X(vect) *y);
/* z = alpha x + beta y.  Local. */
PSB_MUST_CHECK psb_err X(geaxpbyz)(T alpha, const struct X(vect) *x, T beta, const struct X(vect) *y,
                                   struct X(vect) *z);
/* y = alpha x + beta y, then z = gamma y + delta z, in one pass; x, y and z are different vectors.  Local. */
PSB_MUST_CHECK psb_err X(upd_xyz)(T alpha, T beta, T gamma, T delta, const struct X(vect) *x,
                                  struct X(vect) *y, struct X(vect) *z);
/* y = a x + b y, then z = c y + d z, then w = e z + f w; the four are different vectors.  Local. */
PSB_MUST_CHECK psb_err X(xyzw)(T a, T b, T c, T d, T e, T f, const struct X(vect) *x, struct X(vect) *y,
                               struct X(vect) *z, struct X(vect) *w);
/* x = alpha x; alpha == 0 does not read x.  Local. */
PSB_MUST_CHECK psb_err X(gescal)(T alpha, struct X(vect) *x);
/* Column by column, with alpha[0..k) and beta[0..k) for the k columns of x: y_j = alpha[j] x_j + beta[j] y_j;
 * x_j = alpha[j] x_j.  PSB_EARG if alpha or beta is NULL.  Local. */
PSB_MUST_CHECK psb_err X(geaxpby_cols)(const T *alpha, const struct X(vect) *x, const T *beta,
                                       struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gescal_cols)(const T *alpha, struct X(vect) *x);
/* y = x y; z = alpha x y + beta z.  Local. */
PSB_MUST_CHECK psb_err X(gemlt)(const struct X(vect) *x, struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gemlt2)(T alpha, const struct X(vect) *x, const struct X(vect) *y, T beta,
                                 struct X(vect) *z);
/* x = x / y; z = x / y.  The variants `_check` change nothing if an element of y is 0: PSB_EARG, naming its
 * global row.  Local. */
PSB_MUST_CHECK psb_err X(gediv)(struct X(vect) *x, const struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gediv_check)(struct X(vect) *x, const struct X(vect) *y);
PSB_MUST_CHECK psb_err X(gediv2)(const struct X(vect) *x, const struct X(vect) *y, struct X(vect) *z);
PSB_MUST_CHECK psb_err X(gediv2_check)(const struct X(vect) *x, const struct X(vect) *y, struct X(vect) *z);
/* y = 1 / x; `_check` as above, for elements of x.  Local. */
PSB_MUST_CHECK psb_err X(geinv)(const struct X(vect) *x, struct X(vect) *y);
PSB_MUST_CHECK psb_err X(geinv_check)(const struct X(vect) *x, struct X(vect) *y);
/* y = |x|, the modulus of complex numbers.  Local. */
PSB_MUST_CHECK psb_err X(geabs)(const struct X(vect) *x, struct X(vect) *y);
/* z = 1 for elements with |x| >= c, else 0.  Local. */
PSB_MUST_CHECK psb_err X(gecmp)(const struct X(vect) *x, R c, struct X(vect) *z);
/* z = x + b.  Local. */
PSB_MUST_CHECK psb_err X(geaddconst)(const struct X(vect) *x, T b, struct X(vect) *z);

/* --- reductions over all processes ----------------------------------------------------------------------
 *
 * The result has the same bits on each process, and in every run on the same number of processes, whatever
 * the number of threads.  A row with several owners is counted once, by the lowest.  res has an element for
 * each column of x, and is unchanged after an error.  Collective: if one process fails, all fail.  The
 * variants `_local` reduce over the rows owned here.  Local. */

/* The sum of conj(x) y.  Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(gedot)(const struct X(vect) *x, const struct X(vect) *y, T *res);
PSB_MUST_CHECK psb_err X(gedot_local)(const struct X(vect) *x, const struct X(vect) *y, T *res);
/* m >= 0 dot products in one reduction, those of x[i] and y[i], all with the same number k of columns;
 * product i is stored in res[i k] .. res[i k + k - 1].  The vectors are only read; they are not declared
 * const because C converts no array of pointers to that.  Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(gedots)(int m, struct X(vect) *const *x, struct X(vect) *const *y, T *res);
PSB_MUST_CHECK psb_err X(gedots_local)(int m, struct X(vect) *const *x, struct X(vect) *const *y, T *res);
/* The 2-norm of x; of w x, multiplied elementwise; of w x over the rows where id is not 0.  Overflow and
 * underflow of the squares are avoided.  Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(genrm2)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrm2_local)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weight)(const struct X(vect) *x, const struct X(vect) *w, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weight_local)(const struct X(vect) *x, const struct X(vect) *w, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weightmask)(const struct X(vect) *x, const struct X(vect) *w,
                                            const struct X(vect) *id, R *res);
PSB_MUST_CHECK psb_err X(genrm2_weightmask_local)(const struct X(vect) *x, const struct X(vect) *w,
                                                  const struct X(vect) *id, R *res);
/* The largest |x|, 0 if there are no rows (geamax and genrmi are the same); the sum of |x| (geasum).
 * Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(geamax)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(geamax_local)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrmi)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(genrmi_local)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(geasum)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(geasum_local)(const struct X(vect) *x, R *res);

/* The calls that follow compare numbers: PSB_ENOTIMPL for complex vectors, on every process.
 * The smallest x, infinity if there are no rows.  Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(gemin)(const struct X(vect) *x, R *res);
PSB_MUST_CHECK psb_err X(gemin_local)(const struct X(vect) *x, R *res);
/* The smallest x / y over the elements with y != 0, at most the largest finite number, which is also the
 * result if there are no such elements; as N_VMinQuotient of SUNDIALS.  Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(minquotient)(const struct X(vect) *x, const struct X(vect) *y, R *res);
PSB_MUST_CHECK psb_err X(minquotient_local)(const struct X(vect) *x, const struct X(vect) *y, R *res);
/* m = 1 for elements of x that violate the constraint c, else 0; *ok = 1 if no element of any column does,
 * else 0.  c is 2 for x > 0, 1 for x >= 0, 0 for no constraint, -1 for x <= 0, -2 for x < 0; other values are
 * read as 2 if their modulus is at least 1.5, else as 1, with their sign.  NaN violates every constraint but
 * 0.  As N_VConstrMask of SUNDIALS.  Collective; `_local`: local. */
PSB_MUST_CHECK psb_err X(mask)(const struct X(vect) *c, const struct X(vect) *x, struct X(vect) *m, int *ok);
PSB_MUST_CHECK psb_err X(mask_local)(const struct X(vect) *c, const struct X(vect) *x, struct X(vect) *m,
                                     int *ok);
