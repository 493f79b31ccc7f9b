/* check_fused.c -- test: psb_spmv_fused in every format, on the host and on a device, with every
 * combination of factors, compared with reference results. */
#include "suites.h"
#include <float.h>
#include <stdio.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_fused.h"

enum { FACTORS = 4, SETS = 4 };

static const int sets[SETS][PSB_MOST_DOTS][2] = {
    { { OF_X, OF_Y }, { OF_Y, OF_Y }, { OF_Z, OF_X } },
    { { OF_U, OF_Z }, { OF_Y, OF_U }, { OF_Z, OF_Z } },
    { { OF_Y, OF_X }, { OF_Z, OF_Y }, { OF_U, OF_U } },
    { { OF_X, OF_X }, { OF_Y, OF_Z }, { OF_U, OF_X } },
};

static T scalars[FACTORS];

struct call {
    T alpha, beta, gamma, delta;
    int z, ndots, set;
    char trans;
};

/* The k-th combination of factors. */
static struct call nth_call(int k)
{
    struct call c = { .trans = 'N', .z = k % 5 != 0, .ndots = k % 7 % 4, .set = k % SETS };
    c.alpha = scalars[k % FACTORS];
    c.beta = scalars[k / 4 % FACTORS];
    c.gamma = scalars[k / 16 % FACTORS];
    c.delta = scalars[k / 64 % FACTORS];
    return c;
}
enum { CALLS = 256 };

/* --- comparison of a call --- */

/* Values of the vectors before and (y, z) after a call, on all processes. */
struct values {
    T v[VECTORS][MOST];
};

struct fused_bench fused_bench(struct distributed *w, char trans, const struct psb_vmold *place)
{
    struct fused_bench b = { .w = w,
                             .dom = trans == 'N' ? w->col : w->row,
                             .range = trans == 'N' ? w->row : w->col };
    static const T none[MOST];
    b.n = trans == 'N' ? w->s->mat.nrows : w->s->mat.ncols;
    for (int i = 0; i < VECTORS; i++)
        b.v[i] = make_vector(i == OF_X ? b.dom : b.range, none, place);
    return b;
}

void fused_bench_free(struct fused_bench *b)
{
    for (int i = 0; i < VECTORS; i++)
        psb_gefree(b->v[i]);
}

struct X(epilogue) full_epilogue(struct X(vect) *const *v, T gamma, T delta)
{
    struct X(vect) *x = v[OF_X], *y = v[OF_Y], *z = v[OF_Z], *u = v[OF_U];
    return (struct X(epilogue)){
        .gamma = gamma, .delta = delta, .z = z, .ndots = 3, .dot = { { x, y }, { u, z }, { u, u } }
    };
}

static int factor(const struct fused_bench *b, const struct call *c, int i, int side)
{
    const int f = sets[c->set][i][side];
    return (f == OF_Z && !c->z) || (f == OF_X && b->dom != b->range) ? OF_U : f;
}

static struct X(epilogue) epilogue_of(const struct fused_bench *b, const struct call *c)
{
    struct X(epilogue) e = { .gamma = c->gamma, .delta = c->delta, .ndots = c->ndots };
    e.z = c->z ? b->v[OF_Z] : NULL;
    for (int i = 0; i < c->ndots; i++) {
        e.dot[i].left = b->v[factor(b, c, i, 0)];
        e.dot[i].right = b->v[factor(b, c, i, 1)];
    }
    return e;
}

/* New vectors; what must not be read is NaN. */
static void prepare(struct fused_bench *b, const struct call *c, struct values *now)
{
    for (int i = 0; i < VECTORS; i++) {
        random_vector(MOST, now->v[i], (uint64_t)i + 1);
        if ((i == OF_Y && c->beta == 0) || (i == OF_Z && c->delta == 0))
            fill_vector(MOST, now->v[i], MAKE(NAN, NAN));
        set_owned(b->v[i], now->v[i]);
    }
}

static struct want sum_of(T a, struct want x, T b, T y)
{
    const long double _Complex p = a == 0 ? 0 : (long double _Complex)a * x.value;
    const long double _Complex q = b == 0 ? 0 : (long double _Complex)b * (long double _Complex)y;
    const long double more = 8 * (long double)EPS * (cabsl(p) + cabsl(q));
    return (struct want){ p + q, cabsl((long double _Complex)a) * x.slack + more };
}

/* The dot product of the present values; sums are computed in double. */
static struct want dot_of(const struct fused_bench *b, const T *l, const T *r)
{
    long double _Complex sum = 0;
    long double size = 0;
    for (int i = 0; i < b->n; i++) {
        sum += conjl((long double _Complex)l[i]) * (long double _Complex)r[i];
        size += cabsl((long double _Complex)l[i]) * cabsl((long double _Complex)r[i]);
    }
    return (struct want){ sum, (4 * (b->n + 4) * DBL_EPSILON + b->parts * EPS) * size +
                                   2 * (long double)EPS * cabsl(sum) };
}

static void check_dots(const struct fused_bench *b, const struct call *c, struct values *now, const T *dots,
                       const char *what)
{
    for (int i = 0; i < c->ndots; i++) {
        const struct want w = dot_of(b, now->v[factor(b, c, i, 0)], now->v[factor(b, c, i, 1)]);
        EXPECT_SAYING(is_right(dots[i], &w), "%s: product %d of %d is %g %g, expected %Lg %Lg within %Lg",
                      what, i, c->ndots, (double)RE(dots[i]), (double)IM(dots[i]), creall(w.value),
                      cimagl(w.value), w.slack);
    }
    for (int i = c->ndots; i < PSB_MOST_DOTS; i++)
        EXPECT(dots[i] == sentinel);
    EXPECT(same_bits(dots, PSB_MOST_DOTS * sizeof *dots));
}

static void run(struct fused_bench *b, const struct call *c, struct values *now, T *dots)
{
    const struct X(epilogue) e = epilogue_of(b, c);
    prepare(b, c, now);
    fill_vector(PSB_MOST_DOTS, dots, sentinel);
    GOOD(psb_spmv_fused(c->alpha, b->w->a, b->v[OF_X], c->beta, b->v[OF_Y], c->trans, &e,
                        c->ndots ? dots : NULL));
}

static void check_call(struct fused_bench *b, const struct call *c)
{
    struct values now;
    struct want y[MOST], z[MOST];
    T dots[PSB_MOST_DOTS], again[PSB_MOST_DOTS];
    char what[160];
    snprintf(what, sizeof what, "%s, op %c, set %d, alpha %g, beta %g, gamma %g, delta %g",
             X(sp_fmt)(b->w->a), c->trans, c->set, (double)RE(c->alpha), (double)RE(c->beta),
             (double)RE(c->gamma), (double)RE(c->delta));
    run(b, c, &now, again);
    run(b, c, &now, dots);
    EXPECT(memcmp(dots, again, sizeof dots) == 0);
    sample_product(b->w->s, c->trans, c->alpha, now.v[OF_X], c->beta, now.v[OF_Y], y);
    for (int i = 0; i < b->n; i++)
        z[i] = c->z ? sum_of(c->gamma, y[i], c->delta, now.v[OF_Z][i])
                    : (struct want){ (long double _Complex)now.v[OF_Z][i], 0 };
    check_vector(b->v[OF_Y], y, what);
    check_vector(b->v[OF_Z], z, what);
    GOOD(psb_gather(b->v[OF_Y], now.v[OF_Y], -1));
    GOOD(psb_gather(b->v[OF_Z], now.v[OF_Z], -1));
    check_dots(b, c, &now, dots, what);
}

/* --- formats, factors, places --- */

/* Calls from, from + step, ... with the matrix in this format, if it accepts the matrix. */
static void check_format(struct distributed *w, const struct X(mat) *mold, const struct psb_vmold *place,
                         int from, int step)
{
    psb_err e = psb_spcnv(w->a, mold);
    if (e == PSB_EPADDING || e == PSB_ENOTIMPL)
        return;
    GOOD(e);
    FUSED_BENCH b = fused_bench(w, 'N', place);
    for (int k = from; k < CALLS; k += step) {
        const struct call c = nth_call(k);
        check_call(&b, &c);
    }
}

struct distributed assembled_sample(enum sample_kind kind, psb_ipk m, psb_ipk n, enum distribution row,
                                    enum distribution col)
{
    struct distributed w = distribute(kind, m, n, row, col);
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return w;
}

TEST(every_format)
{
    static const enum sample_kind kind[] = { SPREAD, DENSE_ROW, TRIDIAG, FULL, NOTHING };
    const struct X(mat) *mold;
    const enum distribution distribution = some_distributions[_i % SOME_DISTRIBUTIONS];
    DISTRIBUTED w = assembled_sample(kind[_i / SOME_DISTRIBUTIONS], ROWS, ROWS, distribution, distribution);
    for (int i = 0; (mold = X(mat_format)(i)); i++)
        for (int place = 0; place < 2; place++)
            check_format(&w, mold, places[place], 1 + (i + place) % 37, 97);
}

TEST(every_factor)
{
    const enum distribution distribution = some_distributions[_i / 6];
    const struct X(mat) *const mold[] = { &X(csr_mold).mat,  &X(csrg_mold).mat,  &X(hlg_mold).hll.mat,
                                          &X(csrg_mold).mat, &X(hdiag_mold).mat, &X(csrg_mold).mat };
    const int place[] = { 0, 1, 1, 2, 1, 3 };
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, distribution, distribution);
    check_format(&w, mold[_i % 6], places[place[_i % 6]], 0, np > 2 ? 5 : 1);
}

/* Rectangular, with different distributions of rows and columns; op T and C. */
TEST(rectangular_matrices)
{
    static const psb_ipk sizes[][2] = { { ROWS, ROWS }, { ROWS, 13 }, { 7, ROWS }, { 1, 1 } };
    for (int k = 0; k < 4; k++) {
        DISTRIBUTED w = assembled_sample(SPREAD, sizes[k][0], sizes[k][1], EVEN, some_distributions[_i]);
        GOOD(psb_spcnv(w.a, &X(csrg_mold).mat));
        for (int at = 0; at < 6; at++) {
            struct call c = nth_call(85 * k + 7 * at + 3);
            c.trans = "NTC"[at % 3];
            FUSED_BENCH b = fused_bench(&w, c.trans, places[at / 3]);
            check_call(&b, &c);
        }
    }
}

/* Some vectors are not on the device of the matrix. */
TEST(vectors_on_host_and_device)
{
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, ONE_HAS_ALL, ONE_HAS_ALL);
    GOOD(psb_spcnv(w.a, &X(csrg_mold).mat));
    for (int k = 0; k < 16; k++) {
        struct call c = nth_call(11 * k + 1);
        FUSED_BENCH b = fused_bench(&w, 'N', &psb_vect_cuda);
        c.z = 1;
        c.ndots = 3;
        for (int i = 0; i < VECTORS; i++)
            if (k >> i & 1)
                GOOD(X(vect_cnv)(b.v[i], places[k % 2 ? 0 : 2]));
        check_call(&b, &c);
    }
}

/* If all data is on a device and no column has another owner, the fused kernel of the format is called. */
static int fused_calls;

static psb_err count_fused_call(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                const struct X(vec_epilogue) *t, double *sum)
{
    fused_calls++;
    return X(csrg_mold).mat.ops->dev->csmv_fused(alpha, a, x, beta, y, t, sum);
}

TEST(fused_kernel_of_the_format)
{
    struct X(mat_ops) ops = *X(csrg_mold).mat.ops;
    struct X(mat_dev_ops) dev = *ops.dev;
    struct X(csrg_mat) mold = X(csrg_mold);
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, ONE_HAS_ALL, ONE_HAS_ALL);
    const struct call c = nth_call(77), idle = nth_call(76);
    dev.csmv_fused = count_fused_call;
    ops.dev = &dev;
    mold.mat.ops = &ops;
    GOOD(psb_spcnv(w.a, &mold.mat));
    struct fused_bench b = fused_bench(&w, 'N', &psb_vect_cuda);
    const int mine = psb_cd_local_rows(w.row) > 0;
    fused_calls = 0;
    check_call(&b, &c);
    EXPECT(fused_calls == 2 * mine);
    check_call(&b, &idle); /* alpha is 0: the kernel is not called */
    GOOD(X(vect_cnv)(b.v[OF_Y], NULL));
    check_call(&b, &c);
    EXPECT(fused_calls == 2 * mine);
    fused_bench_free(&b);
    GOOD(psb_spcnv(w.a, &X(csr_mold).mat)); /* before `ops` goes out of scope */
}

/* gamma == 0: y is not read, even if it has become NaN. */
TEST(y_with_nan)
{
    const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                          &X(hdiag_mold).mat, &X(bsrg_mold).mat };
    DISTRIBUTED w = assembled_sample(SPREAD, ROWS, ROWS, ONE_HAS_ALL, ONE_HAS_ALL);
    FUSED_BENCH b = fused_bench(&w, 'N', places[_i > 0]);
    struct X(epilogue) e = { .gamma = 0,
                             .delta = -1,
                             .z = b.v[OF_Z],
                             .ndots = 2,
                             .dot = { { b.v[OF_Z], b.v[OF_U] }, { b.v[OF_Y], b.v[OF_U] } } };
    struct want z[MOST];
    T nan[MOST], all[MOST], dots[2] = { sentinel, 0 };
    GOOD(psb_spcnv(w.a, mold[_i]));
    fill_vector(MOST, nan, MAKE(NAN, NAN));
    random_vector(MOST, all, 3);
    set_owned(b.v[OF_X], nan);
    set_owned(b.v[OF_Z], all);
    set_owned(b.v[OF_U], all);
    for (int i = 0; i < ROWS; i++)
        z[i] = (struct want){ -(long double _Complex)all[i], 0 };
    GOOD(psb_spmv_fused(1, w.a, b.v[OF_X], 0, b.v[OF_Y], 'N', &e, dots));
    check_vector(b.v[OF_Z], z, "-z");
    EXPECT(RE(dots[0]) < 0 && isnan(RE(dots[1])));
}

/* Rows with several owners are counted once. */
TEST(rows_with_several_owners)
{
    psb_lpk row[MOST];
    psb_ipk n = 0;
    DISTRIBUTED w = { .s = sample(SPREAD, ROWS, ROWS) };
    for (int i = 0; i < ROWS; i++)
        if (_i || i % np == me || (i % np == (me + 1) % np && i % 3 == 0))
            row[n++] = i;
    if (_i)
        GOOD(psb_cdall_repl(&w.row, ctxt, ROWS));
    else
        GOOD(psb_cdall_vl(&w.row, ctxt, n, row));
    w.col = w.row;
    GOOD(psb_spall(&w.a, w.row, 0));
    GOOD(insert_all(w.a, w.s));
    GOOD(psb_cdasb(w.row));
    GOOD(psb_spasb(w.a, &X(csrg_mold).mat, PSB_DUPL_ADD));
    for (int k = 0; k < 12; k++) {
        struct call c = nth_call(21 * k + 5);
        c.trans = k % 3 == 2 ? 'T' : 'N';
        FUSED_BENCH b = fused_bench(&w, c.trans, places[k % 2]);
        b.parts = np;
        check_call(&b, &c);
    }
}

/* --- suite --- */

static Suite *fused(void)
{
    Suite *s = suite_create("fused products");
    TCase *c = collective_tcase(s, "results");
    ck_add_sampled_tests(c, 5 * SOME_DISTRIBUTIONS, every_format);
    ck_add_sampled_tests(c, 12, every_factor);
    ck_add_sampled_tests(c, SOME_DISTRIBUTIONS, rectangular_matrices);
    ck_add_tests(c, vectors_on_host_and_device, fused_kernel_of_the_format);
    ck_add_sampled_tests(c, 5, y_with_nan);
    ck_add_sampled_tests(c, 2, rows_with_several_owners);
    add_fused_large(c);
    add_fused_errors(s);
    return s;
}

int check_fused(void)
{
    scalars[1] = 1, scalars[2] = -1, scalars[3] = MAKE(1.5, 0.25);
    return run_suite(FAKE_IF_SEVERAL, fused);
}
