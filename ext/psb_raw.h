/* psb_raw.h -- ext: arrays of other libraries: the layouts of cuSPARSE, hipSPARSE and rocSPARSE.
 *
 * A struct psb_raw describes a layout; X(raw_const) and X(raw_arrays) in psb_raw.t.h point to the arrays,
 * whose numbers of elements are:
 *
 *               off         row    col         val                    ell_col, ell_val
 *  COO          -           nnz    nnz         nnz                    -
 *  COO_AOS      -           2 nnz  -           nnz                    -
 *  CSR          m + 1       -      nnz         nnz                    -
 *  CSC          n + 1       nnz    -           nnz                    -
 *  ELL          -           -      m * width   m * width              -            padded
 *  SELL         slices + 1  -      stored      stored                 -            padded
 *  BSR          mb + 1      -      nnz         nnz * brows * bcols    -
 *  BELL         -           -      mb * width  m * width * brows      -            padded
 *  BELL_BLOCKS  -           -      mb * width  mb * width * brows^2   -            padded
 *  HYB          -           nnz    nnz         nnz                    m * width    ell_* padded
 *
 * with mb = m / brows and slices = m / slice, rounded up.  Padding has index -1, in either base; its
 * value is 0, and is not read.  If m or n is not a multiple of the block size, elements of the last blocks
 * beyond the matrix are 0.
 *
 * COO_AOS stores the row and column of each entry next to each other.  In ELL, and in HYB's ELL part, slot k
 * of row i is element i + k*m by columns, i*width + k by rows.  A slice of SELL has `slice` rows, also the
 * last one, and is stored by columns.  A block of BSR and BELL_BLOCKS (rocSPARSE) is stored by rows or by
 * columns; slot k of block row b of BELL_BLOCKS is index, and block, b + k*mb.  In BELL (cuSPARSE) it is
 * index b*width + k, and values are those of m rows, by rows, of width * brows each. */
#ifndef PSB_RAW_H
#define PSB_RAW_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_mat_types.h"
#include "psb_lang.h"
PSB_BEGIN_C

enum psb_raw_layout {
    PSB_RAW_COO,
    PSB_RAW_COO_AOS,
    PSB_RAW_CSR,
    PSB_RAW_CSC,
    PSB_RAW_ELL,
    PSB_RAW_SELL,
    PSB_RAW_BSR,
    PSB_RAW_BELL,
    PSB_RAW_BELL_BLOCKS,
    PSB_RAW_HYB,
    PSB_RAW_LAYOUTS /* number of layouts */
};

/* Width of HYB: the mean number of entries per row, rounded up, as in rocSPARSE. */
enum { PSB_RAW_AUTO = -1 };

/* Ownership of the arrays of raw_wrap: they remain with the caller, or pass to the matrix. */
enum psb_raw_owner { PSB_RAW_BORROW, PSB_RAW_TAKE };

typedef struct psb_raw {
    enum psb_raw_layout layout;
    int base;             /* first index and offset: 0 or 1 */
    int idx_bits;         /* bits of an index: 32 or 64 */
    int off_bits;         /* bits of an offset, if the layout has offsets: 32 or 64 */
    enum psb_order order; /* PSB_BY_ROWS or PSB_BY_COLS: in a block (BSR, BELL_BLOCKS), ELL, HYB's ELL part */
    psb_ipk brows, bcols; /* rows and columns of a block: BSR; BELL has square blocks of brows */
    psb_ipk slice;        /* SELL: rows of a slice */
    psb_ipk m, n;         /* of the matrix, also for blocks, where other libraries count m / brows */
    psb_epk nnz;          /* entries; HYB: of the COO part; BSR: blocks; unused for ELL and BELL */
    psb_ipk width;        /* ELL, HYB: slots of a row; BELL: blocks of a block row */
    psb_epk stored;       /* SELL: elements, padding included */
    int zeros;            /* 1: import treats zeros in a block as entries */
} psb_raw;

/* Number of elements of each array; 0 if the layout does not have it. */
typedef struct psb_raw_sizes {
    psb_epk off, row, col, val, ell_col, ell_val;
} psb_raw_sizes;

/* *len = number of elements of the arrays that r describes.  PSB_EARG names the invalid member if raw_import
 * would not accept r.  Local. */
PSB_MUST_CHECK psb_err psb_raw_lengths(const struct psb_raw *r, struct psb_raw_sizes *len);

/* The calls of psb_raw.t.h for any scalar. */
#define psb_raw_import(r, from, dupl, mold, a) PSB_FRONT_NEW(a, mat, raw_import)(r, from, dupl, mold, a)
#define psb_raw_wrap(r, from, owner, a)        PSB_FRONT_NEW(a, mat, raw_wrap)(r, from, owner, a)
#define psb_raw_export(a, r, to)               PSB_FRONT(a, mat, raw_export)(a, r, to)
#define psb_raw_view(a, r, v)                  PSB_FRONT(a, mat, raw_view)(a, r, v)
PSB_END_C
#endif
