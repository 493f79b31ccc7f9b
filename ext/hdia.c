/* hdia.c -- ext: hacked diagonals. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

enum { HDIA_SMALL = 1 << 16, HDIA_WORD = 64 }; /* values never refused, whatever the limit; bits of a word */

/* --- the arrays --------------------------------------------------------------------------------------- */

static void hdia_set_sizes(const struct X(hdia_mat) *a, struct X(diagonals) *s)
{
    s->g = (struct psb_hacks){ .m = a->mat.nrows, .n = a->nhacks, .rows = a->rows };
    s->ncols = a->mat.ncols;
    s->words = (a->rows + HDIA_WORD - 1) / HDIA_WORD;
}

static psb_err open_diagonals(struct X(mat) *a_, struct X(diagonals) *s)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    hdia_set_sizes(a, s);
    PSB_TRY(psb_dual_read(&a->off, PSB_HOST, &s->g.off));
    PSB_TRY(psb_dual_read(&a->dist, PSB_HOST, &s->dist));
    PSB_TRY(psb_dual_read(&a->gaps, PSB_HOST, &s->gaps));
    PSB_TRY(psb_dual_read(&a->zeros, PSB_HOST, &s->zeros));
    PSB_TRY(psb_dual_read(&a->bits, PSB_HOST, &s->bits));
    return psb_dual_read(&a->val, PSB_HOST, &s->val);
}

/* open_diagonals for changing values; call count_zeros if the number of zeros changes. */
static psb_err open_to_change(struct X(mat) *a_, struct X(diagonals) *s)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    PSB_TRY(open_diagonals(a_, s));
    PSB_TRY(psb_dual_update(&a->val, PSB_HOST, &s->val));
    PSB_TRY(psb_dual_update(&a->zeros, PSB_HOST, &s->zeros));
    return psb_dual_update(&a->gaps, PSB_HOST, &s->gaps);
}

/* n entries of diagonal d have the value 0: zeros mark its gaps only if n == 0. */
static inline void count_zeros(const struct X(diagonals) *s, psb_epk d, psb_ipk n)
{
    s->zeros[d] = n;
    if (s->gaps[d] != PSB_NO_GAPS)
        s->gaps[d] = n ? PSB_GAPS_BY_BITS : PSB_ZEROS_ARE_GAPS;
}

static int hdia_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(hdia_mat) *a = (struct X(hdia_mat) *)a_;
    list[0] = &a->off;
    list[1] = &a->dist;
    list[2] = &a->gaps;
    list[3] = &a->zeros;
    list[4] = &a->bits;
    list[5] = &a->val;
    return 6;
}

/* --- build ------------------------------------------------------------------------------------------ */

/* A diagonal of a hack: its first position in the arrays, its distance, and the largest number of equal
 * entries. */
struct diagonal {
    psb_epk at;
    psb_ipk dist, times;
};

/* The diagonals that a thread has found in its current hack.  The diagonal of distance d is list[where[d +
 * zero]] if that index is below count and the distance there is d; else it has not been found yet. */
struct finder {
    psb_epk zero;
    uint32_t *where;
    struct diagonal *list;
    psb_epk count, most;
    psb_ipk *dist; /* distances of all hacks of the thread */
    psb_epk n, capacity;
    psb_err err;
};

struct making_diagonals {
    const struct X(diagonals) *s;
    const struct X(compressed) *b;
    struct finder *q; /* one per thread */
};

static void finder_free(struct finder *q)
{
    psb_free(q->where);
    psb_free(q->list);
    psb_free(q->dist);
}

static psb_err finder_init(struct finder *q, psb_ipk m, psb_ipk n)
{
    size_t all = (size_t)m + (size_t)n;
    *q = (struct finder){ .zero = m };
    return psb_alloc_zero(&q->where, all, sizeof *q->where, "diagonals");
}

/* The diagonal of distance `dist` in the list; NULL if it has not been found. */
static inline struct diagonal *lookup(const struct finder *q, psb_epk dist)
{
    const psb_epk k = q->where[dist + q->zero];
    return k < q->count && q->list[k].dist == dist ? &q->list[k] : NULL;
}

/* Append a diagonal to the list, which is long enough. */
static inline struct diagonal *append_diagonal(struct finder *q, psb_epk dist, psb_epk at)
{
    struct diagonal *new = &q->list[q->count];
    *new = (struct diagonal){ .at = at, .dist = (psb_ipk)dist };
    q->where[dist + q->zero] = (uint32_t)q->count++;
    return new;
}

/* Make the list long enough for n more diagonals. */
static psb_err reserve_diagonals(struct finder *q, psb_epk n)
{
    n += q->count;
    if (n <= q->most)
        return PSB_OK;
    PSB_TRY(psb_resize(&q->list, (size_t)(n + n / 2), sizeof *q->list, "diagonals"));
    q->most = n + n / 2;
    return PSB_OK;
}

/* Append `times` diagonals of distance `dist`. */
static psb_err put_distance(struct finder *q, psb_ipk dist, psb_ipk times)
{
    if (q->n + times > q->capacity) {
        const psb_epk capacity = q->n + times + (q->n + times) / 2;
        PSB_TRY(psb_resize(&q->dist, (size_t)capacity, sizeof *q->dist, "diagonals"));
        q->capacity = capacity;
    }
    for (psb_ipk t = 0; t < times; t++)
        q->dist[q->n++] = dist;
    return PSB_OK;
}

/* Number of rows from i on, before row `end`, whose entries are on the same diagonals, with the same
 * multiplicities. */
static psb_ipk alike(const struct X(compressed) *b, psb_epk i, psb_epk end)
{
    const psb_epk n = b->ptr[i + 1] - b->ptr[i];
    const psb_ipk *first = b->idx + b->ptr[i], *row = first + n;
    psb_ipk m = 1, differ = 0;
    for (; i + m < end && b->ptr[i + m + 1] - b->ptr[i + m] == n; m++, row += n) {
        for (psb_epk k = 0; k < n; k++)
            differ |= row[k] - first[k] - m;
        if (differ)
            break;
    }
    return m;
}

/* Rank of entry k among the duplicates in its row, from 1; `before` is that of entry k-1. */
static inline psb_ipk rank_of(const struct X(compressed) *b, psb_epk first, psb_epk k, psb_ipk before)
{
    return k > first && b->idx[k] == b->idx[k - 1] ? before + 1 : 1;
}

/* Find the diagonals of row i; new ones are appended to the list. */
static psb_err find_in_row(struct finder *q, const struct X(compressed) *b, psb_epk i)
{
    psb_ipk rank = 0;
    PSB_TRY(reserve_diagonals(q, b->ptr[i + 1] - b->ptr[i]));
    for (psb_epk k = b->ptr[i]; k < b->ptr[i + 1]; k++) {
        struct diagonal *d = lookup(q, b->idx[k] - i);
        rank = rank_of(b, b->ptr[i], k, rank);
        if (!d)
            d = append_diagonal(q, b->idx[k] - i, 0);
        d->times = rank > d->times ? rank : d->times;
    }
    return PSB_OK;
}

static int ascending(const void *a, const void *b)
{
    psb_ipk x = ((const struct diagonal *)a)->dist, y = ((const struct diagonal *)b)->dist;
    return (x > y) - (x < y);
}

/* Hack h has the rows *first .. *last-1. */
static void rows_of_hack(const struct psb_hacks *g, psb_epk h, psb_epk *first, psb_epk *last)
{
    *first = h * g->rows;
    *last = *first + g->rows < g->m ? *first + g->rows : g->m;
}

/* Append the distances of the diagonals of hack h to those of the hacks before.  Returns their number, or -1
 * on error. */
static psb_epk find_in_hack(struct finder *q, const struct psb_hacks *g, const struct X(compressed) *b,
                            psb_ipk h)
{
    psb_epk first, last, before = q->n;
    rows_of_hack(g, h, &first, &last);
    q->count = 0;
    for (psb_epk i = first; i < last && q->err == PSB_OK; i += alike(b, i, last))
        q->err = find_in_row(q, b, i);
    if (q->count)
        qsort(q->list, (size_t)q->count, sizeof *q->list, ascending);
    for (psb_epk l = 0; l < q->count && q->err == PSB_OK; l++)
        q->err = put_distance(q, q->list[l].dist, q->list[l].times);
    return q->err == PSB_OK ? q->n - before : -1;
}

/* off[h + 1] = number of diagonals of hack h. */
static void find_part(void *job, int t, int p)
{
    const struct making_diagonals *j = job;
    struct finder *q = &j->q[t];
    psb_epk h, end;
    psb_thread_range(j->s->g.n, t, p, &h, &end);
    q->err = finder_init(q, j->b->n, j->b->m);
    for (; h < end && q->err == PSB_OK; h++)
        j->s->g.off[h + 1] = find_in_hack(q, &j->s->g, j->b, (psb_ipk)h);
}

/* Number of rows of the hack whose entry on the diagonal is within the matrix. */
static psb_epk within(const struct X(diagonals) *s, psb_ipk h, psb_ipk dist)
{
    psb_epk lo, hi;
    rows_of_hack(&s->g, h, &lo, &hi);
    lo = lo + dist < 0 ? -(psb_epk)dist : lo;
    hi = hi + dist > s->ncols ? (psb_epk)s->ncols - dist : hi;
    return hi > lo ? hi - lo : 0;
}

static psb_epk entries_of(const struct X(diagonals) *s, psb_epk d)
{
    psb_epk n = 0;
    for (psb_epk w = 0; w < s->words; w++)
        for (uint64_t b = s->bits[d * s->words + w]; b; b &= b - 1)
            n++;
    return n;
}

/* Rows at .. at+m-1 of the hack have an entry on diagonal d. */
static void set_bits(const struct X(diagonals) *s, psb_epk d, psb_epk at, psb_epk m)
{
    uint64_t *bits = s->bits + d * s->words;
    for (psb_epk end = at + m, n; at < end; at += n) {
        n = HDIA_WORD - at % HDIA_WORD < end - at ? HDIA_WORD - at % HDIA_WORD : end - at;
        bits[at / HDIA_WORD] |= (n == HDIA_WORD ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << at % HDIA_WORD;
    }
}

/* Store the entries of m rows with the same diagonals; i is the first of them, in the hack that begins at row
 * `first`. */
static void put_rows(const struct finder *q, const struct X(diagonals) *s, const struct X(compressed) *b,
                     psb_epk first, psb_epk i, psb_ipk m)
{
    const psb_epk n = b->ptr[i + 1] - b->ptr[i];
    psb_ipk rank = 0;
    for (psb_epk k = b->ptr[i]; k < b->ptr[i + 1]; k++) {
        rank = rank_of(b, b->ptr[i], k, rank);
        const psb_epk d = lookup(q, b->idx[k] - i)->at + rank - 1;
        const T *from = b->val + k;
        T *to = s->val + d * s->g.rows + (i - first);
        psb_ipk zeros = 0;
        for (psb_ipk r = 0; r < m; r++) {
            to[r] = from[r * n];
            zeros += to[r] == 0;
        }
        set_bits(s, d, i - first, m);
        count_zeros(s, d, s->zeros[d] + zeros);
    }
}

/* For a single hack: every thread clears the rows of its words of bits; this is where most of the time is
 * spent. */
static void clear_part(void *job, int t, int p)
{
    const struct X(diagonals) *s = ((const struct making_diagonals *)job)->s;
    psb_epk w, end;
    psb_thread_range(s->words, t, p, &w, &end);
    const psb_epk first = w * HDIA_WORD, last = end * HDIA_WORD < s->g.rows ? end * HDIA_WORD : s->g.rows;
    for (psb_epk d = 0; d < s->g.off[1] && w < end; d++) {
        memset(s->val + d * s->g.rows + first, 0, (size_t)(last - first) * sizeof *s->val);
        memset(s->bits + d * s->words + w, 0, (size_t)(end - w) * sizeof *s->bits);
    }
}

static void fill_hack(struct finder *q, const struct X(diagonals) *s, const struct X(compressed) *b,
                      psb_ipk h)
{
    psb_epk first, last, d = s->g.off[h], end = s->g.off[h + 1], all = end - d;
    rows_of_hack(&s->g, h, &first, &last);
    if (s->g.n > 1) {
        memset(s->val + d * s->g.rows, 0, (size_t)(all * s->g.rows) * sizeof *s->val);
        memset(s->bits + d * s->words, 0, (size_t)(all * s->words) * sizeof *s->bits);
    }
    memset(s->gaps + d, PSB_ZEROS_ARE_GAPS, (size_t)all);
    memset(s->zeros + d, 0, (size_t)all * sizeof *s->zeros);
    q->count = 0;
    for (; d < end; d++)
        if (d == s->g.off[h] || s->dist[d] != s->dist[d - 1])
            append_diagonal(q, s->dist[d], d);
    for (psb_epk i = first, m; i < last; i += m) {
        m = alike(b, i, last);
        put_rows(q, s, b, first, i, (psb_ipk)m);
    }
    for (d = s->g.off[h]; d < end; d++)
        if (entries_of(s, d) == within(s, h, s->dist[d]))
            s->gaps[d] = PSB_NO_GAPS;
}

/* Copy the distances that the thread found, and fill its hacks. */
static void fill_hacks_of_diagonals(void *job, int t, int p)
{
    const struct making_diagonals *j = job;
    struct finder *q = &j->q[t];
    psb_epk h, end;
    psb_thread_range(j->s->g.n, t, p, &h, &end);
    if (q->n)
        memcpy(j->s->dist + j->s->g.off[h], q->dist, (size_t)q->n * sizeof *q->dist);
    for (; h < end; h++)
        fill_hack(q, j->s, j->b, (psb_ipk)h);
}

/* Number of threads for a build: the table of diagonals of a thread must be smaller than its share of the
 * entries. */
static int makers(const struct X(mat) *a)
{
    const double entries = (double)a->nnz * (sizeof(T) + sizeof(psb_ipk));
    const double known = ((double)a->nrows + a->ncols + 1) * sizeof(uint32_t);
    const int p = psb_threads(a->nnz);
    return entries / known < p ? 1 + (int)(entries / known) : p;
}

psb_err X(hdia_check)(const struct X(hdia_mat) *a, psb_epk diagonals)
{
    const double n = (double)diagonals, values = n * (double)a->rows;
    const double words = (double)((a->rows + HDIA_WORD - 1) / HDIA_WORD),
                 need = values * sizeof(T) + n * (8 * words + 9);
    return X(check_padding)(&a->mat, a->limit, need, values <= HDIA_SMALL,
                            "%" PRId64 " diagonals of %" PRId64 " rows", diagonals, a->rows);
}

psb_err X(hdia_lay_out)(struct X(hdia_mat) *a, struct psb_hacks *g)
{
    PSB_TRY(psb_hacks_of(a->mat.nrows, a->hack, a->mat.nrows, g));
    a->rows = g->rows;
    a->nhacks = g->n;
    return psb_dual_init(&a->off, (size_t)g->n + 1, sizeof *g->off, a->mat.on, "HDIA hacks");
}

psb_err X(hdia_register)(struct X(hdia_mat) *a, psb_epk diagonals)
{
    const size_t n = (size_t)diagonals, words = (size_t)((a->rows + HDIA_WORD - 1) / HDIA_WORD);
    const struct psb_device *on = a->mat.on;
    PSB_TRY(psb_dual_init(&a->dist, n, sizeof(psb_ipk), on, "HDIA distances"));
    PSB_TRY(psb_dual_init(&a->gaps, n, 1, on, "HDIA gaps"));
    PSB_TRY(psb_dual_init(&a->zeros, n, sizeof(psb_ipk), on, "HDIA zeros"));
    PSB_TRY(psb_dual_init(&a->bits, n * words, sizeof(uint64_t), on, "HDIA bits"));
    return psb_dual_init(&a->val, n * (size_t)a->rows, sizeof(T), on, "HDIA values");
}

/* Set the sizes, find the diagonals of each hack, and register all arrays. */
static psb_err plan_diagonals(struct X(hdia_mat) *a, struct making_diagonals *j, int p,
                              struct X(diagonals) *s)
{
    PSB_TRY(X(hdia_lay_out)(a, &s->g));
    hdia_set_sizes(a, s);
    PSB_TRY(psb_dual_write(&a->off, PSB_HOST, &s->g.off));
    psb_team(p, find_part, j);
    for (int t = 0; t < p; t++) /* errors of threads do not reach the caller's record */
        PSB_CHECK(j->q[t].err == PSB_OK, j->q[t].err,
                  "no memory for diagonals by distance: %.15g elements of %zu bytes, for each of %d threads",
                  (double)j->b->n + j->b->m, sizeof *j->q->where, p);
    s->g.off[0] = 0;
    for (psb_ipk h = 0; h < s->g.n; h++)
        s->g.off[h + 1] += s->g.off[h];
    PSB_TRY(X(hdia_check)(a, s->g.off[s->g.n]));
    return X(hdia_register)(a, s->g.off[s->g.n]);
}

static psb_err fill_diagonals(struct X(hdia_mat) *a, struct making_diagonals *j, int p,
                              struct X(diagonals) *s)
{
    PSB_TRY(psb_dual_write(&a->dist, PSB_HOST, &s->dist));
    PSB_TRY(psb_dual_write(&a->gaps, PSB_HOST, &s->gaps));
    PSB_TRY(psb_dual_write(&a->zeros, PSB_HOST, &s->zeros));
    PSB_TRY(psb_dual_write(&a->bits, PSB_HOST, &s->bits));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &s->val));
    if (s->g.n == 1)
        psb_team(psb_threads(s->g.off[1] * s->g.rows), clear_part, j);
    psb_team(p, fill_hacks_of_diagonals, j);
    return PSB_OK;
}

/* Plan a for these rows, and fill it if `fills`. */
static psb_err make_diagonals(struct X(hdia_mat) *a, const struct X(compressed) *rows, bool fills)
{
    struct X(diagonals) s;
    struct making_diagonals j = { &s, rows, NULL };
    const int p = makers(&a->mat);
    PSB_TRY(psb_alloc_zero(&j.q, (size_t)p, sizeof *j.q, "diagonals"));
    psb_err e = plan_diagonals(a, &j, p, &s);
    if (e == PSB_OK && fills)
        e = fill_diagonals(a, &j, p, &s);
    for (int t = 0; t < p; t++)
        finder_free(&j.q[t]);
    psb_free(j.q);
    return e;
}

static psb_err hdia_build(struct X(mat) *a, const struct X(compressed) *rows)
{
    return make_diagonals((struct X(hdia_mat) *)a, rows, true);
}

static psb_err hdia_weigh(struct X(mat) *a, const struct X(compressed) *rows, double *bytes)
{
    PSB_TRY(make_diagonals((struct X(hdia_mat) *)a, rows, false));
    *bytes = (double)X(mat_bytes)(a);
    return PSB_OK;
}

/* --- entries ------------------------------------------------------------------------------------------ */

/* Visit diagonal d of hack h in runs of rows that have an entry on it. */
static void walk_diagonal(const struct X(diagonals) *s, psb_ipk h, psb_epk d, X(visit) *visit, void *job)
{
    enum { RUN = 256 };
    psb_ipk ia[RUN], ja[RUN], first = (psb_ipk)(h * s->g.rows);
    psb_epk left = s->g.m - first, end = s->g.rows < left ? s->g.rows : left;
    for (psb_epk at = 0, n; at < end; at += n + (n == 0)) {
        for (n = 0; n < RUN && at + n < end && X(has_entry)(s, d, at + n); n++) {
            ia[n] = first + (psb_ipk)(at + n);
            ja[n] = ia[n] + s->dist[d];
        }
        if (n > 0)
            visit(job, n, ia, ja, s->val + d * s->g.rows + at);
    }
}

static psb_ipk zeros_of(const struct X(diagonals) *s, psb_epk d)
{
    const T *val = s->val + d * s->g.rows;
    psb_ipk n = 0;
    for (psb_epk at = 0; at < s->g.rows; at++)
        n += val[at] == 0 && X(has_entry)(s, d, at);
    return n;
}

static psb_err hdia_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct X(diagonals) s;
    PSB_TRY(change ? open_to_change(a, &s) : open_diagonals(a, &s));
    for (psb_ipk h = 0; h < s.g.n; h++)
        for (psb_epk d = s.g.off[h]; d < s.g.off[h + 1]; d++) {
            walk_diagonal(&s, h, d, visit, job);
            if (change)
                count_zeros(&s, d, zeros_of(&s, d));
        }
    return PSB_OK;
}

/* Add the entries of diagonal d of hack h, the main one, to those of rows below n. */
static void add_main_diagonal(const struct X(diagonals) *s, psb_ipk h, psb_epk d, psb_ipk n, T *diag)
{
    const psb_epk first = h * s->g.rows;
    for (psb_epk at = 0; at < s->g.rows && first + at < n; at++)
        if (X(has_entry)(s, d, at))
            diag[first + at] += s->val[d * s->g.rows + at];
}

static psb_err hdia_get_diag(struct X(mat) *a, psb_ipk n, int ones, T *diag)
{
    struct X(diagonals) s;
    PSB_TRY(open_diagonals(a, &s));
    for (psb_ipk i = 0; i < n; i++)
        diag[i] = (T)ones;
    for (psb_ipk h = 0; h < s.g.n; h++)
        for (psb_epk d = s.g.off[h]; d < s.g.off[h + 1]; d++)
            if (s.dist[d] == 0)
                add_main_diagonal(&s, h, d, n, diag);
    return PSB_OK;
}

static psb_epk hdia_row_length(const void *of, psb_ipk i)
{
    const struct X(diagonals) *s = of;
    const psb_epk h = i / s->g.rows, at = i % s->g.rows;
    psb_epk n = 0;
    for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
        n += X(has_entry)(s, d, at);
    return n;
}

static void hdia_list_row(const void *of, psb_ipk i, psb_ipk *ja, T *val)
{
    const struct X(diagonals) *s = of;
    const psb_epk h = i / s->g.rows, at = i % s->g.rows;
    for (psb_epk d = s->g.off[h]; d < s->g.off[h + 1]; d++)
        if (X(has_entry)(s, d, at)) {
            *ja++ = i + s->dist[d];
            *val++ = s->val[d * s->g.rows + at];
        }
}

/* Number of values in the hacks of rows lo .. hi-1. */
static psb_epk hdia_places(const struct X(diagonals) *s, psb_ipk lo, psb_ipk hi)
{
    return lo < hi ? (s->g.off[(hi - 1) / s->g.rows + 1] - s->g.off[lo / s->g.rows]) * s->g.rows : 0;
}

static psb_err hdia_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(diagonals) s;
    PSB_TRY(open_diagonals(a, &s));
    return X(list_rows)(&(struct X(listing)){ &s, hdia_row_length, hdia_list_row }, hdia_places(&s, lo, hi),
                        lo, hi, ptr, b);
}

static psb_err hdia_zero_vals(struct X(mat) *a)
{
    struct X(diagonals) s;
    PSB_TRY(open_to_change(a, &s));
    for (psb_epk d = 0; d < s.g.off[s.g.n]; d++)
        count_zeros(&s, d, (psb_ipk)entries_of(&s, d));
    memset(s.val, 0, ((struct X(hdia_mat) *)a)->val.bytes);
    return PSB_OK;
}

static psb_epk hdia_place(void *of, psb_ipk i, psb_ipk j)
{
    const struct X(diagonals) *s = of;
    psb_epk h = i / s->g.rows, at = i % s->g.rows, d = s->g.off[h], end = s->g.off[h + 1];
    d += psb_first_from(s->dist + d, 1, end - d, j - i);
    return d < end && s->dist[d] == j - i && X(has_entry)(s, d, at) ? d * s->g.rows + at : -1;
}

static psb_err hdia_put(void *a, psb_epk nz, const psb_epk *pos, const T *v, enum psb_dupl dupl)
{
    struct X(diagonals) s;
    PSB_TRY(open_to_change(a, &s));
    for (psb_epk k = 0; k < nz; k++) {
        const psb_epk d = pos[k] / s.g.rows;
        const int before = s.val[pos[k]] == 0;
        X(put_value)(s.val + pos[k], v[k], dupl);
        count_zeros(&s, d, s.zeros[d] - before + (s.val[pos[k]] == 0));
    }
    return PSB_OK;
}

static psb_err hdia_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                          enum psb_dupl dupl)
{
    struct X(diagonals) s;
    PSB_TRY(open_diagonals(a, &s));
    return X(put_entries)(hdia_place, &s, hdia_put, a, nz, ia, ja, val, dupl);
}

/* --- products ----------------------------------------------------------------------------------------- */

static psb_err hdia_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(diagonals) s;
    PSB_TRY(open_diagonals(a, &s));
    return X(diagonals_csmm)(&s, k, alpha, x, beta, y, trans);
}

static const struct X(mat_ops) hdia_ops = {
    .super = &X(root_mold),
    .fmt = "HDIA",
    .size = sizeof(struct X(hdia_mat)),
    .storage = { .arrays = hdia_arrays, .build = hdia_build, .weigh = hdia_weigh },
    .entries = { .walk = hdia_walk,
                 .rows = hdia_rows,
                 .get_diag = hdia_get_diag,
                 .zero_vals = hdia_zero_vals,
                 .csput = hdia_csput },
    .products.csmm = hdia_csmm,
};

const struct X(hdia_mat) X(hdia_mold) = { .mat.ops = &hdia_ops, .hack = 64, .limit = 8 };
