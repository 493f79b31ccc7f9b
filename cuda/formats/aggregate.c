/* aggregate.c -- cuda/formats: smoothing matrices and aggregates of rows on the device, through CSR there.
 * If the device lacks memory or declines, the host does the work. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_testing.h"
#include "psb_type.h"
#include "aggregate.t.h"

/* --- the smoothing matrix ------------------------------------------------------------------------------- */

static psb_err new_smoothing(struct psb_dev_smoothing *q, psb_ipk n, const struct psb_device *on,
                             struct X(mat) **s)
{
    const struct X(aggregate_steps) *steps = PSB_KERNELS(X(aggregate_steps), on);
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(X(new_rows)(NULL, q->a.m, n, s, &q->s));
    PSB_FIND(on, at, steps->lengths(q, at), found);
    PSB_TRY(X(new_entries)(*s, found[0], &q->s));
    return steps->pattern(q);
}

psb_err X(device_smoothing)(struct X(mat) *a, const T *d, double theta, R omega, struct X(mat) **s)
{
    struct psb_dev_smoothing q = { .d = d, .theta = theta, .omega = (double)omega };
    struct X(mat) *made = NULL, *new = NULL;
    if (!X(are_on_device)(a, a) || (*s && (*s)->ops != X(csrg_mold).mat.ops))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(a, &made, &q.a);
    PSB_THEN(e, *s ? X(csr_on_device)((struct X(csr_mat) *)*s, true, &q.s)
                   : new_smoothing(&q, a->ncols, a->on, &new));
    PSB_THEN(e, PSB_KERNELS(X(aggregate_steps), a->on)->values(&q));
    if (!*s)
        e = X(finish_rows)(e, new, NULL, s);
    psb_expect_errors(0);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}

/* --- aggregates ----------------------------------------------------------------------------------------- */

/* The rows of S, and three arrays with a number for each. */
struct aggregates {
    struct psb_dev_rows d;
    const struct psb_device *on;
    const struct X(aggregate_steps) *steps;
    psb_lpk *key, *hop, *number;
    psb_epk found[PSB_FOUND];
};

static psb_err pass(struct aggregates *q, enum psb_row_pass what, const psb_lpk *from, psb_lpk *to)
{
    q->d.from = from;
    q->d.to = to;
    PSB_FIND(q->on, at, q->steps->pass(what, &q->d, at), q->found);
    return PSB_OK;
}

static psb_err find_roots(struct aggregates *q, psb_lpk root)
{
    q->d.root = root;
    PSB_TRY(pass(q, PSB_ROWS_OPEN, NULL, q->hop));
    do {
        PSB_TRY(pass(q, PSB_ROWS_HOP, q->key, q->hop));
        PSB_TRY(pass(q, PSB_ROWS_DECIDE, q->hop, q->key));
    } while (q->found[0]);
    return PSB_OK;
}

/* q->number = the aggregates of all rows; *n: of them. */
static psb_err find_aggregates(struct aggregates *q, psb_ipk *n)
{
    PSB_TRY(pass(q, PSB_ROWS_BEGIN, NULL, q->key));
    PSB_TRY(find_roots(q, PSB_ROOT));
    PSB_TRY(pass(q, PSB_ROWS_TAKEN, q->key, q->hop));
    PSB_TRY(pass(q, PSB_ROWS_AGAIN, q->hop, q->key));
    PSB_TRY(find_roots(q, PSB_ROOT_LATER));
    PSB_FIND(q->on, at, q->steps->number(q->d.s.m, q->key, q->number, at), q->found);
    *n = (psb_ipk)q->found[0];
    q->d.number = q->number;
    PSB_TRY(pass(q, PSB_ROWS_NEAREST, q->key, q->hop));
    return pass(q, PSB_ROWS_JOIN, q->hop, q->number);
}

static psb_err tentative(struct aggregates *q, struct X(mat) **p0)
{
    struct psb_dev_compressed l;
    psb_ipk n;
    PSB_TRY(find_aggregates(q, &n));
    PSB_TRY(X(new_rows)(NULL, q->d.s.m, n, p0, &l));
    PSB_FIND(q->on, at, q->steps->begin(q->d.s.m, q->number, l.off, at), q->found);
    PSB_TRY(X(new_entries)(*p0, q->found[0], &l));
    return q->steps->ones(q->d.s.m, q->number, &l);
}

psb_err X(device_aggregate)(struct X(mat) *s, struct X(mat) **p0)
{
    struct aggregates q = { .on = s->on, .steps = PSB_KERNELS(X(aggregate_steps), s->on) };
    struct X(mat) *made = NULL, *new = NULL;
    struct psb_dual d = { 0 };
    if (!X(are_on_device)(s, s))
        return PSB_ENOTIMPL;
    psb_expect_errors(1);
    psb_err e = X(rows_on_device)(s, &made, &q.d.s);
    PSB_THEN(e,
             X(move_on_device)(&d, s->on, 3 * (psb_epk)s->nrows, sizeof *q.key, NULL, "aggregates", &q.key));
    if (e == PSB_OK) {
        q.hop = q.key + s->nrows;
        q.number = q.hop + s->nrows;
        e = tentative(&q, &new);
    }
    e = X(finish_rows)(e, new, NULL, p0);
    psb_expect_errors(0);
    psb_dual_free(&d);
    X(mat_free)(made);
    return e == PSB_OK ? e : PSB_ENOTIMPL;
}
