/* cgs.c -- room: linsolve.  CGS, preconditioned from the right, so that its residual is that of the system.
 * An iteration has two products.  Source: Sonneveld, "CGS, a fast Lanczos-type solver for nonsymmetric linear
 * systems", SIAM J. Sci. Stat. Comput. 10, 1989. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

enum { RES, SHADOW, P, U, Q, Z, W, VECTORS };

struct scalars {
    T *rho;                                /* 2 k products of the residual, with the shadow and with itself */
    T *old, *sigma, *alpha, *minus, *beta; /* minus = -alpha */
};

static psb_err new_scalars(struct X(kr) *s, struct scalars *c)
{
    T *p;
    const int k = s->k;
    PSB_TRY(X(kr_scalars)(s, 7, &p));
    *c = (struct scalars){ p, p + 2 * k, p + 3 * k, p + 4 * k, p + 5 * k, p + 6 * k };
    return PSB_OK;
}

/* alpha, and Q = U - alpha A M^-1 P. */
static psb_err first_product(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    PSB_TRY(X(kr_prec)(s, v[P], v[Z], 'N'));
    PSB_TRY(X(kr_product_dots)(s, v[Z], v[Q], 1, &v[SHADOW], &v[Q], c->sigma));
    X(kr_ratio)(s, c->rho, c->sigma, c->alpha, "the shadow residual is orthogonal to A p");
    for (int j = 0; j < s->k; j++)
        c->minus[j] = -c->alpha[j];
    return X(kr_axpby)(s, NULL, v[U], c->minus, v[Q]);
}

/* Z = M^-1 (U + Q), then x and the residual of x + alpha Z. */
static psb_err second_product(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    PSB_TRY(X(kr_axpby)(s, NULL, v[Q], NULL, v[U]));
    PSB_TRY(X(kr_prec)(s, v[U], v[Z], 'N'));
    X(kr_note)(s, X(spmv)(1, s->a, v[Z], 0, v[W], 'N'));
    PSB_TRY(X(kr_axpby)(s, c->alpha, v[Z], NULL, s->x));
    return X(kr_subtract)(s, c->alpha, v[W], v[RES]);
}

/* U = RES + beta Q, P = U + beta (Q + beta P); Q is made U in place. */
static psb_err next_directions(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    struct X(vect) *q = v[Q];
    X(kr_ratio)(s, c->rho, c->old, c->beta, "the shadow residual is orthogonal to the residual");
    PSB_TRY(X(kr_axpby)(s, NULL, v[Q], c->beta, v[P]));
    PSB_TRY(X(kr_axpby)(s, NULL, v[RES], c->beta, v[Q]));
    v[Q] = v[U];
    v[U] = q;
    return X(kr_axpby)(s, NULL, v[U], c->beta, v[P]);
}

psb_err X(kr_cgs)(struct X(kr) *s)
{
    struct X(vect) *v[VECTORS];
    struct scalars c;
    int go;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(new_scalars(s, &c));
    PSB_TRY(X(kr_residual)(s, v[RES]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[P]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[U]));
    PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], c.rho, 1, &go));
    while (go) {
        PSB_TRY(first_product(s, v, &c));
        PSB_TRY(second_product(s, v, &c));
        for (int j = 0; j < s->k; j++)
            c.old[j] = c.rho[j];
        PSB_TRY(X(kr_dot_and_test)(s, v[SHADOW], v[RES], v[RES], c.rho, 0, &go));
        PSB_TRY(next_directions(s, v, &c));
    }
    return PSB_OK;
}
