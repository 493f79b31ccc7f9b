/* convert.h -- room: cuda/abi.  Matrices and arguments of the steps of conversions on a device; see
 * kernels.t.h.  Read by C and CUDA.  Pointers are of the device; values are of the format's scalar type. */
#ifndef PSB_CONVERT_H
#define PSB_CONVERT_H
#include <stddef.h>
#include <stdint.h>
#include "psb_int.h"

/* Rows in CSR (rows 0): entry k of row i is at off[i] + k; or in HLL, see psb_hll.t.h. */
struct psb_dev_compressed {
    psb_ipk m, nhacks;
    psb_epk rows;              /* of a hack */
    psb_epk *off;              /* CSR: m + 1; HLL: nhacks + 1 */
    psb_ipk *irn, *row, *rank; /* HLL only; row and rank NULL: rows are not sorted */
    psb_ipk *ja;
    void *val;
};

/* HDIA: see psb_hdia.t.h; m x n. */
struct psb_dev_hdia {
    psb_ipk m, n, nhacks;
    psb_epk rows, words, diagonals; /* words: of the bits of a diagonal */
    psb_epk *off;
    psb_ipk *dist, *zeros;
    unsigned char *gaps;
    uint64_t *bits;
    void *val;
};

/* The length of an array `found` of a step. */
enum { PSB_FOUND = 3 };

/* Triplets that a step writes. */
struct psb_new_triplets {
    psb_ipk *ia, *ja;
    void *val;
};

/* nz entries ia, ja, to be found in a matrix: place[k] is the index in val of entry k, the first of equals,
 * or -1. found[0]: the smallest k with place -1, or -1; found[1]: 0 if places ascend. */
struct psb_find {
    psb_epk nz;
    const psb_ipk *ia, *ja;
    psb_epk *place, *found;
};

/* nz values, to be added at their places in a matrix, or with `overwrite` to replace the values there; in the
 * order `order`, equal places next to each other; order NULL: as given, places ascend. */
struct psb_put {
    psb_epk nz;
    const psb_epk *place, *order;
    const void *val;
    int overwrite;
};

/* d[i], i < n: `ones`, 0 or 1, plus the diagonal entries of row i. */
struct psb_diagonal {
    psb_ipk n;
    int ones;
    void *d;
};

/* Factors of all values: left[row]; or, left NULL, right[column]; or, both NULL, the scalar *by of the host.
 */
struct psb_factors {
    const void *by, *left, *right;
};

/* The diagonals of all hacks as integers: the hack, then dist_bits of (distance + m), then rank_bits of the
 * rank among equals. */
struct psb_hdia_keys {
    psb_epk n;
    uint64_t *key;
    int dist_bits, rank_bits;
};
#endif
