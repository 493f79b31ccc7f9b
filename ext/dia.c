/* dia.c -- ext: diagonals: HDIA with a single hack. */
#include "psb_ext_format.h"
#include "psb_type.h"

static const struct X(mat_ops) dia_ops = {
    .super = &X(hdia_mold).mat,
    .fmt = "DIA",
    .size = sizeof(struct X(hdia_mat)),
};

const struct X(hdia_mat) X(dia_mold) = { .mat.ops = &dia_ops, .hack = 0, .limit = 8 };
