/* sp_local.c -- base/spmat: what a process asks of, or changes in, the rows that it owns. */
#include "spmat.h"
#include "columns.h"
#include "psb_type.h"

/* --- queries ------------------------------------------------------------------------------------------ */

/* clang-format off */
#define SP_IN_STATE(name, s) int X(name)(const struct X(spmat) *a) { return X(sp_state)(a) == (s); }
#define SP_BOTH(name) int X(sp_##name)(const struct X(spmat) *a) { return both(a, X(mat_##name)); }
/* clang-format on */
SP_IN_STATE(sp_is_null, PSB_NULL)
SP_IN_STATE(sp_is_bld, PSB_BUILD)
SP_IN_STATE(sp_is_asb, PSB_ASSEMBLED)
SP_IN_STATE(sp_is_upd, PSB_UPDATE)

/* Whether `is` holds for both parts; an empty halo part has no copies.  A matrix in state BUILD is on the
 * host. */
static bool both(const struct X(spmat) *a, int (*is)(const struct X(mat) *))
{
    if (!a)
        return false;
    if (a->build)
        return is(&a->build->mat);
    return is(a->ad) && (a->ah->nnz == 0 || is(a->ah));
}

SP_BOTH(is_host)
SP_BOTH(is_dev)
SP_BOTH(is_sync)

psb_err X(sp_local)(const struct X(spmat) *a, const struct X(mat) **own, const struct X(mat) **halo,
                    const psb_ipk **rows)
{
    const psb_ipk *bnd;
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    if (own)
        *own = a->ad;
    if (halo)
        *halo = a->ah;
    if (rows)
        *rows = bnd;
    return PSB_OK;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static psb_err check_row(const struct X(spmat) *a, psb_ipk i)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(i >= 0 && i < a->ad->nrows, PSB_EARG, "argument i is %d; expected 0 <= i < %d", i,
              a->ad->nrows);
    return PSB_OK;
}

psb_err X(sp_get_nz_row)(const struct X(spmat) *a, psb_ipk i, psb_epk *nz)
{
    const psb_ipk *bnd;
    psb_epk own, far = 0;
    PSB_TRY(check_row(a, i));
    PSB_NEED(nz, "where to store the number of entries");
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    psb_ipk b = psb_find_ascending(i, bnd, a->ah->nrows);
    PSB_TRY(X(mat_get_nz_row)(a->ad, i, &own));
    if (b >= 0)
        PSB_TRY(X(mat_get_nz_row)(a->ah, b, &far));
    *nz = own + far;
    return PSB_OK;
}

psb_err X(sp_get_neigh)(const struct X(spmat) *a, psb_ipk i, int lev, psb_ipk **idx, psb_ipk *n)
{
    struct X(coo_mat) *c;
    PSB_TRY(check_row(a, i));
    PSB_CHECK(lev == 1 || psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument lev is %d for a matrix with columns distributed in another way than its rows; "
              "expected 1",
              lev);
    PSB_TRY(X(sp_rows)(a, &c));
    psb_err e = X(mat_get_neigh)(&c->mat, i, lev, idx, n);
    X(mat_free)(&c->mat);
    return PSB_PASS(e);
}

/* --- changes ------------------------------------------------------------------------------------------ */

psb_err X(sp_csput)(psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val, struct X(spmat) *a,
                    enum psb_dupl dupl)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE, PSB_EARG,
              "argument dupl is %d; expected PSB_DUPL_ADD or PSB_DUPL_OVERWRITE", (int)dupl);
    if (a->state != PSB_ASSEMBLED)
        return PSB_PASS(X(spins_local)(nz, ia, ja, val, a));
    /* Change values by a refill that begins and ends here, with another rule for duplicates. */
    struct X(spmat) new = { 0 };
    const enum psb_dupl was = a->dupl;
    PSB_TRY(X(sprn)(a, 0));
    a->dupl = dupl;
    psb_err e = X(spins_local)(nz, ia, ja, val, a);
    a->dupl = was;
    PSB_THEN(e, X(sp_close_refill)(a, NULL, NULL, &new));
    if (e == PSB_OK && new.ad)
        X(sp_move_parts)(a, &new);
    else
        X(sp_drop_parts)(&new);
    X(sp_drop_refill)(a);
    a->state = PSB_ASSEMBLED;
    return PSB_PASS(e);
}

psb_err X(sp_trim)(struct X(spmat) *a)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(mat_trim)(a->build ? &a->build->mat : a->ad));
    return PSB_PASS(X(mat_trim)(a->build ? &a->build_halo->mat : a->ah));
}

psb_err X(sp_sync)(const struct X(spmat) *a)
{
    PSB_NEED_HANDLE(a, "a matrix");
    if (a->build)
        return PSB_OK;
    PSB_TRY(X(mat_sync)(a->ad));
    return PSB_PASS(X(mat_sync)(a->ah));
}
