/* bsrg.c -- cuda/formats: BSRG: BSR with a second copy on the device; the differences from BSR. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

static void bsrg_clear(struct X(mat) *a)
{
    X(tiled_free)(&((struct X(bsrg_mat) *)a)->tiled);
}

static size_t bsrg_bytes(const struct X(mat) *a)
{
    return X(tiled_bytes)(&((const struct X(bsrg_mat) *)a)->tiled);
}

static psb_err by_rows(T alpha, struct X(bsrg_mat) *b, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(bsr_mat) *a = &b->bsr;
    const struct X(csr_arrays) s = {
        a->mat.nrows, a->mat.ncols, a->mat.nnz, a->mat.on, &a->off, &a->ja, &a->val,
    };
    struct psb_csr_dev d = { 0 };
    PSB_TRY(X(tiled_open)(&b->tiled, &s, k, &d));
    return PSB_KERNELS(X(csr_kernels), a->mat.on)->csmm(&d, k, alpha, x, beta, y);
}

static psb_err by_blocks(T alpha, struct X(bsr_mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_dev_blocks s = { .m = a->mat.nrows,
                                .n = a->mat.ncols,
                                .h = a->n,
                                .r = a->r,
                                .c = a->c,
                                .by_cols = a->by_cols,
                                .full = a->full,
                                .blocks = (psb_epk)(a->ja.bytes / sizeof(psb_ipk)),
                                .moved = psb_moved_of(a->mat.nrows, a->mat.ncols, sizeof(T),
                                                      a->ja.bytes + a->val.bytes) };
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &s.off));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &s.ja));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s.bits));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &s.val));
    return PSB_KERNELS(X(bsr_kernels), a->mat.on)->csmm(&s, k, alpha, x, beta, y);
}

static psb_err bsrg_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y)
{
    struct X(bsrg_mat) *a = (struct X(bsrg_mat) *)a_;
    if (a->bsr.r == 1 && a->bsr.c == 1 && !a->bsr.padded)
        return by_rows(alpha, a, k, x, beta, y);
    return by_blocks(alpha, &a->bsr, k, x, beta, y);
}

static const struct X(mat_dev_ops) bsrg_dev = {
    .device = psb_cuda_device,
    .clear = bsrg_clear,
    .bytes = bsrg_bytes,
    .csmm = bsrg_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
};

static const struct X(mat_ops) bsrg_ops = {
    .super = &X(bsr_mold).mat,
    .fmt = "BSRG",
    .size = sizeof(struct X(bsrg_mat)),
    .dev = &bsrg_dev,
};

const struct X(bsrg_mat) X(bsrg_mold) = { .bsr = { .mat.ops = &bsrg_ops, .by_cols = 1, .limit = 8 } };
