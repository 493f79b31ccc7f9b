/* gen.c -- util: generated matrices; each process generates its own rows. */
#include "config.h"
#include "deal.h"
#include <stdlib.h>
#include "psb_type.h"

enum { ROW_LENGTH, ROUNDING, FIRST, PER_ENTRY = 3 }; /* purposes of the random numbers of a row */
enum { PROGRESS_ROWS = 1 << 14 };                    /* rows between two calls of progress */

/* --- Laplacians --- */

static bool is_in_grid(const struct psb_gen *g, psb_lpk x, psb_lpk y, psb_lpk z)
{
    return x >= 0 && x < g->nx && y >= 0 && y < g->ny && z >= 0 && z < g->nz;
}

static void laplacian_row(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t)
{
    const psb_lpk x = i % g->nx, y = i / g->nx % g->ny, z = i / g->nx / g->ny;
    const bool axes_only = g->kind == PSB_GEN_LAP7;
    for (int n = 0; n < 27; n++) {
        const int dx = n % 3 - 1, dy = n / 3 % 3 - 1, dz = n / 9 - 1, axes = abs(dx) + abs(dy) + abs(dz);
        if ((axes_only && axes > 1) || !is_in_grid(g, x + dx, y + dy, z + dz))
            continue;
        const double v = axes > 0 ? -1 : axes_only ? 6 : 26;
        X(triplets_append)(t, i, i + dx + g->nx * (dy + g->ny * dz), MAKE(v, v / 2));
    }
}

/* --- random matrices --- */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns the k-th random number of a row. */
static uint64_t draw(psb_lpk row, psb_lpk k)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return mix(mix((uint64_t)row + golden) + ((uint64_t)k + 1) * golden);
}

/* Convert to a number strictly between 0 and 1. */
static double unit(uint64_t r)
{
    return ((double)(r >> 12) + 0.5) * 0x1p-52;
}

/* Convert to an odd multiple of 2^-23 strictly between -1 and 1. */
static double centred(uint64_t r)
{
    return (double)(2 * (int64_t)(r >> 41) + 1) * 0x1p-23 - 1;
}

static T random_value(psb_lpk i, psb_lpk k)
{
    return MAKE(centred(draw(i, FIRST + PER_ENTRY * k + 1)), centred(draw(i, FIRST + PER_ENTRY * k + 2)));
}

/* Append one entry in each of n even strips of the m columns. */
static void append_strips(psb_lpk m, psb_lpk n, psb_lpk i, struct X(triplets) *t)
{
    for (psb_lpk k = 0, first = 0, wide; k < n; k++, first += wide) {
        wide = m / n + (k < m % n);
        psb_lpk j = first + (psb_lpk)(draw(i, FIRST + PER_ENTRY * k) % (uint64_t)wide);
        X(triplets_append)(t, i, j, random_value(i, k));
    }
}

static void uniform_row(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t)
{
    append_strips(g->m, g->k, i, t);
}

/* Returns the number of entries of row i. */
static psb_lpk powerlaw_length(const struct psb_gen *g, psb_lpk i)
{
    const psb_lpk most = g->kind == PSB_GEN_POWERLAW ? g->m : g->upper;
    double l = g->least / (1 - unit(draw(i, ROW_LENGTH)) * (1 - g->least / (double)most));
    l = floor(l + unit(draw(i, ROUNDING)));
    return l < (double)most ? (psb_lpk)l : most;
}

static void powerrows_row(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t)
{
    append_strips(g->m, powerlaw_length(g, i), i, t);
}

static void powerlaw_row(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t)
{
    psb_lpk n = powerlaw_length(g, i), j = -1;
    for (psb_lpk k = 0; k < n; k++) {
        double u = ((double)k + unit(draw(i, FIRST + PER_ENTRY * k))) / (double)n;
        psb_lpk drawn = (psb_lpk)exp(u * log((double)g->m + 1)) - 1, last = g->m - n + k;
        j = drawn > j ? drawn : j + 1;
        j = j < last ? j : last;
        X(triplets_append)(t, i, j, random_value(i, k));
    }
}

static void banded_row(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t)
{
    psb_lpk first = i > g->k ? i - g->k : 0, last = g->upper < g->m - 1 - i ? i + g->upper : g->m - 1;
    for (psb_lpk j = first; j <= last; j++)
        X(triplets_append)(t, i, j, random_value(i, j - first));
}

/* --- elasticity --- */

/* 72 times the integral, over all space, of the derivative along a of the hat function of one point times the
 * derivative along b of the hat function of its neighbour at distance d: a product of integrals in one
 * dimension. */
static int integral(const int d[3], int a, int b)
{
    int x = 1;
    for (int k = 0; k < 3; k++) {
        const bool same = d[k] == 0;
        if (k == a && k == b)
            x *= same ? 2 : -1; /* two derivatives */
        else if (k == a || k == b)
            x *= k == a ? -d[k] : d[k]; /* one derivative: half of this */
        else
            x *= same ? 4 : 1; /* no derivative: a sixth of this */
    }
    return a == b ? 2 * x : 3 * x;
}

/* Returns the entry that couples component a of a point with component b of the neighbour at distance d. */
static int coupling(const int d[3], int a, int b)
{
    int x = integral(d, a, b) + integral(d, b, a); /* lambda = mu = 1 */
    for (int k = 0; a == b && k < 3; k++)
        x += integral(d, k, k);
    return x;
}

static void elasticity_row(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t)
{
    psb_lpk point = i / 3, x = point % g->nx, y = point / g->nx % g->ny, z = point / g->nx / g->ny;
    for (int n = 0; n < 27; n++) {
        const int d[3] = { n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1 };
        psb_lpk j = point + d[0] + g->nx * (d[1] + g->ny * d[2]);
        if (!is_in_grid(g, x + d[0], y + d[1], z + d[2]))
            continue;
        for (int b = 0; b < 3; b++) {
            double v = coupling(d, (int)(i % 3), b);
            X(triplets_append)(t, i, 3 * j + b, MAKE(v, v / 2));
        }
    }
}

/* --- all kinds --- */

static const struct {
    psb_lpk width; /* most entries in a row; 0: see psb_gen */
    void (*row)(const struct psb_gen *g, psb_lpk i, struct X(triplets) *t);
} generators[] = {
    [PSB_GEN_LAP7] = { 7, laplacian_row },      [PSB_GEN_LAP27] = { 27, laplacian_row },
    [PSB_GEN_UNIFORM] = { 0, uniform_row },     [PSB_GEN_POWERLAW] = { 0, powerlaw_row },
    [PSB_GEN_BANDED] = { 0, banded_row },       [PSB_GEN_ELASTICITY] = { 81, elasticity_row },
    [PSB_GEN_POWERROWS] = { 0, powerrows_row },
};

/* Returns an upper bound on the entries of row i. */
static psb_lpk most_entries(const struct psb_gen *g, psb_lpk i)
{
    if (g->kind == PSB_GEN_POWERLAW || g->kind == PSB_GEN_POWERROWS)
        return powerlaw_length(g, i);
    if (g->kind == PSB_GEN_BANDED)
        return (g->k < i ? g->k : i) + 1 + (g->upper < g->m - 1 - i ? g->upper : g->m - 1 - i);
    return g->kind == PSB_GEN_UNIFORM ? g->k : generators[g->kind].width;
}

/* Let *t have space for the entries of local rows lo .. hi-1. */
static psb_err reserve_rows(const struct psb_gen *g, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                            struct X(triplets) *t)
{
    psb_epk n = 0;
    for (psb_ipk l = lo; l < hi; l++) {
        psb_lpk w = most_entries(g, psb_loc_to_glob(rows, l) - psb_index_base());
        PSB_CHECK(w <= INT64_MAX - n, PSB_EARG,
                  "argument g: the rows owned here have 2^63 entries and more; expected less");
        n += w;
    }
    return X(triplets_resize)(t, n);
}

static psb_err check_generator(const struct psb_gen *g, const psb_desc *rows, const struct X(triplets) *t)
{
    PSB_TRY(psb_gen_check(g));
    PSB_NEED_HANDLE(rows, "a descriptor");
    PSB_NEED(t, "where to store the matrix");
    return psb_check_rows(rows, "rows", g->m, "the matrix");
}

/* *t: the entries of local rows lo .. hi-1. */
static psb_err generate_rows(const struct psb_gen *g, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                             void (*progress)(void *arg, double fraction), void *arg, struct X(triplets) *t)
{
    if (g->kind == PSB_GEN_PDE2D || g->kind == PSB_GEN_PDE3D) {
        struct psb_pde p = {
            .dims = g->kind == PSB_GEN_PDE2D ? 2 : 3, .nx = g->nx, .ny = g->ny, .nz = g->nz
        };
        PSB_TRY(X(gen_pde_rows)(&p, rows, lo, hi, t, NULL));
        if (progress)
            progress(arg, 1);
        return PSB_OK;
    }
    struct X(triplets) new = { .m = g->m, .n = g->m };
    psb_err e = reserve_rows(g, rows, lo, hi, &new);
    for (psb_ipk l = lo; l < hi && e == PSB_OK; l++) {
        generators[g->kind].row(g, psb_loc_to_glob(rows, l) - psb_index_base(), &new);
        if (progress && l % PROGRESS_ROWS == 0)
            progress(arg, (double)l / hi);
    }
    PSB_THEN(e, X(triplets_resize)(&new, new.nnz));
    return X(triplets_hand_over)(e, &new, t);
}

psb_err X(generate)(const struct psb_gen *g, const psb_desc *rows,
                    void (*progress)(void *arg, double fraction), void *arg, struct X(triplets) *t)
{
    PSB_TRY(check_generator(g, rows, t));
    return PSB_PASS(generate_rows(g, rows, 0, psb_cd_local_rows(rows), progress, arg, t));
}

psb_err X(generate_rows)(const struct psb_gen *g, const psb_desc *rows, psb_ipk lo, psb_ipk hi,
                         struct X(triplets) *t)
{
    PSB_TRY(check_generator(g, rows, t));
    PSB_CHECK(0 <= lo && lo <= hi && hi <= psb_cd_local_rows(rows), PSB_EARG,
              "arguments lo, hi are %d, %d; expected 0 <= lo <= hi <= %d", lo, hi, psb_cd_local_rows(rows));
    return PSB_PASS(generate_rows(g, rows, lo, hi, NULL, NULL, t));
}
