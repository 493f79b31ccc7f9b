/* kr_column.h -- linsolve: the progress of one column of a solve; the memory of a solve; the check of its
 * options. */
#ifndef PSB_KR_COLUMN_H
#define PSB_KR_COLUMN_H
#include "psb_krylov.h"
#include "psb_column_steps.h"
#include <stdbool.h>

struct psb_kr_column {
    bool done;       /* no further run */
    bool active;     /* in this run */
    double norm_b;   /* of the criterion: infinity norm for PSB_STOP_BACKWARD, else 2-norm */
    double norm_r0;  /* 2-norm of the residual of the guess */
    double unit;     /* a power of two: b and x are the caller's times it */
    double estimate; /* of the criterion, after the last iteration */
    double first;    /* estimate at the start of the run */
    double now;      /* the criterion's value for the true residual, after the last run */
    double before;   /* the same, after the run before */
    int iterations;
    enum psb_outcome outcome;
    double removed; /* the norm of what has been projected out of b */
    const char *why;
    bool certain; /* why rests on a number that is far inside the range of the type */
};

/* An array of so many bytes. */
struct psb_kr_array {
    void *p;
    size_t bytes;
};

/* One column after an iteration: the estimate of the criterion; the coefficients of CG's next step, 0 if
 * there is none. */
struct psb_kr_step {
    double estimate, alpha, beta;
};

/* Store the smallest and the largest eigenvalue of the tridiagonal matrix that n >= 1 steps of CG have made,
 * those of column step[0], step[k], ....  Local. */
void psb_kr_extremes(int n, const struct psb_kr_step *step, int k, double *smallest, double *largest);

/* Store in text, of `size` bytes, the words from which psb_solve_parse makes *o, cut off if there is no
 * space.  Local. */
void psb_solve_text(const struct psb_solve_options *o, char *text, size_t size);

/* Set *o from the text for this level, counted from 0, of option smoother, and check it.  Local. */
PSB_MUST_CHECK psb_err psb_smoother_parse(const char *texts, int level, struct psb_prec_options *o);

/* PSB_EARG if the method needs a preconditioner that does not change, and one by o changes.  Local. */
PSB_MUST_CHECK psb_err psb_solve_check_cycle(enum psb_method method, const struct psb_prec_options *o);

/* psb_solve_check without o->prec.  Local. */
PSB_MUST_CHECK psb_err psb_solve_check_method(const struct psb_solve_options *o);
#endif
