/* psb_mat_dense.t.h -- base/mat: products of a matrix of one process and dense arrays of the caller, in host
 * memory or in that of a device.
 *
 * mold: where all arrays are; NULL: on the host.  On a device the matrix is in one of its formats; arrays on
 * the host may be used with any matrix.  Arrays that are written overlap no others.  Elements in device
 * memory are aligned to their size.  Work of the caller on a device must have ended, or run on the stream of
 * the library.  After the first call psb_mat_spmm and psb_mat_sddmm only submit work to it, as a CUDA graph
 * can record, where they make no copies of arrays; psb_mat_spsm waits for its check.  PSB_EARG names an
 * argument and what was expected: NULL for an array that has elements, a leading dimension or stride that is
 * too small, arrays of 2^57 elements or more, a matrix that is not where the arrays are; then nothing has
 * changed.  PSB_ENOMEM, PSB_EDEVICE. */
struct psb_vmold;

/* Compute Y = alpha op(A) op(X) + beta Y for each b < q->batch, with q->over other operations.  op(A) has as
 * many rows as Y, as many columns as op(X) has rows; elements of the arrays x and y are where q->x and q->y
 * say.  val: values of A for each product, nnz at val + b q->stride, in the order of its rows in CSR; NULL:
 * those of A.  If alpha is 0, neither A, val nor x is read; if beta is 0, y is not read.
 *
 * q->over PSB_PLUS_TIMES without val: a in any format; products are made by rows, as by psb_mat_csmm, 64
 * columns of a batch at once; where arrays are not in that order, copies take the memory of these columns.
 * Else: a is in CSR or CSRG and not a unit triangle, an element has the same bits on all devices: its terms
 * are added in the order of the row, those of rows of more than 128 entries in 256 sums; with val, q->op is
 * 'N', without it a keeps op(A).  Another q->over than PSB_PLUS_TIMES: alpha is 1; beta is 1, and Y is one
 * more term, or 0; complex numbers have no order, so only PSB_OR_AND is for them.  Local. */
PSB_MUST_CHECK psb_err X(mat_spmm)(const psb_products *q, T alpha, const struct X(mat) *a, const T *val,
                                   const T *x, T beta, T *y, const struct psb_vmold *mold);

/* Solve op(A) Y = Y, k columns, for each b < q->batch, a small triangle A as the flags of a say, in CSR or
 * CSRG.  Values are as in psb_mat_spmm; q->x and q->over are not used.  A thread solves a system for a
 * column, in one order on all devices: the bits are the same.  PSB_EARG also for an entry outside of the
 * triangle, or a diagonal that is missing or 0, or, with flag `unit`, stored, and names the first such
 * matrix and row; y of such matrices is then undefined.  Local. */
PSB_MUST_CHECK psb_err X(mat_spsm)(const psb_products *q, const struct X(mat) *a, const T *val, T *y,
                                   const struct psb_vmold *mold);

/* Compute the entries of C, in CSR or CSRG, in its pattern: c_ij = alpha (op(X) op(Y))_ij + beta c_ij, where
 * op(X) has the rows of C and k columns, op(Y) k rows and the columns of C.  left, right: where elements of x
 * and y are.  If alpha is 0, x and y are not read; if beta is 0, values of C are not.  Sums have one order on
 * all devices: the bits are the same.  Where elements of a row of op(X), or of a column of op(Y), are not
 * neighbours, or are conjugates, a copy is made.  Local. */
PSB_MUST_CHECK psb_err X(mat_sddmm)(T alpha, psb_ipk k, const psb_dense *left, const T *x,
                                    const psb_dense *right, const T *y, T beta, struct X(mat) *c,
                                    const struct psb_vmold *mold);
