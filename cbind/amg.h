/* amg.h -- cbind: what a program sets of a preconditioner of AMG4PSBLAS's C interface. */
#ifndef PSB_CBIND_AMG_H
#define PSB_CBIND_AMG_H
#include "psb_linsolve.h"

enum psb_cbind_setting {
    PSB_AMG_CYCLE,
    PSB_AMG_AGGREGATION,
    PSB_AMG_SMOOTHER,
    PSB_AMG_SUB_SOLVE,
    PSB_AMG_RESTR,
    PSB_AMG_PROL,
    PSB_AMG_SWEEPS,
    PSB_AMG_PRESWEEPS,
    PSB_AMG_POSTSWEEPS,
    PSB_AMG_FILL,
    PSB_AMG_INV_FILL,
    PSB_AMG_OVERLAP,
    PSB_AMG_DEGREE,
    PSB_AMG_LEVELS,
    PSB_AMG_COARSE,
    PSB_AMG_COARSE_EACH,
    PSB_AMG_THETA,
    PSB_AMG_DROP,
    PSB_AMG_NOTHING, /* what is always so, or has no effect */
    PSB_AMG_SETTINGS
};

/* type: the name of the library's preconditioner; word, number: values that are set, in its words. */
struct psb_cbind_amg {
    const char *type;
    struct {
        bool set;
        const char *word;
        double number;
    } of[PSB_AMG_SETTINGS];
};

/* Where a value is to be set; all: on all levels, before and after coarser ones. */
struct psb_cbind_where {
    psb_i_t ilev, ilmax; /* ilev 0: all */
    const char *pos;     /* NULL: all */
};

/* Set *s for a name of AMG4PSBLAS.  PSB_EARG, naming those there are.  Local. */
psb_err psb_cbind_amg_init(const char *ptype, struct psb_cbind_amg *s);

/* Set option `what` to a word (NULL: to a number).  PSB_EARG, PSB_ENOTIMPL, naming what there is; then *s is
 * as it was.  Local. */
psb_err psb_cbind_amg_set(struct psb_cbind_amg *s, const char *what, const char *word, double number,
                          struct psb_cbind_where where);

/* Set *o as s says, on np processes.  Local. */
psb_err psb_cbind_amg_options(const struct psb_cbind_amg *s, int np, struct psb_prec_options *o);
#endif
