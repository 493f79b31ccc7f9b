/* auto.c -- ext: AUTO and TUNED, which choose a format for a matrix. */
#include "psb_ext_format.h"
#include "events.h"
#include "lines.h"
#include "psb_coll.h"
#include "psb_trace.h"
#include <math.h>
#include <stdio.h>
#include "psb_type.h"

/* The formats considered, at most; a product of fewer entries takes a core no longer than a launch; the
 * products timed together, at most. */
enum { MOST_CANDIDATES = 64, WORTH_A_LAUNCH = 10000, MOST_AT_ONCE = 1 << 20 };

struct candidate {
    const struct X(mat) *mold;
    double bytes, seconds; /* INFINITY: not known */
    psb_err why;           /* why the format has no bytes, or PSB_OK */
};

struct choice {
    struct X(mat) *a;
    double csr; /* bytes */
    int n;
    struct candidate all[MOST_CANDIDATES];
};

static bool is_for_devices(const struct X(mat) *mold)
{
    return X(mat_dev)(mold) != X(root_mold).ops->dev;
}

static struct candidate *weigh_next(struct choice *c, const struct X(compressed) *rows,
                                    const struct X(mat) *mold)
{
    struct candidate *k = &c->all[c->n++];
    struct X(mat) *empty;
    PSB_WITH_SLOT(slots, mold, storage.weigh);
    *k = (struct candidate){ .mold = mold, .bytes = INFINITY, .seconds = INFINITY };
    psb_expect_errors(1);
    k->why = X(mat_new)(mold, c->a->nrows, c->a->ncols, c->a->nnz, &empty);
    if (k->why == PSB_OK) {
        k->why = slots->storage.weigh(empty, rows, &k->bytes);
        X(mat_free)(empty);
    }
    psb_expect_errors(0);
    return k;
}

/* AUTO: the first format of the rule that is light enough. */
static const struct candidate *choose_by_rule(struct choice *c, const struct X(compressed) *rows,
                                              const struct X(auto_offer) *offer)
{
    while (weigh_next(c, rows, offer->mold)->bytes > offer->times * c->csr)
        offer++;
    return &c->all[c->n - 1];
}

/* --- TUNED ---------------------------------------------------------------------------------------------- */

/* The vectors of trials, on the side where products are computed. */
struct trial {
    enum psb_side side;
    struct psb_dual x_array, y_array;
    const T *x;
    T *y;
};

static psb_err open_trial(struct trial *t, const struct X(mat) *a, const struct psb_device *on)
{
    T *x;
    t->side = on ? PSB_DEV : PSB_HOST;
    PSB_TRY(psb_dual_init(&t->x_array, (size_t)a->ncols, sizeof(T), on, "x of a trial"));
    PSB_TRY(psb_dual_init(&t->y_array, (size_t)a->nrows, sizeof(T), on, "y of a trial"));
    PSB_TRY(psb_dual_write(&t->x_array, PSB_HOST, &x));
    for (psb_ipk i = 0; i < a->ncols; i++)
        x[i] = 1;
    PSB_TRY(psb_dual_read(&t->x_array, t->side, &t->x));
    return psb_dual_write(&t->y_array, t->side, &t->y);
}

static psb_err multiply_times(const struct trial *t, const struct X(mat) *a, int n)
{
    for (int i = 0; i < n; i++)
        PSB_TRY(X(mat_mm_on)(t->side, 1, a, 1, t->x, 0, t->y, 'N'));
    return t->side == PSB_DEV ? a->on->sync() : PSB_OK;
}

/* *seconds = the least time of a product, repeated for `most` seconds, after a first one that brings the
 * arrays into memory.  Short products are timed together: a wait for the device takes as long as some. */
static psb_err time_product(const struct trial *t, const struct X(mat) *a, double most, double *seconds)
{
    PSB_TRY(multiply_times(t, a, 1));
    const double begun = psb_wtime();
    double least = INFINITY;
    int n = 1;
    for (double now = begun, end; now < begun + most || least == INFINITY; now = end) {
        PSB_TRY(multiply_times(t, a, n));
        end = psb_wtime();
        least = fmin(least, (end - now) / n);
        n = end - now < most / 8 && n < MOST_AT_ONCE ? 2 * n : n;
    }
    *seconds = least;
    return PSB_OK;
}

static psb_err try_format(const struct trial *t, const struct X(mat) *a, double most, struct candidate *k)
{
    struct X(mat) *b;
    PSB_TRY(X(mat_convert)(a, k->mold, &b));
    psb_err e = time_product(t, b, most, &k->seconds);
    X(mat_free)(b);
    return e;
}

/* Time the formats that take at most near times the fewest bytes, or no more than CSR.  One for which there
 * is not enough memory is skipped; after another error the trial is made again, so that it is recorded. */
static psb_err time_light_formats(struct choice *c, const struct X(auto_mat) *by, const struct psb_device *on)
{
    struct trial t = { .x = NULL };
    double light = INFINITY;
    for (const struct candidate *k = c->all; k < c->all + c->n; k++)
        light = fmin(light, by->near * k->bytes);
    light = fmax(light, c->csr);
    psb_err e = open_trial(&t, c->a, on);
    for (struct candidate *k = c->all; e == PSB_OK && k < c->all + c->n; k++) {
        if (k->bytes > light)
            continue;
        psb_expect_errors(1);
        e = try_format(&t, c->a, by->seconds, k);
        psb_expect_errors(0);
        if (e != PSB_OK)
            e = e == PSB_ENOMEM ? PSB_OK : try_format(&t, c->a, by->seconds, k);
    }
    psb_dual_free(&t.x_array);
    psb_dual_free(&t.y_array);
    return e;
}

static void weigh_all(struct choice *c, const struct X(compressed) *rows, bool for_devices)
{
    const struct X(mat) *mold;
    for (int i = 0; c->n < MOST_CANDIDATES && (mold = X(mat_format)(i)); i++)
        if (is_for_devices(mold) == for_devices && weigh_next(c, rows, mold)->why == PSB_ENOTIMPL)
            c->n--;
}

/* The fastest; of those that were not timed the lightest. */
static const struct candidate *best_of(const struct choice *c)
{
    const struct candidate *best = c->all;
    for (const struct candidate *k = c->all; k < c->all + c->n; k++)
        if (k->seconds < best->seconds || (k->seconds == best->seconds && k->bytes < best->bytes))
            best = k;
    return best;
}

/* --- choice --------------------------------------------------------------------------------------------- */

/* Each line is written at once: the lines of several processes must not mix. */
static void print_choice(const struct choice *c, const struct candidate *best)
{
    psb_log_line(PSB_LOGS_FORMATS, "format of %d x %d, %" PRId64 " entries: %s", c->a->nrows, c->a->ncols,
                 c->a->nnz, best->mold->ops->fmt);
    for (const struct candidate *k = c->all; k < c->all + c->n; k++) {
        char weight[64], time[32] = "";
        if (k->why == PSB_OK)
            snprintf(weight, sizeof weight, "%.4g MB, %.3g times CSR", 1e-6 * k->bytes, k->bytes / c->csr);
        else
            snprintf(weight, sizeof weight, "%s",
                     k->why == PSB_EPADDING ? "beyond its limit" : psb_strerror(k->why));
        if (k->seconds < INFINITY)
            snprintf(time, sizeof time, ", %.3g ms", 1e3 * k->seconds);
        psb_log_line(PSB_LOGS_FORMATS, "  %-5s %s%s%s", k->mold->ops->fmt, weight, time,
                     k == best ? "; chosen" : "");
    }
}

static psb_err check_auto_mold(const struct X(auto_mat) *by)
{
    PSB_CHECK(by->near == 0 || by->near >= 1, PSB_EARG,
              "the mold's near is %g; expected >= 1, or 0 for no trial", by->near);
    PSB_CHECK(by->seconds >= 0 && by->seconds < INFINITY, PSB_EARG,
              "the mold's seconds are %g; expected >= 0, and finite", by->seconds);
    return PSB_OK;
}

psb_err X(auto_choose)(const struct X(mat) *mold, struct X(mat) *a, const struct X(mat) **chosen)
{
    const struct X(auto_mat) *by = (const struct X(auto_mat) *)mold;
    const struct psb_device *on = X(mat_dev)(by->rule->mold)->device();
    const bool device_is_missing = is_for_devices(by->rule->mold) && !on;
    struct choice c = { .a = a, .csr = X(csr_weighs)(a->nrows, a->nnz) };
    struct X(compressed) rows;
    struct X(mat) *made;
    PSB_TRY(check_auto_mold(by));
    PSB_TRY(X(csr_view)(a, &rows, &made));
    const struct candidate *best = NULL;
    if (by->near > 0)
        weigh_all(&c, &rows, on != NULL);
    else
        best = choose_by_rule(&c, &rows, device_is_missing ? X(auto_mold).rule : by->rule);
    X(mat_free)(made); /* before trials, which need memory */
    if (!best) {
        PSB_TRY(time_light_formats(&c, by, on));
        best = best_of(&c);
    }
    PSB_CHECK(best->why == PSB_OK, best->why, "no format could be weighed");
    psb_note("%s takes %s, %s", mold->ops->fmt, best->mold->ops->fmt,
             by->near > 0 ? "the fastest that was tried" : "light enough by its rule");
    if (psb_logs(PSB_LOGS_FORMATS) && a->nnz > 0)
        print_choice(&c, best);
    if (on && a->nnz < WORTH_A_LAUNCH)
        psb_hint_launch(best->mold->ops->fmt, a->nnz);
    *chosen = best->mold;
    return PSB_OK;
}

static const struct X(auto_offer) auto_rule[] = {
    { &X(dia_mold).mat, 1 },
    { &X(hdia_mold).mat, 1 },
    { &X(sell_mold).mat, 1.2 },
    { &X(csr_mold).mat, INFINITY },
};

static const struct X(mat_ops) auto_ops = {
    .super = &X(root_mold),
    .fmt = "AUTO",
    .size = sizeof(struct X(auto_mat)),
    .storage.choose = X(auto_choose),
};

static const struct X(mat_ops) tuned_ops = {
    .super = &X(root_mold),
    .fmt = "TUNED",
    .size = sizeof(struct X(auto_mat)),
    .storage.choose = X(auto_choose),
};

const struct X(auto_mat) X(auto_mold) = { .mat.ops = &auto_ops, .rule = auto_rule };
const struct X(auto_mat)
    X(tuned_mold) = { .mat.ops = &tuned_ops, .rule = auto_rule, .near = 1.5, .seconds = 2e-3 };
