/* psb_prec.h -- linsolve: preconditioners: types and options. */
#ifndef PSB_PREC_H
#define PSB_PREC_H
#include "psb_factor.h"
#include <stdbool.h>
#include <stddef.h>
PSB_BEGIN_C

/* No preconditioner; the diagonal; the diagonal plus the sums of moduli of the entries in halo columns
 * (l1-Jacobi); incomplete factors of the block owned here (block Jacobi); of that block extended by overlap,
 * of which each process keeps the rows it owns (restricted additive Schwarz), adds the rows of all (additive
 * Schwarz), or does not read the overlap but adds it (with harmonic extension); sparse approximate inverses Z
 * D^-1 W^T of the block owned here, Z and W unit triangles, by biconjugation, from ILU(k), from ILUT;
 * Gauss-Seidel sweeps over the rows of all processes in the order of their colours (psb_sp_colour), relaxed
 * by omega, and symmetric ones (SSOR);
 * polynomials in A scaled by its diagonal: Chebyshev's, and Neumann's series; algebraic multigrid
 * by smoothed aggregation; one of the caller's own (psb_precinit_user). */
typedef enum psb_prec_type {
    PSB_PREC_NONE,
    PSB_PREC_DIAG,
    PSB_PREC_L1,
    PSB_PREC_BJAC,
    PSB_PREC_RAS,
    PSB_PREC_AS,
    PSB_PREC_ASH,
    PSB_PREC_AINV,
    PSB_PREC_INVK,
    PSB_PREC_INVT,
    PSB_PREC_GS,
    PSB_PREC_SSOR,
    PSB_PREC_CHEBYSHEV,
    PSB_PREC_NEUMANN,
    PSB_PREC_AMG,
    PSB_PREC_USER,
    PSB_NPRECS
} psb_prec_type;

/* The order in which a Gauss-Seidel sweep takes the colours: ascending, descending, one after the other. */
enum psb_sweep_direction { PSB_SWEEP_FORWARD, PSB_SWEEP_BACKWARD, PSB_SWEEP_SYMMETRIC };

/* A multigrid cycle visits the next level once (V); twice (W); by an F-cycle, then by a V-cycle (F); in one
 * or two steps of GCR (K) or of flexible CG (KCG) that the cycle preconditions, the second one unless the
 * first divides the residual by 4.  ADD sums what the smoothers of all levels make of the restricted
 * right-hand side.  F is not Hermitian for Hermitian matrices; K and KCG change from one application to the
 * next, and are refused for methods other than FCG, FGMRES, GCR and RICHARDSON. Sources: Trottenberg,
 * Oosterlee, Schueller, "Multigrid", 2001, section 2.4; Notay, Vassilevski, "Recursive Krylov-based multigrid
 * cycles", Numer. Linear Algebra Appl. 15, 2008; Bramble, Pasciak, Xu, "Parallel multilevel preconditioners",
 * Math. Comp. 55, 1990. */
enum psb_cycle { PSB_CYCLE_V, PSB_CYCLE_W, PSB_CYCLE_F, PSB_CYCLE_K, PSB_CYCLE_KCG, PSB_CYCLE_ADD };

/* Rows are put together in aggregates around a maximal set of rows no two of which are within two edges of
 * each other: of the rows of all processes, so that the result does not depend on how even parts of the rows,
 * in order, are distributed (COUPLED), or of each process alone (DECOUPLED, and always for unknowns or
 * near-null vectors); or in pairs, by weight, of each process alone, in several passes (MATCHING).  Sources:
 * Bell, Dalton, Olson, "Exposing fine-grained parallelism in algebraic multigrid methods", SIAM J. Sci.
 * Comput. 34, 2012; D'Ambra, Filippone, Vassilevski, "BootCMatch: a software package for bootstrap AMG based
 * on graph weighted matching", ACM Trans. Math. Softw. 44, 2018. */
enum psb_aggregation { PSB_AGGREGATION_COUPLED, PSB_AGGREGATION_DECOUPLED, PSB_AGGREGATION_MATCHING };
enum { PSB_SMOOTHER_TEXT = 160, PSB_MOST_LEVELS = 60 }; /* bytes of the text of smoothers; levels */

typedef struct psb_prec_options {
    enum psb_prec_type type;
    struct psb_factor_options factor; /* BJAC, RAS, AS, ASH; its fill and drop also for INVK and INVT */
    int sweeps;   /* triangles of factors: solved exactly (0), or by that many Jacobi sweeps; GS, SSOR: that
                     many sweeps, 1 for 0; AMG: the same, before and after a coarser level */
    int overlap;  /* RAS, AS, ASH: levels of overlap, >= 0 */
    int inv_fill; /* INVK: fill level of the inverse, >= 0; AINV, INVT: most entries of a row
                     besides the diagonal, >= 0; -1: the default */
    double inv_drop;  /* AINV, INVT: entries of Z and W below it, relative to their diagonals of ones, are
                         dropped; >= 0 */
    int degree;       /* polynomials: products with A in one application, >= 0 */
    double eig_ratio; /* Chebyshev: the interval is [largest / eig_ratio, 1.1 largest]; > 1 */
    bool fourth_kind; /* Chebyshev: polynomials of the fourth kind, for 0 to 1.1 largest */
    double omega;     /* GS, SSOR: relaxation, > 0 and <= 2 */
    enum psb_sweep_direction direction; /* GS; SSOR is symmetric */
    double theta; /* AMG: rows i and j are coupled if |a_ij| > theta sqrt(|a_ii a_jj|), on further levels
                     with theta / 2, theta / 4, ...; >= 0 */
    int levels, coarse; /* AMG: the most levels, 1 to PSB_MOST_LEVELS; a level of at most so many rows, >= 0,
                           is solved by its dense inverse, which each process computes */
    int unknowns; /* AMG: so many rows here, one after the other, are the unknowns of a node, >= 0; nodes are
                     aggregated.  0: the dimension of the rigid bodies of psb_prec_set_near_null, else 1 */
    int presweeps, postsweeps; /* AMG: sweeps before and after a coarser level, not both 0; -1: `sweeps`;
                                  different numbers make a cycle that is not Hermitian */
    int gather; /* AMG: a further level of fewer rows a process, >= 0, is owned by fewer processes */
    enum psb_aggregation aggregation; /* AMG */
    int passes;                       /* AMG, MATCHING: aggregates have at most 2^passes rows; 1 to 20 */
    bool unsmoothed;                  /* AMG: prolongators are piecewise constant, or made of the near-null
                                         vectors alone; for MATCHING, in cycles W, K and KCG */
    enum psb_cycle cycle;             /* AMG */
    char smoother[PSB_SMOOTHER_TEXT]; /* AMG: a preconditioner, as psb_prec_parse reads it, but not NONE, AMG
                                         and USER; Hermitian for Hermitian matrices if methods need that;
                                         several, with ; between them, for levels 0, 1, ...: the last one
                                         serves all further levels */
    bool halo_once; /* GS, SSOR: the halo is exchanged before each sweep, instead of each colour: each process
                       sweeps over its rows alone */
    bool by_rows; /* GS, SSOR: each process sweeps over its rows in their local order, without colours, on the
                     host by one thread; the halo is exchanged before each sweep; not transposed */
    bool coloured;   /* BJAC: the rows are factored in the order of their colours: on a device a triangle is
                        then solved in as many steps as there are colours */
    bool keep_zeros; /* DIAG: a row whose diagonal is 0 is not scaled, instead of an error */
    bool single;     /* of a matrix in double precision: made of a copy in single precision, and applied in
                        it; for an operator of functions of the matrix near to it; not for NONE, USER and
                        keep_zeros */
} psb_prec_options;

/* DIAG; ILU(0), solved exactly; overlap 1; inv_fill -1, which is 1 for INVK and 20 for
 * AINV and INVT; inv_drop 0.1; degree 4; eig_ratio 30; omega 1; forward; theta 0.01; levels 20; coarse 200;
 * presweeps and postsweeps -1; gather 200; aggregation coupled; passes 3; cycle V; smoother
 * chebyshev(degree=1, eig_ratio=5). */
extern const struct psb_prec_options psb_prec_defaults;

/* Return the name of a type in lower case, as psb_prec_parse reads it; "" for another number.  Local. */
const char *psb_prec_name(enum psb_prec_type type);

/* Set *o from text: NAME or NAME(WORD, ...), where NAME is a constant in lower case without PSB_PREC_, but
 * "l1-jacobi" for L1, and a WORD is the name of a kind of factors ("ilu0" or "ilu", ..., "iluk", with fill 2
 * also as "ilu(2)", "ilut") or OPTION=NUMBER with fill, drop, block, tiny, factor_sweeps, sweeps, overlap,
 * inv_fill, inv_drop, degree, eig_ratio, omega, theta, levels, coarse, unknowns, presweeps, postsweeps,
 * passes or gather, or precision=single (or double), direction=forward (backward, symmetric), halo=once (or
 * colour), order=colour (or natural, rows), kind=fourth (or first), aggregation=coupled (decoupled,
 * matching), prolongator=unsmoothed (or smoothed), cycle=V (W, F, K, KCG, add), smoother=TEXT of another
 * preconditioner, or TEXT;TEXT of several.  Letters are compared without case; of two values the last one
 * counts; options not named keep psb_prec_defaults.  PSB_EARG, naming the word and what was expected; then *o
 * is unchanged. Local. */
PSB_MUST_CHECK psb_err psb_prec_parse(const char *text, struct psb_prec_options *o);

/* Store in text, of `size` bytes, the words from which psb_prec_parse makes *o; options.factor.kind is left
 * out for a type without factors.  PSB_EARG if they do not fit. Local. */
PSB_MUST_CHECK psb_err psb_prec_text(const struct psb_prec_options *o, char *text, size_t size);

/* PSB_EARG, naming the option, if one is out of range, or o is NULL.  Local. */
PSB_MUST_CHECK psb_err psb_prec_check(const struct psb_prec_options *o);
PSB_END_C
#endif
