/* psb_mat.h -- base/mat: what the matrix classes of all four scalars have in common. */
#ifndef PSB_MAT_H
#define PSB_MAT_H
#include "psb_mat_types.h"
#include "psb_dual.h"
#include "psb_onesided.h"
#include <stdbool.h>

/* Properties of a matrix besides its entries, each 0 or 1.  `unit` with `triangle`: the diagonal is all ones
 * and not stored. */
struct psb_mat_flags {
    enum psb_mat_state state;
    unsigned char triangle, upper, unit, symmetric;
};

/* Which n entries of a list make the values of a matrix in CSR: the k-th is entry order[k], or k if `order`
 * holds nothing, and goes into value place[k + 1] - 1; those of one value follow each other in the order in
 * which they are merged, and every value has some. */
struct psb_sources {
    psb_epk n;
    struct psb_dual order, place; /* psb_epk, n or more and n + 1 */
};

/* Declare k: the operations of the nearest format, from that of a upwards through `super`, that fills the
 * slot, as entries.walk.  The root fills all slots. */
#define PSB_WITH_SLOT(k, a, slot) \
    const struct X(mat_ops) *k = (a)->ops; \
    while (!k->slot) \
    k = k->super->ops

/* Does the device of a fill this slot? */
#define PSB_DEVICE_DOES(a, slot) (X(mat_dev)(a)->storage && X(mat_dev)(a)->storage->slot)

/* Declare e, and return what the device of a does in place of the slot, unless it leaves that to the host. */
#define PSB_ON_DEVICE(e, a, slot, ...) \
    psb_err e = PSB_DEVICE_DOES(a, slot) ? X(mat_dev)(a)->storage->slot(__VA_ARGS__) : PSB_ENOTIMPL; \
    if (e != PSB_ENOTIMPL) \
    return PSB_PASS(e)

/* PSB_EARG unless the argument dupl is one of the enum.  Local. */
static inline PSB_MUST_CHECK psb_err psb_dupl_check(enum psb_dupl dupl)
{
    PSB_CHECK(dupl == PSB_DUPL_ADD || dupl == PSB_DUPL_OVERWRITE || dupl == PSB_DUPL_ERROR, PSB_EARG,
              "argument dupl is %d; expected one of enum psb_dupl", (int)dupl);
    return PSB_OK;
}

/* Maximum number of arrays of a format. */
enum { PSB_MOST_ARRAYS = 8 };

/* A row or column of at most this many entries is sorted without scratch memory. */
enum { PSB_SHORT_SORT = 24 };

/* csput with at most this many entries allocates no memory: it succeeds if all entries are stored. */
enum { PSB_FEW_ENTRIES = 256 };

/* Error message of csput for an entry that is not stored; arguments: number of the entry, row, column. */
#define PSB_NO_ENTRY "entry %" PRId64 ", row %d, column %d, is not in the pattern; expected one that is"
#endif
