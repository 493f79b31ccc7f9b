/* packed_column.h -- room: cuda.  A column that was packed, as packed.h says; read by C and CUDA. */
#ifndef PSB_PACKED_COLUMN_H
#define PSB_PACKED_COLUMN_H
#include "psb_int.h"

/* code 0, 1, 2, 3: d is nothing, a byte, two, four.  The d of lane l is number l of those that begin
 * (start[hack] + at) * rows bytes from the first; code and at are bits 0..1 and 2..31. */
struct psb_slot {
    psb_ipk base;
    uint32_t at_code;
};
#endif
