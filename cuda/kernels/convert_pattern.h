/* convert_pattern.h -- room: cuda/kernels.  The launcher of the steps that read no values; see
 * convert_launchers.t.h. */
#ifndef PSB_CONVERT_PATTERN_H
#define PSB_CONVERT_PATTERN_H
#include "convert_launch.h"
#include "psb_lang.h"
PSB_BEGIN_C
int psb_pattern_dev(enum psb_step s, const struct psb_convert *q, struct psb_step_room *room, void *stream);
PSB_END_C
#endif
