/* legacy_factor.c -- cbind: ILU(0) and IC(0) in the caller's arrays, with cuSPARSE's arguments.  Factors are
 * those of psb_factor_bld; where a pivot is 0, or is to be replaced, the host eliminates. */
#include "legacy.h"
#include "psb_alloc.h"
#include "psb_cuda_format.h"
#include "psb_handle.h"
#include "vect.h"
#include "psb_type.h"
#include "factor_inside.t.h"
#include "legacy.t.h"

/* What an analysis keeps: A in CSR, or CSRG on a device, and its factors, after the first ones. */
struct kept_factor {
    enum psb_factor_kind kind;
    bool has_diagonal;
    struct X(mat) *a;
    struct X(factor) *f;
};

static void free_kept_factor(void *p)
{
    struct kept_factor *q = p;
    X(factor_free)(q->f);
    X(mat_free)(q->a);
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

static psb_err analyse_rows(const struct X(legacy_rows) *r, enum psb_factor_kind kind,
                            struct psb_cusparse_info *info, struct kept_factor *q)
{
    struct X(compressed) l;
    q->kind = kind;
    PSB_TRY(X(compressed_open)(q->a, &l));
    PSB_TRY(check_order(&l, r));
    info->pivot = -1;
    for (psb_ipk i = 0; i < l.n && info->pivot < 0; i++) {
        const psb_epk k = X(diagonal_of)(&l, i);
        if (k == l.ptr[i + 1] || l.idx[k] != i)
            info->pivot = i + r->descr->base;
    }
    q->has_diagonal = info->pivot < 0;
    return PSB_OK;
}

static psb_err check_info(const struct psb_cusparse_info *info)
{
    PSB_NEED_HANDLE(info, "one of psb_cusparse_create_info");
    return PSB_OK;
}

static psb_err analyse(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                       enum psb_factor_kind kind, struct psb_cusparse_info *info)
{
    struct kept_factor *q;
    PSB_TRY(check_info(info));
    PSB_TRY(psb_alloc(&q, 1, sizeof *q, "an analysis"));
    *q = (struct kept_factor){ 0 };
    psb_err e = X(legacy_import)(handle, r, &q->a);
    PSB_THEN(e, analyse_rows(r, kind, info, q));
    if (e == PSB_OK)
        psb_legacy_keep(info, q, free_kept_factor);
    else
        free_kept_factor(q);
    return e;
}

/* --- values --------------------------------------------------------------------------------------------- */

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

static psb_err factor_anew(struct kept_factor *q)
{
    const bool there = q->a->on;
    struct psb_factor_options o = psb_factor_defaults;
    o.kind = q->kind;
    PSB_TRY(X(mat_sync)(q->a));
    return q->f ? X(factor_renew)(q->f, q->a, NULL)
                : X(factor_bld)(q->a, &o, NULL, there ? &X(csrg_mold).mat : NULL,
                                there ? &psb_vect_cuda : NULL, &q->f);
}

/* The values of A are read again, since factors may have been computed before. */
static psb_err compute(struct kept_factor *q, struct psb_cusparse_info *info, const T *from, T *val)
{
    struct X(csr_mat) *csr = (struct X(csr_mat) *)q->a;
    struct X(compressed) l;
    psb_err e = PSB_EPIVOT;
    T *v;
    PSB_TRY(psb_dual_write(&csr->val, PSB_HOST, &v));
    PSB_TRY(psb_legacy_get(v, from, (size_t)q->a->nnz * sizeof *v, "values"));
    PSB_TRY(X(compressed_open)(q->a, &l));
    memcpy(val, l.val, (size_t)q->a->nnz * sizeof *val);
    if (q->has_diagonal && !info->boosts) {
        psb_expect_errors(1);
        e = factor_anew(q);
        psb_expect_errors(0);
    }
    if (e == PSB_OK)
        return store_factors(q, &l, val);
    PSB_CHECK(e == PSB_EPIVOT, e, "the matrix is not factored: %s", psb_strerror(e));
    return factor_on_host(q, &l, info, val, &info->pivot);
}

/* The factors of the caller's matrix in its own values. */
static psb_err factorise(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                         enum psb_factor_kind kind, struct psb_cusparse_info *info, T *values)
{
    const size_t bytes = (size_t)(r->nnz > 0 ? r->nnz : 0) * sizeof *values;
    T *val;
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(check_info(info));
    const struct kept_factor *q = info->free_kept == free_kept_factor ? info->kept : NULL;
    PSB_CHECK(q && q->kind == kind && q->a->nrows == r->m && q->a->nnz == r->nnz, PSB_ESTATE,
              "argument info has no analysis of a matrix of %d rows and %d entries; expected one before",
              r->m, r->nnz);
    PSB_TRY(psb_alloc(&val, bytes / sizeof *val, sizeof *val, "values"));
    info->pivot = -1;
    psb_err e = compute(info->kept, info, values, val);
    PSB_THEN(e, psb_legacy_put(values, val, bytes, "values"));
    if (e == PSB_OK && info->pivot >= 0)
        info->pivot += r->descr->base;
    psb_free(val);
    return e;
}

/* --- the calls ------------------------------------------------------------------------------------------ */

int X(cusparse_csrilu02_analysis)(struct psb_cusparse_handle *handle, int m, int nnz,
                                  const struct psb_cusparse_descr *descr, const T *val, const int *off,
                                  const int *col, struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
    (void)policy, (void)buffer;
    return STATUS(analyse(handle, &r, PSB_ILU0, info));
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
    return STATUS(analyse(handle, &r, PSB_IC0, info));
}

int X(cusparse_csric02)(struct psb_cusparse_handle *handle, int m, int nnz,
                        const struct psb_cusparse_descr *descr, T *val, const int *off, const int *col,
                        struct psb_cusparse_info *info, int policy, void *buffer)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
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
