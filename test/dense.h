/* dense.h -- room: test.  A matrix written out, the oracle of what is done to sparse ones. */
#ifndef DENSE_H
#define DENSE_H
#include "sample.h"

/* Element (i, j) is v[i * n + j], the sum of the times[i * n + j] entries that stand there. */
struct dense {
    psb_ipk m, n;
    T *v;
    int *times;
};

struct dense dense_new(psb_ipk m, psb_ipk n);
struct dense dense_of_coo(const struct X(coo_mat) *a);
void dense_free(struct dense *d);

/* Add an entry. */
void dense_put(struct dense *d, psb_ipk i, psb_ipk j, T v);

/* Is a, of whatever format, d: the same sizes, the same places, each stored once, the same values bit by bit
 * (a NaN is a NaN)?  Fails the test, saying `what`, where not. */
void dense_is(struct X(mat) *a, const struct dense *d, const char *what);

/* The same, values to within `slack` of each. */
void dense_is_near(struct X(mat) *a, const struct dense *d, const R *slack, const char *what);

/* Sizes worth trying, and the matrices of them: all kinds but TWICE where `once`. */
enum { FEW_SIZES = 11, FEW = FEW_SIZES * (FULL + 1) };
struct X(coo_mat) *few(int k, int once);

/* s in the i-th registered format, state ASB. */
struct X(mat) *in_format(struct X(coo_mat) *s, int i);
#endif
