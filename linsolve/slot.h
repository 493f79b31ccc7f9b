/* slot.h -- linsolve: searches for a slot of a format. */
#ifndef LINSOLVE_SLOT_H
#define LINSOLVE_SLOT_H

/* Declare k: the operations of the nearest format, from that of a upwards through `super`, that fills the
 * slot. */
/* clang-format off */
#define WITH_SLOT(k, a, slot) \
    const struct X(mat_ops) *k = (a)->ops; \
    while (!k->slot) k = k->super->ops
/* clang-format on */
#endif
