/* mat_select.c -- base/mat: rows and columns by lists, which permute; the Kronecker product with a block. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_type.h"

/* *b = c, in CSR, in the format of a; c is consumed. */
static psb_err in_format_like(const struct X(mat) *a, struct X(mat) *c, psb_err e, struct X(mat) **b)
{
    PSB_THEN(e, X(mat_in_format)(&c, a));
    return X(mat_made)(e, c, b);
}

/* --- lists ---------------------------------------------------------------------------------------------- */

/* Row i of c is row rows[i] of a, column j of a column place[j] of c, or, if place[j] is -1, not in c. */
struct selecting {
    const struct X(compressed) *a;
    const psb_ipk *rows;
    psb_ipk *place;
    struct X(compressed) c;
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

static psb_err place_columns(struct selecting *q, psb_ipk n, const psb_ipk *cols)
{
    PSB_TRY(psb_alloc(&q->place, (size_t)q->a->m, sizeof *q->place, "places of columns"));
    for (psb_ipk j = 0; j < q->a->m; j++)
        q->place[j] = cols ? -1 : j;
    for (psb_ipk k = 0; cols && k < n; k++) {
        PSB_CHECK(q->place[cols[k]] < 0, PSB_EARG, "cols[%d] and cols[%d] are %d; expected different columns",
                  q->place[cols[k]], k, cols[k]);
        q->place[cols[k]] = k;
    }
    return PSB_OK;
}

static psb_ipk selected_row(const struct selecting *q, psb_ipk i)
{
    return q->rows ? q->rows[i] : i;
}

/* Copy row i if c has arrays; returns its number of entries. */
static psb_epk select_row(const struct selecting *q, psb_ipk i)
{
    const psb_ipk r = selected_row(q, i);
    psb_epk n = 0;
    for (psb_epk k = q->a->ptr[r]; k < q->a->ptr[r + 1]; k++) {
        const psb_ipk j = q->place[q->a->idx[k]];
        if (j >= 0 && q->c.idx) {
            q->c.idx[q->c.ptr[i] + n] = j;
            q->c.val[q->c.ptr[i] + n] = q->a->val[k];
        }
        n += j >= 0;
    }
    return n;
}

static void select_part(void *job, int t, int p)
{
    const struct selecting *q = job;
    psb_epk i, to;
    psb_thread_range(q->c.n, t, p, &i, &to);
    for (; i < to; i++)
        select_row(q, (psb_ipk)i);
}

static psb_err select_entries(struct selecting *q, psb_ipk m, psb_ipk n, struct X(mat) **c)
{
    psb_epk nz = 0;
    q->c.n = m;
    for (psb_ipk i = 0; i < m; i++)
        nz += select_row(q, i);
    PSB_TRY(X(csr_make)(m, n, nz, c, &q->c));
    psb_ipk *const idx = q->c.idx;
    q->c.idx = NULL; /* count */
    q->c.ptr[0] = 0;
    for (psb_ipk i = 0; i < m; i++)
        q->c.ptr[i + 1] = q->c.ptr[i] + select_row(q, i);
    q->c.idx = idx;
    psb_team(psb_threads(nz), select_part, q);
    return X(compressed_order)(&q->c);
}

psb_err X(mat_csclip_list)(const struct X(mat) *a, psb_ipk m, const psb_ipk *rows, psb_ipk n,
                           const psb_ipk *cols, struct X(mat) **b)
{
    struct X(compressed) l;
    struct X(mat) *made, *c = NULL;
    struct selecting q = { .a = &l, .rows = rows };
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(check_list(m, rows, a->nrows, "rows", "m"));
    PSB_TRY(check_list(n, cols, a->ncols, "cols", "n"));
    PSB_TRY(X(mat_full_rows)(a, &l, &made));
    psb_err e = place_columns(&q, n, cols);
    PSB_THEN(e, select_entries(&q, m, n, &c));
    psb_free(q.place);
    X(mat_free)(made);
    return PSB_PASS(in_format_like(a, c, e, b));
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
