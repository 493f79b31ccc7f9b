/* psb_alloc.h -- room: base/core.  Host memory: checked sizes, an error that says how much was asked. */
#ifndef PSB_ALLOC_H
#define PSB_ALLOC_H
#include "psb_err.h"
#include <stddef.h>

/* Store in the pointer at `out` the address of n elements of `size` bytes, uninitialised and aligned
 * to a cache line; `what` names them in the error.  n == 0 gives a pointer that may be freed.
 * PSB_ENOMEM, nothing stored, where n * size overflows or the memory is not to be had; here and below
 * PSB_EARG where a pointer is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_alloc(void *out, size_t n, size_t size, const char *what);

/* The same, every byte zero.  Local. */
PSB_MUST_CHECK psb_err psb_alloc_zero(void *out, size_t n, size_t size, const char *what);

/* Let the array whose address is at `inout` (NULL at first) hold n elements; those there are kept.
 * On failure it is as it was.  Local. */
PSB_MUST_CHECK psb_err psb_resize(void *inout, size_t n, size_t size, const char *what);

/* Store in the pointer at `out` the address of a copy of the n elements at `from`.  Local. */
PSB_MUST_CHECK psb_err psb_copy(void *out, const void *from, size_t n, size_t size, const char *what);

/* Give back what one of them gave; NULL is fine.  Local. */
void psb_free(void *p);

/* For tests: the n-th allocation from now fails (n >= 1), once; 0 ends it.  A device's count too.  Local. */
void psb_alloc_fail_at(long n);

/* For whoever allocates otherwise, a device say: count an allocation; 1 where it is the one to fail.  Local.
 */
int psb_alloc_fails(void);
#endif
