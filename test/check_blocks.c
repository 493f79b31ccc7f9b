/* check_blocks.c -- test: BSR and Blocked-ELL: explicit layouts, choice of block sizes, refusals, and
 * products of every kernel, with infinities next to padding. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#include "check_blocks.h"
#include "format_checks.h"
#include "minimal_format.h"
#ifdef _OPENMP
#include <omp.h>
#endif

static void same(struct X(mat) *a, const struct X(coo_mat) *s)
{
    MAT *b = convert(a, &X(coo_mold).mat);
    ck_assert(X(coo_ordered)((struct X(coo_mat) *)b));
    ck_assert(same_entries((struct X(coo_mat) *)b, s));
}

/* Without a limit: products of small blocks take about 3 times as long as CSR's, more or less by the level of
 * vector instructions. */
static struct X(bsr_mat) block_mold(int padded, psb_ipk r, psb_ipk c, int by_cols)
{
    struct X(bsr_mat) m = padded ? X(bell_mold) : X(bsr_mold);
    m.block_rows = r;
    m.block_cols = c;
    m.by_cols = by_cols;
    m.limit = 0;
    return m;
}

/* --- registered molds --- */

static const struct X(mat_ops) flat_ops = { .super = &X(bsr_mold).mat,
                                            .fmt = "BSR-2x3",
                                            .size = sizeof(struct X(bsr_mat)) };
static const struct X(mat_ops) wide_ops = { .super = &X(bsr_mold).mat,
                                            .fmt = "BSR-8x8",
                                            .size = sizeof(struct X(bsr_mat)) };
static const struct X(mat_ops) bell_ops = { .super = &X(bell_mold).mat,
                                            .fmt = "BELL-4x4",
                                            .size = sizeof(struct X(bsr_mat)) };
static const struct X(bsr_mat) others[] = {
    { .mat.ops = &flat_ops, .block_rows = 2, .block_cols = 3, .limit = 8 },
    { .mat.ops = &wide_ops, .block_rows = 8, .by_cols = 1, .limit = 8 },
    { .mat.ops = &bell_ops, .block_cols = 4, .padded = 1, .limit = 8 },
};
enum { OTHERS = sizeof others / sizeof *others };

static psb_err register_formats(void)
{
    PSB_TRY(X(mat_register)(&minimal_mold.mat));
    for (int k = 0; k < OTHERS; k++)
        PSB_TRY(X(mat_register)(&others[k].mat));
    return PSB_OK;
}

int formats_init(psb_ctxt **ctxt)
{
    int n = 0;
    ck_mpi_init();
    if (ck_init(ctxt) != PSB_OK || register_formats() != PSB_OK) {
        psb_print_errmsg();
        return 0;
    }
    while (mold(n))
        n++;
    return n;
}

/* --- layout --- */

/* 5 x 7 in blocks of 2 x 3; "0" is an explicit zero; 4 and 5 are duplicates in one position:
 *
 *      1 . 2 | . . . | 3
 *      . . . | . . . | 45
 *      ------+-------+--
 *      . . . | . 6 . | .
 *      . . . | 0 . 7 | .
 *      ------+-------+--
 *      8 . . | . . 9 | . */
static const psb_ipk rows[] = { 0, 0, 0, 1, 1, 2, 3, 3, 4, 4 };
static const psb_ipk cols[] = { 0, 2, 6, 6, 6, 4, 3, 5, 0, 5 };
static const T values[] = { 1, 2, 3, 4, 5, 6, 0, 7, 8, 9 };
enum { ENTRIES = 10 };

static struct X(coo_mat) *example(void)
{
    struct X(coo_mat) *a = new_coo(5, 7);
    OK(X(coo_append)(a, ENTRIES, rows, cols, values));
    return a;
}

#define BSR(a) ((struct X(bsr_mat) *)(a))

struct layout {
    struct X(bsr_mat) mold;
    int n, blocks;
    psb_epk off[4];
    psb_ipk ja[9];
    unsigned char bits[9];
    double val[9][6];
};

static void check_layout(const struct layout *w)
{
    COO *s = example();
    MAT *a_ = convert(&s->mat, &w->mold.mat);
    struct X(bsr_mat) *a = BSR(a_);
    const psb_epk *off;
    const psb_ipk *ja;
    const unsigned char *bits;
    const T *val;
    ck_assert(a->r == 2 && a->c == 3 && a->n == 3 && !a->full);
    OK(psb_dual_read(&a->off, PSB_HOST, &off));
    OK(psb_dual_read(&a->ja, PSB_HOST, &ja));
    OK(psb_dual_read(&a->bits, PSB_HOST, &bits));
    OK(psb_dual_read(&a->val, PSB_HOST, &val));
    ck_assert_uint_eq(a->val.bytes, (size_t)w->blocks * 6 * sizeof *val);
    ck_assert_uint_eq(a->bits.bytes, (size_t)w->blocks);
    ck_assert_mem_eq(off, w->off, sizeof w->off);
    ck_assert_mem_eq(ja, w->ja, (size_t)w->blocks * sizeof *ja);
    ck_assert_mem_eq(bits, w->bits, (size_t)w->blocks);
    for (int k = 0; k < w->blocks * 6; k++)
        ck_assert(val[k] == (T)w->val[k / 6][k % 6]);
}

TEST(block_layout)
{
    struct layout by_rows = {
        .mold = block_mold(0, 2, 3, 0),
        .blocks = 6,
        .off = { 0, 3, 4, 6 },
        .ja = { 0, 2, 2, 1, 0, 1 },
        .bits = { 1 + 4, 1 + 8, 8, 2 + 8 + 32, 1, 4 },
        .val = { { 1, 0, 2 }, { 3, 0, 0, 4 }, { 0, 0, 0, 5 }, { 0, 6, 0, 0, 0, 7 }, { 8 }, { 0, 0, 9 } }
    };
    struct layout by_cols = {
        .mold = block_mold(0, 2, 3, 1),
        .blocks = 6,
        .off = { 0, 3, 4, 6 },
        .ja = { 0, 2, 2, 1, 0, 1 },
        .bits = { 1 + 16, 1 + 2, 2, 2 + 4 + 32, 1, 16 },
        .val = { { 1, 0, 0, 0, 2 }, { 3, 4 }, { 0, 5 }, { 0, 0, 6, 0, 0, 7 }, { 8 }, { 0, 0, 0, 0, 9 } }
    };
    struct layout padded = { .mold = block_mold(1, 2, 3, 0),
                             .blocks = 9,
                             .off = { 0, 3, 6, 9 },
                             .ja = { 0, 2, 2, 1, -1, -1, 0, 1, -1 },
                             .bits = { 1 + 4, 1 + 8, 8, 2 + 8 + 32, 0, 0, 1, 4, 0 },
                             .val = { { 1, 0, 2 },
                                      { 3, 0, 0, 4 },
                                      { 0, 0, 0, 5 },
                                      { 0, 6, 0, 0, 0, 7 },
                                      { 0 },
                                      { 0 },
                                      { 8 },
                                      { 0, 0, 9 } } };
    check_layout(&by_rows);
    check_layout(&by_cols);
    check_layout(&padded);
}

/* Padding in a block is not an entry; an explicit zero is. */
TEST(padding_is_not_an_entry)
{
    for (int q = 0; q < 4; q++) {
        struct X(bsr_mat) to = block_mold(q & 1, 2, 3, q >> 1);
        COO *s = example();
        MAT *a = convert(&s->mat, &to.mat);
        const psb_ipk i[] = { 3, 2 }, j[] = { 3, 3 };
        const T v[] = { 12, 13 };
        T d[5];
        psb_epk n;
        ck_assert_int_eq(a->nnz, ENTRIES);
        FAILS(X(mat_csput)(a, 2, i, j, v, PSB_DUPL_ADD), PSB_EARG, "entry 1, row 2, column 3, is not in");
        OK(X(mat_get_diag)(a, d));
        ck_assert(d[0] == 1 && d[1] == 0 && d[2] == 0 && d[3] == 0 && d[4] == 0);
        OK(X(mat_csput)(a, 1, i, j, v, PSB_DUPL_ADD));
        OK(X(mat_get_diag)(a, d));
        ck_assert(d[3] == 12);
        OK(X(mat_get_nz_row)(a, 1, &n));
        ck_assert_int_eq(n, 2);
        OK(X(mat_get_nz_row)(a, 4, &n));
        ck_assert_int_eq(n, 2);
    }
}

/* --- choice of blocks --- */

/* An m x m matrix with full w x w blocks on the diagonal. */
static struct X(coo_mat) *block_diagonal(psb_ipk m, psb_ipk w)
{
    struct X(coo_mat) *a = new_coo(m, m);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = i / w * w; j < i / w * w + w; j++)
            coo_put(a, i, j, (T)(1 + i % 7 + j % 5));
    return a;
}

TEST(choice_of_block_size)
{
    const struct X(bsr_mat) auto_mold[] = { block_mold(0, 0, 0, 1), block_mold(1, 0, 0, 1) };
    for (int q = 0; q < 2; q++)
        for (psb_ipk w = 2; w <= 8; w++) {
            psb_ipk m = w == 2 ? 168 * 840 : 3 * 840;
            COO *s = block_diagonal(m, w);
            MAT *a = convert(&s->mat, &auto_mold[q].mat);
            ck_assert_msg(BSR(a)->r == w && BSR(a)->c == w && BSR(a)->full,
                          "%s: blocks of %d are stored in %d x %d", a->ops->fmt, w, BSR(a)->r, BSR(a)->c);
            ck_assert_uint_eq(X(mat_bytes)(a),
                              (size_t)(m / w) * ((size_t)(w * w) * sizeof(T) + 4) + 8 * (size_t)(m / w + 1));
        }
}

/* Scattered entries: each has a block. */
TEST(blocks_of_scattered_entries)
{
    enum { N = 200, EACH = 6 };
    COO *s = new_coo(N, N);
    for (int k = 0; k < N * EACH; k++)
        coo_put(s, k / EACH, (7 * (k / EACH) + 29 * (k % EACH)) % N, (T)(k + 1));
    MAT *a = convert(&s->mat, &X(bsr_mold).mat);
    ck_assert(BSR(a)->r == 1 && BSR(a)->c == 1);
    ck_assert_uint_eq(X(mat_bytes)(a), N * EACH * (sizeof(T) + 4) + 8 * (N + 1));
}

/* One given dimension means square blocks. */
TEST(square_blocks)
{
    struct X(coo_mat) *samples[] = { sample(SPREAD, 97, 97), sample(NOTHING, 7, 9), sample(NOTHING, 0, 0) };
    for (int k = 0; k < 3; k++) {
        COO *s = samples[k];
        struct X(bsr_mat) rows = block_mold(0, 5, 0, 0), cols = block_mold(1, 0, 6, 1);
        MAT *a = convert(&s->mat, &rows.mat), *b = convert(&s->mat, &cols.mat);
        ck_assert(BSR(a)->r == 5 && BSR(a)->c == 5);
        ck_assert(BSR(b)->r == 6 && BSR(b)->c == 6);
    }
}

/* The choice samples several parts of a large matrix: here 3 x 3 blocks in the first eighth, 2 x 2 blocks
 * after it. */
TEST(choice_for_mixed_blocks)
{
    const psb_ipk m = 168 * 840;
    COO *s = block_diagonal(m, 2);
    const struct X(bsr_mat) bsr = block_mold(0, 0, 0, 1);
    psb_epk k = 0;
    for (psb_ipk i = 0; i < m / 8; i++)
        for (psb_ipk j = 0; j < 2; j++, k++)
            s->ja[k] = i / 3 * 3 + (i + j) % 3;
    MAT *a = convert(&s->mat, &bsr.mat);
    ck_assert(BSR(a)->r == 2 && BSR(a)->c == 2);
    same(a, s);
}

/* --- refusals --- */

TEST(wrong_molds)
{
    static const struct {
        psb_ipk rows, cols;
        int by_cols, padded;
        double limit;
        const char *said;
    } wrong[] = {
        { -1, 2, 0, 0, 0, "block_rows is -1; expected 1 to 32, or 0" },
        { 33, 2, 0, 0, 0, "block_rows is 33; expected 1 to 32, or 0" },
        { 2, -2, 0, 0, 0, "block_cols is -2; expected 1 to 32, or 0" },
        { 2, 34, 0, 0, 0, "block_cols is 34; expected 1 to 32, or 0" },
        { 2, 2, 2, 0, 0, "by_cols is 2; expected 0 or 1" },
        { 2, 2, 0, -1, 0, "padded is -1; expected 0 or 1" },
        { 2, 2, 0, 0, -1, "limit is -1; expected >= 0" },
        { 2, 2, 0, 0, NAN, "limit is nan; expected >= 0" },
    };
    COO *s = sample(SPREAD, 6, 4);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct X(bsr_mat) m = block_mold(0, wrong[k].rows, wrong[k].cols, wrong[k].by_cols);
        m.padded = wrong[k].padded;
        m.limit = wrong[k].limit;
        REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's %s", wrong[k].said);
    }
}

/* A diagonal in blocks of 32: 32 times the values.  The predicted number of bytes is right where it is
 * allowed. */
TEST(padding_limit)
{
    for (int padded = 0; padded < 2; padded++) {
        COO *s = block_diagonal(20000, 1);
        struct X(bsr_mat) strict = block_mold(padded, 32, 32, 1), loose = strict;
        double foretold;
        strict.limit = 8;
        REFUSES(&s->mat, &strict.mat, PSB_EPADDING, "blocks of 32 x 32 would take");
        ck_assert_ptr_nonnull(strstr(psb_errmsg(), "the mold allows 8 times"));
        ck_assert_int_eq(sscanf(strstr(psb_errmsg(), "take "), "take %lf bytes", &foretold), 1);
        MAT *a = convert(&s->mat, &loose.mat);
        ck_assert(fabs((double)X(mat_bytes)(a) / foretold - 1) < 1e-3);
    }
}

/* A row of 300000 entries would make all rows 300000 blocks long; the refusal allocates nothing.  BSR stores
 * no padding. */
TEST(refusal_allocates_nothing)
{
    const psb_ipk m = 300000;
    const struct X(bsr_mat) bsr = block_mold(0, 0, 0, 1);
    COO *s = block_diagonal(m, 1);
    for (psb_ipk j = 0; j < m; j++)
        coo_put(s, m / 2, j, 1);
    REFUSES(&s->mat, &X(bell_mold).mat, PSB_EPADDING, "BELL: ");
    ck_assert_ptr_nonnull(strstr(psb_errmsg(), "of CSR, which fits"));
    MAT *a = convert(&s->mat, &bsr.mat);
    ck_assert_int_eq(a->nnz, 2 * m);
}

/* --- products --- */

static const psb_ipk shapes[][2] = { { 1, 1 }, { 2, 2 }, { 3, 3 },  { 4, 4 },  { 5, 5 },   { 8, 8 }, { 6, 6 },
                                     { 7, 7 }, { 1, 4 }, { 4, 1 },  { 3, 2 },  { 5, 9 },   { 8, 2 }, { 2, 8 },
                                     { 7, 6 }, { 9, 9 }, { 16, 3 }, { 1, 32 }, { 32, 32 }, { 32, 1 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void check_shape(const struct X(bsr_mat) *to, struct X(coo_mat) *s)
{
    const psb_ipk many[] = { 1, 2, 4, 8, 13 };
    MAT *a = convert(&s->mat, &to->mat), *b = convert(a, &X(csr_mold).mat), *again = convert(b, &to->mat);
    psb_ipk r = BSR(a)->r, c = BSR(a)->c;
    ck_assert(r == to->block_rows && c == to->block_cols);
    same(a, s);
    same(again, s);
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 5; k++) {
            psb_ipk n = op_codes[t] == 'N' ? s->mat.ncols : s->mat.nrows;
            check_format_product(a, s, many[k], op_codes[t], 1, 0, -1, 0);
            check_format_product(again, s, many[k], op_codes[t], MAKE(0.7, -1.3), MAKE(2, 1), -1, 0);
            for (psb_ipk j = t; j < n; j += 5) {
                check_format_product(a, s, many[k], op_codes[t], 1, 0, j, NAN);
                check_format_product(a, s, many[k], op_codes[t], -1, 1, j, INFINITY);
            }
        }
}

/* Blocks of all sizes and both orders, for matrices whose sizes are no multiples of them. */
TEST(products_of_all_shapes)
{
    struct X(coo_mat) *s[] = { sample(SPREAD, 33, 20), sample(TWICE, 13, 27), sample(DENSE_ROW, 11, 31),
                               sample(TRIDIAG, 16, 16), sample(FULL, 7, 5) };
    for (int k = 4; k >= 0; k--) {
        for (int q = 0; q < 4 && k % ck_step(5) == 0; q++) {
            struct X(bsr_mat) to = block_mold(q & 1, shapes[_i][0], shapes[_i][1], q >> 1);
            check_shape(&to, s[k]);
        }
        X(mat_free)(&s[k]->mat);
    }
}

/* Conversions and products with three threads. */
TEST(block_threads)
{
#ifdef _OPENMP
    psb_epk grain = psb_set_thread_grain(8);
    omp_set_num_threads(3);
    for (int q = 0; q < 4; q++) {
        struct X(bsr_mat) to = block_mold(q & 1, 3, 2, q >> 1);
        COO *s = sample(q < 2 ? TWICE : DENSE_ROW, 97, 61);
        MAT *a = convert(&s->mat, &to.mat);
        same(a, s);
        for (int t = 0; t < 3; t++)
            check_format_product(a, s, 5, op_codes[t], 1, 0, 7, INFINITY);
    }
    omp_set_num_threads(1);
    psb_set_thread_grain(grain);
#endif
}

/* Full blocks, which have no bits: an infinity reaches exactly the rows that have an entry. */
TEST(products_of_full_blocks)
{
    for (int q = 0; q < 4; q++) {
        struct X(bsr_mat) to = block_mold(q & 1, 4, 3, q >> 1);
        COO *s = sample(FULL, 12, 9);
        MAT *a = convert(&s->mat, &to.mat);
        ck_assert(BSR(a)->full);
        ck_assert_uint_eq(BSR(a)->bits.bytes, 0);
        same(a, s);
        for (int t = 0; t < 3; t++) {
            check_format_product(a, s, 1, op_codes[t], 1, 0, 5, INFINITY);
            check_format_product(a, s, 9, op_codes[t], 1, 0, 5, NAN);
        }
    }
}

/* y = alpha A x + beta y in listed block rows alone: a matrix of these, its product, a scatter. */
TEST(listed_block_rows)
{
    enum { M = 24, N = 30, HIGH = 4, LISTED = 3, ROWS = LISTED * HIGH };
    static const psb_ipk block_row[LISTED] = { 5, 0, 2 };
    struct X(bsrg_mat) to = X(bsrg_mold);
    psb_ipk rows[ROWS];
    T x[N], y[M], got[M];
    struct want want[M];
    to.bsr.block_rows = to.bsr.block_cols = HIGH;
    for (int k = 0; k < ROWS; k++)
        rows[k] = block_row[k / HIGH] * HIGH + k % HIGH;
    random_vector(N, x, 1);
    random_vector(M, y, 2);
    COO *s = sample(SPREAD, M, N);
    MAT *a = convert(&s->mat, &to.mat), *part = NULL;
    VECT *vx = vector(N, x, &psb_vect_cuda), *vy = vector(M, y, &psb_vect_cuda), *w = NULL;
    struct psb_i_vect *list = NULL;
    OK(X(mat_csclip_list)(a, ROWS, rows, N, NULL, &part));
    OK(psb_i_vect_bld(&list, ROWS, 1, rows, NULL));
    OK(X(vect_new_n)(&w, ROWS, 1, &psb_vect_cuda));
    OK(X(mat_vect_mv)(2, part, vx, 0, w, 'N'));
    OK(X(vect_sctv)(list, w, 3, vy));
    sample_product(s, 'N', 2, x, 3, y, want);
    OK(X(get_vect)(vy, M, got));
    for (int i = 0; i < M; i++) {
        const bool is_listed = i / HIGH == 5 || i / HIGH == 0 || i / HIGH == 2;
        ck_assert(is_listed ? first_wrong(1, &got[i], &want[i]) == 1 : got[i] == y[i]);
    }
    psb_i_gefree(list);
}

void blocks_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "blocks");
    ck_add_tests(c, block_layout, padding_is_not_an_entry, choice_of_block_size, choice_for_mixed_blocks,
                 blocks_of_scattered_entries, square_blocks, wrong_molds, padding_limit,
                 refusal_allocates_nothing);
    ck_add_loop_tests(c, SHAPES, products_of_all_shapes);
    ck_add_tests(c, products_of_full_blocks, block_threads, listed_block_rows);
}
