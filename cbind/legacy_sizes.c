/* legacy_sizes.c -- cbind: sizes of buffers, which are not used, for cuSPARSE's arguments. */
#include "legacy.h"
#include "psb_type.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define SIZE     psb_legacy_size(handle, size, __func__)
#define SIZE_INT psb_legacy_size_int(handle, size, __func__)

int X(cusparse_gtsv2_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int n, const T *dl, const T *d,
                                    const T *du, const T *B, int ldb, size_t *size)
{
    return SIZE;
}

int X(cusparse_gtsv2_nopivot_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int n, const T *dl,
                                            const T *d, const T *du, const T *B, int ldb, size_t *size)
{
    return SIZE;
}

int X(cusparse_gtsv2StridedBatch_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, const T *dl,
                                                const T *d, const T *du, const T *x, int batch, int stride,
                                                size_t *size)
{
    return SIZE;
}

int X(cusparse_gtsvInterleavedBatch_bufferSizeExt)(struct psb_cusparse_handle *handle, int algo, int m,
                                                   const T *dl, const T *d, const T *du, const T *x,
                                                   int batch, size_t *size)
{
    return SIZE;
}

int X(cusparse_gpsvInterleavedBatch_bufferSizeExt)(struct psb_cusparse_handle *handle, int algo, int m,
                                                   const T *ds, const T *dl, const T *d, const T *du,
                                                   const T *dw, const T *x, int batch, size_t *size)
{
    return SIZE;
}

int X(cusparse_csrilu02_bufferSize)(struct psb_cusparse_handle *handle, int m, int nnz,
                                    const struct psb_cusparse_descr *descr, T *val, const int *off,
                                    const int *col, struct psb_cusparse_info *info, int *size)
{
    return SIZE_INT;
}

int X(cusparse_csrilu02_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int nnz,
                                       const struct psb_cusparse_descr *descr, T *val, const int *off,
                                       const int *col, struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}

int X(cusparse_csric02_bufferSize)(struct psb_cusparse_handle *handle, int m, int nnz,
                                   const struct psb_cusparse_descr *descr, T *val, const int *off,
                                   const int *col, struct psb_cusparse_info *info, int *size)
{
    return SIZE_INT;
}

int X(cusparse_csric02_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int nnz,
                                      const struct psb_cusparse_descr *descr, T *val, const int *off,
                                      const int *col, struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}

int X(cusparse_bsrilu02_bufferSize)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                                    const struct psb_cusparse_descr *descr, T *val, const int *off,
                                    const int *col, int block, struct psb_cusparse_info *info, int *size)
{
    return SIZE_INT;
}

int X(cusparse_bsrilu02_bufferSizeExt)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                                       const struct psb_cusparse_descr *descr, T *val, const int *off,
                                       const int *col, int block, struct psb_cusparse_info *info,
                                       size_t *size)
{
    return SIZE;
}

int X(cusparse_bsric02_bufferSize)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                                   const struct psb_cusparse_descr *descr, T *val, const int *off,
                                   const int *col, int block, struct psb_cusparse_info *info, int *size)
{
    return SIZE_INT;
}

int X(cusparse_bsric02_bufferSizeExt)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                                      const struct psb_cusparse_descr *descr, T *val, const int *off,
                                      const int *col, int block, struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}

int X(cusparse_bsrsv2_bufferSize)(struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
                                  const struct psb_cusparse_descr *descr, T *val, const int *off,
                                  const int *col, int block, struct psb_cusparse_info *info, int *size)
{
    return SIZE_INT;
}

int X(cusparse_bsrsv2_bufferSizeExt)(struct psb_cusparse_handle *handle, int dir, int trans, int mb, int nnzb,
                                     const struct psb_cusparse_descr *descr, T *val, const int *off,
                                     const int *col, int block, struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}

int X(cusparse_bsrsm2_bufferSize)(struct psb_cusparse_handle *handle, int dir, int trans, int transXY, int mb,
                                  int n, int nnzb, const struct psb_cusparse_descr *descr, T *val,
                                  const int *off, const int *col, int block, struct psb_cusparse_info *info,
                                  int *size)
{
    return SIZE_INT;
}

int X(cusparse_bsrsm2_bufferSizeExt)(struct psb_cusparse_handle *handle, int dir, int trans, int transXY,
                                     int mb, int n, int nnzb, const struct psb_cusparse_descr *descr, T *val,
                                     const int *off, const int *col, int block,
                                     struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}

#if !CPLX
int X(cusparse_pruneDense2csr_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int n, const T *A,
                                             int lda, const T *threshold,
                                             const struct psb_cusparse_descr *descr_c, const T *val_c,
                                             const int *off_c, const int *col_c, size_t *size)
{
    return SIZE;
}

int X(cusparse_pruneDense2csrByPercentage_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int n,
                                                         const T *A, int lda, float percentage,
                                                         const struct psb_cusparse_descr *descr_c,
                                                         const T *val_c, const int *off_c, const int *col_c,
                                                         struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}

int X(cusparse_pruneCsr2csr_bufferSizeExt)(struct psb_cusparse_handle *handle, int m, int n, int nnz,
                                           const struct psb_cusparse_descr *descr, const T *val,
                                           const int *off, const int *col, const T *threshold,
                                           const struct psb_cusparse_descr *descr_c, const T *val_c,
                                           const int *off_c, const int *col_c, size_t *size)
{
    return SIZE;
}

int X(cusparse_pruneCsr2csrByPercentage_bufferSizeExt)(
    struct psb_cusparse_handle *handle, int m, int n, int nnz, const struct psb_cusparse_descr *descr,
    const T *val, const int *off, const int *col, float percentage, const struct psb_cusparse_descr *descr_c,
    const T *val_c, const int *off_c, const int *col_c, struct psb_cusparse_info *info, size_t *size)
{
    return SIZE;
}
#endif
#pragma GCC diagnostic pop
#undef SIZE
#undef SIZE_INT
