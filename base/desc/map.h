/* map.h -- room: base/desc.  Who owns which global row: a small class of index maps.
 *
 *   block       consecutive rows, processes in rank order
 *   list        ascending rows in few runs: two numbers a run
 *   hash        any rows in any local order: a hash table of those owned
 *   replicated  every process owns all
 *
 * The owners of rows elsewhere stand in a directory spread over all processes (directory.h), so no process
 * holds anything of global length, nor of one element a process. */
#ifndef PSB_MAP_H
#define PSB_MAP_H
#include "directory.h"
#include "hash.h"

struct psb_map;

struct psb_map_ops {
    const char *name;
    /* The local number of a global index, or -1 where it is not mine.  Local. */
    psb_ipk (*g2l)(const struct psb_map *m, psb_lpk g);
    /* The global index of local number 0 <= l < nrow.  Local. */
    psb_lpk (*l2g)(const struct psb_map *m, psb_ipk l);
    /* m, all zero but what every map has, becomes a copy of `of`. */
    psb_err (*copy)(struct psb_map *m, const struct psb_map *of);
};

/* Rows owned here that others own too: row k is local row loc[k], owned by rank[start[k]] ..
 * rank[start[k+1]-1], ascending, this process among them. */
struct psb_shared_rows {
    psb_ipk n;
    psb_ipk *loc, *start;
    int *rank;
};

struct psb_map {
    const struct psb_map_ops *ops;
    psb_lpk nglob;
    psb_ipk nrow;
    int me, np;
    int one_run; /* the rows here are lo .. lo+nrow-1, in this order */
    psb_lpk lo;
    psb_ipk nrun; /* list: run r begins with global index lows[r] and local number begin[r] */
    psb_lpk *lows;
    psb_ipk *begin;       /* nrun + 1 */
    struct psb_hash hash; /* hash: local numbers, */
    psb_lpk *glob;        /* and global indices by local number */
    struct psb_dir dir;
    struct psb_shared_rows shared;
    int several; /* some rows have several owners, here or elsewhere */
    int replicated;
};

/* Consecutive blocks, nl rows here.  Collective. */
PSB_MUST_CHECK psb_err psb_map_block(struct psb_map *m, psb_ctxt *ctxt, psb_ipk nl);

/* The rows vl[0..nl) here, in this local order, none twice; all processes' lists together are 0 .. N-1, some
 * indices may stand in several lists.  ng: N, the same on all processes, or -1: what the lists say.
 * Collective. */
PSB_MUST_CHECK psb_err psb_map_list(struct psb_map *m, psb_ctxt *ctxt, psb_lpk ng, psb_ipk nl,
                                    const psb_lpk *vl);

/* All n rows on every process.  Local. */
void psb_map_repl(struct psb_map *m, psb_ctxt *ctxt, psb_ipk n);

/* m becomes a copy of `of`.  Local. */
PSB_MUST_CHECK psb_err psb_map_copy(struct psb_map *m, const struct psb_map *of);

/* Who owns g[0..n), each within 0..nglob-1: the lowest process where there are several, this one for a
 * replicated map.  Collective. */
PSB_MUST_CHECK psb_err psb_map_owners(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g,
                                      int *owner);

size_t psb_map_bytes(const struct psb_map *m);
void psb_map_free(struct psb_map *m);

/* ops->g2l, quick where the rows are one run. */
static inline psb_ipk psb_map_g2l(const struct psb_map *m, psb_lpk g)
{
    if (!m->one_run)
        return m->ops->g2l(m, g);
    uint64_t l = (uint64_t)g - (uint64_t)m->lo;
    return l < (uint64_t)m->nrow ? (psb_ipk)l : -1;
}
#endif
