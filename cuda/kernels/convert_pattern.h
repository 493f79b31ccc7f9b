/* convert_pattern.h -- room: cuda/kernels.  The launcher of the steps that read no values; see
 * convert_launchers.t.h. */
#ifndef PSB_CONVERT_PATTERN_H
#define PSB_CONVERT_PATTERN_H
#include "convert_launch.h"
#ifdef __cplusplus
extern "C" {
#endif
int psb_pattern_dev(enum psb_step s, const struct psb_convert *q, struct psb_step_room *room, void *stream);
#ifdef __cplusplus
}
#endif
#endif
