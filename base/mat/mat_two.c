/* mat_two.c -- base/mat: comparison, sum and product of two sparse matrices. */
#include "psb_format.h"
#include "psb_handle.h"
#include "psb_team.h"
#include "mat_inside.h"
#include "psb_type.h"

/* The rows of both matrices; on error nothing needs to be freed. */
static psb_err view_two(const struct X(mat) *a, const struct X(mat) *b, struct X(compressed) *l,
                        struct X(mat) **made)
{
    PSB_TRY(X(mat_full_rows)(a, &l[0], &made[0]));
    psb_err e = X(mat_full_rows)(b, &l[1], &made[1]);
    if (e != PSB_OK)
        X(mat_free)(made[0]);
    return e;
}

static void free_two(struct X(mat) **made)
{
    X(mat_free)(made[0]);
    X(mat_free)(made[1]);
}

static psb_err check_sizes(const struct X(mat) *a, const struct X(mat) *b)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED_HANDLE(b, "a matrix");
    PSB_CHECK(a->nrows == b->nrows && a->ncols == b->ncols, PSB_EARG,
              "argument b is %d x %d; expected %d x %d, as a is", b->nrows, b->ncols, a->nrows, a->ncols);
    return PSB_OK;
}

/* --- comparison ------------------------------------------------------------------------------------- */

/* The sum of the entries with index j from *k on; *k moves past them. */
static T sum_at(const struct X(compressed) *l, psb_epk *k, psb_epk end, psb_ipk j)
{
    T sum = 0;
    for (; *k < end && l->idx[*k] == j; ++*k)
        sum += l->val[*k];
    return sum;
}

/* The column of the first elements of row i that differ by more than tol; -1 if none do. */
static psb_ipk differs_at(const struct X(compressed) *l, psb_ipk i, R tol)
{
    psb_epk k[2] = { l[0].ptr[i], l[1].ptr[i] }, end[2] = { l[0].ptr[i + 1], l[1].ptr[i + 1] };
    while (k[0] < end[0] || k[1] < end[1]) {
        psb_ipk j = k[0] < end[0] ? l[0].idx[k[0]] : INT32_MAX;
        if (k[1] < end[1] && l[1].idx[k[1]] < j)
            j = l[1].idx[k[1]];
        T v = sum_at(&l[0], &k[0], end[0], j), w = sum_at(&l[1], &k[1], end[1], j);
        if (v != w && !(ABS(v - w) <= tol))
            return j;
    }
    return -1;
}

psb_err X(mat_first_difference)(const struct X(mat) *a, const struct X(mat) *b, R tol, psb_ipk at[2])
{
    struct X(compressed) l[2];
    struct X(mat) *made[2];
    PSB_TRY(view_two(a, b, l, made));
    at[1] = -1;
    for (at[0] = 0; at[0] < a->nrows && at[1] < 0; at[0]++)
        at[1] = differs_at(l, at[0], tol);
    at[0] = at[1] < 0 ? -1 : at[0] - 1;
    free_two(made);
    return PSB_OK;
}

psb_err X(mat_cmpmat)(const struct X(mat) *a, const struct X(mat) *b, R tol, int *equal)
{
    psb_ipk at[2];
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED_HANDLE(b, "a matrix");
    PSB_CHECK(tol >= 0, PSB_EARG, "argument tol is %g; expected >= 0", (double)tol);
    PSB_NEED(equal, "where to store the answer");
    if (a->nrows != b->nrows || a->ncols != b->ncols) {
        *equal = 0;
        return PSB_OK;
    }
    PSB_TRY(X(mat_first_difference)(a, b, tol, at));
    *equal = at[0] < 0;
    return PSB_OK;
}

/* --- sum -------------------------------------------------------------------------------------------- */

/* Append alpha times row i of l to the entries of t, which is large enough. */
static void push_row(struct X(coo_mat) *t, T alpha, const struct X(compressed) *l, psb_ipk i)
{
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++) {
        psb_epk to = t->mat.nnz++;
        t->ia[to] = i;
        t->ja[to] = l->idx[k];
        t->val[to] = alpha == 0 ? 0 : alpha * l->val[k];
    }
}

psb_err X(mat_spaxpby)(T alpha, const struct X(mat) *a, T beta, const struct X(mat) *b,
                       const struct X(mat) *mold, struct X(mat) **c)
{
    struct X(compressed) l[2];
    struct X(mat) *made[2], *t;
    PSB_TRY(check_sizes(a, b));
    PSB_NEED(c, "where to store the matrix");
    PSB_ON_DEVICE(done, a, spaxpby, alpha, X(mat_mutable)(a), beta, X(mat_mutable)(b), mold, c);
    PSB_TRY(X(mat_all)(a->nrows, a->ncols, 0, &t));
    struct X(coo_mat) *sum = (struct X(coo_mat) *)t;
    psb_err e = view_two(a, b, l, made);
    if (e == PSB_OK) {
        e = X(coo_reserve)(sum, l[0].ptr[l[0].n] + l[1].ptr[l[1].n]);
        for (psb_ipk i = 0; e == PSB_OK && i < a->nrows; i++) {
            push_row(sum, alpha, &l[0], i);
            push_row(sum, beta, &l[1], i);
        }
        free_two(made);
    }
    if (e == PSB_OK)
        e = X(coo_fix)(sum, PSB_DUPL_ADD);
    if (e == PSB_OK)
        e = X(mat_cscnv)(&t, mold ? mold : &X(csr_mold).mat);
    return PSB_PASS(X(mat_made)(e, t, c));
}

/* --- product ---------------------------------------------------------------------------------------- */

/* State of one product.  `seen` of a thread has one element per column: when the pattern is computed the last
 * row that contains the column, when values are computed the position of its last entry. */
struct multiplying {
    const struct X(compressed) *a, *b;
    struct X(compressed) c;
    psb_epk *seen;
    psb_epk longest; /* length of the longest row of c; 0 if at most PSB_SHORT_SORT */
    psb_ipk *i;
    T *v;
};

/* The row of b of which row i is a multiple, if there is only one; else -1. */
static psb_ipk only_row(const struct multiplying *q, psb_ipk i)
{
    return q->a->ptr[i + 1] - q->a->ptr[i] == 1 ? q->a->idx[q->a->ptr[i]] : -1;
}

static psb_epk count_row(const struct multiplying *q, psb_ipk i, psb_epk *seen)
{
    const psb_epk *first = q->b->ptr;
    psb_ipk only = only_row(q, i);
    psb_epk n = 0;
    if (only >= 0)
        return first[only + 1] - first[only];
    for (psb_epk k = q->a->ptr[i]; k < q->a->ptr[i + 1]; k++) {
        psb_ipk r = q->a->idx[k];
        for (psb_epk e = first[r]; e < first[r + 1]; e++) {
            n += seen[q->b->idx[e]] != i;
            seen[q->b->idx[e]] = i;
        }
    }
    return n;
}

/* c.ptr[i + 1] = number of entries of row i. */
static void count_product_part(void *job, int t, int p)
{
    struct multiplying *q = job;
    psb_epk *seen = q->seen + (psb_epk)q->b->m * t;
    psb_ipk from, to;
    X(compressed_share)(q->a, t, p, &from, &to);
    for (psb_ipk j = 0; j < q->b->m; j++)
        seen[j] = -1;
    for (psb_ipk i = from; i < to; i++)
        q->c.ptr[i + 1] = count_row(q, i, seen);
}

/* Add v times row r of b to the row of c that begins at `first` and has n entries; returns its new number of
 * entries. */
static psb_epk add_row(struct multiplying *q, psb_epk first, psb_epk n, T v, psb_ipk r, psb_epk *seen)
{
    for (psb_epk e = q->b->ptr[r]; e < q->b->ptr[r + 1]; e++) {
        psb_ipk j = q->b->idx[e];
        if (seen[j] >= first) {
            q->c.val[seen[j]] += v * q->b->val[e];
            continue;
        }
        seen[j] = first + n++;
        q->c.idx[seen[j]] = j;
        q->c.val[seen[j]] = v * q->b->val[e];
    }
    return n;
}

static void copy_row(struct multiplying *q, psb_epk first, T v, psb_ipk r)
{
    for (psb_epk e = q->b->ptr[r]; e < q->b->ptr[r + 1]; e++) {
        q->c.idx[first + e - q->b->ptr[r]] = q->b->idx[e];
        q->c.val[first + e - q->b->ptr[r]] = v * q->b->val[e];
    }
}

static void fill_part(void *job, int t, int p)
{
    struct multiplying *q = job;
    psb_epk *seen = q->seen + (psb_epk)q->b->m * t, own = q->longest * t;
    psb_ipk from, to;
    X(compressed_share)(q->a, t, p, &from, &to);
    for (psb_ipk j = 0; j < q->b->m; j++)
        seen[j] = -1;
    for (psb_ipk i = from; i < to; i++) {
        psb_epk first = q->c.ptr[i], n = 0;
        if (only_row(q, i) >= 0) {
            copy_row(q, first, q->a->val[q->a->ptr[i]], only_row(q, i));
            continue;
        }
        for (psb_epk k = q->a->ptr[i]; k < q->a->ptr[i + 1]; k++)
            n = add_row(q, first, n, q->a->val[k], q->a->idx[k], seen);
        X(sort_entries)(q->c.idx + first, q->c.val + first, n, q->i + own, q->v + own);
    }
}

/* Compute the row pointers of the product with p threads, and its longest row. */
static psb_err pattern(struct multiplying *q, int p)
{
    q->c.n = q->a->n;
    q->c.m = q->b->m;
    PSB_TRY(psb_alloc(&q->seen, (size_t)q->b->m * (size_t)p, sizeof *q->seen, "columns of a product"));
    PSB_TRY(psb_alloc_zero(&q->c.ptr, (size_t)q->c.n + 1, sizeof *q->c.ptr, "row pointers of a product"));
    psb_team(p, count_product_part, q);
    for (psb_ipk i = 0; i < q->c.n; i++) {
        q->longest = q->c.ptr[i + 1] > q->longest ? q->c.ptr[i + 1] : q->longest;
        q->c.ptr[i + 1] += q->c.ptr[i];
    }
    if (q->longest <= PSB_SHORT_SORT)
        q->longest = 0;
    return PSB_OK;
}

static psb_err values(struct multiplying *q, int p, struct X(mat) **c)
{
    const psb_epk *ptr = q->c.ptr;
    struct X(compressed) new;
    PSB_TRY(psb_alloc(&q->i, (size_t)q->longest * (size_t)p, sizeof *q->i, "rows of a product"));
    PSB_TRY(psb_alloc(&q->v, (size_t)q->longest * (size_t)p, sizeof *q->v, "rows of a product"));
    PSB_TRY(X(csr_make)(q->c.n, q->c.m, ptr[q->c.n], c, &new));
    X(compressed_copy)(new.ptr, ptr, (size_t) new.n + 1, sizeof *ptr);
    q->c.idx = new.idx;
    q->c.val = new.val;
    psb_team(p, fill_part, q);
    return PSB_OK;
}

static psb_err check_factors(const struct X(mat) *a, const struct X(mat) *b)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED_HANDLE(b, "a matrix");
    PSB_CHECK(a->ncols == b->nrows, PSB_EARG, "argument b has %d rows; expected %d, the columns of a",
              b->nrows, a->ncols);
    return PSB_OK;
}

/* *nz = number of entries of the product; the product itself is made if c is not NULL. */
static psb_err multiply(const struct X(mat) *a, const struct X(mat) *b, psb_epk *nz, struct X(mat) **c)
{
    struct X(compressed) l[2];
    struct X(mat) *made[2];
    struct multiplying q = { .a = &l[0], .b = &l[1] };
    PSB_TRY(view_two(a, b, l, made));
    int p = psb_threads(l[0].ptr[l[0].n] + l[1].ptr[l[1].n]);
    psb_err e = pattern(&q, p);
    psb_epk n = e == PSB_OK ? q.c.ptr[q.c.n] : 0;
    if (e == PSB_OK && c)
        e = values(&q, p, c);
    if (e == PSB_OK && nz)
        *nz = n;
    psb_free(q.seen);
    psb_free(q.c.ptr);
    psb_free(q.i);
    psb_free(q.v);
    free_two(made);
    return e;
}

psb_err X(mat_spspmm)(const struct X(mat) *a, const struct X(mat) *b, struct X(mat) **c)
{
    PSB_TRY(check_factors(a, b));
    PSB_NEED(c, "where to store the matrix");
    PSB_ON_DEVICE(e, a, spspmm, X(mat_mutable)(a), X(mat_mutable)(b), NULL, c);
    return PSB_PASS(multiply(a, b, NULL, c));
}

psb_err X(mat_spspmm_size)(const struct X(mat) *a, const struct X(mat) *b, psb_epk *nz)
{
    PSB_TRY(check_factors(a, b));
    PSB_NEED(nz, "where to store the number of entries");
    return PSB_PASS(multiply(a, b, nz, NULL));
}
