/* factor_inside.t.h -- room: linsolve.  What the kinds of incomplete factors share. */

/* Factors in the making: L and U without their diagonals of ones, and D, of n rows, on the host. */
struct X(ldu) {
    psb_ipk n;
    struct X(mat) *l, *u;              /* CSR, or NULL before the pattern is known; u is NULL for Cholesky */
    struct X(compressed) lower, upper; /* the arrays of l and u, to be written */
    T *d;                              /* its inverse, after `values` */
    psb_epk boosted;
};

/* A kind of factors: two phases, which read the rows of A. */
struct X(factor_kind) {
    int cholesky;
    /* Make l and u with their patterns.  NULL: `values` does. */
    psb_err (*pattern)(const struct X(compressed) *a, const struct psb_factor_options *o, struct X(ldu) *f);
    /* Set the values of l and u, and d to the inverse of D.  Errors name rows by their number in `rows`. */
    psb_err (*values)(const struct X(compressed) *a, const struct psb_factor_options *o, const psb_desc *rows,
                      struct X(ldu) *f);
};
extern const struct X(factor_kind) X(factor_ilu0), X(factor_milu0);

/* Make l, and u unless `cholesky`, of nl and nu entries, and their arrays but for the contents.  Local. */
PSB_MUST_CHECK psb_err X(ldu_make)(struct X(ldu) *f, psb_epk nl, psb_epk nu, int cholesky);
/* Set *inv to the inverse of pivot d of row i, or of what replaces it; `most` is the largest modulus in the
 * row of A. PSB_EPIVOT for a pivot that is not finite, or 0 and not replaced.  Local. */
PSB_MUST_CHECK psb_err X(factor_pivot)(T d, R most, const struct psb_factor_options *o, const psb_desc *rows,
                                       psb_ipk i, struct X(ldu) *f, T *inv);
/* The number of row i in messages. */
psb_lpk X(factor_row)(const psb_desc *rows, psb_ipk i);
/* The largest modulus of n values; NaN if one is NaN. */
R X(factor_most)(psb_epk n, const T *val);
/* *one = an empty unit triangle of n rows in the format of mold, the identity: products and solves with it
 * copy and scale the first n rows of vectors.  After an error too the caller frees *one.  Local. */
PSB_MUST_CHECK psb_err X(unit_identity)(psb_ipk n, const struct X(mat) *mold, struct X(mat) **one);
