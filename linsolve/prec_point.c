/* prec_point.c -- linsolve: preconditioners of uncoupled rows: none, diagonal, l1-Jacobi. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"
#include "quotient.t.h"

/* --- none ----------------------------------------------------------------------------------------------- */

static psb_err apply_nothing(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    (void)p, (void)trans;
    return X(geaxpby)(1, x, 0, y);
}

const struct X(prec_ops) X(prec_none) = { .apply = apply_nothing };

/* --- the inverse diagonal ------------------------------------------------------------------------------- */

size_t X(inverse_diagonal_bytes)(const struct X(inverse_diagonal) *q)
{
    return X(vect_sizeof)(q->inv) + X(vect_sizeof)(q->wide[0]) + X(vect_sizeof)(q->wide[1]);
}

void X(inverse_diagonal_free)(struct X(inverse_diagonal) *q)
{
    X(gefree)(q->inv);
    X(gefree)(q->wide[0]);
    X(gefree)(q->wide[1]);
}

/* Add to d the moduli of the entries in halo columns, in the direction of the diagonal. */
static psb_err add_halo_moduli(const struct X(spmat) *a, T *d)
{
    const struct X(mat) *halo;
    const psb_ipk *rows;
    R *sum;
    PSB_TRY(X(sp_local)(a, NULL, &halo, &rows));
    psb_ipk n = X(mat_get_nrows)(halo);
    PSB_TRY(psb_alloc(&sum, (size_t)n, sizeof *sum, "sums of moduli"));
    psb_err e = X(mat_arwsum)(halo, sum);
    for (psb_ipk k = 0; k < n && e == PSB_OK; k++) {
        T *di = d + rows[k];
        *di += sum[k] * (*di == 0 ? 1 : *di / ABS(*di));
    }
    psb_free(sum);
    return e;
}

/* d = 1 / d on its device, if all moduli are far inside the range of T; else d is as it was. */
static psb_err invert_on_device(struct X(vect) *d, bool *done)
{
    const R most = (R)ldexp(1, MOST_EXPONENT / 2 - 2);
    struct X(vect) *inv;
    R largest = 0, largest_inv = 0;
    PSB_TRY(X(vect_like)(d, &inv));
    psb_err e = X(geinv)(d, inv);
    PSB_THEN(e, X(geamax_local)(d, &largest));
    PSB_THEN(e, X(geamax_local)(inv, &largest_inv));
    *done = e == PSB_OK && largest <= most && largest_inv <= most;
    if (*done)
        psb_dual_swap(&d->v, &inv->v);
    X(gefree)(inv);
    return e;
}

static psb_err set_inverse(struct X(vect) *inv, const struct X(operator) *op, bool l1, bool keep_zeros)
{
    const psb_desc *rows = inv->desc;
    bool done = false;
    T *d;
    PSB_TRY(X(operator_diagonal)(op, inv));
    if (!l1 && inv->v.valid == PSB_DEV)
        PSB_TRY(invert_on_device(inv, &done));
    if (done)
        return PSB_OK;
    PSB_TRY(X(host_update)(inv, &d));
    if (l1)
        PSB_TRY(add_halo_moduli(op->a, d));
    for (psb_ipk i = 0; i < psb_cd_local_rows(rows); i++) {
        const R size = ABS(d[i]);
        if (d[i] == 0 && keep_zeros)
            d[i] = 1;
        PSB_CHECK(d[i] != 0 && isfinite(size), PSB_EPIVOT,
                  "row %" PRId64 " has a diagonal of modulus %g; expected a finite one that is not 0",
                  psb_loc_to_glob(rows, i), (double)size);
        d[i] = X(quotient)(1, d[i]);
        PSB_CHECK(isfinite(ABS(d[i])), PSB_EPIVOT,
                  "row %" PRId64 " has a diagonal of modulus %g, whose inverse overflows",
                  psb_loc_to_glob(rows, i), (double)size);
    }
    return PSB_OK;
}

psb_err X(inverse_diagonal_bld)(const struct X(prec) *p, const struct X(operator) *op, bool l1,
                                struct X(inverse_diagonal) *q)
{
    const bool keep_zeros = p->options.keep_zeros && p->options.type == PSB_PREC_DIAG;
    PSB_TRY(X(prec_vect)(p, p->desc, 1, &q->inv));
    return PSB_PASS(psb_agree(psb_cd_ctxt(p->desc), set_inverse(q->inv, op, l1, keep_zeros)));
}

psb_err X(spread_vector)(const struct X(vect) *v, bool conjugate, struct X(vect) *w)
{
    const psb_ipk n = psb_cd_local_rows(w->desc);
    const T *from;
    T *to;
    PSB_TRY(X(host_read)(v, &from));
    PSB_TRY(X(host_write)(w, &to));
    for (psb_ipk i = 0; i < w->n; i++)
        for (int j = 0; j < w->ncols; j++)
            to[(size_t)i * (size_t)w->ncols + (size_t)j] = i >= n ? 0 : conjugate ? CONJ(from[i]) : from[i];
    return PSB_OK;
}

bool X(inverse_diagonal_decline)(const struct X(prec) *p, const struct X(inverse_diagonal) *q, int k,
                                 char trans, psb_err e)
{
    const bool conjugate = CPLX && trans == 'C';
    return (k != 1 || conjugate) && X(prec_decline_work)(p, k, q->wide[conjugate], e);
}

psb_err X(inverse_diagonal_columns)(const struct X(prec) *p, struct X(inverse_diagonal) *q, int k, char trans,
                                    struct X(vect) **v)
{
    const bool conjugate = CPLX && trans == 'C';
    struct X(vect) **w = &q->wide[conjugate];
    *v = q->inv;
    if (k == 1 && !conjugate)
        return PSB_OK;
    if (X(vect_get_ncols)(*w) != k) {
        PSB_TRY(X(prec_work)(p, p->desc, k, w));
        const psb_err e = psb_agree(psb_cd_ctxt(p->desc), X(spread_vector)(q->inv, conjugate, *w));
        if (e != PSB_OK) {
            X(gefree)(*w);
            *w = NULL;
            return PSB_PASS(e);
        }
    }
    *v = *w;
    return PSB_OK;
}

/* --- diagonal and l1-Jacobi ----------------------------------------------------------------------------- */

static psb_err build_point(struct X(prec) *p, const struct X(operator) *op)
{
    struct X(inverse_diagonal) *q = NULL;
    psb_err e = psb_alloc_zero(&q, 1, sizeof *q, "preconditioner");
    p->data = q;
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), e));
    return X(inverse_diagonal_bld)(p, op, p->options.type == PSB_PREC_L1, q);
}

static size_t point_bytes(const struct X(prec) *p)
{
    return X(inverse_diagonal_bytes)(p->data);
}

static void free_point(struct X(prec) *p)
{
    X(inverse_diagonal_free)(p->data);
    psb_free(p->data);
}

static psb_err apply_point(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct X(vect) *d;
    PSB_TRY(X(inverse_diagonal_columns)(p, p->data, x->ncols, trans, &d));
    return X(gemlt2)(1, d, x, 0, y);
}

const struct X(vect) *X(prec_diagonal)(const struct X(prec) *p)
{
    const struct X(inverse_diagonal) *q = p->ops == &X(prec_point) ? p->data : NULL;
    return q ? q->inv : NULL;
}

static void decline_point(const struct X(prec) *p, int k, char trans, psb_err e)
{
    (void)!X(inverse_diagonal_decline)(p, p->data, k, trans, e);
}

const struct X(prec_ops) X(prec_point) = { .build = build_point,
                                           .apply = apply_point,
                                           .decline = decline_point,
                                           .bytes = point_bytes,
                                           .free = free_point };
