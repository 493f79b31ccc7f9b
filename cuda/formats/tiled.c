/* tiled.c -- room: cuda/formats.  Products of CSR on the device: the plan, and memory for sums of parts of
 * long rows. */
#include "gpu_formats.h"
#include "locality.h"
#include "psb_type.h"

void X(tiled_free)(struct X(tiled) *t)
{
    psb_csr_plan_free(&t->plan);
    psb_dual_free(&t->part);
    *t = (struct X(tiled)){ 0 };
}

size_t X(tiled_bytes)(const struct X(tiled) *t)
{
    return psb_csr_plan_bytes(&t->plan) + t->part.bytes;
}

/* Ensure room for n scalars; an array that is large enough is kept. */
static psb_err make_room(struct psb_dual *part, size_t n, const struct psb_device *on, void *out)
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

psb_err X(tiled_open)(struct X(tiled) *t, const struct X(csr_arrays) *a, psb_ipk k, struct psb_csr_dev *d)
{
    if (t->plan.ntiles == 0 || t->planned_at != a->irp->changes) {
        X(tiled_free)(t);
        PSB_TRY(make_plan(&t->plan, a));
        t->planned_at = a->irp->changes;
    }
    if (t->plan.nparts > 0)
        PSB_TRY(make_room(&t->part, (size_t)t->plan.nparts * (size_t)k, a->on, &d->part));
    d->nnz = a->nnz;
    PSB_TRY(psb_csr_plan_read(&t->plan, d));
    PSB_TRY(psb_dual_read(a->ja, PSB_DEV, &d->ja));
    return psb_dual_read(a->val, PSB_DEV, &d->val);
}
