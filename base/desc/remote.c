/* remote.c -- base/desc: entries of rows owned elsewhere, kept until they are sent to their owners. */
#include "remote.h"
#include "desc.h"
#include "psb_alloc.h"
#include <string.h>

psb_err psb_remote_check(const psb_desc *d, enum psb_remote_mode mode)
{
    PSB_CHECK(mode == PSB_REMOTE_REFUSE || mode == PSB_REMOTE_DROP || mode == PSB_REMOTE_SEND, PSB_EARG,
              "argument mode is %d; expected PSB_REMOTE_REFUSE, PSB_REMOTE_DROP or PSB_REMOTE_SEND",
              (int)mode);
    PSB_CHECK(mode != PSB_REMOTE_SEND || !d->map->several, PSB_ENOTIMPL,
              "some rows are owned by several processes; PSB_REMOTE_SEND expects one owner a row");
    return PSB_OK;
}

psb_err psb_remote_refuse(enum psb_remote_mode mode, psb_epk k, psb_lpk g, const char *name, const char *call)
{
    PSB_CHECK(mode != PSB_REMOTE_REFUSE, PSB_EARG,
              "argument %s[%" PRId64 "] is %" PRId64
              ", a row of another process; expected one owned here, or %s with PSB_REMOTE_SEND (to its "
              "owner) or PSB_REMOTE_DROP before",
              name, k, g, call);
    return PSB_OK;
}

psb_err psb_remote_reserve(struct psb_remote *r, psb_epk n)
{
    psb_epk need = r->n + n, cap = need > 2 * r->cap ? need : 2 * r->cap;
    if (need <= r->cap)
        return PSB_OK;
    PSB_TRY(psb_resize(&r->rec, (size_t)cap, r->size, "entries of rows owned elsewhere"));
    r->cap = cap;
    return PSB_OK;
}

void psb_remote_push(struct psb_remote *r, const void *rec)
{
    memcpy(r->rec + (size_t)r->n++ * r->size, rec, r->size);
}

psb_err psb_remote_copy(struct psb_remote **r, const struct psb_remote *of)
{
    struct psb_remote *new;
    if (!of)
        return PSB_OK;
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "entries of rows owned elsewhere"));
    *new = (struct psb_remote){ .size = of->size, .n = of->n, .cap = of->n };
    psb_err e = psb_copy(&new->rec, of->rec, (size_t)of->n, of->size, "entries of rows owned elsewhere");
    if (e == PSB_OK)
        *r = new;
    else
        psb_free(new);
    return PSB_PASS(e);
}

void psb_remote_free(struct psb_remote *r)
{
    psb_free(r->rec);
    *r = (struct psb_remote){ .size = r->size };
}

static psb_err list_owners(const struct psb_remote *r, psb_lpk **row, int **owner)
{
    PSB_CHECK(r->n <= INT32_MAX, PSB_EARG,
              "%" PRId64 " entries of rows owned elsewhere; expected less than 2^31", r->n);
    PSB_TRY(psb_alloc(row, (size_t)r->n, sizeof **row, "rows owned elsewhere"));
    PSB_TRY(psb_alloc(owner, (size_t)r->n, sizeof **owner, "owners of rows"));
    for (psb_epk k = 0; k < r->n; k++)
        memcpy(&(*row)[k], r->rec + (size_t)k * r->size, sizeof **row);
    return PSB_OK;
}

psb_err psb_remote_send(const struct psb_remote *r, const psb_desc *d, struct psb_msg **in, int *nin)
{
    psb_lpk *row = NULL;
    int *owner = NULL;
    psb_err e = psb_agree(d->ctxt, list_owners(r, &row, &owner));
    PSB_THEN(e, psb_map_owners(d->map, d->ctxt, (psb_ipk)r->n, row, owner));
    PSB_THEN(e, psb_deal(d->ctxt, PSB_OK, (psb_ipk)r->n, owner, r->rec, r->size, in, nin));
    psb_free(row);
    psb_free(owner);
    return PSB_PASS(e);
}
