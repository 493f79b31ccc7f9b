/* dev_arrays.h -- room: cuda/abi.  Matrices as kernels see them: sizes, and arrays where a device's memory is;
 * values are T.  Read by C and CUDA. */
#ifndef PSB_DEV_ARRAYS_H
#define PSB_DEV_ARRAYS_H
#include <stdint.h>
#include "psb_dual.h"
#include "psb_int.h"

/* See psb_hdia.t.h; m x n. */
struct psb_dev_diagonals {
    psb_ipk m, n, nhacks;
    psb_epk rows;
    const psb_epk *off;
    const psb_ipk *dist;
    const uint64_t *bits;
    const void *val;
};

/* See psb_bsr.t.h; m x n, h block rows, so many blocks. */
struct psb_dev_blocks {
    psb_ipk m, n, h, r, c;
    int by_cols, full;
    psb_epk blocks;
    const psb_epk *off;
    const psb_ipk *ja;
    const unsigned char *bits;
    const void *val;
};

/* nz triplets, ordered by rows. */
struct psb_dev_triplets {
    psb_epk nz;
    const psb_ipk *ia, *ja;
    const void *val;
};

/* See psb_dns.t.h; m x n. */
struct psb_dev_dense {
    psb_ipk m, n, layers;
    const uint64_t *bits;
    const void *val;
};

/* What follows a product y (see psb_vec_ops.t.h).  gamma and delta point to scalars on the host; `partial` is
 * room for 2 PSB_MOST_DOTS numbers of each block of threads, `slice` for 2 PSB_GPU_SLICES of each dot
 * product, `sum` for those of all, `arrived` a 0 for each dot product, which a kernel leaves so; not used
 * where ndots is 0. */
enum { PSB_GPU_SLICES = 64 };
struct psb_dev_epilogue {
    const void *gamma, *delta;
    void *z;
    int ndots;
    const void *left[PSB_MOST_DOTS], *right[PSB_MOST_DOTS];
    double *partial, *slice, *sum;
    unsigned *arrived;
};
#endif
