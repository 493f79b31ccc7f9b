/* gmres.c -- linsolve: RGMRES and FGMRES, restarted and preconditioned from the right, so that the
 * residual is the true one.  Sources: Saad and Schultz, "GMRES: a generalized minimal residual algorithm for
 * solving nonsymmetric linear systems", SIAM J. Sci. Stat. Comput. 7, 1986; Saad, "A flexible inner-outer
 * preconditioned GMRES algorithm", SIAM J. Sci. Comput. 14, 1993. */
#include "psb_linsolve.h"
#include "psb_type.h"
#include "krylov_inside.t.h"

/* Step i of a cycle makes column i of the Hessenberg matrix, and rotates it to column i of the triangle. Each
 * of these has k elements for each row; a column of the solve that has ended has the unit vector i and
 * g 0. */
struct gmres_step {
    T *h;             /* rows 0..i + 1; after the rotation row i + 1 still holds the norm of the new vector */
    T *pass;          /* as h: one pass of orthogonalisation */
    T *cosine, *sine; /* the rotation of rows i and i + 1 */
    T *g;             /* row i of the rotated right-hand side */
    T *y;             /* the coefficient of z[i] in x */
};

struct gmres {
    struct X(kr) *s;
    int most, made;          /* steps of a cycle; steps that have memory */
    bool flexible;           /* keep each z[i], else one for all */
    struct X(vect) **v;      /* [most + 1]: the basis */
    struct X(vect) **z;      /* [most]: M^-1 v[i] */
    struct X(vect) **new;    /* [most + 1]: v[i + 1], as often as gedots needs it in step i */
    struct X(vect) *t;       /* a combination of vectors; the residual, for the backward error */
    struct gmres_step *step; /* [most] */
    T *rest;                 /* the right-hand side below row i: its modulus is the norm of the residual */
    T *one, *zero, *factor;
    T *sum;  /* [most]: coefficients of a combination of vectors */
    T *loss; /* [most + 1]: how far v[i] may be from orthogonal to those before, and from norm 1 */
};

/* --- memory --------------------------------------------------------------------------------------------- */

static psb_err open_gmres(struct gmres *q)
{
    const size_t most = (size_t)q->most;
    const int k = q->s->k;
    T *c;
    PSB_TRY(X(kr_array)(q->s, &q->v, 3 * most + 2, sizeof *q->v));
    q->new = q->v + most + 1;
    q->z = q->new + most + 1;
    PSB_TRY(X(kr_array)(q->s, &q->step, most, sizeof *q->step));
    PSB_TRY(X(kr_vectors)(q->s, 1, &q->v[0]));
    PSB_TRY(X(kr_vectors)(q->s, 1, &q->t));
    PSB_TRY(X(kr_scalars)(q->s, 5 + 2 * q->most, &c));
    q->rest = c;
    q->one = c + k;
    q->zero = c + 2 * k;
    q->factor = c + 3 * k;
    q->sum = c + 4 * k;
    q->loss = q->sum + q->most * k;
    for (int j = 0; j < k; j++)
        q->one[j] = 1;
    return PSB_OK;
}

/* Take the memory of step i: few cycles reach the last one. */
static psb_err need_gmres_step(struct gmres *q, int i)
{
    const int k = q->s->k, rows = i + 2;
    T *c;
    if (i < q->made)
        return PSB_OK;
    PSB_TRY(X(kr_vectors)(q->s, 1, &q->v[i + 1]));
    q->z[i] = X(kr_has_prec)(q->s) ? q->z[0] : q->v[i];
    if (X(kr_has_prec)(q->s) && (q->flexible || i == 0))
        PSB_TRY(X(kr_vectors)(q->s, 1, &q->z[i]));
    PSB_TRY(X(kr_scalars)(q->s, 2 * rows + 4, &c));
    T *end = c + 2 * rows * k;
    q->step[i] = (struct gmres_step){
        .h = c, .pass = c + rows * k, .cosine = end, .sine = end + k, .g = end + 2 * k, .y = end + 3 * k
    };
    q->made = i + 1;
    return PSB_OK;
}

/* --- a new vector of the basis -------------------------------------------------------------------------- */

/* v[i + 1] = A M^-1 v[i]; v[0] is divided by its norm, the others have been. */
static void next_gmres_vector(struct gmres *q, int i)
{
    const T *norm = i == 0 ? q->rest : q->step[i - 1].h + i * q->s->k;
    X(kr_ratio)(q->s, q->one, norm, q->factor, "the Krylov space does not grow");
    if (i == 0)
        X(kr_note)(q->s, X(gescal_cols)(q->factor, q->v[0]));
    if (q->z[i] != q->v[i])
        X(kr_prec)(q->s, q->v[i], q->z[i], 'N');
    X(kr_product)(q->s, q->z[i], q->v[i + 1], 'N');
}

/* Return a bound of the loss of v[i + 1] in column j by a pass with the products h, which takes the square of
 * its norm from `before` to `after`: its products with the vectors before are E h / |v|, the error of its
 * norm is h^H E h / |v|^2, where E = I - V^H V, and there are rounding errors.  An element of E is at most
 * the loss of the later one of its two vectors. */
static double gmres_loss(const struct gmres *q, int i, int j, double before, double after)
{
    const int k = q->s->k;
    const T *pass = q->step[i].pass + j, *loss = q->loss + j;
    double sum = 0, later = 0, most = 0;
    for (int l = 0; l <= i; l++)
        sum += (double)ABS(pass[l * k]);
    double earlier = sum;
    for (int l = i; l >= 0; l--) {
        const double h = (double)ABS(pass[l * k]), of_v = (double)RE(loss[l * k]);
        most = fmax(most, later + of_v * earlier);
        earlier -= h;
        later += of_v * h;
    }
    return (most * (sqrt(after) + sum) + (double)EPS * before) / after;
}

/* Add a pass to column j of step i.  The norm comes from the theorem of Pythagoras.  Return true if another
 * pass is needed. */
static bool add_gmres_pass(struct gmres *q, int i, int j)
{
    const int k = q->s->k;
    T *h = q->step[i].h + j;
    const T *pass = q->step[i].pass + j;
    const double before = (double)RE(pass[(i + 1) * k]);
    double after = before;
    for (int l = 0; l <= i; l++) {
        const double c = (double)ABS(pass[l * k]);
        h[l * k] += pass[l * k];
        after -= c * c;
    }
    after = after < 0 ? 0 : after;
    const double loss = gmres_loss(q, i, j, before, after);
    h[(i + 1) * k] = (T)sqrt(after);
    q->loss[(i + 1) * k + j] = (T)loss;
    return loss > sqrt((double)EPS);
}

/* Subtract from v[i + 1] its projection on v[0..i] and, in the `last` pass, divide it by its norm, unless the
 * quotient is not finite: then the next step ends the column.  It becomes 0 in a column that has ended. */
static void subtract_gmres_pass(struct gmres *q, int i, bool last)
{
    const struct gmres_step *t = &q->step[i];
    const int k = q->s->k;
    for (int j = 0; j < k; j++) {
        const R f = 1 / RE(t->h[(i + 1) * k + j]);
        q->factor[j] = !q->s->col[j].active ? 0 : last && f > 0 && isfinite((double)f) ? f : 1;
    }
    for (int l = 0; l < (i + 1) * k; l++)
        q->sum[l] = q->factor[l % k] == 0 ? 0 : -t->pass[l] * q->factor[l % k];
    X(kr_add_all)(q->s, i + 1, q->sum, q->v, q->factor, q->v[i + 1]);
}

/* Subtract from v[i + 1] its projection on v[0..i]: classical Gram-Schmidt with one reduction a pass (Daniel,
 * Gragg, Kaufman and Stewart, "Reorthogonalization and stable algorithms for updating the Gram-Schmidt QR
 * factorization", Math. Comp. 30, 1976), until the loss is at most the root of the rounding error in all
 * active columns (Simon, "The Lanczos algorithm with partial reorthogonalization", Math. Comp. 42, 1984).
 * That is enough: A Z = V H holds to rounding errors whatever V is, and norms of combinations of V are known
 * to the loss.  What loses more three times depends on the vectors before; its norm is set to 0. */
static psb_err orthogonalise_gmres(struct gmres *q, int i)
{
    const struct gmres_step *t = &q->step[i];
    const int k = q->s->k;
    bool again = true;
    for (int l = 0; l < (i + 2) * k; l++)
        t->h[l] = 0;
    for (int l = 0; l < i + 2; l++)
        q->new[l] = q->v[i + 1];
    for (int pass = 1; again; pass++) {
        PSB_TRY(X(kr_dots)(q->s, i + 2, q->v, q->new, t->pass));
        again = false;
        for (int j = 0; j < k; j++)
            if (add_gmres_pass(q, i, j) && q->s->col[j].active) {
                again = pass < 3;
                t->h[(i + 1) * k + j] *= pass < 3;
            }
        subtract_gmres_pass(q, i, !again);
    }
    return PSB_OK;
}

/* --- the least-squares problem -------------------------------------------------------------------------- */

/* Apply the rotations of the steps before to column j of step i; return the norm of the column. */
static double rotate_column(struct gmres *q, int i, int j)
{
    const int k = q->s->k;
    T *h = q->step[i].h + j;
    double norm = (double)ABS(h[(i + 1) * k]);
    for (int l = 0; l < i; l++) {
        const T c = q->step[l].cosine[j], s = q->step[l].sine[j], above = h[l * k];
        h[l * k] = c * above + s * h[(l + 1) * k];
        h[(l + 1) * k] = c * h[(l + 1) * k] - CONJ(s) * above;
        norm = hypot(norm, (double)ABS(h[l * k]));
    }
    return hypot(norm, (double)ABS(h[i * k]));
}

/* Leave step i out of column j. */
static void leave_column_out(struct gmres *q, int i, int j)
{
    const int k = q->s->k;
    struct gmres_step *t = &q->step[i];
    for (int l = 0; l < i; l++)
        t->h[l * k + j] = 0;
    t->h[i * k + j] = t->cosine[j] = 1;
    t->sine[j] = t->g[j] = 0;
}

/* Rotate column j of step i to triangular form, and the right-hand side likewise. */
static void eliminate_column(struct gmres *q, int i, int j)
{
    struct gmres_step *t = &q->step[i];
    T *diag = t->h + i * q->s->k + j;
    const double norm = rotate_column(q, i, j);
    const R a = ABS(*diag), b = RE(diag[q->s->k]), r = (R)hypot((double)a, (double)b);
    const T sign = a == 0 ? 1 : *diag / a;
    t->cosine[j] = a / r;
    t->sine[j] = sign * (b / r);
    *diag = sign * r;
    t->g[j] = t->cosine[j] * q->rest[j];
    if (!isfinite((double)ABS(t->g[j])))
        X(kr_end)(q->s, j, PSB_BREAKDOWN, "a product with the matrix is 0 or not finite");
    else if ((double)r <= (i + 2) * (double)EPS * norm)
        X(kr_end)(q->s, j, PSB_BREAKDOWN, "the matrix is singular on the Krylov space");
    if (q->s->col[j].active)
        q->rest[j] *= -CONJ(t->sine[j]);
    else
        leave_column_out(q, i, j);
}

/* --- x -------------------------------------------------------------------------------------------------- */

/* Solve for the y of column j after n steps; q->sum = its changes. */
static void solve_gmres_triangle(struct gmres *q, int n, int j)
{
    const int k = q->s->k;
    for (int l = n - 1; l >= 0; l--) {
        struct gmres_step *t = &q->step[l];
        T sum = t->g[j];
        for (int i = l + 1; i < n; i++)
            sum -= q->step[i].h[l * k + j] * q->step[i].y[j];
        sum = X(quotient)(sum, t->h[l * k + j]);
        q->sum[l * k + j] = sum - t->y[j];
        t->y[j] = sum;
    }
}

/* Add to x the sum of z[i] times the changes of y; without the z[i], M^-1 of the sum of the v[i]. */
static void update_gmres_x(struct gmres *q, int n)
{
    const bool summed = X(kr_has_prec)(q->s) && !q->flexible;
    for (int j = 0; j < q->s->k; j++)
        solve_gmres_triangle(q, n, j);
    if (!summed)
        X(kr_add_all)(q->s, n, q->sum, q->z, NULL, q->s->x);
    else if (n > 0) {
        X(kr_add_all)(q->s, n, q->sum, q->v, q->zero, q->t);
        X(kr_prec)(q->s, q->t, q->z[0], 'N');
        X(kr_axpby)(q->s, NULL, q->z[0], NULL, q->s->x);
    }
}

/* --- cycles --------------------------------------------------------------------------------------------- */

/* v[0] = the residual; apply the stopping criterion. */
static psb_err begin_gmres_cycle(struct gmres *q, bool *go)
{
    double *norm = q->s->value;
    X(kr_residual)(q->s, q->v[0]);
    PSB_TRY(X(kr_norms)(q->s, q->v[0], NULL, norm));
    for (int j = 0; j < q->s->k; j++)
        q->rest[j] = (T)norm[j];
    return X(kr_test)(q->s, q->v[0], norm, true, go);
}

/* Step i, and the stopping criterion; the backward error needs x and the residual itself. */
static psb_err make_gmres_step(struct gmres *q, int i, bool *go)
{
    double *norm = q->s->value;
    PSB_TRY(need_gmres_step(q, i));
    next_gmres_vector(q, i);
    PSB_TRY(orthogonalise_gmres(q, i));
    for (int j = 0; j < q->s->k; j++) {
        q->step[i].y[j] = 0;
        if (q->s->col[j].active)
            eliminate_column(q, i, j);
        else
            leave_column_out(q, i, j);
    }
    if (q->s->o->stop == PSB_STOP_BACKWARD) {
        update_gmres_x(q, i + 1);
        X(kr_residual)(q->s, q->t);
    }
    for (int j = 0; j < q->s->k; j++)
        norm[j] = (double)ABS(q->rest[j]);
    return X(kr_test)(q->s, q->t, norm, false, go);
}

static psb_err run_gmres(struct X(kr) *s, bool flexible)
{
    struct gmres q = { .s = s, .flexible = flexible, .most = X(kr_kept)(s, 30) };
    bool go = true;
    PSB_TRY(open_gmres(&q));
    while (go) {
        int n = 0;
        PSB_TRY(begin_gmres_cycle(&q, &go));
        while (go && n < q.most)
            PSB_TRY(make_gmres_step(&q, n++, &go));
        update_gmres_x(&q, n);
    }
    return PSB_OK;
}

psb_err X(kr_rgmres)(struct X(kr) *s)
{
    return PSB_PASS(run_gmres(s, false));
}

psb_err X(kr_fgmres)(struct X(kr) *s)
{
    return PSB_PASS(run_gmres(s, true));
}
