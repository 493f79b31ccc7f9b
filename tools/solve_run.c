/* solve_run.c -- room: tools.  Make the system, build the preconditioner, solve, for one scalar. */
#include "config.h"
#include "solve.h"
#include "load.h"
#include "psb_alloc.h"
#include "psb_cuda.h"
#include "say.h"
#include <string.h>
#include "psb_type.h"

struct run {
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

static psb_err distribute(struct run *r)
{
    const struct solve_task *t = r->t;
    if (strcmp(t->partition, "3d") == 0)
        return solve_boxes(r->ctxt, &t->pde, &r->row);
    return load_rows(r->ctxt, t->partition, t->rows, &r->row);
}

static psb_err alloc_rhs(struct run *r)
{
    return psb_alloc_zero(&r->rhs, (size_t)psb_cd_local_rows(r->row), sizeof *r->rhs, "right-hand side");
}

static psb_err generate(struct run *r)
{
    psb_err e = alloc_rhs(r);
    if (e == PSB_OK)
        e = X(gen_pde)(&r->t->pde, r->row, &r->from.stored, r->rhs);
    return psb_agree(r->ctxt, e);
}

/* Replace r->row by parts of the grid's graph. */
static psb_err partition_grid(struct run *r)
{
    PSB_TRY(psb_agree(r->ctxt, X(gen_pde)(&r->t->pde, r->row, &r->from.stored, NULL)));
    PSB_TRY(X(load_metis)(&r->row, &r->from.stored));
    X(triplets_free)(&r->from.stored);
    return PSB_OK;
}

static psb_err read_matrix(struct run *r)
{
    PSB_TRY(X(load_entries)(r->t->matrix, r->t->hb, r->row, &r->from.stored));
    return load_by_metis(r->t->partition) ? X(load_metis)(&r->row, &r->from.stored) : PSB_OK;
}

/* Process 0 reads the first right-hand side in the matrix's own file. */
static psb_err read_hb_rhs(struct run *r)
{
    psb_lpk m, n;
    T *all = NULL;
    psb_err e = psb_agree(r->ctxt, r->t->me == 0 ? X(hb_read_rhs)(r->t->matrix, 'F', &m, &n, &all) : PSB_OK);
    if (e == PSB_OK)
        e = X(vecdist)(r->row, 0, all, r->rhs);
    psb_free(all);
    return e;
}

/* Set *yes if the matrix's own file has a right-hand side. */
static psb_err has_rhs(const struct run *r, int *yes)
{
    struct psb_hb_header info = { .nrhs = 0 };
    psb_err e = r->t->hb && r->t->me == 0 ? psb_hb_info(r->t->matrix, &info) : PSB_OK;
    PSB_TRY(psb_agree(r->ctxt, e));
    *yes = info.nrhs > 0;
    PSB_MPI(MPI_Bcast(yes, 1, MPI_INT, 0, psb_comm_of(r->ctxt)));
    return PSB_OK;
}

static psb_err read_rhs(struct run *r)
{
    int own = 0;
    PSB_TRY(has_rhs(r, &own));
    if (!r->t->rhs && !own)
        return PSB_OK;
    PSB_TRY(psb_agree(r->ctxt, alloc_rhs(r)));
    return r->t->rhs ? X(load_vector)(r->t->rhs, "the right-hand side", r->row, r->rhs) : read_hb_rhs(r);
}

static psb_err get_system(struct run *r)
{
    PSB_TRY(distribute(r));
    if (r->t->matrix) {
        PSB_TRY(read_matrix(r));
        return read_rhs(r);
    }
    if (load_by_metis(r->t->partition))
        PSB_TRY(partition_grid(r));
    return generate(r);
}

/* b = A times ones, x = 0. */
static psb_err make_rhs(struct run *r)
{
    PSB_TRY(psb_agree(r->ctxt, X(set_scal)(1, r->x)));
    PSB_TRY(psb_agree(r->ctxt, X(spmv)(1, r->a, r->x, 0, r->b, 'N')));
    return psb_agree(r->ctxt, X(vect_zero)(r->x));
}

static psb_err assemble(struct run *r)
{
    PSB_TRY(X(load_assemble)(r->row, r->row, &r->from, X(mat_by_name)(r->t->format), &r->a));
    X(triplets_free)(&r->from.stored);
    PSB_TRY(X(vects_like)(r->a, &r->x, &r->b));
    if (!r->rhs)
        return make_rhs(r);
    return psb_agree(r->ctxt, X(set_vect)(r->b, psb_cd_local_rows(r->row), r->rhs));
}

/* --- measurements --- */

/* Set *seconds to the time since `begun` on the slowest process. */
static psb_err slowest(const struct run *r, double begun, double *seconds)
{
    PSB_TRY(psb_agree(r->ctxt, psb_cuda_DeviceSync()));
    double mine = psb_wtime() - begun;
    PSB_MPI(MPI_Allreduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, psb_comm_of(r->ctxt)));
    return PSB_OK;
}

static psb_err sum_bytes(const struct run *r, struct solve_report *q)
{
    double mine[] = { (double)X(sp_bytes)(r->a), (double)X(prec_bytes)(r->p), (double)psb_cd_bytes(r->row) };
    double all[3];
    PSB_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, psb_comm_of(r->ctxt)));
    q->matrix_bytes = all[0];
    q->prec_bytes = all[1];
    q->desc_bytes = all[2];
    return PSB_OK;
}

/* --- steps --- */

static psb_err create(struct run *r, struct solve_report *q)
{
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(get_system(r));
    PSB_TRY(assemble(r));
    PSB_TRY(slowest(r, begun, &q->creation));
    q->format = X(sp_fmt)(r->a);
    q->where = r->a->ad->on ? r->a->ad->on->name : "host";
    q->descriptor = psb_cd_kind(r->row);
    return X(load_count)(r->a, &q->entries);
}

static psb_err prepare(struct run *r, struct solve_report *q)
{
    say_progress("building the preconditioner", -1);
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(psb_agree(r->ctxt, X(precinit_opt)(&r->p, &r->t->options.prec)));
    PSB_TRY(X(precbld)(r->p, r->a, NULL, NULL));
    PSB_TRY(slowest(r, begun, &q->preparation));
    PSB_TRY(X(precdescr)(r->p, q->prec, sizeof q->prec));
    return sum_bytes(r, q);
}

static psb_err solve(struct run *r, struct solve_report *q)
{
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(X(krylov)(r->a, r->p, r->b, r->x, &r->t->options, &q->result));
    return slowest(r, begun, &q->solution);
}

static psb_err run(struct run *r, struct solve_report *q)
{
    PSB_TRY(create(r, q));
    say_clear();
    solve_report_matrix(q);
    PSB_TRY(prepare(r, q));
    say_clear();
    solve_report_method(q);
    PSB_TRY(solve(r, q));
    solve_report_solution(q);
    return r->t->output ? X(mm_vect_write)(r->t->output, &r->x, 1) : PSB_OK;
}

psb_err X(solve_run)(const struct solve_task *t, struct solve_report *report)
{
    struct run r = { .t = t, .ctxt = t->ctxt };
    psb_err e = run(&r, report);
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
