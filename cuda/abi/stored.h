/* stored.h -- room: cuda/abi.  How formats lie on a device, read by C and CUDA.  Every pointer is one of the
 * device; `val` points to scalars of the format's type. */
#ifndef PSB_STORED_H
#define PSB_STORED_H
#include "packed_strip.h"

/* HLL (see hll.t.h).  off NULL: one hack, which is ELL; row NULL: rows stay where they are. */
struct psb_hll_dev {
    psb_ipk nrows;
    psb_ipk scattered; /* see locality.h */
    int ragged;        /* rows of a hack differ much in length */
    int part, cut;     /* of each row, part number `part` of 2^cut; set by the kernels' side */
    psb_epk nnz;       /* where it is scattered */
    psb_epk rows;
    const psb_epk *off;
    const psb_ipk *irn, *row, *ja;
    const void *val;
};

/* Which kernel takes a matrix of HLL that has so many places for an entry.  Ragged: entries of a row behind
 * the first PSB_HLL_SHORT are shared by its warp.  Even: where columns are scattered the cache is left to x;
 * in others what a lane leaves of a line of entries there is the next one's. */
enum { PSB_HLL_SHORT = 128 };

static inline int psb_hll_is_ragged(double padding)
{
    return padding > 2;
}

static inline int psb_hll_is_even(double padding)
{
    return padding <= 1.25;
}

/* Rows that a block of threads has, at least, where a product of HLL or of diagonals sums up what it made. */
enum { PSB_SUMMED_ROWS = 128 };

/* See vendor.h. */
struct psb_vendor;
struct psb_vendor_csr;

/* CSR in tiles: see csr_plan.h. */
enum { PSB_TILE_ROWS = 256, PSB_TILE_ROOM = 2048, PSB_TILE_ENTRIES = PSB_TILE_ROOM - 4 };

/* What is worked on together: the entries from `first` up to the next tile's, all those of rows `row` up to
 * the next tile's; or, where part >= 0, some of row `row`, whose sum is the part of that number. */
struct psb_tile {
    psb_epk first;
    psb_ipk row, part;
};

/* A row of several tiles, the sum of parts from <= i < to. */
struct psb_split {
    psb_ipk row, from, to;
};

struct psb_csr_dev {
    psb_epk ntiles, nnz;
    psb_ipk nsplit, scattered;
    const struct psb_tile *tile;   /* ntiles + 1 */
    const uint16_t *begin;         /* of each row within its tile */
    const struct psb_split *split; /* nsplit */
    const psb_ipk *ja;
    const void *val;
    void *part; /* k scalars for each part */
};
#endif
