/* peers_algebra.c -- test/kernel: cuSPARSE's SpGEMM, csrgeam2, Csr2cscEx2 and csrcolor, in 32-bit indices.
 * Memory is that of the device's stream-ordered pool, which keeps it, as PSBC keeps its own. */
#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdlib.h>
#include "peers_algebra.h"
#include "cu.h"

enum { BUFFERS = 8 };

struct X(algebra_peer) {
    cusparseHandle_t handle;
    cusparseMatDescr_t general;
    int m, n, nnz;
    int *irp, *ja; /* on the device, as the others */
    void *val;
    cusparseSpMatDescr_t a, again;
    cusparseSpGEMMDescr_t plan;
    void *kept[BUFFERS]; /* of SpGEMMreuse */
    int *c_irp;
    size_t bytes; /* taken and not given back */
    int colours;
};

static const _Alignas(16) T one = 1, zero = 0, two = 2, three = 3; /* aligned as CUDA aligns them */

static const cudaDataType_t data_type = CPLX ? (sizeof(R) == sizeof(double) ? CUDA_C_64F : CUDA_C_32F)
                                             : (sizeof(R) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F);

static void call(cusparseStatus_t s)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop("cuSPARSE", cusparseGetErrorString(s));
}

static void *get(struct X(algebra_peer) *p, size_t bytes)
{
    void *at;
    cu(cudaMallocAsync(&at, bytes ? bytes : 1, psb_cuda_stream()), "memory for cuSPARSE");
    p->bytes += bytes;
    return at;
}

static void give(void *at)
{
    cu(cudaFreeAsync(at, psb_cuda_stream()), "memory of cuSPARSE");
}

static void keep_memory(void)
{
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    int device;
    cu(cudaGetDevice(&device), "device");
    cu(cudaDeviceGetDefaultMemPool(&pool, device), "pool");
    cu(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "pool");
}

static cusparseSpMatDescr_t matrix_of(int m, int n, int nnz, void *irp, void *ja, void *val)
{
    cusparseSpMatDescr_t a;
    call(cusparseCreateCsr(&a, m, n, nnz, irp, ja, val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, data_type));
    return a;
}

struct X(algebra_peer) *X(algebra_peer_make)(struct X(mat) *a)
{
    struct X(csr_mat) *c = (struct X(csr_mat) *)a;
    struct X(algebra_peer) *p = calloc(1, sizeof *p);
    const size_t n = (size_t)a->nrows + 1;
    const psb_epk *irp;
    const psb_ipk *ja;
    const T *val;
    int *narrow = malloc(n * sizeof *narrow);
    if (!p || !narrow || a->nnz > INT32_MAX)
        stop("cuSPARSE", "no memory, or too many entries");
    keep_memory();
    *p = (struct X(algebra_peer)){ .m = a->nrows, .n = a->ncols, .nnz = (int)a->nnz };
    good(psb_dual_read(&c->irp, PSB_HOST, &irp), "row pointers");
    good(psb_dual_read(&c->ja, PSB_DEV, &ja), "columns");
    good(psb_dual_read(&c->val, PSB_DEV, &val), "values");
    for (size_t i = 0; i < n; i++)
        narrow[i] = (int)irp[i];
    p->irp = get(p, n * sizeof *narrow);
    cu(cudaMemcpy(p->irp, narrow, n * sizeof *narrow, cudaMemcpyHostToDevice), "row pointers");
    free(narrow);
    p->ja = (int *)(uintptr_t)ja;
    p->val = (void *)(uintptr_t)val;
    call(cusparseCreate(&p->handle));
    call(cusparseSetStream(p->handle, psb_cuda_stream()));
    call(cusparseCreateMatDescr(&p->general));
    p->a = matrix_of(p->m, p->n, p->nnz, p->irp, p->ja, p->val);
    return p;
}

/* --- products ------------------------------------------------------------------------------------------- */

#define OPERANDS(p, q, c) \
    (p)->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, (p)->a, (q)->a, \
        &zero, c, data_type

/* The buffers of a product: false if cuSPARSE refuses. */
static bool prepare(struct X(algebra_peer) *p, const struct X(algebra_peer) *q, cusparseSpMatDescr_t c,
                    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t plan, void **b)
{
    size_t n = 0, more = 0;
    if (cusparseSpGEMM_workEstimation(OPERANDS(p, q, c), alg, plan, &n, NULL) != CUSPARSE_STATUS_SUCCESS)
        return false;
    b[0] = get(p, n);
    if (cusparseSpGEMM_workEstimation(OPERANDS(p, q, c), alg, plan, &n, b[0]) != CUSPARSE_STATUS_SUCCESS)
        return false;
    if (alg != CUSPARSE_SPGEMM_ALG1) {
        if (cusparseSpGEMM_estimateMemory(OPERANDS(p, q, c), alg, plan, .2F, &n, NULL, NULL) !=
            CUSPARSE_STATUS_SUCCESS)
            return false;
        b[1] = get(p, n);
        call(cusparseSpGEMM_estimateMemory(OPERANDS(p, q, c), alg, plan, .2F, &n, b[1], &more));
        give(b[1]);
        p->bytes -= n;
    } else if (cusparseSpGEMM_compute(OPERANDS(p, q, c), alg, plan, &more, NULL) != CUSPARSE_STATUS_SUCCESS) {
        return false;
    }
    b[1] = get(p, more);
    return cusparseSpGEMM_compute(OPERANDS(p, q, c), alg, plan, &more, b[1]) == CUSPARSE_STATUS_SUCCESS;
}

bool X(peer_product)(struct X(algebra_peer) *p, const struct X(algebra_peer) *q, int algorithm, size_t *bytes)
{
    static const cusparseSpGEMMAlg_t algs[] = { CUSPARSE_SPGEMM_ALG1, CUSPARSE_SPGEMM_ALG2,
                                                CUSPARSE_SPGEMM_ALG3 };
    const cusparseSpGEMMAlg_t alg = algs[algorithm - 1];
    cusparseSpGEMMDescr_t plan;
    void *b[5] = { NULL };
    int64_t m, n, nnz;
    p->bytes = 0;
    b[2] = get(p, ((size_t)p->m + 1) * sizeof(int));
    cusparseSpMatDescr_t c = matrix_of(p->m, q->n, 0, b[2], NULL, NULL);
    call(cusparseSpGEMM_createDescr(&plan));
    const bool can = prepare(p, q, c, alg, plan, b);
    if (can) {
        call(cusparseSpMatGetSize(c, &m, &n, &nnz));
        b[3] = get(p, (size_t)nnz * sizeof(int));
        b[4] = get(p, (size_t)nnz * sizeof(T));
        call(cusparseCsrSetPointers(c, b[2], b[3], b[4]));
        call(cusparseSpGEMM_copy(OPERANDS(p, q, c), alg, plan));
    }
    call(cusparseSpGEMM_destroyDescr(plan));
    call(cusparseDestroySpMat(c));
    for (int i = 0; i < 5; i++)
        if (b[i])
            give(b[i]);
    *bytes = p->bytes;
    return can;
}

#define REUSED(p) \
    (p)->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, (p)->a, (p)->a, \
        (p)->again, CUSPARSE_SPGEMM_DEFAULT, (p)->plan

void X(peer_reuse)(struct X(algebra_peer) *p)
{
    size_t n[5] = { 0 };
    int64_t m, cols, nnz;
    p->c_irp = get(p, ((size_t)p->m + 1) * sizeof(int));
    p->again = matrix_of(p->m, p->n, 0, p->c_irp, NULL, NULL);
    call(cusparseSpGEMM_createDescr(&p->plan));
    call(cusparseSpGEMMreuse_workEstimation(REUSED(p), &n[0], NULL));
    p->kept[0] = get(p, n[0]);
    call(cusparseSpGEMMreuse_workEstimation(REUSED(p), &n[0], p->kept[0]));
    call(cusparseSpGEMMreuse_nnz(REUSED(p), &n[1], NULL, &n[2], NULL, &n[3], NULL));
    for (int i = 1; i < 4; i++)
        p->kept[i] = get(p, n[i]);
    call(cusparseSpGEMMreuse_nnz(REUSED(p), &n[1], p->kept[1], &n[2], p->kept[2], &n[3], p->kept[3]));
    call(cusparseSpMatGetSize(p->again, &m, &cols, &nnz));
    p->kept[4] = get(p, (size_t)nnz * sizeof(int));
    p->kept[5] = get(p, (size_t)nnz * sizeof(T));
    call(cusparseCsrSetPointers(p->again, p->c_irp, p->kept[4], p->kept[5]));
    call(cusparseSpGEMMreuse_copy(REUSED(p), &n[4], NULL));
    p->kept[6] = get(p, n[4]);
    call(cusparseSpGEMMreuse_copy(REUSED(p), &n[4], p->kept[6]));
}

void X(peer_again)(void *of)
{
    struct X(algebra_peer) *p = of;
    call(cusparseSpGEMMreuse_compute(OPERANDS(p, p, p->again), CUSPARSE_SPGEMM_DEFAULT, p->plan));
}

/* --- sums and transposes -------------------------------------------------------------------------------- */

/* The calls of csrgeam2 for T; they take pointers to the complex numbers of CUDA. */
#define SIZE_OF_SUM \
    _Generic((T)0, float \
             : cusparseScsrgeam2_bufferSizeExt, double \
             : cusparseDcsrgeam2_bufferSizeExt, float _Complex \
             : cusparseCcsrgeam2_bufferSizeExt, default \
             : cusparseZcsrgeam2_bufferSizeExt)
#define SUM \
    _Generic((T)0, float \
             : cusparseScsrgeam2, double \
             : cusparseDcsrgeam2, float _Complex \
             : cusparseCcsrgeam2, default \
             : cusparseZcsrgeam2)

void X(peer_sum)(void *of)
{
    struct X(algebra_peer) *p = of;
    const void *a = &two, *b = &three;
    size_t n;
    int nnz;
    int *irp = get(p, ((size_t)p->m + 1) * sizeof *irp);
    call(SIZE_OF_SUM(p->handle, p->m, p->n, a, p->general, p->nnz, p->val, p->irp, p->ja, b, p->general,
                     p->nnz, p->val, p->irp, p->ja, p->general, NULL, irp, NULL, &n));
    void *own = get(p, n);
    call(cusparseXcsrgeam2Nnz(p->handle, p->m, p->n, p->general, p->nnz, p->irp, p->ja, p->general, p->nnz,
                              p->irp, p->ja, p->general, irp, &nnz, own));
    int *ja = get(p, (size_t)nnz * sizeof *ja);
    void *val = get(p, (size_t)nnz * sizeof(T));
    call(SUM(p->handle, p->m, p->n, a, p->general, p->nnz, p->val, p->irp, p->ja, b, p->general, p->nnz,
             p->val, p->irp, p->ja, p->general, val, irp, ja, own));
    give(irp);
    give(own);
    give(ja);
    give(val);
}

void X(peer_transpose)(void *of)
{
    struct X(algebra_peer) *p = of;
    size_t n;
    int *irp = get(p, ((size_t)p->n + 1) * sizeof *irp), *ja = get(p, (size_t)p->nnz * sizeof *ja);
    void *val = get(p, (size_t)p->nnz * sizeof(T));
    call(cusparseCsr2cscEx2_bufferSize(p->handle, p->m, p->n, p->nnz, p->val, p->irp, p->ja, val, irp, ja,
                                       data_type, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                                       CUSPARSE_CSR2CSC_ALG_DEFAULT, &n));
    void *own = get(p, n);
    call(cusparseCsr2cscEx2(p->handle, p->m, p->n, p->nnz, p->val, p->irp, p->ja, val, irp, ja, data_type,
                            CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT,
                            own));
    give(irp);
    give(ja);
    give(val);
    give(own);
}

/* --- colours -------------------------------------------------------------------------------------------- */

#define COLOUR \
    _Generic((T)0, float \
             : cusparseScsrcolor, double \
             : cusparseDcsrcolor, float _Complex \
             : cusparseCcsrcolor, default \
             : cusparseZcsrcolor)

void X(peer_colours)(void *of)
{
    static const R all = 1;
    struct X(algebra_peer) *p = of;
    const void *val = p->val;
    cusparseColorInfo_t info;
    int *colour = get(p, (size_t)p->m * sizeof *colour), *order = get(p, (size_t)p->m * sizeof *order);
    call(cusparseCreateColorInfo(&info));
    call(COLOUR(p->handle, p->m, p->nnz, p->general, val, p->irp, p->ja, &all, &p->colours, colour, order,
                info));
    call(cusparseDestroyColorInfo(info));
    give(colour);
    give(order);
}

int X(peer_colours_found)(const struct X(algebra_peer) *p)
{
    return p->colours;
}

void X(algebra_peer_free)(struct X(algebra_peer) *p)
{
    if (p->plan) {
        call(cusparseSpGEMM_destroyDescr(p->plan));
        call(cusparseDestroySpMat(p->again));
        give(p->c_irp);
    }
    for (int i = 0; i < BUFFERS; i++)
        if (p->kept[i])
            give(p->kept[i]);
    call(cusparseDestroySpMat(p->a));
    call(cusparseDestroyMatDescr(p->general));
    call(cusparseDestroy(p->handle));
    give(p->irp);
    free(p);
}
