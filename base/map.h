/* map.h -- room: base.  Who owns which global row: a small class of index maps. */
#ifndef PSB_MAP_H
#define PSB_MAP_H
#include "hash.h"
#include "psb_ctxt.h"

struct psb_map;

struct psb_map_ops {
    const char *name;
    /* The local number of a global index, or -1 where it is not mine.  Local. */
    psb_ipk (*g2l)(const struct psb_map *m, psb_lpk g);
    /* The global index of local number 0 <= l < nrow.  Local. */
    psb_lpk (*l2g)(const struct psb_map *m, psb_ipk l);
    /* Who owns g[0..n), each within 0..nglob-1.  Collective. */
    psb_err (*owners)(const struct psb_map *m, psb_ctxt *ctxt, psb_ipk n, const psb_lpk *g, int *owner);
};

struct psb_map {
    const struct psb_map_ops *ops;
    psb_lpk nglob;
    psb_ipk nrow;
    psb_lpk *first; /* block: process p owns first[p] .. first[p+1]-1 */
    int me, np;
    struct psb_hash hash; /* list: my indices, */
    psb_lpk *glob;        /* by local number; */
    int *home;            /* and the owners of indices me*chunk .. (me+1)*chunk-1: */
    psb_lpk chunk;        /* a directory spread over all processes */
};

/* Consecutive blocks, nl rows here.  Collective. */
PSB_MUST_CHECK psb_err psb_map_block(struct psb_map *m, psb_ctxt *ctxt, psb_ipk nl);

/* The rows vl[0..nl) here, in this local order; all processes' lists together are 0 .. N-1, each index
 * once.  Collective. */
PSB_MUST_CHECK psb_err psb_map_list(struct psb_map *m, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl);

void psb_map_free(struct psb_map *m);

/* order[0..n): 0..n-1 sorted by key[], equals in their order, keys within 0..nkeys-1; start[k] the first
 * place of key k, start[nkeys] = n.  Local.  Method: counting sort. */
void psb_sort_by_key(psb_ipk n, const int *key, int nkeys, psb_ipk *order, psb_ipk *start);
#endif
