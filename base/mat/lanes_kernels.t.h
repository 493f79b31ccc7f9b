/* lanes_kernels.t.h -- room: base/mat.  LANES sums at once, for one level of vector instructions: 2, 4 or 8.
 * The including file may define LANES; psb_each_simd.h undefines it.
 *
 * Elements of x are loaded one by one, which on current processors is at least as fast as their gather
 * instructions.  If not all lanes take part, all products are computed and the superfluous ones masked, since
 * a branch on the lengths of rows would be mispredicted.  Vectors are those of GNU C.
 *
 * The functions, defined for real and for complex scalars in a file each; b is any lane:
 *   lanes_add(s, val, idx, x)                    s[b] += val[b] x[idx[b]]
 *   lanes_add_first(s, n, val, idx, x)           the same if b < n; all LANES elements of val and idx are
 * readable, and all idx valid for x lanes_add_longer(s, len, k, val, idx, x)     the same if len[b] > k,
 * likewise lanes_join(s, other)                         s[b] += other[b] lanes_total(s, conjugate) the sum of
 * all s[b]; conjugate: as if each val[b] had been conjugated lanes_store(s, alpha, beta, y) y[b] = alpha s[b]
 * + beta y[b]; beta == 0 does not read y lanes_add_along(sum, val, x, not_zero)       sum[b] += val[b] x[b],
 * or, if not_zero is set, only where val[b] is not 0 lanes_put(val, idx, conjugate, x, y)         y[idx[b]]
 * += val[b] x[b], val[b] conjugated if asked for lengths_load(len, from)                      len[b] =
 * from[b] */
#ifndef LANES
#if PSB_VECTOR / BYTES > 8
#define LANES 8
#elif PSB_VECTOR / BYTES < 2
#define LANES 2
#else
#define LANES (PSB_VECTOR / BYTES)
#endif
#endif

/* What PAIR makes of two indices, for each of the LANES / 2 elements of p: an initializer, since vectors
 * filled one element at a time would go through memory. */
#if LANES == 2
#define PAIRS(p) PAIR(p[0])
#elif LANES == 4
#define PAIRS(p) PAIR(p[0]), PAIR(p[1])
#else
#define PAIRS(p) PAIR(p[0]), PAIR(p[1]), PAIR(p[2]), PAIR(p[3])
#endif

#if CPLX
#include "complex_lanes_kernels.t.h"
#else
#include "real_lanes_kernels.t.h"
#endif
#undef PAIR
#undef PAIRS

/* Set y of row i from its sum. */
PSB_INLINE void L(put)(const struct X(product) *q, psb_ipk i, T sum)
{
    q->y[i] = q->beta == 0 ? q->alpha * sum : q->alpha * sum + q->beta * q->y[i];
}
