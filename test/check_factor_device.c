/* check_factor_device.c -- test: incomplete factors computed on a device have the bits and the errors
 * of those of the host. */
#include "psb_cuda.h"
#include "ldu.h"
#include "check_factor.h"

/* The matrix of a in the format of mold, with its values on the device alone, if there is one. */
static struct X(mat) *moved(struct X(mat) *a, const struct X(mat) *mold)
{
    struct X(mat) *b = convert(a, mold);
    OK(X(mat_scal)(b, 1));
    return b;
}

/* Have the values of a, in CSRG, or of l and u, been on the host? */
static long long gets_of_values(void)
{
    return psb_transfers("CSR values").gets + psb_transfers("values of factors").gets;
}

static struct X(factor) *device_factors(const struct X(mat) *a, struct psb_factor_options o,
                                        const struct X(mat) *mold)
{
    struct X(factor) *f = NULL;
    OK(X(factor_bld)(a, &o, NULL, mold, &psb_vect_cuda, &f));
    return f;
}

/* Factors computed on the device have the bits of those of the host, also after renewals, with rows of any
 * length and any number of lanes; no values come to the host meanwhile. */
TEST(on_device)
{
    static const int lanes[] = { 0, 4, 8, 16, 32, 64, 128 };
    static const enum psb_factor_kind kind[] = { PSB_ILU0, PSB_ILUK, PSB_IC0, PSB_BILU0, PSB_BIC0 };
    const struct X(mat) *mold = _i / 5 % 2 ? &X(hlg_mold).mat : &X(csrg_mold).mat;
    const psb_epk before = psb_cuda_convert_from(0);
    struct psb_factor_options o = factor_options_of(kind[_i % 5]);
    MAT *a = dominant_matrix(MOST_ROWS, is_cholesky(o.kind), (uint64_t)_i + 40);
    o.sweeps = _i / 35 ? 3 : 0;
    psb_ldu_choice.lanes = lanes[_i / 5 % 7];
    MAT *b = moved(a, mold);
    psb_transfers_reset();
    FACTOR *f = factors_with_options(a, o), *g = device_factors(b, o, mold);
    OK(X(mat_scal)(b, 2));
    OK(X(factor_renew)(g, b, NULL));
    OK(X(mat_scal)(b, 2));
    OK(X(factor_renew)(g, b, NULL));
    if (psb_cuda_device())
        ck_assert_int_eq(gets_of_values(), 0);
    OK(X(mat_scal)(a, 4));
    OK(X(factor_renew)(f, a, NULL));
    check_same_factors(f, g);
    check_same_solutions(f, g, &psb_vect_cuda, 0);
    MAT *c = dominant_matrix(MOST_ROWS, is_cholesky(o.kind), (uint64_t)_i + 41), *d = moved(c, mold);
    FAILS(X(factor_renew)(g, d, NULL), PSB_EARG, "argument a has another pattern");
    check_same_factors(f, g);
    psb_ldu_choice.lanes = 0;
    psb_cuda_convert_from(before);
}

/* Errors and replaced pivots of matrices on the device are those of the host, and renewals that fail leave
 * the factors as they were. */
TEST(pivots_on_device)
{
    const struct pivot_case *q = &pivot_cases[_i];
    const struct X(mat) *mold = &X(csrg_mold).mat;
    const psb_epk before = psb_cuda_convert_from(0);
    struct psb_factor_options o = psb_factor_defaults;
    o.tiny = q->tiny;
    MAT *good = three_row_matrix(5, 0), *a = three_row_matrix((T)q->d, 0), *b = moved(a, mold),
        *c = dominant_matrix(3, 0, 1), *d = moved(c, mold);
    FACTOR *f = device_factors(good, o, mold), *g = NULL, *h = factors_with_options(good, o);
    FAILS(X(factor_renew)(f, d, NULL), PSB_EARG, "argument a has another pattern");
    if (q->message) {
        FAILS(X(factor_bld)(b, &o, NULL, mold, &psb_vect_cuda, &g), PSB_EPIVOT, "%s", q->message);
        FAILS(X(factor_renew)(f, b, NULL), PSB_EPIVOT, "%s", q->message);
    } else {
        OK(X(factor_renew)(f, b, NULL));
        OK(X(factor_renew)(h, a, NULL));
        ck_assert_int_eq(X(factor_boosted)(f), q->boosted);
    }
    check_same_factors(f, h);
    psb_cuda_convert_from(before);
}

/* The same for Cholesky factors of the Hermitian matrix [4 2; 2 d]. */
TEST(cholesky_pivots_on_device)
{
    static const double cases[][2] = { { 1, 0 }, { 0.5, 0 }, { NAN, 0 }, { 2, 1e-3 }, { 2, NAN } };
    const psb_epk before = psb_cuda_convert_from(0);
    const struct psb_factor_options o = { .kind = PSB_IC0, .block = 1 };
    FACTOR *f = NULL;
    MAT *a = hermitian_pair(MAKE(cases[_i][0], cases[_i][1])), *b = moved(a, &X(csrg_mold).mat);
    if (_i < 3 || CPLX)
        FAILS(X(factor_bld)(b, &o, NULL, &X(csrg_mold).mat, &psb_vect_cuda, &f), PSB_EPIVOT, "row 1 has");
    psb_cuda_convert_from(before);
}

/* An allocation that fails on the way is an error, or the host computes the factors. */
TEST(allocation_fails_on_device)
{
    const psb_epk before = psb_cuda_convert_from(0);
    const struct X(mat) *mold = _i / 4 ? &X(hlg_mold).mat : &X(csrg_mold).mat;
    struct psb_factor_options o = factor_options_of(_i % 2 ? PSB_BIC0 : PSB_ILU0);
    MAT *a = dominant_matrix(12, is_cholesky(o.kind), 3), *b = moved(a, mold);
    o.sweeps = _i / 2 % 2 * 2;
    FACTOR *want = factors_with_options(a, o), *g = device_factors(b, o, mold);
    for (long n = 1; n < 80; n++) {
        FACTOR *f = NULL;
        psb_alloc_fail_at(n);
        const psb_err made = X(factor_bld)(b, &o, NULL, mold, &psb_vect_cuda, &f);
        psb_alloc_fail_at(n);
        const psb_err renewed = X(factor_renew)(g, b, NULL);
        psb_alloc_fail_at(0);
        ck_assert(made == PSB_OK || made == PSB_ENOMEM);
        ck_assert(renewed == PSB_OK || renewed == PSB_ENOMEM);
        ck_assert((made == PSB_OK) == (f != NULL));
        if (f)
            check_same_factors(f, want);
        check_same_factors(g, want);
    }
    psb_cuda_convert_from(before);
}

void add_factor_device(Suite *s)
{
    TCase *c = ck_tcase(s, "device");
    ck_add_loop_tests(c, 70, on_device);
    ck_add_loop_tests(c, PRESENT, pivots_on_device);
    ck_add_loop_tests(c, 5, cholesky_pivots_on_device);
    ck_add_loop_tests(c, 8, allocation_fails_on_device);
}
