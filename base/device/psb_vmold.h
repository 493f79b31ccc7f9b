/* psb_vmold.h -- base/device: molds of vectors. */
#ifndef PSB_VMOLD_H
#define PSB_VMOLD_H
#include "psb_lang.h"
PSB_BEGIN_C

/* The mold of a vector tells the device of its second copy. */
typedef struct psb_vmold psb_vmold;

/* The mold of a vector on the host only. */
extern const struct psb_vmold psb_vect_host;

PSB_END_C
#endif
