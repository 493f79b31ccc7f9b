/* psb_cuda_format.h -- cuda: the formats of GPUs, for authors of such formats and for molds with parameters
 * of one's own. */
#ifndef PSB_CUDA_FORMAT_H
#define PSB_CUDA_FORMAT_H
#include "psb_cuda.h"
#include "psb_csr_plan.h"
#include "psb_ext_format.h"
#include "psb_moved.h"
#define PSB_TEMPLATE "psb_cuda.t.h"
#include "psb_each_type.h"
#endif
