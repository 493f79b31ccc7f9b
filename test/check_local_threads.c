/* check_local_threads.c -- test: threads of a program that use objects of their own at once, on the host and
 * on the device. */
#include <pthread.h>
#include <string.h>
#include "psb_cuda.h"
#include "psb_linsolve.h"
#include "check_mat.h"
#include "sample.h"

enum { WORKERS = 6, TIMES = 30, SIDE = 40, PARTS = 6, RESULTS = PARTS * SIDE };

/* What a thread computes, and its first error. */
struct worker {
    int number;
    bool on_device;
    T out[RESULTS];
    char message[200];
    psb_err e;
};

/* *a = a matrix of the worker, dominated by its diagonal, assembled by insertion. */
static psb_err insert_matrix(int number, struct X(mat) **a)
{
    struct rng r = { (uint64_t)number };
    PSB_TRY(X(mat_all)(SIDE, SIDE, 0, a));
    for (psb_ipk i = 0; i < SIDE; i++)
        for (int k = 0; k < 6; k++) {
            const psb_ipk j = k ? rng_below(&r, SIDE) : i;
            const T v = random_scalar(&r) + (k ? 0 : 20);
            PSB_TRY(X(mat_csput)(*a, 1, &i, &j, &v, PSB_DUPL_ADD));
        }
    return X(mat_asb)(*a, PSB_DUPL_ADD);
}

/* out = products with a, in several formats, and op(A); part is the number of the next results. */
static psb_err multiply(const struct X(mat) *a, const T *x, T *out)
{
    static const char *const formats[] = { "CSR", "HLL", "ELL", "HYB" };
    struct X(mat) *b = NULL;
    psb_err e = PSB_OK;
    for (int f = 0; f < 4 && e == PSB_OK; f++) {
        e = X(mat_convert)(a, X(mat_by_name)(formats[f]), &b);
        PSB_THEN(e, X(mat_csmv)(1, b, x, 0, out + f * SIDE, "NTCN"[f]));
        X(mat_free)(b);
        b = NULL;
    }
    return e;
}

/* out = solutions with factors of a, and of a banded system. */
static psb_err solve_both(const struct X(mat) *a, const T *x, T *out)
{
    struct X(factor) *f = NULL;
    struct X(vect) *v = NULL;
    T one[SIDE], four[SIDE];
    for (int i = 0; i < SIDE; i++) {
        one[i] = 1;
        four[i] = 4;
    }
    const psb_band band = { .width = 1, .n = SIDE, .systems = 1, .nrhs = 1, .row = 1 };
    psb_err e = X(factor_bld)(a, NULL, NULL, NULL, NULL, &f);
    PSB_THEN(e, X(vect_bld)(&v, SIDE, 1, x, NULL));
    PSB_THEN(e, X(factor_solve)(f, v, v, 'N', 0));
    PSB_THEN(e, X(get_vect)(v, SIDE, out));
    memcpy(out + SIDE, x, SIDE * sizeof *x);
    PSB_THEN(e, X(band_solve)(&band, (const T *const[]){ one, four, one }, out + SIDE, NULL));
    X(gefree)(v);
    X(factor_free)(f);
    return e;
}

/* As multiply, of vectors on the device. */
static psb_err multiply_there(const struct X(mat) *a, const T *x, T *out)
{
    static const char *const formats[] = { "CSRG", "HLG", "ELG", "HYBG" };
    struct X(mat) *b = NULL;
    struct X(vect) *v = NULL, *y = NULL;
    psb_err e = PSB_OK;
    for (int f = 0; f < 4 && e == PSB_OK; f++) {
        e = X(mat_convert)(a, X(mat_by_name)(formats[f]), &b);
        PSB_THEN(e, X(vect_bld)(&v, SIDE, 1, x, &psb_vect_cuda));
        PSB_THEN(e, X(vect_bld)(&y, SIDE, 1, x, &psb_vect_cuda));
        PSB_THEN(e, X(mat_vect_mv)(1, b, v, 0, y, "NTCN"[f]));
        PSB_THEN(e, X(get_vect)(y, SIDE, out + f * SIDE));
        X(gefree)(v);
        X(gefree)(y);
        X(mat_free)(b);
        b = NULL;
        v = y = NULL;
    }
    return e;
}

/* out = solutions with factors of a, and the norm of x and its product with itself. */
static psb_err solve_there(const struct X(mat) *a, const T *x, T *out)
{
    struct X(mat) *b = NULL;
    struct X(factor) *f = NULL;
    struct X(vect) *v = NULL;
    R norm = 0;
    psb_err e = X(mat_convert)(a, X(mat_by_name)("CSRG"), &b);
    PSB_THEN(e, X(factor_bld)(b, NULL, NULL, X(mat_by_name)("CSRG"), &psb_vect_cuda, &f));
    PSB_THEN(e, X(vect_bld)(&v, SIDE, 1, x, &psb_vect_cuda));
    PSB_THEN(e, X(genrm2_local)(v, &norm));
    PSB_THEN(e, X(gedot_local)(v, v, out + SIDE));
    PSB_THEN(e, X(factor_solve)(f, v, v, 'N', 0));
    PSB_THEN(e, X(get_vect)(v, SIDE, out));
    out[SIDE + 1] = norm;
    X(gefree)(v);
    X(factor_free)(f);
    X(mat_free)(b);
    return e;
}

static void *work(void *worker)
{
    struct worker *w = worker;
    struct X(mat) *a = NULL;
    T x[SIDE];
    struct rng r = { (uint64_t)w->number + 1000 };
    for (int i = 0; i < SIDE; i++)
        x[i] = random_scalar(&r);
    w->e = insert_matrix(w->number, &a);
    PSB_THEN(w->e, w->on_device ? psb_cuda_thread_begin() : PSB_OK);
    PSB_THEN(w->e, (w->on_device ? multiply_there : multiply)(a, x, w->out));
    PSB_THEN(w->e, (w->on_device ? solve_there : solve_both)(a, x, w->out + 4 * SIDE));
    PSB_THEN(w->e, w->on_device ? psb_cuda_thread_end() : PSB_OK);
    if (w->e == PSB_OK && X(mat_csmv)(1, a, x, 0, w->out, (char)('a' + w->number)) != PSB_EARG)
        w->e = PSB_ESTATE;
    strncpy(w->message, psb_errmsg(), sizeof w->message - 1);
    psb_clean_errstack();
    X(mat_free)(a);
    return NULL;
}

/* Results have the bits that each thread computes alone, and messages are its own. */
TEST(objects_of_threads)
{
    static struct worker want[WORKERS], got[WORKERS];
    pthread_t thread[WORKERS];
    for (int t = 0; t < WORKERS; t++) {
        want[t] = (struct worker){ .number = t, .on_device = _i };
        work(&want[t]);
        OK(want[t].e);
        const char named[] = { '\'', (char)('a' + t), '\'', 0 };
        ck_assert_ptr_nonnull(strstr(want[t].message, named));
    }
    for (int k = 0; k < TIMES; k++) {
        for (int t = 0; t < WORKERS; t++) {
            got[t] = (struct worker){ .number = t, .on_device = _i };
            ck_assert_int_eq(pthread_create(&thread[t], NULL, work, &got[t]), 0);
        }
        for (int t = 0; t < WORKERS; t++)
            ck_assert_int_eq(pthread_join(thread[t], NULL), 0);
        for (int t = 0; t < WORKERS; t++) {
            OK(got[t].e);
            ck_assert(memcmp(got[t].out, want[t].out, sizeof got[t].out) == 0);
            ck_assert_str_eq(got[t].message, want[t].message);
        }
    }
}

/* What a thread frees is kept for it, and for all when it has ended; its calls are in pairs. */
TEST(memory_of_threads)
{
    const struct psb_device *on = psb_cuda_device();
    void *p = NULL, *q = NULL;
    FAILS(psb_cuda_thread_end(), PSB_ESTATE, "this thread has not begun");
    if (!on)
        return;
    psb_pool_trim(0);
    OK(psb_device_take(on, &p, 1000, "an array"));
    psb_device_give(on, p, 1000);
    OK(psb_cuda_thread_begin());
    FAILS(psb_cuda_thread_begin(), PSB_ESTATE, "this thread has begun already");
    OK(psb_device_take(on, &q, 1000, "an array"));
    ck_assert(q != p && psb_pool_trim(SIZE_MAX) == 1000);
    psb_device_give(on, q, 1000);
    OK(psb_cuda_thread_end());
    ck_assert_uint_eq(psb_pool_trim(SIZE_MAX), 2000);
    OK(psb_device_take(on, &p, 1000, "an array"));
    OK(psb_device_take(on, &q, 1000, "an array"));
    ck_assert_uint_eq(psb_pool_trim(SIZE_MAX), 0);
    psb_device_give(on, p, 1000);
    psb_device_give(on, q, 1000);
}

void add_objects_of_threads(TCase *c)
{
    ck_add_loop_tests(c, 2, objects_of_threads);
    ck_add_tests(c, memory_of_threads);
}
