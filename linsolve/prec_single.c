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
#include "sp_mult.t.h"

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

/* --- the copy on a device ------------------------------------------------------------------------------- */

enum { EACH = 1 << 30 }; /* elements that an operation takes at a time */

static psb_ipk at_a_time(psb_epk left)
{
    return (psb_ipk)(left < EACH ? left : EACH);
}

/* *to = a copy of the rows of a, all of which this process has, in CSR on the device of a; else an error. */
static psb_err rows_there(const struct X(spmat) *a, struct X(mat) **to)
{
    const struct X(mat) *mold = X(mat_halo_mold)(a->ad);
    const struct psb_device *on = a->ad->on;
    const bool fits = on && on->X(vec)->narrow && X(sp_is_near)(a) && XS(mat_is_csr)(same_format(mold)) &&
                      XS(mat_dev)(same_format(mold))->device && PSB_DEVICE_DOES(a->ad, get_diag);
    if (!fits)
        return PSB_ENOTIMPL;
    PSB_TRY(X(mat_is_csr)(a->ad) ? X(mat_clone)(a->ad, to) : X(mat_convert)(a->ad, mold, to));
    return X(mat_is_csr)(*to) && (*to)->on == on ? PSB_OK : PSB_ENOTIMPL;
}

static psb_err largest_there(struct X(mat) *c, R *most)
{
    const T *val;
    double size;
    PSB_TRY(psb_dual_read(&((struct X(csr_mat) *)c)->val, PSB_DEV, &val));
    for (psb_epk i = 0; i < c->nnz; i += EACH) {
        PSB_TRY(c->on->X(vec)->amax(at_a_time(c->nnz - i), 1, val + i, &size));
        *most = size <= (double)*most ? *most : (R)size;
    }
    return PSB_OK;
}

/* *least = the least modulus of an element of d that is not 0, at most 1; d, w and z change. */
static psb_err least_modulus(struct X(vect) *d, struct X(vect) *w, struct X(vect) *z, R *least)
{
    PSB_TRY(X(geabs)(d, w));
    PSB_TRY(X(gecmp)(w, (R)DBL_TRUE_MIN, z));
    PSB_TRY(X(geaddconst)(z, -1, z)); /* -1 for elements 0, else 0 */
    PSB_TRY(X(geaxpby)(-1, z, 1, w));
    PSB_TRY(X(geinv)(w, d));
    PSB_TRY(X(geamax_local)(d, least));
    *least = *least > 0 ? 1 / *least : 1;
    return PSB_OK;
}

/* PSB_ENOTIMPL if an element of the diagonal of a may lose digits in the copy: the host then finds which. */
static psb_err check_diagonal_there(const struct rounded *q, struct X(mat) *a)
{
    const struct psb_vmold where = { .name = "diagonal", .device = X(mat_dev)(a)->device };
    struct X(vect) *v[3] = { NULL };
    psb_err e = PSB_OK;
    R least = 0;
    T *d;
    for (int i = 0; i < 3 && e == PSB_OK; i++)
        e = X(vect_new)(&v[i], a->nrows, &where);
    PSB_THEN(e, X(vect_open)(v[0], PSB_DEV, 1, &d));
    PSB_THEN(e, X(mat_dev)(a)->storage->get_diag(a, a->nrows, 0, PSB_DEV, d));
    PSB_THEN(e, least_modulus(v[0], v[1], v[2], &least));
    for (int i = 0; i < 3; i++)
        X(gefree)(v[i]);
    return e == PSB_OK && !(least * q->unit >= 2 * (R)FLT_MIN) ? PSB_ENOTIMPL : e;
}

/* Take the pattern of c, and its values times q->unit. */
static psb_err round_rows(const struct rounded *q, struct X(csr_mat) *c, struct XS(csr_mat) *to)
{
    const struct psb_device *on = c->mat.on;
    const size_t n = (size_t)c->mat.nnz;
    const T *from;
    TS *val;
    PSB_TRY(psb_dual_init(&to->irp, (size_t)c->mat.nrows + 1, sizeof(psb_epk), on, "CSR row pointers"));
    PSB_TRY(psb_dual_init(&to->ja, n, sizeof(psb_ipk), on, "CSR columns"));
    PSB_TRY(psb_dual_init(&to->val, n, sizeof *val, on, "CSR values"));
    psb_dual_swap(&c->irp, &to->irp);
    psb_dual_swap(&c->ja, &to->ja);
    PSB_TRY(psb_dual_read(&c->val, PSB_DEV, &from));
    PSB_TRY(psb_dual_write(&to->val, PSB_DEV, &val));
    for (psb_epk i = 0; i < c->mat.nnz; i += EACH)
        PSB_TRY(on->X(vec)->narrow(at_a_time(c->mat.nnz - i), 1, &q->unit, from + i, val + i));
    return PSB_OK;
}

/* As round_matrix for the rows c of a, whose pattern is used up. */
static psb_err round_there(struct rounded *q, const struct X(spmat) *a, struct X(mat) *c)
{
    struct XS(mat) *to = NULL;
    PSB_TRY(check_diagonal_there(q, a->ad));
    psb_err e = XS(mat_new)(same_format(c), c->nrows, c->ncols, c->nnz, &to);
    PSB_THEN(e, round_rows(q, (struct X(csr_mat) *)c, (struct XS(csr_mat) *)to));
    if (e == PSB_OK)
        to->is.state = PSB_MAT_ASB;
    PSB_THEN(e, XS(mat_in_format)(&to, same_format(a->ad)));
    PSB_THEN(e, XS(sp_of_near)(a->row, a->col, &to, to, NULL, &q->a));
    XS(mat_free)(to);
    return e;
}

/* Set q->a, if there are rows c of a on the device from these, or else on the host. */
static psb_err round_somewhere(struct rounded *q, const struct X(spmat) *a, struct X(mat) *c)
{
    psb_expect_errors(1);
    const psb_err e = c ? round_there(q, a, c) : PSB_ENOTIMPL;
    psb_expect_errors(0);
    return e == PSB_OK ? e : round_matrix(q, a);
}

/* *most = the largest modulus of an element, infinity if one is not finite.  Collective. */
static psb_err largest_of_all(const struct X(spmat) *a, struct X(mat) *c, R *most)
{
    R far = 0;
    *most = 0;
    psb_err e = c ? largest_there(c, most) : X(mat_maxval)(a->ad, most);
    PSB_THEN(e, X(mat_maxval)(a->ah, &far));
    *most = isfinite(*most) && isfinite(far) ? (far > *most ? far : *most) : (R)INFINITY;
    return psb_reduce(psb_cd_ctxt(a->row), PSB_MAX, PSB_KIND_OF(most), 1, most, e);
}

/* Set q->unit and q->a.  Collective. */
static psb_err copy_matrix(struct rounded *q, const struct X(spmat) *a)
{
    struct X(mat) *c = NULL;
    R most;
    psb_expect_errors(1);
    if (rows_there(a, &c) != PSB_OK) {
        X(mat_free)(c);
        c = NULL;
    }
    psb_expect_errors(0);
    psb_err e = largest_of_all(a, c, &most);
    if (e == PSB_OK && !isfinite(most))
        e = PSB_FAIL(PSB_EPIVOT, "the largest modulus of an element of the matrix is inf; expected a finite one");
    if (e == PSB_OK) {
        q->unit = power_for(most);
        e = psb_agree(psb_cd_ctxt(a->row), round_somewhere(q, a, c));
    }
    X(mat_free)(c);
    return e;
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
