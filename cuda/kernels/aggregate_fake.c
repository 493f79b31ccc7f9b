/* aggregate_fake.c -- cuda/kernels: smoothing matrices and aggregates in plain C, for the fake device: by the
 * functions of the host. */
#include "psb_format.h"
#include "kernels.h"
#include "psb_type.h"
#include "aggregate.t.h"

static struct X(compressed) rows_of(const struct psb_dev_compressed *l)
{
    return (struct X(compressed)){ .n = l->m, .m = l->m, .ptr = l->off, .idx = l->ja, .val = l->val };
}

static struct X(smoothing) smoothing_of(const struct psb_dev_smoothing *q)
{
    return (struct X(smoothing)){
        .a = rows_of(&q->a), .s = rows_of(&q->s), .d = q->d, .theta = q->theta, .omega = (R)q->omega
    };
}

static psb_err smoothing_lengths(const struct psb_dev_smoothing *q, psb_epk *found)
{
    const struct X(smoothing) s = smoothing_of(q);
    X(smoothing_lengths)(&s);
    found[0] = q->s.off[q->s.m];
    return PSB_OK;
}

static psb_err smoothing_pattern(const struct psb_dev_smoothing *q)
{
    const struct X(smoothing) s = smoothing_of(q);
    X(smoothing_pattern)(&s);
    return PSB_OK;
}

static psb_err smoothing_values(const struct psb_dev_smoothing *q)
{
    const struct X(smoothing) s = smoothing_of(q);
    X(smoothing_values)(&s);
    return PSB_OK;
}

static psb_err pass_over_rows(int what, const struct psb_dev_rows *q, psb_epk *found)
{
    const struct X(compressed) s = rows_of(&q->s);
    const struct psb_graph g = { s.n, s.ptr, s.idx, NULL };
    found[0] = 0;
    for (psb_ipk i = 0; i < s.n; i++) {
        q->to[i] = what == PSB_ROWS_JOIN
                       ? X(aggregate_joined)(&s, i, q->from)
                       : psb_row_result((enum psb_row_pass)what, &g, i, q->root, q->from, q->number, q->to);
        found[0] |= what == PSB_ROWS_DECIDE && psb_row_is_open(q->to[i], q->root);
    }
    return PSB_OK;
}

static psb_err number_roots(psb_ipk m, const psb_lpk *key, psb_lpk *number, psb_epk *found)
{
    psb_epk n = 0;
    for (psb_ipk i = 0; i < m; i++) {
        n += key[i] >= PSB_ROOT_LATER;
        number[i] = n;
    }
    found[0] = n;
    return PSB_OK;
}

static psb_err begin_rows(psb_ipk m, const psb_lpk *of, psb_epk *off, psb_epk *found)
{
    off[0] = 0;
    for (psb_ipk i = 0; i < m; i++)
        off[i + 1] = off[i] + (of[i] >= 0);
    found[0] = off[m];
    return PSB_OK;
}

static psb_err set_ones(psb_ipk m, const psb_lpk *of, const struct psb_dev_compressed *p0)
{
    for (psb_ipk i = 0; i < m; i++)
        if (of[i] >= 0) {
            p0->ja[p0->off[i]] = (psb_ipk)of[i];
            ((T *)p0->val)[p0->off[i]] = 1;
        }
    return PSB_OK;
}

const struct X(aggregate_steps) X(aggregate_steps_fake) = {
    .lengths = smoothing_lengths,
    .pattern = smoothing_pattern,
    .values = smoothing_values,
    .pass = pass_over_rows,
    .number = number_roots,
    .begin = begin_rows,
    .ones = set_ones,
};
