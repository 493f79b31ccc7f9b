/* host_options.h -- test/kernel: the command line of host_spmv. */
#ifndef HOST_OPTIONS_H
#define HOST_OPTIONS_H
#include <stdio.h>

enum { MOST_ROUNDS = 99, MOST_TEAMS = 4 };

struct options {
    int rounds;
    int nteams, team[MOST_TEAMS]; /* numbers of threads */
    int tune;                     /* rounds of LIBRSB's tuner */
    int only;                     /* measure y = A x only */
    int least;                    /* the least time counts, not the median */
    const char *formats, *peers;  /* names separated by commas; NULL: all */
    FILE *tsv;                    /* or NULL */
};
extern struct options opt;

extern const char tsv_columns[];

/* Set opt; optind becomes the place of the first MATRIX. */
void host_read_options(int argc, char **argv);
#endif
