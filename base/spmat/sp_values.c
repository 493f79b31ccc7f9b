/* sp_values.c -- base/spmat: changes of values: made on copies of the parts, which replace the parts
 * if all processes succeed. */
#include "spmat.h"
#include "columns.h"
#include "desc.h"
#include "psb_type.h"

psb_err X(spscal)(T s, struct X(spmat) *a)
{
    struct X(spmat) new = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = X(sp_check)(a, "a");
    PSB_THEN(e, X(sp_copy_parts)(a, &new));
    PSB_THEN(e, X(mat_scal)(new.ad, s));
    PSB_THEN(e, X(mat_scal)(new.ah, s));
    return PSB_PASS(X(sp_exchange_parts)(a, &new, e));
}

/* s A + I: the columns of ad are those of its rows. */
static psb_err scale_plus_one(const struct X(spmat) *a, T s, struct X(spmat) *new)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument a has columns distributed in another way than its rows; expected the same way");
    PSB_TRY(X(sp_copy_parts)(a, new));
    PSB_TRY(X(mat_scalpid)(new->ad, s));
    return X(mat_scal)(new->ah, s);
}

psb_err X(sp_scalpid)(T s, struct X(spmat) *a)
{
    struct X(spmat) new = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    return PSB_PASS(X(sp_exchange_pattern)(a, &new, scale_plus_one(a, s, &new)));
}

static psb_err check_scale(const struct X(vect) *d, const struct X(spmat) *a, char side)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(side == 'L' || side == 'R', PSB_EARG, "argument side is '%c'; expected 'L' or 'R'", side);
    return X(sp_check_vect)(d, side == 'L' ? a->row : a->col, "d");
}

/* The boundary rows of ah times their elements of d. */
static psb_err scale_boundary(struct X(spmat) *a, struct X(mat) *ah, const T *d)
{
    const psb_ipk *bnd;
    T *p;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(psb_alloc(&p, (size_t)ah->nrows, sizeof *p, "factors of rows"));
    for (psb_ipk i = 0; i < ah->nrows; i++)
        p[i] = d[bnd[i]];
    psb_err e = X(mat_scalv)(ah, p, 'L');
    psb_free(p);
    return e;
}

static psb_err scale(struct X(spmat) *a, struct X(spmat) *new, const struct X(vect) *d, char side)
{
    const T *p;
    PSB_TRY(X(host_read)(d, &p));
    PSB_TRY(X(sp_copy_parts)(a, new));
    PSB_TRY(X(mat_scalv)(new->ad, p, side));
    return side == 'L' ? scale_boundary(a, new->ah, p) : X(mat_scalv)(new->ah, p + a->ad->ncols, 'R');
}

static psb_err update_halo(const struct X(vect) *d)
{
    PSB_TRY(X(halo_begin)(d, X(vect_side)(d, d), 'N', PSB_OK));
    return X(halo_finish)(d, NULL, NULL);
}

psb_err X(spscalv)(const struct X(vect) *d, struct X(spmat) *a, char side)
{
    struct X(spmat) new = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = a->row->ctxt;
    PSB_TRY(psb_agree(ctxt, check_scale(d, a, side)));
    if (side == 'R')
        PSB_TRY(psb_agree(ctxt, update_halo(d)));
    return PSB_PASS(X(sp_exchange_parts)(a, &new, scale(a, &new, d, side)));
}

psb_err X(sp_clean_zeros)(struct X(spmat) *a)
{
    struct X(spmat) new = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = X(sp_check)(a, "a");
    PSB_THEN(e, X(sp_copy_parts)(a, &new));
    PSB_THEN(e, X(mat_clean_zeros)(new.ad));
    PSB_THEN(e, X(mat_clean_zeros)(new.ah));
    return PSB_PASS(X(sp_exchange_pattern)(a, &new, e));
}
