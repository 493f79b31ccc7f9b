/* kernels.t.h -- room: cuda/abi.  The tables of kernels: one struct for each storage scheme, with an instance for the
 * fake device, X(..._fake), and one for a GPU, X(..._cuda).
 *
 * Products: y = alpha A x + beta y; alpha != 0; beta == 0 does not read y.  All pointers but alpha and beta are
 * of the device.  csmm: k columns, x and y stored by rows.  fused: one column, and the epilogue t of y in the
 * same pass; partial: see X(epilogue_room); sum: as X(vec_ops)'s epilogue has it. */
struct X(vec_epilogue);

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
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
};
extern const struct X(hll_kernels) X(hll_kernels_fake), X(hll_kernels_cuda);

/* HLL with packed columns: see psb_packed_strip.h. */
struct X(packed_kernels) {
    psb_err (*csmm)(const struct psb_packed_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_packed_dev *a, T alpha, const T *x, T beta, T *y,
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
};
extern const struct X(packed_kernels) X(packed_kernels_fake), X(packed_kernels_cuda);

/* CSR in tiles.  vendor: csmm by the vendor's library; *plan, NULL at first, is what the library keeps between
 * products. */
struct X(csr_kernels) {
    psb_err (*csmm)(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_csr_dev *a, psb_ipk nrows, T alpha, const T *x, T beta, T *y,
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
    psb_err (*vendor)(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha, const T *x,
                      T beta, T *y);
};
extern const struct X(csr_kernels) X(csr_kernels_fake), X(csr_kernels_cuda);

/* HDIA and DIA. */
struct X(hdia_kernels) {
    psb_err (*csmm)(const struct psb_dev_diagonals *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_dev_diagonals *a, T alpha, const T *x, T beta, T *y,
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
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

/* --- steps of conversions --------------------------------------------------------------------------- */

/* Triplets and rows.  `found`: an array of PSB_FOUND numbers. */
struct X(coo_steps) {
    psb_err (*copy)(void *to, const void *from, size_t bytes);
    /* off[0..m]: the row pointers of nz entries ordered by rows */
    psb_err (*row_begins)(psb_ipk m, psb_epk nz, const psb_ipk *ia, psb_epk *off);
    /* found[0]: the number of entries of e that precede an entry with a smaller row, or column in one row */
    psb_err (*disorder)(const struct psb_dev_triplets *e, psb_epk *found);
    /* order: a stable order of e by rows, then columns, below m and n; of nz entries by place, below `below` */
    psb_err (*order)(const struct psb_dev_triplets *e, psb_ipk m, psb_ipk n, psb_epk *order);
    psb_err (*order_by_place)(psb_epk nz, const psb_epk *place, psb_epk below, psb_epk *order);
    /* place[k + 1], summed up: 1 if entry order[k] (k if order is NULL) differs from the one before; found[0]: the
     * last sum */
    psb_err (*distinct)(const struct psb_dev_triplets *e, const psb_epk *order, psb_epk *place, psb_epk *found);
    /* to: the distinct entries; the values of equals are added, or with `overwrite` the last one stays */
    psb_err (*merge)(const struct psb_dev_triplets *e, const psb_epk *order, const psb_epk *place, int overwrite,
                     const struct psb_new_triplets *to);
    /* to: e in order */
    psb_err (*gather)(const struct psb_dev_triplets *e, const psb_epk *order, const struct psb_new_triplets *to);
    /* See locality.h: `found[0]` entries access found[1] sectors of x, over a range of found[2] */
    psb_err (*locality)(const struct psb_dev_compressed *a, psb_epk *found);
};
extern const struct X(coo_steps) X(coo_steps_fake), X(coo_steps_cuda);

/* Values of a matrix in CSR or HLL.  zero: `bytes` of values become 0. */
struct X(compressed_steps) {
    psb_err (*find)(const struct psb_dev_compressed *a, const struct psb_find *q);
    psb_err (*put)(const struct psb_dev_compressed *a, const struct psb_put *q);
    psb_err (*diagonal)(const struct psb_dev_compressed *a, const struct psb_diagonal *q);
    psb_err (*scale)(const struct psb_dev_compressed *a, const struct psb_factors *q);
    psb_err (*zero)(const struct psb_dev_compressed *a, size_t bytes);
};
extern const struct X(compressed_steps) X(compressed_steps_fake), X(compressed_steps_cuda);

/* HLL from CSR, `from`, and to CSR, `to`. */
struct X(hll_steps) {
    /* a->row, a->rank: rows sorted by length in windows of `window` rows; reads from->off */
    psb_err (*ranks)(const struct psb_dev_compressed *from, psb_ipk window, const struct psb_dev_compressed *a);
    /* a->irn, a->off; found[0]: a->off[nhacks]; found[1]: the length of the longest row; reads from->off */
    psb_err (*measure)(const struct psb_dev_compressed *from, const struct psb_dev_compressed *a, psb_epk *found);
    /* a->ja, a->val; widest: found[1] of measure */
    psb_err (*fill)(const struct psb_dev_compressed *from, psb_epk widest, const struct psb_dev_compressed *a);
    /* to->off; then to->ja, to->val */
    psb_err (*row_lengths)(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to);
    psb_err (*to_csr)(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to);
};
extern const struct X(hll_steps) X(hll_steps_fake), X(hll_steps_cuda);

/* HDIA from CSR, `from`, and to CSR, `to`; values of a matrix in HDIA: as X(compressed_steps), and a->zeros and a->gaps
 * are updated. */
struct X(hdia_steps) {
    /* place[i + 1], summed up: the entries of row i whose diagonal, with its rank among equals, the row before in the
     * same hack does not have; found[0]: the last sum; found[1]: the largest number of equals */
    psb_err (*count)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a, psb_epk *place,
                     psb_epk *found);
    /* keys: the diagonals of all hacks, each once, in order; found[0]: their number; keys->n = place[m] on entry */
    psb_err (*collect)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a, psb_epk *place,
                       const struct psb_hdia_keys *keys, psb_epk *found);
    /* a->off, a->dist */
    psb_err (*list)(const struct psb_hdia_keys *keys, const struct psb_dev_hdia *a);
    /* a's other arrays */
    psb_err (*fill)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a);
    /* to->off; then to->ja, to->val */
    psb_err (*row_lengths)(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to);
    psb_err (*to_csr)(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to);
    psb_err (*find)(const struct psb_dev_hdia *a, const struct psb_find *q);
    psb_err (*put)(const struct psb_dev_hdia *a, const struct psb_put *q);
    psb_err (*diagonal)(const struct psb_dev_hdia *a, const struct psb_diagonal *q);
    psb_err (*scale)(const struct psb_dev_hdia *a, const struct psb_factors *q);
    psb_err (*zero)(const struct psb_dev_hdia *a, size_t bytes);
};
extern const struct X(hdia_steps) X(hdia_steps_fake), X(hdia_steps_cuda);
