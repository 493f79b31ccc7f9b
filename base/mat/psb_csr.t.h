/* psb_csr.t.h -- base/mat: compressed rows: the entries of row i are ja[k], val[k] for
 * irp[i] <= k < irp[i+1]. */
struct X(csr_mat) {
    struct X(mat) mat;
    struct psb_dual irp; /* psb_epk, nrows + 1 */
    struct psb_dual ja;  /* psb_ipk, nnz */
    struct psb_dual val; /* T, nnz */
};
extern const struct X(csr_mat) X(csr_mold);

/* Does a store its entries as CSR does, itself or as a format that refines CSR? */
static inline bool X(mat_is_csr)(const struct X(mat) *a)
{
    return X(mat_refines)(a, &X(csr_mold).mat);
}

/* The bytes that CSR takes for m rows and nnz entries: the yardstick of all formats that pad. */
static inline double X(csr_weighs)(psb_ipk m, psb_epk nnz)
{
    return (double)nnz * (sizeof(psb_ipk) + sizeof(T)) + (double)sizeof(psb_epk) * ((double)m + 1);
}

/* Set *l to the rows of a on the host, to be read.  If a is stored as CSR these are the arrays of a, and
 * *made is NULL; else they belong to *made, which the caller frees.  The implied diagonal of a unit triangle
 * is not included. Local. */
PSB_MUST_CHECK psb_err X(csr_view)(const struct X(mat) *a, struct X(compressed) *l, struct X(mat) **made);

/* Create *a, an m x n CSR matrix with nnz entries, in state ASB; the caller writes its arrays, *l.
 * Local. */
PSB_MUST_CHECK psb_err X(csr_make)(psb_ipk m, psb_ipk n, psb_epk nnz, struct X(mat) **a,
                                   struct X(compressed) *l);
