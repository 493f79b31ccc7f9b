/* hll.c -- ext: hacked ELLPACK. */
#include "psb_ext_format.h"
#include "psb_team.h"
#include <string.h>
#include "psb_type.h"

/* Bytes for which the limit is not checked; rows filled at once. */
enum { HLL_SMALL = 1 << 20, HLL_FILLED = 32 };

/* Do the entries fill all places but those of rows beyond the last one? */
static bool is_full(const struct psb_hacks *g, psb_epk nnz)
{
    const psb_epk beyond = g->n * g->rows - g->m;
    return g->n > 0 && nnz == g->off[g->n] - beyond * ((g->off[g->n] - g->off[g->n - 1]) / g->rows);
}

psb_err X(hll_open)(struct X(mat) *a_, struct X(hll_arrays) *s)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    s->g = (struct psb_hacks){ .m = a_->nrows, .n = a->nhacks, .rows = a->rows };
    PSB_TRY(psb_dual_read(&a->off, PSB_HOST, &s->g.off));
    PSB_TRY(psb_dual_read(&a->irn, PSB_HOST, &s->irn));
    PSB_TRY(psb_dual_read(&a->ja, PSB_HOST, &s->ja));
    PSB_TRY(psb_dual_read(&a->val, PSB_HOST, &s->val));
    s->full = is_full(&s->g, a_->nnz);
    s->row = s->rank = NULL;
    if (a->row.bytes == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&a->row, PSB_HOST, &s->row));
    return psb_dual_read(&a->rank, PSB_HOST, &s->rank);
}

static int hll_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    list[0] = &a->off;
    list[1] = &a->irn;
    list[2] = &a->ja;
    list[3] = &a->val;
    if (a->sort <= 1)
        return 4;
    list[4] = &a->row;
    list[5] = &a->rank;
    return 6;
}

/* --- build ------------------------------------------------------------------------------------------ */

struct making_hacks {
    const struct X(hll_arrays) *s;
    const struct X(compressed) *b;
    psb_epk window;
};

static psb_epk length_of_row(const struct X(compressed) *b, psb_epk i)
{
    return b->ptr[i + 1] - b->ptr[i];
}

/* Sort rows i .. end-1 by decreasing length, stably.  Lengths above LONGEST count as equal. */
static void sort_window(const struct making_hacks *q, psb_epk i, psb_epk end)
{
    enum { LONGEST = 1023 };
    psb_epk at[LONGEST + 1], next = i, most = 0;
    for (psb_epk r = i; r < end; r++)
        most = length_of_row(q->b, r) > most ? length_of_row(q->b, r) : most;
    most = most < LONGEST ? most : LONGEST;
    memset(at, 0, (size_t)(most + 1) * sizeof *at);
    for (psb_epk r = i; r < end; r++)
        at[length_of_row(q->b, r) < most ? length_of_row(q->b, r) : most]++;
    for (psb_epk n = most; n >= 0; n--) {
        psb_epk rows = at[n];
        at[n] = next;
        next += rows;
    }
    for (psb_epk r = i; r < end; r++) {
        psb_epk rank = at[length_of_row(q->b, r) < most ? length_of_row(q->b, r) : most]++;
        q->s->row[rank] = (psb_ipk)r;
        q->s->rank[r] = (psb_ipk)rank;
    }
}

static void sort_part(void *job, int t, int p)
{
    const struct making_hacks *q = job;
    psb_epk w, end, m = q->s->g.m;
    psb_thread_range((m + q->window - 1) / q->window, t, p, &w, &end);
    for (; w < end; w++)
        sort_window(q, w * q->window, (w + 1) * q->window < m ? (w + 1) * q->window : m);
}

static void lengths_part(void *job, int t, int p)
{
    const struct making_hacks *q = job;
    psb_epk i, end;
    psb_thread_range(q->s->g.m, t, p, &i, &end);
    for (; i < end; i++) {
        psb_epk n = length_of_row(q->b, X(hll_row)(q->s, (psb_ipk)i));
        q->s->irn[i] = n < INT32_MAX ? (psb_ipk)n : INT32_MAX;
    }
}

/* off[h + 1] = number of elements of hack h. */
static void measure_part(void *job, int t, int p)
{
    const struct making_hacks *q = job;
    const struct psb_hacks *g = &q->s->g;
    psb_epk h, end;
    psb_thread_range(g->n, t, p, &h, &end);
    for (; h < end; h++) {
        psb_epk first = h * g->rows, last = first + g->rows < g->m ? first + g->rows : g->m;
        psb_ipk widest = 0;
        for (psb_epk i = first; i < last; i++)
            widest = q->s->irn[i] > widest ? q->s->irn[i] : widest;
        g->off[h + 1] = widest * g->rows;
    }
}

static void measure_hacks(const struct X(hll_arrays) *s, const struct X(compressed) *b, psb_ipk window)
{
    struct making_hacks q = { s, b, window };
    int p = psb_threads(s->g.m);
    s->g.off[0] = 0;
    if (s->row)
        psb_team(p, sort_part, &q);
    psb_team(p, lengths_part, &q);
    psb_team(p, measure_part, &q);
    for (psb_ipk h = 0; h < s->g.n; h++)
        s->g.off[h + 1] += s->g.off[h];
}

/* Fill rows r .. r+n-1 of one hack of `width`, and the padding after the last row of the matrix. */
static void fill_strip(const struct making_hacks *q, psb_ipk r, psb_ipk n, psb_epk width, psb_epk at)
{
    const struct X(hll_arrays) *s = q->s;
    for (psb_ipk i = 0; i < n; i++) {
        psb_epk k = 0, from = q->b->ptr[X(hll_row)(s, r + (psb_ipk)i)];
        for (; k < s->irn[r + i]; k++) {
            s->ja[at + i + k * s->g.rows] = q->b->idx[from + k];
            s->val[at + i + k * s->g.rows] = q->b->val[from + k];
        }
        for (; k < width; k++) {
            s->ja[at + i + k * s->g.rows] = 0;
            s->val[at + i + k * s->g.rows] = 0;
        }
    }
    for (psb_epk k = 0, over = s->g.n * s->g.rows - s->g.m; k < width && r + n == s->g.m && over > 0; k++) {
        memset(s->ja + at + n + k * s->g.rows, 0, (size_t)over * sizeof *s->ja);
        memset(s->val + at + n + k * s->g.rows, 0, (size_t)over * sizeof *s->val);
    }
}

static void fill_hacks(void *job, int t, int p)
{
    const struct making_hacks *q = job;
    const struct X(hll_arrays) *s = q->s;
    for (psb_ipk r = psb_hacks_first_row(&s->g, t, p), end = psb_hacks_first_row(&s->g, t + 1, p), n; r < end;
         r += n) {
        n = psb_hacks_strip(&s->g, r, end, HLL_FILLED);
        fill_strip(q, r, n, X(hll_width)(s, r / s->g.rows), X(hll_first)(s, r));
    }
}

static void fill_hll(const struct X(hll_arrays) *s, const struct X(compressed) *b)
{
    struct making_hacks q = { s, b, 0 };
    psb_team(psb_threads(s->g.off[s->g.n]), fill_hacks, &q);
}

psb_err X(hll_check)(const struct X(hll_mat) *a, psb_epk size, psb_epk widest)
{
    const struct X(mat) *m = &a->mat;
    const double need = (double)size * (double)(sizeof(psb_ipk) + sizeof(T));
    PSB_CHECK(widest < INT32_MAX, PSB_EPADDING, "%s: a row has %" PRId64 " entries or more; expected fewer",
              m->ops->fmt, widest);
    return X(check_padding)(m, a->limit, need, need <= HLL_SMALL, "rows of up to %" PRId64 " entries",
                            widest);
}

psb_err X(hll_lay_out)(struct X(hll_mat) *a, struct psb_hacks *g)
{
    const psb_ipk m = a->mat.nrows;
    const struct psb_device *on = a->mat.on;
    const size_t sorted = a->sort > 1 ? (size_t)m : 0;
    PSB_CHECK(a->sort >= 0, PSB_EARG, "the mold's sort is %d; expected the rows of a window, or 0", a->sort);
    PSB_TRY(psb_hacks_of(m, a->hack, psb_hack_of_all(m), g));
    a->rows = g->rows;
    a->nhacks = g->n;
    PSB_TRY(psb_dual_init(&a->off, (size_t)g->n + 1, sizeof *g->off, on, "HLL hacks"));
    PSB_TRY(psb_dual_init(&a->irn, (size_t)m, sizeof(psb_ipk), on, "HLL row lengths"));
    PSB_TRY(psb_dual_init(&a->row, sorted, sizeof(psb_ipk), on, "HLL rows"));
    return psb_dual_init(&a->rank, sorted, sizeof(psb_ipk), on, "HLL ranks");
}

psb_err X(hll_register)(struct X(hll_mat) *a, psb_epk size)
{
    PSB_TRY(psb_dual_init(&a->ja, (size_t)size, sizeof(psb_ipk), a->mat.on, "HLL columns"));
    return psb_dual_init(&a->val, (size_t)size, sizeof(T), a->mat.on, "HLL values");
}

/* hll_open for a build: the arrays are written on the host. */
static psb_err lay_out_hacks(struct X(hll_mat) *a, struct X(hll_arrays) *s)
{
    PSB_TRY(X(hll_lay_out)(a, &s->g));
    PSB_TRY(psb_dual_write(&a->off, PSB_HOST, &s->g.off));
    PSB_TRY(psb_dual_write(&a->irn, PSB_HOST, &s->irn));
    s->row = s->rank = NULL;
    if (a->row.bytes == 0)
        return PSB_OK;
    PSB_TRY(psb_dual_write(&a->row, PSB_HOST, &s->row));
    return psb_dual_write(&a->rank, PSB_HOST, &s->rank);
}

/* Set the sizes, measure the hacks, and register all arrays for the rows b. */
static psb_err plan_hacks(struct X(hll_mat) *a, const struct X(compressed) *b, struct X(hll_arrays) *s)
{
    psb_epk widest = 0;
    PSB_TRY(lay_out_hacks(a, s));
    measure_hacks(s, b, a->sort);
    for (psb_ipk h = 0; h < s->g.n; h++)
        widest = X(hll_width)(s, h) > widest ? X(hll_width)(s, h) : widest;
    PSB_TRY(X(hll_check)(a, s->g.off[s->g.n], widest));
    return X(hll_register)(a, s->g.off[s->g.n]);
}

static psb_err hll_build(struct X(mat) *a_, const struct X(compressed) *b)
{
    struct X(hll_mat) *a = (struct X(hll_mat) *)a_;
    struct X(hll_arrays) s;
    PSB_TRY(plan_hacks(a, b, &s));
    PSB_TRY(psb_dual_write(&a->ja, PSB_HOST, &s.ja));
    PSB_TRY(psb_dual_write(&a->val, PSB_HOST, &s.val));
    fill_hll(&s, b);
    return PSB_OK;
}

static psb_err hll_weigh(struct X(mat) *a, const struct X(compressed) *rows, double *bytes)
{
    struct X(hll_arrays) s;
    PSB_TRY(plan_hacks((struct X(hll_mat) *)a, rows, &s));
    *bytes = (double)X(mat_bytes)(a);
    return PSB_OK;
}

/* --- entries ------------------------------------------------------------------------------------------ */

static psb_epk hll_row_length(const void *of, psb_ipk i)
{
    const struct X(hll_arrays) *s = of;
    return s->irn[X(hll_rank)(s, i)];
}

static void hll_list_row(const void *of, psb_ipk i, psb_ipk *ja, T *val)
{
    const struct X(hll_arrays) *s = of;
    const psb_ipk r = X(hll_rank)(s, i);
    psb_epk p = X(hll_first)(s, r);
    for (psb_ipk k = 0; k < s->irn[r]; k++, p += s->g.rows) {
        ja[k] = s->ja[p];
        val[k] = s->val[p];
    }
}

static psb_err hll_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct X(hll_arrays) s;
    PSB_TRY(X(hll_open)(a, &s));
    return X(list_rows)(&(struct X(listing)){ &s, hll_row_length, hll_list_row }, hi - lo, lo, hi, ptr, b);
}

/* Visit column k of hack h in runs of rows that have an entry there. */
static void walk_column(const struct X(hll_arrays) *s, psb_ipk h, psb_epk k, X(visit) *visit, void *job)
{
    enum { RUN = 512 };
    psb_ipk ia[RUN];
    psb_epk first = h * s->g.rows, end = first + s->g.rows < s->g.m ? first + s->g.rows : s->g.m;
    for (psb_epk i = first, n; i < end; i += n + (n == 0)) {
        psb_epk p = s->g.off[h] + i - first + k * s->g.rows;
        for (n = 0; n < RUN && i + n < end && s->irn[i + n] > k; n++)
            ia[n] = X(hll_row)(s, (psb_ipk)(i + n));
        if (n > 0)
            visit(job, n, ia, s->ja + p, s->val + p);
    }
}

static psb_err hll_walk(struct X(mat) *a, bool change, X(visit) *visit, void *job)
{
    struct X(hll_arrays) s;
    PSB_TRY(X(hll_open)(a, &s));
    if (change)
        PSB_TRY(psb_dual_update(&((struct X(hll_mat) *)a)->val, PSB_HOST, &s.val));
    for (psb_ipk h = 0; h < s.g.n; h++)
        for (psb_epk k = 0; k < X(hll_width)(&s, h); k++)
            walk_column(&s, h, k, visit, job);
    return PSB_OK;
}

static psb_err hll_zero_vals(struct X(mat) *a)
{
    return X(zero_values)(&((struct X(hll_mat) *)a)->val);
}

static psb_epk hll_place(void *of, psb_ipk i, psb_ipk j)
{
    const struct X(hll_arrays) *s = of;
    const psb_ipk r = X(hll_rank)(s, i);
    psb_epk first = X(hll_first)(s, r), n = s->irn[r];
    psb_epk k = psb_first_from(s->ja + first, s->g.rows, n, j), p = first + k * s->g.rows;
    return k < n && s->ja[p] == j ? p : -1;
}

static psb_err hll_csput(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                         enum psb_dupl dupl)
{
    struct X(hll_arrays) s;
    PSB_TRY(X(hll_open)(a, &s));
    return X(put_entries)(hll_place, &s, X(put_values), &((struct X(hll_mat) *)a)->val, nz, ia, ja, val,
                          dupl);
}

/* --- products --------------------------------------------------------------------------------------- */

static psb_err hll_csmm(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(hll_arrays) s;
    PSB_TRY(X(hll_open)(a, &s));
    return X(hll_csmm)(&s, a->ncols, k, alpha, x, beta, y, trans);
}

static const struct X(mat_ops) hll_ops = {
    .super = &X(root_mold),
    .fmt = "HLL",
    .size = sizeof(struct X(hll_mat)),
    .storage = { .arrays = hll_arrays, .build = hll_build, .weigh = hll_weigh },
    .entries = { .walk = hll_walk, .rows = hll_rows, .zero_vals = hll_zero_vals, .csput = hll_csput },
    .products.csmm = hll_csmm,
};

const struct X(hll_mat) X(hll_mold) = { .mat.ops = &hll_ops, .hack = 32, .limit = 8 };
