/* check_raw.c -- test: arrays of other libraries: export and import of every layout for every format,
 * import of unusual arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "check_raw.h"
#include "minimal_format.h"

/* --- arrays --- */

/* n elements, with every byte 0x5a. */
static void *new_bytes(psb_epk n, size_t size)
{
    void *p = malloc((size_t)n * size + 1);
    ck_assert_ptr_nonnull(p);
    memset(p, 0x5a, (size_t)n * size + 1);
    return p;
}

struct X(raw_arrays) raw_arrays_for(const struct psb_raw *r)
{
    struct psb_raw_sizes n;
    size_t idx = (size_t)r->idx_bits / 8, off = (size_t)r->off_bits / 8;
    OK(psb_raw_lengths(r, &n));
    return (struct X(raw_arrays)){ new_bytes(n.off, off),     new_bytes(n.row, idx),
                                   new_bytes(n.col, idx),     new_bytes(n.val, sizeof(T)),
                                   new_bytes(n.ell_col, idx), new_bytes(n.ell_val, sizeof(T)) };
}

void raw_arrays_free(struct X(raw_arrays) *s)
{
    free(s->off);
    free(s->row);
    free(s->col);
    free(s->val);
    free(s->ell_col);
    free(s->ell_val);
}

struct X(raw_const) raw_as_const(const struct X(raw_arrays) *s)
{
    return (struct X(raw_const)){ s->off, s->row, s->col, s->val, s->ell_col, s->ell_val };
}

void set_raw_index(void *p, int bits, psb_epk k, int64_t v)
{
    if (bits == 32)
        ((int32_t *)p)[k] = (int32_t)v;
    else
        ((int64_t *)p)[k] = v;
}

/* Check that two sets of arrays are bitwise equal. */
static void same_arrays(const struct psb_raw *r, const struct X(raw_const) *a, const struct X(raw_const) *b,
                        const char *what)
{
    struct psb_raw_sizes n;
    size_t idx = (size_t)r->idx_bits / 8, off = (size_t)r->off_bits / 8;
    OK(psb_raw_lengths(r, &n));
    const struct {
        const char *name;
        const void *a, *b;
        size_t bytes;
    } each[] = { { "off", a->off, b->off, (size_t)n.off * off },
                 { "row", a->row, b->row, (size_t)n.row * idx },
                 { "col", a->col, b->col, (size_t)n.col * idx },
                 { "val", a->val, b->val, (size_t)n.val * sizeof(T) },
                 { "ell_col", a->ell_col, b->ell_col, (size_t)n.ell_col * idx },
                 { "ell_val", a->ell_val, b->ell_val, (size_t)n.ell_val * sizeof(T) } };
    for (int k = 0; k < 6; k++)
        if (each[k].bytes && memcmp(each[k].a, each[k].b, each[k].bytes) != 0)
            ck_abort_msg("%s: other %s, layout %d, base %d, %d and %d bits", what, each[k].name,
                         (int)r->layout, r->base, r->idx_bits, r->off_bits);
}

void check_raw_export(struct X(mat) *a, const struct psb_raw *x, const struct X(raw_const) *want,
                      const char *what)
{
    struct psb_raw r = *x;
    r.m = r.n = -7;
    r.nnz = r.stored = -7;
    r.width = r.layout == PSB_RAW_HYB ? r.width : -7;
    OK(psb_raw_export(a, &r, NULL));
    ck_assert_msg(r.m == x->m && r.n == x->n && r.width == x->width && r.stored == x->stored,
                  "%s: %d x %d, width %d, %" PRId64 " stored", what, r.m, r.n, r.width, r.stored);
    ck_assert_msg(x->nnz == 0 || r.nnz == x->nnz, "%s: nnz is %" PRId64, what, r.nnz);
    RAW_ARRAYS got = raw_arrays_for(&r);
    struct X(raw_const) got_ = raw_as_const(&got);
    OK(psb_raw_export(a, &r, &got));
    same_arrays(&r, &got_, want, what);
}

/* --- export and import --- */

/* The v-th of VARIANTS variants of a layout, with a random width where one is possible. */
enum { VARIANTS = 24 };
static struct psb_raw variant_of_layout(enum psb_raw_layout layout, int v, struct rng *g)
{
    static const psb_ipk blocks[][2] = { { 1, 1 }, { 2, 3 }, { 5, 2 }, { 3, 3 }, { 50, 60 }, { 7, 41 } };
    const psb_ipk *b = blocks[v / 4 % 6];
    return (struct psb_raw){ .layout = layout,
                             .base = v % 2,
                             .order = v / 2 % 2 ? PSB_BY_ROWS : PSB_BY_COLS,
                             .idx_bits = rng_below(g, 2) ? 32 : 64,
                             .off_bits = rng_below(g, 2) ? 32 : 64,
                             .brows = b[0],
                             .bcols = b[1],
                             .slice = b[1],
                             .width = layout == PSB_RAW_HYB ? v / 4 - 1 : -7 };
}

static int is_wide(enum psb_raw_layout l)
{
    return l == PSB_RAW_ELL || l == PSB_RAW_BELL || l == PSB_RAW_BELL_BLOCKS;
}

static void check_round_trip(struct X(mat) *a, struct psb_raw r, int wider, const struct dense *d)
{
    MAT *b = NULL;
    char what[60];
    snprintf(what, sizeof what, "layout %d, %d x %d blocks", (int)r.layout, r.brows, r.bcols);
    OK(psb_raw_export(a, &r, NULL));
    r.width += is_wide(r.layout) ? wider : 0;
    RAW_ARRAYS s = raw_arrays_for(&r), t = raw_arrays_for(&r);
    struct X(raw_const) s_ = raw_as_const(&s), t_ = raw_as_const(&t);
    OK(psb_raw_export(a, &r, &s));
    OK(psb_raw_import(&r, &s_, PSB_DUPL_ERROR, &X(csr_mold).mat, &b));
    dense_is(b, d, what);
    check_raw_on_device(&r, &s_, d, what);
    OK(psb_raw_export(b, &r, &t));
    same_arrays(&r, &s_, &t_, what);
}

TEST(export_and_import_of_all_layouts)
{
    struct rng g = { 11 };
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        for (int l = 0; l < PSB_RAW_LAYOUTS; l++)
            for (int v = k % 5; v < VARIANTS; v += 5)
                check_round_trip(a, variant_of_layout((enum psb_raw_layout)l, v, &g), v % 3, &d);
    }
}

/* Few entries in many rows and columns, so that nearly all is padding: sizes only. */
TEST(sizes_of_long_rows)
{
    COO *s = sample(DENSE_ROW, 40, 33);
    MAT *a = in_format(s, _i);
    struct psb_raw r = { PSB_RAW_HYB, .order = PSB_BY_COLS, .idx_bits = 32, .width = PSB_RAW_AUTO };
    psb_epk mean = (s->mat.nnz + 39) / 40, beyond = 0, ptr[41];
    OK(psb_raw_export(a, &r, NULL));
    ck_assert_int_eq(r.width, mean);
    OK(X(mat_get_ptr)(a, 0, 40, ptr));
    for (int i = 0; i < 40; i++)
        beyond += ptr[i + 1] - ptr[i] > mean ? ptr[i + 1] - ptr[i] - mean : 0;
    ck_assert_int_eq(r.nnz, beyond);
    r.layout = PSB_RAW_ELL;
    OK(psb_raw_export(a, &r, NULL));
    ck_assert(r.width == 33 && r.nnz == s->mat.nnz);
}

TEST(export_of_unit_triangles)
{
    static const psb_ipk ia[] = { 0, 1 }, ja[] = { 2, 2 }, row[] = { 0, 0, 1, 1, 2 },
                         col[] = { 0, 2, 1, 2, 2 };
    const T two[] = { 2, 3 }, val[] = { 1, 2, 1, 3, 1 };
    MAT *a = NULL, *b = NULL;
    struct psb_raw r = { PSB_RAW_COO, .idx_bits = 32, .m = 3, .n = 3, .nnz = 5 }, none = { .m = -7 };
    struct X(raw_const) want = { .row = row, .col = col, .val = val }, v = { 0 };
    OK(psb_mat_all(3, 3, 2, &b));
    OK(psb_mat_csput(b, 2, ia, ja, two, PSB_DUPL_ADD));
    OK(psb_mat_asb(b, PSB_DUPL_ADD));
    OK(psb_mat_convert(b, X(mat_format)(_i), &a));
    OK(psb_mat_set_triangle(a, 1));
    OK(psb_mat_set_upper(a, 1));
    OK(psb_mat_set_unit(a, 1));
    check_raw_export(a, &r, &want, "a unit triangle");
    ck_assert_int_eq(psb_mat_get_nzeros(a), 2);
    FAILS(psb_raw_view(a, &none, &v), PSB_ENOTIMPL, "unit triangle");
    ck_assert(none.m == -7 && !v.val);
}

/* --- import of unusual arrays --- */

TEST(unsorted_entries_with_duplicates)
{
    static const int32_t off[] = { 1, 5, 6 }, col[] = { 3, 1, 3, 3, 2 };
    const T val[] = { 1, 2, 4, 8, 16 };
    struct psb_raw r = { PSB_RAW_CSR, 1, 32, 32, .m = 2, .n = 3, .nnz = 5 };
    struct X(raw_const) from = { .off = off, .col = col, .val = val };
    for (int add = 0; add < 2; add++) {
        MAT *a = NULL;
        DENSE d = dense_new(2, 3);
        dense_put(&d, 0, 0, 2);
        dense_put(&d, 0, 2, add ? 13 : 8);
        dense_put(&d, 1, 1, 16);
        OK(psb_raw_import(&r, &from, add ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE, NULL, &a));
        dense_is(a, &d, "CSR");
    }
    struct X(mat) *a = NULL;
    FAILS(psb_raw_import(&r, &from, PSB_DUPL_ERROR, NULL, &a), PSB_EARG,
          "row 0, column 2 has more than one entry");
    ck_assert_ptr_null(a);
}

TEST(import_of_padding)
{
    static const int64_t off[] = { 1, 5 }, col[] = { -1, 1, 3, -1 };
    const T val[] = { MAKE(NAN, NAN), 5, 6, MAKE(INFINITY, 0) };
    struct psb_raw r = { PSB_RAW_SELL, 1, 64, 64, .slice = 2, .m = 2, .n = 3, .nnz = 2, .stored = 4 };
    struct X(raw_const) from = { .off = off, .col = col, .val = val };
    DENSE d = dense_new(2, 3);
    dense_put(&d, 0, 2, 6);
    dense_put(&d, 1, 0, 5);
    for (int ell = 0; ell < 2; ell++) {
        MAT *a = NULL;
        r.layout = ell ? PSB_RAW_ELL : PSB_RAW_SELL;
        r.order = PSB_BY_COLS;
        r.width = 2;
        OK(psb_raw_import(&r, &from, PSB_DUPL_ERROR, &X(ell_mold).mat, &a));
        dense_is(a, &d, "padded");
    }
}

/* Values beyond the last row of a block are ignored; explicit zeros in a block are entries if requested. */
TEST(import_of_zeros_in_blocks)
{
    static const int32_t off[] = { 0, 1 }, col[] = { 1 };
    T val[] = { 7, 0, 0, 0, 0, 0 };
    struct psb_raw r = { PSB_RAW_BSR, 0, 32, 32, PSB_BY_ROWS, 3, 2, .m = 2, .n = 3, .nnz = 1 };
    struct X(raw_const) from = { .off = off, .col = col, .val = val };
    for (r.zeros = 0; r.zeros < 2; r.zeros++) {
        MAT *a = NULL;
        DENSE d = dense_new(2, 3);
        dense_put(&d, 0, 2, 7);
        if (r.zeros)
            dense_put(&d, 1, 2, 0);
        OK(psb_raw_import(&r, &from, PSB_DUPL_ERROR, NULL, &a));
        dense_is(a, &d, "BSR");
    }
    struct X(mat) *a = NULL;
    val[1] = MAKE(NAN, 0);
    FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
          "argument from->val[1] is not 0 in row 0 of 2, column 3 of 3; expected 0 beyond the last");
    val[1] = 0, val[5] = 1;
    FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, "from->val[5] is not 0 in row 2 of 2");
    ck_assert_ptr_null(a);
}

/* Duplicate entries of a block are added. */
TEST(import_of_duplicate_blocks)
{
    static const psb_ipk ia[] = { 0, 0, 1 }, ja[] = { 1, 1, 0 };
    const T val[] = { 2, 3, 4 }, block[] = { 0, 5, 4, 0 };
    static const int32_t off[] = { 0, 1 }, col[] = { 0 }, row2[] = { 0, 0, 1 }, col2[] = { 1, 1, 0 };
    MAT *a = NULL;
    struct psb_raw r = { PSB_RAW_BSR, 0, 32, 32, PSB_BY_ROWS, 2, 2, .m = 2, .n = 2, .nnz = 1 };
    struct psb_raw coo = { PSB_RAW_COO, .idx_bits = 32, .m = 2, .n = 2, .nnz = 3 };
    OK(psb_mat_all(2, 2, 3, &a));
    OK(psb_mat_csput(a, 3, ia, ja, val, PSB_DUPL_ADD));
    check_raw_export(a, &r, &(struct X(raw_const)){ .off = off, .col = col, .val = block }, "BSR");
    check_raw_export(a, &coo, &(struct X(raw_const)){ .row = row2, .col = col2, .val = val }, "COO");
}

/* --- no memory --- */

/* Each allocation fails in turn; returns their number. */
static int fail_export(struct X(mat) *a, struct psb_raw *r, const struct X(raw_arrays) *to)
{
    int n = 0;
    for (psb_err e = PSB_ENOMEM; e != PSB_OK; n += e != PSB_OK) {
        struct psb_raw before = *r;
        psb_alloc_fail_at(n + 1);
        e = psb_raw_export(a, r, to);
        ck_assert(e == PSB_OK || (e == PSB_ENOMEM && memcmp(&before, r, sizeof before) == 0));
    }
    psb_alloc_fail_at(0);
    return n;
}

TEST(allocation_fails)
{
    COO *m = sample(SPREAD, 20, 30);
    struct X(mat) *a = NULL, *b = NULL;
    struct psb_raw r = { .layout = PSB_RAW_CSC, .base = 1, .idx_bits = 64, .off_bits = 64 };
    DENSE d = dense_of_coo(m);
    OK(psb_mat_convert(&m->mat, X(mat_format)(_i), &a));
    ck_assert_int_ge(fail_export(a, &r, NULL), 1);
    RAW_ARRAYS s = raw_arrays_for(&r);
    struct X(raw_const) from = raw_as_const(&s);
    ck_assert_int_ge(fail_export(a, &r, &s), 1);
    int n = 0;
    for (psb_err e = PSB_ENOMEM; e != PSB_OK; n += e != PSB_OK) {
        psb_alloc_fail_at(n + 1);
        e = psb_raw_import(&r, &from, PSB_DUPL_ADD, X(mat_format)(_i), &b);
        ck_assert(e == PSB_OK || (e == PSB_ENOMEM && !b));
    }
    psb_alloc_fail_at(0);
    ck_assert_int_ge(n, 4);
    dense_is(b, &d, "after all");
    psb_mat_free(b);
    OK(psb_mat_set_triangle(a, 1));
    OK(psb_mat_set_unit(a, 1));
    ck_assert_int_ge(fail_export(a, &r, NULL), 4);
    psb_mat_free(a);
}

static Suite *raw_arrays(void)
{
    const int n = number_of_formats();
    Suite *s = suite_create("arrays of other libraries");
    TCase *c = ck_tcase(s, "every format");
    ck_add_loop_tests(c, n, export_and_import_of_all_layouts, sizes_of_long_rows, export_of_unit_triangles);
    add_raw_views(c, n);
    ck_add_loop_tests(c, n, allocation_fails);
    c = ck_tcase(s, "single tests");
    add_raw_examples(c);
    ck_add_tests(c, unsorted_entries_with_duplicates, import_of_padding, import_of_zeros_in_blocks,
                 import_of_duplicate_blocks);
    add_raw_wraps(c);
    add_raw_errors(c);
    add_raw_device(c);
    add_dense_products(ck_tcase(s, "products with dense arrays"));
    add_sparse_vectors(ck_tcase(s, "sparse vectors"));
    add_bands(ck_tcase(s, "banded systems"));
    add_legacy(ck_tcase(s, "cuSPARSE's deprecated calls"));
    return s;
}

int check_raw(void)
{
    return run_suite(FAKE_DEVICE | MINIMAL_FORMAT, raw_arrays);
}
