/* cusparse.c -- examples: arrays of cuSPARSE in and out: a matrix in CSR becomes one of PSBC, which exports
 * it in another layout, sliced ELL, for cuSPARSE to multiply.
 *
 *     $ ./cusparse
 *     4996 entries, SELL with 9216 elements; y of cuSPARSE and of PSBC: the same
 *
 * Needs CUDA 12.2 or later, and a GPU. */
#include <psb_cuda.h>
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 1000, SLICE = 32 };

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* The same for codes of CUDA and cuSPARSE, which are 0 on success. */
static void expect(int code, const char *what)
{
    if (code)
        psb_abort(NULL, what);
}

/* Return a copy on the device of `bytes` of the host. */
static void *to_device(const void *from, size_t bytes)
{
    void *p;
    expect(cudaMalloc(&p, bytes), "cudaMalloc");
    expect(cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    return p;
}

/* Import a matrix in CSR that counts from 0, row i with 1 + i mod 9 entries. */
static psb_dmat *import(void)
{
    static int32_t off[M + 1], col[9 * M];
    static double val[9 * M];
    for (int i = 0; i < M; i++) {
        off[i + 1] = off[i] + 1 + i % 9;
        for (int k = off[i]; k < off[i + 1]; k++) {
            col[k] = (i + 37 * (k - off[i])) % M;
            val[k] = 1 + k % 4;
        }
    }
    const psb_raw csr = {
        .layout = PSB_RAW_CSR, .idx_bits = 32, .off_bits = 32, .m = M, .n = M, .nnz = off[M]
    };
    const psb_draw_const arrays = { .off = off, .col = col, .val = val };
    psb_dmat *a;
    must(psb_raw_import(&csr, &arrays, PSB_DUPL_ADD, psb_d_mat_by_name("hll"), &a));
    return a;
}

/* y = A x by cuSPARSE, from arrays on the host. */
static void multiply(const psb_raw *sell, const psb_draw_arrays *host, const psb_raw_sizes *len,
                     const double *x, double *y)
{
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy;
    const double one = 1, zero = 0;
    size_t bytes;
    void *buffer;
    void *off = to_device(host->off, (size_t)len->off * 4), *col = to_device(host->col, (size_t)len->col * 4);
    void *val = to_device(host->val, (size_t)len->val * 8), *dx = to_device(x, M * 8),
         *dy = to_device(y, M * 8);
    expect(cusparseCreate(&handle), "cusparseCreate");
    expect(cusparseCreateSlicedEll(&a, sell->m, sell->n, sell->nnz, sell->stored, sell->slice, off, col, val,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                   CUDA_R_64F),
           "cusparseCreateSlicedEll");
    expect(cusparseCreateDnVec(&vx, M, dx, CUDA_R_64F), "cusparseCreateDnVec");
    expect(cusparseCreateDnVec(&vy, M, dy, CUDA_R_64F), "cusparseCreateDnVec");
    expect(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy,
                                   CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
           "cusparseSpMV_bufferSize");
    expect(cudaMalloc(&buffer, bytes), "cudaMalloc");
    expect(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, CUDA_R_64F,
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer),
           "cusparseSpMV");
    expect(cudaMemcpy(y, dy, M * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
    cusparseDestroyDnVec(vx);
    cusparseDestroyDnVec(vy);
    cusparseDestroySpMat(a);
    cusparseDestroy(handle);
    void *all[] = { off, col, val, dx, dy, buffer };
    for (int i = 0; i < 6; i++)
        cudaFree(all[i]);
}

int main(void)
{
    psb_ctxt *ctxt;
    psb_raw sell = { .layout = PSB_RAW_SELL, .idx_bits = 32, .off_bits = 32, .slice = SLICE };
    psb_raw_sizes len;
    double x[M], y[M] = { 0 }, y2[M];
    int differ = 0, gpus = 0;

    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
        fputs("cusparse: no GPU that CUDA can use; this example needs one\n", stderr);
        return 1;
    }
    must(psb_init(&ctxt));
    must(psb_cuda_init(ctxt));
    psb_dmat *a = import();

    /* export twice: for the sizes, and for the arrays */
    must(psb_raw_export(a, &sell, NULL));
    must(psb_raw_lengths(&sell, &len));
    psb_draw_arrays to = { .off = malloc((size_t)len.off * 4),
                           .col = malloc((size_t)len.col * 4),
                           .val = malloc((size_t)len.val * 8) };
    must(psb_raw_export(a, &sell, &to));

    for (int i = 0; i < M; i++)
        x[i] = 1 + i % 3;
    multiply(&sell, &to, &len, x, y);
    must(psb_mat_csmv(1, a, x, 0, y2, 'N'));
    for (int i = 0; i < M; i++)
        differ += y[i] != y2[i]; /* sums of small integers are exact */
    printf("%lld entries, SELL with %lld elements; y of cuSPARSE and of PSBC: %s\n", (long long)sell.nnz,
           (long long)sell.stored, differ ? "different" : "the same");

    free(to.off);
    free(to.col);
    free(to.val);
    psb_mat_free(a);
    psb_cuda_exit();
    psb_exit(ctxt);
    return differ > 0;
}
