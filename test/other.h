/* other.h -- room: test.  A second device: host memory too, but it counts, and it fails when told. */
#ifndef OTHER_H
#define OTHER_H
#include "psb_base.h"

extern const struct psb_device other;
extern const struct psb_vmold other_vect;

/* Blocks that live on it, pinned ones included. */
extern int other_blocks;

/* The n-th allocation, copy or wait from now on fails (n >= 1), once; 0: none.  Counts down to 0. */
extern int other_fails_in;
#endif
