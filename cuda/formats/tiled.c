/* tiled.c -- cuda/formats: products of CSR on the device: the plan, columns in 16 bits, and memory for
 * sums of parts of long rows. */
#include "gpu_formats.h"
#include "locality.h"
#include "per_device.h"
#include "psb_type.h"

static void free_deltas(struct X(tiled) *t)
{
    psb_dual_free(&t->base);
    psb_dual_free(&t->delta);
    t->base = t->delta = (struct psb_dual){ 0 };
}

void X(tiled_free)(struct X(tiled) *t)
{
    psb_csr_plan_free(&t->plan);
    free_deltas(t);
    psb_dual_free(&t->part);
    *t = (struct X(tiled)){ 0 };
}

size_t X(tiled_bytes)(const struct X(tiled) *t)
{
    return psb_csr_plan_bytes(&t->plan) + t->base.bytes + t->delta.bytes + t->part.bytes;
}

/* Make an array of n scalars; one that is large enough is kept. */
static psb_err reserve_parts(struct psb_dual *part, size_t n, const struct psb_device *on, void *out)
{
    if (!part->dev || part->bytes < n * sizeof(T)) {
        psb_dual_free(part);
        PSB_TRY(psb_dual_init(part, n, sizeof(T), on, "parts of long rows"));
    }
    return psb_dual_write(part, PSB_DEV, out);
}

/* Columns are not copied to the host: if they are not valid there, the device finds the locality. */
static psb_err find_reading(const struct X(csr_arrays) *a, const psb_epk *irp, struct psb_reading *x)
{
    struct psb_dev_compressed l = { .m = a->m };
    if (a->ja->valid & PSB_HOST) {
        struct psb_locality seen = { 0 };
        const psb_ipk *ja;
        PSB_TRY(psb_dual_read(a->ja, PSB_HOST, &ja));
        psb_locality_all(&seen, a->m, irp, ja);
        *x = psb_reading_over(&seen);
        return PSB_OK;
    }
    PSB_TRY(psb_dual_read(a->irp, PSB_DEV, &l.off));
    PSB_TRY(psb_dual_read(a->ja, PSB_DEV, &l.ja));
    return PSB_PASS(X(reading_on_device)(a->on, &l, x));
}

static psb_err make_plan(struct psb_csr_plan *p, const struct X(csr_arrays) *a)
{
    const psb_epk *irp;
    struct psb_reading x;
    PSB_TRY(psb_dual_read(a->irp, PSB_HOST, &irp));
    PSB_TRY(find_reading(a, irp, &x));
    return PSB_PASS(psb_csr_plan_make(p, a->m, irp, sizeof(T), &x, a->on));
}

/* Make the deltas; *found = the number of entries that have one. */
static psb_err fill_deltas(struct X(tiled) *t, const struct X(csr_arrays) *a, psb_epk *found)
{
    struct psb_csr_dev d = { .nnz = a->nnz };
    const psb_epk places = PSB_DELTA_PLACE(t->plan.ntiles, a->nnz);
    psb_epk all[PSB_FOUND];
    psb_ipk *base;
    uint16_t *delta;
    PSB_TRY(psb_csr_plan_read(&t->plan, &d));
    PSB_TRY(psb_dual_read(a->ja, PSB_DEV, &d.ja));
    PSB_TRY(X(move_on_device)(&t->base, a->on, t->plan.ntiles, sizeof *base, NULL, "first columns of tiles",
                              &base));
    PSB_TRY(X(move_on_device)(&t->delta, a->on, places, sizeof *delta, NULL, "columns in 16 bits", &delta));
    PSB_FIND(a->on, at, PSB_KERNELS(X(csr_kernels), a->on)->deltas(&d, base, delta, at), all);
    *found = all[0];
    return PSB_OK;
}

/* Make the deltas.  They are not kept if they are few, or if there is no memory for them. */
static psb_err make_deltas(struct X(tiled) *t, const struct X(csr_arrays) *a)
{
    psb_epk found = 0;
    psb_expect_errors(1);
    psb_err e = fill_deltas(t, a, &found);
    psb_expect_errors(0);
    if (e != PSB_OK && e != PSB_ENOMEM) {
        free_deltas(t);
        e = fill_deltas(t, a, &found); /* records the error */
    }
    if (e != PSB_OK || !psb_many_near(found, a->nnz))
        free_deltas(t);
    if (e != PSB_OK)
        return e == PSB_ENOMEM ? PSB_OK : e;
    t->all_deltas = found == a->nnz;
    if (t->all_deltas)
        psb_dual_drop(a->ja, PSB_DEV);
    return PSB_OK;
}

/* Counts the changes of the pattern. */
static unsigned long pattern_changes(const struct X(csr_arrays) *a)
{
    return a->irp->changes + a->ja->changes;
}

static psb_err tiled_make(struct X(tiled) *t, const struct X(csr_arrays) *a)
{
    X(tiled_free)(t);
    PSB_TRY(make_plan(&t->plan, a));
    t->planned_at = pattern_changes(a);
    return PSB_OK;
}

static psb_err read_columns(const struct X(tiled) *t, const struct X(csr_arrays) *a, struct psb_csr_dev *d)
{
    if (t->delta.dev) {
        PSB_TRY(psb_dual_read(&t->base, PSB_DEV, &d->base));
        PSB_TRY(psb_dual_read(&t->delta, PSB_DEV, &d->delta));
    }
    return t->all_deltas ? PSB_OK : psb_dual_read(a->ja, PSB_DEV, &d->ja);
}

/* Deltas come last, since a product can do without them. */
psb_err X(tiled_open)(struct X(tiled) *t, const struct X(csr_arrays) *a, psb_ipk k, struct psb_csr_dev *d)
{
    if (t->plan.ntiles == 0 || t->planned_at != pattern_changes(a))
        PSB_TRY(tiled_make(t, a));
    if (t->plan.nparts > 0)
        PSB_TRY(reserve_parts(&t->part, (size_t)t->plan.nparts * (size_t)k, a->on, &d->part));
    d->nnz = a->nnz;
    PSB_TRY(psb_csr_plan_read(&t->plan, d));
    PSB_TRY(psb_dual_read(a->val, PSB_DEV, &d->val));
    if (!t->tried_deltas && t->plan.ntiles > 0)
        PSB_TRY(make_deltas(t, a));
    t->tried_deltas = 1;
    d->moved = psb_moved_of(a->m, a->n, sizeof(T),
                            (t->delta.dev ? t->delta.bytes : a->ja->bytes) + a->val->bytes);
    return read_columns(t, a, d);
}
