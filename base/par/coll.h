/* coll.h -- room: base/par.  Collective calls inside the library. */
#ifndef PSB_COLL_INSIDE_H
#define PSB_COLL_INSIDE_H
#include <stdbool.h>
#include "psb_coll.h"

/* What a process calls.  Numbers below PSB_NOPS are reductions, of enum psb_op. */
enum psb_call {
    PSB_CALL_BCAST = PSB_NOPS,
    PSB_CALL_SCAN,
    PSB_CALL_EXSCAN,
    PSB_CALL_GATHER,
    PSB_CALL_GATHERV,
    PSB_CALL_SCATTER, /* of a vector */
    PSB_CALL_AGREE,
    PSB_NCALLS
};

/* Check that `call`, kind, n and root are the same on all processes, and agree on the error `mine`.
 * Collective. */
PSB_MUST_CHECK psb_err psb_compare(psb_ctxt *c, enum psb_call call, int kind, psb_epk n, int root,
                                   psb_err mine);

/* Reduce x[0..n) on all processes, where `mine` is the error of this process: if any process has failed, all
 * return an error and x is unchanged.  A process that has failed need not know n.  limited: a process waits
 * for the others for PSB_HALO_TIMEOUT seconds, if it was set when the context was made: then PSB_EMPI names
 * the one that did not come, and so do all later calls on the context.  Collective. */
PSB_MUST_CHECK psb_err psb_reduce_or_fail(psb_ctxt *c, enum psb_op op, psb_epk n, double *x, psb_err mine,
                                          bool limited);

/* psb_sum_start for a sum on all processes that is limited as above.  On error nothing has been started, and
 * the others wait for this process to join them by psb_reduce_in_time with the error.  Collective. */
PSB_MUST_CHECK psb_err psb_sum_in_time_start(psb_ctxt *c, enum psb_kind kind, psb_epk n, void *x,
                                             psb_request **req);

/* Advance all collective calls that have been started, without waiting.  Local. */
void psb_progress(psb_ctxt *c);
#endif
