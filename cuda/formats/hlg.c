/* hlg.c -- cuda/formats: HLG: HLL with a second copy on the device; the differences from HLL. */
#include "gpu_formats.h"
#include "psb_hacks.h"
#include "locality.h"
#include "per_device.h"
#include "psb_type.h"

psb_err X(hll_on_device)(struct X(mat) *a_, bool change, struct psb_dev_compressed *l)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    *l = (struct psb_dev_compressed){ .m = a->mat.nrows, .nhacks = a->nhacks, .rows = a->rows };
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &l->off));
    PSB_TRY(psb_dual_read(&a->irn, PSB_DEV, &l->irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &l->ja));
    if (a->row.bytes > 0) {
        PSB_TRY(psb_dual_read(&a->row, PSB_DEV, &l->row));
        PSB_TRY(psb_dual_read(&a->rank, PSB_DEV, &l->rank));
    }
    return X(values_on_device)(&a->val, change, &l->val);
}

/* Rows are examined in storage order, as warps process them. */
static psb_err find_locality(struct X(hll_mat) *a, psb_ipk *scattered)
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
    *scattered = psb_reading_over(&l).scattered;
    return PSB_OK;
}

/* The same if columns are valid on the device only. */
static psb_err find_locality_on_device(struct X(hll_mat) *a, psb_ipk *scattered)
{
    struct psb_dev_compressed l;
    struct psb_reading x;
    PSB_TRY(X(hll_on_device)(&a->mat, 0, &l));
    PSB_TRY(X(reading_on_device)(a->mat.on, &l, &x));
    *scattered = x.scattered;
    return PSB_OK;
}

/* Stored elements per entry. */
static double padding(const struct X(hll_mat) *a)
{
    return (double)(a->ja.bytes / sizeof(psb_ipk)) / (double)(a->mat.nnz > 0 ? a->mat.nnz : 1);
}

static psb_err hlg_open(struct X(hll_mat) *a, struct psb_hll_dev *d)
{
    d->nrows = a->mat.nrows;
    d->rows = a->rows;
    d->width = X(ell_width)(a);
    d->moved = psb_moved_of(a->mat.nrows, a->mat.ncols, sizeof(T), a->ja.bytes + a->val.bytes);
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
        PSB_TRY(
            (a->hll.ja.valid & PSB_HOST ? find_locality : find_locality_on_device)(&a->hll, &a->scattered));
    a->seen_at = a->hll.ja.changes;
    d->scattered = padding(&a->hll) <= HLL_EVEN ? a->scattered : 0;
    d->nnz = a->hll.mat.nnz;
    d->ragged = padding(&a->hll) > HLL_RAGGED;
    return hlg_open(&a->hll, d);
}

static psb_err hlg_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_hll_dev d = { 0 };
    PSB_TRY(open_all((struct X(hlg_mat) *)a_, &d));
    return PSB_KERNELS(X(hll_kernels), a_->on)->csmm(&d, k, alpha, x, beta, y);
}

static psb_err hlg_csmv_fused(T alpha, struct X(mat) *a_, const T *x, T beta, T *y,
                              const struct X(vec_epilogue) *t, double *sum)
{
    struct psb_hll_dev d = { 0 };
    double *partial;
    PSB_TRY(open_all((struct X(hlg_mat) *)a_, &d));
    PSB_TRY(X(epilogue_scratch)(t, a_, a_->nrows / SUMMED_ROWS + 1, &partial));
    return PSB_KERNELS(X(hll_kernels), a_->on)->fused(&d, alpha, x, beta, y, t, partial, sum);
}

/* --- conversions ---------------------------------------------------------------------------------------- */

/* Measure the hacks of a, with at most `most` entries of the rows of b, and allocate their entries. */
static psb_err measure(struct X(hll_mat) *a, const struct psb_dev_compressed *from, psb_ipk most,
                       const struct psb_dev_compressed *to, psb_epk *widest)
{
    const struct psb_device *on = a->mat.on;
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, PSB_KERNELS(X(hll_steps), on)->measure(from, most, to, at), found);
    PSB_TRY(X(hll_check)(a, found[0], found[1]));
    *widest = found[1];
    return X(hll_register)(a, found[0]);
}

psb_err X(hll_from_csr)(struct X(hll_mat) *a, struct X(csr_mat) *b, psb_ipk most)
{
    const struct X(hll_steps) *k = PSB_KERNELS(X(hll_steps), a->mat.on);
    struct psb_dev_compressed from = { .m = a->mat.nrows }, to;
    struct psb_hacks g;
    psb_epk widest;
    PSB_TRY(X(hll_lay_out)(a, &g));
    to = (struct psb_dev_compressed){ .m = g.m, .nhacks = g.n, .rows = g.rows };
    PSB_TRY(psb_dual_read(&b->irp, PSB_DEV, &from.off));
    PSB_TRY(psb_dual_write(&a->off, PSB_DEV, &to.off));
    PSB_TRY(psb_dual_write(&a->irn, PSB_DEV, &to.irn));
    if (a->row.bytes > 0) {
        PSB_TRY(psb_dual_write(&a->row, PSB_DEV, &to.row));
        PSB_TRY(psb_dual_write(&a->rank, PSB_DEV, &to.rank));
        PSB_TRY(k->ranks(&from, a->sort, &to));
    }
    PSB_TRY(measure(a, &from, most, &to, &widest));
    PSB_TRY(X(csr_on_device)(b, 0, &from));
    PSB_TRY(psb_dual_write(&a->ja, PSB_DEV, &to.ja));
    PSB_TRY(psb_dual_write(&a->val, PSB_DEV, &to.val));
    return k->fill(&from, widest, &to);
}

static psb_err hlg_from_csr(struct X(mat) *a, struct X(csr_mat) *b)
{
    return X(hll_from_csr)((struct X(hll_mat) *)a, b, INT32_MAX);
}

psb_err X(hll_to_csr)(struct X(mat) *a, const struct psb_dev_compressed *rows)
{
    struct psb_dev_compressed l;
    PSB_TRY(X(hll_on_device)(a, 0, &l));
    PSB_TRY(PSB_KERNELS(X(hll_steps), a->on)->row_lengths(&l, rows));
    return PSB_KERNELS(X(hll_steps), a->on)->to_csr(&l, rows);
}

void X(hll_copy_sizes)(struct X(mat) *a_, const struct X(mat) *b_)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    const struct X(hll_mat) *b = (const struct X(hll_mat) *)b_;
    a->rows = b->rows;
    a->nhacks = b->nhacks;
}

struct psb_dual *X(hll_values)(struct X(mat) *a)
{
    return &((struct X(hll_mat) *)a)->val;
}

static const struct X(conversions) hlg_conversions = {
    .from_csr = hlg_from_csr,
    .to_csr = X(hll_to_csr),
    .copy_sizes = X(hll_copy_sizes),
    .compressed = X(hll_on_device),
    .entries = &X(compressed_values),
};

static const struct X(mat_dev_ops) hlg_dev = {
    .device = psb_cuda_device,
    .storage = &X(device_storage),
    .conversions = &hlg_conversions,
    .csmm = hlg_csmm,
    .csmv_fused = hlg_csmv_fused,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = X(hll_values),
};

static const struct X(mat_ops) hlg_ops = {
    .super = &X(hll_mold).mat,
    .fmt = "HLG",
    .size = sizeof(struct X(hlg_mat)),
    .dev = &hlg_dev,
};

const struct X(hlg_mat) X(hlg_mold) = { .hll = { .mat.ops = &hlg_ops, .hack = 32, .limit = 8 } };
