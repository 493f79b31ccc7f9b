/* psb_krylov.h -- linsolve: Krylov methods: names, options and results. */
#ifndef PSB_KRYLOV_H
#define PSB_KRYLOV_H
#include "psb_prec.h"
#include <stddef.h>
#include <stdio.h>
PSB_BEGIN_C

/* CG, single-reduction CG, pipelined CG, block CG and FCG are for Hermitian positive definite matrices and
 * preconditioners, MINRES for Hermitian matrices with such a preconditioner, the others for any; BICG applies
 * A and the preconditioner also conjugate transposed.  FCG, FGMRES and GCR accept preconditioners that change
 * from one application to the next.  Block CG takes the steps of all columns, at most PSB_MOST_BLOCK, in one
 * space; the other methods solve each column as if it were alone. */
typedef enum psb_method {
    PSB_CG,
    PSB_CG_SINGLE,
    PSB_CG_PIPELINED,
    PSB_FCG,
    PSB_CGS,
    PSB_BICG,
    PSB_BICGSTAB,
    PSB_BICGSTABL,
    PSB_RGMRES,
    PSB_FGMRES,
    PSB_GCR,
    PSB_MINRES,
    PSB_RICHARDSON,
    PSB_IDR,
    PSB_TFQMR,
    PSB_BLOCK_CG,
    PSB_NMETHODS
} psb_method;

enum { PSB_MOST_BICGSTAB_L = 16, PSB_MOST_IDR_S = 64 };

/* What is compared with tol, for the residual r = b - A x: the backward error |r| / (|A| |x| + |b|) in
 * infinity norms; |r| / |b|; |r| / |r0|, r0 the residual of the guess; |r|; the last three in 2-norms.  A
 * quotient 0 / 0 is 0. */
typedef enum psb_stop {
    PSB_STOP_BACKWARD = 1,
    PSB_STOP_RELATIVE = 2,
    PSB_STOP_REDUCTION = 3,
    PSB_STOP_ABSOLUTE = 4
} psb_stop;

/* How a solve ended: the true residual satisfies the criterion; itmax iterations were made; the method
 * cannot go on, as a divisor is 0 or the matrix is not as the method requires; the estimate is not finite or
 * exceeds `divergence` times the first; rounding prevents further progress. */
typedef enum psb_outcome {
    PSB_CONVERGED,
    PSB_MAX_ITERATIONS,
    PSB_BREAKDOWN,
    PSB_DIVERGED,
    PSB_STAGNATED,
    PSB_NOUTCOMES
} psb_outcome;

/* Called on every process, for the guess (it = 0) and after every itrace iterations, with the number of
 * iterations and the stopping criterion's estimate for each of n columns; it makes no call of the library. */
typedef void psb_monitor(void *arg, int it, int n, const double *estimate);

typedef struct psb_solve_options {
    enum psb_method method;
    struct psb_prec_options prec; /* used by psb_solve */
    enum psb_stop stop;
    double tol;   /* > 0 */
    int itmax;    /* >= 0: most iterations, over all restarts */
    int restart;  /* >= 0; 0: the default of the method.  RGMRES, FGMRES, GCR: vectors kept; BICGSTABL: l, at
                     most PSB_MOST_BICGSTAB_L; FCG: former directions; IDR: s, at most PSB_MOST_IDR_S */
    double omega; /* Richardson: the damping factor, > 0 */
    double divergence;    /* > 1 */
    int itrace;           /* >= 0: print and monitor every itrace iterations; 0: never */
    FILE *trace;          /* on process 0; NULL: stdout */
    psb_monitor *monitor; /* NULL: none */
    void *arg;            /* of monitor */
} psb_solve_options;

/* BICGSTAB with psb_prec_defaults; relative residual 1e-6, 1000 iterations, restart 0 (RGMRES, FGMRES
 * and GCR 30, BICGSTABL 2, FCG 1, IDR 4), omega 1, divergence 1e6, no trace. */
extern const struct psb_solve_options psb_solve_defaults;

typedef struct psb_solve_result {
    enum psb_outcome outcome;
    int iterations;
    double estimate; /* of the method, at the last iteration, for the criterion */
    double residual; /* the criterion's value, computed from b - A x at the end */
    char why[96];    /* why it broke down, diverged or stagnated; "" otherwise */
} psb_solve_result;

/* Return the name of a method and of a stopping criterion in lower case, as psb_solve_parse reads them; of an
 * outcome, in words; "" for another number.  Local. */
const char *psb_method_name(enum psb_method method);
const char *psb_stop_name(enum psb_stop stop);
const char *psb_outcome_name(enum psb_outcome outcome);

/* Set *o from text, words separated by commas: the name of a method, which is its constant in lower case
 * without PSB_ and with - for _ ("cg", "cg-single"; "gmres" is RGMRES), and OPTION=VALUE: tol, itmax,
 * restart, omega, divergence, trace (a number of iterations), stop (backward, relative, reduction, absolute),
 * prec (as psb_prec_parse).  Example: "cg, tol=1e-9, prec=bjac(ilu0)".  Of two methods or values of an option
 * the last one counts; options not named keep psb_solve_defaults.  PSB_EARG, naming the word and what was
 * expected; then *o is unchanged.  Local. */
PSB_MUST_CHECK psb_err psb_solve_parse(const char *text, struct psb_solve_options *o);

/* PSB_EARG, naming the option, if one is out of range, or o is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_solve_check(const struct psb_solve_options *o);

/* Options of psb_lsmr; all >= 0.  x suffices if |r| <= btol |b| + atol |A| |x|, so that A x = b has nearly
 * been solved, or |A^H r| <= atol |A| |r|, so that r is nearly orthogonal to the columns of A; in 2-norms,
 * |A| as in psb_lsmr_result. */
typedef struct psb_lsmr_options {
    double atol, btol;
    double damp; /* d of |b - A x|^2 + d^2 |x|^2 */
    int itmax;   /* most iterations */
} psb_lsmr_options;

/* Tolerances 1e-6, no damping, 1000 iterations. */
extern const struct psb_lsmr_options psb_lsmr_defaults;

/* PSB_CONVERGED if the true residual satisfies the criterion; PSB_MAX_ITERATIONS, PSB_BREAKDOWN and
 * PSB_STAGNATED as for other solves. */
typedef struct psb_lsmr_result {
    enum psb_outcome outcome;
    int iterations;
    double norm_r;  /* the root of |b - A x|^2 + d^2 |x|^2, computed at the end */
    double norm_ar; /* |A^H (b - A x) - d^2 x|, computed at the end */
    double norm_x;  /* |x| */
    double norm_a;  /* an estimate of the Frobenius norm of A, from below */
    double cond;    /* an estimate of the condition number of A with damping, from below */
    char why[96];   /* why it broke down or stagnated; "" otherwise */
} psb_lsmr_result;

/* PSB_EARG, naming the option, if one is out of range, or o is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_lsmr_check(const struct psb_lsmr_options *o);
PSB_END_C
#endif
