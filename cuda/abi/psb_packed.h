/* psb_packed.h -- cuda/abi: column indices in 0, 1, 2 or 4 bytes per entry.
 *
 * A strip is 32 rows.  The entries of a strip are stored in slots; a slot has one lane for each row.  The
 * entry of lane l is in column base + l + d.  All lanes of a slot store d in the same number of bytes: 0 for
 * a diagonal, 1 or 2 in a band, else 4.  A diagonal on which most rows of the strip have an entry is a slot
 * of 0 bytes; the other entries of each row are in further slots, in their order.  If a lane has no entry,
 * its bit in the mask of the slot is clear. */
#ifndef PSB_PACKED_H
#define PSB_PACKED_H
#include "psb_dual.h"
#include "psb_packed_strip.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* The columns of a matrix to be packed: entry k of row i is ja[first(i) + k * rows], see psb_hll.t.h. */
struct psb_unpacked {
    psb_ipk m;
    psb_epk rows;
    const psb_epk *off;
    const psb_ipk *irn, *ja;
};

struct psb_packed {
    struct psb_dual strip; /* struct psb_strip */
    struct psb_dual slot;  /* struct psb_strip_slot; in a strip ordered by bytes, those of 0 bytes by base */
    struct psb_dual bytes; /* unsigned char */
    struct psb_dual left;  /* psb_ipk, host only; of each strip, after as many unused elements as it has slots
                              of 0 bytes: the slots of the remaining entries, in their order */
};

/* Pack the columns q into *p, which is all zeros or freed, for device `on`.  PSB_ENOMEM; *p is then freed.
 * Local. */
PSB_MUST_CHECK psb_err psb_pack(const struct psb_unpacked *q, const struct psb_device *on,
                                struct psb_packed *p);

/* Free the arrays.  Local. */
void psb_packed_free(struct psb_packed *p);

/* Number of slots of all strips. */
psb_epk psb_packed_slots(const struct psb_packed *p);

/* A walk over the entries of a row, which is lane `lane` of a strip; slot and left point to the first of the
 * strip. */
struct psb_row_walk {
    const struct psb_strip_slot *slot;
    const psb_ipk *left;
    psb_ipk lane, plain, next;
};

/* The slot of the next entry of the walk, which is in column j. */
static inline psb_ipk psb_row_walk_slot(struct psb_row_walk *w, psb_ipk j)
{
    const psb_epk d = (psb_epk)j - w->lane;
    while (w->next < w->plain && w->slot[w->next].base < d)
        w->next++;
    return w->next < w->plain && w->slot[w->next].base == d ? w->next++ : *w->left++;
}

/* The position of entry 0 of row i in ja. */
static inline psb_epk psb_unpacked_first(const struct psb_unpacked *q, psb_ipk i)
{
    return q->off[i / q->rows] + i % q->rows;
}
PSB_END_C
#endif
