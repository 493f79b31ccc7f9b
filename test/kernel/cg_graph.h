/* cg_graph.h -- test/kernel: conjugate gradients with a diagonal preconditioner, as a CUDA graph.  For typed
 * sources, after psb_type.h. */
#ifndef CG_GRAPH_H
#define CG_GRAPH_H
#include "bench.h"
struct X(spmat);

/* Microseconds of an iteration: as a graph, by the same calls without a graph, and with scalars on the host.
 */
struct cg_times {
    double graph, calls, host;
};

/* Measure them for a, which is on a GPU; NAN if sums of several processes cannot be captured.  x by the graph
 * is compared with x by the host, on one process bit by bit: a difference ends the program.  Collective. */
struct cg_times X(cg_times)(psb_ctxt *ctxt, psb_desc *rows, struct X(spmat) *a);

/* Vectors that an iteration reads or writes: the product p and q; the residual q, r, D^-1, and r, z written;
 * the update x, p, z, and x, p written. */
enum { CG_VECTORS = 2 + 5 + 5 };
#endif
