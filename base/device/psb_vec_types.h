/* psb_vec_types.h -- base/device: limits and choices of calls on vectors of all scalars. */
#ifndef PSB_VEC_TYPES_H
#define PSB_VEC_TYPES_H

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

#endif
