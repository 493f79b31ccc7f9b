/* gpu_spmv.c -- room: test/kernel.  y = A x on one GPU: our formats beside cuSPARSE's, and beside the copy
 * bandwidth, all measured in this run.
 *
 *     gpu_spmv [lap7:NX | lap27:NX]
 *
 * Double precision, 32-bit indices, alpha 1, beta 0.  Every time is the median of 30, by events, after 5 that
 * do not count.  Bytes are those that CSR must move: 12 nnz + 4 (m + 1) + 8 (m + n). */
#define DISABLE_CUSPARSE_DEPRECATED
#include "psb_cuda.h"
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 5, REPS = 30, SLICE = 32 };

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "gpu_spmv: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void psb(psb_err e, const char *what)
{
    if (e != PSB_OK)
        stop(what, psb_errmsg());
}

static void cu(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        stop(what, cudaGetErrorString(e));
}

static void sp(cusparseStatus_t s, const char *what)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop(what, cusparseGetErrorString(s));
}

/* --- the matrix -------------------------------------------------------------------------------------- */

struct csr {
    int m;
    int nnz;
    int *irp, *ja;
    double *val;
};

/* Row (x, y, z) of the stencil: all neighbours at a distance of at most `reach` steps (1: 7 points, 3: 27).
 */
static int stencil_row(int n, int row, int reach, int *ja, double *val)
{
    int x = row % n, y = row / n % n, z = row / n / n, k = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int inside = x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n && z + dz >= 0 &&
                             z + dz < n;
                if (!inside || abs(dx) + abs(dy) + abs(dz) > reach)
                    continue;
                ja[k] = row + dx + n * (dy + n * dz);
                val[k++] = dx || dy || dz ? -1 : reach == 1 ? 6 : 26;
            }
    return k;
}

static struct csr stencil(int n, int reach)
{
    size_t m = (size_t)n * (size_t)n * (size_t)n, most = m * (reach == 1 ? 7 : 27);
    struct csr a = { .m = (int)m };
    psb(psb_alloc(&a.irp, m + 1, sizeof *a.irp, "row pointers"), "matrix");
    psb(psb_alloc(&a.ja, most, sizeof *a.ja, "columns"), "matrix");
    psb(psb_alloc(&a.val, most, sizeof *a.val, "values"), "matrix");
    a.irp[0] = 0;
    for (int i = 0; i < a.m; i++)
        a.irp[i + 1] = a.irp[i] + stencil_row(n, i, reach, a.ja + a.irp[i], a.val + a.irp[i]);
    a.nnz = a.irp[a.m];
    return a;
}

static double counted_bytes(const struct csr *a)
{
    return 12.0 * a->nnz + 4.0 * (a->m + 1) + 16.0 * a->m;
}

/* --- timing ------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Median seconds of run(arg), which gives work to the stream. */
static double median(void (*run)(void *arg), void *arg)
{
    float ms[REPS];
    cudaStream_t stream = psb_cuda_stream();
    cudaEvent_t begin, end;
    cu(cudaEventCreate(&begin), "event");
    cu(cudaEventCreate(&end), "event");
    for (int i = -WARM; i < REPS; i++) {
        cu(cudaEventRecord(begin, stream), "event");
        run(arg);
        cu(cudaEventRecord(end, stream), "event");
        cu(cudaEventSynchronize(end), "product");
        if (i >= 0)
            cu(cudaEventElapsedTime(&ms[i], begin, end), "event");
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    qsort(ms, REPS, sizeof *ms, by_value);
    return 1e-3 * (double)ms[REPS / 2];
}

static double copy_bandwidth;

static void report(const char *name, const struct csr *a, double seconds, const double *ref, const double *y)
{
    double worst = 0;
    for (int i = 0; ref && i < a->m; i++) {
        double d = y[i] > ref[i] ? y[i] - ref[i] : ref[i] - y[i];
        worst = d > worst ? d : worst;
    }
    double bw = counted_bytes(a) / seconds;
    printf("%-24s %9.4f ms %8.1f GB/s %6.3f of copy   largest difference %.2g\n", name, 1e3 * seconds,
           1e-9 * bw, bw / copy_bandwidth, worst);
}

/* --- ours -------------------------------------------------------------------------------------------- */

struct ours {
    struct psb_d_mat *a;
    struct psb_d_vect *x, *y;
};

static void our_product(void *arg)
{
    struct ours *o = arg;
    psb(psb_d_mat_vect_mv(1, o->a, o->x, 0, o->y, 'N'), "product");
}

static double our_format(const struct psb_d_mat *mold, const struct csr *a, struct psb_d_mat *source,
                         const double *x, const double *ref)
{
    struct ours o;
    const double *y;
    psb(psb_d_mat_convert(source, mold, &o.a), "conversion");
    psb(psb_d_vect_new(&o.x, a->m, &psb_vect_cuda), "vector");
    psb(psb_d_vect_new(&o.y, a->m, &psb_vect_cuda), "vector");
    psb(psb_d_set_vect(o.x, a->m, x), "vector");
    double t = median(our_product, &o);
    psb(psb_d_host_read(o.y, &y), "result");
    report(mold->ops->fmt, a, t, ref, y);
    psb_d_mat_free(o.a);
    psb_d_gefree(o.x);
    psb_d_gefree(o.y);
    return t;
}

/* --- cuSPARSE ---------------------------------------------------------------------------------------- */

struct theirs {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t x, y;
    cusparseSpMVAlg_t alg;
    double alpha, beta;
    void *buffer, *dev[5];
};

static void *to_device(const void *host, size_t bytes)
{
    void *p;
    cu(cudaMalloc(&p, bytes ? bytes : 1), "device memory");
    cu(cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice), "copy");
    return p;
}

static void their_product(void *arg)
{
    struct theirs *c = arg;
    sp(cusparseSpMV(c->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &c->alpha, c->a, c->x, &c->beta, c->y,
                    CUDA_R_64F, c->alg, c->buffer),
       "cusparseSpMV");
}

/* Vectors, buffer and preprocessing; then the time, and the result in y. */
static double their_time(struct theirs *c, const char *name, const struct csr *a, const double *x,
                         const double *ref, double *y)
{
    size_t bytes;
    c->alpha = 1;
    c->beta = 0;
    c->dev[3] = to_device(x, (size_t)a->m * sizeof *x);
    c->dev[4] = to_device(x, (size_t)a->m * sizeof *x);
    sp(cusparseCreate(&c->handle), "cusparseCreate");
    sp(cusparseSetStream(c->handle, psb_cuda_stream()), "cusparseSetStream");
    sp(cusparseCreateDnVec(&c->x, a->m, c->dev[3], CUDA_R_64F), "vector");
    sp(cusparseCreateDnVec(&c->y, a->m, c->dev[4], CUDA_R_64F), "vector");
    sp(cusparseSpMV_bufferSize(c->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &c->alpha, c->a, c->x, &c->beta,
                               c->y, CUDA_R_64F, c->alg, &bytes),
       "bufferSize");
    cu(cudaMalloc(&c->buffer, bytes ? bytes : 1), "buffer");
    sp(cusparseSpMV_preprocess(c->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &c->alpha, c->a, c->x, &c->beta,
                               c->y, CUDA_R_64F, c->alg, c->buffer),
       "preprocess");
    double t = median(their_product, c);
    cu(cudaMemcpy(y, c->dev[4], (size_t)a->m * sizeof *y, cudaMemcpyDeviceToHost), "result");
    report(name, a, t, ref, y);
    cusparseDestroyDnVec(c->x);
    cusparseDestroyDnVec(c->y);
    cusparseDestroySpMat(c->a);
    cusparseDestroy(c->handle);
    cudaFree(c->buffer);
    for (int i = 0; i < 5; i++)
        cudaFree(c->dev[i]);
    return t;
}

static double their_csr(cusparseSpMVAlg_t alg, const char *name, const struct csr *a, const double *x,
                        const double *ref, double *y)
{
    struct theirs c = { .alg = alg };
    c.dev[0] = to_device(a->irp, ((size_t)a->m + 1) * sizeof *a->irp);
    c.dev[1] = to_device(a->ja, (size_t)a->nnz * sizeof *a->ja);
    c.dev[2] = to_device(a->val, (size_t)a->nnz * sizeof *a->val);
    sp(cusparseCreateCsr(&c.a, a->m, a->m, a->nnz, c.dev[0], c.dev[1], c.dev[2], CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
       "cusparseCreateCsr");
    return their_time(&c, name, a, x, ref, y);
}

/* Slices of 32 rows, each padded to its longest. */
struct sell {
    int slices, *offset, *ja;
    double *val;
};

static struct sell sliced(const struct csr *a)
{
    struct sell s = { .slices = (a->m + SLICE - 1) / SLICE };
    psb(psb_alloc_zero(&s.offset, (size_t)s.slices + 1, sizeof *s.offset, "slices"), "SELL");
    for (int i = 0; i < a->m; i++) {
        int *width = &s.offset[i / SLICE + 1], n = a->irp[i + 1] - a->irp[i];
        *width = n > *width ? n : *width;
    }
    for (int k = 0; k < s.slices; k++)
        s.offset[k + 1] = s.offset[k] + s.offset[k + 1] * SLICE;
    size_t size = (size_t)s.offset[s.slices];
    psb(psb_alloc(&s.ja, size, sizeof *s.ja, "columns"), "SELL");
    psb(psb_alloc_zero(&s.val, size, sizeof *s.val, "values"), "SELL");
    memset(s.ja, 0xff, size * sizeof *s.ja);
    for (int i = 0; i < a->m; i++)
        for (int k = a->irp[i]; k < a->irp[i + 1]; k++) {
            int p = s.offset[i / SLICE] + i % SLICE + (k - a->irp[i]) * SLICE;
            s.ja[p] = a->ja[k];
            s.val[p] = a->val[k];
        }
    return s;
}

static double their_sell(const struct csr *a, const double *x, const double *ref, double *y)
{
    struct theirs c = { .alg = CUSPARSE_SPMV_SELL_ALG1 };
    struct sell s = sliced(a);
    size_t size = (size_t)s.offset[s.slices];
    c.dev[0] = to_device(s.offset, ((size_t)s.slices + 1) * sizeof *s.offset);
    c.dev[1] = to_device(s.ja, size * sizeof *s.ja);
    c.dev[2] = to_device(s.val, size * sizeof *s.val);
    sp(cusparseCreateSlicedEll(&c.a, a->m, a->m, a->nnz, (int64_t)size, SLICE, c.dev[0], c.dev[1], c.dev[2],
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
       "cusparseCreateSlicedEll");
    psb_free(s.offset);
    psb_free(s.ja);
    psb_free(s.val);
    return their_time(&c, "cuSPARSE SELL-32", a, x, ref, y);
}

/* --- all of it --------------------------------------------------------------------------------------- */

static struct psb_d_mat *triplets(const struct csr *a)
{
    struct psb_d_mat *t;
    psb(psb_d_mat_new(&psb_d_coo_mold.mat, a->m, a->m, a->nnz, &t), "triplets");
    struct psb_d_coo_mat *c = (struct psb_d_coo_mat *)t;
    psb(psb_d_coo_reserve(c, a->nnz), "triplets");
    for (int i = 0; i < a->m; i++)
        for (int k = a->irp[i]; k < a->irp[i + 1]; k++) {
            c->ia[k] = i;
            c->ja[k] = a->ja[k];
            c->val[k] = a->val[k];
        }
    return t;
}

static void compare(const struct csr *a)
{
    double *x, *ref, *y, t, best, seconds;
    size_t half = (size_t)1 << 30;
    psb(psb_alloc(&x, (size_t)a->m, sizeof *x, "x"), "x");
    psb(psb_alloc(&ref, (size_t)a->m, sizeof *ref, "y"), "y");
    psb(psb_alloc(&y, (size_t)a->m, sizeof *y, "y"), "y");
    for (int i = 0; i < a->m; i++)
        x[i] = 1 + i % 17 / 10.0;
    psb(psb_cuda_copy_time(half, REPS, &seconds), "copy");
    copy_bandwidth = 2.0 * (double)half / seconds;
    printf("%d rows, %d entries; copy %.1f GB/s\n", a->m, a->nnz, 1e-9 * copy_bandwidth);

    best = their_csr(CUSPARSE_SPMV_CSR_ALG1, "cuSPARSE CSR ALG1", a, x, NULL, ref);
    t = their_csr(CUSPARSE_SPMV_CSR_ALG2, "cuSPARSE CSR ALG2", a, x, ref, y);
    best = t < best ? t : best;
    double sell = their_sell(a, x, ref, y);
    best = sell < best ? sell : best;

    struct psb_d_mat *source = triplets(a);
    for (int i = 0; psb_d_mat_format(i); i++) {
        const struct psb_d_mat *mold = psb_d_mat_format(i);
        if (!mold->ops->dev_trans)
            continue;
        t = our_format(mold, a, source, x, ref);
        printf("%-24s %9.3f times as fast as cuSPARSE SELL-32, %.3f as its best\n", mold->ops->fmt, sell / t,
               best / t);
    }
    psb_d_mat_free(source);
    psb_free(x);
    psb_free(ref);
    psb_free(y);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "lap7:200";
    int n = 0, reach = strncmp(what, "lap27:", 6) == 0 ? 3 : 1;
    char name[256];
    if (argc > 2 || sscanf(what, reach == 3 ? "lap27:%d" : "lap7:%d", &n) != 1 || n < 1 || n > 400)
        stop(what, "expected lap7:NX or lap27:NX, 1 <= NX <= 400");
    psb_ctxt *ctxt;
    psb(psb_init(&ctxt), "start");
    psb(psb_cuda_init(ctxt), "start");
    psb(psb_cuda_DeviceName(name, sizeof name), "this program needs a GPU");
    printf("%s on one %s, double\n", what, name);
    struct csr a = stencil(n, reach);
    compare(&a);
    psb_free(a.irp);
    psb_free(a.ja);
    psb_free(a.val);
    psb_cuda_exit();
    psb_exit(ctxt);
    return EXIT_SUCCESS;
}
