/* host_spmv.h -- test/kernel: the parts of host_spmv: a matrix, the runners that multiply by it, and
 * their times.  For typed sources, after psb_type.h. */
#ifndef HOST_SPMV_H
#define HOST_SPMV_H
#include "bench.h"
#include "host_options.h"
#include "matrix.h"

enum { COLUMNS = 8, MOST_RUNNERS = 48 };

/* y = A x; y = A^T x; Y = A X with COLUMNS columns. */
enum way { ONE, TRANSPOSED, MANY, WAYS };

/* A matrix and the rows of this process: all, or one of even blocks. */
struct problem {
    psb_ctxt *ctxt;
    int me, np;
    char name[64];
    psb_lpk m, n, row0, col0; /* of all processes; the first row and first element of x on this process */
    psb_ipk rows, cols;       /* number of rows and of elements of x on this process */
    psb_epk nnz;              /* of all processes */
    struct X(coo_mat) *a;     /* row 0 is row0; columns are global; ordered */
    T *x, *y;                 /* of COLUMNS columns */
    struct right right[WAYS]; /* results; with several processes only ONE */
};

struct runner;

/* A kind of runner: whose product it is, and how it is computed. */
struct kind {
    const char *whose;
    unsigned ways; /* bits: 1 << a way */
    /* Set r->a and its costs from p->a.  PSB_EPADDING, PSB_ENOTIMPL: the matrix is refused. */
    psb_err (*make)(const struct problem *p, struct runner *r);
    void (*product)(const struct problem *p, void *a, enum way w);
    void (*fetch)(const struct problem *p); /* store the result in p->y; NULL: it is in p->y already */
    void (*free)(void *a);
};

struct runner {
    const char *name;
    const struct kind *kind;
    const void *how; /* a mold, for ours */
    int threads;     /* number of threads it is made for; 0: any */
    void *a;
    double bytes, convert, tune; /* seconds; NAN: not known */
    double unit;                 /* seconds of our CSR's product, measured next to the conversion */
    double error;                /* the largest error of an element over its bound */
    int reps[MOST_TEAMS][WAYS];
    double t[MOST_TEAMS][WAYS][MOST_ROUNDS];
};

/* All runners; the first is our CSR. */
struct field {
    int n;
    struct runner r[MOST_RUNNERS];
    double triad[MOST_TEAMS][MOST_ROUNDS]; /* bytes per second */
};

/* --- host_problem.c --- */
void X(host_load)(struct problem *p, psb_ctxt *ctxt, const char *what);
void X(host_unload)(struct problem *p);
/* Returns the error of p->y as the result of w: the largest error of an element over its bound. */
double X(host_error)(const struct problem *p, enum way w);

/* --- host_measure.c --- */
void X(use_threads)(int n);
/* Add r, made from p, to the runners if its name is in `list`. */
void X(host_enter)(struct field *f, const struct problem *p, const char *list, struct runner r);
void X(host_leave)(struct field *f);
void X(host_measure)(struct field *f, const struct problem *p);
/* Set r->error of all runners; print the names of those beyond 1 and return their number. */
int X(host_check)(struct field *f, const struct problem *p);
/* The median of a number for each round, or the least of times. */
double X(typical)(const double *of);
int X(team_runs)(const struct runner *r, int team, enum way w);

/* --- host_report.c --- */
void X(host_report)(const struct field *f, const struct problem *p, int team);

/* runners: on one process, on several; others */
void X(host_enter_ours)(struct field *f, const struct problem *p);
void X(enter_spread)(struct field *f, const struct problem *p);
void X(leave_spread)(void);
void X(enter_petsc)(struct field *f, const struct problem *p);
void X(enter_rsb)(struct field *f, const struct problem *p);
#endif
