/* padding.c -- room: ext.  Limits on the memory of formats that pad, and on the time of their products. */
#include "psb_ext.h"
#include "host_cost.h"
#include <stdarg.h>
#include <stdio.h>
#include "psb_type.h"

static double csr_bytes(const struct X(mat) *a)
{
    const double rows = (double)a->nrows + 1, entry = sizeof(psb_ipk) + sizeof(T);
    return (double)a->nnz * entry + (double)sizeof(psb_epk) * rows;
}

psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, int small, const char *format,
                         ...)
{
    const double too_much = 4.6e18; /* bytes beyond the range of offsets */
    const double csr = csr_bytes(a);
    char what[128];
    va_list args;
    PSB_CHECK(limit >= 0, PSB_EARG, "the mold's limit is %g; expected >= 0, 0 for no limit", limit);
    if (need < too_much && (limit == 0 || small || need <= limit * csr))
        return PSB_OK;
    char allowed[64] = "no offset counts as many";
    if (need < too_much)
        snprintf(allowed, sizeof allowed, "the mold allows %.3g times", limit);
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return PSB_FAIL(PSB_EPADDING, "%s: %s would take %.4g bytes, %.3g times the %.4g of CSR, which fits; %s",
                    a->ops->fmt, what, need, need / csr, csr, allowed);
}

/* CSR always fits; SELL, whose forecasts are less reliable, is given a sixth more. */
#define BESIDE_SELL (3.5 / 3)

/* How many times the time of the format that always fits a product may take. */
static double times_allowed(double limit)
{
    return limit > 8 ? 0.375 * limit : 3;
}

/* ns: of a product of a, and of one in the format that `fits`, of which it may take `most` times as many. */
static psb_err check_ns(const struct X(mat) *a, double most, const double ns[2], const char *fits)
{
    PSB_CHECK(ns[0] <= most * ns[1], PSB_EPADDING,
              "%s: a product is forecast to take %.3g us, %.3g times the %.3g of %s, which fits; the mold "
              "allows %.3g times",
              a->ops->fmt, 1e-3 * ns[0], ns[0] / ns[1], 1e-3 * ns[1], fits, most);
    return PSB_OK;
}

psb_err X(check_device_time)(const struct X(mat) *a, double limit, const struct psb_padded *p)
{
    const struct X(mat_ops) *k = a->ops;
    double ns[2];
    if (!a->on || limit == 0)
        return PSB_OK;
    while (!k->device_times)
        k = k->super->ops;
    k->device_times(a, p, ns);
    return check_ns(a, times_allowed(limit), ns, "CSRG");
}

static double host_ns(const struct X(mat) *a, const struct psb_forecast *f, const struct psb_misses *m)
{
    const double vectors = (double)sizeof(T) * ((double)a->nrows + a->ncols);
    const struct psb_host_ns ns = psb_host_ns_of(f, LETTER, m, vectors);
    return ns.core + ns.x + ns.memory;
}

/* Check the time of a product, forecast by f, against that of one in the format of `mold`, forecast by other:
 * it may take `most` times as long.  Waiting for x, which takes a pass over the columns to forecast, adds
 * about the same to both times: it is forecast only where it decides. */
static psb_err check_beside(const struct X(mat) *a, double most, const struct psb_forecast *f,
                            const struct X(mat) *mold, const struct psb_forecast *other,
                            const struct X(compressed) *rows)
{
    struct psb_misses misses = { 0, 0 };
    if (host_ns(a, f, &misses) <= most * host_ns(a, other, &misses))
        return PSB_OK;
    misses = psb_misses_of(rows->ptr[rows->n], rows->idx, sizeof(T));
    return check_ns(a, most, (double[2]){ host_ns(a, f, &misses), host_ns(a, other, &misses) },
                    mold->ops->fmt);
}

/* Without SELL's own limit: where it pads that much, it is no faster than the format it is compared with. */
static psb_err forecast_sell(const struct X(mat) *a, const struct X(compressed) *rows, struct psb_forecast *f)
{
    const struct X(mat_ops) *k = X(sell_mold).mat.ops;
    struct X(hll_mat) mold = X(sell_mold);
    struct X(mat) *sell;
    mold.limit = 0;
    while (!k->forecast)
        k = k->super->ops;
    PSB_TRY(X(mat_new)(&mold.mat, a->nrows, a->ncols, a->nnz, &sell));
    psb_err e = k->forecast(sell, rows, f);
    X(mat_free)(sell);
    return e;
}

/* SELL is the best format of most matrices that are slow in CSR.  Forecasting it takes a sort of the rows,
 * done only if the least that it could take is too little. */
static psb_err check_beside_sell(const struct X(mat) *a, double most, const struct psb_forecast *f,
                                 const struct X(compressed) *rows)
{
    const struct psb_misses none = { 0, 0 };
    struct psb_forecast sell = X(sell_least)(a);
    if (f->work == PSB_WORK_SELL || host_ns(a, f, &none) <= most * host_ns(a, &sell, &none))
        return PSB_OK;
    PSB_TRY(forecast_sell(a, rows, &sell));
    return check_beside(a, most, f, &X(sell_mold).mat, &sell, rows);
}

psb_err X(check_host_time)(const struct X(mat) *a, double limit, const struct psb_forecast *f,
                           const struct X(compressed) *rows)
{
    const double most = times_allowed(limit);
    struct psb_forecast csr;
    if (a->on || limit == 0)
        return PSB_OK;
    PSB_TRY(X(csr_mold).mat.ops->forecast(NULL, rows, &csr));
    PSB_TRY(check_beside(a, most, f, &X(csr_mold).mat, &csr, rows));
    return check_beside_sell(a, BESIDE_SELL * most, f, rows);
}
