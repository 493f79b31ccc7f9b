/* options.h -- room: tools.  The command line of psb-spmv. */
#ifndef PSB_OPTIONS_H
#define PSB_OPTIONS_H
#include "psb_err.h"

/* A number on the command line: RE, or the pair RE,IM. */
struct number {
    double re, im;
    int pair;
};

struct options {
    const char *matrix, *generate; /* exactly one of the two is not NULL */
    const char *format, *partition;
    const char *x, *y, *output, *json; /* NULL if not given */
    char type;                         /* s d c z, or 0: chosen by the matrix */
    char trans;                        /* N T C */
    struct number alpha, beta;
    int reps, check, help, version;
};

/* The text that --help prints. */
extern const char options_help[];

/* Parse the command line; with --help or --version, no other option is required.  Local.  PSB_EARG: an option
 * or argument is wrong; the message names it. */
PSB_MUST_CHECK psb_err options_parse(int argc, char **argv, struct options *o);
#endif
