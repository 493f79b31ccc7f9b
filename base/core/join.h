/* join.h -- base/core: sums, maxima and minima of doubles. */
#ifndef PSB_JOIN_H
#define PSB_JOIN_H

enum psb_join { PSB_JOIN_SUM, PSB_JOIN_MAX, PSB_JOIN_MIN };

/* Return the sum, maximum or minimum of a and b; NaN if either is NaN.  Local. */
double psb_join(enum psb_join how, double a, double b);
#endif
