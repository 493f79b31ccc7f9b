/* desc_ren.c -- base/desc: another order of the rows owned. */
#include "ctxt.h"
#include "desc.h"
#include "psb_alloc.h"

static psb_err check_renumbering(char trans, const psb_ipk *perm, const psb_desc *d)
{
    PSB_CHECK(trans == 'N' || trans == 'T', PSB_EARG, "argument trans is '%c'; expected 'N' or 'T'", trans);
    PSB_CHECK(perm || d->map->nrow == 0, PSB_EARG, "argument perm is NULL; expected %d local numbers",
              d->map->nrow);
    PSB_CHECK(d->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected psb_cdasb before");
    PSB_CHECK(d->users == d->held, PSB_ESTATE,
              "matrices and vectors lie on the descriptor; expected none (psb_cdcpy makes a copy without)");
    PSB_CHECK(!d->map->replicated, PSB_ENOTIMPL,
              "the descriptor is replicated; expected one that distributes its rows");
    return PSB_OK;
}

psb_err psb_perm_inverse(psb_ipk n, const psb_ipk *perm, psb_ipk *inverse)
{
    for (psb_ipk i = 0; i < n; i++)
        inverse[i] = -1;
    for (psb_ipk i = 0; i < n; i++) {
        PSB_CHECK(perm[i] >= 0 && perm[i] < n, PSB_EARG, "argument perm[%d] is %d; expected 0 <= perm < %d",
                  i, perm[i], n);
        PSB_CHECK(inverse[perm[i]] < 0, PSB_EARG,
                  "argument perm[%d] is %d, as perm[%d] is; expected a permutation", i, perm[i],
                  inverse[perm[i]]);
        inverse[perm[i]] = i;
    }
    return PSB_OK;
}

/* *vl = the global rows owned, in the new local order. */
static psb_err rows_renumbered(char trans, const psb_ipk *perm, const psb_desc *d, psb_lpk **vl)
{
    const psb_ipk n = d->map->nrow;
    psb_ipk *inverse;
    PSB_TRY(check_renumbering(trans, perm, d));
    PSB_TRY(psb_alloc(&inverse, (size_t)n, sizeof *inverse, "an order of rows"));
    psb_err e = psb_perm_inverse(n, perm, inverse);
    PSB_THEN(e, psb_alloc(vl, (size_t)n, sizeof **vl, "rows owned"));
    const psb_ipk *const old = trans == 'N' ? perm : inverse;
    for (psb_ipk i = 0; i < n && e == PSB_OK; i++)
        (*vl)[i] = d->map->ops->l2g(d->map, old[i]) + psb_index_base();
    psb_free(inverse);
    return e;
}

psb_err psb_cdren(char trans, const psb_ipk *perm, psb_desc *d)
{
    psb_lpk *vl = NULL;
    psb_desc *new = NULL;
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    psb_err e = psb_agree(d->ctxt, rows_renumbered(trans, perm, d, &vl));
    PSB_THEN(e, psb_cdall_vl(&new, d->ctxt, d->map->nrow, vl));
    PSB_THEN(e, psb_agree(d->ctxt, psb_desc_use(new, psb_desc_nhalo(d), d->glob)));
    PSB_THEN(e, psb_cdasb(new));
    if (e == PSB_OK)
        psb_desc_swap(d, new);
    psb_cdfree(new);
    psb_free(vl);
    return PSB_PASS(e);
}
