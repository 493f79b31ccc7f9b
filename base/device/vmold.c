/* vmold.c -- base/device: the mold of vectors on the host. */
#include "psb_device.h"

const struct psb_vmold psb_vect_host = { .name = "host" };
