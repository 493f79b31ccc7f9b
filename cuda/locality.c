/* locality.c -- room: cuda.  Do rows that are neighbours meet neighbours in x? */
#include "locality.h"
#include <stdlib.h>

enum { LINE = 16, ENOUGH = 4 }; /* elements of x, entries that meet them */

void psb_locality_row(struct psb_locality *l, psb_epk n, psb_epk step, const psb_ipk *ja)
{
    for (psb_epk i = 0; i < n && l->n < PSB_GROUP_ENTRIES; i++)
        l->line[l->n++] = ja[i * step] / LINE;
}

static int by_line(const void *a, const void *b)
{
    const psb_ipk x = *(const psb_ipk *)a, y = *(const psb_ipk *)b;
    return (x > y) - (x < y);
}

void psb_locality_group(struct psb_locality *l)
{
    qsort(l->line, (size_t)l->n, sizeof *l->line, by_line);
    for (int i = 0; i < l->n; i++)
        l->lines += i == 0 || l->line[i] != l->line[i - 1];
    l->entries += l->n;
    l->n = 0;
}

int psb_is_scattered(const struct psb_locality *l)
{
    return l->entries < ENOUGH * l->lines;
}
