/* mat_two.c -- base/mat: comparison, sum and product of two sparse matrices. */
#include "psb_format.h"
#include "psb_handle.h"
#include "psb_team.h"
#include "psb_threads.h"
#include "mat_inside.h"
#include <stdatomic.h>
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

/* alpha times the rows of l[0] plus beta times those of l[1]. */
struct adding {
    const struct X(compressed) *l;
    T factor[2];
    struct X(compressed) c;
};

/* The entries of row i, merged: each sum begins with the entries of l[0].  If c has columns they are stored;
 * returns their number. */
static psb_epk merge_row(const struct adding *q, psb_ipk i)
{
    const struct X(compressed) *l = q->l;
    psb_epk k[2] = { l[0].ptr[i], l[1].ptr[i] }, n = 0;
    psb_ipk last = -1;
    while (k[0] < l[0].ptr[i + 1] || k[1] < l[1].ptr[i + 1]) {
        const int s = k[0] == l[0].ptr[i + 1] || (k[1] < l[1].ptr[i + 1] && l[1].idx[k[1]] < l[0].idx[k[0]]);
        const psb_ipk j = l[s].idx[k[s]];
        n += j != last;
        if (q->c.idx) {
            const psb_epk at = q->c.ptr[i] + n - 1;
            const T v = q->factor[s] == 0 ? 0 : q->factor[s] * l[s].val[k[s]];
            q->c.val[at] = j == last ? q->c.val[at] + v : v;
            q->c.idx[at] = j;
        }
        last = j;
        k[s]++;
    }
    return n;
}

static void count_sum_part(void *job, int t, int p)
{
    const struct adding *q = job;
    psb_ipk i, to;
    X(compressed_share)(&q->l[0], t, p, &i, &to);
    for (; i < to; i++)
        q->c.ptr[i + 1] = merge_row(q, i);
}

static void sum_part(void *job, int t, int p)
{
    const struct adding *q = job;
    psb_ipk i, to;
    X(compressed_share)(&q->c, t, p, &i, &to);
    for (; i < to; i++)
        merge_row(q, i);
}

/* *c = the sum, in CSR. */
static psb_err add_rows(struct adding *q, struct X(mat) **c)
{
    psb_epk *ptr;
    struct X(compressed) new;
    q->c = (struct X(compressed)){ .n = q->l[0].n, .m = q->l[0].m };
    PSB_TRY(psb_alloc(&ptr, (size_t)q->c.n + 1, sizeof *ptr, "row pointers of a sum"));
    q->c.ptr = ptr;
    ptr[0] = 0;
    psb_team(psb_threads(q->l[0].ptr[q->c.n] + q->l[1].ptr[q->c.n]), count_sum_part, q);
    for (psb_ipk i = 0; i < q->c.n; i++)
        ptr[i + 1] += ptr[i];
    psb_err e = X(csr_make)(q->c.n, q->c.m, ptr[q->c.n], c, &new);
    if (e == PSB_OK) {
        X(compressed_copy)(new.ptr, ptr, (size_t) new.n + 1, sizeof *ptr);
        q->c = new;
        psb_team(psb_threads(ptr[new.n]), sum_part, q);
    }
    psb_free(ptr);
    return e;
}

psb_err X(mat_spaxpby)(T alpha, const struct X(mat) *a, T beta, const struct X(mat) *b,
                       const struct X(mat) *mold, struct X(mat) **c)
{
    struct X(compressed) l[2];
    struct X(mat) *made[2], *sum = NULL;
    struct adding q = { .l = l, .factor = { alpha, beta } };
    PSB_TRY(check_sizes(a, b));
    PSB_NEED(c, "where to store the matrix");
    PSB_ON_DEVICE(done, a, spaxpby, alpha, X(mat_mutable)(a), beta, X(mat_mutable)(b), mold, c);
    PSB_TRY(view_two(a, b, l, made));
    psb_err e = add_rows(&q, &sum);
    free_two(made);
    PSB_THEN(e, X(mat_in_format)(&sum, mold));
    return PSB_PASS(X(mat_made)(e, sum, c));
}

/* --- sum of values -------------------------------------------------------------------------------------- */

/* Do both have the same indices in line i, none of them twice? */
static bool is_same_line(const struct X(compressed) *l, psb_ipk i)
{
    const psb_epk from = l[0].ptr[i], end = l[0].ptr[i + 1];
    const psb_ipk *x = l[0].idx, *y = l[1].idx;
    if (l[1].ptr[i] != from || l[1].ptr[i + 1] != end)
        return false;
    for (psb_epk k = from; k < end; k++)
        if (x[k] != y[k] || (k > from && x[k - 1] == x[k]))
            return false;
    return true;
}

struct comparing {
    struct X(compressed) l[2];
    _Atomic bool differ;
};

static void compare_part(void *job, int t, int p)
{
    struct comparing *q = job;
    psb_ipk i, to;
    X(compressed_share)(&q->l[0], t, p, &i, &to);
    while (i < to && is_same_line(q->l, i))
        i++;
    if (i < to)
        q->differ = true;
}

bool X(mat_adds_values)(const struct X(mat) *a, const struct X(mat) *b)
{
    struct comparing q = { .differ = false };
    struct psb_dual *list[PSB_MOST_ARRAYS];
    if (a->ops != b->ops || a->ops->super != &X(compressed_mold) || a->on || a->nrows != b->nrows ||
        a->ncols != b->ncols || a->nnz != b->nnz || X(mat_has_ones)(a) || X(mat_has_ones)(b))
        return false;
    X(mat_arrays)(b, list);
    if (list[2]->borrowed)
        return false;
    psb_expect_errors(1);
    psb_err e = X(compressed_open)(a, &q.l[0]);
    PSB_THEN(e, X(compressed_open)(b, &q.l[1]));
    psb_expect_errors(0);
    if (e == PSB_OK)
        psb_team(psb_threads(a->nnz), compare_part, &q);
    return e == PSB_OK && !q.differ;
}

struct adding_values {
    T alpha, beta;
    psb_epk n;
    const T *a;
    T *b;
};

/* A factor of 0 leaves out what is not a number. */
static void add_values_part(void *job, int t, int p)
{
    const struct adding_values q = *(const struct adding_values *)job;
    psb_epk k, end;
    psb_thread_range(q.n, t, p, &k, &end);
    for (; k < end; k++)
        q.b[k] = (q.alpha == 0 ? 0 : q.alpha * q.a[k]) + (q.beta == 0 ? 0 : q.beta * q.b[k]);
}

psb_err X(mat_add_values)(T alpha, const struct X(mat) *a, T beta, struct X(mat) *b)
{
    struct adding_values q = { alpha, beta, a->nnz, NULL, NULL };
    struct psb_dual *from[PSB_MOST_ARRAYS], *to[PSB_MOST_ARRAYS];
    X(mat_arrays)(a, from);
    X(mat_arrays)(b, to);
    PSB_TRY(psb_dual_read(from[2], PSB_HOST, &q.a));
    PSB_TRY(psb_dual_update(to[2], PSB_HOST, &q.b));
    psb_team(psb_threads(q.n), add_values_part, &q);
    return PSB_OK;
}

/* --- product ---------------------------------------------------------------------------------------- */

static psb_err check_factors(const struct X(mat) *a, const struct X(mat) *b)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED_HANDLE(b, "a matrix");
    PSB_CHECK(a->ncols == b->nrows, PSB_EARG, "argument b has %d rows; expected %d, the columns of a",
              b->nrows, a->ncols);
    return PSB_OK;
}

/* *c = the product, or *nz = its number of entries if c is NULL. */
static psb_err multiply(const struct X(mat) *a, const struct X(mat) *b, psb_epk *nz, struct X(mat) **c)
{
    struct X(compressed) l[2];
    struct X(mat) *made[2];
    const struct X(factors) f = { .a = &l[0], .b = &l[1], .alpha = 1 };
    PSB_TRY(view_two(a, b, l, made));
    psb_err e = c ? X(spgemm_new)(&f, c) : X(spgemm_size)(&f, nz);
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
