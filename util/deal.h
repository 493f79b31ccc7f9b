/* deal.h -- room: util.  Entries to the owners of their rows. */
#ifndef PSB_DEAL_H
#define PSB_DEAL_H
#include "group.h"
#include "hash.h"
#include "psb_util.h"

/* psb_agree, and all pass the same root, a process.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_on_root(psb_ctxt *ctxt, int root, psb_err mine);

/* PSB_EARG: argument `name`, where something is to be stored, is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_no_place(const char *name);

/* `rows` has n rows, as `what` has.  Local.  PSB_EARG names both. */
PSB_MUST_CHECK psb_err psb_check_rows(const psb_desc *rows, const char *name, psb_lpk n, const char *what);

/* Descriptors for `what`, m by n: those given must fit and be in state BUILD, those that are NULL become even
 * blocks, and *col becomes *row where m == n.  Collective over ctxt; on an error some may have been made. */
PSB_MUST_CHECK psb_err psb_describe(psb_ctxt *ctxt, const char *what, psb_lpk m, psb_lpk n, psb_desc **row,
                                    psb_desc **col);

/* Give up those that were made. */
void psb_undescribe(psb_desc *row, const psb_desc *row_given, psb_desc *col, const psb_desc *col_given);

#define PSB_TEMPLATE "deal.t.h"
#include "psb_each_type.h"
#endif
