/* hlg.c -- room: cuda/formats.  HLL, mirrored on the device: only what differs from HLL. */
#include "gpu_formats.h"
#include "locality.h"
#include "per_device.h"
#include "psb_type.h"

static const struct X(hll_kernels) *const kernels[PSB_DEVICE_KINDS] = PSB_PER_DEVICE(hll_kernels);

/* Rows are taken as they are stored: those of a warp. */
static psb_err look(struct X(hll_mat) *a, psb_ipk *scattered)
{
    struct psb_locality l = { 0 };
    const psb_epk *off;
    const psb_ipk *irn, *ja;
    PSB_TRY(psb_dual_read(&a->off, PSB_HOST, &off));
    PSB_TRY(psb_dual_read(&a->irn, PSB_HOST, &irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &ja));
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_ipk from = psb_group(a->mat.nrows, g);
        for (psb_ipk i = from; i < a->mat.nrows && i - from < PSB_GROUP_ROWS; i++)
            psb_locality_row(&l, irn[i], a->rows, ja + off[i / a->rows] + i % a->rows);
        psb_locality_group(&l);
    }
    *scattered = psb_scattered_over(&l);
    return PSB_OK;
}

/* The same where columns lie on the device alone. */
static psb_err look_on_device(struct X(hll_mat) *a, psb_ipk *scattered)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(hll_on_device)(a, 0, &l));
    return X(scattered_on_device)(a->mat.on, &l, scattered);
}

/* How many places there are for an entry. */
static double padding(const struct X(hll_mat) *a)
{
    return (double)(a->ja.bytes / sizeof(psb_ipk)) / (double)(a->mat.nnz > 0 ? a->mat.nnz : 1);
}

static psb_err open_dev(struct X(hll_mat) *a, struct psb_hll_dev *d)
{
    d->nrows = a->mat.nrows;
    d->rows = a->rows;
    if (a->nhacks > 1)
        PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &d->off));
    if (a->row.bytes > 0)
        PSB_TRY(psb_dual_read(&a->row, PSB_DEV, &d->row));
    PSB_TRY(psb_dual_read(&a->irn, PSB_DEV, &d->irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &d->ja));
    return psb_dual_read(&a->val, PSB_DEV, &d->val);
}

static psb_err open_all(struct X(hlg_mat) *a, struct psb_hll_dev *d)
{
    if (a->seen_at != a->hll.ja.changes)
        PSB_TRY((a->hll.ja.valid & PSB_HOST ? look : look_on_device)(&a->hll, &a->scattered));
    a->seen_at = a->hll.ja.changes;
    d->scattered = psb_hll_is_even(padding(&a->hll)) ? a->scattered : 0;
    d->nnz = a->hll.mat.nnz;
    d->ragged = psb_hll_is_ragged(padding(&a->hll));
    return open_dev(&a->hll, d);
}

psb_err X(hlg_csmm_dev)(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_hll_dev d = { 0 };
    PSB_TRY(open_all((struct X(hlg_mat) *)a_, &d));
    return kernels[a_->on->kind]->csmm(&d, k, alpha, x, beta, y);
}

psb_err X(hlg_fused_dev)(T alpha, struct X(mat) *a_, const T *x, T beta, T *y, const struct X(tail) *t,
                         double *sum)
{
    struct psb_hll_dev d = { 0 };
    double *partial;
    PSB_TRY(open_all((struct X(hlg_mat) *)a_, &d));
    PSB_TRY(X(tail_room)(t, a_, a_->nrows / PSB_SUMMED_ROWS + 1, &partial));
    return kernels[a_->on->kind]->fused(&d, alpha, x, beta, y, t, partial, sum);
}

static const struct X(mat_ops) ops = {
    .super = &X(hll_mold).mat,
    .fmt = "HLG",
    .size = sizeof(struct X(hlg_mat)),
    .device = psb_cuda_device,
    .forecast = X(hlg_forecast),
    .move_from_coo = X(hlg_take),
    .assemble = X(hlg_assemble),
    .from_fmt = X(hlg_from_fmt),
    .copy = X(hlg_copy),
    .get_diag = X(device_diag),
    .scale = X(device_scale),
    .zero_vals = X(device_zero),
    .csput = X(device_put),
    .csmm_dev = X(hlg_csmm_dev),
    .csmv_fused_dev = X(hlg_fused_dev),
    .transposed = &X(csrg_mold).mat,
};

const struct X(hlg_mat) X(hlg_mold) = { .hll = { .mat.ops = &ops, .hack = 32, .limit = 8 } };
