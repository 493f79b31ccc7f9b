/* legacy_rows.c -- cbind: matrices in arrays with cuSPARSE's arguments: thresholds, colours. */
#include "legacy.h"
#include "psb_alloc.h"
#include "psb_ext_format.h"
#include "psb_handle.h"
#include "spmat.h"
#include <stdlib.h>
#include "psb_type.h"
#include "legacy.t.h"

static psb_err check_descr(const struct psb_cusparse_descr *descr)
{
    PSB_NEED_HANDLE(descr, "one of psb_cusparse_create_descr");
    PSB_CHECK(descr->type == 0, PSB_ENOTIMPL,
              "argument descr has type %d; expected 0, CUSPARSE_MATRIX_TYPE_GENERAL", descr->type);
    return PSB_OK;
}

static struct psb_raw raw_layout(const struct X(legacy_rows) *r)
{
    const int size = r->block > 0 ? r->block : 1;
    return (struct psb_raw){ .layout = r->block > 0 ? PSB_RAW_BSR : PSB_RAW_CSR,
                             .base = r->descr->base,
                             .idx_bits = 32,
                             .off_bits = 32,
                             .order = r->by_cols ? PSB_BY_COLS : PSB_BY_ROWS,
                             .brows = size,
                             .bcols = size,
                             .m = r->m * size,
                             .n = r->n * size,
                             .nnz = r->nnz,
                             .zeros = 1 };
}

psb_err X(legacy_import)(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                         struct X(mat) **a)
{
    const struct X(raw_const) from = { .off = r->off, .col = r->col, .val = r->val };
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(check_descr(r->descr));
    PSB_TRY(psb_legacy_least("m", r->m, 0));
    PSB_TRY(psb_legacy_least("n", r->n, 0));
    PSB_TRY(psb_legacy_least("nnz", r->nnz, 0));
    PSB_CHECK((long long)r->m * r->block <= INT32_MAX && (long long)r->n * r->block <= INT32_MAX, PSB_EARG,
              "a matrix of %d x %d blocks of %d; expected fewer than 2^31 rows and columns", r->m, r->n,
              r->block);
    const struct psb_raw raw = raw_layout(r);
    if (psb_cuda_device())
        return X(cuda_raw_import)(&raw, &from, PSB_DUPL_ERROR, NULL, a);
    return X(raw_import)(&raw, &from, PSB_DUPL_ERROR, &X(csr_mold).mat, a);
}

psb_err X(legacy_export)(const struct X(mat) *a, const struct psb_cusparse_descr *descr, int what, T *val,
                         int *off, int *col)
{
    const size_t m = (size_t)X(mat_get_nrows)(a), nnz = (size_t)X(mat_get_nzeros)(a);
    struct psb_raw raw = { .layout = PSB_RAW_CSR, .base = descr->base, .idx_bits = 32, .off_bits = 32 };
    struct X(raw_arrays) to = { 0 };
    psb_err e = X(raw_export)(a, &raw, NULL);
    PSB_THEN(e, psb_alloc(&to.off, m + 1, sizeof *off, "row offsets"));
    PSB_THEN(e, psb_alloc(&to.col, nnz, sizeof *col, "columns"));
    PSB_THEN(e, psb_alloc(&to.val, nnz, sizeof *val, "values"));
    PSB_THEN(e, X(raw_export)(a, &raw, &to));
    if (what & LEGACY_OFFSETS)
        PSB_THEN(e, psb_legacy_put(off, to.off, (m + 1) * sizeof *off, "csrRowPtrC"));
    if (what & LEGACY_ENTRIES) {
        PSB_THEN(e, psb_legacy_put(col, to.col, nnz * sizeof *col, "csrColIndC"));
        PSB_THEN(e, psb_legacy_put(val, to.val, nnz * sizeof *val, "csrValC"));
    }
    psb_free(to.off);
    psb_free(to.col);
    psb_free(to.val);
    return e;
}

/* --- entries above a threshold -------------------------------------------------------------------------- */

/* PSB_EARG unless t >= 0. */
static psb_err check_tolerance(const char *name, double t)
{
    PSB_CHECK(t >= 0, PSB_EARG, "argument %s is %g; expected at least 0", name, t);
    return PSB_OK;
}

/* Count the m rows of v that begin at off[i], all counted from off[0], which become the numbers of their
 * values above tol; return the sum. */
static int count_above(int m, int *off, const T *v, R tol)
{
    int sum = 0;
    for (int i = 0, k = off[0]; i < m; i++) {
        const int before = sum;
        for (; k < off[i + 1]; k++)
            sum += !(ABS(*v++) <= tol); /* NaN is above */
        off[i] = sum - before;
    }
    return sum;
}

static psb_err read_values(int m, const T *val, const int *off, int *at, T **v)
{
    PSB_TRY(psb_legacy_get(at, off, ((size_t)m + 1) * sizeof *at, "csrSortedRowPtrA"));
    for (int i = 0; i < m; i++)
        PSB_CHECK(at[0] >= 0 && at[i + 1] >= at[i], PSB_EARG,
                  "argument csrSortedRowPtrA[%d] is %d after %d; expected at least that", i + 1, at[i + 1],
                  at[i]);
    PSB_TRY(psb_alloc(v, (size_t)(at[m] - at[0]), sizeof **v, "values"));
    return psb_legacy_get(*v, val, (size_t)(at[m] - at[0]) * sizeof **v, "csrSortedValA");
}

static psb_err nnz_above(const struct psb_cusparse_handle *handle, int m,
                         const struct psb_cusparse_descr *descr, const T *val, const int *off, int *per_row,
                         int *total, R tol)
{
    int *at, sum = 0;
    T *v = NULL;
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(check_descr(descr));
    PSB_TRY(psb_legacy_least("m", m, 0));
    PSB_TRY(check_tolerance("tol", (double)tol));
    PSB_TRY(psb_alloc(&at, (size_t)m + 1, sizeof *at, "row offsets"));
    psb_err e = read_values(m, val, off, at, &v);
    if (e == PSB_OK)
        sum = count_above(m, at, v, tol);
    PSB_THEN(e, psb_legacy_put(per_row, at, (size_t)m * sizeof *at, "nnzPerRow"));
    PSB_THEN(e, psb_legacy_write(handle, total, sizeof sum, "nnzC", &sum));
    psb_free(v);
    psb_free(at);
    return e;
}

int X(cusparse_nnz_compress)(struct psb_cusparse_handle *handle, int m,
                             const struct psb_cusparse_descr *descr, const T *val, const int *off,
                             int *per_row, int *total, T tol)
{
    return STATUS(nnz_above(handle, m, descr, val, off, per_row, total, RE(tol)));
}

/* What remains of the matrix above t goes to the arrays that `what` says, with the base of `descr`. */
static psb_err store_above(struct X(mat) *a, R t, const struct psb_cusparse_descr *descr, int what, T *val,
                           int *off, int *col)
{
    PSB_TRY(check_descr(descr));
    PSB_TRY(X(mat_prune)(a, PSB_PRUNE_VALUE, t, false));
    return X(legacy_export)(a, descr, what, val, off, col);
}

int X(cusparse_csr2csr_compress)(struct psb_cusparse_handle *handle, int m, int n,
                                 const struct psb_cusparse_descr *descr, const T *val, const int *col,
                                 const int *off, int nnz, const int *per_row, T *val_c, int *col_c,
                                 int *off_c, T tol)
{
    const struct X(legacy_rows) r = { m, n, nnz, descr, val, off, col, 0, 0 };
    struct X(mat) *a = NULL;
    (void)per_row;
    psb_err e = check_tolerance("tol", (double)RE(tol));
    PSB_THEN(e, X(legacy_import)(handle, &r, &a));
    PSB_THEN(e, store_above(a, RE(tol), descr, LEGACY_OFFSETS | LEGACY_ENTRIES, val_c, off_c, col_c));
    X(mat_free)(a);
    return STATUS(e);
}

/* --- colours -------------------------------------------------------------------------------------------- */

/* Colours of the rows of a; *a becomes part of the matrix that is coloured. */
static psb_err colour_rows(struct X(mat) **a, struct psb_i_vect **colour, int *n)
{
    psb_desc *d = NULL;
    struct X(spmat) *s = NULL;
    psb_err e = psb_cdall_nl(&d, psb_legacy_ctxt(), X(mat_get_nrows)(*a));
    PSB_THEN(e, psb_cdasb(d));
    PSB_THEN(e, X(sp_of_local)(&s, d, d, *a, NULL, 0, NULL));
    if (e == PSB_OK)
        *a = NULL;
    PSB_THEN(e, X(sp_colour)(s, 1, colour, n));
    X(spfree)(s);
    psb_cdfree(d);
    return e;
}

/* order = the m rows by their n colours. */
static psb_err order_by_colour(int m, const int *colour, int n, int *order)
{
    int *at;
    PSB_TRY(psb_alloc(&at, (size_t)n + 1, sizeof *at, "rows of a colour"));
    for (int c = 0; c <= n; c++)
        at[c] = 0;
    for (int i = 0; i < m; i++)
        at[colour[i] + 1]++;
    for (int c = 0; c < n; c++)
        at[c + 1] += at[c];
    for (int i = 0; i < m; i++)
        order[at[colour[i]]++] = i;
    psb_free(at);
    return PSB_OK;
}

static psb_err store_order(int m, const int *colour, int n, int *reordering)
{
    int *order;
    if (!reordering)
        return PSB_OK;
    PSB_TRY(psb_alloc(&order, (size_t)m, sizeof *order, "rows by colour"));
    psb_err e = order_by_colour(m, colour, n, order);
    PSB_THEN(e, psb_legacy_put(reordering, order, (size_t)m * sizeof *order, "reordering"));
    psb_free(order);
    return e;
}

static psb_err colour_csr(const struct psb_cusparse_handle *handle, const struct X(legacy_rows) *r,
                          int *ncolors, int *coloring, int *reordering)
{
    struct X(mat) *a = NULL;
    struct psb_i_vect *v = NULL;
    const int *colour = NULL;
    int n = 0;
    psb_err e = X(legacy_import)(handle, r, &a);
    PSB_THEN(e, colour_rows(&a, &v, &n));
    PSB_THEN(e, psb_i_host_read(v, &colour));
    PSB_THEN(e, psb_legacy_put(coloring, colour, (size_t)r->m * sizeof *colour, "coloring"));
    PSB_THEN(e, store_order(r->m, colour, n, reordering));
    PSB_THEN(e, psb_legacy_write(handle, ncolors, sizeof n, "ncolors", &n));
    psb_i_gefree(v);
    X(mat_free)(a);
    return e;
}

int X(cusparse_csrcolor)(struct psb_cusparse_handle *handle, int m, int nnz,
                         const struct psb_cusparse_descr *descr, const T *val, const int *off, const int *col,
                         const R *fraction, int *ncolors, int *coloring, int *reordering,
                         struct psb_cusparse_info *info)
{
    const struct X(legacy_rows) r = { m, m, nnz, descr, val, off, col, 0, 0 };
    (void)fraction, (void)info;
    return STATUS(colour_csr(handle, &r, ncolors, coloring, reordering));
}

/* --- thresholds that real types have -------------------------------------------------------------------- */

#if !CPLX

/* A matrix to be pruned: in CSR, or dense, m x n, by columns. */
struct unpruned {
    struct X(legacy_rows) rows;
    bool is_dense;
    const T *dense;
    int lda;
};

/* *d = the dense matrix on the host. */
static psb_err read_dense(const struct psb_cusparse_handle *handle, const struct unpruned *u, T **d)
{
    const struct X(legacy_rows) *r = &u->rows;
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(psb_legacy_least("m", r->m, 0));
    PSB_TRY(psb_legacy_least("n", r->n, 0));
    PSB_TRY(psb_legacy_least("lda", u->lda, r->m > 1 ? r->m : 1));
    const size_t len = r->m && r->n ? (size_t)u->lda * (size_t)(r->n - 1) + (size_t)r->m : 0;
    PSB_TRY(psb_alloc(d, len, sizeof **d, "a dense matrix"));
    return psb_legacy_get(*d, u->dense, len * sizeof **d, "A");
}

static psb_err import_unpruned(const struct psb_cusparse_handle *handle, const struct unpruned *u,
                               struct X(mat) **a)
{
    T *d = NULL;
    if (!u->is_dense)
        return X(legacy_import)(handle, &u->rows, a);
    psb_err e = read_dense(handle, u, &d);
    PSB_THEN(e, X(mat_from_dense)(u->rows.m, u->rows.n, d, u->lda, PSB_BY_COLS, 0, NULL, a));
    psb_free(d);
    return e;
}

static int by_size(const void *a, const void *b)
{
    return (*(const T *)a > *(const T *)b) - (*(const T *)a < *(const T *)b);
}

/* *t = the modulus at which cuSPARSE cuts: of rank ceil(n percentage / 100), from 1, of the n elements, zeros
 * of a dense matrix included. */
static psb_err cut_at(const struct unpruned *u, const struct X(mat) *a, float percentage, T *t)
{
    const size_t nz = (size_t)X(mat_get_nzeros)(a);
    const size_t n = u->is_dense ? (size_t)u->rows.m * (size_t)u->rows.n : nz, zeros = n - nz;
    const double rank = ceil((double)n * ((double)percentage / 100)) - 1;
    const size_t pos = rank < 0 ? 0 : rank > (double)n - 1 ? n - 1 : (size_t)rank;
    psb_epk got;
    T *v;
    *t = 0;
    if (n == 0 || pos < zeros)
        return PSB_OK;
    PSB_TRY(psb_alloc(&v, nz, sizeof *v, "moduli"));
    psb_err e = X(mat_csget)(a, NULL, (psb_epk)nz, NULL, NULL, v, &got);
    for (size_t k = 0; k < nz && e == PSB_OK; k++)
        v[k] = v[k] == v[k] ? ABS(v[k]) : (T)INFINITY;
    if (e == PSB_OK) {
        qsort(v, nz, sizeof *v, by_size);
        *t = v[pos - zeros];
    }
    psb_free(v);
    return e;
}

/* The threshold: the caller's, or of his percentage.  Store row offsets and the number of entries,
 * or values and columns. */
static psb_err prune(const struct psb_cusparse_handle *handle, const struct unpruned *u, const T *threshold,
                     const float *percentage, const struct psb_cusparse_descr *descr, int what, T *val,
                     int *off_or_col, int *nnz)
{
    struct X(mat) *a = NULL;
    T t = 0;
    PSB_TRY(psb_legacy_begin(handle));
    PSB_CHECK(!percentage || (*percentage >= 0 && *percentage <= 100), PSB_EARG,
              "argument percentage is %g; expected 0 to 100", (double)*percentage);
    if (!percentage)
        PSB_TRY(psb_legacy_read(handle, threshold, sizeof t, "threshold", &t));
    PSB_TRY(check_tolerance("threshold", (double)t));
    psb_err e = import_unpruned(handle, u, &a);
    if (percentage)
        PSB_THEN(e, cut_at(u, a, *percentage, &t));
    PSB_THEN(e, store_above(a, t, descr, what, val, off_or_col, off_or_col));
    const int n = (int)X(mat_get_nzeros)(a);
    if (what == LEGACY_OFFSETS)
        PSB_THEN(e, psb_legacy_write(handle, nnz, sizeof n, "nnzTotalDevHostPtr", &n));
    X(mat_free)(a);
    return e;
}

int X(cusparse_pruneDense2csrNnz)(struct psb_cusparse_handle *handle, int m, int n, const T *A, int lda,
                                  const T *threshold, const struct psb_cusparse_descr *descr_c, int *off_c,
                                  int *nnz_c, void *buffer)
{
    const struct unpruned u = { .rows = { .m = m, .n = n }, .dense = A, .is_dense = true, .lda = lda };
    (void)buffer;
    return STATUS(prune(handle, &u, threshold, NULL, descr_c, LEGACY_OFFSETS, NULL, off_c, nnz_c));
}

int X(cusparse_pruneDense2csr)(struct psb_cusparse_handle *handle, int m, int n, const T *A, int lda,
                               const T *threshold, const struct psb_cusparse_descr *descr_c, T *val_c,
                               const int *off_c, int *col_c, void *buffer)
{
    const struct unpruned u = { .rows = { .m = m, .n = n }, .dense = A, .is_dense = true, .lda = lda };
    (void)buffer, (void)off_c;
    return STATUS(prune(handle, &u, threshold, NULL, descr_c, LEGACY_ENTRIES, val_c, col_c, NULL));
}

int X(cusparse_pruneDense2csrNnzByPercentage)(struct psb_cusparse_handle *handle, int m, int n, const T *A,
                                              int lda, float percentage,
                                              const struct psb_cusparse_descr *descr_c, int *off_c,
                                              int *nnz_c, struct psb_cusparse_info *info, void *buffer)
{
    const struct unpruned u = { .rows = { .m = m, .n = n }, .dense = A, .is_dense = true, .lda = lda };
    (void)info, (void)buffer;
    return STATUS(prune(handle, &u, NULL, &percentage, descr_c, LEGACY_OFFSETS, NULL, off_c, nnz_c));
}

int X(cusparse_pruneDense2csrByPercentage)(struct psb_cusparse_handle *handle, int m, int n, const T *A,
                                           int lda, float percentage,
                                           const struct psb_cusparse_descr *descr_c, T *val_c,
                                           const int *off_c, int *col_c, struct psb_cusparse_info *info,
                                           void *buffer)
{
    const struct unpruned u = { .rows = { .m = m, .n = n }, .dense = A, .is_dense = true, .lda = lda };
    (void)info, (void)buffer, (void)off_c;
    return STATUS(prune(handle, &u, NULL, &percentage, descr_c, LEGACY_ENTRIES, val_c, col_c, NULL));
}

int X(cusparse_pruneCsr2csrNnz)(struct psb_cusparse_handle *handle, int m, int n, int nnz,
                                const struct psb_cusparse_descr *descr, const T *val, const int *off,
                                const int *col, const T *threshold, const struct psb_cusparse_descr *descr_c,
                                int *off_c, int *nnz_c, void *buffer)
{
    const struct unpruned u = { .rows = { m, n, nnz, descr, val, off, col, 0, 0 } };
    (void)buffer;
    return STATUS(prune(handle, &u, threshold, NULL, descr_c, LEGACY_OFFSETS, NULL, off_c, nnz_c));
}

int X(cusparse_pruneCsr2csr)(struct psb_cusparse_handle *handle, int m, int n, int nnz,
                             const struct psb_cusparse_descr *descr, const T *val, const int *off,
                             const int *col, const T *threshold, const struct psb_cusparse_descr *descr_c,
                             T *val_c, const int *off_c, int *col_c, void *buffer)
{
    const struct unpruned u = { .rows = { m, n, nnz, descr, val, off, col, 0, 0 } };
    (void)buffer, (void)off_c;
    return STATUS(prune(handle, &u, threshold, NULL, descr_c, LEGACY_ENTRIES, val_c, col_c, NULL));
}

int X(cusparse_pruneCsr2csrNnzByPercentage)(struct psb_cusparse_handle *handle, int m, int n, int nnz,
                                            const struct psb_cusparse_descr *descr, const T *val,
                                            const int *off, const int *col, float percentage,
                                            const struct psb_cusparse_descr *descr_c, int *off_c, int *nnz_c,
                                            struct psb_cusparse_info *info, void *buffer)
{
    const struct unpruned u = { .rows = { m, n, nnz, descr, val, off, col, 0, 0 } };
    (void)info, (void)buffer;
    return STATUS(prune(handle, &u, NULL, &percentage, descr_c, LEGACY_OFFSETS, NULL, off_c, nnz_c));
}

int X(cusparse_pruneCsr2csrByPercentage)(struct psb_cusparse_handle *handle, int m, int n, int nnz,
                                         const struct psb_cusparse_descr *descr, const T *val, const int *off,
                                         const int *col, float percentage,
                                         const struct psb_cusparse_descr *descr_c, T *val_c, const int *off_c,
                                         int *col_c, struct psb_cusparse_info *info, void *buffer)
{
    const struct unpruned u = { .rows = { m, n, nnz, descr, val, off, col, 0, 0 } };
    (void)info, (void)buffer, (void)off_c;
    return STATUS(prune(handle, &u, NULL, &percentage, descr_c, LEGACY_ENTRIES, val_c, col_c, NULL));
}
#endif
