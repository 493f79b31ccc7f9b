/* kernels.t.h -- room: cuda/abi.  The tables of kernels: one struct for each storage scheme, with an instance for the
 * fake device, X(..._fake), and one for a GPU, X(..._cuda).
 *
 * Products: y = alpha A x + beta y; alpha != 0; beta == 0 does not read y.  All pointers but alpha and beta are
 * of the device.  csmm: k columns, x and y stored by rows.  fused: one column, and the epilogue t of y in the
 * same pass; partial: see X(tail_room); sum: as X(vec_ops)'s epilogue has it. */
struct X(tail);

/* The scalar in single precision. */
#if CPLX
typedef float _Complex X(narrow);
#else
typedef float X(narrow);
#endif

/* HLL and ELL. */
struct X(hll_kernels) {
    psb_err (*csmm)(const struct psb_hll_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_hll_dev *a, T alpha, const T *x, T beta, T *y,
                     const struct X(tail) *t, double *partial, double *sum);
};
extern const struct X(hll_kernels) X(hll_kernels_fake), X(hll_kernels_cuda);

/* HLL with packed columns: see packed_strip.h. */
struct X(packed_kernels) {
    psb_err (*csmm)(const struct psb_packed_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_packed_dev *a, T alpha, const T *x, T beta, T *y,
                     const struct X(tail) *t, double *partial, double *sum);
};
extern const struct X(packed_kernels) X(packed_kernels_fake), X(packed_kernels_cuda);

/* CSR in tiles.  vendor: csmm by the vendor's library; *plan, NULL at first, is what the library keeps between
 * products. */
struct X(csr_kernels) {
    psb_err (*csmm)(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_csr_dev *a, psb_ipk nrows, T alpha, const T *x, T beta, T *y,
                     const struct X(tail) *t, double *partial, double *sum);
    psb_err (*vendor)(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha, const T *x,
                      T beta, T *y);
};
extern const struct X(csr_kernels) X(csr_kernels_fake), X(csr_kernels_cuda);

/* HDIA and DIA. */
struct X(hdia_kernels) {
    psb_err (*csmm)(const struct psb_dev_diagonals *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_dev_diagonals *a, T alpha, const T *x, T beta, T *y,
                     const struct X(tail) *t, double *partial, double *sum);
};
extern const struct X(hdia_kernels) X(hdia_kernels_fake), X(hdia_kernels_cuda);

struct X(bsr_kernels) {
    psb_err (*csmm)(const struct psb_dev_blocks *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
};
extern const struct X(bsr_kernels) X(bsr_kernels_fake), X(bsr_kernels_cuda);

struct X(dns_kernels) {
    psb_err (*csmm)(const struct psb_dev_dense *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
};
extern const struct X(dns_kernels) X(dns_kernels_fake), X(dns_kernels_cuda);

/* Triplets ordered by rows.  add: y += alpha A x, k columns; the same bits in every run. */
struct X(coo_kernels) {
    psb_err (*add)(const struct psb_dev_triplets *a, psb_ipk k, T alpha, const T *x, T *y);
};
extern const struct X(coo_kernels) X(coo_kernels_fake), X(coo_kernels_cuda);

/* A step of a conversion: see convert.h. */
PSB_MUST_CHECK psb_err X(step_fake)(enum psb_step s, const struct psb_convert *q);
PSB_MUST_CHECK psb_err X(step_cuda)(enum psb_step s, const struct psb_convert *q);
