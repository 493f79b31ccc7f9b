/* check_formats_solves.c -- test: triangular solves of vectors, on the device where the format solves
 * there: the host's bits, plans, transfers, errors. */
#include "check_formats.h"
#include "psb_cuda.h"
#include "triangle.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 700, COLS = 3, BEYOND = 5 };

/* Entries of row i, apart from the diagonal, are at these distances; distance 0: none. */
static const psb_ipk distances[][4] = { { 0, 0, 0, 0 },    /* one level */
                                        { 1, 0, 0, 0 },    /* as many levels as rows, nearly */
                                        { 1, 26, 300, 0 }, /* a grid */
                                        { 40, 64, 400, 0 } /* wide levels */ };
enum { PATTERNS = 4, FULL_ROWS = PATTERNS }; /* pattern FULL_ROWS: the same as 2 and some full rows */

/* A triangle in CSR on the host. */
static struct X(mat) *triangle(int pattern, int upper, int unit)
{
    const psb_ipk *far = distances[pattern == FULL_ROWS ? 2 : pattern];
    COO *c = new_coo(ROWS, ROWS);
    for (psb_ipk i = 0; i < ROWS; i++) {
        const int full = pattern == FULL_ROWS && i % 100 == 50;
        for (psb_ipk j = 1; j < ROWS && full; j++)
            coo_put(c, i, upper ? i + j : i - j, MAKE(0.001 * (j % 7 + 1), 0.001 * (i % 3)));
        for (int f = 0; f < 4 && i % 11 && !full; f++)
            if (far[f])
                coo_put(c, i, upper ? i + far[f] : i - far[f], MAKE(0.3 + 0.01 * (i % 13), 0.1 * f));
        if (!unit)
            coo_put(c, i, i, MAKE(1.5 + i % 3, -0.5 * (i % 2)));
    }
    OK(X(mat_asb)(&c->mat, PSB_DUPL_ADD));
    struct X(mat) *a = convert(&c->mat, &X(csr_mold).mat);
    OK(X(mat_set_triangle)(a, 1));
    OK(X(mat_set_upper)(a, upper));
    OK(X(mat_set_unit)(a, unit));
    return a;
}

/* NULL if the format refuses the triangle. */
static struct X(mat) *in_format(struct X(mat) *csr, const struct X(mat) *m)
{
    struct X(mat) *a = NULL;
    const psb_err e = X(mat_convert)(csr, m, &a);
    ck_assert(e == PSB_OK || e == PSB_EPADDING);
    psb_clean_errstack();
    return a;
}

/* --- one solve ------------------------------------------------------------------------------------------ */

/* y = alpha D op(A)^-1 x + beta y, or op(A)^-1 D, for k columns of vectors of ROWS + BEYOND rows. */
struct solve {
    struct X(mat) *a;
    psb_ipk k;
    char trans, scale;
    T alpha, beta;
    int in_place;
    struct X(vect) *x, *y, *d;
};

static void open_vectors(struct solve *q, const struct psb_vmold *where)
{
    T b[(ROWS + BEYOND) * COLS];
    random_vector((ROWS + BEYOND) * q->k, b, 5);
    OK(X(vect_bld)(&q->x, ROWS + BEYOND, q->k, b, where));
    OK(X(vect_bld)(&q->d, ROWS, 1, b + 1, where));
    random_vector((ROWS + BEYOND) * q->k, b, 6);
    OK(X(vect_bld)(&q->y, ROWS + BEYOND, q->k, b, where));
}

static void close_vectors(struct solve *q)
{
    X(gefree)(q->x);
    X(gefree)(q->y);
    X(gefree)(q->d);
}

static psb_err run(const struct solve *q)
{
    return X(mat_vect_sv)(q->alpha, q->a, q->in_place ? q->y : q->x, q->beta, q->y, q->trans, q->scale, q->d);
}

/* Solve q, and the same on the host, from the same y: equal numbers, but for quotients of complex numbers,
 * which compilers compute in different ways. */
static void compare_with(struct solve *host, struct solve *q)
{
    const T *want, *got;
    const R slack = CPLX && !host->a->is.unit ? 64 * EPS : 0;
    T b[(ROWS + BEYOND) * COLS];
    random_vector((ROWS + BEYOND) * q->k, b, 6);
    OK(X(set_vect)(host->y, ROWS + BEYOND, b));
    OK(X(set_vect)(q->y, ROWS + BEYOND, b));
    OK(run(host));
    OK(run(q));
    OK(X(host_read)(host->y, &want));
    OK(X(host_read)(q->y, &got));
    for (psb_ipk i = 0; i < (ROWS + BEYOND) * q->k; i++)
        ck_assert_msg(ABS(got[i] - want[i]) <= slack * (1 + ABS(want[i])),
                      "%s, op %c, scale %c, %d columns: element %d is %g and not %g", q->a->ops->fmt,
                      q->trans, q->scale, q->k, i, (double)RE(got[i]), (double)RE(want[i]));
}

static void compare(struct solve q, struct X(mat) *csr, struct X(mat) *a, const struct psb_vmold *where)
{
    struct solve host = q;
    host.a = csr;
    q.a = a;
    open_vectors(&host, NULL);
    open_vectors(&q, where);
    compare_with(&host, &q);
    close_vectors(&host);
    close_vectors(&q);
}

/* All ops and scalings of k columns, with the same vectors, since memory of a device is slow to get. */
static void compare_columns(struct solve host, struct solve q, const struct psb_vmold *where)
{
    const T factor[][2] = { { 1, 0 }, { MAKE(-0.7, 0.2), 0 }, { 1, 1 }, { 2, MAKE(0.5, 1) }, { 0, 2 } };
    open_vectors(&host, NULL);
    open_vectors(&q, where);
    for (int t = 0; t < 3; t++)
        for (int v = 14; v >= 0; v -= ck_step(15))
            if (q.k == (v % 2 ? COLS : 1)) {
                host.trans = q.trans = op_codes[t];
                host.scale = q.scale = "ULR"[v % 3];
                host.alpha = q.alpha = factor[v % 5][0];
                host.beta = q.beta = factor[v % 5][1];
                host.in_place = q.in_place = v % 4 == 1;
                compare_with(&host, &q);
            }
    close_vectors(&host);
    close_vectors(&q);
}

static void compare_all(struct X(mat) *csr, struct X(mat) *a, const struct psb_vmold *where)
{
    for (psb_ipk k = 1; k <= COLS; k += COLS - 1)
        compare_columns((struct solve){ .a = csr, .k = k }, (struct solve){ .a = a, .k = k }, where);
}

/* Every pattern, upper and lower, unit or not, in CSRG by every kernel; a third of it in other
 * formats, which solve as CSRG or CSR. */
TEST(solves_of_vectors)
{
    static const int rows[] = { 0, PSB_ROWS_SHORT, PSB_ROWS_MEDIUM, PSB_ROWS_LONG };
    const int all = mold(_i)->ops == X(csrg_mold).mat.ops;
    const int n = 4 * (PATTERNS + 1), step = all ? ck_step(n) : 3;
    for (int q = n - 1 - (all ? 0 : _i % 3); q >= 0; q -= step) {
        MAT *csr = triangle(q / 4, q & 1, q >> 1 & 1), *a = in_format(csr, mold(_i));
        for (int l = 0; l < (all ? 4 : 1) && a; l++) {
            psb_solve_choice.rows = rows[l];
            compare_all(csr, a, l == 0 && q % 3 == 0 ? NULL : &psb_vect_cuda);
        }
        psb_solve_choice.rows = 0;
    }
}

/* Duplicates are added, also on the diagonal; empty triangles. */
TEST(solves_with_duplicates)
{
    for (int upper = 0; upper < 2; upper++) {
        COO *s = sample(TRIDIAG, ROWS, ROWS);
        psb_epk n = 0;
        for (psb_epk k = 0; k < s->mat.nnz; k++)
            if (upper ? s->ja[k] >= s->ia[k] : s->ja[k] <= s->ia[k]) {
                s->ia[n] = s->ia[k];
                s->ja[n] = s->ja[k];
                s->val[n++] = s->ia[k] == s->ja[k] ? 3 : 0.25;
            }
        s->mat.nnz = n;
        for (psb_ipk i = 0; i < ROWS; i += 2)
            coo_put(s, i, i, -1);
        OK(X(mat_set_sorted)(&s->mat, PSB_BY_ROWS));
        MAT *csr = convert(&s->mat, &X(csr_mold).mat), *a = NULL;
        OK(X(mat_set_triangle)(csr, 1));
        OK(X(mat_set_upper)(csr, upper));
        a = in_format(csr, mold(_i));
        for (int t = 0; t < 3 && a; t++)
            compare((struct solve){ .k = 1, .trans = op_codes[t], .scale = 'U', .alpha = 1 }, csr, a,
                    &psb_vect_cuda);
    }
}

TEST(solves_without_entries)
{
    for (psb_ipk n = 0; n < 3; n++) {
        MAT *none = NULL, *a = NULL;
        VECT *x = NULL;
        T b[] = { 3, 4 }, *out = new_array(2);
        OK(X(mat_all)(n, n, 0, &none));
        OK(X(mat_asb)(none, PSB_DUPL_ADD));
        a = convert(none, mold(_i));
        OK(X(mat_set_triangle)(a, 1));
        OK(X(mat_set_unit)(a, 1));
        OK(X(vect_bld)(&x, n, 1, b, &psb_vect_cuda));
        for (int t = 0; t < 3; t++)
            OK(X(mat_vect_sv)(2, a, x, 1, x, op_codes[t], 'U', NULL));
        OK(X(get_vect)(x, n, out));
        for (psb_ipk i = 0; i < n; i++)
            ck_assert(out[i] == 27 * b[i]);
        free(out);
    }
}

/* A right-hand side that is a NaN, also the one with all bits 1, makes NaN of what depends on it. */
TEST(solves_of_nan)
{
    MAT *csr = triangle(1, 0, 1), *a = in_format(csr, mold(_i));
    VECT *x = NULL;
    T b[ROWS], out[ROWS];
    fill_vector(ROWS, b, 1);
    memset(b + 100, 0xff, sizeof *b);
    OK(X(vect_bld)(&x, ROWS, 1, b, &psb_vect_cuda));
    if (a)
        OK(X(mat_vect_sv)(1, a, x, 0, x, 'N', 'U', NULL));
    OK(X(get_vect)(x, ROWS, out));
    for (psb_ipk i = 0; i < ROWS && a; i++)
        ck_assert_int_eq(isnan(RE(out[i])) != 0, i >= 100 && i < 110);
}

/* --- plans ---------------------------------------------------------------------------------------------- */

/* The matrix whose plan a solve with op `trans` uses on the device. */
static const struct X(csrg_mat) *solver_of(const struct X(mat) *a, char trans)
{
    const struct X(mat) *s = trans != 'N' ? a->transposed : X(mat_is_csr)(a) ? a : a->rows;
    return (const struct X(csrg_mat) *)s;
}

static void count_transfers(const struct solve *q, long long puts, long long gets)
{
    psb_transfers_reset();
    OK(run(q));
    const struct psb_transfer_counts t = psb_transfers(NULL);
    ck_assert_int_eq(t.puts, puts);
    ck_assert_int_eq(t.gets, gets);
}

/* A second solve transfers and allocates nothing; new values keep the plan where the format says what its
 * values are, and are checked. */
TEST(solves_keep_their_plan)
{
    for (int q = 0; q < 6; q++) {
        const int unit = q / 3;
        const psb_ipk i = 400;
        const T v = MAKE(2.5, 0.5);
        MAT *csr = triangle(2, 0, unit), *a = in_format(csr, mold(_i));
        struct solve s = { .a = a, .k = 1, .trans = op_codes[q % 3], .scale = 'R', .alpha = 1 };
        open_vectors(&s, &psb_vect_cuda);
        if (a && a->on && X(mat_solves_on_device)(a, s.trans)) {
            const psb_ipk j = unit ? i - 1 : i;
            OK(run(&s));
            count_transfers(&s, 0, 0);
            psb_alloc_fail_at(CK_NEVER);
            OK(run(&s));
            ck_assert_int_eq(ck_allocations(), 0);
            const struct psb_dev_solve *plan = solver_of(a, s.trans)->solve;
            ck_assert_ptr_nonnull(plan);
            OK(X(mat_csput)(a, 1, &i, &j, &v, PSB_DUPL_OVERWRITE));
            OK(X(mat_csput)(csr, 1, &i, &j, &v, PSB_DUPL_OVERWRITE));
            OK(run(&s));
            if (a->ops == X(csrg_mold).mat.ops || a->ops == X(hlg_mold).hll.mat.ops)
                ck_assert_ptr_eq(solver_of(a, s.trans)->solve, plan);
            count_transfers(&s, 0, 0);
            compare(s, csr, a, &psb_vect_cuda);
        }
        close_vectors(&s);
    }
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* Row 30 gets a diagonal of 0, then 2 again. */
static void check_zero_diagonal(struct solve *s)
{
    const psb_ipk i = 30;
    const T none = 0, two = 2;
    OK(run(s));
    OK(X(mat_csput)(s->a, 1, &i, &i, &none, PSB_DUPL_OVERWRITE));
    FAILS(run(s), PSB_EARG, "row 30 has 0 on the diagonal");
    FAILS(run(s), PSB_EARG, "row 30 has 0 on the diagonal");
    OK(X(mat_csput)(s->a, 1, &i, &i, &two, PSB_DUPL_OVERWRITE));
    OK(run(s));
}

TEST(solves_that_are_refused)
{
    for (int q = 0; q < 6; q++) {
        const char trans = op_codes[q % 3];
        MAT *csr = triangle(2, q / 3, 0), *a = in_format(csr, mold(_i));
        struct solve s = { .a = a, .k = 1, .trans = trans, .scale = 'U', .alpha = 1 };
        open_vectors(&s, &psb_vect_cuda);
        if (a) {
            check_zero_diagonal(&s);
            OK(X(mat_set_unit)(a, 1));
            FAILS(run(&s), PSB_EARG, "row 0 stores a diagonal entry");
            OK(X(mat_set_unit)(a, 0));
            OK(run(&s));
            OK(X(mat_set_upper)(a, !(q / 3)));
            FAILS(run(&s), PSB_EARG, "triangle");
            OK(X(mat_set_upper)(a, q / 3));
            OK(run(&s));
            OK(X(mat_set_triangle)(a, 0));
            FAILS(run(&s), PSB_EARG, "argument a is not marked as a triangle");
        }
        close_vectors(&s);
    }
}

TEST(solves_without_a_diagonal_entry)
{
    MAT *csr = triangle(2, 0, 1), *a = in_format(csr, mold(_i));
    struct solve s = { .a = a, .k = 1, .scale = 'U', .alpha = 1 };
    open_vectors(&s, &psb_vect_cuda);
    if (a)
        OK(X(mat_set_unit)(a, 0));
    for (int t = 0; t < 3 && a; t++) {
        s.trans = op_codes[t];
        FAILS(run(&s), PSB_EARG, "row 0 has no entry on the diagonal");
    }
    close_vectors(&s);
}

TEST(allocation_fails_in_a_solve)
{
    MAT *csr = triangle(2, 1, 0);
    for (int t = 0; t < 3; t++) {
        long all = 1;
        for (long n = 0; n <= all; n++) {
            MAT *a = in_format(csr, mold(_i));
            struct solve s = { .a = a, .k = 2, .trans = op_codes[t], .scale = 'U', .alpha = 1 };
            open_vectors(&s, &psb_vect_cuda);
            psb_alloc_fail_at(n ? n : CK_NEVER);
            const psb_err e = a ? run(&s) : PSB_OK;
            if (n == 0) {
                OK(e);
                all = ck_allocations();
            }
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            psb_clean_errstack();
            if (a)
                compare(s, csr, a, &psb_vect_cuda);
            close_vectors(&s);
        }
    }
}

void formats_solves_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "solves");
    ck_add_loop_tests(c, n, solves_of_vectors, solves_with_duplicates, solves_without_entries, solves_of_nan);
    c = ck_tcase(s, "plans of solves");
    ck_add_loop_tests(c, n, solves_keep_their_plan, solves_that_are_refused, solves_without_a_diagonal_entry,
                      allocation_fails_in_a_solve);
}
