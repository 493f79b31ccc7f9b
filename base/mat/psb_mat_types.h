/* psb_mat_types.h -- base/mat: states, orders and blocks of local matrices. */
#ifndef PSB_MAT_TYPES_H
#define PSB_MAT_TYPES_H
#include "psb_dupl.h"
#include "psb_int.h"
#include <stdio.h>

/* State of a matrix: under assembly (BLD), assembled (ASB), or values being replaced on a fixed pattern
 * (UPD). */
enum psb_mat_state { PSB_MAT_NULL, PSB_MAT_BLD, PSB_MAT_ASB, PSB_MAT_UPD };

/* Storage order of entries: none; by rows, and by columns within a row; by columns, and by rows within a
 * column. */
typedef enum psb_order { PSB_UNSORTED, PSB_BY_ROWS, PSB_BY_COLS } psb_order;

/* Rows imin <= i < imax, columns jmin <= j < jmax. */
struct psb_block {
    psb_ipk imin, imax, jmin, jmax;
};
#endif
