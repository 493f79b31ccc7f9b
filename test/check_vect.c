/* check_vect.c -- room: test.  Vectors on one process, for one scalar: operations at random on vectors of the
 * host and of two devices, beside plain arrays. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "other.h"
#include "sample.h"

/* Values are small whole numbers, so that everything but a square root is exact. */
enum { N = 37, VECTORS = 6, LARGE = 60 };

static psb_ctxt *ctxt;
static psb_desc *desc;
static const struct psb_vmold *const places[] = { &psb_vect_host, &psb_vect_cuda, &other_vect };

static T whole(struct rng *r)
{
    int re = rng_below(r, 9) - 4, im = rng_below(r, 9) - 4;
    return MAKE(re, im);
}

/* --- a vector and what it must hold ------------------------------------------------------------------- */

struct pair {
    struct X(vect) *v;
    T must[N];
};

static void check_values(const T *now, const T *must)
{
    for (int i = 0; i < N; i++)
        ck_assert_msg(now[i] == must[i], "element %d is %g, expected %g", i, (double)RE(now[i]),
                      (double)RE(must[i]));
}

static void check_pair(struct pair *p)
{
    T now[N];
    OK(X(get_vect)(p->v, N, now));
    check_values(now, p->must);
}

static int size_of(const struct pair *p)
{
    double most = 0;
    for (int i = 0; i < N; i++)
        most = fmax(most, fabs((double)RE(p->must[i])) + fabs((double)IM(p->must[i])));
    return (int)most;
}

static void open_pair(struct pair *p, const struct psb_vmold *where)
{
    memset(p->must, 0, sizeof p->must);
    OK(X(geall)(&p->v, desc));
    OK(X(geasb)(p->v, where));
    check_pair(p);
}

/* --- operations --------------------------------------------------------------------------------------- */

static void set_scal(struct pair *x, struct pair *y, struct rng *r)
{
    T a = whole(r);
    (void)y;
    OK(X(set_scal)(a, x->v));
    fill_vector(N, x->must, a);
}

static void axpby(struct pair *x, struct pair *y, struct rng *r)
{
    const T factor[] = { 0, 1, -1, 2 };
    T alpha = factor[rng_below(r, 4)], beta = factor[rng_below(r, 4)];
    OK(X(geaxpby)(alpha, x->v, beta, y->v));
    for (int i = 0; i < N; i++)
        y->must[i] = alpha * x->must[i] + beta * y->must[i];
}

static void dot(struct pair *x, struct pair *y, struct rng *r)
{
    T got, must = 0;
    (void)r;
    OK(X(gedot)(x->v, y->v, &got));
    for (int i = 0; i < N; i++)
        must += CONJ(x->must[i]) * y->must[i];
    ck_assert(got == must);
}

static void nrm2(struct pair *x, struct pair *y, struct rng *r)
{
    R got;
    double sum = 0;
    (void)y, (void)r;
    OK(X(genrm2)(x->v, &got));
    for (int i = 0; i < N; i++)
        sum += (double)RE(x->must[i]) * RE(x->must[i]) + (double)IM(x->must[i]) * IM(x->must[i]);
    ck_assert(fabs((double)got - sqrt(sum)) <= 2 * EPS * sqrt(sum));
}

static void set_some(struct pair *x, struct pair *y, struct rng *r)
{
    T from[N];
    int n = rng_below(r, N + 1);
    (void)y;
    for (int i = 0; i < n; i++)
        x->must[i] = from[i] = whole(r);
    OK(X(set_vect)(x->v, n, from));
}

static void get_all(struct pair *x, struct pair *y, struct rng *r)
{
    (void)y, (void)r;
    check_pair(x);
}

static void get_element(struct pair *x, struct pair *y, struct rng *r)
{
    T got;
    int i = rng_below(r, N);
    (void)y;
    OK(X(getelem)(x->v, i, &got));
    ck_assert(got == x->must[i]);
}

static void host_update(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    int i = rng_below(r, N);
    (void)y;
    OK(X(host_update)(x->v, &p));
    p[i] = x->must[i] = whole(r);
}

static void host_write(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    (void)y;
    OK(X(host_write)(x->v, &p));
    for (int i = 0; i < N; i++)
        p[i] = x->must[i] = whole(r);
}

/* The devices of this test are host memory in disguise. */
static void device_update(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    int i = rng_below(r, N);
    (void)y;
    if (!x->v->v.on) {
        FAILS(X(device_update)(x->v, &p), PSB_ESTATE, "no device copy");
        return;
    }
    OK(X(device_update)(x->v, &p));
    p[i] = x->must[i] = whole(r);
}

static void device_write(struct pair *x, struct pair *y, struct rng *r)
{
    T *p;
    (void)y;
    if (!x->v->v.on) {
        FAILS(X(device_write)(x->v, &p), PSB_ESTATE, "no device copy");
        return;
    }
    OK(X(device_write)(x->v, &p));
    for (int i = 0; i < N; i++)
        p[i] = x->must[i] = whole(r);
}

static void read_both(struct pair *x, struct pair *y, struct rng *r)
{
    const T *p;
    (void)y, (void)r;
    OK(X(host_read)(x->v, &p));
    check_values(p, x->must);
    if (x->v->v.on) {
        OK(X(device_read)(x->v, &p));
        check_values(p, x->must);
    }
}

/* On one process there is no halo to change. */
static void halo(struct pair *x, struct pair *y, struct rng *r)
{
    (void)y;
    OK(X(halo)(x->v, rng_below(r, 2) ? 'N' : 'T'));
}

static void (*const operations[])(struct pair *, struct pair *, struct rng *) = {
    set_scal,    axpby,      axpby,       axpby,        dot,       nrm2,          set_some,      get_all,
    get_element, host_write, host_update, device_write, read_both, device_update, device_update, halo,
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

START_TEST(random_sequence)
    {
        struct rng r = { (uint64_t)_i };
        struct pair p[VECTORS];
        for (int k = 0; k < VECTORS; k++)
            open_pair(&p[k], places[k % 3]);
        for (int k = 0; k < 2000; k++) {
            struct pair *x = &p[rng_below(&r, VECTORS)], *y = &p[rng_below(&r, VECTORS)];
            operations[rng_below(&r, OPERATIONS)](x, y, &r);
            if (size_of(x) > LARGE)
                set_scal(x, NULL, &r);
            if (size_of(y) > LARGE)
                set_scal(y, NULL, &r);
        }
        for (int k = 0; k < VECTORS; k++) {
            check_pair(&p[k]);
            X(gefree)(p[k].v);
        }
        ck_assert_int_eq(other_blocks, 0);
    }
END_TEST

/* --- a device that fails ------------------------------------------------------------------------------ */

/* What fails changes nothing, on either side. */
START_TEST(failing_device)
    {
        struct rng r = { (uint64_t)_i };
        struct pair p[2];
        for (int n = 1, failed = 1; failed; n++) {
            T sum;
            open_pair(&p[0], &other_vect);
            open_pair(&p[1], &other_vect);
            host_write(&p[0], NULL, &r);
            host_write(&p[1], NULL, &r);
            other_fails_in = n;
            psb_err e = _i == 0   ? X(gedot)(p[0].v, p[1].v, &sum)
                        : _i == 1 ? X(geaxpby)(1, p[0].v, 2, p[1].v)
                                  : X(set_scal)(3, p[0].v);
            failed = other_fails_in == 0;
            other_fails_in = 0;
            ck_assert(failed ? e == PSB_ENOMEM || e == PSB_EDEVICE : e == PSB_OK);
            ck_assert(failed || n > 1);
            for (int k = 0; k < 2 && failed; k++)
                check_pair(&p[k]);
            X(gefree)(p[0].v);
            X(gefree)(p[1].v);
        }
        ck_assert_int_eq(other_blocks, 0);
    }
END_TEST

START_TEST(failing_assembly)
    {
        for (int n = 1, failed = 1; failed; n++) {
            struct pair p;
            const psb_lpk row = 5;
            const T value = 7;
            OK(X(geall)(&p.v, desc));
            OK(X(geins)(1, &row, &value, p.v, PSB_DUPL_OVERWRITE));
            other_fails_in = n;
            psb_err e = X(geasb)(p.v, &other_vect);
            failed = other_fails_in == 0;
            other_fails_in = 0;
            ck_assert_int_eq(e, failed ? PSB_ENOMEM : PSB_OK);
            ck_assert(failed || n > 1);
            if (failed)
                OK(X(geasb)(p.v, &other_vect));
            fill_vector(N, p.must, 0);
            p.must[row] = value;
            check_pair(&p);
            X(gefree)(p.v);
        }
        ck_assert_int_eq(other_blocks, 0);
    }
END_TEST

/* --- arguments ---------------------------------------------------------------------------------------- */

START_TEST(arguments_are_checked)
    {
        struct X(vect) *x, *y, *build;
        T val = 1, *p;
        const T *q;
        R norm;
        psb_lpk row = N;
        OK(X(vect_new)(&x, N, NULL));
        OK(X(vect_new)(&y, N + 1, NULL));
        OK(X(geall)(&build, desc));
        FAILS(X(vect_new)(NULL, 1, NULL), PSB_EARG, "argument x ");
        FAILS(X(vect_new)(&x, -1, NULL), PSB_EARG, "argument n is -1");
        FAILS(X(geall)(NULL, desc), PSB_EARG, "argument x ");
        FAILS(X(geall)(&x, NULL), PSB_EARG, "argument desc ");
        FAILS(X(geins)(1, &row, &val, NULL, PSB_DUPL_ADD), PSB_EARG, "argument x ");
        FAILS(X(geins)(1, NULL, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw ");
        FAILS(X(geins)(1, &row, NULL, build, PSB_DUPL_ADD), PSB_EARG, "argument val ");
        FAILS(X(geins)(-1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument n is -1");
        FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw[0] is 37");
        row = -1;
        FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ADD), PSB_EARG, "argument irw[0] is -1");
        FAILS(X(geins)(1, &row, &val, build, PSB_DUPL_ERROR), PSB_EARG, "argument dupl ");
        FAILS(X(geins)(0, NULL, NULL, x, PSB_DUPL_ADD), PSB_ESTATE, "BUILD");
        FAILS(X(geasb)(NULL, NULL), PSB_EARG, "argument x is NULL");
        FAILS(X(geasb)(x, NULL), PSB_EARG, "argument x is local");
        FAILS(X(set_scal)(1, NULL), PSB_EARG, "argument x ");
        FAILS(X(get_vect)(x, N + 1, &val), PSB_EARG, "argument n is 38");
        FAILS(X(set_vect)(x, -1, &val), PSB_EARG, "argument n is -1");
        FAILS(X(getelem)(build, N, &val), PSB_EARG, "argument g is 37");
        FAILS(X(getelem)(build, 0, NULL), PSB_EARG, "argument val ");
        FAILS(X(geaxpby)(1, x, 1, y), PSB_EARG, "37 elements");
        FAILS(X(geaxpby)(1, x, 1, NULL), PSB_EARG, "argument y ");
        FAILS(X(geaxpby)(1, build, 1, build), PSB_ESTATE, "not assembled");
        FAILS(X(gedot)(x, x, NULL), PSB_EARG, "argument res ");
        FAILS(X(genrm2)(NULL, &norm), PSB_EARG, "argument x ");
        FAILS(X(halo)(x, 'N'), PSB_EARG, "argument x is local");
        FAILS(X(halo)(build, 'N'), PSB_ESTATE, "not assembled");
        FAILS(X(gather)(x, &val, 0), PSB_EARG, "argument x is local");
        FAILS(X(host_write)(NULL, &p), PSB_EARG, "argument x ");
        FAILS(X(device_read)(NULL, &q), PSB_EARG, "argument x ");
        X(gefree)(x);
        X(gefree)(y);
        X(gefree)(build);
        X(gefree)(NULL);
    }
END_TEST

START_TEST(no_memory_for_a_vector)
    {
        struct X(vect) *x;
        psb_err e = PSB_ENOMEM;
        int n = 1;
        for (; e != PSB_OK; n++) {
            psb_alloc_fail_at(n);
            x = NULL;
            e = X(vect_new)(&x, N, places[_i]);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK ? x != NULL : e == PSB_ENOMEM && x == NULL);
        }
        ck_assert_int_gt(n, 2);
        X(gefree)(x);
    }
END_TEST

static Suite *vectors(void)
{
    Suite *s = suite_create("vectors");
    TCase *c = ck_tcase(s, "random");
    tcase_add_loop_test(c, random_sequence, 0, 20);
    c = ck_tcase(s, "failures");
    tcase_add_loop_test(c, failing_device, 0, 3);
    tcase_add_test(c, failing_assembly);
    tcase_add_test(c, arguments_are_checked);
    tcase_add_loop_test(c, no_memory_for_a_vector, 0, 3);
    return s;
}

int main(void)
{
    setenv("PSB_DEVICE", "fake", 1); /* whose memory this test may look at */
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK || psb_cdall_nl(&desc, ctxt, N) != PSB_OK || psb_cdasb(desc) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    int failed = ck_run(vectors());
    psb_cdfree(desc);
    psb_cuda_exit();
    psb_exit(ctxt);
    MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
