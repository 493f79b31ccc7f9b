/* spmv.h -- test/kernel: the frame of gpu_spmv and host_spmv: a matrix, the runners that multiply by it, and
 * their times. For typed sources, after psb_type.h. */
#ifndef SPMV_H
#define SPMV_H
#include "spmv_options.h"
#include "matrix.h"

enum { MOST_RUNNERS = 64, MOST_TIMES = 300 };

/* The product that options ask for, y = A x unless they say otherwise; on the host also y = A^T x, and Y = A
 * X with COLUMNS columns. */
enum way { ONE, TRANSPOSED, MANY, WAYS };

/* A matrix and the rows of this process: all, or one of even blocks. */
struct problem {
    psb_ctxt *ctxt;
    int me, np;
    char name[64];
    int copies;               /* along the diagonal */
    psb_lpk m, n, row0, col0; /* of all processes; the first row and first element of x on this process */
    psb_ipk rows, cols;       /* number of rows and of elements of x on this process */
    psb_epk nnz;              /* of all processes */
    struct X(coo_mat) *a;     /* row 0 is row0; columns are global; ordered */
    T *x, *y;                 /* on the host */
    struct X(vect) *vx, *vy;  /* on the device, or distributed; or NULL */
    const T *dx;              /* their arrays on the device, or NULL */
    T *dy;
    struct right right[WAYS]; /* results of the ways that are measured */
};

struct runner;

/* A kind of runner: whose product it is, and how it is computed. */
struct kind {
    const char *whose;
    unsigned ways; /* bits: 1 << a way */
    bool vectors;  /* the product is that of vx and vy, not of x and y */
    /* Set r->a, and its costs, from *p.  PSB_EPADDING, PSB_ENOTIMPL, PSB_ENOMEM: the matrix is refused. */
    psb_err (*make)(const struct problem *p, struct runner *r);
    /* Compute, or submit to the device. */
    psb_err (*product)(const struct problem *p, void *a, enum way w);
    void (*free)(void *a);
};

struct runner {
    char name[24];
    const struct kind *kind;
    const void *how; /* argument of make; a mold, for ours */
    bool is_csr;     /* a peer in CSR */
    int threads;     /* number of threads it is made for; 0: any */
    void *a;
    char format[24];             /* what AUTO chose, else empty */
    char refused[128];           /* why the runner does not take part, else empty */
    double bytes, convert, tune; /* seconds; NAN: not known */
    double error;                /* the largest error of an element over its bound */
    int reps[MOST_TEAMS][WAYS];
    double t[MOST_TEAMS][WAYS][MOST_TIMES];
};

/* All runners, and the bytes per second, in each round, of a copy on the GPU, or a triad on the host. */
struct field {
    int n;
    struct runner r[MOST_RUNNERS];
    double bandwidth[MOST_TEAMS][MOST_ROUNDS];
};

/* Check that the argument `what` is a matrix.  PSB_EARG, PSB_EIO say what is wrong. */
PSB_MUST_CHECK psb_err X(spmv_check_name)(const char *what);
/* Read or generate, and repeat, the matrix; set x, and the correct result of ONE. */
PSB_MUST_CHECK psb_err X(spmv_load)(struct problem *p, psb_ctxt *ctxt, const char *what);
void X(spmv_unload)(struct problem *p);

void X(use_threads)(int n);
/* Add r, made from p, to the runners if its name is in `list`. */
void X(enter)(struct field *f, const struct problem *p, const char *list, struct runner r);
void X(leave)(struct field *f);
bool X(takes_part)(const struct runner *r, int team, enum way w);
/* Set r->error of all runners; print the names of those beyond 1 and return their number. */
int X(check)(struct field *f, const struct problem *p);

/* Returns the median of the times of a product, or with --least the least one. */
double X(seconds)(const struct runner *r, int team, enum way w);
/* Returns the fastest runner of `whose` that is correct and not refused; NULL if there is none. */
const struct runner *X(best)(const struct field *f, const char *whose, int team);
/* Returns the bytes that a product must move: on a GPU as CSR with 32-bit indices, whatever the format; on
 * the host those of the format. */
double X(bytes_moved)(const struct problem *p, const struct runner *r);
/* Write results to the file of --tsv. */
void X(spmv_record)(const struct field *f, const struct problem *p, int team);

/* peers */
void X(enter_gpu_peers)(struct field *f, const struct problem *p);
void X(leave_gpu_peers)(void);
const char *X(cusparse_version)(void);
void X(enter_petsc)(struct field *f, const struct problem *p);
void X(enter_rsb)(struct field *f, const struct problem *p);
#endif
