/* gcr.c -- linsolve: the generalized conjugate residual method, restarted, with a preconditioner that may
 * change.  Source: Eisenstat, Elman and Schultz, "Variational iterative methods for nonsymmetric systems of
 * linear equations", SIAM J. Numer. Anal. 20, 1983. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

struct gcr {
    int most, made;         /* directions of a cycle; directions that have memory */
    struct X(vect) **p;     /* [most]: the directions */
    struct X(vect) **q;     /* [most]: A p, orthogonal to each other */
    struct X(vect) **right; /* [most]: the new q, as often as gedots needs it */
    struct X(vect) *r;
    T **qq;  /* [most]: the products of q[n] with itself, then with r */
    T *dots; /* [most]: of the new q with each q before, then over qq; and with itself */
    T *minus, *coefficient;
};

static psb_err open_gcr(struct X(kr) *s, struct gcr *g)
{
    const size_t most = (size_t)g->most;
    PSB_TRY(X(kr_array)(s, &g->p, 3 * most, sizeof *g->p));
    g->q = g->p + most;
    g->right = g->q + most;
    PSB_TRY(X(kr_array)(s, &g->qq, most, sizeof *g->qq));
    PSB_TRY(X(kr_vectors)(s, 1, &g->r));
    PSB_TRY(X(kr_scalars)(s, 2 * g->most + 1, &g->dots));
    g->minus = g->dots + g->most * s->k;
    g->coefficient = g->minus + g->most * s->k;
    return PSB_OK;
}

/* p[n] = M^-1 r and q[n] = A p[n], less their parts along the directions before, with one reduction. */
static psb_err new_gcr_direction(struct X(kr) *s, struct gcr *g, int n)
{
    if (n == g->made) {
        PSB_TRY(X(kr_vectors)(s, 1, &g->p[n]));
        PSB_TRY(X(kr_vectors)(s, 1, &g->q[n]));
        PSB_TRY(X(kr_scalars)(s, 2, &g->qq[n]));
        g->made++;
    }
    X(kr_prec)(s, g->r, g->p[n], 'N');
    X(kr_product)(s, g->p[n], g->q[n], 'N');
    for (int l = 0; l <= n; l++)
        g->right[l] = g->q[n];
    PSB_TRY(X(kr_dots)(s, n + 1, g->q, g->right, g->dots));
    for (int l = 0; l < n; l++)
        X(kr_ratio)(s, g->dots + l * s->k, g->qq[l], g->dots + l * s->k, NULL);
    X(kr_subtract_all)(s, n, g->dots, g->p, g->minus, g->p[n]);
    X(kr_subtract_all)(s, n, g->dots, g->q, g->minus, g->q[n]);
    return PSB_OK;
}

/* End the columns of which nothing but rounding errors is left of q[n]. */
static void check_gcr_direction(struct X(kr) *s, const struct gcr *g, int n)
{
    const double least = 10 * (n + 1) * (double)EPS;
    const T *before = g->dots + n * s->k, *after = g->qq[n];
    for (int j = 0; j < s->k; j++)
        if (s->col[j].active && !((double)RE(after[j]) > least * least * (double)RE(before[j])))
            X(kr_end)(s, j, PSB_BREAKDOWN,
                      isfinite((double)RE(before[j])) ? "A times the new direction depends on the former ones"
                                                      : KR_OUT_OF_RANGE);
}

/* Each step minimises the norm of r along its direction. */
psb_err X(kr_gcr)(struct X(kr) *s)
{
    struct gcr g = { .most = X(kr_kept)(s, 30) };
    bool go;
    PSB_TRY(open_gcr(s, &g));
    X(kr_residual)(s, g.r);
    PSB_TRY(X(kr_test)(s, g.r, NULL, true, &go));
    for (int it = 0; go; it++) {
        const int n = it % g.most;
        PSB_TRY(new_gcr_direction(s, &g, n));
        struct X(vect) *const left[] = { g.q[n], g.q[n] }, *const right[] = { g.q[n], g.r };
        PSB_TRY(X(kr_dots)(s, 2, left, right, g.qq[n]));
        check_gcr_direction(s, &g, n);
        X(kr_ratio)(s, g.qq[n] + s->k, g.qq[n], g.coefficient, "A p is 0");
        X(kr_axpby)(s, g.coefficient, g.p[n], NULL, s->x);
        X(kr_subtract)(s, g.coefficient, g.q[n], g.r);
        PSB_TRY(X(kr_test)(s, g.r, NULL, false, &go));
    }
    return PSB_OK;
}
