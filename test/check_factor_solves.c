/* check_factor_solves.c -- test: incomplete factors: solves, in every format; factors of new values,
 * and by sweeps. */
#include "psb_cuda.h"
#include "check_factor.h"

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
            ck_assert_msg(ABS(sum - px[i * k + c]) <= 10 * factor_bound(n), "op %c, row %d: %g", op, i,
                          (double)ABS(sum - px[i * k + c]));
        }
}

/* Exact solves, and as many sweeps as there are rows, for every op, 1 and 3 columns, in and out of place, on
 * vectors with more rows than the factors. */
TEST(solves)
{
    const enum psb_factor_kind kind = (enum psb_factor_kind)(_i % PSB_NFACTORS);
    const int k = _i / PSB_NFACTORS % 2 ? 3 : 1, sweeps = _i / PSB_NFACTORS / 2 % 2,
              in_place = _i / PSB_NFACTORS / 4;
    const psb_ipk n = 17, more = 4;
    MAT *a = dominant_matrix(n, is_cholesky(kind), 5);
    FACTOR *f = factors_of_kind(a, kind);
    VECT *x = NULL, *y = NULL;
    T b[(17 + 4) * 3];
    square p;
    product_of_factors(f, p);
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
}

void check_same_solutions(const struct X(factor) *f, const struct X(factor) *g, const struct psb_vmold *place,
                          int sweeps)
{
    const psb_ipk n = f->n;
    VECT *x = NULL, *y = NULL, *z = NULL;
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
            ck_assert_msg(ABS(py[i] - pz[i]) <= factor_bound(n), "%s, op %c: element %d",
                          X(mat_get_fmt)(g->l), *op, i);
    }
}

/* Factors in every format, of the host and the device, solve and are renewed as those in CSR. */
TEST(every_format)
{
    const enum psb_factor_kind kind = (enum psb_factor_kind)_i;
    const struct psb_factor_options o = factor_options_of(kind);
    const struct X(mat) *mold;
    MAT *a = dominant_matrix(20, is_cholesky(kind), 21);
    int formats = 0;
    for (int i = 0; (mold = X(mat_format)(i)); i++) {
        FACTOR *f = factors_of_kind(a, kind), *g = NULL;
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
    }
    ck_assert_int_gt(formats, 5);
}

/* --- new values ----------------------------------------------------------------------------------------- */

TEST(renewal)
{
    const enum psb_factor_kind kind = (enum psb_factor_kind)_i;
    MAT *a = dominant_matrix(20, is_cholesky(kind), 11), *b = dominant_matrix(20, 0, 12),
        *c = dominant_matrix(21, 0, 11);
    FACTOR *f = factors_of_kind(a, kind), *g = NULL;
    OK(X(mat_scal)(a, 3));
    g = factors_of_kind(a, kind);
    if (kind == PSB_ILUT)
        OK(X(factor_renew)(f, b, NULL));
    else
        FAILS(X(factor_renew)(f, b, NULL), PSB_EARG, "another pattern");
    OK(X(factor_renew)(f, a, NULL));
    check_same_factors(f, g);
    FAILS(X(factor_renew)(f, c, NULL), PSB_EARG, "argument a has 21 rows; expected the 20");
    OK(X(mat_scal)(a, 0));
    FAILS(X(factor_renew)(f, a, NULL), PSB_EPIVOT, "row 0 has the pivot 0");
    check_same_factors(f, g);
}

/* --- sweeps --------------------------------------------------------------------------------------------- */

/* The largest difference of the products L D U of f and g. */
static double distance(const struct X(factor) *f, const struct X(factor) *g)
{
    square p, q;
    double most = 0;
    product_of_factors(f, p);
    product_of_factors(g, q);
    for (psb_ipk k = 0; k < f->n * f->n; k++)
        most = ABS(p[k] - q[k]) > most ? (double)ABS(p[k] - q[k]) : most;
    return most;
}

/* The error of sweeps decreases, and is 0 after as many as there are rows; renewals repeat them. */
TEST(sweeps_of_factors)
{
    static const enum psb_factor_kind kind[] = { PSB_ILU0, PSB_ILUK, PSB_IC0, PSB_BILU0, PSB_BIC0 };
    enum { N = 32 };
    struct psb_factor_options o = factor_options_of(kind[_i]);
    MAT *a = dominant_matrix(N, is_cholesky(o.kind), 17);
    FACTOR *exact = factors_with_options(a, o);
    double before = INFINITY;
    for (o.sweeps = 1; o.sweeps <= N; o.sweeps *= 2) {
        FACTOR *f = factors_with_options(a, o);
        const double now = distance(f, exact);
        ck_assert_msg(now <= before / 4, "%d sweeps: %g, before %g", o.sweeps, now, before);
        before = now > factor_bound(N) ? now : 4 * factor_bound(N);
        if (o.sweeps == N)
            check_same_factors(f, exact);
        FACTOR *g = factors_with_options(a, o);
        OK(X(factor_renew)(g, a, NULL));
        check_same_factors(f, g);
    }
}

TEST(kinds_without_sweeps)
{
    struct psb_factor_options o = factor_options_of(_i ? PSB_MILU0 : PSB_ILUT);
    MAT *a = dominant_matrix(4, 0, 17);
    struct X(factor) *f = NULL;
    o.sweeps = 2;
    FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EARG, "option factor_sweeps is 2; expected 0 for");
    o.sweeps = -1;
    FAILS(X(factor_bld)(a, &o, NULL, NULL, NULL, &f), PSB_EARG, "option factor_sweeps is -1");
}

void add_factor_solves(TCase *c)
{
    ck_add_loop_tests(c, 8 * PSB_NFACTORS, solves);
    ck_add_loop_tests(c, PSB_NFACTORS, renewal, every_format);
    ck_add_loop_tests(c, 5, sweeps_of_factors);
    ck_add_loop_tests(c, 2, kinds_without_sweeps);
}
