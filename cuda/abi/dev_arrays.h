/* dev_arrays.h -- cuda/abi: matrices as arguments of kernels: sizes, and arrays in device memory;
 * values have the format's scalar type.  Included by C and CUDA. */
#ifndef PSB_DEV_ARRAYS_H
#define PSB_DEV_ARRAYS_H
#include <stdint.h>
#include "psb_int.h"
#include "psb_moved.h"

/* An m x n matrix in HDIA, see psb_hdia.t.h. */
struct psb_dev_diagonals {
    psb_ipk m, n, nhacks;
    psb_epk rows;
    const psb_epk *off;
    const psb_ipk *dist;
    const uint64_t *bits;
    const void *val;
    struct psb_moved moved;
    float stays; /* as in psb_hll_dev */
};

/* An m x n matrix in BSR, see psb_bsr.t.h; h block rows. */
struct psb_dev_blocks {
    psb_ipk m, n, h, r, c;
    int by_cols, full;
    psb_epk blocks;
    const psb_epk *off;
    const psb_ipk *ja;
    const unsigned char *bits;
    const void *val;
    struct psb_moved moved;
    float stays; /* as in psb_hll_dev */
};

/* Do blocks of r x c have a kernel of their own, for squares of 2 to 4 rows by columns? */
static inline int psb_blocks_are_square(psb_ipk r, psb_ipk c, int by_cols)
{
    return by_cols && r == c && r >= 2 && r <= 4;
}

/* The lanes that process a block row of other blocks, of r rows each, `blocks` in h block rows: at least the
 * rows of a block, and as many as a block row has rows of blocks on average, 4 to 32. */
static inline int psb_lanes_of_blocks(psb_ipk r, psb_epk blocks, psb_ipk h)
{
    int lanes = 4;
    while (lanes < 32 && (r > lanes || r * blocks > (psb_epk)lanes * h))
        lanes *= 2;
    return lanes;
}

/* nz triplets, ordered by rows. */
struct psb_dev_triplets {
    psb_epk nz;
    const psb_ipk *ia, *ja;
    const void *val;
};

/* An m x n matrix in DNS, see psb_dns.t.h. */
struct psb_dev_dense {
    psb_ipk m, n, layers;
    const uint64_t *bits;
    const void *val;
};
#endif
