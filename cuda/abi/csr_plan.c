/* csr_plan.c -- cuda/abi: divide CSR into tiles of equal work. */
#include "psb_csr_plan.h"
#include "gpu_tuning.h"
#include "stored.h"
#include "locality.h"
#include <string.h>

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

/* Set the bits of the entries of tile t in which a row begins, and the one after its last entry. */
static void mark_starts(const struct psb_tile *t, const uint16_t *begin, int share, unsigned char *starts)
{
    const int skip = (int)(t->first % 4), end = skip + (int)(t[1].first - t->first);
    for (psb_ipk i = t->row; i < t[1].row && t->part < 0; i++)
        starts[(skip + begin[i]) / share] |= (unsigned char)(1 << (skip + begin[i]) % share);
    if (t->part >= 0)
        starts[0] |= (unsigned char)(1 << skip);
    starts[end / share] |= (unsigned char)(1 << end % share);
}

static psb_err make_starts(struct psb_csr_plan *p, const struct cutting *c, size_t value_bytes,
                           const struct psb_device *on)
{
    const size_t each = PSB_TILE_THREADS(value_bytes);
    unsigned char *starts;
    PSB_TRY(psb_dual_init(&p->starts, (size_t)p->ntiles * each, 1, on, "starts of rows in tiles"));
    PSB_TRY(psb_dual_write(&p->starts, PSB_HOST, &starts));
    memset(starts, 0, p->starts.bytes);
    for (psb_epk t = 0; t < p->ntiles; t++)
        mark_starts(c->tile + t, c->begin, PSB_TILE_SHARE(value_bytes), starts + (size_t)t * each);
    return PSB_OK;
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

/* How much longer the longest of the rows that a warp sums at a time is than their mean; 1 if rows are alike.
 * A row counts with at most CSR_LONG_ROW entries for each of its lanes, since a whole warp sums the longer
 * ones. */
static double imbalance(psb_ipk m, const psb_epk *irp)
{
    enum { WARP = 32 };
    psb_epk lanes = 1, longest = 0, sum = 0;
    while (lanes < WARP && 2 * CSR_MEAN_SHARE * lanes * m <= irp[m])
        lanes *= 2;
    for (psb_ipk i = 0; i < m; i++) {
        const psb_epk each = (irp[i + 1] - irp[i] + lanes - 1) / lanes;
        longest = each > longest ? each : longest;
        if ((i + 1) % (WARP / lanes) == 0 || i + 1 == m) {
            sum += WARP * (longest < CSR_LONG_ROW ? longest : CSR_LONG_ROW);
            longest = 0;
        }
    }
    return (double)sum / (double)irp[m];
}

static enum psb_tiling tiling_of(size_t value_bytes, psb_ipk m, const psb_epk *irp, int scattered)
{
    if (value_bytes == 4 || (double)irp[m] < CSR_SHORT * m)
        return PSB_TILES_SEGMENTED;
    if (value_bytes < 16)
        return scattered || imbalance(m, irp) > CSR_UNLIKE ? PSB_TILES_SEGMENTED : PSB_TILES_COALESCED;
    if (!scattered)
        return PSB_TILES_COALESCED;
    return imbalance(m, irp) > CSR_UNLIKE_LARGE ? PSB_TILES_SEGMENTED : PSB_TILES_SCATTERED;
}

/* Do the elements of x that rows read lie so far apart that a kernel wants more first-level cache?  Measured
 * for values of 4 bytes. */
static bool is_spread(size_t value_bytes, const struct psb_reading *x)
{
    return x->lonely && (psb_epk)x->scattered * (psb_epk)value_bytes > CSR_SPREAD_X;
}

psb_err psb_csr_plan_make(struct psb_csr_plan *p, psb_ipk m, const psb_epk *irp, size_t value_bytes,
                          const struct psb_reading *x, const struct psb_device *on)
{
    const enum psb_tiling tiling = tiling_of(value_bytes, m, irp, x->scattered > 0);
    struct cutting c = { .m = m,
                         .most_rows = PSB_TILE_ROWS(value_bytes, tiling),
                         .most_entries = PSB_TILE_ENTRIES(value_bytes, tiling),
                         .irp = irp };
    psb_err e = make(p, &c, on);
    if (e == PSB_OK && tiling == PSB_TILES_SEGMENTED)
        e = make_starts(p, &c, value_bytes, on);
    if (e != PSB_OK)
        psb_csr_plan_free(p);
    else {
        p->tiling = tiling;
        p->spread = is_spread(value_bytes, x);
    }
    return e;
}

void psb_csr_plan_free(struct psb_csr_plan *p)
{
    psb_dual_free(&p->tile);
    psb_dual_free(&p->begin);
    psb_dual_free(&p->split);
    psb_dual_free(&p->starts);
    *p = (struct psb_csr_plan){ 0 };
}

size_t psb_csr_plan_bytes(const struct psb_csr_plan *p)
{
    return p->tile.bytes + p->begin.bytes + p->split.bytes + p->starts.bytes;
}

psb_err psb_csr_plan_read(struct psb_csr_plan *p, struct psb_csr_dev *d)
{
    PSB_TRY(psb_dual_read(&p->tile, PSB_DEV, &d->tile));
    PSB_TRY(psb_dual_read(&p->begin, PSB_DEV, &d->begin));
    PSB_TRY(psb_dual_read(&p->split, PSB_DEV, &d->split));
    if (p->tiling == PSB_TILES_SEGMENTED)
        PSB_TRY(psb_dual_read(&p->starts, PSB_DEV, &d->starts));
    d->ntiles = p->ntiles;
    d->nsplit = p->nsplit;
    d->tiling = p->tiling;
    d->spread = p->spread;
    return PSB_OK;
}
