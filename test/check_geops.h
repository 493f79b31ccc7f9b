/* check_geops.h -- test: the parts of suite geops. */
#ifndef CHECK_GEOPS_H
#define CHECK_GEOPS_H
#include "multivector.h"

typedef long double _Complex LC;
typedef long double LR;

static const LR tiny = sizeof(R) == sizeof(float) ? FLT_MIN * FLT_EPSILON
                                                  : DBL_MIN * DBL_EPSILON; /* rounding of subnormals */

/* The operations on elements, with factors a and b; those on quotients check for zeros if a is not 0. */
enum geop { AXPBY, AXPBYZ, UPD_XYZ, SCAL, MLT, MLT2, DIV, DIV2, INV, ABSOLUTE, CMP, ADDCONST, GEOPS };
psb_err call_geop(enum geop op, T a, T b, struct X(vect) *const *v);

struct geop_info {
    const char *name, *arguments; /* a letter for each argument, as in messages */
    int outs;                     /* the set of arguments written, as bits */
    int unread[2];                /* the argument not read if a == 0, and that if b == 0; -1: none */
};
extern const struct geop_info geops[GEOPS];

/* Fill three vectors of ROWS rows of k columns; the third has zeros, which matter for masks and quotients. */
void fill_three(int k, T (*all)[CELLS]);

/* Sums, norms, extrema and masks: results, also of extreme values. */
void add_reductions(TCase *c);
/* Wrong arguments, and reductions that fail on one process. */
void add_wrong_vector_operations(TCase *c);
#endif
