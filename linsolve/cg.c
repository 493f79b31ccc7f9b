/* cg.c -- linsolve: the conjugate gradient method.  Source: Hestenes and Stiefel, "Methods of conjugate
 * gradients for solving linear systems", J. Res. Nat. Bur. Stand. 49, 1952. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_cg)(struct X(kr) *s)
{
    enum { RES, P, W, Z, VECTORS };
    enum { RZ, RR, OLD, PW, ALPHA, BETA, COEFFICIENTS };
    const bool plain = X(kr_has_identity)(s); /* then Z is RES */
    struct X(vect) *v[VECTORS];
    bool go;
    T *c[COEFFICIENTS];
    PSB_TRY(X(kr_coefficients)(s, COEFFICIENTS, c));
    PSB_TRY(X(kr_vectors)(s, VECTORS - plain, v));
    if (plain)
        v[Z] = v[RES];
    struct X(vect) *const left[] = { v[RES], v[RES] }, *const right[] = { v[Z], v[RES] };
    X(kr_residual)(s, v[RES]);
    X(kr_prec)(s, v[RES], v[Z], 'N');
    PSB_TRY(X(kr_dots)(s, 2, left, right, c[RZ]));
    PSB_TRY(X(kr_test_square)(s, v[RES], c[RR], true, &go));
    X(kr_note)(s, X(geaxpby)(1, v[Z], 0, v[P]));
    while (go) {
        PSB_TRY(X(kr_product_dots)(s, v[P], v[W], 1, &v[P], &v[W], c[PW]));
        X(kr_need_positive)(s, c[PW], "the matrix is not positive definite");
        X(kr_ratio)(s, c[RZ], c[PW], c[ALPHA], "p.Ap is 0");
        X(kr_keep_step)(s, c[ALPHA], c[BETA]);
        X(kr_copy)(s, c[RZ], c[OLD]);
        X(kr_later)(s, c[ALPHA], v[P]);
        PSB_TRY(X(kr_subtract_dots)(s, c[ALPHA], v[W], v[RES], v[Z], 2, left, right, c[RZ]));
        PSB_TRY(X(kr_test_square)(s, v[RES], c[RR], false, &go));
        X(kr_ratio)(s, c[RZ], c[OLD], c[BETA], "r.z is 0");
        X(kr_axpby)(s, NULL, v[Z], c[BETA], v[P]);
    }
    return PSB_OK;
}
