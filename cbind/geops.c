/* geops.c -- cbind: computations on vectors. */
#include "cbind.h"
#include "psb_type.h"
#include "cbind.t.h"

/* --- reductions ----------------------------------------------------------------------------------------- */

T C(gedot)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    struct X(vect) *v[2] = { 0 };
    T res = 0;
    psb_err e = X(cbind_open_on)(cdh, HANDLES(xh, yh), v);
    return NUMBER(e == PSB_OK ? X(gedot)(v[0], v[1], &res) : e, res);
}

/* A reduction of one vector to a real number; -1 after an error. */
static R reduce_vector(psb_err (*f)(const struct X(vect) *x, R *res), C(vector) * xh,
                       const psb_c_descriptor *cdh, const char *call)
{
    struct X(vect) *v = NULL;
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, 1, &xh, &v);
    return psb_cbind_code(e == PSB_OK ? f(v, &res) : e, call) == 0 ? res : -1;
}

/* clang-format off */
#define REDUCTION(f) R C(f)(C(vector) * xh, psb_c_descriptor *cdh) \
    { return reduce_vector(X(f), xh, cdh, __func__); }
/* clang-format on */
REDUCTION(genrm2)
REDUCTION(geamax)
REDUCTION(geasum)

R C(genrm2_weight)(C(vector) * xh, C(vector) * wh, psb_c_descriptor *cdh)
{
    struct X(vect) *v[2] = { 0 };
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, HANDLES(xh, wh), v);
    return NUMBER(e == PSB_OK ? X(genrm2_weight)(v[0], v[1], &res) : e, res);
}

R C(genrm2_weightmask)(C(vector) * xh, C(vector) * wh, C(vector) * idvh, psb_c_descriptor *cdh)
{
    struct X(vect) *v[3] = { 0 };
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, HANDLES(xh, wh, idvh), v);
    return NUMBER(e == PSB_OK ? X(genrm2_weightmask)(v[0], v[1], v[2], &res) : e, res);
}

/* PSBLAS's headers declare a vector, or a matrix, and it computes the sum of the moduli of a vector. */
R C(genrmi)(void *h, psb_c_descriptor *cdh)
{
    C(vector) x = { .VECTOR = h ? *(void **)h : NULL };
    const C(spmat) ah = { .SPMAT = x.VECTOR };
    struct X(spmat) *a = NULL;
    R res = 0;
    if (!x.VECTOR || *(enum box_holds *)x.VECTOR != IS_MATRIX)
        return reduce_vector(X(geasum), &x, cdh, __func__);
    psb_err e = X(cbind_open_with)(&ah, 0, NULL, &a, NULL);
    return NUMBER(e == PSB_OK ? X(spnrmi)(a, &res) : e, res);
}

/* --- elementwise ---------------------------------------------------------------------------------------- */

psb_i_t C(geaxpby)(T alpha, C(vector) * xh, T beta, C(vector) * yh, psb_c_descriptor *cdh)
{
    OPEN(v, cdh, xh, yh);
    return CLOSE(yh, v[1], X(geaxpby)(alpha, v[0], beta, v[1]));
}

psb_i_t C(geaxpbyz)(T alpha, C(vector) * xh, T beta, C(vector) * yh, C(vector) * zh, psb_c_descriptor *cdh)
{
    OPEN(v, cdh, xh, yh, zh);
    return CLOSE(zh, v[2], X(geaxpbyz)(alpha, v[0], beta, v[1], v[2]));
}

/* --- elementwise, halo included ------------------------------------------------------------------------- */

/* The vectors of a call that, as in PSBLAS, computes their halo too: as local vectors of all rows. */
struct all_rows {
    int m;
    struct X(vect) *of[3], *v[3], local[3];
};

static psb_err open_all_rows(struct all_rows *w, const psb_c_descriptor *cdh, int m, C(vector) *const *h)
{
    w->m = 0;
    PSB_TRY(X(cbind_open_on)(cdh, m, h, w->of));
    for (w->m = 0; w->m < m; w->m++) {
        int first = 0;
        while (w->of[first] != w->of[w->m])
            first++;
        w->local[w->m] = *w->of[w->m];
        w->local[w->m].desc = NULL;
        w->v[w->m] = &w->local[first];
    }
    return PSB_OK;
}

#define OPEN_ALL_ROWS(w, cdh, ...) \
    struct all_rows w; \
    NEED_OK(open_all_rows(&w, (cdh), HANDLES(__VA_ARGS__)))

/* End a call that changed the last vector, that of yh, or failed with e. */
static psb_i_t close_all_rows(const struct all_rows *w, const C(vector) * yh, psb_err e, const char *call)
{
    for (int i = 0; i < w->m; i++)
        if (w->v[i] == &w->local[i])
            w->of[i]->v = w->local[i].v;
    return X(cbind_close)(yh, w->of[w->m - 1], e, call);
}
#define CLOSE_ALL_ROWS(w, yh, e) close_all_rows(&(w), (yh), (e), __func__)

psb_i_t C(gemlt2)(T alpha, C(vector) * xh, C(vector) * yh, T beta, C(vector) * zh, psb_c_descriptor *cdh)
{
    OPEN_ALL_ROWS(w, cdh, xh, yh, zh);
    return CLOSE_ALL_ROWS(w, zh, X(gemlt2)(alpha, w.v[0], w.v[1], beta, w.v[2]));
}

psb_i_t C(gemlt)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    OPEN_ALL_ROWS(w, cdh, xh, yh);
    return CLOSE_ALL_ROWS(w, yh, X(gemlt)(w.v[0], w.v[1]));
}

psb_i_t C(geinv)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    OPEN_ALL_ROWS(w, cdh, xh, yh);
    return CLOSE_ALL_ROWS(w, yh, X(geinv)(w.v[0], w.v[1]));
}

psb_i_t C(geabs)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    OPEN_ALL_ROWS(w, cdh, xh, yh);
    return CLOSE_ALL_ROWS(w, yh, X(geabs)(w.v[0], w.v[1]));
}

psb_i_t C(gecmp)(C(vector) * xh, R ch, C(vector) * zh, psb_c_descriptor *cdh)
{
    OPEN_ALL_ROWS(w, cdh, xh, zh);
    return CLOSE_ALL_ROWS(w, zh, X(gecmp)(w.v[0], ch, w.v[1]));
}

psb_i_t C(geaddconst)(C(vector) * xh, T bh, C(vector) * zh, psb_c_descriptor *cdh)
{
    OPEN_ALL_ROWS(w, cdh, xh, zh);
    return CLOSE_ALL_ROWS(w, zh, X(geaddconst)(w.v[0], bh, w.v[1]));
}

/* --- inverses and quotients ----------------------------------------------------------------------------- */

/* *n: the first row where x is 0, or the number of rows.  On the host. */
static psb_err find_zero(const struct X(vect) *x, psb_ipk *n)
{
    const T *p;
    PSB_TRY(X(host_read)(x, &p));
    for (*n = 0; *n < x->n && p[*n] != 0; ++*n)
        ;
    return PSB_OK;
}

/* y = 1 / x; if flag, 0 where x is 0.  *none: no element of x is 0, or flag is false. */
static psb_err invert_checked(const struct X(vect) *x, struct X(vect) *y, bool flag, bool *none)
{
    psb_ipk n = x->n;
    const T *p;
    T *q;
    if (flag)
        PSB_TRY(find_zero(x, &n));
    *none = n == x->n;
    if (*none)
        return X(geinv)(x, y);
    PSB_TRY(X(host_update)(y, &q));
    PSB_TRY(X(host_read)(x, &p));
    for (psb_ipk i = 0; i < x->n; i++)
        q[i] = p[i] == 0 ? 0 : 1 / p[i];
    return PSB_OK;
}

psb_i_t C(geinv_check)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh, bool flag)
{
    bool none = false;
    OPEN_ALL_ROWS(w, cdh, xh, yh);
    psb_ctxt *ctxt = psb_cd_ctxt(w.of[0]->desc);
    psb_err e = psb_agree(ctxt, invert_checked(w.v[0], w.v[1], flag, &none));
    PSB_THEN(e, psb_min(ctxt, 1, &none, -1));
    const psb_i_t code = CLOSE_ALL_ROWS(w, yh, e);
    return code == 0 ? none : code;
}

/* The first n rows of z = x / y. */
static psb_err divide_first(psb_ipk n, const struct X(vect) *x, const struct X(vect) *y, struct X(vect) *z)
{
    const T *p, *q;
    T *r;
    PSB_TRY(X(host_update)(z, &r));
    PSB_TRY(X(host_read)(x, &p));
    PSB_TRY(X(host_read)(y, &q));
    for (psb_ipk i = 0; i < n; i++)
        r[i] = p[i] / q[i];
    return PSB_OK;
}

/* z = x / y; with `checked`, rows from the first on where y is 0 are left as they are, and 1 is returned on
 * this process. */
static psb_i_t divide(C(vector) * xh, C(vector) * yh, C(vector) * zh, const psb_c_descriptor *cdh,
                      bool checked, const char *call)
{
    struct all_rows w;
    psb_ipk n = 0;
    psb_err e = open_all_rows(&w, cdh, HANDLES(xh, yh, zh));
    if (e != PSB_OK)
        return psb_cbind_code(e, call);
    if (checked)
        e = find_zero(w.v[1], &n);
    const bool zero = e == PSB_OK && checked && n < w.v[1]->n;
    if (zero)
        e = divide_first(n, w.v[0], w.v[1], w.v[2]);
    else if (e == PSB_OK)
        e = w.v[2] == w.v[0] ? X(gediv)(w.v[0], w.v[1]) : X(gediv2)(w.v[0], w.v[1], w.v[2]);
    const psb_i_t code = close_all_rows(&w, zh, e, call);
    return code == 0 ? zero : code;
}

psb_i_t C(gediv)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return divide(xh, yh, xh, cdh, false, __func__);
}

psb_i_t C(gediv_check)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh, bool flag)
{
    return divide(xh, yh, xh, cdh, flag, __func__);
}

psb_i_t C(gediv2)(C(vector) * xh, C(vector) * yh, C(vector) * zh, psb_c_descriptor *cdh)
{
    return divide(xh, yh, zh, cdh, false, __func__);
}

psb_i_t C(gediv2_check)(C(vector) * xh, C(vector) * yh, C(vector) * zh, psb_c_descriptor *cdh, bool flag)
{
    return divide(xh, yh, zh, cdh, flag, __func__);
}

#if !CPLX
psb_i_t C(mask)(C(vector) * ch, C(vector) * xh, C(vector) * mh, bool *t, psb_c_descriptor *cdh)
{
    struct all_rows w;
    int ok = 0;
    psb_err e = open_all_rows(&w, cdh, HANDLES(ch, xh, mh));
    if (e == PSB_OK) {
        psb_ctxt *ctxt = psb_cd_ctxt(w.of[0]->desc);
        e = psb_agree(ctxt, X(mask_local)(w.v[0], w.v[1], w.v[2], &ok));
        PSB_THEN(e, psb_min(ctxt, 1, &ok, -1));
    }
    if (t)
        *t = ok;
    return w.m ? CLOSE_ALL_ROWS(w, mh, e) : CODE(e);
}

REDUCTION(gemin)

R C(minquotient)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    struct X(vect) *v[2] = { 0 };
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, HANDLES(xh, yh), v);
    return NUMBER(e == PSB_OK ? X(minquotient)(v[0], v[1], &res) : e, res);
}
#endif
