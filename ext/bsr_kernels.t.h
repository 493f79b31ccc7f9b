/* bsr_kernels.t.h -- ext: products of BSR, for one level of vector instructions.  PSB_INLINE functions
 * are compiled anew for the r, c, by_cols and the like of each call; if these are constants, loops over few
 * rows or columns are unrolled, so that sums stay in registers. */

#include "columns_kernels.t.h"

/* acc += the values v of a block times x, one sum per row, or, if split, one per element of the block:
 * additions to different sums do not wait for each other. */
PSB_INLINE void L(add_block)(psb_ipk r, psb_ipk c, int by_cols, int split, const T *restrict v,
                             const T *restrict x, T *restrict acc)
{
    if (by_cols)
#pragma GCC unroll 8
        for (psb_ipk j = 0; j < c; j++)
#pragma GCC unroll 3
            for (psb_ipk i = 0; i < r; i++)
                acc[split ? j * r + i : i] += v[j * r + i] * x[j];
    else
#pragma GCC unroll 8
        for (psb_ipk i = 0; i < r; i++)
#pragma GCC unroll 3
            for (psb_ipk j = 0; j < c; j++)
                acc[split ? i * c + j : i] += v[i * c + j] * x[j];
}

/* Write y of block row h, columns first .. first+w-1, from its sums.  Sums that are not finite may include
 * padding: they are computed again without it. */
PSB_INLINE void L(put_rows)(const struct X(product) *q, psb_ipk h, psb_ipk r, psb_ipk first, psb_ipk w,
                            T *sum)
{
    psb_ipk n = X(block_height)(blocks_of(q), h);
    for (psb_ipk l = 0; l < n; l++, sum += w) {
        psb_epk i = (psb_epk)h * r + l;
        T *y = q->y + i * q->k + first;
        if (!blocks_of(q)->full && !all_finite(sum, w))
            sum_row(q, (psb_ipk)i, first, w, sum);
        for (psb_ipk t = 0; t < w; t++)
            y[t] = q->beta == 0 ? q->alpha * sum[t] : q->alpha * sum[t] + q->beta * y[t];
    }
}

/* y of block rows lo .. hi-1, one column.  A block that reaches beyond the last column is the last of its
 * block row. */
PSB_INLINE void L(gather_blocks)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, psb_ipk r, psb_ipk c,
                                 int by_cols, int split)
{
    const struct X(blocks) s = *blocks_of(q);
    const uint32_t whole = (uint32_t)(s.ncols / c);
    for (psb_ipk h = lo; h < hi; h++) {
        T acc[MOST], sum[MOST];
        psb_epk b = s.off[h], end = s.off[h + 1];
        for (psb_ipk i = 0; i < (split ? r * c : r); i++)
            acc[i] = 0;
        for (; b < end && (uint32_t)s.ja[b] < whole; b++) {
            __builtin_prefetch(s.ja + b + AHEAD / 8);
            for (psb_ipk i = 0; i < r * c; i += LINE / (psb_ipk)sizeof(T))
                __builtin_prefetch(s.val + b * (r * c) + i + AHEAD);
            L(add_block)(r, c, by_cols, split, s.val + b * (r * c), q->x + (psb_epk)s.ja[b] * c, acc);
        }
        for (psb_ipk i = 0; i < r; i++) {
            sum[i] = split ? 0 : acc[i];
            for (psb_ipk j = 0; split && j < c; j++)
                sum[i] += acc[by_cols ? j * r + i : i * c + j];
        }
        for (; b < end && s.ja[b] >= 0; b++)
            for (psb_ipk i = 0; i < r; i++)
                for (psb_ipk j = 0, n = s.ncols - s.ja[b] * c; j < n; j++)
                    sum[i] += s.val[b * s.size + X(in_block)(&s, i, j)] * q->x[(psb_epk)s.ja[b] * c + j];
        L(put_rows)(q, h, r, 0, 1, sum);
    }
}

static void L(gather_any)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const psb_ipk r = blocks_of(q)->r, c = blocks_of(q)->c;
    if (blocks_of(q)->by_cols)
        L(gather_blocks)(q, lo, hi, r, c, 1, 0);
    else
        L(gather_blocks)(q, lo, hi, r, c, 0, 0);
}

/* clang-format off */
#define DEFINE(b, by_cols) \
    static void L(gather_##b##by_cols)(const struct X(product) *q, psb_ipk lo, psb_ipk hi) \
    { L(gather_blocks)(q, lo, hi, b, b, by_cols, b > 1 && b < 5); }
#define ENTRY(b, by_cols) [b][by_cols] = L(gather_##b##by_cols),
SQUARES(DEFINE)
static X(gathering) *const L(gathers)[][2] = { SQUARES(ENTRY) };
#undef DEFINE
#undef ENTRY
/* clang-format on */

static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    gathering_for(blocks_of(q), L(gathers), L(gather_any))(q, lo, hi);
}

/* --- several columns -------------------------------------------------------------------------------- */

/* sum[i * w + t] of block row h, columns first+t, t < w, of x. */
PSB_INLINE void L(sum_blocks)(const struct X(product) *q, psb_ipk h, psb_ipk r, psb_ipk c, psb_ipk first,
                              psb_ipk w, T *restrict sum)
{
    const struct X(blocks) s = *blocks_of(q);
    const psb_ipk down = s.by_cols ? 1 : c, right = s.by_cols ? r : 1;
    for (psb_ipk i = 0; i < r * w; i++)
        sum[i] = 0;
    for (psb_epk b = s.off[h]; b < s.off[h + 1] && s.ja[b] >= 0; b++) {
        const psb_ipk left = s.ncols - s.ja[b] * c, n = left < c ? left : c;
        const T *v = s.val + b * (r * c), *x = q->x + (psb_epk)s.ja[b] * c * q->k + first;
        for (psb_ipk j = 0; j < n; j++, x += q->k)
#pragma GCC unroll 4
            for (psb_ipk i = 0; i < r; i++)
                for (psb_ipk t = 0; t < w; t++)
                    sum[i * w + t] += v[i * down + j * right] * x[t];
    }
}

/* The same for CHUNK columns, r at most 8; r, c and by_cols are constants in every call.  Prefetches x of
 * later blocks. */
PSB_INLINE void L(sum_wide)(const struct X(product) *q, psb_ipk h, psb_ipk r, psb_ipk c, int by_cols,
                            psb_ipk first, T *sum)
{
    const struct X(blocks) s = *blocks_of(q);
    const uint32_t whole = (uint32_t)(s.ncols / c);
    const psb_epk k = q->k, end = s.off[h + 1], last = s.off[s.n] - SOON;
    const T *x = q->x + first;
    struct L(columns) acc[8] = { 0 };
    psb_epk b = s.off[h];
    for (; b < end && (uint32_t)s.ja[b] < whole; b++) {
        const T *v = s.val + b * (r * c), *xb = x + (psb_epk)s.ja[b] * c * k;
        __builtin_prefetch(s.ja + b + AHEAD / 8);
        for (psb_ipk i = 0; i < r * c; i += LINE / (psb_ipk)sizeof(T))
            __builtin_prefetch(v + i + AHEAD);
        if (b < last && (uint32_t)s.ja[b + SOON] < whole)
#pragma GCC unroll 8
            for (psb_ipk j = 0; j < c; j++)
                __builtin_prefetch(x + ((psb_epk)s.ja[b + SOON] * c + j) * k);
        for (psb_ipk j = 0; j < c; j++)
#pragma GCC unroll 8
            for (psb_ipk i = 0; i < r; i++)
                L(columns_add)(&acc[i], v[by_cols ? j * r + i : i * c + j], xb + j * k, 0);
    }
    for (psb_ipk i = 0; i < r; i++)
        L(columns_store)(&acc[i], 1, 0, sum + i * CHUNK);
    for (; b < end && s.ja[b] >= 0; b++)
        for (psb_ipk i = 0; i < r; i++)
            for (psb_ipk j = 0, n = s.ncols - s.ja[b] * c; j < n; j++)
                for (psb_ipk t = 0; t < CHUNK; t++)
                    sum[i * CHUNK + t] += s.val[b * s.size + X(in_block)(&s, i, j)] *
                                          x[((psb_epk)s.ja[b] * c + j) * k + t];
}

/* sum_blocks for any block size and number of columns. */
static __attribute__((noinline)) void L(sum_some)(const struct X(product) *q, psb_ipk h, psb_ipk first,
                                                  psb_ipk w, T *restrict sum)
{
    L(sum_blocks)(q, h, blocks_of(q)->r, blocks_of(q)->c, first, w, sum);
}

/* If wide, r and c are constants in every call. */
PSB_INLINE void L(gather_columns)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, psb_ipk r, psb_ipk c,
                                  int by_cols, int wide)
{
    for (psb_ipk h = lo; h < hi; h++)
        for (psb_ipk first = 0, w; first < q->k; first += w) {
            T sum[MOST * CHUNK];
            w = q->k - first < CHUNK ? q->k - first : CHUNK;
            if (w == CHUNK && wide)
                L(sum_wide)(q, h, r, c, by_cols, first, sum);
            else if (w == CHUNK)
                L(sum_blocks)(q, h, r, c, first, CHUNK, sum);
            else if (w == CHUNK / 2 && r <= 4)
                L(sum_blocks)(q, h, r, c, first, CHUNK / 2, sum);
            else
                L(sum_some)(q, h, first, w, sum);
            L(put_rows)(q, h, r, first, w, sum);
        }
}

static void L(gather_many_any)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    L(gather_columns)(q, lo, hi, blocks_of(q)->r, blocks_of(q)->c, 0, 0);
}

/* clang-format off */
#define DEFINE(b, by_cols) \
    static void L(gather_many_##b##by_cols)(const struct X(product) *q, psb_ipk lo, psb_ipk hi) \
    { L(gather_columns)(q, lo, hi, b, b, by_cols, 1); }
#define ENTRY(b, by_cols) [b][by_cols] = L(gather_many_##b##by_cols),
SQUARES(DEFINE)
static X(gathering) *const L(gathers_many)[][2] = { SQUARES(ENTRY) };
#undef DEFINE
#undef ENTRY
/* clang-format on */

static void L(gather_many)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    gathering_for(blocks_of(q), L(gathers_many), L(gather_many_any))(q, lo, hi);
}

/* --- transposed ----------------------------------------------------------------------------------------- */

/* y += block row h, transposed, times x[i * w + t]: columns first+t, t < w, of y. */
PSB_INLINE void L(spread_blocks)(const struct X(product) *q, psb_ipk h, psb_ipk r, psb_ipk c, int by_cols,
                                 psb_ipk first, psb_ipk w, const T *restrict x, T *restrict y)
{
    const struct X(blocks) s = *blocks_of(q);
    const psb_ipk down = by_cols ? 1 : c, right = by_cols ? r : 1;
    for (psb_epk b = s.off[h]; b < s.off[h + 1] && s.ja[b] >= 0; b++) {
        const psb_ipk left = s.ncols - s.ja[b] * c, n = left < c ? left : c;
        const T *v = s.val + b * (r * c);
        T *to = y + (psb_epk)s.ja[b] * c * q->k + first;
        __builtin_prefetch(s.ja + b + AHEAD / 8);
        for (psb_ipk i = 0; i < r * c; i += LINE / (psb_ipk)sizeof(T))
            __builtin_prefetch(v + i + AHEAD);
        for (psb_ipk j = 0; j < n; j++, to += q->k) {
            T sum[CHUNK];
            for (psb_ipk t = 0; t < w; t++)
                sum[t] = 0;
#pragma GCC unroll 8
            for (psb_ipk i = 0; i < r; i++) {
                const T e = v[i * down + j * right], f = q->conjugate ? CONJ(e) : e;
                for (psb_ipk t = 0; t < w; t++)
                    sum[t] += f * x[i * w + t];
            }
            for (psb_ipk t = 0; t < w; t++)
                to[t] += sum[t];
        }
    }
}

/* The same for block rows lo .. hi-1, times alpha x.  If x is not finite, entry by entry: products with
 * padding would be NaN. */
PSB_INLINE void L(scatter_blocks)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, psb_ipk r, psb_ipk c,
                                  int by_cols, T *y)
{
    for (psb_ipk h = lo; h < hi; h++)
        for (psb_ipk first = 0, w; first < q->k; first += w) {
            T x[MOST * CHUNK];
            w = q->k - first < CHUNK ? q->k - first : CHUNK;
            load_rows(q, h, first, w, x);
            if (!blocks_of(q)->full && !all_finite(x, r * w))
                spread_rows(q, h, first, w, x, y);
            else if (w == 1)
                L(spread_blocks)(q, h, r, c, by_cols, first, 1, x, y);
            else if (w == CHUNK)
                L(spread_blocks)(q, h, r, c, by_cols, first, CHUNK, x, y);
            else
                L(spread_blocks)(q, h, r, c, by_cols, first, w, x, y);
        }
}

/* clang-format off */
#define SQUARE(b) case b: L(scatter_blocks)(q, lo, hi, b, b, by_cols, y); break
/* clang-format on */

static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const psb_ipk r = blocks_of(q)->r, c = blocks_of(q)->c;
    const int by_cols = blocks_of(q)->by_cols;
    switch (r == c ? r : 0) {
        SQUARE(1);
        SQUARE(2);
        SQUARE(3);
        SQUARE(4);
        SQUARE(5);
        SQUARE(6);
        SQUARE(7);
        SQUARE(8);
    default:
        L(scatter_blocks)(q, lo, hi, r, c, by_cols, y);
    }
}
#undef SQUARE
