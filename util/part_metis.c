/* part_metis.c -- util: partition of a graph by METIS, used only in this file.
 * Method: Karypis and Kumar, Multilevel k-way partitioning scheme for irregular graphs, JPDC 48 (1998). */
#include "config.h"
#include "graph.h"
#include "psb_part.h"
#include "psb_alloc.h"
#include <stdbool.h>

static psb_err check_graph(psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, int np, const int *vg)
{
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected a number of rows >= 0", n);
    PSB_CHECK(nz >= 0, PSB_EARG, "argument nz is %" PRId64 "; expected a number of entries >= 0", nz);
    PSB_CHECK(np >= 1, PSB_EARG, "argument np is %d; expected a number of parts >= 1", np);
    PSB_CHECK(vg || n == 0, PSB_EARG, "argument vg is NULL; expected an array of %" PRId64 " owners", n);
    PSB_CHECK(nz == 0 || (ia && ja), PSB_EARG, "argument %s is NULL; expected %" PRId64 " indices",
              ia ? "ja" : "ia", nz);
    for (psb_epk k = 0; k < nz; k++) {
        PSB_CHECK(ia[k] >= 0 && ia[k] < n, PSB_EARG,
                  "argument ia[%" PRId64 "] is %" PRId64 "; expected 0 <= ia < %" PRId64, k, ia[k], n);
        PSB_CHECK(ja[k] >= 0 && ja[k] < n, PSB_EARG,
                  "argument ja[%" PRId64 "] is %" PRId64 "; expected 0 <= ja < %" PRId64, k, ja[k], n);
    }
    return PSB_OK;
}

/* The cases that need no graph: one part, or a part for each row. */
static bool is_trivial(psb_lpk n, int np, int *vg)
{
    if (np > 1 && np < n)
        return false;
    for (psb_lpk i = 0; i < n; i++)
        vg[i] = np > 1 ? (int)i : 0;
    return true;
}

#ifdef HAVE_METIS
#include <metis.h>

/* The neighbours of i are adj[start[i]] .. adj[start[i+1]-1]. */
struct graph {
    idx_t *start, *adj, *part;
};

/* Each entry off the diagonal connects two rows, in both directions. */
static void join_rows(struct graph *g, psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja)
{
    for (psb_epk k = 0; k < nz; k++)
        if (ia[k] != ja[k]) {
            g->start[ia[k] + 1]++;
            g->start[ja[k] + 1]++;
        }
    for (psb_lpk i = 0; i < n; i++)
        g->start[i + 1] += g->start[i];
    for (psb_epk k = 0; k < nz; k++)
        if (ia[k] != ja[k]) {
            g->adj[g->start[ia[k]]++] = (idx_t)ja[k];
            g->adj[g->start[ja[k]]++] = (idx_t)ia[k];
        }
    for (psb_lpk i = n; i > 0; i--)
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
}

/* Remove repeated neighbours; part[] marks those already listed. */
static void remove_duplicates(struct graph *g, psb_lpk n)
{
    idx_t kept = 0, from = 0;
    for (psb_lpk i = 0; i < n; i++)
        g->part[i] = -1;
    for (psb_lpk i = 0; i < n; i++) {
        idx_t end = g->start[i + 1];
        for (idx_t k = from; k < end; k++)
            if (g->part[g->adj[k]] != (idx_t)i) {
                g->part[g->adj[k]] = (idx_t)i;
                g->adj[kept++] = g->adj[k];
            }
        from = end;
        g->start[i + 1] = kept;
    }
}

static psb_err make_graph(struct graph *g, psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja)
{
    PSB_CHECK(n < IDX_MAX && nz <= IDX_MAX / 2, PSB_EARG,
              "arguments n and nz are %" PRId64 " and %" PRId64
              "; expected what this METIS can count, whose integers have %d bits",
              n, nz, (int)IDXTYPEWIDTH);
    PSB_TRY(psb_alloc_zero(&g->start, (size_t)n + 1, sizeof *g->start, "graph"));
    PSB_TRY(psb_alloc(&g->adj, 2 * (size_t)nz, sizeof *g->adj, "graph"));
    PSB_TRY(psb_alloc(&g->part, (size_t)n, sizeof *g->part, "parts of a graph"));
    join_rows(g, n, nz, ia, ja);
    remove_duplicates(g, n);
    return PSB_OK;
}

static psb_err run_metis(struct graph *g, psb_lpk n, int np)
{
    idx_t rows = (idx_t)n, parts = np, one = 1, edges, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1; /* the same parts in every run */
    int said = METIS_PartGraphKway(&rows, &one, g->start, g->adj, NULL, NULL, NULL, &parts, NULL, NULL,
                                   options, &edges, g->part);
    PSB_CHECK(said != METIS_ERROR_MEMORY, PSB_ENOMEM, "METIS has no memory for %" PRId64 " rows", n);
    PSB_CHECK(said == METIS_OK, PSB_EARG,
              "METIS fails on %" PRId64 " rows with code %d; expected METIS_OK, %d", n, said, (int)METIS_OK);
    return PSB_OK;
}

psb_err psb_part_metis(psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, int np, int *vg)
{
    struct graph g = { .start = NULL };
    PSB_TRY(check_graph(n, nz, ia, ja, np, vg));
    if (is_trivial(n, np, vg))
        return PSB_OK;
    psb_err e = make_graph(&g, n, nz, ia, ja);
    const bool edges = e == PSB_OK && g.start[n] > 0;
    if (edges)
        e = run_metis(&g, n, np);
    for (psb_lpk i = 0; i < n && e == PSB_OK; i++)
        vg[i] = edges ? (int)g.part[i] : (int)(i / (n / np + 1));
    psb_free(g.start);
    psb_free(g.adj);
    psb_free(g.part);
    return PSB_PASS(e);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *psb_metis_version(void)
{
    return TEXT(METIS_VER_MAJOR) "." TEXT(METIS_VER_MINOR) "." TEXT(METIS_VER_SUBMINOR);
}
#else
psb_err psb_part_metis(psb_lpk n, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, int np, int *vg)
{
    PSB_TRY(check_graph(n, nz, ia, ja, np, vg));
    PSB_CHECK(is_trivial(n, np, vg), PSB_ENOTIMPL,
              "this build lacks METIS, configure found none; expected a partition by blocks or by a file of "
              "owners");
    return PSB_OK;
}

const char *psb_metis_version(void)
{
    return NULL;
}
#endif
