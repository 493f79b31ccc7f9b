/* hll_kernels.t.h -- room: ext.  Products of HLL, for one level of vector instructions. */

/* Rows that are summed together. */
#if CPLX || PSB_VECTOR / BYTES > 8
#define LANES 8
#else
#define LANES (PSB_VECTOR / BYTES)
#endif
#include "lanes_kernels.t.h"

/* y of LANES rows of one hack, from r on, whose first entries are at place p.  Every cache line is asked for
 * `ahead` elements before: where hacks are long the processor sees many short streams, and would not. */
PSB_INLINE void L(gather_lanes)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_epk ahead,
                                psb_ipk r, psb_epk p)
{
    const psb_ipk *irn = s->irn + r, *ja = s->ja + p;
    const T *val = s->val + p;
    struct L(lanes) sum = { { 0 } };
    struct L(lengths) len;
    psb_ipk most = 0;
    L(lengths_load)(&len, irn);
    for (int b = 0; b < LANES; b++)
        most = irn[b] > most ? irn[b] : most;
    for (psb_ipk k = 0; k < most; k++, ja += s->g.rows, val += s->g.rows) {
        __builtin_prefetch(ja + ahead);
        __builtin_prefetch(val + ahead);
        L(lanes_add_longer)(&sum, &len, k, val, ja, q->x);
    }
    L(lanes_store)(&sum, q->alpha, q->beta, q->y + r);
}

/* y of row r, whose first entry is at place p. */
PSB_INLINE void L(gather_row)(const struct X(product) *q, const struct X(hll_arrays) *s, psb_ipk r, psb_epk p)
{
    T sum = 0;
    for (psb_ipk k = 0; k < s->irn[r]; k++, p += s->g.rows)
        sum += s->val[p] * q->x[s->ja[p]];
    q->y[r] = q->beta == 0 ? q->alpha * sum : q->alpha * sum + q->beta * q->y[r];
}

/* y of rows r .. end-1, which are in hack h. */
PSB_INLINE void L(gather_hack)(const struct X(product) *p_, psb_ipk h, psb_ipk r, psb_ipk end)
{
    const struct X(product) q = *p_;
    const struct X(hll_arrays) s = *(const struct X(hll_arrays) *)q.of;
    const psb_epk size = s.g.off[h + 1] - s.g.off[h];
    const psb_epk ahead = s.g.rows < AHEAD && size > 0 ? (AHEAD + size - 1) / size * size : AHEAD;
    psb_epk p = s.g.off[h] + r - h * s.g.rows;
    for (; end - r >= LANES; r += LANES, p += LANES)
        L(gather_lanes)(&q, &s, ahead, r, p);
    for (; r < end; r++, p++)
        L(gather_row)(&q, &s, r, p);
}

/* y of rows lo .. hi-1. */
static void L(gather)(const struct X(product) *q, psb_ipk lo, psb_ipk hi)
{
    const struct psb_hacks *g = &((const struct X(hll_arrays) *)q->of)->g;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(g, r, hi, INT32_MAX);
        L(gather_hack)(q, (psb_ipk)(r / g->rows), r, r + n);
    }
}

/* y += n rows from r on, transposed, times alpha x of them. */
static void L(scatter_strip)(const struct X(product) *q, psb_ipk r, psb_ipk n, T *restrict y)
{
    const struct X(hll_arrays) *s = q->of;
    const psb_ipk *irn = s->irn + r;
    psb_epk p = X(hll_first)(s, r);
    T x[STRIP];
    psb_ipk most = 0;
    for (psb_ipk i = 0; i < n; i++) {
        x[i] = q->alpha * q->x[r + i];
        most = irn[i] > most ? irn[i] : most;
    }
    for (psb_ipk k = 0; k < most; k++, p += s->g.rows)
        for (psb_ipk i = 0; i < n; i++)
            if (k < irn[i])
                y[s->ja[p + i]] += (q->conjugate ? CONJ(s->val[p + i]) : s->val[p + i]) * x[i];
}

static void L(scatter)(const struct X(product) *q, psb_ipk lo, psb_ipk hi, T *y)
{
    const struct psb_hacks *g = &((const struct X(hll_arrays) *)q->of)->g;
    for (psb_ipk r = lo, n; r < hi; r += n) {
        n = psb_hacks_strip(g, r, hi, STRIP);
        L(scatter_strip)(q, r, n, y);
    }
}

#include "product_kernels.t.h"
#undef LANES
