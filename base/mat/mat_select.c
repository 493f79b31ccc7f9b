/* mat_select.c -- base/mat: rows and columns by lists, which permute; the Kronecker product with a block. */
#include "psb_format.h"
#include "psb_handle.h"
#include "psb_team.h"
#include "psb_testing.h"
#include "mat_inside.h"
#include "psb_type.h"

/* *b = c, in CSR, in the format of a; c is consumed. */
static psb_err in_format_like(const struct X(mat) *a, struct X(mat) *c, psb_err e, struct X(mat) **b)
{
    PSB_THEN(e, X(mat_in_format)(&c, a));
    return X(mat_made)(e, c, b);
}

/* --- lists ---------------------------------------------------------------------------------------------- */

/* Row i of c is row rows[i] of a, column j of a column place[j] of c, or, if place[j] is -1, not in c; rows
 * or place NULL: as they are.  Or, if cut is not NULL, c is this part of a. */
struct selecting {
    struct X(compressed) a, c;
    const psb_ipk *rows, *place;
    const struct psb_cut *cut;
    psb_ipk di, dj;
};

static psb_err check_list(psb_ipk n, const psb_ipk *list, psb_ipk most, const char *what, const char *length)
{
    PSB_CHECK(list || n == most, PSB_EARG, "argument %s is %d without a list of %s; expected %d", length, n,
              what, most);
    PSB_CHECK(n >= 0, PSB_EARG, "argument %s is %d; expected >= 0", length, n);
    for (psb_ipk i = 0; list && i < n; i++)
        PSB_CHECK(list[i] >= 0 && list[i] < most, PSB_EARG, "%s[%d] is %d; expected 0 <= index < %d", what, i,
                  list[i], most);
    return PSB_OK;
}

static psb_err place_columns(psb_ipk m, psb_ipk n, const psb_ipk *cols, psb_ipk *place)
{
    for (psb_ipk j = 0; j < m; j++)
        place[j] = -1;
    for (psb_ipk k = 0; k < n; k++) {
        PSB_CHECK(place[cols[k]] < 0, PSB_EARG, "cols[%d] and cols[%d] are %d; expected different columns",
                  place[cols[k]], k, cols[k]);
        place[cols[k]] = k;
    }
    return PSB_OK;
}

/* The column in c of an entry of a; -1: c has none. */
static inline psb_ipk selected_column(const struct selecting *q, psb_ipk r, psb_ipk j)
{
    if (q->cut)
        return psb_cut_has(q->cut, r, j) ? j - q->dj : -1;
    return q->place ? q->place[j] : j;
}

/* Copy row i, if `fill` is set; returns its number of entries. */
static psb_epk select_row(const struct selecting *q, psb_ipk i, bool fill)
{
    const psb_ipk r = q->rows ? q->rows[i] : i + q->di;
    psb_epk n = 0;
    if (q->cut && (r < q->cut->block.imin || r >= q->cut->block.imax))
        return 0;
    for (psb_epk k = q->a.ptr[r]; k < q->a.ptr[r + 1]; k++) {
        const psb_ipk j = selected_column(q, r, q->a.idx[k]);
        if (j >= 0 && fill) {
            q->c.idx[q->c.ptr[i] + n] = j;
            q->c.val[q->c.ptr[i] + n] = q->a.val[k];
        }
        n += j >= 0;
    }
    return n;
}

static void count_selected_part(void *job, int t, int p)
{
    const struct selecting *q = job;
    psb_epk i, to;
    psb_thread_range(q->c.n, t, p, &i, &to);
    for (; i < to; i++)
        q->c.ptr[i + 1] = select_row(q, (psb_ipk)i, false);
}

static void select_part(void *job, int t, int p)
{
    const struct selecting *q = job;
    psb_epk i, to;
    psb_thread_range(q->c.n, t, p, &i, &to);
    for (; i < to; i++)
        (void)select_row(q, (psb_ipk)i, true);
}

static psb_err select_entries(struct selecting *q, psb_ipk m, psb_ipk n, struct X(mat) **c)
{
    const psb_epk most = q->a.ptr[q->a.n];
    psb_epk *ptr;
    PSB_TRY(psb_alloc(&ptr, (size_t)m + 1, sizeof *ptr, "row pointers"));
    q->c = (struct X(compressed)){ .n = m, .ptr = ptr };
    psb_team(psb_threads(most), count_selected_part, q);
    ptr[0] = 0;
    for (psb_ipk i = 0; i < m; i++)
        ptr[i + 1] += ptr[i];
    psb_err e = X(csr_make)(m, n, ptr[m], c, &q->c);
    if (e == PSB_OK)
        X(compressed_copy)(q->c.ptr, ptr, (size_t)m + 1, sizeof *ptr);
    psb_free(ptr);
    PSB_TRY(e);
    psb_team(psb_threads(most), select_part, q);
    return q->place ? X(compressed_order)(&q->c) : PSB_OK;
}

psb_err X(mat_select)(const struct X(mat) *a, psb_ipk m, const struct psb_dual *rows, psb_ipk n,
                      const struct psb_dual *place, struct X(mat) **b)
{
    struct selecting q = { .rows = NULL };
    struct X(mat) *made, *c = NULL;
    PSB_ON_DEVICE(done, a, select, X(mat_mutable)(a), m, rows, n, place, a, b);
    PSB_TRY(X(mat_full_rows)(a, &q.a, &made));
    psb_err e = rows ? psb_dual_read(rows, PSB_HOST, &q.rows) : PSB_OK;
    if (place)
        PSB_THEN(e, psb_dual_read(place, PSB_HOST, &q.place));
    PSB_THEN(e, select_entries(&q, m, n, &c));
    X(mat_free)(made);
    return PSB_PASS(in_format_like(a, c, e, b));
}

psb_err X(mat_cut_rows)(const struct X(mat) *a, const struct psb_cut *c, struct X(mat) **b)
{
    const struct psb_block *k = &c->block;
    struct selecting q = { .cut = c, .di = c->shift ? k->imin : 0, .dj = c->shift ? k->jmin : 0 };
    struct X(mat) *made, *new = NULL;
    PSB_TRY(X(mat_full_rows)(a, &q.a, &made));
    psb_err e = select_entries(&q, c->shift ? k->imax - q.di : a->nrows, c->shift ? k->jmax - q.dj : a->ncols,
                               &new);
    X(mat_free)(made);
    return PSB_PASS(in_format_like(a, new, e, b));
}

psb_err X(mat_csclip_list)(const struct X(mat) *a, psb_ipk m, const psb_ipk *rows, psb_ipk n,
                           const psb_ipk *cols, struct X(mat) **b)
{
    struct psb_dual list, place = { 0 };
    psb_ipk *to = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(check_list(m, rows, a->nrows, "rows", "m"));
    PSB_TRY(check_list(n, cols, a->ncols, "cols", "n"));
    PSB_TRY(psb_dual_lend(&list, (size_t)m, sizeof *rows, a->on, "rows", PSB_HOST, rows));
    psb_err e = psb_dual_init(&place, (size_t)a->ncols, sizeof *to, a->on, "places of columns");
    if (cols) {
        PSB_THEN(e, psb_dual_write(&place, PSB_HOST, &to));
        PSB_THEN(e, place_columns(a->ncols, n, cols, to));
    }
    PSB_THEN(e, X(mat_select)(a, m, rows ? &list : NULL, n, cols ? &place : NULL, b));
    psb_dual_free(&list);
    psb_dual_free(&place);
    return PSB_PASS(e);
}

/* --- Kronecker product ---------------------------------------------------------------------------------- */

struct kronecker {
    const struct X(compressed) *a;
    psb_ipk k, l;
    const T *block;
    struct X(compressed) c;
};

/* Row i of a becomes k rows of c. */
static void kronecker_part(void *job, int t, int p)
{
    const struct kronecker *q = job;
    const struct X(compressed) *a = q->a;
    psb_ipk i, to;
    X(compressed_share)(a, t, p, &i, &to);
    for (; i < to; i++)
        for (psb_ipk r = 0; r < q->k; r++) {
            const psb_epk len = (a->ptr[i + 1] - a->ptr[i]) * q->l;
            psb_epk at = a->ptr[i] * q->k * q->l + r * len;
            q->c.ptr[i * q->k + r] = at;
            for (psb_epk e = a->ptr[i]; e < a->ptr[i + 1]; e++)
                for (psb_ipk s = 0; s < q->l; s++, at++) {
                    q->c.idx[at] = a->idx[e] * q->l + s;
                    q->c.val[at] = a->val[e] * q->block[(psb_epk)r * q->l + s];
                }
        }
}

psb_err X(mat_kron)(const struct X(mat) *a, psb_ipk k, psb_ipk l, const T *block, struct X(mat) **b)
{
    struct X(compressed) rows;
    struct X(mat) *made, *c = NULL;
    struct kronecker q = { .a = &rows, .k = k, .l = l, .block = block };
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(b, "where to store the matrix");
    PSB_NEED(block, "k * l elements");
    PSB_CHECK(k > 0 && l > 0, PSB_EARG, "arguments k and l are %d and %d; expected > 0", k, l);
    PSB_CHECK((psb_lpk)a->nrows * k <= INT32_MAX && (psb_lpk)a->ncols * l <= INT32_MAX, PSB_EARG,
              "the product is %" PRId64 " x %" PRId64 "; expected less than 2^31 rows and columns",
              (psb_lpk)a->nrows * k, (psb_lpk)a->ncols * l);
    PSB_ON_DEVICE(done, a, kron, X(mat_mutable)(a), k, l, block, a, b);
    PSB_TRY(X(mat_full_rows)(a, &rows, &made));
    const psb_epk nz = rows.ptr[rows.n];
    psb_err e = X(csr_make)(a->nrows * k, a->ncols * l, nz * k * l, &c, &q.c);
    if (e == PSB_OK) {
        psb_team(psb_threads(nz * k * l), kronecker_part, &q);
        q.c.ptr[q.c.n] = nz * k * l;
        e = X(compressed_order)(&q.c); /* a may have a column twice in a row */
    }
    X(mat_free)(made);
    return PSB_PASS(in_format_like(a, c, e, b));
}
