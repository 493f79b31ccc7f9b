/* psb_vect.t.h -- base/vect: vectors and multivectors, local or distributed, of a scalar type, or of
 * psb_ipk or psb_lpk (psb_i_vect, psb_l_vect).  Integer vectors have the calls of this file; they stay on the
 * host whatever mold is passed, and sums of their elements must not overflow.
 *
 * A vector has one column or more, stored by rows: element (i, j) of k columns is at i k + j, here and in the
 * arrays that callers pass.  A distributed vector has the rows of its descriptor: those owned, then the halo.
 * Operations work on the rows owned; halo values are those of the last psb_halo.  A vector that a
 * call only reads is const: its values do not change, but its halo may, and the copy on the other side may
 * become valid or invalid.  During a halo exchange (psb_halo_start) the vector may be read but not changed.
 * In a collective call, a process that passes NULL for all vectors fails alone, since nothing leads it to the
 * others, and they may wait for it. */
struct X(vect);
struct psb_i_vect;

/* --- creation, insertion, assembly --------------------------------------------------------------------- */

/* Create a local vector of n >= 0 rows, of one column or of k >= 1, all 0, on the mold's device (NULL: host);
 * the caller frees it by psb_gefree.  Local. */
PSB_MUST_CHECK psb_err X(vect_new)(struct X(vect) **x, psb_ipk n, const struct psb_vmold *mold);
PSB_MUST_CHECK psb_err X(vect_new_n)(struct X(vect) **x, psb_ipk n, int k, const struct psb_vmold *mold);

/* As psb_vect_new_n, with the values of `from`, n rows of k elements.  Local. */
PSB_MUST_CHECK psb_err X(vect_bld)(struct X(vect) **x, psb_ipk n, int k, const T *from,
                                   const struct psb_vmold *mold);

/* Create a distributed vector of one column, or of k >= 1, the same on all processes, all 0, in state BUILD;
 * the caller frees it by psb_gefree.  Local. */
PSB_MUST_CHECK psb_err X(geall)(struct X(vect) **x, psb_desc *desc);
PSB_MUST_CHECK psb_err X(geall_n)(struct X(vect) **x, psb_desc *desc, int k);

/* Assign (PSB_DUPL_OVERWRITE) or add (PSB_DUPL_ADD) row i of val to global row irw[i] of x, 0 <= i < n; val
 * has n rows of as many columns as x.  State BUILD, or after psb_gereinit.  PSB_EARG, naming it, for a row
 * out of range, and for a row owned elsewhere unless psb_ge_set_remote says otherwise; then x is as it was.
 * Local. */
PSB_MUST_CHECK psb_err X(geins)(psb_epk n, const psb_lpk *irw, const T *val, struct X(vect) *x,
                                enum psb_dupl dupl);

/* Set what psb_geins does from now on with rows owned elsewhere: PSB_REMOTE_REFUSE, the default;
 * PSB_REMOTE_DROP; PSB_REMOTE_SEND, by which psb_geasb sends them to the owners, where they are inserted
 * after the owners' own (PSB_ENOTIMPL if a row has several owners).  Rows that were kept to be sent are
 * dropped by another mode.  State BUILD, or after psb_gereinit.  Local. */
PSB_MUST_CHECK psb_err X(ge_set_remote)(struct X(vect) *x, enum psb_remote_mode mode);

/* Return the number of rows that were inserted on this process and dropped, since another one owns them; 0
 * for NULL. Local. */
psb_epk X(ge_dropped)(const struct X(vect) *x);

/* As psb_geins for local rows 0 <= idx[i] < rows of x, in any state; on the side where x is, as psb_vect_sct.
 * Local. */
PSB_MUST_CHECK psb_err X(vect_ins)(psb_epk n, const psb_ipk *idx, const T *val, struct X(vect) *x,
                                   enum psb_dupl dupl);

/* Assemble x: allocate its halo and place it on the mold's device (NULL: host); state BUILD -> ASSEMBLED.
 * After psb_gereinit: send rows that were inserted for other processes to their owners, and end insertion; x
 * stays where it is.  PSB_ESTATE if the descriptor is not assembled, PSB_EARG if numbers of columns differ
 * between processes.  Collective. */
PSB_MUST_CHECK psb_err X(geasb)(struct X(vect) *x, const struct psb_vmold *mold);

/* Create *x, an assembled vector of k columns on the assembled descriptor desc, whose elements are
 * memory[0..n), of the device of mold, or of the host if that is NULL or has no device; n is at least k times
 * psb_cd_local_cols(desc), since the halo follows the rows owned.  The memory holds the values, and stays the
 * caller's: it is not freed here, and stays allocated until x is freed.  Calls write to it where x is; a
 * caller who changes elements himself calls psb_device_update (host: psb_host_update) first, and orders his
 * work on a device after that of psb_cuda_stream.  After psb_vect_cnv to the other side x has memory of its
 * own there; its copy on this side stays in the caller's.  On a device memory is aligned as an element is.
 * Integer vectors on the host only (PSB_ENOTIMPL).  k is the same on all processes; after an error on any
 * process none has a vector.  Collective. */
PSB_MUST_CHECK psb_err X(ge_wrap)(struct X(vect) **x, psb_desc *desc, int k, const struct psb_vmold *mold,
                                  psb_epk n, T *memory);

/* Let psb_geins insert into an assembled vector again, all 0 first (clear != 0) or values kept; psb_geasb
 * must follow on all processes.  x is assembled meanwhile, and may be used.  Rows that were inserted for
 * other processes and not sent yet stay, unless `clear`.  In state BUILD only `clear` has an effect.  Local.
 */
PSB_MUST_CHECK psb_err X(gereinit)(struct X(vect) *x, int clear);

/* Copy the owned rows of x to y, assembled vectors with as many columns on descriptors that own the same rows
 * here in the same order (psb_cd_same_rows), or local ones of the same length; the halo of y does not change.
 * PSB_EARG, PSB_ESTATE.  Local. */
PSB_MUST_CHECK psb_err X(vect_copy)(const struct X(vect) *x, struct X(vect) *y);

/* Copy the owned rows of x to y by their global indices: assembled vectors with as many columns on
 * descriptors that own the same rows here, in any order, as after psb_cdren or psb_sp_renum; the halo of y
 * does not change.  Computed on the device if both are there.  PSB_EARG, PSB_ESTATE.  Local. */
PSB_MUST_CHECK psb_err X(vect_renum)(const struct X(vect) *x, struct X(vect) *y);

/* Create *y, a copy of x on the same device and descriptor, in the same state.  Local. */
PSB_MUST_CHECK psb_err X(vect_clone)(const struct X(vect) *x, struct X(vect) **y);

/* Move x to the mold's device (NULL: host), values kept; on error x is as it was.  Local. */
PSB_MUST_CHECK psb_err X(vect_cnv)(struct X(vect) *x, const struct psb_vmold *mold);

/* Free a vector; NULL is fine.  If its halo is being exchanged, record an error and wait for the neighbours
 * first.  Local. */
void X(gefree)(struct X(vect) *x);

/* --- queries ------------------------------------------------------------------------------------------ */

/* Return the local rows of x, halo included; its columns; the bytes of one copy; 0 for NULL.  Local. */
psb_ipk X(vect_get_nrows)(const struct X(vect) *x);
int X(vect_get_ncols)(const struct X(vect) *x);
size_t X(vect_sizeof)(const struct X(vect) *x);

/* Return 1 if only the host copy of x is current; only the device copy; both.  Exactly one of the three is 1
 * for a vector, none for NULL; a new vector, which holds zeros, counts as one on the host.  Local. */
int X(vect_is_host)(const struct X(vect) *x);
int X(vect_is_dev)(const struct X(vect) *x);
int X(vect_is_sync)(const struct X(vect) *x);

/* Make both copies of x current; no effect on a vector without a device.  Local. */
PSB_MUST_CHECK psb_err X(vect_sync)(const struct X(vect) *x);

/* --- elements ----------------------------------------------------------------------------------------- */

/* Set every element of x, halo included, to a; to 0.  Local. */
PSB_MUST_CHECK psb_err X(set_scal)(T a, struct X(vect) *x);
PSB_MUST_CHECK psb_err X(vect_zero)(struct X(vect) *x);

/* Store in val[0..columns) the elements of global row g, which must be owned here; of local row i,
 * 0 <= i < rows of x.  Local. */
PSB_MUST_CHECK psb_err X(getelem)(const struct X(vect) *x, psb_lpk g, T *val);
PSB_MUST_CHECK psb_err X(vect_get_entry)(const struct X(vect) *x, psb_ipk i, T *val);

/* Copy the first n rows of x, 0 <= n <= rows of x, to an array on the host; from one.  Local. */
PSB_MUST_CHECK psb_err X(get_vect)(const struct X(vect) *x, psb_ipk n, T *to);
PSB_MUST_CHECK psb_err X(set_vect)(struct X(vect) *x, psb_ipk n, const T *from);

/* Set row i of buf to local row idx[i] of x, 0 <= i < n; x stays where it is: if its values are on the device
 * alone, two rows or more are gathered there, and only they are copied.  Local. */
PSB_MUST_CHECK psb_err X(vect_gth)(const struct X(vect) *x, psb_ipk n, const psb_ipk *idx, T *buf);

/* Set local row idx[i] of x to beta times itself plus row i of buf, for i = 0 .. n-1 in this order; beta == 0
 * does not read x.  If the values of x are on the device alone, n > 1, and no index occurs more than 32
 * times, they stay there, and only the rows are copied; for a beta besides 0 and 1 the last bits may then
 * differ from the host's.  An index out of range is an error that names it; then x is as it was.  Local. */
PSB_MUST_CHECK psb_err X(vect_sct)(psb_ipk n, const psb_ipk *idx, const T *buf, T beta, struct X(vect) *x);

/* The same with the list in a vector of integers of one column, whose n rows (those owned here) are local
 * rows of x, and rows 0 .. n-1 of the vector buf, which has at least n rows, as many columns as x, and is not
 * x. If x and buf are on one device, nothing but the list is copied.  Local. */
PSB_MUST_CHECK psb_err X(vect_gthv)(const struct X(vect) *x, const struct psb_i_vect *idx,
                                    struct X(vect) *buf);
PSB_MUST_CHECK psb_err X(vect_sctv)(const struct psb_i_vect *idx, const struct X(vect) *buf, T beta,
                                    struct X(vect) *x);

/* Store in row i of val the elements of global row g[i], 0 <= i < n < 2^31; assign (PSB_DUPL_OVERWRITE) or
 * add (PSB_DUPL_ADD) row i of val to it, in any state of x.  All rows are owned here: PSB_EARG names one that
 * is not, and nothing has changed.  Computed as psb_vect_gth and psb_vect_sct.  Local. */
PSB_MUST_CHECK psb_err X(getelems)(const struct X(vect) *x, psb_epk n, const psb_lpk *g, T *val);
PSB_MUST_CHECK psb_err X(setelems)(psb_epk n, const psb_lpk *g, const T *val, struct X(vect) *x,
                                   enum psb_dupl dupl);

/* Store in *p the address of the elements of x on the host or the device, for access as named: read only;
 * write all; read, and write some.  The address is valid until the next call on x.  See psb_dual.h.  Local.
 */
PSB_MUST_CHECK psb_err X(host_read)(const struct X(vect) *x, const T **p);
PSB_MUST_CHECK psb_err X(host_write)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(host_update)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(device_read)(const struct X(vect) *x, const T **p);
PSB_MUST_CHECK psb_err X(device_write)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(device_update)(struct X(vect) *x, T **p);

/* --- communication ------------------------------------------------------------------------------------ */

/* Copy the owners' values to the halo of x (trans 'N'), or add halo values to the owners' rows ('T'); one
 * message to each neighbour for all columns.  trans is the same on all processes.  Collective over
 * neighbours: if a process fails, those that receive from it fail too. */
PSB_MUST_CHECK psb_err X(halo)(struct X(vect) *x, char trans);

/* Start and end psb_halo.  Between the two x may be read, and its halo values are undefined; exchanges of
 * several vectors may be in flight, started in the same order on all processes and ended in any order.  A
 * start that failed needs no end.  A second start, or an end without a start, is PSB_ESTATE on this process
 * only.  For a vector on a device the start may wait until the boundary is packed, and until the exchange
 * started before it has come to its end; by nccl and lsa+nccl also until the neighbours start it, at most
 * PSB_HALO_TIMEOUT seconds.  Collective over neighbours.
 */
PSB_MUST_CHECK psb_err X(halo_start)(struct X(vect) *x, char trans);
PSB_MUST_CHECK psb_err X(halo_end)(struct X(vect) *x);

/* Collect x in global order in all[0..global rows), rows of as many columns as x, on process root (-1: on all
 * processes); other processes do not use `all`.  root is the same on all processes.  Collective. */
PSB_MUST_CHECK psb_err X(gather)(const struct X(vect) *x, T *all, int root);

/* Set the owned rows of x, which is assembled, to those of all[0..global rows) on process root (-1: each
 * process passes an `all`, from which it reads the rows it owns).  root is the same on all processes.
 * Collective. */
PSB_MUST_CHECK psb_err X(scatter)(struct X(vect) *x, const T *all, int root);
