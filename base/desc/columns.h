/* columns.h -- base/desc: column numbers of a local matrix that receives entries from other processes:
 * the local numbers of a descriptor, then a number for each index that is not in the descriptor.  Indices
 * count from 0. */
#ifndef PSB_COLUMNS_H
#define PSB_COLUMNS_H
#include "desc.h"

struct psb_columns {
    const psb_desc *d;    /* assembled */
    struct psb_hash more; /* global index -> place in list */
    psb_lpk *list;
    size_t cap;
};

/* Store in *l the number of global index g, a new one if it has none.  Local. */
PSB_MUST_CHECK psb_err psb_columns_add(struct psb_columns *c, psb_lpk g, psb_ipk *l);

/* Return the count of numbers; the global index of number l.  Local. */
psb_ipk psb_columns_count(const struct psb_columns *c);
psb_lpk psb_columns_global(const struct psb_columns *c, psb_ipk l);

/* Create *d, in state BUILD, like c->d but with the halo of the numbers l with used[l] that others own.
 * Local. */
PSB_MUST_CHECK psb_err psb_columns_describe(const struct psb_columns *c, const unsigned char *used,
                                            psb_desc **d);

/* Free the memory; NULLs are fine. */
void psb_columns_free(struct psb_columns *c);

/* Return k with list[k] == i, -1 if there is none; list[0..n) ascends.  Local. */
psb_ipk psb_find_ascending(psb_ipk i, const psb_ipk *list, psb_ipk n);

/* PSB_ENOTIMPL if rows or columns here are owned by several processes, unless both descriptors are
 * replicated. Local. */
PSB_MUST_CHECK psb_err psb_desc_one_owner(const psb_desc *row, const psb_desc *col);
#endif
