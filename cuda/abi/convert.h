/* convert.h -- cuda/abi: matrices and arguments of the steps of conversions on a device; see
 * kernels.t.h.  Included by C and CUDA.  All pointers but `by` point to device memory; values have the
 * format's scalar type. */
#ifndef PSB_CONVERT_H
#define PSB_CONVERT_H
#include <stddef.h>
#include <stdint.h>
#include "psb_int.h"

/* Rows in CSR (rows is 0): entry k of row i is at off[i] + k; or in HLL, see psb_hll.t.h. */
struct psb_dev_compressed {
    psb_ipk m, nhacks;
    psb_epk rows;              /* rows of a hack; 0: CSR */
    psb_epk *off;              /* number of elements: CSR m + 1, HLL nhacks + 1 */
    psb_ipk *irn, *row, *rank; /* HLL only; row and rank are NULL if rows are not sorted */
    psb_ipk *ja;
    void *val;
};

/* An m x n matrix in HDIA, see psb_hdia.t.h. */
struct psb_dev_hdia {
    psb_ipk m, n, nhacks;
    psb_epk rows, words, diagonals; /* words: of the bits of a diagonal */
    psb_epk *off;
    psb_ipk *dist, *zeros;
    unsigned char *gaps;
    uint64_t *bits;
    void *val;
};

/* A matrix in BSR, see psb_bsr.t.h; n block rows.  The key of a block is ja * ranks + its rank among blocks
 * of one ja, which is below `ranks`. */
struct psb_dev_bsr {
    psb_ipk m, n, r, c, ranks;
    int by_cols, full;
    psb_epk blocks;
    psb_epk *off;
    psb_ipk *ja;
    unsigned char *bits;
    void *val;
};

/* Number of elements of the array `found` of a step. */
enum { PSB_FOUND = 3 };

/* Triplets that a step writes. */
struct psb_new_triplets {
    psb_ipk *ia, *ja;
    void *val;
};

/* Entries with global indices that count from `base`; i and j: their local numbers in a block of m x n from
 * first_row and first_col on, row m and column 0 outside of it.  found[0] is the first entry outside of the
 * matrix of rows x cols, or -1; found[1] the number of entries outside of the block. */
struct psb_own_block {
    psb_epk nz;
    const psb_lpk *ia, *ja;
    psb_lpk base, rows, cols, first_row, first_col;
    psb_ipk m, n, *i, *j;
    psb_epk *found;
};

/* Entries list[0..n) of arrays by global indices, and copies of them. */
struct psb_taken {
    psb_epk n;
    const psb_epk *list;
    const psb_lpk *ia, *ja;
    const void *val;
    psb_lpk *to_i, *to_j;
    void *to_val;
};

/* As struct psb_sources: the n entries of values in CSR; entry e is val[e], or more[e - nz] from nz on. */
struct psb_refill {
    psb_epk n, nz;
    const psb_epk *order, *place;
    const void *val, *more;
    int overwrite;
};

/* Search for nz entries (ia[k], ja[k]) in a matrix.  place[k] is the index of entry k in val, of the first
 * one if there are duplicates, or -1.  found[0] is the smallest k with place -1, or -1; found[1] is 0 if
 * places ascend. */
struct psb_find {
    psb_epk nz;
    const psb_ipk *ia, *ja;
    psb_epk *place, *found;
};

/* Add nz values at their places in a matrix, or, with `overwrite`, replace the values there, in the order
 * `order`, in which equal places are adjacent.  If order is NULL, places ascend, and values are used as
 * given. */
struct psb_placed {
    psb_epk nz;
    const psb_epk *place, *order;
    const void *val;
    int overwrite;
};

/* d[i] = `ones`, 0 or 1, plus the diagonal entries of row i, for i < n. */
struct psb_diagonal {
    psb_ipk n;
    int ones;
    void *d;
};

/* Factors of the values: left[row]; or, if left is NULL, right[column]; or, if both are NULL, *by, a scalar
 * in host memory. */
struct psb_factors {
    const void *by, *left, *right;
};

/* The diagonals of all hacks as integers: from the highest bits, the hack, (distance + m) in dist_bits, and
 * the rank among duplicates in rank_bits. */
struct psb_hdia_keys {
    psb_epk n;
    uint64_t *key;
    int dist_bits, rank_bits;
};

/* Number of significant bits of n >= 0; 0 for 0. */
static inline int psb_bits_of(psb_epk n)
{
    int bits = 0;
    for (; n > 0; n /= 2)
        bits++;
    return bits;
}
#endif
