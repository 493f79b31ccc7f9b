/* minres.c -- linsolve: MINRES for Hermitian matrices with a Hermitian positive definite
 * preconditioner M.  It minimises the M^-1-norm of the residual; the residual itself has a recurrence of one
 * vector.  Source: Paige and Saunders, "Solution of sparse indefinite systems of linear equations", SIAM J.
 * Numer. Anal. 12, 1975. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* A column of the solve.  The Lanczos vectors make A tridiagonal, with alpha on the diagonal and the
 * M^-1-norms of Q beside it; reflections (cosine sine; sine -cosine) of two rows make that upper
 * triangular. */
struct minres_column {
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
    struct X(vect) *r;
    struct X(vect) *q, *q_old; /* Lanczos vectors, not normalised */
    struct X(vect) *z;         /* M^-1 q */
    struct X(vect) *w;         /* A z, then z of the next step */
    struct X(vect) *d, *d_old; /* directions of x */
    struct minres_column *col;
    T *dots;                                                  /* 2 k */
    T *of_q, *of_q_old, *of_z, *of_d, *of_d_old, *of_r, *phi; /* coefficients of sums */
};

static psb_err open_minres(struct minres *m)
{
    const int k = m->s->k;
    struct X(vect) *v[7];
    T *c;
    PSB_TRY(X(kr_array)(m->s, &m->col, (size_t)k, sizeof *m->col));
    PSB_TRY(X(kr_vectors)(m->s, 7, v));
    PSB_TRY(X(kr_scalars)(m->s, 9, &c));
    m->r = v[0];
    m->q = v[1];
    m->q_old = v[2];
    m->z = v[3];
    m->w = v[4];
    m->d = v[5];
    m->d_old = v[6];
    m->dots = c;
    T **of[] = { &m->of_q, &m->of_q_old, &m->of_z, &m->of_d, &m->of_d_old, &m->of_r, &m->phi };
    for (int i = 0; i < 7; i++)
        *of[i] = c + (i + 2) * k;
    return PSB_OK;
}

static void swap_vectors(struct X(vect) **v, struct X(vect) **w)
{
    struct X(vect) *t = *v;
    *v = *w;
    *w = t;
}

/* The residual of x and its Lanczos vector. */
static psb_err begin_minres(struct minres *m, bool *go)
{
    struct X(kr) *s = m->s;
    X(kr_residual)(s, m->r);
    X(kr_note)(s, X(geaxpby)(1, m->r, 0, m->q));
    X(kr_prec)(s, m->q, m->z, 'N');
    PSB_TRY(X(kr_dot_and_test)(s, m->q, m->z, m->r, m->dots, true, go));
    X(kr_need_positive)(s, m->dots, "the preconditioner is not positive definite");
    for (int j = 0; j < s->k; j++) {
        const R norm = s->col[j].active ? (R)sqrt((double)RE(m->dots[j])) : 0;
        m->col[j] = (struct minres_column){ .norm = norm, .rest = norm, .cosine = -1 };
    }
    return PSB_OK;
}

/* The Lanczos process: q = A v - alpha q - norm q_old, of normalised vectors v, q, q_old; w = the new z; dots
 * = q.z. */
static psb_err next_lanczos_vector(struct minres *m)
{
    struct X(kr) *s = m->s;
    PSB_TRY(X(kr_product_dots)(s, m->z, m->w, 1, &m->z, &m->w, m->dots));
    for (int j = 0; j < s->k; j++) {
        struct minres_column *c = &m->col[j];
        const R scale = s->col[j].active ? 1 / c->norm : 0;
        c->alpha = scale * scale * RE(m->dots[j]);
        m->of_z[j] = scale;
        m->of_q[j] = scale * c->alpha;
        m->of_q_old[j] = -c->ratio;
    }
    X(kr_axpby)(s, m->of_z, m->w, m->of_q_old, m->q_old);
    X(kr_subtract)(s, m->of_q, m->q, m->q_old);
    swap_vectors(&m->q, &m->q_old);
    X(kr_prec)(s, m->q, m->w, 'N');
    return X(kr_dots)(s, 1, &m->q, &m->w, m->dots);
}

/* Make the column of the triangle for this step, and the coefficients that follow from it; next: the
 * M^-1-norm of the new q.  Return false if its diagonal is 0. */
static bool reflect(struct minres *m, int j, R next)
{
    struct minres_column *c = &m->col[j];
    const R beside = c->cosine * c->above + c->sine * c->alpha;
    const R rest = c->sine * c->above - c->cosine * c->alpha;
    const R diag = (R)hypot((double)rest, (double)next);
    const bool first = c->ratio == 0; /* then norm is that of the residual, which has another unit */
    c->size = (R)hypot((double)c->size,
                       hypot((double)c->alpha, hypot(first ? 0 : (double)c->norm, (double)next)));
    if (!(diag > 10 * (R)EPS * c->size))
        return false;
    m->of_z[j] = 1 / (c->norm * diag);
    m->of_d[j] = beside / diag;
    m->of_d_old[j] = -c->epsilon / diag;
    c->epsilon = c->sine * next;
    c->above = -c->cosine * next;
    c->cosine = rest / diag;
    c->sine = next / diag;
    return true;
}

/* The step of x along d, and its effect on the residual. */
static void set_step(struct minres *m, int j, R next)
{
    struct minres_column *c = &m->col[j];
    m->phi[j] = c->cosine * c->rest;
    c->rest *= c->sine;
    m->of_r[j] = c->sine * c->sine;
    m->of_q[j] = next == 0 ? 0 : -c->cosine * c->rest / next;
    c->ratio = next / c->norm;
    c->norm = next;
}

/* The coefficients of the step; without change of x and the residual for a column that has ended or ends. */
static void set_coefficients(struct minres *m)
{
    for (int j = 0; j < m->s->k; j++) {
        const R square = RE(m->dots[j]), next = (R)sqrt((double)square);
        const bool active = m->s->col[j].active;
        if (active && square >= 0 && reflect(m, j, next)) {
            set_step(m, j, next);
            continue;
        }
        m->phi[j] = m->of_q[j] = m->of_z[j] = m->of_d[j] = m->of_d_old[j] = 0;
        m->of_r[j] = 1;
        if (active)
            X(kr_end)(m->s, j, PSB_BREAKDOWN,
                      square >= 0  ? "the matrix is singular on the Krylov space"
                      : square < 0 ? "the preconditioner is not positive definite"
                                   : KR_OUT_OF_RANGE);
    }
}

/* x and the residual; the M^-1-norm of the residual is its 2-norm without a preconditioner. */
static psb_err minres_step(struct minres *m, bool *go)
{
    struct X(kr) *s = m->s;
    PSB_TRY(next_lanczos_vector(m));
    set_coefficients(m);
    X(kr_axpby)(s, m->of_z, m->z, m->of_d_old, m->d_old);
    X(kr_subtract)(s, m->of_d, m->d, m->d_old);
    swap_vectors(&m->d, &m->d_old);
    swap_vectors(&m->z, &m->w);
    X(kr_axpby)(s, m->phi, m->d, NULL, s->x);
    X(kr_axpby)(s, m->of_q, m->q, m->of_r, m->r);
    for (int j = 0; j < s->k; j++)
        s->value[j] = (double)m->col[j].rest;
    return X(kr_test)(s, m->r, s->p ? NULL : s->value, false, go);
}

psb_err X(kr_minres)(struct X(kr) *s)
{
    struct minres m = { .s = s };
    bool go;
    PSB_TRY(open_minres(&m));
    PSB_TRY(begin_minres(&m, &go));
    while (go)
        PSB_TRY(minres_step(&m, &go));
    return PSB_OK;
}
