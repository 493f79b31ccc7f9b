/* gen_spec.c -- util: parser of psb_gen.h's specifications. */
#include "psb_gen.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const psb_lpk most_rows = INT64_C(1000000000000000);

/* Returns the number at *p, 1 .. most_rows, and moves *p past it; 0 if there is none. */
static psb_lpk read_count(const char **p)
{
    psb_lpk x = 0;
    for (; **p >= '0' && **p <= '9'; ++*p)
        x = x > most_rows ? x : 10 * x + (**p - '0');
    return x <= most_rows ? x : 0;
}

/* Returns how many numbers p consists of, at most three, separated by commas; 0 if it contains anything
 * else. */
static int read_counts(const char *p, psb_lpk x[3])
{
    for (int n = 0; n < 3; n++) {
        x[n] = read_count(&p);
        if (x[n] == 0)
            return 0;
        if (*p == '\0')
            return n + 1;
        if (*p++ != ',')
            return 0;
    }
    return 0;
}

/* Set the sizes of *g to the n numbers of a specification.  Each returns whether there are so many, in range.
 */
static bool set_grid(struct psb_gen *g, int n, const psb_lpk x[3])
{
    if (n != 1 && n != 3)
        return false;
    g->nx = x[0];
    g->ny = n == 3 ? x[1] : x[0];
    g->nz = n == 3 ? x[2] : x[0];
    if (g->ny > most_rows / g->nx || g->nz > most_rows / (g->nx * g->ny))
        return false;
    g->m = g->nx * g->ny * g->nz;
    return true;
}

static bool set_square(struct psb_gen *g, int n, const psb_lpk x[3])
{
    const psb_lpk y[3] = { x[0], n == 2 ? x[1] : x[0], 1 };
    return n <= 2 && set_grid(g, 3, y);
}

/* Three unknowns per point. */
static bool set_blocks(struct psb_gen *g, int n, const psb_lpk x[3])
{
    if (!set_grid(g, n, x) || g->m > most_rows / 3)
        return false;
    g->m *= 3;
    return true;
}

static bool set_band(struct psb_gen *g, int n, const psb_lpk x[3])
{
    g->m = x[0];
    g->k = x[1];
    g->upper = n == 3 ? x[2] : x[1];
    return n >= 2 && g->k < g->m && g->upper < g->m;
}

static bool set_random(struct psb_gen *g, int n, const psb_lpk x[3])
{
    g->m = x[0];
    g->k = x[1];
    return n == 2 && g->k <= g->m;
}

static bool set_limited(struct psb_gen *g, int n, const psb_lpk x[3])
{
    g->m = x[0];
    g->k = x[1];
    g->upper = n == 3 ? x[2] : 0;
    return n == 3 && g->k <= g->upper && g->upper <= g->m;
}

static const struct {
    const char *name, *expected;
    bool (*set)(struct psb_gen *g, int n, const psb_lpk x[3]);
} specs[] = {
    [PSB_GEN_LAP7] = { "lap7", "lap7:NX or lap7:NX,NY,NZ, whole numbers from 1, NX*NY*NZ at most 10^15",
                       set_grid },
    [PSB_GEN_LAP27] = { "lap27", "lap27:NX or lap27:NX,NY,NZ, whole numbers from 1, NX*NY*NZ at most 10^15",
                        set_grid },
    [PSB_GEN_UNIFORM] = { "uniform", "uniform:M,K, whole numbers, 1 <= K <= M <= 10^15", set_random },
    [PSB_GEN_POWERLAW] = { "powerlaw", "powerlaw:M,K, whole numbers, 1 <= K <= M <= 10^15", set_random },
    [PSB_GEN_BANDED] = { "banded", "banded:M,K or banded:M,L,U, whole numbers, 1 <= K, L, U < M <= 10^15",
                         set_band },
    [PSB_GEN_ELASTICITY] = { "elasticity",
                             "elasticity:NX or elasticity:NX,NY,NZ, whole numbers from 1, 3*NX*NY*NZ at most "
                             "10^15",
                             set_blocks },
    [PSB_GEN_PDE2D] = { "pde2d", "pde2d:NX or pde2d:NX,NY, whole numbers from 1, NX*NY at most 10^15",
                        set_square },
    [PSB_GEN_PDE3D] = { "pde3d", "pde3d:NX or pde3d:NX,NY,NZ, whole numbers from 1, NX*NY*NZ at most 10^15",
                        set_grid },
    [PSB_GEN_POWERROWS] = { "powerrows", "powerrows:M,K,MOST, whole numbers, 1 <= K <= MOST <= M <= 10^15",
                            set_limited },
};
enum { SPECS = sizeof specs / sizeof *specs };

/* Returns the a for which the density ~ 1/l^2 on a <= l <= m, whose mean is a log(m/a) / (1 - a/m), has mean
 * k. */
static double least_length(double m, double k)
{
    double lo = 0, hi = m;
    for (int i = 0; i < 100; i++) {
        double a = lo + (hi - lo) / 2;
        if (a < m && a * log(m / a) / (1 - a / m) < k)
            lo = a;
        else
            hi = a;
    }
    return hi;
}

/* Returns the largest number of entries of a row of powerlaw or powerrows. */
static psb_lpk most_of_a_row(const struct psb_gen *g)
{
    return g->kind == PSB_GEN_POWERLAW ? g->m : g->upper;
}

psb_err psb_gen_parse(const char *spec, struct psb_gen *g)
{
    PSB_NEED(spec, "what to generate, as lap7:10");
    PSB_NEED(g, "where to store what was said");
    struct psb_gen new = { 0 };
    psb_lpk x[3];
    size_t n = strcspn(spec, ":");
    int kind = 0;
    while (kind < SPECS && (strlen(specs[kind].name) != n || strncmp(spec, specs[kind].name, n) != 0))
        kind++;
    PSB_CHECK(kind < SPECS, PSB_EARG,
              "argument spec is \"%.60s\" and no generator is called so; expected lap7:NX[,NY,NZ], "
              "lap27:NX[,NY,NZ], uniform:M,K, powerlaw:M,K, powerrows:M,K,MOST, banded:M,K or M,L,U, "
              "elasticity:NX[,NY,NZ], pde2d:NX[,NY] or pde3d:NX[,NY,NZ]",
              spec);
    int count = spec[n] == ':' ? read_counts(spec + n + 1, x) : 0;
    PSB_CHECK(count > 0 && specs[kind].set(&new, count, x), PSB_EARG,
              "argument spec is \"%.60s\" and gives no matrix; expected %s", spec, specs[kind].expected);
    new.kind = (enum psb_gen_kind)kind;
    if (new.kind == PSB_GEN_POWERLAW || new.kind == PSB_GEN_POWERROWS)
        new.least = least_length((double)most_of_a_row(&new), (double)new.k);
    *g = new;
    return PSB_OK;
}

static bool is_parsed(const struct psb_gen *g)
{
    bool (*const set)(struct psb_gen * g, int n, const psb_lpk x[3]) = specs[g->kind].set;
    const bool grid = set == set_grid || set == set_square || set == set_blocks;
    const int n = set == set_random || set == set_square ? 2 : 3;
    const psb_lpk x[] = { grid ? g->nx : g->m, grid ? g->ny : g->k, grid ? g->nz : g->upper };
    struct psb_gen same = { .m = 0 };
    for (int k = 0; k < n; k++)
        if (x[k] < 1 || x[k] > most_rows)
            return false;
    if (set == set_square && g->nz != 1)
        return false;
    if (g->kind == PSB_GEN_POWERLAW || g->kind == PSB_GEN_POWERROWS)
        if (!(g->least > 0 && g->least <= (double)most_of_a_row(g)))
            return false;
    return set(&same, n, x) && same.m == g->m;
}

psb_err psb_gen_check(const struct psb_gen *g)
{
    PSB_NEED(g, "what psb_gen_parse made");
    int kind = (int)g->kind;
    PSB_CHECK(kind >= 0 && kind < SPECS, PSB_EARG,
              "argument g->kind is %d; expected 0 <= kind < %d, as psb_gen_parse made it", kind, SPECS);
    PSB_CHECK(is_parsed(g), PSB_EARG,
              "argument g is %s with nx %" PRId64 ", ny %" PRId64 ", nz %" PRId64 ", m %" PRId64
              ", k %" PRId64 ", upper %" PRId64 ", least %g; expected %s, as psb_gen_parse made it",
              specs[kind].name, g->nx, g->ny, g->nz, g->m, g->k, g->upper, g->least, specs[kind].expected);
    return PSB_OK;
}
