/* mat_mv.c -- base/mat: products and solves: argument checks, choice of side, implied ones of unit
 * triangles. */
#include "psb_format.h"
#include "psb_handle.h"
#include "mat_inside.h"
#include "psb_trace.h"
#include <string.h>
#include "psb_type.h"

static psb_err on_device(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    struct X(mat) *op = X(mat_mutable)(a);
    if (trans != 'N')
        PSB_TRY(X(mat_transposed)(op, trans, &op));
    PSB_CHECK(X(mat_dev)(op)->csmm, PSB_ENOTIMPL, "format %s has no product on a device", op->ops->fmt);
    return X(mat_dev)(op)->csmm(alpha, op, k, x, beta, y);
}

static psb_err stored_mm(enum psb_side s, T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta,
                         T *y, char trans)
{
    if (s == PSB_DEV)
        return on_device(alpha, a, k, x, beta, y, trans);
    if (k == 1) {
        PSB_WITH_SLOT(slots, a, products.csmv);
        return slots->products.csmv(alpha, X(mat_mutable)(a), x, beta, y, trans);
    }
    PSB_WITH_SLOT(slots, a, products.csmm);
    return slots->products.csmm(alpha, X(mat_mutable)(a), k, x, beta, y, trans);
}

static psb_err mm_on(enum psb_side s, T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                     char trans)
{
    const struct X(vec_ops) *v = X(vec)(s, a->on);
    if (alpha == 0 || a->nnz == 0)
        PSB_TRY(v->axpby((psb_epk)(trans == 'N' ? a->nrows : a->ncols) * k, 0, y, beta, y));
    else
        PSB_TRY(stored_mm(s, alpha, a, k, x, beta, y, trans));
    return alpha != 0 && X(mat_has_ones)(a) ? v->axpby((psb_epk)X(mat_diagonal)(a) * k, alpha, x, 1, y)
                                            : PSB_OK;
}

/* End the range of a product, and log it if it succeeded. */
static void end_mv_range(struct psb_range *range, enum psb_side s, const struct X(mat) *a, psb_ipk k, T beta,
                         char trans, bool done)
{
    const bool logs = psb_logs(PSB_LOGS_KERNELS) && done;
    range->on_host = s == PSB_HOST;
    if (range->since > 0 || logs) {
        const struct X(mat) *by = s == PSB_DEV && trans != 'N' && a->transposed ? a->transposed : a;
        const size_t m = (size_t)(trans == 'N' ? a->nrows : a->ncols),
                     n = (size_t)a->nrows + (size_t)a->ncols;
        const size_t bytes = X(mat_bytes)(by) + (n + (beta != 0 ? m : 0)) * (size_t)k * sizeof(T);
        range->bytes = (double)bytes;
        range->flops = (CPLX ? 8. : 2.) * (double)a->nnz * k;
        if (logs)
            psb_log_kernel(by->ops->fmt, s == PSB_DEV ? a->on->name : "host", trans, k, bytes);
    }
    psb_range_end(range);
}

psb_err X(mat_mm_on)(enum psb_side s, T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                     char trans)
{
    struct psb_range range = psb_range_begin(a->on, a->ops->fmt, "product");
    psb_err e = mm_on(s, alpha, a, k, x, beta, y, trans);
    end_mv_range(&range, s, a, k, beta, trans, e == PSB_OK && alpha != 0 && a->nnz > 0);
    return PSB_PASS(e);
}

psb_err X(mat_mv_fused)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y,
                        const struct X(vec_epilogue) *t, double *sum)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(a);
    const bool fused = dev->csmv_fused && alpha != 0 && a->nnz > 0 && !X(mat_has_ones)(a);
    struct X(vec_epilogue) plain = *t;
    if (t->from && !(fused && dev->fuses_from)) {
        PSB_TRY(X(vec)(PSB_DEV, a->on)->axpby(a->nrows, 1, t->from, 0, y));
        plain.from = NULL;
        t = &plain;
    }
    if (!fused) {
        PSB_TRY(X(mat_mm_on)(PSB_DEV, alpha, a, 1, x, beta, y, 'N'));
        return PSB_PASS(X(vec)(PSB_DEV, a->on)->epilogue(a->nrows, y, t, sum));
    }
    struct psb_range range = psb_range_begin(a->on, a->ops->fmt, "fused product");
    psb_err e = dev->csmv_fused(alpha, X(mat_mutable)(a), x, beta, y, t, sum);
    end_mv_range(&range, PSB_DEV, a, 1, beta, 'N', e == PSB_OK);
    return PSB_PASS(e);
}

/* --- rows of a longer vector ---------------------------------------------------------------------------- */

psb_err X(mat_mv_add)(T alpha, const struct X(mat) *a, const T *x, const struct psb_awaited *wait,
                      const psb_ipk *rows, T *y, const struct X(vec_epilogue) *t)
{
    struct psb_range range = psb_range_begin(a->on, a->ops->fmt, t ? "fused product" : "product");
    psb_err e = X(mat_dev)(a)->csmv_add(alpha, X(mat_mutable)(a), x, wait, rows, y, t);
    end_mv_range(&range, PSB_DEV, a, 1, 1, 'N', e == PSB_OK);
    return PSB_PASS(e);
}

psb_err X(mat_mm_add)(enum psb_side s, T alpha, const struct X(mat) *a, psb_ipk k, const T *x,
                      const struct psb_awaited *wait, const psb_ipk *rows, T *y, T *part)
{
    if (a->nnz == 0)
        return PSB_PASS(psb_await(wait));
    if (s == PSB_HOST || k != 1 || !X(mat_dev)(a)->csmv_add) {
        PSB_TRY(psb_await(wait));
        PSB_TRY(X(mat_mm_on)(s, alpha, a, k, x, 0, part, 'N'));
        return PSB_PASS(X(vec)(s, a->on)->scatter_add(a->nrows, rows, k, part, y));
    }
    return PSB_PASS(X(mat_mv_add)(alpha, a, x, wait, rows, y, NULL));
}

bool X(mat_adds_fused)(const struct X(mat) *a)
{
    return a->nnz == 0 || X(mat_dev)(a)->csmv_add;
}

const struct X(mat) *X(mat_halo_mold)(const struct X(mat) *mold)
{
    const struct X(mat) *its = X(mat_dev)(mold)->transposed;
    return its && X(mat_dev)(its)->device() ? its : mold;
}

psb_err X(epilogue_scratch)(const struct X(vec_epilogue) *t, const struct X(mat) *a, psb_epk n,
                            double **partial)
{
    struct psb_dual *s = t->scratch;
    const size_t most = (size_t)n * 2 * PSB_MOST_DOTS;
    *partial = NULL;
    if (t->ndots == 0)
        return PSB_OK;
    if (!s->dev || s->on != a->on || s->bytes < most * sizeof **partial) {
        psb_dual_free(s);
        PSB_TRY(psb_dual_init(s, most, sizeof **partial, a->on, "sums of blocks"));
    }
    return PSB_PASS(psb_dual_write(s, PSB_DEV, partial));
}

psb_err X(check_trans)(char trans)
{
    PSB_CHECK(trans == 'N' || trans == 'T' || trans == 'C', PSB_EARG,
              "argument trans is '%c'; expected 'N', 'T' or 'C'", trans);
    return PSB_OK;
}

/* Check the arrays x and y of k columns; x may equal y if may_be_same. */
static psb_err check_arrays(const struct X(mat) *a, psb_ipk k, T alpha, const T *x, const T *y, char trans,
                            int may_be_same)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(k >= 0, PSB_EARG, "argument k is %d; expected >= 0", k);
    PSB_TRY(X(check_trans)(trans));
    psb_ipk nx = trans == 'N' ? a->ncols : a->nrows, ny = trans == 'N' ? a->nrows : a->ncols;
    PSB_CHECK(x || nx == 0 || k == 0 || alpha == 0, PSB_EARG, "argument x is NULL; expected %d x %d elements",
              nx, k);
    PSB_CHECK(y || ny == 0 || k == 0, PSB_EARG, "argument y is NULL; expected %d x %d elements", ny, k);
    PSB_CHECK(may_be_same || x != y || !x || alpha == 0, PSB_EARG,
              "arguments x and y are the same array; expected two");
    return PSB_OK;
}

psb_err X(mat_csmv)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y, char trans)
{
    PSB_TRY(check_arrays(a, 1, alpha, x, y, trans, 0));
    return PSB_PASS(X(mat_mm_on)(PSB_HOST, alpha, a, 1, x, beta, y, trans));
}

/* y = alpha x + beta y, n elements, where n may exceed the length of a vector. */
static void axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    for (psb_epk i = 0; i < n; i++)
        y[i] = (alpha == 0 ? 0 : alpha * x[i]) + (beta == 0 ? 0 : beta == 1 ? y[i] : beta * y[i]);
}

psb_err X(mat_csmm)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    PSB_TRY(check_arrays(a, k, alpha, x, y, trans, 0));
    return PSB_PASS(k ? X(mat_mm_on)(PSB_HOST, alpha, a, k, x, beta, y, trans) : PSB_OK);
}

/* --- triangular solves ------------------------------------------------------------------------------ */

static psb_err check_solve(const struct X(mat) *a, psb_ipk k, T alpha, const T *x, const T *y, char trans,
                           char side, const T *d)
{
    PSB_TRY(check_arrays(a, k, alpha, x, y, trans, 1));
    NEED_SQUARE(a);
    PSB_CHECK(a->is.triangle, PSB_EARG,
              "argument a is not marked as a triangle; expected psb_?_mat_set_triangle before");
    PSB_CHECK(!d || side == 'L' || side == 'R', PSB_EARG, "argument side is '%c'; expected 'L' or 'R'", side);
    return PSB_OK;
}

/* w = alpha D w, D its n elements or NULL. */
static void scale_rows(psb_ipk n, psb_ipk k, T alpha, const T *d, T *w)
{
    for (psb_ipk i = 0; i < n; i++)
        for (psb_epk c = (psb_epk)i * k; c < ((psb_epk)i + 1) * k; c++)
            w[c] = d ? alpha * (d[i] * w[c]) : alpha * w[c];
}

psb_err X(mat_cssm)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans,
                    char side, const T *d)
{
    PSB_TRY(check_solve(a, k, alpha, x, y, trans, side, d));
    psb_ipk n = a->nrows;
    psb_epk size = (psb_epk)n * k;
    if (alpha == 0 || size == 0) {
        axpby(size, 0, NULL, beta, y);
        return PSB_OK;
    }
    T *more = NULL, *w = y;
    const T *left = side == 'L' ? d : NULL;
    if (beta != 0) {
        PSB_TRY(psb_alloc(&more, (size_t)size, sizeof *more, "solution of a triangle"));
        w = more;
    }
    PSB_WITH_SLOT(slots, a, products.cssm);
    psb_err e = slots->products.cssm(X(mat_mutable)(a), k, x, side == 'R' ? d : NULL, w, trans);
    if (e == PSB_OK && (left || alpha != 1))
        scale_rows(n, k, alpha, left, w);
    if (e == PSB_OK && more)
        axpby(size, 1, w, beta, y);
    psb_free(more);
    return PSB_PASS(e);
}

bool X(mat_solves_on_device)(const struct X(mat) *a, char trans)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(a);
    return (dev->cssm || dev->solver) && (trans == 'N' || dev->transposed);
}

/* y = alpha D op(A)^-1 x + beta y, or op(A)^-1 D, by a or the copy that solves. */
static psb_err solve_on_device(T alpha, struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans,
                               char side, const T *d)
{
    struct X(mat) *by = a;
    if (trans != 'N')
        PSB_TRY(X(mat_transposed)(a, trans, &by));
    if (X(mat_dev)(by)->solver)
        PSB_TRY(X(mat_kept_rows)(by, &by));
    PSB_CHECK(X(mat_dev)(by)->cssm, PSB_ENOTIMPL, "format %s has no solve on a device", by->ops->fmt);
    return X(mat_dev)(by)->cssm(alpha, by, k, x, beta, y, side, d, trans != 'N');
}

psb_err X(mat_sm_dev)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y, char trans,
                      char side, const T *d)
{
    PSB_TRY(check_solve(a, k, alpha, x, y, trans, side, d));
    if (alpha == 0 || a->nrows == 0 || k == 0)
        return PSB_PASS(a->on->X(vec)->axpby((psb_epk)a->nrows * k, 0, NULL, beta, y));
    const struct psb_range range = psb_range_begin(a->on, a->ops->fmt, "solve");
    psb_err e = solve_on_device(alpha, X(mat_mutable)(a), k, x, beta, y, trans, side, d);
    psb_range_end(&range);
    return PSB_PASS(e);
}

psb_err X(mat_cssv)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y, char trans, char side,
                    const T *d)
{
    return PSB_PASS(X(mat_cssm)(alpha, a, 1, x, beta, y, trans, side, d));
}
