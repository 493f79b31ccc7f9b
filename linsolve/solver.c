/* solver.c -- linsolve: solvers that are kept, and psb_solve. */
#include "psb_linsolve.h"
#include "psb_alloc.h"
#include "base_inside.h"
#include <string.h>
#include "psb_type.h"
#include "krylov_inside.t.h"
#include "prec_inside.t.h"
#include "kr_device.t.h"

struct X(solver) {
    unsigned mark;  /* see psb_handle.h */
    psb_desc *desc; /* of the matrix: keeps the context */
    struct psb_solve_options o;
    struct X(operator) own; /* of a matrix; else kr.op is the caller's */
    struct X(prec) *p;      /* it, made here */
    struct X(prec) *used;   /* p, or the caller's */
    psb_epk nnz;            /* entries of the matrix here, when s was made */
    struct X(kr) kr;
};

/* --- creation and update -------------------------------------------------------------------------------- */

/* own: the operator is that of a matrix, and is copied. */
static psb_err open_solver(struct X(solver) **s, const struct X(operator) *op, bool own,
                           const struct X(prec) *p, const char *text)
{
    struct psb_solve_options o;
    struct X(solver) *new;
    PSB_NEED(s, "where to store the solver");
    PSB_TRY(psb_solve_parse(text, &o));
    if (p)
        PSB_NEED_HANDLE(p, "a preconditioner");
    PSB_TRY(X(operator_check)(op, false));
    PSB_TRY(psb_alloc_zero(&new, 1, sizeof *new, "solver"));
    *s = new;
    new->o = o;
    if (p)
        new->o.prec = p->options;
    new->own = *op;
    new->nnz = X(sp_nnz)(op->a);
    new->kr = (struct X(kr)){ .op = own ? &new->own : op, .o = &new->o, .ctxt = psb_cd_ctxt(op->desc) };
    PSB_TRY(psb_desc_hold(op->desc, own ? "a" : "op"));
    new->desc = op->desc;
    return p ? PSB_OK : X(precinit_opt)(&new->p, &new->o.prec);
}

static psb_err make_solver(struct X(solver) **s, const struct X(operator) *op, bool own, struct X(prec) *p,
                           const char *text)
{
    struct X(solver) *new = NULL;
    psb_err e = psb_agree(psb_cd_ctxt(op->desc), open_solver(s ? &new : NULL, op, own, p, text));
    if (e == PSB_OK && !p)
        e = X(precbld_op)(new->p, new->kr.op, NULL, NULL);
    if (e != PSB_OK) {
        X(solver_free)(new);
        return e;
    }
    new->kr.p = new->used = p ? p : new->p;
    *s = new;
    return PSB_OK;
}

psb_err X(solver_new_op)(struct X(solver) **s, const struct X(operator) *op, struct X(prec) *p,
                         const char *text)
{
    PSB_NEED_HANDLE(op, "an operator");
    return PSB_PASS(make_solver(s, op, false, p, text));
}

psb_err X(solver_new)(struct X(solver) **s, const struct X(spmat) *a, const char *text)
{
    PSB_NEED_HANDLE(a, "a matrix");
    const struct X(operator) op = X(operator_view)(a);
    return PSB_PASS(make_solver(s, &op, true, NULL, text));
}

static psb_err check_update(const struct X(solver) *s)
{
    const struct X(operator) *op = s->kr.op;
    PSB_TRY(X(operator_check)(op, false));
    PSB_CHECK(X(sp_nnz)(op->a) == s->nnz, PSB_EARG,
              "the matrix of the solver has %" PRId64 " entries here; expected %" PRId64
              ", as when the solver was made",
              X(sp_nnz)(op->a), s->nnz);
    return PSB_OK;
}

psb_err X(solver_update)(struct X(solver) *s)
{
    PSB_NEED_HANDLE(s, "a solver");
    PSB_TRY(psb_agree(s->kr.ctxt, check_update(s)));
    PSB_TRY(X(precupd_op)(s->used, s->kr.op));
    X(kr_device_forget)(&s->kr);
    s->kr.knows_norm_a = false;
    return PSB_OK;
}

static psb_err check_nullspace(const struct X(solver) *s, const struct X(nullspace) *q,
                               const struct X(nullspace) *left)
{
    if (!q && !left)
        return PSB_OK;
    PSB_NEED_HANDLE(q, "a null space");
    PSB_NEED_HANDLE(left, "a null space");
    PSB_CHECK(psb_cd_same_rows(q->desc, s->desc), PSB_EARG,
              "argument q is on another descriptor than the matrix of the solver; expected the same one");
    PSB_CHECK(psb_cd_same_rows(left->desc, s->desc), PSB_EARG,
              "argument left is on another descriptor than the matrix of the solver; expected the same one");
    return PSB_OK;
}

psb_err X(solver_set_nullspace)(struct X(solver) *s, const struct X(nullspace) *q,
                                const struct X(nullspace) *left)
{
    struct X(vect) **new = NULL;
    PSB_NEED_HANDLE(s, "a solver");
    left = left ? left : q;
    psb_err e = check_nullspace(s, q, left);
    const int n = e == PSB_OK && q ? q->n : 0, nleft = e == PSB_OK && q ? left->n : 0;
    if (n > 0)
        e = psb_alloc_zero(&new, 2 * (size_t)(n + nleft), sizeof *new, "null space");
    e = X(agree_on_count)(s->kr.ctxt, n, "the number of vectors of argument q", e);
    if (e == PSB_OK)
        e = X(agree_on_count)(s->kr.ctxt, nleft, "the number of vectors of argument left", e);
    if (e != PSB_OK) {
        psb_free(new);
        return PSB_PASS(e);
    }
    X(kr_close)(&s->kr); /* which has arrays for another number of vectors */
    psb_free(s->kr.null);
    s->kr.null = new;
    s->kr.right = q;
    s->kr.left = left;
    return PSB_OK;
}

void X(solver_free)(struct X(solver) *s)
{
    if (!psb_may_free(s, "psb_solver_free"))
        return;
    X(kr_close)(&s->kr);
    psb_free(s->kr.null);
    X(precfree)(s->p);
    psb_desc_release(s->desc);
    psb_retire(s, sizeof *s);
}

/* --- solves --------------------------------------------------------------------------------------------- */

psb_err X(solver_solve)(struct X(solver) *s, const struct X(vect) *b, struct X(vect) *x,
                        struct psb_solve_result *res)
{
    PSB_NEED_HANDLE(s, "a solver");
    return PSB_PASS(X(kr_solve)(&s->kr, b, x, res));
}

psb_err X(solve)(const struct X(spmat) *a, const struct X(vect) *b, struct X(vect) *x, const char *text,
                 struct psb_solve_result *res)
{
    struct X(solver) *s = NULL;
    psb_err e = X(solver_new)(&s, a, text);
    if (e == PSB_OK)
        e = X(kr_solve)(&s->kr, b, x, res);
    X(solver_free)(s);
    return PSB_PASS(e);
}

/* --- what is known of the last solve -------------------------------------------------------------------- */

static psb_err check_last_solve(const struct X(solver) *s, int column)
{
    PSB_NEED_HANDLE(s, "a solver");
    PSB_CHECK(s->kr.col, PSB_ESTATE, "the solver has no result; expected psb_solver_solve before");
    PSB_CHECK(column >= 0 && column < s->kr.k, PSB_EARG, "argument column is %d; expected 0 <= column < %d",
              column, s->kr.k);
    return PSB_OK;
}

psb_err X(solver_history)(const struct X(solver) *s, int column, int *n, double *value)
{
    PSB_TRY(check_last_solve(s, column));
    PSB_NEED(n, "where to store the number of values");
    *n = s->kr.col[column].iterations + 1;
    for (size_t i = 0; i < (size_t)*n && value; i++)
        value[i] = s->kr.steps[i * (size_t)s->kr.k + (size_t)column].estimate;
    return PSB_OK;
}

psb_err X(solver_extremes)(const struct X(solver) *s, int column, double *smallest, double *largest)
{
    PSB_TRY(check_last_solve(s, column));
    PSB_NEED(smallest, "where to store the smallest eigenvalue");
    PSB_NEED(largest, "where to store the largest eigenvalue");
    const struct psb_kr_step *step = s->kr.steps + column;
    int n = 0;
    while (n < s->kr.col[column].iterations && step[(size_t)n * (size_t)s->kr.k].alpha > 0)
        n++;
    PSB_CHECK(n > 0, PSB_ESTATE,
              "the last solve made no iteration of cg, cg-single or cg-pipelined; expected one");
    psb_kr_extremes(n, step, s->kr.k, smallest, largest);
    return PSB_OK;
}

/* --- the view ------------------------------------------------------------------------------------------- */

/* The sums over all processes that the view shows. */
struct view {
    psb_epk entries, prec_bytes, vectors;
};

static void print_view(const struct X(solver) *s, const struct view *v, int np, FILE *to)
{
    const struct X(kr) *kr = &s->kr;
    const struct X(spmat) *a = kr->op->a;
    char text[1000];
    psb_solve_text(&s->o, text, sizeof text);
    fprintf(to, "solver %s\n", text);
    fprintf(to, "  %s: %" PRId64 " rows", kr->op->calls.apply ? "operator" : "matrix",
            psb_cd_global_rows(s->desc));
    if (a)
        fprintf(to, ", %s%" PRId64 " entries, %s on %s", kr->op->calls.apply ? "near to a matrix of " : "",
                v->entries, X(sp_fmt)(a), a->ad->on ? a->ad->on->name : "the host");
    fprintf(to, ", %d process%s\n", np, np > 1 ? "es" : "");
    fprintf(to, "  preconditioner: %" PRId64 " bytes\n", v->prec_bytes);
    if (kr->right)
        fprintf(to, "  null space: %d vector%s, of the conjugate transpose: %d\n", kr->right->n,
                kr->right->n > 1 ? "s" : "", kr->left->n);
    fprintf(to, "  kept vectors: %d, %" PRId64 " bytes\n", kr->npool + kr->nshadow, v->vectors);
    if (kr->device)
        fprintf(to, "  coefficients: %s\n", X(kr_device_text)(kr));
    for (int j = 0; j < kr->k && kr->col; j++)
        fprintf(to, "  column %d: %s after %d iterations, estimate %.3e, residual %.3e%s%s\n", j,
                psb_outcome_name(kr->col[j].outcome), kr->col[j].iterations, kr->col[j].estimate,
                kr->col[j].now, kr->col[j].why && *kr->col[j].why ? ": " : "",
                kr->col[j].why ? kr->col[j].why : "");
    for (int j = 0; j < kr->k && kr->right; j++)
        fprintf(to, "  column %d: a part of b of norm %.3e, in the null space, left out\n", j,
                kr->col[j].removed);
}

psb_err X(solver_view)(const struct X(solver) *s, FILE *to)
{
    int me, np;
    PSB_NEED_HANDLE(s, "a solver");
    psb_err e = X(operator_check)(s->kr.op, false);
    PSB_THEN(e, X(kr_check_nullspace)(&s->kr));
    if (e == PSB_OK && !to)
        e = PSB_FAIL(PSB_EARG, "argument to is NULL; expected a stream");
    psb_epk sum[3] = { X(sp_nnz)(e == PSB_OK ? s->kr.op->a : NULL), (psb_epk)X(prec_bytes)(s->used) };
    for (int i = 0; i < s->kr.npool; i++)
        sum[2] += (psb_epk)X(vect_sizeof)(s->kr.pool[i]);
    for (int i = 0; i < s->kr.nshadow; i++)
        sum[2] += (psb_epk)X(vect_sizeof)(s->kr.shadow[i]);
    PSB_TRY(psb_reduce(s->kr.ctxt, PSB_SUM, PSB_KIND_OF(sum), 3, sum, e));
    psb_info(s->kr.ctxt, &me, &np);
    if (me == 0)
        print_view(s, &(struct view){ sum[0], sum[1], sum[2] }, np, to);
    const struct X(prec) *p = s->used;
    return PSB_PASS(psb_is_live(p) && p->data && p->ops->view ? p->ops->view(p, to) : PSB_OK);
}
