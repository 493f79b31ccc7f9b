/* psbc_cusparse_legacy.t.h -- cbind: calls of cuSPARSE for one scalar; see psbc_cusparse_legacy.h. */

/* --- banded systems ------------------------------------------------------------------------------------
 *
 * PSB_CUSPARSE(name, ...) declares cusparse<t>name.  Elements beside the matrices are not used, and the
 * diagonals keep their values.  A system with a pivot that is 0 is CUSPARSE_STATUS_ZERO_PIVOT: see
 * psb_band_solve. */

/* m rows, n right-hand sides in the columns of B, ldb >= max(1, m): with pivoting, and without. */
PSB_CUSPARSE(gtsv2_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int n, const PSB_CUSPARSE_T *dl,
             const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du, const PSB_CUSPARSE_T *B, int ldb,
             size_t *size);
PSB_CUSPARSE(gtsv2, struct psb_cusparse_handle *handle, int m, int n, const PSB_CUSPARSE_T *dl,
             const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du, PSB_CUSPARSE_T *B, int ldb, void *buffer);
PSB_CUSPARSE(gtsv2_nopivot_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int n,
             const PSB_CUSPARSE_T *dl, const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du,
             const PSB_CUSPARSE_T *B, int ldb, size_t *size);
PSB_CUSPARSE(gtsv2_nopivot, struct psb_cusparse_handle *handle, int m, int n, const PSB_CUSPARSE_T *dl,
             const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du, PSB_CUSPARSE_T *B, int ldb, void *buffer);

/* Systems of m rows, `stride` >= m elements apart, without pivoting. */
PSB_CUSPARSE(gtsv2StridedBatch_bufferSizeExt, struct psb_cusparse_handle *handle, int m,
             const PSB_CUSPARSE_T *dl, const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du,
             const PSB_CUSPARSE_T *x, int batch, int stride, size_t *size);
PSB_CUSPARSE(gtsv2StridedBatch, struct psb_cusparse_handle *handle, int m, const PSB_CUSPARSE_T *dl,
             const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du, PSB_CUSPARSE_T *x, int batch, int stride,
             void *buffer);

/* Interleaved systems: element i of system s is at i batch + s.  algo 0, without pivoting; 1 and 2, with. */
PSB_CUSPARSE(gtsvInterleavedBatch_bufferSizeExt, struct psb_cusparse_handle *handle, int algo, int m,
             const PSB_CUSPARSE_T *dl, const PSB_CUSPARSE_T *d, const PSB_CUSPARSE_T *du,
             const PSB_CUSPARSE_T *x, int batch, size_t *size);
PSB_CUSPARSE(gtsvInterleavedBatch, struct psb_cusparse_handle *handle, int algo, int m, PSB_CUSPARSE_T *dl,
             PSB_CUSPARSE_T *d, PSB_CUSPARSE_T *du, PSB_CUSPARSE_T *x, int batch, void *buffer);

/* The same with five diagonals, with pivoting; algo 0. */
PSB_CUSPARSE(gpsvInterleavedBatch_bufferSizeExt, struct psb_cusparse_handle *handle, int algo, int m,
             const PSB_CUSPARSE_T *ds, const PSB_CUSPARSE_T *dl, const PSB_CUSPARSE_T *d,
             const PSB_CUSPARSE_T *du, const PSB_CUSPARSE_T *dw, const PSB_CUSPARSE_T *x, int batch,
             size_t *size);
PSB_CUSPARSE(gpsvInterleavedBatch, struct psb_cusparse_handle *handle, int algo, int m, PSB_CUSPARSE_T *ds,
             PSB_CUSPARSE_T *dl, PSB_CUSPARSE_T *d, PSB_CUSPARSE_T *du, PSB_CUSPARSE_T *dw, PSB_CUSPARSE_T *x,
             int batch, void *buffer);

/* --- incomplete factors --------------------------------------------------------------------------------
 *
 * Of a matrix of m rows, nnz entries, in CSR, columns of a row ascending; the pattern is that of the
 * analysis. A pivot that is missing or 0 is no error: psb_cusparse_zero_pivot tells the first one, and
 * factors from there on are not finite.  Pivots and boosts as cuSPARSE documents; the host eliminates where
 * there are such. */

/* val = L and U, the ones of L not stored.  Pivots of modulus <= *tol become *boost if `enable`. */
PSB_CUSPARSE(csrilu02_bufferSize, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             struct psb_cusparse_info *info, int *size);
PSB_CUSPARSE(csrilu02_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             struct psb_cusparse_info *info, size_t *size);
PSB_CUSPARSE(csrilu02_analysis, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(csrilu02, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(csrilu02_numericBoost, struct psb_cusparse_handle *handle, struct psb_cusparse_info *info,
             int enable, double *tol, PSB_CUSPARSE_T *boost);

/* The lower triangle of val = L, A ~ L L^H, whose entries above the diagonal are not used and stay. */
PSB_CUSPARSE(csric02_bufferSize, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             struct psb_cusparse_info *info, int *size);
PSB_CUSPARSE(csric02_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             struct psb_cusparse_info *info, size_t *size);
PSB_CUSPARSE(csric02_analysis, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(csric02, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             struct psb_cusparse_info *info, int policy, void *buffer);

/* The same of mb block rows, nnzb blocks of block x block elements, stored by rows (dir 0) or columns (1):
 * elements of L, U and the diagonal in those places, as for bsrsv2.  Values pass through the host. */
PSB_CUSPARSE(bsrilu02_bufferSize, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int *size);
PSB_CUSPARSE(bsrilu02_bufferSizeExt, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, size_t *size);
PSB_CUSPARSE(bsrilu02_analysis, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(bsrilu02, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(bsrilu02_numericBoost, struct psb_cusparse_handle *handle, struct psb_cusparse_info *info,
             int enable, double *tol, PSB_CUSPARSE_T *boost);
PSB_CUSPARSE(bsric02_bufferSize, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int *size);
PSB_CUSPARSE(bsric02_bufferSizeExt, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, size_t *size);
PSB_CUSPARSE(bsric02_analysis, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(bsric02, struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int policy, void *buffer);

/* --- triangles of blocks -------------------------------------------------------------------------------
 *
 * A matrix of mb block rows and nnzb blocks of block x block elements, stored by rows (dir 0) or columns (1);
 * its part that descr tells by fill mode and type of diagonal is used.  trans 0: A, 1: transposed, 2:
 * conjugate too.  A solve reads the values again, in the pattern of the analysis.  If an element of the
 * diagonal is 0, or a block of it is missing, psb_cusparse_zero_pivot tells the first block row, and
 * solutions are undefined. */

/* op(A) x = alpha f; f may be x. */
PSB_CUSPARSE(bsrsv2_bufferSize, struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, int *size);
PSB_CUSPARSE(bsrsv2_bufferSizeExt, struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off, const int *col,
             int block, struct psb_cusparse_info *info, size_t *size);
PSB_CUSPARSE(bsrsv2_analysis, struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, int block, struct psb_cusparse_info *info, int policy, void *buffer);
PSB_CUSPARSE(bsrsv2_solve, struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
             const PSB_CUSPARSE_T *alpha, const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val,
             const int *off, const int *col, int block, struct psb_cusparse_info *info,
             const PSB_CUSPARSE_T *f, PSB_CUSPARSE_T *x, int policy, void *buffer);

/* op(A) X = alpha B for n columns, of ld elements or, with transXY 1, in rows of as many; in vectors' order,
 * transXY 1 and ld n, without a copy. */
PSB_CUSPARSE(bsrsm2_bufferSize, struct psb_cusparse_handle *handle, int dir, int trans, int transXY, int mb,
             int n, int nnzb, const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val, const int *off,
             const int *col, int block, struct psb_cusparse_info *info, int *size);
PSB_CUSPARSE(bsrsm2_bufferSizeExt, struct psb_cusparse_handle *handle, int dir, int trans, int transXY,
             int mb, int n, int nnzb, const struct psb_cusparse_descr *descr, PSB_CUSPARSE_T *val,
             const int *off, const int *col, int block, struct psb_cusparse_info *info, size_t *size);
PSB_CUSPARSE(bsrsm2_analysis, struct psb_cusparse_handle *handle, int dir, int trans, int transXY, int mb,
             int n, int nnzb, const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val,
             const int *off, const int *col, int block, struct psb_cusparse_info *info, int policy,
             void *buffer);
PSB_CUSPARSE(bsrsm2_solve, struct psb_cusparse_handle *handle, int dir, int trans, int transXY, int mb, int n,
             int nnzb, const PSB_CUSPARSE_T *alpha, const struct psb_cusparse_descr *descr,
             const PSB_CUSPARSE_T *val, const int *off, const int *col, int block,
             struct psb_cusparse_info *info, const PSB_CUSPARSE_T *B, int ldb, PSB_CUSPARSE_T *solution,
             int ldx, int policy, void *buffer);

/* --- colours and thresholds ---------------------------------------------------------------------------- */

/* Colours 0 to *ncolors - 1 of m rows such that rows with an entry between them differ.  All rows are
 * coloured in this way, whatever the fraction is.  reordering: the rows by colour, or NULL. */
PSB_CUSPARSE(csrcolor, struct psb_cusparse_handle *handle, int m, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, const R *fraction, int *ncolors, int *coloring, int *reordering,
             struct psb_cusparse_info *info);

/* per_row[i] = the values of row i with moduli above the real part of tol; *total = their sum; and then the
 * matrix C of these values, with the base of A. */
PSB_CUSPARSE(nnz_compress, struct psb_cusparse_handle *handle, int m, const struct psb_cusparse_descr *descr,
             const PSB_CUSPARSE_T *val, const int *off, int *per_row, int *total, PSB_CUSPARSE_T tol);
PSB_CUSPARSE(csr2csr_compress, struct psb_cusparse_handle *handle, int m, int n,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *col,
             const int *off, int nnz, const int *per_row, PSB_CUSPARSE_T *val_c, int *col_c, int *off_c,
             PSB_CUSPARSE_T tol);

/* C = the elements of A, dense by columns or in CSR, above *threshold, or above the modulus of rank
 * ceil(n percentage / 100), at least 1, of all n elements of A: first row offsets and number, and then values
 * and columns.  The real scalars have these calls; those of half precision are not offered. */
#if !PSB_CAT(PSB_CPLX_, PSB_NOW)
PSB_CUSPARSE(pruneDense2csr_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int n,
             const PSB_CUSPARSE_T *A, int lda, const PSB_CUSPARSE_T *threshold,
             const struct psb_cusparse_descr *descr_c, const PSB_CUSPARSE_T *val_c, const int *off_c,
             const int *col_c, size_t *size);
PSB_CUSPARSE(pruneDense2csrNnz, struct psb_cusparse_handle *handle, int m, int n, const PSB_CUSPARSE_T *A,
             int lda, const PSB_CUSPARSE_T *threshold, const struct psb_cusparse_descr *descr_c, int *off_c,
             int *nnz_c, void *buffer);
PSB_CUSPARSE(pruneDense2csr, struct psb_cusparse_handle *handle, int m, int n, const PSB_CUSPARSE_T *A,
             int lda, const PSB_CUSPARSE_T *threshold, const struct psb_cusparse_descr *descr_c,
             PSB_CUSPARSE_T *val_c, const int *off_c, int *col_c, void *buffer);
PSB_CUSPARSE(pruneDense2csrByPercentage_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int n,
             const PSB_CUSPARSE_T *A, int lda, float percentage, const struct psb_cusparse_descr *descr_c,
             const PSB_CUSPARSE_T *val_c, const int *off_c, const int *col_c, struct psb_cusparse_info *info,
             size_t *size);
PSB_CUSPARSE(pruneDense2csrNnzByPercentage, struct psb_cusparse_handle *handle, int m, int n,
             const PSB_CUSPARSE_T *A, int lda, float percentage, const struct psb_cusparse_descr *descr_c,
             int *off_c, int *nnz_c, struct psb_cusparse_info *info, void *buffer);
PSB_CUSPARSE(pruneDense2csrByPercentage, struct psb_cusparse_handle *handle, int m, int n,
             const PSB_CUSPARSE_T *A, int lda, float percentage, const struct psb_cusparse_descr *descr_c,
             PSB_CUSPARSE_T *val_c, const int *off_c, int *col_c, struct psb_cusparse_info *info,
             void *buffer);
PSB_CUSPARSE(pruneCsr2csr_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int n, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, const PSB_CUSPARSE_T *threshold, const struct psb_cusparse_descr *descr_c,
             const PSB_CUSPARSE_T *val_c, const int *off_c, const int *col_c, size_t *size);
PSB_CUSPARSE(pruneCsr2csrNnz, struct psb_cusparse_handle *handle, int m, int n, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, const PSB_CUSPARSE_T *threshold, const struct psb_cusparse_descr *descr_c,
             int *off_c, int *nnz_c, void *buffer);
PSB_CUSPARSE(pruneCsr2csr, struct psb_cusparse_handle *handle, int m, int n, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, const PSB_CUSPARSE_T *threshold, const struct psb_cusparse_descr *descr_c,
             PSB_CUSPARSE_T *val_c, const int *off_c, int *col_c, void *buffer);
PSB_CUSPARSE(pruneCsr2csrByPercentage_bufferSizeExt, struct psb_cusparse_handle *handle, int m, int n,
             int nnz, const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, float percentage, const struct psb_cusparse_descr *descr_c,
             const PSB_CUSPARSE_T *val_c, const int *off_c, const int *col_c, struct psb_cusparse_info *info,
             size_t *size);
PSB_CUSPARSE(pruneCsr2csrNnzByPercentage, struct psb_cusparse_handle *handle, int m, int n, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, float percentage, const struct psb_cusparse_descr *descr_c, int *off_c,
             int *nnz_c, struct psb_cusparse_info *info, void *buffer);
PSB_CUSPARSE(pruneCsr2csrByPercentage, struct psb_cusparse_handle *handle, int m, int n, int nnz,
             const struct psb_cusparse_descr *descr, const PSB_CUSPARSE_T *val, const int *off,
             const int *col, float percentage, const struct psb_cusparse_descr *descr_c,
             PSB_CUSPARSE_T *val_c, const int *off_c, int *col_c, struct psb_cusparse_info *info,
             void *buffer);
#endif
