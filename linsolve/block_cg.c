/* block_cg.c -- linsolve: block CG: all columns take their steps in the space of the directions of all.  The
 * residuals are Q C, where the columns of Q are orthonormal in the scalar product of M^-1, so that C alone
 * becomes small; where residuals depend on each other, Q has columns of 0.  Sources: O'Leary, "The block
 * conjugate gradient algorithm and related methods", Linear Algebra Appl. 29, 1980; method BCGrQ of Dubrulle,
 * "Retooling the method of block conjugate gradients", Electron. Trans. Numer. Anal. 12, 2001. */
#include "psb_linsolve.h"
#include <string.h>
#include "psb_type.h"
#include "gram.h"
#include "krylov_inside.t.h"

enum { BLOCK_Q, BLOCK_P, BLOCK_V, BLOCK_Z, BLOCK_VECTORS };

/* Matrices have k x k elements by rows. */
struct block_cg {
    struct X(kr) *s;
    struct X(vect) *v[BLOCK_VECTORS];
    bool plain;            /* M is 1, and Z is Q */
    int rank;              /* of Q: columns that are not 0 */
    double complex *c;     /* the residuals are Q C */
    double complex *g;     /* scalar products */
    double complex *u, *t; /* its factor, and the inverse of that */
    double complex *a, *b; /* workspace */
    T *factor;             /* of X(vect_block_axpy) */
};

static psb_err open_block_cg(struct block_cg *q)
{
    struct X(kr) *s = q->s;
    const size_t all = (size_t)s->k * (size_t)s->k;
    q->plain = X(kr_has_identity)(s);
    PSB_TRY(X(kr_vectors)(s, BLOCK_VECTORS - q->plain, q->v));
    PSB_TRY(X(kr_array)(s, &q->c, 6 * all, sizeof *q->c));
    q->g = q->c + all;
    q->u = q->g + all;
    q->t = q->u + all;
    q->a = q->t + all;
    q->b = q->a + all;
    return PSB_PASS(X(kr_scalars)(s, s->k, &q->factor));
}

/* y = sign x m + beta y */
static void add_block(struct block_cg *q, int sign, struct X(vect) *x, const double complex *m, T beta,
                      struct X(vect) *y)
{
    const int k = q->s->k;
    for (int e = 0; e < k * k; e++)
        q->factor[e] = MAKE(sign * creal(m[e]), sign * cimag(m[e]));
    X(kr_note)(q->s, X(vect_block_axpy)(x, q->factor, beta, y));
}

static void swap_in_block(struct block_cg *q, int i, int j)
{
    struct X(vect) *v = q->v[i];
    q->v[i] = q->v[j];
    q->v[j] = v;
}

/* *rank = the rank of the scalar products of x and y, which u and t factor. */
static psb_err factor_gram(struct block_cg *q, struct X(vect) *x, struct X(vect) *y, double least, int *rank)
{
    PSB_TRY(X(kr_tell)(q->s));
    PSB_TRY(X(vect_gram)(x, y, q->g));
    *rank = psb_gram_factor(q->s->k, least, q->g, q->u, q->t);
    return PSB_OK;
}

/* End all columns. */
static void end_block_cg(struct block_cg *q, int rank, const char *why, bool *go)
{
    for (int j = 0; j < q->s->k; j++)
        if (q->s->col[j].active)
            X(kr_end)(q->s, j, PSB_BREAKDOWN, rank == PSB_GRAM_NOT_FINITE ? KR_OUT_OF_RANGE : why);
    *go = false;
}

/* Make Q orthonormal and keep Q C; then P = Z + P U^H, where Z = M^-1 Q and U is the factor. */
static psb_err orthonormalise_block(struct block_cg *q, bool *go)
{
    struct X(kr) *s = q->s;
    /* Below it a pivot is made of rounding errors of the products, which are in double, or of Z. */
    const double least = fmax(1e-12, 100 * (double)EPS);
    struct X(vect) *z = q->plain ? q->v[BLOCK_Q] : q->v[BLOCK_Z];
    X(kr_prec)(s, q->v[BLOCK_Q], z, 'N');
    PSB_TRY(factor_gram(q, q->v[BLOCK_Q], z, least, &q->rank));
    if (q->rank < 0) {
        end_block_cg(q, q->rank, "the preconditioner is not positive definite", go);
        return PSB_OK;
    }
    psb_gram_multiply(s->k, q->u, q->c, q->a);
    memcpy(q->c, q->a, (size_t)s->k * (size_t)s->k * sizeof *q->c);
    psb_gram_adjoint(s->k, q->u, q->b);
    add_block(q, 1, q->v[BLOCK_P], q->b, 0, q->v[BLOCK_V]);
    add_block(q, 1, z, q->t, 1, q->v[BLOCK_V]);
    swap_in_block(q, BLOCK_P, BLOCK_V);
    add_block(q, 1, q->v[BLOCK_Q], q->t, 0, q->v[BLOCK_V]);
    swap_in_block(q, BLOCK_Q, BLOCK_V);
    return PSB_OK;
}

/* Only the columns that do not end at once are part of the block. */
static psb_err begin_block_cg(struct block_cg *q, bool *go)
{
    struct X(kr) *s = q->s;
    X(kr_residual)(s, q->v[BLOCK_Q]);
    PSB_TRY(X(kr_test)(s, q->v[BLOCK_Q], NULL, true, go));
    for (int j = 0; j < s->k; j++)
        q->c[j * s->k + j] = s->factor[j] = s->col[j].active;
    X(kr_note)(s, X(gescal_cols)(s->factor, q->v[BLOCK_Q]));
    X(kr_note)(s, X(set_scal)(0, q->v[BLOCK_P]));
    PSB_TRY(*go ? orthonormalise_block(q, go) : PSB_OK);
    if (*go && q->rank == 0)
        end_block_cg(q, 0, "r.z is 0", go);
    return PSB_OK;
}

/* x = x + P D, where D = (P^H A P)^-1 C without the columns that have ended; Q = Q - A P (P^H A P)^-1. */
static psb_err step_along_block(struct block_cg *q, bool *go)
{
    struct X(kr) *s = q->s;
    const int k = s->k;
    int rank;
    X(kr_product)(s, q->v[BLOCK_P], q->v[BLOCK_V], 'N');
    PSB_TRY(factor_gram(q, q->v[BLOCK_P], q->v[BLOCK_V], (double)EPS, &rank));
    if (rank < q->rank) {
        end_block_cg(q, rank, rank < 0 ? "the matrix is not positive definite" : "P.AP is singular", go);
        return PSB_OK;
    }
    psb_gram_adjoint(k, q->t, q->u);
    psb_gram_multiply(k, q->t, q->u, q->a);
    psb_gram_multiply(k, q->a, q->c, q->b);
    for (int e = 0; e < k * k; e++)
        if (!s->col[e % k].active)
            q->b[e] = 0;
    add_block(q, 1, q->v[BLOCK_P], q->b, 1, s->x);
    add_block(q, -1, q->v[BLOCK_V], q->a, 1, q->v[BLOCK_Q]);
    return PSB_OK;
}

psb_err X(kr_block_cg)(struct X(kr) *s)
{
    struct block_cg q = { .s = s };
    bool go;
    if (s->k == 1)
        return PSB_PASS(X(kr_cg)(s));
    PSB_TRY(open_block_cg(&q));
    PSB_TRY(begin_block_cg(&q, &go));
    while (go) {
        PSB_TRY(step_along_block(&q, &go));
        PSB_TRY(go ? orthonormalise_block(&q, &go) : PSB_OK);
        if (!go)
            return PSB_OK;
        add_block(&q, 1, q.v[BLOCK_Q], q.c, 0, q.v[BLOCK_V]);
        PSB_TRY(X(kr_test)(s, q.v[BLOCK_V], NULL, false, &go));
    }
    return PSB_OK;
}
