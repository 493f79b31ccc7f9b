/* kernels.t.h -- room: cuda/abi.  What formats compute where a device's memory is: one table a device.
 * Every pointer but alpha and beta lies there; alpha != 0; beta == 0 does not read y. */
struct psb_dev_diagonals;
struct psb_dev_blocks;
struct psb_dev_triplets;
struct psb_dev_dense;
struct psb_convert;

struct X(kernels) {
    /* y = alpha A x + beta y, k columns by rows, A in HLL or ELL, packed (see packed_strip.h), and in CSR
     * (see stored.h) */
    psb_err (*hll_csmm)(const struct psb_hll_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*packed_csmm)(const struct psb_packed_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*csr_csmm)(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    /* the same by the vendor's library; *plan, NULL at first, is what it keeps from one to the next */
    psb_err (*csr_vendor)(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha,
                          const T *x, T beta, T *y);
    /* the same, A as dev_arrays.h says, which lies on the host but for its arrays */
    psb_err (*hdia_csmm)(const struct psb_dev_diagonals *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*bsr_csmm)(const struct psb_dev_blocks *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*dns_csmm)(const struct psb_dev_dense *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    /* y = alpha A x + beta y, one column, and its tail in the same pass; partial: see X(tail_room) */
    psb_err (*hll_fused)(const struct psb_hll_dev *a, T alpha, const T *x, T beta, T *y,
                         const struct X(tail) *t, double *partial, double *sum);
    psb_err (*packed_fused)(const struct psb_packed_dev *a, T alpha, const T *x, T beta, T *y,
                            const struct X(tail) *t, double *partial, double *sum);
    psb_err (*csr_fused)(const struct psb_csr_dev *a, psb_ipk nrows, T alpha, const T *x, T beta, T *y,
                         const struct X(tail) *t, double *partial, double *sum);
    psb_err (*hdia_fused)(const struct psb_dev_diagonals *a, T alpha, const T *x, T beta, T *y,
                          const struct X(tail) *t, double *partial, double *sum);
    /* y += alpha A x, A in triplets: the same bits each time */
    psb_err (*coo_add)(const struct psb_dev_triplets *a, psb_ipk k, T alpha, const T *x, T *y);
    /* a step of a conversion: see convert.h */
    psb_err (*step)(enum psb_step s, const struct psb_convert *q);
};
extern const struct X(kernels) X(kernels_fake);
