/* amg_cycle.c -- linsolve: the cycles of multigrid.
 *
 * A cycle is: smooth, restrict the residual by P^H, treat the next level as the kind of cycle says, prolong,
 * smooth.  Each level has its residual r, from which smoothers and prolongation subtract what they add to x;
 * so no right-hand side is copied, and none is read again.  For Hermitian A and a Hermitian smoother cycles V
 * and W are Hermitian, as is ADD. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "psb_type.h"
#include "quotient.t.h"
#include "amg.t.h"

/* Scalars of cycles K and KCG, for k columns each: dot products of r, v1 = A c1 and l1, of v2 = A c2 and l2,
 * in two reductions; then the factors of c1 and c2. */
enum { R_R, L1_V1, L1_R, V1_V1, V1_R, L1_V2, L2_V2, L2_R, BY_1, BY_2, AMG_SCALARS };

/* Those of level v for cycles K and KCG. */
static psb_err krylov_vectors(const struct X(prec) *p, struct amg_level *v, int k)
{
    psb_free(v->dots);
    v->dots = NULL;
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc),
                      psb_alloc(&v->dots, AMG_SCALARS * (size_t)k, sizeof *v->dots, "scalars")));
    for (int i = 0; i < 4; i++)
        PSB_TRY(X(prec_work)(p, v->a->col, k, &v->k[i]));
    return PSB_OK;
}

psb_err X(amg_vectors)(const struct X(prec) *p, int k)
{
    const bool krylov = p->options.cycle == PSB_CYCLE_K || p->options.cycle == PSB_CYCLE_KCG;
    struct amg *q = p->data;
    if (q->k == k)
        return PSB_OK;
    q->k = 0;
    for (struct amg_level *v = q->level; v < q->level + q->n; v++) {
        PSB_TRY(X(prec_work)(p, v->a->col, k, &v->r));
        if (v->made)
            PSB_TRY(X(prec_work)(p, v->a->col, k, &v->x));
        if (v->inverse)
            PSB_TRY(X(prec_work)(p, v->inverse->col, k, &v->w));
        else
            PSB_TRY(X(prec_work)(p, v->a->col, k, &v->z));
        if (v->p)
            PSB_TRY(X(prec_work)(p, v->p->col, k, &v->c));
        if (v->p && v->made && krylov)
            PSB_TRY(krylov_vectors(p, v, k));
    }
    q->k = k;
    return PSB_OK;
}

/* y = x for descriptors that may differ in their halo. */
static psb_err copy_owned(const struct X(vect) *x, struct X(vect) *y)
{
    const enum psb_side s = X(vect_side)(x, y);
    const psb_epk n = (psb_epk)X(vect_owned)(y) * y->ncols;
    const T *from;
    T *to;
    PSB_TRY(psb_dual_read(&x->v, s, &from));
    PSB_TRY(X(vect_open)(y, s, 1, &to));
    return X(vec)(s, s == PSB_DEV ? y->v.on : NULL)->axpby(n, 1, from, 0, to);
}

/* The same for two vectors of the levels; x is used up. */
static psb_err move_owned(struct X(vect) *x, struct X(vect) *y)
{
    if (x->n != y->n || x->v.on != y->v.on)
        return copy_owned(x, y);
    psb_dual_swap(&x->v, &y->v);
    return PSB_OK;
}

/* A sweep of the smoother: x = op(M)^-1 r, or x + op(M)^-1 r if `add`; then r = r - op(A) times what was
 * added, unless `last`. */
static psb_err sweep(const struct amg_level *v, struct X(vect) *x, bool add, bool last, char trans)
{
    const struct X(prec) *m = v->smoother;
    if (m->ops->sweep)
        return m->ops->sweep(m, v->r, x, add, last, trans);
    struct X(vect) *z = add ? v->z : x;
    psb_err e = X(precapply)(m, v->r, z, trans);
    if (add)
        e = X(first_error)(e, X(geaxpby)(1, z, 1, x));
    return last ? e : X(first_error)(e, X(spmv)(-1, v->a, z, 1, v->r, trans));
}

static psb_err smooth(const struct amg_level *v, int sweeps, struct X(vect) *x, bool add, bool last,
                      char trans)
{
    psb_err e = PSB_OK;
    for (int i = 0; i < sweeps; i++)
        e = X(first_error)(e, sweep(v, x, add || i > 0, last && i == sweeps - 1, trans));
    return e;
}

static psb_err restrict_residual(const struct amg_level *v)
{
    const psb_err e = X(spmv)(1, v->p, v->r, 0, v->c, 'C');
    return X(first_error)(e, move_owned(v->c, v[1].r));
}

/* x = P times the next level's x, or x plus that if `add`; then r as in sweep. */
static psb_err prolong(const struct amg_level *v, struct X(vect) *x, bool add, bool last, char trans)
{
    struct X(vect) *z = add && !last ? v->z : x;
    psb_err e = move_owned(v[1].x, v->c);
    if (z == x || x->ncols > 1)
        e = X(first_error)(e, X(spmv)(1, v->p, v->c, z == x && add, z, 'N'));
    else
        e = X(first_error)(e, X(spmv_fused)(1, v->p, v->c, 0, z, 'N',
                                            &(struct X(epilogue)){ .gamma = 1, .delta = 1, .z = x }, NULL));
    if (z != x && x->ncols > 1)
        e = X(first_error)(e, X(geaxpby)(1, z, 1, x));
    return last ? e : X(first_error)(e, X(spmv)(-1, v->a, z, 1, v->r, trans));
}

/* x = op(A)^-1 r on the coarsest level. */
static psb_err solve_coarsest(const struct amg_level *v, struct X(vect) *x, char trans)
{
    if (trans == 'N') {
        const psb_err e = move_owned(v->r, v->w);
        return X(first_error)(e, X(spmv)(1, v->inverse, v->w, 0, x, 'N'));
    }
    const psb_err e = X(spmv)(1, v->inverse, v->r, 0, v->w, trans);
    return X(first_error)(e, copy_owned(v->w, x));
}

static psb_err coarse_cycle(const struct X(prec) *p, enum psb_cycle kind, const struct amg_level *v,
                            char trans);

/* The sweeps before a coarser level, or after it. */
static int sweeps_of(const struct X(prec) *p, bool before)
{
    const int n = before ? p->options.presweeps : p->options.postsweeps;
    return n >= 0 ? n : p->options.sweeps > 0 ? p->options.sweeps : 1;
}

/* A cycle for op(A) x = r: x = what it computes, or x plus that if `add`; then r as in sweep. */
static psb_err cycle(const struct X(prec) *p, enum psb_cycle kind, const struct amg_level *v,
                     struct X(vect) *x, bool add, bool last, char trans)
{
    const int pre = sweeps_of(p, trans == 'N'), post = sweeps_of(p, trans != 'N');
    if (v->inverse)
        return solve_coarsest(v, x, trans);
    if (!v->p)
        return smooth(v, pre > post ? pre : post, x, add, last, trans);
    psb_err e = smooth(v, pre, x, add, false, trans);
    e = X(first_error)(e, restrict_residual(v));
    e = X(first_error)(e, coarse_cycle(p, kind, v + 1, trans));
    e = X(first_error)(e, prolong(v, x, add || pre > 0, last && post == 0, trans));
    return X(first_error)(e, smooth(v, post, x, true, last, trans));
}

/* --- cycles K and KCG ----------------------------------------------------------------------------------- */

/* a / b, or 0 if that is not finite. */
static T finite_ratio(T a, T b)
{
    const T q = X(quotient)(a, b);
    return isfinite(ABS(q)) ? q : 0;
}

/* The factor of c1 for column j after one step; return whether the residual is not 4 times smaller now. */
static bool one_step(int k, int j, T *c)
{
    const T t = finite_ratio(c[L1_R * k + j], c[L1_V1 * k + j]);
    const double was = (double)RE(c[R_R * k + j]), size = (double)ABS(t);
    const double now = was - 2 * (double)RE(t * CONJ(c[V1_R * k + j])) +
                       size * size * (double)RE(c[V1_V1 * k + j]);
    c[BY_1 * k + j] = t;
    c[BY_2 * k + j] = -t;
    return !(now <= was / 16);
}

/* The factors of c1 and c2 after two steps; the second direction is c2 less its part along c1. */
static void two_steps(int k, int j, T *c)
{
    const T along = finite_ratio(c[L1_V2 * k + j], c[L1_V1 * k + j]), whole = c[L2_V2 * k + j];
    const T rest = whole - CONJ(c[L1_V2 * k + j]) * along;
    const bool new = ABS(rest) > 100 * EPS *ABS(whole);
    c[BY_2 * k + j] = new ? finite_ratio(c[L2_R * k + j], rest) : 0;
    c[BY_1 * k + j] -= c[BY_2 * k + j] * along;
}

/* c2 and v2 for the residual r; then x = the best sum of c1, which x is before, and c2. */
static psb_err second_step(const struct X(prec) *p, const struct amg_level *v, char trans)
{
    const enum psb_cycle kind = p->options.cycle;
    const int k = v->x->ncols;
    struct X(vect) *r = v->k[0], *v1 = v->k[1], *c2 = v->k[2], *v2 = v->k[3];
    struct X(vect) *l1 = kind == PSB_CYCLE_K ? v1 : v->x, *l2 = kind == PSB_CYCLE_K ? v2 : c2;
    psb_err e = X(geaxpby)(1, r, 0, v->r);
    e = X(first_error)(e, cycle(p, kind, v, c2, false, true, trans));
    e = X(first_error)(e, X(spmv)(1, v->a, c2, 0, v2, trans));
    PSB_TRY(X(gedots)(3, (struct X(vect) *[]){ l1, l2, l2 }, (struct X(vect) *[]){ v2, v2, r },
                      v->dots + L1_V2 * k));
    for (int j = 0; j < k; j++)
        two_steps(k, j, v->dots);
    return X(first_error)(e, X(geaxpby_cols)(v->dots + BY_2 * k, c2, v->dots + BY_1 * k, v->x));
}

/* x = what one or two steps compute for op(A) x = r, with l1 = v1 for GCR, which makes the residual small,
 * and c1 for CG.  Source: Notay and Vassilevski, algorithm 3.2. */
static psb_err krylov_cycle(const struct X(prec) *p, const struct amg_level *v, char trans)
{
    const enum psb_cycle kind = p->options.cycle;
    const int k = v->x->ncols;
    struct X(vect) *r = v->k[0], *v1 = v->k[1], *l1 = kind == PSB_CYCLE_K ? v1 : v->x;
    bool again = false;
    psb_err e = X(geaxpby)(1, v->r, 0, r);
    e = X(first_error)(e, cycle(p, kind, v, v->x, false, true, trans));
    e = X(first_error)(e, X(spmv)(1, v->a, v->x, 0, v1, trans));
    PSB_TRY(X(gedots)(5, (struct X(vect) *[]){ r, l1, l1, v1, v1 }, (struct X(vect) *[]){ r, v1, r, v1, r },
                      v->dots));
    for (int j = 0; j < k; j++)
        again |= one_step(k, j, v->dots);
    if (!again)
        return X(first_error)(e, X(gescal_cols)(v->dots + BY_1 * k, v->x));
    for (int j = 0; j < k; j++)
        v->dots[V1_R * k + j] = 1;
    e = X(first_error)(e, X(geaxpby_cols)(v->dots + BY_2 * k, v1, v->dots + V1_R * k, r));
    return X(first_error)(e, second_step(p, v, trans));
}

/* --- kinds ---------------------------------------------------------------------------------------------- */

/* x = what the kind of cycle computes on a coarser level; exactly solved, the second of two cycles adds
 * nothing.  The cycles of F, one after the other, change places for op C. */
static psb_err coarse_cycle(const struct X(prec) *p, enum psb_cycle kind, const struct amg_level *v,
                            char trans)
{
    const bool forward = trans == 'N' || kind == PSB_CYCLE_W;
    if (v->inverse || kind == PSB_CYCLE_V)
        return cycle(p, kind, v, v->x, false, true, trans);
    if (kind == PSB_CYCLE_K || kind == PSB_CYCLE_KCG)
        return v->p ? krylov_cycle(p, v, trans) : cycle(p, kind, v, v->x, false, true, trans);
    const enum psb_cycle other = kind == PSB_CYCLE_F ? PSB_CYCLE_V : kind;
    const psb_err e = cycle(p, forward ? kind : other, v, v->x, false, false, trans);
    return X(first_error)(e, cycle(p, forward ? other : kind, v, v->x, true, true, trans));
}

/* x = the sum over this level and the coarser ones. */
static psb_err sum_levels(const struct amg_level *v, struct X(vect) *x, char trans)
{
    if (v->inverse)
        return solve_coarsest(v, x, trans);
    psb_err e = X(precapply)(v->smoother, v->r, x, trans);
    if (!v->p)
        return e;
    e = X(first_error)(e, restrict_residual(v));
    e = X(first_error)(e, sum_levels(v + 1, v[1].x, trans));
    return X(first_error)(e, prolong(v, x, true, true, trans));
}

psb_err X(amg_cycle)(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    const struct amg *q = p->data;
    const psb_err e = X(geaxpby)(1, x, 0, q->level->r);
    if (p->options.cycle == PSB_CYCLE_ADD)
        return PSB_PASS(X(first_error)(e, sum_levels(q->level, y, trans)));
    return PSB_PASS(X(first_error)(e, cycle(p, p->options.cycle, q->level, y, false, true, trans)));
}
