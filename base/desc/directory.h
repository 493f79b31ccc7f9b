/* directory.h -- room: base/desc.  Who owns what, written down on all processes together.
 *
 * Global index g is looked up on process g / chunk, its home.  A home knows its chunk either as runs (blocks
 * of consecutive rows) or index by index. */
#ifndef PSB_DIRECTORY_H
#define PSB_DIRECTORY_H
#include "group.h"

struct psb_dir {
    psb_lpk nglob, chunk, base; /* base: the first index of my chunk */
    psb_ipk nrun;               /* runs: from lo[r] on, owner[r]; */
    psb_lpk *lo;                /* NULL: index by index, base + i is owned by owner[i] */
    int *owner;
};

/* Process h's home range has this length for n indices over np processes, the last one's maybe less. */
psb_lpk psb_dir_chunk(psb_lpk n, int np);

/* A directory where this process owns lo .. lo+n-1 of nglob, all ranges consecutive in rank order.
 * Collective. */
PSB_MUST_CHECK psb_err psb_dir_runs(struct psb_dir *d, psb_ctxt *ctxt, psb_lpk nglob, psb_lpk lo, psb_lpk n);

/* Rows with several owners, as their homes see them: pairs (row, owner), ordered. */
struct psb_pair {
    psb_lpk row, rank;
};

/* A directory where this process owns g[0..n) of nglob; an index that nobody owns is an error that names it.
 * *twice, freed by psb_free, holds what of my chunk has several owners; the directory knows the lowest.
 * Collective. */
PSB_MUST_CHECK psb_err psb_dir_list(struct psb_dir *d, psb_ctxt *ctxt, psb_lpk nglob, psb_ipk n,
                                    const psb_lpk *g, struct psb_pair **twice, psb_ipk *ntwice);

/* Who owns g[0..n)?  Collective. */
PSB_MUST_CHECK psb_err psb_dir_owners(const struct psb_dir *d, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g,
                                      int *owner);

PSB_MUST_CHECK psb_err psb_dir_copy(struct psb_dir *d, const struct psb_dir *of);
size_t psb_dir_bytes(const struct psb_dir *d);
void psb_dir_free(struct psb_dir *d);
#endif
