/* psb_alloc.h -- base/core: host memory: sizes are checked, and an error tells the size requested. */
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

PSB_END_C
#endif
