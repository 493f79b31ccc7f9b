/* coo_kernels.t.h -- base/mat: products of COO, for one level of vector instructions.  Adjacent
 * entries of a row are summed first. */

/* The entries *e <= k < *end of rows lo .. hi-1.  All rows have all entries, in any order. */
static inline void L(span)(const struct X(coo_mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *e, psb_epk *end)
{
    *e = lo == 0 ? 0 : psb_first_from(a->ia, 1, a->mat.nnz, lo);
    *end = hi == a->mat.nrows ? a->mat.nnz : psb_first_from(a->ia, 1, a->mat.nnz, hi);
}

static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(coo_mat) *a = q->of;
    const psb_ipk *ia = a->ia, *ja = a->ja;
    const T *val = a->val, *x = q->x, alpha = q->alpha;
    T *y = q->y;
    psb_epk e, end;
    start_rows(q, lo, hi);
    for (L(span)(a, lo, hi, &e, &end); e < end;) {
        const psb_ipk i = ia[e];
        T sum = 0;
        __builtin_prefetch(ia + e + AHEAD);
        __builtin_prefetch(ja + e + AHEAD);
        do {
            __builtin_prefetch(val + e + AHEAD);
            sum += val[e] * x[ja[e]];
            e++;
        } while (e < end && ia[e] == i);
        y[i] += alpha * sum;
    }
}

static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(coo_mat) *a = q->of;
    const psb_ipk *ia = a->ia, *ja = a->ja;
    const T *val = a->val, *x = q->x, alpha = q->alpha;
    const int conjugate = q->conjugate;
    psb_epk e, end;
    for (L(span)(a, lo, hi, &e, &end); e < end;) {
        const psb_ipk i = ia[e];
        const T xi = alpha * x[i];
        __builtin_prefetch(ia + e + AHEAD);
        __builtin_prefetch(ja + e + AHEAD);
        do {
            __builtin_prefetch(val + e + AHEAD);
            y[ja[e]] += (conjugate ? CONJ(val[e]) : val[e]) * xi;
            e++;
        } while (e < end && ia[e] == i);
    }
}

/* --- several columns -------------------------------------------------------------------------------- */

/* y += v x for c columns. */
static inline void L(add_columns)(T v, psb_ipk c, const T *restrict x, T *restrict y)
{
    for (psb_ipk j = 0; j < c; j++)
        y[j] += v * x[j];
}

static inline void L(add_entry)(T v, psb_ipk k, const T *x, T *y)
{
    if (k == CHUNK)
        L(add_columns)(v, CHUNK, x, y);
    else
        L(add_columns)(v, k, x, y);
}

static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(coo_mat) *a = q->of;
    const psb_epk k = q->k;
    psb_epk e, end;
    start_rows(q, lo, hi);
    for (L(span)(a, lo, hi, &e, &end); e < end; e++)
        L(add_entry)(q->alpha * a->val[e], q->k, q->x + a->ja[e] * k, q->y + a->ia[e] * k);
}

static void L(scatter_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(coo_mat) *a = q->of;
    const psb_epk k = q->k;
    psb_epk e, end;
    for (L(span)(a, lo, hi, &e, &end); e < end; e++) {
        const T v = q->alpha * (q->conjugate ? CONJ(a->val[e]) : a->val[e]);
        L(add_entry)(v, q->k, q->x + a->ia[e] * k, y + a->ja[e] * k);
    }
}
