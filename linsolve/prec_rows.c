/* prec_rows.c -- linsolve: Gauss-Seidel and SSOR sweeps over the rows of each process in their order, on the
 * host.
 *
 * The halo of x is exchanged before each sweep, and b - (halo columns) x is the right-hand side.  With
 * L, D, U the entries in columns owned here, a forward sweep computes, row by row,
 *
 *     t = omega D^-1 (b - L x),  x = (1 - omega) x + t - omega D^-1 U x,
 *
 * and a backward sweep that follows it needs U alone: x = (1 - omega) x + t - omega D^-1 U x.  From x = 0 the
 * forward sweep needs L alone, so a symmetric sweep reads the matrix once, else one and a half times. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

struct rows_gs {
    const struct X(spmat) *a;
    struct X(mat) *made; /* the rows in CSR, unless a has them */
    psb_ipk *lower;      /* the number of entries before the diagonal, of each row */
    struct X(inverse_diagonal) diag;
    struct X(vect) *b, *t; /* for applications */
};

static void free_rows(struct X(prec) *p)
{
    struct rows_gs *q = p->data;
    X(mat_free)(q->made);
    psb_free(q->lower);
    X(inverse_diagonal_free)(&q->diag);
    X(gefree)(q->b);
    X(gefree)(q->t);
    psb_free(q);
}

static size_t rows_bytes(const struct X(prec) *p)
{
    const struct rows_gs *q = p->data;
    return sizeof *q + X(mat_bytes)(q->made) + sizeof *q->lower * (size_t)q->a->ad->nrows +
           X(inverse_diagonal_bytes)(&q->diag) + X(vect_sizeof)(q->b) + X(vect_sizeof)(q->t);
}

/* --- building ------------------------------------------------------------------------------------------- */

static psb_err view_rows(const struct rows_gs *q, struct X(compressed) *l)
{
    struct X(mat) *none = NULL;
    return X(csr_view)(q->made ? q->made : q->a->ad, l, &none);
}

static psb_err find_diagonal(struct rows_gs *q)
{
    struct X(compressed) l;
    PSB_TRY(X(csr_view)(q->a->ad, &l, &q->made));
    PSB_TRY(psb_alloc(&q->lower, (size_t)l.n, sizeof *q->lower, "places of the diagonal"));
    for (psb_ipk i = 0; i < l.n; i++) {
        psb_epk e = l.ptr[i];
        while (e < l.ptr[i + 1] && l.idx[e] < i)
            e++;
        q->lower[i] = (psb_ipk)(e - l.ptr[i]);
    }
    return PSB_OK;
}

static psb_err build_rows(struct X(prec) *p, const struct X(operator) *op)
{
    struct rows_gs *q = NULL;
    psb_err e = X(prec_check_owners)(p);
    PSB_THEN(e, psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    if (q)
        q->a = op->a;
    PSB_THEN(e, find_diagonal(q));
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), e));
    return X(inverse_diagonal_bld)(p, op, false, &q->diag); /* an error where a row has no diagonal */
}

/* --- sweeps over the rows here -------------------------------------------------------------------------- */

/* Column 0 of k columns; forth: t is that of a forward sweep from the same halo; zero: x is 0. */
struct row_sweep {
    struct X(compressed) l;
    const psb_ipk *lower;
    psb_ipk k;
    R omega;
    const T *d, *b;
    T *x, *t;
};

/* The entries from .. to - 1 times x. */
PSB_INLINE T part_of_row(const struct X(compressed) *l, psb_epk from, psb_epk to, psb_ipk k, const T *x)
{
    T s = 0;
    for (psb_epk e = from; e < to; e++)
        s += l->val[e] * x[(psb_epk)l->idx[e] * k];
    return s;
}

PSB_INLINE void sweep_upwards(const struct row_sweep *j, psb_ipk k, bool zero)
{
    const struct X(compressed) l = j->l;
    const R omega = j->omega;
    for (psb_ipk i = 0; i < l.n; i++) {
        const psb_epk at = (psb_epk)i * k, diagonal = l.ptr[i] + j->lower[i];
        const T w = omega * j->d[i];
        const T upper = zero ? 0 : part_of_row(&l, diagonal + 1, l.ptr[i + 1], k, j->x);
        const T t = w * (j->b[at] - part_of_row(&l, l.ptr[i], diagonal, k, j->x));
        j->t[at] = t;
        j->x[at] = zero ? t : (1 - omega) * j->x[at] + (t - w * upper);
    }
}

PSB_INLINE void sweep_downwards(const struct row_sweep *j, psb_ipk k, bool forth, bool zero)
{
    const struct X(compressed) l = j->l;
    const R omega = j->omega;
    for (psb_ipk i = l.n - 1; i >= 0; i--) {
        const psb_epk at = (psb_epk)i * k, diagonal = l.ptr[i] + j->lower[i];
        const T w = omega * j->d[i];
        T t = forth ? j->t[at] : w * j->b[at];
        if (!forth && !zero)
            t -= w * part_of_row(&l, l.ptr[i], diagonal, k, j->x);
        t -= w * part_of_row(&l, diagonal + 1, l.ptr[i + 1], k, j->x);
        j->x[at] = zero ? t : (1 - omega) * j->x[at] + t;
    }
}

/* One sweep of all columns, in this direction, or in both. */
static void sweep_rows(struct row_sweep j, enum psb_sweep_direction direction, bool zero)
{
    const psb_ipk k = j.k;
    for (psb_ipk c = 0; c < k; c++, j.b++, j.x++, j.t++) {
        if (direction != PSB_SWEEP_BACKWARD)
            k == 1 ? sweep_upwards(&j, 1, zero) : sweep_upwards(&j, k, zero);
        if (direction == PSB_SWEEP_SYMMETRIC)
            k == 1 ? sweep_downwards(&j, 1, true, false) : sweep_downwards(&j, k, true, false);
        else if (direction == PSB_SWEEP_BACKWARD)
            sweep_downwards(&j, k, false, zero);
    }
}

/* --- application ---------------------------------------------------------------------------------------- */

/* *v = b - (halo columns) x after an exchange of the halo of x, or b itself; part: scratch. */
static psb_err row_sums(struct rows_gs *q, const struct X(vect) *b, struct X(vect) *x, T *part, psb_err e,
                        const T **v)
{
    const struct X(mat) *ah = q->a->ah;
    const size_t owned = (size_t)q->a->ad->nrows * (size_t)b->ncols;
    const psb_ipk *bnd;
    const T *from;
    T *sum;
    e = X(halo_begin)(x, PSB_HOST, 'N', e);
    PSB_THEN(e, X(halo_finish)(x, NULL, NULL));
    PSB_THEN(e, psb_dual_read(&b->v, PSB_HOST, v));
    if (e != PSB_OK || ah->nnz == 0)
        return e;
    PSB_TRY(X(vect_open)(q->b, PSB_HOST, 1, &sum));
    PSB_TRY(psb_dual_read(&x->v, PSB_HOST, &from));
    PSB_TRY(psb_dual_read(&q->a->bnd, PSB_HOST, &bnd));
    PSB_TRY(X(vec)(PSB_HOST, NULL)->axpby((psb_epk)owned, 1, *v, 0, sum));
    *v = sum;
    return X(mat_mm_add)(PSB_HOST, -1, ah, b->ncols, from + owned, NULL, bnd, sum, part);
}

static psb_err run_rows(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps, bool zero,
                        const struct X(vect) *b, struct X(vect) *x)
{
    struct rows_gs *q = p->data;
    struct row_sweep j = { .lower = q->lower, .k = b->ncols, .omega = (R)p->options.omega };
    PSB_TRY(X(prec_work)(p, p->desc, j.k, &q->b));
    PSB_TRY(X(prec_work)(p, p->desc, j.k, &q->t));
    psb_err e = view_rows(q, &j.l);
    PSB_THEN(e, psb_dual_read(&q->diag.inv->v, PSB_HOST, &j.d));
    PSB_THEN(e, X(vect_open)(q->t, PSB_HOST, 1, &j.t));
    for (int s = 0; s < sweeps; s++, zero = false) {
        if (zero)
            PSB_THEN(e, psb_dual_read(&b->v, PSB_HOST, &j.b));
        else
            e = row_sums(q, b, x, j.t, e, &j.b);
        PSB_THEN(e, X(vect_open)(x, PSB_HOST, zero, &j.x));
        if (e == PSB_OK)
            sweep_rows(j, direction, zero);
    }
    return e;
}

static psb_err apply_rows(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    const struct psb_prec_options *o = &p->options;
    PSB_CHECK(trans == 'N', PSB_ENOTIMPL, "preconditioner %s with order=rows is not transposed",
              psb_prec_name(o->type));
    return run_rows(p, o->type == PSB_PREC_SSOR ? PSB_SWEEP_SYMMETRIC : o->direction,
                    o->sweeps > 0 ? o->sweeps : 1, true, x, y);
}

static psb_err smooth_rows(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps,
                           const struct X(vect) *b, struct X(vect) *x)
{
    return run_rows(p, direction, sweeps, false, b, x);
}

static void decline_rows(const struct X(prec) *p, int k, char trans, psb_err e)
{
    const struct rows_gs *q = p->data;
    if (trans != 'N' || X(prec_decline_work)(p, k, q->b, e) || X(prec_decline_work)(p, k, q->t, e))
        return;
    for (int s = 1; s < p->options.sweeps; s++)
        X(halo_refuse)(p->desc);
}

const struct X(prec_ops) X(prec_rows) = { .build = build_rows,
                                          .apply = apply_rows,
                                          .smooth = smooth_rows,
                                          .decline = decline_rows,
                                          .bytes = rows_bytes,
                                          .free = free_rows,
                                          .entries = true };
