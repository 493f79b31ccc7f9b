/* sp_calls.t.h -- room: base/spmat.  What callers may do with a distributed sparse matrix.
 *
 * Matrices are assembled, `a` is not NULL, vectors are assembled, of one column where nothing else is said,
 * and lie on the descriptor named: "rows" and "columns" are a's row and column descriptor.  What a unit
 * triangle does not store is there in whatever is computed or taken out.  Collective calls fail on all
 * processes where they fail on one; on error matrices, vectors and outputs are as they were.  Calls that
 * change a matrix need room for a second one. */

/* --- questions ---------------------------------------------------------------------------------------- */

/* *nz = the entries stored on all processes; a row that several own counts once.  Collective. */
PSB_MUST_CHECK psb_err X(nnz)(struct X(spmat) *a, psb_epk *nz);

/* What callers say of a matrix, 0 or 1: it is a triangle, upper or lower, its diagonal all ones and not
 * stored (unit), symmetric.  It is said of the square block over rows and columns owned here, in local
 * numbers, and survives conversion.  A NULL matrix, and one that is not assembled, is none of that.  Local.
 */
int X(sp_is_triangle)(const struct X(spmat) *a);
int X(sp_is_upper)(const struct X(spmat) *a);
int X(sp_is_lower)(const struct X(spmat) *a);
int X(sp_is_unit)(const struct X(spmat) *a);
int X(sp_is_symmetric)(const struct X(spmat) *a);
PSB_MUST_CHECK psb_err X(sp_set_triangle)(struct X(spmat) *a, int yes);
PSB_MUST_CHECK psb_err X(sp_set_upper)(struct X(spmat) *a, int yes);
PSB_MUST_CHECK psb_err X(sp_set_lower)(struct X(spmat) *a, int yes);
PSB_MUST_CHECK psb_err X(sp_set_unit)(struct X(spmat) *a, int yes);
PSB_MUST_CHECK psb_err X(sp_set_symmetric)(struct X(spmat) *a, int yes);

/* --- diagonal, sums, norms ---------------------------------------------------------------------------- */

/* Owned elements of d, on the rows, become those of the diagonal, 0 where none is stored.  Columns must be
 * dealt out as the rows are.  Local. */
PSB_MUST_CHECK psb_err X(sp_get_diag)(struct X(spmat) *a, struct X(vect) *d);

/* Owned elements of d, on the rows, become the sums of the rows, of their absolute values.  Local. */
PSB_MUST_CHECK psb_err X(sp_rowsum)(struct X(spmat) *a, struct X(vect) *d);
PSB_MUST_CHECK psb_err X(sp_arwsum)(struct X(spmat) *a, struct X(vect) *d);

/* The same of the columns; d lies on the columns.  Rows and columns have one owner each, or all own all
 * (PSB_ENOTIMPL else).  Collective. */
PSB_MUST_CHECK psb_err X(sp_colsum)(struct X(spmat) *a, struct X(vect) *d);
PSB_MUST_CHECK psb_err X(sp_aclsum)(struct X(spmat) *a, struct X(vect) *d);

/* *res = the infinity norm, the largest sum of absolute values of a row; the 1-norm, of a column, owners as
 * for psb_sp_colsum; the largest absolute value.  0 without entries; a NaN wins.  Collective. */
PSB_MUST_CHECK psb_err X(spnrmi)(struct X(spmat) *a, R *res);
PSB_MUST_CHECK psb_err X(spnrm1)(struct X(spmat) *a, R *res);
PSB_MUST_CHECK psb_err X(sp_maxval)(struct X(spmat) *a, R *res);

/* --- values changed ----------------------------------------------------------------------------------- */

/* A = s A.  Collective. */
PSB_MUST_CHECK psb_err X(spscal)(T s, struct X(spmat) *a);

/* A = D A (side 'L', d on the rows) or A = A D ('R', d on the columns; its halo is brought up to date).
 * Collective. */
PSB_MUST_CHECK psb_err X(spscalv)(struct X(vect) *d, struct X(spmat) *a, char side);

/* Forget stored zeros.  Collective. */
PSB_MUST_CHECK psb_err X(sp_clean_zeros)(struct X(spmat) *a);

/* --- triangular solve --------------------------------------------------------------------------------- */

/* y = alpha op(T)^-1 x + beta y (scale 'U'), alpha D op(T)^-1 x + beta y ('L') or alpha op(T)^-1 D x + beta y
 * ('R') with the square block of t over rows and columns owned here, op by trans: 'N', 'T', 'C'.  D is
 * diagonal, d its elements, on the rows ('U': not used).  Columns are dealt out as the rows are; x lies on
 * the rows and y on the columns for 'N', the other way round else, as many columns in both; x may be y.  t is
 * marked as a triangle, upper and unit as they are marked; an entry outside the triangle or in a column owned
 * elsewhere, and a zero or missing diagonal, is an error that names it; then y is as it was, or undefined
 * where beta == 0.  Computed on the host.  Local: nothing is exchanged, and nobody else learns of an error.
 */
PSB_MUST_CHECK psb_err X(spsm)(T alpha, struct X(spmat) *t, struct X(vect) *x, T beta, struct X(vect) *y,
                               char trans, char scale, struct X(vect) *d);

/* --- two matrices ------------------------------------------------------------------------------------- */

/* Fetch the rows of b that stand in the halo of `desc`, which is assembled and whose rows are dealt out as
 * those of b: *blk, stored as mold says (NULL: CSR), has a row for each halo index, in their order.  Its
 * columns are the local columns of b; behind them there is one for each global index that b does not have
 * here: they are (*more)[0..*n).  The caller gives *blk to psb_?_mat_free and *more to psb_free.  Collective.
 * One message a neighbour. */
PSB_MUST_CHECK psb_err X(sphalo)(psb_desc *desc, struct X(spmat) *b, const struct X(mat) *mold,
                                 struct X(mat) **blk, psb_lpk **more, psb_ipk *n);

/* *c = A B, a new matrix stored as mold says (NULL: CSR), on the rows of a and on a column descriptor of its
 * own (psb_?_sp_col_desc), which owns what that of b owns and has the halo that c needs; freed with c.  The
 * rows of b are dealt out as the columns of a.  Places where a product contributes are stored, even if they
 * sum to 0.  Collective.  Method: rows of b that belong to others are fetched, then psb_?_mat_spspmm. */
PSB_MUST_CHECK psb_err X(spspmm)(struct X(spmat) *a, struct X(spmat) *b, const struct X(mat) *mold,
                                 struct X(spmat) **c);

/* B = alpha A + beta B, on the same descriptors; B keeps its format; places that one of them stores are
 * stored. Collective. */
PSB_MUST_CHECK psb_err X(spaxpby)(T alpha, struct X(spmat) *a, T beta, struct X(spmat) *b);

/* *equal = 1, on all processes, where a and b have the same sizes and are within tol >= 0 of each other
 * everywhere; else 0.  Of the same sizes they must be dealt out alike.  Collective. */
PSB_MUST_CHECK psb_err X(sp_cmp)(struct X(spmat) *a, struct X(spmat) *b, R tol, int *equal);

/* --- parts -------------------------------------------------------------------------------------------- */

/* A new *b, the same in every respect, on the same descriptors.  Local. */
PSB_MUST_CHECK psb_err X(sp_clone)(struct X(spmat) *a, struct X(spmat) **b);

/* tril: *l = the entries whose global column less global row is <= k, *u (NULL: not wanted) the others; triu:
 * *u those where it is >= k, *l (or NULL) the others.  On a's descriptors, in its format; not marked as
 * triangles, which in local numbers they need not be.  Collective. */
PSB_MUST_CHECK psb_err X(sp_tril)(struct X(spmat) *a, psb_lpk k, struct X(spmat) **l, struct X(spmat) **u);
PSB_MUST_CHECK psb_err X(sp_triu)(struct X(spmat) *a, psb_lpk k, struct X(spmat) **u, struct X(spmat) **l);

/* *b = A transposed (and conjugated, transc), a new matrix in a's format: its row descriptor is a's column
 * descriptor; its column descriptor is a's row descriptor where the halo of that will do on all processes,
 * else a new one that owns the same and is freed with *b.  Owners as for psb_sp_colsum.  Collective.  One
 * message to each owner of a column with entries here. */
PSB_MUST_CHECK psb_err X(sp_transp)(struct X(spmat) *a, struct X(spmat) **b);
PSB_MUST_CHECK psb_err X(sp_transc)(struct X(spmat) *a, struct X(spmat) **b);

/* The entries of local row 0 <= i < local rows in global numbers: *nz of them, in ia, ja, val, each of `cap`
 * elements or NULL where it is not wanted; those in columns owned here come first.  PSB_EARG, saying how many
 * there are, where that is more than cap; all three NULL only counts.  Local. */
PSB_MUST_CHECK psb_err X(sp_csget)(struct X(spmat) *a, psb_ipk i, psb_epk cap, psb_lpk *ia, psb_lpk *ja,
                                   T *val, psb_epk *nz);

/* *all = the whole matrix, on process root (-1: on all; elsewhere it becomes NULL, and `all` may be NULL), of
 * global sizes, indices from 0, stored as mold says (NULL: COO); the caller frees it.  PSB_EARG where a
 * global size is 2^31 or more.  Collective. */
PSB_MUST_CHECK psb_err X(spgather)(struct X(spmat) *a, const struct X(mat) *mold, struct X(mat) **all,
                                   int root);

/* Write a as Matrix Market text to the stream `to` of process 0 (elsewhere it is not used), as
 * psb_?_mat_print does; entries come process by process, and process 0 holds few of others at a time.
 * Collective. */
PSB_MUST_CHECK psb_err X(sp_print)(struct X(spmat) *a, FILE *to, const char *header);

/* --- inside base ---------------------------------------------------------------------------------- */

/* Is it there and assembled; is it a vector on d, assembled; with one column, and still? */
PSB_MUST_CHECK psb_err X(sp_check)(const struct X(spmat) *a, const char *name);
PSB_MUST_CHECK psb_err X(sp_check_side)(const struct X(vect) *v, const psb_desc *d, const char *name);
PSB_MUST_CHECK psb_err X(sp_check_vect)(const struct X(vect) *v, const psb_desc *d, const char *name);

/* A new *c, all that is in the rows here, ordered: local rows, local columns.  Local. */
PSB_MUST_CHECK psb_err X(sp_rows)(struct X(spmat) *a, struct X(coo_mat) **c);
/* The same, without rows that count on another process.  Local. */
PSB_MUST_CHECK psb_err X(sp_rows_counted)(struct X(spmat) *a, struct X(coo_mat) **c);

/* The parts of `new`, which is empty, of such entries; columns below n are owned.  The caller drops them
 * after an error.  Local. */
PSB_MUST_CHECK psb_err X(sp_split)(const struct X(coo_mat) *c, psb_ipk n, const struct X(mat) *mold,
                                   const struct X(mat) *halo_mold, struct X(spmat) *new);

/* A new assembled matrix of such entries, ordered or not.  Local. */
PSB_MUST_CHECK psb_err X(sp_of_rows)(psb_desc *row, psb_desc *col, struct X(coo_mat) *c,
                                     const struct X(mat) *mold, const struct X(mat) *halo_mold,
                                     struct X(spmat) **a);

/* A new matrix on these descriptors, no parts yet; then, once it has them, it is assembled.  Local. */
PSB_MUST_CHECK psb_err X(sp_begin)(psb_desc *row, psb_desc *col, struct X(spmat) **a);
void X(sp_ready)(struct X(spmat) *a);

/* Copies of a's parts become those of `new`.  Local. */
PSB_MUST_CHECK psb_err X(sp_copy_parts)(struct X(spmat) *a, struct X(spmat) *new);

/* The end of a collective change: a takes the parts of `new` where all say PSB_OK, else they are dropped.
 * Collective. */
PSB_MUST_CHECK psb_err X(sp_exchange_parts)(struct X(spmat) *a, struct X(spmat) *new, psb_err mine);

/* psb_sphalo, arguments checked: *blk, new and ordered; cols->d is b's column descriptor.  Collective. */
PSB_MUST_CHECK psb_err X(sp_fetch_rows)(psb_desc *d, struct X(spmat) *b, struct psb_columns *cols,
                                        struct X(coo_mat) **blk);

/* *c = the matrix whose rows here are p, in the numbers of `cols`, which are changed: on `have` (may be NULL)
 * where no process has further columns, else on a new column descriptor.  `before`: what went wrong here
 * already. Collective. */
PSB_MUST_CHECK psb_err X(sp_distribute)(psb_desc *row, struct X(coo_mat) *p, const struct psb_columns *cols,
                                        psb_desc *have, const struct X(mat) *mold,
                                        const struct X(mat) *halo_mold, psb_err before, struct X(spmat) **c);
