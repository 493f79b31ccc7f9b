/* compressed_kernels.t.h -- room: base/mat.  Products of compressed rows or columns, called lines, for one
 * level of vector instructions.  Entries are prefetched AHEAD elements before use: hardware prefetchers do
 * not cope with short lines and several streams. */

/* Entries of a line that are multiplied at once. */
#if PSB_VECTOR / BYTES < 4 && !CPLX
#define LANES 2
#else
#define LANES 4
#endif
#include "lanes_kernels.t.h"

/* sum += entries a .. of l times their x while at least 4 LANES are left, in two chains of additions, since a
 * single chain is bound by latency.  Returns the first entry that is left. */
PSB_INLINE psb_epk L(sum_long)(const struct X(compressed) *l, psb_epk a, psb_epk end, int conjugate, int far,
                               const T *x, struct L(lanes) *sum)
{
    struct L(lanes) other = { { 0 } };
    for (; end - a >= 4 * LANES; a += 4 * LANES) {
        if (far)
            __builtin_prefetch(l->idx + a + AHEAD);
#pragma GCC unroll 4
        for (int g = 0; g < 4; g++) {
            if (far)
                __builtin_prefetch(l->val + a + g * LANES + AHEAD);
            L(lanes_add)(g % 2 ? &other : sum, l->val + a + g * LANES, l->idx + a + g * LANES, conjugate, x);
        }
    }
    for (int b = 0; b < LANES; b++)
        sum->of[b] += other.of[b];
    return a;
}

/* Sum of entries a .. end-1 of l times their x, several at once; LANES entries after them are readable.
 * `conjugate`, `lengths` and `far` are constants in every call. */
PSB_INLINE T L(sum_one)(const struct X(compressed) *l, psb_epk a, psb_epk end, int conjugate,
                        enum lengths lengths, int far, const T *x)
{
    const T *restrict val = l->val;
    const psb_ipk *restrict idx = l->idx;
    struct L(lanes) sum = { { 0 } };
    if (lengths == MOSTLY_LONG)
        a = L(sum_long)(l, a, end, conjugate, far, x, &sum);
    for (; end - a > LANES; a += LANES) {
        if (far)
            __builtin_prefetch(val + a + AHEAD);
        L(lanes_add)(&sum, val + a, idx + a, conjugate, x);
    }
    if (far) {
        __builtin_prefetch(val + a + AHEAD);
        __builtin_prefetch(idx + a + AHEAD);
    }
    L(lanes_add_first)(&sum, (psb_ipk)(end - a), val + a, idx + a, conjugate, x);
    const T even = sum.of[0] + sum.of[LANES / 2];
    return LANES == 2 ? even : even + (sum.of[1] + sum.of[LANES - 1]);
}

/* The same for few entries, one at a time. */
PSB_INLINE T L(sum_short)(const struct X(compressed) *l, psb_epk a, psb_epk end, int conjugate, int far,
                          const T *x)
{
    T sum = 0;
    if (far) {
        __builtin_prefetch(l->val + a + AHEAD);
        __builtin_prefetch(l->idx + a + AHEAD);
    }
    for (; a < end; a++)
        sum += (conjugate ? CONJ(l->val[a]) : l->val[a]) * x[psb_one_by_one(l->idx[a])];
    return sum;
}

/* y of lines lo .. hi-1; all flags are constants in every call; far: the entries exceed the cache.  sum_one
 * is not used for the last lines, since it reads beyond their end. */
PSB_INLINE void L(gather_compressed)(const struct X(product) *p, int conjugate, enum lengths lengths, int far,
                                     psb_ipk lo, psb_ipk hi)
{
    const struct X(product) q = *p;
    const struct X(compressed) l = *(const struct X(compressed) *)q.of;
    const psb_epk safe = lengths == MOSTLY_SHORT ? -1 : l.ptr[l.n] - LANES;
    psb_epk a = l.ptr[lo];
    psb_ipk i = lo;
    for (psb_epk end; i < hi && (end = l.ptr[i + 1]) <= safe; i++, a = end)
        L(put)(&q, i, L(sum_one)(&l, a, end, conjugate, lengths, far, q.x));
    for (; i < hi; a = l.ptr[++i])
        L(put)(&q, i, L(sum_short)(&l, a, l.ptr[i + 1], conjugate, far, q.x));
}

PSB_INLINE void L(gather_far)(const struct X(product) *q, int conjugate, enum lengths lengths, psb_ipk lo,
                              psb_ipk hi)
{
    const struct X(compressed) *l = q->of;
    if (l->ptr[l->n] * (psb_epk)(sizeof(T) + sizeof(psb_ipk)) >= CACHE)
        L(gather_compressed)(q, conjugate, lengths, 1, lo, hi);
    else
        L(gather_compressed)(q, conjugate, lengths, 0, lo, hi);
}

PSB_INLINE void L(gather_as)(const struct X(product) *q, int conjugate, psb_ipk lo, psb_ipk hi)
{
    const struct X(compressed) *l = q->of;
    const psb_epk nz = l->ptr[l->n], n = l->n;
    if (nz < ENOUGH * n)
        L(gather_far)(q, conjugate, MOSTLY_SHORT, lo, hi);
    else if (nz < LONG * n)
        L(gather_far)(q, conjugate, ANY_LENGTHS, lo, hi);
    else
        L(gather_far)(q, conjugate, MOSTLY_LONG, lo, hi);
}

static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    if (CPLX && q->conjugate)
        L(gather_as)(q, 1, lo, hi);
    else
        L(gather_as)(q, 0, lo, hi);
}

/* y += lines lo .. hi-1, transposed, times alpha x. */
static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(compressed) l = *(const struct X(compressed) *)q->of;
    const int conjugate = q->conjugate;
    for (psb_ipk i = lo; i < hi; i++) {
        const T xi = q->alpha * q->x[i];
        for (psb_epk a = l.ptr[i], end = l.ptr[i + 1], n; a < end; a += n) {
            n = end - a < BLOCK ? end - a : BLOCK;
            __builtin_prefetch(l.val + a + AHEAD);
            __builtin_prefetch(l.idx + a + AHEAD);
            for (psb_epk b = a; b < a + n; b++)
                y[l.idx[b]] += (conjugate ? CONJ(l.val[b]) : l.val[b]) * xi;
        }
    }
}

#include "product_kernels.t.h"

static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    L(gather_each)(q, lo, hi);
}
