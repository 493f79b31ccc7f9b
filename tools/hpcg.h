/* hpcg.h -- tools: the program psb-hpcg: the problem of the HPCG benchmark on four levels, its multigrid and
 * CG on psb_ calls, the phases of a run, and the report.  Compiled for double precision. */
#ifndef PSB_HPCG_H
#define PSB_HPCG_H
#include "machine.h"
#include "psb_linsolve.h"
#include "psb_util.h"
#include "spmat.h"
#include "psb_type.h"
#include "prec_inside.t.h"
#include "colour_order.t.h"

enum { LEVELS = 4, REFERENCE_ITERATIONS = 50, MOST_ITERATIONS = 500, OFFICIAL_SECONDS = 1800 };

/* What to do.  Of arrays of three: directions x, y, z; points are numbered with x fastest. */
struct hpcg_task {
    psb_ctxt *ctxt;
    int me, np, threads;
    int box[3], grid[3], place[3]; /* points of a process, processes, the place of this one */
    const char *format, *json, *output;
    bool coloured;             /* sweeps in the order of colours, else of rows */
    double seconds, reference; /* reference: its residual, if it is not to be run; else 0 */
};

/* A grid.  x and r: the correction and the right-hand side of a cycle, not on level 0.  The coarser grid has
 * the points whose coordinates are even: point[i] is the row here of its row i. */
struct hpcg_level {
    psb_desc *desc, *natural; /* natural: as generated, if the rows are in the order `order` now */
    struct psb_colour_order order;
    psb_ipk *point;
    struct X(spmat) *a;
    struct X(spmat)
        *inject; /* a row for each point of the coarser grid, with 1 at that point; NULL: coarsest */
    struct X(spmat) *fused; /* these rows of a; NULL: residuals are computed at all points */
    struct X(prec) *smooth;
    struct X(vect) *x, *r, *w; /* w: a residual at all points */
    psb_lpk rows;
    psb_epk entries;
};

/* The levels as generated and then optimised, or of the reference; the vectors of CG on level 0. */
struct hpcg_problem {
    const struct hpcg_task *task;
    struct hpcg_level level[LEVELS];
    struct X(vect) *b, *x, *r, *z, *p, *ap;
    bool is_reference, borrows; /* desc, or also a and inject, are another problem's */
};

/* Seconds of the calls of CG, as the reference tells them apart. */
enum { TIME_ALL, TIME_DOT, TIME_SUM, TIME_PRODUCT, TIME_CYCLE, TIMES };

/* A call of CG. */
struct hpcg_cg {
    int most;
    double tolerance; /* of the residual over the first one */
    bool plain;       /* without preconditioner */
    int iterations;
    double residual; /* the last one over the first one */
    double seconds[TIMES];
    psb_err err; /* of this process, which the others do not know yet */
};

/* What a run has found; seconds are those of the slowest process. */
struct hpcg_results {
    const struct hpcg_task *task;
    struct machine machine;
    psb_lpk rows[LEVELS];
    psb_epk entries[LEVELS];
    double setup, optimisation, ten_calls; /* ten_calls: a product and a cycle of the reference, of ten */
    double bytes[LEVELS];                  /* as generated, on all processes */
    double optimised_bytes;                /* what the optimised problem has more */
    double reference;                      /* the residual to reach, over the first one */
    int cg_most[2];                        /* iterations of TestCG: without and with preconditioner */
    double asymmetry[2];                   /* of the product, of the cycle */
    int needed;                            /* iterations of a set */
    bool diagonals;                        /* a level has a format of diagonals */
    bool reached;
    int sets;
    double mean, variance, seconds[TIMES];
    double dot_least, dot_most, dot_mean; /* seconds of dot products, over the processes */
};

/* --- the problem (hpcg_problem.c) --- */

/* Generate the levels, in compressed rows on the device of the format, or on the host, and vectors, 0.
 * Collective. */
PSB_MUST_CHECK psb_err hpcg_generate(const struct hpcg_task *t, struct hpcg_problem *q);

/* Make q the reference problem of `from`, as generated, which must outlive it: in CSR on the host, sweeps by
 * rows.  Collective. */
PSB_MUST_CHECK psb_err hpcg_reference(const struct hpcg_problem *from, struct hpcg_problem *q);

/* Optimise the generated problem q: the format, the order of rows and sweeps, residuals at coarse points
 * alone; then set b, which the reference sets for itself.  Collective. */
PSB_MUST_CHECK psb_err hpcg_optimise(struct hpcg_problem *q);

/* Multiply the diagonal of the finest matrix, and b, by 10^6, and those of global rows i < 9 by i + 2
 * besides; or undo it.  Collective. */
PSB_MUST_CHECK psb_err hpcg_enlarge(struct hpcg_problem *q, bool undo);

/* The bytes of level l on all processes.  Collective. */
PSB_MUST_CHECK psb_err hpcg_bytes(const struct hpcg_problem *q, int l, double *bytes);
void hpcg_free(struct hpcg_problem *q);

/* --- the run (hpcg_run.c) --- */

/* All phases.  Collective. */
PSB_MUST_CHECK psb_err hpcg_run(const struct hpcg_task *t, struct hpcg_results *r);

/* --- the report (hpcg_report.c) --- */

/* Print the report to the file of --output or to stdout, and write that of --json, on process 0.  Returns
 * whether the run is valid.  Local. */
PSB_MUST_CHECK psb_err hpcg_report(const struct hpcg_results *r, bool *valid);
#endif
