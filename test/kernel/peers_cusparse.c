/* peers_cusparse.c -- test/kernel: the peers of gpu_spmv: cuSPARSE: CSR, sliced ELL and blocks with one
 * column; CSR with several; and CUB. */
#define DISABLE_CUSPARSE_DEPRECATED
#include "psb_cuda_format.h"
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "spmv.h"
#include "peers_gpu.h"

enum { SLICE = 32, MOST_PADDING = 8 };
enum layout { ROWS, SLICES, BLOCKS };

/* A product of cuSPARSE; alg is a cusparseSpMVAlg_t, or with several columns a cusparseSpMMAlg_t. */
struct algorithm {
    const char *name;
    enum layout layout;
    int alg;
    int block; /* rows and columns of a block */
    cusparseOrder_t order;
};

static const struct algorithm one_column[] = {
    { "CSR-ALG1", ROWS, CUSPARSE_SPMV_CSR_ALG1, 0, CUSPARSE_ORDER_ROW },
    { "CSR-ALG2", ROWS, CUSPARSE_SPMV_CSR_ALG2, 0, CUSPARSE_ORDER_ROW },
    { "SELL-32", SLICES, CUSPARSE_SPMV_SELL_ALG1, 0, CUSPARSE_ORDER_ROW },
    { "BSR-2", BLOCKS, CUSPARSE_SPMV_BSR_ALG1, 2, CUSPARSE_ORDER_ROW },
    { "BSR-2-COL", BLOCKS, CUSPARSE_SPMV_BSR_ALG1, 2, CUSPARSE_ORDER_COL },
    { "BSR-3", BLOCKS, CUSPARSE_SPMV_BSR_ALG1, 3, CUSPARSE_ORDER_ROW },
    { "BSR-3-COL", BLOCKS, CUSPARSE_SPMV_BSR_ALG1, 3, CUSPARSE_ORDER_COL },
    { "BSR-4", BLOCKS, CUSPARSE_SPMV_BSR_ALG1, 4, CUSPARSE_ORDER_ROW },
    { "BSR-4-COL", BLOCKS, CUSPARSE_SPMV_BSR_ALG1, 4, CUSPARSE_ORDER_COL },
    { NULL, ROWS, 0, 0, CUSPARSE_ORDER_ROW },
};

static const struct algorithm columns[] = {
    { "MM-ALG1", ROWS, CUSPARSE_SPMM_CSR_ALG1, 0, CUSPARSE_ORDER_ROW },
    { "MM-ALG2", ROWS, CUSPARSE_SPMM_CSR_ALG2, 0, CUSPARSE_ORDER_ROW },
    { "MM-ALG3", ROWS, CUSPARSE_SPMM_CSR_ALG3, 0, CUSPARSE_ORDER_ROW },
    { NULL, ROWS, 0, 0, CUSPARSE_ORDER_ROW },
};

const char *X(cusparse_version)(void)
{
    static char text[48];
    int v[3] = { 0 };
    for (int k = 0; k < 3; k++)
        cusparseGetProperty((libraryPropertyType)(MAJOR_VERSION + k), &v[k]);
    snprintf(text, sizeof text, "%d.%d.%d", v[0], v[1], v[2]);
    return text;
}

/* --- the rows of the matrix on the GPU, which all peers share --- */

struct device_rows X(device_rows);

psb_err X(cuda_error)(cudaError_t e, const char *what)
{
    if (e == cudaErrorMemoryAllocation)
        (void)cudaGetLastError();
    PSB_CHECK(e == cudaSuccess, e == cudaErrorMemoryAllocation ? PSB_ENOMEM : PSB_EDEVICE, "%s: %s", what,
              cudaGetErrorString(e));
    return PSB_OK;
}

psb_err X(copy_to_device)(void **p, const void *host, size_t bytes)
{
    PSB_TRY(X(cuda_error)(cudaMalloc(p, bytes ? bytes : 1), "device memory"));
    PSB_TRY(X(cuda_error)(cudaMemcpy(*p, host, bytes, cudaMemcpyHostToDevice), "copy to the device"));
    return X(cuda_error)(cudaDeviceSynchronize(), "copy to the device"); /* no other stream waits for it */
}

static psb_err set_rows(const struct problem *p)
{
    struct device_rows *r = &X(device_rows);
    PSB_TRY(psb_alloc_zero(&r->irp, (size_t)p->rows + 1, sizeof *r->irp, "row pointers"));
    for (psb_epk k = 0; k < p->nnz; k++)
        r->irp[p->a->ia[k] + 1]++;
    for (psb_ipk i = 0; i < p->rows; i++)
        r->irp[i + 1] += r->irp[i];
    PSB_TRY(X(copy_to_device)(&r->dev_irp, r->irp, ((size_t)p->rows + 1) * sizeof *r->irp));
    PSB_TRY(X(copy_to_device)(&r->dev_ja, p->a->ja, (size_t)p->nnz * sizeof *p->a->ja));
    return X(copy_to_device)(&r->dev_val, p->a->val, (size_t)p->nnz * sizeof *p->a->val);
}

static void free_rows(void)
{
    cudaFree(X(device_rows).dev_irp);
    cudaFree(X(device_rows).dev_ja);
    cudaFree(X(device_rows).dev_val);
    psb_free(X(device_rows).irp);
    memset(&X(device_rows), 0, sizeof X(device_rows));
}

/* --- cuSPARSE --- */

/* Shared by all products of a matrix. */
static struct {
    cusparseHandle_t handle;
    cusparseDnVecDescr_t x, y;
    cusparseDnMatDescr_t xs, ys;
} all;

struct theirs {
    const struct algorithm *way;
    cusparseSpMatDescr_t a;
    void *ptr, *ja, *val; /* own arrays, or NULL */
    void *buffer;
};

static const _Alignas(16) T one = 1, zero = 0; /* aligned as CUDA aligns them */

static cudaDataType type(void)
{
    return LETTER == 's' ? CUDA_R_32F : LETTER == 'd' ? CUDA_R_64F : LETTER == 'c' ? CUDA_C_32F : CUDA_C_64F;
}

static cusparseOperation_t op(void)
{
    return opt.trans == 'N'            ? CUSPARSE_OPERATION_NON_TRANSPOSE
           : opt.trans == 'T' || !CPLX ? CUSPARSE_OPERATION_TRANSPOSE
                                       : CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

/* --- errors: a failure ends the program, an algorithm that is not available does not --- */

static psb_err sp(cusparseStatus_t s, const char *what)
{
    const int memory = s == CUSPARSE_STATUS_ALLOC_FAILED || s == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
    const int offered = s != CUSPARSE_STATUS_NOT_SUPPORTED && s != CUSPARSE_STATUS_INVALID_VALUE &&
                        s != CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED && s != CUSPARSE_STATUS_ARCH_MISMATCH;
    PSB_CHECK(s == CUSPARSE_STATUS_SUCCESS,
              memory    ? PSB_ENOMEM
              : offered ? PSB_EDEVICE
                        : PSB_ENOTIMPL,
              "%s: %s", what, cusparseGetErrorString(s));
    return PSB_OK;
}

/* --- rows --- */

static psb_err make_rows(const struct problem *p, struct theirs *c)
{
    return sp(cusparseCreateCsr(&c->a, p->rows, p->cols, p->nnz, X(device_rows).dev_irp,
                                X(device_rows).dev_ja, X(device_rows).dev_val, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type()),
              "cusparseCreateCsr");
}

/* --- slices of 32 rows, each padded to its longest --- */

/* Returns the first row after slice s. */
static int slice_end(const struct problem *p, int s)
{
    return p->rows - s * SLICE < SLICE ? p->rows : (s + 1) * SLICE;
}

/* Set offset[k] to the beginning of slice k. */
static psb_err set_offsets(const struct problem *p, int slices, int *offset)
{
    const int *irp = X(device_rows).irp;
    long long size = 0;
    for (int s = 0; s < slices; s++) {
        int width = 0;
        for (int i = s * SLICE; i < slice_end(p, s); i++)
            width = irp[i + 1] - irp[i] > width ? irp[i + 1] - irp[i] : width;
        offset[s] = (int)size;
        size += (long long)width * SLICE;
        PSB_CHECK(size <= (long long)MOST_PADDING * p->nnz + SLICE * SLICE && size <= INT_MAX, PSB_EPADDING,
                  "%.3g times the entries in %d of %d slices already; expected at most %d times in all",
                  (double)size / (double)p->nnz, s + 1, slices, MOST_PADDING);
    }
    offset[slices] = (int)size;
    return PSB_OK;
}

static void fill_slices(const struct problem *p, int slices, const int *offset, int *ja, T *val)
{
    const int *irp = X(device_rows).irp;
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int s = 0; s < slices; s++) {
        const size_t begin = (size_t)offset[s], end = (size_t)offset[s + 1];
        memset(ja + begin, 0xff, (end - begin) * sizeof *ja);
        memset(val + begin, 0, (end - begin) * sizeof *val);
        for (int i = s * SLICE; i < slice_end(p, s); i++)
            for (int k = irp[i]; k < irp[i + 1]; k++) {
                const size_t at = begin + (size_t)(i % SLICE) + (size_t)(k - irp[i]) * SLICE;
                ja[at] = p->a->ja[k];
                val[at] = p->a->val[k];
            }
    }
}

/* Copy n + 1 pointers and `size` columns and values to the arrays of c. */
static psb_err copy_arrays(struct theirs *c, int n, const int *ptr, size_t columns_of, const int *ja,
                           size_t size, const T *val)
{
    PSB_TRY(X(copy_to_device)(&c->ptr, ptr, ((size_t)n + 1) * sizeof *ptr));
    PSB_TRY(X(copy_to_device)(&c->ja, ja, columns_of * sizeof *ja));
    return X(copy_to_device)(&c->val, val, size * sizeof *val);
}

static psb_err make_slices(const struct problem *p, struct theirs *c)
{
    const int slices = (int)(((long long)p->rows + SLICE - 1) / SLICE);
    int *offset, *ja;
    T *val;
    good(psb_alloc(&offset, (size_t)slices + 1, sizeof *offset, "slices"), "slices");
    psb_err e = set_offsets(p, slices, offset);
    const size_t size = e == PSB_OK ? (size_t)offset[slices] : 0;
    good(psb_alloc(&ja, size, sizeof *ja, "columns of slices"), "slices");
    good(psb_alloc(&val, size, sizeof *val, "values of slices"), "slices");
    if (e == PSB_OK) {
        fill_slices(p, slices, offset, ja, val);
        e = copy_arrays(c, slices, offset, size, ja, size, val);
    }
    psb_free(offset);
    psb_free(ja);
    psb_free(val);
    PSB_TRY(e);
    return sp(cusparseCreateSlicedEll(&c->a, p->rows, p->cols, p->nnz, (int64_t)size, SLICE, c->ptr, c->ja,
                                      c->val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                      CUSPARSE_INDEX_BASE_ZERO, type()),
              "cusparseCreateSlicedEll");
}

/* --- blocks --- */

/* Returns whether the entries of rows i .. i+b-1 are those of full blocks. */
static int has_full_blocks_at(const struct problem *p, int i, int b)
{
    const int *irp = X(device_rows).irp, *ja = p->a->ja + irp[i], n = irp[i + 1] - irp[i];
    if (n % b)
        return 0;
    for (int k = 0; k < n; k++)
        if (ja[k] != ja[k - k % b] + k % b || ja[k - k % b] % b)
            return 0;
    for (int r = 1; r < b; r++)
        if (irp[i + r + 1] - irp[i + r] != n ||
            memcmp(ja + (size_t)r * (size_t)n, ja, (size_t)n * sizeof *ja))
            return 0;
    return 1;
}

static int has_full_blocks(const struct problem *p, int b)
{
    int full = p->nnz > 0 && p->rows % b == 0 && p->cols % b == 0;
    for (int i = 0; full && i < p->rows; i += b)
        full = has_full_blocks_at(p, i, b);
    return full;
}

/* Store the blocks by rows of blocks; entry (r, s) of a block is at r b + s, or at r + s b. */
static void fill_blocks(const struct problem *p, const struct algorithm *w, int *ptr, int *ja, T *val)
{
    const int b = w->block, *irp = X(device_rows).irp;
    ptr[p->rows / b] = (int)(p->nnz / (b * b));
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int i = 0; i < p->rows; i += b) {
        ptr[i / b] = irp[i] / (b * b);
        for (int k = irp[i]; k < irp[i + 1]; k += b)
            ja[ptr[i / b] + (k - irp[i]) / b] = p->a->ja[k] / b;
        for (int r = 0; r < b; r++)
            for (int k = irp[i + r]; k < irp[i + r + 1]; k++) {
                const size_t block = (size_t)ptr[i / b] + (size_t)((k - irp[i + r]) / b);
                const int s = (k - irp[i + r]) % b,
                          at = w->order == CUSPARSE_ORDER_ROW ? r * b + s : r + s * b;
                val[block * (size_t)(b * b) + (size_t)at] = p->a->val[k];
            }
    }
}

static psb_err make_blocks(const struct problem *p, struct theirs *c)
{
    const int b = c->way->block, rows = p->rows / b;
    const size_t blocks = (size_t)p->nnz / (size_t)(b * b);
    int *ptr, *ja;
    T *val;
    good(psb_alloc(&ptr, (size_t)rows + 1, sizeof *ptr, "rows of blocks"), "blocks");
    good(psb_alloc(&ja, blocks, sizeof *ja, "columns of blocks"), "blocks");
    good(psb_alloc(&val, (size_t)p->nnz, sizeof *val, "values of blocks"), "blocks");
    fill_blocks(p, c->way, ptr, ja, val);
    psb_err e = copy_arrays(c, rows, ptr, blocks, ja, (size_t)p->nnz, val);
    psb_free(ptr);
    psb_free(ja);
    psb_free(val);
    PSB_TRY(e);
    return sp(cusparseCreateBsr(&c->a, rows, p->cols / b, (int64_t)blocks, b, b, c->ptr, c->ja, c->val,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type(),
                                c->way->order),
              "cusparseCreateBsr");
}

/* --- products --- */

/* Preprocessing is not available for every product. */
static psb_err prepared(cusparseStatus_t s)
{
    return s == CUSPARSE_STATUS_NOT_SUPPORTED ? PSB_OK : sp(s, "preprocessing");
}

static psb_err ready_one(struct theirs *c)
{
    const cusparseSpMVAlg_t alg = (cusparseSpMVAlg_t)c->way->alg;
    size_t bytes;
    PSB_TRY(
        sp(cusparseSpMV_bufferSize(all.handle, op(), &one, c->a, all.x, &zero, all.y, type(), alg, &bytes),
           "cusparseSpMV_bufferSize"));
    PSB_TRY(X(cuda_error)(cudaMalloc(&c->buffer, bytes ? bytes : 1), "buffer"));
    return prepared(
        cusparseSpMV_preprocess(all.handle, op(), &one, c->a, all.x, &zero, all.y, type(), alg, c->buffer));
}

static psb_err ready_columns(struct theirs *c)
{
    const cusparseSpMMAlg_t alg = (cusparseSpMMAlg_t)c->way->alg;
    const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t bytes;
    PSB_TRY(sp(
        cusparseSpMM_bufferSize(all.handle, op(), n, &one, c->a, all.xs, &zero, all.ys, type(), alg, &bytes),
        "cusparseSpMM_bufferSize"));
    PSB_TRY(X(cuda_error)(cudaMalloc(&c->buffer, bytes ? bytes : 1), "buffer"));
    return prepared(cusparseSpMM_preprocess(all.handle, op(), n, &one, c->a, all.xs, &zero, all.ys, type(),
                                            alg, c->buffer));
}

static psb_err product(const struct problem *p, void *a, enum way w)
{
    const struct theirs *c = a;
    (void)p, (void)w;
    if (opt.columns > 1)
        return sp(cusparseSpMM(all.handle, op(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, c->a, all.xs, &zero,
                               all.ys, type(), (cusparseSpMMAlg_t)c->way->alg, c->buffer),
                  "cusparseSpMM");
    return sp(cusparseSpMV(all.handle, op(), &one, c->a, all.x, &zero, all.y, type(),
                           (cusparseSpMVAlg_t)c->way->alg, c->buffer),
              "cusparseSpMV");
}

static void release(void *a)
{
    struct theirs *c = a;
    if (c->a)
        cusparseDestroySpMat(c->a);
    cudaFree(c->ptr);
    cudaFree(c->ja);
    cudaFree(c->val);
    cudaFree(c->buffer);
    psb_free(c);
}

static psb_err make(const struct problem *p, struct runner *r)
{
    static psb_err (*const of[])(const struct problem *, struct theirs *) = { make_rows, make_slices,
                                                                              make_blocks };
    const struct algorithm *w = r->how;
    struct theirs *c;
    PSB_TRY(psb_alloc_zero(&c, 1, sizeof *c, "cuSPARSE's matrix"));
    c->way = w;
    psb_err e = of[w->layout](p, c);
    if (e == PSB_OK)
        e = opt.columns > 1 ? ready_columns(c) : ready_one(c);
    if (e == PSB_OK)
        e = product(p, c, ONE); /* cuSPARSE may refuse only here */
    if (e == PSB_OK)
        e = X(cuda_error)(cudaStreamSynchronize(psb_cuda_stream()), w->name);
    if (e != PSB_OK) {
        release(c);
        return e;
    }
    r->a = c;
    return PSB_OK;
}

static const struct kind cusparse = { "cuSPARSE", 1U << ONE, true, make, product, release };

/* --- one matrix --- */

static psb_err set_vectors(const struct problem *p)
{
    const int64_t nx = opt.trans == 'N' ? p->cols : p->rows, ny = opt.trans == 'N' ? p->rows : p->cols,
                  k = opt.columns;
    void *x;
    memcpy(&x, &p->dx, sizeof x); /* their interface lacks const */
    PSB_TRY(sp(cusparseCreate(&all.handle), "cusparseCreate"));
    PSB_TRY(sp(cusparseSetStream(all.handle, psb_cuda_stream()), "cusparseSetStream"));
    if (k > 1) {
        PSB_TRY(sp(cusparseCreateDnMat(&all.xs, nx, k, k, x, type(), CUSPARSE_ORDER_ROW), "X"));
        return sp(cusparseCreateDnMat(&all.ys, ny, k, k, p->dy, type(), CUSPARSE_ORDER_ROW), "Y");
    }
    PSB_TRY(sp(cusparseCreateDnVec(&all.x, nx, x, type()), "x"));
    return sp(cusparseCreateDnVec(&all.y, ny, p->dy, type()), "y");
}

static void enter_algorithm(struct field *f, const struct problem *p, const struct algorithm *w)
{
    struct runner r = { .kind = &cusparse, .how = w, .is_csr = w->layout == ROWS };
    snprintf(r.name, sizeof r.name, "%s", w->name);
    X(enter)(f, p, NULL, r);
}

static void enter_cusparse(struct field *f, const struct problem *p)
{
    int blocks = 0;
    good(set_vectors(p), "cuSPARSE");
    for (const struct algorithm *w = opt.columns > 1 ? columns : one_column; w->name; w++) {
        const int possible = w->layout != BLOCKS || has_full_blocks(p, w->block);
        blocks += w->layout == BLOCKS && possible;
        if (possible && stands_in(w->name, opt.peers))
            enter_algorithm(f, p, w);
    }
    if (!blocks && opt.columns == 1 && !opt.peers)
        printf("cuSPARSE BSR left out: no full blocks of 2, 3 or 4\n");
}

static void leave_cusparse(void)
{
    if (all.x)
        cusparseDestroyDnVec(all.x);
    if (all.y)
        cusparseDestroyDnVec(all.y);
    if (all.xs)
        cusparseDestroyDnMat(all.xs);
    if (all.ys)
        cusparseDestroyDnMat(all.ys);
    cusparseDestroy(all.handle);
    memset(&all, 0, sizeof all);
}

void X(enter_gpu_peers)(struct field *f, const struct problem *p)
{
    good(set_rows(p), "rows of the peers");
    enter_cusparse(f, p);
#ifdef WITH_CUB
    X(enter_cub)(f, p);
#endif
}

void X(leave_gpu_peers)(void)
{
    leave_cusparse();
    free_rows();
}
