/* check_krylov.c -- test: krylov methods: convergence, outcomes, several columns, errors. */
#include "suites.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_krylov.h"

/* The methods, with the kinds of problems that suit them. */
static const struct {
    const char *text;
    enum problem_kind kind[3];
    int kinds;
} methods[] = {
    { "cg", { PROBLEM_HPD }, 1 },
    { "cgs", { PROBLEM_HPD, PROBLEM_CONVECTION }, 2 },
    { "bicg", { PROBLEM_HPD, PROBLEM_CONVECTION, PROBLEM_INDEFINITE }, 3 },
    { "minres", { PROBLEM_HPD }, 1 },
    { "richardson", { PROBLEM_HPD }, 1 },
    { "cg-single", { PROBLEM_HPD }, 1 },
    { "cg-pipelined", { PROBLEM_HPD }, 1 },
    { "fcg", { PROBLEM_HPD }, 1 },
    { "fcg, restart=4", { PROBLEM_HPD }, 1 },
    { "block-cg", { PROBLEM_HPD }, 1 },
    { "gcr", { PROBLEM_CONVECTION, PROBLEM_HPD }, 2 },
    { "bicgstab", { PROBLEM_HPD, PROBLEM_CONVECTION, PROBLEM_INDEFINITE }, 3 },
    { "bicgstabl", { PROBLEM_CONVECTION, PROBLEM_HPD, PROBLEM_INDEFINITE }, 3 },
    { "bicgstabl, restart=5", { PROBLEM_HPD, PROBLEM_CONVECTION }, 2 },
    { "idr", { PROBLEM_HPD, PROBLEM_CONVECTION, PROBLEM_INDEFINITE }, 3 },
    { "idr, restart=1", { PROBLEM_CONVECTION, PROBLEM_HPD }, 2 },
    { "idr, restart=6", { PROBLEM_HPD, PROBLEM_INDEFINITE }, 2 },
    { "tfqmr", { PROBLEM_HPD, PROBLEM_CONVECTION }, 2 },
    { "rgmres", { PROBLEM_CONVECTION, PROBLEM_HPD, PROBLEM_INDEFINITE }, 3 },
    { "fgmres, restart=20", { PROBLEM_CONVECTION, PROBLEM_HPD, PROBLEM_INDEFINITE }, 3 },
};
enum { METHODS = sizeof methods / sizeof *methods };

/* The preconditioners; general: not Hermitian for a Hermitian matrix. */
static const struct {
    const char *text;
    int general;
} precs[] = {
    { "none", 0 },
    { "diag", 0 },
    { "l1-jacobi", 0 },
    { "chebyshev", 0 },
    { "neumann", 0 },
    { "bjac", 0 },
    { "as(overlap=1)", 0 },
    { "ras(milu0, overlap=2)", 1 },
    { "ash", 1 },
    { "ainv", 0 },
    { "invk", 0 },
    { "invt", 1 },
    { "bjac(ilut)", 1 },
    { "bjac(ilu0, order=colour)", 0 },
    { "gs", 1 },
    { "ssor(omega=1.25)", 0 },
    { "amg(coarse=4)", 0 },
};
enum { PRECS = sizeof precs / sizeof *precs };

/* The tolerance that a type of scalars allows. */
static double tolerance(void)
{
    return sizeof(R) == sizeof(float) ? 1e-5 : 1e-10;
}

int krylov_methods(void)
{
    return METHODS;
}

const char *krylov_method(int m)
{
    return methods[m].text;
}

/* Richardson's iteration needs a preconditioner, and more iterations than the others. */
static int is_richardson(int m)
{
    return strcmp(methods[m].text, "richardson") == 0;
}

/* An iteration of TFQMR is half a step of CGS. */
static int most_iterations(int m)
{
    return is_richardson(m) || strcmp(methods[m].text, "tfqmr") == 0 ? 400 : 200;
}

/* Methods for Hermitian matrices ask for preconditioners that are Hermitian too.  Richardson's iteration asks
 * for one that is close to A in all directions: additive Schwarz is not in the overlap, Chebyshev's
 * polynomial only if the eigenvalues are real. */
static int suits(int m, int prec, enum problem_kind kind)
{
    const char *text = precs[prec].text;
    if (is_richardson(m))
        return prec > 0 && strncmp(text, "as(", 3) != 0 &&
               (kind == PROBLEM_HPD || strcmp(text, "chebyshev") != 0);
    for (int i = 0; i < methods[m].kinds; i++)
        if (methods[m].kind[i] == PROBLEM_CONVECTION)
            return 1;
    return !precs[prec].general;
}

double residual_of(const struct problem *p, int j)
{
    struct X(vect) *r = NULL;
    R norm[8], norm_b[8];
    GOOD(X(vect_clone)(p->b, &r));
    GOOD(X(spmm)(-1, p->a, p->x, 1, r, 'N'));
    GOOD(X(genrm2)(r, norm));
    GOOD(X(genrm2)(p->b, norm_b));
    X(gefree)(r);
    return norm[j] == 0 ? 0 : (double)(norm[j] / norm_b[j]);
}

static void solve_columns(const struct problem *p, const char *method, const char *prec,
                          struct psb_solve_result *res)
{
    char text[200];
    snprintf(text, sizeof text, "%s, prec=%s, tol=%g, itmax=500", method, prec, tolerance());
    GOOD(X(solve)(p->a, p->b, p->x, text, res));
}

static struct psb_solve_result solve_with(const struct problem *p, const char *method, const char *prec)
{
    struct psb_solve_result res;
    solve_columns(p, method, prec, &res);
    return res;
}

TEST(every_method_converges)
{
    const int m = _i % METHODS, prec = _i / METHODS;
    const int where = (m + 3 * prec) % DISTRIBUTIONS;
    for (int i = 0; i < methods[m].kinds; i++) {
        if (!suits(m, prec, methods[m].kind[i]))
            continue;
        PROBLEM p = make_problem(methods[m].kind[i], 8, 1, (enum distribution)where, NULL, NULL);
        struct psb_solve_result res = solve_with(&p, methods[m].text, precs[prec].text);
        EXPECT(res.outcome == PSB_CONVERGED && res.why[0] == 0);
        EXPECT(res.iterations > 0 && res.iterations < most_iterations(m));
        EXPECT(res.residual <= tolerance() && fabs(residual_of(&p, 0) - res.residual) < tolerance());
        EXPECT(problem_error(&p) < 100 * tolerance());
    }
}

/* Columns converge on their own: the one whose guess is the solution needs no iteration, and the others have
 * the result of a solve alone. */
TEST(several_columns)
{
    const int m = _i;
    PROBLEM p = make_problem(methods[m].kind[0], 8, 3, EVEN, NULL, NULL);
    PROBLEM one = make_problem(methods[m].kind[0], 8, 1, EVEN, NULL, NULL);
    struct psb_solve_result res[3];
    T *x, *b, *b1;
    const T *w = p.want;
    const psb_ipk n = psb_cd_local_rows(p.desc);
    GOOD(X(host_update)(p.x, &x));
    for (psb_ipk l = 0; l < n; l++)
        x[l * 3 + 1] = w[psb_loc_to_glob(p.desc, l) * 3 + 1];
    GOOD(X(host_update)(p.b, &b));
    GOOD(X(host_update)(one.b, &b1));
    for (psb_ipk l = 0; l < n; l++)
        b1[l] = b[l * 3 + 2];
    solve_columns(&p, methods[m].text, "diag", res);
    const struct psb_solve_result alone = solve_with(&one, methods[m].text, "diag");
    for (int j = 0; j < 3; j++)
        EXPECT(res[j].outcome == PSB_CONVERGED && residual_of(&p, j) <= tolerance());
    EXPECT(res[1].iterations == 0);
    GOOD(X(host_update)(p.x, &x));
    for (psb_ipk l = 0; l < n; l++)
        EXPECT(x[l * 3 + 1] == w[psb_loc_to_glob(p.desc, l) * 3 + 1]);
    if (strcmp(methods[m].text, "block-cg") == 0)
        EXPECT(res[2].iterations <= alone.iterations + 1);
    else
        EXPECT(abs(res[2].iterations - alone.iterations) <= 1);
}

/* A solution is a guess that needs no iteration; b = 0 has the solution 0. */
TEST(solution_as_guess)
{
    PROBLEM p = make_problem(methods[_i].kind[0], 6, 1, EVEN, NULL, NULL);
    GOOD(X(scatter)(p.x, p.want, -1));
    struct psb_solve_result res = solve_with(&p, methods[_i].text, "none");
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 0);
    GOOD(X(set_scal)(0, p.b));
    res = solve_with(&p, methods[_i].text, "none");
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 0 && res.residual == 0);
    memset(p.want, 0, (size_t)p.n * sizeof *p.want);
    EXPECT(problem_error(&p) == 0);
    struct psb_solve_options o;
    GOOD(psb_solve_parse(methods[_i].text, &o));
    o.stop = PSB_STOP_BACKWARD;
    GOOD(X(set_scal)(1, p.x));
    GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 0 && problem_error(&p) == 0);
}

/* Scalar products that leave the range of the type are said to, not that the matrix is unfit. */
TEST(out_of_range)
{
    PROBLEM p = make_problem(methods[_i].kind[0], 6, 1, EVEN, NULL, NULL);
    GOOD(X(set_scal)(sizeof(R) == sizeof(float) ? (R)1e30 : (R)1e300, p.b));
    const struct psb_solve_result res = solve_with(&p, methods[_i].text, "none");
    EXPECT(!strstr(res.why, "positive definite"));
}

TEST(maximal_iterations)
{
    PROBLEM p = make_problem(methods[_i].kind[0], 8, 1, EVEN, NULL, NULL);
    struct psb_solve_options o;
    struct psb_solve_result res;
    GOOD(psb_solve_parse(methods[_i].text, &o));
    o.tol = tolerance();
    o.itmax = 3;
    GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
    EXPECT(res.outcome == PSB_MAX_ITERATIONS && res.iterations == 3);
    EXPECT(fabs(residual_of(&p, 0) - res.residual) < 1e-4 && res.residual <= 1);
    o.itmax = 0;
    GOOD(X(set_scal)(0, p.x));
    GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
    EXPECT(res.outcome == PSB_MAX_ITERATIONS && res.iterations == 0 && fabs(res.residual - 1) < 1e-4);
}

/* Every criterion is satisfied by the true residual. */
TEST(criteria)
{
    static const char *const names[] = { "backward", "relative", "reduction", "absolute" };
    const char *method = methods[_i / 4].text, *name = names[_i % 4];
    const int backward = _i % 4 == 0, absolute = _i % 4 == 3;
    PROBLEM p = make_problem(methods[_i / 4].kind[0], 8, 1, EVEN, NULL, NULL);
    struct psb_solve_result res;
    char text[100];
    R norm_b, norm_a, max_x, max_b, norm_r = 0;
    snprintf(text, sizeof text, "%s, tol=%g, stop=%s, prec=diag", method, 10 * tolerance(), name);
    GOOD(X(solve)(p.a, p.b, p.x, text, &res));
    GOOD(X(genrm2)(p.b, &norm_b));
    GOOD(X(geamax)(p.b, &max_b));
    GOOD(X(spnrmi)(p.a, &norm_a));
    GOOD(X(geamax)(p.x, &max_x));
    GOOD(X(spmv)(-1, p.a, p.x, 1, p.b, 'N'));
    GOOD(backward ? X(geamax)(p.b, &norm_r) : X(genrm2)(p.b, &norm_r));
    double by = backward ? (double)(norm_a * max_x + max_b) : absolute ? 1 : (double)norm_b;
    EXPECT(res.outcome == PSB_CONVERGED && res.residual <= 10 * tolerance() &&
           res.iterations < (is_richardson(_i / 4) ? 200 : 100));
    EXPECT(fabs((double)norm_r / by - res.residual) < tolerance());
}

/* The same on the device, where vectors stay. */
TEST(on_the_device)
{
    const int m = _i % METHODS, k = _i < METHODS ? 1 : 2;
    const struct X(mat) *mold = m % 2 ? &X(csrg_mold).mat : &X(hlg_mold).hll.mat;
    PROBLEM host = make_problem(methods[m].kind[0], 8, k, EVEN, NULL, NULL),
            dev = make_problem(methods[m].kind[0], 8, k, EVEN, mold, &psb_vect_cuda);
    struct psb_solve_result want[2], got[2];
    solve_columns(&host, methods[m].text, "diag", want);
    psb_transfers_reset();
    solve_columns(&dev, methods[m].text, "diag", got);
    const struct psb_transfer_counts moved = psb_transfers("vector");
    EXPECT(np > 1 || (moved.gets == 0 && moved.puts <= 10));
    for (int j = 0; j < k; j++) {
        EXPECT(got[j].outcome == PSB_CONVERGED && abs(got[j].iterations - want[j].iterations) <= 2);
        EXPECT(residual_of(&dev, j) <= tolerance());
    }
}

/* --- outcomes that are no success ----------------------------------------------------------------------- */

TEST(not_positive_definite)
{
    static const char *const names[] = { "cg", "cg-single", "cg-pipelined", "fcg", "block-cg" };
    const int k = 1 + _i / 4;
    PROBLEM p = make_problem(PROBLEM_INDEFINITE, 6, k, EVEN, NULL, NULL);
    struct psb_solve_result res[2];
    solve_columns(&p, names[_i], "none", res);
    for (int j = 0; j < k; j++) {
        EXPECT(res[j].outcome == PSB_BREAKDOWN && strstr(res[j].why, "not positive definite"));
        EXPECT(res[j].residual <= 1 + 1e-6);
    }
    EXPECT(isfinite(problem_error(&p)));
}

/* MINRES solves an indefinite system, but not with its diagonal, which is indefinite too. */
TEST(minres_indefinite)
{
    PROBLEM p = make_problem(PROBLEM_INDEFINITE, 8, 1, (enum distribution)_i, NULL, NULL);
    struct psb_solve_result res = solve_with(&p, "minres", "none");
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations <= 64 && residual_of(&p, 0) <= tolerance());
    EXPECT(problem_error(&p) < 100 * tolerance());
    GOOD(X(set_scal)(0, p.x));
    res = solve_with(&p, "minres", "diag");
    EXPECT(res.outcome == PSB_BREAKDOWN && strstr(res.why, "preconditioner is not positive definite"));
}

/* A norm that overflows is no success. */
TEST(norm_overflows)
{
    const T most = sizeof(R) == 4 ? (T)3e38 : (T)1.5e308;
    const T a[] = { 1, 0, 0, 1 }, b[] = { most, most };
    static const char *const stops[] = { "relative", "reduction", "backward", "absolute" };
    struct psb_solve_result res;
    char text[80];
    for (int i = 0; i < 4; i++) {
        PROBLEM p = dense_problem(2, a, b, EVEN);
        snprintf(text, sizeof text, "bicgstab, stop=%s", stops[i]);
        GOOD(X(set_scal)(most / 3, p.x));
        GOOD(X(solve)(p.a, p.b, p.x, text, &res));
        EXPECT(res.outcome != PSB_CONVERGED || residual_of(&p, 0) < 1e-5);
    }
}

/* GMRES without restart converges in as many iterations as there are eigenvalues, over many orders, and its
 * estimate is the residual: neither holds without second passes of Gram-Schmidt. */
TEST(basis_stays_orthogonal)
{
    enum { N = 40 };
    static T a[N * N], b[N];
    const bool single = sizeof(R) == sizeof(float);
    for (int i = 0; i < N; i++) {
        a[i * N + i] = (R)pow(single ? 1.1 : 1.4, i);
        b[i] = 1;
    }
    for (int i = 0; i < 2; i++) {
        PROBLEM p = dense_problem(N, a, b, EVEN);
        struct psb_solve_options o = psb_solve_defaults;
        struct psb_solve_result res;
        o.method = i ? PSB_FGMRES : PSB_RGMRES;
        o.restart = o.itmax = N;
        o.tol = single ? 1e-4 : 1e-8;
        GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
        EXPECT(res.outcome == PSB_CONVERGED);
        EXPECT(fabs(res.estimate - res.residual) <= 0.1 * o.tol);
    }
}

/* The outcome of a breakdown does not depend on itmax, if that is not reached. */
TEST(breakdown_in_the_first_iteration)
{
    const T a[] = { -1, 0, 0, -2 }, b[] = { 1, 1 };
    PROBLEM p = dense_problem(2, a, b, EVEN);
    struct psb_solve_options o;
    struct psb_solve_result res;
    GOOD(psb_solve_parse("cg", &o));
    o.prec.factor.block = 0; /* not used */
    for (o.itmax = 1; o.itmax <= 2; o.itmax++) {
        GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
        EXPECT(res.outcome == PSB_BREAKDOWN && res.iterations == 0 && strstr(res.why, "positive definite"));
    }
}

/* The same after progress. */
TEST(breakdown_in_the_third_iteration)
{
    const T a[] = { 1, 0, 0, 0, 2, 0, 0, 0, (T)-1e-3 }, b[] = { 1, 1, 1 };
    struct psb_solve_options o;
    struct psb_solve_result res;
    GOOD(psb_solve_parse("cg", &o));
    for (o.itmax = 3; o.itmax <= 5; o.itmax++) {
        PROBLEM p = dense_problem(3, a, b, EVEN);
        GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
        EXPECT(res.outcome == PSB_BREAKDOWN && strstr(res.why, "positive definite"));
    }
}

/* A matrix or right-hand side that is not finite never gives a NaN as success, nor an x that is not finite.
 */
TEST(not_finite)
{
    PROBLEM p = make_problem(methods[_i / 2].kind[0], 6, 1, EVEN, NULL, NULL);
    if (_i % 2)
        GOOD(X(set_scal)((T)NAN, p.b));
    else
        GOOD(X(spscal)((T)INFINITY, p.a));
    struct psb_solve_result res = solve_with(&p, methods[_i / 2].text, "none");
    EXPECT(res.outcome == PSB_DIVERGED || res.outcome == PSB_BREAKDOWN);
    EXPECT(isfinite(problem_error(&p)));
}

static int monitored;
static void count_iterations(void *arg, int it, int n, const double *estimate)
{
    monitored++;
    EXPECT(arg == &monitored && it == 2 * (monitored - 1) && n == 1 && estimate[0] >= 0);
}

TEST(monitor_and_trace)
{
    PROBLEM p = make_problem(PROBLEM_HPD, 8, 1, EVEN, NULL, NULL);
    struct psb_solve_options o = psb_solve_defaults;
    struct psb_solve_result res;
    char line[100] = "";
    o.method = PSB_CG;
    o.itmax = 6;
    o.tol = 1e-30;
    o.itrace = 2;
    o.monitor = count_iterations;
    o.arg = &monitored;
    o.trace = tmpfile();
    monitored = 0;
    GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
    EXPECT(monitored == 4);
    rewind(o.trace);
    EXPECT(me != 0 || (fgets(line, sizeof line, o.trace) && strstr(line, "cg: iteration 0: 1.0")));
    fclose(o.trace);
}

TEST(wrong_arguments)
{
    PROBLEM p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    struct psb_solve_options o = psb_solve_defaults;
    struct psb_solve_result res;
    PREC *m = NULL;
    VECT *two = NULL;
    o.method = PSB_CG;
    GOOD(X(geall_n)(&two, p.desc, 2));
    GOOD(X(geasb)(two, NULL));
    GOOD(X(precinit)(&m, "diag"));
    BAD(X(krylov)(NULL, NULL, p.b, p.x, &o, &res), PSB_EARG, "argument a is NULL");
    BAD(X(krylov)(p.a, NULL, NULL, p.x, &o, &res), PSB_EARG, "argument b is NULL");
    BAD(X(krylov)(p.a, NULL, p.b, p.b, &o, &res), PSB_EARG, "the same vector");
    BAD(X(krylov)(p.a, NULL, p.b, two, &o, &res), PSB_EARG, "columns: 1");
    BAD(X(krylov)(p.a, NULL, p.b, p.x, &o, NULL), PSB_EARG, "argument res is NULL");
    BAD(X(krylov)(p.a, m, p.b, p.x, &o, &res), PSB_EARG, "argument p is not built");
    /* one process alone passes a wrong argument */
    BAD(X(krylov)(p.a, NULL, p.b, me == np - 1 ? NULL : p.x, &o, &res), PSB_EARG, "argument x is NULL");
    o.tol = 0;
    BAD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res), PSB_EARG, "option tol is 0");
    BAD(X(solve)(p.a, p.b, p.x, "cgg", &res), PSB_EARG, "method \"cgg\"");
    BAD(X(solve)(p.a, p.b, p.x, "bicgstabl, restart=17", &res), PSB_EARG, "option restart is 17");
}

/* Each allocation that fails, on the last process, is an error on all, and the next solve works. */
TEST(allocation_fails)
{
    PROBLEM p = make_problem(methods[_i].kind[0], 4, 2, EVEN, NULL, NULL);
    struct psb_solve_result res[2];
    char text[60];
    snprintf(text, sizeof text, "%s, prec=diag", methods[_i].text);
    int failed = 1;
    for (long n = 1; n < 300 && failed; n++) {
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = X(solve)(p.a, p.b, p.x, text, res);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
        GOOD(X(set_scal)(0, p.x));
    }
    EXPECT(!failed);
    GOOD(X(solve)(p.a, p.b, p.x, text, res));
}

/* A A^T, which needs more halo than A, has one descriptor; a vector on the rows of A takes its products. */
TEST(product_with_the_transpose)
{
    static const char *const text[] = { "bicgstab, prec=ras(overlap=1)", "cg, prec=chebyshev",
                                        "bicg, prec=bjac" };
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, some_distributions[_i], NULL, NULL);
    SPMAT *t = NULL, *c = NULL;
    VECT *x = NULL, *y = NULL, *b = NULL;
    struct psb_solve_result res;
    T near[2];
    GOOD(X(sp_transc)(p.a, &t));
    GOOD(X(spspmm)(p.a, t, NULL, &c));
    EXPECT(X(sp_row_desc)(t) == X(sp_col_desc)(t) && X(sp_row_desc)(c) == X(sp_col_desc)(c));
    GOOD(X(vects_like)(c, &x, &b));
    GOOD(X(geall)(&y, p.desc));
    GOOD(X(geasb)(y, NULL));
    GOOD(X(set_scal)(1, x));
    GOOD(X(spmv)(1, c, x, 0, b, 'N'));
    GOOD(X(spmv)(1, c, x, 0, y, 'N'));
    GOOD(X(gedot)(b, b, &near[0]));
    GOOD(X(gedot)(y, y, &near[1]));
    EXPECT(near[0] == near[1]);
    for (int k = 0; k < 3; k++) {
        GOOD(X(set_scal)(0, x));
        GOOD(X(solve)(c, b, x, text[k], &res));
        EXPECT(res.outcome == PSB_CONVERGED);
    }
}

static Suite *krylov(void)
{
    Suite *s = suite_create("krylov methods");
    TCase *c = collective_tcase(s, "convergence");
    ck_add_sampled_tests(c, METHODS * PRECS, every_method_converges);
    ck_add_loop_tests(c, METHODS, several_columns, solution_as_guess, out_of_range, maximal_iterations);
    ck_add_loop_tests(c, 4 * METHODS, criteria);
    ck_add_loop_tests(c, 2 * METHODS, on_the_device);
    c = collective_tcase(s, "outcomes");
    ck_add_loop_tests(c, DISTRIBUTIONS, minres_indefinite);
    ck_add_loop_tests(c, 5, not_positive_definite);
    ck_add_tests(c, basis_stays_orthogonal, norm_overflows, breakdown_in_the_first_iteration,
                 breakdown_in_the_third_iteration);
    ck_add_loop_tests(c, 2 * METHODS, not_finite);
    ck_add_tests(c, monitor_and_trace);
    ck_add_loop_tests(c, SOME_DISTRIBUTIONS, product_with_the_transpose);
    c = collective_tcase(s, "errors");
    ck_add_tests(c, wrong_arguments);
    ck_add_loop_tests(c, METHODS, allocation_fails);
    small_systems_tests(s);
    random_systems_tests(s);
    units_tests(s);
    block_cg_tests(s);
    single_precision_tests(s);
    lsmr_tests(s);
    solver_tests(s);
    device_solve_tests(s);
    operator_tests(s);
    nullspace_tests(s);
    return s;
}

int check_krylov(void)
{
    return run_suite(0, krylov);
}
