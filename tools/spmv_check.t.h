/* spmv_check.t.h -- room: tools.  A product computed from triplets, to compare others with. */
struct psb_oracle_sum;

struct X(oracle) {
    struct psb_oracle_sum *sum; /* process 0: for each element of y */
    double bound; /* what rounding may make of the error: (longest row + 4) eps, complex 4 times */
};

/* Compute alpha op(A) x + beta y in long double, A given by the entries *own of the rows owned here, of all
 * processes none twice and none missing; x and y assembled vectors, that stay as they are.  Freed by
 * X(oracle_free).  Collective.  PSB_ENOMEM, PSB_EMPI, on every process. */
PSB_MUST_CHECK psb_err X(oracle_new)(struct X(oracle) *o, const struct X(triplets) *own, char trans, T alpha,
                                     struct X(vect) *x, T beta, struct X(vect) *y);

/* *error = the greatest difference to y, an element relative to |alpha| |op(A)| |x| + |beta| |y|; infinite
 * where one is finite (or, for real types, a NaN) and the other not, but what may overflow in T, may.  The
 * same on every process.  Collective.  PSB_ENOMEM, PSB_EMPI. */
PSB_MUST_CHECK psb_err X(oracle_error)(const struct X(oracle) *o, struct X(vect) *y, double *error);

void X(oracle_free)(struct X(oracle) *o);
