/* prec_image.h -- test: preconditioners and matrices as dense matrices: element (i, j) of n x n is at
 * i n + j, on every process; the caller frees them. */
#ifndef PREC_IMAGE_H
#define PREC_IMAGE_H
#include "solve_problem.h"

/* The matrix of a problem; op(M)^-1 for a preconditioner that was built for it, with vectors where vmold
 * says. Collective. */
T *matrix_image(const struct problem *p);
T *prec_image(const struct problem *p, const struct X(prec) *m, char trans, const struct psb_vmold *vmold);

/* a b; the inverse of a, which needs no pivoting; alpha a + beta b; op(a); the identity. */
T *image_product(psb_ipk n, const T *a, const T *b);
T *image_inverse(psb_ipk n, const T *a);
T *image_sum(psb_ipk n, T alpha, const T *a, T beta, const T *b);
T *image_op(psb_ipk n, const T *a, char trans);
T *image_identity(psb_ipk n);

/* ILU(0) of the m rows and columns ord[0..m) of a, in this order: L below the diagonal, without its ones, D U
 * on it and above.  full: with all fill. */
T *image_factors(psb_ipk n, const T *a, psb_ipk m, const psb_ipk *ord, int full);

/* The largest modulus in a - b divided by that in b. */
double image_distance(psb_ipk n, const T *a, const T *b);

/* A preconditioner made from text and built for p's matrix, with these molds.  Collective. */
struct X(prec) *built(const struct problem *p, const char *text, const struct X(mat) *mold,
                      const struct psb_vmold *vmold);

/* The distance of the image of a preconditioner, made from text for p, from `want`.  Collective. */
double prec_distance(const struct problem *p, const char *text, const T *want);
/* The distance of the image of a preconditioner, made from text for p, from its conjugate transpose.
 * Collective. */
double prec_asymmetry(const struct problem *p, const char *text);
#endif
