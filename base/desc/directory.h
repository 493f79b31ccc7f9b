/* directory.h -- base/desc: the distributed directory: the owners of all global indices.
 *
 * The owner of global index g is stored on process g / chunk, its home.  A home stores the owners of its
 * chunk either by runs of consecutive indices or one by one. */
#ifndef PSB_DIRECTORY_H
#define PSB_DIRECTORY_H
#include "group.h"

struct psb_dir {
    psb_lpk nglob, chunk, base; /* base: the first index of this process's chunk */
    psb_ipk nrun;               /* run r begins at index lo[r] and is owned by owner[r] */
    psb_lpk *lo;                /* NULL: no runs, index base + i is owned by owner[i] */
    int *owner;
};

/* Return the length of a chunk for n indices over np processes; the last chunks may be shorter. */
psb_lpk psb_dir_chunk(psb_lpk n, int np);

/* Make a directory in which this process owns lo .. lo+n-1 of nglob, all ranges consecutive in rank order.
 * Collective. */
PSB_MUST_CHECK psb_err psb_dir_runs(struct psb_dir *d, psb_ctxt *ctxt, psb_lpk nglob, psb_lpk lo, psb_lpk n);

/* A row with several owners, and one of its owners. */
struct psb_pair {
    psb_lpk row, rank;
};

/* Make a directory in which this process owns g[0..n) of nglob.  An index without owner is an error that
 * names it.  For indices with several owners the directory stores the lowest; (*twice)[0..*ntwice), freed by
 * psb_free, are all their owners, those of this process's chunk, ordered by row, then by rank.  Collective.
 */
PSB_MUST_CHECK psb_err psb_dir_list(struct psb_dir *d, psb_ctxt *ctxt, psb_lpk nglob, psb_ipk n,
                                    const psb_lpk *g, struct psb_pair **twice, psb_ipk *ntwice);

/* Store in owner[i] the owner of g[i], i < n.  Collective. */
PSB_MUST_CHECK psb_err psb_dir_owners(const struct psb_dir *d, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g,
                                      int *owner);

/* *d: a copy of the directory; its size in bytes; free its memory.  Local. */
PSB_MUST_CHECK psb_err psb_dir_copy(struct psb_dir *d, const struct psb_dir *of);
size_t psb_dir_bytes(const struct psb_dir *d);
void psb_dir_free(struct psb_dir *d);
#endif
