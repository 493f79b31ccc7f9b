/* check_raw_examples.c -- test: arrays of other libraries: examples of their documentation. */
#include "check_raw.h"

/* clang-format off */
const signed char roc35[] = { 1, 2, 0, 3, 0,
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

const struct raw_example raw_examples[] = {
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
enum { EXAMPLES = sizeof raw_examples / sizeof *raw_examples };

T raw_example_value(int v)
{
    return MAKE(v, -2 * v);
}

static struct dense example_dense(const struct raw_example *x)
{
    struct dense d = dense_new(x->r.m, x->r.n);
    for (psb_ipk k = 0; k < x->r.m * x->r.n; k++)
        if (x->dense[k])
            dense_put(&d, k / x->r.n, k % x->r.n, raw_example_value(x->dense[k]));
    return d;
}

static void set_all(void *p, int bits, psb_epk n, const signed char *from, int base)
{
    for (psb_epk k = 0; k < n; k++)
        set_raw_index(p, bits, k, from[k] < 0 ? -1 : from[k] + base);
}

struct X(raw_arrays) raw_example_arrays(const struct raw_example *x, const struct psb_raw *r)
{
    struct X(raw_arrays) s = raw_arrays_for(r);
    struct psb_raw_sizes n;
    OK(psb_raw_lengths(r, &n));
    set_all(s.off, r->off_bits, n.off, x->off, r->base);
    set_all(s.row, r->idx_bits, n.row, x->row, r->base);
    set_all(s.col, r->idx_bits, n.col, x->col, r->base);
    set_all(s.ell_col, r->idx_bits, n.ell_col, x->ell_col, r->base);
    for (psb_epk k = 0; k < n.val; k++)
        s.val[k] = x->val[k] ? raw_example_value(x->val[k]) : 0;
    for (psb_epk k = 0; k < n.ell_val; k++)
        s.ell_val[k] = x->ell_val[k] ? raw_example_value(x->ell_val[k]) : 0;
    return s;
}

struct psb_raw raw_variant_of(const struct psb_raw *x, int variant)
{
    struct psb_raw r = *x;
    r.base = variant & 1;
    r.idx_bits = variant & 2 ? 64 : 32;
    r.off_bits = variant & 4 ? 64 : 32;
    return r;
}

TEST(examples_of_the_documentation)
{
    const struct raw_example *x = &raw_examples[_i / 8];
    struct psb_raw r = raw_variant_of(&x->r, _i % 8);
    RAW_ARRAYS s = raw_example_arrays(x, &r);
    struct X(raw_const) from = raw_as_const(&s);
    DENSE d = example_dense(x);
    check_raw_on_device(&r, &from, &d, x->from);
    for (int f = -1; f < 0 || X(mat_format)(f); f++) {
        MAT *a = NULL;
        OK(psb_raw_import(&r, &from, PSB_DUPL_ERROR, f < 0 ? NULL : X(mat_format)(f), &a));
        ck_assert(psb_mat_is_asb(a));
        ck_assert_str_eq(psb_mat_get_fmt(a), f < 0 ? "COO" : X(mat_format)(f)->ops->fmt);
        dense_is(a, &d, x->from);
        check_raw_export(a, &r, &from, x->from);
    }
}

void add_raw_examples(TCase *c)
{
    ck_add_loop_tests(c, 8 * EXAMPLES, examples_of_the_documentation);
}
