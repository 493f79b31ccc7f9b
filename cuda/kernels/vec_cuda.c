/* vec_cuda.c -- room: cuda/kernels.  Vector operations on a GPU. */
#include "vec_cuda.h"
#include "psb_cuda_device.h"
#include "launchers.h"
#include "gpu.h"
#include <string.h>
#include "psb_type.h"
#include "dev_epilogue.h"

/* --- element-wise ------------------------------------------------------------------------------------- */

/* Factors, arrays read, arrays written; see vec_launchers.t.h. */
struct job {
    T f[4];
    const T *x, *y, *w;
    T *u, *z;
};

static psb_err each(enum psb_each what, psb_epk n, const struct job *j)
{
    static const char *const name[] = {
        [PSB_EACH_FILL] = "fill",         [PSB_EACH_AXPBYZ] = "axpby", [PSB_EACH_UPD_XYZ] = "upd_xyz",
        [PSB_EACH_RATIO] = "ratio",       [PSB_EACH_MLT] = "mlt",      [PSB_EACH_DIV] = "div",
        [PSB_EACH_INV] = "inv",           [PSB_EACH_ABS] = "abs",      [PSB_EACH_CMP] = "cmp",
        [PSB_EACH_ADDCONST] = "addconst", [PSB_EACH_MASK] = "mask",
    };
    return psb_cudart_ok(X(each_dev)(what, n, j->f, j->x, j->y, j->w, j->u, j->z, psb_cudart_stream()),
                         name[what]);
}

/* x, or NULL (not read) if its factor is 0. */
static const T *by(T factor, const T *x)
{
    return factor == 0 ? NULL : x;
}

static psb_err fill(psb_epk n, T a, T *x)
{
    return each(PSB_EACH_FILL, n, &(struct job){ .f = { a }, .z = x });
}

static psb_err axpbyz(psb_epk n, T alpha, const T *x, T beta, const T *y, T *z)
{
    if (alpha == 0 && beta == 1 && y == z)
        return PSB_OK;
    return each(PSB_EACH_AXPBYZ, n,
                &(struct job){ .f = { alpha, beta }, .x = by(alpha, x), .y = by(beta, y), .z = z });
}

static psb_err axpby(psb_epk n, T alpha, const T *x, T beta, T *y)
{
    return axpbyz(n, alpha, x, beta, y, y);
}

static psb_err upd_xyz(psb_epk n, T alpha, T beta, T gamma, T delta, const T *x, T *y, T *z)
{
    struct job j = { { alpha, beta, gamma, delta }, by(alpha, x), by(beta, y), by(delta, z), y, z };
    return each(PSB_EACH_UPD_XYZ, n, &j);
}

static psb_err mlt(psb_epk n, T alpha, const T *x, const T *y, T beta, T *z)
{
    struct job j = { { alpha, beta }, by(alpha, x), by(alpha, y), by(beta, z), NULL, z };
    return each(PSB_EACH_MLT, n, &j);
}

static psb_err divide(psb_epk n, const T *x, const T *y, T *z)
{
    return each(PSB_EACH_DIV, n, &(struct job){ .x = x, .y = y, .z = z });
}

static psb_err invert(psb_epk n, const T *x, T *y)
{
    return each(PSB_EACH_INV, n, &(struct job){ .x = x, .z = y });
}

static psb_err absolute(psb_epk n, const T *x, T *y)
{
    return each(PSB_EACH_ABS, n, &(struct job){ .x = x, .z = y });
}

static psb_err compare(psb_epk n, R c, const T *x, T *z)
{
    return each(PSB_EACH_CMP, n, &(struct job){ .f = { c }, .x = x, .z = z });
}

static psb_err addconst(psb_epk n, T b, const T *x, T *z)
{
    return each(PSB_EACH_ADDCONST, n, &(struct job){ .f = { b }, .x = x, .z = z });
}

static psb_err mask(psb_epk n, const T *c, const T *x, T *m)
{
    return each(PSB_EACH_MASK, n, &(struct job){ .x = c, .y = x, .z = m });
}

static psb_err axpbys(psb_epk n, int m, const struct X(vec_axpby) *sum)
{
    struct psb_dev_axpby t[PSB_MOST_SUMS];
    for (int i = 0; i < m; i++)
        t[i] = (struct psb_dev_axpby){ .alpha = &sum[i].alpha.value,
                                       .beta = &sum[i].beta.value,
                                       .alpha_by = sum[i].alpha.by,
                                       .beta_by = sum[i].beta.by,
                                       .x = by(sum[i].alpha.value, sum[i].x),
                                       .y = by(sum[i].beta.value, sum[i].y),
                                       .z = sum[i].z };
    return psb_cudart_ok(X(axpbys_dev)(n, m, t, psb_cudart_stream()), "sums of vectors");
}

static psb_err axpby_cols(psb_ipk n, int k, const T *alpha, const T *x, const T *beta, T *y)
{
    return psb_cudart_ok(X(axpby_cols_dev)(n, k, alpha, x, beta, y, psb_cudart_stream()), "sums of columns");
}

/* --- scalars ------------------------------------------------------------------------------------------ */

static psb_err scal_mlt(const T *a, const T *b, T *c)
{
    return each(PSB_EACH_MLT, 1, &(struct job){ .f = { 1 }, .x = a, .y = b, .z = c });
}

static psb_err scal_div(const T *a, const T *b, T *c)
{
    return each(PSB_EACH_RATIO, 1, &(struct job){ .x = a, .y = b, .z = c });
}

static psb_err totals(const struct X(vec_totals) *t)
{
    struct psb_dev_totals d = { .n = t->n,
                                .before = t->before,
                                .count = t->count,
                                .width = t->width,
                                .mine = t->mine,
                                .others = t->others,
                                .ratios = dev_ratios(&t->ratios),
                                .exchange = t->exchange };
    for (int i = 0; i < t->n; i++)
        d.to[i] = t->to[i];
    return psb_cudart_ok(X(totals_dev)(&d, psb_cudart_stream()), "sums over processes");
}

/* --- rows by a list ----------------------------------------------------------------------------------- */

static psb_err gth(psb_ipk n, const psb_ipk *idx, int k, const T *x, T *buf)
{
    return psb_cudart_ok(X(gth_dev)(n, idx, k, x, buf, psb_cudart_stream()), "gather");
}

static psb_err scatter_add(psb_ipk n, const psb_ipk *idx, int k, const T *buf, T *y)
{
    return psb_cudart_ok(X(scatter_add_dev)(n, idx, k, buf, y, psb_cudart_stream()), "scatter");
}

/* --- rows with several owners ------------------------------------------------------------------------- */

static psb_err join_owners(const struct X(vec_owners) *t)
{
    const struct psb_dev_owners d = { t->op, t->n, t->k, t->loc, t->start, t->place, t->in, t->x };
    return psb_cudart_ok(X(join_owners_dev)(&d, psb_cudart_stream()), "rows of several owners");
}

/* --- reductions over rows ----------------------------------------------------------------------------- */

/* Reduce k columns, PSB_GPU_COLUMNS at a time; arrays that the operation does not use are NULL. */
static psb_err over(enum psb_over what, psb_ipk n, int k, const T *x, const T *y, const T *z, double *res)
{
    static const char *const cause[] = {
        [PSB_OVER_DOT] = "scalar: dot",
        [PSB_OVER_SUMSQ] = "scalar: nrm2",
        [PSB_OVER_WSUMSQ] = "scalar: weighted nrm2",
        [PSB_OVER_WSUMSQ_WHERE] = "scalar: weighted nrm2",
        [PSB_OVER_ASUM] = "scalar: asum",
        [PSB_OVER_AMAX] = "scalar: amax",
        [PSB_OVER_MIN] = "scalar: min",
        [PSB_OVER_MINQUOTIENT] = "scalar: minquotient",
    };
    const struct psb_cudart_scratch *s = psb_cudart_scratch();
    const int parts = what == PSB_OVER_DOT ? 2 : 1;
    for (int j = 0, m; j < k; j += m) {
        m = k - j < PSB_GPU_COLUMNS ? k - j : PSB_GPU_COLUMNS;
        size_t bytes = (size_t)(m * parts) * sizeof *res;
        PSB_TRY(psb_cudart_ok(X(over_dev)(what, n, k, m, x + j, y ? y + j : NULL, z ? z + j : NULL,
                                          s->partial, s->sum, psb_cudart_stream()),
                              cause[what]));
        PSB_TRY(psb_get(psb_cuda_device(), s->host, s->sum, bytes, cause[what]));
        memcpy(res + (size_t)j * parts, s->host, bytes);
    }
    return PSB_OK;
}

static psb_err dot(psb_ipk n, int k, const T *x, const T *y, double *sum)
{
    return over(PSB_OVER_DOT, n, k, x, y, NULL, sum);
}

static psb_err sumsq(psb_ipk n, int k, const T *x, double *sum)
{
    return over(PSB_OVER_SUMSQ, n, k, x, NULL, NULL, sum);
}

static psb_err wsumsq(psb_ipk n, int k, const T *x, const T *w, const T *id, double *sum)
{
    return over(id ? PSB_OVER_WSUMSQ_WHERE : PSB_OVER_WSUMSQ, n, k, x, w, id, sum);
}

static psb_err asum(psb_ipk n, int k, const T *x, double *res)
{
    return over(PSB_OVER_ASUM, n, k, x, NULL, NULL, res);
}

static psb_err amax(psb_ipk n, int k, const T *x, double *res)
{
    return over(PSB_OVER_AMAX, n, k, x, NULL, NULL, res);
}

static psb_err least(psb_ipk n, int k, const T *x, double *res)
{
    return over(PSB_OVER_MIN, n, k, x, NULL, NULL, res);
}

static psb_err minquotient(psb_ipk n, int k, const T *x, const T *y, double *res)
{
    return over(PSB_OVER_MINQUOTIENT, n, k, x, y, NULL, res);
}

/* --- epilogue of a product ----------------------------------------------------------------------------- */

static psb_err epilogue(psb_ipk n, const T *y, const struct X(vec_epilogue) *t, double *sum)
{
    const struct psb_dev_epilogue d = dev_epilogue(t, psb_cudart_scratch()->partial);
    return read_sums(X(epilogue_dev)(n, y, &d, psb_cudart_stream()), "what follows a product", t, sum);
}

const struct X(vec_ops) X(vec_cuda) = {
    .fill = fill,
    .axpby = axpby,
    .gth = gth,
    .scatter_add = scatter_add,
    .join_owners = join_owners,
    .axpbyz = axpbyz,
    .upd_xyz = upd_xyz,
    .axpbys = axpbys,
    .axpby_cols = axpby_cols,
    .mlt = mlt,
    .div = divide,
    .inv = invert,
    .abs = absolute,
    .cmp = compare,
    .addconst = addconst,
    .mask = mask,
    .dot = dot,
    .sumsq = sumsq,
    .wsumsq = wsumsq,
    .asum = asum,
    .amax = amax,
    .min = least,
    .minquotient = minquotient,
    .epilogue = epilogue,
    .scal_mlt = scal_mlt,
    .scal_div = scal_div,
    .totals = totals,
};
