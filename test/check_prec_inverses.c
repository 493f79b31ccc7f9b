/* check_prec_inverses.c -- test: approximate inverses, compared with dense matrices. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_prec.h"

/* The inverse of the blocks that the processes own. */
static T *inverse_of_blocks(const struct problem *p)
{
    const psb_ipk n = p->n;
    HEAP T *a = matrix_image(p);
    int owner[MOST] = { 0 };
    for (psb_ipk i = 0; i < n; i++)
        owner[i] = psb_is_owned(p->desc, i) ? me : 0;
    GOOD(psb_sum(ctxt, (int)n, owner, -1));
    for (psb_ipk e = 0; e < n * n; e++)
        if (owner[e / n] != owner[e % n])
            a[e] = 0;
    return image_inverse(n, a);
}

/* Without dropping, AINV is the exact inverse; INVK and INVT are those of their factors. */
TEST(nothing_dropped)
{
    static const char *const pairs[][2] = {
        { "invk(fill=0, inv_fill=64)", "bjac(ilu0)" },
        { "invk(fill=2, inv_fill=64)", "bjac(ilu(2))" },
        { "invt(fill=3, drop=0.01, inv_drop=0, inv_fill=64)", "bjac(ilut, fill=3, drop=0.01)" },
    };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, 1, (enum distribution)_i, NULL, NULL);
    HEAP T *exact = inverse_of_blocks(&p);
    EXPECT(prec_distance(&p, "ainv(inv_drop=0, inv_fill=64)", exact) < SMALL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        PREC *m = built(&p, pairs[i][1], NULL, NULL);
        HEAP T *want = prec_image(&p, m, 'N', NULL);
        EXPECT(prec_distance(&p, pairs[i][0], want) < SMALL);
    }
}

/* Entries are dropped, more of them with larger limits, and the inverse is the less accurate. */
TEST(dropping)
{
    static const char *const texts_of[][4] = {
        { "ainv(inv_drop=0, inv_fill=64)", "ainv(inv_drop=0.01)", "ainv(inv_drop=0.1)",
          "ainv(inv_drop=0.3)" },
        { "ainv(inv_drop=0, inv_fill=64)", "ainv(inv_drop=0, inv_fill=6)", "ainv(inv_drop=0, inv_fill=3)",
          "ainv(inv_drop=0, inv_fill=1)" },
        { "invk(fill=9, inv_fill=64)", "invk(fill=9, inv_fill=3)", "invk(fill=9, inv_fill=1)",
          "invk(fill=9, inv_fill=0)" },
        { "invt(fill=64, drop=0, inv_drop=0, inv_fill=64)", "invt(fill=64, drop=0, inv_drop=0.01)",
          "invt(fill=64, drop=0, inv_drop=0.1)", "invt(fill=64, drop=0, inv_drop=0.3)" },
        { "invt(fill=64, drop=0, inv_drop=0, inv_fill=64)", "invt(fill=64, drop=0, inv_drop=0, inv_fill=6)",
          "invt(fill=64, drop=0, inv_drop=0, inv_fill=3)", "invt(fill=64, drop=0, inv_drop=0, inv_fill=1)" },
    };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, np <= 3 ? 6 : 8, 1, EVEN, NULL, NULL);
    HEAP T *exact = inverse_of_blocks(&p);
    double before = SMALL, bytes = INFINITY;
    for (int i = 0; i < 4; i++) {
        PREC *m = built(&p, texts_of[_i][i], NULL, NULL);
        const double now = prec_distance(&p, texts_of[_i][i], exact);
        double stored = (double)X(prec_bytes)(m);
        GOOD(psb_sum(ctxt, 1, &stored, -1)); /* on a process with few rows a limit may drop nothing */
        EXPECT(i == 0 ? now < before : now >= before && now < 0.6);
        EXPECT(stored < bytes);
        before = now;
        bytes = stored;
    }
}

/* The inverse Z of the upper triangle u with ones on its diagonal, from Z u = I, with entries dropped from
 * each row by level and by size. */
static T *truncated_inverse(psb_ipk n, const T *u, int most, double drop)
{
    T *z = image_identity(n);
    for (psb_ipk i = 0; i < n; i++) {
        T *w = z + i * n;
        int level[MOST];
        for (psb_ipk j = 0; j < n; j++)
            level[j] = j == i ? -1 : INT_MAX;
        for (psb_ipk k = i; k < n; k++) {
            if (k > i && (level[k] > most || (double)ABS(w[k]) < drop))
                w[k] = 0;
            for (psb_ipk j = k + 1; j < n && w[k] != 0; j++)
                if (u[k * n + j] != 0) {
                    w[j] -= w[k] * u[k * n + j];
                    level[j] = level[j] < level[k] + 1 ? level[j] : level[k] + 1;
                }
        }
    }
    return z;
}

/* Z D^-1 W^T from the inverses of the factors of all rows. */
static T *inverse_of_factors(psb_ipk n, const T *a, int full, int most, double drop)
{
    psb_ipk ord[MOST] = { 0 };
    for (psb_ipk i = 0; i < n; i++)
        ord[i] = i;
    HEAP T *f = image_factors(n, a, n, ord, full), *u = image_identity(n), *lt = image_identity(n),
           *d = image_identity(n);
    for (psb_ipk i = 0; i < n; i++) {
        d[i * n + i] = 1 / f[i * n + i];
        for (psb_ipk j = i + 1; j < n; j++) {
            u[i * n + j] = f[i * n + j] / f[i * n + i];
            lt[i * n + j] = f[j * n + i];
        }
    }
    HEAP T *z = truncated_inverse(n, u, most, drop), *w = truncated_inverse(n, lt, most, drop);
    HEAP T *wt = image_op(n, w, 'T'), *dwt = image_product(n, d, wt);
    return image_product(n, z, dwt);
}

TEST(truncated_inverses)
{
    static const struct {
        const char *text;
        int full, level;
        double drop;
    } kinds[] = {
        { "invk(inv_fill=0)", 0, 0, 0 },
        { "invk", 0, 1, 0 },
        { "invk(inv_fill=2)", 0, 2, 0 },
        { "invk(inv_fill=3)", 0, 3, 0 },
        { "invt(fill=64, drop=0, inv_drop=0.013, inv_fill=64)", 1, INT_MAX - 1, 0.013 },
    };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, 1, ONE_HAS_ALL, NULL, NULL);
    HEAP T *a = matrix_image(&p);
    HEAP T *want = inverse_of_factors(p.n, a, kinds[_i].full, kinds[_i].level, kinds[_i].drop);
    EXPECT(prec_distance(&p, kinds[_i].text, want) < SMALL);
}

/* With at most two entries beside the diagonal of a row, the two matrices have at most 3 n entries each. */
TEST(entries_of_a_row)
{
    static const char *const kinds[] = { "ainv(inv_drop=0, inv_fill=2)",
                                         "invt(fill=9, inv_drop=0, inv_fill=2)",
                                         "ainv(inv_drop=0, inv_fill=0)",
                                         "invt(fill=9, inv_drop=0, inv_fill=0)" };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 8, 1, EVEN, NULL, NULL);
    PREC *m = built(&p, kinds[_i], NULL, NULL);
    const size_t n = (size_t)psb_cd_local_rows(p.desc), nz = (_i < 2 ? 3 : 1) * n;
    const size_t most = 2 * (nz * (sizeof(T) + sizeof(psb_ipk)) + (n + 1) * sizeof(psb_epk));
    EXPECT(X(prec_bytes)(m) <= most + 100);
}

/* AINV and INVK of a Hermitian matrix are Hermitian. */
TEST(hermitian_inverses)
{
    static const char *const kinds[] = { "ainv", "invk", "ainv(inv_fill=1)" };
    PROBLEM p = make_problem(PROBLEM_HPD, 6, 1, distribution_of_turn(_i, 3), NULL, NULL);
    EXPECT(prec_asymmetry(&p, kinds[_i % 3]) < SMALL);
}

/* A zero pivot is an error on all processes, which names its row; the option tiny replaces it. */
TEST(inverse_pivots)
{
    static const char *const kinds[] = { "ainv", "invk", "invt" };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
    PREC *m = built(&p, kinds[_i], NULL, NULL), *boosted = NULL;
    char text[40];
    snprintf(text, sizeof text, "%s(tiny=0.1)", kinds[_i]);
    GOOD(X(precinit)(&boosted, text));
    HEAP T *before = prec_image(&p, m, 'N', NULL);
    const psb_ipk first = 0;
    const T zero = 0;
    if (psb_is_owned(p.desc, 0))
        GOOD(X(sp_csput)(1, &first, &first, &zero, p.a, PSB_DUPL_OVERWRITE));
    BAD(X(precupd)(m, p.a), PSB_EPIVOT, "row 0 has the pivot 0");
    HEAP T *after = prec_image(&p, m, 'N', NULL);
    EXPECT(memcmp(before, after, (size_t)(p.n * p.n) * sizeof *after) == 0);
    GOOD(X(precbld)(boosted, p.a, NULL, NULL));
}

void prec_inverses_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "approximate inverses");
    ck_add_loop_tests(c, DISTRIBUTIONS, nothing_dropped);
    ck_add_loop_tests(c, 5, dropping, truncated_inverses);
    ck_add_loop_tests(c, 4, entries_of_a_row);
    ck_add_sampled_tests(c, 3 * EACH, hermitian_inverses);
    ck_add_loop_tests(c, 3, inverse_pivots);
}
