/* bsrg.c -- room: cuda.  BSR, mirrored on the device: only what differs from BSR. */
#include "psb_cuda.h"
#include "dev_arrays.h"
#include "psb_type.h"

static psb_err csmm_dev(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    struct psb_dev_blocks s = { .m = a_->nrows,
                                .n = a_->ncols,
                                .h = a->n,
                                .r = a->r,
                                .c = a->c,
                                .by_cols = a->by_cols,
                                .full = a->full,
                                .blocks = (psb_epk)(a->ja.bytes / sizeof(psb_ipk)) };
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &s.off));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &s.ja));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s.bits));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &s.val));
    return a_->on->X(kernels)->bsr_csmm(&s, k, alpha, x, beta, y);
}

static const struct X(mat_ops) ops = {
    .super = &X(bsr_mold).mat,
    .fmt = "BSRG",
    .size = sizeof(struct X(bsr_mat)),
    .device = psb_cuda_device,
    .forecast = X(bsrg_forecast),
    .csmm_dev = csmm_dev,
    .turned = &X(csrg_mold).mat,
};

const struct X(bsr_mat) X(bsrg_mold) = { .mat.ops = &ops, .by_cols = 1, .limit = 8 };
