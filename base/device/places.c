/* places.c -- base/device: the places of sparse vectors. */
#include <inttypes.h>
#include "places.h"

psb_err psb_sparse_members(const psb_sparse *v)
{
    PSB_NEED(v, "places of a sparse vector");
    PSB_CHECK(v->n >= 0 && v->nnz >= 0, PSB_EARG, "argument v has n %d, nnz %d; expected none below 0", v->n,
              v->nnz);
    PSB_CHECK(v->base == 0 || v->base == 1, PSB_EARG, "argument v->base is %d; expected 0 or 1", v->base);
    PSB_CHECK(v->nnz == 0 || v->idx, PSB_EARG, "argument v->idx is NULL; expected %d indices", v->nnz);
    PSB_CHECK((unsigned)v->order <= PSB_SV_ASCENDING, PSB_EARG,
              "argument v->order is %d; expected 0, or what psb_sv_check has set", (int)v->order);
    return PSB_OK;
}

psb_err psb_sparse_list(const psb_sparse *v, bool distinct, struct psb_dual *idx, psb_sparse_order *order)
{
    const enum psb_side s = idx->on && psb_d_vec(PSB_DEV, idx->on)->sparse ? PSB_DEV : PSB_HOST;
    struct psb_sparse there = *v;
    psb_epk wrong = -1;
    *order = PSB_SV_ASCENDING;
    if (v->nnz > 0) {
        PSB_TRY(psb_dual_read(idx, s, &there.idx));
        PSB_TRY(psb_d_vec(s, idx->on)->sparse_check(&there, distinct, &wrong, order));
    }
    if (wrong < 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(idx, PSB_HOST, &there.idx));
    return PSB_FAIL(PSB_EARG, "argument v->idx[%d] is %d; expected %d <= idx < %" PRId64, (int)wrong,
                    there.idx[wrong], v->base, (psb_epk)v->n + v->base);
}

psb_err psb_sv_check(psb_sparse *v, const struct psb_vmold *mold)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    const enum psb_side at = on ? PSB_DEV : PSB_HOST;
    struct psb_dual idx = { 0 };
    psb_sparse_order order = PSB_SV_UNCHECKED;
    PSB_NEED(v, "places of a sparse vector");
    v->order = PSB_SV_UNCHECKED;
    psb_err e = psb_sparse_members(v);
    PSB_THEN(e, psb_dual_check(on, "v->idx", v->idx, sizeof *v->idx));
    PSB_THEN(e, psb_dual_lend(&idx, (size_t)v->nnz, sizeof *v->idx, on, "indices", at, v->idx));
    PSB_THEN(e, psb_sparse_list(v, true, &idx, &order));
    psb_dual_free(&idx);
    if (e == PSB_OK)
        v->order = order;
    return PSB_PASS(e);
}
