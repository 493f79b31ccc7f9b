/* factor.c -- room: linsolve.  Incomplete factors: creation, renewal, solves. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <string.h>
#include "psb_type.h"
#include "factor_inside.t.h"

static const struct X(factor_kind) *const kinds[PSB_NFACTORS] = {
    [PSB_ILU0] = &X(factor_ilu0), [PSB_MILU0] = &X(factor_milu0), [PSB_ILUK] = &X(factor_iluk),
    [PSB_ILUT] = &X(factor_ilut), [PSB_IC0] = &X(factor_ic0),     [PSB_BILU0] = &X(factor_bilu0),
    [PSB_BIC0] = &X(factor_bic0),
};

/* --- the matrix ----------------------------------------------------------------------------------------- */

/* A number that two patterns share by chance only, once in 2^64: the sum of the mixed bits of every place.
 * *twice = 1 if an entry is stored twice. */
static uint64_t hash_of(const struct X(compressed) *a, int *twice)
{
    uint64_t h = (uint64_t)a->n;
    *twice = 0;
    for (psb_ipk i = 0; i < a->n; i++) {
        psb_ipk before = -1;
        for (psb_epk k = a->ptr[i]; k < a->ptr[i + 1]; before = a->idx[k++]) {
            uint64_t v = ((uint64_t)i << 32 | (uint64_t)a->idx[k]) * 0x9e3779b97f4a7c15u;
            v = (v ^ v >> 32) * 0xd6e8feb86659fd93u;
            h += v ^ v >> 32;
            *twice |= a->idx[k] == before;
        }
    }
    return h;
}

static psb_err check_matrix(const struct X(mat) *a)
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

/* Mark *t as a unit triangle, and convert it to the mold. */
static psb_err finish_triangle(struct X(mat) **t, int upper, const struct X(mat) *mold)
{
    PSB_TRY(X(mat_set_triangle)(*t, 1));
    PSB_TRY(upper ? X(mat_set_upper)(*t, 1) : X(mat_set_lower)(*t, 1));
    PSB_TRY(X(mat_set_unit)(*t, 1));
    return mold && mold->ops != (*t)->ops ? X(mat_cscnv)(t, mold) : PSB_OK;
}

psb_err X(unit_identity)(psb_ipk n, const struct X(mat) *mold, struct X(mat) **one)
{
    struct X(compressed) none;
    PSB_TRY(X(csr_make)(n, n, 0, one, &none));
    memset(none.ptr, 0, ((size_t)n + 1) * sizeof *none.ptr);
    return PSB_PASS(finish_triangle(one, 0, mold));
}

/* Move the computed factors to `new`. */
static psb_err finish(struct X(ldu) *f, const struct X(mat) *mold, struct X(factor) *new)
{
    PSB_TRY(finish_triangle(&f->l, 0, mold));
    if (f->u)
        PSB_TRY(finish_triangle(&f->u, 1, mold));
    PSB_TRY(X(unit_identity)(f->n, mold, &new->one));
    new->boosted = f->boosted;
    new->inv = f->inverse;
    new->l = f->l;
    new->u = f->u;
    f->inverse = NULL;
    f->l = f->u = NULL;
    return PSB_OK;
}

static void clear(struct X(factor) *f)
{
    X(mat_free)(f->l);
    X(mat_free)(f->u);
    X(mat_free)(f->one);
    X(gefree)(f->inv);
    X(gefree)(f->conj_inv);
    X(gefree)(f->work[0]);
    X(gefree)(f->work[1]);
    X(gefree)(f->next_inv);
    psb_free(f->next[0]);
    psb_free(f->next[1]);
    if (f->anew)
        clear(f->anew);
    psb_free(f->anew);
}

static psb_err compute(struct X(ldu) *f, const struct psb_vmold *vmold)
{
    const struct X(factor_kind) *kind = kinds[f->o->kind];
    PSB_TRY(X(vect_new)(&f->inverse, f->n, vmold));
    PSB_TRY(X(host_write)(f->inverse, &f->inv));
    PSB_TRY(kind->pattern(f));
    return kind->values ? kind->values(f) : PSB_OK;
}

/* Fill `new`, whose options and vmold are set. */
static psb_err build(const struct X(compressed) *a, const psb_desc *rows, const struct X(mat) *mold,
                     struct X(factor) *new)
{
    struct X(ldu) f = { .a = *a, .o = &new->options, .rows = rows, .n = a->n };
    int twice;
    new->n = a->n;
    new->pattern = hash_of(a, &twice);
    psb_err e = twice ? stored_twice(&f) : compute(&f, &new->vmold);
    if (e == PSB_OK)
        e = finish(&f, mold, new);
    if (e != PSB_OK)
        clear(new);
    X(mat_free)(f.l);
    X(mat_free)(f.u);
    X(gefree)(f.inverse);
    return e;
}

psb_err X(factor_bld)(const struct X(mat) *a, const struct psb_factor_options *o, const psb_desc *rows,
                      const struct X(mat) *mold, const struct psb_vmold *vmold, struct X(factor) **f)
{
    struct X(factor) *new;
    struct X(compressed) view;
    struct X(mat) *made;
    PSB_TRY(check_matrix(a));
    PSB_NEED(f, "where to store the factors");
    if (!o)
        o = &psb_factor_defaults;
    PSB_TRY(psb_factor_check(o));
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "factors"));
    new->options = *o;
    new->vmold = vmold ? *vmold : psb_vect_host;
    psb_err e = X(mat_full_rows)(a, &view, &made);
    if (e == PSB_OK) {
        e = build(&view, rows, mold, new);
        X(mat_free)(made);
    }
    if (e != PSB_OK) {
        psb_free(new);
        return PSB_PASS(e);
    }
    *f = new;
    return PSB_OK;
}

/* --- new values ----------------------------------------------------------------------------------------- */

/* Make new factors, in the formats and places of the old ones. */
static psb_err make_anew(struct X(factor) *f, const struct X(compressed) *a, const psb_desc *rows)
{
    if (f->anew)
        clear(f->anew);
    else
        PSB_TRY(psb_alloc(&f->anew, 1, sizeof *f->anew, "factors"));
    *f->anew = (struct X(factor)){ .options = f->options, .vmold = f->vmold };
    psb_err e = build(a, rows, f->l, f->anew);
    if (e != PSB_OK)
        *f->anew = (struct X(factor)){ .anew = NULL };
    return e;
}

/* Memory for new values of f. */
static psb_err need_next(struct X(factor) *f)
{
    if (!f->next_inv)
        PSB_TRY(X(vect_new)(&f->next_inv, f->n, &f->vmold));
    if (!f->next[0])
        PSB_TRY(psb_alloc(&f->next[0], (size_t)f->l->nnz, sizeof(T), "values of factors"));
    if (f->u && !f->next[1])
        PSB_TRY(psb_alloc(&f->next[1], (size_t)f->u->nnz, sizeof(T), "values of factors"));
    return PSB_OK;
}

/* The patterns of f, whose triangles are CSR, with that memory for the values. */
static psb_err open_patterns(const struct X(factor) *f, struct X(ldu) *w)
{
    struct X(mat) *none;
    PSB_TRY(X(csr_view)(f->l, &w->lower, &none));
    w->lower.val = f->next[0];
    if (f->u)
        PSB_TRY(X(csr_view)(f->u, &w->upper, &none));
    w->upper.val = f->next[1];
    return X(host_write)(f->next_inv, &w->inv);
}

/* Exchange the values of f and those computed. */
static void exchange(struct X(factor) *f)
{
    f->boosted = f->next_boosted;
    struct X(vect) *inv = f->inv;
    f->inv = f->next_inv;
    f->next_inv = inv;
    psb_dual_exchange(&((struct X(csr_mat) *)f->l)->val, &f->next[0]);
    if (f->u)
        psb_dual_exchange(&((struct X(csr_mat) *)f->u)->val, &f->next[1]);
    X(gefree)(f->conj_inv);
    f->conj_inv = NULL;
}

static psb_err compute_values(struct X(factor) *f, const struct X(compressed) *a, const psb_desc *rows)
{
    struct X(ldu) w = { .a = *a, .o = &f->options, .rows = rows, .n = f->n };
    PSB_TRY(need_next(f));
    PSB_TRY(open_patterns(f, &w));
    PSB_TRY(kinds[f->options.kind]->values(&w));
    f->next_boosted = w.boosted;
    return PSB_OK;
}

static psb_err prepare(struct X(factor) *f, const struct X(compressed) *a, const psb_desc *rows)
{
    int twice;
    if (!kinds[f->options.kind]->values)
        return make_anew(f, a, rows);
    PSB_CHECK(hash_of(a, &twice) == f->pattern, PSB_EARG,
              "argument a has another pattern than the matrix that was factored");
    return X(mat_is_csr)(f->l) ? compute_values(f, a, rows) : make_anew(f, a, rows);
}

psb_err X(factor_prepare)(struct X(factor) *f, const struct X(mat) *a, const psb_desc *rows)
{
    struct X(compressed) view;
    struct X(mat) *made;
    PSB_NEED_HANDLE(f, "factors");
    PSB_TRY(check_matrix(a));
    PSB_CHECK(X(mat_get_nrows)(a) == f->n, PSB_EARG, "argument a has %d rows; expected the %d of the factors",
              X(mat_get_nrows)(a), f->n);
    PSB_TRY(X(mat_full_rows)(a, &view, &made));
    psb_err e = prepare(f, &view, rows);
    X(mat_free)(made);
    return PSB_PASS(e);
}

void X(factor_take)(struct X(factor) *f)
{
    struct X(factor) *anew = f->anew;
    if (!anew) {
        exchange(f);
        return;
    }
    f->anew = NULL;
    clear(f);
    *f = *anew;
    psb_free(anew);
}

psb_err X(factor_renew)(struct X(factor) *f, const struct X(mat) *a, const psb_desc *rows)
{
    PSB_TRY(X(factor_prepare)(f, a, rows));
    X(factor_take)(f);
    return PSB_OK;
}

/* --- solves --------------------------------------------------------------------------------------------- */

/* y = op(t)^-1 D x, D = diag(d) or, if d is NULL, the identity. */
static psb_err exact(const struct X(mat) *t, const struct X(vect) *x, struct X(vect) *y, char op,
                     const struct X(vect) *d)
{
    return X(mat_vect_sv)(1, t, x, 0, y, op, d ? 'R' : 'U', d);
}

/* Two vectors like y, for sweeps. */
static psb_err need_work(struct X(factor) *f, const struct X(vect) *y)
{
    for (int i = 0; i < 2; i++) {
        struct X(vect) *w = f->work[i];
        if (w && w->n == y->n && w->ncols == y->ncols)
            continue;
        X(gefree)(w);
        f->work[i] = NULL;
        PSB_TRY(X(vect_new_n)(&f->work[i], y->n, y->ncols, &f->vmold));
    }
    return PSB_OK;
}

/* The same as `exact` by Jacobi sweeps: y = b + y - op(t) y, from y = b = D x. */
static psb_err sweep(struct X(factor) *f, const struct X(mat) *t, const struct X(vect) *x, struct X(vect) *y,
                     char op, const struct X(vect) *d, int sweeps)
{
    PSB_TRY(need_work(f, y));
    struct X(vect) *b = f->work[0], *w = f->work[1];
    PSB_TRY(exact(f->one, x, b, 'N', d));
    PSB_TRY(X(mat_vect_mv)(1, f->one, b, 0, y, 'N'));
    for (int k = 0; k < sweeps; k++) {
        PSB_TRY(X(mat_vect_mv)(1, f->one, b, 0, w, 'N'));
        PSB_TRY(X(mat_vect_mv)(1, f->one, y, 1, w, 'N'));
        PSB_TRY(X(mat_vect_mv)(-1, t, y, 1, w, op));
        PSB_TRY(X(mat_vect_mv)(1, f->one, w, 0, y, 'N'));
    }
    return PSB_OK;
}

static psb_err solve_triangle(struct X(factor) *f, const struct X(mat) *t, const struct X(vect) *x,
                              struct X(vect) *y, char op, const struct X(vect) *d, int sweeps)
{
    return sweeps ? sweep(f, t, x, y, op, d, sweeps) : exact(t, x, y, op, d);
}

/* Replace the first n rows of y by their conjugates. */
static psb_err conjugate(psb_ipk n, struct X(vect) *y)
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
        PSB_TRY(conjugate(f->n, f->conj_inv));
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
    PSB_TRY(exact(f->one, x, y, 'N', NULL));
    PSB_TRY(conjugate(f->n, y));
    PSB_TRY(solve_ldl(f, y, y, sweeps));
    return conjugate(f->n, y);
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
    const psb_epk next = (f->next[0] ? f->l->nnz : 0) + (f->next[1] ? f->u->nnz : 0);
    return X(mat_bytes)(f->l) + X(mat_bytes)(f->u) + X(mat_bytes)(f->one) + X(vect_sizeof)(f->inv) +
           X(vect_sizeof)(f->conj_inv) + X(vect_sizeof)(f->work[0]) + X(vect_sizeof)(f->work[1]) +
           X(vect_sizeof)(f->next_inv) + (size_t)next * sizeof(T);
}

psb_epk X(factor_boosted)(const struct X(factor) *f)
{
    return psb_is_live(f) ? f->boosted : 0;
}

void X(factor_free)(struct X(factor) *f)
{
    if (!psb_may_free(f, "psb_factor_free"))
        return;
    clear(f);
    psb_retire(f, sizeof *f);
}
