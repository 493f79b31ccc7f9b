/* spmv_run.h -- tools: the work of psb-spmv once the scalar is known, for each scalar. */
#ifndef PSB_SPMV_RUN_H
#define PSB_SPMV_RUN_H
#include "psb_cuda.h"
#include "psb_rsb.h"
#include "psb_util.h"
#include "load.h"
#include "report.h"

/* CSRG multiplied by cuSPARSE. */
#define CUSPARSE "cuSPARSE"

/* What to do. */
struct task {
    const struct options *options;
    psb_ctxt *ctxt;
    int me, np;
    psb_lpk m, n;
    struct psb_gen gen; /* set if the matrix is generated */
    const char *format[MOST_FORMATS];
    int nformats;
};

#define PSB_TEMPLATE "spmv_check.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "spmv_run.t.h"
#include "psb_each_type.h"
#endif
