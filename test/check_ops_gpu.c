/* check_ops_gpu.c -- test: products of GPU formats: all hacks, long rows, rows in parts, and the tiles
 * of CSRG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_ops.h"

/* --- GPU formats --- */

static void check_gpu_products(const struct X(mat) *mold, const struct X(coo_mat) *s, psb_ipk k)
{
    MAT *a = NULL;
    OK(X(mat_convert)((struct X(mat) *)&s->mat, mold, &a));
    for (int t = 0; t < 3; t++)
        check_vect_mv(a, s, k, op_codes[t], &psb_vect_cuda);
}

TEST(gpu_formats_of_all_hacks)
{
    const psb_ipk hack[] = { 1, 2, 7, 31, 32, 40, 64, 65, 1000 };
    struct X(hlg_mat) m = X(hlg_mold);
    m.hll.hack = hack[_i];
    m.hll.sort = _i % 2 ? 16 : 0;
    m.hll.limit = 0;
    for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
        COO *s = few(q, 0);
        check_gpu_products(&m.mat, s, 1);
        check_gpu_products(&m.mat, s, 1 + q % 5);
    }
}

/* y is the same with and without a dot product in the epilogue. */
static void check_epilogue(struct X(mat) *a)
{
    struct psb_dual d[3], new_array = { 0 };
    T *x, *y, *z;
    const T *got[2];
    double sum[2], want = 0;
    for (int k = 0; k < 3; k++)
        OK(psb_dual_init(&d[k], (size_t)(k ? a->nrows : a->ncols), sizeof(T), a->on, "a vector"));
    OK(psb_dual_write(&d[0], PSB_HOST, &x));
    random_vector(a->ncols, x, 9);
    OK(psb_dual_read(&d[0], PSB_DEV, &x));
    OK(psb_dual_write(&d[1], PSB_DEV, &y));
    OK(psb_dual_write(&d[2], PSB_DEV, &z));
    const struct X(vec_epilogue) t = { .ndots = 1, .left = { z }, .right = { z }, .scratch = &new_array };
    OK(X(mat_mm_on)(PSB_DEV, MAKE(0.5, 2), a, 1, x, 0, y, 'N'));
    OK(X(mat_mv_fused)(MAKE(0.5, 2), a, x, 0, z, &t, sum));
    for (int k = 0; k < 2; k++)
        OK(psb_dual_read(&d[k + 1], PSB_HOST, &got[k]));
    ck_assert(memcmp(got[0], got[1], (size_t)a->nrows * sizeof(T)) == 0);
    for (psb_ipk i = 0; i < a->nrows; i++)
        want += (double)RE(got[1][i]) * (double)RE(got[1][i]) + (double)IM(got[1][i]) * (double)IM(got[1][i]);
    ck_assert_double_eq_tol(sum[0], want, 1e-10 * want);
    for (int k = 0; k < 3; k++)
        psb_dual_free(&d[k]);
    psb_dual_free(&new_array);
}

/* s, which is freed, converted by the mold; its products, on a device fused ones too, are checked. */
static struct X(mat) *check_on_gpu(struct X(coo_mat) *s, const struct X(mat) *mold)
{
    struct X(mat) *a;
    OK(X(mat_convert)(&s->mat, mold, &a));
    check_vect_mv(a, s, 1, 'N', &psb_vect_cuda);
    if (a->on)
        check_epilogue(a);
    X(mat_free)(&s->mat);
    return a;
}

/* --- long rows --- */

/* m rows of 0 to 20 entries, 11.1 on average, in every third column from the row's own on. */
static struct X(coo_mat) *long_rows_of(psb_ipk m)
{
    static const psb_ipk length[] = { 20, 0, 1, 7, 8, 9, 15, 16, 17, 18 };
    struct X(mat) *a;
    struct rng r = { 5 };
    OK(X(mat_all)(m, m, 0, &a));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk k = 0; k < length[i % 10]; k++) {
            const psb_ipk j = (i + 3 * k) % m;
            const T v = random_scalar(&r);
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &v));
        }
    return (struct X(coo_mat) *)a;
}

TEST(long_rows)
{
    const psb_ipk hack[] = { 0, 32, 40 };
    struct X(hlg_mat) m = X(hlg_mold);
    m.hll.hack = hack[_i];
    m.hll.sort = _i == 1 ? 64 : 0;
    X(mat_free)(check_on_gpu(long_rows_of(333), _i ? &m.mat : &X(elg_mold).mat));
}

/* --- split rows --- */

/* Each row has entries all over x, at random, and x is larger than the caches. */
static struct X(coo_mat) *rows_over_all_of_x(void)
{
    enum { M = 6000, N = 1 << 24, EACH = 40, ROOM = N / EACH };
    struct X(mat) *a;
    struct rng r = { 3 };
    OK(X(mat_all)(M, N, 0, &a));
    for (psb_ipk i = 0; i < M; i++)
        for (psb_ipk k = 0; k < EACH - i % 7; k++) {
            const psb_ipk j = k * ROOM + (int)((i * 7919LL + k * 104729LL) % ROOM);
            const T v = random_scalar(&r);
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &v));
        }
    return (struct X(coo_mat) *)a;
}

/* Only on a GPU, since only GPU kernels split rows; elsewhere the matrix would just cost time. */
TEST(split_rows)
{
    const struct X(mat) *mold[] = { &X(hlg_mold).mat, &X(elg_mold).mat };
    if (!psb_cuda_device() || psb_cuda_device() == &psb_device_fake)
        return;
    X(mat_free)(check_on_gpu(rows_over_all_of_x(), mold[_i]));
}

/* Rows that fill a tile, exceed it by one, and fill several; more empty rows than a tile has; then many rows:
 * with nearby columns; with scattered columns, alike in length or not; short. */
enum tiled_rows { NEARBY, ALIKE, UNLIKE, SHORT, TILED_ROWS };

static enum psb_tiling tiling_of(enum tiled_rows kind)
{
    const int large = sizeof(T) == 16;
    const enum psb_tiling nearby = sizeof(T) > 4 ? PSB_TILES_COALESCED : PSB_TILES_SEGMENTED,
                          alike = large ? PSB_TILES_SCATTERED : PSB_TILES_SEGMENTED,
                          all[] = { nearby, alike, PSB_TILES_SEGMENTED, PSB_TILES_SEGMENTED };
    return all[kind];
}

/* The length of row i of the many: short rows are 1 to 3, rows of unlike length 30 in one of eight and else 1
 * to 4. */
static psb_ipk length_of(enum tiled_rows kind, psb_ipk i)
{
    switch (kind) {
    case SHORT:
        return 1 + i % 3;
    case UNLIKE:
        return i % 8 ? 1 + i % 4 : 30;
    case ALIKE:
        return 10;
    default:
        return 12 + i % 2;
    }
}

/* Which tiles have columns that span more than 2^16: none; those of half of the many rows; all but small
 * ones. */
enum span { ALL_NEAR, MIXED, ALL_FAR, SPANS };

/* SHORT: so many empty rows that the mean is short. */
static struct X(coo_mat) *tiled_rows(enum tiled_rows kind, enum span span)
{
    enum { LONG = 8, COLUMNS = 13000, FAR = 100000 };
    const int scattered = kind == ALIKE || kind == UNLIKE;
    const psb_ipk empty = kind == SHORT ? 6000 : PSB_TILE_ROWS(sizeof(T), PSB_TILES_SEGMENTED) + 3,
                  many = kind == UNLIKE ? 2000 : 700, most = PSB_TILE_ENTRIES(sizeof(T), tiling_of(kind)),
                  length[LONG] = { 3, most, most + 1, 1, 3 * most, 0, 2 * most - 1, 40 };
    struct X(mat) *a;
    struct rng r = { 77 };
    const psb_ipk m = LONG + empty + many, far_from[] = { m, m - many / 2, 0 };
    OK(X(mat_all)(m, COLUMNS + FAR, 0, &a));
    for (psb_ipk i = 0; i < m; i++) {
        const psb_ipk n = i < LONG ? length[i] : i < LONG + empty ? 0 : length_of(kind, i);
        for (psb_ipk k = 0; k < n; k++) {
            const psb_ipk near = i < LONG ? k : (scattered ? 577 * i + 331 * k : i + k) % COLUMNS;
            const psb_ipk j = i < far_from[span] ? near : near + FAR * (near % 2);
            const T v = random_scalar(&r);
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &v));
        }
    }
    return (struct X(coo_mat) *)a;
}

/* Only a GPU has tiles; elsewhere a few columns show that the products are right. */
TEST(csrg_tiles)
{
    COO *s = tiled_rows((enum tiled_rows)(_i % TILED_ROWS), (enum span)(_i / TILED_ROWS));
    const psb_ipk many[] = { 1, 2, 3, 4, 9, 16 };
    for (int c = 0; c < (psb_cuda_stream() ? 6 : 2); c++)
        check_gpu_products(&X(csrg_mold).mat, s, many[c]);
}

/* Rows of several tiles, more than a block of sum_split adds the parts of: most of two to four parts, one of
 * SOME, which are more than its lanes add at once, and one of MANY, which a whole warp adds; three short rows
 * after each.  The largest tiles are COALESCED. */
enum { LONG_ROWS = 42, SOME = 30, MANY = 260 };

static struct X(coo_mat) *rows_in_parts(void)
{
    const psb_ipk tile = PSB_TILE_ENTRIES(sizeof(T), PSB_TILES_COALESCED), m = 4 * LONG_ROWS;
    struct X(mat) *a;
    struct rng r = { 13 };
    OK(X(mat_all)(m, MANY * tile, 0, &a));
    for (psb_ipk i = 0; i < m; i++) {
        const psb_ipk row = i / 4, parts = row == 7 ? SOME : row == 19 ? MANY : 2 + row % 3;
        const psb_ipk n = i % 4 == 0 ? (parts - 1) * tile + 1 : i % 4;
        for (psb_ipk j = 0; j < n; j++) {
            const T v = random_scalar(&r);
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &v));
        }
    }
    return (struct X(coo_mat) *)a;
}

TEST(row_parts)
{
    MAT *a = check_on_gpu(rows_in_parts(), &X(csrg_mold).mat);
    const struct psb_csr_plan *plan = &((struct X(csrg_mat) *)a)->tiled.plan;
    if (a->on) {
        ck_assert_int_eq(plan->nsplit, LONG_ROWS);
        ck_assert_int_ge(plan->nparts, MANY - 1 + SOME - 1 + 2 * (LONG_ROWS - 2));
    }
}

/* A product on the device with x = 1. */
static psb_err on_device(struct X(mat) *a, T *y)
{
    VECT *vx = NULL, *vy = NULL;
    OK(X(vect_new)(&vx, a->ncols, &psb_vect_cuda));
    OK(X(vect_new)(&vy, a->nrows, &psb_vect_cuda));
    OK(X(set_scal)((T)1 / 3, vx));
    psb_err e = X(mat_vect_mv)(1, a, vx, 0, vy, 'N');
    if (e == PSB_OK && y)
        OK(X(get_vect)(vy, a->nrows, y));
    return e;
}

/* The first product makes the plan; it is kept when values change and counted in mat_bytes.  Results are
 * bitwise reproducible. */
TEST(csrg_plan_is_kept)
{
    COO *s = tiled_rows((enum tiled_rows)_i, ALL_NEAR);
    MAT *a = NULL;
    HEAP T *y = new_array(s->mat.nrows), *again = new_array(s->mat.nrows);
    OK(X(mat_convert)(&s->mat, &X(csrg_mold).mat, &a));
    const struct psb_csr_plan *plan = &((struct X(csrg_mat) *)a)->tiled.plan;
    const size_t bytes = X(mat_bytes)(a);
    ck_assert_int_eq(plan->ntiles, 0);
    if (a->on) {
        OK(on_device(a, y));
        const void *tiles = plan->tile.host;
        ck_assert_uint_gt(X(mat_bytes)(a), bytes + 2 * (size_t)a->nrows);
        ck_assert_int_eq(plan->tiling, tiling_of((enum tiled_rows)_i));
        ck_assert_int_eq(plan->nsplit, 3);
        ck_assert_int_eq(plan->nparts, 2 + 3 + 2);
        OK(X(mat_scal)(a, 2));
        OK(X(mat_scal)(a, (T)0.5));
        OK(on_device(a, again));
        ck_assert_ptr_eq(plan->tile.host, tiles);
        ck_assert_int_eq(memcmp(y, again, (size_t)a->nrows * sizeof *y), 0);
    }
}

/* Columns in 16 bits; if all are, the device has no others unless the host has none. */
TEST(csrg_columns)
{
    const int made_there = _i / SPANS;
    const enum span span = (enum span)(_i % SPANS);
    const psb_epk was = psb_cuda_convert_from(made_there ? 0 : 1 << 30);
    COO *s = tiled_rows(UNLIKE, span);
    struct X(hlg_mat) hlg = X(hlg_mold);
    MAT *a = NULL, *copy = NULL, *clone = NULL;
    OK(X(mat_convert)(&s->mat, &X(csrg_mold).mat, &a));
    if (a->on) {
        const struct X(csrg_mat) *g = (const struct X(csrg_mat) *)a;
        OK(on_device(a, NULL));
        ck_assert_int_eq(g->tiled.delta.dev != NULL, span != ALL_FAR);
        ck_assert_int_eq(g->tiled.all_deltas, span == ALL_NEAR);
        ck_assert_int_eq(g->csr.ja.dev != NULL, span != ALL_NEAR || made_there);
        psb_transfers_reset();
        OK(on_device(a, NULL));
        ck_assert_int_eq(psb_transfers("CSR columns").puts + psb_transfers("CSR columns").gets, 0);
    }
    psb_cuda_convert_from(0); /* from here on the device needs all columns again */
    hlg.hll.limit = 0;
    OK(X(mat_convert)(a, &hlg.mat, &copy));
    check_vect_mv(copy, s, 1, 'N', &psb_vect_cuda);
    OK(X(mat_clone)(a, &clone));
    check_vect_mv(clone, s, 1, 'N', &psb_vect_cuda);
    check_vect_mv(a, s, 1, 'T', &psb_vect_cuda);
    psb_cuda_convert_from(was);
}

/* The columns of a tile span up to 2^16, or one more. */
TEST(widest_span)
{
    enum { BEGIN = 1234, END = BEGIN + UINT16_MAX };
    const psb_ipk last = END + _i, ia[] = { 0, 0, 1 }, ja[] = { last, BEGIN, BEGIN + 7 };
    const T val[] = { 2, 3, 5 };
    MAT *s = NULL, *a = NULL;
    OK(X(mat_all)(2, last + 1, 3, &s));
    OK(X(coo_append)((struct X(coo_mat) *)s, 3, ia, ja, val));
    OK(X(mat_asb)(s, PSB_DUPL_ADD));
    OK(X(mat_convert)(s, &X(csrg_mold).mat, &a));
    check_vect_mv(a, (struct X(coo_mat) *)s, 1, 'N', &psb_vect_cuda);
    if (a->on)
        ck_assert_int_eq(((struct X(csrg_mat) *)a)->tiled.all_deltas, _i == 0);
}

/* The product of a with x = 1/3, if the n-th allocation fails; repeated if it needs that memory. */
static void product_with_failure(const struct X(coo_mat) *s, long n, T *y)
{
    MAT *a = NULL;
    VECT *vx = NULL, *vy = NULL;
    OK(X(mat_convert)(&s->mat, &X(csrg_mold).mat, &a));
    OK(X(vect_new)(&vx, a->ncols, &psb_vect_cuda));
    OK(X(vect_new)(&vy, a->nrows, &psb_vect_cuda));
    OK(X(set_scal)((T)1 / 3, vx));
    OK(X(set_scal)(1, vy));
    psb_alloc_fail_at(n);
    const psb_err e = X(mat_vect_mv)(1, a, vx, 0, vy, 'N');
    if (n != CK_NEVER)
        psb_alloc_fail_at(0);
    ck_assert(e == PSB_OK || (e == PSB_ENOMEM && n != CK_NEVER));
    if (e != PSB_OK)
        OK(X(mat_vect_mv)(1, a, vx, 0, vy, 'N'));
    if (n != CK_NEVER)
        OK(X(get_vect)(vy, a->nrows, y));
}

TEST(csrg_plan_allocation_fails)
{
    COO *s = tiled_rows(UNLIKE, MIXED);
    HEAP T *want = new_array(s->mat.nrows), *y = new_array(s->mat.nrows);
    product_with_failure(s, 0, want);
    product_with_failure(s, CK_NEVER, NULL);
    const long all = ck_allocations();
    for (long n = 1; n <= all; n++) {
        product_with_failure(s, n, y);
        ck_assert_int_eq(memcmp(y, want, (size_t)s->mat.nrows * sizeof *y), 0);
    }
}

/* cuSPARSE if there is a GPU and the library, else an error that says so. */
TEST(csrg_vendors)
{
    COO *s = tiled_rows(UNLIKE, MIXED);
    struct X(csrg_mat) m = X(csrg_mold);
    MAT *a = NULL, *b = NULL;
    m.vendor = 1;
    OK(X(mat_convert)(&s->mat, &m.mat, &a));
    psb_err e = on_device(a, NULL);
    if (a->on && e != PSB_OK)
        FAILS(on_device(a, NULL), PSB_ENOTIMPL, "the mold's vendor is 1");
    for (psb_ipk k = 1; k < 5 && e == PSB_OK; k += 2)
        check_gpu_products(&m.mat, s, k);
    m.vendor = 2;
    OK(X(mat_convert)(&s->mat, &m.mat, &b));
    if (b->on)
        FAILS(on_device(b, NULL), PSB_EARG, "the mold's vendor is 2; expected 0");
}

void ops_gpu_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "GPU formats");
    ck_add_loop_tests(c, 9, gpu_formats_of_all_hacks);
    ck_add_loop_tests(c, 3, long_rows);
    ck_add_tests(c, row_parts);
    ck_add_loop_tests(c, 2, split_rows);
    ck_add_loop_tests(c, TILED_ROWS * SPANS, csrg_tiles);
    ck_add_loop_tests(c, 2 * SPANS, csrg_columns);
    ck_add_loop_tests(c, 2, widest_span);
    ck_add_loop_tests(c, TILED_ROWS, csrg_plan_is_kept);
    ck_add_tests(c, csrg_plan_allocation_fails, csrg_vendors);
}
