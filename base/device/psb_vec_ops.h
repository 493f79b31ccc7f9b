/* psb_vec_ops.h -- base/device: what vector operations of all scalars, on the host and on devices, have in
 * common; read by C and CUDA. */
#ifndef PSB_VEC_OPS_H
#define PSB_VEC_OPS_H
#include <stdbool.h>
#include "psb_column.h"
#include "psb_int.h"
#include "psb_vec_types.h"

/* Which rows the dot products of an epilogue cover: all, or, in two calls, some and then the rest. */
enum psb_sum_part { PSB_SUM_WHOLE, PSB_SUM_FIRST, PSB_SUM_LAST };

/* What a device keeps of the first rows' dot products: the sums of `blocks` blocks of threads. */
struct psb_kept_sums {
    const void *of_block;
    psb_epk blocks;
};

/* Operations on elements of a sparse and a dense vector (sparse_steps.h): val = y; val = conj(y); val = y,
 * y = 0; y = val; y += a val; y = a y; a rotation; y = s y for all elements, then y += a val, of an ascending
 * list. */
enum psb_sparse_kind {
    PSB_SV_GATHER,
    PSB_SV_CONJUGATES,
    PSB_SV_TAKE,
    PSB_SV_SCATTER,
    PSB_SV_ADD,
    PSB_SV_SCALE,
    PSB_SV_ROTATE,
    PSB_SV_SCALE_AND_ADD
};

/* Where the elements of a batch of dense matrices are: (i, j) of matrix b at i row + j col + b batch. */
struct psb_places {
    psb_epk row, col, batch;
};

/* A matrix A of m rows in CSR, and dense ones; entry e of matrix b of a batch has the value e + b values.
 * conjugate: elements of X count as their conjugates.  upper, unit, op: of a triangle. */
struct psb_row_products {
    enum psb_semiring over;
    psb_ipk m, k, batch;
    psb_epk nnz, values;
    const psb_epk *off;
    const psb_ipk *ja;
    struct psb_places x, y;
    bool conjugate, upper, unit;
    char op;
};

/* The factor, of the real type R, of the sum over n owners; `lowest`: this process is the lowest owner. Where
 * it is 0 the row becomes 0, whatever the sum is. */
#define PSB_OWNERS_FACTOR(R, op, n, lowest) \
    ((op) == PSB_OVRL_AVG    ? 1 / (R)(n) \
     : (op) == PSB_OVRL_SQRT ? 1 / (R)sqrt((double)(n)) \
                             : (R)((op) != PSB_OVRL_ZERO || (lowest)))
#endif
