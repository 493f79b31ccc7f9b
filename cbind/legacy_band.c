/* legacy_band.c -- cbind: banded systems with cuSPARSE's arguments. */
#include "legacy.h"
#include "psb_type.h"

static psb_err solve_band(const struct psb_cusparse_handle *handle, const psb_band *b, const T *const *diag,
                          T *x)
{
    PSB_TRY(psb_legacy_begin(handle));
    PSB_TRY(psb_legacy_least("m", b->n, 0));
    PSB_TRY(psb_legacy_least("batch", b->systems, 0));
    return X(band_solve)(b, diag, x, &psb_vect_cuda);
}

/* One system, whose right-hand sides are columns. */
static psb_err solve_columns(const struct psb_cusparse_handle *handle, const psb_band *b,
                             const T *const *diag, T *x)
{
    PSB_TRY(psb_legacy_least("n", b->nrhs, 0));
    PSB_TRY(psb_legacy_least("ldb", (int)b->rhs, b->n > 1 ? b->n : 1));
    return solve_band(handle, b, diag, x);
}

int X(cusparse_gtsv2)(struct psb_cusparse_handle *handle, int m, int n, const T *dl, const T *d, const T *du,
                      T *B, int ldb, void *buffer)
{
    const psb_band b = { .width = 1, .pivot = 1, .n = m, .systems = 1, .nrhs = n, .row = 1, .rhs = ldb };
    (void)buffer;
    return STATUS(solve_columns(handle, &b, (const T *const[]){ dl, d, du }, B));
}

int X(cusparse_gtsv2_nopivot)(struct psb_cusparse_handle *handle, int m, int n, const T *dl, const T *d,
                              const T *du, T *B, int ldb, void *buffer)
{
    const psb_band b = { .width = 1, .n = m, .systems = 1, .nrhs = n, .row = 1, .rhs = ldb };
    (void)buffer;
    return STATUS(solve_columns(handle, &b, (const T *const[]){ dl, d, du }, B));
}

int X(cusparse_gtsv2StridedBatch)(struct psb_cusparse_handle *handle, int m, const T *dl, const T *d,
                                  const T *du, T *x, int batch, int stride, void *buffer)
{
    const psb_band b = { .width = 1, .n = m, .systems = batch, .nrhs = 1, .row = 1, .system = stride };
    (void)buffer;
    psb_err e = psb_legacy_least("stride", stride, m);
    PSB_THEN(e, solve_band(handle, &b, (const T *const[]){ dl, d, du }, x));
    return STATUS(e);
}

static psb_err check_algo(int algo, int end)
{
    PSB_CHECK(algo >= 0 && algo < end, PSB_EARG, "argument algo is %d; expected 0 <= algo < %d", algo, end);
    return PSB_OK;
}

int X(cusparse_gtsvInterleavedBatch)(struct psb_cusparse_handle *handle, int algo, int m, T *dl, T *d, T *du,
                                     T *x, int batch, void *buffer)
{
    const psb_band b = {
        .width = 1, .pivot = algo != 0, .n = m, .systems = batch, .nrhs = 1, .row = batch, .system = 1
    };
    (void)buffer;
    psb_err e = check_algo(algo, 3);
    PSB_THEN(e, solve_band(handle, &b, (const T *const[]){ dl, d, du }, x));
    return STATUS(e);
}

int X(cusparse_gpsvInterleavedBatch)(struct psb_cusparse_handle *handle, int algo, int m, T *ds, T *dl, T *d,
                                     T *du, T *dw, T *x, int batch, void *buffer)
{
    const psb_band b = {
        .width = 2, .pivot = 1, .n = m, .systems = batch, .nrhs = 1, .row = batch, .system = 1
    };
    (void)buffer;
    psb_err e = check_algo(algo, 1);
    PSB_THEN(e, solve_band(handle, &b, (const T *const[]){ ds, dl, d, du, dw }, x));
    return STATUS(e);
}
