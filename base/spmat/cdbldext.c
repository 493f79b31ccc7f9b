/* cdbldext.c -- base/spmat: a descriptor extended along the pattern of a matrix. */
#include "spmat.h"
#include "coll.h"
#include "desc.h"
#include "psb_type.h"

/* Count the entries of one part in ptr[i + 1], or (g not NULL) store their columns at g[ptr[i]]. */
static void spread(const psb_desc *col, const struct X(coo_mat) *b, const psb_ipk *rows, psb_ipk shift,
                   psb_epk *ptr, psb_lpk *g)
{
    for (psb_epk k = 0; k < b->mat.nnz; k++) {
        psb_ipk i = rows ? rows[b->ia[k]] : b->ia[k];
        if (g)
            g[ptr[i]++] = psb_loc_to_glob(col, b->ja[k] + shift) - psb_index_base();
        else
            ptr[i + 1]++;
    }
}

/* The global columns of the rows owned here. */
static psb_err pattern(const struct X(spmat) *a, const struct X(coo_mat) *d, const struct X(coo_mat) *h,
                       struct psb_rows *p)
{
    const psb_ipk *bnd, m = a->row->map->nrow, n = a->col->map->nrow;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(psb_alloc_zero(&p->ptr, (size_t)m + 1, sizeof *p->ptr, "pattern"));
    PSB_TRY(psb_alloc(&p->col, (size_t)(d->mat.nnz + h->mat.nnz), sizeof *p->col, "pattern"));
    spread(a->col, d, NULL, 0, p->ptr, NULL);
    spread(a->col, h, bnd, n, p->ptr, NULL);
    for (psb_ipk i = 0; i < m; i++)
        p->ptr[i + 1] += p->ptr[i];
    spread(a->col, d, NULL, 0, p->ptr, p->col);
    spread(a->col, h, bnd, n, p->ptr, p->col);
    for (psb_ipk i = m; i > 0; i--) /* ptr[i] has become the end of row i */
        p->ptr[i] = p->ptr[i - 1];
    p->ptr[0] = 0;
    return PSB_OK;
}

static psb_err pattern_of(const struct X(spmat) *a, struct psb_rows *p)
{
    struct X(mat) *d = NULL, *h = NULL;
    psb_err e = X(mat_convert)(a->ad, &X(coo_mold).mat, &d);
    PSB_THEN(e, X(mat_convert)(a->ah, &X(coo_mold).mat, &h));
    PSB_THEN(e, pattern(a, (struct X(coo_mat) *)d, (struct X(coo_mat) *)h, p));
    X(mat_free)(d);
    X(mat_free)(h);
    return e;
}

static psb_err check_extension(const struct X(spmat) *a, int levels, enum psb_extension kind, psb_desc **ext)
{
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE, "argument a is %s; expected psb_spasb before",
              psb_not_assembled(a->state));
    PSB_CHECK(a->row == a->col, PSB_EARG,
              "argument a has a row and a column descriptor; expected a square matrix on one");
    PSB_CHECK(a->row->map->shared.n == 0 && !a->row->map->replicated, PSB_EARG,
              "the descriptor of a has rows with several owners; expected one owner a row");
    PSB_CHECK(levels >= 0, PSB_EARG, "argument levels is %d; expected >= 0", levels);
    PSB_CHECK(kind == PSB_EXT_HALO || kind == PSB_EXT_OVERLAP, PSB_EARG,
              "argument kind is %d; expected PSB_EXT_HALO or PSB_EXT_OVERLAP", (int)kind);
    PSB_NEED(ext, "where to store the descriptor");
    return PSB_OK;
}

psb_err X(cdbldext)(const struct X(spmat) *a, int levels, enum psb_extension kind, psb_desc **ext)
{
    struct psb_rows own = { 0 };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_extension(a, levels, kind, ext);
    PSB_THEN(e, pattern_of(a, &own));
    int same[4] = { levels, -levels, (int)kind, -(int)kind };
    e = psb_reduce(a->row->ctxt, PSB_MAX, PSB_KIND_i, 4, same, e);
    if (e == PSB_OK && (same[0] != -same[1] || same[2] != -same[3]))
        e = PSB_FAIL(
            PSB_EARG,
            "arguments levels and kind (%d, %d here) differ between processes; expected the same on all",
            levels, (int)kind);
    PSB_THEN(e, psb_desc_extend(a->row, &own, levels, kind, ext));
    psb_free(own.ptr);
    psb_free(own.col);
    return PSB_PASS(e);
}
