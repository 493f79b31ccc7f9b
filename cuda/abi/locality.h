/* locality.h -- room: cuda/abi.  Do rows that are neighbours meet neighbours in x?
 *
 * Looked at are some groups of as many rows as a warp has threads: how many of a group's entries meet in one
 * sector of x, 4 elements.  Fewer than three, or six where rows have 12 entries or more, say that the matrix
 * is scattered: over as many elements of x as lie between the first and the last that a group meets, in the
 * mean. */
#ifndef PSB_LOCALITY_H
#define PSB_LOCALITY_H
#include "psb_int.h"

enum { PSB_GROUPS = 64, PSB_GROUP_ROWS = 32, PSB_GROUP_ENTRIES = 2048, PSB_SECTOR = 4 };

/* All zeros at first. */
struct psb_locality {
    psb_epk rows, entries, sectors, reach;
    int n; /* entries of the group so far */
    psb_ipk sector[PSB_GROUP_ENTRIES];
};

/* The first row of group g < PSB_GROUPS of a matrix of m rows. */
static inline psb_ipk psb_group(psb_ipk m, int g)
{
    return (psb_ipk)((psb_epk)m * g / PSB_GROUPS);
}

/* A row of the group has n entries, columns ja[i * step]; what the group has no room for is not counted. */
void psb_locality_row(struct psb_locality *l, psb_epk n, psb_epk step, const psb_ipk *ja);

/* The group is complete. */
void psb_locality_group(struct psb_locality *l);

/* Over so many elements of x, at least 1; 0 where it is not scattered. */
psb_ipk psb_scattered_over(const struct psb_locality *l);

/* The same of so many rows and entries that meet so many sectors, groups reaching over so many. */
psb_ipk psb_scattered_reach(psb_epk rows, psb_epk entries, psb_epk sectors, psb_epk reach);

/* Rows in all groups of a matrix of m rows. */
psb_epk psb_group_rows(psb_ipk m);
#endif
