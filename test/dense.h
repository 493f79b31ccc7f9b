/* dense.h -- test: dense reference matrices for operations on sparse ones. */
#ifndef DENSE_H
#define DENSE_H
#include "sample.h"

/* Element (i, j) is v[i * n + j], the sum of times[i * n + j] entries. */
struct dense {
    psb_ipk m, n;
    T *v;
    int *times;
};

struct dense dense_new(psb_ipk m, psb_ipk n);
struct dense dense_of_coo(const struct X(coo_mat) *a);
void dense_free(struct dense *d);
#define DENSE OWNER(dense_free) struct dense

/* Add an entry. */
void dense_put(struct dense *d, psb_ipk i, psb_ipk j, T v);

/* Check that a, in any format, has the sizes of d and stores each entry of d once with the same bits (NaN for
 * NaN). `what` is part of the message. */
void dense_is(struct X(mat) *a, const struct dense *d, const char *what);

/* The same for values within `slack` of those of d. */
void dense_is_near(struct X(mat) *a, const struct dense *d, const R *slack, const char *what);

/* The k-th of FEW test matrices: all kinds, or all but TWICE if `once`, in FEW_SIZES sizes. */
enum { FEW_SIZES = 11, FEW = FEW_SIZES * (FULL + 1) };
struct X(coo_mat) *few(int k, int once);

/* Convert s to the i-th registered format, state ASB. */
struct X(mat) *in_format(struct X(coo_mat) *s, int i);
#endif
