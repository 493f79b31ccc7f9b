/* cscg.c -- cuda/formats: CSCG: CSC with a second copy on the device; conversions are transposes of CSR. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

static psb_err cscg_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(mat) *rows;
    PSB_TRY(X(mat_kept_rows)(a, &rows));
    return X(mat_dev)(rows)->csmm(alpha, rows, k, x, beta, y);
}

static psb_err cscg_from_csr(struct X(mat) *a_, struct X(csr_mat) *b)
{
    struct X(csc_mat) *a = (struct X(csc_mat) *)a_;
    struct psb_dev_compressed from, to = { .m = a_->ncols };
    const psb_epk n = a_->ncols;
    PSB_TRY(X(csr_on_device)(b, 0, &from));
    PSB_TRY(X(move_on_device)(&a->icp, a_->on, n + 1, sizeof *to.off, NULL, "CSC column pointers", &to.off));
    PSB_TRY(X(move_on_device)(&a->ia, a_->on, a_->nnz, sizeof *to.ja, NULL, "CSC rows", &to.ja));
    PSB_TRY(X(move_on_device)(&a->val, a_->on, a_->nnz, sizeof(T), NULL, "CSC values", &to.val));
    return PSB_KERNELS(X(algebra_steps), a_->on)->transpose(&from, a_->nnz, false, &to);
}

static psb_err cscg_to_csr(struct X(mat) *a_, const struct psb_dev_compressed *rows)
{
    struct X(csc_mat) *a = (struct X(csc_mat) *)a_;
    struct psb_dev_compressed cols = { .m = a_->ncols };
    PSB_TRY(psb_dual_read(&a->icp, PSB_DEV, &cols.off));
    PSB_TRY(psb_dual_read(&a->ia, PSB_DEV, &cols.ja));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &cols.val));
    return PSB_KERNELS(X(algebra_steps), a_->on)->transpose(&cols, a_->nnz, false, rows);
}

static struct psb_dual *cscg_values(struct X(mat) *a)
{
    return &((struct X(csc_mat) *)a)->val;
}

static const struct X(conversions) cscg_conversions = { .from_csr = cscg_from_csr, .to_csr = cscg_to_csr };

static const struct X(mat_dev_ops) cscg_dev = {
    .device = psb_cuda_device,
    .storage = &X(device_storage),
    .conversions = &cscg_conversions,
    .csmm = cscg_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = cscg_values,
};

static const struct X(mat_ops) cscg_ops = {
    .super = &X(csc_mold).mat,
    .fmt = "CSCG",
    .size = sizeof(struct X(csc_mat)),
    .dev = &cscg_dev,
};

const struct X(csc_mat) X(cscg_mold) = { .mat.ops = &cscg_ops };
