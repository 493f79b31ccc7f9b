/* vendor.h -- room: cuda/abi.  The vendor's sparse library behind one launcher: answered by vendor_cusparse.c, or by
 * vendor_none.c in a build without it. */
#ifndef PSB_VENDOR_H
#define PSB_VENDOR_H
#include "psb_err.h"
#include "psb_int.h"

/* Descriptors, workspace and what the library found out about a matrix, made by its first product. */
struct psb_vendor;

/* CSR: irp on the host, ja and val (scalars by letter, 's', 'd', 'c', 'z') on the device. */
struct psb_vendor_csr {
    psb_ipk m, n;
    psb_epk nnz;
    const psb_epk *irp;
    const psb_ipk *ja;
    const void *val;
};

/* y = alpha A x + beta y, k columns by rows, in psb_cudart_stream; the same *v (NULL at first) for the same
 * pattern.  PSB_ENOTIMPL for 2^31 entries or more, and in a build without the library; PSB_EDEVICE. */
PSB_MUST_CHECK psb_err psb_vendor_csmm(struct psb_vendor **v, char letter, const struct psb_vendor_csr *a,
                                       psb_ipk k, const void *alpha, const void *x, const void *beta,
                                       void *y);

/* NULL is fine. */
void psb_vendor_free(struct psb_vendor *v);
#endif
