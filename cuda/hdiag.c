/* hdiag.c -- room: cuda.  HDIA, mirrored on the device: only what differs from HDIA. */
#include "psb_cuda.h"
#include "dev_arrays.h"
#include "psb_type.h"

psb_err X(hdiag_csmm)(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    struct psb_dev_diagonals s = { .m = a_->nrows, .n = a_->ncols, .nhacks = a->nhacks, .rows = a->rows };
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &s.off));
    PSB_TRY(psb_dual_read(&a->dist, PSB_DEV, &s.dist));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s.bits));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &s.val));
    return a_->on->X(kernels)->hdia_csmm(&s, k, alpha, x, beta, y);
}

static const struct X(mat_ops) ops = {
    .super = &X(hdia_mold).mat,
    .fmt = "HDIAG",
    .size = sizeof(struct X(hdia_mat)),
    .device = psb_cuda_device,
    .csmm_dev = X(hdiag_csmm),
    .turned = &X(csrg_mold).mat,
};

const struct X(hdia_mat) X(hdiag_mold) = { .mat.ops = &ops, .hack = 128, .limit = 8 };
