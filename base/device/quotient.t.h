/* quotient.t.h -- base/device: division of scalars anywhere in their range. */
#ifndef QUOTIENT_T_H
#define QUOTIENT_T_H
enum { MOST_EXPONENT = sizeof(R) == sizeof(float) ? FLT_MAX_EXP : DBL_MAX_EXP }; /* of numbers of type R */

/* a / b.  Compilers square the modulus of a complex divisor, which may leave the range of R: it is brought
 * near to 1 by a power of two first, which changes no bit of other quotients. */
static inline T X(quotient)(T a, T b)
{
    const double re = fabs((double)RE(b)), im = fabs((double)IM(b)), most = re > im ? re : im;
    int e;
    if (!CPLX || !(most > 0) || isinf(most))
        return a / b;
    frexp(most, &e);
    const R unit = (R)ldexp(1, e > 2 - MOST_EXPONENT ? -e : MOST_EXPONENT - 2);
    return a * unit / (b * unit);
}
#endif
