/* psbc_cusparse_legacy.h -- cbind: calls that cuSPARSE deprecates without successors, with its arguments,
 * over this library.
 *
 * psb_?_cusparse_NAME is cusparse<t>NAME, psb_cusparse_... are the calls for handles, descriptions of
 * matrices and infos; options and statuses are cuSPARSE's numbers.  If PSBC_CUSPARSE_NAMES is defined before
 * this header is included, calls, types and constants have cuSPARSE's names too, for sources that do not
 * include cusparse.h; complex scalars are those of cuComplex.h where that was included before.
 *
 * Differences: arrays are in memory of the device of this library, or of the host if it uses none.  Calls
 * wait for their results.  Buffers are not used: their size is 1 byte, and NULL serves.  The first handle
 * initialises MPI, unless the caller has, and the device, GPU 0 unless the caller has called
 * psb_cuda_init_device; both stay until the program ends.  The stream of a handle becomes that of the library
 * with the next call.  After an error psb_errmsg says what is wrong with which argument.  All calls are
 * local, and made by one thread of a process. */
#ifndef PSBC_CUSPARSE_LEGACY_H
#define PSBC_CUSPARSE_LEGACY_H
#include <stddef.h>
#include "psb_lang.h"
#include "psb_scalar.h"
PSB_BEGIN_C

struct psb_cusparse_handle;
struct psb_cusparse_descr; /* a type of matrix, fill mode, type of diagonal, index base */
struct psb_cusparse_info;  /* what an analysis keeps, of all families */

int psb_cusparse_create(struct psb_cusparse_handle **handle);
int psb_cusparse_destroy(struct psb_cusparse_handle *handle);
int psb_cusparse_set_stream(struct psb_cusparse_handle *handle, void *stream);
int psb_cusparse_get_stream(struct psb_cusparse_handle *handle, void **stream);
int psb_cusparse_set_pointer_mode(struct psb_cusparse_handle *handle, int mode);
int psb_cusparse_get_pointer_mode(struct psb_cusparse_handle *handle, int *mode);
/* "CUSPARSE_STATUS_SUCCESS" and the like; the same in words. */
const char *psb_cusparse_error_name(int status);
const char *psb_cusparse_error_string(int status);
int psb_cusparse_create_descr(struct psb_cusparse_descr **descr);
int psb_cusparse_destroy_descr(struct psb_cusparse_descr *descr);
int psb_cusparse_set_type(struct psb_cusparse_descr *descr, int type);
int psb_cusparse_get_type(const struct psb_cusparse_descr *descr);
int psb_cusparse_set_fill(struct psb_cusparse_descr *descr, int fill);
int psb_cusparse_get_fill(const struct psb_cusparse_descr *descr);
int psb_cusparse_set_diag(struct psb_cusparse_descr *descr, int diag);
int psb_cusparse_get_diag(const struct psb_cusparse_descr *descr);
int psb_cusparse_set_base(struct psb_cusparse_descr *descr, int base);
int psb_cusparse_get_base(const struct psb_cusparse_descr *descr);
int psb_cusparse_create_info(struct psb_cusparse_info **info);
int psb_cusparse_destroy_info(struct psb_cusparse_info *info);
int psb_cusparse_zero_pivot(struct psb_cusparse_handle *handle, struct psb_cusparse_info *info,
                            int *position);

#define PSB_CUSPARSE(name, ...) int X(cusparse_##name)(__VA_ARGS__)
#define PSB_CUSPARSE_T          T
#define PSB_TEMPLATE            "psbc_cusparse_legacy.t.h"
#include "psb_each_type.h"
#undef PSB_CUSPARSE
#undef PSB_CUSPARSE_T

#ifdef PSBC_CUSPARSE_NAMES
#ifdef CUSPARSE_H_
#error \
    "PSBC_CUSPARSE_NAMES and cusparse.h declare the same names; expected one of them, or the names psb_?_cusparse_..."
#endif
typedef struct CUstream_st *cudaStream_t;
typedef struct psb_cusparse_handle *cusparseHandle_t;
typedef struct psb_cusparse_descr *cusparseMatDescr_t;
typedef struct psb_cusparse_info *csrilu02Info_t, *csric02Info_t, *bsrilu02Info_t, *bsric02Info_t,
    *bsrsv2Info_t, *bsrsm2Info_t, *cusparseColorInfo_t, *pruneInfo_t;
typedef enum {
    CUSPARSE_STATUS_SUCCESS,
    CUSPARSE_STATUS_NOT_INITIALIZED,
    CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE,
    CUSPARSE_STATUS_ARCH_MISMATCH,
    CUSPARSE_STATUS_MAPPING_ERROR,
    CUSPARSE_STATUS_EXECUTION_FAILED,
    CUSPARSE_STATUS_INTERNAL_ERROR,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
    CUSPARSE_STATUS_ZERO_PIVOT,
    CUSPARSE_STATUS_NOT_SUPPORTED,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC,
    CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE,
    CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;

/* clang-format off */
#define PSB_CUSPARSE_IS(name) __asm__("psb_cusparse_" name)
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) PSB_CUSPARSE_IS("create");
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) PSB_CUSPARSE_IS("destroy");
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) PSB_CUSPARSE_IS("set_stream");
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) PSB_CUSPARSE_IS("get_stream");
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
    PSB_CUSPARSE_IS("set_pointer_mode");
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
    PSB_CUSPARSE_IS("get_pointer_mode");
const char *cusparseGetErrorName(cusparseStatus_t status) PSB_CUSPARSE_IS("error_name");
const char *cusparseGetErrorString(cusparseStatus_t status) PSB_CUSPARSE_IS("error_string");
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr) PSB_CUSPARSE_IS("create_descr");
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) PSB_CUSPARSE_IS("destroy_descr");
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type) PSB_CUSPARSE_IS("set_type");
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr) PSB_CUSPARSE_IS("get_type");
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill) PSB_CUSPARSE_IS("set_fill");
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr) PSB_CUSPARSE_IS("get_fill");
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diag) PSB_CUSPARSE_IS("set_diag");
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr) PSB_CUSPARSE_IS("get_diag");
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base)
    PSB_CUSPARSE_IS("set_base");
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr) PSB_CUSPARSE_IS("get_base");
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *info) PSB_CUSPARSE_IS("create_info");
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info) PSB_CUSPARSE_IS("destroy_info");
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position)
    PSB_CUSPARSE_IS("zero_pivot");
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int *position)
    PSB_CUSPARSE_IS("zero_pivot");
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t handle, bsrilu02Info_t info, int *position)
    PSB_CUSPARSE_IS("zero_pivot");
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t handle, bsric02Info_t info, int *position)
    PSB_CUSPARSE_IS("zero_pivot");
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t handle, bsrsv2Info_t info, int *position)
    PSB_CUSPARSE_IS("zero_pivot");
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t handle, bsrsm2Info_t info, int *position)
    PSB_CUSPARSE_IS("zero_pivot");
/* clang-format on */
#undef PSB_CUSPARSE_IS

#define PSB_CUSPARSE_STRING_(a)   #a
#define PSB_CUSPARSE_STRING(a)    PSB_CUSPARSE_STRING_(a)
#define PSB_CUSPARSE_NAME_s(name) cusparseS##name
#define PSB_CUSPARSE_NAME_d(name) cusparseD##name
#define PSB_CUSPARSE_NAME_c(name) cusparseC##name
#define PSB_CUSPARSE_NAME_z(name) cusparseZ##name
#define PSB_CUSPARSE(name, ...) \
    cusparseStatus_t PSB_CAT(PSB_CUSPARSE_NAME_, \
                             PSB_NOW)(name)(__VA_ARGS__) __asm__(PSB_CUSPARSE_STRING(X(cusparse_##name)))
#ifdef CU_COMPLEX_H_
#define PSB_CUSPARSE_T_s float
#define PSB_CUSPARSE_T_d double
#define PSB_CUSPARSE_T_c cuComplex
#define PSB_CUSPARSE_T_z cuDoubleComplex
#define PSB_CUSPARSE_T   PSB_CAT(PSB_CUSPARSE_T_, PSB_NOW)
#else
#define PSB_CUSPARSE_T T
#endif
#define PSB_TEMPLATE "psbc_cusparse_legacy.t.h"
#include "psb_each_type.h"
#undef PSB_CUSPARSE
#undef PSB_CUSPARSE_T
#endif
PSB_END_C
#endif
