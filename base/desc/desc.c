/* desc.c -- base/desc: descriptors: creation, insertion, copies. */
#include "ctxt.h"
#include "desc.h"
#include "psb_alloc.h"
#include "coll.h"
#include <string.h>

/* --- creation --------------------------------------------------------------------------------------- */

static psb_err new_desc(psb_desc **new, psb_ctxt *ctxt)
{
    PSB_TRY(psb_alloc_zero(new, 1, sizeof **new, "descriptor"));
    (*new)->ctxt = ctxt;
    (*new)->state = PSB_BUILD;
    (*new)->users = 1;
    (*new)->held = true;
    return PSB_OK;
}

static psb_err open_desc(psb_desc **new, psb_desc **desc, psb_ctxt *ctxt)
{
    PSB_TRY(psb_check_ctxt(ctxt));
    psb_err e = desc ? new_desc(new, ctxt)
                     : PSB_FAIL(PSB_EARG, "argument desc is NULL; expected where to store the descriptor");
    e = psb_agree(ctxt, e);
    if (e != PSB_OK)
        psb_free(*new);
    return e;
}

static psb_err close_desc(psb_desc *new, psb_desc **desc, psb_err e)
{
    if (e == PSB_OK)
        *desc = new;
    else
        psb_cdfree(new);
    return e;
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
    PSB_THEN(e, psb_map_block(&new->map, ctxt, nl));
    return PSB_PASS(close_desc(new, desc, e));
}

/* vl counted from 0, and in local order. */
static psb_err in_order(psb_ipk nl, const psb_lpk *vl, const psb_ipk *lidx, psb_lpk **row)
{
    PSB_TRY(check_nl(nl));
    PSB_CHECK(nl == 0 || vl, PSB_EARG, "argument vl is NULL; expected %d global rows", nl);
    PSB_TRY(psb_alloc(row, (size_t)nl, sizeof **row, "rows owned"));
    for (psb_ipk k = 0; k < nl; k++)
        (*row)[k] = -1;
    for (psb_ipk k = 0; k < nl; k++) {
        psb_ipk l = lidx ? lidx[k] : k;
        PSB_CHECK(l >= 0 && l < nl, PSB_EARG, "argument lidx[%d] is %d; expected 0 <= lidx < %d", k, l, nl);
        PSB_CHECK(vl[k] >= psb_index_base(), PSB_EARG,
                  "argument vl[%d] is %" PRId64 "; expected a global row >= %d", k, vl[k], psb_index_base());
        PSB_CHECK((*row)[l] < 0, PSB_EARG,
                  "argument lidx[%d] is %d, which is in the list already; expected a permutation", k, l);
        (*row)[l] = vl[k] - psb_index_base();
    }
    return PSB_OK;
}

psb_err psb_cdall_vl_lidx(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl, const psb_ipk *lidx)
{
    psb_desc *new = NULL;
    psb_lpk *row = NULL;
    PSB_TRY(open_desc(&new, desc, ctxt));
    psb_err e = psb_agree(ctxt, in_order(nl, vl, lidx, &row));
    PSB_THEN(e, psb_map_list(&new->map, ctxt, -1, nl, row));
    psb_free(row);
    return PSB_PASS(close_desc(new, desc, e));
}

psb_err psb_cdall_vl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl)
{
    return PSB_PASS(psb_cdall_vl_lidx(desc, ctxt, nl, vl, NULL));
}

static psb_err same_everywhere(psb_ctxt *ctxt, psb_lpk n, const char *name)
{
    psb_lpk ends[2] = { n, -n };
    PSB_TRY(psb_max(ctxt, 2, ends, -1));
    PSB_CHECK(ends[0] == -ends[1], PSB_EARG,
              "argument %s is %" PRId64 " here; it lies between %" PRId64 " and %" PRId64
              " on the processes; expected the same on all",
              name, n, -ends[1], ends[0]);
    return PSB_OK;
}

psb_err psb_cdall_repl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk n)
{
    psb_desc *new = NULL;
    PSB_TRY(open_desc(&new, desc, ctxt));
    psb_err e = n >= 0 ? psb_map_repl(&new->map, ctxt, n)
                       : PSB_FAIL(PSB_EARG, "argument n is %d; expected a number of rows >= 0", n);
    e = psb_agree(ctxt, e);
    PSB_THEN(e, same_everywhere(ctxt, n, "n"));
    return PSB_PASS(close_desc(new, desc, e));
}

/* --- rows by owner ------------------------------------------------------------------------------------ */

/* A growing list of the rows of this process. */
struct rows {
    psb_lpk *g;
    psb_ipk n, cap;
};

static psb_err push_row(struct rows *r, psb_lpk g)
{
    if (r->n == r->cap) {
        PSB_CHECK(r->cap < INT32_MAX, PSB_EARG, "a process owns more than %d rows; expected less than 2^31",
                  r->n);
        psb_ipk cap = r->cap > (INT32_MAX - 64) / 2 ? INT32_MAX : r->cap * 2 + 64;
        PSB_TRY(psb_resize(&r->g, (size_t)cap, sizeof *r->g, "rows owned"));
        r->cap = cap;
    }
    r->g[r->n++] = g;
    return PSB_OK;
}

static psb_err check_ng(psb_lpk ng)
{
    PSB_CHECK(ng >= 0, PSB_EARG, "argument ng is %" PRId64 "; expected a number of rows >= 0", ng);
    return PSB_OK;
}

static psb_err rows_of_vg(psb_ctxt *ctxt, psb_lpk ng, const int *vg, struct rows *r)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    PSB_TRY(check_ng(ng));
    PSB_CHECK(vg || ng == 0, PSB_EARG, "argument vg is NULL; expected the owner of each of %" PRId64 " rows",
              ng);
    for (psb_lpk i = 0; i < ng; i++) {
        PSB_CHECK(vg[i] >= 0 && vg[i] < np, PSB_EARG,
                  "argument vg[%" PRId64 "] is %d; expected a process, 0 <= vg < %d", i, vg[i], np);
        if (vg[i] == me)
            PSB_TRY(push_row(r, i));
    }
    return PSB_OK;
}

static psb_err ask_parts(psb_ctxt *ctxt, psb_lpk ng, psb_parts parts, void *arg, int *pv, struct rows *r)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    for (psb_lpk i = 0; i < ng; i++) {
        int nv = parts(i + psb_index_base(), ng, np, pv, arg), here = 0;
        PSB_CHECK(nv >= 1 && nv <= np, PSB_EARG,
                  "argument parts says that row %" PRId64 " has %d owners; expected 1 to %d",
                  i + psb_index_base(), nv, np);
        for (int k = 0; k < nv; k++) {
            PSB_CHECK(pv[k] >= 0 && pv[k] < np, PSB_EARG,
                      "argument parts says that row %" PRId64 " is owned by %d; expected a process, 0 to %d",
                      i + psb_index_base(), pv[k], np - 1);
            here += pv[k] == me;
        }
        if (here)
            PSB_TRY(push_row(r, i));
    }
    return PSB_OK;
}

static psb_err rows_of_parts(psb_ctxt *ctxt, psb_lpk ng, psb_parts parts, void *arg, struct rows *r)
{
    int *pv;
    const int np = psb_np_of(ctxt);
    PSB_TRY(check_ng(ng));
    PSB_NEED(parts, "a function that says who owns a row");
    PSB_TRY(psb_alloc(&pv, (size_t)np, sizeof *pv, "owners of a row"));
    psb_err e = ask_parts(ctxt, ng, parts, arg, pv, r);
    psb_free(pv);
    return e;
}

/* Make the map, once every process has its rows of the same ng. */
static psb_err from_rows(psb_desc *new, struct rows *r, psb_lpk ng, psb_err e)
{
    e = psb_agree(new->ctxt, e);
    PSB_THEN(e, same_everywhere(new->ctxt, ng, "ng"));
    PSB_THEN(e, psb_map_list(&new->map, new->ctxt, ng, r->n, r->g));
    psb_free(r->g);
    return e;
}

psb_err psb_cdall_vg(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, const int *vg)
{
    psb_desc *new = NULL;
    struct rows r = { 0 };
    PSB_TRY(open_desc(&new, desc, ctxt));
    psb_err e = from_rows(new, &r, ng, rows_of_vg(ctxt, ng, vg, &r));
    if (e == PSB_OK && new->map->several)
        e = PSB_FAIL(PSB_EARG, "argument vg differs between processes; expected the same on all");
    return PSB_PASS(close_desc(new, desc, e));
}

psb_err psb_cdall_parts(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, psb_parts parts, void *arg)
{
    psb_desc *new = NULL;
    struct rows r = { 0 };
    PSB_TRY(open_desc(&new, desc, ctxt));
    return PSB_PASS(close_desc(new, desc, from_rows(new, &r, ng, rows_of_parts(ctxt, ng, parts, arg, &r))));
}

/* --- copies ----------------------------------------------------------------------------------------- */

static psb_err copy_halo(psb_desc *new, const psb_desc *of)
{
    PSB_TRY(psb_hash_copy(&new->halo, &of->halo));
    PSB_TRY(psb_copy(&new->used, of->used, of->halo.n, sizeof *new->used, "halo indices"));
    new->used_cap = of->halo.n;
    return PSB_OK;
}

/* A new descriptor in the context of `of`, without map. */
static psb_err rows_like(psb_desc **new, psb_desc **desc, const char *name, const psb_desc *of,
                         const char *of_name)
{
    PSB_CHECK(psb_is_live(of), PSB_EARG, "argument %s is %s; expected a descriptor", of_name,
              psb_handle_state(of));
    PSB_CHECK(desc, PSB_EARG, "argument %s is NULL; expected where to store the descriptor", name);
    return new_desc(new, of->ctxt);
}

psb_err psb_cdall_like(psb_desc **desc, const psb_desc *like)
{
    psb_desc *new;
    PSB_TRY(rows_like(&new, desc, "desc", like, "like"));
    return PSB_PASS(close_desc(new, desc, psb_map_copy(&new->map, like->map)));
}

psb_err psb_desc_ordered(psb_desc **desc, const psb_desc *like, const psb_ipk *to, const psb_ipk *from)
{
    psb_desc *new;
    PSB_TRY(rows_like(&new, desc, "desc", like, "like"));
    return PSB_PASS(close_desc(new, desc, psb_map_ordered(&new->map, like->map, to, from)));
}

psb_err psb_cdcpy(psb_desc **copy, const psb_desc *desc)
{
    psb_desc *new;
    PSB_TRY(rows_like(&new, copy, "copy", desc, "desc"));
    psb_err e = psb_map_copy(&new->map, desc->map);
    PSB_THEN(e, copy_halo(new, desc));
    if (e == PSB_OK && desc->state == PSB_ASSEMBLED)
        e = psb_desc_copy_plan(new, (psb_desc *)desc); /* copies an index list from its device to the host */
    return PSB_PASS(close_desc(new, copy, e));
}

/* --- freeing ---------------------------------------------------------------------------------------- */

void psb_desc_attach(psb_desc *d, void *attached, void (*free_attached)(void *attached))
{
    if (d->free_attached)
        d->free_attached(d->attached);
    d->attached = attached;
    d->free_attached = free_attached;
}

void *psb_desc_attached(const psb_desc *d)
{
    return d->attached;
}

void psb_desc_release(psb_desc *d)
{
    if (!d || --d->users > 0)
        return;
    psb_desc_attach(d, NULL, NULL);
    psb_desc_unplan(d);
    psb_map_free(d->map);
    psb_hash_free(&d->halo);
    psb_free(d->used);
    psb_retire(d, sizeof *d);
}

void psb_cdfree(psb_desc *d)
{
    if (!psb_may_free(d, __func__))
        return;
    if (!d->held) {
        (void)PSB_FAIL(PSB_EARG,
                       "the argument is freed already; matrices and vectors keep it until they are freed");
        return;
    }
    d->held = false;
    psb_desc_release(d);
}

psb_err psb_desc_hold(psb_desc *desc, const char *argument)
{
    PSB_CHECK(psb_is_live(desc), PSB_EARG, "argument %s is %s; expected a descriptor", argument,
              psb_handle_state(desc));
    desc->users++;
    return PSB_OK;
}

void psb_desc_add_dependent(psb_desc *desc, int one)
{
    if (desc)
        desc->dependents += one;
}

/* --- insertion -------------------------------------------------------------------------------------- */

static psb_err use_index(psb_desc *d, psb_lpk g)
{
    if (psb_desc_slot_of(d, g) >= 0)
        return PSB_OK;
    size_t need = d->halo.n + 1;
    PSB_CHECK(need < (size_t)(INT32_MAX - d->map->nrow), PSB_EARG,
              "%zu halo indices beside %d rows; expected less than 2^31 local columns", need, d->map->nrow);
    PSB_TRY(psb_hash_reserve(&d->halo, 1));
    if (need > d->used_cap) {
        PSB_TRY(psb_resize(&d->used, 2 * need, sizeof *d->used, "halo indices"));
        d->used_cap = 2 * need;
    }
    d->used[psb_desc_nhalo(d)] = g;
    psb_hash_put(&d->halo, g, psb_desc_nhalo(d));
    return PSB_OK;
}

psb_err psb_desc_use(psb_desc *d, psb_epk nz, const psb_lpk *ja)
{
    for (psb_epk k = 0; k < nz; k++)
        PSB_TRY(use_index(d, ja[k]));
    return PSB_OK;
}

/* The error for an assembled descriptor: names the first index that is not in it. */
static psb_err too_late(const psb_desc *d, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja)
{
    for (psb_epk k = 0; k < nz; k++)
        PSB_CHECK((ia && !psb_is_owned(d, ia[k])) || psb_glob_to_loc(d, ja[k]) >= 0, PSB_ESTATE,
                  "argument ja[%" PRId64 "] is %" PRId64
                  ", which is not in the halo, and the descriptor is assembled; expected state BUILD",
                  k, ja[k]);
    return PSB_FAIL(PSB_ESTATE, "the descriptor is assembled; expected state BUILD");
}

psb_err psb_cdins(psb_desc *d, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected >= 0", nz);
    PSB_CHECK(ja || nz == 0, PSB_EARG, "argument ja is NULL; expected %" PRId64 " indices", nz);
    if (ia)
        PSB_TRY(psb_desc_check(d, nz, ia, "ia"));
    PSB_TRY(psb_desc_check(d, nz, ja, "ja"));
    if (d->state != PSB_BUILD)
        return PSB_PASS(too_late(d, nz, ia, ja));
    for (psb_epk k = 0; k < nz; k++)
        if (!ia || psb_map_g2l(d->map, ia[k] - psb_index_base()) >= 0)
            PSB_TRY(use_index(d, ja[k] - psb_index_base()));
    return PSB_OK;
}
