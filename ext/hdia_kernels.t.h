/* hdia_kernels.t.h -- room: ext.  Products of HDIA, for one level of vector instructions. */

/* sum += the entries of rows r .. r+n-1 on diagonal d, which begin `at` rows into their hack. */
static inline void L(add_diagonal)(const struct X(diagonals) *s, psb_epk d, psb_ipk r, psb_epk at, psb_ipk n,
                                   const T *x, T *restrict sum)
{
    const psb_epk first = (psb_epk)r + s->dist[d];
    const psb_ipk lo = first < 0 ? (-first < n ? (psb_ipk)-first : n) : 0;
    const psb_ipk hi = first + n > s->ncols ? (psb_ipk)(s->ncols > first ? s->ncols - first : 0) : n;
    const T *val = s->val + d * s->rows + at;
    x += first;
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
static void L(gather)(const struct product *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(diagonals) *s = q->s;
    const T alpha = q->alpha, beta = q->beta;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        T sum[STRIP] = { 0 };
        psb_epk h = r / s->rows, at = r % s->rows, left = s->rows - at < hi - r ? s->rows - at : hi - r;
        n = left < STRIP ? (psb_ipk)left : STRIP;
        for (psb_epk d = s->off[h]; d < s->off[h + 1]; d++)
            L(add_diagonal)(s, d, r, at, n, q->x, sum);
        for (psb_ipk i = 0; i < n; i++)
            q->y[r + i] = beta == 0 ? alpha * sum[i] : alpha * sum[i] + beta * q->y[r + i];
    }
}
