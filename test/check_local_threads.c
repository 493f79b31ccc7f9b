/* check_local_threads.c -- test: threads of a program that use objects of their own on the host at once. */
#include <pthread.h>
#include <string.h>
#include "psb_linsolve.h"
#include "check_mat.h"
#include "sample.h"

enum { WORKERS = 6, TIMES = 30, SIDE = 40, PARTS = 6, RESULTS = PARTS * SIDE };

/* What a thread computes, and its first error. */
struct worker {
    int number;
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

static void *work(void *worker)
{
    struct worker *w = worker;
    struct X(mat) *a = NULL;
    T x[SIDE];
    struct rng r = { (uint64_t)w->number + 1000 };
    for (int i = 0; i < SIDE; i++)
        x[i] = random_scalar(&r);
    w->e = insert_matrix(w->number, &a);
    PSB_THEN(w->e, multiply(a, x, w->out));
    PSB_THEN(w->e, solve_both(a, x, w->out + 4 * SIDE));
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
        want[t] = (struct worker){ .number = t };
        work(&want[t]);
        OK(want[t].e);
        const char named[] = { '\'', (char)('a' + t), '\'', 0 };
        ck_assert_ptr_nonnull(strstr(want[t].message, named));
    }
    for (int k = 0; k < TIMES; k++) {
        for (int t = 0; t < WORKERS; t++) {
            got[t] = (struct worker){ .number = t };
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

void add_objects_of_threads(TCase *c)
{
    ck_add_tests(c, objects_of_threads);
}
