/* dev_arrays.h -- room: cuda/abi.  Matrices as arguments of kernels: sizes, and arrays in device memory;
 * values have the format's scalar type.  Included by C and CUDA. */
#ifndef PSB_DEV_ARRAYS_H
#define PSB_DEV_ARRAYS_H
#include <stdint.h>
#include "psb_dual.h"
#include "psb_int.h"
#include "psb_moved.h"
#include "psb_onesided.h"
#include "psb_owners.h"

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

/* The epilogue of a product y (see psb_vec_ops.t.h).  gamma and delta point to scalars in host memory; fused
 * products use neither gamma_by, delta_by nor u.  For ndots dot products, if ndots > 0: `partial` has room
 * for 2 PSB_MOST_DOTS numbers per block of threads, `slice` for 2 PSB_GPU_SLICES per dot product, `sum` for
 * the results, which are stored in `to` instead, before the ratios, if to[0] is not NULL; `arrived` is a
 * counter, 0 before and after every kernel.  part, kept: as in X(vec_epilogue). */
enum { PSB_GPU_SLICES = 64 };
struct psb_dev_ratios {
    int n;
    const void *over[PSB_MOST_RATIOS], *under[PSB_MOST_RATIOS];
    void *to[PSB_MOST_RATIOS];
};
struct psb_dev_epilogue {
    const void *gamma, *delta, *gamma_by, *delta_by;
    void *z;
    const void *d;
    void *u;
    int ndots;
    const void *left[PSB_MOST_DOTS], *right[PSB_MOST_DOTS];
    void *to[PSB_MOST_DOTS];
    double *partial, *slice, *sum;
    unsigned *arrived;
    struct psb_dev_ratios ratios;
    enum psb_sum_part part;
    struct psb_kept_sums *kept;
};

/* Sums of psb_vec_ops.t.h; alpha and beta point to scalars in host memory. */
struct psb_dev_axpby {
    const void *alpha, *beta, *alpha_by, *beta_by;
    const void *x, *y;
    void *z;
};
struct psb_dev_totals {
    int n, before, count, width;
    const double *mine, *others;
    void *to[PSB_MOST_DOTS];
    struct psb_dev_ratios ratios;
    struct psb_exchange exchange;
};
struct psb_dev_owners {
    enum psb_ovrl op;
    psb_ipk n;
    int k;
    const psb_ipk *loc, *start, *place;
    const void *in;
    void *x;
};
#endif
