/* cgs.c -- linsolve: CGS, preconditioned from the right, so that its residual is that of the system.  An
 * iteration has two products.  Source: Sonneveld, "CGS, a fast Lanczos-type solver for nonsymmetric linear
 * systems", SIAM J. Sci. Stat. Comput. 10, 1989. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_cgs)(struct X(kr) *s)
{
    enum { RES, SHADOW, P, U, Q, Z, W, VECTORS };
    struct X(vect) *v[VECTORS];
    const int k = s->k;
    bool go;
    T *c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 7, &c));
    T *rho = c; /* products of RES with SHADOW and with itself */
    T *old = c + 2 * k, *sigma = c + 3 * k, *alpha = c + 4 * k, *minus = c + 5 * k, *beta = c + 6 * k;
    X(kr_residual)(s, v[RES]);
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[P]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[U]));
    PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], rho, true, &go));
    while (go) {
        /* Q = U - alpha A M^-1 P */
        X(kr_prec)(s, v[P], v[Z], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[Z], v[Q], 1, &v[SHADOW], &v[Q], sigma));
        X(kr_ratio)(s, rho, sigma, alpha, "the shadow residual is orthogonal to A p");
        for (int j = 0; j < k; j++)
            minus[j] = -alpha[j];
        X(kr_axpby)(s, NULL, v[U], minus, v[Q]);
        /* Z = M^-1 (U + Q), x = x + alpha Z */
        X(kr_axpby)(s, NULL, v[Q], NULL, v[U]);
        X(kr_prec)(s, v[U], v[Z], 'N');
        X(kr_product)(s, v[Z], v[W], 'N');
        X(kr_axpby)(s, alpha, v[Z], NULL, s->x);
        X(kr_subtract)(s, alpha, v[W], v[RES]);
        for (int j = 0; j < k; j++)
            old[j] = rho[j];
        PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], rho, false, &go));
        /* U = RES + beta Q, P = U + beta (Q + beta P); Q is made U in place */
        X(kr_ratio)(s, rho, old, beta, "the shadow residual is orthogonal to the residual");
        X(kr_axpby)(s, NULL, v[Q], beta, v[P]);
        X(kr_axpby)(s, NULL, v[RES], beta, v[Q]);
        struct X(vect) *q = v[Q];
        v[Q] = v[U];
        v[U] = q;
        X(kr_axpby)(s, NULL, v[U], beta, v[P]);
    }
    return PSB_OK;
}
