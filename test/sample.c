/* sample.c -- test: test matrices and reference products. */
#include "sample.h"
#include <stdlib.h>
#include <string.h>

T random_scalar(struct rng *r)
{
    double re = rng_real(r), im = rng_real(r);
    return MAKE(re, im);
}

void random_vector(psb_ipk n, T *x, uint64_t seed)
{
    struct rng r = { seed };
    for (psb_ipk i = 0; i < n; i++)
        x[i] = random_scalar(&r);
}

void fill_vector(psb_ipk n, T *x, T a)
{
    for (psb_ipk i = 0; i < n; i++)
        x[i] = a;
}

const char op_codes[] = "NTC";

/* --- matrices --- */

static void push(struct X(coo_mat) *a, psb_ipk i, psb_ipk j, T v)
{
    psb_epk k = a->mat.nnz++;
    if (k == a->cap)
        OK(X(coo_reserve)(a, 2 * k + 64));
    a->ia[k] = i;
    a->ja[k] = j;
    a->val[k] = v;
}

/* Return whether a matrix of this kind has an entry at (i, j). */
static int kind_has_entry(enum sample_kind kind, psb_ipk m, psb_ipk n, psb_ipk i, psb_ipk j, struct rng *r)
{
    switch (kind) {
    case NOTHING:
        return 0;
    case TRIDIAG:
        return abs(i - j) <= 1;
    case DIAGONAL:
        return i == j;
    case FULL:
        return 1;
    case DENSE_ROW:
        if (i == m / 2)
            return 1;
        break;
    case DENSE_COL:
        if (j == n / 3)
            return 1;
        break;
    default:
        break;
    }
    return i % 5 != 2 && j % 7 != 3 && rng_below(r, n < 4 ? 4 : n) < 4;
}

static void shuffle(struct X(coo_mat) *a, struct rng *r)
{
    for (int k = (int)a->mat.nnz - 1; k > 0; k--) {
        int l = rng_below(r, k + 1);
        psb_ipk i = a->ia[k], j = a->ja[k];
        T v = a->val[k];
        a->ia[k] = a->ia[l], a->ja[k] = a->ja[l], a->val[k] = a->val[l];
        a->ia[l] = i, a->ja[l] = j, a->val[l] = v;
    }
}

struct X(coo_mat) *sample(enum sample_kind kind, psb_ipk m, psb_ipk n)
{
    struct rng r = { UINT64_C(1000003) * (uint64_t)kind + UINT64_C(1009) * (uint64_t)m + (uint64_t)n };
    struct X(mat) *new;
    OK(X(mat_new)(&X(coo_mold).mat, m, n, 0, &new));
    struct X(coo_mat) *a = (struct X(coo_mat) *)new;
    OK(X(coo_reserve)(a, 0));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < n; j++)
            if (kind_has_entry(kind, m, n, i, j, &r))
                for (int times = kind == TWICE ? 1 + rng_below(&r, 3) : 1; times > 0; times--)
                    push(a, i, j, random_scalar(&r));
    shuffle(a, &r);
    return a;
}

struct X(mat) *convert(struct X(mat) *a, const struct X(mat) *to)
{
    struct X(mat) *b = NULL;
    OK(X(mat_convert)(a, to, &b));
    return b;
}

psb_ipk rows_of(const struct X(mat) *a, char trans)
{
    return trans == 'N' ? a->nrows : a->ncols;
}

T *new_array(psb_epk n)
{
    T *p = malloc(((size_t)n + 1) * sizeof *p);
    ck_assert_ptr_nonnull(p);
    return p;
}

/* --- comparison --- */

struct entry {
    psb_ipk i, j;
    T v;
};

static int by_place_and_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    if (x->j != y->j)
        return x->j < y->j ? -1 : 1;
    return memcmp(&x->v, &y->v, sizeof x->v);
}

static struct entry *entries(const struct X(coo_mat) *a)
{
    struct entry *e = calloc((size_t)a->mat.nnz + 1, sizeof *e);
    ck_assert_ptr_nonnull(e);
    for (psb_epk k = 0; k < a->mat.nnz; k++)
        e[k].i = a->ia[k], e[k].j = a->ja[k], e[k].v = a->val[k];
    qsort(e, (size_t)a->mat.nnz, sizeof *e, by_place_and_value);
    return e;
}

int same_entries(const struct X(coo_mat) *a, const struct X(coo_mat) *b)
{
    if (a->mat.nrows != b->mat.nrows || a->mat.ncols != b->mat.ncols || a->mat.nnz != b->mat.nnz)
        return 0;
    struct entry *x = entries(a), *y = entries(b);
    psb_epk k = 0;
    while (k < a->mat.nnz && by_place_and_value(&x[k], &y[k]) == 0)
        k++;
    free(x);
    free(y);
    return k == a->mat.nnz;
}

/* --- reference products --- */

static const long double smallest = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON
                                                               : DBL_MIN * DBL_EPSILON;

static void begin(struct want *w, T beta, const T *y)
{
    w->value = beta != 0 ? (long double _Complex)beta * *y : 0;
    w->slack = cabsl(w->value);
}

void sample_product(const struct X(coo_mat) *a, char trans, T alpha, const T *x, T beta, const T *y,
                    struct want *w)
{
    psb_ipk m = trans == 'N' ? a->mat.nrows : a->mat.ncols;
    int *met = calloc((size_t)m + 1, sizeof *met);
    ck_assert_ptr_nonnull(met);
    for (psb_ipk i = 0; i < m; i++)
        begin(&w[i], beta, &y[i]);
    for (psb_epk k = 0; k < a->mat.nnz && alpha != 0; k++) {
        psb_ipk to = trans == 'N' ? a->ia[k] : a->ja[k], from = trans == 'N' ? a->ja[k] : a->ia[k];
        T v = trans == 'C' ? CONJ(a->val[k]) : a->val[k];
        long double _Complex t = (long double _Complex)v * x[from] * alpha;
        w[to].value += t;
        w[to].slack += cabsl(t);
        met[to]++;
    }
    for (psb_ipk i = 0; i < m; i++)
        w[i].slack = (met[i] + 4) * (w[i].slack * (CPLX ? 3 : 1) * EPS + 4 * smallest);
    free(met);
}

static int near(long double got, long double want, long double slack)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabsl(got - want) <= slack;
}

int is_right(T got, const struct want *w)
{
    return near((long double)RE(got), creall(w->value), w->slack) &&
           near((long double)IM(got), cimagl(w->value), w->slack);
}

psb_ipk first_wrong(psb_ipk n, const T *y, const struct want *w)
{
    psb_ipk i = 0;
    while (i < n && is_right(y[i], &w[i]))
        i++;
    return i;
}
