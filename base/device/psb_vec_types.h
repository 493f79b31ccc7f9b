/* psb_vec_types.h -- base/device: limits and choices of calls on vectors of all scalars. */
#ifndef PSB_VEC_TYPES_H
#define PSB_VEC_TYPES_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_vmold.h"
PSB_BEGIN_C

/* Dot products computed in one pass with a matrix product, and quotients of scalars after them, at most: see
 * psb_spmv_fused. */
enum { PSB_MOST_DOTS = 3, PSB_MOST_RATIOS = 2 };

/* Sums of vectors computed in one pass, at most: see psb_geaxpbys. */
enum { PSB_MOST_SUMS = 2 };

/* Vectors that one pass multiplies with a vector, or adds to one, at most: GMRES(30) needs one pass.  A warp
 * of a GPU has a lane for each. */
enum { PSB_MOST_VECTORS = 32 };

/* Columns of a vector that is multiplied by a matrix, or of which all products are computed, at most. */
enum { PSB_MOST_BLOCK = 64 };

/* What psb_ovrl stores in a row with several owners: the value it has; the sum over the owners; that sum
 * divided by their number, or by its square root; the sum on the lowest owner and 0 on the others. */
typedef enum psb_ovrl { PSB_OVRL_NONE, PSB_OVRL_SUM, PSB_OVRL_AVG, PSB_OVRL_SQRT, PSB_OVRL_ZERO } psb_ovrl;

/* Diagonals on each side of the main one of a banded system, at most. */
enum { PSB_MOST_WIDTH = 2 };

/* Banded systems: see psb_band_solve.  Arrays have element i of system s at i row + s system, and x, of
 * right-hand side c, at i row + s system + c rhs; for systems one after the other row is 1 and `system` at
 * least n, for interleaved ones `system` is 1 and row at least `systems`.  A stride is used if its direction
 * has several elements, and positive. */
typedef struct psb_band {
    int width;           /* diagonals on each side: 1, tridiagonal, or 2, pentadiagonal */
    int pivot;           /* 1: rows are exchanged; 0: not, as suffices for diagonally dominant matrices */
    int periodic;        /* 1: the first and the last rows are neighbours; 0: not */
    psb_ipk n;           /* rows of a system */
    psb_ipk systems;     /* number of systems */
    int nrhs;            /* right-hand sides of a system */
    psb_epk row, system; /* elements from one to the next */
    psb_epk rhs;         /* elements of x from one to the next */
} psb_band;

/* What is known of a list of indices: nothing; all are in range; none occurs twice; they ascend. */
typedef enum psb_sparse_order {
    PSB_SV_UNCHECKED,
    PSB_SV_ANY,
    PSB_SV_DISTINCT,
    PSB_SV_ASCENDING
} psb_sparse_order;

/* The places of a sparse vector: element k has index idx[k], base <= idx[k] < n + base, in any order. */
typedef struct psb_sparse {
    psb_ipk n;              /* elements of the dense vector */
    psb_ipk nnz;            /* elements of the sparse vector */
    int base;               /* 0 or 1 */
    const psb_ipk *idx;     /* where the other arrays are */
    psb_sparse_order order; /* set by psb_sv_check; 0: each call checks the list */
} psb_sparse;

/* Check the list of v, and set v->order.  Calls with v do not check it again: its indices and the other
 * members stay as they are.  mold: where v->idx is, NULL: on the host.  PSB_EARG names the first index that
 * is out of range; after an error v->order is 0.  PSB_ENOMEM, PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err psb_sv_check(psb_sparse *v, const struct psb_vmold *mold);

/* What a product of matrices adds and multiplies: a_ij x_j, summed over the stored entries of a row; the
 * least a_ij + x_j; the largest a_ij x_j; 1 if an a_ij and its x_j are not 0, else 0.  Without entries: 0,
 * infinity, minus infinity, 0.  The least and the largest ignore terms that are NaN. */
typedef enum psb_semiring { PSB_PLUS_TIMES, PSB_MIN_PLUS, PSB_MAX_TIMES, PSB_OR_AND } psb_semiring;

PSB_END_C
#endif
