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

/* PSBLAS declares a vector for one type and a matrix for the others. */
R C(genrmi)(PSB_CAT(PSB_C_NORMED_, PSB_NOW) * h, psb_c_descriptor *cdh)
{
    C(vector) x = { .VECTOR = h ? *(void **)h : NULL };
    C(spmat) a = { .SPMAT = x.VECTOR };
    if (x.VECTOR && *(enum what *)x.VECTOR == IS_MATRIX)
        return norm_of_matrix(&a, __func__);
    return reduce(X(genrmi), &x, cdh, __func__);
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

psb_i_t C(gemlt2)(T alpha, C(vector) * xh, C(vector) * yh, T beta, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, yh, zh };
    struct X(vect) *v[3] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 3, h, v);
    if (e == PSB_OK)
        e = X(gemlt2)(alpha, v[0], v[1], beta, v[2]);
    return CLOSE(zh, v[2], e);
}

/* y = f(x, y). */
static psb_i_t map(psb_err (*f)(const struct X(vect) *x, struct X(vect) *y), C(vector) * xh, C(vector) * yh,
                   const psb_c_descriptor *cdh, const char *call)
{
    C(vector) *const h[] = { xh, yh };
    struct X(vect) *v[2] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    if (e == PSB_OK)
        e = f(v[0], v[1]);
    return X(cbind_close)(yh, v[1], e, call);
}

psb_i_t C(gemlt)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return map(X(gemlt), xh, yh, cdh, __func__);
}

psb_i_t C(geinv)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return map(X(geinv), xh, yh, cdh, __func__);
}

psb_i_t C(geinv_check)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh, bool flag)
{
    return map(flag ? X(geinv_check) : X(geinv), xh, yh, cdh, __func__);
}

psb_i_t C(geabs)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return map(X(geabs), xh, yh, cdh, __func__);
}

/* x = x / y; with `checked`, a zero of y is an error. */
static psb_i_t divide(C(vector) * xh, C(vector) * yh, const psb_c_descriptor *cdh, bool checked,
                      const char *call)
{
    C(vector) *const h[] = { xh, yh };
    struct X(vect) *v[2] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    if (e == PSB_OK)
        e = (checked ? X(gediv_check) : X(gediv))(v[0], v[1]);
    return X(cbind_close)(xh, v[0], e, call);
}

psb_i_t C(gediv)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh)
{
    return divide(xh, yh, cdh, false, __func__);
}

psb_i_t C(gediv_check)(C(vector) * xh, C(vector) * yh, psb_c_descriptor *cdh, bool flag)
{
    return divide(xh, yh, cdh, flag, __func__);
}

/* z = x / y. */
static psb_i_t divide_to(C(vector) * xh, C(vector) * yh, C(vector) * zh, const psb_c_descriptor *cdh,
                         bool checked, const char *call)
{
    C(vector) *const h[] = { xh, yh, zh };
    struct X(vect) *v[3] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 3, h, v);
    if (e == PSB_OK)
        e = (checked ? X(gediv2_check) : X(gediv2))(v[0], v[1], v[2]);
    return X(cbind_close)(zh, v[2], e, call);
}

psb_i_t C(gediv2)(C(vector) * xh, C(vector) * yh, C(vector) * zh, psb_c_descriptor *cdh)
{
    return divide_to(xh, yh, zh, cdh, false, __func__);
}

psb_i_t C(gediv2_check)(C(vector) * xh, C(vector) * yh, C(vector) * zh, psb_c_descriptor *cdh, bool flag)
{
    return divide_to(xh, yh, zh, cdh, flag, __func__);
}

psb_i_t C(gecmp)(C(vector) * xh, R ch, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, zh };
    struct X(vect) *v[2] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    if (e == PSB_OK)
        e = X(gecmp)(v[0], ch, v[1]);
    return CLOSE(zh, v[1], e);
}

psb_i_t C(geaddconst)(C(vector) * xh, T bh, C(vector) * zh, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { xh, zh };
    struct X(vect) *v[2] = { 0 };
    psb_err e = X(cbind_open_on)(cdh, 2, h, v);
    if (e == PSB_OK)
        e = X(geaddconst)(v[0], bh, v[1]);
    return CLOSE(zh, v[1], e);
}

#if !CPLX
psb_i_t C(mask)(C(vector) * ch, C(vector) * xh, C(vector) * mh, bool *t, psb_c_descriptor *cdh)
{
    C(vector) *const h[] = { ch, xh, mh };
    struct X(vect) *v[3] = { 0 };
    int ok = 0;
    psb_err e = X(cbind_open_on)(cdh, 3, h, v);
    if (e == PSB_OK)
        e = X(mask)(v[0], v[1], v[2], &ok);
    if (t)
        *t = ok;
    return CLOSE(mh, v[2], e);
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
