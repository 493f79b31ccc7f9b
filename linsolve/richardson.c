/* richardson.c -- linsolve: Richardson's iteration: x = x + omega M^-1 (b - A x). */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_richardson)(struct X(kr) *s)
{
    enum { RES, Z, VECTORS };
    struct X(vect) *v[VECTORS];
    T *omega;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 1, &omega));
    for (bool go, first = true;; first = false) {
        X(kr_residual)(s, v[RES]);
        PSB_TRY(X(kr_test)(s, v[RES], NULL, first, &go));
        if (!go)
            return PSB_OK;
        for (int j = 0; j < s->k; j++)
            omega[j] = s->col[j].active ? (T)s->o->omega : 0;
        X(kr_prec)(s, v[RES], v[Z], 'N');
        X(kr_axpby)(s, omega, v[Z], NULL, s->x);
    }
}
