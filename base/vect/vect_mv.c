/* vect_mv.c -- base/vect: the product of a local matrix, and the solve with a local triangle, for vectors. */
#include "vect.h"
#include "psb_trace.h"
#include "mat_inside.h"
#include "psb_type.h"

enum psb_side X(mat_side)(const struct X(mat) *a, char trans, const struct X(vect) *x,
                          const struct X(vect) *y)
{
    const struct X(mat_dev_ops) *dev = X(mat_dev)(a);
    const int can = dev->csmm && (trans == 'N' || dev->transposed);
    if (x->v.on != a->on || y->v.on != a->on)
        psb_hint_places(a->ops->fmt, a->on, x->v.on, y->v.on);
    if (can && !a->on)
        psb_hint_no_device(a->ops->fmt);
    return can && a->on && x->v.on == a->on && y->v.on == a->on ? PSB_DEV : PSB_HOST;
}

psb_err X(mat_vect_mv)(T alpha, const struct X(mat) *a, const struct X(vect) *x, T beta, struct X(vect) *y,
                       char trans)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED_HANDLE(y, "a vector");
    PSB_TRY(X(check_trans)(trans));
    const psb_ipk nx = trans == 'N' ? a->ncols : a->nrows, ny = trans == 'N' ? a->nrows : a->ncols;
    PSB_CHECK(x->n >= nx, PSB_EARG, "argument x has %d elements; expected at least %d", x->n, nx);
    PSB_CHECK(y->n >= ny, PSB_EARG, "argument y has %d elements; expected at least %d", y->n, ny);
    PSB_CHECK(x != y, PSB_EARG, "arguments x and y are the same vector; expected two");
    PSB_CHECK(x->ncols == y->ncols, PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many",
              x->ncols, y->ncols);
    enum psb_side s = X(mat_side)(a, trans, x, y);
    const unsigned was = y->v.valid;
    const T *px;
    T *py;
    PSB_TRY(psb_dual_read(&x->v, s, &px));
    PSB_TRY(X(vect_open)(y, s, beta == 0 && ny == y->n, &py));
    psb_err e = X(mat_mm_on)(s, alpha, a, x->ncols, px, beta, py, trans);
    if (e != PSB_OK)
        psb_dual_undo(&y->v, s, was);
    return PSB_PASS(e);
}

/* --- triangular solve ----------------------------------------------------------------------------------- */

static psb_err check_length(const struct X(vect) *v, const char *name, psb_ipk n)
{
    PSB_CHECK(psb_is_live(v), PSB_EARG, "argument %s is %s; expected a vector", name, psb_handle_state(v));
    PSB_CHECK(v->n >= n, PSB_EARG, "argument %s has %d rows; expected at least %d", name, v->n, n);
    return PSB_OK;
}

static psb_err check_solve(const struct X(mat) *t, const struct X(vect) *x, const struct X(vect) *y,
                           char trans, char scale, const struct X(vect) *d)
{
    PSB_NEED_HANDLE(t, "a matrix");
    PSB_TRY(X(check_trans)(trans));
    PSB_CHECK(scale == 'U' || scale == 'L' || scale == 'R', PSB_EARG,
              "argument scale is '%c'; expected 'U', 'L' or 'R'", scale);
    PSB_TRY(check_length(x, "x", t->nrows));
    PSB_TRY(check_length(y, "y", t->nrows));
    PSB_TRY(X(vect_check_idle)(y));
    PSB_CHECK(x->ncols == y->ncols, PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many",
              x->ncols, y->ncols);
    if (scale == 'U')
        return PSB_OK;
    PSB_TRY(check_length(d, "d", t->nrows));
    PSB_CHECK(d->ncols == 1, PSB_EARG, "argument d has %d columns; expected one", d->ncols);
    return PSB_OK;
}

static psb_err solve_on_device(T alpha, const struct X(mat) *t, const struct X(vect) *x, T beta,
                               struct X(vect) *y, char trans, char scale, const struct X(vect) *d)
{
    const unsigned was = y->v.valid;
    const T *px, *pd = NULL;
    T *py;
    PSB_TRY(psb_dual_read(&x->v, PSB_DEV, &px));
    if (d)
        PSB_TRY(psb_dual_read(&d->v, PSB_DEV, &pd));
    PSB_TRY(X(vect_open)(y, PSB_DEV, beta == 0 && x != y && t->nrows == y->n, &py));
    psb_err e = X(mat_sm_dev)(alpha, t, x->ncols, px, beta, py, trans, scale, pd);
    if (e != PSB_OK)
        psb_dual_undo(&y->v, PSB_DEV, was);
    return e;
}

psb_err X(mat_vect_sv)(T alpha, const struct X(mat) *t, const struct X(vect) *x, T beta, struct X(vect) *y,
                       char trans, char scale, const struct X(vect) *d)
{
    const T *px, *pd = NULL;
    T *py;
    PSB_TRY(check_solve(t, x, y, trans, scale, d));
    d = scale == 'U' ? NULL : d;
    if (t->on && x->v.on == t->on && y->v.on == t->on && (!d || d->v.on == t->on) &&
        X(mat_solves_on_device)(t, trans))
        return PSB_PASS(solve_on_device(alpha, t, x, beta, y, trans, scale, d));
    PSB_TRY(X(host_read)(x, &px));
    if (d)
        PSB_TRY(X(host_read)(d, &pd));
    PSB_TRY(X(vect_open)(y, PSB_HOST, beta == 0 && x != y && t->nrows == y->n, &py));
    return PSB_PASS(X(mat_cssm)(alpha, t, x->ncols, px, beta, py, trans, scale, pd));
}
