/* csrg.c -- room: cuda.  CSR, mirrored on the device: the plan, and products there. */
#include "psb_cuda.h"
#include "vendor.h"
#include "psb_type.h"

static void forget(struct X(csrg_mat) *a)
{
    psb_csr_plan_free(&a->plan);
    psb_dual_free(&a->part);
    a->part = (struct psb_dual){ 0 };
    psb_vendor_free(a->foreign);
    a->foreign = NULL;
}

static void clear(struct X(mat) *a)
{
    forget((struct X(csrg_mat) *)a);
    X(root_mold).ops->clear(a);
}

static size_t bytes(const struct X(mat) *a_)
{
    const struct X(csrg_mat) *a = (const struct X(csrg_mat) *)a_;
    return X(root_mold).ops->bytes(a_) + psb_csr_plan_bytes(&a->plan) + a->part.bytes;
}

/* Room for n scalars, the one there is if that will do. */
static psb_err make_room(struct psb_dual *part, size_t n, const struct psb_device *on, void *out)
{
    if (!part->dev || part->bytes < n * sizeof(T)) {
        psb_dual_free(part);
        PSB_TRY(psb_dual_init(part, n, sizeof(T), on, "CSRG parts of long rows"));
    }
    return psb_dual_write(part, PSB_DEV, out);
}

/* Row pointers come to the host, columns never: where they are not, the device looks at them. */
static psb_err make_plan(struct X(csrg_mat) *a)
{
    const struct X(mat) *m = &a->mat;
    const psb_epk *irp;
    const psb_ipk *ja = NULL;
    struct psb_dev_lines l;
    int scattered;
    PSB_TRY(psb_dual_read(&a->csr.irp, PSB_HOST, &irp));
    if (a->csr.ja.valid & PSB_HOST) {
        PSB_TRY(psb_dual_read(&a->csr.ja, PSB_HOST, &ja));
        return psb_csr_plan_make(&a->plan, m->nrows, irp, ja, m->on);
    }
    PSB_TRY(X(csr_there)(&a->csr, 0, &l));
    PSB_TRY(X(scattered_there)(m->on, &l, &scattered));
    PSB_TRY(psb_csr_plan_make(&a->plan, m->nrows, irp, NULL, m->on));
    a->plan.scattered = scattered;
    return PSB_OK;
}

static psb_err plan(struct X(csrg_mat) *a, psb_ipk k, struct psb_csr_dev *d)
{
    const struct X(mat) *m = &a->mat;
    if (a->plan.ntiles == 0 || a->planned_at != a->csr.irp.changes) {
        forget(a);
        PSB_TRY(make_plan(a));
        a->planned_at = a->csr.irp.changes;
    }
    if (a->plan.nparts > 0)
        PSB_TRY(make_room(&a->part, (size_t)a->plan.nparts * (size_t)k, m->on, &d->part));
    return psb_csr_plan_read(&a->plan, d);
}

/* cuSPARSE's own plan is made of the pattern, and dropped with it. */
static psb_err by_vendor(T alpha, struct X(csrg_mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    const struct X(mat) *m = &a->mat;
    struct psb_vendor_csr v = { .m = m->nrows, .n = m->ncols, .nnz = m->nnz };
    if (a->foreign && a->planned_at != a->csr.irp.changes)
        forget(a);
    PSB_TRY(psb_dual_read(&a->csr.irp, PSB_HOST, &v.irp));
    PSB_TRY(psb_dual_read(&a->csr.ja, PSB_DEV, &v.ja));
    PSB_TRY(psb_dual_read(&a->csr.val, PSB_DEV, &v.val));
    a->planned_at = a->csr.irp.changes;
    return m->on->X(kernels)->csr_vendor(&a->foreign, &v, k, alpha, x, beta, y);
}

static psb_err open_dev(struct X(csrg_mat) *a, psb_ipk k, struct psb_csr_dev *d)
{
    d->nnz = a->mat.nnz;
    PSB_TRY(plan(a, k, d));
    PSB_TRY(psb_dual_read(&a->csr.ja, PSB_DEV, &d->ja));
    return psb_dual_read(&a->csr.val, PSB_DEV, &d->val);
}

static psb_err csmm_dev(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(csrg_mat) *a = (struct X(csrg_mat) *)a_;
    struct psb_csr_dev d = { 0 };
    PSB_CHECK(a->vendor == 0 || a->vendor == 1, PSB_EARG,
              "the mold's vendor is %d; expected 0 (PSBC) or 1 (cuSPARSE)", a->vendor);
    if (a->vendor)
        return by_vendor(alpha, a, k, x, beta, y);
    PSB_TRY(open_dev(a, k, &d));
    return a_->on->X(kernels)->csr_csmm(&d, k, alpha, x, beta, y);
}

static psb_err fused_dev(T alpha, struct X(mat) *a, const T *x, T beta, T *y, const struct X(tail) *t,
                         double *sum)
{
    struct psb_csr_dev d = { 0 };
    double *partial;
    if (((struct X(csrg_mat) *)a)->vendor) {
        PSB_TRY(csmm_dev(alpha, a, 1, x, beta, y));
        return a->on->X(vec)->epilogue(a->nrows, y, t, sum);
    }
    PSB_TRY(open_dev((struct X(csrg_mat) *)a, 1, &d));
    PSB_TRY(X(tail_room)(t, a, d.ntiles + d.nsplit, &partial));
    return a->on->X(kernels)->csr_fused(&d, a->nrows, alpha, x, beta, y, t, partial, sum);
}

/* --- made there ----------------------------------------------------------------------------------------- */

static psb_err from_fmt(struct X(mat) *a, struct X(mat) *b)
{
    return X(convert_there)(a, b, NULL, X(csr_mold).mat.ops->from_fmt);
}

static psb_err host_take(struct X(mat) *a, struct X(mat) *b)
{
    return X(csr_mold).mat.ops->take(a, (struct X(coo_mat) *)b);
}

static psb_err take(struct X(mat) *a, struct X(coo_mat) *b)
{
    return X(convert_there)(a, &b->mat, NULL, host_take);
}

static psb_err assemble(struct X(mat) *a, const struct X(coo_mat) *b, enum psb_dupl dupl)
{
    return X(assemble_there)(a, b, dupl, NULL);
}

static psb_err copy(struct X(mat) *a, struct X(mat) *b)
{
    return X(is_there)(b) ? X(copy_there)(a, b) : X(csr_mold).mat.ops->copy(a, b);
}

static const struct X(mat_ops) ops = {
    .super = &X(csr_mold).mat,
    .fmt = "CSRG",
    .size = sizeof(struct X(csrg_mat)),
    .device = psb_cuda_device,
    .forecast = X(csrg_forecast),
    .clear = clear,
    .bytes = bytes,
    .take = take,
    .assemble = assemble,
    .from_fmt = from_fmt,
    .copy = copy,
    .get_diag = X(there_diag),
    .scale = X(there_scale),
    .zero_vals = X(there_zero),
    .csput = X(there_put),
    .csmm_dev = csmm_dev,
    .csmv_fused_dev = fused_dev,
    .turned = &X(csrg_mold).mat,
};

const struct X(csrg_mat) X(csrg_mold) = { .mat.ops = &ops };
