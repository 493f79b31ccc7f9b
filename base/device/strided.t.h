/* strided.t.h -- base/device: products of rows in CSR and dense arrays, and solves, on the host; after
 * band.t.h.
 */
#ifndef STRIDED_T_H
#define STRIDED_T_H
#include "strided_steps.h"

enum { TILE = 32 };

/* The arguments of an operation; bad[t]: of thread t. */
struct strided {
    const struct psb_row_products *q;
    T alpha, beta;
    const T *val, *x, *z;
    T *y;
    psb_epk *bad;
};

static void strided_long_element(const struct strided *w, psb_epk b, psb_epk i, psb_epk j)
{
    const struct psb_row_products *q = w->q;
    T s[STRIDED_SUMS];
    for (int n = 0; n < STRIDED_SUMS; n++)
        s[n] = strided_none(q->over);
    for (psb_epk e = q->off[i]; e < q->off[i + 1]; e++) {
        T *const at = s + (e - q->off[i]) % STRIDED_SUMS;
        *at = strided_term(q, q->over, b, j, e, *at, w->val, w->x);
    }
    for (int o = STRIDED_SUMS / 2; o > 0; o /= 2)
        for (int n = 0; n < o; n++)
            s[n] = strided_join(q->over, s[n], s[n + o]);
    strided_end(q, q->over, b, i, j, w->alpha, s[0], w->beta, w->y);
}

static void strided_rows_part(void *strided, int t, int p)
{
    const struct strided *w = strided;
    const struct psb_row_products *q = w->q;
    psb_epk from, to;
    psb_thread_range((psb_epk)q->m * q->batch, t, p, &from, &to);
    for (psb_epk r = from; r < to; r++) {
        const psb_epk b = r / q->m, i = r % q->m;
        const bool is_long = strided_terms(q, i, w->alpha) > STRIDED_LONG;
        for (psb_ipk j = 0; j < q->k; j++)
            if (is_long)
                strided_long_element(w, b, i, j);
            else
                strided_element(q, q->over, b, i, j, w->alpha, w->val, w->x, w->beta, w->y);
    }
}

static psb_err spmm(const struct psb_row_products *q, T alpha, const T *val, const T *x, T beta, T *y)
{
    struct strided w = { .q = q, .alpha = alpha, .beta = beta, .val = val, .x = x, .y = y };
    const psb_epk entries = q->nnz / q->m + 1; /* of a row */
    psb_team(psb_threads((psb_epk)q->m * q->k * q->batch * (entries < 64 ? entries : 64)), strided_rows_part,
             &w);
    return PSB_OK;
}

/* The sum of x[c] y[c]: of STRIDED_LANES sums over c = l, l + STRIDED_LANES, ... below k, halves are added.
 */
static T strided_dot(psb_ipk k, const T *x, const T *y)
{
    T s[STRIDED_LANES] = { 0 };
    psb_epk c = 0;
    for (; c + STRIDED_LANES <= k; c += STRIDED_LANES)
        for (int l = 0; l < STRIDED_LANES; l++)
            s[l] += x[c + l] * y[c + l];
    for (int l = 0; c + l < k; l++)
        s[l] += x[c + l] * y[c + l];
    for (int o = STRIDED_LANES / 2; o > 0; o /= 2)
        for (int l = 0; l < o; l++)
            s[l] += s[l + o];
    return s[0];
}

static void sampled_part(void *strided, int t, int p)
{
    const struct strided *w = strided;
    const struct psb_row_products *q = w->q;
    const psb_ipk end = psb_thread_start(q->off, q->m, t + 1, p);
    for (psb_ipk i = psb_thread_start(q->off, q->m, t, p); i < end; i++)
        for (psb_epk e = q->off[i]; e < q->off[i + 1]; e++) {
            const T s = strided_dot(q->k, w->x + i * q->x.row, w->z + q->ja[e] * q->y.row);
            strided_put(w->alpha, s, w->beta, w->y + e);
        }
}

static psb_err sddmm(const struct psb_row_products *q, T alpha, const T *x, const T *z, T beta, T *val)
{
    struct strided w = { .q = q, .alpha = alpha, .beta = beta, .x = x, .z = z, .y = val };
    psb_team(psb_threads(q->nnz * (q->k < 64 ? q->k + 1 : 64)), sampled_part, &w);
    return PSB_OK;
}

static void strided_solves_part(void *strided, int t, int p)
{
    const struct strided *w = strided;
    const struct psb_row_products *q = w->q;
    psb_epk from, to;
    w->bad[t] = -1;
    psb_thread_range((psb_epk)q->k * q->batch, t, p, &from, &to);
    for (psb_epk n = from; n < to; n++) {
        const psb_epk b = n % q->batch, j = n / q->batch;
        const psb_ipk row = strided_solve(q, w->val + b * q->values, w->y + j * q->y.col + b * q->y.batch,
                                          q->y.row);
        const psb_epk bad = b * q->m + row;
        if (row >= 0 && (w->bad[t] < 0 || bad < w->bad[t]))
            w->bad[t] = bad;
    }
}

static psb_err spsm(const struct psb_row_products *q, const T *val, T *y, psb_epk *bad)
{
    const psb_epk turns = (psb_epk)q->k * q->batch;
    const int most = psb_threads(turns * q->m), p = turns < most ? (int)turns : most;
    struct strided w = { .q = q, .val = val, .y = y };
    PSB_TRY(psb_alloc(&w.bad, (size_t)p, sizeof *w.bad, "rows of triangles"));
    psb_team(p, strided_solves_part, &w);
    *bad = -1;
    for (int t = 0; t < p; t++)
        if (w.bad[t] >= 0 && (*bad < 0 || w.bad[t] < *bad))
            *bad = w.bad[t];
    psb_free(w.bad);
    return PSB_OK;
}

struct laying {
    psb_epk m, n;
    bool conjugate;
    const T *x;
    T *y;
    struct psb_places from, to;
};

static void lay_tile(const struct laying *w, psb_epk i, psb_epk j)
{
    const psb_epk m = w->m - i < TILE ? w->m - i : TILE, n = w->n - j < TILE ? w->n - j : TILE;
    const T *const x = w->x + (i * w->from.row + j * w->from.col);
    T *const y = w->y + (i * w->to.row + j * w->to.col);
    for (psb_epk a = 0; a < m; a++)
        for (psb_epk b = 0; b < n; b++) {
            const T v = x[a * w->from.row + b * w->from.col];
            y[a * w->to.row + b * w->to.col] = w->conjugate ? CONJ(v) : v;
        }
}

static void lay_part(void *laying, int t, int p)
{
    const struct laying *w = laying;
    psb_epk from, to;
    psb_thread_range((w->m + TILE - 1) / TILE, t, p, &from, &to);
    for (psb_epk i = from; i < to; i++)
        for (psb_epk j = 0; j < w->n; j += TILE)
            lay_tile(w, i * TILE, j);
}

static psb_err lay(psb_epk m, psb_epk n, bool conjugate, const T *x, struct psb_places from, T *y,
                   struct psb_places to)
{
    struct laying w = { m, n, conjugate, x, y, from, to };
    psb_team(psb_threads(m * n), lay_part, &w);
    return PSB_OK;
}
#endif
