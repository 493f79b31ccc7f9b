/* psb_hpcg.c -- tools: the program psb-hpcg: the HPCG benchmark. */
#include "config.h"
#include "command_line.h"
#include "hpcg.h"
#include "number.h"
#include "psb_threads.h"
#include "say.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hpcg_help[] =
    "Usage: [mpirun -np N] psb-hpcg [OPTION ...]\n"
    "\n"
    "Run the HPCG benchmark (https://hpcg-benchmark.org, version 3.1): CG with a multigrid\n"
    "of symmetric Gauss-Seidel sweeps, for a stencil of 27 points, and print its report.\n"
    "\n"
    "  --size NX[,NY,NZ] points of each process, multiples of 8, at least 16, the least an\n"
    "                    eighth of the largest or more; NX: a cube; default 104\n"
    "  --grid PX,PY,PZ   processes in each direction; default: near to a cube\n"
    "  --time SECONDS    to be measured, at least one set; default 60; official results\n"
    "                    need 1800\n"
    "  --format NAME     storage format of the optimised problem, default CSR.  With a GPU\n"
    "                    format, as HLG, it is solved on the GPU, if there is one.  Formats\n"
    "                    of diagonals exploit the stencil: such a run is not valid\n"
    "  --order ORDER     of the sweeps: rows, on the host by one thread, or colour; default\n"
    "                    rows on the host with one thread, else colour\n"
    "  --reference R     what the reference would reach, the last residual over the first:\n"
    "                    the report of an earlier run (JSON: reference_residual) has it.  The\n"
    "                    reference is not run, and the run is not valid\n"
    "  --output FILE     the report, instead of standard output\n"
    "  --json FILE       the report as JSON, with what makes a run invalid\n"
    "  -h, --help        print this\n"
    "  --version         print the version\n"
    "\n"
    "The reference problem is solved on the host, in CSR, with sweeps by rows.  The set-up is the\n"
    "generation of the levels, on the GPU for its formats; what only the reference needs, copies\n"
    "on the host and triangles, is not in its time.  Optimised are: sweeps that read only the\n"
    "part of the matrix that they need; residuals, at points of the coarser grid alone; two dot\n"
    "products, made with the product (time of SpMV) and with the sum of vectors (time of WAXPBY),\n"
    "so that the time of DDOT is that of the third.\n"
    "\n"
    "Environment: PSB_DEVICE as for psb-pargen.\n"
    "\n"
    "Status: 0; 1 where something failed or the run is not valid; 2 where the command line is\n"
    "wrong.\n";

enum {
    KEY_SIZE = FIRST_OPTION,
    KEY_GRID,
    KEY_TIME,
    KEY_FORMAT,
    KEY_ORDER,
    KEY_REFERENCE,
    KEY_OUTPUT,
    KEY_JSON
};

static const struct option hpcg_options[] = {
    { "reference", required_argument, NULL, KEY_REFERENCE },
    { "size", required_argument, NULL, KEY_SIZE },
    { "grid", required_argument, NULL, KEY_GRID },
    { "time", required_argument, NULL, KEY_TIME },
    { "format", required_argument, NULL, KEY_FORMAT },
    { "order", required_argument, NULL, KEY_ORDER },
    { "output", required_argument, NULL, KEY_OUTPUT },
    { "json", required_argument, NULL, KEY_JSON },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
    { NULL, 0, NULL, 0 },
};

static psb_err read_hpcg_options(const struct program *p, int argc, char **argv,
                                 const char *given[MOST_OPTIONS])
{
    (void)p;
    return command_line_read(argc, argv, hpcg_options, 0, given);
}

static void show_hpcg_help(const struct program *p)
{
    (void)p;
    fputs(hpcg_help, stdout);
}

/* --- options --- */

/* Three whole numbers, or one for all. */
static psb_err read_three(const char *name, const char *s, int n[3])
{
    char end;
    int found = sscanf(s, "%9d,%9d,%9d%c", &n[0], &n[1], &n[2], &end);
    if (found == 1 && sscanf(s, "%9d%c", &n[0], &end) == 1) {
        n[1] = n[2] = n[0];
        found = 3;
    }
    PSB_CHECK(found == 3 && n[0] > 0 && n[1] > 0 && n[2] > 0, PSB_EARG,
              "--%s is \"%.80s\"; expected three whole numbers from 1, as 32,16,24", name, s);
    return PSB_OK;
}

/* The least of three numbers is an eighth of the largest or more. */
static bool is_compact(const int n[3])
{
    int least = n[0], most = n[0];
    for (int d = 1; d < 3; d++) {
        least = n[d] < least ? n[d] : least;
        most = n[d] > most ? n[d] : most;
    }
    return 8 * (long)least >= most;
}

static psb_err set_box(const char *s, struct hpcg_task *t)
{
    double all = 1;
    PSB_TRY(read_three("size", s, t->box));
    for (int d = 0; d < 3; d++) {
        PSB_CHECK(t->box[d] >= 16 && t->box[d] % 8 == 0, PSB_EARG,
                  "--size is \"%.80s\"; expected multiples of 8, at least 16", s);
        all *= t->box[d];
    }
    PSB_CHECK(is_compact(t->box), PSB_EARG,
              "--size is \"%.80s\"; expected the least to be an eighth of the largest or more", s);
    PSB_CHECK(all <= INT32_MAX, PSB_EARG, "--size is \"%.80s\"; expected less than 2^31 points", s);
    return PSB_OK;
}

/* Set n to the factors n[0] >= n[1] >= n[2] of np whose box has the least surface. */
static void choose_grid(int np, int n[3])
{
    double least = HUGE_VAL;
    for (int z = 1; (long)z * z * z <= np; z++)
        for (int y = z; np % z == 0 && (long)y * y <= np / z; y++) {
            const int x = np / z / y;
            const double surface = (double)x * y + (double)y * z + (double)z * x;
            if (np / z % y != 0 || surface >= least)
                continue;
            least = surface;
            n[0] = x;
            n[1] = y;
            n[2] = z;
        }
}

static psb_err set_grid(const char *s, struct hpcg_task *t)
{
    int *n = t->grid;
    if (s)
        PSB_TRY(read_three("grid", s, n));
    else
        choose_grid(t->np, n);
    PSB_CHECK((double)n[0] * n[1] * n[2] == t->np, PSB_EARG,
              "--grid is \"%.80s\"; expected numbers with the product %d, the processes", or_else(s, ""),
              t->np);
    PSB_CHECK(
        is_compact(n), PSB_EARG,
        "%d processes make a grid of %d by %d by %d; expected the least to be an eighth of the largest or "
        "more",
        t->np, n[0], n[1], n[2]);
    t->place[0] = t->me % n[0];
    t->place[1] = t->me / n[0] % n[1];
    t->place[2] = t->me / n[0] / n[1];
    return PSB_OK;
}

static psb_err set_options(const char *const given[MOST_OPTIONS], struct hpcg_task *t)
{
    const char *format = or_else(given[KEY_FORMAT], "CSR"), *seconds = or_else(given[KEY_TIME], "60");
    PSB_TRY(set_box(or_else(given[KEY_SIZE], "104"), t));
    PSB_TRY(set_grid(given[KEY_GRID], t));
    PSB_TRY(find_format(format, strlen(format), &t->format));
    PSB_CHECK(psb_read_number(seconds, &t->seconds) && t->seconds >= 0 && t->seconds <= 1e6, PSB_EARG,
              "--time is \"%.80s\"; expected a number from 0 to 10^6", seconds);
    if (given[KEY_REFERENCE])
        PSB_CHECK(psb_read_number(given[KEY_REFERENCE], &t->reference) && t->reference > 0 &&
                      t->reference < 1,
                  PSB_EARG, "--reference is \"%.80s\"; expected a number from 0 to 1, both excluded",
                  given[KEY_REFERENCE]);
    const struct X(mat_dev_ops) *dev = X(mat_dev)(X(mat_by_name)(t->format));
    const bool device = dev->device && dev->device();
    const char *order = or_else(given[KEY_ORDER], device || t->threads > 1 ? "colour" : "rows");
    PSB_CHECK(strcmp(order, "rows") == 0 || strcmp(order, "colour") == 0, PSB_EARG,
              "--order is \"%.80s\"; expected rows or colour", order);
    t->coloured = *order == 'c';
    t->json = given[KEY_JSON];
    t->output = given[KEY_OUTPUT];
    return check_reports(&t->json, NULL, NULL);
}

/* --- the run --- */

static int run_hpcg(const struct program *p, psb_ctxt *ctxt, const char *given[MOST_OPTIONS])
{
    struct hpcg_task t = { .ctxt = ctxt, .threads = psb_threads(INT64_MAX) };
    struct hpcg_results r = { .task = &t };
    struct file_option files[] = {
        { .name = "--output", .path = given[KEY_OUTPUT], .output = true },
        { .name = "--json", .path = given[KEY_JSON], .output = true },
        { .name = NULL },
    };
    bool valid = false;
    (void)p;
    psb_info(ctxt, &t.me, &t.np);
    if (set_options(given, &t) != PSB_OK)
        return complain(MISUSED);
    psb_err e = check_outputs(ctxt, files);
    if (e == PSB_EARG)
        return complain(MISUSED);
    PSB_THEN(e, psb_max(ctxt, 1, &t.coloured, -1)); /* its default depends on the process */
    PSB_THEN(e, machine_names(ctxt, &r.machine));
    PSB_THEN(e, hpcg_run(&t, &r));
    PSB_THEN(e, psb_agree(ctxt, hpcg_report(&r, &valid)));
    machine_free(&r.machine);
    return e != PSB_OK ? complain(FAILED) : valid ? EXIT_SUCCESS : FAILED;
}

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "psb-hpcg", .read = read_hpcg_options, .show_help = show_hpcg_help, .run = run_hpcg
    };
    return program_main(&program, argc, argv);
}
