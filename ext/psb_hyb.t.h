/* psb_hyb.t.h -- ext: HYB: the first `most` entries of every row, at most, in ELL, and the others in
 * COO (Bell and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented
 * processors", SC 2009). */
struct X(hyb_mat) {
    struct X(mat) mat;
    enum psb_hyb partition;
    psb_ipk width; /* PSB_HYB_USER: entries per row in ELL, at most */
    double limit;  /* refuse more than 1 MiB and this many times the bytes of CSR; 0: no limit */
    psb_ipk most;  /* entries per row in ELL, at most, as chosen */
    struct X(hll_mat) ell;
    struct psb_dual ia, ja, val; /* COO, ordered by rows: psb_ipk, psb_ipk, T */
};
extern const struct X(hyb_mat) X(hyb_mold); /* PSB_HYB_AUTO, limit 8 */

/* --- inside ext ------------------------------------------------------------------------------------- */

/* Choose the width of ELL for rows with the pointers l->ptr; PSB_EPADDING beyond the limit; else set the
 * sizes of the ELL part and register the arrays of COO, of *beyond entries, allocated at their first write.
 */
PSB_MUST_CHECK psb_err X(hyb_lay_out)(struct X(hyb_mat) *a, const struct X(compressed) *l, psb_epk *beyond);

/* Set the ELL part of a, which has its sizes, to a matrix of nnz entries without arrays. */
void X(hyb_set_ell)(struct X(hyb_mat) *a, psb_epk nnz);
