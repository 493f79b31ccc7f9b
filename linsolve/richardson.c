/* richardson.c -- room: linsolve.  Richardson's iteration: x = x + omega M^-1 (b - A x). */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_richardson)(struct X(kr) *s)
{
    enum { RES, Z, VECTORS };
    struct X(vect) *v[VECTORS];
    int go;
    T *omega;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 1, &omega));
    PSB_TRY(X(kr_residual)(s, v[RES]));
    PSB_TRY(X(kr_begin)(s, v[RES], NULL, &go));
    while (go) {
        for (int j = 0; j < s->k; j++)
            omega[j] = X(kr_is_active)(s, j) ? (T)s->o->omega : 0;
        PSB_TRY(X(kr_prec)(s, v[RES], v[Z], 'N'));
        PSB_TRY(X(kr_axpby)(s, omega, v[Z], NULL, s->x));
        PSB_TRY(X(kr_residual)(s, v[RES]));
        PSB_TRY(X(kr_test)(s, v[RES], NULL, &go));
    }
    return PSB_OK;
}
