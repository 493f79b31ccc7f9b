/* hll_kernels.t.h -- room: ext.  Products of HLL, for one level of vector instructions. */

/* sum[i] of n rows that begin at ja and val; n is known where this is inlined.  Columns that all rows have
 * come first, then those that only some have: what is padded is not multiplied. */
static inline void L(sum_strip)(psb_ipk n, psb_epk ld, const psb_ipk *irn, const psb_ipk *restrict ja,
                                const T *restrict val, const T *restrict x, T *restrict sum)
{
    psb_ipk k = 0, full = irn[0], most = irn[0];
    for (psb_ipk i = 0; i < n; i++) {
        full = irn[i] < full ? irn[i] : full;
        most = irn[i] > most ? irn[i] : most;
        sum[i] = 0;
    }
    for (; k < full; k++, ja += ld, val += ld)
        for (psb_ipk i = 0; i < n; i++)
            sum[i] += val[i] * x[ja[i]];
    for (; k < most; k++, ja += ld, val += ld)
        for (psb_ipk i = 0; i < n; i++)
            sum[i] += k < irn[i] ? val[i] * x[ja[i]] : 0;
}

/* y of rows lo .. hi-1. */
static void L(gather)(const struct product *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(hacks) s = *q->s;
    const T alpha = q->alpha, beta = q->beta;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T sum[STRIP];
        psb_epk at = r % s.rows, p = s.off[r / s.rows] + at;
        n = X(hacks_strip)(&s, at, hi - r);
        if (n == STRIP)
            L(sum_strip)(STRIP, s.rows, s.irn + r, s.ja + p, s.val + p, q->x, sum);
        else
            L(sum_strip)(n, s.rows, s.irn + r, s.ja + p, s.val + p, q->x, sum);
        for (psb_ipk i = 0; i < n; i++)
            q->y[r + i] = beta == 0 ? alpha * sum[i] : alpha * sum[i] + beta * q->y[r + i];
    }
}

/* sum[0..c) of row i, columns of x from its column `first` on; c is known where this is inlined. */
static inline void L(sum_row)(const struct product *q, psb_ipk i, psb_ipk first, psb_ipk c, T *restrict sum)
{
    const struct X(hacks) *s = q->s;
    psb_epk p = s->off[i / s->rows] + i % s->rows;
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (psb_ipk k = 0; k < s->irn[i]; k++, p += s->rows) {
        const T v = s->val[p], *row = q->x + (psb_epk)s->ja[p] * q->k + first;
        for (psb_ipk j = 0; j < c; j++)
            sum[j] += v * row[j];
    }
}

/* The same as gather for q->k columns. */
static void L(gather_many)(const struct product *q, psb_ipk lo, psb_ipk hi)
{
    for (psb_ipk i = lo; i < hi; i++)
        for (psb_ipk c = 0, w; c < q->k; c += w) {
            T sum[CHUNK], *y = q->y + (psb_epk)i * q->k + c;
            w = q->k - c < CHUNK ? q->k - c : CHUNK;
            if (w == CHUNK)
                L(sum_row)(q, i, c, CHUNK, sum);
            else if (w == CHUNK / 2)
                L(sum_row)(q, i, c, CHUNK / 2, sum);
            else
                L(sum_row)(q, i, c, w, sum);
            for (psb_ipk j = 0; j < w; j++)
                y[j] = q->beta == 0 ? q->alpha * sum[j] : q->alpha * sum[j] + q->beta * y[j];
        }
}
