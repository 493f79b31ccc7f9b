/* sp_mult.c -- base/spmat: the product of two distributed sparse matrices. */
#include "spmat.h"
#include "columns.h"
#include "coll.h"
#include "psb_type.h"

static psb_err check_factors(const struct X(spmat) *a, const struct X(spmat) *b, const void *c)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_TRY(X(sp_check)(b, "b"));
    PSB_CHECK(psb_cd_global_rows(a->col) == psb_cd_global_rows(b->row), PSB_EARG,
              "argument b has %" PRId64 " rows; expected %" PRId64 ", the columns of a",
              psb_cd_global_rows(b->row), psb_cd_global_rows(a->col));
    PSB_CHECK(psb_cd_same_rows(a->col, b->row), PSB_EARG,
              "argument b has rows distributed in another way than the columns of a; expected the same way");
    PSB_NEED(c, "where to store the matrix");
    return PSB_OK;
}

/* Append the rows of `more` to c, numbered from `first` on. */
static psb_err append_rows(struct X(coo_mat) *c, struct X(coo_mat) *more, psb_ipk first)
{
    for (psb_epk k = 0; k < more->mat.nnz; k++)
        more->ia[k] += first;
    c->mat.nrows = first + more->mat.nrows;
    c->mat.ncols = more->mat.ncols;
    return X(coo_append)(c, more->mat.nnz, more->ia, more->ja, more->val);
}

/* The local rows of a, followed by those of blk if it is not NULL, in CSR. */
static psb_err factor(const struct X(spmat) *a, struct X(coo_mat) *blk, struct X(mat) **f)
{
    struct X(coo_mat) *c;
    PSB_TRY(X(sp_rows)(a, &c));
    struct X(mat) *m = &c->mat;
    psb_err e = blk ? append_rows(c, blk, a->ad->nrows) : PSB_OK;
    PSB_THEN(e, X(mat_cscnv)(&m, &X(csr_mold).mat));
    if (e == PSB_OK)
        *f = m;
    else
        X(mat_free)(m);
    return e;
}

/* *p = the local rows of the product, columns numbered as those of blk, which is changed. */
static psb_err multiply(const struct X(spmat) *a, const struct X(spmat) *b, struct X(coo_mat) *blk,
                        struct X(coo_mat) **p)
{
    struct X(mat) *left = NULL, *right = NULL, *product = NULL;
    psb_err e = factor(a, NULL, &left);
    PSB_THEN(e, factor(b, blk, &right));
    PSB_THEN(e, X(mat_spspmm)(left, right, &product));
    X(mat_free)(left);
    X(mat_free)(right);
    PSB_THEN(e, X(mat_as_coo)(product, p));
    X(mat_free)(product);
    return e;
}

/* A descriptor like b's columns whose halo is the columns of p that others own. */
static psb_err use_columns(const struct X(coo_mat) *p, const struct psb_columns *cols, psb_desc **d)
{
    psb_desc *new;
    PSB_TRY(psb_cdall_like(&new, cols->d));
    psb_err e = PSB_OK;
    for (psb_epk k = 0; k < p->mat.nnz && e == PSB_OK; k++)
        if (p->ja[k] >= cols->d->map->nrow) {
            psb_lpk g = psb_columns_global(cols, p->ja[k]);
            e = psb_desc_use(new, 1, &g);
        }
    if (e == PSB_OK)
        *d = new;
    else
        psb_cdfree(new);
    return e;
}

psb_err X(sp_distribute)(psb_desc *row, struct X(coo_mat) *p, const struct psb_columns *cols, psb_desc *have,
                         const struct X(mat) *mold, const struct X(mat) *halo_mold, psb_err err,
                         struct X(spmat) **c)
{
    psb_desc *d = NULL;
    struct X(spmat) *new = NULL;
    int yes, square;
    int v[2] = { cols->more.n > 0, !psb_cd_same_rows(row, cols->d) };
    PSB_TRY(psb_reduce(row->ctxt, PSB_MAX, PSB_KIND_i, 2, v, err));
    yes = have && v[0] == 0;
    square = v[1] == 0;
    psb_err e = PSB_OK;
    if (!yes) {
        e = psb_agree(row->ctxt, use_columns(p, cols, &d));
        PSB_THEN(e, psb_cdasb(d));
        if (e == PSB_OK) {
            /* Columns of p become local numbers of d. */
            for (psb_epk k = 0; k < p->mat.nnz; k++)
                p->ja[k] = psb_desc_slot_to_loc(d, psb_desc_slot_of(d, psb_columns_global(cols, p->ja[k])));
            p->mat.ncols = psb_cd_local_cols(d);
        }
    }
    psb_desc *const col = yes ? have : d;
    PSB_THEN(e, psb_agree(row->ctxt, X(sp_of_rows)(square ? col : row, col, p, mold, halo_mold, &new)));
    psb_cdfree(d); /* the matrix keeps it */
    if (e == PSB_OK)
        *c = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}

psb_err X(spspmm)(const struct X(spmat) *a, const struct X(spmat) *b, const struct X(mat) *mold,
                  struct X(spmat) **c)
{
    struct X(coo_mat) *blk = NULL, *p = NULL;
    PSB_CHECK(psb_is_live(a) || psb_is_live(b), PSB_EARG, "argument a is %s; expected a matrix",
              psb_handle_state(a));
    PSB_TRY(psb_agree((psb_is_live(a) ? a : b)->row->ctxt, check_factors(a, b, c)));
    struct psb_columns cols = { .d = b->col };
    psb_err e = X(sp_fetch_rows)(a->col, b, &cols, &blk);
    if (e == PSB_OK) {
        e = multiply(a, b, blk, &p);
        mold = mold ? mold : &X(csr_mold).mat;
        e = X(sp_distribute)(a->row, p, &cols, NULL, mold, mold, e, c);
    }
    X(mat_free)((struct X(mat) *)blk);
    X(mat_free)((struct X(mat) *)p);
    psb_columns_free(&cols);
    return PSB_PASS(e);
}
