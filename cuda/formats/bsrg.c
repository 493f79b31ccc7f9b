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

/* --- conversions ---------------------------------------------------------------------------------------- */

/* The sizes of a. */
static struct psb_dev_bsr bsrg_shape(const struct X(bsr_mat) *a)
{
    return (struct psb_dev_bsr){ .m = a->mat.nrows,
                                 .n = a->n,
                                 .r = a->r,
                                 .c = a->c,
                                 .ranks = 1,
                                 .by_cols = a->by_cols,
                                 .full = a->full,
                                 .blocks = (psb_epk)(a->ja.bytes / sizeof(psb_ipk)) };
}

/* Copy the columns that the choice of a block size reads to the host; the caller frees l->idx. */
static psb_err fetch_sample(const struct X(bsr_mat) *a, struct X(csr_mat) *b, struct X(compressed) *l)
{
    const psb_ipk *ja;
    psb_ipk from, to;
    PSB_TRY(psb_dual_read(&b->irp, PSB_HOST, &l->ptr));
    if (a->block_rows || a->block_cols)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&b->ja, PSB_DEV, &ja));
    PSB_TRY(psb_alloc(&l->idx, (size_t)b->mat.nnz, sizeof *l->idx, "columns of a sample"));
    for (psb_epk k = 0; X(blocks_sampled)(l, k, &from, &to); k++) {
        const psb_epk at = l->ptr[from], n = l->ptr[to] - at;
        if (n > 0)
            PSB_TRY(psb_get(a->mat.on, l->idx + at, ja + at, (size_t)n * sizeof *ja, "columns of a sample"));
    }
    return PSB_OK;
}

static psb_err choose_blocks(struct X(bsr_mat) *a, struct X(csr_mat) *b)
{
    struct X(compressed) l = { .n = a->mat.nrows, .m = a->mat.ncols };
    psb_err e = fetch_sample(a, b, &l);
    PSB_THEN(e, X(blocks_choose)(a, &l));
    psb_free(l.idx);
    return e;
}

/* Fill p, an empty matrix in CSR, with an entry for each block of `to`, whose column is the key. */
static psb_err find_blocks(struct X(csr_mat) *p, const struct psb_dev_compressed *from, psb_epk nz,
                           struct psb_dev_bsr *to, struct X(sent) *t)
{
    const struct psb_device *on = p->mat.on;
    struct psb_dev_triplets e = { .nz = nz, .val = from->val };
    psb_epk found[PSB_FOUND] = { 0 };
    psb_ipk *ia, *ja;
    PSB_TRY(X(move_on_device)(&t->ia, on, nz, sizeof *ia, NULL, "block rows of entries", &ia));
    PSB_TRY(X(move_on_device)(&t->ja, on, nz, sizeof *ja, NULL, "block columns of entries", &ja));
    PSB_FIND(on, at, PSB_KERNELS(X(bsr_steps), on)->keys(from, to, ia, ja, at), found);
    if (found[0] > 1) {
        const psb_epk columns = p->mat.ncols * found[0];
        PSB_CHECK(columns <= INT32_MAX, PSB_ENOTIMPL, "keys of blocks that do not fit in 32 bits");
        to->ranks = (psb_ipk)found[0];
        p->mat.ncols = (psb_ipk)columns;
        PSB_FIND(on, at, PSB_KERNELS(X(bsr_steps), on)->keys(from, to, ia, ja, at), found);
    }
    e.ia = ia;
    e.ja = ja;
    return X(rows_of_entries)(p, e, 0, PSB_DUPL_OVERWRITE, &t->order, &t->place, &t->rows);
}

/* Fill the arrays of a, whose blocks are the entries of p. */
static psb_err fill_blocks(struct X(bsr_mat) *a, const struct psb_dev_compressed *from, struct X(csr_mat) *p,
                           psb_ipk ranks)
{
    struct psb_dev_compressed key;
    PSB_TRY(X(csr_on_device)(p, 0, &key));
    PSB_TRY(X(blocks_check)(a, p->mat.nnz, (double)p->mat.nnz));
    PSB_TRY(X(blocks_register)(a, p->mat.nnz));
    struct psb_dev_bsr to = bsrg_shape(a);
    to.ranks = ranks;
    PSB_TRY(psb_dual_write(&a->off, PSB_DEV, &to.off));
    PSB_TRY(psb_dual_write(&a->ja, PSB_DEV, &to.ja));
    PSB_TRY(psb_dual_write(&a->bits, PSB_DEV, &to.bits));
    PSB_TRY(psb_dual_write(&a->val, PSB_DEV, &to.val));
    PSB_TRY(X(coo_steps_of)(a->mat.on)->copy(to.off, key.off, a->off.bytes));
    return PSB_KERNELS(X(bsr_steps), a->mat.on)->fill(from, key.ja, &to);
}

/* The host chooses the size of blocks, by row pointers and a sample of the columns. */
static psb_err bsrg_from_csr(struct X(mat) *a_, struct X(csr_mat) *b)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    struct X(sent) t = { .ia = { 0 } };
    struct psb_dev_compressed from;
    struct X(mat) *p;
    if (a->padded)
        return PSB_ENOTIMPL;
    PSB_TRY(choose_blocks(a, b));
    PSB_TRY(X(csr_on_device)(b, 0, &from));
    struct psb_dev_bsr to = bsrg_shape(a);
    PSB_TRY(X(mat_new)(&X(csrg_mold).mat, a->n, a_->ncols / a->c + 1, 0, &p));
    psb_err e = X(sent_free)(&t, find_blocks((struct X(csr_mat) *)p, &from, a_->nnz, &to, &t));
    PSB_THEN(e, fill_blocks(a, &from, (struct X(csr_mat) *)p, to.ranks));
    X(mat_free)(p);
    return e;
}

static psb_err bsrg_to_csr(struct X(mat) *a_, const struct psb_dev_compressed *rows)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    struct psb_dev_bsr s = bsrg_shape(a);
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &s.off));
    PSB_TRY(psb_dual_read(&a->ja, PSB_DEV, &s.ja));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s.bits));
    PSB_TRY(psb_dual_read(&a->val, PSB_DEV, &s.val));
    PSB_TRY(PSB_KERNELS(X(bsr_steps), a_->on)->row_lengths(&s, rows));
    return PSB_KERNELS(X(bsr_steps), a_->on)->to_csr(&s, rows);
}

static void bsrg_copy_sizes(struct X(mat) *a_, const struct X(mat) *b_)
{
    struct X(bsr_mat) *a = (struct X(bsr_mat) *)a_;
    const struct X(bsr_mat) *b = (const struct X(bsr_mat) *)b_;
    a->r = b->r;
    a->c = b->c;
    a->n = b->n;
    a->full = b->full;
}

static struct psb_dual *bsrg_values(struct X(mat) *a)
{
    return &((struct X(bsr_mat) *)a)->val;
}

static const struct X(conversions) bsrg_conversions = {
    .from_csr = bsrg_from_csr,
    .to_csr = bsrg_to_csr,
    .copy_sizes = bsrg_copy_sizes,
};

static const struct X(mat_dev_ops) bsrg_dev = {
    .device = psb_cuda_device,
    .storage = &X(device_storage),
    .conversions = &bsrg_conversions,
    .clear = bsrg_clear,
    .bytes = bsrg_bytes,
    .csmm = bsrg_csmm,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = bsrg_values,
};

static const struct X(mat_ops) bsrg_ops = {
    .super = &X(bsr_mold).mat,
    .fmt = "BSRG",
    .size = sizeof(struct X(bsrg_mat)),
    .dev = &bsrg_dev,
};

const struct X(bsrg_mat) X(bsrg_mold) = { .bsr = { .mat.ops = &bsrg_ops, .by_cols = 1, .limit = 8 } };
