/* locality.h -- cuda/abi: estimates whether neighbouring rows read neighbouring elements of x.
 *
 * A sample of groups of 32 rows, one warp each, is examined.  For each group the sectors of x (4 elements)
 * that its entries read are counted.  The matrix is scattered if a sector is read by fewer than three entries
 * of a group on average, or by fewer than 5.5 if rows have 12 entries or more.  Its reach is the mean
 * distance between the first and the last element of x that a group reads.  It is lonely if a sector is read
 * by fewer than 1.6 entries: then what one row reads is of no use to the next ones. */
#ifndef PSB_LOCALITY_H
#define PSB_LOCALITY_H
#include "psb_int.h"
#include <stddef.h>

enum { PSB_GROUPS = 64, PSB_GROUP_ROWS = 32, PSB_GROUP_ENTRIES = 2048, PSB_SECTOR = 4 };

/* Counts over the groups seen so far.  Starts as all zeros. */
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

/* Add a row of the current group: n entries in columns ja[i * step], i < n.  Entries beyond PSB_GROUP_ENTRIES
 * of a group are not counted. */
void psb_locality_row(struct psb_locality *l, psb_epk n, psb_epk step, const psb_ipk *ja);

/* End the current group and add its counts. */
void psb_locality_group(struct psb_locality *l);

/* Add all groups of m rows; row i has the columns ja[irp[i]] .. ja[irp[i+1]-1]. */
void psb_locality_all(struct psb_locality *l, psb_ipk m, const psb_epk *irp, const psb_ipk *ja);

/* Do the n columns ja span at most 2^16?  *low = the first of them; 0 if n is 0. */
int psb_are_near(const psb_ipk *ja, psb_epk n, psb_ipk *low);

/* Are so many of all entries in such tiles that their columns are stored in 16 bits? */
static inline int psb_many_near(psb_epk near, psb_epk all)
{
    return 2 * near >= all;
}

/* How a matrix reads x.  scattered: its reach in elements of x, at least 1, if it is scattered; else 0. */
struct psb_reading {
    psb_ipk scattered;
    int lonely;
};

struct psb_reading psb_reading_over(const struct psb_locality *l);

/* The same from sums over all groups: rows, entries, sectors of x read, and the groups' reaches. */
struct psb_reading psb_reading_of(psb_epk rows, psb_epk entries, psb_epk sectors, psb_epk reach);

/* The number of rows in all groups of a matrix of m rows. */
psb_epk psb_group_rows(psb_ipk m);
#endif
