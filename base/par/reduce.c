/* reduce.c -- room: base/par.  Results of all processes joined, in a fixed order. */
#include "reduce.h"
#include "ctxt.h"

double psb_join(enum psb_join how, double a, double b)
{
    if (how == PSB_JOIN_SUM)
        return a + b;
    if (a != a || b != b)
        return a + b;
    return (how == PSB_JOIN_MAX ? b > a : b < a) ? b : a;
}

psb_err psb_reduce(psb_ctxt *ctxt, enum psb_join how, double *v, int n, psb_err mine)
{
    static const enum psb_op op[] = {
        [PSB_JOIN_SUM] = PSB_SUM, [PSB_JOIN_MAX] = PSB_MAX, [PSB_JOIN_MIN] = PSB_MIN
    };
    return ctxt ? psb_reduce_or_fail(ctxt, op[how], n, v, mine) : mine;
}
