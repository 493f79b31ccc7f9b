/* check_scal.c -- room: test.  Scalars of iterations: products, quotients, factors of sums, dot products into
 * them; sums over processes through the memory of devices, and by messages; a whole iteration. */
#include "suites.h"
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "multivector.h"

enum { V = 6, S = 3, SOME_DISTRIBUTIONS = 4 };

static const enum distribution distributions[] = { EVEN, ONE_HAS_ALL, FIRST_EMPTY, RANDOM };

static void by_channel(void)
{
    setenv("PSB_HALO", "lsa", 1);
}

static void by_messages(void)
{
    setenv("PSB_HALO", "staged", 1);
}

static void by_default(void)
{
    unsetenv("PSB_HALO");
    unsetenv("PSB_HALO_TIMEOUT");
}

/* Of two hosts. */
static void by_both(void)
{
    setenv("PSB_HALO", "lsa+nccl", 1);
    play_hosts("2");
}

static void on_this_host(void)
{
    by_default();
    play_hosts(NULL);
}

/* --- vectors and scalars of one descriptor --- */

struct bench {
    psb_desc *d;
    struct X(vect) *v[V];
    struct X(scal) *s[S];
    T all[V][CELLS];
};

static void load(struct bench *b)
{
    for (int i = 0; i < V; i++) {
        random_vector(ROWS, b->all[i], (uint64_t)i + 1);
        multivector_load(b->v[i], b->all[i]);
    }
}

static struct X(scal) *scalar(psb_desc *d, T value, const struct psb_vmold *place)
{
    struct X(scal) *s = NULL;
    GOOD(psb_scal_new(&s, d, place));
    GOOD(psb_scal_set(s, value));
    return s;
}

static T value_of(const struct X(scal) *s)
{
    T v = sentinel;
    GOOD(psb_scal_get(s, &v));
    return v;
}

static void bench_make(struct bench *b, enum distribution distribution, const struct psb_vmold *place,
                       const struct psb_vmold *scalars)
{
    b->d = rows_with_halo(distribution);
    for (int i = 0; i < V; i++)
        b->v[i] = multivector(b->d, 1, b->all[i], place);
    for (int i = 0; i < S; i++)
        b->s[i] = scalar(b->d, sentinel, scalars);
    load(b);
}

static void bench_free(struct bench *b)
{
    for (int i = 0; i < V; i++)
        psb_gefree(b->v[i]);
    for (int i = 0; i < S; i++)
        psb_scal_free(b->s[i]);
    psb_cdfree(b->d);
}

/* --- scalars --- */

static int near(T a, T b)
{
    return (double)ABS(a - b) <= 8 * EPS * (double)ABS(b);
}

START_TEST(products_and_quotients)
    {
        const T a = MAKE(3, 1), b = MAKE(-0.25, 2);
        psb_desc *d = rows_with_halo(EVEN);
        for (int k = 0; k < PLACES * PLACES; k++) {
            struct X(scal) *x = scalar(d, a, places[k / PLACES]), *y = scalar(d, b, places[k % PLACES]),
                           *z = NULL;
            GOOD(psb_scal_new(&z, d, places[k % PLACES]));
            EXPECT(value_of(x) == a && value_of(z) == 0);
            GOOD(psb_scal_multiply(x, y, z));
            EXPECT(near(value_of(z), a * b));
            GOOD(psb_scal_divide(z, y, z));
            EXPECT(near(value_of(z), a));
            GOOD(psb_scal_divide(y, x, z));
            EXPECT(near(value_of(z), b / a) && value_of(x) == a && value_of(y) == b);
            GOOD(psb_scal_set(y, 0));
            GOOD(psb_scal_divide(x, y, z));
            EXPECT(value_of(z) == 0);
            GOOD(psb_scal_divide(x, x, x));
            EXPECT(near(value_of(x), 1));
            psb_scal_free(x);
            psb_scal_free(y);
            psb_scal_free(z);
        }
        psb_cdfree(d);
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

/* A scalar keeps its descriptor, which cannot grow meanwhile. */
START_TEST(descriptor_of_a_scalar)
    {
        psb_desc *d = rows_with_halo(EVEN);
        struct X(scal) *s = scalar(d, 5, &psb_vect_cuda);
        BAD(psb_cd_reinit(d), PSB_ESTATE, "");
        psb_cdfree(d);
        EXPECT(value_of(s) == 5);
        psb_scal_free(s);
        X(scal_free)(NULL);
    }
END_TEST

/* --- sums of vectors --- */

/* The vectors x, y and z of two sums; all ways to repeat one. */
static const int patterns[][6] = {
    { 0, 1, 2, 3, 4, 5 }, { 0, 1, 1, 2, 0, 0 }, { 0, 1, 1, 1, 2, 2 },
    { 0, 1, 2, 2, 2, 2 }, { 0, 0, 0, 0, 0, 0 }, { 0, 1, 2, 0, 1, 3 },
    { 0, 1, 0, 0, 1, 1 }, { 0, 1, 2, 3, 2, 1 }, { 0, 1, 2, 0, 1, 2 },
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* The k-th combination of factors: number i of four is value[i], times scalar by[i] unless that is -1. */
static void choose(int k, T *value, int *by)
{
    const T some[] = { 1, 0, -1, MAKE(0.5, 0.25) };
    for (int i = 0; i < 4; i++, k /= 3) {
        value[i] = some[(k + i) % 4];
        by[i] = k % 3 == 2 ? -1 : (k + i) % S;
    }
}

/* The sums at once; then one after the other on copies, with the products of factors.  The bits are the same.
 */
static void try_sums(struct bench *b, const int *at, int k)
{
    T value[4], whole[4], want[V][ROWS];
    int by[4];
    choose(k, value, by);
    for (int i = 0; i < 4; i++)
        whole[i] = by[i] < 0 ? value[i] : value[i] * value_of(b->s[by[i]]);
    load(b);
    for (int m = 0; m < 2; m++)
        GOOD(psb_geaxpbyz(whole[2 * m], b->v[at[3 * m]], whole[2 * m + 1], b->v[at[3 * m + 1]],
                          b->v[at[3 * m + 2]]));
    for (int i = 0; i < V; i++)
        GOOD(psb_gather(b->v[i], want[i], -1));
    load(b);
    struct X(axpby) sum[2];
    for (int m = 0; m < 2; m++)
        sum[m] = (struct X(axpby)){ .alpha = value[2 * m],
                                    .alpha_by = by[2 * m] < 0 ? NULL : b->s[by[2 * m]],
                                    .x = b->v[at[3 * m]],
                                    .beta = value[2 * m + 1],
                                    .beta_by = by[2 * m + 1] < 0 ? NULL : b->s[by[2 * m + 1]],
                                    .y = b->v[at[3 * m + 1]],
                                    .z = b->v[at[3 * m + 2]] };
    GOOD(psb_geaxpbys(2, sum));
    for (int i = 0; i < V; i++)
        check_exact(b->v[i], want[i], "two sums");
}

START_TEST(sums_of_vectors)
    {
        struct bench b;
        const T value[S] = { 2, 0, MAKE(-1, 3) };
        bench_make(&b, distributions[_i % SOME_DISTRIBUTIONS], places[_i % PLACES], places[_i / PLACES]);
        for (int i = 0; i < S; i++)
            GOOD(psb_scal_set(b.s[i], value[i]));
        for (int k = 0; k < 81; k += 4)
            try_sums(&b, patterns[k % PATTERNS], k);
        bench_free(&b);
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

/* A vector whose factor is 0, by its value or by a scalar, is not used, and may be NULL if by its value. */
START_TEST(sums_that_do_not_use_a_vector)
    {
        struct bench b;
        T nan[CELLS], twice[CELLS];
        bench_make(&b, EVEN, places[_i], places[_i]);
        fill_vector(ROWS, nan, MAKE(NAN, NAN));
        for (int i = 0; i < ROWS; i++)
            twice[i] = 2 * b.all[1][i];
        multivector_load(b.v[0], nan);
        GOOD(psb_scal_set(b.s[0], 0));
        GOOD(psb_scal_set(b.s[1], 2));
        struct X(axpby) sum[] = {
            { 3, b.s[0], b.v[0], 1, b.s[1], b.v[1], b.v[2] },
            { 0, NULL, NULL, 1, NULL, b.v[2], b.v[3] },
        };
        GOOD(X(geaxpbys)(0, NULL));
        GOOD(psb_geaxpbys(2, sum));
        check_exact(b.v[2], twice, "2 y");
        check_exact(b.v[3], twice, "2 y again");
        struct X(axpby) other = { 1, b.s[1], b.v[1], 1, b.s[0], b.v[0], b.v[0] };
        GOOD(psb_geaxpbys(1, &other));
        check_exact(b.v[0], twice, "NaN overwritten");
        bench_free(&b);
    }
END_TEST

/* --- dot products into scalars --- */

/* z = gamma y + delta z, u = d z, and <z,u>, <u,u>, <x,y>, with factors and results in scalars or on the
 * host. */
static void end_with(struct bench *b, int by_scalars, T *dots)
{
    struct X(vect) *const *v = b->v;
    struct X(epilogue) e = { .gamma = by_scalars ? -1 : MAKE(-0.5, 1),
                             .delta = by_scalars ? 1 : 3,
                             .z = v[1],
                             .d = v[2],
                             .u = v[3],
                             .ndots = 3,
                             .dot = { { v[1], v[3] }, { v[3], v[3] }, { v[4], v[0] } } };
    load(b);
    if (!by_scalars) {
        GOOD(psb_gefused(v[0], &e, dots));
        return;
    }
    GOOD(psb_scal_set(b->s[0], MAKE(0.5, -1)));
    GOOD(psb_scal_set(b->s[1], 3));
    e.gamma_by = b->s[0];
    e.delta_by = b->s[1];
    for (int i = 0; i < 3; i++)
        e.to[i] = b->s[i];
    GOOD(psb_gefused(v[0], &e, NULL));
    for (int i = 0; i < 3; i++)
        dots[i] = value_of(b->s[i]);
}

/* The sum of conj(l) r in long double. */
static struct want dot_of(const T *l, const T *r)
{
    struct want w = { 0, 0 };
    for (int i = 0; i < ROWS; i++) {
        w.value += conjl((long double _Complex)l[i]) * (long double _Complex)r[i];
        w.slack += 8 * (long double)EPS * cabsl((long double _Complex)l[i]) *
                   cabsl((long double _Complex)r[i]);
    }
    return w;
}

static void check_dots(const struct bench *b, const T *dots)
{
    T z[ROWS], u[ROWS], want_z[ROWS], want_u[ROWS];
    GOOD(psb_gather(b->v[1], z, -1));
    GOOD(psb_gather(b->v[3], u, -1));
    for (int i = 0; i < ROWS; i++) {
        want_z[i] = MAKE(-0.5, 1) * b->all[0][i] + 3 * b->all[1][i];
        want_u[i] = b->all[2][i] * z[i];
        EXPECT((double)ABS(z[i] - want_z[i]) <= 32 * EPS && (double)ABS(u[i] - want_u[i]) <= 32 * EPS);
    }
    const struct want w[] = { dot_of(z, u), dot_of(u, u), dot_of(b->all[4], b->all[0]) };
    for (int i = 0; i < 3; i++)
        EXPECT(is_right(dots[i], &w[i]));
}

START_TEST(dots_into_scalars)
    {
        struct bench b;
        T host[3], dots[3], again[3];
        bench_make(&b, distributions[_i % SOME_DISTRIBUTIONS], places[_i % PLACES], places[_i / PLACES]);
        end_with(&b, 0, host);
        check_dots(&b, host);
        end_with(&b, 1, dots);
        check_dots(&b, dots);
        end_with(&b, 1, again);
        EXPECT(memcmp(dots, again, sizeof dots) == 0 && same_bits(dots, sizeof dots));
        EXPECT(np > 3 || memcmp(dots, host, sizeof dots) == 0); /* the same order of additions */
        bench_free(&b);
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

/* Ratios of dot products and other scalars: the bits of psb_scal_divide. */
START_TEST(ratios_of_sums)
    {
        struct bench b;
        bench_make(&b, distributions[_i % SOME_DISTRIBUTIONS], places[_i % PLACES], places[_i / PLACES]);
        struct X(scal) *five = scalar(b.d, 5, places[_i % PLACES]), *none = scalar(b.d, 0, NULL);
        struct X(scal) *want = scalar(b.d, 0, places[_i % PLACES]);
        struct X(epilogue) e = { .ndots = 1,
                                 .dot = { { b.v[1], b.v[2] } },
                                 .to = { b.s[0] },
                                 .nratios = 2,
                                 .ratio = { { five, b.s[0], b.s[1] }, { b.s[1], five, b.s[2] } } };
        GOOD(psb_gefused(b.v[0], &e, NULL));
        GOOD(psb_scal_divide(five, b.s[0], want));
        EXPECT(value_of(b.s[1]) == value_of(want));
        GOOD(psb_scal_divide(b.s[1], five, want));
        EXPECT(value_of(b.s[2]) == value_of(want) && value_of(want) != 0);
        e.ratio[1].under = none;
        GOOD(psb_gefused(b.v[0], &e, NULL));
        EXPECT(value_of(b.s[1]) != 0 && value_of(b.s[2]) == 0);
        psb_scal_free(five);
        psb_scal_free(none);
        psb_scal_free(want);
        bench_free(&b);
    }
END_TEST

/* u = d y where there is no z; one product. */
START_TEST(product_by_elements)
    {
        struct bench b;
        T want[CELLS];
        bench_make(&b, EVEN, places[_i], places[_i]);
        struct X(epilogue) e = { .d = b.v[1], .u = b.v[2] };
        GOOD(psb_gefused(b.v[0], &e, NULL));
        GOOD(psb_gemlt2(1, b.v[1], b.v[0], 0, b.v[3]));
        GOOD(psb_gather(b.v[3], want, -1));
        check_exact(b.v[2], want, "d y");
        e.u = NULL;
        GOOD(psb_gefused(b.v[0], &e, NULL)); /* nothing to do */
        e = (struct X(epilogue)){ .ndots = 1, .dot = { { b.v[0], b.v[1] } }, .to = { b.s[0] } };
        GOOD(psb_gefused(b.v[0], &e, NULL));
        const struct want dot = dot_of(b.all[0], b.all[1]);
        EXPECT(is_right(value_of(b.s[0]), &dot));
        bench_free(&b);
    }
END_TEST

/* Rows with several owners are counted once; a replicated descriptor. */
START_TEST(rows_with_several_owners)
    {
        psb_desc *d = NULL;
        psb_lpk row[MOST];
        psb_ipk n = 0;
        T all[CELLS], dot;
        for (int i = 0; i < ROWS; i++)
            if (i % np == me || (i % np == (me + 1) % np && i % 3 == 0))
                row[n++] = i;
        GOOD(_i % 2 ? psb_cdall_repl(&d, ctxt, ROWS) : psb_cdall_vl(&d, ctxt, n, row));
        GOOD(psb_cdasb(d));
        random_vector(ROWS, all, 7);
        struct X(vect) *x = multivector(d, 1, all, places[_i / 2]);
        struct X(scal) *s = scalar(d, 0, places[_i / 2]);
        const struct X(epilogue) e = { .ndots = 1, .dot = { { x, x } }, .to = { s } };
        GOOD(psb_gefused(x, &e, NULL));
        GOOD(psb_gedot(x, x, &dot));
        EXPECT(near(value_of(s), dot));
        psb_gefree(x);
        psb_scal_free(s);
        psb_cdfree(d);
    }
END_TEST

/* A product with halo columns and its dot products, in which y is one factor or, in the last, both. */
static void try_product(struct distributed *w, const struct psb_vmold *place, int with_yy)
{
    struct X(vect) *v[3];
    struct X(scal) *s[3];
    T all[3][MOST], got[MOST];
    struct want want[MOST];
    const T alpha = MAKE(1.5, 0.25), beta = -1;
    for (int i = 0; i < 3; i++) {
        random_vector(MOST, all[i], (uint64_t)i + 1);
        v[i] = make_vector(w->row, all[i], place);
        s[i] = scalar(w->row, sentinel, place);
    }
    const struct X(epilogue) e = { .ndots = 3,
                                   .dot = { { v[0], v[1] }, { v[1], v[2] }, { v[with_yy ? 1 : 2], v[1] } },
                                   .to = { s[0], s[1], s[2] } };
    GOOD(psb_spmv_fused(alpha, w->a, v[0], beta, v[1], 'N', &e, NULL));
    sample_product(w->s, 'N', alpha, all[0], beta, all[1], want);
    check_vector(v[1], want, X(sp_fmt)(w->a));
    GOOD(psb_gather(v[1], got, -1));
    const struct want dots[] = { dot_of(all[0], got), dot_of(got, all[2]),
                                 dot_of(with_yy ? got : all[2], got) };
    for (int i = 0; i < 3; i++) {
        const T dot = value_of(s[i]);
        EXPECT(is_right(dot, &dots[i]) && same_bits(&dot, sizeof dot));
        psb_gefree(v[i]);
        psb_scal_free(s[i]);
    }
}

START_TEST(products_into_scalars)
    {
        const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                              &X(hdiag_mold).mat, &X(bsrg_mold).mat };
        const enum distribution distribution = distributions[_i % SOME_DISTRIBUTIONS];
        struct distributed w = distribute(SPREAD, ROWS, ROWS, distribution, distribution);
        GOOD(psb_spasb(w.a, mold[_i / SOME_DISTRIBUTIONS], PSB_DUPL_ADD));
        for (int k = 0; k < 4; k++)
            try_product(&w, places[k % 2], k / 2);
        distributed_free(&w);
    }
END_TEST

/* --- a whole iteration --- */

enum { STEPS = 6 };

struct cg {
    psb_desc *rows;
    struct X(spmat) *a;
    struct X(vect) *x, *r, *z, *p, *q, *diag;
    struct X(scal) *pq, *rho[2], *rr, *alpha, *beta;
};

/* Iteration k; the host knows no number.  Odd ones divide with the dot products. */
static void iterate(struct cg *c, int k)
{
    struct X(scal) *rho = c->rho[k % 2], *next = c->rho[(k + 1) % 2];
    const int together = k % 2;
    const struct X(epilogue) direction = { .ndots = 1,
                                           .dot = { { c->p, c->q } },
                                           .to = { c->pq },
                                           .nratios = together,
                                           .ratio = { { rho, c->pq, c->alpha } } };
    const struct X(epilogue) residual = { .gamma = -1,
                                          .gamma_by = c->alpha,
                                          .delta = 1,
                                          .z = c->r,
                                          .d = c->diag,
                                          .u = c->z,
                                          .ndots = 2,
                                          .dot = { { c->r, c->z }, { c->r, c->r } },
                                          .to = { next, c->rr },
                                          .nratios = together,
                                          .ratio = { { next, rho, c->beta } } };
    const struct X(axpby) update[] = {
        { .alpha = 1, .alpha_by = c->alpha, .x = c->p, .beta = 1, .y = c->x, .z = c->x },
        { .alpha = 1, .x = c->z, .beta = 1, .beta_by = c->beta, .y = c->p, .z = c->p },
    };
    GOOD(psb_spmv_fused(1, c->a, c->p, 0, c->q, 'N', &direction, NULL));
    if (!together)
        GOOD(psb_scal_divide(rho, c->pq, c->alpha));
    GOOD(psb_gefused(c->q, &residual, NULL));
    if (!together)
        GOOD(psb_scal_divide(next, rho, c->beta));
    GOOD(psb_geaxpbys(2, update));
}

/* The same by the calls that return numbers. */
static void iterate_by_host(struct cg *c, T *rho)
{
    T pq, next;
    GOOD(psb_spmv(1, c->a, c->p, 0, c->q, 'N'));
    GOOD(psb_gedot(c->p, c->q, &pq));
    GOOD(psb_geaxpby(*rho / pq, c->p, 1, c->x));
    GOOD(psb_geaxpby(-*rho / pq, c->q, 1, c->r));
    GOOD(psb_gemlt2(1, c->diag, c->r, 0, c->z));
    GOOD(psb_gedot(c->r, c->z, &next));
    GOOD(psb_geaxpby(1, c->z, next / *rho, c->p));
    *rho = next;
}

static void begin(struct cg *c, T *rho)
{
    T b[MOST];
    random_vector(MOST, b, 5);
    set_owned(c->r, b);
    GOOD(psb_vect_zero(c->x));
    GOOD(psb_gemlt2(1, c->diag, c->r, 0, c->z));
    GOOD(psb_geaxpby(1, c->z, 0, c->p));
    GOOD(psb_gedot(c->r, c->z, rho));
    GOOD(psb_scal_set(c->rho[0], *rho));
}

/* A is hermitian, with diagonal 4 and -1 or (-1, +-1/2) beside it: its condition is small, so that both ways
 * to iterate stay close. */
static void make_matrix(struct cg *c, enum distribution distribution, const struct X(mat) *mold)
{
    GOOD(alloc_desc(&c->rows, distribution, ROWS));
    GOOD(psb_spall(&c->a, c->rows, 3 * ROWS));
    for (psb_lpk i = 0; i < ROWS; i++) {
        const psb_lpk ia[] = { i, i, i }, ja[] = { i, i - 1, i + 1 };
        const T val[] = { 4, MAKE(-1, 0.5), MAKE(-1, -0.5) };
        for (int k = 0; k < 3 && psb_is_owned(c->rows, i); k++)
            if (ja[k] >= 0 && ja[k] < ROWS)
                GOOD(psb_spins(1, &ia[k], &ja[k], &val[k], c->a));
    }
    GOOD(psb_cdasb(c->rows));
    GOOD(psb_spasb(c->a, mold, PSB_DUPL_ADD));
}

static void cg_make(struct cg *c, enum distribution distribution, const struct X(mat) *mold,
                    const struct psb_vmold *place)
{
    struct X(vect) **const v[] = { &c->x, &c->r, &c->z, &c->p, &c->q, &c->diag };
    struct X(scal) **const s[] = { &c->pq, &c->rho[0], &c->rho[1], &c->rr, &c->alpha, &c->beta };
    const T none[MOST] = { 0 };
    *c = (struct cg){ .a = NULL };
    make_matrix(c, distribution, mold);
    for (int i = 0; i < 6; i++) {
        *v[i] = make_vector(c->rows, none, place);
        *s[i] = scalar(c->rows, 0, place);
    }
    GOOD(psb_set_scal((R)0.25, c->diag));
}

static void cg_free(struct cg *c)
{
    struct X(vect) *const v[] = { c->x, c->r, c->z, c->p, c->q, c->diag };
    struct X(scal) *const s[] = { c->pq, c->rho[0], c->rho[1], c->rr, c->alpha, c->beta };
    for (int i = 0; i < 6; i++) {
        psb_gefree(v[i]);
        psb_scal_free(s[i]);
    }
    psb_spfree(c->a);
    psb_cdfree(c->rows);
}

/* The transfers of an iteration on a device, other than halos and sums that are exchanged through the host.
 */
static long long transfers(void)
{
    const struct psb_transfers t = psb_transfers(NULL);
    return t.puts + t.gets;
}

START_TEST(an_iteration)
    {
        const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                              &X(hdiag_mold).mat };
        const struct psb_vmold *place = places[_i / SOME_DISTRIBUTIONS > 0];
        struct cg c;
        T rho, want[MOST], got[MOST], rr, dot;
        cg_make(&c, distributions[_i % SOME_DISTRIBUTIONS], mold[_i / SOME_DISTRIBUTIONS], place);
        begin(&c, &rho);
        for (int k = 0; k < STEPS; k++)
            iterate_by_host(&c, &rho);
        GOOD(psb_gather(c.x, want, -1));
        begin(&c, &rho);
        iterate(&c, 0);
        psb_transfers_reset();
        for (int k = 1; k < STEPS; k++)
            iterate(&c, k);
        const int silent = np == 1 || strcmp(psb_cd_sums_transport(c.rows, NULL), "lsa") == 0;
        EXPECT(!silent || transfers() == 0);
        GOOD(psb_gather(c.x, got, -1));
        for (int i = 0; i < ROWS; i++)
            EXPECT((double)ABS(got[i] - want[i]) <= 1e3 * EPS * (1 + (double)ABS(want[i])));
        GOOD(psb_scal_get(c.rr, &rr));
        GOOD(psb_gedot(c.r, c.r, &dot));
        EXPECT(near(rr, dot) && (double)RE(rr) < 1e-2); /* it was at least 1 */
        cg_free(&c);
    }
END_TEST

/* --- transports --- */

/* How sums on devices are made if PSB_HALO is `wish`. */
static const char *expected_transport(const char *wish)
{
    if (np == 1 || !psb_cuda_device())
        return "";
    if (strcmp(wish, "auto") == 0)
        return have_own_gpus() ? "lsa" : "staged";
    return strcmp(wish, "mpi") == 0 ? "staged" : wish;
}

START_TEST(transports)
    {
        static const char *const one = "there is one process";
        static const char *const wish[] = { "lsa", "lsa+nccl", "nccl", "mpi", "staged", "auto" };
        const char *why = one;
        psb_desc *d = rows_with_halo(EVEN);
        struct X(scal) *host = scalar(d, 1, NULL);
        EXPECT(strcmp(psb_cd_sums_transport(d, &why), "") == 0 && !why);
        setenv("PSB_HALO", wish[_i], 1);
        struct X(scal) *s = scalar(d, 1, &psb_vect_cuda);
        const char *by = psb_cd_sums_transport(d, &why);
        EXPECT(strcmp(by, expected_transport(wish[_i])) == 0);
        EXPECT(strcmp(by, "staged") != 0 || why);
        EXPECT(strcmp(psb_cd_sums_transport(NULL, NULL), "") == 0);
        psb_scal_free(s);
        psb_scal_free(host);
        psb_cdfree(d);
        by_default();
    }
END_TEST

/* Sums by messages and through memory have the same bits on up to three processes. */
START_TEST(same_bits_by_all_transports)
    {
        enum { TRANSPORTS = 4 };
        static const char *const wish[TRANSPORTS] = { "lsa", "nccl", "lsa+nccl", "staged" };
        T dots[TRANSPORTS][3];
        for (int t = 0; t < TRANSPORTS; t++) {
            struct bench b;
            setenv("PSB_HALO", wish[t], 1);
            play_hosts(t == 2 ? "2" : NULL);
            bench_make(&b, distributions[_i], &psb_vect_cuda, &psb_vect_cuda);
            for (int again = 0; again < 5; again++)
                end_with(&b, 1, dots[t]);
            bench_free(&b);
        }
        by_default();
        EXPECT(memcmp(dots[0], dots[1], sizeof dots[0]) == 0);
        EXPECT(memcmp(dots[0], dots[2], sizeof dots[0]) == 0);
        EXPECT(np > 3 || memcmp(dots[0], dots[3], sizeof dots[0]) == 0);
    }
END_TEST

/* A descriptor outlives the device that its channel for sums is on. */
START_TEST(device_closed)
    {
        psb_desc *d = rows_with_halo(EVEN);
        const T all[CELLS] = { 1, 2 };
        for (int again = 0; again < 3; again++) {
            struct X(vect) *x = multivector(d, 1, all, &psb_vect_cuda);
            struct X(scal) *s = scalar(d, 0, &psb_vect_cuda);
            const struct X(epilogue) e = { .ndots = 1, .dot = { { x, x } }, .to = { s } };
            GOOD(psb_gefused(x, &e, NULL));
            EXPECT(value_of(s) == 5);
            psb_gefree(x);
            psb_scal_free(s);
            psb_cuda_exit();
            GOOD(psb_cuda_init(ctxt));
        }
        psb_cdfree(d);
    }
END_TEST

/* --- errors --- */

START_TEST(wrong_arguments)
    {
        struct bench b, other;
        T dots[3];
        struct X(scal) *null = NULL;
        bench_make(&b, EVEN, places[_i], places[_i]);
        bench_make(&other, EVEN, places[_i], places[_i]);
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
        bad.z = NULL;
        BAD(psb_geaxpbys(1, &bad), PSB_EARG, "argument sum[].z is NULL; expected a vector");
        bad = good, bad.x = NULL;
        BAD(psb_geaxpbys(1, &bad), PSB_EARG, "argument sum[].x is NULL");
        bad = good, bad.y = other.v[0];
        BAD(psb_geaxpbys(1, &bad), PSB_EARG, "different descriptors");
        bad = good, bad.alpha_by = other.s[0];
        BAD(psb_geaxpbys(1, &bad), PSB_EARG, "argument sum[].alpha_by is a scalar of another descriptor");
        bad = good, bad.beta_by = other.s[0];
        BAD(psb_geaxpbys(1, &bad), PSB_EARG, "argument sum[].beta_by is a scalar of another descriptor");
        check_exact(b.v[2], b.all[2], "unchanged");
        GOOD(psb_halo_start(b.v[2], 'N'));
        BAD(psb_geaxpbys(1, &good), PSB_ESTATE, "being exchanged");
        GOOD(psb_halo_end(b.v[2]));
        bench_free(&other);
        bench_free(&b);
    }
END_TEST

/* All processes pass a wrong epilogue. */
START_TEST(wrong_epilogues)
    {
        struct bench b, o;
        T dots[3] = { sentinel };
        bench_make(&b, EVEN, places[_i], places[_i]);
        bench_make(&o, EVEN, places[_i], places[_i]);
        struct X(vect) *const *v = b.v, *none = NULL;
        const struct X(epilogue) good = { .gamma = 1,
                                          .z = v[1],
                                          .d = v[2],
                                          .u = v[3],
                                          .ndots = 2,
                                          .dot = { { v[1], v[3] }, { v[1], v[1] } },
                                          .to = { b.s[0], b.s[1] } };
        struct X(epilogue) e = good;
        e.z = v[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "arguments e->z and y are the same vector");
        e = good, e.u = v[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "arguments e->u and y are the same vector");
        e = good, e.u = v[1];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "arguments e->u and e->z are the same vector");
        e = good, e.u = v[2];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "arguments e->u and e->d are the same vector");
        e = good, e.d = NULL;
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->d is NULL; expected a vector");
        e = good, e.u = o.v[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->u lies on another descriptor");
        e = good, e.to[0] = NULL;
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG,
            "argument dots is NULL; expected where to store 2 dot products");
        e = good, e.to[1] = NULL;
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->to[] is NULL; expected a scalar");
        e = good, e.to[1] = e.to[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "e->to[0] and e->to[1] are the same scalar");
        e = good, e.to[1] = o.s[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->to[] is a scalar of another descriptor");
        e = good, e.gamma_by = o.s[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->gamma_by is a scalar of another");
        e = good, e.delta_by = o.s[0];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->delta_by is a scalar of another");
        e = good, e.ndots = 4;
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->ndots is 4; expected 0 <= ndots <= 3");
        e = good, e.nratios = 3;
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->nratios is 3; expected 0 <= nratios <= 2");
        e = good, e.nratios = 1;
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->ratio[].over is NULL; expected a scalar");
        e.ratio[0].over = b.s[0], e.ratio[0].under = b.s[1], e.ratio[0].to = b.s[1];
        BAD(psb_gefused(v[0], &e, NULL), PSB_EARG, "argument e->ratio[0].to is also a term of the ratio");
        e.ratio[0].to = b.s[2];
        BAD(psb_gefused(v[0], &e, dots), PSB_EARG, "expected 0 without dot products in scalars");
        BAD(psb_gefused(none, &good, NULL), PSB_EARG, "argument y is NULL; expected a distributed vector");
        BAD(psb_gefused(v[0], NULL, dots), PSB_EARG, "argument e is NULL");
        EXPECT(dots[0] == sentinel);
        GOOD(psb_gefused(v[0], &good, NULL));
        bench_free(&o);
        bench_free(&b);
    }
END_TEST

/* One process passes wrong arguments: the others learn it from the call, or, on a GPU, as they read the
 * scalar. */
START_TEST(failure_of_one_process)
    {
        struct bench b;
        const int who = _i % 2 ? np - 1 : 0;
        bench_make(&b, EVEN, &psb_vect_cuda, &psb_vect_cuda);
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
            (void)value_of(b.s[0]);
        }
        bench_free(&b);
    }
END_TEST

/* The last process does not take part: the others fail after PSB_HALO_TIMEOUT seconds, and from then on. */
START_TEST(process_that_does_not_come)
    {
        struct bench b;
        T v;
        setenv("PSB_HALO_TIMEOUT", "3", 1); /* long for an exchange, also on a busy machine */
        bench_make(&b, EVEN, &psb_vect_cuda, &psb_vect_cuda);
        const struct X(epilogue) e = { .ndots = 1, .dot = { { b.v[0], b.v[1] } }, .to = { b.s[0] } };
        GOOD(psb_gefused(b.v[0], &e, NULL));
        if (me < np - 1) {
            psb_err f = psb_gefused(b.v[0], &e, NULL);
            if (f == PSB_OK)
                f = psb_scal_get(b.s[0], &v);
            EXPECT(f == PSB_EMPI && strstr(psb_errmsg(), "sent no sums within 3 seconds (PSB_HALO_TIMEOUT)"));
            BAD(psb_gefused(b.v[0], &e, NULL), PSB_EMPI, "did not come to its end");
        }
        bench_free(&b);
    }
END_TEST

/* The n-th allocation of a process fails while a scalar is made. */
START_TEST(no_memory_for_a_scalar)
    {
        const T all[CELLS] = { 3, 4 };
        int n = 1;
        for (int failed = 1; failed && n < 80; n++) {
            psb_desc *d = rows_with_halo(EVEN);
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
            EXPECT(value_of(s) == 25);
            psb_gefree(x);
            psb_scal_free(s);
            psb_cdfree(d);
        }
        EXPECT(n > 2 && n < 80);
    }
END_TEST

/* The n-th allocation of a process fails in the first sums of a descriptor: all fail, or none. */
START_TEST(no_memory_for_sums)
    {
        int n = 1;
        for (int failed = 1; failed && n < 40; n++) {
            struct bench b;
            bench_make(&b, EVEN, places[_i], places[_i]);
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
            bench_free(&b);
        }
        EXPECT(n < 40);
    }
END_TEST

/* --- suite --- */

static void add_sums(TCase *c)
{
    ck_add_sampled_test(c, dots_into_scalars, PLACES * PLACES);
    ck_add_sampled_test(c, ratios_of_sums, PLACES * PLACES);
    tcase_add_loop_test(c, product_by_elements, 0, PLACES);
    tcase_add_loop_test(c, rows_with_several_owners, 0, 2 * PLACES);
    ck_add_sampled_test(c, products_into_scalars, 5 * SOME_DISTRIBUTIONS);
    ck_add_sampled_test(c, an_iteration, 4 * SOME_DISTRIBUTIONS);
    tcase_add_test(c, device_closed);
    tcase_add_loop_test(c, wrong_epilogues, 0, PLACES);
    tcase_add_loop_test(c, failure_of_one_process, 0, 2);
    tcase_add_test(c, no_memory_for_a_scalar);
    tcase_add_loop_test(c, no_memory_for_sums, 0, 2);
}

static Suite *scalars(void)
{
    Suite *s = suite_create("scalars of iterations");
    TCase *c = collective_tcase(s, "scalars and factors");
    tcase_add_test(c, products_and_quotients);
    tcase_add_test(c, descriptor_of_a_scalar);
    ck_add_sampled_test(c, sums_of_vectors, PLACES * PLACES);
    tcase_add_loop_test(c, sums_that_do_not_use_a_vector, 0, PLACES);
    tcase_add_loop_test(c, wrong_arguments, 0, PLACES);
    tcase_add_loop_test(c, transports, 0, 6);
    tcase_add_loop_test(c, same_bits_by_all_transports, 0, SOME_DISTRIBUTIONS);
    c = collective_tcase(s, "sums by messages");
    tcase_add_checked_fixture(c, by_messages, by_default);
    add_sums(c);
    c = collective_tcase(s, "sums through memory");
    tcase_add_checked_fixture(c, by_channel, by_default);
    add_sums(c);
    tcase_add_test(c, process_that_does_not_come);
    c = collective_tcase(s, "sums through memory and by messages between devices");
    tcase_add_checked_fixture(c, by_both, on_this_host);
    add_sums(c);
    tcase_add_test(c, process_that_does_not_come);
    return s;
}

int check_scal(void)
{
    ck_mpi_init();
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > 1)
        setenv("PSB_DEVICE", "fake", 0);
    if (ck_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    return ck_end(ctxt, collective_count(ck_run(scalars())));
}
