/* check_solver.c -- test: kept solvers: repeated solves, new values, history, eigenvalues, the view, errors.
 */
#include "suites.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_krylov.h"

static const char *const precs[] = {
    "none",           "diag", "chebyshev", "bjac",         "bjac(ilut, sweeps=2)",
    "ras(overlap=1)", "ainv", "ssor",      "amg(coarse=4)"
};
enum { PRECS = sizeof precs / sizeof *precs };

/* Is x, of k columns, the same as `want` to the last bit? */
static bool is_same(const struct X(vect) *x, const struct X(vect) *want)
{
    const T *v, *w;
    GOOD(X(host_read)(x, &v));
    GOOD(X(host_read)(want, &w));
    const size_t n = (size_t)psb_cd_local_rows(x->desc) * (size_t)x->ncols;
    return memcmp(v, w, n * sizeof *v) == 0;
}

static bool is_same_result(const struct psb_solve_result *a, const struct psb_solve_result *b)
{
    return a->outcome == b->outcome && a->iterations == b->iterations && a->estimate == b->estimate &&
           a->residual == b->residual && strcmp(a->why, b->why) == 0;
}

/* Solve p from x = 0 by psb_solve; *x = the solution. */
static void solve_once(const struct problem *p, const char *text, struct X(vect) **x,
                       struct psb_solve_result *res)
{
    GOOD(X(vect_clone)(p->x, x));
    GOOD(X(set_scal)(0, *x));
    GOOD(X(solve)(p->a, p->b, *x, text, res));
}

/* Each solve of a kept solver has the bits of psb_solve; from the second on it allocates nothing, on the host
 * and on the device. */
TEST(repeated_solves)
{
    const int m = _i % krylov_methods(), prec = _i / krylov_methods(), k = 1 + _i % 2;
    for (int dev = 0; dev < 2; dev++) {
        struct problem p = make_problem(PROBLEM_HPD, 7, k, some_distributions[_i % SOME_DISTRIBUTIONS],
                                        dev ? &X(csrg_mold).mat : NULL, dev ? &psb_vect_cuda : NULL);
        struct psb_solve_result want[2], got[2];
        struct X(vect) *x;
        struct X(solver) *s = NULL;
        char text[200];
        snprintf(text, sizeof text, "%s, prec=%s, itmax=60%s", krylov_method(m), precs[prec],
                 _i % 3 ? "" : ", stop=backward");
        solve_once(&p, text, &x, want);
        GOOD(X(solver_new)(&s, p.a, text));
        for (int n = 0; n < 3; n++) {
            GOOD(X(set_scal)(0, p.x));
            psb_alloc_fail_at(CK_NEVER);
            GOOD(X(solver_solve)(s, p.b, p.x, got));
            const long made = ck_allocations();
            collective_note(n == 0 || made == 0, __FILE__, __LINE__, "%s: %ld allocations", text, made);
            EXPECT(is_same(p.x, x));
            for (int j = 0; j < k; j++)
                EXPECT(is_same_result(&got[j], &want[j]));
        }
        X(solver_free)(s);
        X(gefree)(x);
        problem_free(&p);
    }
}

/* Vectors, the diagonal and its inverse are made on the device, and stay there: psb_solve copies none, and
 * the vectors of the caller have no memory on the host.  The host makes the conjugate of the diagonal for
 * bicg, and the shadow vectors of idr. */
TEST(vectors_stay_on_the_device)
{
    const bool made_on_host = strncmp(krylov_method(_i), "idr", 3) == 0;
    char text[100];
    if (!psb_vect_cuda.device() || (CPLX && strcmp(krylov_method(_i), "bicg") == 0))
        return;
    const psb_epk before = psb_cuda_convert_from(0);
    struct problem p = make_problem(PROBLEM_HPD, 7, 1, some_distributions[_i % SOME_DISTRIBUTIONS],
                                    &X(csrg_mold).mat, &psb_vect_cuda);
    struct psb_solve_result res;
    struct X(vect) *b = NULL, *x = NULL;
    GOOD(X(vects_like)(p.a, &x, &b));
    GOOD(X(set_scal)(1, b));
    GOOD(X(spmv)(1, p.a, b, 0, x, 'N')); /* brings the matrix to the device */
    snprintf(text, sizeof text, "%s, prec=diag", krylov_method(_i));
    for (int n = 0; n < 2; n++) {
        GOOD(X(set_scal)(0, x));
        psb_transfers_reset();
        GOOD(X(solve)(p.a, b, x, text, &res));
        const struct psb_transfer_counts moved = psb_transfers("vector"), d = psb_transfers("a diagonal");
        collective_note((made_on_host || moved.puts == 0) && moved.gets + d.puts + d.gets == 0, __FILE__,
                        __LINE__, "%s: %lld vectors to the device, %lld to the host", text, moved.puts,
                        moved.gets);
        EXPECT(!x->v.host && !b->v.host);
        EXPECT(res.outcome == PSB_CONVERGED);
    }
    psb_cuda_convert_from(before);
    X(gefree)(b);
    X(gefree)(x);
    problem_free(&p);
}

/* A guess that was set on the host, on a device: the work vectors are on the device only, and b and x are
 * what is transferred. */
TEST(guess_of_the_host)
{
    const char *const method = krylov_method(_i);
    long made[2];
    long long puts[2]; /* one is of the preconditioner */
    if (!psb_vect_cuda.device())
        return;
    for (int host = 0; host < 2; host++) {
        struct problem p = make_problem(PROBLEM_HPD, 7, 1, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
        const psb_ipk n = psb_cd_local_rows(p.desc);
        struct psb_solve_result res;
        struct X(solver) *s = NULL;
        T guess[100] = { 0 }, *v;
        GOOD(X(set_vect)(p.b, n, guess)); /* host memory for both */
        GOOD(X(set_vect)(p.x, n, guess));
        GOOD(X(set_scal)(1, p.b));
        GOOD(X(device_update)(p.b, &v));
        GOOD(X(device_update)(p.x, &v));
        GOOD(X(solver_new)(&s, p.a, method));
        if (host) {
            GOOD(X(set_vect)(p.b, n, guess));
            GOOD(X(set_vect)(p.x, n, guess));
            GOOD(X(host_update)(p.b, &v));
            for (psb_ipk i = 0; i < n; i++)
                v[i] = 1;
        }
        psb_transfers_reset();
        psb_alloc_fail_at(CK_NEVER);
        GOOD(X(solver_solve)(s, p.b, p.x, &res));
        made[host] = ck_allocations();
        const struct psb_transfer_counts moved = psb_transfers("vector");
        puts[host] = moved.puts;
        EXPECT(np > 1 || moved.gets == 0);
        EXPECT(res.outcome == PSB_CONVERGED);
        X(solver_free)(s);
        problem_free(&p);
    }
    collective_note(made[0] == made[1], __FILE__, __LINE__, "%s: %ld and %ld allocations", method, made[0],
                    made[1]);
    collective_note(np > 1 || puts[1] == puts[0] + 2, __FILE__, __LINE__, "%s: %lld and %lld transfers",
                    method, puts[0], puts[1]);
}

/* A solve that ended badly leaves nothing for the next one; nor do other columns, another place, or another
 * system in between. */
TEST(solves_are_independent)
{
    struct problem p = make_problem(PROBLEM_HPD, 6, 1, EVEN, NULL, NULL);
    struct psb_solve_result want, got[2];
    struct X(vect) *x, *b = NULL, *wide = NULL, *bad = NULL;
    struct X(solver) *s = NULL;
    solve_once(&p, krylov_method(_i), &x, &want);
    GOOD(X(solver_new)(&s, p.a, krylov_method(_i)));
    for (int n = 0; n < 4; n++) {
        GOOD(X(vect_clone)(p.b, &bad));
        if (n == 0)
            GOOD(X(set_scal)((T)NAN, bad));
        if (n == 1)
            GOOD(X(set_scal)((R)(sizeof(R) == 4 ? 1e30 : 1e280), bad));
        if (n == 2)
            GOOD(X(vect_cnv)(bad, &psb_vect_cuda));
        GOOD(X(set_scal)(0, p.x));
        if (n < 3)
            GOOD(X(solver_solve)(s, bad, p.x, got));
        else if (X(vects_like_n)(p.a, 2, &b, &wide) == PSB_OK) /* on the descriptor of p */
            GOOD(X(solver_solve)(s, b, wide, got));
        GOOD(X(set_scal)(0, p.x));
        GOOD(X(solver_solve)(s, p.b, p.x, got));
        EXPECT(is_same(p.x, x) && is_same_result(got, &want));
        X(gefree)(bad);
    }
    X(gefree)(b);
    X(gefree)(wide);
    X(gefree)(x);
    X(solver_free)(s);
    problem_free(&p);
}

/* New values in the same pattern; |A| is renewed too. */
TEST(new_values)
{
    static const char *const texts[] = { "cg, prec=bjac(ic0)", "bicgstab, prec=ras",
                                         "cg, prec=chebyshev, stop=backward", "gcr, prec=diag",
                                         "rgmres, prec=invk" };
    struct problem p = make_problem(PROBLEM_HPD, 7, 1, some_distributions[_i % SOME_DISTRIBUTIONS], NULL,
                                    NULL);
    struct psb_solve_result want, got;
    struct X(vect) *x;
    struct X(solver) *s = NULL;
    GOOD(X(solver_new)(&s, p.a, texts[_i]));
    GOOD(X(solver_solve)(s, p.b, p.x, &got));
    GOOD(X(spscal)(3, p.a));
    solve_once(&p, texts[_i], &x, &want);
    GOOD(X(set_scal)(0, p.x));
    GOOD(X(solver_update)(s));
    GOOD(X(solver_solve)(s, p.b, p.x, &got));
    EXPECT(is_same(p.x, x) && is_same_result(&got, &want));
    X(solver_free)(s);
    X(gefree)(x);
    problem_free(&p);
}

static double seen[100];
static void note_estimate(void *arg, int it, int n, const double *estimate)
{
    (void)arg, (void)n;
    seen[it] = estimate[0];
}

TEST(history)
{
    struct problem p = make_problem(PROBLEM_HPD, 7, 1, EVEN, NULL, NULL);
    struct psb_solve_options o;
    struct psb_solve_result res;
    struct X(solver) *s = NULL;
    double value[100];
    int n = 0;
    GOOD(X(solver_new)(&s, p.a, krylov_method(_i)));
    BAD(X(solver_history)(s, 0, &n, NULL), PSB_ESTATE, "has no result; expected psb_solver_solve before");
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    GOOD(X(solver_history)(s, 0, &n, NULL));
    EXPECT(n == res.iterations + 1 && n < 100);
    GOOD(X(solver_history)(s, 0, &n, value));
    GOOD(psb_solve_parse(krylov_method(_i), &o));
    struct X(prec) *m = NULL;
    GOOD(X(precinit)(&m, "diag"));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    o.itrace = 1;
    o.monitor = note_estimate;
    o.trace = tmpfile();
    GOOD(X(set_scal)(0, p.x));
    GOOD(X(krylov)(p.a, m, p.b, p.x, &o, &res));
    for (int i = 0; i < n; i++)
        EXPECT(value[i] == seen[i]);
    fclose(o.trace);
    X(precfree)(m);
    X(solver_free)(s);
    problem_free(&p);
}

/* The eigenvalues 1 .. 8 times a power of two, of a diagonal matrix, which CG finds in 8 iterations; for each
 * column, whichever has made more of them. */
TEST(extreme_eigenvalues)
{
    static const char *const methods[] = { "cg", "cg-single", "cg-pipelined" };
    enum { N = 8 };
    const int far = (sizeof(R) == 4 ? 100 : 600) / (_i % 3 == 2 ? 2 : 1); /* cg-pipelined makes A A u */
    const int powers[] = { 0, far, -far };
    const double unit = ldexp(1, powers[_i / 3]);
    T a[N * N] = { 0 }, b[N];
    char text[60];
    double least = 0, most = 0;
    struct psb_solve_result res[2];
    struct X(solver) *s = NULL;
    struct X(vect) *b2 = NULL, *x2 = NULL;
    for (int i = 0; i < N; i++) {
        a[i * N + i] = (R)((i + 1) * unit);
        b[i] = 1;
    }
    struct problem p = dense_problem(N, a, b, EVEN);
    snprintf(text, sizeof text, "%s, prec=none, tol=%g", methods[_i % 3], sizeof(R) == 4 ? 1e-5 : 1e-12);
    GOOD(X(solver_new)(&s, p.a, text));
    GOOD(X(solver_solve)(s, p.b, p.x, res));
    GOOD(X(solver_extremes)(s, 0, &least, &most));
    EXPECT_SAYING(fabs(least / unit - 1) < 1e-3 && fabs(most / unit - N) < 1e-3, "%s: %g and %g times %g",
                  text, least / unit, most / unit, unit);
    BAD(X(solver_extremes)(s, 0, NULL, &most), PSB_EARG, "argument smallest is NULL; expected where to");
    BAD(X(solver_extremes)(s, 0, &least, NULL), PSB_EARG, "argument largest is NULL; expected where to");
    GOOD(X(solver_solve)(s, p.b, p.x, res)); /* of the solution: no iteration */
    BAD(X(solver_extremes)(s, 0, &least, &most), PSB_ESTATE, "made no iteration of cg");
    BAD(X(solver_extremes)(s, 1, &least, &most), PSB_EARG, "argument column is 1; expected 0 <= column < 1");
    if (X(vects_like_n)(p.a, 2, &b2, &x2) == PSB_OK) {
        const T two[2 * N] = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 }; /* rows of two columns */
        int n = 0;
        double value[100];
        GOOD(X(scatter)(b2, two, -1));
        GOOD(X(solver_solve)(s, b2, x2, res));
        BAD(X(solver_extremes)(s, 0, &least, &most), PSB_ESTATE, "made no iteration of cg");
        GOOD(X(solver_extremes)(s, 1, &least, &most));
        EXPECT(fabs(least / unit - 1) < 1e-3 && fabs(most / unit - N) < 1e-3);
        GOOD(X(solver_history)(s, 0, &n, value));
        EXPECT(n == 1 && value[0] == 0);
        GOOD(X(solver_history)(s, 1, &n, value));
        EXPECT(n == res[1].iterations + 1 && n < 100 && fabs(value[0] - 1) < 1e-5 &&
               value[n - 1] == res[1].estimate);
    }
    X(gefree)(b2);
    X(gefree)(x2);
    X(solver_free)(s);
    problem_free(&p);
}

TEST(view)
{
    struct problem p = make_problem(PROBLEM_HPD, 6, 1, EVEN, NULL, NULL);
    struct psb_solve_result res;
    struct X(solver) *s = NULL;
    char text[1000] = "";
    FILE *f = tmpfile();
    GOOD(X(solver_new)(&s, p.a, "cg, tol=1e-3, prec=bjac(ic0)"));
    GOOD(X(solver_view)(s, f));
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    GOOD(X(solver_view)(s, f));
    rewind(f);
    (void)!fread(text, 1, sizeof text - 1, f);
    EXPECT(me != 0 || (strstr(text, "solver cg, stop=relative, tol=0.001, prec=bjac(ic0)\n") &&
                       strstr(text, "  matrix: 36 rows, 156 entries, CSR on the host, ") &&
                       strstr(text, "kept vectors: 0, 0 bytes") && strstr(text, "kept vectors: 6, ") &&
                       strstr(text, "  column 0: converged after ")));
    EXPECT(me == 0 || !*text);
    BAD(X(solver_view)(s, NULL), PSB_EARG, "argument to is NULL; expected a stream");
    fclose(f);
    X(solver_free)(s);
    problem_free(&p);
}

TEST(wrong_arguments_of_a_solver)
{
    struct problem p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    struct psb_solve_result res;
    struct X(solver) *s = NULL, *freed = NULL;
    double v;
    int n;
    BAD(X(solver_new)(&s, NULL, "cg"), PSB_EARG, "argument a is NULL; expected a matrix");
    BAD(X(solver_new)(me == np - 1 ? NULL : &s, p.a, "cg"), PSB_EARG,
        "argument s is NULL; expected where to store");
    BAD(X(solver_new)(&s, p.a, me == np - 1 ? "ccg" : "cg"), PSB_EARG, "method \"ccg\" is not known");
    BAD(X(solver_new)(&s, p.a, me == np - 1 ? NULL : "cg"), PSB_EARG, "argument text is NULL");
    EXPECT(!s);
    GOOD(X(solver_new)(&s, p.a, "cg"));
    GOOD(X(solver_new)(&freed, p.a, "cg"));
    X(solver_free)(freed);
    BAD(X(solver_solve)(NULL, p.b, p.x, &res), PSB_EARG, "argument s is NULL; expected a solver");
    BAD(X(solver_solve)(freed, p.b, p.x, &res), PSB_EARG, "argument s is freed; expected a solver");
    BAD(X(solver_update)(freed), PSB_EARG, "argument s is freed; expected a solver");
    BAD(X(solver_history)(freed, 0, &n, &v), PSB_EARG, "argument s is freed; expected a solver");
    BAD(X(solver_solve)(s, p.b, me == np - 1 ? p.b : p.x, &res), PSB_EARG, "are the same vector");
    BAD(X(solver_solve)(s, me == np - 1 ? NULL : p.b, p.x, &res), PSB_EARG, "argument b is NULL");
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    BAD(X(solver_solve)(s, NULL, p.x, &res), PSB_EARG, "argument b is NULL");
    GOOD(X(solver_history)(s, 0, &n, NULL)); /* of the solve before */
    EXPECT(n == res.iterations + 1);
    BAD(X(solver_history)(s, -1, &n, &v), PSB_EARG, "argument column is -1");
    BAD(X(solver_history)(s, 0, NULL, &v), PSB_EARG, "argument n is NULL");
    /* the matrix: another pattern, open, freed together with its descriptor */
    GOOD(X(sprn)(p.a, 1));
    BAD(X(solver_update)(s), PSB_ESTATE, "argument a is not assembled");
    GOOD(X(spasb)(p.a, NULL, PSB_DUPL_ADD));
    GOOD(X(sp_clean_zeros)(p.a));
    BAD(X(solver_update)(s), PSB_EARG, "has 0 entries here; expected ");
    X(spfree)(p.a);
    psb_cdfree(p.desc);
    BAD(X(solver_solve)(s, p.b, p.x, &res), PSB_EARG, "the matrix of the solver is freed");
    BAD(X(solver_update)(s), PSB_EARG, "the matrix of the solver is freed");
    X(gefree)(p.x);
    X(gefree)(p.b);
    BAD(X(solver_solve)(s, NULL, NULL, &res), PSB_EARG, "the matrix of the solver is freed");
    X(solver_free)(s);
    free(p.want);
}

/* Each allocation that fails, on the last process, is an error on all; the next solve has the same result. */
TEST(allocations_of_a_solver_fail)
{
    struct problem p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    struct psb_solve_result res, want;
    struct X(solver) *s = NULL;
    struct X(vect) *x;
    solve_once(&p, krylov_method(_i), &x, &want);
    int failed = 1;
    for (long n = 1; n < 1000 && failed; n += 1 + n / 4) {
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = s ? PSB_OK : X(solver_new)(&s, p.a, krylov_method(_i));
        if (e == PSB_OK)
            e = X(solver_solve)(s, p.b, p.x, &res);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
        GOOD(X(set_scal)(0, p.x));
    }
    EXPECT(!failed);
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    EXPECT(is_same(p.x, x) && is_same_result(&res, &want));
    X(solver_free)(s);
    X(gefree)(x);
    problem_free(&p);
}

void solver_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "kept solvers");
    ck_add_sampled_tests(c, krylov_methods() * PRECS, repeated_solves);
    ck_add_loop_tests(c, krylov_methods(), solves_are_independent, vectors_stay_on_the_device,
                      guess_of_the_host, history, allocations_of_a_solver_fail);
    ck_add_loop_tests(c, 5, new_values);
    ck_add_loop_tests(c, 9, extreme_eigenvalues);
    ck_add_tests(c, view, wrong_arguments_of_a_solver);
}
