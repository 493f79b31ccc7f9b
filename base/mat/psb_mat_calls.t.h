/* psb_mat_calls.t.h -- room: base/mat.  Public calls on a matrix of one process, in any format.
 *
 * All calls are local.  `a` is a matrix, not NULL and not a mold.  Indices count from 0 and are local.  On
 * error a matrix, and every output, is unchanged unless said otherwise.  The diagonal of a `unit` triangle is
 * all ones and not stored, but it is part of every result and of every extracted part.  Each entry should be
 * stored once; if one is stored several times, products and sums add all of them, and other calls see each
 * one. */

/* --- made and changed ------------------------------------------------------------------------------- */

/* *a = an empty m x n COO matrix, m and n >= 0, with capacity for about nz >= 0 entries; state BLD.  Free it
 * by psb_?_mat_free.  Local. */
PSB_MUST_CHECK psb_err X(mat_all)(psb_ipk m, psb_ipk n, psb_epk nz, struct X(mat) **a);

/* State BLD: append the entries val[k] at row ia[k], column ja[k], k < nz; dupl is not used. State ASB or
 * UPD: add val[k] to stored entries (PSB_DUPL_ADD) or replace their values (PSB_DUPL_OVERWRITE), in this
 * order. PSB_EARG names an index out of range, or an entry that is not in the pattern; then nothing has
 * changed.  Local. */
PSB_MUST_CHECK psb_err X(mat_csput)(struct X(mat) *a, psb_epk nz, const psb_ipk *ia, const psb_ipk *ja,
                                    const T *val, enum psb_dupl dupl);

/* State BLD: order the entries by rows and merge duplicates as dupl says, in the order in which they were
 * given.  The state becomes ASB, whatever it was.  Local. */
PSB_MUST_CHECK psb_err X(mat_asb)(struct X(mat) *a, enum psb_dupl dupl);

/* State ASB or UPD becomes UPD: values will be replaced on a fixed pattern.  All values become 0 if
 * `clear`.  Local. */
PSB_MUST_CHECK psb_err X(mat_reinit)(struct X(mat) *a, int clear);

/* Set every stored value to 0; the pattern does not change.  Local. */
PSB_MUST_CHECK psb_err X(mat_zero_vals)(struct X(mat) *a);

/* Release memory that is reserved but not used.  Local. */
PSB_MUST_CHECK psb_err X(mat_trim)(struct X(mat) *a);

/* Remove stored zeros.  Local. */
PSB_MUST_CHECK psb_err X(mat_clean_zeros)(struct X(mat) *a);

/* Store the implied diagonal of a unit triangle; any other matrix is unchanged.  Local. */
PSB_MUST_CHECK psb_err X(mat_make_nonunit)(struct X(mat) *a);

/* --- what it is --------------------------------------------------------------------------------------- */

/* Name of the format, number of rows, columns and stored entries; "" and 0 for NULL.  a may be a mold.
 * Local. */
const char *X(mat_get_fmt)(const struct X(mat) *a);
psb_ipk X(mat_get_nrows)(const struct X(mat) *a);
psb_ipk X(mat_get_ncols)(const struct X(mat) *a);
psb_epk X(mat_get_nzeros)(const struct X(mat) *a);

/* Storage order of the entries; PSB_UNSORTED for NULL.  Local. */
enum psb_order X(mat_get_order)(const struct X(mat) *a);
int X(mat_is_sorted)(const struct X(mat) *a);
int X(mat_is_by_rows)(const struct X(mat) *a);
int X(mat_is_by_cols)(const struct X(mat) *a);

/* Sort the entries by rows or by columns (PSB_BY_ROWS, PSB_BY_COLS), stably.  PSB_EARG if the format has a
 * fixed other order.  Local. */
PSB_MUST_CHECK psb_err X(mat_set_sorted)(struct X(mat) *a, enum psb_order order);

/* State of the matrix; NULL has state NULL.  Local. */
int X(mat_is_null)(const struct X(mat) *a);
int X(mat_is_bld)(const struct X(mat) *a);
int X(mat_is_asb)(const struct X(mat) *a);
int X(mat_is_upd)(const struct X(mat) *a);
PSB_MUST_CHECK psb_err X(mat_set_state)(struct X(mat) *a, enum psb_mat_state state);

/* What callers say of a matrix; it survives conversion.  A triangle is upper or lower; upper and lower ask
 * that it is a triangle.  Only a square matrix can be marked symmetric, PSB_EARG else.  Local. */
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

/* Are all its arrays current on the host; on a device; on both?  A matrix without a device is on the host,
 * and in sync.  Local. */
int X(mat_is_host)(const struct X(mat) *a);
int X(mat_is_dev)(const struct X(mat) *a);
int X(mat_is_sync)(const struct X(mat) *a);

/* Make all arrays current on both sides, if the matrix has a device.  Local. */
PSB_MUST_CHECK psb_err X(mat_sync)(const struct X(mat) *a);

/* --- products and solves ------------------------------------------------------------------------------ */

/* y = alpha op(A) x + beta y on arrays; x has ncols and y nrows elements for trans 'N', the other way
 * round for 'T' and 'C', and they do not overlap.  alpha == 0 reads neither A nor x, beta == 0 does not
 * read y.  Local. */
PSB_MUST_CHECK psb_err X(mat_csmv)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y, char trans);

/* The same for k >= 0 columns at once, by rows: element (i, j) of x and y is at i * k + j.  The matrix is
 * read once.  Local. */
PSB_MUST_CHECK psb_err X(mat_csmm)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                   char trans);

/* y = alpha D op(A)^-1 x + beta y (side 'L') or y = alpha op(A)^-1 D x + beta y ('R') for a square
 * triangle A, what its flags say; D is diagonal, d its n elements, NULL for none (then side is not used).
 * x may be y. alpha == 0 reads neither A nor x, beta == 0 does not read y.  A zero or missing diagonal,
 * and an entry outside the triangle, is an error that names it; then y is as it was, or undefined where
 * beta == 0.  Local. */
PSB_MUST_CHECK psb_err X(mat_cssv)(T alpha, const struct X(mat) *a, const T *x, T beta, T *y, char trans,
                                   char side, const T *d);

/* The same for k >= 0 columns at once, laid out as for csmm.  Local. */
PSB_MUST_CHECK psb_err X(mat_cssm)(T alpha, const struct X(mat) *a, psb_ipk k, const T *x, T beta, T *y,
                                   char trans, char side, const T *d);

/* --- diagonal, sums, norms ---------------------------------------------------------------------------- */

/* d[i] = the diagonal element of row i < min(nrows, ncols), 0 where none is stored.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_diag)(const struct X(mat) *a, T *d);

/* d[i] = the sum of row i, of its absolute values; of column i, of its absolute values.  Local. */
PSB_MUST_CHECK psb_err X(mat_rowsum)(const struct X(mat) *a, T *d);
PSB_MUST_CHECK psb_err X(mat_arwsum)(const struct X(mat) *a, R *d);
PSB_MUST_CHECK psb_err X(mat_colsum)(const struct X(mat) *a, T *d);
PSB_MUST_CHECK psb_err X(mat_aclsum)(const struct X(mat) *a, R *d);

/* *res = the largest absolute value; the infinity norm; the 1-norm.  0 without entries; a NaN wins.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_maxval)(const struct X(mat) *a, R *res);
PSB_MUST_CHECK psb_err X(mat_spnmi)(const struct X(mat) *a, R *res);
PSB_MUST_CHECK psb_err X(mat_spnm1)(const struct X(mat) *a, R *res);

/* *equal = 1 where every entry stored is within tol >= 0 of v; else 0.  Local. */
PSB_MUST_CHECK psb_err X(mat_cmpval)(const struct X(mat) *a, T v, R tol, int *equal);

/* *equal = 1 where a and b have the same sizes and are within tol >= 0 of each other everywhere; else 0.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_cmpmat)(const struct X(mat) *a, const struct X(mat) *b, R tol, int *equal);

/* --- values changed ----------------------------------------------------------------------------------- */

/* A = s A.  Local. */
PSB_MUST_CHECK psb_err X(mat_scal)(struct X(mat) *a, T s);

/* A = D A (side 'L', d has nrows elements) or A = A D ('R', ncols elements).  Local. */
PSB_MUST_CHECK psb_err X(mat_scalv)(struct X(mat) *a, const T *d, char side);

/* A = s A + I for a square matrix; diagonal entries that were not stored are afterwards.  PSB_EARG if A is
 * not square.  Local. */
PSB_MUST_CHECK psb_err X(mat_scalpid)(struct X(mat) *a, T s);

/* --- parts -------------------------------------------------------------------------------------------- */

/* *b = A transposed (and conjugated, transc), in a's format; or a itself becomes that.  Local. */
PSB_MUST_CHECK psb_err X(mat_transp)(const struct X(mat) *a, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_transc)(const struct X(mat) *a, struct X(mat) **b);
PSB_MUST_CHECK psb_err X(mat_transp_ip)(struct X(mat) *a);
PSB_MUST_CHECK psb_err X(mat_transc_ip)(struct X(mat) *a);

/* *b = A without its diagonal, in a's format.  Local. */
PSB_MUST_CHECK psb_err X(mat_clip_diag)(const struct X(mat) *a, struct X(mat) **b);

/* tril: *l = the entries of block (NULL: all) with j - i <= k, *u (NULL: not wanted) those with j - i > k;
 * triu: *u those with j - i >= k, *l (or NULL) those with j - i < k.  Indices count from the first of the
 * block, whose sizes they have; format a's.  A triangle of a square matrix is marked as one.  Local. */
PSB_MUST_CHECK psb_err X(mat_tril)(const struct X(mat) *a, psb_ipk k, const struct psb_block *block,
                                   struct X(mat) **l, struct X(mat) **u);
PSB_MUST_CHECK psb_err X(mat_triu)(const struct X(mat) *a, psb_ipk k, const struct psb_block *block,
                                   struct X(mat) **u, struct X(mat) **l);

/* *b = the entries of block (NULL: all), in a's format: of the sizes of the block, indices counting from its
 * first (shift), or of a's sizes, everything else empty.  Local. */
PSB_MUST_CHECK psb_err X(mat_csclip)(const struct X(mat) *a, const struct psb_block *block, int shift,
                                     struct X(mat) **b);

/* Entries of block (NULL: all) as triplets ordered by rows: *nz of them, in ia, ja, val, each of `cap`
 * elements or NULL where it is not wanted.  PSB_EARG, saying how many there are, where that is more than cap;
 * all three NULL only counts.  Local. */
PSB_MUST_CHECK psb_err X(mat_csget)(const struct X(mat) *a, const struct psb_block *block, psb_epk cap,
                                    psb_ipk *ia, psb_ipk *ja, T *val, psb_epk *nz);

/* ptr[i - lo] = the entries stored in rows lo .. i-1, for lo <= i <= hi: hi - lo + 1 elements.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_ptr)(const struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr);

/* *nz = the entries stored in row i.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_nz_row)(const struct X(mat) *a, psb_ipk i, psb_epk *nz);

/* The columns that row i reaches in 1 .. lev steps (lev >= 1), each step from a row to the columns of its
 * entries: *n of them, ascending, in *idx, freed by psb_free.  Local. */
PSB_MUST_CHECK psb_err X(mat_get_neigh)(const struct X(mat) *a, psb_ipk i, int lev, psb_ipk **idx,
                                        psb_ipk *n);

/* --- two matrices ------------------------------------------------------------------------------------- */

/* *c = alpha A + beta B, stored as mold says (NULL: CSR); places that one of them stores are stored.
 * Local. */
PSB_MUST_CHECK psb_err X(mat_spaxpby)(T alpha, const struct X(mat) *a, T beta, const struct X(mat) *b,
                                      const struct X(mat) *mold, struct X(mat) **c);

/* *c = A B in CSR; places where a product contributes are stored, even if they sum to 0.  Method:
 * Gustavson, "Two fast algorithms for sparse matrices: multiplication and permuted transposition", ACM
 * TOMS 4, 1978.  Local. */
PSB_MUST_CHECK psb_err X(mat_spspmm)(const struct X(mat) *a, const struct X(mat) *b, struct X(mat) **c);

/* *nz = the entries that A B would store.  Local. */
PSB_MUST_CHECK psb_err X(mat_spspmm_size)(const struct X(mat) *a, const struct X(mat) *b, psb_epk *nz);

/* --- text --------------------------------------------------------------------------------------------- */

/* Write a as Matrix Market text (coordinate general, values in full precision); `header`, NULL or lines, is
 * written as comments before the entries.  PSB_EIO if writing fails; what was written before stays. mat_print
 * writes to a stream, mat_print_path creates a file.  Local. */
PSB_MUST_CHECK psb_err X(mat_print)(const struct X(mat) *a, FILE *to, const char *header);
PSB_MUST_CHECK psb_err X(mat_print_path)(const struct X(mat) *a, const char *path, const char *header);
