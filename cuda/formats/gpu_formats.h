/* gpu_formats.h -- cuda/formats: shared by the sources of the device formats. */
#ifndef PSB_GPU_FORMATS_H
#define PSB_GPU_FORMATS_H
#include "psb_cuda_format.h"
#include "kernels.h"
struct psb_reading;
#define PSB_TEMPLATE "convert.t.h"
#include "psb_each_type.h"
#endif
