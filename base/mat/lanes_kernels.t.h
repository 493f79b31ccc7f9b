/* lanes_kernels.t.h -- base/mat: LANES sums at once, for one level of vector instructions: 2, 4 or 8.
 * The including file may define LANES; psb_each_simd.h undefines it.
 *
 * Elements of x are loaded one by one, which is faster than gather instructions on some processors, and up to
 * 5 % slower on others.  If not all lanes take part, all products are computed and the superfluous ones
 * masked, since a branch on the lengths of rows would be mispredicted.  Vectors are those of GNU C.
 */

/* clang-format off */
/* The functions, in a file each for real and for complex scalars; b is any lane:
 *   lanes_add(s, val, idx, x)                  s[b] += val[b] x[idx[b]]
 *   lanes_add_first(s, n, val, idx, x)         the same if b < n; all LANES elements of val and idx are readable,
 *                                              and all idx are valid for x
 *   lanes_add_longer(s, len, k, val, idx, x)   the same if len[b] > k
 *   lanes_join(s, other)                       s[b] += other[b]
 *   lanes_total(s, conjugate)                  the sum of all s[b], or of what they were with conjugate val
 *   lanes_store(s, alpha, beta, y)             y[b] = alpha s[b] + beta y[b]; beta == 0 does not read y
 *   lanes_add_along(sum, val, x, not_zero)     sum[b] += val[b] x[b]; if not_zero is set only where val[b] is not 0
 *   lanes_put(val, idx, conjugate, x, y)       y[idx[b]] += val[b] x[b]
 *   lengths_load(len, from)                    len[b] = from[b] */
/* clang-format on */
#ifndef LANES
#if PSB_VECTOR / BYTES >= 8
#define LANES 8
#elif PSB_VECTOR / BYTES == 4
#define LANES 4
#else
#define LANES 2
#endif
#endif

/* What PAIR makes of two indices, for each of the n / 2 elements of p, n = 2, 4 or 8: an initializer, since
 * vectors filled one element at a time would go through memory. */
#define PAIRS(n, p) PSB_CAT(PAIRS_, n)(p)
#define PAIRS_2(p)  PAIR(p[0])
#define PAIRS_4(p)  PAIRS_2(p), PAIR(p[1])
#define PAIRS_8(p)  PAIRS_4(p), PAIR(p[2]), PAIR(p[3])

/* The type of lengths that are compared in vectors: as large as a real scalar.  Plain vectors do not compare
 * integers of 8 bytes. */
#if BYTES == 4 || (CPLX && BYTES == 8)
#define LENGTH int32_t
#else
#define LENGTH double
#endif

#if CPLX
#include "complex_lanes_kernels.t.h"
#else
#include "real_lanes_kernels.t.h"
#endif
#undef LENGTH
#undef PAIR
#undef PAIRS
#undef PAIRS_2
#undef PAIRS_4
#undef PAIRS_8

/* Set y of row i from its sum. */
PSB_INLINE void L(put)(const struct X(product) *q, psb_ipk i, T sum)
{
    q->y[i] = q->beta == 0 ? q->alpha * sum : q->alpha * sum + q->beta * q->y[i];
}
