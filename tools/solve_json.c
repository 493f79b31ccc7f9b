/* solve_json.c -- tools: the report of psb-pargen and psb-fileread as JSON. */
#include "config.h"
#include "solve.h"

#ifdef HAVE_JANSSON
#include "json.h"

static json_t *problem_json(const struct solve_report *r)
{
    const struct solve_task *t = r->task;
    const char type[] = { t->type, '\0' };
    json_t *all = json_pack("{s:s,s:o,s:s,s:I,s:I,s:s,s:s,s:s,s:i}", "type", type, "partition",
                            json_text(t->partition), "descriptor", r->descriptor, "rows", (json_int_t)t->rows,
                            "entries", (json_int_t)r->entries, "format", r->format, "where", r->where, "name",
                            t->matrix          ? "file"
                            : t->pde.dims == 2 ? "pde2d"
                                               : "pde3d",
                            "threads", r->threads);
    if (t->matrix)
        json_object_set_new(all, "file", json_text(t->matrix));
    else
        json_object_set_new(
            all, "grid",
            json_pack("[I,I,I]", (json_int_t)t->pde.nx, (json_int_t)t->pde.ny, (json_int_t)t->pde.nz));
    return all;
}

static json_t *solver_json(const struct solve_report *r)
{
    const struct psb_solve_options *o = &r->task->options;
    return json_pack("{s:s,s:s,s:s,s:o,s:i,s:i}", "method", psb_method_name(o->method), "prec", r->prec,
                     "stop", psb_stop_name(o->stop), "tol", json_number(o->tol), "itmax", o->itmax, "restart",
                     o->restart);
}

static json_t *solution_json(const struct solve_report *r)
{
    const struct psb_solve_result *res = &r->result;
    int n = res->iterations > 0 ? res->iterations : 1;
    return json_pack("{s:o,s:o,s:o,s:o,s:i,s:o,s:o,s:b,s:s,s:o}", "creation_s", json_number(r->creation),
                     "prec_s", json_number(r->preparation), "solve_s", json_number(r->solution),
                     "iteration_s", json_number(r->solution / n), "iterations", res->iterations, "estimate",
                     json_number(res->estimate), "residual", json_number(res->residual), "converged",
                     res->outcome == PSB_CONVERGED, "outcome", psb_outcome_name(res->outcome), "why",
                     json_text(res->why));
}

psb_err solve_report_json(const struct solve_report *r, const char *path)
{
    json_t *bytes = json_pack("{s:I,s:I,s:I}", "matrix", (json_int_t)r->matrix_bytes, "prec",
                              (json_int_t)r->prec_bytes, "descriptor", (json_int_t)r->desc_bytes);
    return json_write(json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "program", r->task->program->name, "machine",
                                json_machine(&r->machine), "problem", problem_json(r), "solver",
                                solver_json(r), "result", solution_json(r), "bytes", bytes),
                      path);
}
#else
psb_err solve_report_json(const struct solve_report *r, const char *path)
{
    (void)r;
    return PSB_FAIL(PSB_ENOTIMPL, "%s: this program was built without jansson", path);
}
#endif
