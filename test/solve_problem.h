/* solve_problem.h -- test: linear systems for the suites of linsolve. */
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H
#include "psb_linsolve.h"
#include "distributed.h"

/* A x = b of n rows; `want` is the solution in global order. */
struct problem {
    psb_ipk n;
    psb_desc *desc;
    struct X(spmat) *a;
    struct X(vect) *b, *x;
    T *want;
};

/* How the matrix of a problem is: five diagonals of a grid, Hermitian positive definite; the same with
 * convection, diagonally dominant but not symmetric; Hermitian indefinite. */
enum problem_kind { PROBLEM_HPD, PROBLEM_CONVECTION, PROBLEM_INDEFINITE, PROBLEM_KINDS };

/* Make a problem on a grid of m by m points, m m <= MOST, with k right-hand sides, and x = 0; formats and
 * places by the mold and vmold, as for psb_spasb and psb_geasb.  Collective. */
struct problem make_problem(enum problem_kind kind, psb_ipk m, int k, enum distribution distribution,
                            const struct X(mat) *mold, const struct psb_vmold *vmold);

/* Make the problem of n rows with the entries a[i n + j] that are not 0, the right-hand side b, x = 0, and
 * want = 0.  Collective. */
struct problem dense_problem(psb_ipk n, const T *a, const T *b, enum distribution distribution);
void problem_free(struct problem *p);

/* For PREC of own.h. */
static inline void free_prec(struct X(prec) **m)
{
    X(precfree)(*m);
}

/* Return the largest of |x - want| over all processes and columns.  Collective. */
double problem_error(const struct problem *p);
#endif
