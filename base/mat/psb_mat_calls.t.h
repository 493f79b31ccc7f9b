/* psb_mat_calls.t.h -- base/mat: public calls on a matrix of one process, in any format.
 *
 * All calls are local.  `a` is a matrix, not NULL and not a mold.  Indices count from 0 and are local.  On
 * error a matrix, and every output, is unchanged unless said otherwise.  The diagonal of a `unit` triangle is
 * all ones and not stored, but it is part of every result and of every extracted part.  Each entry should be
 * stored once; if one is stored several times, products and sums add all of them, and other calls see each
 * one.
 *
 * A mold tells a format: molds are found by name (psb_?_mat_by_name), and any matrix can serve as the mold of
 * its own format. */
struct X(mat);
struct psb_s_mat;
struct psb_d_mat;
struct psb_c_mat;
struct psb_z_mat;

/* --- the register of formats ------------------------------------------------------------------------ */

/* Register a format by its name (fmt), which is compared without case; registering it again has no effect.
 * PSB_EARG if another format has the name.  `mold` must live as long as the program.  Local. */
PSB_MUST_CHECK psb_err X(mat_register)(const struct X(mat) *mold);

/* The mold registered by that name, compared without case; NULL for an unknown name, with an error recorded
 * that lists the known names.  Local. */
const struct X(mat) *X(mat_by_name)(const char *name);

/* The i-th registered mold, not counting molds that select a format; NULL past the last.  Local. */
const struct X(mat) *X(mat_format)(int i);

/* Does the format of a implement csput and zero_vals, so that values can be replaced in place?  0 for NULL.
 * Local. */
int X(mat_can_put)(const struct X(mat) *a);

/* --- conversion, copies --------------------------------------------------------------------------------- */

/* Convert a to the format of mold: *b is a new matrix with the same entries; a keeps its contents.  A matrix
 * can serve as the mold of its own format.  On error *b is unchanged.  PSB_EPADDING if the format would pad
 * beyond the limit of the mold.  Local. */
PSB_MUST_CHECK psb_err X(mat_convert)(const struct X(mat) *a, const struct X(mat) *mold, struct X(mat) **b);

/* Convert in place: *a is freed and becomes the new matrix; ordered COO becomes CSR without a copy of columns
 * and values.  On error *a is unchanged.  Local. */
PSB_MUST_CHECK psb_err X(mat_cscnv)(struct X(mat) **a, const struct X(mat) *mold);

/* Store in *b a new matrix in the format of mold, NULL: CSR, with the flags and the entries of a, of another
 * scalar: real ones for complex vectors (CSRN then stores their real parts), or rounded to single precision.
 * PSB_EARG names an entry that is not real, for a real matrix, and a finite one that single precision does
 * not hold; PSB_ENOMEM, PSB_EPADDING.  Local. */
PSB_MUST_CHECK psb_err X(mat_from_s)(const struct psb_s_mat *a, const struct X(mat) *mold, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_from_d)(const struct psb_d_mat *a, const struct X(mat) *mold, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_from_c)(const struct psb_c_mat *a, const struct X(mat) *mold, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_from_z)(const struct psb_z_mat *a, const struct X(mat) *mold, struct X(mat) **b);

/* *b = a new copy of a, with the same format, parameters and flags.  Local. */
PSB_MUST_CHECK psb_err X(mat_clone)(const struct X(mat) *a, struct X(mat) **b);

/* Free a matrix; NULL is fine.  Local. */
void X(mat_free)(struct X(mat) *a);

/* Bytes of storage, counting one copy; 0 for NULL.  Includes the second matrices that a keeps: the transposed
 * copy for products and solves with op T or C on a device, and the rows for solves in formats other than CSR
 * and CSC; and the plans of CSRG on the device.  Local. */
size_t X(mat_bytes)(const struct X(mat) *a);

/* --- creation and entries ------------------------------------------------------------------------------ */

/* Store in *a a new m x n COO matrix without entries, in state BLD, with capacity for about nz entries; m, n,
 * nz >= 0.  More than nz entries may be inserted.  Freed by psb_?_mat_free.  PSB_EARG, PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_all)(psb_ipk m, psb_ipk n, psb_epk nz, struct X(mat) **a);

/* Insert nz >= 0 entries, val[k] at row ia[k], column ja[k], k < nz.  In state BLD they are appended, and
 * dupl is not used.  In state ASB or UPD, val[k] is added to the stored entry (PSB_DUPL_ADD), or replaces its
 * value (PSB_DUPL_OVERWRITE), in the order of k; the pattern does not change.  PSB_EARG names an index out of
 * range, or an entry that is not stored; PSB_ESTATE in state NULL; PSB_ENOMEM.  Then nothing has changed.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_csput)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                    const T *val, enum psb_dupl dupl);

/* Assemble: in state BLD, order the entries by rows, then columns, and merge duplicates in the order in which
 * they were inserted: their sum (PSB_DUPL_ADD), the last one (PSB_DUPL_OVERWRITE), or PSB_EARG that names one
 * (PSB_DUPL_ERROR).  In state ASB or UPD entries stay as they are.  Afterwards the state is ASB.  PSB_ESTATE
 * in state NULL; PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_asb)(struct X(mat) *a, enum psb_dupl dupl);

/* Prepare for new values on the same pattern: the state becomes UPD, and if `clear` is not 0 all stored
 * values become 0.  PSB_ESTATE unless the state is ASB or UPD.  Local. */
PSB_MUST_CHECK psb_err X(mat_reinit)(struct X(mat) *a, int clear);

/* Set every stored value to 0; the pattern does not change.  Local. */
PSB_MUST_CHECK psb_err X(mat_zero_vals)(struct X(mat) *a);

/* Release memory that is reserved but not used, in any state.  PSB_ENOMEM, and a is as it was.  Local. */
PSB_MUST_CHECK psb_err X(mat_trim)(struct X(mat) *a);

/* Remove the stored entries whose value is 0; the format stays.  PSB_ENOMEM; PSB_EPADDING if the format
 * refuses what remains.  Local. */
PSB_MUST_CHECK psb_err X(mat_clean_zeros)(struct X(mat) *a);

/* Drop the entries that `rule` and the threshold t >= 0 do not keep; the format stays.  Of entries with equal
 * moduli those in lower rows, then in lower columns, are kept.  keep_diagonal: entries of the diagonal stay,
 * and shares and counts are those of the others.  If entries go, the diagonal of a unit triangle is stored,
 * and the flag symmetric is kept by PSB_PRUNE_VALUE alone.  PSB_EARG also if t is NaN; PSB_ENOMEM;
 * PSB_EPADDING if the format refuses what remains.  Local. */
PSB_MUST_CHECK psb_err X(mat_prune)(struct X(mat) *a, enum psb_prune rule, R t, bool keep_diagonal);

/* Store the diagonal of ones of a unit triangle, which is then no longer marked `unit`; any other matrix
 * stays as it is.  PSB_ENOMEM; PSB_EPADDING if the format refuses the new pattern.  Local. */
PSB_MUST_CHECK psb_err X(mat_make_nonunit)(struct X(mat) *a);

/* --- queries and flags -------------------------------------------------------------------------------- */

/* Return the name of the format, "CSR" or the like; the number of rows; of columns; of stored entries.  ""
 * and 0 for NULL.  a may be a mold.  Local. */
const char *X(mat_get_fmt)(const struct X(mat) *a);
psb_ipk X(mat_get_nrows)(const struct X(mat) *a);
psb_ipk X(mat_get_ncols)(const struct X(mat) *a);
psb_epk X(mat_get_nzeros)(const struct X(mat) *a);

/* Return the storage order of the entries, PSB_UNSORTED for NULL; whether entries are ordered at all; by
 * rows; by columns: 1 or 0.  Local. */
enum psb_order X(mat_get_order)(const struct X(mat) *a);
int X(mat_is_sorted)(const struct X(mat) *a);
int X(mat_is_by_rows)(const struct X(mat) *a);
int X(mat_is_by_cols)(const struct X(mat) *a);

/* Sort the entries by rows (PSB_BY_ROWS) or by columns (PSB_BY_COLS); duplicates keep their order.  PSB_EARG
 * if the format has the other order, which only COO can change; PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_set_sorted)(struct X(mat) *a, enum psb_order order);

/* Return 1 if a has the state NULL, also for a == NULL; BLD (entries are inserted); ASB (assembled); UPD
 * (values are replaced); else 0.  mat_set_state sets the state, and nothing else: PSB_EARG for BLD unless the
 * format is COO.  Local. */
int X(mat_is_null)(const struct X(mat) *a);
int X(mat_is_bld)(const struct X(mat) *a);
int X(mat_is_asb)(const struct X(mat) *a);
int X(mat_is_upd)(const struct X(mat) *a);
PSB_MUST_CHECK psb_err X(mat_set_state)(struct X(mat) *a, enum psb_mat_state state);

/* Return or set a flag, 0 or 1: triangle; upper or lower triangle; unit, a diagonal of ones that is not
 * stored; symmetric.  Flags are set by callers, not checked against the entries, and kept by conversions.  A
 * triangle is either upper or lower; a matrix that is not marked as a triangle is neither.  0 for NULL.
 * PSB_EARG if a matrix that is not square is marked symmetric.  Local. */
int X(mat_is_triangle)(const struct X(mat) *a);
int X(mat_is_upper)(const struct X(mat) *a);
int X(mat_is_lower)(const struct X(mat) *a);
int X(mat_is_unit)(const struct X(mat) *a);
int X(mat_is_symmetric)(const struct X(mat) *a);
PSB_MUST_CHECK psb_err X(mat_set_triangle)(struct X(mat) *a, int yes);
PSB_MUST_CHECK psb_err X(mat_set_upper)(struct X(mat) *a, int yes);
PSB_MUST_CHECK psb_err X(mat_set_lower)(struct X(mat) *a, int yes);
PSB_MUST_CHECK psb_err X(mat_set_unit)(struct X(mat) *a, int yes);
PSB_MUST_CHECK psb_err X(mat_set_symmetric)(struct X(mat) *a, int yes);

/* Return 1 if all arrays are current on the host; on the device; on both; else 0.  A matrix without a device
 * is on the host and in sync.  0 for NULL.  Local. */
int X(mat_is_host)(const struct X(mat) *a);
int X(mat_is_dev)(const struct X(mat) *a);
int X(mat_is_sync)(const struct X(mat) *a);

/* Make all arrays current on the host and on the device; no effect without a device.  PSB_EDEVICE,
 * PSB_ENOMEM. Local. */
PSB_MUST_CHECK psb_err X(mat_sync)(const struct X(mat) *a);

/* --- products and solves ------------------------------------------------------------------------------ */

/* Compute y = alpha op(A) x + beta y on arrays in host memory.  op(A) is A for trans 'N', the transpose for
 * 'T', the conjugate transpose for 'C'.  x has ncols and y nrows elements for 'N', and the reverse for 'T'
 * and 'C'; they do not overlap.  If alpha == 0, A and x are not read; if beta == 0, y is not read.  PSB_EARG,
 * PSB_ENOMEM, PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err X(mat_csmv)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y, char trans);

/* mat_csmv for k >= 0 columns at once, stored by rows: element (i, j) of x and y is at i * k + j.  The matrix
 * is read once for several columns.  Local. */
PSB_MUST_CHECK psb_err X(mat_csmm)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                   char trans);

/* Solve with a triangle: y = alpha D op(A)^-1 x + beta y (side 'L') or y = alpha op(A)^-1 D x + beta y ('R'),
 * on arrays in host memory; op as in mat_csmv.  A is square, n x n, and a triangle as its flags say; x and y
 * have n elements, and x may be y.  d: the n elements of the diagonal matrix D, or NULL for the identity;
 * then side is not used.  If alpha == 0, A and x are not read; if beta == 0, y is not read.  PSB_EARG if A is
 * not square or not marked as a triangle; an error that names it for a diagonal entry that is 0 or missing,
 * or an entry outside of the triangle: then y is as it was if beta != 0, else undefined.  PSB_ENOMEM,
 * PSB_EDEVICE.  Local. */
PSB_MUST_CHECK psb_err X(mat_cssv)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y, char trans,
                                   char side, const T *d);

/* mat_cssv for k >= 0 columns at once, stored as for mat_csmm.  Local. */
PSB_MUST_CHECK psb_err X(mat_cssm)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                   char trans, char side, const T *d);

/* --- diagonal, sums, norms ---------------------------------------------------------------------------- */

/* Store in d[i] the diagonal entry of row i, 0 if none is stored, for i < min(nrows, ncols).  PSB_EARG,
 * PSB_ENOMEM, PSB_EDEVICE, as from all calls of this part.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_diag)(const struct X(mat) *a, T *d);

/* Store in d[i] the sum of the entries of row i (mat_rowsum) or of their absolute values (mat_arwsum), for i
 * < nrows; of column i (mat_colsum) or of their absolute values (mat_aclsum), for i < ncols.  Local. */
PSB_MUST_CHECK psb_err X(mat_rowsum)(const struct X(mat) *a, T *d);
PSB_MUST_CHECK psb_err X(mat_arwsum)(const struct X(mat) *a, R *d);
PSB_MUST_CHECK psb_err X(mat_colsum)(const struct X(mat) *a, T *d);
PSB_MUST_CHECK psb_err X(mat_aclsum)(const struct X(mat) *a, R *d);

/* Store in *res the largest absolute value of an entry (mat_maxval); the infinity norm, which is the largest
 * sum of absolute values of a row (mat_spnmi); the 1-norm, the same of a column (mat_spnm1).  0 without
 * entries; NaN if an entry is NaN.  Local. */
PSB_MUST_CHECK psb_err X(mat_maxval)(const struct X(mat) *a, R *res);
PSB_MUST_CHECK psb_err X(mat_spnmi)(const struct X(mat) *a, R *res);
PSB_MUST_CHECK psb_err X(mat_spnm1)(const struct X(mat) *a, R *res);

/* Store in *equal 1 if |entry - v| <= tol for every stored entry, tol >= 0; else 0.  1 without entries.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_cmpval)(const struct X(mat) *a, T v, R tol, int *equal);

/* Store in *equal 1 if a and b have the same sizes and no element, stored or not, differs by more than tol >=
 * 0; else 0.  The formats may differ.  Local. */
PSB_MUST_CHECK psb_err X(mat_cmpmat)(const struct X(mat) *a, const struct X(mat) *b, R tol, int *equal);

/* --- scaling --------------------------------------------------------------------------------------------
 *
 * The diagonal of a unit triangle is stored first, as by mat_make_nonunit.  PSB_EARG, PSB_ENOMEM,
 * PSB_EDEVICE; then values are unchanged, but that diagonal may have been stored. */

/* A = s A.  Local. */
PSB_MUST_CHECK psb_err X(mat_scal)(struct X(mat) *a, T s);

/* A = D A (side 'L'; d has the nrows elements of the diagonal matrix D) or A = A D ('R'; ncols elements).
 * Local. */
PSB_MUST_CHECK psb_err X(mat_scalv)(struct X(mat) *a, const T *d, char side);

/* A = s A + I for a square matrix; diagonal entries that are missing are inserted.  PSB_EARG if A is not
 * square. Local. */
PSB_MUST_CHECK psb_err X(mat_scalpid)(struct X(mat) *a, T s);

/* --- parts -------------------------------------------------------------------------------------------- */

/* Store in *b a new matrix, the transpose of A (mat_transp) or its conjugate transpose (mat_transc), in a's
 * format and with its flags, upper and lower exchanged; or replace A by that (_ip).  PSB_ENOMEM; PSB_EPADDING
 * if the format refuses the transpose.  Local. */
PSB_MUST_CHECK psb_err X(mat_transp)(const struct X(mat) *a, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_transc)(const struct X(mat) *a, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_transp_ip)(struct X(mat) *a);
PSB_MUST_CHECK psb_err X(mat_transc_ip)(struct X(mat) *a);

/* Store in *b a new matrix, A without its diagonal entries, in a's format.  PSB_ENOMEM, PSB_EPADDING.  Local.
 */
PSB_MUST_CHECK psb_err X(mat_clip_diag)(const struct X(mat) *a, struct X(mat) **b);

/* Split the entries (i, j) of `block`, NULL: all of A, at diagonal k, in new matrices.  mat_tril: *l are the
 * entries with j - i <= k, *u those with j - i > k; mat_triu: *u are those with j - i >= k, *l those with j -
 * i < k.  The last argument may be NULL if that part is not wanted.  The parts have the sizes of the block,
 * indices that count from its first row and column, and a's format; i and j in the conditions are indices of
 * A.  A part of a block on the diagonal is marked as a triangle if it is one by its condition.  PSB_EARG if
 * the block is not within A; PSB_ENOMEM, PSB_EPADDING.  Local. */
PSB_MUST_CHECK psb_err X(mat_tril)(const struct X(mat) *a, psb_ipk k, const struct psb_block *block,
                                   struct X(mat) **l, struct X(mat) **u);
PSB_MUST_CHECK psb_err X(mat_triu)(const struct X(mat) *a, psb_ipk k, const struct psb_block *block,
                                   struct X(mat) **u, struct X(mat) **l);

/* Store in *b a new matrix in a's format, the entries of `block`, NULL: all of A.  If shift is not 0, *b has
 * the sizes of the block, and its indices count from the first row and column of the block; else *b has the
 * sizes of A, without the entries outside of the block.  PSB_EARG if the block is not within A; PSB_ENOMEM,
 * PSB_EPADDING. Local. */
PSB_MUST_CHECK psb_err X(mat_csclip)(const struct X(mat) *a, const struct psb_block *block, int shift,
                                     struct X(mat) **b);

/* Store the entries of `block`, NULL: all of A, as triplets ordered by rows and columns: value val[k] at row
 * ia[k], column ja[k], k < *nz, with the indices of A.  Each array has `cap` >= 0 elements, or is NULL if it
 * is not wanted; if all three are NULL, entries are only counted.  PSB_EARG, with the number of entries, if
 * it is larger than cap; PSB_EARG if the block is not within A; PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_csget)(const struct X(mat) *a, const struct psb_block *block, psb_epk cap,
                                    psb_ipk *ia, psb_ipk *ja, T *val, psb_epk *nz);

/* Store in *b a new m x n matrix in a's format, without flags: its element (i, j) is element (rows[i],
 * cols[j]) of A.  rows NULL: all rows, m == nrows; cols NULL: all columns, n == ncols.  A row may be listed
 * twice, a column may not.  With permutations as lists B is A permuted, from the same list on both sides
 * symmetrically. PSB_EARG names an index out of range and a column listed twice; PSB_ENOMEM, PSB_EPADDING.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_csclip_list)(const struct X(mat) *a, psb_ipk m, const psb_ipk *rows, psb_ipk n,
                                          const psb_ipk *cols, struct X(mat) **b);

/* Store in *b a new matrix in a's format, without flags, the Kronecker product of A and the k x l matrix of
 * block, stored by rows, k and l > 0: entry (i, j) of A becomes the block A(i, j) times `block` at row k i,
 * column l j, zeros included.  PSB_EARG if rows or columns of *b are 2^31 or more; PSB_ENOMEM, PSB_EPADDING.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_kron)(const struct X(mat) *a, psb_ipk k, psb_ipk l, const T *block,
                                   struct X(mat) **b);

/* Store in *a a new matrix in the format of mold, NULL: CSR, the symmetric or Hermitian matrix of which
 * `half` has the entries on and above, or on and below, the diagonal: a square triangle, as its flags say. An
 * entry off the diagonal is followed by its mirror image; *a is flagged symmetric unless it is complex and
 * Hermitian. The format CSRS stores one half of *a.  PSB_EARG names an entry on the other side of the
 * diagonal, and one on the diagonal of a Hermitian matrix that is not real, by row and column; PSB_ENOMEM,
 * PSB_EPADDING.  Local. */
PSB_MUST_CHECK psb_err X(mat_from_half)(const struct X(mat) *half, enum psb_symmetry symmetry,
                                        const struct X(mat) *mold, struct X(mat) **a);

/* Store in ptr[i - lo] the number of entries stored in rows lo .. i-1, for lo <= i <= hi: ptr has hi - lo + 1
 * elements, the first is 0.  PSB_EARG unless 0 <= lo <= hi <= nrows.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_ptr)(const struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr);

/* Store in *nz the number of entries stored in row i.  PSB_EARG unless 0 <= i < nrows.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_nz_row)(const struct X(mat) *a, psb_ipk i, psb_epk *nz);

/* Store in *idx the columns that row i reaches in at most lev >= 1 steps, each from a row to the columns of
 * its entries: *n of them, ascending, each once.  The caller frees *idx by psb_free.  PSB_EARG unless 0 <= i
 * < nrows; PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_neigh)(const struct X(mat) *a, psb_ipk i, int lev, psb_ipk **idx,
                                        psb_ipk *n);

/* --- two matrices ------------------------------------------------------------------------------------- */

/* Store in *c a new matrix, alpha A + beta B, in the format of mold, NULL: CSR, or CSRG if the device that A
 * and B are on computes it.  A and B have the same sizes.
 * Every entry that A or B stores is stored in *c, also if its value is 0.  PSB_EARG, PSB_ENOMEM,
 * PSB_EPADDING. Local. */
PSB_MUST_CHECK psb_err X(mat_spaxpby)(T alpha, const struct X(mat) *a, T beta, const struct X(mat) *b,
                                      const struct X(mat) *mold, struct X(mat) **c);

/* Store in *c a new matrix, A B, in CSR, or CSRG if the device that A and B are on computes it; A has as many
 * columns as B has rows.  An entry to which products contribute is stored, also if their sum is 0.  PSB_EARG,
 * PSB_ENOMEM.  Method: Gustavson, "Two fast algorithms for sparse matrices: multiplication and permuted
 * transposition", ACM TOMS 4, 1978.  Local. */
PSB_MUST_CHECK psb_err X(mat_spspmm)(const struct X(mat) *a, const struct X(mat) *b, struct X(mat) **c);

/* Store in *nz the number of entries that mat_spspmm would store, without computing their values.  PSB_EARG,
 * PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_spspmm_size)(const struct X(mat) *a, const struct X(mat) *b, psb_epk *nz);

/* --- dense arrays -------------------------------------------------------------------------------------
 *
 * Element (i, j) of a dense m x n array is at i ld + j for order PSB_BY_ROWS, ld >= n, and at j ld + i for
 * PSB_BY_COLS, ld >= m. */

/* Create *a, an m x n matrix in the format of mold (NULL: CSR), of the elements of d with |d_ij| > t, t >= 0,
 * and those that are NaN.  PSB_EARG also if t is NaN; PSB_ENOMEM, PSB_EPADDING.  Local. */
PSB_MUST_CHECK psb_err X(mat_from_dense)(psb_ipk m, psb_ipk n, const T *d, psb_epk ld, enum psb_order order,
                                         R t, const struct X(mat) *mold, struct X(mat) **a);

/* Set the nrows x ncols elements of d to those of a, 0 where no entry is stored; what lies between them, if
 * ld is larger, stays.  PSB_EARG, PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_to_dense)(const struct X(mat) *a, T *d, psb_epk ld, enum psb_order order);

/* --- text --------------------------------------------------------------------------------------------- */

/* Write a as Matrix Market text, `coordinate general`, with values in full precision, to the stream `to`
 * (mat_print) or to a new file (mat_print_path), which replaces an existing one.  The lines of `header`,
 * unless it is NULL, are written as comments before the entries.  PSB_EIO if writing fails; what was written
 * before stays.  PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(mat_print)(const struct X(mat) *a, FILE *to, const char *header);
PSB_MUST_CHECK psb_err X(mat_print_path)(const struct X(mat) *a, const char *path, const char *header);
