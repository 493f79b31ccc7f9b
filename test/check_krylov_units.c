/* check_krylov_units.c -- test: solves do not depend on the units of A and b. */
#include "check_krylov.h"
#include <stdbool.h>
#include <string.h>

static const char *const precs[] = { "none",
                                     "diag",
                                     "l1-jacobi",
                                     "chebyshev",
                                     "neumann",
                                     "bjac(ilu0)",
                                     "bjac(milu0)",
                                     "bjac(ilu(1))",
                                     "bjac(ilut, fill=3, drop=0.01)",
                                     "bjac(ic0)",
                                     "bjac(bilu0)",
                                     "bjac(bic0)",
                                     "bjac(ilu0, tiny=0.2)",
                                     "bjac(ilu0, sweeps=2)",
                                     "bjac(ilu0, factor_sweeps=2)",
                                     "ras(ilut, drop=0.01)",
                                     "as(ilu0, overlap=2)",
                                     "ash(ic0)",
                                     "ainv",
                                     "invk",
                                     "invt(drop=0.01)",
                                     "gs",
                                     "ssor(omega=1.5)",
                                     "amg(coarse=4)",
                                     "bjac(ilu0, precision=single)",
                                     "chebyshev(precision=single)" };
enum { PRECS = sizeof precs / sizeof *precs, UNITS = 4 };
static const char *const stops[] = { "relative", "backward", "reduction" };

static void solve(const struct problem *p, int number, struct psb_solve_result *res)
{
    const int m = number % PSB_NMETHODS, prec = number / PSB_NMETHODS;
    char text[200];
    snprintf(text, sizeof text, "%s, prec=%s, tol=%g, itmax=60, stop=%s", psb_method_name((enum psb_method)m),
             precs[prec], sizeof(R) == sizeof(float) ? 1e-5 : 1e-12, stops[number % 3]);
    GOOD(X(solve)(p->a, p->b, p->x, text, res));
}

/* The number of elements of x that are not those of y times factor[column], to the last bit. */
static int different(const struct problem *p, const struct problem *q, const T *factor)
{
    const T *x, *y;
    const int k = p->x->ncols;
    int n = 0;
    GOOD(X(host_read)(p->x, &x));
    GOOD(X(host_read)(q->x, &y));
    for (psb_ipk i = 0; i < psb_cd_local_rows(p->desc) * k; i++)
        n += x[i] != y[i] * factor[i % k];
    return n;
}

/* A times 2^a and the columns of b times powers of two: the same iterations and residuals, and the bits of x.
 * a is even, since the M^-1-norm of MINRES has the unit of a root of A. */
TEST(powers_of_two)
{
    const int number = _i, unit = (_i + _i / PSB_NMETHODS) % UNITS;
    if (number == PSB_RICHARDSON)
        return;
    const bool single = sizeof(R) == sizeof(float);
    if (single && strstr(precs[number / PSB_NMETHODS], "precision="))
        return;
    static const int of_double[UNITS] = { -300, -40, 40, 300 }, of_single[UNITS] = { -30, -10, 10, 30 };
    const int a = single ? of_single[unit] : of_double[unit];
    const int b[] = { single ? 60 : 600, single ? -60 : -600 };
    PROBLEM one = make_problem(PROBLEM_HPD, 8, 2, (enum distribution)(number % DISTRIBUTIONS), NULL, NULL);
    PROBLEM other = make_problem(PROBLEM_HPD, 8, 2, (enum distribution)(number % DISTRIBUTIONS), NULL, NULL);
    struct psb_solve_result res[2], want[2];
    const T units[] = { (T)ldexp(1, b[0]), (T)ldexp(1, b[1]) },
            of_x[] = { (T)ldexp(1, b[0] - a), (T)ldexp(1, b[1] - a) };
    GOOD(X(spscal)((T)ldexp(1, a), other.a));
    GOOD(X(gescal_cols)(units, other.b));
    solve(&one, number, want);
    solve(&other, number, res);
    for (int j = 0; j < 2; j++)
        collective_note(res[j].outcome == want[j].outcome && res[j].iterations == want[j].iterations &&
                            res[j].residual == want[j].residual && res[j].estimate == want[j].estimate,
                        __FILE__, __LINE__, "%s, %s, column %d: %s after %d, %g; want %s after %d, %g",
                        psb_method_name((enum psb_method)(number % PSB_NMETHODS)),
                        precs[number / PSB_NMETHODS], j, psb_outcome_name(res[j].outcome), res[j].iterations,
                        res[j].residual, psb_outcome_name(want[j].outcome), want[j].iterations,
                        want[j].residual);
    EXPECT(different(&other, &one, of_x) == 0);
}

/* Solve by method m with these further options. */
static struct psb_solve_result solve_by(const struct problem *p, int m, const char *options)
{
    struct psb_solve_result res;
    char text[100];
    snprintf(text, sizeof text, "%s, %s", psb_method_name((enum psb_method)m), options);
    GOOD(X(solve)(p->a, p->b, p->x, text, &res));
    return res;
}

static void note(int ok, int m, const struct psb_solve_result *res, int line)
{
    collective_note(ok, __FILE__, line, "%s: %s, %s", psb_method_name((enum psb_method)m),
                    psb_outcome_name(res->outcome), res->why);
}

static void solve_at_the_ends(const struct problem *p, int m, const char *options)
{
    const struct psb_solve_result res = solve_by(p, m, options);
    note(res.outcome == PSB_CONVERGED && res.residual <= 1e-4, m, &res, __LINE__);
}

/* Right-hand sides near the ends of the range are solved; matrices too, by a preconditioner that has their
 * unit. */
TEST(ends_of_the_range)
{
    static const double ends[][2] = {
        { 1e-22, 1e-160 }, { 1e22, 1e160 }, { 1e-35, 1e-300 }, { 1e36, 1e306 }
    };
    const int m = _i % PSB_NMETHODS;
    const R end = (R)ends[_i / PSB_NMETHODS][sizeof(R) == sizeof(double)];
    PROBLEM p = make_problem(PROBLEM_HPD, 6, 1, EVEN, NULL, NULL),
            q = make_problem(PROBLEM_HPD, 6, 1, EVEN, NULL, NULL);
    GOOD(X(gescal)(end, p.b));
    solve_at_the_ends(&p, m, "prec=diag, tol=1e-4");
    if (_i / PSB_NMETHODS < 2) {
        GOOD(X(spscal)(MAKE(end, 0), q.a));
        solve_at_the_ends(&q, m, _i % 2 ? "prec=diag, tol=1e-4" : "prec=bjac(ilu0), tol=1e-4");
    }
}

/* Where products of vectors leave the range because A is far from 1, that is the reason. */
TEST(reason_is_the_range)
{
    static const double ends[][2] = { { 1e-25, 1e-200 }, { 1e25, 1e200 } };
    const int m = _i % PSB_NMETHODS;
    PROBLEM p = make_problem(PROBLEM_HPD, 6, 1, EVEN, NULL, NULL);
    GOOD(X(spscal)((T)ends[_i / PSB_NMETHODS][sizeof(R) == sizeof(double)], p.a));
    const struct psb_solve_result res = solve_by(&p, m, "prec=none, tol=1e-4");
    note(res.outcome == PSB_CONVERGED || strstr(res.why, "out of the range") || m == PSB_RICHARDSON, m, &res,
         __LINE__);
}

/* A matrix of small numbers that is not positive definite: p.Ap is far inside the range. */
TEST(reason_is_the_matrix)
{
    const T d = sizeof(R) == sizeof(float) ? (T)1e-18 : (T)1e-150, a[] = { d, 0, 0, -3 * d }, b[] = { 1, 1 };
    static const enum psb_method by[] = { PSB_CG, PSB_CG_SINGLE, PSB_FCG };
    for (int i = 0; i < 3; i++) {
        PROBLEM p = dense_problem(2, a, b, EVEN);
        const struct psb_solve_result res = solve_by(&p, by[i], "prec=none");
        EXPECT(res.outcome == PSB_BREAKDOWN && strstr(res.why, "not positive definite"));
    }
}

/* x stays finite: a guess in the null space beside a tiny right-hand side, and a solution that overflows. */
TEST(solution_stays_finite)
{
    const bool single = sizeof(R) == sizeof(float);
    const T a[] = { 1, 0, 0, 0 }, b[] = { single ? (T)1e-25 : (T)1e-200, 0 };
    const T small[] = { single ? (T)1e-20 : (T)1e-140 }, large[] = { single ? (T)1e30 : (T)1e200 };
    PROBLEM p = dense_problem(2, a, b, EVEN), q = dense_problem(1, small, large, EVEN);
    p.want[0] = 0;
    p.want[1] = 1 / RE(b[0]);
    GOOD(X(scatter)(p.x, p.want, -1));
    struct psb_solve_result res = solve_by(&p, _i, "prec=none");
    EXPECT(isfinite(problem_error(&p)));
    res = solve_by(&q, _i, "prec=none");
    note(isfinite(problem_error(&q)) && (strstr(res.why, "out of the range") || _i == PSB_RICHARDSON), _i,
         &res, __LINE__);
}

/* 2 x = b: the norm of b is no element of a matrix. */
TEST(large_right_hand_side)
{
    const T a[] = { 2 }, b[] = { sizeof(R) == sizeof(float) ? (T)1e7 : (T)1e16 };
    PROBLEM p = dense_problem(1, a, b, EVEN);
    struct psb_solve_result res;
    p.want[0] = b[0] / 2;
    GOOD(X(solve)(p.a, p.b, p.x, "minres, prec=none", &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 1 && problem_error(&p) == 0);
}

void units_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "units");
    ck_add_sampled_tests(c, PSB_NMETHODS * PRECS, powers_of_two);
    ck_add_loop_tests(c, 4 * PSB_NMETHODS, ends_of_the_range);
    ck_add_loop_tests(c, 2 * PSB_NMETHODS, reason_is_the_range);
    ck_add_tests(c, reason_is_the_matrix);
    ck_add_loop_tests(c, PSB_NMETHODS, solution_stays_finite);
    ck_add_tests(c, large_right_hand_side);
}
