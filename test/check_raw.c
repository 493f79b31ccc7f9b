/* check_raw.c -- room: test.  Arrays of other libraries: examples of their documentation, export and import
 * of every layout for every format, errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suites.h"
#include "psb_cuda.h"
#include "psb_ext.h"
#include "dense.h"
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

static struct X(raw_arrays) arrays_for(const struct psb_raw *r)
{
    struct psb_raw_lengths n;
    size_t idx = (size_t)r->idx_bits / 8, off = (size_t)r->off_bits / 8;
    OK(psb_raw_lengths(r, &n));
    return (struct X(raw_arrays)){ new_bytes(n.off, off),     new_bytes(n.row, idx),
                                   new_bytes(n.col, idx),     new_bytes(n.val, sizeof(T)),
                                   new_bytes(n.ell_col, idx), new_bytes(n.ell_val, sizeof(T)) };
}

static void arrays_free(struct X(raw_arrays) *s)
{
    free(s->off);
    free(s->row);
    free(s->col);
    free(s->val);
    free(s->ell_col);
    free(s->ell_val);
}

static struct X(raw_const) as_const(const struct X(raw_arrays) *s)
{
    return (struct X(raw_const)){ s->off, s->row, s->col, s->val, s->ell_col, s->ell_val };
}

static void set(void *p, int bits, psb_epk k, int64_t v)
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
    struct psb_raw_lengths n;
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

/* --- examples of the documentation --- */

enum { MOST = 36 };

/* A dense matrix and its arrays in some layout with base 0; -1 is padding.  The examples of rocSPARSE are in
 * its documentation and samples; "samples" of cuSPARSE and its 4x6 Blocked-ELL are in NVIDIA's.  cuSPARSE
 * documents other formats in figures only: 5x4, 4x5 and 9x9 are matrices of these sizes, laid out by hand
 * after its text. */
struct example {
    const char *from;
    struct psb_raw r;
    const signed char *dense;
    signed char off[10], row[MOST], col[MOST], val[MOST], ell_col[MOST], ell_val[MOST];
};

/* clang-format off */
static const signed char roc35[] = { 1, 2, 0, 3, 0,
                                     0, 4, 5, 0, 0,
                                     6, 0, 0, 7, 8 };
static const signed char roc43[] = { 1, 0, 2,
                                     3, 0, 4,
                                     5, 6, 0,
                                     7, 0, 8 };
static const signed char roc45[] = { 1, 0, 0, 2, 0,
                                     3, 0, 4, 0, 0,
                                     5, 6, 0, 7, 0,
                                     0, 0, 8, 0, 9 };
static const signed char roc46[] = { 1, 2, 0, 3, 0, 0,
                                     0, 4, 5, 0, 0, 0,
                                     0, 0, 0, 7, 8, 0,
                                     0, 0, 1, 2, 4, 1 };
static const signed char roc66[] = { 1, 2, 0, 0, 3, 1,
                                     2, 4, 0, 0, 4, 3,
                                     0, 0, 6, 4, 7, 8,
                                     0, 0, 4, 5, 3, 2,
                                     1, 2, 0, 0, 0, 0,
                                     2, 1, 0, 0, 0, 0 };
static const signed char cu54[] = { 1, 0, 2, 0,
                                    0, 3, 0, 0,
                                    0, 0, 0, 0,
                                    4, 5, 0, 0,
                                    0, 6, 7, 8 };
static const signed char cu45[] = { 1, 4, 0, 0, 0,
                                    0, 2, 3, 0, 0,
                                    5, 0, 0, 7, 8,
                                    0, 0, 9, 0, 6 };
static const signed char cu44[] = { 1, 0, 2, 3,
                                    0, 4, 0, 0,
                                    5, 0, 6, 7,
                                    0, 8, 0, 9 };
static const signed char cu46[] = { 0,  0, 1, 2,  0,  0,
                                    0,  0, 3, 4,  0,  0,
                                    5,  6, 0, 0,  7,  8,
                                    9, 10, 0, 0, 11, 12 };
static const signed char cu44b[] = { 0, 0, 1, 2,
                                     0, 0, 3, 4,
                                     5, 6, 0, 0,
                                     7, 8, 0, 0 };
static const signed char nine[] = { 1,  2, 3, 0, 0, 0, 0, 0, 0,
                                    4,  5, 6, 0, 0, 0, 0, 0, 0,
                                    7,  8, 9, 0, 0, 0, 0, 0, 0,
                                    0,  0, 0, 0, 0, 0, 1, 0, 2,
                                    0,  0, 0, 0, 0, 0, 0, 3, 0,
                                    0,  0, 0, 0, 0, 0, 4, 0, 5,
                                    0,  0, 0, 6, 7, 0, 0, 0, 0,
                                    0,  0, 0, 0, 8, 0, 0, 0, 0,
                                    0,  0, 0, 0, 0, 9, 0, 0, 0 };

static const struct example examples[] = {
    { "rocSPARSE COO", { PSB_RAW_COO, .m = 3, .n = 5, .nnz = 8 }, roc35,
      .row = { 0, 0, 0, 1, 1, 2, 2, 2 }, .col = { 0, 1, 3, 1, 2, 0, 3, 4 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "rocSPARSE COO (AoS)", { PSB_RAW_COO_AOS, .m = 3, .n = 5, .nnz = 8 }, roc35,
      .row = { 0, 0, 0, 1, 0, 3, 1, 1, 1, 2, 2, 0, 2, 3, 2, 4 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "rocSPARSE CSR", { PSB_RAW_CSR, .m = 3, .n = 5, .nnz = 8 }, roc35,
      .off = { 0, 3, 5, 8 }, .col = { 0, 1, 3, 1, 2, 0, 3, 4 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "rocSPARSE CSC", { PSB_RAW_CSC, .m = 3, .n = 5, .nnz = 8 }, roc35,
      .off = { 0, 2, 4, 5, 7, 8 }, .row = { 0, 2, 0, 1, 1, 0, 2, 2 }, .val = { 1, 6, 2, 4, 5, 3, 7, 8 } },
    { "rocSPARSE ELL", { PSB_RAW_ELL, .order = PSB_BY_COLS, .m = 3, .n = 5, .width = 3, .nnz = 8 }, roc35,
      .col = { 0, 1, 0, 1, 2, 3, 3, -1, 4 }, .val = { 1, 4, 6, 2, 5, 7, 3, 0, 8 } },
    { "the same by rows", { PSB_RAW_ELL, .order = PSB_BY_ROWS, .m = 3, .n = 5, .width = 3, .nnz = 8 }, roc35,
      .col = { 0, 1, 3, 1, 2, -1, 0, 3, 4 }, .val = { 1, 2, 3, 4, 5, 0, 6, 7, 8 } },
    { "the same as HYB", { PSB_RAW_HYB, .order = PSB_BY_COLS, .m = 3, .n = 5, .width = 2, .nnz = 2 }, roc35,
      .ell_col = { 0, 1, 0, 1, 2, 3 }, .ell_val = { 1, 4, 6, 2, 5, 7 },
      .row = { 0, 2 }, .col = { 3, 4 }, .val = { 3, 8 } },
    { "rocSPARSE BSR", { PSB_RAW_BSR, .order = PSB_BY_COLS, .brows = 2, .bcols = 2, .m = 4, .n = 3, .nnz = 4 }, roc43,
      .off = { 0, 2, 4 }, .col = { 0, 1, 0, 1 }, .val = { 1, 3, 0, 0, 2, 4, 0, 0, 5, 7, 6, 0, 0, 8, 0, 0 } },
    { "rocSPARSE GEBSR, one block a row",
      { PSB_RAW_BSR, .order = PSB_BY_COLS, .brows = 2, .bcols = 3, .m = 4, .n = 3, .nnz = 2 }, roc43,
      .off = { 0, 1, 2 }, .col = { 0, 0 }, .val = { 1, 3, 0, 0, 2, 4, 5, 7, 6, 0, 0, 8 } },
    { "rocSPARSE GEBSR", { PSB_RAW_BSR, .order = PSB_BY_COLS, .brows = 2, .bcols = 3, .m = 4, .n = 5, .nnz = 4 }, roc45,
      .off = { 0, 2, 4 }, .col = { 0, 1, 0, 1 },
      .val = { 1, 3, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 8, 7, 0, 0, 9, 0, 0 } },
    { "rocSPARSE BSR by rows", { PSB_RAW_BSR, .order = PSB_BY_ROWS, .brows = 2, .bcols = 2, .m = 4, .n = 6, .nnz = 4 },
      roc46, .off = { 0, 2, 4 }, .col = { 0, 1, 1, 2 }, .val = { 1, 2, 0, 4, 0, 3, 5, 0, 0, 7, 1, 2, 8, 0, 4, 1 } },
    { "rocSPARSE Blocked ELL", { PSB_RAW_BELL_BLOCKS, .order = PSB_BY_ROWS, .brows = 2, .m = 6, .n = 6, .width = 2 },
      roc66, .col = { 0, 1, 0, 2, 2, -1 },
      .val = { 1, 2, 2, 4, 6, 4, 4, 5, 1, 2, 2, 1, 3, 1, 4, 3, 7, 8, 3, 2, 0, 0, 0, 0 } },
    { "cuSPARSE COO", { PSB_RAW_COO, .m = 5, .n = 4, .nnz = 8 }, cu54,
      .row = { 0, 0, 1, 3, 3, 4, 4, 4 }, .col = { 0, 2, 1, 0, 1, 1, 2, 3 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "cuSPARSE CSR", { PSB_RAW_CSR, .m = 5, .n = 4, .nnz = 8 }, cu54,
      .off = { 0, 2, 3, 3, 5, 8 }, .col = { 0, 2, 1, 0, 1, 1, 2, 3 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "cuSPARSE CSC", { PSB_RAW_CSC, .m = 5, .n = 4, .nnz = 8 }, cu54,
      .off = { 0, 2, 5, 7, 8 }, .row = { 0, 3, 1, 3, 4, 0, 4, 4 }, .val = { 1, 4, 3, 5, 6, 2, 7, 8 } },
    { "cuSPARSE SELL", { PSB_RAW_SELL, .slice = 2, .m = 5, .n = 4, .nnz = 8, .stored = 14 }, cu54,
      .off = { 0, 4, 8, 14 }, .col = { 0, 1, 2, -1, -1, 0, -1, 1, 1, -1, 2, -1, 3, -1 },
      .val = { 1, 3, 2, 0, 0, 4, 0, 5, 6, 0, 7, 0, 8, 0 } },
    { "cuSPARSE SELL, a sample", { PSB_RAW_SELL, .slice = 2, .m = 4, .n = 4, .nnz = 9, .stored = 12 }, cu44,
      .off = { 0, 6, 12 }, .col = { 0, 1, 2, -1, 3, -1, 0, 1, 2, 3, 3, -1 },
      .val = { 1, 4, 2, 0, 3, 0, 5, 8, 6, 9, 7, 0 } },
    { "cuSPARSE COO, 4x5", { PSB_RAW_COO, .m = 4, .n = 5, .nnz = 9 }, cu45,
      .row = { 0, 0, 1, 1, 2, 2, 2, 3, 3 }, .col = { 0, 1, 1, 2, 0, 3, 4, 2, 4 },
      .val = { 1, 4, 2, 3, 5, 7, 8, 9, 6 } },
    { "cuSPARSE CSR, 4x5", { PSB_RAW_CSR, .m = 4, .n = 5, .nnz = 9 }, cu45,
      .off = { 0, 2, 4, 7, 9 }, .col = { 0, 1, 1, 2, 0, 3, 4, 2, 4 }, .val = { 1, 4, 2, 3, 5, 7, 8, 9, 6 } },
    { "cuSPARSE CSC, 4x5", { PSB_RAW_CSC, .m = 4, .n = 5, .nnz = 9 }, cu45,
      .off = { 0, 2, 4, 6, 7, 9 }, .row = { 0, 2, 0, 1, 1, 3, 2, 2, 3 }, .val = { 1, 5, 4, 2, 3, 9, 7, 8, 6 } },
    { "cuSPARSE BSR, 4x5", { PSB_RAW_BSR, .order = PSB_BY_ROWS, .brows = 2, .bcols = 2, .m = 4, .n = 5, .nnz = 5 },
      cu45, .off = { 0, 2, 5 }, .col = { 0, 1, 0, 1, 2 },
      .val = { 1, 4, 0, 2, 0, 0, 3, 0, 5, 0, 0, 0, 0, 7, 9, 0, 8, 0, 6, 0 } },
    { "cuSPARSE ELL, 4x5", { PSB_RAW_ELL, .order = PSB_BY_ROWS, .m = 4, .n = 5, .width = 3, .nnz = 9 }, cu45,
      .col = { 0, 1, -1, 1, 2, -1, 0, 3, 4, 2, 4, -1 }, .val = { 1, 4, 0, 2, 3, 0, 5, 7, 8, 9, 6, 0 } },
    { "cuSPARSE Blocked-ELL", { PSB_RAW_BELL, .brows = 2, .m = 4, .n = 6, .width = 2 }, cu46,
      .col = { 1, -1, 0, 2 }, .val = { 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 7, 8, 9, 10, 11, 12 } },
    { "cuSPARSE Blocked-ELL, a sample", { PSB_RAW_BELL, .brows = 2, .m = 4, .n = 4, .width = 1 }, cu44b,
      .col = { 1, 0 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "Blocked-ELL, 9x9", { PSB_RAW_BELL, .brows = 3, .m = 9, .n = 9, .width = 1 }, nine,
      .col = { 0, 2, 1 }, .val = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 0, 2, 0, 3, 0, 4, 0, 5, 6, 7, 0, 0, 8, 0, 0, 0, 9 } },
};
/* clang-format on */
enum { EXAMPLES = sizeof examples / sizeof *examples };

static T value(int v)
{
    return MAKE(v, -2 * v);
}

static struct dense example_dense(const struct example *x)
{
    struct dense d = dense_new(x->r.m, x->r.n);
    for (psb_ipk k = 0; k < x->r.m * x->r.n; k++)
        if (x->dense[k])
            dense_put(&d, k / x->r.n, k % x->r.n, value(x->dense[k]));
    return d;
}

static void set_all(void *p, int bits, psb_epk n, const signed char *from, int base)
{
    for (psb_epk k = 0; k < n; k++)
        set(p, bits, k, from[k] < 0 ? -1 : from[k] + base);
}

/* The arrays of x with the base and bits of r. */
static struct X(raw_arrays) layout_arrays(const struct example *x, const struct psb_raw *r)
{
    struct X(raw_arrays) s = arrays_for(r);
    struct psb_raw_lengths n;
    OK(psb_raw_lengths(r, &n));
    set_all(s.off, r->off_bits, n.off, x->off, r->base);
    set_all(s.row, r->idx_bits, n.row, x->row, r->base);
    set_all(s.col, r->idx_bits, n.col, x->col, r->base);
    set_all(s.ell_col, r->idx_bits, n.ell_col, x->ell_col, r->base);
    for (psb_epk k = 0; k < n.val; k++)
        s.val[k] = x->val[k] ? value(x->val[k]) : 0;
    for (psb_epk k = 0; k < n.ell_val; k++)
        s.ell_val[k] = x->ell_val[k] ? value(x->ell_val[k]) : 0;
    return s;
}

/* The layout of x with bits 0..2 of `variant`: base 1, 64-bit indices, 64-bit offsets. */
static struct psb_raw variant_of(const struct psb_raw *x, int variant)
{
    struct psb_raw r = *x;
    r.base = variant & 1;
    r.idx_bits = variant & 2 ? 64 : 32;
    r.off_bits = variant & 4 ? 64 : 32;
    return r;
}

/* Check that an export sets r as in x and writes these arrays. */
static void check_export(struct X(mat) *a, const struct psb_raw *x, const struct X(raw_const) *want,
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
    struct X(raw_arrays) got = arrays_for(&r);
    struct X(raw_const) got_ = as_const(&got);
    OK(psb_raw_export(a, &r, &got));
    same_arrays(&r, &got_, want, what);
    arrays_free(&got);
}

START_TEST(examples_of_the_documentation)
    {
        const struct example *x = &examples[_i / 8];
        struct psb_raw r = variant_of(&x->r, _i % 8);
        struct X(raw_arrays) s = layout_arrays(x, &r);
        struct X(raw_const) from = as_const(&s);
        struct dense d = example_dense(x);
        for (int f = -1; f < 0 || X(mat_format)(f); f++) {
            struct X(mat) *a = NULL;
            OK(psb_raw_import(&r, &from, PSB_DUPL_ERROR, f < 0 ? NULL : X(mat_format)(f), &a));
            ck_assert(psb_mat_is_asb(a));
            ck_assert_str_eq(psb_mat_get_fmt(a), f < 0 ? "COO" : X(mat_format)(f)->ops->fmt);
            dense_is(a, &d, x->from);
            check_export(a, &r, &from, x->from);
            psb_mat_free(a);
        }
        dense_free(&d);
        arrays_free(&s);
    }
END_TEST

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
    struct X(mat) *b = NULL;
    char what[60];
    snprintf(what, sizeof what, "layout %d, %d x %d blocks", (int)r.layout, r.brows, r.bcols);
    OK(psb_raw_export(a, &r, NULL));
    r.width += is_wide(r.layout) ? wider : 0;
    struct X(raw_arrays) s = arrays_for(&r), t = arrays_for(&r);
    struct X(raw_const) s_ = as_const(&s), t_ = as_const(&t);
    OK(psb_raw_export(a, &r, &s));
    OK(psb_raw_import(&r, &s_, PSB_DUPL_ERROR, &X(csr_mold).mat, &b));
    dense_is(b, d, what);
    OK(psb_raw_export(b, &r, &t));
    same_arrays(&r, &s_, &t_, what);
    psb_mat_free(b);
    arrays_free(&s);
    arrays_free(&t);
}

START_TEST(export_and_import_of_all_layouts)
    {
        struct rng g = { 11 };
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 1);
            struct X(mat) *a = in_format(s, _i);
            struct dense d = dense_of_coo(s);
            for (int l = 0; l < PSB_RAW_LAYOUTS; l++)
                for (int v = k % 5; v < VARIANTS; v += 5)
                    check_round_trip(a, variant_of_layout((enum psb_raw_layout)l, v, &g), v % 3, &d);
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* Few entries in many rows and columns, so that nearly all is padding: sizes only. */
START_TEST(sizes_of_long_rows)
    {
        struct X(coo_mat) *s = sample(DENSE_ROW, 40, 33);
        struct X(mat) *a = in_format(s, _i);
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
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(export_of_unit_triangles)
    {
        static const psb_ipk ia[] = { 0, 1 }, ja[] = { 2, 2 }, row[] = { 0, 0, 1, 1, 2 },
                             col[] = { 0, 2, 1, 2, 2 };
        const T two[] = { 2, 3 }, val[] = { 1, 2, 1, 3, 1 };
        struct X(mat) *a = NULL, *b = NULL;
        struct psb_raw r = { PSB_RAW_COO, .idx_bits = 32, .m = 3, .n = 3, .nnz = 5 }, none = { .m = -7 };
        struct X(raw_const) want = { .row = row, .col = col, .val = val }, v = { 0 };
        OK(psb_mat_all(3, 3, 2, &b));
        OK(psb_mat_csput(b, 2, ia, ja, two, PSB_DUPL_ADD));
        OK(psb_mat_asb(b, PSB_DUPL_ADD));
        OK(psb_mat_convert(b, X(mat_format)(_i), &a));
        OK(psb_mat_set_triangle(a, 1));
        OK(psb_mat_set_upper(a, 1));
        OK(psb_mat_set_unit(a, 1));
        check_export(a, &r, &want, "a unit triangle");
        ck_assert_int_eq(psb_mat_get_nzeros(a), 2);
        FAILS(psb_raw_view(a, &none, &v), PSB_ENOTIMPL, "unit triangle");
        ck_assert(none.m == -7 && !v.val);
        psb_mat_free(a);
        psb_mat_free(b);
    }
END_TEST

/* --- import of unusual arrays --- */

START_TEST(unsorted_entries_with_duplicates)
    {
        static const int32_t off[] = { 1, 5, 6 }, col[] = { 3, 1, 3, 3, 2 };
        const T val[] = { 1, 2, 4, 8, 16 };
        struct psb_raw r = { PSB_RAW_CSR, 1, 32, 32, .m = 2, .n = 3, .nnz = 5 };
        struct X(raw_const) from = { .off = off, .col = col, .val = val };
        for (int add = 0; add < 2; add++) {
            struct X(mat) *a = NULL;
            struct dense d = dense_new(2, 3);
            dense_put(&d, 0, 0, 2);
            dense_put(&d, 0, 2, add ? 13 : 8);
            dense_put(&d, 1, 1, 16);
            OK(psb_raw_import(&r, &from, add ? PSB_DUPL_ADD : PSB_DUPL_OVERWRITE, NULL, &a));
            dense_is(a, &d, "CSR");
            psb_mat_free(a);
            dense_free(&d);
        }
        struct X(mat) *a = NULL;
        FAILS(psb_raw_import(&r, &from, PSB_DUPL_ERROR, NULL, &a), PSB_EARG,
              "row 0, column 2 has more than one entry");
        ck_assert_ptr_null(a);
    }
END_TEST

START_TEST(import_of_padding)
    {
        static const int64_t off[] = { 1, 5 }, col[] = { -1, 1, 3, -1 };
        const T val[] = { MAKE(NAN, NAN), 5, 6, MAKE(INFINITY, 0) };
        struct psb_raw r = { PSB_RAW_SELL, 1, 64, 64, .slice = 2, .m = 2, .n = 3, .nnz = 2, .stored = 4 };
        struct X(raw_const) from = { .off = off, .col = col, .val = val };
        struct dense d = dense_new(2, 3);
        dense_put(&d, 0, 2, 6);
        dense_put(&d, 1, 0, 5);
        for (int ell = 0; ell < 2; ell++) {
            struct X(mat) *a = NULL;
            r.layout = ell ? PSB_RAW_ELL : PSB_RAW_SELL;
            r.order = PSB_BY_COLS;
            r.width = 2;
            OK(psb_raw_import(&r, &from, PSB_DUPL_ERROR, &X(ell_mold).mat, &a));
            dense_is(a, &d, "padded");
            psb_mat_free(a);
        }
        dense_free(&d);
    }
END_TEST

/* Values beyond the last row of a block are ignored; explicit zeros in a block are entries if requested. */
START_TEST(import_of_zeros_in_blocks)
    {
        static const int32_t off[] = { 0, 1 }, col[] = { 1 };
        T val[] = { 7, 0, 0, 0, 0, 0 };
        struct psb_raw r = { PSB_RAW_BSR, 0, 32, 32, PSB_BY_ROWS, 3, 2, .m = 2, .n = 3, .nnz = 1 };
        struct X(raw_const) from = { .off = off, .col = col, .val = val };
        for (r.zeros = 0; r.zeros < 2; r.zeros++) {
            struct X(mat) *a = NULL;
            struct dense d = dense_new(2, 3);
            dense_put(&d, 0, 2, 7);
            if (r.zeros)
                dense_put(&d, 1, 2, 0);
            OK(psb_raw_import(&r, &from, PSB_DUPL_ERROR, NULL, &a));
            dense_is(a, &d, "BSR");
            psb_mat_free(a);
            dense_free(&d);
        }
        struct X(mat) *a = NULL;
        val[1] = MAKE(NAN, 0);
        FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "argument from->val[1] is not 0 in row 0 of 2, column 3 of 3; expected 0 beyond the last");
        val[1] = 0, val[5] = 1;
        FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->val[5] is not 0 in row 2 of 2");
        ck_assert_ptr_null(a);
    }
END_TEST

/* Duplicate entries of a block are added. */
START_TEST(import_of_duplicate_blocks)
    {
        static const psb_ipk ia[] = { 0, 0, 1 }, ja[] = { 1, 1, 0 };
        const T val[] = { 2, 3, 4 }, block[] = { 0, 5, 4, 0 };
        static const int32_t off[] = { 0, 1 }, col[] = { 0 }, row2[] = { 0, 0, 1 }, col2[] = { 1, 1, 0 };
        struct X(mat) *a = NULL;
        struct psb_raw r = { PSB_RAW_BSR, 0, 32, 32, PSB_BY_ROWS, 2, 2, .m = 2, .n = 2, .nnz = 1 };
        struct psb_raw coo = { PSB_RAW_COO, .idx_bits = 32, .m = 2, .n = 2, .nnz = 3 };
        OK(psb_mat_all(2, 2, 3, &a));
        OK(psb_mat_csput(a, 3, ia, ja, val, PSB_DUPL_ADD));
        check_export(a, &r, &(struct X(raw_const)){ .off = off, .col = col, .val = block }, "BSR");
        check_export(a, &coo, &(struct X(raw_const)){ .row = row2, .col = col2, .val = val }, "COO");
        psb_mat_free(a);
    }
END_TEST

/* --- without copying --- */

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
        s.val[k] = value((by_cols ? by_col35 : by_row35)[k]);
    return s;
}

static void allocated_arrays_free(struct X(raw_arrays) *s)
{
    psb_free(s->off);
    psb_free(s->row);
    psb_free(s->col);
    psb_free(s->val);
}

START_TEST(matrix_of_borrowed_arrays)
    {
        const int by_cols = _i % 2, take = _i / 2;
        struct psb_raw r, seen_as;
        struct X(raw_arrays) s = allocated_arrays(by_cols, &r);
        struct X(raw_const) v;
        struct X(mat) *a = NULL, *b = NULL;
        struct dense d = dense_new(3, 5);
        for (psb_ipk k = 0; k < 15; k++)
            if (roc35[k])
                dense_put(&d, k / 5, k % 5, value(roc35[k]));
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
        dense_free(&d);
    }
END_TEST

START_TEST(wrap_of_null_arrays)
    {
        psb_epk zero[3] = { 0 };
        struct psb_raw r = { PSB_RAW_CSR, 0, 32, 64, .m = 2, .n = 3 };
        struct X(raw_arrays) s = { .off = zero };
        struct X(mat) *a = NULL;
        T y[2], x[3] = { 1, 1, 1 };
        OK(psb_raw_wrap(&r, &s, PSB_RAW_BORROW, &a));
        OK(psb_mat_zero_vals(a));
        OK(psb_mat_csmv(1, a, x, 0, y, 'N'));
        ck_assert(y[0] == 0 && y[1] == 0);
        psb_mat_free(a);
    }
END_TEST

/* The caller changes values between solves. */
START_TEST(solves_with_borrowed_arrays)
    {
        psb_epk off[] = { 0, 1, 3 };
        psb_ipk col[] = { 0, 0, 1 };
        T val[] = { 2, 1, 4 }, x[] = { 2, 9 }, y[2];
        const struct psb_raw r = { PSB_RAW_CSR, 0, 32, 64, .m = 2, .n = 2, .nnz = 3 };
        const struct X(raw_arrays) s = { .off = off, .col = col, .val = val };
        struct X(mat) *a = NULL;
        OK(psb_raw_wrap(&r, &s, PSB_RAW_BORROW, &a));
        OK(psb_mat_set_triangle(a, 1));
        OK(X(mat_cssv)(1, a, x, 0, y, 'N', 'L', NULL));
        ck_assert(y[0] == 1 && y[1] == 2);
        val[2] = 0;
        FAILS(X(mat_cssv)(1, a, x, 0, y, 'N', 'L', NULL), PSB_EARG, "row 1 has 0 on the diagonal");
        val[2] = 8;
        OK(X(mat_cssv)(1, a, x, 0, y, 'N', 'L', NULL));
        ck_assert(y[0] == 1 && y[1] == 1);
        psb_mat_free(a);
    }
END_TEST

START_TEST(refused_wraps)
    {
        struct psb_raw good, r;
        struct X(raw_arrays) s = allocated_arrays(_i, &good), none = s;
        const char *name = _i ? "row" : "col";
        char text[80];
        psb_ipk *idx = _i ? s.row : s.col;
        psb_epk *off = s.off;
        struct X(mat) *a = NULL;
        for (enum psb_raw_owner o = PSB_RAW_BORROW; o <= PSB_RAW_TAKE; o++) {
            r = good, r.base = 1;
            FAILS(psb_raw_wrap(&r, &s, o, &a), PSB_EARG, "argument r->base is 1; expected 0");
            r = good, r.idx_bits = 64;
            FAILS(psb_raw_wrap(&r, &s, o, &a), PSB_EARG, "argument r->idx_bits is 64; expected 32");
            r = good, r.off_bits = 32;
            FAILS(psb_raw_wrap(&r, &s, o, &a), PSB_EARG, "argument r->off_bits is 32; expected 64");
            r = good, r.layout = PSB_RAW_COO;
            FAILS(psb_raw_wrap(&r, &s, o, &a), PSB_EARG, "argument r->layout is 0; expected PSB_RAW_CSR or");
            r = good, r.nnz = 7;
            FAILS(psb_raw_wrap(&r, &s, o, &a), PSB_EARG, "is 8; expected at most 7");
            FAILS(psb_raw_wrap(NULL, &s, o, &a), PSB_EARG, "argument r is NULL");
            FAILS(psb_raw_wrap(&good, NULL, o, &a), PSB_EARG, "argument from is NULL");
            FAILS(psb_raw_wrap(&good, &s, o, (struct X(mat) **)NULL), PSB_EARG, "argument a is NULL");
            none = s, none.off = NULL;
            FAILS(psb_raw_wrap(&good, &none, o, &a), PSB_EARG, "argument from->off is NULL");
            none = s, none.val = NULL;
            FAILS(psb_raw_wrap(&good, &none, o, &a), PSB_EARG,
                  "argument from->val is NULL; expected 8 elements");
            none = s, none.row = none.col = NULL;
            snprintf(text, sizeof text, "argument from->%s is NULL; expected 8 elements", name);
            FAILS(psb_raw_wrap(&good, &none, o, &a), PSB_EARG, text);
            idx[0] = -1;
            snprintf(text, sizeof text, "argument from->%s[0] is -1; expected 0 <= %s < %d", name, name,
                     _i ? 3 : 5);
            FAILS(psb_raw_wrap(&good, &s, o, &a), PSB_EARG, text);
            idx[0] = idx[1];
            snprintf(text, sizeof text, "argument from->%s[1] is %d after %d; expected them ascending", name,
                     idx[1], idx[1]);
            FAILS(psb_raw_wrap(&good, &s, o, &a), PSB_EARG, text);
            idx[0] = 0;
            off[1] = -1;
            FAILS(psb_raw_wrap(&good, &s, o, &a), PSB_EARG,
                  "argument from->off[1] is -1; expected >= off[0], 0");
            off[1] = _i ? 2 : 3;
            psb_alloc_fail_at(1);
            FAILS(psb_raw_wrap(&good, &s, o, &a), PSB_ENOMEM, "no memory");
        }
        FAILS(psb_raw_wrap(&good, &s, (enum psb_raw_owner)2, &a), PSB_EARG,
              "argument owner is 2; expected PSB_RAW_BORROW or PSB_RAW_TAKE");
        ck_assert_ptr_null(a);
        allocated_arrays_free(&s);
    }
END_TEST

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
    check_export(a, &s, &v, a->ops->fmt);
    return 1;
}

START_TEST(view_of_all_formats)
    {
        const struct X(mat) *mold = X(mat_format)(_i);
        int views = 0, all = 0;
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(k, 0);
            struct X(mat) *a = in_format(s, _i);
            views += check_view(a);
            all++;
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
        const char *fmt = mold->ops->fmt;
        if (strcmp(fmt, "CSR") == 0 || strcmp(fmt, "CSC") == 0 || strcmp(fmt, "COO") == 0)
            ck_assert_int_eq(views, all);
        if (strcmp(fmt, "HLL") == 0 || strcmp(fmt, "BSR") == 0)
            ck_assert(views > 0 && views < all);
        if (strcmp(fmt, "DIA") == 0 || strcmp(fmt, "MINIMAL") == 0)
            ck_assert_int_eq(views, 0);
    }
END_TEST

START_TEST(sliced_ell_without_padding)
    {
        struct X(coo_mat) *s = sample(FULL, 6, 5), *t = sample(SPREAD, 6, 5);
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
        X(mat_free)(&s->mat);
        X(mat_free)(&t->mat);
    }
END_TEST

/* --- errors --- */

static const struct psb_raw bsr = { PSB_RAW_BSR, 0, 32, 32, PSB_BY_COLS, 2, 2, .m = 4, .n = 3, .nnz = 4 };
static const struct psb_raw sell = { PSB_RAW_SELL, 0,      32,       32,          .slice = 2,
                                     .m = 5,       .n = 4, .nnz = 8, .stored = 14 };
static const struct psb_raw hyb = { PSB_RAW_HYB, 0,      32,       .order = PSB_BY_COLS,
                                    .m = 3,      .n = 5, .nnz = 2, .width = 2 };

/* Descriptions of arrays with one wrong member. */
#define WITH(x, member, v) psb_raw_lengths((r = (x), r.member = (v), &r), &len)

START_TEST(descriptions)
    {
        struct psb_raw r = bsr;
        struct psb_raw_lengths len = { .val = -7 };
        FAILS(psb_raw_lengths(NULL, &len), PSB_EARG, "argument r is NULL; expected what describes");
        FAILS(psb_raw_lengths(&r, NULL), PSB_EARG, "argument len is NULL; expected where");
        FAILS(WITH(bsr, layout, (enum psb_raw_layout)10), PSB_EARG,
              "argument r->layout is 10; expected one of");
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
END_TEST

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

START_TEST(wrong_elements)
    {
        const struct wrong *w = &wrongs[_i];
        const struct example *x = &examples[w->example];
        for (int v = 0; v < 8; v += 2) { /* base 0 */
            struct psb_raw r = variant_of(&x->r, v);
            struct X(raw_arrays) s = layout_arrays(x, &r);
            struct X(raw_const) from = as_const(&s);
            struct X(mat) *a = NULL;
            set(w->array == 'o'   ? s.off
                : w->array == 'r' ? s.row
                : w->array == 'c' ? s.col
                                  : s.ell_col,
                w->array == 'o' ? r.off_bits : r.idx_bits, w->k, w->v);
            FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, w->words);
            ck_assert_ptr_null(a);
            arrays_free(&s);
        }
    }
END_TEST

/* With base 1, 0 is out of range and -1 is padding; extreme integers overflow nothing. */
START_TEST(wrong_elements_of_base_1)
    {
        static const int64_t bad[] = { 0, 6, INT64_MIN, INT64_MAX, -2 };
        const struct example *x = &examples[4];
        struct psb_raw r = variant_of(&x->r, 3);
        struct X(raw_arrays) s = layout_arrays(x, &r);
        struct X(raw_const) from = as_const(&s);
        struct X(mat) *a = NULL;
        char text[90];
        for (int k = 0; k < 5; k++) {
            set(s.col, 64, 8, bad[k]);
            snprintf(text, sizeof text, "argument from->col[8] is %" PRId64 "; expected 1 <= col < 6",
                     bad[k]);
            FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, text);
        }
        arrays_free(&s);
    }
END_TEST

START_TEST(wrong_arguments_of_import)
    {
        struct psb_raw r = variant_of(&hyb, 0);
        struct X(raw_arrays) s = layout_arrays(&examples[6], &r);
        struct X(raw_const) from = as_const(&s), none;
        struct X(mat) *a = NULL;
        FAILS(psb_raw_import(NULL, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, "argument r is NULL");
        FAILS(psb_raw_import(&r, NULL, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "argument from is NULL; expected arrays");
        FAILS(psb_raw_import(&r, &from, (enum psb_dupl)7, NULL, &a), PSB_EARG,
              "argument dupl is 7; expected one");
        FAILS(psb_raw_import(&r, &from, PSB_DUPL_ADD, NULL, (struct X(mat) **)NULL), PSB_EARG,
              "argument a is NULL; expected where");
        none = from, none.row = NULL;
        FAILS(psb_raw_import(&r, &none, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->row is NULL; expected 2 elements");
        none = from, none.col = NULL;
        FAILS(psb_raw_import(&r, &none, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->col is NULL; expected 2 elements");
        none = from, none.val = NULL;
        FAILS(psb_raw_import(&r, &none, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->val is NULL; expected 2 elements");
        none = from, none.ell_col = NULL;
        FAILS(psb_raw_import(&r, &none, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->ell_col is NULL; expected 6");
        none = from, none.ell_val = NULL;
        FAILS(psb_raw_import(&r, &none, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->ell_val is NULL; expected 6");
        r.layout = PSB_RAW_CSR, r.off_bits = 32;
        none = from, none.off = NULL;
        FAILS(psb_raw_import(&r, &none, PSB_DUPL_ADD, NULL, &a), PSB_EARG,
              "from->off is NULL; expected 4 elements");
        ck_assert_ptr_null(a);
        arrays_free(&s);
    }
END_TEST

START_TEST(wrong_arguments_of_export)
    {
        struct X(coo_mat) *m = sample(DENSE_ROW, 6, 5);
        struct X(mat) *a = &m->mat;
        struct psb_raw good = sell, r;
        OK(psb_raw_export(a, &good, NULL));
        struct X(raw_arrays) s = arrays_for(&good), none = s;
        FAILS(X(raw_export)(NULL, &good, &s), PSB_EARG, "argument a is NULL; expected a matrix");
        FAILS(psb_raw_export(a, NULL, &s), PSB_EARG, "argument r is NULL");
        r = good, r.base = 3;
        FAILS(psb_raw_export(a, &r, NULL), PSB_EARG, "argument r->base is 3");
        r = good, r.m = 5;
        FAILS(psb_raw_export(a, &r, &s), PSB_EARG, "argument r->m is 5; expected 6");
        r = good, r.n = 6;
        FAILS(psb_raw_export(a, &r, &s), PSB_EARG, "argument r->n is 6; expected 5");
        r = good, r.nnz--;
        FAILS(psb_raw_export(a, &r, &s), PSB_EARG, "argument r->nnz is ");
        r = good, r.stored++;
        FAILS(psb_raw_export(a, &r, &s), PSB_EARG, "argument r->stored is ");
        none.off = NULL;
        FAILS(psb_raw_export(a, &good, &none), PSB_EARG, "argument to->off is NULL; expected 4 elements");
        none = s, none.col = NULL;
        FAILS(psb_raw_export(a, &good, &none), PSB_EARG, "argument to->col is NULL; expected ");
        none = s, none.val = NULL;
        FAILS(psb_raw_export(a, &good, &none), PSB_EARG, "argument to->val is NULL; expected ");
        r = good, r.slice = INT32_MAX, r.base = 1;
        FAILS(psb_raw_export(a, &r, NULL), PSB_EARG, "argument r->off_bits is 32, and the last offset 1073");
        ck_assert(r.stored == good.stored);
        r.off_bits = 64;
        OK(psb_raw_export(a, &r, NULL));
        ck_assert_int_eq(r.stored, 5 * (psb_epk)INT32_MAX);
        r = hyb, r.width = -2;
        FAILS(psb_raw_export(a, &r, NULL), PSB_EARG,
              "argument r->width is -2; expected >= 0, or PSB_RAW_AUTO");
        r = (struct psb_raw){ PSB_RAW_ELL, .idx_bits = 32, .order = PSB_BY_ROWS, .m = 6, .n = 5, .width = 4 };
        FAILS(psb_raw_export(a, &r, &s), PSB_EARG, "argument r->width is 4; expected >= 5");
        FAILS(X(raw_view)(NULL, &r, &(struct X(raw_const)){ 0 }), PSB_EARG,
              "argument a is NULL; expected a matrix");
        FAILS(psb_raw_view(a, NULL, &(struct X(raw_const)){ 0 }), PSB_EARG,
              "argument r is NULL; expected where");
        FAILS(psb_raw_view(a, &r, NULL), PSB_EARG, "argument v is NULL; expected where");
        arrays_free(&s);
        X(mat_free)(a);
    }
END_TEST

/* The message names the called function, not an internal one. */
START_TEST(errors_name_the_call)
    {
        const int32_t at[] = { 1, 1 };
        const T one[] = { 1, 1 };
        const struct X(raw_const) twice = { .row = at, .col = at, .val = one };
        const struct X(raw_arrays) nowhere = { 0 };
        struct psb_raw r = { .layout = PSB_RAW_COO, .idx_bits = 32, .m = 2, .n = 2, .nnz = 2 };
        struct X(coo_mat) *s = sample(DIAGONAL, 3, 3);
        struct X(mat) *a = NULL;
        FAILS(psb_raw_import(&r, &twice, PSB_DUPL_ERROR, NULL, &a), PSB_EARG, "_raw_import: ");
        ck_assert_ptr_null(a);
        FAILS(X(raw_export)(&s->mat, &r, &nowhere), PSB_EARG, "_raw_export: ");
        OK(X(raw_export)(&s->mat, &r, NULL));
        FAILS(X(raw_export)(&s->mat, &r, &nowhere), PSB_EARG, "_raw_export: ");
        X(mat_free)(&s->mat);
    }
END_TEST

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

START_TEST(allocation_fails)
    {
        struct X(coo_mat) *m = sample(SPREAD, 20, 30);
        struct X(mat) *a = NULL, *b = NULL;
        struct psb_raw r = { .layout = PSB_RAW_CSC, .base = 1, .idx_bits = 64, .off_bits = 64 };
        struct dense d = dense_of_coo(m);
        OK(psb_mat_convert(&m->mat, X(mat_format)(_i), &a));
        ck_assert_int_ge(fail_export(a, &r, NULL), 1);
        struct X(raw_arrays) s = arrays_for(&r);
        struct X(raw_const) from = as_const(&s);
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
        dense_free(&d);
        arrays_free(&s);
        psb_mat_free(a);
        X(mat_free)(&m->mat);
    }
END_TEST

static Suite *raw_arrays(int n)
{
    Suite *s = suite_create("arrays of other libraries");
    TCase *c = ck_tcase(s, "every format");
    tcase_add_loop_test(c, export_and_import_of_all_layouts, 0, n);
    tcase_add_loop_test(c, sizes_of_long_rows, 0, n);
    tcase_add_loop_test(c, export_of_unit_triangles, 0, n);
    tcase_add_loop_test(c, view_of_all_formats, 0, n);
    tcase_add_loop_test(c, allocation_fails, 0, n);
    c = ck_tcase(s, "single tests");
    tcase_add_loop_test(c, examples_of_the_documentation, 0, 8 * EXAMPLES);
    tcase_add_test(c, unsorted_entries_with_duplicates);
    tcase_add_test(c, import_of_padding);
    tcase_add_test(c, import_of_zeros_in_blocks);
    tcase_add_test(c, import_of_duplicate_blocks);
    tcase_add_loop_test(c, matrix_of_borrowed_arrays, 0, 4);
    tcase_add_test(c, wrap_of_null_arrays);
    tcase_add_test(c, solves_with_borrowed_arrays);
    tcase_add_loop_test(c, refused_wraps, 0, 2);
    tcase_add_test(c, sliced_ell_without_padding);
    tcase_add_test(c, descriptions);
    tcase_add_loop_test(c, wrong_elements, 0, sizeof wrongs / sizeof *wrongs);
    tcase_add_test(c, wrong_elements_of_base_1);
    tcase_add_test(c, wrong_arguments_of_import);
    tcase_add_test(c, wrong_arguments_of_export);
    tcase_add_test(c, errors_name_the_call);
    return s;
}

int check_raw(void)
{
    psb_ctxt *ctxt;
    int n = 0;
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK || X(mat_register)(&minimal_mold.mat) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    while (X(mat_format)(n))
        n++;
    return ck_end(ctxt, ck_run(raw_arrays(n)));
}
