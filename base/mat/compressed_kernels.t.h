/* compressed_kernels.t.h -- base/mat: products of compressed rows or columns, called lines, for one
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
PSB_INLINE psb_epk L(sum_long)(const struct X(compressed) *l, psb_epk a, psb_epk end, int far, const T *x,
                               struct L(lanes) *sum)
{
    struct L(lanes) other = { 0 };
    for (; end - a >= 4 * LANES; a += 4 * LANES) {
        if (far)
            __builtin_prefetch(l->idx + a + AHEAD);
#pragma GCC unroll 4
        for (int g = 0; g < 4; g++) {
            if (far)
                __builtin_prefetch(l->val + a + g * LANES + AHEAD);
            L(lanes_add)(g % 2 ? &other : sum, l->val + a + g * LANES, l->idx + a + g * LANES, x);
        }
    }
    L(lanes_join)(sum, &other);
    return a;
}

/* Sum of entries a .. end-1 of l times their x, several at once; LANES entries after them are readable.
 * `conjugate`, `lengths` and `far` are constants in every call. */
PSB_INLINE T L(sum_one)(const struct X(compressed) *l, psb_epk a, psb_epk end, int conjugate,
                        enum lengths lengths, int far, const T *x)
{
    const T *restrict val = l->val;
    const psb_ipk *restrict idx = l->idx;
    struct L(lanes) sum = { 0 };
    if (lengths == MOSTLY_LONG)
        a = L(sum_long)(l, a, end, far, x, &sum);
    for (; end - a > LANES; a += LANES) {
        if (far)
            __builtin_prefetch(val + a + AHEAD);
        L(lanes_add)(&sum, val + a, idx + a, x);
    }
    if (far) {
        __builtin_prefetch(val + a + AHEAD);
        __builtin_prefetch(idx + a + AHEAD);
    }
    L(lanes_add_first)(&sum, (psb_ipk)(end - a), val + a, idx + a, x);
    return L(lanes_total)(&sum, conjugate);
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

/* y of lines lo .. hi-1, each with k entries, from entry a on; k and both flags are constants in every call.
 */
PSB_INLINE void L(gather_equal)(const struct X(product) *q, int k, int conjugate, int far, psb_epk a,
                                psb_ipk lo, psb_ipk hi)
{
    const struct X(compressed) *l = q->of;
    psb_ipk i = lo;
    for (; i + AT_ONCE <= hi; i += AT_ONCE, a += k * AT_ONCE) {
        const T *restrict val = l->val + a;
        const psb_ipk *restrict idx = l->idx + a;
        T sum[AT_ONCE] = { 0 };
        if (far) {
            __builtin_prefetch(val + AHEAD);
            __builtin_prefetch(idx + AHEAD);
        }
#pragma GCC unroll 16
        for (int b = 0; b < k * AT_ONCE; b++)
            sum[b / k] += (conjugate ? CONJ(val[b]) : val[b]) * q->x[idx[b]];
#pragma GCC unroll 4
        for (int r = 0; r < AT_ONCE; r++)
            L(put)(q, i + r, sum[r]);
    }
    for (; i < hi; i++, a += k)
        L(put)(q, i, L(sum_short)(l, a, a + k, conjugate, far, q->x));
}

/* Lines lo+1 .. hi-1 whose length is not that of the line before. */
PSB_INLINE psb_ipk L(changes)(const psb_epk *ptr, psb_ipk lo, psb_ipk hi)
{
    psb_ipk n = 0;
    for (psb_ipk i = lo + 1; i < hi; i++)
        n += ptr[i + 1] - ptr[i] != ptr[i] - ptr[i - 1];
    return n;
}

/* The common length of lines lo .. hi-1, or -1. */
PSB_INLINE psb_epk L(common_length)(const psb_epk *ptr, psb_ipk lo, psb_ipk hi)
{
    const psb_epk k = ptr[lo + 1] - ptr[lo];
    return ptr[hi] - ptr[lo] == k * (hi - lo) && L(changes)(ptr, lo, hi) == 0 ? k : -1;
}

/* y of lines lo .. hi-1, a part of the lines from `begin` to `end`, which are computed in one way. */
PSB_INLINE void L(gather_group)(const struct X(product) *q, const struct X(compressed) *l, int conjugate,
                                int far, psb_ipk begin, psb_ipk end, psb_ipk lo, psb_ipk hi)
{
    const psb_epk k = L(common_length)(l->ptr, begin, end);
    const psb_ipk sample = end - begin < PSB_LINES_SAMPLE ? end : begin + PSB_LINES_SAMPLE;
    psb_epk a = l->ptr[lo];
    if (k == 1)
        L(gather_equal)(q, 1, conjugate, far, a, lo, hi);
    else if (k == 2)
        L(gather_equal)(q, 2, conjugate, far, a, lo, hi);
    else if (k == 3)
        L(gather_equal)(q, 3, conjugate, far, a, lo, hi);
    else if (k == 4)
        L(gather_equal)(q, 4, conjugate, far, a, lo, hi);
    else if (L(changes)(l->ptr, begin, sample) <= PSB_LINES_FEW || l->ptr[end] + LANES > l->ptr[l->n])
        for (psb_ipk i = lo; i < hi; a = l->ptr[++i])
            L(put)(q, i, L(sum_short)(l, a, l->ptr[i + 1], conjugate, far, q->x));
    else
        for (psb_ipk i = lo; i < hi; a = l->ptr[++i])
            L(put)(q, i, L(sum_one)(l, a, l->ptr[i + 1], conjugate, ANY_LENGTHS, far, q->x));
}

/* y of lines lo .. hi-1, few entries each.  Groups begin at multiples of PSB_LINES_GROUP, whatever lo is: the
 * bits of y do not depend on the number of threads. */
PSB_INLINE void L(gather_short)(const struct X(product) *p, int conjugate, int far, psb_ipk lo, psb_ipk hi)
{
    const struct X(product) q = *p;
    const struct X(compressed) l = *(const struct X(compressed) *)q.of;
    for (psb_ipk i = lo, next; i < hi; i = next) {
        const psb_ipk begin = i / PSB_LINES_GROUP * PSB_LINES_GROUP,
                      end = l.n - begin < PSB_LINES_GROUP ? l.n : begin + PSB_LINES_GROUP;
        next = end < hi ? end : hi;
        L(gather_group)(&q, &l, conjugate, far, begin, end, i, next);
    }
}

/* y of lines lo .. hi-1; all flags are constants in every call; far: the entries exceed the cache.  sum_one
 * is not used for the last lines, since it reads beyond their end. */
PSB_INLINE void L(gather_compressed)(const struct X(product) *p, int conjugate, enum lengths lengths, int far,
                                     psb_ipk lo, psb_ipk hi)
{
    const struct X(product) q = *p;
    const struct X(compressed) l = *(const struct X(compressed) *)q.of;
    const psb_epk safe = l.ptr[l.n] - LANES;
    psb_epk a = l.ptr[lo];
    psb_ipk i = lo;
    for (psb_epk end; i < hi && (end = l.ptr[i + 1]) <= safe; i++, a = end)
        L(put)(&q, i, L(sum_one)(&l, a, end, conjugate, lengths, far, q.x));
    for (; i < hi; a = l.ptr[++i])
        L(put)(&q, i, L(sum_short)(&l, a, l.ptr[i + 1], conjugate, far, q.x));
}

PSB_INLINE void L(gather_far)(const struct X(product) *q, int conjugate, int far, psb_ipk lo, psb_ipk hi)
{
    const struct X(compressed) *l = q->of;
    const psb_epk nz = l->ptr[l->n], n = l->n;
    if (nz < psb_lines_enough(BYTES) * n)
        L(gather_short)(q, conjugate, far, lo, hi);
    else if (nz < PSB_LINES_LONG * n)
        L(gather_compressed)(q, conjugate, ANY_LENGTHS, far, lo, hi);
    else
        L(gather_compressed)(q, conjugate, MOSTLY_LONG, far, lo, hi);
}

PSB_INLINE void L(gather_as)(const struct X(product) *q, int conjugate, psb_ipk lo, psb_ipk hi)
{
    const struct X(compressed) *l = q->of;
    if (l->ptr[l->n] * (psb_epk)(sizeof(T) + sizeof(psb_ipk)) >= CACHE)
        L(gather_far)(q, conjugate, 1, lo, hi);
    else
        L(gather_far)(q, conjugate, 0, lo, hi);
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

#include "columns_kernels.t.h"
#include "product_kernels.t.h"

static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    L(gather_each)(q, lo, hi);
}
