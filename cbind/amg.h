/* amg.h -- cbind: what a program sets of a preconditioner of AMG4PSBLAS's C interface. */
#ifndef PSB_CBIND_AMG_H
#define PSB_CBIND_AMG_H
#include "psb_linsolve.h"

/* Settings of smoothers, which may differ by level; of cycles and levels. */
enum psb_cbind_setting {
    PSB_AMG_SMOOTHER,
    PSB_AMG_SUB_SOLVE,
    PSB_AMG_RESTR,
    PSB_AMG_PROL,
    PSB_AMG_FILL,
    PSB_AMG_INV_FILL,
    PSB_AMG_OVERLAP,
    PSB_AMG_DEGREE,
    PSB_AMG_DROP,
    PSB_AMG_BY_LEVEL, /* the number of those before */
    PSB_AMG_CYCLE = PSB_AMG_BY_LEVEL,
    PSB_AMG_AGGREGATION,
    PSB_AMG_MATCHING,
    PSB_AMG_PROLONGATOR,
    PSB_AMG_SIZE,
    PSB_AMG_SWEEPS,
    PSB_AMG_PRESWEEPS,
    PSB_AMG_POSTSWEEPS,
    PSB_AMG_LEVELS,
    PSB_AMG_COARSE,
    PSB_AMG_COARSE_EACH,
    PSB_AMG_THETA,
    PSB_AMG_NOTHING, /* what is always so, or has no effect */
    PSB_AMG_SETTINGS
};

struct psb_cbind_value {
    bool set;
    const char *word;
    double number;
};

/* type: the name of the library's preconditioner; values that are set, in its words: on all levels, and what
 * differs on level l. */
struct psb_cbind_amg {
    const char *type;
    struct psb_cbind_value of[PSB_AMG_SETTINGS];
    struct psb_cbind_value on[PSB_MOST_LEVELS][PSB_AMG_BY_LEVEL];
};

/* Where a value is to be set; all: on all levels, before and after coarser ones. */
struct psb_cbind_where {
    psb_i_t ilev, ilmax; /* the finest is 1; ilev 0: all */
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
