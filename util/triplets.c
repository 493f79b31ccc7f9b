/* triplets.c -- util: matrices as lists of entries. */
#include "config.h"
#include "triplets.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"

enum { LEAST_GROWTH = 1 << 12 }; /* entries */

psb_err X(triplets_resize)(struct X(triplets) *t, psb_epk n)
{
    PSB_TRY(psb_resize(&t->ia, (size_t)n, sizeof *t->ia, "rows of triplets"));
    PSB_TRY(psb_resize(&t->ja, (size_t)n, sizeof *t->ja, "columns of triplets"));
    return PSB_PASS(psb_resize(&t->val, (size_t)n, sizeof *t->val, "values of triplets"));
}

void X(triplets_free)(struct X(triplets) *t)
{
    if (!t)
        return;
    psb_free(t->ia);
    psb_free(t->ja);
    psb_free(t->val);
    *t = (struct X(triplets)){ .m = 0 };
}

psb_err X(triplets_hand_over)(psb_err e, struct X(triplets) *made, struct X(triplets) *to)
{
    if (e == PSB_OK)
        *to = *made;
    else
        X(triplets_free)(made);
    return PSB_PASS(e);
}

psb_err X(triplets_grow)(struct X(growing_triplets) *g, psb_epk n)
{
    const psb_epk more = g->capacity + g->capacity / 2 + (n > LEAST_GROWTH ? n : LEAST_GROWTH);
    PSB_TRY(X(triplets_resize)(&g->t, more));
    g->capacity = more;
    return PSB_OK;
}

psb_err X(take_growing)(void *arg, const struct X(triplets) *t)
{
    struct X(growing_triplets) *g = arg;
    const size_t n = (size_t)t->nnz;
    if (n == 0)
        return PSB_OK;
    PSB_TRY(X(triplets_reserve)(g, t->nnz));
    memcpy(g->t.ia + g->t.nnz, t->ia, n * sizeof *t->ia);
    memcpy(g->t.ja + g->t.nnz, t->ja, n * sizeof *t->ja);
    memcpy(g->t.val + g->t.nnz, t->val, n * sizeof *t->val);
    g->t.nnz += t->nnz;
    return PSB_OK;
}

psb_err X(take_insert)(void *arg, const struct X(triplets) *t)
{
    int base = psb_index_from_0();
    psb_err e = X(spins)(t->nnz, t->ia, t->ja, t->val, arg);
    PSB_TRY(psb_set_index_base(base));
    return PSB_PASS(e);
}

psb_err X(check_triplets)(const struct X(triplets) *t, const char *name, const psb_desc *rows)
{
    PSB_CHECK(t, PSB_EARG, "argument %s is NULL; expected entries", name);
    PSB_CHECK(t->m >= 0, PSB_EARG, "argument %s->m is %" PRId64 "; expected a number of rows >= 0", name,
              t->m);
    PSB_CHECK(t->n >= 0, PSB_EARG, "argument %s->n is %" PRId64 "; expected a number of columns >= 0", name,
              t->n);
    PSB_CHECK(t->nnz >= 0, PSB_EARG, "argument %s->nnz is %" PRId64 "; expected a number of entries >= 0",
              name, t->nnz);
    const char *missing = !t->ia ? "ia" : !t->ja ? "ja" : !t->val ? "val" : NULL;
    PSB_CHECK(t->nnz == 0 || !missing, PSB_EARG,
              "argument %s->%s is NULL; expected an array of %" PRId64 " entries", name, missing, t->nnz);
    PSB_CHECK(!rows || psb_cd_global_rows(rows) == t->m, PSB_EARG,
              "argument rows has %" PRId64 " rows; expected the %" PRId64 " of argument %s",
              rows ? psb_cd_global_rows(rows) : 0, t->m, name);
    for (psb_epk k = 0; k < t->nnz; k++)
        PSB_CHECK(t->ia[k] >= 0 && t->ia[k] < t->m && t->ja[k] >= 0 && t->ja[k] < t->n, PSB_EARG,
                  "argument %s: entry %" PRId64 " is at (%" PRId64 ", %" PRId64
                  "), out of range; expected 0 <= row < %" PRId64 ", 0 <= column < %" PRId64,
                  name, k, t->ia[k], t->ja[k], t->m, t->n);
    return PSB_OK;
}
