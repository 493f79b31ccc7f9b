/* columns.h -- room: base/desc.  Columns of a local matrix that takes entries from elsewhere: the local numbers of
 * a descriptor first, behind them a number for each index that it does not know.  Indices count from 0. */
#ifndef PSB_COLUMNS_H
#define PSB_COLUMNS_H
#include "desc.h"

struct psb_columns {
    const psb_desc *d;    /* assembled */
    struct psb_hash more; /* global index -> place in list */
    psb_lpk *list;
    size_t cap;
};

/* *l = the number of global index g, a new one where it has none.  Local. */
PSB_MUST_CHECK psb_err psb_columns_add(struct psb_columns *c, psb_lpk g, psb_ipk *l);

/* How many numbers there are; the global index of one.  Local. */
psb_ipk psb_columns_count(const struct psb_columns *c);
psb_lpk psb_columns_global(const struct psb_columns *c, psb_ipk l);

void psb_columns_free(struct psb_columns *c);

/* The place of i in list[0..n), which ascends, -1 where it is not there.  Local. */
psb_ipk psb_find_ascending(psb_ipk i, const psb_ipk *list, psb_ipk n);

/* Do a and b own the same rows here, in the same local order?  Local. */
int psb_desc_same_rows(const psb_desc *a, const psb_desc *b);

/* PSB_ENOTIMPL where rows or columns here are owned by several processes, unless all own all.  Local. */
PSB_MUST_CHECK psb_err psb_desc_one_owner(const psb_desc *row, const psb_desc *col);
#endif
