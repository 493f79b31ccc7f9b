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

/* The largest of the real and the imaginary part is 0 or moderate: no quotient of such numbers needs care. */
static inline bool band_is_moderate(T a)
{
    const R re = (R)fabs((double)RE(a)), im = (R)fabs((double)IM(a)), most = re > im ? re : im;
    const R high = sizeof(R) == sizeof(float) ? (R)0x1p32 : (R)0x1p256;
    return most == 0 || (most > 1 / high && most < high);
}

static inline T band_over(T a, T b)
{
    return !CPLX || (band_is_moderate(a) && band_is_moderate(b)) ? a / b : X(quotient)(a, b);
}

static inline T band_careful_over(T a, T b)
{
    return CPLX ? X(quotient)(a, b) : a / b;
}

static inline T band_inverse(T a)
{
    const R inverse = 1 / (CPLX ? RE(a) * RE(a) + IM(a) * IM(a) : RE(a));
    return CPLX ? MAKE(RE(a) * inverse, -(IM(a) * inverse)) : (T)inverse;
}

/* The exponent and the first bits of a real number, an integer that grows as its logarithm does, within a
 * tenth of an exponent; of a complex one, that of its larger part. */
static inline int first_bits(R a)
{
    uint32_t w;
    uint64_t v = 0;
    memcpy(&w, &a, sizeof w);
    memcpy(&v, &a, sizeof a);
    return sizeof a == sizeof w ? (int)(w & INT32_MAX) : (int)(v >> 32 & INT32_MAX);
}

static inline int band_logarithm(T a)
{
    const int re = first_bits(RE(a)), im = first_bits(IM(a));
    return re > im ? re : im;
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

/* Copies of elements that may arrive later. */
static inline void band_ask(T *to, const T *from)
{
    *to = *from;
}

static inline void band_asked(void)
{
}

static inline void band_arrived(void)
{
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

#include "band_parts.h"
#include "band_steps.h"
#include "part_steps.h"
#include "sparse_steps.h"

/* A system and a right-hand side are a turn; bad[t]: the first pivot that is 0 in those of thread t. */
struct bands {
    const struct psb_band *b;
    const T *const *diag;
    T *x, *u;
    size_t room; /* elements of u for each thread */
    psb_epk *bad;
};

static void lesser(psb_epk *least, psb_epk row)
{
    if (row >= 0 && (*least < 0 || row < *least))
        *least = row;
}

/* Solve a system for a right-hand side; returns the first row whose pivot is 0, or -1. */
static psb_epk solve_system(const struct psb_band *b, const T *const *diag, T *x, T *u)
{
    const int w = band_width(b), sides = band_sides(b);
    struct band_side q[2];
    T ring[BAND_RING * (2 * PSB_MOST_WIDTH + 2)], rest[2][BAND_MOST * (BAND_MOST + 1)];
    T a[BAND_MOST + 1][2 * BAND_MOST + 1], y[BAND_MOST + 1], z[BAND_MOST], near[2][2 * BAND_MOST] = { { 0 } };
    psb_epk least = -1;
    for (int s = 0; s < sides; s++) {
        q[s] = band_side_of(b, w, s, diag, x);
        q[s].u = u + (s ? q[0].rows * band_kept(w, b->pivot) : 0);
        q[s].v = q[s].x;
        q[s].v_step = q[s].b.row;
        q[s].ring = ring;
        q[s].u_step = q[s].ring_step = 1;
        const psb_epk k = band_down(&q[s], w, a, y);
        lesser(&least, k < 0 ? -1 : band_number(&q[s], k));
        if (sides == 2)
            band_put_rest(w, a, y, rest[s], 1);
    }
    if (sides == 2) {
        const int bad = band_meet(w, b->pivot, rest[0], rest[1], 1, z);
        lesser(&least, bad < 0 ? -1 : q[0].rows + bad);
    }
    for (int s = 0; s < sides; s++) {
        if (sides == 2)
            band_take_middle(&q[s], w, z, near[s]);
        band_up(&q[s], w, false, near[s]);
    }
    return least;
}

static void bands_part(void *bands, int t, int p)
{
    const struct bands *q = bands;
    const struct psb_band *b = q->b;
    T *const u = q->u + q->room * (size_t)t;
    psb_epk from, to;
    q->bad[t] = -1;
    psb_thread_range((psb_epk)b->systems * b->nrhs, t, p, &from, &to);
    for (psb_epk i = from; i < to; i++) {
        const psb_epk s = i % b->systems, at = s * b->system;
        const T *diag[2 * PSB_MOST_WIDTH + 1];
        for (int d = 0; d <= 2 * b->width; d++)
            diag[d] = q->diag[d] + at;
        const psb_epk row = solve_system(b, diag, q->x + at + i / b->systems * b->rhs, u);
        lesser(&q->bad[t], row < 0 ? -1 : s * b->n + row);
    }
}

static psb_epk least_bad(const psb_epk *bad, int p)
{
    psb_epk least = -1;
    for (int t = 0; t < p; t++)
        lesser(&least, bad[t]);
    return least;
}

static psb_err solve_bands(const struct psb_band *b, const T *const *diag, T *x, psb_epk *bad)
{
    const psb_epk turns = (psb_epk)b->systems * b->nrhs;
    const int most = psb_threads(turns * b->n), p = turns < most ? (int)turns : most;
    struct bands q = { .b = b, .diag = diag, .x = x };
    q.room = (size_t)b->n * (size_t)band_kept(band_width(b), b->pivot);
    PSB_TRY(psb_alloc(&q.bad, (size_t)p, sizeof *q.bad, "pivots"));
    psb_err e = psb_alloc(&q.u, q.room * (size_t)p, sizeof *q.u, "triangles of bands");
    if (e == PSB_OK)
        psb_team(p, bands_part, &q);
    *bad = e == PSB_OK ? least_bad(q.bad, p) : -1;
    psb_free(q.u);
    psb_free(q.bad);
    return e;
}

/* Items of a level for all pairs: parts, or groups of blocks. */
struct part_job {
    const struct band_parts *p;
    const T *const *diag;
    T *x, *store;
    int level;
    psb_epk items;                                                         /* of a pair */
    psb_epk (*work)(const struct part_job *q, psb_epk pair, psb_epk item); /* the first bad row, or -1 */
    psb_epk *bad;                                                          /* as in struct bands */
};

/* The rows of part k of a pair in the tile t, from the arrays of the system; *x: its right-hand sides. */
static int take_part(const struct part_job *q, psb_epk pair, psb_epk k, T *t, T **x)
{
    const struct psb_band *b = &q->p->b;
    const psb_epk at = pair % b->systems * b->system, first = k * PART_ROWS, left = b->n - first;
    const int m = left < PART_ROWS ? (int)left : PART_ROWS;
    *x = q->x + at + pair / b->systems * b->rhs + first * b->row;
    for (int i = 0; i < m; i++) {
        for (int d = 0; d < 3; d++)
            t[i + d * PART_ROWS] = part_is_beside(b, first + i, d) ? BAND_ZERO
                                                                   : q->diag[d][at + (first + i) * b->row];
        t[i + 3 * PART_ROWS] = (*x)[i * b->row];
    }
    return m;
}

static psb_epk block_of_part(const struct part_job *q, psb_epk pair, psb_epk k)
{
    T t[4 * PART_ROWS], block[PART_BLOCK], *x;
    const int m = take_part(q, pair, k, t, &x);
    const int bad = part_reduce(q->p->b.pivot, m, t, PART_ROWS, block);
    part_put(q->p, 0, pair, k, block, q->store);
    return bad < 0 ? -1 : k * PART_ROWS + bad;
}

static psb_epk rows_of_part(const struct part_job *q, psb_epk pair, psb_epk k)
{
    T t[4 * PART_ROWS], ends[4], *x;
    const int m = take_part(q, pair, k, t, &x);
    part_ends(q->p, 0, pair, k, q->store, ends);
    part_solve(q->p->b.pivot, m, t, PART_ROWS, ends);
    for (int i = 0; i < m; i++)
        x[i * q->p->b.row] = t[i + 3 * PART_ROWS];
    return -1;
}

static psb_epk join_group(const struct part_job *q, psb_epk pair, psb_epk g)
{
    return part_join(q->p->b.pivot, q->p, q->level, pair, g, q->store);
}

static psb_epk solve_top(const struct part_job *q, psb_epk pair, psb_epk item)
{
    (void)item;
    return part_top(q->p->b.pivot, q->p, pair, q->store);
}

static psb_epk solve_group(const struct part_job *q, psb_epk pair, psb_epk g)
{
    part_back(q->p, q->level, pair, g, q->store);
    return -1;
}

static void parts_share(void *job, int t, int p)
{
    const struct part_job *q = job;
    psb_epk from, to;
    psb_thread_range(q->items * q->p->pairs, t, p, &from, &to);
    for (psb_epk i = from; i < to; i++) {
        const psb_epk pair = i / q->items, row = q->work(q, pair, i % q->items);
        lesser(&q->bad[t], row < 0 ? -1 : pair % q->p->b.systems * q->p->b.n + row);
    }
}

static void work_on_level(struct part_job *q, int threads, int level, psb_epk items,
                          psb_epk (*work)(const struct part_job *, psb_epk, psb_epk))
{
    const psb_epk all = items * q->p->pairs;
    q->level = level;
    q->items = items;
    q->work = work;
    psb_team(all < threads ? (int)all : threads, parts_share, q);
}

static psb_err solve_in_parts(const struct psb_band *b, const T *const *diag, T *x, psb_epk *bad)
{
    struct band_parts p;
    struct part_job q = { .p = &p, .diag = diag, .x = x };
    band_divide(b, &p);
    const int threads = psb_threads(p.pairs * b->n), top = p.levels - 1;
    PSB_TRY(psb_alloc(&q.bad, (size_t)threads, sizeof *q.bad, "pivots"));
    psb_err e = psb_alloc(&q.store, (size_t)p.len, sizeof *q.store, "parts of bands");
    for (int t = 0; t < threads; t++)
        q.bad[t] = -1;
    if (e == PSB_OK) {
        work_on_level(&q, threads, 0, p.blocks[0], block_of_part);
        for (int l = 0; l < top; l++)
            work_on_level(&q, threads, l, p.blocks[l + 1], join_group);
        work_on_level(&q, threads, top, 1, solve_top);
        for (int l = top - 1; l >= 0; l--)
            work_on_level(&q, threads, l, p.blocks[l + 1], solve_group);
        work_on_level(&q, threads, 0, p.blocks[0], rows_of_part);
    }
    *bad = least_bad(q.bad, threads);
    psb_free(q.store);
    psb_free(q.bad);
    return e;
}

static psb_err solve_band(const struct psb_band *b, const T *const *diag, T *x, psb_epk *bad)
{
    return (band_has_parts(b) ? solve_in_parts : solve_bands)(b, diag, x, bad);
}

/* --- sparse vectors ------------------------------------------------------------------------------------ */

static psb_err check_sparse(const struct psb_sparse *v, bool distinct, psb_epk *wrong,
                            enum psb_sparse_order *order)
{
    psb_ipk *last = NULL, k = 0;
    bool ascend = true, twice = false;
    for (; k < v->nnz && v->idx[k] >= v->base && (psb_epk)v->idx[k] < (psb_epk)v->n + v->base; k++)
        ascend &= k == 0 || v->idx[k - 1] < v->idx[k];
    *wrong = k < v->nnz ? k : -1;
    *order = ascend ? PSB_SV_ASCENDING : PSB_SV_ANY;
    if (!distinct || *wrong >= 0 || ascend)
        return PSB_OK;
    PSB_TRY(psb_alloc(&last, (size_t)v->n, sizeof *last, "places of a sparse vector"));
    for (k = 0; k < v->nnz; k++)
        last[v->idx[k] - v->base] = k;
    for (k = 0; k < v->nnz; k++)
        twice |= last[v->idx[k] - v->base] != k;
    psb_free(last);
    *order = twice ? PSB_SV_ANY : PSB_SV_DISTINCT;
    return PSB_OK;
}

static psb_err sparse(const struct X(vec_sparse) *q)
{
    const bool both = q->kind == PSB_SV_SCALE_AND_ADD;
    T none = 0;
    for (psb_ipk k = 0; both && k < q->len; k++)
        q->y[k] = q->s == 0 ? 0 : q->s * q->y[k];
    for (psb_ipk k = 0; k < q->n; k++)
        sparse_element(both ? PSB_SV_ADD : q->kind, q->a, q->s, q->val && q->idx ? q->val + k : &none,
                       q->y + (q->idx ? q->idx[k] - q->base : k));
    return PSB_OK;
}
#endif
