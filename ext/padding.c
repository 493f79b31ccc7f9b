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

psb_err X(check_time)(const struct X(mat) *a, double limit, const struct psb_padded *p)
{
    const double most = limit > 8 ? limit / 2 : 3.5;
    const struct X(mat_ops) *k = a->ops;
    double ns[2];
    while (!k->device_times)
        k = k->super->ops;
    k->device_times(a, p, ns);
    PSB_CHECK(!a->on || limit == 0 || ns[0] <= most * ns[1], PSB_EPADDING,
              "%s: a product is forecast to take %.3g us, %.3g times the %.3g of CSRG, which fits; the mold "
              "allows %.3g times",
              a->ops->fmt, 1e-3 * ns[0], ns[0] / ns[1], 1e-3 * ns[1], most);
    return PSB_OK;
}
