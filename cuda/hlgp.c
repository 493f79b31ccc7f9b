/* hlgp.c -- room: cuda.  HLL on the device, columns packed, values in single precision if so asked. */
#include "psb_cuda.h"
#include "hacks.h"
#include "psb_type.h"

enum { WARP = 32 };

static psb_err check_mold(const struct X(hlgp_mat) *a)
{
    PSB_CHECK(a->hll.hack > 0 && a->hll.hack % WARP == 0, PSB_EARG,
              "the mold's hack is %d; expected a multiple of %d", a->hll.hack, WARP);
    PSB_CHECK(a->hll.sort <= 1, PSB_EARG, "the mold's sort is %d; expected 0 or 1", a->hll.sort);
    PSB_CHECK(a->narrow == 0 || a->narrow == 1, PSB_EARG, "the mold's narrow is %d; expected 0 or 1",
              a->narrow);
    return PSB_OK;
}

static psb_err build(struct X(mat) *a, const struct X(lines) *rows)
{
    PSB_TRY(check_mold((const struct X(hlgp_mat) *)a));
    return X(hll_mold).mat.ops->build(a, rows);
}

static void clear(struct X(mat) *a_)
{
    struct X(hlgp_mat) *a = (struct X(hlgp_mat) *)a_;
    psb_packed_free(&a->packed);
    psb_dual_free(&a->val);
    X(root_mold).ops->clear(a_);
}

/* --- what the device has beside HLL's arrays ------------------------------------------------------------ */

static psb_err pack(struct X(hlgp_mat) *a)
{
    struct psb_hacks g = { .m = a->mat.nrows, .n = a->hll.nhacks, .rows = a->hll.rows };
    const psb_ipk *irn, *ja;
    PSB_TRY(psb_dual_read(&a->hll.off, PSB_HOST, &g.off));
    PSB_TRY(psb_dual_read(&a->hll.irn, PSB_HOST, &irn));
    PSB_TRY(psb_dual_read(&a->hll.ja, PSB_HOST, &ja));
    psb_packed_free(&a->packed);
    PSB_TRY(psb_pack(&g, irn, ja, a->mat.on, &a->packed));
    a->packed_at = a->hll.ja.changes;
    return PSB_OK;
}

static psb_err make_narrow(struct X(hlgp_mat) *a)
{
    const T *from;
    X(narrow) *to;
    const psb_epk n = (psb_epk)(a->hll.val.bytes / sizeof *from);
    PSB_TRY(psb_dual_read(&a->hll.val, PSB_HOST, &from));
    psb_dual_free(&a->val);
    PSB_TRY(psb_dual_init(&a->val, (size_t)n, sizeof *to, a->mat.on, "values in single precision"));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &to));
    for (psb_epk i = 0; i < n; i++)
        to[i] = (X(narrow))from[i];
    a->narrow_at = a->hll.val.changes;
    return PSB_OK;
}

static int is_narrow(const struct X(hlgp_mat) *a)
{
    return a->narrow && sizeof(T) > sizeof(X(narrow));
}

static psb_err make(struct X(hlgp_mat) *a)
{
    if (a->packed_at != a->hll.ja.changes)
        PSB_TRY(pack(a));
    return is_narrow(a) && a->narrow_at != a->hll.val.changes ? make_narrow(a) : PSB_OK;
}

static psb_err csmm_dev(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(hlgp_mat) *a = (struct X(hlgp_mat) *)a_;
    struct psb_hll_dev d = { .nrows = a_->nrows, .rows = a->hll.rows, .narrow = is_narrow(a) };
    PSB_TRY(make(a));
    PSB_TRY(psb_dual_read(&a->hll.off, PSB_DEV, &d.off));
    PSB_TRY(psb_dual_read(&a->hll.irn, PSB_DEV, &d.irn));
    PSB_TRY(psb_dual_read(&a->packed.start, PSB_DEV, &d.start));
    PSB_TRY(psb_dual_read(&a->packed.slot, PSB_DEV, &d.slot));
    PSB_TRY(psb_dual_read(&a->packed.bytes, PSB_DEV, &d.bytes));
    PSB_TRY(psb_dual_read(d.narrow ? &a->val : &a->hll.val, PSB_DEV, &d.val));
    return a_->on->X(kernels)->hll_csmm(&d, k, alpha, x, beta, y);
}

static const struct X(mat_ops) ops = {
    .super = &X(hll_mold).mat,
    .fmt = "HLGP",
    .size = sizeof(struct X(hlgp_mat)),
    .device = psb_cuda_device,
    .clear = clear,
    .build = build,
    .csmm_dev = csmm_dev,
    .turned = &X(csrg_mold).mat,
};

const struct X(hlgp_mat) X(hlgp_mold) = { .hll = { .mat.ops = &ops, .hack = 32, .limit = 8 } };
