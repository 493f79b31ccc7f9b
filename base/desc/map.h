/* map.h -- base/desc: index maps: the global rows that a process owns, and their local numbers.
 *
 *   block       consecutive rows, processes in rank order
 *   list        ascending rows in few runs of consecutive indices: two numbers for each run
 *   hash        any rows in any local order: a hash table of the rows owned
 *   replicated  every process owns all rows
 *   ordered     the rows of another map in another local order
 *
 * The owners of all rows are in a directory distributed over the processes (directory.h), so no process holds
 * an array of global length, nor one with an element for each process. */
#ifndef PSB_MAP_H
#define PSB_MAP_H
#include "directory.h"
#include "hash.h"
#include <stdbool.h>

struct psb_map;

struct psb_map_ops {
    const char *name;
    size_t size; /* bytes of the struct of this kind, which begins with a struct psb_map */
    /* Return the local number of global index g, or -1 if it is not owned here.  Local. */
    psb_ipk (*g2l)(const struct psb_map *m, psb_lpk g);
    /* Return the global index of local number l, 0 <= l < nrow.  Local. */
    psb_lpk (*l2g)(const struct psb_map *m, psb_ipk l);
    /* Copy to m the arrays that only this kind of map has; the other members are copied already.  The bytes
     * of these arrays.  Free them.  NULL: it has none.  Local. */
    psb_err (*copy)(struct psb_map *m, const struct psb_map *of);
    size_t (*bytes)(const struct psb_map *m);
    void (*free)(struct psb_map *m);
};

/* Rows owned here and by other processes: shared row k is local row loc[k], owned by the ranks
 * rank[start[k]] .. rank[start[k+1]-1], ascending, this process included. */
struct psb_shared_rows {
    psb_ipk n;
    psb_ipk *loc, *start;
    int *rank;
};

/* What all kinds of maps have. */
struct psb_map {
    const struct psb_map_ops *ops;
    psb_lpk nglob;
    psb_ipk nrow;
    int me, np;
    bool one_run; /* the rows here are lo .. lo+nrow-1, in this order */
    bool several; /* some rows have several owners, on this process or on others */
    bool replicated;
    psb_lpk lo;
    struct psb_dir dir;
    struct psb_shared_rows shared;
};

/* Make *m a block map with nl rows here.  A map is freed by psb_map_free, also after an error.  Collective.
 */
PSB_MUST_CHECK psb_err psb_map_block(struct psb_map **m, psb_ctxt *ctxt, psb_ipk nl);

/* Make *m a list or hash map with the rows vl[0..nl) here, which differ, in this local order; each of the
 * indices 0 .. N-1 is in at least one process's list.  ng: N, the same on all processes, or -1: one more than
 * the largest index.  Collective. */
PSB_MUST_CHECK psb_err psb_map_list(struct psb_map **m, psb_ctxt *ctxt, psb_lpk ng, psb_ipk nl,
                                    const psb_lpk *vl);

/* Make *m a map with all n rows on every process.  Local. */
PSB_MUST_CHECK psb_err psb_map_repl(struct psb_map **m, psb_ctxt *ctxt, psb_ipk n);

/* Make *m a map of the rows of `of`, whose local row to[i] is row i here; from: the inverse.  Both must
 * outlive the map and its copies.  Local. */
PSB_MUST_CHECK psb_err psb_map_ordered(struct psb_map **m, const struct psb_map *of, const psb_ipk *to,
                                       const psb_ipk *from);

/* Copy `of` to *m.  Local. */
PSB_MUST_CHECK psb_err psb_map_copy(struct psb_map **m, const struct psb_map *of);

/* Store in owner[i] the rank that owns g[i], 0 <= g[i] < nglob, i < n: the lowest of several, this process
 * for a replicated map.  Collective. */
PSB_MUST_CHECK psb_err psb_map_owners(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g,
                                      int *owner);

/* The size of the map in bytes; free it, NULL is fine.  Local. */
size_t psb_map_bytes(const struct psb_map *m);
void psb_map_free(struct psb_map *m);

/* ops->g2l, without the indirect call if the rows are one run. */
static inline psb_ipk psb_map_g2l(const struct psb_map *m, psb_lpk g)
{
    if (!m->one_run)
        return m->ops->g2l(m, g);
    uint64_t l = (uint64_t)g - (uint64_t)m->lo;
    return l < (uint64_t)m->nrow ? (psb_ipk)l : -1;
}
#endif
