/* check_ops_solves.c -- test: triangular solves of every format, by one and several threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_ops.h"

/* --- triangular solves --- */

/* A triangle of n rows with large diagonal elements; unit: without stored diagonal. */
struct X(coo_mat) *triangle(psb_ipk n, enum sample_kind kind, int upper, int unit)
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

struct X(mat) *triangle_in(struct X(coo_mat) *s, int format, int upper, int unit)
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

TEST(triangular_solves)
{
    const psb_ipk sizes[] = { 0, 1, 2, 17, 33 };
    const enum sample_kind kinds[] = { NOTHING, SPREAD, TRIDIAG, DENSE_ROW, DENSE_COL, FULL };
    T scale[33];
    random_vector(33, scale, 9);
    for (int q = 5 * 6 * 4 - 1; q >= 0; q -= ck_step(5 * 6 * 4)) {
        int upper = q & 1, unit = q >> 1 & 1;
        psb_ipk n = sizes[q / 4 % 5];
        COO *s = triangle(n, kinds[q / 20], upper, unit);
        MAT *a = triangle_in(s, _i, upper, unit);
        DENSE d = dense_of_coo(s);
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
    }
}

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
    return X(mat_arrays)(a, list) > 0;
}

static void solve_again(struct X(mat) *a, struct X(coo_mat) *s, int unit, char trans)
{
    DENSE d = dense_of_coo(s);
    struct solve one = { .n = 33, .k = 2, .trans = trans, .side = 'L', .alpha = 1, .beta = 0 };
    T x[66], y[66];
    fill_vector(66, x, 1);
    check_solve(a, &d, one, 1, unit, 0);
    psb_alloc_fail_at(CK_NEVER);
    OK(X(mat_cssm)(1, a, 2, x, 0, y, trans, 'L', NULL));
    ck_assert(!counts_changes(a) || ck_allocations() == 0);
    psb_alloc_fail_at(0);
    check_solve(a, &d, one, 1, unit, 0);
}

/* The same after values or flags have changed, and after an allocation failure. */
TEST(solves_convert_once)
{
    COO *s = triangle(33, SPREAD, 1, 0);
    MAT *a = triangle_in(s, _i, 1, 0), *b = NULL;
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
}

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

TEST(solves_by_threads)
{
    for (int q = 0; q < 4 * 4; q++) {
        const int upper = q & 1, unit = q >> 1 & 1;
        COO *s = banded(distances[q / 4], upper, unit);
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
    }
}

TEST(solves_with_alpha_0)
{
    COO *s = triangle(5, SPREAD, 1, 0);
    MAT *a = triangle_in(s, _i, 1, 0);
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
}

static void check_singular(struct X(coo_mat) *s, int format, int upper, int unit, const char *why)
{
    MAT *a = triangle_in(s, format, upper, unit);
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
    X(mat_free)(&s->mat);
}

TEST(singular_triangles)
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

TEST(wrong_arguments_of_products_and_solves)
{
    COO *s = sample(SPREAD, 6, 4), *t = triangle(6, SPREAD, 0, 0);
    MAT *a = in_format(s, _i), *l = triangle_in(t, _i, 0, 0);
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
    FAILS(X(mat_cssm)(1, l, 2, NULL, 1, y, 'N', 'L', NULL), PSB_EARG, "argument x is NULL; expected 6 x 2");
    FAILS(X(mat_cssm)(1, l, 2, x, 1, NULL, 'N', 'L', NULL), PSB_EARG, "argument y is NULL; expected 6 x 2");
    FAILS(X(mat_cssm)(1, l, 2, x, 1, y, 'X', 'L', NULL), PSB_EARG, "argument trans is 'X'");
    FAILS(X(mat_cssm)(1, l, 2, x, 1, y, 'N', 'r', x), PSB_EARG, "argument side is 'r'");
    FAILS(X(mat_cssm)(1, a, 2, x, 1, y, 'N', 'L', NULL), PSB_EARG, "argument a is 6 x 4; expected a square");
    OK(X(mat_set_triangle)(l, 0));
    FAILS(X(mat_cssv)(1, l, x, 1, y, 'N', 'L', NULL), PSB_EARG, "argument a is not marked as a triangle");
}

void ops_solves_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "solves");
    ck_add_loop_tests(c, n, triangular_solves, solves_convert_once, solves_by_threads, solves_with_alpha_0,
                      singular_triangles, wrong_arguments_of_products_and_solves);
}
