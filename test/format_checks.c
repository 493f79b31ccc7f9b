/* format_checks.c -- test: test matrices and checks for the suite of formats. */
#include "format_checks.h"
#include <stdio.h>
#include <stdlib.h>

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
    struct X(mat) *out = convert(a, &X(coo_mold).mat);
    const struct X(coo_mat) *c = (struct X(coo_mat) *)out;
    ck_assert_msg(same_entries(c, s), "%s has other entries than it was given", m->ops->fmt);
    for (psb_epk k = 0; k + 1 < c->mat.nnz; k++)
        ck_assert_int_le(c->ia[k], c->ia[k + 1]);
    X(mat_free)(out);
}

int has_entry(const struct X(coo_mat) *s, char trans, psb_ipk i, psb_ipk j)
{
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (trans == 'N' ? s->ia[k] == i && s->ja[k] == j : s->ja[k] == i && s->ia[k] == j)
            return 1;
    return 0;
}

void check_csmv(struct X(mat) *a, const struct X(coo_mat) *s, char trans, T alpha, T beta)
{
    psb_ipk m = rows_of(a, trans), n = cols_of(a, trans);
    T *x = new_array(n), *y = new_array(m);
    struct want *w = calloc((size_t)m + 1, sizeof *w);
    ck_assert_ptr_nonnull(w);
    random_vector(n, x, 1);
    random_vector(m, y, 2);
    sample_product(s, trans, alpha, x, beta, y, w);
    if (alpha == 0)
        fill_vector(n, x, MAKE(NAN, NAN));
    if (beta == 0)
        fill_vector(m, y, MAKE(NAN, NAN));
    OK(X(mat_csmv)(alpha, a, x, beta, y, trans));
    psb_ipk i = first_wrong(m, y, w);
    ck_assert_msg(i == m, "%s, %d x %d, op %c, alpha %g, beta %g: element %d is %g %g, expected %Lg %Lg",
                  a->ops->fmt, a->nrows, a->ncols, trans, (double)RE(alpha), (double)RE(beta), i,
                  (double)RE(y[i]), (double)IM(y[i]), creall(w[i].value), cimagl(w[i].value));
    free(w);
    free(x);
    free(y);
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
    struct X(mat) *all = convert(a, &X(coo_mold).mat);
    struct X(coo_mat) *want = (struct X(coo_mat) *)all;
    for (psb_epk k = 0; k < s->mat.nnz; k += 3) {
        const T v = MAKE(k + 2, -k);
        psb_epk at = 0;
        while (want->ia[at] != s->ia[k] || want->ja[at] != s->ja[k])
            at++;
        want->val[at] = k % 2 ? v : want->val[at] + v;
        OK(X(mat_csput)(a, 1, &s->ia[k], &s->ja[k], &v, k % 2 ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD));
    }
    struct X(mat) *b = convert(a, &X(coo_mold).mat);
    const struct X(coo_mat) *got = (struct X(coo_mat) *)b;
    for (psb_epk k = 0; k < want->mat.nnz; k++)
        ck_assert(got->ia[k] == want->ia[k] && got->ja[k] == want->ja[k] && got->val[k] == want->val[k]);
    X(mat_free)(b);
    X(mat_free)(all);
}

void check_missing_entries(struct X(mat) *a, const struct X(coo_mat) *s)
{
    psb_ipk i[] = { 0, 0 }, j[] = { 0, 0 };
    const T v[] = { 7, 7 };
    char text[80];
    if (s->mat.nnz == 0)
        return;
    i[0] = s->ia[0];
    j[0] = s->ja[0];
    for (i[1] = 0; i[1] < s->mat.nrows; i[1]++)
        for (j[1] = 0; j[1] < s->mat.ncols; j[1]++)
            if (!has_entry(s, 'N', i[1], j[1])) {
                snprintf(text, sizeof text, PSB_NO_ENTRY, (psb_epk)1, i[1], j[1]);
                FAILS(X(mat_csput)(a, 2, i, j, v, PSB_DUPL_ADD), PSB_EARG, text);
            }
}

struct X(coo_mat) *matrix_with_long_rows(psb_ipk m, psb_ipk n, psb_ipk more)
{
    struct X(mat) *a;
    OK(X(mat_all)(m, more, 0, &a));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < (i < n ? more : 1); j++)
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &(T){ 1 }));
    return (struct X(coo_mat) *)a;
}
