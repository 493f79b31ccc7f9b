/* hdia_kernels.t.h -- ext: products of HDIA, for one level of vector instructions. */

/* Of first .. first+n-1, those within 0 .. m-1 are first + *lo .. first + *hi - 1. */
static inline void L(clip)(psb_epk first, psb_ipk n, psb_ipk m, psb_ipk *lo, psb_ipk *hi)
{
    *lo = first < 0 ? (-first < n ? (psb_ipk)-first : n) : 0;
    *hi = first + n > m ? (psb_ipk)(m > first ? m - first : 0) : n;
}

#include "lanes_kernels.t.h"
#include "columns_kernels.t.h"

/* sum[i] += val[i] x[i], lo <= i < hi, for a diagonal whose gaps, if any, are zeros.  Every cache line is
 * prefetched. */
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

/* sum[i] += element i of diagonal d times x[i], lo <= i < hi; element 0 is in row `at` of the hack. */
PSB_INLINE void L(add_diagonal)(const struct X(diagonals) *s, psb_epk d, psb_epk at, psb_ipk lo, psb_ipk hi,
                                int conjugate, const T *x, T *restrict sum)
{
    const T *val = s->val + d * s->g.rows + at;
    if (s->gaps[d] == PSB_NO_GAPS && !conjugate)
        L(add_run)(lo, hi, 0, val, x, sum);
    else if (s->gaps[d] == PSB_ZEROS_ARE_GAPS && !conjugate)
        L(add_run)(lo, hi, 1, val, x, sum);
    else
        for (psb_ipk i = lo; i < hi; i++)
            sum[i] += X(has_entry)(s, d, at + i) ? (conjugate ? CONJ(val[i]) : val[i]) * x[i] : 0;
}

/* y of rows lo .. hi-1, strip by strip. */
static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(diagonals) *s = q->of;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T sum[DIAGONAL_STRIP] = { 0 };
        psb_epk h = r / s->g.rows, at = r % s->g.rows;
        n = psb_hacks_strip(&s->g, r, hi, DIAGONAL_STRIP);
        for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++) {
            const psb_epk col = (psb_epk)r + s->dist[d];
            psb_ipk from, to;
            L(clip)(col, n, s->ncols, &from, &to);
            L(add_diagonal)(s, d, at, from, to, 0, q->x + col, sum);
        }
        for (psb_ipk i = 0; i < n; i++)
            L(put)(q, r + i, sum[i]);
    }
}

/* The same for columns lo .. hi-1, transposed, if there is a single hack: its diagonals are used as those of
 * the transposed matrix. */
static void L(gather_transposed)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(diagonals) *s = q->of;
    for (psb_ipk c = lo, n; c < hi; c += n) {
        T sum[DIAGONAL_STRIP] = { 0 };
        n = hi - c < DIAGONAL_STRIP ? hi - c : DIAGONAL_STRIP;
        for (psb_epk d = 0; d < s->g.off[1]; d++) {
            const psb_epk row = (psb_epk)c - s->dist[d];
            psb_ipk from, to;
            L(clip)(row, n, s->g.m, &from, &to);
            L(add_diagonal)(s, d, row, from, to, CPLX && q->conjugate, q->x + row, sum);
        }
        for (psb_ipk i = 0; i < n; i++)
            L(put)(q, c + i, sum[i]);
    }
}

/* y += the entries of rows r .. r+n-1 on diagonal d, transposed, times x of these rows. */
static inline void L(scatter_diagonal)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_epk at,
                                       psb_ipk n, int conjugate, const T *restrict x, T *restrict y)
{
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)((psb_epk)r + s->dist[d], n, s->ncols, &lo, &hi);
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
        T x[DIAGONAL_STRIP];
        psb_epk h = r / s->g.rows, at = r % s->g.rows;
        n = psb_hacks_strip(&s->g, r, hi, DIAGONAL_STRIP);
        for (psb_ipk i = 0; i < n; i++)
            x[i] = q->alpha * q->x[r + i];
        for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
            L(scatter_diagonal)(s, d, r, at, n, q->conjugate, x, y);
    }
}

/* --- many columns ------------------------------------------------------------------------------------- */

/* Is element i of a diagonal, whose row 0 is row `at` of the hack, an entry? */
static inline int L(is_entry)(const struct X(diagonals) *s, psb_epk d, const T *val, psb_epk at, psb_ipk i)
{
    return s->gaps[d] == PSB_NO_GAPS ||
           (s->gaps[d] == PSB_ZEROS_ARE_GAPS ? val[i] != 0 : X(has_entry)(s, d, at + i));
}

/* Rows r .. r+n-1 of one hack, the first of which is row `at` of the hack; d .. end-1 are the diagonals of
 * the hack, and on `in` .. `out`-1 all these rows are within the matrix. */
struct L(strip) {
    const struct X(diagonals) *s;
    psb_ipk r, n;
    psb_epk at, d, end, in, out, ahead;
};

/* One kind of gaps that describes all diagonals of a hack; the bits describe any. */
static inline enum psb_gaps L(gaps_of)(const struct L(strip) *t)
{
    int gaps = 0, zeros = 0;
    for (psb_epk d = t->d; d < t->end; d++) {
        if (t->s->gaps[d] == PSB_GAPS_BY_BITS)
            return PSB_GAPS_BY_BITS;
        gaps |= t->s->gaps[d] != PSB_NO_GAPS;
        zeros |= t->s->zeros[d] != 0;
    }
    return !gaps ? PSB_NO_GAPS : zeros ? PSB_GAPS_BY_BITS : PSB_ZEROS_ARE_GAPS;
}

static inline struct L(strip) L(strip_of)(const struct X(diagonals) *s, psb_ipk r, psb_ipk n)
{
    const psb_epk h = r / s->g.rows, size = (s->g.off[h + 1] - s->g.off[h]) * s->g.rows;
    struct L(strip) t = { s, r, n, r % s->g.rows, s->g.off[h], s->g.off[h + 1], 0, 0, AHEAD };
    if (s->g.rows < AHEAD && size > AHEAD)
        t.ahead = size;
    t.in = t.d + psb_first_from(s->dist + t.d, 1, t.end - t.d, -r);
    t.out = t.d + psb_first_from(s->dist + t.d, 1, t.end - t.d, s->ncols - n - r + 1);
    t.out = t.out > t.in ? t.out : t.in;
    return t;
}

/* sum[g] += CHUNK columns of row t->r + i + g, on diagonals d .. end-1; x begins at these columns.  inside:
 * all these rows are within the matrix; then x of later rows is prefetched, once for neighbouring diagonals.
 * `inside` and `gaps` are constants in every call. */
PSB_INLINE void L(add_diagonals)(const struct L(strip) *t, psb_ipk i, psb_epk d, psb_epk end, int inside,
                                 enum psb_gaps gaps, psb_epk k, const T *x, struct L(columns) *sum)
{
    const struct X(diagonals) *s = t->s;
    const psb_epk first = (psb_epk)t->r + i;
    for (; d < end; d++) {
        const T *val = s->val + d * s->g.rows + t->at + i;
        const psb_epk col = first + s->dist[d];
        __builtin_prefetch(val + t->ahead);
        if (inside && (d + 1 == end || s->dist[d + 1] != s->dist[d] + 1))
#pragma GCC unroll 8
            for (int g = 0; g < ROWS_AT_ONCE; g++)
                __builtin_prefetch(x + (col + DIAGONALS_SOON + g) * k);
#pragma GCC unroll 8
        for (int g = 0; g < ROWS_AT_ONCE; g++)
            if ((inside || (col + g >= 0 && col + g < s->ncols)) &&
                (gaps != PSB_GAPS_BY_BITS || X(has_entry)(s, d, t->at + i + g)))
                L(columns_add)(&sum[g], val[g], x + (col + g) * k, gaps == PSB_ZEROS_ARE_GAPS);
    }
}

/* CHUNK columns from c on of y of ROWS_AT_ONCE rows at a time.  Returns how many rows that is. */
PSB_INLINE psb_ipk L(gather_rows)(const struct X(product) *q, const struct L(strip) *t, psb_ipk c,
                                  enum psb_gaps gaps)
{
    const psb_epk k = q->k;
    psb_ipk i = 0;
    for (; t->n - i >= ROWS_AT_ONCE; i += ROWS_AT_ONCE) {
        struct L(columns) sum[ROWS_AT_ONCE] = { 0 };
        L(add_diagonals)(t, i, t->d, t->in, 0, gaps, k, q->x + c, sum);
        L(add_diagonals)(t, i, t->in, t->out, 1, gaps, k, q->x + c, sum);
        L(add_diagonals)(t, i, t->out, t->end, 0, gaps, k, q->x + c, sum);
#pragma GCC unroll 8
        for (int g = 0; g < ROWS_AT_ONCE; g++)
            L(columns_store)(&sum[g], q->alpha, q->beta, q->y + ((psb_epk)t->r + i + g) * k + c);
    }
    return i;
}

/* Columns c .. c+w-1 of y of rows `from` .. t->n - 1 of the strip. */
static inline void L(gather_rest)(const struct X(product) *q, const struct L(strip) *t, psb_ipk from,
                                  psb_ipk c, psb_ipk w)
{
    const struct X(diagonals) *s = t->s;
    for (psb_ipk i = from; i < t->n; i++) {
        T sum[CHUNK] = { 0 }, *y = q->y + ((psb_epk)t->r + i) * q->k + c;
        for (psb_epk d = t->d; d < t->end; d++) {
            const psb_epk col = (psb_epk)t->r + i + s->dist[d];
            const T v = s->val[d * s->g.rows + t->at + i];
            if (X(has_entry)(s, d, t->at + i))
                for (psb_ipk j = 0; j < w; j++)
                    sum[j] += v * q->x[col * q->k + c + j];
        }
        for (psb_ipk j = 0; j < w; j++)
            y[j] = q->beta == 0 ? q->alpha * sum[j] : q->alpha * sum[j] + q->beta * y[j];
    }
}

static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(diagonals) *s = q->of;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(&s->g, r, hi, MANY);
        const struct L(strip) t = L(strip_of)(s, r, n);
        const enum psb_gaps gaps = L(gaps_of)(&t);
        for (psb_ipk c = 0, done = 0; c < q->k; c += CHUNK, done = 0) {
            if (q->k - c >= CHUNK && gaps == PSB_NO_GAPS)
                done = L(gather_rows)(q, &t, c, PSB_NO_GAPS);
            else if (q->k - c >= CHUNK && gaps == PSB_ZEROS_ARE_GAPS)
                done = L(gather_rows)(q, &t, c, PSB_ZEROS_ARE_GAPS);
            else if (q->k - c >= CHUNK)
                done = L(gather_rows)(q, &t, c, PSB_GAPS_BY_BITS);
            L(gather_rest)(q, &t, done, c, q->k - c < CHUNK ? q->k - c : CHUNK);
        }
    }
}

/* y += the n rows from r on, all of one hack, on diagonal d, transposed, times alpha x. */
static inline void L(scatter_columns)(const struct X(product) *q, psb_epk d, psb_ipk r, psb_ipk n, T *y)
{
    const struct X(diagonals) *s = q->of;
    const psb_epk at = r % s->g.rows, k = q->k;
    const T *val = s->val + d * s->g.rows + at;
    psb_ipk lo, hi;
    L(clip)((psb_epk)r + s->dist[d], n, s->ncols, &lo, &hi);
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
