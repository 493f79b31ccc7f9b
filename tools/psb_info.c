/* psb_info.c -- tools: the program psb-info: what an installation offers, and whether it works. */
#include "config.h"
#include "command_line.h"
#include "env.h"
#include "info.h"
#include "psb_base.h"
#include "psb_cuda.h"
#include "psb_linsolve.h"
#include "transport.h"
#include "say.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char info_help[] =
    "Usage: [mpirun -np N] psb-info [OPTION ...]\n"
    "\n"
    "Print the version, what was built in and linked, the machine, how halos travel between\n"
    "the devices of several processes, and the formats.\n"
    "\n"
    "  --check        multiply a small matrix in every format, and solve a system\n"
    "  --environment  print the environment variables that the library reads, and no more\n"
    "  --json FILE    write what is printed to FILE too, as JSON\n"
    "  -h, --help     print this\n"
    "  --version      print the version\n"
    "\n"
    "Status: 0; 1 where something failed or a result is wrong; 2 where the command line\n"
    "is wrong.\n";

enum { KEY_CHECK = FIRST_OPTION, KEY_ENVIRONMENT, KEY_JSON, ROWS = 200 }; /* rows of a process */

static const struct option info_options[] = {
    { "check", no_argument, NULL, KEY_CHECK },        { "environment", no_argument, NULL, KEY_ENVIRONMENT },
    { "json", required_argument, NULL, KEY_JSON },    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION }, { NULL, 0, NULL, 0 },
};

static psb_err read_info_options(const struct program *p, int argc, char **argv,
                                 const char *given[MOST_OPTIONS])
{
    (void)p;
    PSB_TRY(command_line_read(argc, argv, info_options, 0, given));
    return check_reports(&given[KEY_JSON], NULL, NULL);
}

static void show_info_help(const struct program *p)
{
    (void)p;
    fputs(info_help, stdout);
}

/* *a = a matrix in CSR with 3 on the diagonal and -1 beside it. */
static psb_err make_matrix(psb_ctxt *ctxt, psb_desc **desc, psb_dspmat **a)
{
    PSB_TRY(psb_cdall_nl(desc, ctxt, ROWS));
    const psb_lpk n = psb_cd_global_rows(*desc);
    const double vals[] = { -1, 3, -1 };
    psb_err e = psb_spall(a, *desc, 3 * ROWS);
    for (psb_ipk l = 0; l < ROWS && e == PSB_OK; l++) {
        const psb_lpk i = psb_loc_to_glob(*desc, l); /* programs count from 1 */
        const psb_lpk rows[] = { i, i, i }, cols[] = { i - 1, i, i + 1 };
        const int first = i == 1, last = i == n;
        e = psb_spins(3 - first - last, rows + first, cols + first, vals + first, *a);
    }
    PSB_TRY(psb_agree(ctxt, e));
    PSB_TRY(psb_cdasb(*desc));
    return psb_spasb(*a, psb_d_mat_by_name("csr"), PSB_DUPL_ADD);
}

/* *error = that of the norm of A x for x = 1, relative: y is 2 in the first and last row and 1 in all others.
 */
static psb_err multiply(psb_dspmat *a, psb_lpk n, double *error)
{
    psb_dvect *x = NULL, *y = NULL;
    double norm = 0;
    psb_err e = psb_vects_like(a, &x, &y);
    PSB_THEN(e, psb_set_scal(1, x));
    PSB_THEN(e, psb_spmv(1, a, x, 0, y, 'N'));
    PSB_THEN(e, psb_genrm2(y, &norm));
    *error = fabs(norm * norm / (double)(n + 6) - 1);
    psb_gefree(x);
    psb_gefree(y);
    return e;
}

/* Multiply in the format of `mold`; *refused: it cannot hold the matrix. */
static psb_err check_one(const psb_dspmat *a, psb_lpk n, const struct psb_d_mat *mold, bool *refused)
{
    psb_dspmat *b = NULL;
    double error = 0;
    PSB_TRY(psb_sp_clone(a, &b));
    psb_err e = psb_spcnv(b, mold);
    *refused = e == PSB_EPADDING;
    if (*refused)
        e = PSB_OK;
    else
        PSB_THEN(e, multiply(b, n, &error));
    psb_spfree(b);
    PSB_TRY(e);
    PSB_CHECK(error < 1e-12, PSB_EDEVICE, "%s: the product is wrong, error %.3g", psb_d_mat_get_fmt(mold),
              error);
    return PSB_OK;
}

static psb_err check_formats(const psb_dspmat *a, psb_lpk n, int *right)
{
    const struct psb_d_mat *mold;
    for (int i = 0; (mold = psb_d_mat_format(i)); i++) {
        bool refused;
        PSB_TRY(check_one(a, n, mold, &refused));
        *right += !refused;
    }
    return PSB_OK;
}

static psb_err check_solve(const psb_dspmat *a, int *iterations)
{
    psb_dvect *x = NULL, *b = NULL;
    struct psb_solve_result res = { 0 };
    psb_err e = psb_vects_like(a, &x, &b);
    PSB_THEN(e, psb_set_scal(1, b));
    PSB_THEN(e, psb_solve(a, b, x, "cg, tol=1e-10, prec=diag", &res));
    psb_gefree(x);
    psb_gefree(b);
    PSB_TRY(e);
    PSB_CHECK(res.outcome == PSB_CONVERGED, PSB_EDEVICE, "cg ends: %s", psb_outcome_name(res.outcome));
    *iterations = res.iterations;
    return PSB_OK;
}

static int check_all(psb_ctxt *ctxt, const struct machine *m, bool first)
{
    psb_desc *desc = NULL;
    psb_dspmat *a = NULL;
    int right = 0, iterations = 0;
    psb_err e = make_matrix(ctxt, &desc, &a);
    PSB_THEN(e, check_formats(a, psb_cd_global_rows(desc), &right));
    PSB_THEN(e, check_solve(a, &iterations));
    psb_spfree(a);
    psb_cdfree(desc);
    if (e != PSB_OK)
        return complain(FAILED);
    if (first)
        printf("psb-info: PASSED: products in %d formats, a solution in %d iterations, %d process%s, device "
               "%s\n",
               right, iterations, m->processes, m->processes > 1 ? "es" : "", m->device);
    return EXIT_SUCCESS;
}

/* --- transports --- */

/* Exchange halos between devices by the transport that PSB_HALO names: its name in `used`, else what hinders
 * it. */
static psb_err exchange_halos(psb_ctxt *ctxt, char used[OBSTACLE_TEXT], char obstacle[OBSTACLE_TEXT])
{
    static const char refused[] = "which cannot be used: ";
    psb_desc *desc = NULL;
    psb_dspmat *a = NULL;
    double error;
    psb_err e = make_matrix(ctxt, &desc, &a);
    PSB_THEN(e, psb_spcnv(a, psb_d_mat_by_name("hlg")));
    PSB_THEN(e, multiply(a, psb_cd_global_rows(desc), &error));
    const char *why = e == PSB_OK ? NULL : strstr(psb_errtext(), refused);
    if (e == PSB_OK) {
        const char *name = psb_cd_transport(desc, &why);
        snprintf(used, OBSTACLE_TEXT, "%s%s%s%s", name, why ? " (" : "", why ? why : "", why ? ")" : "");
    } else {
        snprintf(obstacle, OBSTACLE_TEXT, "%s", why ? why + strlen(refused) : psb_errtext());
    }
    psb_spfree(a);
    psb_cdfree(desc);
    return psb_agree(ctxt, e);
}

/* Try each transport, and what is used without a wish.  Processes that share a device would wait for each
 * other's turns on it. */
static void try_transports(psb_ctxt *ctxt, struct info *t)
{
    char wish[VERSION_TEXT], by[OBSTACLE_TEXT], why[OBSTACLE_TEXT] = "";
    const char *name;
    if (exchange_halos(ctxt, t->used, why) != PSB_OK)
        snprintf(t->used, sizeof t->used, "none");
    snprintf(wish, sizeof wish, "%s", or_else(psb_env("PSB_HALO"), ""));
    for (int i = 0; i < TRANSPORTS && (name = psb_transport_name(i)); i++) {
        char shared[OBSTACLE_TEXT];
        char *const obstacle = t->transport[t->ntransports].obstacle;
        t->transport[t->ntransports++].name = name;
        snprintf(shared, sizeof shared, "not %s: processes share a device", name);
        if (strstr(t->used, shared)) {
            snprintf(obstacle, OBSTACLE_TEXT, "processes share a device");
            continue;
        }
        setenv("PSB_HALO", name, 1);
        if (exchange_halos(ctxt, by, obstacle) != PSB_OK)
            psb_clean_errstack();
    }
    if (*wish)
        setenv("PSB_HALO", wish, 1);
    else
        unsetenv("PSB_HALO");
}

static int run_info(const struct program *p, psb_ctxt *ctxt, const char *given[MOST_OPTIONS])
{
    struct info t = { .nlinked = 0 };
    int me;
    psb_info(ctxt, &me, NULL);
    if (given[KEY_ENVIRONMENT]) {
        if (me == 0)
            info_print_environment();
        return EXIT_SUCCESS;
    }
    if (machine_look(ctxt, &t.machine) != PSB_OK)
        return complain(FAILED);
    int devices = psb_cuda_device() != NULL;
    psb_err e = psb_min(ctxt, 1, &devices, -1);
    if (e == PSB_OK && devices && t.machine.processes > 1)
        try_transports(ctxt, &t);
    if (e == PSB_OK && me == 0) {
        info_look(&t);
        info_print(p, &t);
        e = given[KEY_JSON] ? info_json(p, &t, given[KEY_JSON]) : PSB_OK;
    }
    if (strcmp(t.machine.device, "none") == 0)
        setenv("PSB_DEVICE", "none", 1); /* the library need not say so too */
    e = psb_agree(ctxt, e);
    const int status = e != PSB_OK        ? complain(FAILED)
                       : given[KEY_CHECK] ? check_all(ctxt, &t.machine, me == 0)
                                          : EXIT_SUCCESS;
    machine_free(&t.machine);
    return status;
}

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "psb-info", .read = read_info_options, .show_help = show_info_help, .run = run_info
    };
    return program_main(&program, argc, argv);
}
