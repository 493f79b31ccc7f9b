/* geops.c -- room: cbind.  Computations on vectors. */
#include "cbind.h"
#include "psb_type.h"
#include "cbind.t.h"

/* --- reductions ----------------------------------------------------------------------------------------- */

T C(gedot)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, yh };
    struct X(vect) *v[2] = { 0 };
    T res = 0;
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    return CODE(e == PSB_OK ? X(gedot)(v[0], v[1], &res) : e) == 0 ? res : -1;
}

/* A reduction of one vector to a real number; -1 after an error. */
static R reduce(psb_err (*f)(const struct X(vect) *x, R *res), C(vector) * xh, const psb_c_descriptor *cdh,
                const char *call)
{
    struct X(vect) *v = NULL;
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, 1, &xh, &v);
    return psb_cbind_code(e == PSB_OK ? f(v, &res) : e, call) == 0 ? res : -1;
}

R C(genrm2)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return reduce(X(genrm2), xh, cdh, __func__);
}

R C(geamax)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return reduce(X(geamax), xh, cdh, __func__);
}

R C(geasum)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return reduce(X(geasum), xh, cdh, __func__);
}

R C(genrm2_weight)(C(vector) * xh, C(vector) * wh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, wh };
    struct X(vect) *v[2] = { 0 };
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    return CODE(e == PSB_OK ? X(genrm2_weight)(v[0], v[1], &res) : e) == 0 ? res : -1;
}

R C(genrm2_weightmask)(C(vector) * xh, C(vector) * wh, C(vector) * idvh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, wh, idvh };
    struct X(vect) *v[3] = { 0 };
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, 3, h, v);
    return CODE(e == PSB_OK ? X(genrm2_weightmask)(v[0], v[1], v[2], &res) : e) == 0 ? res : -1;
}

static R norm_of_matrix(const C(spmat) * ah, const char *call)
{
    struct X(spmat) *a = NULL;
    R res = 0;
    psb_err e = X(cbind_open_with)(ah, 0, NULL, &a, NULL);
    return psb_cbind_code(e == PSB_OK ? X(spnrmi)(a, &res) : e, call) == 0 ? res : -1;
}

/* PSBLAS's headers declare a vector, or a matrix, and it computes the sum of the moduli of a vector. */
R C(genrmi)(void *h, psb_c_descriptor *cdh)
{
    C(vector) x = { .VECTOR = h ? *(void **)h : NULL };
    C(spmat) a = { .SPMAT = x.VECTOR };
    if (x.VECTOR && *(enum what *)x.VECTOR == IS_MATRIX)
        return norm_of_matrix(&a, __func__);
    return reduce(X(geasum), &x, cdh, __func__);
}

/* --- elementwise ---------------------------------------------------------------------------------------- */

psb_i_t C(geaxpby)(T alpha, C(vector) * xh, T beta, C(vector) * yh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, yh };
    struct X(vect) *v[2] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    if (e == PSB_OK)
        e = X(geaxpby)(alpha, v[0], beta, v[1]);
    return CLOSE(yh, v[1], e);
}

psb_i_t C(geaxpbyz)(T alpha, C(vector) * xh, T beta, C(vector) * yh, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, yh, zh };
    struct X(vect) *v[3] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 3, h, v);
    if (e == PSB_OK)
        e = X(geaxpbyz)(alpha, v[0], beta, v[1], v[2]);
    return CLOSE(zh, v[2], e);
}

/* --- elementwise, halo included ------------------------------------------------------------------------- */

/* The vectors of a call that, as in PSBLAS, computes their halo too: as local vectors of all rows. */
struct all_rows {
    int m;
    struct X(vect) *of[3], *v[3], local[3];
};

static psb_err open_all(struct all_rows *w, const psb_c_descriptor *cdh, int m, C(vector) *const *h)
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

/* End a call that changed the last vector, that of yh, or failed with e. */
static psb_i_t close_all(const struct all_rows *w, const C(vector) * yh, psb_err e, const char *call)
{
    for (int i = 0; i < w->m; i++)
        if (w->v[i] == &w->local[i])
            w->of[i]->v = w->local[i].v;
    return X(cbind_close)(yh, w->m ? w->of[w->m - 1] : NULL, e, call);
}

psb_i_t C(gemlt2)(T alpha, C(vector) * xh, C(vector) * yh, T beta, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, yh, zh };
    struct all_rows w;
    psb_err e = open_all(&w, cdh, 3, h);
    if (e == PSB_OK)
        e = X(gemlt2)(alpha, w.v[0], w.v[1], beta, w.v[2]);
    return close_all(&w, zh, e, __func__);
}

/* y = f(x, y). */
static psb_i_t map(psb_err (*f)(const struct X(vect) *x, struct X(vect) *y), C(vector) * xh, C(vector) * yh,
                   const psb_c_descriptor *cdh, const char *call)
{
    C(vector) *const h[] = { xh, yh };
    struct all_rows w;
    psb_err e = open_all(&w, cdh, 2, h);
    if (e == PSB_OK)
        e = f(w.v[0], w.v[1]);
    return close_all(&w, yh, e, call);
}

psb_i_t C(gemlt)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return map(X(gemlt), xh, yh, cdh, __func__);
}

psb_i_t C(geinv)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return map(X(geinv), xh, yh, cdh, __func__);
}

psb_i_t C(geabs)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return map(X(geabs), xh, yh, cdh, __func__);
}

/* *n: the first row where x is 0, or the number of rows.  On the host. */
static psb_err find_zero(const struct X(vect) *x, psb_ipk *n)
{
    const T *p;
    PSB_TRY(X(host_read)(x, &p));
    for (*n = 0; *n < x->n && p[*n] != 0; ++*n)
        ;
    return PSB_OK;
}

/* y = 1 / x, 0 where x is 0. */
static psb_err invert_others(const struct X(vect) *x, struct X(vect) *y)
{
    const T *p;
    T *q;
    PSB_TRY(X(host_update)(y, &q));
    PSB_TRY(X(host_read)(x, &p));
    for (psb_ipk i = 0; i < x->n; i++)
        q[i] = p[i] == 0 ? 0 : 1 / p[i];
    return PSB_OK;
}

/* *none = 1 if no element of x is 0, or flag is false. */
static psb_err invert_checked(const struct X(vect) *x, struct X(vect) *y, bool flag, int *none)
{
    psb_ipk n = x->n;
    if (flag)
        PSB_TRY(find_zero(x, &n));
    *none = n == x->n;
    return *none ? X(geinv)(x, y) : invert_others(x, y);
}

psb_i_t C(geinv_check)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh, bool flag)
{
    C(vector) *const h[] = { xh, yh };
    struct all_rows w;
    int none = 0;
    psb_err e = open_all(&w, cdh, 2, h);
    if (e == PSB_OK) {
        psb_ctxt *ctxt = psb_cd_ctxt(w.of[0]->desc);
        e = psb_agree(ctxt, invert_checked(w.v[0], w.v[1], flag, &none));
        if (e == PSB_OK)
            e = psb_min(ctxt, 1, &none, -1);
    }
    const psb_i_t code = close_all(&w, yh, e, __func__);
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
    C(vector) *const h[] = { xh, yh, zh };
    struct all_rows w;
    psb_ipk n = 0;
    psb_err e = open_all(&w, cdh, 3, h);
    if (e == PSB_OK && checked)
        e = find_zero(w.v[1], &n);
    const bool zero = e == PSB_OK && checked && n < w.v[1]->n;
    if (zero)
        e = divide_first(n, w.v[0], w.v[1], w.v[2]);
    else if (e == PSB_OK)
        e = w.v[2] == w.v[0] ? X(gediv)(w.v[0], w.v[1]) : X(gediv2)(w.v[0], w.v[1], w.v[2]);
    const psb_i_t code = close_all(&w, zh, e, call);
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

psb_i_t C(gecmp)(C(vector) * xh, R ch, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, zh };
    struct all_rows w;
    psb_err e = open_all(&w, cdh, 2, h);
    if (e == PSB_OK)
        e = X(gecmp)(w.v[0], ch, w.v[1]);
    return close_all(&w, zh, e, __func__);
}

psb_i_t C(geaddconst)(C(vector) * xh, T bh, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, zh };
    struct all_rows w;
    psb_err e = open_all(&w, cdh, 2, h);
    if (e == PSB_OK)
        e = X(geaddconst)(w.v[0], bh, w.v[1]);
    return close_all(&w, zh, e, __func__);
}

#if !CPLX
psb_i_t C(mask)(C(vector) * ch, C(vector) * xh, C(vector) * mh, bool *t, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { ch, xh, mh };
    struct all_rows w;
    int ok = 0;
    psb_err e = open_all(&w, cdh, 3, h);
    if (e == PSB_OK) {
        psb_ctxt *ctxt = psb_cd_ctxt(w.of[0]->desc);
        e = psb_agree(ctxt, X(mask_local)(w.v[0], w.v[1], w.v[2], &ok));
        if (e == PSB_OK)
            e = psb_min(ctxt, 1, &ok, -1);
    }
    if (t)
        *t = ok;
    return close_all(&w, mh, e, __func__);
}

R C(gemin)(C(vector) * xh, psb_c_descriptor *cdh)
{
    return reduce(X(gemin), xh, cdh, __func__);
}

R C(minquotient)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, yh };
    struct X(vect) *v[2] = { 0 };
    R res = 0;
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    return CODE(e == PSB_OK ? X(minquotient)(v[0], v[1], &res) : e) == 0 ? res : -1;
}
#endif
