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
