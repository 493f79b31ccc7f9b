/* psb_order.h -- util: orders of the vertices of a graph, for the rows of a matrix.
 *
 * The graph of a pattern by rows: row i, 0 <= i < n, has the columns idx[ptr[i]] .. idx[ptr[i+1]-1], 0 <= idx
 * < n; i and j are neighbours if (i, j) or (j, i) is in it, i != j.  Columns may be in any order, and
 * repeated.  The order is a permutation: vertex i has the new number perm[i].  It depends on the graph alone,
 * not on the order of columns.  All calls are local, and return PSB_EARG, naming it, for a wrong argument, or
 * PSB_ENOMEM; perm is set only on success. */
#ifndef PSB_ORDER_H
#define PSB_ORDER_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Reverse Cuthill-McKee, which keeps neighbours close together (a small bandwidth): in each component
 * breadth-first from a vertex at its rim, neighbours by degree, then by number; the order is reversed.  Time
 * O(n + entries) for each search, a few for a component.  Local.  Methods: George, Computer implementation of
 * the finite element method, Stanford (1971); the first vertex by George and Liu, An implementation of a
 * pseudoperipheral node finder, ACM TOMS 5 (1979). */
PSB_MUST_CHECK psb_err psb_order_rcm(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm);

/* Nested dissection by METIS, which gives complete factors few entries; reproducible.  PSB_ENOTIMPL: this
 * build lacks METIS.  Local.  Method: Karypis and Kumar, A fast and high quality multilevel scheme for
 * partitioning irregular graphs, SIAM J. Sci. Comput. 20 (1998). */
PSB_MUST_CHECK psb_err psb_order_nd(psb_ipk n, const psb_epk *ptr, const psb_ipk *idx, psb_ipk *perm);

/* Vertices by colour, 0 <= colour[i] < n, those of one colour in their order.  Local. */
PSB_MUST_CHECK psb_err psb_order_colours(psb_ipk n, const psb_ipk *colour, psb_ipk *perm);
PSB_END_C
#endif
