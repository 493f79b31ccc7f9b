/* solve.c -- room: tools.  The body of psb-pargen and psb-fileread. */
#include "config.h"
#include "solve.h"
#include "load.h"
#include "psb_alloc.h"
#include "psb_cuda.h"
#include "psb_rsb.h"
#include "psb_threads.h"
#include "say.h"
#include <stdlib.h>
#include <unistd.h>

/* --- the run --- */

static psb_err run(const struct solve_task *t, struct solve_report *r)
{
    switch (t->type) {
    case 's':
        return psb_s_solve_run(t, r);
    case 'd':
        return psb_d_solve_run(t, r);
    case 'c':
        return psb_c_solve_run(t, r);
    default:
        return psb_z_solve_run(t, r);
    }
}

/* Set the size of the system in a file, and the type if it was not given. */
static psb_err look_at_matrix(struct solve_task *t)
{
    struct psb_mm_header file = { .m = 0 };
    if (t->matrix)
        PSB_TRY(load_sizes(t->ctxt, t->matrix, t->hb, &file));
    PSB_CHECK(file.m == file.n, PSB_EARG,
              "%s: the matrix is %" PRId64 " by %" PRId64 "; expected a square one", t->matrix, file.m,
              file.n);
    t->rows = t->matrix ? file.m : t->rows;
    if (!t->type)
        t->type = t->matrix && file.field == PSB_MM_COMPLEX ? 'z' : 'd';
    return PSB_OK;
}

static psb_err solve(struct solve_task *t, struct solve_report *r)
{
    struct solve_history h;
    PSB_TRY(look_at_matrix(t));
    PSB_TRY(machine_names(t->ctxt, &r->machine));
    PSB_TRY(solve_history_open(t, &h));
    solve_report_problem(r);
    psb_err e = psb_agree(t->ctxt, run(t, r));
    psb_err f = solve_history_close(t, &h, e == PSB_OK);
    if (e == PSB_OK && f == PSB_OK && t->json && t->me == 0)
        f = solve_report_json(r, t->json);
    return psb_agree(t->ctxt, e != PSB_OK ? e : f);
}

/* Process 0 checks the output files before anything takes time. */
static psb_err try_outputs(const struct solve_task *t)
{
    struct file_option files[] = {
        { .name = "--matrix", .path = t->matrix },
        { .name = "--rhs", .path = t->rhs },
        { .name = "--partition", .path = owners_file(t->partition) },
        { .name = "the input file", .path = t->input },
        { .name = "--output", .path = t->output, .output = true },
        { .name = "--json", .path = t->json, .output = true },
        { .name = "--history", .path = t->history, .output = true },
        { .name = "--plot", .path = t->plot, .output = true },
        { .name = NULL },
    };
    return psb_agree(t->ctxt, t->me == 0 ? check_outputs(files) : PSB_OK);
}

static int solve_and_report(struct solve_task *t)
{
    struct solve_report r = { .task = t, .threads = psb_threads(INT64_MAX) };
    psb_err e = try_outputs(t);
    if (e == PSB_EARG)
        return complain(MISUSED);
    if (e == PSB_OK)
        e = solve(t, &r);
    machine_free(&r.machine);
    if (e != PSB_OK)
        return complain(FAILED);
    const struct psb_solve_result *res = &r.result;
    if (res->outcome == PSB_CONVERGED)
        return EXIT_SUCCESS;
    say_error("no convergence: the method %s%s%s", psb_outcome_name(res->outcome), *res->why ? ": " : "",
              res->why);
    return FAILED;
}

/* --- options and input --- */

static int set_and_solve(const char *const given[MOST_OPTIONS], struct solve_task *t)
{
    if (solve_options_set(given, t) != PSB_OK)
        return complain(MISUSED);
    return solve_and_report(t);
}

static int read_and_solve(const char *given[MOST_OPTIONS], struct solve_task *t)
{
    struct solve_input *in;
    t->input = given[OPERAND];
    if (psb_agree(t->ctxt, psb_alloc_zero(&in, 1, sizeof *in, "input file")) != PSB_OK)
        return complain(FAILED);
    if (!given[OPERAND] && isatty(STDIN_FILENO))
        say_error("reading an input file of PSBLAS from standard input; see --help");
    int status;
    if (solve_input_load(t->ctxt, given[OPERAND], in) != PSB_OK)
        status = complain(FAILED);
    else if (solve_input_parse(in, t->program, given) != PSB_OK)
        status = complain(MISUSED);
    else
        status = set_and_solve(given, t);
    psb_free(in);
    return status;
}

static int run_with_options(const char *given[MOST_OPTIONS], struct solve_task *t)
{
    if (given[t->program->system])
        return set_and_solve(given, t);
    if (solve_options_with_input(t->program, given) != PSB_OK)
        return complain(MISUSED);
    return read_and_solve(given, t);
}

static int run_in_context(psb_ctxt *ctxt, int argc, char **argv, const struct solve_program *program)
{
    const char *given[MOST_OPTIONS] = { NULL };
    struct solve_task t = { .program = program, .ctxt = ctxt };
    psb_info(ctxt, &t.me, &t.np);
    say_who(program->name, t.me == 0);
    if (solve_options_read(argc, argv, program, given) != PSB_OK)
        return complain(MISUSED);
    if (given[OPTION_HELP] && t.me == 0)
        solve_show_help(program);
    else if (given[OPTION_VERSION] && t.me == 0)
        show_version(program->name);
    if (given[OPTION_HELP] || given[OPTION_VERSION])
        return EXIT_SUCCESS;
    if (psb_cuda_init(ctxt) != PSB_OK || psb_agree(ctxt, psb_rsb_init()) != PSB_OK)
        return complain(FAILED);
    int status = run_with_options(given, &t);
    load_end();
    psb_rsb_exit();
    psb_cuda_exit();
    return status;
}

int solve_main(int argc, char **argv, const struct solve_program *program)
{
    psb_ctxt *ctxt;
    psb_err e = psb_init(&ctxt);
    if (e == PSB_OK)
        e = psb_set_index_base(1); /* rows in messages count as in files */
    if (e != PSB_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], psb_errtext());
        return FAILED;
    }
    int status = say_end(run_in_context(ctxt, argc, argv, program));
    psb_exit(ctxt);
    return status;
}
