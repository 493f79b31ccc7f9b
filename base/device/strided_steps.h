/* strided_steps.h -- base/device: products of rows in CSR and dense arrays, and solves: one order of
 * operations in C and CUDA; arithmetic comes from the file that includes this one, as for band_steps.h. */
/* Partial sums of a sampled product; of a row of more than STRIDED_LONG entries. */
enum { STRIDED_LANES = 8, STRIDED_LONG = 128, STRIDED_SUMS = 256 };

/* The element that `over` multiplies by without effect; what it adds without effect. */
BAND_EVERYWHERE T strided_unit(enum psb_semiring over)
{
    return band_real(over == PSB_MIN_PLUS ? 0 : 1);
}

BAND_EVERYWHERE T strided_none(enum psb_semiring over)
{
    return over == PSB_MIN_PLUS    ? band_real(INFINITY)
           : over == PSB_MAX_TIMES ? band_real(-INFINITY)
                                   : BAND_ZERO;
}

/* s plus a times x. */
BAND_EVERYWHERE T strided_add(enum psb_semiring over, T s, T a, T x)
{
    if (over == PSB_OR_AND)
        return band_is_zero(a) || band_is_zero(x) ? s : strided_unit(over);
    const T v = over == PSB_MIN_PLUS ? band_plus(a, x) : band_times(a, x);
    if (over == PSB_PLUS_TIMES)
        return band_plus(s, v);
    return over == PSB_MIN_PLUS ? (band_less(v, s) ? v : s) : band_less(s, v) ? v : s;
}

/* *y = alpha s + beta *y, which is not read if beta is 0. */
BAND_EVERYWHERE void strided_put(T alpha, T s, T beta, T *y)
{
    s = band_times(alpha, s);
    *y = band_is_zero(beta) ? s : band_plus(s, band_times(beta, *y));
}

/* The sum of two sums. */
BAND_EVERYWHERE T strided_join(enum psb_semiring over, T s, T v)
{
    return over == PSB_PLUS_TIMES ? band_plus(s, v) : strided_add(over, s, strided_unit(over), v);
}

/* s plus the product of entry e with its element of column j, in product b.  over: q->over, a constant in
 * CUDA. */
BAND_EVERYWHERE T strided_term(const struct psb_row_products *q, enum psb_semiring over, psb_epk b, psb_epk j,
                               psb_epk e, T s, const T *val, const T *x)
{
    const T v = band_read(x + (j * q->x.col + b * q->x.batch + q->ja[e] * q->x.row));
    return strided_add(over, s, band_read(val + (b * q->values + e)), q->conjugate ? band_conjugate(v) : v);
}

/* Element (i, j) of product b, whose terms have the sum s. */
BAND_EVERYWHERE void strided_end(const struct psb_row_products *q, enum psb_semiring over, psb_epk b,
                                 psb_epk i, psb_epk j, T alpha, T s, T beta, T *y)
{
    y += i * q->y.row + j * q->y.col + b * q->y.batch;
    if (over == PSB_PLUS_TIMES)
        strided_put(alpha, s, beta, y);
    else
        *y = band_is_zero(beta) ? s : strided_join(over, s, *y);
}

/* The terms of a row of more than STRIDED_LONG entries have STRIDED_SUMS sums: entry e belongs to the
 * (e mod STRIDED_SUMS)-th, counted from the row's first; then the second half of the sums is added to the
 * first, and so on.  Returns the terms of row i. */
BAND_EVERYWHERE psb_epk strided_terms(const struct psb_row_products *q, psb_epk i, T alpha)
{
    return band_is_zero(alpha) ? 0 : q->off[i + 1] - q->off[i];
}

/* Element (i, j) of product b, of a row that is not long. */
BAND_EVERYWHERE void strided_element(const struct psb_row_products *q, enum psb_semiring over, psb_epk b,
                                     psb_epk i, psb_epk j, T alpha, const T *val, const T *x, T beta, T *y)
{
    const psb_epk from = q->off[i], end = from + strided_terms(q, i, alpha);
    T s = strided_none(over);
    for (psb_epk e = from; e < end; e++)
        s = strided_term(q, over, b, j, e, s, val, x);
    strided_end(q, over, b, i, j, alpha, s, beta, y);
}

/* Solve op(A) x = x for a triangle, element i of x at i step.  Returns the first row that has an entry
 * outside of the triangle, or none but 0 on the diagonal, or one there if unit; or -1. */
BAND_EVERYWHERE psb_ipk strided_solve(const struct psb_row_products *q, const T *val, T *x, psb_epk step)
{
    const bool gather = q->op == 'N', up = q->upper != gather;
    psb_ipk bad = -1;
    for (psb_ipk n = 0; n < q->m; n++) {
        const psb_ipk i = up ? n : q->m - 1 - n;
        const psb_epk from = q->off[i], end = q->off[i + 1];
        T s = x[i * step], d = BAND_ZERO;
        bool is_wrong = false;
        for (psb_epk e = from; e < end; e++) {
            const psb_ipk j = q->ja[e];
            const T v = band_read(val + e);
            if (j == i)
                d = band_plus(d, v);
            else if (gather)
                s = band_minus(s, v, x[j * step]);
            is_wrong |= j == i ? q->unit : (j > i) != q->upper;
        }
        is_wrong |= !q->unit && band_is_zero(d);
        x[i * step] = s = q->unit ? s : band_over(s, q->op == 'C' ? band_conjugate(d) : d);
        for (psb_epk e = from; e < end && !gather; e++) {
            const T v = band_read(val + e);
            if (q->ja[e] != i)
                x[q->ja[e] * step] = band_minus(x[q->ja[e] * step], q->op == 'C' ? band_conjugate(v) : v, s);
        }
        if (is_wrong && (bad < 0 || i < bad))
            bad = i;
    }
    return bad;
}
