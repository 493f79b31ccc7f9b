/* reduce.c -- room: base/par.  Reductions over all processes in a fixed order. */
#include "reduce.h"
#include "coll.h"

static const enum psb_op op[] = {
    [PSB_JOIN_SUM] = PSB_SUM, [PSB_JOIN_MAX] = PSB_MAX, [PSB_JOIN_MIN] = PSB_MIN
};

psb_err psb_reduce(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine)
{
    return PSB_PASS(ctxt ? psb_reduce_or_fail(ctxt, op[how], n, v, mine, false) : mine);
}

psb_err psb_reduce_in_time(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine)
{
    return PSB_PASS(ctxt ? psb_reduce_or_fail(ctxt, op[how], n, v, mine, true) : mine);
}
