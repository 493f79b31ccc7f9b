/* check_geops.c -- room: test.  Computations with distributed vectors of one and of several columns, on the
 * host and on devices, compared with long double. */
#include "suites.h"
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "multivector.h"

typedef long double _Complex LC;
typedef long double LR;

static const LR tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON : DBL_MIN * DBL_EPSILON;
static const R least = EPS * (sizeof(R) == sizeof(float) ? FLT_MIN : DBL_MIN); /* subnormal */

/* --- elementwise operations --- */

/* Three arguments and their values; several may be the same vector. */
struct args {
    struct X(vect) *v[3];
    int is[3]; /* argument i is vector is[i] */
    T all[3][CELLS];
};

/* A value, and the sum of the moduli of its terms. */
struct value_and_size {
    LC value;
    LR size;
};

static struct value_and_size value_and_size(LC value, LR size)
{
    return (struct value_and_size){ value, size };
}

static LC scaled_by(LC a, LC x)
{
    return a == 0 ? 0 : a * x;
}

static struct value_and_size sum_of(LC a, LC x, LC b, LC y)
{
    LC s = scaled_by(a, x), t = scaled_by(b, y);
    return value_and_size(s + t, cabsl(s) + cabsl(t));
}

struct op {
    const char *name;
    int m, outs;   /* number of arguments; set of arguments written, as bits */
    int unread[2]; /* the argument not read if a == 0, and that if b == 0; -1: none */
    psb_err (*call)(T a, T b, struct X(vect) *const *v);
    struct value_and_size (*must)(int out, LC a, LC b, const LC *e);
};

static psb_err call_axpby(T a, T b, struct X(vect) *const *v)
{
    return psb_geaxpby(a, v[0], b, v[1]);
}

static struct value_and_size must_axpby(int out, LC a, LC b, const LC *e)
{
    (void)out;
    return sum_of(a, e[0], b, e[1]);
}

static psb_err call_axpbyz(T a, T b, struct X(vect) *const *v)
{
    return psb_geaxpbyz(a, v[0], b, v[1], v[2]);
}

static psb_err call_upd(T a, T b, struct X(vect) *const *v)
{
    return psb_upd_xyz(a, b, b, a, v[0], v[1], v[2]);
}

static struct value_and_size must_upd(int out, LC a, LC b, const LC *e)
{
    struct value_and_size y = sum_of(a, e[0], b, e[1]), z = sum_of(b, y.value, a, e[2]);
    z.size += cabsl(b) * y.size;
    return out == 1 ? y : z;
}

static psb_err call_scal(T a, T b, struct X(vect) *const *v)
{
    (void)b;
    return psb_gescal(a, v[0]);
}

static struct value_and_size must_scal(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)b;
    return sum_of(a, e[0], 0, 0);
}

static psb_err call_mlt(T a, T b, struct X(vect) *const *v)
{
    (void)a, (void)b;
    return psb_gemlt(v[0], v[1]);
}

static struct value_and_size must_mlt(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)a, (void)b;
    return sum_of(e[0], e[1], 0, 0);
}

static psb_err call_mlt2(T a, T b, struct X(vect) *const *v)
{
    return psb_gemlt2(a, v[0], v[1], b, v[2]);
}

static struct value_and_size must_mlt2(int out, LC a, LC b, const LC *e)
{
    (void)out;
    return sum_of(a, e[0] * e[1], b, e[2]);
}

static psb_err call_div(T a, T b, struct X(vect) *const *v)
{
    (void)b;
    return a == 0 ? psb_gediv(v[0], v[1]) : psb_gediv_check(v[0], v[1]);
}

static struct value_and_size must_div(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)a, (void)b;
    return sum_of(1, e[0] / e[1], 0, 0);
}

static psb_err call_div2(T a, T b, struct X(vect) *const *v)
{
    (void)b;
    return a == 0 ? psb_gediv2(v[0], v[1], v[2]) : psb_gediv2_check(v[0], v[1], v[2]);
}

static psb_err call_inv(T a, T b, struct X(vect) *const *v)
{
    (void)b;
    return a == 0 ? psb_geinv(v[0], v[1]) : psb_geinv_check(v[0], v[1]);
}

static struct value_and_size must_inv(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)a, (void)b;
    return sum_of(1, 1 / e[0], 0, 0);
}

static psb_err call_abs(T a, T b, struct X(vect) *const *v)
{
    (void)a, (void)b;
    return psb_geabs(v[0], v[1]);
}

static struct value_and_size must_abs(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)a, (void)b;
    return value_and_size(cabsl(e[0]), cabsl(e[0]));
}

static psb_err call_cmp(T a, T b, struct X(vect) *const *v)
{
    (void)b;
    return psb_gecmp(v[0], (R)ABS(a) / 2, v[1]);
}

static struct value_and_size must_cmp(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)b;
    return value_and_size(cabsl(e[0]) >= (R)cabsl(a) / 2, 0);
}

static psb_err call_addconst(T a, T b, struct X(vect) *const *v)
{
    (void)b;
    return psb_geaddconst(v[0], a, v[1]);
}

static struct value_and_size must_addconst(int out, LC a, LC b, const LC *e)
{
    (void)out, (void)b;
    return sum_of(1, e[0], 1, a);
}

static const struct op ops[] = {
    { "axpby", 2, 2, { 0, 1 }, call_axpby, must_axpby },
    { "axpbyz", 3, 4, { 0, 1 }, call_axpbyz, must_axpby },
    { "upd_xyz", 3, 6, { 0, 1 }, call_upd, must_upd },
    { "scal", 1, 1, { 0, -1 }, call_scal, must_scal },
    { "mlt", 2, 2, { -1, -1 }, call_mlt, must_mlt },
    { "mlt2", 3, 4, { 0, 2 }, call_mlt2, must_mlt2 },
    { "div", 2, 1, { -1, -1 }, call_div, must_div },
    { "div2", 3, 4, { -1, -1 }, call_div2, must_div },
    { "inv", 2, 2, { -1, -1 }, call_inv, must_inv },
    { "abs", 2, 2, { -1, -1 }, call_abs, must_abs },
    { "cmp", 2, 2, { -1, -1 }, call_cmp, must_cmp },
    { "addconst", 2, 2, { -1, -1 }, call_addconst, must_addconst },
};
enum { OPS = sizeof ops / sizeof *ops };

/* The expected values of every vector.  At most five roundings per element, doubled as in sample.h; a complex
 * quotient has a few more. */
static void expect(const struct op *q, const struct args *g, T a, T b, int cells, struct want w[3][CELLS])
{
    for (int i = 0; i < cells; i++) {
        LC e[3] = { g->all[g->is[0]][i], g->all[g->is[1]][i], g->all[g->is[2]][i] };
        for (int j = 0; j < 3; j++)
            w[j][i] = (struct want){ g->all[j][i], 0 };
        for (int j = 0; j < q->m; j++)
            if (q->outs >> j & 1) {
                struct value_and_size must = q->must(j, a, b, e);
                w[g->is[j]][i].value = must.value;
                w[g->is[j]][i].slack = must.size * (CPLX ? 20 : 5) * EPS + 5 * tiny * (must.size > 0);
            }
    }
}

/* An argument not read because of a zero factor is set to NaN, unless it is also another argument. */
static void overwrite_unread(const struct op *q, struct args *g, int i, T factor, int cells)
{
    if (i < 0 || factor != 0 || g->is[0] != 0 || g->is[1] != 1 || g->is[2] != 2)
        return;
    fill_vector(cells, g->all[i], MAKE(NAN, NAN));
    if (q->call == call_upd && i == 0)
        fill_vector(cells, g->all[2], MAKE(NAN, NAN));
}

static void try_op(const struct op *q, struct args *g, T a, T b, const char *how)
{
    static struct want w[3][CELLS];
    char what[100];
    int cells = ROWS * g->v[0]->ncols;
    for (int j = 0; j < 3; j++)
        random_vector(cells, g->all[j], (uint64_t)j + 3);
    overwrite_unread(q, g, q->unread[0], a, cells);
    overwrite_unread(q, g, q->unread[1], b, cells);
    for (int j = 0; j < 3; j++)
        multivector_load(g->v[j], g->all[j]);
    struct X(vect) *v[3] = { g->v[g->is[0]], g->v[g->is[1]], g->v[g->is[2]] };
    expect(q, g, a, b, cells, w);
    GOOD(q->call(a, b, v));
    snprintf(what, sizeof what, "%s, %s", q->name, how);
    for (int j = 0; j < 3; j++)
        multivector_check(g->v[j], w[j], what);
}

/* Vectors at all places. */
static void make_pool(psb_desc *d, int k, struct X(vect) *pool[3][PLACES])
{
    static const T zero[CELLS];
    for (int j = 0; j < 3; j++)
        for (int p = 0; p < PLACES; p++)
            pool[j][p] = multivector(d, k, zero, places[p]);
}

static void free_pool(struct X(vect) *pool[3][PLACES])
{
    for (int j = 0; j < 3; j++)
        for (int p = 0; p < PLACES; p++)
            psb_gefree(pool[j][p]);
}

START_TEST(elementwise)
    {
        static const int same[][3] = { { 0, 1, 2 }, { 0, 0, 2 }, { 0, 1, 1 }, { 0, 1, 0 }, { 0, 0, 0 } };
        const T factor[] = { 0, 1, -1, MAKE(0.3, 0.8) };
        static struct args g;
        struct X(vect) *pool[3][PLACES];
        struct rng r = { 17 };
        psb_desc *d = rows_with_halo((enum distribution)_i);
        for (int k = 1; k <= 3; k += 2) {
            make_pool(d, k, pool);
            for (int t = 0; t < OPS * 5 * 16; t++) {
                const struct op *q = &ops[t % OPS];
                int alike = t / OPS % 5, f = t / OPS / 5, all = rng_below(&r, 2), p = rng_below(&r, PLACES);
                if (q->call == call_upd && alike > 0)
                    continue;
                memcpy(g.is, same[alike], sizeof g.is);
                for (int j = 0; j < 3; j++)
                    g.v[j] = pool[j][all ? p : rng_below(&r, PLACES)];
                try_op(q, &g, factor[f / 4], factor[f % 4], all ? places[p]->name : "mixed");
            }
            free_pool(pool);
        }
        psb_cdfree(d);
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

/* A vector and its present or expected values. */
struct held {
    struct X(vect) *v;
    T all[CELLS];
    struct want want[CELLS];
};

static void new_held(struct held *h, psb_desc *d, int k, uint64_t seed, const struct psb_vmold *place)
{
    random_vector(ROWS * k, h->all, seed);
    h->v = multivector(d, k, h->all, place);
}

static void set_want(struct want *w, struct value_and_size m)
{
    w->value = m.value;
    w->slack = m.size * (CPLX ? 20 : 5) * EPS + 5 * tiny * (m.size > 0);
}

static void want_xyzw(const T *a, struct held h[4], int cells)
{
    for (int i = 0; i < cells; i++) {
        struct value_and_size y = sum_of(a[0], h[0].all[i], a[1], h[1].all[i]), z, w;
        z = sum_of(a[2], y.value, a[3], h[2].all[i]);
        z.size += cabsl((LC)a[2]) * y.size;
        w = sum_of(a[4], z.value, a[5], h[3].all[i]);
        w.size += cabsl((LC)a[4]) * z.size;
        h[0].want[i] = (struct want){ h[0].all[i], 0 };
        set_want(&h[1].want[i], y);
        set_want(&h[2].want[i], z);
        set_want(&h[3].want[i], w);
    }
}

START_TEST(three_updates)
    {
        static struct held h[4];
        const T f[][6] = { { 1, 2, -1, MAKE(0.5, 0.25), 3, 1 }, { 0, 1, 1, 0, -1, 0 }, { 2, 0, 0, 1, 0, 3 } };
        psb_desc *d = rows_with_halo((enum distribution)_i);
        for (int t = 0; t < 3 * PLACES * 2; t++) {
            const T *a = f[t % 3];
            int k = t % 2 ? 3 : 1, p = t / 6 % PLACES;
            for (int j = 0; j < 4; j++)
                new_held(&h[j], d, k, (uint64_t)(t + j), places[t < 12 && j == 3 ? (p + 1) % PLACES : p]);
            want_xyzw(a, h, ROWS * k);
            GOOD(psb_xyzw(a[0], a[1], a[2], a[3], a[4], a[5], h[0].v, h[1].v, h[2].v, h[3].v));
            for (int j = 0; j < 4; j++) {
                multivector_check(h[j].v, h[j].want, "xyzw");
                psb_gefree(h[j].v);
            }
        }
        psb_cdfree(d);
    }
END_TEST

/* Different factors for the columns, wherever the vectors are. */
START_TEST(factors_of_columns)
    {
        static struct held x, y;
        const T f[] = { 0, 1, MAKE(-2, 1), 0, MAKE(0.5, 3), -1, 1, 1 };
        psb_desc *d = rows_with_halo((enum distribution)_i);
        for (int t = 0; t < 6 * PLACES; t++) {
            T alpha[3], beta[3];
            int k = t % 3 == 1 ? 1 : 3;
            new_held(&x, d, k, (uint64_t)t, places[t % PLACES]);
            new_held(&y, d, k, (uint64_t)t + 1, places[t / 6]);
            for (int j = 0; j < k; j++) {
                alpha[j] = f[t % 3 ? (t + j) % 8 : t % 8];
                beta[j] = f[t % 3 ? (t + 3 * j + 2) % 8 : (t + 1) % 8];
            }
            for (int i = 0; i < ROWS * k; i++)
                set_want(&y.want[i], sum_of(alpha[i % k], x.all[i], beta[i % k], y.all[i]));
            GOOD(psb_geaxpby_cols(alpha, x.v, beta, y.v));
            multivector_check(y.v, y.want, "geaxpby_cols");
            for (int i = 0; i < ROWS * k; i++)
                set_want(&x.want[i], sum_of(alpha[i % k], x.all[i], 0, 0));
            GOOD(psb_gescal_cols(alpha, x.v));
            multivector_check(x.v, x.want, "gescal_cols");
            psb_gefree(x.v);
            psb_gefree(y.v);
        }
        psb_cdfree(d);
    }
END_TEST

/* A column with factor 0 is not read. */
START_TEST(columns_with_factor_0)
    {
        static struct held x, y;
        const T alpha[] = { 0, 2 }, beta[] = { 3, 0 };
        psb_desc *d = rows_with_halo(EVEN);
        new_held(&x, d, 2, 1, places[_i]);
        new_held(&y, d, 2, 2, places[_i]);
        for (int i = 0; i < ROWS; i++) {
            set_want(&y.want[2 * i], sum_of(3, y.all[2 * i], 0, 0));
            set_want(&y.want[2 * i + 1], sum_of(2, x.all[2 * i + 1], 0, 0));
            x.all[2 * i] = y.all[2 * i + 1] = MAKE(NAN, NAN);
        }
        multivector_load(x.v, x.all);
        multivector_load(y.v, y.all);
        GOOD(psb_geaxpby_cols(alpha, x.v, beta, y.v));
        multivector_check(y.v, y.want, "columns not read");
        GOOD(psb_gescal_cols(alpha, x.v));
        for (int i = 0; i < ROWS; i++) {
            x.want[2 * i] = (struct want){ 0, 0 };
            set_want(&x.want[2 * i + 1], sum_of(2, x.all[2 * i + 1], 0, 0));
        }
        multivector_check(x.v, x.want, "columns not read");
        psb_gefree(x.v);
        psb_gefree(y.v);
        psb_cdfree(d);
    }
END_TEST

/* More columns than one launch of a kernel has factors for. */
START_TEST(factors_of_many_columns)
    {
        enum { MANY = 150, CELLS_OF_ALL = 7 * MANY };
        T alpha[MANY], beta[MANY], x[CELLS_OF_ALL], y[CELLS_OF_ALL], got[CELLS_OF_ALL];
        struct X(vect) *v[2];
        psb_desc *d = NULL;
        GOOD(psb_cdall_repl(&d, ctxt, 7));
        GOOD(psb_cdasb(d));
        random_vector(MANY, alpha, 1);
        random_vector(MANY, beta, 2);
        random_vector(CELLS_OF_ALL, x, 3);
        random_vector(CELLS_OF_ALL, y, 4);
        for (int j = 0; j < 2; j++) {
            GOOD(psb_geall_n(&v[j], d, MANY));
            GOOD(psb_geasb(v[j], places[_i]));
            GOOD(psb_set_vect(v[j], 7, j ? y : x));
        }
        GOOD(psb_geaxpby_cols(alpha, v[0], beta, v[1]));
        GOOD(psb_get_vect(v[1], 7, got));
        for (int i = 0; i < CELLS_OF_ALL; i++) {
            struct want w;
            set_want(&w, sum_of(alpha[i % MANY], x[i], beta[i % MANY], y[i]));
            EXPECT(cabsl((LC)got[i] - (LC)w.value) <= w.slack);
        }
        for (int j = 0; j < 2; j++)
            psb_gefree(v[j]);
        psb_cdfree(d);
    }
END_TEST

/* Without checks the results are those of IEEE arithmetic.  With checks the error names row and column, and
 * the vectors are unchanged. */
START_TEST(division_by_zero)
    {
        T x[CELLS], y[CELLS];
        char text[64];
        psb_desc *d = rows_with_halo((enum distribution)_i);
        fill_vector(CELLS, x, 6);
        fill_vector(CELLS, y, 2);
        y[17 * 3 + 1] = 0;
        snprintf(text, sizeof text, "is 0 in row 17, column 1");
        for (int p = 0; p < PLACES; p++) {
            struct X(vect) *vx = multivector(d, 3, x, places[p]), *vy = multivector(d, 3, y, places[p]),
                           *vz = multivector(d, 3, x, places[p]);
            int mine = psb_is_owned(d, 17);
            psb_err e[] = { psb_gediv_check(vx, vy), psb_gediv2_check(vx, vy, vz), psb_geinv_check(vy, vz) };
            for (int i = 0; i < 3; i++)
                EXPECT((e[i] == PSB_EARG) == mine && (e[i] == PSB_OK) == !mine);
            if (mine) {
                BAD(psb_gediv_check(vx, vy), PSB_EARG, text);
                BAD(psb_geinv_check(vy, vz), PSB_EARG, text);
                check_exact(vx, x, "a division refused");
                check_exact(vz, x, "a division refused");
            }
            multivector_load(vx, x);
            GOOD(psb_geinv(vy, vz));
            GOOD(psb_gediv(vx, vy));
            if (mine) {
                T got[3];
                GOOD(psb_getelem(vx, 17, got));
                EXPECT(got[0] == 3 && got[2] == 3);
                EXPECT(CPLX || isinf((double)RE(got[1])));
                GOOD(psb_getelem(vz, 17, got));
                EXPECT(got[0] == (T)0.5 && (CPLX || isinf((double)RE(got[1]))));
            }
            psb_gefree(vx);
            psb_gefree(vy);
            psb_gefree(vz);
        }
        psb_cdfree(d);
    }
END_TEST

/* --- reductions --- */

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

/* The third vector has zeros, which matter for masks and quotients. */
static void fill_three(int k, T (*all)[CELLS])
{
    for (int j = 0; j < 3; j++)
        random_vector(ROWS * k, all[j], (uint64_t)j + 30);
    for (int i = 0; i < ROWS * k; i += 3)
        all[2][i] = 0;
}

START_TEST(reductions)
    {
        static const int columns[] = { 1, 3, COLS };
        static T all[3][CELLS];
        struct rng r = { 23 };
        psb_desc *d = rows_with_halo((enum distribution)_i);
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
        psb_cdfree(d);
    }
END_TEST

START_TEST(constraints)
    {
        const R kind[] = { 2, 1, 0, -1, -2 }, value[] = { 1, 0, -1, NAN };
        T c[CELLS] = { 0 }, x[CELLS] = { 0 }, broken[CELLS] = { 0 };
        psb_desc *d = rows_with_halo((enum distribution)_i);
        struct X(vect) *vc, *vx, *vm;
        int ok = 7, any = 0, k = 1 + _i % 2;
        for (int i = 0; i < 20; i++) {
            R q = kind[i / 4], v = value[i % 4];
            c[i] = q, x[i] = v;
            broken[i] = q == 2 ? !(v > 0) : q == 1 ? !(v >= 0) : q == 0 ? 0 : q == -1 ? !(v <= 0) : !(v < 0);
            any = any || (broken[i] != 0 && psb_is_owned(d, i / k));
        }
        for (int p = 0; p < PLACES; p++) {
            vc = multivector(d, k, c, places[p]);
            vx = multivector(d, k, x, places[p]);
            vm = multivector(d, k, x, places[(p + _i) % PLACES]);
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
            psb_gefree(vc);
            psb_gefree(vx);
            psb_gefree(vm);
        }
        psb_cdfree(d);
    }
END_TEST

/* A vector without rows. */
START_TEST(reductions_of_nothing)
    {
        psb_desc *d = NULL;
        struct X(vect) *x = NULL;
        T dot[2] = { 5, 5 };
        R res[2] = { 5, 5 };
        GOOD(psb_cdall_nl(&d, ctxt, 0));
        GOOD(psb_cdasb(d));
        GOOD(psb_geall_n(&x, d, 2));
        GOOD(psb_geasb(x, places[_i]));
        GOOD(psb_gedot(x, x, dot));
        EXPECT(dot[0] == 0 && dot[1] == 0);
        GOOD(psb_genrm2(x, res));
        EXPECT(res[0] == 0 && res[1] == 0);
        GOOD(psb_geamax(x, res));
        EXPECT(res[0] == 0 && res[1] == 0);
        GOOD(psb_geasum(x, res));
        EXPECT(res[0] == 0 && res[1] == 0);
        if (!CPLX) {
            GOOD(psb_gemin(x, res));
            EXPECT(isinf(res[0]) && res[0] > 0 && isinf(res[1]) && res[1] > 0);
            GOOD(psb_minquotient(x, x, res));
            EXPECT(res[0] == TMAX && res[1] == TMAX);
        }
        res[0] = 5;
        GOOD(X(gedots)(0, NULL, NULL, dot));
        psb_gefree(x);
        psb_cdfree(d);
    }
END_TEST

/* --- extreme values, NaN and infinities --- */

/* Columns of different magnitude do not affect each other. */
START_TEST(norms_of_extreme_values)
    {
        const R size[] = { 1, TMAX / 64, 0, least, INFINITY, NAN, least / EPS };
        enum { K = 7 };
        T x[CELLS], one[CELLS];
        R got[K];
        psb_desc *d = rows_with_halo((enum distribution)_i);
        for (int i = 0; i < ROWS * K; i++)
            x[i] = MAKE(i / K == 20 || !isnan(size[i % K]) ? size[i % K] : 1, 0);
        fill_vector(ROWS * K, one, 1);
        for (int p = 0; p < PLACES; p++) {
            struct X(vect) *v = multivector(d, K, x, places[p]), *w = multivector(d, K, one, places[p]);
            for (int weighted = 0; weighted < 2; weighted++) {
                GOOD(weighted ? psb_genrm2_weight(v, w, got) : psb_genrm2(v, got));
                for (int j = 0; j < K; j++)
                    EXPECT(close_to(got[j], sqrtl(ROWS) * size[j]));
                EXPECT(same_bits(got, sizeof got));
            }
            psb_gefree(v);
            psb_gefree(w);
        }
        psb_cdfree(d);
    }
END_TEST

/* One NaN is in every result of its column and in no other. */
START_TEST(nan_stays_in_its_column)
    {
        static T all[3][CELLS];
        R got[3];
        T dot[3];
        psb_desc *d = rows_with_halo((enum distribution)_i);
        for (int row = 0; row < ROWS; row += 7) {
            fill_three(3, all);
            all[0][row * 3 + 1] = MAKE(NAN, 0);
            fill_vector(CELLS, all[2], 1);
            struct X(vect) *x = multivector(d, 3, all[0], places[row % 3]),
                           *w = multivector(d, 3, all[1], places[row % 2]),
                           *id = multivector(d, 3, all[2], places[row % 3]);
            psb_err (*const calls[])(const struct X(vect) *, R *) = { X(genrm2), X(geamax), X(geasum),
                                                                      X(gemin) };
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
            psb_gefree(x);
            psb_gefree(w);
            psb_gefree(id);
        }
        psb_cdfree(d);
    }
END_TEST

/* --- errors on one process --- */

struct calls {
    struct X(vect) *x, *y, *z, *other; /* other: with more columns */
    T *dot;
    R *res;
    int *ok;
};

/* Every reduction; those that need an order fail for complex vectors. */
static psb_err reduce_by(int i, const struct calls *c)
{
    struct X(vect) *const x[2] = { c->x, c->x }, *const y[2] = { c->y, c->z };
    switch (i) {
    case 0:
        return psb_gedot(c->x, c->y, c->dot);
    case 1:
        return psb_gedots(2, x, y, c->dot);
    case 2:
        return psb_genrm2(c->x, c->res);
    case 3:
        return psb_genrm2_weight(c->x, c->y, c->res);
    case 4:
        return psb_genrm2_weightmask(c->x, c->y, c->z, c->res);
    case 5:
        return psb_geamax(c->x, c->res);
    case 6:
        return psb_geasum(c->x, c->res);
    case 7:
        return psb_genrmi(c->x, c->res);
    case 8:
        return psb_gemin(c->x, c->res);
    case 9:
        return psb_minquotient(c->x, c->y, c->res);
    default:
        return psb_mask(c->x, c->y, c->z, c->ok);
    }
}
enum { REDUCTIONS = 11 };

/* An argument is wrong on the last process: the call fails on all, and then succeeds. */
START_TEST(wrong_argument_on_one_process)
    {
        static T all[3][CELLS], dot[2 * COLS];
        R res[COLS];
        int ok, wrong = me == np - 1;
        psb_desc *d = rows_with_halo(EVEN);
        fill_three(3, all);
        struct calls good = { .dot = dot, .res = res, .ok = &ok };
        good.x = multivector(d, 3, all[0], places[0]);
        good.y = multivector(d, 3, all[1], places[0]);
        good.z = multivector(d, 3, all[2], places[0]);
        good.other = multivector(d, COLS, all[2], places[0]);
        for (int how = 0; how < 3; how++) {
            struct calls bad = good;
            if (wrong && how == 0)
                bad.dot = NULL, bad.res = NULL, bad.ok = NULL;
            if (wrong && how == 1)
                bad.y = NULL;
            if (wrong && how == 2)
                bad.y = bad.other;
            int takes_y = _i < 2 || _i == 3 || _i == 4 || _i > 8;
            if (how > 0 && !takes_y)
                continue;
            psb_err e = reduce_by(_i, &bad);
            EXPECT(e == (CPLX && _i >= 8 ? PSB_ENOTIMPL : PSB_EARG));
            if (!CPLX || _i < 8)
                GOOD(reduce_by(_i, &good));
        }
        psb_gefree(good.x);
        psb_gefree(good.y);
        psb_gefree(good.z);
        psb_gefree(good.other);
        psb_cdfree(d);
    }
END_TEST

/* The device or an allocation of the last process fails at step n. */
START_TEST(reduction_fails_on_one_process)
    {
        static T all[3][4 * CELLS], dot[8 * COLS];
        R res[4 * COLS];
        int ok, k = 4 * COLS; /* more results than fit in the buffer on the stack */
        psb_desc *d = NULL;
        GOOD(psb_cdall_nl(&d, ctxt, 3));
        GOOD(psb_cdasb(d));
        for (int memory = 0; memory < 2; memory++)
            for (int n = 1, failed = 1; failed && n < 50; n++) {
                struct calls c = { .dot = dot, .res = res, .ok = &ok };
                struct X(vect) **v[] = { &c.x, &c.y, &c.z };
                random_vector(3 * k, all[0], 4);
                for (int j = 0; j < 3; j++) {
                    GOOD(psb_geall_n(v[j], d, k));
                    GOOD(psb_geasb(*v[j], &counting_device_vect));
                    GOOD(psb_set_vect(*v[j], 3, all[0]));
                }
                counting_device_fails_in = !memory && me == np - 1 ? n : 0;
                psb_alloc_fail_at(memory && me == np - 1 ? n : 0);
                psb_err e = reduce_by(_i, &c);
                failed = collective_count(e != PSB_OK);
                EXPECT(failed == 0 || failed == np);
                if (CPLX && _i >= 8)
                    failed = 0;
                counting_device_fails_in = 0;
                psb_alloc_fail_at(0);
                if (failed)
                    GOOD(reduce_by(_i, &c));
                EXPECT(n > 1 || failed || (CPLX && _i >= 8));
                for (int j = 0; j < 3; j++)
                    psb_gefree(*v[j]);
            }
        psb_cdfree(d);
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

/* --- arguments --- */

static void check_alike_of(struct X(vect) *x, struct X(vect) *y, struct X(vect) *bad, psb_err code,
                           const char *name_x, const char *name_y, const char *name_z)
{
    BAD(psb_geaxpby(1, bad, 1, y), code, name_x);
    BAD(psb_geaxpby(1, x, 1, bad), code, name_y);
    BAD(psb_geaxpbyz(1, bad, 1, x, y), code, name_x);
    BAD(psb_geaxpbyz(1, x, 1, bad, y), code, name_y);
    BAD(psb_geaxpbyz(1, x, 1, y, bad), code, name_z);
    BAD(psb_upd_xyz(1, 1, 1, 1, x, bad, y), code, name_y);
    BAD(psb_upd_xyz(1, 1, 1, 1, x, y, bad), code, name_z);
    BAD(psb_upd_xyz(1, 1, 1, 1, bad, x, y), code, name_x);
    BAD(psb_gemlt(bad, y), code, name_x);
    BAD(psb_gemlt(x, bad), code, name_y);
    BAD(psb_gemlt2(1, bad, x, 1, y), code, name_x);
    BAD(psb_gemlt2(1, x, bad, 1, y), code, name_y);
    BAD(psb_gemlt2(1, x, y, 1, bad), code, name_z);
    BAD(psb_gediv(bad, y), code, name_x);
    BAD(psb_gediv(x, bad), code, name_y);
    BAD(psb_gediv_check(bad, y), code, name_x);
    BAD(psb_gediv_check(x, bad), code, name_y);
    BAD(psb_gediv2(bad, x, y), code, name_x);
    BAD(psb_gediv2(x, bad, y), code, name_y);
    BAD(psb_gediv2(x, y, bad), code, name_z);
    BAD(psb_gediv2_check(bad, x, y), code, name_x);
    BAD(psb_gediv2_check(x, bad, y), code, name_y);
    BAD(psb_gediv2_check(x, y, bad), code, name_z);
    BAD(psb_geinv(bad, y), code, name_x);
    BAD(psb_geinv(x, bad), code, name_y);
    BAD(psb_geinv_check(bad, y), code, name_x);
    BAD(psb_geinv_check(x, bad), code, name_y);
    BAD(psb_geabs(bad, y), code, name_x);
    BAD(psb_geabs(x, bad), code, name_y);
    BAD(psb_gecmp(bad, 1, y), code, name_x);
    BAD(psb_gecmp(x, 1, bad), code, name_z);
    BAD(psb_geaddconst(bad, 1, y), code, name_x);
    BAD(psb_geaddconst(x, 1, bad), code, name_z);
}

/* The same for reductions; each call is listed with its local variant. */
static void check_mismatched_reductions(struct X(vect) *x, struct X(vect) *y, struct X(vect) *bad,
                                        psb_err code, const char *what)
{
    T dot[2 * 3];
    R res[3];
    struct X(vect) *const good[] = { x, y }, *const second[] = { x, bad };
    const char *argument[] = { "x", "y", "w", "id", "c", "m" };
    char text[6][64];
    int ok;
    for (int i = 0; i < 6; i++)
        snprintf(text[i], sizeof text[i], code == PSB_EARG && bad ? "%.0s%s" : "argument %s %s", argument[i],
                 what);
    BAD(psb_gedot(bad, y, dot), code, text[0]);
    BAD(psb_gedot_local(bad, y, dot), code, text[0]);
    BAD(psb_gedot(x, bad, dot), code, text[1]);
    BAD(psb_gedot_local(x, bad, dot), code, text[1]);
    BAD(psb_gedots(2, second, good, dot), code, text[0]);
    BAD(psb_gedots_local(2, second, good, dot), code, text[0]);
    BAD(psb_gedots(2, good, second, dot), code, text[1]);
    BAD(psb_gedots_local(2, good, second, dot), code, text[1]);
    BAD(psb_genrm2_weight(bad, y, res), code, text[0]);
    BAD(psb_genrm2_weight_local(bad, y, res), code, text[0]);
    BAD(psb_genrm2_weight(x, bad, res), code, text[2]);
    BAD(psb_genrm2_weight_local(x, bad, res), code, text[2]);
    BAD(psb_genrm2_weightmask(bad, y, x, res), code, text[0]);
    BAD(psb_genrm2_weightmask_local(bad, y, x, res), code, text[0]);
    BAD(psb_genrm2_weightmask(x, bad, y, res), code, text[2]);
    BAD(psb_genrm2_weightmask_local(x, bad, y, res), code, text[2]);
    BAD(psb_genrm2_weightmask(x, y, bad, res), code, text[3]);
    BAD(psb_genrm2_weightmask_local(x, y, bad, res), code, text[3]);
    if (CPLX)
        return;
    BAD(psb_minquotient(bad, y, res), code, text[0]);
    BAD(psb_minquotient_local(bad, y, res), code, text[0]);
    BAD(psb_minquotient(x, bad, res), code, text[1]);
    BAD(psb_minquotient_local(x, bad, res), code, text[1]);
    BAD(psb_mask(bad, x, y, &ok), code, text[4]);
    BAD(psb_mask_local(bad, x, y, &ok), code, text[4]);
    BAD(psb_mask(x, bad, y, &ok), code, text[0]);
    BAD(psb_mask_local(x, bad, y, &ok), code, text[0]);
    BAD(psb_mask(x, y, bad, &ok), code, text[5]);
    BAD(psb_mask_local(x, y, bad, &ok), code, text[5]);
}

/* Reductions of one vector. */
static psb_err (*const of_one[])(const struct X(vect) *, R *) = {
    X(genrm2),       X(genrm2_local), X(geamax),       X(geamax_local), X(genrmi),
    X(genrmi_local), X(geasum),       X(geasum_local), X(gemin),        X(gemin_local),
};
enum { OF_ONE = CPLX ? 8 : 10 };

START_TEST(vectors_that_do_not_match)
    {
        static T all[3][CELLS];
        fill_three(3, all);
        psb_desc *d = rows_with_halo(EVEN), *d2 = rows_with_halo(CYCLIC);
        struct X(vect) *x = multivector(d, 3, all[0], places[0]), *y = multivector(d, 3, all[1], places[1]),
                       *narrow = multivector(d, 1, all[1], places[0]),
                       *strange = multivector(d2, 3, all[1], places[0]), *build = NULL, *local = NULL;
        GOOD(psb_geall_n(&build, d, 3));
        GOOD(psb_vect_new_n(&local, x->n, 3, NULL));
        check_alike_of(x, y, NULL, PSB_EARG, "argument x is NULL", "argument y is NULL",
                       "argument z is NULL");
        check_alike_of(x, y, narrow, PSB_EARG, "differ", "differ", "differ");
        check_alike_of(x, y, strange, PSB_EARG, "differ", "differ", "differ");
        check_alike_of(x, y, local, PSB_EARG, "differ", "differ", "differ");
        check_alike_of(x, y, build, PSB_ESTATE, "argument x is not assembled", "argument y is not assembled",
                       "argument z is not assembled");
        check_mismatched_reductions(x, y, NULL, PSB_EARG, "is NULL; expected a vector");
        check_mismatched_reductions(x, y, narrow, PSB_EARG, "differ; expected as many of each");
        check_mismatched_reductions(x, y, strange, PSB_EARG,
                                    "are on different descriptors; expected two vectors of one descriptor");
        check_mismatched_reductions(x, y, local, PSB_EARG,
                                    "are on different descriptors; expected two vectors of one descriptor");
        check_mismatched_reductions(x, y, build, PSB_ESTATE, "is not assembled; expected psb_geasb before");
        for (int i = 0; i < OF_ONE; i++) {
            R res[3];
            BAD(of_one[i](NULL, res), PSB_EARG, "argument x is NULL; expected a vector");
            BAD(of_one[i](build, res), PSB_ESTATE, "argument x is not assembled; expected psb_geasb before");
        }
        BAD(psb_gescal(1, (struct X(vect) *)NULL), PSB_EARG, "argument x is NULL");
        BAD(psb_gescal(1, build), PSB_ESTATE, "argument x is not assembled");
        const T factor[] = { 1, 2, 3 }, *none = NULL;
        BAD(psb_geaxpby_cols(none, x, factor, y), PSB_EARG,
            "argument alpha is NULL; expected a factor for each");
        BAD(psb_geaxpby_cols(factor, x, none, y), PSB_EARG,
            "argument beta is NULL; expected a factor for each");
        BAD(psb_geaxpby_cols(factor, narrow, factor, y), PSB_EARG, "differ; expected as many of each");
        BAD(psb_geaxpby_cols(factor, x, factor, build), PSB_ESTATE, "argument y is not assembled");
        BAD(psb_gescal_cols(none, x), PSB_EARG, "argument alpha is NULL; expected a factor for each");
        BAD(psb_gescal_cols(factor, build), PSB_ESTATE, "_gescal_cols: ");
        BAD(psb_xyzw(1, 1, 1, 1, 1, 1, x, y, x, narrow), PSB_EARG, "arguments x and z are the same vector");
        BAD(psb_xyzw(1, 1, 1, 1, 1, 1, x, y, narrow, narrow), PSB_EARG, "arguments z and w are the same");
        BAD(psb_xyzw(1, 1, 1, 1, 1, 1, x, y, build, narrow), PSB_EARG, "_xyzw: ");
        BAD(psb_upd_xyz(1, 1, 1, 1, x, x, y), PSB_EARG, "x and y are the same vector");
        BAD(psb_upd_xyz(1, 1, 1, 1, x, y, x), PSB_EARG, "x and z are the same vector");
        BAD(psb_upd_xyz(1, 1, 1, 1, x, y, y), PSB_EARG, "y and z are the same vector");
        check_exact(x, all[0], "refused");
        check_exact(y, all[1], "refused");
        struct X(vect) *all_of_them[] = { x, y, narrow, strange, build, local };
        for (int i = 0; i < 6; i++)
            psb_gefree(all_of_them[i]);
        psb_cdfree(d);
        psb_cdfree(d2);
    }
END_TEST

START_TEST(wrong_arguments_of_reductions)
    {
        static T all[3][CELLS];
        T dot[2 * 3] = { 9 };
        R res[3] = { 9 };
        int ok = 9;
        fill_three(3, all);
        psb_desc *d = rows_with_halo(EVEN);
        struct X(vect) *x = multivector(d, 3, all[0], places[0]),
                       *narrow = multivector(d, 1, all[1], places[0]), *const xs[2] = { x, narrow },
                       *const ys[2] = { x, NULL }, *const same[2] = { x, narrow };
        BAD(psb_gedot(x, x, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_gedot_local(x, x, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_gedots(-1, xs, xs, dot), PSB_EARG, "argument m is -1");
        BAD(X(gedots)(1, NULL, xs, dot), PSB_EARG, "argument x is NULL");
        BAD(psb_gedots(1, xs, NULL, dot), PSB_EARG, "argument y is NULL");
        BAD(psb_gedots(1, xs, xs, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_gedots(2, ys, xs, dot), PSB_EARG, "argument x is NULL");
        BAD(psb_gedots(2, xs, same, dot), PSB_EARG, "argument x[1] has 1 columns");
        BAD(psb_gedots_local(2, xs, ys, dot), PSB_EARG, "argument y is NULL");
        BAD(psb_gedots_local(-1, xs, xs, dot), PSB_EARG, "argument m is -1; expected >= 0");
        BAD(X(gedots_local)(1, NULL, xs, dot), PSB_EARG, "argument x is NULL; expected 1 vectors");
        BAD(psb_gedots_local(1, xs, NULL, dot), PSB_EARG, "argument y is NULL; expected 1 vectors");
        BAD(psb_gedots_local(1, xs, xs, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_gedots_local(INT32_MAX / 2, xs, xs, dot), PSB_EARG,
            "argument m is 1073741823; expected fewer");
        for (int i = 0; i < OF_ONE; i++)
            BAD(of_one[i](x, NULL), PSB_EARG, "argument res is NULL; expected where to store the result");
        BAD(psb_genrm2_weight(x, x, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_genrm2_weight_local(x, x, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_genrm2_weightmask(x, x, x, NULL), PSB_EARG, "argument res is NULL");
        BAD(psb_genrm2_weightmask_local(x, x, x, NULL), PSB_EARG, "argument res is NULL");
        if (!CPLX) {
            BAD(psb_minquotient(x, x, NULL), PSB_EARG, "argument res is NULL");
            BAD(psb_minquotient_local(x, x, NULL), PSB_EARG, "argument res is NULL");
            BAD(psb_mask(x, x, x, NULL), PSB_EARG, "argument ok is NULL");
            BAD(psb_mask_local(x, x, x, NULL), PSB_EARG, "argument ok is NULL");
        }
        EXPECT(dot[0] == 9 && res[0] == 9 && ok == 9);
        check_exact(x, all[0], "refused");
        psb_gefree(x);
        psb_gefree(narrow);
        psb_cdfree(d);
    }
END_TEST

/* Sums of many vectors have the bits of the sums one after the other. */
START_TEST(sums_of_many)
    {
        enum { MANY = 19 };
        static T all[MANY + 1][CELLS];
        const int k = _i / PLACES + 1;
        psb_desc *d = rows_with_halo(UNEVEN);
        struct X(vect) *x[MANY], *y, *want;
        T alpha[MANY];
        random_vector(ROWS * k, all[MANY], 7);
        for (int i = 0; i < MANY; i++) {
            random_vector(ROWS * k, all[i], i);
            fill_vector(i == 3 ? ROWS * k : 0, all[i], MAKE(NAN, 1)); /* not read, since its factor is 0 */
            alpha[i] = i == 3 ? 0 : MAKE(i - 7, 0.5 * i);
            x[i] = multivector(d, k, all[i], places[_i % PLACES]);
        }
        for (int m = 0; m <= MANY; m += m < 10 ? 1 : 9) {
            y = multivector(d, k, all[MANY], places[_i % PLACES]);
            want = multivector(d, k, all[MANY], places[_i % PLACES]);
            GOOD(psb_gemaxpy(m, alpha, x, y));
            for (int i = 0; i < m; i++)
                GOOD(psb_geaxpby(alpha[i], x[i], 1, want));
            T got[CELLS], must[CELLS];
            GOOD(psb_gather(y, got, -1));
            GOOD(psb_gather(want, must, -1));
            EXPECT(memcmp(got, must, (size_t)(ROWS * k) * sizeof *got) == 0);
            psb_gefree(y);
            psb_gefree(want);
        }
        for (int i = 0; i < MANY; i++)
            psb_gefree(x[i]);
        psb_cdfree(d);
        EXPECT(counting_device_blocks == 0);
    }
END_TEST

START_TEST(wrong_arguments_of_sums)
    {
        static T all[CELLS];
        const T one[2] = { 1, 1 };
        psb_desc *d = rows_with_halo(EVEN);
        struct X(vect) *x = multivector(d, 1, all, NULL), *y = multivector(d, 1, all, NULL),
                       *wide = multivector(d, 2, all, NULL);
        struct X(vect) *const two[] = { x, y }, *const unlike[] = { x, wide }, *const none[] = { x, NULL };
        struct X(vect) *no_vector = NULL;
        BAD(psb_gemaxpy(-1, one, two, x), PSB_EARG, "argument m is -1");
        BAD(psb_gemaxpy(1, NULL, two, y), PSB_EARG, "argument alpha is NULL");
        BAD(X(gemaxpy)(1, one, NULL, y), PSB_EARG, "argument x is NULL");
        BAD(psb_gemaxpy(1, one, two, no_vector), PSB_EARG, "argument y is NULL");
        BAD(psb_gemaxpy(2, one, two, y), PSB_EARG, "arguments x[1] and y are the same vector");
        BAD(psb_gemaxpy(2, one, unlike, y), PSB_EARG, "argument");
        BAD(psb_gemaxpy(2, one, none, y), PSB_EARG, "argument x[] is NULL");
        check_exact(y, all, "refused");
        psb_gefree(x);
        psb_gefree(y);
        psb_gefree(wide);
        psb_cdfree(d);
    }
END_TEST

static Suite *operations(void)
{
    Suite *s = suite_create("vector operations");
    TCase *c = collective_tcase(s, "results");
    tcase_add_loop_test(c, elementwise, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, three_updates, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, factors_of_columns, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, columns_with_factor_0, 0, PLACES);
    tcase_add_loop_test(c, factors_of_many_columns, 0, PLACES);
    tcase_add_loop_test(c, division_by_zero, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, reductions, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, constraints, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, sums_of_many, 0, 3 * PLACES);
    tcase_add_loop_test(c, reductions_of_nothing, 0, PLACES);
    tcase_add_loop_test(c, norms_of_extreme_values, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, nan_stays_in_its_column, 0, DISTRIBUTIONS);
    c = collective_tcase(s, "errors");
    tcase_add_loop_test(c, wrong_argument_on_one_process, 0, REDUCTIONS);
    tcase_add_loop_test(c, reduction_fails_on_one_process, 0, REDUCTIONS);
    tcase_add_test(c, vectors_that_do_not_match);
    tcase_add_test(c, wrong_arguments_of_sums);
    tcase_add_test(c, wrong_arguments_of_reductions);
    return s;
}

int check_geops(void)
{
    setenv("PSB_DEVICE", "fake", 0);
    ck_mpi_init();
    if (ck_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    return ck_end(ctxt, collective_count(ck_run(operations())));
}
