/* scal.c -- base/vect: scalars of iterations, on the host and on devices. */
#include "vect.h"
#include "sums.h"
#include "psb_type.h"

/* The device of the mold, unless it has no operations on scalars of this type. */
static const struct psb_device *scalar_device(const struct psb_vmold *mold)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    return on && on->X(vec) &&on->X(vec)->steps ? on : NULL;
}

/* --- creation ------------------------------------------------------------------------------------------- */

/* *s = a scalar, 0; what was made is in *s after an error too. */
static psb_err make_scalar(struct X(scal) **s, psb_desc *d, const struct psb_device *on)
{
    T *p;
    PSB_CHECK(!d || psb_cd_state(d) == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected psb_cdasb before psb_scal_new");
    PSB_TRY(psb_alloc_zero(s, 1, sizeof **s, "scalar"));
    PSB_TRY(psb_dual_init(&(*s)->v, 1, sizeof *p, on, "scalar"));
    PSB_TRY(psb_dual_write(&(*s)->v, PSB_HOST, &p));
    *p = 0;
    if (on)
        PSB_TRY(psb_dual_read(&(*s)->v, PSB_DEV, &p));
    if (!d)
        return PSB_OK;
    PSB_TRY(psb_desc_hold(d, "desc"));
    psb_desc_add_dependent(d, 1);
    (*s)->desc = d;
    return PSB_OK;
}

psb_err X(scal_new)(struct X(scal) **s, psb_desc *desc, const struct psb_vmold *mold)
{
    const struct psb_device *on = scalar_device(mold);
    struct X(scal) *new = NULL;
    if (desc)
        PSB_NEED_HANDLE(desc, "a descriptor");
    psb_err e = s ? make_scalar(&new, desc, on)
                  : PSB_FAIL(PSB_EARG, "argument s is NULL; expected where to store the scalar");
    if (desc)
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
    if (s->desc)
        PSB_TRY(psb_channel_check(psb_sums_channel(s->desc)));
    if (s->v.valid & PSB_DEV)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&s->v, PSB_HOST, &p));
    *v = *p;
    return PSB_OK;
}

psb_err X(scal_device_read)(const struct X(scal) *s, const T **p)
{
    PSB_NEED_HANDLE(s, "a scalar");
    PSB_NEED(p, "where to store the address");
    return PSB_PASS(psb_dual_read(&s->v, PSB_DEV, p));
}

psb_err X(scal_device_update)(struct X(scal) *s, T **p)
{
    PSB_NEED_HANDLE(s, "a scalar");
    PSB_NEED(p, "where to store the address");
    return PSB_PASS(psb_dual_update(&s->v, PSB_DEV, p));
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

/* --- products, quotients and roots ---------------------------------------------------------------------- */

/* c = a b, a / b, or the root of a (then b is a). */
static psb_err combine_scalars(enum psb_step_kind kind, const struct X(scal) *a, const struct X(scal) *b,
                               struct X(scal) *c)
{
    struct X(vec_steps) q = { .n = 1, .step = { { .kind = kind } } };
    PSB_NEED_HANDLE(a, "a scalar");
    PSB_TRY(X(scal_check)(b, a->desc, "b"));
    PSB_TRY(X(scal_check)(c, a->desc, "c"));
    const struct psb_device *on = a->v.on;
    const enum psb_side s = on && b->v.on == on && c->v.on == on ? PSB_DEV : PSB_HOST;
    PSB_TRY(psb_dual_read(&a->v, s, &q.step->a));
    PSB_TRY(psb_dual_read(&b->v, s, &q.step->b));
    PSB_TRY(psb_dual_write(&c->v, s, &q.step->to));
    return X(vec)(s, on)->steps(&q);
}

psb_err X(scal_multiply)(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c)
{
    return PSB_PASS(combine_scalars(PSB_STEP_MULTIPLY, a, b, c));
}

psb_err X(scal_divide)(const struct X(scal) *a, const struct X(scal) *b, struct X(scal) *c)
{
    return PSB_PASS(combine_scalars(PSB_STEP_DIVIDE, a, b, c));
}

psb_err X(scal_root)(const struct X(scal) *a, struct X(scal) *c)
{
    return PSB_PASS(combine_scalars(PSB_STEP_ROOT, a, a, c));
}
