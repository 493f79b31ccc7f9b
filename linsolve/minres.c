/* minres.c -- room: linsolve.  MINRES for Hermitian matrices with a Hermitian positive definite
 * preconditioner M.  It minimises the M^-1-norm of the residual; the residual itself has a recurrence of one
 * vector.  Source: Paige and Saunders, "Solution of sparse indefinite systems of linear equations", SIAM J.
 * Numer. Anal. 12, 1975. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* Q, Q_OLD: Lanczos vectors, not normalised; Z = M^-1 Q; W: A Z, then Z of the next step; D, D_OLD:
 * directions of x. */
enum { RES, Q, Q_OLD, Z, W, D, D_OLD, VECTORS };

/* A column of the solve.  The Lanczos vectors make A tridiagonal, with alpha on the diagonal and the
 * M^-1-norms of Q beside it; reflections (cosine sine; sine -cosine) of two rows make that upper triangular.
 */
struct column {
    R norm, ratio;  /* the M^-1-norm of Q; divided by that of Q_OLD, 0 in the first step */
    R alpha;        /* of this step */
    R cosine, sine; /* the last reflection */
    R above,
        epsilon; /* next column: its entry above the diagonal, before the last reflection; that above it */
    R rest;      /* the M^-1-norm of the residual */
    R size;      /* the Frobenius norm of the tridiagonal matrix */
};

struct minres {
    struct X(kr) *s;
    struct X(vect) *v[VECTORS];
    struct column *col;
    T *dots;                                                    /* 2 k */
    T *of_q, *of_q_old, *of_z, *of_d, *of_d_old, *of_res, *phi; /* coefficients of sums */
};

static psb_err open(struct minres *q)
{
    const int k = q->s->k;
    T *c, **rest[] = { &q->of_q, &q->of_q_old, &q->of_z, &q->of_d, &q->of_d_old, &q->of_res, &q->phi };
    psb_err e = psb_alloc_zero(&q->col, (size_t)k, sizeof *q->col, "columns of MINRES");
    PSB_TRY(X(kr_agree)(q->s, e));
    PSB_TRY(X(kr_vectors)(q->s, VECTORS, q->v));
    PSB_TRY(X(kr_scalars)(q->s, 9, &c));
    q->dots = c;
    for (int i = 0; i < 7; i++)
        *rest[i] = c + (i + 2) * k;
    return PSB_OK;
}

static void swap(struct minres *q, int i, int j)
{
    struct X(vect) *t = q->v[i];
    q->v[i] = q->v[j];
    q->v[j] = t;
}

/* The residual of x and its Lanczos vector. */
static psb_err begin(struct minres *q, int *go)
{
    struct X(kr) *s = q->s;
    PSB_TRY(X(kr_residual)(s, q->v[RES]));
    X(kr_note)(s, X(geaxpby)(1, q->v[RES], 0, q->v[Q]));
    PSB_TRY(X(kr_prec)(s, q->v[Q], q->v[Z], 'N'));
    PSB_TRY(X(kr_dot_and_test)(s, q->v[Q], q->v[Z], q->v[RES], q->dots, 1, go));
    X(kr_need_positive)(s, q->dots, "the preconditioner is not positive definite");
    for (int j = 0; j < s->k; j++) {
        const R norm = X(kr_is_active)(s, j) ? (R)sqrt((double)RE(q->dots[j])) : 0;
        q->col[j] = (struct column){ .norm = norm, .rest = norm, .cosine = -1 };
    }
    return PSB_OK;
}

/* --- the Lanczos process -------------------------------------------------------------------------------- */

/* The coefficients of the next Lanczos vector. */
static void set_alpha(struct minres *q, int j)
{
    struct column *c = &q->col[j];
    const R scale = X(kr_is_active)(q->s, j) ? 1 / c->norm : 0;
    c->alpha = scale * scale * RE(q->dots[j]);
    q->of_z[j] = scale;
    q->of_q[j] = scale * c->alpha;
    q->of_q_old[j] = -c->ratio;
}

/* Q = A v - alpha q - norm q_old, of normalised vectors v, q, q_old; the new Z; dots = Q.Z. */
static psb_err next_vector(struct minres *q)
{
    struct X(kr) *s = q->s;
    struct X(vect) **v = q->v;
    PSB_TRY(X(kr_product_dots)(s, v[Z], v[W], 1, &v[Z], &v[W], q->dots));
    for (int j = 0; j < s->k; j++)
        set_alpha(q, j);
    PSB_TRY(X(kr_axpby)(s, q->of_z, v[W], q->of_q_old, v[Q_OLD]));
    PSB_TRY(X(kr_subtract)(s, q->of_q, v[Q], v[Q_OLD]));
    swap(q, Q, Q_OLD);
    PSB_TRY(X(kr_prec)(s, v[Q], v[W], 'N'));
    return X(kr_dots)(s, 1, &v[Q], &v[W], q->dots);
}

/* --- the triangle --------------------------------------------------------------------------------------- */

/* No change of x and the residual. */
static void stand_still(struct minres *q, int j)
{
    q->phi[j] = q->of_q[j] = q->of_z[j] = q->of_d[j] = q->of_d_old[j] = 0;
    q->of_res[j] = 1;
}

/* Make the column of the triangle for this step, and the coefficients that follow from it; next: the
 * M^-1-norm of Q.  Return 0 if its diagonal is 0. */
static int reflect(struct minres *q, int j, R next)
{
    struct column *c = &q->col[j];
    const R beside = c->cosine * c->above + c->sine * c->alpha;
    const R rest = c->sine * c->above - c->cosine * c->alpha;
    const R diag = (R)hypot((double)rest, (double)next);
    const int first = c->ratio == 0; /* then norm is that of the residual, which has another unit */
    c->size = (R)hypot((double)c->size,
                       hypot((double)c->alpha, hypot(first ? 0 : (double)c->norm, (double)next)));
    if (!(diag > 10 * (R)EPS * c->size))
        return 0;
    q->of_z[j] = 1 / (c->norm * diag);
    q->of_d[j] = beside / diag;
    q->of_d_old[j] = -c->epsilon / diag;
    c->epsilon = c->sine * next;
    c->above = -c->cosine * next;
    c->cosine = rest / diag;
    c->sine = next / diag;
    return 1;
}

/* The step of x along D, and its effect on the residual. */
static void set_step(struct minres *q, int j, R next)
{
    struct column *c = &q->col[j];
    q->phi[j] = c->cosine * c->rest;
    c->rest *= c->sine;
    q->of_res[j] = c->sine * c->sine;
    q->of_q[j] = next == 0 ? 0 : -c->cosine * c->rest / next;
    c->ratio = next / c->norm;
    c->norm = next;
}

static void eliminate(struct minres *q)
{
    for (int j = 0; j < q->s->k; j++) {
        const R square = RE(q->dots[j]), next = (R)sqrt((double)square);
        const int active = X(kr_is_active)(q->s, j);
        if (active && square >= 0 && reflect(q, j, next)) {
            set_step(q, j, next);
            continue;
        }
        stand_still(q, j);
        if (active)
            X(kr_end)(q->s, j, PSB_BREAKDOWN,
                      square >= 0  ? "the matrix is singular on the Krylov space"
                      : square < 0 ? "the preconditioner is not positive definite"
                                   : KR_OUT_OF_RANGE);
    }
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* x and the residual; the M^-1-norm of the residual is its 2-norm without a preconditioner. */
static psb_err step(struct minres *q, int *go)
{
    struct X(kr) *s = q->s;
    struct X(vect) **v = q->v;
    PSB_TRY(next_vector(q));
    eliminate(q);
    PSB_TRY(X(kr_axpby)(s, q->of_z, v[Z], q->of_d_old, v[D_OLD]));
    PSB_TRY(X(kr_subtract)(s, q->of_d, v[D], v[D_OLD]));
    swap(q, D, D_OLD);
    swap(q, Z, W);
    PSB_TRY(X(kr_axpby)(s, q->phi, v[D], NULL, s->x));
    PSB_TRY(X(kr_axpby)(s, q->of_q, v[Q], q->of_res, v[RES]));
    for (int j = 0; j < s->k; j++)
        s->value[j] = (double)q->col[j].rest;
    return X(kr_test)(s, v[RES], s->p ? NULL : s->value, go);
}

static psb_err steps(struct minres *q)
{
    int go;
    PSB_TRY(open(q));
    PSB_TRY(begin(q, &go));
    while (go)
        PSB_TRY(step(q, &go));
    return PSB_OK;
}

psb_err X(kr_minres)(struct X(kr) *s)
{
    struct minres q = { .s = s };
    psb_err e = steps(&q);
    psb_free(q.col);
    return PSB_PASS(e);
}
