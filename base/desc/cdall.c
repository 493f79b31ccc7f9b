/* cdall.c -- base/desc: one call for all ways to distribute rows. */
#include "ctxt.h"
#include "desc.h"
#include "coll.h"
#include <string.h>

enum way { NL, VG, VL, REPL, PARTS, WAYS };
static const char *const way_names[WAYS] = { "nl", "vg", "vl", "repl", "parts" };

static psb_err check_how(const struct psb_cdall_how *h)
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

/* *way = the only one that all processes together give. */
static psb_err choose_way(psb_ctxt *ctxt, const struct psb_cdall_how *h, enum way *way)
{
    const bool here[WAYS] = { [NL] = h->nl != 0 && !h->vl,
                              [VG] = h->vg != NULL,
                              [VL] = h->vl != NULL,
                              [REPL] = h->repl != 0,
                              [PARTS] = h->parts != NULL };
    bool all[WAYS];
    char given[64] = "";
    int n = 0;
    memcpy(all, here, sizeof all);
    PSB_TRY(psb_max(ctxt, WAYS, all, -1));
    for (int w = 0; w < WAYS; w++)
        if (all[w]) {
            snprintf(given + strlen(given), sizeof given - strlen(given), "%s%s", n++ ? " and " : "",
                     way_names[w]);
            *way = (enum way)w;
        }
    PSB_CHECK(n == 1, PSB_EARG,
              "argument how gives %s; expected one of nl, vg, vl, repl and parts, the same on all processes",
              n ? given : "none of the ways");
    const bool right = here[*way] || *way == NL || *way == VL; /* a process may own no rows */
    return psb_agree(
        ctxt, right ? PSB_OK
                    : PSB_FAIL(PSB_EARG,
                               "argument how gives none of the ways here; expected %s, as on other processes",
                               way_names[*way]));
}

psb_err psb_cdall(psb_desc **desc, psb_ctxt *ctxt, const struct psb_cdall_how *how)
{
    enum way way = NL;
    PSB_TRY(psb_check_ctxt(ctxt));
    PSB_TRY(psb_agree(ctxt, check_how(how)));
    PSB_TRY(choose_way(ctxt, how, &way));
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
