/* psb_sp_calls.t.h -- base/spmat: further calls on a distributed sparse matrix.
 *
 * Unless stated otherwise, matrices are assembled and not NULL; vectors are assembled, have one column, and
 * are on the descriptor named ("on the rows", "on the columns": a's row and column descriptor).  The unit
 * diagonal of a unit triangle is not stored but is part of every result.  A collective call that fails on one
 * process fails on all.  After an error matrices, vectors and outputs are as they were.  Calls that change a
 * matrix need memory for a second one. */

/* --- queries ------------------------------------------------------------------------------------------ */

/* Store in *nz the entries stored on all processes; a row with several owners is counted once.  Collective.
 */
PSB_MUST_CHECK psb_err X(nnz)(const struct X(spmat) *a, psb_epk *nz);

/* Return or set a flag, 0 or 1: triangle; upper or lower triangle; unit, a diagonal of ones that is not
 * stored; symmetric.  Flags are set by callers, describe the block over rows and columns owned here, in local
 * numbers, and are kept by conversions.  All are 0 for a NULL matrix and one that is not assembled.  Local.
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

/* Return 1 if a is NULL or has the state NULL, BUILD (entries are inserted), ASSEMBLED, UPDATE (psb_sprn);
 * else 0.  Local. */
int X(sp_is_null)(const struct X(spmat) *a);
int X(sp_is_bld)(const struct X(spmat) *a);
int X(sp_is_asb)(const struct X(spmat) *a);
int X(sp_is_upd)(const struct X(spmat) *a);

/* Return 1 if all entries here are current on the host; on the device; on both; else 0.  A matrix without a
 * device, and one in state BUILD, is on the host and in sync.  0 for NULL.  Local. */
int X(sp_is_host)(const struct X(spmat) *a);
int X(sp_is_dev)(const struct X(spmat) *a);
int X(sp_is_sync)(const struct X(spmat) *a);

/* Make the entries here current on the host and on the device; no effect without a device, or in state BUILD.
 * PSB_EARG if a is NULL; PSB_EDEVICE, PSB_ENOMEM.  Local. */
PSB_MUST_CHECK psb_err X(sp_sync)(const struct X(spmat) *a);

/* Release memory that is reserved here but not used, in any state.  PSB_EARG if a is NULL; PSB_ENOMEM, and a
 * is as it was.  Local. */
PSB_MUST_CHECK psb_err X(sp_trim)(struct X(spmat) *a);

/* Store in *own the local matrix over the rows and columns owned here, in *halo the one over the halo
 * columns, and in *rows the local rows of *halo: its row i is local row (*rows)[i], its column j local column
 * psb_cd_local_rows(col) + j.  Arguments own, halo, rows may be NULL.  They are to be read only, and valid
 * until the next call that changes a.  PSB_EARG if a is NULL, PSB_ESTATE unless it is assembled.  Local. */
PSB_MUST_CHECK psb_err X(sp_local)(const struct X(spmat) *a, const struct X(mat) **own,
                                   const struct X(mat) **halo, const psb_ipk **rows);

/* Store in *nz the entries stored in local row i, 0 <= i < local rows.  PSB_EARG if i is out of range. Local.
 */
PSB_MUST_CHECK psb_err X(sp_get_nz_row)(const struct X(spmat) *a, psb_ipk i, psb_epk *nz);

/* Store in *idx[0..*n) the local columns, ascending, that local row i, 0 <= i < local rows, reaches in 1 ..
 * lev steps, lev >= 1; a step leads from a row owned here to the columns of its entries.  The caller frees
 * *idx by psb_free.  PSB_EARG if i or lev is out of range, or if lev > 1 and columns are not distributed as
 * the rows are.  Costs as much as a copy of the local rows.  Local. */
PSB_MUST_CHECK psb_err X(sp_get_neigh)(const struct X(spmat) *a, psb_ipk i, int lev, psb_ipk **idx,
                                       psb_ipk *n);

/* --- diagonal, sums, norms ---------------------------------------------------------------------------- */

/* Set the owned elements of d, on the rows, to the diagonal of A, 0 where no entry is stored.  Columns must
 * be distributed as the rows are.  Local. */
PSB_MUST_CHECK psb_err X(sp_get_diag)(const struct X(spmat) *a, struct X(vect) *d);

/* Set the owned elements of d, on the rows, to the sums of rows; to the sums of absolute values.  Local. */
PSB_MUST_CHECK psb_err X(sp_rowsum)(const struct X(spmat) *a, struct X(vect) *d);
PSB_MUST_CHECK psb_err X(sp_arwsum)(const struct X(spmat) *a, struct X(vect) *d);

/* The same for columns; d is on the columns.  PSB_ENOTIMPL unless each row and column has one owner, or both
 * descriptors are replicated.  Collective. */
PSB_MUST_CHECK psb_err X(sp_colsum)(const struct X(spmat) *a, struct X(vect) *d);
PSB_MUST_CHECK psb_err X(sp_aclsum)(const struct X(spmat) *a, struct X(vect) *d);

/* Store in *res the infinity norm, the largest sum of absolute values of a row; the 1-norm, the largest such
 * sum of a column, owners as for psb_sp_colsum; the largest absolute value.  0 without entries; NaN if an
 * entry is NaN.  Collective. */
PSB_MUST_CHECK psb_err X(spnrmi)(const struct X(spmat) *a, R *res);
PSB_MUST_CHECK psb_err X(spnrm1)(const struct X(spmat) *a, R *res);
PSB_MUST_CHECK psb_err X(sp_maxval)(const struct X(spmat) *a, R *res);

/* --- changes of values -------------------------------------------------------------------------------- */

/* A = s A.  Collective. */
PSB_MUST_CHECK psb_err X(spscal)(T s, struct X(spmat) *a);

/* A = s A + I; diagonal entries that were not stored are stored afterwards.  PSB_EARG unless columns are
 * distributed as the rows are.  Collective. */
PSB_MUST_CHECK psb_err X(sp_scalpid)(T s, struct X(spmat) *a);

/* State ASSEMBLED: add val[k] to the stored entry at local row ia[k], local column ja[k] (dupl PSB_DUPL_ADD)
 * or replace its value (PSB_DUPL_OVERWRITE), 0 <= k < nz, in this order.  In states BUILD and UPDATE: as
 * psb_spins_local, without dupl.  PSB_EARG names an index out of range, or an entry that is not stored; then
 * a is as it was.  Formats without new values in place (psb_?_mat_can_put) are converted to CSR and back.
 * Local. */
PSB_MUST_CHECK psb_err X(sp_csput)(psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                                   struct X(spmat) *a, enum psb_dupl dupl);

/* A = D A (side 'L', d on the rows) or A = A D ('R', d on the columns; its halo is updated), D = diag(d).
 * Collective. */
PSB_MUST_CHECK psb_err X(spscalv)(const struct X(vect) *d, struct X(spmat) *a, char side);

/* Remove stored zeros.  Collective. */
PSB_MUST_CHECK psb_err X(sp_clean_zeros)(struct X(spmat) *a);

/* Drop the entries that `rule` and the threshold t >= 0 do not keep, as psb_mat_prune with global rows and
 * columns; a share is that of the entries on all processes.  The halo stays as it is, flags become those of
 * psb_mat_prune.  rule, t and keep_diagonal are the same on all processes.  PSB_EARG also if t is NaN;
 * PSB_ENOTIMPL for a share where rows have several owners.  Collective. */
PSB_MUST_CHECK psb_err X(sp_prune)(struct X(spmat) *a, enum psb_prune rule, R t, bool keep_diagonal);

/* --- triangular solve --------------------------------------------------------------------------------- */

/* y = alpha op(T)^-1 x + beta y (scale 'U'), y = alpha D op(T)^-1 x + beta y ('L') or
 * y = alpha op(T)^-1 D x + beta y ('R') with the square block of t over rows and columns owned here, op by
 * trans: 'N', 'T', 'C'.  D = diag(d), d on the rows (not used for 'U').  Columns are distributed as the rows
 * are.  For 'N' x is on the rows and y on the columns, else the other way round, with the same number of
 * columns; x may be y.  The flags of t give the triangle, upper and unit.  An entry outside the triangle or
 * in a column owned elsewhere, and a zero or missing diagonal entry, is an error that names its global row;
 * then y is as it was, or undefined if beta == 0.  Computed on the device if t, x, y and d are there and t's
 * format solves there, else on the host.  Local: an error is returned on this process only. */
PSB_MUST_CHECK psb_err X(spsm)(T alpha, const struct X(spmat) *t, const struct X(vect) *x, T beta,
                               struct X(vect) *y, char trans, char scale, const struct X(vect) *d);

/* --- two matrices ------------------------------------------------------------------------------------- */

/* Fetch the rows of b that are halo indices of `desc`, which is assembled and distributes its rows as b does:
 * *blk, in the format of mold (NULL: CSR), has a row for each halo index, in their order.  Its columns are
 * the local columns of b, then one for each global index that is not a local column of b: these are
 * (*more)[0..*n).  The caller frees *blk by psb_?_mat_free and *more by psb_free.  One message to each
 * neighbour.  Collective. */
PSB_MUST_CHECK psb_err X(sphalo)(psb_desc *desc, const struct X(spmat) *b, const struct X(mat) *mold,
                                 struct X(mat) **blk, psb_lpk **more, psb_ipk *n);

/* Create *c = A B in the format of mold (NULL: CSR), on a's row descriptor and a new column descriptor
 * (psb_?_sp_col_desc), which owns the columns that b's owns, has the halo that c needs, and is freed with c.
 * If the columns are distributed as the rows are, as in A A^T, c has the new descriptor for its rows, too.
 * The rows of b are distributed as the columns of a.  Entries are stored wherever a product contributes, even
 * if they sum to 0.  Method: fetch the rows of b that others own, then psb_?_mat_spspmm.  Collective. */
PSB_MUST_CHECK psb_err X(spspmm)(const struct X(spmat) *a, const struct X(spmat) *b,
                                 const struct X(mat) *mold, struct X(spmat) **c);

/* Create *colour, assembled on a's columns with its halo, in which no two rows have one colour that are
 * neighbours in the graph of A + A^T (distance 1), or are neighbours or have one in common (2): 0 <= colour
 * < *ncolours, the same on all processes.  The colours are those of greedy colouring on one process,
 * whatever the distribution: by ascending global row or, if that gives fewer, by descending number of
 * neighbours first.  A is square, its columns distributed as its rows are, each row with one owner.  The
 * graph, of A^2 for distance 2, is made as a matrix meanwhile.  PSB_EARG for another distance; PSB_ESTATE,
 * PSB_ENOTIMPL, PSB_ENOMEM.  Method: in rounds as by Jones, Plassmann 1993; see colour.c.  Collective. */
struct psb_i_vect;
PSB_MUST_CHECK psb_err X(sp_colour)(const struct X(spmat) *a, int distance, struct psb_i_vect **colour,
                                    int *ncolours);

/* Create *c = alpha op(A) op(B) + beta D in the format of mold (NULL: CSR); op by transa and transb: 'N',
 * 'T', 'C', as in psb_spmv.  d NULL: no D.  Descriptors as for psb_spspmm: the rows of op(B) are distributed
 * as the columns of op(A), D as the result.  Stored is every entry to which a product or an entry of D
 * contributes, also if alpha or beta is 0; products are added in the order of the local columns of op(A),
 * then the entry of D.  mask not NULL: *c has the descriptors and the pattern of mask, whose values are not
 * used, and 0 where nothing contributes; nothing else is computed.  Owners as for psb_sp_colsum if an op is
 * not 'N'.  With op(A) 'T' or 'C', and no mask, a process multiplies its rows of A and B, and sends the rows
 * of the result that others own to them.  If A and B are on a device, it multiplies: then NULL as the
 * mold is CSRG.  If also the others are, no process has entries in columns of others, and alpha and beta
 * (with D) are not 0, a matrix whose op is not 'N' keeps its transpose there; else the factors pass through
 * the host.  transa, transb and which matrices are NULL are the same on all processes.  Collective. */
PSB_MUST_CHECK psb_err X(spgemm)(T alpha, const struct X(spmat) *a, char transa, const struct X(spmat) *b,
                                 char transb, T beta, const struct X(spmat) *d, const struct X(spmat) *mask,
                                 const struct X(mat) *mold, struct X(spmat) **c);

/* Compute c, which psb_spgemm or psb_spspmm has made, with its ops and its mask, for new values of A, B and
 * D; its pattern and format stay, and are not determined again.  Patterns are compared where the matrices
 * are, by a number that a matrix keeps until its pattern changes.  The device computes as for psb_spgemm, a
 * result in CSRG without D in place.  PSB_ESTATE if a, b, d or c has another pattern here than when c was
 * made, or if c is no such result (as a copy of one).  After an error c is as it was, but its values are
 * undefined if a device fails in place and then the host too.  Collective. */
PSB_MUST_CHECK psb_err X(spgemm_again)(T alpha, const struct X(spmat) *a, const struct X(spmat) *b, T beta,
                                       const struct X(spmat) *d, struct X(spmat) *c);

/* Create *c = R A P in the format of mold (NULL: CSR), as psb_spgemm twice; r NULL: P^H A P, with the
 * conjugate transpose of P, which is not formed: see psb_spgemm.  *c keeps A P for psb_sprap_again.  If rows
 * and columns of the result are distributed alike, as in P^H A P, it has one new descriptor, which owns what
 * the column descriptor of p owns.  Collective. */
PSB_MUST_CHECK psb_err X(sprap)(const struct X(spmat) *r, const struct X(spmat) *a, const struct X(spmat) *p,
                                const struct X(mat) *mold, struct X(spmat) **c);

/* Compute c, which psb_sprap has made, for new values of R, A and P; as psb_spgemm_again.  Collective. */
PSB_MUST_CHECK psb_err X(sprap_again)(const struct X(spmat) *r, const struct X(spmat) *a,
                                      const struct X(spmat) *p, struct X(spmat) *c);

/* B = alpha A + beta B for matrices distributed in the same way; B keeps its format and stores every entry
 * that A or B stores.  If they are on one column descriptor B stays on its own, and entries in owned columns
 * on their device; else the entries pass through the host, and if A has columns that are not in the halo of B
 * on some process, B gets a new column descriptor (psb_?_sp_col_desc), which is freed with B, and is also its
 * row descriptor if its old one was.  Collective. */
PSB_MUST_CHECK psb_err X(spaxpby)(T alpha, const struct X(spmat) *a, T beta, struct X(spmat) *b);

/* Set *equal to 1, on all processes, if a and b have the same sizes and are within tol >= 0 of each
 * other in every entry; else to 0.  Matrices of the same sizes must be distributed in
 * the same way.  Collective. */
PSB_MUST_CHECK psb_err X(sp_cmp)(const struct X(spmat) *a, const struct X(spmat) *b, R tol, int *equal);

/* Set *equal to 1, on all processes, if every entry stored is within tol >= 0 of v; else to 0.  PSB_EARG for
 * another tol.  Collective. */
PSB_MUST_CHECK psb_err X(sp_cmpval)(const struct X(spmat) *a, T v, R tol, int *equal);

/* --- parts -------------------------------------------------------------------------------------------- */

/* Create *b, a copy of a on the same descriptors.  Local. */
PSB_MUST_CHECK psb_err X(sp_clone)(const struct X(spmat) *a, struct X(spmat) **b);

/* tril: create *l of the entries with global column - global row <= k, and *u (NULL: not created) of the
 * others; triu: *u of those with global column - global row >= k, and *l (or NULL) of the others.  The new
 * matrices are on a's descriptors, in its format, without the flag triangle, since in local numbers they may
 * not be triangles.  Where rows and columns here are consecutive the device of a makes the parts over owned
 * columns.  Collective. */
PSB_MUST_CHECK psb_err X(sp_tril)(const struct X(spmat) *a, psb_lpk k, struct X(spmat) **l,
                                  struct X(spmat) **u);
PSB_MUST_CHECK psb_err X(sp_triu)(const struct X(spmat) *a, psb_lpk k, struct X(spmat) **u,
                                  struct X(spmat) **l);

/* Create *b, on a's descriptors and in its format: csclip of the entries in global rows imin <= i < imax and
 * global columns jmin <= j < jmax, which count from the index base; clip_diag of all entries but those with
 * equal global row and column.  Each process applies its ranges to its rows, on the device as psb_sp_tril.
 * *b has no flags.  PSB_EARG if
 * imin > imax or jmin > jmax, or if a range exceeds the matrix.  Collective. */
PSB_MUST_CHECK psb_err X(sp_csclip)(const struct X(spmat) *a, psb_lpk imin, psb_lpk imax, psb_lpk jmin,
                                    psb_lpk jmax, struct X(spmat) **b);
PSB_MUST_CHECK psb_err X(sp_clip_diag)(const struct X(spmat) *a, struct X(spmat) **b);

/* Create *b, in a's format, of the rows and columns that processes list: of the m here rows[i], 0 <= i < m,
 * is the global index of the row that becomes row i of those that this process owns, consecutive in rank
 * order; cols[0..n) likewise for columns.  m < 0: all rows, as they are distributed; n < 0: all columns; not
 * both.  An index may be listed anywhere and repeatedly.  So permutations as lists permute the matrix, and
 * give its rows and columns to other processes.  *b has new descriptors, one for both if the columns become
 * distributed as the rows are.  Method: products with matrices of ones, by psb_spgemm, on the device as
 * there; in complex types an infinite part may make the other part not a number.  PSB_EARG names an index out
 * of range; owners as for psb_sp_colsum.  Which of m and n are negative is the same on all processes.
 * Collective. */
PSB_MUST_CHECK psb_err X(sp_csclip_list)(const struct X(spmat) *a, psb_ipk m, const psb_lpk *rows, psb_ipk n,
                                         const psb_lpk *cols, struct X(spmat) **b);

/* Create *b, in a's format, without flags, the Kronecker product of A and the k x l matrix of block, stored
 * by rows, k and l > 0: entry (i, j) of A becomes the block A(i, j) times `block` at row k i, column l j,
 * which count from 0, zeros included.  *b has new descriptors, one for both if A has one and k == l: the
 * owner of row i of A owns k rows, of column j l columns, and the halo is that of A.  PSB_EARG if rows or
 * columns here are 2^31 or more.  k and l are the same on all processes.  Collective. */
PSB_MUST_CHECK psb_err X(sp_kron)(const struct X(spmat) *a, psb_ipk k, psb_ipk l, const T *block,
                                  struct X(spmat) **b);

/* Create *b, the transpose of A (conjugated by transc), in a's format.  Its row descriptor is a's column
 * descriptor.  Its column descriptor is a's row descriptor if the halo of that suffices on all processes,
 * else a new one with the same rows, freed with *b; if a's rows and columns are distributed alike, it
 * is also the row descriptor.  If no process has entries in columns of others, the device of a makes it.
 * Owners as for psb_sp_colsum.  One message to each owner of a column with entries here.  Collective. */
PSB_MUST_CHECK psb_err X(sp_transp)(const struct X(spmat) *a, struct X(spmat) **b);
PSB_MUST_CHECK psb_err X(sp_transc)(const struct X(spmat) *a, struct X(spmat) **b);

/* Copy the entries of local row i, 0 <= i < local rows, in global numbers: *nz of them, to ia, ja and val,
 * each of `cap` elements or NULL; those in columns owned here come first.  With ia, ja and val all NULL only
 * count. PSB_EARG, naming their number, if it exceeds cap.  Local. */
PSB_MUST_CHECK psb_err X(sp_csget)(const struct X(spmat) *a, psb_ipk i, psb_epk cap, psb_lpk *ia, psb_lpk *ja,
                                   T *val, psb_epk *nz);

/* Create *a, a matrix in state BUILD on a row and a column descriptor in state BUILD (one for both: NULL),
 * with the elements of d with |d_ij| > t, t >= 0, and those that are NaN; i is a row owned here, in local
 * order, j a column from 0 to the global number, and element (i, j) of d lies as psb_mat_from_dense says.
 * PSB_EARG also if t is NaN.  Local. */
PSB_MUST_CHECK psb_err X(sp_from_dense)(psb_desc *row, psb_desc *col, const T *d, psb_epk ld,
                                        enum psb_order order, R t, struct X(spmat) **a);

/* Set the elements of d to those of the rows owned here, in local order, and all global columns, 0 where no
 * entry is stored; d is laid out as by psb_mat_to_dense.  Local. */
PSB_MUST_CHECK psb_err X(sp_to_dense)(const struct X(spmat) *a, T *d, psb_epk ld, enum psb_order order);

/* Create *all, the whole matrix of global sizes, indices from 0, in the format of mold (NULL: COO), on
 * process root (-1: on all processes); on others *all becomes NULL, and `all` may be NULL.  The caller frees
 * it by psb_?_mat_free.  PSB_EARG if a global size is 2^31 or more.  Collective. */
PSB_MUST_CHECK psb_err X(spgather)(const struct X(spmat) *a, const struct X(mat) *mold, struct X(mat) **all,
                                   int root);

/* Write a as Matrix Market text to the stream `to` of process 0 (others do not use `to`), as psb_?_mat_print
 * does; entries are in the order of processes, and process 0 receives them in small pieces.  Collective. */
PSB_MUST_CHECK psb_err X(sp_print)(const struct X(spmat) *a, FILE *to, const char *header);
