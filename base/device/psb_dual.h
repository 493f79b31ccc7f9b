/* psb_dual.h -- base/device: an array with a copy on the host and a copy on a device.
 *
 * `valid` tells which copies hold the current values; only dual.c changes it.  The caller says how it will
 * use the array and gets a pointer to the copy on the side it works on:
 *
 *   read    the copy holds the current values; the other copy stays valid; the array may be const, since only
 *           its copies change
 *   write   the caller overwrites all elements: nothing is transferred, the other copy becomes invalid
 *   update  the copy holds the current values and the caller changes some: the other copy becomes invalid */
#ifndef PSB_DUAL_H
#define PSB_DUAL_H
#include "psb_device.h"
PSB_BEGIN_C

enum psb_side { PSB_HOST = 1, PSB_DEV = 2 }; /* bits of `valid` */
enum { PSB_ZEROS = 4 }; /* value of `valid`: every element is 0, and no copy has been filled yet */

/* What arrays belong to, for the summary of memory (psb_log.h). */
enum psb_owner { PSB_OF_MATRICES, PSB_OF_VECTORS, PSB_OF_HALOS, PSB_OF_PRECS, PSB_OWNERS };

struct psb_dual {
    void *host, *dev;
    size_t bytes, size;          /* of the array; of an element */
    unsigned valid;              /* bits of enum psb_side, or PSB_ZEROS; 0: no values yet */
    unsigned long changes;       /* number of write and update calls */
    bool pinned;                 /* the pages of the host copy are pinned by on->pin */
    int transfers;               /* between the copies, counted up to PSB_PIN_AFTER: then pages are pinned */
    unsigned borrowed;           /* bits of enum psb_side: the copies that are memory of the caller */
    const struct psb_device *on; /* NULL: the array is on the host only */
    const char *name;            /* in errors and in the log of transfers */
    enum psb_owner owner;
};

/* Initialise d to an array of n elements of `size` bytes, with nothing allocated and no valid copy.
 * PSB_ENOMEM if n * size overflows.  What d held before must have been freed.  Local. */
PSB_MUST_CHECK psb_err psb_dual_init(struct psb_dual *d, size_t n, size_t size, const struct psb_device *on,
                                     const char *name);

/* Let arrays that this thread initialises from now on belong to `owner`, at first PSB_OF_MATRICES; return
 * what they belonged to.  Local. */
enum psb_owner psb_dual_owner(enum psb_owner owner);

/* Return the most bytes that arrays of `owner` have had at a time on side s; those of callers are not
 * counted.  Local. */
long long psb_dual_most(enum psb_owner owner, enum psb_side s);

/* Make `host`, memory of psb_alloc that holds the values, the host copy of d, which is as psb_dual_init left
 * it or has borrowed `host`.  psb_dual_free frees `host`.  Local. */
void psb_dual_adopt(struct psb_dual *d, void *host);

/* Set all elements of d, which psb_dual_init has initialised and nobody has written, to 0.  No memory is
 * allocated before the first access; a read or update fills the copy that it asks for, on its side.  Local.
 */
void psb_dual_zeros(struct psb_dual *d);

/* Exchange the copies of d and e, arrays of the same size on the same device: each has the other's values.
 * Counts as a write to both.  Local. */
void psb_dual_swap(struct psb_dual *d, struct psb_dual *e);

/* Make `memory`, which is the caller's and holds the values, the copy of d on side s (PSB_DEV: memory of
 * d->on); d is as psb_dual_init left it.  It must stay allocated until d is freed, and is neither freed here
 * nor kept for other arrays.  Writes to that copy go to it, until that copy is dropped or d is moved.  NULL
 * is fine if d has no elements.  Local. */
void psb_dual_borrow(struct psb_dual *d, enum psb_side s, void *memory);

/* PSB_EARG unless p, argument `name` of a call, is a multiple of `size`, the bytes of an element, as arrays
 * in memory of a device must be; on the host (on: NULL) any address is right.  Local. */
PSB_MUST_CHECK psb_err psb_dual_check(const struct psb_device *on, const char *name, const void *p,
                                      size_t size);

/* psb_dual_init of an array for device `on`, then psb_dual_borrow.  Errors as psb_dual_init.  Local. */
PSB_MUST_CHECK psb_err psb_dual_lend(struct psb_dual *d, size_t n, size_t size, const struct psb_device *on,
                                     const char *name, enum psb_side s, const void *memory);

/* Store in the pointer at `out` the address of the copy on side s, for the use that the name says (see
 * above). PSB_ESTATE if the array has no values yet (read, update), or if s is PSB_DEV and the array has no
 * device; PSB_EARG, PSB_ENOMEM, PSB_EDEVICE.  On error both copies are unchanged.  Local. */
PSB_MUST_CHECK psb_err psb_dual_read(const struct psb_dual *d, enum psb_side s, void *out);
PSB_MUST_CHECK psb_err psb_dual_write(struct psb_dual *d, enum psb_side s, void *out);
PSB_MUST_CHECK psb_err psb_dual_update(struct psb_dual *d, enum psb_side s, void *out);

/* Undo a failed write or update on side s: restore the other copy's validity from `was`, the value of
 * d->valid before the call.  Local. */
void psb_dual_undo(struct psb_dual *d, enum psb_side s, unsigned was);

/* Move *d to another device (NULL: to the host only); its values are kept.  Local. */
PSB_MUST_CHECK psb_err psb_dual_move(struct psb_dual *d, const struct psb_device *on);

/* Free the copy on side s if the other one is valid.  Local. */
void psb_dual_drop(struct psb_dual *d, enum psb_side s);

/* Free both copies; d is then as psb_dual_init left it.  Local. */
void psb_dual_free(struct psb_dual *d);

PSB_END_C
#endif
