/* check_small_systems.c -- test: krylov methods on systems of a few rows with a known outcome:
 * breakdowns, singular matrices, one row. */
#include "check_krylov.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6 };

static double tolerance(void)
{
    return sizeof(R) == sizeof(float) ? 1e-5 : 1e-10;
}

static void solve(const struct problem *p, const char *method, const char *prec, struct psb_solve_result *res)
{
    char text[100];
    snprintf(text, sizeof text, "%s, prec=%s, tol=%g, itmax=100", method, prec, tolerance());
    GOOD(X(set_scal)(0, p->x));
    GOOD(X(solve)(p->a, p->b, p->x, text, res));
}

/* --- breakdowns ----------------------------------------------------------------------------------------- */

/* A real skew-symmetric matrix makes A r orthogonal to r. */
TEST(skew_symmetric)
{
    static const struct {
        const char *method, *why;
    } ends[] = {
        { "cg", "not positive definite" },
        { "bicg", "the shadow direction is orthogonal to A p" },
        { "cgs", "the shadow residual is orthogonal to A p" },
        { "bicgstab", "the shadow residual is orthogonal to A p" },
        { "bicgstabl", "the shadow residual is orthogonal to A p" },
        { "tfqmr", "the shadow residual is orthogonal to A p" },
    };
    const T a[] = { 0, 2, -2, 0 }, b[] = { 1, 3 };
    PROBLEM p = dense_problem(2, a, b, (enum distribution)_i);
    struct psb_solve_result res;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        solve(&p, ends[i].method, "none", &res);
        EXPECT(res.outcome == PSB_BREAKDOWN && strstr(res.why, ends[i].why));
        EXPECT(res.iterations == 0 && res.residual == 1 && problem_error(&p) == 0);
    }
    static const char *const solves[] = { "gmres", "idr" };
    for (int i = 0; i < 2; i++) {
        solve(&p, solves[i], "none", &res);
        EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 2);
    }
}

/* --- singular matrices ---------------------------------------------------------------------------------- */

/* A diagonal matrix with four eigenvalues, of which 0 is that of the last row; b = A (1, ..., 1), but `last`
 * in that row. */
static struct problem singular_problem(T last, enum distribution distribution)
{
    T a[ROWS * ROWS] = { 0 }, b[ROWS];
    for (int i = 0; i < ROWS - 1; i++)
        b[i] = a[i * ROWS + i] = (T)(1 + 0.25 * (i % 3));
    b[ROWS - 1] = last;
    return dense_problem(ROWS, a, b, distribution);
}

TEST(singular_consistent)
{
    const int m = _i % krylov_methods(), where = _i / krylov_methods();
    PROBLEM p = singular_problem(0, (enum distribution)where);
    struct psb_solve_result res;
    solve(&p, krylov_method(m), "none", &res);
    for (int i = 0; i < ROWS; i++)
        p.want[i] = i < ROWS - 1;
    EXPECT(res.outcome == PSB_CONVERGED && problem_error(&p) < 10 * tolerance());
}

/* No method claims success.  MINRES ends with the smallest residual. */
TEST(singular_inconsistent)
{
    const int m = _i % krylov_methods(), where = _i / krylov_methods();
    PROBLEM p = singular_problem(1, (enum distribution)where);
    struct psb_solve_result res;
    R norm_b;
    GOOD(X(genrm2)(p.b, &norm_b));
    solve(&p, krylov_method(m), "none", &res);
    EXPECT(res.outcome != PSB_CONVERGED && (res.why[0] || res.outcome == PSB_MAX_ITERATIONS));
    EXPECT(isfinite(problem_error(&p)) && res.residual <= 1);
    if (strcmp(krylov_method(m), "minres") == 0)
        EXPECT(res.outcome == PSB_BREAKDOWN && fabs(res.residual * (double)norm_b - 1) < tolerance());
}

/* --- one row -------------------------------------------------------------------------------------------- */

TEST(one_row)
{
    const T a[] = { 3 }, b[] = { MAKE(6, -1.5) };
    for (int m = 0; m < krylov_methods(); m++) {
        PROBLEM p = dense_problem(1, a, b, (enum distribution)_i);
        struct psb_solve_result res;
        p.want[0] = b[0] / 3;
        solve(&p, krylov_method(m), "diag", &res);
        EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 1 && problem_error(&p) < tolerance());
    }
}

/* --- relations between methods -------------------------------------------------------------------------- */

/* Pairs of methods with the same residuals in exact arithmetic. */
static const struct {
    const char *one, *other;
    enum problem_kind kind;
} same[] = {
    { "bicgstabl, restart=1", "bicgstab", PROBLEM_CONVECTION },
    { "bicg", "cg", PROBLEM_HPD },
    { "minres", "gmres, restart=64", PROBLEM_INDEFINITE },
};
enum { SAME = sizeof same / sizeof *same };

TEST(same_iterations)
{
    const int i = _i % SAME;
    PROBLEM p = make_problem(same[i].kind, 8, 1, (enum distribution)(_i / SAME), NULL, NULL);
    struct psb_solve_result one, other;
    solve(&p, same[i].one, "none", &one);
    solve(&p, same[i].other, "none", &other);
    EXPECT(one.outcome == PSB_CONVERGED && abs(one.iterations - other.iterations) <= 1);
}

/* A step along the residual makes no progress in a skew-symmetric system, yet is none of length 0. */
TEST(idr_skew_symmetric)
{
    T a[ROWS * ROWS] = { 0 }, b[ROWS];
    for (int i = 0; i < ROWS; i++)
        b[i] = (T)(i + 1);
    for (int i = 0; i < ROWS - 1; i++) {
        a[i * ROWS + i + 1] = (T)(i + 1);
        a[(i + 1) * ROWS + i] = (T)(-i - 1);
    }
    PROBLEM p = dense_problem(ROWS, a, b, (enum distribution)_i);
    struct psb_solve_result res;
    solve(&p, "idr, restart=1", "none", &res);
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations <= 10 * ROWS);
}

/* The shadow space does not depend on who owns which rows: the first iterations, before rounding errors grow,
 * are the same. */
TEST(idr_of_distributions)
{
    PROBLEM one = make_problem(PROBLEM_CONVECTION, 8, 1, EVEN, NULL, NULL);
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 8, 1, (enum distribution)_i, NULL, NULL);
    struct psb_solve_result want, res;
    GOOD(X(solve)(one.a, one.b, one.x, "idr, restart=3, prec=diag, itmax=8, tol=1e-30", &want));
    GOOD(X(solve)(p.a, p.b, p.x, "idr, restart=3, prec=diag, itmax=8, tol=1e-30", &res));
    EXPECT(res.iterations == 8 && fabs(res.estimate - want.estimate) <= 1e-2 * want.estimate);
}

void small_systems_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "small systems");
    ck_add_loop_tests(c, DISTRIBUTIONS, skew_symmetric, idr_skew_symmetric, idr_of_distributions);
    ck_add_loop_tests(c, krylov_methods() * DISTRIBUTIONS, singular_consistent, singular_inconsistent);
    ck_add_loop_tests(c, DISTRIBUTIONS, one_row);
    ck_add_loop_tests(c, SAME * DISTRIBUTIONS, same_iterations);
}
