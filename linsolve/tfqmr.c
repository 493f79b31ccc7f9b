/* tfqmr.c -- linsolve: TFQMR, preconditioned from the right.  A step of CGS consists of two half steps of one
 * product, each an iteration: w is CGS's residual, and x and r the average of its iterates that
 * quasi-minimises the residual.  r is updated with x, so that it is the residual of x, not a bound.  Sources:
 * Freund, "A transpose-free quasi-minimal residual algorithm for non-Hermitian linear systems", SIAM J. Sci.
 * Comput. 14, 1993; r: Zhou and Walker, "Residual smoothing techniques for iterative methods", SIAM J. Sci.
 * Comput. 15, 1994. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

struct tfqmr {
    struct X(kr) *s;
    struct X(vect) *w, *r, *shadow;
    struct X(vect) *y, *z, *az; /* y: the direction of a half step, z = M^-1 y, az = A z */
    struct X(vect) *d;          /* the direction of x */
    struct X(vect) *v;          /* A M^-1 of CGS's direction */
    T *rho;                     /* products of w with the shadow and itself */
    T *old, *sigma, *alpha, *beta;
    T *grow, *eta;      /* d = z + grow d, x = x + eta d */
    T *square, *other;  /* r = square w + other r, square + other = 1 */
    double *norm, *tau; /* of w; the one that is minimised */
};

static psb_err open_tfqmr(struct tfqmr *q)
{
    struct X(kr) *s = q->s;
    const int k = s->k;
    T *c;
    struct X(vect) **const all[] = { &q->w, &q->r, &q->shadow, &q->y, &q->z, &q->az, &q->d, &q->v };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        PSB_TRY(X(kr_vectors)(s, 1, all[i]));
    PSB_TRY(X(kr_array)(s, &q->tau, 2 * (size_t)k, sizeof *q->tau));
    q->norm = q->tau + k;
    PSB_TRY(X(kr_scalars)(s, 10, &c));
    T **const scalars[] = {
        &q->old, &q->sigma, &q->alpha, &q->beta, &q->grow, &q->eta, &q->square, &q->other
    };
    q->rho = c;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        *scalars[i] = c + (i + 2) * (size_t)k;
    return PSB_OK;
}

/* z = M^-1 y, az = A z. */
static void multiply_tfqmr(struct tfqmr *q)
{
    X(kr_prec)(q->s, q->y, q->z, 'N');
    X(kr_product)(q->s, q->z, q->az, 'N');
}

static psb_err begin_tfqmr(struct tfqmr *q, bool *go)
{
    struct X(kr) *s = q->s;
    struct X(vect) *const left[] = { q->shadow, q->r };
    X(kr_residual)(s, q->r);
    X(kr_note)(s, X(geaxpby)(1, q->r, 0, q->w));
    X(kr_note)(s, X(geaxpby)(1, q->r, 0, q->y));
    X(kr_note)(s, X(geaxpby)(1, q->r, 0, q->shadow));
    PSB_TRY(X(kr_dots)(s, 2, left, (struct X(vect) *const[]){ q->r, q->r }, q->rho));
    PSB_TRY(X(kr_norms)(s, q->r, q->rho + s->k, q->tau));
    PSB_TRY(X(kr_test)(s, q->r, q->tau, true, go));
    multiply_tfqmr(q);
    X(kr_note)(s, X(geaxpby)(1, q->az, 0, q->v));
    return PSB_OK;
}

/* The coefficients of a half step from the norm of w. */
static void set_tfqmr_factors(struct tfqmr *q)
{
    for (int j = 0; j < q->s->k; j++) {
        const double norm = q->norm[j], both = hypot(q->tau[j], norm);
        const bool moves = q->s->col[j].active && both != 0;
        const double cosine = moves ? q->tau[j] / both : 0, sine = moves ? norm / both : 1;
        q->tau[j] *= sine;
        q->square[j] = (T)(cosine * cosine);
        q->other[j] = (T)(sine * sine);
        q->eta[j] = q->square[j] * q->alpha[j];
    }
}

/* End columns where w has a peak that takes half of the digits of r: it spoils what follows, but has hardly
 * moved x, from which the method starts again.  Return whether a column is active. */
static bool end_at_peaks(struct tfqmr *q)
{
    bool go = false;
    for (int j = 0; j < q->s->k; j++) {
        if (q->s->col[j].active && sqrt((double)EPS) * q->norm[j] > q->tau[j])
            X(kr_end)(q->s, j, PSB_BREAKDOWN, "the residual of CGS has grown too large");
        go = go || q->s->col[j].active;
    }
    return go;
}

static psb_err tfqmr_half_step(struct tfqmr *q, bool *go)
{
    struct X(kr) *s = q->s;
    struct X(vect) *const left[] = { q->shadow, q->w }, *const right[] = { q->w, q->w };
    X(kr_subtract)(s, q->alpha, q->az, q->w);
    PSB_TRY(X(kr_dots)(s, 2, left, right, q->rho));
    PSB_TRY(X(kr_norms)(s, q->w, q->rho + s->k, q->norm));
    set_tfqmr_factors(q);
    X(kr_advance)(s, q->z, q->grow, q->d, q->eta, s->x);
    X(kr_axpby)(s, q->square, q->w, q->other, q->r);
    PSB_TRY(X(kr_test)(s, q->r, NULL, false, go));
    *go = end_at_peaks(q);
    return PSB_OK;
}

/* Both half steps of a step of CGS.  grow is what the former half step has left out of its step, alpha - eta,
 * by the alpha of this one. */
static psb_err tfqmr_step(struct tfqmr *q, bool *go)
{
    struct X(kr) *s = q->s;
    PSB_TRY(X(kr_dots)(s, 1, &q->shadow, &q->v, q->sigma));
    for (int j = 0; j < s->k; j++) {
        q->old[j] = q->rho[j];
        q->grow[j] = q->other[j] * q->alpha[j];
    }
    X(kr_ratio)(s, q->rho, q->sigma, q->alpha, "the shadow residual is orthogonal to A p");
    X(kr_ratio)(s, q->grow, q->alpha, q->grow, NULL);
    PSB_TRY(tfqmr_half_step(q, go));
    if (!*go)
        return PSB_OK;
    X(kr_subtract)(s, q->alpha, q->v, q->y);
    multiply_tfqmr(q);
    for (int j = 0; j < s->k; j++)
        q->grow[j] = q->other[j];
    return tfqmr_half_step(q, go);
}

psb_err X(kr_tfqmr)(struct X(kr) *s)
{
    struct tfqmr q = { .s = s };
    bool go;
    PSB_TRY(open_tfqmr(&q));
    PSB_TRY(begin_tfqmr(&q, &go));
    while (go) {
        PSB_TRY(tfqmr_step(&q, &go));
        /* y = w + beta y, v = A M^-1 y + beta (az + beta v) */
        X(kr_ratio)(s, q.rho, q.old, q.beta, "the shadow residual is orthogonal to the residual");
        X(kr_axpby)(s, NULL, q.w, q.beta, q.y);
        X(kr_axpby)(s, NULL, q.az, q.beta, q.v);
        multiply_tfqmr(&q);
        X(kr_axpby)(s, NULL, q.az, q.beta, q.v);
    }
    return PSB_OK;
}
