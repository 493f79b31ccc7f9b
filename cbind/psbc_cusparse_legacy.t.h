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
