/* check_algebra_device.c -- test: products, sums, transposes and parts on a device have the arrays of those
 * of the host, bit by bit, in every format that the device converts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "clique.h"
#include "algebra.h"
#include "psb_cuda.h"
#include "check_convert.h"
#include "aggregate.t.h"

/* The matrices of a test: `a` in a format of the device, with values there alone, and the same on the host.
 */
struct both {
    struct X(coo_mat) *s;
    struct X(mat) *rows, *there;
};

static void free_both(struct both *p)
{
    X(mat_free)(&p->s->mat);
    X(mat_free)(p->rows);
    X(mat_free)(p->there);
}
#define BOTH OWNER(free_both) struct both

/* there is NULL if the format refuses s. */
static struct both put_on_both(struct X(coo_mat) *s, const struct X(mat) *m)
{
    struct both p = { .s = s, .there = convert_on_device(&s->mat, m) };
    OK(X(mat_convert)(&s->mat, &X(csr_mold).mat, &p.rows));
    return p;
}

static bool has_twice(struct X(mat) *rows)
{
    struct X(compressed) l;
    struct X(mat) *none;
    OK(X(csr_view)(rows, &l, &none));
    for (psb_ipk i = 0; i < l.n; i++)
        for (psb_epk k = l.ptr[i] + 1; k < l.ptr[i + 1]; k++)
            if (l.idx[k - 1] == l.idx[k])
                return true;
    return false;
}

/* `want`, made by the host, and `got` have the same entries in the format of m; with `alone` got is on the
 * device only, and nothing but sizes came to the host since the transfers were counted. */
static void check_result(struct X(mat) *want, struct X(mat) *got, const struct X(mat) *m, bool alone)
{
    char why[400];
    MAT *w = convert_by_threshold(want, m, NEVER, why, sizeof why);
    ck_assert_int_eq(got->is.state, PSB_MAT_ASB);
    if (alone) {
        ck_assert_int_eq(psb_transfers("CSR values").gets + psb_transfers("HLL values").gets, 0);
        ck_assert_int_eq(psb_transfers("HDIA values").gets + psb_transfers("CSR columns").gets, 0);
        check_on_device_only(got);
    }
    check_same_arrays(w, got);
    psb_transfers_reset();
}

static psb_epk begin_on_device(void)
{
    psb_transfers_reset();
    return psb_cuda_convert_from(ALWAYS);
}

/* --- transposes and parts ------------------------------------------------------------------------------- */

TEST(transposes_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO))
        for (int c = 0; c < 2; c++) {
            BOTH p = put_on_both(conversion_sample(k), device_mold(_i));
            MAT *want = NULL, *got = NULL;
            if (!p.there)
                continue;
            OK((c ? X(mat_transc) : X(mat_transp))(p.rows, &want));
            const psb_epk before = begin_on_device();
            if ((c ? X(mat_transc) : X(mat_transp))(p.there, &got) == PSB_OK) {
                check_result(want, got, p.there, 1);
                OK((c ? X(mat_transc_ip) : X(mat_transp_ip))(got));
                check_result(p.rows, got, p.there, 1);
            } else {
                (void)psb_pop_errmsg(NULL, 0);
            }
            psb_cuda_convert_from(before);
        }
}

TEST(parts_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        BOTH p = put_on_both(conversion_sample(k), device_mold(_i));
        if (!p.there)
            continue;
        const psb_ipk m = p.rows->nrows, n = p.rows->ncols;
        const struct psb_block block[] = {
            { 0, m, 0, n }, { m / 4, m - m / 3, 0, n }, { 0, m, n / 3, n - n / 4 }, { m / 2, m / 2, n / 2, n }
        };
        const psb_epk before = begin_on_device();
        for (int b = 0; b < 4; b++)
            for (int shift = 0; shift < 2; shift++) {
                MAT *want = NULL, *got = NULL;
                OK(X(mat_csclip)(p.rows, &block[b], shift, &want));
                if (X(mat_csclip)(p.there, &block[b], shift, &got) == PSB_OK)
                    check_result(want, got, p.there, 1);
                else
                    (void)psb_pop_errmsg(NULL, 0);
            }
        for (int d = -2; d < 3; d++) {
            MAT *l = NULL, *u = NULL, *low = NULL, *up = NULL;
            OK(X(mat_tril)(p.rows, d, NULL, &l, &u));
            if (X(mat_tril)(p.there, d, NULL, &low, &up) == PSB_OK) {
                check_result(l, low, p.there, 1);
                check_result(u, up, p.there, 1);
                ck_assert_int_eq(X(mat_is_lower)(low), X(mat_is_lower)(l));
            } else {
                (void)psb_pop_errmsg(NULL, 0);
            }
        }
        MAT *want = NULL, *got = NULL;
        OK(X(mat_clip_diag)(p.rows, &want));
        if (X(mat_clip_diag)(p.there, &got) == PSB_OK)
            check_result(want, got, p.there, 1);
        else
            (void)psb_pop_errmsg(NULL, 0);
        psb_cuda_convert_from(before);
    }
}

static psb_epk longest_row(struct X(mat) *rows)
{
    struct X(compressed) l;
    struct X(mat) *none;
    psb_epk longest = 0;
    OK(X(csr_view)(rows, &l, &none));
    for (psb_ipk i = 0; i < l.n; i++)
        longest = l.ptr[i + 1] - l.ptr[i] > longest ? l.ptr[i + 1] - l.ptr[i] : longest;
    return longest;
}

/* Rows and columns in reverse order; every second column; a row twice.  The host orders rows of many
 * entries. */
TEST(selections_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        BOTH p = put_on_both(conversion_sample(k), device_mold(_i));
        if (!p.there)
            continue;
        const psb_ipk m = p.rows->nrows, n = p.rows->ncols;
        HEAP psb_ipk *list = calloc((size_t)m + (size_t)n + 1, sizeof *list);
        psb_ipk *const cols = list + m;
        for (psb_ipk i = 0; i < m; i++)
            list[i] = m - 1 - i;
        if (m > 1)
            list[0] = list[1];
        for (psb_ipk j = 0; j < n; j++)
            cols[j] = n - 1 - j;
        const psb_ipk number[] = { n, (n + 1) / 2, 0, n };
        const psb_epk before = begin_on_device();
        for (int c = 0; c < 4; c++) {
            const psb_ipk *const by = c < 3 ? cols : NULL, *const rows = c == 1 ? NULL : list;
            MAT *want = NULL, *got = NULL;
            OK(X(mat_csclip_list)(p.rows, m, rows, number[c], by, &want));
            if (X(mat_csclip_list)(p.there, m, rows, number[c], by, &got) == PSB_OK)
                check_result(want, got, p.there, !by || longest_row(p.rows) <= 1024);
            else {
                (void)psb_pop_errmsg(NULL, 0);
                psb_transfers_reset();
            }
        }
        psb_cuda_convert_from(before);
    }
}

/* --- patterns ------------------------------------------------------------------------------------------- */

/* The sum is that of the host, is kept while values change, and changes with the pattern. */
TEST(pattern_sums_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        BOTH p = put_on_both(conversion_sample(k), device_mold(_i));
        MAT *rows = NULL, *less = NULL;
        uint64_t want, got, other;
        if (!p.there)
            continue;
        const psb_epk before = begin_on_device();
        OK(X(mat_pattern_sum)(p.there, &got));
        ck_assert_int_eq(psb_transfers("CSR columns").gets + psb_transfers("HLL columns").gets, 0);
        psb_cuda_convert_from(NEVER);
        OK(X(mat_convert)(p.there, &X(csr_mold).mat, &rows));
        OK(X(mat_pattern_sum)(rows, &want));
        ck_assert(got == want);
        OK(X(mat_scal)(rows, 2));
        OK(X(mat_pattern_sum)(rows, &got));
        ck_assert(got == want);
        OK(X(mat_clip_diag)(rows, &less));
        OK(X(mat_pattern_sum)(less, &other));
        ck_assert((other == want) == (less->nnz == rows->nnz));
        X(mat_become)(rows, less);
        less = NULL;
        OK(X(mat_pattern_sum)(rows, &got));
        ck_assert(got == other);
        psb_cuda_convert_from(before);
    }
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* A matrix of the sizes of s with other entries: those of s moved by one column, some with values of 0. */
static struct X(coo_mat) *moved_by_one(const struct X(coo_mat) *s)
{
    struct X(coo_mat) *b = new_coo(s->mat.nrows, s->mat.ncols);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        coo_put(b, s->ia[k], s->ja[k] + (s->ia[k] % 3 == 0), k % 7 ? s->val[k] / 3 : -0.0);
    return b;
}

TEST(sums_on_device)
{
    static const double of[][2] = { { 1, 1 }, { 0, -2 }, { 0.3, 0 }, { -1, 1 } };
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        BOTH p = put_on_both(conversion_sample(k), device_mold(_i)),
             q = put_on_both(moved_by_one(p.s), &X(csrg_mold).mat);
        const bool merges = has_twice(p.rows) || has_twice(q.rows);
        if (!p.there)
            continue;
        for (int c = 0; c < 4; c++) {
            const T alpha = of[c][0], beta = of[c][1];
            MAT *want = NULL, *got = NULL;
            OK(X(mat_spaxpby)(alpha, p.rows, beta, q.rows, NULL, &want));
            const psb_epk before = begin_on_device();
            OK(X(mat_spaxpby)(alpha, p.there, beta, q.there, &X(csrg_mold).mat, &got));
            check_result(want, got, &X(csrg_mold).mat, !merges);
            psb_cuda_convert_from(before);
        }
    }
}

/* --- products ------------------------------------------------------------------------------------------- */

/* Other values in the pattern of a, also in its format of the device. */
static void change_values(struct both *p)
{
    OK(X(mat_scal)(p->rows, (T)-0.7));
    OK(X(mat_scal)(p->there, (T)-0.7));
}

static void check_again(struct both *p, struct both *q, struct X(mat) *got)
{
    MAT *want = NULL;
    change_values(p);
    OK(X(mat_spspmm)(p->rows, q->rows, &want));
    OK(X(mat_dev)(p->there)->storage->spspmm_again(p->there, q->there, got));
    ck_assert_int_eq(psb_transfers("CSR values").gets, 0);
    check_result(want, got, &X(csrg_mold).mat, 0);
}

static void check_spspmm(struct X(coo_mat) *a, const struct X(mat) *m, struct X(coo_mat) *b)
{
    BOTH p = put_on_both(a, m), q = put_on_both(b, &X(csrg_mold).mat);
    const bool merges = has_twice(q.rows);
    MAT *want = NULL, *got = NULL;
    if (!p.there)
        return;
    OK(X(mat_spspmm)(p.rows, q.rows, &want));
    const psb_epk before = begin_on_device();
    OK(X(mat_spspmm)(p.there, q.there, &got));
    if (merges) {
        MAT *on_device = convert_on_device(got, &X(csrg_mold).mat);
        check_result(want, on_device, &X(csrg_mold).mat, 0);
    } else {
        check_result(want, got, &X(csrg_mold).mat, 1);
        check_again(&p, &q, got);
    }
    psb_cuda_convert_from(before);
}

static struct X(coo_mat) *transposed_sample(int k)
{
    COO *s = conversion_sample(k);
    struct X(coo_mat) *t = new_coo(s->mat.ncols, s->mat.nrows);
    for (psb_epk e = 0; e < s->mat.nnz; e++)
        coo_put(t, s->ja[e], s->ia[e], s->val[e]);
    return t;
}

/* A times a matrix with the pattern of its transpose: rows in tables, some of them wide, or all. */
TEST(products_on_device)
{
    static const psb_epk widest[] = { 0, 3, 1 };
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        psb_product_choice = (struct psb_product_choice){ widest[k % 3] };
        check_spspmm(conversion_sample(k), device_mold(_i), transposed_sample(k));
    }
    psb_product_choice = (struct psb_product_choice){ 0 };
}

/* n x n: row i has entry k < length in column (7 i + b k) % n, or k < longest in one of `period` rows; b and
 * n have no common divisor. */
static struct X(coo_mat) *scattered(psb_ipk n, psb_ipk length, psb_ipk longest, psb_ipk period, psb_ipk b)
{
    struct X(coo_mat) *s = new_coo(n, n);
    struct rng r = { 5 };
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk k = 0; k < (i % period == 50 ? longest : length); k++)
            coo_put(s, i, (psb_ipk)((7LL * i + (long long)b * k) % n), random_scalar(&r));
    return s;
}

/* Rows of every class, up to hundreds of thousands of products in one. */
TEST(products_of_all_classes)
{
    static const psb_ipk longest[] = { 3, 7, 25, 60, 250, 600, 1500 };
    enum { N = 15013 };
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++)
        check_spspmm(scattered(N, 1, longest[i], 1000, 1), &X(csrg_mold).mat, scattered(N, 10, 12, 1000, 64));
    check_spspmm(scattered(N, 1, 15000, N, 1), &X(csrg_mold).mat, scattered(N, 10, 12, 1000, 4096));
}

/* c lacks an entry of the product. */
TEST(again_in_another_pattern)
{
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    for (int wide = 0; wide < 2; wide++) {
        BOTH p = put_on_both(scattered(101, 4, 4, 100, 1), &X(csrg_mold).mat);
        MAT *c = NULL, *l = NULL;
        psb_product_choice.widest = wide;
        OK(X(mat_spspmm)(p.there, p.there, &c));
        OK(X(mat_tril)(c, 0, NULL, &l, NULL));
        FAILS(X(mat_dev)(p.there)->storage->spspmm_again(p.there, p.there, l), PSB_ESTATE,
              "argument c lacks entries of the product");
    }
    psb_product_choice.widest = 0;
    BOTH p = put_on_both(scattered(101, 4, 4, 100, 1), &X(csrg_mold).mat),
         small = put_on_both(scattered(7, 2, 2, 100, 1), &X(csrg_mold).mat);
    FAILS(X(mat_dev)(p.there)->storage->spspmm_again(p.there, p.there, small.there), PSB_ESTATE,
          "argument c is 7 x 7; expected 101 x 101");
    psb_cuda_convert_from(before);
}

static void check_same_rows(struct X(mat) *want, struct X(mat) *got)
{
    MAT *rows = convert(got, &X(csr_mold).mat);
    check_same_arrays(want, rows);
}

/* --- smoothing matrices and aggregates ------------------------------------------------------------------ */

/* q->a is set: the matrix S on the host. */
static struct X(mat) *smoothing_on_host(struct X(smoothing) *q)
{
    HEAP psb_epk *ptr = malloc(((size_t)q->a.n + 1) * sizeof *ptr);
    struct X(mat) *s = NULL;
    q->s.ptr = ptr;
    X(smoothing_lengths)(q);
    OK(X(csr_make)(q->a.n, q->a.m, ptr[q->a.n], &s, &q->s));
    memcpy(q->s.ptr, ptr, ((size_t)q->a.n + 1) * sizeof *ptr);
    X(smoothing_pattern)(q);
    X(smoothing_values)(q);
    return s;
}

/* Row i of p0 has a one in column of[i], if that is not below 0. */
static void check_tentative(psb_ipk m, const psb_lpk *of, struct X(mat) *p0)
{
    struct X(compressed) l;
    MAT *made = NULL;
    OK(X(csr_view)(p0, &l, &made));
    ck_assert_int_eq(l.n, m);
    for (psb_ipk i = 0; i < m; i++) {
        ck_assert_int_eq(l.ptr[i + 1] - l.ptr[i], of[i] >= 0);
        if (of[i] >= 0)
            ck_assert(l.idx[l.ptr[i]] == of[i] && l.val[l.ptr[i]] == 1);
    }
}

TEST(aggregates_on_device)
{
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        BOTH p = put_on_both(conversion_sample(k), device_mold(_i));
        struct X(smoothing) q = { .theta = k % 3 ? 0.1 : 0, .omega = (R)0.625 };
        MAT *want = NULL, *got = NULL, *p0 = NULL, *made = NULL;
        struct psb_dual diag;
        psb_ipk n;
        T *d;
        const T *there;
        if (!p.there || p.rows->nrows != p.rows->ncols)
            continue;
        const psb_ipk m = p.rows->nrows;
        HEAP psb_lpk *of = malloc((3 * (size_t)m + 1) * sizeof *of);
        OK(psb_dual_init(&diag, (size_t)m, sizeof *d, p.there->on, "diagonal"));
        OK(psb_dual_write(&diag, PSB_HOST, &d));
        OK(X(mat_get_diag)(p.rows, d));
        for (psb_ipk i = 0; i < m; i++)
            d[i] = d[i] == 0 ? 1 : d[i];
        OK(X(csr_view)(p.rows, &q.a, &made));
        q.d = d;
        want = smoothing_on_host(&q);
        OK(X(aggregate_rows)(&q.s, NULL, of, &n));
        OK(psb_dual_read(&diag, PSB_DEV, &there));
        const struct X(mat_dev_storage) *by = X(mat_dev)(p.there)->storage;
        const psb_epk before = begin_on_device();
        const psb_err e = by->smoothing(p.there, there, q.theta, q.omega, &got);
        ck_assert(e == PSB_OK || (e == PSB_ENOTIMPL && !got));
        if (e == PSB_OK) {
            OK(by->aggregate(got, &p0));
            check_on_device_only(p0);
            ck_assert_int_eq(p0->ncols, n);
            check_result(want, got, &X(csrg_mold).mat, 1);
            check_tentative(m, of, p0);
            OK(X(mat_zero_vals)(got));
            OK(by->smoothing(p.there, there, 100, q.omega, &got));
            check_result(want, got, &X(csrg_mold).mat, 0);
        }
        psb_cuda_convert_from(before);
        psb_dual_free(&diag);
    }
}

TEST(algebra_allocation_fails)
{
    BOTH p = put_on_both(scattered(101, 5, 9, 100, 1), device_mold(_i)),
         q = put_on_both(scattered(101, 4, 4, 100, 3), &X(csrg_mold).mat);
    MAT *product = NULL, *sum = NULL, *transpose = NULL;
    if (!p.there)
        return;
    OK(X(mat_spspmm)(p.rows, q.rows, &product));
    OK(X(mat_spaxpby)(1, p.rows, 2, q.rows, NULL, &sum));
    OK(X(mat_transp)(p.rows, &transpose));
    const psb_epk before = psb_cuda_convert_from(ALWAYS);
    psb_product_choice.widest = 25;
    for (long n = 1; n < 60; n += ck_step(60)) {
        struct X(mat) *got[3] = { NULL };
        psb_alloc_fail_at(n);
        const psb_err e[] = { X(mat_spspmm)(p.there, q.there, &got[0]),
                              X(mat_spaxpby)(1, p.there, 2, q.there, NULL, &got[1]),
                              X(mat_transp)(p.there, &got[2]) };
        psb_alloc_fail_at(0);
        struct X(mat) *const want[] = { product, sum, transpose };
        for (int i = 0; i < 3; i++) {
            ck_assert(e[i] == PSB_OK || e[i] == PSB_ENOMEM || e[i] == PSB_EPADDING);
            ck_assert_int_eq(e[i] == PSB_OK, got[i] != NULL);
            if (e[i] != PSB_OK)
                (void)psb_pop_errmsg(NULL, 0);
            else
                check_same_rows(want[i], got[i]);
            X(mat_free)(got[i]);
        }
    }
    psb_product_choice.widest = 0;
    psb_cuda_convert_from(before);
}

/* --- colours -------------------------------------------------------------------------------------------- */

/* Graphs: rows joined to others of the list, in both directions; each row to itself if `loops`. */
static struct X(coo_mat) *graph_of(psb_ipk n, int neighbours, const psb_ipk *far, bool loops)
{
    struct X(coo_mat) *s = new_coo(n, n);
    for (psb_ipk i = 0; i < n; i++) {
        for (int k = 0; k < neighbours; k++) {
            if (i + far[k] >= n || (i * 7 + k) % 11 == 3)
                continue;
            coo_put(s, i, i + far[k], 1);
            coo_put(s, i + far[k], i, 0);
        }
        if (loops)
            coo_put(s, i, i, 2);
    }
    return s;
}

/* Serial greedy colours; returns their number. */
static psb_ipk greedy_colours_of(const struct X(compressed) *l, bool by_degree, psb_ipk *colour)
{
    psb_ipk most = 0;
    for (psb_ipk i = 0; i < l->n; i++)
        colour[i] = -1;
    for (psb_epk degree = by_degree ? l->n : 0; degree >= 0; degree--)
        for (psb_ipk i = 0; i < l->n; i++) {
            bool taken = !by_degree || l->ptr[i + 1] - l->ptr[i] == degree;
            for (psb_ipk c = 0; taken; c++) {
                taken = false;
                for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
                    taken |= colour[l->idx[k]] == c && l->idx[k] != i;
                if (!taken)
                    colour[i] = c;
            }
            most = colour[i] >= most ? colour[i] + 1 : most;
        }
    return most;
}

/* The couplings of n colours are those that are counted here, unless the device declines so many. */
static void check_couplings(struct X(mat) *there, const struct X(compressed) *l, const psb_ipk *colour,
                            const struct psb_dual *on_device, psb_ipk n)
{
    psb_lpk *want = calloc((size_t)n * (size_t)n + 1, sizeof *want),
            *got = calloc((size_t)n * (size_t)n + 1, sizeof *got);
    ck_assert(want && got);
    for (psb_ipk i = 0; i < l->n; i++)
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            want[colour[i] * n + colour[l->idx[k]]]++;
    const psb_err e = X(mat_dev)(there)->storage->couplings(there, on_device, n, got);
    ck_assert_int_eq(e, n > PSB_COUPLED ? PSB_ENOTIMPL : PSB_OK);
    for (psb_ipk k = 0; k < n * n && e == PSB_OK; k++)
        ck_assert_int_eq(got[k], want[k]);
    free(want);
    free(got);
}

/* least: rows that a clique has, at least. */
static void check_colours(struct X(coo_mat) *s, psb_ipk least)
{
    BOTH p = put_on_both(s, &X(csrg_mold).mat);
    struct X(compressed) l;
    struct X(mat) *none;
    psb_ipk *want = malloc(((size_t)p.rows->nrows + 1) * sizeof *want);
    ck_assert_ptr_nonnull(want);
    OK(X(csr_view)(p.rows, &l, &none));
    const psb_epk before = begin_on_device();
    for (int by = 0; by < 2; by++) {
        struct psb_dual colour = { 0 };
        psb_ipk n[2] = { -2, -2 };
        const psb_ipk *got;
        OK(X(mat_dev)(p.there)->storage->colours(p.there, by, &colour, n));
        ck_assert_int_eq(n[0], greedy_colours_of(&l, by, want));
        ck_assert_int_eq(n[1], psb_clique(l.n, l.ptr, l.idx));
        ck_assert(least <= n[1] && n[1] <= n[0]);
        OK(psb_dual_read(&colour, PSB_HOST, &got));
        for (psb_ipk i = 0; i < l.n; i++)
            ck_assert_int_eq(got[i], want[i]);
        check_couplings(p.there, &l, want, &colour, n[0]);
        psb_dual_free(&colour);
    }
    psb_cuda_convert_from(before);
    free(want);
}

/* Chains, grids, more than 64 and 128 colours, rows of a few entries and of many. */
TEST(colours_on_device)
{
    enum { MANY = 150 };
    static const psb_ipk chain[] = { 1 }, grid[] = { 1, 20, 400 }, apart[] = { 3, 64, 200 };
    psb_ipk all[MANY];
    for (psb_ipk k = 0; k < MANY; k++)
        all[k] = k + 1;
    check_colours(graph_of(1000, 1, chain, true), 2);
    check_colours(graph_of(4000, 3, grid, true), 2);
    check_colours(graph_of(999, 3, apart, false), 1);
    check_colours(graph_of(300, 20, all, true), 8);
    check_colours(graph_of(300, MANY, all, true), 16);
    check_colours(graph_of(1, 0, all, false), 1);
    struct X(coo_mat) *full = new_coo(MANY, MANY);
    for (psb_ipk i = 0; i < MANY; i++)
        for (psb_ipk j = 0; j < MANY; j++)
            coo_put(full, i, j, 1);
    check_colours(full, 64);
}

TEST(colours_need_both_directions)
{
    BOTH p = put_on_both(scattered(101, 4, 4, 100, 1), &X(csrg_mold).mat);
    struct psb_dual colour = { 0 };
    psb_ipk n[2] = { 0 };
    const psb_epk before = begin_on_device();
    OK(X(mat_dev)(p.there)->storage->colours(p.there, false, &colour, n));
    ck_assert_int_eq(n[0], -1);
    psb_dual_free(&colour);
    psb_cuda_convert_from(before);
}

/* --- thresholds and Kronecker products ------------------------------------------------------------------ */

TEST(thresholds_on_device)
{
    static const struct {
        enum psb_prune rule;
        double t;
    } of[] = { { PSB_PRUNE_VALUE, 0 },      { PSB_PRUNE_VALUE, 0.5 }, { PSB_PRUNE_VALUE, INFINITY },
               { PSB_PRUNE_SHARE, 0 },      { PSB_PRUNE_SHARE, 40 },  { PSB_PRUNE_SHARE, 100 },
               { PSB_PRUNE_COUNT, 0 },      { PSB_PRUNE_COUNT, 1 },   { PSB_PRUNE_COUNT, 3 },
               { PSB_PRUNE_COUNT, 1e6 },    { PSB_PRUNE_ROW, 0.4 },   { PSB_PRUNE_ROW, 0 },
               { PSB_PRUNE_DIAGONAL, 0.6 }, { PSB_PRUNE_DIAGONAL, 0 } };
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        COO *s = conversion_sample(k);
        struct X(coo_mat) *equal = new_coo(s->mat.nrows, s->mat.ncols);
        for (psb_epk e = 0; e < s->mat.nnz; e++) /* many equal moduli, some NaNs */
            coo_put(equal, s->ia[e], s->ja[e],
                    e % 97 == 5 ? (T)NAN
                    : e % 3     ? (T)(e % 5 - 2.0) / 2
                                : s->val[e]);
        BOTH p = put_on_both(equal, device_mold(_i));
        if (!p.there)
            continue;
        for (size_t q = 0; q < 2 * sizeof of / sizeof *of; q++) {
            MAT *want = NULL, *got = NULL;
            OK(X(mat_clone)(p.rows, &want));
            OK(X(mat_prune)(want, of[q / 2].rule, (R)of[q / 2].t, q % 2));
            const psb_epk before = begin_on_device();
            OK(X(mat_clone)(p.there, &got));
            if (X(mat_prune)(got, of[q / 2].rule, (R)of[q / 2].t, q % 2) == PSB_OK)
                check_result(want, got, p.there, !CPLX);
            else
                (void)psb_pop_errmsg(NULL, 0);
            psb_cuda_convert_from(before);
        }
    }
}

TEST(blocks_on_device)
{
    const T block[] = { (T)0.5, -2, 0, (T)1.25, MAKE(3, 1), -1 };
    for (int k = ZOO - 1; k >= 0; k -= ck_step(ZOO)) {
        BOTH p = put_on_both(conversion_sample(k), device_mold(_i));
        if (!p.there)
            continue;
        for (psb_ipk m = 1; m < 4; m++) {
            MAT *want = NULL, *got = NULL;
            OK(X(mat_kron)(p.rows, m, 6 / m, block, &want));
            const psb_epk before = begin_on_device();
            if (X(mat_kron)(p.there, m, 6 / m, block, &got) == PSB_OK)
                check_result(want, got, p.there, !has_twice(p.rows));
            else
                (void)psb_pop_errmsg(NULL, 0);
            psb_cuda_convert_from(before);
        }
    }
}

void add_algebra_on_device(TCase *t, TCase *once)
{
    ck_add_loop_tests(t, CONVERTED, transposes_on_device, parts_on_device, selections_on_device,
                      pattern_sums_on_device, sums_on_device, products_on_device, thresholds_on_device,
                      blocks_on_device, aggregates_on_device, algebra_allocation_fails);
    ck_add_tests(once, products_of_all_classes, again_in_another_pattern, colours_on_device,
                 colours_need_both_directions);
}
