/* solve.c -- tools: the work of psb-pargen and psb-fileread. */
#include "config.h"
#include "solve.h"
#include "load.h"
#include "psb_alloc.h"
#include "psb_threads.h"
#include "say.h"
#include <stdlib.h>
#include <unistd.h>

static psb_err solve_system(struct solve_task *t, struct solve_report *r)
{
    static psb_err (*const run[])(const struct solve_task *t, struct solve_report *r) = {
        ['s'] = psb_s_solve_run, ['d'] = psb_d_solve_run, ['c'] = psb_c_solve_run, ['z'] = psb_z_solve_run
    };
    struct solve_history h;
    struct psb_mm_header file = { .m = 0 };
    if (t->matrix)
        PSB_TRY(load_sizes(t->ctxt, t->matrix, t->hb, &file));
    PSB_CHECK(file.m == file.n, PSB_EARG,
              "%s: the matrix is %" PRId64 " by %" PRId64 "; expected a square one", t->matrix, file.m,
              file.n);
    t->rows = t->matrix ? file.m : t->rows;
    if (!t->type)
        t->type = t->matrix && file.field == PSB_MM_COMPLEX ? 'z' : 'd';
    PSB_TRY(t->report ? machine_look(t->ctxt, &r->machine) : machine_names(t->ctxt, &r->machine));
    PSB_TRY(solve_history_open(t, &h));
    solve_report_problem(r);
    psb_err e = psb_agree(t->ctxt, run[(int)t->type](t, r));
    psb_err f = e == PSB_OK && t->me == 0 ? solve_report_files(r, &h) : PSB_OK;
    PSB_THEN(f, solve_history_close(t, &h, e == PSB_OK));
    return psb_agree(t->ctxt, e != PSB_OK ? e : f);
}

static int set_and_solve(const char *const given[MOST_OPTIONS], struct solve_task *t)
{
    if (solve_options_set(given, t) != PSB_OK)
        return complain(MISUSED);
    struct solve_report r = { .task = t, .threads = psb_threads(INT64_MAX) };
    struct file_option files[] = {
        { .name = "--matrix", .path = t->matrix },
        { .name = "--rhs", .path = t->rhs },
        { .name = "--partition", .path = owners_file(t->partition) },
        { .name = "the input file", .path = t->input },
        { .name = "--output", .path = t->output, .output = true },
        { .name = "--json", .path = t->json, .output = true },
        { .name = "--csv", .path = t->csv, .output = true },
        { .name = "--report", .path = t->report, .output = true },
        { .name = "--history", .path = t->history, .output = true },
        { .name = "--plot", .path = t->plot, .output = true },
        { .name = NULL },
    };
    psb_err e = check_outputs(t->ctxt, files);
    if (e == PSB_EARG)
        return complain(MISUSED);
    PSB_THEN(e, solve_system(t, &r));
    machine_free(&r.machine);
    picture_free(r.picture);
    if (e != PSB_OK)
        return complain(FAILED);
    const struct psb_solve_result *res = &r.result;
    if (res->outcome == PSB_CONVERGED)
        return EXIT_SUCCESS;
    say_error("no convergence: the method %s%s%s", psb_outcome_name(res->outcome), *res->why ? ": " : "",
              res->why);
    return FAILED;
}

int solve_run(const struct program *p, psb_ctxt *ctxt, const char *given[MOST_OPTIONS])
{
    const struct solve_program *own = p->of;
    struct solve_task t = { .program = p, .system = own->system, .ctxt = ctxt };
    struct solve_input *in;
    psb_info(ctxt, &t.me, &t.np);
    if (given[own->system])
        return set_and_solve(given, &t);
    if (solve_options_with_input(own, given) != PSB_OK)
        return complain(MISUSED);
    t.input = given[OPERAND];
    if (psb_agree(ctxt, psb_alloc_zero(&in, 1, sizeof *in, "input file")) != PSB_OK)
        return complain(FAILED);
    if (!t.input && isatty(STDIN_FILENO))
        say_error("reading an input file of PSBLAS from standard input; see --help");
    int status;
    if (solve_input_load(ctxt, t.input, in) != PSB_OK)
        status = complain(FAILED);
    else if (solve_input_parse(in, own, given) != PSB_OK)
        status = complain(MISUSED);
    else
        status = set_and_solve(given, &t);
    psb_free(in);
    return status;
}
