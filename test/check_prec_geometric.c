/* check_prec_geometric.c -- test: levels of multigrid that the caller makes: geometric multigrid for the
 * Laplacians of psb_gen.h, beside algebraic multigrid. */
#include <stdlib.h>
#include "psb_cuda.h"
#include "own.h"
#include "psb_util.h"
#include "check_prec.h"
#include "amg.t.h"

/* A grid, and how the caller's function makes levels of it. */
struct box {
    struct psb_gen g;
    bool rediscretised; /* the matrix of the next level is that of the coarser grid */
    int calls;
    enum wrong { RIGHT, FAILS_ON_ONE, NONE_ON_ONE, NO_PROLONGATOR, NOT_ASSEMBLED, OTHER_ROWS } wrong;
};

static psb_ipk even_part(psb_lpk n)
{
    return (psb_ipk)(n * (me + 1) / np - n * me / np);
}

/* The grid of every second point: coarse point x is fine point 2 x + 1, fixed values are outside. */
static struct psb_gen coarser(struct psb_gen g)
{
    g.nx /= 2;
    g.ny /= 2;
    g.nz /= 2;
    g.m = g.nx * g.ny * g.nz;
    return g;
}

/* The coarse points from which x is interpolated in one direction, 1 or 2, and their weights. */
static int parents(psb_lpk x, psb_lpk coarse, psb_lpk *parent, double *weight)
{
    int n = 0;
    for (psb_lpk c = (x - 1) / 2 - (x == 0); c <= x / 2; c++)
        if (c >= 0 && c < coarse && labs((long)(2 * c + 1 - x)) <= 1) {
            parent[n] = c;
            weight[n++] = x % 2 ? 1 : 0.5;
        }
    return n;
}

/* Insert row i of trilinear interpolation. */
static psb_err insert_interpolation(const struct psb_gen *f, const struct psb_gen *c, psb_lpk i,
                                    struct X(spmat) *p)
{
    psb_lpk x[2], y[2], z[2];
    double wx[2], wy[2], wz[2];
    const int nx = parents(i % f->nx, c->nx, x, wx), ny = parents(i / f->nx % f->ny, c->ny, y, wy),
              nz = parents(i / f->nx / f->ny, c->nz, z, wz);
    for (int k = 0; k < nx * ny * nz; k++) {
        const int a = k % nx, b = k / nx % ny, d = k / nx / ny;
        const psb_lpk j = x[a] + c->nx * (y[b] + c->ny * z[d]);
        PSB_TRY(X(spins)(1, &i, &j, &(T){ (R)(wx[a] * wy[b] * wz[d]) }, p));
    }
    return PSB_OK;
}

/* Insert `factor` times the entries of the grid's matrix. */
static psb_err insert_grid(const struct psb_gen *g, R factor, psb_desc *d, struct X(spmat) *a)
{
    TRIPLETS t = { 0 };
    PSB_TRY(X(generate)(g, d, NULL, NULL, &t));
    for (psb_epk k = 0; k < t.nnz; k++)
        t.val[k] = factor * RE(t.val[k]); /* Hermitian */
    return X(spins)(t.nnz, t.ia, t.ja, t.val, a);
}

static psb_err fill_level(const struct psb_gen *f, const struct psb_gen *c, psb_desc *d, const psb_desc *rows,
                          struct X(spmat) *p, struct X(spmat) *coarse)
{
    for (psb_ipk l = 0; l < psb_cd_local_rows(rows); l++)
        PSB_TRY(insert_interpolation(f, c, psb_loc_to_glob(rows, l), p));
    return coarse ? insert_grid(c, 2, d, coarse) : PSB_OK; /* h doubles: P^T A P is near to 8 / 4 of it */
}

/* Half as many points in each direction, while there are any. */
static psb_err halve(void *data, int level, const struct X(spmat) *a, struct X(spmat) **p,
                     struct X(spmat) **coarse)
{
    struct box *b = data;
    psb_desc *d = NULL, *rows = X(sp_row_desc)(a);
    struct psb_gen f = b->g;
    for (int l = 0; l < level; l++)
        f = coarser(f);
    const struct psb_gen c = coarser(f);
    b->calls++;
    if (c.m == 0)
        return PSB_OK;
    PSB_TRY(psb_cdall_nl(&d, ctxt, even_part(c.m)));
    psb_err e = X(spall2)(p, b->wrong == OTHER_ROWS ? d : rows, d, 0);
    if (b->rediscretised)
        PSB_THEN(e, X(spall)(coarse, d, 0));
    PSB_THEN(e, b->wrong == OTHER_ROWS ? PSB_OK : fill_level(&f, &c, d, rows, *p, *coarse));
    PSB_THEN(e, psb_cdasb(d));
    PSB_THEN(e, b->wrong == NOT_ASSEMBLED ? PSB_OK : X(spasb)(*p, &X(csr_mold).mat, PSB_DUPL_ADD));
    if (b->rediscretised)
        PSB_THEN(e, X(spasb)(*coarse, &X(csr_mold).mat, PSB_DUPL_ADD));
    psb_cdfree(d);
    const bool none = b->wrong == NONE_ON_ONE && me == np - 1;
    if (b->wrong == NO_PROLONGATOR || none) {
        X(spfree)(*p);
        *p = NULL;
    }
    if (none) {
        X(spfree)(*coarse);
        *coarse = NULL;
    }
    return b->wrong == FAILS_ON_ONE && me == np - 1 ? (psb_err)-7 : e;
}

static struct problem grid_problem(const char *spec, bool device, struct psb_gen *g)
{
    struct problem p = { 0 };
    GOOD(psb_gen_parse(spec, g));
    p.n = (psb_ipk)g->m;
    GOOD(psb_cdall_nl(&p.desc, ctxt, even_part(g->m)));
    GOOD(X(spall)(&p.a, p.desc, 0));
    GOOD(insert_grid(g, 1, p.desc, p.a));
    GOOD(psb_cdasb(p.desc));
    GOOD(X(spasb)(p.a, device ? &X(hlg_mold).mat : &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(X(geall)(&p.b, p.desc));
    GOOD(X(geasb)(p.b, device ? &psb_vect_cuda : NULL));
    GOOD(X(vect_clone)(p.b, &p.x));
    GOOD(X(set_scal)(1, p.b));
    return p;
}

static int iterations_with(const struct problem *p, const struct X(prec) *m)
{
    struct psb_solve_options o = psb_solve_defaults;
    struct psb_solve_result res;
    o.method = PSB_CG;
    o.tol = sizeof(R) == sizeof(double) ? 1e-8 : 1e-4;
    GOOD(X(set_scal)(0, p->x));
    GOOD(X(krylov)(p->a, m, p->b, p->x, &o, &res));
    return res.outcome == PSB_CONVERGED ? res.iterations : o.itmax;
}

/* Iterations of CG on some grids, to 1e-8 in double precision, with levels P^H A P and those of the coarser
 * grids, beside algebraic multigrid; the levels that there are. */
TEST(iterations_beside_algebraic)
{
    static const struct {
        const char *spec;
        int levels, galerkin, rediscretised, algebraic;
    } grids[] = { { "lap7:15", 4, 6, 7, 8 }, { "lap27:15", 4, 6, 6, 7 }, { "lap7:20,9,14", 4, 6, 9, 8 } };
    const bool device = _i % 2;
    struct box b = { 0 };
    PROBLEM p = grid_problem(grids[_i / 2].spec, device, &b.g);
    PREC *m = built(&p, "amg(coarse=0)", NULL, NULL), *algebraic = built(&p, "amg(coarse=20)", NULL, NULL);
    GOOD(X(prec_set_coarsening)(m, halve, &b));
    int n[3] = { 0, 0, iterations_with(&p, algebraic) };
    for (int k = 0; k < 2; k++) {
        b.rediscretised = k == 1;
        b.calls = 0;
        GOOD(k == 0 ? X(precbld)(m, p.a, NULL, NULL) : X(precupd)(m, p.a));
        EXPECT(((const struct amg *)m->data)->n == grids[_i / 2].levels && b.calls == grids[_i / 2].levels);
        n[k] = iterations_with(&p, m);
    }
    EXPECT_SAYING(n[0] <= grids[_i / 2].galerkin && n[1] <= grids[_i / 2].rediscretised &&
                      n[2] <= grids[_i / 2].algebraic,
                  "%s: %d and %d iterations, %d algebraic", grids[_i / 2].spec, n[0], n[1], n[2]);
    GOOD(X(prec_set_coarsening)(m, NULL, NULL));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    EXPECT(iterations_with(&p, m) <= grids[_i / 2].algebraic + 1);
}

/* What the function returns and makes is checked on all processes. */
TEST(wrong_levels)
{
    static const char *const says[] = {
        [FAILS_ON_ONE] = "the caller's function coarsen failed",
        [NONE_ON_ONE] = "made is 0 on one process and 2 on another; expected the same on all",
        [NO_PROLONGATOR] = "made a matrix without a prolongator; expected both, or none",
        [NOT_ASSEMBLED] = "made a prolongator that is not assembled; expected psb_spasb before",
        [OTHER_ROWS] = "made a prolongator whose rows are distributed in another way",
    };
    struct box b = { .rediscretised = true, .wrong = (enum wrong)(FAILS_ON_ONE + _i) };
    PROBLEM p = grid_problem("lap7:7", false, &b.g);
    PREC *m = built(&p, "amg(coarse=0)", NULL, NULL);
    if (b.wrong == NONE_ON_ONE && np == 1)
        return;
    struct X(prec) *diag = built(&p, "diag", NULL, NULL);
    BAD(X(prec_set_coarsening)(diag, halve, &b), PSB_EARG, "argument p is of type diag; expected amg");
    X(precfree)(diag);
    GOOD(X(prec_set_coarsening)(m, halve, &b));
    BAD(X(precbld)(m, p.a, NULL, NULL), PSB_EARG, says[b.wrong]);
    EXPECT(iterations_with(&p, m) < 9); /* as it was */
}

void prec_geometric_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "multigrid, geometric");
    ck_add_loop_tests(c, 6, iterations_beside_algebraic);
    ck_add_loop_tests(c, OTHER_ROWS - RIGHT, wrong_levels);
}
