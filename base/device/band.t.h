/* band.t.h -- base/device: banded systems and sparse vectors on the host. */
#ifndef BAND_T_H
#define BAND_T_H
#define BAND_EVERYWHERE static inline
#define BAND_ZERO       0

static inline T band_plus(T a, T b)
{
    return a + b;
}

/* a - f b */
static inline T band_minus(T a, T f, T b)
{
    return a - f * b;
}

static inline T band_over(T a, T b)
{
    return X(quotient)(a, b);
}

static inline R band_size(T a)
{
    return (R)fabs((double)RE(a)) + (R)fabs((double)IM(a));
}

static inline bool band_is_zero(T a)
{
    return a == 0;
}

static inline T band_read(const T *p)
{
    return *p;
}

static inline T band_times(T a, T b)
{
    return a * b;
}

static inline T band_conjugate(T a)
{
    return CONJ(a);
}

static inline T band_real(double a)
{
    return (T)(R)a;
}

static inline bool band_less(T a, T b)
{
    return RE(a) < RE(b);
}

#include "band_steps.h"
#include "sparse_steps.h"

/* A system and a right-hand side are a turn; bad[t]: the first pivot that is 0 in those of thread t. */
struct bands {
    const struct psb_band *b;
    const T *const *diag;
    T *x, *u;
    size_t room; /* elements of u for each thread */
    psb_epk *bad;
};

static void bands_part(void *bands, int t, int p)
{
    const struct bands *q = bands;
    const struct psb_band *b = q->b;
    const int w = b->periodic ? 2 * b->width : b->width;
    T *const u = q->u + q->room * (size_t)t;
    psb_epk from, to;
    q->bad[t] = -1;
    psb_thread_range((psb_epk)b->systems * b->nrhs, t, p, &from, &to);
    for (psb_epk i = from; i < to; i++) {
        const psb_epk s = i % b->systems, at = s * b->system;
        T *const x = q->x + at + i / b->systems * b->rhs;
        const T *diag[2 * PSB_MOST_WIDTH + 1];
        for (int d = 0; d <= 2 * b->width; d++)
            diag[d] = q->diag[d] + at;
        const psb_epk row = band_down(b, w, diag, x, u, 1), bad = s * b->n + row;
        if (row >= 0 && (q->bad[t] < 0 || bad < q->bad[t]))
            q->bad[t] = bad;
        band_up(b, w, u, 1, x);
    }
}

static psb_err solve_bands(const struct psb_band *b, const T *const *diag, T *x, psb_epk *bad)
{
    const psb_epk turns = (psb_epk)b->systems * b->nrhs;
    const int most = psb_threads(turns * b->n), p = turns < most ? (int)turns : most;
    struct bands q = { .b = b, .diag = diag, .x = x };
    q.room = (size_t)b->n * (size_t)band_kept(b->periodic ? 2 * b->width : b->width, b->pivot);
    PSB_TRY(psb_alloc(&q.bad, (size_t)p, sizeof *q.bad, "pivots"));
    psb_err e = psb_alloc(&q.u, q.room * (size_t)p, sizeof *q.u, "triangles of bands");
    if (e == PSB_OK)
        psb_team(p, bands_part, &q);
    *bad = -1;
    for (int t = 0; t < p && e == PSB_OK; t++)
        if (q.bad[t] >= 0 && (*bad < 0 || q.bad[t] < *bad))
            *bad = q.bad[t];
    psb_free(q.u);
    psb_free(q.bad);
    return e;
}

/* --- sparse vectors ------------------------------------------------------------------------------------ */

static psb_err check_sparse(const struct psb_sparse *v, bool distinct, psb_epk found[2])
{
    psb_ipk *last = NULL, k = 0;
    for (; k < v->nnz && v->idx[k] >= v->base && (psb_epk)v->idx[k] < (psb_epk)v->n + v->base; k++)
        ;
    found[0] = k < v->nnz ? k : -1;
    found[1] = 0;
    if (!distinct || found[0] >= 0)
        return PSB_OK;
    PSB_TRY(psb_alloc(&last, (size_t)v->n, sizeof *last, "places of a sparse vector"));
    for (k = 0; k < v->nnz; k++)
        last[v->idx[k] - v->base] = k;
    for (k = 0; k < v->nnz; k++)
        found[1] |= last[v->idx[k] - v->base] != k;
    psb_free(last);
    return PSB_OK;
}

static psb_err sparse(const struct X(vec_sparse) *q)
{
    T none = 0;
    for (psb_ipk k = 0; k < q->n; k++)
        sparse_element(q->kind, q->a, q->s, q->val && q->idx ? q->val + k : &none,
                       q->y + (q->idx ? q->idx[k] - q->base : k));
    return PSB_OK;
}
#endif
