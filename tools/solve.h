/* solve.h -- tools: what psb-pargen and psb-fileread share: options, input files of PSBLAS, the
 * solution of a linear system, and its report. */
#ifndef PSB_SOLVE_H
#define PSB_SOLVE_H
#include "command_line.h"
#include "machine.h"
#include "picture.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include <stdio.h>

/* Numbers of options. */
enum solve_key {
    KEY_SOLVER = FIRST_OPTION,
    KEY_METHOD,
    KEY_PREC,
    KEY_TOL,
    KEY_ITMAX,
    KEY_TRACE,
    KEY_RESTART,
    KEY_STOP,
    KEY_TYPE,
    KEY_FORMAT,
    KEY_PARTITION,
    KEY_JSON,
    KEY_CSV,
    KEY_REPORT,
    KEY_HISTORY,
    KEY_PLOT,
    KEY_OUTPUT,
    KEY_DIMS, /* psb-pargen */
    KEY_PROBLEM,
    KEY_SIZE,
    KEY_C_INPUT,
    KEY_MATRIX, /* psb-fileread */
    KEY_RHS,
    KEY_FILE_TYPE
};

/* What is particular to a program that solves a system: member `of` of its struct program. */
struct solve_program {
    const char *about, *partition, *input; /* parts of --help */
    const struct option *own; /* its options, beside those of both programs; ends with a name NULL */
    enum solve_key system;    /* the option that gives the system: without it an input file is read */
};

/* The members of struct program. */
psb_err solve_read(const struct program *p, int argc, char **argv, const char *given[MOST_OPTIONS]);
void solve_show_help(const struct program *p);
int solve_run(const struct program *p, psb_ctxt *ctxt, const char *given[MOST_OPTIONS]);

/* What to do. */
struct solve_task {
    const struct program *program;
    enum solve_key system; /* the option that gives the system */
    psb_ctxt *ctxt;
    int me, np;
    struct psb_pde pde;       /* dims 0: the system is in files */
    const char *matrix, *rhs; /* names of files; rhs NULL: see psb-fileread --help */
    const char *input;        /* the input file; NULL: standard input, or none */
    bool hb;                  /* the matrix is in Harwell-Boeing format */
    psb_lpk rows;
    char type; /* s d c z, or 0: chosen by the matrix */
    const char *format, *partition;
    struct psb_solve_options options;
    const char *json, *csv, *report, *history, *plot, *output; /* names of files; NULL: not wanted */
};

/* What was measured.  Seconds are those of the slowest process, bytes the sum over all. */
struct solve_report {
    const struct solve_task *task;
    struct machine machine;
    struct picture *picture; /* for --report, else NULL */
    const char *halo;        /* see psb_cd_transport */
    int threads;
    psb_epk entries;
    const char *format, *where, *descriptor; /* of the matrix; "host" or a device; kind of descriptor */
    char prec[256];
    double creation, preparation, solution;
    double matrix_bytes, prec_bytes, desc_bytes;
    struct psb_solve_result result;
};

/* --- options ------------------------------------------------------------------------------------------ */

/* PSB_EARG if an option is given that does not go with an input file.  Local. */
PSB_MUST_CHECK psb_err solve_options_with_input(const struct solve_program *p,
                                                const char *const given[MOST_OPTIONS]);

/* Set the members of *t that the options determine.  Local.  PSB_EARG. */
PSB_MUST_CHECK psb_err solve_options_set(const char *const given[MOST_OPTIONS], struct solve_task *t);

/* --- input files -------------------------------------------------------------------------------------- */

enum { INPUT_SIZE = 1 << 14, INPUT_WORD = 32, INPUT_TEXT = 256 };

/* The values in an input file. */
enum solve_value {
    INPUT_METHOD,
    INPUT_PREC,
    INPUT_FORMAT,
    INPUT_GRID,
    INPUT_GRID_PART,
    INPUT_STOP,
    INPUT_ITMAX,
    INPUT_TRACE,
    INPUT_RESTART,
    INPUT_BLOCK_SOLVER,
    INPUT_MILU,
    INPUT_SCALING,
    INPUT_FILL,
    INPUT_INV_FILL,
    INPUT_DROP,
    INPUT_INV_DROP,
    INPUT_ORTHOGONAL,
    INPUT_MATRIX,
    INPUT_RHS,
    INPUT_FILE_TYPE,
    INPUT_GRAPH_PART,
    INPUT_TOL,
    INPUT_VALUES
};

struct solve_input {
    const char *name; /* of the file */
    char text[INPUT_SIZE];
    char *at; /* the next line */
    int line; /* number of the line before it */
    const char *value[INPUT_VALUES];
    char prec[INPUT_TEXT], tol[INPUT_WORD];
};

/* Read the input file at `path` (NULL: standard input) into *in, on process 0, and send it to all.
 * Collective. PSB_EIO. */
PSB_MUST_CHECK psb_err solve_input_load(psb_ctxt *ctxt, const char *path, struct solve_input *in);

/* Set given[k] for the options that the input file stands for; the addresses are valid as long as *in.  The
 * form of the file: that of the program, or with given[KEY_C_INPUT] that of PSBLAS's C program.  Local.
 * PSB_EARG, naming the line. */
PSB_MUST_CHECK psb_err solve_input_parse(struct solve_input *in, const struct solve_program *p,
                                         const char *given[MOST_OPTIONS]);

/* --- the solution ------------------------------------------------------------------------------------- */

/* Create *rows, a descriptor of the points of the grid: each process owns a box of them.  The caller frees it
 * with psb_cdfree.  Collective.  PSB_EARG: a box has 2^31 points or more. */
PSB_MUST_CHECK psb_err solve_boxes(psb_ctxt *ctxt, const struct psb_pde *pde, psb_desc **rows);

#define PSB_TEMPLATE "solve_run.t.h"
#include "psb_each_type.h"

/* --- results ------------------------------------------------------------------------------------------ */

/* Print to stdout, on process 0: the problem; the matrix; the preconditioner and the method; the solution.
 * Local. */
void solve_report_problem(const struct solve_report *r);
void solve_report_matrix(const struct solve_report *r);
void solve_report_method(const struct solve_report *r);
void solve_report_solution(const struct solve_report *r);

/* The residual history: on process 0, a file of lines "iteration estimate". */
struct solve_history {
    FILE *values, *nowhere;
};

/* Write the files that --json, --csv and --report name, with the history if there is one.  Local.  PSB_EIO.
 */
PSB_MUST_CHECK psb_err solve_report_files(const struct solve_report *r, const struct solve_history *h);

/* If the task asks for a history, a plot or a page, open *h and make t->options write to it.  PSB_EIO,
 * also for a plot without gnuplot.  Collective. */
PSB_MUST_CHECK psb_err solve_history_open(struct solve_task *t, struct solve_history *h);

/* Draw the plot that the task asks for, if the system was solved; close *h.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err solve_history_close(const struct solve_task *t, struct solve_history *h, bool solved);
#endif
