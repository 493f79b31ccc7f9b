/* factor_passes.c -- room: linsolve.  Values of incomplete factors by one pass over the rows, or by sweeps.
 */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"
#include "factor_inside.t.h"

/* The values that rows read of each other. */
struct values {
    T *of, *inv;
};

/* The triangle whose values rows read. */
static struct X(compressed) *read_by_rows(struct X(ldu) *f)
{
    return f->upper.ptr ? &f->upper : &f->lower;
}

/* One pass that reads and writes these values. */
static psb_err run(struct X(ldu) *f, struct values from, struct values to, T *w,
                   psb_err (*pass)(struct X(ldu) *f, T *w))
{
    read_by_rows(f)->val = to.of;
    f->inv = to.inv;
    f->known = from.of;
    f->known_inv = from.inv;
    f->boosted = 0;
    return pass(f, w);
}

/* The sweeps write to their own values and to `other`, all 0, in turns; the last one to their own. */
static psb_err sweep(struct X(ldu) *f, struct values other, T *w, psb_err (*pass)(struct X(ldu) *f, T *w))
{
    const struct values side[2] = { { read_by_rows(f)->val, f->inv }, other };
    const size_t nnz = (size_t)read_by_rows(f)->ptr[f->n], n = (size_t)f->n;
    memset(side[0].of, 0, nnz * sizeof(T));
    memset(side[0].inv, 0, n * sizeof(T));
    psb_err e = PSB_OK;
    const int sweeps = f->o->sweeps < f->n ? f->o->sweeps : f->n; /* n of them give the exact factors */
    for (int left = sweeps - 1; left >= 0 && e == PSB_OK; left--) {
        f->between = left > 0;
        e = run(f, side[1 - left % 2], side[left % 2], w, pass);
    }
    read_by_rows(f)->val = side[0].of;
    f->inv = side[0].inv;
    return e;
}

static psb_err run_passes(struct X(ldu) *f, struct values *other, T *w,
                          psb_err (*pass)(struct X(ldu) *f, T *w))
{
    const struct values own = { read_by_rows(f)->val, f->inv };
    if (f->o->sweeps == 0)
        return run(f, own, own, w, pass);
    PSB_TRY(psb_alloc_zero(&other->of, (size_t)read_by_rows(f)->ptr[f->n], sizeof(T), "values of a sweep"));
    PSB_TRY(psb_alloc_zero(&other->inv, (size_t)f->n, sizeof(T), "pivots of a sweep"));
    return sweep(f, *other, w, pass);
}

psb_err X(ldu_passes)(struct X(ldu) *f, psb_err (*pass)(struct X(ldu) *f, T *w))
{
    struct values other = { NULL, NULL };
    T *w;
    PSB_TRY(psb_alloc_zero(&w, (size_t)f->n, sizeof *w, "row of factors"));
    psb_err e = run_passes(f, &other, w, pass);
    psb_free(other.of);
    psb_free(other.inv);
    psb_free(w);
    return PSB_PASS(e);
}
