/* factor.c -- linsolve: incomplete factors: creation, renewal, solves. */
#include "psb_linsolve.h"
#include "pattern_term.h"
#include "psb_alloc.h"
#include <assert.h>
#include <string.h>
#include "psb_type.h"
#include "factor_inside.t.h"

static const struct X(factor_kind) *const kinds[PSB_NFACTORS] = {
    [PSB_ILU0] = &X(factor_ilu0), [PSB_MILU0] = &X(factor_milu0), [PSB_ILUK] = &X(factor_iluk),
    [PSB_ILUT] = &X(factor_ilut), [PSB_IC0] = &X(factor_ic0),     [PSB_BILU0] = &X(factor_bilu0),
    [PSB_BIC0] = &X(factor_bic0),
};

/* --- the matrix ----------------------------------------------------------------------------------------- */

/* *twice = whether an entry is stored twice. */
static uint64_t hash_pattern(const struct X(compressed) *a, bool *twice)
{
    uint64_t h = 0;
    *twice = false;
    for (psb_ipk i = 0; i < a->n; i++) {
        psb_ipk before = -1;
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; before = a->idx[k++]) {
            h += psb_pattern_term(i, a->idx[k]);
            *twice = *twice || a->idx[k] == before;
        }
    }
    return h;
}

static psb_err check_square(const struct X(mat) *a)
{
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_CHECK(X(mat_get_nrows)(a) == X(mat_get_ncols)(a), PSB_EARG,
              "argument a is %d by %d; expected a square matrix", X(mat_get_nrows)(a), X(mat_get_ncols)(a));
    return PSB_OK;
}

/* Name the first entry that is stored twice. */
static psb_err stored_twice(const struct X(ldu) *f)
{
    const struct X(compressed) *a = &f->a;
    for (psb_ipk i = 0; i < a->n; i++)
        for (psb_epk k = a->ptr[i] + 1; k < a->ptr[i + 1]; k++)
            PSB_CHECK(a->idx[k - 1] != a->idx[k], PSB_EARG,
                      "argument a stores column %d of row %" PRId64 " twice; expected each entry once",
                      a->idx[k], X(ldu_row)(f, i));
    return PSB_OK;
}

/* --- creation ------------------------------------------------------------------------------------------- */

/* Mark t as a unit triangle. */
static psb_err mark_triangle(struct X(mat) *t, bool upper)
{
    PSB_TRY(X(mat_set_triangle)(t, 1));
    PSB_TRY(upper ? X(mat_set_upper)(t, 1) : X(mat_set_lower)(t, 1));
    return X(mat_set_unit)(t, 1);
}

/* The same, and convert it to the mold. */
static psb_err finish_triangle(struct X(mat) **t, bool upper, const struct X(mat) *mold)
{
    PSB_TRY(mark_triangle(*t, upper));
    return X(mat_in_format)(t, mold);
}

psb_err X(unit_identity)(psb_ipk n, const struct X(mat) *mold, struct X(mat) **one)
{
    struct X(compressed) none;
    PSB_TRY(X(csr_make)(n, n, 0, one, &none));
    memset(none.ptr, 0, ((size_t)n + 1) * sizeof *none.ptr);
    return PSB_PASS(finish_triangle(one, false, mold));
}

/* Move the computed factors to `new`. */
static psb_err finish_factors(struct X(ldu) *f, const struct X(mat) *mold, struct X(factor) *new)
{
    PSB_TRY(finish_triangle(&f->l, false, mold));
    if (f->u)
        PSB_TRY(finish_triangle(&f->u, true, mold));
    PSB_TRY(X(unit_identity)(f->n, mold, &new->one));
    new->boosted = f->boosted;
    new->inv = f->inverse;
    new->l = f->l;
    new->u = f->u;
    f->inverse = NULL;
    f->l = f->u = NULL;
    return PSB_OK;
}

static void clear_factor(struct X(factor) *f)
{
    X(mat_free)(f->l);
    X(mat_free)(f->u);
    X(mat_free)(f->one);
    X(gefree)(f->inv);
    X(gefree)(f->conj_inv);
    X(gefree)(f->work[0]);
    X(gefree)(f->work[1]);
    X(gefree)(f->next_inv);
    psb_dual_free(&f->next[0]);
    psb_dual_free(&f->next[1]);
    if (f->anew)
        clear_factor(f->anew);
    psb_free(f->anew);
}

/* Compute the values of l, of u, and inv on the device of A. */
static psb_err values_on_device(struct X(ldu) *f, struct X(mat) *l, struct X(mat) *u, struct psb_dual *l_val,
                                struct psb_dual *u_val, struct psb_dual *inv)
{
    struct X(dev_ldu) d = { .l = l,
                            .u = u,
                            .pattern = f->pattern,
                            .l_val = l_val,
                            .u_val = u_val,
                            .inv = inv,
                            .tiny = f->o->tiny,
                            .sweeps = f->o->sweeps };
    if (inv->on != f->on_dev->on)
        return PSB_ENOTIMPL;
    PSB_TRY(X(mat_dev)(f->on_dev)->factor(f->on_dev, &d));
    f->boosted = d.boosted;
    return PSB_OK;
}

static struct X(csr_mat) *as_csr(struct X(mat) *a)
{
    assert(X(mat_is_csr)(a));
    return (struct X(csr_mat) *)a;
}

static struct psb_dual *values_of(struct X(mat) *csr)
{
    return csr ? &as_csr(csr)->val : NULL;
}

static psb_err compute_factors(struct X(ldu) *f, const struct psb_vmold *vmold)
{
    const struct X(factor_kind) *kind = kinds[f->o->kind];
    PSB_TRY(X(vect_new)(&f->inverse, f->n, vmold));
    if (!f->on_dev) {
        PSB_TRY(X(host_write)(f->inverse, &f->inv));
        PSB_TRY(kind->pattern(f));
        return kind->values ? kind->values(f) : PSB_OK;
    }
    PSB_TRY(kind->pattern(f));
    PSB_TRY(mark_triangle(f->l, false));
    if (f->u)
        PSB_TRY(mark_triangle(f->u, true));
    return values_on_device(f, f->l, f->u, values_of(f->l), values_of(f->u), &f->inverse->v);
}

/* Fill `new`, whose options and vmold are set, with the factors of f->a. */
static psb_err build_factor(struct X(factor) *new, struct X(ldu) *f, const struct X(mat) *mold)
{
    bool twice;
    new->n = f->n;
    new->pattern = f->pattern = hash_pattern(&f->a, &twice);
    psb_err e = twice ? stored_twice(f) : compute_factors(f, &new->vmold);
    if (e == PSB_OK)
        e = finish_factors(f, mold, new);
    if (e != PSB_OK)
        clear_factor(new);
    X(mat_free)(f->l);
    X(mat_free)(f->u);
    X(gefree)(f->inverse);
    return e;
}

psb_err X(factor_plan)(const struct X(factor) *f)
{
    struct X(vect) *w;
    PSB_TRY(X(vect_clone)(f->inv, &w));
    psb_err e = X(mat_vect_sv)(1, f->l, w, 0, w, 'N', 'U', NULL);
    if (e == PSB_OK)
        e = X(mat_vect_sv)(1, f->u ? f->u : f->l, w, 0, w, f->u ? 'N' : 'C', 'U', NULL);
    X(gefree)(w);
    return PSB_PASS(e);
}

/* --- on a device, or on the host ------------------------------------------------------------------------ */

/* Compute factors of w->a, or their new values; the factors have the format of mold. */
typedef psb_err factor_step(struct X(factor) *f, struct X(ldu) *w, const struct X(mat) *mold);

/* The mold in which the device of a computes factors in the format of mold; NULL: the host computes them. */
static const struct X(mat) *device_mold(const struct X(factor) *f, const struct X(mat) *a,
                                        const struct X(mat) *mold)
{
    const struct psb_factor_options *o = &f->options;
    if (!mold || !a->on || X(mat_has_ones)(a) || !kinds[o->kind]->on_dev || (CPLX && o->tiny > 0))
        return NULL;
    const struct X(mat_dev_ops) *dev = X(mat_dev)(mold);
    return dev->factor ? mold : dev->solver;
}

/* The pattern of a on the host, and its values on the device. */
static psb_err open_on_device(const struct X(mat) *a, const struct X(mat) *by, struct X(ldu) *w,
                              struct X(mat) **made)
{
    *made = NULL;
    if (!X(mat_is_csr)(a))
        PSB_TRY(X(mat_convert)(a, by, made));
    w->on_dev = *made ? *made : X(mat_mutable)(a);
    w->a.n = w->a.m = w->n;
    PSB_TRY(psb_dual_read(&as_csr(w->on_dev)->irp, PSB_HOST, &w->a.ptr));
    return psb_dual_read(&as_csr(w->on_dev)->ja, PSB_HOST, &w->a.idx);
}

/* by: see device_mold. */
static psb_err open_and_compute(factor_step *step, struct X(factor) *f, const struct X(mat) *a,
                                const psb_desc *rows, const struct X(mat) *mold, const struct X(mat) *by)
{
    struct X(ldu) w = { .o = &f->options, .rows = rows, .n = X(mat_get_nrows)(a) };
    struct X(mat) *made = NULL;
    psb_err e = by ? open_on_device(a, by, &w, &made) : X(mat_full_rows)(a, &w.a, &made);
    if (e == PSB_OK)
        e = step(f, &w, mold);
    X(mat_free)(made);
    return e;
}

/* The host repeats what the device cannot do, or finds an error in, and reports the error. */
static psb_err compute_where_possible(factor_step *step, struct X(factor) *f, const struct X(mat) *a,
                                      const psb_desc *rows, const struct X(mat) *mold)
{
    const struct X(mat) *by = device_mold(f, a, mold);
    if (by) {
        psb_expect_errors(1);
        const psb_err e = open_and_compute(step, f, a, rows, mold, by);
        psb_expect_errors(0);
        if (e == PSB_OK)
            return e;
    }
    return open_and_compute(step, f, a, rows, mold, NULL);
}

psb_err X(factor_bld)(const struct X(mat) *a, const struct psb_factor_options *o, const psb_desc *rows,
                      const struct X(mat) *mold, const struct psb_vmold *vmold, struct X(factor) **f)
{
    struct X(factor) *new;
    PSB_TRY(check_square(a));
    PSB_NEED(f, "where to store the factors");
    if (!o)
        o = &psb_factor_defaults;
    PSB_TRY(psb_factor_check(o));
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "factors"));
    new->options = *o;
    new->vmold = vmold ? *vmold : psb_vect_host;
    psb_err e = compute_where_possible(build_factor, new, a, rows, mold);
    if (e != PSB_OK) {
        psb_free(new);
        return PSB_PASS(e);
    }
    *f = new;
    return PSB_OK;
}

/* --- new values ----------------------------------------------------------------------------------------- */

/* Make new factors, in the formats and places of the old ones. */
static psb_err make_anew(struct X(factor) *f, struct X(ldu) *w)
{
    if (f->anew)
        clear_factor(f->anew);
    else
        PSB_TRY(psb_alloc(&f->anew, 1, sizeof *f->anew, "factors"));
    *f->anew = (struct X(factor)){ .options = f->options, .vmold = f->vmold };
    w->o = &f->anew->options;
    psb_err e = build_factor(f->anew, w, f->l);
    if (e != PSB_OK)
        *f->anew = (struct X(factor)){ .anew = NULL };
    return e;
}

/* *l = the pattern of t, which is CSR, with this memory for the values. */
static psb_err open_pattern(struct X(mat) *t, struct psb_dual *next, struct X(compressed) *l)
{
    l->n = l->m = t->nrows;
    PSB_TRY(psb_dual_read(&as_csr(t)->irp, PSB_HOST, &l->ptr));
    PSB_TRY(psb_dual_read(&as_csr(t)->ja, PSB_HOST, &l->idx));
    return psb_dual_write(next, PSB_HOST, &l->val);
}

/* Compute new values, in memory of their own, for f, whose triangles are CSR. */
static psb_err compute_values(struct X(factor) *f, struct X(ldu) *w)
{
    struct X(mat) *const t[2] = { f->l, f->u };
    if (!f->next_inv)
        PSB_TRY(X(vect_new)(&f->next_inv, f->n, &f->vmold));
    for (int i = 0; i < 2 && t[i]; i++)
        if (!f->next[i].size)
            PSB_TRY(psb_dual_init(&f->next[i], (size_t)t[i]->nnz, sizeof(T), t[i]->on, "values of factors"));
    w->pattern = f->pattern;
    if (w->on_dev) {
        PSB_TRY(values_on_device(w, f->l, f->u, &f->next[0], &f->next[1], &f->next_inv->v));
    } else {
        PSB_TRY(open_pattern(f->l, &f->next[0], &w->lower));
        if (f->u)
            PSB_TRY(open_pattern(f->u, &f->next[1], &w->upper));
        PSB_TRY(X(host_write)(f->next_inv, &w->inv));
        PSB_TRY(kinds[f->options.kind]->values(w));
    }
    f->next_boosted = w->boosted;
    return PSB_OK;
}

/* If the factors are CSR the device compares the patterns. */
static psb_err prepare_values(struct X(factor) *f, struct X(ldu) *w, const struct X(mat) *mold)
{
    const bool is_csr = X(mat_is_csr)(mold);
    bool twice;
    if (!kinds[f->options.kind]->values)
        return make_anew(f, w);
    PSB_CHECK((w->on_dev && is_csr) || hash_pattern(&w->a, &twice) == f->pattern, PSB_EARG,
              "argument a has another pattern than the matrix that was factored");
    return is_csr ? compute_values(f, w) : make_anew(f, w);
}

psb_err X(factor_prepare)(struct X(factor) *f, const struct X(mat) *a, const psb_desc *rows)
{
    PSB_NEED_HANDLE(f, "factors");
    PSB_TRY(check_square(a));
    PSB_CHECK(X(mat_get_nrows)(a) == f->n, PSB_EARG, "argument a has %d rows; expected the %d of the factors",
              X(mat_get_nrows)(a), f->n);
    return PSB_PASS(compute_where_possible(prepare_values, f, a, rows, f->l));
}

void X(factor_take)(struct X(factor) *f)
{
    struct X(factor) *anew = f->anew;
    if (anew) {
        f->anew = NULL;
        clear_factor(f);
        *f = *anew;
        psb_free(anew);
        return;
    }
    struct X(vect) *inv = f->inv;
    f->inv = f->next_inv;
    f->next_inv = inv;
    psb_dual_swap(values_of(f->l), &f->next[0]);
    if (f->u)
        psb_dual_swap(values_of(f->u), &f->next[1]);
    X(gefree)(f->conj_inv);
    f->conj_inv = NULL;
    f->boosted = f->next_boosted;
}

psb_err X(factor_renew)(struct X(factor) *f, const struct X(mat) *a, const psb_desc *rows)
{
    PSB_TRY(X(factor_prepare)(f, a, rows));
    X(factor_take)(f);
    return PSB_OK;
}

/* --- solves --------------------------------------------------------------------------------------------- */

/* y = op(t)^-1 D x, D = diag(d) or, if d is NULL, the identity. */
static psb_err solve_exactly(const struct X(mat) *t, const struct X(vect) *x, struct X(vect) *y, char op,
                             const struct X(vect) *d)
{
    return X(mat_vect_sv)(1, t, x, 0, y, op, d ? 'R' : 'U', d);
}

/* The same by Jacobi sweeps, unless their number is 0: y = b + y - op(t) y, from y = b = D x. */
static psb_err solve_triangle(struct X(factor) *f, const struct X(mat) *t, const struct X(vect) *x,
                              struct X(vect) *y, char op, const struct X(vect) *d, int sweeps)
{
    if (sweeps == 0)
        return solve_exactly(t, x, y, op, d);
    for (int i = 0; i < 2; i++) {
        struct X(vect) *w = f->work[i];
        if (w && w->n == y->n && w->ncols == y->ncols)
            continue;
        X(gefree)(w);
        f->work[i] = NULL;
        PSB_TRY(X(vect_new_n)(&f->work[i], y->n, y->ncols, &f->vmold));
    }
    struct X(vect) *b = f->work[0], *w = f->work[1];
    PSB_TRY(solve_exactly(f->one, x, b, 'N', d));
    PSB_TRY(X(mat_vect_mv)(1, f->one, b, 0, y, 'N'));
    for (int k = 0; k < sweeps && k < t->nrows; k++) { /* t->nrows of them are exact but for roundings */
        PSB_TRY(X(mat_vect_mv)(1, f->one, b, 0, w, 'N'));
        PSB_TRY(X(mat_vect_mv)(1, f->one, y, 1, w, 'N'));
        PSB_TRY(X(mat_vect_mv)(-1, t, y, 1, w, op));
        PSB_TRY(X(mat_vect_mv)(1, f->one, w, 0, y, 'N'));
    }
    return PSB_OK;
}

/* Replace the first n rows of y by their conjugates. */
static psb_err conjugate_rows(psb_ipk n, struct X(vect) *y)
{
    T *p;
    PSB_TRY(X(host_update)(y, &p));
    for (size_t i = 0; i < (size_t)n * (size_t)y->ncols; i++)
        p[i] = CONJ(p[i]);
    return PSB_OK;
}

/* *d = the inverse of D, or its conjugate, which is made when it is first used. */
static psb_err inverse_for(struct X(factor) *f, char op, struct X(vect) **d)
{
    *d = f->inv;
    if (!CPLX || op != 'C' || !f->u)
        return PSB_OK;
    if (!f->conj_inv) {
        PSB_TRY(X(vect_clone)(f->inv, &f->conj_inv));
        PSB_TRY(conjugate_rows(f->n, f->conj_inv));
    }
    *d = f->conj_inv;
    return PSB_OK;
}

/* y = op(L D U)^-1 x: U^-1 D^-1 L^-1, or op(L)^-1 op(D)^-1 op(U)^-1. */
static psb_err solve_ldu(struct X(factor) *f, const struct X(vect) *x, struct X(vect) *y, char op, int sweeps)
{
    const struct X(mat) *first = op == 'N' ? f->l : f->u, *second = op == 'N' ? f->u : f->l;
    struct X(vect) *d;
    PSB_TRY(inverse_for(f, op, &d));
    PSB_TRY(solve_triangle(f, first, x, y, op, NULL, sweeps));
    return solve_triangle(f, second, y, y, op, d, sweeps);
}

/* y = (L D L^H)^-1 x. */
static psb_err solve_ldl(struct X(factor) *f, const struct X(vect) *x, struct X(vect) *y, int sweeps)
{
    PSB_TRY(solve_triangle(f, f->l, x, y, 'N', NULL, sweeps));
    return solve_triangle(f, f->l, y, y, 'C', f->inv, sweeps);
}

/* y = (L D L^H)^-T x, which is the conjugate of the solution for the conjugate of x. */
static psb_err solve_ldl_transposed(struct X(factor) *f, const struct X(vect) *x, struct X(vect) *y,
                                    int sweeps)
{
    PSB_TRY(solve_exactly(f->one, x, y, 'N', NULL));
    PSB_TRY(conjugate_rows(f->n, y));
    PSB_TRY(solve_ldl(f, y, y, sweeps));
    return conjugate_rows(f->n, y);
}

psb_err X(factor_solve)(const struct X(factor) *f, const struct X(vect) *x, struct X(vect) *y, char trans,
                        int sweeps)
{
    struct X(factor) *g = (struct X(factor) *)f; /* work vectors are no part of its value */
    PSB_NEED_HANDLE(f, "factors");
    PSB_NEED_HANDLE(x, "a vector");
    PSB_NEED_HANDLE(y, "a vector");
    PSB_CHECK(trans == 'N' || trans == 'T' || trans == 'C', PSB_EARG,
              "argument trans is '%c'; expected 'N', 'T' or 'C'", trans);
    PSB_CHECK(sweeps >= 0, PSB_EARG, "argument sweeps is %d; expected >= 0", sweeps);
    PSB_CHECK(x->n >= f->n && y->n >= f->n, PSB_EARG,
              "arguments x (rows: %d) and y (%d); expected at least %d", x->n, y->n, f->n);
    PSB_CHECK(x->ncols == y->ncols, PSB_EARG, "arguments x (columns: %d) and y (%d) differ; expected as many",
              x->ncols, y->ncols);
    if (f->u)
        return PSB_PASS(solve_ldu(g, x, y, trans, sweeps));
    if (CPLX && trans == 'T')
        return PSB_PASS(solve_ldl_transposed(g, x, y, sweeps));
    return PSB_PASS(solve_ldl(g, x, y, sweeps));
}

/* --- queries -------------------------------------------------------------------------------------------- */

psb_epk X(factor_nnz)(const struct X(factor) *f)
{
    if (!psb_is_live(f))
        return 0;
    return X(mat_get_nzeros)(f->l) + X(mat_get_nzeros)(f->u) + f->n;
}

size_t X(factor_bytes)(const struct X(factor) *f)
{
    if (!psb_is_live(f))
        return 0;
    return X(mat_bytes)(f->l) + X(mat_bytes)(f->u) + X(mat_bytes)(f->one) + X(vect_sizeof)(f->inv) +
           X(vect_sizeof)(f->conj_inv) + X(vect_sizeof)(f->work[0]) + X(vect_sizeof)(f->work[1]) +
           X(vect_sizeof)(f->next_inv) + f->next[0].bytes + f->next[1].bytes;
}

psb_epk X(factor_boosted)(const struct X(factor) *f)
{
    return psb_is_live(f) ? f->boosted : 0;
}

void X(factor_free)(struct X(factor) *f)
{
    if (!psb_may_free(f, "psb_factor_free"))
        return;
    clear_factor(f);
    psb_retire(f, sizeof *f);
}
