/* check_formats_auto.c -- test: the bytes of formats, and the choice of a format by AUTO, TUNED, AUTOG and
 * TUNEDG. */
#include "psb_simd.h"
#include "check_formats.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The chosen format is registered and holds the matrix; the same for a conversion in place. */
static void check_auto(const struct X(auto_mat) *m, const struct X(coo_mat) *s)
{
    MAT *a = convert((struct X(mat) *)&s->mat, &m->mat), *b = NULL;
    ck_assert_ptr_nonnull(X(mat_by_name)(a->ops->fmt));
    ck_assert_ptr_null(a->ops->storage.choose);
    check_equal(a, a->mold, s);
    OK(X(mat_clone)(a, &b));
    OK(X(mat_cscnv)(&b, &m->mat));
    check_equal(b, b->mold, s);
}

static const struct X(auto_mat) *const choosers[] = { &X(auto_mold), &X(tuned_mold), &X(autog_mold),
                                                      &X(tunedg_mold) };
enum { CHOOSERS = sizeof choosers / sizeof *choosers };

TEST(choosers_choose_a_registered_format)
{
    COO *s = zoo_matrix(ZOO - 1 - _i);
    for (int k = 0; k < CHOOSERS; k++)
        check_auto(choosers[k], s);
}

/* --- the rule --- */

static const struct kind {
    const char *host, *device; /* the formats that the rule chooses */
    struct pattern rows;
} kinds[] = {
    { "DIA", "DIAG", { 500, 520, 3, 3, 1, 1, 0, 10 } },
    { "HDIA", "HDIAG", { 1280, 1400, 3, 3, 1, 1, 10, 1 } }, /* every 128 rows have diagonals of their own */
    { "SELL", "HLG", { 1024, 2000, 8, 8, 1, 17, 0, 41 } },
    { "SELL", "CSRG", { 2048, 2000, 2, 40, 32, 17, 0, 41 } },
    { "CSR", "CSRG", { 2000, 2000, 1, 2000, 2000, 17, 0, 41 } },
};
enum { RULED = sizeof kinds / sizeof *kinds };

/* AUTO and AUTOG choose what the rule says, with any vector instructions.  Without a device AUTOG is AUTO. */
TEST(rule_of_bytes)
{
    const enum psb_simd_level widest = psb_simd();
    COO *s = pattern_matrix(&kinds[_i].rows);
    for (int level = 0; level <= (int)widest; level++)
        for (int on_device = 0; on_device < 2; on_device++) {
            OK(psb_set_simd((enum psb_simd_level)level));
            MAT *a = convert(&s->mat, &choosers[2 * on_device]->mat);
            ck_assert_str_eq(a->ops->fmt, on_device && psb_cuda_device() ? kinds[_i].device : kinds[_i].host);
        }
    OK(psb_set_simd(widest));
}

/* A rule of one's own. */
TEST(own_rule)
{
    const struct X(auto_offer) rule[] = { { &X(bsr_mold).mat, 0.5 }, { &X(hll_mold).mat, INFINITY } };
    struct X(auto_mat) m = X(auto_mold);
    COO *s = pattern_matrix(&kinds[0].rows);
    m.rule = rule;
    MAT *a = convert(&s->mat, &m.mat);
    ck_assert_str_eq(a->ops->fmt, "HLL");
}

/* --- bytes --- */

static psb_err try_weigh(const struct X(mat) *m, const struct X(coo_mat) *s, double *bytes)
{
    MAT *csr = convert((struct X(mat) *)&s->mat, &X(csr_mold).mat);
    struct X(mat) *none;
    MAT *empty = NULL;
    struct X(compressed) rows;
    PSB_WITH_SLOT(k, m, storage.weigh);
    OK(X(csr_view)(csr, &rows, &none));
    OK(X(mat_new)(m, csr->nrows, csr->ncols, csr->nnz, &empty));
    psb_err e = k->storage.weigh(empty, &rows, bytes);
    return e;
}

/* A format weighs what the converted matrix takes, or refuses as the conversion does, or does not weigh:
 * return false. */
static bool check_weight(const struct X(mat) *m, const struct X(coo_mat) *s)
{
    MAT *a = NULL;
    double bytes = -1;
    const psb_err e = try_weigh(m, s, &bytes);
    if (e == PSB_ENOTIMPL)
        return false;
    ck_assert_int_eq(X(mat_convert)(&s->mat, m, &a), e);
    if (e != PSB_OK) {
        ck_assert_int_eq(e, PSB_EPADDING);
        psb_clean_errstack();
        return true;
    }
    ck_assert_msg(bytes == (double)X(mat_bytes)(a), "%s of %d x %d: weighs %.15g bytes, takes %zu",
                  m->ops->fmt, a->nrows, a->ncols, bytes, X(mat_bytes)(a));
    return true;
}

/* The i-th mold with unusual parameters and without a limit; NULL past the last. */
static const struct X(mat) *unusual_mold(int i)
{
    enum { BSR = 7, HLL = 4, HDIA = 3, HYB = 3 };
    static const psb_ipk blocks[BSR][2] = { { 11, 0 }, { 13, 9 }, { 9, 13 }, { 32, 1 },
                                            { 7, 32 }, { 1, 17 }, { 8, 0 } };
    static const psb_ipk hacks[HLL][2] = { { 1, 0 }, { 7, 13 }, { 100, 40 }, { 0, 1000 } };
    static const psb_ipk diagonals[HDIA] = { 1, 100, 0 };
    static struct X(bsr_mat) bsr;
    static struct X(hll_mat) hll;
    static struct X(hdia_mat) hdia;
    static struct X(hyb_mat) hyb;
    if (i < 2 * BSR) {
        bsr = i % 2 ? X(bell_mold) : X(bsr_mold);
        bsr.block_rows = blocks[i / 2][0];
        bsr.block_cols = blocks[i / 2][1];
        bsr.limit = 0;
        return &bsr.mat;
    }
    if ((i -= 2 * BSR) < HLL) {
        hll = X(hll_mold);
        hll.hack = hacks[i][0];
        hll.sort = hacks[i][1];
        hll.limit = 0;
        return &hll.mat;
    }
    if ((i -= HLL) < HDIA) {
        hdia = X(hdia_mold);
        hdia.hack = diagonals[i];
        hdia.limit = 0;
        return &hdia.mat;
    }
    hyb = hyb_with(PSB_HYB_USER, 2 * (i -= HDIA));
    return i < HYB ? &hyb.mat : NULL;
}

/* Also if block rows do not end at the ends of the groups of rows that BSR samples. */
TEST(weights_match_sizes)
{
    struct X(coo_mat) *s[] = {
        sample(TRIDIAG, 0, 7),         sample(FULL, 33, 20),        sample(SPREAD, 1700, 1690),
        sample(TWICE, 860, 840),       sample(TRIDIAG, 2600, 2601), sample(DENSE_ROW, 129, 900),
        sample(DENSE_COL, 1680, 1681), sample(NOTHING, 30, 1),      matrix_with_long_rows(9000, 5000, 4)
    };
    for (int k = 0; k < (int)(sizeof s / sizeof *s); k++) {
        for (int i = 0; unusual_mold(i); i++)
            check_weight(unusual_mold(i), s[k]);
        int weighed = 0;
        for (int i = 0; mold(i); i++)
            weighed += check_weight(mold(i), s[k]);
        ck_assert_int_ge(weighed, 15);
        X(mat_free)(&s[k]->mat);
    }
}

/* --- trials --- */

/* The most bytes that a format may take to be timed for s. */
static double lightness(const struct X(auto_mat) *by, const struct X(coo_mat) *s, bool on_device)
{
    double least = INFINITY, csr, bytes;
    for (int i = 0; mold(i); i++) {
        const bool is_for_devices = X(mat_dev)(mold(i)) != X(root_mold).ops->dev;
        if (is_for_devices == on_device && try_weigh(mold(i), s, &bytes) == PSB_OK)
            least = fmin(least, bytes);
    }
    psb_clean_errstack();
    OK(try_weigh(&X(csr_mold).mat, s, &csr));
    return fmax(by->near * least, csr);
}

/* TUNED and TUNEDG choose a light format, which multiplies right. */
TEST(tuned_choice)
{
    COO *s = pattern_matrix(&kinds[_i].rows);
    for (int k = 1; k < CHOOSERS; k += 2) {
        const bool on_device = k == 3 && psb_cuda_device();
        MAT *a = convert(&s->mat, &choosers[k]->mat);
        double bytes;
        ck_assert_int_eq(a->on != NULL, on_device);
        OK(try_weigh(a->mold, s, &bytes));
        ck_assert_msg(bytes <= lightness(choosers[k], s, on_device), "%s takes %g bytes", a->ops->fmt, bytes);
        check_csmv(a, s, 'N', MAKE(0.5, 1), MAKE(2, -1));
    }
}

/* Every third group of 840 rows, which BSR samples to choose a block, consists of 8 x 8 blocks, the other
 * groups of scattered entries, so that BSR chooses large blocks, and refuses the matrix.  TUNED must choose
 * another format. */
TEST(tuned_skips_refusing_formats)
{
    enum { M = 20 * 840, LONG = 40 };
    COO *all = new_coo(M, M);
    MAT *a = NULL;
    for (psb_ipk i = 0; i < M; i++)
        for (psb_ipk k = 0; k < LONG; k++)
            coo_put(all, i, (i / 840 % 3 == 1 ? i / 8 * 8 + k / 8 * 1600 + k % 8 : i * 7 + k * 420) % M, 1);
    OK(X(coo_fix)(all, PSB_DUPL_ADD));
    REFUSES(&all->mat, &X(bsr_mold).mat, PSB_EPADDING, "BSR: ");
    a = convert(&all->mat, &X(tuned_mold).mat);
    ck_assert_int_eq(a->nnz, all->mat.nnz);
}

/* If an allocation fails, a format is skipped, or the conversion fails with PSB_ENOMEM; the source is intact,
 * and no error of a skipped format remains. */
TEST(auto_allocation_fails)
{
    COO *s = sample(SPREAD, 33, 20);
    struct X(mat) *a = NULL;
    const struct X(auto_mat) *m = choosers[_i];
    for (long n = 1; n < 200; n++) {
        psb_clean_errstack();
        psb_alloc_fail_at(n);
        psb_err e = X(mat_convert)(&s->mat, &m->mat, &a);
        psb_alloc_fail_at(0);
        if (e == PSB_OK) {
            ck_assert_str_eq(psb_errmsg(), "");
            check_equal(a, a->mold, s);
            X(mat_free)(a);
            a = NULL;
        } else {
            ck_assert_int_eq(e, PSB_ENOMEM);
            ck_assert_ptr_null(a);
        }
    }
}

TEST(auto_wrong_molds)
{
    COO *s = sample(SPREAD, 6, 4);
    struct X(auto_mat) m = X(tuned_mold);
    m.near = -1;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's near is -1; expected >= 1, or 0");
    m.near = 0.5;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's near is 0.5; expected >= 1, or 0");
    m.near = 2;
    m.seconds = -1;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's seconds are -1; expected >= 0");
    m.seconds = INFINITY;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's seconds are inf; expected >= 0, and");
    m.seconds = NAN;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's seconds are nan; expected >= 0");
    m.near = NAN;
    REFUSES(&s->mat, &m.mat, PSB_EARG, "the mold's near is nan; expected >= 1, or 0");
}

void formats_auto_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "auto");
    ck_add_sampled_tests(c, ZOO, choosers_choose_a_registered_format);
    ck_add_loop_tests(c, RULED, rule_of_bytes, tuned_choice);
    ck_add_tests(c, own_rule, weights_match_sizes, tuned_skips_refusing_formats, auto_wrong_molds);
    ck_add_loop_tests(c, CHOOSERS, auto_allocation_fails);
}
