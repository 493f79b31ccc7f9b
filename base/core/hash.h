/* hash.h -- room: base/core.  Global index -> local number, in memory proportional to what it holds. */
#ifndef PSB_HASH_H
#define PSB_HASH_H
#include "psb_err.h"
#include "psb_int.h"

struct psb_hash {
    psb_lpk *key; /* -1 where free */
    psb_ipk *val;
    size_t cap, n; /* cap is a power of two, or 0 */
};

/* Make room for n more keys.  PSB_ENOMEM leaves h as it was.  Local. */
PSB_MUST_CHECK psb_err psb_hash_reserve(struct psb_hash *h, size_t n);

/* The value of `key`, or -1.  Local. */
psb_ipk psb_hash_get(const struct psb_hash *h, psb_lpk key);

/* The value of `key`; where it is new, it is stored with `val` (room must have been reserved).  Local. */
psb_ipk psb_hash_put(struct psb_hash *h, psb_lpk key, psb_ipk val);

/* h becomes a copy of `of`.  Local. */
PSB_MUST_CHECK psb_err psb_hash_copy(struct psb_hash *h, const struct psb_hash *of);

void psb_hash_free(struct psb_hash *h);
#endif
