/* solve_all.c -- test/kernel: every method with every preconditioner on matrices from files: a line
 * for each solve, and a count of outcomes.  The exit status is 1 if a result is wrong: a solve that claims to
 * have converged and whose residual, computed here, is larger than asked, an x that is not finite, or an
 * outcome without a reason.
 *
 * Usage: [mpirun -np N] solve_all [--type TYPE] [--quiet] [--itmax N] FILE.mtx...
 * b is A times a vector of ones; matrices that are not square, or not of the scalar type, are left out. */
#include "psb_cuda_format.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "bench.h"

// clang-format off
static const char *const precs[] = {
    "none", "diag", "l1-jacobi", "bjac(ilu0)", "bjac(milu0)", "bjac(ilu(1))", "bjac(ilut)", "bjac(ic0)", "bjac(bilu0)",
    "bjac(bic0)", "bjac(ilu0,sweeps=3)", "ras(ilu0)", "as(ilu0)", "ash(ilu0)", "chebyshev", "neumann", "ainv", "invk",
    "invt", "gs", "ssor", "bjac(ilu0,order=colour)"
};
// clang-format on
enum { PRECS = sizeof precs / sizeof *precs };

static struct {
    bool quiet;
    int itmax, me, wrong, solves, refused;
    int outcome[PSB_NOUTCOMES];
} run = { .itmax = 300 };

/* A x = b. */
struct system {
    psb_desc *desc;
    struct X(spmat) *a;
    struct X(vect) *b, *x, *r;
};

static void complain(const char *file, const char *prec, const char *method, const char *what, double value)
{
    run.wrong++;
    if (run.me == 0)
        printf("WRONG: %s, %s, %s: %s (%g)\n", file, prec, method, what, value);
}

/* |b - A x| / |b|, computed again. */
static double residual(const struct system *s)
{
    R r, b;
    good(X(geaxpby)(1, s->b, 0, s->r), "solve_all");
    good(X(spmv)(-1, s->a, s->x, 1, s->r, 'N'), "solve_all");
    good(X(genrm2)(s->r, &r), "solve_all");
    good(X(genrm2)(s->b, &b), "solve_all");
    return r == 0 ? 0 : (double)(r / b);
}

static void check(const struct system *s, const char *file, const char *prec, const char *method,
                  const struct psb_solve_result *res, double tol)
{
    R most;
    const double value = residual(s);
    good(X(geamax)(s->x, &most), "solve_all");
    run.solves++;
    run.outcome[res->outcome]++;
    if (!isfinite((double)most))
        complain(file, prec, method, "x is not finite", (double)most);
    if (res->outcome == PSB_CONVERGED && !(value <= 1.01 * tol))
        complain(file, prec, method, "converged with the residual", value);
    if (res->outcome != PSB_CONVERGED && res->outcome != PSB_MAX_ITERATIONS && !*res->why)
        complain(file, prec, method, "no reason for the outcome", res->outcome);
    if (run.me == 0 && !run.quiet)
        printf("%-24s %-20s %-13s %4d  %9.2e  %s%s%s\n", strrchr(file, '/') ? strrchr(file, '/') + 1 : file,
               prec, method, res->iterations, res->residual, psb_outcome_name(res->outcome),
               *res->why ? ": " : "", res->why);
}

static void solve_with(const struct system *s, const char *file, const char *prec)
{
    struct X(prec) *m;
    struct psb_solve_options o = psb_solve_defaults;
    good(X(precinit)(&m, prec), "solve_all");
    if (X(precbld)(m, s->a, NULL, NULL) != PSB_OK) {
        run.refused++;
        if (run.me == 0 && !run.quiet)
            printf("%-24s %-20s refused: %s\n", file, prec, psb_errtext());
        psb_clean_errstack();
        X(precfree)(m);
        return;
    }
    o.itmax = run.itmax;
    o.tol = sizeof(R) == sizeof(float) ? 1e-4 : 1e-8;
    for (int k = 0; k < PSB_NMETHODS; k++) {
        struct psb_solve_result res;
        o.method = (enum psb_method)k;
        good(X(vect_zero)(s->x), "solve_all");
        good(X(krylov)(s->a, m, s->b, s->x, &o, &res), "solve_all");
        check(s, file, prec, psb_method_name(o.method), &res, o.tol);
    }
    X(precfree)(m);
}

static void solve_file(psb_ctxt *ctxt, const char *file)
{
    struct system s = { .desc = NULL };
    psb_desc *col = NULL;
    if (X(mm_mat_read)(&s.a, &s.desc, &col, ctxt, file) != PSB_OK) {
        if (run.me == 0)
            printf("left out: %s\n", psb_errtext());
        psb_clean_errstack();
        return;
    }
    if (col == s.desc) {
        good(psb_cdasb(s.desc), "solve_all");
        good(X(spasb)(s.a, &X(csr_mold).mat, PSB_DUPL_ADD), "solve_all");
        good(X(vects_like)(s.a, &s.x, &s.b), "solve_all");
        good(X(vect_clone)(s.b, &s.r), "solve_all");
        good(X(set_scal)(1, s.x), "solve_all");
        good(X(spmv)(1, s.a, s.x, 0, s.b, 'N'), "solve_all");
        for (int p = 0; p < PRECS; p++)
            solve_with(&s, file, precs[p]);
    } else {
        if (run.me == 0)
            printf("%s is not square: left out\n", file);
        psb_cdfree(col);
    }
    X(gefree)(s.x);
    X(gefree)(s.b);
    X(gefree)(s.r);
    X(spfree)(s.a);
    psb_cdfree(s.desc);
}

int X(solve_all)(int argc, char **argv)
{
    psb_ctxt *ctxt = start(true);
    int np;
    psb_info(ctxt, &run.me, &np);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quiet") == 0)
            run.quiet = true;
        else if (strcmp(argv[i], "--itmax") == 0 && i + 1 < argc)
            run.itmax = atoi(argv[++i]);
        else
            solve_file(ctxt, argv[i]);
    }
    if (run.me == 0) {
        printf("type %c, %d processes: %d solves, %d preconditioners refused, %d wrong\n", LETTER, np,
               run.solves, run.refused, run.wrong);
        for (int k = 0; k < PSB_NOUTCOMES; k++)
            printf("  %6d %s\n", run.outcome[k], psb_outcome_name((enum psb_outcome)k));
    }
    finish(ctxt);
    return run.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
