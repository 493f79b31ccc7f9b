/* check_ops.c -- room: test.  Products with many columns, triangular solves, sums and products of two
 * matrices, and threads: every format compared with a dense matrix. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "suites.h"
#include "check_blocks.h"
#include "psb_cuda.h"
#include "kernels.h"
#include "psb_ext.h"
#include "dense.h"
#ifdef _OPENMP
#include <omp.h>
#endif

/* --- products with many columns --- */

/* Copy column c of k columns. */
static void column(psb_ipk n, psb_ipk k, psb_ipk c, const T *from, T *to)
{
    for (psb_ipk i = 0; i < n; i++)
        to[i] = from[(psb_epk)i * k + c];
}

static void check_columns(const struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha,
                          const T *x, T beta, const T *before, const T *y)
{
    psb_ipk m = rows_of(a, trans), n = rows_of(a, trans == 'N' ? 'T' : 'N');
    T *x1 = new_array(n), *y0 = new_array(m), *y1 = new_array(m);
    struct want *w = calloc((size_t)m + 1, sizeof *w);
    for (psb_ipk c = 0; c < k; c++) {
        column(n, k, c, x, x1);
        column(m, k, c, before, y0);
        column(m, k, c, y, y1);
        sample_product(s, trans, alpha, x1, beta, y0, w);
        psb_ipk i = first_wrong(m, y1, w);
        if (i < m)
            ck_abort_msg("%s, %d x %d, op %c, column %d of %d, element %d is wrong", a->ops->fmt, a->nrows,
                         a->ncols, trans, c, k, i);
    }
    free(x1), free(y0), free(y1), free(w);
}

/* What must not be read is NaN. */
static void check_csmm(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha, T beta)
{
    psb_ipk m = rows_of(a, trans) * k, n = rows_of(a, trans == 'N' ? 'T' : 'N') * k;
    T *x = new_array(n), *y = new_array(m), *before = new_array(m);
    random_vector(n, x, 1);
    random_vector(m, y, 2);
    memcpy(before, y, (size_t)m * sizeof *y);
    T *hidden = new_array(n);
    memcpy(hidden, x, (size_t)n * sizeof *x);
    if (alpha == 0)
        fill_vector(n, hidden, MAKE(NAN, NAN));
    if (beta == 0)
        fill_vector(m, y, MAKE(NAN, NAN));
    OK(X(mat_csmm)(alpha, a, k, hidden, beta, y, trans));
    check_columns(a, s, k, trans, alpha, x, beta, before, y);
    free(x), free(y), free(before), free(hidden);
}

/* The same for vectors, x on a device and y at `place`, before and after the values of A change. */
static void check_vect_mv(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans,
                          const struct psb_vmold *place)
{
    psb_ipk m = rows_of(a, trans), n = rows_of(a, trans == 'N' ? 'T' : 'N');
    T *x = new_array(n * k), *y = new_array(m * k), *got = new_array(m * k);
    struct X(vect) *vx, *vy;
    random_vector(n * k, x, 1);
    random_vector(m * k, y, 2);
    OK(X(vect_bld)(&vx, n, k, x, &psb_vect_cuda));
    for (T factor = 2; RE(factor) > 0; factor -= 1) {
        OK(X(vect_bld)(&vy, m, k, y, place));
        OK(X(mat_vect_mv)(factor, a, vx, -1, vy, trans));
        OK(X(get_vect)(vy, m, got));
        check_columns(a, s, k, trans, 2, x, -1, y, got);
        X(gefree)(vy);
        OK(X(mat_scal)(a, RE(factor) == 2 ? 2 : (T)0.5));
    }
    free(got), free(x), free(y);
    X(gefree)(vx);
}

START_TEST(multi_column_products)
    {
        const T factor[][2] = { { 1, 0 }, { MAKE(0.7, -1.3), 1 }, { -1, MAKE(2, 1) }, { 0, 2 }, { 0, 0 } };
        const psb_ipk many[] = { 0, 1, 2, 3, 8, 9, 17 };
        for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(q, 0);
            struct X(mat) *a = in_format(s, _i);
            for (int c = 0; c < 7; c++)
                for (int t = 0; t < 3; t++)
                    check_csmm(a, s, many[c], op_codes[t], factor[(q + c + t) % 5][0],
                               factor[(q + c + t) % 5][1]);
            for (int t = 0; t < 3; t++)
                for (psb_ipk k = 1; k < 5; k += 2) {
                    check_vect_mv(a, s, k, op_codes[t], &psb_vect_host);
                    check_vect_mv(a, s, k, op_codes[t], &psb_vect_cuda);
                }
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- GPU formats with unusual molds: every kernel --- */

/* x is 1 except for a poisoned element j, on the device: the rows that have an entry in column j are not
 * finite, all others are right. */
static void check_poison(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, psb_ipk j, R poison)
{
    const psb_ipk m = a->nrows, n = a->ncols;
    T *x = new_array(n * k), *y = new_array(m * k);
    int *meets = calloc((size_t)m + 1, sizeof *meets);
    struct want *w = calloc((size_t)m + 1, sizeof *w);
    struct X(vect) *vx, *vy;
    fill_vector(n * k, x, 1);
    sample_product(s, 'N', 1, x, 0, y, w);
    for (psb_epk e = 0; e < s->mat.nnz; e++)
        meets[s->ia[e]] |= s->ja[e] == j;
    for (psb_ipk c = 0; c < k; c++)
        x[(psb_epk)j * k + c] = MAKE(poison, 0);
    OK(X(vect_bld)(&vx, n, k, x, &psb_vect_cuda));
    OK(X(vect_bld)(&vy, m, k, y, &psb_vect_cuda));
    OK(X(mat_vect_mv)(1, a, vx, 0, vy, 'N'));
    OK(X(get_vect)(vy, m, y));
    for (psb_ipk i = 0; i < m * k; i++)
        ck_assert_msg(meets[i / k] ? !isfinite(RE(y[i])) : is_right(y[i], &w[i / k]),
                      "%s: element %d of row %d is %g", a->ops->fmt, i % k, i / k, (double)RE(y[i]));
    X(gefree)(vx);
    X(gefree)(vy);
    free(x), free(y), free(w), free(meets);
}

/* For small and larger matrices of every kind. */
static void check_gpu_format(const struct X(mat) *mold)
{
    const psb_ipk size[][2] = { { 5, 3 }, { 150, 131 }, { 30, 700 }, { 700, 30 } };
    enum { MATRICES = 4 * (FULL + 1) };
    for (int z = MATRICES - 1; z >= 0; z -= ck_step(MATRICES)) {
        const int q = z % 4;
        struct X(coo_mat) *s = sample((enum sample_kind)(z / 4), size[q][0], size[q][1]);
        struct X(mat) *a;
        OK(X(mat_convert)(&s->mat, mold, &a));
        for (psb_ipk k = 1; k < 5; k += 2) {
            check_vect_mv(a, s, k, 'N', &psb_vect_cuda);
            for (psb_ipk j = q; j < a->ncols; j += 13 * ck_step(a->ncols))
                check_poison(a, s, k, j, j % 2 ? NAN : INFINITY);
        }
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
}

START_TEST(hdiag_hacks)
    {
        const psb_ipk hack[] = { 0, 1, 33, 64, 128, 256, 1000 };
        struct X(hdia_mat) m = hack[_i] ? X(hdiag_mold) : X(diag_mold);
        m.hack = hack[_i];
        m.limit = 0;
        check_gpu_format(&m.mat);
    }
END_TEST

START_TEST(bsrg_blocks)
    {
        const struct {
            psb_ipk r, c;
            int by_cols, padded;
        } b[] = { { 2, 2, 1, 0 },  { 3, 3, 1, 0 }, { 4, 4, 1, 0 }, { 2, 2, 0, 0 }, { 3, 3, 1, 1 },
                  { 5, 2, 1, 0 },  { 5, 2, 0, 1 }, { 1, 7, 1, 0 }, { 7, 1, 0, 0 }, { 32, 32, 1, 0 },
                  { 17, 3, 1, 1 }, { 1, 1, 1, 0 }, { 1, 1, 0, 0 }, { 1, 1, 1, 1 } };
        struct X(bsrg_mat) m = X(bsrg_mold);
        m.bsr.block_rows = b[_i].r;
        m.bsr.block_cols = b[_i].c;
        m.bsr.by_cols = b[_i].by_cols;
        m.bsr.padded = b[_i].padded;
        m.bsr.limit = 0;
        check_gpu_format(&m.mat);
    }
END_TEST

START_TEST(hybg_partitions)
    {
        const psb_ipk width[] = { 0, 1, 3, 1000 };
        struct X(hyb_mat) m = X(hybg_mold);
        m.partition = PSB_HYB_USER;
        m.width = width[_i];
        m.limit = 0;
        check_gpu_format(&m.mat);
    }
END_TEST

START_TEST(dns_matrices)
    {
        struct X(dns_mat) m = X(dnsg_mold), wrong = X(dns_mold);
        struct X(coo_mat) *s = sample(SPREAD, 900, 900);
        struct X(mat) *a = NULL;
        m.limit = 0;
        check_gpu_format(&m.mat);
        FAILS(X(mat_convert)(&s->mat, &X(dns_mold).mat, &a), PSB_EPADDING, "DNS: 900 x 900 places");
        wrong.limit = -1;
        FAILS(X(mat_convert)(&s->mat, &wrong.mat, &a), PSB_EARG, "the mold's limit is -1; expected >= 0");
        ck_assert_ptr_null(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* HLL and HDIA with hacks other than the default. */
static void check_hack(const struct X(mat) *mold, const struct X(coo_mat) *s)
{
    struct X(mat) *a, *b, *c;
    OK(X(mat_convert)((struct X(mat) *)&s->mat, mold, &a));
    OK(X(mat_convert)(a, &X(csr_mold).mat, &b));
    OK(X(mat_convert)(b, mold, &c));
    for (int t = 0; t < 3; t++) {
        check_csmm(a, s, 1, op_codes[t], MAKE(0.7, -1.3), t ? 1 : 0);
        check_csmm(c, s, 9, op_codes[t], -1, MAKE(2, 1));
    }
    X(mat_free)(a);
    X(mat_free)(b);
    X(mat_free)(c);
}

START_TEST(products_of_all_hacks)
    {
        const psb_ipk hack[] = { 1, 2, 7, 31, 33, 40, 63, 64, 65, 1000 };
        struct X(hll_mat) m = X(hll_mold);
        struct X(hdia_mat) d = X(hdia_mold);
        m.hack = d.hack = hack[_i];
        m.sort = _i % 2 ? 16 : 0;
        m.limit = d.limit = 0;
        for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(q, 0);
            check_hack(&m.mat, s);
            check_hack(&d.mat, s);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- GPU formats --- */

static void check_gpu_products(const struct X(mat) *mold, const struct X(coo_mat) *s, psb_ipk k)
{
    struct X(mat) *a;
    OK(X(mat_convert)((struct X(mat) *)&s->mat, mold, &a));
    for (int t = 0; t < 3; t++)
        check_vect_mv(a, s, k, op_codes[t], &psb_vect_cuda);
    X(mat_free)(a);
}

START_TEST(gpu_formats_of_all_hacks)
    {
        const psb_ipk hack[] = { 1, 2, 7, 31, 32, 40, 64, 65, 1000 };
        struct X(hlg_mat) m = X(hlg_mold);
        m.hll.hack = hack[_i];
        m.hll.sort = _i % 2 ? 16 : 0;
        m.hll.limit = 0;
        for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(q, 0);
            check_gpu_products(&m.mat, s, 1);
            check_gpu_products(&m.mat, s, 1 + q % 5);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

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
    const struct X(vec_epilogue) t = { .ndots = 1, .left = { z }, .right = { z }, .room = &new_array };
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

/* Only on a GPU, since only GPU kernels split rows; elsewhere the matrix would just cost time. */
START_TEST(split_rows)
    {
        const struct X(mat) *mold[] = { &X(hlg_mold).mat, &X(elg_mold).mat };
        struct X(mat) *a;
        if (!psb_cuda_device() || psb_cuda_device() == &psb_device_fake)
            return;
        struct X(coo_mat) *s = rows_over_all_of_x();
        OK(X(mat_convert)(&s->mat, mold[_i], &a));
        check_vect_mv(a, s, 1, 'N', &psb_vect_cuda);
        check_epilogue(a);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* Rows that fill a tile, exceed it by one, and fill several; more empty rows than a tile has; then many rows:
 * with nearby columns; with scattered columns, alike in length or not; short. */
enum tiled_rows { NEARBY, ALIKE, UNLIKE, SHORT, TILED_ROWS };

static enum psb_tiling tiling_of(enum tiled_rows kind)
{
    const enum psb_tiling unlike = sizeof(T) < 16 ? PSB_TILES_SEGMENTED : PSB_TILES_SCATTERED,
                          all[] = { PSB_TILES_COALESCED, PSB_TILES_SCATTERED, unlike, PSB_TILES_SEGMENTED };
    return all[kind];
}

static struct X(coo_mat) *tiled_rows(enum tiled_rows kind)
{
    enum { LONG = 8, EMPTY = PSB_TILE_ROWS(sizeof(T), PSB_TILES_SEGMENTED) + 3 };
    const int scattered = kind == ALIKE || kind == UNLIKE;
    const psb_ipk many = kind >= UNLIKE ? 14000 : 700, most = PSB_TILE_ENTRIES(sizeof(T), tiling_of(kind)),
                  lengths[] = { 20, 1, 20, 3 }, least[] = { 1, 10, 1, 1 },
                  length[LONG] = { 3, most, most + 1, 1, 3 * most, 0, 2 * most - 1, 40 };
    struct X(mat) *a;
    struct rng r = { 77 };
    OK(X(mat_all)(LONG + EMPTY + many, 7000, 0, &a));
    for (psb_ipk i = 0; i < LONG + EMPTY + many; i++) {
        const psb_ipk n = i < LONG ? length[i] : i < LONG + EMPTY ? 0 : least[kind] + i % lengths[kind];
        for (psb_ipk k = 0; k < n; k++) {
            const psb_ipk j = i < LONG ? k : (scattered ? 577 * i + 331 * k : i + k) % 7000;
            const T v = random_scalar(&r);
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &v));
        }
    }
    return (struct X(coo_mat) *)a;
}

START_TEST(csrg_tiles)
    {
        struct X(coo_mat) *s = tiled_rows((enum tiled_rows)_i);
        const psb_ipk many[] = { 1, 2, 3, 4, 9, 16 };
        for (int c = 0; c < 6; c++)
            check_gpu_products(&X(csrg_mold).mat, s, many[c]);
        X(mat_free)(&s->mat);
    }
END_TEST

/* A product on the device with x = 1. */
static psb_err on_device(struct X(mat) *a, T *y)
{
    struct X(vect) *vx, *vy;
    OK(X(vect_new)(&vx, a->ncols, &psb_vect_cuda));
    OK(X(vect_new)(&vy, a->nrows, &psb_vect_cuda));
    OK(X(set_scal)((T)1 / 3, vx));
    psb_err e = X(mat_vect_mv)(1, a, vx, 0, vy, 'N');
    if (e == PSB_OK && y)
        OK(X(get_vect)(vy, a->nrows, y));
    X(gefree)(vx);
    X(gefree)(vy);
    return e;
}

/* The first product makes the plan; it is kept when values change and counted in mat_bytes.  Results are
 * bitwise reproducible. */
START_TEST(csrg_plan_is_kept)
    {
        struct X(coo_mat) *s = tiled_rows((enum tiled_rows)_i);
        struct X(mat) *a;
        T *y = new_array(s->mat.nrows), *again = new_array(s->mat.nrows);
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
        free(y), free(again);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(csrg_plan_allocation_fails)
    {
        struct X(coo_mat) *s = tiled_rows(UNLIKE);
        struct X(mat) *a;
        struct X(vect) *x, *y;
        psb_err e = PSB_ENOMEM;
        OK(X(vect_new)(&x, s->mat.ncols, &psb_vect_cuda));
        OK(X(vect_new)(&y, s->mat.nrows, &psb_vect_cuda));
        OK(X(set_scal)(1, x));
        OK(X(set_scal)(1, y));
        for (long n = 1; e == PSB_ENOMEM; n++) {
            OK(X(mat_convert)(&s->mat, &X(csrg_mold).mat, &a));
            psb_alloc_fail_at(n);
            e = X(mat_vect_mv)(1, a, x, 0, y, 'N');
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            if (e != PSB_OK)
                OK(X(mat_vect_mv)(1, a, x, 0, y, 'N'));
            X(mat_free)(a);
        }
        X(gefree)(x);
        X(gefree)(y);
        X(mat_free)(&s->mat);
    }
END_TEST

/* cuSPARSE if there is a GPU and the library, else an error that says so. */
START_TEST(csrg_vendors)
    {
        struct X(coo_mat) *s = tiled_rows(UNLIKE);
        struct X(csrg_mat) m = X(csrg_mold);
        struct X(mat) *a;
        m.vendor = 1;
        OK(X(mat_convert)(&s->mat, &m.mat, &a));
        psb_err e = on_device(a, NULL);
        if (a->on && e != PSB_OK)
            FAILS(on_device(a, NULL), PSB_ENOTIMPL, "the mold's vendor is 1");
        X(mat_free)(a);
        for (psb_ipk k = 1; k < 5 && e == PSB_OK; k += 2)
            check_gpu_products(&m.mat, s, k);
        m.vendor = 2;
        OK(X(mat_convert)(&s->mat, &m.mat, &a));
        if (a->on)
            FAILS(on_device(a, NULL), PSB_EARG, "the mold's vendor is 2; expected 0");
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* HYB with widths other than the mold chooses. */
START_TEST(products_of_all_hyb_partitions)
    {
        const psb_ipk width[] = { 0, 1, 2, 3, 1000 };
        struct X(hyb_mat) m = X(hyb_mold);
        m.partition = PSB_HYB_USER;
        m.width = width[_i];
        m.limit = 0;
        for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(q, 0);
            check_hack(&m.mat, s);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* The products include the unit diagonal. */
START_TEST(products_of_unit_triangles)
    {
        for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
            struct X(coo_mat) *s = few(q, 0);
            struct X(mat) *a = in_format(s, _i);
            OK(X(mat_set_triangle)(a, 1));
            OK(X(mat_set_unit)(a, 1));
            psb_epk nz = s->mat.nnz;
            for (psb_ipk i = 0; i < a->nrows && i < a->ncols; i++) {
                T one = 1;
                OK(X(coo_append)(s, 1, &i, &i, &one));
            }
            for (int t = 0; t < 3; t++) {
                check_csmm(a, s, 1, op_codes[t], 2, 0);
                check_csmm(a, s, 3, op_codes[t], -1, 1);
                check_csmm(a, s, 2, op_codes[t], 0, 1);
            }
            ck_assert_int_eq(a->nnz, nz);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- triangular solves --- */

/* A triangle of n rows with large diagonal elements; unit: without stored diagonal. */
static struct X(coo_mat) *triangle(psb_ipk n, enum sample_kind kind, int upper, int unit)
{
    struct X(coo_mat) *s = sample(kind, n, n);
    psb_epk nz = 0;
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (upper ? s->ja[k] > s->ia[k] : s->ja[k] < s->ia[k]) {
            s->ia[nz] = s->ia[k];
            s->ja[nz] = s->ja[k];
            s->val[nz++] = s->val[k] / 2;
        }
    s->mat.nnz = nz;
    for (psb_ipk i = 0; i < n && !unit; i++) {
        T d = MAKE(1.5 + i % 3, -0.5 * (i % 2));
        OK(X(coo_append)(s, 1, &i, &i, &d));
    }
    return s;
}

static struct X(mat) *triangle_in(struct X(coo_mat) *s, int format, int upper, int unit)
{
    struct X(mat) *a = in_format(s, format);
    OK(X(mat_set_triangle)(a, 1));
    OK(X(mat_set_upper)(a, upper));
    OK(X(mat_set_unit)(a, unit));
    return a;
}

/* A solve y = alpha op(A)^-1 x + beta y with D on one side, and the expected result z in long double. */
struct solve {
    psb_ipk n, k;
    char trans, side;
    T alpha, beta;
    const T *d;
    T *x, *y;
    long double _Complex *z;
    long double *size; /* sum of the moduli of the terms */
};

/* Solve by substitution in long double.  The slack of a solve is c n eps |op(A)^-1| |op(A)| |z|, which the
 * same substitution with moduli bounds. */
static void substitute(const struct dense *a, const struct solve *q, int upper, int unit, psb_ipk c)
{
    int up = upper != (q->trans != 'N'), n = q->n;
    for (int s = 0; s < n; s++) {
        int i = up ? n - 1 - s : s, at = i * q->k + c;
        long double _Complex sum = (long double _Complex)q->alpha * q->x[at], diag = 1;
        if (q->d && q->side == 'R')
            sum *= q->d[i];
        long double size = cabsl(sum);
        for (int j = 0; j < n; j++) {
            T v = q->trans == 'N' ? a->v[i * n + j] : a->v[j * n + i];
            long double _Complex w = q->trans == 'C' ? CONJ(v) : v;
            if (i == j && !unit)
                diag = w;
            else if (i != j && w != 0) {
                sum -= w * q->z[j * q->k + c];
                size += cabsl(w) * q->size[j * q->k + c];
            }
        }
        q->z[at] = sum / diag;
        q->size[at] = (size + cabsl(sum)) / cabsl(diag);
    }
}

static void check_solution(const struct solve *q, const T *before, const char *fmt)
{
    for (int at = 0; at < q->n * q->k; at++) {
        T d = q->d && q->side == 'L' ? q->d[at / q->k] : 1;
        long double _Complex want = q->z[at] * d,
                             old = q->beta == 0 ? 0 : (long double _Complex)q->beta * before[at];
        long double size = q->size[at] * ABS(d) + cabsl(old);
        long double off = cabsl((long double _Complex)q->y[at] - want - old);
        if (!(off <= (q->n + 8) * (CPLX ? 4 : 1) * EPS * size))
            ck_abort_msg("%s: op %c, side %c, element %d of %d x %d is off by %Lg, size %Lg", fmt, q->trans,
                         q->d ? q->side : '-', at, q->n, q->k, off, size);
    }
}

static void check_solve(struct X(mat) *a, const struct dense *d, struct solve q, int upper, int unit,
                        int same)
{
    int size = q.n * q.k;
    T *before = new_array(size);
    q.x = new_array(size);
    q.y = new_array(size);
    q.z = calloc((size_t)size + 1, sizeof *q.z);
    q.size = calloc((size_t)size + 1, sizeof *q.size);
    random_vector(size, q.x, 7);
    random_vector(size, before, 8);
    memcpy(q.y, same ? q.x : before, (size_t)size * sizeof *q.y);
    memcpy(before, q.y, (size_t)size * sizeof *q.y);
    if (q.beta == 0 && !same)
        fill_vector(size, q.y, MAKE(NAN, NAN));
    for (psb_ipk c = 0; c < q.k; c++)
        substitute(d, &q, upper, unit, c);
    OK(X(mat_cssm)(q.alpha, a, q.k, same ? q.y : q.x, q.beta, q.y, q.trans, q.side, q.d));
    check_solution(&q, before, a->ops->fmt);
    free(before), free(q.x), free(q.y), free(q.z), free(q.size);
}

START_TEST(triangular_solves)
    {
        const psb_ipk sizes[] = { 0, 1, 2, 17, 33 };
        const enum sample_kind kinds[] = { NOTHING, SPREAD, TRIDIAG, DENSE_ROW, DENSE_COL, FULL };
        T scale[33];
        random_vector(33, scale, 9);
        for (int q = 5 * 6 * 4 - 1; q >= 0; q -= ck_step(5 * 6 * 4)) {
            int upper = q & 1, unit = q >> 1 & 1;
            psb_ipk n = sizes[q / 4 % 5];
            struct X(coo_mat) *s = triangle(n, kinds[q / 20], upper, unit);
            struct X(mat) *a = triangle_in(s, _i, upper, unit);
            struct dense d = dense_of_coo(s);
            for (int t = 0; t < 3; t++)
                for (int v = 0; v < 12; v++) {
                    struct solve one = { .n = n,
                                         .k = v % 3 == 2 ? 5 : 1 + v % 2,
                                         .trans = op_codes[t],
                                         .side = v % 2 ? 'L' : 'R',
                                         .alpha = v % 4 ? MAKE(-0.7, 0.2) : 1,
                                         .beta = v % 3 ? MAKE(2, 1) : 0,
                                         .d = v < 6 ? scale : NULL };
                    check_solve(a, &d, one, upper, unit, v % 5 == 4);
                }
            dense_free(&d);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* Set all entries at (i, j) to v. */
static void set(struct X(coo_mat) *s, psb_ipk i, psb_ipk j, T v)
{
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        if (s->ia[k] == i && s->ja[k] == j) {
            s->val[k] = v;
            return;
        }
    OK(X(coo_append)(s, 1, &i, &j, &v));
}

/* Return whether the format counts changes; then a second solve allocates nothing. */
static int counts_changes(const struct X(mat) *a)
{
    struct psb_dual *list[PSB_MOST_ARRAYS];
    const struct X(mat_ops) *k = a->ops;
    while (!k->arrays)
        k = k->super->ops;
    return k->arrays((struct X(mat) *)a, list) > 0;
}

static void solve_again(struct X(mat) *a, struct X(coo_mat) *s, int unit, char trans)
{
    struct dense d = dense_of_coo(s);
    struct solve one = { .n = 33, .k = 2, .trans = trans, .side = 'L', .alpha = 1, .beta = 0 };
    T x[66], y[66];
    fill_vector(66, x, 1);
    check_solve(a, &d, one, 1, unit, 0);
    psb_alloc_fail_at(CK_NEVER);
    OK(X(mat_cssm)(1, a, 2, x, 0, y, trans, 'L', NULL));
    ck_assert(!counts_changes(a) || ck_allocations() == 0);
    psb_alloc_fail_at(0);
    check_solve(a, &d, one, 1, unit, 0);
    dense_free(&d);
}

/* The same after values or flags have changed, and after an allocation failure. */
START_TEST(solves_convert_once)
    {
        struct X(coo_mat) *s = triangle(33, SPREAD, 1, 0);
        struct X(mat) *a = triangle_in(s, _i, 1, 0), *b;
        const size_t bytes = X(mat_bytes)(a), csr = 34 * sizeof(psb_epk) + (size_t)a->nnz * (sizeof(T) + 4);
        const psb_ipk i = 4;
        const T v = 3, y[33] = { 0 };
        T x[33];
        psb_alloc_fail_at(1);
        if (X(mat_cssv)(1, a, y, 0, x, 'N', 'L', NULL) == PSB_OK)
            psb_alloc_fail_at(0);
        psb_clean_errstack();
        for (int t = 0; t < 3; t++)
            solve_again(a, s, 0, op_codes[t]);
        ck_assert(X(mat_bytes)(a) == bytes || X(mat_bytes)(a) == bytes + csr);
        OK(X(mat_clone)(a, &b));
        ck_assert_uint_eq(X(mat_bytes)(b), bytes);
        OK(X(mat_csput)(a, 1, &i, &i, &v, PSB_DUPL_OVERWRITE));
        set(s, 4, 4, 3);
        solve_again(a, s, 0, 'N');
        OK(X(mat_scal)(a, 2));
        for (psb_epk k = 0; k < s->mat.nnz; k++)
            s->val[k] *= 2;
        solve_again(a, s, 0, 'T');
        OK(X(mat_set_unit)(a, 1));
        FAILS(X(mat_cssv)(1, a, y, 0, x, 'N', 'L', NULL), PSB_EARG, "row 0 stores a diagonal entry");
        OK(X(mat_set_unit)(a, 0));
        solve_again(a, s, 0, 'C');
        X(mat_free)(b);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- solves by several threads --- */

enum { LONG_SOLVE = 600, WIDTH = 3 };

/* A triangle with entries at distances far[0..3) from the diagonal, none for 0, and every 7th line without.
 */
static struct X(coo_mat) *banded(const psb_ipk far[3], int upper, int unit)
{
    struct X(coo_mat) *s = triangle(LONG_SOLVE, NOTHING, upper, unit);
    for (psb_ipk i = 0; i < LONG_SOLVE; i++)
        for (int f = 0; f < 3 && i % 7; f++) {
            const psb_ipk j = upper ? i + far[f] : i - far[f];
            const T v = MAKE(0.3 + 0.01 * (i % 11), 0.1 * (f + 1));
            if (far[f] && j >= 0 && j < LONG_SOLVE)
                OK(X(coo_append)(s, 1, &i, &j, &v));
        }
    return s;
}

static struct X(mat) *csr_triangle(const struct X(coo_mat) *s, int upper, int unit)
{
    struct X(mat) *a;
    OK(X(mat_convert)(&s->mat, &X(csr_mold).mat, &a));
    OK(X(mat_set_triangle)(a, 1));
    OK(X(mat_set_upper)(a, upper));
    OK(X(mat_set_unit)(a, unit));
    return a;
}

static void use_threads(int p)
{
    (void)p;
#ifdef _OPENMP
    omp_set_num_threads(p);
#endif
}

/* Solve for k columns by p threads, which are used for the fewest entries. */
static void solve_by(int p, struct X(mat) *a, psb_ipk k, char trans, T *y)
{
    T x[LONG_SOLVE * WIDTH], d[LONG_SOLVE];
    random_vector(LONG_SOLVE * k, x, 5);
    random_vector(LONG_SOLVE, d, 6);
    const psb_epk grain = psb_set_thread_grain(p > 1 ? 8 : 1 << 20);
    use_threads(p);
    OK(X(mat_cssm)(MAKE(0.5, 0.25), a, k, x, 0, y, trans, 'R', d));
    use_threads(1);
    psb_set_thread_grain(grain);
}

/* The bits of a solve do not depend on the number of threads, the format, and the number of columns. */
static void check_bits(struct X(mat) *a, struct X(mat) *csr, char trans)
{
    T want[LONG_SOLVE * WIDTH], y[LONG_SOLVE * WIDTH];
    for (psb_ipk k = 1; k <= WIDTH; k += WIDTH - 1) {
        const size_t size = (size_t)(LONG_SOLVE * k) * sizeof *y;
        solve_by(1, csr, k, trans, want);
        solve_by(1, a, k, trans, y);
        ck_assert(memcmp(y, want, size) == 0);
        solve_by(4, a, k, trans, y);
        ck_assert(memcmp(y, want, size) == 0);
    }
}

/* One level; as many levels as lines, nearly; many lines in a level; few levels, then many. */
static const psb_ipk distances[][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 25, 40, 300 }, { 1, 25, 300 } };

START_TEST(solves_by_threads)
    {
        for (int q = 0; q < 4 * 4; q++) {
            const int upper = q & 1, unit = q >> 1 & 1;
            struct X(coo_mat) *s = banded(distances[q / 4], upper, unit);
            struct X(mat) *csr = csr_triangle(s, upper, unit), *a = NULL;
            psb_err e = X(mat_convert)(csr, X(mat_format)(_i), &a);
            for (int t = 0; e == PSB_OK && t < 3; t++)
                check_bits(a, csr, op_codes[t]);
            if (e == PSB_OK)
                e = X(mat_scal)(a, 1.5);
            OK(X(mat_scal)(csr, 1.5));
            for (int t = 0; e == PSB_OK && t < 3; t++)
                check_bits(a, csr, op_codes[t]);
            ck_assert(e == PSB_OK || e == PSB_EPADDING);
            X(mat_free)(a);
            psb_clean_errstack();
            X(mat_free)(csr);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* --- products with short rows --- */

enum { SHORT_ROWS = 64 * 8 + 40, SHORT_COLUMNS = 60 };

/* Groups of 64 rows of 0 to 5 entries each, then rows of 0 to 6 entries in no order. */
static struct X(coo_mat) *short_rows(void)
{
    struct X(mat) *s;
    OK(X(mat_all)(SHORT_ROWS, SHORT_COLUMNS, 0, &s));
    for (psb_ipk i = 0; i < SHORT_ROWS; i++) {
        const psb_ipk n = i / 64 < 6 ? i / 64 % 6 : (i * i + i / 3) % 7;
        for (psb_ipk k = 0; k < n; k++) {
            const psb_ipk j = (7 * i + 11 * k) % SHORT_COLUMNS;
            const T v = MAKE(0.3 + 0.01 * (i % 11), 0.1 * (k + 1));
            OK(X(coo_append)((struct X(coo_mat) *)s, 1, &i, &j, &v));
        }
    }
    return (struct X(coo_mat) *)s;
}

static void multiply_by(int p, const struct X(mat) *a, const T *x, T *y)
{
    const psb_epk grain = psb_set_thread_grain(p > 1 ? 8 : 1 << 20);
    use_threads(p);
    OK(X(mat_csmv)(1, a, x, 0, y, 'N'));
    use_threads(1);
    psb_set_thread_grain(grain);
}

/* Right, and with the same bits by one thread and by three. */
START_TEST(products_with_short_rows)
    {
        struct X(coo_mat) *s = short_rows();
        struct X(mat) *a;
        T x[SHORT_COLUMNS], y[2][SHORT_ROWS];
        OK(X(mat_convert)(&s->mat, &X(csr_mold).mat, &a));
        for (int t = 0; t < 3; t++)
            check_csmm(a, s, 1, op_codes[t], MAKE(0.7, -1.3), t ? 1 : 0);
        random_vector(SHORT_COLUMNS, x, 5);
        multiply_by(1, a, x, y[0]);
        multiply_by(3, a, x, y[1]);
        ck_assert(memcmp(y[0], y[1], sizeof y[0]) == 0);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(solves_with_alpha_0)
    {
        struct X(coo_mat) *s = triangle(5, SPREAD, 1, 0);
        struct X(mat) *a = triangle_in(s, _i, 1, 0);
        T x[5], y[5];
        fill_vector(5, x, MAKE(NAN, NAN));
        fill_vector(5, y, MAKE(NAN, NAN));
        OK(X(mat_cssv)(0, a, x, 0, y, 'N', 'L', NULL));
        for (int i = 0; i < 5; i++)
            ck_assert(y[i] == 0);
        fill_vector(5, y, 3);
        OK(X(mat_cssv)(0, a, NULL, 2, y, 'T', 'L', NULL));
        for (int i = 0; i < 5; i++)
            ck_assert(y[i] == 6);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

static void check_singular(struct X(coo_mat) *s, int format, int upper, int unit, const char *why)
{
    struct X(mat) *a = triangle_in(s, format, upper, unit);
    T x[9], y[9], same[9];
    for (int t = 0; t < 3; t++) {
        random_vector(9, x, 1);
        random_vector(9, y, 2);
        memcpy(same, y, sizeof y);
        FAILS(X(mat_cssv)(1, a, x, 2, y, op_codes[t], 'L', NULL), PSB_EARG, why);
        ck_assert(memcmp(y, same, sizeof y) == 0);
        FAILS(X(mat_cssv)(1, a, y, 0, y, op_codes[t], 'L', NULL), PSB_EARG, why);
        ck_assert(memcmp(y, same, sizeof y) == 0);
    }
    X(mat_free)(a);
    X(mat_free)(&s->mat);
}

START_TEST(singular_triangles)
    {
        struct X(coo_mat) *s = triangle(9, SPREAD, 0, 0);
        set(s, 4, 4, 0);
        check_singular(s, _i, 0, 0, "row 4 has 0 on the diagonal");
        s = triangle(9, FULL, 1, 0);
        for (psb_epk k = 0; k < s->mat.nnz; k++)
            if (s->ia[k] == 6 && s->ja[k] == 6)
                s->ja[k] = 7;
        check_singular(s, _i, 1, 0, "row 6 has no entry on the diagonal");
        s = triangle(9, SPREAD, 0, 0);
        set(s, 3, 5, 1);
        check_singular(s, _i, 0, 0, "row 3, column 5 has an entry; expected a lower triangle");
        s = triangle(9, SPREAD, 1, 0);
        set(s, 5, 3, 1);
        check_singular(s, _i, 1, 0, "row 5, column 3 has an entry; expected an upper triangle");
        s = triangle(9, SPREAD, 0, 1);
        set(s, 2, 2, 1);
        check_singular(s, _i, 0, 1, "row 2 stores a diagonal entry");
    }
END_TEST

START_TEST(wrong_arguments_of_products_and_solves)
    {
        struct X(coo_mat) *s = sample(SPREAD, 6, 4), *t = triangle(6, SPREAD, 0, 0);
        struct X(mat) *a = in_format(s, _i), *l = triangle_in(t, _i, 0, 0);
        T x[36], y[36];
        random_vector(36, x, 1);
        random_vector(36, y, 2);
        FAILS(X(mat_csmm)(1, NULL, 2, x, 1, y, 'N'), PSB_EARG, "argument a ");
        FAILS(X(mat_csmm)(1, a, -1, x, 1, y, 'N'), PSB_EARG, "argument k is -1");
        FAILS(X(mat_csmm)(1, a, 2, NULL, 1, y, 'N'), PSB_EARG, "argument x is NULL; expected 4 x 2");
        FAILS(X(mat_csmm)(1, a, 2, x, 1, NULL, 'T'), PSB_EARG, "argument y is NULL; expected 4 x 2");
        FAILS(X(mat_csmm)(1, a, 2, x, 1, x, 'N'), PSB_EARG, "x and y are the same array");
        FAILS(X(mat_csmm)(1, a, 2, x, 1, y, 't'), PSB_EARG, "argument trans is 't'");
        FAILS(X(mat_csmv)(1, a, NULL, 1, y, 'N'), PSB_EARG, "argument x is NULL; expected 4 x 1");
        FAILS(X(mat_csmv)(1, a, x, 1, NULL, 'N'), PSB_EARG, "argument y is NULL; expected 6 x 1");
        FAILS(X(mat_csmv)(1, a, x, 1, x, 'N'), PSB_EARG, "x and y are the same array");
        FAILS(X(mat_cssv)(1, NULL, x, 1, y, 'N', 'L', NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_cssv)(1, l, NULL, 1, y, 'N', 'L', NULL), PSB_EARG, "argument x is NULL; expected 6 x 1");
        FAILS(X(mat_cssv)(1, l, x, 1, NULL, 'N', 'L', NULL), PSB_EARG, "argument y is NULL; expected 6 x 1");
        FAILS(X(mat_cssv)(1, l, x, 1, y, 'n', 'L', NULL), PSB_EARG, "argument trans is 'n'");
        FAILS(X(mat_cssv)(1, l, x, 1, y, 'N', 'U', x), PSB_EARG, "argument side is 'U'");
        FAILS(X(mat_cssm)(1, NULL, 2, x, 1, y, 'N', 'L', NULL), PSB_EARG, "argument a ");
        FAILS(X(mat_cssm)(1, l, -2, x, 1, y, 'N', 'L', NULL), PSB_EARG, "argument k is -2");
        FAILS(X(mat_cssm)(1, l, 2, NULL, 1, y, 'N', 'L', NULL), PSB_EARG,
              "argument x is NULL; expected 6 x 2");
        FAILS(X(mat_cssm)(1, l, 2, x, 1, NULL, 'N', 'L', NULL), PSB_EARG,
              "argument y is NULL; expected 6 x 2");
        FAILS(X(mat_cssm)(1, l, 2, x, 1, y, 'X', 'L', NULL), PSB_EARG, "argument trans is 'X'");
        FAILS(X(mat_cssm)(1, l, 2, x, 1, y, 'N', 'r', x), PSB_EARG, "argument side is 'r'");
        FAILS(X(mat_cssm)(1, a, 2, x, 1, y, 'N', 'L', NULL), PSB_EARG,
              "argument a is 6 x 4; expected a square");
        OK(X(mat_set_triangle)(l, 0));
        FAILS(X(mat_cssv)(1, l, x, 1, y, 'N', 'L', NULL), PSB_EARG, "argument a is not marked as a triangle");
        X(mat_free)(l);
        X(mat_free)(&t->mat);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- two matrices --- */

static void check_sum(struct X(coo_mat) *s, struct X(coo_mat) *t, int format, int other, T alpha, T beta)
{
    struct X(mat) *a = in_format(s, format), *b = in_format(t, other), *c;
    struct dense d = dense_of_coo(s), e = dense_of_coo(t);
    R *slack = calloc((size_t)(d.m * d.n) + 1, sizeof *slack);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        slack[s->ia[k] * d.n + s->ja[k]] += 8 * EPS * ABS(alpha) * ABS(s->val[k]);
    for (psb_epk k = 0; k < t->mat.nnz; k++)
        slack[t->ia[k] * d.n + t->ja[k]] += 8 * EPS * ABS(beta) * ABS(t->val[k]);
    for (int k = 0; k < d.m * d.n; k++) {
        d.v[k] = alpha * d.v[k] + beta * e.v[k];
        d.times[k] = d.times[k] || e.times[k];
    }
    OK(X(mat_spaxpby)(alpha, a, beta, b, NULL, &c));
    ck_assert_ptr_eq(c->ops, X(csr_mold).mat.ops);
    dense_is_near(c, &d, slack, "spaxpby");
    X(mat_free)(c);
    OK(X(mat_spaxpby)(alpha, a, beta, b, a, &c));
    ck_assert_ptr_eq(c->ops, a->ops);
    dense_is_near(c, &d, slack, "spaxpby");
    X(mat_free)(c);
    X(mat_free)(b);
    X(mat_free)(a);
    free(slack);
    dense_free(&d);
    dense_free(&e);
}

START_TEST(matrix_sums)
    {
        for (int k = FEW - 1; k >= 0; k -= ck_step(FEW))
            for (int l = k / (FULL + 1) * (FULL + 1); l < (k / (FULL + 1) + 1) * (FULL + 1); l++) {
                struct X(coo_mat) *s = few(k, 0), *t = few(l, 1);
                check_sum(s, t, _i, l % 4, MAKE(2, 1), l % 3 ? -1 : MAKE(0.5, 3));
                X(mat_free)(&s->mat);
                X(mat_free)(&t->mat);
            }
    }
END_TEST

/* The dense product; an entry is stored where any pair of entries contributes. */
static struct dense product(const struct dense *a, const struct dense *b, R *slack)
{
    struct dense c = dense_new(a->m, b->n);
    for (int i = 0; i < c.m; i++)
        for (int j = 0; j < c.n; j++) {
            long double _Complex sum = 0;
            long double size = 0;
            for (int k = 0; k < a->n; k++)
                if (a->times[i * a->n + k] && b->times[k * b->n + j]) {
                    sum += (long double _Complex)a->v[i * a->n + k] * b->v[k * b->n + j];
                    size += ABS(a->v[i * a->n + k]) * ABS(b->v[k * b->n + j]);
                    c.times[i * c.n + j] = 1;
                }
            c.v[i * c.n + j] = MAKE(creall(sum), cimagl(sum));
            slack[i * c.n + j] = (R)((a->n + 3) * (CPLX ? 3 : 1) * EPS * size);
        }
    return c;
}

static void check_product(struct X(mat) *a, struct X(mat) *b, const struct X(coo_mat) *s,
                          const struct X(coo_mat) *t)
{
    struct dense d = dense_of_coo(s), e = dense_of_coo(t);
    R *slack = calloc((size_t)(d.m * e.n) + 1, sizeof *slack);
    struct dense want = product(&d, &e, slack);
    struct X(mat) *c;
    psb_epk n = -1, stored = 0;
    OK(X(mat_spspmm)(a, b, &c));
    ck_assert_ptr_eq(c->ops, X(csr_mold).mat.ops);
    dense_is_near(c, &want, slack, "spspmm");
    for (int k = 0; k < want.m * want.n; k++)
        stored += want.times[k];
    OK(X(mat_spspmm_size)(a, b, &n));
    ck_assert_int_eq(n, stored);
    X(mat_free)(c);
    dense_free(&want);
    dense_free(&d);
    dense_free(&e);
    free(slack);
}

static const enum sample_kind factors[] = { NOTHING, SPREAD, TRIDIAG, DIAGONAL, DENSE_ROW, DENSE_COL, FULL };

START_TEST(matrix_products)
    {
        const psb_ipk sizes[][3] = { { 0, 0, 0 },    { 0, 3, 4 },   { 3, 0, 4 },   { 3, 4, 0 },
                                     { 1, 1, 1 },    { 1, 40, 1 },  { 40, 1, 40 }, { 20, 33, 7 },
                                     { 33, 20, 40 }, { 40, 40, 40 } };
        for (int q = 10 * 7 * 7 - 1; q >= 0; q -= ck_step(10 * 7 * 7)) {
            const psb_ipk *n = sizes[q / 49];
            struct X(coo_mat) *s = sample(factors[q % 7], n[0], n[1]),
                              *t = sample(factors[q / 7 % 7], n[1], n[2]);
            struct X(mat) *a = in_format(s, _i), *b = in_format(t, q % 4);
            check_product(a, b, s, t);
            X(mat_free)(b);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
            X(mat_free)(&t->mat);
        }
    }
END_TEST

START_TEST(wrong_arguments_of_sums_and_products)
    {
        struct X(coo_mat) *s = sample(SPREAD, 6, 4), *t = sample(SPREAD, 4, 5);
        struct X(mat) *a = in_format(s, _i), *b = in_format(t, _i), *none = NULL;
        psb_epk n = -7;
        FAILS(X(mat_spaxpby)(1, NULL, 1, b, NULL, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_spaxpby)(1, a, 1, NULL, NULL, &none), PSB_EARG, "argument b ");
        FAILS(X(mat_spaxpby)(1, a, 1, b, NULL, &none), PSB_EARG, "argument b is 4 x 5; expected 6 x 4");
        FAILS(X(mat_spaxpby)(1, a, 1, a, NULL, NULL), PSB_EARG, "argument c ");
        FAILS(X(mat_spspmm)(NULL, b, &none), PSB_EARG, "argument a ");
        FAILS(X(mat_spspmm)(a, NULL, &none), PSB_EARG, "argument b ");
        FAILS(X(mat_spspmm)(a, a, &none), PSB_EARG, "argument b has 6 rows; expected 4");
        FAILS(X(mat_spspmm)(a, b, NULL), PSB_EARG, "argument c ");
        FAILS(X(mat_spspmm_size)(NULL, b, &n), PSB_EARG, "argument a ");
        FAILS(X(mat_spspmm_size)(a, NULL, &n), PSB_EARG, "argument b ");
        FAILS(X(mat_spspmm_size)(b, b, &n), PSB_EARG, "argument b has 4 rows; expected 5");
        FAILS(X(mat_spspmm_size)(a, b, NULL), PSB_EARG, "argument nz ");
        ck_assert_ptr_null(none);
        ck_assert_int_eq(n, -7);
        X(mat_free)(b);
        X(mat_free)(a);
        X(mat_free)(&s->mat);
        X(mat_free)(&t->mat);
    }
END_TEST

/* --- more than 2^31 entries --- */

/* A column of n ones times a row of n ones: n^2 entries, which can be counted but not allocated. */
START_TEST(more_than_2_31_entries)
    {
        const psb_ipk n = 65537;
        struct X(mat) *a, *b, *c = NULL;
        psb_epk nz = 0;
        OK(X(mat_all)(n, 1, n, &a));
        const T one = 1;
        const psb_ipk zero = 0;
        for (psb_ipk i = 0; i < n; i++)
            OK(X(mat_csput)(a, 1, &i, &zero, &one, PSB_DUPL_ADD));
        OK(X(mat_asb)(a, PSB_DUPL_ADD));
        OK(X(mat_transp)(a, &b));
        OK(X(mat_spspmm_size)(a, b, &nz));
        ck_assert_int_eq(nz, (psb_epk)n * n);
        long all = 0;
        psb_alloc_fail_at(CK_NEVER);
        OK(X(mat_spspmm_size)(a, b, &nz));
        all = ck_allocations();
        psb_alloc_fail_at(all +
                          5); /* after two scratch arrays, the matrix and the row pointers: the columns */
        FAILS(X(mat_spspmm)(a, b, &c), PSB_ENOMEM, "CSR columns: 4295098369 elements of 4 bytes");
        ck_assert_ptr_null(c);
        OK(X(mat_spspmm_size)(b, a, &nz));
        ck_assert_int_eq(nz, 1);
        X(mat_free)(b);
        X(mat_free)(a);
    }
END_TEST

/* Memory of zeros that occupies no storage until it is written; NULL if there is none. */
static void *lazy_memory(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Row 0 has 2^31 + 7 zeros in column 0, and two more rows follow. */
START_TEST(offsets_beyond_2_31)
    {
        const psb_epk wide = (psb_epk)INT32_MAX + 8, nz = wide + 3;
        const size_t nja = (size_t)nz * sizeof(psb_ipk), nval = (size_t)nz * sizeof(T);
        psb_epk *irp, ptr[4] = { 0, wide, wide + 2, nz };
        psb_ipk *ja = lazy_memory(nja), one = 1, three = 3;
        T *val = lazy_memory(nval), x[5] = { 0, 10, 0, 100, 1000 }, y[3] = { 1, 1, 1 }, eight = 8;
        struct X(mat) *a;
        psb_ipk gi[3], gj[3];
        psb_epk n;
        T gv[3];
        if (!ja || !val) {
            fprintf(stderr, "not tested: offsets beyond 2^31; no address space\n");
            return;
        }
        ja[wide] = 1, ja[wide + 1] = 3, ja[wide + 2] = 4;
        val[wide] = 5, val[wide + 1] = 6, val[wide + 2] = 7;
        OK(X(mat_new)(&X(csr_mold).mat, 3, 5, nz, &a));
        struct X(csr_mat) *c = (struct X(csr_mat) *)a;
        OK(psb_dual_init(&c->irp, 4, sizeof *irp, NULL, "rows"));
        OK(psb_dual_init(&c->ja, (size_t)nz, sizeof *ja, NULL, "columns"));
        OK(psb_dual_init(&c->val, (size_t)nz, sizeof *val, NULL, "values"));
        OK(psb_dual_write(&c->irp, PSB_HOST, &irp));
        memcpy(irp, ptr, sizeof ptr);
        psb_dual_adopt(&c->ja, ja);
        psb_dual_adopt(&c->val, val);
        a->is.state = PSB_MAT_ASB;

        ck_assert_uint_eq(X(mat_bytes)(a), sizeof ptr + nja + nval);
        OK(X(mat_get_nz_row)(a, 0, &n));
        ck_assert_int_eq(n, wide);
        OK(X(mat_csput)(a, 1, &one, &three, &eight, PSB_DUPL_OVERWRITE));
        ck_assert(val[wide + 1] == 8);
        OK(X(mat_csget)(a, &(struct psb_block){ 1, 3, 0, 5 }, 3, gi, gj, gv, &n));
        ck_assert(n == 3 && gi[2] == 2 && gj[2] == 4 && gv[1] == 8 && gv[2] == 7);
        irp[0] = wide; /* saves seconds */
        OK(X(mat_csmv)(1, a, x, 0, y, 'N'));
        ck_assert(y[0] == 0 && y[1] == 850 && y[2] == 7000);
        y[0] = 1;
        OK(X(mat_csmv)(1, a, y, 0, x, 'T'));
        ck_assert(x[0] == 0 && x[1] == 4250 && x[2] == 0 && x[3] == 6800 && x[4] == 49000);
        c->ja.host = c->val.host = NULL;
        X(mat_free)(a);
        munmap(ja, nja);
        munmap(val, nval);
    }
END_TEST

/* --- threads --- */

static void threads(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n);
#else
    (void)n;
#endif
}

/* All products with p threads: right values, and the same bits in every run with the same p. */
static void check_threads(struct X(coo_mat) *s, int format, char trans, psb_ipk k)
{
    struct X(mat) *a = in_format(s, format);
    psb_ipk m = rows_of(a, trans), n = rows_of(a, trans == 'N' ? 'T' : 'N');
    T *x = new_array(n * k), *y0 = new_array(m * k), *y = new_array(m * k), *again = new_array(m * k);
    random_vector(n * k, x, 1);
    random_vector(m * k, y0, 2);
    for (int p = 1; p < 5; p++) {
        threads(p);
        memcpy(y, y0, (size_t)(m * k) * sizeof *y);
        OK(X(mat_csmm)(2, a, k, x, -1, y, trans));
        check_columns(a, s, k, trans, 2, x, -1, y0, y);
        for (int times = 0; times < 3; times++) {
            memcpy(again, y0, (size_t)(m * k) * sizeof *y);
            OK(X(mat_csmm)(2, a, k, x, -1, again, trans));
            ck_assert(memcmp(y, again, (size_t)(m * k) * sizeof *y) == 0);
        }
    }
    free(x), free(y0), free(y), free(again);
    X(mat_free)(a);
}

START_TEST(threaded_products)
    {
        psb_epk grain = psb_set_thread_grain(8);
        struct X(coo_mat) *s[] = { sample(FULL, 97, 61), sample(SPREAD, 97, 61), sample(DENSE_ROW, 61, 97),
                                   sample(DENSE_COL, 61, 3) };
        for (int q = 0; q < 4; q++) {
            for (int t = 0; t < 3; t++) {
                check_threads(s[q], _i, op_codes[t], 1);
                check_threads(s[q], _i, op_codes[t], 5);
            }
            X(mat_free)(&s[q]->mat);
        }
        psb_set_thread_grain(grain);
    }
END_TEST

/* The triplets of s, or of its transpose, after conversion to the format and back by p threads. */
static struct X(coo_mat) *listed(struct X(coo_mat) *s, int format, int transposed, int p)
{
    threads(p);
    struct X(mat) *a = in_format(s, format), *b = a, *c;
    if (transposed)
        OK(X(mat_transp)(a, &b));
    OK(X(mat_convert)(b, &X(coo_mold).mat, &c));
    if (b != a)
        X(mat_free)(b);
    X(mat_free)(a);
    return (struct X(coo_mat) *)c;
}

/* Including too few entries for the number of threads, and duplicates, whose order must be kept. */
START_TEST(threaded_conversions)
    {
        psb_epk grain = psb_set_thread_grain(2);
        struct X(coo_mat) *s[] = { sample(FULL, 97, 61),     sample(TWICE, 97, 9),
                                   sample(TWICE, 9, 97),     sample(DENSE_ROW, 61, 97),
                                   sample(DENSE_COL, 97, 3), sample(NOTHING, 30, 20) };
        for (int q = 0; q < 6; q++) {
            for (int t = 0; t < 2; t++) {
                struct X(coo_mat) *one = listed(s[q], _i, t, 1);
                const size_t n = (size_t)one->mat.nnz;
                ck_assert(X(coo_ordered)(one));
                ck_assert(t || same_entries(one, s[q]));
                for (int p = 2; p < 8; p++) {
                    struct X(coo_mat) *many = listed(s[q], _i, t, p);
                    ck_assert_int_eq(many->mat.nnz, one->mat.nnz);
                    ck_assert(n == 0 || memcmp(many->ia, one->ia, n * sizeof *one->ia) == 0);
                    ck_assert(n == 0 || memcmp(many->ja, one->ja, n * sizeof *one->ja) == 0);
                    ck_assert(n == 0 || memcmp(many->val, one->val, n * sizeof *one->val) == 0);
                    X(mat_free)(&many->mat);
                }
                X(mat_free)(&one->mat);
            }
            X(mat_free)(&s[q]->mat);
        }
        threads(1);
        psb_set_thread_grain(grain);
    }
END_TEST

/* Scale s from both sides and by a number, with p threads, and get its diagonal. */
static struct X(coo_mat) *scaled_by(struct X(coo_mat) *s, int format, int p, T *d)
{
    T *left = new_array(s->mat.nrows), *right = new_array(s->mat.ncols);
    struct X(mat) *a, *b;
    random_vector(s->mat.nrows, left, 1);
    random_vector(s->mat.ncols, right, 2);
    threads(p);
    a = in_format(s, format);
    OK(X(mat_scalv)(a, left, 'L'));
    OK(X(mat_scalv)(a, right, 'R'));
    OK(X(mat_scal)(a, MAKE(0.7, -1.3)));
    OK(X(mat_get_diag)(a, d));
    OK(X(mat_convert)(a, &X(coo_mold).mat, &b));
    free(left), free(right);
    X(mat_free)(a);
    return (struct X(coo_mat) *)b;
}

START_TEST(threaded_value_operations)
    {
        psb_epk grain = psb_set_thread_grain(8);
        struct X(coo_mat) *s[] = { sample(FULL, 97, 61), sample(SPREAD, 61, 97), sample(NOTHING, 30, 20) };
        for (int q = 0; q < 3; q++) {
            T d[61], e[61];
            struct X(coo_mat) *one = scaled_by(s[q], _i, 1, d);
            const psb_ipk m = s[q]->mat.nrows, n = s[q]->mat.ncols;
            for (int p = 2; p < 6; p++) {
                struct X(coo_mat) *many = scaled_by(s[q], _i, p, e);
                ck_assert(same_entries(one, many));
                ck_assert(memcmp(d, e, (size_t)(m < n ? m : n) * sizeof *d) == 0);
                X(mat_free)(&many->mat);
            }
            X(mat_free)(&one->mat);
            X(mat_free)(&s[q]->mat);
        }
        threads(1);
        psb_set_thread_grain(grain);
    }
END_TEST

/* Unsorted COO: values of single entries change; a missing entry is an error. */
START_TEST(new_values_of_unsorted_triplets)
    {
        for (int by_cols = 0; by_cols < 2; by_cols++) {
            struct X(coo_mat) *s = sample(TRIDIAG, 97, 97);
            const psb_ipk row = 0, col = 96;
            const T v = 5;
            struct X(mat) *a;
            OK(X(mat_convert)(&s->mat, &X(coo_mold).mat, &a));
            OK(X(mat_set_sorted)(a, by_cols ? PSB_BY_COLS : PSB_BY_ROWS));
            for (psb_epk k = 0; k < s->mat.nnz; k += 7) {
                OK(X(mat_csput)(a, 1, &s->ia[k], &s->ja[k], &v, PSB_DUPL_OVERWRITE));
                s->val[k] = v;
            }
            FAILS(X(mat_csput)(a, 1, &row, &col, &v, PSB_DUPL_OVERWRITE), PSB_EARG, "row 0, column 96");
            ck_assert(same_entries((struct X(coo_mat) *)a, s));
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* Store the number of threads that add. */
static void count_threads(void *job, int t, int p, T *y)
{
    if (t == 0) {
        *(int *)job = p;
        y[0] += 1;
    }
}

/* The most threads that each have four additions per element, up to the number available. */
START_TEST(number_of_adding_threads)
    {
        const psb_epk work[] = { 0, 79, 80, 119, 120, 160, 1000 };
        const int want[] = { 1, 1, 2, 2, 3, 4, 4 };
        psb_epk grain = psb_set_thread_grain(1);
        threads(4);
        for (int k = 0; k < 7; k++) {
            T y[10] = { 1 };
            int p = 0;
            OK(X(add_up)(work[k], 10, 1, y, count_threads, &p));
#ifdef _OPENMP
            ck_assert_int_eq(p, want[k]);
#else
            ck_assert(p == 1 && want[k]);
#endif
            ck_assert(y[0] == 2 && y[9] == 0);
        }
        psb_set_thread_grain(grain);
    }
END_TEST

static void same_csr(struct X(mat) *a, struct X(mat) *b)
{
    struct X(mat) *s, *t;
    OK(X(mat_convert)(a, &X(coo_mold).mat, &s));
    OK(X(mat_convert)(b, &X(coo_mold).mat, &t));
    ck_assert(same_entries((struct X(coo_mat) *)s, (struct X(coo_mat) *)t));
    X(mat_free)(s);
    X(mat_free)(t);
}

/* One and several threads give the same matrix. */
START_TEST(threaded_matrix_products)
    {
        psb_epk grain = psb_set_thread_grain(8);
        struct X(coo_mat) *s = sample(FULL, 97, 61), *t = sample(SPREAD, 61, 80);
        struct X(mat) *first = NULL, *c, *a, *b;
        for (int p = 1; p < 5; p++) {
            threads(p);
            a = in_format(s, _i);
            b = in_format(t, _i);
            check_product(a, b, s, t);
            OK(X(mat_spspmm)(a, b, &c));
            if (!first)
                OK(X(mat_clone)(c, &first));
            same_csr(first, c);
            X(mat_free)(c);
            X(mat_free)(b);
            X(mat_free)(a);
        }
        X(mat_free)(first);
        X(mat_free)(&s->mat);
        X(mat_free)(&t->mat);
        psb_set_thread_grain(grain);
    }
END_TEST

/* --- sorting --- */

enum shape { ANY_ORDER, ROWS_IN_ORDER, ALL_IN_ORDER };

/* Unsorted or sorted (`shape`) entries: m rows, about 12 a row; `longest` more in one row. */
static struct X(coo_mat) *unsorted_triplets(psb_ipk m, psb_ipk n, int longest, enum shape shape,
                                            uint64_t seed)
{
    struct rng r = { seed };
    struct X(mat) *a;
    OK(X(mat_all)(m, n, 0, &a));
    for (int k = 0; k < m * 6; k++) {
        psb_ipk i = shape == ANY_ORDER ? rng_below(&r, m) : k / 6;
        int many = k == 3 ? longest : 1 + rng_below(&r, 3);
        for (int e = 0; e < many; e++) {
            psb_ipk j = shape == ALL_IN_ORDER ? (psb_ipk)((psb_epk)(k % 6) * n / 6) : rng_below(&r, n);
            T v = random_scalar(&r);
            OK(X(mat_csput)(a, 1, &i, &j, &v, PSB_DUPL_ADD));
        }
    }
    return (struct X(coo_mat) *)a;
}

/* Compare with a stable merge of s, one place after the other. */
static void check_fixed(const struct X(coo_mat) *a, const struct X(coo_mat) *s, enum psb_dupl dupl)
{
    struct dense d = dense_new(s->mat.nrows, s->mat.ncols);
    psb_epk places = 0;
    for (psb_epk k = 0; k < s->mat.nnz; k++) {
        T *v = &d.v[s->ia[k] * d.n + s->ja[k]];
        int *times = &d.times[s->ia[k] * d.n + s->ja[k]];
        *v = *times && dupl == PSB_DUPL_ADD ? *v + s->val[k] : s->val[k];
        places += !*times;
        *times = 1;
    }
    ck_assert_int_eq(a->mat.nnz, places);
    for (psb_epk k = 0; k < places; k++) {
        int ordered = k == 0 || a->ia[k - 1] < a->ia[k] ||
                      (a->ia[k - 1] == a->ia[k] && a->ja[k - 1] < a->ja[k]);
        if (!ordered || a->val[k] != d.v[a->ia[k] * d.n + a->ja[k]])
            ck_abort_msg("entry %d, row %d, column %d", (int)k, a->ia[k], a->ja[k]);
    }
    dense_free(&d);
}

START_TEST(sorting_of_triplets)
    {
        psb_epk grain = psb_set_thread_grain(16);
        for (int q = 0; q < 3 * 4 * 4 * 2; q++) {
            const int longest[] = { 3, 24, 25, 300 };
            enum shape shape = (enum shape)(q % 3);
            enum psb_dupl how = q / 48 ? PSB_DUPL_OVERWRITE : PSB_DUPL_ADD;
            threads(1 + q / 3 % 4);
            struct X(coo_mat) *a = unsorted_triplets(50, 90, longest[q / 12 % 4], shape, (uint64_t)q);
            struct X(coo_mat) *s = unsorted_triplets(50, 90, longest[q / 12 % 4], shape, (uint64_t)q);
            psb_alloc_fail_at(1);
            psb_err e = X(coo_fix)(a, how);
            psb_alloc_fail_at(0);
            if (e != PSB_OK) {
                ck_assert(same_entries(a, s));
                FAILS(X(coo_fix)(a, PSB_DUPL_ERROR), PSB_EARG, "more than one entry");
                for (psb_epk k = 0; k < s->mat.nnz; k++)
                    if (a->ia[k] != s->ia[k] || a->ja[k] != s->ja[k] || a->val[k] != s->val[k])
                        ck_abort_msg("a refusal moved entry %d", (int)k);
                OK(X(coo_fix)(a, how));
            }
            check_fixed(a, s, how);
            X(mat_free)(&a->mat);
            X(mat_free)(&s->mat);
        }
        psb_set_thread_grain(grain);
    }
END_TEST

/* --- allocation failures --- */

static psb_err try_solve(struct X(mat) *a, T *x, T *y)
{
    return X(mat_cssv)(1, a, x, 1, y, 'T', 'L', NULL);
}

static psb_err try_product(struct X(mat) *a, T *x, T *y)
{
    return X(mat_csmm)(1, a, 2, x, 1, y, 'T');
}

static psb_err try_twice(struct X(mat) *a, T *x, T *y)
{
    return X(mat_csmm)(2, a, 2, x, 3, y, 'C');
}

/* A triangle; the COO part of HYB is large enough for several threads. */
START_TEST(allocation_fails)
    {
        psb_err (*const all[])(struct X(mat) *, T *, T *) = { try_solve, try_product, try_twice };
        psb_epk grain = psb_set_thread_grain(8);
        threads(3);
        for (int f = 0; f < 3; f++) {
            struct X(coo_mat) *s = triangle(65, FULL, 1, 0);
            T x[130], y[130], before[130];
            psb_err e = PSB_ENOMEM;
            random_vector(130, x, 1);
            random_vector(130, y, 2);
            memcpy(before, y, sizeof y);
            struct X(mat) *a = triangle_in(s, _i, 1, 0);
            for (long n = 1; e != PSB_OK; n++) {
                ck_assert_int_lt(n, 100);
                psb_alloc_fail_at(n);
                e = all[f](a, x, y);
                psb_alloc_fail_at(0);
                ck_assert(e == PSB_OK || (e == PSB_ENOMEM && memcmp(y, before, sizeof y) == 0));
            }
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
        psb_set_thread_grain(grain);
    }
END_TEST

static Suite *operations(int n)
{
    Suite *s = suite_create("operations");
    TCase *c = ck_tcase(s, "every format");
    tcase_add_loop_test(c, products_of_all_hacks, 0, 10);
    tcase_add_loop_test(c, products_of_all_hyb_partitions, 0, 5);
    tcase_add_loop_test(c, multi_column_products, 0, n);
    tcase_add_loop_test(c, hdiag_hacks, 0, 7);
    tcase_add_loop_test(c, bsrg_blocks, 0, 14);
    tcase_add_loop_test(c, hybg_partitions, 0, 4);
    tcase_add_test(c, dns_matrices);
    tcase_add_loop_test(c, products_of_unit_triangles, 0, n);
    tcase_add_loop_test(c, triangular_solves, 0, n);
    tcase_add_loop_test(c, solves_convert_once, 0, n);
    tcase_add_loop_test(c, solves_by_threads, 0, n);
    tcase_add_test(c, products_with_short_rows);
    tcase_add_loop_test(c, solves_with_alpha_0, 0, n);
    tcase_add_loop_test(c, singular_triangles, 0, n);
    tcase_add_loop_test(c, wrong_arguments_of_products_and_solves, 0, n);
    tcase_add_loop_test(c, matrix_sums, 0, n);
    tcase_add_loop_test(c, matrix_products, 0, n);
    tcase_add_loop_test(c, wrong_arguments_of_sums_and_products, 0, n);
    tcase_add_loop_test(c, threaded_products, 0, n);
    tcase_add_loop_test(c, threaded_conversions, 0, n);
    tcase_add_loop_test(c, threaded_value_operations, 0, n);
    tcase_add_loop_test(c, threaded_matrix_products, 0, n);
    tcase_add_loop_test(c, allocation_fails, 0, n);
    c = ck_tcase(s, "single tests");
    tcase_add_test(c, number_of_adding_threads);
    tcase_add_test(c, new_values_of_unsorted_triplets);
    tcase_add_test(c, more_than_2_31_entries);
    tcase_add_test(c, offsets_beyond_2_31);
    tcase_add_test(c, sorting_of_triplets);
    c = ck_tcase(s, "GPU formats");
    tcase_add_loop_test(c, gpu_formats_of_all_hacks, 0, 9);
    tcase_add_loop_test(c, split_rows, 0, 2);
    tcase_add_loop_test(c, csrg_tiles, 0, TILED_ROWS);
    tcase_add_loop_test(c, csrg_plan_is_kept, 0, TILED_ROWS);
    tcase_add_test(c, csrg_plan_allocation_fails);
    tcase_add_test(c, csrg_vendors);
    return s;
}

int check_ops(void)
{
    psb_ctxt *ctxt;
    const int n = formats_init(&ctxt);
    return n > 0 ? ck_end(ctxt, ck_run(operations(n))) : EXIT_FAILURE;
}
