/* keys.h -- room: base/core.  Entries sorted by a key, by several threads: where each goes. */
#ifndef PSB_KEYS_H
#define PSB_KEYS_H
#include "psb_err.h"
#include "psb_int.h"

struct psb_keys {
    int p; /* threads that took part */
    psb_ipk n;
    psb_epk *next; /* p * n */
};

/* Keys key[0..nz), 0 <= key < n, are counted: ptr[j], j <= n, is how many are below j (NULL: nobody asks).
 * Then p threads move entries, each those that psb_thread_range gives it, in order: the next with key j that
 * is thread t's goes to psb_keys_next(k, t)[j]++.  Equals stay in order, whatever p is.  No more memory is
 * taken than for an element a key or an entry.  PSB_ENOMEM. */
PSB_MUST_CHECK psb_err psb_keys_begin(psb_ipk n, psb_epk nz, const psb_ipk *key, psb_epk *ptr,
                                      struct psb_keys *k);
void psb_keys_end(struct psb_keys *k);

static inline psb_epk *psb_keys_next(const struct psb_keys *k, int t)
{
    return k->next + (psb_epk)t * k->n;
}
#endif
