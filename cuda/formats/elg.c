/* elg.c -- room: cuda/formats.  ELG: ELL with a second copy on the device; HLG with a single hack. */
#include "gpu_formats.h"
#include "psb_type.h"

static const struct X(mat_ops) ops = {
    .super = &X(ell_mold).mat,
    .fmt = "ELG",
    .size = sizeof(struct X(hlg_mat)),
    .device = psb_cuda_device,
    .conversions = &X(hlg_conversions),
    .move_from_coo = X(device_move_from_coo),
    .assemble = X(device_assemble),
    .from_fmt = X(device_from_fmt),
    .copy = X(device_copy),
    .get_diag = X(device_diag),
    .scale = X(device_scale),
    .zero_vals = X(device_zero),
    .csput = X(device_put),
    .csmm_dev = X(hlg_csmm_dev),
    .csmv_fused_dev = X(hlg_fused_dev),
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = X(device_values),
};

const struct X(hlg_mat) X(elg_mold) = { .hll = { .mat.ops = &ops, .limit = 8 } };
