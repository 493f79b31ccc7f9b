/* gen_spec.c -- room: util.  Parser of psb_gen.h's specifications. */
#include "psb_gen.h"
#include <math.h>
#include <string.h>

enum { GRID, SQUARE, BLOCKS, RANDOM, BAND, LIMITED };

static const struct {
    const char *name, *expected;
    int what;
} kinds[] = {
    [PSB_GEN_LAP7] = { "lap7", "lap7:NX or lap7:NX,NY,NZ, whole numbers from 1, NX*NY*NZ at most 10^15",
                       GRID },
    [PSB_GEN_LAP27] = { "lap27", "lap27:NX or lap27:NX,NY,NZ, whole numbers from 1, NX*NY*NZ at most 10^15",
                        GRID },
    [PSB_GEN_UNIFORM] = { "uniform", "uniform:M,K, whole numbers, 1 <= K <= M <= 10^15", RANDOM },
    [PSB_GEN_POWERLAW] = { "powerlaw", "powerlaw:M,K, whole numbers, 1 <= K <= M <= 10^15", RANDOM },
    [PSB_GEN_BANDED] = { "banded", "banded:M,K or banded:M,L,U, whole numbers, 1 <= K, L, U < M <= 10^15",
                         BAND },
    [PSB_GEN_ELASTICITY] = { "elasticity",
                             "elasticity:NX or elasticity:NX,NY,NZ, whole numbers from 1, 3*NX*NY*NZ at most "
                             "10^15",
                             BLOCKS },
    [PSB_GEN_PDE2D] = { "pde2d", "pde2d:NX or pde2d:NX,NY, whole numbers from 1, NX*NY at most 10^15",
                        SQUARE },
    [PSB_GEN_PDE3D] = { "pde3d", "pde3d:NX or pde3d:NX,NY,NZ, whole numbers from 1, NX*NY*NZ at most 10^15",
                        GRID },
    [PSB_GEN_POWERROWS] = { "powerrows", "powerrows:M,K,MOST, whole numbers, 1 <= K <= MOST <= M <= 10^15",
                            LIMITED },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const psb_lpk most = INT64_C(1000000000000000);

/* Returns the number at *p, 1 .. most, and moves *p past it; 0 if there is none. */
static psb_lpk number(const char **p)
{
    psb_lpk x = 0;
    for (; **p >= '0' && **p <= '9'; ++*p)
        x = x > most ? x : 10 * x + (**p - '0');
    return x <= most ? x : 0;
}

/* Returns how many numbers p consists of, at most three, separated by commas; 0 if it contains anything
 * else. */
static int numbers(const char *p, psb_lpk x[3])
{
    for (int n = 0; n < 3; n++) {
        x[n] = number(&p);
        if (x[n] == 0)
            return 0;
        if (*p == '\0')
            return n + 1;
        if (*p++ != ',')
            return 0;
    }
    return 0;
}

static int is_grid(struct psb_gen *g, int n, const psb_lpk x[3])
{
    if (n != 1 && n != 3)
        return 0;
    g->nx = x[0];
    g->ny = n == 3 ? x[1] : x[0];
    g->nz = n == 3 ? x[2] : x[0];
    if (g->ny > most / g->nx || g->nz > most / (g->nx * g->ny))
        return 0;
    g->m = g->nx * g->ny * g->nz;
    return 1;
}

static int is_square(struct psb_gen *g, int n, const psb_lpk x[3])
{
    const psb_lpk y[3] = { x[0], n == 2 ? x[1] : x[0], 1 };
    return n <= 2 && is_grid(g, 3, y);
}

/* Three unknowns per point. */
static int is_blocks(struct psb_gen *g, int n, const psb_lpk x[3])
{
    if (!is_grid(g, n, x) || g->m > most / 3)
        return 0;
    g->m *= 3;
    return 1;
}

static int is_band(struct psb_gen *g, int n, const psb_lpk x[3])
{
    g->m = x[0];
    g->k = x[1];
    g->upper = n == 3 ? x[2] : x[1];
    return n >= 2 && g->k < g->m && g->upper < g->m;
}

static int is_random(struct psb_gen *g, int n, const psb_lpk x[3])
{
    g->m = x[0];
    g->k = x[1];
    return n == 2 && g->k <= g->m;
}

static int is_limited(struct psb_gen *g, int n, const psb_lpk x[3])
{
    g->m = x[0];
    g->k = x[1];
    g->upper = n == 3 ? x[2] : 0;
    return n == 3 && g->k <= g->upper && g->upper <= g->m;
}

static int is_good(struct psb_gen *g, int what, int n, const psb_lpk x[3])
{
    static int (*const is[])(struct psb_gen * g, int n, const psb_lpk x[3]) = {
        [GRID] = is_grid,     [SQUARE] = is_square, [BLOCKS] = is_blocks,
        [RANDOM] = is_random, [BAND] = is_band,     [LIMITED] = is_limited,
    };
    return n > 0 && is[what](g, n, x);
}

/* Returns the a for which the density ~ 1/l^2 on a <= l <= m, whose mean is a log(m/a) / (1 - a/m), has mean
 * k. */
static double least(double m, double k)
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
static psb_lpk longest(const struct psb_gen *g)
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
    while (kind < KINDS && (strlen(kinds[kind].name) != n || strncmp(spec, kinds[kind].name, n) != 0))
        kind++;
    PSB_CHECK(
        kind < KINDS, PSB_EARG,
        "argument spec is \"%.60s\" and no generator is called so; expected lap7:NX[,NY,NZ], "
        "lap27:NX[,NY,NZ], uniform:M,K, "
        "powerlaw:M,K, powerrows:M,K,MOST, banded:M,K or M,L,U, elasticity:NX[,NY,NZ], pde2d:NX[,NY] or "
        "pde3d:NX[,NY,NZ]",
        spec);
    int count = spec[n] == ':' ? numbers(spec + n + 1, x) : 0;
    PSB_CHECK(is_good(&new, kinds[kind].what, count, x), PSB_EARG,
              "argument spec is \"%.60s\" and gives no matrix; expected %s", spec, kinds[kind].expected);
    new.kind = (enum psb_gen_kind)kind;
    if (new.kind == PSB_GEN_POWERLAW || new.kind == PSB_GEN_POWERROWS)
        new.least = least((double)longest(&new), (double)new.k);
    *g = new;
    return PSB_OK;
}

static int is_made(const struct psb_gen *g, int what)
{
    int grid = what == GRID || what == SQUARE || what == BLOCKS, n = what == RANDOM || what == SQUARE ? 2 : 3;
    const psb_lpk x[] = { grid ? g->nx : g->m, grid ? g->ny : g->k, grid ? g->nz : g->upper };
    struct psb_gen same = { .m = 0 };
    for (int k = 0; k < n; k++)
        if (x[k] < 1 || x[k] > most)
            return 0;
    if (what == SQUARE && g->nz != 1)
        return 0;
    if (g->kind == PSB_GEN_POWERLAW || g->kind == PSB_GEN_POWERROWS)
        if (!(g->least > 0 && g->least <= (double)longest(g)))
            return 0;
    return is_good(&same, what, n, x) && same.m == g->m;
}

psb_err psb_gen_check(const struct psb_gen *g)
{
    PSB_NEED(g, "what psb_gen_parse made");
    int kind = (int)g->kind;
    PSB_CHECK(kind >= 0 && kind < KINDS, PSB_EARG,
              "argument g->kind is %d; expected 0 <= kind < %d, as psb_gen_parse made it", kind, KINDS);
    PSB_CHECK(is_made(g, kinds[kind].what), PSB_EARG,
              "argument g is %s with nx %" PRId64 ", ny %" PRId64 ", nz %" PRId64 ", m %" PRId64
              ", k %" PRId64 ", upper %" PRId64 ", least %g; expected %s, as psb_gen_parse made it",
              kinds[kind].name, g->nx, g->ny, g->nz, g->m, g->k, g->upper, g->least, kinds[kind].expected);
    return PSB_OK;
}
