/* psb_search.h -- base/core: binary searches, integers of either size.  Arguments are not checked. */
#ifndef PSB_SEARCH_H
#define PSB_SEARCH_H
#include "psb_int.h"
#include "psb_simd.h"
#include "psb_lang.h"
PSB_BEGIN_C

/* Return element k of an array of integers of 32 or 64 bits.  Local. */
static inline psb_epk psb_int_at(const void *p, int bits, psb_epk k)
{
    return bits == 32 ? ((const int32_t *)p)[k] : ((const int64_t *)p)[k];
}

/* Return the first i, lo <= i < hi, for which below(of, i) is 0; hi if there is none.  below(of, i) is not 0
 * for some first indices and 0 for all that follow.  Local. */
PSB_INLINE psb_epk psb_first(psb_epk lo, psb_epk hi, int (*below)(const void *of, psb_epk i), const void *of)
{
    while (lo < hi) {
        const psb_epk mid = lo + (hi - lo) / 2;
        if (below(of, mid))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The indices idx[0], idx[step], ..., and the one searched for. */
struct psb_strided {
    const psb_ipk *idx;
    psb_epk step;
    psb_ipk j;
};

PSB_INLINE int psb_strided_below(const void *of, psb_epk i)
{
    const struct psb_strided *s = (const struct psb_strided *)of;
    return s->idx[i * s->step] < s->j;
}

/* Return the first k, 0 <= k < n, with idx[k * step] >= j; n if there is none.  The n indices ascend.  Local.
 */
static inline psb_epk psb_first_from(const psb_ipk *idx, psb_epk step, psb_epk n, psb_ipk j)
{
    const struct psb_strided s = { idx, step, j };
    return psb_first(0, n, psb_strided_below, &s);
}

/* Offsets and the one searched for. */
struct psb_offsets {
    const int64_t *off;
    int64_t k;
};

PSB_INLINE int psb_offset_up_to(const void *of, psb_epk i)
{
    const struct psb_offsets *s = (const struct psb_offsets *)of;
    return s->off[i] <= s->k;
}

/* Return the last i, 0 <= i < n, with off[i] <= k, where off[0] <= k and the n offsets do not descend.
 * Local. */
static inline psb_ipk psb_last_up_to(const int64_t *off, psb_ipk n, int64_t k)
{
    const struct psb_offsets s = { off, k };
    return (psb_ipk)psb_first(1, n, psb_offset_up_to, &s) - 1;
}
PSB_END_C
#endif
