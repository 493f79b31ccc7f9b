/* cgs.c -- linsolve: CGS, preconditioned from the right, so that its residual is that of the system.  An
 * iteration has two products.  Source: Sonneveld, "CGS, a fast Lanczos-type solver for nonsymmetric linear
 * systems", SIAM J. Sci. Stat. Comput. 10, 1989. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_cgs)(struct X(kr) *s)
{
    enum { RES, SHADOW, P, U, Q, W, Z, VECTORS };
    enum { RHO, RR, OLD, SIGMA, ALPHA, MINUS, BETA, COEFFICIENTS };
    struct X(vect) *v[VECTORS];
    bool go;
    T *c[COEFFICIENTS];
    PSB_TRY(X(kr_coefficients)(s, COEFFICIENTS, c));
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    struct X(vect) *const left[] = { v[SHADOW], v[RES] }, *const right[] = { v[RES], v[RES] };
    X(kr_residual)(s, v[RES]);
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[P]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[U]));
    PSB_TRY(X(kr_dots)(s, 2, left, right, c[RHO]));
    PSB_TRY(X(kr_test_square)(s, v[RES], c[RR], true, &go));
    while (go) {
        /* Q = U - alpha A M^-1 P, U = U + Q */
        X(kr_prec)(s, v[P], v[Z], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[Z], v[Q], 1, &v[SHADOW], &v[Q], c[SIGMA]));
        X(kr_ratio)(s, c[RHO], c[SIGMA], c[ALPHA], "the shadow residual is orthogonal to A p");
        X(kr_negate)(s, c[ALPHA], c[MINUS]);
        X(kr_copy)(s, c[RHO], c[OLD]);
        X(kr_sums)(
            s, 2,
            (struct X(kr_sum)[]){ { .x = v[U], .beta = c[MINUS], .y = v[Q] }, { .x = v[Q], .y = v[U] } });
        /* Z = M^-1 U, x = x + alpha Z */
        X(kr_prec)(s, v[U], v[Z], 'N');
        X(kr_product)(s, v[Z], v[W], 'N');
        X(kr_later)(s, c[ALPHA], v[Z]);
        PSB_TRY(X(kr_subtract_dots)(s, c[ALPHA], v[W], v[RES], NULL, 2, left, right, c[RHO]));
        PSB_TRY(X(kr_test_square)(s, v[RES], c[RR], false, &go));
        /* U = RES + beta Q, P = U + beta (Q + beta P); Q is made U in place */
        X(kr_ratio)(s, c[RHO], c[OLD], c[BETA], "the shadow residual is orthogonal to the residual");
        X(kr_axpby)(s, NULL, v[Q], c[BETA], v[P]);
        X(kr_sums)(s, 2,
                   (struct X(kr_sum)[]){ { .x = v[RES], .beta = c[BETA], .y = v[Q] },
                                         { .x = v[Q], .beta = c[BETA], .y = v[P] } });
        struct X(vect) *q = v[Q];
        v[Q] = v[U];
        v[U] = q;
    }
    return PSB_OK;
}
