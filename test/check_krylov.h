/* check_krylov.h -- test: the parts of suite "krylov". */
#ifndef CHECK_KRYLOV_H
#define CHECK_KRYLOV_H
#include "solve_problem.h"

/* The number of methods that are tested, and the text of method m. */
int krylov_methods(void);
const char *krylov_method(int m);

/* Return |b - A x| / |b| for column j of a problem, in 2-norms, and 0 for 0 / 0.  Collective. */
double residual_of(const struct problem *p, int j);

/* Systems of a few rows: breakdowns, singular matrices, one row. */
void small_systems_tests(Suite *s);

/* Compare with LAPACK, if it is there. */
void random_systems_tests(Suite *s);

/* Solvers that are kept. */
void solver_tests(Suite *s);

/* Solves whose coefficients are on the device. */
void device_solve_tests(Suite *s);

/* Operators and preconditioners of the caller. */
void operator_tests(Suite *s);

/* Null spaces. */
void nullspace_tests(Suite *s);

/* Units of A and b; the ends of the range. */
void units_tests(Suite *s);

/* Block CG. */
void block_cg_tests(Suite *s);

/* Preconditioners in single precision. */
void single_precision_tests(Suite *s);

/* Least-squares problems. */
void lsmr_tests(Suite *s);
#endif
