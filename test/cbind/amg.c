/* amg.c -- test/cbind: AMG4PSBLAS's C interface: types, options, building, application, solution. */
#include "program.h"
#include "amg_cbind.h"
#define A(name) JOIN(amg_c_, SCALAR, name)

enum { SIDE = 20, N = SIDE * SIDE };

/* Poisson's equation on a square. */
static P(spmat) * poisson(void)
{
    P(spmat) *a = NEW(spmat)();
    NEED(P(spall)(a, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t x = g % SIDE, y = g / SIDE;
        const psb_l_t near_to[5] = { g, g - 1, g + 1, g - SIDE, g + SIDE };
        const int inside[5] = { 1, x > 0, x<SIDE - 1, y> 0, y < SIDE - 1 };
        for (int k = 0; k < 5; k++) {
            const scalar v = k ? -1 : 4;
            NEED(!inside[k] || P(spins)(1, &g, &near_to[k], &v, a, cd) == 0);
        }
    }
    NEED(psb_c_cdasb(cd) == 0 && P(spasb)(a, cd) == 0);
    return a;
}

static A(prec) * of_type(const char *type)
{
    A(prec) *p = A(prec_new)();
    NEED(A(precinit)(*program_ctxt, p, type) == 0);
    return p;
}

/* Solve A x = 1 by CG; return the iterations. */
static int iterations(P(spmat) * a, A(prec) * p)
{
    P(vector) *b = line(0, 1), *x = line(0, 0);
    psb_c_SolverOptions o;
    psb_c_DefaultSolverOptions(&o);
    o.eps = 1e-4;
    NEED(A(krylov)("CG", a, p, b, x, cd, &o) == 0 && o.err <= o.eps);
    NEED(P(spmm)(-1, a, x, 1, b, cd) == 0 && P(genrm2)(b, cd) < 1e-2);
    drop(b);
    drop(x);
    return o.iter;
}

static int solves(P(spmat) * a, const char *type)
{
    A(prec) *p = of_type(type);
    NEED(A(precbld)(a, cd, p) == 0);
    const int n = iterations(a, p);
    NEED(A(precfree)(p) == 0 && A(prec_delete)(p) == 0);
    return n;
}

static void types(P(spmat) * a)
{
    const int none = solves(a, "NONE"), diag = solves(a, "diag"), bjac = solves(a, "BJAC"),
              as = solves(a, "AS"), ml = solves(a, "ML");
    NEED(diag == none && bjac < none && as < none && ml < bjac && ml < 9);
}

/* What deal.II's PreconditionAMG sets by default. */
static void options_of_a_library(P(spmat) * a)
{
    A(prec) *p = of_type("ML");
    NEED(A(precsetc)(p, "ML_CYCLE", "VCYCLE") == 0 && A(precseti)(p, "CYCLE_SWEEPS", 1) == 0);
    NEED(A(precsetr)(p, "AGGR_THRSH", 1e-2) == 0 && A(precsetc)(p, "PAR_AGGR_ALG", "DECOUPLED") == 0);
    NEED(A(precsetc)(p, "AGGR_TYPE", "SOC1") == 0 && A(precseti)(p, "AGGR_SIZE", 8) == 0);
    NEED(A(precsetc)(p, "AGGR_PROL", "SMOOTHED") == 0 && A(precsetc)(p, "AGGR_FILTER", "FILTER") == 0);
    NEED(A(precsetc)(p, "SMOOTHER_TYPE", "FBGS") == 0 && A(precseti)(p, "SMOOTHER_SWEEPS", 2) == 0);
    NEED(A(precsetc)(p, "COARSE_SOLVE", "BJAC") == 0 && A(precseti)(p, "MIN_COARSE_SIZE", 50) == 0);
    NEED(A(hierarchy_build)(a, cd, p) == 0 && A(smoothers_build)(a, cd, p) == 0 && A(descr)(p) == 0);
    NEED(A(allocate_wrk)(p, "CPU") == 0 && iterations(a, p) < 9);
    NEED(A(precseti)(p, "MAX_LEVS", 1) == 0 && A(smoothers_build)(a, cd, p) == 0);
    NEED(iterations(a, p) > 9); /* the option that was set before counts */
    NEED(A(prec_delete)(p) == 0);
}

/* Aggregates by matching, of at most 8 rows, and prolongators that are not smoothed. */
static void aggregates(P(spmat) * a)
{
    A(prec) *p = of_type("ML");
    NEED(A(precsetc)(p, "AGGR_TYPE", "MATCHBOXP") == 0 && A(precseti)(p, "AGGR_SIZE", 8) == 0);
    NEED(A(precseti)(p, "MIN_COARSE_SIZE", 10) == 0 && A(precbld)(a, cd, p) == 0 && iterations(a, p) < 9);
    NEED(A(precsetc)(p, "AGGR_PROL", "UNSMOOTHED") == 0 && A(precsetc)(p, "ML_CYCLE", "WCYCLE") == 0);
    NEED(A(precbld)(a, cd, p) == 0 && iterations(a, p) < 20);
    NEED(A(precsetc)(p, "AGGR_TYPE", "SOC1") == 0 && A(precsetc)(p, "PAR_AGGR_ALG", "COUPLED") == 0);
    NEED(A(precbld)(a, cd, p) == 0 && iterations(a, p) < 30);
    NEED(A(prec_delete)(p) == 0);
}

/* All smoothers; the preconditioner of a Hermitian matrix is Hermitian where the smoother is. */
static void smoothers(P(spmat) * a)
{
    static const char *const names[] = { "FBGS", "L1-JACOBI", "POLY", "BJAC", "AS", "BJAC" };
    for (int i = 0; i < 6; i++) {
        A(prec) *p = of_type("ML");
        P(vector) *x = line(1, 0), *y = line(-2, 5), *mx = line(0, 0), *my = line(0, 0);
        NEED(A(precseti)(p, "MIN_COARSE_SIZE", 40) == 0 && A(precsetc)(p, "SMOOTHER_TYPE", names[i]) == 0);
        NEED(A(precseti)(p, "POLY_DEGREE", 3) == 0 &&
             A(precsetc)(p, "SUB_SOLVE", i == 3 ? "ILUT" : "ilu") == 0);
        NEED(A(precseti)(p, "SUB_FILLIN", i == 5) == 0 && A(precsetr)(p, "SUB_ILUTHRS", 1e-8) == 0);
        NEED(A(precseti)(p, "SUB_OVR", 2) == 0 && A(precsetc)(p, "SUB_PROL", "SUM") == 0);
        NEED(A(precbld_opt)(a, cd, p, "HLL") == 0);
        NEED(A(precapply)(p, x, mx, cd) == 0 && A(precapply_opt)(p, y, my, cd, "C") == 0);
        NEED(i == 3 || near(P(gedot)(mx, y, cd) / P(gedot)(x, my, cd), 1));
        NEED(i == 4 || iterations(a, p) < 20); /* sums of overlapping blocks smooth badly */
        drop(x);
        drop(y);
        drop(mx);
        drop(my);
        NEED(A(prec_delete)(p) == 0);
    }
}

/* The finest level has a smoother of its own, then the second one, then none has; a later option for all
 * levels counts for each. */
static void smoothers_by_level(P(spmat) * a)
{
    A(prec) *p = of_type("ML"), *q = of_type("ML");
    P(vector) *x = line(1, 0), *y = line(0, 0), *z = line(0, 0);
    NEED(A(precseti)(p, "MIN_COARSE_SIZE", 2) == 0 && A(precseti)(q, "MIN_COARSE_SIZE", 2) == 0);
    NEED(A(precsetc)(q, "SMOOTHER_TYPE", "POLY") == 0 && A(precbld)(a, cd, q) == 0);
    NEED(A(precapply)(q, x, z, cd) == 0);
    for (int turn = 0; turn < 3; turn++) {
        NEED(A(preccsetc_lev)(p, "SMOOTHER_TYPE", turn == 1 ? "BJAC" : "POLY", 1 + turn, 20) == 0);
        NEED(A(preccseti_lev)(p, "POLY_DEGREE", turn == 0 ? 2 : 1, 1, 1) == 0);
        NEED(turn < 2 || A(precsetc)(p, "SMOOTHER_TYPE", "POLY") == 0);
        NEED(A(precbld)(a, cd, p) == 0 && A(precapply)(p, x, y, cd) == 0);
        NEED(P(geaxpby)(-1, z, 1, y, cd) == 0 && (P(genrm2)(y, cd) > 0) == (turn < 2));
        NEED(iterations(a, p) < 12);
    }
    drop(x);
    drop(y);
    drop(z);
    NEED(A(prec_delete)(p) == 0 && A(prec_delete)(q) == 0);
}

/* A wrong value leaves what was set. */
static void refuses(psb_i_t e, const char *says)
{
    char *text = psb_c_pop_errmsg();
    NEED(e < 0 && text && strstr(text, says));
    if (text && !strstr(text, says))
        fprintf(stderr, "%s\n", text);
    free(text);
    psb_c_clean_errstack();
}

static void wrong_options(P(spmat) * a)
{
    A(prec) *p = A(prec_new)(), *other = of_type("BJAC");
    P(vector) *x = line(0, 1), *y = line(0, 1);
    NEED(A(precseti)(p, "MAX_LEVS", 3) == PSB_ERR_ERROR && A(precbld)(a, cd, p) == PSB_ERR_ERROR);
    NEED(A(precfree)(p) == PSB_ERR_ERROR && A(descr)(p) == PSB_ERR_ERROR);
    refuses(A(precinit)(*program_ctxt, p, "MULTIGRID"), "expected one of NONE NOPREC DIAG");
    NEED(A(precinit)(*program_ctxt, p, "ML") == 0 && A(precinit)(*program_ctxt, p, "NONE") == 0);
    NEED(A(precapply)(p, x, y, cd) == PSB_ERR_ERROR && A(allocate_wrk)(p, "CPU") == PSB_ERR_ERROR);
    refuses(A(precsetc)(p, "ML_CYCLE", "SPIRAL"),
            "option ML_CYCLE is \"SPIRAL\"; expected one of VCYCLE WCYCLE");
    refuses(A(precsetc)(p, "SMOOTHER", "BJAC"),
            "\"SMOOTHER\" with a word is not known; expected one of ML_CYCLE");
    refuses(A(precsetc)(p, "AGGR_TYPE", "SOC2"), "expected one of SOC1");
    refuses(A(precseti)(p, "CYCLE_SWEEPS", 2), "option CYCLE_SWEEPS is 2; expected 1");
    refuses(A(precsetc)(p, "MAX_LEVS", "2"), "\"MAX_LEVS\" with a word is not known");
    refuses(A(precseti)(p, "MAX_LEVS", 0), "option levels is 0");
    refuses(A(precsetr)(p, "AGGR_THRESH", -1), "option theta is -1");
    refuses(A(precsetr)(p, "KRM_EPSILON", 1e-6), "\"KRM_EPSILON\" with a number is not known");
    refuses(A(precsetr)(p, "SUB_FILLIN", NAN), "expected a number below 2^31");
    refuses(A(precseti)(other, "SMOOTHER_SWEEPS", 2), "expected 1, or ML");
    refuses(A(preccseti_lev)(p, "SMOOTHER_SWEEPS", 2, 1, 3), "expected 1 to 20, or one of SMOOTHER_TYPE");
    refuses(A(preccsetc_lev)(p, "SMOOTHER_TYPE", "GS", 3, 2),
            "on levels 3 to 2; expected 1 or more, in ascending order");
    refuses(A(preccseti_lev)(p, "POLY_DEGREE", -1, 2, 2), "option degree is -1");
    for (int l = 2; l < 6; l += 2)
        NEED(A(preccsetc_lev)(p, "SMOOTHER_TYPE", "L1-JACOBI", l, l) == 0);
    refuses(A(preccsetc_lev)(p, "SMOOTHER_TYPE", "GS", 12, 12), "option smoother has");
    refuses(A(preccsetc_pos)(p, "SMOOTHER_TYPE", "GS", "PRE"), "the smoother is the same before and after");
    refuses(A(preccseti_pos)(p, "SMOOTHER_SWEEPS", 2, "MIDDLE"), "expected PRE or POST");
    NEED(A(preccseti_idx)(p, "SMOOTHER_SWEEPS", 2, 1) == 0 && A(preccseti_lev)(p, "SUB_OVR", 2, 1, 20) == 0);
    NEED(A(preccsetr_idx)(p, "AGGR_THRESH", 0.02, 1) == 0 &&
         A(preccsetr_lev)(p, "AGGR_THRESH", 0.01, 1, 20) == 0);
    NEED(A(preccsetc_idx)(p, "ML_CYCLE", "WCYCLE", 1) == 0 &&
         A(preccsetc_lev)(p, "COARSE_MAT", "REPL", 1, 20) == 0);
    NEED(A(preccseti_opt)(p, "COARSE_SWEEPS", 4, 1, 20, NULL, 1) == 0 &&
         A(preccsetr_opt)(p, "KRM_EPS", 1e-6, 1, 20, NULL, 1) == 0 &&
         A(preccsetc_opt)(p, "SMOOTHER_TYPE", "POLY", 1, 20, NULL, 1) == 0);
    NEED(A(preccsetr_pos)(p, "COARSE_ILUTHRS", 0.1, "PRE") == 0);
    NEED(A(precbld)(a, cd, p) == 0 && iterations(a, p) < 9);
    NEED(A(smoothers_build_opt)(a, cd, p, "CSR", "HOST") == 0 && iterations(a, p) < 9);
    refuses(A(smoothers_build_opt)(a, cd, p, "XYZ", "HOST"), "expected the name of a registered format");
    NEED(iterations(a, p) < 9);
    NEED(A(prec_delete)(p) == 0 && A(prec_delete)(other) == 0);
    drop(x);
    drop(y);
}

int main(void)
{
    begin();
    psb_c_seterraction_ret();
    cd = psb_c_new_descriptor();
    block(N, program_me, program_np, &first, &last);
    NEED(psb_c_cdall_nl((psb_i_t)(last - first), *program_ctxt, cd) == 0);
    P(spmat) *a = poisson();
    types(a);
    options_of_a_library(a);
    aggregates(a);
    smoothers(a);
    smoothers_by_level(a);
    wrong_options(a);
    drop_matrix(a);
    drop_descriptor(cd);
    return end();
}
