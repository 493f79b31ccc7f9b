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

psb_err X(legacy_export)(const struct X(mat) *a, const struct psb_cusparse_descr *descr, T *val, int *off,
                         int *col)
{
    const size_t m = (size_t)X(mat_get_nrows)(a), nnz = (size_t)X(mat_get_nzeros)(a);
    struct psb_raw raw = { .layout = PSB_RAW_CSR, .base = descr->base, .idx_bits = 32, .off_bits = 32 };
    struct X(raw_arrays) to = { 0 };
    psb_err e = X(raw_export)(a, &raw, NULL);
    PSB_THEN(e, psb_alloc(&to.off, m + 1, sizeof *off, "row offsets"));
    PSB_THEN(e, psb_alloc(&to.col, nnz, sizeof *col, "columns"));
    PSB_THEN(e, psb_alloc(&to.val, nnz, sizeof *val, "values"));
    PSB_THEN(e, X(raw_export)(a, &raw, &to));
    if (off)
        PSB_THEN(e, psb_legacy_put(off, to.off, (m + 1) * sizeof *off, "row offsets"));
    if (col)
        PSB_THEN(e, psb_legacy_put(col, to.col, nnz * sizeof *col, "columns"));
    if (val)
        PSB_THEN(e, psb_legacy_put(val, to.val, nnz * sizeof *val, "values"));
    psb_free(to.off);
    psb_free(to.col);
    psb_free(to.val);
    return e;
}
