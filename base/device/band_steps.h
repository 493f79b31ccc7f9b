/* band_steps.h -- base/device: elimination in a banded system, in C for the host and, in CUDA, for a device:
 * the operations have one order, and so the same bits.  T, BAND_ZERO, the functions band_plus, band_minus,
 * band_times, band_over, band_careful_over, band_inverse, band_is_moderate, band_size, band_is_zero,
 * band_ask, band_asked, band_arrived and band_logarithm, and BAND_EVERYWHERE, which declares
 * functions, come from the file that includes this one; in CUDA a struct does, so there is no guard.  `w` is
 * the number of diagonals on each side in the order of elimination, at most BAND_MOST. */
enum { BAND_MOST = 4, BAND_RING = 8 };

/* Quotients by one number, whose inverse is rounded unless it is huge or tiny. */
struct band_divisor {
    T by, inverse;
    bool is_moderate;
};

BAND_EVERYWHERE struct band_divisor band_divisor_of(T a)
{
    struct band_divisor d;
    d.by = a;
    d.inverse = band_inverse(a);
    d.is_moderate = band_is_moderate(a);
    return d;
}

BAND_EVERYWHERE T band_by(T a, struct band_divisor d)
{
    return d.is_moderate ? band_times(a, d.inverse) : band_careful_over(a, d.by);
}

/* --- the two sides of a system -------------------------------------------------------------------------- */

/* A system as a thread sees it that eliminates unknowns from one side: its first `rows` ones, in the order of
 * band_place.  Strides are negative from the end.  Element j + 1 of row k of the triangle is at
 * u[(k band_kept + j) u_step], if u is not NULL, the right-hand side at v[(place of k) v_step], which may be
 * x. The ring has room for BAND_RING rows as they are read. */
struct band_side {
    struct psb_band b;
    int side;
    psb_epk rows;
    const T *diag[2 * PSB_MOST_WIDTH + 1];
    T *x, *u, *v, *ring;
    psb_epk u_step, v_step, ring_step;
};

/* diag, x: the first elements of the system. */
BAND_EVERYWHERE struct band_side band_side_of(const struct psb_band *b, int w, int side, const T *const *diag,
                                              T *x)
{
    const psb_epk last = side ? ((psb_epk)b->n - 1) * b->row : 0;
    struct band_side q;
    q.b = *b;
    q.b.row = side ? -b->row : b->row;
    q.side = side;
    q.rows = band_rows_of(b, w, side);
    for (int d = 0; d <= (b->periodic ? w : 2 * w); d++)
        q.diag[d] = (side ? diag[2 * w - d] : diag[d]) + last;
    q.x = x + last;
    return q;
}

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

/* The row of the system of the k-th unknown of a side. */
BAND_EVERYWHERE psb_epk band_number(const struct band_side *q, psb_epk k)
{
    return q->side ? q->b.n - 1 - k : band_place(&q->b, k);
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Rows of the system that a side reads. */
BAND_EVERYWHERE psb_epk band_end(const struct band_side *q, int w)
{
    return q->rows + w < q->b.n ? q->rows + w : q->b.n;
}

/* The diagonals that are read. */
BAND_EVERYWHERE int band_diagonals(const struct psb_band *b, int w)
{
    return b->periodic ? w + 1 : 2 * w + 1;
}

/* Where the ring has row k. */
BAND_EVERYWHERE T *band_in_ring(const struct band_side *q, int w, psb_epk k)
{
    return q->ring + (int)(k % BAND_RING) * (band_diagonals(&q->b, w) + 1) * q->ring_step;
}

/* Ask for row k; elements beside the matrix are 0. */
BAND_EVERYWHERE void band_ask_row(const struct band_side *q, int w, psb_epk k)
{
    const int m = band_diagonals(&q->b, w);
    const psb_epk at = band_place(&q->b, k) * q->b.row;
    T *const to = band_in_ring(q, w, k);
    for (int j = 0; k < band_end(q, w) && j < m; j++)
        if (q->b.periodic || (j < w ? k >= w - j : k + j - w < q->b.n))
            band_ask(to + j * q->ring_step, q->diag[j] + at);
        else
            to[j * q->ring_step] = BAND_ZERO;
    if (k < band_end(q, w))
        band_ask(to + m * q->ring_step, q->x + at);
    band_asked();
}

/* row[j], 0 <= j <= 2 w: the coefficient of the unknown eliminated (k - w + j)-th in the row of the k-th;
 * y: its right-hand side; 0 from the end on. */
BAND_EVERYWHERE void band_row(const struct band_side *q, int w, psb_epk k, T *row, T *y)
{
    const psb_epk n = q->b.n, i = band_place(&q->b, k);
    const T *const from = band_in_ring(q, w, k);
    const bool is = k < band_end(q, w);
    T sum[2 * BAND_MOST + 1];
    for (int j = 0; q->b.periodic && j <= 2 * w; j++)
        sum[j] = BAND_ZERO;
    for (int j = 0; q->b.periodic && is && j <= w; j++) {
        psb_epk to = i + j - w / 2;
        while (to < 0)
            to += n;
        while (to >= n)
            to -= n;
        T *const s = sum + (band_order(&q->b, to) - k + w);
        *s = band_plus(*s, from[j * q->ring_step]);
    }
    for (int j = 0; j <= 2 * w; j++)
        row[j] = q->b.periodic ? sum[j] : is ? from[j * q->ring_step] : BAND_ZERO;
    *y = is ? from[band_diagonals(&q->b, w) * q->ring_step] : BAND_ZERO;
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
 * right-hand sides.  Returns the pivot. */
BAND_EVERYWHERE struct band_divisor band_eliminate(int w, int last, bool pivot, T (*a)[2 * BAND_MOST + 1],
                                                   T *y)
{
    for (int i = 1; i <= w; i++)
        if (pivot && band_size(a[i][0]) > band_size(a[0][0]))
            band_swap(last, a[0], a[i], &y[0], &y[i]);
    const struct band_divisor d = band_divisor_of(a[0][0]);
    for (int i = 1; i <= w; i++) {
        const T f = band_by(a[i][0], d);
        for (int j = 1; j <= last; j++)
            a[i][j] = band_minus(a[i][j], f, a[0][j]);
        y[i] = band_minus(y[i], f, y[0]);
    }
    return d;
}

/* Eliminate the unknowns of a side.  Rows 0 .. w - 1 of a, of elements 0 .. 2 w - 1, and y have the rows that
 * are left, of the next 2 w unknowns.  Returns the first unknown whose pivot is 0, or -1.  A window of w + 1
 * rows moves along the band. */
BAND_EVERYWHERE psb_epk band_down(const struct band_side *q, int w, T (*a)[2 * BAND_MOST + 1], T *y)
{
    const bool pivot = q->b.pivot;
    const int keep = band_kept(w, pivot);
    psb_epk bad = -1;
    for (int i = 0; i <= w; i++) {
        y[i] = BAND_ZERO;
        for (int j = 0; j <= 2 * w; j++)
            a[i][j] = BAND_ZERO;
    }
    for (int k = 0; k < BAND_RING - 1; k++)
        band_ask_row(q, w, k);
    for (psb_epk k = -w; k < q->rows; k++) {
        band_ask_row(q, w, k + w + BAND_RING - 1);
        band_arrived();
        band_row(q, w, k + w, a[w], &y[w]);
        if (k >= 0) {
            const struct band_divisor d = band_eliminate(w, pivot ? 2 * w : w, pivot, a, y);
            if (bad < 0 && band_is_zero(a[0][0]))
                bad = k;
            for (int j = 0; q->u && j < keep; j++)
                q->u[(k * keep + j) * q->u_step] = band_by(a[0][j + 1], d);
            q->v[band_place(&q->b, k) * q->v_step] = band_by(y[0], d);
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

/* --- where the sides meet: 2 w unknowns ----------------------------------------------------------------- */

/* Put the rows that band_down has left. */
BAND_EVERYWHERE void band_put_rest(int w, T (*a)[2 * BAND_MOST + 1], const T *y, T *to, psb_epk step)
{
    for (int i = 0; i < w; i++) {
        for (int j = 0; j < 2 * w; j++)
            to[((2 * w + 1) * i + j) * step] = a[i][j];
        to[((2 * w + 1) * i + 2 * w) * step] = y[i];
    }
}

/* Find the unknowns z between the sides from the rows that each of them has left.  Returns the first one
 * whose pivot is 0, or -1. */
BAND_EVERYWHERE int band_meet(int w, bool pivot, const T *top, const T *bottom, psb_epk step, T *z)
{
    const int m = 2 * w;
    T a[BAND_MOST][BAND_MOST + 1];
    int bad = -1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= m; j++)
            a[i][j] = i < w   ? top[((m + 1) * i + j) * step]
                      : j < m ? bottom[((m + 1) * (m - 1 - i) + m - 1 - j) * step]
                              : bottom[((m + 1) * (m - 1 - i) + m) * step];
    for (int c = 0; c < m; c++) {
        for (int i = c + 1; pivot && i < m; i++)
            if (band_size(a[i][c]) > band_size(a[c][c]))
                band_swap(m - 1 - c, a[c] + c, a[i] + c, &a[c][m], &a[i][m]);
        const struct band_divisor d = band_divisor_of(a[c][c]);
        if (bad < 0 && band_is_zero(a[c][c]))
            bad = c;
        for (int i = c + 1; i < m; i++) {
            const T f = band_by(a[i][c], d);
            for (int j = c + 1; j <= m; j++)
                a[i][j] = band_minus(a[i][j], f, a[c][j]);
        }
    }
    for (int c = m - 1; c >= 0; c--) {
        T v = a[c][m];
        for (int j = c + 1; j < m; j++)
            v = band_minus(v, a[c][j], z[j]);
        z[c] = band_by(v, band_divisor_of(a[c][c]));
    }
    return bad;
}

/* near[0 .. 2 w): the unknowns z between the sides, in the order of a side; its first w ones are stored in
 * x. */
BAND_EVERYWHERE void band_take_middle(const struct band_side *q, int w, const T *z, T *near)
{
    for (int j = 0; j < 2 * w; j++)
        near[j] = q->side ? z[2 * w - 1 - j] : z[j];
    for (int j = 0; j < w; j++)
        q->x[(q->rows + j) * q->b.row] = near[j];
}

/* Ask for what band_down has kept of a row, k < 0: of none. */
BAND_EVERYWHERE void band_ask_kept(const struct band_side *q, int keep, psb_epk k, T *to)
{
    for (int j = 0; k >= 0 && j < keep; j++)
        band_ask(to + j * q->ring_step, q->u + (k * keep + j) * q->u_step);
    if (k >= 0)
        band_ask(to + keep * q->ring_step, q->v + band_place(&q->b, k) * q->v_step);
    band_asked();
}

/* Solve the triangular system that band_down has left; z: the unknowns after it.  far: do rows pass through
 * the ring, with room for band_kept elements and one of each? */
BAND_EVERYWHERE void band_up(const struct band_side *q, int w, bool far, T *z)
{
    const int keep = band_kept(w, q->b.pivot);
    const psb_epk row = (keep + 1) * q->ring_step, last = q->rows - 1;
    for (int i = 0; far && i < BAND_RING - 1; i++)
        band_ask_kept(q, keep, last - i, q->ring + i * row);
#pragma unroll 4
    for (psb_epk k = last; k >= 0; k--) {
        const psb_epk place = band_place(&q->b, k), i = last - k;
        const T *u = q->u + k * keep * q->u_step, *from = q->v + place * q->v_step;
        psb_epk step = q->u_step;
        if (far) {
            band_ask_kept(q, keep, k - (BAND_RING - 1),
                          q->ring + (int)((i + BAND_RING - 1) % BAND_RING) * row);
            band_arrived();
            step = q->ring_step;
            u = q->ring + (int)(i % BAND_RING) * row;
            from = u + keep * step;
        }
        T v = *from;
        for (int j = keep - 1; j >= 0; j--)
            v = band_minus(v, u[j * step], z[j]);
        for (int j = keep - 1; j > 0; j--)
            z[j] = z[j - 1];
        q->x[place * q->b.row] = z[0] = v;
    }
}
