/* csrg_factor.c -- cuda/formats: CSRG: incomplete factors on the device. */
#include "gpu_formats.h"
#include "per_device.h"
#include "psb_type.h"

/* Device memory of a factorisation: rows that are long, and the values that sweeps read. */
struct work {
    struct psb_dual found, row, row_ja, known, known_inv;
};

/* --- arguments ------------------------------------------------------------------------------------------ */

static psb_err open_pattern(struct X(mat) *a, const psb_epk **irp, const psb_ipk **ja)
{
    PSB_TRY(psb_dual_read(&((struct X(csr_mat) *)a)->irp, PSB_DEV, irp));
    return psb_dual_read(&((struct X(csr_mat) *)a)->ja, PSB_DEV, ja);
}

static psb_err open_patterns(struct X(mat) *a, const struct X(dev_ldu) *f, struct psb_dev_ldu *d)
{
    PSB_TRY(open_pattern(a, &d->a_irp, &d->a_ja));
    PSB_TRY(psb_dual_read(&((struct X(csr_mat) *)a)->val, PSB_DEV, &d->a_val));
    PSB_TRY(open_pattern(f->l, &d->l_irp, &d->l_ja));
    return f->u ? open_pattern(f->u, &d->u_irp, &d->u_ja) : PSB_OK;
}

static psb_err open_values(const struct X(dev_ldu) *f, struct psb_dev_ldu *d)
{
    PSB_TRY(psb_dual_write(f->l_val, PSB_DEV, &d->l));
    if (f->u)
        PSB_TRY(psb_dual_write(f->u_val, PSB_DEV, &d->u));
    return psb_dual_write(f->inv, PSB_DEV, &d->inv);
}

/* Lanes for a row: they look at a row of U, or of L for Cholesky, and its pivot at once.  A block of threads
 * makes a row of ILU alone if rows of U are long.  A row that is much longer than others has more lanes, the
 * more the fewer rows there are. */
static int lanes_for(const struct X(mat) *read, bool cholesky, psb_epk longest)
{
    const int most = cholesky ? 32 : LDU_MOST_LANES;
    const psb_epk mean = (read->nnz + read->nrows - 1) / read->nrows + 1;
    const psb_epk want = psb_ldu_choice.lanes ? psb_ldu_choice.lanes : mean;
    int lanes = 4;
    while (lanes < most && lanes < want)
        lanes *= 2;
    while (lanes < 32 && !psb_ldu_choice.lanes &&
           lanes * lanes * (double)read->nrows < LDU_RAGGED * (double)longest)
        lanes *= 2;
    return lanes;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* The numbers that a step finds. */
static psb_err run_factor_step(const struct psb_device *on, psb_err (*step)(const struct psb_dev_ldu *),
                               const struct psb_dev_ldu *d, psb_epk *found)
{
    PSB_TRY(step(d));
    return psb_get(on, found, d->found, PSB_FOUND * sizeof *found, "results of factors");
}

/* Zeros that the first sweep reads, in `memory` or in the values of the factors: `sweeps` writes to both in
 * turns, and to those of the factors last. */
static psb_err sweep(const struct psb_device *on, const struct X(dev_ldu) *f, struct psb_dev_ldu d,
                     struct work *w, psb_epk *found)
{
    void *other, *other_inv, *own = d.cholesky ? d.l : d.u, *own_inv = d.inv;
    const size_t bytes = d.cholesky ? f->l_val->bytes : f->u_val->bytes;
    const size_t of_inv = (size_t)d.n * sizeof(T);
    PSB_TRY(X(move_on_device)(&w->known, on, (psb_epk)bytes, 1, NULL, "values of a sweep", &other));
    PSB_TRY(X(move_on_device)(&w->known_inv, on, (psb_epk)of_inv, 1, NULL, "pivots of a sweep", &other_inv));
    PSB_TRY(PSB_KERNELS(X(ldu_kernels), on)->zero(bytes, f->sweeps % 2 ? other : own));
    PSB_TRY(PSB_KERNELS(X(ldu_kernels), on)->zero(of_inv, f->sweeps % 2 ? other_inv : own_inv));
    for (int left = f->sweeps - 1; left >= 0; left--) {
        void *to = left % 2 ? other : own;
        *(d.cholesky ? &d.l : &d.u) = to;
        d.inv = left % 2 ? other_inv : own_inv;
        d.known = left % 2 ? own : other;
        d.known_inv = left % 2 ? own_inv : other_inv;
        PSB_TRY(left ? PSB_KERNELS(X(ldu_kernels), on)->values(&d)
                     : run_factor_step(on, PSB_KERNELS(X(ldu_kernels), on)->values, &d, found));
    }
    return PSB_OK;
}

/* Memory for the rows that do not fit in that of the lanes. */
static psb_err open_long_rows(const struct X(mat) *a, const struct X(dev_ldu) *f, struct psb_dev_ldu *d,
                              struct work *w)
{
    const psb_epk all = f->l->nnz + (f->u ? f->u->nnz : 0) + d->n;
    PSB_TRY(X(move_on_device)(&w->row, a->on, all, sizeof(T), NULL, "long rows of factors", &d->row));
    return X(move_on_device)(&w->row_ja, a->on, all, sizeof(psb_ipk), NULL, "long rows of factors",
                             &d->row_ja);
}

/* The pattern is compared before values are written. */
static psb_err factor(struct X(mat) *a, struct X(dev_ldu) *f, struct work *w)
{
    const struct psb_device *on = a->on;
    const struct X(mat) *read = f->u ? f->u : f->l;
    struct psb_dev_ldu d = { .n = a->nrows, .nnz = read->nnz, .cholesky = !f->u, .tiny = f->tiny };
    psb_epk found[PSB_FOUND] = { 0 };
    PSB_TRY(open_patterns(a, f, &d));
    PSB_TRY(X(found_open)(&w->found, on, &d.found));
    PSB_TRY(run_factor_step(on, PSB_KERNELS(X(ldu_kernels), on)->pattern, &d, found));
    if ((uint64_t)found[0] != f->pattern)
        return PSB_ENOTIMPL;
    d.lanes = lanes_for(read, d.cholesky, found[1]);
    if (found[1] > psb_ldu_fits(d.lanes))
        PSB_TRY(open_long_rows(a, f, &d, w));
    PSB_TRY(open_values(f, &d));
    if (f->sweeps == 0)
        PSB_TRY(X(csrg_rows_by_level)((struct X(csrg_mat) *)f->l, &d.order));
    PSB_TRY(f->sweeps ? sweep(on, f, d, w, found)
                      : run_factor_step(on, PSB_KERNELS(X(ldu_kernels), on)->values, &d, found));
    f->boosted = found[1] + 1;
    return found[0] >= 0 ? PSB_ENOTIMPL : PSB_OK;
}

/* --- the slot ------------------------------------------------------------------------------------------- */

psb_err X(csrg_factor_dev)(struct X(mat) *a, struct X(dev_ldu) *f)
{
    struct work w = { .found = { 0 } };
    if (!X(is_on_device)(a) || a->nrows == 0 || f->l->on != a->on)
        return PSB_ENOTIMPL;
    const psb_err e = factor(a, f, &w);
    psb_dual_free(&w.found);
    psb_dual_free(&w.row);
    psb_dual_free(&w.row_ja);
    psb_dual_free(&w.known);
    psb_dual_free(&w.known_inv);
    return e;
}
