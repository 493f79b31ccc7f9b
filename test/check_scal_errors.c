/* check_scal_errors.c -- test: scalars of iterations: wrong arguments, and failures of one process. */
#include "psb_cuda.h"
#include "check_scal.h"

static void refused_sum(struct X(axpby) sum, const char *text)
{
    BAD(psb_geaxpbys(1, &sum), PSB_EARG, text);
}

static void refused_epilogue(struct X(vect) *y, struct X(epilogue) e, const char *text)
{
    BAD(psb_gefused(y, &e, NULL), PSB_EARG, text);
}

TEST(wrong_arguments)
{
    SCAL_BENCH b, other;
    T dots[3];
    struct X(scal) *null = NULL;
    scal_bench_make(&b, EVEN, places[_i], places[_i]);
    scal_bench_make(&other, EVEN, places[_i], places[_i]);
    BAD(psb_scal_set(null, 1), PSB_EARG, "argument s is NULL; expected a scalar");
    BAD(psb_scal_get(null, dots), PSB_EARG, "argument s is NULL");
    BAD(psb_scal_get(b.s[0], NULL), PSB_EARG, "argument v is NULL");
    BAD(X(scal_multiply)(NULL, b.s[0], b.s[0]), PSB_EARG, "argument a is NULL");
    BAD(X(scal_multiply)(b.s[0], NULL, b.s[0]), PSB_EARG, "argument b is NULL; expected a scalar");
    BAD(X(scal_divide)(b.s[0], b.s[0], NULL), PSB_EARG, "argument c is NULL; expected a scalar");
    BAD(psb_scal_divide(b.s[0], other.s[0], b.s[0]), PSB_EARG,
        "argument b is a scalar of another descriptor");
    const struct X(axpby) good = { 1, b.s[0], b.v[0], 1, b.s[1], b.v[1], b.v[2] };
    struct X(axpby) bad = good;
    BAD(psb_geaxpbys(-1, &bad), PSB_EARG, "argument m is -1; expected 0 <= m <= 2");
    BAD(psb_geaxpbys(3, &bad), PSB_EARG, "argument m is 3");
    BAD(X(geaxpbys)(1, NULL), PSB_EARG, "argument sum is NULL");
    refused_sum((bad = good, bad.z = NULL, bad), "argument sum[].z is NULL; expected a vector");
    refused_sum((bad = good, bad.x = NULL, bad), "argument sum[].x is NULL");
    refused_sum((bad = good, bad.y = other.v[0], bad), "different descriptors");
    refused_sum((bad = good, bad.alpha_by = other.s[0], bad),
                "argument sum[].alpha_by is a scalar of another descriptor");
    refused_sum((bad = good, bad.beta_by = other.s[0], bad),
                "argument sum[].beta_by is a scalar of another descriptor");
    check_exact(b.v[2], b.all[2], "unchanged");
    GOOD(psb_halo_start(b.v[2], 'N'));
    BAD(psb_geaxpbys(1, &good), PSB_ESTATE, "being exchanged");
    GOOD(psb_halo_end(b.v[2]));
}

/* All processes pass a wrong epilogue. */
TEST(wrong_epilogues)
{
    SCAL_BENCH b, o;
    T dots[3] = { sentinel };
    scal_bench_make(&b, EVEN, places[_i], places[_i]);
    scal_bench_make(&o, EVEN, places[_i], places[_i]);
    struct X(vect) *const *v = b.v, *none = NULL;
    const struct X(epilogue) good = { .gamma = 1,
                                      .z = v[1],
                                      .d = v[2],
                                      .u = v[3],
                                      .ndots = 2,
                                      .dot = { { v[1], v[3] }, { v[1], v[1] } },
                                      .to = { b.s[0], b.s[1] } };
    struct X(epilogue) e = good;
    refused_epilogue(v[0], (e = good, e.z = v[0], e), "arguments e->z and y are the same vector");
    refused_epilogue(v[0], (e = good, e.u = v[0], e), "arguments e->u and y are the same vector");
    refused_epilogue(v[0], (e = good, e.u = v[1], e), "arguments e->u and e->z are the same vector");
    refused_epilogue(v[0], (e = good, e.u = v[2], e), "arguments e->u and e->d are the same vector");
    refused_epilogue(v[0], (e = good, e.d = NULL, e), "argument e->d is NULL; expected a vector");
    refused_epilogue(v[0], (e = good, e.u = o.v[0], e), "argument e->u lies on another descriptor");
    refused_epilogue(v[0], (e = good, e.to[0] = NULL, e),
                     "argument dots is NULL; expected where to store 2 dot products");
    refused_epilogue(v[0], (e = good, e.to[1] = NULL, e), "argument e->to[] is NULL; expected a scalar");
    refused_epilogue(v[0], (e = good, e.to[1] = e.to[0], e), "e->to[0] and e->to[1] are the same scalar");
    refused_epilogue(v[0], (e = good, e.to[1] = o.s[0], e),
                     "argument e->to[] is a scalar of another descriptor");
    refused_epilogue(v[0], (e = good, e.gamma_by = o.s[0], e), "argument e->gamma_by is a scalar of another");
    refused_epilogue(v[0], (e = good, e.delta_by = o.s[0], e), "argument e->delta_by is a scalar of another");
    refused_epilogue(v[0], (e = good, e.ndots = 4, e), "argument e->ndots is 4; expected 0 <= ndots <= 3");
    refused_epilogue(v[0], (e = good, e.nratios = 3, e),
                     "argument e->nratios is 3; expected 0 <= nratios <= 2");
    refused_epilogue(v[0], (e = good, e.nratios = 1, e),
                     "argument e->ratio[].over is NULL; expected a scalar");
    e.ratio[0].over = b.s[0], e.ratio[0].under = b.s[1], e.ratio[0].to = b.s[1];
    BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->ratio[0].to is also a term of the ratio");
    e.ratio[0].to = b.s[2];
    BAD(psb_gefused(v[0], &e, dots), PSB_EARG, "expected 0 without dot products in scalars");
    BAD(psb_gefused(none, &good, NULL), PSB_EARG, "argument y is NULL; expected a distributed vector");
    BAD(psb_gefused(v[0], NULL, dots), PSB_EARG, "argument e is NULL");
    EXPECT(dots[0] == sentinel);
    GOOD(psb_gefused(v[0], &good, NULL));
}

/* One process passes wrong arguments: the others learn it from the call, or, on a GPU, as they read the
 * scalar. */
TEST(failure_of_one_process)
{
    SCAL_BENCH b;
    const int who = _i % 2 ? np - 1 : 0;
    scal_bench_make(&b, EVEN, &psb_vect_cuda, &psb_vect_cuda);
    const struct X(epilogue) good = { .ndots = 1, .dot = { { b.v[0], b.v[1] } }, .to = { b.s[0] } };
    for (int k = 0; k < 4; k++) {
        struct X(epilogue) e = good;
        struct X(vect) *y = b.v[0];
        T v;
        if (me == who && k == 0)
            e.dot[0].left = NULL;
        if (me == who && k == 1)
            e.to[0] = NULL;
        if (me == who && k == 2)
            e.ndots = 5;
        if (me == who && k == 3)
            y = NULL;
        psb_err f = X(gefused)(y, &e, NULL);
        EXPECT(me != who || f == PSB_EARG);
        if (f == PSB_OK)
            f = psb_scal_get(b.s[0], &v);
        EXPECT(f != PSB_OK);
        MPI_Barrier(MPI_COMM_WORLD);
        GOOD(psb_gefused(b.v[0], &good, NULL));
        (void)scalar_value(b.s[0]);
    }
}

/* The n-th allocation of a process fails while a scalar is made. */
TEST(no_memory_for_a_scalar)
{
    const T all[CELLS] = { 3, 4 };
    int n = 1;
    for (int failed = 1; failed && n < 80; n++) {
        DESC *d = rows_with_halo(EVEN);
        struct X(scal) *s = NULL;
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = psb_scal_new(&s, d, &psb_vect_cuda);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || !s));
        if (failed)
            GOOD(psb_scal_new(&s, d, &psb_vect_cuda));
        struct X(vect) *x = multivector(d, 1, all, &psb_vect_cuda);
        const struct X(epilogue) dot = { .ndots = 1, .dot = { { x, x } }, .to = { s } };
        GOOD(psb_gefused(x, &dot, NULL));
        EXPECT(scalar_value(s) == 25);
        psb_gefree(x);
        psb_scal_free(s);
    }
    EXPECT(n > 2 && n < 80);
}

/* The n-th allocation of a process fails in the first sums of a descriptor: all fail, or none. */
TEST(no_memory_for_sums)
{
    int n = 1;
    for (int failed = 1; failed && n < 40; n++) {
        struct scal_bench b;
        scal_bench_make(&b, EVEN, places[_i], places[_i]);
        const struct X(epilogue) e = { .ndots = 1, .dot = { { b.v[0], b.v[1] } }, .to = { b.s[0] } };
        T v;
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err f = psb_gefused(b.v[0], &e, NULL);
        psb_alloc_fail_at(0);
        if (f == PSB_OK)
            f = psb_scal_get(b.s[0], &v);
        failed = collective_count(f != PSB_OK);
        EXPECT(failed == 0 || failed == np);
        GOOD(psb_gefused(b.v[0], &e, NULL));
        scal_bench_free(&b);
    }
    EXPECT(n < 40);
}

void add_scal_wrong_arguments(TCase *c)
{
    ck_add_loop_tests(c, PLACES, wrong_arguments);
}

void add_scal_failures(TCase *c)
{
    ck_add_loop_tests(c, PLACES, wrong_epilogues);
    ck_add_loop_tests(c, 2, failure_of_one_process);
    ck_add_tests(c, no_memory_for_a_scalar);
    ck_add_loop_tests(c, 2, no_memory_for_sums);
}
