/* psb_alloc.h -- room: base/core.  Host memory: sizes are checked, and an error tells the size requested. */
#ifndef PSB_ALLOC_H
#define PSB_ALLOC_H
#include "psb_err.h"
#include <stddef.h>
#include "psb_lang.h"
PSB_BEGIN_C

/* Allocate n elements of `size` bytes, uninitialised and aligned to a cache line, and store their address in
 * the pointer at `out`; `what` names them in the error.  With n == 0 the pointer stored may still be freed.
 * PSB_ENOMEM, with nothing stored, if n * size overflows or there is not enough memory; here and below
 * PSB_EARG if a pointer is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_alloc(void *out, size_t n, size_t size, const char *what);

/* The same, with every byte zero.  Local. */
PSB_MUST_CHECK psb_err psb_alloc_zero(void *out, size_t n, size_t size, const char *what);

/* Resize the array whose address is in the pointer at `inout` (NULL: allocate it) to n elements; the elements
 * it has are kept.  On failure the array is unchanged.  Local. */
PSB_MUST_CHECK psb_err psb_resize(void *inout, size_t n, size_t size, const char *what);

/* Copy the n elements at `from` to new memory and store its address in the pointer at `out`.  Local. */
PSB_MUST_CHECK psb_err psb_copy(void *out, const void *from, size_t n, size_t size, const char *what);

/* Free memory allocated by these functions; p may be NULL.  Local. */
void psb_free(void *p);

/* For tests: let the n-th allocation from now fail (n >= 1), once; 0 cancels this.  Allocations on a device
 * are counted too.  Local. */
void psb_alloc_fail_at(long n);

/* For tests: let allocations of more than `bytes` fail from now on; 0 cancels this.  Local. */
void psb_alloc_fail_above(size_t bytes);

/* Count an allocation that is not made by psb_alloc, e.g. on a device, and return 1 if it is the one that is
 * to fail.  Local. */
int psb_alloc_fails(void);
PSB_END_C
#endif
