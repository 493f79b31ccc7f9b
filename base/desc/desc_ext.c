/* desc_ext.c -- base/desc: descriptors extended by several levels of halo or overlap. */
#include "desc.h"
#include "psb_alloc.h"
#include "coll.h"
#include <string.h>

/* The indices found so far that are not own rows of d. */
struct grown {
    const psb_desc *d;
    struct psb_hash place; /* global row -> k, its place in row */
    psb_ipk n, cap;        /* row[k] gets local number nrow + k */
    psb_lpk *row;
};

static psb_err add_row(struct grown *w, psb_lpk g)
{
    if (psb_map_g2l(w->d->map, g) >= 0 || psb_hash_get(&w->place, g) >= 0)
        return PSB_OK;
    PSB_TRY(psb_hash_reserve(&w->place, 1));
    if (w->n == w->cap) {
        PSB_TRY(psb_resize(&w->row, (size_t)w->cap * 2 + 64, sizeof *w->row, "overlap"));
        w->cap = w->cap * 2 + 64;
    }
    psb_hash_put(&w->place, g, w->n);
    w->row[w->n++] = g;
    return PSB_OK;
}

static psb_err add_rows(struct grown *w, psb_epk n, const psb_lpk *g)
{
    for (psb_epk k = 0; k < n; k++)
        PSB_TRY(add_row(w, g[k]));
    return PSB_OK;
}

/* Replace a request for rows by the answer, the columns of all of them. */
static psb_err columns_asked(const psb_desc *d, const struct psb_rows *own, struct psb_msg *m)
{
    const psb_lpk *g = m->data;
    size_t n = m->bytes / sizeof *g, total = 0;
    psb_lpk *col;
    for (size_t i = 0; i < n; i++) {
        psb_ipk l = psb_map_g2l(d->map, g[i]);
        total += (size_t)(own->ptr[l + 1] - own->ptr[l]);
    }
    PSB_TRY(psb_alloc(&col, total, sizeof *col, "columns of overlap"));
    total = 0;
    for (size_t i = 0; i < n; i++) {
        psb_ipk l = psb_map_g2l(d->map, g[i]);
        size_t many = (size_t)(own->ptr[l + 1] - own->ptr[l]);
        if (many)
            memcpy(col + total, own->col + own->ptr[l], many * sizeof *col);
        total += many;
    }
    psb_free(m->data);
    m->data = col;
    m->bytes = total * sizeof *col;
    return PSB_OK;
}

/* Request the rows from .. w->n-1, found at the last level; their columns are the next level. */
static psb_err add_level(struct grown *w, const struct psb_rows *own, psb_ipk from)
{
    psb_ctxt *ctxt = w->d->ctxt;
    const psb_ipk n = w->n - from;
    const psb_lpk *const row = n ? w->row + from : NULL;
    int *owner = NULL, nask = 0, nanswer = 0;
    struct psb_msg *ask = NULL, *answer = NULL;
    psb_err e = psb_agree(ctxt, psb_alloc(&owner, (size_t)n, sizeof *owner, "owners of overlap"));
    PSB_THEN(e, psb_map_owners(w->d->map, ctxt, n, row, owner));
    PSB_THEN(e, psb_deal(ctxt, PSB_OK, n, owner, row, sizeof *row, &ask, &nask));
    if (e == PSB_OK) {
        for (int k = 0; k < nask && e == PSB_OK; k++)
            e = columns_asked(w->d, own, &ask[k]);
        e = psb_agree(ctxt, e);
    }
    PSB_THEN(e, psb_agree(ctxt, psb_exchange(ctxt, ask, nask, &answer, &nanswer)));
    if (e == PSB_OK) {
        for (int k = 0; k < nanswer && e == PSB_OK; k++)
            e = add_rows(w, (psb_epk)(answer[k].bytes / sizeof(psb_lpk)), answer[k].data);
        e = psb_agree(ctxt, e);
    }
    psb_free(owner);
    psb_msgs_free(ask, nask);
    psb_msgs_free(answer, nanswer);
    return e;
}

/* The own rows in their order, then the first n rows of w. */
static psb_err list_rows(const struct grown *w, psb_ipk n, psb_lpk **vl)
{
    psb_ipk own = w->d->map->nrow;
    PSB_CHECK(own <= INT32_MAX - n, PSB_EARG, "%d rows and %d of overlap; expected less than 2^31", own, n);
    PSB_TRY(psb_alloc(vl, (size_t)own + (size_t)n, sizeof **vl, "rows with overlap"));
    for (psb_ipk l = 0; l < own; l++)
        (*vl)[l] = w->d->map->ops->l2g(w->d->map, l) + psb_index_base();
    for (psb_ipk k = 0; k < n; k++)
        (*vl)[own + k] = w->row[k] + psb_index_base();
    return PSB_OK;
}

/* Make *ext: the first `inner` rows found become its rows (for PSB_EXT_OVERLAP); it uses all rows found. */
static psb_err make_extended(const struct grown *w, psb_ipk inner, enum psb_extension kind, psb_desc **ext)
{
    psb_lpk *vl = NULL;
    psb_ctxt *ctxt = w->d->ctxt;
    psb_desc *new = NULL;
    psb_err e = psb_agree(ctxt, list_rows(w, inner, &vl));
    if (e == PSB_OK && kind == PSB_EXT_OVERLAP)
        e = psb_cdall_vl(&new, ctxt, w->d->map->nrow + inner, vl);
    else if (e == PSB_OK)
        e = psb_agree(ctxt, psb_cdall_like(&new, w->d));
    PSB_THEN(e, psb_agree(ctxt, psb_desc_use(new, w->n, w->row)));
    PSB_THEN(e, psb_cdasb(new));
    psb_free(vl);
    if (e == PSB_OK)
        *ext = new;
    else
        psb_cdfree(new);
    return e;
}

psb_err psb_desc_extend(const psb_desc *d, const struct psb_rows *own, int levels, enum psb_extension kind,
                        psb_desc **ext)
{
    struct grown w = { .d = d };
    psb_ipk from = 0;
    bool more = true; /* a process found rows at the last level */
    psb_err e = psb_agree(d->ctxt, add_rows(&w, own->ptr[d->map->nrow], own->col));
    for (int level = 0; level < levels && more && e == PSB_OK; level++) {
        psb_ipk next = w.n;
        more = w.n > from;
        e = psb_max(d->ctxt, 1, &more, -1);
        if (e == PSB_OK && more)
            e = add_level(&w, own, from);
        from = next;
    }
    PSB_THEN(e, make_extended(&w, from, kind, ext));
    psb_hash_free(&w.place);
    psb_free(w.row);
    return PSB_PASS(e);
}
