/* spmv_fused.c -- base/spmat: a product and its epilogue, in one pass where that is possible. */
#include "spmat.h"
#include "channel.h"
#include "psb_trace.h"
#include "psb_type.h"
#include "operands.h"
#include "fused.h"

/* --- one pass or two ---------------------------------------------------------------------------------- */

/* Are all vectors on the device of y? */
static bool are_together(const struct X(vect) *y, const struct X(epilogue) *e)
{
    const struct psb_device *on = y->v.on;
    for (int i = 0; i < e->ndots; i++)
        if (e->dot[i].left->v.on != on || e->dot[i].right->v.on != on)
            return false;
    return !e->z || e->z->v.on == on;
}

/* Can the part of A over the halo add to y and to e's dot products?  Then each has y as one factor, and their
 * parts stay on the device. */
static bool adds(const struct X(spmat) *a, const struct X(vect) *y, const struct X(epilogue) *e,
                 const T *dots)
{
    for (int i = 0; i < e->ndots; i++)
        if ((e->dot[i].left == y) == (e->dot[i].right == y))
            return false;
    return !e->z && X(fused_stays)(y, e, dots) && X(mat_adds_fused)(a->ah);
}

/* Is e computed with the product, by the device that holds all vectors? */
static bool in_one(T alpha, const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y,
                   char trans, const struct X(epilogue) *e, const T *dots)
{
    if (trans != 'N' || alpha == 0 || !fused_counts_all(y) || e->u || e->gamma_by || e->delta_by)
        return false;
    return X(mat_side)(a->ad, trans, x, y) == PSB_DEV && y->v.on->X(vec)->epilogue && are_together(y, e) &&
           (a->ah->nnz == 0 || adds(a, y, e, dots));
}

/* The columns owned here during the halo exchange, then the halo columns: y, and the dot products of both
 * parts. */
static psb_err two_parts(struct fused *f, T alpha, const struct X(spmat) *a, const struct X(vect) *x,
                         const T *px, T beta)
{
    const T *halo = px + psb_cd_local_rows(a->col);
    struct psb_awaited wait = { 0 };
    const psb_ipk *bnd;
    struct psb_kept_sums kept;
    T *y = f->o[0].p;
    f->t.part = PSB_SUM_FIRST;
    f->t.kept = &kept;
    psb_err e = X(mat_mv_fused)(alpha, a->ad, px, beta, y, &f->t, f->sum);
    PSB_THEN(e, psb_dual_read(&a->bnd, PSB_DEV, &bnd));
    psb_err g = X(halo_finish)(x, &halo, &wait);
    f->t.part = PSB_SUM_LAST;
    f->t.scratch = (struct psb_dual *)&a->sums[1];
    PSB_TRY(X(spmv_before_halo)(a, e != PSB_OK ? e : g, &wait));
    return X(mat_mv_add)(alpha, a->ah, halo, &wait, bnd, y, &f->t);
}

static psb_err one_pass(struct fused *f, T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                        struct X(vect) *y, const struct X(epilogue) *e, const T *dots)
{
    struct psb_awaited wait = { 0 };
    const T *px, *landed;
    psb_err err = psb_dual_read(&x->v, PSB_DEV, &px);
    PSB_THEN(err, X(fused_open)(f, y, beta == 0 ? PSB_USE_WRITE : PSB_USE_UPDATE, e, e->ndots, dots));
    PSB_TRY(X(halo_begin)(x, PSB_DEV, 'N', err)); /* neighbours fail, too, if err is set */
    f->t.scratch = (struct psb_dual *)&a->sums[0];
    if (a->ah->nnz > 0)
        return two_parts(f, alpha, a, x, px, beta);
    PSB_TRY(X(halo_finish)(x, &landed, &wait)); /* no columns here need it */
    PSB_TRY(X(spmv_await)(a, &wait));
    return X(mat_mv_fused)(alpha, a->ad, px, beta, f->o[0].p, &f->t, f->sum);
}

/* --- for callers -------------------------------------------------------------------------------------- */

static psb_err check_fused(const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y,
                           char trans, const struct X(epilogue) *e, const T *dots)
{
    PSB_TRY(trans == 'N' ? X(sp_check_side)(y, a->row, "y") : X(sp_check_side)(x, a->row, "x"));
    PSB_CHECK(x->ncols == 1, PSB_EARG, "arguments x and y have %d columns; expected one", x->ncols);
    PSB_TRY(X(fused_check)(x, y, e, dots));
    return X(vect_check_idle)(y);
}

/* The descriptor of y, as far as the arguments tell. */
static psb_desc *desc_of_product(const struct X(spmat) *a, const struct X(vect) *x, const struct X(vect) *y,
                                 char trans)
{
    const struct X(vect) *v = y && y->desc ? y : x;
    return a ? (trans == 'T' || trans == 'C' ? a->col : a->row) : v ? v->desc : NULL;
}

void X(spmv_settle)(const struct X(spmat) *a)
{
    if (psb_is_live(a) && psb_cd_state(a->col) == PSB_ASSEMBLED)
        psb_channel_settle(psb_desc_halo(a->col)->channel);
}

psb_err X(spmv_fused)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                      char trans, const struct X(epilogue) *e, T *dots)
{
    struct fused f = { .n = 0 };
    const struct psb_range range = psb_range_begin(NULL, __func__, "");
    const int sums = e ? e->ndots != 0 : dots != NULL; /* with dot products all processes reduce */
    psb_err err = X(spmv_check)(a, x, y, trans);
    PSB_THEN(err, check_fused(a, x, y, trans, e, dots));
    if (err != PSB_OK) {
        err = X(spmv_decline)(alpha, a, x, y, trans, err);
    } else if (in_one(alpha, a, x, y, trans, e, dots)) {
        err = one_pass(&f, alpha, a, x, beta, y, e, dots);
    } else {
        err = X(spmv)(alpha, a, x, beta, y, trans);
        PSB_THEN(err, X(fused_follow)(&f, y, e, dots));
    }
    if (err == PSB_OK) /* sums on the host have waited for the exchange */
        err = psb_channel_check(psb_desc_halo(a->col)->channel);
    if (sums)
        err = X(fused_sum)(&f, desc_of_product(a, x, y, trans), e, dots, err);
    if (err != PSB_OK && sums && dots)
        X(spmv_settle)(a);
    psb_range_end(&range);
    return PSB_PASS(err);
}
