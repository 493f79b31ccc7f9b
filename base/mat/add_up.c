/* add_up.c -- base/mat: sums into elements that several threads may change. */
#include "psb_format.h"
#include "psb_team.h"
#include "psb_type.h"

struct sum {
    psb_epk size;
    T beta, *y, *more; /* more: the arrays of the other threads */
    X(adding) *add;
    void *job;
};

static void add_part(void *job, int t, int p)
{
    const struct sum *q = job;
    T *y = t == 0 ? q->y : q->more + (t - 1) * q->size;
    for (psb_epk i = 0; i < q->size && (t > 0 || q->beta != 1); i++)
        y[i] = t > 0 || q->beta == 0 ? 0 : q->beta * y[i];
    q->add(q->job, t, p, y);
}

static void join_part(void *job, int t, int p)
{
    const struct sum *q = job;
    psb_epk a, b;
    psb_thread_range(q->size, t, p, &a, &b);
    for (int o = 0; o < p - 1; o++)
        for (psb_epk i = a; i < b; i++)
            q->y[i] += q->more[o * q->size + i];
}

psb_err X(add_up)(psb_epk work, psb_epk size, T beta, T *y, X(adding) *add, void *job)
{
    enum { WORTH = 4 }; /* additions per thread and element of y that justify a copy of y */
    struct sum q = { size, beta, y, NULL, add, job };
    int p = psb_threads(work);
    if (p > 1 && work / p < WORTH * size)
        p = work < 2 * WORTH * size ? 1 : (int)(work / (WORTH * size));
    if (p > 1)
        PSB_TRY(
            psb_alloc(&q.more, (size_t)size * (size_t)(p - 1), sizeof *q.more, "product of several threads"));
    psb_team(p, add_part, &q);
    if (p > 1)
        psb_team(p, join_part, &q);
    psb_free(q.more);
    return PSB_OK;
}
