/* cg.c -- linsolve: the conjugate gradient method.  Source: Hestenes and Stiefel, "Methods of conjugate
 * gradients for solving linear systems", J. Res. Nat. Bur. Stand. 49, 1952. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_cg)(struct X(kr) *s)
{
    enum { RES, Z, P, W, VECTORS };
    struct X(vect) *v[VECTORS];
    const int k = s->k;
    bool go;
    T *c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 6, &c));
    T *rz = c, *old = c + 2 * k, *pw = c + 3 * k, *alpha = c + 4 * k, *beta = c + 5 * k; /* rz: and r.r */
    X(kr_residual)(s, v[RES]);
    X(kr_prec)(s, v[RES], v[Z], 'N');
    PSB_TRY(X(kr_dot_and_test)(s, v[RES], v[Z], v[RES], rz, true, &go));
    X(kr_note)(s, X(geaxpby)(1, v[Z], 0, v[P]));
    while (go) {
        PSB_TRY(X(kr_product_dots)(s, v[P], v[W], 1, &v[P], &v[W], pw));
        X(kr_need_positive)(s, pw, "the matrix is not positive definite");
        X(kr_ratio)(s, rz, pw, alpha, "p.Ap is 0");
        X(kr_keep_step)(s, alpha, beta);
        X(kr_axpby)(s, alpha, v[P], NULL, s->x);
        X(kr_subtract)(s, alpha, v[W], v[RES]);
        for (int j = 0; j < k; j++)
            old[j] = rz[j];
        X(kr_prec)(s, v[RES], v[Z], 'N');
        PSB_TRY(X(kr_dot_and_test)(s, v[RES], v[Z], v[RES], rz, false, &go));
        X(kr_ratio)(s, rz, old, beta, "r.z is 0");
        X(kr_axpby)(s, NULL, v[Z], beta, v[P]);
    }
    return PSB_OK;
}
