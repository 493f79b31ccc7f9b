/* gpu_spmv.h -- room: test/kernel.  What gpu_spmv is made of: a matrix, those that multiply by it on one GPU,
 * and their times.  For typed sources, after psb_type.h. */
#ifndef GPU_SPMV_H
#define GPU_SPMV_H
#include "bench.h"
#include "matrix.h"

enum { WARM = 5, REPS = 10, MOST_ROUNDS = 30, MOST_RUNNERS = 64 };

/* The command line. */
struct options {
    int rounds;  /* of REPS products each */
    int columns; /* of x and y */
    char trans;
    long long fill;              /* entries at least, by copies along the diagonal; -1: nothing was said */
    int conversions;             /* measure them too */
    const char *formats, *peers; /* names, between commas; NULL: all on the device, all */
    FILE *tsv;                   /* or NULL */
};
extern struct options opt;

/* A matrix; x and y on the device. */
struct problem {
    char name[64];
    int copies;
    psb_ipk m, n;
    psb_epk nnz;
    struct X(coo_mat) *a; /* ordered */
    struct X(vect) *x, *y;
    const T *dx; /* where they lie there */
    T *dy;
    struct right right;
    double bytes; /* that CSR with 32-bit indices must move */
};

struct runner;

/* Whose product it is, and how it is computed. */
struct kind {
    const char *whose;
    /* Set r->a, and more of *r, from *p.  PSB_EPADDING, PSB_ENOTIMPL, PSB_ENOMEM: this matrix not. */
    psb_err (*make)(const struct problem *p, struct runner *r);
    /* Give y = op(A) x to the device. */
    psb_err (*product)(const struct problem *p, void *a);
    void (*free)(void *a);
};

struct runner {
    char name[24];
    const struct kind *kind;
    const void *how; /* whatever make needs */
    int is_csr;      /* a peer in CSR */
    void *a;
    char format[24];   /* what AUTO took, else empty */
    char refused[128]; /* why it takes no part, else empty */
    double convert;    /* seconds from triplets to the end of the first product; NAN: not measured */
    double error;      /* the worst element's, over its bound */
    double t[MOST_ROUNDS * REPS];
};

/* All that take part. */
struct field {
    int n;
    struct runner r[MOST_RUNNERS];
    double copy[MOST_ROUNDS]; /* bytes a second, read and written; NAN: no GPU */
};

/* --- gpu_problem.c --- */
/* Is `what`, an argument, a matrix?  PSB_EARG, PSB_EIO say what is wrong. */
PSB_MUST_CHECK psb_err problem_check(const char *what);
PSB_MUST_CHECK psb_err problem_load(struct problem *p, psb_ctxt *ctxt, const char *what);
void problem_free(struct problem *p);
/* The error of one product that r computes in a y that was spoilt. */
PSB_MUST_CHECK psb_err problem_error(const struct problem *p, struct runner *r);

/* --- gpu_measure.c --- */
/* Let r take part, or stand among those that refuse. */
void enter(struct field *f, const struct problem *p, struct runner r);
void leave(struct field *f);
void measure(struct field *f, const struct problem *p);
/* r->error of all; how many are beyond 1, which are named. */
int check(struct field *f, const struct problem *p);

/* --- gpu_clock.c --- */
/* Bytes a second of copies from device memory to device memory, or NAN where there is no GPU. */
double copy_bandwidth(void);
/* Seconds of each of REPS products, after WARM that do not count.  All are given to the GPU at once, so none
 * waits for the host; without a GPU by the clock of the host. */
PSB_MUST_CHECK psb_err time_products(const struct problem *p, const struct runner *r, double *t);

/* --- gpu_report.c --- */
extern const char tsv_columns[];
void report(const struct field *f, const struct problem *p);

/* --- who takes part --- */
/* The mold that the first name of *list, between commas, stands for; NULL, and an error, where there is none.
 * *list becomes the rest, NULL at its end. */
const struct X(mat) *format_at(const char **list);
void enter_ours(struct field *f, const struct problem *p);
void enter_cusparse(struct field *f, const struct problem *p);
void leave_cusparse(void);
const char *cusparse_version(void);
#endif
