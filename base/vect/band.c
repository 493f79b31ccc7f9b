/* band.c -- base/vect: banded systems. */
#include "vect.h"
#include "band_parts.h"
#include "psb_type.h"

enum { DEVICE_FROM = 64, MOST_DIAGONALS = 2 * PSB_MOST_WIDTH + 1 };

/* *len = the number of elements from the first one of n, at strides of their own in three directions, to the
 * last one.  Strides are such that no two elements have one place. */
static psb_err find_extent(const psb_epk n[3], const psb_epk stride[3], psb_epk *len)
{
    static const char *const names[] = { "row", "system", "rhs" };
    bool done[3] = { false };
    *len = 1;
    for (int turn = 0; turn < 3; turn++) {
        int next = -1;
        for (int i = 0; i < 3; i++)
            if (!done[i] && (next < 0 || n[i] < 2 || (n[next] > 1 && stride[i] < stride[next])))
                next = i;
        done[next] = true;
        if (n[next] < 2)
            continue;
        PSB_CHECK(stride[next] >= *len && stride[next] <= (INT64_MAX / 64 - *len) / n[next], PSB_EARG,
                  "argument b->%s is %" PRId64 "; expected at least %" PRId64
                  ", so that elements have places of their own in memory",
                  names[next], stride[next], *len);
        *len += (n[next] - 1) * stride[next];
    }
    return PSB_OK;
}

static psb_err check_band(const psb_band *b)
{
    PSB_NEED(b, "a description of systems");
    PSB_CHECK(b->width >= 1 && b->width <= PSB_MOST_WIDTH, PSB_EARG,
              "argument b->width is %d; expected 1 <= width <= %d", b->width, PSB_MOST_WIDTH);
    PSB_CHECK(b->n >= 0 && b->systems >= 0 && b->nrhs >= 0, PSB_EARG,
              "argument b has n %d, systems %d, nrhs %d; expected none below 0", b->n, b->systems, b->nrhs);
    return PSB_OK;
}

static psb_err check_diagonals(const psb_band *b, const T *const *diag, const T *x,
                               const struct psb_device *on)
{
    static const char *const names[] = { "diag[0]", "diag[1]", "diag[2]", "diag[3]", "diag[4]" };
    PSB_NEED(x, "right-hand sides");
    PSB_NEED(diag, "the diagonals");
    for (int d = 0; d <= 2 * b->width; d++) {
        PSB_CHECK(diag[d], PSB_EARG, "argument diag[%d] is NULL; expected %d diagonals", d, 2 * b->width + 1);
        PSB_TRY(psb_dual_check(on, names[d], diag[d], sizeof *x));
    }
    return psb_dual_check(on, "x", x, sizeof *x);
}

/* Solve on side s; arrays[0]: x, then the diagonals. */
static psb_err solve_on(enum psb_side s, const psb_band *b, struct psb_dual *arrays, psb_epk *bad)
{
    const T *diag[MOST_DIAGONALS];
    T *x;
    for (int d = 0; d <= 2 * b->width; d++)
        PSB_TRY(psb_dual_read(&arrays[d + 1], s, &diag[d]));
    PSB_TRY(psb_dual_update(&arrays[0], s, &x));
    return X(vec)(s, arrays[0].on)->band(b, diag, x, bad);
}

static psb_err solve_arrays(const psb_band *b, const T *const *diag, T *x, psb_epk len, psb_epk len_diag,
                            const struct psb_device *on, psb_epk *bad)
{
    const enum psb_side at = on ? PSB_DEV : PSB_HOST;
    const bool few = (psb_epk)b->systems * b->nrhs < DEVICE_FROM && !band_has_parts(b);
    const enum psb_side s = few || !X(vec)(at, on)->band ? PSB_HOST : at;
    struct psb_dual arrays[MOST_DIAGONALS + 1] = { { 0 } };
    psb_err e = psb_dual_lend(&arrays[0], (size_t)len, sizeof *x, on, "right-hand sides", at, x);
    for (int d = 0; d <= 2 * b->width; d++)
        PSB_THEN(e,
                 psb_dual_lend(&arrays[d + 1], (size_t)len_diag, sizeof *x, on, "a diagonal", at, diag[d]));
    PSB_THEN(e, solve_on(s, b, arrays, bad));
    PSB_THEN(e, psb_dual_read(&arrays[0], at, &x));
    for (int d = 0; d <= MOST_DIAGONALS; d++)
        psb_dual_free(&arrays[d]);
    return e;
}

psb_err X(band_solve)(const psb_band *b, const T *const *diag, T *x, const struct psb_vmold *mold)
{
    const struct psb_device *on = mold && mold->device ? mold->device() : NULL;
    psb_epk len, len_diag, bad = -1;
    PSB_TRY(check_band(b));
    if (b->n == 0 || b->systems == 0 || b->nrhs == 0)
        return PSB_OK;
    const psb_epk stride[] = { b->row, b->system, b->rhs };
    PSB_TRY(check_diagonals(b, diag, x, on));
    PSB_TRY(find_extent((const psb_epk[]){ b->n, b->systems, b->nrhs }, stride, &len));
    PSB_TRY(find_extent((const psb_epk[]){ b->n, b->systems, 1 }, stride, &len_diag));
    PSB_TRY(solve_arrays(b, diag, x, len, len_diag, on, &bad));
    PSB_CHECK(bad < 0, PSB_EPIVOT, "the pivot of row %d in system %d is 0; expected %s", (int)(bad % b->n),
              (int)(bad / b->n), b->pivot ? "a matrix that is not singular" : "b->pivot, if not singular");
    return PSB_OK;
}
