/* cg_single.c -- linsolve: CG with one reduction in an iteration: A p follows from A M^-1 r by recurrence,
 * and p.Ap from the products with M^-1 r.  Source: Chronopoulos and Gear, "s-step iterative methods for
 * symmetric linear systems", J. Comput. Appl. Math. 25, 1989. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

void X(kr_next_cg)(struct X(kr) *s, T *const *c)
{
    X(kr_need_positive)(s, c[KR_RU], "the preconditioner is not positive definite");
    X(kr_ratio)(s, c[KR_RU], c[KR_OLD], c[KR_BETA], NULL);
    X(kr_ratio)(s, c[KR_RU], c[KR_ALPHA], c[KR_PQ], NULL);
    X(kr_less_product)(s, c[KR_UW], c[KR_BETA], c[KR_PQ]);
    X(kr_copy)(s, c[KR_RU], c[KR_OLD]);
    X(kr_need_positive)(s, c[KR_PQ], "the matrix is not positive definite");
    X(kr_ratio)(s, c[KR_RU], c[KR_PQ], c[KR_ALPHA], "p.Ap is 0");
    X(kr_keep_step)(s, c[KR_ALPHA], c[KR_BETA]);
    X(kr_negate)(s, c[KR_ALPHA], c[KR_MINUS]);
}

psb_err X(kr_cg_single)(struct X(kr) *s)
{
    enum { RES, W, P, Q, U, VECTORS }; /* U = M^-1 RES, W = A U, Q = A P */
    const bool plain = X(kr_has_identity)(s);
    struct X(vect) *v[VECTORS];
    T *c[KR_CG];
    PSB_TRY(X(kr_coefficients)(s, KR_CG, c));
    PSB_TRY(X(kr_vectors)(s, VECTORS - plain, v));
    if (plain)
        v[U] = v[RES];
    struct X(vect) *const left[] = { v[RES], v[U], v[RES] }, *const right[] = { v[U], v[W], v[RES] };
    X(kr_residual)(s, v[RES]);
    for (bool go, first = true;; first = false) {
        X(kr_prec)(s, v[RES], v[U], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[U], v[W], 3, left, right, c[KR_RU]));
        PSB_TRY(X(kr_test_square)(s, v[RES], c[KR_RR], first, &go));
        if (!go)
            return PSB_OK;
        X(kr_next_cg)(s, c);
        X(kr_advance)(s, v[U], c[KR_BETA], v[P], c[KR_ALPHA], s->x);
        X(kr_advance)(s, v[W], c[KR_BETA], v[Q], c[KR_MINUS], v[RES]);
    }
}
