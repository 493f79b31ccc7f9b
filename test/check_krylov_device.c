/* check_krylov_device.c -- test: solves whose coefficients are on the device: the results, the history and
 * the reports of solves on the host. */
#include "suites.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "gpu.h"
#include "check_krylov.h"

static const char *const methods[] = { "cg", "cg-single", "bicgstab", "cgs" };
static const char *const precs[] = { "none", "diag", "l1-jacobi" };
enum {
    METHODS = sizeof methods / sizeof *methods,
    PRECS = sizeof precs / sizeof *precs,
    MOST_ESTIMATES = 400
};

/* What a solve tells. */
struct told {
    struct psb_solve_result res;
    int n, monitored;
    double history[MOST_ESTIMATES], monitor[MOST_ESTIMATES];
    char traced[100]; /* the last line of the trace */
    bool on_device;
};

static void note_estimate(void *arg, int it, int n, const double *estimate)
{
    struct told *t = arg;
    EXPECT(n == 1 && it == t->monitored && it < MOST_ESTIMATES);
    t->monitor[t->monitored++] = estimate[0];
}

/* Does the view of s say that coefficients are on the device? */
static bool views_device(const struct X(solver) *s)
{
    char line[200];
    bool says = false;
    FILE *f = tmpfile();
    GOOD(X(solver_view)(s, f));
    rewind(f);
    while (fgets(line, sizeof line, f))
        says = says || strstr(line, "coefficients: on the device");
    fclose(f);
    return says;
}

static struct told solve(struct problem *p, const char *text)
{
    static struct told t;
    struct X(solver) *s = NULL;
    struct X(prec) *m = NULL;
    struct psb_solve_options o;
    t = (struct told){ .n = 0 };
    GOOD(X(solver_new)(&s, p->a, text));
    GOOD(X(solver_solve)(s, p->b, p->x, &t.res));
    GOOD(X(solver_history)(s, 0, &t.n, NULL));
    EXPECT(t.n == t.res.iterations + 1 && t.n <= MOST_ESTIMATES);
    GOOD(X(solver_history)(s, 0, &t.n, t.history));
    t.on_device = views_device(s);
    X(solver_free)(s);
    GOOD(psb_solve_parse(text, &o));
    o.itrace = 1;
    o.monitor = note_estimate;
    o.arg = &t;
    o.trace = tmpfile();
    struct psb_solve_result again;
    GOOD(X(precinit_opt)(&m, &o.prec));
    GOOD(X(precbld)(m, p->a, NULL, NULL));
    GOOD(X(set_scal)(0, p->x));
    GOOD(X(krylov)(p->a, m, p->b, p->x, &o, &again));
    EXPECT(again.outcome == t.res.outcome && again.iterations == t.res.iterations &&
           again.estimate == t.res.estimate && again.residual == t.res.residual);
    rewind(o.trace);
    while (fgets(t.traced, sizeof t.traced, o.trace))
        ;
    fclose(o.trace);
    X(precfree)(m);
    return t;
}

/* The same on the host and on the device, up to rounding; the monitor is told each estimate of the history,
 * in order, and the last line of the trace is the same. */
static void compare(enum problem_kind kind, const char *text)
{
    struct problem host = make_problem(kind, 8, 1, EVEN, NULL, NULL),
                   dev = make_problem(kind, 8, 1, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
    const struct told want = solve(&host, text), got = solve(&dev, text);
    const double close = sizeof(R) == sizeof(float) ? 1e-2 : 1e-6;
    EXPECT_SAYING(got.res.outcome == want.res.outcome && strcmp(got.res.why, want.res.why) == 0, "%s: %s, %s",
                  text, got.res.why, want.res.why);
    EXPECT_SAYING(got.res.iterations == want.res.iterations && got.monitored == want.monitored,
                  "%s: %d and %d iterations", text, got.res.iterations, want.res.iterations);
    EXPECT(me > 0 || strncmp(got.traced, want.traced, strcspn(want.traced, ".")) == 0);
    for (int i = 0; i < got.n; i++)
        EXPECT(got.history[i] == got.monitor[i] &&
               (i >= want.n || fabs(got.history[i] - want.history[i]) <= close * want.history[0] ||
                isnan(want.history[i])));
    EXPECT(!want.on_device);
    if (psb_vect_cuda.device() && (np == 1 || strcmp(psb_cd_transport(dev.desc, NULL), "lsa") == 0))
        EXPECT(me > 0 || got.on_device);
    problem_free(&host);
    problem_free(&dev);
}

TEST(device_converges)
{
    char text[100];
    snprintf(text, sizeof text, "%s, prec=%s, tol=%g", methods[_i % METHODS], precs[_i / METHODS],
             sizeof(R) == sizeof(float) ? 1e-3 : 1e-8);
    compare(PROBLEM_HPD, text);
    if (_i % METHODS > 1)
        compare(PROBLEM_CONVECTION, text);
}

TEST(device_does_not_converge)
{
    static const char *const texts[] = { "itmax=0", "itmax=1", "itmax=7", "itmax=7, stop=reduction",
                                         "itmax=7, stop=absolute" };
    char text[100];
    for (int i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "%s, prec=diag, tol=1e-30, %s", methods[_i], texts[i]);
        compare(PROBLEM_HPD, text);
    }
    if (_i < 2) { /* breaks down */
        snprintf(text, sizeof text, "%s, prec=none", methods[_i]);
        compare(PROBLEM_INDEFINITE, text);
    }
}

/* A right-hand side that is not finite; one whose solution the method finds exactly, where the norm is 0. */
TEST(device_is_not_finite)
{
    struct problem p = make_problem(PROBLEM_HPD, 6, 1, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
    struct psb_solve_result res;
    GOOD(X(set_scal)((T)NAN, p.b));
    GOOD(X(solve)(p.a, p.b, p.x, methods[_i], &res));
    EXPECT(res.outcome == PSB_DIVERGED && res.iterations == 0);
    GOOD(X(set_scal)(0, p.x));
    GOOD(X(set_scal)((T)1e-30, p.b));
    GOOD(X(solve)(p.a, p.b, p.x, methods[_i], &res));
    EXPECT(res.outcome == PSB_CONVERGED);
    problem_free(&p);
}

/* Each allocation that fails on the last process, those in the midst of a run among them, is an error on all.
 */
TEST(device_allocation_fails)
{
    struct problem p = make_problem(PROBLEM_HPD, 8, 1, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
    struct psb_solve_result res;
    char text[100];
    int failed = 1;
    snprintf(text, sizeof text, "%s, prec=diag, tol=1e-140, itmax=200", methods[_i]);
    GOOD(X(solve)(p.a, p.b, p.x, text, &res)); /* makes the channels */
    GOOD(X(set_scal)(0, p.x));
    for (long n = 1; n < 400 && failed; n++) {
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        const psb_err e = X(solve)(p.a, p.b, p.x, text, &res);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM || e == PSB_EMPI));
        GOOD(X(set_scal)(0, p.x));
    }
    EXPECT(!failed);
    GOOD(X(solve)(p.a, p.b, p.x, text, &res));
    EXPECT(sizeof(R) == sizeof(float) || res.iterations > 63); /* the history has grown */
    problem_free(&p);
}

/* A kept solver gives the same bits after other exchanges of halos, and after exchanges of more columns,
 * which take new memory.  The fake device has no graphs: only several GPUs can show a graph in the wrong
 * turn. */
TEST(device_after_other_exchanges)
{
    struct problem p = make_problem(PROBLEM_HPD, 8, 1, EVEN, &X(csrg_mold).mat, &psb_vect_cuda);
    struct psb_solve_result want, got;
    struct X(vect) *wide = NULL, *first = NULL;
    struct X(solver) *s = NULL;
    char text[100];
    snprintf(text, sizeof text, "%s, prec=diag, tol=1e-30, itmax=15", methods[_i]);
    GOOD(X(solver_new)(&s, p.a, text));
    GOOD(X(solver_solve)(s, p.b, p.x, &want));
    GOOD(X(vect_clone)(p.x, &first));
    for (int turn = 0; turn < 6; turn++) {
        for (int i = 0; i < turn % 3; i++)
            GOOD(X(halo)(p.b, 'N'));
        if (turn == 3) {
            GOOD(X(geall_n)(&wide, p.desc, 7));
            GOOD(X(geasb)(wide, &psb_vect_cuda));
            GOOD(X(halo)(wide, 'N'));
        }
        GOOD(X(set_scal)(0, p.x));
        GOOD(X(solver_solve)(s, p.b, p.x, &got));
        EXPECT(got.iterations == want.iterations && got.residual == want.residual);
        GOOD(X(geaxpby)(-1, first, 1, p.x));
        R off = 1;
        GOOD(X(geamax)(p.x, &off));
        EXPECT(off == 0);
    }
    X(solver_free)(s);
    X(gefree)(wide);
    X(gefree)(first);
    problem_free(&p);
}

/* Fake devices of one host reach each other's memory. */
static void one_host(void)
{
    psb_fake_hosts(1);
}

static void several_hosts(void)
{
    psb_fake_hosts(0);
}

void device_solve_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "coefficients on the device");
    tcase_add_checked_fixture(c, one_host, several_hosts);
    ck_add_loop_tests(c, METHODS * PRECS, device_converges);
    ck_add_loop_tests(c, METHODS, device_does_not_converge, device_is_not_finite, device_allocation_fails,
                      device_after_other_exchanges);
}
