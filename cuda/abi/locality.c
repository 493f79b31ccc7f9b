/* locality.c -- room: cuda/abi.  Do neighbouring rows read neighbouring elements of x? */
#include "locality.h"
#include <stdlib.h>

static const double LONG = 12, ENOUGH = 3, ENOUGH_LONG = 5.5; /* see locality.h */
/* SHARE: sectors of the first-level cache that a block of threads has to itself, as several share it; reads
 * by steps are followed for MOST_READS in a block. */
enum { SECTOR_BYTES = 32, SHARE = 1024, TILE = 1024, BLOCK_ROWS = 128, MOST_READS = 1 << 14 };

void psb_locality_row(struct psb_locality *l, psb_epk n, psb_epk step, const psb_ipk *ja)
{
    l->rows++;
    for (psb_epk i = 0; i < n && l->n < PSB_GROUP_ENTRIES; i++)
        l->sector[l->n++] = ja[i * step] / PSB_SECTOR;
}

static int by_number(const void *a, const void *b)
{
    const psb_ipk x = *(const psb_ipk *)a, y = *(const psb_ipk *)b;
    return (x > y) - (x < y);
}

void psb_locality_group(struct psb_locality *l)
{
    qsort(l->sector, (size_t)l->n, sizeof *l->sector, by_number);
    for (int i = 0; i < l->n; i++)
        l->sectors += i == 0 || l->sector[i] != l->sector[i - 1];
    if (l->n > 0)
        l->reach += l->sector[l->n - 1] - l->sector[0];
    l->entries += l->n;
    l->n = 0;
}

void psb_locality_all(struct psb_locality *l, psb_ipk m, const psb_epk *irp, const psb_ipk *ja)
{
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_ipk from = psb_group(m, g);
        for (psb_ipk i = from; i < m && i - from < PSB_GROUP_ROWS; i++)
            psb_locality_row(l, irp[i + 1] - irp[i], 1, ja + irp[i]);
        psb_locality_group(l);
    }
}

/* --- reads that miss the first-level cache -------------------------------------------------------------- */

/* The sectors in a block's share of the cache, which a sector has one place in, and counts over all blocks.
 */
struct block_cache {
    psb_ipk sector[SHARE];
    double read, missed;
};

static void start_block(struct block_cache *c)
{
    for (int i = 0; i < SHARE; i++)
        c->sector[i] = -1;
}

static void read_sector(struct block_cache *c, psb_ipk sector)
{
    psb_ipk *const at = &c->sector[sector % SHARE];
    c->read++;
    c->missed += *at != sector;
    *at = sector;
}

static double share_missed(const struct block_cache *c)
{
    return c->read > 0 ? c->missed / c->read : 0;
}

double psb_misses_by_rows(psb_ipk m, const psb_epk *irp, const psb_ipk *ja, size_t size)
{
    const psb_ipk elements = (psb_ipk)(SECTOR_BYTES / size);
    struct block_cache c = { .read = 0 };
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_epk first = irp[psb_group(m, g)], left = irp[m] - first, n = left < TILE ? left : TILE;
        start_block(&c);
        for (psb_epk k = first; k < first + n; k++)
            read_sector(&c, ja[k] / elements);
    }
    return share_missed(&c);
}

double psb_misses_by_steps(psb_ipk m, const psb_epk *irp, const psb_ipk *ja, size_t size)
{
    const psb_ipk elements = (psb_ipk)(SECTOR_BYTES / size);
    struct block_cache c = { .read = 0 };
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_ipk from = psb_group(m, g), to = m - from < BLOCK_ROWS ? m : from + BLOCK_ROWS;
        const double before = c.read;
        start_block(&c);
        for (psb_epk k = 0, more = 1; more && c.read - before < MOST_READS; k++) {
            more = 0;
            for (psb_ipk i = from; i < to; i++)
                if (irp[i] + k < irp[i + 1]) {
                    read_sector(&c, ja[irp[i] + k] / elements);
                    more = 1;
                }
        }
    }
    return share_missed(&c);
}

/* --- columns in 16 bits -------------------------------------------------------------------------------- */

int psb_are_near(const psb_ipk *ja, psb_epk n, psb_ipk *low)
{
    psb_ipk high = *low = n > 0 ? ja[0] : 0;
    for (psb_epk k = 1; k < n; k++) {
        *low = ja[k] < *low ? ja[k] : *low;
        high = ja[k] > high ? ja[k] : high;
    }
    return high - *low <= UINT16_MAX;
}

/* The entries of the tile that begins in row i; of a longer row, its first ones. */
static psb_epk tile_entries(psb_ipk m, const psb_epk *irp, psb_ipk i, psb_ipk rows, psb_ipk entries)
{
    const psb_ipk end = m - i < rows ? m : i + rows;
    const psb_epk first = irp[i];
    if (irp[i + 1] - first > entries)
        return entries;
    while (i < end && irp[i + 1] - first <= entries)
        i++;
    return irp[i] - first;
}

double psb_share_near(psb_ipk m, const psb_epk *irp, const psb_ipk *ja, psb_ipk rows, psb_ipk entries)
{
    psb_epk all = 0, near = 0;
    for (int g = 0; g < PSB_GROUPS && m > 0; g++) {
        const psb_ipk i = psb_group(m, g);
        const psb_epk n = tile_entries(m, irp, i, rows, entries);
        psb_ipk low;
        all += n;
        near += psb_are_near(ja + irp[i], n, &low) ? n : 0;
    }
    return all > 0 ? (double)near / (double)all : 0;
}

/* --- how a matrix reads x ------------------------------------------------------------------------------- */

struct psb_reading psb_reading_over(const struct psb_locality *l)
{
    return psb_reading_of(l->rows, l->entries, l->sectors, l->reach);
}

struct psb_reading psb_reading_of(psb_epk rows, psb_epk entries, psb_epk sectors, psb_epk reach)
{
    const double each = (double)entries < LONG * (double)rows ? ENOUGH : ENOUGH_LONG;
    const int few = (double)entries < each * (double)sectors;
    return (struct psb_reading){ .scattered = few ? (psb_ipk)(reach * PSB_SECTOR / PSB_GROUPS) + 1 : 0,
                                 .lonely = 10 * entries < 16 * sectors };
}

psb_epk psb_group_rows(psb_ipk m)
{
    psb_epk rows = 0;
    for (int g = 0; g < PSB_GROUPS; g++) {
        const psb_ipk left = m - psb_group(m, g);
        rows += left < PSB_GROUP_ROWS ? left : PSB_GROUP_ROWS;
    }
    return rows;
}
