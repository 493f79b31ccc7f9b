/* solve_json.c -- tools: the report of psb-pargen and psb-fileread as JSON. */
#include "config.h"
#include "solve.h"

#ifdef HAVE_JANSSON
#include "json.h"
#include "page.h"

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

static json_t *history_json(const struct solve_history *h)
{
    json_t *all = json_array();
    char line[80];
    rewind(h->values);
    while (fgets(line, sizeof line, h->values)) {
        int it;
        double estimate;
        if (sscanf(line, "%d %lf", &it, &estimate) == 2)
            json_array_append_new(all, json_pack("[i,o]", it, json_number(estimate)));
    }
    return all;
}

static psb_err write_json(const struct solve_report *r, const struct solve_history *h)
{
    const struct machine *m = &r->machine;
    json_t *bytes = json_pack("{s:I,s:I,s:I}", "matrix", (json_int_t)r->matrix_bytes, "prec",
                              (json_int_t)r->prec_bytes, "descriptor", (json_int_t)r->desc_bytes);
    json_t *all = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "program", r->task->program->name, "command",
                            json_text(program_command()), "machine", json_machine(m), "problem",
                            problem_json(r), "solver", solver_json(r), "result", solution_json(r), "bytes",
                            bytes, "halo", json_text(r->halo));
    if (m->host_copy > 0)
        json_object_set_new(all, "host_copy_gbs", json_number(m->host_copy / 1e9));
    if (m->gpu_copy > 0)
        json_object_set_new(all, "gpu_copy_gbs", json_number(m->gpu_copy / 1e9));
    if (r->picture)
        json_object_set_new(all, "picture", picture_json(r->picture));
    if (h->values)
        json_object_set_new(all, "history", history_json(h));
    return json_write(all, r->task->json);
}

static psb_err write_csv(const struct solve_report *r)
{
    json_t *row = problem_json(r), *solver = solver_json(r), *result = solution_json(r);
    json_object_set_new(row, "ranks", json_integer(r->task->np));
    json_object_del(row, "grid");
    json_object_update(row, solver);
    json_object_update(row, result);
    json_decref(solver);
    json_decref(result);
    return csv_write(json_pack("[o]", row), r->task->csv);
}

psb_err solve_report_files(const struct solve_report *r, const struct solve_history *h)
{
    const struct solve_task *t = r->task;
    PSB_TRY(t->json ? write_json(r, h) : PSB_OK);
    PSB_TRY(t->csv ? write_csv(r) : PSB_OK);
    return t->report ? page_draw(t->json, t->report) : PSB_OK;
}
#else
psb_err solve_report_files(const struct solve_report *r, const struct solve_history *h)
{
    (void)r;
    (void)h;
    return PSB_OK;
}
#endif
