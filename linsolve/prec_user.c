/* prec_user.c -- linsolve: preconditioners of the caller's own. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

static psb_err update_user(struct X(prec) *p, const struct X(operator) *op)
{
    (void)op;
    const psb_err e = p->calls.update ? X(callers_error)(p->calls.update(p->caller), "update") : PSB_OK;
    return psb_agree(psb_cd_ctxt(p->desc), e);
}

static psb_err apply_user(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    PSB_CHECK(trans == 'N' || p->calls.transposes, PSB_ENOTIMPL,
              "the caller's preconditioner does not transpose; expected op N");
    const psb_err e = X(callers_error)(p->calls.apply(p->caller, x, y, trans), "apply");
    return p->calls.collective ? psb_agree(psb_cd_ctxt(p->desc), e) : e;
}

static void decline_user(const struct X(prec) *p, int k, char trans, psb_err e)
{
    (void)k, (void)trans;
    if (p->calls.collective)
        (void)!psb_agree(psb_cd_ctxt(p->desc), e);
}

const struct X(prec_ops) X(prec_user) = {
    .build = update_user, .renew = update_user, .apply = apply_user, .decline = decline_user
};

psb_err X(precinit_user)(struct X(prec) **p, const struct X(prec_calls) *calls, void *data)
{
    struct psb_prec_options o = psb_prec_defaults;
    PSB_NEED(calls, "the functions of the preconditioner");
    PSB_NEED(calls->apply, "a function");
    o.type = PSB_PREC_USER;
    PSB_TRY(X(prec_make)(p, &o));
    (*p)->calls = *calls;
    (*p)->caller = data;
    return PSB_OK;
}
