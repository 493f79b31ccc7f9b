/* gpu_options.c -- test/kernel: the command line of gpu_spmv. */
#include "gpu_options.h"
#include "bench.h"
#include <getopt.h>
#include <limits.h>
#include <string.h>

const char tsv_columns[] =
    "matrix\ttype\top\tcolumns\tcopies\trows\tcols\tnnz\tcopy_GBs\trunner\twhose\tformat\tms\tGBs"
    "\tof_copy\tx_best\tx_csr\tspread\tconvert_s\tconvert\terror\trefused\n";

struct options opt = { .rounds = 3, .batch = 1, .columns = 1, .trans = 'N', .fill = -1, .limit = -1 };

static const char help[] =
    "Usage: gpu_spmv [OPTION ...] MATRIX ...\n"
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
    "  --type s|d|c|z  scalar type; default d\n"
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

void gpu_read_options(int argc, char **argv)
{
    read_command(argc, argv, table, help, set);
}
