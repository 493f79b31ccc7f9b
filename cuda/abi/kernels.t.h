/* kernels.t.h -- cuda/abi: the tables of kernels: one struct for each storage scheme, with an instance for
 * the fake device, X(..._fake), and one for a GPU, X(..._cuda), whose entries are functions in CUDA.
 *
 * Products: y = alpha A x + beta y with alpha != 0; y is not read if beta == 0.  All pointers point to
 * device memory.  csmm: k columns, x and y stored by rows.  fused: one column, and the epilogue
 * t of y in the same pass; partial: see X(epilogue_scratch); sum: as in the epilogue of X(vec_ops). */
struct X(vec_epilogue);
struct psb_stencil;

/* Vectors; those of the fake device are X(vec_host). */
extern const struct X(vec_ops) X(vec_ops_cuda);

/* HLL and ELL. */
struct X(hll_kernels) {
    psb_err (*csmm)(const struct psb_hll_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_hll_dev *a, T alpha, const T *x, T beta, T *y,
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
};
extern const struct X(hll_kernels) X(hll_kernels_fake), X(hll_kernels_cuda);

/* CSR in tiles.  deltas: set the base and the deltas of all tiles (see stored.h), without using a->base and
 * a->delta; found[0], of PSB_FOUND: the number of entries in tiles that have deltas.  add: y[rows[i]] +=
 * alpha (A x)_i, one column, with the epilogue t of csmv_add, or NULL; add_short: the same, without
 * tiles, for few short rows, where x is there after the arrival *wait.  vendor: csmm by the vendor's library,
 * which keeps its data between products in *plan, NULL at first. */
struct X(csr_kernels) {
    psb_err (*deltas)(const struct psb_csr_dev *a, psb_ipk *base, uint16_t *delta, psb_epk *found);
    psb_err (*csmm)(const struct psb_csr_dev *a, psb_ipk k, T alpha, const T *x, T beta, T *y);
    psb_err (*fused)(const struct psb_csr_dev *a, T alpha, const T *x, T beta, T *y,
                     const struct X(vec_epilogue) *t, double *partial, double *sum);
    psb_err (*add)(const struct psb_csr_dev *a, T alpha, const T *x, const psb_ipk *rows, T *y,
                   const struct X(vec_epilogue) *t, double *partial);
    psb_err (*add_short)(const struct psb_dev_compressed *a, T alpha, const T *x,
                         const struct psb_awaited *wait, const psb_ipk *rows, T *y,
                         const struct X(vec_epilogue) *t, double *partial);
    psb_err (*vendor)(struct psb_vendor **plan, const struct psb_vendor_csr *a, psb_ipk k, T alpha,
                      const T *x, T beta, T *y);
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

/* Triangles in CSR.  solve: y = alpha L op(A)^-1 R x + beta y, k columns stored by rows; left and right are
 * the elements of the diagonals L and R, NULL for ones; y is not read if beta == 0, and may be x. */
struct X(solve_args) {
    psb_ipk k;
    T alpha, beta;
    const T *x, *left, *right;
    T *y;
};
struct X(triangle_kernels) {
    /* found[0]: the first row whose diagonal is 0, or -1 */
    psb_err (*diagonal)(const struct psb_dev_triangle *a, psb_epk *found);
    psb_err (*solve)(const struct psb_dev_triangle *a, const struct X(solve_args) *q);
};
extern const struct X(triangle_kernels) X(triangle_kernels_fake), X(triangle_kernels_cuda);

/* Incomplete factors. */
struct X(ldu_kernels) {
    /* found[0]: the hash of the pattern of A; found[1]: the length of the longest row of L, D and U */
    psb_err (*pattern)(const struct psb_dev_ldu *a);
    /* The values of all rows, with the operations of the host in its order.  found[0]: the first row whose
     * pivot is an error, or may be one, or -1; found[1]: the number of pivots that were replaced, minus 1 */
    psb_err (*values)(const struct psb_dev_ldu *a);
    /* Set `bytes` bytes to 0. */
    psb_err (*zero)(size_t bytes, void *p);
};
extern const struct X(ldu_kernels) X(ldu_kernels_fake), X(ldu_kernels_cuda);

/* --- steps of conversions --------------------------------------------------------------------------- */

/* COO and CSR.  `found` is an array of PSB_FOUND numbers. */
struct X(coo_steps) {
    psb_err (*copy)(void *to, const void *from, size_t bytes);
    /* off[0..m]: the row pointers of nz entries ordered by rows */
    psb_err (*row_begins)(psb_ipk m, psb_epk nz, const psb_ipk *ia, psb_epk *off);
    /* found[0]: the number of entries of e that are followed by one of a smaller row, or of a smaller column
     * in the same row */
    psb_err (*disorder)(const struct psb_dev_triplets *e, psb_epk *found);
    /* order: a stable order of the entries by row, at most m, then column, less than n */
    psb_err (*order)(const struct psb_dev_triplets *e, psb_ipk m, psb_ipk n, psb_epk *order);
    psb_err (*order_by_place)(psb_epk nz, const psb_epk *place, psb_epk below, psb_epk *order);
    /* place[k + 1]: the number of distinct entries among the first k + 1 in the order `order` (NULL: as
     * stored); found[0]: among all */
    psb_err (*distinct)(const struct psb_dev_triplets *e, const psb_epk *order, psb_epk *place,
                        psb_epk *found);
    /* to: the distinct entries; values of duplicates are added, or, with `overwrite`, the last one is kept */
    psb_err (*merge)(const struct psb_dev_triplets *e, const psb_epk *order, const psb_epk *place,
                     int overwrite, const struct psb_new_triplets *to);
    /* to: e in order */
    psb_err (*gather)(const struct psb_dev_triplets *e, const psb_epk *order,
                      const struct psb_new_triplets *to);
    psb_err (*split)(const struct psb_own_block *q);
    psb_err (*take)(const struct psb_taken *q);
    psb_err (*refill)(const struct psb_refill *q, void *to);
    psb_err (*stencil)(const struct psb_stencil *s, const struct psb_dev_compressed *a);
    /* see locality.h: found[0] entries read found[1] sectors of x, with a sum of reaches of found[2] */
    psb_err (*locality)(const struct psb_dev_compressed *a, psb_epk *found);
};
extern const struct X(coo_steps) X(coo_steps_fake), X(coo_steps_cuda);
psb_err X(locality_fake)(const struct psb_dev_compressed *a, psb_epk *found); /* a slot of the former */

/* Arrays of other libraries.  first_bad: found[0] is the first element that breaks the rule, or -1.  places:
 * ia[p], ja[p] of the n elements of the values, row m for padding; found[0] is the first bad one, or -1;
 * found[1] the number of those of padding.  widen: offsets of 32 bits, to 64. */
struct X(raw_steps) {
    psb_err (*first_bad)(const struct psb_raw_check *c, psb_epk *found);
    psb_err (*places)(const struct psb_raw_dev *q, psb_epk n, psb_ipk *ia, psb_ipk *ja, psb_epk *found);
    psb_err (*widen)(psb_epk n, const int32_t *from, psb_epk *to);
};
extern const struct X(raw_steps) X(raw_steps_fake), X(raw_steps_cuda);

/* Values of a matrix in CSR or HLL.  zero: set `bytes` of values to 0. */
struct X(compressed_steps) {
    psb_err (*find)(const struct psb_dev_compressed *a, const struct psb_find *q);
    psb_err (*put)(const struct psb_dev_compressed *a, const struct psb_placed *q);
    psb_err (*diagonal)(const struct psb_dev_compressed *a, const struct psb_diagonal *q);
    psb_err (*scale)(const struct psb_dev_compressed *a, const struct psb_factors *q);
    psb_err (*zero)(const struct psb_dev_compressed *a, size_t bytes);
};
extern const struct X(compressed_steps) X(compressed_steps_fake), X(compressed_steps_cuda);

/* HLL from CSR, `from`, and to CSR, `to`. */
struct X(hll_steps) {
    /* a->row, a->rank: rows sorted by length in windows of `window` rows; needs only from->off */
    psb_err (*ranks)(const struct psb_dev_compressed *from, psb_ipk window,
                     const struct psb_dev_compressed *a);
    /* a->irn, at most `most`, a->off; found[0]: a->off[nhacks]; found[1]: the length of the longest row;
     * needs only from->off */
    psb_err (*measure)(const struct psb_dev_compressed *from, psb_ipk most,
                       const struct psb_dev_compressed *a, psb_epk *found);
    /* a->ja, a->val; widest is found[1] of measure */
    psb_err (*fill)(const struct psb_dev_compressed *from, psb_epk widest,
                    const struct psb_dev_compressed *a);
    /* row_lengths: to->off; to_csr, called after it: to->ja, to->val */
    psb_err (*row_lengths)(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to);
    psb_err (*to_csr)(const struct psb_dev_compressed *a, const struct psb_dev_compressed *to);
    /* HYB: off: the row pointers of the ELL part.  rest: the other entries of the rows, in their order.
     * add_rest: to->off, from the row pointers of the nz triplets t there, and these entries of `to` */
    psb_err (*rest)(const struct psb_dev_compressed *from, const psb_epk *off,
                    const struct psb_new_triplets *to);
    psb_err (*add_rest)(const struct psb_dev_triplets *t, const psb_epk *off,
                        const struct psb_dev_compressed *to);
};
extern const struct X(hll_steps) X(hll_steps_fake), X(hll_steps_cuda);

/* HDIA from CSR, `from`, and to CSR, `to`.  Values of a matrix in HDIA: as X(compressed_steps); a->zeros and
 * a->gaps are updated. */
struct X(hdia_steps) {
    /* place[i + 1]: the number of new diagonals in rows 0 .. i, i.e. those, with their rank among duplicates,
     * on which the previous row of the same hack has no entry; found[0]: in all rows; found[1]: the largest
     * number of duplicates */
    psb_err (*count)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a, psb_epk *place,
                     psb_epk *found);
    /* keys: the diagonals of all hacks, each once, in order; keys->n is place[m] on entry; found[0]: their
     * number */
    psb_err (*collect)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a, psb_epk *place,
                       const struct psb_hdia_keys *keys, psb_epk *found);
    /* a->off, a->dist */
    psb_err (*list)(const struct psb_hdia_keys *keys, const struct psb_dev_hdia *a);
    /* the other arrays of a */
    psb_err (*fill)(const struct psb_dev_compressed *from, const struct psb_dev_hdia *a);
    /* row_lengths: to->off; to_csr, called after it: to->ja, to->val */
    psb_err (*row_lengths)(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to);
    psb_err (*to_csr)(const struct psb_dev_hdia *a, const struct psb_dev_compressed *to);
    psb_err (*find)(const struct psb_dev_hdia *a, const struct psb_find *q);
    psb_err (*put)(const struct psb_dev_hdia *a, const struct psb_placed *q);
    psb_err (*diagonal)(const struct psb_dev_hdia *a, const struct psb_diagonal *q);
    psb_err (*scale)(const struct psb_dev_hdia *a, const struct psb_factors *q);
    psb_err (*zero)(const struct psb_dev_hdia *a, size_t bytes);
};
extern const struct X(hdia_steps) X(hdia_steps_fake), X(hdia_steps_cuda);

/* BSR from CSR, `from`, and to CSR, `to`. */
struct X(bsr_steps) {
    /* ia, ja: of every entry the block row and the key of its block; found[0]: the largest number of
     * duplicates, for which ja is right only if it is at most a->ranks; needs only sizes of a */
    psb_err (*keys)(const struct psb_dev_compressed *from, const struct psb_dev_bsr *a, psb_ipk *ia,
                    psb_ipk *ja, psb_epk *found);
    /* a->ja, a->bits, a->val, from a->off and the keys of all blocks */
    psb_err (*fill)(const struct psb_dev_compressed *from, const psb_ipk *key, const struct psb_dev_bsr *a);
    /* row_lengths: to->off; to_csr, called after it: to->ja, to->val */
    psb_err (*row_lengths)(const struct psb_dev_bsr *a, const struct psb_dev_compressed *to);
    psb_err (*to_csr)(const struct psb_dev_bsr *a, const struct psb_dev_compressed *to);
};
extern const struct X(bsr_steps) X(bsr_steps_fake), X(bsr_steps_cuda);

/* --- sparse algebra --------------------------------------------------------------------------------- */

/* Products of matrices in CSR: see algebra.h.  Every entry is the sum of its products in the order of the row
 * of A, each operation rounded. */
struct X(product_steps) {
    /* c.off[i + 1]: an upper bound of the entries of row i; its class, by this bound */
    psb_err (*bound)(const struct psb_dev_product *p);
    /* after `bound`: c.off, the row pointers; rows by class of their entries, within p->limit */
    psb_err (*count)(const struct psb_dev_product *p, const psb_epk *limit);
    /* rows by class, from c.off */
    psb_err (*classify)(const struct psb_dev_product *p);
    /* c.ja and c.val; c.val, where c.ja is known */
    psb_err (*entries)(const struct psb_dev_product *p);
    psb_err (*values)(const struct psb_dev_product *p);
};
extern const struct X(product_steps) X(product_steps_fake), X(product_steps_cuda);

/* Sums, transposes and parts of matrices in CSR.  The steps `..._rows` set c.off and found[0], the number of
 * entries; sum_rows also found[1]: is there a column twice in a row. */
struct X(algebra_steps) {
    psb_err (*sum_rows)(const struct psb_dev_sum *s, psb_epk *found);
    psb_err (*sum)(const struct psb_dev_sum *s);
    psb_err (*part_rows)(const struct psb_dev_part *p, psb_epk *found);
    psb_err (*part)(const struct psb_dev_part *p);
    /* *t = the transpose of a, with nz entries, conjugated if `conjugate` */
    psb_err (*transpose)(const struct psb_dev_compressed *a, psb_epk nz, bool conjugate,
                         const struct psb_dev_compressed *t);
    /* found[0]: the sum of psb_pattern_term over all entries */
    psb_err (*pattern_sum)(const struct psb_dev_compressed *a, psb_epk *found);
    /* colour[i], of nz entries: the smallest that no neighbour of row i has which precedes it, by number or,
     * with by_degree, by descending number of entries first; found[0]: the number of colours; found[1]: is
     * there an entry (i, j) without (j, i), or with two: then the colours are not defined */
    psb_err (*colours)(const struct psb_dev_compressed *a, psb_epk nz, bool by_degree, psb_ipk *colour,
                       psb_epk *found);
    /* bound, ties: by a rule that looks at one row at a time; for PSB_PRUNE_SHARE: bound, and ties among
     * `left` in all rows */
    psb_err (*bounds)(const struct psb_dev_pruned *p, enum psb_prune rule, R t);
    psb_err (*share)(const struct psb_dev_pruned *p, uint64_t bound, psb_epk left);
    /* count[b], b < 256: the entries besides those that `diagonal` keeps whose rank, shifted by `shift`, ends
     * with the byte b and begins with `begin` */
    psb_err (*ranks)(const struct psb_dev_pruned *p, int shift, uint64_t begin, psb_epk *count);
    psb_err (*prune_rows)(const struct psb_dev_pruned *p, psb_epk *found);
    psb_err (*prune)(const struct psb_dev_pruned *p);
    /* c: the pattern of b, values of a there, or 0; found[0]: has b a column twice in a row */
    psb_err (*masked)(const struct psb_dev_sum *s, psb_epk *found);
    /* c: the Kronecker product of a and a k x l block on the device, by rows; found[0]: has a a column twice
     * in a row: then those of c do not ascend */
    psb_err (*kron)(const struct psb_dev_compressed *a, psb_ipk k, psb_ipk l, const void *block,
                    const struct psb_dev_compressed *c, psb_epk *found);
    /* found[1]: has a row too many entries */
    psb_err (*select_rows)(const struct psb_dev_selection *s, psb_epk *found);
    psb_err (*select)(const struct psb_dev_selection *s);
    /* w[c m + d]: the entries in rows of colour c and columns of colour d, of m <= 64 colours */
    psb_err (*couplings)(const struct psb_dev_compressed *a, const psb_ipk *colour, int m, psb_epk *w);
};
extern const struct X(algebra_steps) X(algebra_steps_fake), X(algebra_steps_cuda);

/* Smoothing matrices and aggregates: see aggregate.h. */
struct X(aggregate_steps) {
    /* s.off, and found[0], the number of entries; after that s.ja; after that s.val */
    psb_err (*lengths)(const struct psb_dev_smoothing *q, psb_epk *found);
    psb_err (*pattern)(const struct psb_dev_smoothing *q);
    psb_err (*values)(const struct psb_dev_smoothing *q);
    /* what: an enum psb_row_pass; found[0]: are some rows still open? */
    psb_err (*pass)(int what, const struct psb_dev_rows *q, psb_epk *found);
    /* number[i] = the number of root i, plus 1, among all, found[0]; of others, any */
    psb_err (*number)(psb_ipk m, const psb_lpk *key, psb_lpk *number, psb_epk *found);
    /* off[i + 1]: the number of rows up to i that have an aggregate, found[0] all; ja[k] = the aggregate of
     * the k-th, val[k] = 1 */
    psb_err (*begin)(psb_ipk m, const psb_lpk *of, psb_epk *off, psb_epk *found);
    psb_err (*ones)(psb_ipk m, const psb_lpk *of, const struct psb_dev_compressed *p0);
};
extern const struct X(aggregate_steps) X(aggregate_steps_fake), X(aggregate_steps_cuda);
