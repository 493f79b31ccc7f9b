/* gpu_spmv.c -- room: test/kernel.  y = A x on one GPU: all formats, cuSPARSE, and the copy bandwidth of this
 * GPU, all measured in one run; --help says how. */
#include "psb_cuda.h"
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "psb_type.h"
#include "gpu_spmv.h"

const char *const program = "gpu_spmv";
struct options opt = { .rounds = 3, .batch = 1, .columns = 1, .trans = 'N', .fill = -1, .limit = -1 };

static const char help[] =
    "Usage: gpu_spmv_d [OPTION ...] MATRIX ...     (gpu_spmv_s, _c, _z: other scalars)\n"
    "\n"
    "MATRIX, one of:\n"
    "  FILE              Matrix Market, plain, .gz or .xz\n"
    "  lap7:NX lap27:NX  Laplacian on a cube of NX^3 points\n"
    "  uniform:M:K       K entries a row, at random columns\n"
    "  power:M           rows of about 15 entries, by a power law, the longest some ten\n"
    "                    thousands; random columns\n"
    "  block:NX          elasticity on NX^3 points: blocks of 3 by 3, 81 entries a row\n"
    "  or another matrix of psb-spmv --generate.  MATRIX*R is R copies of it along the\n"
    "  diagonal.\n"
    "\n"
    "  --fill ENTRIES  repeat the matrix until it has this many entries; 0: no copies;\n"
    "                  default 50000000 for files, 0 for others\n"
    "  --formats LIST  only these formats, e.g. csrg,hlg,auto; default all on the GPU\n"
    "  --peers LIST    only these, or none; of cuSPARSE CSR-ALG1, CSR-ALG2, SELL-32; BSR-2,\n"
    "                  BSR-3, BSR-4 if there are full blocks, stored by rows, or by\n"
    "                  columns in BSR-2-COL, ...; with several columns MM-ALG1, MM-ALG2,\n"
    "                  MM-ALG3.  CUB: CSR by the merge path, if configured --with-cub\n"
    "  --limit TIMES   of formats that pad: refuse more bytes than this many times those of\n"
    "                  CSR, and slow products; 0: never; default: each format's own\n"
    "  --trans T|C     y = A^T x, y = A^H x; default N, y = A x\n"
    "  --columns K     Y = A X with K columns, by rows, 1 to 64; default 1\n"
    "  --rounds N      of 10 batches each, 1 to 30; default 3\n"
    "  --batch N       products of a batch, 1 to 1000; default 1\n"
    "  --conversions   measure them too, best of 3\n"
    "  --tsv FILE      append a row for each matrix and format\n"
    "  -h, --help      print this\n"
    "\n"
    "In each round every format and peer does 10 batches of products, timed by events,\n"
    "after 5 that are not counted; none waits for the host.  A batch's time is divided by\n"
    "its products; times are medians of all rounds.  An event takes some microseconds and\n"
    "keeps a product from starting before the one before it has ended: batches of 10 or\n"
    "more show the time of small products in a row.\n"
    "\n"
    "  GB/s        bytes that CSR with 32-bit indices must move, over the time\n"
    "  of copy     GB/s over the bandwidth of a copy of 1 GiB, read and written\n"
    "  x cuSPARSE  how many times as fast as the fastest of cuSPARSE\n"
    "  x CSR       how many times as fast as cuSPARSE's CSR\n"
    "  spread      the largest over the smallest median of a round\n"
    "  error       the largest error of an element, over its rounding bound\n"
    "  convert s   from triplets on the host to the end of the first product on the GPU;\n"
    "              products: convert s over the time of a product\n"
    "\n"
    "PSB_DEVICE=fake runs the program without a GPU; its times mean nothing.\n"
    "\n"
    "Exit status: 0; 1 if something failed or a result is wrong; 2 if the command line\n"
    "is wrong.\n";

/* --- the command line --- */

enum key { FILL = 'A', FORMATS, PEERS, LIMIT, TRANS, COLUMNS, ROUNDS, BATCH, CONVERSIONS, TSV };

static const struct option table[] = {
    { "fill", required_argument, NULL, FILL },
    { "formats", required_argument, NULL, FORMATS },
    { "peers", required_argument, NULL, PEERS },
    { "limit", required_argument, NULL, LIMIT },
    { "trans", required_argument, NULL, TRANS },
    { "columns", required_argument, NULL, COLUMNS },
    { "rounds", required_argument, NULL, ROUNDS },
    { "batch", required_argument, NULL, BATCH },
    { "conversions", no_argument, NULL, CONVERSIONS },
    { "tsv", required_argument, NULL, TSV },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static void set_trans(const char *s)
{
    static const char known[] = "NTCntc";
    if (!*s || s[1] || !strchr(known, *s))
        refuse("trans", s, "N, T or C");
    opt.trans = known[(strchr(known, *s) - known) % 3];
}

static void set_peers(const char *s)
{
    static const char known[] = "CSR-ALG1,CSR-ALG2,SELL-32,BSR-2,BSR-2-COL,BSR-3,BSR-3-COL,BSR-4,BSR-4-COL,"
                                "MM-ALG1,MM-ALG2,MM-ALG3,CUB,none";
    char name[16];
    for (const char *at = s; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!stands_in(name, known))
            refuse("peers", s, known);
    }
    opt.peers = s;
}

static void set(int key, const char *s)
{
    switch (key) {
    case FILL:
        opt.fill = count("fill", s, 0, INT_MAX, "a whole number from 0 to 2147483647");
        break;
    case FORMATS:
        opt.formats = s;
        break;
    case PEERS:
        set_peers(s);
        break;
    case LIMIT:
        opt.limit = (double)count("limit", s, 0, 1000, "a whole number from 0 to 1000");
        break;
    case TRANS:
        set_trans(s);
        break;
    case COLUMNS:
        opt.columns = (int)count("columns", s, 1, 64, "a whole number from 1 to 64");
        break;
    case ROUNDS:
        opt.rounds = (int)count("rounds", s, 1, MOST_ROUNDS, "a whole number from 1 to 30");
        break;
    case BATCH:
        opt.batch = (int)count("batch", s, 1, 1000, "a whole number from 1 to 1000");
        break;
    case CONVERSIONS:
        opt.conversions = 1;
        break;
    default:
        opt.tsv = open_tsv(s, tsv_columns);
    }
}

static void wrong_command(psb_err e, const char *option)
{
    if (e == PSB_OK)
        return;
    fprintf(stderr, "%s: %s%s\n", program, option, psb_errmsg());
    exit(2);
}

static void read_options(int argc, char **argv)
{
    read_command(argc, argv, table, help, set);
    for (int i = optind; i < argc; i++)
        wrong_command(problem_check(argv[i]), "");
}

/* Check the names of formats; they are known once the device is initialised. */
static void check_formats(void)
{
    for (const char *s = opt.formats; s;)
        if (!format_at(&s))
            wrong_command(PSB_EARG, "--formats: ");
}

/* --- the device --- */

static void start(psb_ctxt *ctxt)
{
    char name[256] = "the fake device: times mean nothing";
    int me, np;
    psb_info(ctxt, &me, &np);
    if (np > 1)
        good(PSB_FAIL(PSB_EARG, "there are %d processes; expected one", np), "MPI");
    good(psb_cuda_init(ctxt), "device");
    if (!psb_cuda_device())
        good(PSB_FAIL(PSB_EDEVICE, "there is no GPU; PSB_DEVICE=fake tries this program without"), "device");
    if (psb_cuda_stream())
        good(psb_cuda_DeviceName(name, sizeof name), "device");
    check_formats();
    printf("one %s, type %c", name, LETTER);
#ifdef WITH_CUSPARSE
    printf(", cuSPARSE %s", cusparse_version());
#endif
    puts("");
}

/* --- one matrix --- */

/* Returns the number of wrong results; 1 if the matrix cannot be read. */
static int run(psb_ctxt *ctxt, const char *what)
{
    static struct field f;
    struct problem p;
    if (problem_load(&p, ctxt, what) != PSB_OK) {
        fprintf(stderr, "%s: %s: %s\n", program, what, psb_errmsg());
        return 1;
    }
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        enter_peers(&f, &p);
#endif
    enter_ours(&f, &p);
    measure(&f, &p);
    int wrong = check(&f, &p);
    report(&f, &p);
    leave(&f);
#ifdef WITH_CUSPARSE
    if (psb_cuda_stream())
        leave_peers();
#endif
    problem_free(&p);
    return wrong;
}

int main(int argc, char **argv)
{
    psb_ctxt *ctxt;
    int wrong = 0;
    read_options(argc, argv);
    good(psb_init(&ctxt), "MPI");
    start(ctxt);
    for (int i = optind; i < argc; i++)
        wrong += run(ctxt, argv[i]);
    psb_cuda_exit();
    psb_exit(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
