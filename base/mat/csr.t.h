/* csr.t.h -- room: base/mat.  Compressed rows: the entries of row i are ja[k], val[k] for
 * irp[i] <= k < irp[i+1]. */
struct X(csr_mat) {
    struct X(mat) mat;
    struct psb_dual irp; /* psb_epk, nrows + 1 */
    struct psb_dual ja;  /* psb_ipk, nnz */
    struct psb_dual val; /* T, nnz */
};
extern const struct X(csr_mat) X(csr_mold);

/* The rows of a, on the host: a's own where its storage is CSR's, then *made is NULL, else those of *made,
 * which the caller frees.  What a unit triangle does not store is not there.  Local. */
PSB_MUST_CHECK psb_err X(csr_view)(struct X(mat) *a, struct X(compressed) *l, struct X(mat) **made);

/* A new CSR matrix *a of m x n with nnz entries, whose arrays l says are to be written; state ASB.  Local. */
PSB_MUST_CHECK psb_err X(csr_make)(psb_ipk m, psb_ipk n, psb_epk nnz, struct X(mat) **a,
                                   struct X(compressed) *l);
