/* check_factor_kinds.c -- test: what each kind of incomplete factors computes: L D U compared with the
 * matrix, and patterns compared with their definitions. */
#include <limits.h>
#include <string.h>
#include "check_factor.h"

/* Check that L D U is A where A, or a full matrix if `all`, has an entry. */
static void check_product(const struct X(mat) *a, const struct X(factor) *f, int all)
{
    const psb_ipk n = f->n;
    char stored[MOST_ROWS * MOST_ROWS] = { 0 };
    square d, p;
    copy_to_square(a, d, stored);
    product_of_factors(f, p);
    for (psb_ipk k = 0; k < n * n; k++)
        ck_assert_msg(!(all || stored[k]) || ABS(p[k] - d[k]) <= factor_bound(n),
                      "%s, n %d, (%d, %d): %g off", psb_factor_name(f->options.kind), n, k / n, k % n,
                      (double)ABS(p[k] - d[k]));
}

/* ILU(0), ILU(k), IC(0) and the kinds of blocks reproduce A on its pattern. */
TEST(exact_on_the_pattern)
{
    static const enum psb_factor_kind kind[] = { PSB_ILU0, PSB_ILUK, PSB_IC0, PSB_BILU0, PSB_BIC0 };
    const psb_ipk n = 1 + 3 * (_i % 13);
    MAT *a = dominant_matrix(n, is_cholesky(kind[_i / 13]), (uint64_t)_i + 1);
    FACTOR *f = factors_of_kind(a, kind[_i / 13]);
    check_product(a, f, 0);
    if (kind[_i / 13] == PSB_ILU0)
        ck_assert_int_eq(X(factor_nnz)(f), X(mat_get_nzeros)(a));
    ck_assert(X(factor_bytes)(f) >= (size_t)X(factor_nnz)(f) * sizeof(T));
}

/* With enough fill, and with blocks as large as the matrix, factors are exact. */
TEST(exact_with_fill)
{
    static const struct psb_factor_options exact[] = {
        { .kind = PSB_ILUK, .fill = MOST_ROWS, .block = 1 },
        { .kind = PSB_ILUK, .fill = INT_MAX, .block = 1 },
        { .kind = PSB_ILUT, .fill = MOST_ROWS, .block = 1 },
        { .kind = PSB_BILU0, .block = 32 },
        { .kind = PSB_BIC0, .block = 32 },
    };
    const psb_ipk n = _i % 3 ? 31 : 32;
    const struct psb_factor_options o = exact[_i / 3];
    MAT *a = dominant_matrix(n, is_cholesky(o.kind), (uint64_t)_i + 1);
    FACTOR *f = factors_with_options(a, o);
    check_product(a, f, 1);
}

/* ILU(0) by levels, and both kinds with blocks of one row. */
TEST(kinds_that_agree)
{
    struct psb_factor_options same[] = {
        { .kind = PSB_ILUK, .fill = 0, .block = 1 },
        { .kind = PSB_BILU0, .block = 1 },
        { .kind = PSB_BIC0, .block = 1 },
    };
    MAT *a = dominant_matrix(29, is_cholesky(same[_i].kind), 4);
    FACTOR *f = factors_with_options(a, same[_i]),
           *g = factors_of_kind(a, is_cholesky(same[_i].kind) ? PSB_IC0 : PSB_ILU0);
    check_same_factors(f, g);
}

/* MILU(0) keeps the sums of rows. */
TEST(milu0_row_sums)
{
    const psb_ipk n = 2 + 3 * _i;
    MAT *a = dominant_matrix(n, 0, (uint64_t)_i + 7);
    FACTOR *f = factors_of_kind(a, PSB_MILU0);
    square d, p;
    copy_to_square(a, d, NULL);
    product_of_factors(f, p);
    for (psb_ipk i = 0; i < n; i++) {
        T of_a = 0, of_p = 0;
        for (psb_ipk j = 0; j < n; j++) {
            of_a += d[i * n + j];
            of_p += p[i * n + j];
        }
        ck_assert(ABS(of_a - of_p) <= factor_bound(n));
    }
}

/* stored[...] = 1 where L, D or U has an entry. */
static void factor_pattern(const struct X(factor) *f, char *stored)
{
    square d;
    memset(stored, 0, MOST_ROWS * MOST_ROWS);
    copy_to_square(f->l, d, stored);
    if (f->u)
        copy_to_square(f->u, d, stored);
}

/* The pattern of ILU(k) by the definition of levels. */
TEST(levels_of_fill)
{
    enum { N = 25 };
    const int k = _i % 5;
    MAT *a = dominant_matrix(N, 0, (uint64_t)_i + 1);
    struct psb_factor_options o = { .kind = PSB_ILUK, .fill = k, .block = 1 };
    FACTOR *f = factors_with_options(a, o);
    char in_a[MOST_ROWS * MOST_ROWS] = { 0 }, in_f[MOST_ROWS * MOST_ROWS];
    int level[N][N], most = 0;
    square d;
    copy_to_square(a, d, in_a);
    factor_pattern(f, in_f);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            level[i][j] = in_a[i * N + j] ? 0 : 1000;
        for (int c = 0; c < i; c++)
            for (int j = c + 1; j < N; j++)
                if (level[i][c] + level[c][j] + 1 < level[i][j])
                    level[i][j] = level[i][c] + level[c][j] + 1;
        for (int j = 0; j < N; j++) {
            ck_assert_int_eq(in_f[i * N + j], level[i][j] <= k);
            most = level[i][j] < 1000 && level[i][j] > most ? level[i][j] : most;
        }
    }
    ck_assert_int_gt(most, 1);
}

/* Keep the `most` largest of the elements first .. end-1 of w that are in `in`, none below `drop`. */
static void keep_largest(const T *w, char *in, int first, int end, int most, R drop)
{
    char kept[MOST_ROWS] = { 0 };
    for (; most > 0; most--) {
        int best = -1;
        for (int j = first; j < end; j++)
            if (in[j] && !kept[j] && ABS(w[j]) >= drop && (best < 0 || ABS(w[j]) > ABS(w[best])))
                best = j;
        if (best < 0)
            break;
        kept[best] = 1;
    }
    memcpy(in + first, kept + first, (size_t)(end - first));
}

/* One row of a dense ILUT: w and `in` hold the row i of A, then those of L, D and D U.  Elements of L D and D
 * U are compared with the row of A. */
static void dense_ilut_row(int n, int i, const struct psb_factor_options *o, const T *lu, const char *lu_in,
                           T *w, char *in)
{
    int left = 0, right = 0;
    R sum = 0;
    for (int j = 0; j < n; j++) {
        sum += ABS(w[j]) * ABS(w[j]);
        left += in[j] && j < i;
        right += in[j] && j > i;
    }
    const R drop = (R)o->drop * (R)sqrt((double)sum);
    for (int c = 0; c < i; c++) {
        const T m = w[c] / lu[c * n + c];
        in[c] = in[c] && ABS(w[c]) >= drop;
        for (int j = c + 1; j < n && in[c]; j++)
            if (lu_in[c * n + j]) {
                w[j] -= m * lu[c * n + j];
                in[j] = 1;
            }
    }
    keep_largest(w, in, 0, i, left + o->fill, drop);
    keep_largest(w, in, i + 1, n, right + o->fill, drop);
    for (int j = 0; j < n; j++)
        w[j] = !in[j] ? 0 : j < i ? w[j] / lu[j * n + j] : w[j];
}

TEST(fill_by_size)
{
    static const struct psb_factor_options cases[] = {
        { .kind = PSB_ILUT, .block = 1 },
        { .kind = PSB_ILUT, .block = 1, .drop = 0.003 },
        { .kind = PSB_ILUT, .block = 1, .fill = 2, .drop = 1e-4 },
        { .kind = PSB_ILUT, .block = 1, .fill = 3 },
        { .kind = PSB_ILUT, .block = 1, .fill = 40, .drop = 0.01 },
        { .kind = PSB_ILUT, .block = 1, .fill = 40, .drop = 1 },
    };
    enum { N = 25 };
    MAT *a = dominant_matrix(N, 0, (uint64_t)_i + 1);
    FACTOR *f = factors_with_options(a, cases[_i / 3]);
    char in[MOST_ROWS * MOST_ROWS] = { 0 }, in_f[MOST_ROWS * MOST_ROWS];
    square lu, want, got;
    copy_to_square(a, lu, in);
    for (int i = 0; i < N; i++)
        dense_ilut_row(N, i, &cases[_i / 3], lu, in, lu + i * N, in + i * N);
    factor_pattern(f, in_f);
    ck_assert(memcmp(in, in_f, N * N) == 0);
    memset(want, 0, sizeof want);
    for (int i = 0; i < N; i++)
        for (int c = 0; c <= i; c++)
            for (int j = c; j < N; j++)
                want[i * N + j] += (c < i ? lu[i * N + c] : 1) * lu[c * N + j];
    product_of_factors(f, got);
    for (int k = 0; k < N * N; k++)
        ck_assert(ABS(got[k] - want[k]) <= factor_bound(N));
}

/* Rows and columns of A times powers of two: L D U is scaled alike, to the last bit.  ILUT compares entries
 * with their row of A, and MILU(0) keeps sums of rows: columns are then scaled by one number. */
TEST(powers_of_two)
{
    enum { N = 30 };
    const enum psb_factor_kind kind = (enum psb_factor_kind)(_i % PSB_NFACTORS);
    const int by_rows = kind == PSB_ILUT || kind == PSB_MILU0, range = sizeof(R) == sizeof(float) ? 15 : 200;
    struct psb_factor_options o = factor_options_of(kind);
    MAT *a = dominant_matrix(N, is_cholesky(kind), (uint64_t)_i + 1), *scaled = NULL;
    struct rng r = { (uint64_t)_i };
    T left[N], right[N];
    square p, q;
    for (int i = 0; i < N; i++) {
        left[i] = (T)ldexp(1, rng_below(&r, 2 * range) - range);
        right[i] = is_cholesky(kind) ? left[i] : by_rows ? (T)0.125 : (T)ldexp(1, rng_below(&r, range));
    }
    OK(X(mat_clone)(a, &scaled));
    OK(X(mat_scalv)(scaled, left, 'L'));
    OK(X(mat_scalv)(scaled, right, 'R'));
    o.fill = 4;
    o.drop = 0.01;
    FACTOR *f = factors_with_options(a, o), *g = factors_with_options(scaled, o);
    product_of_factors(f, p);
    product_of_factors(g, q);
    for (int k = 0; k < N * N; k++)
        ck_assert_msg(q[k] == p[k] * left[k / N] * right[k % N], "%s, (%d, %d)", psb_factor_name(kind), k / N,
                      k % N);
    ck_assert_int_eq(X(factor_nnz)(f), X(factor_nnz)(g));
}

/* The kinds of Cholesky do not read the upper triangle. */
TEST(lower_triangle_only)
{
    const enum psb_factor_kind kind = _i ? PSB_BIC0 : PSB_IC0;
    MAT *a = dominant_matrix(20, 1, 8), *lower = NULL;
    OK(X(mat_tril)(a, 0, NULL, &lower, NULL));
    OK(X(mat_set_triangle)(lower, 0));
    FACTOR *f = factors_of_kind(a, kind), *g = factors_of_kind(lower, kind);
    check_same_factors(f, g);
}

void add_factor_kinds(TCase *c)
{
    ck_add_loop_tests(c, 5 * 13, exact_on_the_pattern);
    ck_add_loop_tests(c, 5 * 3, exact_with_fill);
    ck_add_loop_tests(c, 3, kinds_that_agree);
    ck_add_loop_tests(c, 10, levels_of_fill);
    ck_add_loop_tests(c, 6 * 3, fill_by_size);
    ck_add_loop_tests(c, 3 * PSB_NFACTORS, powers_of_two);
    ck_add_loop_tests(c, 2, lower_triangle_only);
    ck_add_loop_tests(c, 12, milu0_row_sums);
}
