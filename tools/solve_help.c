/* solve_help.c -- room: tools.  The text of --help that psb-pargen and psb-fileread share. */
#include "config.h"
#include "solve.h"

static const char solver[] =
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

static const char output[] =
    "\n"
    "What comes out, beside the report:\n"
    "  --output FILE     x, in global order, as a Matrix Market array\n"
    "  --history FILE    a line \"iteration estimate\" for every iteration, or for those\n"
    "                    that --trace prints\n"
    "  --plot FILE       the same as a plot, FILE.png or FILE.pdf, drawn by gnuplot; a\n"
    "                    message says if it is not installed\n"
    "  --json FILE       the report as JSON\n"
    "  -h, --help        print this\n"
    "  --version         print the version\n"
    "Times are those of the slowest process, bytes the sum over all processes.\n";

static const char status[] =
    "\n"
    "Environment: PSB_DEVICE is cuda, fake (for tests) or none; default: cuda if there is a GPU,\n"
    "else none.\n"
    "\n"
    "Status: 0; 1 where something failed or the method did not converge; 2 where the command line\n"
    "or the input file is wrong.\n";

void solve_show_help(const struct solve_program *p)
{
    fputs(p->about, stdout);
    fputs(solver, stdout);
    fputs(p->partition, stdout);
    fputs(output, stdout);
    fputs(p->input, stdout);
    fputs(status, stdout);
}
