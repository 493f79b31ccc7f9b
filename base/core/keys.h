/* keys.h -- base/core: stable counting sort by several threads. */
#ifndef PSB_KEYS_H
#define PSB_KEYS_H
#include "psb_err.h"
#include "psb_int.h"

struct psb_keys {
    int p; /* threads that took part */
    psb_ipk n;
    psb_epk *next; /* p * n */
};

/* Count the keys key[0..nz), 0 <= key[e] < n, and store in ptr[j], 0 <= j <= n, the number of keys below j
 * (ptr may be NULL).  Then k->p threads move the entries: thread t moves those of psb_thread_range(nz, t,
 * k->p), in order, and puts one with key j at position psb_keys_next(k, t)[j]++.  The sort is stable whatever
 * p is. The memory used is at most one element for each key or each entry.  Ended by psb_keys_end.
 * PSB_ENOMEM. Local. */
PSB_MUST_CHECK psb_err psb_keys_begin(psb_ipk n, psb_epk nz, const psb_ipk *key, psb_epk *ptr,
                                      struct psb_keys *k);
/* Release the memory of k.  Local. */
void psb_keys_end(struct psb_keys *k);

/* Return the next positions of thread t by key.  Local. */
static inline psb_epk *psb_keys_next(const struct psb_keys *k, int t)
{
    return k->next + (psb_epk)t * k->n;
}
#endif
