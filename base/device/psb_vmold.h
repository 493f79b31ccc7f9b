/* psb_vmold.h -- base/device: molds of vectors. */
#ifndef PSB_VMOLD_H
#define PSB_VMOLD_H
#include "psb_device.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* The mold of a vector tells the device of its second copy.  If `device` is NULL or returns NULL the vector
 * is on the host only. */
typedef struct psb_vmold {
    const char *name;
    const struct psb_device *(*device)(void);
} psb_vmold;

/* The mold of a vector on the host only. */
extern const struct psb_vmold psb_vect_host;

PSB_END_C
#endif
