/* bicgstabl.c -- linsolve: BiCGSTAB(l), preconditioned from the right, so that its residual is that of
 * the system.  A sweep is l steps of BiCG, each an iteration of two products, and then the step along l
 * products of the residual that makes it smallest.  The stopping criterion applies after each BiCG step but
 * the last, and after the sweep.  Sources: Sleijpen and Fokkema, "BiCGstab(l) for linear equations involving
 * unsymmetric matrices with complex spectrum", ETNA 1, 1993; the smallest residual from normal equations:
 * Sleijpen and van der Vorst, "Maintaining convergence properties of BiCGstab methods in finite precision
 * arithmetic", Numer. Algorithms 10, 1995. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

enum { MOST_L = PSB_MOST_BICGSTAB_L };

struct bicgstabl {
    struct X(kr) *s;
    int l;                         /* most steps of a sweep */
    struct X(vect) *r[MOST_L + 1]; /* r[0]: the residual; r[i + 1] = A M^-1 r[i] */
    struct X(vect) *u[MOST_L + 1]; /* directions */
    struct X(vect) *shadow, *z;    /* z: M^-1 of a vector */
    struct X(vect) *y;             /* x + M^-1 y is the solution for the residual r[0] */
    T *rho;                        /* 2 k products: of the shadow with some r[i], of r[0] with itself */
    T *old, *sigma, *alpha, *beta;
    T *unit;     /* powers of two: M^-1 here and above is times them */
    bool scaled; /* they are not all 1 */
    bool begun;  /* they are chosen */
    T *gram;     /* products of r[0..l], see smallest_residual */
    T *gamma;    /* [MOST_L]: coefficients of r[1..l] */
    T *minus;    /* [MOST_L]: their negatives */
};

static psb_err open_bicgstabl(struct bicgstabl *q, int l)
{
    struct X(kr) *s = q->s;
    const int k = s->k;
    T *c;
    PSB_TRY(X(kr_vectors)(s, l + 1, q->r));
    PSB_TRY(X(kr_vectors)(s, l + 1, q->u));
    PSB_TRY(X(kr_vectors)(s, 1, &q->shadow));
    PSB_TRY(X(kr_vectors)(s, 1, &q->z));
    PSB_TRY(X(kr_vectors)(s, 1, &q->y));
    PSB_TRY(X(kr_scalars)(s, 7 + l * (l + 3) / 2 + 2 * l, &c));
    q->rho = c;
    q->old = c + 2 * k;
    q->sigma = c + 3 * k;
    q->alpha = c + 4 * k;
    q->beta = c + 5 * k;
    q->unit = c + 6 * k;
    q->gamma = c + 7 * k;
    q->minus = q->gamma + l * k;
    q->gram = q->minus + l * k;
    return PSB_OK;
}

/* z = M^-1 v, times the unit. */
static void bicgstabl_prec(struct bicgstabl *q, const struct X(vect) *v)
{
    X(kr_prec)(q->s, v, q->z, 'N');
    if (q->scaled)
        X(kr_note)(q->s, X(gescal_cols)(q->unit, q->z));
}

/* x = x + M^-1 y, y = 0. */
static void update_bicgstabl_x(struct bicgstabl *q)
{
    bicgstabl_prec(q, q->y);
    X(kr_axpby)(q->s, NULL, q->z, NULL, q->s->x);
    X(kr_note)(q->s, X(set_scal)(0, q->y));
}

/* rho = the products of the shadow with r[i]; apply the stopping criterion, for which the backward error
 * needs x. */
static psb_err test_bicgstabl(struct bicgstabl *q, int i, bool first, bool *go)
{
    if (!first && q->s->o->stop == PSB_STOP_BACKWARD)
        update_bicgstabl_x(q);
    return X(kr_dot_and_test)(q->s, q->shadow, q->r[i], q->r[0], q->rho, first, go);
}

/* The first alpha is about 1 / |A M^-1|.  Where the products of A^l r with themselves could leave the range
 * of T, it becomes the unit. */
static void choose_bicgstabl_units(struct bicgstabl *q)
{
    for (int j = 0; j < q->s->k; j++) {
        int e;
        frexp((double)ABS(q->alpha[j]), &e);
        const bool far = abs(e) > MOST_EXPONENT / (4 * q->l);
        e = e > MOST_EXPONENT - 2 ? MOST_EXPONENT - 2 : e < 2 - MOST_EXPONENT ? 2 - MOST_EXPONENT : e;
        const R unit = far ? (R)ldexp(1, e) : 1;
        q->unit[j] = unit;
        q->alpha[j] *= 1 / unit;
        q->scaled = q->scaled || far;
    }
    if (q->scaled)
        X(kr_note)(q->s, X(gescal_cols)(q->unit, q->u[1]));
}

/* --- BiCG ----------------------------------------------------------------------------------------------- */

/* Step i of BiCG: u[0..i] = r[0..i] - beta u[0..i], u[i + 1] = A M^-1 u[i]; then y, r[0..i], and r[i + 1]. */
static psb_err bicgstabl_step(struct bicgstabl *q, int i)
{
    struct X(kr) *s = q->s;
    X(kr_ratio)(s, q->rho, q->old, q->beta,
                "omega is 0, or the shadow residual is orthogonal to the residual");
    for (int j = 0; j < s->k; j++) {
        q->beta[j] *= -q->alpha[j];
        q->old[j] = q->rho[j];
    }
    for (int m = 0; m <= i; m++)
        X(kr_axpby)(s, NULL, q->r[m], q->beta, q->u[m]);
    bicgstabl_prec(q, q->u[i]);
    PSB_TRY(X(kr_product_dots)(s, q->z, q->u[i + 1], 1, &q->shadow, &q->u[i + 1], q->sigma));
    X(kr_ratio)(s, q->rho, q->sigma, q->alpha, "the shadow residual is orthogonal to A p");
    if (!q->begun)
        choose_bicgstabl_units(q);
    q->begun = true;
    for (int m = 0; m <= i; m++)
        X(kr_subtract)(s, q->alpha, q->u[m + 1], q->r[m]);
    X(kr_axpby)(s, q->alpha, q->u[0], NULL, q->y);
    bicgstabl_prec(q, q->r[i]);
    X(kr_product)(s, q->z, q->r[i + 1], 'N');
    return PSB_OK;
}

/* --- the smallest residual ------------------------------------------------------------------------------ */

/* g, l rows of l + 1 elements: the upper triangle of a Hermitian matrix and the right-hand side.  Solve by
 * elimination; x is 0 where a row depends on the rows above. */
static void solve_positive(int l, T g[MOST_L][MOST_L + 1], T *x)
{
    R before[MOST_L];
    for (int i = 0; i < l; i++)
        before[i] = RE(g[i][i]);
    for (int i = 0; i < l; i++) {
        const bool is_new = RE(g[i][i]) > 10 * (R)EPS * before[i];
        for (int m = i + 1; m < l && is_new; m++) {
            const T f = X(quotient)(CONJ(g[i][m]), g[i][i]);
            for (int n = m; n <= l; n++)
                g[m][n] -= f * g[i][n];
        }
        if (!is_new)
            g[i][i] = 0;
    }
    for (int i = l - 1; i >= 0; i--) {
        T sum = g[i][l];
        for (int m = i + 1; m < l; m++)
            sum -= g[i][m] * x[m];
        x[i] = g[i][i] == 0 ? 0 : X(quotient)(sum, g[i][i]);
    }
}

/* gamma of column j of the solve. */
static void set_gamma(struct bicgstabl *q, int l, int j)
{
    const int k = q->s->k;
    T g[MOST_L][MOST_L + 1], x[MOST_L];
    const T *from = q->gram + j;
    for (int i = 0; i < l; i++)
        for (int m = i; m <= l; m++, from += k)
            g[i][m] = *from;
    solve_positive(l, g, x);
    for (int i = 0; i < l; i++)
        q->gamma[i * k + j] = q->s->col[j].active ? x[i] : 0;
}

/* r[0] less its projection on r[1..l], and y and u[0] accordingly.  gram: the products of r for the pairs
 * (1, 1), (1, 2), ..., (1, l), (1, 0), (2, 2), ..., (2, 0), .... */
static psb_err smallest_residual(struct bicgstabl *q, int l)
{
    struct X(kr) *s = q->s;
    struct X(vect) *left[MOST_L * (MOST_L + 3) / 2], *right[MOST_L * (MOST_L + 3) / 2];
    int n = 0;
    for (int i = 1; i <= l; i++)
        for (int m = i; m <= l + 1; m++) {
            left[n] = q->r[i];
            right[n++] = q->r[m <= l ? m : 0];
        }
    PSB_TRY(X(kr_dots)(s, n, left, right, q->gram));
    for (int j = 0; j < s->k; j++)
        set_gamma(q, l, j);
    X(kr_add_all)(s, l, q->gamma, q->r, NULL, q->y);
    X(kr_subtract_all)(s, l, q->gamma, q->r + 1, q->minus, q->r[0]);
    X(kr_subtract_all)(s, l, q->gamma, q->u + 1, q->minus, q->u[0]);
    for (int j = 0; j < s->k; j++)
        q->old[j] *= -q->gamma[(l - 1) * s->k + j];
    return PSB_OK;
}

/* --- sweeps --------------------------------------------------------------------------------------------- */

static psb_err begin_bicgstabl(struct bicgstabl *q, bool *go)
{
    struct X(kr) *s = q->s;
    X(kr_residual)(s, q->r[0]);
    X(kr_note)(s, X(geaxpby)(1, q->r[0], 0, q->shadow));
    X(kr_note)(s, X(set_scal)(0, q->u[0]));
    X(kr_note)(s, X(set_scal)(0, q->y));
    for (int j = 0; j < s->k; j++)
        q->old[j] = 1;
    return test_bicgstabl(q, 0, true, go);
}

psb_err X(kr_bicgstabl)(struct X(kr) *s)
{
    const int most = s->o->restart ? s->o->restart : 2;
    struct bicgstabl q = { .s = s, .l = most };
    bool go;
    PSB_TRY(open_bicgstabl(&q, most));
    PSB_TRY(begin_bicgstabl(&q, &go));
    while (go) {
        const int left = s->o->itmax - s->it, l = left < most ? left : most;
        for (int i = 0; i < l && go; i++) {
            PSB_TRY(bicgstabl_step(&q, i));
            if (i == l - 1)
                PSB_TRY(smallest_residual(&q, l));
            PSB_TRY(test_bicgstabl(&q, i == l - 1 ? 0 : i + 1, false, &go));
        }
    }
    update_bicgstabl_x(&q);
    return PSB_OK;
}
