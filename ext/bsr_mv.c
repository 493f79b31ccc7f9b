/* bsr_mv.c -- room: ext.  Products of BSR. */
#include "psb_ext.h"
#include "config.h"
#include "psb_type.h"

/* Rows of a block; columns of x that are summed together; values from what is multiplied to what is asked for
 * meanwhile; bytes of a cache line. */
enum { MOST = PSB_BSR_MOST, CHUNK = 8, AHEAD = 512, LINE = 64 };

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

static inline const struct X(blocks) *blocks_of(const struct X(product) *q)
{
    return q->of;
}

/* --- padding and what is not finite: entry by entry ----------------------------------------------------- */

INLINE int all_finite(const T *x, psb_ipk n)
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

/* x[i * w + t] = alpha x of row i of block row h, column first+t; 0 below the last row. */
INLINE void load_rows(const struct X(product) *q, psb_ipk h, psb_ipk first, psb_ipk w, T *x)
{
    const struct X(blocks) *s = q->of;
    const psb_ipk n = X(block_height)(s, h);
    const T *from = q->x + (psb_epk)h * s->r * q->k + first;
    for (psb_ipk i = 0; i < s->r; i++)
        for (psb_ipk t = 0; t < w; t++)
            x[i * w + t] = i < n ? q->alpha * from[(psb_epk)i * q->k + t] : 0;
}

/* --- the kernels --------------------------------------------------------------------------------------- */

#define PSB_KERNELS "bsr_kernels.t.h"
#include "psb_each_simd.h"

/* Block rows are what is shared out. */
static psb_ipk first_row(const void *of, int t, int p)
{
    psb_ipk from, to;
    X(blocks_share)(of, t < p ? t : p - 1, p, &from, &to);
    return t < p ? from : to;
}

psb_err X(blocks_csmm)(const struct X(blocks) *s, psb_ipk k, T alpha, const T *x, T beta, T *y, char trans)
{
    static void (*const gathers[][PSB_SIMD_LEVELS])(const struct X(product) *, psb_ipk,
                                                    psb_ipk) = { LEVELS(gather_many), LEVELS(gather) };
    static void (*const scatters[])(const struct X(product) *, psb_ipk, psb_ipk, T *) = LEVELS(scatter);
    const psb_epk work = s->off[s->n] * s->size * k;
    struct X(product) q = {
        .of = s, .k = k, .alpha = alpha, .beta = beta, .x = x, .y = y, .first = first_row
    };
    q.conjugate = trans == 'C';
    q.gather = gathers[k == 1][psb_simd()];
    q.scatter = scatters[psb_simd()];
    if (trans != 'N')
        return X(product_scatter)(&q, work, (psb_epk)s->ncols * k);
    X(product_gather)(&q, work);
    return PSB_OK;
}
