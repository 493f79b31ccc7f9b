/* dense.c -- test: dense reference matrices for operations on sparse ones. */
#include "dense.h"
#include <stdlib.h>

struct dense dense_new(psb_ipk m, psb_ipk n)
{
    size_t size = (size_t)m * (size_t)n + 1;
    struct dense d = { m, n, calloc(size, sizeof *d.v), calloc(size, sizeof *d.times) };
    ck_assert(d.v && d.times);
    return d;
}

void dense_free(struct dense *d)
{
    free(d->v);
    free(d->times);
}

void dense_put(struct dense *d, psb_ipk i, psb_ipk j, T v)
{
    size_t k = (size_t)i * (size_t)d->n + (size_t)j;
    d->v[k] = d->times[k]++ ? d->v[k] + v : v;
}

struct dense dense_of_coo(const struct X(coo_mat) *a)
{
    struct dense d = dense_new(a->mat.nrows, a->mat.ncols);
    for (psb_epk k = 0; k < a->mat.nnz; k++) {
        if (a->ia[k] < 0 || a->ia[k] >= d.m || a->ja[k] < 0 || a->ja[k] >= d.n)
            ck_abort_msg("row %d, column %d of a %d x %d matrix", a->ia[k], a->ja[k], d.m, d.n);
        dense_put(&d, a->ia[k], a->ja[k], a->val[k]);
    }
    return d;
}

static struct dense dense_of(struct X(mat) *a)
{
    MAT *t = NULL;
    OK(X(mat_convert)(a, &X(coo_mold).mat, &t));
    struct dense d = dense_of_coo((struct X(coo_mat) *)t);
    return d;
}

static int same_part(R a, R b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void same_sizes(const struct dense *got, const struct dense *d, const char *what)
{
    ck_assert_msg(got->m == d->m && got->n == d->n, "%s: %d x %d, expected %d x %d", what, got->m, got->n,
                  d->m, d->n);
}

/* One assertion per matrix, not per element: an assertion makes a system call. */
static int first_other(const struct dense *got, const struct dense *d)
{
    int k = 0, size = d->m * d->n;
    while (k < size && got->times[k] == d->times[k] && same_part(RE(got->v[k]), RE(d->v[k])) &&
           same_part(IM(got->v[k]), IM(d->v[k])))
        k++;
    return k;
}

void dense_is(struct X(mat) *a, const struct dense *d, const char *what)
{
    DENSE got = dense_of(a);
    same_sizes(&got, d, what);
    int k = first_other(&got, d);
    if (k < d->m * d->n)
        ck_abort_msg("%s, %s, %d x %d: (%d, %d) is stored %d times and is %g %g, expected %d times, %g %g",
                     a->ops->fmt, what, d->m, d->n, k / d->n, k % d->n, got.times[k], (double)RE(got.v[k]),
                     (double)IM(got.v[k]), d->times[k], (double)RE(d->v[k]), (double)IM(d->v[k]));
}

void dense_is_near(struct X(mat) *a, const struct dense *d, const R *slack, const char *what)
{
    DENSE got = dense_of(a);
    same_sizes(&got, d, what);
    for (int k = 0; k < d->m * d->n; k++)
        if (got.times[k] != d->times[k] || !(ABS(got.v[k] - d->v[k]) <= slack[k]))
            ck_abort_msg("%s, %s: (%d, %d) is stored %d times, expected %d, and off by %g, allowed %g",
                         a->ops->fmt, what, k / d->n, k % d->n, got.times[k], d->times[k],
                         (double)ABS(got.v[k] - d->v[k]), (double)slack[k]);
}

struct X(coo_mat) *few(int k, int once)
{
    static const psb_ipk sizes[FEW_SIZES][2] = { { 0, 0 },   { 0, 7 },   { 7, 0 },  { 1, 1 },
                                                 { 1, 40 },  { 40, 1 },  { 2, 3 },  { 17, 17 },
                                                 { 33, 20 }, { 20, 33 }, { 40, 40 } };
    const psb_ipk *size = sizes[k / (FULL + 1)];
    enum sample_kind kind = (enum sample_kind)(k % (FULL + 1));
    return sample(once && kind == TWICE ? SPREAD : kind, size[0], size[1]);
}

struct X(mat) *in_format(struct X(coo_mat) *s, int i)
{
    struct X(mat) *a;
    OK(X(mat_convert)(&s->mat, X(mat_format)(i), &a));
    return a;
}
