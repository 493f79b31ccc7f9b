/* renum.c -- util: matrices whose rows and columns are renumbered alike. */
#include "config.h"
#include "base_inside.h"
#include "psb_alloc.h"
#include "psb_order.h"
#include "spmat.h"
#include <string.h>
#include <strings.h>
#include "psb_type.h"

static psb_err order_as_it_is(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm)
{
    (void)ptr, (void)idx;
    for (psb_ipk i = 0; i < n; i++)
        perm[i] = i;
    return PSB_OK;
}

static const struct {
    const char *name;
    psb_err (*order)(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm);
} orders[] = {
    { "rcm", psb_order_rcm },
    { "nd", psb_order_nd },
    { "none", order_as_it_is },
    { "id", order_as_it_is },
};

/* perm = an order of the rows of a, a square matrix. */
static psb_err order_rows(const char *alg, const struct X(mat) *a, psb_ipk *perm)
{
    enum { ORDERS = sizeof orders / sizeof *orders };
    struct X(compressed) rows;
    struct X(mat) *made;
    int k = 0;
    PSB_NEED(alg, "the name of an order");
    while (k < ORDERS && strcasecmp(alg, orders[k].name) != 0)
        k++;
    PSB_CHECK(k < ORDERS, PSB_EARG, "argument alg is '%s'; expected rcm, nd, none or id", alg);
    PSB_TRY(X(csr_view)(a, &rows, &made));
    psb_err e = orders[k].order(a->nrows, rows.ptr, rows.idx, perm);
    X(mat_free)(made);
    return e;
}

/* Renumber the rows, and the columns below n, which perm has numbers for. */
static void renumber_entries(struct X(coo_mat) *c, psb_ipk n, const psb_ipk *perm)
{
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        c->ia[k] = perm[c->ia[k]];
        c->ja[k] = c->ja[k] < n ? perm[c->ja[k]] : c->ja[k];
    }
}

psb_err X(mat_renum)(const char *alg, struct X(mat) *a, psb_ipk *perm)
{
    struct X(coo_mat) *c = NULL;
    psb_ipk *p;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(a->nrows == a->ncols, PSB_EARG, "argument a is %d x %d; expected a square matrix", a->nrows,
              a->ncols);
    PSB_TRY(psb_alloc(&p, (size_t)a->nrows, sizeof *p, "an order of rows"));
    psb_err e = order_rows(alg, a, p);
    PSB_THEN(e, X(mat_entries)(a, 0, a->nrows, &c));
    if (e == PSB_OK) {
        renumber_entries(c, a->nrows, p);
        e = X(coo_fix)(c, PSB_DUPL_ADD);
    }
    PSB_THEN(e, X(mat_replace)(a, c));
    if (e == PSB_OK) {
        a->is.triangle = a->is.unit = 0;
        if (perm && a->nrows)
            memcpy(perm, p, (size_t)a->nrows * sizeof *p);
    }
    X(mat_free)((struct X(mat) *)c);
    psb_free(p);
    return PSB_PASS(e);
}

static psb_err check_renum(const struct X(spmat) *a, struct X(spmat) *const *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument a has columns distributed in another way than its rows; expected the same way");
    PSB_NEED(b, "where to store the matrix");
    return PSB_OK;
}

/* *b = the entries of a on d, which is a's column descriptor renumbered by perm. */
static psb_err entries_renumbered(const psb_ipk *perm, const struct X(spmat) *a, psb_desc *d,
                                  struct X(spmat) **b)
{
    struct X(coo_mat) *c;
    PSB_TRY(X(sp_rows)(a, &c));
    renumber_entries(c, a->ad->ncols, perm);
    psb_err e = X(sp_of_rows)(d, d, c, a->ad, a->ah, b);
    if (e == PSB_OK)
        (*b)->ad->is.symmetric = a->ad->is.symmetric;
    X(mat_free)(&c->mat);
    return e;
}

psb_err X(sp_renum_by)(const psb_ipk *perm, const struct X(spmat) *a, struct X(spmat) **b)
{
    psb_desc *d = NULL;
    struct X(spmat) *new = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_renum(a, b);
    PSB_THEN(e, psb_cdcpy(&d, a->col));
    e = psb_agree(psb_cd_ctxt(a->row), e);
    PSB_THEN(e, psb_cdren('T', perm, d));
    PSB_THEN(e, psb_agree(psb_cd_ctxt(a->row), entries_renumbered(perm, a, d, &new)));
    psb_cdfree(d); /* the matrix keeps it */
    if (e == PSB_OK)
        *b = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}

psb_err X(sp_renum)(const char *alg, const struct X(spmat) *a, struct X(spmat) **b)
{
    psb_ipk *perm = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_renum(a, b);
    PSB_THEN(e, psb_alloc(&perm, (size_t)a->ad->nrows, sizeof *perm, "an order of rows"));
    PSB_THEN(e, order_rows(alg, a->ad, perm));
    e = psb_agree(psb_cd_ctxt(a->row), e);
    PSB_THEN(e, X(sp_renum_by)(perm, a, b));
    psb_free(perm);
    return PSB_PASS(e);
}
