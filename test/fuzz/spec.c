/* spec.c -- test: fuzz target: the specification of a generated matrix; a small one is generated. */
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

static psb_ctxt *ctxt;

static void generate(const struct psb_gen *g)
{
    struct psb_z_triplets t;
    psb_desc *rows;
    HOLDS(psb_part_blocks(ctxt, g->m, &rows) == PSB_OK);
    HOLDS(psb_z_generate(g, rows, NULL, NULL, &t) == PSB_OK);
    for (psb_epk k = 0; k < t.nnz; k++) {
        HOLDS(t.ia[k] >= 0 && t.ia[k] < g->m && t.ja[k] >= 0 && t.ja[k] < g->m);
        HOLDS(k == 0 || t.ia[k] > t.ia[k - 1] || (t.ia[k] == t.ia[k - 1] && t.ja[k] > t.ja[k - 1]));
    }
    psb_z_triplets_free(&t);
    psb_cdfree(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct psb_gen g;
    char *spec = malloc(size + 1);
    HOLDS(spec && (ctxt || psb_init(&ctxt) == PSB_OK));
    memcpy(spec, data, size);
    spec[size] = '\0';
    psb_err e = psb_gen_parse(spec, &g);
    HOLDS(e == PSB_OK || e == PSB_EARG);
    if (e == PSB_OK && g.m <= 3000 && g.k <= 100)
        generate(&g);
    psb_clean_errstack();
    free(spec);
    return 0;
}
