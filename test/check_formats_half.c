/* check_formats_half.c -- test: CSRS, one half of a symmetric or Hermitian matrix; matrices from a half. */
#include "check_formats.h"
#include "check_ops.h"
#include "psb_testing.h"
#include <stdlib.h>
#include <string.h>

/* The half of s on and above the diagonal, or below it; the diagonal is real for PSB_HERMITIAN. */
static struct X(coo_mat) *half_of(const struct X(coo_mat) *s, enum psb_symmetry symmetry, bool upper)
{
    struct X(coo_mat) *h = new_coo(s->mat.nrows, s->mat.ncols);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (s->ia[k] == s->ja[k])
            coo_put(h, s->ia[k], s->ja[k], symmetry == PSB_HERMITIAN ? MAKE(RE(s->val[k]), 0) : s->val[k]);
        else if ((s->ia[k] < s->ja[k]) == upper)
            coo_put(h, s->ia[k], s->ja[k], s->val[k]);
    OK(X(mat_set_sorted)(&h->mat, PSB_BY_ROWS));
    OK(X(mat_set_triangle)(&h->mat, 1));
    OK(X(mat_set_upper)(&h->mat, upper));
    OK(X(mat_set_state)(&h->mat, PSB_MAT_ASB));
    return h;
}

/* h and the mirror images of its entries off the diagonal. */
static struct X(coo_mat) *whole_of(const struct X(coo_mat) *h, enum psb_symmetry symmetry)
{
    struct X(coo_mat) *a = new_coo(h->mat.nrows, h->mat.ncols);
    for (psb_epk k = 0; k < h->mat.nnz; k++) {
        coo_put(a, h->ia[k], h->ja[k], h->val[k]);
        if (h->ia[k] != h->ja[k])
            coo_put(a, h->ja[k], h->ia[k], symmetry == PSB_HERMITIAN ? CONJ(h->val[k]) : h->val[k]);
    }
    OK(X(mat_set_sorted)(&a->mat, PSB_BY_ROWS));
    return a;
}

static struct X(csrs_mat) wanting(enum psb_symmetry symmetry)
{
    struct X(csrs_mat) m = X(csrs_mold);
    m.wants = symmetry;
    return m;
}

/* --- the format --- */

static void check_half(enum sample_kind kind, psb_ipk n, enum psb_symmetry symmetry)
{
    const struct X(csrs_mat) wants = wanting(symmetry);
    COO *s = sample(kind, n, n), *h = half_of(s, symmetry, kind % 2), *all = whole_of(h, symmetry);
    for (int w = 0; w < 2; w++) {
        MAT *a = convert(&all->mat, w ? &wants.mat : &X(csrs_mold).mat);
        const struct X(csrs_mat) *got = (struct X(csrs_mat) *)a;
        if (w)
            ck_assert_int_eq(got->has, symmetry);
        ck_assert_uint_eq(got->val.bytes, (size_t)h->mat.nnz * sizeof(T));
        for (int t = 0; t < 3; t++) {
            check_format_product(a, all, 1, op_codes[t], MAKE(0.7, -1.3), MAKE(2, 1), -1, 0);
            check_format_product(a, all, 3, op_codes[t], -1, 0, -1, 0);
            check_format_product(a, all, 19, op_codes[t], 1, 1, n - 1, NAN);
        }
        check_equal(a, &X(csrs_mold).mat, all);
    }
    check_mold(&X(csrs_mold).mat, all);
}

TEST(halves)
{
    static const enum sample_kind kinds[] = { NOTHING, SPREAD, TWICE, TRIDIAG, DIAGONAL, DENSE_ROW, FULL };
    static const psb_ipk sizes[] = { 1, 2, 17, 40 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        check_half(kinds[k], sizes[(k + (size_t)_i) % 4], _i % 2 ? PSB_HERMITIAN : PSB_SYMMETRIC);
}

/* A band of 81 in 4000 rows: many blocks, each of which adds to rows of the next one. */
static struct X(coo_mat) *wide_band(void)
{
    enum { N = 4000, WIDTH = 40 };
    struct rng r = { 11 };
    COO *h = new_coo(N, N);
    for (psb_ipk i = 0; i < N; i++)
        for (psb_ipk j = i; j <= i + WIDTH && j < N; j += 1 + (i + j) % 3)
            coo_put(h, i, j, i == j ? MAKE(RE(random_scalar(&r)), 0) : random_scalar(&r));
    return whole_of(h, PSB_HERMITIAN);
}

TEST(same_bits_for_any_number_of_threads)
{
    const psb_epk grain = psb_set_thread_grain(1);
    COO *s = wide_band();
    MAT *a = convert(&s->mat, &X(csrs_mold).mat);
    const psb_ipk n = s->mat.nrows, k = _i / 3 ? 3 : 1;
    HEAP T *x = new_array((psb_epk)n * k), *first = new_array((psb_epk)n * k), *y = new_array((psb_epk)n * k);
    const size_t bytes = (size_t)(n * k) * sizeof *y;
    ck_assert_int_gt(((struct X(csrs_mat) *)a)->blocks, 8);
    ck_assert_uint_lt(2 * X(mat_bytes)(a), X(mat_bytes)(&s->mat));
    random_vector(n * k, x, 3);
    for (int p = 1; p <= 5; p++) {
        use_threads(p);
        random_vector(n * k, y, 4);
        OK(X(mat_csmm)(MAKE(0.5, 1), a, k, x, MAKE(2, -1), y, op_codes[_i % 3]));
        if (p == 1)
            memcpy(first, y, bytes);
        ck_assert(memcmp(first, y, bytes) == 0);
        check_format_product(a, s, k, op_codes[_i % 3], 1, 0, -1, 0);
    }
    use_threads(1);
    psb_set_thread_grain(grain);
}

TEST(asymmetry_is_refused)
{
    struct X(csrs_mat) m = wanting(PSB_SYMMETRIC), none = wanting((enum psb_symmetry)7);
    COO *wide = sample(SPREAD, 4, 5), *s = new_coo(5, 5), *nan = new_coo(2, 2);
    REFUSES(&wide->mat, &m.mat, PSB_EPADDING, "CSRS: the matrix is 4 x 5; expected a square one");
    REFUSES(&s->mat, &none.mat, PSB_EARG, "the mold's wants is 7; expected one of enum psb_symmetry");
    coo_put(s, 1, 3, 2);
    coo_put(s, 3, 1, 2);
    MAT *a = convert(&s->mat, &m.mat);
    coo_put(s, 4, 0, 2);
    REFUSES(&s->mat, &m.mat, PSB_EPADDING, "row 0, column 4; expected its entry there to be that of the tr");
    s->mat.nnz--;
    s->val[1] = 3;
    REFUSES(&s->mat, &m.mat, PSB_EPADDING, "CSRS: the matrix is not symmetric: row 1, column 3");
    const T v = 5;
    FAILS(X(mat_csput)(a, 1, &s->ia[0], &s->ja[0], &v, PSB_DUPL_OVERWRITE), PSB_EPADDING, "row 1, column 3");
    s->val[0] = s->val[1] = 2;
    check_equal(a, &m.mat, s);
    s->val[0] = s->val[1] = v;
    OK(X(mat_csput)(a, 2, s->ia, s->ja, s->val, PSB_DUPL_OVERWRITE));
    check_equal(a, &m.mat, s);
    m.wants = PSB_HERMITIAN;
    coo_put(s, 2, 2, MAKE(1, 1));
    if (CPLX)
        REFUSES(&s->mat, &m.mat, PSB_EPADDING, "row 2, column 2; expected its entry there to be real");
    coo_put(nan, 0, 0, MAKE(NAN, 0));
    coo_put(nan, 0, 1, MAKE(NAN, 0));
    coo_put(nan, 1, 0, MAKE(NAN, 0));
    MAT *b = convert(&nan->mat, &m.mat);
    ck_assert_int_eq(X(mat_get_nzeros)(b), 3);
    ck_assert_uint_eq(((struct X(csrs_mat) *)b)->val.bytes, 2 * sizeof(T));
}

/* What has no symmetry to keep: a triangle, a product with a diagonal; and what has. */
TEST(parts_and_sums)
{
    COO *s = sample(FULL, 9, 9), *h = half_of(s, PSB_SYMMETRIC, 1), *all = whole_of(h, PSB_SYMMETRIC);
    MAT *a = convert(&all->mat, &X(csrs_mold).mat), *u = NULL, *t = NULL;
    T d[9], want[9], x[9], y[9];
    OK(X(mat_triu)(a, 0, NULL, &u, NULL));
    ck_assert_int_eq(((struct X(csrs_mat) *)u)->has, PSB_ASYMMETRIC);
    check_equal(u, &X(csrs_mold).mat, h);
    OK(X(mat_transp)(a, &t));
    check_equal(t, &X(csrs_mold).mat, all);
    OK(X(mat_get_diag)(&all->mat, want));
    OK(X(mat_get_diag)(a, d));
    ck_assert(memcmp(d, want, sizeof d) == 0);
    OK(X(mat_scal)(a, 2));
    ck_assert_int_eq(((struct X(csrs_mat) *)a)->has, PSB_SYMMETRIC);
    OK(X(mat_scalv)(a, want, 'L'));
    ck_assert_int_eq(((struct X(csrs_mat) *)a)->has, PSB_ASYMMETRIC);
    random_vector(9, x, 1);
    OK(X(mat_cssv)(1, u, x, 0, y, 'N', 'L', NULL));
    check_format_product(u, h, 1, 'N', 1, 0, -1, 0);
}

/* --- from a half --- */

TEST(matrices_from_a_half)
{
    const enum psb_symmetry symmetry = _i % 2 ? PSB_HERMITIAN : PSB_SYMMETRIC;
    for (int kind = NOTHING; kind <= FULL; kind++)
        for (psb_ipk n = 0; n < 34; n += 11) {
            COO *s = sample((enum sample_kind)kind, n, n), *h = half_of(s, symmetry, _i / 2);
            COO *all = whole_of(h, symmetry);
            MAT *a = NULL, *b = NULL;
            OK(X(mat_from_half)(&h->mat, symmetry, &X(csrs_mold).mat, &a));
            OK(X(mat_from_half)(&h->mat, symmetry, NULL, &b));
            check_equal(a, &X(csrs_mold).mat, all);
            check_equal(b, &X(csr_mold).mat, all);
            ck_assert(!X(mat_is_triangle)(a) &&
                      X(mat_is_symmetric)(a) == (symmetry == PSB_SYMMETRIC || !CPLX));
            ck_assert_uint_eq(((struct X(csrs_mat) *)a)->val.bytes, (size_t)h->mat.nnz * sizeof(T));
        }
}

TEST(wrong_halves)
{
    COO *h = new_coo(4, 4), *wide = new_coo(4, 5);
    MAT *a = NULL;
    struct X(mat) *half = &h->mat;
    coo_put(h, 1, 2, MAKE(3, 1));
    coo_put(h, 3, 3, MAKE(1, 2));
    FAILS(X(mat_from_half)(half, PSB_SYMMETRIC, NULL, &a), PSB_EARG,
          "argument half is not marked as a triangle");
    OK(X(mat_set_triangle)(half, 1));
    FAILS(X(mat_from_half)(half, PSB_SYMMETRIC, NULL, &a), PSB_EARG,
          "argument half has an entry in row 1, column 2; expected entries on and below the diagonal");
    OK(X(mat_set_upper)(half, 1));
    if (CPLX)
        FAILS(X(mat_from_half)(half, PSB_HERMITIAN, NULL, &a), PSB_EARG,
              "argument half has the entry 1 2 in row 3 of the diagonal; expected a real number");
    FAILS(X(mat_from_half)(half, PSB_ASYMMETRIC, NULL, &a), PSB_EARG,
          "argument symmetry is 0; expected PSB_SYMM");
    FAILS(X(mat_from_half)(half, PSB_SYMMETRIC, NULL, NULL), PSB_EARG, "argument a is NULL");
    FAILS(X(mat_from_half)(NULL, PSB_SYMMETRIC, NULL, &a), PSB_EARG, "argument half is NULL");
    FAILS(X(mat_from_half)(&wide->mat, PSB_SYMMETRIC, NULL, &a), PSB_EARG,
          "argument half is 4 x 5; expected a square matrix");
    ck_assert_ptr_null(a);
    h->mat.nnz--;
    OK(X(mat_set_unit)(half, 1));
    OK(X(mat_from_half)(half, PSB_SYMMETRIC, NULL, &a));
    ck_assert_int_eq(X(mat_get_nzeros)(a), 2 + 4); /* the ones are stored */
}

void formats_half_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "halves");
    ck_add_loop_tests(c, 8, halves);
    ck_add_loop_tests(c, 6, same_bits_for_any_number_of_threads);
    ck_add_loop_tests(c, 4, matrices_from_a_half);
    ck_add_tests(c, asymmetry_is_refused, parts_and_sums, wrong_halves);
}
