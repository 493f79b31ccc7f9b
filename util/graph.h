/* graph.h -- util: the graph of a pattern, for orders of its vertices. */
#ifndef PSB_GRAPH_H
#define PSB_GRAPH_H
#include "psb_err.h"
#include "psb_int.h"

/* The neighbours of vertex i are adj[start[i]] .. adj[start[i+1]-1], each once. */
struct psb_graph {
    psb_ipk n;
    psb_epk *start;
    psb_ipk *adj;
};

/* Make the graph of a pattern as psb_order.h says, and check the arguments of its calls.  After an error
 * *g is empty.  Local. */
PSB_MUST_CHECK psb_err psb_graph_make(struct psb_graph *g, psb_ipk n, const psb_epk *ptr, const psb_ipk *idx,
                                      const psb_ipk *perm);
/* Return the version of METIS; NULL in a build without it.  Local. */
const char *psb_metis_version(void);

/* Free the memory of g.  Local. */
void psb_graph_free(struct psb_graph *g);
#endif
