/* peers_factor.c -- test/kernel: cuSPARSE's csrilu02 and csric02, which it deprecates without a successor,
 * and its triangular solve, SpSV, with 32-bit indices, in double precision. */
#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdlib.h>
#include "gpu_factor.h"
#include "cu.h"

struct peer {
    enum peer_kind kind;
    cusparseHandle_t handle;
    int n, nnz;
    int *irp; /* on the device, as the others */
    const int *ja;
    const double *from; /* the values of the matrix */
    void *buffer;
    /* factors */
    cusparseMatDescr_t general;
    csrilu02Info_t ilu;
    csric02Info_t ic;
    cusparseSolvePolicy_t policy;
    double *val;
    /* solves */
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t x, y;
    cusparseSpSVDescr_t plan;
};

static const _Alignas(16) T one = 1; /* aligned as CUDA aligns it */

static void sp(cusparseStatus_t s)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop("cuSPARSE", cusparseGetErrorString(s));
}

static void *device_memory(size_t bytes)
{
    void *p;
    cu(cudaMalloc(&p, bytes ? bytes : 1), "memory for cuSPARSE");
    return p;
}

/* The row pointers as 32-bit integers. */
static void put_pointers(struct peer *p, const struct X(csr_mat) *a)
{
    const size_t n = (size_t)p->n + 1;
    const psb_epk *irp;
    int *narrow = malloc(n * sizeof *narrow);
    if (!narrow || a->mat.nnz > INT32_MAX)
        stop("cuSPARSE", "no memory, or too many entries");
    good(psb_dual_read(&a->irp, PSB_HOST, &irp), "row pointers");
    for (size_t i = 0; i < n; i++)
        narrow[i] = (int)irp[i];
    p->irp = device_memory(n * sizeof *narrow);
    cu(cudaMemcpy(p->irp, narrow, n * sizeof *narrow, cudaMemcpyHostToDevice), "row pointers");
    free(narrow);
}

static void open_matrix(struct peer *p, struct X(mat) *a)
{
    struct X(csr_mat) *c = (struct X(csr_mat) *)a;
    p->n = a->nrows;
    p->nnz = (int)a->nnz;
    put_pointers(p, c);
    good(psb_dual_read(&c->ja, PSB_DEV, &p->ja), "columns");
    good(psb_dual_read(&c->val, PSB_DEV, &p->from), "values");
    sp(cusparseCreate(&p->handle));
    sp(cusparseSetStream(p->handle, psb_cuda_stream()));
}

static void open_factors(struct peer *p)
{
    p->val = device_memory((size_t)p->nnz * sizeof *p->val);
    sp(cusparseCreateMatDescr(&p->general));
    peer_reset(p);
}

static void open_triangle(struct peer *p, const struct X(mat) *a, const T *x, T *y)
{
    cusparseFillMode_t fill = a->is.upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t unit = a->is.unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    sp(cusparseCreateCsr(&p->a, p->n, p->n, p->nnz, p->irp, (void *)(uintptr_t)p->ja,
                         (void *)(uintptr_t)p->from, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    sp(cusparseSpMatSetAttribute(p->a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    sp(cusparseSpMatSetAttribute(p->a, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit));
    sp(cusparseCreateDnVec(&p->x, p->n, (void *)(uintptr_t)x, CUDA_R_64F));
    sp(cusparseCreateDnVec(&p->y, p->n, y, CUDA_R_64F));
    sp(cusparseSpSV_createDescr(&p->plan));
}

static void analyse_ilu(struct peer *p)
{
    int bytes;
    sp(cusparseCreateCsrilu02Info(&p->ilu));
    sp(cusparseDcsrilu02_bufferSize(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ilu,
                                    &bytes));
    p->buffer = device_memory((size_t)bytes);
    sp(cusparseDcsrilu02_analysis(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ilu,
                                  p->policy, p->buffer));
}

static void analyse_ic(struct peer *p)
{
    int bytes;
    sp(cusparseCreateCsric02Info(&p->ic));
    sp(cusparseDcsric02_bufferSize(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ic,
                                   &bytes));
    p->buffer = device_memory((size_t)bytes);
    sp(cusparseDcsric02_analysis(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ic, p->policy,
                                 p->buffer));
}

static void analyse_solve(struct peer *p)
{
    size_t bytes;
    sp(cusparseSpSV_bufferSize(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p->a, p->x, p->y,
                               CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, p->plan, &bytes));
    p->buffer = device_memory(bytes);
    sp(cusparseSpSV_analysis(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p->a, p->x, p->y, CUDA_R_64F,
                             CUSPARSE_SPSV_ALG_DEFAULT, p->plan, p->buffer));
}

double peer_make(enum peer_kind kind, struct X(mat) *a, int by_level, const T *x, T *y, struct peer **out)
{
    static void (*const analyse[])(struct peer *) = { analyse_ilu, analyse_ic, analyse_solve };
    struct peer *p = calloc(1, sizeof *p);
    if (!p)
        stop("cuSPARSE", "no memory");
    p->kind = kind;
    p->policy = by_level ? CUSPARSE_SOLVE_POLICY_USE_LEVEL : CUSPARSE_SOLVE_POLICY_NO_LEVEL;
    open_matrix(p, a);
    if (kind == PEER_SOLVE)
        open_triangle(p, a, x, y);
    else
        open_factors(p);
    const double begun = now();
    analyse[kind](p);
    *out = p;
    return now() - begun;
}

void peer_reset(struct peer *p)
{
    cu(cudaMemcpyAsync(p->val, p->from, (size_t)p->nnz * sizeof *p->val, cudaMemcpyDeviceToDevice,
                       psb_cuda_stream()),
       "values");
    good(psb_cuda_DeviceSync(), "device");
}

void peer_run(struct peer *p)
{
    if (p->kind == PEER_ILU)
        sp(cusparseDcsrilu02(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ilu, p->policy,
                             p->buffer));
    else if (p->kind == PEER_IC)
        sp(cusparseDcsric02(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ic, p->policy,
                            p->buffer));
    else
        sp(cusparseSpSV_solve(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p->a, p->x, p->y, CUDA_R_64F,
                              CUSPARSE_SPSV_ALG_DEFAULT, p->plan));
}

T *peer_values(struct peer *p)
{
    T *val = malloc((size_t)p->nnz * sizeof *val);
    if (!val)
        stop("factors", "no memory");
    cu(cudaMemcpy(val, p->val, (size_t)p->nnz * sizeof *val, cudaMemcpyDeviceToHost), "factors");
    return val;
}

void peer_free(struct peer *p)
{
    if (p->kind == PEER_SOLVE) {
        cusparseSpSV_destroyDescr(p->plan);
        cusparseDestroyDnVec(p->x);
        cusparseDestroyDnVec(p->y);
        cusparseDestroySpMat(p->a);
    } else {
        if (p->ilu)
            cusparseDestroyCsrilu02Info(p->ilu);
        if (p->ic)
            cusparseDestroyCsric02Info(p->ic);
        cusparseDestroyMatDescr(p->general);
    }
    cusparseDestroy(p->handle);
    cudaFree(p->irp);
    cudaFree(p->val);
    cudaFree(p->buffer);
    free(p);
}
