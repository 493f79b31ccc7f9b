/* check_prec_polynomials.c -- test: polynomial preconditioners, compared with dense matrices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_prec.h"
#include "psb_type.h"
#include "prec_inside.t.h"

/* D^-1 A and D^-1 for the image a. */
static T *scaled(psb_ipk n, const T *a, T **inverse)
{
    *inverse = image_identity(n);
    for (psb_ipk i = 0; i < n; i++)
        (*inverse)[i * n + i] = 1 / a[i * n + i];
    return image_product(n, *inverse, a);
}

/* a = b; b is freed. */
static void set(psb_ipk n, T *a, T *b)
{
    memcpy(a, b, (size_t)(n * n) * sizeof *a);
    free(b);
}

/* The series, summed term by term. */
TEST(neumann_series)
{
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of_turn(_i, 4), NULL, NULL);
    char text[40];
    snprintf(text, sizeof text, "neumann(degree=%d)", _i % 4);
    PREC *m = built(&p, text, NULL, NULL);
    HEAP T *inverse = NULL, *a = matrix_image(&p), *b = scaled(p.n, a, &inverse), *one = image_identity(p.n);
    HEAP T *g = image_sum(p.n, 1, one, -1, b), *term = image_op(p.n, inverse, 'N'),
           *sum = image_op(p.n, term, 'N');
    for (int i = 0; i < _i % 4; i++) {
        set(p.n, term, image_product(p.n, g, term));
        set(p.n, sum, image_sum(p.n, 1, sum, 1, term));
    }
    HEAP T *got = prec_image(&p, m, 'N', NULL);
    EXPECT(image_distance(p.n, got, sum) < SMALL);
}

/* The estimate of the largest eigenvalue, from the polynomial of degree 0, which is D^-1 divided by the
 * middle of the interval. */
static double estimate(const struct problem *p, const char *text, double ratio)
{
    PREC *m = built(p, text, NULL, NULL);
    HEAP T *image = prec_image(p, m, 'N', NULL), *a = matrix_image(p);
    const double middle = 1 / (double)RE(image[0] * a[0]);
    return 2 * middle / (1.1 + 1 / ratio);
}

/* Within 5 % below the known eigenvalue of the grid, and the same for all distributions. */
TEST(largest_eigenvalue)
{
    const double pi = 3.14159265358979323846;
    const psb_ipk m = 8;
    PROBLEM p = make_problem(PROBLEM_HPD, m, 1, (enum distribution)_i, NULL, NULL);
    PROBLEM one = make_problem(PROBLEM_HPD, m, 1, ONE_HAS_ALL, NULL, NULL);
    const double off = (double)ABS(MAKE(-1, 0.25)), exact = (4.5 + 4 * off * cos(pi / (m + 1))) / 4.5;
    const double got = estimate(&p, "chebyshev(degree=0)", 30);
    EXPECT(got > 0.95 * exact && got < 1.01 * exact);
    EXPECT(fabs(got - estimate(&one, "chebyshev(degree=0)", 30)) < 1e-4 * exact);
    EXPECT(fabs(got - estimate(&p, "chebyshev(degree=0, eig_ratio=3)", 3)) < 1e-4 * exact);
}

/* I - B p(B), which is T((middle - B) / half) / T(middle / half), T the Chebyshev polynomial of degree + 1,
 * of the first or the fourth kind. */
TEST(chebyshev_polynomial)
{
    const int degree = _i % 6, n = 25;
    const bool fourth = _i % 4 == 3;
    PROBLEM p = make_problem(_i / 6 % 2 ? PROBLEM_HPD : PROBLEM_CONVECTION, 5, 1,
                             distribution_of_turn(_i, 12), NULL, NULL);
    char text[80];
    snprintf(text, sizeof text, "chebyshev(degree=%d, eig_ratio=20, kind=%s)", degree,
             fourth ? "fourth" : "first");
    const double largest = estimate(&p, "chebyshev(degree=0, eig_ratio=20)", 20);
    const double least = fourth ? 0 : 0.05, middle = largest * (1.1 + least) / 2,
                 half = largest * 1.1 - middle;
    HEAP T *inverse = NULL, *a = matrix_image(&p), *b = scaled(n, a, &inverse), *one = image_identity(n);
    HEAP T *z = image_sum(n, (T)(middle / half), one, (T)(-1 / half), b);
    HEAP T *old = image_op(n, one, 'N'), *now = image_sum(n, fourth ? 2 : 1, z, fourth, one);
    double s_old = 1, s_now = fourth ? 3 : middle / half;
    for (int i = 0; i < degree; i++) {
        HEAP T *zt = image_product(n, z, now);
        T *next = image_sum(n, 2, zt, -1, old);
        const double s_next = 2 * middle / half * s_now - s_old;
        set(n, old, now);
        now = next;
        s_old = s_now;
        s_now = s_next;
    }
    HEAP T *want = image_sum(n, (T)(1 / s_now), now, 0, now);
    PREC *m = built(&p, text, NULL, NULL);
    HEAP T *pb = prec_image(&p, m, 'N', NULL), *bpb = image_product(n, pb, a),
           *got = image_sum(n, 1, one, -1, bpb);
    EXPECT(image_distance(n, got, want) < SMALL);
}

/* A matrix of one row, and one whose values are not finite. */
TEST(polynomials_at_the_edge)
{
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 1, 1, EVEN, NULL, NULL);
    PREC *m = NULL;
    HEAP T *a = matrix_image(&p), *one = image_identity(1);
    m = built(&p, "chebyshev(degree=5, eig_ratio=2)", NULL, NULL);
    HEAP T *got = prec_image(&p, m, 'N', NULL), *product = image_product(1, a, got);
    EXPECT(image_distance(1, product, one) < 0.01);
    PROBLEM wide = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
    psb_lpk i = 1, j = 0;
    T nan = (T)NAN;
    GOOD(X(sprn)(wide.a, 0));
    if (psb_is_owned(wide.desc, 1))
        GOOD(X(spins)(1, &i, &j, &nan, wide.a));
    GOOD(X(spasb)(wide.a, NULL, PSB_DUPL_ADD));
    BAD(X(precbld)(m, wide.a, NULL, NULL), PSB_EPIVOT, "expected a finite one");
    HEAP T *again = prec_image(&p, m, 'N', NULL);
    EXPECT(*again == *got);
}

/* Their bits are the same on the host and on a device, for any distribution and number of columns. */
TEST(random_vectors)
{
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of_turn(_i, DISTRIBUTIONS), NULL, NULL);
    const int k = 1 + _i % 2;
    const psb_ipk n = psb_cd_local_rows(p.desc);
    HEAP T *host = calloc((size_t)(n * k) + 1, sizeof *host), *got = calloc((size_t)(n * k) + 1, sizeof *got);
    for (int there = 0; there < 2; there++) {
        VECT *v = NULL;
        GOOD(X(geall_n)(&v, p.desc, k));
        GOOD(X(geasb)(v, there ? &psb_vect_cuda : NULL));
        GOOD(X(set_random)(v, 7));
        GOOD(X(get_vect)(v, n, there ? got : host));
    }
    EXPECT(memcmp(host, got, (size_t)(n * k) * sizeof *got) == 0);
    for (psb_ipk i = 0; i < n * k; i++)
        EXPECT(RE(host[i]) >= -1 && RE(host[i]) < 1 && (i < k || host[i] != host[i - k]));
}

void prec_polynomials_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "polynomials");
    ck_add_sampled_tests(c, 4 * EACH, neumann_series);
    ck_add_loop_tests(c, DISTRIBUTIONS, largest_eigenvalue);
    ck_add_loop_tests(c, DISTRIBUTIONS, random_vectors);
    ck_add_sampled_tests(c, 12 * EACH, chebyshev_polynomial);
    ck_add_tests(c, polynomials_at_the_edge);
}
