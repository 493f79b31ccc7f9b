/* hdiag.c -- room: cuda/formats.  HDIA, mirrored on the device: only what differs from HDIA. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

static const struct X(hdia_kernels) *const kernels[PSB_DEVICE_KINDS] = PSB_PER_DEVICE(hdia_kernels);

static psb_err open_dev(struct X(hdia_mat) *a, struct psb_dev_diagonals *s)
{
    s->m = a->mat.nrows;
    s->n = a->mat.ncols;
    s->nhacks = a->nhacks;
    s->rows = a->rows;
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &s->off));
    PSB_TRY(psb_dual_read(&a->dist, PSB_DEV, &s->dist));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s->bits));
    return psb_dual_read(&a->val, PSB_DEV, &s->val);
}

psb_err X(hdiag_csmm)(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_dev_diagonals s;
    PSB_TRY(open_dev((struct X(hdia_mat) *)a, &s));
    return kernels[a->on->kind]->csmm(&s, k, alpha, x, beta, y);
}

psb_err X(hdiag_fused)(T alpha, struct X(mat) *a, const T *x, T beta, T *y, const struct X(tail) *t,
                       double *sum)
{
    struct psb_dev_diagonals s;
    double *partial;
    PSB_TRY(open_dev((struct X(hdia_mat) *)a, &s));
    PSB_TRY(X(tail_room)(t, a, a->nrows / PSB_SUMMED_ROWS + 1, &partial));
    return kernels[a->on->kind]->fused(&s, alpha, x, beta, y, t, partial, sum);
}

static const struct X(mat_ops) ops = {
    .super = &X(hdia_mold).mat,
    .fmt = "HDIAG",
    .size = sizeof(struct X(hdia_mat)),
    .device = psb_cuda_device,
    .forecast = X(hdiag_forecast),
    .move_from_coo = X(hdiag_take),
    .assemble = X(hdiag_assemble),
    .from_fmt = X(hdiag_from_fmt),
    .copy = X(hdiag_copy),
    .get_diag = X(device_diag),
    .scale = X(device_scale),
    .zero_vals = X(device_zero),
    .csput = X(device_put),
    .csmm_dev = X(hdiag_csmm),
    .csmv_fused_dev = X(hdiag_fused),
    .transposed = &X(csrg_mold).mat,
};

const struct X(hdia_mat) X(hdiag_mold) = { .mat.ops = &ops, .hack = 128, .limit = 8 };
