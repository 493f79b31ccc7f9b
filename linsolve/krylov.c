/* krylov.c -- room: linsolve.  Runs of a Krylov method: restarts, the true residual, results. */
#include "psb_linsolve.h"
#include "kr_column.h"
#include "psb_alloc.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "prec_inside.t.h"

static X(kr_method) *const methods[PSB_NMETHODS] = {
    [PSB_CG] = X(kr_cg),
    [PSB_CGS] = X(kr_cgs),
    [PSB_BICG] = X(kr_bicg),
    [PSB_CG_SINGLE] = X(kr_cg_single),
    [PSB_CG_PIPELINED] = X(kr_cg_pipelined),
    [PSB_FCG] = X(kr_fcg),
    [PSB_GCR] = X(kr_gcr),
    [PSB_BICGSTAB] = X(kr_bicgstab),
    [PSB_BICGSTABL] = X(kr_bicgstabl),
    [PSB_RGMRES] = X(kr_rgmres),
    [PSB_FGMRES] = X(kr_fgmres),
    [PSB_MINRES] = X(kr_minres),
    [PSB_RICHARDSON] = X(kr_richardson),
};

/* --- checks --------------------------------------------------------------------------------------------- */

static psb_err check_vector(const struct X(spmat) *a, const struct X(vect) *v, const char *name)
{
    PSB_CHECK(psb_is_live(v), PSB_EARG, "argument %s is %s; expected a vector", name, psb_handle_state(v));
    PSB_CHECK(v->desc && psb_cd_same_rows(v->desc, X(sp_row_desc)(a)), PSB_EARG,
              "argument %s is not on the descriptor of the matrix", name);
    PSB_CHECK(v->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before", name);
    return PSB_OK;
}

static psb_err check(const struct X(spmat) *a, const struct X(prec) *p, const struct X(vect) *b,
                     const struct X(vect) *x, const struct psb_solve_options *o,
                     const struct psb_solve_result *res)
{
    PSB_CHECK(X(sp_state)(a) == PSB_ASSEMBLED, PSB_ESTATE,
              "argument a is not assembled; expected psb_spasb before");
    PSB_CHECK(psb_cd_same_rows(X(sp_row_desc)(a), X(sp_col_desc)(a)), PSB_EARG,
              "argument a has columns distributed in another way than its rows; expected the same way");
    PSB_TRY(check_vector(a, b, "b"));
    PSB_TRY(check_vector(a, x, "x"));
    PSB_CHECK(b != x, PSB_EARG, "arguments b and x are the same vector; expected two");
    PSB_CHECK(b->ncols == x->ncols, PSB_EARG, "arguments b (columns: %d) and x (%d) differ; expected as many",
              b->ncols, x->ncols);
    PSB_NEED(res, "where to store the results");
    PSB_TRY(psb_solve_check_method(o));
    PSB_CHECK(methods[o->method], PSB_ENOTIMPL, "method %s is not offered", psb_method_name(o->method));
    if (p) {
        PSB_NEED_HANDLE(p, "a preconditioner");
        PSB_CHECK(p->desc && psb_cd_same_rows(p->desc, X(sp_row_desc)(a)), PSB_EARG,
                  "argument p is not built for the descriptor of the matrix; expected psb_precbld before");
    }
    return PSB_OK;
}

/* --- the state of a solve ------------------------------------------------------------------------------- */

static void close_solve(struct X(kr) *s)
{
    for (int i = 0; i < s->npool; i++)
        X(gefree)(s->pool[i]);
    psb_free(s->pool);
    for (int i = 0; i < s->nscalars; i++)
        psb_free(s->scalars[i]);
    psb_free(s->scalars);
    psb_free(s->col);
    psb_free(s->value);
    psb_free(s->norm);
    psb_free(s->factor);
}

static void forget_scalars(struct X(kr) *s)
{
    for (int i = 0; i < s->nscalars; i++)
        psb_free(s->scalars[i]);
    s->nscalars = 0;
}

/* The norms of b that the criterion divides by, and |A|. */
static psb_err set_norms(struct X(kr) *s)
{
    const int backward = s->o->stop == PSB_STOP_BACKWARD;
    R norm_a = 0;
    PSB_TRY(backward ? X(geamax)(s->b, s->norm) : X(genrm2)(s->b, s->norm));
    for (int j = 0; j < s->k; j++)
        s->col[j].norm_b = (double)s->norm[j];
    if (backward)
        PSB_TRY(X(spnrmi)(s->a, &norm_a));
    s->norm_a = (double)norm_a;
    return PSB_OK;
}

static psb_err open_solve(struct X(kr) *s)
{
    psb_err e = psb_alloc_zero(&s->col, (size_t)s->k, sizeof *s->col, "columns of a solve");
    if (e == PSB_OK)
        e = psb_alloc_zero(&s->value, (size_t)s->k, sizeof *s->value, "values of the criterion");
    if (e == PSB_OK)
        e = psb_alloc_zero(&s->norm, 2 * (size_t)s->k, sizeof *s->norm, "norms of columns");
    if (e == PSB_OK)
        e = psb_alloc_zero(&s->factor, (size_t)s->k, sizeof *s->factor, "units of columns");
    PSB_TRY(psb_agree(s->ctxt, e));
    for (int j = 0; j < s->k; j++)
        s->col[j].unit = 1;
    return set_norms(s);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

/* A solve between two runs: x as it was before the last run, its residual, and what the columns had then. */
struct runs {
    struct X(vect) *v[2]; /* former x; residual */
    double *before, *now; /* the criterion's value, from the true residual */
    char *done;
};

/* now[j] = the criterion's value for x, infinite if x is, in the caller's unit: a column of zeros in A would
 * hide that. */
static psb_err true_values(struct X(kr) *s, struct runs *q)
{
    PSB_TRY(X(kr_residual)(s, q->v[1]));
    PSB_TRY(X(kr_values)(s, q->v[1], NULL, q->now));
    PSB_TRY(X(kr_tell)(s));
    PSB_TRY(X(geamax)(s->x, s->norm));
    for (int j = 0; j < s->k; j++)
        if (!isfinite((double)(R)((double)s->norm[j] / s->col[j].unit)))
            q->now[j] = INFINITY;
    return PSB_OK;
}

static int is_finite_and_below(double x, double most)
{
    return isfinite(x) && x <= most;
}

/* A column whose b is 0 has the solution 0, whatever the guess; its backward error would not fall with x. */
static psb_err solve_zero_columns(struct X(kr) *s, T *keep)
{
    int zeros = 0;
    for (int j = 0; j < s->k; j++) {
        keep[j] = s->col[j].norm_b != 0;
        zeros += s->col[j].norm_b == 0;
    }
    const int relative = s->o->stop == PSB_STOP_RELATIVE || s->o->stop == PSB_STOP_BACKWARD;
    if (zeros && relative)
        X(kr_note)(s, X(gescal_cols)(keep, s->x));
    return PSB_OK;
}

/* Values of the guess; columns that satisfy the criterion are done. */
static psb_err first_values(struct X(kr) *s, struct runs *q, T *keep)
{
    PSB_TRY(solve_zero_columns(s, keep));
    PSB_TRY(X(kr_residual)(s, q->v[1]));
    PSB_TRY(X(kr_first_norms)(s, q->v[1]));
    PSB_TRY(X(kr_values)(s, q->v[1], NULL, q->now));
    for (int j = 0; j < s->k; j++) {
        q->done[j] = is_finite_and_below(q->now[j], s->o->tol);
        s->col[j].estimate = q->now[j];
    }
    return PSB_OK;
}

/* --- units ----------------------------------------------------------------------------------------------
 *
 * Scalar products of vectors whose norms are far from 1 leave the range of T.  Such a system is solved in
 * another unit: b and x times a power of two, which changes no bit of their fractions. */

/* The power of two that brings a norm near to 1; 1 if its square and that of a residual that has been reduced
 * are far inside the range. */
static double unit_of(double norm)
{
    const int range = sizeof(R) == sizeof(float) ? FLT_MAX_EXP : DBL_MAX_EXP, most = range - 2;
    int e;
    if (norm == 0 || !isfinite(norm))
        return 1;
    frexp(norm, &e);
    return ldexp(1, abs(e) < range / 8 ? 0 : e > most ? -most : e < -most ? most : -e);
}

/* x_j = x_j times its unit, or divided by it. */
static psb_err scale_columns(const struct X(kr) *s, bool back, struct X(vect) *x)
{
    for (int j = 0; j < s->k; j++)
        s->factor[j] = (T)(back ? 1 / s->col[j].unit : s->col[j].unit);
    return X(gescal_cols)(s->factor, x);
}

/* Lower the units, if need be, so that the guess stays finite. */
static psb_err limit_units(struct X(kr) *s)
{
    const int most = (sizeof(R) == sizeof(float) ? FLT_MAX_EXP : DBL_MAX_EXP) - 2;
    PSB_TRY(X(geamax)(s->x, s->norm));
    for (int j = 0; j < s->k; j++) {
        int of_x, of_unit;
        frexp((double)s->norm[j], &of_x);
        frexp(s->col[j].unit, &of_unit);
        if (isfinite((double)s->norm[j]) && of_x + of_unit > most)
            s->col[j].unit = ldexp(1, most - of_x);
    }
    return PSB_OK;
}

/* b becomes a copy.  After an error s->scaled tells whether x is scaled. */
static psb_err use_units(struct X(kr) *s, struct X(vect) *b)
{
    PSB_TRY(X(geaxpby)(1, s->b, 0, b));
    PSB_TRY(scale_columns(s, false, b));
    PSB_TRY(scale_columns(s, false, s->x));
    s->b = b;
    s->scaled = true;
    return PSB_OK;
}

/* Choose the units by r, the residual of the guess: by its norm or, if that has overflowed, its largest
 * element. */
static psb_err choose_units(struct X(kr) *s, const struct X(vect) *r)
{
    struct X(vect) *b;
    bool overflow = false, other = false;
    for (int j = 0; j < s->k; j++)
        overflow = overflow || isinf(s->col[j].norm_r0);
    if (overflow)
        PSB_TRY(X(geamax)(r, s->norm));
    for (int j = 0; j < s->k; j++) {
        s->col[j].unit = unit_of(overflow ? (double)s->norm[j] : s->col[j].norm_r0);
        other = other || s->col[j].unit != 1;
    }
    if (!other)
        return PSB_OK;
    PSB_TRY(limit_units(s));
    PSB_TRY(X(kr_vectors)(s, 1, &b));
    s->in_units = true;
    return X(kr_agree)(s, use_units(s, b));
}

/* Is a norm so far from 1 that the product of two such vectors leaves the range of T, or loses digits? */
static bool is_out_of_range(R norm)
{
    const bool single = sizeof(R) == sizeof(float);
    const double least = (single ? FLT_MIN : DBL_MIN) / (double)EPS, most = single ? FLT_MAX : DBL_MAX;
    return norm != 0 && !((double)norm >= sqrt(least) && (double)norm <= sqrt(most));
}

static bool needs_cause(const struct psb_kr_column *c)
{
    const bool overflow = c->outcome == PSB_DIVERGED && isfinite(c->first) && !isfinite(c->estimate);
    return (c->outcome == PSB_BREAKDOWN && !c->certain) || c->outcome == PSB_STAGNATED || overflow;
}

/* A column that broke down or stagnated did so because a vector of the method is out of range, if one is. */
static psb_err find_causes(struct X(kr) *s)
{
    bool failed = false;
    for (int j = 0; j < s->k; j++)
        failed = failed || needs_cause(&s->col[j]);
    for (int i = s->kept; i < s->taken && failed; i++) {
        PSB_TRY(X(genrm2)(s->pool[i], s->norm));
        for (int j = 0; j < s->k; j++)
            if (needs_cause(&s->col[j]) && is_out_of_range(s->norm[j]))
                s->col[j].why = KR_OUT_OF_RANGE;
    }
    return PSB_OK;
}

/* --- the end of a run ----------------------------------------------------------------------------------- */

/* Decide how column j goes on after a run; 1: x_j is to be set back. */
static int end_run(struct X(kr) *s, struct runs *q, int j)
{
    struct psb_kr_column *c = &s->col[j];
    const double now = q->now[j], before = q->before[j];
    const int worse = isfinite(before) && !is_finite_and_below(now, before);
    q->done[j] = 1;
    if (is_finite_and_below(now, s->o->tol)) {
        c->outcome = PSB_CONVERGED;
        c->why = "";
    } else if (!worse && now < before && s->it < s->o->itmax) {
        q->done[j] = 0;
    } else if (s->it >= s->o->itmax && c->outcome == PSB_CONVERGED) {
        c->outcome = PSB_MAX_ITERATIONS;
        c->why = "";
    } else if (c->outcome == PSB_CONVERGED) {
        c->outcome = PSB_STAGNATED;
        c->why = isinf(now) ? "the solution is out of the range of the type"
                            : "the residual of the method has drifted from the true one";
    }
    if (worse)
        q->now[j] = before;
    return worse;
}

/* x_j = the former x_j for the columns with back[j]. */
static psb_err set_back(struct X(kr) *s, struct runs *q, T *back, T *keep)
{
    int some = 0;
    for (int j = 0; j < s->k; j++) {
        some += back[j] != 0;
        keep[j] = 1 - back[j];
    }
    if (!some)
        return PSB_OK;
    PSB_TRY(X(kr_axpby)(s, back, q->v[0], keep, s->x));
    return X(kr_agree)(s, PSB_OK);
}

/* Run the method once for the columns that are not done. */
static psb_err run_once(struct X(kr) *s, struct runs *q)
{
    T *back;
    forget_scalars(s);
    s->taken = s->kept;
    for (int j = 0; j < s->k; j++) {
        s->col[j].active = !q->done[j];
        q->before[j] = q->now[j];
    }
    X(kr_note)(s, X(geaxpby)(1, s->x, 0, q->v[0]));
    PSB_TRY(methods[s->o->method](s));
    PSB_TRY(true_values(s, q));
    PSB_TRY(X(kr_scalars)(s, 2, &back));
    for (int j = 0; j < s->k; j++)
        back[j] = !q->done[j] && end_run(s, q, j);
    PSB_TRY(find_causes(s));
    return set_back(s, q, back, back + s->k);
}

static int all_done(const struct runs *q, int k)
{
    for (int j = 0; j < k; j++)
        if (!q->done[j])
            return 0;
    return 1;
}

static psb_err run(struct X(kr) *s, struct psb_solve_result *res, struct runs *q)
{
    T *keep;
    PSB_TRY(X(kr_vectors)(s, 2, q->v));
    PSB_TRY(X(kr_scalars)(s, 1, &keep));
    PSB_TRY(first_values(s, q, keep));
    PSB_TRY(choose_units(s, q->v[1]));
    if (s->in_units) {
        PSB_TRY(set_norms(s));
        PSB_TRY(first_values(s, q, keep));
    }
    s->kept = s->taken;
    while (!all_done(q, s->k))
        PSB_TRY(run_once(s, q));
    for (int j = 0; j < s->k; j++) {
        const struct psb_kr_column *c = &s->col[j];
        res[j] = (struct psb_solve_result){
            .outcome = c->outcome, .iterations = c->iterations, .estimate = c->estimate, .residual = q->now[j]
        };
        snprintf(res[j].why, sizeof res[j].why, "%s", c->why ? c->why : "");
    }
    return PSB_OK;
}

static psb_err solve(struct X(kr) *s, struct psb_solve_result *res)
{
    struct runs q = { .done = NULL };
    double *values = NULL;
    psb_err e = psb_alloc_zero(&values, 2 * (size_t)s->k, sizeof *values, "values of the criterion");
    if (e == PSB_OK)
        e = psb_alloc_zero(&q.done, (size_t)s->k, 1, "columns done");
    e = psb_agree(s->ctxt, e);
    q.before = values;
    q.now = values ? values + s->k : NULL;
    if (e == PSB_OK)
        e = open_solve(s);
    if (e == PSB_OK)
        e = run(s, res, &q);
    if (s->scaled)
        X(kr_note)(s, scale_columns(s, true, s->x));
    if (s->in_units)
        e = X(kr_agree)(s, e);
    X(kr_speak)(s);
    if (e != PSB_OK) {
        X(spmv_settle)(s->a);
        X(schwarz_settle)(s->p);
    }
    close_solve(s);
    psb_free(values);
    psb_free(q.done);
    return e;
}

psb_err X(krylov)(const struct X(spmat) *a, const struct X(prec) *p, const struct X(vect) *b,
                  struct X(vect) *x, const struct psb_solve_options *o, struct psb_solve_result *res)
{
    PSB_NEED_HANDLE(a, "a matrix");
    if (!o)
        o = &psb_solve_defaults;
    psb_ctxt *ctxt = psb_cd_ctxt(X(sp_row_desc)(a));
    PSB_TRY(psb_agree(ctxt, check(a, p, b, x, o, res)));
    struct X(kr) s = { .a = a, .p = p, .b = b, .x = x, .o = o, .ctxt = ctxt, .k = x->ncols };
    return PSB_PASS(solve(&s, res));
}

psb_err X(solve)(const struct X(spmat) *a, const struct X(vect) *b, struct X(vect) *x, const char *text,
                 struct psb_solve_result *res)
{
    struct psb_solve_options o;
    struct X(prec) *p = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = psb_cd_ctxt(X(sp_row_desc)(a));
    PSB_TRY(psb_agree(ctxt, psb_solve_parse(text, &o)));
    psb_err e = psb_agree(ctxt, X(precinit_opt)(&p, &o.prec));
    if (e == PSB_OK)
        e = X(precbld)(p, a, NULL, NULL);
    if (e == PSB_OK)
        e = X(krylov)(a, p, b, x, &o, res);
    X(precfree)(p);
    return PSB_PASS(e);
}
