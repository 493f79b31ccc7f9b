/* psb_part.h -- util: distributions of rows over processes. */
#ifndef PSB_PART_H
#define PSB_PART_H
#include "psb_desc.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Make a descriptor of n rows in even blocks, the longer blocks first; the caller frees it with psb_cdfree.
 * Collective.  PSB_EARG, on every process: a pointer is NULL, n < 0 or not the same on all processes, or a
 * block would have 2^31 rows or more. */
PSB_MUST_CHECK psb_err psb_part_blocks(psb_ctxt *ctxt, psb_lpk n, psb_desc **desc);

/* Read the owner of each row into vg[0..n) from the text file at `path`: n process numbers, 0 .. np-1,
 * separated by white space, with comments from % or # to the end of a line.  Local.  PSB_EARG: n < 0, np < 1,
 * or a pointer is NULL; PSB_EIO: the file cannot be read or has other contents; the message names file and
 * line. */
PSB_MUST_CHECK psb_err psb_part_owners(const char *path, psb_lpk n, int np, int *vg);

/* Make a descriptor of n rows with the owners given in the file at `path`, which process 0 reads; the caller
 * frees the descriptor with psb_cdfree.  Collective.  Errors, on every process: as psb_part_owners, and
 * PSB_EARG if n differs between processes. */
PSB_MUST_CHECK psb_err psb_part_file(psb_ctxt *ctxt, psb_lpk n, const char *path, psb_desc **desc);

/* Partition the rows of an n by n matrix with entries at (ia[k], ja[k]), 0 <= k < nz, by METIS: store in
 * vg[0..n) the part of each row, 0 .. np-1.  The parts have about the same number of rows, and few entries
 * (i, j) or (j, i) have i and j in different parts.  Entries may be repeated.  If np >= n, each row is a part
 * alone.  The result is reproducible.  Local.  PSB_EARG; PSB_ENOTIMPL: METIS is needed and this build lacks
 * it; PSB_ENOMEM; vg is set only on success. */
PSB_MUST_CHECK psb_err psb_part_metis(psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, int np,
                                      int *vg);

/* Make a descriptor of n rows partitioned by psb_part_metis, one part per process.  Each process passes nz
 * entries; together they are the matrix.  Process 0 holds the indices of all entries.  The caller frees the
 * descriptor with psb_cdfree.  Collective.  Errors, on every process: as psb_part_metis, and PSB_EARG if n
 * differs between processes. */
PSB_MUST_CHECK psb_err psb_part_graph(psb_ctxt *ctxt, psb_lpk n, psb_epk nz, const psb_lpk *ia,
                                      const psb_lpk *ja, psb_desc **desc);
PSB_END_C
#endif
