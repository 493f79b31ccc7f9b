/* mat_sums.c -- base/mat: the diagonal, sums and norms: a single walk over the entries for each. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_type.h"

/* n sums, and whether their initial values have been set: nothing is written before the walk is certain to
 * succeed. */
struct sums {
    int begun, by_rows;
    psb_ipk n;
    psb_ipk ones; /* the first `ones` sums include the implied 1 of a unit triangle */
    T *d;
    R *r;
};

static void begin(struct sums *s)
{
    for (psb_ipk i = 0; i < s->n && !s->begun; i++) {
        if (s->d)
            s->d[i] = i < s->ones;
        else
            s->r[i] = i < s->ones;
    }
    s->begun = 1;
}

static void add_diagonal(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    struct sums *s = job;
    begin(s);
    for (psb_epk k = 0; k < n; k++)
        if (ia[k] == ja[k])
            s->d[ia[k]] += val[k];
}

static void add(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    struct sums *s = job;
    const psb_ipk *at = s->by_rows ? ia : ja;
    begin(s);
    for (psb_epk k = 0; k < n; k++)
        s->d[at[k]] += val[k];
}

static void add_absolute(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    struct sums *s = job;
    const psb_ipk *at = s->by_rows ? ia : ja;
    begin(s);
    for (psb_epk k = 0; k < n; k++)
        s->r[at[k]] += ABS(val[k]);
}

static psb_ipk ones(const struct X(mat) *a)
{
    return X(mat_has_ones)(a) ? X(mat_diagonal)(a) : 0;
}

static psb_err sum_up(const struct X(mat) *a, X(visit) *visit, struct sums s)
{
    PSB_CHECK(s.d || s.r || s.n == 0, PSB_EARG, "argument d is NULL; expected %d elements", s.n);
    if (s.n == 0)
        return PSB_OK;
    s.ones = ones(a);
    PSB_WITH_SLOT(k, a, entries.walk);
    PSB_TRY(k->entries.walk(X(mat_mutable)(a), 0, visit, &s));
    begin(&s);
    return PSB_OK;
}

psb_err X(walk_diag)(struct X(mat) *a, psb_ipk n, int ones, T *d)
{
    struct sums s = { .n = n, .d = d, .ones = ones ? n : 0 };
    PSB_WITH_SLOT(k, a, entries.walk);
    PSB_TRY(k->entries.walk(a, 0, add_diagonal, &s));
    begin(&s);
    return PSB_OK;
}

psb_err X(mat_get_diag)(const struct X(mat) *a, T *d)
{
    PSB_NEED_HANDLE(a, "a matrix");
    const psb_ipk n = X(mat_diagonal)(a);
    PSB_CHECK(d || n == 0, PSB_EARG, "argument d is NULL; expected %d elements", n);
    if (n == 0)
        return PSB_OK;
    PSB_ON_DEVICE(e, a, get_diag, X(mat_mutable)(a), n, ones(a) > 0, PSB_HOST, d);
    PSB_WITH_SLOT(k, a, entries.get_diag);
    return PSB_PASS(k->entries.get_diag(X(mat_mutable)(a), n, ones(a) > 0, d));
}

psb_err X(mat_dev_diag)(const struct X(mat) *a, T *d)
{
    PSB_ON_DEVICE(e, a, get_diag, X(mat_mutable)(a), X(mat_diagonal)(a), ones(a) > 0, PSB_DEV, d);
    return PSB_ENOTIMPL;
}

psb_err X(mat_rowsum)(const struct X(mat) *a, T *d)
{
    PSB_NEED_HANDLE(a, "a matrix");
    return PSB_PASS(sum_up(a, add, (struct sums){ .by_rows = 1, .n = a->nrows, .d = d }));
}

psb_err X(mat_colsum)(const struct X(mat) *a, T *d)
{
    PSB_NEED_HANDLE(a, "a matrix");
    return PSB_PASS(sum_up(a, add, (struct sums){ .n = a->ncols, .d = d }));
}

psb_err X(mat_arwsum)(const struct X(mat) *a, R *d)
{
    PSB_NEED_HANDLE(a, "a matrix");
    return PSB_PASS(sum_up(a, add_absolute, (struct sums){ .by_rows = 1, .n = a->nrows, .r = d }));
}

psb_err X(mat_aclsum)(const struct X(mat) *a, R *d)
{
    PSB_NEED_HANDLE(a, "a matrix");
    return PSB_PASS(sum_up(a, add_absolute, (struct sums){ .n = a->ncols, .r = d }));
}

/* --- norms ------------------------------------------------------------------------------------------ */

/* The larger of two; a NaN is larger than anything. */
static R larger(R most, R v)
{
    return v > most || v != v ? v : most;
}

static void find_largest(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    R *most = job;
    (void)ia, (void)ja;
    for (psb_epk k = 0; k < n; k++)
        *most = larger(*most, ABS(val[k]));
}

psb_err X(mat_maxval)(const struct X(mat) *a, R *res)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(res, "where to store the largest value");
    R most = ones(a) > 0;
    PSB_WITH_SLOT(k, a, entries.walk);
    PSB_TRY(k->entries.walk(X(mat_mutable)(a), 0, find_largest, &most));
    *res = most;
    return PSB_OK;
}

/* The largest of n sums of absolute values. */
static psb_err largest_sum(const struct X(mat) *a, psb_ipk n, psb_err (*sums)(const struct X(mat) *, R *),
                           R *res)
{
    R *sum, most = 0;
    PSB_TRY(psb_alloc(&sum, (size_t)n, sizeof *sum, "sums of a norm"));
    psb_err e = sums(a, sum);
    for (psb_ipk i = 0; e == PSB_OK && i < n; i++)
        most = larger(most, sum[i]);
    psb_free(sum);
    if (e == PSB_OK)
        *res = most;
    return e;
}

psb_err X(mat_spnmi)(const struct X(mat) *a, R *res)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(res, "where to store the norm");
    return PSB_PASS(largest_sum(a, a->nrows, X(mat_arwsum), res));
}

psb_err X(mat_spnm1)(const struct X(mat) *a, R *res)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED(res, "where to store the norm");
    return PSB_PASS(largest_sum(a, a->ncols, X(mat_aclsum), res));
}

/* --- one value -------------------------------------------------------------------------------------- */

struct comparison {
    T v;
    R tol;
    int equal;
};

static void compare(void *job, psb_epk n, const psb_ipk *ia, const psb_ipk *ja, T *val)
{
    struct comparison *c = job;
    (void)ia, (void)ja;
    for (psb_epk k = 0; k < n; k++)
        c->equal &= val[k] == c->v || ABS(val[k] - c->v) <= c->tol;
}

psb_err X(mat_cmpval)(const struct X(mat) *a, T v, R tol, int *equal)
{
    struct comparison c = { v, tol, 1 };
    T one = 1;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(tol >= 0, PSB_EARG, "argument tol is %g; expected >= 0", (double)tol);
    PSB_NEED(equal, "where to store the answer");
    PSB_WITH_SLOT(k, a, entries.walk);
    PSB_TRY(k->entries.walk(X(mat_mutable)(a), 0, compare, &c));
    if (ones(a) > 0)
        compare(&c, 1, NULL, NULL, &one);
    *equal = c.equal;
    return PSB_OK;
}
