/* mat_inside.h -- room: base/mat.  What the files of the matrix class share. */
#ifndef PSB_MAT_INSIDE_H
#define PSB_MAT_INSIDE_H

/* The nearest ancestor of a that fills the slot. */
/* clang-format off */
#define WHO(k, a, slot) \
    const struct X(mat_ops) *k = (a)->ops; \
    while (!k->slot) k = k->super->ops
/* clang-format on */
#endif
