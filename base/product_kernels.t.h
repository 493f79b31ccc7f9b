/* product_kernels.t.h -- room: base.  Products with many columns, at most CHUNK of them at a time, on what
 * the kernels of a format do for a row: sum_row and scatter_row. */

/* y of rows lo .. hi-1. */
static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
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

/* y += rows lo .. hi-1, transposed, times alpha x. */
static void L(scatter_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    for (psb_ipk i = lo; i < hi; i++)
        for (psb_ipk c = 0; c < q->k; c += CHUNK)
            if (q->k - c >= CHUNK)
                L(scatter_row)(q, i, c, CHUNK, y);
            else
                L(scatter_row)(q, i, c, q->k - c, y);
}
