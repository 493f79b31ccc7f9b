/* options.c -- room: tools.  The command line of psb-spmv. */
#include "config.h"
#include "options.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "Usage: [mpirun -np N] psb-spmv (--matrix FILE | --generate SPEC) [OPTION ...]\n"
    "\n"
    "Compute y = alpha op(A) x + beta y with a distributed sparse matrix A, in one storage format or in "
    "many,\n"
    "and measure the conversion to the format and the product.\n"
    "\n"
    "The matrix, one of:\n"
    "  --matrix FILE       a Matrix Market file; plain, .gz or .xz\n"
    "  --generate SPEC     lap7:NX[,NY,NZ]   Laplacian on a grid, 7 points (NX alone: a cube)\n"
    "                      lap27:NX[,NY,NZ]  the same, 27 points\n"
    "                      uniform:M,K       M by M, K random entries in every row\n"
    "                      powerlaw:M,K      M by M, about K entries a row; a few rows and columns are long\n"
    "\n"
    "The product:\n"
    "  --format NAMES      storage formats, CSR,ELL say, or all; default CSR.  A format on a GPU computes\n"
    "                      there if there is one, else on the host\n"
    "  --type s|d|c|z      single, double, complex single, complex double; default d, z for a complex file\n"
    "  --partition WHAT    block (default): even blocks of rows; or a FILE: for each row, the number of the\n"
    "                      process that owns it, from 0; comments begin with % or #.  The columns of a "
    "square\n"
    "                      matrix go with its rows, those of another are cut into even blocks\n"
    "  --trans N|T|C       op(A): A (default), its transpose, its conjugate transpose\n"
    "  --alpha A           a number, or RE,IM for the types c and z; default 1\n"
    "  --beta B            the same; default 0\n"
    "  --x FILE            x, a Matrix Market file of one column; default x_i = 1 + (i mod 17)/10, i from 0\n"
    "  --y FILE            y before the product, likewise; default 0\n"
    "\n"
    "What comes out:\n"
    "  --output FILE       write y after one product, in global order, as a Matrix Market array; of several\n"
    "                      formats that of the last one\n"
    "  --check             compare y after one product, in each format, with sums in long double over the\n"
    "                      entries; the greatest error is relative to |alpha| |op(A)| |x| + |beta| |y|.  "
    "The\n"
    "                      status is 1 where it exceeds (longest row + 4) eps, for complex types 4 times "
    "that\n"
    "  --reps N            samples to take the median of, each of about 2 ms or more; default 20\n"
    "  --json FILE         write what was measured to FILE\n"
    "  -h, --help          print this\n"
    "  --version           print the version\n"
    "\n"
    "How to read the table:\n"
    "  convert   time to convert the assembled matrix from COO to the format, on the host\n"
    "  product   median time of one product, halo exchange included\n"
    "  GFLOP/s   2 operations for each entry, 8 for complex types\n"
    "  GB/s      compulsory bytes of CSR, the same for all formats, over the time of one product: with m "
    "rows,\n"
    "            n columns and nz entries of s bytes, nz (s + 4) + 4 (m + 1) + s (m + n), and once more the\n"
    "            length of y if beta is not 0\n"
    "  of copy   GB/s over what a copy in memory reaches, measured in the same run, where the product runs\n"
    "Times are those of the slowest process; all the rest is of all processes together.\n"
    "\n"
    "Environment: PSB_DEVICE=cuda|fake|none chooses the device, PSB_LOG=transfers logs every copy between "
    "host\n"
    "and device, and says at the end what was copied during the timed products.\n"
    "\n"
    "Status: 0, or 1 where something failed (a format asked for by name was refused, an error too large),\n"
    "2 where the command line is wrong.\n";

enum key {
    MATRIX, /* all below any character */
    GENERATE,
    FORMAT,
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
    CHECK,
    HELP,
    WHICH,
    KEYS
};

static const struct option table[] = {
    { "matrix", required_argument, NULL, MATRIX },
    { "generate", required_argument, NULL, GENERATE },
    { "format", required_argument, NULL, FORMAT },
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
    { "check", no_argument, NULL, CHECK },
    { "help", no_argument, NULL, HELP },
    { "version", no_argument, NULL, WHICH },
    { NULL, 0, NULL, 0 },
};

/* said[k]: the argument of option k, "" where it takes none, NULL where it is not there. */
static psb_err collect(int argc, char **argv, const char **said)
{
    int k;
    opterr = 0;
    while ((k = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
        PSB_CHECK(k != ':', PSB_EARG, "%s needs an argument", argv[optind - 1]);
        PSB_CHECK(k != '?', PSB_EARG, "%s is no option, or not used as one", argv[optind - 1]);
        said[k == 'h' ? HELP : k] = optarg ? optarg : "";
    }
    PSB_CHECK(optind == argc || said[HELP], PSB_EARG, "unexpected argument \"%.80s\"; options begin with --",
              argv[optind]);
    return PSB_OK;
}

static psb_err letter(const char *name, const char *s, const char *choice, char *out)
{
    PSB_CHECK(s[0] && !s[1] && strchr(choice, s[0]), PSB_EARG, "%s is \"%.80s\"; expected one of %s", name, s,
              choice);
    *out = s[0];
    return PSB_OK;
}

/* RE or RE,IM. */
static psb_err number(const char *name, const char *s, double out[2], int *imaginary)
{
    char *end;
    out[0] = strtod(s, &end);
    out[1] = 0;
    int good = end != s;
    if (good && *end == ',') {
        const char *second = end + 1;
        out[1] = strtod(second, &end);
        good = end != second;
        *imaginary = 1;
    }
    PSB_CHECK(good && !*end, PSB_EARG, "%s is \"%.80s\"; expected a number, or RE,IM", name, s);
    return PSB_OK;
}

static psb_err count(const char *name, const char *s, int most, int *out)
{
    char *end;
    errno = 0;
    long n = strtol(s, &end, 10);
    PSB_CHECK(end != s && !*end && !errno && n >= 1 && n <= most, PSB_EARG,
              "%s is \"%.80s\"; expected a whole number from 1 to %d", name, s, most);
    *out = (int)n;
    return PSB_OK;
}

static const char *or_else(const char *s, const char *otherwise)
{
    return s ? s : otherwise;
}

static psb_err interpret(const char *const *said, struct options *o)
{
    o->matrix = said[MATRIX];
    o->generate = said[GENERATE];
    o->format = or_else(said[FORMAT], "CSR");
    o->partition = or_else(said[PARTITION], "block");
    o->x = said[XFILE];
    o->y = said[YFILE];
    o->output = said[OUTPUT];
    o->json = said[JSON];
    o->check = said[CHECK] != NULL;
    PSB_CHECK(!o->matrix || !o->generate, PSB_EARG, "--matrix and --generate are both there; expected one");
    PSB_CHECK(o->matrix || o->generate, PSB_EARG, "expected --matrix FILE or --generate SPEC");
    if (said[TYPE])
        PSB_TRY(letter("--type", said[TYPE], "sdcz", &o->type));
    PSB_TRY(letter("--trans", or_else(said[TRANS], "N"), "NTC", &o->trans));
    PSB_TRY(number("--alpha", or_else(said[ALPHA], "1"), o->alpha, &o->imaginary));
    PSB_TRY(number("--beta", or_else(said[BETA], "0"), o->beta, &o->imaginary));
    return count("--reps", or_else(said[REPS], "20"), 1000000, &o->reps);
}

psb_err options_parse(int argc, char **argv, struct options *o)
{
    const char *said[KEYS] = { NULL };
    *o = (struct options){ 0 };
    PSB_TRY(collect(argc, argv, said));
    o->help = said[HELP] != NULL;
    o->version = said[WHICH] != NULL;
    return o->help || o->version ? PSB_OK : interpret(said, o);
}
