/* check_scal_dots.c -- test: dot products into scalars, with a matrix product and without. */
#include <string.h>
#include "psb_cuda.h"
#include "check_scal.h"

void epilogue_dots(struct scal_bench *b, int by_scalars, T *dots)
{
    struct X(vect) *const *v = b->v;
    struct X(epilogue) e = { .gamma = by_scalars ? -1 : MAKE(-0.5, 1),
                             .delta = by_scalars ? 1 : 3,
                             .z = v[1],
                             .d = v[2],
                             .u = v[3],
                             .ndots = 3,
                             .dot = { { v[1], v[3] }, { v[3], v[3] }, { v[4], v[0] } } };
    scal_bench_load(b);
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
        dots[i] = scalar_value(b->s[i]);
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

static void check_dots(const struct scal_bench *b, const T *dots)
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

TEST(dots_into_scalars)
{
    struct scal_bench b;
    T host[3], dots[3], again[3];
    scal_bench_make(&b, some_distributions[_i % SOME_DISTRIBUTIONS], places[_i % PLACES],
                    places[_i / PLACES]);
    epilogue_dots(&b, 0, host);
    check_dots(&b, host);
    epilogue_dots(&b, 1, dots);
    check_dots(&b, dots);
    epilogue_dots(&b, 1, again);
    EXPECT(memcmp(dots, again, sizeof dots) == 0 && same_bits(dots, sizeof dots));
    EXPECT(np > 3 || memcmp(dots, host, sizeof dots) == 0); /* the same order of additions */
    scal_bench_free(&b);
    EXPECT(counting_device_blocks == 0);
}

/* Ratios of dot products and other scalars: the bits of psb_scal_divide. */
TEST(ratios_of_sums)
{
    SCAL_BENCH b;
    scal_bench_make(&b, some_distributions[_i % SOME_DISTRIBUTIONS], places[_i % PLACES],
                    places[_i / PLACES]);
    SCALAR *five = make_scalar(b.d, 5, places[_i % PLACES]), *none = make_scalar(b.d, 0, NULL);
    SCALAR *want = make_scalar(b.d, 0, places[_i % PLACES]);
    struct X(epilogue) e = { .ndots = 1,
                             .dot = { { b.v[1], b.v[2] } },
                             .to = { b.s[0] },
                             .nratios = 2,
                             .ratio = { { five, b.s[0], b.s[1] }, { b.s[1], five, b.s[2] } } };
    GOOD(psb_gefused(b.v[0], &e, NULL));
    GOOD(psb_scal_divide(five, b.s[0], want));
    EXPECT(scalar_value(b.s[1]) == scalar_value(want));
    GOOD(psb_scal_divide(b.s[1], five, want));
    EXPECT(scalar_value(b.s[2]) == scalar_value(want) && scalar_value(want) != 0);
    e.ratio[1].under = none;
    GOOD(psb_gefused(b.v[0], &e, NULL));
    EXPECT(scalar_value(b.s[1]) != 0 && scalar_value(b.s[2]) == 0);
}

/* u = d y where there is no z; one product. */
TEST(product_by_elements)
{
    SCAL_BENCH b;
    T want[CELLS];
    scal_bench_make(&b, EVEN, places[_i], places[_i]);
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
    EXPECT(is_right(scalar_value(b.s[0]), &dot));
}

/* Rows with several owners are counted once; a replicated descriptor. */
TEST(rows_with_several_owners)
{
    DESC *d = NULL;
    psb_lpk row[MOST];
    psb_ipk n = 0;
    T all[CELLS], dot;
    for (int i = 0; i < ROWS; i++)
        if (i % np == me || (i % np == (me + 1) % np && i % 3 == 0))
            row[n++] = i;
    GOOD(_i % 2 ? psb_cdall_repl(&d, ctxt, ROWS) : psb_cdall_vl(&d, ctxt, n, row));
    GOOD(psb_cdasb(d));
    random_vector(ROWS, all, 7);
    VECT *x = multivector(d, 1, all, places[_i / 2]);
    SCALAR *s = make_scalar(d, 0, places[_i / 2]);
    const struct X(epilogue) e = { .ndots = 1, .dot = { { x, x } }, .to = { s } };
    GOOD(psb_gefused(x, &e, NULL));
    GOOD(psb_gedot(x, x, &dot));
    EXPECT(is_near(scalar_value(s), dot));
}

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
        s[i] = make_scalar(w->row, sentinel, place);
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
        const T dot = scalar_value(s[i]);
        EXPECT(is_right(dot, &dots[i]) && same_bits(&dot, sizeof dot));
        psb_gefree(v[i]);
        psb_scal_free(s[i]);
    }
}

TEST(products_into_scalars)
{
    const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                          &X(hdiag_mold).mat, &X(bsrg_mold).mat };
    const enum distribution distribution = some_distributions[_i % SOME_DISTRIBUTIONS];
    DISTRIBUTED w = distribute(SPREAD, ROWS, ROWS, distribution, distribution);
    GOOD(psb_spasb(w.a, mold[_i / SOME_DISTRIBUTIONS], PSB_DUPL_ADD));
    for (int k = 0; k < 4; k++)
        try_product(&w, places[k % 2], k / 2);
}

void add_scal_dots(TCase *c)
{
    ck_add_sampled_tests(c, PLACES * PLACES, dots_into_scalars, ratios_of_sums);
    ck_add_loop_tests(c, PLACES, product_by_elements);
    ck_add_loop_tests(c, 2 * PLACES, rows_with_several_owners);
    ck_add_sampled_tests(c, 5 * SOME_DISTRIBUTIONS, products_into_scalars);
}
