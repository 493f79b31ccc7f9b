/* map.c -- base/desc: index maps: blocks, lists of runs, hash tables, replicated. */
#include "map.h"
#include "psb_alloc.h"
#include "coll.h"
#include "psb_desc.h"
#include "psb_search.h"
#include <stdlib.h>
#include <string.h>

static psb_err new_map(struct psb_map **m, const struct psb_map_ops *ops, psb_ctxt *ctxt, psb_ipk nrow)
{
    PSB_TRY(psb_alloc_zero(m, 1, ops->size, "index map"));
    (*m)->ops = ops;
    (*m)->nrow = nrow;
    psb_info(ctxt, &(*m)->me, &(*m)->np);
    return PSB_OK;
}

/* --- one run: blocks, and replicated ---------------------------------------------------------------- */

static psb_ipk run_g2l(const struct psb_map *m, psb_lpk g)
{
    return psb_map_g2l(m, g);
}

static psb_lpk run_l2g(const struct psb_map *m, psb_ipk l)
{
    return m->lo + l;
}

static const struct psb_map_ops block = {
    .name = "block",
    .size = sizeof(struct psb_map),
    .g2l = run_g2l,
    .l2g = run_l2g,
};

static const struct psb_map_ops replicated = {
    .name = "replicated",
    .size = sizeof(struct psb_map),
    .g2l = run_g2l,
    .l2g = run_l2g,
};

psb_err psb_map_block(struct psb_map **m, psb_ctxt *ctxt, psb_ipk nl)
{
    psb_lpk upto = nl, all = nl;
    PSB_TRY(psb_reduce(ctxt, PSB_SUM, PSB_KIND_l, 1, &all, new_map(m, &block, ctxt, nl)));
    PSB_TRY(psb_scan_sum(ctxt, 1, &upto));
    (*m)->nglob = all;
    (*m)->one_run = true;
    (*m)->lo = upto - nl;
    return PSB_PASS(psb_dir_runs(&(*m)->dir, ctxt, (*m)->nglob, (*m)->lo, nl));
}

psb_err psb_map_repl(struct psb_map **m, psb_ctxt *ctxt, psb_ipk n)
{
    PSB_TRY(new_map(m, &replicated, ctxt, n));
    (*m)->nglob = n;
    (*m)->one_run = (*m)->replicated = true;
    return PSB_OK;
}

/* --- lists: ascending, in few runs ------------------------------------------------------------------ */

/* Run r begins with global index lows[r] and local number begin[r]; begin has nrun + 1 elements. */
struct list_map {
    struct psb_map m;
    psb_ipk nrun;
    psb_lpk *lows;
    psb_ipk *begin;
};

static psb_ipk list_g2l(const struct psb_map *m, psb_lpk g)
{
    const struct list_map *l = (const struct list_map *)m;
    if (l->nrun == 0 || g < l->lows[0])
        return -1;
    psb_ipk r = psb_last_up_to(l->lows, l->nrun, g);
    psb_lpk past = g - l->lows[r];
    return past < l->begin[r + 1] - l->begin[r] ? l->begin[r] + (psb_ipk)past : -1;
}

static psb_lpk list_l2g(const struct psb_map *m, psb_ipk i)
{
    const struct list_map *l = (const struct list_map *)m;
    psb_ipk r = (psb_ipk)psb_first_from(l->begin, 1, l->nrun, i + 1) - 1;
    return l->lows[r] + (i - l->begin[r]);
}

static psb_err list_copy(struct psb_map *m, const struct psb_map *of_)
{
    struct list_map *l = (struct list_map *)m;
    const struct list_map *of = (const struct list_map *)of_;
    l->nrun = of->nrun;
    PSB_TRY(psb_copy(&l->lows, of->lows, (size_t)of->nrun, sizeof *l->lows, "list map"));
    return psb_copy(&l->begin, of->begin, (size_t)of->nrun + 1, sizeof *l->begin, "list map");
}

static size_t list_bytes(const struct psb_map *m)
{
    const struct list_map *l = (const struct list_map *)m;
    return (size_t)l->nrun * (sizeof *l->lows + sizeof *l->begin);
}

static void list_free(struct psb_map *m)
{
    struct list_map *l = (struct list_map *)m;
    psb_free(l->lows);
    psb_free(l->begin);
}

static const struct psb_map_ops list = {
    .name = "list",
    .size = sizeof(struct list_map),
    .g2l = list_g2l,
    .l2g = list_l2g,
    .copy = list_copy,
    .bytes = list_bytes,
    .free = list_free,
};

/* The number of runs of consecutive indices in vl; 0 if vl does not ascend. */
static psb_ipk count_runs(psb_ipk nl, const psb_lpk *vl)
{
    psb_ipk n = nl > 0;
    for (psb_ipk i = 1; i < nl; i++) {
        if (vl[i] <= vl[i - 1])
            return 0;
        n += vl[i] != vl[i - 1] + 1;
    }
    return n;
}

static psb_err fill_list(struct list_map *l, psb_ipk nrun, const psb_lpk *vl)
{
    psb_ipk r = 0;
    PSB_TRY(psb_alloc(&l->lows, (size_t)nrun, sizeof *l->lows, "list map"));
    PSB_TRY(psb_alloc(&l->begin, (size_t)nrun + 1, sizeof *l->begin, "list map"));
    for (psb_ipk i = 0; i < l->m.nrow; i++)
        if (i == 0 || vl[i] != vl[i - 1] + 1) {
            l->lows[r] = vl[i];
            l->begin[r++] = i;
        }
    l->begin[r] = l->m.nrow;
    l->nrun = r;
    return PSB_OK;
}

/* --- hash tables ------------------------------------------------------------------------------------ */

struct hash_map {
    struct psb_map m;
    struct psb_hash local; /* global index -> local number */
    psb_lpk *glob;         /* local number -> global index */
};

static psb_ipk hash_g2l(const struct psb_map *m, psb_lpk g)
{
    return psb_hash_get(&((const struct hash_map *)m)->local, g);
}

static psb_lpk hash_l2g(const struct psb_map *m, psb_ipk i)
{
    return ((const struct hash_map *)m)->glob[i];
}

static psb_err hash_copy(struct psb_map *m, const struct psb_map *of_)
{
    struct hash_map *h = (struct hash_map *)m;
    const struct hash_map *of = (const struct hash_map *)of_;
    PSB_TRY(psb_hash_copy(&h->local, &of->local));
    return psb_copy(&h->glob, of->glob, (size_t)m->nrow, sizeof *h->glob, "hash map");
}

static size_t hash_bytes(const struct psb_map *m)
{
    const struct hash_map *h = (const struct hash_map *)m;
    return h->local.cap * (sizeof *h->local.key + sizeof *h->local.val) + (size_t)m->nrow * sizeof *h->glob;
}

static void hash_free(struct psb_map *m)
{
    struct hash_map *h = (struct hash_map *)m;
    psb_hash_free(&h->local);
    psb_free(h->glob);
}

static const struct psb_map_ops hash = {
    .name = "hash",
    .size = sizeof(struct hash_map),
    .g2l = hash_g2l,
    .l2g = hash_l2g,
    .copy = hash_copy,
    .bytes = hash_bytes,
    .free = hash_free,
};

static psb_err fill_hash(struct hash_map *h, const psb_lpk *vl)
{
    const psb_ipk n = h->m.nrow;
    PSB_TRY(psb_hash_reserve(&h->local, (size_t)n));
    PSB_TRY(psb_copy(&h->glob, vl, (size_t)n, sizeof *h->glob, "hash map"));
    for (psb_ipk i = 0; i < n; i++)
        PSB_CHECK(psb_hash_put(&h->local, vl[i], i) == i, PSB_EARG,
                  "argument vl has row %" PRId64 ", which is in the list already; expected each once",
                  vl[i] + psb_index_base());
    return PSB_OK;
}

/* --- maps from lists -------------------------------------------------------------------------------- */

/* Make the local part of the map; indices are not negative and differ.  *upto: 1 + the largest. */
static psb_err make_local(struct psb_map **m, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl, psb_lpk *upto)
{
    PSB_CHECK(nl == 0 || vl, PSB_EARG, "argument vl is NULL; expected %d global rows", nl);
    for (psb_ipk i = 0; i < nl; i++) {
        PSB_CHECK(vl[i] >= 0 && vl[i] < INT64_MAX, PSB_EARG,
                  "argument vl has row %" PRId64 "; expected less than 2^63 - 1", vl[i]);
        *upto = vl[i] >= *upto ? vl[i] + 1 : *upto;
    }
    const psb_ipk nrun = count_runs(nl, vl);
    const bool few = nrun && nrun <= nl / 8 + 1;
    PSB_TRY(new_map(m, few ? &list : &hash, ctxt, nl));
    return few ? fill_list((struct list_map *)*m, nrun, vl) : fill_hash((struct hash_map *)*m, vl);
}

/* Set nglob to one more than the largest index; it is at most the total length of all lists. */
static psb_err count_rows(struct psb_map *m, psb_ctxt *ctxt, psb_lpk upto)
{
    psb_lpk all = m->nrow;
    m->nglob = upto;
    PSB_TRY(psb_max(ctxt, 1, &m->nglob, -1));
    PSB_TRY(psb_sum(ctxt, 1, &all, -1));
    PSB_CHECK(m->nglob <= all, PSB_EARG,
              "argument vl has row %" PRId64 " while all processes list %" PRId64
              " rows; expected %d <= vl < %" PRId64 ", each row in a list at least",
              m->nglob - 1 + psb_index_base(), all, psb_index_base(), all + psb_index_base());
    return PSB_OK;
}

/* Tell every owner of each of the shared rows p[0..n), whose home is here, all owners of it. */
static psb_err tell_owners(psb_ctxt *ctxt, const struct psb_pair *p, psb_ipk n, struct psb_msg **in, int *nin)
{
    size_t total = 0;
    psb_ipk end, k = 0;
    int *rank = NULL;
    struct psb_pair *tell = NULL;
    psb_err e = PSB_OK;
    for (psb_ipk i = 0; i < n; i = end) {
        for (end = i; end < n && p[end].row == p[i].row; end++)
            ;
        total += (size_t)(end - i) * (size_t)(end - i);
    }
    if (total > INT32_MAX)
        e = PSB_FAIL(PSB_EARG, "%zu notices of shared rows; expected less than 2^31", total);
    PSB_THEN(e, psb_alloc(&rank, total, sizeof *rank, "shared rows"));
    PSB_THEN(e, psb_alloc(&tell, total, sizeof *tell, "shared rows"));
    for (psb_ipk i = 0; i < n && e == PSB_OK; i = end) {
        for (end = i; end < n && p[end].row == p[i].row; end++)
            ;
        for (psb_ipk a = i; a < end; a++)
            for (psb_ipk b = i; b < end; b++) {
                rank[k] = (int)p[a].rank;
                tell[k++] = p[b];
            }
    }
    e = psb_deal(ctxt, e, k, rank, tell, sizeof *tell, in, nin);
    psb_free(rank);
    psb_free(tell);
    return e;
}

/* Homes answer in rank order, each by row, then owner, so the result is in this order. */
static psb_err keep_shared(struct psb_map *m, const struct psb_msg *in, int nin)
{
    struct psb_shared_rows *s = &m->shared;
    size_t n = 0;
    for (int k = 0; k < nin; k++)
        n += in[k].bytes / sizeof(struct psb_pair);
    PSB_TRY(psb_alloc(&s->loc, n, sizeof *s->loc, "shared rows"));
    PSB_TRY(psb_alloc_zero(&s->start, n + 1, sizeof *s->start, "shared rows"));
    PSB_TRY(psb_alloc(&s->rank, n, sizeof *s->rank, "shared rows"));
    psb_ipk at = 0;
    for (int k = 0; k < nin; k++) {
        const struct psb_pair *p = in[k].data;
        for (size_t i = 0; i < in[k].bytes / sizeof *p; i++) {
            if (i == 0 || p[i].row != p[i - 1].row)
                s->loc[s->n++] = psb_map_g2l(m, p[i].row);
            s->rank[at++] = (int)p[i].rank;
            s->start[s->n] = at;
        }
    }
    return PSB_OK;
}

static psb_err find_shared(struct psb_map *m, psb_ctxt *ctxt, const struct psb_pair *twice, psb_ipk n)
{
    struct psb_msg *in = NULL;
    int nin = 0;
    m->several = n > 0;
    PSB_TRY(psb_max(ctxt, 1, &m->several, -1));
    if (!m->several)
        return PSB_OK;
    PSB_TRY(tell_owners(ctxt, twice, n, &in, &nin));
    psb_err e = psb_agree(ctxt, keep_shared(m, in, nin));
    psb_msgs_free(in, nin);
    return e;
}

psb_err psb_map_list(struct psb_map **m, psb_ctxt *ctxt, psb_lpk ng, psb_ipk nl, const psb_lpk *vl)
{
    struct psb_pair *twice = NULL;
    psb_ipk ntwice = 0;
    psb_lpk upto = 0;
    PSB_TRY(psb_agree(ctxt, make_local(m, ctxt, nl, vl, &upto)));
    (*m)->nglob = ng;
    if (ng < 0)
        PSB_TRY(count_rows(*m, ctxt, upto));
    PSB_TRY(psb_dir_list(&(*m)->dir, ctxt, (*m)->nglob, nl, vl, &twice, &ntwice));
    psb_err e = find_shared(*m, ctxt, twice, ntwice);
    psb_free(twice);
    return PSB_PASS(e);
}

/* --- all kinds of maps ------------------------------------------------------------------------------ */

psb_err psb_map_owners(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g, int *owner)
{
    if (!m->replicated)
        return PSB_PASS(psb_dir_owners(&m->dir, ctxt, n, g, owner));
    for (psb_ipk i = 0; i < n; i++)
        owner[i] = m->me;
    return PSB_OK;
}

static psb_err copy_shared(struct psb_shared_rows *s, const struct psb_shared_rows *of)
{
    size_t n = (size_t)of->n;
    if (!n)
        return PSB_OK;
    PSB_TRY(psb_copy(&s->loc, of->loc, n, sizeof *s->loc, "shared rows"));
    PSB_TRY(psb_copy(&s->start, of->start, n + 1, sizeof *s->start, "shared rows"));
    PSB_TRY(psb_copy(&s->rank, of->rank, (size_t)of->start[n], sizeof *s->rank, "shared rows"));
    s->n = of->n;
    return PSB_OK;
}

psb_err psb_map_copy(struct psb_map **m, const struct psb_map *of)
{
    struct psb_map *new;
    PSB_TRY(psb_alloc_zero(m, 1, of->ops->size, "index map"));
    new = *m;
    *new = *of;
    new->dir = (struct psb_dir){ 0 };
    new->shared = (struct psb_shared_rows){ 0 };
    if (of->ops->copy)
        PSB_TRY(of->ops->copy(new, of));
    PSB_TRY(copy_shared(&new->shared, &of->shared));
    return PSB_PASS(psb_dir_copy(&new->dir, &of->dir));
}

/* --- another order of rows -------------------------------------------------------------------------- */

/* Row i is row to[i] of `of`; from: the inverse.  Both are the caller's. */
struct ordered_map {
    struct psb_map m;
    struct psb_map *of;
    const psb_ipk *to, *from;
};

static psb_ipk ordered_g2l(const struct psb_map *m, psb_lpk g)
{
    const struct ordered_map *o = (const struct ordered_map *)m;
    const psb_ipk l = psb_map_g2l(o->of, g);
    return l < 0 ? -1 : o->from[l];
}

static psb_lpk ordered_l2g(const struct psb_map *m, psb_ipk i)
{
    const struct ordered_map *o = (const struct ordered_map *)m;
    return o->of->ops->l2g(o->of, o->to[i]);
}

static psb_err ordered_copy(struct psb_map *m, const struct psb_map *of_)
{
    struct ordered_map *o = (struct ordered_map *)m;
    const struct ordered_map *of = (const struct ordered_map *)of_;
    o->to = of->to;
    o->from = of->from;
    return psb_map_copy(&o->of, of->of);
}

static size_t ordered_bytes(const struct psb_map *m)
{
    return psb_map_bytes(((const struct ordered_map *)m)->of);
}

static void ordered_free(struct psb_map *m)
{
    psb_map_free(((struct ordered_map *)m)->of);
}

static const struct psb_map_ops ordered = {
    .name = "ordered",
    .size = sizeof(struct ordered_map),
    .g2l = ordered_g2l,
    .l2g = ordered_l2g,
    .copy = ordered_copy,
    .bytes = ordered_bytes,
    .free = ordered_free,
};

psb_err psb_map_ordered(struct psb_map **m, const struct psb_map *of, const psb_ipk *to, const psb_ipk *from)
{
    PSB_TRY(psb_alloc_zero(m, 1, ordered.size, "index map"));
    struct psb_map *new = *m;
    *new = *of;
    new->ops = &ordered;
    new->one_run = false;
    new->dir = (struct psb_dir){ 0 };
    new->shared = (struct psb_shared_rows){ 0 };
    struct ordered_map *o = (struct ordered_map *)new;
    o->to = to;
    o->from = from;
    PSB_TRY(psb_map_copy(&o->of, of));
    PSB_TRY(copy_shared(&new->shared, &of->shared));
    for (psb_ipk k = 0; k < new->shared.n; k++)
        new->shared.loc[k] = from[new->shared.loc[k]];
    return PSB_PASS(psb_dir_copy(&new->dir, &of->dir));
}

/* ---------------------------------------------------------------------------------------------------- */

size_t psb_map_bytes(const struct psb_map *m)
{
    size_t b = psb_dir_bytes(&m->dir) + (m->ops->bytes ? m->ops->bytes(m) : 0);
    if (m->shared.n)
        b += (size_t)m->shared.n * 2 * sizeof(psb_ipk) + (size_t)m->shared.start[m->shared.n] * sizeof(int);
    return b;
}

void psb_map_free(struct psb_map *m)
{
    if (!m)
        return;
    if (m->ops->free)
        m->ops->free(m);
    psb_dir_free(&m->dir);
    psb_free(m->shared.loc);
    psb_free(m->shared.start);
    psb_free(m->shared.rank);
    psb_free(m);
}
