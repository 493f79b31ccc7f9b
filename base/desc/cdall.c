/* cdall.c -- room: base/desc.  One call for all ways to distribute rows. */
#include "ctxt.h"
#include "desc.h"
#include <string.h>

enum way { NL, VG, VL, REPL, PARTS, WAYS };
static const char *const names[WAYS] = { "nl", "vg", "vl", "repl", "parts" };

/* A bit for each way given on this process. */
static unsigned ways_of(const struct psb_cdall_how *h)
{
    unsigned ways = 0;
    ways |= (unsigned)(h->nl != 0 && !h->vl) << NL;
    ways |= (unsigned)(h->vg != NULL) << VG;
    ways |= (unsigned)(h->vl != NULL) << VL;
    ways |= (unsigned)(h->repl != 0) << REPL;
    ways |= (unsigned)(h->parts != NULL) << PARTS;
    return ways;
}

static psb_err check(const struct psb_cdall_how *h)
{
    PSB_CHECK(h, PSB_EARG, "argument how is NULL; expected what says who owns which row");
    PSB_CHECK(!h->lidx || h->vl || h->nl == 0, PSB_EARG,
              "argument how->lidx is given and how->vl is NULL; expected both");
    PSB_CHECK(!h->repl || (h->ng >= 0 && h->ng <= INT32_MAX), PSB_EARG,
              "argument how->ng is %" PRId64 "; expected 0 <= ng < 2^31 rows that all processes own", h->ng);
    PSB_CHECK(h->ng == 0 || h->vg || h->parts || h->repl, PSB_EARG,
              "argument how->ng is %" PRId64
              " and says nothing of owners; expected vg, parts or repl with it",
              h->ng);
    return PSB_OK;
}

/* The only way given by all processes together. */
static psb_err the_way(unsigned ways, enum way *way)
{
    char given[64] = "";
    int n = 0;
    for (int w = 0; w < WAYS; w++)
        if (ways >> w & 1) {
            snprintf(given + strlen(given), sizeof given - strlen(given), "%s%s", n ? " and " : "", names[w]);
            *way = (enum way)w;
            n++;
        }
    PSB_CHECK(n == 1, PSB_EARG,
              "argument how gives %s; expected one of nl, vg, vl, repl and parts, the same on all processes",
              n ? given : "none of the ways");
    return PSB_OK;
}

static psb_err choose(psb_ctxt *ctxt, unsigned here, enum way *way)
{
    unsigned all = 0;
    PSB_MPI(MPI_Allreduce(&here, &all, 1, MPI_UNSIGNED, MPI_BOR, psb_comm_of(ctxt)));
    PSB_TRY(the_way(all, way));
    psb_err e = PSB_OK;
    if (!here && *way != NL && *way != VL)
        e = PSB_FAIL(PSB_EARG, "argument how gives none of the ways here; expected %s, as on other processes",
                     names[*way]);
    return psb_agree(ctxt, e);
}

psb_err psb_cdall(psb_desc **desc, psb_ctxt *ctxt, const struct psb_cdall_how *how)
{
    enum way way = NL;
    PSB_TRY(psb_check_ctxt(ctxt));
    PSB_TRY(psb_agree(ctxt, check(how)));
    PSB_TRY(choose(ctxt, ways_of(how), &way));
    switch (way) {
    case VG:
        return PSB_PASS(psb_cdall_vg(desc, ctxt, how->ng, how->vg));
    case VL:
        return PSB_PASS(psb_cdall_vl_lidx(desc, ctxt, how->nl, how->vl, how->lidx));
    case REPL:
        return PSB_PASS(psb_cdall_repl(desc, ctxt, (psb_ipk)how->ng));
    case PARTS:
        return PSB_PASS(psb_cdall_parts(desc, ctxt, how->ng, how->parts, how->arg));
    default:
        return PSB_PASS(psb_cdall_nl(desc, ctxt, how->nl));
    }
}
