/* bsr_mv.c -- ext: products of BSR. */
#include "psb_ext_format.h"
#include "config.h"
#include <string.h>
#include "psb_type.h"

enum { MOST = PSB_BSR_MOST, SOON = 24 }; /* most rows, columns of a block; prefetch distance in blocks */

static inline const struct X(blocks) *blocks_of(const struct X(product) *q)
{
    return q->of;
}

/* --- entry by entry, if padding or values that are not finite may matter ---------------------------- */

PSB_INLINE int all_finite(const T *x, psb_ipk n)
{
    int all = 1;
    for (psb_ipk i = 0; i < n; i++)
        all &= x[i] - x[i] == 0;
    return all;
}

/* sum[0..w) of row i, columns of x from `first` on. */
static void sum_row(const struct X(product) *q, psb_ipk i, psb_ipk first, psb_ipk w, T *sum)
{
    const struct X(blocks) *s = q->of;
    psb_ipk h = i / s->r, l = i % s->r;
    for (psb_ipk t = 0; t < w; t++)
        sum[t] = 0;
    for (psb_epk b = s->off[h]; b < s->off[h + 1] && s->ja[b] >= 0; b++)
        for (psb_ipk j = 0, at; j < s->c; j++)
            if (X(is_entry)(s, b, at = X(in_block)(s, l, j))) {
                const T v = s->val[b * s->size + at];
                const T *row = q->x + ((psb_epk)s->ja[b] * s->c + j) * q->k + first;
                for (psb_ipk t = 0; t < w; t++)
                    sum[t] += v * row[t];
            }
}

/* y += block row h, transposed, times x[i * w + t]: columns first+t, t < w, of y. */
static void spread_rows(const struct X(product) *q, psb_ipk h, psb_ipk first, psb_ipk w, const T *x, T *y)
{
    const struct X(blocks) *s = q->of;
    for (psb_epk b = s->off[h]; b < s->off[h + 1] && s->ja[b] >= 0; b++)
        for (psb_ipk i = 0; i < s->r; i++)
            for (psb_ipk j = 0, at; j < s->c; j++)
                if (X(is_entry)(s, b, at = X(in_block)(s, i, j))) {
                    const T e = s->val[b * s->size + at], v = q->conjugate ? CONJ(e) : e;
                    T *row = y + ((psb_epk)s->ja[b] * s->c + j) * q->k + first;
                    for (psb_ipk t = 0; t < w; t++)
                        row[t] += v * x[i * w + t];
                }
}

/* x[i * w + t] = alpha x of row i of block row h, column first+t; 0 for rows beyond the matrix. */
PSB_INLINE void load_rows(const struct X(product) *q, psb_ipk h, psb_ipk first, psb_ipk w, T *x)
{
    const struct X(blocks) *s = q->of;
    const psb_ipk n = X(block_height)(s, h);
    const T *from = q->x + (psb_epk)h * s->r * q->k + first;
    for (psb_ipk i = 0; i < s->r; i++)
        for (psb_ipk t = 0; t < w; t++)
            x[i * w + t] = i < n ? q->alpha * from[(psb_epk)i * q->k + t] : 0;
}

/* --- kernels ---------------------------------------------------------------------------------------- */

/* Square blocks with products of their own: size, and 1 if by columns.  Others share one product. */
#define SQUARES(E) \
    E(1, 0) E(1, 1) E(2, 0) E(2, 1) E(3, 0) E(3, 1) E(4, 0) E(4, 1) E(5, 1) E(6, 1) E(7, 1) E(8, 1)
enum { LARGEST_SQUARE = 8 };

/* The product for the blocks of s: one of `squares`, by size and order, or `any`. */
static X(gathering) *gathering_for(const struct X(blocks) *s, X(gathering) *const squares[][2],
                                   X(gathering) *any)
{
    X(gathering) *own = s->r == s->c && s->r <= LARGEST_SQUARE ? squares[s->r][s->by_cols] : NULL;
    return own ? own : any;
}

#define PSB_KERNELS "bsr_kernels.t.h"
#include "psb_each_simd.h"

/* Threads share whole block rows. */
static psb_ipk first_block_row(const void *of, int t, int p)
{
    psb_ipk from, to;
    X(blocks_share)(of, t < p ? t : p - 1, p, &from, &to);
    return t < p ? from : to;
}

psb_err X(blocks_csmm)(const struct X(blocks) *s, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans)
{
    static const struct X(product_kernels) kernels = { LEVELS(gather), LEVELS(gather_many), LEVELS(scatter),
                                                       LEVELS(scatter) };
    const struct X(product) q = { s, first_block_row, &kernels, k, alpha, x, beta, y, trans == 'C' };
    return X(product_csmm)(&q, trans != 'N', s->off[s->n] * s->size, s->ncols);
}
