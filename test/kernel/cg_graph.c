/* cg_graph.c -- test/kernel: conjugate gradients with a diagonal preconditioner, as a CUDA graph. */
#include "psb_cuda_format.h"
#include "psb_util.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cu.h"
#include "psb_type.h"
#include "cg_graph.h"
#include "matrix.h"

enum { CHECKED = 20, ROUNDS = 5, LAUNCHES = 25 };

enum vector { OF_X, OF_B, OF_R, OF_Z, OF_P, OF_Q, OF_DIAG, VECTORS };
enum scalar { PQ, RHO_EVEN, RHO_ODD, RR, ALPHA, BETA, SCALARS };

struct cg {
    psb_ctxt *ctxt;
    psb_desc *rows;
    struct X(spmat) *a;
    struct X(vect) *v[VECTORS];
    struct X(scal) *s[SCALARS];
    T host[SCALARS];
};

/* --- the iteration --- */

/* Iteration k with scalars on the device. */
static void iterate(struct cg *c, int k)
{
    struct X(vect) *const *v = c->v;
    struct X(scal) *const *s = c->s, *rho = s[RHO_EVEN + k % 2], *next = s[RHO_EVEN + (k + 1) % 2];
    const struct X(epilogue) direction = { .ndots = 1,
                                           .dot = { { v[OF_P], v[OF_Q] } },
                                           .to = { s[PQ] },
                                           .nratios = 1,
                                           .ratio = { { rho, s[PQ], s[ALPHA] } } };
    const struct X(epilogue) residual = { .gamma = -1,
                                          .gamma_by = s[ALPHA],
                                          .delta = 1,
                                          .z = v[OF_R],
                                          .d = v[OF_DIAG],
                                          .u = v[OF_Z],
                                          .ndots = 2,
                                          .dot = { { v[OF_R], v[OF_Z] }, { v[OF_R], v[OF_R] } },
                                          .to = { next, s[RR] },
                                          .nratios = 1,
                                          .ratio = { { next, rho, s[BETA] } } };
    const struct X(axpby) update[] = {
        { .alpha = 1, .alpha_by = s[ALPHA], .x = v[OF_P], .beta = 1, .y = v[OF_X], .z = v[OF_X] },
        { .alpha = 1, .x = v[OF_Z], .beta = 1, .beta_by = s[BETA], .y = v[OF_P], .z = v[OF_P] },
    };
    good(X(spmv_fused)(1, c->a, v[OF_P], 0, v[OF_Q], 'N', &direction, NULL), "q = A p and alpha");
    good(X(gefused)(v[OF_Q], &residual, NULL), "r, z and beta");
    good(X(geaxpbys)(2, update), "x and p");
}

/* The same with scalars on the host, which waits for each sum. */
static void iterate_by_host(struct cg *c, int k)
{
    struct X(vect) *const *v = c->v;
    T *s = c->host, *rho = &s[RHO_EVEN + k % 2], *next = &s[RHO_EVEN + (k + 1) % 2], sums[2];
    const struct X(epilogue) direction = { .ndots = 1, .dot = { { v[OF_P], v[OF_Q] } } };
    good(X(spmv_fused)(1, c->a, v[OF_P], 0, v[OF_Q], 'N', &direction, &s[PQ]), "q = A p");
    s[ALPHA] = *rho / s[PQ];
    const struct X(epilogue) residual = { .gamma = -s[ALPHA],
                                          .delta = 1,
                                          .z = v[OF_R],
                                          .d = v[OF_DIAG],
                                          .u = v[OF_Z],
                                          .ndots = 2,
                                          .dot = { { v[OF_R], v[OF_Z] }, { v[OF_R], v[OF_R] } } };
    good(X(gefused)(v[OF_Q], &residual, sums), "r and z");
    *next = sums[0];
    s[BETA] = *next / *rho;
    const struct X(axpby) update[] = {
        { .alpha = s[ALPHA], .x = v[OF_P], .beta = 1, .y = v[OF_X], .z = v[OF_X] },
        { .alpha = 1, .x = v[OF_Z], .beta = s[BETA], .y = v[OF_P], .z = v[OF_P] },
    };
    good(X(geaxpbys)(2, update), "x and p");
}

/* x = 0, r = b, z = D^-1 r, p = z, and <r, z>. */
static void begin(struct cg *c)
{
    struct X(vect) *const *v = c->v;
    good(X(vect_zero)(v[OF_X]), "x");
    good(X(geaxpby)(1, v[OF_B], 0, v[OF_R]), "r");
    good(X(gemlt2)(1, v[OF_DIAG], v[OF_R], 0, v[OF_Z]), "z");
    good(X(geaxpby)(1, v[OF_Z], 0, v[OF_P]), "p");
    good(X(gedot)(v[OF_R], v[OF_Z], &c->host[RHO_EVEN]), "<r, z>");
    good(X(scal_set)(c->s[RHO_EVEN], c->host[RHO_EVEN]), "<r, z>");
}

/* --- times --- */

static void launch(cudaGraphExec_t graph, cudaStream_t stream, int n)
{
    for (int i = 0; i < n; i++)
        cu(cudaGraphLaunch(graph, stream), "graph");
}

/* Microseconds of an iteration: two in each launch of the graph, or, without one, calls of run. */
static double time_of(struct cg *c, cudaGraphExec_t graph, cudaStream_t stream,
                      void (*run)(struct cg *c, int k))
{
    double us[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) {
        begin(c);
        if (graph)
            iterate(c, 0), iterate(c, 1); /* with <r, z> on the device */
        good(psb_cuda_DeviceSync(), "device");
        good(psb_barrier(c->ctxt), "start");
        const double begun = psb_wtime();
        if (graph)
            launch(graph, stream, LAUNCHES);
        for (int k = 0; !graph && k < 2 * LAUNCHES; k++)
            run(c, k);
        if (i >= 0)
            us[i] = 1e6 * (now() - begun) / (2 * LAUNCHES);
        else
            now();
    }
    return median_of(us, ROUNDS);
}

/* Capture iterations k and k + 1, k even; they are not run. */
static cudaGraphExec_t capture(struct cg *c, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cu(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    iterate(c, 0);
    iterate(c, 1);
    cu(cudaStreamEndCapture(stream, &graph), "capture");
    cu(cudaGraphInstantiateWithFlags(&run, graph, 0), "graph");
    cudaGraphDestroy(graph);
    return run;
}

/* --- the same x --- */

static T *solution(const struct cg *c)
{
    const psb_ipk n = psb_cd_local_rows(c->rows);
    T *x = malloc(((size_t)n + 1) * sizeof *x);
    if (!x)
        stop("memory", "none");
    good(X(get_vect)(c->v[OF_X], n, x), "x");
    return x;
}

/* CHECKED iterations by graph, two of them before, and by the host.  On several processes the parts of <p, q>
 * are added in another order. */
static void compare(struct cg *c, cudaGraphExec_t graph, cudaStream_t stream)
{
    const psb_ipk n = psb_cd_local_rows(c->rows);
    int np;
    T rr;
    psb_info(c->ctxt, NULL, &np);
    begin(c);
    for (int k = 0; k < CHECKED; k++)
        iterate_by_host(c, k);
    T *want = solution(c);
    begin(c);
    iterate(c, 0), iterate(c, 1);
    launch(graph, stream, CHECKED / 2 - 1);
    T *got = solution(c);
    good(X(scal_get)(c->s[RR], &rr), "<r, r>");
    if (!(X(difference)(n, want, got) <= (np == 1 ? 0 : 1e-10)) || !((double)rr > 0))
        stop(X(sp_fmt)(c->a), "x by graph differs from x by the host");
    free(want);
    free(got);
}

/* --- the problem --- */

static void make(struct cg *c)
{
    const psb_ipk n = psb_cd_local_rows(c->rows);
    T *b;
    for (int i = 0; i < VECTORS; i++) {
        good(X(geall)(&c->v[i], c->rows), "vector");
        good(X(geasb)(c->v[i], &psb_vect_cuda), "vector");
    }
    for (int i = 0; i < SCALARS; i++)
        good(X(scal_new)(&c->s[i], c->rows, &psb_vect_cuda), "scalar");
    good(X(host_write)(c->v[OF_B], &b), "b");
    for (psb_ipk i = 0; i < n; i++)
        b[i] = 1 + (R)(psb_loc_to_glob(c->rows, i) % 17) / 16;
    good(X(sp_get_diag)(c->a, c->v[OF_Z]), "diagonal");
    good(X(geinv)(c->v[OF_Z], c->v[OF_DIAG]), "diagonal");
}

static struct cg_times measure(struct cg *c, cudaStream_t stream)
{
    begin(c);
    iterate(c, 0);
    iterate(c, 1);
    cudaGraphExec_t graph = capture(c, stream);
    compare(c, graph, stream);
    const struct cg_times us = { .graph = time_of(c, graph, stream, NULL),
                                 .calls = time_of(c, NULL, stream, iterate),
                                 .host = time_of(c, NULL, stream, iterate_by_host) };
    cudaGraphExecDestroy(graph);
    return us;
}

struct cg_times X(cg_times)(psb_ctxt *ctxt, psb_desc *rows, struct X(spmat) *a)
{
    struct cg c = { .ctxt = ctxt, .rows = rows, .a = a };
    struct cg_times us = { NAN, NAN, NAN };
    cudaStream_t stream;
    int np;
    psb_info(ctxt, NULL, &np);
    cu(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    good(psb_cuda_set_stream(stream), "stream");
    make(&c);
    if (np == 1 || strcmp(psb_cd_sums_transport(rows, NULL), "lsa") == 0)
        us = measure(&c, stream);
    for (int i = 0; i < SCALARS; i++)
        X(scal_free)(c.s[i]);
    for (int i = 0; i < VECTORS; i++)
        X(gefree)(c.v[i]);
    good(psb_cuda_set_stream(NULL), "stream");
    cudaStreamDestroy(stream);
    return us;
}
