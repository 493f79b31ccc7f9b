/* gram.h -- linsolve: small dense matrices, of the scalar products of columns: k x k <= PSB_MOST_BLOCK^2
 * elements by rows. */
#ifndef PSB_GRAM_H
#define PSB_GRAM_H
#include <complex.h>

/* Return the rank r of a Hermitian positive semidefinite g, and store u and t such that g = u^H u and u t is
 * the identity, where the last k - r rows of u and columns of t are 0.  A column is taken to depend on others
 * if what they leave of its diagonal element is at most `least` times that.  Return a negative number if g is
 * not semidefinite (_INDEFINITE) or not finite.  g is overwritten.  Local. */
enum { PSB_GRAM_INDEFINITE = -1, PSB_GRAM_NOT_FINITE = -2 };
int psb_gram_factor(int k, double least, double complex *g, double complex *u, double complex *t);

/* c = a b, another matrix than these; to = a^H, another one than a.  Local. */
void psb_gram_multiply(int k, const double complex *a, const double complex *b, double complex *c);
void psb_gram_adjoint(int k, const double complex *a, double complex *to);
#endif
