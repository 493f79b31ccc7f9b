/* sample.h -- room: test.  Matrices to try things on, and what their products must be. */
#ifndef SAMPLE_H
#define SAMPLE_H
#include "ck.h"
#include "psb_type.h"

enum sample_kind {
    NOTHING,   /* no entries */
    SPREAD,    /* a few entries a row, empty rows and columns among them */
    TWICE,     /* the same, and many entries stand two or three times */
    TRIDIAG,   /* three diagonals, as far as they go */
    DIAGONAL,  /* one */
    DENSE_ROW, /* SPREAD, and one row is full */
    DENSE_COL, /* SPREAD, and one column is full */
    FULL
};

/* A matrix of m rows and n columns, entries in no order; freed by X(mat_free).  The same on every process. */
struct X(coo_mat) *sample(enum sample_kind kind, psb_ipk m, psb_ipk n);

T random_scalar(struct rng *r);
void random_vector(psb_ipk n, T *x, uint64_t seed);
void fill_vector(psb_ipk n, T *x, T a);

/* Have a and b the same sizes and the same entries, bit by bit, whatever their order? */
int same_entries(const struct X(coo_mat) *a, const struct X(coo_mat) *b);

/* An element of a product: its value, and how far from it one computed in T may lie. */
struct want {
    long double _Complex value;
    long double slack;
};

/* alpha op(A) x + beta y in long double.  alpha == 0 reads neither A nor x, beta == 0 does not read y.
 * The slack: where L entries meet in an element, each is rounded in at most three products (alpha, x, beta)
 * and L + 1 sums; a sum is off by u = EPS / 2 of its size, a product by u, of complex numbers by sqrt(8) u
 * (Brent, Percival and Zimmermann, Math. Comp. 76, 2007).  So an element is off by at most
 * (L + 4) u (|alpha| |A| |x| + |beta| |y|) for reals, 3 (L + 4) u for complex numbers, to first order;
 * doubled, for the oracle is rounded too: long double may be no longer than double.  What falls below the
 * range is lost besides: a tiny number for every operation. */
void sample_product(const struct X(coo_mat) *a, char trans, T alpha, const T *x, T beta, const T *y,
                    struct want *w);

/* Is got what w asks for?  A NaN for a NaN, an infinity for itself. */
int is_right(T got, const struct want *w);

/* The first element of y that is not right, n where there is none. */
psb_ipk first_wrong(psb_ipk n, const T *y, const struct want *w);
#endif
