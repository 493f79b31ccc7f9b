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
    const struct X(spmat) *a;     /* of which halo columns are used */
    struct X(mat) *lower, *upper; /* L and U in CSR: each is read as a stream */
    struct X(inverse_diagonal) diag;
    struct X(vect) *b, *t; /* for applications */
};

static void free_rows(struct X(prec) *p)
{
    struct rows_gs *q = p->data;
    X(mat_free)(q->lower);
    X(mat_free)(q->upper);
    X(inverse_diagonal_free)(&q->diag);
    X(gefree)(q->b);
    X(gefree)(q->t);
    psb_free(q);
}

static size_t rows_bytes(const struct X(prec) *p)
{
    const struct rows_gs *q = p->data;
    return sizeof *q + X(mat_bytes)(q->lower) + X(mat_bytes)(q->upper) + X(inverse_diagonal_bytes)(&q->diag) +
           X(vect_sizeof)(q->b) + X(vect_sizeof)(q->t);
}

/* --- building ------------------------------------------------------------------------------------------- */

static psb_err split_triangles(struct rows_gs *q)
{
    struct X(compressed) l;
    struct X(mat) *made = NULL;
    psb_err e = X(csr_view)(q->a->ad, &l, &made);
    PSB_THEN(e, X(mat_tril)(made ? made : q->a->ad, -1, NULL, &q->lower, NULL));
    PSB_THEN(e, X(mat_triu)(made ? made : q->a->ad, 1, NULL, &q->upper, NULL));
    X(mat_free)(made);
    return e;
}

static psb_err build_rows(struct X(prec) *p, const struct X(operator) *op)
{
    struct rows_gs *q = NULL;
    psb_err e = X(prec_check_owners)(p);
    PSB_THEN(e, psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    if (q)
        q->a = op->a;
    PSB_THEN(e, split_triangles(q));
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), e));
    return X(inverse_diagonal_bld)(p, op, false, &q->diag);
}

/* --- sweeps over the rows here -------------------------------------------------------------------------- */

/* Column 0 of k columns. */
struct row_sweep {
    struct X(compressed) lower, upper;
    psb_ipk k;
    R omega;
    const T *d, *b;
    T *x, *t;
};

/* Row i of a triangle times x.  Entries are added towards the diagonal, so that the element that is computed
 * last is needed last. */
PSB_INLINE T row_of_lower(const struct X(compressed) *l, psb_ipk i, psb_ipk k, const T *x)
{
    T s = 0;
    for (psb_epk e = l->ptr[i]; e < l->ptr[i + 1]; e++)
        s += l->val[e] * x[(psb_epk)l->idx[e] * k];
    return s;
}

PSB_INLINE T row_of_upper(const struct X(compressed) *u, psb_ipk i, psb_ipk k, const T *x)
{
    T s = 0;
    for (psb_epk e = u->ptr[i + 1] - 1; e >= u->ptr[i]; e--)
        s += u->val[e] * x[(psb_epk)u->idx[e] * k];
    return s;
}

/* zero: x is 0. */
PSB_INLINE void sweep_upwards(const struct row_sweep *j, psb_ipk k, bool zero)
{
    const struct X(compressed) l = j->lower, u = j->upper;
    const R omega = j->omega;
    for (psb_ipk i = 0; i < l.n; i++) {
        const psb_epk at = (psb_epk)i * k;
        const T w = omega * j->d[i], above = zero ? 0 : row_of_upper(&u, i, k, j->x);
        const T t = w * (j->b[at] - row_of_lower(&l, i, k, j->x));
        j->t[at] = t;
        j->x[at] = zero ? t : (1 - omega) * j->x[at] + (t - w * above);
    }
}

/* forth: t is that of a sweep upwards with the same halo. */
PSB_INLINE void sweep_downwards(const struct row_sweep *j, psb_ipk k, bool forth, bool zero)
{
    const struct X(compressed) l = j->lower, u = j->upper;
    const R omega = j->omega;
    for (psb_ipk i = l.n - 1; i >= 0; i--) {
        const psb_epk at = (psb_epk)i * k;
        const T w = omega * j->d[i];
        T t = forth ? j->t[at] : w * j->b[at];
        if (!forth && !zero)
            t -= w * row_of_lower(&l, i, k, j->x);
        t -= w * row_of_upper(&u, i, k, j->x);
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
    struct row_sweep j = { .k = b->ncols, .omega = (R)p->options.omega };
    struct X(mat) *none = NULL;
    PSB_TRY(X(prec_work)(p, p->desc, j.k, &q->b));
    PSB_TRY(X(prec_work)(p, p->desc, j.k, &q->t));
    psb_err e = X(csr_view)(q->lower, &j.lower, &none);
    PSB_THEN(e, X(csr_view)(q->upper, &j.upper, &none));
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
