/* cg.c -- room: linsolve.  The conjugate gradient method.  Source: Hestenes and Stiefel, "Methods of
 * conjugate gradients for solving linear systems", J. Res. Nat. Bur. Stand. 49, 1952. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "gechain.t.h"
#include "krylov_inside.t.h"

enum { RES, Z, P, W, VECTORS }; /* Z = M^-1 RES, W = A P */

/* Z, and its product with the residual, then that of the residual with itself. */
static psb_err precondition(struct X(kr) *s, struct X(vect) **v, T *rz)
{
    struct X(vect) *const left[] = { v[RES], v[RES] }, *const right[] = { v[Z], v[RES] };
    PSB_TRY(X(kr_prec)(s, v[RES], v[Z], 'N'));
    return X(gedots)(2, left, right, rz);
}

/* x, the residual, Z and the products, alpha further along P: in one pass if M is diagonal. */
static psb_err advance(struct X(kr) *s, struct X(vect) **v, const T *alpha, T *rz)
{
    const struct X(vect) *d = s->k == 1 ? X(prec_diagonal)(s->p) : NULL;
    if (!d) {
        PSB_TRY(X(kr_axpby)(s, alpha, v[P], NULL, s->x));
        PSB_TRY(X(kr_subtract)(s, alpha, v[W], v[RES]));
        return precondition(s, v, rz);
    }
    const struct X(link) link[] = {
        { .kind = PSB_CHAIN_AXPBY, .alpha = *alpha, .x = v[P], .beta = 1, .z = s->x },
        { .kind = PSB_CHAIN_AXPBY, .alpha = -*alpha, .x = v[W], .beta = 1, .z = v[RES] },
        { .kind = PSB_CHAIN_MULTIPLY, .alpha = 1, .x = d, .y = v[RES], .z = v[Z] },
        { .kind = PSB_CHAIN_DOT, .x = v[RES], .y = v[Z] },
        { .kind = PSB_CHAIN_DOT, .x = v[RES], .y = v[RES] },
    };
    return X(gechain)(sizeof link / sizeof *link, link, rz);
}

psb_err X(kr_cg)(struct X(kr) *s)
{
    struct X(vect) *v[VECTORS];
    const int k = s->k;
    int go;
    T *c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 6, &c));
    T *rz = c, *rr = c + k, *old = c + 2 * k, *pw = c + 3 * k, *alpha = c + 4 * k, *beta = c + 5 * k;
    PSB_TRY(X(kr_residual)(s, v[RES]));
    PSB_TRY(precondition(s, v, rz));
    PSB_TRY(X(kr_norms)(s, v[RES], rr, s->value));
    PSB_TRY(X(kr_begin)(s, v[RES], s->value, &go));
    PSB_TRY(X(geaxpby)(1, v[Z], 0, v[P]));
    while (go) {
        PSB_TRY(X(kr_product_dots)(s, v[P], v[W], 1, &v[P], &v[W], pw));
        X(kr_need_positive)(s, pw, "the matrix is not positive definite");
        X(kr_ratio)(s, rz, pw, alpha, "p.Ap is 0");
        for (int j = 0; j < k; j++)
            old[j] = rz[j];
        PSB_TRY(advance(s, v, alpha, rz));
        PSB_TRY(X(kr_norms)(s, v[RES], rr, s->value));
        PSB_TRY(X(kr_test)(s, v[RES], s->value, &go));
        X(kr_ratio)(s, rz, old, beta, "r.z is 0");
        PSB_TRY(X(kr_axpby)(s, NULL, v[Z], beta, v[P]));
    }
    return PSB_OK;
}
