/* hll_kernels.t.h -- ext: products of HLL, for one level of vector instructions. */

#include "lanes_kernels.t.h"
#include "columns_kernels.t.h"

/* y of the rows of ranks r .. r+LANES-1. */
PSB_INLINE void L(put_lanes)(const struct X(product) *q, const psb_ipk *rows, psb_ipk r,
                             const struct L(lanes) *sum)
{
    T of[LANES];
    if (!rows) {
        L(lanes_store)(sum, q->alpha, q->beta, q->y + r);
        return;
    }
    L(lanes_store)(sum, q->alpha, 0, of);
    if (q->beta != 0)
        for (int b = 0; b < LANES; b++)
            of[b] += q->beta * q->y[psb_one_by_one(rows[r + b])];
#pragma GCC unroll 8
    for (int b = 0; b < LANES; b++)
        q->y[psb_one_by_one(rows[r + b])] = of[b];
}

/* Prefetch the entries `ahead` elements further on, unless `ahead` is 0. */
PSB_INLINE void L(prefetch_lanes)(const psb_ipk *ja, const T *val, psb_epk ahead)
{
    if (ahead) {
        __builtin_prefetch(ja + ahead);
        __builtin_prefetch(val + ahead);
    }
}

/* The sums of LANES rows of a hack, whose lengths are irn and whose first entries are at ja and val.  Every
 * cache line is prefetched `ahead` elements before its use, unless `ahead` is 0: the processor's own
 * prefetcher does not follow that many short streams.  Returns the length of the longest row. */
PSB_INLINE psb_ipk L(sum_lanes)(const psb_ipk *irn, const psb_ipk *ja, const T *val, psb_epk ld,
                                psb_epk ahead, const T *x, struct L(lanes) *sum)
{
    struct L(lengths) len;
    psb_ipk least = irn[0], most = irn[0], k = 0;
    L(lengths_load)(&len, irn);
    for (int b = 1; b < LANES; b++) {
        least = irn[b] < least ? irn[b] : least;
        most = irn[b] > most ? irn[b] : most;
    }
#pragma GCC unroll 2
    for (; k < least; k++, ja += ld, val += ld) {
        L(prefetch_lanes)(ja, val, ahead);
        L(lanes_add)(sum, val, ja, x);
    }
    for (; k < most; k++, ja += ld, val += ld) {
        L(prefetch_lanes)(ja, val, ahead);
        L(lanes_add_longer)(sum, &len, k, val, ja, x);
    }
    return most;
}

/* The sums of GROUPS_AT_ONCE * LANES rows of a hack, read in storage order. */
PSB_INLINE void L(sum_beside)(const psb_ipk *irn, const psb_ipk *ja, const T *val, psb_epk ld, psb_epk ahead,
                              const T *x, struct L(lanes) *sum)
{
    struct L(lengths) len[GROUPS_AT_ONCE];
    psb_ipk most = 0;
    for (int g = 0; g < GROUPS_AT_ONCE; g++)
        L(lengths_load)(&len[g], irn + g * LANES);
    for (int b = 0; b < GROUPS_AT_ONCE * LANES; b++)
        most = irn[b] > most ? irn[b] : most;
    for (psb_ipk k = 0; k < most; k++, ja += ld, val += ld)
#pragma GCC unroll 4
        for (int g = 0; g < GROUPS_AT_ONCE; g++) {
            L(prefetch_lanes)(ja + g * LANES, val + g * LANES, ahead);
            L(lanes_add_longer)(&sum[g], &len[g], k, val + g * LANES, ja + g * LANES, x);
        }
}

/* The sums of `groups` * LANES rows of n entries each. */
PSB_INLINE void L(sum_full)(psb_ipk n, int groups, const psb_ipk *ja, const T *val, psb_epk ld, psb_epk ahead,
                            const T *x, struct L(lanes) *sum)
{
    for (psb_ipk k = 0; k < n; k++, ja += ld, val += ld)
#pragma GCC unroll 4
        for (int g = 0; g < groups; g++) {
            L(prefetch_lanes)(ja + g * LANES, val + g * LANES, ahead);
            L(lanes_add)(&sum[g], val + g * LANES, ja + g * LANES, x);
        }
}

/* y of the row of rank r, whose first entry is element p. */
PSB_INLINE void L(gather_row)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_ipk r, psb_epk p)
{
    T sum = 0;
    for (psb_ipk k = 0; k < s->irn[r]; k++, p += s->g.rows)
        sum += s->val[p] * q->x[s->ja[p]];
    L(put)(q, X(hll_row)(s, r), sum);
}

/* y of the rows of ranks r .. end-1, all of hack h, if all have n entries; `far` is a constant in every call,
 * n in most. */
PSB_INLINE void L(gather_full)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_ipk n, int far,
                               psb_epk h, psb_ipk r, psb_ipk end)
{
    const psb_epk ld = s->g.rows;
    psb_epk p = s->g.off[h] + r - h * ld;
    for (; end - r >= GROUPS_AT_ONCE * LANES; r += GROUPS_AT_ONCE * LANES, p += GROUPS_AT_ONCE * LANES) {
        struct L(lanes) sum[GROUPS_AT_ONCE] = { 0 };
        L(sum_full)(n, GROUPS_AT_ONCE, s->ja + p, s->val + p, ld, far ? AHEAD : 0, q->x, sum);
        for (int g = 0; g < GROUPS_AT_ONCE; g++)
            L(put_lanes)(q, s->row, r + g * LANES, &sum[g]);
    }
    for (; end - r >= LANES; r += LANES, p += LANES) {
        struct L(lanes) sum = { 0 };
        L(sum_full)(n, 1, s->ja + p, s->val + p, ld, far ? AHEAD : 0, q->x, &sum);
        L(put_lanes)(q, s->row, r, &sum);
    }
    for (; r < end; r++, p++)
        L(gather_row)(q, s, r, p);
}

/* The same for as many entries as the hack has. */
PSB_INLINE void L(gather_alike)(const struct X(product) *q, const struct X(hll_arrays) *s, int far, psb_epk h,
                                psb_ipk r, psb_ipk end)
{
    const psb_ipk n = (psb_ipk)X(hll_width)(s, h);
    if (n == 2)
        L(gather_full)(q, s, 2, far, h, r, end);
    else if (n == 3)
        L(gather_full)(q, s, 3, far, h, r, end);
    else
        L(gather_full)(q, s, n, far, h, r, end);
}

/* y of the rows of ranks r .. end-1, all of hack h.  `far`, the entries exceed a cache, is a constant in
 * every call. */
PSB_INLINE void L(gather_hack)(const struct X(product) *q, const struct X(hll_arrays) *s, int far, psb_epk h,
                               psb_ipk r, psb_ipk end)
{
    const psb_epk ld = s->g.rows, size = s->g.off[h + 1] - s->g.off[h];
    const psb_epk ahead = ld < AHEAD && size > AHEAD ? size : AHEAD;
    psb_epk p = s->g.off[h] + r - h * ld;
    for (; end - r >= GROUPS_AT_ONCE * LANES; r += GROUPS_AT_ONCE * LANES, p += GROUPS_AT_ONCE * LANES) {
        struct L(lanes) sum[GROUPS_AT_ONCE] = { 0 };
        L(sum_beside)(s->irn + r, s->ja + p, s->val + p, ld, far ? AHEAD : 0, q->x, sum);
        for (int g = 0; g < GROUPS_AT_ONCE; g++)
            L(put_lanes)(q, s->row, r + g * LANES, &sum[g]);
    }
    for (; end - r >= LANES; r += LANES, p += LANES) {
        struct L(lanes) sum = { 0 };
        L(sum_lanes)(s->irn + r, s->ja + p, s->val + p, ld, far ? ahead : 0, q->x, &sum);
        L(put_lanes)(q, s->row, r, &sum);
    }
    for (; r < end; r++, p++)
        L(gather_row)(q, s, r, p);
}

/* y of the rows of ranks lo .. hi-1; row lo is in hack h. */
PSB_INLINE void L(gather_hacks)(const struct X(product) *q, const struct X(hll_arrays) *s, int far, psb_epk h,
                                psb_ipk lo, psb_ipk hi)
{
    for (psb_epk r = lo, end; r < hi; r = end, h++) {
        end = (h + 1) * s->g.rows < hi ? (h + 1) * s->g.rows : hi;
        if (s->full)
            L(gather_alike)(q, s, far, h, (psb_ipk)r, (psb_ipk)end);
        else
            L(gather_hack)(q, s, far, h, (psb_ipk)r, (psb_ipk)end);
    }
}

/* y of the SLICE rows of hack h, if all have n entries; `far` is a constant in every call, n in most. */
PSB_INLINE void L(gather_slice)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_ipk n, int far,
                                psb_epk h)
{
    const psb_ipk r = (psb_ipk)h * SLICE;
    const psb_epk p = s->g.off[h];
    for (psb_ipk g = 0; g < SLICE; g += LANES) {
        struct L(lanes) sum = { 0 };
        L(sum_full)(n, 1, s->ja + p + g, s->val + p + g, SLICE, far ? AHEAD : 0, q->x, &sum);
        L(put_lanes)(q, s->row, r + g, &sum);
    }
}

/* y of the rows of ranks lo .. hi-1 if a hack has SLICE rows, and there is no padding. */
PSB_INLINE void L(gather_slices)(const struct X(product) *q, const struct X(hll_arrays) *s, int far,
                                 psb_epk h, psb_ipk lo, psb_ipk hi)
{
    psb_ipk r = lo;
    for (; hi - r >= SLICE; r += SLICE, h++) {
        const psb_ipk n = (psb_ipk)((s->g.off[h + 1] - s->g.off[h]) / SLICE);
        if (n == 2)
            L(gather_slice)(q, s, 2, far, h);
        else if (n == 3)
            L(gather_slice)(q, s, 3, far, h);
        else
            L(gather_slice)(q, s, n, far, h);
    }
    for (psb_epk p = s->g.off[h]; r < hi; r++, p++)
        L(gather_row)(q, s, r, p);
}

/* y of the rows of ranks lo .. hi-1 if a hack has SLICE rows: hacks are contiguous, and are read in a single
 * stream. */
PSB_INLINE void L(gather_stream)(const struct X(product) *q, const struct X(hll_arrays) *s, int far,
                                 psb_epk h, psb_ipk lo, psb_ipk hi)
{
    psb_epk p = s->g.off[h];
    psb_ipk r = lo, most;
    for (; hi - r >= SLICE; p += (psb_epk)SLICE * most) {
        most = 0;
        for (psb_ipk g = 0; g < SLICE; g += LANES, r += LANES) {
            struct L(lanes) sum = { 0 };
            const psb_ipk n = L(sum_lanes)(s->irn + r, s->ja + p + g, s->val + p + g, SLICE, far ? AHEAD : 0,
                                           q->x, &sum);
            most = n > most ? n : most;
            L(put_lanes)(q, s->row, r, &sum);
        }
    }
    for (; r < hi; r++, p++)
        L(gather_row)(q, s, r, p);
}

/* y of the rows of ranks lo .. hi-1. */
static void L(gather)(const struct X(product) *p, psb_ipk lo, psb_ipk hi)
{
    const struct X(product) q = *p;
    const struct X(hll_arrays) s = *(const struct X(hll_arrays) *)q.of;
    const psb_epk h = lo < hi ? lo / s.g.rows : 0;
    const int far = s.g.off[s.g.n] * (psb_epk)(sizeof(T) + sizeof(psb_ipk)) >= CACHE;
    if (lo < hi && s.g.rows == SLICE && s.full)
        far ? L(gather_slices)(&q, &s, 1, h, lo, hi) : L(gather_slices)(&q, &s, 0, h, lo, hi);
    else if (lo < hi && s.g.rows == SLICE)
        far ? L(gather_stream)(&q, &s, 1, h, lo, hi) : L(gather_stream)(&q, &s, 0, h, lo, hi);
    else
        far ? L(gather_hacks)(&q, &s, 1, h, lo, hi) : L(gather_hacks)(&q, &s, 0, h, lo, hi);
}

/* y[ja[i]] += val[i] x[i] for n rows. */
PSB_INLINE void L(scatter_column)(psb_ipk n, const psb_ipk *ja, const T *val, int conjugate, const T *x,
                                  T *restrict y)
{
    psb_ipk i = 0;
    for (; n - i >= LANES; i += LANES)
        L(lanes_put)(val + i, ja + i, conjugate, x + i, y);
    for (; i < n; i++)
        y[ja[i]] += (CPLX && conjugate ? CONJ(val[i]) : val[i]) * x[i];
}

/* The same for the n rows that are listed.  Keeps those of them that have more than k entries; returns how
 * many. */
PSB_INLINE psb_ipk L(scatter_listed)(psb_ipk n, psb_ipk *listed, const psb_ipk *irn, psb_ipk k,
                                     const psb_ipk *ja, const T *val, int conjugate, const T *x,
                                     T *restrict y)
{
    psb_ipk kept = 0;
    for (psb_ipk j = 0; j < n; j++) {
        const psb_ipk i = listed[j];
        y[ja[i]] += (CPLX && conjugate ? CONJ(val[i]) : val[i]) * x[i];
        listed[kept] = i;
        kept += irn[i] > k;
    }
    return kept;
}

/* x[i] = alpha x of the row of rank r + i.  Two loops: gcc would compile a single one to masked loads from
 * NULL, which are extremely slow. */
PSB_INLINE void L(load_x)(const struct X(product) *q, const psb_ipk *rows, psb_ipk r, psb_ipk n, T *x)
{
    if (rows)
        for (psb_ipk i = 0; i < n; i++)
            x[i] = q->alpha * q->x[psb_one_by_one(rows[i])];
    else
        for (psb_ipk i = 0; i < n; i++)
            x[i] = q->alpha * q->x[r + i];
}

/* y += the n rows from rank r on, transposed, times alpha x, in storage order.  Padding is skipped: it would
 * add 0 to the same element of y again and again, each addition waiting for the one before. */
static void L(scatter_strip)(const struct X(product) *q, psb_ipk r, psb_ipk n, T *restrict y)
{
    const struct X(hll_arrays) s = *(const struct X(hll_arrays) *)q->of;
    const psb_epk h = r / s.g.rows, size = s.g.off[h + 1] - s.g.off[h];
    const psb_epk ahead = s.g.rows < AHEAD && size > AHEAD ? size : AHEAD;
    const psb_ipk *irn = s.irn + r, *ja = s.ja + X(hll_first)(&s, r);
    const T *val = s.val + X(hll_first)(&s, r);
    T x[HLL_STRIP];
    psb_ipk listed[HLL_STRIP], least = irn[0], left = 0, k = 0;
    L(load_x)(q, s.row ? s.row + r : NULL, r, n, x);
    for (psb_ipk i = 1; i < n; i++)
        least = irn[i] < least ? irn[i] : least;
    for (; k < least; k++, ja += s.g.rows, val += s.g.rows) {
        for (psb_ipk i = 0; i < n; i += LINE / (psb_ipk)sizeof *val)
            __builtin_prefetch(val + i + ahead);
        for (psb_ipk i = 0; i < n; i += LINE / (psb_ipk)sizeof *ja)
            __builtin_prefetch(ja + i + ahead);
        L(scatter_column)(n, ja, val, q->conjugate, x, y);
    }
    for (psb_ipk i = 0; i < n; i++) {
        listed[left] = i;
        left += irn[i] > least;
    }
    for (; left > 0; ja += s.g.rows, val += s.g.rows)
        left = L(scatter_listed)(left, listed, irn, ++k, ja, val, q->conjugate, x, y);
}

/* y += the n entries from element p on, which are s->g.rows elements apart, times x. */
PSB_INLINE void L(scatter_entries)(const struct X(hll_arrays) *s, psb_epk p, psb_ipk n, int conjugate, T x,
                                   T *y)
{
    for (psb_ipk k = 0; k < n; k++, p += s->g.rows)
        y[s->ja[p]] += (CPLX && conjugate ? CONJ(s->val[p]) : s->val[p]) * x;
}

/* The same for two rows of m and n entries, the first from element p on.  Two indices by one load, but not
 * for complex scalars, whose products would take twice as long. */
PSB_INLINE void L(scatter_pair)(const struct X(hll_arrays) *s, psb_epk p, psb_ipk m, psb_ipk n, int conjugate,
                                const T *x, T *y)
{
    const psb_ipk both = CPLX ? 0 : m < n ? m : n;
#pragma GCC unroll 2
    for (psb_ipk k = 0; k < both; k++, p += s->g.rows) {
        const uint64_t two = psb_two_indices(s->ja + p);
        const T *val = s->val + p;
        y[psb_first_of(two)] += (CPLX && conjugate ? CONJ(val[0]) : val[0]) * x[0];
        y[psb_second_of(two)] += (CPLX && conjugate ? CONJ(val[1]) : val[1]) * x[1];
    }
    L(scatter_entries)(s, p, m - both, conjugate, x[0], y);
    L(scatter_entries)(s, p + 1, n - both, conjugate, x[1], y);
}

/* y += the rows of ranks r .. end-1, all of one hack, transposed, times alpha x.  Row by row: neighbouring
 * rows often have the same columns, and an addition to an element of y waits for the one before. */
PSB_INLINE void L(scatter_rows)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_ipk r,
                                psb_ipk end, T *y)
{
    psb_epk p = X(hll_first)(s, r);
    for (; end - r >= 2; r += 2, p += 2) {
        const T x[] = { q->alpha * q->x[X(hll_row)(s, r)], q->alpha * q->x[X(hll_row)(s, r + 1)] };
        L(scatter_pair)(s, p, s->irn[r], s->irn[r + 1], q->conjugate, x, y);
    }
    if (r < end)
        L(scatter_entries)(s, p, s->irn[r], q->conjugate, q->alpha * q->x[X(hll_row)(s, r)], y);
}

/* In storage order only if entries come from memory and the rows of a hack, being many, are far apart. */
static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct X(hll_arrays) s = *(const struct X(hll_arrays) *)q->of;
    const psb_epk bytes = s.g.off[s.g.n] * (psb_epk)(sizeof(T) + sizeof(psb_ipk));
    const int ordered = s.g.rows > SLICE && bytes >= CACHE;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(&s.g, r, hi, HLL_STRIP);
        if (ordered)
            L(scatter_strip)(q, r, n, y);
        else
            L(scatter_rows)(q, &s, r, r + n, y);
    }
}

#include "product_kernels.t.h"

/* CHUNK columns of y, from c on, of ROWS_AT_ONCE rows from rank r on; the first entry of the first is element
 * p.  The next rows are `next` elements further; their x is prefetched, since they usually need other rows
 * of x. */
PSB_INLINE void L(gather_group)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_ipk r,
                                psb_epk p, psb_epk ahead, psb_epk next, psb_ipk c)
{
    const psb_epk k = q->k, ld = s->g.rows, last = s->g.off[s->g.n] - p - next - ROWS_AT_ONCE;
    const psb_ipk *irn = s->irn + r, *ja = s->ja + p;
    const T *val = s->val + p, *x = q->x + c;
    struct L(columns) sum[ROWS_AT_ONCE] = { 0 };
    psb_ipk least = irn[0], most = irn[0], e = 0;
    for (int g = 1; g < ROWS_AT_ONCE; g++) {
        least = irn[g] < least ? irn[g] : least;
        most = irn[g] > most ? irn[g] : most;
    }
    for (; e < least; e++, ja += ld, val += ld) {
        __builtin_prefetch(ja + ahead);
        __builtin_prefetch(val + ahead);
        if (e * ld <= last)
#pragma GCC unroll 8
            for (int g = 0; g < ROWS_AT_ONCE; g++)
                __builtin_prefetch(x + ja[next + g] * k);
#pragma GCC unroll 8
        for (int g = 0; g < ROWS_AT_ONCE; g++)
            L(columns_add)(&sum[g], val[g], x + ja[g] * k, 0);
    }
    for (; e < most; e++, ja += ld, val += ld)
#pragma GCC unroll 8
        for (int g = 0; g < ROWS_AT_ONCE; g++)
            if (e < irn[g])
                L(columns_add)(&sum[g], val[g], x + ja[g] * k, 0);
#pragma GCC unroll 8
    for (int g = 0; g < ROWS_AT_ONCE; g++)
        L(columns_store)(&sum[g], q->alpha, q->beta, q->y + X(hll_row)(s, r + g) * k + c);
}

/* y of the rows of ranks lo .. hi-1. */
static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct X(hll_arrays) *s = q->of;
    const psb_ipk whole = q->k / CHUNK * CHUNK;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        const psb_epk h = r / s->g.rows, size = s->g.off[h + 1] - s->g.off[h];
        const psb_epk ahead = s->g.rows < AHEAD && size > AHEAD ? size : AHEAD;
        psb_ipk i = r;
        n = psb_hacks_strip(&s->g, r, hi, HLL_STRIP);
        for (psb_epk p = X(hll_first)(s, r); whole && r + n - i >= ROWS_AT_ONCE;
             i += ROWS_AT_ONCE, p += ROWS_AT_ONCE) {
            const int stays = i % s->g.rows + 2 * ROWS_AT_ONCE <= s->g.rows;
            for (psb_ipk c = 0; c < whole; c += CHUNK)
                L(gather_group)(q, s, i, p, ahead, stays ? ROWS_AT_ONCE : size - i % s->g.rows, c);
            for (int g = 0; whole < q->k && g < ROWS_AT_ONCE; g++)
                L(gather_columns)(q, X(hll_row)(s, i + g), whole);
        }
        for (; i < r + n; i++)
            L(gather_columns)(q, X(hll_row)(s, i), 0);
    }
}
