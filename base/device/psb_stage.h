/* psb_stage.h -- base/device: stages of a program, by which PSB_LOG=summary orders its calls. */
#ifndef PSB_STAGE_H
#define PSB_STAGE_H
#include "psb_err.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Begin the stage `name`, of 1 to 31 bytes, and end the one that began last.  Stages nest, 15 deep; time is
 * counted for the innermost, and before the first for "main"; a name may come again.  PSB_ENOMEM if there
 * are 32 names, PSB_ESTATE if no stage is open, or too many.  Local. */
PSB_MUST_CHECK psb_err psb_stage_push(const char *name);
PSB_MUST_CHECK psb_err psb_stage_pop(void);
PSB_END_C
#endif
