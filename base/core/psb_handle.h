/* psb_handle.h -- base/core: handles that are freed twice, or used after they are freed.
 *
 * A context, descriptor, matrix, vector, preconditioner or solver begins with a mark, 0.  A freed one is
 * cleared, and its memory stays allocated and marked until PSB_RETIRED more handles have been freed, so that
 * the usual mistakes are errors with a message in every build, also under the address sanitizer.  Best
 * effort: a handle that was freed longer ago is not recognised. */
#ifndef PSB_HANDLE_H
#define PSB_HANDLE_H
#include "psb_err.h"
#include "psb_lang.h"
#include <stdbool.h>
#include <stddef.h>
PSB_BEGIN_C

enum { PSB_RETIRED = 256 };
#define PSB_FREED 0x46524545U /* "FREE", the mark of a freed handle */

/* Is p a handle that has not been freed?  NULL is not.  Local. */
static inline bool psb_is_live(const void *p)
{
    return p && *(const unsigned *)p != PSB_FREED;
}

/* Return what p is, for error messages, if it is not live: "NULL" or "freed".  Local. */
static inline const char *psb_handle_state(const void *p)
{
    return p ? "freed" : "NULL";
}

/* Is p, which psb_?free was called for, to be freed?  Not if it is NULL, or freed already, which is recorded
 * as an error of the call `call`, and printed.  Local. */
bool psb_may_free(const void *p, const char *call);

/* Free a handle of `size` bytes, allocated by psb_alloc: clear it, mark it as freed, and release the memory
 * later. Local. */
void psb_retire(void *p, size_t size);

/* Return PSB_EARG unless argument p is a handle; `what` says what is expected. */
#define PSB_NEED_HANDLE(p, what) \
    PSB_CHECK(psb_is_live(p), PSB_EARG, "argument %s is %s; expected %s", #p, psb_handle_state(p), what)

PSB_END_C
#endif
