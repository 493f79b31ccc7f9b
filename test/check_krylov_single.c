/* check_krylov_single.c -- test: solves in double precision with preconditioners in single precision. */
#include "check_krylov.h"
#include <stdbool.h>
#include <string.h>
#include "psb_cuda.h"

static const char *const methods[] = { "cg", "bicgstab", "fgmres", "rgmres" };
static const char *const precs[] = { "diag(%s)", "bjac(ilu0, %s)", "chebyshev(%s)", "as(ilu0, %s)" };
enum { METHODS = 4, RGMRES = 3, PRECS = 4 };

static void solve_in(const struct problem *p, int i, const char *precision, struct psb_solve_result *res)
{
    char text[200], prec[100];
    snprintf(prec, sizeof prec, precs[i % PRECS], precision);
    snprintf(text, sizeof text, "%s, prec=%s, tol=1e-12, itmax=200", methods[i / PRECS], prec);
    GOOD(X(vect_zero)(p->x));
    GOOD(X(solve)(p->a, p->b, p->x, text, res));
}

/* Double precision is reached, in a tenth more iterations at most. Of
 * RGMRES the sum of a cycle has the rounding errors of single precision, and it starts again. */
TEST(iterations)
{
    const int i = _i / 2 % (METHODS * PRECS);
    const bool on_device = _i % 2;
    PROBLEM p = make_problem(PROBLEM_HPD, 8, 2, (enum distribution)(_i % DISTRIBUTIONS),
                             on_device ? &X(csrg_mold).mat : NULL, on_device ? &psb_vect_cuda : NULL);
    struct psb_solve_result res[2], want[2];
    solve_in(&p, i, "precision=double", want);
    solve_in(&p, i, "precision=single", res);
    for (int j = 0; j < 2; j++)
        collective_note(res[j].outcome == PSB_CONVERGED && residual_of(&p, j) <= 1e-12 &&
                            res[j].iterations <= (i / PRECS == RGMRES ? 2 * want[j].iterations
                                                                      : want[j].iterations * 11 / 10 + 2),
                        __FILE__, __LINE__, "%s, %s, column %d: %s after %d, %g; with double after %d",
                        methods[i / PRECS], precs[i % PRECS], j, psb_outcome_name(res[j].outcome),
                        res[j].iterations, res[j].residual, want[j].iterations);
}

/* The values have half the bytes, indices as many as before. */
TEST(bytes)
{
    static const char *const kinds[] = { "bjac(ilut, fill=60, drop=0, precision=%s)",
                                         "ainv(inv_drop=0, inv_fill=60, precision=%s)" };
    PROBLEM p = make_problem(PROBLEM_HPD, 8, 1, ONE_HAS_ALL, NULL, NULL);
    size_t bytes[2];
    for (int i = 0; i < 2; i++) {
        PREC *m = NULL;
        char text[100];
        snprintf(text, sizeof text, kinds[_i], i ? "single" : "double");
        GOOD(X(precinit)(&m, text));
        GOOD(X(precbld)(m, p.a, NULL, NULL));
        bytes[i] = X(prec_bytes)(m);
    }
    EXPECT(psb_cd_local_rows(p.desc) == 0 || (double)bytes[1] < (CPLX ? 0.7 : 0.78) * (double)bytes[0]);
}

/* Elements of the diagonal that are too small beside others, and infinite ones, are errors on all processes.
 */
TEST(out_of_the_range)
{
    T a[16] = { 0 }, b[4] = { 1, 1, 1, 1 };
    for (int i = 0; i < 4; i++)
        a[5 * i] = i == 3 ? (_i ? (R)INFINITY : (R)1e-200) : (R)1e-100;
    a[1] = (R)1e-190; /* which vanishes */
    PROBLEM p = dense_problem(4, a, b, EVEN);
    PREC *m = NULL;
    GOOD(X(precinit)(&m, "bjac(ilu0, precision=single)"));
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_EPIVOT,
        _i ? "largest modulus of an element of the matrix is inf" : "leaves the range of single precision");
}

/* All is far outside of the range of single precision, but near to each other. */
TEST(far_from_one)
{
    static const double ends[][2] = {
        { 1e200, 1e100 }, { 1e-200, 1e-100 }, { 1e300, 1e300 }, { 1e-290, 1e-300 }
    };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, 1, EVEN, NULL, NULL);
    struct psb_solve_result res;
    GOOD(X(spscal)((T)ends[_i][0], p.a));
    GOOD(X(gescal)((T)ends[_i][1], p.b));
    GOOD(X(solve)(p.a, p.b, p.x, "bicgstab, tol=1e-12, prec=bjac(ilu0, precision=single)", &res));
    collective_note(res.outcome == PSB_CONVERGED && res.iterations < 40, __FILE__, __LINE__,
                    "%s after %d: %s", psb_outcome_name(res.outcome), res.iterations, res.why);
}

TEST(only_in_double)
{
    PROBLEM p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    PREC *m = NULL;
    struct psb_solve_result res;
    if (sizeof(R) == sizeof(float)) {
        BAD(X(precinit)(&m, "diag(precision=single)"), PSB_EARG, "option precision is single");
        BAD(X(solve)(p.a, p.b, p.x, "cg, prec=diag(precision=single)", &res), PSB_EARG,
            "expected a matrix of double precision");
        return;
    }
    GOOD(X(precinit)(&m, "chebyshev(precision=single)"));
    BAD(X(prec_set_inner)(m, NULL), PSB_ENOTIMPL, "argument p has precision=single");
}

void single_precision_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "single precision");
    ck_add_tests(c, only_in_double);
    if (sizeof(R) == sizeof(float))
        return;
    ck_add_loop_tests(c, 2 * METHODS * PRECS, iterations);
    ck_add_loop_tests(c, 2, bytes, out_of_the_range);
    ck_add_loop_tests(c, 4, far_from_one);
}
