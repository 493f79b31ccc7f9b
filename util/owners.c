/* owners.c -- util: descriptors for matrices that are read. */
#include "config.h"
#include "deal.h"

psb_err psb_missing_output(const char *name)
{
    return PSB_FAIL(PSB_EARG, "argument %s is NULL; expected where to store it", name);
}

psb_err psb_agree_on_root(psb_ctxt *ctxt, int root, psb_err mine)
{
    const int np = psb_np_of(ctxt);
    if (mine == PSB_OK && (root < 0 || root >= np))
        mine = PSB_FAIL(PSB_EARG, "argument root is %d; expected a process, 0 <= root < %d", root, np);
    return PSB_PASS(psb_agree_on(ctxt, 0, root, mine));
}

psb_err psb_check_rows(const psb_desc *d, const char *name, psb_lpk n, const char *what)
{
    PSB_CHECK(psb_cd_global_rows(d) == n, PSB_EARG,
              "argument %s has %" PRId64 " rows; expected the %" PRId64 " of %s", name, psb_cd_global_rows(d),
              n, what);
    return PSB_OK;
}

static psb_err check_given(psb_ctxt *ctxt, const char *what, const psb_desc *d, const char *name, psb_lpk n)
{
    if (!d)
        return PSB_OK;
    PSB_CHECK(psb_cd_ctxt(d) == ctxt, PSB_EARG,
              "argument %s is a descriptor of another context; expected one of ctxt", name);
    PSB_CHECK(psb_cd_state(d) == PSB_BUILD, PSB_ESTATE, "argument %s is assembled; expected state BUILD",
              name);
    return psb_check_rows(d, name, n, what);
}

psb_err psb_describe(psb_ctxt *ctxt, const char *what, psb_lpk m, psb_lpk n, psb_desc **row, psb_desc **col)
{
    psb_ipk given[] = { *row != NULL, *col != NULL };
    const int np = psb_np_of(ctxt);
    psb_err e = psb_blocks_fit(what, "rows", m, np);
    PSB_THEN(e, psb_blocks_fit(what, "columns", n, np));
    PSB_THEN(e, check_given(ctxt, what, *row, "row", m));
    PSB_TRY(psb_agree(ctxt, e == PSB_OK ? check_given(ctxt, what, *col, "col", n) : e));
    PSB_TRY(psb_sum(ctxt, 2, given, -1)); /* all processes pass a descriptor, or none does */
    for (int k = 0; k < 2; k++)
        PSB_CHECK(given[k] == 0 || given[k] == np, PSB_EARG,
                  "argument *%s is NULL on %d of %d processes; expected it on all of them, or on none",
                  k ? "col" : "row", np - given[k], np);
    if (!*row)
        PSB_TRY(psb_part_blocks(ctxt, m, row));
    if (!*col && m != n)
        return PSB_PASS(psb_part_blocks(ctxt, n, col));
    *col = *col ? *col : *row;
    return PSB_OK;
}
