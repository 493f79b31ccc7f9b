/* desc_asb.c -- base/desc: assembly of a descriptor: the exchange plans of halo and overlap. */
#include "desc.h"
#include "psb_alloc.h"
#include "psb_trace.h"
#include <stdlib.h>
#include <string.h>

static psb_err neighbours_of(struct psb_neighbours *s, const struct psb_group *g)
{
    return psb_neighbours_set(s, g->n, g->rank, g->start);
}

/* --- the halo --------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    psb_lpk x = *(const psb_lpk *)a, y = *(const psb_lpk *)b;
    return (x > y) - (x < y);
}

/* Order the halo by owner, then by global index; fills glob and the receiving side. */
static psb_err order_halo(psb_desc *d, const int *owner)
{
    struct psb_group g;
    psb_ipk n = psb_desc_nhalo(d);
    psb_err e = psb_group_by(&g, n, owner);
    PSB_THEN(e, neighbours_of(&d->plan.recv, &g));
    if (e == PSB_OK) {
        for (psb_ipk i = 0; i < n; i++)
            d->glob[i] = d->used[g.order[i]];
        for (int k = 0; k < g.n; k++)
            qsort(d->glob + g.start[k], (size_t)(g.start[k + 1] - g.start[k]), sizeof *d->glob, by_value);
    }
    psb_group_free(&g);
    return e;
}

static psb_err request_halo(const psb_desc *d, struct psb_msg **msg)
{
    const struct psb_neighbours *r = &d->plan.recv;
    PSB_TRY(psb_alloc(msg, (size_t)r->n, sizeof **msg, "halo requests"));
    for (int k = 0; k < r->n; k++)
        (*msg)[k] = (struct psb_msg){ r->rank[k], (size_t)(r->start[k + 1] - r->start[k]) * sizeof *d->glob,
                                      d->glob + r->start[k] };
    return PSB_OK;
}

/* Plan the sends: the indices that neighbours requested, in their order. */
static psb_err plan_sends(psb_desc *d, const struct psb_msg *in, int nin)
{
    struct psb_neighbours *s = &d->plan.send;
    psb_ipk *idx;
    PSB_TRY(psb_neighbours_alloc(s, nin));
    for (int k = 0; k < nin; k++) {
        s->rank[k] = in[k].rank;
        s->start[k + 1] = s->start[k] + (psb_ipk)(in[k].bytes / sizeof(psb_lpk));
    }
    PSB_TRY(psb_dual_init(&d->plan.idx, (size_t)s->start[nin], sizeof *idx, NULL, "halo indices"));
    d->plan.idx.owner = PSB_OF_HALOS;
    PSB_TRY(psb_dual_write(&d->plan.idx, PSB_HOST, &idx));
    for (int k = 0; k < nin; k++)
        for (psb_ipk i = s->start[k]; i < s->start[k + 1]; i++)
            idx[i] = psb_map_g2l(d->map, ((const psb_lpk *)in[k].data)[i - s->start[k]]);
    return PSB_OK;
}

static psb_err find_owners(psb_desc *d, int **owner)
{
    psb_err e = psb_alloc(owner, d->halo.n, sizeof **owner, "halo owners");
    PSB_THEN(e, psb_alloc(&d->place, d->halo.n, sizeof *d->place, "halo places"));
    PSB_THEN(e, psb_alloc(&d->glob, d->halo.n, sizeof *d->glob, "halo indices"));
    PSB_TRY(psb_agree(d->ctxt, e));
    return psb_map_owners(d->map, d->ctxt, psb_desc_nhalo(d), d->used, *owner);
}

/* --- rows with several owners ------------------------------------------------------------------------- */

/* Plan the exchange: one value in each direction for a pair (shared row, other owner), grouped by owner. */
static psb_err plan_overlap_exchange(struct psb_overlap *s, const struct psb_shared_rows *m, int me)
{
    int *rank = NULL;
    psb_ipk *row = NULL, *pair = NULL, *idx = NULL, n = 0;
    size_t all = (size_t)m->start[m->n];
    struct psb_group g = { 0 };
    psb_err e = psb_alloc(&rank, all, sizeof *rank, "shared rows");
    PSB_THEN(e, psb_alloc(&row, all, sizeof *row, "shared rows"));
    PSB_THEN(e, psb_alloc(&pair, all, sizeof *pair, "shared rows"));
    for (psb_ipk i = 0; i < m->n && e == PSB_OK; i++)
        for (psb_ipk o = m->start[i]; o < m->start[i + 1]; o++) {
            s->place[o] = -1;
            if (m->rank[o] == me)
                continue;
            rank[n] = m->rank[o];
            row[n] = m->loc[i];
            pair[n++] = o;
        }
    PSB_THEN(e, psb_group_by(&g, n, rank));
    PSB_THEN(e, neighbours_of(&s->plan.recv, &g));
    PSB_THEN(e, neighbours_of(&s->plan.send, &g));
    PSB_THEN(e, psb_dual_init(&s->plan.idx, (size_t)n, sizeof *idx, NULL, "shared rows"));
    s->plan.idx.owner = PSB_OF_HALOS;
    PSB_THEN(e, psb_dual_write(&s->plan.idx, PSB_HOST, &idx));
    for (psb_ipk k = 0; k < n && e == PSB_OK; k++) {
        idx[k] = row[g.order[k]];
        s->place[pair[g.order[k]]] = k;
    }
    psb_group_free(&g);
    psb_free(rank);
    psb_free(row);
    psb_free(pair);
    return e;
}

static psb_err plan_overlap(psb_desc *d)
{
    struct psb_overlap *s = &d->overlap;
    const struct psb_map *m = d->map;
    if (m->replicated && m->me > 0)
        return psb_alloc(&s->counted, 0, sizeof *s->counted, "rows counted");
    if (m->shared.n == 0)
        return PSB_OK;
    size_t pairs = (size_t)m->shared.start[m->shared.n];
    s->n = m->shared.n;
    s->loc = m->shared.loc;
    s->start = m->shared.start;
    PSB_TRY(psb_alloc(&s->place, pairs, sizeof *s->place, "shared rows"));
    PSB_TRY(psb_alloc(&s->counted, (size_t)m->nrow, sizeof *s->counted, "rows counted"));
    /* A row is counted by its lowest owner. */
    for (psb_ipk l = 0; l < m->nrow; l++)
        s->counted[l] = 1;
    for (psb_ipk i = 0; i < m->shared.n; i++)
        s->counted[m->shared.loc[i]] = m->shared.rank[m->shared.start[i]] == m->me;
    s->ncounted = 0;
    for (psb_ipk l = 0; l < m->nrow; l++)
        if (s->counted[l])
            s->counted[s->ncounted++] = l;
    return plan_overlap_exchange(s, &m->shared, m->me);
}

/* --- psb_cdasb -------------------------------------------------------------------------------------- */

static psb_err plan_exchanges(psb_desc *d)
{
    int *owner = NULL, nin = 0;
    struct psb_msg *ask = NULL, *in = NULL;
    psb_err e = find_owners(d, &owner);
    if (e == PSB_OK) {
        e = order_halo(d, owner);
        PSB_THEN(e, request_halo(d, &ask));
        e = psb_agree(d->ctxt, e);
    }
    PSB_THEN(e, psb_agree(d->ctxt, psb_exchange(d->ctxt, ask, d->plan.recv.n, &in, &nin)));
    if (e == PSB_OK) {
        e = plan_sends(d, in, nin);
        PSB_THEN(e, plan_overlap(d));
        e = psb_agree(d->ctxt, e);
    }
    psb_free(owner);
    psb_free(ask);
    psb_msgs_free(in, nin);
    return e;
}

psb_err psb_cdasb(psb_desc *d)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    const struct psb_range range = psb_range_begin(NULL, __func__, "");
    psb_err e = d->state == PSB_BUILD
                    ? PSB_OK
                    : PSB_FAIL(PSB_ESTATE, "the descriptor is assembled already; expected state BUILD");
    PSB_TRY(psb_agree(d->ctxt, e));
    e = plan_exchanges(d);
    if (e != PSB_OK) { /* still in BUILD, as before */
        psb_desc_unplan(d);
        return PSB_PASS(e);
    }
    for (psb_ipk i = 0; i < psb_desc_nhalo(d); i++)
        d->place[psb_hash_get(&d->halo, d->glob[i])] = i;
    d->state = PSB_ASSEMBLED;
    psb_range_end(&range);
    return PSB_OK;
}

psb_err psb_desc_free_to_grow(const psb_desc *d)
{
    PSB_CHECK(d->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected state ASSEMBLED");
    PSB_CHECK(!d->dependents, PSB_ESTATE,
              "%d assembled matrices and vectors rely on the descriptor; expected none (psb_cdcpy makes one "
              "that nobody relies on)",
              d->dependents);
    return PSB_OK;
}

psb_err psb_cd_reinit(psb_desc *d)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    PSB_TRY(psb_agree(d->ctxt, psb_desc_free_to_grow(d)));
    psb_desc_unplan(d);
    return PSB_OK;
}

void psb_desc_swap(psb_desc *d, psb_desc *with)
{
    psb_desc was = *d;
    *d = *with;
    *with = was;
    with->users = d->users;
    with->held = d->held;
    with->dependents = d->dependents;
    with->attached = d->attached;
    with->free_attached = d->free_attached;
    d->users = was.users;
    d->held = was.held;
    d->dependents = was.dependents;
    d->attached = was.attached;
    d->free_attached = was.free_attached;
}
