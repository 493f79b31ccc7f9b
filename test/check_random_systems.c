/* check_random_systems.c -- test: small random systems, many of them singular or indefinite, by every
 * method, compared with LAPACK: a solve gives the right answer or a code that says why not. */
#include "config.h"
#include "check_krylov.h"
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LAPACK
enum { MOST_ROWS = 12, SYSTEMS = 200 };

/* Solve A X = B by LU factors with pivoting; *info > 0: A is singular. */
void PSB_CAT(PSB_NOW, gesv_)(const int *n, const int *k, T *a, const int *lda, int *ipiv, T *b,
                             const int *ldb, int *info);

/* A dense system, by rows, and what LAPACK says of it. */
struct system {
    int n, singular;
    T a[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS];
    double cond; /* in the infinity norm */
};

/* --- making a system ------------------------------------------------------------------------------------ */

enum random_kind { GENERAL, DOMINANT, HERMITIAN, POSITIVE, RANK_ONE_LESS, EMPTY_ROWS, SKEW, RANDOM_KINDS };

/* Make a Hermitian, or skew-Hermitian (sign -1), from its lower triangle. */
static void mirror(struct system *s, T sign)
{
    for (int i = 0; i < s->n; i++) {
        T d = s->a[i * s->n + i];
        s->a[i * s->n + i] = RE(sign) > 0 ? MAKE(RE(d), 0) : MAKE(0, IM(d));
        for (int j = 0; j < i; j++)
            s->a[j * s->n + i] = sign * CONJ(s->a[i * s->n + j]);
    }
}

static void add_to_diagonal(struct system *s, T d)
{
    for (int i = 0; i < s->n; i++)
        s->a[i * s->n + i] += d;
}

/* Set a row to 0, or to the sum of two others. */
static void spoil_row(struct system *s, int i, int zero)
{
    for (int j = 0; j < s->n; j++)
        s->a[i * s->n + j] = zero ? 0 : s->a[(i + 1) % s->n * s->n + j] + s->a[(i + 2) % s->n * s->n + j];
}

static void make_entries(struct system *s, enum random_kind kind, struct rng *r)
{
    for (int i = 0; i < s->n * s->n; i++)
        s->a[i] = rng_below(r, 3) ? random_scalar(r) : 0;
    for (int i = 0; i < s->n; i++)
        s->b[i] = random_scalar(r);
    if (kind == HERMITIAN || kind == POSITIVE)
        mirror(s, 1);
    if (kind == SKEW)
        mirror(s, -1);
    if (kind == DOMINANT || kind == POSITIVE)
        add_to_diagonal(s, (T)(2 * s->n));
    if (kind == RANK_ONE_LESS || kind == EMPTY_ROWS)
        spoil_row(s, rng_below(r, s->n), kind == EMPTY_ROWS);
}

/* --- LAPACK --------------------------------------------------------------------------------------------- */

static double norm_of(const T *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += (double)ABS(a[i * n + j]);
        most = fmax(most, sum);
    }
    return most;
}

/* x = A^-1 b, and the condition number from the inverse. */
static void solve_dense(struct system *s)
{
    const int n = s->n, one = n + 1;
    T lu[MOST_ROWS * MOST_ROWS], rhs[MOST_ROWS * (MOST_ROWS + 1)] = { 0 }, inverse[MOST_ROWS * MOST_ROWS];
    int pivots[MOST_ROWS], info;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            lu[j * n + i] = s->a[i * n + j]; /* LAPACK stores columns */
    for (int j = 0; j < n; j++)
        rhs[j * n + j] = 1;
    memcpy(rhs + n * n, s->b, (size_t)n * sizeof *rhs);
    PSB_CAT(PSB_NOW, gesv_)(&n, &one, lu, &n, pivots, rhs, &n, &info);
    for (int i = 0; i < n && info == 0; i++)
        for (int j = 0; j < n; j++)
            inverse[i * n + j] = rhs[j * n + i];
    s->cond = info == 0 ? norm_of(s->a, n) * norm_of(inverse, n) : INFINITY;
    s->singular = !(s->cond < 0.01 / (double)EPS);
    memcpy(s->x, rhs + n * n, (size_t)n * sizeof *s->x);
}

static void make_system(struct system *s, int number)
{
    struct rng r = { (uint64_t)number + 1 };
    memset(s, 0, sizeof *s);
    s->n = number % 10 == 0 ? 1 : 2 + rng_below(&r, MOST_ROWS - 1);
    make_entries(s, (enum random_kind)(number % RANDOM_KINDS), &r);
    solve_dense(s);
}

/* --- our solve ------------------------------------------------------------------------------------------ */

static struct problem distribute_system(const struct system *s)
{
    struct problem p = dense_problem(s->n, s->a, s->b, EVEN);
    memcpy(p.want, s->x, (size_t)s->n * sizeof *p.want);
    return p;
}

/* A converged solve has the residual it claims, and is as near to LAPACK's solution as the condition allows;
 * any other outcome has a text or is the limit of iterations, and x is finite. */
static void check_answer(const struct system *s, const struct problem *p, const struct psb_solve_result *res,
                         double tol, const char *what)
{
    double error = problem_error(p), size = 0;
    for (int i = 0; i < s->n; i++)
        size = fmax(size, (double)ABS(s->x[i]));
    if (res->outcome != PSB_CONVERGED) {
        collective_note(*res->why || res->outcome == PSB_MAX_ITERATIONS, __FILE__, __LINE__, "%s: no reason",
                        what);
        collective_note(s->singular || isfinite(error), __FILE__, __LINE__, "%s: not finite", what);
        return;
    }
    const double residual = residual_of(p, 0);
    collective_note(residual <= 2 * tol, __FILE__, __LINE__, "%s: residual %g, claimed %g", what, residual,
                    res->residual);
    collective_note(s->singular || error <= 4 * s->cond * s->n * tol * (size + 1), __FILE__, __LINE__,
                    "%s: error %g, condition %g", what, error, s->cond);
}

/* Methods that must solve: GMRES without a restart whatever is not singular; CG and its variants what is
 * positive definite. */
static int must_converge(const struct system *s, int number, enum psb_method m)
{
    if (s->singular || s->cond > 1e3)
        return 0;
    if (m == PSB_RGMRES || m == PSB_FGMRES)
        return 1;
    const int kind = number % RANDOM_KINDS;
    return (kind == POSITIVE || s->n == 1) && kind != SKEW && RE(s->a[0]) > 0 &&
           (s->n > 1 || IM(s->a[0]) == 0) && m != PSB_RICHARDSON;
}

TEST(against_lapack)
{
    const double tol = sizeof(R) == sizeof(float) ? 1e-4 : 1e-8;
    struct system s;
    make_system(&s, _i);
    PROBLEM p = distribute_system(&s);
    for (int m = 0; m < krylov_methods(); m++) {
        struct psb_solve_options o;
        struct psb_solve_result res;
        char what[80];
        GOOD(psb_solve_parse(krylov_method(m), &o));
        o.tol = tol;
        o.itmax = 200;
        GOOD(X(set_scal)(0, p.x));
        GOOD(X(krylov)(p.a, NULL, p.b, p.x, &o, &res));
        snprintf(what, sizeof what, "system %d, %s: %s", _i, krylov_method(m), psb_outcome_name(res.outcome));
        check_answer(&s, &p, &res, tol, what);
        collective_note(res.outcome == PSB_CONVERGED || !must_converge(&s, _i, o.method), __FILE__, __LINE__,
                        "%s: %s", what, res.why);
    }
}

void random_systems_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "random systems");
    ck_add_sampled_tests(c, SYSTEMS, against_lapack);
}
#else
void random_systems_tests(Suite *s)
{
    (void)s;
}
#endif
