/* check_raw_device.c -- test: arrays of other libraries on the device; the memory of the fake device is
 * memory of the host. */
#include "psb_cuda.h"
#include <stdio.h>
#include <string.h>
#include "check_raw.h"

static void *sent(const void *from, size_t bytes)
{
    void *p;
    OK(psb_cuda_device()->alloc(&p, bytes + 8, "theirs"));
    if (bytes)
        OK(psb_cuda_device()->put(p, from, bytes));
    return p;
}

/* Copies on the device of the arrays that r describes. */
static struct X(raw_arrays) sent_arrays(const struct psb_raw *r, const struct X(raw_const) *from)
{
    const size_t idx = (size_t)r->idx_bits / 8, off = (size_t)r->off_bits / 8;
    struct psb_raw_sizes n;
    OK(psb_raw_lengths(r, &n));
    return (struct X(raw_arrays)){
        sent(from->off, (size_t)n.off * off),         sent(from->row, (size_t)n.row * idx),
        sent(from->col, (size_t)n.col * idx),         sent(from->val, (size_t)n.val * sizeof(T)),
        sent(from->ell_col, (size_t)n.ell_col * idx), sent(from->ell_val, (size_t)n.ell_val * sizeof(T)),
    };
}

static void free_sent(const struct X(raw_arrays) *s)
{
    void *const p[] = { s->off, s->row, s->col, s->val, s->ell_col, s->ell_val };
    for (int k = 0; k < 6; k++)
        psb_cuda_device()->free(p[k]);
}

void check_raw_on_device(const struct psb_raw *r, const struct X(raw_const) *from, const struct dense *d,
                         const char *what)
{
    static const char *const molds[] = { "csrg", "hlg", "csr" };
    const struct X(raw_arrays) s = sent_arrays(r, from);
    const struct X(raw_const) there = raw_as_const(&s);
    for (int f = -1; f < 3; f++) {
        MAT *a = NULL;
        OK(psb_cuda_raw_import(r, &there, PSB_DUPL_ERROR, f < 0 ? NULL : X(mat_by_name)(molds[f]), &a));
        ck_assert(psb_mat_is_asb(a));
        dense_is(a, d, what);
    }
    free_sent(&s);
}

/* Duplicates are merged in the order of the arrays; the order on the device is that of the host. */
TEST(duplicates_on_device)
{
    const int32_t row[] = { 2, 1, 2, 1, 2 }, col[] = { 3, 1, 3, 1, 1 };
    const T val[] = { 1, 2, 4, 8, 16 };
    const struct psb_raw r = { PSB_RAW_COO, 1, 32, 32, .m = 2, .n = 3, .nnz = 5 };
    const struct X(raw_const) from = { .row = row, .col = col, .val = val };
    const struct X(raw_arrays) s = sent_arrays(&r, &from);
    const struct X(raw_const) there = raw_as_const(&s);
    for (enum psb_dupl dupl = PSB_DUPL_ADD; dupl <= PSB_DUPL_OVERWRITE; dupl++) {
        MAT *a = NULL, *b = NULL;
        OK(psb_raw_import(&r, &from, dupl, NULL, &a));
        OK(psb_cuda_raw_import(&r, &there, dupl, NULL, &b));
        DENSE d = dense_of_coo((struct X(coo_mat) *)a);
        dense_is(b, &d, "duplicates");
    }
    struct X(mat) *a = NULL;
    FAILS(psb_cuda_raw_import(&r, &there, PSB_DUPL_ERROR, NULL, &a), PSB_EARG,
          "several entries of one place");
    ck_assert_ptr_null(a);
    free_sent(&s);
}

/* No array is copied but offsets of 32 bits; a change of values is one of the caller's. */
TEST(wrap_on_device)
{
    static const psb_epk off[] = { 0, 2, 2, 5 };
    static const int32_t off32[] = { 0, 2, 2, 5 };
    static const psb_ipk col[] = { 0, 3, 0, 1, 2 };
    const T val[] = { 1, 2, 3, 4, 5 }, x[] = { 1, 10, 100, 1000 };
    T y[3], now[5];
    for (int bits = 32; bits <= 64; bits += 32) {
        const struct psb_raw r = { PSB_RAW_CSR, 0, 32, bits, .m = 3, .n = 4, .nnz = 5 };
        const struct X(raw_const) from = { .off = bits == 32 ? (const void *)off32 : off,
                                           .col = col,
                                           .val = val };
        const struct X(raw_arrays) s = sent_arrays(&r, &from);
        struct X(mat) *a = NULL;
        psb_transfers_reset();
        OK(psb_cuda_raw_wrap(&r, &s, &a));
        ck_assert_int_eq(psb_transfers(NULL).puts, 0);
        ck_assert_str_eq(psb_mat_get_fmt(a), "CSRG");
        const struct X(csr_mat) *c = (const struct X(csr_mat) *)a;
        ck_assert(c->ja.dev == s.col && c->val.dev == s.val && (c->irp.dev == s.off) == (bits == 64));
        OK(psb_mat_csmv(1, a, x, 0, y, 'N'));
        ck_assert(y[0] == 2001 && y[1] == 0 && y[2] == 543);
        OK(psb_mat_csput(a, 1, (psb_ipk[]){ 2 }, (psb_ipk[]){ 1 }, (T[]){ 6 }, PSB_DUPL_OVERWRITE));
        OK(psb_mat_sync(a));
        psb_mat_free(a);
        OK(psb_cuda_device()->get(now, s.val, sizeof now));
        ck_assert(now[3] == 6 && now[4] == 5);
        free_sent(&s);
    }
}

/* The arrays of the host `from`, of 3 offsets of 64 bits, 5 columns of 32, and 9 values or 5, are refused on
 * the device. */
static void refused(struct psb_raw r, const psb_epk *off, const psb_ipk *col, const T *val,
                    const char *wrapped, const char *imported)
{
    struct X(mat) *a = NULL;
    const struct X(raw_arrays) s = { .off = sent(off, 3 * sizeof *off),
                                     .row = sent(col, 5 * sizeof *col),
                                     .col = sent(col, 5 * sizeof *col),
                                     .val = sent(val, 9 * sizeof *val) };
    const struct X(raw_const) from = raw_as_const(&s);
    if (wrapped)
        FAILS(psb_cuda_raw_wrap(&r, &s, &a), PSB_EARG, wrapped);
    if (imported)
        FAILS(psb_cuda_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, imported);
    ck_assert_ptr_null(a);
    free_sent(&s);
}

TEST(refused_on_device)
{
    psb_epk off[] = { 0, 2, 5 };
    psb_ipk col[] = { 0, 3, 0, 1, 2 };
    const T val[9] = { 1, 2, 3, 4, 5 }, block[] = { 1, 2, 0, 3, 4, 0, 0, 7, 0 };
    const struct psb_raw good = { PSB_RAW_CSR, 0, 32, 64, .m = 2, .n = 4, .nnz = 5 };
    struct psb_raw r;
    struct X(mat) *a = NULL;
    const struct X(raw_arrays) none = { .off = off, .val = (T *)val };
    refused((r = good, r.base = 1, r), off, col, val, "argument r->base is 1; expected 0",
            "argument from->off[0] is 0; expected the base, 1");
    refused((r = good, r.layout = PSB_RAW_COO, r), off, col, val, "argument r->layout is 0", NULL);
    refused((r = good, r.nnz = 4, r), off, col, val, "argument from->off[2] is 5 after 2",
            "argument from->off[2] is 5 after 2");
    FAILS(psb_cuda_raw_wrap(&good, &none, &a), PSB_EARG, "argument from->col is NULL; expected 5 elements");
    FAILS(psb_cuda_raw_wrap(NULL, &none, &a), PSB_EARG, "argument r is NULL");
    FAILS(psb_cuda_raw_wrap(&good, NULL, &a), PSB_EARG, "argument from is NULL");
    col[3] = 4;
    refused(good, off, col, val, "argument from->col[3] is 4; expected 0 <= col < 4",
            "element 3 of the values `from` is in row 1, column 4");
    col[3] = -1;
    refused(good, off, col, val, "argument from->col[3] is -1", "element 3 of the values");
    col[3] = 0;
    refused(good, off, col, val, "argument from->col[3] is 0 after 0; expected them ascending", NULL);
    col[3] = 1;
    off[1] = -1;
    refused(good, off, col, val, "argument from->off[1] is -1 after 0",
            "argument from->off[1] is -1 after 0");
    off[1] = 6;
    refused(good, off, col, val, "argument from->off[1] is 6 after 0", "argument from->off[1] is 6 after 0");
    off[1] = 1;
    /* a block of 3 x 3 reaches beyond the matrix */
    r = (struct psb_raw){ PSB_RAW_BSR, 0, 32, 64, PSB_BY_ROWS, 3, 3, .m = 2, .n = 2, .nnz = 1 };
    refused(
        r, off, col, block, NULL,
        "element 7 of the values `from` is in row 2, column 1, counted from 0; expected a matrix of 2 x 2");
}

void add_raw_device(TCase *c)
{
    ck_add_tests(c, duplicates_on_device, wrap_on_device, refused_on_device);
}
