/* convert_launch.h -- room: cuda/kernels.  The steps of conversions and their arguments, as convert_cuda.c
 * passes them to the launchers.  Included by C and CUDA.  All pointers but `by` point to device memory. */
#ifndef PSB_CONVERT_LAUNCH_H
#define PSB_CONVERT_LAUNCH_H
#include "convert.h"

/* The steps.  Before the colon: what a step computes; after it: from what. */
enum psb_step {
    PSB_STEP_COPY,        /* to.val: `bytes` bytes of from.val */
    PSB_STEP_ROW_BEGINS,  /* to.off, CSR: rows ia of nz ordered entries */
    PSB_STEP_RANKS,       /* to.row, to.rank: from, CSR, sorted by length in windows of `window` rows */
    PSB_STEP_HLL_MEASURE, /* to.irn, to.off, found[0] = off[nhacks], found[1] = longest row: from, CSR */
    PSB_STEP_HLL_FILL,    /* to.ja, to.val: from, CSR; `widest` is found[1] of the step before */
    PSB_STEP_CSR_MEASURE, /* to.off, CSR: from, HLL, or, if from.m is 0, dia */
    PSB_STEP_CSR_FILL,    /* to.ja, to.val: the same */
    PSB_STEP_LOCALITY, /* found[0] entries read found[1] sectors of x, reaches sum up to found[2]: from; see
                          locality.h */
    /* place[i + 1], the number of new diagonals in rows 0 .. i, i.e. those, with their rank among duplicates,
     * on which the previous row of the same hack of dia.rows rows has no entry; found[0], that of all rows;
     * found[1], the largest number of duplicates: from, CSR */
    PSB_STEP_HDIA_COUNT,
    PSB_STEP_HDIA_COLLECT, /* key, found[0] = their number: the diagonals of all hacks, each once, from
                           place[m] new ones */
    PSB_STEP_HDIA_LIST,    /* dia.off, dia.dist: nz keys */
    PSB_STEP_HDIA_FILL,    /* the other arrays of dia: from, CSR */
    /* place[k] of entry ia[k], ja[k], or -1, for k < nz; found[0], the first k with place -1, or -1;
     * found[1], 0 if places ascend: to, or, if to.m is 0, dia.  PSB_STEP_PUT to PSB_STEP_ZERO change or read
     * the same matrix. */
    PSB_STEP_FIND,
    PSB_STEP_ORDER_BY_PLACE, /* order, stable: nz entries, by place */
    PSB_STEP_PUT, /* values at place[]: val[order[k]], or val[k] if order is NULL, added, or replaced with
                     `overwrite` */
    PSB_STEP_DIAGONAL, /* d[i], i < n: `ones` plus the diagonal entries of row i */
    PSB_STEP_SCALE,    /* values: times *by, left[row] or right[column] */
    PSB_STEP_ZERO,     /* values, all 0; zeros and gaps of dia accordingly */
    PSB_STEP_DISORDER, /* found[0], the number of entries that are followed by one that belongs before them:
                      nz entries ia, ja */
    /* order, stable: nz entries ia, ja, by rows, then columns, which are below m and n */
    PSB_STEP_ORDER,
    /* place[k + 1], the number of distinct entries among the first k + 1 in `order` (NULL: as stored);
     * found[0], among all: nz entries ia, ja */
    PSB_STEP_DISTINCT,
    /* to.irn, to.ja, to.val: ia, ja, val in `order` (NULL: as stored); entries with the same place are added,
     * or with `overwrite` the last one is kept */
    PSB_STEP_MERGE,
    PSB_STEP_GATHER, /* to.irn, to.ja, to.val: ia, ja, val in `order` */
    PSB_STEPS
};

/* Arguments of all steps; each step uses some of them. */
struct psb_convert {
    struct psb_dev_compressed from, to;
    struct psb_dev_hdia dia;
    size_t bytes;
    psb_ipk window, m, n;
    psb_epk widest; /* entries of the longest row; PSB_STEP_ORDER_BY_PLACE: upper bound of places */
    psb_epk nz;
    const psb_ipk *ia, *ja;
    const void *val;
    psb_epk *place, *order, *found; /* found: PSB_FOUND numbers */
    uint64_t *key;                  /* from the highest bits: hack, dist_bits of (distance + m), rank_bits */
    int dist_bits, rank_bits;
    int overwrite, ones;
    void *d;
    const void *by, *left, *right; /* by: in host memory */
};

/* Device memory for a step: if `at` is NULL, the step only sets `bytes`, the size it needs. */
struct psb_step_room {
    void *at;
    size_t bytes;
};
#endif
