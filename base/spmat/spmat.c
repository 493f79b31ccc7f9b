/* spmat.c -- base/spmat: the distributed matrix: creation, conversion, queries. */
#include "spmat.h"
#include "events.h"
#include "psb_trace.h"
#include "psb_type.h"

static psb_err no_entries(const psb_desc *row, psb_epk nnz, struct X(coo_mat) **b)
{
    struct X(mat) *new = NULL;
    psb_err e = X(mat_new)(&X(coo_mold).mat, psb_cd_local_rows(row), 0, 0, &new);
    *b = (struct X(coo_mat) *)new;
    return e == PSB_OK ? X(coo_reserve)(*b, nnz) : e;
}

psb_err X(sp_begin)(psb_desc *row, psb_desc *col, struct X(spmat) **a)
{
    struct X(spmat) *new;
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "matrix"));
    psb_err e = psb_desc_hold(new->row = row, "row");
    PSB_THEN(e, psb_desc_hold(new->col = col, "col"));
    if (e == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}

psb_err X(spall2)(struct X(spmat) **a, psb_desc *row, psb_desc *col, psb_epk nnz)
{
    struct X(spmat) *new;
    PSB_NEED(a, "where to store the matrix");
    PSB_NEED_HANDLE(row, "a descriptor");
    PSB_NEED_HANDLE(col, "a descriptor");
    PSB_CHECK(nnz >= 0, PSB_EARG, "argument nnz is %" PRId64 "; expected >= 0", nnz);
    PSB_CHECK(psb_cd_ctxt(row) == psb_cd_ctxt(col), PSB_EARG,
              "arguments row and col belong to two contexts; expected one");
    PSB_TRY(X(sp_begin)(row, col, &new));
    new->state = PSB_BUILD;
    psb_err e = no_entries(row, nnz, &new->build);
    PSB_THEN(e, no_entries(row, 0, &new->build_halo));
    if (e == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}

psb_err X(spall)(struct X(spmat) **a, psb_desc *desc, psb_epk nnz)
{
    PSB_NEED_HANDLE(desc, "a descriptor");
    return PSB_PASS(X(spall2)(a, desc, desc, nnz));
}

void X(sp_drop_build)(struct X(spmat) *a)
{
    X(mat_free)((struct X(mat) *)a->build);
    X(mat_free)((struct X(mat) *)a->build_halo);
    X(mat_free)(a->own);
    a->build = a->build_halo = NULL;
    a->own = NULL;
    X(sp_drop_refill)(a);
}

void X(spfree)(struct X(spmat) *a)
{
    if (!psb_may_free(a, __func__))
        return;
    if (a->state == PSB_ASSEMBLED || a->state == PSB_UPDATE) {
        psb_desc_add_dependent(a->row, -1);
        psb_desc_add_dependent(a->col, -1);
    }
    X(sp_drop_build)(a);
    X(sp_drop_remote)(a);
    X(sp_drop_coo_plan)(a);
    X(sp_drop_parts)(a);
    if (a->plan)
        X(spfree)(a->plan->inner);
    psb_free(a->plan);
    psb_desc_release(a->row);
    psb_desc_release(a->col);
    psb_retire(a, sizeof *a);
}

void X(sp_note)(const struct X(spmat) *a)
{
    if (a->ad && a->ah)
        psb_note("matrix in %s on %s, columns of others in %s", a->ad->ops->fmt,
                 a->ad->on ? a->ad->on->name : "host", a->ah->ops->fmt);
}

void X(sp_ready)(struct X(spmat) *a)
{
    X(sp_note)(a);
    psb_desc_add_dependent(a->row, 1);
    psb_desc_add_dependent(a->col, 1);
    a->state = PSB_ASSEMBLED;
}

psb_err X(sp_of_rows)(psb_desc *row, psb_desc *col, struct X(coo_mat) *c, const struct X(mat) *mold,
                      const struct X(mat) *halo_mold, struct X(spmat) **a)
{
    struct X(spmat) *new;
    PSB_TRY(X(coo_fix)(c, PSB_DUPL_ADD));
    PSB_TRY(X(sp_begin)(row, col, &new));
    psb_err e = X(sp_split)(c, psb_cd_local_rows(col), mold, halo_mold, new);
    if (e != PSB_OK) {
        X(spfree)(new);
        return PSB_PASS(e);
    }
    X(sp_ready)(new);
    *a = new;
    return PSB_OK;
}

/* The parts of a in another format, stored in `new`, which is empty. */
static psb_err converted(struct X(spmat) *a, const struct X(mat) *mold, struct X(spmat) *new)
{
    const psb_ipk *rows;
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "the matrix is %s; expected psb_spasb before",
              psb_not_assembled(a->state));
    PSB_TRY(X(mat_convert)(a->ad, mold, &new->ad));
    PSB_TRY(X(mat_convert_halo)(a->ah, mold, NULL, &new->ah));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &rows));
    return X(sp_boundary)(a->ah->nrows, rows, new->ah->on, &new->bnd, &new->part);
}

psb_err X(spcnv)(struct X(spmat) *a, const struct X(mat) *mold)
{
    struct X(spmat) new = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    const struct psb_range range = psb_range_begin(NULL, __func__, "");
    const psb_err e = X(sp_exchange_parts)(a, &new, converted(a, mold, &new));
    psb_range_end(&range);
    return PSB_PASS(e);
}

psb_epk X(sp_nnz)(const struct X(spmat) *a)
{
    if (!psb_is_live(a))
        return 0;
    return !a->build ? a->ad->nnz + a->ah->nnz : a->build->mat.nnz + a->build_halo->mat.nnz;
}

size_t X(sp_bytes)(const struct X(spmat) *a)
{
    if (!psb_is_live(a))
        return 0;
    if (a->build)
        return X(mat_bytes)(&a->build->mat) + X(mat_bytes)(&a->build_halo->mat);
    return X(mat_bytes)(a->ad) + X(mat_bytes)(a->ah) + a->bnd.bytes + X(sp_coo_bytes)(a) +
           (a->plan ? X(sp_bytes)(a->plan->inner) : 0);
}

const char *X(sp_fmt)(const struct X(spmat) *a)
{
    if (!psb_is_live(a))
        return "";
    return !a->build ? a->ad->ops->fmt : a->build->mat.ops->fmt;
}

psb_desc *X(sp_row_desc)(const struct X(spmat) *a)
{
    return psb_is_live(a) ? a->row : NULL;
}

psb_desc *X(sp_col_desc)(const struct X(spmat) *a)
{
    return psb_is_live(a) ? a->col : NULL;
}

enum psb_state X(sp_state)(const struct X(spmat) *a)
{
    return psb_is_live(a) ? a->state : PSB_NULL;
}
