/* krylov_steps.c -- linsolve: steps that the Krylov methods share. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "kr_device.t.h"

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

struct X(epilogue) X(kr_epilogue)(int n, struct X(vect) *const *left, struct X(vect) *const *right)
{
    struct X(epilogue) e = { .gamma = 1, .ndots = n };
    for (int i = 0; i < n; i++) {
        e.dot[i].left = left[i];
        e.dot[i].right = right[i];
    }
    return e;
}

psb_err X(kr_dots)(struct X(kr) *s, int n, struct X(vect) *const *x, struct X(vect) *const *y, T *dots)
{
    const struct X(epilogue) e = X(kr_epilogue)(s->on_device ? n : 0, x, y);
    if (s->on_device)
        return PSB_PASS(X(kr_device_reduce)(s, x[0], NULL, &e, NULL, dots));
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

psb_err X(kr_coefficients)(struct X(kr) *s, int n, T **c)
{
    T *of_all;
    PSB_TRY(X(kr_device_open)(s, n, c));
    if (s->on_device)
        return PSB_OK;
    PSB_TRY(X(kr_scalars)(s, n, &of_all));
    for (int i = 0; i < n; i++)
        c[i] = of_all + i * s->k;
    return PSB_OK;
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
    X(kr_flush)(s);
    X(kr_note)(s, X(operator_mv)(s->op, x, y, op));
}

void X(kr_prec)(struct X(kr) *s, const struct X(vect) *x, struct X(vect) *y, char op)
{
    X(kr_flush)(s);
    if (x == y) /* M is 1 */
        return;
    X(kr_note)(s, s->p ? X(precapply)(s->p, x, y, op) : X(geaxpby)(1, x, 0, y));
    X(kr_project)(s, op == 'N', y);
}

psb_err X(kr_product_dots)(struct X(kr) *s, struct X(vect) *v, struct X(vect) *w, int n,
                           struct X(vect) *const *left, struct X(vect) *const *right, T *dots)
{
    const struct X(epilogue) e = X(kr_epilogue)(n, left, right);
    if (s->on_device)
        return PSB_PASS(X(kr_device_reduce)(s, v, w, &e, NULL, dots));
    if (s->k == 1 && s->failed == PSB_OK && !s->op->calls.apply)
        return PSB_PASS(X(spmv_fused)(1, s->op->a, v, 0, w, 'N', &e, dots));
    X(kr_product)(s, v, w, 'N');
    return PSB_PASS(X(kr_dots)(s, n, left, right, dots));
}

/* Can one pass compute a sum, M^-1 of it and dot products?  *d: the inverse diagonal by which M^-1 multiplies
 * it, if z is another vector than y. */
static bool is_one_pass(const struct X(kr) *s, const struct X(vect) *y, const struct X(vect) *z,
                        const struct X(vect) **d)
{
    const bool multiplies = z && z != y;
    *d = multiplies && s->p && !s->right ? X(prec_diagonal)(s->p) : NULL;
    return s->k == 1 && s->failed == PSB_OK && (!multiplies || (*d && (*d)->desc == y->desc));
}

psb_err X(kr_subtract_dots)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, struct X(vect) *y,
                            struct X(vect) *z, int n, struct X(vect) *const *left,
                            struct X(vect) *const *right, T *dots)
{
    const struct X(vect) *d;
    if (is_one_pass(s, y, z, &d)) {
        struct X(epilogue) e = X(kr_epilogue)(n, left, right);
        e.gamma = -1;
        e.delta = 1;
        e.z = y;
        e.d = d;
        e.u = d ? z : NULL;
        if (s->on_device)
            return PSB_PASS(X(kr_device_reduce)(s, x, NULL, &e, alpha, dots));
        e.gamma = -*alpha;
        const psb_err err = X(gefused)(x, &e, dots);
        if (n > 0)
            return PSB_PASS(err);
        X(kr_note)(s, err);
        return PSB_OK;
    }
    X(kr_subtract)(s, alpha, x, y);
    if (z && z != y)
        X(kr_prec)(s, y, z, 'N');
    return PSB_PASS(n > 0 ? X(kr_dots)(s, n, left, right, dots) : PSB_OK);
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* c[0..k) = sign times alpha, or ones if alpha is NULL. */
static void set_factors(int k, const T *alpha, T sign, T *c)
{
    for (int j = 0; j < k; j++)
        c[j] = alpha ? sign * alpha[j] : 1;
}

static psb_err sum_of_columns(struct X(kr) *s, const struct X(kr_sum) *t)
{
    T *c = s->coefficient;
    set_factors(s->k, t->alpha, t->minus ? -1 : 1, c);
    set_factors(s->k, t->beta, 1, c + s->k);
    return X(geaxpby_cols)(c, t->x, c + s->k, t->y);
}

/* A sum of one column. */
static struct X(axpby) one_sum(const struct X(kr) *s, const struct X(kr_sum) *t)
{
    struct X(axpby) r = { .alpha = t->minus ? -1 : 1, .x = t->x, .beta = 1, .y = t->y, .z = t->y };
    if (s->on_device) {
        r.alpha_by = X(kr_device_scalar)(s, t->alpha);
        r.beta_by = X(kr_device_scalar)(s, t->beta);
        return r;
    }
    if (t->alpha)
        r.alpha = t->minus ? -*t->alpha : *t->alpha;
    if (t->beta)
        r.beta = *t->beta;
    return r;
}

void X(kr_sums)(struct X(kr) *s, int n, const struct X(kr_sum) *sum)
{
    struct X(kr_sum) all[PSB_MOST_SUMS + 1];
    struct X(axpby) t[PSB_MOST_SUMS + 1];
    int m = 0;
    X(kr_flush)(s);
    if (s->later.y)
        all[m++] = s->later;
    s->later.y = NULL;
    for (int i = 0; i < n; i++)
        all[m++] = sum[i];
    for (int i = 0; i < m; i++)
        if (s->k > 1)
            X(kr_note)(s, sum_of_columns(s, &all[i]));
        else
            t[i] = one_sum(s, &all[i]);
    if (s->k == 1 && m == 1 && !s->on_device)
        X(kr_note)(s, X(geaxpby)(t->alpha, t->x, t->beta, t->z));
    else
        for (int i = 0; i < m && s->k == 1; i += PSB_MOST_SUMS)
            X(kr_note)(s, X(geaxpbys)(m - i < PSB_MOST_SUMS ? m - i : PSB_MOST_SUMS, t + i));
}

void X(kr_later)(struct X(kr) *s, const T *alpha, const struct X(vect) *p)
{
    const struct X(kr_sum) sum = { .alpha = alpha, .x = p, .y = s->x };
    if (s->k > 1 || s->o->stop == PSB_STOP_BACKWARD)
        X(kr_sums)(s, 1, &sum);
    else
        s->later = sum;
}

void X(kr_axpby)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, const T *beta, struct X(vect) *y)
{
    X(kr_sums)(s, 1, &(struct X(kr_sum)){ .alpha = alpha, .x = x, .beta = beta, .y = y });
}

void X(kr_subtract)(struct X(kr) *s, const T *alpha, const struct X(vect) *x, struct X(vect) *y)
{
    X(kr_sums)(s, 1, &(struct X(kr_sum)){ .alpha = alpha, .minus = true, .x = x, .y = y });
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
    if (s->k == 1 && !s->on_device)
        X(kr_note)(s, X(upd_xyz)(1, *beta, *gamma, 1, x, y, z));
    else
        X(kr_sums)(
            s, 2,
            (struct X(kr_sum)[]){ { .x = x, .beta = beta, .y = y }, { .alpha = gamma, .x = y, .y = z } });
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

/* The state of column j, and the limits that end it. */
struct psb_column X(kr_column)(const struct X(kr) *s, int j)
{
    const bool single = sizeof(R) == sizeof(float);
    const struct psb_kr_column *c = &s->col[j];
    const enum psb_stop stop = s->o->stop;
    return (struct psb_column){ .active = c->active,
                                .it = s->it,
                                .iterations = c->iterations,
                                .estimate = c->estimate,
                                .first = c->first,
                                .tol = s->o->tol,
                                .divergence = s->o->divergence,
                                .itmax = s->o->itmax,
                                .divisor = stop == PSB_STOP_RELATIVE    ? c->norm_b
                                           : stop == PSB_STOP_REDUCTION ? c->norm_r0
                                                                        : c->unit,
                                .least_square = single ? 1e-30 : 1e-290,
                                .tiny = (single ? FLT_MIN : DBL_MIN) / (double)EPS };
}

void X(kr_take_column)(struct X(kr) *s, int j, const struct psb_column *c)
{
    static const struct {
        enum psb_outcome outcome;
        const char *why;
    } end[PSB_ENDINGS] = { [PSB_ENDS_SMALL] = { PSB_CONVERGED, "" },
                           [PSB_ENDS_NOT_FINITE] = { PSB_DIVERGED, "the residual is not finite" },
                           [PSB_ENDS_LARGE] = { PSB_DIVERGED, "the residual has grown too large" },
                           [PSB_ENDS_LAST] = { PSB_MAX_ITERATIONS, "" },
                           [PSB_ENDS_BROKEN] = { PSB_BREAKDOWN, NULL },
                           [PSB_ENDS_OUT_OF_RANGE] = { PSB_BREAKDOWN, KR_OUT_OF_RANGE } };
    const bool ends = s->col[j].active && !c->active;
    s->col[j].estimate = c->estimate;
    s->col[j].iterations = c->iterations;
    s->col[j].first = c->first;
    if (!ends)
        return;
    X(kr_end)(s, j, end[c->ending].outcome, end[c->ending].why ? end[c->ending].why : c->why);
    s->col[j].certain = c->certain;
}

/* Do a step now, for each column, or queue it on the device. */
static void do_step(struct X(kr) *s, enum psb_step_kind kind, const T *a, const T *b, T *to, const char *what)
{
    for (int j = 0; j < s->k && !s->on_device; j++) {
        struct psb_column c = X(kr_column)(s, j);
        const struct X(vec_steps) one = { 1, &c, { { kind, a + j, b ? b + j : b, to ? to + j : to, what } } };
        X(kr_note)(s, X(vec_host).steps(&one));
        X(kr_take_column)(s, j, &c);
    }
    if (s->on_device)
        X(kr_device_step)(s, &(struct X(vec_step)){ kind, a, b, to, what });
}

void X(kr_ratio)(struct X(kr) *s, const T *num, const T *den, T *q, const char *what)
{
    do_step(s, PSB_STEP_RATIO, num, den, q, what);
}

void X(kr_need_positive)(struct X(kr) *s, const T *d, const char *what)
{
    do_step(s, PSB_STEP_POSITIVE, d, NULL, NULL, what);
}

void X(kr_copy)(struct X(kr) *s, const T *a, T *to)
{
    do_step(s, PSB_STEP_COPY, a, NULL, to, NULL);
}

void X(kr_negate)(struct X(kr) *s, const T *a, T *to)
{
    do_step(s, PSB_STEP_NEGATE, a, NULL, to, NULL);
}

void X(kr_multiply)(struct X(kr) *s, const T *a, const T *b, T *to)
{
    do_step(s, PSB_STEP_MULTIPLY, a, b, to, NULL);
}

void X(kr_less_product)(struct X(kr) *s, const T *a, const T *b, T *to)
{
    do_step(s, PSB_STEP_LESS_PRODUCT, a, b, to, NULL);
}

/* --- the stopping criterion ----------------------------------------------------------------------------- */

psb_err X(kr_norms)(struct X(kr) *s, const struct X(vect) *r, const T *rr, double *norm)
{
    const R least = rr ? (R)X(kr_column)(s, 0).least_square : 0; /* below it the root is not accurate */
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
            value[j] = psb_quotient_of_norms((double)of_r[j], s->norm_a * (double)of_x[j] + c->norm_b);
        else
            value[j] = psb_quotient_of_norms(norm[j], X(kr_column)(s, j).divisor);
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
    if (s->on_device) {
        do_step(s, PSB_STEP_KEEP, alpha, beta, NULL, NULL);
        return;
    }
    for (int j = 0; j < s->k && s->failed == PSB_OK; j++) {
        step[j].alpha = (double)RE(alpha[j]);
        step[j].beta = (double)RE(beta[j]);
    }
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

void X(kr_close_iteration)(struct X(kr) *s, bool first, bool go)
{
    const int itrace = s->o->itrace;
    if (first && s->it > 0) /* the method has started again */
        return;
    X(kr_keep_estimates)(s);
    if (itrace && (s->it % itrace == 0 || !go))
        report_values(s, s->value);
}

psb_err X(kr_test)(struct X(kr) *s, const struct X(vect) *r, const double *norm, bool first, bool *go)
{
    s->it += !first;
    *go = false;
    PSB_TRY(X(kr_values)(s, r, norm, s->value));
    for (int j = 0; j < s->k; j++)
        if (s->col[j].active) {
            struct psb_column c = X(kr_column)(s, j);
            psb_judge_column(&c, s->value[j], first);
            X(kr_take_column)(s, j, &c);
            *go = *go || c.active;
        }
    X(kr_close_iteration)(s, first, *go);
    return PSB_OK;
}

psb_err X(kr_test_square)(struct X(kr) *s, const struct X(vect) *r, const T *rr, bool first, bool *go)
{
    if (s->on_device)
        return PSB_PASS(X(kr_device_test)(s, r, rr, first, go));
    PSB_TRY(X(kr_norms)(s, r, rr, s->value));
    return PSB_PASS(X(kr_test)(s, r, s->value, first, go));
}

psb_err X(kr_dot_and_test)(struct X(kr) *s, struct X(vect) *x, struct X(vect) *y, struct X(vect) *r, T *dots,
                           bool first, bool *go)
{
    struct X(vect) *const left[] = { x, r }, *const right[] = { y, r };
    PSB_TRY(X(kr_dots)(s, 2, left, right, dots));
    return PSB_PASS(X(kr_test_square)(s, r, dots + s->k, first, go));
}
