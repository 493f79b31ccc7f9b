/* diag.c -- cuda/formats: DIAG: DIA with a second copy on the device; HDIAG with a single hack. */
#include "gpu_formats.h"
#include "psb_type.h"

static const struct X(mat_ops) diag_ops = {
    .super = &X(hdiag_mold).mat,
    .fmt = "DIAG",
    .size = sizeof(struct X(hdia_mat)),
};

const struct X(hdia_mat) X(diag_mold) = { .mat.ops = &diag_ops, .hack = 0, .limit = 8 };
