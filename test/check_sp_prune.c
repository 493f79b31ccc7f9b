/* check_sp_prune.c -- test: entries dropped by thresholds; dense arrays. */
#include "config.h"
#include "check_sp.h"
#include <math.h>
#include <stdlib.h>
#include "suites.h"

static const struct {
    enum psb_prune rule;
    double t;
} thresholds[] = {
    { PSB_PRUNE_VALUE, 0 },    { PSB_PRUNE_VALUE, 1 },    { PSB_PRUNE_VALUE, INFINITY },
    { PSB_PRUNE_SHARE, 0 },    { PSB_PRUNE_SHARE, 37 },   { PSB_PRUNE_SHARE, 62.5 },
    { PSB_PRUNE_SHARE, 100 },  { PSB_PRUNE_COUNT, 0 },    { PSB_PRUNE_COUNT, 2 },
    { PSB_PRUNE_COUNT, 1000 }, { PSB_PRUNE_DIAGONAL, 1 }, { PSB_PRUNE_DIAGONAL, 0.25 },
    { PSB_PRUNE_ROW, 0.3 },    { PSB_PRUNE_ROW, 0 },
};
enum { THRESHOLDS = sizeof thresholds / sizeof *thresholds };

/* Few different moduli, so that many are equal; some values are 0, one is very large where `large` is set. */
static void give_values(struct X(coo_mat) *s, bool large)
{
    static const double values[] = { 1, -2, 0.5, 0, 2, -1, 4 };
    for (psb_epk k = 0; k < s->mat.nnz; k++)
        s->val[k] = values[(s->ia[k] * 5 + s->ja[k] * 3) % 7];
    if (large && s->mat.nnz)
        s->val[s->mat.nnz / 2] = (T)1e30;
}

/* --- the reference --- */

struct place {
    double modulus;
    int i, j;
};

static int by_rank(const void *a_, const void *b_)
{
    const struct place *a = a_, *b = b_;
    if (a->modulus != b->modulus)
        return a->modulus > b->modulus ? -1 : 1;
    return a->i != b->i ? a->i - b->i : a->j - b->j;
}

static double modulus_of(const struct cell *c)
{
    return (double)cabsl(c->v);
}

/* Keep the first `most` entries by rank in rows lo .. hi-1; percent: of those that are there. */
static void keep_first(struct reference *d, int lo, int hi, double most, bool percent, bool keep)
{
    struct place *list = calloc(MOST * MOST, sizeof *list);
    int n = 0;
    ck_assert_ptr_nonnull(list);
    for (int i = lo; i < hi; i++)
        for (int j = 0; j < MOST; j++)
            if (d->at[i][j].n && !(keep && i == j))
                list[n++] = (struct place){ modulus_of(&d->at[i][j]), i, j };
    qsort(list, (size_t)n, sizeof *list, by_rank);
    most = percent ? ceil(n * most / 100) : most;
    for (int k = 0; k < n; k++)
        if (k >= most)
            d->at[list[k].i][list[k].j] = (struct cell){ 0 };
    free(list);
}

static void keep_above(struct cell *row, double bound, int keep)
{
    for (int j = 0; j < MOST; j++)
        if (row[j].n && j != keep && (double)cabsl(row[j].v) <= bound)
            row[j] = (struct cell){ 0 };
}

static void reference_prune(struct reference *d, enum psb_prune rule, double t, bool keep)
{
    if (rule == PSB_PRUNE_SHARE)
        keep_first(d, 0, MOST, t, true, keep);
    for (int i = 0; i < MOST; i++) {
        double squares = 0;
        for (int j = 0; j < MOST; j++)
            squares += d->at[i][j].n ? (double)(cabsl(d->at[i][j].v) * cabsl(d->at[i][j].v)) : 0;
        if (rule == PSB_PRUNE_COUNT)
            keep_first(d, i, i + 1, t, false, keep);
        else if (rule != PSB_PRUNE_SHARE)
            keep_above(d->at[i],
                       rule == PSB_PRUNE_VALUE      ? t
                       : rule == PSB_PRUNE_DIAGONAL ? t * (double)cabsl(d->at[i][i].v)
                                                    : t * sqrt(squares),
                       keep ? i : -1);
    }
}

/* --- thresholds --- */

TEST(distributed_thresholds)
{
    for (int q = 0; q < 2 * THRESHOLDS; q++) {
        const int k = q / 2;
        const bool keep = q % 2;
        const struct X(mat) *mold = X(mat_format)(q % number_of_formats());
        DISTRIBUTED w = sample_on(kinds[q % (KINDS - 1)], q % 3 ? M : N, _i, _i + (q % 3 ? 0 : q));
        if (!assembled(&w, mold))
            continue;
        give_values(w.s, q % 5 == 0);
        GOOD(psb_sprn(w.a, 1));
        GOOD(insert_all(w.a, w.s));
        GOOD(psb_spasb(w.a, NULL, PSB_DUPL_ADD));
        HEAP struct reference *d = reference_of(w.s);
        reference_prune(d, thresholds[k].rule, thresholds[k].t, keep);
        if (!accepted(psb_sp_prune(w.a, thresholds[k].rule, (R)thresholds[k].t, keep)))
            continue;
        check_matrix(w.a, d, 2, "a pruned matrix");
        if (q % 5)
            check_products(w.a, d, 2);
    }
}

TEST(local_thresholds)
{
    for (int q = 0; q < 2 * THRESHOLDS; q++) {
        const int k = q / 2;
        const bool keep = q % 2;
        COO *s = sample(kinds[q % (KINDS - 1)], M, N);
        MAT *a = NULL;
        give_values(s, q % 5 == 0);
        HEAP struct reference *d = reference_of(s);
        OK(X(mat_asb)(&s->mat, PSB_DUPL_ERROR));
        if (!accepted(X(mat_convert)(&s->mat, X(mat_format)(q % number_of_formats()), &a)))
            continue;
        reference_prune(d, thresholds[k].rule, thresholds[k].t, keep);
        if (accepted(psb_mat_prune(a, thresholds[k].rule, (R)thresholds[k].t, keep)))
            check_whole(a, d, M, N);
    }
}

TEST(nan_is_the_largest)
{
    static const struct {
        enum psb_prune rule;
        R t;
        int kept;
    } turns[] = {
        { PSB_PRUNE_VALUE, INFINITY, 1 }, { PSB_PRUNE_COUNT, 1, 1 },    { PSB_PRUNE_SHARE, 30, 1 },
        { PSB_PRUNE_SHARE, 60, 2 },       { PSB_PRUNE_DIAGONAL, 1, 3 }, { PSB_PRUNE_ROW, 1, 3 },
    };
    const T row[] = { (T)NAN, 1, 2 };
    for (size_t q = 0; q < sizeof turns / sizeof *turns; q++) {
        MAT *a = NULL;
        T d[3];
        GOOD(psb_mat_from_dense(1, 3, row, 3, PSB_BY_ROWS, 5, NULL, &a));
        EXPECT(psb_mat_get_nzeros(a) == 1);
        X(mat_free)(a);
        a = NULL;
        GOOD(psb_mat_from_dense(1, 3, row, 3, PSB_BY_ROWS, 0, NULL, &a));
        GOOD(psb_mat_prune(a, turns[q].rule, turns[q].t, false));
        GOOD(psb_mat_to_dense(a, d, 3, PSB_BY_ROWS));
        EXPECT(psb_mat_get_nzeros(a) == turns[q].kept && d[0] != d[0]);
        EXPECT(d[2] == (turns[q].kept > 1 ? 2 : 0));
    }
}

TEST(unit_triangle)
{
    COO *s = new_coo(3, 3);
    T d[9];
    coo_put(s, 1, 0, (T)0.5);
    coo_put(s, 2, 0, 4);
    OK(psb_mat_set_triangle(&s->mat, 1));
    OK(psb_mat_set_unit(&s->mat, 1));
    OK(X(mat_asb)(&s->mat, PSB_DUPL_ERROR));
    GOOD(psb_mat_prune(&s->mat, PSB_PRUNE_DIAGONAL, (R)0.75, true));
    EXPECT(!psb_mat_is_unit(&s->mat) && psb_mat_get_nzeros(&s->mat) == 4);
    GOOD(psb_mat_to_dense(&s->mat, d, 3, PSB_BY_COLS));
    EXPECT(d[0] == 1 && d[1] == 0 && d[2] == 4 && d[4] == 1 && d[8] == 1);
}

TEST(flags)
{
    for (int rule = PSB_PRUNE_VALUE; rule <= PSB_PRUNE_ROW; rule++) {
        DISTRIBUTED w = sample_on(TRIDIAG, M, EVEN, EVEN);
        COO *s = sample(TRIDIAG, 3, 3);
        OK(X(mat_asb)(&s->mat, PSB_DUPL_ADD));
        OK(psb_mat_set_symmetric(&s->mat, 1));
        GOOD(psb_mat_prune(&s->mat, (enum psb_prune)rule, 1, true));
        EXPECT(psb_mat_is_symmetric(&s->mat) == (rule == PSB_PRUNE_VALUE) || s->mat.nnz == 7);
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_set_symmetric(w.a, 1));
        GOOD(psb_sp_prune(w.a, (enum psb_prune)rule, 1, true));
        EXPECT(psb_sp_is_symmetric(w.a) == (rule == PSB_PRUNE_VALUE));
    }
}

TEST(refused_thresholds)
{
    DISTRIBUTED w = sample_on(SPREAD, M, EVEN, EVEN);
    const int last = me == np - 1;
    const R t = last ? (R)NAN : 1;
    MAT *a = NULL;
    BAD(psb_sp_prune(w.a, PSB_PRUNE_VALUE, 1, false), PSB_ESTATE, "argument a is not assembled");
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    HEAP struct reference *d = reference_of(w.s);
    BAD(X(sp_prune)(NULL, PSB_PRUNE_VALUE, 1, false), PSB_EARG, "argument a is NULL");
    BAD(psb_sp_prune(w.a, PSB_PRUNE_VALUE, t, false), PSB_EARG, "argument t is");
    BAD(psb_sp_prune(w.a, PSB_PRUNE_SHARE, t, false), PSB_EARG, "argument t is");
    BAD(psb_sp_prune(w.a, PSB_PRUNE_VALUE, -1, false), PSB_EARG,
        "argument t is -1; expected a threshold >= 0");
    BAD(psb_sp_prune(w.a, PSB_PRUNE_SHARE, 101, false), PSB_EARG, "expected a share, 0 to 100 percent");
    BAD(psb_sp_prune(w.a, PSB_PRUNE_COUNT, (R)1.5, false), PSB_EARG, "expected a number of entries, whole");
    BAD(psb_sp_prune(w.a, (enum psb_prune)(last ? 9 : 0), 1, false), PSB_EARG, "argument rule is 9");
    check_matrix(w.a, d, 2, "a refused matrix");
    BAD(X(mat_prune)(NULL, PSB_PRUNE_VALUE, 1, false), PSB_EARG, "argument a is NULL");
    GOOD(X(mat_all)(2, 2, 0, &a));
    BAD(psb_mat_prune(a, PSB_PRUNE_ROW, (R)NAN, false), PSB_EARG, "expected a threshold >= 0");
    BAD(psb_mat_prune(a, (enum psb_prune) - 1, 1, false), PSB_EARG, "argument rule is -1");
}

/* --- dense arrays --- */

enum { LD = MOST + 3 };

/* The array of d in this order, with `fill` between the elements. */
static void dense_of(const struct reference *d, enum psb_order order, T fill, T *array)
{
    fill_vector(LD * LD, array, fill);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            array[order == PSB_BY_ROWS ? i * LD + j : j * LD + i] = (T)d->at[i][j].v;
}

TEST(dense_arrays)
{
    static T want[LD * LD], got[LD * LD];
    const enum psb_order order = _i ? PSB_BY_COLS : PSB_BY_ROWS;
    for (int f = 0; X(mat_format)(f); f++) {
        COO *s = sample(kinds[f % (KINDS - 1)], M, N);
        MAT *a = NULL, *b = NULL;
        give_values(s, false);
        HEAP struct reference *d = reference_of(s);
        dense_of(d, order, 7, want);
        if (!accepted(X(mat_from_dense)(M, N, want, LD, order, 0, X(mat_format)(f), &a)))
            continue;
        reference_prune(d, PSB_PRUNE_VALUE, 0, false);
        check_whole(a, d, M, N);
        fill_vector(LD * LD, got, 7);
        GOOD(psb_mat_to_dense(a, got, LD, order));
        for (int k = 0; k < LD * LD; k++)
            EXPECT(got[k] == want[k]);
        GOOD(psb_mat_from_dense(M, N, want, LD, order, 1, NULL, &b));
        reference_prune(d, PSB_PRUNE_VALUE, 1, false);
        check_whole(b, d, M, N);
        EXPECT(psb_mat_is_by_rows(b));
    }
}

TEST(distributed_dense_arrays)
{
    static T want[LD * LD], mine[LD * LD], got[LD * LD];
    const enum psb_order order = _i % 2 ? PSB_BY_COLS : PSB_BY_ROWS;
    COO *s = sample(SPREAD, M, N);
    SPMAT *a = NULL;
    DESC *row = NULL, *col = NULL;
    give_values(s, false);
    HEAP struct reference *d = reference_of(s);
    dense_of(d, PSB_BY_ROWS, 7, want);
    GOOD(alloc_desc(&row, (enum distribution)(_i % DISTRIBUTIONS), M));
    GOOD(alloc_desc(&col, (enum distribution)((_i + 1) % DISTRIBUTIONS), N));
    GOOD(psb_set_index_base(_i % 2));
    fill_vector(LD * LD, mine, 7);
    for (psb_ipk l = 0; l < psb_cd_local_rows(row); l++)
        for (int j = 0; j < N; j++)
            mine[order == PSB_BY_ROWS ? l * LD + j : j * LD + l] =
                want[(psb_loc_to_glob(row, l) - _i % 2) * LD + j];
    GOOD(psb_sp_from_dense(row, col, mine, LD, order, 0, &a));
    GOOD(psb_cdasb(row));
    GOOD(psb_cdasb(col));
    GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ERROR));
    fill_vector(LD * LD, got, 7);
    GOOD(psb_sp_to_dense(a, got, LD, order));
    for (int k = 0; k < LD * LD; k++)
        EXPECT(got[k] == mine[k]);
    GOOD(psb_set_index_base(0));
    reference_prune(d, PSB_PRUNE_VALUE, 0, false);
    check_matrix(a, d, 2, "a matrix of dense rows");
}

TEST(refused_dense_arrays)
{
    T d[6] = { 1, 2, 3, 4, 5, 6 };
    MAT *a = NULL;
    SPMAT *b = NULL;
    DESC *row = NULL;
    BAD(X(mat_from_dense)(-1, 3, d, 3, PSB_BY_ROWS, 0, NULL, &a), PSB_EARG, "argument m is -1");
    BAD(X(mat_from_dense)(2, -1, d, 3, PSB_BY_ROWS, 0, NULL, &a), PSB_EARG, "argument n is -1");
    BAD(X(mat_from_dense)(2, 3, NULL, 3, PSB_BY_ROWS, 0, NULL, &a), PSB_EARG, "argument d is NULL");
    BAD(X(mat_from_dense)(2, 3, d, 2, PSB_BY_ROWS, 0, NULL, &a), PSB_EARG, "argument ld is 2; expected >= 3");
    BAD(X(mat_from_dense)(2, 3, d, 1, PSB_BY_COLS, 0, NULL, &a), PSB_EARG, "argument ld is 1; expected >= 2");
    BAD(X(mat_from_dense)(2, 3, d, 3, PSB_UNSORTED, 0, NULL, &a), PSB_EARG, "argument order is 0");
    BAD(X(mat_from_dense)(2, 3, d, 3, PSB_BY_ROWS, (R)NAN, NULL, &a), PSB_EARG, "argument t is");
    BAD(X(mat_from_dense)(2, 3, d, 3, PSB_BY_ROWS, 0, NULL, NULL), PSB_EARG, "argument a is NULL");
    GOOD(X(mat_from_dense)(2, 3, d, 3, PSB_BY_ROWS, 0, NULL, &a));
    BAD(X(mat_to_dense)(NULL, d, 3, PSB_BY_ROWS), PSB_EARG, "argument a is NULL");
    BAD(psb_mat_to_dense(a, d, 2, PSB_BY_ROWS), PSB_EARG, "argument ld is 2");
    BAD(psb_mat_to_dense(a, NULL, 3, PSB_BY_ROWS), PSB_EARG, "argument d is NULL");
    GOOD(alloc_desc(&row, EVEN, M));
    BAD(psb_sp_from_dense(NULL, NULL, d, M, PSB_BY_ROWS, 0, &b), PSB_EARG, "argument row is NULL");
    BAD(psb_sp_from_dense(row, NULL, d, M - 1, PSB_BY_ROWS, 0, &b), PSB_EARG, "argument ld is 40");
    BAD(psb_sp_from_dense(row, NULL, d, M, PSB_BY_ROWS, (R)NAN, &b), PSB_EARG, "argument t is");
    BAD(X(sp_from_dense)(row, NULL, d, M, PSB_BY_ROWS, 0, NULL), PSB_EARG, "argument a is NULL");
    BAD(X(sp_to_dense)(NULL, d, M, PSB_BY_ROWS), PSB_EARG, "argument a is NULL");
}

void sp_prune_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "prune");
    ck_add_sampled_tests(c, DISTRIBUTIONS, distributed_thresholds, distributed_dense_arrays);
    ck_add_tests(c, local_thresholds, nan_is_the_largest, unit_triangle, flags, refused_thresholds,
                 refused_dense_arrays);
    ck_add_loop_tests(c, 2, dense_arrays);
}
