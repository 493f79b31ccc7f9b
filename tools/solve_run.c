/* solve_run.c -- tools: make the system, build the preconditioner, solve, for one scalar. */
#include "config.h"
#include "solve.h"
#include "load.h"
#include "psb_alloc.h"
#include "psb_cuda.h"
#include "say.h"
#include "spmat.h"
#include <string.h>
#include "psb_type.h"

struct system {
    const struct solve_task *t;
    psb_ctxt *ctxt;
    psb_desc *row;
    struct X(entries) from; /* the entries of the rows owned here, until they are assembled */
    T *rhs;                 /* the right-hand side, by local number; NULL: A times ones */
    struct X(spmat) *a;
    struct X(prec) *p;
    struct X(vect) *x, *b;
};

/* --- the system --- */

static psb_err alloc_rhs(struct system *r)
{
    return psb_alloc_zero(&r->rhs, (size_t)psb_cd_local_rows(r->row), sizeof *r->rhs, "right-hand side");
}

/* Process 0 reads the first right-hand side in the matrix's own file. */
static psb_err read_hb_rhs(struct system *r)
{
    psb_lpk m, n;
    T *all = NULL;
    psb_err e = psb_agree(r->ctxt, r->t->me == 0 ? X(hb_read_rhs)(r->t->matrix, 'F', &m, &n, &all) : PSB_OK);
    PSB_THEN(e, X(vecdist)(r->row, 0, all, r->rhs));
    psb_free(all);
    return e;
}

static psb_err read_rhs(struct system *r)
{
    struct psb_hb_header info = { .nrhs = 0 };
    psb_err e = r->t->hb && r->t->me == 0 ? psb_hb_info(r->t->matrix, &info) : PSB_OK;
    PSB_TRY(psb_agree(r->ctxt, e));
    PSB_TRY(psb_bcast(r->ctxt, 1, &info.nrhs, 0));
    if (!r->t->rhs && info.nrhs == 0)
        return PSB_OK;
    PSB_TRY(psb_agree(r->ctxt, alloc_rhs(r)));
    return r->t->rhs ? X(load_vector)(r->t->rhs, "the right-hand side", r->row, r->rhs) : read_hb_rhs(r);
}

/* Set r->row, r->from and, if it is known, r->rhs. */
static psb_err get_system(struct system *r)
{
    const struct solve_task *t = r->t;
    struct X(triplets) *own = &r->from.stored;
    const bool by_metis = load_by_metis(t->partition), boxes = strcmp(t->partition, "3d") == 0;
    PSB_TRY(boxes ? solve_boxes(r->ctxt, &t->pde, &r->row)
                  : load_rows(r->ctxt, t->partition, t->rows, &r->row));
    if (t->matrix)
        PSB_TRY(X(load_entries)(t->matrix, t->hb, r->row, own));
    else if (by_metis)
        PSB_TRY(psb_agree(r->ctxt, X(gen_pde)(&t->pde, r->row, own, NULL)));
    if (by_metis)
        PSB_TRY(X(load_metis)(&r->row, own));
    if (t->matrix)
        return read_rhs(r);
    X(triplets_free)(own);
    return psb_agree(r->ctxt, alloc_rhs(r));
}

static psb_err assemble_system(struct system *r)
{
    const struct X(mat) *mold = X(mat_by_name)(r->t->format);
    PSB_TRY(r->t->matrix ? X(load_assemble)(r->row, r->row, &r->from, mold, &r->a)
                         : X(sp_gen_pde)(&r->a, &r->t->pde, r->row, mold, r->rhs));
    X(triplets_free)(&r->from.stored);
    PSB_TRY(X(vects_like)(r->a, &r->x, &r->b));
    if (r->rhs) {
        psb_err e = X(set_vect)(r->b, psb_cd_local_rows(r->row), r->rhs);
        PSB_THEN(e, X(vect_sync)(r->b)); /* not within the solve */
        return psb_agree(r->ctxt, e);
    }
    PSB_TRY(psb_agree(r->ctxt, X(set_scal)(1, r->x))); /* b = A times ones, x = 0 */
    PSB_TRY(psb_agree(r->ctxt, X(spmv)(1, r->a, r->x, 0, r->b, 'N')));
    return psb_agree(r->ctxt, X(vect_zero)(r->x));
}

/* --- steps --- */

/* Set *seconds to the time since `begun` on the slowest process. */
static psb_err measure_since(const struct system *r, double begun, double *seconds)
{
    PSB_TRY(psb_agree(r->ctxt, psb_cuda_DeviceSync()));
    *seconds = psb_wtime() - begun;
    return psb_max(r->ctxt, 1, seconds, -1);
}

static psb_err create_matrix(struct system *r, struct solve_report *q)
{
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(get_system(r));
    PSB_TRY(assemble_system(r));
    PSB_TRY(measure_since(r, begun, &q->creation));
    q->format = X(sp_fmt)(r->a);
    q->where = r->a->ad->on ? r->a->ad->on->name : "host";
    q->descriptor = psb_cd_kind(r->row);
    q->halo = psb_cd_transport(r->row, NULL);
    if (r->t->report)
        PSB_TRY(X(picture_of)(r->a, &q->picture));
    return X(load_count)(r->a, &q->entries);
}

static psb_err build_prec(struct system *r, struct solve_report *q)
{
    say_progress("building the preconditioner", -1);
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(psb_agree(r->ctxt, X(precinit_opt)(&r->p, &r->t->options.prec)));
    PSB_TRY(X(precbld)(r->p, r->a, NULL, NULL));
    PSB_TRY(measure_since(r, begun, &q->preparation));
    PSB_TRY(X(precdescr)(r->p, q->prec, sizeof q->prec));
    double all[] = { (double)X(sp_bytes)(r->a), (double)X(prec_bytes)(r->p), (double)psb_cd_bytes(r->row) };
    PSB_TRY(psb_sum(r->ctxt, 3, all, -1));
    q->matrix_bytes = all[0];
    q->prec_bytes = all[1];
    q->desc_bytes = all[2];
    return PSB_OK;
}

static psb_err run_system(struct system *r, struct solve_report *q)
{
    PSB_TRY(create_matrix(r, q));
    say_clear();
    solve_report_matrix(q);
    PSB_TRY(build_prec(r, q));
    say_clear();
    solve_report_method(q);
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(X(krylov)(r->a, r->p, r->b, r->x, &r->t->options, &q->result));
    PSB_TRY(measure_since(r, begun, &q->solution));
    solve_report_solution(q);
    return r->t->output ? X(mm_vect_write)(r->t->output, &r->x, 1) : PSB_OK;
}

psb_err X(solve_run)(const struct solve_task *t, struct solve_report *report)
{
    struct system r = { .t = t, .ctxt = t->ctxt };
    psb_err e = run_system(&r, report);
    say_clear();
    X(precfree)(r.p);
    X(gefree)(r.x);
    X(gefree)(r.b);
    X(spfree)(r.a);
    X(triplets_free)(&r.from.stored);
    psb_free(r.rhs);
    psb_cdfree(r.row);
    return e;
}
