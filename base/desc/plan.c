/* plan.c -- base/desc: exchange plans: made, copied, freed. */
#include "desc.h"
#include "psb_alloc.h"
#include <string.h>

static void free_neighbours(struct psb_neighbours *s)
{
    psb_free(s->rank);
    psb_free(s->start);
    *s = (struct psb_neighbours){ 0 };
}

psb_err psb_neighbours_alloc(struct psb_neighbours *s, int n)
{
    PSB_TRY(psb_alloc(&s->rank, (size_t)n, sizeof *s->rank, "neighbours"));
    psb_err e = psb_alloc_zero(&s->start, (size_t)n + 1, sizeof *s->start, "neighbours");
    if (e == PSB_OK)
        s->n = n;
    else
        free_neighbours(s);
    return PSB_PASS(e);
}

psb_err psb_neighbours_set(struct psb_neighbours *s, int n, const int *rank, const psb_ipk *start)
{
    PSB_TRY(psb_neighbours_alloc(s, n));
    memcpy(s->rank, rank, (size_t)n * sizeof *s->rank);
    memcpy(s->start, start, ((size_t)n + 1) * sizeof *s->start);
    return PSB_OK;
}

static void free_plan(struct psb_halo *h)
{
    if (h->channel)
        h->free_channel(h->channel);
    free_neighbours(&h->recv);
    free_neighbours(&h->send);
    psb_dual_free(&h->idx);
    *h = (struct psb_halo){ 0 };
}

void psb_desc_unplan(psb_desc *d)
{
    struct psb_overlap *s = &d->overlap;
    free_plan(&d->plan);
    free_plan(&d->sums);
    free_plan(&s->plan);
    psb_free(s->place);
    psb_free(s->counted);
    psb_dual_free(&s->lists);
    *s = (struct psb_overlap){ 0 };
    psb_free(d->place);
    psb_free(d->glob);
    d->place = NULL;
    d->glob = NULL;
    d->state = PSB_BUILD;
}

static psb_err copy_neighbours(struct psb_neighbours *s, const struct psb_neighbours *of)
{
    return of->rank ? psb_neighbours_set(s, of->n, of->rank, of->start) : PSB_OK;
}

static psb_err copy_plan(struct psb_halo *h, struct psb_halo *of)
{
    const psb_ipk *from;
    psb_ipk *to;
    PSB_TRY(copy_neighbours(&h->recv, &of->recv));
    PSB_TRY(copy_neighbours(&h->send, &of->send));
    size_t n = (size_t)of->send.start[of->send.n];
    PSB_TRY(psb_dual_init(&h->idx, n, sizeof *to, NULL, "halo indices"));
    h->idx.owner = PSB_OF_HALOS;
    PSB_TRY(psb_dual_write(&h->idx, PSB_HOST, &to));
    PSB_TRY(psb_dual_read(&of->idx, PSB_HOST, &from));
    if (n)
        memcpy(to, from, n * sizeof *to);
    return PSB_OK;
}

psb_err psb_desc_copy_plan(psb_desc *new, psb_desc *of)
{
    size_t n = of->halo.n;
    struct psb_overlap *s = &new->overlap, *o = &of->overlap;
    PSB_TRY(psb_copy(&new->place, of->place, n, sizeof *new->place, "halo places"));
    PSB_TRY(psb_copy(&new->glob, of->glob, n, sizeof *new->glob, "halo indices"));
    PSB_TRY(copy_plan(&new->plan, &of->plan));
    if (o->n)
        PSB_TRY(copy_plan(&s->plan, &o->plan));
    s->n = o->n;
    s->loc = new->map->shared.loc;
    s->start = new->map->shared.start;
    if (o->place)
        PSB_TRY(psb_copy(&s->place, o->place, (size_t)o->start[o->n], sizeof *s->place, "shared rows"));
    s->ncounted = o->ncounted;
    if (o->counted)
        PSB_TRY(psb_copy(&s->counted, o->counted, (size_t)o->ncounted, sizeof *s->counted, "shared rows"));
    new->state = of->state;
    return PSB_OK;
}
