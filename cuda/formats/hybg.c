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

/* *t = the COO part on the device, for reading. */
static psb_err coo_part_on_device(struct X(hyb_mat) *a, struct psb_dev_triplets *t)
{
    t->nz = a->mat.nnz - a->ell.mat.nnz;
    PSB_TRY(psb_dual_read(&a->ia, PSB_DEV, &t->ia));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &t->ja));
    return psb_dual_read(&a->val, PSB_DEV, &t->val);
}

/* y += alpha times the COO part. */
static psb_err add_coo_part(T alpha, struct X(hyb_mat) *a, psb_ipk k, const T *x, T *y)
{
    struct psb_dev_triplets t;
    PSB_TRY(coo_part_on_device(a, &t));
    if (t.nz == 0)
        return PSB_OK;
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

/* --- conversions ---------------------------------------------------------------------------------------- */

/* *ell = the ELL part, ell_rows = its row pointers, which the caller frees. */
static psb_err open_ell_rows(struct X(hyb_mat) *a, struct psb_dev_compressed *ell, struct psb_dual *own,
                             struct psb_dev_compressed *ell_rows)
{
    const psb_epk m = a->mat.nrows;
    ell_rows->m = a->mat.nrows;
    PSB_TRY(X(hll_on_device)(&a->ell.mat, 0, ell));
    PSB_TRY(X(move_on_device)(own, a->mat.on, m + 1, sizeof *ell->off, NULL, "rows of ELL", &ell_rows->off));
    return PSB_KERNELS(X(hll_steps), a->mat.on)->row_lengths(ell, ell_rows);
}

static psb_err make_rest(struct X(hyb_mat) *a, struct X(csr_mat) *b)
{
    struct psb_dev_compressed from, ell, ell_rows;
    struct psb_new_triplets to;
    struct psb_dual own = { 0 };
    PSB_TRY(X(csr_on_device)(b, 0, &from));
    PSB_TRY(psb_dual_write(&a->ia, PSB_DEV, &to.ia));
    PSB_TRY(psb_dual_write(&a->ja, PSB_DEV, &to.ja));
    PSB_TRY(psb_dual_write(&a->val, PSB_DEV, &to.val));
    psb_err e = open_ell_rows(a, &ell, &own, &ell_rows);
    PSB_THEN(e, PSB_KERNELS(X(hll_steps), a->mat.on)->rest(&from, ell_rows.off, &to));
    psb_dual_free(&own);
    return e;
}

/* The host chooses the width by the row pointers. */
static psb_err hybg_from_csr(struct X(mat) *a_, struct X(csr_mat) *b)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    struct X(compressed) l = { .n = a_->nrows, .m = a_->ncols };
    psb_epk beyond;
    PSB_TRY(psb_dual_read(&b->irp, PSB_HOST, &l.ptr));
    PSB_TRY(X(hyb_lay_out)(a, &l, &beyond));
    PSB_TRY(X(hll_from_csr)(&a->ell, b, a->most));
    return make_rest(a, b);
}

static psb_err hybg_to_csr(struct X(mat) *a_, const struct psb_dev_compressed *rows)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    const struct X(hll_steps) *k = PSB_KERNELS(X(hll_steps), a_->on);
    struct psb_dev_compressed ell, ell_rows;
    struct psb_dev_triplets t;
    struct psb_dual own = { 0 };
    PSB_TRY(coo_part_on_device(a, &t));
    psb_err e = open_ell_rows(a, &ell, &own, &ell_rows);
    PSB_THEN(e, X(coo_steps_of)(a_->on)->row_begins(rows->m, t.nz, t.ia, rows->off));
    PSB_THEN(e, k->add_rest(&t, ell_rows.off, rows));
    PSB_THEN(e, k->to_csr(&ell, rows));
    psb_dual_free(&own);
    return e;
}

static void hybg_copy_sizes(struct X(mat) *a_, const struct X(mat) *b_)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    const struct X(hyb_mat) *b = (const struct X(hyb_mat) *)b_;
    a->most = b->most;
    X(hyb_set_ell)(a, b->ell.mat.nnz);
    a->ell.rows = b->ell.rows;
    a->ell.nhacks = b->ell.nhacks;
}

/* The larger part stands for both, whose values are valid on the same sides. */
static struct psb_dual *hybg_values(struct X(mat) *a_)
{
    struct X(hyb_mat) *a = (struct X(hyb_mat) *)a_;
    return a->val.bytes > a->ell.val.bytes ? &a->val : &a->ell.val;
}

static const struct X(conversions) hybg_conversions = {
    .from_csr = hybg_from_csr,
    .to_csr = hybg_to_csr,
    .copy_sizes = hybg_copy_sizes,
};

static const struct X(mat_dev_ops) hybg_dev = {
    .device = psb_cuda_device,
    .storage = &X(device_storage),
    .conversions = &hybg_conversions,
    .csmm = hybg_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = hybg_values,
};

static const struct X(mat_ops) hybg_ops = {
    .super = &X(hyb_mold).mat,
    .fmt = "HYBG",
    .size = sizeof(struct X(hyb_mat)),
    .dev = &hybg_dev,
};

const struct X(hyb_mat) X(hybg_mold) = { .mat.ops = &hybg_ops, .partition = PSB_HYB_AUTO, .limit = 8 };
