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

/* Set the limit of a format on the device that has one. */
static inline void set_limit(struct X(mat) *a, double limit)
{
    const char *format = a->ops->fmt;
    if (strcmp(format, "HLG") == 0 || strcmp(format, "ELG") == 0)
        ((struct X(hlg_mat) *)a)->hll.limit = limit;
    if (strcmp(format, "HLGP") == 0)
        ((struct X(hlgp_mat) *)a)->hll.limit = limit;
    if (strcmp(format, "DIAG") == 0 || strcmp(format, "HDIAG") == 0)
        ((struct X(hdia_mat) *)a)->limit = limit;
    if (strcmp(format, "HYBG") == 0)
        ((struct X(hyb_mat) *)a)->limit = limit;
    if (strcmp(format, "BSRG") == 0)
        ((struct X(bsrg_mat) *)a)->bsr.limit = limit;
    if (strcmp(format, "DNSG") == 0)
        ((struct X(dns_mat) *)a)->limit = limit;
}
#endif
