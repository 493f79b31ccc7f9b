/* sp_extract.c -- base/spmat: copies, triangles and rows of a distributed matrix. */
#include "spmat.h"
#include "columns.h"
#include "remote.h"
#include "psb_type.h"

psb_err X(sp_clone)(const struct X(spmat) *a, struct X(spmat) **b)
{
    struct X(spmat) *new;
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(b, "where to store the matrix");
    PSB_TRY(X(sp_begin)(a->row, a->col, &new));
    psb_err e = X(sp_copy_parts)(a, new);
    PSB_THEN(e, psb_remote_copy(&new->remote, a->remote));
    if (e != PSB_OK) {
        X(spfree)(new);
        return PSB_PASS(e);
    }
    X(sp_ready)(new);
    new->dupl = a->dupl;
    new->remote_mode = a->remote_mode;
    *b = new;
    return PSB_OK;
}

/* --- some of the entries -------------------------------------------------------------------------------- */

/* Global rows imin <= i < imax, columns jmin <= j < jmax, and low <= j - i <= high. */
struct window {
    psb_lpk low, high, imin, imax, jmin, jmax;
    int no_diagonal; /* 1: j != i */
};

static const psb_lpk far = INT64_MAX;
static const struct window everything = { -INT64_MAX, INT64_MAX, 0, INT64_MAX, 0, INT64_MAX, 0 };

static bool inside(const struct window *w, psb_lpk i, psb_lpk j)
{
    return j - i >= w->low && j - i <= w->high && i >= w->imin && i < w->imax && j >= w->jmin &&
           j < w->jmax && !(w->no_diagonal && i == j);
}

/* Drop the entries of c, in local numbers, that are not in window w. */
static void keep_inside(const struct X(spmat) *a, const struct window *w, struct X(coo_mat) *c)
{
    psb_epk n = 0;
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        if (!inside(w, psb_loc_to_glob(a->row, c->ia[k]), psb_loc_to_glob(a->col, c->ja[k])))
            continue;
        c->ia[n] = c->ia[k];
        c->ja[n] = c->ja[k];
        c->val[n++] = c->val[k];
    }
    c->mat.nnz = n;
}

/* The part of the numbers lo .. hi - 1 in a run of n from `first` on, counted from there. */
static void cut_run(psb_lpk lo, psb_lpk hi, psb_lpk first, psb_ipk n, psb_ipk *from, psb_ipk *to)
{
    *from = (psb_ipk)(lo <= first ? 0 : lo - first < n ? lo - first : n);
    *to = (psb_ipk)(hi <= first ? 0 : hi - first < n ? hi - first : n);
    *to = *to < *from ? *from : *to;
}

/* A diagonal moved; beyond all local ones if it is far. */
static long moved(psb_lpk diagonal, psb_lpk by)
{
    static const psb_lpk most = INT64_C(1) << 40;
    if (diagonal > 0 ? diagonal - most > -by : diagonal + most < -by)
        return diagonal > 0 ? most : -most;
    return (long)(diagonal + by);
}

/* Set *c to window w in local numbers, if rows and columns here are consecutive, and the diagonal is in its
 * place where it is left out; else return false. */
static bool local_window(const struct X(spmat) *a, const struct window *w, struct psb_cut *c)
{
    const struct psb_map *r = a->row->map, *s = a->col->map;
    const psb_lpk base = psb_index_base(), by = r->lo - s->lo;
    if (!r->one_run || !s->one_run || (w->no_diagonal && by != 0))
        return false;
    *c = (struct psb_cut){ .low = moved(w->low, by),
                           .high = moved(w->high, by),
                           .no_diagonal = w->no_diagonal };
    cut_run(w->imin, w->imax, r->lo + base, r->nrow, &c->block.imin, &c->block.imax);
    cut_run(w->jmin, w->jmax, s->lo + base, s->nrow, &c->block.jmin, &c->block.jmax);
    return true;
}

/* *part = the entries in owned columns in window w, in the format of a: by the device that has them, if rows
 * and columns are consecutive. */
static psb_err keep_owned(const struct X(spmat) *a, const struct window *w, struct X(mat) **part)
{
    struct psb_cut c;
    struct X(coo_mat) *t;
    if (local_window(a, w, &c))
        return X(mat_cut)(a->ad, &c, part);
    PSB_TRY(X(mat_entries)(a->ad, 0, a->ad->nrows, &t));
    keep_inside(a, w, t);
    psb_err e = X(mat_convert)(&t->mat, a->ad, part);
    X(mat_free)(&t->mat);
    return e;
}

static psb_err keep_parts(const struct X(spmat) *a, const struct window *w, struct X(spmat) *new)
{
    struct X(coo_mat) *c;
    struct X(mat) *own = NULL;
    PSB_TRY(X(sp_halo_entries)(a, &c));
    keep_inside(a, w, c);
    psb_err e = X(sp_split)(c, a->ad->ncols, &X(csr_mold).mat, a->ah, new);
    X(mat_free)(&c->mat);
    PSB_THEN(e, keep_owned(a, w, &own));
    if (e == PSB_OK) {
        X(mat_free)(new->ad);
        new->ad = own;
        own->is = (struct psb_mat_flags){ .state = PSB_MAT_ASB };
    }
    return e;
}

/* *b = the entries of a in window w. */
static psb_err keep(const struct X(spmat) *a, const struct window *w, struct X(spmat) **b)
{
    struct X(spmat) *new;
    PSB_TRY(X(sp_begin)(a->row, a->col, &new));
    psb_err e = keep_parts(a, w, new);
    if (e != PSB_OK) {
        X(spfree)(new);
        return e;
    }
    X(sp_ready)(new);
    *b = new;
    return PSB_OK;
}

/* --- triangles ------------------------------------------------------------------------------------------ */

static psb_err band(const struct X(spmat) *a, psb_lpk low, psb_lpk high, struct X(spmat) **new)
{
    struct window w = everything;
    w.low = low;
    w.high = high;
    return keep(a, &w, new);
}

/* One part of a, and the rest if `rest` is not NULL. */
static psb_err split_at(const struct X(spmat) *a, psb_lpk k, int upper, struct X(spmat) **part,
                        struct X(spmat) **rest)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(k > -far && k < far, PSB_EARG, "argument k is %" PRId64 "; expected a diagonal", k);
    PSB_TRY(band(a, upper ? k : -far, upper ? far : k, part));
    return rest ? band(a, upper ? -far : k + 1, upper ? k - 1 : far, rest) : PSB_OK;
}

static psb_err triangle(const struct X(spmat) *a, psb_lpk k, int upper, struct X(spmat) **part,
                        struct X(spmat) **rest)
{
    struct X(spmat) *p = NULL, *q = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = part ? split_at(a, k, upper, &p, rest ? &q : NULL)
                     : PSB_FAIL(PSB_EARG, "argument %c is NULL; expected where to store the matrix",
                                upper ? 'u' : 'l');
    e = psb_agree(a->row->ctxt, e);
    if (e != PSB_OK) {
        X(spfree)(p);
        X(spfree)(q);
        return e;
    }
    *part = p;
    if (rest)
        *rest = q;
    return PSB_OK;
}

psb_err X(sp_tril)(const struct X(spmat) *a, psb_lpk k, struct X(spmat) **l, struct X(spmat) **u)
{
    return PSB_PASS(triangle(a, k, 0, l, u));
}

psb_err X(sp_triu)(const struct X(spmat) *a, psb_lpk k, struct X(spmat) **u, struct X(spmat) **l)
{
    return PSB_PASS(triangle(a, k, 1, u, l));
}

/* --- a block, and all but the diagonal ------------------------------------------------------------------ */

static psb_err check_range(psb_lpk low, psb_lpk high, const psb_desc *d, const char *name)
{
    const psb_lpk base = psb_index_base(), n = psb_cd_global_rows(d);
    PSB_CHECK(low >= base && low <= high && high <= n + base, PSB_EARG,
              "arguments %cmin, %cmax are %" PRId64 ", %" PRId64 "; expected %" PRId64
              " <= %cmin <= %cmax <= %" PRId64,
              *name, *name, low, high, base, *name, *name, n + base);
    return PSB_OK;
}

static psb_err check_block(const struct X(spmat) *a, const struct window *w, struct X(spmat) *const *b)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(b, "where to store the matrix");
    if (w->no_diagonal)
        return PSB_OK;
    PSB_TRY(check_range(w->imin, w->imax, a->row, "i"));
    return check_range(w->jmin, w->jmax, a->col, "j");
}

/* *b = the entries of a in w, if all processes succeed. */
static psb_err clip(const struct X(spmat) *a, const struct window *w, struct X(spmat) **b)
{
    struct X(spmat) *new = NULL;
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_block(a, w, b);
    PSB_THEN(e, keep(a, w, &new));
    e = psb_agree(a->row->ctxt, e);
    if (e == PSB_OK)
        *b = new;
    else
        X(spfree)(new);
    return e;
}

psb_err X(sp_csclip)(const struct X(spmat) *a, psb_lpk imin, psb_lpk imax, psb_lpk jmin, psb_lpk jmax,
                     struct X(spmat) **b)
{
    return PSB_PASS(clip(a, &(struct window){ -far, far, imin, imax, jmin, jmax, 0 }, b));
}

psb_err X(sp_clip_diag)(const struct X(spmat) *a, struct X(spmat) **b)
{
    struct window w = everything;
    w.no_diagonal = 1;
    return PSB_PASS(clip(a, &w, b));
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Both parts of row i; *h stays NULL if it has no halo part. */
static psb_err row_of(const struct X(spmat) *a, psb_ipk i, struct X(coo_mat) **d, struct X(coo_mat) **h)
{
    const psb_ipk *bnd;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    psb_ipk b = psb_find_ascending(i, bnd, a->ah->nrows);
    PSB_TRY(X(mat_entries)(a->ad, i, i + 1, d));
    psb_err e = b < 0 ? PSB_OK : X(mat_entries)(a->ah, b, b + 1, h);
    if (e != PSB_OK)
        X(mat_free)(&(*d)->mat);
    return e;
}

/* Copy the entries of t, columns shifted, to places p and up of the arrays that are not NULL. */
static void copy_out(const struct X(spmat) *a, psb_ipk i, const struct X(coo_mat) *t, psb_ipk shift,
                     psb_epk p, psb_lpk *ia, psb_lpk *ja, T *val)
{
    for (psb_epk k = 0; k < t->mat.nnz; k++, p++) {
        if (ia)
            ia[p] = psb_loc_to_glob(a->row, i);
        if (ja)
            ja[p] = psb_loc_to_glob(a->col, t->ja[k] + shift);
        if (val)
            val[p] = t->val[k];
    }
}

psb_err X(sp_csget)(const struct X(spmat) *a, psb_ipk i, psb_epk cap, psb_lpk *ia, psb_lpk *ja, T *val,
                    psb_epk *nz)
{
    struct X(coo_mat) *d, *h = NULL;
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_CHECK(i >= 0 && i < a->ad->nrows, PSB_EARG, "argument i is %d; expected 0 <= i < %d", i,
              a->ad->nrows);
    PSB_NEED(nz, "where to store the number of entries");
    PSB_TRY(row_of(a, i, &d, &h));
    psb_epk n = d->mat.nnz + (h ? h->mat.nnz : 0);
    psb_err e = PSB_OK;
    if (n > cap && (ia || ja || val))
        e = PSB_FAIL(PSB_EARG,
                     "argument cap is %" PRId64 "; expected at least the %" PRId64 " entries of row %d", cap,
                     n, i);
    if (e == PSB_OK) {
        copy_out(a, i, d, 0, 0, ia, ja, val);
        if (h)
            copy_out(a, i, h, a->ad->ncols, d->mat.nnz, ia, ja, val);
        *nz = n;
    }
    X(mat_free)(&d->mat);
    X(mat_free)((struct X(mat) *)h);
    return PSB_PASS(e);
}
