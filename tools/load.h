/* load.h -- tools: the matrix of a program: its file, the distribution of its rows, its assembly. */
#ifndef PSB_LOAD_H
#define PSB_LOAD_H
#include "psb_util.h"

/* Set *info to the sizes, field and symmetry of the matrix in the file at `path`: Harwell-Boeing if `hb`,
 * else Matrix Market.  Process 0 reads; it keeps a copy of a pipe for the calls that follow.  Collective.
 * PSB_EIO, and PSB_EARG if there are too few processes for so many rows or columns, on every process. */
PSB_MUST_CHECK psb_err load_sizes(psb_ctxt *ctxt, const char *path, bool hb, struct psb_mm_header *info);

/* Drop such a copy.  Local. */
void load_end(void);

/* Does the option --partition ask for METIS?  Local. */
bool load_by_metis(const char *partition);

/* Create *row, a descriptor of n rows, distributed as the option --partition says: "block"; "metis", for
 * which load_metis must follow; or a file of owners.  The caller frees it with psb_cdfree.  Collective. */
PSB_MUST_CHECK psb_err load_rows(psb_ctxt *ctxt, const char *partition, psb_lpk n, psb_desc **row);

#define PSB_TEMPLATE "load.t.h"
#include "psb_each_type.h"
#endif
