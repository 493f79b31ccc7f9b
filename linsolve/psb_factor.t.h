/* psb_factor.t.h -- linsolve: incomplete factors of a local square matrix: A ~ L D U, where L is a
 * unit lower and U a unit upper triangle, whose ones are not stored, and D is a diagonal.  For the kinds of
 * Cholesky U is the conjugate transpose of L, and not stored.  For the kinds of blocks L, D and U are the
 * scalar matrices that result from factoring the diagonal blocks, too. */
struct X(factor);

/* Create *f, incomplete factors of the square matrix a, in the format of mold (NULL: CSR) and on the device
 * of vmold (NULL: host); the caller frees it by psb_?_factor_free.  All kinds but MILU(0) and ILUT are
 * computed on the device if the values of a, the factors and the vectors are there, with the same bits as on
 * the host, which finds the pattern.
 * Messages name row i by its global number in `rows`, of which row i of a is local row i; NULL: by i.
 * PSB_EPIVOT, naming the row, if a pivot is 0 or not finite; if ILU(0), MILU(0) or IC(0) finds no entry on
 * the diagonal, also if tiny is set; if a Cholesky pivot is not positive, or its diagonal entry has an
 * imaginary part beyond rounding errors: a is not positive definite, or it has no Cholesky factors in that
 * pattern.  PSB_EARG for options out of range, a matrix that is not square, and an entry stored twice.  On
 * error *f is unchanged.  Sources: Saad, "Iterative methods for sparse linear systems", 2003, chapter 10.
 * Local. */
PSB_MUST_CHECK psb_err X(factor_bld)(const struct X(mat) *a, const struct psb_factor_options *o,
                                     const psb_desc *rows, const struct X(mat) *mold,
                                     const struct psb_vmold *vmold, struct X(factor) **f);

/* Factor again, for new values of a in the pattern that f was made from; triangles in CSR, or a format
 * derived from it, keep their patterns, and memory for the values of the next renewal; others are made anew.
 * ILUT, fill by size, accepts any pattern with the same number of rows. PSB_EARG if the pattern differs;
 * other errors as psb_?_factor_bld.  On error f is as it was. Local. */
PSB_MUST_CHECK psb_err X(factor_renew)(struct X(factor) *f, const struct X(mat) *a, const psb_desc *rows);

/* y = op(L D U)^-1 x, op by trans: 'N', 'T', 'C'.  x and y have at least the rows of the factors, the same
 * number of columns, and may be the same vector; only these rows are read and written.  sweeps 0: triangles
 * are solved exactly; sweeps >= 1: by that many Jacobi sweeps each, starting from the right-hand side, which
 * are products.  Runs on the device if the factors, x and y are on it, and its formats solve there.  Source
 * of the sweeps: Anzt, Chow, Dongarra, "Iterative sparse triangular solves for preconditioning", Euro-Par
 * 2015.  Local. */
PSB_MUST_CHECK psb_err X(factor_solve)(const struct X(factor) *f, const struct X(vect) *x, struct X(vect) *y,
                                       char trans, int sweeps);

/* Return the entries stored in the factors, D included; their bytes; the pivots that were replaced.  0 for
 * NULL. Local. */
psb_epk X(factor_nnz)(const struct X(factor) *f);
size_t X(factor_bytes)(const struct X(factor) *f);
psb_epk X(factor_boosted)(const struct X(factor) *f);

/* Free the factors; NULL is fine.  Local. */
void X(factor_free)(struct X(factor) *f);
