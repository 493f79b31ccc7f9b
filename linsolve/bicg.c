/* bicg.c -- room: linsolve.  BiCG.  An iteration has a product with A, one with its conjugate transpose, and
 * both for the preconditioner.  Source: Fletcher, "Conjugate gradient methods for indefinite systems",
 * Lecture Notes in Mathematics 506, 1976. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

enum { RES, P, W, SHADOW, SHADOW_P, SHADOW_W, VECTORS }; /* W: A P, then M^-1 RES */

struct scalars {
    T *rho;                               /* 2 k products: of the shadow with M^-1 RES, of RES with itself */
    T *old, *sigma, *alpha, *beta, *conj; /* conj: of alpha or beta */
};

static psb_err new_scalars(struct X(kr) *s, struct scalars *c)
{
    T *p;
    const int k = s->k;
    PSB_TRY(X(kr_scalars)(s, 7, &p));
    *c = (struct scalars){ p, p + 2 * k, p + 3 * k, p + 4 * k, p + 5 * k, p + 6 * k };
    return PSB_OK;
}

static const T *conjugates(int k, const T *from, T *to)
{
    for (int j = 0; j < k; j++)
        to[j] = CONJ(from[j]);
    return to;
}

/* Apply the preconditioner to both residuals, and the stopping criterion. */
static psb_err next(struct X(kr) *s, struct X(vect) **v, struct scalars *c, int first, int *go)
{
    PSB_TRY(X(kr_prec)(s, v[RES], v[W], 'N'));
    PSB_TRY(X(kr_prec)(s, v[SHADOW], v[SHADOW_W], 'C'));
    return X(kr_dot_and_test)(s, v[SHADOW], v[W], v[RES], c->rho, first, go);
}

/* Multiply both directions; x and both residuals after a step of alpha. */
static psb_err step(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    X(kr_note)(s, X(spmv)(1, s->a, v[SHADOW_P], 0, v[SHADOW_W], 'C'));
    PSB_TRY(X(kr_product_dots)(s, v[P], v[W], 1, &v[SHADOW_P], &v[W], c->sigma));
    X(kr_ratio)(s, c->rho, c->sigma, c->alpha, "the shadow direction is orthogonal to A p");
    PSB_TRY(X(kr_axpby)(s, c->alpha, v[P], NULL, s->x));
    PSB_TRY(X(kr_subtract)(s, c->alpha, v[W], v[RES]));
    return X(kr_subtract)(s, conjugates(s->k, c->alpha, c->conj), v[SHADOW_W], v[SHADOW]);
}

static psb_err next_directions(struct X(kr) *s, struct X(vect) **v, struct scalars *c)
{
    X(kr_ratio)(s, c->rho, c->old, c->beta, "the shadow residual is orthogonal to M^-1 r");
    PSB_TRY(X(kr_axpby)(s, NULL, v[W], c->beta, v[P]));
    return X(kr_axpby)(s, NULL, v[SHADOW_W], conjugates(s->k, c->beta, c->conj), v[SHADOW_P]);
}

psb_err X(kr_bicg)(struct X(kr) *s)
{
    struct X(vect) *v[VECTORS];
    struct scalars c;
    int go;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(new_scalars(s, &c));
    PSB_TRY(X(kr_residual)(s, v[RES]));
    X(kr_note)(s, X(geaxpby)(1, v[RES], 0, v[SHADOW]));
    PSB_TRY(next(s, v, &c, 1, &go));
    X(kr_note)(s, X(geaxpby)(1, v[W], 0, v[P]));
    X(kr_note)(s, X(geaxpby)(1, v[SHADOW_W], 0, v[SHADOW_P]));
    while (go) {
        PSB_TRY(step(s, v, &c));
        for (int j = 0; j < s->k; j++)
            c.old[j] = c.rho[j];
        PSB_TRY(next(s, v, &c, 0, &go));
        PSB_TRY(next_directions(s, v, &c));
    }
    return PSB_OK;
}
