/* check_geops.h -- test: the parts of suite geops. */
#ifndef CHECK_GEOPS_H
#define CHECK_GEOPS_H
#include "multivector.h"

typedef long double _Complex LC;
typedef long double LR;

static const LR tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON
                                                  : DBL_MIN * DBL_EPSILON; /* rounding of subnormals */

/* Fill three vectors of ROWS rows of k columns; the third has zeros, which matter for masks and quotients. */
void fill_three(int k, T (*all)[CELLS]);

/* Sums, norms, extrema and masks: results, also of extreme values. */
void add_reductions(TCase *c);
/* Wrong arguments, and reductions that fail on one process. */
void add_wrong_vector_operations(TCase *c);
#endif
