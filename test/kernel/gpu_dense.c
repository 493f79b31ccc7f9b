/* gpu_dense.c -- test/kernel: products of a sparse matrix and dense arrays on a GPU by PSBC and by cuSPARSE,
 * in one run; --help describes it. */
#define DISABLE_CUSPARSE_DEPRECATED
#include "psb_cuda_format.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_CUSPARSE
#include <cusparse.h>
#endif
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"
#ifdef WITH_CUSPARSE
#include "cu.h"
#endif

static const char help[] =
    "gpu_dense [OPTION]... MATRIX...\n"
    "\n"
    "A, a square MATRIX (lap7:128, another of psb_gen.h, or a Matrix Market file), is in CSRG.  Milliseconds "
    "are\n"
    "medians; the ratio is cuSPARSE's time over PSBC's, of the fastest algorithm that it has.\n"
    "  rows, columns   A X, X and Y by rows, by columns\n"
    "  vectors         a batch of K products of A and a vector each\n"
    "  values          a batch of K products of one pattern with values and vectors of their own\n"
    "  sampled         X Y in the pattern of A, X by rows, Y by columns; `sampled rows`: both by rows\n"
    "  triangles       a batch of K solves with the lower triangle of A, with values of their own, if its "
    "diagonal\n"
    "                  has no zeros\n"
    "Results of `values`, `sampled` and `triangles` are compared with those of the host bit by bit.\n"
    "\n"
    "  --columns K   columns of X, products of a batch, length of a sum of `sampled` (32)\n"
    "  --type T      s, d, c or z (d)\n";

enum { ROUNDS = 15, WARM = 3 };
static int columns = 32;
static int wrong;

/* A and its triangle; arrays on the device and, for comparison, on the host. */
struct dense_job {
    struct X(mat) *a, *l, *rows, *rows_l;
    psb_epk n, nnz, nnz_l;
    T *x[2], *y[2], *z[2], *val[2]; /* x, y, z: n K; val: nnz K */
    const struct kind *kind;
};

/* What is timed: orders, and whether the K products are a batch, with values of their own. */
static const struct kind {
    const char *name;
    enum psb_order x, y;
    bool batch, own, sampled, solve;
} kinds[] = {
    { "rows", PSB_BY_ROWS, PSB_BY_ROWS, 0, 0, 0, 0 },
    { "columns", PSB_BY_COLS, PSB_BY_COLS, 0, 0, 0, 0 },
    { "vectors", PSB_BY_COLS, PSB_BY_COLS, 1, 0, 0, 0 },
    { "values", PSB_BY_COLS, PSB_BY_COLS, 1, 1, 0, 0 },
    { "sampled", PSB_BY_ROWS, PSB_BY_COLS, 0, 0, 1, 0 },
    { "sampled rows", PSB_BY_ROWS, PSB_BY_ROWS, 0, 0, 1, 0 },
    { "triangles", PSB_BY_COLS, PSB_BY_COLS, 1, 1, 0, 1 },
};

/* The call of j->kind on the host (0) or the device (1). */
static void call_on(struct dense_job *j, int there)
{
    const struct kind *w = j->kind;
    const struct psb_vmold *mold = there ? &psb_vect_cuda : NULL;
    const psb_epk k = w->batch ? 1 : columns;
    const psb_dense x = { 'N', w->x, w->x == PSB_BY_ROWS ? k : j->n, j->n },
                    y = { 'N', w->y, w->y == PSB_BY_ROWS ? k : j->n, j->n };
    const psb_dense right = { 'N', w->y, w->y == PSB_BY_ROWS ? j->n : k, 0 };
    const psb_products q = {
        'N', PSB_PLUS_TIMES, (psb_ipk)k, w->batch ? columns : 1, w->solve ? j->nnz_l : j->nnz, x, y
    };
    if (w->sampled)
        good(X(mat_sddmm)(1, columns, &x, j->x[there], &right, j->z[there], 0, there ? j->a : j->rows, mold),
             w->name);
    else if (w->solve)
        good(X(mat_spsm)(&q, there ? j->l : j->rows_l, j->val[there], j->y[there], mold), w->name);
    else
        good(X(mat_spmm)(&q, 1, there ? j->a : j->rows, w->own ? j->val[there] : NULL, j->x[there], 0,
                         j->y[there], mold),
             w->name);
}

static void ours(void *job)
{
    call_on(job, 1);
}

/* --- comparison with the host --- */

static void *copy_there(const void *from, size_t bytes)
{
    void *p;
    good(psb_cuda_device()->alloc(&p, bytes, "arrays"), "arrays");
    good(psb_cuda_device()->put(p, from, bytes), "arrays");
    return p;
}

/* The values of the batch of triangles: those of L, times 1 to 2. */
static void set_triangles(struct dense_job *j)
{
    const T *val;
    good(psb_dual_read(&((struct X(csr_mat) *)j->rows_l)->val, PSB_HOST, &val), "values");
    for (int b = 0; b < columns; b++)
        for (psb_epk e = 0; e < j->nnz_l; e++)
            j->val[0][b * j->nnz_l + e] = val[e] * (R)(1 + (double)b / columns);
    good(psb_cuda_device()->put(j->val[1], j->val[0], (size_t)(columns * j->nnz_l) * sizeof *val), "values");
}

/* A batch of triangles in place gets the right-hand sides anew. */
static void compare_with_host(struct dense_job *j)
{
    const struct kind *w = j->kind;
    const size_t bytes = (size_t)j->n * (size_t)columns * sizeof(T), values = (size_t)j->nnz * sizeof(T);
    T *got = malloc(bytes > values ? bytes : values);
    const T *a, *b;
    bool same;
    if (!got || !(w->own || w->sampled)) {
        free(got);
        return;
    }
    if (w->solve) {
        set_triangles(j);
        memcpy(j->y[0], j->x[0], bytes);
        good(psb_cuda_device()->put(j->y[1], j->x[0], bytes), "arrays");
    }
    call_on(j, 0);
    call_on(j, 1);
    if (w->sampled) {
        good(psb_dual_read(&((struct X(csr_mat) *)j->rows)->val, PSB_HOST, &a), "values");
        good(psb_dual_read(&((struct X(csr_mat) *)j->a)->val, PSB_HOST, &b), "values");
        same = memcmp(a, b, values) == 0;
    } else {
        good(psb_cuda_device()->get(got, j->y[1], bytes), "arrays");
        same = memcmp(got, j->y[0], bytes) == 0;
    }
    if (!same)
        printf("  %s: DIFFERENT\n", w->name);
    wrong += !same;
    free(got);
}

/* --- the peer --- */

#ifdef WITH_CUSPARSE
static const _Alignas(16) T one = 1, zero = 0; /* aligned as CUDA aligns them */

static const cudaDataType_t data_type = CPLX ? (sizeof(R) == sizeof(double) ? CUDA_C_64F : CUDA_C_32F)
                                             : (sizeof(R) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F);

/* Their objects; `cols`: the columns, K times, since values and columns have one stride. */
struct peer {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t x, y;
    int alg;
    bool sampled;
    void *irp, *cols, *buffer;
};

static void sp(cusparseStatus_t s)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop("cuSPARSE", cusparseGetErrorString(s));
}

static void *room(size_t bytes)
{
    void *p;
    cu(cudaMalloc(&p, bytes ? bytes : 1), "memory for cuSPARSE");
    return p;
}

static void open_peer(struct dense_job *j, struct peer *p)
{
    const struct X(csr_mat) *c = (const struct X(csr_mat) *)j->a;
    const size_t n = (size_t)j->n + 1, bytes = (size_t)j->nnz * sizeof(int);
    const psb_epk *irp;
    const psb_ipk *ja;
    int *narrow = malloc(n * sizeof *narrow);
    if (!narrow || j->nnz > INT32_MAX)
        stop("cuSPARSE", "no memory, or too many entries");
    good(psb_dual_read(&c->irp, PSB_HOST, &irp), "row pointers");
    good(psb_dual_read(&c->ja, PSB_DEV, &ja), "columns");
    for (size_t i = 0; i < n; i++)
        narrow[i] = (int)irp[i];
    p->irp = room(n * sizeof *narrow);
    cu(cudaMemcpy(p->irp, narrow, n * sizeof *narrow, cudaMemcpyHostToDevice), "row pointers");
    free(narrow);
    p->cols = room(bytes * (size_t)columns);
    for (int b = 0; b < columns; b++)
        cu(cudaMemcpy((char *)p->cols + bytes * (size_t)b, ja, bytes, cudaMemcpyDeviceToDevice), "columns");
    sp(cusparseCreate(&p->handle));
    sp(cusparseSetStream(p->handle, psb_cuda_stream()));
}

static cusparseDnMatDescr_t dense_of(psb_epk rows, psb_epk cols, enum psb_order order, void *p)
{
    cusparseDnMatDescr_t x;
    const bool by_rows = order == PSB_BY_ROWS;
    sp(cusparseCreateDnMat(&x, rows, cols, by_rows ? cols : rows, p, data_type,
                           by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    return x;
}

static void describe(struct dense_job *j, struct peer *p)
{
    const struct kind *w = j->kind;
    const psb_epk k = w->batch ? 1 : columns;
    p->sampled = w->sampled;
    sp(cusparseCreateCsr(&p->a, j->n, j->n, j->nnz, p->irp, p->cols, j->val[1], CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, data_type));
    p->x = dense_of(j->n, k, w->x, j->x[1]);
    p->y = w->sampled ? dense_of(k, j->n, w->y, j->z[1]) : dense_of(j->n, k, w->y, j->y[1]);
    if (!w->batch)
        return;
    sp(cusparseCsrSetStridedBatch(p->a, columns, 0, w->own ? j->nnz : 0));
    sp(cusparseDnMatSetStridedBatch(p->x, columns, j->n));
    sp(cusparseDnMatSetStridedBatch(p->y, columns, j->n));
}

#define MM_OPERANDS(p) \
    (p)->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, (p)->a, (p)->x, \
        &zero, (p)->y, data_type, (cusparseSpMMAlg_t)(p)->alg
#define SAMPLED_OPERANDS(p) \
    (p)->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, (p)->x, (p)->y, \
        &zero, (p)->a, data_type, CUSPARSE_SDDMM_ALG_DEFAULT

static void theirs(void *peer)
{
    struct peer *p = peer;
    if (p->sampled)
        sp(cusparseSDDMM(SAMPLED_OPERANDS(p), p->buffer));
    else
        sp(cusparseSpMM(MM_OPERANDS(p), p->buffer));
}

/* Make the buffer, and try: false if cuSPARSE refuses. */
static bool is_offered(struct peer *p)
{
    size_t bytes = 0;
    if ((p->sampled ? cusparseSDDMM_bufferSize(SAMPLED_OPERANDS(p), &bytes)
                    : cusparseSpMM_bufferSize(MM_OPERANDS(p), &bytes)) != CUSPARSE_STATUS_SUCCESS)
        return false;
    p->buffer = room(bytes);
    if (p->sampled)
        return cusparseSDDMM_preprocess(SAMPLED_OPERANDS(p), p->buffer) == CUSPARSE_STATUS_SUCCESS;
    return cusparseSpMM_preprocess(MM_OPERANDS(p), p->buffer) == CUSPARSE_STATUS_SUCCESS &&
           cusparseSpMM(MM_OPERANDS(p), p->buffer) == CUSPARSE_STATUS_SUCCESS;
}

static double time_peer(struct dense_job *j)
{
    static const int algs[] = { CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_CSR_ALG2,
                                CUSPARSE_SPMM_CSR_ALG3 };
    struct peer p = { 0 };
    double best = NAN;
    open_peer(j, &p);
    describe(j, &p);
    for (int k = 0; k < (p.sampled ? 1 : 4); k++) {
        p.alg = algs[k];
        p.buffer = NULL;
        if (is_offered(&p))
            best = fmin(isnan(best) ? INFINITY : best, median_time(WARM, ROUNDS, theirs, &p));
        cudaFree(p.buffer);
    }
    cusparseDestroySpMat(p.a);
    cusparseDestroyDnMat(p.x);
    cusparseDestroyDnMat(p.y);
    cusparseDestroy(p.handle);
    cudaFree(p.irp);
    cudaFree(p.cols);
    return best;
}
#endif

/* --- matrices --- */

static void fill_arrays(struct dense_job *j)
{
    T **const all[] = { j->x, j->y, j->z, j->val };
    for (int v = 0; v < 4; v++) {
        const size_t n = (size_t)(v == 3 ? j->nnz : j->n) * (size_t)columns;
        T *const p = all[v][0] = malloc(n * sizeof *p);
        if (!p)
            stop("arrays", "no memory");
        for (size_t e = 0; e < n; e++)
            p[e] = X(x_at)((psb_lpk)e);
        all[v][1] = copy_there(p, n * sizeof *p);
    }
}

static bool has_diagonal(const struct X(mat) *a)
{
    T *const d = calloc((size_t)a->nrows + 1, sizeof *d);
    psb_ipk i = 0;
    if (!d)
        stop("diagonal", "no memory");
    good(X(mat_get_diag)(a, d), "diagonal");
    while (i < a->nrows && d[i] != 0)
        i++;
    free(d);
    return i == a->nrows;
}

static void open_job(psb_ctxt *ctxt, const char *what, struct dense_job *j)
{
    struct X(coo_mat) *s;
    good(X(matrix_one)(ctxt, what, &s), what);
    good(X(mat_convert)(&s->mat, &X(csr_mold).mat, &j->rows), "CSR");
    good(X(mat_convert)(&s->mat, &X(csrg_mold).mat, &j->a), "CSRG");
    good(X(mat_tril)(j->rows, 0, NULL, &j->rows_l, NULL), "triangle");
    good(X(mat_convert)(j->rows_l, &X(csrg_mold).mat, &j->l), "CSRG");
    X(mat_free)(&s->mat);
    j->n = j->rows->nrows;
    j->nnz = j->rows->nnz;
    j->nnz_l = j->rows_l->nnz;
    fill_arrays(j);
}

static void close_job(struct dense_job *j)
{
    T **const all[] = { j->x, j->y, j->z, j->val };
    for (int v = 0; v < 4; v++) {
        free(all[v][0]);
        psb_cuda_device()->free(all[v][1]);
    }
    X(mat_free)(j->a);
    X(mat_free)(j->l);
    X(mat_free)(j->rows);
    X(mat_free)(j->rows_l);
}

static void run_dense(psb_ctxt *ctxt, const char *what)
{
    struct dense_job j = { 0 };
    char name[64];
    matrix_name(name, sizeof name, what);
    open_job(ctxt, what, &j);
    printf("%s: type %c, %lld rows, %lld entries, %d columns\n", what, LETTER, (long long)j.n,
           (long long)j.nnz, columns);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double peers = NAN;
        j.kind = &kinds[k];
        if (j.kind->solve && !has_diagonal(j.rows))
            continue;
        compare_with_host(&j);
        const double t = median_time(WARM, ROUNDS, ours, &j);
#ifdef WITH_CUSPARSE
        if (psb_cuda_stream() && !j.kind->solve)
            peers = time_peer(&j);
#endif
        printf("  %-12s %10.3f ms  cuSPARSE %10.3f ms  ratio %.2f\n", kinds[k].name, 1e3 * t, 1e3 * peers,
               peers / t);
        record(name, LETTER, 1, "CSRG", kinds[k].name, 1e3 * t, "ms");
        record(name, LETTER, 1, "cuSPARSE", kinds[k].name, 1e3 * peers, "ms");
        fflush(stdout);
    }
    close_job(&j);
}

int X(gpu_dense)(int argc, char **argv)
{
    static const struct flag table[] = { { .name = "columns", .number = &columns, .least = 1, .most = 4096 },
                                         { 0 } };
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start_on_device();
    for (int i = optind; i < argc; i++)
        run_dense(ctxt, argv[i]);
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
