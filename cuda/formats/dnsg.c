/* dnsg.c -- cuda/formats: DNSG: DNS with a second copy on the device; the differences from DNS. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

static psb_err dnsg_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(dns_mat) *a = (struct X(dns_mat) *)a_;
    struct psb_dev_dense s = { .m = a_->nrows, .n = a_->ncols, .layers = a->layers };
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s.bits));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &s.val));
    return PSB_KERNELS(X(dns_kernels), a_->on)->csmm(&s, k, alpha, x, beta, y);
}

static const struct X(mat_dev_ops) dnsg_dev = {
    .device = psb_cuda_device,
    .csmm = dnsg_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
};

static const struct X(mat_ops) dnsg_ops = {
    .super = &X(dns_mold).mat,
    .fmt = "DNSG",
    .size = sizeof(struct X(dns_mat)),
    .dev = &dnsg_dev,
};

const struct X(dns_mat) X(dnsg_mold) = { .mat.ops = &dnsg_ops, .limit = 8 };
