/* lines_kernels.t.h -- room: base.  Products of compressed lines, for one level of vector instructions.
 * Entries are asked for AHEAD of their use: short lines and several streams are more than the processor's own
 * guesses cope with. */

/* Entries a .. end-1 of l times their x.  In blocks of BLOCK, each element with a sum of its own, then what
 * is left in turn; `conjugate` is known where this is inlined. */
static inline T L(sum_line)(const struct X(lines) *l, psb_epk a, psb_epk end, int conjugate, const T *x)
{
    const T *restrict val = l->val;
    const psb_ipk *restrict idx = l->idx;
    T sum = 0, part[BLOCK] = { 0 };
    const int blocks = end - a >= BLOCK;
    for (; end - a >= BLOCK; a += BLOCK) {
        __builtin_prefetch(val + a + AHEAD);
        __builtin_prefetch(idx + a + AHEAD);
        for (int b = 0; b < BLOCK; b++)
            part[b] += (conjugate ? CONJ(val[a + b]) : val[a + b]) * x[idx[a + b]];
    }
    if (blocks)
        sum = (part[0] + part[4]) + (part[2] + part[6]) + ((part[1] + part[5]) + (part[3] + part[7]));
    __builtin_prefetch(val + a + AHEAD);
    __builtin_prefetch(idx + a + AHEAD);
    for (; a < end; a++)
        sum += (conjugate ? CONJ(val[a]) : val[a]) * x[idx[a]];
    return sum;
}

/* y of lines lo .. hi-1. */
static inline void L(gather_lines)(const struct X(product) *q, int conjugate, psb_ipk lo, psb_ipk hi)
{
    const struct X(lines) l = *(const struct X(lines) *)q->of;
    const T alpha = q->alpha, beta = q->beta, *x = q->x;
    T *y = q->y;
    psb_epk a = l.ptr[lo];
    for (psb_ipk i = lo; i < hi; i++) {
        psb_epk end = l.ptr[i + 1];
        T sum = L(sum_line)(&l, a, end, conjugate, x);
        y[i] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i];
        a = end;
    }
}

static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    if (q->conjugate)
        L(gather_lines)(q, 1, lo, hi);
    else
        L(gather_lines)(q, 0, lo, hi);
}

/* y += lines lo .. hi-1, transposed, times alpha x. */
static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(lines) l = *(const struct X(lines) *)q->of;
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

/* --- many columns ------------------------------------------------------------------------------------- */

/* sum[0..c) of line i, columns of x from its column `first` on; c is known where this is inlined. */
static inline void L(sum_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c,
                              T *restrict sum)
{
    const struct X(lines) *l = q->of;
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (psb_epk e = l->ptr[i], end = l->ptr[i + 1]; e < end; e++) {
        const T v = q->conjugate ? CONJ(l->val[e]) : l->val[e];
        const T *row = q->x + (psb_epk)l->idx[e] * q->k + first;
        __builtin_prefetch(l->val + e + AHEAD);
        __builtin_prefetch(l->idx + e + AHEAD);
        for (psb_ipk j = 0; j < c; j++)
            sum[j] += v * row[j];
    }
}

/* y += line i, transposed, times alpha x of it; columns first .. first+c-1. */
static inline void L(scatter_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c,
                                  T *restrict y)
{
    const struct X(lines) *l = q->of;
    T x[CHUNK];
    for (psb_ipk j = 0; j < c; j++)
        x[j] = q->alpha * q->x[(psb_epk)i * q->k + first + j];
    for (psb_epk e = l->ptr[i], end = l->ptr[i + 1]; e < end; e++) {
        const T v = q->conjugate ? CONJ(l->val[e]) : l->val[e];
        T *row = y + (psb_epk)l->idx[e] * q->k + first;
        for (psb_ipk j = 0; j < c; j++)
            row[j] += v * x[j];
    }
}

#include "product_kernels.t.h"
