/* comm.c -- cbind: halo, overlap, gather, scatter. */
#include "cbind.h"
#include <stdlib.h>
#include "psb_type.h"
#include "cbind.t.h"

/* The vector of xh, moved to the descriptor of cdh if it is on another one, since its halo is that of cdh. */
static psb_err open_to_stay(C(vector) * xh, const psb_c_descriptor *cdh, struct X(vect) **v)
{
    PSB_TRY(X(cbind_open_on)(cdh, 1, &xh, v));
    struct X(cbind_vect) *b = xh->VECTOR;
    if (*v == b->v)
        return PSB_OK;
    X(gefree)(b->v);
    b->v = b->twin;
    b->twin = NULL;
    X(cbind_hide)(b);
    return PSB_OK;
}

psb_i_t C(halo_opt)(C(vector) * xh, psb_c_descriptor *cdh, char *trans, psb_i_t mode)
{
    struct X(vect) *v = NULL;
    const int part = mode & (psb_swap_send_ | psb_swap_recv_);
    const char op = psb_cbind_letter(trans);
    if (part == psb_swap_recv_) { /* the vector is as the start left it */
        struct X(cbind_vect) *b;
        NEED_OK(X(cbind_vect)(xh, "xh", &b));
        return CLOSE(xh, b->v, X(halo_end)(b->v));
    }
    NEED_OK(open_to_stay(xh, cdh, &v));
    return part == psb_swap_send_ ? CODE(X(halo_start)(v, op)) : CLOSE(xh, v, X(halo)(v, op));
}

psb_i_t C(halo)(C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(vect) *v = NULL;
    NEED_OK(open_to_stay(xh, cdh, &v));
    return CLOSE(xh, v, X(halo)(v, 'N'));
}

psb_i_t C(ovrl_opt)(C(vector) * xh, psb_c_descriptor *cdh, psb_i_t update, psb_i_t mode)
{
    static const enum psb_ovrl ops[] = { [psb_none_] = PSB_OVRL_NONE,
                                         [psb_sum_] = PSB_OVRL_SUM,
                                         [psb_avg_] = PSB_OVRL_AVG,
                                         [psb_square_root_] = PSB_OVRL_SQRT,
                                         [psb_setzero_] = PSB_OVRL_ZERO };
    struct X(vect) *v = NULL;
    (void)mode;
    if (update < 0 || update > psb_setzero_)
        return CODE(PSB_FAIL(PSB_EARG, "argument update is %d; expected psb_none_ to psb_setzero_", update));
    NEED_OK(open_to_stay(xh, cdh, &v));
    return CLOSE(xh, v, X(ovrl)(v, ops[update]));
}

psb_i_t C(ovrl)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return C(ovrl_opt)(xh, cdh, psb_avg_, 0);
}

psb_i_t C(vscatter)(psb_l_t ng, T *gx, C(vector) * xh, psb_c_descriptor *cdh)
{
    OPEN(v, cdh, xh);
    psb_ctxt *ctxt = psb_cd_ctxt(v[0]->desc);
    const psb_lpk n = psb_cd_global_rows(v[0]->desc);
    psb_err e = PSB_OK;
    int me;
    psb_info(ctxt, &me, NULL);
    if (me == 0 && ng < n)
        e = PSB_FAIL(PSB_EARG, "argument ng is %" PRId64 "; expected all %" PRId64 " rows", ng, n);
    NEED_OK(psb_agree(ctxt, e));
    NEED_OK(psb_agree(ctxt, X(vect_zero)(v[0]))); /* the halo */
    return CLOSE(xh, v[0], X(scatter)(v[0], gx, 0));
}

psb_i_t C(vgather_f)(T *gv, C(vector) * xh, psb_c_descriptor *cdh)
{
    OPEN(v, cdh, xh);
    return CODE(X(gather)(v[0], gv, -1));
}

T *C(vgather)(C(vector) * xh, psb_c_descriptor *cdh)
{
    const psb_l_t n = psb_c_cd_get_global_rows(cdh);
    T *all = n >= 0 ? malloc((n ? (size_t)n : 1) * sizeof *all) : NULL;
    if (n >= 0 && C(vgather_f)(all, xh, cdh) == 0) /* a process without memory fails with the others */
        return all;
    free(all);
    return NULL;
}

psb_i_t C(spgather_f)(C(spmat) * ga, C(spmat) * ah, psb_c_descriptor *cdh)
{
    struct X(spmat) *a = NULL;
    struct X(mat) *whole = NULL;
    if (!ga)
        return CODE(PSB_FAIL(PSB_EARG, "argument ga is NULL; expected a handle of psb_c_new_?spmat"));
    NEED_OK(X(cbind_open_with)(ah, 0, NULL, &a, NULL));
    NEED_OK(X(spgather)(a, NULL, &whole, -1));
    if (ga->SPMAT)
        C(spfree)(ga, cdh);
    return CODE(X(cbind_set_mat)(ga, NULL, whole));
}

C(spmat) * C(spgather)(C(spmat) * ah, psb_c_descriptor *cdh)
{
    C(spmat) *ga = calloc(1, sizeof *ga);
    if (C(spgather_f)(ga, ah, cdh) == 0)
        return ga;
    free(ga);
    return NULL;
}
