/* counting_device.h -- test: A simulated device in host memory that counts its blocks and fails on
 * request. */
#ifndef COUNTING_DEVICE_H
#define COUNTING_DEVICE_H
#include "psb_format.h"

extern const struct psb_device counting_device;
extern const struct psb_vmold counting_device_vect;

/* Blocks allocated and not yet freed, blocks of pinned host memory included; arrays of the host that are
 * pinned. */
extern int counting_device_blocks, counting_device_pinned;

/* n >= 1: the n-th allocation, copy or wait from now on fails, and no later one; 0: none fails.  Each such
 * call decrements it. */
extern int counting_device_fails_in;
#endif
