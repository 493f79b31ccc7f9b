/* format_checks.c -- test: test matrices and checks for the suite of formats. */
#include "format_checks.h"
#include <stdlib.h>
#include <string.h>

const struct X(mat) *mold(int i)
{
    return X(mat_format)(i);
}

psb_ipk cols_of(const struct X(mat) *a, char trans)
{
    return trans == 'N' ? a->ncols : a->nrows;
}

static const psb_ipk sizes[SIZES][2] = {
    { 0, 0 },   { 0, 7 },   { 7, 0 },   { 1, 1 },   { 1, 40 },    { 40, 1 },    { 2, 3 },
    { 15, 15 }, { 16, 16 }, { 17, 17 }, { 31, 31 }, { 32, 32 },   { 33, 33 },   { 63, 63 },
    { 64, 64 }, { 65, 65 }, { 97, 11 }, { 11, 97 }, { 127, 127 }, { 128, 128 }, { 129, 129 },
};

struct X(coo_mat) *zoo_matrix(int k)
{
    const psb_ipk *size = sizes[k / KINDS];
    return sample((enum sample_kind)(k % KINDS), size[0], size[1]);
}

void check_equal(struct X(mat) *a, const struct X(mat) *m, const struct X(coo_mat) *s)
{
    ck_assert_ptr_eq(a->ops, m->ops);
    ck_assert_int_eq(a->nrows, s->mat.nrows);
    ck_assert_int_eq(a->ncols, s->mat.ncols);
    ck_assert_int_eq(a->nnz, s->mat.nnz);
    MAT *out = convert(a, &X(coo_mold).mat);
    const struct X(coo_mat) *c = (struct X(coo_mat) *)out;
    ck_assert_msg(same_entries(c, s), "%s has other entries than it was given", m->ops->fmt);
    for (psb_epk k = 0; k + 1 < c->mat.nnz; k++)
        ck_assert_int_le(c->ia[k], c->ia[k + 1]);
}

int has_entry(const struct X(coo_mat) *s, char trans, psb_ipk i, psb_ipk j)
{
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (trans == 'N' ? s->ia[k] == i && s->ja[k] == j : s->ja[k] == i && s->ia[k] == j)
            return 1;
    return 0;
}

void check_format_product(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha,
                          T beta, psb_ipk j, R poison)
{
    const psb_epk nx = (psb_epk)cols_of(a, trans) * k, ny = (psb_epk)rows_of(a, trans) * k;
    const psb_ipk c = j < 0 ? 0 : j % k;
    HEAP T *x = new_array(nx), *y = new_array(ny);
    HEAP struct want *w = new_wants(ny);
    random_vector((psb_ipk)nx, x, 1);
    random_vector((psb_ipk)ny, y, 2);
    sample_products(s, trans, k, alpha, x, beta, y, w);
    fill_vector(alpha == 0 ? (psb_ipk)nx : 0, x, MAKE(NAN, NAN));
    fill_vector(beta == 0 ? (psb_ipk)ny : 0, y, MAKE(NAN, NAN));
    if (j >= 0)
        x[(psb_epk)j * k + c] = MAKE(poison, 0);
    OK(k == 1 ? X(mat_csmv)(alpha, a, x, beta, y, trans) : X(mat_csmm)(alpha, a, k, x, beta, y, trans));
    for (psb_epk i = 0; i < ny; i++) {
        const int reached = j >= 0 && i % k == c && has_entry(s, trans, (psb_ipk)(i / k), j);
        if (reached ? isfinite(RE(y[i])) : !is_right(y[i], &w[i]))
            ck_abort_msg("%s, %d x %d, op %c, alpha %g, beta %g, %g in row %d: element %d of column %d of %d "
                         "is %g %g, expected %Lg %Lg",
                         a->ops->fmt, a->nrows, a->ncols, trans, (double)RE(alpha), (double)RE(beta),
                         (double)poison, j, (int)(i / k), (int)(i % k), k, (double)RE(y[i]), (double)IM(y[i]),
                         creall(w[i].value), cimagl(w[i].value));
    }
}

void check_csmv(struct X(mat) *a, const struct X(coo_mat) *s, char trans, T alpha, T beta)
{
    check_format_product(a, s, 1, trans, alpha, beta, -1, 0);
}

psb_err refusal(struct X(mat) *a, const struct X(mat) *mold)
{
    struct X(mat) *none = NULL;
    const psb_err e = X(mat_convert)(a, mold, &none);
    ck_assert_ptr_null(none);
    return e;
}

struct X(vect) *vector(psb_ipk n, const T *values, const struct psb_vmold *where)
{
    struct X(vect) *v;
    OK(X(vect_new)(&v, n, where));
    OK(X(set_vect)(v, n, values));
    return v;
}

struct X(hyb_mat) hyb_with(enum psb_hyb partition, psb_ipk width)
{
    struct X(hyb_mat) m = X(hyb_mold);
    m.partition = partition;
    m.width = width;
    m.limit = 0;
    return m;
}

void check_puts(struct X(mat) *a, const struct X(coo_mat) *s)
{
    MAT *all = convert(a, &X(coo_mold).mat);
    struct X(coo_mat) *want = (struct X(coo_mat) *)all;
    for (psb_epk k = 0; k < s->mat.nnz; k += 3) {
        const T v = MAKE(k + 2, -k);
        psb_epk at = 0;
        while (want->ia[at] != s->ia[k] || want->ja[at] != s->ja[k])
            at++;
        want->val[at] = k % 2 ? v : want->val[at] + v;
        OK(X(mat_csput)(a, 1, &s->ia[k], &s->ja[k], &v, k % 2 ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD));
    }
    MAT *b = convert(a, &X(coo_mold).mat);
    const struct X(coo_mat) *got = (struct X(coo_mat) *)b;
    for (psb_epk k = 0; k < want->mat.nnz; k++)
        ck_assert(got->ia[k] == want->ia[k] && got->ja[k] == want->ja[k] && got->val[k] == want->val[k]);
}

void check_mold(const struct X(mat) *m, struct X(coo_mat) *s)
{
    MAT *a = convert(&s->mat, m), *csr = convert(a, &X(csr_mold).mat), *again = convert(csr, m), *copy = NULL;
    OK(X(mat_clone)(a, &copy));
    check_equal(a, m, s);
    check_equal(again, m, s);
    for (int t = 0; t < 3; t++) {
        check_csmv(a, s, op_codes[t], MAKE(0.7, -1.3), 0);
        check_csmv(again, s, op_codes[t], -1, MAKE(2, 1));
        check_csmv(copy, s, op_codes[t], -1, MAKE(2, 1));
    }
    check_missing_entries(a, s);
    check_equal(a, m, s);
    check_puts(a, s);
    check_equal(copy, m, s);
}

void check_missing_entries(struct X(mat) *a, const struct X(coo_mat) *s)
{
    psb_ipk i[] = { 0, 0 }, j[] = { 0, 0 };
    const T v[] = { 7, 7 };
    const psb_ipk step = 1 + s->mat.ncols / 40;
    if (s->mat.nnz == 0)
        return;
    i[0] = s->ia[0];
    j[0] = s->ja[0];
    for (i[1] = 0; i[1] < s->mat.nrows; i[1]++)
        for (j[1] = i[1] % step; j[1] < s->mat.ncols; j[1] += step)
            if (!has_entry(s, 'N', i[1], j[1])) {
                FAILS(X(mat_csput)(a, 2, i, j, v, PSB_DUPL_ADD), PSB_EARG, PSB_NO_ENTRY, (psb_epk)1, i[1],
                      j[1]);
            }
}

struct X(coo_mat) *pattern_matrix(const struct pattern *q)
{
    struct X(coo_mat) *a = new_coo(q->m, q->n);
    for (psb_ipk i = 0; i < q->m; i++)
        for (psb_ipk k = 0; k < (i % q->period ? q->length : q->longest); k++)
            coo_put(a, i, (q->step * i + q->shift * (i / 128) + q->stride * k) % q->n, 1);
    OK(X(coo_fix)(a, PSB_DUPL_ADD));
    return a;
}

struct X(coo_mat) *matrix_with_long_rows(psb_ipk m, psb_ipk n, psb_ipk more)
{
    struct X(coo_mat) *a = new_coo(m, more);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < (i < n ? more : 1); j++)
            coo_put(a, i, j, 1);
    return a;
}

/* --- a product and its operands --- */

struct job product_job(const struct X(mat) *a, psb_ipk k, char trans, const struct psb_vmold *of_x,
                       const struct psb_vmold *of_y)
{
    struct job j = { .m = rows_of(a, trans), .n = cols_of(a, trans), .k = k, .trans = trans };
    const psb_ipk rows = j.m + EXTRA, cols = j.n + EXTRA;
    j.alpha = MAKE(0.7, -1.3);
    j.beta = MAKE(-0.4, 0.9);
    j.x = new_array((psb_epk)cols * k);
    j.y = new_array((psb_epk)rows * k);
    j.got = new_array((psb_epk)rows * k);
    random_vector(cols * k, j.x, 1);
    random_vector(rows * k, j.y, 2);
    random_vector(rows * k, j.got, 2);
    OK(X(vect_bld)(&j.vx, cols, k, j.x, of_x));
    OK(X(vect_bld)(&j.vy, rows, k, j.y, of_y));
    return j;
}

void product_job_free(struct job *j)
{
    X(gefree)(j->vx);
    X(gefree)(j->vy);
    free(j->x), free(j->y), free(j->got);
}

psb_err product_on_vectors(struct job *j, struct X(mat) *a)
{
    return X(mat_vect_mv)(j->alpha, a, j->vx, j->beta, j->vy, j->trans);
}

void check_job(const struct job *j, const struct X(coo_mat) *s, const char *what)
{
    const psb_ipk size = j->m * j->k;
    HEAP struct want *w = new_wants(size);
    sample_products(s, j->trans, j->k, j->alpha, j->x, j->beta, j->y, w);
    const psb_ipk i = first_wrong(size, j->got, w);
    ck_assert_msg(i == size, "%s, %d x %d, op %c: element %d of column %d of %d is %g", what, s->mat.nrows,
                  s->mat.ncols, j->trans, i / j->k, i % j->k, j->k, (double)RE(j->got[i]));
    ck_assert_msg(memcmp(j->got + size, j->y + size, EXTRA * (size_t)j->k * sizeof(T)) == 0,
                  "%s, op %c: rows beyond the product changed", what, j->trans);
}

void check_product_on_vectors(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s)
{
    OK(X(set_vect)(j->vy, j->vy->n, j->y));
    OK(product_on_vectors(j, a));
    OK(X(get_vect)(j->vy, j->vy->n, j->got));
    check_job(j, s, a->ops->fmt);
}

void check_product_on_arrays(struct job *j, struct X(mat) *a, const struct X(coo_mat) *s)
{
    memcpy(j->got, j->y, (size_t)(j->m + EXTRA) * (size_t)j->k * sizeof(T));
    OK(X(mat_csmm)(j->alpha, a, j->k, j->x, j->beta, j->got, j->trans));
    check_job(j, s, a->ops->fmt);
}

void check_vector_values(struct X(vect) *v, psb_epk n, const T *want)
{
    HEAP T *got = new_array(v->n);
    OK(X(get_vect)(v, v->n, got));
    ck_assert(memcmp(got, want, (size_t)n * sizeof(T)) == 0);
}
