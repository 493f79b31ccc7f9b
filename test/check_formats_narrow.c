/* check_formats_narrow.c -- test: CSRN and CSRNG, values in few bytes. */
#include "check_formats.h"
#include "check_ops.h"
#include "psb_testing.h"
#include <stdlib.h>
#include <string.h>

static struct X(csrn_mat) storing(enum psb_values values)
{
    struct X(csrn_mat) m = X(csrn_mold);
    m.values = values;
    return m;
}

static const struct X(csrn_mat) *narrow_of(const struct X(mat) *a)
{
    return (const struct X(csrn_mat) *)a;
}

/* The number of 16 bits with `digits` digits after the first one, and an exponent of 15 - digits bits; it is
 * finite. */
static R number_of_bits(unsigned bits, int digits)
{
    const int most = 1 << (14 - digits), e = (int)(bits >> digits & (unsigned)(2 * most - 1));
    const double m = bits & ((1u << digits) - 1), one = (double)(1u << digits);
    const double v = e ? ldexp(1 + m / one, e - most + 1) : ldexp(m / one, 2 - most);
    return (R)(bits >> 15 ? -v : v);
}

/* All finite numbers of 16 bits, 256 a row; each row is ascending. */
static struct X(coo_mat) *all_numbers(int digits)
{
    const unsigned infinity = 0x7fffu >> digits << digits;
    struct X(coo_mat) *s = new_coo(256, 256);
    for (unsigned b = 0; b < 0x10000; b++)
        if ((b & 0x7fff) < infinity)
            coo_put(s, (psb_ipk)(b / 256), (psb_ipk)(b % 256), MAKE(number_of_bits(b, digits), 0));
    return s;
}

/* --- exact values --- */

static void check_stored(const struct X(mat) *m, struct X(coo_mat) *s, enum psb_values stored, int parts)
{
    MAT *a = convert(&s->mat, m);
    check_equal(a, m, s);
    ck_assert_int_eq(narrow_of(a)->stored, stored);
    ck_assert_int_eq(narrow_of(a)->parts, parts);
    ck_assert_int_eq(narrow_of(a)->rounded, 0);
}

static struct X(coo_mat) *with_values(int n, const R *v)
{
    struct X(coo_mat) *s = new_coo(3, n);
    for (psb_ipk k = 0; k < n; k++)
        coo_put(s, k * 3 / n, k, MAKE(v[k], 0));
    return s;
}

/* Names of the kinds. */
TEST(named_kinds)
{
    static const char *const kinds[] = { "INT8", "half", "BFLOAT16", "single" };
    COO *s = sample(SPREAD, 30, 20);
    for (int k = 0; k < 8; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s-%s", k < 4 ? "CSRN" : "csrng", kinds[k % 4]);
        MAT *a = convert(&s->mat, X(mat_by_name)(name));
        ck_assert_str_eq(psb_mat_get_fmt(a), k < 4 ? "CSRN" : "CSRNG");
        ck_assert_int_eq(narrow_of(a)->stored, PSB_VALUES_INT8 + k % 4);
    }
}

TEST(fewest_bytes)
{
    const R ints[] = { 0, 1, -128, 127 }, halves[] = { -0.0, 0.5, -2048, 65504, (R)0x1p-24, NAN, -INFINITY },
            bfloats[] = { (R)0x1p100, (R)-0x1p-126, 255, INFINITY },
            singles[] = { (R)0x1.000002p0, (R)0x1p127 }, doubles[] = { (R)0.1, 3 };
    const struct X(mat) *m = &X(csrn_mold).mat;
    struct X(coo_mat) *s[] = { with_values(4, ints), with_values(7, halves), with_values(4, bfloats),
                               with_values(2, singles), with_values(2, doubles) };
    COO *none = new_coo(0, 3), *nothing = new_coo(3, 0);
    for (int k = 0; k < 4; k++)
        check_stored(m, s[k], (enum psb_values)(PSB_VALUES_INT8 + k), 1);
    check_stored(m, s[4], sizeof(R) == sizeof(float) ? PSB_VALUES_SINGLE : PSB_VALUES_FULL, 1);
    check_stored(m, none, PSB_VALUES_INT8, 1);
    check_stored(m, nothing, PSB_VALUES_INT8, 1);
    MAT *a = convert(&s[0]->mat, m);
    ck_assert_uint_eq(X(mat_bytes)(a), 4 * sizeof(psb_epk) + 4 * (sizeof(psb_ipk) + 1));
    for (int k = 0; k < 5; k++)
        X(mat_free)(&s[k]->mat);
}

/* Real parts and imaginary parts; values that change, and with them how they are stored. */
TEST(complex_values)
{
    COO *s = sample(SPREAD, 40, 30);
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        s->val[k] = MAKE(k % 100, CPLX && k == 7 ? 3 : 0);
    check_stored(&X(csrn_mold).mat, s, PSB_VALUES_INT8, CPLX ? 2 : 1);
    s->val[7] = 7;
    check_stored(&X(csrn_mold).mat, s, PSB_VALUES_INT8, 1);
    MAT *a = convert(&s->mat, &X(csrn_mold).mat);
    s->val[7] = MAKE(0.1, 2);
    OK(X(mat_csput)(a, 1, &s->ia[7], &s->ja[7], &s->val[7], PSB_DUPL_OVERWRITE));
    check_equal(a, &X(csrn_mold).mat, s);
    ck_assert_int_ge(narrow_of(a)->stored, PSB_VALUES_SINGLE);
    OK(X(mat_zero_vals)(a));
    ck_assert_int_eq(narrow_of(a)->stored, PSB_VALUES_INT8);
}

TEST(all_numbers_of_16_bits)
{
    COO *half = all_numbers(10), *bfloat16 = all_numbers(7);
    check_stored(&X(csrn_mold).mat, half, PSB_VALUES_HALF, 1);
    check_stored(&X(csrn_mold).mat, bfloat16, PSB_VALUES_BFLOAT16, 1);
}

/* --- rounded values --- */

/* Numbers between two neighbours of 16 bits: in the middle, and next to it. */
TEST(rounding)
{
    const int digits = _i ? 7 : 10;
    const unsigned last = (0x7fffu >> digits << digits) - 1;
    const struct X(csrn_mat) m = storing(_i ? PSB_VALUES_BFLOAT16 : PSB_VALUES_HALF);
    COO *s = new_coo(1, 3 * 0x8000), *want = new_coo(1, 3 * 0x8000);
    for (unsigned b = 0; b + 1 <= last; b += 1 + b % 13) {
        const R low = number_of_bits(b, digits), high = number_of_bits(b + 1, digits),
                middle = low + (high - low) / 2;
        for (int k = 0; k < 3; k++) {
            const R v = k == 0 ? middle * (1 - EPS) : k == 1 ? middle : middle * (1 + EPS);
            const bool up = k == 1 ? b % 2 : k == 2;
            if (isnormal(middle) && v != low && v != high) {
                coo_put(s, 0, (psb_ipk)(3 * b + (unsigned)k), MAKE(b % 2 ? v : -v, 0));
                coo_put(want, 0, (psb_ipk)(3 * b + (unsigned)k),
                        MAKE((b % 2 ? 1 : -1) * (up ? high : low), 0));
            }
        }
    }
    ck_assert_int_gt(s->mat.nnz, 5000);
    MAT *a = convert(&s->mat, &m.mat);
    check_equal(a, &m.mat, want);
    ck_assert_int_eq(narrow_of(a)->rounded, s->mat.nnz);
}

static void refuses_value(enum psb_values values, R v, const char *why)
{
    const struct X(csrn_mat) m = storing(values);
    COO *s = new_coo(3, 3);
    coo_put(s, 0, 1, 1);
    coo_put(s, 2, 0, MAKE(v, 0));
    REFUSES(&s->mat, &m.mat, PSB_EARG, "row 2, column 0 is ");
    REFUSES(&s->mat, &m.mat, PSB_EARG, "%s", why);
}

static void becomes(enum psb_values values, R v, R rounded)
{
    const struct X(csrn_mat) m = storing(values);
    COO *s = with_values(1, &v), *want = with_values(1, &rounded);
    MAT *a = convert(&s->mat, &m.mat);
    check_equal(a, &m.mat, want);
}

TEST(out_of_range)
{
    refuses_value(PSB_VALUES_INT8, (R)127.5, "out of the range of an integer of 8 bits");
    refuses_value(PSB_VALUES_INT8, (R)-129, "out of the range of");
    refuses_value(PSB_VALUES_INT8, NAN, "out of the range of");
    refuses_value(PSB_VALUES_INT8, -INFINITY, "out of the range of");
    refuses_value(PSB_VALUES_HALF, 65520, "out of the range of half precision");
    refuses_value(PSB_VALUES_BFLOAT16, (R)0x1.ffp127, "out of the range of bfloat16");
    if (sizeof(R) > sizeof(float))
        refuses_value(PSB_VALUES_SINGLE, TMAX, "out of the range of single precision");
    becomes(PSB_VALUES_INT8, (R)-128.5, -128);
    becomes(PSB_VALUES_INT8, (R)2.5, 2);
    becomes(PSB_VALUES_HALF, 65519, 65504);
    becomes(PSB_VALUES_HALF, (R)-0x1p-25, (R)-0.0);
    becomes(PSB_VALUES_HALF, INFINITY, INFINITY);
    becomes(PSB_VALUES_BFLOAT16, -INFINITY, -INFINITY);
    becomes(PSB_VALUES_SINGLE, (R)0.1, (R)0.1f);
    becomes(PSB_VALUES_FULL, (R)0.1, (R)0.1);
}

TEST(lost_digits)
{
    struct X(csrn_mat) m = storing(PSB_VALUES_HALF), wrong = storing((enum psb_values)9);
    const R v[] = { 1, (R)1.0001, 2, (R)1e-9, 3 };
    COO *s = with_values(5, v);
    MAT *a = convert(&s->mat, &m.mat);
    ck_assert_int_eq(narrow_of(a)->rounded, 2);
    m.most = 0;
    REFUSES(&s->mat, &m.mat, PSB_EARG,
            "2 of 5 numbers lose more than 0 of their modulus in half precision, the first in ");
    m.most = 1e-3;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "1 of 5 numbers lose more than 0.001 of their modulus");
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the first in row 1, column 3");
    s->val[3] = 5;
    MAT *b = convert(&s->mat, &m.mat);
    ck_assert_int_eq(narrow_of(b)->rounded, 1);
    REFUSES(&s->mat, &wrong.mat, PSB_EARG, "the mold's values is 9; expected one of enum psb_values");
    m.most = -1;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's most is -1; expected >= 0");
    m.most = NAN;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's most is nan; expected >= 0");
}

/* --- products --- */

/* y = alpha a x + beta y, k columns, row by row in storage order. */
static void in_storage_order(const struct X(coo_mat) *a, bool real, psb_ipk k, T alpha, const T *x, T beta,
                             T *y)
{
    psb_epk e = 0;
    for (psb_ipk i = 0; i < a->mat.nrows; i++) {
        const psb_epk first = e;
        for (psb_ipk c = 0; c < k; c++) {
            T sum = 0, *to = y + (psb_epk)i * k + c;
            for (e = first; e < a->mat.nnz && a->ia[e] == i; e++) {
                const T w = x[(psb_epk)a->ja[e] * k + c];
                sum += real ? RE(a->val[e]) * w : a->val[e] * w;
            }
            *to = beta == 0 ? alpha * sum : alpha * sum + beta * *to;
        }
    }
}

/* The products of a on the host, and on the device of `mold`, have the bits of sums in storage order. */
static void check_bits(struct X(coo_mat) *s, const struct X(mat) *mold, psb_ipk k, T beta)
{
    MAT *a = convert(&s->mat, mold), *stored = convert(a, &X(coo_mold).mat);
    const psb_ipk m = a->nrows, n = a->ncols;
    HEAP T *x = new_array((psb_epk)n * k), *want = new_array((psb_epk)m * k), *y = new_array((psb_epk)m * k);
    VECT *vx = NULL, *vy = NULL;
    random_vector(n * k, x, 1);
    random_vector(m * k, want, 2);
    memcpy(y, want, (size_t)(m * k) * sizeof *y);
    OK(X(vect_bld)(&vx, n, k, x, &psb_vect_cuda));
    OK(X(vect_bld)(&vy, m, k, y, &psb_vect_cuda));
    in_storage_order((struct X(coo_mat) *)stored, narrow_of(a)->parts == 1, k, MAKE(0.7, -1.3), x, beta,
                     want);
    OK(X(mat_csmm)(MAKE(0.7, -1.3), a, k, x, beta, y, 'N'));
    ck_assert(memcmp(y, want, (size_t)(m * k) * sizeof *y) == 0);
    OK(X(mat_vect_mv)(MAKE(0.7, -1.3), a, vx, beta, vy, 'N'));
    OK(X(get_vect)(vy, m, y));
    ck_assert(memcmp(y, want, (size_t)(m * k) * sizeof *y) == 0);
}

TEST(same_bits_everywhere)
{
    const psb_epk grain = psb_set_thread_grain(8);
    struct X(coo_mat) *s[] = { sample(SPREAD, 300, 200), sample(DENSE_ROW, 40, 900), sample(FULL, 33, 64),
                               sample(TRIDIAG, 64, 64),  sample(NOTHING, 5, 5),      sample(TWICE, 129, 65) };
    for (int k = 0; k < 6; k++) {
        for (psb_epk e = 0; e < s[k]->mat.nnz; e++)
            s[k]->val[e] *= _i % 2 ? 10 : MAKE(10, 1);
        for (psb_epk e = 0; _i % 2 && e < s[k]->mat.nnz; e++)
            s[k]->val[e] = RE(s[k]->val[e]);
        struct X(csrn_mat) host = X(csrn_mold), device = X(csrng_mold);
        host.values = device.values = (enum psb_values)(_i / 2);
        for (int p = 1; p <= 3; p += 2) {
            use_threads(p);
            check_bits(s[k], &host.mat, 1, 0);
            check_bits(s[k], &device.mat, 1, MAKE(2, -1));
            check_bits(s[k], &device.mat, 3, 0);
            check_bits(s[k], &device.mat, 11, MAKE(2, -1));
        }
        X(mat_free)(&s[k]->mat);
    }
    use_threads(1);
    psb_set_thread_grain(grain);
}

/* Transposed products, on a device by a copy, with the values as they are stored. */
TEST(transposed_products)
{
    struct X(csrn_mat) host = storing(PSB_VALUES_BFLOAT16), device = X(csrng_mold);
    COO *s = sample(SPREAD, 50, 70);
    device.values = PSB_VALUES_BFLOAT16;
    for (int k = 0; k < 2; k++) {
        MAT *a = convert(&s->mat, k ? &device.mat : &host.mat), *b = convert(a, &X(coo_mold).mat);
        const struct X(coo_mat) *stored = (struct X(coo_mat) *)b;
        for (int t = 0; t < 3; t++) {
            check_vect_mv(a, stored, 1, op_codes[t], &psb_vect_cuda);
            check_vect_mv(a, stored, 4, op_codes[t], &psb_vect_cuda);
            check_csmm(a, stored, 5, op_codes[t], MAKE(2, 1), 0);
        }
    }
}

/* Real matrices in double precision, for vectors of this scalar; matrices of this scalar, for others. */
TEST(other_scalars)
{
    struct psb_d_mat *from = NULL;
    struct psb_z_mat *back = NULL;
    struct psb_s_mat *single = NULL;
    MAT *a = NULL, *b = NULL;
    psb_ipk ia[] = { 0, 2, 1 }, ja[] = { 1, 0, 2 };
    double v[] = { 0.5, -3, 1 + 0x1p-30 };
    OK(psb_mat_all(3, 4, 3, &from));
    OK(psb_mat_csput(from, 3, ia, ja, v, PSB_DUPL_ADD));
    FAILS(X(mat_from_d)(NULL, NULL, &a), PSB_EARG, "argument a is NULL");
    FAILS(X(mat_from_d)(from, NULL, NULL), PSB_EARG, "argument b is NULL");
    OK(psb_mat_asb(from, PSB_DUPL_ADD));
    OK(X(mat_from_d)(from, &X(csrn_mold).mat, &a));
    COO *want = new_coo(3, 4);
    for (int k = 0; k < 3; k++)
        coo_put(want, ia[k], ja[k], MAKE(v[k], 0));
    check_equal(a, &X(csrn_mold).mat, want);
    ck_assert_int_eq(narrow_of(a)->parts, 1);
    ck_assert_int_eq(narrow_of(a)->stored, sizeof(R) == sizeof(float) ? PSB_VALUES_HALF : PSB_VALUES_FULL);
    OK(psb_mat_from_d(from, NULL, &b));
    check_equal(b, &X(csr_mold).mat, want);
    OK(PSB_CAT(psb_z_mat_from_, PSB_TYPE)(a, NULL, &back));
    ck_assert_int_eq(psb_mat_get_nzeros(back), 3);
    v[2] = 1e300;
    OK(psb_mat_csput(from, 1, ia + 2, ja + 2, v + 2, PSB_DUPL_OVERWRITE));
    FAILS(psb_s_mat_from_d(from, NULL, &single), PSB_EARG,
          "row 1, column 2 is 1e+300 0; expected a number in the range of single precision");
    const double _Complex w = PSB_MAKE_z(1, 2);
    OK(psb_mat_csput(back, 1, ia, ja, &w, PSB_DUPL_OVERWRITE));
    FAILS(psb_s_mat_from_z(back, NULL, &single), PSB_EARG, "row 0, column 1 is 1 2; expected a real number");
    struct psb_c_mat *complex_one = NULL;
    struct psb_d_mat *again = NULL;
    OK(psb_mat_reinit(from, 1));
    OK(psb_s_mat_from_d(from, psb_s_mat_by_name("hll"), &single));
    OK(psb_c_mat_from_s(single, NULL, &complex_one));
    OK(psb_d_mat_from_c(complex_one, NULL, &again));
    ck_assert_int_eq(psb_mat_get_nzeros(again), 3);
    psb_mat_free(single);
    psb_mat_free(complex_one);
    psb_mat_free(again);
    psb_mat_free(from);
    psb_mat_free(back);
}

void formats_narrow_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "narrow");
    ck_add_tests(c, named_kinds, fewest_bytes, complex_values, all_numbers_of_16_bits, out_of_range,
                 lost_digits, transposed_products, other_scalars);
    ck_add_loop_tests(c, 2, rounding);
    ck_add_loop_tests(c, 12, same_bits_everywhere);
}
