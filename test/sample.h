/* sample.h -- test: test matrices and reference products. */
#ifndef SAMPLE_H
#define SAMPLE_H
#include "ck.h"
#include "own.h"
#include "psb_type.h"

/* Variables that own what they hold, as in ck.h. */
#define MAT   OWNER(free_mat) struct X(mat)
#define COO   OWNER(free_coo) struct X(coo_mat)
#define VECT  OWNER(free_vect) struct X(vect)
#define SPMAT OWNER(free_spmat) struct X(spmat)
void free_mat(struct X(mat) **a);
void free_coo(struct X(coo_mat) **a);
void free_vect(struct X(vect) **x);
void free_spmat(struct X(spmat) **a);

struct want;

enum sample_kind {
    NOTHING,   /* no entries */
    SPREAD,    /* a few entries per row; some rows and columns are empty */
    TWICE,     /* SPREAD with many entries stored two or three times */
    TRIDIAG,   /* three diagonals */
    DIAGONAL,  /* one diagonal */
    DENSE_ROW, /* SPREAD with one full row */
    DENSE_COL, /* SPREAD with one full column */
    FULL
};

/* Make an m x n matrix with entries in random order, the same on every process.  Free it with X(mat_free). */
struct X(coo_mat) *sample(enum sample_kind kind, psb_ipk m, psb_ipk n);

/* Make an m x n matrix in COO without entries; append an entry, unless its column is outside the matrix. */
struct X(coo_mat) *new_coo(psb_ipk m, psb_ipk n);
void coo_put(struct X(coo_mat) *a, psb_ipk i, psb_ipk j, T v);

/* Exchange entries k and l. */
void coo_swap(struct X(coo_mat) *a, psb_epk k, psb_epk l);

T random_scalar(struct rng *r);
void random_vector(psb_ipk n, T *x, uint64_t seed);
void fill_vector(psb_ipk n, T *x, T a);

/* Convert a to the format of `to`; the test fails if that fails. */
struct X(mat) *convert(struct X(mat) *a, const struct X(mat) *to);

extern const char op_codes[]; /* "NTC" */

/* The rows of op(a). */
psb_ipk rows_of(const struct X(mat) *a, char trans);

/* Allocate n elements with calloc. */
T *new_array(psb_epk n);
struct want *new_wants(psb_epk n);

/* Return whether a and b have equal sizes and bitwise equal entries, in any order. */
int same_entries(const struct X(coo_mat) *a, const struct X(coo_mat) *b);

/* Expected element of a result: its value, and the largest admissible error of a value computed in T. */
struct want {
    long double _Complex value;
    long double slack;
};

/* Compute w = alpha op(A) x + beta y in long double.  alpha == 0: neither A nor x is read; beta == 0: y is
 * not read. The slack: if L entries contribute to an element, each is rounded in at most three products (with
 * alpha, x, beta) and L + 1 sums.  The relative error of a sum is u = EPS / 2, that of a product u, or
 * sqrt(8) u if complex (Brent, Percival and Zimmermann, Math. Comp. 76, 2007).  To first order the error of
 * an element is therefore at most (L + 4) u (|alpha| |A| |x| + |beta| |y|) for real and 3 (L + 4) u (...) for
 * complex numbers.  The bound is doubled, since the reference is rounded too: long double may have the
 * precision of double.  For underflow a tiny number is added for every operation. */
void sample_product(const struct X(coo_mat) *a, char trans, T alpha, const T *x, T beta, const T *y,
                    struct want *w);
/* The same for k columns, stored by rows. */
void sample_products(const struct X(coo_mat) *a, char trans, psb_ipk k, T alpha, const T *x, T beta,
                     const T *y, struct want *w);

/* Return whether `got` is within the slack of w.  A NaN matches a NaN, an infinity the same infinity. */
int is_right(T got, const struct want *w);

/* Return the index of the first wrong element of y, or n. */
psb_ipk first_wrong(psb_ipk n, const T *y, const struct want *w);
#endif
