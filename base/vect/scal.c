/* scal.c -- base/vect: scalars of iterations, on the host and on devices. */
#include "vect.h"
#include "sums.h"
#include "psb_type.h"

/* The device of the mold, unless it has no operations on scalars of this type. */
static const struct psb_device *scalar_device(const struct psb_vmold *mold)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    return on && on->X(vec) &&on->X(vec)->scal_div ? on : NULL;
}

/* --- creation ------------------------------------------------------------------------------------------- */

/* *s = a scalar, 0; what was made is in *s after an error too. */
static psb_err make_scalar(struct X(scal) **s, psb_desc *d, const struct psb_device *on)
{
    T *p;
    PSB_CHECK(psb_cd_state(d) == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected psb_cdasb before psb_scal_new");
    PSB_TRY(psb_alloc_zero(s, 1, sizeof **s, "scalar"));
    PSB_TRY(psb_dual_init(&(*s)->v, 1, sizeof *p, on, "scalar"));
    PSB_TRY(psb_dual_write(&(*s)->v, PSB_HOST, &p));
    *p = 0;
    if (on)
        PSB_TRY(psb_dual_read(&(*s)->v, PSB_DEV, &p));
    PSB_TRY(psb_desc_hold(d, "desc"));
    psb_desc_add_dependent(d, 1);
    (*s)->desc = d;
    return PSB_OK;
}

psb_err X(scal_new)(struct X(scal) **s, psb_desc *desc, const struct psb_vmold *mold)
{
    const struct psb_device *on = scalar_device(mold);
    struct X(scal) *new = NULL;
    PSB_NEED_HANDLE(desc, "a descriptor");
    psb_err e = s ? make_scalar(&new, desc, on)
                  : PSB_FAIL(PSB_EARG, "argument s is NULL; expected where to store the scalar");
    e = psb_sums_make(desc, on, e);
    if (e == PSB_OK)
        *s = new;
    else
        X(scal_free)(new);
    return PSB_PASS(e);
}

void X(scal_free)(struct X(scal) *s)
{
    if (!psb_may_free(s, __func__))
        return;
    psb_dual_free(&s->v);
    if (s->desc) {
        psb_desc_add_dependent(s->desc, -1);
        psb_desc_release(s->desc);
    }
    psb_retire(s, sizeof *s);
}

/* --- values --------------------------------------------------------------------------------------------- */

psb_err X(scal_set)(struct X(scal) *s, T v)
{
    T *p;
    PSB_NEED_HANDLE(s, "a scalar");
    PSB_TRY(psb_dual_write(&s->v, PSB_HOST, &p));
    *p = v;
    return PSB_OK;
}

/* A value on the device is always copied: a captured graph changes it unseen. */
psb_err X(scal_get)(const struct X(scal) *s, T *v)
{
    const T *p;
    PSB_NEED_HANDLE(s, "a scalar");
    PSB_NEED(v, "where to store the value");
    if (s->v.valid & PSB_DEV)
        PSB_TRY(psb_get(s->v.on, v, s->v.dev, sizeof *v, "scalar"));
    PSB_TRY(psb_channel_check(psb_sums_channel(s->desc)));
    if (s->v.valid & PSB_DEV)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&s->v, PSB_HOST, &p));
    *v = *p;
    return PSB_OK;
}

psb_err X(scal_check)(const struct X(scal) *s, const psb_desc *d, const char *name)
{
    PSB_CHECK(psb_is_live(s), PSB_EARG, "argument %s is %s; expected a scalar", name, psb_handle_state(s));
    PSB_CHECK(s->desc == d, PSB_EARG, "argument %s is a scalar of another descriptor; expected the same",
              name);
    return PSB_OK;
}

psb_err X(scal_factor)(T value, const struct X(scal) *by, enum psb_side s, const struct psb_device *on,
                       struct X(vec_factor) *f)
{
    const T *p;
    *f = (struct X(vec_factor)){ .value = value };
    if (!by || value == 0)
        return PSB_OK;
    if (s == PSB_HOST || by->v.on == on)
        return PSB_PASS(psb_dual_read(&by->v, s, &f->by));
    PSB_TRY(psb_dual_read(&by->v, PSB_HOST, &p));
    f->value *= *p;
    return PSB_OK;
}

/* --- products and quotients ----------------------------------------------------------------------------- */

/* c = a b if `divides` is 0, else a / b. */
static psb_err combine_scalars(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c,
                               int divides)
{
    const T *pa, *pb;
    T *pc;
    PSB_NEED_HANDLE(a, "a scalar");
    PSB_TRY(X(scal_check)(b, a->desc, "b"));
    PSB_TRY(X(scal_check)(c, a->desc, "c"));
    const struct psb_device *on = a->v.on;
    const enum psb_side s = on && b->v.on == on && c->v.on == on ? PSB_DEV : PSB_HOST;
    PSB_TRY(psb_dual_read(&a->v, s, &pa));
    PSB_TRY(psb_dual_read(&b->v, s, &pb));
    PSB_TRY(psb_dual_write(&c->v, s, &pc));
    return divides ? X(vec)(s, on)->scal_div(pa, pb, pc) : X(vec)(s, on)->scal_mlt(pa, pb, pc);
}

psb_err X(scal_multiply)(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c)
{
    return PSB_PASS(combine_scalars(a, b, c, 0));
}

psb_err X(scal_divide)(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c)
{
    return PSB_PASS(combine_scalars(a, b, c, 1));
}
