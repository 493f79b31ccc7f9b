/* psb_vmold.h -- room: base/device.  Where a vector lives. */
#ifndef PSB_VMOLD_H
#define PSB_VMOLD_H
#include "psb_dual.h"

/* The mold of a vector: where its second copy is; `device` NULL, or a result of NULL: on the host alone. */
struct psb_vmold {
    const char *name;
    const struct psb_device *(*device)(void);
};
extern const struct psb_vmold psb_vect_host;

/* What becomes of entries that stand more than once: they are added, the last to come stays alone, or they
 * are an error. */
enum psb_dupl { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE, PSB_DUPL_ERROR };

#endif
