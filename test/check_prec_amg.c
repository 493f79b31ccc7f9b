/* check_prec_amg.c -- test: algebraic multigrid: what it computes, iterations, special matrices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_prec.h"
#include "amg.t.h"

/* A preconditioner for a Hermitian matrix is Hermitian, with each cycle and symmetric smoother. */
TEST(hermitian_cycles)
{
    static const char *const cycles[] = {
        "amg(coarse=4)",
        "amg(coarse=0, cycle=W, sweeps=2)",
        "amg(coarse=4, theta=0.2)",
        "amg(coarse=4, smoother=ssor)",
        "amg(coarse=2, cycle=add, gather=0)",
        "amg(coarse=2, presweeps=2, postsweeps=2, smoother=ssor;chebyshev(kind=fourth);l1-jacobi)",
        "amg(coarse=2, gather=50)",
        "amg(coarse=2, levels=2, smoother=bjac(ic0))",
        "amg(coarse=2, aggregation=matching, passes=2)",
        "amg(coarse=2, prolongator=unsmoothed, cycle=W)",
    };
    PROBLEM p = make_problem(PROBLEM_HPD, 6, 1, distribution_of_turn(_i, 10), NULL, NULL);
    EXPECT(prec_asymmetry(&p, cycles[_i % 10]) < SMALL);
}

/* Cycles that change from one vector to the next: of twice a vector they make twice the result. */
TEST(varying_cycles)
{
    static const char *const cycles[] = { "amg(coarse=2, cycle=K)",
                                          "amg(coarse=2, cycle=KCG, postsweeps=0)" };
    PROBLEM p = make_problem(PROBLEM_HPD, 6, 3, distribution_of_turn(_i, 2), NULL, NULL);
    PREC *m = built(&p, cycles[_i % 2], NULL, NULL);
    T one[3 * 36], two[3 * 36];
    GOOD(X(precapply)(m, p.b, p.x, 'N'));
    GOOD(X(gather)(p.x, one, -1));
    GOOD(X(gescal)(2, p.b));
    GOOD(X(precapply)(m, p.b, p.x, 'N'));
    GOOD(X(gather)(p.x, two, -1));
    for (psb_ipk i = 0; i < 3 * p.n; i++)
        EXPECT(two[i] == 2 * one[i]);
}

/* A matrix of few rows is inverted. */
TEST(one_level_is_exact)
{
    PROBLEM p = make_problem(PROBLEM_CONVECTION, 5, 1, (enum distribution)_i, NULL, NULL);
    HEAP T *a = matrix_image(&p), *exact = image_inverse(p.n, a);
    EXPECT(prec_distance(&p, "amg(coarse=25)", exact) < SMALL);
}

/* The grid of m by m by m points with 6 or 26 neighbours, coefficient -1 each; closed: rows sum to 0. */
static struct problem grid(psb_lpk m, int neighbours, bool closed, const struct X(mat) *mold,
                           const struct psb_vmold *vmold)
{
    const psb_lpk n = m * m * m;
    struct problem p = { .n = (psb_ipk)n };
    GOOD(psb_cdall_nl(&p.desc, ctxt, (psb_ipk)(n * (me + 1) / np - n * me / np)));
    GOOD(X(spall)(&p.a, p.desc, 0));
    for (psb_lpk i = n * me / np; i < n * (me + 1) / np; i++) {
        T d = (T)(closed ? 0 : neighbours);
        for (int side = 0; side < 27; side++) {
            const psb_lpk dx = side % 3 - 1, dy = side / 3 % 3 - 1, dz = side / 9 - 1;
            const psb_lpk x = i % m + dx, y = i / m % m + dy, z = i / m / m + dz, j = x + m * (y + m * z);
            const T v = -1;
            if (j == i || x < 0 || x >= m || y < 0 || y >= m || z < 0 || z >= m ||
                (neighbours == 6 && dx * dx + dy * dy + dz * dz > 1))
                continue;
            GOOD(X(spins)(1, &i, &j, &v, p.a));
            d += closed ? 1 : 0;
        }
        GOOD(X(spins)(1, &i, &i, &d, p.a));
    }
    GOOD(psb_cdasb(p.desc));
    GOOD(X(spasb)(p.a, mold, PSB_DUPL_ADD));
    GOOD(X(geall)(&p.b, p.desc));
    GOOD(X(geasb)(p.b, vmold));
    GOOD(X(vect_clone)(p.b, &p.x));
    return p;
}

/* The matrix of p, all rows on each process. */
static struct problem replicated(const struct problem *p)
{
    struct problem r = { .n = p->n };
    HEAP T *a = matrix_image(p);
    GOOD(psb_cdall_repl(&r.desc, ctxt, p->n));
    GOOD(X(spall)(&r.a, r.desc, 0));
    for (psb_lpk i = 0; i < p->n; i++)
        for (psb_lpk j = 0; j < p->n; j++)
            if (a[i * p->n + j] != 0)
                GOOD(X(spins)(1, &i, &j, &a[i * p->n + j], r.a));
    GOOD(psb_cdasb(r.desc));
    GOOD(X(spasb)(r.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    return r;
}

/* all[g] = the aggregate of row g of a level; -1 if it has none. */
static void aggregates_of(const struct amg_level *v, psb_lpk *all)
{
    const struct X(spmat) *p0 = v->of.p0;
    struct psb_l_vect *x = NULL;
    struct X(coo_mat) *c = NULL;
    psb_lpk *of;
    GOOD(psb_l_geall(&x, p0->row));
    GOOD(psb_l_geasb(x, NULL));
    GOOD(psb_l_set_scal(-1, x));
    GOOD(psb_l_host_update(x, &of));
    GOOD(X(sp_rows)(p0, &c));
    for (psb_epk k = 0; k < c->mat.nnz; k++)
        of[c->ia[k]] = psb_loc_to_glob(p0->col, c->ja[k]);
    GOOD(psb_l_gather(x, all, -1));
    X(mat_free)(&c->mat);
    psb_l_gefree(x);
}

/* The aggregates are those of one process: on all levels where processes own parts of the rows in order, else
 * on the finest; one process goes by the local order of its rows. */
TEST(coupled_aggregates)
{
    const bool ordered = _i < CYCLIC || _i >= DISTRIBUTIONS;
    PROBLEM p = _i < DISTRIBUTIONS ? make_problem(PROBLEM_HPD, 8, 1, (enum distribution)_i, NULL, NULL)
                                   : grid(8, _i == DISTRIBUTIONS ? 6 : 26, false, &X(csr_mold).mat, NULL);
    PROBLEM r = replicated(&p);
    PREC *m = built(&p, "amg(coarse=2)", NULL, NULL), *one = built(&r, "amg(coarse=2)", NULL, NULL);
    const struct amg *q = m->data, *want = one->data;
    psb_lpk x[512], y[512];
    if (np == 1 && _i == SHUFFLED)
        return;
    EXPECT(q->n > 2 && (q->n == want->n || !ordered));
    for (int l = 0; l < (ordered ? q->n - 1 : 1); l++) {
        const psb_lpk n = psb_cd_global_rows(q->level[l].a->row);
        EXPECT(psb_cd_global_rows(want->level[l].a->row) == n);
        aggregates_of(&q->level[l], x);
        aggregates_of(&want->level[l], y);
        for (psb_lpk i = 0; i < n; i++) {
            EXPECT(!ordered || x[i] == y[i]);
            for (psb_lpk j = 0; j < i; j++)
                EXPECT((x[i] == x[j]) == (y[i] == y[j]));
        }
    }
}

/* The complexity of entries that the view states. */
static double complexity_of(const struct X(solver) *s)
{
    char line[200];
    double c = 0;
    FILE *f = tmpfile();
    GOOD(X(solver_view)(s, f));
    rewind(f);
    while (fgets(line, sizeof line, f))
        (void)!sscanf(line, " complexity: %lf", &c);
    fclose(f);
    GOOD(psb_max(ctxt, 1, &c, -1));
    return c;
}

/* Few iterations on a grid, as many on the device, and the same bits again, on any number of processes. */
TEST(iterations_on_a_grid)
{
    const bool device = _i % 2, all = _i / 2;
    PROBLEM p = grid(20, all ? 26 : 6, false, device ? &X(csrg_mold).mat : &X(csr_mold).mat,
                     device ? &psb_vect_cuda : NULL);
    struct psb_solve_result res[2];
    const char *text = sizeof(R) == sizeof(double) ? "cg, tol=1e-8, prec=amg" : "cg, tol=1e-4, prec=amg";
    for (int i = 0; i < 2; i++) {
        struct X(solver) *s = NULL;
        GOOD(X(set_scal)(1, p.b));
        GOOD(X(set_scal)(0, p.x));
        GOOD(X(solver_new)(&s, p.a, text));
        GOOD(X(solver_solve)(s, p.b, p.x, &res[i]));
        EXPECT(res[i].outcome == PSB_CONVERGED && res[i].iterations <= (sizeof(R) == sizeof(double) ? 9 : 5));
        EXPECT(complexity_of(s) < (all ? 1.1 : 1.6));
        X(solver_free)(s);
    }
    EXPECT(res[0].residual == res[1].residual);
}

/* Each cycle with the method it asks for, and multigrid by itself. */
TEST(cycles_as_solvers)
{
    static const struct {
        const char *text;
        int most;
    } solver[] = {
        { "cg, prec=amg(coarse=20)", 9 },
        { "cg, prec=amg(coarse=20, cycle=W)", 9 },
        { "fcg, prec=amg(coarse=20, cycle=F)", 9 },
        { "gcr, prec=amg(coarse=20, cycle=K)", 9 },
        { "fcg, prec=amg(coarse=20, cycle=KCG)", 9 },
        { "cg, prec=amg(coarse=20, cycle=add)", 25 },
        { "cg, prec=amg(coarse=20, smoother=chebyshev(kind=fourth))", 7 },
        { "bicgstab, prec=amg(coarse=20, presweeps=0, smoother=gs;l1-jacobi)", 12 },
        { "richardson, prec=amg(coarse=20, smoother=ssor)", 16 },
        { "cg, prec=amg(coarse=20, levels=2, sweeps=2)", 9 },
        { "cg, prec=amg(coarse=20, aggregation=decoupled)", 9 },
        { "cg, prec=amg(coarse=20, aggregation=matching)", 9 },
        { "fcg, prec=amg(coarse=20, prolongator=unsmoothed, cycle=KCG)", 25 },
    };
    const bool device = _i % 2;
    PROBLEM p = grid(12, 6, false, device ? &X(csrg_mold).mat : &X(csr_mold).mat,
                     device ? &psb_vect_cuda : NULL);
    struct psb_solve_result res;
    char text[200];
    snprintf(text, sizeof text, "%s, tol=%g", solver[_i / 2].text, sizeof(R) == 8 ? 1e-8 : 1e-4);
    GOOD(X(set_scal)(1, p.b));
    GOOD(X(solve)(p.a, p.b, p.x, text, &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations <= solver[_i / 2].most);
}

/* Pairs by weight: pass 1 takes (1, 2), then (3, 4), pass 2 the pairs (0) and (1, 2).  Row 5 is alone; 6 and
 * 7 have a positive entry, 8 and 9 a large one. */
TEST(matching_by_weight)
{
    static const struct {
        psb_ipk i, j;
        double v;
    } entries[] = { { 0, 1, -1 }, { 1, 2, -2 }, { 2, 3, -1 }, { 3, 4, -1 }, { 6, 7, 1 }, { 8, 9, 5 } };
    static const psb_lpk want[3][10] = { { 0, 1, 1, 2, 2, -1, 3, 3, 4, 5 },
                                         { 0, 0, 0, 1, 1, -1, 2, 2, 3, 4 },
                                         { 0, 0, 0, 0, 0, -1, 1, 1, 2, 3 } };
    struct X(coo_mat) *c = new_coo(10, 10);
    struct X(compressed) l;
    struct X(mat) *made = NULL;
    psb_lpk of[10];
    psb_ipk n;
    for (psb_ipk i = 0; i < 10; i++)
        coo_put(c, i, i, 4);
    for (int k = 0; k < 6; k++) {
        coo_put(c, entries[k].i, entries[k].j, (T)entries[k].v);
        coo_put(c, entries[k].j, entries[k].i, (T)entries[k].v);
    }
    struct X(mat) *rows = convert(&c->mat, &X(csr_mold).mat);
    GOOD(X(csr_view)(rows, &l, &made));
    for (int passes = 1; passes <= 3; passes++) {
        GOOD(X(amg_matching)(&l, passes, of, &n));
        EXPECT(n == 7 - passes);
        for (int i = 0; i < 10; i++)
            EXPECT(of[i] == want[passes - 1][i]);
    }
    X(mat_free)(made);
    X(mat_free)(rows);
    X(mat_free)(&c->mat);
}

/* With cycle K and piecewise constant prolongators of matched rows iterations do not grow with the grid, at a
 * complexity near to 8/7; aggregates have at most 8 rows, of one process. */
TEST(matching_on_grids)
{
    int iterations[2];
    for (int i = 0; i < 2; i++) {
        PROBLEM p = grid(i ? 22 : 16, 6, false, &X(csr_mold).mat, NULL);
        struct X(solver) *s = NULL;
        struct psb_solve_result res;
        char text[200];
        snprintf(text, sizeof text, "fcg, tol=%g, prec=amg(%s)", sizeof(R) == 8 ? 1e-8 : 1e-4,
                 "aggregation=matching, prolongator=unsmoothed, cycle=KCG, coarse=20");
        GOOD(X(set_scal)(1, p.b));
        GOOD(X(solver_new)(&s, p.a, text));
        GOOD(X(solver_solve)(s, p.b, p.x, &res));
        iterations[i] = res.iterations;
        EXPECT(res.outcome == PSB_CONVERGED && complexity_of(s) < 1.3);
        X(solver_free)(s);
    }
    EXPECT_SAYING(iterations[1] <= 15 && iterations[1] <= iterations[0] + 2, "%d, %d iterations",
                  iterations[0], iterations[1]);
    PROBLEM p = grid(8, 6, false, &X(csr_mold).mat, NULL);
    PREC *m = built(&p, "amg(coarse=20, aggregation=matching)", NULL, NULL);
    const struct amg_level *v = ((const struct amg *)m->data)->level;
    psb_lpk x[512];
    int size[512] = { 0 };
    aggregates_of(v, x);
    for (int i = 0; i < 512; i++)
        EXPECT(x[i] >= 0 && ++size[x[i]] <= 8);
    EXPECT(v->of.p0->ah->nnz == 0 && psb_cd_global_rows(v->p->col) < (np == 1 ? 65 : 128));
}

/* Levels of few rows a process are on fewer processes; the last has 1. */
TEST(gathered_levels)
{
    PROBLEM p = grid(12, 6, false, &X(csr_mold).mat, NULL);
    PREC *m = built(&p, "amg(coarse=2, gather=100000)", NULL, NULL);
    const struct amg *q = m->data;
    for (int l = 0; l < q->n; l++) {
        int owners = psb_cd_local_rows(q->level[l].a->row) > 0;
        GOOD(psb_sum(ctxt, 1, &owners, -1));
        EXPECT(owners == (l == 0 ? np : 1));
    }
    EXPECT(q->n > 2);
}

/* New values keep what the levels before a gathered one are made of. */
TEST(renewed_levels)
{
    PROBLEM p = grid(12, 6, false, &X(csr_mold).mat, NULL);
    PREC *m = built(&p, "amg(coarse=2, gather=8)", NULL, NULL);
    const struct amg *before = m->data;
    const int n = before->n;
    const struct X(spmat) *s = before->level[0].of.s;
    EXPECT(n > 2 && s && before->level[0].p->plan);
    bool gathers = false;
    for (int l = 0; l < n - 1; l++)
        gathers = gathers || !before->level[l].p->plan;
    EXPECT(gathers == (np > 1));
    GOOD(X(precupd)(m, p.a));
    const struct amg *after = m->data;
    EXPECT(after != before && after->n == n && after->level[0].of.s == s);
}

/* *y = M^-1 b, in a new vector. */
static struct X(vect) *applied(const struct problem *p, const struct X(prec) *m)
{
    struct X(vect) *y = NULL;
    GOOD(X(vect_clone)(p->b, &y));
    GOOD(X(precapply)(m, p->b, y, 'N'));
    return y;
}

/* The largest difference of two vectors, which are freed. */
static double distance_of(struct X(vect) *x, struct X(vect) *y)
{
    R most = 0;
    GOOD(X(geaxpby)(-1, x, 1, y));
    GOOD(X(geamax)(y, &most));
    X(gefree)(x);
    X(gefree)(y);
    return (double)most;
}

static const struct X(mat) *mold_of_turn(int i)
{
    return i == 0 ? &X(csr_mold).mat : i == 1 ? &X(csrg_mold).mat : &X(hlg_mold).mat;
}

/* After new values in the same pattern the preconditioner is that of a matrix with these values, if its
 * couplings are the same; after an error it is the old one; after a change of the pattern a new one. */
TEST(new_values)
{
    static const char *const texts[] = { "amg(coarse=10, smoother=l1-jacobi)",
                                         "amg(coarse=10, prolongator=unsmoothed, smoother=l1-jacobi)" };
    const char *text = texts[_i / 3];
    struct X(prec) *m = NULL, *other = NULL;
    struct X(spmat) *zero = NULL, *less = NULL;
    PROBLEM p = grid(8, 26, false, mold_of_turn(_i % 3), _i % 3 ? &psb_vect_cuda : NULL);
    GOOD(X(set_scal)(1, p.b));
    GOOD(X(precinit)(&m, text));
    GOOD(X(precinit)(&other, text));
    GOOD(X(precbld)(m, p.a, NULL, NULL));
    GOOD(X(sp_clone)(p.a, &zero));
    GOOD(X(spscal)(0, zero));
    GOOD(X(sp_clone)(p.a, &less));
    GOOD(X(sp_prune)(less, PSB_PRUNE_DIAGONAL, (R)0.5, true));
    for (int i = 0; i < 3; i++) {
        struct X(vect) *before = applied(&p, m);
        BAD(X(precupd)(m, zero), PSB_EPIVOT, "0");
        EXPECT(distance_of(before, applied(&p, m)) == 0);
        GOOD(X(spscal)(2, p.a));
        GOOD(X(precupd)(m, i < 2 ? p.a : less));
        GOOD(X(precbld)(other, i < 2 ? p.a : less, NULL, NULL));
        EXPECT(distance_of(applied(&p, m), applied(&p, other)) == 0);
    }
    X(precfree)(m);
    X(precfree)(other);
    X(spfree)(zero);
    X(spfree)(less);
}

/* A consistent singular system: 1 at the first point, -1 at the last one. */
TEST(closed_grid)
{
    PROBLEM p = grid(9, 6, true, &X(csr_mold).mat, NULL);
    struct psb_solve_result res;
    const T ends[2] = { 1, -1 };
    const psb_lpk at[2] = { 0, p.n - 1 };
    GOOD(X(gereinit)(p.b, 1));
    for (int i = 0; i < 2; i++)
        if (psb_is_owned(p.desc, at[i]))
            GOOD(X(geins)(1, &at[i], &ends[i], p.b, PSB_DUPL_ADD));
    GOOD(X(geasb)(p.b, NULL));
    GOOD(X(solve)(p.a, p.b, p.x,
                  sizeof(R) == 8 ? "cg, tol=1e-8, prec=amg(coarse=20)" : "cg, tol=1e-4, prec=amg(coarse=20)",
                  &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations < 15);
}

/* One row, rows without couplings, blocks that are not coupled. */
TEST(uncoupled_rows)
{
    enum { N = 12 };
    T a[N * N] = { 0 }, b[N];
    const int n = _i % 2 ? N : 1, blocks = _i / 2 % 2;
    for (int i = 0; i < n; i++) {
        b[i] = (T)(1 + i % 3);
        a[i * n + i] = (T)(2 + i);
        if (blocks && i % 3 < 2 && i + 1 < n)
            a[i * n + i + 1] = a[(i + 1) * n + i] = (T)-0.5;
    }
    PROBLEM p = dense_problem(n, a, b, (enum distribution)(_i / 4));
    struct psb_solve_result res;
    char text[80];
    for (int coarse = 0; coarse < 4; coarse++) {
        snprintf(text, sizeof text, "cg, tol=%g, prec=amg(coarse=%d)", sizeof(R) == 8 ? 1e-9 : 1e-4, coarse);
        GOOD(X(set_scal)(0, p.x));
        GOOD(X(solve)(p.a, p.b, p.x, text, &res));
        EXPECT(res.outcome == PSB_CONVERGED && res.iterations <= n);
    }
}

TEST(smoothers_that_are_not)
{
    struct psb_prec_options o;
    char text[200];
    static const char *const wrong[] = { "none", "amg", "user" };
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "amg(smoother=%s)", wrong[i]);
        GOOD(psb_prec_parse(text, &o));
        BAD(psb_prec_check(&o), PSB_EARG, "expected another preconditioner");
    }
    struct psb_solve_options solve;
    GOOD(psb_prec_parse("amg(smoother=ssor;diag;amg)", &o));
    BAD(psb_prec_check(&o), PSB_EARG, "option smoother is amg; expected another preconditioner");
    GOOD(psb_prec_parse("amg(smoother=ssor;jacobi)", &o));
    BAD(psb_prec_check(&o), PSB_EARG, "preconditioner \"jacobi\" is not known");
    GOOD(psb_prec_parse("amg(presweeps=0, postsweeps=0)", &o));
    BAD(psb_prec_check(&o), PSB_EARG, "options presweeps and postsweeps are 0; expected one of them > 0");
    BAD(psb_solve_parse("cg, prec=amg(cycle=K)", &solve), PSB_EARG,
        "option cycle is K, which changes from one application to the next, for method cg; expected fcg");
    BAD(psb_prec_parse("chebyshev(kind=second)", &o), PSB_EARG, "kind \"second\" is not known");
    BAD(psb_prec_parse("amg(aggregation=all)", &o), PSB_EARG, "expected one of coupled decoupled matching");
    BAD(psb_prec_parse("amg(cycle=X)", &o), PSB_EARG, "cycle \"X\" is not known; expected one of V W F K");
    BAD(psb_prec_parse("amg(levels=0)", &o), PSB_EARG, "option levels is 0");
    BAD(psb_prec_parse("amg(passes=0)", &o), PSB_EARG, "option passes is 0");
    BAD(psb_prec_parse("amg(prolongator=x)", &o), PSB_EARG, "expected one of smoothed unsmoothed");
    GOOD(psb_prec_parse("amg(aggregation=matching, passes=2, prolongator=unsmoothed)", &o));
    GOOD(psb_prec_text(&o, text, sizeof text));
    EXPECT(strcmp(text, "amg(passes=2, aggregation=matching, prolongator=unsmoothed)") == 0);
    GOOD(psb_prec_parse("amg(theta=0.25, cycle=w, smoother=gs(sweeps=2, omega=0.5))", &o));
    GOOD(psb_prec_text(&o, text, sizeof text));
    EXPECT(strcmp(text, "amg(theta=0.25, cycle=W, smoother=gs(sweeps=2, omega=0.5))") == 0);
    GOOD(psb_prec_parse(
        "amg(presweeps=2, gather=9, aggregation=Decoupled, cycle=kcg, smoother=diag;chebyshev(kind=fourth))",
        &o));
    GOOD(psb_prec_text(&o, text, sizeof text));
    EXPECT(strcmp(text, "amg(presweeps=2, gather=9, aggregation=decoupled, cycle=KCG, "
                        "smoother=diag;chebyshev(kind=fourth))") == 0);
}

void prec_amg_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "multigrid");
    ck_add_loop_tests(c, 10 * EACH, hermitian_cycles);
    ck_add_loop_tests(c, 2 * EACH, varying_cycles);
    ck_add_loop_tests(c, 26, cycles_as_solvers);
    ck_add_loop_tests(c, DISTRIBUTIONS, one_level_is_exact);
    ck_add_loop_tests(c, DISTRIBUTIONS + 2, coupled_aggregates);
    ck_add_loop_tests(c, 4, iterations_on_a_grid);
    ck_add_loop_tests(c, 6, new_values);
    ck_add_loop_tests(c, 4 * DISTRIBUTIONS, uncoupled_rows);
    ck_add_tests(c, matching_by_weight, matching_on_grids, gathered_levels, renewed_levels, closed_grid,
                 smoothers_that_are_not);
}
