/* gpu_graph.c -- room: test/kernel.  A product of each mirror captured in a CUDA graph, and replayed on
 * another x: after the first one a product gives work to the stream, and does nothing else.  Skipped without
 * a GPU. */
#include "psb_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include "cu.h"
#include "psb_type.h"

enum { SKIP = 77, M = 6000, NEAR = 5 };

const char *const program = "gpu_graph";

/* M rows of NEAR entries, the last of them a full one if that is said; values are small integers. */
static struct X(mat) *made(int full)
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

/* One captured product, x two as long as when it was captured. */
static void replay(struct X(mat) *a, struct X(vect) *x, struct X(vect) *y, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    good(X(set_scal)(1, x), "x");
    good(X(set_scal)(7, y), "y");
    good(X(mat_vect_mv)(1, a, x, 0, y, 'N'), "first product");
    cu(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    good(X(mat_vect_mv)(1, a, x, 0, y, 'N'), "captured product");
    cu(cudaStreamEndCapture(stream, &graph), "capture");
    cu(cudaGraphInstantiateWithFlags(&run, graph, 0), "graph");
    good(X(set_scal)(2, x), "x");
    good(X(set_scal)(7, y), "y");
    cu(cudaGraphLaunch(run, stream), "graph");
    cu(cudaStreamSynchronize(stream), "graph");
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
}

static void check(struct X(mat) *s, struct X(mat) *a, int k, cudaStream_t stream)
{
    struct X(vect) *x, *y;
    T *two = malloc(M * sizeof *two), *right = malloc(M * sizeof *right);
    T *got = malloc((size_t)M * (size_t)k * sizeof *got);
    if (!two || !right || !got)
        stop("memory", "none");
    for (int i = 0; i < M; i++)
        two[i] = 2;
    good(X(mat_csmv)(1, s, two, 0, right, 'N'), "product on the host");
    good(X(vect_new_n)(&x, M, k, &psb_vect_cuda), "x");
    good(X(vect_new_n)(&y, M, k, &psb_vect_cuda), "y");
    replay(a, x, y, stream);
    good(X(get_vect)(y, M, got), "y");
    for (int i = 0; i < M * k; i++)
        if (got[i] != right[i / k])
            stop(X(mat_get_fmt)(a), "a replayed product is wrong");
    X(gefree)(x);
    X(gefree)(y);
    free(two), free(right), free(got);
}

static void check_mold(const struct X(mat) *mold, int full, cudaStream_t stream)
{
    static const int columns[] = { 1, 3, 4 };
    struct X(mat) *s = made(full), *a;
    good(X(mat_convert)(s, mold, &a), "conversion");
    for (int c = 0; c < 3; c++)
        check(s, a, columns[c], stream);
    X(mat_free)(a);
    X(mat_free)(s);
}

static void check_all(void)
{
    cudaStream_t stream;
    cu(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    good(psb_cuda_set_stream(stream), "stream");
    check_mold(&X(csrg_mold).mat, 0, stream);
    check_mold(&X(csrg_mold).mat, 1, stream);
    check_mold(&X(hlg_mold).mat, 1, stream);
    check_mold(&X(elg_mold).mat, 0, stream);
    good(psb_cuda_set_stream(NULL), "stream");
    cudaStreamDestroy(stream);
}

int main(void)
{
    psb_ctxt *ctxt;
    good(psb_init(&ctxt), "start");
    good(psb_cuda_init(ctxt), "start");
    const int there = psb_cuda_stream() != NULL;
    if (there)
        check_all();
    else
        puts("skipped: no GPU");
    psb_cuda_exit();
    psb_exit(ctxt);
    return there ? EXIT_SUCCESS : SKIP;
}
