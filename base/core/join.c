/* join.c -- base/core: sums, maxima and minima of doubles. */
#include "join.h"

double psb_join(enum psb_join how, double a, double b)
{
    if (how == PSB_JOIN_SUM)
        return a + b;
    if (a != a || b != b)
        return a + b;
    return (how == PSB_JOIN_MAX ? b > a : b < a) ? b : a;
}
