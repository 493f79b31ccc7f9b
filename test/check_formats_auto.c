/* check_formats_auto.c -- room: test.  The choice of a format by AUTO, TUNED and AUTOG, and the forecasts it
 * uses. */
#include "check_formats.h"
#include "cost.h"
#include "host_cost.h"
#include <math.h>
#include <string.h>

/* The chosen format is registered and holds the matrix; the same for a conversion in place. */
static void check_auto(const struct X(auto_mat) *m, const struct X(coo_mat) *s)
{
    struct X(mat) *a = convert((struct X(mat) *)&s->mat, &m->mat), *b;
    ck_assert_ptr_nonnull(X(mat_by_name)(a->ops->fmt));
    ck_assert_ptr_null(a->ops->choose);
    check_equal(a, a->mold, s);
    OK(X(mat_clone)(a, &b));
    OK(X(mat_cscnv)(&b, &m->mat));
    check_equal(b, b->mold, s);
    X(mat_free)(b);
    X(mat_free)(a);
}

START_TEST(auto_chooses_a_registered_format)
    {
        const struct X(auto_mat) *molds[] = { &X(auto_mold), &X(tuned_mold), &X(autog_mold) };
        struct X(coo_mat) *s = zoo_matrix(ZOO - 1 - _i);
        for (int k = 0; k < 3; k++)
            check_auto(molds[k], s);
        X(mat_free)(&s->mat);
    }
END_TEST

/* Number of entries of row i.  Kind 0: one full row; 1: diagonals only; 2: 3 x 3 blocks; 3: one long row. */
static psb_epk row_length(int kind, psb_ipk i)
{
    const psb_epk all[] = { i == 77 ? 20000 : 1, 3, 9, i == 77 ? 1500 : 2 + (i % 4 == 0) };
    return all[kind];
}

enum { LARGE = 30000 }; /* rows enough for padding to matter */

static struct X(coo_mat) *large_matrix(int kind, psb_ipk m)
{
    struct X(mat) *a;
    OK(X(mat_all)(m, m, 0, &a));
    struct X(coo_mat) *s = (struct X(coo_mat) *)a;
    const T one = 1;
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk k = 0; k < row_length(kind, i); k++) {
            psb_ipk j = kind % 3 == 0 ? k : kind == 1 ? i + 100 * k : i / 3 * 3 + k / 3 * 600 + k % 3;
            if (j < m)
                OK(X(coo_append)(s, 1, &i, &j, &one));
        }
    OK(X(coo_fix)(s, PSB_DUPL_ADD));
    return s;
}

/* Is `fmt` one of the names, which are separated by spaces? */
static int is_one_of(const char *names, const char *fmt)
{
    const size_t n = strlen(fmt);
    for (const char *at = names; (at = strstr(at, fmt)); at += n)
        if ((at == names || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
            return 1;
    return 0;
}

/* AUTOG chooses a GPU format by forecasts if there is a device, else a host format.  wrong[kind]: formats
 * that it must not choose.  HLG must not be chosen for kind 3, where all threads would wait for the long row.
 * The diagonals of kind 1 and the blocks of kind 2 pay where there are enough rows to hide the latency of
 * loading them, and more than a cache holds; with values of 16 bytes the indices that they save weigh little,
 * with 4 bytes the values of kind 2's 15 diagonals, of which 40 % are padding, are no more than its entries
 * and indices. */
START_TEST(autog_choice)
    {
        const char *wrong[] = { "HLG ELG DIAG HDIAG BSRG",
                                sizeof(T) < 16 ? "CSRG HLG ELG HYBG BSRG" : "CSRG BSRG",
                                sizeof(T) > 4 ? "CSRG DIAG HDIAG" : "CSRG", "HLG ELG BSRG" };
        struct X(auto_mat) m = X(autog_mold);
        for (int kind = 0; kind < 4; kind++) {
            struct X(coo_mat) *s = large_matrix(kind, kind == 1 ? 40 * LARGE : kind > 0 ? 10 * LARGE : LARGE);
            struct X(mat) *a = convert(&s->mat, &m.mat);
            ck_assert_int_eq(a->on != NULL, psb_cuda_device() != NULL);
            ck_assert_msg(!a->on || !is_one_of(wrong[kind], a->ops->fmt), "kind %d became %s", kind,
                          a->ops->fmt);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
        struct X(coo_mat) *s = sample(SPREAD, 6, 4);
        struct X(mat) *a = NULL;
        m.near = 2;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG,
              "mirrors are 1 and near is 2; expected 0, or 1 and no trial");
        ck_assert_ptr_null(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* wrong[kind]: formats that AUTO must not choose.  ELL is not wrong for kind 1: its rows are of equal length.
 * Nor is CSR without vector instructions, or with values of 16 bytes: then it takes rows of three entries as
 * fast as DIA, or faster. */
START_TEST(auto_choice)
    {
        const int csr_pays = psb_simd() == PSB_SIMD_PLAIN || sizeof(T) == 16;
        const char *wrong[] = { "ELL DIA HDIA BELL", csr_pays ? "COO BSR BELL" : "COO CSR BSR BELL",
                                "COO CSR ELL" };
        for (int kind = 0; kind < 3; kind++) {
            struct X(coo_mat) *s = large_matrix(kind, LARGE);
            struct X(mat) *a = convert(&s->mat, &X(auto_mold).mat);
            ck_assert_msg(!is_one_of(wrong[kind], a->ops->fmt), "kind %d became %s", kind, a->ops->fmt);
            X(mat_free)(a);
            X(mat_free)(&s->mat);
        }
    }
END_TEST

/* Every third group of 840 rows, which BSR samples to choose a block, consists of 8 x 8 blocks, the other
 * groups of scattered entries, so that BSR is forecast to fit but refuses the matrix.  AUTO must choose
 * another format. */
START_TEST(auto_skips_refusing_formats)
    {
        enum { M = 20 * 840, LONG = 40 };
        struct X(mat) *all, *a;
        const T one = 1;
        OK(X(mat_all)(M, M, (psb_epk)M * LONG, &all));
        for (psb_ipk i = 0; i < M; i++)
            for (psb_ipk k = 0; k < LONG; k++) {
                psb_ipk j = i / 840 % 3 == 1 ? (i / 8 * 8 + k / 8 * 1600 + k % 8) % M : (i * 7 + k * 420) % M;
                OK(X(coo_append)((struct X(coo_mat) *)all, 1, &i, &j, &one));
            }
        OK(X(coo_fix)((struct X(coo_mat) *)all, PSB_DUPL_ADD));
        FAILS(X(mat_convert)(all, &X(bsr_mold).mat, &a), PSB_EPADDING, "BSR: ");
        OK(X(mat_convert)(all, &X(auto_mold).mat, &a));
        ck_assert_int_eq(a->nnz, all->nnz);
        X(mat_free)(a);
        X(mat_free)(all);
    }
END_TEST

/* If an allocation fails, AUTO skips the format or fails with PSB_ENOMEM; the source is intact, and no error
 * of a skipped format remains. */
START_TEST(auto_allocation_fails)
    {
        struct X(coo_mat) *s = sample(SPREAD, 33, 20);
        struct X(mat) *a = NULL;
        const struct X(auto_mat) *m = _i ? &X(tuned_mold) : &X(auto_mold);
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
        X(mat_free)(&s->mat);
    }
END_TEST

START_TEST(auto_wrong_molds)
    {
        struct X(coo_mat) *s = sample(SPREAD, 6, 4);
        struct X(auto_mat) m = X(tuned_mold);
        struct X(mat) *a = NULL;
        m.near = -1;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG, "the mold's near is -1; expected >= 1, or 0");
        m.near = 0.5;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG, "the mold's near is 0.5; expected >= 1, or 0");
        m.near = 2;
        m.seconds = -1;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG, "the mold's seconds are -1; expected >= 0");
        m.seconds = INFINITY;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG,
              "the mold's seconds are inf; expected >= 0, and");
        m.seconds = NAN;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG, "the mold's seconds are nan; expected >= 0");
        m.near = NAN;
        FAILS(X(mat_convert)(&s->mat, &m.mat, &a), PSB_EARG, "the mold's near is nan; expected >= 1, or 0");
        ck_assert_ptr_null(a);
        X(mat_free)(&s->mat);
    }
END_TEST

/* --- forecasts --- */

/* The nearest ancestor of m that implements `forecast`, or NULL. */
static const struct X(mat) *forecaster(const struct X(mat) *m)
{
    while (m && !m->ops->forecast)
        m = m->ops->super;
    return m == &X(root_mold) ? NULL : m;
}

static psb_err try_forecast(const struct X(mat) *mold, const struct X(coo_mat) *s, struct psb_forecast *f)
{
    struct X(mat) *csr = convert((struct X(mat) *)&s->mat, &X(csr_mold).mat), *none, *empty;
    struct X(compressed) rows;
    OK(X(csr_view)(csr, &rows, &none));
    OK(X(mat_new)(mold, csr->nrows, csr->ncols, csr->nnz, &empty));
    psb_err e = forecaster(mold)->ops->forecast(empty, &rows, f);
    X(mat_free)(empty);
    X(mat_free)(csr);
    return e;
}

static struct psb_forecast forecast(const struct X(mat) *mold, const struct X(coo_mat) *s)
{
    struct psb_forecast f;
    OK(try_forecast(mold, s, &f));
    return f;
}

/* Bytes of the arrays whose names contain `part`.  NULL: of all arrays but those optional ones that no
 * product of finite numbers reads. */
static size_t bytes_of(struct X(mat) *a, const char *part)
{
    static const char spare[] = "HLL ranks, HDIA zeros, HDIA bits";
    struct psb_dual *list[PSB_MOST_ARRAYS];
    const struct X(mat_ops) *k = a->ops;
    size_t sum = 0;
    while (!k->arrays)
        k = k->super->ops;
    for (int n = k->arrays(a, list); n > 0; n--)
        if (part ? strstr(list[n - 1]->name, part) != NULL : !strstr(spare, list[n - 1]->name))
            sum += list[n - 1]->bytes;
    return sum;
}

/* The forecast has the same error as the conversion, or the sizes of the converted matrix. */
static void check_forecast(const struct X(mat) *m, const struct X(coo_mat) *s)
{
    struct X(coo_mat) view = *s;
    struct psb_forecast f;
    struct X(mat) *a;
    psb_err e = X(mat_convert)(&view.mat, m, &a);
    ck_assert_int_eq(e, try_forecast(m, s, &f));
    if (e != PSB_OK) {
        ck_assert_int_eq(e, PSB_EPADDING);
        psb_clean_errstack();
        return;
    }
    ck_assert_msg(f.bytes == (double)bytes_of(a, NULL), "%s of %d x %d: forecast %g bytes, actual %zu",
                  m->ops->fmt, a->nrows, a->ncols, f.bytes, bytes_of(a, NULL));
    ck_assert(f.places == (double)(bytes_of(a, "values") / sizeof(T)));
    ck_assert(f.work != PSB_WORK_OWN && f.work < PSB_WORK_KINDS);
    ck_assert(f.lines >= 0 && f.steps >= 0 && f.changes >= 0 && f.parts >= 0);
    X(mat_free)(a);
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

/* Forecast sizes equal actual sizes, also if block rows do not end at the ends of the groups of rows that BSR
 * samples. */
START_TEST(forecasts_match_sizes)
    {
        struct X(coo_mat) *s[] = { sample(TRIDIAG, 0, 7),         sample(FULL, 33, 20),
                                   sample(SPREAD, 1700, 1690),    sample(TWICE, 860, 840),
                                   sample(TRIDIAG, 2600, 2601),   sample(DENSE_ROW, 129, 900),
                                   sample(DENSE_COL, 1680, 1681), sample(NOTHING, 30, 1) };
        for (int k = 0; k < (int)(sizeof s / sizeof *s); k++) {
            for (int i = 0; unusual_mold(i); i++)
                check_forecast(unusual_mold(i), s[k]);
            for (int i = 0; mold(i); i++)
                if (forecaster(mold(i)))
                    check_forecast(mold(i), s[k]);
            X(mat_free)(&s[k]->mat);
        }
    }
END_TEST

/* Without triplets the forecast of HYB is that of ELL; with triplets it is larger than for ELL of the same
 * width. */
START_TEST(hyb_forecast)
    {
        struct X(coo_mat) *s = sample(SPREAD, 700, 700), *t = matrix_with_long_rows(9000, 5000, 4);
        struct X(hyb_mat) all = hyb_with(PSB_HYB_MAX, 0), one = hyb_with(PSB_HYB_USER, 1);
        struct psb_forecast h = forecast(&all.mat, s), e = forecast(&X(ell_mold).mat, s);
        ck_assert(h.work == e.work && h.steps == e.steps && h.bytes == e.bytes);
        h = forecast(&all.mat, t);
        e = forecast(&X(ell_mold).mat, t);
        ck_assert(h.work == e.work && h.steps == e.steps && h.bytes == e.bytes);
        struct X(coo_mat) *narrow = matrix_with_long_rows(9000, 0, 1);
        h = forecast(&one.mat, t);
        e = forecast(&X(ell_mold).mat, narrow);
        ck_assert(h.work != e.work && h.steps == e.steps && h.parts > 0 && h.bytes > e.bytes);
        X(mat_free)(&narrow->mat);
        X(mat_free)(&s->mat);
        X(mat_free)(&t->mat);
    }
END_TEST

/* Three diagonals; in each 128th strip of 32 rows every other row is empty.  A sample at equal distances
 * would meet those strips too often, or never. */
static struct X(coo_mat) *uneven_strips(psb_ipk m)
{
    struct X(mat) *a;
    const T one = 1;
    OK(X(mat_all)(m, m, 3 * (psb_epk)m, &a));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk k = 0, n = i / 32 % 128 || i % 2 ? 3 : 0; k < n; k++) {
            const psb_ipk j = (i + 100 * k) % m;
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &one));
        }
    OK(X(coo_fix)((struct X(coo_mat) *)a, PSB_DUPL_ADD));
    return (struct X(coo_mat) *)a;
}

/* The sampled strips of HLGP stand for all of them, and its packed columns are forecast to pay unless values
 * are large. */
START_TEST(packed_forecast)
    {
        enum { STRIPS = 8192, M = 32 * STRIPS };
        struct X(coo_mat) *s = uneven_strips(M);
        struct X(mat) *csr = convert(&s->mat, &X(csr_mold).mat), *none, *empty;
        struct X(compressed) rows;
        struct psb_cost_terms t;
        struct psb_forecast f;
        OK(X(csr_view)(csr, &rows, &none));
        OK(X(mat_new)(&X(hlgp_mold).mat, M, M, csr->nnz, &empty));
        OK(X(device_terms)(empty, &rows, &f, &t));
        const double slots = 3 * STRIPS;
        ck_assert_msg(fabs(t.parts - slots) < 0.02 * slots, "%g slots; expected %g", t.parts, slots);
        if (sizeof(T) < 16)
            ck_assert_double_lt(forecast(&X(hlgp_mold).mat, s).ns, forecast(&X(hlg_mold).hll.mat, s).ns);
        X(mat_free)(empty);
        X(mat_free)(csr);
        X(mat_free)(&s->mat);
    }
END_TEST

/* ELL counts the pieces of its columns if there are more than 1024: two for each group of 32 rows and column.
 */
START_TEST(many_columns_of_ell)
    {
        enum { M = 2000, MANY = 1024 };
        const psb_ipk width = MANY + _i;
        const T one = 1;
        struct X(hll_mat) ell = X(ell_mold);
        struct X(mat) *s;
        ell.limit = 0;
        OK(X(mat_all)(M, width, M + width, &s));
        for (psb_ipk i = 0; i < M; i++)
            for (psb_ipk j = 0; j < (i ? 1 : width); j++)
                OK(X(coo_append)((struct X(coo_mat) *)s, 1, &i, &j, &one));
        const struct psb_forecast f = forecast(&ell.mat, (struct X(coo_mat) *)s);
        ck_assert(f.work == PSB_WORK_ELL);
        ck_assert_double_eq(f.parts, _i ? 2.0 * (width + (M + 31) / 32 - 1) : 0);
        X(mat_free)(s);
    }
END_TEST

/* Rows of `shortest` to `longest` entries. */
static struct X(coo_mat) *mixed_rows(psb_ipk m, psb_ipk shortest, psb_ipk longest)
{
    struct rng r = { 11 };
    struct X(mat) *a;
    const T one = 1;
    OK(X(mat_all)(m, 400, (psb_epk)m * longest, &a));
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk n = shortest + rng_below(&r, longest - shortest + 1), j = i % 7; n > 0; n--, j++)
            OK(X(coo_append)((struct X(coo_mat) *)a, 1, &i, &j, &one));
    OK(X(coo_fix)((struct X(coo_mat) *)a, PSB_DUPL_ADD));
    return (struct X(coo_mat) *)a;
}

/* The nanoseconds of a product of `rows` in the format of `mold` on the host. */
static double host_ns(const struct X(mat) *mold, const struct X(coo_mat) *s, const struct X(compressed) *rows)
{
    const struct psb_misses misses = psb_misses_of(rows->ptr[rows->n], rows->idx, sizeof(T));
    const struct psb_forecast f = forecast(mold, s);
    const struct psb_host_ns ns = psb_host_ns_of(&f, LETTER, &misses,
                                                 (double)sizeof(T) * ((double)rows->n + rows->m));
    return ns.core + ns.x + ns.memory;
}

/* By default a product on the host may take 3 times as long as in CSR, and 3.5 times as long as in SELL,
 * which is the lower one if rows are short and unlike in length (in complex types not on all processors). */
START_TEST(host_time_limit)
    {
        struct X(coo_mat) *s = _i ? mixed_rows(2000, 300, 300) : mixed_rows(50000, 1, 4);
        struct X(mat) *csr = convert(&s->mat, &X(csr_mold).mat), *none;
        struct X(compressed) rows;
        OK(X(csr_view)(csr, &rows, &none));
        const double by_csr = 3 * host_ns(&X(csr_mold).mat, s, &rows),
                     by_sell = 3.5 * host_ns(&X(sell_mold).mat, s, &rows);
        const int csr_decides = by_csr < by_sell;
        struct psb_forecast f = { .work = PSB_WORK_OWN, .ns = 0.99 * (csr_decides ? by_csr : by_sell) };
        ck_assert(CPLX || csr_decides == _i);
        OK(X(check_host_time)(csr, 8, &f, &rows));
        f.ns *= 1.02;
        FAILS(X(check_host_time)(csr, 8, &f, &rows), PSB_EPADDING,
              csr_decides ? "of CSR, which fits; the mold allows 3 times"
                          : "of SELL, which fits; the mold allows 3.5 times");
        if (!csr_decides) {
            psb_alloc_fail_at(1);
            FAILS(X(check_host_time)(csr, 8, &f, &rows), PSB_ENOMEM, "SELL");
            psb_alloc_fail_at(0);
        }
        OK(X(check_host_time)(csr, 0, &f, &rows));
        OK(X(check_host_time)(csr, 16, &f, &rows));
        X(mat_free)(csr);
        X(mat_free)(&s->mat);
    }
END_TEST

void formats_auto_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "auto");
    ck_add_sampled_test(c, auto_chooses_a_registered_format, ZOO);
    tcase_add_test(c, auto_choice);
    tcase_add_test(c, autog_choice);
    tcase_add_test(c, auto_skips_refusing_formats);
    tcase_add_loop_test(c, auto_allocation_fails, 0, 2);
    tcase_add_test(c, auto_wrong_molds);
    tcase_add_test(c, forecasts_match_sizes);
    tcase_add_test(c, hyb_forecast);
    tcase_add_test(c, packed_forecast);
    tcase_add_loop_test(c, many_columns_of_ell, 0, 2);
    tcase_add_loop_test(c, host_time_limit, 0, 2);
}
