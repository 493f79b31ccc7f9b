/* distributed.h -- test: A matrix and two vectors distributed over the processes in every supported
 * way. */
#ifndef DISTRIBUTED_H
#define DISTRIBUTED_H
#include "sample.h"
#include "collective_checks.h"

/* Distributions of rows: equal blocks, unequal blocks, no rows on the first process, none on the last, all
 * rows on one process, cyclic, random owners, and random owners with rows in random local order. */
enum distribution {
    EVEN,
    UNEVEN,
    FIRST_EMPTY,
    LAST_EMPTY,
    ONE_HAS_ALL,
    CYCLIC,
    RANDOM,
    SHUFFLED,
    DISTRIBUTIONS
};

enum { MOST = 64 }; /* the most rows and columns of a test matrix */

/* A few of the distributions, for tests that do not try all. */
enum { SOME_DISTRIBUTIONS = 4 };
extern const enum distribution some_distributions[SOME_DISTRIBUTIONS];

/* Set owner[i] to the process that owns row i of n; the result is the same on every process. */
void owners(enum distribution distribution, psb_ipk n, int *owner);

/* Allocate a descriptor of n rows in state BUILD.  Collective. */
PSB_MUST_CHECK psb_err alloc_desc(psb_desc **desc, enum distribution distribution, psb_ipk n);

/* The data of a test. */
struct distributed {
    enum distribution distribution;
    struct X(coo_mat) *s; /* the whole matrix */
    psb_desc *row, *col;
    struct X(spmat) *a;
    struct X(vect) *x, *y; /* x on col, y on row */
};

/* Make the m x n sample matrix `kind` in state BUILD with distribution `row` of its rows and `col` of its
 * columns, on assembled descriptors.  A square matrix with row == col has one descriptor.  Collective. */
struct distributed distribute(enum sample_kind kind, psb_ipk m, psb_ipk n, enum distribution row,
                              enum distribution col);
/* The same with 41 rows and columns, on one descriptor. */
struct distributed square_sample(enum sample_kind kind, int distribution);
void distributed_free(struct distributed *w);
#define DISTRIBUTED OWNER(distributed_free) struct distributed

/* Insert all entries of s on every process; those in rows of other processes are dropped, unless a sends
 * them. */
psb_err insert_all(struct X(spmat) *a, const struct X(coo_mat) *s);

/* Make an assembled vector: owned elements copied from `all` (in global order), halo NaN. */
struct X(vect) *make_vector(psb_desc *d, const T *all, const struct psb_vmold *where);
void set_owned(struct X(vect) *x, const T *all);

/* Check the owned elements against w (in global order). */
void check_vector(struct X(vect) *y, const struct want *w, const char *what);

/* Compare y = alpha op(A) x + beta y on new vectors with the reference product. */
void check_product(struct distributed *w, char trans, T alpha, T beta, const struct psb_vmold *where);

/* Let halos of devices be exchanged by messages, or by default.  By messages all neighbours learn of a
 * failure at once, while a GPU that exchanges by lsa is still at work, and no transport that lacks memory is
 * passed over. */
void halo_by_messages(void);
void halo_by_default(void);
#endif
