/* check_prec_modes.c -- test: multigrid with near-null vectors and nodes of several unknowns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_prec.h"
#include "krylov_inside.t.h"
#include "amg.t.h"
#include "psb_alloc.h"

/* --- elasticity ----------------------------------------------------------------------------------------- */

/* The derivatives of the multilinear shape function of corner c of the unit cube at x: bit i of c is the
 * corner's coordinate i. */
static void shape_derivatives(int dim, int c, const double *x, double *d)
{
    for (int i = 0; i < dim; i++) {
        d[i] = 1;
        for (int k = 0; k < dim; k++)
            d[i] *= k == i ? (c >> k & 1 ? 1 : -1) : (c >> k & 1 ? x[k] : 1 - x[k]);
    }
}

enum { SIDE = 24 }; /* rows of the matrix of an element in 3 dimensions */

/* The matrix of an element of size 1 with the Lame constants 1 and 1. */
static void element_matrix(int dim, double *k)
{
    memset(k, 0, SIDE * SIDE * sizeof *k);
    for (int point = 0; point < 1 << dim; point++) {
        double x[3], a[3], b[3];
        for (int i = 0; i < dim; i++)
            x[i] = 0.5 + (point >> i & 1 ? 0.5 : -0.5) / sqrt(3);
        for (int r = 0; r < dim << dim; r++)
            for (int c = 0; c < dim << dim; c++) {
                const int i = r % dim, j = c % dim;
                shape_derivatives(dim, r / dim, x, a);
                shape_derivatives(dim, c / dim, x, b);
                double v = a[i] * b[j] + a[j] * b[i];
                for (int l = 0; l < dim && i == j; l++)
                    v += a[l] * b[l];
                k[r * SIDE + c] += v / (1 << dim);
            }
    }
}

/* A body of e elements a side, clamped where the last coordinate is 0, or free; nodes in blocks.  *xyz: its
 * coordinates. */
static struct problem body(int dim, psb_lpk e, bool is_free, const struct X(mat) *mold,
                           const struct psb_vmold *vmold, struct X(vect) **xyz)
{
    const psb_lpk layer = dim == 2 ? e + 1 : (e + 1) * (e + 1), skip = is_free ? 0 : layer;
    const psb_lpk nodes = layer * (e + 1) - skip, low = nodes * me / np, high = nodes * (me + 1) / np;
    struct problem p = { .n = (psb_ipk)(dim * nodes) };
    double k[SIDE * SIDE];
    element_matrix(dim, k);
    GOOD(psb_cdall_nl(&p.desc, ctxt, (psb_ipk)(dim * (high - low))));
    GOOD(X(spall)(&p.a, p.desc, 0));
    for (psb_lpk node = low + skip; node < high + skip; node++)
        for (int r = 0; r < 1 << dim; r++) { /* the element of which node is corner r */
            psb_lpk at[3] = { node % (e + 1), node / (e + 1) % (e + 1), node / (e + 1) / (e + 1) };
            bool inside = true;
            for (int i = 0; i < dim; i++) {
                at[i] -= r >> i & 1;
                inside = inside && at[i] >= 0 && at[i] < e;
            }
            for (int c = 0; c < 1 << dim && inside; c++) {
                const psb_lpk other = at[0] + (c & 1) + (e + 1) * (at[1] + (c >> 1 & 1)) +
                                      (dim == 3 ? layer * (at[2] + (c >> 2)) : 0);
                for (int ij = 0; ij < dim * dim && other >= skip; ij++) {
                    const psb_lpk i = dim * (node - skip) + ij / dim, j = dim * (other - skip) + ij % dim;
                    const T v = (R)k[(r * dim + ij / dim) * SIDE + c * dim + ij % dim];
                    GOOD(X(spins)(1, &i, &j, &v, p.a));
                }
            }
        }
    GOOD(psb_cdasb(p.desc));
    GOOD(X(spasb)(p.a, mold, PSB_DUPL_ADD));
    GOOD(X(geall)(&p.b, p.desc));
    GOOD(X(geasb)(p.b, vmold));
    GOOD(X(vect_clone)(p.b, &p.x));
    GOOD(X(geall)(xyz, p.desc));
    for (psb_lpk i = dim * low; i < dim * high; i++) {
        const psb_lpk node = i / dim + skip;
        const psb_lpk at[3] = { node % (e + 1), node / (e + 1) % (e + 1), node / (e + 1) / (e + 1) };
        GOOD(X(geins)(1, &i, &(T){ (R)at[i % dim] / (R)e }, *xyz, PSB_DUPL_ADD));
    }
    GOOD(X(geasb)(*xyz, NULL));
    return p;
}

/* The iterations of cg on p with multigrid by text and near-null space q; null: also the null space. */
static int iterations_of(struct problem *p, const char *text, const struct X(nullspace) *q, bool null)
{
    struct psb_solve_result res;
    PREC *m = NULL;
    struct X(operator) *op = NULL;
    struct X(solver) *s = NULL;
    char method[80];
    GOOD(X(precinit)(&m, text));
    GOOD(X(prec_set_near_null)(m, q));
    GOOD(X(precbld)(m, p->a, NULL, NULL));
    snprintf(method, sizeof method, "cg, tol=%g", sizeof(R) == 8 ? 1e-8 : 1e-3);
    GOOD(X(operator_of)(&op, p->a));
    GOOD(X(solver_new_op)(&s, op, m, method));
    if (null)
        GOOD(X(solver_set_nullspace)(s, q, NULL));
    GOOD(X(set_scal)(0, p->x));
    GOOD(X(solver_solve)(s, p->b, p->x, &res));
    EXPECT_SAYING(res.outcome == PSB_CONVERGED, "%s: %s, residual %g", text, res.why, res.residual);
    X(solver_free)(s);
    X(operator_free)(op);
    return res.iterations;
}

/* Few iterations with the rigid bodies, more without. */
TEST(rigid_bodies)
{
    const int dim = 2 + _i / 2;
    const bool device = _i % 2;
    struct X(vect) *xyz = NULL;
    struct X(nullspace) *q = NULL;
    PROBLEM p = body(dim, dim == 2 ? 20 : 8, false, device ? &X(csrg_mold).mat : &X(csr_mold).mat,
                     device ? &psb_vect_cuda : NULL, &xyz);
    GOOD(X(nullspace_rigid)(&q, dim, xyz));
    GOOD(X(set_scal)(1, p.b));
    const int best = iterations_of(&p, "amg(coarse=50)", q, false);
    const int nodes = iterations_of(
        &p, dim == 2 ? "amg(coarse=50, unknowns=2)" : "amg(coarse=50, unknowns=3)", NULL, false);
    const int rows = iterations_of(&p, "amg(coarse=50)", NULL, false);
    const int plain = iterations_of(&p, "amg(coarse=50, prolongator=unsmoothed, cycle=W)", q, false);
    EXPECT_SAYING(best <= (sizeof(R) == 8 ? 15 : 9) && best < nodes && best < rows && best < plain &&
                      plain < rows,
                  "%d, %d, %d, %d iterations", best, nodes, rows, plain);
    X(nullspace_free)(q);
    X(gefree)(xyz);
}

/* A free body: its null space are the rigid bodies. */
TEST(free_bodies)
{
    const int dim = 2 + _i;
    struct X(vect) *xyz = NULL;
    struct X(nullspace) *q = NULL;
    PROBLEM p = body(dim, dim == 2 ? 20 : 6, true, &X(csr_mold).mat, NULL, &xyz);
    GOOD(X(nullspace_rigid)(&q, dim, xyz));
    EXPECT(q->n == (dim == 2 ? 3 : 6));
    for (int m = 0; m < q->n; m++) {
        R norm;
        GOOD(X(spmv)(1, p.a, q->v[m], 0, p.b, 'N'));
        GOOD(X(genrm2)(p.b, &norm));
        EXPECT_SAYING(norm < 100 * EPS, "body %d: %g", m, (double)norm);
    }
    GOOD(X(set_random)(p.b, 0));
    VECT *some = NULL;
    GOOD(X(vect_clone)(p.b, &some));
    for (int k = 0; k < 6; k++) {
        const char *const coarsest[] = { "amg(coarse=50)", "amg(coarse=6)", "amg(coarse=0)" };
        if (k == 3) /* a system with solutions, null space not known */
            GOOD(X(spmv)(1, p.a, some, 0, p.b, 'N'));
        const int n = iterations_of(&p, coarsest[k % 3], q, k < 3);
        EXPECT_SAYING(n <= (sizeof(R) == 8 ? 20 : 12), "%s: %d iterations", coarsest[k % 3], n);
    }
    X(nullspace_free)(q);
    X(gefree)(xyz);
}

/* The product of a prolongator by the next level's vectors are those of this level, which A takes to 0; on an
 * aggregate, of rows or of pairs, dependent vectors are no columns. */
TEST(vectors_in_the_range)
{
    enum { N = 40, M = 3 };
    static const double vectors[M][2] = { { 1, 0 }, { 2, 0 }, { 0, 1 } };
    const bool pairs = _i % 2;
    T a[N * N] = { 0 }, b[N] = { 0 };
    for (int i = 0; i < N; i++) /* two rings: the even and the odd rows */
        for (int k = 0; k < 3; k++)
            a[i * N + (i + 2 * (k + N - 1)) % N] = (R)(k == 1 ? 2 : -1);
    PROBLEM p = dense_problem(N, a, b, some_distributions[_i / 2]);
    const psb_ipk n = psb_cd_local_rows(p.desc);
    struct X(amg_modes) q = { .m = M, .single = !pairs, .nodes = pairs ? (n + 1) / 2 : n };
    GOOD(psb_alloc(&q.first, (size_t)n + 1, sizeof *q.first, "nodes"));
    GOOD(psb_alloc(&q.v, (size_t)n * M, sizeof *q.v, "vectors"));
    HEAP T *want = malloc(((size_t)n + 1) * M * sizeof *want);
    for (psb_ipk i = 0; i <= n; i++)
        q.first[i] = !pairs ? i : 2 * i < n ? 2 * i : n;
    for (psb_ipk i = 0; i < n * M; i++)
        want[i] = q.v[i] = (R)vectors[i % M][psb_loc_to_glob(p.desc, i / M) % 2];
    struct X(spmat) *prolongator = NULL;
    GOOD(X(amg_modes_prolongator)(p.a, 0.01, (R)0.6, &q, &prolongator));
    const psb_ipk coarse = psb_cd_local_rows(prolongator->col);
    EXPECT(coarse == q.first[q.nodes] && coarse <= (pairs ? 2 : 1) * q.nodes);
    for (int j = 0; j < M; j++) {
        struct X(vect) *x = NULL, *y = NULL;
        T *v;
        const T *got;
        GOOD(X(vects_like)(prolongator, &x, &y));
        GOOD(X(host_write)(x, &v));
        for (psb_ipk i = 0; i < coarse; i++)
            v[i] = q.v[i * M + j];
        GOOD(X(spmv)(1, prolongator, x, 0, y, 'N'));
        GOOD(X(host_read)(y, &got));
        for (psb_ipk i = 0; i < n; i++)
            EXPECT(ABS(got[i] - want[i * M + j]) < 100 * EPS);
        X(gefree)(x);
        X(gefree)(y);
    }
    X(spfree)(prolongator);
    X(amg_modes_free)(&q);
}

TEST(wrong_near_null_spaces)
{
    struct X(vect) *xyz = NULL;
    struct X(nullspace) *q = NULL, *other = NULL, *freed = NULL;
    psb_desc *d = NULL;
    PREC *m = NULL, *diag = NULL, *single = NULL;
    PROBLEM p = body(2, 6, false, &X(csr_mold).mat, NULL, &xyz);
    GOOD(psb_cdall_nl(&d, ctxt, 3));
    GOOD(psb_cdasb(d));
    GOOD(X(nullspace_new)(&other, d, true, 0, NULL));
    GOOD(X(nullspace_new)(&freed, p.desc, true, 0, NULL));
    X(nullspace_free)(freed);
    BAD(X(nullspace_rigid)(&q, 2, NULL), PSB_EARG, "argument xyz is NULL; expected a vector of coordinates");
    BAD(X(nullspace_rigid)(&q, 4, xyz), PSB_EARG, "argument dim is 4; expected 2 or 3");
    BAD(X(nullspace_rigid)(NULL, 2, xyz), PSB_EARG, "argument q is NULL");
    if (np > 1)
        BAD(X(nullspace_rigid)(&q, me == 0 ? 2 : 3, xyz), PSB_EARG, "argument");
    GOOD(X(set_scal)(1, xyz));
    BAD(X(nullspace_rigid)(&q, 2, xyz), PSB_EARG, "depends on the vectors before it");
    EXPECT(!q);
    GOOD(X(precinit)(&m, "amg(coarse=0, unknowns=5)"));
    GOOD(X(precinit)(&diag, "diag"));
    BAD(X(prec_set_near_null)(NULL, other), PSB_EARG, "argument p is NULL; expected a preconditioner");
    BAD(X(prec_set_near_null)(diag, other), PSB_EARG, "argument p is of type diag; expected amg");
    BAD(X(prec_set_near_null)(m, freed), PSB_EARG, "argument q is freed; expected a null space");
    if (sizeof(R) == 8) {
        GOOD(X(precinit)(&single, "amg(precision=single)"));
        BAD(X(prec_set_near_null)(single, other), PSB_ENOTIMPL, "argument p has precision=single");
    }
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_EARG, "expected a multiple of option unknowns, which is 5");
    GOOD(X(prec_set_near_null)(m, other));
    X(nullspace_free)(other);
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_EARG, "the near-null space of the preconditioner is freed");
    GOOD(X(nullspace_new)(&other, d, true, 0, NULL));
    X(precfree)(m);
    m = NULL;
    GOOD(X(precinit)(&m, "amg"));
    GOOD(X(prec_set_near_null)(m, other));
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_EARG, "the near-null space is on another descriptor");
    GOOD(X(prec_set_near_null)(m, NULL));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    X(nullspace_free)(other);
    X(gefree)(xyz);
    psb_cdfree(d);
}

/* Each allocation that fails on one process fails on all. */
TEST(allocations_of_rigid_bodies_fail)
{
    struct X(vect) *xyz = NULL;
    PROBLEM p = body(2, 4, false, &X(csr_mold).mat, NULL, &xyz);
    int failed = 1;
    for (long n = 1; n < 2000 && failed; n++) {
        struct X(nullspace) *q = NULL;
        struct X(prec) *m = NULL;
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = X(nullspace_rigid)(&q, 2, xyz);
        if (e == PSB_OK)
            e = psb_agree(ctxt, X(precinit)(&m, "amg(coarse=10)"));
        if (e == PSB_OK)
            e = X(prec_set_near_null)(m, q);
        if (e == PSB_OK)
            e = X(precbld)(m, p.a, NULL, NULL);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
        X(precfree)(m);
        X(nullspace_free)(q);
    }
    EXPECT(!failed);
    X(gefree)(xyz);
}

void prec_modes_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "near-null vectors");
    ck_add_loop_tests(c, 4, rigid_bodies);
    ck_add_loop_tests(c, 2, free_bodies);
    ck_add_loop_tests(c, 2 * SOME_DISTRIBUTIONS, vectors_in_the_range);
    ck_add_tests(c, wrong_near_null_spaces, allocations_of_rigid_bodies_fail);
}
