/* psb_csr_plan.h -- room: cuda/abi.  CSR cut into tiles of equal work.
 *
 * A tile has at most PSB_TILE_ROWS rows and PSB_TILE_ENTRIES entries, whole rows; a row that is longer is cut
 * into tiles of its own, whose sums are added in the order they lie in, so that a product has the same bits
 * every time.  Where a row begins is stored within its tile, in 16 bits, which a kernel reads instead of the
 * row pointers of 64.  After Greathouse and Daga, "Efficient sparse matrix-vector multiplication on GPUs
 * using the CSR storage format", SC 2014. */
#ifndef PSB_CSR_PLAN_H
#define PSB_CSR_PLAN_H
#include "psb_dual.h"
#include "psb_int.h"

struct psb_csr_dev;

struct psb_csr_plan {
    psb_epk ntiles;
    psb_ipk nsplit, nparts;
    psb_ipk scattered;                  /* see locality.h */
    struct psb_dual tile, begin, split; /* as in psb_csr_dev */
};

/* Make the plan of m rows, of which row i has the entries irp[i] up to irp[i+1], columns ja (NULL: the caller
 * sets `scattered`), for a device; *p is empty (zeros), and on error stays so.  PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err psb_csr_plan_make(struct psb_csr_plan *p, psb_ipk m, const psb_epk *irp,
                                         const psb_ipk *ja, const struct psb_device *on);
void psb_csr_plan_free(struct psb_csr_plan *p);

/* Bytes of one copy. */
size_t psb_csr_plan_bytes(const struct psb_csr_plan *p);

/* The plan's part of *d, on the device. */
PSB_MUST_CHECK psb_err psb_csr_plan_read(struct psb_csr_plan *p, struct psb_csr_dev *d);

/* Is x met at random by a matrix of m rows; over how many elements (see locality.h)?  Local. */
psb_ipk psb_rows_are_scattered(psb_ipk m, const psb_epk *irp, const psb_ipk *ja);
#endif
