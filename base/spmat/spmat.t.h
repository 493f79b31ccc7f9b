/* spmat.t.h -- base/spmat: the members of a distributed matrix, and what its sources share.
 *
 * The rows owned here are stored in two parts: `ad` over the columns owned here, and `ah` over the
 * halo columns.  `ah`, which has a format of its own (psb_spasb2), has only the rows with halo columns; its
 * row i is local row bnd[i]. */

/* How a product was made, so that it can be computed anew: fingerprints of the patterns of a, b and d, and of
 * the result. */
struct X(plan) {
    char transa, transb;
    bool masked;
    uint64_t print[3], result;
    struct X(spmat) *inner; /* A P of R A P, or NULL */
};

struct X(spmat) {
    unsigned mark; /* see psb_handle.h */
    psb_desc *row, *col;
    enum psb_state state;
    enum psb_dupl dupl;            /* of the first assembly */
    struct X(coo_mat) *build;      /* BUILD: local rows and owned columns, in insertion order */
    struct X(coo_mat) *build_halo; /* the same for other columns, as slots of the descriptor */
    enum psb_remote_mode remote_mode;
    struct psb_remote *remote; /* entries of rows owned elsewhere, to be sent; or NULL */
    psb_epk dropped;           /* entries of rows owned elsewhere, inserted in mode PSB_REMOTE_DROP */
    struct X(mat) *ad, *ah;
    struct psb_dual bnd, part; /* boundary rows, and the product of ah for them */
    struct psb_dual sums[2];  /* partial sums of thread blocks in psb_spmv_fused, of ad and ah; device only */
    struct X(refill) *refill; /* UPDATE: the parts with new values */
    struct X(dev_coo) *given; /* BUILD: entries in owned columns on a device, in place of those of build */
    struct X(mat) *own;       /* BUILD: the part over owned columns, if it has been made already */
    struct X(coo_plan) *coo;  /* of psb_sp_coo_again, or NULL */
    struct X(plan) *plan;     /* of a product, or NULL */
};

/* Where the values of a matrix of psb_sp_coo come from: its nz entries, then nrecv from other processes. */
struct X(coo_plan) {
    psb_epk nz, nrecv, nfar;
    int sends;                  /* 1: some process has entries of others */
    bool overwrite;             /* the last one of equal entries is kept; else they are added */
    psb_epk *far;               /* the nfar entries of rows owned elsewhere */
    psb_lpk *far_row;           /* their rows, from 0 */
    struct psb_sources part[2]; /* of ad and of ah, by rows */
    struct X(mat) *rows[2];     /* the patterns of ad and ah in CSR, kept while one of them is not CSR */
};

/* Check the arguments of a call that creates a matrix in the format of mold.  Local. */
PSB_MUST_CHECK psb_err X(sp_check_new)(const void *a, const psb_desc *row, const psb_desc *col,
                                       const struct X(mat) *mold);
/* psb_cdasb of those of the two descriptors that are in BUILD; they may be one.  Collective. */
PSB_MUST_CHECK psb_err X(sp_cdasb)(psb_desc *row, psb_desc *col);
/* Forget the plan of psb_sp_coo, after a change of the pattern; its bytes.  Local. */
void X(sp_drop_coo_plan)(struct X(spmat) *a);
size_t X(sp_coo_bytes)(const struct X(spmat) *a);
/* State BUILD: let build hold the entries `given`, then its own, and `given` be NULL.  Local. */
PSB_MUST_CHECK psb_err X(sp_fetch_given)(struct X(spmat) *a);

/* Free the assembled parts; the entries kept for other processes; a refill; the inserted
 * entries and a refill. */
void X(sp_drop_parts)(struct X(spmat) *a);
void X(sp_drop_remote)(struct X(spmat) *a);
void X(sp_drop_refill)(struct X(spmat) *a);
void X(sp_drop_build)(struct X(spmat) *a);
/* Make *bnd, the list of ah's n rows, and *part, space for their product, on device `on`.  Local. */
PSB_MUST_CHECK psb_err X(sp_boundary)(psb_ipk n, const psb_ipk *rows, const struct psb_device *on,
                                      struct psb_dual *bnd, struct psb_dual *part);
/* Send entries kept for other processes to the owners of their rows, who insert them; in state BUILD new
 * columns are added to the halo.  If one process fails, nothing has changed.  Collective. */
PSB_MUST_CHECK psb_err X(sp_fetch_remote)(struct X(spmat) *a);
/* The two steps of psb_spins in state UPDATE, arguments checked: find the places of the entries, which
 * changes nothing and may fail; then store their values.  *far: the number of entries in rows owned
 * elsewhere.  Local.
 */
PSB_MUST_CHECK psb_err X(sp_refill_find)(struct X(spmat) *a, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja,
                                         const T *val, psb_epk *far);
PSB_MUST_CHECK psb_err X(sp_refill_put)(struct X(spmat) *a, const T *val);
/* End a refill: store the parts in `made` if they are not those of a itself, or are to be converted; the
 * molds as in psb_spasb2.  Local. */
PSB_MUST_CHECK psb_err X(sp_close_refill)(struct X(spmat) *a, const struct X(mat) *mold,
                                          const struct X(mat) *halo_mold, struct X(spmat) *made);
/* Wait for the rows of a's halo that *wait names, which is { 0 } afterwards; after an error the channel is
 * broken.  _before_halo does so, before the product over the halo, after an error e, which it returns, and if
 * there is no product of owned columns: no kernel then separates that product from those that stored the
 * matrix.  Else the product waits.  Local. */
PSB_MUST_CHECK psb_err X(spmv_await)(const struct X(spmat) *a, struct psb_awaited *wait);
PSB_MUST_CHECK psb_err X(spmv_before_halo)(const struct X(spmat) *a, psb_err e, struct psb_awaited *wait);
/* Drop failures of neighbours that the halo exchange has found, after all processes have learnt of them.
 * Local. */
void X(spmv_settle)(const struct X(spmat) *a);

/* Check the arguments of psb_spmv.  _decline returns e, on a process that cannot take part in the product: it
 * sends its neighbours empty messages, if they are known from the arguments. */
PSB_MUST_CHECK psb_err X(spmv_check)(const struct X(spmat) *a, const struct X(vect) *x,
                                     const struct X(vect) *y, char trans);
PSB_MUST_CHECK psb_err X(spmv_decline)(T alpha, const struct X(spmat) *a, const struct X(vect) *x,
                                       const struct X(vect) *y, char trans, psb_err e);

/* Check, naming the argument, that a is an assembled matrix; that v is an assembled vector on d; that v also
 * has one column and is in no halo exchange.  Local. */
PSB_MUST_CHECK psb_err X(sp_check)(const struct X(spmat) *a, const char *name);
PSB_MUST_CHECK psb_err X(sp_check_side)(const struct X(vect) *v, const psb_desc *d, const char *name);
PSB_MUST_CHECK psb_err X(sp_check_vect)(const struct X(vect) *v, const psb_desc *d, const char *name);

/* Create *c of all entries in the rows here, ordered, in local numbers.  Local. */
PSB_MUST_CHECK psb_err X(sp_rows)(const struct X(spmat) *a, struct X(coo_mat) **c);
/* The same for the entries in halo columns alone.  Local. */
PSB_MUST_CHECK psb_err X(sp_halo_entries)(const struct X(spmat) *a, struct X(coo_mat) **c);
/* The same without rows that another process counts in sums over all processes.  Local. */
PSB_MUST_CHECK psb_err X(sp_rows_counted)(const struct X(spmat) *a, struct X(coo_mat) **c);

/* Store in at[] the row and column of an element, that in the first such row, in which a and b differ by more
 * than tol; -1 if there is none.  They have the same sizes and distribution.  Collective. */
PSB_MUST_CHECK psb_err X(sp_first_difference)(const struct X(spmat) *a, const struct X(spmat) *b, R tol,
                                              psb_lpk at[2]);

/* Split the entries of c, as from sp_rows, into the two parts of `made`, which is empty; columns below n are
 * owned.  After an error the caller frees the parts.  Local. */
PSB_MUST_CHECK psb_err X(sp_split)(const struct X(coo_mat) *c, psb_ipk n, const struct X(mat) *mold,
                                   const struct X(mat) *halo_mold, struct X(spmat) *made);

/* Create *a, an assembled matrix of the entries of c, in local numbers, in any order.  Local. */
PSB_MUST_CHECK psb_err X(sp_of_rows)(psb_desc *row, psb_desc *col, struct X(coo_mat) *c,
                                     const struct X(mat) *mold, const struct X(mat) *halo_mold,
                                     struct X(spmat) **a);

/* Create *a, an assembled matrix of the rows *c; these and the molds as for X(sp_split_csr).  Local. */
PSB_MUST_CHECK psb_err X(sp_of_near)(psb_desc *row, psb_desc *col, struct X(mat) **c,
                                     const struct X(mat) *mold, const struct X(mat) *halo_mold,
                                     struct X(spmat) **a);

/* Create *a on these descriptors, without parts; mark it as assembled, once it has parts.  Local. */
PSB_MUST_CHECK psb_err X(sp_begin)(psb_desc *row, psb_desc *col, struct X(spmat) **a);
/* Let the summary have the formats of a.  Local. */
void X(sp_note)(const struct X(spmat) *a);

void X(sp_ready)(struct X(spmat) *a);

/* Copy the parts of a to `made`.  Local. */
PSB_MUST_CHECK psb_err X(sp_copy_parts)(const struct X(spmat) *a, struct X(spmat) *made);

/* Replace the parts of a by those of `made`, which a owns from then on.  Local. */
void X(sp_move_parts)(struct X(spmat) *a, struct X(spmat) *made);

/* End a collective change: move the parts of `made` to a if err is PSB_OK on all processes, else free
 * them. Collective. */
PSB_MUST_CHECK psb_err X(sp_exchange_parts)(struct X(spmat) *a, struct X(spmat) *made, psb_err err);
/* The same for parts that may have another pattern.  Collective. */
PSB_MUST_CHECK psb_err X(sp_exchange_pattern)(struct X(spmat) *a, struct X(spmat) *made, psb_err err);

/* psb_sphalo, arguments checked: create *blk, ordered; cols->d is b's column descriptor.  Collective. */
PSB_MUST_CHECK psb_err X(sp_fetch_rows)(psb_desc *d, const struct X(spmat) *b, struct psb_columns *cols,
                                        struct X(coo_mat) **blk);

/* Send the entries t, ordered, whose rows are places in the halo of d, to the owners of these rows, and
 * append what others send to c, by sender; columns in the numbers of cols.  err: an earlier error of this
 * process, or PSB_OK.  Collective. */
PSB_MUST_CHECK psb_err X(sp_return_rows)(psb_desc *d, const struct X(coo_mat) *t, struct psb_columns *cols,
                                         struct X(coo_mat) *c, psb_err err);

/* Set *l to all entries of the rows here, in local numbers; *made, NULL if they are the arrays of a, is freed
 * by the caller.  Local. */
PSB_MUST_CHECK psb_err X(sp_joined)(const struct X(spmat) *a, struct X(compressed) *l, struct X(mat) **made);

/* Split *c, such rows in CSR, into the two parts of `made`, as X(sp_split); *c is freed by the caller, unless
 * it has become a part, and NULL.  halo_mold: as X(mat_convert_halo).  Local. */
PSB_MUST_CHECK psb_err X(sp_split_csr)(struct X(mat) **c, psb_ipk n, const struct X(mat) *mold,
                                       const struct X(mat) *halo_mold, struct X(spmat) *made);

/* *print = a number that tells patterns apart: of the entries here, in local numbers, and of the halo. Local.
 */
PSB_MUST_CHECK psb_err X(sp_fingerprint)(const struct X(spmat) *a, uint64_t *print);

/* Create *c with the rows p here, columns in the numbers of `cols` (renumbered here): on column descriptor
 * `have` (may be NULL) if no process has further columns, else on a new one; it is also the row descriptor if
 * it owns the rows of `row`.  err: an earlier error of
 * this process, or PSB_OK.  Collective. */
PSB_MUST_CHECK psb_err X(sp_distribute)(psb_desc *row, struct X(coo_mat) *p, const struct psb_columns *cols,
                                        psb_desc *have, const struct X(mat) *mold,
                                        const struct X(mat) *halo_mold, psb_err err, struct X(spmat) **c);
