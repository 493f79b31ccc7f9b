/* coog.c -- cuda/formats: COOG: triplets with a second copy on the device; HYBG without entries in ELL. */
#include "gpu_formats.h"
#include "psb_type.h"

static const struct X(mat_ops) coog_ops = {
    .super = &X(hybg_mold).mat,
    .fmt = "COOG",
    .size = sizeof(struct X(hyb_mat)),
};

const struct X(hyb_mat) X(coog_mold) = { .mat.ops = &coog_ops, .partition = PSB_HYB_USER };
