/* hll_mv.c -- room: ext.  Products of HLL. */
#include "psb_ext.h"
#include "config.h"
#include "psb_team.h"
#include "psb_type.h"

enum { STRIP = PSB_HLL_STRIP, CHUNK = 8 }; /* rows, and columns of x, that are summed together */

struct product {
    const struct X(hacks) *s;
    psb_ipk k;
    T alpha, beta;
    const T *x;
    T *y;
    int conjugate;
    void (*gather)(const struct product *q, psb_ipk lo, psb_ipk hi);
};

#define PSB_KERNELS "hll_kernels.t.h"
#include "psb_each_simd.h"

static void gather_part(void *job, int t, int p)
{
    const struct product *q = job;
    q->gather(q, X(hacks_share)(q->s, t, p), X(hacks_share)(q->s, t + 1, p));
}

/* y += row i, transposed, times alpha x of that row; columns first .. first+c-1. */
static inline void scatter_row(const struct product *q, psb_ipk i, psb_ipk first, psb_ipk c, T *y)
{
    const struct X(hacks) *s = q->s;
    psb_epk p = s->off[i / s->rows] + i % s->rows;
    T x[CHUNK];
    for (psb_ipk j = 0; j < c; j++)
        x[j] = q->alpha * q->x[(psb_epk)i * q->k + first + j];
    for (psb_ipk k = 0; k < s->irn[i]; k++, p += s->rows) {
        T v = q->conjugate ? CONJ(s->val[p]) : s->val[p], *row = y + (psb_epk)s->ja[p] * q->k + first;
        for (psb_ipk j = 0; j < c; j++)
            row[j] += v * x[j];
    }
}

static void scatter_part(void *job, int t, int p, T *y)
{
    const struct product *q = job;
    for (psb_ipk i = X(hacks_share)(q->s, t, p), end = X(hacks_share)(q->s, t + 1, p); i < end; i++)
        if (q->k == 1)
            scatter_row(q, i, 0, 1, y);
        else
            for (psb_ipk c = 0; c < q->k; c += CHUNK)
                scatter_row(q, i, c, q->k - c < CHUNK ? q->k - c : CHUNK, y);
}

psb_err X(hacks_csmm)(const struct X(hacks) *s, psb_ipk ncols, psb_ipk k, T alpha, const T *x, T beta, T *y,
                      char trans)
{
    static void (*const gathers[])(const struct product *, psb_ipk, psb_ipk) = LEVELS(gather);
    static void (*const gathers_many[])(const struct product *, psb_ipk, psb_ipk) = LEVELS(gather_many);
    struct product q = { s, k, alpha, beta, x, y, trans == 'C', NULL };
    psb_epk work = s->off[s->n] * k;
    q.gather = (k == 1 ? gathers : gathers_many)[psb_simd()];
    if (trans != 'N')
        return X(add_up)(work, (psb_epk)ncols * k, beta, y, scatter_part, &q);
    psb_team(psb_threads(work), gather_part, &q);
    return PSB_OK;
}
