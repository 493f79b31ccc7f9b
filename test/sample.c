/* sample.c -- test: test matrices and reference products. */
#include "sample.h"
#include <stdlib.h>
#include <string.h>

void free_mat(struct X(mat) **a)
{
    X(mat_free)(*a);
}

void free_coo(struct X(coo_mat) **a)
{
    X(mat_free)(*a ? &(*a)->mat : NULL);
}

void free_vect(struct X(vect) **x)
{
    X(gefree)(*x);
}

void free_spmat(struct X(spmat) **a)
{
    X(spfree)(*a);
}

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

struct X(coo_mat) *new_coo(psb_ipk m, psb_ipk n)
{
    struct X(mat) *a;
    OK(X(mat_all)(m, n, 0, &a));
    return (struct X(coo_mat) *)a;
}

void coo_put(struct X(coo_mat) *a, psb_ipk i, psb_ipk j, T v)
{
    if (j >= 0 && j < a->mat.ncols)
        OK(X(coo_append)(a, 1, &i, &j, &v));
}

void coo_swap(struct X(coo_mat) *a, psb_epk k, psb_epk l)
{
    const psb_ipk i = a->ia[k], j = a->ja[k];
    const T v = a->val[k];
    a->ia[k] = a->ia[l], a->ja[k] = a->ja[l], a->val[k] = a->val[l];
    a->ia[l] = i, a->ja[l] = j, a->val[l] = v;
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
    for (int k = (int)a->mat.nnz - 1; k > 0; k--)
        coo_swap(a, k, rng_below(r, k + 1));
}

struct X(coo_mat) *sample(enum sample_kind kind, psb_ipk m, psb_ipk n)
{
    struct rng r = { UINT64_C(1000003) * (uint64_t)kind + UINT64_C(1009) * (uint64_t)m + (uint64_t)n };
    struct X(coo_mat) *a = new_coo(m, n);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < n; j++)
            if (kind_has_entry(kind, m, n, i, j, &r))
                for (int times = kind == TWICE ? 1 + rng_below(&r, 3) : 1; times > 0; times--)
                    coo_put(a, i, j, random_scalar(&r));
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
    T *p = calloc((size_t)n + 1, sizeof *p);
    ck_assert_ptr_nonnull(p);
    return p;
}

struct want *new_wants(psb_epk n)
{
    struct want *p = calloc((size_t)n + 1, sizeof *p);
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
    HEAP struct entry *x = entries(a);
    HEAP struct entry *y = entries(b);
    psb_epk k = 0;
    while (k < a->mat.nnz && by_place_and_value(&x[k], &y[k]) == 0)
        k++;
    return k == a->mat.nnz;
}

/* --- reference products --- */

static const long double smallest = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON
                                                               : DBL_MIN * DBL_EPSILON;

void sample_products(const struct X(coo_mat) *a, char trans, psb_ipk k, T alpha, const T *x, T beta,
                     const T *y, struct want *w)
{
    const psb_ipk m = trans == 'N' ? a->mat.nrows : a->mat.ncols;
    int *met = calloc((size_t)m + 1, sizeof *met);
    ck_assert_ptr_nonnull(met);
    for (psb_epk i = 0; i < (psb_epk)m * k; i++) {
        w[i].value = beta != 0 ? (long double _Complex)beta * y[i] : 0;
        w[i].slack = cabsl(w[i].value);
    }
    for (psb_epk e = 0; e < a->mat.nnz && alpha != 0; e++) {
        const psb_ipk to = trans == 'N' ? a->ia[e] : a->ja[e], from = trans == 'N' ? a->ja[e] : a->ia[e];
        const T v = trans == 'C' ? CONJ(a->val[e]) : a->val[e];
        for (psb_ipk c = 0; c < k; c++) {
            const long double _Complex t = (long double _Complex)v * x[(psb_epk)from * k + c] * alpha;
            w[(psb_epk)to * k + c].value += t;
            w[(psb_epk)to * k + c].slack += cabsl(t);
        }
        met[to]++;
    }
    for (psb_epk i = 0; i < (psb_epk)m * k; i++)
        w[i].slack = (met[i / k] + 4) * (w[i].slack * (CPLX ? 3 : 1) * EPS + 4 * smallest);
    free(met);
}

void sample_product(const struct X(coo_mat) *a, char trans, T alpha, const T *x, T beta, const T *y,
                    struct want *w)
{
    sample_products(a, trans, 1, alpha, x, beta, y, w);
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
