/* vendor.h -- cuda/abi: the vendor's sparse library behind one function, defined in vendor_cusparse.c,
 * or in vendor_none.c if the build does not have it. */
#ifndef PSB_VENDOR_H
#define PSB_VENDOR_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Descriptors, workspace and the library's analysis of a matrix, made by its first product. */
struct psb_vendor;

/* A matrix in CSR: irp in host memory, ja and val in device memory; the scalar type is a letter, 's', 'd',
 * 'c' or 'z'. */
struct psb_vendor_csr {
    psb_ipk m, n;
    psb_epk nnz;
    const psb_epk *irp;
    const psb_ipk *ja;
    const void *val;
};

/* y = alpha A x + beta y, k columns by rows, in psb_cudart_stream.  Pass the same *v, NULL at first, for the
 * same pattern.  PSB_ENOTIMPL for 2^31 entries or more, and in a build without the library; PSB_EDEVICE. */
PSB_MUST_CHECK psb_err psb_vendor_csmm(struct psb_vendor **v, char letter, const struct psb_vendor_csr *a,
                                       psb_ipk k, const void *alpha, const void *x, const void *beta,
                                       void *y);

/* Free v, which may be NULL. */
void psb_vendor_free(struct psb_vendor *v);
PSB_END_C
#endif
