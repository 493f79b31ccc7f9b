/* vmold.c -- room: base/device.  The vector that lives on the host alone. */
#include "psb_vmold.h"

const struct psb_vmold psb_vect_host = { .name = "host" };
