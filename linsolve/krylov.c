/* krylov.c -- linsolve: runs of a Krylov method: restarts, the true residual, results. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "psb_trace.h"
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "kr_device.t.h"
#include "prec_inside.t.h"

static X(kr_method) *const methods[PSB_NMETHODS] = {
#define PSB_KR_METHOD(method, name, function) [method] = X(function),
#include "kr_methods.h"
#undef PSB_KR_METHOD
};

/* --- checks --------------------------------------------------------------------------------------------- */

/* Is what the method needs known of a matrix that functions stand for, and of the caller's preconditioner? */
static psb_err check_functions(const struct X(kr) *s, const struct X(vect) *x)
{
    const struct X(operator_calls) *c = &s->op->calls;
    PSB_CHECK(!c->apply || x->desc == s->op->desc, PSB_EARG,
              "argument x is not on the descriptor of the operator; expected the same one");
    bool transpose = !c->apply || c->transposes;
    for (const struct X(prec) *p = s->p; psb_is_live(p); p = p->inner)
        transpose = transpose && (!p->calls.apply || p->calls.transposes);
    PSB_CHECK(s->o->method != PSB_BICG || transpose, PSB_ENOTIMPL,
              "option method is bicg, and the caller's functions do not transpose; expected another one");
    PSB_CHECK(!c->apply || s->o->stop != PSB_STOP_BACKWARD, PSB_EARG,
              "option stop is backward, and the norm of the operator is not known; expected another one");
    return PSB_OK;
}

static psb_err check_solve(const struct X(kr) *s, const struct X(vect) *b, const struct X(vect) *x,
                           const struct psb_solve_result *res)
{
    PSB_TRY(X(operator_check)(s->op, false));
    const psb_desc *rows = s->op->desc;
    PSB_TRY(X(prec_check_vector)(b, "b", rows, "of the matrix"));
    PSB_TRY(X(prec_check_vector)(x, "x", rows, "of the matrix"));
    PSB_TRY(X(kr_check_nullspace)(s));
    PSB_CHECK(b != x, PSB_EARG, "arguments b and x are the same vector; expected two");
    PSB_CHECK(b->ncols == x->ncols, PSB_EARG, "arguments b (columns: %d) and x (%d) differ; expected as many",
              b->ncols, x->ncols);
    PSB_CHECK(s->o->method != PSB_BLOCK_CG || x->ncols <= PSB_MOST_BLOCK, PSB_EARG,
              "argument x has %d columns; expected at most %d for block-cg", x->ncols, PSB_MOST_BLOCK);
    PSB_NEED(res, "where to store the results");
    PSB_TRY(psb_solve_check_method(s->o));
    if (s->p) {
        const struct X(prec) *p = s->p;
        PSB_NEED_HANDLE(p, "a preconditioner");
        PSB_CHECK(p->desc && psb_cd_same_rows(p->desc, rows), PSB_EARG,
                  "argument p is not built for the descriptor of the matrix; expected psb_precbld before");
        PSB_TRY(psb_solve_check_cycle(s->o->method, &p->options));
    }
    return check_functions(s, x);
}

/* --- the state of a solve ------------------------------------------------------------------------------- */

void X(kr_close)(struct X(kr) *s)
{
    for (int i = 0; i < s->npool; i++)
        X(gefree)(s->pool[i]);
    for (int i = 0; i < s->nshadow; i++)
        X(gefree)(s->shadow[i]);
    for (int i = 0; i < s->narrays; i++)
        psb_free(s->arrays[i].p);
    X(kr_device_free)(s);
    psb_free(s->pool);
    psb_free(s->shadow);
    psb_free(s->arrays);
    psb_free(s->col);
    psb_free(s->value);
    psb_free(s->norm);
    psb_free(s->factor);
    psb_free(s->coefficient);
    psb_free(s->null_c);
    psb_free(s->steps);
    *s = (struct X(kr)){ .op = s->op,
                         .p = s->p,
                         .o = s->o,
                         .ctxt = s->ctxt,
                         .left = s->left,
                         .right = s->right,
                         .null = s->null,
                         .knows_norm_a = s->knows_norm_a,
                         .norm_a = s->norm_a };
}

/* Do the vectors that s has kept differ from x? */
static bool is_other_kind(const struct X(kr) *s, const struct X(vect) *x)
{
    return s->col && (s->k != x->ncols ||
                      (s->npool > 0 && (s->pool[0]->v.on != x->v.on || s->pool[0]->desc != x->desc)));
}

/* The norms of b that the criterion divides by, and |A|. */
static psb_err set_norms(struct X(kr) *s)
{
    const bool backward = s->o->stop == PSB_STOP_BACKWARD;
    R norm_a = 0;
    PSB_TRY(backward ? X(geamax)(s->b, s->norm) : X(genrm2)(s->b, s->norm));
    for (int j = 0; j < s->k; j++)
        s->col[j].norm_b = (double)s->norm[j];
    if (!backward || s->knows_norm_a)
        return PSB_OK;
    PSB_TRY(X(spnrmi)(s->op->a, &norm_a));
    s->norm_a = (double)norm_a;
    s->knows_norm_a = true;
    return PSB_OK;
}

static psb_err alloc_columns(struct X(kr) *s)
{
    const size_t k = (size_t)s->k;
    PSB_TRY(psb_alloc(&s->col, k, sizeof *s->col, "columns of a solve"));
    PSB_TRY(psb_alloc_zero(&s->value, k, sizeof *s->value, "values of the criterion"));
    PSB_TRY(psb_alloc_zero(&s->norm, 2 * k, sizeof *s->norm, "norms of columns"));
    PSB_TRY(psb_alloc_zero(&s->factor, 2 * k, sizeof *s->factor, "factors of columns"));
    if (s->right)
        PSB_TRY(psb_alloc_zero(&s->null_c, 2 * k * (size_t)(s->left->n + s->right->n), sizeof *s->null_c,
                               "coefficients of a null space"));
    return psb_alloc_zero(&s->coefficient, 2 * k, sizeof *s->coefficient, "coefficients of columns");
}

/* Begin with the memory of an earlier solve, if there is one. */
static psb_err open_solve(struct X(kr) *s, const struct X(vect) *b, struct X(vect) *x)
{
    s->b = b;
    s->x = x;
    s->k = x->ncols;
    s->it = s->taken = 0;
    s->failed = PSB_OK;
    s->in_units = s->scaled = s->host_only = false;
    if (!s->col)
        PSB_TRY(psb_agree(s->ctxt, alloc_columns(s)));
    for (int j = 0; j < s->k; j++)
        s->col[j] = (struct psb_kr_column){ .unit = 1 };
    PSB_TRY(X(kr_open_nullspace)(s));
    return set_norms(s);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

/* Set the criterion's values for x, infinite if x is, in the caller's unit: a column of zeros in A would hide
 * that. */
static psb_err true_values(struct X(kr) *s)
{
    X(kr_residual)(s, s->r);
    PSB_TRY(X(kr_values)(s, s->r, NULL, s->value));
    PSB_TRY(X(kr_tell)(s));
    PSB_TRY(X(geamax)(s->x, s->norm));
    for (int j = 0; j < s->k; j++)
        s->col[j].now = isfinite((double)(R)((double)s->norm[j] / s->col[j].unit)) ? s->value[j]
                                                                                   : (double)INFINITY;
    return PSB_OK;
}

static bool is_finite_and_below(double x, double most)
{
    return isfinite(x) && x <= most;
}

/* Columns whose b is 0 have the solution 0, or what the guess has in the null space: their relative residual,
 * or backward error, would not fall with x. */
static void solve_zeros(struct X(kr) *s)
{
    bool zeros = false;
    for (int j = 0; j < s->k; j++) {
        s->factor[j] = (s->col[j].norm_b == 0) == (s->right != NULL);
        zeros = zeros || s->col[j].norm_b == 0;
    }
    if (!zeros || (s->o->stop != PSB_STOP_RELATIVE && s->o->stop != PSB_STOP_BACKWARD))
        return;
    if (!s->right) {
        X(kr_note)(s, X(gescal_cols)(s->factor, s->x));
        return;
    }
    X(kr_note)(s, X(geaxpby)(1, s->x, 0, s->r));
    X(kr_project)(s, true, s->r);
    X(kr_subtract)(s, s->factor, s->r, s->x);
}

/* Values of the guess; columns that satisfy the criterion are done. */
static psb_err first_values(struct X(kr) *s)
{
    solve_zeros(s);
    X(kr_residual)(s, s->r);
    PSB_TRY(X(kr_tell)(s));
    PSB_TRY(X(genrm2)(s->r, s->norm));
    for (int j = 0; j < s->k; j++)
        s->col[j].norm_r0 = (double)s->norm[j];
    PSB_TRY(X(kr_values)(s, s->r, NULL, s->value));
    for (int j = 0; j < s->k; j++) {
        s->col[j].now = s->col[j].estimate = s->value[j];
        s->col[j].done = is_finite_and_below(s->value[j], s->o->tol);
    }
    X(kr_keep_estimates)(s);
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
    const int most = MOST_EXPONENT - 2;
    int e;
    if (norm == 0 || !isfinite(norm))
        return 1;
    frexp(norm, &e);
    return ldexp(1, abs(e) < MOST_EXPONENT / 8 ? 0 : e > most ? -most : e < -most ? most : -e);
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
    const int most = MOST_EXPONENT - 2;
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

/* Choose the units by the residual of the guess: by its norm or, if that has overflowed, its largest
 * element. */
static psb_err choose_units(struct X(kr) *s)
{
    struct X(vect) *b;
    bool overflow = false, other = false;
    for (int j = 0; j < s->k; j++)
        overflow = overflow || isinf(s->col[j].norm_r0);
    if (overflow)
        PSB_TRY(X(geamax)(s->r, s->norm));
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

/* Decide how column j goes on after a run; true: x_j is to be set back. */
static bool end_run(struct X(kr) *s, int j)
{
    struct psb_kr_column *c = &s->col[j];
    const double now = c->now, before = c->before;
    const bool worse = isfinite(before) && !is_finite_and_below(now, before);
    c->done = true;
    if (is_finite_and_below(now, s->o->tol)) {
        c->outcome = PSB_CONVERGED;
        c->why = "";
    } else if (!worse && (now < before || c->active) && s->it < s->o->itmax) {
        c->done = false; /* active: the device has left the rest to the host */
    } else if (s->it >= s->o->itmax && c->outcome == PSB_CONVERGED) {
        c->outcome = PSB_MAX_ITERATIONS;
        c->why = "";
    } else if (c->outcome == PSB_CONVERGED) {
        c->outcome = PSB_STAGNATED;
        c->why = isinf(now) ? "the solution is out of the range of the type"
                            : "the residual of the method has drifted from the true one";
    }
    if (worse)
        c->now = before;
    return worse;
}

/* Run the method once for the columns that are not done; columns that became worse are set back. */
static psb_err run_once(struct X(kr) *s)
{
    T *back = s->factor, *keep = s->factor + s->k;
    bool some = false;
    s->given = 0;
    s->taken = s->kept;
    for (int j = 0; j < s->k; j++) {
        s->col[j].active = !s->col[j].done;
        s->col[j].before = s->col[j].now;
    }
    X(kr_note)(s, X(geaxpby)(1, s->x, 0, s->former));
    s->later.y = NULL;
    PSB_TRY(X(kr_device_close)(s, methods[s->o->method](s)));
    PSB_TRY(true_values(s));
    for (int j = 0; j < s->k; j++) {
        const bool worse = !s->col[j].done && end_run(s, j);
        back[j] = worse;
        keep[j] = !worse;
        some = some || worse;
    }
    PSB_TRY(find_causes(s));
    if (!some)
        return PSB_OK;
    X(kr_axpby)(s, back, s->former, keep, s->x);
    return X(kr_agree)(s, PSB_OK);
}

/* Run the method until all columns are done. */
static psb_err run_method(struct X(kr) *s)
{
    PSB_TRY(X(kr_vectors)(s, 1, &s->former));
    PSB_TRY(X(kr_vectors)(s, 1, &s->r));
    PSB_TRY(first_values(s));
    PSB_TRY(choose_units(s));
    if (s->in_units) {
        PSB_TRY(set_norms(s));
        PSB_TRY(first_values(s));
    }
    s->kept = s->taken;
    for (int j = 0; j < s->k; j++)
        while (!s->col[j].done)
            PSB_TRY(run_once(s));
    return PSB_OK;
}

psb_err X(kr_solve)(struct X(kr) *s, const struct X(vect) *b, struct X(vect) *x, struct psb_solve_result *res)
{
    struct psb_range range = psb_range_begin(NULL, psb_method_name(s->o->method), "solve");
    psb_err e = check_solve(s, b, x, res);
    bool other = e == PSB_OK && is_other_kind(s, x);
    PSB_TRY(psb_reduce(s->ctxt, PSB_MAX, PSB_KIND_b, 1, &other, e));
    if (other)
        X(kr_close)(s);
    e = open_solve(s, b, x);
    if (e == PSB_OK)
        e = run_method(s);
    for (int j = 0; j < s->k && e == PSB_OK; j++) {
        const struct psb_kr_column *c = &s->col[j];
        res[j] = (struct psb_solve_result){
            .outcome = c->outcome, .iterations = c->iterations, .estimate = c->estimate, .residual = c->now
        };
        snprintf(res[j].why, sizeof res[j].why, "%s", c->why ? c->why : "");
        range.items = c->iterations > range.items ? c->iterations : range.items;
    }
    if (s->scaled)
        X(kr_note)(s, scale_columns(s, true, s->x));
    if (s->in_units)
        e = X(kr_agree)(s, e);
    X(kr_speak)(s);
    if (e != PSB_OK) {
        X(operator_settle)(s->op);
        X(prec_settle)(s->p);
        X(kr_close)(s);
    }
    psb_range_end(&range);
    return PSB_PASS(e);
}

psb_err X(krylov_op)(const struct X(operator) *op, const struct X(prec) *p, const struct X(vect) *b,
                     struct X(vect) *x, const struct psb_solve_options *o, struct psb_solve_result *res)
{
    PSB_NEED_HANDLE(op, "an operator");
    struct X(kr) s = { .op = op, .p = p, .o = o ? o : &psb_solve_defaults, .ctxt = psb_cd_ctxt(op->desc) };
    const psb_err e = X(kr_solve)(&s, b, x, res);
    X(kr_close)(&s);
    return PSB_PASS(e);
}

psb_err X(krylov)(const struct X(spmat) *a, const struct X(prec) *p, const struct X(vect) *b,
                  struct X(vect) *x, const struct psb_solve_options *o, struct psb_solve_result *res)
{
    PSB_NEED_HANDLE(a, "a matrix");
    const struct X(operator) op = X(operator_view)(a);
    return PSB_PASS(X(krylov_op)(&op, p, b, x, o, res));
}
