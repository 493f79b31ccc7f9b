/* kr_column.h -- linsolve: the progress of one column of a solve; the check of its options. */
#ifndef PSB_KR_COLUMN_H
#define PSB_KR_COLUMN_H
#include "psb_krylov.h"
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
    const char *why;
    bool certain; /* why rests on a number that is far inside the range of the type */
};

/* psb_solve_check without o->prec.  Local. */
PSB_MUST_CHECK psb_err psb_solve_check_method(const struct psb_solve_options *o);
#endif
