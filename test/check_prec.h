/* check_prec.h -- test: the parts of suite prec, and what they share. */
#ifndef CHECK_PREC_H
#define CHECK_PREC_H
#include "prec_image.h"
#include "prec_inside.t.h"

/* What preconditioners compute: all types, Schwarz methods, approximate inverses, polynomials,
 * sweeps, multigrid. */
void prec_apply_tests(Suite *s);
void prec_schwarz_tests(Suite *s);
void prec_inverses_tests(Suite *s);
void prec_polynomials_tests(Suite *s);
void prec_sweeps_tests(Suite *s);
void prec_amg_tests(Suite *s);
void prec_modes_tests(Suite *s);
void prec_hostile_tests(Suite *s);
void prec_geometric_tests(Suite *s);

/* Turn i of a test of n cases: three distributions for each case, all in turn. */
enum distribution distribution_of_turn(int i, int n);
enum { EACH = 3 };

static const double SMALL = 1000 * (double)EPS; /* of distances between images */
#endif
