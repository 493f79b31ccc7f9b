/* check_prec_hostile.c -- test: multigrid for matrices that it is not made for: each is solved, or refused in
 * words that say what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_prec.h"

enum { SIDE = 6, N = SIDE * SIDE, ODD = 7 };

/* A Laplacian of SIDE^2 points whose rows sum to 1, or: to 0; in two parts; in two parts or in pairs whose
 * rows sum to 0; without couplings; with rows and columns of all sizes; near the ends of the range; with
 * eigenvalues of both signs; with row ODD empty, without a diagonal, or with an entry that is not finite. */
enum hostile {
    NEUMANN,
    PARTS,
    CLOSED_PARTS,
    PAIRS,
    ALONE,
    GRADED,
    TINY,
    HUGE_VALUES,
    INDEFINITE,
    SOLVED, /* those before */
    ZERO_ROW = SOLVED,
    ZERO_DIAGONAL,
    NAN_DIAGONAL,
    NAN_BESIDE,
    INFINITE,
    KINDS
};

static bool joined(enum hostile kind, int i, int j)
{
    const bool halves = kind == PARTS || kind == CLOSED_PARTS;
    if (kind == ALONE || (halves && i / (N / 2) != j / (N / 2)) || (kind == PAIRS && i / 2 != j / 2))
        return false;
    return abs(i % SIDE - j % SIDE) + abs(i / SIDE - j / SIDE) == 1;
}

static R factor_of(enum hostile kind, int i, int j)
{
    const int most = sizeof(R) == sizeof(double) ? 900 : 100;
    return (R)ldexp(1, kind == GRADED ? -i - j : kind == TINY ? -most : kind == HUGE_VALUES ? most : 0);
}

static void fill_hostile(enum hostile kind, T *a)
{
    const bool closed = kind == NEUMANN || kind == CLOSED_PARTS || kind == PAIRS;
    for (int i = 0; i < N; i++) {
        R sum = closed ? 0 : kind == INDEFINITE ? (R)-2.3 : 1;
        for (int j = 0; j < N; j++) {
            sum += joined(kind, i, j);
            a[i * N + j] = joined(kind, i, j) && (kind != ZERO_ROW || i != ODD) ? -factor_of(kind, i, j) : 0;
        }
        a[i * N + i] = sum * factor_of(kind, i, i);
    }
    if (kind >= SOLVED)
        a[ODD * N + ODD] = kind == NAN_DIAGONAL ? NAN : kind == ZERO_ROW || kind == ZERO_DIAGONAL ? 0 : 4;
    if (kind == NAN_BESIDE || kind == INFINITE)
        a[ODD * N + ODD + 1] = kind == INFINITE ? INFINITY : NAN;
}

/* b = A x for some x. */
static void right_side(int n, const T *a, T *b)
{
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++)
            b[i] += a[i * n + j] == 0 ? 0 : a[i * n + j] * (R)sin(1.7 * j + 1);
    }
}

static struct problem hostile_problem(int n, const T *a, enum distribution where, bool device)
{
    T b[N];
    right_side(n, a, b);
    struct problem p = dense_problem(n, a, b, where);
    if (device) {
        GOOD(X(vect_cnv)(p.x, &psb_vect_cuda));
        GOOD(X(vect_cnv)(p.b, &psb_vect_cuda));
        GOOD(X(spcnv)(p.a, &X(csrg_mold).mat));
    }
    return p;
}

static const char *const precs[] = { "amg", "amg(coarse=2)", "amg(coarse=0)", "amg(coarse=2, smoother=ssor)",
                                     "amg(coarse=2, cycle=K)" };
enum { PRECS = sizeof precs / sizeof *precs };

static const char *solver_text(int prec)
{
    static char text[200];
    snprintf(text, sizeof text, "fgmres, restart=40, tol=%g, itmax=80, prec=%s",
             sizeof(R) == sizeof(double) ? 1e-9 : 1e-3, precs[prec]);
    return text;
}

TEST(hostile_matrices)
{
    const enum hostile kind = (enum hostile)(_i % KINDS);
    const bool finite = kind < NAN_DIAGONAL;
    T a[N * N];
    struct psb_solve_result res;
    fill_hostile(kind, a);
    for (int prec = 0; prec < PRECS; prec++) {
        PROBLEM p = hostile_problem(N, a, some_distributions[_i / KINDS], (prec + _i) % 2);
        if (kind < SOLVED || (prec == 0 && finite)) {
            GOOD(X(solve)(p.a, p.b, p.x, solver_text(prec), &res));
            EXPECT_SAYING(res.outcome == PSB_CONVERGED, "kind %d, %s: %s %s, %d iterations, %g", kind,
                          precs[prec], psb_outcome_name(res.outcome), res.why, res.iterations, res.residual);
        } else {
            BAD(X(solve)(p.a, p.b, p.x, solver_text(prec), &res), PSB_EPIVOT,
                finite ? "row 7 has a diagonal of modulus 0" : "row 7 has an entry that is not finite");
        }
    }
}

/* A system without a solution is solved for the nearest right-hand side, if the null space is known. */
TEST(known_null_space)
{
    T a[N * N];
    struct psb_solve_result res;
    fill_hostile(NEUMANN, a);
    PROBLEM p = hostile_problem(N, a, some_distributions[_i / 2], _i % 2);
    GOOD(X(set_scal)(1, p.x));
    GOOD(X(geaxpby)(1, p.x, 1, p.b));
    GOOD(X(set_scal)(0, p.x));
    for (int prec = 0; prec < PRECS; prec++) {
        struct X(solver) *s = NULL;
        struct X(nullspace) *ones = NULL;
        GOOD(X(nullspace_new)(&ones, p.desc, true, 0, NULL));
        GOOD(X(solver_new)(&s, p.a, solver_text(prec)));
        GOOD(X(solver_set_nullspace)(s, ones, NULL));
        GOOD(X(solver_solve)(s, p.b, p.x, &res));
        EXPECT(res.outcome == PSB_CONVERGED && res.iterations < 20);
        X(solver_free)(s);
        X(nullspace_free)(ones);
    }
}

/* No row, one row. */
TEST(hardly_a_matrix)
{
    const int n = _i % 2;
    T a = 3;
    struct psb_solve_result res;
    for (int turn = 0; turn < PRECS * 2; turn++) {
        PROBLEM p = hostile_problem(n, &a, some_distributions[_i / 2], turn % 2);
        GOOD(X(solve)(p.a, p.b, p.x, solver_text(turn / 2), &res));
        EXPECT(res.outcome == PSB_CONVERGED && res.iterations <= n);
    }
}

void prec_hostile_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "multigrid, hostile");
    ck_add_sampled_tests(c, KINDS * SOME_DISTRIBUTIONS, hostile_matrices);
    ck_add_loop_tests(c, 2 * SOME_DISTRIBUTIONS, known_null_space, hardly_a_matrix);
}
