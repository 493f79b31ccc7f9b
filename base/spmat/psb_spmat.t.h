/* psb_spmat.t.h -- base/spmat: the distributed sparse matrix that callers hold.
 *
 * Its rows are distributed by a row descriptor, its columns by a column descriptor (the same one for a square
 * matrix).  For y = A x, x is a vector on the column descriptor and y on the row descriptor; for op T and C
 * the other way round.  Entries are inserted in state BUILD; psb_spasb makes the matrix ASSEMBLED, ready for
 * products.  In a collective call, a process that passes NULL for the matrix, and nothing else that leads to
 * the other processes, fails alone, and they may wait for it. */
struct X(spmat);

/* Create a square matrix on one descriptor, with space for nnz >= 0 entries here (a hint), in state BUILD;
 * the caller frees it by psb_spfree.  Local. */
PSB_MUST_CHECK psb_err X(spall)(struct X(spmat) **a, psb_desc *desc, psb_epk nnz);

/* As psb_spall, with a row and a column descriptor of one context: a rectangular matrix, or one whose rows
 * and columns are distributed differently.  Local. */
PSB_MUST_CHECK psb_err X(spall2)(struct X(spmat) **a, psb_desc *row, psb_desc *col, psb_epk nnz);

/* Set what psb_spins does from now on, also after psb_sprn, with entries of rows owned elsewhere:
 * PSB_REMOTE_REFUSE, the default; PSB_REMOTE_DROP; PSB_REMOTE_SEND, by which psb_spasb sends them to the
 * owners (PSB_ENOTIMPL if a row has several owners).  Entries that were kept to be sent are dropped by
 * another mode.  State BUILD or UPDATE. Local. */
PSB_MUST_CHECK psb_err X(sp_set_remote)(struct X(spmat) *a, enum psb_remote_mode mode);

/* Return the number of entries that were inserted on this process and dropped, since another one owns their
 * rows; 0 for NULL.  Local. */
psb_epk X(sp_dropped)(const struct X(spmat) *a);

/* Insert value val[k] at global row ia[k], global column ja[k], 0 <= k < nz.  A row owned elsewhere is an
 * error that names the first such row, unless psb_sp_set_remote says otherwise. State BUILD: while the column
 * descriptor is in BUILD, new columns are added to its halo; later a column outside its halo is an error.
 * State UPDATE (psb_sprn): val[k] is added to the value of the entry if the matrix was assembled with
 * PSB_DUPL_ADD, else replaces it; an entry that is not in the matrix is an error.
 * An index out of range is an error that names it.  After an error nothing is inserted.  Local. */
PSB_MUST_CHECK psb_err X(spins)(psb_epk nz, const psb_lpk *ia, const psb_lpk *ja, const T *val,
                                struct X(spmat) *a);

/* As psb_spins with local numbers, counted from 0: 0 <= ia[k] < local rows, 0 <= ja[k] < local columns; the
 * column descriptor must be assembled.  Local. */
PSB_MUST_CHECK psb_err X(spins_local)(psb_epk nz, const psb_ipk *ia, const psb_ipk *ja, const T *val,
                                      struct X(spmat) *a);

/* Assemble the matrix in the format of `mold`, merging duplicate entries by dupl in insertion order; state
 * BUILD or UPDATE -> ASSEMBLED.  Both descriptors must be assembled.  Entries received from other processes
 * come last; they may enlarge the halo of a column descriptor on which no assembled matrix or vector relies
 * yet.  From state UPDATE dupl is not used, and mold may be NULL: the format does not change, unless
 * psb_?_mat_by_name has failed to find its name since psb_sprn, which is PSB_EARG.  If any process
 * fails, all return an error, and the matrix keeps its state and entries, some of one place perhaps merged by
 * dupl. Collective.  CSR takes the memory of the entries if they were inserted by ascending rows. */
PSB_MUST_CHECK psb_err X(spasb)(struct X(spmat) *a, const struct X(mat) *mold, enum psb_dupl dupl);

/* As psb_spasb; the entries in columns of other processes, whose rows without entries are left out, are
 * stored in the format of halo_mold.  halo_mold NULL, as in psb_spasb: on a device in CSRG; on the host in
 * the format of mold, or in CSR if that refuses.  (psb_?_mat_by_name returns NULL for an unknown name.)  Both
 * formats must be of the host or of one device.  psb_spcnv chooses the format of these entries anew.
 * Collective. */
PSB_MUST_CHECK psb_err X(spasb2)(struct X(spmat) *a, const struct X(mat) *mold,
                                 const struct X(mat) *halo_mold, enum psb_dupl dupl);

/* Create *a, assembled in the format of mold, of entries with global indices in one call: value val[k] at row
 * ia[k], column ja[k], 0 <= k < nz, in any order, each process with entries of any rows: those of rows owned
 * elsewhere are sent to their owners (PSB_ENOTIMPL if a row has several), where they come last, by ascending
 * rank of their senders.  Entries of one place are merged as dupl says, in this order.  The arrays are on the
 * device of `where`, as psb_vect_cuda, or on the host if that is NULL or has none; they are only read, and
 * may be freed afterwards; on a device they have been written, or are in the order of psb_cuda_stream.  A
 * descriptor in state BUILD takes the columns as halo, and is assembled; if it is assembled already, a column
 * outside its halo is an error.  If the format of mold is of that device, and each process has consecutive
 * rows and columns, entries in owned columns stay on the device; those in other columns or rows pass through
 * the host, and all do if the device lacks memory.  PSB_EARG names an index out of range.  After an error
 * there is no matrix, but descriptors may have been assembled, with columns of the entries as halo.  dupl,
 * and the states of the descriptors, are the same on all processes; col may be row.  Collective. */
PSB_MUST_CHECK psb_err X(sp_coo)(struct X(spmat) **a, psb_desc *row, psb_desc *col,
                                 const struct psb_vmold *where, psb_epk nz, const psb_lpk *ia,
                                 const psb_lpk *ja, const T *val, const struct X(mat) *mold,
                                 enum psb_dupl dupl);

/* New values for all entries of a matrix of psb_sp_coo: val[0..nz), in the order and number of that call, on
 * the device of `where` or on the host.  The values have the bits that psb_sp_coo would compute; formats that
 * refine CSR are refilled in place, others converted anew.  PSB_ESTATE if a was made otherwise, or its
 * pattern may have changed since (psb_spaxpby, psb_sp_scalpid, psb_sp_clean_zeros).  After PSB_EARG,
 * PSB_ESTATE and PSB_ENOMEM in an exchange a is as it was.  Collective. */
PSB_MUST_CHECK psb_err X(sp_coo_again)(struct X(spmat) *a, const struct psb_vmold *where, psb_epk nz,
                                       const T *val);

/* Create *a of the rows owned here, in the format of mold: the entries of local row i are those r->off[i] <=
 * k < r->off[i + 1] of idx and val, with global columns if r->global, else local ones; those of one place are
 * added.  See struct psb_rows_given.  A column descriptor in BUILD takes global columns as halo, and is
 * assembled; if it is assembled, a column outside its halo is an error.  Nothing is copied if mold is CSR
 * and, on all processes, indices have 32 bits, ascend in each row, and are local numbers of owned columns, as
 * all are on one process: then the arrays stay the caller's, who keeps them until a is freed, and calls that
 * change values change his (offsets of 32 bits are copied).  Else the arrays are only read.  psb_sp_of_local
 * takes rows that are split.  Collective. */
PSB_MUST_CHECK psb_err X(sp_csr)(struct X(spmat) **a, psb_desc *row, psb_desc *col,
                                 const struct psb_rows_given *r, T *val, const struct X(mat) *mold);

/* Create *a of local matrices, without a copy: what psb_sp_local returns of a.  own: the rows and columns
 * owned here, in local numbers; halo: n rows over the halo columns, from 0, of which row k is local row
 * rows[k], ascending; NULL if there are none.  Both are assembled, in any format, on one device or on the
 * host, as from psb_raw_wrap or psb_cuda_raw_wrap; a owns them, and frees them; after an error they are the
 * caller's.  Both descriptors are assembled.  Collective. */
PSB_MUST_CHECK psb_err X(sp_of_local)(struct X(spmat) **a, psb_desc *row, psb_desc *col, struct X(mat) *own,
                                      struct X(mat) *halo, psb_ipk n, const psb_ipk *rows);

/* Open an assembled matrix for new values in its pattern, all set to 0 first (clear != 0) or kept; state
 * ASSEMBLED -> UPDATE.  psb_spins sets values, psb_spasb ends the update.  Local. */
PSB_MUST_CHECK psb_err X(sprn)(struct X(spmat) *a, int clear);

/* Convert an assembled matrix to the format of `mold`; on error it is as it was.  Collective. */
PSB_MUST_CHECK psb_err X(spcnv)(struct X(spmat) *a, const struct X(mat) *mold);

/* Free a matrix; NULL is fine.  Local. */
void X(spfree)(struct X(spmat) *a);

/* Create *x on the columns of an assembled matrix and *y on its rows, so that y = A x: vectors of k >= 1
 * columns (one without _n), all 0, assembled, on the device of a's format (else on the host); the caller
 * frees both by psb_gefree. On an error on any process none is created.  k is the same on all processes.
 * Collective. */
PSB_MUST_CHECK psb_err X(vects_like)(const struct X(spmat) *a, struct X(vect) **x, struct X(vect) **y);
PSB_MUST_CHECK psb_err X(vects_like_n)(const struct X(spmat) *a, int k, struct X(vect) **x,
                                       struct X(vect) **y);

/* y = alpha op(A) x + beta y for all columns, as many in x and y; op by trans: 'N' A, 'T' its transpose, 'C'
 * its conjugate transpose.  The halo of x is undefined after it, and that of y is not updated: psb_halo
 * updates one.  The vector on the rows may be on another descriptor with the same rows.  alpha == 0 reads
 * neither A nor x, beta == 0 does not read y.  x and y are different vectors, assembled.  Runs on the device
 * if A's format and both vectors are on it, else on the host.  trans, and whether alpha is 0, are the same on
 * all processes. Collective: if a process cannot take part in the exchange, those that receive from it fail
 * too; a later error in the local product, as for lack of memory, is reported by that process only. */
PSB_MUST_CHECK psb_err X(spmv)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                               struct X(vect) *y, char trans);

/* As psb_spmv, but halo_update 0 omits the exchange.  Then 'N' uses the halo values that x has, and 'T' and
 * 'C' leave the sums for rows owned elsewhere in the halo of y (psb_halo with 'T' adds them to the owners);
 * in a row of y with several owners each owner adds only the products of its own rows of A.  Collective; with
 * halo_update 0 local. */
PSB_MUST_CHECK psb_err X(spmv_opt)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                                   struct X(vect) *y, char trans, int halo_update);

/* psb_spmv and psb_spmv_opt under PSBLAS's names for several columns: the same arguments, result and errors.
 * Collective as those are. */
PSB_MUST_CHECK psb_err X(spmm)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                               struct X(vect) *y, char trans);
PSB_MUST_CHECK psb_err X(spmm_opt)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                                   struct X(vect) *y, char trans, int halo_update);

/* The epilogue of a product y: z = gamma y + delta z, unless z is NULL; u = d z, or d y without z,
 * elementwise, unless u is NULL; and ndots dot products of left and right, conj(left) right as in psb_gedot.
 * All are assembled vectors of one column on the descriptor of y.  left and right may be y, z and u (with
 * their new values) and, if on that descriptor, x.  z is neither x nor y, u none of x, y, z and d; gamma == 0
 * does not read y, delta == 0 does not read z.  gamma and delta are multiplied by the scalars gamma_by and
 * delta_by unless these are NULL; to: scalars of the same descriptor, all different, for the dot products.
 * After dot products in scalars, for i < nratios, one after the other: ratio[i].to = over / under, or 0 where
 * under is 0: scalars of the descriptor, of which `to` is none of the others. */
struct X(epilogue) {
    T gamma, delta;
    struct X(vect) *z;
    int ndots; /* 0 <= ndots <= PSB_MOST_DOTS */
    struct {
        const struct X(vect) *left, *right;
    } dot[PSB_MOST_DOTS];
    const struct X(scal) *gamma_by, *delta_by;
    const struct X(vect) *d;
    struct X(vect) *u;
    struct X(scal) *to[PSB_MOST_DOTS];
    int nratios; /* 0 <= nratios <= PSB_MOST_RATIOS; 0 without dot products, or if dots is not NULL */
    struct {
        const struct X(scal) *over, *under;
        struct X(scal) *to;
    } ratio[PSB_MOST_RATIOS];
    const struct X(vec_steps) *steps; /* in place of ratios: steps of the library's own methods; else NULL */
};

/* y = alpha op(A) x + beta y as psb_spmv, for one column, then e's sum and dot products; dots[i] is that of
 * e->dot[i] over all processes, with the same bits in each run.  If A's format and all vectors are on a
 * device and no column of A is owned elsewhere, all is computed in the pass of the product, else in one more
 * pass over the vectors.  One reduction sums all dot products.  dots is not used if e->ndots is 0, which must
 * be so on all processes or on none.  Collective with dot products: if one process fails, all fail;
 * without: as psb_spmv.  dots NULL, the same on all processes: the dot products are stored in the scalars
 * e->to instead.  Between devices of one host (psb_cd_sums_transport "lsa") nothing waits on the host then,
 * the parts of processes are added in rank order, and a process learns at a later call, or by psb_scal_get,
 * that another one has failed.  After an error dots is as it was; y, z, u and the scalars may have changed.
 * Method: Kreutzer et al., "GHOST: building blocks for high performance sparse linear algebra on
 * heterogeneous systems", Int. J. Parallel Prog. 45 (2017). */
PSB_MUST_CHECK psb_err X(spmv_fused)(T alpha, const struct X(spmat) *a, const struct X(vect) *x, T beta,
                                     struct X(vect) *y, char trans, const struct X(epilogue) *e, T *dots);

/* The epilogue e of y, a distributed vector of one column, in one pass, without a product; y is only read.
 * Collective with dot products, as psb_spmv_fused; without: local. */
PSB_MUST_CHECK psb_err X(gefused)(const struct X(vect) *y, const struct X(epilogue) *e, T *dots);

/* Return the entries stored on this process; the bytes of its storage here, with what is kept to compute its
 * values again; the name of its format.  For NULL: 0 and "".  Local. */
psb_epk X(sp_nnz)(const struct X(spmat) *a);
size_t X(sp_bytes)(const struct X(spmat) *a);
const char *X(sp_fmt)(const struct X(spmat) *a);

/* Create *ext, an assembled descriptor that extends the one of a square matrix along its pattern by levels >=
 * 0; the caller frees it by psb_cdfree.  Level 0 is the halo of the rows owned; each further level adds the
 * columns of the rows of the level before, until no process finds new indices.  PSB_EXT_HALO: the rows of a's
 * descriptor, with all indices found as halo.  PSB_EXT_OVERLAP: indices found at levels below `levels` become
 * rows of this process too, after its own, in the order in which they are found; those of the last level are
 * halo.  PSB_EARG if a row of a has several owners.  levels and kind are the same on all processes.
 * Collective. */
PSB_MUST_CHECK psb_err X(cdbldext)(const struct X(spmat) *a, int levels, enum psb_extension kind,
                                   psb_desc **ext);

/* Return the row descriptor; the column descriptor; the state.  For a NULL matrix: NULL and PSB_NULL.
 * Local. */
psb_desc *X(sp_row_desc)(const struct X(spmat) *a);
psb_desc *X(sp_col_desc)(const struct X(spmat) *a);
enum psb_state X(sp_state)(const struct X(spmat) *a);
