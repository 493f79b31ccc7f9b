/* device_in_use.c -- cuda/device: the device in use, and the size of the work given to it. */
#include "psb_cuda_device.h"
#include "psb_testing.h"

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
