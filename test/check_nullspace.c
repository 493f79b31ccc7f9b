/* check_nullspace.c -- test: singular systems whose null spaces are known. */
#include "suites.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_krylov.h"

enum { N = 12 };

static double tolerance(void)
{
    return sizeof(R) == sizeof(float) ? 1e-4 : 1e-9;
}

/* Singular matrices: the Laplacian of a ring, null vector 1; D L D, null vector 1 / d; D (1 - shift) of a
 * directed ring, null vector 1, and 1 / d of its transpose. */
enum kind { RING, SCALED, DIRECTED, RINGS };

static double weight(int i)
{
    return 1 + 0.25 * (i % 4);
}

static double entry(enum kind kind, int i, int j)
{
    const bool next = j == (i + 1) % N, former = i == (j + 1) % N;
    const double l = i == j ? 2 : next || former ? -1 : 0;
    if (kind == DIRECTED)
        return weight(i) * (i == j ? 1.5 : next ? -1 : former ? -0.5 : 0);
    return kind == RING ? l : weight(i) * l * weight(j);
}

static double null_right(enum kind kind, int i)
{
    return kind == SCALED ? 1 / weight(i) : 1;
}

static double null_left(enum kind kind, int i)
{
    return kind == RING ? 1 : 1 / weight(i);
}

/* b = A want + part times the left null vector; want is orthogonal to the right one. */
static struct problem ring(enum kind kind, double part, enum distribution where)
{
    T a[N * N], b[N];
    double x[N], dot = 0, square = 0;
    for (int i = 0; i < N; i++) {
        x[i] = sin(1.7 * i + 1);
        dot += x[i] * null_right(kind, i);
        square += null_right(kind, i) * null_right(kind, i);
    }
    for (int i = 0; i < N; i++)
        x[i] -= dot / square * null_right(kind, i);
    for (int i = 0; i < N; i++) {
        double sum = part * null_left(kind, i);
        for (int j = 0; j < N; j++) {
            a[i * N + j] = (R)entry(kind, i, j);
            sum += entry(kind, i, j) * x[j];
        }
        b[i] = (R)sum;
    }
    struct problem p = dense_problem(N, a, b, where);
    for (int i = 0; i < N; i++)
        p.want[i] = (R)x[i];
    return p;
}

/* The space of one vector. */
static struct X(nullspace) *space(const struct problem *p, enum kind kind, double (*f)(enum kind, int))
{
    struct X(nullspace) *q = NULL;
    struct X(vect) *v = NULL;
    T all[N];
    for (int i = 0; i < N; i++)
        all[i] = (R)(3 * f(kind, i));
    GOOD(X(vect_clone)(p->x, &v));
    GOOD(X(scatter)(v, all, -1));
    GOOD(kind == RING ? X(nullspace_new)(&q, p->desc, true, 0, NULL)
                      : X(nullspace_new)(&q, p->desc, false, 1, &v));
    X(gefree)(v);
    return q;
}

static bool is_hermitian_method(const char *text)
{
    return strstr(text, "cg") == text || strstr(text, "fcg") == text || strstr(text, "minres") == text ||
           strstr(text, "block-cg") == text;
}

/* Consistent and inconsistent systems, from a guess of 0, give the solution without a part in the null space;
 * so does the next solve, which allocates nothing, and transfers nothing to a device. */
TEST(rings)
{
    static const char *const precs[] = { "none", "diag", "chebyshev" };
    const char *const method = krylov_method(_i % krylov_methods());
    const enum kind kind = (enum kind)(_i / krylov_methods());
    if (kind == DIRECTED && is_hermitian_method(method) && strcmp(method, "cgs") != 0)
        return;
    for (int turn = 0; turn < 6; turn++) {
        struct problem p = ring(kind, turn % 2 ? 5 : 0, some_distributions[turn % SOME_DISTRIBUTIONS]);
        struct X(nullspace) *right = space(&p, kind, null_right), *left = space(&p, kind, null_left);
        struct X(solver) *s = NULL;
        struct psb_solve_result res;
        char text[200];
        const char *prec = strcmp(method, "richardson") == 0 ? "chebyshev" : precs[turn % 3];
        snprintf(text, sizeof text, "%s, prec=%s, tol=%g, itmax=400", method, prec, tolerance());
        const bool device = turn / 3 && kind != DIRECTED, all = device && turn % 2;
        if (device) {
            GOOD(X(vect_cnv)(p.x, &psb_vect_cuda));
            GOOD(X(vect_cnv)(p.b, &psb_vect_cuda));
        }
        if (all)
            GOOD(X(spcnv)(p.a, &X(csrg_mold).mat));
        GOOD(X(solver_new)(&s, p.a, text));
        GOOD(X(solver_set_nullspace)(s, right, kind == DIRECTED ? left : NULL));
        for (int n = 0; n < 2; n++) {
            GOOD(X(set_scal)(0, p.x));
            psb_alloc_fail_at(CK_NEVER);
            psb_transfers_reset();
            GOOD(X(solver_solve)(s, p.b, p.x, &res));
            const long made = ck_allocations();
            const struct psb_transfer_counts moved = psb_transfers("vector");
            collective_note(n == 0 || made == 0 || (all && np > 1), /* p.x was assembled without a device */
                            __FILE__, __LINE__, "ring %d, turn %d, %s: %ld allocations, %d iterations", kind,
                            turn, text, made, res.iterations);
            collective_note(n == 0 || np > 1 || !all || (moved.puts == 0 && moved.gets == 0), __FILE__,
                            __LINE__, "%s: %lld transfers to the device, %lld back", text, moved.puts,
                            moved.gets);
            const double error = problem_error(&p);
            collective_note(
                res.outcome == PSB_CONVERGED && res.residual <= tolerance() && error < 1e3 * tolerance(),
                __FILE__, __LINE__, "ring %d, turn %d, %s: %s %s after %d, residual %g, error %g", kind, turn,
                text, psb_outcome_name(res.outcome), res.why, res.iterations, res.residual, error);
        }
        X(solver_free)(s);
        X(nullspace_free)(right);
        X(nullspace_free)(left);
        problem_free(&p);
    }
}

/* A right-hand side in the null space is one of 0; x keeps what the guess has there. */
TEST(nothing_is_left_of_b)
{
    struct problem p = ring(RING, 0, EVEN);
    struct X(nullspace) *q = space(&p, RING, null_right);
    struct X(solver) *s = NULL;
    struct psb_solve_result res;
    char text[2000] = "";
    FILE *f = tmpfile();
    memset(p.want, 0, N * sizeof *p.want);
    GOOD(X(set_scal)((R)0.1, p.b));
    GOOD(X(solver_new)(&s, p.a, krylov_method(_i)));
    GOOD(X(solver_set_nullspace)(s, q, NULL));
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 0 && problem_error(&p) == 0);
    T guess[N];
    for (int i = 0; i < N; i++) {
        guess[i] = (R)(7 + (i % 2 ? 1 : -1));
        p.want[i] = 7;
    }
    GOOD(X(scatter)(p.x, guess, -1));
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 0 && res.residual == 0 &&
           problem_error(&p) < 100 * EPS);
    GOOD(X(solver_view)(s, f));
    rewind(f);
    (void)!fread(text, 1, sizeof text - 1, f);
    EXPECT(me != 0 ||
           (strstr(text, "  null space: 1 vector, of the conjugate transpose: 1\n") &&
            strstr(text, "  column 0: a part of b of norm 3.464e-01, in the null space, left out\n")));
    fclose(f);
    X(solver_free)(s);
    X(nullspace_free)(q);
    problem_free(&p);
}

/* Of two columns one has nothing left of b; its guess is kept while the other is solved. */
TEST(nothing_is_left_of_a_column)
{
    struct problem p = ring(RING, 0, some_distributions[_i % SOME_DISTRIBUTIONS]);
    struct X(nullspace) *q = space(&p, RING, null_right);
    struct X(solver) *s = NULL;
    struct X(vect) *b = NULL, *x = NULL;
    struct psb_solve_result res[2];
    T all[2 * N], guess[2 * N];
    char text[100];
    GOOD(X(gather)(p.b, all, -1));
    for (int i = N - 1; i >= 0; i--) {
        all[2 * i + 1] = all[i];
        all[2 * i] = (R)0.5;
        guess[2 * i] = guess[2 * i + 1] = (R)(3 + (i % 2 ? 1 : -1));
    }
    snprintf(text, sizeof text, "%s%s, tol=%g, itmax=400", krylov_method(_i),
             strcmp(krylov_method(_i), "richardson") == 0 ? ", prec=chebyshev" : "", tolerance());
    GOOD(X(vects_like_n)(p.a, 2, &b, &x));
    GOOD(X(scatter)(b, all, -1));
    GOOD(X(scatter)(x, guess, -1));
    GOOD(X(solver_new)(&s, p.a, text));
    GOOD(X(solver_set_nullspace)(s, q, NULL));
    GOOD(X(solver_solve)(s, b, x, res));
    EXPECT(res[0].outcome == PSB_CONVERGED && res[0].iterations == 0 && res[0].residual == 0);
    EXPECT(res[1].outcome == PSB_CONVERGED);
    GOOD(X(gather)(x, all, -1));
    for (int i = 0; i < N; i++)
        EXPECT(ABS(all[2 * i] - 3) < 100 * EPS && ABS(all[2 * i + 1] - 3 - p.want[i]) < 1e3 * tolerance());
    X(gefree)(b);
    X(gefree)(x);
    X(solver_free)(s);
    X(nullspace_free)(q);
    problem_free(&p);
}

/* A = 0 but for the last row, by a basis of 17 vectors that is not orthogonal. */
TEST(many_null_vectors)
{
    enum { M = 18 };
    T a[M * M] = { 0 }, b[M];
    struct X(vect) *v[M - 1] = { NULL };
    struct X(nullspace) *q = NULL;
    struct X(solver) *s = NULL;
    struct psb_solve_result res;
    a[M * M - 1] = 3;
    for (int i = 0; i < M; i++)
        b[i] = 6;
    struct problem p = dense_problem(M, a, b, EVEN);
    p.want[M - 1] = 2;
    for (int i = 0; i < M - 1; i++) {
        for (int j = 0; j < M; j++)
            b[j] = (R)(j <= i ? 1 + j % 3 : 0);
        GOOD(X(vect_clone)(p.x, &v[i]));
        GOOD(X(scatter)(v[i], b, -1));
    }
    GOOD(X(nullspace_new)(&q, p.desc, false, M - 1, v));
    GOOD(X(solver_new)(&s, p.a, "cg, prec=none"));
    GOOD(X(solver_set_nullspace)(s, q, NULL));
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    EXPECT(res.outcome == PSB_CONVERGED && problem_error(&p) < 1000 * EPS);
    for (int i = 0; i < M - 1; i++)
        X(gefree)(v[i]);
    X(solver_free)(s);
    X(nullspace_free)(q);
    problem_free(&p);
}

TEST(wrong_null_spaces)
{
    struct problem p = ring(RING, 0, EVEN);
    struct X(nullspace) *q = NULL, *freed = NULL, *other = NULL, *ones = NULL;
    struct X(solver) *s = NULL;
    struct X(vect) *v[3] = { NULL }, *wide = NULL, *local = NULL;
    struct psb_solve_result res;
    psb_desc *d = NULL;
    for (int i = 0; i < 3; i++) {
        GOOD(X(vect_clone)(p.b, &v[i]));
        GOOD(X(geaxpby)((R)i, p.b, i == 2, v[i])); /* 0, b, 3 b */
    }
    GOOD(X(geall_n)(&wide, p.desc, 2));
    GOOD(X(geasb)(wide, NULL));
    GOOD(X(vect_new)(&local, 3, NULL));
    GOOD(psb_cdall_nl(&d, ctxt, 50)); /* on no process the rows of p */
    BAD(X(nullspace_new)(&q, NULL, true, 0, NULL), PSB_EARG, "argument desc is NULL; expected a descriptor");
    BAD(X(nullspace_new)(&q, d, true, 0, NULL), PSB_ESTATE, "argument desc is not assembled");
    GOOD(psb_cdasb(d));
    BAD(X(nullspace_new)(NULL, p.desc, true, 0, NULL), PSB_EARG,
        "argument q is NULL; expected where to store");
    BAD(X(nullspace_new)(&q, p.desc, false, 0, NULL), PSB_EARG,
        "argument n is 0; expected a vector, or constants");
    BAD(X(nullspace_new)(&q, p.desc, true, -1, NULL), PSB_EARG, "argument n is -1; expected a vector");
    BAD(X(nullspace_new)(&q, p.desc, true, 2, NULL), PSB_EARG, "argument v is NULL; expected 2 vectors");
    BAD(X(nullspace_new)(&q, p.desc, false, 1, &v[0]), PSB_EARG,
        "argument v[0] has the norm 0; expected a finite one");
    BAD(X(nullspace_new)(&q, p.desc, false, 2, &v[1]), PSB_EARG,
        "argument v[1] depends on the vectors before it");
    GOOD(X(set_scal)(2, v[2]));
    BAD(X(nullspace_new)(&q, p.desc, true, 1, &v[2]), PSB_EARG,
        "argument constant depends on the vectors before it");
    BAD(X(nullspace_new)(&q, p.desc, false, 1, &wide), PSB_EARG, "argument v[0] has 2 columns; expected one");
    BAD(X(nullspace_new)(&q, p.desc, false, 1, &local), PSB_EARG, "argument v[0] is not on the descriptor");
    GOOD(X(set_scal)((T)INFINITY, v[0]));
    BAD(X(nullspace_new)(&q, p.desc, false, 1, v), PSB_EARG, "expected a finite one that is not 0");
    GOOD(X(set_scal)(me == np - 1 ? (T)NAN : 1, v[0]));
    BAD(X(nullspace_new)(&q, p.desc, false, 1, v), PSB_EARG, "expected a finite one that is not 0");
    if (np > 1)
        BAD(X(nullspace_new)(&q, p.desc, true, me == np - 1, &v[1]), PSB_EARG,
            "argument n is 0 on one process and 1 on another; expected the same on all");
    if (np > 1)
        BAD(X(nullspace_new)(&q, p.desc, me == np - 1, me < np - 1, &v[1]), PSB_EARG,
            "argument n is 0 on one process and 1 on another; expected the same on all");
    if (np > 1)
        BAD(X(nullspace_new)(&q, p.desc, me == np - 1, 1, &v[1]), PSB_EARG,
            "argument constant is 0 on one process and 1 on another; expected the same on all");
    EXPECT(!q);
    GOOD(X(nullspace_new)(&q, p.desc, true, 1, &v[1]));
    GOOD(X(nullspace_new)(&freed, p.desc, true, 0, NULL));
    GOOD(X(nullspace_new)(&other, d, true, 0, NULL));
    X(nullspace_free)(freed);
    GOOD(X(solver_new)(&s, p.a, "cg"));
    BAD(X(solver_set_nullspace)(NULL, q, NULL), PSB_EARG, "argument s is NULL; expected a solver");
    BAD(X(solver_set_nullspace)(s, freed, NULL), PSB_EARG, "argument q is freed; expected a null space");
    BAD(X(solver_set_nullspace)(s, NULL, q), PSB_EARG, "argument q is NULL; expected a null space");
    BAD(X(solver_set_nullspace)(s, me == np - 1 ? other : q, NULL), PSB_EARG,
        "argument q is on another descriptor");
    BAD(X(solver_set_nullspace)(s, q, me == np - 1 ? other : q), PSB_EARG,
        "argument left is on another descriptor");
    if (np > 1)
        BAD(X(solver_set_nullspace)(s, me == np - 1 ? NULL : q, NULL), PSB_EARG,
            "the number of vectors of argument q is 0 on one process and 2 on another");
    GOOD(X(nullspace_new)(&ones, p.desc, true, 0, NULL));
    if (np > 1)
        BAD(X(solver_set_nullspace)(s, q, me == np - 1 ? ones : q), PSB_EARG,
            "the number of vectors of argument left is 1 on one process and 2 on another");
    X(nullspace_free)(ones);
    GOOD(X(solver_set_nullspace)(s, q, NULL));
    X(nullspace_free)(q);
    BAD(X(solver_solve)(s, p.b, p.x, &res), PSB_EARG,
        "argument q is freed; expected a null space that outlives");
    BAD(X(solver_view)(s, stdout), PSB_EARG, "argument q is freed; expected a null space that outlives");
    GOOD(X(solver_set_nullspace)(s, NULL, NULL));
    GOOD(X(solver_solve)(s, p.b, p.x, &res));
    for (int i = 0; i < 3; i++)
        X(gefree)(v[i]);
    X(gefree)(wide);
    X(gefree)(local);
    X(solver_free)(s);
    X(nullspace_free)(other);
    psb_cdfree(d);
    problem_free(&p);
}

/* Each allocation that fails on one process fails on all. */
TEST(allocations_of_a_null_space_fail)
{
    struct problem p = ring(SCALED, 1, EVEN);
    struct psb_solve_result res;
    int failed = 1;
    for (long n = 1; n < 300 && failed; n++) {
        struct X(solver) *s = NULL;
        struct X(nullspace) *q = NULL;
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = X(nullspace_new)(&q, p.desc, true, 1, &p.b);
        if (e == PSB_OK)
            e = X(solver_new)(&s, p.a, "bicg");
        if (e == PSB_OK)
            e = X(solver_set_nullspace)(s, q, NULL);
        if (e == PSB_OK)
            e = X(solver_solve)(s, p.b, p.x, &res);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
        X(solver_free)(s);
        X(nullspace_free)(q);
    }
    EXPECT(!failed);
    problem_free(&p);
}

void nullspace_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "null spaces");
    ck_add_loop_tests(c, krylov_methods() * RINGS, rings);
    ck_add_loop_tests(c, krylov_methods(), nothing_is_left_of_b, nothing_is_left_of_a_column);
    ck_add_tests(c, many_null_vectors, wrong_null_spaces, allocations_of_a_null_space_fail);
}
