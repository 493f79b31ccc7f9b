/* hdia_mv.c -- room: ext.  Products of HDIA. */
#include "psb_ext.h"
#include "config.h"
#include "psb_team.h"
#include "psb_type.h"

enum { STRIP = 128, CHUNK = 8 }; /* rows, and columns of x, that are summed together */

struct product {
    const struct X(diagonals) *s;
    psb_ipk k;
    T alpha, beta;
    const T *x;
    T *y;
    int conjugate;
    void (*gather)(const struct product *q, psb_ipk lo, psb_ipk hi);
};

#define PSB_KERNELS "hdia_kernels.t.h"
#include "psb_each_simd.h"

/* sum[0..c) of row i, columns of x from `first` on. */
static void sum_row(const struct product *q, psb_ipk i, psb_ipk first, psb_ipk c, T *sum)
{
    const struct X(diagonals) *s = q->s;
    psb_epk h = i / s->rows, at = i % s->rows;
    for (psb_ipk j = 0; j < c; j++)
        sum[j] = 0;
    for (psb_epk d = s->off[h]; d < s->off[h + 1]; d++)
        if (X(has_entry)(s, d, at)) {
            const T v = s->val[d * s->rows + at], *row = q->x + ((psb_epk)i + s->dist[d]) * q->k + first;
            for (psb_ipk j = 0; j < c; j++)
                sum[j] += v * row[j];
        }
}

static void gather_many(const struct product *q, psb_ipk lo, psb_ipk hi)
{
    for (psb_ipk i = lo; i < hi; i++)
        for (psb_ipk c = 0, w; c < q->k; c += w) {
            T sum[CHUNK], *y = q->y + (psb_epk)i * q->k + c;
            w = q->k - c < CHUNK ? q->k - c : CHUNK;
            sum_row(q, i, c, w, sum);
            for (psb_ipk j = 0; j < w; j++)
                y[j] = q->beta == 0 ? q->alpha * sum[j] : q->alpha * sum[j] + q->beta * y[j];
        }
}

static psb_ipk first_row(const struct X(diagonals) *s, int t, int p)
{
    return X(hacks_share)(&(struct X(hacks)){ .m = s->m, .n = s->n, .rows = s->rows, .off = s->off }, t, p);
}

static void gather_part(void *job, int t, int p)
{
    const struct product *q = job;
    q->gather(q, first_row(q->s, t, p), first_row(q->s, t + 1, p));
}

/* y += row i, transposed, times alpha x of that row; columns first .. first+c-1. */
static inline void scatter_row(const struct product *q, psb_ipk i, psb_ipk first, psb_ipk c, T *y)
{
    const struct X(diagonals) *s = q->s;
    psb_epk h = i / s->rows, at = i % s->rows;
    T x[CHUNK];
    for (psb_ipk j = 0; j < c; j++)
        x[j] = q->alpha * q->x[(psb_epk)i * q->k + first + j];
    for (psb_epk d = s->off[h]; d < s->off[h + 1]; d++)
        if (X(has_entry)(s, d, at)) {
            T v = q->conjugate ? CONJ(s->val[d * s->rows + at]) : s->val[d * s->rows + at];
            T *row = y + ((psb_epk)i + s->dist[d]) * q->k + first;
            for (psb_ipk j = 0; j < c; j++)
                row[j] += v * x[j];
        }
}

static void scatter_part(void *job, int t, int p, T *y)
{
    const struct product *q = job;
    for (psb_ipk i = first_row(q->s, t, p), end = first_row(q->s, t + 1, p); i < end; i++)
        for (psb_ipk c = 0; c < q->k; c += CHUNK)
            scatter_row(q, i, c, q->k - c < CHUNK ? q->k - c : CHUNK, y);
}

psb_err X(diagonals_csmm)(const struct X(diagonals) *s, psb_ipk k, T alpha, const T *x, T beta, T *y,
                          char trans)
{
    static void (*const gathers[])(const struct product *, psb_ipk, psb_ipk) = LEVELS(gather);
    struct product q = { s, k, alpha, beta, x, y, trans == 'C', gather_many };
    psb_epk work = s->off[s->n] * s->rows * k;
    if (k == 1)
        q.gather = gathers[psb_simd()];
    if (trans != 'N')
        return X(add_up)(work, (psb_epk)s->ncols * k, beta, y, scatter_part, &q);
    psb_team(psb_threads(work), gather_part, &q);
    return PSB_OK;
}
