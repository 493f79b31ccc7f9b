/* vendor_none.c -- cuda/kernels: a build without cuSPARSE. */
#include "vendor.h"

psb_err psb_vendor_csmm(struct psb_vendor **v, char letter, const struct psb_vendor_csr *a, psb_ipk k,
                        const void *alpha, const void *x, const void *beta, void *y)
{
    (void)v, (void)letter, (void)a, (void)k, (void)alpha, (void)x, (void)beta, (void)y;
    return PSB_FAIL(PSB_ENOTIMPL,
                    "the mold's vendor is 1, and this build has no cuSPARSE; expected 0, PSBC's kernels");
}

void psb_vendor_free(struct psb_vendor *v)
{
    (void)v;
}
