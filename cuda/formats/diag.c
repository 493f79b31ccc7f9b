/* diag.c -- room: cuda/formats.  DIAG: DIA with a second copy on the device; HDIAG with a single hack. */
#include "gpu_formats.h"
#include "psb_type.h"

static const struct X(mat_ops) ops = {
    .super = &X(dia_mold).mat,
    .fmt = "DIAG",
    .size = sizeof(struct X(hdia_mat)),
    .device = psb_cuda_device,
    .conversions = &X(hdiag_conversions),
    .forecast = X(diag_forecast),
    .move_from_coo = X(device_move_from_coo),
    .assemble = X(device_assemble),
    .from_fmt = X(device_from_fmt),
    .copy = X(device_copy),
    .get_diag = X(device_diag),
    .scale = X(device_scale),
    .zero_vals = X(device_zero),
    .csput = X(device_put),
    .csmm_dev = X(hdiag_csmm),
    .csmv_fused_dev = X(hdiag_fused),
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = X(device_values),
};

const struct X(hdia_mat) X(diag_mold) = { .mat.ops = &ops, .hack = 0, .limit = 8 };
