/* strided_steps.h -- base/device: products of rows in CSR and dense arrays, and solves: one order of
 * operations in C and CUDA; arithmetic comes from the file that includes this one, as for band_steps.h. */
enum { STRIDED_LANES = 8 };

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

/* Element (i, j) of product b.  over: q->over, a constant in CUDA. */
BAND_EVERYWHERE void strided_element(const struct psb_row_products *q, enum psb_semiring over, psb_epk b,
                                     psb_epk i, psb_epk j, T alpha, const T *val, const T *x, T beta, T *y)
{
    const psb_epk from = j * q->x.col + b * q->x.batch, end = band_is_zero(alpha) ? 0 : q->off[i + 1];
    T s = strided_none(over);
    for (psb_epk e = q->off[i]; e < end; e++) {
        const T v = band_read(x + (from + q->ja[e] * q->x.row));
        s = strided_add(over, s, band_read(val + (b * q->values + e)), q->conjugate ? band_conjugate(v) : v);
    }
    y += i * q->y.row + j * q->y.col + b * q->y.batch;
    if (over == PSB_PLUS_TIMES)
        strided_put(alpha, s, beta, y);
    else
        *y = band_is_zero(beta) ? s : strided_add(over, s, strided_unit(over), *y);
}

/* part[l - from] = the sum of x[c] y[c] over c = l, l + STRIDED_LANES, ... below k, from <= l < to. */
BAND_EVERYWHERE void strided_dot(psb_ipk k, const T *x, const T *y, int from, int to, T *part)
{
    psb_epk c = 0;
    for (int l = from; l < to; l++)
        part[l - from] = BAND_ZERO;
    for (; c + STRIDED_LANES <= k; c += STRIDED_LANES)
        for (int l = from; l < to; l++)
            part[l - from] = band_plus(part[l - from],
                                       band_times(band_read(x + c + l), band_read(y + c + l)));
    for (int l = from; l < to && c + l < k; l++)
        part[l - from] = band_plus(part[l - from], band_times(band_read(x + c + l), band_read(y + c + l)));
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
