/* check_block_cg.c -- test: block CG: several columns that share a space. */
#include "check_krylov.h"
#include <string.h>

enum { MOST_COLUMNS = 8 };

static double tolerance(void)
{
    return sizeof(R) == sizeof(float) ? 1e-5 : 1e-10;
}

/* b = numbers without a pattern, and x = 0. */
static void set_rough(struct problem *p)
{
    const int k = p->b->ncols;
    T *b;
    GOOD(X(host_update)(p->b, &b));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->desc); l++)
        for (int j = 0; j < k; j++) {
            const double i = (double)psb_loc_to_glob(p->desc, l) * PSB_MOST_BLOCK + j;
            b[l * k + j] = MAKE(sin(i * i), cos(2 * i * i));
        }
    GOOD(X(set_scal)(0, p->x));
}

/* Column j of b = factor[j] times column 0. */
static void set_multiples(struct problem *p, const double *factor)
{
    const int k = p->b->ncols;
    T *b;
    set_rough(p);
    GOOD(X(host_update)(p->b, &b));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->desc); l++)
        for (int j = k - 1; j >= 0; j--)
            b[l * k + j] = (R)factor[j] * b[l * k];
}

static void solve(const struct problem *p, const char *method, const char *prec, struct psb_solve_result *res)
{
    char text[100];
    snprintf(text, sizeof text, "%s, prec=%s, tol=%g", method, prec, tolerance());
    GOOD(X(set_scal)(0, p->x));
    GOOD(X(solve)(p->a, p->b, p->x, text, res));
}

static void expect_solution(const struct problem *p, const struct psb_solve_result *res)
{
    for (int j = 0; j < p->b->ncols; j++)
        EXPECT_SAYING(res[j].outcome == PSB_CONVERGED && residual_of(p, j) <= tolerance(),
                      "column %d: %s %s after %d, residual %g", j, psb_outcome_name(res[j].outcome),
                      res[j].why, res[j].iterations, res[j].residual);
}

/* Columns without a relation to each other need fewer iterations together, unless there are few: the more,
 * the fewer. */
TEST(fewer_iterations)
{
    static const char *const precs[] = { "none", "diag", "bjac(ic0)" };
    const char *prec = precs[_i % 3];
    int fewest = 1000;
    for (int k = 4; k <= MOST_COLUMNS; k *= 2) {
        PROBLEM p = make_problem(PROBLEM_HPD, 8, k, (enum distribution)(_i / 3), NULL, NULL);
        struct psb_solve_result res[MOST_COLUMNS], by_cg[MOST_COLUMNS];
        int most = 0;
        set_rough(&p);
        solve(&p, "block-cg", prec, res);
        expect_solution(&p, res);
        solve(&p, "cg", prec, by_cg);
        for (int j = 0; j < k; j++) {
            EXPECT_SAYING(res[j].iterations < by_cg[j].iterations + (by_cg[j].iterations < 8),
                          "%d columns: %d iterations, %d by cg", k, res[j].iterations, by_cg[j].iterations);
            most = res[j].iterations > most ? res[j].iterations : most;
        }
        EXPECT(most < fewest);
        fewest = most;
    }
}

/* Multiples of one column, of any size, need the iterations of that one; a column of zeros needs none. */
TEST(dependent_columns)
{
    static const double factors[][4] = { { 1, 1, 1, 1 }, { 1, -3, 0, 1e-3 }, { 1, 1e8, 1e-8, 0 } };
    const double *factor = factors[_i % 3];
    PROBLEM p = make_problem(PROBLEM_HPD, 8, 4, (enum distribution)(_i / 3), NULL, NULL);
    struct psb_solve_result res[4], by_cg[4];
    set_multiples(&p, factor);
    solve(&p, "cg", "diag", by_cg);
    solve(&p, "block-cg", "diag", res);
    expect_solution(&p, res);
    for (int j = 0; j < 4; j++)
        EXPECT(res[j].iterations <= (factor[j] == 0 ? 0 : by_cg[j].iterations + 1));
}

/* Columns that differ by little from multiples of one converge as well. */
TEST(nearly_dependent_columns)
{
    static const double factor[] = { 1, 2, 1, -1 };
    const R small = (R)pow(10, -2 * (_i + 1));
    PROBLEM p = make_problem(PROBLEM_HPD, 8, 4, EVEN, NULL, NULL);
    struct psb_solve_result res[4], by_cg[4];
    T *b;
    set_multiples(&p, factor);
    GOOD(X(host_update)(p.b, &b));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p.desc); l++)
        for (int j = 1; j < 4; j++)
            b[l * 4 + j] += small * (R)cos(j * (double)psb_loc_to_glob(p.desc, l));
    solve(&p, "cg", "none", by_cg);
    solve(&p, "block-cg", "none", res);
    expect_solution(&p, res);
    for (int j = 0; j < 4; j++)
        EXPECT(res[j].iterations <= 2 * by_cg[j].iterations);
}

/* A column that is not finite ends, and the others converge. */
TEST(column_of_nan)
{
    PROBLEM p = make_problem(PROBLEM_HPD, 8, 3, EVEN, NULL, NULL);
    struct psb_solve_result res[3];
    T *b;
    GOOD(X(host_update)(p.b, &b));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p.desc); l++)
        b[l * 3 + 1] = (T)NAN;
    solve(&p, "block-cg", "diag", res);
    for (int j = 0; j < 3; j++)
        EXPECT(res[j].outcome == (j == 1 ? PSB_DIVERGED : PSB_CONVERGED));
    EXPECT(residual_of(&p, 0) <= tolerance() && residual_of(&p, 2) <= tolerance());
}

/* The diagonal of an indefinite matrix is no preconditioner; more columns than a block may have. */
TEST(unfit_for_block_cg)
{
    PROBLEM p = make_problem(PROBLEM_INDEFINITE, 6, 2, EVEN, NULL, NULL);
    PROBLEM wide = make_problem(PROBLEM_HPD, 3, PSB_MOST_BLOCK + 1, EVEN, NULL, NULL);
    struct psb_solve_result res[PSB_MOST_BLOCK + 1];
    solve(&p, "block-cg", "diag", res);
    for (int j = 0; j < 2; j++)
        EXPECT(res[j].outcome == PSB_BREAKDOWN && res[j].iterations == 0 &&
               strstr(res[j].why, "preconditioner is not positive definite"));
    BAD(X(solve)(wide.a, wide.b, wide.x, "block-cg", res), PSB_EARG, "65 columns; expected at most 64");
}

/* More columns than rows; as many, in the widest block: the first step leaves rounding errors. */
TEST(wide_blocks)
{
    PROBLEM p = make_problem(PROBLEM_HPD, 3 + 5 * _i, PSB_MOST_BLOCK, EVEN, NULL, NULL);
    struct psb_solve_result res[PSB_MOST_BLOCK];
    set_rough(&p);
    solve(&p, "block-cg", "none", res);
    for (int j = 0; j < PSB_MOST_BLOCK; j++)
        EXPECT_SAYING(res[j].outcome == PSB_CONVERGED && res[j].iterations <= 2,
                      "column %d: %s %s after %d, %g", j, psb_outcome_name(res[j].outcome), res[j].why,
                      res[j].iterations, res[j].residual);
}

void block_cg_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "block cg");
    ck_add_loop_tests(c, 3 * DISTRIBUTIONS, fewer_iterations, dependent_columns);
    ck_add_loop_tests(c, 5, nearly_dependent_columns);
    ck_add_loop_tests(c, 2, wide_blocks);
    ck_add_tests(c, column_of_nan, unfit_for_block_cg);
}
