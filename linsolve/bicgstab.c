/* bicgstab.c -- linsolve: BiCGSTAB, preconditioned from the right, so that its residual is that of the
 * system. An iteration has two products.  Source: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging
 * variant of Bi-CG", SIAM J. Sci. Stat. Comput. 13, 1992. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_bicgstab)(struct X(kr) *s)
{
    enum { RES, SHADOW, P, Z, V, U, VECTORS }; /* Z: M^-1 P, then M^-1 RES; V = A M^-1 P, U = A M^-1 RES */
    struct X(vect) *v[VECTORS];
    const int k = s->k;
    bool go;
    T *c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 9, &c));
    T *rho = c;                         /* products of RES with SHADOW and with itself */
    T *us = c + 2 * k, *uu = c + 3 * k; /* of U with RES and with itself */
    T *old = c + 4 * k, *sigma = c + 5 * k, *alpha = c + 6 * k, *omega = c + 7 * k, *beta = c + 8 * k;
    struct X(vect) *const left[] = { v[U], v[U] }, *const right[] = { v[RES], v[U] };
    X(kr_residual)(s, v[RES]);
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[P]));
    PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], rho, true, &go));
    while (go) {
        /* a step of BiCG along P */
        X(kr_prec)(s, v[P], v[Z], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[Z], v[V], 1, &v[SHADOW], &v[V], sigma));
        X(kr_ratio)(s, rho, sigma, alpha, "the shadow residual is orthogonal to A p");
        X(kr_subtract)(s, alpha, v[V], v[RES]);
        X(kr_axpby)(s, alpha, v[Z], NULL, s->x);
        /* a step along RES that makes it smallest */
        X(kr_prec)(s, v[RES], v[Z], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[Z], v[U], 2, left, right, us));
        X(kr_ratio)(s, us, uu, omega, NULL);
        X(kr_subtract)(s, omega, v[U], v[RES]);
        X(kr_axpby)(s, omega, v[Z], NULL, s->x);
        for (int j = 0; j < k; j++)
            old[j] = rho[j];
        PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], rho, false, &go));
        /* P = RES + beta (P - omega V) */
        X(kr_ratio)(s, rho, old, beta, "the shadow residual is orthogonal to the residual");
        X(kr_ratio)(s, alpha, omega, alpha, "omega is 0: A M^-1 r is orthogonal to r");
        for (int j = 0; j < k; j++)
            beta[j] *= alpha[j];
        X(kr_subtract)(s, omega, v[V], v[P]);
        X(kr_axpby)(s, NULL, v[RES], beta, v[P]);
    }
    return PSB_OK;
}
