/* check_formats_layouts.c -- test: limits of formats that pad; storage of ELL, HLL, SELL, DIA, HDIA and HLGP.
 */
#include "config.h"
#include "kernels.h"
#include "check_formats.h"
#include "check_ops.h"
#include "psb_log_lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(ell_limit)
{
    struct X(hll_mat) loose = X(ell_mold);
    COO *s = sample(DENSE_ROW, 700, 700);
    REFUSES(&s->mat, X(mat_by_name)("ELL"), PSB_EPADDING, "ELL");
    REFUSES(&s->mat, X(mat_by_name)("ELG"), PSB_EPADDING, "ELG");
    loose.limit = 0;
    MAT *a = convert(&s->mat, &loose.mat);
    check_equal(a, &loose.mat, s);
}

/* Scattered entries: nearly every entry is alone on its diagonal. */
TEST(dia_limit)
{
    COO *s = sample(SPREAD, 900, 900);
    struct X(hdia_mat) loose = X(dia_mold), wrong = X(hdia_mold);
    REFUSES(&s->mat, X(mat_by_name)("DIA"), PSB_EPADDING, "DIA: ");
    wrong.hack = -1;
    REFUSES(&s->mat, &wrong.mat, PSB_EARG, "the mold's hack is -1; expected >= 1");
    loose.limit = 0;
    MAT *a = convert(&s->mat, &loose.mat);
    check_equal(a, &loose.mat, s);
}

/* Limits that are no valid number, in every format that has a limit. */
TEST(wrong_limits)
{
    const struct X(hll_mat) *const tall[] = { &X(hll_mold), &X(ell_mold), &X(sell_mold) };
    const struct X(hdia_mat) *const diagonal[] = { &X(hdia_mold), &X(dia_mold) };
    const double wrong[] = { -1, NAN };
    const char *said[] = { "the mold's limit is -1; expected >= 0", "the mold's limit is nan; expected >=" };
    COO *s = sample(SPREAD, 6, 4);
    for (int k = 0; k < 5; k++)
        for (int w = 0; w < 2; w++) {
            struct X(hll_mat) h = *tall[k % 3];
            struct X(hdia_mat) d = *diagonal[k % 2];
            h.limit = d.limit = wrong[w];
            REFUSES(&s->mat, k < 3 ? &h.mat : &d.mat, PSB_EARG, said[w]);
        }
}

/* Three diagonals: one full, one without every fifth entry, one without its first entry; the second entry of
 * the last is `second`. */
static struct X(coo_mat) *with_gaps(T second)
{
    enum { N = 200 };
    struct X(coo_mat) *a = new_coo(N, N);
    for (psb_ipk i = 0; i < N; i++)
        for (psb_ipk j = i; j < i + 3; j++)
            if ((j != i + 1 || i % 5) && (j != i + 2 || i))
                coo_put(a, i, j, i == 1 && j == 3 ? second : (T)(i + 1));
    return a;
}

/* Number of diagonals whose gaps are stored as bits. */
static int bitmap_diagonals(struct X(mat) *a)
{
    const unsigned char *gaps;
    const psb_epk *off;
    int n = 0;
    OK(psb_dual_read(&((struct X(hdia_mat) *)a)->gaps, PSB_HOST, &gaps));
    OK(psb_dual_read(&((struct X(hdia_mat) *)a)->off, PSB_HOST, &off));
    for (psb_epk d = 0; d < off[((struct X(hdia_mat) *)a)->nhacks]; d++)
        n += gaps[d] == PSB_GAPS_BY_BITS;
    return n;
}

static void put_entry(struct X(mat) *a, psb_ipk i, psb_ipk j, T v, enum psb_dupl dupl)
{
    OK(X(mat_csput)(a, 1, &i, &j, &v, dupl));
}

/* A diagonal needs its gap bits only while one of its entries is 0. */
TEST(hdia_gap_bits)
{
    COO *s = with_gaps(0), *full = with_gaps(2);
    MAT *a = convert(&s->mat, _i ? &X(dia_mold).mat : &X(hdia_mold).mat);
    /* diagonals with gaps; HDIA: one in each of four hacks, and one more in the first */
    const int all = _i ? 2 : 5;
    ck_assert_int_eq(bitmap_diagonals(a), 1);
    check_equal(a, a->mold, s);
    put_entry(a, 1, 3, 2, PSB_DUPL_OVERWRITE);
    ck_assert_int_eq(bitmap_diagonals(a), 0);
    put_entry(a, 1, 3, -2, PSB_DUPL_ADD);
    put_entry(a, 1, 3, 0, PSB_DUPL_ADD);
    ck_assert_int_eq(bitmap_diagonals(a), 1);
    OK(X(mat_scal)(a, 2));
    ck_assert_int_eq(bitmap_diagonals(a), 1);
    put_entry(a, 1, 3, 4, PSB_DUPL_ADD);
    OK(X(mat_scal)(a, (T)0.5));
    ck_assert_int_eq(bitmap_diagonals(a), 0);
    check_equal(a, a->mold, full);
    OK(X(mat_zero_vals)(a));
    ck_assert_int_eq(bitmap_diagonals(a), all);
    OK(X(mat_csput)(a, full->mat.nnz - 1, full->ia, full->ja, full->val, PSB_DUPL_ADD));
    OK(X(mat_csput)(a, 1, full->ia + full->mat.nnz - 1, full->ja + full->mat.nnz - 1,
                    full->val + full->mat.nnz - 1, PSB_DUPL_ADD));
    ck_assert_int_eq(bitmap_diagonals(a), 0);
    check_equal(a, a->mold, full);
    OK(X(mat_scal)(a, 0));
    ck_assert_int_eq(bitmap_diagonals(a), all);
    ck_assert_int_eq(a->nnz, full->mat.nnz);
}

/* Storage is allocated for the rows of the matrix, even if the hack is larger. */
TEST(hack_larger_than_matrix)
{
    struct X(hll_mat) h = X(hll_mold);
    struct X(hdia_mat) d = X(hdia_mold);
    COO *s = sample(SPREAD, 70, 50), *none = sample(NOTHING, 0, 0);
    h.hack = d.hack = INT32_MAX;
    const struct X(mat) *const molds[] = { &h.mat, &d.mat };
    for (int k = 0; k < 2; k++) {
        MAT *a = convert(&s->mat, molds[k]), *b = convert(&none->mat, molds[k]);
        ck_assert_int_eq(k ? ((struct X(hdia_mat) *)a)->rows : ((struct X(hll_mat) *)a)->rows, 128);
        check_equal(a, molds[k], s);
        check_equal(b, molds[k], none);
    }
}

static psb_err refuse_triplets(struct X(mat) *a, const struct X(coo_mat) *b)
{
    (void)b;
    return PSB_FAIL(PSB_EIO, "%s takes no triplets", a->ops->fmt);
}

/* A format that refines another and has a from_coo: from_coo is called, also for CSR, and not the inherited
 * build. A format with neither is an error. */
TEST(own_from_coo)
{
    const struct X(mat_ops) own = {
        .super = &X(hll_mold).mat,
        .fmt = "OWN",
        .size = sizeof(struct X(hll_mat)),
        .storage.from_coo = refuse_triplets,
    };
    const struct X(mat_ops) bare = { .super = &X(root_mold), .fmt = "BARE", .size = sizeof(struct X(mat)) };
    const struct X(hll_mat) own_mold = { .mat.ops = &own, .hack = 32 };
    const struct X(mat) bare_mold = { .ops = &bare };
    COO *s = sample(SPREAD, 40, 30);
    MAT *csr = convert(&s->mat, &X(csr_mold).mat);
    REFUSES(&s->mat, &own_mold.mat, PSB_EIO, "OWN takes no triplets");
    REFUSES(csr, &own_mold.mat, PSB_EIO, "OWN takes no triplets");
    REFUSES(&s->mat, &bare_mold, PSB_ENOTIMPL, "format BARE has no from_coo and no build");
    REFUSES(csr, &bare_mold, PSB_ENOTIMPL, "format BARE has no from_coo and no build");
}

/* Hacks and windows: 1 row, odd sizes, multiples, one row too few, more rows than the matrix. */
TEST(hll_hacks_and_windows)
{
    const psb_ipk hack[] = { 1, 2, 7, 31, 32, 33, 64, 65, 130, 1000 };
    for (int h = 0; h < (int)(sizeof hack / sizeof *hack); h++)
        for (int kind = 0; kind <= DENSE_COL; kind++) {
            struct X(hll_mat) m = X(hll_mold);
            COO *s = sample((enum sample_kind)kind, 65, 130);
            m.hack = hack[h];
            m.sort = hack[(h + kind) % 10];
            m.limit = 0;
            check_mold(&m.mat, s);
        }
    struct X(hll_mat) wrong = X(hll_mold);
    COO *s = sample(SPREAD, 6, 4);
    wrong.hack = -1;
    REFUSES(&s->mat, &wrong.mat, PSB_EARG, "the mold's hack is -1; expected >= 1");
    wrong.hack = 8;
    wrong.sort = -3;
    REFUSES(&s->mat, &wrong.mat, PSB_EARG, "the mold's sort is -3; expected the rows of");
}

/* Slots whose column indices need 0, 1, 2 and 4 bytes, on a device; `narrow`: values of half the size on the
 * device, which follow changes of the matrix. */
static void check_packed(const struct X(hlgp_mat) *m, struct X(coo_mat) *s, psb_ipk n, psb_ipk rows)
{
    MAT *a = convert(&s->mat, &m->hll.mat);
    struct X(hlgp_mat) *h = (struct X(hlgp_mat) *)a;
    HEAP T *x = new_array(n), *y = new_array(rows), *want = new_array(rows);
    for (psb_ipk j = 0; j < n; j++)
        x[j] = 1 + j % 7;
    VECT *vx = vector(n, x, &psb_vect_cuda), *vy = vector(rows, y, &psb_vect_cuda);
    for (int times = 0; times < 2; times++) {
        OK(X(mat_csmv)(1, &s->mat, x, 0, want, 'N'));
        OK(X(mat_vect_mv)(1, a, vx, 0, vy, 'N'));
        OK(X(get_vect)(vy, rows, y));
        for (psb_ipk i = 0; i < rows; i++)
            ck_assert(y[i] == want[i]); /* exact: small integers */
        OK(X(mat_scal)(&s->mat, 2));
        OK(X(mat_scal)(a, 2));
    }
    if (a->on) { /* strip 0: columns 3 i, 977 i, 4000 i or i, and i; strip 1: only i */
        ck_assert_int_eq(h->packed.bytes.bytes, (1 + 2 + 4) * 32);
        ck_assert_int_eq(h->val.bytes, 5 * 32 * (m->narrow ? sizeof(X(narrow)) : sizeof(T)));
    }
    OK(X(mat_scal)(&s->mat, (T)0.25));
}

TEST(hlgp_packed_columns)
{
    enum { M = 64, N = 200000 };
    struct X(hlgp_mat) m = X(hlgp_mold);
    COO *s = new_coo(M, N);
    for (psb_ipk i = 0; i < M; i++) {
        const psb_ipk ia[] = { i, i, i, i },
                      ja[] = { i, 100 + 3 * i, 1000 + 977 * i, 60000 + i * (i % 2 ? 1 : 4000) };
        const T v[] = { 1, 2, MAKE(3, 1), 4 };
        OK(X(coo_append)(s, i < 32 ? 4 : 1, ia, ja, v));
    }
    OK(X(coo_fix)(s, PSB_DUPL_ADD));
    for (m.narrow = 0; m.narrow < 2; m.narrow++)
        check_packed(&m, s, N, M);
    REFUSES(&s->mat, &m.hll.mat, PSB_EARG, "the mold's narrow is 2; expected 0 or 1");
    m.narrow = 0;
    m.hll.sort = 64;
    REFUSES(&s->mat, &m.hll.mat, PSB_EARG, "the mold's sort is 64; expected 0 or 1");
}

/* Rows of group g, of `hack` rows, have length[g % 4] entries; the last group is about half as large, of an
 * odd number of rows.  The last row has `less` entries less. */
static struct X(coo_mat) *even_groups(psb_ipk hack, const psb_ipk *length, psb_ipk groups, psb_ipk less)
{
    const psb_ipk m = groups * hack + hack / 2 + 1, n = 200;
    struct rng r = { 3 };
    struct X(coo_mat) *a = new_coo(m, n);
    for (psb_ipk i = 0; i < m; i++)
        for (psb_ipk k = i < m - 1 ? 0 : less; k < length[i / hack % 4]; k++)
            coo_put(a, i, (7 * i + 31 * k) % n, random_scalar(&r));
    OK(X(mat_asb)(&a->mat, PSB_DUPL_ADD));
    return a;
}

/* Products that read no lengths of rows, of few entries and of more than fit in a cache, and those of the
 * same matrix with an entry less; transposed ones, which read the entries in another order if they are many.
 */
TEST(rows_alike_in_length)
{
    static const psb_ipk length[][4] = { { 2, 3, 0, 5 }, { 2, 2, 2, 2 }, { 3, 3, 3, 3 } };
    static const psb_ipk hacks[] = { 8, 32, 32, 0, 8 }; /* of HLL, HLL, sorted HLL, ELL, SELL */
    const psb_ipk large = 3600000 / (psb_ipk)(sizeof(T) + sizeof(psb_ipk)); /* rows that exceed a cache */
    const int kind = _i / 3, many = _i % 3 == 0 ? large / (kind == 1 || kind == 2 ? 32 : 8) : 50;
    struct X(hll_mat) m = kind == 3 ? X(ell_mold) : kind == 4 ? X(sell_mold) : X(hll_mold);
    const psb_ipk grain = psb_set_thread_grain(1), hack = kind == 3 ? 8 : hacks[kind];
    if (kind < 3) {
        m.hack = hack;
        m.sort = kind == 2 ? 64 : 0;
    }
    for (psb_ipk less = 0; less < 2; less++) {
        COO *s = even_groups(hack, length[_i % 3], less ? 4 : many, less);
        MAT *a = convert(&s->mat, &m.mat);
        struct X(hll_arrays) arrays;
        OK(X(hll_open)(a, &arrays));
        if (kind < 2 || _i % 3 > 0) /* else groups and hacks differ */
            ck_assert_int_eq(arrays.full, !less);
        for (int p = 1; p <= 3; p += 2) {
            use_threads(p);
            check_csmv(a, s, 'N', MAKE(0.5, 1), 0);
            check_csmv(a, s, 'N', 1, MAKE(2, -1));
            check_csmv(a, s, 'T', MAKE(0.5, 1), 0);
            check_csmv(a, s, 'C', 1, MAKE(2, -1));
        }
        use_threads(1);
    }
    psb_set_thread_grain(grain);
}

/* In each window rows are in order of decreasing length, equal lengths in their original order; each row
 * stays in its window. */
TEST(sell_layout)
{
    enum { M = 205, WINDOW = 50 };
    struct X(hll_mat) m = X(sell_mold);
    COO *s = sample(SPREAD, M, 90);
    const psb_ipk *row, *rank, *irn;
    m.sort = WINDOW;
    MAT *a = convert(&s->mat, &m.mat);
    struct X(hll_mat) *sell = (struct X(hll_mat) *)a;
    OK(psb_dual_read(&sell->row, PSB_HOST, &row));
    OK(psb_dual_read(&sell->rank, PSB_HOST, &rank));
    OK(psb_dual_read(&sell->irn, PSB_HOST, &irn));
    for (psb_ipk r = 0; r < M; r++) {
        ck_assert_int_eq(rank[row[r]], r);
        ck_assert_int_eq(row[r] / WINDOW, r / WINDOW);
        if (r % WINDOW > 0)
            ck_assert(irn[r] < irn[r - 1] || (irn[r] == irn[r - 1] && row[r] > row[r - 1]));
    }
}

/* A format that refuses a matrix of this pattern for its bytes, and the same format on a device. */
static const struct refused {
    const char *host, *device;
    struct pattern rows;
} refusals[] = {
    { "ELL", "ELG", { 32, 20000, 1, 20000, 32, 0, 0, 1 } },
    { "HLL", "HLG", { 32, 20000, 1, 20000, 32, 0, 0, 1 } },
    { "DIA", "DIAG", { 1024, 2000, 8, 8, 1, 17, 0, 41 } },
    { "HDIA", "HDIAG", { 1024, 2000, 8, 8, 1, 17, 0, 41 } },
    { "HYB", "HYBG", { 1, 60000, 0, 60000, 1, 0, 0, 1 } }, /* its ELL part rounds the row up to 16 */
    { "DNS", "DNSG", { 900, 900, 4, 4, 1, 7, 0, 31 } },
};
enum { REFUSALS = sizeof refusals / sizeof *refusals };

/* The refusal is a property of the matrix: the same on the host, on a device, and for a matrix that is on the
 * device.  HDIAG has longer hacks than HDIA, and so other numbers. */
TEST(refusal_by_bytes)
{
    const struct refused *q = &refusals[_i];
    COO *s = pattern_matrix(&q->rows);
    MAT *csrg = convert(&s->mat, &X(csrg_mold).mat);
    char said[3][512];
    for (int k = 0; k < 3; k++) {
        const char *fmt = k ? q->device : q->host;
        REFUSES(k == 2 ? csrg : &s->mat, X(mat_by_name)(fmt), PSB_EPADDING,
                "of CSR, which fits; the mold allows 8 times");
        const char *at = strstr(psb_errmsg(), fmt);
        ck_assert(at != NULL);
        snprintf(said[k], sizeof said[k], "%s", at + strlen(fmt));
    }
    ck_assert_str_eq(said[1], said[2]);
    if (strcmp(q->host, "HDIA") != 0)
        ck_assert_str_eq(said[0], said[1]);
}

/* HLGP reads its padding, so it refuses what HLG takes. */
TEST(hlgp_limit)
{
    COO *s = pattern_matrix(&(struct pattern){ 32, 20000, 5000, 20000, 32, 0, 0, 1 });
    struct X(hlgp_mat) m = X(hlgp_mold);
    MAT *a = NULL;
    X(mat_free)(convert(&s->mat, &X(hlg_mold).hll.mat));
    REFUSES(&s->mat, &m.hll.mat, PSB_EPADDING, "the mold allows 2 times");
    m.hll.limit = 0;
    check_equal(a = convert(&s->mat, &m.hll.mat), &m.hll.mat, s);
}

/* What would be slow is obeyed, and one hint says so: 31 rows are padded to the length of the first. */
TEST(hint_of_padding)
{
    COO *s = pattern_matrix(&(struct pattern){ 40000, 40000, 5, 20000, 40000, 1, 0, 1 });
    OK(psb_log_set("hints"));
    ck_stderr_begin();
    for (int twice = 0; twice < 2; twice++) {
        MAT *a = convert(&s->mat, &X(hll_mold).mat);
        check_equal(a, &X(hll_mold).mat, s);
    }
    const char *text = ck_stderr_end(), *hint = strstr(text, "psb: hint: a matrix in HLL takes ");
    OK(psb_log_set(NULL));
    ck_assert_msg(hint && strstr(hint, " of CSR; its products") && !strstr(hint + 1, "psb: hint"), "%s",
                  text);
}

void formats_layouts_tests(Suite *s)
{
    TCase *c = ck_tcase(s, "layouts");
    ck_add_tests(c, ell_limit, hlgp_limit, hint_of_padding, wrong_limits);
    ck_add_loop_tests(c, REFUSALS, refusal_by_bytes);
    ck_add_loop_tests(c, 2, hdia_gap_bits);
    ck_add_tests(c, hack_larger_than_matrix, dia_limit, own_from_coo, hll_hacks_and_windows,
                 hlgp_packed_columns);
    ck_add_loop_tests(c, 15, rows_alike_in_length);
    ck_add_tests(c, sell_layout);
}
