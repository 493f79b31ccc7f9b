/* lsmr.c -- linsolve: LSMR, for the least-squares problem of a matrix of any shape.  The process of Golub and
 * Kahan makes A bidiagonal, with orthonormal u on its rows and v on its columns; two rotations a step give
 * the x with the smallest norm of A^H r.  It runs for b divided by its norm.  Source: Fong and Saunders,
 * "LSMR: an iterative algorithm for sparse least-squares problems", SIAM J. Sci. Comput. 33, 2011. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include <float.h>
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "prec_inside.t.h"

/* A column of the problem.  Names without comment are those of the source. */
struct lsmr_column {
    bool active;
    enum psb_outcome outcome;
    const char *why;
    int iterations;
    double alphabar, rho, rhobar, cbar, sbar, zeta, zetabar;
    double damping_cosine, damping_sine, cosine, sine, thetabar; /* the rotations of this step */
    double former_zeta;
    double rest, betad, rhod, tautilde, thetatilde; /* for norm_r; rest: betadd of the source */
    double damped;                                  /* the part of norm_r that the damping makes */
    double norm_a, least, most;                     /* of A: Frobenius norm, extreme singular values */
    double norm_r, norm_ar;
};

struct lsmr {
    struct X(kr) s; /* errors and sums */
    const struct psb_lsmr_options *o;
    struct X(vect) *u, *v, *h, *hbar;
    struct lsmr_column *col;
    double *norm_b, *norm_x, *alpha, *beta; /* alpha, beta: the new entries of the bidiagonal matrix */
    T *of_hbar, *of_x, *of_h;               /* coefficients of sums */
};

/* --- memory --------------------------------------------------------------------------------------------- */

static psb_err check_lsmr(const struct X(spmat) *a, const struct X(vect) *b, const struct X(vect) *x,
                          const struct psb_lsmr_options *o, const struct psb_lsmr_result *res)
{
    PSB_CHECK(X(sp_state)(a) == PSB_ASSEMBLED, PSB_ESTATE,
              "argument a is not assembled; expected psb_spasb before");
    PSB_TRY(X(prec_check_vector)(b, "b", a->row, "of the rows of the matrix"));
    PSB_TRY(X(prec_check_vector)(x, "x", a->col, "of the columns of the matrix"));
    PSB_CHECK(b != x, PSB_EARG, "arguments b and x are the same vector; expected two");
    PSB_CHECK(b->ncols == x->ncols, PSB_EARG, "arguments b (columns: %d) and x (%d) differ; expected as many",
              b->ncols, x->ncols);
    PSB_NEED(res, "where to store the results");
    return PSB_PASS(psb_lsmr_check(o));
}

static psb_err open_lsmr(struct lsmr *q, const struct X(vect) *b)
{
    struct X(kr) *s = &q->s;
    const size_t k = (size_t)b->ncols;
    PSB_TRY(psb_alloc_zero(&s->norm, k, sizeof *s->norm, "norms of columns"));
    PSB_TRY(psb_alloc_zero(&s->factor, k, sizeof *s->factor, "factors of columns"));
    PSB_TRY(psb_alloc_zero(&s->coefficient, 2 * k, sizeof *s->coefficient, "coefficients of columns"));
    PSB_TRY(psb_alloc_zero(&q->col, k, sizeof *q->col, "columns of a solve"));
    PSB_TRY(psb_alloc_zero(&q->norm_b, 4 * k, sizeof *q->norm_b, "norms of columns"));
    PSB_TRY(psb_alloc_zero(&q->of_hbar, 3 * k, sizeof *q->of_hbar, "coefficients of columns"));
    q->norm_x = q->norm_b + k;
    q->alpha = q->norm_x + k;
    q->beta = q->alpha + k;
    q->of_x = q->of_hbar + k;
    q->of_h = q->of_x + k;
    PSB_TRY(X(vect_like)(b, &q->u));
    PSB_TRY(X(vect_like)(s->x, &q->v));
    PSB_TRY(X(vect_like)(s->x, &q->h));
    return X(vect_like)(s->x, &q->hbar);
}

static void close_lsmr(struct lsmr *q)
{
    X(gefree)(q->u);
    X(gefree)(q->v);
    X(gefree)(q->h);
    X(gefree)(q->hbar);
    psb_free(q->col);
    psb_free(q->norm_b);
    psb_free(q->of_hbar);
    X(kr_close)(&q->s);
}

/* --- bidiagonalisation ---------------------------------------------------------------------------------- */

/* Store the norms of y, and divide it by them; a norm without an inverse is 0, and so is y then. */
static psb_err normalise_columns(struct lsmr *q, struct X(vect) *y, double *norm)
{
    struct X(kr) *s = &q->s;
    PSB_TRY(X(kr_norms)(s, y, NULL, norm));
    for (int j = 0; j < s->k; j++) {
        if (norm[j] < (sizeof(R) == sizeof(float) ? FLT_MIN : DBL_MIN))
            norm[j] = 0;
        s->factor[j] = norm[j] == 0 ? 0 : (T)(1 / norm[j]);
    }
    X(kr_note)(s, X(gescal_cols)(s->factor, y));
    return PSB_OK;
}

/* y = op(A) x - c y, divided by its norm. */
static psb_err next_lsmr_vector(struct lsmr *q, struct X(vect) *x, const double *c, struct X(vect) *y,
                                char op, double *norm)
{
    struct X(kr) *s = &q->s;
    for (int j = 0; j < s->k; j++)
        s->factor[j] = (T)-c[j];
    X(kr_note)(s, X(gescal_cols)(s->factor, y));
    X(kr_note)(s, X(spmv)(1, s->op->a, x, 1, y, op));
    return normalise_columns(q, y, norm);
}

/* --- rotations ------------------------------------------------------------------------------------------ */

/* Rotate the new column of the bidiagonal matrix, and the damping, into R; and the new row of R^H. */
static void rotate_lsmr(struct lsmr *q, int j)
{
    struct lsmr_column *c = &q->col[j];
    const double alphahat = hypot(c->alphabar, q->o->damp), old = c->rho, old_bar = c->rhobar;
    c->damping_cosine = c->alphabar / alphahat;
    c->damping_sine = q->o->damp / alphahat;
    c->rho = hypot(alphahat, q->beta[j]);
    c->cosine = alphahat / c->rho;
    c->sine = q->beta[j] / c->rho;
    c->alphabar = c->cosine * q->alpha[j];
    c->thetabar = c->sbar * c->rho;
    const double theta = c->sine * q->alpha[j], diagonal = c->cbar * c->rho;
    c->rhobar = hypot(diagonal, theta);
    c->cbar = diagonal / c->rhobar;
    c->sbar = theta / c->rhobar;
    c->former_zeta = c->zeta;
    c->zeta = c->cbar * c->zetabar;
    c->zetabar *= -c->sbar;
    q->of_hbar[j] = (T)(-(c->thetabar / old) * (c->rho / old_bar));
    q->of_x[j] = (T)(c->zeta / c->rho / c->rhobar);
    q->of_h[j] = (T)(-theta / c->rho);
    if (c->iterations > 0) { /* else there is no rhobar before */
        c->least = fmin(c->least, old_bar);
        c->most = fmax(c->most, old_bar);
    }
}

/* The norms of the residual, of A^H r and of A after the rotations of a step: section 5 of the source. */
static void estimate_lsmr_norms(struct lsmr *q, int j)
{
    struct lsmr_column *c = &q->col[j];
    const double turned = c->damping_cosine * c->rest, betahat = c->cosine * turned;
    const double rhotilde = hypot(c->rhod, c->thetabar), old = c->thetatilde;
    const double cosine = c->rhod / rhotilde, sine = c->thetabar / rhotilde;
    c->damped = hypot(c->damped, c->damping_sine * c->rest);
    c->rest = -c->sine * turned;
    c->thetatilde = sine * c->rhobar;
    c->rhod = cosine * c->rhobar;
    c->betad = cosine * betahat - sine * c->betad;
    c->tautilde = (c->former_zeta - old * c->tautilde) / rhotilde;
    const double tau = (c->zeta - c->thetatilde * c->tautilde) / c->rhod;
    c->norm_r = hypot(hypot(c->damped, c->betad - tau), c->rest);
    c->norm_ar = fabs(c->zetabar);
    c->norm_a = hypot(c->norm_a, hypot(q->beta[j], q->alpha[j]));
}

/* --- the criterion -------------------------------------------------------------------------------------- */

/* Do norms satisfy the criterion for the column? */
static bool suffices(const struct lsmr *q, int j, double norm_r, double norm_ar, double norm_x, double norm_b)
{
    const double size = q->o->atol * q->col[j].norm_a;
    return norm_r <= q->o->btol * norm_b + size * norm_x || norm_ar <= size * norm_r;
}

/* Apply the criterion to the columns after iteration `it`; return whether one is active. */
static bool judge_lsmr(struct lsmr *q, int it)
{
    bool go = false;
    for (int j = 0; j < q->s.k; j++) {
        struct lsmr_column *c = &q->col[j];
        if (!c->active)
            continue;
        c->iterations = it;
        const bool finite = isfinite(c->norm_r) && isfinite(c->norm_ar) && isfinite(q->norm_x[j]);
        const bool done = q->norm_b[j] == 0 || suffices(q, j, c->norm_r, c->norm_ar, q->norm_x[j], 1);
        c->active = finite && !done && it < q->o->itmax;
        c->outcome = !finite ? PSB_BREAKDOWN : done ? PSB_CONVERGED : PSB_MAX_ITERATIONS;
        c->why = finite ? "" : KR_OUT_OF_RANGE;
        go = go || c->active;
    }
    return go;
}

/* --- the iteration -------------------------------------------------------------------------------------- */

static psb_err begin_lsmr(struct lsmr *q, const struct X(vect) *b)
{
    struct X(kr) *s = &q->s;
    X(kr_note)(s, X(set_scal)(0, s->x));
    X(kr_note)(s, X(set_scal)(0, q->v));
    X(kr_note)(s, X(geaxpby)(1, b, 0, q->u));
    PSB_TRY(normalise_columns(q, q->u, q->norm_b));
    PSB_TRY(next_lsmr_vector(q, q->u, q->beta, q->v, 'C', q->alpha));
    X(kr_note)(s, X(geaxpby)(1, q->v, 0, q->h));
    for (int j = 0; j < s->k; j++) {
        const double a = q->alpha[j];
        q->col[j] = (struct lsmr_column){ .active = true,
                                          .alphabar = a,
                                          .zetabar = a,
                                          .rho = 1,
                                          .rhobar = 1,
                                          .cbar = 1,
                                          .rest = 1,
                                          .rhod = 1,
                                          .norm_r = 1,
                                          .norm_a = a,
                                          .norm_ar = a,
                                          .least = INFINITY };
    }
    return PSB_OK;
}

static psb_err lsmr_step(struct lsmr *q)
{
    struct X(kr) *s = &q->s;
    PSB_TRY(next_lsmr_vector(q, q->v, q->alpha, q->u, 'N', q->beta));
    PSB_TRY(next_lsmr_vector(q, q->u, q->beta, q->v, 'C', q->alpha));
    for (int j = 0; j < s->k; j++) {
        q->of_hbar[j] = q->of_x[j] = q->of_h[j] = 0;
        if (q->col[j].active) {
            rotate_lsmr(q, j);
            estimate_lsmr_norms(q, j);
        }
    }
    X(kr_advance)(s, q->h, q->of_hbar, q->hbar, q->of_x, s->x);
    X(kr_axpby)(s, NULL, q->v, q->of_h, q->h);
    return X(kr_norms)(s, s->x, NULL, q->norm_x);
}

/* x in the caller's unit; results from the norms of r = b - A x and of A^H r - damp^2 x. */
static psb_err end_lsmr(struct lsmr *q, const struct X(vect) *b, struct psb_lsmr_result *res)
{
    struct X(kr) *s = &q->s;
    const double damp = q->o->damp;
    for (int j = 0; j < s->k; j++)
        s->factor[j] = (T)q->norm_b[j];
    X(kr_note)(s, X(gescal_cols)(s->factor, s->x));
    X(kr_note)(s, X(geaxpby)(1, b, 0, q->u));
    X(kr_note)(s, X(spmv)(-1, s->op->a, s->x, 1, q->u, 'N'));
    X(kr_note)(s, X(geaxpby)((T)(-damp * damp), s->x, 0, q->v));
    X(kr_note)(s, X(spmv)(1, s->op->a, q->u, 1, q->v, 'C'));
    PSB_TRY(X(kr_norms)(s, q->u, NULL, q->beta));
    PSB_TRY(X(kr_norms)(s, q->v, NULL, q->alpha));
    PSB_TRY(X(kr_norms)(s, s->x, NULL, q->norm_x));
    for (int j = 0; j < s->k; j++) {
        struct lsmr_column *c = &q->col[j];
        const double norm_r = hypot(q->beta[j], damp * q->norm_x[j]);
        if (c->outcome == PSB_CONVERGED && !suffices(q, j, norm_r, q->alpha[j], q->norm_x[j], q->norm_b[j])) {
            c->outcome = PSB_STAGNATED;
            c->why = "the residual of the method has drifted from the true one";
        }
        res[j] = (struct psb_lsmr_result){ .outcome = c->outcome,
                                           .iterations = c->iterations,
                                           .norm_r = norm_r,
                                           .norm_ar = q->alpha[j],
                                           .norm_x = q->norm_x[j],
                                           .norm_a = c->norm_a,
                                           .cond = c->most > 0 ? c->most / c->least : 1 };
        snprintf(res[j].why, sizeof res[j].why, "%s", c->why);
    }
    return PSB_OK;
}

psb_err X(lsmr)(const struct X(spmat) *a, const struct X(vect) *b, struct X(vect) *x,
                const struct psb_lsmr_options *o, struct psb_lsmr_result *res)
{
    PSB_NEED_HANDLE(a, "a matrix");
    const struct X(operator) op = X(operator_view)(a);
    struct lsmr q = { .o = o ? o : &psb_lsmr_defaults };
    psb_err e = check_lsmr(a, b, x, q.o, res);
    q.s = (struct X(kr)){ .op = &op, .ctxt = psb_cd_ctxt(op.desc), .x = x, .k = e == PSB_OK ? b->ncols : 0 };
    if (e == PSB_OK)
        e = open_lsmr(&q, b);
    e = psb_agree(q.s.ctxt, e);
    PSB_THEN(e, begin_lsmr(&q, b));
    for (int it = 0; e == PSB_OK && judge_lsmr(&q, it); it++)
        e = lsmr_step(&q);
    PSB_THEN(e, end_lsmr(&q, b, res));
    X(kr_speak)(&q.s);
    close_lsmr(&q);
    return PSB_PASS(e);
}
