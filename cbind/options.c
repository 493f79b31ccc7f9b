/* options.c -- room: cbind.  Options of Krylov methods. */
#include "cbind.h"

int psb_c_DefaultSolverOptions(psb_c_SolverOptions *opt)
{
    if (!opt)
        return CODE(psb_cbind_empty("opt", "options"));
    *opt = (psb_c_SolverOptions){ .itmax = 1000, .irst = 10, .istop = 2, .eps = 1e-6 };
    return 0;
}

/* As PSBLAS does, use BICGSTAB for a method that is not known, and say so. */
static enum psb_method method_of(psb_ctxt *ctxt, const char *name)
{
    int me;
    for (int m = 0; m < PSB_NMETHODS; m++)
        if (psb_cbind_same_word(name, psb_method_name(m)))
            return m;
    if (psb_cbind_same_word(name, "GMRES"))
        return PSB_RGMRES;
    psb_info(ctxt, &me, NULL);
    if (me == 0)
        fprintf(stderr, "psb: psb_c_?krylov: unknown method \"%s\"; BICGSTAB is used\n", name);
    return PSB_BICGSTAB;
}

/* The methods that irst is for; the others keep their defaults. */
static int restart_of(enum psb_method m, int irst)
{
    if (m == PSB_BICGSTABL)
        return irst > PSB_MOST_BICGSTAB_L ? PSB_MOST_BICGSTAB_L : irst;
    return m == PSB_RGMRES || m == PSB_FGMRES || m == PSB_GCR ? irst : 0;
}

psb_err psb_cbind_options(psb_ctxt *ctxt, const char *method, const psb_c_SolverOptions *opt,
                          struct psb_solve_options *o)
{
    PSB_NEED(method, "the name of a method");
    PSB_NEED(opt, "options of psb_c_DefaultSolverOptions");
    *o = psb_solve_defaults;
    o->method = method_of(ctxt, method);
    o->stop = (enum psb_stop)opt->istop;
    o->tol = opt->eps;
    o->itmax = opt->itmax;
    o->itrace = opt->itrace > 0 ? opt->itrace : 0;
    o->restart = restart_of(o->method, opt->irst);
    return PSB_OK;
}
