/* sell.c -- room: ext.  SELL-C-sigma: HLL whose rows are sorted by length. */
#include "psb_ext.h"
#include "psb_type.h"

static const struct X(mat_ops) ops = {
    .super = &X(hll_mold).mat,
    .fmt = "SELL",
    .size = sizeof(struct X(hll_mat)),
};

const struct X(hll_mat) X(sell_mold) = { .mat.ops = &ops, .hack = 8, .sort = 1024, .limit = 8 };
