/* operator.c -- linsolve: operators: a matrix, or functions of the caller. */
#include "psb_linsolve.h"
#include "channel.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

/* --- creation ------------------------------------------------------------------------------------------- */

static psb_err make_operator(struct X(operator) **op, psb_desc *desc, const struct X(spmat) *a,
                             const struct X(operator_calls) *calls, void *data)
{
    struct X(operator) *new;
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "operator"));
    const psb_err e = psb_desc_hold(desc, "desc");
    if (e != PSB_OK) {
        psb_free(new);
        return e;
    }
    *new = (struct X(operator)){ .desc = desc, .a = a, .data = data };
    if (calls)
        new->calls = *calls;
    *op = new;
    return PSB_OK;
}

psb_err X(operator_new)(struct X(operator) **op, psb_desc *desc, const struct X(operator_calls) *calls,
                        void *data)
{
    PSB_NEED(op, "where to store the operator");
    PSB_NEED_HANDLE(desc, "a descriptor");
    PSB_CHECK(psb_cd_state(desc) == PSB_ASSEMBLED, PSB_ESTATE,
              "argument desc is not assembled; expected psb_cdasb before");
    PSB_NEED(calls, "the functions of the operator");
    PSB_NEED(calls->apply, "a function");
    if (calls->transposes)
        PSB_TRY(psb_desc_single_owners(desc));
    return PSB_PASS(make_operator(op, desc, calls->near, calls, data));
}

psb_err X(operator_of)(struct X(operator) **op, const struct X(spmat) *a)
{
    PSB_NEED(op, "where to store the operator");
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(X(prec_check_matrix)(a));
    return PSB_PASS(make_operator(op, X(sp_row_desc)(a), a, NULL, NULL));
}

void X(operator_free)(struct X(operator) *op)
{
    if (!psb_may_free(op, "psb_operator_free"))
        return;
    if (op->calls.free)
        op->calls.free(op->data);
    psb_desc_release(op->desc);
    psb_retire(op, sizeof *op);
}

/* --- checks --------------------------------------------------------------------------------------------- */

psb_err X(operator_check)(const struct X(operator) *op, bool entries)
{
    PSB_NEED_HANDLE(op, "an operator that outlives its solvers");
    PSB_CHECK(
        op->a || !entries, PSB_ENOTIMPL,
        "the operator has no matrix near to it, of which the preconditioner could be made; expected the "
        "member near, or another preconditioner");
    if (!op->a)
        return PSB_OK;
    PSB_CHECK(psb_is_live(op->a), PSB_EARG,
              "the matrix of the solver is freed; expected it to outlive the solver");
    PSB_TRY(X(prec_check_matrix)(op->a));
    PSB_CHECK(psb_cd_same_rows(op->desc, X(sp_row_desc)(op->a)), PSB_EARG,
              "the matrix near to the operator has other rows; expected those of its descriptor");
    return PSB_OK;
}

psb_err X(callers_error)(psb_err e, const char *what)
{
    char text[200] = "";
    if (e == PSB_OK)
        return PSB_OK;
    if (psb_errstatus() == e)
        snprintf(text, sizeof text, ": %s", psb_errtext());
    return PSB_FAIL((int)e > 0 && e < PSB_NERR ? e : PSB_EARG, "the caller's function %s failed (%s)%s", what,
                    psb_strerror(e), text);
}

/* --- products ------------------------------------------------------------------------------------------- */

psb_err X(operator_mv)(const struct X(operator) *op, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    const struct X(operator_calls) *c = &op->calls;
    if (!c->apply)
        return PSB_PASS(X(spmv)(1, op->a, x, 0, y, trans));
    PSB_CHECK(trans == 'N' || c->transposes, PSB_ENOTIMPL, "the operator does not transpose; expected op N");
    if (c->collective)
        return PSB_PASS(
            psb_agree(psb_cd_ctxt(op->desc), X(callers_error)(c->apply(op->data, x, y, trans), "apply")));
    psb_err e = trans == 'N' ? X(halo)((struct X(vect) *)x, 'N')
                             : PSB_OK; /* its owned elements do not change */
    if (e == PSB_OK)
        e = X(callers_error)(c->apply(op->data, x, y, trans), "apply");
    if (trans != 'N' && e == PSB_OK)
        e = X(halo)(y, 'T');
    else if (trans != 'N')
        X(halo_refuse)(op->desc);
    return PSB_PASS(e);
}

psb_err X(operator_subtract)(const struct X(operator) *op, const struct X(vect) *x, struct X(vect) *y,
                             struct X(vect) *w, char trans)
{
    if (!op->calls.apply)
        return PSB_PASS(X(spmv)(-1, op->a, x, 1, y, trans));
    PSB_TRY(X(operator_mv)(op, x, w, trans));
    return PSB_PASS(X(geaxpby)(-1, w, 1, y));
}

void X(operator_decline)(const struct X(operator) *op, char trans, psb_err e)
{
    if (!op->calls.apply)
        (void)!X(spmv_decline)(1, op->a, NULL, NULL, trans, e);
    else if (op->calls.collective)
        (void)!psb_agree(psb_cd_ctxt(op->desc), e);
    else
        X(halo_refuse)(op->desc);
}

void X(operator_settle)(const struct X(operator) *op)
{
    if (!op->calls.apply)
        X(spmv_settle)(op->a);
    else
        psb_channel_settle(psb_desc_halo(op->desc)->channel);
}

psb_err X(operator_diagonal)(const struct X(operator) *op, struct X(vect) *d)
{
    if (op->calls.diagonal)
        return PSB_PASS(X(callers_error)(op->calls.diagonal(op->data, d), "diagonal"));
    PSB_CHECK(op->a, PSB_ENOTIMPL,
              "the operator has no function diagonal; expected one, or another preconditioner");
    return PSB_PASS(X(sp_get_diag)(op->a, d));
}

psb_err X(operator_apply)(const struct X(operator) *op, const struct X(vect) *x, struct X(vect) *y,
                          char trans)
{
    static const char *const whose = "of the operator";
    PSB_NEED_HANDLE(op, "an operator");
    if (!op->calls.apply)
        return PSB_PASS(X(spmv)(1, op->a, x, 0, y, trans));
    psb_err e = X(prec_check_vector)(x, "x", op->desc, whose);
    PSB_THEN(e, X(prec_check_vector)(y, "y", op->desc, whose));
    if (e == PSB_OK && x == y)
        e = PSB_FAIL(PSB_EARG, "arguments x and y are the same vector; expected two");
    if (e == PSB_OK && x->ncols != y->ncols)
        e = PSB_FAIL(PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many", x->ncols,
                     y->ncols);
    if (e == PSB_OK && trans != 'N' && trans != 'T' && trans != 'C')
        e = PSB_FAIL(PSB_EARG, "argument trans is '%c'; expected 'N', 'T' or 'C'", trans);
    if (e == PSB_OK)
        return PSB_PASS(X(operator_mv)(op, x, y, trans));
    X(operator_decline)(op, trans, e);
    return PSB_PASS(e);
}
