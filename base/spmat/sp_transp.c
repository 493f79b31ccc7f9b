/* sp_transp.c -- base/spmat: the transpose of a distributed matrix. */
#include "spmat.h"
#include "columns.h"
#include "coll.h"
#include "psb_type.h"
#include "sp_mult.t.h"

static psb_err part_transposed(struct X(mat) *a, struct X(coo_mat) **t)
{
    struct X(coo_mat) *c;
    PSB_TRY(X(mat_as_coo)(a, &c));
    psb_err e = X(coo_transposed)(c, t);
    X(mat_free)(&c->mat);
    return e;
}

/* *c = the transposed entries of a here, owned columns as rows; *far those in the halo columns, by place in
 * the halo.  Columns are local rows of a. */
static psb_err transpose_parts(const struct X(spmat) *a, struct X(coo_mat) **c, struct X(coo_mat) **far)
{
    const psb_ipk *bnd;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(part_transposed(a->ad, c));
    PSB_TRY(part_transposed(a->ah, far));
    for (psb_epk k = 0; k < (*far)->mat.nnz; k++)
        (*far)->ja[k] = bnd[(*far)->ja[k]];
    return PSB_OK;
}

static psb_err check_transpose(const struct X(spmat) *a, const void *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(b, "where to store the matrix");
    return psb_desc_one_owner(a->row, a->col);
}

/* Build the rows of the transpose here; collective. */
static psb_err exchange_entries(const struct X(spmat) *a, struct psb_columns *cols, int conjugate,
                                struct X(coo_mat) **c)
{
    struct X(coo_mat) *far = NULL;
    psb_err e = transpose_parts(a, c, &far);
    e = X(sp_return_rows)(a->col, far, cols, *c, e);
    X(mat_free)((struct X(mat) *)far);
    for (psb_epk k = 0; conjugate && e == PSB_OK && k < (*c)->mat.nnz; k++)
        (*c)->val[k] = CONJ((*c)->val[k]);
    return e;
}

/* A descriptor like b's columns whose halo is the columns of p that others own. */
static psb_err use_columns(const struct X(coo_mat) *p, const struct psb_columns *cols, psb_desc **d)
{
    unsigned char *used;
    PSB_TRY(psb_alloc_zero(&used, (size_t)psb_columns_count(cols), 1, "columns of a matrix"));
    for (psb_epk k = 0; k < p->mat.nnz; k++)
        used[p->ja[k]] = 1;
    psb_err e = psb_columns_describe(cols, used, d);
    psb_free(used);
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

/* Let devices make *b, if those of all processes can and no process has entries in columns of others.
 * near: has this process none?  Collective. */
static psb_err transpose_near(const struct X(spmat) *a, bool conjugate, bool near, struct X(spmat) **b)
{
    struct X(mat) *t = NULL;
    const struct X(mat_dev_storage) *by = X(mat_dev)(a->ad)->storage;
    int yes[2] = { near && by && by->transp, psb_cd_same_rows(a->col, a->row) };
    yes[0] = yes[0] && by->transp(a->ad, conjugate, a->ad, &t) == PSB_OK;
    psb_err e = psb_reduce(a->row->ctxt, PSB_MIN, PSB_KIND_i, 2, yes, PSB_OK);
    if (e == PSB_OK && yes[0])
        e = psb_agree(a->row->ctxt, X(sp_of_near)(yes[1] ? a->row : a->col, a->row, &t, a->ad, a->ah, b));
    X(mat_free)(t);
    return e;
}

static psb_err transpose_by_entries(const struct X(spmat) *a, bool conjugate, struct X(spmat) **b)
{
    struct X(coo_mat) *c = NULL;
    struct psb_columns cols = { .d = a->row };
    psb_err e = exchange_entries(a, &cols, conjugate, &c);
    PSB_THEN(e, X(sp_distribute)(a->col, c, &cols, a->row, a->ad, a->ah, e, b));
    X(mat_free)((struct X(mat) *)c);
    psb_columns_free(&cols);
    return e;
}

static psb_err transpose(const struct X(spmat) *a, bool conjugate, struct X(spmat) **b)
{
    struct X(spmat) *new = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(psb_agree(a->row->ctxt, check_transpose(a, b)));
    psb_err e = transpose_near(a, conjugate, X(sp_is_near)(a), &new);
    if (e == PSB_OK && !new)
        e = transpose_by_entries(a, conjugate, &new);
    if (e != PSB_OK) {
        X(spfree)(new);
        return e;
    }
    new->ad->is = a->ad->is;
    new->ad->is.upper = !a->ad->is.upper;
    *b = new;
    return PSB_OK;
}

psb_err X(sp_transp)(const struct X(spmat) *a, struct X(spmat) **b)
{
    return PSB_PASS(transpose(a, 0, b));
}

psb_err X(sp_transc)(const struct X(spmat) *a, struct X(spmat) **b)
{
    return PSB_PASS(transpose(a, 1, b));
}
