/* psb_search.h -- room: base/core.  Looking for an index among others.  For formats: what is given is right, and
 * is not checked. */
#ifndef PSB_SEARCH_H
#define PSB_SEARCH_H
#include "psb_int.h"

/* The first of n >= 0 indices, ascending, idx[0], idx[step] and so on, that is not below j; n where all are.
 * Local. */
static inline psb_epk psb_first_from(const psb_ipk *idx, psb_epk step, psb_epk n, psb_ipk j)
{
    psb_epk lo = 0;
    while (lo < n) {
        psb_epk mid = lo + (n - lo) / 2;
        if (idx[mid * step] < j)
            lo = mid + 1;
        else
            n = mid;
    }
    return lo;
}
#endif
