/* bicg.c -- linsolve: BiCG.  An iteration has a product with A, one with its conjugate transpose, and both
 * for the preconditioner.  Source: Fletcher, "Conjugate gradient methods for indefinite systems", Lecture
 * Notes in Mathematics 506, 1976. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_bicg)(struct X(kr) *s)
{
    enum { RES, P, W, SHADOW, SHADOW_P, SHADOW_W, VECTORS }; /* W: A P, then M^-1 RES */
    struct X(vect) *v[VECTORS];
    const int k = s->k;
    T *c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 7, &c));
    T *rho = c, *old = c + 2 * k, *sigma = c + 3 * k, *alpha = c + 4 * k, *beta = c + 5 * k;
    T *conjugate = c + 6 * k; /* of alpha or beta; rho: of the shadow with M^-1 RES, of RES with itself */
    X(kr_residual)(s, v[RES]);
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    if (s->right != s->left)
        X(kr_project)(s, true, v[SHADOW]);
    for (bool go, first = true;; first = false) {
        X(kr_prec)(s, v[RES], v[W], 'N');
        X(kr_prec)(s, v[SHADOW], v[SHADOW_W], 'C');
        PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[W], v[RES], rho, first, &go));
        if (first) {
            X(kr_note)(s, X(geaxpby)(1, v[W], 0, v[P]));
            X(kr_note)(s, X(geaxpby)(1, v[SHADOW_W], 0, v[SHADOW_P]));
        } else {
            X(kr_ratio)(s, rho, old, beta, "the shadow residual is orthogonal to M^-1 r");
            for (int j = 0; j < k; j++)
                conjugate[j] = CONJ(beta[j]);
            X(kr_axpby)(s, NULL, v[W], beta, v[P]);
            X(kr_axpby)(s, NULL, v[SHADOW_W], conjugate, v[SHADOW_P]);
        }
        if (!go)
            return PSB_OK;
        X(kr_product)(s, v[SHADOW_P], v[SHADOW_W], 'C');
        PSB_TRY(X(kr_product_dots)(s, v[P], v[W], 1, &v[SHADOW_P], &v[W], sigma));
        X(kr_ratio)(s, rho, sigma, alpha, "the shadow direction is orthogonal to A p");
        for (int j = 0; j < k; j++) {
            conjugate[j] = CONJ(alpha[j]);
            old[j] = rho[j];
        }
        X(kr_axpby)(s, alpha, v[P], NULL, s->x);
        X(kr_subtract)(s, alpha, v[W], v[RES]);
        X(kr_subtract)(s, conjugate, v[SHADOW_W], v[SHADOW]);
    }
}
