/* padding.c -- room: ext.  Limit on the memory of formats that pad. */
#include "psb_ext.h"
#include <stdarg.h>
#include <stdio.h>
#include "psb_type.h"

static double csr_bytes(const struct X(mat) *a)
{
    const double rows = (double)a->nrows + 1, entry = sizeof(psb_ipk) + sizeof(T);
    return (double)a->nnz * entry + (double)sizeof(psb_epk) * rows;
}

psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, int small, const char *format,
                         ...)
{
    const double too_much = 4.6e18; /* bytes beyond the range of offsets */
    const double csr = csr_bytes(a);
    char what[128];
    va_list args;
    PSB_CHECK(limit >= 0, PSB_EARG, "the mold's limit is %g; expected >= 0, 0 for no limit", limit);
    if (need < too_much && (limit == 0 || small || need <= limit * csr))
        return PSB_OK;
    char allowed[64] = "no offset counts as many";
    if (need < too_much)
        snprintf(allowed, sizeof allowed, "the mold allows %.3g times", limit);
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return PSB_FAIL(PSB_EPADDING, "%s: %s would take %.4g bytes, %.3g times the %.4g of CSR, which fits; %s",
                    a->ops->fmt, what, need, need / csr, csr, allowed);
}

/* Microseconds of a product on a device: the launch, the format's own time, and the time to move the arrays
 * and two vectors. */
static double microseconds(const struct X(mat) *a, const struct psb_forecast *f)
{
    const double launch = 5000, bytes_per_ns = 4200;
    const double vectors = sizeof(T) * ((double)a->nrows + a->ncols);
    return 1e-3 * (launch + f->ns + (f->stride_penalty * f->bytes + vectors) / bytes_per_ns);
}

psb_err X(check_time)(const struct X(mat) *a, double limit, double bytes, double places, psb_epk widest)
{
    const struct psb_forecast csr = { csr_bytes(a), 0, 1, (double)a->nnz };
    struct psb_forecast f = { bytes, 0, 1, places };
    const double most = limit > 8 ? limit / 2 : 4;
    const struct X(mat_ops) *k = a->ops;
    while (!k->device_cost)
        k = k->super->ops;
    k->device_cost(a, widest, &f);
    const double time = microseconds(a, &f), by_csr = microseconds(a, &csr);
    PSB_CHECK(!a->on || limit == 0 || time <= most * by_csr, PSB_EPADDING,
              "%s: a product is forecast to take %.3g us, %.3g times the %.3g of CSRG, which fits; the mold "
              "allows %.3g times",
              a->ops->fmt, time, time / by_csr, by_csr, most);
    return PSB_OK;
}
