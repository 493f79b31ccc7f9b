/* gpu_options.h -- test/kernel: the command line of gpu_spmv. */
#ifndef GPU_OPTIONS_H
#define GPU_OPTIONS_H
#include <stdio.h>

enum { MOST_ROUNDS = 30 };

struct options {
    int rounds;  /* of REPS batches each */
    int batch;   /* products of a batch */
    int columns; /* of x and y */
    char trans;
    double limit;    /* of the formats; -1: their own */
    long long fill;  /* least number of entries, reached by copies along the diagonal; -1: not given */
    int conversions; /* measure conversions too */
    const char *formats, *peers; /* names separated by commas; NULL: all formats on the device, all peers */
    FILE *tsv;                   /* or NULL */
};
extern struct options opt;

extern const char tsv_columns[];

/* Set opt; optind becomes the place of the first MATRIX. */
void gpu_read_options(int argc, char **argv);
#endif
