/* prec_gs.c -- linsolve: multicoloured Gauss-Seidel and SSOR sweeps (Young, "Iterative solution of large
 * linear systems", 1971; Adams, Ortega, "A multi-color SOR method for parallel computation", 1982).
 *
 * The rows here are put in the order of their colours (colour_order.c), so that the rows of a colour are
 * consecutive.  They do not depend on each other: a step computes
 *
 *     x_c = (1 - omega) x_c + omega D_c^-1 (b_c - R_c x)
 *
 * where D is the diagonal and R_c has the other entries of the rows of colour c: a product, during which the
 * halo of x is exchanged, and an elementwise product, in one pass where the format can.  The sweeps are
 * linear in b, and their transpose is the steps backwards, each transposed: with y = b before, x = 0,
 *
 *     t = omega D_c^-T y_c,  x_c = x_c + t,  y_c = (1 - omega) y_c,  y = y - R_c^T t. */
#include "psb_linsolve.h"
#include "channel.h"
#include "psb_alloc.h"
#include <limits.h>
#include <string.h>
#include "psb_type.h"
#include "operator_inside.t.h"
#include "prec_inside.t.h"
#include "colour_order.t.h"

/* R_c for the columns owned here, and for the halo: row i of the latter is row bnd[i] of the colour.  For
 * symmetric sweeps with halo=once `own` has the columns of colours before c alone, and `after` the others. */
struct gs_rows {
    struct X(mat) *own, *after, *halo;
    struct psb_dual bnd, part; /* part: not used */
};

struct gs {
    struct psb_colour_order own;
    const struct psb_colour_order *order; /* own, or that in which the rows of the matrix are (as_is) */
    bool as_is;
    struct gs_rows *rows; /* of each colour */
    struct X(inverse_diagonal) diag;
    struct X(vect) *b, *x, *r, *s; /* for applications, on order->desc; s: see split_sweeps */
    struct psb_dual part;          /* products with halo columns */
};

static void free_gs(struct X(prec) *p)
{
    struct gs *q = p->data;
    for (int c = 0; q->rows && c < q->order->ncolours; c++) {
        X(mat_free)(q->rows[c].own);
        X(mat_free)(q->rows[c].after);
        X(mat_free)(q->rows[c].halo);
        psb_dual_free(&q->rows[c].bnd);
        psb_dual_free(&q->rows[c].part);
    }
    psb_free(q->rows);
    psb_dual_free(&q->part);
    X(inverse_diagonal_free)(&q->diag);
    X(gefree)(q->b);
    X(gefree)(q->x);
    X(gefree)(q->r);
    X(gefree)(q->s);
    psb_colour_order_free(&q->own);
    psb_free(q);
}

static size_t gs_bytes(const struct X(prec) *p)
{
    const struct gs *q = p->data;
    size_t sum = sizeof *q + psb_colour_order_bytes(&q->own) + q->part.bytes +
                 X(inverse_diagonal_bytes)(&q->diag) + X(vect_sizeof)(q->b) + X(vect_sizeof)(q->x) +
                 X(vect_sizeof)(q->r) + X(vect_sizeof)(q->s);
    for (int c = 0; c < q->order->ncolours; c++)
        sum += X(mat_bytes)(q->rows[c].own) + X(mat_bytes)(q->rows[c].after) + X(mat_bytes)(q->rows[c].halo) +
               q->rows[c].bnd.bytes;
    return sum;
}

static bool is_symmetric(const struct psb_prec_options *o)
{
    return o->type == PSB_PREC_SSOR || o->direction == PSB_SWEEP_SYMMETRIC;
}

/* Are the rows of a colour in two parts, for split_sweeps? */
static bool is_split(const struct psb_prec_options *o)
{
    return is_symmetric(o) && o->halo_once;
}

/* --- the rows of a colour ------------------------------------------------------------------------------- */

/* *b = a in the format of mold, or as the halo of a matrix is stored if that refuses. */
static psb_err convert_rows(const struct X(mat) *a, const struct X(mat) *mold, struct X(mat) **b)
{
    psb_expect_errors(1);
    const psb_err e = X(mat_convert)(a, mold, b);
    psb_expect_errors(0);
    return e == PSB_OK ? e : X(mat_convert_halo)(a, mold, NULL, b);
}

/* *b = the entries off the diagonal of the rows of colour c with low <= j - i <= high. */
static psb_err cut_rows(const struct X(prec) *p, const struct gs *q, int c, const struct X(mat) *all,
                        long low, long high, struct X(mat) **b)
{
    const struct psb_cut part = {
        { q->order->start[c], q->order->start[c + 1], 0, all->ncols }, low, high, 1, 1
    };
    struct X(mat) *rows = NULL;
    psb_err e = X(mat_cut)(all, &part, &rows);
    PSB_THEN(e, convert_rows(rows, p->mold, b));
    X(mat_free)(rows);
    return e;
}

/* The rows here, as struct ordered_rows; bnd may change. */
struct all_rows {
    const struct X(mat) *own, *halo;
    psb_ipk *bnd;
};

/* The rows of colour c; those of all->halo from *k on. */
static psb_err make_rows(const struct X(prec) *p, struct gs *q, int c, const struct all_rows *all, psb_ipk *k)
{
    const psb_ipk first = *k, begin = q->order->start[c];
    const bool split = is_split(&p->options);
    struct gs_rows *r = &q->rows[c];
    struct X(mat) *halo = NULL;
    for (; *k < all->halo->nrows && all->bnd[*k] < q->order->start[c + 1]; ++*k)
        all->bnd[*k] -= begin;
    const struct psb_cut part = { { first, *k, 0, all->halo->ncols }, LONG_MIN, LONG_MAX, 1, 0 };
    psb_err e = cut_rows(p, q, c, all->own, LONG_MIN, split ? -1 : LONG_MAX, &r->own);
    if (split)
        PSB_THEN(e, cut_rows(p, q, c, all->own, 1, LONG_MAX, &r->after));
    PSB_THEN(e, X(mat_cut)(all->halo, &part, &halo));
    PSB_THEN(e, X(mat_convert_halo)(halo, p->mold, NULL, &r->halo));
    PSB_THEN(e, X(sp_boundary)(r->halo->nrows, all->bnd + first, r->halo->on, &r->bnd, &r->part));
    X(mat_free)(halo);
    return e;
}

/* Set r for rows that are in order: r->own is the matrix of a in compressed rows if it is not yet. */
static psb_err take_rows(const struct X(spmat) *a, struct X(ordered_rows) *r)
{
    const psb_ipk *bnd;
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &bnd));
    PSB_TRY(psb_alloc(&r->bnd, (size_t)a->ah->nrows, sizeof *bnd, "boundary rows"));
    if (a->ah->nrows > 0)
        memcpy(r->bnd, bnd, (size_t)a->ah->nrows * sizeof *bnd);
    return X(compressed_there)(a->ad, &r->own);
}

static psb_err make_all_rows(const struct X(prec) *p, const struct X(spmat) *a, struct gs *q)
{
    struct X(ordered_rows) r = { 0 };
    psb_ipk k = 0;
    psb_err e = psb_alloc_zero(&q->rows, (size_t)q->order->ncolours, sizeof *q->rows, "rows of colours");
    PSB_THEN(e, q->as_is ? take_rows(a, &r) : X(order_rows)(a, q->order, &r));
    const struct all_rows all = { r.own ? r.own : a->ad, r.halo ? r.halo : a->ah, r.bnd };
    for (int c = 0; c < q->order->ncolours && e == PSB_OK; c++)
        e = make_rows(p, q, c, &all, &k);
    X(ordered_rows_free)(&r);
    return e;
}

/* --- building ------------------------------------------------------------------------------------------- */

/* p for vectors on q->order->desc. */
static struct X(prec) in_colours(const struct X(prec) *p, const struct gs *q)
{
    return (struct X(prec)){ .desc = q->order->desc, .where = p->where, .options = p->options };
}

static psb_err invert_diagonal(const struct X(prec) *p, const struct X(operator) *op, struct gs *q)
{
    struct X(inverse_diagonal) plain = { 0 };
    if (q->as_is)
        return X(inverse_diagonal_bld)(p, op, false, &q->diag);
    const struct X(prec) coloured = in_colours(p, q);
    psb_err e = X(inverse_diagonal_bld)(p, op, false, &plain);
    PSB_THEN(e, X(prec_vect)(&coloured, q->order->desc, 1, &q->diag.inv));
    if (e == PSB_OK)
        e = psb_agree(psb_cd_ctxt(q->order->desc), X(permute_rows)(&q->own.to, plain.inv, q->diag.inv));
    X(inverse_diagonal_free)(&plain);
    return e;
}

static psb_err build_gs(struct X(prec) *p, const struct X(operator) *op)
{
    psb_ctxt *ctxt = psb_cd_ctxt(p->desc);
    struct gs *q = NULL;
    psb_err e = X(prec_check_owners)(p);
    PSB_THEN(e, psb_alloc_zero(&q, 1, sizeof *q, "preconditioner"));
    p->data = q;
    e = psb_agree(ctxt, e);
    if (e == PSB_OK) {
        q->as_is = p->order;
        q->order = p->order ? p->order : &q->own;
    }
    if (!p->order)
        PSB_THEN(e, X(colour_order_bld)(op->a, &q->own));
    if (e == PSB_OK)
        e = psb_agree(ctxt, make_all_rows(p, op->a, q));
    return e == PSB_OK ? invert_diagonal(p, op, q) : e;
}

/* --- the steps ------------------------------------------------------------------------------------------ */

/* Half sweeps, each over all colours; `guess`: x is not 0 before the first. */
struct gs_plan {
    enum psb_sweep_direction direction;
    psb_lpk steps;
    int ncolours;
    bool once, guess;
    double omega;
};

/* skip: the colour was computed in the step before from the same x.  exchange: the halo, before the step. */
struct gs_step {
    int colour;
    bool skip, exchange;
};

static struct gs_plan plan_steps(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps,
                                 bool guess)
{
    const struct gs *q = p->data;
    const psb_lpk halves = (psb_lpk)(sweeps > 0 ? sweeps : 1) * (direction == PSB_SWEEP_SYMMETRIC ? 2 : 1);
    return (struct gs_plan){ .direction = direction,
                             .steps = halves * q->order->ncolours,
                             .ncolours = q->order->ncolours,
                             .once = p->options.halo_once,
                             .guess = guess,
                             .omega = p->options.omega };
}

static struct gs_plan plan_of(const struct X(prec) *p)
{
    return plan_steps(p, is_symmetric(&p->options) ? PSB_SWEEP_SYMMETRIC : p->options.direction,
                      p->options.sweeps, false);
}

static struct gs_step step_at(const struct gs_plan *o, psb_lpk t)
{
    const int i = (int)(t % o->ncolours);
    const psb_lpk half = t / o->ncolours;
    const bool symmetric = o->direction == PSB_SWEEP_SYMMETRIC, back = symmetric && half % 2 == 1;
    return (struct gs_step){
        .colour = back || o->direction == PSB_SWEEP_BACKWARD ? o->ncolours - 1 - i : i,
        .skip = symmetric && i == 0 && half > 0 && o->omega == 1 && (back || !o->once),
        .exchange = (!o->once || (i == 0 && !back)) && (t > 0 || o->guess),
    };
}

/* One run of the steps, for k columns, on side s: arrays of vectors on q->order->desc. */
struct gs_run {
    struct gs *q;
    struct gs_plan plan;
    struct X(vect) *vb, *vx; /* of b, x */
    bool fresh;              /* x is written before it is read */
    enum psb_side s;
    const struct X(vec_ops) *ops;
    int k;
    char trans;
    const T *d;
    T *b, *x, *r, *part;
    size_t halo; /* where it begins */
};

/* Open the arrays; b may change if it is not the caller's. */
static psb_err open_run(struct gs_run *j, const struct X(vect) *d)
{
    struct gs *q = j->q;
    psb_ipk most = 0;
    j->s = q->order->ncolours > 0 ? X(mat_side)(q->rows[0].own, j->trans, j->vx, q->r) : PSB_HOST;
    j->ops = X(vec)(j->s, j->vx->v.on);
    j->halo = (size_t)psb_cd_local_rows(q->order->desc) * (size_t)j->k;
    for (int c = 0; c < q->order->ncolours; c++)
        most = q->rows[c].halo->nrows > most ? q->rows[c].halo->nrows : most;
    if (q->part.bytes < (size_t)most * (size_t)j->k * sizeof(T) || q->part.on != j->vx->v.on) {
        psb_dual_free(&q->part);
        PSB_TRY(
            psb_dual_init(&q->part, (size_t)most * (size_t)j->k, sizeof(T), j->vx->v.on, "boundary product"));
    }
    PSB_TRY(psb_dual_write(&q->part, j->s, &j->part));
    PSB_TRY(psb_dual_read(&d->v, j->s, &j->d));
    PSB_TRY(j->vb == q->b ? X(vect_open)(q->b, j->s, 0, &j->b)
                          : psb_dual_read(&j->vb->v, j->s, (const T **)&j->b));
    PSB_TRY(X(vect_open)(j->vx, j->s, j->fresh, &j->x));
    return X(vect_open)(q->r, j->s, 1, &j->r);
}

/* The place of colour c in the arrays; *n = its elements. */
static size_t place_of_colour(const struct gs_run *j, int c, psb_epk *n)
{
    const psb_ipk *start = &j->q->order->start[c];
    *n = (psb_epk)(start[1] - start[0]) * j->k;
    return (size_t)start[0] * (size_t)j->k;
}

/* x_c = omega d_c y_c + (1 - omega) x_c */
static psb_err update_colour(const struct gs_run *j, int c, const T *y)
{
    const R omega = (R)j->plan.omega;
    psb_epk n;
    const size_t at = place_of_colour(j, c, &n);
    return j->ops->mlt(n, omega, j->d + at, y + at, 1 - omega, j->x + at);
}

/* y_c = f_c - a x, where a has rows of colour c; then, with `update`, update_colour.  f may be y.  After an
 * update r_c, as y, is undefined. */
static psb_err sweep_colour(const struct gs_run *j, int c, const struct X(mat) *a, const T *f, T *y,
                            bool update)
{
    psb_epk n;
    const size_t at = place_of_colour(j, c, &n);
    const bool fused = j->s == PSB_DEV && j->k == 1 && a->nnz > 0 && (!update || j->plan.omega == 1);
    if (fused) {
        const struct X(vec_epilogue) t = { .from = f == y ? NULL : f + at,
                                           .d = j->d + at,
                                           .u = update ? j->x + at : NULL,
                                           .drop = update && y == j->r };
        return X(mat_mv_fused)(-1, a, j->x, 1, y + at, &t, NULL);
    }
    psb_err e = f == y ? PSB_OK : j->ops->axpby(n, 1, f + at, 0, y + at);
    PSB_THEN(e, X(mat_mm_on)(j->s, -1, a, j->k, j->x, 1, y + at, 'N'));
    return e == PSB_OK && update ? update_colour(j, c, y) : e;
}

/* y_c = b_c - own x - (halo) during the exchange of the halo of x, if there is one, of rows `own` of
 * colour c.  err: an earlier error of this process. */
static psb_err colour_residual(const struct gs_run *j, int c, bool exchange, T *y, psb_err err)
{
    const struct gs_rows *p = &j->q->rows[c];
    const psb_ipk *bnd;
    psb_epk n;
    const size_t at = place_of_colour(j, c, &n);
    psb_err e = exchange ? X(halo_begin)(j->vx, j->s, 'N', err) : err;
    const bool begun = exchange && e == PSB_OK;
    PSB_THEN(e, sweep_colour(j, c, p->own, j->b, y, false));
    if (begun) {
        const psb_err f = X(halo_finish)(j->vx, NULL, NULL);
        e = X(first_error)(e, f);
    }
    PSB_THEN(e, psb_dual_read(&p->bnd, j->s, &bnd));
    PSB_THEN(e, X(mat_mm_add)(j->s, -1, p->halo, j->k, j->x + j->halo, NULL, bnd, y + at, j->part));
    return e;
}

/* The steps, from x. */
static psb_err sweep_forth(const struct gs_run *j, psb_err e)
{
    for (psb_lpk t = 0; t < j->plan.steps; t++) {
        const struct gs_step step = step_at(&j->plan, t);
        if (step.skip)
            continue;
        const struct gs_rows *rows = &j->q->rows[step.colour];
        if (t == 0 && !j->plan.guess) {
            PSB_THEN(e, update_colour(j, step.colour, j->b));
        } else if (rows->halo->nnz == 0 && !rows->after && !step.exchange) {
            PSB_THEN(e, sweep_colour(j, step.colour, rows->own, j->b, j->r, true));
        } else {
            e = colour_residual(j, step.colour, step.exchange, j->r, e);
            PSB_THEN(e, rows->after ? sweep_colour(j, step.colour, rows->after, j->r, j->r, true)
                                    : update_colour(j, step.colour, j->r));
        }
    }
    return e;
}

/* The same for symmetric sweeps with halo=once.  With L and U for the parts of the rows before and after the
 * colours, s = b - (halo) - L x is computed upwards, where x_c = (1 - omega) x_c + omega D^-1 (s - U x), and
 * kept for the sweep downwards, which so reads U alone; its first colour has no U, and with omega = 1 is as
 * it was.  From x = 0 the sweep upwards reads L alone. */
static psb_err split_sweeps(const struct gs_run *j, T *s, psb_err e)
{
    for (psb_lpk t = 0; t < j->plan.steps; t++) {
        const struct gs_step step = step_at(&j->plan, t);
        const struct gs_rows *rows = &j->q->rows[step.colour];
        const bool down = t / j->plan.ncolours % 2 == 1, guess = t >= 2 * j->plan.ncolours || j->plan.guess;
        if (down && step.skip)
            continue;
        if (!down && guess)
            e = colour_residual(j, step.colour, step.exchange, s, e);
        if (down || guess)
            PSB_THEN(e, sweep_colour(j, step.colour, rows->after, s, j->r, true));
        else
            PSB_THEN(e, sweep_colour(j, step.colour, rows->own, j->b, s, true));
    }
    return e;
}

/* The transpose of a step: t, in r, is added to x, and b, y above, changes; `fresh`: the halo of b has no
 * sums yet. */
static psb_err transposed_step(const struct gs_run *j, int c, bool fresh)
{
    const R omega = (R)j->plan.omega;
    const struct gs_rows *p = &j->q->rows[c];
    const size_t at = (size_t)j->q->order->start[c] * (size_t)j->k;
    const psb_epk n = (psb_epk)(j->q->order->start[c + 1] - j->q->order->start[c]) * j->k;
    const psb_ipk *bnd;
    PSB_TRY(psb_dual_read(&p->bnd, j->s, &bnd));
    PSB_TRY(j->ops->mlt(n, omega, j->d + at, j->b + at, 0, j->r + at));
    PSB_TRY(j->ops->axpby(n, 1, j->r + at, 1, j->x + at));
    PSB_TRY(j->ops->axpby(n, 0, j->r + at, 1 - omega, j->b + at));
    PSB_TRY(X(mat_mm_on)(j->s, -1, p->own, j->k, j->r + at, 1, j->b, j->trans));
    if (p->after)
        PSB_TRY(X(mat_mm_on)(j->s, -1, p->after, j->k, j->r + at, 1, j->b, j->trans));
    PSB_TRY(j->ops->gth(p->halo->nrows, bnd, j->k, j->r + at, j->part));
    return X(mat_mm_on)(j->s, -1, p->halo, j->k, j->part, fresh ? 0 : 1, j->b + j->halo, j->trans);
}

/* The transpose of sweep_forth from x = 0. */
static psb_err sweep_back(const struct gs_run *j, psb_err e)
{
    bool fresh = true;
    for (psb_lpk t = j->plan.steps - 1; t >= 0; t--) {
        const struct gs_step step = step_at(&j->plan, t);
        if (step.skip)
            continue;
        PSB_THEN(e, transposed_step(j, step.colour, fresh));
        fresh = step.exchange;
        if (!step.exchange)
            continue;
        e = X(halo_begin)(j->q->b, j->s, 'T', e);
        PSB_THEN(e, X(halo_finish)(j->q->b, NULL, NULL));
    }
    return e;
}

/* --- application ---------------------------------------------------------------------------------------- */

/* Are b and x used as they are?  Transposed sweeps change b. */
static bool uses_arguments(const struct gs *q, char trans)
{
    return q->as_is && trans == 'N';
}

/* to = from in the order of the sweeps, or, if `back`, in that of the matrix. */
static psb_err reorder(struct gs *q, bool back, const struct X(vect) *from, struct X(vect) *to)
{
    return q->as_is ? X(vect_copy)(from, to) : X(permute_rows)(back ? &q->own.from : &q->own.to, from, to);
}

/* x = the result of the steps for b, from x if there is a guess, else from 0. */
static psb_err run_sweeps(const struct X(prec) *p, const struct gs_plan *plan, const struct X(vect) *b,
                          struct X(vect) *x, char trans)
{
    struct gs *q = p->data;
    psb_desc *const desc = q->order->desc;
    const struct X(prec) coloured = in_colours(p, q);
    struct gs_run j = { .q = q, .plan = *plan, .k = b->ncols, .trans = trans };
    const bool split = trans == 'N' && plan->direction == PSB_SWEEP_SYMMETRIC && is_split(&p->options);
    const bool direct = uses_arguments(q, trans);
    struct X(vect) *d;
    T *s = NULL;
    if (!direct) {
        PSB_TRY(X(prec_work)(p, desc, j.k, &q->b));
        PSB_TRY(X(prec_work)(p, desc, j.k, &q->x));
    }
    PSB_TRY(X(prec_work)(p, desc, j.k, &q->r));
    if (split)
        PSB_TRY(X(prec_work)(p, desc, j.k, &q->s));
    PSB_TRY(X(inverse_diagonal_columns)(&coloured, &q->diag, j.k, trans, &d));
    j.vb = direct ? (struct X(vect) *)b : q->b;
    j.vx = direct ? x : q->x;
    psb_err e = direct ? PSB_OK : reorder(q, false, b, q->b);
    j.fresh = split && !plan->guess && plan->omega == 1;
    if (!plan->guess && !j.fresh)
        PSB_THEN(e, X(vect_zero)(j.vx));
    else if (plan->guess && !direct)
        PSB_THEN(e, reorder(q, false, x, q->x));
    PSB_THEN(e, open_run(&j, d));
    if (split)
        PSB_THEN(e, X(vect_open)(q->s, j.s, 1, &s));
    e = split ? split_sweeps(&j, s, e) : trans == 'N' ? sweep_forth(&j, e) : sweep_back(&j, e);
    return e == PSB_OK && !direct ? reorder(q, true, q->x, x) : e;
}

static psb_err apply_gs(const struct X(prec) *p, const struct X(vect) *x, struct X(vect) *y, char trans)
{
    const struct gs_plan plan = plan_of(p);
    return run_sweeps(p, &plan, x, y, trans);
}

static psb_err smooth_gs(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps,
                         const struct X(vect) *b, struct X(vect) *x)
{
    const struct gs_plan plan = plan_steps(p, direction, sweeps, true);
    return run_sweeps(p, &plan, b, x, 'N');
}

psb_err X(prec_smooth)(const struct X(prec) *p, enum psb_sweep_direction direction, int sweeps,
                       const struct X(vect) *b, struct X(vect) *x)
{
    return PSB_PASS(p->ops->smooth(p, direction, sweeps, b, x));
}

static void decline_gs(const struct X(prec) *p, int k, char trans, psb_err e)
{
    const struct gs *q = p->data;
    const struct X(prec) coloured = in_colours(p, q);
    const struct gs_plan plan = plan_of(p);
    if ((!uses_arguments(q, trans) &&
         (X(prec_decline_work)(p, k, q->b, e) || X(prec_decline_work)(p, k, q->x, e))) ||
        X(prec_decline_work)(p, k, q->r, e) ||
        (trans == 'N' && is_split(&p->options) && X(prec_decline_work)(p, k, q->s, e)) ||
        X(inverse_diagonal_decline)(&coloured, &q->diag, k, trans, e))
        return;
    for (psb_lpk t = 0; t < plan.steps; t++) {
        const struct gs_step step = step_at(&plan, t);
        if (step.exchange && !step.skip)
            X(halo_refuse)(q->order->desc);
    }
}

static void settle_gs(const struct X(prec) *p)
{
    const struct gs *q = p->data;
    psb_channel_settle(psb_desc_halo(q->order->desc)->channel);
}

const struct X(prec_ops) X(prec_gs) = { .build = build_gs,
                                        .apply = apply_gs,
                                        .smooth = smooth_gs,
                                        .decline = decline_gs,
                                        .settle = settle_gs,
                                        .bytes = gs_bytes,
                                        .free = free_gs,
                                        .entries = true };
