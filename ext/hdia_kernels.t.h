/* hdia_kernels.t.h -- room: ext.  Products of HDIA, for one level of vector instructions. */

/* Of n rows from r on, those from *lo up to *hi have a place on a diagonal within the matrix. */
static inline void L(clip)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_ipk n, psb_ipk *lo,
                           psb_ipk *hi)
{
    const psb_epk first = (psb_epk)r + s->dist[d];
    *lo = first < 0 ? (-first < n ? (psb_ipk)-first : n) : 0;
    *hi = first + n > s->ncols ? (psb_ipk)(s->ncols > first ? s->ncols - first : 0) : n;
}

/* sum += the entries of rows r .. r+n-1 on diagonal d, which begin `at` rows into their hack. */
static inline void L(add_diagonal)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_epk at, psb_ipk n,
                                   const T *x, T *restrict sum)
{
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)(s, d, r, n, &lo, &hi);
    x += (psb_epk)r + s->dist[d];
    if (s->gaps[d] == PSB_NO_GAPS)
        for (psb_ipk i = lo; i < hi; i++)
            sum[i] += val[i] * x[i];
    else if (s->gaps[d] == PSB_ZEROS_ARE_GAPS)
        for (psb_ipk i = lo; i < hi; i++)
            sum[i] += val[i] != 0 ? val[i] * x[i] : 0;
    else
        for (psb_ipk i = lo; i < hi; i++)
            sum[i] += X(has_entry)(s, d, at + i) ? val[i] * x[i] : 0;
}

/* y of rows lo .. hi-1, strip by strip. */
static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(diagonals) *s = q->of;
    const T alpha = q->alpha, beta = q->beta;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T sum[STRIP] = { 0 };
        psb_epk h = r / s->g.rows, at = r % s->g.rows;
        n = psb_hacks_strip(&s->g, r, hi, STRIP);
        for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
            L(add_diagonal)(s, d, r, at, n, q->x, sum);
        for (psb_ipk i = 0; i < n; i++)
            q->y[r + i] = beta == 0 ? alpha * sum[i] : alpha * sum[i] + beta * q->y[r + i];
    }
}

/* y += the entries of rows r .. r+n-1 on diagonal d, transposed, times x of these rows. */
static inline void L(scatter_diagonal)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_epk at,
                                       psb_ipk n, int conjugate, const T *restrict x, T *restrict y)
{
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)(s, d, r, n, &lo, &hi);
    y += (psb_epk)r + s->dist[d];
    if (s->gaps[d] == PSB_NO_GAPS && !conjugate)
        for (psb_ipk i = lo; i < hi; i++)
            y[i] += val[i] * x[i];
    else if (s->gaps[d] != PSB_GAPS_BY_BITS)
        for (psb_ipk i = lo; i < hi; i++)
            y[i] += s->gaps[d] == PSB_NO_GAPS || val[i] != 0 ? (conjugate ? CONJ(val[i]) : val[i]) * x[i] : 0;
    else
        for (psb_ipk i = lo; i < hi; i++)
            y[i] += X(has_entry)(s, d, at + i) ? (conjugate ? CONJ(val[i]) : val[i]) * x[i] : 0;
}

static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(diagonals) *s = q->of;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T x[STRIP];
        psb_epk h = r / s->g.rows, at = r % s->g.rows;
        n = psb_hacks_strip(&s->g, r, hi, STRIP);
        for (psb_ipk i = 0; i < n; i++)
            x[i] = q->alpha * q->x[r + i];
        for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
            L(scatter_diagonal)(s, d, r, at, n, q->conjugate, x, y);
    }
}

/* --- many columns ------------------------------------------------------------------------------------- */

/* sum[0..c) of row i, columns of x from `first` on; c is known where this is inlined. */
static inline void L(sum_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c,
                              T *restrict sum)
{
    const struct X(diagonals) *s = q->of;
    psb_epk h = i / s->g.rows, at = i % s->g.rows;
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
        if (X(has_entry)(s, d, at)) {
            const T v = s->val[d * s->g.rows + at], *row = q->x + ((psb_epk)i + s->dist[d]) * q->k + first;
            for (psb_ipk j = 0; j < c; j++)
                sum[j] += v * row[j];
        }
}

/* y += row i, transposed, times alpha x of that row; columns first .. first+c-1. */
static inline void L(scatter_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c,
                                  T *restrict y)
{
    const struct X(diagonals) *s = q->of;
    psb_epk h = i / s->g.rows, at = i % s->g.rows;
    T x[CHUNK];
    for (psb_ipk j = 0; j < c; j++)
        x[j] = q->alpha * q->x[(psb_epk)i * q->k + first + j];
    for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
        if (X(has_entry)(s, d, at)) {
            T v = q->conjugate ? CONJ(s->val[d * s->g.rows + at]) : s->val[d * s->g.rows + at];
            T *row = y + ((psb_epk)i + s->dist[d]) * q->k + first;
            for (psb_ipk j = 0; j < c; j++)
                row[j] += v * x[j];
        }
}

#include "product_kernels.t.h"
