/* gpu_band.c -- test/kernel: banded systems and sparse vectors on a GPU by PSBC and by cuSPARSE, in one run;
 * --help describes it. */
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
    "gpu_band [OPTION]... KIND:N:M...\n"
    "\n"
    "Systems of N rows, M of them, diagonally dominant, with a right-hand side each:\n"
    "  long          tridiagonal, one after the other           (M = 1: gtsv2, gtsv2_nopivot)\n"
    "  strided       the same                                   (gtsv2StridedBatch)\n"
    "  interleaved   tridiagonal, interleaved                   (gtsvInterleavedBatch)\n"
    "  penta         pentadiagonal, interleaved                 (gpsvInterleavedBatch)\n"
    "with pivoting and without; the peer is in brackets, the fastest of its algorithms that have the same\n"
    "stability.  Results are compared with those of the host bit by bit.  And\n"
    "  sparse        gather, scatter and axpby of M elements in ascending places of N, by a list that each\n"
    "                call checks, and by one that has been checked\n"
    "Milliseconds are medians; `of copy` is the rate of the arrays, each read and, if it changes, written "
    "once,\n"
    "over the rate of copies; the ratio is the peer's time over PSBC's.\n"
    "\n"
    "  --type T      s, d, c or z (d)\n";

enum { ROUNDS = 15, WARM = 3, MOST_DIAGONALS = 5, X_ARRAY = MOST_DIAGONALS, ARRAYS };
enum job_kind { LONG, STRIDED, INTERLEAVED, PENTA, SPARSE, KINDS };
static const char *const kind_names[] = { "long", "strided", "interleaved", "penta", "sparse" };
static int wrong;
static double bandwidth; /* of copies */

/* Arrays on the host and the device; of sparse vectors 0 are the elements and X_ARRAY the dense ones. */
struct band_job {
    enum job_kind kind;
    psb_band b;
    psb_sparse v, there;
    int call; /* of sparse vectors */
    size_t bytes[ARRAYS];
    T *on_host[ARRAYS], *on_gpu[ARRAYS];
};

static void *copy_there(const void *from, size_t bytes)
{
    void *p;
    good(psb_cuda_device()->alloc(&p, bytes, "arrays"), "arrays");
    good(psb_cuda_device()->put(p, from, bytes), "arrays");
    return p;
}

/* --- our calls --- */

static void solve_on(struct band_job *j, bool there)
{
    const T *diag[MOST_DIAGONALS];
    T **const all = there ? j->on_gpu : j->on_host;
    memcpy(diag, all, sizeof diag);
    good(X(band_solve)(&j->b, diag, all[X_ARRAY], there ? &psb_vect_cuda : NULL), kind_names[j->kind]);
}

static void our_solve(void *job)
{
    solve_on(job, true);
}

static const char *const call_names[] = { "gather", "scatter", "axpby" };
static const char *const checked_names[] = { "gather, checked", "scatter, checked", "axpby, checked" };

static void our_call(void *job)
{
    struct band_job *j = job;
    T *const val = j->on_gpu[0], *const y = j->on_gpu[X_ARRAY];
    good(j->call == 0   ? X(sv_gather)(&j->there, y, val, &psb_vect_cuda)
         : j->call == 1 ? X(sv_scatter)(&j->there, val, y, &psb_vect_cuda)
                        : X(sv_axpby)(&j->there, 2, val, (T)0.5, y, &psb_vect_cuda),
         call_names[j->call]);
}

/* Right-hand sides and elements as at first. */
static void reset_x(struct band_job *j)
{
    good(psb_cuda_device()->put(j->on_gpu[X_ARRAY], j->on_host[X_ARRAY], j->bytes[X_ARRAY]), "arrays");
}

/* Solve here and there; the host keeps its right-hand sides. */
static void compare_with_host(struct band_job *j)
{
    const size_t bytes = j->bytes[X_ARRAY];
    T *const got = malloc(bytes), *const first = malloc(bytes), *const x = j->on_host[X_ARRAY];
    if (!got || !first)
        stop("arrays", "no memory");
    memcpy(first, x, bytes);
    reset_x(j);
    solve_on(j, true);
    good(psb_cuda_device()->get(got, j->on_gpu[X_ARRAY], bytes), "arrays");
    solve_on(j, false);
    if (memcmp(got, x, bytes) != 0) {
        printf("  %s, pivot %d: DIFFERENT\n", kind_names[j->kind], j->b.pivot);
        wrong++;
    }
    memcpy(x, first, bytes);
    reset_x(j);
    free(got);
    free(first);
}

/* --- the peer --- */

#ifdef WITH_CUSPARSE
#define SP_s(name) cusparseS##name
#define SP_d(name) cusparseD##name
#define SP_c(name) cusparseC##name
#define SP_z(name) cusparseZ##name
#define SP(name)   PSB_CAT(SP_, PSB_NOW)(name)

static const _Alignas(16) T two = 2, half = 0.5; /* aligned as CUDA aligns them */
static const cudaDataType_t data_type = CPLX ? (sizeof(R) == sizeof(double) ? CUDA_C_64F : CUDA_C_32F)
                                             : (sizeof(R) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F);

/* Copies of the arrays, which some calls overwrite. */
struct peer {
    struct band_job *j;
    cusparseHandle_t handle;
    int algo;
    void *own[ARRAYS], *buffer;
    cusparseSpVecDescr_t v;
    cusparseDnVecDescr_t y;
};

static void sp(cusparseStatus_t s)
{
    if (s != CUSPARSE_STATUS_SUCCESS)
        stop("cuSPARSE", cusparseGetErrorString(s));
}

static void restore(void *peer)
{
    struct peer *p = peer;
    for (int a = 0; a < ARRAYS; a++)
        if (p->own[a])
            cu(cudaMemcpyAsync(p->own[a], p->j->on_gpu[a], p->j->bytes[a], cudaMemcpyDeviceToDevice,
                               psb_cuda_stream()),
               "arrays");
}

static cusparseStatus_t peer_room(struct peer *p, size_t *bytes)
{
    const struct psb_band *b = &p->j->b;
    void **const q = p->own, *x = q[X_ARRAY];
    switch (p->j->kind) {
    case LONG:
        return b->pivot
                   ? SP(gtsv2_bufferSizeExt)(p->handle, b->n, 1, q[0], q[1], q[2], x, b->n, bytes)
                   : SP(gtsv2_nopivot_bufferSizeExt)(p->handle, b->n, 1, q[0], q[1], q[2], x, b->n, bytes);
    case STRIDED:
        return SP(gtsv2StridedBatch_bufferSizeExt)(p->handle, b->n, q[0], q[1], q[2], x, b->systems, b->n,
                                                   bytes);
    case INTERLEAVED:
        return SP(gtsvInterleavedBatch_bufferSizeExt)(p->handle, p->algo, b->n, q[0], q[1], q[2], x,
                                                      b->systems, bytes);
    default:
        return SP(gpsvInterleavedBatch_bufferSizeExt)(p->handle, p->algo, b->n, q[0], q[1], q[2], q[3], q[4],
                                                      x, b->systems, bytes);
    }
}

static cusparseStatus_t peer_solve(struct peer *p)
{
    const struct psb_band *b = &p->j->b;
    void **const q = p->own, *x = q[X_ARRAY];
    switch (p->j->kind) {
    case LONG:
        return b->pivot ? SP(gtsv2)(p->handle, b->n, 1, q[0], q[1], q[2], x, b->n, p->buffer)
                        : SP(gtsv2_nopivot)(p->handle, b->n, 1, q[0], q[1], q[2], x, b->n, p->buffer);
    case STRIDED:
        return SP(gtsv2StridedBatch)(p->handle, b->n, q[0], q[1], q[2], x, b->systems, b->n, p->buffer);
    case INTERLEAVED:
        return SP(gtsvInterleavedBatch)(p->handle, p->algo, b->n, q[0], q[1], q[2], x, b->systems, p->buffer);
    default:
        return SP(gpsvInterleavedBatch)(p->handle, p->algo, b->n, q[0], q[1], q[2], q[3], q[4], x, b->systems,
                                        p->buffer);
    }
}

static void their_solve(void *peer)
{
    restore(peer);
    sp(peer_solve(peer));
}

/* Seconds of the algorithm p->algo, without the copies before each solve; NAN if it is not offered. */
static double time_algorithm(struct peer *p)
{
    size_t bytes = 0;
    p->buffer = NULL;
    if (peer_room(p, &bytes) != CUSPARSE_STATUS_SUCCESS)
        return NAN;
    cu(cudaMalloc(&p->buffer, bytes ? bytes : 1), "memory for cuSPARSE");
    restore(p);
    const bool is = peer_solve(p) == CUSPARSE_STATUS_SUCCESS;
    const double t = is ? median_time(WARM, ROUNDS, their_solve, p) - median_time(WARM, ROUNDS, restore, p)
                        : NAN;
    cu(cudaFree(p->buffer), "memory of cuSPARSE");
    return t;
}

static void open_peer(struct band_job *j, struct peer *p)
{
    *p = (struct peer){ .j = j };
    sp(cusparseCreate(&p->handle));
    sp(cusparseSetStream(p->handle, psb_cuda_stream()));
    for (int a = 0; a < ARRAYS; a++)
        if (j->on_gpu[a])
            cu(cudaMalloc(&p->own[a], j->bytes[a]), "memory for cuSPARSE");
}

static void close_peer(struct peer *p)
{
    for (int a = 0; a < ARRAYS; a++)
        cudaFree(p->own[a]);
    cusparseDestroy(p->handle);
}

/* Algorithm 0 of interleaved tridiagonal systems has no pivoting, 1 and 2 have; strided batches have none. */
static double time_peer(struct band_job *j)
{
    struct peer p;
    double best = NAN;
    if (!psb_cuda_stream() || (j->kind == STRIDED && j->b.pivot) || (j->kind == LONG && j->b.systems > 1))
        return NAN;
    open_peer(j, &p);
    const bool choice = j->kind == INTERLEAVED && j->b.pivot;
    for (p.algo = choice; p.algo <= (choice ? 2 : 0); p.algo++)
        best = fmin(best, time_algorithm(&p)); /* the one that is a number */
    close_peer(&p);
    return best;
}

static void their_call(void *peer)
{
    struct peer *p = peer;
    sp(p->j->call == 0   ? cusparseGather(p->handle, p->y, p->v)
       : p->j->call == 1 ? cusparseScatter(p->handle, p->v, p->y)
                         : cusparseAxpby(p->handle, &two, p->v, &half, p->y));
}

static double time_peer_call(struct band_job *j)
{
    struct peer p;
    if (!psb_cuda_stream())
        return NAN;
    open_peer(j, &p);
    sp(cusparseCreateSpVec(&p.v, j->v.n, j->v.nnz, (void *)j->there.idx, p.own[0], CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, data_type));
    sp(cusparseCreateDnVec(&p.y, j->v.n, p.own[X_ARRAY], data_type));
    restore(&p);
    const double t = median_time(WARM, ROUNDS, their_call, &p);
    cusparseDestroySpVec(p.v);
    cusparseDestroyDnVec(p.y);
    close_peer(&p);
    return t;
}
#else
static double time_peer(struct band_job *j)
{
    (void)j;
    return NAN;
}

static double time_peer_call(struct band_job *j)
{
    return time_peer(j);
}
#endif

/* --- jobs --- */

static void report(const struct band_job *j, const char *what, double bytes, double t, double peers)
{
    char name[64];
    snprintf(name, sizeof name, "%s:%d:%d", kind_names[j->kind], j->kind == SPARSE ? j->v.n : j->b.n,
             j->kind == SPARSE ? j->v.nnz : j->b.systems);
    printf("  %-16s %10.3f ms  of copy %.2f  cuSPARSE %10.3f ms  ratio %.2f\n", what, 1e3 * t,
           bytes / t / bandwidth, 1e3 * peers, peers / t);
    record(name, LETTER, 1, "PSBC", what, 1e3 * t, "ms");
    record(name, LETTER, 1, "cuSPARSE", what, 1e3 * peers, "ms");
    fflush(stdout);
}

/* Array a of n elements, each value(job, its number). */
static void make_array(struct band_job *j, int a, psb_epk n,
                       T (*value)(const struct band_job *, int, psb_epk))
{
    j->bytes[a] = (size_t)n * sizeof(T);
    T *const p = j->on_host[a] = malloc(j->bytes[a]);
    if (!p)
        stop("arrays", "no memory");
    for (psb_epk e = 0; e < n; e++)
        p[e] = value(j, a, e);
    j->on_gpu[a] = copy_there(p, j->bytes[a]);
}

/* Elements beside the matrix are 0, as the peer wants them. */
static T band_value(const struct band_job *j, int a, psb_epk e)
{
    const psb_epk i = j->b.row == 1 ? e % j->b.n : e / j->b.row, to = i + a - j->b.width;
    if (a == X_ARRAY)
        return X(x_at)((psb_lpk)e);
    if (to < 0 || to >= j->b.n)
        return 0;
    return X(x_at)((psb_lpk)(3 * e + a)) + (a == j->b.width ? 9 : 0);
}

static T vector_value(const struct band_job *j, int a, psb_epk e)
{
    (void)j;
    return X(x_at)((psb_lpk)(e + a));
}

static void run_bands(struct band_job *j, psb_ipk n, psb_ipk m)
{
    const bool mixed = j->kind == INTERLEAVED || j->kind == PENTA;
    j->b = (psb_band){ .width = 1 + (j->kind == PENTA),
                       .n = n,
                       .systems = m,
                       .nrhs = 1,
                       .row = mixed ? m : 1,
                       .system = mixed ? 1 : n };
    const psb_epk all = (psb_epk)n * m;
    for (int d = 0; d <= 2 * j->b.width; d++)
        make_array(j, d, all, band_value);
    make_array(j, X_ARRAY, all, band_value);
    for (j->b.pivot = 1; j->b.pivot >= 0; j->b.pivot--) {
        compare_with_host(j);
        const double t = median_time(WARM, ROUNDS, our_solve, j);
        reset_x(j);
        report(j, j->b.pivot ? "pivot" : "no pivot", (2 * j->b.width + 3) * (double)j->bytes[X_ARRAY], t,
               time_peer(j));
    }
}

static void run_vectors(struct band_job *j, psb_ipk n, psb_ipk m)
{
    psb_ipk *const idx = malloc((size_t)m * sizeof *idx);
    if (!idx)
        stop("arrays", "no memory");
    if (m > n)
        stop("sparse", "more elements than places");
    for (psb_ipk k = 0; k < m; k++)
        idx[k] = (psb_ipk)((psb_epk)k * n / m);
    j->v = j->there = (psb_sparse){ .n = n, .nnz = m, .idx = idx };
    void *const there = copy_there(idx, (size_t)m * sizeof *idx);
    j->there.idx = there;
    make_array(j, 0, m, vector_value);
    make_array(j, X_ARRAY, n, vector_value);
    for (j->call = 0; j->call < 3; j->call++) {
        const double each = sizeof *idx + (j->call < 2 ? 2 : 1) * sizeof(T);
        const double dense = j->call < 2 ? 0 : 2 * (double)j->bytes[X_ARRAY], peers = time_peer_call(j);
        j->there.order = PSB_SV_UNCHECKED;
        report(j, call_names[j->call], each * m + dense, median_time(WARM, ROUNDS, our_call, j), peers);
        good(psb_sv_check(&j->there, &psb_vect_cuda), "list");
        report(j, checked_names[j->call], each * m + dense, median_time(WARM, ROUNDS, our_call, j), peers);
    }
    psb_cuda_device()->free(there);
    free(idx);
}

static void run_job(const char *what)
{
    struct band_job j = { 0 };
    char name[16];
    int n, m;
    if (sscanf(what, "%15[a-z]:%d:%d", name, &n, &m) != 3 || n < 1 || m < 1)
        refuse("argument", what, "KIND:N:M, as --help says");
    while (j.kind < KINDS && strcmp(name, kind_names[j.kind]) != 0)
        j.kind++;
    if (j.kind == KINDS)
        refuse("argument", what, "long, strided, interleaved, penta or sparse");
    printf("%s: type %c\n", what, LETTER);
    (j.kind == SPARSE ? run_vectors : run_bands)(&j, n, m);
    for (int a = 0; a < ARRAYS; a++) {
        free(j.on_host[a]);
        if (j.on_gpu[a])
            psb_cuda_device()->free(j.on_gpu[a]);
    }
}

int X(gpu_band)(int argc, char **argv)
{
    static const struct flag table[] = { { 0 } };
    read_command(argc, argv, table, help);
    psb_ctxt *ctxt = start_on_device();
    bandwidth = copy_bandwidth();
    for (int i = optind; i < argc; i++)
        run_job(argv[i]);
    finish(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
