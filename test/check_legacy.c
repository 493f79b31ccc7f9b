/* check_legacy.c -- test: the calls with cuSPARSE's names and arguments, against dense matrices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define PSBC_CUSPARSE_NAMES
#include "psbc_cusparse_legacy.h"
#include "check_raw.h"
#include "sample.h"
#include "worst.h"

#define CU(name) PSB_CAT(PSB_CUSPARSE_NAME_, PSB_NOW)(name)
/* The arguments of a matrix. */
#define CSR(a)              (a)->m, (a)->nnz, (a)->descr, (a)->there_val, (a)->there_off, (a)->there_col
#define BSR(a)              (a)->descr, (a)->there_val, (a)->there_off, (a)->there_col, (a)->block
#define DONE(call)          status_is((call), CUSPARSE_STATUS_SUCCESS, #call, "")
#define INVALID(call, text) REFUSED(call, INVALID_VALUE, text)
/* The call returns that status, with a message that contains `text`. */
#define REFUSED(call, status, text) status_is((call), CUSPARSE_STATUS_##status, #call, text)

static void status_is(cusparseStatus_t is, cusparseStatus_t want, const char *call, const char *text)
{
    if (is != want || !strstr(psb_errmsg(), text))
        ck_abort_msg("%s: %s, %s; expected %s, %s", call, cusparseGetErrorName(is), psb_errmsg(),
                     cusparseGetErrorName(want), text);
    psb_clean_errstack();
}

/* Handles, infos of all families, and arrays, freed at the end of a block. */
#define HANDLE OWNER(free_handle) cusparseHandle_t
#define INFO   OWNER(free_info) csrilu02Info_t
#define ARRAY  OWNER(drop_array)

static cusparseHandle_t new_handle(void)
{
    cusparseHandle_t h = NULL;
    DONE(cusparseCreate(&h));
    return h;
}

static void free_handle(cusparseHandle_t *h)
{
    DONE(cusparseDestroy(*h));
}

static csrilu02Info_t new_info(void)
{
    csrilu02Info_t info = NULL;
    DONE(cusparseCreateCsrilu02Info(&info));
    return info;
}

static void free_info(csrilu02Info_t *info)
{
    DONE(cusparseDestroyCsrilu02Info(*info));
}

static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const cusparseDirection_t by_rows = CUSPARSE_DIRECTION_ROW;
static const cusparseSolvePolicy_t levels = CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                                   no_levels = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

/* A copy of the bytes where the calls expect arrays; the bytes of such a copy, which is freed if `last`. */
static void *there(const void *host, size_t bytes)
{
    const struct psb_device *on = psb_cuda_device();
    void *p = NULL;
    if (!on) {
        p = malloc(bytes + 1);
        ck_assert_ptr_nonnull(p);
        return memcpy(p, host, bytes);
    }
    OK(on->alloc(&p, bytes + 1, "an array"));
    OK(on->put(p, host, bytes));
    return p;
}

static void look(void *host, const void *p, size_t bytes)
{
    const struct psb_device *on = psb_cuda_device();
    if (on)
        OK(on->get(host, p, bytes));
    else
        memcpy(host, p, bytes);
}

static void drop(void *p)
{
    const struct psb_device *on = psb_cuda_device();
    if (on)
        on->free(p);
    else
        free(p);
}

static void drop_array(void *p)
{
    drop(*(void **)p);
}

static void back(void *host, void *p, size_t bytes)
{
    look(host, p, bytes);
    drop(p);
}

/* --- banded systems ------------------------------------------------------------------------------------- */

enum family { GTSV, NOPIVOT, STRIDED, THOMAS, LU, QR, PENTA, FAMILIES };
enum { MOST_ROWS = 33, MOST_COUNT = 70, MOST_LEN = (MOST_ROWS + 2) * MOST_COUNT, GAP = 77 };

/* Systems, or right-hand sides of one (GTSV, NOPIVOT); element i of system s of diagonal k is diag[k][i row +
 * s system], of x at i row + s rhs. */
struct bands {
    enum family family;
    int m, count, ld, width;
    int row, system, rhs;
    T diag[5][MOST_LEN], x[MOST_LEN];
};

static void fill_bands(struct bands *p, enum family family, int m, int count)
{
    struct rng r = { (uint64_t)(family * 1000 + m * 10 + count) };
    const bool one = family <= NOPIVOT, between = family >= THOMAS;
    const bool dominant = family == NOPIVOT || family == STRIDED || family == THOMAS;
    *p = (struct bands){ .family = family, .m = m, .count = count, .ld = m + 2 };
    p->width = family == PENTA ? 2 : 1;
    p->row = between ? count : 1;
    p->rhs = between ? 1 : p->ld;
    p->system = one ? 0 : p->rhs;
    for (int k = 0; k < MOST_LEN; k++) {
        p->x[k] = GAP;
        for (int d = 0; d < 5; d++)
            p->diag[d][k] = (T)NAN;
    }
    for (int s = 0; s < count; s++)
        for (int i = 0; i < m; i++) {
            for (int d = 0; d <= 2 * p->width; d++)
                if (i + d >= p->width && i + d - p->width < m)
                    p->diag[d][i * p->row + s * p->system] = random_scalar(&r) + (dominant && d == 1 ? 4 : 0);
            p->x[i * p->row + s * p->rhs] = random_scalar(&r);
        }
}

static cusparseStatus_t solve_bands(cusparseHandle_t h, enum family family, int m, int count, int ld,
                                    T *const *d, T *x)
{
    switch (family) {
    case GTSV:
        return CU(gtsv2)(h, m, count, d[0], d[1], d[2], x, ld, NULL);
    case NOPIVOT:
        return CU(gtsv2_nopivot)(h, m, count, d[0], d[1], d[2], x, ld, NULL);
    case STRIDED:
        return CU(gtsv2StridedBatch)(h, m, d[0], d[1], d[2], x, count, ld, NULL);
    case PENTA:
        return CU(gpsvInterleavedBatch)(h, 0, m, d[0], d[1], d[2], d[3], d[4], x, count, NULL);
    default:
        return CU(gtsvInterleavedBatch)(h, family - THOMAS, m, d[0], d[1], d[2], x, count, NULL);
    }
}

static cusparseStatus_t size_of_bands(cusparseHandle_t h, enum family family, size_t *size)
{
    switch (family) {
    case GTSV:
        return CU(gtsv2_bufferSizeExt)(h, 1, 1, NULL, NULL, NULL, NULL, 1, size);
    case NOPIVOT:
        return CU(gtsv2_nopivot_bufferSizeExt)(h, 1, 1, NULL, NULL, NULL, NULL, 1, size);
    case STRIDED:
        return CU(gtsv2StridedBatch_bufferSizeExt)(h, 1, NULL, NULL, NULL, NULL, 1, 1, size);
    case PENTA:
        return CU(gpsvInterleavedBatch_bufferSizeExt)(h, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1, size);
    default:
        return CU(gtsvInterleavedBatch_bufferSizeExt)(h, family - THOMAS, 1, NULL, NULL, NULL, NULL, 1, size);
    }
}

/* The solutions are right by their residuals, and elements between them are as they were. */
static void check_bands(const struct bands *p, const T *x)
{
    int elements = 0;
    for (int s = 0; s < p->count; s++) {
        double most = 0, worst = 0;
        for (int i = 0; i < p->m; i++) {
            double complex r = p->x[i * p->row + s * p->rhs];
            for (int d = 0; d <= 2 * p->width; d++) {
                const int j = i + d - p->width;
                if (j >= 0 && j < p->m) {
                    const double complex t = (double complex)p->diag[d][i * p->row + s * p->system] *
                                             x[j * p->row + s * p->rhs];
                    r -= t;
                    most = fmax(most, cabs(t));
                }
            }
            worst = worse(worst, cabs(r));
        }
        if (!(worst <= 300 * (double)EPS * (1 + most)))
            ck_abort_msg("family %d, m %d, count %d, system %d: residual %g", (int)p->family, p->m, p->count,
                         s, worst);
        elements += p->m;
    }
    for (int k = 0; k < MOST_LEN; k++)
        elements -= x[k] != GAP;
    ck_assert_int_eq(elements, 0);
}

TEST(legacy_bands)
{
    static const int sizes[] = { 1, 2, 3, 5, MOST_ROWS }, counts[] = { 1, 3, MOST_COUNT };
    static struct bands p;
    static T x[MOST_LEN];
    HANDLE h = new_handle();
    size_t size = 0;
    DONE(size_of_bands(h, (enum family)_i, &size));
    ck_assert_uint_eq(size, 1);
    for (int k = 0; k < 15; k++) {
        T *d[5];
        fill_bands(&p, (enum family)_i, sizes[k % 5], counts[k / 5]);
        for (int i = 0; i < 5; i++)
            d[i] = there(p.diag[i], sizeof p.diag[i]);
        T *at = there(p.x, sizeof p.x);
        DONE(solve_bands(h, p.family, p.m, p.count, p.ld, d, at));
        back(x, at, sizeof x);
        check_bands(&p, x);
        for (int i = 0; i < 5; i++) {
            back(x, d[i], sizeof x);
            ck_assert(memcmp(x, p.diag[i], sizeof x) == 0);
        }
    }
}

TEST(wrong_legacy_bands)
{
    static struct bands p;
    const enum family family = (enum family)_i;
    HANDLE h = new_handle();
    T *d[5], *none[5] = { NULL };
    fill_bands(&p, family, 4, 3);
    for (int i = 0; i < 5; i++)
        d[i] = there(p.diag[i], sizeof p.diag[i]);
    ARRAY T *x = there(p.x, sizeof p.x);
    INVALID(solve_bands(NULL, family, 4, 3, 4, d, x), "argument handle is NULL");
    INVALID(solve_bands(h, family, -1, 3, 4, d, x), "argument m is -1; expected at least 0");
    INVALID(solve_bands(h, family, 4, -2, 4, d, x), "is -2; expected at least 0");
    INVALID(solve_bands(h, family, 4, 3, 4, none, x), "argument diag[0] is NULL");
    INVALID(solve_bands(h, family, 4, 3, 4, d, NULL), "argument x is NULL");
    if (family <= STRIDED)
        INVALID(solve_bands(h, family, 4, 3, 3, d, x), "is 3; expected at least 4");
    INVALID(size_of_bands(h, family, NULL), "address of the result is NULL");
    INVALID(CU(gtsvInterleavedBatch)(h, 3, 1, d[0], d[1], d[2], x, 1, NULL), "0 <= algo < 3");
    INVALID(CU(gpsvInterleavedBatch)(h, 1, 1, d[0], d[1], d[2], d[3], d[4], x, 1, NULL), "0 <= algo < 1");
    DONE(solve_bands(h, family, 0, 3, 4, none, NULL));
    T got[12];
    look(got, x, sizeof got);
    ck_assert(memcmp(got, p.x, sizeof got) == 0);
    memset(p.diag, 0, sizeof p.diag);
    drop(d[0]);
    drop(d[p.width]);
    d[p.width] = there(p.diag[0], sizeof p.diag[0]);
    d[0] = d[p.width];
    REFUSED(solve_bands(h, family, 1, 1, 1, d, x), ZERO_PIVOT, "the pivot of row 0 in system 0 is 0");
    for (int i = 1; i < 5; i++)
        drop(d[i]);
}

/* --- matrices ------------------------------------------------------------------------------------------- */

enum { ROWS = 24, MOST_NNZ = ROWS * ROWS };

/* A matrix of m x n elements in CSR, or blocks in BSR, from `base`, and its elements; its arrays for the
 * calls.
 */
struct rows {
    int m, n, nnz, base, block, dir, upper, unit;
    int off[ROWS + 1], col[MOST_NNZ];
    T val[MOST_NNZ];
    double complex at[ROWS][ROWS];
    bool is[ROWS][ROWS];
    int *there_off, *there_col;
    T *there_val;
    cusparseMatDescr_t descr;
};

/* Compress the elements, and copy the arrays. */
static void compress_rows(struct rows *a)
{
    const int n = a->block;
    a->nnz = 0;
    for (int i = 0; i <= a->m; i++) {
        a->off[i] = a->nnz + a->base;
        for (int j = 0; i < a->m && j < a->n; j++)
            if (a->is[i][j]) {
                for (int k = 0; k < n * n; k++) {
                    const int row = a->dir ? k % n : k / n, col = a->dir ? k / n : k % n;
                    const double complex v = a->at[i * n + row][j * n + col];
                    a->val[a->nnz * n * n + k] = CPLX ? MAKE(creal(v), cimag(v)) : (T)creal(v);
                }
                a->col[a->nnz++] = j + a->base;
            }
    }
    a->there_off = there(a->off, sizeof a->off);
    a->there_col = there(a->col, sizeof a->col);
    a->there_val = there(a->val, sizeof a->val);
    DONE(cusparseCreateMatDescr(&a->descr));
    DONE(cusparseSetMatIndexBase(a->descr, (cusparseIndexBase_t)a->base));
    DONE(cusparseSetMatFillMode(a->descr, (cusparseFillMode_t)a->upper));
    DONE(cusparseSetMatDiagType(a->descr, (cusparseDiagType_t)a->unit));
}

static void drop_rows(struct rows *a)
{
    drop(a->there_off);
    drop(a->there_col);
    drop(a->there_val);
    DONE(cusparseDestroyMatDescr(a->descr));
}

/* A random Hermitian pattern, with a dominant diagonal if `definite`, else with a large one. */
static void fill_rows(struct rows *a, int turn, bool definite)
{
    struct rng r = { (uint64_t)turn + 100 };
    *a = (struct rows){ .m = ROWS, .n = ROWS, .base = turn % 2, .block = 1 };
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= i; j++)
            if (i == j || rng_below(&r, 4) == 0) {
                a->is[i][j] = a->is[j][i] = true;
                a->at[i][j] = i == j ? ROWS : random_scalar(&r);
                a->at[j][i] = definite ? conj(a->at[i][j]) : random_scalar(&r);
            }
    for (int i = 0; i < ROWS && !definite; i++)
        a->at[i][i] = 3 + random_scalar(&r);
}

/* The reference: elimination in the pattern; a pivot of modulus <= tol becomes boost; returns the first pivot
 * that is missing or 0, or -1. */
static int factor_dense(struct rows *a, double tol, double complex boost)
{
    int bad = -1;
    for (int i = 0; i < a->m; i++) {
        for (int c = 0; c < i; c++)
            if (a->is[i][c]) {
                a->at[i][c] /= a->at[c][c];
                for (int j = c + 1; j < a->n; j++)
                    if (a->is[i][j] && a->is[c][j])
                        a->at[i][j] -= a->at[i][c] * a->at[c][j];
            }
        if (a->is[i][i] && cabs(a->at[i][i]) <= tol)
            a->at[i][i] = boost;
        bad = bad < 0 && (!a->is[i][i] || a->at[i][i] == 0) ? i : bad;
    }
    return bad;
}

static void factor_dense_cholesky(struct rows *a)
{
    for (int i = 0; i < a->m; i++)
        for (int c = 0; c <= i; c++)
            if (a->is[i][c]) {
                for (int j = 0; j < c; j++)
                    if (a->is[i][j] && a->is[c][j])
                        a->at[i][c] -= a->at[i][j] * conj(a->at[c][j]);
                a->at[i][c] = c == i ? csqrt(a->at[i][i]) : a->at[i][c] / conj(a->at[c][c]);
            }
}

/* The values for the calls are the elements, in rows before `last`. */
static void check_rows(const struct rows *a, int last)
{
    T val[MOST_NNZ];
    int k = 0;
    look(val, a->there_val, sizeof val);
    for (int i = 0; i < last; i++)
        for (int j = 0; j < a->n; j++)
            if (a->is[i][j] && !(cabs(val[k++] - a->at[i][j]) <= 200 * (double)EPS * (1 + cabs(a->at[i][j]))))
                ck_abort_msg("element %d %d: %g + %g i; expected %g + %g i", i, j, (double)RE(val[k - 1]),
                             (double)IM(val[k - 1]), creal(a->at[i][j]), cimag(a->at[i][j]));
}

/* --- incomplete factors --------------------------------------------------------------------------------- */

static cusparseStatus_t analyse(cusparseHandle_t h, const struct rows *a, bool cholesky, csrilu02Info_t info)
{
    return (cholesky ? CU(csric02_analysis) : CU(csrilu02_analysis))(h, CSR(a), info, no_levels, NULL);
}

static cusparseStatus_t factor(cusparseHandle_t h, const struct rows *a, bool cholesky, csrilu02Info_t info)
{
    return (cholesky ? CU(csric02) : CU(csrilu02))(h, CSR(a), info, levels, NULL);
}

/* The first pivot that is missing or 0, in the pointer mode of h. */
static int zero_pivot(cusparseHandle_t h, csrilu02Info_t info)
{
    cusparsePointerMode_t mode;
    int at = -7;
    int *p = there(&at, sizeof at);
    DONE(cusparseGetPointerMode(h, &mode));
    const bool on_dev = mode == CUSPARSE_POINTER_MODE_DEVICE;
    const cusparseStatus_t is = cusparseXcsrilu02_zeroPivot(h, info, on_dev ? p : &at);
    if (on_dev)
        look(&at, p, sizeof at);
    drop(p);
    ck_assert(is == (at < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    psb_clean_errstack();
    return at;
}

/* Twice: other values in the same pattern. */
TEST(legacy_factors)
{
    static struct rows a, b;
    const bool cholesky = _i / 2 % 2;
    HANDLE h = new_handle();
    INFO info = new_info();
    size_t size;
    int small;
    fill_rows(&a, _i, cholesky);
    b = a;
    compress_rows(&a);
    DONE((cholesky ? CU(csric02_bufferSize) : CU(csrilu02_bufferSize))(h, CSR(&a), info, &small));
    DONE((cholesky ? CU(csric02_bufferSizeExt) : CU(csrilu02_bufferSizeExt))(h, CSR(&a), info, &size));
    ck_assert(size == 1 && small == 1);
    DONE(analyse(h, &a, cholesky, info));
    ck_assert_int_eq(zero_pivot(h, info), -1);
    for (int turn = 0; turn < 2; turn++) {
        psb_transfers_reset();
        DONE(factor(h, &a, cholesky, info));
        ck_assert(psb_transfers("arrays of the caller").gets == 0 &&
                  psb_transfers("arrays of the caller").puts == 0); /* on a device, too */
        ck_assert_int_eq(zero_pivot(h, info), -1);
        memcpy(a.at, b.at, sizeof a.at);
        for (int i = 0; i < ROWS; i++)
            a.at[i][i] *= turn + 1;
        if (cholesky)
            factor_dense_cholesky(&a);
        else
            ck_assert_int_eq(factor_dense(&a, 0, 0), -1);
        check_rows(&a, ROWS);
        drop_rows(&a);
        a = b;
        for (int i = 0; i < ROWS; i++)
            a.at[i][i] *= 2;
        compress_rows(&a);
    }
    drop_rows(&a);
}

/* Row `at` gets a pivot that is 0, or none. */
static void spoil_pivot(struct rows *a, int at, bool missing)
{
    a->is[at][at] = !missing;
    a->at[at][at] = 0;
    for (int j = 0; j < at; j++)
        a->is[at][j] = a->is[j][at] = false;
}

TEST(legacy_zero_pivots)
{
    static struct rows a;
    const bool missing = _i % 2, cholesky = _i / 2 % 2, on_dev = _i / 4;
    HANDLE h = new_handle();
    INFO info = new_info();
    double tol = 0.5;
    T boost = CPLX ? MAKE(2, 1) : 2;
    ARRAY double *tol_there = there(&tol, sizeof tol);
    ARRAY T *boost_there = there(&boost, sizeof boost);
    if (on_dev)
        DONE(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
    fill_rows(&a, _i, cholesky);
    spoil_pivot(&a, 11, missing);
    compress_rows(&a);
    DONE(analyse(h, &a, cholesky, info));
    ck_assert_int_eq(zero_pivot(h, info), missing ? 11 + a.base : -1);
    DONE(factor(h, &a, cholesky, info));
    ck_assert_int_eq(zero_pivot(h, info), 11 + a.base);
    if (cholesky)
        factor_dense_cholesky(&a);
    else
        ck_assert_int_eq(factor_dense(&a, 0, 0), 11);
    check_rows(&a, 11);
    if (!cholesky && !missing) {
        drop_rows(&a);
        fill_rows(&a, _i, false);
        spoil_pivot(&a, 11, missing);
        compress_rows(&a);
        DONE(CU(csrilu02_numericBoost)(h, info, 1, on_dev ? tol_there : &tol, on_dev ? boost_there : &boost));
        DONE(factor(h, &a, cholesky, info));
        ck_assert_int_eq(zero_pivot(h, info), -1);
        ck_assert_int_eq(factor_dense(&a, tol, boost), -1);
        check_rows(&a, ROWS);
        DONE(CU(csrilu02_numericBoost)(h, info, 0, NULL, NULL));
    }
    drop_rows(&a);
}

TEST(wrong_legacy_factors)
{
    static struct rows a;
    HANDLE h = new_handle();
    const bool cholesky = _i;
    INFO info = new_info();
    fill_rows(&a, 0, cholesky);
    compress_rows(&a);
    REFUSED(factor(h, &a, cholesky, info), NOT_INITIALIZED, "has no analysis of a matrix of 24 rows");
    INVALID(analyse(NULL, &a, cholesky, info), "argument handle is NULL");
    INVALID(analyse(h, &a, cholesky, NULL), "argument info is NULL");
    DONE(analyse(h, &a, cholesky, info));
    REFUSED(factor(h, &a, !cholesky, info), NOT_INITIALIZED, "has no analysis");
    struct rows b = a;
    b.there_val = NULL;
    INVALID(factor(h, &b, cholesky, info), "argument values is NULL");
    b = a;
    b.nnz--;
    REFUSED(factor(h, &b, cholesky, info), NOT_INITIALIZED, "has no analysis");
    INVALID(analyse(h, &b, cholesky, info), "from->off");
    b = a;
    b.m = -1;
    INVALID(analyse(h, &b, cholesky, info), "argument m is -1");
    b = a;
    b.descr = NULL;
    INVALID(analyse(h, &b, cholesky, info), "argument descr is NULL");
    b = a;
    b.col[0] = a.col[1];
    b.col[1] = a.col[0];
    b.there_col = there(b.col, sizeof b.col);
    INVALID(analyse(h, &b, cholesky, info), "expected those of a row ascending");
    drop(b.there_col);
    DONE(cusparseSetMatType(a.descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    REFUSED(analyse(h, &a, cholesky, info), NOT_SUPPORTED, "has type 1; expected 0");
    INVALID(cusparseXcsrilu02_zeroPivot(h, info, NULL), "argument position is NULL");
    INVALID(CU(csrilu02_numericBoost)(h, info, 1, NULL, NULL), "argument tol is NULL");
    check_rows(&a, ROWS);
    drop_rows(&a);
}

/* --- colours and thresholds ----------------------------------------------------------------------------- */

TEST(legacy_colours)
{
    static struct rows a;
    int colour[ROWS] = { 0 }, order[ROWS] = { 0 }, n = -1, *there_colour = there(colour, sizeof colour),
        *there_order = there(order, sizeof order);
    HANDLE h = new_handle();
    INFO info = new_info();
    const R all = 1;
    fill_rows(&a, _i, false);
    compress_rows(&a);
    DONE(CU(csrcolor)(h, CSR(&a), &all, &n, there_colour, there_order, info));
    look(colour, there_colour, sizeof colour);
    look(order, there_order, sizeof order);
    int used = 0;
    for (int i = 0; i < ROWS; i++) {
        ck_assert(colour[i] >= 0 && colour[i] < n);
        used = colour[i] + 1 > used ? colour[i] + 1 : used;
        for (int j = 0; j < i; j++)
            ck_assert(!a.is[i][j] || colour[i] != colour[j]);
        ck_assert(i == 0 || colour[order[i - 1]] < colour[order[i]] ||
                  (colour[order[i - 1]] == colour[order[i]] && order[i - 1] < order[i]));
    }
    ck_assert_int_eq(used, n);
    DONE(CU(csrcolor)(h, CSR(&a), &all, &n, there_colour, NULL, info));
    INVALID(CU(csrcolor)(h, CSR(&a), &all, &n, NULL, NULL, info), "argument coloring is NULL");
    INVALID(CU(csrcolor)(h, a.m, a.nnz + 1, a.descr, a.there_val, a.there_off, a.there_col, &all, &n,
                         there_colour, NULL, info),
            "from->off");
    drop(there_colour);
    drop(there_order);
    drop_rows(&a);
}

/* The elements that are not above t are dropped from a, as the reference. */
static void drop_below(struct rows *a, double t)
{
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->n; j++)
            a->is[i][j] = a->is[i][j] && !(cabs(a->at[i][j]) <= t);
    compress_rows(a);
}

/* The arrays are those of a. */
static void check_arrays(const struct rows *a, const T *there_val, const int *there_off, const int *there_col)
{
    static T val[MOST_NNZ];
    int off[ROWS + 1], col[MOST_NNZ];
    look(off, there_off, ((size_t)a->m + 1) * sizeof *off);
    look(col, there_col, (size_t)a->nnz * sizeof *col);
    look(val, there_val, (size_t)a->nnz * sizeof *val);
    ck_assert(memcmp(off, a->off, ((size_t)a->m + 1) * sizeof *off) == 0);
    ck_assert(memcmp(col, a->col, (size_t)a->nnz * sizeof *col) == 0);
    for (int k = 0; k < a->nnz; k++)
        ck_assert(val[k] == a->val[k]);
}

/* A random matrix of 24 x 9, not square, with some zeros that are stored. */
static void fill_oblong(struct rows *a, int turn)
{
    struct rng r = { (uint64_t)turn + 500 };
    *a = (struct rows){ .m = ROWS, .n = 9, .base = turn % 2, .block = 1 };
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->n; j++) {
            a->is[i][j] = rng_below(&r, 3) == 0;
            a->at[i][j] = a->is[i][j] && rng_below(&r, 5) ? (double complex)random_scalar(&r) : 0;
        }
}

TEST(legacy_compression)
{
    static struct rows a, want;
    HANDLE h = new_handle();
    const double t = _i / 2 * 0.3;
    const T tol = CPLX ? MAKE(t, 100) : (T)t;
    int per_row[ROWS] = { 0 }, n = -1;
    fill_oblong(&a, _i);
    want = a;
    compress_rows(&a);
    drop_below(&want, (double)(R)t);
    int *there_rows = there(per_row, sizeof per_row), *off = there(a.off, sizeof a.off);
    ARRAY int *col = there(a.col, sizeof a.col);
    ARRAY T *val = there(a.val, sizeof a.val);
    DONE(CU(nnz_compress)(h, a.m, a.descr, a.there_val, a.there_off, there_rows, &n, tol));
    ck_assert_int_eq(n, want.nnz);
    look(per_row, there_rows, sizeof per_row);
    for (int i = 0; i < ROWS; i++)
        ck_assert_int_eq(per_row[i], want.off[i + 1] - want.off[i]);
    DONE(CU(csr2csr_compress)(h, a.m, a.n, a.descr, a.there_val, a.there_col, a.there_off, a.nnz, there_rows,
                              val, col, off, tol));
    check_arrays(&want, val, off, col);
    INVALID(CU(nnz_compress)(h, a.m, a.descr, a.there_val, a.there_off, there_rows, &n, -1),
            "argument tol is -1; expected at least 0");
    INVALID(CU(nnz_compress)(h, -1, a.descr, a.there_val, a.there_off, there_rows, &n, 0),
            "argument m is -1");
    INVALID(CU(nnz_compress)(h, a.m, a.descr, a.there_val, a.there_off, there_rows, NULL, 0),
            "argument nnzC is NULL");
    INVALID(CU(csr2csr_compress)(h, a.m, a.n, a.descr, a.there_val, a.there_col, a.there_off, a.nnz,
                                 there_rows, val, NULL, off, 0),
            "argument csrColIndC is NULL");
    INVALID(CU(csr2csr_compress)(h, a.m, 3, a.descr, a.there_val, a.there_col, a.there_off, a.nnz, there_rows,
                                 val, col, off, 0),
            psb_cuda_device() ? "expected a matrix of 24 x 3" : "argument from->col[");
    a.off[3] = a.off[2] - 1;
    ARRAY int *wrong = there(a.off, sizeof a.off);
    INVALID(CU(nnz_compress)(h, a.m, a.descr, a.there_val, wrong, there_rows, &n, 0),
            "argument csrSortedRowPtrA[3] is");
    drop(there_rows);
    drop(off);
    drop_rows(&a);
    drop_rows(&want);
}

#if !CPLX
static int by_modulus(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The threshold that cuSPARSE documents for a percentage of the stored entries, or of all elements. */
static double threshold_of(const struct rows *a, bool dense, double percentage)
{
    double size[ROWS * ROWS];
    int n = 0;
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->n; j++)
            if (dense || a->is[i][j])
                size[n++] = cabs(a->at[i][j]);
    qsort(size, (size_t)n, sizeof *size, by_modulus);
    const int at = (int)ceil(n * (percentage / 100)) - 1;
    return size[at < 0 ? 0 : at > n - 1 ? n - 1 : at];
}

/* Prune a, dense with 2 rows more than it has or in CSR: the number and offsets, then values and columns. */
static void prune_in_calls(cusparseHandle_t h, const struct rows *a, bool dense, bool share, T t, int *n,
                           T *val, int *off, int *col)
{
    static T d[(ROWS + 2) * ROWS];
    INFO info = new_info();
    size_t size[4] = { 0 };
    const int ld = a->m + 2;
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->n; j++)
            d[i + j * ld] = (T)creal(a->at[i][j]);
    T *D = there(d, sizeof d);
    const cusparseMatDescr_t x = a->descr;
    const T *v = a->there_val;
    const int *p = a->there_off, *q = a->there_col;
    if (dense && share) {
        DONE(CU(pruneDense2csrByPercentage_bufferSizeExt)(h, a->m, a->n, D, ld, (float)t, x, val, off, col,
                                                          info, &size[0]));
        DONE(CU(pruneDense2csrNnzByPercentage)(h, a->m, a->n, D, ld, (float)t, x, off, n, info, NULL));
        DONE(CU(pruneDense2csrByPercentage)(h, a->m, a->n, D, ld, (float)t, x, val, off, col, info, NULL));
    } else if (dense) {
        DONE(CU(pruneDense2csr_bufferSizeExt)(h, a->m, a->n, D, ld, &t, x, val, off, col, &size[0]));
        DONE(CU(pruneDense2csrNnz)(h, a->m, a->n, D, ld, &t, x, off, n, NULL));
        DONE(CU(pruneDense2csr)(h, a->m, a->n, D, ld, &t, x, val, off, col, NULL));
    } else if (share) {
        DONE(CU(pruneCsr2csrByPercentage_bufferSizeExt)(h, a->m, a->n, a->nnz, x, v, p, q, (float)t, x, val,
                                                        off, col, info, &size[0]));
        DONE(CU(pruneCsr2csrNnzByPercentage)(h, a->m, a->n, a->nnz, x, v, p, q, (float)t, x, off, n, info,
                                             NULL));
        DONE(CU(pruneCsr2csrByPercentage)(h, a->m, a->n, a->nnz, x, v, p, q, (float)t, x, val, off, col, info,
                                          NULL));
    } else {
        DONE(CU(pruneCsr2csr_bufferSizeExt)(h, a->m, a->n, a->nnz, x, v, p, q, &t, x, val, off, col,
                                            &size[0]));
        DONE(CU(pruneCsr2csrNnz)(h, a->m, a->n, a->nnz, x, v, p, q, &t, x, off, n, NULL));
        DONE(CU(pruneCsr2csr)(h, a->m, a->n, a->nnz, x, v, p, q, &t, x, val, off, col, NULL));
    }
    ck_assert_uint_eq(size[0], 1);
    drop(D);
}

TEST(legacy_pruning)
{
    static struct rows a, want;
    static const double amounts[2][5] = { { 0, 0.2, 0.5, 2, 0.01 }, { 0, 30, 72.5, 100, 99 } };
    const bool dense = _i % 2, share = _i / 2;
    HANDLE h = new_handle();
    for (int k = 0; k < 5; k++) {
        int n = -1;
        fill_oblong(&a, 2 * k + _i);
        want = a;
        compress_rows(&a);
        drop_below(&want,
                   share ? threshold_of(&a, dense, (double)(float)amounts[1][k]) : (double)(T)amounts[0][k]);
        int *off = there(a.off, sizeof a.off), *col = there(a.col, sizeof a.col);
        ARRAY T *val = there(a.val, sizeof a.val);
        prune_in_calls(h, &a, dense, share, (T)amounts[share][k], &n, val, off, col);
        ck_assert_int_eq(n, want.nnz);
        check_arrays(&want, val, off, col);
        drop(off);
        drop(col);
        drop_rows(&a);
        drop_rows(&want);
    }
}

TEST(wrong_legacy_pruning)
{
    static struct rows a;
    HANDLE h = new_handle();
    const T good = 1, low = -1;
    int n;
    fill_oblong(&a, 1);
    compress_rows(&a);
    INVALID(CU(pruneDense2csrNnz)(h, 3, 2, a.there_val, 2, &good, a.descr, a.there_off, &n, NULL),
            "argument lda is 2; expected at least 3");
    INVALID(CU(pruneDense2csrNnz)(h, 3, 2, NULL, 3, &good, a.descr, a.there_off, &n, NULL),
            "argument A is NULL");
    INVALID(CU(pruneDense2csrNnz)(h, 3, 2, a.there_val, 3, &low, a.descr, a.there_off, &n, NULL),
            "argument threshold is -1; expected at least 0");
    INVALID(CU(pruneDense2csrNnz)(h, 3, 2, a.there_val, 3, &good, a.descr, NULL, &n, NULL),
            "argument csrRowPtrC is NULL");
    INVALID(CU(pruneDense2csrNnz)(h, 3, 2, a.there_val, 3, NULL, a.descr, a.there_off, &n, NULL),
            "argument threshold is NULL");
    INVALID(CU(pruneCsr2csrNnzByPercentage)(h, a.m, a.n, a.nnz, a.descr, a.there_val, a.there_off,
                                            a.there_col, 101, a.descr, a.there_off, &n, NULL, NULL),
            "argument percentage is 101; expected 0 to 100");
    drop_rows(&a);
}
#endif

/* --- triangles of blocks -------------------------------------------------------------------------------- */

enum { MOST_COLS = 3, MOST_LD = 30 };

/* Blocks in the whole matrix; bits of turn: order in a block, base, upper, unit. missing: a block row without
 * its diagonal block; scale: of values, in the same pattern. */
static void fill_blocks(struct rows *a, int turn, int block, int missing, double scale)
{
    struct rng r = { (uint64_t)(turn + 100 * block) };
    *a = (struct rows){ .m = 20 / block,
                        .n = 20 / block,
                        .block = block,
                        .dir = turn % 2,
                        .base = turn / 2 % 2,
                        .upper = turn / 4 % 2,
                        .unit = turn / 8 % 2 };
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->m; j++) {
            a->is[i][j] = (i == j && i != missing) || (i != j && rng_below(&r, 3) == 0);
            for (int k = 0; k < block * block && a->is[i][j]; k++) {
                const int row = i * block + k / block, col = j * block + k % block;
                a->at[row][col] = (0.1 * random_scalar(&r) + (row == col ? 1 : 0)) * scale;
            }
        }
    compress_rows(a);
}

/* Element (i, j) of op of the triangle. */
static double complex triangle_at(const struct rows *a, int op, int i, int j)
{
    const int row = op ? j : i, col = op ? i : j;
    const double complex v = row == col && a->unit                              ? 1
                             : row == col || (a->upper ? row < col : row > col) ? a->at[row][col]
                                                                                : 0;
    return op == 2 ? conj(v) : v;
}

/* Check op(A) x = alpha b for column c, elements at i row + c col. */
static void check_solution(const struct rows *a, int op, double complex alpha, const T *b, int b_row,
                           const T *x, int x_row)
{
    const int m = a->m * a->block;
    for (int i = 0; i < m; i++) {
        double complex r = alpha * b[i * b_row];
        double size = cabs(r);
        for (int j = 0; j < m; j++) {
            const double complex t = triangle_at(a, op, i, j) * x[j * x_row];
            r -= t;
            size += cabs(t);
        }
        if (!(cabs(r) <= 100 * (double)EPS * size))
            ck_abort_msg("block %d, row %d, op %d: residual %g", a->block, i, op, cabs(r));
    }
}

static cusparseStatus_t analyse_blocks(cusparseHandle_t h, const struct rows *a, bsrsv2Info_t info)
{
    return CU(bsrsv2_analysis)(h, (cusparseDirection_t)a->dir, plain, a->m, a->nnz, BSR(a), info, levels,
                               NULL);
}

static cusparseStatus_t solve_blocks(cusparseHandle_t h, const struct rows *a, int op, const T *alpha,
                                     bsrsv2Info_t info, const T *f, T *x)
{
    return CU(bsrsv2_solve)(h, (cusparseDirection_t)a->dir, (cusparseOperation_t)op, a->m, a->nnz, alpha,
                            BSR(a), info, f, x, levels, NULL);
}

/* In turns in place, and with other values. */
TEST(legacy_block_triangles)
{
    static struct rows a;
    static const int sizes[] = { 1, 2, 5 };
    HANDLE h = new_handle();
    struct rng r = { 3 };
    const T alpha = random_scalar(&r);
    T b[ROWS], x[ROWS];
    for (int turn = 0; turn < 3; turn++) {
        INFO info = new_info();
        size_t size = 0;
        int small = 0;
        for (int op = 0; op < 3; op++) {
            fill_blocks(&a, _i, sizes[turn], -1, op + 1);
            if (op == 0) {
                DONE(CU(bsrsv2_bufferSize)(h, by_rows, plain, a.m, a.nnz, BSR(&a), info, &small));
                DONE(CU(bsrsv2_bufferSizeExt)(h, by_rows, plain, a.m, a.nnz, BSR(&a), info, &size));
                ck_assert(size == 1 && small == 1);
                DONE(analyse_blocks(h, &a, info));
            }
            for (int i = 0; i < ROWS; i++)
                b[i] = random_scalar(&r);
            T *f = there(b, sizeof b), *y = op == 1 ? f : there(b, sizeof b);
            psb_transfers_reset();
            DONE(solve_blocks(h, &a, op, &alpha, info, f, y));
            ck_assert(psb_transfers("arrays of the caller").gets == 0 &&
                      psb_transfers("vectors of the caller").gets == 0);
            ck_assert_int_eq(zero_pivot(h, info), -1);
            look(x, y, sizeof x);
            check_solution(&a, op, alpha, b, 1, x, 1);
            drop(f);
            if (y != f)
                drop(y);
            drop_rows(&a);
        }
    }
}

/* Several right-hand sides, in columns or rows with gaps between them; alpha on the device. */
TEST(legacy_block_columns)
{
    static struct rows a;
    static T b[ROWS * MOST_LD], x[ROWS * MOST_LD];
    HANDLE h = new_handle();
    struct rng r = { 4 };
    const T alpha = random_scalar(&r);
    ARRAY T *there_alpha = there(&alpha, sizeof alpha);
    INFO info = new_info();
    DONE(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
    fill_blocks(&a, _i, 2, -1, 1);
    const cusparseDirection_t dir = (cusparseDirection_t)a.dir;
    for (int turn = 0; turn < 18; turn++) {
        const int op = turn % 3, xy = turn / 3 % 2, gap = turn / 6, m = a.m * a.block, n = MOST_COLS;
        const int ldb = (xy ? n : m) + gap, ldx = (xy ? n : m) + gap / 2;
        const cusparseOperation_t trans = (cusparseOperation_t)op, t = (cusparseOperation_t)xy;
        for (int i = 0; i < ROWS * MOST_LD; i++) {
            b[i] = random_scalar(&r);
            x[i] = GAP;
        }
        T *B = there(b, sizeof b), *to = there(x, sizeof x);
        DONE(CU(bsrsm2_analysis)(h, dir, trans, t, a.m, n, a.nnz, BSR(&a), info, levels, NULL));
        DONE(CU(bsrsm2_solve)(h, dir, trans, t, a.m, n, a.nnz, there_alpha, BSR(&a), info, B, ldb, to, ldx,
                              levels, NULL));
        back(x, to, sizeof x);
        drop(B);
        int written = 0;
        for (int c = 0; c < n; c++)
            check_solution(&a, op, alpha, b + c * (xy ? 1 : ldb), xy ? ldb : 1, x + c * (xy ? 1 : ldx),
                           xy ? ldx : 1);
        for (int i = 0; i < ROWS * MOST_LD; i++)
            written += x[i] != GAP;
        ck_assert_int_eq(written, m * n);
    }
    INVALID(CU(bsrsm2_solve)(h, dir, CUSPARSE_OPERATION_TRANSPOSE, plain, a.m, 2, a.nnz, there_alpha, BSR(&a),
                             info, a.there_val, 19, a.there_val, 20, levels, NULL),
            "argument ldb is 19; expected at least 20");
    drop_rows(&a);
}

/* Factors of a, in its values; ILU(0) or IC(0). */
static cusparseStatus_t factor_blocks(cusparseHandle_t h, const struct rows *a, bool cholesky, bool analysis,
                                      bsrilu02Info_t info)
{
    const cusparseDirection_t dir = (cusparseDirection_t)a->dir;
    if (analysis)
        return (cholesky ? CU(bsric02_analysis) : CU(bsrilu02_analysis))(h, dir, a->m, a->nnz, BSR(a), info,
                                                                         levels, NULL);
    return (cholesky ? CU(bsric02) : CU(bsrilu02))(h, dir, a->m, a->nnz, BSR(a), info, levels, NULL);
}

/* The values for the calls are the elements in all blocks of a; of those above the diagonal only `upper`. */
static void check_blocks(const struct rows *a, bool upper)
{
    struct rows got = *a;
    int k = 0;
    look(got.val, a->there_val, sizeof got.val);
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->m; j++)
            for (int e = 0; a->is[i][j] && e < a->block * a->block; e++, k++) {
                const int p = a->dir ? e % a->block : e / a->block, q = a->dir ? e / a->block : e % a->block;
                const int row = i * a->block + p, col = j * a->block + q;
                const double complex want = a->at[row][col];
                if ((upper || col <= row) &&
                    !(cabs(got.val[k] - want) <= 200 * (double)EPS * (1 + cabs(want))))
                    ck_abort_msg("element %d %d: %g; expected %g", row, col, (double)RE(got.val[k]),
                                 creal(want));
                else if (!upper && col > row)
                    ck_assert(got.val[k] == a->val[k]);
            }
}

/* The scalars of a as a matrix of its own; with `mirror` a becomes Hermitian first. */
static void expand_blocks(struct rows *a, bool mirror, struct rows *e)
{
    const int n = a->block;
    *e = (struct rows){ .m = a->m * n, .n = a->m * n, .block = 1 };
    for (int i = 0; i < e->m; i++)
        for (int j = 0; j < e->n; j++) {
            if (mirror && i < j) {
                a->is[i / n][j / n] = a->is[j / n][i / n];
                a->at[i][j] = conj(a->at[j][i]);
            }
            if (mirror && i == j)
                a->at[i][i] = 3 + creal(a->at[i][i]);
        }
    for (int i = 0; i < e->m; i++)
        for (int j = 0; j < e->n; j++) {
            e->is[i][j] = a->is[i / n][j / n];
            e->at[i][j] = a->at[i][j];
        }
}

/* Factors of blocks are those of their scalars; a block without an inverse is named by its row. */
TEST(legacy_block_factors)
{
    static struct rows a, want;
    const bool cholesky = _i / 4;
    HANDLE h = new_handle();
    INFO info = new_info();
    double tol = 1e-3;
    T boost = 2;
    size_t size;
    int small;
    for (int turn = 0; turn < 3; turn++) {
        fill_blocks(&a, _i % 4, 1 + turn, -1, 1);
        drop_rows(&a);
        expand_blocks(&a, cholesky, &want);
        if (turn == 2)
            for (int i = 0; i < want.m; i++)
                want.at[7][i] = want.at[i][7] = a.at[7][i] = a.at[i][7] = 0;
        compress_rows(&a);
        const cusparseDirection_t dir = (cusparseDirection_t)a.dir;
        DONE((cholesky ? CU(bsric02_bufferSize) : CU(bsrilu02_bufferSize))(h, dir, a.m, a.nnz, BSR(&a), info,
                                                                           &small));
        DONE((cholesky ? CU(bsric02_bufferSizeExt) : CU(bsrilu02_bufferSizeExt))(h, dir, a.m, a.nnz, BSR(&a),
                                                                                 info, &size));
        ck_assert(size == 1 && small == 1);
        REFUSED(factor_blocks(h, &a, cholesky, false, info), NOT_INITIALIZED, "has no analysis");
        DONE(factor_blocks(h, &a, cholesky, true, info));
        ck_assert_int_eq(zero_pivot(h, info), -1);
        REFUSED(factor_blocks(h, &a, !cholesky, false, info), NOT_INITIALIZED, "has no analysis");
        DONE(factor_blocks(h, &a, cholesky, false, info));
        ck_assert_int_eq(zero_pivot(h, info), turn == 2 ? 7 / 3 + a.base : -1);
        if (cholesky)
            factor_dense_cholesky(&want);
        else
            ck_assert_int_eq(factor_dense(&want, 0, 0), turn == 2 ? 7 : -1);
        if (turn == 2 && !cholesky) {
            drop_rows(&a);
            compress_rows(&a);
            DONE(CU(bsrilu02_numericBoost)(h, info, 1, &tol, &boost));
            DONE(factor_blocks(h, &a, false, false, info));
            ck_assert_int_eq(zero_pivot(h, info), -1);
        }
        memcpy(a.at, want.at, sizeof a.at);
        if (turn < 2)
            check_blocks(&a, !cholesky);
        drop_rows(&a);
    }
}

TEST(wrong_legacy_blocks)
{
    static struct rows a, b;
    HANDLE h = new_handle();
    const T alpha = 1;
    INFO info = new_info();
    T x[ROWS] = { 0 }, *y = there(x, sizeof x);
    fill_blocks(&a, _i, 2, -1, 1);
    REFUSED(solve_blocks(h, &a, 0, &alpha, info, y, y), NOT_INITIALIZED, "has no analysis of this triangle");
    INVALID(analyse_blocks(h, &a, NULL), "argument info is NULL");
    DONE(analyse_blocks(h, &a, info));
    INVALID(solve_blocks(h, &a, 3, &alpha, info, y, y), "argument transA is 3");
    INVALID(solve_blocks(h, &a, 0, NULL, info, y, y), "argument alpha is NULL");
    INVALID(solve_blocks(h, &a, 0, &alpha, info, y, NULL), "argument X is NULL");
    INVALID(solve_blocks(h, &a, 0, &alpha, info, NULL, y), "argument B is NULL");
    b = a;
    b.block = 0;
    INVALID(analyse_blocks(h, &b, info), "argument blockDim is 0; expected at least 1");
    b = a;
    b.dir = 2;
    INVALID(analyse_blocks(h, &b, info), "argument dirA is 2");
    b = a;
    b.nnz--;
    INVALID(analyse_blocks(h, &b, info), "from->off");
    DONE(cusparseSetMatFillMode(a.descr, (cusparseFillMode_t)!a.upper));
    REFUSED(solve_blocks(h, &a, 0, &alpha, info, y, y), NOT_INITIALIZED, "has no analysis of this triangle");
    drop_rows(&a);
    fill_blocks(&a, _i, 2, 6, 1);
    DONE(analyse_blocks(h, &a, info));
    ck_assert_int_eq(zero_pivot(h, info), a.unit ? -1 : 6 + a.base);
    if (!a.unit)
        DONE(solve_blocks(h, &a, 0, &alpha, info, y, y));
    drop_rows(&a);
    fill_blocks(&a, _i, 2, -1, 1);
    DONE(analyse_blocks(h, &a, info));
    ck_assert_int_eq(zero_pivot(h, info), -1);
    for (int k = a.off[7] - a.base; k < a.off[8] - a.base; k++)
        if (a.col[k] == 7 + a.base)
            a.val[4 * k + 3] = 0;
    drop(a.there_val);
    a.there_val = there(a.val, sizeof a.val);
    DONE(solve_blocks(h, &a, 0, &alpha, info, y, y));
    ck_assert_int_eq(zero_pivot(h, info), a.unit ? -1 : 7 + a.base);
    drop_rows(&a);
    drop(y);
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* A call of each kind on a, whose values may change; info: of factors, or of a triangle of blocks. */
static cusparseStatus_t call_of_kind(cusparseHandle_t h, int kind, const struct rows *a, csrilu02Info_t info,
                                     int *ints, T *values)
{
    const R all = 1;
    const T one = 1;
    int n;
    switch (kind) {
    case 0:
    case 1: {
        const cusparseStatus_t e = analyse(h, a, kind, info);
        return e == CUSPARSE_STATUS_SUCCESS ? factor(h, a, kind, info) : e;
    }
    case 2:
        return CU(csrcolor)(h, CSR(a), &all, &n, ints, ints + ROWS, info);
    case 3: {
        const cusparseStatus_t e = CU(nnz_compress)(h, a->m, a->descr, a->there_val, a->there_off, ints, &n,
                                                    one);
        return e != CUSPARSE_STATUS_SUCCESS
                   ? e
                   : CU(csr2csr_compress)(h, a->m, a->n, a->descr, a->there_val, a->there_col, a->there_off,
                                          a->nnz, ints, values, ints, ints + MOST_NNZ, one);
    }
    case 4: {
        const cusparseStatus_t e = factor_blocks(h, a, false, true, info);
        return e == CUSPARSE_STATUS_SUCCESS ? factor_blocks(h, a, false, false, info) : e;
    }
    default: {
        const cusparseStatus_t e = CU(bsrsm2_analysis)(h, by_rows, plain, plain, a->m, 2, a->nnz, a->descr,
                                                       a->there_val, a->there_off, a->there_col, 1, info,
                                                       no_levels, NULL);
        return e != CUSPARSE_STATUS_SUCCESS
                   ? e
                   : CU(bsrsm2_solve)(h, by_rows, plain, plain, a->m, 2, a->nnz, &one, a->descr, a->there_val,
                                      a->there_off, a->there_col, 1, info, values, ROWS, values, ROWS,
                                      no_levels, NULL);
    }
    }
}

/* Each allocation fails in turn: an error without leaks, or the host does the work of the device. */
TEST(memory_for_legacy_calls)
{
    static struct rows a;
    static T zeros[MOST_NNZ];
    static int none[2 * MOST_NNZ];
    HANDLE h = new_handle();
    cusparseStatus_t e = CUSPARSE_STATUS_SUCCESS;
    int failed = 0;
    fill_rows(&a, 0, true);
    compress_rows(&a);
    ARRAY int *ints = there(none, sizeof none);
    ARRAY T *values = there(zeros, sizeof zeros);
    for (int n = 1; n <= 150; n++) {
        INFO info = new_info();
        psb_alloc_fail_at(n);
        e = call_of_kind(h, _i, &a, info, ints, values);
        psb_alloc_fail_at(0);
        failed += e != CUSPARSE_STATUS_SUCCESS;
        if (e != CUSPARSE_STATUS_SUCCESS)
            REFUSED(e, ALLOC_FAILED, "out of memory");
    }
    ck_assert(e == CUSPARSE_STATUS_SUCCESS && failed > 3);
    drop_rows(&a);
}

/* --- handles and descriptions --------------------------------------------------------------------------- */

TEST(legacy_handles)
{
    cusparseHandle_t h = NULL, other;
    cusparseMatDescr_t a;
    csrilu02Info_t info;
    cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
    cudaStream_t stream;
    INVALID(cusparseCreate(NULL), "argument handle is NULL");
    DONE(cusparseCreate(&h));
    DONE(cusparseCreate(&other));
    DONE(cusparseGetPointerMode(h, &mode));
    ck_assert(mode == CUSPARSE_POINTER_MODE_HOST);
    DONE(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
    DONE(cusparseGetPointerMode(h, &mode));
    ck_assert(mode == CUSPARSE_POINTER_MODE_DEVICE);
    DONE(cusparseGetPointerMode(other, &mode));
    ck_assert(mode == CUSPARSE_POINTER_MODE_HOST);
    INVALID(cusparseSetPointerMode(h, (cusparsePointerMode_t)2), "argument mode is 2");
    DONE(cusparseGetStream(h, &stream));
    ck_assert(stream == NULL);
    DONE(cusparseDestroy(h));
    INVALID(cusparseSetStream(h, NULL), "argument handle is freed");
    DONE(cusparseDestroy(other));
    DONE(cusparseCreateMatDescr(&a));
    ck_assert(cusparseGetMatType(a) == CUSPARSE_MATRIX_TYPE_GENERAL);
    ck_assert(cusparseGetMatIndexBase(a) == CUSPARSE_INDEX_BASE_ZERO);
    DONE(cusparseSetMatType(a, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
    DONE(cusparseSetMatFillMode(a, CUSPARSE_FILL_MODE_UPPER));
    DONE(cusparseSetMatDiagType(a, CUSPARSE_DIAG_TYPE_UNIT));
    DONE(cusparseSetMatIndexBase(a, CUSPARSE_INDEX_BASE_ONE));
    ck_assert(cusparseGetMatType(a) == CUSPARSE_MATRIX_TYPE_TRIANGULAR);
    ck_assert(cusparseGetMatFillMode(a) == CUSPARSE_FILL_MODE_UPPER);
    ck_assert(cusparseGetMatDiagType(a) == CUSPARSE_DIAG_TYPE_UNIT);
    ck_assert(cusparseGetMatIndexBase(a) == CUSPARSE_INDEX_BASE_ONE);
    INVALID(cusparseSetMatIndexBase(a, (cusparseIndexBase_t)2), "argument base is 2");
    DONE(cusparseDestroyMatDescr(a));
    INVALID(cusparseSetMatType(a, CUSPARSE_MATRIX_TYPE_GENERAL), "argument descr is freed");
    static cusparseStatus_t (*const create[])(csrilu02Info_t *) = {
        cusparseCreateCsrilu02Info, cusparseCreateCsric02Info, cusparseCreateBsrilu02Info,
        cusparseCreateBsric02Info,  cusparseCreateBsrsv2Info,  cusparseCreateBsrsm2Info,
        cusparseCreateColorInfo,    cusparseCreatePruneInfo
    };
    static cusparseStatus_t (*const destroy[])(csrilu02Info_t) = {
        cusparseDestroyCsrilu02Info, cusparseDestroyCsric02Info, cusparseDestroyBsrilu02Info,
        cusparseDestroyBsric02Info,  cusparseDestroyBsrsv2Info,  cusparseDestroyBsrsm2Info,
        cusparseDestroyColorInfo,    cusparseDestroyPruneInfo
    };
    for (int k = 0; k < 8; k++) {
        DONE(create[k](&info));
        DONE(destroy[k](info));
        DONE(destroy[k](NULL));
    }
    for (int k = 0; k <= CUSPARSE_STATUS_INSUFFICIENT_RESOURCES; k++) {
        const char *const name = cusparseGetErrorName((cusparseStatus_t)k), *const words =
                                                                                cusparseGetErrorString(
                                                                                    (cusparseStatus_t)k);
        ck_assert(strncmp(name, "CUSPARSE_STATUS_", 16) == 0 && *words);
        for (int j = 0; j < k; j++)
            ck_assert(strcmp(name, cusparseGetErrorName((cusparseStatus_t)j)) != 0 &&
                      strcmp(words, cusparseGetErrorString((cusparseStatus_t)j)) != 0);
    }
    ck_assert_str_eq(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT");
    ck_assert_str_eq(cusparseGetErrorString(CUSPARSE_STATUS_SUCCESS), "success");
    ck_assert_str_eq(cusparseGetErrorName((cusparseStatus_t)99), "unrecognized error code");
}

void add_legacy(TCase *c)
{
    ck_add_loop_tests(c, FAMILIES, legacy_bands, wrong_legacy_bands);
    ck_add_loop_tests(c, 4, legacy_factors);
    ck_add_loop_tests(c, 8, legacy_zero_pivots);
    ck_add_loop_tests(c, 2, wrong_legacy_factors);
    ck_add_loop_tests(c, 4, legacy_colours);
    ck_add_loop_tests(c, 6, legacy_compression);
#if !CPLX
    ck_add_loop_tests(c, 4, legacy_pruning);
    ck_add_tests(c, wrong_legacy_pruning);
#endif
    ck_add_loop_tests(c, 16, legacy_block_triangles, wrong_legacy_blocks);
    ck_add_loop_tests(c, 4, legacy_block_columns);
    ck_add_loop_tests(c, 8, legacy_block_factors);
    ck_add_loop_tests(c, 6, memory_for_legacy_calls);
    ck_add_tests(c, legacy_handles);
}
