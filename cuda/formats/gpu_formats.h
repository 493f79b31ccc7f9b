/* gpu_formats.h -- room: cuda/formats.  What the sources of the device's formats share. */
#ifndef PSB_GPU_FORMATS_H
#define PSB_GPU_FORMATS_H
#include "psb_cuda.h"
#include "kernels.h"
#define PSB_TEMPLATE "convert.t.h"
#include "psb_each_type.h"
#endif
