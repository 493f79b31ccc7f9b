/* peers_csrilu.c -- test/kernel: cuSPARSE's csrilu02 and csric02, with 32-bit indices, in double
 * precision; cuSPARSE deprecates them without a successor. */
#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdlib.h>
#include "gpu_factor.h"
#include "cu.h"

struct peer {
    cusparseHandle_t handle;
    cusparseMatDescr_t general;
    csrilu02Info_t ilu; /* NULL for Cholesky */
    csric02Info_t ic;   /* NULL for ILU */
    cusparseSolvePolicy_t policy;
    int n, nnz;
    int *irp;
    const int *ja;
    const double *from; /* the values of the matrix */
    double *val;
    void *buffer;
};

static void sp(cusparseStatus_t s)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop("cuSPARSE", cusparseGetErrorString(s));
}

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
    cu(cudaMalloc((void **)&p->irp, n * sizeof *narrow), "row pointers");
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
    cu(cudaMalloc((void **)&p->val, (size_t)p->nnz * sizeof *p->val), "values");
    sp(cusparseCreate(&p->handle));
    sp(cusparseSetStream(p->handle, psb_cuda_stream()));
    sp(cusparseCreateMatDescr(&p->general));
}

static void analyse_ilu(struct peer *p)
{
    int bytes;
    sp(cusparseCreateCsrilu02Info(&p->ilu));
    sp(cusparseDcsrilu02_bufferSize(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ilu,
                                    &bytes));
    cu(cudaMalloc(&p->buffer, bytes ? (size_t)bytes : 1), "buffer of cuSPARSE");
    sp(cusparseDcsrilu02_analysis(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ilu,
                                  p->policy, p->buffer));
}

static void analyse_ic(struct peer *p)
{
    int bytes;
    sp(cusparseCreateCsric02Info(&p->ic));
    sp(cusparseDcsric02_bufferSize(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ic,
                                   &bytes));
    cu(cudaMalloc(&p->buffer, bytes ? (size_t)bytes : 1), "buffer of cuSPARSE");
    sp(cusparseDcsric02_analysis(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ic, p->policy,
                                 p->buffer));
}

double peer_make(struct X(mat) *a, int cholesky, int by_level, struct peer **out)
{
    struct peer *p = calloc(1, sizeof *p);
    if (!p)
        stop("cuSPARSE", "no memory");
    p->policy = by_level ? CUSPARSE_SOLVE_POLICY_USE_LEVEL : CUSPARSE_SOLVE_POLICY_NO_LEVEL;
    open_matrix(p, a);
    peer_reset(p);
    const double begun = psb_wtime();
    if (cholesky)
        analyse_ic(p);
    else
        analyse_ilu(p);
    good(psb_cuda_DeviceSync(), "device");
    *out = p;
    return psb_wtime() - begun;
}

void peer_reset(struct peer *p)
{
    cu(cudaMemcpyAsync(p->val, p->from, (size_t)p->nnz * sizeof *p->val, cudaMemcpyDeviceToDevice,
                       psb_cuda_stream()),
       "values");
    good(psb_cuda_DeviceSync(), "device");
}

void peer_factor(struct peer *p)
{
    if (p->ilu)
        sp(cusparseDcsrilu02(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ilu, p->policy,
                             p->buffer));
    else
        sp(cusparseDcsric02(p->handle, p->n, p->nnz, p->general, p->val, p->irp, p->ja, p->ic, p->policy,
                            p->buffer));
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
    if (p->ilu)
        cusparseDestroyCsrilu02Info(p->ilu);
    if (p->ic)
        cusparseDestroyCsric02Info(p->ic);
    cusparseDestroyMatDescr(p->general);
    cusparseDestroy(p->handle);
    cudaFree(p->irp);
    cudaFree(p->val);
    cudaFree(p->buffer);
    free(p);
}
