/* options.c -- cbind: options of iterative methods. */
#include "cbind.h"
#include <float.h>

int psb_c_DefaultSolverOptions(psb_c_SolverOptions *opt)
{
    if (!opt)
        return CODE(PSB_FAIL(PSB_EARG, "argument opt is NULL; expected options"));
    *opt = (psb_c_SolverOptions){ .itmax = 1000, .irst = 10, .istop = 2, .eps = 1e-6 };
    return 0;
}

int psb_c_PrintSolverOptions(psb_c_SolverOptions opt)
{
    fprintf(stderr, " PSBLAS C Interface Solver Options\n");
    fprintf(stderr, "    Maximum number of iterations  : %11d\n", opt.itmax);
    fprintf(stderr, "    Tracing                       : %11d\n", opt.itrace);
    fprintf(stderr, "    Stopping Criterion            : %11d\n", opt.istop);
    fprintf(stderr, "    Restart                       : %11d\n", opt.irst);
    fprintf(stderr, "    EPS (tolerance)               : %11.3E\n", opt.eps);
    fprintf(stderr, "    S1 scaling                    : %c\n", opt.s1 ? 'T' : 'F');
    fprintf(stderr, "    S2 scaling                    : %c\n", opt.s2 ? 'T' : 'F');
    return 0;
}

/* As PSBLAS does, use BICGSTAB for a method that is not known, and say so. */
static enum psb_method method_of(psb_ctxt *ctxt, const char *name)
{
    for (int m = 0; m < PSB_NMETHODS; m++)
        if (psb_cbind_same_word(name, psb_method_name(m)))
            return m;
    if (psb_cbind_same_word(name, "GMRES"))
        return PSB_RGMRES;
    int me;
    psb_info(ctxt, &me, NULL);
    if (me == 0)
        fprintf(stderr, "psb: psb_c_?krylov: unknown method \"%s\"; BICGSTAB is used\n", name);
    return PSB_BICGSTAB;
}

/* PSBLAS's name of a method where it tells that one has failed. */
static const char *psblas_name(enum psb_method m)
{
    static const char *const names[PSB_NMETHODS] = {
        [PSB_CG] = "CG",     [PSB_FCG] = "FCG",           [PSB_CGS] = "CGS",
        [PSB_BICG] = "BiCG", [PSB_BICGSTAB] = "BiCGStab", [PSB_BICGSTABL] = "BiCGStab(L)",
        [PSB_GCR] = "GCR",   [PSB_RGMRES] = "RGMRES",     [PSB_MINRES] = "MINRES",
    };
    return names[m] ? names[m] : psb_method_name(m);
}

void psb_cbind_report(psb_ctxt *ctxt, enum psb_method m, const psb_c_SolverOptions *opt)
{
    int me;
    psb_info(ctxt, &me, NULL);
    if (me != 0 || opt->itrace < 0 || opt->err <= opt->eps)
        return;
    printf("%s failed to converge to   %.9E  in  %4d  iterations. \n", psblas_name(m), opt->eps, opt->iter);
    printf("Last iteration error estimate:   %.9E\n", opt->err);
    fflush(stdout);
}

/* The methods that irst is for; the others keep their defaults. */
static int restart_of(enum psb_method m, int irst, int most_l)
{
    if (m == PSB_BICGSTABL)
        return irst > most_l ? most_l : irst;
    if (m == PSB_GCR)
        return irst > 0 ? irst : 10;
    return m == PSB_RGMRES || m == PSB_FGMRES ? irst : 0;
}

psb_err psb_cbind_options(psb_ctxt *ctxt, const char *method, const psb_c_SolverOptions *opt, int most_l,
                          struct psb_solve_options *o)
{
    PSB_NEED(method, "the name of a method");
    PSB_NEED(opt, "options of psb_c_DefaultSolverOptions");
    PSB_CHECK(!opt->s1 && !opt->s2, PSB_ENOTIMPL,
              "option %s is a vector to scale by; expected NULL, as psb_c_DefaultSolverOptions sets it",
              opt->s1 ? "s1" : "s2");
    *o = psb_solve_defaults;
    o->method = method_of(ctxt, method);
    o->stop = (enum psb_stop)opt->istop;
    o->tol = opt->eps > 0 ? opt->eps : DBL_MIN; /* never reached */
    o->itmax = opt->itmax > 0 ? opt->itmax : 0;
    o->itrace = opt->itrace > 0 ? opt->itrace : 0;
    o->restart = restart_of(o->method, opt->irst, most_l);
    return PSB_OK;
}
