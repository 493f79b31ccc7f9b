/* hll_kernels.t.h -- room: ext.  Products of HLL, for one level of vector instructions. */

/* sum[i] of n rows that begin at ja and val; n is known where this is inlined.  Columns that all rows have
 * come first, then those that only some have: what is padded is not multiplied.  Every cache line is asked
 * for ahead: where hacks are long the processor sees many short streams, and would not. */
static inline void L(sum_strip)(psb_ipk n, psb_epk ld, const psb_ipk *irn, const psb_ipk *restrict ja,
                                const T *restrict val, const T *restrict x, T *restrict sum)
{
    psb_ipk k = 0, full = irn[0], most = irn[0];
    for (psb_ipk i = 0; i < n; i++) {
        full = irn[i] < full ? irn[i] : full;
        most = irn[i] > most ? irn[i] : most;
        sum[i] = 0;
    }
    for (; k < full; k++, ja += ld, val += ld) {
        for (psb_ipk i = 0; i < n; i += LINE / (psb_ipk)sizeof *ja)
            __builtin_prefetch(ja + i + AHEAD);
        for (psb_ipk i = 0; i < n; i += LINE / (psb_ipk)sizeof *val)
            __builtin_prefetch(val + i + AHEAD);
        for (psb_ipk i = 0; i < n; i++)
            sum[i] += val[i] * x[ja[i]];
    }
    for (; k < most; k++, ja += ld, val += ld)
        for (psb_ipk i = 0; i < n; i++)
            sum[i] += k < irn[i] ? val[i] * x[ja[i]] : 0;
}

/* y of rows lo .. hi-1. */
static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(hll_arrays) s = *(const struct X(hll_arrays) *)q->of;
    const T alpha = q->alpha, beta = q->beta;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T sum[STRIP];
        psb_epk p = X(hll_first)(&s, r);
        n = psb_hacks_strip(&s.g, r, hi, STRIP);
        if (n == STRIP)
            L(sum_strip)(STRIP, s.g.rows, s.irn + r, s.ja + p, s.val + p, q->x, sum);
        else
            L(sum_strip)(n, s.g.rows, s.irn + r, s.ja + p, s.val + p, q->x, sum);
        for (psb_ipk i = 0; i < n; i++)
            q->y[r + i] = beta == 0 ? alpha * sum[i] : alpha * sum[i] + beta * q->y[r + i];
    }
}

/* y += n rows from r on, transposed, times alpha x of them. */
static void L(scatter_strip)(const struct X(product) *q, psb_ipk r, psb_ipk n, T *restrict y)
{
    const struct X(hll_arrays) *s = q->of;
    const psb_ipk *irn = s->irn + r;
    psb_epk p = X(hll_first)(s, r);
    T x[STRIP];
    psb_ipk most = 0;
    for (psb_ipk i = 0; i < n; i++) {
        x[i] = q->alpha * q->x[r + i];
        most = irn[i] > most ? irn[i] : most;
    }
    for (psb_ipk k = 0; k < most; k++, p += s->g.rows)
        for (psb_ipk i = 0; i < n; i++)
            if (k < irn[i])
                y[s->ja[p + i]] += (q->conjugate ? CONJ(s->val[p + i]) : s->val[p + i]) * x[i];
}

static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct psb_hacks *g = &((const struct X(hll_arrays) *)q->of)->g;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(g, r, hi, STRIP);
        L(scatter_strip)(q, r, n, y);
    }
}

/* --- many columns ------------------------------------------------------------------------------------- */

/* sum[0..c) of row i, columns of x from its column `first` on; c is known where this is inlined. */
static inline void L(sum_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c,
                              T *restrict sum)
{
    const struct X(hll_arrays) *s = q->of;
    psb_epk p = X(hll_first)(s, i);
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (psb_ipk k = 0; k < s->irn[i]; k++, p += s->g.rows) {
        const T v = s->val[p], *row = q->x + (psb_epk)s->ja[p] * q->k + first;
        __builtin_prefetch(s->val + p + AHEAD);
        __builtin_prefetch(s->ja + p + AHEAD);
        for (psb_ipk j = 0; j < c; j++)
            sum[j] += v * row[j];
    }
}

/* y += row i, transposed, times alpha x of that row; columns first .. first+c-1. */
static inline void L(scatter_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c,
                                  T *restrict y)
{
    const struct X(hll_arrays) *s = q->of;
    psb_epk p = X(hll_first)(s, i);
    T x[CHUNK];
    for (psb_ipk j = 0; j < c; j++)
        x[j] = q->alpha * q->x[(psb_epk)i * q->k + first + j];
    for (psb_ipk k = 0; k < s->irn[i]; k++, p += s->g.rows) {
        T v = q->conjugate ? CONJ(s->val[p]) : s->val[p], *row = y + (psb_epk)s->ja[p] * q->k + first;
        for (psb_ipk j = 0; j < c; j++)
            row[j] += v * x[j];
    }
}

#include "product_kernels.t.h"
