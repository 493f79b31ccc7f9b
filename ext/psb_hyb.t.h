/* psb_hyb.t.h -- room: ext.  HYB: the first entries of every row, no more than `most`, in ELL, what long rows
 * have beyond them in COO (Bell and Garland, "Implementing sparse matrix-vector multiplication on
 * throughput-oriented processors", SC 2009). */
struct X(hyb_mat) {
    struct X(mat) mat;
    enum psb_hyb partition;
    psb_ipk width; /* PSB_HYB_USER: the entries of a row that ELL takes */
    double limit;  /* refuse to take more than 1 MiB and this many times CSR; 0: no limit */
    psb_ipk most;  /* the entries of a row that ELL took */
    struct X(hll_mat) ell;
    struct psb_dual ia, ja, val; /* COO, ordered by rows: psb_ipk, psb_ipk, T */
};
extern const struct X(hyb_mat) X(hyb_mold); /* PSB_HYB_AUTO, limit 8 */
