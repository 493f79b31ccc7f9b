/* hdiag.c -- cuda/formats: HDIAG: HDIA with a second copy on the device; the differences from HDIA. */
#include "gpu_formats.h"
#include "psb_hacks.h"
#include "per_device.h"
#include "psb_type.h"

static psb_err hdiag_open(struct X(hdia_mat) *a, struct psb_dev_diagonals *s)
{
    s->m = a->mat.nrows;
    s->n = a->mat.ncols;
    s->nhacks = a->nhacks;
    s->rows = a->rows;
    s->moved = psb_moved_of(s->m, s->n, sizeof(T), a->val.bytes);
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &s->off));
    PSB_TRY(psb_dual_read(&a->dist, PSB_DEV, &s->dist));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &s->bits));
    return psb_dual_read(&a->val, PSB_DEV, &s->val);
}

static psb_err hdiag_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y)
{
    struct psb_dev_diagonals s = { 0 };
    PSB_TRY(hdiag_open((struct X(hdia_mat) *)a, &s));
    return PSB_KERNELS(X(hdia_kernels), a->on)->csmm(&s, k, alpha, x, beta, y);
}

static psb_err hdiag_csmv_fused(T alpha, struct X(mat) *a, const T *x, T beta, T *y,
                                const struct X(vec_epilogue) *t, double *sum)
{
    struct psb_dev_diagonals s = { 0 };
    double *partial;
    PSB_TRY(hdiag_open((struct X(hdia_mat) *)a, &s));
    PSB_TRY(X(epilogue_scratch)(t, a, a->nrows / SUMMED_ROWS + 1, &partial));
    return PSB_KERNELS(X(hdia_kernels), a->on)->fused(&s, alpha, x, beta, y, t, partial, sum);
}

/* --- conversions ---------------------------------------------------------------------------------------- */

/* The sizes of a. */
static struct psb_dev_hdia shape(const struct X(hdia_mat) *a)
{
    return (struct psb_dev_hdia){ .m = a->mat.nrows,
                                  .n = a->mat.ncols,
                                  .nhacks = a->nhacks,
                                  .rows = a->rows,
                                  .words = (a->rows + 63) / 64,
                                  .diagonals = (psb_epk)(a->dist.bytes / sizeof(psb_ipk)) };
}

static psb_err hdiag_arrays_on_device(struct X(hdia_mat) *a, bool change, struct psb_dev_hdia *d)
{
    *d = shape(a);
    PSB_TRY(psb_dual_read(&a->off, PSB_DEV, &d->off));
    PSB_TRY(psb_dual_read(&a->dist, PSB_DEV, &d->dist));
    PSB_TRY(psb_dual_read(&a->bits, PSB_DEV, &d->bits));
    if (change) {
        PSB_TRY(psb_dual_update(&a->zeros, PSB_DEV, &d->zeros));
        PSB_TRY(psb_dual_update(&a->gaps, PSB_DEV, &d->gaps));
    }
    return X(values_on_device)(&a->val, change, &d->val);
}

/* Device arrays for collecting diagonals. */
struct collecting {
    struct psb_dual place, key;
};

/* Set place (see the step `count`) and the sizes of keys. */
static psb_err count(struct X(hdia_mat) *a, const struct psb_dev_compressed *from,
                     const struct psb_dev_hdia *to, psb_epk *place, struct psb_hdia_keys *keys)
{
    const struct psb_device *on = a->mat.on;
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_FIND(on, at, PSB_KERNELS(X(hdia_steps), on)->count(from, to, place, at), found);
    keys->n = found[0];
    keys->dist_bits = psb_bits_of((psb_epk)a->mat.nrows + a->mat.ncols);
    keys->rank_bits = psb_bits_of(found[1] - 1);
    PSB_CHECK(keys->dist_bits + keys->rank_bits + psb_bits_of(a->nhacks) <= 64, PSB_ENOTIMPL,
              "diagonals that do not fit in 64 bits");
    return PSB_OK;
}

/* Collect the diagonals of all hacks of a, whose sizes are set. */
static psb_err collect(struct X(hdia_mat) *a, const struct psb_dev_compressed *from, struct psb_dev_hdia *to,
                       struct collecting *t)
{
    const struct psb_device *on = a->mat.on;
    struct psb_hdia_keys keys = { 0 };
    psb_epk *place, found[PSB_FOUND] = { 0 };
    PSB_TRY(X(move_on_device)(&t->place, on, (psb_epk)a->mat.nrows + 1, sizeof *place, NULL,
                              "diagonals of rows", &place));
    PSB_TRY(count(a, from, to, place, &keys));
    PSB_TRY(X(move_on_device)(&t->key, on, keys.n, sizeof *keys.key, NULL, "diagonals", &keys.key));
    PSB_FIND(on, at, PSB_KERNELS(X(hdia_steps), on)->collect(from, to, place, &keys, at), found);
    keys.n = to->diagonals = found[0];
    PSB_TRY(X(hdia_check)(a, keys.n));
    PSB_TRY(X(hdia_register)(a, keys.n));
    PSB_TRY(psb_dual_write(&a->off, PSB_DEV, &to->off));
    PSB_TRY(psb_dual_write(&a->dist, PSB_DEV, &to->dist));
    return PSB_KERNELS(X(hdia_steps), on)->list(&keys, to);
}

static psb_err hdiag_from_csr(struct X(mat) *a_, struct X(csr_mat) *b)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    struct psb_dev_compressed from;
    struct collecting t = { .place = { 0 } };
    struct psb_hacks g;
    PSB_TRY(X(hdia_lay_out)(a, &g));
    PSB_TRY(X(csr_on_device)(b, 0, &from));
    struct psb_dev_hdia to = shape(a);
    psb_err e = collect(a, &from, &to, &t);
    psb_dual_free(&t.place);
    psb_dual_free(&t.key);
    PSB_TRY(e);
    PSB_TRY(psb_dual_write(&a->zeros, PSB_DEV, &to.zeros));
    PSB_TRY(psb_dual_write(&a->gaps, PSB_DEV, &to.gaps));
    PSB_TRY(psb_dual_write(&a->bits, PSB_DEV, &to.bits));
    PSB_TRY(psb_dual_write(&a->val, PSB_DEV, &to.val));
    return PSB_KERNELS(X(hdia_steps), a_->on)->fill(&from, &to);
}

static psb_err hdiag_to_csr(struct X(mat) *a, const struct psb_dev_compressed *rows)
{
    struct psb_dev_hdia d;
    PSB_TRY(hdiag_arrays_on_device((struct X(hdia_mat) *)a, 0, &d));
    PSB_TRY(PSB_KERNELS(X(hdia_steps), a->on)->row_lengths(&d, rows));
    return PSB_KERNELS(X(hdia_steps), a->on)->to_csr(&d, rows);
}

static void hdiag_copy_sizes(struct X(mat) *a_, const struct X(mat) *b_)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    const struct X(hdia_mat) *b = (const struct X(hdia_mat) *)b_;
    a->rows = b->rows;
    a->nhacks = b->nhacks;
}

static struct psb_dual *hdiag_values(struct X(mat) *a)
{
    return &((struct X(hdia_mat) *)a)->val;
}

static psb_err hdiag_find(struct X(mat) *a, const struct psb_find *q)
{
    struct psb_dev_hdia l;
    PSB_TRY(hdiag_arrays_on_device((struct X(hdia_mat) *)a, 0, &l));
    return PSB_KERNELS(X(hdia_steps), a->on)->find(&l, q);
}

static psb_err hdiag_put(struct X(mat) *a, const struct psb_placed *q)
{
    struct psb_dev_hdia l;
    PSB_TRY(hdiag_arrays_on_device((struct X(hdia_mat) *)a, 1, &l));
    return PSB_KERNELS(X(hdia_steps), a->on)->put(&l, q);
}

static psb_err hdiag_diagonal(struct X(mat) *a, const struct psb_diagonal *q)
{
    struct psb_dev_hdia l;
    PSB_TRY(hdiag_arrays_on_device((struct X(hdia_mat) *)a, 0, &l));
    return PSB_KERNELS(X(hdia_steps), a->on)->diagonal(&l, q);
}

static psb_err hdiag_scale(struct X(mat) *a, const struct psb_factors *q)
{
    struct psb_dev_hdia l;
    PSB_TRY(hdiag_arrays_on_device((struct X(hdia_mat) *)a, 1, &l));
    return PSB_KERNELS(X(hdia_steps), a->on)->scale(&l, q);
}

static psb_err hdiag_zero(struct X(mat) *a)
{
    struct psb_dev_hdia l;
    PSB_TRY(hdiag_arrays_on_device((struct X(hdia_mat) *)a, 1, &l));
    return PSB_KERNELS(X(hdia_steps), a->on)->zero(&l, hdiag_values(a)->bytes);
}

static const struct X(dev_values) hdiag_entries = {
    .find = hdiag_find,
    .put = hdiag_put,
    .diagonal = hdiag_diagonal,
    .scale = hdiag_scale,
    .zero = hdiag_zero,
};

static const struct X(conversions) hdiag_conversions = {
    .from_csr = hdiag_from_csr,
    .to_csr = hdiag_to_csr,
    .copy_sizes = hdiag_copy_sizes,
    .entries = &hdiag_entries,
};

static const struct X(mat_dev_ops) hdiag_dev = {
    .device = psb_cuda_device,
    .storage = &X(device_storage),
    .conversions = &hdiag_conversions,
    .csmm = hdiag_csmm,
    .csmv_fused = hdiag_csmv_fused,
    .transposed = &X(csrg_mold).mat,
    .solver = &X(csrg_mold).mat,
    .values = hdiag_values,
};

static const struct X(mat_ops) hdiag_ops = {
    .super = &X(hdia_mold).mat,
    .fmt = "HDIAG",
    .size = sizeof(struct X(hdia_mat)),
    .dev = &hdiag_dev,
};

const struct X(hdia_mat) X(hdiag_mold) = { .mat.ops = &hdiag_ops, .hack = 128, .limit = 8 };
