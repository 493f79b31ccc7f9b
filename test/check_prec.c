/* check_prec.c -- test: options of solvers, and preconditioners. */
#include "suites.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_prec.h"
#include "worst.h"

/* --- options -------------------------------------------------------------------------------------------- */

TEST(preconditioners_from_text)
{
    struct psb_prec_options o;
    GOOD(psb_prec_parse(" BJac( ILUT , fill=7,drop=1e-4 )", &o));
    EXPECT(o.type == PSB_PREC_BJAC && o.factor.kind == PSB_ILUT && o.factor.fill == 7 &&
           o.factor.drop == 1e-4);
    EXPECT(o.overlap == 1 && o.sweeps == 0);
    GOOD(psb_prec_parse("ras(ilu( 2 ), overlap=\t3, sweeps=4)", &o));
    EXPECT(o.type == PSB_PREC_RAS && o.factor.kind == PSB_ILUK && o.factor.fill == 2);
    EXPECT(o.overlap == 3 && o.sweeps == 4);
    GOOD(psb_prec_parse("chebyshev(degree=3,eig_ratio=10)", &o));
    EXPECT(o.type == PSB_PREC_CHEBYSHEV && o.degree == 3 && o.eig_ratio == 10);
    GOOD(psb_prec_parse("diag(Precision = Single)", &o));
    EXPECT(o.single);
    GOOD(psb_prec_parse("bjac(precision=single, precision=double)", &o));
    EXPECT(!o.single);
    GOOD(psb_prec_parse("bjac(order=rows)", &o));
    BAD(psb_prec_check(&o), PSB_EARG, "order is rows for bjac; expected gs or ssor");
    GOOD(psb_prec_parse("gs(omega=1.5, Direction = backward, halo=once, sweeps=2)", &o));
    EXPECT(o.type == PSB_PREC_GS && o.omega == 1.5 && o.direction == PSB_SWEEP_BACKWARD && o.halo_once &&
           o.sweeps == 2);
    GOOD(psb_prec_parse("none", &o));
    EXPECT(o.type == PSB_PREC_NONE);
    GOOD(psb_prec_parse("l1-jacobi()", &o));
    EXPECT(o.type == PSB_PREC_L1);
}

TEST(every_type_from_its_text)
{
    struct psb_prec_options o = psb_prec_defaults, again;
    char text[600];
    o.type = (enum psb_prec_type)_i;
    o.factor.kind = PSB_ILUT;
    o.factor.drop = 0.1 / 3 * 1e-100;
    o.factor.tiny = 0.2 / 3 * 1e-100;
    o.factor.fill = o.sweeps = o.overlap = o.inv_fill = 1234567;
    o.inv_drop = 0.1 / 7 * 1e-100;
    o.eig_ratio = 1e10 / 3;
    o.degree = 9;
    o.omega = 0.1 / 3;
    o.direction = PSB_SWEEP_SYMMETRIC;
    o.halo_once = true;
    o.coloured = o.type == PSB_PREC_BJAC;
    o.by_rows = o.type == PSB_PREC_GS;
    o.single = o.type != PSB_PREC_NONE && o.type != PSB_PREC_USER;
    GOOD(psb_prec_text(&o, text, sizeof text));
    GOOD(psb_prec_parse(text, &again));
    EXPECT(again.type == o.type && again.factor.drop == o.factor.drop && again.degree == 9 &&
           again.single == o.single && again.omega == o.omega && again.direction == o.direction &&
           again.halo_once && again.coloured == o.coloured && again.by_rows == o.by_rows);
    BAD(psb_prec_text(&o, text, 5), PSB_EARG, "size is 5");
}

TEST(decimal_comma)
{
    struct psb_solve_options o;
    char text[200];
    if (!ck_decimal_comma())
        return;
    GOOD(psb_solve_parse("cg, tol=1.5e-9, prec=bjac(ilut, drop=.25, tiny=1e-8, inv_drop=0.75)", &o));
    EXPECT(o.tol == 1.5e-9 && o.prec.factor.drop == .25 && o.prec.inv_drop == .75);
    GOOD(psb_prec_text(&o.prec, text, sizeof text));
    setlocale(LC_NUMERIC, "C");
    collective_note(strcmp(text, "bjac(ilut, drop=0.25, tiny=1e-08, inv_drop=0.75)") == 0, __FILE__, __LINE__,
                    "%s", text);
}

TEST(solvers_from_text)
{
    struct psb_solve_options o;
    GOOD(psb_solve_parse("cg, tol=1e-9, prec=bjac(ilu0, tiny=1e-8), itmax=7, stop=absolute, trace=2", &o));
    EXPECT(o.method == PSB_CG && o.tol == 1e-9 && o.itmax == 7 && o.stop == PSB_STOP_ABSOLUTE &&
           o.itrace == 2);
    EXPECT(o.prec.type == PSB_PREC_BJAC && o.prec.factor.kind == PSB_ILU0 && o.prec.factor.tiny == 1e-8);
    GOOD(psb_solve_parse("prec = none ,GMRES, restart = 50", &o));
    EXPECT(o.method == PSB_RGMRES && o.restart == 50 && o.prec.type == PSB_PREC_NONE && o.tol == 1e-6);
    for (int m = 0; m < PSB_NMETHODS; m++) {
        GOOD(psb_solve_parse(psb_method_name((enum psb_method)m), &o));
        EXPECT(o.method == (enum psb_method)m);
    }
    for (int stop = PSB_STOP_BACKWARD; stop <= PSB_STOP_ABSOLUTE; stop++) {
        char text[40];
        snprintf(text, sizeof text, "stop=%s", psb_stop_name((enum psb_stop)stop));
        GOOD(psb_solve_parse(text, &o));
        EXPECT(o.stop == (enum psb_stop)stop);
    }
    EXPECT(strcmp(psb_stop_name((enum psb_stop)0), "") == 0);
}

TEST(wrong_text)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        { "ccg", "method \"ccg\" is not known; expected one of cg" },
        { "", "method \"\" is not known" },
        { "cg,", "method \"\" is not known" },
        { "cg, tol=0", "option tol is 0; expected a number > 0" },
        { "cg, tol=nan", "option tol is nan" },
        { "cg, tol=small", "option tol is \"small\"; expected a number" },
        { "cg, itmax=1.5", "option itmax is 1.5; expected a whole number" },
        { "cg, itmax=-1", "option itmax is -1; expected a number >= 0 and <= 2147483647" },
        { "cg, itmax=3e9", "option itmax is 3e+09; expected a number >= 0 and <= 2147483647" },
        { "cg, prec=diag(ilu0)", "options of diag have the word \"ilu0\"; expected OPTION=NUMBER" },
        { "cg, tolerance=1", "option \"tolerance=1\" is not known; expected one of tol=" },
        { "cg, stop=never", "criterion stop \"never\" is not known; expected one of backward" },
        { "cg, prec=ilu0", "preconditioner \"ilu0\" is not known; expected one of none diag" },
        { "cg, prec=bjac(ilu1)", "kind of factors \"ilu1\" is not known; expected one of ilu0" },
        { "cg, prec=bjac(ilu0", "'(' without ')'" },
        { "cg, prec=bjac)ilu0(", "')' without '('" },
        { "cg, prec=bjac(ilu0)x", "do not end with ')'" },
        { "cg, prec=bjac(block=33)", "option block is 33; expected a number >= 1 and <= 32" },
        { "cg, prec=bjac(drop=-1)", "option drop is -1; expected a number >= 0" },
        { "cg, prec=bjac(ilu(-1))", "\"ilu(-1)\"; expected ilu(K) with 0 <= K" },
        { "cg, prec=bjac(ilu(99999999999))", "\"ilu(99999999999)\"; expected ilu(K) with 0 <= K" },
        { "cg, prec=bjac(ilu(2)3)", "\"ilu(2)3\"; expected ilu(K) with 0 <= K" },
        { "cg, prec=diag(precision=half)", "precision \"half\" is not known; expected one of double single" },
        { "cg, prec=gs(omega=2.5)", "option omega is 2.5; expected a number > 0 and <= 2" },
        { "cg, prec=gs(direction=up)", "direction \"up\" is not known; expected one of forward backward" },
        { "cg, prec=ras(order=colour)", "option order is colour for ras; expected natural, or bjac" },
        { "cg, prec=gs(halo=twice)", "halo \"twice\" is not known; expected one of colour once" },
        { "cg, prec=none(precision=single)", "option precision is single for none; expected double" },
        { "bicgstabl, restart=17", "option restart is 17; expected at most 16 for bicgstabl" },
        { "idr, restart=65", "option restart is 65; expected at most 64 for idr" },
    };
    struct psb_solve_options o = psb_solve_defaults;
    o.itmax = 12345;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        BAD(psb_solve_parse(wrong[i].text, &o), PSB_EARG, wrong[i].message);
    BAD(psb_solve_parse(NULL, &o), PSB_EARG, "argument text is NULL");
    EXPECT(o.itmax == 12345);
}

TEST(wrong_options)
{
    struct psb_solve_options o = psb_solve_defaults;
    GOOD(psb_solve_check(&o));
    o.method = PSB_NMETHODS;
    BAD(psb_solve_check(&o), PSB_EARG, "expected a method");
    o = psb_solve_defaults;
    o.stop = (enum psb_stop)0;
    BAD(psb_solve_check(&o), PSB_EARG, "option stop is 0");
    o = psb_solve_defaults;
    o.prec.type = PSB_NPRECS;
    BAD(psb_solve_check(&o), PSB_EARG, "option type is 16");
    o = psb_solve_defaults;
    o.prec.direction = (enum psb_sweep_direction)3;
    BAD(psb_prec_check(&o.prec), PSB_EARG, "option direction is 3");
    o = psb_solve_defaults;
    o.prec.factor.kind = PSB_NFACTORS;
    BAD(psb_solve_check(&o), PSB_EARG, "option kind is 7");
    BAD(psb_prec_check(NULL), PSB_EARG, "argument o is NULL");
}

/* --- point preconditioners ------------------------------------------------------------------------------ */

/* The largest difference, over all processes and columns, of y and op(1 / d) x, where d is the diagonal that
 * PROBLEM_CONVECTION has, and `more` the moduli added to it in row l. */
static double point_error(const struct problem *p, const struct X(vect) *y, char trans, const double *more)
{
    double worst = 0;
    const T *b, *v;
    const int k = y->ncols;
    const T d0 = MAKE(4.2, 0.3);
    GOOD(X(host_read)(p->b, &b));
    GOOD(X(host_read)(y, &v));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->desc); l++)
        for (int j = 0; j < k; j++) {
            T d = d0 + (R)more[l] * (d0 / ABS(d0)), want = b[l * k + j] / (trans == 'C' ? CONJ(d) : d);
            worst = worse(worst, (double)(ABS(v[l * k + j] - want) / (ABS(want) + 1)));
        }
    GOOD(psb_max(ctxt, 1, &worst, -1));
    return worst;
}

/* more[l] = the sum of moduli of row l in halo columns. */
static void halo_moduli(const struct problem *p, double *more)
{
    psb_lpk ia[5], ja[5];
    T val[5];
    psb_epk nz = 0;
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->desc); l++) {
        GOOD(X(sp_csget)(p->a, l, 5, ia, ja, val, &nz));
        more[l] = 0;
        for (psb_epk e = 0; e < nz; e++)
            if (!psb_is_owned(p->desc, ja[e]))
                more[l] += (double)ABS(val[e]);
    }
}

TEST(diagonals)
{
    static const char *const text[] = { "diag", "l1-jacobi" };
    const int l1 = _i % 2, k = _i / 2 % 2 ? 3 : 1;
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 6, k, (enum distribution)(_i / 4), NULL, &psb_vect_host);
    PREC *m = NULL;
    double more[36] = { 0 };
    if (l1)
        halo_moduli(&p, more);
    GOOD(X(precinit)(&m, text[l1]));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    for (const char *t = "NTC"; *t; t++) {
        GOOD(X(precapply)(m, p.b, p.x, *t));
        EXPECT(point_error(&p, p.x, *t, more) < 100 * (double)EPS);
    }
    EXPECT(X(prec_bytes)(m) >= (size_t)psb_cd_local_rows(p.desc) * sizeof(T));
}

TEST(new_values)
{
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, EVEN, NULL, NULL);
    PREC *m = NULL;
    const double more[25] = { 0 };
    GOOD(X(precinit)(&m, "diag"));
    BAD(X(precupd)(m, p.a), PSB_ESTATE, "not built");
    GOOD(X(spscal)(2, p.a));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    GOOD(X(spscal)((T)0.5, p.a));
    GOOD(X(precupd)(m, p.a));
    GOOD(X(precapply)(m, p.b, p.x, 'N'));
    EXPECT(point_error(&p, p.x, 'N', more) < 100 * (double)EPS);
}

TEST(wrong_arguments)
{
    PROBLEM p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    PREC *m = NULL;
    BAD(X(precinit)(&m, "jacobi"), PSB_EARG, "preconditioner \"jacobi\" is not known");
    BAD(X(precinit)(NULL, "diag"), PSB_EARG, "argument p is NULL");
    GOOD(X(precinit)(&m, "diag"));
    BAD(X(precapply)(m, p.b, p.x, 'N'), PSB_ESTATE, "not built");
    BAD(X(precbld)(NULL, p.a, NULL, NULL), PSB_EARG, "argument p is NULL");
    BAD(X(precbld)(m, NULL, NULL, NULL), PSB_EARG, "argument a is NULL");
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    BAD(X(precapply)(m, p.b, p.b, 'N'), PSB_EARG, "the same vector");
    BAD(X(precapply)(m, p.b, p.x, 'X'), PSB_EARG, "trans is 'X'");
    BAD(X(precapply)(m, NULL, p.x, 'N'), PSB_EARG, "argument x is NULL");
}

/* A zero diagonal is an error on every process; the preconditioner is as it was. */
TEST(zero_on_the_diagonal)
{
    static const char *const types[] = { "diag", "l1-jacobi", "gs", "ssor" };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 4, 1, EVEN, NULL, NULL);
    PREC *m = NULL;
    const double more[16] = { 0 };
    GOOD(X(precinit)(&m, types[_i]));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    GOOD(X(spscal)(0, p.a));
    BAD(X(precupd)(m, p.a), PSB_EPIVOT, "has a diagonal of modulus 0");
    GOOD(X(precapply)(m, p.b, p.x, 'N'));
    EXPECT(_i || point_error(&p, p.x, 'N', more) < 100 * (double)EPS);
}

/* The smallest numbers have no finite inverse. */
TEST(tiny_on_the_diagonal)
{
    static const char *const precs[] = { "diag",      "l1-jacobi", "bjac(ic0)", "bjac(ilu0)",
                                         "chebyshev", "neumann",   "ssor" };
    const R tiny = sizeof(R) == 4 ? (R)1e-42 : (R)1e-310;
    T a[36] = { 0 }, b[6] = { 0 };
    for (int i = 0; i < 6; i++)
        a[7 * i] = tiny;
    PROBLEM p = dense_problem(6, a, b, EVEN);
    PREC *m = NULL;
    GOOD(X(precinit)(&m, precs[_i]));
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_EPIVOT, "overflows");
}

static Suite *prec(void)
{
    Suite *s = suite_create("preconditioners");
    TCase *c = collective_tcase(s, "options");
    ck_add_tests(c, preconditioners_from_text);
    ck_add_loop_tests(c, PSB_NPRECS, every_type_from_its_text);
    ck_add_tests(c, decimal_comma, solvers_from_text, wrong_text, wrong_options);
    c = collective_tcase(s, "points");
    ck_add_sampled_tests(c, 4 * DISTRIBUTIONS, diagonals);
    ck_add_tests(c, new_values, wrong_arguments);
    ck_add_loop_tests(c, 7, tiny_on_the_diagonal);
    ck_add_loop_tests(c, 4, zero_on_the_diagonal);
    prec_apply_tests(s);
    return s;
}

int check_prec(void)
{
    return run_suite(0, prec);
}
