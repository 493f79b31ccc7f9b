/* convert_launch.h -- room: cuda/kernels.  The steps of conversions as the launchers of convert_cuda.c name them, and
 * their arguments.  Read by C and CUDA.  Pointers are of the device. */
#ifndef PSB_CONVERT_LAUNCH_H
#define PSB_CONVERT_LAUNCH_H
#include "convert.h"

/* A step makes what stands before the colon. */
enum psb_step {
    PSB_STEP_COPY,        /* `to.val`: `bytes` of from.val */
    PSB_STEP_ROWS,        /* to.off, CSR: of the rows ia of nz ordered entries */
    PSB_STEP_RANKS,       /* to.row, to.rank: of from, CSR, sorted in windows of `window` rows */
    PSB_STEP_HLL_MEASURE, /* to.irn, to.off, found[0] = off[nhacks], found[1] = the widest: of from, CSR */
    PSB_STEP_HLL_FILL,    /* to.ja, to.val: the same; `widest` */
    PSB_STEP_CSR_MEASURE, /* to.off, CSR: of from, HLL, or, where from.m is 0, of dia */
    PSB_STEP_CSR_FILL,    /* to.ja, to.val: the same */
    PSB_STEP_LOCALITY,    /* found[0] entries meet found[1] sectors of x, reach over found[2]: see locality.h;
                             from */
    /* of from, CSR: place[i + 1], summed: entries of row i whose diagonal, or whose place among equals there,
     * the row before in its hack of dia.rows has not; found[0] the sum, found[1] the most equals */
    PSB_STEP_HDIA_COUNT,
    PSB_STEP_HDIA_MEET, /* key, found[0] = how many: the diagonals of all hacks, each once, of place[m] */
    PSB_STEP_HDIA_LIST, /* dia.off, dia.dist: of nz keys */
    PSB_STEP_HDIA_FILL, /* dia's other arrays: of from, CSR */
    /* Of to, or, where to.m is 0, of dia:
     * place[k], found[0] = the first k that has none, or -1: of entry ia[k], ja[k], k < nz;
     * found[1]: 0 where places ascend */
    PSB_STEP_FIND,
    PSB_STEP_BY_PLACE, /* order: the nz entries by place, equals as they come */
    PSB_STEP_PUT,      /* its values: val[order[k]], or val[k] where order is NULL, added, or `overwrite` */
    PSB_STEP_DIAGONAL, /* d[i], i < n: `ones` and the entries of row i on the diagonal */
    PSB_STEP_SCALE,    /* its values: times *by, left[row] or right[column] */
    PSB_STEP_ZERO,     /* its values: 0; dia's zeros and gaps: as of that */
    PSB_STEP_LOOK, /* found[0]: how many of the nz entries ia, ja come before one that they belong behind */
    /* order: nz entries ia, ja by rows, then columns, below m and n, equals as they come */
    PSB_STEP_ORDER,
    /* place[k + 1], summed: 1 where entry order[k], or k, is no equal of the one before; found[0] the sum */
    PSB_STEP_UNLIKE,
    /* to.irn, to.ja, to.val: ia, ja, val of order, or as they come, equals at the place that says added, or
     * the last, as `overwrite` says */
    PSB_STEP_MERGE,
    PSB_STEP_GATHER, /* to.irn, to.ja, to.val: ia, ja, val of order */
    PSB_STEPS
};

/* What the steps are told; each looks at what it needs. */
struct psb_convert {
    struct psb_dev_compressed from, to;
    struct psb_dev_hdia dia;
    size_t bytes;
    psb_ipk window, m, n;
    psb_epk widest; /* entries of a row, or, of PSB_STEP_BY_PLACE, what places are below */
    psb_epk nz;
    const psb_ipk *ia, *ja;
    const void *val;
    psb_epk *place, *order, *found; /* found: PSB_FOUND numbers for the host */
    uint64_t *key;                  /* a hack, then dist_bits of a distance + m, then rank_bits */
    int dist_bits, rank_bits;
    int overwrite, ones;
    void *d;
    const void *by, *left, *right; /* by: of the host */
};

/* Memory of the device that a step takes for itself: how much, where `at` is NULL. */
struct psb_step_room {
    void *at;
    size_t bytes;
};
#endif
