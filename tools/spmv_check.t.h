/* spmv_check.t.h -- tools: reference product computed from triplets. */
struct psb_oracle_sum;

struct X(oracle) {
    struct psb_oracle_sum *sum; /* process 0: for each element of y */
    double bound; /* bound on the rounding error: (longest row + 4) eps, 4 times that if complex */
};

/* Compute alpha op(A) x + beta y in long double, where *from has the entries of A in the rows owned
 * here, each entry of A on exactly one process; x and y are assembled vectors and are not changed.  The
 * caller frees *o with X(oracle_free).  Collective.  PSB_ENOMEM, PSB_EMPI, on every process. */
PSB_MUST_CHECK psb_err X(oracle_new)(struct X(oracle) *o, const struct X(entries) *from, const psb_desc *row,
                                     char trans, T alpha, struct X(vect) *x, T beta, struct X(vect) *y);

/* Set *error to the largest difference to y, each element relative to |alpha| |op(A)| |x| + |beta| |y|;
 * infinity if one of the two is finite (or, for real types, a NaN) and the other is not, except where T may
 * overflow.  The same on every process.  Collective.  PSB_ENOMEM, PSB_EMPI. */
PSB_MUST_CHECK psb_err X(oracle_error)(const struct X(oracle) *o, struct X(vect) *y, double *error);

void X(oracle_free)(struct X(oracle) *o);
