/* gefused.c -- base/spmat: a sum of two vectors, an elementwise product and dot products in one pass,
 * and the sums of dot products over processes, on the host or on devices. */
#include "spmat.h"
#include "ctxt.h"
#include "coll.h"
#include "sums.h"
#include <string.h>
#include "psb_type.h"
#include "operands.h"
#include "fused.h"

/* --- arguments ---------------------------------------------------------------------------------------- */

static psb_err check_different(const char *name, const struct X(vect) *v, const char *other,
                               const struct X(vect) *of)
{
    PSB_CHECK(v != of, PSB_EARG, "arguments %s and %s are the same vector; expected two", name, other);
    return PSB_OK;
}

static psb_err check_u(const struct X(vect) *x, const struct X(vect) *y, const struct X(epilogue) *e)
{
    PSB_TRY(check_different("e->u", e->u, "x", x));
    PSB_TRY(check_different("e->u", e->u, "y", y));
    PSB_TRY(check_different("e->u", e->u, "e->z", e->z));
    PSB_TRY(check_different("e->u", e->u, "e->d", e->d));
    PSB_TRY(X(sp_check_vect)(e->u, y->desc, "e->u"));
    PSB_TRY(X(sp_check_side)(e->d, y->desc, "e->d"));
    PSB_CHECK(e->d->ncols == 1, PSB_EARG, "argument e->d has %d columns; expected one", e->d->ncols);
    return PSB_OK;
}

/* The scalars that receive the dot products. */
static psb_err check_targets(const psb_desc *d, const struct X(epilogue) *e)
{
    PSB_CHECK(e->to[0] || e->ndots == 0, PSB_EARG,
              "argument dots is NULL; expected where to store %d dot products, or scalars in e->to",
              e->ndots);
    for (int i = 0; i < e->ndots; i++) {
        PSB_TRY(X(scal_check)(e->to[i], d, "e->to[]"));
        for (int j = 0; j < i; j++)
            PSB_CHECK(e->to[i] != e->to[j], PSB_EARG,
                      "arguments e->to[%d] and e->to[%d] are the same scalar; expected two", j, i);
    }
    return PSB_OK;
}

static psb_err check_ratios(const struct X(epilogue) *e, const psb_desc *d, const T *dots)
{
    PSB_CHECK(e->nratios >= 0 && e->nratios <= PSB_MOST_RATIOS, PSB_EARG,
              "argument e->nratios is %d; expected 0 <= nratios <= %d", e->nratios, PSB_MOST_RATIOS);
    PSB_CHECK(e->nratios == 0 || (!dots && e->ndots > 0), PSB_EARG,
              "argument e->nratios is %d; expected 0 without dot products in scalars", e->nratios);
    for (int i = 0; i < e->nratios; i++) {
        const struct X(scal) *to = e->ratio[i].to;
        PSB_TRY(X(scal_check)(e->ratio[i].over, d, "e->ratio[].over"));
        PSB_TRY(X(scal_check)(e->ratio[i].under, d, "e->ratio[].under"));
        PSB_TRY(X(scal_check)(to, d, "e->ratio[].to"));
        int same = to == e->ratio[i].over || to == e->ratio[i].under;
        for (int j = 0; j < e->ndots; j++)
            same |= to == e->to[j];
        for (int j = 0; j < i; j++)
            same |= to == e->ratio[j].to;
        PSB_CHECK(!same, PSB_EARG,
                  "argument e->ratio[%d].to is also a term of the ratio, or another result; expected a "
                  "scalar of its own",
                  i);
    }
    return PSB_OK;
}

psb_err X(fused_check)(const struct X(vect) *x, const struct X(vect) *y, const struct X(epilogue) *e,
                       const T *dots)
{
    PSB_NEED(e, "what follows the product");
    PSB_CHECK(e->ndots >= 0 && e->ndots <= PSB_MOST_DOTS, PSB_EARG,
              "argument e->ndots is %d; expected 0 <= ndots <= %d", e->ndots, PSB_MOST_DOTS);
    if (!dots)
        PSB_TRY(check_targets(y->desc, e));
    PSB_TRY(check_ratios(e, y->desc, dots));
    if (e->z) {
        PSB_TRY(check_different("e->z", e->z, "x", x));
        PSB_TRY(check_different("e->z", e->z, "y", y));
        PSB_TRY(X(sp_check_vect)(e->z, y->desc, "e->z"));
    }
    if (e->u)
        PSB_TRY(check_u(x, y, e));
    if (e->gamma_by)
        PSB_TRY(X(scal_check)(e->gamma_by, y->desc, "e->gamma_by"));
    if (e->delta_by)
        PSB_TRY(X(scal_check)(e->delta_by, y->desc, "e->delta_by"));
    for (int i = 0; i < 2 * e->ndots; i++) {
        const struct X(vect) *v = i % 2 ? e->dot[i / 2].right : e->dot[i / 2].left;
        char name[32];
        snprintf(name, sizeof name, "e->dot[%d].%s", i / 2, i % 2 ? "right" : "left");
        PSB_TRY(X(sp_check_side)(v, y->desc, name));
        PSB_CHECK(v->ncols == 1, PSB_EARG, "argument %s has %d columns; expected one", name, v->ncols);
    }
    return PSB_OK;
}

/* --- operands ----------------------------------------------------------------------------------------- */

/* Open the scalars e->to[0..n) to be written on side s. */
static psb_err open_targets(const struct X(epilogue) *e, int n, enum psb_side s, T **p)
{
    for (int i = 0; i < n; i++)
        PSB_TRY(psb_dual_write(&e->to[i]->v, s, &p[i]));
    return PSB_OK;
}

static bool are_on(const struct X(epilogue) *e, const struct psb_device *on)
{
    for (int i = 0; i < e->ndots; i++)
        if (e->to[i]->v.on != on)
            return false;
    return true;
}

/* The steps of e, or its ratios as steps, if all their scalars are on device `on`; *opened tells. */
static psb_err open_steps(const struct X(epilogue) *e, const struct psb_device *on, struct X(vec_steps) *r,
                          int *opened)
{
    *opened = 1;
    if (e->steps) {
        *r = *e->steps;
        return PSB_OK;
    }
    for (int i = 0; i < e->nratios; i++)
        *opened &= e->ratio[i].over->v.on == on && e->ratio[i].under->v.on == on &&
                   e->ratio[i].to->v.on == on;
    r->n = *opened ? e->nratios : 0;
    for (int i = 0; i < r->n; i++) {
        r->step[i].kind = PSB_STEP_DIVIDE;
        PSB_TRY(psb_dual_read(&e->ratio[i].over->v, PSB_DEV, &r->step[i].a));
        PSB_TRY(psb_dual_read(&e->ratio[i].under->v, PSB_DEV, &r->step[i].b));
        PSB_TRY(psb_dual_write(&e->ratio[i].to->v, PSB_DEV, &r->step[i].to));
    }
    return PSB_OK;
}

int X(fused_stays)(const struct X(vect) *y, const struct X(epilogue) *e, const T *dots)
{
    struct psb_channel *c = psb_sums_channel(y->desc);
    return !dots && e->ndots > 0 && y->v.on && are_on(e, y->v.on) &&
           (psb_np_of(psb_cd_ctxt(y->desc)) == 1 || (c && psb_channel_device(c) == y->v.on));
}

/* Choose where the parts of this process go. */
static psb_err choose_place(struct fused *f, const struct X(epilogue) *e, const T *dots)
{
    const struct X(vect) *y = f->o[0].v;
    struct psb_channel *c = psb_sums_channel(y->desc);
    f->stays = f->w.s == PSB_DEV && X(fused_stays)(y, e, dots);
    f->done = f->stays && !c;
    if (f->done) {
        PSB_TRY(open_targets(e, e->ndots, PSB_DEV, f->t.to));
        return open_steps(e, y->v.on, &f->t.steps, &f->divided);
    }
    return f->stays ? psb_channel_staging(c, PSB_DEV, true, &f->t.stay) : PSB_OK;
}

psb_err X(fused_open)(struct fused *f, const struct X(vect) *y, enum psb_use use, const struct X(epilogue) *e,
                      int ndots, const T *dots)
{
    f->n = X(operands_add)(f->o, 0, "y", y, use);
    if (e->z)
        f->n = X(operands_add)(f->o, f->n, "e->z", e->z, e->delta == 0 ? PSB_USE_WRITE : PSB_USE_UPDATE);
    if (e->u) {
        f->n = X(operands_add)(f->o, f->n, "e->u", e->u, PSB_USE_WRITE);
        f->n = X(operands_add)(f->o, f->n, "e->d", e->d, PSB_USE_READ);
    }
    for (int i = 0; i < ndots; i++) {
        f->n = X(operands_add)(f->o, f->n, "e->dot[].left", e->dot[i].left, PSB_USE_READ);
        f->n = X(operands_add)(f->o, f->n, "e->dot[].right", e->dot[i].right, PSB_USE_READ);
    }
    PSB_TRY(X(operands_open)(f->o, f->n, SLOT(epilogue), &f->w));
    const struct psb_device *on = f->o[0].v->v.on;
    struct X(vec_epilogue) *t = &f->t;
    *t = (struct X(vec_epilogue)){ .z = X(operands_find)(f->o, f->n, e->z),
                                   .u = X(operands_find)(f->o, f->n, e->u),
                                   .ndots = ndots };
    t->d = t->u ? X(operands_find)(f->o, f->n, e->d) : NULL;
    for (int i = 0; i < ndots; i++) {
        t->left[i] = X(operands_find)(f->o, f->n, e->dot[i].left);
        t->right[i] = X(operands_find)(f->o, f->n, e->dot[i].right);
    }
    PSB_TRY(X(scal_factor)(e->gamma, e->gamma_by, f->w.s, on, &t->gamma));
    PSB_TRY(X(scal_factor)(e->delta, e->delta_by, f->w.s, on, &t->delta));
    return PSB_PASS(ndots > 0 ? choose_place(f, e, dots) : PSB_OK);
}

psb_err X(fused_follow)(struct fused *f, const struct X(vect) *y, const struct X(epilogue) *e, const T *dots)
{
    const int ndots = fused_counts_all(y) ? e->ndots : 0;
    if (e->z || e->u || ndots > 0) {
        PSB_TRY(X(fused_open)(f, y, PSB_USE_READ, e, ndots, dots));
        PSB_TRY(f->w.ops->epilogue(f->w.n, f->o[0].p, &f->t, f->sum));
    }
    for (int i = 0; i < e->ndots && ndots == 0; i++)
        PSB_TRY(X(gedot_parts)(e->dot[i].left, e->dot[i].right, f->sum + 2 * i));
    return PSB_OK;
}

/* --- sums over processes ------------------------------------------------------------------------------ */

/* Copy the rows of the other processes to the host and add there. */
static psb_err total_on_host(struct psb_channel *c, struct X(vec_totals) *t, const struct X(epilogue) *e)
{
    double *sums;
    const size_t row = PSB_SUMS_ROW * sizeof *sums;
    PSB_TRY(psb_alloc(&sums, ((size_t)t->count + 1) * row, 1, "sums"));
    psb_err err = psb_get(psb_channel_device(c), sums, t->mine, row, "scalar: sums");
    PSB_THEN(err, psb_get(psb_channel_device(c), sums + PSB_SUMS_ROW, t->others, (size_t)t->count * row,
                          "scalar: sums"));
    PSB_THEN(err, psb_channel_check(c)); /* the copy has waited */
    t->mine = sums;
    t->others = sums + PSB_SUMS_ROW;
    PSB_THEN(err, open_targets(e, t->n, PSB_HOST, t->to));
    PSB_THEN(err, X(vec_host).totals(t));
    psb_free(sums);
    return err;
}

/* The parts of this process in the staging memory of the channel. */
static psb_err stage_parts(const struct fused *f, struct psb_channel *c)
{
    double *p;
    if (f->stays)
        return PSB_OK;
    PSB_TRY(psb_channel_staging(c, PSB_HOST, true, &p));
    memcpy(p, f->sum, sizeof f->sum);
    return PSB_OK;
}

static psb_err open_results(struct fused *f, const struct X(epilogue) *e, const struct psb_device *on,
                            struct X(vec_totals) *t)
{
    PSB_TRY(open_targets(e, e->ndots, PSB_DEV, t->to));
    return open_steps(e, on, &t->steps, &f->divided);
}

/* The sums are made of the parts that all processes send each other, by one kernel where the transport allows
 * it. */
static psb_err sum_in_channel(struct fused *f, psb_desc *d, struct psb_channel *c,
                              const struct X(epilogue) *e, psb_err err)
{
    const struct psb_device *on = psb_channel_device(c);
    struct X(vec_totals) t = { .n = e ? e->ndots : 0,
                               .count = psb_np_of(psb_cd_ctxt(d)) - 1,
                               .width = PSB_SUMS_ROW };
    const int near = err == PSB_OK && are_on(e, on);
    t.before = psb_rank_of(psb_cd_ctxt(d));
    PSB_THEN(err, stage_parts(f, c));
    if (err == PSB_OK && near)
        err = open_results(f, e, on, &t);
    PSB_TRY(psb_sums_exchange(c, err, &t.mine, &t.others, near ? &t.exchange : NULL));
    if (!near)
        return total_on_host(c, &t, e);
    err = on->X(vec)->totals(&t);
    if (err == PSB_OK)
        return psb_channel_check(c);
    psb_channel_break(c);
    psb_channel_refuse(c); /* the others wait for the put that was not made */
    return err;
}

/* The sums are made by messages, or there is one process. */
static psb_err sum_on_host(struct fused *f, psb_desc *d, const struct X(epilogue) *e, T *dots, psb_err err)
{
    const int n = err == PSB_OK ? e->ndots : 0;
    T *to[PSB_MOST_DOTS];
    err = psb_reduce_in_time(d ? psb_cd_ctxt(d) : NULL, PSB_SUM, PSB_KIND_d, 2 * n, f->sum, err);
    if (err == PSB_OK && !dots)
        err = open_targets(e, n, PSB_HOST, to);
    for (int i = 0; i < n && err == PSB_OK; i++)
        *(dots ? &dots[i] : to[i]) = MAKE(f->sum[2 * i], f->sum[2 * i + 1]);
    return err;
}

/* The ratios, unless they were computed with the sums.  Steps are only for sums that are. */
static psb_err divide(const struct fused *f, const struct X(epilogue) *e)
{
    PSB_CHECK(!e->steps || f->divided, PSB_ESTATE,
              "the dot products of steps on a device are on the host; expected all vectors on the device");
    for (int i = 0; i < e->nratios && !f->divided; i++)
        PSB_TRY(X(scal_divide)(e->ratio[i].over, e->ratio[i].under, e->ratio[i].to));
    return PSB_OK;
}

psb_err X(fused_sum)(struct fused *f, psb_desc *d, const struct X(epilogue) *e, T *dots, psb_err err)
{
    struct psb_channel *c = d && !dots ? psb_sums_channel(d) : NULL;
    PSB_TRY(d ? psb_check_ctxt(psb_cd_ctxt(d)) : PSB_OK);
    if (c)
        err = sum_in_channel(f, d, c, e, err);
    else if (!f->done || err != PSB_OK)
        err = sum_on_host(f, d, e, dots, err);
    return PSB_PASS(err == PSB_OK ? divide(f, e) : err);
}

/* --- for callers -------------------------------------------------------------------------------------- */

static psb_err check_gefused(const struct X(vect) *y, const struct X(epilogue) *e, const T *dots)
{
    PSB_TRY(X(vect_check_distributed)(y, "y"));
    PSB_TRY(X(sp_check_side)(y, y->desc, "y"));
    PSB_CHECK(y->ncols == 1, PSB_EARG, "argument y has %d columns; expected one", y->ncols);
    return X(fused_check)(NULL, y, e, dots);
}

/* The descriptor of an argument that has one. */
static psb_desc *desc_of_epilogue(const struct X(vect) *y, const struct X(epilogue) *e)
{
    if (psb_is_live(y) && y->desc)
        return y->desc;
    for (int i = 0; e && i < PSB_MOST_DOTS; i++)
        if (psb_is_live(e->to[i]))
            return e->to[i]->desc;
    return NULL;
}

psb_err X(gefused)(const struct X(vect) *y, const struct X(epilogue) *e, T *dots)
{
    struct fused f = { .n = 0 };
    const int sums = e ? e->ndots != 0 : dots != NULL; /* with dot products all processes reduce */
    psb_err err = check_gefused(y, e, dots);
    PSB_THEN(err, X(fused_follow)(&f, y, e, dots));
    if (sums)
        err = X(fused_sum)(&f, desc_of_epilogue(y, e), e, dots, err);
    return PSB_PASS(err);
}
