/* host_spmv.h -- room: test/kernel.  What host_spmv is made of: a matrix, those that multiply by it, and
 * their times.  For typed sources, after psb_type.h. */
#ifndef HOST_SPMV_H
#define HOST_SPMV_H
#include "bench.h"
#include "matrix.h"

enum { COLUMNS = 8, MOST_ROUNDS = 99, MOST_RUNNERS = 48, MOST_TEAMS = 4 };

/* y = A x; y = A^T x; Y = A X, COLUMNS columns. */
enum way { ONE, TRANSPOSED, MANY, WAYS };

/* The command line. */
struct options {
    int rounds;
    int nteams, team[MOST_TEAMS]; /* numbers of threads */
    int tune;                     /* rounds of LIBRSB's tuner */
    int only;                     /* y = A x alone */
    const char *formats, *peers;  /* names, between commas; NULL: all */
    FILE *tsv;                    /* or NULL */
};
extern struct options opt;

/* A matrix, the rows that are this process's: all, or one of even blocks. */
struct problem {
    psb_ctxt *ctxt;
    int me, np;
    char name[64];
    psb_lpk m, n, row0, col0; /* of all processes; the first row, the first element of x, here */
    psb_ipk rows, cols;       /* how many of them here */
    psb_epk nnz;              /* of all processes */
    struct X(coo_mat) *a;     /* row 0 is row0; columns are those of all; ordered */
    T *x, *y;                 /* room for COLUMNS columns */
    struct right right[WAYS]; /* results; of several processes only ONE */
};

struct runner;

/* Whose product it is, and how it is computed. */
struct kind {
    const char *whose;
    unsigned ways; /* bits */
    /* Set r->a and what it took, from p->a.  PSB_EPADDING, PSB_ENOTIMPL: this matrix not. */
    psb_err (*make)(const struct problem *p, struct runner *r);
    void (*product)(const struct problem *p, void *a, enum way w);
    void (*fetch)(const struct problem *p); /* let p->y be the result; NULL: it is */
    void (*free)(void *a);
};

struct runner {
    const char *name;
    const struct kind *kind;
    const void *how; /* a mold, for ours */
    int threads;     /* the number of them that it is for; 0: any */
    void *a;
    double bytes, convert, tune; /* seconds; NAN: not known */
    double unit;                 /* seconds of our CSR's product, measured beside the conversion */
    double error;                /* the worst element's, over its bound */
    int reps[MOST_TEAMS][WAYS];
    double t[MOST_TEAMS][WAYS][MOST_ROUNDS];
};

/* All that take part; the first is our CSR. */
struct field {
    int n;
    struct runner r[MOST_RUNNERS];
    double triad[MOST_TEAMS][MOST_ROUNDS]; /* bytes a second */
};

/* --- host_problem.c --- */
void problem_load(struct problem *p, psb_ctxt *ctxt, const char *what);
void problem_free(struct problem *p);
/* The error of p->y, the result of w: the worst element's over its bound. */
double problem_error(const struct problem *p, enum way w);

/* --- host_measure.c --- */
void use_threads(int n);
/* Let r, made of p, take part, if its name stands in `list`. */
void enter(struct field *f, const struct problem *p, const char *list, struct runner r);
void leave(struct field *f);
void measure(struct field *f, const struct problem *p);
/* r->error of all; how many are beyond 1, which are named. */
int check(struct field *f, const struct problem *p);
double median(const double *of);
int team_runs(const struct runner *r, int team, enum way w);

/* --- host_report.c --- */
extern const char tsv_columns[];
void report(const struct field *f, const struct problem *p, int team);

/* --- who takes part: on one process, on several; others --- */
void enter_ours(struct field *f, const struct problem *p);
void enter_spread(struct field *f, const struct problem *p);
void leave_spread(void);
void enter_petsc(struct field *f, const struct problem *p);
void enter_rsb(struct field *f, const struct problem *p);
#endif
