/* psb_hybg.t.h -- cuda/formats: HYB with a second copy of its arrays on the device. */
extern const struct X(hyb_mat) X(hybg_mold); /* PSB_HYB_AUTO, limit 8 */

/* --- inside cuda ------------------------------------------------------------------------------------ */

struct psb_dev_triplets;
/* COO, ordered by rows.  add: y += alpha A x, k columns; sums have the same bits in every run. */
struct X(coo_kernels) {
    psb_err (*add)(const struct psb_dev_triplets *a, psb_ipk k, T alpha, const T *x, T *y);
};
extern const struct X(coo_kernels) X(coo_kernels_fake), X(coo_kernels_cuda);
