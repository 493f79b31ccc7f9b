/* check_geops.c -- test: computations with distributed vectors of one and of several columns, on the
 * host and on devices, compared with long double. */
#include "config.h"
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_geops.h"

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

psb_err call_geop(enum geop op, T a, T b, struct X(vect) *const *v)
{
    switch (op) {
    case AXPBY:
        return psb_geaxpby(a, v[0], b, v[1]);
    case AXPBYZ:
        return psb_geaxpbyz(a, v[0], b, v[1], v[2]);
    case UPD_XYZ:
        return psb_upd_xyz(a, b, b, a, v[0], v[1], v[2]);
    case SCAL:
        return psb_gescal(a, v[0]);
    case MLT:
        return psb_gemlt(v[0], v[1]);
    case MLT2:
        return psb_gemlt2(a, v[0], v[1], b, v[2]);
    case DIV:
        return a == 0 ? psb_gediv(v[0], v[1]) : psb_gediv_check(v[0], v[1]);
    case DIV2:
        return a == 0 ? psb_gediv2(v[0], v[1], v[2]) : psb_gediv2_check(v[0], v[1], v[2]);
    case INV:
        return a == 0 ? psb_geinv(v[0], v[1]) : psb_geinv_check(v[0], v[1]);
    case ABSOLUTE:
        return psb_geabs(v[0], v[1]);
    case CMP:
        return psb_gecmp(v[0], (R)ABS(a) / 2, v[1]);
    default:
        return psb_geaddconst(v[0], a, v[1]);
    }
}

/* The expected elements of argument `out` where the arguments hold e. */
static struct value_and_size must_be(enum geop op, int out, LC a, LC b, const LC *e)
{
    struct value_and_size y = sum_of(a, e[0], b, e[1]), z = sum_of(b, y.value, a, e[2]);
    switch (op) {
    case AXPBY:
    case AXPBYZ:
        return y;
    case UPD_XYZ:
        z.size += cabsl(b) * y.size;
        return out == 1 ? y : z;
    case SCAL:
        return sum_of(a, e[0], 0, 0);
    case MLT:
        return sum_of(e[0], e[1], 0, 0);
    case MLT2:
        return sum_of(a, e[0] * e[1], b, e[2]);
    case DIV:
    case DIV2:
        return sum_of(1, e[0] / e[1], 0, 0);
    case INV:
        return sum_of(1, 1 / e[0], 0, 0);
    case ABSOLUTE:
        return value_and_size(cabsl(e[0]), cabsl(e[0]));
    case CMP:
        return value_and_size(cabsl(e[0]) >= (R)cabsl(a) / 2, 0);
    default:
        return sum_of(1, e[0], 1, a);
    }
}

const struct geop_info geops[GEOPS] = {
    [AXPBY] = { "axpby", "xy", 2, { 0, 1 } },      [AXPBYZ] = { "axpbyz", "xyz", 4, { 0, 1 } },
    [UPD_XYZ] = { "upd_xyz", "xyz", 6, { 0, 1 } }, [SCAL] = { "scal", "x", 1, { 0, -1 } },
    [MLT] = { "mlt", "xy", 2, { -1, -1 } },        [MLT2] = { "mlt2", "xyz", 4, { 0, 2 } },
    [DIV] = { "div", "xy", 1, { -1, -1 } },        [DIV2] = { "div2", "xyz", 4, { -1, -1 } },
    [INV] = { "inv", "xy", 2, { -1, -1 } },        [ABSOLUTE] = { "abs", "xy", 2, { -1, -1 } },
    [CMP] = { "cmp", "xz", 2, { -1, -1 } },        [ADDCONST] = { "addconst", "xz", 2, { -1, -1 } },
};

/* At most five roundings per element, doubled as in sample.h; a complex quotient has a few more. */
static void set_want(struct want *w, struct value_and_size m)
{
    w->value = m.value;
    w->slack = m.size * (CPLX ? 20 : 5) * EPS + 5 * tiny * (m.size > 0);
}

/* The expected values of every vector. */
static void expect(enum geop op, const struct args *g, T a, T b, int cells, struct want w[3][CELLS])
{
    for (int i = 0; i < cells; i++) {
        LC e[3] = { g->all[g->is[0]][i], g->all[g->is[1]][i], g->all[g->is[2]][i] };
        for (int j = 0; j < 3; j++)
            w[j][i] = (struct want){ g->all[j][i], 0 };
        for (int j = 0; j < 3; j++)
            if (geops[op].outs >> j & 1)
                set_want(&w[g->is[j]][i], must_be(op, j, a, b, e));
    }
}

/* An argument not read because of a zero factor is set to NaN, unless it is also another argument. */
static void overwrite_unread(enum geop op, struct args *g, int i, T factor, int cells)
{
    if (i < 0 || factor != 0 || g->is[0] != 0 || g->is[1] != 1 || g->is[2] != 2)
        return;
    fill_vector(cells, g->all[i], MAKE(NAN, NAN));
    if (op == UPD_XYZ && i == 0)
        fill_vector(cells, g->all[2], MAKE(NAN, NAN));
}

static void try_op(enum geop op, struct args *g, T a, T b, const char *how)
{
    static struct want w[3][CELLS];
    char what[100];
    int cells = ROWS * g->v[0]->ncols;
    for (int j = 0; j < 3; j++)
        random_vector(cells, g->all[j], (uint64_t)j + 3);
    overwrite_unread(op, g, geops[op].unread[0], a, cells);
    overwrite_unread(op, g, geops[op].unread[1], b, cells);
    for (int j = 0; j < 3; j++)
        multivector_load(g->v[j], g->all[j]);
    struct X(vect) *v[3] = { g->v[g->is[0]], g->v[g->is[1]], g->v[g->is[2]] };
    expect(op, g, a, b, cells, w);
    GOOD(call_geop(op, a, b, v));
    snprintf(what, sizeof what, "%s, %s", geops[op].name, how);
    for (int j = 0; j < 3; j++)
        multivector_check(g->v[j], w[j], what);
}

TEST(elementwise)
{
    static const int same[][3] = { { 0, 1, 2 }, { 0, 0, 2 }, { 0, 1, 1 }, { 0, 1, 0 }, { 0, 0, 0 } };
    const T factor[] = { 0, 1, -1, MAKE(0.3, 0.8) };
    static struct args g;
    struct X(vect) *pool[3][PLACES];
    struct rng r = { 17 };
    psb_desc *d = rows_with_halo((enum distribution)_i);
    for (int k = 1; k <= 3; k += 2) {
        for (int j = 0; j < 3 * PLACES; j++)
            pool[j / PLACES][j % PLACES] = multivector(d, k, g.all[0], places[j % PLACES]);
        for (int t = 0; t < GEOPS * 5 * 16; t++) {
            const enum geop op = (enum geop)(t % GEOPS);
            int alike = t / GEOPS % 5, f = t / GEOPS / 5, all = rng_below(&r, 2), p = rng_below(&r, PLACES);
            if (op == UPD_XYZ && alike > 0)
                continue;
            memcpy(g.is, same[alike], sizeof g.is);
            for (int j = 0; j < 3; j++)
                g.v[j] = pool[j][all ? p : rng_below(&r, PLACES)];
            try_op(op, &g, factor[f / 4], factor[f % 4], all ? places[p]->name : "mixed");
        }
        for (int j = 0; j < 3 * PLACES; j++)
            psb_gefree(pool[j / PLACES][j % PLACES]);
    }
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

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

TEST(three_updates)
{
    static struct held h[4];
    const T f[][6] = { { 1, 2, -1, MAKE(0.5, 0.25), 3, 1 }, { 0, 1, 1, 0, -1, 0 }, { 2, 0, 0, 1, 0, 3 } };
    DESC *d = rows_with_halo((enum distribution)_i);
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
}

/* Different factors for the columns, wherever the vectors are. */
TEST(factors_of_columns)
{
    static struct held x, y;
    const T f[] = { 0, 1, MAKE(-2, 1), 0, MAKE(0.5, 3), -1, 1, 1 };
    DESC *d = rows_with_halo((enum distribution)_i);
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
}

/* A column with factor 0 is not read. */
TEST(columns_with_factor_0)
{
    static struct held x, y;
    const T alpha[] = { 0, 2 }, beta[] = { 3, 0 };
    DESC *d = rows_with_halo(EVEN);
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
}

/* More columns than one launch of a kernel has factors for. */
TEST(factors_of_many_columns)
{
    enum { MANY = 150, CELLS_OF_ALL = 7 * MANY };
    T alpha[MANY], beta[MANY], x[CELLS_OF_ALL], y[CELLS_OF_ALL], got[CELLS_OF_ALL];
    struct X(vect) *v[2];
    DESC *d = NULL;
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
}

/* Without checks the results are those of IEEE arithmetic.  With checks the error names row and column, and
 * the vectors are unchanged. */
TEST(division_by_zero)
{
    T x[CELLS], y[CELLS];
    char text[64];
    DESC *d = rows_with_halo((enum distribution)_i);
    fill_vector(CELLS, x, 6);
    fill_vector(CELLS, y, 2);
    y[17 * 3 + 1] = 0;
    snprintf(text, sizeof text, "is 0 in row 17, column 1");
    for (int p = 0; p < PLACES; p++) {
        VECT *vx = multivector(d, 3, x, places[p]), *vy = multivector(d, 3, y, places[p]),
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
    }
}

static Suite *operations(void)
{
    Suite *s = suite_create("vector operations");
    TCase *c = collective_tcase(s, "results");
    ck_add_loop_tests(c, DISTRIBUTIONS, elementwise, three_updates, factors_of_columns);
    ck_add_loop_tests(c, PLACES, columns_with_factor_0, factors_of_many_columns);
    ck_add_loop_tests(c, DISTRIBUTIONS, division_by_zero);
    add_reductions(c);
    c = collective_tcase(s, "errors");
    add_wrong_vector_operations(c);
    return s;
}

int check_geops(void)
{
    return run_suite(FAKE_DEVICE, operations);
}
