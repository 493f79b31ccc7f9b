/* idr.c -- linsolve: IDR(s), preconditioned from the right, so that its residual is that of the system.  A
 * cycle has s + 1 iterations of one product: s directions u with g = A u, biorthogonal to the shadow space,
 * then a step along the residual.  Sources: van Gijzen and Sonneveld, "Algorithm 913: an elegant IDR(s)
 * variant that efficiently exploits biorthogonality properties", ACM Trans. Math. Softw. 38, 2011; one
 * reduction for the products of a new g: Collignon and van Gijzen, "Minimizing synchronization in IDR(s)",
 * Numer. Linear Algebra Appl. 18, 2011. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "prec_inside.t.h"

/* Row and column l of mu, and number l of an array [n], have k elements each. */
struct idr {
    struct X(kr) *s;
    int n;                   /* dimension of the shadow space */
    struct X(vect) **p;      /* [n]: its orthonormal basis; then r */
    struct X(vect) **u, **g; /* [n]: directions, g = A u; p[l] and g[i] are orthogonal for l < i */
    struct X(vect) **same;   /* [n + 1]: one vector, as often as gedots needs it */
    struct X(vect) *r, *v, *z;
    T *mu;                /* [l n + i]: the products of p[l] and g[i] for l >= i */
    T *f;                 /* [n]: the products of p with r; then of r with itself */
    T *d;                 /* [n]: the products of p with a new g */
    T *c, *minus;         /* [n]: coefficients */
    T *beta, *omega, *zr; /* zr: products of z with r and itself, of r with itself */
};

/* --- the shadow space ----------------------------------------------------------------------------------- */

/* Make q->p[i] a unit vector orthogonal to those before it, in all columns: those that have ended are needed
 * by later runs. */
static psb_err orthonormalise_shadow(struct idr *q, int i)
{
    struct X(kr) *s = q->s;
    for (int l = 0; l < i; l++)
        q->same[l] = q->p[i];
    for (int pass = 0; pass < 2 && i > 0; pass++) {
        PSB_TRY(X(kr_dots)(s, i, q->p, q->same, q->d));
        X(kr_subtract_all)(s, i, q->d, q->p, q->minus, q->p[i]);
    }
    PSB_TRY(X(kr_norms)(s, q->p[i], NULL, s->value));
    for (int j = 0; j < s->k; j++)
        s->factor[j] = (T)(1 / s->value[j]);
    X(kr_note)(s, X(gescal_cols)(s->factor, q->p[i]));
    return PSB_OK;
}

/* q->p = vectors that s keeps, since they cost a host's pass. */
static psb_err need_shadow(struct idr *q)
{
    struct X(kr) *s = q->s;
    const int before = s->nshadow;
    psb_err e = PSB_OK;
    if (before < q->n)
        e = psb_resize(&s->shadow, (size_t)q->n, sizeof *s->shadow, "shadow space");
    while (e == PSB_OK && s->nshadow < q->n) {
        e = X(vect_like)(s->x, &s->shadow[s->nshadow]);
        s->nshadow += e == PSB_OK;
    }
    if (before < q->n)
        PSB_TRY(X(kr_agree)(s, e));
    for (int i = 0; i < q->n; i++)
        q->p[i] = s->shadow[i];
    for (int i = before; i < q->n; i++) {
        X(kr_note)(s, X(set_random)(q->p[i], i * psb_cd_global_rows(s->x->desc)));
        PSB_TRY(orthonormalise_shadow(q, i));
    }
    return PSB_OK;
}

static psb_err open_idr(struct idr *q)
{
    struct X(kr) *s = q->s;
    const int k = s->k, n = q->n;
    T *c;
    PSB_TRY(X(kr_array)(s, &q->p, 4 * (size_t)n + 2, sizeof *q->p));
    q->u = q->p + n + 1;
    q->g = q->u + n;
    q->same = q->g + n;
    PSB_TRY(X(kr_vectors)(s, 2 * n, q->u));
    PSB_TRY(X(kr_vectors)(s, 1, &q->r));
    PSB_TRY(X(kr_vectors)(s, 1, &q->v));
    PSB_TRY(X(kr_vectors)(s, 1, &q->z));
    PSB_TRY(X(kr_scalars)(s, n * n + 4 * n + 6, &c));
    q->mu = c;
    q->d = q->mu + n * n * k;
    q->c = q->d + n * k;
    q->minus = q->c + n * k;
    q->f = q->minus + n * k;
    q->beta = q->f + (n + 1) * k;
    q->omega = q->beta + k;
    q->zr = q->omega + k;
    q->p[n] = q->r;
    return need_shadow(q);
}

/* --- triangles ------------------------------------------------------------------------------------------ */

/* rest = d[l] - mu[l][from] c[from] - ... - mu[l][to - 1] c[to - 1]; rest may be d[l]. */
static void subtract_mu_row(const struct idr *q, int l, int from, int to, const T *d, T *rest)
{
    const int k = q->s->k;
    for (int j = 0; j < k; j++) {
        T sum = d[l * k + j];
        for (int i = from; i < to; i++)
            sum -= q->mu[(l * q->n + i) * k + j] * q->c[i * k + j];
        rest[j] = sum;
    }
}

/* Solve for c[from..to) the triangle of mu in these rows and columns, with the right-hand side d. */
static void solve_idr_triangle(struct idr *q, int from, int to, const T *d)
{
    const int k = q->s->k;
    for (int l = from; l < to; l++) {
        subtract_mu_row(q, l, from, l, d, q->beta);
        X(kr_ratio)(q->s, q->beta, q->mu + (l * q->n + l) * k, q->c + l * k,
                    "the shadow space is orthogonal to A u");
    }
}

/* --- a cycle -------------------------------------------------------------------------------------------- */

/* f = the products of the shadow space with r; apply the stopping criterion. */
static psb_err test_idr(struct idr *q, bool first, bool *go)
{
    struct X(kr) *s = q->s;
    for (int l = 0; l <= q->n; l++)
        q->same[l] = q->r;
    PSB_TRY(X(kr_dots)(s, q->n + 1, q->p, q->same, q->f));
    PSB_TRY(X(kr_norms)(s, q->r, q->f + q->n * s->k, s->value));
    return X(kr_test)(s, q->r, s->value, first, go);
}

/* u[i] = omega M^-1 v + c[i] u[i] + ... + c[n-1] u[n-1], where v = r - c[i] g[i] - ... - c[n-1] g[n-1] is
 * orthogonal to the shadow space; c is 0 in the first cycle, which has no u before. */
static void new_idr_direction(struct idr *q, int i, bool first)
{
    struct X(kr) *s = q->s;
    const int k = s->k, n = q->n;
    X(kr_note)(s, X(geaxpby)(1, q->r, 0, q->v));
    if (!first) {
        solve_idr_triangle(q, i, n, q->f);
        X(kr_subtract_all)(s, n - i, q->c + i * k, q->g + i, q->minus, q->v);
    }
    X(kr_prec)(s, q->v, q->z, 'N');
    X(kr_axpby)(s, q->omega, q->z, q->c + i * k, q->u[i]);
    for (int l = (i + 1) * k; l < n * k; l++)
        q->c[l] = -q->c[l];
    if (!first)
        X(kr_subtract_all)(s, n - i - 1, q->c + (i + 1) * k, q->u + i + 1, q->minus, q->u[i]);
}

/* g[i] = A u[i]; make g[i] orthogonal to p[0..i), and u[i] likewise; column i of mu. */
static psb_err biorthogonalise(struct idr *q, int i)
{
    struct X(kr) *s = q->s;
    const int k = s->k, n = q->n;
    X(kr_product)(s, q->u[i], q->g[i], 'N');
    for (int l = 0; l < n; l++)
        q->same[l] = q->g[i];
    PSB_TRY(X(kr_dots)(s, n, q->p, q->same, q->d));
    solve_idr_triangle(q, 0, i, q->d);
    X(kr_subtract_all)(s, i, q->c, q->g, q->minus, q->g[i]);
    X(kr_subtract_all)(s, i, q->c, q->u, q->minus, q->u[i]);
    for (int l = i; l < n; l++)
        subtract_mu_row(q, l, 0, i, q->d, q->mu + (l * n + i) * k);
    return PSB_OK;
}

/* Step i of a cycle: the step along u[i] makes r orthogonal to p[0..i]. */
static psb_err idr_step(struct idr *q, int i, bool first, bool *go)
{
    struct X(kr) *s = q->s;
    const int k = s->k, n = q->n;
    new_idr_direction(q, i, first);
    PSB_TRY(biorthogonalise(q, i));
    X(kr_ratio)(s, q->f + i * k, q->mu + (i * n + i) * k, q->beta, "the shadow space is orthogonal to A u");
    X(kr_axpby)(s, q->beta, q->u[i], NULL, s->x);
    X(kr_subtract)(s, q->beta, q->g[i], q->r);
    for (int l = i + 1; l < n; l++)
        for (int j = 0; j < k; j++)
            q->f[l * k + j] -= q->beta[j] * q->mu[(l * n + i) * k + j];
    return X(kr_test)(s, q->r, NULL, false, go);
}

/* omega makes r - omega z smallest but, where the cosine of r and z is below 0.7, is enlarged as if it were
 * that: small ones spoil the directions to come.  Source: Sleijpen and van der Vorst, "Maintaining
 * convergence properties of BiCGstab methods in finite precision arithmetic", Numer. Algorithms 10, 1995. */
static void set_idr_omega(struct idr *q)
{
    struct X(kr) *s = q->s;
    const T *zz = q->zr + s->k, *rr = q->zr + 2 * s->k;
    X(kr_ratio)(s, q->zr, zz, q->omega, "a product with the matrix is 0");
    for (int j = 0; j < s->k; j++) {
        const R size = ABS(q->omega[j]);
        const R least = (R)(0.7 * sqrt((double)RE(rr[j])) / sqrt((double)RE(zz[j])));
        if (s->col[j].active && size < least)
            q->omega[j] = size == 0 ? least : q->omega[j] / size * least;
    }
}

/* The step along M^-1 r that ends a cycle; z = A M^-1 r. */
static psb_err end_idr_cycle(struct idr *q, bool *go)
{
    struct X(kr) *s = q->s;
    struct X(vect) *const left[] = { q->z, q->z, q->r }, *const right[] = { q->r, q->z, q->r };
    X(kr_prec)(s, q->r, q->v, 'N');
    PSB_TRY(X(kr_product_dots)(s, q->v, q->z, 3, left, right, q->zr));
    set_idr_omega(q);
    X(kr_axpby)(s, q->omega, q->v, NULL, s->x);
    X(kr_subtract)(s, q->omega, q->z, q->r);
    return test_idr(q, false, go);
}

psb_err X(kr_idr)(struct X(kr) *s)
{
    const psb_lpk rows = psb_cd_global_rows(s->x->desc);
    struct idr q = { .s = s, .n = X(kr_kept)(s, 4) };
    bool go;
    if (q.n > rows)
        q.n = (int)rows;
    PSB_TRY(open_idr(&q));
    for (int j = 0; j < s->k; j++)
        q.omega[j] = 1;
    X(kr_residual)(s, q.r);
    PSB_TRY(test_idr(&q, true, &go));
    for (bool first = true; go; first = false) {
        for (int i = 0; i < q.n && go; i++)
            PSB_TRY(idr_step(&q, i, first, &go));
        if (go)
            PSB_TRY(end_idr_cycle(&q, &go));
    }
    return PSB_OK;
}
