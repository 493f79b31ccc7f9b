/* handle.c -- base/core: handles that are freed twice, or used after they are freed. */
#include "psb_handle.h"
#include "psb_alloc.h"
#include <stdatomic.h>
#include <string.h>

static void *_Atomic retired[PSB_RETIRED]; /* a ring: the oldest is released for a new one */
static atomic_uint next_retired;

bool psb_may_free(const void *p, const char *call)
{
    if (p && !psb_is_live(p))
        psb_tell(psb_fail(PSB_EARG, __FILE__, call,
                          "the argument is freed already; expected one call for each object"));
    return psb_is_live(p);
}

void psb_retire(void *p, size_t size)
{
    memset(p, 0, size);
    *(unsigned *)p = PSB_FREED;
    psb_free(atomic_exchange(&retired[atomic_fetch_add(&next_retired, 1) % PSB_RETIRED], p));
}
