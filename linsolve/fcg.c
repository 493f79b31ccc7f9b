/* fcg.c -- linsolve: flexible CG: each direction is made A-orthogonal to several former ones, so that the
 * preconditioner may change.  Source: Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput.
 * 22, 2000. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* A direction p, q = A p, and pq = the products of p and q, then of p and the residual. */
struct fcg_direction {
    struct X(vect) *p, *q;
    T *pq;
};

struct fcg {
    int most, held;           /* former directions: at most, now */
    struct fcg_direction *d;  /* [most]: these; the oldest is replaced first */
    struct fcg_direction now; /* the new one */
    struct X(vect) *r, *z;    /* z = M^-1 r */
    struct X(vect) **left;    /* [most + 1]: what z and the residual are multiplied with, or former p, */
    struct X(vect) **right;   /* and these two */
    T *dots;                  /* most + 1 of them; then the coefficients of the former p */
    T *minus, *alpha;
};

static psb_err new_fcg_direction(struct X(kr) *s, struct fcg_direction *d)
{
    struct X(vect) *v[2];
    PSB_TRY(X(kr_vectors)(s, 2, v));
    d->p = v[0];
    d->q = v[1];
    return X(kr_scalars)(s, 2, &d->pq);
}

static psb_err open_fcg(struct X(kr) *s, struct fcg *f)
{
    const size_t most = (size_t)f->most;
    struct X(vect) *v[2];
    T *c;
    PSB_TRY(X(kr_array)(s, &f->d, most, sizeof *f->d));
    PSB_TRY(X(kr_array)(s, &f->left, 2 * most + 2, sizeof *f->left));
    f->right = f->left + most + 1;
    PSB_TRY(X(kr_scalars)(s, 2 * f->most + 2, &c));
    f->alpha = c;
    f->minus = c + s->k;
    f->dots = f->minus + f->most * s->k;
    PSB_TRY(X(kr_vectors)(s, 2, v));
    f->r = v[0];
    f->z = v[1];
    return new_fcg_direction(s, &f->now);
}

/* z, its products with the former q, and the norm of the residual; apply the stopping criterion. */
static psb_err test_fcg(struct X(kr) *s, struct fcg *f, bool first, bool *go)
{
    const int n = f->held;
    for (int l = 0; l < n; l++) {
        f->left[l] = f->d[l].q;
        f->right[l] = f->z;
    }
    f->left[n] = f->right[n] = f->r;
    X(kr_prec)(s, f->r, f->z, 'N');
    PSB_TRY(X(kr_dots)(s, n + 1, f->left, f->right, f->dots));
    PSB_TRY(X(kr_norms)(s, f->r, f->dots + n * s->k, s->value));
    return X(kr_test)(s, f->r, s->value, first, go);
}

/* z becomes the new direction, less its parts along the former ones; the step along it. */
static psb_err fcg_step(struct X(kr) *s, struct fcg *f)
{
    struct X(vect) *p = f->z, *q = f->now.q;
    struct X(vect) *const left[] = { p, p }, *const right[] = { q, f->r };
    f->z = f->now.p;
    f->now.p = p;
    for (int l = 0; l < f->held; l++) {
        X(kr_ratio)(s, f->dots + l * s->k, f->d[l].pq, f->dots + l * s->k, NULL);
        f->left[l] = f->d[l].p;
    }
    X(kr_subtract_all)(s, f->held, f->dots, f->left, f->minus, p);
    PSB_TRY(X(kr_product_dots)(s, p, q, 2, left, right, f->now.pq));
    X(kr_need_positive)(s, f->now.pq, "the matrix is not positive definite");
    X(kr_ratio)(s, f->now.pq + s->k, f->now.pq, f->alpha, "p.Ap is 0");
    X(kr_axpby)(s, f->alpha, p, NULL, s->x);
    X(kr_subtract)(s, f->alpha, q, f->r);
    return PSB_OK;
}

psb_err X(kr_fcg)(struct X(kr) *s)
{
    struct fcg f = { .most = X(kr_kept)(s, 1) };
    bool go;
    PSB_TRY(open_fcg(s, &f));
    X(kr_residual)(s, f.r);
    PSB_TRY(test_fcg(s, &f, true, &go));
    for (int it = 0; go; it++) {
        struct fcg_direction *oldest = &f.d[it % f.most];
        PSB_TRY(fcg_step(s, &f));
        if (f.held < f.most) {
            PSB_TRY(new_fcg_direction(s, oldest));
            f.held++;
        }
        const struct fcg_direction old = *oldest;
        *oldest = f.now;
        f.now = old;
        PSB_TRY(test_fcg(s, &f, false, &go));
    }
    return PSB_OK;
}
