/* columns.c -- base/desc: column numbers: those of a descriptor, and further ones. */
#include "columns.h"
#include "psb_alloc.h"
#include "psb_search.h"

static psb_ipk known_columns(const struct psb_columns *c)
{
    return c->d->map->nrow + psb_desc_nhalo(c->d);
}

psb_ipk psb_columns_count(const struct psb_columns *c)
{
    return known_columns(c) + (psb_ipk)c->more.n;
}

/* Reserve space for one more column. */
static psb_err reserve_column(struct psb_columns *c)
{
    size_t n = c->more.n + 1;
    PSB_CHECK(n < (size_t)(INT32_MAX - known_columns(c)), PSB_EARG,
              "%zu columns beside the %d of the descriptor; expected less than 2^31", n, known_columns(c));
    PSB_TRY(psb_hash_reserve(&c->more, 1));
    if (n <= c->cap)
        return PSB_OK;
    PSB_TRY(psb_resize(&c->list, 2 * n + 8, sizeof *c->list, "further columns"));
    c->cap = 2 * n + 8;
    return PSB_OK;
}

psb_err psb_columns_add(struct psb_columns *c, psb_lpk g, psb_ipk *l)
{
    psb_ipk slot = psb_desc_slot_of(c->d, g);
    if (slot >= 0) {
        *l = psb_desc_slot_to_loc(c->d, slot);
        return PSB_OK;
    }
    psb_ipk at = psb_hash_get(&c->more, g);
    if (at < 0) {
        PSB_TRY(reserve_column(c));
        at = (psb_ipk)c->more.n;
        c->list[psb_hash_put(&c->more, g, at)] = g;
    }
    *l = known_columns(c) + at;
    return PSB_OK;
}

psb_lpk psb_columns_global(const struct psb_columns *c, psb_ipk l)
{
    psb_ipk n = known_columns(c);
    return l < n ? psb_loc_to_glob(c->d, l) - psb_index_base() : c->list[l - n];
}

psb_err psb_columns_describe(const struct psb_columns *c, const unsigned char *used, psb_desc **d)
{
    psb_desc *new;
    PSB_TRY(psb_cdall_like(&new, c->d));
    psb_err e = PSB_OK;
    for (psb_ipk l = c->d->map->nrow; l < psb_columns_count(c) && e == PSB_OK; l++)
        if (used[l]) {
            const psb_lpk g = psb_columns_global(c, l);
            e = psb_desc_use(new, 1, &g);
        }
    if (e == PSB_OK)
        *d = new;
    else
        psb_cdfree(new);
    return PSB_PASS(e);
}

void psb_columns_free(struct psb_columns *c)
{
    psb_hash_free(&c->more);
    psb_free(c->list);
    *c = (struct psb_columns){ 0 };
}

psb_ipk psb_find_ascending(psb_ipk i, const psb_ipk *list, psb_ipk n)
{
    psb_ipk k = (psb_ipk)psb_first_from(list, 1, n, i);
    return k < n && list[k] == i ? k : -1;
}

int psb_cd_same_rows(const psb_desc *a, const psb_desc *b)
{
    if (!psb_is_live(a) || !psb_is_live(b))
        return 0;
    if (a == b)
        return 1;
    const struct psb_map *m = a->map, *n = b->map;
    if (a->ctxt != b->ctxt || m->nglob != n->nglob || m->nrow != n->nrow || m->replicated != n->replicated)
        return 0;
    if (m->one_run && n->one_run)
        return m->lo == n->lo || m->nrow == 0;
    for (psb_ipk l = 0; l < m->nrow; l++)
        if (m->ops->l2g(m, l) != n->ops->l2g(n, l))
            return 0;
    return 1;
}

psb_err psb_desc_single_owners(const psb_desc *d)
{
    const struct psb_map *m = d->map;
    PSB_CHECK(m->np == 1 || !(m->several || m->replicated), PSB_ENOTIMPL,
              "rows of the descriptor are owned by several processes; expected one owner a row");
    return PSB_OK;
}

psb_err psb_desc_one_owner(const psb_desc *row, const psb_desc *col)
{
    const struct psb_map *m = row->map, *n = col->map;
    if (m->replicated && n->replicated)
        return PSB_OK;
    PSB_CHECK(!m->replicated && !n->replicated, PSB_ENOTIMPL,
              "the %s are replicated, the %s are not; expected both or neither",
              m->replicated ? "rows" : "columns", m->replicated ? "columns" : "rows");
    PSB_CHECK(m->shared.n == 0 && n->shared.n == 0, PSB_ENOTIMPL,
              "%d rows and %d columns here are owned by several processes; expected one owner each",
              m->shared.n, n->shared.n);
    return PSB_OK;
}
