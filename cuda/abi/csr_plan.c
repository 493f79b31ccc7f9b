/* csr_plan.c -- room: cuda/abi.  Divide CSR into tiles of equal work. */
#include "psb_csr_plan.h"
#include "stored.h"
#include "locality.h"

/* The tiles so far; the arrays are NULL while tiles are only counted. */
struct cutting {
    psb_ipk m, most_rows, most_entries;
    const psb_epk *irp;
    psb_epk ntiles;
    psb_ipk nsplit, nparts;
    struct psb_tile *tile;
    uint16_t *begin;
    struct psb_split *split;
};

static void put_tile(struct cutting *c, psb_epk first, psb_ipk row, psb_ipk part)
{
    if (c->tile)
        c->tile[c->ntiles] = (struct psb_tile){ first, row, part };
    c->ntiles++;
}

static void cut_row(struct cutting *c, psb_ipk i)
{
    const psb_ipk from = c->nparts;
    for (psb_epk k = c->irp[i]; k < c->irp[i + 1]; k += c->most_entries)
        put_tile(c, k, i, c->nparts++);
    if (c->split) {
        c->split[c->nsplit] = (struct psb_split){ i, from, c->nparts };
        c->begin[i] = 0;
    }
    c->nsplit++;
}

/* Make a tile of whole rows from i on; returns the row after the last one. */
static psb_ipk gather_rows(struct cutting *c, psb_ipk i)
{
    const psb_epk first = c->irp[i];
    const psb_ipk end = c->m - i < c->most_rows ? c->m : i + c->most_rows;
    put_tile(c, first, i, -1);
    for (; i < end && c->irp[i + 1] - first <= c->most_entries; i++)
        if (c->begin)
            c->begin[i] = (uint16_t)(c->irp[i] - first);
    return i;
}

static void cut(struct cutting *c)
{
    for (psb_ipk i = 0; i < c->m;)
        if (c->irp[i + 1] - c->irp[i] > c->most_entries)
            cut_row(c, i++);
        else
            i = gather_rows(c, i);
}

static psb_err make(struct psb_csr_plan *p, struct cutting *c, const struct psb_device *on)
{
    cut(c);
    PSB_TRY(psb_dual_init(&p->tile, (size_t)c->ntiles + 1, sizeof *c->tile, on, "tiles of rows"));
    PSB_TRY(psb_dual_init(&p->begin, (size_t)c->m, sizeof *c->begin, on, "rows in tiles"));
    PSB_TRY(psb_dual_init(&p->split, (size_t)c->nsplit, sizeof *c->split, on, "long rows"));
    PSB_TRY(psb_dual_write(&p->tile, PSB_HOST, &c->tile));
    PSB_TRY(psb_dual_write(&p->begin, PSB_HOST, &c->begin));
    PSB_TRY(psb_dual_write(&p->split, PSB_HOST, &c->split));
    p->ntiles = c->ntiles;
    p->nsplit = c->nsplit;
    p->nparts = c->nparts;
    c->ntiles = c->nsplit = c->nparts = 0;
    cut(c);
    put_tile(c, c->irp[c->m], c->m, -1);
    return PSB_OK;
}

psb_ipk psb_rows_are_scattered(psb_ipk m, const psb_epk *irp, const psb_ipk *ja)
{
    struct psb_locality l = { 0 };
    psb_locality_all(&l, m, irp, ja);
    return psb_scattered_over(&l);
}

psb_err psb_csr_plan_make(struct psb_csr_plan *p, psb_ipk m, const psb_epk *irp, size_t value_bytes,
                          psb_ipk scattered, const struct psb_device *on)
{
    struct cutting c = { .m = m,
                         .most_rows = PSB_TILE_ROWS(value_bytes),
                         .most_entries = PSB_TILE_ENTRIES(value_bytes, scattered),
                         .irp = irp };
    psb_err e = make(p, &c, on);
    if (e != PSB_OK)
        psb_csr_plan_free(p);
    else
        p->scattered = scattered;
    return e;
}

void psb_csr_plan_free(struct psb_csr_plan *p)
{
    psb_dual_free(&p->tile);
    psb_dual_free(&p->begin);
    psb_dual_free(&p->split);
    *p = (struct psb_csr_plan){ 0 };
}

size_t psb_csr_plan_bytes(const struct psb_csr_plan *p)
{
    return p->tile.bytes + p->begin.bytes + p->split.bytes;
}

psb_err psb_csr_plan_read(struct psb_csr_plan *p, struct psb_csr_dev *d)
{
    PSB_TRY(psb_dual_read(&p->tile, PSB_DEV, &d->tile));
    PSB_TRY(psb_dual_read(&p->begin, PSB_DEV, &d->begin));
    PSB_TRY(psb_dual_read(&p->split, PSB_DEV, &d->split));
    d->ntiles = p->ntiles;
    d->nsplit = p->nsplit;
    d->scattered = p->scattered;
    return PSB_OK;
}
