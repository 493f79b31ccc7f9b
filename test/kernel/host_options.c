/* host_options.c -- test/kernel: the command line of host_spmv. */
#include "host_options.h"
#include "bench.h"
#include <getopt.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

const char tsv_columns[] =
    "matrix\ttype\tprocs\tthreads\trows\tcols\tnnz\ttriad_GBs\trunner\twhose\tms\tlimit\tT/N\t8col"
    "\tconvert_ms\tconvert\ttune_ms\ttune\tMB\terror\n";

struct options opt = { .rounds = 7, .tune = 4 };

static const char help[] =
    "Usage: [mpi-run NP] host_spmv [OPTION ...] MATRIX ...\n"
    "\n"
    "MATRIX is a Matrix Market file, or generated: lap7:100, lap27:100, ...\n"
    "\n"
    "  --type s|d|c|z  scalar type; default d\n"
    "  --rounds N      number of rounds, 1 to 99; default 7\n"
    "  --threads LIST  numbers of threads, e.g. 1,2, all in each round; default: as\n"
    "                  many as OpenMP uses\n"
    "  --formats LIST  only these formats, e.g. csr,hll; CSR is always measured\n"
    "  --peers LIST    only these of petsc-aij,petsc-sell,librsb, or none\n"
    "  --tune N        rounds of LIBRSB's tuner, 1 to 16; default 4\n"
    "  --only n        only y = A x\n"
    "  --least         times are the least of the rounds, of measurements of 2 ms: on a\n"
    "                  machine with other load\n"
    "  --tsv FILE      append a row for each matrix, number of threads and format\n"
    "  -h, --help      print this\n"
    "\n"
    "In each round every format and peer runs for 20 ms or more with each number of\n"
    "threads.  Times are medians of the rounds.\n"
    "\n"
    "  ms       of a product y = A x\n"
    "  limit    bytes of the format's arrays, x and y, over the bandwidth of a triad of\n"
    "           doubles (24 bytes an element), over the time; above 1 if they fit in a\n"
    "           cache\n"
    "  x peers  how many times as fast as the best of PETSc and LIBRSB\n"
    "  T/N      the time of y = A^T x over that of y = A x\n"
    "  8 col    8 products over one with 8 columns, x and y by rows\n"
    "  convert  from sorted triplets, best of 3, over a product of our CSR measured\n"
    "           with it; PETSc-SELL: from PETSc's AIJ\n"
    "  tune     LIBRSB's tuner, over the same product\n"
    "  error    the largest error of an element of any product, over its rounding bound\n"
    "\n"
    "PETSc uses no threads and is measured with one thread only.  With several processes\n"
    "each has an even block of rows; only y = A x is measured, messages included, and\n"
    "LIBRSB is not measured.\n"
    "\n"
    "Exit status: 0; 1 if something failed or a result is wrong; 2 if the command line\n"
    "is wrong.\n";

enum key { ROUNDS = 'A', THREADS, FORMATS, PEERS, TUNE, ONLY, LEAST, TSV };

static const struct option table[] = {
    { "rounds", required_argument, NULL, ROUNDS },
    { "threads", required_argument, NULL, THREADS },
    { "formats", required_argument, NULL, FORMATS },
    { "peers", required_argument, NULL, PEERS },
    { "tune", required_argument, NULL, TUNE },
    { "only", required_argument, NULL, ONLY },
    { "least", no_argument, NULL, LEAST },
    { "tsv", required_argument, NULL, TSV },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static void set_threads(const char *s)
{
    static const char expected[] = "up to 4 numbers from 1 to 999, between commas";
    const char *end = s;
    opt.nteams = 0;
    do {
        if (opt.nteams == MOST_TEAMS)
            refuse("threads", s, expected);
        opt.team[opt.nteams++] = (int)number("threads", &end, 1, 999, expected);
    } while (*end++ == ',');
    if (end[-1])
        refuse("threads", s, expected);
}

static void set_only(const char *s)
{
    if (strcmp(s, "n") != 0 && strcmp(s, "N") != 0)
        refuse("only", s, "n");
    opt.only = 1;
}

static void set(int key, const char *s)
{
    switch (key) {
    case ROUNDS:
        opt.rounds = (int)count("rounds", s, 1, MOST_ROUNDS, "a whole number from 1 to 99");
        break;
    case TUNE:
        opt.tune = (int)count("tune", s, 1, 16, "a whole number from 1 to 16");
        break;
    case THREADS:
        set_threads(s);
        break;
    case FORMATS:
        opt.formats = s;
        break;
    case PEERS:
        opt.peers = s;
        break;
    case ONLY:
        set_only(s);
        break;
    case LEAST:
        opt.least = 1;
        break;
    default:
        opt.tsv = open_tsv(s, tsv_columns);
    }
}

void host_read_options(int argc, char **argv)
{
    opt.nteams = 1;
    opt.team[0] = 1;
#ifdef _OPENMP
    opt.team[0] = omp_get_max_threads();
#endif
    read_command(argc, argv, table, help, set);
}
