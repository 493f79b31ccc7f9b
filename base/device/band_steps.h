/* band_steps.h -- base/device: elimination in a banded system, in C for the host and, in CUDA, for a device:
 * the operations have one order, and so the same bits.  T, BAND_ZERO, the functions band_plus, band_minus,
 * band_over, band_size, band_is_zero, band_read, band_fetch and band_logarithm, and BAND_EVERYWHERE, which
 * declares functions, come from the file that includes this one; in CUDA a struct does, so there is no guard.
 * `w` is the number of diagonals on each side in the order of elimination, at most BAND_MOST; `diag` points
 * to the first elements of the system, as x does. */
enum { BAND_MOST = 4, BAND_AHEAD = 8 };

/* The unknown that is eliminated k-th, and its inverse.  A periodic band is folded, 0, n - 1, 1, n - 2, ...:
 * it becomes a band of twice the width, with ends. */
BAND_EVERYWHERE psb_epk band_place(const struct psb_band *b, psb_epk k)
{
    return !b->periodic ? k : k % 2 ? b->n - 1 - k / 2 : k / 2;
}

BAND_EVERYWHERE psb_epk band_order(const struct psb_band *b, psb_epk i)
{
    return i <= (b->n - 1) / 2 ? 2 * i : 2 * (b->n - 1 - i) + 1;
}

/* row[j], 0 <= j <= 2 w: the coefficient of the unknown eliminated (k - w + j)-th in the row of the k-th;
 * 0 from n on. */
BAND_EVERYWHERE void band_row(const struct psb_band *b, int w, const T *const *diag, psb_epk k, T *row)
{
    const psb_epk n = b->n, i = band_place(b, k);
    for (int j = 0; j <= 2 * w; j++) {
        const psb_epk to = k - w + j;
        const bool is = !b->periodic && k < n && to >= 0 && to < n;
        row[j] = is ? band_read(diag[j] + i * b->row) : BAND_ZERO;
    }
    for (int j = 0; b->periodic && k < n && j <= w; j++) {
        const psb_epk to = ((i + j - w / 2) % n + n) % n;
        T *const sum = row + (band_order(b, to) - k + w);
        *sum = band_plus(*sum, band_read(diag[j] + i * b->row));
    }
}

/* Exchange two rows of elements 0 .. last, and their right-hand sides. */
BAND_EVERYWHERE void band_swap(int last, T *p, T *q, T *y, T *z)
{
    const T t = *y;
    *y = *z;
    *z = t;
    for (int j = 0; j <= last; j++) {
        const T v = p[j];
        p[j] = q[j];
        q[j] = v;
    }
}

/* Eliminate an unknown from the rows 1 .. w of a, of elements 0 .. last, whose first ones are its
 * coefficients, by row 0; with `pivot` by the row with the largest one, which becomes row 0.  y: the
 * right-hand sides. */
BAND_EVERYWHERE void band_eliminate(int w, int last, bool pivot, T (*a)[2 * BAND_MOST + 1], T *y)
{
    for (int i = 1; i <= w; i++)
        if (pivot && band_size(a[i][0]) > band_size(a[0][0]))
            band_swap(last, a[0], a[i], &y[0], &y[i]);
    for (int i = 1; i <= w; i++) {
        const T f = band_over(a[i][0], a[0][0]);
        for (int j = 1; j <= last; j++)
            a[i][j] = band_minus(a[i][j], f, a[0][j]);
        y[i] = band_minus(y[i], f, y[0]);
    }
}

/* The number of elements beside the diagonal, which is 1, of a row of the triangle that band_down leaves. */
BAND_EVERYWHERE int band_kept(int w, bool pivot)
{
    return (pivot ? 2 : 1) * w;
}

/* Ask for what band_row reads, and the right-hand side, of a later row. */
BAND_EVERYWHERE void band_fetch_row(const struct psb_band *b, int w, const T *const *diag, psb_epk k,
                                    const T *x)
{
    const psb_epk at = band_place(b, k) * b->row;
    for (int j = 0; k < b->n && j <= (b->periodic ? w : 2 * w); j++)
        band_fetch(diag[j] + at);
    if (k < b->n)
        band_fetch(x + at);
}

/* Eliminate all unknowns: x becomes the right-hand side of a triangular system, in the order of elimination,
 * of which element j + 1 of row k is stored in u[(k band_kept + j) step] unless u is NULL.  Returns the first
 * unknown whose pivot is 0, or -1.  A window of w + 1 rows moves along the band. */
BAND_EVERYWHERE psb_epk band_down(const struct psb_band *b, int w, const T *const *diag, T *x, T *u,
                                  psb_epk step)
{
    const bool pivot = b->pivot;
    const int keep = band_kept(w, pivot);
    T a[BAND_MOST + 1][2 * BAND_MOST + 1], y[BAND_MOST + 1];
    psb_epk bad = -1;
    for (int i = 0; i <= w; i++) {
        y[i] = BAND_ZERO;
        for (int j = 0; j <= 2 * w; j++)
            a[i][j] = BAND_ZERO;
    }
    for (psb_epk k = -w; k < b->n; k++) {
        band_fetch_row(b, w, diag, k + w + BAND_AHEAD, x);
        band_row(b, w, diag, k + w, a[w]);
        y[w] = k + w < b->n ? x[band_place(b, k + w) * b->row] : BAND_ZERO;
        if (k >= 0) {
            band_eliminate(w, pivot ? 2 * w : w, pivot, a, y);
            if (bad < 0 && band_is_zero(a[0][0]))
                bad = band_place(b, k);
            for (int j = 0; u && j < keep; j++)
                u[(k * keep + j) * step] = band_over(a[0][j + 1], a[0][0]);
            x[band_place(b, k) * b->row] = band_over(y[0], a[0][0]);
        }
        for (int i = 0; i < w; i++) {
            y[i] = y[i + 1];
            for (int j = 0; j < 2 * w; j++)
                a[i][j] = a[i + 1][j + 1];
            a[i][2 * w] = BAND_ZERO;
        }
    }
    return bad;
}

/* Solve the triangular system that band_down has left. */
BAND_EVERYWHERE void band_up(const struct psb_band *b, int w, const T *u, psb_epk step, T *x)
{
    const int keep = band_kept(w, b->pivot);
    T z[2 * BAND_MOST];
    for (int j = 0; j < keep; j++)
        z[j] = BAND_ZERO;
    for (psb_epk k = b->n - 1; k >= 0; k--) {
        T *const to = x + band_place(b, k) * b->row, v = *to;
        const psb_epk ahead = k - BAND_AHEAD;
        for (int j = 0; ahead >= 0 && j < keep; j++)
            band_fetch(u + (ahead * keep + j) * step);
        if (ahead >= 0)
            band_fetch(x + band_place(b, ahead) * b->row);
        for (int j = 0; j < keep; j++)
            v = band_minus(v, u[(k * keep + j) * step], z[j]);
        for (int j = keep - 1; j > 0; j--)
            z[j] = z[j - 1];
        z[0] = *to = v;
    }
}
