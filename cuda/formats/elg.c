/* elg.c -- cuda/formats: ELG: ELL with a second copy on the device; HLG with a single hack. */
#include "gpu_formats.h"
#include "psb_type.h"

static const struct X(mat_ops) elg_ops = {
    .super = &X(hlg_mold).mat,
    .fmt = "ELG",
    .size = sizeof(struct X(hlg_mat)),
};

const struct X(hlg_mat) X(elg_mold) = { .hll = { .mat.ops = &elg_ops, .limit = 8 } };
