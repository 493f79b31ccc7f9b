/* gpu_vect.c -- test/kernel: every vector operation on one GPU, for one scalar, with the copy
 * bandwidth and, for two operations, cuBLAS, all measured in one run.
 *
 *     gpu_vect [--type TYPE] [ROWS [COLUMNS]]
 *
 * Every time is the median of 30, by events, after 5 that are not counted; the time of a reduction includes
 * the copy of its result to the host.  Bytes are those of the arrays read and written.  All elements of a
 * vector are equal, and each result is checked before it is timed: a wrong one ends the program.  Products
 * and sums of many vectors have an eighth of the rows.  Last, how long a distributed vector takes to be made,
 * filled first, and freed. */
#include "psb_cuda_format.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif
#include "cu.h"
#include "psb_type.h"

enum { WARM = 5, REPS = 30, MOST = 64 };

/* --- timing --- */

/* Returns the median seconds of run(arg), which submits work to the stream. */
static double median(void (*run)(const void *arg), const void *arg)
{
    double t[REPS];
    float ms;
    cudaStream_t stream = psb_cuda_stream();
    cudaEvent_t begin, end;
    cu(cudaEventCreate(&begin), "event");
    cu(cudaEventCreate(&end), "event");
    for (int i = -WARM; i < REPS; i++) {
        cu(cudaEventRecord(begin, stream), "event");
        run(arg);
        cu(cudaEventRecord(end, stream), "event");
        cu(cudaEventSynchronize(end), "operation");
        cu(cudaEventElapsedTime(&ms, begin, end), "event");
        if (i >= 0)
            t[i] = 1e-3 * (double)ms;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return median_of(t, REPS);
}

static double bandwidth; /* of copies */

static void report(const char *name, double seconds, double bytes)
{
    printf("%-24s %9.4f ms %8.1f GB/s %6.3f of copy\n", name, 1e3 * seconds, 1e-9 * bytes / seconds,
           bytes / seconds / bandwidth);
}

/* --- operations --- */

/* Vectors whose elements are all 2, 3 and 1, and the results of reductions. */
struct vectors {
    struct X(vect) *x, *y, *z;
    double n; /* rows */
    int k;
};
static T dots[MOST];
static R reals[MOST];

enum where { IN_Z, IN_DOTS, IN_REALS };

/* Numbered as apply() knows them. */
static const struct op {
    const char *name;
    int arrays;   /* arrays read and written */
    bool ordered; /* for real numbers only */
    enum where result;
    double want, power; /* expected result: want rows^power */
} ops[] = {
    { "fill", 1, 0, IN_Z, 5, 0 },
    { "axpby, beta = 0", 2, 0, IN_Z, 2, 0 },
    { "scal", 2, 0, IN_Z, 0.5, 0 },
    { "axpby", 3, 0, IN_Z, 4.5, 0 },
    { "axpbyz", 3, 0, IN_Z, 13, 0 },
    { "upd_xyz", 5, 0, IN_Z, 4, 0 },
    { "mlt", 3, 0, IN_Z, 6, 0 },
    { "mlt, beta not 0", 4, 0, IN_Z, 12.5, 0 },
    { "div", 3, 0, IN_Z, 2.0 / 3, 0 },
    { "inv", 2, 0, IN_Z, 0.5, 0 },
    { "abs", 2, 0, IN_Z, 2, 0 },
    { "cmp", 2, 0, IN_Z, 1, 0 },
    { "addconst", 2, 0, IN_Z, 7, 0 },
    { "mask, and its amax", 4, 1, IN_Z, 0, 0 },
    { "dot", 2, 0, IN_DOTS, 6, 1 },
    { "nrm2", 1, 0, IN_REALS, 2, 0.5 },
    { "nrm2 with weights", 2, 0, IN_REALS, 6, 0.5 },
    { "nrm2 with weights, id", 3, 0, IN_REALS, 6, 0.5 },
    { "asum", 1, 0, IN_REALS, 2, 1 },
    { "amax", 1, 0, IN_REALS, 2, 0 },
    { "min", 1, 1, IN_REALS, 2, 0 },
    { "minquotient", 2, 1, IN_REALS, 2.0 / 3, 0 },
};
enum { OPS = sizeof ops / sizeof *ops };

/* Operation q on vectors. */
static psb_err apply(int q, const struct vectors *v)
{
    struct X(vect) *x = v->x, *y = v->y, *z = v->z;
    int ok;
    // clang-format off
    switch (q) {
    case 0:  return X(set_scal)(5, z);
    case 1:  return X(geaxpby)(1, x, 0, z);
    case 2:  return X(gescal)(0.5, z);
    case 3:  return X(geaxpby)(2, x, 0.5, z);
    case 4:  return X(geaxpbyz)(2, x, 3, y, z);
    case 5:  return X(upd_xyz)(1, 0.5, 1, 0.5, x, y, z);
    case 6:  return X(gemlt2)(1, x, y, 0, z);
    case 7:  return X(gemlt2)(2, x, y, 0.5, z);
    case 8:  return X(gediv2)(x, y, z);
    case 9:  return X(geinv)(x, z);
    case 10: return X(geabs)(x, z);
    case 11: return X(gecmp)(x, 2, z);
    case 12: return X(geaddconst)(x, 5, z);
    case 13: return X(mask_local)(x, y, z, &ok);
    case 14: return X(gedot)(x, y, dots);
    case 15: return X(genrm2)(x, reals);
    case 16: return X(genrm2_weight)(x, y, reals);
    case 17: return X(genrm2_weightmask)(x, y, z, reals);
    case 18: return X(geasum)(x, reals);
    case 19: return X(geamax)(x, reals);
    case 20: return X(gemin)(x, reals);
    default: return X(minquotient)(x, y, reals);
    }
    // clang-format on
}

static void reset(const struct vectors *v)
{
    good(X(set_scal)(2, v->x), "fill");
    good(X(set_scal)(3, v->y), "fill");
    good(X(set_scal)(1, v->z), "fill");
}

/* Returns the largest difference between a column's results and the expected ones. */
static double largest_error(const struct op *q, int j, double want)
{
    if (q->result == IN_DOTS)
        return (double)ABS(dots[j] - (T)want);
    return q->result == IN_REALS ? fabs((double)reals[j] - want) : (double)reals[j];
}

static void check(const struct op *q, const struct vectors *v)
{
    double want = q->want * pow(v->n, q->power);
    if (q->result == IN_Z) {
        good(X(geaddconst)(v->z, (T)-want, v->z), "check");
        good(X(geamax)(v->z, reals), "check");
    }
    for (int j = 0; j < v->k; j++)
        if (!(largest_error(q, j, want) <= 4 * EPS * want))
            stop(q->name, "a wrong result");
}

struct timed {
    int q;
    const struct vectors *v;
};

static void run_once(const void *arg)
{
    const struct timed *t = arg;
    good(apply(t->q, t->v), ops[t->q].name);
}

static void measure(int q, const struct vectors *v)
{
    const struct timed t = { q, v };
    reset(v);
    run_once(&t);
    check(&ops[q], v);
    reset(v);
    report(ops[q].name, median(run_once, &t), ops[q].arrays * v->n * v->k * (double)sizeof(T));
}

/* --- many vectors and one --- */

/* Vectors whose elements are all 2, and y, whose elements are all 3. */
struct many {
    int m;
    struct X(vect) *x[MOST], *same[MOST], *y;
    T alpha[MOST];
};

static void run_dots(const void *arg)
{
    const struct many *v = arg;
    good(X(gedots)(v->m, v->x, v->same, dots), "dots");
}

static void run_sum(const void *arg)
{
    const struct many *v = arg;
    good(X(gemaxpy)(v->m, v->alpha, v->x, v->y), "maxpy");
}

/* Check and measure m products with y, and y plus the sum of m, of n rows. */
static void measure_many(int n, int m)
{
    struct many v = { .m = m };
    char name[2][40];
    const double each = n * (double)sizeof(T);
    snprintf(name[0], sizeof *name, "%d dots with one", m);
    snprintf(name[1], sizeof *name, "maxpy of %d", m);
    good(X(vect_new_n)(&v.y, n, 1, &psb_vect_cuda), "vector");
    good(X(set_scal)(3, v.y), "fill");
    for (int i = 0; i < m; i++) {
        good(X(vect_new_n)(&v.x[i], n, 1, &psb_vect_cuda), "vector");
        good(X(set_scal)(2, v.x[i]), "fill");
        v.same[i] = v.y;
        v.alpha[i] = i % 2 ? -0.5 : 0.5;
    }
    run_dots(&v);
    for (int i = 0; i < m; i++)
        if (dots[i] != (T)(6.0 * n))
            stop(name[0], "a wrong result");
    run_sum(&v);
    good(X(geaddconst)(v.y, (T)(-3 - m % 2), v.y), "check");
    good(X(geamax)(v.y, reals), "check");
    if (reals[0] != 0)
        stop(name[1], "a wrong result");
    report(name[0], median(run_dots, &v), (m + 1) * each);
    report(name[1], median(run_sum, &v), (m + 2) * each);
    for (int i = 0; i < m; i++)
        X(gefree)(v.x[i]);
    X(gefree)(v.y);
}

/* --- cuBLAS --- */

#ifdef WITH_CUBLAS
struct theirs {
    cublasHandle_t handle;
    int64_t n;
    const T *x, *y;
};

static const cudaDataType_t scalar = CPLX             ? sizeof(R) == 4 ? CUDA_C_32F : CUDA_C_64F
                                     : sizeof(R) == 4 ? CUDA_R_32F
                                                      : CUDA_R_64F;
static const cudaDataType_t real = sizeof(R) == 4 ? CUDA_R_32F : CUDA_R_64F;

static void blas(cublasStatus_t s, const char *what)
{
    if (s != CUBLAS_STATUS_SUCCESS)
        stop(what, cublasGetStatusString(s));
}

static void their_dot(const void *arg)
{
    const struct theirs *c = arg;
    blas(cublasDotcEx_64(c->handle, c->n, c->x, scalar, 1, c->y, scalar, 1, dots, scalar, scalar),
         "cublasDotcEx");
}

static void their_nrm2(const void *arg)
{
    const struct theirs *c = arg;
    blas(cublasNrm2Ex_64(c->handle, c->n, c->x, scalar, 1, reals, real, real), "cublasNrm2Ex");
}

/* Measure cuBLAS on a vector of one column. */
static void measure_theirs(const struct vectors *v)
{
    struct theirs c = { .n = (int64_t)v->n };
    reset(v);
    good(X(device_read)(v->x, &c.x), "address");
    good(X(device_read)(v->y, &c.y), "address");
    blas(cublasCreate(&c.handle), "cublasCreate");
    blas(cublasSetStream(c.handle, psb_cuda_stream()), "cublasSetStream");
    report("cuBLAS dot", median(their_dot, &c), 2 * v->n * (double)sizeof(T));
    report("cuBLAS nrm2", median(their_nrm2, &c), v->n * (double)sizeof(T));
    cublasDestroy(c.handle);
}
#else
static void measure_theirs(const struct vectors *v)
{
    (void)v;
    printf("cuBLAS was not there when this was built\n");
}
#endif

/* --- creation --- */

enum step { ASSEMBLE, FILL, FREE, STEPS };

/* Seconds of a step that began at `begun`, with the work that it has submitted. */
static double since(double begun)
{
    good(psb_cuda_DeviceSync(), "work on the device");
    return psb_wtime() - begun;
}

/* Times of a new vector on the descriptor. */
static void create(psb_desc *d, double seconds[STEPS])
{
    struct X(vect) *x;
    double begun = psb_wtime();
    good(X(geall)(&x, d), "geall");
    good(X(geasb)(x, &psb_vect_cuda), "geasb");
    seconds[ASSEMBLE] = since(begun);
    begun = psb_wtime();
    good(X(set_scal)(1, x), "fill");
    seconds[FILL] = since(begun);
    begun = psb_wtime();
    X(gefree)(x);
    seconds[FREE] = since(begun);
}

/* A vector of n rows, from new memory and from memory that is kept: times by the host's clock. */
static void measure_creation(psb_ctxt *ctxt, int n)
{
    psb_desc *d = NULL;
    double t[STEPS][REPS], one[STEPS];
    good(psb_cdall_nl(&d, ctxt, n), "descriptor");
    good(psb_cdasb(d), "descriptor");
    for (int kept = 0; kept < 2; kept++) {
        psb_pool_limit(kept ? SIZE_MAX : 0);
        for (int i = -WARM; i < REPS; i++) {
            create(d, one);
            for (int s = 0; s < STEPS && i >= 0; s++)
                t[s][i] = one[s];
        }
        printf("%-24s geall, geasb %.4f ms; first fill %.4f ms; gefree %.4f ms\n",
               kept ? "a vector, kept memory" : "a vector, new memory", 1e3 * median_of(t[ASSEMBLE], REPS),
               1e3 * median_of(t[FILL], REPS), 1e3 * median_of(t[FREE], REPS));
    }
    psb_cdfree(d);
}

/* --- the program --- */

static void measure_all(int n, int k)
{
    struct vectors v = { .n = n, .k = k };
    struct X(vect) **const each[] = { &v.x, &v.y, &v.z };
    bandwidth = copy_bandwidth();
    for (int i = 0; i < 3; i++)
        good(X(vect_new_n)(each[i], n, k, &psb_vect_cuda), "vector");
    printf("rows %d, columns %d, type %c; copy %.1f GB/s\n", n, k, LETTER, 1e-9 * bandwidth);
    for (int q = 0; q < OPS; q++)
        if (!CPLX || !ops[q].ordered)
            measure(q, &v);
    if (k == 1) {
        measure_many(n / 8 + 1, 8); /* fewer rows, so that all fit */
        measure_many(n / 8 + 1, 31);
        measure_theirs(&v);
    }
    for (int i = 0; i < 3; i++)
        X(gefree)(*each[i]);
}

int X(gpu_vect)(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1, INT_MAX, 1 << 27), k = argument(argc, argv, 2, 1, MOST, 1);
    psb_ctxt *ctxt = start_on_device();
    if (!psb_cuda_stream())
        stop("device", "this program needs a GPU");
    measure_all(n, k);
    measure_creation(ctxt, n);
    finish(ctxt);
    return EXIT_SUCCESS;
}
