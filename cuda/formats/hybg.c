/* hybg.c -- cuda/formats: HYBG: HYB with a second copy on the device; the differences from HYB. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

/* For the fake device. */
static psb_err coo_add(const struct psb_dev_triplets *a, psb_ipk k, T alpha, const T *x, T *y)
{
    const T *val = a->val;
    for (psb_epk e = 0; e < a->nz; e++)
        for (psb_ipk c = 0; c < k; c++)
            y[(psb_epk)a->ia[e] * k + c] += alpha * (val[e] * x[(psb_epk)a->ja[e] * k + c]);
    return PSB_OK;
}

const struct X(coo_kernels) X(coo_kernels_fake) = { .add = coo_add };

/* y += alpha times the COO part. */
static psb_err add_coo_part(T alpha, struct X(hyb_mat) *a, psb_ipk k, const T *x, T *y)
{
    struct psb_dev_triplets t = { .nz = a->mat.nnz - a->ell.mat.nnz };
    if (t.nz == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&a->ia, PSB_DEV, &t.ia));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &t.ja));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &t.val));
    return PSB_KERNELS(X(coo_kernels), a->mat.on)->add(&t, k, alpha, x, y);
}

static psb_err hybg_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct X(hll_mat) *ell = &a->ell;
    struct psb_hll_dev d = {
        .nrows = a_->nrows,
        .nnz = ell->mat.nnz,
        .rows = ell->rows,
        .width = X(ell_width)(ell),
        .moved = psb_moved_of(a_->nrows, a_->ncols, sizeof(T), ell->ja.bytes + ell->val.bytes),
    };
    PSB_TRY(psb_dual_read(&ell->irn, PSB_DEV, &d.irn));
    PSB_TRY(psb_dual_read(&ell->ja, PSB_DEV, &d.ja));
    PSB_TRY(psb_dual_read(&ell->val, PSB_DEV, &d.val));
    PSB_TRY(PSB_KERNELS(X(hll_kernels), a_->on)->csmm(&d, k, alpha, x, beta, y));
    return add_coo_part(alpha, a, k, x, y);
}

static const struct X(mat_dev_ops) hybg_dev = {
    .device = psb_cuda_device,
    .csmm = hybg_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
};

static const struct X(mat_ops) hybg_ops = {
    .super = &X(hyb_mold).mat,
    .fmt = "HYBG",
    .size = sizeof(struct X(hyb_mat)),
    .dev = &hybg_dev,
};

const struct X(hyb_mat) X(hybg_mold) = { .mat.ops = &hybg_ops, .partition = PSB_HYB_AUTO, .limit = 8 };
