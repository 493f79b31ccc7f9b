/* device_formats.h -- test/kernel: formats with products on the device, by name.  For typed sources,
 * after psb_type.h. */
#ifndef DEVICE_FORMATS_H
#define DEVICE_FORMATS_H
#include <stdbool.h>
#include <string.h>

static inline bool is_on_device(const struct X(mat) *mold)
{
    return X(mat_dev)(mold)->csmm != NULL;
}

/* Set the limit of a format that has one. */
static inline void set_limit(struct X(mat) *a, double limit)
{
    if (X(mat_refines)(a, &X(hll_mold).mat))
        ((struct X(hll_mat) *)a)->limit = limit;
    if (X(mat_refines)(a, &X(hdia_mold).mat))
        ((struct X(hdia_mat) *)a)->limit = limit;
    if (X(mat_refines)(a, &X(hyb_mold).mat))
        ((struct X(hyb_mat) *)a)->limit = limit;
    if (X(mat_refines)(a, &X(bsr_mold).mat))
        ((struct X(bsr_mat) *)a)->limit = limit;
    if (X(mat_refines)(a, &X(dns_mold).mat))
        ((struct X(dns_mat) *)a)->limit = limit;
}
#endif
