/* mat_parts.c -- base/mat: transpose, triangles, blocks, rows. */
#include "psb_format.h"
#include "psb_handle.h"
#include "psb_team.h"
#include "mat_inside.h"
#include "pattern_term.h"
#include <stdatomic.h>
#include "psb_type.h"

/* --- transpose -------------------------------------------------------------------------------------- */

/* *t = the entries of a transposed, conjugated if `conjugate` is set, in order. */
static psb_err transposed_entries(const struct X(mat) *a, bool conjugate, struct X(coo_mat) **t)
{
    struct X(coo_mat) *s;
    PSB_TRY(X(mat_as_coo)(a, &s));
    psb_err e = X(coo_transposed)(s, t);
    X(mat_free)(&s->mat);
    PSB_TRY(e);
    for (psb_epk k = 0; conjugate && k < (*t)->mat.nnz; k++)
        (*t)->val[k] = CONJ((*t)->val[k]);
    return PSB_OK;
}

/* *b = t converted to the format of mold; t is consumed. */
static psb_err in_format_of(const struct X(mat) *mold, struct X(coo_mat) *t, struct X(mat) **b)
{
    struct X(mat) *new = &t->mat;
    psb_err e = X(mat_cscnv)(&new, mold);
    new->is = (struct psb_mat_flags){ .state = PSB_MAT_ASB };
    return X(mat_made)(e, new, b);
}

static struct psb_mat_flags flags_transposed(const struct X(mat) *a)
{
    struct psb_mat_flags is = a->is;
    is.upper = !is.upper;
    return is;
}

/* *b = a transposed, in the format of mold, without flags: by the device of a, or by the host. */
static psb_err make_transpose(const struct X(mat) *a, bool conjugate, const struct X(mat) *mold,
                              struct X(mat) **b)
{
    struct X(coo_mat) *t;
    PSB_ON_DEVICE(e, a, transp, X(mat_mutable)(a), conjugate, mold, b);
    PSB_TRY(transposed_entries(a, conjugate, &t));
    return in_format_of(mold, t, b);
}

static psb_err transposed(const struct X(mat) *a, bool conjugate, struct X(mat) **b)
{
    struct X(mat) *new;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(make_transpose(a, conjugate, a, &new));
    new->is = flags_transposed(a);
    new->is.state = PSB_MAT_ASB;
    *b = new;
    return PSB_OK;
}

static psb_err transpose_here(struct X(mat) *a, bool conjugate)
{
    struct X(mat) *new;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(make_transpose(a, conjugate, a, &new));
    X(mat_become)(a, new);
    a->is = flags_transposed(a);
    return PSB_OK;
}

psb_err X(mat_transp)(const struct X(mat) *a, struct X(mat) **b)
{
    return PSB_PASS(transposed(a, 0, b));
}

psb_err X(mat_transc)(const struct X(mat) *a, struct X(mat) **b)
{
    return PSB_PASS(transposed(a, 1, b));
}

/* Number of times the arrays of the matrix were opened for writing. */
static unsigned long changes_of(const struct X(mat) *a)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    unsigned long sum = 0;
    for (int i = X(mat_arrays)(a, list) - 1; i >= 0; i--)
        sum += list[i]->changes;
    return sum;
}

/* The same, without those that cannot have changed the pattern. */
static unsigned long pattern_changes_of(struct X(mat) *a)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(a);
    return changes_of(a) - (dev->values ? dev->values(a)->changes : 0);
}

/* *n = the same for a format that counts all changes of its pattern; else false. */
static bool counts_pattern_changes(struct X(mat) *a, unsigned long *n)
{
    const struct X(csr_mat) *rows = (const struct X(csr_mat) *)a;
    const bool csr = X(mat_is_csr)(a);
    if (csr)
        *n = rows->irp.changes + rows->ja.changes;
    else if (X(mat_dev)(a)->values)
        *n = pattern_changes_of(a);
    return (csr || X(mat_dev)(a)->values) && !X(mat_has_ones)(a);
}

struct summing {
    struct X(compressed) l;
    _Atomic uint64_t sum;
};

static void sum_pattern_part(void *job, int t, int p)
{
    struct summing *q = job;
    uint64_t sum = 0;
    psb_ipk i, to;
    X(compressed_share)(&q->l, t, p, &i, &to);
    for (; i < to; i++)
        for (psb_epk k = q->l.ptr[i]; k < q->l.ptr[i + 1]; k++)
            sum += psb_pattern_term(i, q->l.idx[k]);
    atomic_fetch_add(&q->sum, sum);
}

/* By the device of a, or by the host. */
static psb_err sum_pattern(struct X(mat) *a, uint64_t *sum)
{
    struct summing q = { .sum = 0 };
    struct X(mat) *made;
    PSB_ON_DEVICE(e, a, pattern_sum, a, sum);
    PSB_TRY(X(mat_full_rows)(a, &q.l, &made));
    psb_team(psb_threads(q.l.ptr[q.l.n]), sum_pattern_part, &q);
    X(mat_free)(made);
    *sum = q.sum;
    return PSB_OK;
}

psb_err X(mat_pattern_sum)(const struct X(mat) *of, uint64_t *sum)
{
    struct X(mat) *a = X(mat_mutable)(of);
    unsigned long at = 0;
    const bool counts = counts_pattern_changes(a, &at);
    if (!counts || !a->has_pattern_sum || a->pattern_sum_at != at) {
        a->has_pattern_sum = false;
        PSB_TRY(sum_pattern(a, &a->pattern_sum));
        a->has_pattern_sum = counts;
        a->pattern_sum_at = at;
    }
    *sum = a->pattern_sum;
    return PSB_OK;
}

void X(mat_same_pattern)(const struct X(mat) *a, struct X(mat) *b)
{
    unsigned long at;
    if (!a->has_pattern_sum || !counts_pattern_changes(X(mat_mutable)(a), &at) || a->pattern_sum_at != at)
        return;
    b->has_pattern_sum = counts_pattern_changes(b, &b->pattern_sum_at);
    b->pattern_sum = a->pattern_sum;
}

/* Make *kept the matrix `new`: its values only, so that plans of *kept stay, if *kept is CSR with the same
 * pattern. */
static void renew(struct X(mat) **kept, int same_pattern, struct X(mat) *new)
{
    if (!*kept || !same_pattern || (*kept)->ops != new->ops || !X(mat_is_csr)(new)) {
        X(mat_free)(*kept);
        *kept = new;
        return;
    }
    struct psb_dual *val = &((struct X(csr_mat) *)*kept)->val, *from = &((struct X(csr_mat) *)new)->val;
    const unsigned long changes = val->changes + 1;
    psb_dual_free(val);
    *val = *from;
    val->changes = changes;
    *from = (struct psb_dual){ 0 };
    X(mat_free)(new);
}

psb_err X(mat_transposed)(struct X(mat) *a, char op, struct X(mat) **b)
{
    const struct X(mat) *const mold = X(mat_dev)(a)->transposed;
    struct X(mat) *new;
    op = CPLX ? op : 'T';
    if (!a->transposed || a->transposed_op != op || a->transposed_at != changes_of(a)) {
        PSB_TRY(make_transpose(a, op == 'C', mold ? mold : a, &new));
        renew(&a->transposed, a->transposed_pattern_at == pattern_changes_of(a), new);
        a->transposed_op = op;
        a->transposed_at = changes_of(a);
        a->transposed_pattern_at = pattern_changes_of(a);
    }
    a->transposed->is = flags_transposed(a);
    *b = a->transposed;
    return PSB_OK;
}

psb_err X(mat_kept_rows)(struct X(mat) *a, struct X(mat) **b)
{
    const struct X(mat) *solver = a->on ? X(mat_dev)(a)->solver : NULL;
    struct X(mat) *new;
    if (!a->rows || a->rows_at != changes_of(a)) {
        PSB_TRY(X(mat_convert)(a, solver ? solver : &X(csr_mold).mat, &new));
        renew(&a->rows, a->rows_pattern_at == pattern_changes_of(a), new);
        a->rows_at = changes_of(a);
        a->rows_pattern_at = pattern_changes_of(a);
    }
    a->rows->is = a->is;
    *b = a->rows;
    return PSB_OK;
}

psb_err X(mat_transp_ip)(struct X(mat) *a)
{
    return PSB_PASS(transpose_here(a, 0));
}

psb_err X(mat_transc_ip)(struct X(mat) *a)
{
    return PSB_PASS(transpose_here(a, 1));
}

/* --- blocks ----------------------------------------------------------------------------------------- */

static const long far = 1L << 40; /* farther from the diagonal than any entry */

static psb_err check_block(const struct X(mat) *a, const struct psb_block *block, struct psb_block *b)
{
    PSB_NEED_HANDLE(a, "a matrix");
    *b = block ? *block : (struct psb_block){ 0, a->nrows, 0, a->ncols };
    PSB_CHECK(b->imin >= 0 && b->imin <= b->imax && b->imax <= a->nrows, PSB_EARG,
              "argument block has rows %d to %d; expected 0 <= imin <= imax <= %d", b->imin, b->imax,
              a->nrows);
    PSB_CHECK(b->jmin >= 0 && b->jmin <= b->jmax && b->jmax <= a->ncols, PSB_EARG,
              "argument block has columns %d to %d; expected 0 <= jmin <= jmax <= %d", b->jmin, b->jmax,
              a->ncols);
    return PSB_OK;
}

/* *t = the part c of a, ordered. */
static psb_err cut_out(const struct X(mat) *a, const struct psb_cut *c, struct X(coo_mat) **t)
{
    PSB_TRY(X(mat_entries)(a, c->block.imin, c->block.imax, t));
    struct X(coo_mat) *b = *t;
    psb_ipk di = c->shift ? c->block.imin : 0, dj = c->shift ? c->block.jmin : 0;
    psb_epk n = 0;
    for (psb_epk k = 0; k < b->mat.nnz; k++)
        if (psb_cut_has(c, b->ia[k], b->ja[k])) {
            b->ia[n] = b->ia[k] - di;
            b->ja[n] = b->ja[k] - dj;
            b->val[n++] = b->val[k];
        }
    b->mat.nnz = n;
    if (c->shift) {
        b->mat.nrows = c->block.imax - di;
        b->mat.ncols = c->block.jmax - dj;
    }
    return PSB_OK;
}

static int is_square(const struct psb_block *b)
{
    return b->imin == b->jmin && b->imax == b->jmax;
}

psb_err X(mat_cut)(const struct X(mat) *a, const struct psb_cut *c, struct X(mat) **b)
{
    struct X(coo_mat) *t;
    PSB_ON_DEVICE(e, a, cut, X(mat_mutable)(a), c, a, b);
    if (X(mat_is_csr)(a))
        return PSB_PASS(X(mat_cut_rows)(a, c, b));
    PSB_TRY(cut_out(a, c, &t));
    return PSB_PASS(in_format_of(a, t, b));
}

/* The part as a matrix in the format of a; triangle and upper: its flags. */
static psb_err part(const struct X(mat) *a, const struct psb_cut *c, int triangle, int upper,
                    struct X(mat) **b)
{
    struct X(mat) *new;
    int square = is_square(&c->block);
    PSB_TRY(X(mat_cut)(a, c, &new));
    new->is = (struct psb_mat_flags){ .state = PSB_MAT_ASB,
                                      .triangle = triangle && square,
                                      .upper = upper && square,
                                      .symmetric = !triangle && square && a->is.symmetric };
    *b = new;
    return PSB_OK;
}

psb_err X(mat_csclip)(const struct X(mat) *a, const struct psb_block *block, int shift, struct X(mat) **b)
{
    struct psb_cut c = { .low = -far, .high = far, .shift = shift };
    PSB_TRY(check_block(a, block, &c.block));
    PSB_NEED(b, "where to store the matrix");
    return PSB_PASS(part(a, &c, a->is.triangle, a->is.upper, b));
}

psb_err X(mat_clip_diag)(const struct X(mat) *a, struct X(mat) **b)
{
    struct psb_cut c = { .low = -far, .high = far, .no_diagonal = 1 };
    PSB_TRY(check_block(a, NULL, &c.block));
    PSB_NEED(b, "where to store the matrix");
    return PSB_PASS(part(a, &c, a->is.triangle, a->is.upper, b));
}

/* *l = the entries at most k above the diagonal, *u (or NULL) the rest. */
static psb_err halves(const struct X(mat) *a, long k, const struct psb_block *block, struct X(mat) **l,
                      struct X(mat) **u)
{
    struct X(mat) *low = NULL, *high = NULL;
    struct psb_cut c = { .low = -far, .high = k, .shift = 1 };
    PSB_TRY(check_block(a, block, &c.block));
    psb_err e = l ? part(a, &c, k <= 0, 0, &low) : PSB_OK;
    c.low = k + 1;
    c.high = far;
    if (e == PSB_OK && u)
        e = part(a, &c, k >= -1, 1, &high);
    if (e != PSB_OK) {
        X(mat_free)(low);
        return e;
    }
    if (l)
        *l = low;
    if (u)
        *u = high;
    return PSB_OK;
}

psb_err X(mat_tril)(const struct X(mat) *a, psb_ipk k, const struct psb_block *block, struct X(mat) **l,
                    struct X(mat) **u)
{
    PSB_NEED(l, "where to store the matrix");
    return PSB_PASS(halves(a, k, block, l, u));
}

psb_err X(mat_triu)(const struct X(mat) *a, psb_ipk k, const struct psb_block *block, struct X(mat) **u,
                    struct X(mat) **l)
{
    PSB_NEED(u, "where to store the matrix");
    return PSB_PASS(halves(a, (long)k - 1, block, l, u));
}

/* --- rows ------------------------------------------------------------------------------------------- */

psb_err X(mat_csget)(const struct X(mat) *a, const struct psb_block *block, psb_epk cap, psb_ipk *ia,
                     psb_ipk *ja, T *val, psb_epk *nz)
{
    struct X(coo_mat) *t;
    struct psb_cut c = { .low = -far, .high = far };
    PSB_TRY(check_block(a, block, &c.block));
    PSB_CHECK(cap >= 0, PSB_EARG, "argument cap is %" PRId64 "; expected >= 0", cap);
    PSB_NEED(nz, "where to store the number of entries");
    PSB_TRY(cut_out(a, &c, &t));
    psb_epk n = t->mat.nnz;
    psb_err e = PSB_OK;
    if ((ia || ja || val) && n > cap)
        e = PSB_FAIL(PSB_EARG, "argument cap is %" PRId64 "; expected at least %" PRId64, cap, n);
    if (e == PSB_OK && ia)
        X(compressed_copy)(ia, t->ia, (size_t)n, sizeof *ia);
    if (e == PSB_OK && ja)
        X(compressed_copy)(ja, t->ja, (size_t)n, sizeof *ja);
    if (e == PSB_OK && val)
        X(compressed_copy)(val, t->val, (size_t)n, sizeof *val);
    if (e == PSB_OK)
        *nz = n;
    X(mat_free)(&t->mat);
    return PSB_PASS(e);
}

psb_err X(mat_get_ptr)(const struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(lo >= 0 && lo <= hi && hi <= a->nrows, PSB_EARG,
              "arguments lo and hi are %d and %d; expected 0 <= lo <= hi <= %d", lo, hi, a->nrows);
    PSB_NEED(ptr, "hi - lo + 1 elements");
    PSB_WITH_SLOT(k, a, entries.rows);
    return PSB_PASS(k->entries.rows(X(mat_mutable)(a), lo, hi, ptr, NULL));
}

psb_err X(mat_get_nz_row)(const struct X(mat) *a, psb_ipk i, psb_epk *nz)
{
    psb_epk ptr[2];
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(i >= 0 && i < a->nrows, PSB_EARG, "argument i is %d; expected 0 <= i < %d", i, a->nrows);
    PSB_NEED(nz, "where to store the number of entries");
    PSB_TRY(X(mat_get_ptr)(a, i, i + 1, ptr));
    *nz = ptr[1];
    return PSB_OK;
}

/* --- neighbours ------------------------------------------------------------------------------------- */

/* The columns found, n of them, each once, in the order in which they were found. */
struct reach {
    const struct X(compressed) *l;
    psb_ipk n;
    psb_ipk *list;
    unsigned char *found;
    int ones; /* unit triangle: every row has an implied entry on the diagonal */
};

static void add_column(struct reach *r, psb_ipk j)
{
    if (!r->found[j])
        r->list[r->n++] = j;
    r->found[j] = 1;
}

static void step_from(struct reach *r, psb_ipk i)
{
    if (i >= r->l->n)
        return;
    for (psb_epk k = r->l->ptr[i]; k < r->l->ptr[i + 1]; k++)
        add_column(r, r->l->idx[k]);
    if (r->ones && i < r->l->m)
        add_column(r, i);
}

/* Sort the columns found in ascending order. */
static void sort_reach(struct reach *r)
{
    psb_ipk n = 0;
    for (psb_ipk j = 0; j < r->l->m; j++)
        if (r->found[j])
            r->list[n++] = j;
}

static void search_level(struct reach *r, psb_ipk i, int lev)
{
    psb_ipk from = 0;
    step_from(r, i);
    for (psb_ipk end = r->n; lev > 1 && from < end; lev--, end = r->n)
        for (; from < end; from++)
            step_from(r, r->list[from]);
    sort_reach(r);
}

psb_err X(mat_get_neigh)(const struct X(mat) *a, psb_ipk i, int lev, psb_ipk **idx, psb_ipk *n)
{
    struct X(mat) *made;
    struct X(compressed) l;
    struct reach r = { .l = &l };
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(i >= 0 && i < a->nrows, PSB_EARG, "argument i is %d; expected 0 <= i < %d", i, a->nrows);
    PSB_CHECK(lev >= 1, PSB_EARG, "argument lev is %d; expected >= 1", lev);
    PSB_NEED(idx, "where to store the indices");
    PSB_NEED(n, "where to store their number");
    PSB_TRY(X(csr_view)(a, &l, &made));
    r.ones = X(mat_has_ones)(a);
    psb_err e = psb_alloc(&r.list, (size_t)l.m, sizeof *r.list, "neighbours");
    if (e == PSB_OK)
        e = psb_alloc_zero(&r.found, (size_t)l.m, sizeof *r.found, "neighbours");
    if (e == PSB_OK) {
        search_level(&r, i, lev);
        *idx = r.list;
        *n = r.n;
    } else {
        psb_free(r.list);
    }
    psb_free(r.found);
    X(mat_free)(made);
    return PSB_PASS(e);
}
