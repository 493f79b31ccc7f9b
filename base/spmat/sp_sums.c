/* sp_sums.c -- base/spmat: diagonal, sums and norms of a distributed matrix. */
#include "spmat.h"
#include "columns.h"
#include "coll.h"
#include "join.h"
#include "psb_type.h"

/* --- entries -------------------------------------------------------------------------------------------- */

static psb_err count_entries(const struct X(spmat) *a, const psb_epk *nz, psb_epk *n)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(nz, "where to store the number of entries");
    const struct psb_overlap *s = psb_desc_overlap(a->row);
    if (s->counted) {
        psb_epk one;
        for (psb_ipk i = 0; i < s->ncounted; i++) {
            PSB_TRY(X(sp_get_nz_row)(a, s->counted[i], &one));
            *n += one;
        }
        return PSB_OK;
    }
    *n = a->ad->nnz + a->ah->nnz;
    return PSB_OK;
}

psb_err X(nnz)(const struct X(spmat) *a, psb_epk *nz)
{
    psb_epk n = 0;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = count_entries(a, nz, &n);
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_SUM, PSB_KIND_l, 1, &n, e));
    *nz = n;
    return PSB_OK;
}

static psb_err diag_on_device(const struct X(spmat) *a, struct X(vect) *d)
{
    const unsigned was = d->v.valid;
    T *p;
    PSB_TRY(X(vect_open)(d, PSB_DEV, 1, &p));
    psb_err e = X(mat_dev_diag)(a->ad, p);
    if (e != PSB_OK)
        psb_dual_undo(&d->v, PSB_DEV, was);
    return e;
}

static psb_err diag_on_host(const struct X(spmat) *a, struct X(vect) *d)
{
    T *p;
    PSB_TRY(psb_alloc(&p, (size_t)a->ad->nrows, sizeof *p, "diagonal"));
    psb_err e = X(mat_get_diag)(a->ad, p);
    PSB_THEN(e, X(set_vect)(d, a->ad->nrows, p));
    psb_free(p);
    return e;
}

psb_err X(sp_get_diag)(const struct X(spmat) *a, struct X(vect) *d)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_TRY(X(sp_check_vect)(d, a->row, "d"));
    PSB_CHECK(psb_cd_same_rows(a->row, a->col), PSB_EARG,
              "argument a has columns distributed in another way than its rows; expected the same way");
    psb_err e = a->ad->on && d->v.on == a->ad->on ? diag_on_device(a, d) : PSB_ENOTIMPL;
    return PSB_PASS(e == PSB_ENOTIMPL ? diag_on_host(a, d) : e);
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* s[i] = the sum of row or column i of a part. */
static psb_err part_sums(struct X(mat) *a, int by_cols, int absolute, T *s)
{
    psb_ipk n = by_cols ? a->ncols : a->nrows;
    R *r;
    if (!absolute)
        return by_cols ? X(mat_colsum)(a, s) : X(mat_rowsum)(a, s);
    PSB_TRY(psb_alloc(&r, (size_t)n, sizeof *r, "sums"));
    psb_err e = by_cols ? X(mat_aclsum)(a, r) : X(mat_arwsum)(a, r);
    for (psb_ipk i = 0; i < n && e == PSB_OK; i++)
        s[i] = r[i];
    psb_free(r);
    return e;
}

static psb_err add_boundary(const struct X(spmat) *a, int absolute, T *s)
{
    const psb_ipk *bnd;
    T *h;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(psb_alloc(&h, (size_t)a->ah->nrows, sizeof *h, "sums"));
    psb_err e = part_sums(a->ah, 0, absolute, h);
    for (psb_ipk i = 0; i < a->ah->nrows && e == PSB_OK; i++)
        s[bnd[i]] += h[i];
    psb_free(h);
    return e;
}

/* A new *s, the sums of the rows here. */
static psb_err row_sums(const struct X(spmat) *a, int absolute, T **s)
{
    T *p;
    PSB_TRY(psb_alloc(&p, (size_t)a->ad->nrows, sizeof *p, "sums"));
    psb_err e = part_sums(a->ad, 0, absolute, p);
    PSB_THEN(e, add_boundary(a, absolute, p));
    if (e == PSB_OK)
        *s = p;
    else
        psb_free(p);
    return e;
}

static psb_err rows_into(const struct X(spmat) *a, int absolute, struct X(vect) *d)
{
    T *s;
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_TRY(X(sp_check_vect)(d, a->row, "d"));
    PSB_TRY(row_sums(a, absolute, &s));
    psb_err e = X(set_vect)(d, a->ad->nrows, s);
    psb_free(s);
    return e;
}

psb_err X(sp_rowsum)(const struct X(spmat) *a, struct X(vect) *d)
{
    return PSB_PASS(rows_into(a, 0, d));
}

psb_err X(sp_arwsum)(const struct X(spmat) *a, struct X(vect) *d)
{
    return PSB_PASS(rows_into(a, 1, d));
}

/* Sums of the local columns, halo included; in a replicated matrix the halo is empty. */
static psb_err local_column_sums(const struct X(spmat) *a, int absolute, struct X(vect) *v)
{
    T *p;
    PSB_TRY(X(host_write)(v, &p));
    PSB_TRY(part_sums(a->ad, 1, absolute, p));
    return part_sums(a->ah, 1, absolute, p + a->ad->ncols);
}

/* A new *v on the columns; its owned elements are their sums.  `err`: an earlier error here, or PSB_OK. */
static psb_err column_sums(const struct X(spmat) *a, int absolute, psb_err err, struct X(vect) **v)
{
    struct X(vect) *new = NULL;
    psb_ctxt *ctxt = a->row->ctxt;
    psb_err e = err == PSB_OK ? psb_desc_one_owner(a->row, a->col) : err;
    PSB_THEN(e, X(geall)(&new, a->col));
    e = psb_agree(ctxt, e);
    PSB_THEN(e, X(geasb)(new, NULL));
    PSB_THEN(e, psb_agree(ctxt, local_column_sums(a, absolute, new)));
    PSB_THEN(e, psb_agree(ctxt, X(halo)(new, 'T')));
    if (e == PSB_OK)
        *v = new;
    else
        X(gefree)(new);
    return e;
}

static psb_err check_columns(const struct X(spmat) *a, const struct X(vect) *d)
{
    PSB_TRY(X(sp_check)(a, "a"));
    return X(sp_check_vect)(d, a->col, "d");
}

static psb_err columns_into(const struct X(spmat) *a, int absolute, struct X(vect) *d)
{
    struct X(vect) *v;
    T *to = NULL;
    const T *p;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(column_sums(a, absolute, check_columns(a, d), &v));
    psb_err e = X(host_read)(v, &p);
    PSB_THEN(e, X(host_update)(d, &to)); /* after this nothing can fail */
    e = psb_agree(a->row->ctxt, e);
    for (psb_ipk j = 0; j < a->ad->ncols && e == PSB_OK; j++)
        to[j] = p[j];
    X(gefree)(v);
    return e;
}

psb_err X(sp_colsum)(const struct X(spmat) *a, struct X(vect) *d)
{
    return PSB_PASS(columns_into(a, 0, d));
}

psb_err X(sp_aclsum)(const struct X(spmat) *a, struct X(vect) *d)
{
    return PSB_PASS(columns_into(a, 1, d));
}

/* --- norms ---------------------------------------------------------------------------------------------- */

static double largest(psb_ipk n, const T *s)
{
    double most = 0;
    for (psb_ipk i = 0; i < n; i++)
        most = psb_join(PSB_JOIN_MAX, most, (double)RE(s[i]));
    return most;
}

static psb_err check_norm(const struct X(spmat) *a, const R *res)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(res, "where to store the result");
    return PSB_OK;
}

/* The largest of all processes. */
static psb_err join_largest(const struct X(spmat) *a, double most, psb_err err, R *res)
{
    PSB_TRY(psb_reduce(a->row->ctxt, PSB_MAX, PSB_KIND_d, 1, &most, err));
    *res = (R)most;
    return PSB_OK;
}

psb_err X(spnrmi)(const struct X(spmat) *a, R *res)
{
    T *s = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_norm(a, res);
    PSB_THEN(e, row_sums(a, 1, &s));
    double most = e == PSB_OK ? largest(a->ad->nrows, s) : 0;
    psb_free(s);
    return PSB_PASS(join_largest(a, most, e, res));
}

psb_err X(spnrm1)(const struct X(spmat) *a, R *res)
{
    struct X(vect) *v;
    const T *p = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(column_sums(a, 1, check_norm(a, res), &v));
    psb_err e = X(host_read)(v, &p);
    double most = e == PSB_OK ? largest(a->ad->ncols, p) : 0;
    X(gefree)(v);
    return PSB_PASS(join_largest(a, most, e, res));
}

psb_err X(sp_maxval)(const struct X(spmat) *a, R *res)
{
    R d = 0, h = 0;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_norm(a, res);
    PSB_THEN(e, X(mat_maxval)(a->ad, &d));
    PSB_THEN(e, X(mat_maxval)(a->ah, &h));
    return PSB_PASS(join_largest(a, psb_join(PSB_JOIN_MAX, d, h), e, res));
}
