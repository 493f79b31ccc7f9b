/* order_metis.c -- util: nested dissection by METIS. */
#include "config.h"
#include "graph.h"
#include "psb_order.h"
#include "psb_alloc.h"

#ifdef HAVE_METIS
#include <metis.h>

/* number = the new numbers of the vertices, by way of METIS's integers: n + 1 offsets, the neighbours, and
 * two orders of n. */
static psb_err dissect(const struct psb_graph *g, idx_t *start, idx_t *adj, idx_t *order, idx_t *number)
{
    idx_t n = g->n, options[METIS_NOPTIONS];
    for (psb_ipk i = 0; i <= g->n; i++)
        start[i] = (idx_t)g->start[i];
    for (psb_epk k = 0; k < g->start[g->n]; k++)
        adj[k] = g->adj[k];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1; /* the same order in every run */
    const int said = METIS_NodeND(&n, start, adj, NULL, options, order, number);
    PSB_CHECK(said != METIS_ERROR_MEMORY, PSB_ENOMEM, "METIS has no memory for %d vertices", g->n);
    PSB_CHECK(said == METIS_OK, PSB_EARG, "METIS fails on %d vertices with code %d; expected METIS_OK, %d",
              g->n, said, (int)METIS_OK);
    return PSB_OK;
}

psb_err psb_order_nd(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm)
{
    struct psb_graph g;
    idx_t *start = NULL, *adj = NULL, *order = NULL, *number = NULL;
    PSB_TRY(psb_graph_make(&g, n, ptr, idx, perm));
    const psb_epk edges = g.start[n];
    psb_err e = PSB_OK;
    if (edges > IDX_MAX)
        e = PSB_FAIL(PSB_EARG,
                     "the graph has %" PRId64 " pairs of neighbours; expected what this METIS can count, "
                     "whose integers have %d bits",
                     edges, (int)IDXTYPEWIDTH);
    PSB_THEN(e, psb_alloc(&start, (size_t)n + 1, sizeof *start, "graph"));
    PSB_THEN(e, psb_alloc(&adj, (size_t)edges, sizeof *adj, "graph"));
    PSB_THEN(e, psb_alloc(&order, (size_t)n, sizeof *order, "an order"));
    PSB_THEN(e, psb_alloc(&number, (size_t)n, sizeof *number, "an order"));
    if (edges > 0)
        PSB_THEN(e, dissect(&g, start, adj, order, number));
    for (psb_ipk i = 0; i < n && e == PSB_OK; i++)
        perm[i] = edges > 0 ? (psb_ipk)number[i] : i;
    psb_free(start);
    psb_free(adj);
    psb_free(order);
    psb_free(number);
    psb_graph_free(&g);
    return PSB_PASS(e);
}
#else
psb_err psb_order_nd(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm)
{
    struct psb_graph g;
    PSB_TRY(psb_graph_make(&g, n, ptr, idx, perm));
    psb_graph_free(&g);
    return PSB_FAIL(PSB_ENOTIMPL, "this build lacks METIS, configure found none; expected psb_order_rcm");
}
#endif
