/* peers_spsv.c -- test/kernel: cuSPARSE's triangular solve, SpSV, of one column, with 32-bit
 * indices. */
#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdlib.h>
#include "gpu_solve.h"
#include "cu.h"

struct peer {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t x, y;
    cusparseSpSVDescr_t plan;
    void *irp, *buffer;
};

static const _Alignas(16) T one = 1; /* aligned as CUDA aligns it */

static void sp(cusparseStatus_t s)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop("cuSPARSE", cusparseGetErrorString(s));
}

static cudaDataType type(void)
{
    return LETTER == 's' ? CUDA_R_32F : LETTER == 'd' ? CUDA_R_64F : LETTER == 'c' ? CUDA_C_32F : CUDA_C_64F;
}

/* *dev = the row pointers as 32-bit integers. */
static void put_pointers(const struct X(csr_mat) *a, void **dev)
{
    const size_t n = (size_t)a->mat.nrows + 1;
    const psb_epk *irp;
    int *narrow = malloc(n * sizeof *narrow);
    if (!narrow || a->mat.nnz > INT32_MAX)
        stop("cuSPARSE", "no memory, or too many entries");
    good(psb_dual_read(&a->irp, PSB_HOST, &irp), "row pointers");
    for (size_t i = 0; i < n; i++)
        narrow[i] = (int)irp[i];
    cu(cudaMalloc(dev, n * sizeof *narrow), "row pointers");
    cu(cudaMemcpy(*dev, narrow, n * sizeof *narrow, cudaMemcpyHostToDevice), "row pointers");
    free(narrow);
}

static void open_matrix(struct peer *p, struct X(mat) *a)
{
    struct X(csr_mat) *c = (struct X(csr_mat) *)a;
    cusparseFillMode_t fill = a->is.upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t unit = a->is.unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    void *ja, *val;
    put_pointers(c, &p->irp);
    good(psb_dual_read(&c->ja, PSB_DEV, &ja), "columns");
    good(psb_dual_read(&c->val, PSB_DEV, &val), "values");
    sp(cusparseCreateCsr(&p->a, a->nrows, a->ncols, a->nnz, p->irp, ja, val, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type()));
    sp(cusparseSpMatSetAttribute(p->a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    sp(cusparseSpMatSetAttribute(p->a, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit));
}

static void analyse(struct peer *p)
{
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t bytes;
    sp(cusparseSpSV_bufferSize(p->handle, op, &one, p->a, p->x, p->y, type(), CUSPARSE_SPSV_ALG_DEFAULT,
                               p->plan, &bytes));
    cu(cudaMalloc(&p->buffer, bytes ? bytes : 1), "buffer of cuSPARSE");
    sp(cusparseSpSV_analysis(p->handle, op, &one, p->a, p->x, p->y, type(), CUSPARSE_SPSV_ALG_DEFAULT,
                             p->plan, p->buffer));
}

double peer_make(struct X(mat) *a, const T *x, T *y, struct peer **out)
{
    struct peer *p = calloc(1, sizeof *p);
    if (!p)
        stop("cuSPARSE", "no memory");
    sp(cusparseCreate(&p->handle));
    sp(cusparseSetStream(p->handle, psb_cuda_stream()));
    open_matrix(p, a);
    sp(cusparseCreateDnVec(&p->x, a->ncols, (void *)(uintptr_t)x, type()));
    sp(cusparseCreateDnVec(&p->y, a->nrows, y, type()));
    sp(cusparseSpSV_createDescr(&p->plan));
    good(psb_cuda_DeviceSync(), "device");
    const double begun = psb_wtime();
    analyse(p);
    good(psb_cuda_DeviceSync(), "device");
    *out = p;
    return psb_wtime() - begun;
}

void peer_solve(struct peer *p)
{
    sp(cusparseSpSV_solve(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p->a, p->x, p->y, type(),
                          CUSPARSE_SPSV_ALG_DEFAULT, p->plan));
}

void peer_free(struct peer *p)
{
    cusparseSpSV_destroyDescr(p->plan);
    cusparseDestroyDnVec(p->x);
    cusparseDestroyDnVec(p->y);
    cusparseDestroySpMat(p->a);
    cusparseDestroy(p->handle);
    cudaFree(p->irp);
    cudaFree(p->buffer);
    free(p);
}
