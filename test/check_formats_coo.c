/* check_formats_coo.c -- test: sorting and duplicates of COO; arguments of the calls that formats are
 * built with. */
#include "check_formats.h"
#include <stdio.h>
#include <string.h>

/* The last value at (i, j) in s, and the sum of all values there in the order of storage. */
static void last_and_sum(const struct X(coo_mat) *s, psb_ipk i, psb_ipk j, T *last, T *sum)
{
    int found = 0;
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (s->ia[k] == i && s->ja[k] == j) {
            *last = s->val[k];
            *sum = found++ ? *sum + s->val[k] : s->val[k];
        }
    ck_assert_int_gt(found, 0);
}

static psb_epk distinct_entries(const struct X(coo_mat) *s)
{
    psb_epk n = 0;
    for (psb_ipk i = 0; i < s->mat.nrows; i++)
        for (psb_ipk j = 0; j < s->mat.ncols; j++)
            n += has_entry(s, 'N', i, j);
    return n;
}

static void check_merged(const struct X(coo_mat) *a, const struct X(coo_mat) *s, enum psb_dupl dupl)
{
    ck_assert_int_eq(a->mat.nnz, distinct_entries(s));
    for (psb_epk k = 0; k < a->mat.nnz; k++) {
        T last = 0, sum = 0;
        last_and_sum(s, a->ia[k], a->ja[k], &last, &sum);
        ck_assert(a->val[k] == (dupl == PSB_DUPL_ADD ? sum : last));
        ck_assert(k == 0 || a->ia[k - 1] < a->ia[k] || (a->ia[k - 1] == a->ia[k] && a->ja[k - 1] < a->ja[k]));
    }
}

TEST(duplicates_are_merged)
{
    const enum psb_dupl how[] = { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE };
    for (int q = 0; q < 2; q++)
        for (int k = 0; k < 2; k++) {
            enum sample_kind kind = k ? SPREAD : TWICE;
            COO *a = sample(kind, 33, 20), *s = sample(kind, 33, 20);
            OK(X(coo_fix)(a, how[q]));
            check_merged(a, s, how[q]);
            OK(X(coo_fix)(a, how[q]));
            check_merged(a, s, how[q]);
        }
}

TEST(duplicates_are_an_error)
{
    COO *a = sample(TWICE, 33, 20), *s = sample(TWICE, 33, 20), *once = sample(FULL, 9, 8);
    FAILS(X(coo_fix)(a, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
    psb_ipk i, j;
    ck_assert_int_eq(sscanf(strstr(psb_errmsg(), "local row"), "local row %d, column %d", &i, &j), 2);
    int times = 0;
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        times += s->ia[k] == i && s->ja[k] == j;
    ck_assert_int_gt(times, 1);
    ck_assert_msg(same_entries(a, s), "the matrix changed");
    OK(X(coo_fix)(once, PSB_DUPL_ERROR));
    ck_assert_int_eq(once->mat.nnz, 72);
    ck_assert(X(coo_ordered)(once));
}

TEST(allocation_fails_in_a_sort)
{
    COO *a = sample(TWICE, 33, 20), *s = sample(TWICE, 33, 20);
    long n = 1;
    for (psb_err e = PSB_ENOMEM; e != PSB_OK; n++) {
        psb_alloc_fail_at(n);
        e = X(coo_fix)(a, PSB_DUPL_ADD);
        psb_alloc_fail_at(0);
        ck_assert(e == PSB_OK || e == PSB_ENOMEM);
        if (e != PSB_OK)
            ck_assert_msg(same_entries(a, s), "the matrix changed");
    }
    ck_assert_int_gt(n, 2);
    check_merged(a, s, PSB_DUPL_ADD);
}

/* Two entries among 2^31 rows and columns take memory for two entries. */
TEST(many_empty_rows)
{
    enum { ROWS = INT32_MAX - 1, MOST_BYTES = 1 << 20 };
    const psb_ipk ia[] = { ROWS - 1, 5 }, ja[] = { 7, ROWS / 2 };
    const T val[] = { 1, 2 };
    MAT *a = NULL;
    struct X(mat) *b[3];
    R most;
    psb_alloc_fail_above(MOST_BYTES);
    OK(X(mat_all)(ROWS, ROWS, 2, &a));
    OK(X(mat_csput)(a, 2, ia, ja, val, PSB_DUPL_ADD));
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    OK(X(mat_csput)(a, 2, ia, ja, val, PSB_DUPL_ADD));
    OK(X(mat_clone)(a, &b[0]));
    OK(X(mat_convert)(a, &X(coo_mold).mat, &b[1]));
    OK(X(mat_transp)(a, &b[2]));
    OK(X(mat_maxval)(b[2], &most));
    psb_alloc_fail_above(0);
    const struct X(coo_mat) *t = (const struct X(coo_mat) *)b[2];
    ck_assert(most == 4 && t->mat.nnz == 2);
    ck_assert(t->ia[0] == 7 && t->ja[0] == ROWS - 1 && t->val[0] == 2);
    ck_assert(t->ia[1] == ROWS / 2 && t->ja[1] == 5 && t->val[1] == 4);
    for (int k = 0; k < 3; k++)
        X(mat_free)(b[k]);
}

TEST(wrong_arguments_of_coo_and_csr_calls)
{
    COO *s = sample(SPREAD, 6, 4);
    struct X(coo_mat) *t = NULL;
    struct X(mat) *a = NULL;
    struct X(compressed) l;
    const psb_ipk i = 1;
    const T v = 1;
    FAILS(X(coo_reserve)(NULL, 1), PSB_EARG, "argument a is NULL; expected a matrix");
    FAILS(X(coo_reserve)(s, -1), PSB_EARG, "argument n is -1; expected a number of entries >= 0");
    FAILS(X(coo_append)(NULL, 1, &i, &i, &v), PSB_EARG, "argument a is NULL; expected a matrix");
    FAILS(X(coo_append)(s, -1, &i, &i, &v), PSB_EARG, "argument nz is -1; expected");
    FAILS(X(coo_append)(s, 1, NULL, &i, &v), PSB_EARG, "argument ia is NULL; expected 1 entries");
    FAILS(X(coo_append)(s, 1, &i, NULL, &v), PSB_EARG, "argument ja is NULL; expected 1 entries");
    FAILS(X(coo_append)(s, 1, &i, &i, NULL), PSB_EARG, "argument val is NULL; expected 1 entries");
    FAILS(X(coo_transposed)(NULL, &t), PSB_EARG, "argument a is NULL; expected a matrix");
    FAILS(X(coo_transposed)(s, NULL), PSB_EARG, "argument t is NULL; expected where to store");
    FAILS(X(coo_fix)(NULL, PSB_DUPL_ADD), PSB_EARG, "argument a is NULL; expected a matrix");
    FAILS(X(coo_fix)(s, (enum psb_dupl)3), PSB_EARG, "argument dupl is 3; expected one of enum psb_dupl");
    FAILS(X(csr_view)(NULL, &l, &a), PSB_EARG, "argument a is NULL; expected a matrix");
    FAILS(X(csr_view)(&s->mat, NULL, &a), PSB_EARG, "argument l is NULL; expected where to store");
    FAILS(X(csr_view)(&s->mat, &l, NULL), PSB_EARG, "argument made is NULL; expected where to store");
    FAILS(X(csr_make)(-1, 4, 1, &a, &l), PSB_EARG, "argument m is -1; expected >= 0");
    FAILS(X(csr_make)(6, -4, 1, &a, &l), PSB_EARG, "argument n is -4; expected >= 0");
    FAILS(X(csr_make)(6, 4, -2, &a, &l), PSB_EARG, "argument nnz is -2; expected >= 0");
    FAILS(X(csr_make)(6, 4, 1, NULL, &l), PSB_EARG, "argument a is NULL; expected where to store");
    FAILS(X(csr_make)(6, 4, 1, &a, NULL), PSB_EARG, "argument l is NULL; expected where to store");
    ck_assert(!a && !t);
}

void formats_coo_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "coo");
    ck_add_tests(c, duplicates_are_merged, duplicates_are_an_error, allocation_fails_in_a_sort,
                 many_empty_rows, wrong_arguments_of_coo_and_csr_calls);
}
