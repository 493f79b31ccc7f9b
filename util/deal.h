/* deal.h -- util: send entries to the owners of their rows, and descriptors for them. */
#ifndef PSB_DEAL_H
#define PSB_DEAL_H
#include "base_inside.h"
#include "triplets.h"

/* As psb_agree, and check that all processes pass the same root, which must be a process.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_on_root(psb_ctxt *ctxt, int root, psb_err mine);

/* Returns PSB_EARG: the output argument `name` is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_missing_output(const char *name);

/* Check that `rows` has n rows, the number of rows of `what`.  Local.  PSB_EARG names both. */
PSB_MUST_CHECK psb_err psb_check_rows(const psb_desc *rows, const char *name, psb_lpk n, const char *what);

/* Check that np processes can hold n rows or columns, as `what` says, in even blocks; `name` is that of the
 * file or argument.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err psb_blocks_fit(const char *name, const char *what, psb_lpk n, int np);

/* Make or check descriptors for `what`, m by n: those given must fit and be in state BUILD; those that are
 * NULL become even blocks, and *col becomes *row if m == n.  Collective over ctxt; after an error some may
 * have been made. */
PSB_MUST_CHECK psb_err psb_describe(psb_ctxt *ctxt, const char *what, psb_lpk m, psb_lpk n, psb_desc **row,
                                    psb_desc **col);

#define PSB_TEMPLATE "deal.t.h"
#include "psb_each_type.h"
#endif
