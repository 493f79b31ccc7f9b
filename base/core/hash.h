/* hash.h -- base/core: a hash table from global indices to local numbers, its memory proportional to
 * its number of keys. */
#ifndef PSB_HASH_H
#define PSB_HASH_H
#include "psb_err.h"
#include "psb_int.h"

struct psb_hash {
    psb_lpk *key; /* -1: free */
    psb_ipk *val;
    size_t cap, n; /* cap is a power of two, or 0 */
};

/* Take memory for n more keys.  On PSB_ENOMEM h is unchanged.  Local. */
PSB_MUST_CHECK psb_err psb_hash_reserve(struct psb_hash *h, size_t n);

/* Return the value of `key`, -1 if h does not hold it.  Local. */
psb_ipk psb_hash_get(const struct psb_hash *h, psb_lpk key);

/* Return the value of `key`; a new key is stored with value `val` in memory reserved before.  Local. */
psb_ipk psb_hash_put(struct psb_hash *h, psb_lpk key, psb_ipk val);

/* Make h a copy of `of`; what h held must have been freed.  On PSB_ENOMEM h is empty.  Local. */
PSB_MUST_CHECK psb_err psb_hash_copy(struct psb_hash *h, const struct psb_hash *of);

/* Release the memory of h and make it empty.  Local. */
void psb_hash_free(struct psb_hash *h);
#endif
