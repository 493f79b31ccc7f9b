/* prec_amg.c -- linsolve: algebraic multigrid.  Each level has the matrix P^H A P of the level before, whose
 * prolongator P is made in amg_aggregate.c; the coarsest is solved by its dense inverse (amg_inverse.c).
 *
 * A cycle is: smooth, restrict the residual by P^H, cycle once (V) or twice (W) on the next level, prolong,
 * smooth.  For Hermitian A and a Hermitian smoother the preconditioner is Hermitian.  Source: Trottenberg,
 * Oosterlee, Schueller, "Multigrid", 2001, section 2.4 and appendix A. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include <inttypes.h>
#include <stdio.h>
#include "psb_type.h"
#include "amg.t.h"

struct amg_level {
    const struct X(spmat) *a;
    struct X(spmat) *made;    /* a, but on the finest level */
    struct X(prec) *smoother; /* NULL: solved by the inverse */
    struct X(spmat) *inverse;
    struct X(spmat) *p;        /* from the next level; NULL on the last */
    struct X(vect) *b;         /* on a's columns, but on the finest level: right-hand side */
    struct X(vect) *x, *r, *z; /* there, too: solution, residual, what is added to x */
    struct X(vect) *c;         /* on p's columns: the restricted residual, then what is prolonged */
    struct X(vect) *w;         /* on the inverse's columns */
};

struct amg {
    int n;
    struct amg_level *level;
    struct X(amg_modes) modes; /* of the level that is coarsened, while they are made */
};

static void free_amg(struct X(prec) *p)
{
    struct amg *q = p->data;
    for (struct amg_level *v = q->level; v && v < q->level + p->options.levels; v++) {
        struct X(vect) *const all[] = { v->b, v->x, v->r, v->z, v->c, v->w };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            X(gefree)(all[i]);
        X(precfree)(v->smoother);
        X(spfree)(v->inverse);
        X(spfree)(v->p);
        X(spfree)(v->made);
    }
    X(amg_modes_free)(&q->modes);
    psb_free(q->level);
    psb_free(q);
}

static size_t amg_bytes(const struct X(prec) *p)
{
    const struct amg *q = p->data;
    size_t sum = sizeof *q;
    for (const struct amg_level *v = q->level; v < q->level + q->n; v++)
        sum += sizeof *v + X(sp_bytes)(v->made) + X(prec_bytes)(v->smoother) + X(sp_bytes)(v->inverse) +
               X(sp_bytes)(v->p) + X(vect_sizeof)(v->b) + X(vect_sizeof)(v->x) + X(vect_sizeof)(v->r) +
               X(vect_sizeof)(v->z) + X(vect_sizeof)(v->c) + X(vect_sizeof)(v->w);
    return sum;
}

static void settle_amg(const struct X(prec) *p)
{
    const struct amg *q = p->data;
    for (const struct amg_level *v = q->level; v < q->level + q->n; v++) {
        X(spmv_settle)(v->inverse ? v->inverse : v->a);
        if (v->smoother)
            X(prec_settle)(v->smoother);
        if (v->p)
            X(spmv_settle)(v->p);
    }
}

/* --- building ------------------------------------------------------------------------------------------- */

/* Convert a, which is in CSR, to the format of p's matrices or, if that refuses, to that of halos. */
static psb_err place_matrix(const struct X(prec) *p, struct X(spmat) *a)
{
    psb_expect_errors(1);
    const psb_err e = X(spcnv)(a, p->mold);
    psb_expect_errors(0);
    return e == PSB_OK ? e : X(spcnv)(a, X(mat_halo_mold)(p->mold));
}

/* Build *m, a preconditioner by text, for a. */
static psb_err build_part(const struct X(prec) *p, const char *text, const struct X(spmat) *a,
                          struct X(prec) **m)
{
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), X(precinit)(m, text)));
    return X(precbld)(*m, a, p->asked, &p->where);
}

/* *most = the largest eigenvalue of D^-1 A, from the smoother if that has computed it. */
static psb_err largest_of(const struct X(prec) *p, const struct amg_level *v, double *most)
{
    struct X(prec) *chebyshev = NULL;
    *most = X(prec_largest)(v->smoother);
    if (*most > 0)
        return PSB_OK;
    const psb_err e = build_part(p, "chebyshev(degree=0)", v->a, &chebyshev);
    if (e == PSB_OK)
        *most = X(prec_largest)(chebyshev);
    X(precfree)(chebyshev);
    return e;
}

/* Make level v[1] of v[0], if it has few enough rows; else v[0] is the last. */
static psb_err coarsen(const struct X(prec) *p, struct amg_level *v, double theta, struct X(amg_modes) *modes)
{
    struct X(spmat) *prolongator;
    double most;
    PSB_TRY(largest_of(p, v, &most));
    const R omega = (R)(4 / (3 * most));
    PSB_TRY(modes->m > 0 ? X(amg_modes_prolongator)(v->a, theta, omega, modes, &prolongator)
                         : X(amg_prolongator)(v->a, theta, omega, &prolongator));
    const psb_lpk fine = psb_cd_global_rows(v->a->row), coarse = psb_cd_global_rows(prolongator->col);
    if (coarse == 0 || 8 * coarse > 7 * fine) {
        X(spfree)(prolongator);
        return PSB_OK;
    }
    v->p = prolongator;
    PSB_TRY(X(sprap)(NULL, v->a, v->p, NULL, &v[1].made));
    v[1].a = v[1].made;
    PSB_TRY(place_matrix(p, v[1].made));
    return place_matrix(p, v->p);
}

static psb_err build_level(const struct X(prec) *p, struct amg *q)
{
    struct amg_level *v = &q->level[q->n++];
    if (psb_cd_global_rows(v->a->row) <= p->options.coarse) {
        PSB_TRY(X(amg_inverse)(v->a, &v->inverse));
        return place_matrix(p, v->inverse);
    }
    PSB_TRY(build_part(p, p->options.smoother, v->a, &v->smoother));
    return q->n < p->options.levels ? coarsen(p, v, ldexp(p->options.theta, 1 - q->n), &q->modes) : PSB_OK;
}

static psb_err open_amg(struct X(prec) *p, const struct X(operator) *op)
{
    struct amg *q;
    PSB_TRY(X(prec_check_owners)(p));
    PSB_CHECK(op->a->col == p->desc, PSB_EARG,
              "argument a has its columns on another descriptor than its rows; expected the same one");
    PSB_TRY(psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    PSB_TRY(psb_alloc_zero(&q->level, (size_t)p->options.levels, sizeof *q->level, "levels"));
    q->level[0].a = op->a;
    return X(amg_modes_open)(p, &q->modes);
}

static psb_err build_amg(struct X(prec) *p, const struct X(operator) *op)
{
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), open_amg(p, op)));
    struct amg *q = p->data;
    do
        PSB_TRY(build_level(p, q));
    while (q->level[q->n - 1].p);
    X(amg_modes_free)(&q->modes);
    return PSB_OK;
}

static psb_err view_amg(const struct X(prec) *p, FILE *to)
{
    const struct amg *q = p->data;
    psb_epk nnz[PSB_MOST_LEVELS] = { 0 };
    double entries = 0, rows = 0;
    int me, np;
    psb_info(psb_cd_ctxt(p->desc), &me, &np);
    for (int l = 0; l < q->n; l++)
        PSB_TRY(X(nnz)(q->level[l].a, &nnz[l]));
    for (int l = 0; l < q->n; l++) {
        const psb_lpk n = psb_cd_global_rows(q->level[l].a->row);
        rows += (double)n;
        entries += (double)nnz[l];
        if (me == 0)
            fprintf(to, "    level %d: %" PRId64 " rows, %" PRId64 " entries, %s%s\n", l, n, nnz[l],
                    X(sp_fmt)(q->level[l].a), q->level[l].inverse ? ", solved by its inverse" : "");
    }
    if (me == 0)
        fprintf(to, "    complexity: %.3f of entries, %.3f of rows\n", entries / (double)(nnz[0] + !nnz[0]),
                rows / (double)(psb_cd_global_rows(p->desc) + !psb_cd_global_rows(p->desc)));
    return PSB_OK;
}

/* --- application ---------------------------------------------------------------------------------------- */

/* Vectors of k columns on all levels. */
static psb_err open_vectors(const struct X(prec) *p, struct amg *q, int k)
{
    for (struct amg_level *v = q->level; v < q->level + q->n; v++) {
        if (v->made)
            PSB_TRY(X(prec_work)(p, v->a->col, k, &v->b));
        PSB_TRY(X(prec_work)(p, v->a->col, k, &v->x));
        if (v->inverse) {
            PSB_TRY(X(prec_work)(p, v->inverse->col, k, &v->w));
            continue;
        }
        PSB_TRY(X(prec_work)(p, v->a->col, k, &v->r));
        PSB_TRY(X(prec_work)(p, v->a->col, k, &v->z));
        if (v->p)
            PSB_TRY(X(prec_work)(p, v->p->col, k, &v->c));
    }
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

/* r = b - op(A) x. */
static psb_err residual_of(const struct amg_level *v, const struct X(vect) *b, char trans)
{
    const psb_err e = X(geaxpby)(1, b, 0, v->r);
    return X(first_error)(e, X(spmv)(-1, v->a, v->x, 1, v->r, trans));
}

/* The sweeps of op(A) x = b from x, or from 0. */
static psb_err smooth(const struct X(prec) *p, const struct amg_level *v, const struct X(vect) *b,
                      bool from_zero, char trans)
{
    psb_err e = PSB_OK;
    for (int i = 0; i < (p->options.sweeps > 0 ? p->options.sweeps : 1); i++) {
        if (i == 0 && from_zero) {
            e = X(precapply)(v->smoother, b, v->x, trans);
            continue;
        }
        e = X(first_error)(e, residual_of(v, b, trans));
        e = X(first_error)(e, X(precapply)(v->smoother, v->r, v->z, trans));
        e = X(first_error)(e, X(geaxpby)(1, v->z, 1, v->x));
    }
    return e;
}

/* x = op(A)^-1 b on the coarsest level. */
static psb_err solve_coarsest(const struct amg_level *v, const struct X(vect) *b, char trans)
{
    if (trans == 'N') {
        const psb_err e = copy_owned(b, v->w);
        return X(first_error)(e, X(spmv)(1, v->inverse, v->w, 0, v->x, 'N'));
    }
    const psb_err e = X(spmv)(1, v->inverse, b, 0, v->w, trans);
    return X(first_error)(e, copy_owned(v->w, v->x));
}

/* A cycle for op(A) x = b from x, or from 0; trans: N or C.  A process that fails goes on through the same
 * exchanges. */
static psb_err cycle(const struct X(prec) *p, const struct amg_level *v, const struct X(vect) *b,
                     bool from_zero, char trans)
{
    if (v->inverse)
        return solve_coarsest(v, b, trans);
    psb_err e = smooth(p, v, b, from_zero, trans);
    if (!v->p)
        return e;
    e = X(first_error)(e, residual_of(v, b, trans));
    e = X(first_error)(e, X(spmv)(1, v->p, v->r, 0, v->c, 'C'));
    e = X(first_error)(e, copy_owned(v->c, v[1].b));
    e = X(first_error)(e, cycle(p, v + 1, v[1].b, true, trans));
    if (p->options.cycle == PSB_CYCLE_W && v[1].p)
        e = X(first_error)(e, cycle(p, v + 1, v[1].b, false, trans));
    e = X(first_error)(e, copy_owned(v[1].x, v->c));
    e = X(first_error)(e, X(spmv)(1, v->p, v->c, 1, v->x, 'N'));
    return X(first_error)(e, smooth(p, v, b, false, trans));
}

static psb_err conjugate(struct X(vect) *x)
{
    T *v;
    PSB_TRY(X(host_update)(x, &v));
    for (size_t i = 0; i < (size_t)X(vect_owned)(x) * (size_t)x->ncols; i++)
        v[i] = CONJ(v[i]);
    return PSB_OK;
}

/* op T is the conjugate of op C of the conjugate.  One short reduction first: a process that cannot take part
 * (decline_amg) then stops all, and none waits in the exchanges of the levels. */
static psb_err apply_amg(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    struct amg *q = p->data;
    const bool turn = CPLX && trans == 'T';
    PSB_TRY(psb_agree(psb_cd_ctxt(p->desc), PSB_OK));
    PSB_TRY(open_vectors(p, q, x->ncols));
    psb_err e = turn ? X(geaxpby)(1, x, 0, y) : PSB_OK;
    if (turn)
        e = X(first_error)(e, conjugate(y));
    e = X(first_error)(e, cycle(p, q->level, turn ? y : x, true, trans == 'N' ? 'N' : 'C'));
    e = X(first_error)(e, X(geaxpby)(1, q->level[0].x, 0, y));
    return turn ? X(first_error)(e, conjugate(y)) : e;
}

static void decline_amg(const struct X(prec) *p, int k, char trans, psb_err e)
{
    (void)k, (void)trans;
    (void)!psb_agree(psb_cd_ctxt(p->desc), e);
}

const struct X(prec_ops) X(prec_amg) = { .build = build_amg,
                                         .apply = apply_amg,
                                         .decline = decline_amg,
                                         .settle = settle_amg,
                                         .bytes = amg_bytes,
                                         .view = view_amg,
                                         .free = free_amg,
                                         .entries = true };
