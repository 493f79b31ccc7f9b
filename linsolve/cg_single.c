/* cg_single.c -- linsolve: CG with one reduction in an iteration: A p follows from A M^-1 r by recurrence,
 * and p.Ap from the products with M^-1 r.  Source: Chronopoulos and Gear, "s-step iterative methods for
 * symmetric linear systems", J. Comput. Appl. Math. 25, 1989. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

psb_err X(kr_new_cg)(struct X(kr) *s, struct X(kr_cg_scalars) *c)
{
    const int k = s->k;
    T *p;
    PSB_TRY(X(kr_scalars)(s, 8, &p));
    *c = (struct X(kr_cg_scalars)){
        p, p + k, p + 2 * k, p + 3 * k, p + 4 * k, p + 5 * k, p + 6 * k, p + 7 * k
    };
    return PSB_OK;
}

void X(kr_next_cg)(struct X(kr) *s, struct X(kr_cg_scalars) *c)
{
    X(kr_need_positive)(s, c->ru, "the preconditioner is not positive definite");
    X(kr_ratio)(s, c->ru, c->old, c->beta, NULL);
    X(kr_ratio)(s, c->ru, c->alpha, c->pq, NULL);
    for (int j = 0; j < s->k; j++) {
        c->pq[j] = c->uw[j] - c->beta[j] * c->pq[j];
        c->old[j] = c->ru[j];
    }
    X(kr_need_positive)(s, c->pq, "the matrix is not positive definite");
    X(kr_ratio)(s, c->ru, c->pq, c->alpha, "p.Ap is 0");
    X(kr_keep_step)(s, c->alpha, c->beta);
    for (int j = 0; j < s->k; j++)
        c->minus[j] = -c->alpha[j];
}

psb_err X(kr_cg_single)(struct X(kr) *s)
{
    enum { RES, U, W, P, Q, VECTORS }; /* U = M^-1 RES, W = A U, Q = A P */
    struct X(vect) *v[VECTORS];
    struct X(kr_cg_scalars) c;
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_new_cg)(s, &c));
    struct X(vect) *const left[] = { v[RES], v[U], v[RES] }, *const right[] = { v[U], v[W], v[RES] };
    X(kr_residual)(s, v[RES]);
    for (bool go, first = true;; first = false) {
        X(kr_prec)(s, v[RES], v[U], 'N');
        PSB_TRY(X(kr_product_dots)(s, v[U], v[W], 3, left, right, c.ru));
        PSB_TRY(X(kr_norms)(s, v[RES], c.rr, s->value));
        PSB_TRY(X(kr_test)(s, v[RES], s->value, first, &go));
        if (!go)
            return PSB_OK;
        X(kr_next_cg)(s, &c);
        X(kr_advance)(s, v[U], c.beta, v[P], c.alpha, s->x);
        X(kr_advance)(s, v[W], c.beta, v[Q], c.minus, v[RES]);
    }
}
