/* grid.cuh -- cuda/kernels: grids of limited size, whose blocks loop over the data. */
#ifndef PSB_GRID_CUH
#define PSB_GRID_CUH
#include "psb_int.h"

constexpr int THREADS = 256, BLOCKS = 65536; /* of a block; the most of a grid */

/* The number of blocks for n elements, `each` of them a block, at most `most`. */
static inline int blocks(psb_epk n, int each, int most = BLOCKS)
{
    const psb_epk need = (n + each - 1) / each;
    return (int)(need < most ? need : most);
}
#endif
