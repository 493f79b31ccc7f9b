/* vects_like.c -- base/spmat: vectors that fit a matrix. */
#include "spmat.h"
#include "psb_type.h"

static psb_err check_like(const struct X(spmat) *a, const void *x, const void *y)
{
    PSB_TRY(X(sp_check)(a, "a"));
    PSB_NEED(x, "where to store the vector on the columns");
    PSB_NEED(y, "where to store the vector on the rows");
    return PSB_OK;
}

psb_err X(vects_like_n)(const struct X(spmat) *a, int k, struct X(vect) **x, struct X(vect) **y)
{
    struct X(vect) *v[2] = { NULL, NULL };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_err e = check_like(a, x, y);
    PSB_THEN(e, X(geall_n)(&v[0], a->col, k));
    PSB_THEN(e, X(geall_n)(&v[1], a->row, k));
    e = psb_agree(psb_cd_ctxt(a->row), e);
    for (int i = 0; i < 2 && e == PSB_OK; i++)
        e = X(geasb_on)(v[i], a->ad->on);
    if (e != PSB_OK) {
        X(gefree)(v[0]);
        X(gefree)(v[1]);
        return PSB_PASS(e);
    }
    *x = v[0];
    *y = v[1];
    return PSB_OK;
}

psb_err X(vects_like)(const struct X(spmat) *a, struct X(vect) **x, struct X(vect) **y)
{
    return PSB_PASS(X(vects_like_n)(a, 1, x, y));
}
