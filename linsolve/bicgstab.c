/* bicgstab.c -- room: linsolve.  BiCGSTAB, preconditioned from the right, so that its residual is that of the
 * system.  An iteration has two products.  Source: van der Vorst, "Bi-CGSTAB: a fast and smoothly converging
 * variant of Bi-CG", SIAM J. Sci. Stat. Comput. 13, 1992. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

enum { RES, SHADOW, P, Z, V, U, VECTORS }; /* Z: M^-1 P, then M^-1 RES; V = A M^-1 P, U = A M^-1 RES */

struct scalars {
    T *rho;     /* 2 k products of the residual, with the shadow and with itself */
    T *us, *uu; /* of U with the residual and with itself: one array */
    T *old, *sigma, *alpha, *omega, *beta;
};

static psb_err new_scalars(struct X(kr) *s, struct scalars *c)
{
    T *p;
    const int k = s->k;
    PSB_TRY(X(kr_scalars)(s, 9, &p));
    *c = (struct scalars){ p, p + 2 * k, p + 3 * k, p + 4 * k, p + 5 * k, p + 6 * k, p + 7 * k, p + 8 * k };
    return PSB_OK;
}

/* V = A M^-1 P and alpha, then the residual and x of the half step. */
static psb_err first_half(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    PSB_TRY(X(kr_prec)(s, v[P], v[Z], 'N'));
    PSB_TRY(X(kr_product_dots)(s, v[Z], v[V], 1, &v[SHADOW], &v[V], c->sigma));
    X(kr_ratio)(s, c->rho, c->sigma, c->alpha, "the shadow residual is orthogonal to A p");
    PSB_TRY(X(kr_subtract)(s, c->alpha, v[V], v[RES]));
    return X(kr_axpby)(s, c->alpha, v[Z], NULL, s->x);
}

/* U = A M^-1 RES and omega, then the residual and x of the whole step. */
static psb_err second_half(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    struct X(vect) *const left[] = { v[U], v[U] }, *const right[] = { v[RES], v[U] };
    PSB_TRY(X(kr_prec)(s, v[RES], v[Z], 'N'));
    PSB_TRY(X(kr_product_dots)(s, v[Z], v[U], 2, left, right, c->us));
    X(kr_ratio_or_0)(s, c->us, c->uu, c->omega);
    PSB_TRY(X(kr_subtract)(s, c->omega, v[U], v[RES]));
    return X(kr_axpby)(s, c->omega, v[Z], NULL, s->x);
}

/* P = RES + beta (P - omega V). */
static psb_err next_direction(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    X(kr_ratio)(s, c->rho, c->old, c->beta, "the shadow residual is orthogonal to the residual");
    X(kr_ratio)(s, c->alpha, c->omega, c->alpha, "omega is 0: A M^-1 r is orthogonal to r");
    for (int j = 0; j < s->k; j++)
        c->beta[j] *= c->alpha[j];
    PSB_TRY(X(kr_subtract)(s, c->omega, v[V], v[P]));
    return X(kr_axpby)(s, NULL, v[RES], c->beta, v[P]);
}

psb_err X(kr_bicgstab)(struct X(kr) *s)
{
    struct X(vect) *v[VECTORS];
    struct scalars c;
    int go;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(new_scalars(s, &c));
    PSB_TRY(X(kr_residual)(s, v[RES]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[P]));
    PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], c.rho, 1, &go));
    while (go) {
        PSB_TRY(first_half(s, v, &c));
        PSB_TRY(second_half(s, v, &c));
        for (int j = 0; j < s->k; j++)
            c.old[j] = c.rho[j];
        PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], c.rho, 0, &go));
        PSB_TRY(next_direction(s, v, &c));
    }
    return PSB_OK;
}
