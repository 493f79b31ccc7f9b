/* psb_tiling.h -- cuda/abi: the sizes of tiles of CSR, and how their rows are summed. */
#ifndef PSB_TILING_H
#define PSB_TILING_H
#include <stddef.h>
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* How the rows of a tile of CSR (see psb_csr_plan.h) are summed.  Coalesced: threads read x row by row.
 * Scattered: all threads load x at once, and rows are summed from the products.  Segmented: the same, but
 * every thread adds equally many products, however long the rows are. */
enum psb_tiling { PSB_TILES_COALESCED, PSB_TILES_SCATTERED, PSB_TILES_SEGMENTED };

/* Threads of the block that processes a tile; rows of a tile; places for its entries in shared memory;
 * entries; consecutive entries that a thread adds if tiles are segmented.  Measured for values of each size,
 * see docs/decisions. */
#define PSB_TILE_THREADS(value_bytes) ((value_bytes) == 16 ? 128 : (value_bytes) == 4 ? 512 : 256)
#define PSB_TILE_ROWS(value_bytes, tiling) \
    ((tiling) != PSB_TILES_SEGMENTED ? PSB_TILE_THREADS(value_bytes) : (value_bytes) == 4 ? 2048 : 1024)
#define PSB_TILE_CAPACITY(value_bytes, tiling) \
    ((value_bytes) == 4 ? 4096 : (value_bytes) < 16 ? 2048 : (tiling) == PSB_TILES_COALESCED ? 1024 : 512)
#define PSB_TILE_ENTRIES(value_bytes, tiling) (PSB_TILE_CAPACITY(value_bytes, tiling) - 4)
#define PSB_TILE_SHARE(value_bytes) \
    (PSB_TILE_CAPACITY(value_bytes, PSB_TILES_SEGMENTED) / PSB_TILE_THREADS(value_bytes))
PSB_END_C
#endif
