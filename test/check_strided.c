/* check_strided.c -- test: products of a matrix and dense arrays by rows and columns, sampled products,
 * batches, semirings, small solves; on the host and on a device, against sums over triplets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "psb_cuda.h"
#include "psb_pool.h"
#include "gpu.h"
#include "check_raw.h"

/* A batch of dense matrices op(X), m x n, in an array with gaps; what is beside their elements is NaN. */
struct dense_array {
    psb_dense d;
    psb_ipk m, n, batch;
    psb_epk len;
    T *p;
};

static void free_dense_array(struct dense_array *x)
{
    free(x->p);
}

#define ARRAY OWNER(free_dense_array) struct dense_array

static T *element_of(const struct dense_array *x, psb_ipk b, psb_ipk i, psb_ipk j)
{
    const psb_ipk s = x->d.op == 'N' ? i : j, t = x->d.op == 'N' ? j : i;
    return x->p + b * x->d.stride + (x->d.order == PSB_BY_ROWS ? s * x->d.ld + t : s + t * x->d.ld);
}

/* Its value in op(X). */
static T value_in(const struct dense_array *x, psb_ipk b, psb_ipk i, psb_ipk j)
{
    const T v = *element_of(x, b, i, j);
    return x->d.op == 'C' ? CONJ(v) : v;
}

static struct dense_array make_dense(char op, enum psb_order order, psb_ipk m, psb_ipk n, psb_ipk batch,
                                     int gap)
{
    const bool by_rows = (order == PSB_BY_ROWS) == (op == 'N');
    struct dense_array x = { { op, order, (by_rows ? n : m) + gap, 0 }, m, n, batch, 0, NULL };
    struct rng r = { (uint64_t)(m * 100 + n) };
    x.d.stride = x.d.ld * (by_rows ? m : n) + gap;
    x.len = x.d.stride * batch + 1;
    x.p = malloc((size_t)x.len * sizeof *x.p);
    ck_assert_ptr_nonnull(x.p);
    for (psb_epk e = 0; e < x.len; e++)
        x.p[e] = NAN;
    for (psb_ipk b = 0; b < batch; b++)
        for (psb_ipk i = 0; i < m; i++)
            for (psb_ipk j = 0; j < n; j++)
                *element_of(&x, b, i, j) = random_scalar(&r);
    return x;
}

static struct dense_array copy_of_dense(const struct dense_array *x)
{
    struct dense_array y = *x;
    y.p = malloc((size_t)x->len * sizeof *y.p);
    ck_assert_ptr_nonnull(y.p);
    memcpy(y.p, x->p, (size_t)x->len * sizeof *y.p);
    return y;
}

static bool same_bits(const struct dense_array *x, const struct dense_array *y)
{
    return memcmp(x->p, y->p, (size_t)x->len * sizeof *x->p) == 0;
}

static T *on_device(const T *p, psb_epk n)
{
    void *there;
    OK(psb_cuda_device()->alloc(&there, (size_t)(n + 1) * sizeof *p, "theirs"));
    OK(psb_cuda_device()->put(there, p, (size_t)n * sizeof *p));
    return there;
}

static void from_device(T *p, T *there, psb_epk n)
{
    OK(psb_cuda_device()->get(p, there, (size_t)n * sizeof *p));
    psb_cuda_device()->free(there);
}

static struct X(mat) *sample_in(const char *format, enum sample_kind kind, psb_ipk m, psb_ipk n)
{
    COO *a = sample(kind, m, n);
    struct X(mat) *b;
    OK(psb_mat_convert(&a->mat, X(mat_by_name)(format), &b));
    return b;
}

/* The entries of a matrix, by rows. */
struct entries {
    psb_epk nz;
    psb_ipk *i, *j;
    T *val;
};

static void free_entries(struct entries *t)
{
    free(t->i);
    free(t->j);
    free(t->val);
}

#define ENTRIES OWNER(free_entries) struct entries

static struct entries entries_of(const struct X(mat) *a)
{
    const psb_epk n = psb_mat_get_nzeros(a);
    struct entries t = { 0, malloc((size_t)(n + 1) * sizeof(psb_ipk)),
                         malloc((size_t)(n + 1) * sizeof(psb_ipk)), malloc((size_t)(n + 1) * sizeof(T)) };
    ck_assert(t.i && t.j && t.val);
    OK(psb_mat_csget(a, NULL, n, t.i, t.j, t.val, &t.nz));
    ck_assert_int_eq(t.nz, n);
    return t;
}

static bool is_near(T got, double complex want, psb_epk terms)
{
    const double complex d = (double complex)got - want;
    return cabs(d) <= 20 * (double)EPS * ((double)terms + 2) || (T)want == got;
}

/* --- sampled products ----------------------------------------------------------------------------------- */

/* psb_mat_sddmm with the arrays on the host or the device. */
static psb_err compute_samples_on(bool there, T alpha, psb_ipk k, const struct dense_array *x,
                                  const struct dense_array *y, T beta, struct X(mat) *c)
{
    if (!there)
        return psb_mat_sddmm(alpha, k, &x->d, x->p, &y->d, y->p, beta, c, NULL);
    T *const px = on_device(x->p, x->len), *const py = on_device(y->p, y->len);
    const psb_err e = psb_mat_sddmm(alpha, k, &x->d, px, &y->d, py, beta, c, &psb_vect_cuda);
    psb_cuda_device()->free(px);
    psb_cuda_device()->free(py);
    return e;
}

static void samples_are_right(const struct entries *was, const struct entries *got, T alpha, psb_ipk k,
                              const struct dense_array *x, const struct dense_array *y, T beta)
{
    for (psb_epk e = 0; e < was->nz; e++) {
        double complex s = 0;
        for (psb_ipk c = 0; alpha != 0 && c < k; c++)
            s += (double complex)value_in(x, 0, was->i[e], c) * value_in(y, 0, c, was->j[e]);
        s = alpha * s + (beta == 0 ? 0 : beta * was->val[e]);
        if (!is_near(got->val[e], s, 4 * k))
            ck_abort_msg("k %d, entry %d: error %g", k, (int)e, (double)ABS((T)(got->val[e] - s)));
    }
}

static void check_samples(psb_ipk m, psb_ipk n, psb_ipk k, char op_x, char op_y, int orders, T alpha, T beta)
{
    ARRAY x = make_dense(op_x, orders % 2 ? PSB_BY_COLS : PSB_BY_ROWS, m, k, 1, orders / 4);
    ARRAY y = make_dense(op_y, orders / 2 % 2 ? PSB_BY_COLS : PSB_BY_ROWS, k, n, 1, orders / 4);
    MAT *here = sample_in("csr", SPREAD, m, n), *there = sample_in("csrg", SPREAD, m, n);
    ENTRIES was = entries_of(here);
    OK(compute_samples_on(false, alpha, k, &x, &y, beta, here));
    OK(compute_samples_on(true, alpha, k, &x, &y, beta, there));
    ck_assert(was.nz == 0 || psb_mat_is_dev(there));
    ENTRIES got = entries_of(here);
    samples_are_right(&was, &got, alpha, k, &x, &y, beta);
    ENTRIES device = entries_of(there);
    ck_assert(memcmp(device.val, got.val, (size_t)got.nz * sizeof(T)) == 0);
}

TEST(sampled_products)
{
    static const psb_ipk sizes[][3] = { { 0, 0, 0 },    { 0, 5, 3 },   { 5, 0, 3 },
                                        { 1, 1, 1 },    { 7, 5, 0 },   { 33, 20, 8 },
                                        { 20, 33, 19 }, { 70, 9, 70 }, { 40, 40, 1 } };
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
        for (int orders = 0; orders < 8; orders++)
            check_samples(sizes[z][0], sizes[z][1], sizes[z][2], op_codes[_i % 3], op_codes[_i / 3], orders,
                          orders == 7 ? 0 : MAKE(2, 1), orders % 3);
}

/* Values that are not finite are not read where a factor is 0; any number of threads has the same bits. */
TEST(samples_by_threads)
{
    const psb_epk grain = psb_set_thread_grain(1);
    ARRAY x = make_dense('N', PSB_BY_ROWS, 50, 21, 1, 0), y = make_dense('T', PSB_BY_ROWS, 21, 60, 1, 0);
    MAT *want = sample_in("csr", DENSE_ROW, 50, 60);
    OK(psb_mat_scal(want, NAN));
    OK(compute_samples_on(false, 1, 21, &x, &y, 0, want));
    ENTRIES first = entries_of(want);
    for (int threads = 2; threads <= 30; threads += 7) {
        MAT *c = sample_in("csr", DENSE_ROW, 50, 60);
#ifdef _OPENMP
        omp_set_num_threads(threads);
#endif
        OK(compute_samples_on(false, 1, 21, &x, &y, 0, c));
        ENTRIES got = entries_of(c);
        ck_assert(memcmp(first.val, got.val, (size_t)got.nz * sizeof(T)) == 0);
        OK(psb_mat_sddmm(0, 21, &x.d, (T *)NULL, &y.d, (T *)NULL, 0, c, NULL));
        ENTRIES none = entries_of(c);
        for (psb_epk e = 0; e < none.nz; e++)
            ck_assert(none.val[e] == 0);
    }
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
    psb_set_thread_grain(grain);
}

/* --- products ------------------------------------------------------------------------------------------- */

/* psb_mat_spmm with the arrays on the host or the device; nval: elements of val. */
static psb_err multiply_arrays(bool there, const psb_products *q, T alpha, const struct X(mat) *a,
                               const T *val, psb_epk nval, const struct dense_array *x, T beta,
                               struct dense_array *y)
{
    if (!there)
        return psb_mat_spmm(q, alpha, a, val, x->p, beta, y->p, NULL);
    T *const px = on_device(x->p, x->len), *const py = on_device(y->p, y->len);
    T *const pv = val ? on_device(val, nval) : NULL;
    psb_transfers_reset();
    const psb_err e = psb_mat_spmm(q, alpha, a, pv, px, beta, py, &psb_vect_cuda);
    ck_assert(psb_transfers("columns by rows").gets == 0);
    from_device(y->p, py, y->len);
    psb_cuda_device()->free(px);
    if (pv)
        psb_cuda_device()->free(pv);
    return e;
}

static const T nothing_of[] = { 0, INFINITY, -INFINITY, 0 };

/* s and another term. */
static double complex term_added(psb_semiring over, double complex s, T a, T x)
{
    const double p = (double)RE(over == PSB_MIN_PLUS ? a + x : a * x);
    switch (over) {
    case PSB_MIN_PLUS:
        return p < creal(s) ? p : s;
    case PSB_MAX_TIMES:
        return p > creal(s) ? p : s;
    case PSB_OR_AND:
        return a != 0 && x != 0 ? 1 : s;
    default:
        return s + (double complex)a * x;
    }
}

/* Element (i, j) of product b. */
static double complex wanted(const psb_products *q, T alpha, const struct entries *a, const T *val,
                             const struct dense_array *x, T beta, T old, psb_ipk b, psb_ipk i, psb_ipk j)
{
    double complex s = nothing_of[q->over];
    for (psb_epk e = 0; e < a->nz && alpha != 0; e++) {
        const T v = val ? val[b * q->stride + e] : a->val[e];
        const psb_ipk row = q->op == 'N' ? a->i[e] : a->j[e], col = q->op == 'N' ? a->j[e] : a->i[e];
        if (row == i)
            s = term_added(q->over, s, q->op == 'C' ? CONJ(v) : v, value_in(x, b, col, j));
    }
    if (q->over == PSB_PLUS_TIMES)
        return alpha * s + (beta == 0 ? 0 : beta * old);
    return beta == 0 ? s : term_added(q->over, s, q->over == PSB_MIN_PLUS ? 0 : 1, old);
}

static void products_are_right(const psb_products *q, T alpha, const struct entries *a, const T *val,
                               const struct dense_array *x, T beta, const struct dense_array *was,
                               const struct dense_array *got)
{
    ARRAY rest = copy_of_dense(got);
    for (psb_ipk b = 0; b < q->batch; b++)
        for (psb_ipk i = 0; i < got->m; i++)
            for (psb_ipk j = 0; j < q->k; j++) {
                const T old = *element_of(was, b, i, j);
                const double complex w = wanted(q, alpha, a, val, x, beta, old, b, i, j);
                const T v = *element_of(got, b, i, j);
                if (!is_near(v, w, 4 * x->m))
                    ck_abort_msg("op %c, over %d, product %d, element %d %d: %g for %g", q->op, (int)q->over,
                                 b, i, j, (double)RE(v), creal(w));
                *element_of(&rest, b, i, j) = old;
            }
    ck_assert(same_bits(&rest, was));
}

/* q and the orders are set; a in `format`, on the host or, if `there`, with the arrays on the device. */
static void check_product(psb_products q, char op_x, int orders, const char *format, bool there, psb_ipk m,
                          psb_ipk n, bool own, T alpha, T beta)
{
    const psb_ipk my = q.op == 'N' ? m : n, mx = q.op == 'N' ? n : m;
    ARRAY x = make_dense(op_x, orders % 2 ? PSB_BY_COLS : PSB_BY_ROWS, mx, q.k, q.batch, orders / 4);
    ARRAY y = make_dense('N', orders / 2 % 2 ? PSB_BY_COLS : PSB_BY_ROWS, my, q.k, q.batch, orders / 4);
    ARRAY was = copy_of_dense(&y);
    MAT *a = sample_in(format, SPREAD, m, n);
    ENTRIES t = entries_of(a);
    const psb_epk nval = (t.nz + 1) * (q.batch + 1);
    HEAP T *val = new_array(nval);
    struct rng r = { 7 };
    for (psb_epk e = 0; e < nval; e++)
        val[e] = e % 9 ? random_scalar(&r) : 0;
    q.x = x.d;
    q.y = y.d;
    q.stride = own ? t.nz + 1 : 77;
    OK(multiply_arrays(there, &q, alpha, a, own ? val : NULL, nval, &x, beta, &y));
    products_are_right(&q, alpha, &t, own ? val : NULL, &x, beta, &was, &y);
}

static const psb_ipk shapes[][4] = { { 0, 0, 0, 0 },  { 0, 5, 3, 2 },  { 5, 0, 3, 2 },   { 5, 5, 0, 2 },
                                     { 5, 4, 3, 0 },  { 1, 1, 1, 1 },  { 33, 20, 4, 1 }, { 20, 33, 1, 1 },
                                     { 9, 7, 1, 70 }, { 9, 7, 3, 40 }, { 33, 40, 70, 2 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* All operations and orders, in several formats. */
TEST(products_by_rows_and_columns)
{
    static const char *const formats[] = { "csr", "coo", "hll", "csrg", "hlg" };
    for (int z = 0; z < SHAPES; z++)
        for (int orders = 0; orders < 8; orders++) {
            const psb_ipk *s = shapes[z];
            const int f = (z + orders) % 5;
            const psb_products q = { .op = op_codes[_i % 3], .k = s[2], .batch = s[3] };
            check_product(q, op_codes[_i / 3], orders, formats[f], f > 2, s[0], s[1], false,
                          orders == 5 ? 0 : MAKE(2, 1), orders % 3);
        }
}

/* Each product with values of its own; other semirings; both. */
TEST(products_of_all_kinds)
{
    for (int z = 0; z < SHAPES; z++)
        for (int kind = 0; kind < 12; kind++) {
            const psb_ipk *s = shapes[z];
            const bool own = kind % 2;
            const psb_semiring over = kind / 2 % 2 ? PSB_OR_AND
                                      : CPLX       ? PSB_PLUS_TIMES
                                                   : (psb_semiring)(kind / 4);
            const psb_products q = {
                .op = own ? 'N' : op_codes[_i % 3], .over = over, .k = s[2], .batch = s[3]
            };
            for (int there = 0; there < 2; there++)
                check_product(q, op_codes[_i / 3], (z + kind) % 8, there ? "csrg" : "csr", there, s[0], s[1],
                              own, 1, kind / 3 % 2);
        }
}

/* The device has the bits of the host, also in long rows. */
static void check_bits_of_product(enum psb_semiring over, enum sample_kind kind, psb_ipk m, psb_ipk n)
{
    ARRAY x = make_dense('N', PSB_BY_COLS, n, 5, 6, 1), y = make_dense('N', PSB_BY_ROWS, m, 5, 6, 2);
    ARRAY z = copy_of_dense(&y), was = copy_of_dense(&y);
    MAT *a = sample_in("csr", kind, m, n), *b = sample_in("csrg", kind, m, n);
    ENTRIES of = entries_of(a);
    const psb_products q = { .op = 'N', .over = over, .k = 5, .batch = 6, .stride = 3, x.d, y.d };
    const psb_epk nval = psb_mat_get_nzeros(a) + 18;
    HEAP T *val = new_array(nval);
    random_vector((psb_ipk)nval, val, 5);
    OK(multiply_arrays(false, &q, 1, a, val, nval, &x, 1, &y));
    OK(multiply_arrays(true, &q, 1, b, val, nval, &x, 1, &z));
    ck_assert(same_bits(&y, &z));
    products_are_right(&q, 1, &of, val, &x, 1, &was, &y);
}

TEST(same_products_everywhere)
{
    static const psb_ipk lengths[] = { 30, 128, 129, 257, 700, 8192, 8193, 9000 };
    const enum psb_semiring over = (enum psb_semiring)_i;
    if (CPLX && over != PSB_PLUS_TIMES && over != PSB_OR_AND)
        return;
    check_bits_of_product(over, TWICE, 40, 30);
    check_bits_of_product(over, FULL, 40, 300);
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
        check_bits_of_product(over, DENSE_ROW, 3, lengths[n]);
}

/* Long rows, which blocks of threads share, with one and several columns. */
TEST(products_of_long_rows)
{
    static const psb_ipk lengths[] = { 256, 257, 2044, 9000 }, columns[] = { 1, 2, 5, 8, 70 };
    for (int z = 0; z < 20; z++) {
        const psb_ipk n = lengths[z / 5], k = columns[z % 5];
        ARRAY x = make_dense('N', PSB_BY_ROWS, n, k, 1, 0), y = make_dense('N', PSB_BY_ROWS, 6, k, 1, 0);
        ARRAY was = copy_of_dense(&y);
        MAT *a = sample_in("csrg", n > 2000 ? DENSE_ROW : FULL, 6, n);
        ENTRIES of = entries_of(a);
        const psb_products q = { .op = 'N', .k = k, .batch = 1, .x = x.d, .y = y.d };
        OK(multiply_arrays(true, &q, MAKE(2, 1), a, NULL, 0, &x, 1, &y));
        products_are_right(&q, MAKE(2, 1), &of, NULL, &x, 1, &was, &y);
    }
}

/* A matrix and vectors at strides; one vector for all. */
TEST(one_vector_for_many_matrices)
{
    ARRAY x = make_dense('N', PSB_BY_COLS, 30, 1, 1, 0), y = make_dense('N', PSB_BY_COLS, 20, 1, 9, 0);
    ARRAY was = copy_of_dense(&y);
    MAT *a = sample_in("csr", SPREAD, 20, 30);
    ENTRIES t = entries_of(a);
    HEAP T *val = new_array(9 * t.nz);
    random_vector((psb_ipk)(9 * t.nz), val, 3);
    x.d.stride = 0;
    const psb_products q = { .op = 'N', .k = 1, .batch = 9, .stride = t.nz, .x = x.d, .y = y.d };
    OK(psb_mat_spmm(&q, 1, a, val, x.p, 0, y.p, NULL));
    products_are_right(&q, 1, &t, val, &x, 0, &was, &y);
    OK(psb_mat_spmm(&q, 1, a, NULL, x.p, 0, y.p, NULL));
    products_are_right(&q, 1, &t, NULL, &x, 0, &was, &y);
}

/* --- small solves --------------------------------------------------------------------------------------- */

static struct X(mat) *triangle_in(const char *format, psb_ipk n, bool upper, bool unit)
{
    COO *a = new_coo(n, n);
    struct rng r = { 11 };
    for (psb_ipk i = 0; i < n; i++)
        for (psb_ipk j = upper ? i : 0; j < (upper ? n : i + 1); j++)
            if (i == j ? !unit : (i * 7 + j * 3) % 4 != 0)
                coo_put(a, i, j, i == j ? random_scalar(&r) + 4 : random_scalar(&r) / n);
    struct X(mat) *t = convert(&a->mat, X(mat_by_name)(format));
    OK(psb_mat_set_triangle(t, 1));
    OK(upper ? psb_mat_set_upper(t, 1) : psb_mat_set_lower(t, 1));
    OK(psb_mat_set_unit(t, unit));
    return t;
}

static psb_err solve_arrays_on(bool there, const psb_products *q, const struct X(mat) *a, const T *val,
                               psb_epk nval, struct dense_array *y)
{
    if (!there)
        return psb_mat_spsm(q, a, val, y->p, NULL);
    T *const py = on_device(y->p, y->len), *const pv = val ? on_device(val, nval) : NULL;
    const psb_err e = psb_mat_spsm(q, a, pv, py, &psb_vect_cuda);
    from_device(y->p, py, y->len);
    if (pv)
        psb_cuda_device()->free(pv);
    return e;
}

/* op(A) Y = X for the old values X of Y. */
static void solutions_are_right(const psb_products *q, const struct entries *a, const T *val, bool unit,
                                const struct dense_array *x, const struct dense_array *y)
{
    for (psb_ipk b = 0; b < q->batch; b++)
        for (psb_ipk i = 0; i < y->m; i++)
            for (psb_ipk j = 0; j < q->k; j++) {
                const double complex s = wanted(q, 1, a, val, y, 0, 0, b, i, j) +
                                         (unit ? *element_of(y, b, i, j) : 0);
                ck_assert(is_near(*element_of(x, b, i, j), s, 100 + 4 * y->m));
            }
}

TEST(small_solves)
{
    static const psb_ipk ns[] = { 0, 1, 2, 9, 31 };
    const bool upper = _i / 3 % 2, unit = _i / 6 % 2, own = _i / 12;
    for (int z = 0; z < 5; z++)
        for (int order = 0; order < 2; order++) {
            ARRAY x = make_dense('N', order ? PSB_BY_COLS : PSB_BY_ROWS, ns[z], 3, 5, order);
            ARRAY y = copy_of_dense(&x), w = copy_of_dense(&x);
            MAT *a = triangle_in("csr", ns[z], upper, unit), *g = triangle_in("csrg", ns[z], upper, unit);
            OK(psb_mat_set_unit(a, 0));
            ENTRIES t = entries_of(a); /* without those that are not stored */
            OK(psb_mat_set_unit(a, unit));
            const psb_epk stride = psb_mat_get_nzeros(a) + 2, nval = 5 * stride;
            HEAP T *val = new_array(nval);
            for (psb_epk e = 0; e < nval; e++)
                val[e] = e % stride < t.nz ? t.val[e % stride] * (1 + (R)0.1 * (R)(e / stride)) : 0;
            const psb_products q = { .op = op_codes[_i % 3], .k = 3, .batch = 5, .stride = stride, .y = x.d };
            OK(solve_arrays_on(false, &q, a, own ? val : NULL, nval, &y));
            OK(solve_arrays_on(true, &q, g, own ? val : NULL, nval, &w));
            ck_assert(same_bits(&y, &w));
            solutions_are_right(&q, &t, own ? val : NULL, unit, &x, &y);
        }
}

/* The first wrong row is named. */
TEST(triangles_that_are_none)
{
    for (int there = 0; there < 2; there++) {
        MAT *a = triangle_in(there ? "csrg" : "csr", 9, false, false);
        ARRAY y = make_dense('N', PSB_BY_COLS, 9, 1, 4, 0);
        ENTRIES t = entries_of(a);
        HEAP T *val = new_array(4 * t.nz);
        for (psb_epk e = 0; e < 4 * t.nz; e++)
            val[e] = t.val[e % t.nz];
        val[2 * t.nz + t.nz - 1] = val[3 * t.nz] = 0;
        psb_products q = { .op = 'N', .k = 1, .batch = 4, .stride = t.nz, .y = y.d };
        FAILS(solve_arrays_on(there, &q, a, val, 4 * t.nz, &y), PSB_EARG,
              "row 8 of matrix 2; expected a lower triangle with a diagonal that is not 0");
        OK(psb_mat_set_upper(a, 1));
        FAILS(solve_arrays_on(there, &q, a, NULL, 0, &y), PSB_EARG, "matrix 0; expected an upper triangle");
        OK(psb_mat_set_lower(a, 1));
        OK(psb_mat_set_unit(a, 1));
        FAILS(solve_arrays_on(there, &q, a, NULL, 0, &y), PSB_EARG,
              "row 0 of matrix 0; expected a lower triangle "
              "with no entry on the diagonal");
        OK(psb_mat_set_unit(a, 0));
        OK(psb_mat_set_triangle(a, 0));
        FAILS(solve_arrays_on(there, &q, a, NULL, 0, &y), PSB_EARG, "not marked as a triangle");
    }
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* Products that are refused, one change each; y stays. */
TEST(wrong_products)
{
    const psb_dense in = { 'N', PSB_BY_ROWS, 3, 12 }, out = { 'N', PSB_BY_COLS, 5, 15 };
    const psb_products good = { 'N', PSB_PLUS_TIMES, 3, 2, 9, in, out };
    const struct {
        psb_products q;
        const char *what;
    } wrong[] = {
        { { 'X', 0, 3, 2, 9, in, out }, "argument q->op is 'X'; expected 'N', 'T' or 'C'" },
        { { 0, 0, 3, 2, 9, in, out }, "argument q->op is ' '" },
        { { 'N', 0, -1, 2, 9, in, out }, "argument q has k -1, batch 2; expected none below 0" },
        { { 'N', 0, 3, -2, 9, in, out }, "batch -2" },
        { { 'N', 9, 3, 2, 9, in, out }, "argument q->over is 9; expected a psb_semiring" },
        { { 'N', 0, 3, 2, -1, in, out }, "argument q->stride is -1" },
        { { 'N', 0, 3, 2, INT64_MAX / 2, in, out }, "argument q->stride is" },
        { { 'N', 0, 3, 2, 9, { 'Q', PSB_BY_ROWS, 3, 12 }, out }, "argument q->x.op is 'Q'" },
        { { 'N', 0, 3, 2, 9, { 'N', PSB_UNSORTED, 3, 12 }, out },
          "argument q->x.order is 0; expected PSB_BY_ROWS" },
        { { 'N', 0, 3, 2, 9, { 'N', PSB_BY_ROWS, 2, 12 }, out },
          "argument q->x.ld is 2; expected at least 3" },
        { { 'N', 0, 3, 2, 9, { 'T', PSB_BY_ROWS, 3, 12 }, out },
          "argument q->x.ld is 3; expected at least 4" },
        { { 'N', 0, 3, 2, 9, { 'N', PSB_BY_ROWS, INT64_MAX / 3, 12 }, out }, "less than 2^57 elements" },
        { { 'N', 0, 3, 2, 9, { 'N', PSB_BY_ROWS, 3, -1 }, out },
          "argument q->x.stride is -1; expected at least 0" },
        { { 'N', 0, 3, 2, 9, { 'N', PSB_BY_ROWS, 3, INT64_MAX }, out }, "argument q->x.stride is" },
        { { 'N', 0, 3, 2, 9, in, { 'T', PSB_BY_COLS, 5, 15 } }, "argument q->y.op is 'T'; expected 'N'" },
        { { 'N', 0, 3, 2, 9, in, { 'N', PSB_BY_COLS, 4, 15 } },
          "argument q->y.ld is 4; expected at least 5" },
        { { 'N', 0, 3, 2, 9, in, { 'N', PSB_BY_COLS, 5, 14 } },
          "argument q->y.stride is 14; expected at least 15" },
        { { 'T', 0, 3, 2, 9, { 'N', PSB_BY_ROWS, 3, 15 }, { 'N', PSB_BY_COLS, 5, 20 } },
          "argument q->op is 'T'; expected 'N', since val is not NULL" },
    };
    T x[30], y[40], first[40], val[40] = { 0 };
    MAT *a = sample_in("csr", FULL, 5, 4), *h = sample_in("hll", FULL, 5, 4);
    random_vector(30, x, 1);
    random_vector(40, y, 2);
    memcpy(first, y, sizeof y);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        FAILS(psb_mat_spmm(&wrong[k].q, 1, a, val, x, 0, y, NULL), PSB_EARG, "%s", wrong[k].what);
    FAILS(psb_mat_spmm(NULL, 1, a, val, x, 0, y, NULL), PSB_EARG, "argument q is NULL");
    FAILS(X(mat_spmm)(&good, 1, NULL, val, x, 0, y, NULL), PSB_EARG, "argument a is NULL");
    FAILS(psb_mat_spmm(&good, 1, a, val, (T *)NULL, 0, y, NULL), PSB_EARG,
          "argument x is NULL; expected 4 x 3");
    FAILS(psb_mat_spmm(&good, 1, a, val, x, 0, (T *)NULL, NULL), PSB_EARG, "argument y is NULL");
    FAILS(psb_mat_spmm(&good, 1, a, val, y, 0, y, NULL), PSB_EARG, "x and y are the same array");
    FAILS(psb_mat_spmm(&good, 1, h, val, x, 0, y, NULL), PSB_EARG,
          "argument a has format HLL; expected CSR or CSRG");
    FAILS(psb_mat_spmm(&good, 1, a, NULL, x, 0, y, &psb_vect_cuda), PSB_EARG,
          "argument a has format CSR, on the host; expected a format of device");
    psb_products over = good;
    over.over = PSB_MIN_PLUS;
    FAILS(psb_mat_spmm(&over, 1, a, NULL, x, 2, y, NULL), PSB_EARG,
          CPLX ? "complex numbers have no order" : "argument beta is 2; expected 0 or 1");
    over.over = PSB_OR_AND;
    FAILS(psb_mat_spmm(&over, 2, a, NULL, x, 0, y, NULL), PSB_EARG, "argument alpha is 2; expected 1");
    ck_assert(memcmp(y, first, sizeof y) == 0);
    OK(psb_mat_spmm(&good, 0, a, NULL, (T *)NULL, 1, y, NULL));
    ck_assert(memcmp(y, first, sizeof y) == 0);
}

TEST(wrong_samples)
{
    const psb_dense left = { 'N', PSB_BY_ROWS, 3, 0 }, right = { 'N', PSB_BY_ROWS, 4, 0 };
    const psb_dense narrow = { 'T', PSB_BY_ROWS, 2, 0 };
    T x[20], y[20];
    MAT *c = sample_in("csr", FULL, 5, 4), *coo = sample_in("coo", FULL, 5, 4);
    ENTRIES first = entries_of(c);
    random_vector(20, x, 1);
    random_vector(20, y, 2);
    FAILS(X(mat_sddmm)(1, 3, &left, x, &right, y, 0, NULL, NULL), PSB_EARG, "argument c is NULL");
    FAILS(psb_mat_sddmm(1, 3, &left, x, &right, y, 0, coo, NULL), PSB_EARG, "c has format COO; expected CSR");
    FAILS(psb_mat_sddmm(1, 3, NULL, x, &right, y, 0, c, NULL), PSB_EARG, "argument left is NULL");
    FAILS(psb_mat_sddmm(1, 3, &left, x, NULL, y, 0, c, NULL), PSB_EARG, "argument right is NULL");
    FAILS(psb_mat_sddmm(1, -3, &left, x, &right, y, 0, c, NULL), PSB_EARG, "argument k is -3; expected >= 0");
    FAILS(psb_mat_sddmm(1, 3, &narrow, x, &right, y, 0, c, NULL), PSB_EARG,
          "left->ld is 2; expected at least 5");
    FAILS(psb_mat_sddmm(1, 3, &left, x, &narrow, y, 0, c, NULL), PSB_EARG,
          "right->ld is 2; expected at least 3");
    FAILS(psb_mat_sddmm(1, 3, &left, (T *)NULL, &right, y, 0, c, NULL), PSB_EARG,
          "x is NULL; expected 5 x 3");
    FAILS(psb_mat_sddmm(1, 3, &left, x, &right, (T *)NULL, 0, c, NULL), PSB_EARG,
          "y is NULL; expected 3 x 4");
    FAILS(psb_mat_sddmm(1, 3, &left, x, &right, y, 0, c, &psb_vect_cuda), PSB_EARG,
          "c has format CSR, on the host");
    ENTRIES got = entries_of(c);
    ck_assert(memcmp(got.val, first.val, (size_t)got.nz * sizeof(T)) == 0);
}

/* Allocations fail; each call of a kind. */
TEST(memory_for_dense_products)
{
    for (int there = 0; there < 2; there++) {
        MAT *a = triangle_in(there ? "csrg" : "csr", 9, false, false);
        ARRAY x = make_dense('C', PSB_BY_ROWS, 9, 3, 1, 1), y = make_dense('N', PSB_BY_COLS, 9, 3, 1, 1);
        ARRAY first = copy_of_dense(&y);
        const psb_products q = { .op = 'T', .k = 3, .batch = 1, .x = x.d, .y = y.d };
        ENTRIES was = entries_of(a);
        const psb_dense by_cols = { 'C', PSB_BY_COLS, x.d.ld, 0 };
        const int mine = !there ? 0 : _i == 2 ? 1 : 2; /* arrays on the device */
        psb_err e = PSB_ENOMEM;
        for (int n = 1; e != PSB_OK; n++) {
            psb_alloc_fail_at(n + mine);
            e = _i == 0 ? multiply_arrays(there, &q, 1, a, NULL, 0, &x, 0, &y)
                : _i == 1
                    ? compute_samples_on(there, 1, 3, &x,
                                         &(struct dense_array){ .d = by_cols, .len = x.len, .p = x.p }, 0, a)
                    : solve_arrays_on(there, &q, a, NULL, 0, &y);
            psb_alloc_fail_at(0);
            ck_assert(e == PSB_OK || e == PSB_ENOMEM);
            ck_assert(e == PSB_OK || same_bits(&y, &first));
            ENTRIES now = entries_of(a);
            ck_assert(e == PSB_OK || memcmp(now.val, was.val, (size_t)now.nz * sizeof(T)) == 0);
        }
    }
}

/* --- calls in graphs ------------------------------------------------------------------------------------ */

/* The device in use, which counts calls that a graph cannot record, and keeps no memory, as in a capture. */
static const struct psb_device *watched;
static int unrecorded;

static psb_err watched_alloc(void **p, size_t bytes, const char *what)
{
    unrecorded++;
    return watched->alloc(p, bytes, what);
}

static void watched_free(void *p)
{
    unrecorded++;
    watched->free(p);
}

static psb_err watched_put(void *dev, const void *host, size_t bytes)
{
    unrecorded++;
    return watched->put(dev, host, bytes);
}

static psb_err watched_get(void *host, const void *dev, size_t bytes)
{
    unrecorded++;
    return watched->get(host, dev, bytes);
}

static psb_err watched_sync(void)
{
    unrecorded++;
    return watched->sync();
}

static bool keep_nothing(void *p, size_t bytes)
{
    (void)p, (void)bytes;
    return false;
}

/* Only work for the stream: products of arrays by rows, of values of the caller, over a semiring, with op
 * after the first one, and sampled products of arrays that need no copies.  A copy by rows is more than that.
 */
TEST(products_in_a_graph)
{
    struct psb_device device = *psb_cuda_device();
    watched = psb_cuda_device();
    device.alloc = watched_alloc;
    device.free = watched_free;
    device.put = watched_put;
    device.get = watched_get;
    device.sync = watched_sync;
    device.keep = keep_nothing;
    psb_cuda_use(&device);
    {
        MAT *a = sample_in("csrg", FULL, 17, 17);
        const psb_epk nnz = psb_mat_get_nzeros(a);
        ARRAY x = make_dense('N', PSB_BY_ROWS, 17, 3, 1, 0), y = make_dense('N', PSB_BY_ROWS, 17, 3, 1, 0);
        ENTRIES of = entries_of(a);
        T *const px = on_device(x.p, x.len), *const py = on_device(y.p, y.len),
                 *const val = on_device(of.val, nnz);
        const psb_dense by_rows = { 'N', PSB_BY_ROWS, 3, 0 }, by_cols = { 'N', PSB_BY_COLS, 17, 0 };
        const psb_dense turned = { 'T', PSB_BY_ROWS, 3, 0 };
        const psb_products plain = { .op = 'N', .k = 3, .batch = 1, .x = by_rows, .y = by_rows };
        psb_products transposed = plain, tropical = plain, copied = plain;
        transposed.op = 'C';
        tropical.over = PSB_OR_AND;
        copied.x = by_cols;
        for (int turn = 0; turn < 2; turn++) {
            unrecorded = 0;
            OK(psb_mat_spmm(&plain, 1, a, NULL, px, 2, py, &psb_vect_cuda));
            OK(psb_mat_spmm(&plain, 1, a, val, px, 0, py, &psb_vect_cuda));
            OK(psb_mat_spmm(&transposed, 1, a, NULL, px, 1, py, &psb_vect_cuda));
            OK(psb_mat_spmm(&tropical, 1, a, NULL, px, 1, py, &psb_vect_cuda));
            OK(psb_mat_sddmm(1, 3, &by_rows, px, &turned, py, 1, a, &psb_vect_cuda));
            ck_assert(turn == 0 || unrecorded == 0);
            if (turn == 0)
                OK(psb_mat_spmm(&transposed, 1, a, NULL, px, 1, py, &psb_vect_cuda));
        }
        OK(psb_mat_spmm(&copied, 1, a, NULL, px, 0, py, &psb_vect_cuda));
        ck_assert_int_gt(unrecorded, 0);
        device.free(px);
        device.free(py);
        device.free(val);
    }
    psb_pool_trim(0);
    psb_cuda_use(watched);
}

void add_dense_products(TCase *c)
{
    ck_add_loop_tests(c, 9, sampled_products, products_by_rows_and_columns, products_of_all_kinds);
    ck_add_loop_tests(c, 24, small_solves);
    ck_add_loop_tests(c, 4, same_products_everywhere);
    ck_add_loop_tests(c, 3, memory_for_dense_products);
    ck_add_tests(c, samples_by_threads, products_of_long_rows, one_vector_for_many_matrices,
                 triangles_that_are_none, wrong_products, wrong_samples, products_in_a_graph);
}
