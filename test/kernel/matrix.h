/* matrix.h -- test/kernel: matrices by name, and their correct products.  For typed sources, after
 * psb_type.h. */
#ifndef MATRIX_H
#define MATRIX_H
#include "psb_format.h"
struct X(triplets);
struct X(coo_mat);
struct X(mat);
struct X(spmat);

/* Read all entries of a file, or generate the rows of this process's even block.  The caller frees *t with
 * psb_?_triplets_free. */
PSB_MUST_CHECK psb_err X(matrix_read)(psb_ctxt *ctxt, const char *what, struct X(triplets) *t);

/* Make a new ordered *a of the entries in rows row0 .. row0 + rows - 1, which become rows 0, 1, ...;
 * duplicates are added.  The caller frees *a with psb_?_mat_free. */
PSB_MUST_CHECK psb_err X(matrix_from_rows)(const struct X(triplets) *t, psb_lpk row0, psb_ipk rows,
                                           struct X(coo_mat) **a);

/* The same of all rows of a matrix by name. */
PSB_MUST_CHECK psb_err X(matrix_one)(psb_ctxt *ctxt, const char *what, struct X(coo_mat) **a);

/* Read or generate the entries in this process's even block of rows. */
PSB_MUST_CHECK psb_err X(matrix_own)(psb_ctxt *ctxt, const char *what, struct X(triplets) *t);

/* Assemble a square matrix of what matrix_own gives; the caller frees both, also after an error.  Collective.
 */
PSB_MUST_CHECK psb_err X(matrix_assemble)(psb_ctxt *ctxt, const struct X(triplets) *t,
                                          const struct X(mat) *mold, psb_desc **desc, struct X(spmat) **a);

/* Make *p, in CSR, the prolongator of a smoothed aggregation of a, which is in CSR; aggregates do not cross
 * processes.  *coarse describes its columns.  Collective. */
void X(matrix_prolongator)(const struct X(spmat) *a, psb_desc **coarse, struct X(spmat) **p);

/* Make *a, a new square matrix in CSR, of a generated matrix, or of a file, whose diagonal entries are
 * replaced by 1 plus the sum of the moduli in their row, so that incomplete factors exist. */
PSB_MUST_CHECK psb_err X(matrix_to_factor)(psb_ctxt *ctxt, const char *what, struct X(mat) **a);

/* Replace *a by `copies` of itself along the diagonal.  PSB_EARG if a size, or the number of entries, is 2^31
 * or more. */
PSB_MUST_CHECK psb_err X(matrix_repeat)(struct X(coo_mat) **a, int copies);

/* Returns element k of x: its real part is between 1 and 2, and it is exact in single precision. */
T X(x_at)(psb_lpk k);

/* Returns the largest difference of two vectors over the largest element of `want`; INFINITY if one is not a
 * number. */
double X(difference)(psb_ipk n, const T *want, const T *got);

/* The correct op(A) x, with x as in x_at, k columns stored by rows. */
struct right {
    psb_ipk rows;
    int k;
    double (*y)[2]; /* rows times k elements: real and imaginary parts */
    double *bound;  /* largest difference allowed for each element of a row */
};

/* Sum entry by entry in double precision; trans is 'N', 'T' or 'C'.  Two sums of n products may differ by n
 * roundings of the sum of their absolute values, and products below the normal numbers by the smallest
 * subnormal number each. */
PSB_MUST_CHECK psb_err X(right_make)(struct right *r, const struct X(coo_mat) *a, int k, char trans);
void X(right_free)(struct right *r);
/* Returns the largest error of an element of y over its bound; INFINITY if an element is not a number. */
double X(right_error)(const struct right *r, const T *y);
#endif
