/* check_prec_sweeps.c -- test: multicoloured Gauss-Seidel sweeps, compared with dense matrices. */
#include <stdlib.h>
#include <string.h>
#include "check_prec.h"
#include "colour_order.t.h"

enum { ROWS = 30 };

/* A matrix of ROWS rows that is dominated by its diagonal, with an unsymmetric pattern. */
static struct problem irregular(enum distribution distribution)
{
    T a[ROWS * ROWS] = { 0 }, b[ROWS];
    struct rng r = { 7 };
    for (int i = 0; i < ROWS; i++) {
        a[i * ROWS + i] = 6 + random_scalar(&r);
        for (int k = 0; k < 4; k++) {
            const int j = rng_below(&r, ROWS);
            if (j != i)
                a[i * ROWS + j] = random_scalar(&r);
        }
    }
    random_vector(ROWS, b, 3);
    return dense_problem(ROWS, a, b, distribution);
}

/* M of the preconditioner `text`. */
static T *splitting(const struct problem *p, const char *text)
{
    PREC *m = built(p, text, NULL, NULL);
    HEAP T *image = prec_image(p, m, 'N', NULL);
    return image_inverse(p->n, image);
}

static bool is_near(T a, T b)
{
    return (double)ABS(a - b) < SMALL * 100;
}

/* The matrix of a sweep has the diagonal of A and, of any two colours, the entries of A in the rows of the
 * one that comes later. */
TEST(splittings)
{
    PROBLEM p = irregular((enum distribution)_i);
    HEAP T *a = matrix_image(&p), *forward = splitting(&p, "gs"),
           *backward = splitting(&p, "gs(direction=backward)");
    HEAP T *relaxed = splitting(&p, "gs(omega=1.5)");
    struct psb_i_vect *v = NULL;
    psb_ipk colour[ROWS];
    int n, later[ROWS][ROWS] = { 0 };
    GOOD(X(sp_colour)(p.a, 1, &v, &n));
    GOOD(psb_i_gather(v, colour, -1));
    psb_i_gefree(v);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            const T e = a[i * ROWS + j], d = i == j ? e : 0;
            if (i != j && e != 0 && !is_near(forward[i * ROWS + j], 0))
                later[colour[i]][colour[j]] = 1;
            EXPECT(is_near(forward[i * ROWS + j] + backward[i * ROWS + j], e + d));
            EXPECT(is_near(relaxed[i * ROWS + j] - d / (R)1.5, forward[i * ROWS + j] - d));
        }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            const int c = colour[i], d = colour[j];
            EXPECT(!later[c][d] || !later[d][c]);
            EXPECT(is_near(forward[i * ROWS + j], i == j || later[c][d] ? a[i * ROWS + j] : 0));
        }
}

/* f + g - g A f: first one, then the other. */
static T *followed_by(psb_ipk n, const T *a, const T *f, const T *g)
{
    HEAP T *af = image_product(n, a, f), *gaf = image_product(n, g, af), *sum = image_sum(n, 1, f, 1, g);
    return image_sum(n, 1, sum, -1, gaf);
}

TEST(sweeps_one_after_the_other)
{
    PROBLEM p = irregular((enum distribution)_i);
    PREC *up = built(&p, "gs(omega=0.75)", NULL, NULL),
         *down = built(&p, "gs(direction=backward, omega=0.75)", NULL, NULL);
    HEAP T *a = matrix_image(&p), *f = prec_image(&p, up, 'N', NULL), *b = prec_image(&p, down, 'N', NULL);
    HEAP T *both = followed_by(ROWS, a, f, b), *twice = followed_by(ROWS, a, f, f);
    HEAP T *four = followed_by(ROWS, a, both, both);
    EXPECT(prec_distance(&p, "gs(sweeps=2, omega=0.75)", twice) < SMALL);
    EXPECT(prec_distance(&p, "ssor(omega=0.75)", both) < SMALL);
    EXPECT(prec_distance(&p, "gs(direction=symmetric, sweeps=2, omega=0.75)", four) < SMALL);
    if (_i == ONE_HAS_ALL)
        EXPECT(prec_distance(&p, "gs(direction=symmetric, sweeps=2, omega=0.75, halo=once)", four) < SMALL);
    PREC *up1 = built(&p, "gs", NULL, NULL), *down1 = built(&p, "gs(direction=backward)", NULL, NULL);
    HEAP T *f1 = prec_image(&p, up1, 'N', NULL), *b1 = prec_image(&p, down1, 'N', NULL);
    HEAP T *both1 = followed_by(ROWS, a, f1, b1), *four1 = followed_by(ROWS, a, both1, both1);
    EXPECT(prec_distance(&p, "ssor(sweeps=2)", four1) < SMALL);
}

/* The same sweeps for each distribution, and the same bits in each run. */
TEST(sweeps_of_any_distribution)
{
    PROBLEM p = irregular((enum distribution)_i), one = irregular(ONE_HAS_ALL);
    PREC *m = built(&p, "ssor(sweeps=2, omega=1.25)", NULL, NULL),
         *n = built(&one, "ssor(sweeps=2, omega=1.25)", NULL, NULL);
    PREC *again = built(&p, "ssor(sweeps=2, omega=1.25)", NULL, NULL);
    HEAP T *got = prec_image(&p, m, 'N', NULL), *want = prec_image(&one, n, 'N', NULL);
    HEAP T *repeated = prec_image(&p, again, 'N', NULL);
    EXPECT(image_distance(ROWS, got, want) < SMALL);
    EXPECT(memcmp(got, repeated, ROWS * ROWS * sizeof *got) == 0);
}

/* With halo=once the splitting has no entries between rows of two processes. */
TEST(halo_once)
{
    PROBLEM p = irregular((enum distribution)_i);
    int owner[ROWS];
    owners((enum distribution)_i, ROWS, owner);
    HEAP T *forward = splitting(&p, "gs"), *blocks = splitting(&p, "gs(halo=once)");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            EXPECT(is_near(blocks[i * ROWS + j], owner[i] == owner[j] ? forward[i * ROWS + j] : 0));
    PREC *m = built(&p, "ssor(halo=once)", NULL, NULL);
    HEAP T *a = matrix_image(&p), *f = prec_image(&p, m, 'N', NULL), *twice = followed_by(ROWS, a, f, f);
    EXPECT(prec_distance(&p, "ssor(halo=once, sweeps=2)", twice) < SMALL);
    HEAP T *back = prec_image(&p, m, 'T', NULL);
    for (int i = 0; i < ROWS * ROWS; i++)
        EXPECT(is_near(back[i], f[i % ROWS * ROWS + i / ROWS]));
}

/* With order=rows the splitting has the entries before the diagonal, in the local order of rows. */
TEST(sweeps_by_rows)
{
    PROBLEM p = irregular((enum distribution)_i);
    int owner[ROWS];
    owners((enum distribution)_i, ROWS, owner);
    HEAP T *a = matrix_image(&p), *forward = splitting(&p, "gs(order=rows)"),
           *backward = splitting(&p, "gs(order=rows, direction=backward)");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            const T e = owner[i] == owner[j] ? a[i * ROWS + j] : 0, f = forward[i * ROWS + j];
            EXPECT(is_near(f + backward[i * ROWS + j], i == j ? 2 * e : e));
            EXPECT(is_near(f, _i != SHUFFLED && j > i ? 0 : is_near(f, 0) ? 0 : e));
        }
    PREC *up = built(&p, "gs(order=rows, omega=0.75)", NULL, NULL),
         *down = built(&p, "gs(order=rows, direction=backward, omega=0.75)", NULL, NULL);
    HEAP T *f = prec_image(&p, up, 'N', NULL), *b = prec_image(&p, down, 'N', NULL);
    HEAP T *twice = followed_by(ROWS, a, f, f), *down_twice = followed_by(ROWS, a, b, b);
    EXPECT(prec_distance(&p, "gs(order=rows, omega=0.75, sweeps=2)", twice) < SMALL);
    EXPECT(prec_distance(&p, "gs(order=rows, omega=0.75, sweeps=2, direction=backward)", down_twice) < SMALL);
}

/* With order=rows a symmetric sweep is one up, then one down, with the halo of the first. */
TEST(symmetric_sweeps_by_rows)
{
    PROBLEM p = irregular(ONE_HAS_ALL), q = irregular((enum distribution)_i);
    PREC *up = built(&p, "gs(order=rows, omega=0.75)", NULL, NULL),
         *down = built(&p, "gs(order=rows, direction=backward, omega=0.75)", NULL, NULL);
    HEAP T *a = matrix_image(&p), *f = prec_image(&p, up, 'N', NULL), *b = prec_image(&p, down, 'N', NULL);
    HEAP T *both = followed_by(ROWS, a, f, b), *four = followed_by(ROWS, a, both, both);
    EXPECT(prec_distance(&p, "ssor(order=rows, omega=0.75)", both) < SMALL);
    EXPECT(prec_distance(&p, "gs(order=rows, omega=0.75, direction=symmetric, sweeps=2)", four) < SMALL);
    PREC *once = built(&q, "ssor(order=rows)", NULL, NULL);
    HEAP T *one = prec_image(&q, once, 'N', NULL), *two = followed_by(ROWS, a, one, one);
    EXPECT(prec_distance(&q, "ssor(order=rows, sweeps=2)", two) < SMALL);
    BAD(X(precapply)(once, q.b, q.x, 'T'), PSB_ENOTIMPL, "not transposed");
}

/* A Hermitian matrix has a Hermitian preconditioner. */
TEST(symmetric_sweeps)
{
    static const char *const texts[] = { "ssor", "ssor(omega=1.5, sweeps=3)", "ssor(halo=once, sweeps=2)",
                                         "ssor(order=rows, omega=1.5, sweeps=2)" };
    PROBLEM p = make_problem(PROBLEM_HPD, 5, 1, distribution_of_turn(_i, 4), NULL, NULL);
    EXPECT(prec_asymmetry(&p, texts[_i % 4]) < SMALL);
}

/* As smoothers: x + M^-1 (b - A x), k sweeps one after the other. */
TEST(smoothers)
{
    static const char *const texts[] = { "gs",
                                         "gs(direction=backward)",
                                         "gs(direction=symmetric)",
                                         "gs(order=rows)",
                                         "gs(order=rows, direction=backward)",
                                         "gs(order=rows, direction=symmetric)" };
    const enum psb_sweep_direction direction = (enum psb_sweep_direction)(_i % 3);
    PROBLEM p = irregular((enum distribution)(_i / 6));
    PREC *m = built(&p, texts[_i % 6], NULL, NULL);
    PREC *any = built(&p, _i % 6 < 3 ? "ssor" : "ssor(order=rows)", NULL, NULL);
    VECT *want = NULL, *r = NULL, *step = NULL;
    T x[ROWS];
    R error, size;
    random_vector(ROWS, x, 11);
    GOOD(X(scatter)(p.x, x, -1));
    GOOD(X(vect_clone)(p.x, &want));
    GOOD(X(vect_clone)(p.x, &step));
    GOOD(X(vect_clone)(p.b, &r));
    for (int k = 0; k < 2; k++) {
        GOOD(X(vect_copy)(p.b, r));
        GOOD(X(spmv)(-1, p.a, want, 1, r, 'N'));
        GOOD(X(precapply)(m, r, step, 'N'));
        GOOD(X(geaxpby)(1, step, 1, want));
    }
    GOOD(X(prec_smooth)(any, direction, 2, p.b, p.x));
    GOOD(X(genrm2)(want, &size));
    GOOD(X(geaxpby)(-1, want, 1, p.x));
    GOOD(X(genrm2)(p.x, &error));
    EXPECT((double)error < SMALL * (double)size);
}

/* In the order of its colours a matrix has the same entries, and sweeps over it, which use vectors as they
 * are, have the same bits. */
TEST(sweeps_in_order)
{
    static const char *const texts[] = { "gs", "gs(direction=symmetric, halo=once)", "ssor(omega=1.25)" };
    const char *text = texts[_i / DISTRIBUTIONS];
    PROBLEM p = irregular((enum distribution)(_i % DISTRIBUTIONS));
    struct psb_colour_order order = { 0 };
    struct problem o = { .n = ROWS };
    struct X(prec) *n = NULL;
    GOOD(X(colour_order_bld)(p.a, &order));
    GOOD(X(sp_ordered)(p.a, &order, &o.a));
    o.desc = order.desc;
    HEAP T *a = matrix_image(&p), *b = matrix_image(&o);
    EXPECT(memcmp(a, b, ROWS * ROWS * sizeof *a) == 0);
    PREC *m = built(&p, text, NULL, NULL);
    GOOD(X(precinit)(&n, text));
    n->order = &order;
    GOOD(X(precbld)(n, o.a, NULL, NULL));
    for (const char *op = "NTC"; *op; op++) {
        HEAP T *want = prec_image(&p, m, *op, NULL), *got = prec_image(&o, n, *op, NULL);
        EXPECT(memcmp(want, got, ROWS * ROWS * sizeof *want) == 0);
    }
    X(precfree)(n);
    X(spfree)(o.a);
    psb_colour_order_free(&order);
}

/* One row; rows without neighbours. */
TEST(sweeps_over_uncoupled_rows)
{
    for (psb_ipk n = 1; n < 9; n += 7) {
        T a[64] = { 0 }, b[8] = { 0 };
        for (psb_ipk i = 0; i < n; i++)
            a[i * n + i] = (T)(i + 2);
        PROBLEM p = dense_problem(n, a, b, (enum distribution)_i);
        HEAP T *inverse = image_inverse(n, a);
        EXPECT(prec_distance(&p, "gs", inverse) < SMALL);
        EXPECT(prec_distance(&p, "ssor(sweeps=3)", inverse) < SMALL);
    }
}

void prec_sweeps_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "sweeps");
    ck_add_loop_tests(c, DISTRIBUTIONS, splittings, sweeps_one_after_the_other, sweeps_of_any_distribution,
                      halo_once, sweeps_by_rows, symmetric_sweeps_by_rows, sweeps_over_uncoupled_rows);
    ck_add_loop_tests(c, 3 * DISTRIBUTIONS, sweeps_in_order);
    ck_add_sampled_tests(c, 6 * DISTRIBUTIONS, smoothers);
    ck_add_sampled_tests(c, 4 * EACH, symmetric_sweeps);
}
