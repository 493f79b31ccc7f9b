/* check_factor_errors.c -- test: incomplete factors: wrong arguments, matrices without rows or with
 * entries stored twice, and failing allocations. */
#include <string.h>
#include "check_factor.h"

TEST(wrong_arguments)
{
    MAT *a = dominant_matrix(6, 0, 3), *wide = NULL;
    VECT *x = NULL, *little = NULL, *two = NULL;
    struct X(factor) *f = factors_of_kind(a, PSB_ILU0), *none = NULL;
    struct psb_factor_options o = psb_factor_defaults;
    OK(X(mat_all)(3, 4, 0, &wide));
    OK(X(vect_new)(&x, 6, NULL));
    OK(X(vect_new)(&little, 5, NULL));
    OK(X(vect_new_n)(&two, 6, 2, NULL));
    FAILS(X(factor_bld)(NULL, NULL, NULL, NULL, NULL, &none), PSB_EARG, "argument a is NULL");
    FAILS(X(factor_bld)(a, NULL, NULL, NULL, NULL, NULL), PSB_EARG, "argument f is NULL");
    FAILS(X(factor_bld)(wide, NULL, NULL, NULL, NULL, &none), PSB_EARG, "argument a is 3 by 4");
    o.fill = -1;
    FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &none), PSB_EARG, "option fill is -1");
    FAILS(X(factor_solve)(NULL, x, x, 'N', 0), PSB_EARG, "argument f is NULL");
    FAILS(X(factor_solve)(f, NULL, x, 'N', 0), PSB_EARG, "argument x is NULL");
    FAILS(X(factor_solve)(f, x, little, 'N', 0), PSB_EARG, "y (5); expected at least 6");
    FAILS(X(factor_solve)(f, x, two, 'N', 0), PSB_EARG, "y (2) differ");
    FAILS(X(factor_solve)(f, x, x, 'H', 0), PSB_EARG, "trans is 'H'");
    FAILS(X(factor_solve)(f, x, x, 'N', -1), PSB_EARG, "sweeps is -1");
    ck_assert_ptr_null(none);
    ck_assert_int_eq(X(factor_nnz)(NULL), 0);
    X(factor_free)(NULL);
    X(factor_free)(f);
    X(factor_free)(f);
    ck_assert_ptr_nonnull(strstr(psb_errmsg(), "psb_factor_free"));
}

TEST(no_rows)
{
    MAT *a = NULL;
    OK(X(mat_all)(0, 0, 0, &a));
    FACTOR *f = factors_of_kind(a, (enum psb_factor_kind)_i);
    VECT *x = NULL;
    OK(X(vect_new)(&x, 0, NULL));
    OK(X(factor_solve)(f, x, x, 'N', 0));
    OK(X(factor_solve)(f, x, x, 'T', 2));
}

TEST(entries_stored_twice)
{
    COO *t = sample(TWICE, 12, 12);
    struct psb_factor_options o = factor_options_of((enum psb_factor_kind)_i);
    struct X(factor) *f = NULL;
    MAT *a = convert(&t->mat, &X(csr_mold).mat);
    FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EARG, "twice; expected each entry once");
    ck_assert_ptr_null(f);
}

/* Each allocation that fails is an error without effect: of new factors, of renewals, of solves. */
TEST(allocation_fails)
{
    enum { BUILD, RENEW, SOLVE, END };
    const enum psb_factor_kind kind = (enum psb_factor_kind)(_i % PSB_NFACTORS);
    const struct psb_factor_options o = factor_options_of(kind);
    const struct X(mat) *mold = _i < PSB_NFACTORS ? NULL : &X(coo_mold).mat;
    MAT *a = dominant_matrix(12, is_cholesky(kind), 3);
    FACTOR *f = NULL, *g = NULL, *h = NULL;
    VECT *x = NULL;
    OK(X(vect_new)(&x, 12, NULL));
    OK(X(factor_bld)(a, &o, NULL, mold, NULL, &g));
    OK(X(factor_bld)(a, &o, NULL, mold, NULL, &h));
    OK(X(mat_scal)(a, 2));
    for (int step = BUILD; step < END; step++) {
        psb_err e = PSB_ENOMEM;
        for (long n = 1; n < 300 && e != PSB_OK; n++) {
            psb_alloc_fail_at(n);
            e = step == BUILD   ? X(factor_bld)(a, &o, NULL, mold, NULL, &f)
                : step == RENEW ? X(factor_renew)(g, a, NULL)
                                : X(factor_solve)(g, x, x, 'C', 2);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            if (step == BUILD)
                ck_assert((e == PSB_OK) == (f != NULL));
            if (e != PSB_OK)
                check_same_factors(g, step == SOLVE ? f : h);
        }
        ck_assert_int_eq(e, PSB_OK);
    }
    check_same_factors(f, g);
}

void add_factor_errors(Suite *s)
{
    TCase *c = ck_tcase(s, "arguments");
    ck_add_tests(c, wrong_arguments);
    ck_add_loop_tests(c, PSB_NFACTORS, no_rows, entries_stored_twice);
    ck_add_loop_tests(c, 2 * PSB_NFACTORS, allocation_fails);
}
