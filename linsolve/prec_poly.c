/* prec_poly.c -- linsolve: polynomials in A scaled by its inverse diagonal: Chebyshev's, and Neumann's
 * series.  With B = D^-1 A both are p(B) D^-1; op(M)^-1 is the same polynomial of op(D)^-1 op(A), as
 * p(D^-1 A) D^-1 = D^-1 p(A D^-1). */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"

extern const struct X(prec_ops) X(prec_poly);

struct poly {
    struct X(operator) op;               /* a copy */
    const struct X(prec) *inner;         /* M, or NULL: the diagonal */
    struct X(inverse_diagonal) diag;     /* without M */
    double largest;                      /* Chebyshev: the modulus of the largest eigenvalue of B */
    struct X(vect) *step, *residual, *w; /* for applications */
    struct X(vect) *scaled;              /* M^-1 of a vector */
};

static void free_poly(struct X(prec) *p)
{
    struct poly *q = p->data;
    X(inverse_diagonal_free)(&q->diag);
    X(gefree)(q->step);
    X(gefree)(q->residual);
    X(gefree)(q->w);
    X(gefree)(q->scaled);
    psb_free(q);
}

static size_t poly_bytes(const struct X(prec) *p)
{
    const struct poly *q = p->data;
    return sizeof *q + X(inverse_diagonal_bytes)(&q->diag) + X(vect_sizeof)(q->step) +
           X(vect_sizeof)(q->residual) + X(vect_sizeof)(q->w) + X(vect_sizeof)(q->scaled);
}

/* y = alpha op(D)^-1 x + beta y, where inv has the diagonal of op(D)^-1; or with M. */
static psb_err add_scaled(const struct poly *q, const struct X(vect) *inv, T alpha, const struct X(vect) *x,
                          T beta, struct X(vect) *y, char trans)
{
    if (!q->inner)
        return X(gemlt2)(alpha, inv, x, beta, y);
    PSB_TRY(X(precapply)(q->inner, x, q->scaled, trans));
    return X(geaxpby)(alpha, q->scaled, beta, y);
}

/* --- the largest eigenvalue ------------------------------------------------------------------------------
 *
 * Arnoldi's method makes an orthonormal basis of span(v, B v, ..., B^(m-1) v), in which B is the Hessenberg
 * matrix H; the spectral radius of H approximates that of B.  If B is similar to a Hermitian matrix it is,
 * but for rounding, below that of B, by 2.5 % for Laplacians of 10^6 points and m = ARNOLDI_STEPS; hence the
 * factor 1.1 of the interval.  Source: Saad, "Numerical methods for large eigenvalue problems", 2011,
 * section 6.2. */
enum { ARNOLDI_STEPS = 10, SQUARINGS = 10, MOST_LOST = 100 };

psb_err X(normalise_vector)(struct X(vect) *v, R least, R *norm)
{
    PSB_TRY(X(genrm2)(v, norm));
    if (*norm <= least)
        *norm = 0;
    if (!(*norm > 0))
        return PSB_OK;
    return PSB_PASS(psb_agree(psb_cd_ctxt(v->desc), X(gescal)(1 / *norm, v)));
}

/* Gram and Schmidt's method, for ARNOLDI_STEPS vectors at once. */
psb_err X(orthogonalise_vector)(int m, struct X(vect) *const *v, int times, T *h)
{
    struct X(vect) *same[ARNOLDI_STEPS];
    T c[ARNOLDI_STEPS];
    for (int i = 0; i < ARNOLDI_STEPS; i++)
        same[i] = v[m];
    for (int at = 0, time = 0; time < times && m > 0; time += at == 0) {
        const int n = m - at < ARNOLDI_STEPS ? m - at : ARNOLDI_STEPS;
        PSB_TRY(X(gedots)(n, v + at, same, c));
        for (int i = 0; i < n; i++) {
            if (h)
                h[at + i] += c[i];
            c[i] = -c[i];
        }
        PSB_TRY(psb_agree(psb_cd_ctxt(v[m]->desc), X(gemaxpy)(n, c, v + at, v[m])));
        at = at + n < m ? at + n : 0;
    }
    return PSB_OK;
}

/* v[j+1] = B v[j] made orthogonal to v[0..j] and normalised; h = the coefficients, column j of H; *next = the
 * one below the diagonal, 0 if v[0..j] span an invariant space to half the digits.  *lost bounds by how much
 * single passes of Gram and Schmidt's method have raised errors of rounding; where that is too much, a second
 * pass. */
static psb_err arnoldi_step(const struct poly *q, int j, struct X(vect) **v, struct X(vect) *w, T *h, R *next,
                            double *lost)
{
    const R half = (R)sqrt((double)EPS);
    T again[ARNOLDI_STEPS] = { 0 };
    double size = 0;
    R rest;
    psb_err e = X(operator_mv)(&q->op, v[j], w, 'N');
    e = X(first_error)(e, add_scaled(q, q->diag.inv, 1, w, 0, v[j + 1], 'N'));
    PSB_TRY(psb_agree(psb_cd_ctxt(w->desc), e));
    for (int i = 0; i <= j; i++)
        h[i] = 0;
    PSB_TRY(X(orthogonalise_vector)(j + 1, v, 1, h));
    for (int i = 0; i <= j; i++)
        size = hypot(size, (double)ABS(h[i]));
    PSB_TRY(X(normalise_vector)(v[j + 1], half * (R)size, next));
    *lost *= hypot(1, size / (double)*next);
    if (!(*next > 0) || *lost < MOST_LOST)
        return PSB_OK;
    *lost = 1;
    PSB_TRY(X(orthogonalise_vector)(j + 1, v, 1, again));
    for (int i = 0; i <= j; i++)
        h[i] += *next * again[i];
    PSB_TRY(X(normalise_vector)(v[j + 1], half * (R)size / *next, &rest));
    *next *= rest;
    return PSB_OK;
}

/* c = a a for m x m matrices in rows of ARNOLDI_STEPS. */
static void square_matrix(int m, const T *a, T *c)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            T sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i * ARNOLDI_STEPS + k] * a[k * ARNOLDI_STEPS + j];
            c[i * ARNOLDI_STEPS + j] = sum;
        }
}

/* Divide a by its largest modulus, which is returned. */
static double scale_matrix(int m, T *a)
{
    R most = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const R size = ABS(a[i * ARNOLDI_STEPS + j]);
            most = isnan(size) || size > most ? size : most;
        }
    for (int i = 0; i < m && most > 0; i++)
        for (int j = 0; j < m; j++)
            a[i * ARNOLDI_STEPS + j] /= most;
    return (double)most;
}

/* The spectral radius of a, the limit of |a^s|^(1/s), for s = 2^SQUARINGS: above it by at most the s-th root
 * of the condition number of the eigenvectors times m, 1 % for 10^4.  a is overwritten. */
static double spectral_radius(int m, T *a)
{
    T c[ARNOLDI_STEPS * ARNOLDI_STEPS];
    double power = 1, log_of = log(scale_matrix(m, a));
    for (int s = 0; s < SQUARINGS; s++) {
        square_matrix(m, a, c);
        for (int i = 0; i < ARNOLDI_STEPS * ARNOLDI_STEPS; i++)
            a[i] = i / ARNOLDI_STEPS < m && i % ARNOLDI_STEPS < m ? c[i] : 0;
        power *= 2;
        log_of += log(scale_matrix(m, a)) / power;
    }
    return exp(log_of);
}

static psb_err arnoldi(struct poly *q, struct X(vect) **v)
{
    T h[ARNOLDI_STEPS * ARNOLDI_STEPS] = { 0 }, column[ARNOLDI_STEPS];
    R next;
    double lost = 1;
    int m = 0;
    PSB_TRY(psb_agree(psb_cd_ctxt(v[0]->desc), X(set_random)(v[0], 0)));
    PSB_TRY(X(normalise_vector)(v[0], 0, &next));
    while (m < ARNOLDI_STEPS && next > 0) {
        PSB_TRY(arnoldi_step(q, m, v, v[ARNOLDI_STEPS + 1], column, &next, &lost));
        for (int i = 0; i <= m; i++)
            h[i * ARNOLDI_STEPS + m] = column[i];
        if (++m < ARNOLDI_STEPS)
            h[m * ARNOLDI_STEPS + m - 1] = next;
    }
    q->largest = m > 0 ? spectral_radius(m, h) : 1;
    PSB_CHECK(q->largest > 0 && isfinite(q->largest), PSB_EPIVOT,
              "the largest eigenvalue of the matrix divided by its diagonal is %g; expected a finite one > 0",
              q->largest);
    return PSB_OK;
}

static psb_err estimate_largest(const struct X(prec) *p, struct poly *q)
{
    struct X(vect) *v[ARNOLDI_STEPS + 2] = { NULL };
    psb_err e = PSB_OK;
    for (int i = 0; i < ARNOLDI_STEPS + 2 && e == PSB_OK; i++)
        e = X(prec_vect)(p, p->desc, 1, &v[i]);
    if (e == PSB_OK)
        e = arnoldi(q, v);
    for (int i = 0; i < ARNOLDI_STEPS + 2; i++)
        X(gefree)(v[i]);
    return e;
}

double X(prec_largest)(const struct X(prec) *p)
{
    const struct poly *q = p->ops == &X(prec_poly) &&!p->inner ? p->data : NULL;
    return q ? q->largest : 0;
}

/* --- building ------------------------------------------------------------------------------------------- */

static psb_err build_poly(struct X(prec) *p, const struct X(operator) *op)
{
    struct poly *q = NULL;
    psb_err e = op->calls.apply || X(sp_col_desc)(op->a) == p->desc
                    ? psb_alloc_zero(&q, 1, sizeof *q, "preconditioner")
                    : PSB_FAIL(PSB_EARG, "argument a has its columns on another descriptor than its rows; "
                                         "expected the same one");
    p->data = q;
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), e));
    q->op = *op;
    q->inner = p->inner;
    PSB_TRY(p->inner ? X(prec_work)(p, p->desc, 1, &q->scaled)
                     : X(inverse_diagonal_bld)(p, op, false, &q->diag));
    return p->options.type == PSB_PREC_CHEBYSHEV ? estimate_largest(p, q) : PSB_OK;
}

/* --- application ---------------------------------------------------------------------------------------- */

/* Chebyshev's iteration for the interval theta - delta .. theta + delta: step = a D^-1 r + b step. */
struct chebyshev {
    double theta, delta, rho, a, b;
};

/* The coefficients of step i.  Of the first kind: the residual polynomial is the smallest on the interval
 * (Saad, "Iterative methods for sparse linear systems", 2003, algorithm 12.1).  Of the fourth: on 0 ..
 * 1.1 largest, weighted by the root of the eigenvalue (Lottes, "Optimal polynomial smoothers for multigrid
 * V-cycles", Numer. Linear Algebra Appl. 30, 2023, algorithm 2).  Neumann: the sum of (I - B)^i D^-1 x. */
static void next_coefficients(const struct X(prec) *p, int i, struct chebyshev *c)
{
    const double largest = ((const struct poly *)p->data)->largest, most = 1.1 * largest;
    const double least = largest / p->options.eig_ratio, old = c->rho;
    if (p->options.type == PSB_PREC_NEUMANN) {
        *c = (struct chebyshev){ .a = 1 };
    } else if (p->options.fourth_kind) {
        *c = (struct chebyshev){ .a = (8 * i + 4) / ((2 * i + 3) * most), .b = (2 * i - 1) / (2 * i + 3.0) };
    } else if (i == 0) {
        *c = (struct chebyshev){ .theta = (most + least) / 2, .delta = (most - least) / 2 };
        c->rho = c->delta / c->theta;
        c->a = 1 / c->theta;
    } else {
        c->rho = 1 / (2 * c->theta / c->delta - old);
        c->a = 2 * c->rho / c->delta;
        c->b = c->rho * old;
    }
    if (i == 0)
        c->b = 0;
}

/* step = a op(D)^-1 r + b step, or with M; then x = step, or x + step if `add`. */
static psb_err take_step(const struct poly *q, const struct X(vect) *inv, const struct chebyshev *c,
                         const struct X(vect) *r, bool add, struct X(vect) *x, char trans)
{
    if (!q->inner) {
        PSB_TRY(X(gemlt2)((T)c->a, inv, r, (T)c->b, q->step));
        return X(geaxpby)(1, q->step, add, x);
    }
    PSB_TRY(X(precapply)(q->inner, r, q->scaled, trans));
    return X(upd_xyz)((T)c->a, (T)c->b, 1, add, q->scaled, q->step, x);
}

/* The vectors that applications to k columns need; *inv = the diagonal of op(D)^-1. */
static psb_err open_poly(const struct X(prec) *p, int k, char trans, struct X(vect) **inv)
{
    struct poly *q = p->data;
    PSB_TRY(q->inner ? X(prec_work)(p, p->desc, k, &q->scaled)
                     : X(inverse_diagonal_columns)(p, &q->diag, k, trans, inv));
    PSB_TRY(X(prec_work)(p, p->desc, k, &q->step));
    return q->op.calls.apply ? X(prec_work)(p, p->desc, k, &q->w) : PSB_OK;
}

/* The steps from r = b - op(A) x, each followed by r = r - op(A) step. */
static psb_err sweep_poly(const struct X(prec) *p, struct X(vect) *r, struct X(vect) *x, bool add, bool last,
                          char trans)
{
    struct poly *q = p->data;
    struct chebyshev c = { .rho = 0 };
    struct X(vect) *inv = NULL;
    PSB_TRY(open_poly(p, x->ncols, trans, &inv));
    psb_err e = PSB_OK;
    for (int i = 0; i <= p->options.degree; i++) {
        next_coefficients(p, i, &c);
        e = X(first_error)(e, take_step(q, inv, &c, r, add || i > 0, x, trans));
        if (i < p->options.degree || !last)
            e = X(first_error)(e, X(operator_subtract)(&q->op, q->step, r, q->w, trans));
    }
    return e;
}

static psb_err apply_poly(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct poly *q = p->data;
    PSB_TRY(X(prec_work)(p, p->desc, x->ncols, &q->residual));
    const psb_err e = X(geaxpby)(1, x, 0, q->residual);
    return X(first_error)(e, sweep_poly(p, q->residual, y, false, true, trans));
}

static void decline_poly(const struct X(prec) *p, int k, char trans, psb_err e)
{
    const struct poly *q = p->data;
    const struct X(prec) *m = q->inner;
    if (X(prec_decline_work)(p, k, q->residual, e) ||
        (m ? X(prec_decline_work)(p, k, q->scaled, e)
           : X(inverse_diagonal_decline)(p, &q->diag, k, trans, e)) ||
        X(prec_decline_work)(p, k, q->step, e) || (q->op.calls.apply && X(prec_decline_work)(p, k, q->w, e)))
        return;
    for (int i = 0; i <= p->options.degree; i++) {
        if (i > 0)
            X(operator_decline)(&q->op, trans, e);
        if (m)
            X(prec_decline)(m, k, trans, e);
    }
}

const struct X(prec_ops) X(prec_poly) = { .build = build_poly,
                                          .apply = apply_poly,
                                          .sweep = sweep_poly,
                                          .decline = decline_poly,
                                          .bytes = poly_bytes,
                                          .free = free_poly };
