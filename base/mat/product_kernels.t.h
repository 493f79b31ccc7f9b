/* product_kernels.t.h -- base/mat: products with several columns, at most CHUNK at once, for formats
 * that define row_of. */

/* sum[0..c) of row i, columns of x from `first` on; c, and the step if row_of sets a constant, are constants
 * in every call. */
PSB_INLINE void L(sum_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c, T *restrict sum)
{
    struct X(row) r = row_of(q->of, i);
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (; r.n > 0; r.n--, r.val += r.step, r.idx += r.step) {
        const T v = q->conjugate ? CONJ(*r.val) : *r.val, *x = q->x + (psb_epk)*r.idx * q->k + first;
        __builtin_prefetch(r.val + AHEAD);
        __builtin_prefetch(r.idx + AHEAD);
        for (psb_ipk j = 0; j < c; j++)
            sum[j] += v * x[j];
    }
}

/* y += row i, transposed, times alpha x of that row; columns first .. first+c-1. */
PSB_INLINE void L(scatter_row)(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk c, T *restrict y)
{
    struct X(row) r = row_of(q->of, i);
    T x[CHUNK];
    for (psb_ipk j = 0; j < c; j++)
        x[j] = q->alpha * q->x[(psb_epk)i * q->k + first + j];
    for (; r.n > 0; r.n--, r.val += r.step, r.idx += r.step) {
        const T v = q->conjugate ? CONJ(*r.val) : *r.val;
        T *to = y + (psb_epk)*r.idx * q->k + first;
        for (psb_ipk j = 0; j < c; j++)
            to[j] += v * x[j];
    }
}

/* CHUNK columns of y of row i, from c on. */
PSB_INLINE void L(gather_chunk)(const struct X(product) *q, psb_ipk i, psb_ipk c)
{
    struct X(row) r = row_of(q->of, i);
    struct L(columns) sum = { 0 };
    for (; r.n > 0; r.n--, r.val += r.step, r.idx += r.step) {
        __builtin_prefetch(r.val + AHEAD);
        __builtin_prefetch(r.idx + AHEAD);
        L(columns_add)(&sum, q->conjugate ? CONJ(*r.val) : *r.val, q->x + (psb_epk)*r.idx * q->k + c, 0);
    }
    L(columns_store)(&sum, q->alpha, q->beta, q->y + (psb_epk)i * q->k + c);
}

/* y of row i, columns from c on. */
PSB_INLINE void L(gather_columns)(const struct X(product) *q, psb_ipk i, psb_ipk c)
{
    for (; q->k - c >= CHUNK; c += CHUNK)
        L(gather_chunk)(q, i, c);
    for (psb_ipk w; c < q->k; c += w) {
        T sum[CHUNK], *y = q->y + (psb_epk)i * q->k + c;
        w = q->k - c;
        if (w == CHUNK / 2)
            L(sum_row)(q, i, c, CHUNK / 2, sum);
        else
            L(sum_row)(q, i, c, w, sum);
        for (psb_ipk j = 0; j < w; j++)
            y[j] = q->beta == 0 ? q->alpha * sum[j] : q->alpha * sum[j] + q->beta * y[j];
    }
}

/* y of rows lo .. hi-1, row by row. */
PSB_INLINE void L(gather_each)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    for (psb_ipk i = lo; i < hi; i++)
        L(gather_columns)(q, i, 0);
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
