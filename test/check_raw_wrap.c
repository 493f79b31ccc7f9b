/* check_raw_wrap.c -- test: arrays of other libraries without copying: matrices of borrowed arrays,
 * views. */
#include <stdio.h>
#include <string.h>
#include "check_raw.h"

static const psb_epk off35[] = { 0, 3, 5, 8 }, off53[] = { 0, 2, 4, 5, 7, 8 };
static const psb_ipk col35[] = { 0, 1, 3, 1, 2, 0, 3, 4 }, row35[] = { 0, 2, 0, 1, 1, 0, 2, 2 };
static const signed char by_row35[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, by_col35[] = { 1, 6, 2, 4, 5, 3, 7, 8 };

/* roc35 as CSR or CSC in memory from psb_alloc. */
static struct X(raw_arrays) allocated_arrays(int by_cols, struct psb_raw *r)
{
    struct X(raw_arrays) s = { 0 };
    psb_ipk *idx;
    *r = (struct psb_raw){ by_cols ? PSB_RAW_CSC : PSB_RAW_CSR, 0, 32, 64, .m = 3, .n = 5, .nnz = 8 };
    OK(by_cols ? psb_copy(&s.off, off53, 6, sizeof *off53, "off")
               : psb_copy(&s.off, off35, 4, sizeof *off35, "off"));
    OK(psb_copy(&idx, by_cols ? row35 : col35, 8, sizeof *idx, "idx"));
    *(by_cols ? &s.row : &s.col) = idx;
    OK(psb_alloc(&s.val, 8, sizeof *s.val, "val"));
    for (int k = 0; k < 8; k++)
        s.val[k] = raw_example_value((by_cols ? by_col35 : by_row35)[k]);
    return s;
}

static void allocated_arrays_free(struct X(raw_arrays) *s)
{
    psb_free(s->off);
    psb_free(s->row);
    psb_free(s->col);
    psb_free(s->val);
}

TEST(matrix_of_borrowed_arrays)
{
    const int by_cols = _i % 2, take = _i / 2;
    struct psb_raw r, seen_as;
    struct X(raw_arrays) s = allocated_arrays(by_cols, &r);
    struct X(raw_const) v;
    struct X(mat) *a = NULL, *b = NULL;
    DENSE d = dense_new(3, 5);
    for (psb_ipk k = 0; k < 15; k++)
        if (roc35[k])
            dense_put(&d, k / 5, k % 5, raw_example_value(roc35[k]));
    psb_alloc_fail_at(CK_NEVER);
    OK(psb_raw_wrap(&r, &s, take ? PSB_RAW_TAKE : PSB_RAW_BORROW, &a));
    ck_assert_int_eq(ck_allocations(), 1); /* the matrix object, no array */
    ck_assert_str_eq(psb_mat_get_fmt(a), by_cols ? "CSC" : "CSR");
    ck_assert(psb_mat_is_asb(a));
    dense_is(a, &d, "wrapped");
    OK(psb_raw_view(a, &seen_as, &v));
    ck_assert(v.off == s.off && v.row == s.row && v.col == s.col && v.val == s.val);
    ck_assert(seen_as.layout == r.layout && seen_as.m == 3 && seen_as.n == 5 && seen_as.nnz == 8);
    ck_assert(seen_as.base == 0 && seen_as.idx_bits == 32 && seen_as.off_bits == 64);
    OK(psb_mat_csput(a, 1, (psb_ipk[]){ 2 }, (psb_ipk[]){ 4 }, (T[]){ 9 }, PSB_DUPL_OVERWRITE));
    ck_assert(s.val[7] == 9);
    OK(psb_mat_zero_vals(a));
    ck_assert(s.val[0] == 0 && s.val[7] == 0);
    OK(psb_mat_clone(a, &b));
    OK(psb_raw_view(b, &seen_as, &v));
    ck_assert(v.val != s.val);
    OK(psb_mat_cscnv(&a, &X(coo_mold).mat)); /* the arrays that the matrix owns are freed here */
    psb_mat_free(a);
    psb_mat_free(b);
    if (!take) {
        ck_assert(s.val[3] == 0 && ((psb_epk *)s.off)[by_cols ? 5 : 3] == 8);
        allocated_arrays_free(&s);
    }
}

/* Offsets of 32 bits are copied; all else is as with 64. */
TEST(wrap_of_short_offsets)
{
    const int by_cols = _i % 2, take = _i / 2;
    const psb_ipk n = by_cols ? 5 : 3;
    struct psb_raw r;
    struct X(raw_arrays) s = allocated_arrays(by_cols, &r);
    const psb_epk *long_off = s.off;
    int32_t *off;
    MAT *a = NULL;
    DENSE d = dense_new(3, 5);
    for (psb_ipk k = 0; k < 15; k++)
        if (roc35[k])
            dense_put(&d, k / 5, k % 5, raw_example_value(roc35[k]));
    OK(psb_alloc(&off, (size_t)n + 1, sizeof *off, "off"));
    for (psb_ipk k = 0; k <= n; k++)
        off[k] = (int32_t)long_off[k];
    psb_free(s.off);
    s.off = off;
    r.off_bits = 32;
    for (int fails = 1; fails <= 2; fails++) {
        psb_alloc_fail_at(fails);
        FAILS(psb_raw_wrap(&r, &s, take ? PSB_RAW_TAKE : PSB_RAW_BORROW, &a), PSB_ENOMEM, "no memory");
    }
    psb_alloc_fail_at(CK_NEVER);
    OK(psb_raw_wrap(&r, &s, take ? PSB_RAW_TAKE : PSB_RAW_BORROW, &a));
    ck_assert_int_eq(ck_allocations(), 2); /* the matrix object and its offsets */
    if (!take)
        off[1] = 77;
    dense_is(a, &d, "wrapped");
    OK(psb_mat_csput(a, 1, (psb_ipk[]){ 2 }, (psb_ipk[]){ 4 }, (T[]){ 9 }, PSB_DUPL_OVERWRITE));
    ck_assert(s.val[7] == 9);
    psb_mat_free(a);
    if (!take)
        allocated_arrays_free(&s);
}

TEST(wrap_of_null_arrays)
{
    psb_epk zero[3] = { 0 };
    struct psb_raw r = { PSB_RAW_CSR, 0, 32, 64, .m = 2, .n = 3 };
    struct X(raw_arrays) s = { .off = zero };
    MAT *a = NULL;
    T y[2], x[3] = { 1, 1, 1 };
    OK(psb_raw_wrap(&r, &s, PSB_RAW_BORROW, &a));
    OK(psb_mat_zero_vals(a));
    OK(psb_mat_csmv(1, a, x, 0, y, 'N'));
    ck_assert(y[0] == 0 && y[1] == 0);
}

/* The caller changes values between solves. */
TEST(solves_with_borrowed_arrays)
{
    psb_epk off[] = { 0, 1, 3 };
    psb_ipk col[] = { 0, 0, 1 };
    T val[] = { 2, 1, 4 }, x[] = { 2, 9 }, y[2];
    const struct psb_raw r = { PSB_RAW_CSR, 0, 32, 64, .m = 2, .n = 2, .nnz = 3 };
    const struct X(raw_arrays) s = { .off = off, .col = col, .val = val };
    MAT *a = NULL;
    OK(psb_raw_wrap(&r, &s, PSB_RAW_BORROW, &a));
    OK(psb_mat_set_triangle(a, 1));
    OK(X(mat_cssv)(1, a, x, 0, y, 'N', 'L', NULL));
    ck_assert(y[0] == 1 && y[1] == 2);
    val[2] = 0;
    FAILS(X(mat_cssv)(1, a, x, 0, y, 'N', 'L', NULL), PSB_EARG, "row 1 has 0 on the diagonal");
    val[2] = 8;
    OK(X(mat_cssv)(1, a, x, 0, y, 'N', 'L', NULL));
    ck_assert(y[0] == 1 && y[1] == 1);
}

static void not_wrapped(struct psb_raw r, struct X(raw_arrays) from, enum psb_raw_owner o, const char *text)
{
    struct X(mat) *a = NULL;
    FAILS(psb_raw_wrap(&r, &from, o, &a), PSB_EARG, text);
    ck_assert_ptr_null(a);
}

TEST(refused_wraps)
{
    struct psb_raw good, r;
    struct X(raw_arrays) s = allocated_arrays(_i, &good), none = s;
    const char *name = _i ? "row" : "col";
    char text[80];
    psb_ipk *idx = _i ? s.row : s.col;
    psb_epk *off = s.off;
    struct X(mat) *a = NULL;
    for (enum psb_raw_owner o = PSB_RAW_BORROW; o <= PSB_RAW_TAKE; o++) {
        not_wrapped((r = good, r.base = 1, r), s, o, "argument r->base is 1; expected 0");
        not_wrapped((r = good, r.idx_bits = 64, r), s, o, "argument r->idx_bits is 64; expected 32");
        not_wrapped((r = good, r.off_bits = 16, r), s, o, "argument r->off_bits is 16; expected 32 or 64");
        not_wrapped((r = good, r.layout = PSB_RAW_COO, r), s, o,
                    "argument r->layout is 0; expected PSB_RAW_CSR or");
        not_wrapped((r = good, r.nnz = 7, r), s, o, "is 8; expected at most 7");
        FAILS(psb_raw_wrap(NULL, &s, o, &a), PSB_EARG, "argument r is NULL");
        FAILS(psb_raw_wrap(&good, NULL, o, &a), PSB_EARG, "argument from is NULL");
        FAILS(psb_raw_wrap(&good, &s, o, (struct X(mat) **)NULL), PSB_EARG, "argument a is NULL");
        not_wrapped(good, (none = s, none.off = NULL, none), o, "argument from->off is NULL");
        not_wrapped(good, (none = s, none.val = NULL, none), o,
                    "argument from->val is NULL; expected 8 elements");
        none = s, none.row = none.col = NULL;
        snprintf(text, sizeof text, "argument from->%s is NULL; expected 8 elements", name);
        FAILS(psb_raw_wrap(&good, &none, o, &a), PSB_EARG, text);
        idx[0] = -1;
        snprintf(text, sizeof text, "argument from->%s[0] is -1; expected 0 <= %s < %d", name, name,
                 _i ? 3 : 5);
        not_wrapped(good, s, o, text);
        idx[0] = idx[1];
        snprintf(text, sizeof text, "argument from->%s[1] is %d after %d; expected them ascending", name,
                 idx[1], idx[1]);
        not_wrapped(good, s, o, text);
        idx[0] = 0;
        off[1] = -1;
        not_wrapped(good, s, o, "argument from->off[1] is -1; expected >= off[0], 0");
        off[1] = _i ? 2 : 3;
        psb_alloc_fail_at(1);
        FAILS(psb_raw_wrap(&good, &s, o, &a), PSB_ENOMEM, "no memory");
    }
    FAILS(psb_raw_wrap(&good, &s, (enum psb_raw_owner)2, &a), PSB_EARG,
          "argument owner is 2; expected PSB_RAW_BORROW or PSB_RAW_TAKE");
    ck_assert_ptr_null(a);
    allocated_arrays_free(&s);
}

/* A view has the bits that an export of the same layout writes, or is refused. */
static int check_view(struct X(mat) *a)
{
    struct psb_raw r = { .m = -7 }, s;
    struct X(raw_const) v = { 0 };
    psb_err e = psb_raw_view(a, &r, &v);
    if (e != PSB_OK) {
        ck_assert(e == PSB_ENOTIMPL && r.m == -7 && !v.off && !v.row && !v.col && !v.val);
        ck_assert_msg(strstr(psb_errmsg(), "argument a is ") != NULL, "%s", psb_errmsg());
        return 0;
    }
    s = r;
    ck_assert(r.base == 0 && r.idx_bits == 32 && r.off_bits == 64);
    check_raw_export(a, &s, &v, a->ops->fmt);
    return 1;
}

TEST(view_of_all_formats)
{
    const struct X(mat) *mold = X(mat_format)(_i);
    int views = 0, all = 0;
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 0);
        MAT *a = in_format(s, _i);
        views += check_view(a);
        all++;
    }
    const char *fmt = mold->ops->fmt;
    if (strcmp(fmt, "CSR") == 0 || strcmp(fmt, "CSC") == 0 || strcmp(fmt, "COO") == 0)
        ck_assert_int_eq(views, all);
    if (strcmp(fmt, "HLL") == 0 || strcmp(fmt, "BSR") == 0)
        ck_assert(views > 0 && views < all);
    if (strcmp(fmt, "DIA") == 0 || strcmp(fmt, "MINIMAL") == 0)
        ck_assert_int_eq(views, 0);
}

TEST(sliced_ell_without_padding)
{
    COO *s = sample(FULL, 6, 5), *t = sample(SPREAD, 6, 5);
    struct X(hll_mat) mine = X(hll_mold);
    struct X(mat) *a = NULL;
    struct psb_raw r;
    struct X(raw_const) v;
    mine.hack = 3;
    OK(psb_mat_convert(&s->mat, &mine.mat, &a));
    OK(psb_raw_view(a, &r, &v));
    ck_assert(r.layout == PSB_RAW_SELL && r.slice == 3 && r.stored == 30 && r.nnz == 30);
    ck_assert_ptr_eq(v.val, ((struct X(hll_mat) *)a)->val.host);
    ck_assert(check_view(a));
    psb_mat_free(a);
    OK(psb_mat_convert(&t->mat, &mine.mat, &a));
    FAILS(psb_raw_view(a, &r, &v), PSB_ENOTIMPL, "argument a is HLL and pads");
    psb_mat_free(a);
    OK(psb_mat_convert(&s->mat, &X(sell_mold).mat, &a));
    FAILS(psb_raw_view(a, &r, &v), PSB_ENOTIMPL, "argument a is SELL, rows sorted by length");
    psb_mat_free(a);
    FAILS(psb_raw_view(&t->mat, &r, &v), PSB_ENOTIMPL, "argument a is COO in no order");
}

void add_raw_views(TCase *c, int n)
{
    ck_add_loop_tests(c, n, view_of_all_formats);
}

void add_raw_wraps(TCase *c)
{
    ck_add_loop_tests(c, 4, matrix_of_borrowed_arrays);
    ck_add_loop_tests(c, 4, wrap_of_short_offsets);
    ck_add_tests(c, wrap_of_null_arrays, solves_with_borrowed_arrays);
    ck_add_loop_tests(c, 2, refused_wraps);
    ck_add_tests(c, sliced_ell_without_padding);
}
