/* hpcg_run.c -- tools: multigrid and CG of the HPCG benchmark, and the phases of a run. */
#include "config.h"
#include "hpcg.h"
#include "coll.h"
#include "psb_cuda.h"
#include "say.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* --- multigrid --- */

/* A process that fails goes on through the same calls, so that the others do not wait for it, until the next
 * reduction returns the error on all. */

/* w[l+1].r = the residual of x at the points of the coarser grid. */
static psb_err restrict_residual(const struct hpcg_level *v, const struct X(vect) *r, const struct X(vect) *x)
{
    psb_err e;
    if (v->fused) {
        e = X(spmv_opt)(1, v->inject, r, 0, v[1].r, 'N', 0);
        return X(first_error)(e, X(spmv)(-1, v->fused, x, 1, v[1].r, 'N'));
    }
    e = X(vect_copy)(r, v->w);
    e = X(first_error)(e, X(spmv)(-1, v->a, x, 1, v->w, 'N'));
    return X(first_error)(e, X(spmv_opt)(1, v->inject, v->w, 0, v[1].r, 'N', 0));
}

/* x = the V-cycle for r, from x = 0. */
static psb_err cycle(const struct hpcg_level *v, const struct X(vect) *r, struct X(vect) *x)
{
    psb_err e = X(precapply)(v->smooth, r, x, 'N');
    if (!v->inject)
        return e;
    e = X(first_error)(e, restrict_residual(v, r, x));
    e = X(first_error)(e, cycle(v + 1, v[1].r, v[1].x));
    e = X(first_error)(e, X(spmv_opt)(1, v->inject, v[1].x, 1, x, 'T', 0));
    return X(first_error)(e, X(prec_smooth)(v->smooth, PSB_SWEEP_SYMMETRIC, 1, r, x));
}

/* *d = x y; e: an earlier error of this process. */
static psb_err dot(const struct hpcg_problem *q, struct X(vect) *x, struct X(vect) *y, psb_err e, double *d)
{
    PSB_THEN(e, X(gedots_local)(1, &x, &y, d));
    return psb_reduce_in_time(q->task->ctxt, PSB_SUM, PSB_KIND_OF(d), 1, d, e);
}

/* --- CG --- */

/* Keep the first error of this process until the next reduction. */
static void note(struct hpcg_cg *c, psb_err e)
{
    c->err = X(first_error)(c->err, e);
}

/* Add the time since *from to that of kind k; *from = now. */
static void take_time(struct hpcg_cg *c, int k, double *from)
{
    note(c, psb_cuda_DeviceSync());
    const double now = psb_wtime();
    c->seconds[k] += now - *from;
    *from = now;
}

/* z = M r, *rtz = r z, p = z + rtz / (rtz before) p; first: p = z. */
static psb_err new_direction(struct hpcg_problem *q, struct hpcg_cg *c, bool first, double *rtz, double *from)
{
    const double before = *rtz;
    note(c, c->plain ? X(vect_copy)(q->r, q->z) : cycle(q->level, q->r, q->z));
    take_time(c, TIME_CYCLE, from);
    PSB_TRY(dot(q, q->r, q->z, c->err, rtz));
    take_time(c, TIME_DOT, from);
    note(c, X(geaxpby)(1, q->z, first ? 0 : *rtz / before, q->p));
    take_time(c, TIME_SUM, from);
    return PSB_OK;
}

/* x = x + alpha p, r = r - alpha A p, *norm = |r|; the dot products are made with the product and the sum. */
static psb_err step(struct hpcg_problem *q, struct hpcg_cg *c, double rtz, double *norm, double *from)
{
    struct X(epilogue) e = { .ndots = 1, .dot[0] = { q->p, q->ap } };
    double pap, rr;
    PSB_TRY(X(spmv_fused)(1, q->level->a, q->p, 0, q->ap, 'N', &e, &pap));
    take_time(c, TIME_PRODUCT, from);
    note(c, X(geaxpby)(rtz / pap, q->p, 1, q->x));
    e = (struct X(epilogue)){
        .gamma = -rtz / pap, .delta = 1, .z = q->r, .ndots = 1, .dot[0] = { q->r, q->r }
    };
    PSB_TRY(X(gefused)(q->ap, &e, &rr));
    *norm = sqrt(rr);
    take_time(c, TIME_SUM, from);
    return PSB_OK;
}

/* CG for b from x = 0. */
static psb_err solve_cg(struct hpcg_problem *q, struct hpcg_cg *c)
{
    double begun, from, norm, first, rtz = 0;
    c->iterations = 0;
    note(c, X(vect_zero)(q->x));
    note(c, psb_cuda_DeviceSync());
    begun = from = psb_wtime();
    note(c, X(vect_copy)(q->x, q->p));
    note(c, X(spmv)(1, q->level->a, q->p, 0, q->ap, 'N'));
    take_time(c, TIME_PRODUCT, &from);
    note(c, X(geaxpbyz)(1, q->b, -1, q->ap, q->r));
    take_time(c, TIME_SUM, &from);
    PSB_TRY(dot(q, q->r, q->r, c->err, &first));
    take_time(c, TIME_DOT, &from);
    first = norm = sqrt(first);
    while (c->iterations < c->most && norm / first > c->tolerance * (1 + 1e-6)) {
        PSB_TRY(new_direction(q, c, c->iterations++ == 0, &rtz, &from));
        PSB_TRY(step(q, c, rtz, &norm, &from));
    }
    c->residual = norm / first;
    take_time(c, TIME_ALL, &begun);
    return psb_agree(q->task->ctxt, c->err);
}

/* --- tests --- */

static psb_err test_cg(struct hpcg_problem *q, struct hpcg_results *r)
{
    PSB_TRY(hpcg_enlarge(q, false));
    for (int k = 0; k < 4; k++) {
        struct hpcg_cg c = { .most = REFERENCE_ITERATIONS, .tolerance = 1e-12, .plain = k < 2 };
        PSB_TRY(solve_cg(q, &c));
        r->cg_most[k / 2] = c.iterations > r->cg_most[k / 2] ? c.iterations : r->cg_most[k / 2];
    }
    return hpcg_enlarge(q, true);
}

/* *yMx = y' M x, where M is A or the cycle. */
static psb_err bilinear(struct hpcg_problem *q, bool by_cycle, struct X(vect) *y, struct X(vect) *x,
                        double *yMx)
{
    const psb_err e = by_cycle ? cycle(q->level, x, q->z) : X(spmv)(1, q->level->a, x, 0, q->z, 'N');
    return dot(q, y, q->z, e, yMx);
}

static psb_err test_symmetry(struct hpcg_problem *q, struct hpcg_results *r)
{
    const double norm_of_a = 2 * 26.0;
    double xx, yy, xMy, yMx;
    PSB_TRY(psb_agree(q->task->ctxt, X(set_random)(q->x, 0)));
    PSB_TRY(psb_agree(q->task->ctxt, X(set_random)(q->p, r->rows[0])));
    PSB_TRY(X(gedot)(q->x, q->x, &xx));
    PSB_TRY(X(gedot)(q->p, q->p, &yy));
    for (int k = 0; k < 2; k++) {
        PSB_TRY(bilinear(q, k == 1, q->x, q->p, &xMy));
        PSB_TRY(bilinear(q, k == 1, q->p, q->x, &yMx));
        r->asymmetry[k] = fabs(xMy - yMx) / (2 * xx * norm_of_a * yy * DBL_EPSILON);
    }
    return PSB_OK;
}

/* --- phases --- */

/* *seconds = the time since `begun` on the slowest process. */
static psb_err time_since(psb_ctxt *ctxt, double begun, double *seconds)
{
    PSB_TRY(psb_agree(ctxt, psb_cuda_DeviceSync()));
    *seconds = psb_wtime() - begun;
    return psb_max(ctxt, 1, seconds, -1);
}

static psb_err call_reference(struct hpcg_problem *q, struct hpcg_results *r)
{
    const int calls = q->task->seconds > 0 ? 10 : 1;
    struct hpcg_cg c = { .most = REFERENCE_ITERATIONS };
    PSB_TRY(psb_agree(q->task->ctxt, X(set_random)(q->z, 0)));
    const double begun = psb_wtime();
    psb_err e = PSB_OK;
    for (int k = 0; k < calls; k++) {
        e = X(first_error)(e, X(spmv)(1, q->level->a, q->z, 0, q->ap, 'N'));
        e = X(first_error)(e, cycle(q->level, q->ap, q->z));
    }
    PSB_TRY(psb_agree(q->task->ctxt, e));
    PSB_TRY(time_since(q->task->ctxt, begun, &r->ten_calls));
    r->ten_calls /= calls;
    PSB_TRY(solve_cg(q, &c));
    r->reference = c.residual;
    return PSB_OK;
}

static psb_err run_reference(const struct hpcg_problem *from, struct hpcg_results *r)
{
    struct hpcg_problem q;
    r->reference = from->task->reference;
    if (r->reference > 0)
        return PSB_OK;
    psb_err e = hpcg_reference(from, &q);
    PSB_THEN(e, call_reference(&q, r));
    hpcg_free(&q);
    return psb_agree(from->task->ctxt, e);
}

/* How many iterations are needed, and sets of so many for the time asked. */
static psb_err run_sets(struct hpcg_problem *q, struct hpcg_results *r)
{
    struct hpcg_cg c = { .most = MOST_ITERATIONS, .tolerance = r->reference };
    double first = 0, sum = 0, squares = 0;
    PSB_TRY(solve_cg(q, &c));
    r->reached = c.residual <= r->reference * (1 + 1e-6);
    r->needed = c.iterations > REFERENCE_ITERATIONS ? c.iterations : REFERENCE_ITERATIONS;
    PSB_TRY(psb_max(q->task->ctxt, 1, &c.seconds[TIME_ALL], -1));
    r->sets = (int)(q->task->seconds / c.seconds[TIME_ALL]) + 1;
    c = (struct hpcg_cg){ .most = r->needed };
    for (int k = 0; k < r->sets; k++) {
        say_progress("sets", (double)k / r->sets);
        PSB_TRY(solve_cg(q, &c));
        first = k == 0 ? c.residual : first;
        sum += c.residual - first;
        squares += (c.residual - first) * (c.residual - first);
    }
    r->mean = first + sum / r->sets;
    r->variance = squares / r->sets - sum / r->sets * (sum / r->sets);
    const double dot = c.seconds[TIME_DOT];
    double most[] = { dot, -dot };
    r->dot_mean = dot / q->task->np;
    PSB_TRY(psb_max(q->task->ctxt, 2, most, -1));
    PSB_TRY(psb_sum(q->task->ctxt, 1, &r->dot_mean, -1));
    r->dot_most = most[0];
    r->dot_least = -most[1];
    memcpy(r->seconds, c.seconds, sizeof c.seconds);
    return psb_max(q->task->ctxt, TIMES, r->seconds, -1);
}

/* bytes[l] = the bytes of level l. */
static psb_err weigh(const struct hpcg_problem *q, double bytes[LEVELS])
{
    for (int l = 0; l < LEVELS; l++)
        PSB_TRY(hpcg_bytes(q, l, &bytes[l]));
    return PSB_OK;
}

static psb_err run_optimised(struct hpcg_problem *q, struct hpcg_results *r)
{
    double bytes[LEVELS], all = 0;
    PSB_TRY(psb_barrier(q->task->ctxt));
    const double begun = psb_wtime();
    PSB_TRY(hpcg_optimise(q));
    PSB_TRY(time_since(q->task->ctxt, begun, &r->optimisation));
    PSB_TRY(test_cg(q, r));
    PSB_TRY(test_symmetry(q, r));
    PSB_TRY(run_sets(q, r));
    PSB_TRY(weigh(q, bytes));
    for (int l = 0; l < LEVELS; l++) {
        all += bytes[l] - r->bytes[l];
        r->diagonals |= strstr(X(sp_fmt)(q->level[l].a), "DIA") != NULL;
    }
    r->optimised_bytes = all > 0 ? all : 0;
    return psb_max(q->task->ctxt, 1, &r->diagonals, -1);
}

psb_err hpcg_run(const struct hpcg_task *t, struct hpcg_results *r)
{
    struct hpcg_problem q = { 0 };
    psb_err e = psb_barrier(t->ctxt);
    const double begun = psb_wtime();
    PSB_THEN(e, hpcg_generate(t, &q));
    PSB_THEN(e, time_since(t->ctxt, begun, &r->setup));
    for (int l = 0; l < LEVELS; l++) {
        r->rows[l] = q.level[l].rows;
        r->entries[l] = q.level[l].entries;
    }
    PSB_THEN(e, weigh(&q, r->bytes));
    PSB_THEN(e, run_reference(&q, r));
    PSB_THEN(e, run_optimised(&q, r));
    say_clear();
    hpcg_free(&q);
    return psb_agree(t->ctxt, e);
}
