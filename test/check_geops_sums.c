/* check_geops_sums.c -- test: reductions of distributed vectors, compared with long double. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_geops.h"

static const R least = EPS * (sizeof(R) == sizeof(float) ? FLT_MIN : DBL_MIN); /* subnormal */

/* Return whether row g is included in a reduction over all rows (global) or over the owned rows.  A sum of n
 * terms, each with a few roundings, has an error of at most n + 6 roundings, bounded as in sample.h. */
static int is_included_row(const psb_desc *d, psb_lpk g, int global)
{
    return global || psb_is_owned(d, g);
}

static struct want dot_of(const psb_desc *d, int k, int j, const T *x, const T *y, int global)
{
    struct want w = { 0, 0 };
    for (int g = 0; g < ROWS; g++)
        if (is_included_row(d, g, global)) {
            LC t = conjl((LC)x[g * k + j]) * (LC)y[g * k + j];
            w.value += t;
            w.slack += cabsl((LC)x[g * k + j]) * cabsl((LC)y[g * k + j]);
        }
    w.slack *= (ROWS + 6) * (CPLX ? 3 : 1) * EPS;
    return w;
}

/* The weighted norm; w and id may be NULL. */
static LR norm_of(const psb_desc *d, int k, int j, const T *x, const T *w, const T *id, int global)
{
    LR sum = 0;
    for (int g = 0; g < ROWS; g++)
        if (is_included_row(d, g, global) && (!id || id[g * k + j] != 0)) {
            LR v = cabsl((LC)x[g * k + j]) * (w ? cabsl((LC)w[g * k + j]) : 1);
            sum += v * v;
        }
    return sqrtl(sum);
}

static int close_to(R got, LR want)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : (LR)got == want;
    return fabsl((LR)got - want) <= (ROWS + 6) * EPS * want + tiny;
}

enum { PAIRS = 3 };

/* Every reduction runs twice with bitwise equal results; global results are equal on all processes. */
static void check_dots(psb_desc *d, struct X(vect) **v, T (*all)[CELLS])
{
    int k = v[0]->ncols;
    T got[2][4][PAIRS * COLS];
    struct X(vect) *x[PAIRS] = { v[0], v[1], v[2] }, *y[PAIRS] = { v[1], v[1], v[0] };
    static const int is[PAIRS][2] = { { 0, 1 }, { 1, 1 }, { 2, 0 } };
    memset(got, 0, sizeof got);
    for (int again = 0; again < 2; again++) {
        GOOD(psb_gedot(v[0], v[1], got[again][0]));
        GOOD(psb_gedot_local(v[0], v[1], got[again][1]));
        GOOD(psb_gedots(PAIRS, x, y, got[again][2]));
        GOOD(psb_gedots_local(PAIRS, x, y, got[again][3]));
    }
    EXPECT(memcmp(got[0], got[1], sizeof *got) == 0);
    EXPECT(same_bits(got[0][0], sizeof *got[0]) && same_bits(got[0][2], sizeof *got[0]));
    for (int i = 0; i < PAIRS * k; i++)
        for (int global = 0; global < 2; global++) {
            struct want w = dot_of(d, k, i % k, all[is[i / k][0]], all[is[i / k][1]], global);
            EXPECT(is_right(got[0][global ? 2 : 3][i], &w));
            EXPECT(i >= k || is_right(got[0][global ? 0 : 1][i], &w));
        }
}

static void check_norms(psb_desc *d, struct X(vect) **v, T (*all)[CELLS])
{
    int k = v[0]->ncols;
    R got[2][6][COLS];
    memset(got, 0, sizeof got);
    for (int again = 0; again < 2; again++) {
        GOOD(psb_genrm2(v[0], got[again][0]));
        GOOD(psb_genrm2_weight(v[0], v[1], got[again][1]));
        GOOD(psb_genrm2_weightmask(v[0], v[1], v[2], got[again][2]));
        GOOD(psb_genrm2_local(v[0], got[again][3]));
        GOOD(psb_genrm2_weight_local(v[0], v[1], got[again][4]));
        GOOD(psb_genrm2_weightmask_local(v[0], v[1], v[2], got[again][5]));
    }
    EXPECT(memcmp(got[0], got[1], sizeof *got) == 0 && same_bits(got[0][0], 3 * sizeof *got[0]));
    for (int j = 0; j < k; j++)
        for (int i = 0; i < 6; i++) {
            LR must = norm_of(d, k, j, all[0], i % 3 > 0 ? all[1] : NULL, i % 3 > 1 ? all[2] : NULL, i < 3);
            EXPECT(close_to(got[0][i][j], must));
        }
}

static void check_moduli(psb_desc *d, struct X(vect) **v, T (*all)[CELLS])
{
    int k = v[0]->ncols;
    R got[2][3][COLS]; /* global, local */
    GOOD(psb_geasum(v[0], got[0][0]));
    GOOD(psb_geamax(v[0], got[0][1]));
    GOOD(psb_genrmi(v[0], got[0][2]));
    GOOD(psb_geasum_local(v[0], got[1][0]));
    GOOD(psb_geamax_local(v[0], got[1][1]));
    GOOD(psb_genrmi_local(v[0], got[1][2]));
    for (int j = 0; j < k; j++)
        for (int local = 0; local < 2; local++) {
            LR sum = 0, top = 0;
            for (int g = 0; g < ROWS; g++)
                if (is_included_row(d, g, !local)) {
                    sum += cabsl((LC)all[0][g * k + j]);
                    top = fmaxl(top, cabsl((LC)all[0][g * k + j]));
                }
            EXPECT(close_to(got[local][0][j], sum) && fabsl(got[local][1][j] - top) <= 2 * EPS * top);
            EXPECT(got[local][1][j] == got[local][2][j]);
        }
    for (int i = 0; i < 3; i++)
        EXPECT(same_bits(got[0][i], (size_t)k * sizeof(R)));
}

/* For complex vectors the calls are errors; for real ones the results are exact. */
static void check_extremes(psb_desc *d, struct X(vect) **v, T (*all)[CELLS])
{
    int k = v[0]->ncols;
    R got[4][COLS];
    if (CPLX) {
        BAD(psb_gemin(v[0], got[0]), PSB_ENOTIMPL, "psb_gemin of a complex vector");
        BAD(psb_gemin_local(v[0], got[0]), PSB_ENOTIMPL, "psb_gemin of a complex vector");
        BAD(psb_minquotient(v[0], v[2], got[0]), PSB_ENOTIMPL, "psb_minquotient of a complex vector");
        BAD(psb_minquotient_local(v[0], v[2], got[0]), PSB_ENOTIMPL, "psb_minquotient of a complex");
        return;
    }
    GOOD(psb_gemin(v[0], got[0]));
    GOOD(psb_gemin_local(v[0], got[1]));
    GOOD(psb_minquotient(v[0], v[2], got[2]));
    GOOD(psb_minquotient_local(v[0], v[2], got[3]));
    for (int j = 0; j < k; j++)
        for (int local = 0; local < 2; local++) {
            R min = INFINITY, quotient = TMAX;
            for (int g = 0; g < ROWS; g++)
                if (is_included_row(d, g, !local)) {
                    R x = RE(all[0][g * k + j]), y = RE(all[2][g * k + j]);
                    min = x < min ? x : min;
                    if (y != 0 && (R)(x / y) < quotient)
                        quotient = x / y;
                }
            EXPECT(got[local][j] == min && got[2 + local][j] == quotient);
        }
}

void fill_three(int k, T (*all)[CELLS])
{
    for (int j = 0; j < 3; j++)
        random_vector(ROWS * k, all[j], (uint64_t)j + 30);
    for (int i = 0; i < ROWS * k; i += 3)
        all[2][i] = 0;
}

TEST(reductions)
{
    static const int columns[] = { 1, 3, COLS };
    static T all[3][CELLS];
    struct rng r = { 23 };
    DESC *d = rows_with_halo((enum distribution)_i);
    for (int t = 0; t < 3 * PLACES; t++) {
        int k = columns[t % 3], p = t / 3;
        struct X(vect) *v[3];
        fill_three(k, all);
        for (int j = 0; j < 3; j++)
            v[j] = multivector(d, k, all[j], places[t % 2 ? p : rng_below(&r, PLACES)]);
        check_dots(d, v, all);
        check_norms(d, v, all);
        check_moduli(d, v, all);
        check_extremes(d, v, all);
        for (int j = 0; j < 3; j++) {
            check_exact(v[j], all[j], "a reduction");
            psb_gefree(v[j]);
        }
    }
}

TEST(constraints)
{
    const R kind[] = { 2, 1, 0, -1, -2 }, value[] = { 1, 0, -1, NAN };
    T c[CELLS] = { 0 }, x[CELLS] = { 0 }, broken[CELLS] = { 0 };
    DESC *d = rows_with_halo((enum distribution)_i);
    int ok = 7, any = 0, k = 1 + _i % 2;
    for (int i = 0; i < 20; i++) {
        R q = kind[i / 4], v = value[i % 4];
        c[i] = q, x[i] = v;
        broken[i] = q == 2 ? !(v > 0) : q == 1 ? !(v >= 0) : q == 0 ? 0 : q == -1 ? !(v <= 0) : !(v < 0);
        any = any || (broken[i] != 0 && psb_is_owned(d, i / k));
    }
    for (int p = 0; p < PLACES; p++) {
        VECT *vc = multivector(d, k, c, places[p]), *vx = multivector(d, k, x, places[p]),
             *vm = multivector(d, k, x, places[(p + _i) % PLACES]);
        if (CPLX) {
            BAD(psb_mask(vc, vx, vm, &ok), PSB_ENOTIMPL, "psb_mask of a complex vector");
            EXPECT(ok == 7);
        } else {
            GOOD(psb_mask_local(vc, vx, vm, &ok));
            EXPECT(ok == !any);
            check_exact(vm, broken, "constraints");
            GOOD(psb_mask(vc, vx, vm, &ok));
            EXPECT(ok == 0);
            check_exact(vm, broken, "constraints");
            GOOD(psb_set_scal(1, vx));
            GOOD(psb_set_scal(2, vc));
            GOOD(psb_mask(vc, vx, vc, &ok)); /* m may be the same vector as c */
            EXPECT(ok == 1);
        }
    }
}

/* A vector without rows. */
TEST(reductions_of_nothing)
{
    DESC *d = NULL;
    VECT *x = NULL;
    T dot[2] = { 5, 5 };
    R res[2] = { 5, 5 };
    GOOD(psb_cdall_nl(&d, ctxt, 0));
    GOOD(psb_cdasb(d));
    GOOD(psb_geall_n(&x, d, 2));
    GOOD(psb_geasb(x, places[_i]));
    GOOD(psb_gedot(x, x, dot));
    EXPECT(dot[0] == 0 && dot[1] == 0);
    psb_err (*const zero[])(const struct X(vect) *, R *) = { X(genrm2), X(geamax), X(geasum) };
    for (int k = 0; k < 3; k++) {
        GOOD(zero[k](x, res));
        EXPECT(res[0] == 0 && res[1] == 0);
    }
    if (!CPLX) {
        GOOD(psb_gemin(x, res));
        EXPECT(isinf(res[0]) && res[0] > 0 && isinf(res[1]) && res[1] > 0);
        GOOD(psb_minquotient(x, x, res));
        EXPECT(res[0] == TMAX && res[1] == TMAX);
    }
    res[0] = 5;
    GOOD(X(gedots)(0, NULL, NULL, dot));
}

/* --- extreme values, NaN and infinities --- */

/* Columns of different magnitude do not affect each other. */
TEST(norms_of_extreme_values)
{
    const R size[] = { 1, TMAX / 64, 0, least, INFINITY, NAN, least / EPS };
    enum { K = 7 };
    T x[CELLS], one[CELLS];
    R got[K];
    DESC *d = rows_with_halo((enum distribution)_i);
    for (int i = 0; i < ROWS * K; i++)
        x[i] = MAKE(i / K == 20 || !isnan(size[i % K]) ? size[i % K] : 1, 0);
    fill_vector(ROWS * K, one, 1);
    for (int p = 0; p < PLACES; p++) {
        VECT *v = multivector(d, K, x, places[p]), *w = multivector(d, K, one, places[p]);
        for (int weighted = 0; weighted < 2; weighted++) {
            GOOD(weighted ? psb_genrm2_weight(v, w, got) : psb_genrm2(v, got));
            for (int j = 0; j < K; j++)
                EXPECT(close_to(got[j], sqrtl(ROWS) * size[j]));
            EXPECT(same_bits(got, sizeof got));
        }
    }
}

/* The norm of zeros, whose squares do not tell that they are none, is found where they are. */
TEST(norm_of_zeros_on_a_device)
{
    if (!psb_vect_cuda.device())
        return;
    DESC *d = rows_with_halo((enum distribution)_i);
    VECT *v = NULL;
    R norm = 5;
    GOOD(psb_geall(&v, d));
    GOOD(psb_geasb(v, &psb_vect_cuda));
    psb_transfers_reset();
    GOOD(psb_genrm2(v, &norm));
    EXPECT(norm == 0 && psb_transfers("vector").gets == 0);
}

/* One NaN is in every result of its column and in no other. */
TEST(nan_stays_in_its_column)
{
    static T all[3][CELLS];
    R got[3];
    T dot[3];
    DESC *d = rows_with_halo((enum distribution)_i);
    for (int row = 0; row < ROWS; row += 7) {
        fill_three(3, all);
        all[0][row * 3 + 1] = MAKE(NAN, 0);
        fill_vector(CELLS, all[2], 1);
        VECT *x = multivector(d, 3, all[0], places[row % 3]), *w = multivector(d, 3, all[1], places[row % 2]),
             *id = multivector(d, 3, all[2], places[row % 3]);
        psb_err (*const calls[])(const struct X(vect) *, R *) = { X(genrm2), X(geamax), X(geasum), X(gemin) };
        for (int i = 0; i < (CPLX ? 3 : 4); i++) {
            GOOD(calls[i](x, got));
            EXPECT(!isnan(got[0]) && isnan(got[1]) && !isnan(got[2]));
        }
        GOOD(psb_gedot(x, w, dot));
        EXPECT(!isnan(RE(dot[0])) && isnan(RE(dot[1])) && !isnan(RE(dot[2])));
        GOOD(psb_genrm2_weightmask(x, w, id, got));
        EXPECT(!isnan(got[0]) && isnan(got[1]) && !isnan(got[2]));
        all[2][row * 3 + 1] = 0; /* masked out: in no result */
        multivector_load(id, all[2]);
        GOOD(psb_genrm2_weightmask(x, w, id, got));
        EXPECT(!isnan(got[0]) && !isnan(got[1]) && !isnan(got[2]));
    }
}

enum { MANY = 100, COUNTS = 8 };
static const int counts[COUNTS] = { 0, 1, 2, 9, 31, 32, 33, MANY };

/* Products of m vectors with others, all or the first `same` with one: right, with the same bits each time,
 * and on a host those of single products. */
static void check_many_dots(const psb_desc *d, int m, int same, struct X(vect) *const *x, T (*all)[CELLS])
{
    const int k = x[0]->ncols;
    struct X(vect) *y[MANY];
    static T got[2][MANY * COLS], one[COLS];
    for (int i = 0; i < m; i++)
        y[i] = x[i < same ? 5 : i];
    memset(got, 0, sizeof got);
    GOOD(psb_gedots(m, x, y, got[0]));
    GOOD(psb_gedots(m, x, y, got[1]));
    EXPECT(memcmp(got[0], got[1], sizeof *got) == 0 && same_bits(got[0], sizeof *got));
    for (int i = 0; i < m; i++) {
        GOOD(psb_gedot(x[i], y[i], one));
        EXPECT(x[0]->v.on || memcmp(one, got[0] + i * k, (size_t)k * sizeof *one) == 0);
        for (int j = 0; j < k; j++) {
            struct want w = dot_of(d, k, j, all[i], all[i < same ? 5 : i], 1);
            EXPECT(is_right(got[0][i * k + j], &w));
        }
    }
}

TEST(products_of_many)
{
    static T all[MANY][CELLS];
    const int k = _i / PLACES + 1;
    psb_desc *d = rows_with_halo(UNEVEN);
    struct X(vect) *x[MANY];
    for (int i = 0; i < MANY; i++) {
        random_vector(ROWS * k, all[i], i);
        x[i] = multivector(d, k, all[i], places[_i % PLACES]);
    }
    for (int c = 0; c < COUNTS; c++) {
        check_many_dots(d, counts[c], MANY, x, all);
        check_many_dots(d, counts[c], 7, x, all);
    }
    for (int i = 0; i < MANY; i++)
        psb_gefree(x[i]);
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

/* Sums of many vectors have the bits of the sums one after the other. */
TEST(sums_of_many)
{
    static T all[MANY + 1][CELLS];
    const int k = _i / PLACES + 1;
    psb_desc *d = rows_with_halo(UNEVEN);
    struct X(vect) *x[MANY];
    T alpha[MANY];
    random_vector(ROWS * k, all[MANY], 7);
    for (int i = 0; i < MANY; i++) {
        random_vector(ROWS * k, all[i], i);
        fill_vector(i == 3 ? ROWS * k : 0, all[i], MAKE(NAN, 1)); /* not read, since its factor is 0 */
        alpha[i] = i == 3 ? 0 : MAKE(i % 19 - 7, 0.5 * (i % 19));
        x[i] = multivector(d, k, all[i], places[_i % PLACES]);
    }
    for (int c = 0; c < COUNTS; c++) {
        const int m = counts[c];
        VECT *y = multivector(d, k, all[MANY], places[_i % PLACES]),
             *want = multivector(d, k, all[MANY], places[_i % PLACES]);
        const T beta = (T)c / 2; /* 0: y is not read; 1: as psb_gemaxpy */
        if (c == 0)
            GOOD(psb_set_scal(MAKE(NAN, 1), y));
        GOOD(c == 2 ? psb_gemaxpy(m, alpha, x, y) : X(vect_maxpby)(m, alpha, x, beta, y));
        GOOD(psb_gescal(beta, want));
        for (int i = 0; i < m; i++)
            GOOD(psb_geaxpby(alpha[i], x[i], 1, want));
        T got[CELLS], must[CELLS];
        GOOD(psb_gather(y, got, -1));
        GOOD(psb_gather(want, must, -1));
        EXPECT(memcmp(got, must, (size_t)(ROWS * k) * sizeof *got) == 0);
    }
    for (int i = 0; i < MANY; i++)
        psb_gefree(x[i]);
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

void add_reductions(TCase *c)
{
    ck_add_loop_tests(c, DISTRIBUTIONS, reductions, constraints);
    ck_add_loop_tests(c, 3 * PLACES, sums_of_many, products_of_many);
    ck_add_loop_tests(c, PLACES, reductions_of_nothing);
    ck_add_loop_tests(c, DISTRIBUTIONS, norms_of_extreme_values, norm_of_zeros_on_a_device,
                      nan_stays_in_its_column);
}
