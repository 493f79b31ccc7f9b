/* worst.h -- test: the largest error, not a number if one is not. */
#ifndef WORST_H
#define WORST_H

static inline double worse(double worst, double error)
{
    return error > worst || error != error ? error : worst;
}
#endif
