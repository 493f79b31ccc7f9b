/* coll_gather.c -- base/par: gathering of the elements of all processes. */
#include "coll.h"
#include "ctxt.h"
#include "merge.h"
#include "pieces.h"
#include "psb_alloc.h"
#include <string.h>

/* Does this process receive the result? */
static bool receives(const psb_ctxt *c, int root)
{
    return root < 0 || root == c->rank;
}

/* Return the number of elements of process r. */
static psb_epk count_of(int r, psb_epk n, const psb_epk *count)
{
    return count ? count[r] : n;
}

static psb_err check_all(const psb_ctxt *c, int kind, psb_epk n, const psb_epk *count, const void *all,
                         int root)
{
    PSB_CHECK(root >= -1 && root < c->size, PSB_EARG, "argument root is %d; expected -1 <= root < %d", root,
              c->size);
    if (!receives(c, root))
        return PSB_OK;
    psb_epk total = 0, most = (psb_epk)(PTRDIFF_MAX / (psb_epk)psb_kind_info(kind)->size);
    for (int r = 0; r < c->size; r++) {
        psb_epk nr = count_of(r, n, count);
        PSB_CHECK(nr >= 0, PSB_EARG, "argument count[%d] is %" PRId64 "; expected at least 0", r, nr);
        PSB_CHECK(nr <= most - total, PSB_EARG,
                  "arguments n or count give more than %" PRId64
                  " elements to gather; expected at most that many",
                  most);
        total += nr;
    }
    PSB_CHECK(all || total == 0, PSB_EARG, "argument all is NULL; expected space for %" PRId64 " elements",
              total);
    return PSB_OK;
}

/* Gather on one process, which receives in rank order, or on all by way of process 0.  All processes have
 * agreed on the arguments. */
static psb_err gather_pieces(psb_ctxt *c, int kind, psb_epk n, const void *x, char *all, const psb_epk *count,
                             int root)
{
    size_t size = psb_kind_info(kind)->size, at = 0;
    int to = root < 0 ? 0 : root, tag = psb_next_tag(c);
    if (c->rank != to)
        PSB_TRY(psb_send_pieces(c, x, (size_t)n * size, to, tag));
    for (int r = 0; r < c->size && receives(c, root); r++) {
        size_t bytes = (size_t)count_of(r, n, count) * size;
        if (c->rank == to && r != to)
            PSB_TRY(psb_recv_pieces(c, all + at, bytes, r, tag));
        else if (c->rank == to && bytes)
            memcpy(all + at, x, bytes);
        at += bytes;
    }
    return root < 0 ? psb_any_bcast(c, PSB_KIND_h, (psb_epk)at, all, 0) : PSB_OK;
}

psb_err psb_any_gather(psb_ctxt *c, enum psb_kind kind, psb_epk n, const void *x, void *all, int root)
{
    size_t bytes;
    PSB_TRY(psb_check_ctxt(c));
    psb_err e = psb_check_array((int)kind, n, x, &bytes);
    PSB_THEN(e, check_all(c, (int)kind, n, NULL, all, root));
    PSB_TRY(psb_agree_call(c, PSB_CALL_GATHER, (int)kind, n, root, e));
    return PSB_PASS(gather_pieces(c, (int)kind, n, x, all, NULL, root));
}

/* --- of different lengths ------------------------------------------------------------------------------ */

/* Check that every process has count[r] elements. */
static psb_err check_counts(psb_ctxt *c, psb_epk n, const psb_epk *count, psb_epk *given, int root)
{
    psb_err e = PSB_OK;
    PSB_TRY(psb_any_gather(c, PSB_KIND_l, 1, &n, given, root));
    for (int r = 0; r < c->size && receives(c, root) && e == PSB_OK; r++)
        if (given[r] != count[r])
            e = PSB_FAIL(PSB_EARG,
                         "argument count[%d] is %" PRId64 "; expected %" PRId64 ", which process %d gives", r,
                         count[r], given[r], r);
    return psb_agree(c, e);
}

psb_err psb_any_gatherv(psb_ctxt *c, enum psb_kind kind, psb_epk n, const void *x, void *all,
                        const psb_epk *count, int root)
{
    psb_epk *given = NULL;
    size_t bytes;
    PSB_TRY(psb_check_ctxt(c));
    psb_err e = psb_check_array((int)kind, n, x, &bytes);
    if (e == PSB_OK && !count && receives(c, root))
        e = PSB_FAIL(PSB_EARG, "argument count is NULL; expected a count for each process");
    PSB_THEN(e, check_all(c, (int)kind, n, count, all, root));
    if (e == PSB_OK && receives(c, root))
        e = psb_alloc(&given, (size_t)c->size, sizeof *given, "counts gathered");
    e = psb_agree_call(c, PSB_CALL_GATHERV, (int)kind, 0, root, e);
    PSB_THEN(e, check_counts(c, n, count, given, root));
    psb_free(given);
    return PSB_PASS(e != PSB_OK ? e : gather_pieces(c, (int)kind, n, x, all, count, root));
}
