/* bell.c -- ext: Blocked-ELL: BSR with equally many blocks in every block row. */
#include "psb_ext_format.h"
#include "psb_type.h"

static const struct X(mat_ops) bell_ops = {
    .super = &X(bsr_mold).mat,
    .fmt = "BELL",
    .size = sizeof(struct X(bsr_mat)),
};

const struct X(bsr_mat) X(bell_mold) = { .mat.ops = &bell_ops, .by_cols = 1, .padded = 1, .limit = 8 };
