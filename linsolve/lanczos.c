/* lanczos.c -- linsolve: the extreme eigenvalues of the tridiagonal matrix that CG makes. */
#include "kr_column.h"
#include <math.h>

/* alpha of step i times 2^-e: a unit in which that of step 0 is near to 1. */
static double scaled_alpha(const struct psb_kr_step *step, int k, int i, int *e)
{
    frexp(step->alpha, e);
    return ldexp(step[(size_t)i * (size_t)k].alpha, -*e);
}

/* Row i has 1 / alpha_i + beta_i / alpha_(i-1) on the diagonal; *square: the square of what is left of it,
 * beta_i / alpha_(i-1)^2.  beta is 0 where a run of the method begins. */
static double diagonal_of(const struct psb_kr_step *step, int k, int i, double *square)
{
    int e;
    const double former = i > 0 ? scaled_alpha(step, k, i - 1, &e) : 1;
    const double b = i > 0 ? step[(size_t)i * (size_t)k].beta / former : 0;
    *square = b / former;
    return 1 / scaled_alpha(step, k, i, &e) + b;
}

/* The number of eigenvalues below x, that of negative pivots (Sylvester). */
static int eigenvalues_below(int n, const struct psb_kr_step *step, int k, double x)
{
    double pivot = 1, square;
    int below = 0;
    for (int i = 0; i < n; i++) {
        const double d = diagonal_of(step, k, i, &square) - x;
        pivot = d - (square > 0 ? square / pivot : 0);
        if (pivot == 0)
            pivot = 1e-300;
        below += pivot < 0;
    }
    return below;
}

/* The eigenvalue from which on at least `least` are below, in (0, most]. */
static double bisect(int n, const struct psb_kr_step *step, int k, int least, double most)
{
    double low = 0, high = most;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (eigenvalues_below(n, step, k, middle) >= least)
            high = middle;
        else
            low = middle;
    }
    return high;
}

void psb_kr_extremes(int n, const struct psb_kr_step *step, int k, double *smallest, double *largest)
{
    double most = 0, square, next = 0;
    int e;
    for (int i = n - 1; i >= 0; i--) { /* Gershgorin's bound */
        const double d = diagonal_of(step, k, i, &square);
        most = fmax(most, d + sqrt(square) + next);
        next = sqrt(square);
    }
    scaled_alpha(step, k, 0, &e);
    *smallest = ldexp(bisect(n, step, k, 1, most), -e);
    *largest = ldexp(bisect(n, step, k, n, most), -e);
}
