/* device_in_use.c -- cuda/device: the device in use, the size of the work given to it, and the error of a
 * device whose memory is exhausted. */
#include "psb_cuda_device.h"
#include "psb_testing.h"
#include "gpu.h"

static const struct psb_device *in_use;

const struct psb_vmold psb_vect_cuda = { .name = "cuda", .device = psb_cuda_device };

const struct psb_device *psb_cuda_device(void)
{
    return in_use;
}

void psb_cuda_use(const struct psb_device *on)
{
    in_use = on;
}

psb_epk psb_cuda_convert_from(psb_epk least)
{
    static psb_epk now = PSB_CUDA_CONVERT_FROM;
    const psb_epk before = now;
    if (least >= 0)
        now = least;
    return before;
}

psb_err psb_no_device_memory(const char *what, size_t bytes, size_t unused, size_t all)
{
    return PSB_FAIL(PSB_ENOMEM, "no device memory for %s: %zu bytes asked, %zu free of %zu", what, bytes,
                    unused, all);
}
