/* locality.c -- cuda/abi: do neighbouring rows read neighbouring elements of x? */
#include "locality.h"
#include <stdlib.h>

static const double LONG = 12, ENOUGH = 3, ENOUGH_LONG = 5.5; /* see locality.h */

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
