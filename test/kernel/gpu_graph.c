/* gpu_graph.c -- test/kernel: for each format on the device, capture a product, one of arrays, one fused with
 * a sum of vectors, and a triangular solve, and a sampled product, in a CUDA graph and replay it on another
 * x: after the first product or solve, one only submits work to the stream. Skipped without a GPU. */
#include "psb_cuda_format.h"
#include <stdlib.h>
#include <string.h>
#include "cu.h"
#include "psb_type.h"
#include "device_formats.h"

enum { M = 6000, NEAR = 5 };

const char *const program = "gpu_graph";

/* M rows of NEAR entries, with a full last row if `full`; values are small integers. */
static struct X(mat) *made(bool full)
{
    struct X(mat) *a;
    good(X(mat_all)(M, M, 0, &a), "matrix");
    for (psb_ipk i = 0; i < M; i++)
        for (psb_ipk k = 0; k < (full && i == M - 1 ? M : NEAR); k++) {
            const psb_ipk j = full && i == M - 1 ? k : (i + k * 101) % M;
            const T v = 1 + (i + k) % 3;
            good(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &v), "matrix");
        }
    return a;
}

/* y = A x on the vectors of one process; with z, y = A x, z = y + z in one pass; or y = A^-1 x, or, with
 * arrays, y = A x as arrays of k columns, or A = x x^T in its pattern. */
struct job {
    struct X(mat) *a;
    struct X(spmat) *d;
    struct X(vect) *x, *y, *z;
    bool solves, arrays, samples;
    int k;
};

static void multiply_arrays(const struct job *j)
{
    const psb_dense rows = { 'N', PSB_BY_ROWS, j->k, 0 }, turned = { 'T', PSB_BY_ROWS, j->k, 0 };
    const psb_products q = { .op = 'N', .k = j->k, .batch = 1, .x = rows, .y = rows };
    const T *x;
    T *y;
    good(X(device_read)(j->x, &x), "x");
    good(X(device_update)(j->y, &y), "y");
    if (j->samples)
        good(X(mat_sddmm)(1, j->k, &rows, x, &turned, x, 0, j->a, &psb_vect_cuda), "sampled product");
    else
        good(X(mat_spmm)(&q, 1, j->a, NULL, x, 0, y, &psb_vect_cuda), "product of arrays");
}

static void multiply(const struct job *j)
{
    const struct X(epilogue) e = { .gamma = 1, .delta = 1, .z = j->z };
    if (j->arrays)
        multiply_arrays(j);
    else if (j->solves)
        good(X(mat_vect_sv)(1, j->a, j->x, 0, j->y, 'N', 'U', NULL), "solve");
    else if (j->z)
        good(X(spmv_fused)(1, j->d, j->x, 0, j->y, 'N', &e, NULL), "fused product");
    else
        good(X(mat_vect_mv)(1, j->a, j->x, 0, j->y, 'N'), "product");
}

static void fill(const struct job *j, T x)
{
    good(X(set_scal)(x, j->x), "x");
    good(X(set_scal)(7, j->y), "y");
    if (j->z)
        good(X(set_scal)(3, j->z), "z");
}

/* Capture a product while x is 1, and replay it with x = 2. */
static void replay(const struct job *j, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    fill(j, 1);
    multiply(j);
    cu(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    multiply(j);
    cu(cudaStreamEndCapture(stream, &graph), "capture");
    cu(cudaGraphInstantiateWithFlags(&run, graph, 0), "graph");
    fill(j, 2);
    cu(cudaGraphLaunch(run, stream), "graph");
    cu(cudaStreamSynchronize(stream), "graph");
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
}

static T *numbers(int n, T value)
{
    T *x;
    good(psb_alloc(&x, (size_t)n, sizeof *x, "numbers"), "memory");
    for (int i = 0; i < n; i++)
        x[i] = value;
    return x;
}

/* Check that y, with k columns, is A times twos, plus `more`; or with `solves` A^-1 times twos. */
static void compare(struct X(mat) *s, struct X(vect) *y, int k, T more, bool solves, const char *name)
{
    T *two = numbers(M, 2), *right = numbers(M, 0), *got = numbers(M * k, 0);
    good(solves ? X(mat_cssv)(1, s, two, 0, right, 'N', 'L', NULL) : X(mat_csmv)(1, s, two, 0, right, 'N'),
         "on the host");
    good(X(get_vect)(y, M, got), "y");
    for (int i = 0; i < M * k; i++)
        if (got[i] != right[i / k] + more)
            stop(name, solves ? "a replayed solve is wrong" : "a replayed product is wrong");
    psb_free(two), psb_free(right), psb_free(got);
}

static void check(struct X(mat) *s, struct X(mat) *a, int k, cudaStream_t stream)
{
    struct job j = { .a = a, .k = k };
    good(X(vect_new_n)(&j.x, M, k, &psb_vect_cuda), "x");
    good(X(vect_new_n)(&j.y, M, k, &psb_vect_cuda), "y");
    for (int arrays = 0; arrays < 2; arrays++) {
        j.arrays = arrays;
        replay(&j, stream);
        compare(s, j.y, k, 0, false, X(mat_get_fmt)(a));
    }
    X(gefree)(j.x);
    X(gefree)(j.y);
}

/* The elements of A become 2 2 for each of 3 columns. */
static void check_samples(const struct X(mat) *s, cudaStream_t stream)
{
    struct job j = { .arrays = true, .samples = true, .k = 3 };
    int equal;
    good(X(mat_convert)(s, &X(csrg_mold).mat, &j.a), "conversion");
    good(X(vect_new_n)(&j.x, M, j.k, &psb_vect_cuda), "x");
    good(X(vect_new_n)(&j.y, M, j.k, &psb_vect_cuda), "y");
    replay(&j, stream);
    good(X(mat_cmpval)(j.a, 12, 0, &equal), "samples");
    if (!equal)
        stop("CSRG", "a replayed sampled product is wrong");
    X(gefree)(j.x);
    X(gefree)(j.y);
    X(mat_free)(j.a);
}

static void check_fused(struct X(mat) *s, const struct X(mat) *mold, psb_ctxt *ctxt, cudaStream_t stream)
{
    const struct X(coo_mat) *c = (struct X(coo_mat) *)s;
    struct job j = { .a = NULL };
    struct X(vect) **const v[] = { &j.x, &j.y, &j.z };
    psb_desc *d;
    good(psb_cdall_nl(&d, ctxt, M), "rows");
    good(psb_cdasb(d), "rows");
    good(X(spall)(&j.d, d, s->nnz), "matrix");
    good(X(spins_local)(s->nnz, c->ia, c->ja, c->val, j.d), "matrix");
    good(X(spasb)(j.d, mold, PSB_DUPL_ADD), "matrix");
    for (int i = 0; i < 3; i++) {
        good(X(geall)(v[i], d), "vector");
        good(X(geasb)(*v[i], &psb_vect_cuda), "vector");
    }
    replay(&j, stream);
    compare(s, j.y, 1, 0, false, X(sp_fmt)(j.d));
    compare(s, j.z, 1, 3, false, X(sp_fmt)(j.d));
    for (int i = 0; i < 3; i++)
        X(gefree)(*v[i]);
    X(spfree)(j.d);
    psb_cdfree(d);
}

/* Solve with the strict upper triangle of s, and ones on the diagonal. */
static void check_solve(struct X(mat) *s, const struct X(mat) *mold, cudaStream_t stream)
{
    struct job j = { .solves = true };
    struct X(mat) *u;
    good(X(mat_triu)(s, 1, NULL, &u, NULL), "triangle");
    good(X(mat_set_unit)(u, 1), "triangle");
    good(X(mat_convert)(u, mold, &j.a), "conversion");
    good(X(vect_new_n)(&j.x, M, 1, &psb_vect_cuda), "x");
    good(X(vect_new_n)(&j.y, M, 1, &psb_vect_cuda), "y");
    replay(&j, stream);
    compare(u, j.y, 1, 0, true, X(mat_get_fmt)(j.a));
    X(gefree)(j.x);
    X(gefree)(j.y);
    X(mat_free)(j.a);
    X(mat_free)(u);
}

static void check_mold(const struct X(mat) *mold, bool full, psb_ctxt *ctxt, cudaStream_t stream)
{
    static const int columns[] = { 1, 3, 4 };
    struct X(mat) *s = made(full), *a;
    good(X(mat_convert)(s, mold, &a), "conversion");
    for (int c = 0; c < 3; c++)
        check(s, a, columns[c], stream);
    check_fused(s, mold, ctxt, stream);
    check_solve(s, mold, stream);
    check_samples(s, stream);
    X(mat_free)(a);
    X(mat_free)(s);
}

/* Without a limit, since the matrix has a long row. */
static void check_format(const struct X(mat) *mold, psb_ctxt *ctxt, cudaStream_t stream)
{
    struct X(mat) *own = malloc(mold->ops->size);
    if (!own)
        stop("memory", "none");
    memcpy(own, mold, mold->ops->size);
    set_limit(own, 0);
    check_mold(own, 1, ctxt, stream);
    free(own);
}

static void check_all(psb_ctxt *ctxt)
{
    cudaStream_t stream;
    cu(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    good(psb_cuda_set_stream(stream), "stream");
    check_mold(&X(csrg_mold).mat, 0, ctxt, stream);
    for (int f = 0; X(mat_format)(f); f++)
        if (X(mat_format)(f)->ops->dev && X(mat_format)(f)->ops->dev->csmv_fused)
            check_format(X(mat_format)(f), ctxt, stream);
    good(psb_cuda_set_stream(NULL), "stream");
    cudaStreamDestroy(stream);
}

int main(void)
{
    psb_ctxt *ctxt = start(true);
    const bool there = psb_cuda_stream() != NULL;
    if (there)
        check_all(ctxt);
    else
        puts("skipped: no GPU");
    finish(ctxt);
    return there ? EXIT_SUCCESS : SKIPPED;
}
