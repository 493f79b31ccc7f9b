/* psb_rsb.h -- rsb: public header of rsb: recursive sparse blocks by LIBRSB (Martone, "Efficient
 * multithreaded untransposed, transposed or symmetric sparse matrix-vector multiplication with the Recursive
 * Sparse Blocks format", Parallel Computing 40, 2014).
 *
 * A build without LIBRSB has these functions, but registers no format, and the mold refuses every matrix. */
#ifndef PSB_RSB_H
#define PSB_RSB_H
#include "psb_base.h"
#include <stdbool.h>
PSB_BEGIN_C

/* Start LIBRSB and register its formats by name, for all four scalars; may be called again.
 * Local. */
PSB_MUST_CHECK psb_err psb_rsb_init(void);

/* Stop LIBRSB; its matrices must have been freed.  psb_rsb_init may start it again.  Local. */
void psb_rsb_exit(void);

/* Was this library built with LIBRSB?  Local. */
bool psb_rsb_available(void);
PSB_END_C
#endif
