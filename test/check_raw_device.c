/* check_raw_device.c -- test: arrays of other libraries on the device; the memory of the fake device is
 * memory of the host. */
#include "psb_cuda.h"
#include <stdio.h>
#include <string.h>
#include "check_raw.h"

void check_raw_on_device(const struct psb_raw *r, const struct X(raw_const) *from, const struct dense *d,
                         const char *what)
{
    static const char *const molds[] = { "csrg", "hlg", "csr" };
    for (int f = -1; f < 3; f++) {
        MAT *a = NULL;
        OK(psb_cuda_raw_import(r, from, PSB_DUPL_ERROR, f < 0 ? NULL : X(mat_by_name)(molds[f]), &a));
        ck_assert(psb_mat_is_asb(a));
        dense_is(a, d, what);
    }
}

/* Duplicates are merged in the order of the arrays; the order on the device is that of the host. */
TEST(duplicates_on_device)
{
    const int32_t row[] = { 2, 1, 2, 1, 2 }, col[] = { 3, 1, 3, 1, 1 };
    const T val[] = { 1, 2, 4, 8, 16 };
    const struct psb_raw r = { PSB_RAW_COO, 1, 32, 32, .m = 2, .n = 3, .nnz = 5 };
    const struct X(raw_const) from = { .row = row, .col = col, .val = val };
    for (enum psb_dupl dupl = PSB_DUPL_ADD; dupl <= PSB_DUPL_OVERWRITE; dupl++) {
        MAT *a = NULL, *b = NULL;
        OK(psb_raw_import(&r, &from, dupl, NULL, &a));
        OK(psb_cuda_raw_import(&r, &from, dupl, NULL, &b));
        DENSE d = dense_of_coo((struct X(coo_mat) *)a);
        dense_is(b, &d, "duplicates");
    }
    MAT *a = NULL;
    FAILS(psb_cuda_raw_import(&r, &from, PSB_DUPL_ERROR, NULL, &a), PSB_EARG, "several entries of one place");
}

/* No array is copied but offsets of 32 bits; a change of values is one of the caller's. */
TEST(wrap_on_device)
{
    psb_epk off[] = { 0, 2, 2, 5 };
    int32_t off32[] = { 0, 2, 2, 5 };
    psb_ipk col[] = { 0, 3, 0, 1, 2 };
    T val[] = { 1, 2, 3, 4, 5 }, y[3], x[] = { 1, 10, 100, 1000 };
    for (int bits = 32; bits <= 64; bits += 32) {
        const struct psb_raw r = { PSB_RAW_CSR, 0, 32, bits, .m = 3, .n = 4, .nnz = 5 };
        const struct X(raw_arrays) from = { .off = bits == 32 ? (void *)off32 : off, .col = col, .val = val };
        MAT *a = NULL;
        psb_transfers_reset();
        OK(psb_cuda_raw_wrap(&r, &from, &a));
        ck_assert_int_eq(psb_transfers(NULL).puts, 0);
        ck_assert_str_eq(psb_mat_get_fmt(a), "CSRG");
        const struct X(csr_mat) *c = (const struct X(csr_mat) *)a;
        ck_assert(c->ja.dev == col && c->val.dev == val && (c->irp.dev == off) == (bits == 64));
        OK(psb_mat_csmv(1, a, x, 0, y, 'N'));
        ck_assert(y[0] == 2001 && y[1] == 0 && y[2] == 543);
        OK(psb_mat_csput(a, 1, (psb_ipk[]){ 2 }, (psb_ipk[]){ 1 }, (T[]){ 6 }, PSB_DUPL_OVERWRITE));
        OK(psb_mat_sync(a));
        ck_assert(val[3] == 6);
        val[3] = 4;
        psb_mat_free(a);
        a = NULL;
    }
    ck_assert(val[4] == 5 && col[4] == 2 && off[3] == 5);
}

static void not_taken(struct psb_raw r, struct X(raw_arrays) from, const char *text)
{
    struct X(mat) *a = NULL;
    FAILS(psb_cuda_raw_wrap(&r, &from, &a), PSB_EARG, text);
    ck_assert_ptr_null(a);
}

static void not_imported(struct psb_raw r, struct X(raw_arrays) s, const char *text)
{
    struct X(mat) *a = NULL;
    const struct X(raw_const) from = raw_as_const(&s);
    FAILS(psb_cuda_raw_import(&r, &from, PSB_DUPL_ADD, NULL, &a), PSB_EARG, text);
    ck_assert_ptr_null(a);
}

TEST(refused_on_device)
{
    psb_epk off[] = { 0, 2, 5 };
    psb_ipk col[] = { 0, 3, 0, 1, 2 };
    T val[] = { 1, 2, 3, 4, 5 };
    const struct psb_raw good = { PSB_RAW_CSR, 0, 32, 64, .m = 2, .n = 4, .nnz = 5 };
    struct psb_raw r;
    const struct X(raw_arrays) s = { .off = off, .col = col, .val = val };
    struct X(raw_arrays) t;
    struct X(mat) *a = NULL;
    not_taken((r = good, r.base = 1, r), s, "argument r->base is 1; expected 0");
    not_taken((r = good, r.layout = PSB_RAW_COO, r), (t = s, t.row = col, t), "argument r->layout is 0");
    not_taken((r = good, r.nnz = 4, r), s, "argument from->off[2] is 5 after 2");
    not_taken(good, (t = s, t.col = NULL, t), "argument from->col is NULL; expected 5 elements");
    FAILS(psb_cuda_raw_wrap(NULL, &s, &a), PSB_EARG, "argument r is NULL");
    FAILS(psb_cuda_raw_wrap(&good, NULL, &a), PSB_EARG, "argument from is NULL");
    FAILS(psb_cuda_raw_wrap(&good, &s, (struct X(mat) **)NULL), PSB_EARG, "argument a is NULL");
    col[3] = 4;
    not_taken(good, s, "argument from->col[3] is 4; expected 0 <= col < 4");
    not_imported(good, s, "element 3 of the values `from` is in row 1, column 4");
    col[3] = -1;
    not_taken(good, s, "argument from->col[3] is -1");
    not_imported(good, s, "element 3 of the values");
    col[3] = 0;
    not_taken(good, s, "argument from->col[3] is 0 after 0; expected them ascending");
    col[3] = 1;
    off[1] = -1;
    not_taken(good, s, "argument from->off[1] is -1 after 0");
    not_imported(good, s, "argument from->off[1] is -1 after 0");
    off[1] = 6;
    not_taken(good, s, "argument from->off[1] is 6 after 0");
    off[1] = 2;
    off[0] = 1;
    not_taken(good, s, "argument from->off[0] is 1; expected the base, 0");
    off[0] = 0;
    /* blocks of 3 x 3 reach beyond the matrix */
    const T block[] = { 1, 2, 0, 3, 4, 0, 0, 7, 0 };
    psb_ipk none[] = { 0, 1 };
    r = (struct psb_raw){ PSB_RAW_BSR, 0, 32, 32, PSB_BY_ROWS, 3, 3, .m = 2, .n = 2, .nnz = 1 };
    not_imported(
        r, (struct X(raw_arrays)){ .off = none, .col = col, .val = (T *)block },
        "element 7 of the values `from` is in row 2, column 1, counted from 0; expected a matrix of 2 x 2");
}

void add_raw_device(TCase *c)
{
    ck_add_tests(c, duplicates_on_device, wrap_on_device, refused_on_device);
}
