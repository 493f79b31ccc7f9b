/* psb_krylov_cbind.h -- cbind: PSBLAS's C interface: Krylov methods. */
#ifndef PSB_KRYL_CBIND_
#define PSB_KRYL_CBIND_
#include "psb_base_cbind.h"
#include "psb_prec_cbind.h"
PSB_C_BEGIN

typedef struct psb_c_solveroptions {
    int iter;   /* on exit: iterations made */
    int itmax;  /* most iterations */
    int itrace; /* print the residual every itrace iterations; <= 0: never */
    int irst;  /* RGMRES, GCR: vectors between restarts; BICGSTABL: l, at most 8 counts, 4 in single precision
                */
    int istop; /* 1: backward error; 2: |r| / |b|; 3: |r| / |r0| */
    double eps; /* tolerance */
    double err; /* on exit: the criterion's value, computed from b - A x */
    void *s1;   /* vectors to scale by: not offered, NULL */
    void *s2;
} psb_c_SolverOptions;

/* itmax 1000, itrace 0, istop 2, irst 10, eps 1e-6, s1 and s2 NULL; print options to stderr.  Local. */
int psb_c_DefaultSolverOptions(psb_c_SolverOptions *opt);
int psb_c_PrintSolverOptions(psb_c_SolverOptions opt);

/* Solve A x = b with preconditioner p, starting from x.  method: a name of PSB_VALID_KRYLOV_METHODS_STRINGS
 * or of psb_solve_parse, in any case; another one means BICGSTAB, after a warning.  0 also if the method
 * ends before it has converged, by itmax or since it cannot go on: then opt->err > opt->eps, and process 0
 * prints PSBLAS's two lines about it, unless opt->itrace < 0.  Collective. */
int psb_c_skrylov(const char *method, psb_c_sspmat *ah, psb_c_sprec *ph, psb_c_svector *bh, psb_c_svector *xh,
                  psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
int psb_c_dkrylov(const char *method, psb_c_dspmat *ah, psb_c_dprec *ph, psb_c_dvector *bh, psb_c_dvector *xh,
                  psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
int psb_c_ckrylov(const char *method, psb_c_cspmat *ah, psb_c_cprec *ph, psb_c_cvector *bh, psb_c_cvector *xh,
                  psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
int psb_c_zkrylov(const char *method, psb_c_zspmat *ah, psb_c_zprec *ph, psb_c_zvector *bh, psb_c_zvector *xh,
                  psb_c_descriptor *cdh, psb_c_SolverOptions *opt);

/* The same by x = x + M^-1 (b - A x), M the preconditioner.  Collective. */
int psb_c_srichardson(psb_c_sspmat *ah, psb_c_sprec *ph, psb_c_svector *bh, psb_c_svector *xh,
                      psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
int psb_c_drichardson(psb_c_dspmat *ah, psb_c_dprec *ph, psb_c_dvector *bh, psb_c_dvector *xh,
                      psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
int psb_c_crichardson(psb_c_cspmat *ah, psb_c_cprec *ph, psb_c_cvector *bh, psb_c_cvector *xh,
                      psb_c_descriptor *cdh, psb_c_SolverOptions *opt);
int psb_c_zrichardson(psb_c_zspmat *ah, psb_c_zprec *ph, psb_c_zvector *bh, psb_c_zvector *xh,
                      psb_c_descriptor *cdh, psb_c_SolverOptions *opt);

#define PSB_VALID_KRYLOV_METHODS_STRINGS "CG", "CGS", "BICG", "BICGSTAB", "RGMRES", "BICGSTABL", "FCG", "GCR"
#define PSB_VALID_KRYLOV_METHODS_STRING  "CG CGS BICG BICGSTAB RGMRES BICGSTABL FCG GCR"
PSB_C_END
#endif
