/* matrix.h -- room: test/kernel.  Matrices by name, and what their products have to be.  For typed sources,
 * after psb_type.h. */
#ifndef MATRIX_H
#define MATRIX_H
#include "psb_gen.h"
struct X(triplets);
struct X(coo_mat);

/* lap7:100 or a file's name without directory and ending. */
void matrix_name(char *name, size_t len, const char *what);

/* Is it generated, not a file? */
int matrix_is_generated(const char *what);

/* Understand a generated matrix's name: what psb_gen.h lists; uniform:M:K, which is uniform:M,K; power:M,
 * which is powerrows:M,15,32768; block:NX, which is elasticity:NX. */
PSB_MUST_CHECK psb_err matrix_parse(const char *what, struct psb_gen *g);

/* All entries of a file; of a generated matrix those of rows that are this process's, one of even blocks. The
 * caller gives *t to psb_?_triplets_free. */
PSB_MUST_CHECK psb_err matrix_read(psb_ctxt *ctxt, const char *what, struct X(triplets) *t);

/* A new *a, ordered: those of the entries that lie in rows row0 .. row0 + rows - 1, which become rows 0, 1,
 * ... Duplicates are added.  psb_?_mat_free frees it. */
PSB_MUST_CHECK psb_err matrix_take(const struct X(triplets) *t, psb_lpk row0, psb_ipk rows,
                                   struct X(coo_mat) **a);

/* *a becomes `copies` of itself along the diagonal.  PSB_EARG where a size, or the number of entries, is 2^31
 * or more. */
PSB_MUST_CHECK psb_err matrix_repeat(struct X(coo_mat) **a, int copies);

/* Element k of x: its real part is between 1 and 2, and it is exact in single precision. */
T x_at(psb_lpk k);

/* What op(A) x has to be, x as x_at says, k columns by rows. */
struct right {
    psb_ipk rows;
    int k;
    double (*y)[2]; /* rows times k elements: their parts */
    double *bound;  /* how much each element of a row may differ */
};

/* Entry by entry, in double precision; trans 'N', 'T' or 'C'.  Two sums of n products may differ by n
 * roundings of the sum of their absolute values, and products below the normal numbers by a step of those. */
PSB_MUST_CHECK psb_err right_make(struct right *r, const struct X(coo_mat) *a, int k, char trans);
void right_free(struct right *r);
/* The worst element of y over its bound; INFINITY where one is not a number. */
double right_error(const struct right *r, const T *y);
#endif
