/* legacy_factor.c -- cbind: ILU(0) and IC(0) in the caller's arrays, with cuSPARSE's arguments.  Factors are
 * those of psb_factor_bld; where a pivot is 0, or is to be replaced, the host eliminates.  Blocks are
 * factored as a matrix of scalars with all their elements. */
#include "legacy.h"
#include "psb_alloc.h"
#include "psb_cuda_format.h"
#include "psb_handle.h"
#include "vect.h"
#include "psb_type.h"
#include "factor_inside.t.h"
#include "legacy.t.h"

/* What an analysis keeps: A in CSR, or CSRG on a device, and its factors, after the first ones.  On a device:
 * that the caller's values are those of A; for Cholesky, which of them L replaces. */
struct kept_factor {
    enum psb_factor_kind kind;
    bool has_diagonal;
    struct X(mat) *a;
    struct X(factor) *f;
    struct psb_sources all, made;
    int block, by_cols; /* of the caller's blocks, or 0 */
    psb_epk *order;     /* of blocks: which of the caller's values are those of A */
};

static void free_kept_factor(void *p)
{
    struct kept_factor *q = p;
    X(factor_free)(q->f);
    X(mat_free)(q->a);
    psb_dual_free(&q->all.place);
    psb_dual_free(&q->made.order);
    psb_dual_free(&q->made.place);
    psb_free(q->order);
    psb_free(q);
}

/* --- analysis ------------------------------------------------------------------------------------------- */

/* The entries of l are those of the caller, in his order. */
static psb_err check_order(const struct X(compressed) *l, const struct X(legacy_rows) *r)
{
    psb_epk k = 0;
    int *col;
    PSB_TRY(psb_alloc(&col, (size_t)r->nnz, sizeof *col, "columns"));
    psb_err e = psb_legacy_get(col, r->col, (size_t)r->nnz * sizeof *col, "columns");
    while (e == PSB_OK && k < r->nnz && col[k] == l->idx[k] + r->descr->base)
        k++;
    psb_free(col);
    PSB_TRY(e);
    PSB_CHECK(k == r->nnz, PSB_EARG,
              "column %" PRId64 " of the matrix does not follow; expected those of a row "
              "ascending",
              k);
    return PSB_OK;
}

/* s = the entries of l as values in their places: with `lower` those on and below the diagonal are the values
 * of a triangle, and the others follow those. */
static psb_err list_places(const struct X(compressed) *l, const struct psb_device *on, bool lower,
                           struct psb_sources *s)
{
    const psb_epk n = l->ptr[l->n];
    psb_epk *place, *order, below = 0, next = 0;
    s->n = n;
    PSB_TRY(psb_dual_init(&s->place, (size_t)n + 1, sizeof *place, on, "places of factors"));
    PSB_TRY(psb_dual_write(&s->place, PSB_HOST, &place));
    for (psb_epk k = 0; k <= n; k++)
        place[k] = k;
    if (!lower)
        return PSB_OK;
    PSB_TRY(psb_dual_init(&s->order, (size_t)n, sizeof *order, on, "places of factors"));
    PSB_TRY(psb_dual_write(&s->order, PSB_HOST, &order));
    for (psb_ipk i = 0; i < l->n; i++)
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            below += l->idx[k] <= i;
    for (psb_ipk i = 0; i < l->n; i++)
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            order[k] = l->idx[k] <= i ? next++ : below + k;
    return PSB_OK;
}

static psb_err analyse_rows(const struct X(legacy_rows) *r, enum psb_factor_kind kind,
                            struct psb_cusparse_info *info, struct kept_factor *q)
{
    struct X(compressed) l;
    q->kind = kind;
    q->block = r->block;
    q->by_cols = r->by_cols;
    PSB_TRY(X(compressed_open)(q->a, &l));
    if (r->block)
        PSB_TRY(psb_alloc(&q->order, (size_t)q->a->nnz, sizeof *q->order, "places of factors"));
    PSB_TRY(r->block ? X(legacy_places)(r, &l, q->order) : check_order(&l, r));
    info->pivot = -1;
    for (psb_ipk i = 0; i < l.n && info->pivot < 0; i++) {
        const psb_epk k = X(diagonal_of)(&l, i);
        if (k == l.ptr[i + 1] || l.idx[k] != i)
            info->pivot = i / (r->block ? r->block : 1) + r->descr->base;
    }
    q->has_diagonal = info->pivot < 0;
    if (!q->a->on || r->block)
        return PSB_OK;
    PSB_TRY(list_places(&l, q->a->on, false, &q->all));
    return kind == PSB_IC0 ? list_places(&l, q->a->on, true, &q->made) : PSB_OK;
}

static psb_err check_info(const struct psb_cusparse_info *info)
{
    PSB_NEED_HANDLE(info, "one of psb_cusparse_create_info");
    return PSB_OK;
}

static psb_err analyse(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r, bool blocks,
                       enum psb_factor_kind kind, struct psb_cusparse_info *info)
{
    struct kept_factor *q;
    PSB_TRY(check_info(info));
    PSB_TRY(psb_alloc(&q, 1, sizeof *q, "an analysis"));
    *q = (struct kept_factor){ 0 };
    psb_err e = (blocks ? X(legacy_import_blocks) : X(legacy_import))(handle, r, &q->a);
    PSB_THEN(e, analyse_rows(r, kind, info, q));
    if (e == PSB_OK)
        psb_legacy_keep(info, q, free_kept_factor);
    else
        free_kept_factor(q);
    return e;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* v = the caller's values, in the order of A; and back. */
static psb_err get_values(const struct kept_factor *q, const T *from, T *v)
{
    const size_t n = (size_t)q->a->nnz;
    T *all;
    if (!q->order)
        return psb_legacy_get(v, from, n * sizeof *v, "values");
    PSB_TRY(psb_alloc(&all, n, sizeof *all, "values"));
    psb_err e = psb_legacy_get(all, from, n * sizeof *all, "values");
    for (size_t k = 0; k < n && e == PSB_OK; k++)
        v[k] = all[q->order[k]];
    psb_free(all);
    return e;
}

static psb_err put_values(const struct kept_factor *q, const T *v, T *to)
{
    const size_t n = (size_t)q->a->nnz;
    T *all;
    if (!q->order)
        return psb_legacy_put(to, v, n * sizeof *v, "values");
    PSB_TRY(psb_alloc(&all, n, sizeof *all, "values"));
    for (size_t k = 0; k < n; k++)
        all[q->order[k]] = v[k];
    const psb_err e = psb_legacy_put(to, all, n * sizeof *all, "values");
    psb_free(all);
    return e;
}

/* val = the factors of q->f, in the pattern l of A: L and U with D, or the square root of D in L, and the
 * entries above the diagonal as they are. */
static psb_err store_factors(struct kept_factor *q, const struct X(compressed) *l, T *val)
{
    const bool cholesky = q->kind == PSB_IC0;
    struct X(compressed) lower, upper = { 0 };
    const T *inv;
    PSB_TRY(X(compressed_open)(q->f->l, &lower));
    if (!cholesky)
        PSB_TRY(X(compressed_open)(q->f->u, &upper));
    PSB_TRY(X(host_read)(q->f->inv, &inv));
    for (psb_ipk i = 0; i < l->n; i++) {
        T *v = val + l->ptr[i];
        const T d = X(quotient)(1, inv[i]);
        for (psb_epk k = lower.ptr[i]; k < lower.ptr[i + 1]; k++)
            *v++ = lower.val[k] * (cholesky ? (T)(R)sqrt(1 / (double)RE(inv[lower.idx[k]])) : 1);
        *v++ = cholesky ? (T)(R)sqrt((double)RE(d)) : d;
        for (psb_epk k = cholesky ? 0 : upper.ptr[i]; !cholesky && k < upper.ptr[i + 1]; k++)
            *v++ = d * upper.val[k];
    }
    return PSB_OK;
}

/* Row i of ILU(0), after those above; at[j] - 1 is the place of column j, diag[c] of the diagonal of row c.
 */
static void eliminate_in_place(const struct X(compressed) *l, psb_ipk i, const psb_epk *at,
                               const psb_epk *diag, T *val)
{
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1] && l->idx[k] < i; k++) {
        const psb_ipk c = l->idx[k];
        val[k] = X(quotient)(val[k], diag[c] < 0 ? 0 : val[diag[c]]);
        for (psb_epk e = l->ptr[c]; e < l->ptr[c + 1]; e++)
            if (l->idx[e] > c && at[l->idx[e]])
                val[at[l->idx[e]] - 1] -= val[k] * val[e];
    }
}

/* Row i of IC(0), after those above. */
static void eliminate_cholesky(const struct X(compressed) *l, psb_ipk i, const psb_epk *at,
                               const psb_epk *diag, T *val)
{
    for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1] && l->idx[k] <= i; k++) {
        const psb_ipk c = l->idx[k];
        for (psb_epk e = l->ptr[c]; e < l->ptr[c + 1] && l->idx[e] < c; e++)
            if (at[l->idx[e]])
                val[k] -= val[at[l->idx[e]] - 1] * CONJ(val[e]);
        val[k] = c == i ? (T)(R)sqrt((double)RE(val[k]))
                        : X(quotient)(val[k], diag[c] < 0 ? 0 : val[diag[c]]);
    }
}

/* All rows, in place; *bad = the first with a pivot that is missing, 0 or, for Cholesky, not positive; -1:
 * none. */
static void eliminate_on_host(const struct kept_factor *q, const struct X(compressed) *l,
                              const struct psb_cusparse_info *info, psb_epk *at, psb_epk *diag, T *val,
                              psb_ipk *bad)
{
    *bad = -1;
    for (psb_ipk i = 0; i < l->n; i++) {
        const psb_epk d = X(diagonal_of)(l, i);
        diag[i] = d < l->ptr[i + 1] && l->idx[d] == i ? d : -1;
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            at[l->idx[k]] = k + 1;
        if (q->kind == PSB_IC0)
            eliminate_cholesky(l, i, at, diag, val);
        else
            eliminate_in_place(l, i, at, diag, val);
        if (q->kind == PSB_ILU0 && info->boosts && diag[i] >= 0 && (double)ABS(val[diag[i]]) <= info->tol)
            val[diag[i]] = MAKE(creal(info->boost), cimag(info->boost));
        const bool good = diag[i] >= 0 && (q->kind == PSB_IC0 ? RE(val[diag[i]]) > 0 : val[diag[i]] != 0);
        *bad = *bad < 0 && !good ? i : *bad;
        for (psb_epk k = l->ptr[i]; k < l->ptr[i + 1]; k++)
            at[l->idx[k]] = 0;
    }
}

static psb_err factor_on_host(const struct kept_factor *q, const struct X(compressed) *l,
                              const struct psb_cusparse_info *info, T *val, psb_ipk *bad)
{
    psb_epk *at, *diag;
    PSB_TRY(psb_alloc(&at, 2 * (size_t)l->n, sizeof *at, "places of a row"));
    diag = at + l->n;
    for (psb_ipk i = 0; i < l->n; i++)
        at[i] = 0;
    eliminate_on_host(q, l, info, at, diag, val, bad);
    psb_free(at);
    return PSB_OK;
}

/* --- on the device -------------------------------------------------------------------------------------- */

static struct psb_dual *values_of_rows(struct X(mat) *a)
{
    return &((struct X(csr_mat) *)a)->val;
}

/* A has the caller's values. */
static psb_err load_values(struct kept_factor *q, const T *from)
{
    psb_err e = PSB_ENOTIMPL;
    T *v;
    PSB_CHECK(from || q->a->nnz == 0, PSB_EARG, "argument values is NULL; expected an array");
    if (q->a->on && !q->order && PSB_DEVICE_DOES(q->a, refill))
        e = X(mat_dev)(q->a)->storage->refill(q->a, &q->all, q->a->nnz, from, NULL, true);
    if (e != PSB_ENOTIMPL)
        return e;
    PSB_TRY(psb_dual_write(values_of_rows(q->a), PSB_HOST, &v));
    PSB_TRY(get_values(q, from, v));
    return X(mat_sync)(q->a);
}

/* *d = a diagonal matrix of the pivots, or their square roots, and its elements. */
static psb_err make_pivots(const struct kept_factor *q, struct X(mat) **d, T *pivot)
{
    const T *inv;
    struct X(compressed) l;
    PSB_TRY(X(host_read)(q->f->inv, &inv));
    PSB_TRY(X(csr_make)(q->a->nrows, q->a->nrows, q->a->nrows, d, &l));
    for (psb_ipk i = 0; i <= l.n; i++)
        l.ptr[i] = i;
    for (psb_ipk i = 0; i < l.n; i++) {
        l.idx[i] = i;
        l.val[i] = pivot[i] = q->kind == PSB_IC0 ? (T)(R)sqrt(1 / (double)RE(inv[i]))
                                                 : X(quotient)(1, inv[i]);
    }
    return X(mat_cscnv)(d, &X(csrg_mold).mat);
}

/* *b = the strict triangle t with its rows, or columns, multiplied by the pivots. */
static psb_err scale_triangle(const struct X(mat) *t, const T *pivot, char side, struct X(mat) **b)
{
    PSB_TRY(X(mat_clone)(t, b));
    PSB_TRY(X(mat_set_unit)(*b, 0));
    return pivot ? X(mat_scalv)(*b, pivot, side) : PSB_OK;
}

/* *m = the factors in one matrix: L + D + D U, or L D^1/2 + D^1/2. */
static psb_err join_factors(const struct kept_factor *q, struct X(mat) **m)
{
    const bool cholesky = q->kind == PSB_IC0;
    struct X(mat) *l = NULL, *u = NULL, *d = NULL, *sum = NULL;
    T *pivot = NULL;
    psb_err e = psb_alloc(&pivot, (size_t)q->a->nrows, sizeof *pivot, "pivots");
    PSB_THEN(e, make_pivots(q, &d, pivot));
    PSB_THEN(e, scale_triangle(q->f->l, cholesky ? pivot : NULL, 'R', &l));
    if (!cholesky) {
        PSB_THEN(e, scale_triangle(q->f->u, pivot, 'L', &u));
        PSB_THEN(e, X(mat_spaxpby)(1, d, 1, u, NULL, &sum));
    }
    PSB_THEN(e, X(mat_spaxpby)(1, l, 1, cholesky ? d : sum, &X(csrg_mold).mat, m));
    X(mat_free)(l);
    X(mat_free)(u);
    X(mat_free)(d);
    X(mat_free)(sum);
    psb_free(pivot);
    return e;
}

/* The values of m, and those of A that remain, in the caller's array. */
static psb_err store_joined(struct kept_factor *q, struct X(mat) *m, T *values)
{
    const struct psb_sources *const s = q->kind == PSB_IC0 ? &q->made : &q->all;
    struct psb_dual theirs = { 0 };
    const T *from, *own;
    if (m->on != q->a->on || !PSB_DEVICE_DOES(q->a, refill) || (q->kind != PSB_IC0 && m->nnz != q->a->nnz))
        return PSB_ENOTIMPL;
    PSB_TRY(psb_dual_read(values_of_rows(m), PSB_DEV, &from));
    PSB_TRY(psb_dual_read(values_of_rows(q->a), PSB_DEV, &own));
    PSB_TRY(psb_dual_lend(&theirs, (size_t)q->a->nnz, sizeof *values, q->a->on, "values of the caller",
                          PSB_DEV, values));
    psb_dual_swap(&theirs, values_of_rows(q->a));
    const psb_err e = X(mat_dev)(q->a)->storage->refill(q->a, s, m->nnz, from, own, true);
    psb_dual_swap(&theirs, values_of_rows(q->a));
    psb_dual_free(&theirs);
    return e;
}

/* As store_on_host; after an error the host may do it. */
static psb_err store_on_device(struct kept_factor *q, T *values)
{
    struct X(mat) *m = NULL;
    psb_expect_errors(1);
    psb_err e = q->a->on && !q->order ? join_factors(q, &m) : PSB_ENOTIMPL;
    PSB_THEN(e, store_joined(q, m, values));
    psb_expect_errors(0);
    X(mat_free)(m);
    return e;
}

/* --- factors -------------------------------------------------------------------------------------------- */

/* Let the host compute: from the factors that are made, or with `eliminate` all. */
static psb_err store_on_host(struct kept_factor *q, bool eliminate, struct psb_cusparse_info *info, T *values)
{
    struct X(compressed) l;
    T *val;
    PSB_TRY(psb_alloc(&val, (size_t)q->a->nnz, sizeof *val, "values"));
    psb_err e = get_values(q, values, val);
    PSB_THEN(e, X(compressed_open)(q->a, &l));
    PSB_THEN(e, eliminate ? factor_on_host(q, &l, info, val, &info->pivot) : store_factors(q, &l, val));
    PSB_THEN(e, put_values(q, val, values));
    psb_free(val);
    return e;
}

static psb_err factor_anew(struct kept_factor *q)
{
    const bool there = q->a->on;
    struct psb_factor_options o = psb_factor_defaults;
    o.kind = q->kind;
    return q->f ? X(factor_renew)(q->f, q->a, NULL)
                : X(factor_bld)(q->a, &o, NULL, there ? &X(csrg_mold).mat : NULL,
                                there ? &psb_vect_cuda : NULL, &q->f);
}

/* The values of A are read again, since factors may have been computed before. */
static psb_err compute(struct kept_factor *q, struct psb_cusparse_info *info, T *values)
{
    psb_err e = PSB_EPIVOT;
    PSB_TRY(load_values(q, values));
    info->pivot = -1;
    if (q->has_diagonal && !info->boosts) {
        psb_expect_errors(1);
        e = factor_anew(q);
        psb_expect_errors(0);
    }
    PSB_CHECK(e == PSB_OK || e == PSB_EPIVOT, e, "the matrix is not factored: %s", psb_strerror(e));
    if (e == PSB_OK && store_on_device(q, values) == PSB_OK)
        return PSB_OK;
    return store_on_host(q, e != PSB_OK, info, values);
}

/* The factors of the caller's matrix in its own values. */
static psb_err factorise(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                         enum psb_factor_kind kind, struct psb_cusparse_info *info, T *values)
{
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(check_info(info));
    PSB_NEED_HANDLE(r->descr, "one of psb_cusparse_create_descr");
    const struct kept_factor *q = info->free_kept == free_kept_factor ? info->kept : NULL;
    const int size = r->block ? r->block : 1;
    PSB_CHECK(q && q->kind == kind && q->block == r->block && q->by_cols == r->by_cols &&
                  q->a->nrows == (psb_epk)r->m * size && q->a->nnz == (psb_epk)r->nnz * size * size,
              PSB_ESTATE,
              "argument info has no analysis of a matrix of %d rows and %d entries; expected one before",
              r->m, r->nnz);
    PSB_TRY(compute(info->kept, info, values));
    if (info->pivot >= 0)
        info->pivot = info->pivot / size + r->descr->base;
    return PSB_OK;
}

/* --- the calls ------------------------------------------------------------------------------------------ */

int X(cusparse_csrilu02_analysis)(struct psb_cusparse_handle *handle, int m, int nnz,
                                  const struct psb_cusparse_descr *descr, const T *val, const int *off,
                                  const int *col, struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
    (void)policy, (void)buffer;
    return STATUS(analyse(handle, &r, false, PSB_ILU0, info));
}

int X(cusparse_csrilu02)(struct psb_cusparse_handle *handle, int m, int nnz,
                         const struct psb_cusparse_descr *descr, T *val, const int *off, const int *col,
                         struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
    (void)policy, (void)buffer;
    return STATUS(factorise(handle, &r, PSB_ILU0, info, val));
}

int X(cusparse_csric02_analysis)(struct psb_cusparse_handle *handle, int m, int nnz,
                                 const struct psb_cusparse_descr *descr, const T *val, const int *off,
                                 const int *col, struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
    (void)policy, (void)buffer;
    return STATUS(analyse(handle, &r, false, PSB_IC0, info));
}

int X(cusparse_csric02)(struct psb_cusparse_handle *handle, int m, int nnz,
                        const struct psb_cusparse_descr *descr, T *val, const int *off, const int *col,
                        struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
    (void)policy, (void)buffer;
    return STATUS(factorise(handle, &r, PSB_IC0, info, val));
}

int X(cusparse_bsrilu02_analysis)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                                  const struct psb_cusparse_descr *descr, T *val, const int *off,
                                  const int *col, int block, struct psb_cusparse_info *info, int policy,
                                  void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    (void)policy, (void)buffer;
    return STATUS(analyse(handle, &r, true, PSB_ILU0, info));
}

int X(cusparse_bsrilu02)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                         const struct psb_cusparse_descr *descr, T *val, const int *off, const int *col,
                         int block, struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    (void)policy, (void)buffer;
    return STATUS(factorise(handle, &r, PSB_ILU0, info, val));
}

int X(cusparse_bsric02_analysis)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                                 const struct psb_cusparse_descr *descr, T *val, const int *off,
                                 const int *col, int block, struct psb_cusparse_info *info, int policy,
                                 void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    (void)policy, (void)buffer;
    return STATUS(analyse(handle, &r, true, PSB_IC0, info));
}

int X(cusparse_bsric02)(struct psb_cusparse_handle *handle, int dir, int mb, int nnzb,
                        const struct psb_cusparse_descr *descr, T *val, const int *off, const int *col,
                        int block, struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { mb, mb, nnzb, descr, val, off, col, block, dir };
    (void)policy, (void)buffer;
    return STATUS(factorise(handle, &r, PSB_IC0, info, val));
}

static psb_err set_boost(const struct psb_cusparse_handle *handle, struct psb_cusparse_info *info, int enable,
                         const double *tol, const T *boost)
{
    double bound = 0;
    T v = 0;
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(check_info(info));
    if (enable) {
        PSB_TRY(psb_legacy_read(handle, tol, sizeof bound, "tol", &bound));
        PSB_TRY(psb_legacy_read(handle, boost, sizeof v, "boost_val", &v));
    }
    info->boosts = enable;
    info->tol = bound;
    info->boost = v;
    return PSB_OK;
}

int X(cusparse_csrilu02_numericBoost)(struct psb_cusparse_handle *handle, struct psb_cusparse_info *info,
                                      int enable, double *tol, T *boost)
{
    return STATUS(set_boost(handle, info, enable, tol, boost));
}

int X(cusparse_bsrilu02_numericBoost)(struct psb_cusparse_handle *handle, struct psb_cusparse_info *info,
                                      int enable, double *tol, T *boost)
{
    return STATUS(set_boost(handle, info, enable, tol, boost));
}
