/* fcg.c -- room: linsolve.  Flexible CG: each direction is made A-orthogonal to several former ones, so that
 * the preconditioner may change.  Source: Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput. 22,
 * 2000.
 */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

enum { RES, Z, VECTORS }; /* Z = M^-1 RES */

/* A direction P, Q = A P, and pq = the products of P and Q, then of P and the residual. */
struct direction {
    struct X(vect) *v[2];
    T *pq;
};

struct fcg {
    int most, held;         /* former directions: at most, now */
    struct direction *d;    /* [most]: these; the oldest is replaced first */
    struct direction now;   /* the new one */
    struct X(vect) **left;  /* [most + 1]: what Z and the residual are multiplied with, */
    struct X(vect) **right; /* and these two */
    T *dots;                /* most + 1 of them */
    T *alpha, *beta;
};

static psb_err take_arrays(struct fcg *f)
{
    const size_t most = (size_t)f->most;
    PSB_TRY(psb_alloc_zero(&f->d, most, sizeof *f->d, "directions of FCG"));
    PSB_TRY(psb_alloc_zero(&f->left, most + 1, sizeof *f->left, "vectors of FCG"));
    return psb_alloc_zero(&f->right, most + 1, sizeof *f->right, "vectors of FCG");
}

static void close(struct fcg *f)
{
    psb_free(f->d);
    psb_free(f->left);
    psb_free(f->right);
}

static psb_err new_direction(struct X(kr) *s, struct direction *d)
{
    PSB_TRY(X(kr_vectors)(s, 2, d->v));
    return X(kr_scalars)(s, 2, &d->pq);
}

static psb_err open(struct X(kr) *s, struct fcg *f)
{
    T *c;
    PSB_TRY(X(kr_agree)(s, take_arrays(f)));
    PSB_TRY(X(kr_scalars)(s, f->most + 3, &c));
    f->alpha = c;
    f->beta = c + s->k;
    f->dots = c + 2 * s->k;
    return new_direction(s, &f->now);
}

/* Z, its products with the former Q, and the norm of the residual; apply the stopping criterion by `test`. */
static psb_err next(struct X(kr) *s, struct fcg *f, struct X(vect) **v,
                    psb_err (*test)(struct X(kr) *, const struct X(vect) *, const double *, int *), int *go)
{
    const int n = f->held;
    for (int l = 0; l < n; l++) {
        f->left[l] = f->d[l].v[1];
        f->right[l] = v[Z];
    }
    f->left[n] = f->right[n] = v[RES];
    PSB_TRY(X(kr_prec)(s, v[RES], v[Z], 'N'));
    PSB_TRY(X(kr_dots)(s, n + 1, f->left, f->right, f->dots));
    PSB_TRY(X(kr_norms)(s, v[RES], f->dots + n * s->k, s->value));
    return test(s, v[RES], s->value, go);
}

/* The new direction from Z and the former ones; the step along it. */
static psb_err advance(struct X(kr) *s, struct fcg *f, struct X(vect) **v)
{
    struct X(vect) *p = f->now.v[0], *q = f->now.v[1];
    struct X(vect) *const left[] = { p, p }, *const right[] = { q, v[RES] };
    X(kr_note)(s, X(geaxpby)(1, v[Z], 0, p));
    for (int l = 0; l < f->held; l++) {
        X(kr_ratio_or_0)(s, f->dots + l * s->k, f->d[l].pq, f->beta);
        PSB_TRY(X(kr_subtract)(s, f->beta, f->d[l].v[0], p));
    }
    PSB_TRY(X(kr_product_dots)(s, p, q, 2, left, right, f->now.pq));
    X(kr_need_positive)(s, f->now.pq, "the matrix is not positive definite");
    X(kr_ratio)(s, f->now.pq + s->k, f->now.pq, f->alpha, "p.Ap is 0");
    PSB_TRY(X(kr_axpby)(s, f->alpha, p, NULL, s->x));
    return X(kr_subtract)(s, f->alpha, q, v[RES]);
}

/* Keep the new direction in place of the oldest one, step `it` of the run. */
static psb_err keep(struct X(kr) *s, struct fcg *f, int it)
{
    const int at = it % f->most;
    if (at == f->held) {
        PSB_TRY(new_direction(s, &f->d[at]));
        f->held++;
    }
    const struct direction old = f->d[at];
    f->d[at] = f->now;
    f->now = old;
    return PSB_OK;
}

static psb_err iterate(struct X(kr) *s, struct fcg *f)
{
    struct X(vect) *v[VECTORS];
    int go;
    PSB_TRY(open(s, f));
    PSB_TRY(X(kr_vectors)(s, VECTORS, v));
    PSB_TRY(X(kr_residual)(s, v[RES]));
    PSB_TRY(next(s, f, v, X(kr_begin), &go));
    for (int it = 0; go; it++) {
        PSB_TRY(advance(s, f, v));
        PSB_TRY(keep(s, f, it));
        PSB_TRY(next(s, f, v, X(kr_test), &go));
    }
    return PSB_OK;
}

psb_err X(kr_fcg)(struct X(kr) *s)
{
    struct fcg f = { .most = X(kr_kept)(s, 1) };
    psb_err e = iterate(s, &f);
    close(&f);
    return PSB_PASS(e);
}
