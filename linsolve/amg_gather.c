/* amg_gather.c -- linsolve: coarse levels of multigrid on fewer processes.  The columns of the prolongator
 * get other owners; P^H A P is then made where they are. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "amg.t.h"

/* The rows of process me of np, if n <= np processes own even parts of `all`: part i by process i np / n. */
static psb_ipk part_of(psb_lpk all, int n, int me, int np)
{
    const psb_lpk i = ((psb_lpk)me * n + np - 1) / np;
    return i < n && i * np / n == me ? (psb_ipk)(all * (i + 1) / n - all * i / n) : 0;
}

/* Insert the entries of p, in global numbers, into new. */
static psb_err insert_all(const struct X(spmat) *p, struct X(spmat) *new)
{
    struct X(coo_mat) *c = NULL;
    psb_err e = X(sp_rows)(p, &c);
    for (psb_epk k = 0; e == PSB_OK && k < c->mat.nnz; k++) {
        const psb_lpk i = psb_loc_to_glob(p->row, c->ia[k]), j = psb_loc_to_glob(p->col, c->ja[k]);
        e = X(spins)(1, &i, &j, &c->val[k], new);
    }
    X(mat_free)((struct X(mat) *)c);
    return e;
}

psb_err X(amg_gather)(const struct X(spmat) *p, int n, struct X(spmat) **new)
{
    psb_ctxt *ctxt = psb_cd_ctxt(p->row);
    struct X(spmat) *made = NULL;
    psb_desc *d = NULL;
    int me, np;
    psb_info(ctxt, &me, &np);
    PSB_TRY(psb_cdall_nl(&d, ctxt, part_of(psb_cd_global_rows(p->col), n, me, np)));
    psb_err e = X(spall2)(&made, p->row, d, X(sp_nnz)(p));
    PSB_THEN(e, insert_all(p, made));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, psb_cdasb(d));
    PSB_THEN(e, X(spasb)(made, &X(csr_mold).mat, PSB_DUPL_ADD));
    psb_cdfree(d);
    if (e == PSB_OK)
        *new = made;
    else
        X(spfree)(made);
    return PSB_PASS(e);
}
