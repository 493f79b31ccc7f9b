/* bicgstab.c -- linsolve: BiCGSTAB, preconditioned from the right, so that its residual is that of the
 * system. An iteration has two products.  Source: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging
 * variant of Bi-CG", SIAM J. Sci. Stat. Comput. 13, 1992. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_bicgstab)(struct X(kr) *s)
{
    /* V = A PHAT, U = A RHAT, PHAT = M^-1 P, RHAT = M^-1 RES */
    enum { RES, SHADOW, P, V, U, PHAT, RHAT, VECTORS };
    enum { RHO, RR, US, UU, OLD, SIGMA, ALPHA, OMEGA, BETA, COEFFICIENTS };
    const bool plain = X(kr_has_identity)(s);
    struct X(vect) *v[VECTORS];
    bool go;
    T *c[COEFFICIENTS];
    PSB_TRY(X(kr_coefficients)(s, COEFFICIENTS, c));
    PSB_TRY(X(kr_vectors)(s, plain ? PHAT : VECTORS, v));
    if (plain) {
        v[PHAT] = v[P];
        v[RHAT] = v[RES];
    }
    struct X(vect) *const of_u[] = { v[U], v[U] }, *const with_u[] = { v[RES], v[U] };
    struct X(vect) *const left[] = { v[SHADOW], v[RES] }, *const right[] = { v[RES], v[RES] };
    X(kr_residual)(s, v[RES]);
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[P]));
    PSB_TRY(X(kr_dots)(s, 2, left, right, c[RHO]));
    PSB_TRY(X(kr_test_square)(s, v[RES], c[RR], true, &go));
    while (go) {
        /* a step of BiCG along P */
        X(kr_prec)(s, v[P], v[PHAT], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[PHAT], v[V], 1, &v[SHADOW], &v[V], c[SIGMA]));
        X(kr_ratio)(s, c[RHO], c[SIGMA], c[ALPHA], "the shadow residual is orthogonal to A p");
        PSB_TRY(X(kr_subtract_dots)(s, c[ALPHA], v[V], v[RES], v[RHAT], 0, NULL, NULL, NULL));
        X(kr_later)(s, c[ALPHA], v[PHAT]);
        /* a step along RES that makes it smallest */
        PSB_TRY(X(kr_product_dots)(s, v[RHAT], v[U], 2, of_u, with_u, c[US]));
        X(kr_ratio)(s, c[US], c[UU], c[OMEGA], NULL);
        X(kr_copy)(s, c[RHO], c[OLD]);
        X(kr_axpby)(s, c[OMEGA], v[RHAT], NULL, s->x);
        PSB_TRY(X(kr_subtract_dots)(s, c[OMEGA], v[U], v[RES], NULL, 2, left, right, c[RHO]));
        PSB_TRY(X(kr_test_square)(s, v[RES], c[RR], false, &go));
        /* P = RES + beta (P - omega V) */
        X(kr_ratio)(s, c[RHO], c[OLD], c[BETA], "the shadow residual is orthogonal to the residual");
        X(kr_ratio)(s, c[ALPHA], c[OMEGA], c[ALPHA], "omega is 0: A M^-1 r is orthogonal to r");
        X(kr_multiply)(s, c[BETA], c[ALPHA], c[BETA]);
        X(kr_sums)(s, 2,
                   (struct X(kr_sum)[]){ { .alpha = c[OMEGA], .minus = true, .x = v[V], .y = v[P] },
                                         { .x = v[RES], .beta = c[BETA], .y = v[P] } });
    }
    return PSB_OK;
}
