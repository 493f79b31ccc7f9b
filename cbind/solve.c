/* solve.c -- cbind: preconditioners and Krylov methods. */
#include "cbind.h"
#include <stdlib.h>
#include "psb_type.h"
#include "cbind.t.h"

C(prec) * PSB_CAT(PSB_CAT(psb_c_new_, PSB_NOW), prec)(void)
{
    return calloc(1, sizeof(C(prec)));
}

static psb_err make_prec(C(prec) * ph, const char *ptype)
{
    struct X(prec) *p;
    struct psb_prec_options o;
    PSB_NEED(ph, "a handle of psb_c_new_?prec");
    PSB_NEED(ptype, "the name of a preconditioner");
    if (ph->PREC)
        return PSB_CBIND_HANDLE;
    const psb_err e = QUIETLY(psb_prec_parse(psb_cbind_same_word(ptype, "NOPREC") ? "none" : ptype, &o));
    if (e != PSB_OK) {
        fprintf(stderr, "psb: unknown preconditioner \"%s\"\n", ptype);
        return PSB_CBIND_HANDLE;
    }
    o.keep_zeros = true; /* as PSBLAS's DIAG */
    PSB_TRY(X(precinit_opt)(&p, &o));
    ph->PREC = p;
    return PSB_OK;
}

psb_i_t C(precinit)(psb_c_ctxt cctxt, C(prec) * ph, const char *ptype)
{
    (void)cctxt;
    return CODE(make_prec(ph, ptype));
}

static psb_err check_prec(const C(prec) * ph)
{
    return ph && ph->PREC ? PSB_OK : psb_cbind_empty(ph, "ph", "a preconditioner of psb_c_?precinit");
}

static psb_err check_built(const C(prec) * ph, const struct X(spmat) *a)
{
    PSB_TRY(check_prec(ph));
    return X(sp_state)(a) == PSB_ASSEMBLED ? PSB_OK : PSB_CBIND_HANDLE;
}

psb_i_t C(precbld)(C(spmat) * ah, psb_c_descriptor *cdh, C(prec) * ph)
{
    struct X(spmat) *a = NULL;
    struct psb_cbind_desc *d;
    NEED_OK(psb_cbind_desc(cdh, &d));
    NEED_OK(X(cbind_open_with)(ah, 0, NULL, &a, NULL));
    NEED_OK(psb_cbind_agree(psb_cd_ctxt(a->row), check_built(ph, a)));
    return CODE(X(precbld)(ph->PREC, a, NULL, NULL));
}

psb_i_t C(precfree)(C(prec) * ph)
{
    if (!ph || !ph->PREC)
        return PSB_ERR_ERROR;
    X(precfree)(ph->PREC);
    ph->PREC = NULL;
    return 0;
}

/* Beyond this l the products of the residual in a sweep of BICGSTABL depend on each other in this precision.
 */
enum { MOST_L = sizeof(R) == sizeof(double) ? 8 : 4 };

/* Check what a solve needs besides the matrix, and set *o. */
static psb_err check_solve(psb_ctxt *ctxt, const char *method, const C(prec) * ph, C(vector) *const *h,
                           const psb_c_SolverOptions *opt, struct psb_solve_options *o)
{
    struct X(cbind_vect) *b = NULL;
    PSB_TRY(check_prec(ph));
    PSB_TRY(X(cbind_vect)(h[0], "bh", &b));
    PSB_TRY(X(cbind_vect)(h[1], "xh", &b));
    return psb_cbind_options(ctxt, method, opt, MOST_L, o);
}

static psb_err solve(const char *method, const C(spmat) * ah, const C(prec) * ph, C(vector) *const *h,
                     const psb_c_descriptor *cdh, psb_c_SolverOptions *opt, struct X(vect) **v)
{
    struct X(spmat) *a = NULL;
    struct psb_solve_options o;
    struct psb_solve_result res;
    struct psb_cbind_desc *d;
    PSB_TRY(psb_cbind_desc(cdh, &d));
    PSB_TRY(X(cbind_open_with)(ah, 0, NULL, &a, NULL));
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    PSB_TRY(psb_cbind_agree(ctxt, check_solve(ctxt, method, ph, h, opt, &o)));
    PSB_TRY(X(cbind_open)(a->row, 2, h, v));
    PSB_TRY(X(krylov)(a, ph->PREC, v[0], v[1], &o, &res));
    opt->iter = res.iterations;
    opt->err = res.residual;
    psb_cbind_report(ctxt, o.method, opt);
    return PSB_OK;
}

int C(krylov)(const char *method, C(spmat) * ah, C(prec) * ph, C(vector) * bh, C(vector) * xh,
              psb_c_descriptor *cdh, psb_c_SolverOptions *opt)
{
    struct X(vect) *v[2] = { 0 };
    const psb_err e = solve(method, ah, ph, (C(vector) *[]){ bh, xh }, cdh, opt, v);
    return CLOSE(xh, v[1], e);
}

int C(richardson)(C(spmat) * ah, C(prec) * ph, C(vector) * bh, C(vector) * xh, psb_c_descriptor *cdh,
                  psb_c_SolverOptions *opt)
{
    struct X(vect) *v[2] = { 0 };
    const psb_err e = solve("richardson", ah, ph, (C(vector) *[]){ bh, xh }, cdh, opt, v);
    return CLOSE(xh, v[1], e);
}
