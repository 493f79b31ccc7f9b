/* quotient.t.h -- linsolve: division of scalars anywhere in their range. */

/* a / b.  Compilers square the modulus of a complex divisor, which may leave the range of R: it is brought
 * near to 1 by a power of two first, which changes no bit of other quotients. */
static inline T X(quotient)(T a, T b)
{
    const double re = fabs((double)RE(b)), im = fabs((double)IM(b)), most = re > im ? re : im;
    const int range = sizeof(R) == sizeof(float) ? FLT_MAX_EXP : DBL_MAX_EXP;
    int e;
    if (!CPLX || !(most > 0) || isinf(most))
        return a / b;
    frexp(most, &e);
    const R unit = (R)ldexp(1, e > 2 - range ? -e : range - 2);
    return a * unit / (b * unit);
}
