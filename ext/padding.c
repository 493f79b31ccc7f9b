/* padding.c -- ext: limits on the memory of formats that pad. */
#include "psb_ext_format.h"
#include <stdarg.h>
#include <stdio.h>
#include "psb_type.h"

psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, bool small, const char *format,
                         ...)
{
    const double too_much = 4.6e18; /* bytes beyond the range of offsets */
    const double csr = X(csr_weighs)(a->nrows, a->nnz);
    char what[128], allowed[64] = "no offset counts as many";
    va_list args;
    PSB_CHECK(limit >= 0, PSB_EARG, "the mold's limit is %g; expected >= 0, 0 for no limit", limit);
    if (need < too_much && (limit == 0 || small || need <= limit * csr))
        return PSB_OK;
    if (need < too_much)
        snprintf(allowed, sizeof allowed, "the mold allows %.3g times", limit);
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return PSB_FAIL(PSB_EPADDING, "%s: %s would take %.4g bytes, %.3g times the %.4g of CSR, which fits; %s",
                    a->ops->fmt, what, need, need / csr, csr, allowed);
}
