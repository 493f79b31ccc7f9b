/* prec_single.c -- linsolve: preconditioners of a matrix in double precision that are kept and applied in
 * single precision: those of a rounded copy of the matrix, between two conversions of vectors.
 *
 * Powers of two, which change no bits, keep numbers inside the range of single precision: the copy is of A
 * times `unit`, so that its largest entry is near to 1, and each column of a vector is scaled alike. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include <float.h>
#include <math.h>
#include "psb_type.h"
#include "quotient.t.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

struct rounded {
    struct XS(prec) *m;
    struct XS(spmat) *a;    /* the copy; NULL if m does not need it once built */
    R unit;                 /* a power of two */
    struct XS(vect) *x, *y; /* for applications */
    R *size;                /* 3 k numbers for k columns: see column_factors */
    int nsize;
};

static void free_rounded(struct X(prec) *p)
{
    struct rounded *q = p->data;
    XS(precfree)(q->m);
    XS(spfree)(q->a);
    XS(gefree)(q->x);
    XS(gefree)(q->y);
    psb_free(q->size);
    psb_free(q);
}

static size_t rounded_bytes(const struct X(prec) *p)
{
    const struct rounded *q = p->data;
    return sizeof *q + XS(prec_bytes)(q->m) + XS(sp_bytes)(q->a) + XS(vect_sizeof)(q->x) +
           XS(vect_sizeof)(q->y);
}

/* --- the copy of the matrix ----------------------------------------------------------------------------- */

/* The power of two that brings `most` to [1/2, 1), as far as it and its inverse are in the range of R; 1 for
 * 0 and for what is not finite. */
static R power_for(R most)
{
    const int limit = MOST_EXPONENT - 2;
    int e = 0;
    if (most > 0 && isfinite(most))
        frexp((double)most, &e);
    return (R)ldexp(1, e > limit ? -limit : e < -limit ? limit : -e);
}

/* to = c times q->unit, where an element of the diagonal that is not 0 must keep its digits. */
static psb_err round_entries(const struct rounded *q, const psb_desc *rows, const struct X(coo_mat) *c,
                             struct XS(coo_mat) *to)
{
    for (psb_epk k = 0; k < c->mat.nnz; k++) {
        const TS v = (TS)(c->val[k] * q->unit);
        PSB_CHECK(
            c->ia[k] != c->ja[k] || c->val[k] == 0 || ABS((T)v) >= (R)FLT_MIN, PSB_EPIVOT,
            "the matrix leaves the range of single precision: element (%" PRId64 ", %" PRId64
            ") has modulus %g, and others have up to %g; expected a preconditioner without precision=single",
            psb_loc_to_glob(rows, c->ia[k]), psb_loc_to_glob(rows, c->ia[k]), (double)ABS(c->val[k]),
            1 / (double)q->unit);
        to->ia[k] = c->ia[k];
        to->ja[k] = c->ja[k];
        to->val[k] = v;
    }
    to->mat.nnz = c->mat.nnz;
    return PSB_OK;
}

/* The format of that name, CSR if there is none. */
static const struct XS(mat) *same_format(const struct X(mat) *mold)
{
    const struct XS(mat) *found = XS(mat_by_name)(mold->ops->fmt);
    XS(forget_name)();
    return found ? found : &XS(csr_mold).mat;
}

static psb_err round_matrix(struct rounded *q, const struct X(spmat) *a)
{
    struct X(coo_mat) *c;
    struct XS(mat) *to = NULL;
    const struct XS(mat) *ad = same_format(a->ad);
    const struct XS(mat) *ah = ad == &XS(csr_mold).mat ? ad : same_format(a->ah);
    PSB_TRY(X(sp_rows)(a, &c));
    psb_err e = XS(mat_all)(c->mat.nrows, c->mat.ncols, c->mat.nnz, &to);
    if (e == PSB_OK)
        e = round_entries(q, a->row, c, (struct XS(coo_mat) *)to);
    if (e == PSB_OK)
        e = XS(sp_of_rows)(a->row, a->col, (struct XS(coo_mat) *)to, ad, ah, &q->a);
    XS(mat_free)(to);
    X(mat_free)(&c->mat);
    return e;
}

/* Set q->unit and q->a.  Collective. */
static psb_err copy_matrix(struct rounded *q, const struct X(spmat) *a)
{
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    R most;
    PSB_TRY(X(sp_maxval)(a, &most));
    PSB_CHECK(isfinite(most), PSB_EPIVOT,
              "the largest modulus of an element of the matrix is %g; expected a finite one", (double)most);
    q->unit = power_for(most);
    return psb_agree(ctxt, round_matrix(q, a));
}

/* --- building ------------------------------------------------------------------------------------------- */

/* After m was built or renewed with q->a: keep that for the products of polynomials and multigrid. */
static void keep_copy(const struct X(prec) *p, struct rounded *q)
{
    if (p->options.type == PSB_PREC_CHEBYSHEV || p->options.type == PSB_PREC_NEUMANN ||
        p->options.type == PSB_PREC_AMG)
        return;
    XS(spfree)(q->a);
    q->a = NULL;
}

static psb_err open_rounded(struct X(prec) *p)
{
    struct psb_prec_options o = p->options;
    struct rounded *q;
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    o.single = false;
    return XS(precinit_opt)(&q->m, &o);
}

static psb_err build_rounded(struct X(prec) *p, const struct X(operator) *op)
{
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), open_rounded(p)));
    struct rounded *q = p->data;
    PSB_TRY(copy_matrix(q, op->a));
    PSB_TRY(XS(precbld)(q->m, q->a, p->asked ? same_format(p->asked) : NULL, &p->where));
    keep_copy(p, q);
    return PSB_OK;
}

static psb_err renew_rounded(struct X(prec) *p, const struct X(operator) *op)
{
    struct rounded *q = p->data, new = { 0 };
    psb_err e = copy_matrix(&new, op->a);
    if (e == PSB_OK)
        e = XS(precupd)(q->m, new.a);
    if (e != PSB_OK) {
        XS(spfree)(new.a);
        return e;
    }
    XS(spfree)(q->a);
    q->a = new.a;
    q->unit = new.unit;
    keep_copy(p, q);
    return PSB_OK;
}

/* --- application ---------------------------------------------------------------------------------------- */

/* y = x times factor[j], column by column. */
static psb_err narrow_vector(const struct X(vect) *x, const R *factor, struct XS(vect) *y)
{
    const struct psb_device *on = x->v.on == y->v.on ? x->v.on : NULL;
    const enum psb_side s = on && on->X(vec)->narrow ? PSB_DEV : PSB_HOST;
    const T *from;
    TS *to;
    PSB_TRY(psb_dual_read(&x->v, s, &from));
    PSB_TRY(XS(vect_open)(y, s, 1, &to));
    return X(vec)(s, on)->narrow(X(vect_owned)(x), x->ncols, factor, from, to);
}

static psb_err widen_vector(const struct XS(vect) *x, const R *factor, struct X(vect) *y)
{
    const struct psb_device *on = x->v.on == y->v.on ? x->v.on : NULL;
    const enum psb_side s = on && on->X(vec)->widen ? PSB_DEV : PSB_HOST;
    const TS *from;
    T *to;
    PSB_TRY(psb_dual_read(&x->v, s, &from));
    PSB_TRY(X(vect_open)(y, s, 1, &to));
    return X(vec)(s, on)->widen(X(vect_owned)(y), y->ncols, factor, from, to);
}

/* Largest moduli of the columns here. */
static psb_err measure_columns(struct rounded *q, const struct X(vect) *x)
{
    const int k = x->ncols;
    if (q->nsize < k) {
        psb_free(q->size);
        q->size = NULL;
        q->nsize = 0;
        PSB_TRY(psb_alloc(&q->size, 3 * (size_t)k, sizeof *q->size, "sizes of columns"));
        q->nsize = k;
    }
    return X(geamax_local)(x, q->size);
}

/* q->size = for each column of x its largest modulus; from [k] on the factors of x for m; from [2k] on those
 * of m's result.  Collective. */
static psb_err column_factors(struct rounded *q, const struct X(vect) *x)
{
    const int k = x->ncols;
    const psb_err e = measure_columns(q, x);
    PSB_TRY(psb_reduce_in_time(psb_cd_ctxt(x->desc), PSB_MAX, PSB_KIND_OF(q->size), k, q->size, e));
    for (int j = 0; j < k; j++) {
        q->size[k + j] = power_for(q->size[j]);
        q->size[2 * k + j] = q->unit / q->size[k + j];
    }
    return PSB_OK;
}

static psb_err apply_rounded(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct rounded *q = p->data;
    PSB_TRY(column_factors(q, x));
    PSB_TRY(XS(prec_work)(q->m, p->desc, x->ncols, &q->x));
    PSB_TRY(XS(prec_work)(q->m, p->desc, x->ncols, &q->y));
    const psb_err e = narrow_vector(x, q->size + x->ncols, q->x);
    if (e != PSB_OK) {
        XS(prec_decline)(q->m, x->ncols, trans, e);
        return e;
    }
    PSB_TRY(XS(precapply)(q->m, q->x, q->y, trans));
    return widen_vector(q->y, q->size + 2 * x->ncols, y);
}

static void decline_rounded(const struct X(prec) *p, int k, char trans, psb_err e)
{
    R none = 0;
    (void)k, (void)trans;
    (void)!psb_reduce_in_time(psb_cd_ctxt(p->desc), PSB_MAX, PSB_KIND_OF(&none), 0, &none, e);
}

static void settle_rounded(const struct X(prec) *p)
{
    const struct rounded *q = p->data;
    XS(prec_settle)(q->m);
}

const struct X(prec_ops) X(prec_rounded) = { .build = build_rounded,
                                             .renew = renew_rounded,
                                             .apply = apply_rounded,
                                             .decline = decline_rounded,
                                             .settle = settle_rounded,
                                             .bytes = rounded_bytes,
                                             .free = free_rounded,
                                             .entries = true };
