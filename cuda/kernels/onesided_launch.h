/* onesided_launch.h -- room: cuda/kernels.  Launchers of one-sided exchanges, called by C.  `stream` is a
 * cudaStream_t; each returns a cudaError_t. */
#ifndef PSB_ONESIDED_LAUNCH_H
#define PSB_ONESIDED_LAUNCH_H
#include "psb_lang.h"
#include "psb_onesided.h"
PSB_BEGIN_C
int psb_put_dev(const struct psb_row_put *job, void *stream);
int psb_arrive_dev(const struct psb_arrival *job, void *stream);
PSB_END_C
#endif
