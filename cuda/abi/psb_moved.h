/* psb_moved.h -- cuda/abi: what a product reads and writes; included by C and CUDA. */
#ifndef PSB_MOVED_H
#define PSB_MOVED_H
#include <stddef.h>
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Bytes of a product: of the matrix, and of x and y with one column. */
struct psb_moved {
    psb_epk matrix, vectors;
};

/* An m x n matrix in `matrix` bytes, with scalars of value_bytes. */
static inline struct psb_moved psb_moved_of(psb_ipk m, psb_ipk n, size_t value_bytes, size_t matrix)
{
    const struct psb_moved b = { (psb_epk)matrix, ((psb_epk)m + n) * (psb_epk)value_bytes };
    return b;
}
PSB_END_C
#endif
