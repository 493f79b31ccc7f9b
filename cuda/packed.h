/* packed.h -- room: cuda.  Columns of HLL in as few bytes as they need.
 *
 * The entries of a hack's rows that stand in one stored column of it are a slot.  Lane l, the l-th row of the
 * hack, has its entry there in column base + l + d, where d takes 0, 1, 2 or 4 bytes in all lanes: none on a
 * diagonal, few in a band.  Lanes without an entry say nothing. */
#ifndef PSB_PACKED_H
#define PSB_PACKED_H
#include "psb_dual.h"
#include "packed_column.h"

struct psb_hacks;

/* The slots of hack h are off[h] / rows and on. */
struct psb_packed {
    struct psb_dual start; /* psb_epk, hacks + 1 */
    struct psb_dual slot;  /* struct psb_slot */
    struct psb_dual bytes; /* unsigned char, start[hacks] * rows */
};

/* The columns ja of hacks g, packed, to be read on device `on`; irn are the lengths of rows.  *p was all
 * zeros, or freed.  PSB_ENOMEM, *p is freed then.  Rows of a hack are a multiple of 4.  Local. */
PSB_MUST_CHECK psb_err psb_pack(const struct psb_hacks *g, const psb_ipk *irn, const psb_ipk *ja,
                                const struct psb_device *on, struct psb_packed *p);

void psb_packed_free(struct psb_packed *p);

#endif
