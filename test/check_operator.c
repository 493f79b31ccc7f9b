/* check_operator.c -- test: operators and preconditioners made of functions of the caller. */
#include "suites.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_krylov.h"

/* The data of the functions below: what they stand for, and the call that fails here. */
struct stub {
    struct X(spmat) *a;
    struct X(prec) *m;
    int calls, fails_at, updates, freed;
};

static psb_err fail_now(struct stub *f)
{
    return ++f->calls == f->fails_at ? PSB_FAIL(PSB_EIO, "the file is gone") : PSB_OK;
}

static psb_err multiply_local(void *data, const struct X(vect) *x, struct X(vect) *y, char op)
{
    struct stub *f = data;
    PSB_TRY(fail_now(f));
    return X(spmv_opt)(1, f->a, x, 0, y, op, 0);
}

static psb_err multiply(void *data, const struct X(vect) *x, struct X(vect) *y, char op)
{
    struct stub *f = data;
    PSB_TRY(X(spmv)(1, f->a, x, 0, y, op));
    return fail_now(f);
}

static psb_err diagonal_of(void *data, struct X(vect) *d)
{
    struct stub *f = data;
    PSB_TRY(fail_now(f));
    return X(sp_get_diag)(f->a, d);
}

static psb_err precondition(void *data, const struct X(vect) *x, struct X(vect) *y, char op)
{
    struct stub *f = data;
    PSB_TRY(X(precapply)(f->m, x, y, op)); /* first what other processes wait for */
    return fail_now(f);
}

static psb_err update(void *data)
{
    struct stub *f = data;
    f->updates++;
    return fail_now(f);
}

static void count_free(void *data)
{
    ((struct stub *)data)->freed++;
}

static const struct X(operator_calls) local_calls = {
    .apply = multiply_local, .diagonal = diagonal_of, .free = count_free, .transposes = true
};
static const struct X(operator_calls) collective_calls = {
    .apply = multiply, .diagonal = diagonal_of, .free = count_free, .transposes = true, .collective = true
};
static const struct X(prec_calls) prec_calls = {
    .apply = precondition, .update = update, .free = count_free, .transposes = true
};

/* Every method with functions that multiply, on the host and on the device, does what it does with the
 * matrix. */
TEST(functions_for_a_matrix)
{
    static const char *const precs[] = { "none", "diag", "chebyshev", "neumann", "bjac", "as" };
    const int m = _i % krylov_methods(), dev = m % 2, k = 1 + m % 3 / 2;
    for (int prec = _i / krylov_methods(); prec < 6; prec += 2) {
        const bool richardson = strcmp(krylov_method(m), "richardson") == 0;
        struct problem p = make_problem(PROBLEM_HPD, 7, k, some_distributions[m % SOME_DISTRIBUTIONS],
                                        dev ? &X(csrg_mold).mat : NULL, dev ? &psb_vect_cuda : NULL);
        struct stub f = { .a = p.a };
        struct X(operator_calls) calls = prec % 4 < 2 ? local_calls : collective_calls;
        struct X(operator) *op = NULL;
        struct X(solver) *s = NULL;
        struct psb_solve_result want[2], got[2];
        char text[200];
        snprintf(text, sizeof text, "%s, prec=%s, tol=%g", krylov_method(m),
                 richardson && prec % 5 == 0 ? "diag" : precs[prec], sizeof(R) == 4 ? 1e-4 : 1e-9);
        calls.near = prec > 3 ? p.a : NULL;
        calls.where = dev ? &psb_vect_cuda : NULL;
        GOOD(X(solve)(p.a, p.b, p.x, text, want));
        GOOD(X(operator_new)(&op, p.desc, &calls, &f));
        GOOD(X(solver_new_op)(&s, op, NULL, text));
        for (int n = 0; n < 2; n++) {
            GOOD(X(set_scal)(0, p.x));
            psb_alloc_fail_at(CK_NEVER);
            GOOD(X(solver_solve)(s, p.b, p.x, got));
            const long made = ck_allocations();
            EXPECT(n == 0 || made == 0);
            for (int j = 0; j < k; j++) {
                EXPECT(got[j].outcome == PSB_CONVERGED && abs(got[j].iterations - want[j].iterations) <= 1);
                EXPECT(residual_of(&p, j) < 1e-3);
            }
        }
        X(solver_free)(s);
        X(operator_free)(op);
        EXPECT(f.freed == 1);
        problem_free(&p);
    }
}

/* A matrix as operator, and the caller's preconditioner that applies one of the library, have the bits of
 * psb_solve. */
TEST(preconditioners_of_the_caller)
{
    struct problem p = make_problem(PROBLEM_HPD, 7, 1, EVEN, NULL, NULL);
    struct stub f = { .a = p.a };
    struct X(prec) *user = NULL;
    struct X(operator) *op = NULL;
    struct X(solver) *s = NULL;
    struct psb_solve_result want, got;
    char text[100];
    snprintf(text, sizeof text, "%s, prec=bjac", krylov_method(_i));
    GOOD(X(solve)(p.a, p.b, p.x, text, &want));
    GOOD(X(precinit)(&f.m, "bjac"));
    GOOD(X(precbld)(f.m, p.a, NULL, NULL));
    GOOD(X(precinit_user)(&user, &prec_calls, &f));
    GOOD(X(operator_of)(&op, p.a));
    GOOD(X(precbld_op)(user, op, NULL, NULL));
    GOOD(X(solver_new_op)(&s, op, user, krylov_method(_i)));
    GOOD(X(solver_update)(s));
    EXPECT(f.updates == 2);
    GOOD(X(set_scal)(0, p.x));
    GOOD(X(solver_solve)(s, p.b, p.x, &got));
    EXPECT(got.iterations == want.iterations && got.residual == want.residual &&
           got.estimate == want.estimate);
    X(solver_free)(s);
    X(operator_free)(op);
    EXPECT(f.freed == 0);
    X(precfree)(user);
    EXPECT(f.freed == 1);
    X(precfree)(f.m);
    problem_free(&p);
}

/* Polynomials of a preconditioner in place of the diagonal: the library's or the caller's, with the same
 * bits.  Better than either alone. */
TEST(polynomials_of_a_preconditioner)
{
    static const char *const inner[] = { "bjac", "as(overlap=1)" };
    struct problem p = make_problem(_i % 2 ? PROBLEM_CONVECTION : PROBLEM_HPD, 8, 1 + _i % 3,
                                    some_distributions[_i % SOME_DISTRIBUTIONS], NULL, NULL);
    const char *const method = _i % 2 ? "bicg" : "cg", *const poly = _i % 2 ? "neumann(degree=2)"
                                                                            : "chebyshev(eig_ratio=4)";
    struct stub f = { .a = p.a };
    struct X(prec) *user = NULL, *outer = NULL;
    struct X(operator) *op = NULL;
    struct psb_solve_options o;
    struct psb_solve_result res[2][3], alone[3];
    GOOD(psb_solve_parse(method, &o));
    const bool exchanges = _i % 4 == 2;
    struct X(prec_calls) calls = prec_calls;
    calls.collective = exchanges;
    GOOD(X(precinit)(&f.m, inner[exchanges]));
    GOOD(X(precbld)(f.m, p.a, NULL, NULL));
    GOOD(X(krylov)(p.a, f.m, p.b, p.x, &o, alone));
    GOOD(X(precinit_user)(&user, &calls, &f));
    GOOD(X(operator_new)(&op, p.desc, &local_calls, &f));
    BAD(X(prec_set_inner)(f.m, user), PSB_EARG, "expected chebyshev or neumann");
    for (int n = 0; n < 2; n++) {
        GOOD(X(precinit)(&outer, poly));
        BAD(X(prec_set_inner)(outer, outer), PSB_EARG, "are the same preconditioner; expected two");
        if (n == 1) {
            BAD(X(prec_set_inner)(outer, user), PSB_ESTATE, "argument m is not built");
            GOOD(X(precbld)(user, p.a, NULL, NULL));
        }
        GOOD(X(prec_set_inner)(outer, n == 0 ? f.m : user));
        GOOD(X(precbld)(outer, p.a, NULL, NULL));
        BAD(X(prec_set_inner)(outer, NULL), PSB_ESTATE, "argument p is built");
        GOOD(X(set_scal)(0, p.x));
        GOOD(X(krylov)(p.a, outer, p.b, p.x, &o, res[n]));
        EXPECT(res[n][0].outcome == PSB_CONVERGED && res[n][0].iterations < alone[0].iterations);
        EXPECT(res[n][0].iterations == res[0][0].iterations && res[n][0].residual == res[0][0].residual);
        if (n == 1) {
            f.fails_at = me == np - 1 ? f.calls + 3 : 0;
            GOOD(X(set_scal)(0, p.x));
            BAD(X(krylov)(p.a, outer, p.b, p.x, &o, res[n]), PSB_EIO, "the file is gone");
            f.fails_at = 0;
            GOOD(X(set_scal)(0, p.x));
            GOOD(X(krylov)(p.a, outer, p.b, p.x, &o, res[n]));
            GOOD(X(precbld_op)(user, op, NULL, NULL));
            GOOD(X(precupd_op)(outer, op)); /* with functions for A */
            GOOD(X(set_scal)(0, p.x));
            GOOD(X(krylov_op)(op, outer, p.b, p.x, &o, res[n]));
            EXPECT(abs(res[n][0].iterations - res[0][0].iterations) <= 1);
        }
        X(precfree)(outer);
    }
    X(operator_free)(op);
    X(precfree)(user);
    X(precfree)(f.m);
    problem_free(&p);
}

/* Each call of a function fails once on the last process: that is an error on all, which says so there; the
 * next solve works. */
TEST(functions_fail)
{
    static const char *const texts[] = { "cg, prec=diag", "bicg, prec=none", "rgmres, prec=chebyshev",
                                         "cg-pipelined", "bicgstab, prec=bjac" };
    struct problem p = make_problem(PROBLEM_HPD, 5, 1, EVEN, NULL, NULL);
    struct stub f = { .a = p.a }, g = { .a = p.a };
    struct X(operator_calls) calls = _i % 2 ? local_calls : collective_calls;
    struct X(operator) *op = NULL;
    struct X(prec) *user = NULL;
    struct psb_solve_result res;
    calls.near = p.a;
    GOOD(X(operator_new)(&op, p.desc, &calls, &f));
    GOOD(X(precinit)(&g.m, "diag"));
    GOOD(X(precbld)(g.m, p.a, NULL, NULL));
    GOOD(X(precinit_user)(&user, &prec_calls, &g));
    int failed = 1;
    for (int n = 1; n < 300 && failed; n += 1 + n / 8) {
        const bool own = n % 3 == 0;
        struct X(solver) *s = NULL;
        f.calls = g.calls = 0;
        f.fails_at = me == np - 1 && !own ? n : 0;
        g.fails_at = me == np - 1 && own ? n / 3 : 0;
        psb_err e = own ? X(precbld_op)(user, op, NULL, NULL) : PSB_OK;
        if (e == PSB_OK)
            e = X(solver_new_op)(&s, op, own ? user : NULL, texts[_i / 2]);
        GOOD(X(set_scal)(0, p.x));
        if (e == PSB_OK)
            e = X(solver_solve)(s, p.b, p.x, &res);
        const int mine = e != PSB_OK;
        collective_note(e == PSB_OK || (e == PSB_EIO && strstr(psb_errmsg(), "the file is gone")), __FILE__,
                        __LINE__, "%s, call %d: %s", texts[_i / 2], n, psb_errmsg());
        failed = collective_count(mine);
        EXPECT(failed == 0 || failed == np);
        f.fails_at = g.fails_at = 0;
        psb_clean_errstack();
        if (s)
            GOOD(X(solver_solve)(s, p.b, p.x, &res));
        X(solver_free)(s);
    }
    EXPECT(!failed);
    X(precfree)(user);
    X(precfree)(g.m);
    X(operator_free)(op);
    problem_free(&p);
}

TEST(products_and_diagonals)
{
    struct problem p = make_problem(PROBLEM_CONVECTION, 6, 2, some_distributions[_i / 2], NULL, NULL);
    struct stub f = { .a = p.a };
    struct X(operator) *op = NULL;
    struct X(vect) *y = NULL;
    R norm[2];
    GOOD(X(operator_new)(&op, p.desc, _i % 2 ? &local_calls : &collective_calls, &f));
    GOOD(X(vect_clone)(p.x, &y));
    for (const char *trans = "NTC"; *trans; trans++) {
        GOOD(X(operator_apply)(op, p.b, y, *trans));
        GOOD(X(spmv)(-1, p.a, p.b, 1, y, *trans));
        GOOD(X(genrm2)(y, norm));
        EXPECT(norm[0] <= 100 * EPS && norm[1] <= 100 * EPS);
    }
    X(gefree)(y);
    X(operator_free)(op);
    problem_free(&p);
}

TEST(wrong_functions)
{
    struct problem p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    struct problem q = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    struct problem wide = make_problem(PROBLEM_HPD, 4, 2, EVEN, NULL, NULL);
    struct stub f = { .a = p.a };
    struct X(operator_calls) calls = { 0 };
    struct X(prec_calls) none = { 0 };
    struct X(operator) *op = NULL, *freed = NULL;
    struct X(prec) *m = NULL, *user = NULL;
    struct X(solver) *s = NULL;
    struct psb_solve_result res;
    psb_desc *building = NULL, *replicated = NULL;
    GOOD(psb_cdall_nl(&building, ctxt, 2));
    BAD(X(operator_new)(&op, NULL, &local_calls, &f), PSB_EARG,
        "argument desc is NULL; expected a descriptor");
    BAD(X(operator_new)(&op, building, &local_calls, &f), PSB_ESTATE, "argument desc is not assembled");
    BAD(X(operator_new)(NULL, p.desc, &local_calls, &f), PSB_EARG,
        "argument op is NULL; expected where to store");
    BAD(X(operator_new)(&op, p.desc, NULL, &f), PSB_EARG, "argument calls is NULL; expected the functions");
    BAD(X(operator_new)(&op, p.desc, &calls, &f), PSB_EARG,
        "argument calls->apply is NULL; expected a function");
    BAD(X(operator_of)(&op, NULL), PSB_EARG, "argument a is NULL; expected a matrix");
    BAD(X(precinit_user)(&user, &none, &f), PSB_EARG, "argument calls->apply is NULL; expected a function");
    BAD(X(precinit_user)(&user, NULL, &f), PSB_EARG, "argument calls is NULL; expected the functions");
    BAD(X(precinit)(&user, "user"), PSB_EARG, "has no functions; expected psb_precinit_user");
    BAD(X(solver_new)(&s, p.a, "cg, prec=user"), PSB_EARG, "has no functions; expected psb_precinit_user");
    GOOD(psb_cdall_repl(&replicated, ctxt, 4));
    GOOD(psb_cdasb(replicated));
    if (np > 1)
        BAD(X(operator_new)(&op, replicated, &local_calls, &f), PSB_ENOTIMPL,
            "owned by several processes; expected one owner a row");
    psb_cdfree(replicated);
    calls.apply = multiply_local; /* alone */
    GOOD(X(operator_new)(&op, p.desc, &calls, &f));
    GOOD(X(operator_new)(&freed, p.desc, &local_calls, &f));
    X(operator_free)(freed);
    BAD(X(solver_new_op)(&s, freed, NULL, "cg"), PSB_EARG, "argument op is freed; expected an operator");
    BAD(X(operator_apply)(freed, p.b, p.x, 'N'), PSB_EARG, "argument op is freed; expected an operator");
    BAD(X(operator_apply)(op, p.b, p.x, 'C'), PSB_ENOTIMPL, "the operator does not transpose; expected op N");
    BAD(X(operator_apply)(op, p.b, wide.x, 'N'), PSB_EARG, "(columns: 1) and y (2) differ; expected as many");
    BAD(X(operator_apply)(op, p.b, p.b, 'N'), PSB_EARG, "arguments x and y are the same vector");
    BAD(X(operator_apply)(op, p.b, p.x, 'H'), PSB_EARG, "argument trans is 'H'; expected 'N', 'T' or 'C'");
    BAD(X(solver_new_op)(&s, op, NULL, "cg, prec=diag"), PSB_ENOTIMPL,
        "the operator has no function diagonal");
    BAD(X(solver_new_op)(&s, op, NULL, "cg, prec=bjac"), PSB_ENOTIMPL, "has no matrix near to it");
    BAD(X(solver_new_op)(&s, op, NULL, "cg, prec=l1-jacobi"), PSB_ENOTIMPL, "has no matrix near to it");
    EXPECT(!s);
    GOOD(X(solver_new_op)(&s, op, NULL, "bicg, prec=none"));
    BAD(X(solver_solve)(s, p.b, p.x, &res), PSB_ENOTIMPL,
        "option method is bicg, and the caller's functions");
    BAD(X(solver_solve)(s, p.b, q.x, &res), PSB_EARG, "argument x is not on the descriptor of the operator");
    X(solver_free)(s);
    GOOD(X(solver_new_op)(&s, op, NULL, "cg, prec=none, stop=backward"));
    BAD(X(solver_solve)(s, p.b, p.x, &res), PSB_EARG,
        "option stop is backward, and the norm of the operator");
    X(solver_free)(s);
    GOOD(X(precinit)(&m, "none"));
    BAD(X(solver_new_op)(&s, op, m, "cg") == PSB_OK ? X(solver_solve)(s, p.b, p.x, &res) : PSB_OK, PSB_EARG,
        "argument p is not built for the descriptor");
    X(solver_free)(s);
    GOOD(X(precbld_op)(m, op, NULL, NULL));
    GOOD(X(krylov_op)(op, m, p.b, p.x, NULL, &res));
    GOOD(X(precupd_op)(m, op));
    GOOD(X(solver_new_op)(&s, op, m, "cg"));
    X(operator_free)(op);
    BAD(X(solver_solve)(s, p.b, p.x, &res), PSB_EARG,
        "argument op is freed; expected an operator that outlives");
    X(solver_free)(s);
    X(precfree)(m);
    psb_cdfree(building);
    problem_free(&p);
    problem_free(&q);
    problem_free(&wide);
}

/* A polynomial of a preconditioner that does not transpose is refused for bicg, before any exchange; a view
 * has no text for a preconditioner of the caller. */
TEST(inner_functions)
{
    struct problem p = make_problem(PROBLEM_HPD, 4, 1, EVEN, NULL, NULL);
    struct stub f = { .a = p.a };
    struct X(prec_calls) calls = prec_calls;
    struct X(prec) *user = NULL, *outer = NULL, *outermost = NULL;
    struct X(operator) *op = NULL;
    struct X(solver) *s = NULL;
    struct psb_solve_result res;
    struct psb_solve_options o;
    char text[1000] = "", *end;
    FILE *to = tmpfile();
    calls.transposes = false;
    GOOD(X(precinit)(&f.m, "diag"));
    GOOD(X(precbld)(f.m, p.a, NULL, NULL));
    GOOD(X(precinit_user)(&user, &calls, &f));
    GOOD(X(precbld)(user, p.a, NULL, NULL));
    GOOD(X(precinit)(&outer, "neumann"));
    GOOD(X(prec_set_inner)(outer, user));
    GOOD(X(precbld)(outer, p.a, NULL, NULL));
    GOOD(X(precinit)(&outermost, "neumann"));
    GOOD(X(prec_set_inner)(outermost, outer));
    GOOD(X(precbld)(outermost, p.a, NULL, NULL));
    f.calls = 0;
    GOOD(psb_solve_parse("bicg", &o));
    BAD(X(krylov)(p.a, outermost, p.b, p.x, &o, &res), PSB_ENOTIMPL,
        "option method is bicg, and the caller's functions");
    EXPECT(f.calls == 0);
    GOOD(X(operator_of)(&op, p.a));
    GOOD(X(solver_new_op)(&s, op, user, "fcg, tol=1e-3"));
    GOOD(X(solver_view)(s, to));
    rewind(to);
    (void)!fread(text, 1, sizeof text - 1, to);
    fclose(to);
    EXPECT(me != 0 || strstr(text, "solver fcg, stop=relative, tol=0.001\n") == text);
    if ((end = strchr(text, '\n'))) {
        *end = 0;
        GOOD(psb_solve_parse(text + strlen("solver "), &o));
        EXPECT(o.method == PSB_FCG && o.tol == 1e-3);
    }
    X(solver_free)(s);
    X(operator_free)(op);
    X(precfree)(user);
    BAD(X(precupd)(outer, p.a), PSB_EARG, "the inner preconditioner of p is freed");
    X(precfree)(outermost);
    X(precfree)(outer);
    X(precfree)(f.m);
    problem_free(&p);
}

void operator_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "operators");
    ck_add_loop_tests(c, 2 * krylov_methods(), functions_for_a_matrix);
    ck_add_loop_tests(c, krylov_methods(), preconditioners_of_the_caller);
    ck_add_loop_tests(c, 12, polynomials_of_a_preconditioner);
    ck_add_loop_tests(c, 10, functions_fail);
    ck_add_loop_tests(c, 2 * SOME_DISTRIBUTIONS, products_and_diagonals);
    ck_add_tests(c, wrong_functions, inner_functions);
}
