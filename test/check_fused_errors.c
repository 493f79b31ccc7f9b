/* check_fused_errors.c -- test: psb_spmv_fused: wrong arguments, on all processes and on one, and
 * failing allocations. */
#include "psb_cuda.h"
#include "check_fused.h"

TEST(wrong_arguments)
{
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, EVEN, EVEN),
                b2 = distribute(SPREAD, ROWS, ROWS, RANDOM, RANDOM);
    FUSED_BENCH b = fused_bench(&w, 'N', places[_i]);
    struct X(vect) *x = b.v[OF_X], *y = b.v[OF_Y], *z = b.v[OF_Z];
    VECT *other = make_vector(b2.row, (T[MOST]){ 0 }, places[_i]), *two = NULL, *raw = NULL;
    struct X(epilogue) good = full_epilogue(b.v, 1, 1), e;
    T dots[3] = { sentinel, sentinel, sentinel };
    GOOD(psb_geall_n(&two, w.row, 2));
    GOOD(psb_geasb(two, places[_i]));
    GOOD(psb_geall(&raw, w.row));
#define TRY(x_, y_, e_, dots_) X(spmv_fused)(1, w.a, x_, 1, y_, 'N', e_, dots_)
    BAD(X(spmv_fused)(1, NULL, x, 1, y, 'N', &good, dots), PSB_EARG, "argument a is NULL");
    BAD(X(spmv_fused)(1, b2.a, other, 1, other, 'N', &good, dots), PSB_ESTATE, "argument a is not assembled");
    BAD(X(spmv_fused)(1, w.a, x, 1, y, 'Q', &good, dots), PSB_EARG, "argument trans is 'Q'");
    BAD(TRY(NULL, y, &good, dots), PSB_EARG, "argument x is NULL");
    BAD(TRY(x, NULL, &good, dots), PSB_EARG, "argument y is NULL");
    BAD(TRY(other, y, &good, dots), PSB_EARG, "argument x lies on another descriptor");
    BAD(TRY(x, other, &good, dots), PSB_EARG, "argument y lies on another descriptor");
    BAD(TRY(raw, y, &good, dots), PSB_ESTATE, "argument x is not assembled");
    BAD(TRY(x, raw, &good, dots), PSB_ESTATE, "argument y is not assembled");
    BAD(TRY(x, x, &good, dots), PSB_EARG, "arguments x and y are the same vector");
    BAD(TRY(x, two, &good, dots), PSB_EARG, "columns: 1");
    BAD(TRY(two, two, &good, dots), PSB_EARG, "same vector");
    BAD(TRY(x, y, NULL, dots), PSB_EARG, "argument e is NULL");
    BAD(TRY(x, y, &good, NULL), PSB_EARG, "argument dots is NULL; expected where to store 3");
    e = good, e.ndots = -1;
    BAD(TRY(x, y, &e, dots), PSB_EARG, "e->ndots is -1; expected 0 <= ndots <= 3");
    e.ndots = 4;
    BAD(TRY(x, y, &e, dots), PSB_EARG, "e->ndots is 4; expected 0 <= ndots <= 3");
    e = good, e.z = x;
    BAD(TRY(x, y, &e, dots), PSB_EARG, "arguments e->z and x are the same vector");
    e.z = y;
    BAD(TRY(x, y, &e, dots), PSB_EARG, "arguments e->z and y are the same vector");
    e.z = other;
    BAD(TRY(x, y, &e, dots), PSB_EARG, "argument e->z lies on another descriptor");
    e.z = raw;
    BAD(TRY(x, y, &e, dots), PSB_ESTATE, "argument e->z is not assembled");
    e.z = two;
    BAD(TRY(x, y, &e, dots), PSB_EARG, "argument e->z has 2 columns");
    for (int i = 0; i < 3; i++) {
        e = good, e.dot[i].left = NULL;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "e->dot[%d].left", i);
        e.dot[i].left = other;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "e->dot[%d].left", i);
        e.dot[i].left = two;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "has 2 columns");
        e = good, e.dot[i].right = NULL;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "e->dot[%d].right", i);
        e.dot[i].right = other;
        BAD(TRY(x, y, &e, dots), PSB_EARG, "e->dot[%d].right", i);
        e.dot[i].right = raw;
        BAD(TRY(x, y, &e, dots), PSB_ESTATE, "e->dot[%d].right", i);
    }
    EXPECT(dots[0] == sentinel && dots[1] == sentinel && dots[2] == sentinel);
    GOOD(TRY(x, y, &good, dots));
#undef TRY
    GOOD(psb_halo_start(z, 'N'));
    BAD(psb_spmv_fused(1, w.a, x, 1, y, 'N', &good, dots), PSB_ESTATE, "being exchanged");
    GOOD(psb_halo_end(z));
    GOOD(psb_halo_start(y, 'N'));
    BAD(psb_spmv_fused(1, w.a, x, 1, y, 'N', &good, dots), PSB_ESTATE, "being exchanged");
    GOOD(psb_halo_end(y));
}

/* Two columns in x and y. */
TEST(vectors_of_two_columns)
{
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, EVEN, EVEN);
    VECT *x = NULL, *y = NULL;
    struct X(epilogue) e = { .ndots = 0 };
    GOOD(psb_geall_n(&x, w.row, 2));
    GOOD(psb_geasb(x, NULL));
    GOOD(psb_geall_n(&y, w.row, 2));
    GOOD(psb_geasb(y, NULL));
    BAD(psb_spmv_fused(1, w.a, x, 1, y, 'N', &e, NULL), PSB_EARG, "arguments x and y have 2 columns");
}

/* An argument is wrong on one process: in a call with a product all fail. */
TEST(wrong_argument_on_one_process)
{
    const int who = _i % 2 ? np - 1 : 0;
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, EVEN, EVEN);
    FUSED_BENCH b = fused_bench(&w, 'N', places[_i / 2 % 2]);
    struct X(vect) *x = b.v[OF_X], *y = b.v[OF_Y];
    for (int k = 0; k < 4; k++) {
        struct X(epilogue) e = { .gamma = 1, .delta = 1, .z = b.v[OF_Z], .ndots = 1, .dot = { { x, y } } };
        T dot = sentinel;
        if (me == who && k == 0)
            e.dot[0].left = NULL;
        if (me == who && k == 1)
            e.z = x;
        if (me == who && k == 2)
            e.ndots = 7;
        psb_err f = psb_spmv_fused(1, w.a, me == who && k == 3 ? y : x, 0, y, 'N', &e, &dot);
        EXPECT(f != PSB_OK && dot == sentinel);
    }
    struct X(epilogue) bare = {
        .gamma = 1, .delta = 1, .z = me == who ? x : b.v[OF_Z], .ndots = 0, .dot = { { NULL, NULL } }
    };
    psb_err f = psb_spmv_fused(1, w.a, x, 0, y, 'N', &bare,
                               NULL); /* neighbours fail too, and no process is left waiting */
    EXPECT(me != who || f == PSB_EARG);
    struct X(epilogue) e = { .gamma = 1, .delta = 1, .z = b.v[OF_Z], .ndots = 1, .dot = { { x, y } } };
    T dot = sentinel;
    GOOD(psb_spmv_fused(1, w.a, x, 0, y, 'N', &e, &dot));
    EXPECT(dot != sentinel);
}

/* The n-th allocation fails on one process; return whether there was one. */
static int fails_at_allocation(enum distribution distribution, const struct X(mat) *mold,
                               const struct psb_vmold *place, int who, long n)
{
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, distribution, distribution);
    T dots[3] = { sentinel, sentinel, sentinel };
    GOOD(psb_spcnv(w.a, mold));
    FUSED_BENCH b = fused_bench(&w, 'N', place);
    struct X(epilogue) e = full_epilogue(b.v, 1, 1);
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err f = psb_spmv_fused(1, w.a, b.v[OF_X], 0, b.v[OF_Y], 'N', &e, dots);
    psb_alloc_fail_at(0);
    const int failed = collective_count(f != PSB_OK);
    EXPECT(failed == 0 || failed == np);
    EXPECT(me != who || f == PSB_OK || f == PSB_ENOMEM);
    EXPECT((f != PSB_OK) == (dots[0] == sentinel));
    GOOD(psb_spmv_fused(1, w.a, b.v[OF_X], 0, b.v[OF_Y], 'N', &e, dots));
    return failed > 0;
}

/* CSR, and the formats that have a fused product of their own; NULL past the last. */
static const struct X(mat) *fused_mold(int i)
{
    for (int f = 0; i > 0 && X(mat_format)(f); f++) {
        const struct X(mat_dev_ops) *dev = X(mat_format)(f)->ops->dev;
        i -= dev && dev->csmv_fused;
        if (i == 0)
            return X(mat_format)(f);
    }
    return i == 0 ? &X(csr_mold).mat : NULL;
}

TEST(allocation_fails)
{
    const enum distribution distribution = _i % 2 ? ONE_HAS_ALL : EVEN;
    const int who = distribution == EVEN ? np - 1 : np / 2;
    long n = 1;
    while (n < 60 && fails_at_allocation(distribution, fused_mold(_i / 2), places[_i / 2 > 0], who, n))
        n++;
    EXPECT(n < 60 && (n > 1 || _i / 2 == 0));
}

void add_fused_errors(Suite *s)
{
    TCase *c = collective_tcase(s, "errors");
    ck_add_sampled_tests(c, 2, wrong_arguments);
    ck_add_tests(c, vectors_of_two_columns);
    ck_add_sampled_tests(c, 4, wrong_argument_on_one_process);
    int molds = 0;
    while (fused_mold(molds))
        molds++;
    ck_add_sampled_tests(c, 2 * molds, allocation_fails);
}
