/* check_factor.c -- test: suite factor: incomplete factors of a local matrix; what its tests share. */
#include "suites.h"
#include <string.h>
#include "check_factor.h"
#include "distributed.h"

/* --- matrices ------------------------------------------------------------------------------------------- */

struct X(mat) *dominant_matrix(psb_ipk n, int hermitian, uint64_t seed)
{
    struct rng r = { seed };
    MAT *a = NULL;
    OK(X(mat_all)(n, n, 0, &a));
    for (psb_ipk i = 0; i < n; i++) {
        const T d = MAKE(n, hermitian ? 0 : 1);
        OK(X(mat_csput)(a, 1, &i, &i, &d, PSB_DUPL_ADD));
        for (psb_ipk j = 0; j < i; j++) {
            const T v = random_scalar(&r), w = hermitian ? CONJ(v) : random_scalar(&r);
            if (rng_below(&r, 4))
                continue;
            OK(X(mat_csput)(a, 1, &i, &j, &v, PSB_DUPL_ADD));
            if (hermitian || rng_below(&r, 3))
                OK(X(mat_csput)(a, 1, &j, &i, &w, PSB_DUPL_ADD));
        }
    }
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    struct X(mat) *csr = convert(a, &X(csr_mold).mat);
    return csr;
}

void copy_to_square(const struct X(mat) *a, T *d, char *stored)
{
    const psb_ipk n = X(mat_get_nrows)(a);
    struct X(compressed) l;
    MAT *made = NULL;
    OK(X(mat_full_rows)(a, &l, &made));
    memset(d, 0, sizeof(square));
    for (psb_ipk i = 0; i < n; i++)
        for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++) {
            d[i * n + l.idx[k]] += l.val[k];
            if (stored)
                stored[i * n + l.idx[k]] = 1;
        }
}

void product_of_factors(const struct X(factor) *f, T *p)
{
    square l, u;
    const psb_ipk n = f->n;
    const T *inv;
    OK(X(host_read)(f->inv, &inv));
    copy_to_square(f->l, l, NULL);
    if (f->u)
        copy_to_square(f->u, u, NULL);
    for (psb_ipk i = 0; i < n && !f->u; i++)
        for (psb_ipk j = 0; j < n; j++)
            u[i * n + j] = CONJ(l[j * n + i]);
    memset(p, 0, sizeof(square));
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk k = 0; k < n; k++)
            for (psb_ipk j = 0; j < n; j++)
                p[i * n + j] += l[i * n + k] / inv[k] * u[k * n + j];
}

/* --- factors -------------------------------------------------------------------------------------------- */

void free_factor(struct X(factor) **f)
{
    X(factor_free)(*f);
}

struct X(factor) *factors_with_options(const struct X(mat) *a, struct psb_factor_options o)
{
    struct X(factor) *f = NULL;
    OK(X(factor_bld)(a, &o, NULL, NULL, NULL, &f));
    return f;
}

struct psb_factor_options factor_options_of(enum psb_factor_kind kind)
{
    struct psb_factor_options o = psb_factor_defaults;
    o.kind = kind;
    o.fill = 1;
    o.block = 3;
    return o;
}

struct X(factor) *factors_of_kind(const struct X(mat) *a, enum psb_factor_kind kind)
{
    return factors_with_options(a, factor_options_of(kind));
}

int is_cholesky(enum psb_factor_kind kind)
{
    return kind == PSB_IC0 || kind == PSB_BIC0;
}

double factor_bound(psb_ipk n)
{
    return 50 * n * n * (double)EPS;
}

void check_same_factors(const struct X(factor) *f, const struct X(factor) *g)
{
    square p, q;
    copy_to_square(f->l, p, NULL);
    copy_to_square(g->l, q, NULL);
    ck_assert(memcmp(p, q, (size_t)(f->n * f->n) * sizeof *p) == 0);
    product_of_factors(f, p);
    product_of_factors(g, q);
    ck_assert(memcmp(p, q, (size_t)(f->n * f->n) * sizeof *p) == 0);
    ck_assert_int_eq(X(factor_nnz)(f), X(factor_nnz)(g));
}

static Suite *factor(void)
{
    Suite *s = suite_create("incomplete factors");
    TCase *c = ck_tcase(s, "factors");
    add_factor_kinds(c);
    add_factor_solves(c);
    add_factor_pivots(c);
    add_factor_device(s);
    add_factor_errors(s);
    return s;
}

int check_factor(void)
{
    return run_suite(0, factor);
}
