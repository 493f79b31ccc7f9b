/* spmv_options.c -- test/kernel: the command lines of gpu_spmv and host_spmv. */
#include "spmv_options.h"
#include <limits.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

struct options opt = { .columns = 1, .trans = 'N', .fill = -1, .limit = -1, .batch = 1, .tune = 4 };

static const char gpu_help[] =
    "Usage: gpu_spmv [OPTION ...] MATRIX ...\n"
    "\n"
    "MATRIX: a Matrix Market FILE, plain, .gz or .xz; lap7:NX, lap27:NX, uniform:M:K (K entries a row),\n"
    "power:M (rows by a power law, 15 entries in the mean), block:NX (elasticity, blocks of 3 by 3), or\n"
    "another of psb-spmv --generate.  MATRIX*R is R copies of it along the diagonal.\n"
    "\n"
    "  --type s|d|c|z  scalar type; default d\n"
    "  --fill ENTRIES  repeat the matrix until it has this many; default 50000000 for files, 0, no\n"
    "                  copies, for others\n"
    "  --formats LIST  only these formats, e.g. csrg,hlg,auto; default all on the GPU\n"
    "  --peers LIST    only these, or none; of cuSPARSE CSR-ALG1, CSR-ALG2, SELL-32; BSR-2, BSR-3,\n"
    "                  BSR-4 if there are full blocks, stored by rows, or by columns in BSR-2-COL, ...;\n"
    "                  with several columns MM-ALG1, MM-ALG2, MM-ALG3.  CUB: CSR by the merge path, if\n"
    "                  configured --with-cub\n"
    "  --limit TIMES   of formats that pad: refuse more bytes than this many times those of CSR; 0:\n"
    "                  never; default: each format's own\n"
    "  --trans T|C     y = A^T x, y = A^H x; default N, y = A x\n"
    "  --columns K     Y = A X with K columns, by rows, 1 to 64; default 1\n"
    "  --rounds N      of 10 batches each, 1 to 30; default 3\n"
    "  --batch N       products of a batch, 1 to 1000; default 1\n"
    "  --conversions   measure them too, best of 3: from triplets on the host to the end of the first\n"
    "                  product\n"
    "  --tsv FILE      append lines for each matrix and format, as results/README.md says\n"
    "\n"
    "Times are medians of all rounds; README.md says how they are measured.  GB/s: bytes that CSR with\n"
    "32-bit indices must move, over the time; of copy: over the bandwidth of a copy; x cuSPARSE, x CSR:\n"
    "how many times as fast as its fastest, as its CSR; spread: the largest over the smallest median of\n"
    "a round; error: the largest error of an element, over its rounding bound.\n"
    "\n"
    "PSB_DEVICE=fake runs the program without a GPU; its times mean nothing. Exit status: 0; 1 if\n"
    "something failed or a result is wrong; 2 if the command line is wrong.\n";

static const char host_help[] =
    "Usage: [mpi-run NP] host_spmv [OPTION ...] MATRIX ...\n"
    "\n"
    "MATRIX is a Matrix Market file, or generated: lap7:100, lap27:100, ...\n"
    "\n"
    "  --type s|d|c|z  scalar type; default d\n"
    "  --rounds N      number of rounds, 1 to 99; default 7\n"
    "  --threads LIST  numbers of threads, e.g. 1,2, all in each round; default: as many as OpenMP uses\n"
    "  --formats LIST  only these formats, e.g. csr,hll; CSR is always measured\n"
    "  --peers LIST    only these of petsc-aij,petsc-sell,librsb, or none\n"
    "  --tune N        rounds of LIBRSB's tuner, 1 to 16; default 4\n"
    "  --only n        only y = A x\n"
    "  --least         times are the least of the rounds, of measurements of 2 ms: on a machine with\n"
    "                  other load\n"
    "  --tsv FILE      append lines for each matrix, number of threads and format, as results/README.md\n"
    "                  says\n"
    "\n"
    "In each round every format and peer runs for 20 ms or more with each number of threads; times are\n"
    "medians of the rounds.  limit: bytes of the arrays, x and y, over the bandwidth of a triad, over\n"
    "the time, above 1 in a cache; T/N: the time of y = A^T x over that of y = A x; 8 col: 8 products\n"
    "over one with 8 columns, by rows; convert, tune: from sorted triplets, best of 3 (PETSc-SELL: from\n"
    "AIJ), and LIBRSB's tuner, over a product of our CSR. PETSc is measured with one thread only.  With\n"
    "several processes each has an even block of rows; only y = A x is measured, messages included, and\n"
    "LIBRSB is not. Exit status: 0; 1 if something failed or a result is wrong; 2 if the command line\n"
    "is wrong.\n";

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
    for (const char *at = s; at;) {
        next_name(&at, name, sizeof name);
        if (!stands_in(name, known))
            refuse("peers", s, known);
    }
    opt.peers = s;
}

static void set_threads(const char *s)
{
    const char *end = s;
    opt.nteams = 0;
    do {
        if (opt.nteams == MOST_TEAMS)
            refuse("threads", s, "up to 4 numbers from 1 to 999, between commas");
        opt.team[opt.nteams++] = number("threads", &end, 1, 999);
    } while (*end++ == ',');
}

static void set_only(const char *s)
{
    if (!*s || !stands_in(s, "n"))
        refuse("only", s, "n");
    opt.only = true;
}

static const struct flag gpu_table[] = {
    { "fill", .number = &opt.fill, 0, INT_MAX },
    { "formats", .text = &opt.formats },
    { "peers", .set = set_peers },
    { "limit", .number = &opt.limit, 0, 1000 },
    { "trans", .set = set_trans },
    { "columns", .number = &opt.columns, 1, 64 },
    { "rounds", .number = &opt.rounds, 1, 30 },
    { "batch", .number = &opt.batch, 1, 1000 },
    { "conversions", .on = &opt.conversions },
    { 0 },
};

static const struct flag host_table[] = {
    { "rounds", .number = &opt.rounds, 1, MOST_ROUNDS },
    { "threads", .set = set_threads },
    { "formats", .text = &opt.formats },
    { "peers", .text = &opt.peers },
    { "tune", .number = &opt.tune, 1, 16 },
    { "only", .set = set_only },
    { "least", .on = &opt.least },
    { 0 },
};

static void read_options(int argc, char **argv, const struct flag *table, const char *help, int rounds)
{
    opt.rounds = rounds;
    opt.nteams = opt.team[0] = 1;
#ifdef _OPENMP
    opt.team[0] = omp_get_max_threads();
#endif
    read_command(argc, argv, table, help);
}

void gpu_read_options(int argc, char **argv)
{
    read_options(argc, argv, gpu_table, gpu_help, 3);
    opt.tries = opt.conversions ? 3 : 1;
    opt.times = opt.rounds * REPS;
    opt.width = opt.columns;
    opt.usual = 50000000;
}

void host_read_options(int argc, char **argv)
{
    read_options(argc, argv, host_table, host_help, 7);
    opt.times = opt.rounds;
    opt.width = COLUMNS;
    opt.on_host = true;
}
