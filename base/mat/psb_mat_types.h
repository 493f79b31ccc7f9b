/* psb_mat_types.h -- base/mat: states, orders and blocks of local matrices. */
#ifndef PSB_MAT_TYPES_H
#define PSB_MAT_TYPES_H
#include "psb_dupl.h"
#include "psb_int.h"
#include "psb_vec_types.h"
#include <stdbool.h>
#include <stdio.h>

/* State of a matrix: under assembly (BLD), assembled (ASB), or values being replaced on a fixed pattern
 * (UPD). */
enum psb_mat_state { PSB_MAT_NULL, PSB_MAT_BLD, PSB_MAT_ASB, PSB_MAT_UPD };

/* Storage order of entries: none; by rows, and by columns within a row; by columns, and by rows within a
 * column. */
typedef enum psb_order { PSB_UNSORTED, PSB_BY_ROWS, PSB_BY_COLS } psb_order;

/* Which entries a matrix keeps by threshold t (psb_mat_prune, psb_sp_prune); an entry that is NaN is larger
 * than all others. */
typedef enum psb_prune {
    PSB_PRUNE_VALUE,    /* |a_ij| > t */
    PSB_PRUNE_SHARE,    /* the t percent of all entries with the largest moduli, 0 <= t <= 100, rounded up */
    PSB_PRUNE_COUNT,    /* in each row the t entries with the largest moduli; t is whole */
    PSB_PRUNE_DIAGONAL, /* |a_ij| > t |a_ii|; a missing a_ii is 0 */
    PSB_PRUNE_ROW       /* |a_ij| > t times the 2-norm of row i, summed in local order */
} psb_prune;

/* A matrix equals its transpose (symmetric), its conjugate transpose (Hermitian), or neither.  Those that are
 * real and symmetric are both. */
typedef enum psb_symmetry { PSB_ASYMMETRIC, PSB_SYMMETRIC, PSB_HERMITIAN } psb_symmetry;

/* A caller's rows in CSR, but for the values: integers of 32 or 64 bits, as off_bits and idx_bits say.  off:
 * one more than rows, from 0; idx: global columns, counted from psb_index_base(), if `global`, else local
 * ones, from 0. */
typedef struct psb_rows_given {
    int off_bits, idx_bits, global;
    const void *off, *idx;
} psb_rows_given;

/* A dense matrix in an array, X: element (i, j) is at i ld + j, or, with order PSB_BY_COLS, at i + j ld.  In
 * a batch, element (i, j) of matrix b is b stride elements after that of the first. */
typedef struct psb_dense {
    char op;         /* what is meant, op(X): 'N', X; 'T', its transpose; 'C', its conjugate transpose */
    psb_order order; /* PSB_BY_ROWS or PSB_BY_COLS */
    psb_epk ld;      /* at least the number of columns of X; by columns, of rows */
    psb_epk stride;  /* used in batches; 0: all have this matrix, unless it is written */
} psb_dense;

/* A batch of products (psb_mat_spmm) or solves (psb_mat_spsm) with a sparse matrix A. */
typedef struct psb_products {
    char op;           /* 'N', 'T', 'C', of A */
    psb_semiring over; /* PSB_PLUS_TIMES or another */
    psb_ipk k;         /* columns of op(X) and Y */
    psb_ipk batch;     /* how many */
    psb_epk stride;    /* elements from the values of A of one to those of the next, if val is not NULL */
    psb_dense x, y;    /* y.op: 'N' */
} psb_products;

enum { PSB_COUPLED = 64 }; /* most colours whose couplings a device counts */

/* Rows imin <= i < imax, columns jmin <= j < jmax. */
struct psb_block {
    psb_ipk imin, imax, jmin, jmax;
};

/* A part of a matrix: the entries of a block with low <= j - i <= high, without those with i = j if
 * no_diagonal; with `shift` its indices count from the first row and column of the block. */
struct psb_cut {
    struct psb_block block;
    long low, high;
    int shift, no_diagonal;
};
#endif
