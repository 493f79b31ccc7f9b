/* solve_options.c -- tools: the options of psb-pargen and psb-fileread. */
#include "config.h"
#include "say.h"
#include "solve.h"
#include <stdio.h>
#include <string.h>

/* The name of the option that gives the system. */
static const char *system_name(const struct solve_program *p)
{
    return p->system == KEY_SIZE ? "size" : "matrix";
}

static const struct option common_options[] = {
    { "solver", required_argument, NULL, KEY_SOLVER },
    { "method", required_argument, NULL, KEY_METHOD },
    { "prec", required_argument, NULL, KEY_PREC },
    { "tol", required_argument, NULL, KEY_TOL },
    { "itmax", required_argument, NULL, KEY_ITMAX },
    { "trace", required_argument, NULL, KEY_TRACE },
    { "restart", required_argument, NULL, KEY_RESTART },
    { "stop", required_argument, NULL, KEY_STOP },
    { "type", required_argument, NULL, KEY_TYPE },
    { "format", required_argument, NULL, KEY_FORMAT },
    { "partition", required_argument, NULL, KEY_PARTITION },
    { "json", required_argument, NULL, KEY_JSON },
    { "csv", required_argument, NULL, KEY_CSV },
    { "report", required_argument, NULL, KEY_REPORT },
    { "history", required_argument, NULL, KEY_HISTORY },
    { "plot", required_argument, NULL, KEY_PLOT },
    { "output", required_argument, NULL, KEY_OUTPUT },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
};
enum { COMMON = sizeof common_options / sizeof *common_options };

psb_err solve_read(const struct program *program, int argc, char **argv, const char *given[MOST_OPTIONS])
{
    const struct solve_program *p = program->of;
    struct option table[MOST_OPTIONS];
    int n = 0;
    memcpy(table, common_options, sizeof common_options);
    do
        table[COMMON + n] = p->own[n];
    while (p->own[n++].name);
    PSB_TRY(command_line_read(argc, argv, table, 1, given));
    PSB_CHECK(!given[OPERAND] || !given[p->system], PSB_EARG,
              "unexpected argument \"%.80s\"; an input file does not go with --%s", given[OPERAND],
              system_name(p));
    PSB_CHECK(!given[KEY_C_INPUT] || !given[p->system], PSB_EARG,
              "--c-input and --size are both there; expected one");
    return PSB_OK;
}

/* PSB_EARG if option k, whose argument is s, says again what an input file says. */
static psb_err check_with_input(const struct solve_program *p, const struct option *k, const char *s)
{
    static const bool adds[MOST_OPTIONS] = {
        [OPTION_HELP] = true, [OPTION_VERSION] = true, [KEY_TYPE] = true,    [KEY_JSON] = true,
        [KEY_CSV] = true,     [KEY_REPORT] = true,     [KEY_HISTORY] = true, [KEY_PLOT] = true,
        [KEY_OUTPUT] = true,  [KEY_DIMS] = true,       [KEY_PROBLEM] = true, [KEY_C_INPUT] = true,
    };
    PSB_CHECK(!s || adds[k->val], PSB_EARG, "--%s is given without --%s; an input file has its own", k->name,
              system_name(p));
    return PSB_OK;
}

psb_err solve_options_with_input(const struct solve_program *p, const char *const given[MOST_OPTIONS])
{
    for (int i = 0; i < COMMON; i++)
        PSB_TRY(check_with_input(p, &common_options[i], given[common_options[i].val]));
    for (const struct option *k = p->own; k->name; k++)
        PSB_TRY(check_with_input(p, k, given[k->val]));
    return PSB_OK;
}

static psb_err set_solver_options(const char *const given[MOST_OPTIONS], struct psb_solve_options *o)
{
    static const struct {
        enum solve_key key;
        const char *before;
    } words[] = {
        { KEY_METHOD, "" },      { KEY_TOL, "tol=" },         { KEY_ITMAX, "itmax=" },
        { KEY_TRACE, "trace=" }, { KEY_RESTART, "restart=" }, { KEY_STOP, "stop=" },
    };
    char text[1024];
    const int length = snprintf(text, sizeof text, "%s", or_else(given[KEY_SOLVER], "bicgstab"));
    PSB_CHECK(length >= 0 && (size_t)length < sizeof text, PSB_EARG,
              "--solver has %d letters; expected fewer than %zu", length, sizeof text);
    for (size_t i = 0, n = (size_t)length; i < sizeof words / sizeof *words; i++) {
        const char *s = given[words[i].key];
        if (!s)
            continue;
        PSB_CHECK(!strpbrk(s, ",="), PSB_EARG, "\"%s%.80s\": unexpected comma or =", words[i].before, s);
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s%s", words[i].before, s);
        PSB_CHECK(n < sizeof text, PSB_EARG, "the options of the solver are too long");
    }
    PSB_TRY(psb_solve_parse(text, o));
    return given[KEY_PREC] ? psb_prec_parse(given[KEY_PREC], &o->prec) : PSB_OK;
}

/* --- the system --- */

static psb_err set_grid_system(const char *const given[MOST_OPTIONS], struct solve_task *t)
{
    const char *problem = or_else(given[KEY_PROBLEM], "pde3d"), *dims = or_else(given[KEY_DIMS], "3");
    char spec[128];
    struct psb_gen gen;
    PSB_CHECK(!given[KEY_PROBLEM] || !given[KEY_DIMS], PSB_EARG,
              "--dims and --problem are both there; expected one");
    PSB_CHECK(strcmp(dims, "2") == 0 || strcmp(dims, "3") == 0, PSB_EARG,
              "--dims is \"%.80s\"; expected 2 or 3", dims);
    if (given[KEY_DIMS])
        problem = *dims == '2' ? "pde2d" : "pde3d";
    PSB_CHECK(strcmp(problem, "pde2d") == 0 || strcmp(problem, "pde3d") == 0, PSB_EARG,
              "--problem is \"%.80s\"; expected pde2d or pde3d", problem);
    snprintf(spec, sizeof spec, "%s:%.80s", problem, given[KEY_SIZE]);
    if (psb_gen_parse(spec, &gen) != PSB_OK)
        return PSB_FAIL(PSB_EARG, "--size: %s", say_why());
    t->pde = (struct psb_pde){ .dims = problem[3] - '0', .nx = gen.nx, .ny = gen.ny, .nz = gen.nz };
    t->rows = gen.m;
    return PSB_OK;
}

static psb_err set_matrix_system(const char *const given[MOST_OPTIONS], struct solve_task *t)
{
    const char *type = given[KEY_FILE_TYPE];
    PSB_CHECK(!type || strcmp(type, "MM") == 0 || strcmp(type, "HB") == 0, PSB_EARG,
              "--file-type is \"%.80s\"; expected MM or HB", type);
    t->matrix = given[KEY_MATRIX];
    t->rhs = given[KEY_RHS];
    t->hb = type ? strcmp(type, "HB") == 0 : psb_hb_named(t->matrix);
    return PSB_OK;
}

psb_err solve_options_set(const char *const given[MOST_OPTIONS], struct solve_task *t)
{
    const char *format = or_else(given[KEY_FORMAT], "CSR");
    PSB_TRY(t->system == KEY_SIZE ? set_grid_system(given, t) : set_matrix_system(given, t));
    if (given[KEY_TYPE])
        PSB_TRY(letter_option("--type", given[KEY_TYPE], "sdcz", &t->type));
    PSB_TRY(find_format(format, strlen(format), &t->format));
    const char *s = or_else(given[KEY_PARTITION], "block");
    const bool grid = t->system == KEY_SIZE;
    PSB_CHECK(strcmp(s, "block") == 0 || strcmp(s, "metis") == 0 || strncmp(s, "owners:", 7) == 0 ||
                  (grid && strcmp(s, "3d") == 0),
              PSB_EARG, "--partition is \"%.80s\"; expected block, metis%s or owners:FILE", s,
              grid ? ", 3d" : "");
    t->partition = s;
    PSB_TRY(set_solver_options(given, &t->options));
    const char *dot = given[KEY_PLOT] ? strrchr(given[KEY_PLOT], '.') : NULL;
    PSB_CHECK(!given[KEY_PLOT] || (dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0)), PSB_EARG,
              "--plot is \"%.80s\"; expected a name that ends with .png or .pdf", given[KEY_PLOT]);
    t->plot = given[KEY_PLOT];
    t->json = given[KEY_JSON];
    t->csv = given[KEY_CSV];
    t->report = given[KEY_REPORT];
    t->history = given[KEY_HISTORY];
    t->output = given[KEY_OUTPUT];
    return check_reports(&t->json, t->csv, t->report);
}

static const char solver_help[] =
    "\n"
    "The solver; the guess is 0:\n"
    "  --solver TEXT     method and options: \"cg, tol=1e-9, prec=bjac(ilu0)\"; the options\n"
    "                    below replace parts of it.  docs/solvers.md lists methods and\n"
    "                    preconditioners\n"
    "  --method NAME     bicgstab (default), cg, rgmres, ...\n"
    "  --prec NAME       diag (default), none, bjac(ilu0), ...\n"
    "  --stop NAME       relative (default): |b - A x| / |b|; backward; reduction; absolute\n"
    "  --tol T           what the criterion must not exceed at the end; default 1e-6\n"
    "  --itmax N         most iterations; default 1000\n"
    "  --restart N       of RGMRES and others; default 0: that of the method\n"
    "  --trace N         print the criterion every N iterations; default 0: never\n"
    "\n"
    "Storage:\n"
    "  --type s|d|c|z    single, double, complex single, complex double; default d, or z\n"
    "                    where the matrix is complex\n"
    "  --format NAME     storage format, default CSR.  With a GPU format the system is\n"
    "                    solved on the GPU, if there is one\n";

static const char output_help[] =
    "\n"
    "What comes out, beside the report:\n"
    "  --output FILE     x, in global order, as a Matrix Market array\n"
    "  --history FILE    a line \"iteration estimate\" for every iteration, or for those\n"
    "                    that --trace prints\n"
    "  --plot FILE       the same as a plot, FILE.png or FILE.pdf, drawn by gnuplot,\n"
    "                    which must be installed\n"
    "  --json FILE       the report as JSON\n"
    "  --csv FILE        the same as one line of comma-separated values\n"
    "  --report FILE     a page, FILE.html: picture of the matrix, residuals, halos, machine;\n"
    "                    drawn by psb-plot from FILE.json, or that of --json, which needs\n"
    "                    python3-matplotlib\n"
    "  -h, --help        print this\n"
    "  --version         print the version\n"
    "Times are those of the slowest process, bytes the sum over all processes.\n";

static const char status_help[] =
    "\n"
    "Environment: PSB_DEVICE is cuda, fake (for tests) or none; default: cuda if there is a GPU,\n"
    "else none.\n"
    "\n"
    "Status: 0; 1 where something failed or the method did not converge; 2 where the command line\n"
    "or the input file is wrong.\n";

void solve_show_help(const struct program *program)
{
    const struct solve_program *p = program->of;
    fputs(p->about, stdout);
    fputs(solver_help, stdout);
    fputs(p->partition, stdout);
    fputs(output_help, stdout);
    fputs(p->input, stdout);
    fputs(status_help, stdout);
}
