/* psb_csc.t.h -- base/mat: compressed columns: the entries of column j are ia[k], val[k] for
 * icp[j] <= k < icp[j+1]. */
struct X(csc_mat) {
    struct X(mat) mat;
    struct psb_dual icp; /* psb_epk, ncols + 1 */
    struct psb_dual ia;  /* psb_ipk, nnz */
    struct psb_dual val; /* T, nnz */
};
extern const struct X(csc_mat) X(csc_mold);
