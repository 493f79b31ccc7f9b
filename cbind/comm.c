/* comm.c -- room: cbind.  Halo, overlap, gather, scatter. */
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
        psb_err e = X(cbind_vect)(xh, "xh", &b);
        return CLOSE(xh, e == PSB_OK ? b->v : NULL, e == PSB_OK ? X(halo_end)(b->v) : e);
    }
    psb_err e = open_to_stay(xh, cdh, &v);
    if (e == PSB_OK)
        e = part == psb_swap_send_ ? X(halo_start)(v, op) : X(halo)(v, op);
    return part == psb_swap_send_ ? CODE(e) : CLOSE(xh, v, e);
}

psb_i_t C(halo)(C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(vect) *v = NULL;
    psb_err e = open_to_stay(xh, cdh, &v);
    return CLOSE(xh, v, e == PSB_OK ? X(halo)(v, 'N') : e);
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
    psb_err e = open_to_stay(xh, cdh, &v);
    return CLOSE(xh, v, e == PSB_OK ? X(ovrl)(v, ops[update]) : e);
}

psb_i_t C(ovrl)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return C(ovrl_opt)(xh, cdh, psb_avg_, 0);
}

psb_i_t C(vscatter)(psb_l_t ng, T *gx, C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(vect) *v = NULL;
    psb_err e = X(cbind_open_on)(cdh, 1, &xh, &v);
    if (e == PSB_OK) {
        const psb_lpk n = psb_cd_global_rows(v->desc);
        int me;
        psb_info(psb_cd_ctxt(v->desc), &me, NULL);
        if (me == 0 && ng < n)
            e = PSB_FAIL(PSB_EARG, "argument ng is %" PRId64 "; expected all %" PRId64 " rows", ng, n);
        e = psb_agree(psb_cd_ctxt(v->desc), e);
    }
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(v->desc), X(vect_zero)(v)); /* the halo */
    return CLOSE(xh, v, e == PSB_OK ? X(scatter)(v, gx, 0) : e);
}

psb_i_t C(vgather_f)(T *gv, C(vector) * xh, psb_c_descriptor *cdh)
{
    struct X(vect) *v = NULL;
    psb_err e = X(cbind_open_on)(cdh, 1, &xh, &v);
    return CODE(e == PSB_OK ? X(gather)(v, gv, -1) : e);
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
    (void)cdh;
    psb_err e = ga ? PSB_OK
                   : PSB_FAIL(PSB_EARG, "argument ga is NULL; expected a handle of psb_c_new_?spmat");
    if (e == PSB_OK)
        e = X(cbind_open_with)(ah, 0, NULL, &a, NULL);
    if (e == PSB_OK)
        e = X(spgather)(a, NULL, &whole, -1);
    if (e == PSB_OK && ga->SPMAT)
        C(spfree)(ga, cdh);
    return CODE(e == PSB_OK ? X(cbind_set_mat)(ga, NULL, whole) : e);
}

C(spmat) * C(spgather)(C(spmat) * ah, psb_c_descriptor *cdh)
{
    C(spmat) *ga = calloc(1, sizeof *ga);
    if (C(spgather_f)(ga, ah, cdh) == 0)
        return ga;
    free(ga);
    return NULL;
}
