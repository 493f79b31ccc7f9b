/* check_factor.c -- room: test.  Incomplete factors of a local matrix. */
#include "suites.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "psb_alloc.h"
#include "psb_cuda.h"
#include "ldu.h"
#include "psb_linsolve.h"
#include "sample.h"

enum { MOST_ROWS = 40 };

static psb_ctxt *ctxt;
static int me;

/* A dense copy of factors or of a matrix, by rows. */
typedef T square[MOST_ROWS * MOST_ROWS];

/* --- matrices ------------------------------------------------------------------------------------------- */

/* A random matrix of n rows with a dominant diagonal; `hermitian`: with a Hermitian pattern and values, and a
 * real diagonal. */
static struct X(mat) *dominant(psb_ipk n, int hermitian, uint64_t seed)
{
    struct rng r = { seed };
    struct X(mat) *a;
    OK(X(mat_all)(n, n, 0, &a));
    for (psb_ipk i = 0; i < n; i++) {
        const T d = MAKE(n, hermitian ? 0 : 1);
        OK(X(mat_csput)(a, 1, &i, &i, &d, PSB_DUPL_ADD));
        for (psb_ipk j = 0; j < i; j++) {
            const T v = random_scalar(&r), w = hermitian ? CONJ(v) : random_scalar(&r);
            if (rng_below(&r, 4))
                continue;
            OK(X(mat_csput)(a, 1, &i, &j, &v, PSB_DUPL_ADD));
            if (hermitian || rng_below(&r, 3))
                OK(X(mat_csput)(a, 1, &j, &i, &w, PSB_DUPL_ADD));
        }
    }
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    struct X(mat) *csr = convert(a, &X(csr_mold).mat);
    X(mat_free)(a);
    return csr;
}

/* d = the entries of a; stored[...] = 1 for those stored, unless it is NULL. */
static void dense_copy(const struct X(mat) *a, T *d, char *stored)
{
    const psb_ipk n = X(mat_get_nrows)(a);
    struct X(compressed) l;
    struct X(mat) *made;
    OK(X(mat_full_rows)(a, &l, &made));
    memset(d, 0, sizeof(square));
    for (psb_ipk i = 0; i < n; i++)
        for (psb_epk k = l.ptr[i]; k < l.ptr[i + 1]; k++) {
            d[i * n + l.idx[k]] += l.val[k];
            if (stored)
                stored[i * n + l.idx[k]] = 1;
        }
    X(mat_free)(made);
}

/* p = L D U. */
static void dense_product(const struct X(factor) *f, T *p)
{
    square l, u;
    const psb_ipk n = f->n;
    const T *inv;
    OK(X(host_read)(f->inv, &inv));
    dense_copy(f->l, l, NULL);
    if (f->u)
        dense_copy(f->u, u, NULL);
    for (psb_ipk i = 0; i < n && !f->u; i++)
        for (psb_ipk j = 0; j < n; j++)
            u[i * n + j] = CONJ(l[j * n + i]);
    memset(p, 0, sizeof(square));
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk k = 0; k < n; k++)
            for (psb_ipk j = 0; j < n; j++)
                p[i * n + j] += l[i * n + k] / inv[k] * u[k * n + j];
}

static struct X(factor) *factors_with(const struct X(mat) *a, struct psb_factor_options o)
{
    struct X(factor) *f = NULL;
    OK(X(factor_bld)(a, &o, NULL, NULL, NULL, &f));
    return f;
}

/* Defaults, with one level of fill for ILU(k), one more entry for ILUT, and blocks of three rows. */
static struct psb_factor_options options_of(enum psb_factor_kind kind)
{
    struct psb_factor_options o = psb_factor_defaults;
    o.kind = kind;
    o.fill = 1;
    o.block = 3;
    return o;
}

static struct X(factor) *factors(const struct X(mat) *a, enum psb_factor_kind kind)
{
    return factors_with(a, options_of(kind));
}

static int is_cholesky(enum psb_factor_kind kind)
{
    return kind == PSB_IC0 || kind == PSB_BIC0;
}

static double bound(psb_ipk n)
{
    return 50 * n * n * (double)EPS;
}

/* --- factors -------------------------------------------------------------------------------------------- */

/* Check that L D U is A where A, or a full matrix if `all`, has an entry. */
static void check_product(const struct X(mat) *a, const struct X(factor) *f, int all)
{
    const psb_ipk n = f->n;
    char stored[MOST_ROWS * MOST_ROWS] = { 0 };
    square d, p;
    dense_copy(a, d, stored);
    dense_product(f, p);
    for (psb_ipk k = 0; k < n * n; k++)
        ck_assert_msg(!(all || stored[k]) || ABS(p[k] - d[k]) <= bound(n), "%s, n %d, (%d, %d): %g off",
                      psb_factor_name(f->options.kind), n, k / n, k % n, (double)ABS(p[k] - d[k]));
}

/* ILU(0), ILU(k), IC(0) and the kinds of blocks reproduce A on its pattern. */
START_TEST(exact_on_the_pattern)
    {
        static const enum psb_factor_kind kind[] = { PSB_ILU0, PSB_ILUK, PSB_IC0, PSB_BILU0, PSB_BIC0 };
        const psb_ipk n = 1 + 3 * (_i % 13);
        struct X(mat) *a = dominant(n, is_cholesky(kind[_i / 13]), (uint64_t)_i + 1);
        struct X(factor) *f = factors(a, kind[_i / 13]);
        check_product(a, f, 0);
        if (kind[_i / 13] == PSB_ILU0)
            ck_assert_int_eq(X(factor_nnz)(f), X(mat_get_nzeros)(a));
        ck_assert(X(factor_bytes)(f) >= (size_t)X(factor_nnz)(f) * sizeof(T));
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* With enough fill, and with blocks as large as the matrix, factors are exact. */
START_TEST(exact_with_fill)
    {
        static const struct psb_factor_options exact[] = {
            { .kind = PSB_ILUK, .fill = MOST_ROWS, .block = 1 },
            { .kind = PSB_ILUK, .fill = INT_MAX, .block = 1 },
            { .kind = PSB_ILUT, .fill = MOST_ROWS, .block = 1 },
            { .kind = PSB_BILU0, .block = 32 },
            { .kind = PSB_BIC0, .block = 32 },
        };
        const psb_ipk n = _i % 3 ? 31 : 32;
        const struct psb_factor_options o = exact[_i / 3];
        struct X(mat) *a = dominant(n, is_cholesky(o.kind), (uint64_t)_i + 1);
        struct X(factor) *f = factors_with(a, o);
        check_product(a, f, 1);
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* Two factors with the same bits. */
static void check_same(const struct X(factor) *f, const struct X(factor) *g)
{
    square p, q;
    dense_copy(f->l, p, NULL);
    dense_copy(g->l, q, NULL);
    ck_assert(memcmp(p, q, (size_t)(f->n * f->n) * sizeof *p) == 0);
    dense_product(f, p);
    dense_product(g, q);
    ck_assert(memcmp(p, q, (size_t)(f->n * f->n) * sizeof *p) == 0);
    ck_assert_int_eq(X(factor_nnz)(f), X(factor_nnz)(g));
}

/* ILU(0) by levels, and both kinds with blocks of one row. */
START_TEST(kinds_that_agree)
    {
        struct psb_factor_options same[] = {
            { .kind = PSB_ILUK, .fill = 0, .block = 1 },
            { .kind = PSB_BILU0, .block = 1 },
            { .kind = PSB_BIC0, .block = 1 },
        };
        struct X(mat) *a = dominant(29, is_cholesky(same[_i].kind), 4);
        struct X(factor) *f = factors_with(a, same[_i]),
                         *g = factors(a, is_cholesky(same[_i].kind) ? PSB_IC0 : PSB_ILU0);
        check_same(f, g);
        X(factor_free)(f);
        X(factor_free)(g);
        X(mat_free)(a);
    }
END_TEST

/* MILU(0) keeps the sums of rows. */
START_TEST(milu0_row_sums)
    {
        const psb_ipk n = 2 + 3 * _i;
        struct X(mat) *a = dominant(n, 0, (uint64_t)_i + 7);
        struct X(factor) *f = factors(a, PSB_MILU0);
        square d, p;
        dense_copy(a, d, NULL);
        dense_product(f, p);
        for (psb_ipk i = 0; i < n; i++) {
            T of_a = 0, of_p = 0;
            for (psb_ipk j = 0; j < n; j++) {
                of_a += d[i * n + j];
                of_p += p[i * n + j];
            }
            ck_assert(ABS(of_a - of_p) <= bound(n));
        }
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* stored[...] = 1 where L, D or U has an entry. */
static void factor_pattern(const struct X(factor) *f, char *stored)
{
    square d;
    memset(stored, 0, MOST_ROWS * MOST_ROWS);
    dense_copy(f->l, d, stored);
    if (f->u)
        dense_copy(f->u, d, stored);
}

/* The pattern of ILU(k) by the definition of levels. */
START_TEST(levels_of_fill)
    {
        enum { N = 25 };
        const int k = _i % 5;
        struct X(mat) *a = dominant(N, 0, (uint64_t)_i + 1);
        struct psb_factor_options o = { .kind = PSB_ILUK, .fill = k, .block = 1 };
        struct X(factor) *f = factors_with(a, o);
        char in_a[MOST_ROWS * MOST_ROWS] = { 0 }, in_f[MOST_ROWS * MOST_ROWS];
        int level[N][N], most = 0;
        square d;
        dense_copy(a, d, in_a);
        factor_pattern(f, in_f);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++)
                level[i][j] = in_a[i * N + j] ? 0 : 1000;
            for (int c = 0; c < i; c++)
                for (int j = c + 1; j < N; j++)
                    if (level[i][c] + level[c][j] + 1 < level[i][j])
                        level[i][j] = level[i][c] + level[c][j] + 1;
            for (int j = 0; j < N; j++) {
                ck_assert_int_eq(in_f[i * N + j], level[i][j] <= k);
                most = level[i][j] < 1000 && level[i][j] > most ? level[i][j] : most;
            }
        }
        ck_assert_int_gt(most, 1);
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* Keep the `most` largest of the elements first .. end-1 of w that are in `in`, none below `drop`. */
static void keep_largest(const T *w, char *in, int first, int end, int most, R drop)
{
    char kept[MOST_ROWS] = { 0 };
    for (; most > 0; most--) {
        int best = -1;
        for (int j = first; j < end; j++)
            if (in[j] && !kept[j] && ABS(w[j]) >= drop && (best < 0 || ABS(w[j]) > ABS(w[best])))
                best = j;
        if (best < 0)
            break;
        kept[best] = 1;
    }
    memcpy(in + first, kept + first, (size_t)(end - first));
}

/* One row of a dense ILUT: w and `in` hold the row i of A, then those of L, D and D U. */
static void dense_ilut_row(int n, int i, const struct psb_factor_options *o, const T *lu, const char *lu_in,
                           T *w, char *in)
{
    int left = 0, right = 0;
    R sum = 0;
    for (int j = 0; j < n; j++) {
        sum += ABS(w[j]) * ABS(w[j]);
        left += in[j] && j < i;
        right += in[j] && j > i;
    }
    const R drop = (R)o->drop * (R)sqrt((double)sum);
    for (int c = 0; c < i; c++) {
        const T m = w[c] / lu[c * n + c];
        in[c] = in[c] && ABS(m) >= drop;
        for (int j = c + 1; j < n && in[c]; j++)
            if (lu_in[c * n + j]) {
                w[j] -= m * lu[c * n + j];
                in[j] = 1;
            }
        w[c] = m;
    }
    keep_largest(w, in, 0, i, left + o->fill, drop);
    keep_largest(w, in, i + 1, n, right + o->fill, drop);
    for (int j = 0; j < n; j++)
        w[j] = in[j] ? w[j] : 0;
}

START_TEST(fill_by_size)
    {
        static const struct psb_factor_options cases[] = {
            { .kind = PSB_ILUT, .block = 1 },
            { .kind = PSB_ILUT, .block = 1, .drop = 0.003 },
            { .kind = PSB_ILUT, .block = 1, .fill = 2, .drop = 1e-4 },
            { .kind = PSB_ILUT, .block = 1, .fill = 3 },
            { .kind = PSB_ILUT, .block = 1, .fill = 40, .drop = 0.01 },
            { .kind = PSB_ILUT, .block = 1, .fill = 40, .drop = 1 },
        };
        enum { N = 25 };
        struct X(mat) *a = dominant(N, 0, (uint64_t)_i + 1);
        struct X(factor) *f = factors_with(a, cases[_i / 3]);
        char in[MOST_ROWS * MOST_ROWS] = { 0 }, in_f[MOST_ROWS * MOST_ROWS];
        square lu, want, got;
        dense_copy(a, lu, in);
        for (int i = 0; i < N; i++)
            dense_ilut_row(N, i, &cases[_i / 3], lu, in, lu + i * N, in + i * N);
        factor_pattern(f, in_f);
        ck_assert(memcmp(in, in_f, N * N) == 0);
        memset(want, 0, sizeof want);
        for (int i = 0; i < N; i++)
            for (int c = 0; c <= i; c++)
                for (int j = c; j < N; j++)
                    want[i * N + j] += (c < i ? lu[i * N + c] : 1) * lu[c * N + j];
        dense_product(f, got);
        for (int k = 0; k < N * N; k++)
            ck_assert(ABS(got[k] - want[k]) <= bound(N));
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* The kinds of Cholesky do not read the upper triangle. */
START_TEST(lower_triangle_only)
    {
        const enum psb_factor_kind kind = _i ? PSB_BIC0 : PSB_IC0;
        struct X(mat) *a = dominant(20, 1, 8), *lower = NULL;
        OK(X(mat_tril)(a, 0, NULL, &lower, NULL));
        OK(X(mat_set_triangle)(lower, 0));
        struct X(factor) *f = factors(a, kind), *g = factors(lower, kind);
        check_same(f, g);
        X(factor_free)(f);
        X(factor_free)(g);
        X(mat_free)(a);
        X(mat_free)(lower);
    }
END_TEST

/* --- solves --------------------------------------------------------------------------------------------- */

/* Check op(P) y = x for the first n rows and all columns. */
static void check_solution(const T *p, psb_ipk n, const struct X(vect) *x, const struct X(vect) *y, char op)
{
    const T *px, *py;
    const int k = x->ncols;
    OK(X(host_read)(x, &px));
    OK(X(host_read)(y, &py));
    for (int c = 0; c < k; c++)
        for (psb_ipk i = 0; i < n; i++) {
            T sum = 0;
            for (psb_ipk j = 0; j < n; j++) {
                const T v = op == 'N' ? p[i * n + j] : p[j * n + i];
                sum += (op == 'C' ? CONJ(v) : v) * py[j * k + c];
            }
            ck_assert_msg(ABS(sum - px[i * k + c]) <= 10 * bound(n), "op %c, row %d: %g", op, i,
                          (double)ABS(sum - px[i * k + c]));
        }
}

/* Exact solves, and as many sweeps as there are rows, for every op, 1 and 3 columns, in and out of place, on
 * vectors with more rows than the factors. */
START_TEST(solves)
    {
        const enum psb_factor_kind kind = (enum psb_factor_kind)(_i % PSB_NFACTORS);
        const int k = _i / PSB_NFACTORS % 2 ? 3 : 1, sweeps = _i / PSB_NFACTORS / 2 % 2,
                  in_place = _i / PSB_NFACTORS / 4;
        const psb_ipk n = 17, more = 4;
        struct X(mat) *a = dominant(n, is_cholesky(kind), 5);
        struct X(factor) *f = factors(a, kind);
        struct X(vect) *x = NULL, *y = NULL;
        T b[(17 + 4) * 3];
        square p;
        dense_product(f, p);
        random_vector((n + more) * k, b, 3);
        OK(X(vect_bld)(&x, n + more, k, b, NULL));
        OK(X(vect_bld)(&y, n + more, k, b, NULL));
        for (const char *op = op_codes; *op; op++) {
            const T *v;
            OK(X(set_vect)(y, n + more, b));
            OK(X(factor_solve)(f, in_place ? y : x, y, *op, sweeps ? n : 0));
            check_solution(p, n, x, y, *op);
            OK(X(host_read)(y, &v));
            for (psb_ipk i = n * k; i < (n + more) * k; i++)
                ck_assert(v[i] == b[i]);
        }
        X(gefree)(x);
        X(gefree)(y);
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* Check that f and g, of n rows, give the same solutions but for rounding errors, by every op. */
static void check_same_solutions(const struct X(factor) *f, const struct X(factor) *g,
                                 const struct psb_vmold *place, int sweeps)
{
    const psb_ipk n = f->n;
    struct X(vect) *x = NULL, *y = NULL, *z = NULL;
    T b[2 * MOST_ROWS];
    random_vector(2 * n, b, 9);
    OK(X(vect_bld)(&x, n, 2, b, place));
    OK(X(vect_new_n)(&y, n, 2, NULL));
    OK(X(vect_new_n)(&z, n, 2, place));
    for (const char *op = op_codes; *op; op++) {
        const T *py, *pz;
        OK(X(factor_solve)(f, x, y, *op, sweeps));
        OK(X(factor_solve)(g, x, z, *op, sweeps));
        OK(X(host_read)(y, &py));
        OK(X(host_read)(z, &pz));
        for (psb_ipk i = 0; i < 2 * n; i++)
            ck_assert_msg(ABS(py[i] - pz[i]) <= bound(n), "%s, op %c: element %d", X(mat_get_fmt)(g->l), *op,
                          i);
    }
    X(gefree)(x);
    X(gefree)(y);
    X(gefree)(z);
}

/* Factors in every format, of the host and the device, solve and are renewed as those in CSR. */
START_TEST(every_format)
    {
        const enum psb_factor_kind kind = (enum psb_factor_kind)_i;
        const struct psb_factor_options o = options_of(kind);
        const struct X(mat) *mold;
        struct X(mat) *a = dominant(20, is_cholesky(kind), 21);
        int formats = 0;
        for (int i = 0; (mold = X(mat_format)(i)); i++) {
            struct X(factor) *f = factors(a, kind), *g = NULL;
            psb_err e = X(factor_bld)(a, &o, NULL, mold, &psb_vect_cuda, &g);
            ck_assert(e == PSB_OK || e == PSB_EPADDING);
            if (e == PSB_OK) {
                check_same_solutions(f, g, &psb_vect_cuda, i % 3);
                OK(X(mat_scal)(a, 2));
                OK(X(factor_renew)(f, a, NULL));
                OK(X(factor_renew)(g, a, NULL));
                ck_assert_str_eq(X(mat_get_fmt)(g->l), X(mat_get_fmt)(mold));
                check_same_solutions(f, g, &psb_vect_cuda, 0);
                OK(X(factor_renew)(g, a, NULL));
                check_same_solutions(f, g, NULL, 1);
                formats++;
            }
            X(factor_free)(f);
            X(factor_free)(g);
        }
        ck_assert_int_gt(formats, 5);
        X(mat_free)(a);
    }
END_TEST

/* --- new values ----------------------------------------------------------------------------------------- */

START_TEST(renewal)
    {
        const enum psb_factor_kind kind = (enum psb_factor_kind)_i;
        struct X(mat) *a = dominant(20, is_cholesky(kind), 11), *b = dominant(20, 0, 12),
                      *c = dominant(21, 0, 11);
        struct X(factor) *f = factors(a, kind), *g;
        OK(X(mat_scal)(a, 3));
        g = factors(a, kind);
        if (kind == PSB_ILUT)
            OK(X(factor_renew)(f, b, NULL));
        else
            FAILS(X(factor_renew)(f, b, NULL), PSB_EARG, "another pattern");
        OK(X(factor_renew)(f, a, NULL));
        check_same(f, g);
        FAILS(X(factor_renew)(f, c, NULL), PSB_EARG, "argument a has 21 rows; expected the 20");
        OK(X(mat_scal)(a, 0));
        FAILS(X(factor_renew)(f, a, NULL), PSB_EPIVOT, "row 0 has the pivot 0");
        check_same(f, g);
        X(factor_free)(f);
        X(factor_free)(g);
        X(mat_free)(a);
        X(mat_free)(b);
        X(mat_free)(c);
    }
END_TEST

/* --- sweeps --------------------------------------------------------------------------------------------- */

/* The largest difference of the products L D U of f and g. */
static double distance(const struct X(factor) *f, const struct X(factor) *g)
{
    square p, q;
    double most = 0;
    dense_product(f, p);
    dense_product(g, q);
    for (psb_ipk k = 0; k < f->n * f->n; k++)
        most = ABS(p[k] - q[k]) > most ? (double)ABS(p[k] - q[k]) : most;
    return most;
}

/* The error of sweeps decreases, and is 0 after as many as there are rows; renewals repeat them. */
START_TEST(sweeps_of_factors)
    {
        static const enum psb_factor_kind kind[] = { PSB_ILU0, PSB_ILUK, PSB_IC0, PSB_BILU0, PSB_BIC0 };
        enum { N = 32 };
        struct psb_factor_options o = options_of(kind[_i]);
        struct X(mat) *a = dominant(N, is_cholesky(o.kind), 17);
        struct X(factor) *exact = factors_with(a, o);
        double before = INFINITY;
        for (o.sweeps = 1; o.sweeps <= N; o.sweeps *= 2) {
            struct X(factor) *f = factors_with(a, o);
            const double now = distance(f, exact);
            ck_assert_msg(now <= before / 4, "%d sweeps: %g, before %g", o.sweeps, now, before);
            before = now > bound(N) ? now : 4 * bound(N);
            if (o.sweeps == N)
                check_same(f, exact);
            struct X(factor) *g = factors_with(a, o);
            OK(X(factor_renew)(g, a, NULL));
            check_same(f, g);
            X(factor_free)(f);
            X(factor_free)(g);
        }
        X(factor_free)(exact);
        X(mat_free)(a);
    }
END_TEST

START_TEST(kinds_without_sweeps)
    {
        struct psb_factor_options o = options_of(_i ? PSB_MILU0 : PSB_ILUT);
        struct X(mat) *a = dominant(4, 0, 17);
        struct X(factor) *f = NULL;
        o.sweeps = 2;
        FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EARG,
              "option factor_sweeps is 2; expected 0 for");
        o.sweeps = -1;
        FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EARG, "option factor_sweeps is -1");
        X(mat_free)(a);
    }
END_TEST

/* --- pivots --------------------------------------------------------------------------------------------- */

/* The matrix of three rows [2 1 0; 4 d 1; 0 1 3], without its entry (1, 1) if `missing`.  Its second pivot is
 * d - 2. */
static struct X(mat) *three_rows(T d, int missing)
{
    const psb_ipk ia[] = { 0, 0, 1, 1, 2, 2, 1 }, ja[] = { 0, 1, 0, 2, 1, 2, 1 };
    const T val[] = { 2, 1, 4, 1, 1, 3, d };
    struct X(mat) *a, *csr;
    OK(X(mat_all)(3, 3, 7, &a));
    OK(X(mat_csput)(a, missing ? 6 : 7, ia, ja, val, PSB_DUPL_ADD));
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    csr = convert(a, &X(csr_mold).mat);
    X(mat_free)(a);
    return csr;
}

static void check_second_pivot(const struct X(factor) *f, double want)
{
    const T *inv;
    OK(X(host_read)(f->inv, &inv));
    ck_assert(ABS(inv[1] - (T)(1 / want)) <= 10 * EPS / (R)want);
}

START_TEST(pivots)
    {
        static const struct {
            double d;
            int missing;
            double tiny;
            const char *message;
            psb_epk boosted;
        } cases[] = {
            { 2, 0, 0, "row 1 has the pivot 0; expected another one", 0 },
            { 2, 0, 0.1, NULL, 1 },
            { 2.25, 0, 0.1, NULL, 1 },
            { 2.75, 0, 0.1, NULL, 0 },
            { 2.25, 0, 0, NULL, 0 },
            { NAN, 0, 0, "row 1 has a pivot of modulus", 0 },
            { NAN, 0, 0.1, "row 1 has a pivot of modulus", 0 },
            { INFINITY, 0, 0.1, "row 1 has a pivot of modulus inf", 0 },
            { 0, 1, 0, "row 1 has no entry on the diagonal", 0 },
            { 0, 1, 0.1, "row 1 has no entry on the diagonal", 0 },
        };
        struct X(mat) *a = three_rows((T)cases[_i].d, cases[_i].missing);
        struct psb_factor_options o = psb_factor_defaults;
        struct X(factor) *f = NULL;
        o.tiny = cases[_i].tiny;
        if (cases[_i].message) {
            FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EPIVOT, cases[_i].message);
            ck_assert_ptr_null(f);
        } else {
            OK(X(factor_bld)(a, &o, NULL, NULL, NULL, &f));
            ck_assert_int_eq(X(factor_boosted)(f), cases[_i].boosted);
            check_second_pivot(f, cases[_i].boosted ? 0.1 * 4 : cases[_i].d - 2);
        }
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

/* The Hermitian matrix of two rows [4 2; 2 d], whose second pivot is d - 1. */
START_TEST(cholesky_pivots)
    {
        static const struct {
            double re, im, tiny;
            const char *message;
            psb_epk boosted;
        } cases[] = {
            { 2, 0, 0, NULL, 0 },
            { 1, 0, 0, "row 1 has the pivot 0; expected a positive one: the matrix is not positive definite",
              0 },
            { 0.5, 0, 0, "row 1 has the pivot -0.5; expected a positive one", 0 },
            { 1, 0, 0.01, NULL, 1 },
            { 1 - 1e-3, 0, 0.01, NULL, 1 },
            { 0.5, 0, 0.01, "row 1 has the pivot -0.5; expected a positive one", 0 },
            { NAN, 0, 0.01, "row 1 has the pivot nan; expected finite numbers", 0 },
            { INFINITY, 0, 0, "row 1 has the pivot inf; expected finite numbers", 0 },
            { 2, 1e-3, 0.01, "row 1 has a diagonal entry with imaginary part 0.001", 0 },
        };
        const psb_ipk ia[] = { 0, 0, 1, 1 }, ja[] = { 0, 1, 0, 1 };
        const T val[] = { 4, 2, 2, MAKE(cases[_i].re, cases[_i].im) };
        const int is_error = cases[_i].message && (CPLX || cases[_i].im == 0);
        struct psb_factor_options o = { .kind = PSB_IC0, .block = 1, .tiny = cases[_i].tiny };
        for (; o.kind <= PSB_BIC0; o.kind += PSB_BIC0 - PSB_IC0) {
            struct X(mat) *a;
            struct X(factor) *f = NULL;
            OK(X(mat_all)(2, 2, 4, &a));
            OK(X(mat_csput)(a, 4, ia, ja, val, PSB_DUPL_ADD));
            OK(X(mat_asb)(a, PSB_DUPL_ADD));
            if (is_error)
                FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EPIVOT, cases[_i].message);
            else
                OK(X(factor_bld)(a, &o, NULL, NULL, NULL, &f));
            if (f)
                check_second_pivot(f, cases[_i].boosted ? 0.01 * 2 : cases[_i].re - 1);
            ck_assert_int_eq(X(factor_boosted)(f), cases[_i].boosted);
            X(factor_free)(f);
            X(mat_free)(a);
        }
    }
END_TEST

/* A row without entries has no pivot for any kind, also if pivots are replaced; messages name its global
 * number. */
START_TEST(global_rows)
    {
        const psb_lpk order[] = { 3, 1, 2, 0 };
        const psb_ipk ia[] = { 0, 1, 2 };
        const T val[] = { 1, 2, 3 };
        struct psb_factor_options o = options_of((enum psb_factor_kind)(_i / 2));
        struct X(factor) *f = NULL;
        struct X(mat) *a;
        psb_desc *rows;
        char where[10];
        o.tiny = _i % 2 ? 0.1 : 0;
        OK(psb_cdall_vl(&rows, ctxt, me == 0 ? 4 : 0, order));
        OK(psb_cdasb(rows));
        OK(X(mat_all)(4, 4, 3, &a));
        OK(X(mat_csput)(a, 3, ia, ia, val, PSB_DUPL_ADD));
        OK(X(mat_asb)(a, PSB_DUPL_ADD));
        snprintf(where, sizeof where, "row %d has", me == 0 ? 0 : 3);
        FAILS(X(factor_bld)(a, &o, rows, NULL, NULL, &f), PSB_EPIVOT, where);
        FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EPIVOT, "row 3 has");
        ck_assert_ptr_null(f);
        psb_cdfree(rows);
        X(mat_free)(a);
    }
END_TEST

/* Boosts are counted anew by a renewal; one that fails leaves the count. */
START_TEST(boosts_of_renewals)
    {
        struct psb_factor_options o = psb_factor_defaults;
        struct X(mat) *none = three_rows(2, 0), *one = three_rows(5, 0), *bad = three_rows((T)NAN, 0);
        o.tiny = 0.1;
        struct X(factor) *f = factors_with(none, o);
        ck_assert_int_eq(X(factor_boosted)(f), 1);
        OK(X(factor_renew)(f, one, NULL));
        ck_assert_int_eq(X(factor_boosted)(f), 0);
        OK(X(factor_renew)(f, none, NULL));
        FAILS(X(factor_renew)(f, bad, NULL), PSB_EPIVOT, "row 1 has a pivot of modulus nan");
        ck_assert_int_eq(X(factor_boosted)(f), 1);
        X(factor_free)(f);
        X(mat_free)(none);
        X(mat_free)(one);
        X(mat_free)(bad);
    }
END_TEST

/* --- on a device ---------------------------------------------------------------------------------------- */

/* The matrix of a in the format of mold, with its values on the device alone, if there is one. */
static struct X(mat) *moved(struct X(mat) *a, const struct X(mat) *mold)
{
    struct X(mat) *b = convert(a, mold);
    OK(X(mat_scal)(b, 1));
    return b;
}

/* Have the values of a, in CSRG, or of l and u, been on the host? */
static long long gets_of_values(void)
{
    return psb_transfers("CSR values").gets + psb_transfers("values of factors").gets;
}

static struct X(factor) *device_factors(const struct X(mat) *a, struct psb_factor_options o,
                                        const struct X(mat) *mold)
{
    struct X(factor) *f = NULL;
    OK(X(factor_bld)(a, &o, NULL, mold, &psb_vect_cuda, &f));
    return f;
}

/* Factors computed on the device have the bits of those of the host, also after renewals, with rows of any
 * length and any number of lanes; no values come to the host meanwhile. */
START_TEST(on_device)
    {
        static const int lanes[] = { 0, 4, 8, 16, 32 };
        static const enum psb_factor_kind kind[] = { PSB_ILU0, PSB_IC0 };
        const struct X(mat) *mold = _i / 20 ? &X(hlg_mold).mat : &X(csrg_mold).mat;
        const psb_epk before = psb_cuda_convert_from(0);
        struct psb_factor_options o = options_of(kind[_i % 2]);
        struct X(mat) *a = dominant(MOST_ROWS, is_cholesky(o.kind), (uint64_t)_i + 40);
        o.sweeps = _i / 10 % 2 ? 3 : 0;
        psb_ldu_choice.lanes = lanes[_i / 2 % 5];
        struct X(mat) *b = moved(a, mold);
        psb_transfers_reset();
        struct X(factor) *f = factors_with(a, o), *g = device_factors(b, o, mold);
        OK(X(mat_scal)(b, 2));
        OK(X(factor_renew)(g, b, NULL));
        OK(X(mat_scal)(b, 2));
        OK(X(factor_renew)(g, b, NULL));
        if (psb_cuda_device())
            ck_assert_int_eq(gets_of_values(), 0);
        OK(X(mat_scal)(a, 4));
        OK(X(factor_renew)(f, a, NULL));
        check_same(f, g);
        check_same_solutions(f, g, &psb_vect_cuda, 0);
        psb_ldu_choice.lanes = 0;
        psb_cuda_convert_from(before);
        X(factor_free)(f);
        X(factor_free)(g);
        X(mat_free)(a);
        X(mat_free)(b);
    }
END_TEST

/* Errors and replaced pivots of matrices on the device are those of the host, and renewals that fail leave
 * the factors as they were. */
START_TEST(pivots_on_device)
    {
        static const struct {
            double d;
            double tiny;
            psb_epk boosted;
            const char *message;
        } cases[] = {
            { 2, 0, 0, "row 1 has the pivot 0; expected another one" },
            { 2, 0.1, 1, NULL },
            { 2.25, 0.1, 1, NULL },
            { 2.75, 0.1, 0, NULL },
            { NAN, 0, 0, "row 1 has a pivot of modulus" },
            { NAN, 0.1, 0, "row 1 has a pivot of modulus" },
            { INFINITY, 0.1, 0, "row 1 has a pivot of modulus inf" },
        };
        const psb_epk before = psb_cuda_convert_from(0);
        struct psb_factor_options o = psb_factor_defaults;
        o.tiny = cases[_i].tiny;
        struct X(mat) *good = three_rows(5, 0), *a = three_rows((T)cases[_i].d, 0),
                      *b = moved(a, &X(csrg_mold).mat), *c = dominant(3, 0, 1),
                      *d = moved(c, &X(csrg_mold).mat);
        struct X(factor) *f = device_factors(good, o, &X(csrg_mold).mat), *g = NULL,
                         *h = factors_with(good, o);
        FAILS(X(factor_renew)(f, d, NULL), PSB_EARG, "argument a has another pattern");
        if (cases[_i].message) {
            FAILS(X(factor_bld)(b, &o, NULL, &X(csrg_mold).mat, &psb_vect_cuda, &g), PSB_EPIVOT,
                  cases[_i].message);
            FAILS(X(factor_renew)(f, b, NULL), PSB_EPIVOT, cases[_i].message);
        } else {
            OK(X(factor_renew)(f, b, NULL));
            OK(X(factor_renew)(h, a, NULL));
            ck_assert_int_eq(X(factor_boosted)(f), cases[_i].boosted);
        }
        check_same(f, h);
        psb_cuda_convert_from(before);
        X(factor_free)(f);
        X(factor_free)(h);
        X(mat_free)(good);
        X(mat_free)(a);
        X(mat_free)(b);
        X(mat_free)(c);
        X(mat_free)(d);
    }
END_TEST

/* The same for Cholesky factors of the Hermitian matrix [4 2; 2 d]. */
START_TEST(cholesky_pivots_on_device)
    {
        static const double cases[][2] = { { 1, 0 }, { 0.5, 0 }, { NAN, 0 }, { 2, 1e-3 }, { 2, NAN } };
        const psb_ipk ia[] = { 0, 0, 1, 1 }, ja[] = { 0, 1, 0, 1 };
        const T val[] = { 4, 2, 2, MAKE(cases[_i][0], cases[_i][1]) };
        const psb_epk before = psb_cuda_convert_from(0);
        const struct psb_factor_options o = { .kind = PSB_IC0, .block = 1 };
        struct X(factor) *f = NULL;
        struct X(mat) *a;
        OK(X(mat_all)(2, 2, 4, &a));
        OK(X(mat_csput)(a, 4, ia, ja, val, PSB_DUPL_ADD));
        OK(X(mat_asb)(a, PSB_DUPL_ADD));
        struct X(mat) *b = moved(a, &X(csrg_mold).mat);
        if (_i < 3 || CPLX)
            FAILS(X(factor_bld)(b, &o, NULL, &X(csrg_mold).mat, &psb_vect_cuda, &f), PSB_EPIVOT, "row 1 has");
        psb_cuda_convert_from(before);
        X(mat_free)(a);
        X(mat_free)(b);
    }
END_TEST

/* An allocation that fails on the way is an error, or the host computes the factors. */
START_TEST(allocation_fails_on_device)
    {
        const psb_epk before = psb_cuda_convert_from(0);
        const struct X(mat) *mold = _i / 4 ? &X(hlg_mold).mat : &X(csrg_mold).mat;
        struct psb_factor_options o = options_of(_i % 2 ? PSB_IC0 : PSB_ILU0);
        struct X(mat) *a = dominant(12, is_cholesky(o.kind), 3), *b = moved(a, mold);
        o.sweeps = _i / 2 % 2 * 2;
        struct X(factor) *want = factors_with(a, o), *g = device_factors(b, o, mold);
        for (long n = 1; n < 80; n++) {
            struct X(factor) *f = NULL;
            psb_alloc_fail_at(n);
            const psb_err made = X(factor_bld)(b, &o, NULL, mold, &psb_vect_cuda, &f);
            psb_alloc_fail_at(n);
            const psb_err renewed = X(factor_renew)(g, b, NULL);
            psb_alloc_fail_at(0);
            ck_assert(made == PSB_OK || made == PSB_ENOMEM);
            ck_assert(renewed == PSB_OK || renewed == PSB_ENOMEM);
            ck_assert((made == PSB_OK) == (f != NULL));
            if (f)
                check_same(f, want);
            check_same(g, want);
            X(factor_free)(f);
        }
        psb_cuda_convert_from(before);
        X(factor_free)(g);
        X(factor_free)(want);
        X(mat_free)(a);
        X(mat_free)(b);
    }
END_TEST

/* --- arguments ------------------------------------------------------------------------------------------ */

START_TEST(wrong_arguments)
    {
        struct X(mat) *a = dominant(6, 0, 3), *wide;
        struct X(factor) *f = factors(a, PSB_ILU0), *none = NULL;
        struct X(vect) *x = NULL, *little = NULL, *two = NULL;
        struct psb_factor_options o = psb_factor_defaults;
        OK(X(mat_all)(3, 4, 0, &wide));
        OK(X(vect_new)(&x, 6, NULL));
        OK(X(vect_new)(&little, 5, NULL));
        OK(X(vect_new_n)(&two, 6, 2, NULL));
        FAILS(X(factor_bld)(NULL, NULL, NULL, NULL, NULL, &none), PSB_EARG, "argument a is NULL");
        FAILS(X(factor_bld)(a, NULL, NULL, NULL, NULL, NULL), PSB_EARG, "argument f is NULL");
        FAILS(X(factor_bld)(wide, NULL, NULL, NULL, NULL, &none), PSB_EARG, "argument a is 3 by 4");
        o.fill = -1;
        FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &none), PSB_EARG, "option fill is -1");
        FAILS(X(factor_solve)(NULL, x, x, 'N', 0), PSB_EARG, "argument f is NULL");
        FAILS(X(factor_solve)(f, NULL, x, 'N', 0), PSB_EARG, "argument x is NULL");
        FAILS(X(factor_solve)(f, x, little, 'N', 0), PSB_EARG, "y (5); expected at least 6");
        FAILS(X(factor_solve)(f, x, two, 'N', 0), PSB_EARG, "y (2) differ");
        FAILS(X(factor_solve)(f, x, x, 'H', 0), PSB_EARG, "trans is 'H'");
        FAILS(X(factor_solve)(f, x, x, 'N', -1), PSB_EARG, "sweeps is -1");
        ck_assert_ptr_null(none);
        ck_assert_int_eq(X(factor_nnz)(NULL), 0);
        X(factor_free)(NULL);
        X(mat_free)(a);
        X(mat_free)(wide);
        X(gefree)(x);
        X(gefree)(little);
        X(gefree)(two);
        X(factor_free)(f);
        X(factor_free)(f);
        ck_assert_ptr_nonnull(strstr(psb_errmsg(), "psb_factor_free"));
    }
END_TEST

START_TEST(no_rows)
    {
        struct X(mat) *a;
        OK(X(mat_all)(0, 0, 0, &a));
        struct X(factor) *f = factors(a, (enum psb_factor_kind)_i);
        struct X(vect) *x = NULL;
        OK(X(vect_new)(&x, 0, NULL));
        OK(X(factor_solve)(f, x, x, 'N', 0));
        OK(X(factor_solve)(f, x, x, 'T', 2));
        X(gefree)(x);
        X(factor_free)(f);
        X(mat_free)(a);
    }
END_TEST

START_TEST(entries_stored_twice)
    {
        struct X(coo_mat) *t = sample(TWICE, 12, 12);
        struct psb_factor_options o = options_of((enum psb_factor_kind)_i);
        struct X(factor) *f = NULL;
        struct X(mat) *a = convert(&t->mat, &X(csr_mold).mat);
        FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EARG, "twice; expected each entry once");
        ck_assert_ptr_null(f);
        X(mat_free)(a);
        X(mat_free)(&t->mat);
    }
END_TEST

/* Each allocation that fails is an error without effect: of new factors, of renewals, of solves. */
START_TEST(allocation_fails)
    {
        enum { BUILD, RENEW, SOLVE, END };
        const enum psb_factor_kind kind = (enum psb_factor_kind)(_i % PSB_NFACTORS);
        const struct psb_factor_options o = options_of(kind);
        const struct X(mat) *mold = _i < PSB_NFACTORS ? NULL : &X(coo_mold).mat;
        struct X(mat) *a = dominant(12, is_cholesky(kind), 3);
        struct X(factor) *f = NULL, *g = NULL, *h = NULL;
        struct X(vect) *x = NULL;
        OK(X(vect_new)(&x, 12, NULL));
        OK(X(factor_bld)(a, &o, NULL, mold, NULL, &g));
        OK(X(factor_bld)(a, &o, NULL, mold, NULL, &h));
        OK(X(mat_scal)(a, 2));
        for (int step = BUILD; step < END; step++) {
            psb_err e = PSB_ENOMEM;
            for (long n = 1; n < 300 && e != PSB_OK; n++) {
                psb_alloc_fail_at(n);
                e = step == BUILD   ? X(factor_bld)(a, &o, NULL, mold, NULL, &f)
                    : step == RENEW ? X(factor_renew)(g, a, NULL)
                                    : X(factor_solve)(g, x, x, 'C', 2);
                psb_alloc_fail_at(0);
                ck_assert(e == PSB_OK || e == PSB_ENOMEM);
                if (step == BUILD)
                    ck_assert((e == PSB_OK) == (f != NULL));
                if (e != PSB_OK)
                    check_same(g, step == SOLVE ? f : h);
            }
            ck_assert_int_eq(e, PSB_OK);
        }
        check_same(f, g);
        X(factor_free)(f);
        X(factor_free)(g);
        X(factor_free)(h);
        X(gefree)(x);
        X(mat_free)(a);
    }
END_TEST

static Suite *factor(void)
{
    Suite *s = suite_create("incomplete factors");
    TCase *c = ck_tcase(s, "factors");
    ck_add_loop_test(c, exact_on_the_pattern, 5 * 13);
    ck_add_loop_test(c, exact_with_fill, 5 * 3);
    ck_add_loop_test(c, kinds_that_agree, 3);
    ck_add_loop_test(c, levels_of_fill, 10);
    ck_add_loop_test(c, fill_by_size, 6 * 3);
    ck_add_loop_test(c, lower_triangle_only, 2);
    ck_add_loop_test(c, milu0_row_sums, 12);
    ck_add_loop_test(c, solves, 8 * PSB_NFACTORS);
    ck_add_loop_test(c, renewal, PSB_NFACTORS);
    ck_add_loop_test(c, every_format, PSB_NFACTORS);
    ck_add_loop_test(c, sweeps_of_factors, 5);
    ck_add_loop_test(c, kinds_without_sweeps, 2);
    ck_add_loop_test(c, pivots, 10);
    ck_add_loop_test(c, cholesky_pivots, 9);
    ck_add_loop_test(c, global_rows, 2 * PSB_NFACTORS);
    tcase_add_test(c, boosts_of_renewals);
    c = ck_tcase(s, "device");
    ck_add_loop_test(c, on_device, 40);
    ck_add_loop_test(c, pivots_on_device, 7);
    ck_add_loop_test(c, cholesky_pivots_on_device, 5);
    ck_add_loop_test(c, allocation_fails_on_device, 8);
    c = ck_tcase(s, "arguments");
    tcase_add_test(c, wrong_arguments);
    ck_add_loop_test(c, no_rows, PSB_NFACTORS);
    ck_add_loop_test(c, entries_stored_twice, PSB_NFACTORS);
    ck_add_loop_test(c, allocation_fails, 2 * PSB_NFACTORS);
    return s;
}

int check_factor(void)
{
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, NULL);
    return ck_end(ctxt, ck_run(factor()));
}
