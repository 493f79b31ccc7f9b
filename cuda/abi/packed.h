/* packed.h -- room: cuda/abi.  Columns of a matrix in as few bytes as they need.
 *
 * 32 rows are a strip.  Its entries lie in slots, a lane of a slot for each row: lane l has a value, and
 * stands in column base + l + d, where d takes 0, 1, 2 or 4 bytes in all lanes: none on a diagonal, few in a
 * band. What most rows of a strip have on one diagonal is a slot of none; what is left of each row lies in
 * others, in its order.  A lane without an entry is not in the slot's mask. */
#ifndef PSB_PACKED_H
#define PSB_PACKED_H
#include "psb_dual.h"
#include "packed_strip.h"

/* The columns of a matrix, to be packed: entry k of row i is ja[first(i) + k * rows], see hll.t.h. */
struct psb_packing {
    psb_ipk m;
    psb_epk rows;
    const psb_epk *off;
    const psb_ipk *irn, *ja;
};

struct psb_packed {
    struct psb_dual strip; /* struct psb_strip */
    struct psb_dual slot;  /* struct psb_slot; those of a strip by their bytes, those of none by base */
    struct psb_dual bytes; /* unsigned char */
    struct psb_dual left;  /* psb_ipk, for the host: which slot of the strip has what of a row is left, in
                              order,  behind as many places as there are slots of no byte */
};

/* *p was all zeros, or freed.  PSB_ENOMEM, *p is freed then.  Local. */
PSB_MUST_CHECK psb_err psb_pack(const struct psb_packing *q, const struct psb_device *on,
                                struct psb_packed *p);

void psb_packed_free(struct psb_packed *p);

/* Slots in all. */
psb_epk psb_packed_slots(const struct psb_packed *p);

/* Goes along a row, lane `lane` of a strip, whose slots and places left begin here. */
struct psb_along {
    const struct psb_slot *slot;
    const psb_ipk *left;
    psb_ipk lane, plain, next;
};

/* The slot of its next entry, in column j. */
static inline psb_ipk psb_along_slot(struct psb_along *w, psb_ipk j)
{
    const psb_epk d = (psb_epk)j - w->lane;
    while (w->next < w->plain && w->slot[w->next].base < d)
        w->next++;
    return w->next < w->plain && w->slot[w->next].base == d ? w->next++ : *w->left++;
}

/* Where entry 0 of row i stands. */
static inline psb_epk psb_packing_first(const struct psb_packing *q, psb_ipk i)
{
    return q->off[i / q->rows] + i % q->rows;
}
#endif
