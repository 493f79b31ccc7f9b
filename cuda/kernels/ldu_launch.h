/* ldu_launch.h -- room: cuda/kernels.  The launcher for patterns of factors, between C and CUDA. */
#ifndef PSB_LDU_LAUNCH_H
#define PSB_LDU_LAUNCH_H
#include <stddef.h>
#include "ldu.h"
#include "psb_lang.h"
PSB_BEGIN_C
int psb_ldu_compare_dev(const struct psb_dev_ldu *a, void *stream);
int psb_ldu_zero_dev(void *p, size_t bytes, void *stream);
PSB_END_C
#endif
