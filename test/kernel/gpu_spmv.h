/* gpu_spmv.h -- test/kernel: the parts of gpu_spmv: a matrix, the runners that multiply by it on one
 * GPU, and their times.  For typed sources, after psb_type.h. */
#ifndef GPU_SPMV_H
#define GPU_SPMV_H
#include "bench.h"
#include "gpu_options.h"
#include "matrix.h"

enum { WARM = 5, REPS = 10, MOST_RUNNERS = 64 };

/* A matrix, with x and y on the device. */
struct problem {
    char name[64];
    int copies;
    psb_ipk m, n;
    psb_epk nnz;
    struct X(coo_mat) *a; /* ordered */
    struct X(vect) *x, *y;
    const T *dx; /* arrays on the device */
    T *dy;
    struct right right;
    double bytes; /* bytes that CSR with 32-bit indices must move */
};

struct runner;

/* A kind of runner: whose product it is, and how it is computed. */
struct kind {
    const char *whose;
    /* Set r->a, and other members of *r, from *p.  PSB_EPADDING, PSB_ENOTIMPL, PSB_ENOMEM: the matrix is
     * refused. */
    psb_err (*make)(const struct problem *p, struct runner *r);
    /* Submit y = op(A) x to the device. */
    psb_err (*product)(const struct problem *p, void *a);
    void (*free)(void *a);
};

struct runner {
    char name[24];
    const struct kind *kind;
    const void *how; /* argument of make */
    int is_csr;      /* a peer in CSR */
    void *a;
    char format[24];   /* what AUTO chose, else empty */
    char refused[128]; /* why the runner does not take part, else empty */
    double convert;    /* seconds from triplets to the end of the first product; NAN: not measured */
    double error;      /* the largest error of an element over its bound */
    double t[MOST_ROUNDS * REPS];
};

/* All runners of a matrix. */
struct field {
    int n;
    struct runner r[MOST_RUNNERS];
    double copy[MOST_ROUNDS]; /* bytes per second, read and written; NAN: no GPU */
};

/* --- gpu_problem.c --- */
/* Check that the argument `what` is a matrix.  PSB_EARG, PSB_EIO say what is wrong. */
PSB_MUST_CHECK psb_err X(gpu_check_name)(const char *what);
PSB_MUST_CHECK psb_err X(gpu_load)(struct problem *p, psb_ctxt *ctxt, const char *what);
void X(gpu_unload)(struct problem *p);
/* Set r->error to the error of one product, which r computes into a y that holds NaN. */
PSB_MUST_CHECK psb_err X(gpu_error)(const struct problem *p, struct runner *r);

/* --- gpu_measure.c --- */
/* Add r to the runners, or to those that refuse the matrix. */
void X(gpu_enter)(struct field *f, const struct problem *p, struct runner r);
void X(gpu_leave)(struct field *f);
void X(gpu_measure)(struct field *f, const struct problem *p);
/* Set r->error of all runners; print the names of those beyond 1 and return their number. */
int X(gpu_check)(struct field *f, const struct problem *p);

/* --- gpu_clock.c --- */
/* Returns the bytes per second of copies within device memory, or NAN without a GPU. */
double X(copy_bandwidth)(void);
/* Store the seconds of a product, the mean of a batch, for each of REPS batches, after WARM that are not
 * counted. All are submitted to the GPU at once, so none waits for the host; without a GPU, times are by the
 * host's clock. */
PSB_MUST_CHECK psb_err X(time_products)(const struct problem *p, const struct runner *r, double *t);

/* --- gpu_report.c --- */
void X(gpu_report)(const struct field *f, const struct problem *p);

/* runners */
/* Returns the mold of the first name of *list, names separated by commas, or NULL and an error if there is no
 * such format.  *list becomes the rest, NULL at its end. */
const struct X(mat) *X(format_at)(const char **list);
void X(gpu_enter_ours)(struct field *f, const struct problem *p);
void X(gpu_enter_peers)(struct field *f, const struct problem *p);
void X(gpu_leave_peers)(void);
const char *X(cusparse_version)(void);
#endif
