/* part_steps.h -- base/device: a long tridiagonal system divided into parts, in C and CUDA; arithmetic comes
 * from the file that includes this one, as for band_steps.h.
 *
 * The m rows of a part have m + 2 unknowns: the one before the part, `before`, its own, of which `first` and
 * `last` are at its ends, and the one after it.  Elimination of the m - 2 inner unknowns, with pivoting among
 * all rows that have them, leaves two equations: a block,
 *   block[5 e ..]: coefficients of before, first, last and after, and the right-hand side, e = 0, 1.
 * Blocks of neighbouring parts are joined in the same way, level by level, until one block is left; then the
 * unknowns are found from its two to the inner ones of each part.  Periodic systems differ in the last block
 * alone.  Columns of an inner unknown are in rows of one part only, so a pivot exists unless the matrix is
 * singular.  Columns of before and first stay until the end, and could grow with every row (S. J. Wright,
 * SIAM J. Sci. Comput. 14 (1993)): therefore the pivot is the largest one relative to its row.  Source of the
 * division: H. H. Wang, ACM Trans. Math. Softw. 7 (1981). */

/* How large the first element of a row is relative to the largest one, within a fifth: without divisions, and
 * without products, which could overflow. */
BAND_EVERYWHERE int part_rating(int last, const T *row)
{
    const int own = band_logarithm(row[0]);
    int most = own;
    for (int j = 1; j <= last; j++) {
        const int l = band_logarithm(row[j]);
        most = l > most ? l : most;
    }
    return band_is_zero(row[0]) ? INT32_MIN : own - most;
}

/* As band_eliminate, but the pivot is the element with the largest rating. */
BAND_EVERYWHERE void part_eliminate(int w, int last, bool pivot, T (*a)[2 * BAND_MOST + 1], T *y)
{
    int best = pivot ? part_rating(last, a[0]) : 0;
    for (int i = 1; pivot && i <= w; i++) {
        const int rating = part_rating(last, a[i]);
        if (rating > best) {
            best = rating;
            band_swap(last, a[0], a[i], &y[0], &y[i]);
        }
    }
    band_eliminate(w, last, false, a, y);
}

/* Elements from a block to the next of those that are joined; from an element of a block to its next one; to
 * the first one of block k of pair t. */
BAND_EVERYWHERE psb_epk part_next(const struct band_parts *p, int level)
{
    return (p->blocks[level] + PART_JOIN - 1) / PART_JOIN * (p->across ? p->pairs : 1);
}

BAND_EVERYWHERE psb_epk part_step(const struct band_parts *p, int level)
{
    return PART_JOIN * part_next(p, level);
}

BAND_EVERYWHERE psb_epk part_place(const struct band_parts *p, int level, psb_epk t, psb_epk k)
{
    const psb_epk pair = p->across ? t : t * PART_SLOTS * part_step(p, level);
    return p->at[level] + pair + k % PART_JOIN * part_next(p, level) +
           k / PART_JOIN * (p->across ? p->pairs : 1);
}

BAND_EVERYWHERE void part_put(const struct band_parts *p, int level, psb_epk t, psb_epk k, const T *block,
                              T *store)
{
    T *const to = store + part_place(p, level, t, k);
    const psb_epk step = part_step(p, level);
    for (int j = 0; j < PART_BLOCK; j++)
        to[j * step] = block[j];
}

/* ends[0..4): before, first, last and after of block k, once elements 0 and 1 of the blocks of the level are
 * their unknowns `first` and `last`. */
BAND_EVERYWHERE void part_ends(const struct band_parts *p, int level, psb_epk t, psb_epk k, const T *store,
                               T *ends)
{
    const psb_epk n = p->blocks[level], step = part_step(p, level), at = part_place(p, level, t, k);
    const bool head = k == 0, tail = k == n - 1, periodic = p->b.periodic;
    ends[0] = head && !periodic ? BAND_ZERO : store[part_place(p, level, t, head ? n - 1 : k - 1) + step];
    ends[1] = store[at];
    ends[2] = store[at + step];
    ends[3] = tail && !periodic ? BAND_ZERO : store[part_place(p, level, t, tail ? 0 : k + 1)];
}

/* Is element i of diagonal d beside the matrix? */
BAND_EVERYWHERE bool part_is_beside(const struct psb_band *b, psb_epk i, int d)
{
    return !b->periodic && (i + d == 0 || i + d == (psb_epk)b->n + 1);
}

/* --- the rows of a part: row i has its diagonals and right-hand side in t[i + d step], d = 0 .. 3 ------- */

/* Rows 1 and 0 become a[0] and a[1], of unknowns 1, 2, 3, before and first.  A part of one row has the
 * equation that its last unknown is its first one. */
BAND_EVERYWHERE void part_begin(int m, const T *t, int step, T (*a)[2 * BAND_MOST + 1], T *y)
{
    const bool one = m == 1;
    const int i = one ? 0 : 1;
    a[1][0] = one ? BAND_ZERO : t[2 * step];
    a[1][1] = one ? t[2 * step] : BAND_ZERO;
    a[1][2] = BAND_ZERO;
    a[1][3] = t[0];
    a[1][4] = t[step];
    y[1] = t[3 * step];
    a[0][0] = one ? band_real(1) : t[step + i];
    a[0][1] = one ? BAND_ZERO : t[2 * step + i];
    a[0][2] = a[0][3] = BAND_ZERO;
    a[0][4] = one ? band_real(-1) : t[i];
    y[0] = one ? BAND_ZERO : t[3 * step + i];
}

/* Eliminate the inner unknowns: rows a[0] and a[1] remain, of last and after, in places 0 and 1, before and
 * first; if `known`, those of last and after count, and row i of the triangle replaces row i.  Returns the
 * first inner unknown whose pivot is 0, or -1. */
BAND_EVERYWHERE int part_down(bool pivot, bool known, int m, T *t, int step, T (*a)[2 * BAND_MOST + 1], T *y)
{
    int bad = -1;
    for (int i = 1; i < m - 1; i++) {
        for (int d = 0; d < 3; d++)
            a[2][d] = t[i + 1 + d * step];
        a[2][3] = a[2][4] = BAND_ZERO;
        y[2] = t[i + 1 + 3 * step];
        part_eliminate(2, known && !pivot ? 2 : 4, pivot, a, y);
        if (bad < 0 && band_is_zero(a[0][0]))
            bad = i;
        for (int d = 0; known && d < 3; d++)
            t[i + d * step] = a[0][d];
        if (known)
            t[i + 3 * step] = y[0];
        for (int r = 0; r < 2; r++) {
            const int from = 2 - r;
            a[r][0] = a[from][1];
            a[r][1] = a[from][2];
            a[r][2] = BAND_ZERO;
            a[r][3] = a[from][3];
            a[r][4] = a[from][4];
            y[r] = y[from];
        }
    }
    return bad;
}

/* The block of two rows whose columns of before and first are in places `at` and at + 1. */
BAND_EVERYWHERE void part_block(T (*a)[2 * BAND_MOST + 1], const T *y, int at, T *block)
{
    for (int e = 0; e < 2; e++) {
        block[5 * e] = a[1 - e][at];
        block[5 * e + 1] = a[1 - e][at + 1];
        block[5 * e + 2] = a[1 - e][0];
        block[5 * e + 3] = a[1 - e][1];
        block[5 * e + 4] = y[1 - e];
    }
}

/* The block of a part; t does not change.  Returns as part_down. */
BAND_EVERYWHERE int part_reduce(bool pivot, int m, T *t, int step, T *block)
{
    T a[BAND_MOST + 1][2 * BAND_MOST + 1], y[BAND_MOST + 1];
    part_begin(m, t, step, a, y);
    const int bad = part_down(pivot, false, m, t, step, a, y);
    part_block(a, y, 3, block);
    return bad;
}

/* The unknowns of a part, in place of the right-hand sides, given those at its ends. */
BAND_EVERYWHERE void part_solve(bool pivot, int m, T *t, int step, const T *ends)
{
    T a[BAND_MOST + 1][2 * BAND_MOST + 1], y[BAND_MOST + 1], x = ends[2], after = ends[3];
    T *const to = t + 3 * step;
    part_begin(m, t, step, a, y);
    y[1] = band_minus(band_minus(y[1], a[1][3], ends[0]), a[1][4], ends[1]);
    y[0] = band_minus(y[0], a[0][4], ends[1]);
    part_down(pivot, true, m, t, step, a, y);
    for (int i = m - 2; i > 0; i--) {
        const T v = band_minus(band_minus(to[i], t[i + step], x), t[i + 2 * step], after);
        after = x;
        to[i] = x = band_over(v, t[i]);
    }
    to[0] = ends[1];
    to[m - 1] = ends[2];
}

/* --- blocks --------------------------------------------------------------------------------------------- */

/* Row e of the block at `from`. */
BAND_EVERYWHERE void part_row(const T *from, psb_epk step, int e, T *row, T *y)
{
    for (int j = 0; j < 4; j++)
        row[j] = from[(5 * e + j) * step];
    row[4] = row[5] = BAND_ZERO;
    *y = from[(5 * e + 4) * step];
}

/* Keep the row that has eliminated an unknown, of j elements and its right-hand side. */
BAND_EVERYWHERE void part_keep(const T *row, T y, int j, T *to, psb_epk step)
{
    for (int i = 0; i < j; i++)
        to[i * step] = row[i];
    to[j * step] = y;
}

/* Join a block, at `from`, to the two rows a[0] and a[1]: eliminate the last unknown so far and the first one
 * of the block, whose rows of the triangle are kept at `from`.  Columns: last and after; the other two of the
 * block; before, first.  Returns 1 if the first pivot is 0, 2 if only the second one is, or 0. */
BAND_EVERYWHERE int part_add(bool pivot, T *from, psb_epk step, T (*a)[2 * BAND_MOST + 1], T *y)
{
    int bad;
    part_row(from, step, 0, a[2], &y[2]);
    part_row(from, step, 1, a[3], &y[3]);
    part_eliminate(3, 5, pivot, a, y);
    part_keep(a[0], y[0], 6, from, step);
    bad = band_is_zero(a[0][0]) ? 1 : 0;
    for (int r = 0; r < 3; r++) { /* rows 2, 1 and 3 remain */
        const int row = r == 2 ? 3 : 2 - r;
        for (int j = 0; j < 5; j++)
            a[r][j] = a[row][j + 1];
        y[r] = y[row];
    }
    part_eliminate(2, 4, pivot, a, y);
    part_keep(a[0], y[0], 5, from + 7 * step, step);
    if (!bad && band_is_zero(a[0][0]))
        bad = 2;
    for (int r = 0; r < 2; r++) { /* rows 2 and 1 remain */
        const int row = 2 - r;
        a[r][5] = a[row][4];
        a[r][4] = a[row][3];
        a[r][0] = a[row][1];
        a[r][1] = a[row][2];
        a[r][2] = a[r][3] = BAND_ZERO;
        y[r] = y[row];
    }
    return bad;
}

/* The number of rows of the system in a block of a level; of blocks in group g of a level. */
BAND_EVERYWHERE psb_epk part_span(int level)
{
    psb_epk span = PART_ROWS;
    for (int l = 0; l < level; l++)
        span *= PART_JOIN;
    return span;
}

BAND_EVERYWHERE int part_count(const struct band_parts *p, int level, psb_epk g)
{
    const psb_epk left = p->blocks[level] - g * PART_JOIN;
    return left < PART_JOIN ? (int)left : PART_JOIN;
}

/* Join the blocks of group g of a level to block g of the next one.  Returns the first row of the system
 * whose pivot is 0, or -1. */
BAND_EVERYWHERE psb_epk part_join(bool pivot, const struct band_parts *p, int level, psb_epk t, psb_epk g,
                                  T *store)
{
    const psb_epk next = part_next(p, level), step = part_step(p, level), k = g * PART_JOIN;
    const int m = part_count(p, level, g);
    T *const from = store + part_place(p, level, t, k);
    T a[BAND_MOST + 1][2 * BAND_MOST + 1], y[BAND_MOST + 1], block[PART_BLOCK];
    psb_epk bad = -1;
    for (int e = 0; e < 2; e++) {
        T *const row = a[1 - e];
        part_row(from, step, e, row, &y[1 - e]);
        row[4] = row[0];
        row[5] = row[1];
        row[0] = row[2];
        row[1] = row[3];
        row[2] = row[3] = BAND_ZERO;
    }
    for (int i = 1; i < m; i++) {
        const int which = part_add(pivot, from + i * next, step, a, y);
        if (which && bad < 0)
            bad = (k + i) * part_span(level) + which - 2;
    }
    part_block(a, y, 4, block);
    part_put(p, level + 1, t, g, block, store);
    return bad;
}

/* Find the two unknowns of the last block, whose neighbours they are themselves.  Returns as part_join. */
BAND_EVERYWHERE psb_epk part_top(bool pivot, const struct band_parts *p, psb_epk t, T *store)
{
    const int level = p->levels - 1;
    const psb_epk step = part_step(p, level);
    T *const block = store + part_place(p, level, t, 0);
    T a[BAND_MOST + 1][2 * BAND_MOST + 1], y[BAND_MOST + 1];
    for (int e = 0; e < 2; e++) {
        part_row(block, step, e, a[e], &y[e]);
        const T last = band_plus(a[e][2], a[e][0]);
        a[e][0] = band_plus(a[e][1], a[e][3]);
        a[e][1] = last;
    }
    part_eliminate(1, 1, pivot, a, y);
    const T last = band_over(y[1], a[1][1]);
    block[0] = band_over(band_minus(y[0], a[0][1], last), a[0][0]);
    block[step] = last;
    return band_is_zero(a[0][0]) ? 0 : band_is_zero(a[1][1]) ? p->b.n - 1 : -1;
}

/* Find the unknowns at the ends of the blocks of group g of a level: their elements 0 and 1. */
BAND_EVERYWHERE void part_back(const struct band_parts *p, int level, psb_epk t, psb_epk g, T *store)
{
    const psb_epk next = part_next(p, level), step = part_step(p, level);
    const int m = part_count(p, level, g);
    T *const first = store + part_place(p, level, t, g * PART_JOIN), ends[4];
    part_ends(p, level + 1, t, g, store, ends);
    T last = ends[2], after = ends[3];
    for (int i = m - 1; i > 0; i--) {
        T *const q = first + i * next, *const r = q + 7 * step;
        T v = band_minus(band_minus(r[5 * step], r[step], last), r[2 * step], after);
        v = band_minus(band_minus(v, r[3 * step], ends[0]), r[4 * step], ends[1]);
        v = band_over(v, r[0]);
        T u = band_minus(band_minus(q[6 * step], q[step], v), q[2 * step], last);
        u = band_minus(band_minus(u, q[3 * step], after), q[4 * step], ends[0]);
        u = band_over(band_minus(u, q[5 * step], ends[1]), q[0]);
        q[0] = v;
        q[step] = last;
        after = v;
        last = u;
    }
    first[0] = ends[1];
    first[step] = last;
}
