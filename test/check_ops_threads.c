/* check_ops_threads.c -- test: products, conversions and sorts by several threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_ops.h"

#ifdef _OPENMP
#include <omp.h>
#endif

void use_threads(int p)
{
    (void)p;
#ifdef _OPENMP
    omp_set_num_threads(p);
#endif
}

/* --- threads --- */

/* All products with p threads: right values, and the same bits in every run with the same p. */
static void check_threads(struct X(coo_mat) *s, int format, char trans, psb_ipk k)
{
    MAT *a = in_format(s, format);
    psb_ipk m = rows_of(a, trans), n = rows_of(a, trans == 'N' ? 'T' : 'N');
    HEAP T *x = new_array(n * k), *y0 = new_array(m * k), *y = new_array(m * k), *again = new_array(m * k);
    random_vector(n * k, x, 1);
    random_vector(m * k, y0, 2);
    for (int p = 1; p < 5; p++) {
        use_threads(p);
        memcpy(y, y0, (size_t)(m * k) * sizeof *y);
        OK(X(mat_csmm)(2, a, k, x, -1, y, trans));
        check_columns(a, s, k, trans, 2, x, -1, y0, y);
        for (int times = 0; times < 3; times++) {
            memcpy(again, y0, (size_t)(m * k) * sizeof *y);
            OK(X(mat_csmm)(2, a, k, x, -1, again, trans));
            ck_assert(memcmp(y, again, (size_t)(m * k) * sizeof *y) == 0);
        }
    }
}

TEST(threaded_products)
{
    psb_epk grain = psb_set_thread_grain(8);
    struct X(coo_mat) *s[] = { sample(FULL, 97, 61), sample(SPREAD, 97, 61), sample(DENSE_ROW, 61, 97),
                               sample(DENSE_COL, 61, 3) };
    for (int q = 0; q < 4; q++) {
        for (int t = 0; t < 3; t++) {
            check_threads(s[q], _i, op_codes[t], 1);
            check_threads(s[q], _i, op_codes[t], 5);
        }
        X(mat_free)(&s[q]->mat);
    }
    psb_set_thread_grain(grain);
}

/* The triplets of s, or of its transpose, after conversion to the format and back by p threads. */
static struct X(coo_mat) *listed(struct X(coo_mat) *s, int format, int transposed, int p)
{
    use_threads(p);
    struct X(mat) *a = in_format(s, format), *b = a, *c;
    if (transposed)
        OK(X(mat_transp)(a, &b));
    OK(X(mat_convert)(b, &X(coo_mold).mat, &c));
    if (b != a)
        X(mat_free)(b);
    X(mat_free)(a);
    return (struct X(coo_mat) *)c;
}

/* Including too few entries for the number of threads, and duplicates, whose order must be kept. */
TEST(threaded_conversions)
{
    psb_epk grain = psb_set_thread_grain(2);
    struct X(coo_mat) *s[] = { sample(FULL, 97, 61),      sample(TWICE, 97, 9),     sample(TWICE, 9, 97),
                               sample(DENSE_ROW, 61, 97), sample(DENSE_COL, 97, 3), sample(NOTHING, 30, 20) };
    for (int q = 0; q < 6; q++) {
        for (int t = 0; t < 2; t++) {
            COO *one = listed(s[q], _i, t, 1);
            const size_t n = (size_t)one->mat.nnz;
            ck_assert(X(coo_ordered)(one));
            ck_assert(t || same_entries(one, s[q]));
            for (int p = 2; p < 8; p++) {
                COO *many = listed(s[q], _i, t, p);
                ck_assert_int_eq(many->mat.nnz, one->mat.nnz);
                ck_assert(n == 0 || memcmp(many->ia, one->ia, n * sizeof *one->ia) == 0);
                ck_assert(n == 0 || memcmp(many->ja, one->ja, n * sizeof *one->ja) == 0);
                ck_assert(n == 0 || memcmp(many->val, one->val, n * sizeof *one->val) == 0);
            }
        }
        X(mat_free)(&s[q]->mat);
    }
    use_threads(1);
    psb_set_thread_grain(grain);
}

/* Scale s from both sides and by a number, with p threads, and get its diagonal. */
static struct X(coo_mat) *scaled_by(struct X(coo_mat) *s, int format, int p, T *d)
{
    HEAP T *left = new_array(s->mat.nrows), *right = new_array(s->mat.ncols);
    struct X(mat) *b;
    random_vector(s->mat.nrows, left, 1);
    random_vector(s->mat.ncols, right, 2);
    use_threads(p);
    MAT *a = in_format(s, format);
    OK(X(mat_scalv)(a, left, 'L'));
    OK(X(mat_scalv)(a, right, 'R'));
    OK(X(mat_scal)(a, MAKE(0.7, -1.3)));
    OK(X(mat_get_diag)(a, d));
    OK(X(mat_convert)(a, &X(coo_mold).mat, &b));
    return (struct X(coo_mat) *)b;
}

TEST(threaded_value_operations)
{
    psb_epk grain = psb_set_thread_grain(8);
    struct X(coo_mat) *s[] = { sample(FULL, 97, 61), sample(SPREAD, 61, 97), sample(NOTHING, 30, 20) };
    for (int q = 0; q < 3; q++) {
        T d[61], e[61];
        COO *one = scaled_by(s[q], _i, 1, d);
        const psb_ipk m = s[q]->mat.nrows, n = s[q]->mat.ncols;
        for (int p = 2; p < 6; p++) {
            COO *many = scaled_by(s[q], _i, p, e);
            ck_assert(same_entries(one, many));
            ck_assert(memcmp(d, e, (size_t)(m < n ? m : n) * sizeof *d) == 0);
        }
        X(mat_free)(&s[q]->mat);
    }
    use_threads(1);
    psb_set_thread_grain(grain);
}

/* Unsorted COO: values of single entries change; a missing entry is an error. */
TEST(new_values_of_unsorted_triplets)
{
    for (int by_cols = 0; by_cols < 2; by_cols++) {
        COO *s = sample(TRIDIAG, 97, 97);
        const psb_ipk row = 0, col = 96;
        const T v = 5;
        MAT *a = NULL;
        OK(X(mat_convert)(&s->mat, &X(coo_mold).mat, &a));
        OK(X(mat_set_sorted)(a, by_cols ? PSB_BY_COLS : PSB_BY_ROWS));
        for (psb_epk k = 0; k < s->mat.nnz; k += 7) {
            OK(X(mat_csput)(a, 1, &s->ia[k], &s->ja[k], &v, PSB_DUPL_OVERWRITE));
            s->val[k] = v;
        }
        FAILS(X(mat_csput)(a, 1, &row, &col, &v, PSB_DUPL_OVERWRITE), PSB_EARG, "row 0, column 96");
        ck_assert(same_entries((struct X(coo_mat) *)a, s));
    }
}

/* Store the number of threads that add. */
static void count_threads(void *job, int t, int p, T *y)
{
    if (t == 0) {
        *(int *)job = p;
        y[0] += 1;
    }
}

/* The most threads that each have four additions per element, up to the number available. */
TEST(number_of_adding_threads)
{
    const psb_epk work[] = { 0, 79, 80, 119, 120, 160, 1000 };
    const int want[] = { 1, 1, 2, 2, 3, 4, 4 };
    psb_epk grain = psb_set_thread_grain(1);
    use_threads(4);
    for (int k = 0; k < 7; k++) {
        T y[10] = { 1 };
        int p = 0;
        OK(X(add_up)(work[k], 10, 1, y, count_threads, &p));
#ifdef _OPENMP
        ck_assert_int_eq(p, want[k]);
#else
        ck_assert(p == 1 && want[k]);
#endif
        ck_assert(y[0] == 2 && y[9] == 0);
    }
    psb_set_thread_grain(grain);
}

static void same_csr(struct X(mat) *a, struct X(mat) *b)
{
    MAT *s = NULL, *t = NULL;
    OK(X(mat_convert)(a, &X(coo_mold).mat, &s));
    OK(X(mat_convert)(b, &X(coo_mold).mat, &t));
    ck_assert(same_entries((struct X(coo_mat) *)s, (struct X(coo_mat) *)t));
}

/* One and several threads give the same matrix. */
TEST(threaded_matrix_products)
{
    psb_epk grain = psb_set_thread_grain(8);
    COO *s = sample(FULL, 97, 61), *t = sample(SPREAD, 61, 80);
    MAT *first = NULL;
    for (int p = 1; p < 5; p++) {
        use_threads(p);
        MAT *a = in_format(s, _i), *b = in_format(t, _i), *c = NULL;
        check_matrix_product(a, b, s, t);
        OK(X(mat_spspmm)(a, b, &c));
        if (!first)
            OK(X(mat_clone)(c, &first));
        same_csr(first, c);
    }
    psb_set_thread_grain(grain);
}

/* The same for sums. */
TEST(threaded_matrix_sums)
{
    psb_epk grain = psb_set_thread_grain(8);
    COO *s = sample(FULL, 97, 61), *t = sample(SPREAD, 97, 61);
    MAT *first = NULL;
    for (int p = 1; p < 5; p++) {
        use_threads(p);
        MAT *a = in_format(s, _i), *b = in_format(t, _i), *c = NULL;
        OK(X(mat_spaxpby)(MAKE(0.7, -1.3), a, MAKE(2, 1), b, NULL, &c));
        if (!first)
            OK(X(mat_clone)(c, &first));
        same_csr(first, c);
    }
    use_threads(1);
    psb_set_thread_grain(grain);
}

/* --- sorting --- */

enum shape { ANY_ORDER, ROWS_IN_ORDER, ALL_IN_ORDER };

/* Unsorted or sorted (`shape`) entries: m rows, about 12 a row; `longest` more in one row. */
static struct X(coo_mat) *unsorted_triplets(psb_ipk m, psb_ipk n, int longest, enum shape shape,
                                            uint64_t seed)
{
    struct rng r = { seed };
    struct X(mat) *a;
    OK(X(mat_all)(m, n, 0, &a));
    for (int k = 0; k < m * 6; k++) {
        psb_ipk i = shape == ANY_ORDER ? rng_below(&r, m) : k / 6;
        int many = k == 3 ? longest : 1 + rng_below(&r, 3);
        for (int e = 0; e < many; e++) {
            psb_ipk j = shape == ALL_IN_ORDER ? (psb_ipk)((psb_epk)(k % 6) * n / 6) : rng_below(&r, n);
            T v = random_scalar(&r);
            OK(X(mat_csput)(a, 1, &i, &j, &v, PSB_DUPL_ADD));
        }
    }
    return (struct X(coo_mat) *)a;
}

/* Compare with a stable merge of s, one place after the other. */
static void check_fixed(const struct X(coo_mat) *a, const struct X(coo_mat) *s, enum psb_dupl dupl)
{
    DENSE d = dense_new(s->mat.nrows, s->mat.ncols);
    psb_epk places = 0;
    for (psb_epk k = 0; k < s->mat.nnz; k++) {
        T *v = &d.v[s->ia[k] * d.n + s->ja[k]];
        int *times = &d.times[s->ia[k] * d.n + s->ja[k]];
        *v = *times && dupl == PSB_DUPL_ADD ? *v + s->val[k] : s->val[k];
        places += !*times;
        *times = 1;
    }
    ck_assert_int_eq(a->mat.nnz, places);
    for (psb_epk k = 0; k < places; k++) {
        int ordered = k == 0 || a->ia[k - 1] < a->ia[k] ||
                      (a->ia[k - 1] == a->ia[k] && a->ja[k - 1] < a->ja[k]);
        if (!ordered || a->val[k] != d.v[a->ia[k] * d.n + a->ja[k]])
            ck_abort_msg("entry %d, row %d, column %d", (int)k, a->ia[k], a->ja[k]);
    }
}

TEST(sorting_of_triplets)
{
    psb_epk grain = psb_set_thread_grain(16);
    for (int q = 0; q < 3 * 4 * 4 * 2; q++) {
        const int longest[] = { 3, 24, 25, 300 };
        enum shape shape = (enum shape)(q % 3);
        enum psb_dupl how = q / 48 ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD;
        use_threads(1 + q / 3 % 4);
        COO *a = unsorted_triplets(50, 90, longest[q / 12 % 4], shape, (uint64_t)q);
        COO *s = unsorted_triplets(50, 90, longest[q / 12 % 4], shape, (uint64_t)q);
        psb_alloc_fail_at(1);
        psb_err e = X(coo_fix)(a, how);
        psb_alloc_fail_at(0);
        if (e != PSB_OK) {
            ck_assert(same_entries(a, s));
            FAILS(X(coo_fix)(a, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
            for (psb_epk k = 0; k < s->mat.nnz; k++)
                if (a->ia[k] != s->ia[k] || a->ja[k] != s->ja[k] || a->val[k] != s->val[k])
                    ck_abort_msg("a refusal moved entry %d", (int)k);
            OK(X(coo_fix)(a, how));
        }
        check_fixed(a, s, how);
    }
    psb_set_thread_grain(grain);
}

void ops_threads_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "threads");
    ck_add_loop_tests(c, n, threaded_products, threaded_conversions, threaded_value_operations,
                      threaded_matrix_products, threaded_matrix_sums);
    ck_add_tests(c, number_of_adding_threads, new_values_of_unsorted_triplets, sorting_of_triplets);
}
