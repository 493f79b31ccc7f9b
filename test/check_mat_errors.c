/* check_mat_errors.c -- test: wrong arguments and failing allocations in calls of every format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_mat.h"

/* --- errors --- */

/* Calls of one kind. */
static const struct {
    psb_err (*call)(const struct X(mat) *, T *);
    const char *no_array;
} into_array[] = { { X(mat_get_diag), "argument d is NULL; expected 4" },
                   { X(mat_rowsum), "argument d is NULL; expected 6" },
                   { X(mat_colsum), "argument d is NULL; expected 4" } };
static psb_err (*const into_reals[])(const struct X(mat) *, R *) = { X(mat_arwsum), X(mat_aclsum),
                                                                     X(mat_maxval), X(mat_spnmi),
                                                                     X(mat_spnm1) };
static psb_err (*const into_matrix[])(const struct X(mat) *,
                                      struct X(mat) **) = { X(mat_clip_diag), X(mat_clone), X(mat_transp),
                                                            X(mat_transc) };
static psb_err (*const in_place[])(struct X(mat) *) = { X(mat_zero_vals),    X(mat_clean_zeros),
                                                        X(mat_make_nonunit), X(mat_trim),
                                                        X(mat_transp_ip),    X(mat_transc_ip) };
static psb_err (*const with_flag[])(struct X(mat) *, int) = { X(mat_set_triangle),  X(mat_set_upper),
                                                              X(mat_set_lower),     X(mat_set_unit),
                                                              X(mat_set_symmetric), X(mat_reinit) };
static int (*const is_so[])(const struct X(mat) *) = {
    X(mat_is_sorted), X(mat_is_by_rows),   X(mat_is_by_cols),  X(mat_can_put),  X(mat_is_bld),
    X(mat_is_asb),    X(mat_is_upd),       X(mat_is_triangle), X(mat_is_upper), X(mat_is_lower),
    X(mat_is_unit),   X(mat_is_symmetric), X(mat_is_host),     X(mat_is_dev),   X(mat_is_sync),
};
#define LENGTH(array) (int)(sizeof array / sizeof *array)

TEST(arguments_of_queries)
{
    COO *s = sample(SPREAD, 6, 4);
    MAT *a = in_format(s, _i);
    T d[6];
    R r[6];
    int equal = 7;
    for (int k = 0; k < LENGTH(into_array); k++) {
        FAILS(into_array[k].call(NULL, d), PSB_EARG, "argument a ");
        FAILS(into_array[k].call(a, NULL), PSB_EARG, into_array[k].no_array);
    }
    for (int k = 0; k < LENGTH(into_reals); k++) {
        FAILS(into_reals[k](NULL, r), PSB_EARG, "argument a ");
        FAILS(into_reals[k](a, NULL), PSB_EARG, k < 2 ? "argument d " : "argument res ");
    }
    for (int k = 0; k < LENGTH(in_place); k++)
        FAILS(in_place[k](NULL), PSB_EARG, "argument a ");
    for (int k = 0; k < LENGTH(with_flag); k++)
        FAILS(with_flag[k](NULL, 1), PSB_EARG, "argument a ");
    FAILS(X(mat_scal)(NULL, 1), PSB_EARG, "argument a ");
    FAILS(X(mat_scalpid)(NULL, 1), PSB_EARG, "argument a ");
    FAILS(X(mat_cmpval)(NULL, 1, 0, &equal), PSB_EARG, "argument a ");
    FAILS(X(mat_cmpval)(a, 1, -1, &equal), PSB_EARG, "argument tol is -1");
    FAILS(X(mat_cmpval)(a, 1, (R)NAN, &equal), PSB_EARG, "argument tol is ");
    FAILS(X(mat_cmpval)(a, 1, 0, NULL), PSB_EARG, "argument equal ");
    FAILS(X(mat_cmpmat)(NULL, a, 0, &equal), PSB_EARG, "argument a ");
    FAILS(X(mat_cmpmat)(a, NULL, 0, &equal), PSB_EARG, "argument b ");
    FAILS(X(mat_cmpmat)(a, a, -2, &equal), PSB_EARG, "argument tol is -2");
    FAILS(X(mat_cmpmat)(a, a, 0, NULL), PSB_EARG, "argument equal ");
    ck_assert_int_eq(equal, 7);
    FAILS(X(mat_scalv)(NULL, d, 'L'), PSB_EARG, "argument a ");
    FAILS(X(mat_scalv)(a, NULL, 'R'), PSB_EARG, "argument d is NULL; expected 4");
    FAILS(X(mat_scalv)(a, d, 'l'), PSB_EARG, "argument side is 'l'");
    FAILS(X(mat_asb)(NULL, PSB_DUPL_ADD), PSB_EARG, "argument a ");
    FAILS(X(mat_sync)(NULL), PSB_EARG, "argument a ");
    FAILS(X(mat_set_state)(NULL, PSB_MAT_ASB), PSB_EARG, "argument a ");
    FAILS(X(mat_set_state)(a, (enum psb_mat_state)17), PSB_EARG, "argument state is 17");
    ck_assert_str_eq(X(mat_get_fmt)(NULL), "");
    ck_assert(X(mat_get_nrows)(NULL) == 0 && X(mat_get_ncols)(NULL) == 0 && X(mat_get_nzeros)(NULL) == 0);
    ck_assert(X(mat_get_order)(NULL) == PSB_UNSORTED && X(mat_bytes)(NULL) == 0 && X(mat_is_null)(NULL));
    for (int k = 0; k < LENGTH(is_so); k++)
        ck_assert_msg(!is_so[k](NULL), "query %d", k);
    X(mat_free)(NULL);
}

TEST(arguments_of_parts)
{
    COO *s = sample(SPREAD, 6, 4);
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
    for (int k = 0; k < LENGTH(into_matrix); k++) {
        FAILS(into_matrix[k](NULL, &none), PSB_EARG, "argument a ");
        FAILS(into_matrix[k](a, NULL), PSB_EARG, "argument b ");
    }
    FAILS(X(mat_csclip)(NULL, NULL, 0, &none), PSB_EARG, "argument a ");
    FAILS(X(mat_csclip)(a, NULL, 0, NULL), PSB_EARG, "argument b ");
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
    FAILS(X(mat_cscnv)(NULL, a), PSB_EARG, "argument a ");
    FAILS(X(mat_cscnv)(&none, a), PSB_EARG, "argument *a ");
    FAILS(X(mat_cscnv)(&a, NULL), PSB_EARG, "argument mold ");
    ck_assert_ptr_null(none);
    ck_assert_ptr_null(idx);
    X(mat_free)(a);
}

/* --- allocation failures --- */

/* The message names the called function, not an internal one. */
TEST(errors_name_the_call)
{
    COO *s = sample(DIAGONAL, 6, 6), *t = sample(TRIDIAG, 6, 6);
    struct X(mat) *none = NULL;
    MAT *a = in_format(s, _i), *b = in_format(t, _i);
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
}

static psb_err make_nonunit(struct X(mat) *a)
{
    a->is.triangle = a->is.unit = 1;
    psb_err e = X(mat_make_nonunit)(a);
    a->is.triangle = a->is.unit = 0;
    return e;
}

static psb_err print_to_nowhere(struct X(mat) *a)
{
    FILE *f = fopen("/dev/null", "w");
    psb_err e = X(mat_print)(a, f, NULL);
    fclose(f);
    return e;
}

/* Every call that may allocate. */
enum { ALLOCATING = 16 };
static psb_err may_allocate(int call, struct X(mat) *a)
{
    MAT *b = NULL, *c = NULL;
    PSB_HEAP psb_ipk *idx = NULL;
    const psb_ipk i[] = { 1, 2 };
    const T v[] = { 5, 6 };
    psb_ipk n;
    R r;
    switch (call) {
    case 0:
        return X(mat_scal)(a, 2);
    case 1:
        return X(mat_scalpid)(a, 2);
    case 2:
        return X(mat_zero_vals)(a);
    case 3:
        return X(mat_csput)(a, 2, i, i, v, PSB_DUPL_ADD);
    case 4:
        return X(mat_transp)(a, &b);
    case 5:
        return X(mat_transc_ip)(a);
    case 6:
        return X(mat_tril)(a, 0, NULL, &b, &c);
    case 7:
        return X(mat_csclip)(a, NULL, 1, &b);
    case 8:
        return X(mat_clone)(a, &b);
    case 9:
        return X(mat_spnm1)(a, &r);
    case 10:
        return X(mat_get_neigh)(a, 1, 2, &idx, &n);
    case 11:
        return X(mat_cmpmat)(a, a, 0, &n);
    case 12:
        return X(mat_spaxpby)(2, a, 1, a, a, &b);
    case 13:
        return X(mat_spspmm)(a, a, &b);
    case 14:
        return make_nonunit(a);
    default:
        return print_to_nowhere(a);
    }
}

TEST(allocation_fails)
{
    for (int f = 0; f < ALLOCATING; f++) {
        COO *s = sample(FULL, 33, 33);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        psb_err e = PSB_ENOMEM;
        for (long n = 1; e != PSB_OK; n++) {
            ck_assert_int_lt(n, 100);
            psb_alloc_fail_at(n);
            e = may_allocate(f, a);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            if (e != PSB_OK)
                dense_is(a, &d, "after a failure");
        }
    }
}

void mat_errors_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "errors");
    ck_add_loop_tests(c, n, arguments_of_queries, arguments_of_parts, errors_name_the_call, allocation_fails);
}
