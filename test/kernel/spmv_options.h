/* spmv_options.h -- test/kernel: the command lines of gpu_spmv and host_spmv. */
#ifndef SPMV_OPTIONS_H
#define SPMV_OPTIONS_H
#include "bench.h"

enum { MOST_ROUNDS = 99, MOST_TEAMS = 4, COLUMNS = 8, REPS = 10 };

struct options {
    bool on_host;
    int rounds;
    int times;                   /* of each product in all */
    int tries;                   /* of a conversion */
    int width;                   /* most columns of x and y */
    const char *formats, *peers; /* names separated by commas; NULL: all */
    /* gpu_spmv */
    int batch;   /* products of a batch */
    int columns; /* of x and y */
    char trans;
    int limit; /* of the formats; -1: their own */
    int fill,
        usual; /* least number of entries, reached by copies along the diagonal; -1: `usual` for files */
    bool conversions; /* measure conversions too */
    /* host_spmv */
    int nteams, team[MOST_TEAMS]; /* numbers of threads */
    int tune;                     /* rounds of LIBRSB's tuner */
    bool only;                    /* measure y = A x only */
    bool least;                   /* the least time counts, not the median */
};
extern struct options opt;

/* Set opt; optind becomes the place of the first MATRIX. */
void gpu_read_options(int argc, char **argv);
void host_read_options(int argc, char **argv);
#endif
