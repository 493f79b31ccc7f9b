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
    psb_err e = PSB_OK;
    if (need > s->npool)
        e = psb_resize(&s->pool, (size_t)need, sizeof *s->pool, "vectors of a solve");
    while (e == PSB_OK && s->npool < need) {
        e = X(vect_clone)(s->x, &s->pool[s->npool]);
        s->npool += e == PSB_OK;
    }
    PSB_TRY(X(kr_agree)(s, e));
    for (int i = 0; i < n; i++)
        v[i] = s->pool[s->taken++];
    return PSB_OK;
}

psb_err X(kr_array)(struct X(kr) *s, void *out, size_t n, size_t size)
{
    void *p = NULL;
    psb_err e = psb_resize(&s->arrays, (size_t)s->narrays + 1, sizeof *s->arrays, "arrays of a solve");
    if (e == PSB_OK)
        e = psb_alloc_zero(&p, n, size, "arrays of a solve");
    if (e == PSB_OK)
        s->arrays[s->narrays++] = p;
    memcpy(out, &p, sizeof p);
    return PSB_PASS(X(kr_agree)(s, e));
}

psb_err X(kr_scalars)(struct X(kr) *s, int n, T **c)
{
    return PSB_PASS(X(kr_array)(s, c, (size_t)n * (size_t)s->k, sizeof **c));
}

/* --- products ------------------------------------------------------------------------------------------- */

void X(kr_residual)(struct X(kr) *s, struct X(vect) *r)
{
    X(kr_note)(s, X(geaxpby)(1, s->b, 0, r));
    X(kr_note)(s, X(spmv)(-1, s->a, s->x, 1, r, 'N'));
}

void X(kr_prec)(struct X(kr) *s, const struct X(vect) *x, struct X(vect) *y, char op)
{
    X(kr_note)(s, s->p ? X(precapply)(s->p, x, y, op) : X(geaxpby)(1, x, 0, y));
}

psb_err X(kr_product_dots)(struct X(kr) *s, struct X(vect) *v, struct X(vect) *w, int n,
                           struct X(vect) *const *left, struct X(vect) *const *right, T *dots)
{
    if (s->k == 1 && s->failed == PSB_OK) {
        struct X(epilogue) e = { .gamma = 1, .ndots = n };
        for (int i = 0; i < n; i++) {
            e.dot[i].left = left[i];
            e.dot[i].right = right[i];
        }
        return PSB_PASS(X(spmv_fused)(1, s->a, v, 0, w, 'N', &e, dots));
    }
    X(kr_note)(s, X(spmv)(1, s->a, v, 0, w, 'N'));
    return PSB_PASS(X(kr_dots)(s, n, left, right, dots));
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* Up to so many columns have their factors on the stack. */
enum { FEW_COLUMNS = 32 };

/* c[0..k) = sign times alpha, or ones if alpha is NULL. */
static void set_factors(int k, const T *alpha, T sign, T *c)
{
    for (int j = 0; j < k; j++)
        c[j] = alpha ? sign * alpha[j] : 1;
}

static psb_err axpby_cols(int k, const T *alpha, T sign, const struct X(vect) *x, const T *beta,
                          struct X(vect) *y)
{
    T few[2 * FEW_COLUMNS], *c = few;
    if (k > FEW_COLUMNS)
        PSB_TRY(psb_alloc(&c, 2 * (size_t)k, sizeof *c, "factors of columns"));
    set_factors(k, alpha, sign, c);
    set_factors(k, beta, 1, c + k);
    psb_err e = X(geaxpby_cols)(c, x, c + k, y);
    if (c != few)
        psb_free(c);
    return e;
}

void X(kr_axpby)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, const T *beta, struct X(vect) *y)
{
    X(kr_note)(s, s->k == 1 ? X(geaxpby)(alpha ? *alpha : 1, x, beta ? *beta : 1, y)
                            : axpby_cols(s->k, alpha, 1, x, beta, y));
}

void X(kr_subtract)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, struct X(vect) *y)
{
    X(kr_note)(s, s->k == 1 ? X(geaxpby)(-*alpha, x, 1, y) : axpby_cols(s->k, alpha, -1, x, NULL, y));
}

void X(kr_subtract_all)(struct X(kr) *s, int m, const T *alpha, struct X(vect) *const *x, T *minus,
                        struct X(vect) *y)
{
    for (int i = 0; i < m && s->k > 1; i++)
        X(kr_subtract)(s, alpha + i * s->k, x[i], y);
    if (s->k > 1)
        return;
    set_factors(m, alpha, -1, minus);
    X(kr_note)(s, X(gemaxpy)(m, minus, x, y));
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
        if (stop == PSB_STOP_BACKWARD)
            value[j] = quotient_of_norms((double)of_r[j], s->norm_a * (double)of_x[j] + c->norm_b);
        else
            value[j] = quotient_of_norms(norm[j], stop == PSB_STOP_RELATIVE    ? c->norm_b
                                                  : stop == PSB_STOP_REDUCTION ? c->norm_r0
                                                                               : c->unit);
    }
    return PSB_OK;
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
