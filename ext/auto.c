/* auto.c -- room: ext.  AUTO and TUNED: choose the best format for a matrix. */
#include "psb_ext.h"
#include "host_cost.h"
#include "env.h"
#include "psb_coll.h"
#include "psb_threads.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"

/* Number of threads that saturate the memory; most formats compared; the limit of most molds. */
enum { ENOUGH_THREADS = 4, MOST = 64, LIMIT = 8 };

/* A format and its forecast.  Seconds per product: in the core, waiting for x, for memory (0 on a device), in
 * all, and measured; INFINITY: not known. */
struct candidate {
    const struct X(mat) *mold;
    struct psb_forecast f;
    double core, x, memory, predicted, measured;
};

/* A format without a forecast, and why. */
struct refusal {
    const struct X(mat) *mold;
    psb_err why;
};

struct choice {
    const struct X(auto_mat) *by;
    struct X(mat) *a;
    struct psb_misses misses;
    int n, nrefused;
    struct candidate all[MOST];
    struct refusal refused[MOST];
};

/* The device on which a format keeps its second copy; NULL: none. */
static const struct psb_device *device_of(const struct X(mat) *mold)
{
    const struct X(mat_ops) *k = mold->ops;
    while (!k->device)
        k = k->super->ops;
    return k->device();
}

static int is_mirror(const struct X(mat) *mold)
{
    const struct X(mat_ops) *k = mold->ops;
    while (!k->device)
        k = k->super->ops;
    return k != X(root_mold).ops;
}

/* On the host: the sum of all.  Some threads share the bandwidth of the memory. */
static void set_host_seconds(struct candidate *k, const struct choice *c)
{
    const double vectors = (double)sizeof(T) * ((double)c->a->nrows + c->a->ncols);
    const int p = psb_threads(c->a->nnz), share = p < ENOUGH_THREADS ? p : ENOUGH_THREADS;
    const struct psb_host_ns ns = psb_host_ns_of(&k->f, LETTER, &c->misses, vectors);
    k->core = 1e-9 * ns.core / p;
    k->x = 1e-9 * ns.x / p;
    k->memory = 1e-9 * ns.memory / share;
    k->predicted = k->core + k->x + k->memory;
}

/* A conversion to any format but CSR and HYB refuses by the time of one thread.  Up to ENOUGH_THREADS the
 * formats' times have the same ratios, and the best one is accepted; with more it may be refused. */
static psb_err check_for_one_thread(const struct X(mat) *a, const struct psb_forecast *f,
                                    const struct X(compressed) *rows)
{
    const int refuses = f->work != PSB_WORK_CSR_SHORT && f->work != PSB_WORK_CSR &&
                        f->work != PSB_WORK_CSR_LONG && f->work != PSB_WORK_HYB;
    return refuses && psb_threads(a->nnz) > ENOUGH_THREADS ? X(check_host_time)(a, LIMIT, f, rows) : PSB_OK;
}

/* Set the forecast of format k->mold.  Fails if the format has no forecast, or refuses the matrix. */
static psb_err predict(const struct choice *c, const struct X(compressed) *rows, struct candidate *k)
{
    struct X(mat) *empty;
    PSB_TRY(X(mat_new)(k->mold, c->a->nrows, c->a->ncols, c->a->nnz, &empty));
    const struct X(mat_ops) *ops = k->mold->ops;
    while (!ops->forecast)
        ops = ops->super->ops;
    psb_err e = ops->forecast(empty, rows, &k->f);
    if (e == PSB_OK && is_mirror(k->mold)) {
        k->predicted = 1e-9 * k->f.ns;
    } else if (e == PSB_OK) {
        set_host_seconds(k, c);
        e = check_for_one_thread(empty, &k->f, rows);
    }
    X(mat_free)(empty);
    return e;
}

/* Is the format to be compared?  Host formats, or device formats with a forecast of their own. */
static int is_candidate(const struct X(mat) *mold, int mirrors)
{
    return mirrors ? is_mirror(mold) && device_of(mold) && mold->ops->forecast : !is_mirror(mold);
}

/* Divide the formats into those with a forecast and those without. */
static void list(struct choice *c, const struct X(compressed) *rows, int mirrors)
{
    const struct X(mat) *mold;
    if (!mirrors)
        c->misses = psb_misses_of(rows->ptr[rows->n], rows->idx, sizeof(T));
    psb_expect_errors(1);
    for (int i = 0; c->n < MOST && c->nrefused < MOST && (mold = X(mat_format)(i)); i++) {
        struct candidate *to = &c->all[c->n];
        *to = (struct candidate){ .mold = mold, .predicted = INFINITY, .measured = INFINITY };
        if (!is_candidate(mold, mirrors))
            continue;
        psb_err e = predict(c, rows, to);
        if (e == PSB_OK)
            c->n++;
        else
            c->refused[c->nrefused++] = (struct refusal){ mold, e };
    }
    psb_expect_errors(0);
}

/* --- trials --------------------------------------------------------------------------------------------- */

/* *seconds = the least time of a product, repeated for `most` seconds, after a first one that brings the
 * arrays into memory. */
static psb_err measure(struct X(mat) *a, const T *x, T *y, double most, double *seconds)
{
    PSB_TRY(X(mat_csmv)(1, a, x, 0, y, 'N'));
    const double begun = psb_wtime();
    *seconds = INFINITY;
    for (double now = begun, end; now < begun + most || *seconds == INFINITY; now = end) {
        PSB_TRY(X(mat_csmv)(1, a, x, 0, y, 'N'));
        end = psb_wtime();
        *seconds = fmin(*seconds, end - now);
    }
    return PSB_OK;
}

static psb_err try_one(struct choice *c, struct candidate *k, const T *x, T *y)
{
    struct X(mat) *b;
    PSB_TRY(X(mat_convert)(c->a, k->mold, &b));
    psb_err e = measure(b, x, y, c->by->seconds, &k->measured);
    X(mat_free)(b);
    return e;
}

/* Measure the formats whose forecast is near the least.  A format for which there is not enough memory is
 * skipped. */
static psb_err try_all(struct choice *c, double least)
{
    const size_t m = (size_t)c->a->nrows, n = (size_t)c->a->ncols;
    T *x, *y;
    PSB_TRY(psb_alloc(&x, m + n, sizeof *x, "vectors of a trial"));
    y = x + n;
    for (size_t i = 0; i < n; i++)
        x[i] = 1;
    psb_expect_errors(1);
    for (int i = 0; i < c->n; i++)
        if (c->all[i].predicted <= c->by->near * least && try_one(c, &c->all[i], x, y) != PSB_OK)
            c->all[i].measured = INFINITY;
    psb_expect_errors(0);
    psb_free(x);
    return PSB_OK;
}

/* --- choice ----------------------------------------------------------------------------------------- */

static const struct candidate *best(const struct choice *c)
{
    const struct candidate *b = &c->all[0];
    for (const struct candidate *k = b + 1; k < c->all + c->n; k++)
        if (k->measured < b->measured || (k->measured == b->measured && k->predicted < b->predicted))
            b = k;
    return b;
}

/* What takes most of the time. */
static const char *limit_of(const struct candidate *k)
{
    return k->core >= k->x && k->core >= k->memory ? "core" : k->x > k->memory ? "x" : "memory";
}

/* Print what the forecast of a format counts: bytes of its host arrays, percentage of padding, and on the
 * host what takes the time: loops in the core, waiting for x, or memory. */
static void print_reason(const struct choice *c, const struct candidate *k, const char *chosen)
{
    const double padding = k->f.places > 0 ? 100 * (1 - (double)c->a->nnz / k->f.places) : 0;
    fprintf(stderr, "psb:   %-5s %.4g MB, %.3g %% padding, ", k->mold->ops->fmt, 1e-6 * k->f.bytes, padding);
    if (is_mirror(k->mold))
        fprintf(stderr, "%.3g ms%s\n", 1e3 * k->predicted, chosen);
    else
        fprintf(stderr, "core %.3g ms, x %.3g ms, memory %.3g ms: the %s%s\n", 1e3 * k->core, 1e3 * k->x,
                1e3 * k->memory, limit_of(k), chosen);
}

static void print_reasons(const struct choice *c, const struct candidate *b)
{
    for (const struct candidate *k = c->all; k < c->all + c->n; k++)
        print_reason(c, k, k == b ? "; chosen" : "");
    for (const struct refusal *k = c->refused; k < c->refused + c->nrefused; k++)
        fprintf(stderr, "psb:   %-5s %s\n", k->mold->ops->fmt,
                k->why == PSB_ENOTIMPL   ? "has no forecast"
                : k->why == PSB_EPADDING ? "refuses: beyond its limit"
                : k->why == PSB_ENOMEM   ? "not enough memory for its forecast"
                                         : "fails");
}

static void print_choice(const struct choice *c, const struct candidate *b)
{
    fprintf(stderr, "psb: format of %d x %d, %" PRId64 " entries: %s; predicted", c->a->nrows, c->a->ncols,
            c->a->nnz, b->mold->ops->fmt);
    for (const struct candidate *k = c->all; k < c->all + c->n; k++) {
        fprintf(stderr, "%s %s %.3g ms", k > c->all ? "," : "", k->mold->ops->fmt, 1e3 * k->predicted);
        if (k->measured < INFINITY)
            fprintf(stderr, " measured %.3g", 1e3 * k->measured);
    }
    fprintf(stderr, "\n");
    print_reasons(c, b);
}

/* The choice among device formats, and the best host format if it is forecast to be faster. */
static void print_device_choice(const struct choice *c, const struct X(compressed) *rows)
{
    struct choice host = { .by = c->by, .a = c->a };
    print_choice(c, best(c));
    list(&host, rows, 0);
    const struct candidate *h = best(&host);
    if (host.n > 0 && h->predicted < best(c)->predicted)
        fprintf(stderr, "psb:   on the host %s would be faster: %.3g ms with %d threads\n", h->mold->ops->fmt,
                1e3 * h->predicted, psb_threads(c->a->nnz));
}

static psb_err check_mold(const struct X(auto_mat) *by)
{
    PSB_CHECK(by->near == 0 || by->near >= 1, PSB_EARG,
              "the mold's near is %g; expected >= 1, or 0 for no trial", by->near);
    PSB_CHECK(by->seconds >= 0 && by->seconds < INFINITY, PSB_EARG,
              "the mold's seconds are %g; expected >= 0, and finite", by->seconds);
    PSB_CHECK(by->mirrors == 0 || (by->mirrors == 1 && by->near == 0), PSB_EARG,
              "the mold's mirrors are %d and near is %g; expected 0, or 1 and no trial", by->mirrors,
              by->near);
    return PSB_OK;
}

psb_err X(auto_choose)(const struct X(mat) *mold, struct X(mat) *a, const struct X(mat) **chosen)
{
    const int logs = psb_env_logs("formats") && a->nnz > 0;
    struct choice c = { .by = (const struct X(auto_mat) *)mold, .a = a };
    struct X(compressed) rows;
    struct X(mat) *made;
    PSB_TRY(check_mold(c.by));
    PSB_TRY(X(csr_view)(a, &rows, &made));
    if (c.by->mirrors)
        list(&c, &rows, 1);
    const int on_device = c.n > 0;
    if (!on_device)
        list(&c, &rows, 0);
    else if (logs)
        print_device_choice(&c, &rows);
    X(mat_free)(made); /* before trials, which need memory */
    PSB_CHECK(c.n > 0, PSB_ENOMEM, "not enough memory to predict the cost of any format");
    if (c.by->near > 0)
        PSB_TRY(try_all(&c, best(&c)->predicted));
    if (logs && !on_device)
        print_choice(&c, best(&c));
    *chosen = best(&c)->mold;
    return PSB_OK;
}

static const struct X(mat_ops) ops = {
    .super = &X(root_mold),
    .fmt = "AUTO",
    .size = sizeof(struct X(auto_mat)),
    .choose = X(auto_choose),
};

static const struct X(mat_ops) tuned_ops = {
    .super = &X(root_mold),
    .fmt = "TUNED",
    .size = sizeof(struct X(auto_mat)),
    .choose = X(auto_choose),
};

const struct X(auto_mat) X(auto_mold) = { .mat.ops = &ops };
const struct X(auto_mat) X(tuned_mold) = { .mat.ops = &tuned_ops, .near = 2, .seconds = 2e-3 };
