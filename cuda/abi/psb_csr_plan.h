/* psb_csr_plan.h -- cuda/abi: CSR divided into tiles of equal work.
 *
 * A tile has whole rows, at most PSB_TILE_ROWS of them and PSB_TILE_ENTRIES entries (psb_tiling.h).  A longer
 * row is cut into several tiles, whose sums are added in their order, so that a product has the same bits
 * every time.  The begin of a row within its tile is stored in 16 bits, which a kernel reads instead of row
 * pointers of 64 bits.  If tiles are segmented, the plan also has a bit for each entry of a tile, set if a
 * row begins there; the byte of thread t holds those of the entries that this thread adds, PSB_TILE_SHARE of
 * them from entry t * PSB_TILE_SHARE on, counted from the last multiple of four before the tile's first
 * entry.  One more bit is set after the last entry.  After Greathouse and Daga, "Efficient sparse
 * matrix-vector multiplication on GPUs using the CSR storage format", SC 2014. */
#ifndef PSB_CSR_PLAN_H
#define PSB_CSR_PLAN_H
#include "psb_dual.h"
#include "psb_int.h"
#include "psb_lang.h"
#include "psb_tiling.h"
PSB_BEGIN_C

struct psb_csr_dev;
struct psb_reading;

struct psb_csr_plan {
    psb_epk ntiles;
    psb_ipk nsplit, nparts;
    enum psb_tiling tiling;
    int spread;
    struct psb_dual tile, begin, split, starts; /* as in psb_csr_dev */
};

/* Make the plan of m rows, row i with the entries irp[i] .. irp[i+1]-1 of value_bytes each, for device `on`;
 * x: see locality.h.  *p is all zeros, and remains so on error.  PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err psb_csr_plan_make(struct psb_csr_plan *p, psb_ipk m, const psb_epk *irp,
                                         size_t value_bytes, const struct psb_reading *x,
                                         const struct psb_device *on);
void psb_csr_plan_free(struct psb_csr_plan *p);

/* Bytes of one copy. */
size_t psb_csr_plan_bytes(const struct psb_csr_plan *p);

/* Set the members of *d that belong to the plan; the pointers are to device memory. */
PSB_MUST_CHECK psb_err psb_csr_plan_read(struct psb_csr_plan *p, struct psb_csr_dev *d);

PSB_END_C
#endif
