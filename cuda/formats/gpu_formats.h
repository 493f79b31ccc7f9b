/* gpu_formats.h -- cuda/formats: shared by the sources of the device formats. */
#ifndef PSB_GPU_FORMATS_H
#define PSB_GPU_FORMATS_H
#include "psb_cuda_format.h"
#include "kernels.h"
struct psb_reading;
#define PSB_TEMPLATE "convert.t.h"
#include "psb_each_type.h"

/* Run `step`, which finds PSB_FOUND numbers at *at on device `on`, and copy them to `found`. */
/* clang-format off */
#define PSB_FIND(on, at, step, found) \
    do { struct psb_dual d_; psb_epk *at; PSB_TRY(X(found_open)(&d_, on, &at)); \
         PSB_TRY(X(found_close)(&d_, step, found)); } while (0)
/* clang-format on */
#endif
