/* product.c -- room: base.  Products of host formats, by threads. */
#include "psb_base.h"
#include "psb_team.h"
#include "psb_type.h"

static void gather_part(void *job, int t, int p)
{
    const struct X(product) *q = job;
    q->gather(q, q->first(q->of, t, p), q->first(q->of, t + 1, p));
}

static void scatter_part(void *job, int t, int p, T *y)
{
    const struct X(product) *q = job;
    q->scatter(q, q->first(q->of, t, p), q->first(q->of, t + 1, p), y);
}

void X(product_gather)(const struct X(product) *q, psb_epk work)
{
    struct X(product) job = *q;
    psb_team(psb_threads(work), gather_part, &job);
}

psb_err X(product_scatter)(const struct X(product) *q, psb_epk work, psb_epk size)
{
    struct X(product) job = *q;
    return X(add_up)(work, size, q->beta, q->y, scatter_part, &job);
}
