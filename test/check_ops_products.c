/* check_ops_products.c -- test: products with many columns, of every mold, of unit triangles, and with
 * short rows: every format compared with a sum over triplets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_ops.h"

/* --- products with many columns --- */

/* Copy column c of k columns. */
static void column(psb_ipk n, psb_ipk k, psb_ipk c, const T *from, T *to)
{
    for (psb_ipk i = 0; i < n; i++)
        to[i] = from[(psb_epk)i * k + c];
}

void check_columns(const struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha,
                   const T *x, T beta, const T *before, const T *y)
{
    psb_ipk m = rows_of(a, trans), n = rows_of(a, trans == 'N' ? 'T' : 'N');
    HEAP T *x1 = new_array(n), *y0 = new_array(m), *y1 = new_array(m);
    HEAP struct want *w = calloc((size_t)m + 1, sizeof *w);
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
}

/* What must not be read is NaN. */
void check_csmm(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans, T alpha, T beta)
{
    psb_ipk m = rows_of(a, trans) * k, n = rows_of(a, trans == 'N' ? 'T' : 'N') * k;
    HEAP T *x = new_array(n), *y = new_array(m), *before = new_array(m);
    random_vector(n, x, 1);
    random_vector(m, y, 2);
    memcpy(before, y, (size_t)m * sizeof *y);
    HEAP T *hidden = new_array(n);
    memcpy(hidden, x, (size_t)n * sizeof *x);
    if (alpha == 0)
        fill_vector(n, hidden, MAKE(NAN, NAN));
    if (beta == 0)
        fill_vector(m, y, MAKE(NAN, NAN));
    OK(X(mat_csmm)(alpha, a, k, hidden, beta, y, trans));
    check_columns(a, s, k, trans, alpha, x, beta, before, y);
}

/* The same for vectors, x on a device and y at `place`, before and after the values of A change. */
void check_vect_mv(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, char trans,
                   const struct psb_vmold *place)
{
    psb_ipk m = rows_of(a, trans), n = rows_of(a, trans == 'N' ? 'T' : 'N');
    HEAP T *x = new_array(n * k), *y = new_array(m * k), *got = new_array(m * k);
    VECT *vx = NULL;
    random_vector(n * k, x, 1);
    random_vector(m * k, y, 2);
    OK(X(vect_bld)(&vx, n, k, x, &psb_vect_cuda));
    for (T factor = 2; RE(factor) > 0; factor -= 1) {
        VECT *vy = NULL;
        OK(X(vect_bld)(&vy, m, k, y, place));
        OK(X(mat_vect_mv)(factor, a, vx, -1, vy, trans));
        OK(X(get_vect)(vy, m, got));
        check_columns(a, s, k, trans, 2, x, -1, y, got);
        OK(X(mat_scal)(a, RE(factor) == 2 ? 2 : (T)0.5));
    }
}

TEST(multi_column_products)
{
    const T factor[][2] = { { 1, 0 }, { MAKE(0.7, -1.3), 1 }, { -1, MAKE(2, 1) }, { 0, 2 }, { 0, 0 } };
    const psb_ipk many[] = { 0, 1, 2, 3, 8, 9, 17 };
    for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
        COO *s = few(q, 0);
        MAT *a = in_format(s, _i);
        for (int c = 0; c < 7; c++)
            for (int t = 0; t < 3; t++)
                check_csmm(a, s, many[c], op_codes[t], factor[(q + c + t) % 5][0],
                           factor[(q + c + t) % 5][1]);
        for (int t = 0; t < 3; t++)
            for (psb_ipk k = 1; k < 5; k += 2) {
                check_vect_mv(a, s, k, op_codes[t], &psb_vect_host);
                check_vect_mv(a, s, k, op_codes[t], &psb_vect_cuda);
            }
    }
}

/* --- GPU formats with unusual molds: every kernel --- */

/* x is 1 except for a poisoned element j, on the device: the rows that have an entry in column j are not
 * finite, all others are right. */
static void check_poison(struct X(mat) *a, const struct X(coo_mat) *s, psb_ipk k, psb_ipk j, R poison)
{
    const psb_ipk m = a->nrows, n = a->ncols;
    HEAP T *x = new_array(n * k), *y = new_array(m * k);
    HEAP int *meets = calloc((size_t)m + 1, sizeof *meets);
    HEAP struct want *w = calloc((size_t)m + 1, sizeof *w);
    VECT *vx = NULL, *vy = NULL;
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
}

/* For small and larger matrices of every kind. */
static void check_gpu_format(const struct X(mat) *mold)
{
    const psb_ipk size[][2] = { { 5, 3 }, { 150, 131 }, { 30, 700 }, { 700, 30 } };
    enum { MATRICES = 4 * (FULL + 1) };
    for (int z = MATRICES - 1; z >= 0; z -= ck_step(MATRICES)) {
        const int q = z % 4;
        COO *s = sample((enum sample_kind)(z / 4), size[q][0], size[q][1]);
        MAT *a = NULL;
        OK(X(mat_convert)(&s->mat, mold, &a));
        for (psb_ipk k = 1; k < 5; k += 2) {
            check_vect_mv(a, s, k, 'N', &psb_vect_cuda);
            for (psb_ipk j = q; j < a->ncols; j += 13 * ck_step(a->ncols))
                check_poison(a, s, k, j, j % 2 ? NAN : INFINITY);
        }
    }
}

TEST(hdiag_hacks)
{
    const psb_ipk hack[] = { 0, 1, 33, 64, 128, 256, 1000 };
    struct X(hdia_mat) m = hack[_i] ? X(hdiag_mold) : X(diag_mold);
    m.hack = hack[_i];
    m.limit = 0;
    check_gpu_format(&m.mat);
}

TEST(bsrg_blocks)
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

TEST(hybg_partitions)
{
    const psb_ipk width[] = { 0, 1, 3, 1000 };
    struct X(hyb_mat) m = X(hybg_mold);
    m.partition = PSB_HYB_USER;
    m.width = width[_i];
    m.limit = 0;
    check_gpu_format(&m.mat);
}

TEST(dns_matrices)
{
    struct X(dns_mat) m = X(dnsg_mold), wrong = X(dns_mold);
    COO *s = sample(SPREAD, 900, 900);
    struct X(mat) *a = NULL;
    m.limit = 0;
    check_gpu_format(&m.mat);
    FAILS(X(mat_convert)(&s->mat, &X(dns_mold).mat, &a), PSB_EPADDING, "DNS: 900 x 900 places");
    wrong.limit = -1;
    FAILS(X(mat_convert)(&s->mat, &wrong.mat, &a), PSB_EARG, "the mold's limit is -1; expected >= 0");
    ck_assert_ptr_null(a);
}

/* HLL and HDIA with hacks other than the default. */
static void check_hack(const struct X(mat) *mold, const struct X(coo_mat) *s)
{
    MAT *a = NULL, *b = NULL, *c = NULL;
    OK(X(mat_convert)((struct X(mat) *)&s->mat, mold, &a));
    OK(X(mat_convert)(a, &X(csr_mold).mat, &b));
    OK(X(mat_convert)(b, mold, &c));
    for (int t = 0; t < 3; t++) {
        check_csmm(a, s, 1, op_codes[t], MAKE(0.7, -1.3), t ? 1 : 0);
        check_csmm(c, s, 9, op_codes[t], -1, MAKE(2, 1));
    }
}

TEST(products_of_all_hacks)
{
    const psb_ipk hack[] = { 1, 2, 7, 31, 33, 40, 63, 64, 65, 1000 };
    struct X(hll_mat) m = X(hll_mold);
    struct X(hdia_mat) d = X(hdia_mold);
    m.hack = d.hack = hack[_i];
    m.sort = _i % 2 ? 16 : 0;
    m.limit = d.limit = 0;
    for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
        COO *s = few(q, 0);
        check_hack(&m.mat, s);
        check_hack(&d.mat, s);
    }
}

/* HYB with widths other than the mold chooses. */
TEST(products_of_all_hyb_partitions)
{
    const psb_ipk width[] = { 0, 1, 2, 3, 1000 };
    struct X(hyb_mat) m = X(hyb_mold);
    m.partition = PSB_HYB_USER;
    m.width = width[_i];
    m.limit = 0;
    for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
        COO *s = few(q, 0);
        check_hack(&m.mat, s);
    }
}

/* The products include the unit diagonal. */
TEST(products_of_unit_triangles)
{
    for (int q = FEW - 1; q >= 0; q -= ck_step(FEW)) {
        COO *s = few(q, 0);
        MAT *a = in_format(s, _i);
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
    }
}

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
TEST(products_with_short_rows)
{
    COO *s = short_rows();
    MAT *a = NULL;
    T x[SHORT_COLUMNS], y[2][SHORT_ROWS];
    OK(X(mat_convert)(&s->mat, &X(csr_mold).mat, &a));
    for (int t = 0; t < 3; t++)
        check_csmm(a, s, 1, op_codes[t], MAKE(0.7, -1.3), t ? 1 : 0);
    random_vector(SHORT_COLUMNS, x, 5);
    multiply_by(1, a, x, y[0]);
    multiply_by(3, a, x, y[1]);
    ck_assert(memcmp(y[0], y[1], sizeof y[0]) == 0);
}

void ops_products_tests(Suite *s, int n)
{
    TCase *c = ck_tcase(s, "products");
    ck_add_loop_tests(c, 10, products_of_all_hacks);
    ck_add_loop_tests(c, 5, products_of_all_hyb_partitions);
    ck_add_loop_tests(c, n, multi_column_products);
    ck_add_loop_tests(c, 7, hdiag_hacks);
    ck_add_loop_tests(c, 14, bsrg_blocks);
    ck_add_loop_tests(c, 4, hybg_partitions);
    ck_add_tests(c, dns_matrices);
    ck_add_loop_tests(c, n, products_of_unit_triangles);
    ck_add_tests(c, products_with_short_rows);
}
