/* check_ops.c -- test: sums and products of two matrices, more than 2^31 entries, and allocation
 * failures: every format compared with a dense matrix. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "check_ops.h"

/* --- two matrices --- */

static void check_sum(struct X(coo_mat) *s, struct X(coo_mat) *t, int format, int other, T alpha, T beta)
{
    MAT *c = NULL, *like_a = NULL, *a = in_format(s, format), *b = in_format(t, other);
    DENSE d = dense_of_coo(s), e = dense_of_coo(t);
    HEAP R *slack = calloc((size_t)(d.m * d.n) + 1, sizeof *slack);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        slack[s->ia[k] * d.n + s->ja[k]] += 8 * EPS * ABS(alpha) * ABS(s->val[k]);
    for (psb_epk k = 0; k < t->mat.nnz; k++)
        slack[t->ia[k] * d.n + t->ja[k]] += 8 * EPS * ABS(beta) * ABS(t->val[k]);
    for (int k = 0; k < d.m * d.n; k++) {
        d.v[k] = alpha * d.v[k] + beta * e.v[k];
        d.times[k] = d.times[k] || e.times[k];
    }
    OK(X(mat_spaxpby)(alpha, a, beta, b, NULL, &c));
    ck_assert_ptr_eq(c->ops, X(csr_mold).mat.ops);
    dense_is_near(c, &d, slack, "spaxpby");
    OK(X(mat_spaxpby)(alpha, a, beta, b, a, &like_a));
    ck_assert_ptr_eq(like_a->ops, a->ops);
    dense_is_near(like_a, &d, slack, "spaxpby");
}

TEST(matrix_sums)
{
    for (int k = FEW - 1; k >= 0; k -= ck_step(FEW))
        for (int l = k / (FULL + 1) * (FULL + 1); l < (k / (FULL + 1) + 1) * (FULL + 1); l++) {
            COO *s = few(k, 0), *t = few(l, 1);
            check_sum(s, t, _i, l % 4, MAKE(2, 1), l % 3 ? -1 : MAKE(0.5, 3));
        }
}

/* The dense product; an entry is stored where any pair of entries contributes. */
static struct dense product(const struct dense *a, const struct dense *b, R *slack)
{
    struct dense c = dense_new(a->m, b->n);
    for (int i = 0; i < c.m; i++)
        for (int j = 0; j < c.n; j++) {
            long double _Complex sum = 0;
            long double size = 0;
            for (int k = 0; k < a->n; k++)
                if (a->times[i * a->n + k] && b->times[k * b->n + j]) {
                    sum += (long double _Complex)a->v[i * a->n + k] * b->v[k * b->n + j];
                    size += ABS(a->v[i * a->n + k]) * ABS(b->v[k * b->n + j]);
                    c.times[i * c.n + j] = 1;
                }
            c.v[i * c.n + j] = MAKE(creall(sum), cimagl(sum));
            slack[i * c.n + j] = (R)((a->n + 3) * (CPLX ? 3 : 1) * EPS * size);
        }
    return c;
}

void check_matrix_product(struct X(mat) *a, struct X(mat) *b, const struct X(coo_mat) *s,
                          const struct X(coo_mat) *t)
{
    DENSE d = dense_of_coo(s), e = dense_of_coo(t);
    HEAP R *slack = calloc((size_t)(d.m * e.n) + 1, sizeof *slack);
    DENSE want = product(&d, &e, slack);
    MAT *c = NULL;
    psb_epk n = -1, stored = 0;
    OK(X(mat_spspmm)(a, b, &c));
    ck_assert_ptr_eq(c->ops, X(csr_mold).mat.ops);
    dense_is_near(c, &want, slack, "spspmm");
    for (int k = 0; k < want.m * want.n; k++)
        stored += want.times[k];
    OK(X(mat_spspmm_size)(a, b, &n));
    ck_assert_int_eq(n, stored);
}

static const enum sample_kind factors[] = { NOTHING, SPREAD, TRIDIAG, DIAGONAL, DENSE_ROW, DENSE_COL, FULL };

TEST(matrix_products)
{
    const psb_ipk sizes[][3] = { { 0, 0, 0 },  { 0, 3, 4 },   { 3, 0, 4 },   { 3, 4, 0 },    { 1, 1, 1 },
                                 { 1, 40, 1 }, { 40, 1, 40 }, { 20, 33, 7 }, { 33, 20, 40 }, { 40, 40, 40 } };
    for (int q = 10 * 7 * 7 - 1; q >= 0; q -= ck_step(10 * 7 * 7)) {
        const psb_ipk *n = sizes[q / 49];
        COO *s = sample(factors[q % 7], n[0], n[1]), *t = sample(factors[q / 7 % 7], n[1], n[2]);
        MAT *a = in_format(s, _i), *b = in_format(t, q % 4);
        check_matrix_product(a, b, s, t);
    }
}

TEST(wrong_arguments_of_sums_and_products)
{
    COO *s = sample(SPREAD, 6, 4), *t = sample(SPREAD, 4, 5);
    struct X(mat) *none = NULL;
    MAT *a = in_format(s, _i), *b = in_format(t, _i);
    psb_epk n = -7;
    FAILS(X(mat_spaxpby)(1, NULL, 1, b, NULL, &none), PSB_EARG, "argument a ");
    FAILS(X(mat_spaxpby)(1, a, 1, NULL, NULL, &none), PSB_EARG, "argument b ");
    FAILS(X(mat_spaxpby)(1, a, 1, b, NULL, &none), PSB_EARG, "argument b is 4 x 5; expected 6 x 4");
    FAILS(X(mat_spaxpby)(1, a, 1, a, NULL, NULL), PSB_EARG, "argument c ");
    FAILS(X(mat_spspmm)(NULL, b, &none), PSB_EARG, "argument a ");
    FAILS(X(mat_spspmm)(a, NULL, &none), PSB_EARG, "argument b ");
    FAILS(X(mat_spspmm)(a, a, &none), PSB_EARG, "argument b has 6 rows; expected 4");
    FAILS(X(mat_spspmm)(a, b, NULL), PSB_EARG, "argument c ");
    FAILS(X(mat_spspmm_size)(NULL, b, &n), PSB_EARG, "argument a ");
    FAILS(X(mat_spspmm_size)(a, NULL, &n), PSB_EARG, "argument b ");
    FAILS(X(mat_spspmm_size)(b, b, &n), PSB_EARG, "argument b has 4 rows; expected 5");
    FAILS(X(mat_spspmm_size)(a, b, NULL), PSB_EARG, "argument nz ");
    ck_assert_ptr_null(none);
    ck_assert_int_eq(n, -7);
}

/* --- more than 2^31 entries --- */

/* A column of n ones times a row of n ones: n^2 entries, which can be counted but not allocated. */
TEST(more_than_2_31_entries)
{
    const psb_ipk n = 65537;
    struct X(mat) *c = NULL;
    MAT *a = NULL, *b = NULL;
    psb_epk nz = 0;
    OK(X(mat_all)(n, 1, n, &a));
    const T one = 1;
    const psb_ipk zero = 0;
    for (psb_ipk i = 0; i < n; i++)
        OK(X(mat_csput)(a, 1, &i, &zero, &one, PSB_DUPL_ADD));
    OK(X(mat_asb)(a, PSB_DUPL_ADD));
    OK(X(mat_transp)(a, &b));
    OK(X(mat_spspmm_size)(a, b, &nz));
    ck_assert_int_eq(nz, (psb_epk)n * n);
    long all = 0;
    psb_alloc_fail_at(CK_NEVER);
    OK(X(mat_spspmm_size)(a, b, &nz));
    all = ck_allocations();
    psb_alloc_fail_at(all + 9); /* after six scratch arrays, the matrix and the row pointers: the columns */
    FAILS(X(mat_spspmm)(a, b, &c), PSB_ENOMEM, "CSR columns: 4295098369 elements of 4 bytes");
    ck_assert_ptr_null(c);
    OK(X(mat_spspmm_size)(b, a, &nz));
    ck_assert_int_eq(nz, 1);
}

static bool is_equal(const struct X(mat) *a, const struct X(mat) *b)
{
    int equal = 0;
    OK(X(mat_cmpmat)(a, b, 0, &equal));
    return equal && a->nnz == b->nnz;
}

/* Without memory for the columns that are found first, they are found where they belong. */
TEST(columns_without_memory)
{
    COO *s = sample(SPREAD, 61, 61);
    MAT *a = convert(&s->mat, &X(csr_mold).mat), *want = NULL;
    long all = 0;
    int found_again = 0;
    psb_alloc_fail_at(CK_NEVER);
    OK(X(mat_spspmm)(a, a, &want));
    all = ck_allocations();
    for (long n = 1; n <= all; n++) {
        MAT *c = NULL;
        psb_alloc_fail_at(n);
        const psb_err e = X(mat_spspmm)(a, a, &c);
        psb_alloc_fail_at(0);
        ck_assert(e == PSB_OK ? c != NULL
                              : e == PSB_ENOMEM && !c && strstr(psb_errmsg(), "bytes free on the host"));
        found_again += e == PSB_OK;
        if (e == PSB_OK)
            ck_assert(is_equal(c, want));
    }
    ck_assert_int_ge(found_again, 1);
}

/* Memory of zeros that occupies no storage until it is written; NULL if there is none. */
static void *lazy_memory(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Row 0 has 2^31 + 7 zeros in column 0, and two more rows follow. */
TEST(offsets_beyond_2_31)
{
    const psb_epk wide = (psb_epk)INT32_MAX + 8, nz = wide + 3;
    const size_t nja = (size_t)nz * sizeof(psb_ipk), nval = (size_t)nz * sizeof(T);
    psb_epk *irp, ptr[4] = { 0, wide, wide + 2, nz };
    psb_ipk *ja = lazy_memory(nja), one = 1, three = 3;
    T *val = lazy_memory(nval), x[5] = { 0, 10, 0, 100, 1000 }, y[3] = { 1, 1, 1 }, eight = 8;
    struct X(mat) *a;
    psb_ipk gi[3], gj[3];
    psb_epk n;
    T gv[3];
    if (!ja || !val) {
        fprintf(stderr, "not tested: offsets beyond 2^31; no address space\n");
        return;
    }
    ja[wide] = 1, ja[wide + 1] = 3, ja[wide + 2] = 4;
    val[wide] = 5, val[wide + 1] = 6, val[wide + 2] = 7;
    OK(X(mat_new)(&X(csr_mold).mat, 3, 5, nz, &a));
    struct X(csr_mat) *c = (struct X(csr_mat) *)a;
    OK(psb_dual_init(&c->irp, 4, sizeof *irp, NULL, "rows"));
    OK(psb_dual_init(&c->ja, (size_t)nz, sizeof *ja, NULL, "columns"));
    OK(psb_dual_init(&c->val, (size_t)nz, sizeof *val, NULL, "values"));
    OK(psb_dual_write(&c->irp, PSB_HOST, &irp));
    memcpy(irp, ptr, sizeof ptr);
    psb_dual_adopt(&c->ja, ja);
    psb_dual_adopt(&c->val, val);
    a->is.state = PSB_MAT_ASB;

    ck_assert_uint_eq(X(mat_bytes)(a), sizeof ptr + nja + nval);
    OK(X(mat_get_nz_row)(a, 0, &n));
    ck_assert_int_eq(n, wide);
    OK(X(mat_csput)(a, 1, &one, &three, &eight, PSB_DUPL_OVERWRITE));
    ck_assert(val[wide + 1] == 8);
    OK(X(mat_csget)(a, &(struct psb_block){ 1, 3, 0, 5 }, 3, gi, gj, gv, &n));
    ck_assert(n == 3 && gi[2] == 2 && gj[2] == 4 && gv[1] == 8 && gv[2] == 7);
    irp[0] = wide; /* saves seconds */
    OK(X(mat_csmv)(1, a, x, 0, y, 'N'));
    ck_assert(y[0] == 0 && y[1] == 850 && y[2] == 7000);
    y[0] = 1;
    OK(X(mat_csmv)(1, a, y, 0, x, 'T'));
    ck_assert(x[0] == 0 && x[1] == 4250 && x[2] == 0 && x[3] == 6800 && x[4] == 49000);
    c->ja.host = c->val.host = NULL;
    X(mat_free)(a);
    munmap(ja, nja);
    munmap(val, nval);
}

/* --- allocation failures --- */

static psb_err solve_or_multiply(int call, struct X(mat) *a, T *x, T *y)
{
    return call == 0   ? X(mat_cssv)(1, a, x, 1, y, 'T', 'L', NULL)
           : call == 1 ? X(mat_csmm)(1, a, 2, x, 1, y, 'T')
                       : X(mat_csmm)(2, a, 2, x, 3, y, 'C');
}

/* A triangle; the COO part of HYB is large enough for several threads. */
TEST(allocation_fails)
{
    psb_epk grain = psb_set_thread_grain(8);
    use_threads(3);
    for (int f = 0; f < 3; f++) {
        COO *s = triangle(65, FULL, 1, 0);
        T x[130], y[130], before[130];
        psb_err e = PSB_ENOMEM;
        random_vector(130, x, 1);
        random_vector(130, y, 2);
        memcpy(before, y, sizeof y);
        MAT *a = triangle_in(s, _i, 1, 0);
        for (long n = 1; e != PSB_OK; n++) {
            ck_assert_int_lt(n, 100);
            psb_alloc_fail_at(n);
            e = solve_or_multiply(f, a, x, y);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || (e == PSB_ENOMEM && memcmp(y, before, sizeof y) == 0));
        }
    }
    psb_set_thread_grain(grain);
}

static Suite *operations(int n)
{
    Suite *s = suite_create("operations");
    TCase *c = ck_tcase(s, "two matrices");
    ck_add_loop_tests(c, n, matrix_sums, matrix_products, wrong_arguments_of_sums_and_products,
                      allocation_fails);
    ck_add_tests(c, columns_without_memory, more_than_2_31_entries, offsets_beyond_2_31);
    ops_products_tests(s, n);
    ops_solves_tests(s, n);
    ops_threads_tests(s, n);
    ops_gpu_tests(s);
    return s;
}

int check_ops(void)
{
    psb_ctxt *ctxt;
    const int n = formats_init(&ctxt);
    return n > 0 ? ck_end(ctxt, ck_run(operations(n))) : EXIT_FAILURE;
}
