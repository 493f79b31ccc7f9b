/* desc.c -- room: base.  Descriptors: built by insertion, assembled into a halo plan. */
#include "psb_desc.h"
#include "map.h"
#include "psb_alloc.h"
#include <stdlib.h>
#include <string.h>

struct psb_desc {
    psb_ctxt *ctxt;
    enum psb_state state;
    int users;
    struct psb_map map;
    struct psb_hash halo; /* global index -> slot - nrow */
    psb_lpk *used;        /* slot - nrow -> global index */
    size_t used_cap;
    psb_ipk *place; /* slot - nrow -> place in the halo, once assembled */
    psb_lpk *glob;  /* place in the halo -> global index */
    struct psb_halo plan;
};

static psb_ipk nhalo(const psb_desc *d)
{
    return (psb_ipk)d->halo.n;
}

/* --- making and freeing ----------------------------------------------------------------------------- */

static psb_err open_desc(psb_desc **new, psb_desc **desc, psb_ctxt *ctxt)
{
    PSB_CHECK(ctxt, PSB_EARG, "argument ctxt is NULL; expected a context");
    psb_err e = desc ? psb_alloc_zero(new, 1, sizeof **new, "descriptor")
                     : PSB_FAIL(PSB_EARG, "argument desc is NULL; expected where to store the descriptor");
    e = psb_agree(ctxt, e);
    if (e != PSB_OK) {
        psb_free(*new);
        return e;
    }
    (*new)->ctxt = ctxt;
    (*new)->state = PSB_BUILD;
    (*new)->users = 1;
    return PSB_OK;
}

static psb_err close_desc(psb_desc *new, psb_desc **desc, psb_err e)
{
    if (e != PSB_OK) {
        psb_cdfree(new);
        return e;
    }
    *desc = new;
    return PSB_OK;
}

static psb_err check_nl(psb_ipk nl)
{
    PSB_CHECK(nl >= 0, PSB_EARG, "argument nl is %d; expected a number of rows >= 0", nl);
    return PSB_OK;
}

psb_err psb_cdall_nl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl)
{
    psb_desc *new = NULL;
    PSB_TRY(open_desc(&new, desc, ctxt));
    psb_err e = psb_agree(ctxt, check_nl(nl));
    if (e == PSB_OK)
        e = psb_map_block(&new->map, ctxt, nl);
    return close_desc(new, desc, e);
}

psb_err psb_cdall_vl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl)
{
    psb_desc *new = NULL;
    PSB_TRY(open_desc(&new, desc, ctxt));
    psb_err e = psb_agree(ctxt, check_nl(nl));
    if (e == PSB_OK)
        e = psb_map_list(&new->map, ctxt, nl, vl);
    return close_desc(new, desc, e);
}

/* The rows that vg gives to this process. */
static psb_err rows_of_me(psb_ctxt *ctxt, psb_lpk ng, const int *vg, psb_lpk **vl, psb_ipk *nl)
{
    int me, np;
    psb_lpk n = 0;
    psb_info(ctxt, &me, &np);
    PSB_CHECK(ng >= 0, PSB_EARG, "argument ng is %" PRId64 "; expected a number of rows >= 0", ng);
    PSB_CHECK(vg || ng == 0, PSB_EARG, "argument vg is NULL; expected the owner of each of %" PRId64 " rows",
              ng);
    for (psb_lpk i = 0; i < ng; i++) {
        PSB_CHECK(vg[i] >= 0 && vg[i] < np, PSB_EARG,
                  "argument vg[%" PRId64 "] is %d; expected a process, 0 <= vg < %d", i, vg[i], np);
        n += vg[i] == me;
    }
    PSB_CHECK(n <= INT32_MAX, PSB_EARG, "argument vg gives process %d %" PRId64 " rows; expected < 2^31", me,
              n);
    PSB_TRY(psb_alloc(vl, (size_t)n, sizeof **vl, "rows owned"));
    for (psb_lpk i = 0; i < ng; i++)
        if (vg[i] == me)
            (*vl)[(*nl)++] = i;
    return PSB_OK;
}

psb_err psb_cdall_vg(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, const int *vg)
{
    psb_desc *new = NULL;
    psb_lpk *vl = NULL;
    psb_ipk nl = 0;
    PSB_TRY(open_desc(&new, desc, ctxt));
    psb_err e = psb_agree(ctxt, rows_of_me(ctxt, ng, vg, &vl, &nl));
    if (e == PSB_OK)
        e = psb_map_list(&new->map, ctxt, nl, vl);
    psb_free(vl);
    return close_desc(new, desc, e);
}

static void free_side(struct psb_side_plan *s)
{
    psb_free(s->rank);
    psb_free(s->start);
    *s = (struct psb_side_plan){ 0 };
}

static void free_plan(struct psb_halo *h)
{
    free_side(&h->recv);
    free_side(&h->send);
    psb_dual_free(&h->idx);
}

void psb_cdfree(psb_desc *d)
{
    if (!d || --d->users > 0)
        return;
    free_plan(&d->plan);
    psb_map_free(&d->map);
    psb_hash_free(&d->halo);
    psb_free(d->used);
    psb_free(d->place);
    psb_free(d->glob);
    psb_free(d);
}

psb_err psb_desc_hold(psb_desc *desc, const char *argument)
{
    PSB_CHECK(desc, PSB_EARG, "argument %s is NULL; expected a descriptor", argument);
    desc->users++;
    return PSB_OK;
}

/* --- insertion -------------------------------------------------------------------------------------- */

/* Room for one more index that others own. */
static psb_err reserve(psb_desc *d)
{
    size_t need = d->halo.n + 1;
    PSB_CHECK(need < (size_t)(INT32_MAX - d->map.nrow), PSB_EARG,
              "%zu halo indices beside %d rows; expected less than 2^31 local columns", need, d->map.nrow);
    PSB_TRY(psb_hash_reserve(&d->halo, 1));
    if (need > d->used_cap) {
        PSB_TRY(psb_resize(&d->used, 2 * need, sizeof *d->used, "halo indices"));
        d->used_cap = 2 * need;
    }
    return PSB_OK;
}

psb_ipk psb_desc_slot(const psb_desc *d, psb_lpk g)
{
    psb_ipk l = d->map.ops->g2l(&d->map, g);
    if (l >= 0)
        return l;
    l = psb_hash_get(&d->halo, g);
    return l < 0 ? -1 : d->map.nrow + l;
}

psb_err psb_desc_use(psb_desc *d, const psb_desc *row, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja)
{
    for (psb_epk k = 0; k < nz; k++) {
        if ((ia && !psb_is_owned(row, ia[k])) || psb_desc_slot(d, ja[k]) >= 0)
            continue;
        PSB_TRY(reserve(d));
        d->used[nhalo(d)] = ja[k];
        psb_hash_put(&d->halo, ja[k], nhalo(d));
    }
    return PSB_OK;
}

psb_ipk psb_desc_slot_to_loc(const psb_desc *d, psb_ipk slot)
{
    return slot < d->map.nrow ? slot : d->map.nrow + d->place[slot - d->map.nrow];
}

static psb_err check_indices(const psb_desc *d, psb_epk nz, const psb_lpk *g, const char *name)
{
    for (psb_epk k = 0; k < nz; k++)
        PSB_CHECK(g[k] >= 0 && g[k] < d->map.nglob, PSB_EARG,
                  "argument %s[%" PRId64 "] is %" PRId64 "; expected 0 <= %s < %" PRId64, name, k, g[k], name,
                  d->map.nglob);
    return PSB_OK;
}

psb_err psb_cdins(psb_desc *d, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja)
{
    PSB_CHECK(d, PSB_EARG, "argument desc is NULL; expected a descriptor");
    PSB_CHECK(d->state == PSB_BUILD, PSB_ESTATE, "the descriptor is assembled; expected state BUILD");
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected >= 0", nz);
    PSB_CHECK(ja || nz == 0, PSB_EARG, "argument ja is NULL; expected %" PRId64 " indices", nz);
    if (ia)
        PSB_TRY(check_indices(d, nz, ia, "ia"));
    PSB_TRY(check_indices(d, nz, ja, "ja"));
    return psb_desc_use(d, d, nz, ia, ja);
}

/* --- assembly --------------------------------------------------------------------------------------- */

static psb_err side_alloc(struct psb_side_plan *s, int n)
{
    PSB_TRY(psb_alloc(&s->rank, (size_t)n, sizeof *s->rank, "neighbours"));
    PSB_TRY(psb_alloc_zero(&s->start, (size_t)n + 1, sizeof *s->start, "neighbours"));
    s->n = n;
    return PSB_OK;
}

static int by_value(const void *a, const void *b)
{
    psb_lpk x = *(const psb_lpk *)a, y = *(const psb_lpk *)b;
    return (x > y) - (x < y);
}

/* Order the halo by owner, then by global index; fills glob and the receiving side. */
static psb_err order_halo(psb_desc *d, const int *owner)
{
    int np, nn = 0;
    psb_ipk n = nhalo(d), *order = NULL, *start = NULL;
    psb_info(d->ctxt, NULL, &np);
    psb_err e = psb_alloc(&order, (size_t)n, sizeof *order, "halo order");
    if (e == PSB_OK)
        e = psb_alloc(&start, (size_t)np + 1, sizeof *start, "halo order");
    if (e == PSB_OK) {
        psb_sort_by_key(n, owner, np, order, start);
        for (int p = 0; p < np; p++)
            nn += start[p + 1] > start[p];
        e = side_alloc(&d->plan.recv, nn);
    }
    if (e == PSB_OK) {
        struct psb_side_plan *r = &d->plan.recv;
        for (psb_ipk i = 0; i < n; i++)
            d->glob[i] = d->used[order[i]];
        for (int p = 0, k = 0; p < np; p++)
            if (start[p + 1] > start[p]) {
                qsort(d->glob + start[p], (size_t)(start[p + 1] - start[p]), sizeof *d->glob, by_value);
                r->rank[k++] = p;
                r->start[k] = start[p + 1];
            }
    }
    psb_free(order);
    psb_free(start);
    return e;
}

/* Where each slot went. */
static void place_slots(psb_desc *d)
{
    for (psb_ipk i = 0; i < nhalo(d); i++)
        d->place[psb_hash_get(&d->halo, d->glob[i])] = i;
}

static psb_err request(const psb_desc *d, struct psb_msg **msg)
{
    const struct psb_side_plan *r = &d->plan.recv;
    PSB_TRY(psb_alloc(msg, (size_t)r->n, sizeof **msg, "halo requests"));
    for (int k = 0; k < r->n; k++)
        (*msg)[k] = (struct psb_msg){ r->rank[k], (size_t)(r->start[k + 1] - r->start[k]) * sizeof *d->glob,
                                      d->glob + r->start[k] };
    return PSB_OK;
}

/* What others asked of me, in their order: the sending side. */
static psb_err plan_sends(psb_desc *d, const struct psb_msg *in, int nin)
{
    struct psb_side_plan *s = &d->plan.send;
    psb_ipk *idx;
    PSB_TRY(side_alloc(s, nin));
    for (int k = 0; k < nin; k++) {
        s->rank[k] = in[k].rank;
        s->start[k + 1] = s->start[k] + (psb_ipk)(in[k].bytes / sizeof(psb_lpk));
    }
    PSB_TRY(psb_dual_init(&d->plan.idx, (size_t)s->start[nin], sizeof *idx, NULL, "halo indices"));
    PSB_TRY(psb_dual_write(&d->plan.idx, PSB_HOST, &idx));
    for (int k = 0; k < nin; k++)
        for (psb_ipk i = s->start[k]; i < s->start[k + 1]; i++)
            idx[i] = d->map.ops->g2l(&d->map, ((const psb_lpk *)in[k].data)[i - s->start[k]]);
    return PSB_OK;
}

static psb_err find_owners(psb_desc *d, int **owner)
{
    psb_err e = psb_alloc(owner, d->halo.n, sizeof **owner, "halo owners");
    if (e == PSB_OK)
        e = psb_alloc(&d->place, d->halo.n, sizeof *d->place, "halo places");
    if (e == PSB_OK)
        e = psb_alloc(&d->glob, d->halo.n, sizeof *d->glob, "halo indices");
    PSB_TRY(psb_agree(d->ctxt, e));
    return d->map.ops->owners(&d->map, d->ctxt, nhalo(d), d->used, *owner);
}

static psb_err assemble(psb_desc *d)
{
    int *owner = NULL, nin = 0;
    struct psb_msg *ask = NULL, *in = NULL;
    psb_err e = find_owners(d, &owner);
    if (e == PSB_OK) {
        e = order_halo(d, owner);
        if (e == PSB_OK)
            e = request(d, &ask);
        e = psb_agree(d->ctxt, e);
    }
    if (e == PSB_OK)
        e = psb_agree(d->ctxt, psb_exchange(d->ctxt, ask, d->plan.recv.n, &in, &nin));
    if (e == PSB_OK)
        e = psb_agree(d->ctxt, plan_sends(d, in, nin));
    psb_free(owner);
    psb_free(ask);
    psb_msgs_free(in, nin);
    return e;
}

psb_err psb_cdasb(psb_desc *d)
{
    PSB_CHECK(d, PSB_EARG, "argument desc is NULL; expected a descriptor");
    psb_err e = d->state == PSB_BUILD
                    ? PSB_OK
                    : PSB_FAIL(PSB_ESTATE, "the descriptor is assembled already; expected state BUILD");
    PSB_TRY(psb_agree(d->ctxt, e));
    e = assemble(d);
    if (e != PSB_OK) { /* still in BUILD, as before */
        free_plan(&d->plan);
        psb_free(d->place);
        psb_free(d->glob);
        d->place = NULL;
        d->glob = NULL;
        return e;
    }
    place_slots(d);
    d->state = PSB_ASSEMBLED;
    return PSB_OK;
}

/* --- queries ---------------------------------------------------------------------------------------- */

psb_ipk psb_cd_local_rows(const psb_desc *d)
{
    return d->map.nrow;
}

psb_ipk psb_cd_local_cols(const psb_desc *d)
{
    return d->map.nrow + nhalo(d);
}

psb_lpk psb_cd_global_rows(const psb_desc *d)
{
    return d->map.nglob;
}

enum psb_state psb_cd_state(const psb_desc *d)
{
    return d->state;
}

psb_ctxt *psb_cd_ctxt(const psb_desc *d)
{
    return d->ctxt;
}

int psb_is_owned(const psb_desc *d, psb_lpk g)
{
    return d->map.ops->g2l(&d->map, g) >= 0;
}

psb_ipk psb_glob_to_loc(const psb_desc *d, psb_lpk g)
{
    psb_ipk l = d->map.ops->g2l(&d->map, g);
    if (l >= 0 || d->state != PSB_ASSEMBLED)
        return l;
    l = psb_hash_get(&d->halo, g);
    return l < 0 ? -1 : d->map.nrow + d->place[l];
}

psb_lpk psb_loc_to_glob(const psb_desc *d, psb_ipk l)
{
    if (l >= 0 && l < d->map.nrow)
        return d->map.ops->l2g(&d->map, l);
    if (d->state != PSB_ASSEMBLED || l < 0 || l >= psb_cd_local_cols(d))
        return -1;
    return d->glob[l - d->map.nrow];
}

void psb_cd_volume(const psb_desc *d, psb_ipk *sent, psb_ipk *received, int *neighbours)
{
    const struct psb_halo *h = &d->plan;
    if (sent)
        *sent = h->send.n ? h->send.start[h->send.n] : 0;
    if (received)
        *received = h->recv.n ? h->recv.start[h->recv.n] : 0;
    if (neighbours) { /* both lists are sorted: count the union */
        int i = 0, j = 0;
        for (*neighbours = 0; i < h->send.n || j < h->recv.n; ++*neighbours) {
            int a = i < h->send.n ? h->send.rank[i] : INT32_MAX,
                b = j < h->recv.n ? h->recv.rank[j] : INT32_MAX;
            i += a <= b;
            j += b <= a;
        }
    }
}

struct psb_halo *psb_desc_halo(psb_desc *d)
{
    return &d->plan;
}
