/* psb_part.h -- room: util.  Who owns which row. */
#ifndef PSB_PART_H
#define PSB_PART_H
#include "psb_desc.h"

/* A descriptor of n rows in even blocks, longer ones first.  Freed by psb_cdfree.  Collective.  PSB_EARG
 * where a block would have 2^31 rows or more. */
PSB_MUST_CHECK psb_err psb_part_blocks(psb_ctxt *ctxt, psb_lpk n, psb_desc **desc);

/* A descriptor of n rows, owned as the text file at `path` says: n process numbers, white space between them,
 * comments from % or # to the end of a line.  Process 0 reads it.  Freed by psb_cdfree.  Collective.  PSB_EIO
 * where the file cannot be read or says something else; the message names file and line. */
PSB_MUST_CHECK psb_err psb_part_file(psb_ctxt *ctxt, psb_lpk n, const char *path, psb_desc **desc);
#endif
