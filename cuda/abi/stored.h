/* stored.h -- cuda/abi: the arrays of HLL, ELL and CSR in device memory, read by C and CUDA.  Every
 * pointer points to device memory; `val` points to scalars of the format's type. */
#ifndef PSB_STORED_H
#define PSB_STORED_H
#include "gpu_tuning.h"
#include "psb_hacks.h"
#include "psb_moved.h"
#include "psb_tiling.h"

/* HLL (see psb_hll.t.h).  off is NULL for ELL, which is one hack; row is NULL if the rows are not sorted. */
struct psb_hll_dev {
    psb_ipk nrows;
    psb_ipk scattered; /* see locality.h */
    int ragged;        /* rows of a hack differ much in length */
    int part, cut;     /* the product of part number `part` of 2^cut of each row; set at the launch */
    float stays; /* the share of the entries that stays in the second-level cache between products; 1 also if
                    none may be evicted first; set at the launch */
    psb_epk nnz; /* 0: not known */
    struct psb_moved moved;
    psb_epk rows;
    int width; /* of ELL: stored entries of a row */
    const psb_epk *off;
    const psb_ipk *irn, *row, *ja;
    const void *val;
};

/* See vendor.h. */
struct psb_vendor;
struct psb_vendor_csr;

/* A tile is the work of one block of threads: the entries from `first` up to the next tile's `first`.  If
 * part < 0 they are all entries of the rows from `row` up to the next tile's `row`; else they are a piece of
 * row `row`, and their sum is stored as partial sum number `part`. */
struct psb_tile {
    psb_epk first;
    psb_ipk row, part;
};

/* A row of several tiles: the sum of the partial sums from <= i < to. */
struct psb_split {
    psb_ipk row, from, to;
};

struct psb_csr_dev {
    psb_epk ntiles, nnz;
    psb_ipk nsplit;
    enum psb_tiling tiling;
    struct psb_moved moved;
    int spread;                    /* a kernel wants more first-level cache for x */
    float stays;                   /* as in psb_hll_dev */
    const struct psb_tile *tile;   /* ntiles + 1 */
    const uint16_t *begin;         /* of each row within its tile */
    const struct psb_split *split; /* nsplit */
    const unsigned char
        *starts;           /* one for each thread of each tile; see psb_csr_plan.h; NULL unless segmented */
    const psb_ipk *base;   /* of each tile: its first column, or -1: it has no deltas; NULL: no tile has */
    const uint16_t *delta; /* of the entries of a tile: column minus base, see PSB_DELTA_PLACE */
    const psb_ipk *ja;     /* NULL if all tiles have deltas */
    const void *val;
    void *part; /* k scalars for each partial sum */
};

/* A tile's deltas begin at this place of `delta`, a multiple of 8, with those of the first % 4 entries before
 * entry `first`, the tile's first one; t: the number of the tile.  Words of 8 have deltas of one tile only;
 * places of no entry of this tile are 0. */
#define PSB_DELTA_PLACE(t, first) (((t) + ((first) / 4 * 4 + 4) / 8) * 8)
#endif
