/* descriptors.c -- test/kernel: memory and messages of a descriptor, by number of processes.
 *
 *     mpirun -n P descriptors [M]
 *
 * A periodic grid is distributed in cubes of M^3 points (12), one for each process; the stencil has seven
 * points.  Maps: `block`, points numbered cube by cube; `list`, numbered line by line through the whole grid;
 * `hash`, the same with a random local order.  For each: bytes of the assembled descriptor; peak memory of
 * base while it was made; messages and bytes sent to make it; messages and bytes of one halo exchange of
 * doubles.  Every number is the maximum over all processes.  docs/scaling.md has a table. */
#include "psb_base.h"
#include "allocated.h"
#include <stdlib.h>
#include "bench.h"

const char *const program = "descriptors";

/* --- the grid --- */

struct grid {
    psb_ctxt *ctxt;
    int me, np, dims[3], at[3]; /* cubes in each direction; position of this process's cube */
    int m;
    bool by_cubes;
};

/* Returns the number of point (x, y, z), each coordinate modulo the grid. */
static psb_lpk number_of(const struct grid *g, const psb_lpk *x)
{
    psb_lpk n[3], p[3], cube = 0, in = 0, line = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = (psb_lpk)g->m * g->dims[k];
        p[k] = (x[k] + n[k]) % n[k];
        cube = cube * g->dims[k] + p[k] / g->m;
        in = in * g->m + p[k] % g->m;
        line = line * n[k] + p[k];
    }
    return g->by_cubes ? cube * g->m * g->m * g->m + in : line;
}

/* List point l of this process's cube and its neighbours. */
static void stencil(const struct grid *g, psb_ipk l, psb_lpk *to)
{
    psb_lpk x[3] = { l / (g->m * g->m), l / g->m % g->m, l % g->m };
    for (int k = 0; k < 3; k++)
        x[k] += (psb_lpk)g->at[k] * g->m;
    *to++ = number_of(g, x);
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            x[k] += side;
            *to++ = number_of(g, x);
            x[k] -= side;
        }
}

static void mix(psb_lpk *v, psb_ipk n)
{
    unsigned long long r = 1;
    for (psb_ipk i = n - 1; i > 0; i--) {
        r = r * 6364136223846793005ull + 1442695040888963407ull;
        psb_ipk j = (psb_ipk)((r >> 33) % (unsigned)(i + 1));
        psb_lpk was = v[i];
        v[i] = v[j];
        v[j] = was;
    }
}

/* --- one descriptor --- */

enum kind { BLOCK, LIST, HASH, KINDS };

static psb_desc *make(struct grid *g, enum kind kind)
{
    psb_desc *d = NULL;
    psb_lpk *vl, to[7];
    psb_ipk nl = g->m * g->m * g->m;
    g->by_cubes = kind == BLOCK;
    good(psb_alloc(&vl, (size_t)nl, sizeof *vl, "rows"), "rows");
    for (psb_ipk l = 0; l < nl; l++) {
        stencil(g, l, to);
        vl[l] = to[0];
    }
    if (kind == HASH)
        mix(vl, nl);
    good(kind == BLOCK ? psb_cdall_nl(&d, g->ctxt, nl) : psb_cdall_vl(&d, g->ctxt, nl, vl), "descriptor");
    psb_free(vl);
    for (psb_ipk l = 0; l < nl; l++) {
        stencil(g, l, to);
        good(psb_cdins(d, 7, NULL, to), "descriptor");
    }
    good(psb_cdasb(d), "descriptor");
    return d;
}

static void report(struct grid *g, enum kind kind)
{
    psb_dvect *x = NULL;
    int neighbours;
    psb_traffic_reset(g->ctxt);
    size_t before = allocated.held;
    allocated.peak = allocated.held;
    psb_desc *d = make(g, kind);
    size_t most = allocated.peak - before;
    struct psb_traffic made = psb_traffic(g->ctxt);
    psb_cd_volume(d, NULL, NULL, &neighbours);
    good(psb_geall(&x, d), "descriptor");
    good(psb_geasb(x, NULL), "descriptor");
    psb_traffic_reset(g->ctxt);
    good(psb_halo(x, 'N'), "descriptor");
    struct psb_traffic halo = psb_traffic(g->ctxt);
    psb_lpk v[] = { neighbours,
                    psb_cd_local_cols(d) - psb_cd_local_rows(d),
                    (psb_lpk)psb_cd_bytes(d),
                    allocated.counted ? (psb_lpk)most : -1,
                    made.messages,
                    made.bytes,
                    halo.messages,
                    halo.bytes };
    good(psb_max(g->ctxt, 8, v, 0), "descriptor");
    if (g->me == 0)
        printf("%5d %-6s %10" PRId64 " %6" PRId64 " %10" PRId64 " %10" PRId64 " %9" PRId64 " %9" PRId64
               " %8" PRId64 " %8" PRId64 "\n",
               g->np, psb_cd_kind(d), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
    psb_gefree(x);
    psb_cdfree(d);
}

int main(int argc, char **argv)
{
    struct grid g = { .m = argument(argc, argv, 1, 2, 200, 12) };
    g.ctxt = start(false);
    psb_info(g.ctxt, &g.me, &g.np);
    MPI_Dims_create(g.np, 3, g.dims);
    for (int k = 2, r = g.me; k >= 0; k--) { /* cubes are numbered as in number_of() */
        g.at[k] = r % g.dims[k];
        r /= g.dims[k];
    }
    if (g.me == 0)
        printf("cubes of %d^3 rows; %d x %d x %d of them\n%5s %-6s %10s %6s %10s %10s %9s %9s %8s %8s\n", g.m,
               g.dims[0], g.dims[1], g.dims[2], "P", "map", "neighbours", "halo", "bytes", "peak", "messages",
               "sent", "messages", "sent");
    for (int kind = 0; kind < KINDS; kind++)
        report(&g, (enum kind)kind);
    finish(g.ctxt);
    return EXIT_SUCCESS;
}
