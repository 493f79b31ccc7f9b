/* sell.c -- ext: SELL-C-sigma: HLL whose rows are sorted by length. */
#include "psb_ext_format.h"
#include "psb_type.h"

static const struct X(mat_ops) sell_ops = {
    .super = &X(hll_mold).mat,
    .fmt = "SELL",
    .size = sizeof(struct X(hll_mat)),
};

const struct X(hll_mat) X(sell_mold) = { .mat.ops = &sell_ops, .hack = 8, .sort = 1024, .limit = 8 };
