/* gpu_formats.h -- room: cuda/formats.  The formats of the device, for the four scalars.  Part of psb_cuda.h. */
#ifndef PSB_GPU_FORMATS_H
#define PSB_GPU_FORMATS_H
#include "psb_ext.h"
#include "psb_cuda_device.h"
#include "csr_plan.h"
#include "packed.h"
#include "kernels.h"
#define PSB_TEMPLATE "cuda.t.h"
#include "psb_each_type.h"
#endif
