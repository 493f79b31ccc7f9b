/* matrix_test.c -- test/kernel: test of what the speed programs rely on: names, copies, correct
 * products. */
#include "psb_testing.h"
#include "psb_util.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "bench.h"
#include "matrix.h"

enum { M = 3, N = 4, NNZ = 5, K = 2 };

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "matrix_test: not so: %s\n", what);
    exit(EXIT_FAILURE);
}
#define EXPECT(c) expect(!!(c), #c)

/* Whether the call fails if allocation n does; it may fail for that alone. */
#define FAILS_AT(n, call) (psb_alloc_fail_at(n), fails_for_memory(call))
static bool fails_for_memory(psb_err e)
{
    psb_alloc_fail_at(0);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM);
    return e != PSB_OK;
}

static void names(void)
{
    struct psb_gen g;
    char name[16];
    matrix_name(name, sizeof name, "/a/b.c/d.mtx.xz");
    EXPECT(strcmp(name, "d") == 0);
    matrix_name(name, sizeof name, "lap7:3");
    EXPECT(strcmp(name, "lap7:3") == 0);
    EXPECT(matrix_is_generated("lap7:3") && !matrix_is_generated("a/lap7:3") &&
           !matrix_is_generated("a.mtx"));
    good(matrix_parse("power:100000", &g), "power");
    EXPECT(g.kind == PSB_GEN_POWERROWS && g.m == 100000 && g.k == 15 && g.upper == 32768);
    good(matrix_parse("power:9", &g), "power");
    EXPECT(g.m == 9 && g.k == 9 && g.upper == 9);
    good(matrix_parse("uniform:9:3", &g), "uniform");
    EXPECT(g.kind == PSB_GEN_UNIFORM && g.m == 9 && g.k == 3);
    good(matrix_parse("block:4", &g), "block");
    EXPECT(g.kind == PSB_GEN_ELASTICITY && g.m == 192);
    EXPECT(matrix_parse("power:9x", &g) == PSB_EARG && matrix_parse("power:", &g) == PSB_EARG);
    EXPECT(matrix_parse("uniform:9:3:1", &g) == PSB_EARG && matrix_parse("block:", &g) == PSB_EARG);
    EXPECT(matrix_parse("uniform:3:9", &g) == PSB_EARG && g.kind == PSB_GEN_ELASTICITY);
}

/* Rows 1 .. 3 of a 4 by 4 matrix, unordered; entry (2, 3) is given twice. */
static struct X(coo_mat) *taken(void)
{
    static psb_lpk ia[] = { 3, 2, 0, 1, 2, 3, 2 }, ja[] = { 2, 3, 0, 1, 0, 0, 3 };
    static T val[7];
    struct X(triplets) t = { .m = 4, .n = N, .nnz = 7, .ia = ia, .ja = ja, .val = val };
    struct X(coo_mat) *a = NULL, *b;
    for (int k = 0; k < 7; k++)
        val[k] = MAKE(k + 1, 2 - k);
    for (long n = 1; FAILS_AT(n, X(matrix_from_rows)(&t, 1, M, &a)); n++)
        EXPECT(a == NULL);
    EXPECT(a->mat.nrows == M && a->mat.ncols == N && a->mat.nnz == NNZ && X(coo_ordered)(a));
    EXPECT(a->ia[0] == 0 && a->ja[0] == 1 && a->val[0] == MAKE(4, -1));
    EXPECT(a->ia[2] == 1 && a->ja[2] == 3 && a->val[2] == MAKE(9, -3));
    good(X(matrix_from_rows)(&t, 0, 4, &b), "all rows");
    EXPECT(b->mat.nrows == 4 && b->mat.nnz == NNZ + 1 && X(coo_ordered)(b));
    EXPECT(b->ia[0] == 0 && b->ja[0] == 0 && b->val[0] == MAKE(3, 0) && b->ia[1] == 1 &&
           b->val[3] == a->val[2]);
    X(mat_free)(&b->mat);
    return a;
}

/* Compute the product by way of a full matrix. */
static void by_hand(const struct X(coo_mat) *a, char trans, T y[][K])
{
    T full[M][N] = { { 0 } };
    for (psb_epk k = 0; k < a->mat.nnz; k++)
        full[a->ia[k]][a->ja[k]] = a->val[k];
    for (int i = 0; i < (trans == 'N' ? M : N); i++)
        for (int c = 0; c < K; c++) {
            y[i][c] = 0;
            for (int j = 0; j < (trans == 'N' ? N : M); j++) {
                const T v = trans == 'N' ? full[i][j] : trans == 'T' ? full[j][i] : CONJ(full[j][i]);
                y[i][c] += v * X(x_at)(j * K + c);
            }
        }
}

static void right(const struct X(coo_mat) *a, char trans)
{
    struct right r = { .k = 0 };
    T y[N][K];
    for (long n = 1; FAILS_AT(n, X(right_make)(&r, a, K, trans)); n++)
        EXPECT(r.k == 0);
    by_hand(a, trans, y);
    EXPECT(r.rows == (trans == 'N' ? M : N) && r.k == K);
    EXPECT(X(right_error)(&r, &y[0][0]) <= 1);
    EXPECT(r.bound[0] > 0 && r.bound[0] < 1000 * (double)EPS);
    y[0][1] += (R)(3 * r.bound[0]) + 8 * EPS * ABS(y[0][1]);
    EXPECT(X(right_error)(&r, &y[0][0]) > 1 && X(right_error)(&r, &y[0][0]) < 1e6);
    y[0][1] = (T)NAN;
    EXPECT(isinf(X(right_error)(&r, &y[0][0])));
    X(right_free)(&r);
}

static void copies(struct X(coo_mat) **a)
{
    const struct X(coo_mat) *before = *a;
    EXPECT(X(matrix_repeat)(a, 2000000000) == PSB_EARG && *a == before);
    EXPECT(strstr(psb_errmsg(), "expected fewer than 2^31"));
    EXPECT(X(matrix_repeat)(a, 0) == PSB_EARG && *a == before);
    good(X(matrix_repeat)(a, 1), "one copy");
    EXPECT(*a == before);
    for (long n = 1; FAILS_AT(n, X(matrix_repeat)(a, 3)); n++)
        EXPECT(*a == before);
    const struct X(coo_mat) *b = *a;
    EXPECT(b->mat.nrows == 3 * M && b->mat.ncols == 3 * N && b->mat.nnz == 3 * NNZ && X(coo_ordered)(b));
    for (int k = NNZ; k < 3 * NNZ; k++)
        EXPECT(b->ia[k] == b->ia[k - NNZ] + M && b->ja[k] == b->ja[k - NNZ] + N &&
               b->val[k] == b->val[k - NNZ]);
}

static void lists(void)
{
    const double x[] = { 3, 1, 2, 10 };
    EXPECT(stands_in("csr", "ELL,CSR") && !stands_in("cs", "ELL,CSR") && stands_in("any", NULL));
    EXPECT(median_of(x, 3) == 2 && median_of(x, 4) == 2.5 && median_of(x, 1) == 3);
}

int X(matrix_test)(int argc, char **argv)
{
    struct X(coo_mat) *a;
    psb_ctxt *ctxt;
    (void)argc, (void)argv;
    good(psb_init(&ctxt), "MPI");
    names();
    lists();
    a = taken();
    right(a, 'N');
    right(a, 'T');
    right(a, 'C');
    copies(&a);
    X(mat_free)(&a->mat);
    psb_exit(ctxt);
    return EXIT_SUCCESS;
}
