/* check_mat_values.c -- test: sums, norms, values and new values of every format, compared with a
 * dense matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_mat.h"

/* --- sums --- */

/* Compare a sum of `times` values whose moduli sum to `size`. */
static void check_near(T got, T want, R size, int times, const char *fmt, const char *what, int i)
{
    R slack = (R)(times + 1) * EPS * size;
    if (!(ABS(got - want) <= slack))
        ck_abort_msg("%s: %s[%d] is off by %g, allowed %g", fmt, what, i, (double)ABS(got - want),
                     (double)slack);
}

struct line_sum {
    T sum;
    R size;
    int times;
};

/* Sum of row or column i, from the entries of s in their order. */
static struct line_sum line_sum(const struct X(coo_mat) *s, int by_rows, psb_ipk i, int one)
{
    struct line_sum l = { one, one, one };
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if ((by_rows ? s->ia[k] : s->ja[k]) == i) {
            l.sum += s->val[k];
            l.size += ABS(s->val[k]);
            l.times++;
        }
    return l;
}

static void check_sums(struct X(mat) *a, const struct X(coo_mat) *s, int ones)
{
    T d[MOST];
    R r[MOST], norm, most;
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        psb_ipk n = by_rows ? a->nrows : a->ncols;
        OK(by_rows ? X(mat_rowsum)(a, d) : X(mat_colsum)(a, d));
        OK(by_rows ? X(mat_arwsum)(a, r) : X(mat_aclsum)(a, r));
        most = 0;
        for (psb_ipk i = 0; i < n; i++) {
            struct line_sum w = line_sum(s, by_rows, i, i < ones);
            check_near(d[i], w.sum, w.size, w.times, a->ops->fmt, "sum", i);
            check_near(r[i], w.size, w.size, w.times, a->ops->fmt, "absolute sum", i);
            most = r[i] > most ? r[i] : most;
        }
        OK(by_rows ? X(mat_spnmi)(a, &norm) : X(mat_spnm1)(a, &norm));
        ck_assert(norm == most);
    }
}

static void check_diag(struct X(mat) *a, const struct X(coo_mat) *s, int ones)
{
    T d[MOST];
    R most = ones > 0, got;
    psb_ipk n = a->nrows < a->ncols ? a->nrows : a->ncols;
    OK(X(mat_get_diag)(a, d));
    for (psb_ipk i = 0; i < n; i++) {
        T want = i < ones;
        for (psb_epk k = 0; k < s->mat.nnz; k++)
            if (s->ia[k] == i && s->ja[k] == i)
                want += s->val[k];
        check_near(d[i], want, ABS(want) + 2, 4, a->ops->fmt, "diagonal", i);
    }
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        most = ABS(s->val[k]) > most ? ABS(s->val[k]) : most;
    OK(X(mat_maxval)(a, &got));
    ck_assert(got == most);
}

/* Mark a as a unit triangle, whatever its entries. */
static psb_ipk set_unit(struct X(mat) *a)
{
    OK(X(mat_set_triangle)(a, 1));
    OK(X(mat_set_unit)(a, 1));
    return a->nrows < a->ncols ? a->nrows : a->ncols;
}

TEST(sums_and_norms)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 0);
        MAT *a = in_format(s, _i);
        check_sums(a, s, 0);
        check_diag(a, s, 0);
        psb_ipk ones = set_unit(a);
        check_sums(a, s, ones);
        check_diag(a, s, ones);
    }
}

TEST(sums_of_infinities_and_nans)
{
    COO *s = sample(TRIDIAG, 5, 5);
    R norm;
    T d[5];
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (s->ia[k] == 2 && s->ja[k] == 2)
            s->val[k] = MAKE(NAN, 0);
        else if (s->ia[k] == 4 && s->ja[k] == 4)
            s->val[k] = MAKE(-INFINITY, 0);
    MAT *a = in_format(s, _i);
    psb_err (*const norms[])(const struct X(mat) *, R *) = { X(mat_maxval), X(mat_spnmi), X(mat_spnm1) };
    for (int k = 0; k < 3; k++) {
        OK(norms[k](a, &norm));
        ck_assert_msg(isnan(norm), "norm %d", k);
    }
    OK(X(mat_get_diag)(a, d));
    ck_assert(isnan(RE(d[2])) && RE(d[4]) == -INFINITY && isfinite(RE(d[1])));
    OK(X(mat_rowsum)(a, d));
    ck_assert(isnan(RE(d[2])) && RE(d[4]) == -INFINITY && isfinite(RE(d[1])) && isfinite(RE(d[3])));
}

/* --- values --- */

static void check_values(struct X(mat) *a, const struct X(coo_mat) *s, const char *what)
{
    DENSE d = dense_of_coo(s);
    dense_is(a, &d, what);
}

TEST(scaling)
{
    T left[MOST], right[MOST], t = MAKE(0.3, -2);
    random_vector(MOST, left, 5);
    random_vector(MOST, right, 6);
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        OK(X(mat_scal)(a, t));
        for (psb_epk e = 0; e < s->mat.nnz; e++)
            s->val[e] = t * s->val[e];
        check_values(a, s, "scal");
        OK(X(mat_scalv)(a, left, 'L'));
        for (psb_epk e = 0; e < s->mat.nnz; e++)
            s->val[e] = left[s->ia[e]] * s->val[e];
        check_values(a, s, "scalv L");
        OK(X(mat_scalv)(a, right, 'R'));
        for (psb_epk e = 0; e < s->mat.nnz; e++)
            s->val[e] = s->val[e] * right[s->ja[e]];
        check_values(a, s, "scalv R");
        DENSE d = dense_of_coo(s);
        OK(X(mat_zero_vals)(a));
        for (int e = 0; e < d.m * d.n; e++)
            d.v[e] = 0;
        dense_is(a, &d, "zero_vals");
        OK(X(mat_clean_zeros)(a));
        memset(d.times, 0, (size_t)(d.m * d.n) * sizeof *d.times);
        dense_is(a, &d, "clean_zeros");
    }
}

static void scale_and_add_identity(struct dense *d, T t)
{
    for (int e = 0; e < d->m * d->n; e++)
        d->v[e] = d->times[e] ? t * d->v[e] : 0;
    for (psb_ipk i = 0; i < d->m; i++) {
        d->v[i * d->n + i] += 1;
        d->times[i * d->n + i] = 1;
    }
}

TEST(adding_a_multiple_of_identity)
{
    const T t = MAKE(-0.5, 1);
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        if (d.m != d.n)
            FAILS(X(mat_scalpid)(a, t), PSB_EARG, not_square(&d));
        else {
            scale_and_add_identity(&d, t);
            OK(X(mat_scalpid)(a, t));
        }
        dense_is(a, &d, "scalpid");
        ck_assert(X(mat_is_asb)(a));
    }
}

TEST(zeros_are_removed)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        for (psb_epk e = 0; e < s->mat.nnz; e += 3)
            s->val[e] = e % 2 ? 0 : -s->val[0] * 0;
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        dense_is(a, &d, "with zeros");
        for (int e = 0; e < d.m * d.n; e++)
            d.times[e] = d.v[e] != 0;
        OK(X(mat_clean_zeros)(a));
        dense_is(a, &d, "without");
        OK(X(mat_clean_zeros)(a));
        dense_is(a, &d, "again");
    }
}

/* The unit diagonal is included in results and in parts. */
TEST(unit_triangle_diagonal)
{
    COO *s = sample(FULL, 9, 9);
    MAT *full = in_format(s, _i), *a = NULL, *b = NULL;
    int equal;
    OK(X(mat_tril)(full, -1, NULL, &a, NULL));
    ck_assert(X(mat_is_lower)(a) && !X(mat_is_upper)(a) && !X(mat_is_unit)(a));
    OK(X(mat_set_unit)(a, 1));
    OK(X(mat_clone)(a, &b));
    OK(X(mat_make_nonunit)(b));
    ck_assert(!X(mat_is_unit)(b) && X(mat_is_triangle)(b));
    ck_assert_int_eq(b->nnz, a->nnz + 9);
    OK(X(mat_cmpmat)(a, b, 0, &equal));
    ck_assert_int_eq(equal, 1);
    OK(X(mat_scal)(a, 2));
    ck_assert(!X(mat_is_unit)(a));
    OK(X(mat_scal)(b, 2));
    OK(X(mat_cmpmat)(a, b, 0, &equal));
    ck_assert_int_eq(equal, 1);
    OK(X(mat_make_nonunit)(a));
    ck_assert_int_eq(a->nnz, b->nnz);
}

/* --- new values of entries --- */

enum { PUTS = 200 };

struct puts {
    psb_epk n;
    psb_ipk i[PUTS], j[PUTS];
    T v[PUTS];
};

/* New values for entries: first for those of s in order, then for random ones, some of them repeatedly. */
static struct puts random_puts(const struct X(coo_mat) *s, uint64_t seed)
{
    struct rng r = { seed };
    struct puts p = { .n = s->mat.nnz ? PUTS : 0 };
    for (psb_epk k = 0; k < p.n; k++) {
        psb_epk e = k < s->mat.nnz && k < PUTS / 2 ? k : rng_below(&r, (int)s->mat.nnz);
        p.i[k] = s->ia[e];
        p.j[k] = s->ja[e];
        p.v[k] = random_scalar(&r);
    }
    return p;
}

static void put_dense(struct dense *d, const struct puts *p, enum psb_dupl dupl)
{
    for (psb_epk k = 0; k < p->n; k++) {
        T *v = &d->v[p->i[k] * d->n + p->j[k]];
        *v = dupl == PSB_DUPL_ADD ? *v + p->v[k] : p->v[k];
    }
}

TEST(new_values)
{
    const enum psb_dupl how[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE };
    for (int q = 2 * FEW - 1; q >= 0; q -= ck_step(2 * FEW)) {
        COO *s = few(q / 2, 1);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        for (uint64_t seed = 1; seed < 4; seed++) {
            struct puts p = random_puts(s, seed);
            OK(X(mat_csput)(a, p.n, p.i, p.j, p.v, how[q % 2]));
            put_dense(&d, &p, how[q % 2]);
            dense_is(a, &d, "csput");
        }
    }
}

/* All values of a matrix by rows, as in an assembly. */
TEST(refill)
{
    COO *s = sample(DENSE_ROW, 65, 40);
    OK(X(coo_fix)(s, PSB_DUPL_ADD));
    MAT *a = in_format(s, _i);
    OK(X(mat_reinit)(a, 1));
    ck_assert(X(mat_is_upd)(a));
    OK(X(mat_csput)(a, s->mat.nnz, s->ia, s->ja, s->val, PSB_DUPL_ADD));
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    ck_assert(X(mat_is_asb)(a));
    DENSE d = dense_of_coo(s);
    dense_is(a, &d, "refilled");
    OK(X(mat_reinit)(a, 0));
    dense_is(a, &d, "not cleared");
}

TEST(missing_entries)
{
    COO *s = sample(TRIDIAG, 12, 12);
    MAT *a = in_format(s, _i);
    DENSE d = dense_of_coo(s);
    psb_ipk i[] = { 3, 3, 3, 9, 5 }, j[] = { 2, 3, 4, 0, 5 };
    const T v[] = { 1, 2, 3, 4, 5 };
    FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG,
          "entry 3, row 9, column 0, is not in the pattern");
    dense_is(a, &d, "after a refusal");
    j[3] = 11;
    FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_OVERWRITE), PSB_EARG, "row 9, column 11");
    dense_is(a, &d, "after a refusal");
    i[3] = 12;
    FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument ia[3] is 12; expected 0 <= ia < 12");
    i[3] = -1;
    FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument ia[3] is -1");
    i[3] = 11, j[3] = 12;
    FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument ja[3] is 12; expected 0 <= ja < 12");
    j[3] = -2;
    FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument ja[3] is -2");
    FAILS(X(mat_csput)(NULL, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument a ");
    FAILS(X(mat_csput)(a, -1, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument nz is -1");
    FAILS(X(mat_csput)(a, 1, NULL, j, v, PSB_DUPL_ADD), PSB_EARG, "argument ia is NULL");
    FAILS(X(mat_csput)(a, 1, i, NULL, v, PSB_DUPL_ADD), PSB_EARG, "argument ja is NULL");
    FAILS(X(mat_csput)(a, 1, i, j, NULL, PSB_DUPL_ADD), PSB_EARG, "argument val is NULL");
    FAILS(X(mat_csput)(a, 1, i, j, v, PSB_DUPL_ERROR), PSB_EARG, "argument dupl is 2");
    OK(X(mat_csput)(a, 0, NULL, NULL, NULL, PSB_DUPL_ADD));
    dense_is(a, &d, "after refusals");
    OK(X(mat_set_state)(a, PSB_MAT_NULL));
    FAILS(X(mat_csput)(a, 1, i, j, v, PSB_DUPL_ADD), PSB_ESTATE, "state NULL");
}

void mat_values_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "values");
    ck_add_loop_tests(c, n, sums_and_norms, sums_of_infinities_and_nans, scaling,
                      adding_a_multiple_of_identity, zeros_are_removed, unit_triangle_diagonal, new_values,
                      refill, missing_entries);
}
