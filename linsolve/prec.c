/* prec.c -- linsolve: preconditioners: creation, building, application. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_dual.h"
#include "psb_trace.h"
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

#define PSB_PREC_TYPE(type, name, table) extern const struct X(prec_ops) X(table);
#include "prec_types.h"
#undef PSB_PREC_TYPE
extern const struct X(prec_ops) X(prec_rounded), X(prec_rows);
static const struct X(prec_ops) *const prec_tables[PSB_NPRECS] = {
#define PSB_PREC_TYPE(type, name, table) [type] = &X(table),
#include "prec_types.h"
#undef PSB_PREC_TYPE
};

psb_err X(prec_make)(struct X(prec) **p, const struct psb_prec_options *o)
{
    struct X(prec) *new;
    PSB_NEED(p, "where to store the preconditioner");
    PSB_TRY(psb_prec_check(o));
    PSB_CHECK(!o->single || sizeof(R) == sizeof(double), PSB_EARG,
              "option precision is single for a matrix of single precision; expected a matrix of double "
              "precision");
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "preconditioner"));
    new->options = *o;
    new->ops = o->single ? &X(prec_rounded) : o->by_rows ? &X(prec_rows) : prec_tables[o->type];
    *p = new;
    return PSB_OK;
}

psb_err X(precinit_opt)(struct X(prec) **p, const struct psb_prec_options *o)
{
    PSB_CHECK(!o || o->type != PSB_PREC_USER, PSB_EARG,
              "a preconditioner of type user has no functions; expected psb_precinit_user");
    return PSB_PASS(X(prec_make)(p, o ? o : &psb_prec_defaults));
}

psb_err X(precinit)(struct X(prec) **p, const char *text)
{
    struct psb_prec_options o;
    PSB_TRY(psb_prec_parse(text, &o));
    return PSB_PASS(X(precinit_opt)(p, &o));
}

/* --- building ------------------------------------------------------------------------------------------- */

psb_err X(prec_check_matrix)(const struct X(spmat) *a)
{
    PSB_CHECK(X(sp_state)(a) == PSB_ASSEMBLED, PSB_ESTATE,
              "argument a is not assembled; expected psb_spasb before");
    PSB_CHECK(psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument a has columns distributed in another way than its rows; expected the same way");
    return PSB_OK;
}

static psb_err check_prec_arguments(const struct X(prec) *p, const struct X(operator) *op)
{
    PSB_NEED_HANDLE(p, "a preconditioner");
    PSB_TRY(X(operator_check)(op, p->ops->entries || p->options.type == PSB_PREC_L1));
    PSB_CHECK(!p->inner || psb_is_live(p->inner), PSB_EARG,
              "the inner preconditioner of p is freed; expected it to outlive p");
    PSB_CHECK(!p->inner || psb_cd_same_rows(p->inner->desc, op->desc), PSB_EARG,
              "the inner preconditioner of p is on another descriptor; expected that of the matrix");
    return PSB_OK;
}

static void drop_prec_data(struct X(prec) *p)
{
    if (p->data && p->ops->free)
        p->ops->free(p);
    p->data = NULL;
}

/* The format of factors and inverses of a. */
static const struct X(mat) *mold_for(const struct X(prec) *p, const struct X(spmat) *a)
{
    return p->asked ? p->asked : a && a->ad->on ? a->ad : &X(csr_mold).mat;
}

/* Where vectors are: on the device of the matrix, or where the caller says. */
static struct psb_vmold place_of(const struct X(operator) *op)
{
    const struct psb_vmold host = { .name = "host" };
    if (op->calls.apply)
        return op->calls.where ? *op->calls.where : host;
    return (struct psb_vmold){ .name = op->a->ad->ops->fmt, .device = X(mat_dev)(op->a->ad)->device };
}

/* Build into a copy of `like`, so that p is as it was if one process fails. */
static psb_err build_again(struct X(prec) *p, const struct X(operator) *op, const struct X(prec) *like)
{
    struct X(prec) new = *like;
    new.data = NULL;
    new.mold = mold_for(&new, op->a);
    const psb_err e = new.ops->build ? new.ops->build(&new, op) : PSB_OK;
    drop_prec_data(e == PSB_OK ? p : &new);
    if (e == PSB_OK)
        *p = new;
    return e;
}

psb_err X(precbld_op)(struct X(prec) *p, const struct X(operator) *op, const struct X(mat) *mold,
                      const struct psb_vmold *vmold)
{
    PSB_NEED_HANDLE(op, "an operator");
    PSB_TRY(psb_agree(psb_cd_ctxt(op->desc), check_prec_arguments(p, op)));
    struct X(prec) new = *p;
    new.desc = op->desc;
    new.where = vmold ? *vmold : place_of(op);
    new.asked = mold;
    new.collective = op->calls.collective || p->calls.collective || (p->inner && p->inner->collective) ||
                     p->options.type == PSB_PREC_AMG;
    const struct psb_range range = psb_range_begin(NULL, psb_prec_name(p->options.type), "construction");
    const enum psb_owner was = psb_dual_owner(PSB_OF_PRECS);
    const psb_err e = build_again(p, op, &new);
    psb_dual_owner(was);
    psb_range_end(&range);
    return PSB_PASS(e);
}

psb_err X(precbld)(struct X(prec) *p, const struct X(spmat) *a, const struct X(mat) *mold,
                   const struct psb_vmold *vmold)
{
    PSB_NEED_HANDLE(a, "a matrix");
    const struct X(operator) op = X(operator_view)(a);
    return PSB_PASS(X(precbld_op)(p, &op, mold, vmold));
}

static psb_err renew(struct X(prec) *p, const struct X(operator) *op)
{
    const struct X(mat) *was = p->mold;
    p->mold = mold_for(p, op->a);
    const psb_err e = p->ops->renew(p, op);
    if (e != PSB_OK)
        p->mold = was;
    return e;
}

psb_err X(precupd_op)(struct X(prec) *p, const struct X(operator) *op)
{
    PSB_NEED_HANDLE(op, "an operator");
    psb_err e = check_prec_arguments(p, op);
    if (e == PSB_OK && !p->desc)
        e = PSB_FAIL(PSB_ESTATE, "the preconditioner is not built; expected psb_precbld before");
    if (e == PSB_OK && p->desc != op->desc)
        e = PSB_FAIL(PSB_EARG, "argument a is on another descriptor than the matrix that p was built for");
    PSB_TRY(psb_agree(psb_cd_ctxt(op->desc), e));
    const enum psb_owner owner = psb_dual_owner(PSB_OF_PRECS);
    e = p->ops->renew ? renew(p, op) : build_again(p, op, p);
    psb_dual_owner(owner);
    return PSB_PASS(e);
}

psb_err X(precupd)(struct X(prec) *p, const struct X(spmat) *a)
{
    PSB_NEED_HANDLE(a, "a matrix");
    const struct X(operator) op = X(operator_view)(a);
    return PSB_PASS(X(precupd_op)(p, &op));
}

psb_err X(prec_set_inner)(struct X(prec) *p, const struct X(prec) *m)
{
    PSB_NEED_HANDLE(p, "a preconditioner");
    PSB_CHECK(p->options.type == PSB_PREC_CHEBYSHEV || p->options.type == PSB_PREC_NEUMANN, PSB_EARG,
              "argument p is of type %s; expected chebyshev or neumann", psb_prec_name(p->options.type));
    PSB_CHECK(!p->options.single, PSB_ENOTIMPL,
              "argument p has precision=single; expected a polynomial in double precision");
    PSB_CHECK(!p->desc, PSB_ESTATE, "argument p is built; expected psb_prec_set_inner before psb_precbld");
    if (m) {
        PSB_NEED_HANDLE(m, "a preconditioner");
        PSB_CHECK(m != p, PSB_EARG, "arguments p and m are the same preconditioner; expected two");
        PSB_CHECK(m->desc, PSB_ESTATE, "argument m is not built; expected psb_precbld before");
    }
    p->inner = m;
    return PSB_OK;
}

/* --- application ---------------------------------------------------------------------------------------- */

psb_err X(prec_check_vector)(const struct X(vect) *v, const char *name, const psb_desc *desc,
                             const char *whose)
{
    PSB_CHECK(psb_is_live(v), PSB_EARG, "argument %s is %s; expected a vector", name, psb_handle_state(v));
    PSB_CHECK(v->desc && psb_cd_same_rows(v->desc, desc), PSB_EARG, "argument %s is not on the descriptor %s",
              name, whose);
    PSB_CHECK(v->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument %s is not assembled; expected psb_geasb before", name);
    return PSB_OK;
}

static psb_err check_apply(const struct X(prec) *p, const struct X(vect) *x, const struct X(vect) *y,
                           char trans)
{
    static const char *const whose = "that the preconditioner was built for";
    PSB_TRY(X(prec_check_vector)(x, "x", p->desc, whose));
    PSB_TRY(X(prec_check_vector)(y, "y", p->desc, whose));
    PSB_CHECK(trans == 'N' || trans == 'T' || trans == 'C', PSB_EARG,
              "argument trans is '%c'; expected 'N', 'T' or 'C'", trans);
    PSB_CHECK(x != y, PSB_EARG, "arguments x and y are the same vector; expected two");
    PSB_CHECK(x->ncols == y->ncols, PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many",
              x->ncols, y->ncols);
    return PSB_OK;
}

psb_err X(precapply)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    PSB_NEED_HANDLE(p, "a preconditioner");
    PSB_CHECK(p->desc, PSB_ESTATE, "the preconditioner is not built; expected psb_precbld before");
    psb_err e = check_apply(p, x, y, trans);
    if (e != PSB_OK) {
        X(prec_decline)(p, X(vect_get_ncols)(psb_is_live(x) ? x : y), trans, e);
        return PSB_PASS(e);
    }
    const struct psb_range range = psb_range_begin(NULL, psb_prec_name(p->options.type), "application");
    e = p->ops->apply(p, x, y, trans);
    psb_range_end(&range);
    return PSB_PASS(e);
}

void X(prec_decline)(const struct X(prec) *p, int k, char trans, psb_err e)
{
    if (p->ops->decline)
        p->ops->decline(p, k, trans, e);
}

void X(prec_settle)(const struct X(prec) *p)
{
    for (; psb_is_live(p); p = p->inner)
        if (p->data && p->ops->settle)
            p->ops->settle(p);
}

psb_err X(prec_vect)(const struct X(prec) *p, psb_desc *desc, int k, struct X(vect) **x)
{
    struct X(vect) *v = NULL;
    psb_err e = psb_agree(psb_cd_ctxt(desc), X(geall_n)(&v, desc, k));
    if (e == PSB_OK)
        e = X(geasb)(v, &p->where);
    if (e != PSB_OK) {
        X(gefree)(v);
        return PSB_PASS(e);
    }
    *x = v;
    return PSB_OK;
}

psb_err X(prec_work)(const struct X(prec) *p, psb_desc *desc, int k, struct X(vect) **x)
{
    if (X(vect_get_ncols)(*x) == k)
        return PSB_OK;
    X(gefree)(*x);
    *x = NULL;
    return PSB_PASS(X(prec_vect)(p, desc, k, x));
}

bool X(prec_decline_work)(const struct X(prec) *p, int k, const struct X(vect) *x, psb_err e)
{
    if (X(vect_get_ncols)(x) == k)
        return false;
    (void)!psb_agree(psb_cd_ctxt(p->desc), e);
    return true;
}

psb_err X(prec_check_owners)(const struct X(prec) *p)
{
    PSB_CHECK(psb_desc_overlap(p->desc)->n == 0, PSB_ENOTIMPL,
              "preconditioner %s is not offered for rows with several owners",
              psb_prec_name(p->options.type));
    return PSB_OK;
}

/* --- queries -------------------------------------------------------------------------------------------- */

size_t X(prec_bytes)(const struct X(prec) *p)
{
    return psb_is_live(p) && p->data && p->ops->bytes ? p->ops->bytes(p) : 0;
}

psb_err X(precdescr)(const struct X(prec) *p, char *text, size_t size)
{
    PSB_NEED_HANDLE(p, "a preconditioner");
    return PSB_PASS(psb_prec_text(&p->options, text, size));
}

void X(precfree)(struct X(prec) *p)
{
    if (!psb_may_free(p, "psb_precfree"))
        return;
    drop_prec_data(p);
    if (p->calls.free)
        p->calls.free(p->caller);
    psb_retire(p, sizeof *p);
}
