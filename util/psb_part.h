/* psb_part.h -- room: util.  Who owns which row. */
#ifndef PSB_PART_H
#define PSB_PART_H
#include "psb_desc.h"

/* A descriptor of n rows in even blocks, longer ones first.  Freed by psb_cdfree.  Collective.  PSB_EARG:
 * a pointer is NULL, n < 0 or not the same on all processes, or a block would have 2^31 rows or more; on
 * every process. */
PSB_MUST_CHECK psb_err psb_part_blocks(psb_ctxt *ctxt, psb_lpk n, psb_desc **desc);

/* Store in vg[0..n) the owner of each row, as the text file at `path` says: n process numbers, 0 .. np-1,
 * white space between them, comments from % or # to the end of a line.  Local.  PSB_EARG: n < 0, np < 1, or a
 * pointer is NULL; PSB_EIO where the file cannot be read or says something else; the message names file and
 * line. */
PSB_MUST_CHECK psb_err psb_part_owners(const char *path, psb_lpk n, int np, int *vg);

/* A descriptor of n rows, owned as the file at `path` says, which process 0 reads.  Freed by psb_cdfree.
 * Collective. Errors as psb_part_owners, and PSB_EARG where n differs between processes; on every process. */
PSB_MUST_CHECK psb_err psb_part_file(psb_ctxt *ctxt, psb_lpk n, const char *path, psb_desc **desc);

/* Store in vg[0..n) a part, 0 .. np-1, for each row of an n by n matrix with entries at (ia[k], ja[k]), k <
 * nz: parts of about as many rows, few entries between them, whichever way they go; entries may stand more
 * than once.  np >= n gives each row a part of its own.  The same parts every time.  Local.  PSB_EARG;
 * PSB_ENOTIMPL where this build lacks METIS and it takes one; PSB_ENOMEM; vg is set only after success. */
PSB_MUST_CHECK psb_err psb_part_metis(psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, int np,
                                      int *vg);

/* A descriptor of n rows in such parts, one a process; each process brings nz entries, all of them together
 * are the matrix.  Process 0 holds the indices of all.  Freed by psb_cdfree.  Collective.  Errors as
 * psb_part_metis, and PSB_EARG where n differs between processes; on every process. */
PSB_MUST_CHECK psb_err psb_part_graph(psb_ctxt *ctxt, psb_lpk n, psb_epk nz, const psb_lpk *ia,
                                      const psb_lpk *ja, psb_desc **desc);
#endif
