/* psb_spgemm.t.h -- base/mat: products of matrices in compressed rows, C = alpha A B + beta D.  For formats:
 * arguments are not checked.
 *
 * Products are added to an element in the order of the entries of a's row, then the element of D: the bits
 * are the same for any number of threads. */
struct X(factors) {
    const struct X(compressed) *a, *b; /* a->m <= b->n; rows of b may have an index twice */
    T alpha;
    T beta;        /* row i of D, i < nd, is row d + i of b */
    psb_ipk d, nd; /* nd == 0: no D */
};

/* Store in *c a new CSR matrix with every entry to which a product or an entry of D contributes. */
PSB_MUST_CHECK psb_err X(spgemm_new)(const struct X(factors) *f, struct X(mat) **c);

/* Store in *nz the number of its entries. */
PSB_MUST_CHECK psb_err X(spgemm_size)(const struct X(factors) *f, psb_epk *nz);

/* Compute c->val for the pattern of c, whose rows have no index twice: that of spgemm_new, or, if `masked` is
 * set, any other; what contributes to further entries is left out. */
PSB_MUST_CHECK psb_err X(spgemm_into)(const struct X(factors) *f, const struct X(compressed) *c, bool masked);
