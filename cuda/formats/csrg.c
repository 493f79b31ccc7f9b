/* csrg.c -- cuda/formats: CSRG: CSR with a second copy on the device; the plan, and products on the
 * device. */
#include "gpu_formats.h"
#include "vendor.h"
#include "per_device.h"
#include "psb_type.h"

static void free_vendor_plan(struct X(csrg_mat) *a)
{
    psb_vendor_free(a->foreign);
    a->foreign = NULL;
}

static void csrg_clear(struct X(mat) *a)
{
    free_vendor_plan((struct X(csrg_mat) *)a);
    X(csrg_solve_free)((struct X(csrg_mat) *)a);
    X(tiled_free)(&((struct X(csrg_mat) *)a)->tiled);
}

static size_t csrg_bytes(const struct X(mat) *a)
{
    const struct X(csrg_mat) *g = (const struct X(csrg_mat) *)a;
    return X(tiled_bytes)(&g->tiled) + X(csrg_solve_bytes)(g);
}

/* The library's plan depends on the pattern, and is freed when it changes. */
static psb_err by_vendor(T alpha, struct X(csrg_mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    const struct X(mat) *m = &a->mat;
    struct psb_vendor_csr v = { .m = m->nrows, .n = m->ncols, .nnz = m->nnz };
    if (a->foreign && a->foreign_at != a->csr.irp.changes + a->csr.ja.changes)
        free_vendor_plan(a);
    PSB_TRY(psb_dual_read(&a->csr.irp, PSB_HOST, &v.irp));
    PSB_TRY(psb_dual_read(&a->csr.ja, PSB_DEV, &v.ja));
    PSB_TRY(psb_dual_read(&a->csr.val, PSB_DEV, &v.val));
    a->foreign_at = a->csr.irp.changes + a->csr.ja.changes;
    return PSB_KERNELS(X(csr_kernels), m->on)->vendor(&a->foreign, &v, k, alpha, x, beta, y);
}

psb_err X(csrg_open)(struct X(csrg_mat) *a, psb_ipk k, struct psb_csr_dev *d)
{
    const struct X(csr_arrays) s = {
        a->mat.nrows, a->mat.ncols, a->mat.nnz, a->mat.on, &a->csr.irp, &a->csr.ja, &a->csr.val,
    };
    return X(tiled_open)(&a->tiled, &s, k, d);
}

static psb_err csrg_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(csrg_mat) *a = (struct X(csrg_mat) *)a_;
    struct psb_csr_dev d = { 0 };
    PSB_CHECK(a->vendor == 0 || a->vendor == 1, PSB_EARG,
              "the mold's vendor is %d; expected 0 (PSBC) or 1 (cuSPARSE)", a->vendor);
    if (a->vendor)
        return by_vendor(alpha, a, k, x, beta, y);
    PSB_TRY(X(csrg_open)(a, k, &d));
    return PSB_KERNELS(X(csr_kernels), a_->on)->csmm(&d, k, alpha, x, beta, y);
}

static psb_err csrg_csmv_fused(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                               const struct X(vec_epilogue) *t, double *sum)
{
    struct psb_csr_dev d = { 0 };
    double *partial;
    if (((struct X(csrg_mat) *)a)->vendor) {
        PSB_TRY(csrg_csmm(alpha, a, 1, x, beta, y));
        return a->on->X(vec)->epilogue(a->nrows, y, t, sum);
    }
    PSB_TRY(X(csrg_open)((struct X(csrg_mat) *)a, 1, &d));
    PSB_TRY(X(epilogue_scratch)(t, a, d.ntiles + d.nsplit, &partial));
    return PSB_KERNELS(X(csr_kernels), a->on)->fused(&d, alpha, x, beta, y, t, partial, sum);
}

/* --- conversions ---------------------------------------------------------------------------------- */

static struct psb_dual *csrg_values(struct X(mat) *a)
{
    return &((struct X(csr_mat) *)a)->val;
}

static psb_err csrg_arrays_on_device(struct X(mat) *a, bool change, struct psb_dev_compressed *l)
{
    return X(csr_on_device)((struct X(csr_mat) *)a, change, l);
}

static const struct X(conversions) csrg_conversions = {
    .compressed = csrg_arrays_on_device,
    .entries = &X(compressed_values),
};

static const struct X(mat_dev_ops) csrg_dev = {
    .device = psb_cuda_device,
    .clear = csrg_clear,
    .bytes = csrg_bytes,
    .storage = &X(device_storage),
    .conversions = &csrg_conversions,
    .csmm = csrg_csmm,
    .csmv_fused = csrg_csmv_fused,
    .cssm = X(csrg_cssm_dev),
    .factor = X(csrg_factor_dev),
    .csmv_add = X(csrg_add_dev),
    .transposed = &X(csrg_mold).mat,
    .values = csrg_values,
};

static const struct X(mat_ops) csrg_ops = {
    .super = &X(csr_mold).mat,
    .fmt = "CSRG",
    .size = sizeof(struct X(csrg_mat)),
    .dev = &csrg_dev,
};

const struct X(csrg_mat) X(csrg_mold) = { .mat.ops = &csrg_ops };
