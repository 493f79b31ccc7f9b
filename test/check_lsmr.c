/* check_lsmr.c -- test: least-squares problems, compared with LAPACK, if it is there. */
#include "config.h"
#include "check_krylov.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "worst.h"

enum { MOST_ROWS = 24 };

/* min |b - A x|, dense, by rows, and distributed; the solution. */
struct least_squares {
    int m, n, k;
    T a[MOST_ROWS * MOST_ROWS], b[2 * MOST_ROWS], want[2 * MOST_ROWS];
    psb_desc *row, *col;
    struct X(spmat) *matrix;
    struct X(vect) *rhs, *x;
};

static void least_squares_free(struct least_squares *p)
{
    X(gefree)(p->rhs);
    X(gefree)(p->x);
    X(spfree)(p->matrix);
    psb_cdfree(p->row);
    psb_cdfree(p->col);
}
#define LEAST_SQUARES OWNER(least_squares_free) struct least_squares

static double tolerance(void)
{
    return sizeof(R) == sizeof(float) ? 1e-5 : 1e-10;
}

static T entry(int i, int j)
{
    return MAKE(sin(1 + 7.3 * i * j + 3.1 * j * j), cos(2.7 * i * i * j + j));
}

/* A of m rows and n columns and k right-hand sides. */
static struct least_squares make_entries(int m, int n, int k)
{
    struct least_squares p = { .m = m, .n = n, .k = k };
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            p.a[i * n + j] = (i + 2 * j) % 4 == 0 ? 0 : entry(i, j);
    for (int i = 0; i < m * k; i++)
        p.b[i] = MAKE(cos(1.9 * i), sin(0.3 * i));
    return p;
}

static void distribute_entries(struct least_squares *p, int number, const struct X(mat) *mold,
                               const struct psb_vmold *vmold)
{
    GOOD(alloc_desc(&p->row, (enum distribution)(number % DISTRIBUTIONS), p->m));
    GOOD(alloc_desc(&p->col, (enum distribution)((number + 1) % DISTRIBUTIONS), p->n));
    GOOD(X(spall2)(&p->matrix, p->row, p->col, 0));
    GOOD(X(geall_n)(&p->rhs, p->row, p->k));
    GOOD(X(geall_n)(&p->x, p->col, p->k));
    for (psb_ipk l = 0; l < psb_cd_local_rows(p->row); l++) {
        const psb_lpk i = psb_loc_to_glob(p->row, l);
        for (psb_lpk j = 0; j < p->n; j++)
            if (p->a[i * p->n + j] != 0)
                GOOD(X(spins)(1, &i, &j, &p->a[i * p->n + j], p->matrix));
    }
    GOOD(psb_cdasb(p->row));
    GOOD(psb_cdasb(p->col));
    GOOD(X(spasb)(p->matrix, mold ? mold : &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(X(geasb)(p->rhs, vmold));
    GOOD(X(geasb)(p->x, vmold));
    GOOD(X(scatter)(p->rhs, p->b, -1));
}

static struct psb_lsmr_options options(double damp)
{
    return (struct psb_lsmr_options){ .atol = tolerance(), .btol = tolerance(), .damp = damp, .itmax = 200 };
}

/* The largest difference of x and p->want. */
static double error_of(const struct least_squares *p)
{
    T x[2 * MOST_ROWS];
    double worst = 0;
    GOOD(X(gather)(p->x, x, -1));
    for (int i = 0; i < p->n * p->k; i++)
        worst = worse(worst, (double)ABS(x[i] - p->want[i]));
    return worst;
}

#ifdef HAVE_LAPACK
/* The least-squares or the shortest solution of a system of full rank. */
void PSB_CAT(PSB_NOW, gels_)(const char *trans, const int *m, const int *n, const int *k, T *a,
                             const int *lda, T *b, const int *ldb, T *work, const int *lwork, int *info);

/* x = the shortest one with the smallest |b - A x|; A has m x n elements, element (i, j) at i stride + j. */
static void solve_dense_ls(int m, int n, const T *a, int stride, const T *b, T *x)
{
    const int one = 1, most = m > n ? m : n, size = 4096;
    T columns[4 * MOST_ROWS * MOST_ROWS], rhs[2 * MOST_ROWS] = { 0 }, work[4096];
    int info;
    for (int i = 0; i < m; i++) {
        rhs[i] = b[i];
        for (int j = 0; j < n; j++)
            columns[j * m + i] = a[i * stride + j];
    }
    PSB_CAT(PSB_NOW, gels_)("N", &m, &n, &one, columns, &m, rhs, &most, work, &size, &info);
    EXPECT(info == 0);
    memcpy(x, rhs, (size_t)n * sizeof *x);
}

static const int shapes[][2] = { { 12, 5 }, { 5, 12 }, { 9, 9 }, { 1, 4 }, { 4, 1 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void check_lsmr_answer(const struct least_squares *p, double damp)
{
    struct psb_lsmr_result res;
    const struct psb_lsmr_options o = options(damp);
    GOOD(X(lsmr)(p->matrix, p->rhs, p->x, &o, &res));
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations <= 60 && res.cond >= 1);
    EXPECT(res.norm_ar <= 1e3 * tolerance() * res.norm_a || res.norm_r <= 1e3 * tolerance());
    EXPECT(error_of(p) < 1e3 * tolerance());
}

/* Over- and underdetermined systems, the first of them inconsistent. */
TEST(full_rank)
{
    const int *shape = shapes[_i % SHAPES];
    LEAST_SQUARES p = make_entries(shape[0], shape[1], 1);
    solve_dense_ls(p.m, p.n, p.a, p.n, p.b, p.want);
    distribute_entries(&p, _i, NULL, NULL);
    check_lsmr_answer(&p, 0);
}

/* Two equal columns: the shortest solution has equal elements there, those for one column times the root of
 * 2, divided by it. */
TEST(rank_deficient)
{
    const int *shape = shapes[_i % 3];
    LEAST_SQUARES p = make_entries(shape[0], shape[1], 1);
    T one[MOST_ROWS * MOST_ROWS];
    const R root = (R)sqrt(2);
    for (int i = 0; i < p.m; i++)
        p.a[i * p.n + p.n - 1] = p.a[i * p.n + p.n - 2];
    memcpy(one, p.a, sizeof one);
    for (int i = 0; i < p.m; i++)
        one[i * p.n + p.n - 2] *= root;
    solve_dense_ls(p.m, p.n - 1, one, p.n, p.b, p.want);
    p.want[p.n - 1] = p.want[p.n - 2] /= root;
    distribute_entries(&p, _i, NULL, NULL);
    check_lsmr_answer(&p, 0);
}

/* With damping: the problem of A over d times the identity. */
TEST(damped)
{
    LEAST_SQUARES p = make_entries(7, 9, 1);
    T below[MOST_ROWS * MOST_ROWS] = { 0 }, b[MOST_ROWS] = { 0 };
    memcpy(below, p.a, (size_t)(p.m * p.n) * sizeof *below);
    memcpy(b, p.b, (size_t)p.m * sizeof *b);
    for (int j = 0; j < p.n; j++)
        below[(p.m + j) * p.n + j] = (T)0.5;
    solve_dense_ls(p.m + p.n, p.n, below, p.n, b, p.want);
    distribute_entries(&p, _i, NULL, NULL);
    check_lsmr_answer(&p, 0.5);
}

/* Each column is a problem of its own, on the device too. */
TEST(columns_on_the_device)
{
    LEAST_SQUARES p = make_entries(12, 5, 2);
    struct psb_lsmr_result res[2];
    const struct psb_lsmr_options o = options(0);
    for (int c = 0; c < 2; c++) {
        T b[MOST_ROWS], x[MOST_ROWS];
        for (int i = 0; i < p.m; i++)
            p.b[i * 2 + c] = b[i] = c ? MAKE(i, 1) : p.a[i * p.n]; /* the first column of A; no such one */
        solve_dense_ls(p.m, p.n, p.a, p.n, b, x);
        for (int i = 0; i < p.n; i++)
            p.want[i * 2 + c] = x[i];
    }
    distribute_entries(&p, 0, &X(csrg_mold).mat, &psb_vect_cuda);
    GOOD(X(lsmr)(p.matrix, p.rhs, p.x, &o, res));
    EXPECT(res[0].outcome == PSB_CONVERGED && res[0].norm_r < 1e3 * tolerance());
    EXPECT(res[1].outcome == PSB_CONVERGED && res[1].norm_r > 1);
    EXPECT(error_of(&p) < 1e4 * tolerance());
}
#endif

/* b = 0, and b that is orthogonal to the columns of A: x = 0 at once. */
TEST(nothing_to_solve)
{
    LEAST_SQUARES p = make_entries(6, 3, 2);
    struct psb_lsmr_result res[2];
    memset(p.b, 0, sizeof p.b);
    for (int j = 0; j < p.n; j++)
        p.a[4 * p.n + j] = 0;
    p.b[4 * 2 + 1] = 3;
    distribute_entries(&p, _i, NULL, NULL);
    GOOD(X(set_scal)(1, p.x));
    GOOD(X(lsmr)(p.matrix, p.rhs, p.x, NULL, res));
    EXPECT(res[0].outcome == PSB_CONVERGED && res[0].iterations == 0 && res[0].norm_r == 0);
    EXPECT(res[1].outcome == PSB_CONVERGED && res[1].iterations == 0 && res[1].norm_r == 3);
    EXPECT(error_of(&p) == 0);
}

/* A times 2^a and b times 2^b: the same iterations, and x times a power of two. */
TEST(lsmr_units)
{
    const int a[] = { -300, -40, 40, 300 }, single = sizeof(R) == sizeof(float);
    LEAST_SQUARES p = make_entries(12, 5, 1), q = make_entries(12, 5, 1);
    const R of_a = (R)ldexp(1, a[_i % 4] / (single ? 8 : 1)),
            of_b = (R)ldexp(1, a[_i / 4] / (single ? 8 : 1));
    struct psb_lsmr_result want, res;
    for (int i = 0; i < q.m * q.n; i++)
        q.a[i] *= of_a;
    for (int i = 0; i < q.m; i++)
        q.b[i] *= of_b;
    const struct psb_lsmr_options o = options(0.25), scaled = options(0.25 * (double)of_a);
    distribute_entries(&p, 0, NULL, NULL);
    distribute_entries(&q, 0, NULL, NULL);
    GOOD(X(lsmr)(p.matrix, p.rhs, p.x, &o, &want));
    GOOD(X(lsmr)(q.matrix, q.rhs, q.x, &scaled, &res));
    EXPECT(res.outcome == want.outcome && res.iterations == want.iterations && res.cond == want.cond);
    GOOD(X(gather)(p.x, q.want, -1));
    for (int i = 0; i < q.n; i++)
        q.want[i] = q.want[i] * of_b / of_a;
    EXPECT(error_of(&q) == 0);
}

TEST(lsmr_limits)
{
    LEAST_SQUARES p = make_entries(12, 5, 1);
    struct psb_lsmr_result res;
    struct psb_lsmr_options o = options(0);
    distribute_entries(&p, 0, NULL, NULL);
    o.itmax = 2;
    GOOD(X(lsmr)(p.matrix, p.rhs, p.x, &o, &res));
    EXPECT(res.outcome == PSB_MAX_ITERATIONS && res.iterations == 2 && res.norm_ar > 0);
    GOOD(psb_lsmr_check(&o));
    o.damp = -1;
    BAD(X(lsmr)(p.matrix, p.rhs, p.x, &o, &res), PSB_EARG, "option damp is -1");
    BAD(X(lsmr)(p.matrix, p.x, p.rhs, NULL, &res), PSB_EARG, "rows of the matrix");
    BAD(X(lsmr)(p.matrix, p.rhs, me == np - 1 ? NULL : p.x, NULL, &res), PSB_EARG, "argument x is NULL");
    BAD(X(lsmr)(p.matrix, p.rhs, p.x, NULL, NULL), PSB_EARG, "argument res is NULL");
    GOOD(X(spscal)((T)INFINITY, p.matrix));
    GOOD(X(lsmr)(p.matrix, p.rhs, p.x, NULL, &res));
    EXPECT(res.outcome == PSB_BREAKDOWN && *res.why && isfinite(res.norm_x));
}

/* Each allocation that fails, on the last process, is an error on all. */
TEST(lsmr_allocation_fails)
{
    LEAST_SQUARES p = make_entries(8, 5, 2);
    struct psb_lsmr_result res[2];
    distribute_entries(&p, 0, NULL, NULL);
    int failed = 1;
    for (long n = 1; n < 100 && failed; n++) {
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        const psb_err e = X(lsmr)(p.matrix, p.rhs, p.x, NULL, res);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT((failed == 0 || failed == np) && (e == PSB_OK || e == PSB_ENOMEM));
    }
    EXPECT(!failed);
}

void lsmr_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "least squares");
#ifdef HAVE_LAPACK
    ck_add_loop_tests(c, SHAPES * DISTRIBUTIONS, full_rank);
    ck_add_loop_tests(c, 3 * DISTRIBUTIONS, rank_deficient);
    ck_add_loop_tests(c, DISTRIBUTIONS, damped);
    ck_add_tests(c, columns_on_the_device);
#endif
    ck_add_loop_tests(c, DISTRIBUTIONS, nothing_to_solve);
    ck_add_loop_tests(c, 16, lsmr_units);
    ck_add_tests(c, lsmr_limits, lsmr_allocation_fails);
}
