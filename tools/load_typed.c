/* load_typed.c -- tools: the matrix of a program, for one scalar. */
#include "config.h"
#include "load.h"
#include "say.h"
#include "triplets.h"
#include <string.h>
#include "psb_type.h"

enum {
    INSERTED_BLOCK = 1 << 18,
    GENERATED_ROWS = 1 << 14
}; /* entries in one call of spins, rows generated at once */

/* --- entries --- */

psb_err X(load_entries)(const char *path, bool hb, psb_desc *row, struct X(triplets) *own)
{
    struct X(triplets) all = { 0 };
    if (!hb)
        return X(mm_read_all)(path, row, say_progress, "reading", own);
    int me;
    psb_info(psb_cd_ctxt(row), &me, NULL);
    psb_err e = psb_agree(psb_cd_ctxt(row), me == 0 ? X(hb_read)(path, &all) : PSB_OK);
    PSB_THEN(e, X(matdist)(row, 0, &all, own));
    X(triplets_free)(&all); /* process 0 held the whole matrix */
    return e;
}

psb_err X(load_metis)(psb_desc **row, struct X(triplets) *own)
{
    psb_desc *new = NULL;
    PSB_CHECK(own->m == own->n, PSB_EARG,
              "--partition metis: the matrix is %" PRId64 " by %" PRId64 "; expected a square one", own->m,
              own->n);
    say_progress("partitioning", -1);
    PSB_TRY(psb_part_graph(psb_cd_ctxt(*row), own->m, own->nnz, own->ia, own->ja, &new));
    psb_cdfree(*row);
    *row = new;
    return X(redist)(new, own);
}

/* --- the matrix --- */

psb_err X(load_each)(const struct X(entries) *from, const psb_desc *row,
                     psb_err (*take)(void *arg, const struct X(triplets) *t), void *arg)
{
    const psb_ipk m = psb_cd_local_rows(row);
    if (!from->gen)
        return take(arg, &from->stored);
    for (psb_ipk lo = 0, hi; lo < m; lo = hi) {
        struct X(triplets) t;
        hi = m - lo < GENERATED_ROWS ? m : lo + GENERATED_ROWS;
        PSB_TRY(X(generate_rows)(from->gen, row, lo, hi, &t));
        psb_err e = take(arg, &t);
        X(triplets_free)(&t);
        PSB_TRY(e);
        say_progress("generating", (double)hi / m);
    }
    return PSB_OK;
}

static psb_err insert_entries(void *a, const struct X(triplets) *t)
{
    for (psb_epk k = 0; k < t->nnz; k += INSERTED_BLOCK) {
        psb_epk n = t->nnz - k < INSERTED_BLOCK ? t->nnz - k : INSERTED_BLOCK;
        const struct X(triplets) block = { .nnz = n, .ia = t->ia + k, .ja = t->ja + k, .val = t->val + k };
        PSB_TRY(X(take_insert)(a, &block));
        say_progress("assembling", (double)k / (double)t->nnz);
    }
    return PSB_OK;
}

psb_err X(load_assemble)(psb_desc *row, psb_desc *col, const struct X(entries) *from,
                         const struct X(mat) *mold, struct X(spmat) **a)
{
    struct X(spmat) *new = NULL;
    psb_err e = X(spall2)(&new, row, col, from->stored.nnz);
    PSB_THEN(e, X(load_each)(from, row, insert_entries, new));
    e = psb_agree(psb_cd_ctxt(row), e);
    if (e == PSB_OK && psb_cd_state(row) == PSB_BUILD)
        e = psb_cdasb(row);
    if (e == PSB_OK && psb_cd_state(col) == PSB_BUILD)
        e = psb_cdasb(col);
    PSB_THEN(e, X(spasb)(new, mold, PSB_DUPL_ADD));
    if (e == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return e;
}

psb_err X(load_count)(const struct X(spmat) *a, psb_epk *entries)
{
    *entries = X(sp_nnz)(a);
    return psb_sum(psb_cd_ctxt(X(sp_row_desc)(a)), 1, entries, -1);
}

psb_err X(load_vector)(const char *path, const char *name, psb_desc *d, T *v)
{
    struct X(vect) *x = NULL;
    const T *from;
    psb_err e = X(mm_vect_read)(&x, 1, d, path);
    if (e == PSB_EARG && strstr(psb_errmsg(), " by ")) /* sizes differ: add the name */
        e = PSB_FAIL(PSB_EARG, "%s for %s", say_why(), name);
    PSB_TRY(e);
    e = X(host_read)(x, &from);
    for (psb_ipk i = 0; i < psb_cd_local_rows(d) && e == PSB_OK; i++)
        v[i] = from[i];
    X(gefree)(x);
    return psb_agree(psb_cd_ctxt(d), e);
}
