/* check_prec_schwarz.c -- test: block Jacobi and Schwarz methods, compared with dense matrices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_prec.h"

/* The product of these factors; elsewhere the identity. */
static T *ilu0_image(psb_ipk n, const T *a, psb_ipk m, const psb_ipk *ord)
{
    HEAP T *f = image_factors(n, a, m, ord, 0);
    T *lu = image_identity(n);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < m; j++) {
            T sum = 0;
            for (psb_ipk k = 0; k <= i && k <= j; k++)
                sum += (k < i ? f[ord[i] * n + ord[k]] : 1) * f[ord[k] * n + ord[j]];
            lu[ord[i] * n + ord[j]] = sum;
        }
    return lu;
}

/* ord = the rows owned here, then those within `levels` steps, in the order of psb_cdbldext; returns their
 * number.  levels < 0: the red points of a grid of -levels columns before the black ones. */
static psb_ipk block_rows(const struct problem *p, int levels, psb_ipk *ord)
{
    DESC *ext = NULL;
    psb_ipk m = psb_cd_local_rows(p->desc);
    if (levels > 0) {
        GOOD(X(cdbldext)(p->a, levels - 1, PSB_EXT_HALO, &ext));
        m = psb_cd_local_cols(ext);
    }
    for (psb_ipk l = 0; l < m; l++)
        ord[l] = (psb_ipk)psb_loc_to_glob(ext ? ext : p->desc, l);
    for (psb_ipk colour = 1, k = 0; levels < 0 && colour >= 0; colour--)
        for (psb_ipk l = 0; l < m; l++) {
            const psb_ipk i = (psb_ipk)psb_loc_to_glob(p->desc, l);
            if ((i / -levels + i % -levels) % 2 == colour)
                ord[k++] = i;
        }
    return m;
}

/* The sum over the processes of R^T F^-1 R, where R has the rows of the extended block and F are its factors;
 * rows of the overlap are left out of R^T, columns of it of R, as the type says. */
static T *schwarz_image(const struct problem *p, int levels, int reads, int adds)
{
    const psb_ipk n = p->n;
    psb_ipk ord[MOST] = { 0 }, m = block_rows(p, levels, ord);
    char in[MOST] = { 0 };
    for (psb_ipk l = 0; l < m; l++)
        in[ord[l]] = l < psb_cd_local_rows(p->desc) ? 1 : 2;
    HEAP T *a = matrix_image(p), *lu = ilu0_image(n, a, m, ord);
    T *sum = image_inverse(n, lu);
    for (psb_ipk e = 0; e < n * n; e++)
        if (!in[e / n] || !in[e % n] || (in[e / n] > 1 && !adds) || (in[e % n] > 1 && !reads))
            sum[e] = 0;
    GOOD(psb_sum(ctxt, (int)(n * n), sum, -1));
    return sum;
}

TEST(schwarz_methods)
{
    static const struct {
        const char *name;
        int reads, adds;
    } kinds[] = { { "bjac", 0, 0 }, { "ras", 1, 0 }, { "as", 1, 1 }, { "ash", 0, 1 } };
    const int kind = _i % 4, levels = kind ? _i / 4 % 4 : 0;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, 1, distribution_of_turn(_i, 16), NULL, NULL);
    char text[40];
    snprintf(text, sizeof text, "%s(ilu0, overlap=%d)", kinds[kind].name, levels);
    PREC *m = built(&p, text, NULL, NULL);
    HEAP T *got = prec_image(&p, m, 'N', NULL),
           *want = schwarz_image(&p, levels, kinds[kind].reads, kinds[kind].adds);
    EXPECT(image_distance(p.n, got, want) < SMALL);
}

/* Factors in the order of colours. */
TEST(coloured_blocks)
{
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, 1, (enum distribution)_i, NULL, NULL);
    HEAP T *want = schwarz_image(&p, -6, 0, 0);
    EXPECT(prec_distance(&p, "bjac(ilu0, order=colour)", want) < SMALL);
}

/* Without overlap the bits of all four are those of block Jacobi. */
TEST(no_overlap)
{
    static const char *const kinds[] = { "ras(overlap=0)", "as(overlap=0)", "ash(overlap=0)" };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, distribution_of_turn(_i, 3), NULL, NULL);
    PREC *m = built(&p, kinds[_i % 3], NULL, NULL), *block = built(&p, "bjac", NULL, NULL);
    HEAP T *got = prec_image(&p, m, 'N', NULL), *want = prec_image(&p, block, 'N', NULL);
    EXPECT(memcmp(got, want, (size_t)(p.n * p.n) * sizeof *got) == 0);
}

/* A value that is not finite on one process is an error on all, which names the row; so is another pattern,
 * and a missing pivot; the preconditioner stays as it was. */
TEST(schwarz_errors)
{
    static const char *const kinds[] = { "bjac", "ras(ilu0)", "as(ilut)", "bjac(bilu0)",
                                         "bjac(order=colour)" };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
    PREC *m = built(&p, kinds[_i], NULL, NULL), *fresh = NULL;
    HEAP T *before = prec_image(&p, m, 'N', NULL);
    const psb_lpk i = 15;
    const T one = 1, nan = (T)NAN;
    SPMAT *other = NULL;
    GOOD(X(precinit)(&fresh, "bjac"));
    GOOD(X(spall)(&other, p.desc, 1));
    if (psb_is_owned(p.desc, i))
        GOOD(X(spins)(1, &i, &i, &one, other));
    GOOD(X(spasb)(other, &X(csr_mold).mat, PSB_DUPL_ADD));
    BAD(X(precbld)(fresh, other, NULL, NULL), PSB_EPIVOT, "has no entry on the diagonal");
    if (_i != 2)
        BAD(X(precupd)(m, other), PSB_EARG, "another pattern");
    GOOD(X(sprn)(p.a, 0));
    if (psb_is_owned(p.desc, i))
        GOOD(X(spins)(1, &i, &i, &nan, p.a));
    GOOD(X(spasb)(p.a, NULL, PSB_DUPL_ADD));
    BAD(X(precupd)(m, p.a), PSB_EPIVOT, "row 1");
    HEAP T *after = prec_image(&p, m, 'N', NULL);
    EXPECT(memcmp(before, after, (size_t)(p.n * p.n) * sizeof *after) == 0);
}

void prec_schwarz_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "schwarz");
    ck_add_sampled_tests(c, 16 * EACH, schwarz_methods);
    ck_add_sampled_tests(c, 3 * EACH, no_overlap);
    ck_add_loop_tests(c, DISTRIBUTIONS, coloured_blocks);
    ck_add_loop_tests(c, 5, schwarz_errors);
}
