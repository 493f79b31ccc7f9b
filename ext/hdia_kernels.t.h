/* hdia_kernels.t.h -- room: ext.  Products of HDIA, for one level of vector instructions. */

/* Of n rows from r on, those from *lo up to *hi have a place on a diagonal within the matrix. */
static inline void L(clip)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_ipk n, psb_ipk *lo,
                           psb_ipk *hi)
{
    const psb_epk first = (psb_epk)r + s->dist[d];
    *lo = first < 0 ? (-first < n ? (psb_ipk)-first : n) : 0;
    *hi = first + n > s->ncols ? (psb_ipk)(s->ncols > first ? s->ncols - first : 0) : n;
}

#include "lanes_kernels.t.h"

/* sum[i] += val[i] x[i], lo <= i < hi, of a diagonal whose gaps, if any, are zeros.  Every cache line is
 * asked for ahead. */
PSB_INLINE void L(add_run)(psb_ipk lo, psb_ipk hi, int gaps, const T *val, const T *x, T *sum)
{
    psb_ipk i = lo;
    for (; hi - i >= LANES; i += LANES) {
        __builtin_prefetch(val + i + AHEAD);
        L(lanes_add_along)(sum + i, val + i, x + i, gaps);
    }
    for (; i < hi; i++)
        sum[i] += !gaps || val[i] != 0 ? val[i] * x[i] : 0;
}

/* sum += the entries of rows r .. r+n-1 on diagonal d, which begin `at` rows into their hack. */
PSB_INLINE void L(add_diagonal)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_epk at, psb_ipk n,
                                const T *x, T *restrict sum)
{
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)(s, d, r, n, &lo, &hi);
    x += (psb_epk)r + s->dist[d];
    if (s->gaps[d] == PSB_NO_GAPS)
        L(add_run)(lo, hi, 0, val, x, sum);
    else if (s->gaps[d] == PSB_ZEROS_ARE_GAPS)
        L(add_run)(lo, hi, 1, val, x, sum);
    else
        for (psb_ipk i = lo; i < hi; i++)
            sum[i] += X(has_entry)(s, d, at + i) ? val[i] * x[i] : 0;
}

/* y of rows lo .. hi-1, strip by strip. */
static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(diagonals) *s = q->of;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T sum[STRIP] = { 0 };
        psb_epk h = r / s->g.rows, at = r % s->g.rows;
        n = psb_hacks_strip(&s->g, r, hi, STRIP);
        for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
            L(add_diagonal)(s, d, r, at, n, q->x, sum);
        for (psb_ipk i = 0; i < n; i++)
            L(put)(q, r + i, sum[i]);
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

/* Is place i of a diagonal, whose row is `at` rows into the hack, an entry? */
static inline int L(is_entry)(const struct X(diagonals) *s, psb_epk d, const T *val, psb_epk at, psb_ipk i)
{
    return s->gaps[d] == PSB_NO_GAPS ||
           (s->gaps[d] == PSB_ZEROS_ARE_GAPS ? val[i] != 0 : X(has_entry)(s, d, at + i));
}

/* sum[i*w + j] += row r+i of diagonal d, `at + i` rows into its hack, times x, i < n, j < w; w is known where
 * this is inlined. */
static inline void L(add_columns)(const struct X(product) *q, psb_epk d, psb_ipk r, psb_epk at, psb_ipk n,
                                  psb_ipk w, const T *restrict x, T *restrict sum)
{
    const struct X(diagonals) *s = q->of;
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)(s, d, r, n, &lo, &hi);
    x += ((psb_epk)r + s->dist[d]) * q->k;
    for (psb_ipk i = lo; i < hi; i++)
        if (L(is_entry)(s, d, val, at, i))
            for (psb_ipk j = 0; j < w; j++)
                sum[i * w + j] += val[i] * x[(psb_epk)i * q->k + j];
}

/* Columns c .. c+w-1 of y of n rows from r on, which lie in one hack. */
static inline void L(gather_strip)(const struct X(product) *q, psb_ipk r, psb_ipk n, psb_ipk c, psb_ipk w)
{
    const struct X(diagonals) *s = q->of;
    const psb_epk h = r / s->g.rows, at = r % s->g.rows;
    T sum[MANY * CHUNK] = { 0 };
    for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
        L(add_columns)(q, d, r, at, n, w, q->x + c, sum);
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk j = 0; j < w; j++) {
            T *y = q->y + ((psb_epk)r + i) * q->k + c + j;
            *y = q->beta == 0 ? q->alpha * sum[i * w + j] : q->alpha * sum[i * w + j] + q->beta * *y;
        }
}

static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct psb_hacks *g = &((const struct X(diagonals) *)q->of)->g;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(g, r, hi, MANY);
        for (psb_ipk c = 0; c < q->k; c += CHUNK)
            if (q->k - c >= CHUNK)
                L(gather_strip)(q, r, n, c, CHUNK);
            else
                L(gather_strip)(q, r, n, c, q->k - c);
    }
}

/* y += n rows from r on, which lie in one hack, on diagonal d, transposed, times alpha x. */
static inline void L(scatter_columns)(const struct X(product) *q, psb_epk d, psb_ipk r, psb_ipk n, T *y)
{
    const struct X(diagonals) *s = q->of;
    const psb_epk at = r % s->g.rows, k = q->k;
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)(s, d, r, n, &lo, &hi);
    y += ((psb_epk)r + s->dist[d]) * k;
    for (psb_ipk i = lo; i < hi; i++)
        if (L(is_entry)(s, d, val, at, i)) {
            const T v = q->alpha * (q->conjugate ? CONJ(val[i]) : val[i]);
            const T *x = q->x + ((psb_epk)r + i) * k;
            for (psb_epk j = 0; j < k; j++)
                y[i * k + j] += v * x[j];
        }
}

static void L(scatter_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(diagonals) *s = q->of;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(&s->g, r, hi, MANY);
        for (psb_epk h = r / s->g.rows, d = s->g.off[h]; d < s->g.off[h + 1]; d++)
            L(scatter_columns)(q, d, r, n, y);
    }
}
