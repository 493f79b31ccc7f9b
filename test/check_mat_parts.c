/* check_mat_parts.c -- test: triangles, blocks, rows, transposes and neighbours of every format,
 * compared with a dense matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_mat.h"

/* --- parts --- */

/* The entries of d in block b with low <= j - i <= high; indices are those of d or (shift) of the block. */
static struct dense cut(const struct dense *d, struct psb_block b, int low, int high, int shift)
{
    struct dense c = shift ? dense_new(b.imax - b.imin, b.jmax - b.jmin) : dense_new(d->m, d->n);
    for (psb_ipk i = b.imin; i < b.imax; i++)
        for (psb_ipk j = b.jmin; j < b.jmax; j++)
            if (d->times[i * d->n + j] && j - i >= low && j - i <= high)
                dense_put(&c, shift ? i - b.imin : i, shift ? j - b.jmin : j, d->v[i * d->n + j]);
    return c;
}

static void check_halves(struct X(mat) *a, const struct dense *d, int k, struct psb_block b, int whole)
{
    DENSE low = cut(d, b, -1000, k, 1), high = cut(d, b, k + 1, 1000, 1);
    const struct psb_block *range = whole ? NULL : &b;
    const int square = b.imin == b.jmin && b.imax == b.jmax;
    for (int rest = 0; rest < 2; rest++) { /* with the other half, and without */
        MAT *l = NULL, *u = NULL, *of_l = NULL, *of_u = NULL;
        OK(X(mat_tril)(a, k, range, &l, rest ? &of_l : NULL));
        OK(X(mat_triu)(a, k + 1, range, &u, rest ? &of_u : NULL));
        dense_is(l, &low, "tril");
        dense_is(u, &high, "triu");
        ck_assert_ptr_eq(l->ops, a->ops);
        ck_assert_int_eq(X(mat_is_lower)(l), square && k <= 0);
        if (rest) {
            dense_is(of_l, &high, "the rest of tril");
            dense_is(of_u, &low, "the rest of triu");
            ck_assert_int_eq(X(mat_is_upper)(of_l), square && k >= -1);
        }
    }
}

/* The whole matrix, and some blocks. */
static struct psb_block block_of(const struct dense *d, int k)
{
    const struct psb_block b[] = {
        { 0, d->m, 0, d->n },
        { d->m / 4, d->m - d->m / 3, 0, d->n },
        { 0, d->m, d->n / 3, d->n - d->n / 4 },
        { d->m / 2, d->m / 2, d->n / 2, d->n },
    };
    return b[k];
}

TEST(triangles)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        for (int q = -3; q < 4; q++)
            check_halves(a, &d, q, block_of(&d, 0), q > 0);
        for (int b = 1; b < 4; b++)
            check_halves(a, &d, b - 2, block_of(&d, b), 0);
        dense_is(a, &d, "the source matrix");
    }
}

static void check_block(struct X(mat) *a, const struct dense *d, struct psb_block b)
{
    for (int shift = 0; shift < 2; shift++) {
        DENSE c = cut(d, b, -1000, 1000, shift);
        MAT *got = NULL;
        OK(X(mat_csclip)(a, &b, shift, &got));
        dense_is(got, &c, "csclip");
    }
}

static void check_get(struct X(mat) *a, const struct dense *d, struct psb_block b)
{
    DENSE c = cut(d, b, -1000, 1000, 0), got = dense_new(d->m, d->n);
    psb_ipk ia[MOST * MOST], ja[MOST * MOST];
    psb_epk n = -1, again = -1;
    T val[MOST * MOST];
    OK(X(mat_csget)(a, &b, 0, NULL, NULL, NULL, &n));
    ck_assert(n >= 0 && n <= a->nnz);
    OK(X(mat_csget)(a, &b, n, ia, ja, val, &again));
    ck_assert_int_eq(n, again);
    for (psb_epk k = 0; k < n; k++) {
        ck_assert(k == 0 || ia[k] > ia[k - 1] || (ia[k] == ia[k - 1] && ja[k] > ja[k - 1]));
        dense_put(&got, ia[k], ja[k], val[k]);
    }
    ck_assert(memcmp(got.v, c.v, (size_t)(d->m * d->n) * sizeof *c.v) == 0);
    ck_assert(memcmp(got.times, c.times, (size_t)(d->m * d->n) * sizeof *c.times) == 0);
    if (n > 0) {
        again = -5;
        FAILS(X(mat_csget)(a, &b, n - 1, ia, NULL, NULL, &again), PSB_EARG, "expected at least");
        ck_assert_int_eq(again, -5);
        OK(X(mat_csget)(a, &b, n, NULL, ja, NULL, &again));
    }
}

static void check_rows(struct X(mat) *a, const struct dense *d)
{
    psb_epk ptr[MOST + 1], n;
    psb_ipk lo = d->m / 3, hi = d->m - d->m / 4;
    OK(X(mat_get_ptr)(a, lo, hi, ptr));
    ck_assert_int_eq(ptr[0], 0);
    for (psb_ipk i = lo; i < hi; i++) {
        int want = 0;
        for (psb_ipk j = 0; j < d->n; j++)
            want += d->times[i * d->n + j];
        ck_assert_int_eq(ptr[i - lo + 1] - ptr[i - lo], want);
        OK(X(mat_get_nz_row)(a, i, &n));
        ck_assert_int_eq(n, want);
    }
}

TEST(blocks_and_rows_of_entries)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        for (int b = 0; b < 4; b++) {
            check_block(a, &d, block_of(&d, b));
            check_get(a, &d, block_of(&d, b));
        }
        check_rows(a, &d);
        dense_is(a, &d, "the source matrix");
    }
}

static struct dense dense_transposed(const struct dense *d, int conjugate)
{
    struct dense t = dense_new(d->n, d->m);
    for (psb_ipk i = 0; i < d->m; i++)
        for (psb_ipk j = 0; j < d->n; j++)
            if (d->times[i * d->n + j])
                dense_put(&t, j, i, conjugate ? CONJ(d->v[i * d->n + j]) : d->v[i * d->n + j]);
    return t;
}

TEST(transposes)
{
    for (int k = 2 * FEW - 1; k >= 0; k -= ck_step(2 * FEW)) {
        COO *s = few(k / 2, 1);
        MAT *a = in_format(s, _i), *b = NULL;
        DENSE d = dense_of_coo(s), t = dense_transposed(&d, k % 2);
        OK(X(mat_set_triangle)(a, 1));
        OK(X(mat_set_upper)(a, 1));
        OK(k % 2 ? X(mat_transc)(a, &b) : X(mat_transp)(a, &b));
        dense_is(b, &t, "transposed");
        ck_assert(X(mat_is_lower)(b) && X(mat_is_upper)(a) && X(mat_is_asb)(b));
        ck_assert_ptr_eq(b->ops, a->ops);
        dense_is(a, &d, "the source matrix");
        OK(k % 2 ? X(mat_transc_ip)(a) : X(mat_transp_ip)(a));
        dense_is(a, &t, "transposed in place");
        ck_assert(X(mat_is_lower)(a));
    }
}

TEST(clip_diagonal)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i), *b = NULL;
        DENSE d = dense_of_coo(s);
        OK(X(mat_clip_diag)(a, &b));
        dense_is(a, &d, "the source matrix");
        for (psb_ipk i = 0; i < d.m && i < d.n; i++) {
            d.v[i * d.n + i] = 0;
            d.times[i * d.n + i] = 0;
        }
        dense_is(b, &d, "clip_diag");
    }
}

/* reached_cols[j]: row i reaches column j in 1 to lev steps. */
static void reached(const struct dense *d, psb_ipk i, int lev, int *reached_cols)
{
    int now[MOST] = { 0 }, next[MOST];
    memset(reached_cols, 0, MOST * sizeof *reached_cols);
    now[i] = 1;
    for (; lev > 0; lev--) {
        memset(next, 0, sizeof next);
        for (psb_ipk r = 0; r < d->m; r++)
            for (psb_ipk j = 0; now[r] && j < d->n; j++)
                next[j] |= d->times[r * d->n + j];
        for (psb_ipk j = 0; j < d->n; j++)
            reached_cols[j] |= next[j];
        memcpy(now, next, sizeof now);
    }
}

TEST(neighbours)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i);
        DENSE d = dense_of_coo(s);
        for (psb_ipk i = 0; i < d.m; i += 5)
            for (int lev = 1; lev < 5; lev++) {
                int reached_cols[MOST];
                psb_ipk *idx, n, at = 0;
                reached(&d, i, lev, reached_cols);
                OK(X(mat_get_neigh)(a, i, lev, &idx, &n));
                for (psb_ipk j = 0; j < d.n; j++)
                    if (reached_cols[j]) {
                        ck_assert_int_lt(at, n);
                        ck_assert_int_eq(idx[at++], j);
                    }
                ck_assert_int_eq(at, n);
                psb_free(idx);
            }
    }
}

/* --- rows and columns by lists, blocks for entries --- */

/* Element (i, j) of the result is element (rows[i], cols[j]) of d. */
static struct dense selected(const struct dense *d, psb_ipk m, const psb_ipk *rows, psb_ipk n,
                             const psb_ipk *cols)
{
    struct dense c = dense_new(m, n);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk j = 0; j < n; j++) {
            const psb_ipk from = (rows ? rows[i] : i) * d->n + (cols ? cols[j] : j);
            if (d->times[from])
                dense_put(&c, i, j, d->v[from]);
        }
    return c;
}

static void check_selection(struct X(mat) *a, const struct dense *d, psb_ipk m, const psb_ipk *rows,
                            psb_ipk n, const psb_ipk *cols)
{
    DENSE c = selected(d, m, rows, n, cols);
    MAT *b = NULL;
    OK(X(mat_csclip_list)(a, m, rows, n, cols, &b));
    ck_assert_ptr_eq(b->ops, a->ops);
    dense_is(b, &c, "csclip_list");
}

/* All rows in reverse order and every second column; one row twice; permutations. */
TEST(rows_and_columns_by_lists)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i), *none = NULL;
        DENSE d = dense_of_coo(s);
        HEAP psb_ipk *back = calloc((size_t)(d.m + d.n) + 2, sizeof *back);
        psb_ipk *const half = back + d.m + 1;
        for (psb_ipk i = 0; i < d.m; i++)
            back[i] = d.m - 1 - i;
        for (psb_ipk j = 0; j < d.n; j++)
            half[j] = j < (d.n + 1) / 2 ? 2 * j : d.n - 1 - (j - (d.n + 1) / 2) * 2 - d.n % 2;
        check_selection(a, &d, d.m, back, (d.n + 1) / 2, half);
        check_selection(a, &d, d.m, back, d.n, NULL);
        check_selection(a, &d, d.m, NULL, d.n, half);
        check_selection(a, &d, 0, back, 0, half);
        if (d.m > 1 && d.n > 1) {
            back[0] = back[1];
            check_selection(a, &d, 2, back, 1, half + 1);
            half[0] = half[1];
            FAILS(X(mat_csclip_list)(a, 2, back, 2, half, &none), PSB_EARG, "expected different columns");
            half[0] = d.n;
            FAILS(X(mat_csclip_list)(a, 2, back, 1, half, &none), PSB_EARG,
                  "cols[0] is %d; expected 0 <= ", d.n);
            FAILS(X(mat_csclip_list)(a, 1, NULL, 1, half, &none), PSB_EARG, "argument m is 1 without a list");
        }
    }
}

TEST(kronecker_products)
{
    const T block[] = { MAKE(1, 2), 0, -2, MAKE(0.5, 0), 3, MAKE(0, 1) };
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW)) {
        COO *s = few(k, 1);
        MAT *a = in_format(s, _i), *b = NULL, *none = NULL;
        DENSE d = dense_of_coo(s), want = dense_new(2 * d.m, 3 * d.n);
        for (psb_ipk e = 0; e < d.m * d.n * 6; e++) {
            const psb_ipk i = e / 6 / d.n, j = e / 6 % d.n, r = e % 6 / 3, c = e % 3;
            if (d.times[i * d.n + j])
                dense_put(&want, 2 * i + r, 3 * j + c, d.v[i * d.n + j] * block[3 * r + c]);
        }
        OK(X(mat_kron)(a, 2, 3, block, &b));
        ck_assert_ptr_eq(b->ops, a->ops);
        dense_is(b, &want, "kron");
        FAILS(X(mat_kron)(a, 0, 3, block, &none), PSB_EARG, "arguments k and l are 0 and 3; expected > 0");
        if (d.m > 1)
            FAILS(X(mat_kron)(a, INT32_MAX / 2 + 1, 1, block, &none), PSB_EARG, "expected less than 2^31");
    }
}

void mat_parts_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "parts");
    ck_add_loop_tests(c, n, triangles, blocks_and_rows_of_entries, transposes, clip_diagonal, neighbours,
                      rows_and_columns_by_lists, kronecker_products);
}
