/* check_raw_errors.c -- test: arrays of other libraries: wrong descriptions, elements and arguments.
 */
#include <stdio.h>
#include <string.h>
#include "check_raw.h"

static const struct psb_raw bsr = { PSB_RAW_BSR, 0, 32, 32, PSB_BY_COLS, 2, 2, .m = 4, .n = 3, .nnz = 4 };
static const struct psb_raw sell = { PSB_RAW_SELL, 0,      32,       32,          .slice = 2,
                                     .m = 5,       .n = 4, .nnz = 8, .stored = 14 };
static const struct psb_raw hyb = { PSB_RAW_HYB, 0,      32,       .order = PSB_BY_COLS,
                                    .m = 3,      .n = 5, .nnz = 2, .width = 2 };

/* Descriptions of arrays with one wrong member. */
#define WITH(x, member, v) psb_raw_lengths((r = (x), r.member = (v), &r), &len)

TEST(descriptions)
{
    struct psb_raw r = bsr;
    struct psb_raw_sizes len = { .val = -7 };
    FAILS(psb_raw_lengths(NULL, &len), PSB_EARG, "argument r is NULL; expected what describes");
    FAILS(psb_raw_lengths(&r, NULL), PSB_EARG, "argument len is NULL; expected where");
    FAILS(WITH(bsr, layout, (enum psb_raw_layout)10), PSB_EARG, "argument r->layout is 10; expected one of");
    FAILS(WITH(bsr, layout, (enum psb_raw_layout) - 1), PSB_EARG,
          "argument r->layout is -1; expected one of");
    FAILS(WITH(bsr, base, 2), PSB_EARG, "argument r->base is 2; expected 0 or 1");
    FAILS(WITH(bsr, base, -1), PSB_EARG, "argument r->base is -1; expected 0 or 1");
    FAILS(WITH(bsr, idx_bits, 16), PSB_EARG, "argument r->idx_bits is 16; expected 32 or 64");
    FAILS(WITH(bsr, off_bits, 0), PSB_EARG, "argument r->off_bits is 0; expected 32 or 64");
    FAILS(WITH(bsr, order, PSB_UNSORTED), PSB_EARG, "argument r->order is 0; expected PSB_BY_ROWS or");
    FAILS(WITH(bsr, brows, 0), PSB_EARG, "argument r->brows is 0; expected >= 1");
    FAILS(WITH(bsr, bcols, -2), PSB_EARG, "argument r->bcols is -2; expected >= 1");
    FAILS(WITH(bsr, m, -1), PSB_EARG, "argument r->m is -1; expected >= 0");
    FAILS(WITH(bsr, n, -1), PSB_EARG, "argument r->n is -1; expected >= 0");
    FAILS(WITH(bsr, nnz, -1), PSB_EARG, "argument r->nnz is -1; expected >= 0");
    FAILS(WITH(bsr, nnz, INT64_MAX), PSB_EARG, "and less than 2^63 - 1");
    FAILS(WITH(bsr, nnz, INT64_MAX / 2), PSB_EARG, "the sizes in r ask for 4611686018427387903 times 4");
    FAILS(WITH(sell, slice, 0), PSB_EARG, "argument r->slice is 0; expected >= 1");
    FAILS(WITH(sell, stored, -1), PSB_EARG, "argument r->stored is -1; expected >= 0");
    FAILS(WITH(sell, stored, INT64_MAX), PSB_EARG, "and less than 2^63 - 1");
    FAILS(WITH(hyb, width, PSB_RAW_AUTO), PSB_EARG, "argument r->width is -1; expected >= 0");
    ck_assert_int_eq(len.val, -7);
    OK(WITH(hyb, off_bits, 0)); /* this layout has no such member */
    ck_assert(len.val == 2 && len.ell_val == 6 && len.ell_col == 6 && len.off == 0);
    OK(WITH(sell, order, PSB_UNSORTED));
    ck_assert(len.off == 4 && len.col == 14 && len.row == 0);
}

/* An example whose element k of an array is replaced by v, and the message of the import. */
static const struct wrong {
    int example;
    char array; /* 'o'ffsets, 'r'ows, 'c'olumns, 'e'll_col */
    int k, v;
    const char *words;
} wrongs[] = {
    { 0, 'r', 3, 3, "argument from->row[3] is 3; expected 0 <= row < 3" },
    { 0, 'r', 7, -1, "argument from->row[7] is -1; expected 0 <= row < 3" },
    { 0, 'c', 0, 5, "argument from->col[0] is 5; expected 0 <= col < 5" },
    { 1, 'r', 2, 3, "argument from->row[2] is 3; expected 0 <= row < 3" },
    { 1, 'r', 5, 5, "argument from->row[5] is 5; expected 0 <= row < 5" },
    { 2, 'o', 0, 1, "argument from->off[0] is 1; expected the base, 0" },
    { 2, 'o', 2, 2, "argument from->off[2] is 2; expected >= off[1], 3" },
    { 2, 'o', 1, 9, "argument from->off[1] is 9; expected at most 8" },
    { 2, 'o', 3, 7, "argument from->off[3] is 7; expected 8" },
    { 2, 'c', 4, -1, "argument from->col[4] is -1; expected 0 <= col < 5" },
    { 3, 'r', 4, 3, "argument from->row[4] is 3; expected 0 <= row < 3" },
    { 3, 'o', 5, 9, "argument from->off[5] is 9; expected at most 8" },
    { 4, 'c', 7, -2, "argument from->col[7] is -2; expected 0 <= col < 5" },
    { 6, 'e', 5, 5, "argument from->ell_col[5] is 5; expected 0 <= ell_col < 5" },
    { 6, 'c', 1, -1, "argument from->col[1] is -1; expected 0 <= col < 5" },
    { 7, 'c', 3, 2, "argument from->col[3] is 2; expected 0 <= col < 2" },
    { 7, 'c', 3, -1, "argument from->col[3] is -1; expected 0 <= col < 2" },
    { 7, 'o', 2, 3, "argument from->off[2] is 3; expected 4" },
    { 11, 'c', 5, 3, "argument from->col[5] is 3; expected 0 <= col < 3" },
    { 15, 'o', 1, 5, "argument from->off[1] is 5; expected a multiple of 2 above off[0], 0" },
    { 15, 'o', 3, 12, "argument from->off[3] is 12; expected 14" },
    { 15, 'c', 9, 2, "argument from->col[9] is 2 in row 5 of 5; expected -1" },
    { 15, 'c', 0, -1, "argument r->nnz is 8; expected 7, col without -1" },
    { 15, 'c', 12, 4, "argument from->col[12] is 4; expected 0 <= col < 4" },
    { 22, 'c', 1, 3, "argument from->col[1] is 3; expected 0 <= col < 3" },
};

TEST(wrong_elements)
{
    const struct wrong *w = &wrongs[_i];
    const struct raw_example *x = &raw_examples[w->example];
    for (int v = 0; v < 8; v += 2) { /* base 0 */
        struct psb_raw r = raw_variant_of(&x->r, v);
        RAW_ARRAYS s = raw_example_arrays(x, &r);
        struct X(raw_const) from = raw_as_const(&s);
        struct X(mat) *a = NULL;
        set_raw_index(w->array == 'o'   ? s.off
                      : w->array == 'r' ? s.row
                      : w->array == 'c' ? s.col
                                        : s.ell_col,
                      w->array == 'o' ? r.off_bits : r.idx_bits, w->k, w->v);
        FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, w->words);
        ck_assert_ptr_null(a);
    }
}

/* With base 1, 0 is out of range and -1 is padding; extreme integers overflow nothing. */
TEST(wrong_elements_of_base_1)
{
    static const int64_t bad[] = { 0, 6, INT64_MIN, INT64_MAX, -2 };
    const struct raw_example *x = &raw_examples[4];
    struct psb_raw r = raw_variant_of(&x->r, 3);
    RAW_ARRAYS s = raw_example_arrays(x, &r);
    struct X(raw_const) from = raw_as_const(&s);
    struct X(mat) *a = NULL;
    char text[90];
    for (int k = 0; k < 5; k++) {
        set_raw_index(s.col, 64, 8, bad[k]);
        snprintf(text, sizeof text, "argument from->col[8] is %" PRId64 "; expected 1 <= col < 6", bad[k]);
        FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, text);
    }
}

static void not_imported(struct psb_raw r, struct X(raw_const) from, const char *text)
{
    struct X(mat) *a = NULL;
    FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, text);
    ck_assert_ptr_null(a);
}

static void not_exported(struct X(mat) *a, struct psb_raw r, const struct X(raw_arrays) *to, const char *text)
{
    const struct psb_raw before = r;
    FAILS(psb_raw_export(a, &r, to), PSB_EARG, text);
    ck_assert_msg(memcmp(&before, &r, sizeof r) == 0, "the description changed: %s", text);
}

TEST(wrong_arguments_of_import)
{
    struct psb_raw r = raw_variant_of(&hyb, 0);
    RAW_ARRAYS s = raw_example_arrays(&raw_examples[6], &r);
    struct X(raw_const) from = raw_as_const(&s), none;
    struct X(mat) *a = NULL;
    FAILS(psb_raw_import(NULL, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, "argument r is NULL");
    FAILS(psb_raw_import(&r, NULL, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
          "argument from is NULL; expected arrays");
    FAILS(psb_raw_import(&r, &from, (enum psb_dupl)7, NULL, &a), PSB_EARG,
          "argument dupl is 7; expected one");
    FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, (struct X(mat) **)NULL), PSB_EARG,
          "argument a is NULL; expected where");
    not_imported(r, (none = from, none.row = NULL, none), "from->row is NULL; expected 2 elements");
    not_imported(r, (none = from, none.col = NULL, none), "from->col is NULL; expected 2 elements");
    not_imported(r, (none = from, none.val = NULL, none), "from->val is NULL; expected 2 elements");
    not_imported(r, (none = from, none.ell_col = NULL, none), "from->ell_col is NULL; expected 6");
    not_imported(r, (none = from, none.ell_val = NULL, none), "from->ell_val is NULL; expected 6");
    r.layout = PSB_RAW_CSR, r.off_bits = 32;
    not_imported(r, (none = from, none.off = NULL, none), "from->off is NULL; expected 4 elements");
    ck_assert_ptr_null(a);
}

TEST(wrong_arguments_of_export)
{
    struct X(coo_mat) *m = sample(DENSE_ROW, 6, 5);
    MAT *a = &m->mat;
    struct psb_raw good = sell, r;
    OK(psb_raw_export(a, &good, NULL));
    struct X(raw_arrays) s = raw_arrays_for(&good), none = s;
    FAILS(X(raw_export)(NULL, &good, &s), PSB_EARG, "argument a is NULL; expected a matrix");
    FAILS(psb_raw_export(a, NULL, &s), PSB_EARG, "argument r is NULL");
    not_exported(a, (r = good, r.base = 3, r), NULL, "argument r->base is 3");
    not_exported(a, (r = good, r.m = 5, r), &s, "argument r->m is 5; expected 6");
    not_exported(a, (r = good, r.n = 6, r), &s, "argument r->n is 6; expected 5");
    not_exported(a, (r = good, r.nnz--, r), &s, "argument r->nnz is ");
    not_exported(a, (r = good, r.stored++, r), &s, "argument r->stored is ");
    not_exported(a, good, (none = s, none.off = NULL, &none),
                 "argument to->off is NULL; expected 4 elements");
    not_exported(a, good, (none = s, none.col = NULL, &none), "argument to->col is NULL; expected ");
    not_exported(a, good, (none = s, none.val = NULL, &none), "argument to->val is NULL; expected ");
    not_exported(a, (r = good, r.slice = INT32_MAX, r.base = 1, r), NULL,
                 "argument r->off_bits is 32, and the last offset 1073");
    r.off_bits = 64;
    OK(psb_raw_export(a, &r, NULL));
    ck_assert_int_eq(r.stored, 5 * (psb_epk)INT32_MAX);
    not_exported(a, (r = hyb, r.width = -2, r), NULL,
                 "argument r->width is -2; expected >= 0, or PSB_RAW_AUTO");
    r = (struct psb_raw){ PSB_RAW_ELL, .idx_bits = 32, .order = PSB_BY_ROWS, .m = 6, .n = 5, .width = 4 };
    FAILS(psb_raw_export(a, &r, &s), PSB_EARG, "argument r->width is 4; expected >= 5");
    FAILS(X(raw_view)(NULL, &r, &(struct X(raw_const)){ 0 }), PSB_EARG,
          "argument a is NULL; expected a matrix");
    FAILS(psb_raw_view(a, NULL, &(struct X(raw_const)){ 0 }), PSB_EARG, "argument r is NULL; expected where");
    FAILS(psb_raw_view(a, &r, NULL), PSB_EARG, "argument v is NULL; expected where");
    raw_arrays_free(&s);
}

/* The message names the called function, not an internal one. */
TEST(errors_name_the_call)
{
    const int32_t at[] = { 1, 1 };
    const T one[] = { 1, 1 };
    const struct X(raw_const) twice = { .row = at, .col = at, .val = one };
    const struct X(raw_arrays) nowhere = { 0 };
    struct psb_raw r = { .layout = PSB_RAW_COO, .idx_bits = 32, .m = 2, .n = 2, .nnz = 2 };
    COO *s = sample(DIAGONAL, 3, 3);
    struct X(mat) *a = NULL;
    FAILS(psb_raw_import(&r, &twice, PSB_DUPL_ERROR, NULL, &a), PSB_EARG, "_raw_import: ");
    ck_assert_ptr_null(a);
    FAILS(X(raw_export)(&s->mat, &r, &nowhere), PSB_EARG, "_raw_export: ");
    OK(X(raw_export)(&s->mat, &r, NULL));
    FAILS(X(raw_export)(&s->mat, &r, &nowhere), PSB_EARG, "_raw_export: ");
}

void add_raw_errors(TCase *c)
{
    ck_add_tests(c, descriptions);
    ck_add_loop_tests(c, sizeof wrongs / sizeof *wrongs, wrong_elements);
    ck_add_tests(c, wrong_elements_of_base_1, wrong_arguments_of_import, wrong_arguments_of_export,
                 errors_name_the_call);
}
