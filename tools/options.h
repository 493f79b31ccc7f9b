/* options.h -- tools: the command line of psb-spmv. */
#ifndef PSB_OPTIONS_H
#define PSB_OPTIONS_H
#include "command_line.h"

/* A number on the command line: RE, or the pair RE,IM. */
struct number {
    double re, im;
    bool pair;
};

struct options {
    const char *matrix, *generate;                    /* exactly one of the two is not NULL */
    const char *format, *compare, *partition;         /* compare: NULL if not given */
    const char *x, *y, *output, *json, *csv, *report; /* NULL if not given */
    char type;                                        /* s d c z, or 0: chosen by the matrix */
    char trans;                                       /* N T C */
    struct number alpha, beta;
    int reps;
    bool check;
};

/* The text that --help prints. */
extern const char options_help[];

/* As command_line_read, and set *o, unless --help or --version is given.  Local.  PSB_EARG: an option or
 * argument is wrong; the message names it. */
PSB_MUST_CHECK psb_err options_read(int argc, char **argv, const char *given[MOST_OPTIONS],
                                    struct options *o);
#endif
