/* check_factor_pivots.c -- test: incomplete factors: pivots that are missing, small, or not finite. */
#include "check_factor.h"
#include "distributed.h"

/* An n x n matrix of nz entries. */
static struct X(mat) *matrix_of(psb_ipk n, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val)
{
    COO *a = new_coo(n, n);
    OK(X(coo_append)(a, nz, ia, ja, val));
    OK(X(mat_asb)(&a->mat, PSB_DUPL_ADD));
    return convert(&a->mat, &X(csr_mold).mat);
}

struct X(mat) *three_row_matrix(T d, int missing)
{
    const psb_ipk ia[] = { 0, 0, 1, 1, 2, 2, 1 }, ja[] = { 0, 1, 0, 2, 1, 2, 1 };
    const T val[] = { 2, 1, 4, 1, 1, 3, d };
    return matrix_of(3, missing ? 6 : 7, ia, ja, val);
}

struct X(mat) *hermitian_pair(T d)
{
    return matrix_of(2, 4, (psb_ipk[]){ 0, 0, 1, 1 }, (psb_ipk[]){ 0, 1, 0, 1 }, (T[]){ 4, 2, 2, d });
}

static void check_second_pivot(const struct X(factor) *f, double want)
{
    const T *inv;
    OK(X(host_read)(f->inv, &inv));
    ck_assert(ABS(inv[1] - (T)(1 / want)) <= 10 * EPS / (R)want);
}

const struct pivot_case pivot_cases[PIVOT_CASES] = {
    { 2, 0, "row 1 has the pivot 0; expected another one", 0, 0 },
    { 2, 0.1, NULL, 1, 0 },
    { 2.25, 0.1, NULL, 1, 0 },
    { 2.75, 0.1, NULL, 0, 0 },
    { 2.25, 0, NULL, 0, 0 },
    { NAN, 0, "row 1 has a pivot of modulus", 0, 0 },
    { NAN, 0.1, "row 1 has a pivot of modulus", 0, 0 },
    { INFINITY, 0.1, "row 1 has a pivot of modulus inf", 0, 0 },
    { 0, 0, "row 1 has no entry on the diagonal", 0, 1 },
    { 0, 0.1, "row 1 has no entry on the diagonal", 0, 1 },
};

TEST(pivots)
{
    const struct pivot_case *q = &pivot_cases[_i];
    MAT *a = three_row_matrix((T)q->d, q->missing);
    struct psb_factor_options o = psb_factor_defaults;
    FACTOR *f = NULL;
    o.tiny = q->tiny;
    if (q->message) {
        FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EPIVOT, "%s", q->message);
        ck_assert_ptr_null(f);
    } else {
        OK(X(factor_bld)(a, &o, NULL, NULL, NULL, &f));
        ck_assert_int_eq(X(factor_boosted)(f), q->boosted);
        check_second_pivot(f, q->boosted ? 0.1 * 4 : q->d - 2);
    }
}

/* The Hermitian matrix of two rows [4 2; 2 d], whose second pivot is d - 1. */
TEST(cholesky_pivots)
{
    static const struct {
        double re, im, tiny;
        const char *message;
        psb_epk boosted;
    } cases[] = {
        { 2, 0, 0, NULL, 0 },
        { 1, 0, 0, "row 1 has the pivot 0; expected a positive one: the matrix is not positive definite", 0 },
        { 0.5, 0, 0, "row 1 has the pivot -0.5; expected a positive one", 0 },
        { 1, 0, 0.01, NULL, 1 },
        { 1 - 1e-3, 0, 0.01, NULL, 1 },
        { 0.5, 0, 0.01, "row 1 has the pivot -0.5; expected a positive one", 0 },
        { NAN, 0, 0.01, "row 1 has the pivot nan; expected finite numbers", 0 },
        { INFINITY, 0, 0, "row 1 has the pivot inf; expected finite numbers", 0 },
        { 2, 1e-3, 0.01, "row 1 has a diagonal entry with imaginary part 0.001", 0 },
    };
    const int is_error = cases[_i].message && (CPLX || cases[_i].im == 0);
    struct psb_factor_options o = { .kind = PSB_IC0, .block = 1, .tiny = cases[_i].tiny };
    for (; o.kind <= PSB_BIC0; o.kind += PSB_BIC0 - PSB_IC0) {
        MAT *a = hermitian_pair(MAKE(cases[_i].re, cases[_i].im));
        FACTOR *f = NULL;
        if (is_error)
            FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EPIVOT, "%s", cases[_i].message);
        else
            OK(X(factor_bld)(a, &o, NULL, NULL, NULL, &f));
        if (f)
            check_second_pivot(f, cases[_i].boosted ? 0.01 * 2 : cases[_i].re - 1);
        ck_assert_int_eq(X(factor_boosted)(f), cases[_i].boosted);
    }
}

/* A row without entries has no pivot for any kind, also if pivots are replaced; messages name its global
 * number. */
TEST(global_rows)
{
    const psb_lpk order[] = { 3, 1, 2, 0 };
    const psb_ipk ia[] = { 0, 1, 2 };
    const T val[] = { 1, 2, 3 };
    struct psb_factor_options o = factor_options_of((enum psb_factor_kind)(_i / 2));
    struct X(factor) *f = NULL;
    MAT *a = matrix_of(4, 3, ia, ia, val);
    DESC *rows = NULL;
    o.tiny = _i % 2 ? 0.1 : 0;
    OK(psb_cdall_vl(&rows, ctxt, me == 0 ? 4 : 0, order));
    OK(psb_cdasb(rows));
    FAILS(X(factor_bld)(a, &o, rows, NULL, NULL, &f), PSB_EPIVOT, "row %d has", me == 0 ? 0 : 3);
    FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EPIVOT, "row 3 has");
    ck_assert_ptr_null(f);
}

/* Boosts are counted anew by a renewal; one that fails leaves the count. */
TEST(boosts_of_renewals)
{
    struct psb_factor_options o = psb_factor_defaults;
    MAT *none = three_row_matrix(2, 0), *one = three_row_matrix(5, 0), *bad = three_row_matrix((T)NAN, 0);
    o.tiny = 0.1;
    FACTOR *f = factors_with_options(none, o);
    ck_assert_int_eq(X(factor_boosted)(f), 1);
    OK(X(factor_renew)(f, one, NULL));
    ck_assert_int_eq(X(factor_boosted)(f), 0);
    OK(X(factor_renew)(f, none, NULL));
    FAILS(X(factor_renew)(f, bad, NULL), PSB_EPIVOT, "row 1 has a pivot of modulus nan");
    ck_assert_int_eq(X(factor_boosted)(f), 1);
}

void add_factor_pivots(TCase *c)
{
    ck_add_loop_tests(c, PIVOT_CASES, pivots);
    ck_add_loop_tests(c, 9, cholesky_pivots);
    ck_add_loop_tests(c, 2 * PSB_NFACTORS, global_rows);
    ck_add_tests(c, boosts_of_renewals);
}
