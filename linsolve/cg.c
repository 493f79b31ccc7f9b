/* cg.c -- room: linsolve.  The conjugate gradient method.  Source: Hestenes and Stiefel, "Methods of
 * conjugate gradients for solving linear systems", J. Res. Nat. Bur. Stand. 49, 1952. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* z = M^-1 r, rz = the dot products of r and z; apply the stopping criterion to r by `test`. */
static psb_err next(struct X(kr) *s, struct X(vect) *r, struct X(vect) *z, T *dots,
                    psb_err (*test)(struct X(kr) *, const struct X(vect) *, const double *, int *), int *go)
{
    struct X(vect) *const left[] = { r, r }, *const right[] = { z, r };
    PSB_TRY(X(kr_prec)(s, r, z, 'N'));
    PSB_TRY(X(gedots)(2, left, right, dots));
    PSB_TRY(X(kr_norms)(s, r, dots + s->k, s->value));
    return test(s, r, s->value, go);
}

psb_err X(kr_cg)(struct X(kr) *s)
{
    enum { R_, Z, P, W, VECTORS };
    struct X(vect) *v[VECTORS];
    const int k = s->k;
    int go;
    T *c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_scalars)(s, 6, &c));
    T *rz = c, *old = c + 2 * k, *pw = c + 3 * k, *alpha = c + 4 * k, *beta = c + 5 * k; /* rz: and r.r */
    PSB_TRY(X(kr_residual)(s, v[R_]));
    PSB_TRY(next(s, v[R_], v[Z], rz, X(kr_begin), &go));
    PSB_TRY(X(geaxpby)(1, v[Z], 0, v[P]));
    while (go) {
        PSB_TRY(X(kr_product_dots)(s, v[P], v[W], 1, &v[P], &v[W], pw));
        X(kr_need_positive)(s, pw, "the matrix is not positive definite");
        X(kr_ratio)(s, rz, pw, alpha, "p.Ap is 0");
        PSB_TRY(X(kr_axpby)(s, alpha, v[P], NULL, s->x));
        PSB_TRY(X(kr_subtract)(s, alpha, v[W], v[R_]));
        for (int j = 0; j < k; j++)
            old[j] = rz[j];
        PSB_TRY(next(s, v[R_], v[Z], rz, X(kr_test), &go));
        X(kr_ratio)(s, rz, old, beta, "r.z is 0");
        PSB_TRY(X(kr_axpby)(s, NULL, v[Z], beta, v[P]));
    }
    return PSB_OK;
}
