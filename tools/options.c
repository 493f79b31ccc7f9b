/* options.c -- tools: the command line of psb-spmv. */
#include "config.h"
#include "options.h"
#include "command_line.h"
#include "number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char options_help[] =
    "Usage: [mpirun -np N] psb-spmv (--matrix FILE | --generate SPEC) [OPTION ...]\n"
    "\n"
    "Compute y = alpha op(A) x + beta y with a distributed sparse matrix A, in one\n"
    "storage format or in many, and measure the conversion and the product.\n"
    "\n"
    "The matrix, one of:\n"
    "  --matrix FILE     a Matrix Market file, which all processes read together; or,\n"
    "                    named .hb, .rb, .rua, .rsa and so on, a Harwell-Boeing one.\n"
    "                    Plain, gzip or xz; a pipe is read by the first process\n"
    "  --generate SPEC   lap7:NX[,NY,NZ]   Laplacian on a grid, 7 points; NX: a cube\n"
    "                    lap27:NX[,NY,NZ]  the same, 27 points\n"
    "                    uniform:M,K       M by M, K random entries in every row\n"
    "                    powerlaw:M,K      M by M, about K entries a row; a few rows\n"
    "                                      and columns have very many\n"
    "                    powerrows:M,K,MOST\n"
    "                                      the same, no row longer than MOST, columns even\n"
    "                    banded:M,K        M by M, full within K diagonals either\n"
    "                                      side of the main one; M,L,U: L below, U above\n"
    "                    elasticity:NX[,NY,NZ]\n"
    "                                      linear elasticity, 3 unknowns a grid point,\n"
    "                                      81 entries a row\n"
    "                    pde2d:NX[,NY]     diffusion on the unit square and cube by\n"
    "                    pde3d:NX[,NY,NZ]  centred differences, as PSBLAS's tests have it\n"
    "\n"
    "The product:\n"
    "  --format NAMES    storage formats, CSR,ELL say, or all; default CSR.  GPU\n"
    "                    formats compute on the host where there is no GPU\n"
    "  --compare NAMES   other libraries in the same table: cusparse, its CSR on the GPU;\n"
    "                    librsb, on the host; petsc, its AIJ and, for op(A) = A, SELL,\n"
    "                    on the host, without threads; where they were built in\n"
    "  --type s|d|c|z    single, double, complex single, complex double; default d,\n"
    "                    or z where the file is complex\n"
    "  --partition P     block (default): even blocks of rows; metis: parts of the\n"
    "                    graph of a square matrix, by METIS; owners:FILE: a file that\n"
    "                    names for each row the process that owns it, from 0; comments\n"
    "                    begin with % or # (FILE alone is understood too).  Columns\n"
    "                    follow the rows of a square matrix, else they are cut into\n"
    "                    even blocks\n"
    "  --trans N|T|C     op(A): A (default), its transpose, its conjugate transpose\n"
    "  --alpha A         a number, or RE,IM for the types c and z; default 1\n"
    "  --beta B          the same; default 0\n"
    "  --x FILE          x, a Matrix Market file of one column;\n"
    "                    default x_i = 1 + (i mod 17)/10, i = 0, 1, ...\n"
    "  --y FILE          y before the product, likewise; default 0\n"
    "\n"
    "What comes out:\n"
    "  --output FILE     write y after one product, in global order, as a Matrix\n"
    "                    Market array; of several formats, that of the last one\n"
    "  --check           compare y after one product, in each format, with sums in\n"
    "                    long double; fail where an element differs by more than\n"
    "                    (longest row + 4) eps (|alpha| |op(A)| |x| + |beta| |y|),\n"
    "                    for complex types 4 times that\n"
    "  --reps N          take the median of N samples of 2 ms or more; default 20\n"
    "  --json FILE       write the measurements to FILE as JSON\n"
    "  --csv FILE        write the table as comma-separated values\n"
    "  --report FILE     a page, FILE.html: picture of the matrix, formats by time and\n"
    "                    bytes, roofline, halos, machine; drawn by psb-plot from\n"
    "                    FILE.json, or that of --json, which needs python3-matplotlib\n"
    "  -h, --help        print this\n"
    "  --version         print the version\n"
    "\n"
    "How to read the table:\n"
    "  convert    time to convert the assembled matrix from COO, on the host\n"
    "  product    median time of one product, messages included\n"
    "  GFLOP/s    2 operations for each entry, 8 for complex types\n"
    "  GB/s       bytes that a product in CSR must move, over the time; the same\n"
    "             yardstick for all formats.  For m rows, n columns, nz entries of\n"
    "             s bytes: nz (s + 4) + 4 (m + 1) + s (m + n), and once more the\n"
    "             bytes of y if beta is not 0\n"
    "  of copy    GB/s over those of a copy in memory, measured in the same run where\n"
    "             the product runs; beyond 100 % where the matrix fits in cache\n"
    "  max error  greatest difference found by --check, an element relative to\n"
    "             |alpha| |op(A)| |x| + |beta| |y|\n"
    "Times are those of the slowest process, the rest is of all processes together.\n"
    "\n"
    "Environment:\n"
    "  PSB_DEVICE        cuda, fake (for tests) or none; default: cuda if there is a GPU,\n"
    "                    else none\n"
    "  PSB_HALO          halos of vectors on a device: lsa (devices of one host store\n"
    "                    into each other's memory), lsa+nccl (NCCL between hosts),\n"
    "                    nccl (NCCL), mpi (MPI from the device's memory), staged\n"
    "                    (host memory and MPI) or auto (default: the first of these\n"
    "                    that can be used)\n"
    "  PSB_HALO_TIMEOUT  seconds that the first three wait for a process, 120; if set,\n"
    "                    sums too\n"
    "  PSB_LOG           transfers: log every copy between host and device, and sum\n"
    "                    up those of the timed products; formats: log what auto and\n"
    "                    tuned chose among; kernels: log every product,\n"
    "                    and sum them up at exit; halo: how halos are exchanged,\n"
    "                    and why not faster; hints: what is slow, and why\n"
    "\n"
    "Status: 0; 1 where something failed, an error is too large, or a format asked\n"
    "for by name refused the matrix; 2 where the command line is wrong.\n";

enum spmv_key {
    MATRIX = FIRST_OPTION,
    GENERATE,
    FORMAT,
    COMPARE,
    TYPE,
    PARTITION,
    TRANS,
    ALPHA,
    BETA,
    XFILE,
    YFILE,
    OUTPUT,
    REPS,
    JSON,
    CSV,
    REPORT,
    CHECK
};

static const struct option spmv_options[] = {
    { "matrix", required_argument, NULL, MATRIX },
    { "generate", required_argument, NULL, GENERATE },
    { "format", required_argument, NULL, FORMAT },
    { "compare", required_argument, NULL, COMPARE },
    { "type", required_argument, NULL, TYPE },
    { "partition", required_argument, NULL, PARTITION },
    { "trans", required_argument, NULL, TRANS },
    { "alpha", required_argument, NULL, ALPHA },
    { "beta", required_argument, NULL, BETA },
    { "x", required_argument, NULL, XFILE },
    { "y", required_argument, NULL, YFILE },
    { "output", required_argument, NULL, OUTPUT },
    { "reps", required_argument, NULL, REPS },
    { "json", required_argument, NULL, JSON },
    { "csv", required_argument, NULL, CSV },
    { "report", required_argument, NULL, REPORT },
    { "check", no_argument, NULL, CHECK },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
    { NULL, 0, NULL, 0 },
};

static psb_err read_number(const char *name, const char *s, struct number *out)
{
    char re[200];
    const char *im = strchr(s, ',');
    struct number x = { .pair = im != NULL };
    snprintf(re, sizeof re, "%.*s", (int)strcspn(s, ","), s);
    PSB_CHECK(strlen(s) < sizeof re && psb_read_number(re, &x.re) &&
                  (!im || psb_read_number(im + 1, &x.im)) && isfinite(x.re) && isfinite(x.im),
              PSB_EARG, "%s is \"%.80s\"; expected a number that is finite, or RE,IM", name, s);
    *out = x;
    return PSB_OK;
}

psb_err options_read(int argc, char **argv, const char *given[MOST_OPTIONS], struct options *o)
{
    *o = (struct options){ 0 };
    PSB_TRY(command_line_read(argc, argv, spmv_options, 0, given));
    if (given[OPTION_HELP] || given[OPTION_VERSION])
        return PSB_OK;
    o->matrix = given[MATRIX];
    o->generate = given[GENERATE];
    o->format = or_else(given[FORMAT], "CSR");
    o->compare = given[COMPARE];
    o->partition = or_else(given[PARTITION], "block");
    o->x = given[XFILE];
    o->y = given[YFILE];
    o->output = given[OUTPUT];
    o->json = given[JSON];
    o->csv = given[CSV];
    o->report = given[REPORT];
    PSB_TRY(check_reports(&o->json, o->csv, o->report));
    o->check = given[CHECK] != NULL;
    PSB_CHECK(!o->matrix || !o->generate, PSB_EARG, "--matrix and --generate are both there; expected one");
    PSB_CHECK(o->matrix || o->generate, PSB_EARG, "expected --matrix FILE or --generate SPEC");
    if (given[TYPE])
        PSB_TRY(letter_option("--type", given[TYPE], "sdcz", &o->type));
    PSB_TRY(letter_option("--trans", or_else(given[TRANS], "N"), "NTC", &o->trans));
    PSB_TRY(read_number("--alpha", or_else(given[ALPHA], "1"), &o->alpha));
    PSB_TRY(read_number("--beta", or_else(given[BETA], "0"), &o->beta));
    return count_option("--reps", or_else(given[REPS], "20"), 1000000, &o->reps);
}
