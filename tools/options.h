/* options.h -- room: tools.  The command line of psb-spmv. */
#ifndef PSB_OPTIONS_H
#define PSB_OPTIONS_H
#include "psb_err.h"

/* A number as it was given: RE, or the pair RE,IM. */
struct number {
    double re, im;
    int pair;
};

struct options {
    const char *matrix, *generate; /* one of the two is not NULL */
    const char *format, *partition;
    const char *x, *y, *output, *json; /* NULL where not said */
    char type;                         /* s d c z, or 0: as the matrix is */
    char trans;                        /* N T C */
    struct number alpha, beta;
    int reps, check, help, version;
};

/* What --help prints. */
extern const char options_help[];

/* Understand the command line; where --help or --version is there, nothing else is asked for.  Local.
 * PSB_EARG: one option or argument is wrong; it is named. */
PSB_MUST_CHECK psb_err options_parse(int argc, char **argv, struct options *o);
#endif
