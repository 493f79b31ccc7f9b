/* host_ours.c -- test/kernel: PSBC's formats on one process. */
#include "psb_ext_format.h"
#include "psb_rsb_format.h"
#include <math.h>
#include <string.h>
#include "psb_type.h"
#include "host_spmv.h"

static psb_err make(const struct problem *p, struct runner *r)
{
    struct X(mat) *a;
    double begun = psb_wtime();
    PSB_TRY(X(mat_convert)(&p->a->mat, r->how, &a));
    r->convert = psb_wtime() - begun;
    r->tune = NAN;
    r->bytes = (double)X(mat_bytes)(a);
    r->a = a;
    return PSB_OK;
}

static void product(const struct problem *p, void *a, enum way w)
{
    if (w == MANY)
        good(X(mat_csmm)(1, a, COLUMNS, p->x, 0, p->y, 'N'), "product");
    else
        good(X(mat_csmv)(1, a, p->x, 0, p->y, w == ONE ? 'N' : 'T'), "product");
}

static void release(void *a)
{
    X(mat_free)(a);
}

static const struct kind ours = {
    .whose = "ours", .ways = 7, .make = make, .product = product, .free = release
};
/* LIBRSB, called through our format, is not counted as ours. */
static const struct kind rsb = {
    .whose = "RSB", .ways = 7, .make = make, .product = product, .free = release
};

void X(host_enter_ours)(struct field *f, const struct problem *p)
{
    static struct X(rsb_mat) threaded;
    const struct X(mat) *mold;
    threaded = X(rsb_mold);
    threaded.threads = 0;
    X(host_enter)(f, p, opt.formats,
                  (struct runner){ .name = "CSR", .kind = &ours, .how = &X(csr_mold).mat });
    for (int i = 0; (mold = X(mat_format)(i)); i++) {
        const char *name = mold->ops->fmt;
        if (strcmp(name, "RSB") == 0)
            X(host_enter)(f, p, opt.formats,
                          (struct runner){ .name = name, .kind = &rsb, .how = &threaded.mat });
        else if (strcmp(name, "CSR") != 0)
            X(host_enter)(f, p, opt.formats, (struct runner){ .name = name, .kind = &ours, .how = mold });
    }
    X(host_enter)(f, p, opt.formats,
                  (struct runner){ .name = "AUTO", .kind = &ours, .how = &X(auto_mold).mat });
    X(host_enter)(f, p, opt.formats,
                  (struct runner){ .name = "TUNED", .kind = &ours, .how = &X(tuned_mold).mat });
}
