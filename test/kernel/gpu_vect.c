/* gpu_vect.c -- test/kernel: every vector operation on one GPU, for one scalar, with the copy
 * bandwidth and, for two operations, cuBLAS, all measured in one run.
 *
 *     gpu_vect [--type TYPE] [ROWS [COLUMNS]]
 *
 * Every time is the median of 30, by events, after 5 that are not counted; the time of a reduction includes
 * the copy of its result to the host.  Bytes are those of the arrays read and written.  All elements of a
 * vector are equal, and each result is checked before it is timed: a wrong one ends the program. */
#include "psb_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif
#include "cu.h"
#include "psb_type.h"

enum { WARM = 5, REPS = 30, MOST = 64 };

/* --- timing --- */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns the median seconds of run(arg), which submits work to the stream. */
static double median(void (*run)(const void *arg), const void *arg)
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
        cu(cudaEventSynchronize(end), "operation");
        if (i >= 0)
            cu(cudaEventElapsedTime(&ms[i], begin, end), "event");
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    qsort(ms, REPS, sizeof *ms, by_value);
    return 1e-3 * (double)ms[REPS / 2];
}

static double copy_bandwidth;

static void report(const char *name, double seconds, double bytes)
{
    printf("%-24s %9.4f ms %8.1f GB/s %6.3f of copy\n", name, 1e3 * seconds, 1e-9 * bytes / seconds,
           bytes / seconds / copy_bandwidth);
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

static psb_err fill(const struct vectors *v)
{
    return X(set_scal)(5, v->z);
}

static psb_err copy(const struct vectors *v)
{
    return X(geaxpby)(1, v->x, 0, v->z);
}

static psb_err scal(const struct vectors *v)
{
    return X(gescal)(0.5, v->z);
}

static psb_err axpby(const struct vectors *v)
{
    return X(geaxpby)(2, v->x, 0.5, v->z);
}

static psb_err axpbyz(const struct vectors *v)
{
    return X(geaxpbyz)(2, v->x, 3, v->y, v->z);
}

static psb_err upd_xyz(const struct vectors *v)
{
    return X(upd_xyz)(1, 0.5, 1, 0.5, v->x, v->y, v->z);
}

static psb_err mlt(const struct vectors *v)
{
    return X(gemlt2)(1, v->x, v->y, 0, v->z);
}

static psb_err mlt2(const struct vectors *v)
{
    return X(gemlt2)(2, v->x, v->y, 0.5, v->z);
}

static psb_err divide(const struct vectors *v)
{
    return X(gediv2)(v->x, v->y, v->z);
}

static psb_err invert(const struct vectors *v)
{
    return X(geinv)(v->x, v->z);
}

static psb_err absolute(const struct vectors *v)
{
    return X(geabs)(v->x, v->z);
}

static psb_err compare(const struct vectors *v)
{
    return X(gecmp)(v->x, 2, v->z);
}

static psb_err addconst(const struct vectors *v)
{
    return X(geaddconst)(v->x, 5, v->z);
}

static psb_err mask(const struct vectors *v)
{
    int ok;
    return X(mask_local)(v->x, v->y, v->z, &ok);
}

static psb_err dot(const struct vectors *v)
{
    return X(gedot)(v->x, v->y, dots);
}

static psb_err nrm2(const struct vectors *v)
{
    return X(genrm2)(v->x, reals);
}

static psb_err weighted(const struct vectors *v)
{
    return X(genrm2_weight)(v->x, v->y, reals);
}

static psb_err masked(const struct vectors *v)
{
    return X(genrm2_weightmask)(v->x, v->y, v->z, reals);
}

static psb_err asum(const struct vectors *v)
{
    return X(geasum)(v->x, reals);
}

static psb_err amax(const struct vectors *v)
{
    return X(geamax)(v->x, reals);
}

static psb_err least(const struct vectors *v)
{
    return X(gemin)(v->x, reals);
}

static psb_err minquotient(const struct vectors *v)
{
    return X(minquotient)(v->x, v->y, reals);
}

enum where { IN_Z, IN_DOTS, IN_REALS };

static const struct op {
    const char *name;
    psb_err (*run)(const struct vectors *v);
    int arrays;  /* arrays read and written */
    int ordered; /* for real numbers only */
    enum where result;
    double want, power; /* expected result: want rows^power */
} ops[] = {
    { "fill", fill, 1, 0, IN_Z, 5, 0 },
    { "axpby, beta = 0", copy, 2, 0, IN_Z, 2, 0 },
    { "scal", scal, 2, 0, IN_Z, 0.5, 0 },
    { "axpby", axpby, 3, 0, IN_Z, 4.5, 0 },
    { "axpbyz", axpbyz, 3, 0, IN_Z, 13, 0 },
    { "upd_xyz", upd_xyz, 5, 0, IN_Z, 4, 0 },
    { "mlt", mlt, 3, 0, IN_Z, 6, 0 },
    { "mlt, beta not 0", mlt2, 4, 0, IN_Z, 12.5, 0 },
    { "div", divide, 3, 0, IN_Z, 2.0 / 3, 0 },
    { "inv", invert, 2, 0, IN_Z, 0.5, 0 },
    { "abs", absolute, 2, 0, IN_Z, 2, 0 },
    { "cmp", compare, 2, 0, IN_Z, 1, 0 },
    { "addconst", addconst, 2, 0, IN_Z, 7, 0 },
    { "mask, and its amax", mask, 4, 1, IN_Z, 0, 0 },
    { "dot", dot, 2, 0, IN_DOTS, 6, 1 },
    { "nrm2", nrm2, 1, 0, IN_REALS, 2, 0.5 },
    { "nrm2 with weights", weighted, 2, 0, IN_REALS, 6, 0.5 },
    { "nrm2 with weights, id", masked, 3, 0, IN_REALS, 6, 0.5 },
    { "asum", asum, 1, 0, IN_REALS, 2, 1 },
    { "amax", amax, 1, 0, IN_REALS, 2, 0 },
    { "min", least, 1, 1, IN_REALS, 2, 0 },
    { "minquotient", minquotient, 2, 1, IN_REALS, 2.0 / 3, 0 },
};
enum { OPS = sizeof ops / sizeof *ops };

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
    const struct op *q;
    const struct vectors *v;
};

static void run_once(const void *arg)
{
    const struct timed *t = arg;
    good(t->q->run(t->v), t->q->name);
}

static void measure(const struct op *q, const struct vectors *v)
{
    const struct timed t = { q, v };
    reset(v);
    run_once(&t);
    check(q, v);
    reset(v);
    report(q->name, median(run_once, &t), q->arrays * v->n * v->k * (double)sizeof(T));
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

/* --- the program --- */

static void measure_all(int n, int k)
{
    size_t half = (size_t)1 << 30;
    double seconds;
    struct vectors v = { .n = n, .k = k };
    good(psb_cuda_copy_time(half, REPS, &seconds), "copy");
    copy_bandwidth = 2.0 * (double)half / seconds;
    good(X(vect_new_n)(&v.x, n, k, &psb_vect_cuda), "vector");
    good(X(vect_new_n)(&v.y, n, k, &psb_vect_cuda), "vector");
    good(X(vect_new_n)(&v.z, n, k, &psb_vect_cuda), "vector");
    printf("rows %d, columns %d, type %c; copy %.1f GB/s\n", n, k, LETTER, 1e-9 * copy_bandwidth);
    for (int i = 0; i < OPS; i++)
        if (!CPLX || !ops[i].ordered)
            measure(&ops[i], &v);
    if (k == 1)
        measure_theirs(&v);
    X(gefree)(v.x);
    X(gefree)(v.y);
    X(gefree)(v.z);
}

int X(gpu_vect)(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 27, k = argc > 2 ? atoi(argv[2]) : 1;
    char name[256];
    psb_ctxt *ctxt;
    if (argc > 3 || n < 1 || k < 1 || k > MOST)
        stop("arguments", "expected rows >= 1, 1 <= columns <= 64");
    good(psb_init(&ctxt), "start");
    good(psb_cuda_init(ctxt), "start");
    good(psb_cuda_DeviceName(name, sizeof name), "this program needs a GPU");
    printf("vectors on one %s\n", name);
    measure_all(n, k);
    psb_cuda_exit();
    psb_exit(ctxt);
    return EXIT_SUCCESS;
}
