/* hacks.c -- ext: division of rows into hacks and among threads. */
#include "psb_hacks.h"
#include "psb_threads.h"

psb_err psb_hacks_of(psb_ipk m, psb_ipk hack, psb_epk whole, struct psb_hacks *g)
{
    enum { WORD = 64 }; /* a hack of all rows is rounded up to a multiple of this */
    const psb_epk words = m > WORD ? ((psb_epk)m + WORD - 1) / WORD : 1, all = words * WORD;
    PSB_CHECK(hack >= 0, PSB_EARG, "the mold's hack is %d; expected >= 1, or 0 for all rows", hack);
    *g = (struct psb_hacks){ .m = m, .rows = !hack ? whole : hack < all ? hack : all };
    g->n = g->rows ? (psb_ipk)((m + g->rows - 1) / g->rows) : 0;
    return PSB_OK;
}

/* psb_hacks_first_row for a single hack: multiples of GRAIN rows. */
static psb_ipk share_rows(psb_ipk m, int t, int p)
{
    enum { GRAIN = 64 };
    psb_epk a, b;
    psb_thread_range(((psb_epk)m + GRAIN - 1) / GRAIN, t, p, &a, &b);
    return a * GRAIN < m ? (psb_ipk)(a * GRAIN) : m;
}

psb_ipk psb_hacks_first_row(const struct psb_hacks *g, int t, int p)
{
    if (t == p)
        return g->m;
    if (g->n == 1)
        return share_rows(g->m, t, p);
    psb_ipk lo = psb_thread_start(g->off, g->n, t, p);
    return lo * g->rows < g->m ? (psb_ipk)(lo * g->rows) : g->m;
}
