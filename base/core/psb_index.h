/* psb_index.h -- base/core: the base that global indices count from: 0 or 1. */
#ifndef PSB_INDEX_H
#define PSB_INDEX_H
#include "psb_err.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Set the index base of the whole program, 0 (the default) or 1: global indices that callers pass or receive
 * count from it.  Local numbers, and indices in the local calls psb_?_mat_..., always count from 0.  PSB_EARG
 * for any other base.  Local. */
PSB_MUST_CHECK psb_err psb_set_index_base(int base);

/* Return the index base.  Local. */
int psb_index_base(void);

/* Set the index base to 0 and return the previous one, to be restored by psb_set_index_base: for code whose
 * own indices count from 0.  Local. */
int psb_index_from_0(void);
PSB_END_C
#endif
