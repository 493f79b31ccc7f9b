/* krylov_steps.c -- linsolve: steps that the Krylov methods share. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"

/* --- errors --------------------------------------------------------------------------------------------- */

void X(kr_note)(struct X(kr) *s, psb_err e)
{
    if (s->failed != PSB_OK || e == PSB_OK)
        return;
    s->failed = e;
    s->quiet = true;
    psb_expect_errors(1);
}

void X(kr_speak)(struct X(kr) *s)
{
    if (s->quiet)
        psb_expect_errors(0);
    s->quiet = false;
}

psb_err X(kr_tell)(struct X(kr) *s)
{
    X(kr_speak)(s);
    if (s->failed == PSB_OK)
        return PSB_OK;
    return PSB_PASS(psb_reduce_in_time(s->ctxt, PSB_SUM, PSB_KIND_d, 0, NULL, s->failed));
}

psb_err X(kr_agree)(struct X(kr) *s, psb_err e)
{
    X(kr_note)(s, e);
    X(kr_speak)(s);
    return PSB_PASS(psb_agree(s->ctxt, s->failed));
}

psb_err X(kr_dots)(struct X(kr) *s, int n, struct X(vect) *const *x, struct X(vect) *const *y, T *dots)
{
    PSB_TRY(X(kr_tell)(s));
    return PSB_PASS(X(gedots)(n, x, y, dots));
}

/* --- memory --------------------------------------------------------------------------------------------- */

psb_err X(kr_vectors)(struct X(kr) *s, int n, struct X(vect) **v)
{
    const int need = s->taken + n;
    if (need > s->npool) {
        psb_err e = psb_resize(&s->pool, (size_t)need, sizeof *s->pool, "vectors of a solve");
        while (e == PSB_OK && s->npool < need) {
            e = X(vect_like)(s->x, &s->pool[s->npool]);
            s->npool += e == PSB_OK;
        }
        PSB_TRY(X(kr_agree)(s, e));
    }
    for (int i = 0; i < n; i++)
        v[i] = s->pool[s->taken++];
    return PSB_OK;
}

/* Make the next array, one of `bytes` bytes. */
static psb_err make_array(struct X(kr) *s, size_t n, size_t size)
{
    if (s->given == s->narrays) {
        PSB_TRY(psb_resize(&s->arrays, (size_t)s->narrays + 1, sizeof *s->arrays, "arrays of a solve"));
        s->arrays[s->narrays++] = (struct psb_kr_array){ NULL, 0 };
    }
    PSB_TRY(psb_resize(&s->arrays[s->given].p, n, size, "arrays of a solve"));
    s->arrays[s->given].bytes = n * size;
    return PSB_OK;
}

psb_err X(kr_array)(struct X(kr) *s, void *out, size_t n, size_t size)
{
    if (s->given == s->narrays || s->arrays[s->given].bytes < n * size)
        PSB_TRY(X(kr_agree)(s, make_array(s, n, size)));
    void *p = s->arrays[s->given++].p;
    memset(p, 0, n * size);
    memcpy(out, &p, sizeof p);
    return PSB_OK;
}

psb_err X(kr_scalars)(struct X(kr) *s, int n, T **c)
{
    return PSB_PASS(X(kr_array)(s, c, (size_t)n * (size_t)s->k, sizeof **c));
}

/* --- products ------------------------------------------------------------------------------------------- */

void X(kr_residual)(struct X(kr) *s, struct X(vect) *r)
{
    if (s->op->calls.apply) {
        X(kr_product)(s, s->x, r, 'N');
        X(kr_note)(s, X(geaxpby)(1, s->b, -1, r));
    } else {
        X(kr_note)(s, X(geaxpby)(1, s->b, 0, r));
        X(kr_note)(s, X(spmv)(-1, s->op->a, s->x, 1, r, 'N'));
    }
    X(kr_project)(s, false, r);
}

void X(kr_product)(struct X(kr) *s, const struct X(vect) *x, struct X(vect) *y, char op)
{
    X(kr_note)(s, X(operator_mv)(s->op, x, y, op));
}

void X(kr_prec)(struct X(kr) *s, const struct X(vect) *x, struct X(vect) *y, char op)
{
    X(kr_note)(s, s->p ? X(precapply)(s->p, x, y, op) : X(geaxpby)(1, x, 0, y));
    X(kr_project)(s, op == 'N', y);
}

psb_err X(kr_product_dots)(struct X(kr) *s, struct X(vect) *v, struct X(vect) *w, int n,
                           struct X(vect) *const *left, struct X(vect) *const *right, T *dots)
{
    if (s->k == 1 && s->failed == PSB_OK && !s->op->calls.apply) {
        struct X(epilogue) e = { .gamma = 1, .ndots = n };
        for (int i = 0; i < n; i++) {
            e.dot[i].left = left[i];
            e.dot[i].right = right[i];
        }
        return PSB_PASS(X(spmv_fused)(1, s->op->a, v, 0, w, 'N', &e, dots));
    }
    X(kr_product)(s, v, w, 'N');
    return PSB_PASS(X(kr_dots)(s, n, left, right, dots));
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* c[0..k) = sign times alpha, or ones if alpha is NULL. */
static void set_factors(int k, const T *alpha, T sign, T *c)
{
    for (int j = 0; j < k; j++)
        c[j] = alpha ? sign * alpha[j] : 1;
}

static psb_err axpby_cols(struct X(kr) *s, const T *alpha, T sign, const struct X(vect) *x, const T *beta,
                          struct X(vect) *y)
{
    T *c = s->coefficient;
    set_factors(s->k, alpha, sign, c);
    set_factors(s->k, beta, 1, c + s->k);
    return X(geaxpby_cols)(c, x, c + s->k, y);
}

void X(kr_axpby)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, const T *beta, struct X(vect) *y)
{
    X(kr_note)(s, s->k == 1 ? X(geaxpby)(alpha ? *alpha : 1, x, beta ? *beta : 1, y)
                            : axpby_cols(s, alpha, 1, x, beta, y));
}

void X(kr_subtract)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, struct X(vect) *y)
{
    X(kr_note)(s, s->k == 1 ? X(geaxpby)(-*alpha, x, 1, y) : axpby_cols(s, alpha, -1, x, NULL, y));
}

void X(kr_add_all)(struct X(kr) *s, int m, const T *alpha, struct X(vect) *const *x, const T *beta,
                   struct X(vect) *y)
{
    if (s->k == 1)
        X(kr_note)(s, X(vect_maxpby)(m, alpha, x, beta ? *beta : 1, y));
    for (int i = 0; i < m && s->k > 1; i++)
        X(kr_axpby)(s, alpha + i * s->k, x[i], i == 0 ? beta : NULL, y);
}

void X(kr_subtract_all)(struct X(kr) *s, int m, const T *alpha, struct X(vect) *const *x, T *minus,
                        struct X(vect) *y)
{
    set_factors(m * s->k, alpha, -1, minus);
    X(kr_add_all)(s, m, minus, x, NULL, y);
}

void X(kr_advance)(struct X(kr) *s, const struct X(vect) *x, const T *beta, struct X(vect) *y, const T *gamma,
                   struct X(vect) *z)
{
    if (s->k == 1) {
        X(kr_note)(s, X(upd_xyz)(1, *beta, *gamma, 1, x, y, z));
        return;
    }
    X(kr_axpby)(s, NULL, x, beta, y);
    X(kr_axpby)(s, gamma, y, NULL, z);
}

int X(kr_kept)(const struct X(kr) *s, int otherwise)
{
    const int wanted = s->o->restart ? s->o->restart : otherwise, left = s->o->itmax - s->it;
    const int most = left > 1000000 ? 1000000 : left > 0 ? left : 1;
    return wanted < most ? wanted : most;
}

/* --- columns -------------------------------------------------------------------------------------------- */

void X(kr_end)(struct X(kr) *s, int j, enum psb_outcome outcome, const char *why)
{
    s->col[j].active = false;
    s->col[j].outcome = outcome;
    s->col[j].why = why;
    s->col[j].certain = false;
}

void X(kr_ratio)(struct X(kr) *s, const T *num, const T *den, T *q, const char *what)
{
    for (int j = 0; j < s->k; j++) {
        const bool active = s->col[j].active, zero = den[j] == 0;
        const T d = den[j], v = active && !zero ? X(quotient)(num[j], d) : 0;
        const bool finite = isfinite((double)ABS(d)) && isfinite((double)ABS(v));
        q[j] = active && finite ? v : 0;
        if (active && zero && what)
            X(kr_end)(s, j, PSB_BREAKDOWN, what);
        else if (active && !finite)
            X(kr_end)(s, j, PSB_BREAKDOWN, KR_OUT_OF_RANGE);
    }
}

void X(kr_need_positive)(struct X(kr) *s, const T *d, const char *what)
{
    const double least = (sizeof(R) == sizeof(float) ? FLT_MIN : DBL_MIN) / (double)EPS;
    for (int j = 0; j < s->k; j++)
        if (s->col[j].active && !(RE(d[j]) > 0)) {
            X(kr_end)(s, j, PSB_BREAKDOWN, isfinite((double)RE(d[j])) ? what : KR_OUT_OF_RANGE);
            s->col[j].certain = (double)RE(d[j]) < -least;
        }
}

/* --- the stopping criterion ----------------------------------------------------------------------------- */

psb_err X(kr_norms)(struct X(kr) *s, const struct X(vect) *r, const T *rr, double *norm)
{
    const R least = sizeof(R) == sizeof(float) ? (R)1e-30 : (R)1e-290; /* below it the root is not accurate */
    bool safe = rr != NULL;
    for (int j = 0; j < s->k && safe; j++)
        safe = !s->col[j].active || (isfinite((double)RE(rr[j])) && RE(rr[j]) >= least);
    if (!safe) {
        PSB_TRY(X(kr_tell)(s));
        PSB_TRY(X(genrm2)(r, s->norm));
    }
    for (int j = 0; j < s->k; j++)
        norm[j] = safe ? sqrt((double)RE(rr[j])) : (double)s->norm[j];
    return PSB_OK;
}

/* Not a number if the norm b has overflowed: a / b would be 0. */
static double quotient_of_norms(double a, double b)
{
    return a == 0 ? 0 : isfinite(b) ? a / b : NAN;
}

psb_err X(kr_values)(struct X(kr) *s, const struct X(vect) *r, const double *norm, double *value)
{
    const enum psb_stop stop = s->o->stop;
    R *of_r = s->norm, *of_x = s->norm + s->k;
    if (stop == PSB_STOP_BACKWARD) {
        PSB_TRY(X(kr_tell)(s));
        PSB_TRY(X(geamax)(r, of_r));
        PSB_TRY(X(geamax)(s->x, of_x));
    } else if (!norm) {
        PSB_TRY(X(kr_norms)(s, r, NULL, value));
        norm = value;
    }
    for (int j = 0; j < s->k; j++) {
        const struct psb_kr_column *c = &s->col[j];
        const double size = stop == PSB_STOP_BACKWARD ? (double)of_r[j] : norm[j];
        if (s->right && c->norm_b == 0 && isfinite(size) &&
            (stop == PSB_STOP_RELATIVE || stop == PSB_STOP_BACKWARD))
            value[j] = 0; /* x is in the null space, and r a rounding error */
        else if (stop == PSB_STOP_BACKWARD)
            value[j] = quotient_of_norms((double)of_r[j], s->norm_a * (double)of_x[j] + c->norm_b);
        else
            value[j] = quotient_of_norms(norm[j], stop == PSB_STOP_RELATIVE    ? c->norm_b
                                                  : stop == PSB_STOP_REDUCTION ? c->norm_r0
                                                                               : c->unit);
    }
    return PSB_OK;
}

void X(kr_keep_estimates)(struct X(kr) *s)
{
    const size_t k = (size_t)s->k, need = ((size_t)s->it + 1) * k, more = 2 * s->nsteps;
    if (need > s->nsteps) {
        const size_t n = need > more ? need + 63 * k : more;
        const psb_err e = psb_resize(&s->steps, n, sizeof *s->steps, "history of a solve");
        X(kr_note)(s, e);
        if (e != PSB_OK)
            return;
        s->nsteps = n;
    }
    for (size_t j = 0; j < k; j++)
        s->steps[need - k + j] = (struct psb_kr_step){ .estimate = s->col[j].estimate };
}

void X(kr_keep_step)(struct X(kr) *s, const T *alpha, const T *beta)
{
    struct psb_kr_step *step = s->steps + (size_t)s->it * (size_t)s->k;
    for (int j = 0; j < s->k && s->failed == PSB_OK; j++) {
        step[j].alpha = (double)RE(alpha[j]);
        step[j].beta = (double)RE(beta[j]);
    }
}

/* Update column j by the value of the criterion. */
static void judge_column(struct X(kr) *s, int j, double value)
{
    struct psb_kr_column *c = &s->col[j];
    c->estimate = value;
    c->iterations = s->it;
    if (value <= s->o->tol)
        X(kr_end)(s, j, PSB_CONVERGED, "");
    else if (!isfinite(value))
        X(kr_end)(s, j, PSB_DIVERGED, "the residual is not finite");
    else if (value > s->o->divergence * c->first)
        X(kr_end)(s, j, PSB_DIVERGED, "the residual has grown too large");
    else if (s->it >= s->o->itmax)
        X(kr_end)(s, j, PSB_MAX_ITERATIONS, "");
}

/* Report the values, those of the columns that have ended included. */
static void report_values(const struct X(kr) *s, double *value)
{
    const struct psb_solve_options *o = s->o;
    FILE *to = o->trace ? o->trace : stdout;
    int me, np;
    psb_info(s->ctxt, &me, &np);
    if (me == 0)
        fprintf(to, "%s: iteration %d:", psb_method_name(o->method), s->it);
    for (int j = 0; j < s->k; j++) {
        value[j] = s->col[j].estimate;
        if (me == 0)
            fprintf(to, " %.6e", value[j]);
    }
    if (me == 0)
        fprintf(to, "\n");
    if (o->monitor)
        o->monitor(o->arg, s->it, s->k, value);
}

psb_err X(kr_test)(struct X(kr) *s, const struct X(vect) *r, const double *norm, bool first, bool *go)
{
    const int itrace = s->o->itrace;
    double *value = s->value;
    s->it += !first;
    *go = false;
    PSB_TRY(X(kr_values)(s, r, norm, value));
    for (int j = 0; j < s->k; j++)
        if (s->col[j].active) {
            if (first)
                s->col[j].first = value[j];
            judge_column(s, j, value[j]);
            *go = *go || s->col[j].active;
        }
    if (!first || s->it == 0) /* else the method has started again */
        X(kr_keep_estimates)(s);
    if (itrace && (s->it % itrace == 0 || !*go) && (!first || s->it == 0))
        report_values(s, value);
    return PSB_OK;
}

psb_err X(kr_dot_and_test)(struct X(kr) *s, struct X(vect) *x, struct X(vect) *y, struct X(vect) *r, T *dots,
                           bool first, bool *go)
{
    struct X(vect) *const left[] = { x, r }, *const right[] = { y, r };
    PSB_TRY(X(kr_dots)(s, 2, left, right, dots));
    PSB_TRY(X(kr_norms)(s, r, dots + s->k, s->value));
    return PSB_PASS(X(kr_test)(s, r, s->value, first, go));
}
