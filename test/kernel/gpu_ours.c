/* gpu_ours.c -- test/kernel: PSBC's formats on the device. */
#include "psb_cuda_format.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "gpu_spmv.h"
#include "device_formats.h"

enum { TRIES = 3 };

static psb_err product(const struct problem *p, void *a)
{
    return X(mat_vect_mv)(1, a, p->x, 0, p->y, opt.trans);
}

/* Convert, within the limit of --limit. */
static psb_err convert(const struct problem *p, const struct X(mat) *mold, struct X(mat) **a)
{
    struct X(mat) *own;
    if (opt.limit < 0)
        return X(mat_convert)(&p->a->mat, mold, a);
    PSB_TRY(psb_alloc(&own, mold->ops->size, 1, "a mold"));
    memcpy(own, mold, mold->ops->size);
    set_limit(own, opt.limit);
    psb_err e = X(mat_convert)(&p->a->mat, own, a);
    psb_free(own);
    return e;
}

/* Convert, and multiply once, which moves the arrays to the device. */
static psb_err make_once(const struct problem *p, const struct X(mat) *mold, struct X(mat) **a,
                         double *seconds)
{
    const double begun = psb_wtime();
    PSB_TRY(convert(p, mold, a));
    psb_err e = product(p, *a);
    if (e == PSB_OK)
        e = psb_cuda_DeviceSync();
    *seconds = psb_wtime() - begun;
    if (e == PSB_OK && p->nnz > 0 && X(vect_is_host)(p->y))
        e = PSB_FAIL(PSB_ENOTIMPL, "%s computes this product on the host", X(mat_get_fmt)(*a));
    if (e != PSB_OK)
        X(mat_free)(*a);
    return e;
}

static psb_err make(const struct problem *p, struct runner *r)
{
    const struct X(mat) *mold = r->how;
    struct X(mat) *a = NULL;
    double least = INFINITY, t;
    for (int left = opt.conversions ? TRIES : 1; left > 0; left--) {
        X(mat_free)(a);
        a = NULL;
        PSB_TRY(make_once(p, mold, &a, &t));
        least = fmin(least, t);
    }
    r->a = a;
    if (opt.conversions)
        r->convert = least;
    if (mold->ops->choose)
        snprintf(r->format, sizeof r->format, "%s", X(mat_get_fmt)(a));
    return PSB_OK;
}

static void release(void *a)
{
    X(mat_free)(a);
}

static const struct kind ours = { .whose = "ours", .make = make, .product = product, .free = release };
/* Not counted among the formats it chooses from. */
static const struct kind chooser = { .whose = "AUTO", .make = make, .product = product, .free = release };

static void enter_one(struct field *f, const struct problem *p, const struct X(mat) *mold)
{
    struct runner r = { .kind = mold->ops->choose ? &chooser : &ours, .how = mold };
    snprintf(r.name, sizeof r.name, "%s", mold->ops->fmt);
    X(gpu_enter)(f, p, r);
}

const struct X(mat) *X(format_at)(const char **list)
{
    char name[24];
    next_name(list, name, sizeof name);
    return X(mat_by_name)(name);
}

void X(gpu_enter_ours)(struct field *f, const struct problem *p)
{
    const struct X(mat) *mold;
    for (int i = 0; !opt.formats && (mold = X(mat_format)(i)); i++)
        if (is_on_device(mold))
            enter_one(f, p, mold);
    if (!opt.formats) {
        enter_one(f, p, &X(autog_mold).mat);
        enter_one(f, p, &X(tunedg_mold).mat);
    }
    for (const char *s = opt.formats; s && (mold = X(format_at)(&s));)
        enter_one(f, p, mold);
}
