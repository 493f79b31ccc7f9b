/* solve.c -- room: cbind.  Preconditioners and Krylov methods. */
#include "cbind.h"
#include <stdlib.h>
#include "psb_type.h"
#include "cbind.t.h"

C(prec) * PSB_CAT(PSB_CAT(psb_c_new_, PSB_NOW), prec)(void)
{
    return calloc(1, sizeof(C(prec)));
}

static psb_err make(C(prec) * ph, const char *ptype)
{
    struct X(prec) *p;
    PSB_NEED(ph, "a handle of psb_c_new_?prec");
    PSB_NEED(ptype, "the name of a preconditioner");
    PSB_CHECK(!ph->PREC, PSB_ESTATE, "the handle has a preconditioner; expected psb_c_?precfree before");
    PSB_TRY(X(precinit)(&p, psb_cbind_same_word(ptype, "NOPREC") ? "none" : ptype));
    ph->PREC = p;
    return PSB_OK;
}

psb_i_t C(precinit)(psb_c_ctxt cctxt, C(prec) * ph, const char *ptype)
{
    (void)cctxt;
    return CODE(make(ph, ptype));
}

psb_i_t C(precbld)(C(spmat) * ah, psb_c_descriptor *cdh, C(prec) * ph)
{
    struct X(spmat) *a = NULL;
    psb_err e = ph && ph->PREC ? PSB_OK : psb_cbind_empty("ph", "a preconditioner of psb_c_?precinit");
    (void)cdh;
    if (e == PSB_OK)
        e = X(cbind_open_with)(ah, 0, NULL, &a, NULL);
    return CODE(e == PSB_OK ? X(precbld)(ph->PREC, a, NULL, NULL) : e);
}

psb_i_t C(precfree)(C(prec) * ph)
{
    if (!ph || !ph->PREC)
        return PSB_ERR_ERROR;
    X(precfree)(ph->PREC);
    ph->PREC = NULL;
    return 0;
}

int C(krylov)(const char *method, C(spmat) * ah, C(prec) * ph, C(vector) * bh, C(vector) * xh,
              psb_c_descriptor *cdh, psb_c_SolverOptions *opt)
{
    C(vector) *const h[] = { bh, xh };
    struct X(spmat) *a = NULL;
    struct X(vect) *v[2] = { 0 };
    struct psb_solve_options o;
    struct psb_solve_result res;
    (void)cdh;
    psb_err e = ph && ph->PREC ? PSB_OK : psb_cbind_empty("ph", "a preconditioner of psb_c_?precinit");
    if (e == PSB_OK)
        e = X(cbind_open_with)(ah, 2, h, &a, v);
    if (e == PSB_OK)
        e = psb_cbind_options(psb_cd_ctxt(a->row), method, opt, &o);
    if (e == PSB_OK)
        e = X(krylov)(a, ph->PREC, v[0], v[1], &o, &res);
    if (e == PSB_OK) {
        opt->iter = res.iterations;
        opt->err = res.residual;
    }
    return CLOSE(xh, v[1], e);
}
