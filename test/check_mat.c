/* check_mat.c -- room: test.  Operations of every format on entries, values and parts, compared with a dense
 * matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "check_blocks.h"
#include "psb_cuda.h"
#include "dense.h"

static const char *name_of(int i)
{
    return X(mat_format)(i)->ops->fmt;
}

/* --- sums --- */

enum { MOST = 40 }; /* the most rows or columns of few() */

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

START_TEST(sums_and_norms)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 0);
            struct X(mat) *a = in_format(s, _i);
            check_sums(a, s, 0);
            check_diag(a, s, 0);
            psb_ipk ones = set_unit(a);
            check_sums(a, s, ones);
            check_diag(a, s, ones);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

START_TEST(sums_of_infinities_and_nans)
    {
        struct X(coo_mat) *s = sample(TRIDIAG, 5, 5);
        R norm;
        T d[5];
        for (psb_epk k = 0; k < s->mat.nnz; k++)
            if (s->ia[k] == 2 && s->ja[k] == 2)
                s->val[k] = MAKE(NAN, 0);
            else if (s->ia[k] == 4 && s->ja[k] == 4)
                s->val[k] = MAKE(-INFINITY, 0);
        struct X(mat) *a = in_format(s, _i);
        OK(X(mat_maxval)(a, &norm));
        ck_assert(isnan(norm));
        OK(X(mat_spnmi)(a, &norm));
        ck_assert(isnan(norm));
        OK(X(mat_spnm1)(a, &norm));
        ck_assert(isnan(norm));
        OK(X(mat_get_diag)(a, d));
        ck_assert(isnan(RE(d[2])) && RE(d[4]) == -INFINITY && isfinite(RE(d[1])));
        OK(X(mat_rowsum)(a, d));
        ck_assert(isnan(RE(d[2])) && RE(d[4]) == -INFINITY && isfinite(RE(d[1])) && isfinite(RE(d[3])));
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- values --- */

START_TEST(scaling)
    {
        T left[MOST], right[MOST], t = MAKE(0.3, -2);
        random_vector(MOST, left, 5);
        random_vector(MOST, right, 6);
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            OK(X(mat_scal)(a, t));
            for (psb_epk e = 0; e < s->mat.nnz; e++)
                s->val[e] = t * s->val[e];
            struct dense d = dense_of_coo(s);
            dense_is(a, &d, "scal");
            dense_free(&d);
            OK(X(mat_scalv)(a, left, 'L'));
            for (psb_epk e = 0; e < s->mat.nnz; e++)
                s->val[e] = left[s->ia[e]] * s->val[e];
            d = dense_of_coo(s);
            dense_is(a, &d, "scalv L");
            dense_free(&d);
            OK(X(mat_scalv)(a, right, 'R'));
            for (psb_epk e = 0; e < s->mat.nnz; e++)
                s->val[e] = s->val[e] * right[s->ja[e]];
            d = dense_of_coo(s);
            dense_is(a, &d, "scalv R");
            OK(X(mat_zero_vals)(a));
            for (int e = 0; e < d.m * d.n; e++)
                d.v[e] = 0;
            dense_is(a, &d, "zero_vals");
            OK(X(mat_clean_zeros)(a));
            memset(d.times, 0, (size_t)(d.m * d.n) * sizeof *d.times);
            dense_is(a, &d, "clean_zeros");
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

static const char *not_square(const struct dense *d)
{
    static char words[80];
    snprintf(words, sizeof words, "argument a is %d x %d; expected a square matrix", (int)d->m, (int)d->n);
    return words;
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

START_TEST(adding_a_multiple_of_identity)
    {
        const T t = MAKE(-0.5, 1);
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            if (d.m != d.n)
                FAILS(X(mat_scalpid)(a, t), PSB_EARG, not_square(&d));
            else {
                scale_and_add_identity(&d, t);
                OK(X(mat_scalpid)(a, t));
            }
            dense_is(a, &d, "scalpid");
            ck_assert(X(mat_is_asb)(a));
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

START_TEST(zeros_are_removed)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            for (psb_epk e = 0; e < s->mat.nnz; e += 3)
                s->val[e] = e % 2 ? 0 : -s->val[0] * 0;
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            dense_is(a, &d, "with zeros");
            for (int e = 0; e < d.m * d.n; e++)
                d.times[e] = d.v[e] != 0;
            OK(X(mat_clean_zeros)(a));
            dense_is(a, &d, "without");
            OK(X(mat_clean_zeros)(a));
            dense_is(a, &d, "again");
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* The unit diagonal is included in results and in parts. */
START_TEST(unit_triangle_diagonal)
    {
        struct X(coo_mat) *s = sample(FULL, 9, 9);
        struct X(mat) *full = in_format(s, _i), *a, *b;
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
        X(mat_free)(b);
        X(mat_free)(a);
        X(mat_free)(full);
        X(mat_free)(&s->mat);
    }
END_TEST

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

START_TEST(new_values)
    {
        const enum psb_dupl how[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE };
        for (int q = 2 * FEW - 1; q >= 0; q -= ck_step(2 * FEW)) {
            struct X(coo_mat) *s = few(q / 2, 1);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            for (uint64_t seed = 1; seed < 4; seed++) {
                struct puts p = random_puts(s, seed);
                OK(X(mat_csput)(a, p.n, p.i, p.j, p.v, how[q % 2]));
                put_dense(&d, &p, how[q % 2]);
                dense_is(a, &d, "csput");
            }
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* All values of a matrix by rows, as in an assembly. */
START_TEST(refill)
    {
        struct X(coo_mat) *s = sample(DENSE_ROW, 65, 40);
        OK(X(coo_fix)(s, PSB_DUPL_ADD));
        struct X(mat) *a = in_format(s, _i);
        OK(X(mat_reinit)(a, 1));
        ck_assert(X(mat_is_upd)(a));
        OK(X(mat_csput)(a, s->mat.nnz, s->ia, s->ja, s->val, PSB_DUPL_ADD));
        OK(X(mat_asb)(a, PSB_DUPL_ADD));
        ck_assert(X(mat_is_asb)(a));
        struct dense d = dense_of_coo(s);
        dense_is(a, &d, "refilled");
        OK(X(mat_reinit)(a, 0));
        dense_is(a, &d, "not cleared");
        dense_free(&d);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(missing_entries)
    {
        struct X(coo_mat) *s = sample(TRIDIAG, 12, 12);
        struct X(mat) *a = in_format(s, _i);
        struct dense d = dense_of_coo(s);
        psb_ipk i[] = { 3, 3, 3, 9, 5 }, j[] = { 2, 3, 4, 0, 5 };
        const T v[] = { 1, 2, 3, 4, 5 };
        FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG,
              "entry 3, row 9, column 0, is not in the pattern");
        dense_is(a, &d, "after a refusal");
        j[3] = 11;
        FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_OVERWRITE), PSB_EARG, "row 9, column 11");
        dense_is(a, &d, "after a refusal");
        i[3] = 12;
        FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG,
              "argument ia[3] is 12; expected 0 <= ia < 12");
        i[3] = -1;
        FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG, "argument ia[3] is -1");
        i[3] = 11, j[3] = 12;
        FAILS(X(mat_csput)(a, 5, i, j, v, PSB_DUPL_ADD), PSB_EARG,
              "argument ja[3] is 12; expected 0 <= ja < 12");
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
        dense_free(&d);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- parts --- */

/* The entries of d in block b with low <= j - i <= high; indices are those of d or (shift) of the block. */
static struct dense cut(const struct dense *d, struct psb_block b, int low, int high, int shift)
{
    struct dense c = shift ? dense_new(b.imax - b.imin, b.jmax - b.jmin) : dense_new(d->m, d->n);
    for (psb_ipk i = b.imin; i < b.imax; i++)
        for (psb_ipk j = b.jmin; j < b.jmax; j++)
            if (d->times[i * d->n + j] && j - i >= low && j - i <= high)
                dense_put(&c, shift ? i - b.imin : i, shift ? j - b.jmin : j, d->v[i * d->n + j]);
    return c;
}

static void check_halves(struct X(mat) *a, const struct dense *d, int k, struct psb_block b, int whole)
{
    struct X(mat) *l, *u, *l2, *u2, *alone;
    struct dense low = cut(d, b, -1000, k, 1), high = cut(d, b, k + 1, 1000, 1);
    const struct psb_block *range = whole ? NULL : &b;
    OK(X(mat_tril)(a, k, range, &l, &u));
    OK(X(mat_triu)(a, k + 1, range, &u2, &l2));
    dense_is(l, &low, "tril");
    dense_is(u, &high, "the rest of tril");
    dense_is(u2, &high, "triu");
    dense_is(l2, &low, "the rest of triu");
    int square = b.imin == b.jmin && b.imax == b.jmax;
    ck_assert_int_eq(X(mat_is_lower)(l), square && k <= 0);
    ck_assert_int_eq(X(mat_is_upper)(u), square && k >= -1);
    ck_assert_ptr_eq(l->ops, a->ops);
    X(mat_free)(l2);
    X(mat_free)(u2);
    OK(X(mat_tril)(a, k, range, &alone, NULL));
    dense_is(alone, &low, "tril alone");
    X(mat_free)(alone);
    OK(X(mat_triu)(a, k + 1, range, &alone, NULL));
    dense_is(alone, &high, "triu alone");
    X(mat_free)(alone);
    X(mat_free)(l);
    X(mat_free)(u);
    dense_free(&low);
    dense_free(&high);
}

/* The whole matrix, and some blocks. */
static struct psb_block block_of(const struct dense *d, int k)
{
    const struct psb_block b[] = {
        { 0, d->m, 0, d->n },
        { d->m / 4, d->m - d->m / 3, 0, d->n },
        { 0, d->m, d->n / 3, d->n - d->n / 4 },
        { d->m / 2, d->m / 2, d->n / 2, d->n },
    };
    return b[k];
}

START_TEST(triangles)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            for (int q = -3; q < 4; q++)
                check_halves(a, &d, q, block_of(&d, 0), q > 0);
            for (int b = 1; b < 4; b++)
                check_halves(a, &d, b - 2, block_of(&d, b), 0);
            dense_is(a, &d, "the source matrix");
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

static void check_block(struct X(mat) *a, const struct dense *d, struct psb_block b)
{
    for (int shift = 0; shift < 2; shift++) {
        struct dense c = cut(d, b, -1000, 1000, shift);
        struct X(mat) *got;
        OK(X(mat_csclip)(a, &b, shift, &got));
        dense_is(got, &c, "csclip");
        dense_free(&c);
        X(mat_free)(got);
    }
}

static void check_get(struct X(mat) *a, const struct dense *d, struct psb_block b)
{
    struct dense c = cut(d, b, -1000, 1000, 0), got = dense_new(d->m, d->n);
    psb_ipk ia[MOST * MOST], ja[MOST * MOST];
    psb_epk n = -1, again = -1;
    T val[MOST * MOST];
    OK(X(mat_csget)(a, &b, 0, NULL, NULL, NULL, &n));
    ck_assert(n >= 0 && n <= a->nnz);
    OK(X(mat_csget)(a, &b, n, ia, ja, val, &again));
    ck_assert_int_eq(n, again);
    for (psb_epk k = 0; k < n; k++) {
        ck_assert(k == 0 || ia[k] > ia[k - 1] || (ia[k] == ia[k - 1] && ja[k] > ja[k - 1]));
        dense_put(&got, ia[k], ja[k], val[k]);
    }
    ck_assert(memcmp(got.v, c.v, (size_t)(d->m * d->n) * sizeof *c.v) == 0);
    ck_assert(memcmp(got.times, c.times, (size_t)(d->m * d->n) * sizeof *c.times) == 0);
    if (n > 0) {
        again = -5;
        FAILS(X(mat_csget)(a, &b, n - 1, ia, NULL, NULL, &again), PSB_EARG, "expected room for");
        ck_assert_int_eq(again, -5);
        OK(X(mat_csget)(a, &b, n, NULL, ja, NULL, &again));
    }
    dense_free(&got);
    dense_free(&c);
}

static void check_rows(struct X(mat) *a, const struct dense *d)
{
    psb_epk ptr[MOST + 1], n;
    psb_ipk lo = d->m / 3, hi = d->m - d->m / 4;
    OK(X(mat_get_ptr)(a, lo, hi, ptr));
    ck_assert_int_eq(ptr[0], 0);
    for (psb_ipk i = lo; i < hi; i++) {
        int want = 0;
        for (psb_ipk j = 0; j < d->n; j++)
            want += d->times[i * d->n + j];
        ck_assert_int_eq(ptr[i - lo + 1] - ptr[i - lo], want);
        OK(X(mat_get_nz_row)(a, i, &n));
        ck_assert_int_eq(n, want);
    }
}

START_TEST(blocks_and_rows_of_entries)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            for (int b = 0; b < 4; b++) {
                check_block(a, &d, block_of(&d, b));
                check_get(a, &d, block_of(&d, b));
            }
            check_rows(a, &d);
            dense_is(a, &d, "the source matrix");
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

static struct dense dense_transposed(const struct dense *d, int conjugate)
{
    struct dense t = dense_new(d->n, d->m);
    for (psb_ipk i = 0; i < d->m; i++)
        for (psb_ipk j = 0; j < d->n; j++)
            if (d->times[i * d->n + j])
                dense_put(&t, j, i, conjugate ? CONJ(d->v[i * d->n + j]) : d->v[i * d->n + j]);
    return t;
}

START_TEST(transposes)
    {
        for (int k = 2 * FEW - 1; k >= 0; k -= ck_step(2 * FEW)) {
            struct X(coo_mat) *s = few(k / 2, 1);
            struct X(mat) *a = in_format(s, _i), *b;
            struct dense d = dense_of_coo(s), t = dense_transposed(&d, k % 2);
            OK(X(mat_set_triangle)(a, 1));
            OK(X(mat_set_upper)(a, 1));
            OK(k % 2 ? X(mat_transc)(a, &b) : X(mat_transp)(a, &b));
            dense_is(b, &t, "transposed");
            ck_assert(X(mat_is_lower)(b) && X(mat_is_upper)(a) && X(mat_is_asb)(b));
            ck_assert_ptr_eq(b->ops, a->ops);
            dense_is(a, &d, "the source matrix");
            OK(k % 2 ? X(mat_transc_ip)(a) : X(mat_transp_ip)(a));
            dense_is(a, &t, "transposed in place");
            ck_assert(X(mat_is_lower)(a));
            dense_free(&t);
            dense_free(&d);
            X(mat_free)(b);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

START_TEST(clip_diagonal)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i), *b;
            struct dense d = dense_of_coo(s);
            OK(X(mat_clip_diag)(a, &b));
            dense_is(a, &d, "the source matrix");
            for (psb_ipk i = 0; i < d.m && i < d.n; i++) {
                d.v[i * d.n + i] = 0;
                d.times[i * d.n + i] = 0;
            }
            dense_is(b, &d, "clip_diag");
            dense_free(&d);
            X(mat_free)(b);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* reached_cols[j]: row i reaches column j in 1 to lev steps. */
static void reached(const struct dense *d, psb_ipk i, int lev, int *reached_cols)
{
    int now[MOST] = { 0 }, next[MOST];
    memset(reached_cols, 0, MOST * sizeof *reached_cols);
    now[i] = 1;
    for (; lev > 0; lev--) {
        memset(next, 0, sizeof next);
        for (psb_ipk r = 0; r < d->m; r++)
            for (psb_ipk j = 0; now[r] && j < d->n; j++)
                next[j] |= d->times[r * d->n + j];
        for (psb_ipk j = 0; j < d->n; j++)
            reached_cols[j] |= next[j];
        memcpy(now, next, sizeof now);
    }
}

START_TEST(neighbours)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            for (psb_ipk i = 0; i < d.m; i += 5)
                for (int lev = 1; lev < 5; lev++) {
                    int reached_cols[MOST];
                    psb_ipk *idx, n, at = 0;
                    reached(&d, i, lev, reached_cols);
                    OK(X(mat_get_neigh)(a, i, lev, &idx, &n));
                    for (psb_ipk j = 0; j < d.n; j++)
                        if (reached_cols[j]) {
                            ck_assert_int_lt(at, n);
                            ck_assert_int_eq(idx[at++], j);
                        }
                    ck_assert_int_eq(at, n);
                    psb_free(idx);
                }
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- properties --- */

START_TEST(copies_and_their_flags)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i), *b;
            struct dense d = dense_of_coo(s);
            OK(X(mat_set_triangle)(a, 1));
            OK(X(mat_set_upper)(a, 1));
            if (d.m == d.n)
                OK(X(mat_set_symmetric)(a, 1));
            else {
                FAILS(X(mat_set_symmetric)(a, 1), PSB_EARG, not_square(&d));
                OK(X(mat_set_symmetric)(a, 0));
            }
            OK(X(mat_clone)(a, &b));
            ck_assert_ptr_eq(b->ops, a->ops);
            dense_is(b, &d, "clone");
            OK(X(mat_trim)(b));
            dense_is(b, &d, "trimmed");
            for (int to = 0; X(mat_format)(to); to++) {
                OK(X(mat_cscnv)(&b, X(mat_format)(to)));
                ck_assert_ptr_eq(b->ops, X(mat_format)(to)->ops);
                ck_assert(X(mat_is_upper)(b) && X(mat_is_symmetric)(b) == (d.m == d.n) &&
                          !X(mat_is_unit)(b) && X(mat_is_asb)(b));
                dense_is(b, &d, "cscnv");
            }
            OK(X(mat_cscnv)(&b, a)); /* a matrix can be a mold */
            ck_assert_ptr_eq(b->ops, a->ops);
            dense_is(b, &d, "cscnv");
            dense_is(a, &d, "the cloned matrix");
            dense_free(&d);
            X(mat_free)(b);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

START_TEST(properties)
    {
        struct X(coo_mat) *s = sample(SPREAD, 20, 33);
        struct X(mat) *a = in_format(s, _i);
        ck_assert_str_eq(X(mat_get_fmt)(a), name_of(_i));
        ck_assert_int_eq(X(mat_get_nrows)(a), 20);
        ck_assert_int_eq(X(mat_get_ncols)(a), 33);
        ck_assert_int_eq(X(mat_get_nzeros)(a), s->mat.nnz);
        ck_assert(X(mat_is_sorted)(a));
        ck_assert_int_eq(X(mat_is_by_cols)(a), a->ops == X(csc_mold).mat.ops);
        ck_assert_int_eq(X(mat_is_by_rows)(a), a->ops != X(csc_mold).mat.ops);
        ck_assert(X(mat_is_asb)(a) && !X(mat_is_bld)(a) && !X(mat_is_upd)(a) && !X(mat_is_null)(a));
        ck_assert(!X(mat_is_triangle)(a) && !X(mat_is_upper)(a) && !X(mat_is_lower)(a) && !X(mat_is_unit)(a));
        ck_assert(!X(mat_is_symmetric)(a));
        OK(X(mat_set_triangle)(a, 7));
        ck_assert(X(mat_is_triangle)(a) && X(mat_is_lower)(a) && !X(mat_is_upper)(a));
        OK(X(mat_set_lower)(a, 0));
        ck_assert(X(mat_is_upper)(a) && !X(mat_is_lower)(a));
        OK(X(mat_set_lower)(a, 1));
        ck_assert(!X(mat_is_upper)(a) && X(mat_is_lower)(a));
        OK(X(mat_set_unit)(a, 1));
        ck_assert(X(mat_is_unit)(a));
        OK(X(mat_set_triangle)(a, 0));
        ck_assert(!X(mat_is_lower)(a) && !X(mat_is_upper)(a));
        OK(X(mat_set_state)(a, PSB_MAT_UPD));
        ck_assert(X(mat_is_upd)(a));
        OK(X(mat_set_state)(a, PSB_MAT_NULL));
        ck_assert(X(mat_is_null)(a) && X(mat_is_null)(NULL));
        if (a->ops == X(coo_mold).mat.ops)
            OK(X(mat_set_state)(a, PSB_MAT_BLD));
        else
            FAILS(X(mat_set_state)(a, PSB_MAT_BLD), PSB_EARG, "argument state is PSB_MAT_BLD");
        ck_assert_uint_gt(X(mat_bytes)(a), 0);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* Number of arrays that change with the values: HYB has two parts; diagonals also have arrays about zeros and
 * gaps. */
static int arrays_of_values(const struct X(mat) *a)
{
    return strcmp(a->ops->fmt, "HYBG") == 0 ? 2 : strstr(a->ops->fmt, "DIAG") ? 3 : 1;
}

START_TEST(locations)
    {
        struct X(coo_mat) *s = sample(SPREAD, 20, 33);
        struct X(mat) *a = in_format(s, _i);
        struct dense d = dense_of_coo(s);
        ck_assert(X(mat_is_host)(a));
        ck_assert_int_eq(X(mat_is_dev)(a), 0);
        ck_assert_int_eq(X(mat_is_sync)(a), a->on == NULL);
        OK(X(mat_sync)(a));
        ck_assert(X(mat_is_host)(a) && X(mat_is_sync)(a));
        ck_assert_int_eq(X(mat_is_dev)(a), a->on != NULL);
        psb_transfers_reset();
        OK(X(mat_zero_vals)(a));
        OK(X(mat_csput)(a, s->mat.nnz, s->ia, s->ja, s->val, PSB_DUPL_ADD));
        ck_assert_int_eq(psb_transfers(NULL).gets, 0);
        ck_assert_int_eq(X(mat_is_dev)(a), 0);
        ck_assert_int_eq(X(mat_is_sync)(a), a->on == NULL);
        OK(X(mat_sync)(a)); /* only the values are transferred, not the pattern */
        ck_assert_int_eq(psb_transfers(NULL).puts, a->on ? arrays_of_values(a) : 0);
        dense_is(a, &d, "refilled");
        ck_assert(!X(mat_is_host)(NULL) && !X(mat_is_dev)(NULL) && !X(mat_is_sync)(NULL));
        dense_free(&d);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(comparisons)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i), *b;
            int equal = -1;
            OK(X(mat_cmpval)(a, MAKE(0.1, 0), 4, &equal));
            ck_assert_int_eq(equal, 1);
            for (int to = 0; X(mat_format)(to); to++) {
                OK(X(mat_convert)(a, X(mat_format)(to), &b));
                OK(X(mat_cmpmat)(a, b, 0, &equal));
                ck_assert_int_eq(equal, 1);
                X(mat_free)(b);
            }
            if (s->mat.nnz) {
                psb_epk e = s->mat.nnz / 2;
                T shift = (R)0.5;
                OK(X(mat_cmpval)(a, s->val[e], 0, &equal));
                ck_assert_int_eq(equal, s->mat.nnz == 1);
                OK(X(mat_clone)(a, &b));
                OK(X(mat_csput)(b, 1, &s->ia[e], &s->ja[e], &shift, PSB_DUPL_ADD));
                OK(X(mat_cmpmat)(a, b, (R)0.625, &equal));
                ck_assert_int_eq(equal, 1);
                OK(X(mat_cmpmat)(a, b, (R)0.375, &equal));
                ck_assert_int_eq(equal, 0);
                shift = MAKE(NAN, 0);
                OK(X(mat_csput)(b, 1, &s->ia[e], &s->ja[e], &shift, PSB_DUPL_ADD));
                OK(X(mat_cmpmat)(a, b, TMAX, &equal));
                ck_assert_int_eq(equal, 0);
                X(mat_free)(b);
            }
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- text --- */

static struct dense read_text(FILE *f, const char *const *comments)
{
    char line[256];
    int m, n, nz, i, j;
    double re, im = 0;
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_str_eq(line, CPLX ? "%%MatrixMarket matrix coordinate complex general\n"
                                : "%%MatrixMarket matrix coordinate real general\n");
    for (; *comments; comments++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
        ck_assert_str_eq(line, *comments);
    }
    ck_assert_int_eq(fscanf(f, "%d %d %d", &m, &n, &nz), 3);
    struct dense d = dense_new(m, n);
    for (; nz > 0; nz--) {
        ck_assert_int_eq(fscanf(f, "%d %d %lf", &i, &j, &re), 3);
        if (CPLX)
            ck_assert_int_eq(fscanf(f, "%lf", &im), 1);
        dense_put(&d, i - 1, j - 1, MAKE(re, im));
    }
    ck_assert_int_eq(fscanf(f, " %c", line), EOF);
    return d;
}

START_TEST(text)
    {
        static const char *const none[] = { NULL }, *const two[] = { "% one\n", "% two\n", NULL };
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            FILE *f = tmpfile();
            ck_assert_ptr_nonnull(f);
            OK(X(mat_print)(a, f, k % 2 ? "one\ntwo" : k % 3 ? NULL : ""));
            rewind(f);
            struct dense d = read_text(f, k % 2 ? two : none);
            dense_is(a, &d, "read from its text");
            dense_free(&d);
            fclose(f);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

START_TEST(text_in_a_file)
    {
        static const char *const one[] = { "% in a file\n", NULL };
        struct X(coo_mat) *s = sample(SPREAD, 7, 9);
        struct X(mat) *a = in_format(s, _i);
        char path[64];
        snprintf(path, sizeof path, "check_mat_%c_%d.mtx", LETTER, _i);
        OK(X(mat_print_path)(a, path, "in a file\n"));
        FILE *f = fopen(path, "r");
        ck_assert_ptr_nonnull(f);
        struct dense d = read_text(f, one);
        dense_is(a, &d, "read from its text");
        dense_free(&d);
        fclose(f);
        remove(path);
        FAILS(X(mat_print_path)(a, "/no/such/place", NULL), PSB_EIO, "argument path is \"/no/such/place\"");
        FAILS(X(mat_print_path)(a, NULL, NULL), PSB_EARG, "argument path ");
        FAILS(X(mat_print_path)(NULL, path, NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_print)(NULL, stdout, NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_print)(a, NULL, NULL), PSB_EARG, "argument to ");
        f = fopen("/dev/full", "w");
        if (f) {
            FAILS(X(mat_print)(a, f, NULL), PSB_EIO, "cannot write a matrix");
            fclose(f);
            FAILS(X(mat_print_path)(a, "/dev/full", NULL), PSB_EIO, "cannot write");
        }
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- assembly --- */

START_TEST(build)
    {
        struct X(mat) *a = NULL;
        const psb_ipk i[] = { 2, 0, 2, 1 }, j[] = { 3, 0, 3, 1 }, bad[] = { 0, 0, 4, 0 };
        const T v[] = { 1, 2, 3, 4 };
        FAILS(X(mat_all)(-1, 4, 0, &a), PSB_EARG, "argument m is -1");
        FAILS(X(mat_all)(3, -4, 0, &a), PSB_EARG, "argument n is -4");
        FAILS(X(mat_all)(3, 4, -2, &a), PSB_EARG, "argument nz is -2");
        FAILS(X(mat_all)(3, 4, 0, NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_all)(3, 4, INT64_MAX / 2, &a), PSB_ENOMEM, "no memory");
        ck_assert_ptr_null(a);
        OK(X(mat_all)(3, 4, 0, &a));
        ck_assert(X(mat_is_bld)(a));
        OK(X(mat_csput)(a, 4, i, j, v, PSB_DUPL_ADD));
        OK(X(mat_csput)(a, 4, i, j, v, PSB_DUPL_ADD));
        FAILS(X(mat_csput)(a, 4, i, bad, v, PSB_DUPL_ADD), PSB_EARG, "argument ja[2] is 4");
        ck_assert_int_eq(a->nnz, 8);
        FAILS(X(mat_reinit)(a, 1), PSB_ESTATE, "state BLD");
        FAILS(X(mat_asb)(a, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
        FAILS(X(mat_asb)(a, (enum psb_dupl)9), PSB_EARG, "argument dupl is 9");
        ck_assert(X(mat_is_bld)(a));
        OK(X(mat_asb)(a, PSB_DUPL_ADD));
        ck_assert(X(mat_is_asb)(a));
        struct dense d = dense_new(3, 4);
        dense_put(&d, 2, 3, 8), dense_put(&d, 0, 0, 4), dense_put(&d, 1, 1, 8);
        dense_is(a, &d, "built");
        size_t before = X(mat_bytes)(a);
        OK(X(mat_trim)(a));
        ck_assert_uint_eq(X(mat_bytes)(a), before);
        dense_is(a, &d, "trimmed");
        OK(X(mat_set_state)(a, PSB_MAT_NULL));
        FAILS(X(mat_asb)(a, PSB_DUPL_ADD), PSB_ESTATE, "state NULL");
        FAILS(X(mat_reinit)(a, 0), PSB_ESTATE, "state NULL");
        dense_free(&d);
        X(mat_free)(a);
    }
END_TEST

START_TEST(sorted_triplets)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 0), *before = few(k, 0);
            OK(X(mat_set_sorted)(&s->mat, PSB_BY_COLS));
            ck_assert(same_entries(s, before));
            for (psb_epk e = 1; e < s->mat.nnz; e++)
                ck_assert(s->ja[e - 1] < s->ja[e] || (s->ja[e - 1] == s->ja[e] && s->ia[e - 1] <= s->ia[e]));
            OK(X(mat_set_sorted)(&s->mat, PSB_BY_ROWS));
            ck_assert(same_entries(s, before));
            for (psb_epk e = 1; e < s->mat.nnz; e++)
                ck_assert(s->ia[e - 1] < s->ia[e] || (s->ia[e - 1] == s->ia[e] && s->ja[e - 1] <= s->ja[e]));
            X(mat_free)(&s->mat);
            X(mat_free)(&before->mat);
        }
    }
END_TEST

START_TEST(unsorted_triplets)
    {
        struct X(coo_mat) *s = sample(FULL, 4, 3);
        struct X(mat) *a = in_format(s, _i);
        int by_cols = a->ops == X(csc_mold).mat.ops;
        ck_assert_int_eq(X(mat_get_order)(&s->mat), PSB_UNSORTED);
        ck_assert(!X(mat_is_sorted)(&s->mat));
        OK(X(mat_set_sorted)(a, by_cols ? PSB_BY_COLS : PSB_BY_ROWS));
        if (a->ops != X(coo_mold).mat.ops)
            FAILS(X(mat_set_sorted)(a, by_cols ? PSB_BY_ROWS : PSB_BY_COLS), PSB_EARG, name_of(_i));
        FAILS(X(mat_set_sorted)(a, PSB_UNSORTED), PSB_EARG, "argument order is 0");
        FAILS(X(mat_set_sorted)(NULL, PSB_BY_ROWS), PSB_EARG, "argument a ");
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- errors --- */

START_TEST(arguments_of_queries)
    {
        struct X(coo_mat) *s = sample(SPREAD, 6, 4);
        struct X(mat) *a = in_format(s, _i);
        T d[6];
        R r[6];
        int equal = 7;
        FAILS(X(mat_get_diag)(NULL, d), PSB_EARG, "argument a ");
        FAILS(X(mat_get_diag)(a, NULL), PSB_EARG, "argument d is NULL; expected 4");
        FAILS(X(mat_rowsum)(NULL, d), PSB_EARG, "argument a ");
        FAILS(X(mat_rowsum)(a, NULL), PSB_EARG, "argument d is NULL; expected 6");
        FAILS(X(mat_colsum)(NULL, d), PSB_EARG, "argument a ");
        FAILS(X(mat_colsum)(a, NULL), PSB_EARG, "argument d is NULL; expected 4");
        FAILS(X(mat_arwsum)(NULL, r), PSB_EARG, "argument a ");
        FAILS(X(mat_arwsum)(a, NULL), PSB_EARG, "argument d ");
        FAILS(X(mat_aclsum)(NULL, r), PSB_EARG, "argument a ");
        FAILS(X(mat_aclsum)(a, NULL), PSB_EARG, "argument d ");
        FAILS(X(mat_maxval)(NULL, r), PSB_EARG, "argument a ");
        FAILS(X(mat_maxval)(a, NULL), PSB_EARG, "argument res ");
        FAILS(X(mat_spnmi)(NULL, r), PSB_EARG, "argument a ");
        FAILS(X(mat_spnmi)(a, NULL), PSB_EARG, "argument res ");
        FAILS(X(mat_spnm1)(NULL, r), PSB_EARG, "argument a ");
        FAILS(X(mat_spnm1)(a, NULL), PSB_EARG, "argument res ");
        FAILS(X(mat_cmpval)(NULL, 1, 0, &equal), PSB_EARG, "argument a ");
        FAILS(X(mat_cmpval)(a, 1, -1, &equal), PSB_EARG, "argument tol is -1");
        FAILS(X(mat_cmpval)(a, 1, (R)NAN, &equal), PSB_EARG, "argument tol is ");
        FAILS(X(mat_cmpval)(a, 1, 0, NULL), PSB_EARG, "argument equal ");
        FAILS(X(mat_cmpmat)(NULL, a, 0, &equal), PSB_EARG, "argument a ");
        FAILS(X(mat_cmpmat)(a, NULL, 0, &equal), PSB_EARG, "argument b ");
        FAILS(X(mat_cmpmat)(a, a, -2, &equal), PSB_EARG, "argument tol is -2");
        FAILS(X(mat_cmpmat)(a, a, 0, NULL), PSB_EARG, "argument equal ");
        ck_assert_int_eq(equal, 7);
        FAILS(X(mat_scal)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_scalv)(NULL, d, 'L'), PSB_EARG, "argument a ");
        FAILS(X(mat_scalv)(a, NULL, 'R'), PSB_EARG, "argument d is NULL; expected 4");
        FAILS(X(mat_scalv)(a, d, 'l'), PSB_EARG, "argument side is 'l'");
        FAILS(X(mat_scalpid)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_zero_vals)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_clean_zeros)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_make_nonunit)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_reinit)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_asb)(NULL, PSB_DUPL_ADD), PSB_EARG, "argument a ");
        FAILS(X(mat_trim)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_sync)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_set_state)(NULL, PSB_MAT_ASB), PSB_EARG, "argument a ");
        FAILS(X(mat_set_state)(a, (enum psb_mat_state)17), PSB_EARG, "argument state is 17");
        FAILS(X(mat_set_triangle)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_set_upper)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_set_lower)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_set_unit)(NULL, 1), PSB_EARG, "argument a ");
        FAILS(X(mat_set_symmetric)(NULL, 1), PSB_EARG, "argument a ");
        ck_assert_str_eq(X(mat_get_fmt)(NULL), "");
        ck_assert(X(mat_get_nrows)(NULL) == 0 && X(mat_get_ncols)(NULL) == 0 && X(mat_get_nzeros)(NULL) == 0);
        ck_assert(X(mat_get_order)(NULL) == PSB_UNSORTED && !X(mat_is_sorted)(NULL));
        ck_assert(!X(mat_is_by_rows)(NULL) && !X(mat_is_by_cols)(NULL));
        ck_assert(X(mat_bytes)(NULL) == 0 && !X(mat_can_put)(NULL));
        ck_assert(X(mat_is_null)(NULL) && !X(mat_is_bld)(NULL) && !X(mat_is_asb)(NULL));
        ck_assert(!X(mat_is_upd)(NULL) && !X(mat_is_triangle)(NULL) && !X(mat_is_upper)(NULL));
        ck_assert(!X(mat_is_lower)(NULL) && !X(mat_is_unit)(NULL) && !X(mat_is_symmetric)(NULL));
        ck_assert(!X(mat_is_host)(NULL) && !X(mat_is_dev)(NULL) && !X(mat_is_sync)(NULL));
        X(mat_free)(NULL);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(arguments_of_parts)
    {
        struct X(coo_mat) *s = sample(SPREAD, 6, 4);
        struct X(mat) *a = in_format(s, _i), *none = NULL;
        const struct psb_block rows[] = { { -1, 2, 0, 4 }, { 3, 2, 0, 4 }, { 0, 7, 0, 4 } };
        const struct psb_block cols[] = { { 0, 6, -1, 2 }, { 0, 6, 3, 2 }, { 0, 6, 0, 5 } };
        psb_ipk i[24], *idx = NULL, n;
        psb_epk nz, ptr[7];
        for (int k = 0; k < 6; k++) {
            const struct psb_block *b = k < 3 ? &rows[k] : &cols[k - 3];
            const char *what = k < 3 ? "argument block has rows " : "argument block has columns ";
            FAILS(X(mat_csclip)(a, b, 0, &none), PSB_EARG, what);
            FAILS(X(mat_tril)(a, 0, b, &none, NULL), PSB_EARG, what);
            FAILS(X(mat_triu)(a, 0, b, &none, NULL), PSB_EARG, what);
            FAILS(X(mat_csget)(a, b, 24, i, i, NULL, &nz), PSB_EARG, what);
        }
        FAILS(X(mat_csclip)(NULL, NULL, 0, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_csclip)(a, NULL, 0, NULL), PSB_EARG, "argument b ");
        FAILS(X(mat_clip_diag)(NULL, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_clip_diag)(a, NULL), PSB_EARG, "argument b ");
        FAILS(X(mat_tril)(NULL, 0, NULL, &none, NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_tril)(a, 0, NULL, NULL, &none), PSB_EARG, "argument l ");
        FAILS(X(mat_triu)(NULL, 0, NULL, &none, NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_triu)(a, 0, NULL, NULL, &none), PSB_EARG, "argument u ");
        FAILS(X(mat_csget)(NULL, NULL, 24, i, i, NULL, &nz), PSB_EARG, "argument a ");
        FAILS(X(mat_csget)(a, NULL, -3, i, i, NULL, &nz), PSB_EARG, "argument cap is -3");
        FAILS(X(mat_csget)(a, NULL, 24, i, i, NULL, NULL), PSB_EARG, "argument nz ");
        FAILS(X(mat_get_ptr)(NULL, 0, 6, ptr), PSB_EARG, "argument a ");
        FAILS(X(mat_get_ptr)(a, -1, 6, ptr), PSB_EARG, "arguments lo and hi are -1 and 6");
        FAILS(X(mat_get_ptr)(a, 4, 3, ptr), PSB_EARG, "arguments lo and hi are 4 and 3");
        FAILS(X(mat_get_ptr)(a, 0, 7, ptr), PSB_EARG, "arguments lo and hi are 0 and 7");
        FAILS(X(mat_get_ptr)(a, 0, 6, NULL), PSB_EARG, "argument ptr ");
        FAILS(X(mat_get_nz_row)(NULL, 0, &nz), PSB_EARG, "argument a ");
        FAILS(X(mat_get_nz_row)(a, 6, &nz), PSB_EARG, "argument i is 6");
        FAILS(X(mat_get_nz_row)(a, -1, &nz), PSB_EARG, "argument i is -1");
        FAILS(X(mat_get_nz_row)(a, 0, NULL), PSB_EARG, "argument nz ");
        FAILS(X(mat_get_neigh)(NULL, 0, 1, &idx, &n), PSB_EARG, "argument a ");
        FAILS(X(mat_get_neigh)(a, 6, 1, &idx, &n), PSB_EARG, "argument i is 6");
        FAILS(X(mat_get_neigh)(a, -1, 1, &idx, &n), PSB_EARG, "argument i is -1");
        FAILS(X(mat_get_neigh)(a, 0, 0, &idx, &n), PSB_EARG, "argument lev is 0");
        FAILS(X(mat_get_neigh)(a, 0, 1, NULL, &n), PSB_EARG, "argument idx ");
        FAILS(X(mat_get_neigh)(a, 0, 1, &idx, NULL), PSB_EARG, "argument n ");
        FAILS(X(mat_transp)(NULL, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_transp)(a, NULL), PSB_EARG, "argument b ");
        FAILS(X(mat_transc)(NULL, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_transc)(a, NULL), PSB_EARG, "argument b ");
        FAILS(X(mat_transp_ip)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_transc_ip)(NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_clone)(NULL, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_clone)(a, NULL), PSB_EARG, "argument b ");
        FAILS(X(mat_cscnv)(NULL, a), PSB_EARG, "argument a ");
        FAILS(X(mat_cscnv)(&none, a), PSB_EARG, "argument *a ");
        FAILS(X(mat_cscnv)(&a, NULL), PSB_EARG, "argument mold ");
        ck_assert_ptr_null(none);
        ck_assert_ptr_null(idx);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- allocation failures --- */

/* The message names the called function, not an internal one. */
START_TEST(errors_name_the_call)
    {
        struct X(coo_mat) *s = sample(DIAGONAL, 6, 6), *t = sample(TRIDIAG, 6, 6);
        struct X(mat) *a = in_format(s, _i), *b = in_format(t, _i), *none = NULL;
        const psb_ipk i = 0, j = 3;
        T d[6] = { 0 };
        FAILS(X(mat_get_diag)(a, NULL), PSB_EARG, "_mat_get_diag: ");
        FAILS(X(mat_rowsum)(a, NULL), PSB_EARG, "_mat_rowsum: ");
        FAILS(X(mat_colsum)(a, NULL), PSB_EARG, "_mat_colsum: ");
        FAILS(X(mat_arwsum)(a, NULL), PSB_EARG, "_mat_arwsum: ");
        FAILS(X(mat_aclsum)(a, NULL), PSB_EARG, "_mat_aclsum: ");
        FAILS(X(mat_transp)(NULL, &none), PSB_EARG, "_mat_transp: ");
        FAILS(X(mat_transc)(a, NULL), PSB_EARG, "_mat_transc: ");
        FAILS(X(mat_transp_ip)(NULL), PSB_EARG, "_mat_transp_ip: ");
        FAILS(X(mat_spspmm)(a, NULL, &none), PSB_EARG, "_mat_spspmm: ");
        if (X(mat_can_put)(a))
            FAILS(X(mat_csput)(a, 1, &i, &j, d, PSB_DUPL_ADD), PSB_EARG, "_mat_csput: ");
        FAILS(X(mat_cssv)(1, a, d, 0, d, 'N', 0, NULL), PSB_EARG, "_mat_cssv: ");
        OK(X(mat_set_triangle)(b, 1));
        FAILS(X(mat_cssv)(1, b, d, 0, d, 'N', 0, NULL), PSB_EARG, "_mat_cssv: ");
        FAILS(X(mat_cssm)(1, b, 1, d, 0, d, 'N', 0, NULL), PSB_EARG, "_mat_cssm: ");
        X(mat_free)(a);
        X(mat_free)(b);
        X(mat_free)(&s->mat);
        X(mat_free)(&t->mat);
    }
END_TEST

/* Every call that may allocate; each frees its result and leaves b unchanged. */
static psb_err do_scal(struct X(mat) *a)
{
    return X(mat_scal)(a, 2);
}

static psb_err do_scalpid(struct X(mat) *a)
{
    return X(mat_scalpid)(a, 2);
}

static psb_err do_zero(struct X(mat) *a)
{
    return X(mat_zero_vals)(a);
}

static psb_err do_put(struct X(mat) *a)
{
    psb_ipk i[] = { 1, 2 };
    T v[] = { 5, 6 };
    return X(mat_csput)(a, 2, i, i, v, PSB_DUPL_ADD);
}

static psb_err do_nonunit(struct X(mat) *a)
{
    a->is.triangle = a->is.unit = 1;
    psb_err e = X(mat_make_nonunit)(a);
    a->is.triangle = a->is.unit = 0;
    return e;
}

static psb_err drop(psb_err e, struct X(mat) **b)
{
    if (e == PSB_OK)
        X(mat_free)(*b);
    return e;
}

static psb_err do_transp(struct X(mat) *a)
{
    struct X(mat) *b;
    return drop(X(mat_transp)(a, &b), &b);
}

static psb_err do_transp_ip(struct X(mat) *a)
{
    return X(mat_transc_ip)(a);
}

static psb_err do_halves(struct X(mat) *a)
{
    struct X(mat) *l, *u;
    PSB_TRY(X(mat_tril)(a, 0, NULL, &l, &u));
    X(mat_free)(l);
    X(mat_free)(u);
    return PSB_OK;
}

static psb_err do_clip(struct X(mat) *a)
{
    struct X(mat) *b;
    return drop(X(mat_csclip)(a, NULL, 1, &b), &b);
}

static psb_err do_clone(struct X(mat) *a)
{
    struct X(mat) *b;
    return drop(X(mat_clone)(a, &b), &b);
}

static psb_err do_norm(struct X(mat) *a)
{
    R r;
    return X(mat_spnm1)(a, &r);
}

static psb_err do_neigh(struct X(mat) *a)
{
    psb_ipk *idx, n;
    PSB_TRY(X(mat_get_neigh)(a, 1, 2, &idx, &n));
    psb_free(idx);
    return PSB_OK;
}

static psb_err do_compare(struct X(mat) *a)
{
    int equal;
    return X(mat_cmpmat)(a, a, 0, &equal);
}

static psb_err do_print(struct X(mat) *a)
{
    FILE *f = fopen("/dev/null", "w");
    psb_err e = X(mat_print)(a, f, NULL);
    fclose(f);
    return e;
}

static psb_err do_add(struct X(mat) *a)
{
    struct X(mat) *b;
    return drop(X(mat_spaxpby)(2, a, 1, a, a, &b), &b);
}

static psb_err do_multiply(struct X(mat) *a)
{
    struct X(mat) *b;
    return drop(X(mat_spspmm)(a, a, &b), &b);
}

START_TEST(allocation_fails)
    {
        static psb_err (*const all[])(struct X(mat) *) = {
            do_scal, do_scalpid, do_zero, do_put,   do_nonunit, do_transp, do_transp_ip, do_halves,
            do_clip, do_clone,   do_norm, do_neigh, do_compare, do_print,  do_add,       do_multiply,
        };
        for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
            struct X(coo_mat) *s = sample(FULL, 33, 33);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            psb_err e = PSB_ENOMEM;
            for (long n = 1; e != PSB_OK; n++) {
                ck_assert_int_lt(n, 100);
                psb_alloc_fail_at(n);
                e = all[f](a);
                psb_alloc_fail_at(0);
                ck_assert(e == PSB_OK || e == PSB_ENOMEM);
                if (e != PSB_OK)
                    dense_is(a, &d, "after a failure");
            }
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- */

static Suite *matrices(int n)
{
    Suite *s = suite_create("matrices");
    TCase *c = ck_tcase(s, "every format");
    tcase_add_loop_test(c, sums_and_norms, 0, n);
    tcase_add_loop_test(c, errors_name_the_call, 0, n);
    tcase_add_loop_test(c, sums_of_infinities_and_nans, 0, n);
    tcase_add_loop_test(c, scaling, 0, n);
    tcase_add_loop_test(c, adding_a_multiple_of_identity, 0, n);
    tcase_add_loop_test(c, zeros_are_removed, 0, n);
    tcase_add_loop_test(c, unit_triangle_diagonal, 0, n);
    tcase_add_loop_test(c, new_values, 0, n);
    tcase_add_loop_test(c, refill, 0, n);
    tcase_add_loop_test(c, missing_entries, 0, n);
    tcase_add_loop_test(c, triangles, 0, n);
    tcase_add_loop_test(c, blocks_and_rows_of_entries, 0, n);
    tcase_add_loop_test(c, transposes, 0, n);
    tcase_add_loop_test(c, clip_diagonal, 0, n);
    tcase_add_loop_test(c, neighbours, 0, n);
    tcase_add_loop_test(c, copies_and_their_flags, 0, n);
    tcase_add_loop_test(c, properties, 0, n);
    tcase_add_loop_test(c, locations, 0, n);
    tcase_add_loop_test(c, comparisons, 0, n);
    tcase_add_loop_test(c, text, 0, n);
    tcase_add_loop_test(c, text_in_a_file, 0, n);
    tcase_add_loop_test(c, unsorted_triplets, 0, n);
    tcase_add_loop_test(c, arguments_of_queries, 0, n);
    tcase_add_loop_test(c, arguments_of_parts, 0, n);
    tcase_add_loop_test(c, allocation_fails, 0, n);
    c = ck_tcase(s, "single tests");
    tcase_add_test(c, build);
    tcase_add_test(c, sorted_triplets);
    return s;
}

int check_mat(void)
{
    psb_ctxt *ctxt;
    const int n = formats_init(&ctxt);
    return n > 0 ? ck_end(ctxt, ck_run(matrices(n))) : EXIT_FAILURE;
}
