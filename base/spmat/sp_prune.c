/* sp_prune.c -- base/spmat: entries below a threshold dropped; dense arrays. */
#include "spmat.h"
#include "desc.h"
#include "psb_ctxt.h"
#include "psb_type.h"
#include "prune.t.h"
#include "dense.t.h"

/* *glob = the global indices of the local rows, or columns, of d, counted from 0. */
static psb_err global_numbers(const psb_desc *d, psb_ipk n, psb_lpk **glob)
{
    PSB_TRY(psb_alloc(glob, (size_t)n, sizeof **glob, "global indices"));
    for (psb_ipk i = 0; i < n; i++)
        (*glob)[i] = psb_loc_to_glob(d, i) - psb_index_base();
    return PSB_OK;
}

/* Can the device of a do the work?  It compares local numbers, of the columns owned here. */
static bool device_prunes(const struct X(spmat) *a, enum psb_prune rule, bool keep_diagonal)
{
    int me, np;
    psb_info(psb_cd_ctxt(a->row), &me, &np);
    return a->ah->nnz == 0 && PSB_DEVICE_DOES(a->ad, prune) && psb_desc_ascends(a->col) &&
           (!keep_diagonal || psb_cd_same_rows(a->row, a->col)) &&
           (rule != PSB_PRUNE_SHARE || (np == 1 && psb_desc_ascends(a->row)));
}

/* Let devices make the parts of new, if those of all processes can.  err: as in psb_reduce.  Collective, but
 * for a later error. */
static psb_err prune_on_devices(const struct X(spmat) *a, enum psb_prune rule, R t, bool keep_diagonal,
                                struct X(spmat) *new, bool *done, psb_err err)
{
    struct X(mat) *c = NULL;
    *done = err == PSB_OK && device_prunes(a, rule, keep_diagonal) &&
            X(mat_dev)(a->ad)->storage->prune(a->ad, rule, t, keep_diagonal, a->ad, &c) == PSB_OK;
    psb_err e = psb_reduce(psb_cd_ctxt(a->row), PSB_MIN, PSB_KIND_b, 1, done, err);
    if (*done)
        PSB_THEN(e, X(sp_split_csr)(&c, a->ad->ncols, a->ad, a->ah, new));
    X(mat_free)(c);
    return e;
}

/* The same on the host.  Collective, but for a later error. */
static psb_err prune_on_host(const struct X(spmat) *a, struct X(pruning) *p, struct X(spmat) *new)
{
    struct X(coo_mat) *c = NULL;
    psb_lpk *row = NULL, *col = NULL;
    psb_err e = global_numbers(a->row, psb_cd_local_rows(a->row), &row);
    PSB_THEN(e, global_numbers(a->col, psb_cd_local_cols(a->col), &col));
    PSB_THEN(e, X(sp_rows)(a, &c));
    p->row = row;
    p->col = col;
    e = psb_agree(p->ctxt, e);
    PSB_THEN(e, X(coo_prune)(p, PSB_OK, c));
    PSB_THEN(e, X(sp_split)(c, a->ad->ncols, a->ad, a->ah, new));
    X(mat_free)((struct X(mat) *)c);
    psb_free(row);
    psb_free(col);
    return e;
}

psb_err X(sp_prune)(struct X(spmat) *a, enum psb_prune rule, R t, bool keep_diagonal)
{
    struct X(pruning) p = { .rule = rule, .t = t, .diagonal = keep_diagonal };
    struct X(spmat) new = { 0 };
    bool done;
    PSB_NEED_HANDLE(a, "a matrix");
    p.ctxt = psb_cd_ctxt(a->row);
    psb_err e = X(sp_check)(a, "a");
    PSB_THEN(e, X(prune_check)(rule, t));
    if (rule == PSB_PRUNE_SHARE)
        PSB_THEN(e, psb_desc_single_owners(a->row));
    e = prune_on_devices(a, rule, t, keep_diagonal, &new, &done, e);
    if (e == PSB_OK && !done)
        e = prune_on_host(a, &p, &new);
    if (e == PSB_OK) {
        new.ad->is = a->ad->is;
        X(prune_flags)(rule, new.ad);
    }
    return PSB_PASS(X(sp_exchange_pattern)(a, &new, e));
}

/* --- dense arrays --------------------------------------------------------------------------------------- */

/* Insert the elements of local row i above the threshold; ia, ja, val: space for a row. */
static psb_err insert_dense_row(struct X(spmat) *a, psb_ipk i, const T *d, psb_epk ld, enum psb_order order,
                                R t, psb_lpk *ia, psb_lpk *ja, T *val)
{
    psb_epk n = 0;
    const psb_lpk g = psb_loc_to_glob(a->row, i);
    for (psb_lpk j = 0; j < psb_cd_global_rows(a->col); j++) {
        const T v = d[X(dense_at)(i, j, ld, order)];
        if (ABS(v) <= t)
            continue;
        ia[n] = g;
        ja[n] = j + psb_index_base();
        val[n++] = v;
    }
    return X(spins)(n, ia, ja, val, a);
}

psb_err X(sp_from_dense)(psb_desc *row, psb_desc *col, const T *d, psb_epk ld, enum psb_order order, R t,
                         struct X(spmat) **a)
{
    struct X(spmat) *new = NULL;
    psb_lpk *ia = NULL, *ja = NULL;
    T *val = NULL;
    PSB_CHECK(psb_is_live(row), PSB_EARG, "argument row is %s; expected a descriptor", psb_handle_state(row));
    col = col ? col : row;
    const psb_ipk m = psb_cd_local_rows(row);
    const psb_lpk n = psb_cd_global_rows(col);
    PSB_NEED(a, "where to store the matrix");
    PSB_CHECK(t >= 0, PSB_EARG, "argument t is %g; expected a threshold >= 0", (double)t);
    PSB_TRY(X(dense_check)(m, n, d, ld, order));
    PSB_TRY(X(spall2)(&new, row, col, 0));
    psb_err e = psb_alloc(&ia, (size_t)n, sizeof *ia, "entries of a row");
    PSB_THEN(e, psb_alloc(&ja, (size_t)n, sizeof *ja, "entries of a row"));
    PSB_THEN(e, psb_alloc(&val, (size_t)n, sizeof *val, "entries of a row"));
    for (psb_ipk i = 0; i < m && e == PSB_OK; i++)
        e = insert_dense_row(new, i, d, ld, order, t, ia, ja, val);
    psb_free(ia);
    psb_free(ja);
    psb_free(val);
    if (e == PSB_OK)
        *a = new;
    else
        X(spfree)(new);
    return PSB_PASS(e);
}

psb_err X(sp_to_dense)(const struct X(spmat) *a, T *d, psb_epk ld, enum psb_order order)
{
    struct X(coo_mat) *c;
    PSB_TRY(X(sp_check)(a, "a"));
    const psb_lpk n = psb_cd_global_rows(a->col);
    PSB_TRY(X(dense_check)(a->ad->nrows, n, d, ld, order));
    PSB_TRY(X(sp_rows)(a, &c));
    for (psb_ipk i = 0; i < a->ad->nrows; i++)
        for (psb_lpk j = 0; j < n; j++)
            d[X(dense_at)(i, j, ld, order)] = 0;
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        const psb_lpk j = psb_loc_to_glob(a->col, c->ja[k]) - psb_index_base();
        d[X(dense_at)(c->ia[k], j, ld, order)] += c->val[k];
    }
    X(mat_free)(&c->mat);
    return PSB_OK;
}
