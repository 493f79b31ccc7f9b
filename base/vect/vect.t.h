/* vect.t.h -- room: base/vect.  Vectors and multivectors, local or distributed.
 *
 * A vector has one column or more.  It lies by rows: element (i, j) of k columns stands at i k + j, here and
 * in the arrays that callers pass.  A distributed one lies as its descriptor says: the rows owned, then the
 * halo. Every operation works on the owned ones; halo values are what the last psb_halo, or a product, left
 * there. While a halo is exchanged (psb_halo_start) its vector may be read, but not changed.  A process that
 * passes NULL for all vectors of a call fails alone: nothing leads it to the others, who may wait for it in a
 * collective call. */
struct X(vect) {
    psb_desc *desc; /* NULL for a local vector */
    enum psb_state state;
    psb_ipk n; /* rows here, halo included */
    int ncols; /* >= 1 */
    struct psb_dual v;
    struct psb_comm *comm;
    struct psb_remote *remote; /* BUILD: elements owned elsewhere, kept; NULL: ignored */
};

/* --- made, filled, freed ------------------------------------------------------------------------------ */

/* A local vector of n >= 0 zeros, or of n rows and k >= 1 columns, on the mold's device (NULL: host).  Freed
 * by psb_gefree.  Local. */
PSB_MUST_CHECK psb_err X(vect_new)(struct X(vect) **x, psb_ipk n, const struct psb_vmold *mold);
PSB_MUST_CHECK psb_err X(vect_new_n)(struct X(vect) **x, psb_ipk n, int k, const struct psb_vmold *mold);

/* The same with the values of `from`, n rows of k.  Local. */
PSB_MUST_CHECK psb_err X(vect_bld)(struct X(vect) **x, psb_ipk n, int k, const T *from,
                                   const struct psb_vmold *mold);

/* A distributed vector of zeros, of one column or of k >= 1, the same k on all processes; state BUILD, freed
 * by psb_gefree.  Local. */
PSB_MUST_CHECK psb_err X(geall)(struct X(vect) **x, psb_desc *desc);
PSB_MUST_CHECK psb_err X(geall_n)(struct X(vect) **x, psb_desc *desc, int k);

/* Row irw[i] of x = row i of val (PSB_DUPL_OVERWRITE) or += (PSB_DUPL_ADD), i < n, global rows; val has n
 * rows of as many columns as x.  Rows owned elsewhere are ignored.  State BUILD.  A row out of range is an
 * error that names it, and x is as it was.  Local. */
PSB_MUST_CHECK psb_err X(geins)(psb_epk n, const psb_lpk *irw, const T *val, struct X(vect) *x,
                                enum psb_dupl dupl);

/* From now on elements of rows owned elsewhere are kept, and psb_geasb sends them to the owners (yes != 0),
 * where they come after those inserted there; or they are ignored, as at first.  Rows must have one owner
 * each.  State BUILD.  Local; alike on all processes. */
PSB_MUST_CHECK psb_err X(ge_set_remote_build)(struct X(vect) *x, int yes);

/* The same for local rows 0 <= idx[i] < rows of x, in any state.  Local. */
PSB_MUST_CHECK psb_err X(vect_ins)(psb_epk n, const psb_ipk *idx, const T *val, struct X(vect) *x,
                                   enum psb_dupl dupl);

/* Make room for the halo and put x where mold says (NULL: host); its descriptor must be assembled; state
 * BUILD -> ASSEMBLED.  An error where processes have different numbers of columns.  Collective. */
PSB_MUST_CHECK psb_err X(geasb)(struct X(vect) *x, const struct psb_vmold *mold);

/* A new vector *y like x, with its values, on the same device and descriptor, in the same state.  Local. */
PSB_MUST_CHECK psb_err X(vect_clone)(struct X(vect) *x, struct X(vect) **y);

/* Put x where mold says (NULL: host), its values kept; on error it is as it was.  Local. */
PSB_MUST_CHECK psb_err X(vect_cnv)(struct X(vect) *x, const struct psb_vmold *mold);

/* Free a vector; NULL is fine.  One whose halo is being exchanged waits for its neighbours first, and an
 * error is recorded.  Local. */
void X(gefree)(struct X(vect) *x);

/* Make rows that several processes own alike, or weigh them, as op says; sums are in the order of ranks, the
 * same bits on each.  The halo is left alone.  op is the same on all processes.  Collective over the owners;
 * over all where rows are replicated. */
PSB_MUST_CHECK psb_err X(ovrl)(struct X(vect) *x, enum psb_ovrl op);

/* --- questions ---------------------------------------------------------------------------------------- */

/* Rows here, halo included; columns; bytes of one copy; 0 for NULL.  Local. */
psb_ipk X(vect_get_nrows)(const struct X(vect) *x);
int X(vect_get_ncols)(const struct X(vect) *x);
size_t X(vect_sizeof)(const struct X(vect) *x);

/* Is the current copy the one on the host, the one on the device, are both?  One of the three is true of
 * every vector, none of NULL.  Local. */
int X(vect_is_host)(const struct X(vect) *x);
int X(vect_is_dev)(const struct X(vect) *x);
int X(vect_is_sync)(const struct X(vect) *x);

/* Bring both copies up to date; nothing to do for a vector that lives on the host alone.  Local. */
PSB_MUST_CHECK psb_err X(vect_sync)(struct X(vect) *x);

/* --- elements ----------------------------------------------------------------------------------------- */

/* Every element of x, halo included, becomes a; becomes 0.  Local. */
PSB_MUST_CHECK psb_err X(set_scal)(T a, struct X(vect) *x);
PSB_MUST_CHECK psb_err X(vect_zero)(struct X(vect) *x);

/* Store in val[0..columns) the elements of global row g, which must be owned here; of local row i.  Local. */
PSB_MUST_CHECK psb_err X(getelem)(struct X(vect) *x, psb_lpk g, T *val);
PSB_MUST_CHECK psb_err X(vect_get_entry)(struct X(vect) *x, psb_ipk i, T *val);

/* Copy the first n rows, n at most all, from or to an array on the host.  Local. */
PSB_MUST_CHECK psb_err X(get_vect)(struct X(vect) *x, psb_ipk n, T *to);
PSB_MUST_CHECK psb_err X(set_vect)(struct X(vect) *x, psb_ipk n, const T *from);

/* Row i of buf = row idx[i] of x, i < n, local rows.  Local. */
PSB_MUST_CHECK psb_err X(vect_gth)(struct X(vect) *x, psb_ipk n, const psb_ipk *idx, T *buf);

/* Row idx[i] of x = beta times itself + row i of buf, in the order of i; beta == 0 does not read it.  An
 * index out of range is an error that names it, and x is as it was.  Local. */
PSB_MUST_CHECK psb_err X(vect_sct)(psb_ipk n, const psb_ipk *idx, const T *buf, T beta, struct X(vect) *x);

/* Store in *p the address of the elements on that side, good for what the name says: read; write all;
 * read and write some.  Good until the next call on x.  See psb_dual.h.  Local. */
PSB_MUST_CHECK psb_err X(host_read)(struct X(vect) *x, const T **p);
PSB_MUST_CHECK psb_err X(host_write)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(host_update)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(device_read)(struct X(vect) *x, const T **p);
PSB_MUST_CHECK psb_err X(device_write)(struct X(vect) *x, T **p);
PSB_MUST_CHECK psb_err X(device_update)(struct X(vect) *x, T **p);

/* --- products ------------------------------------------------------------------------------------------ */

/* y = alpha op(A) x + beta y for all columns, as many in x and y, with a local matrix, op by trans as for
 * psb_?_mat_csmv.  x and y are different vectors of at least the rows that op(A) asks for; they need not be
 * assembled.  Computed on the device if a, x and y are on one device and a's format offers that op there,
 * else on the host.  alpha == 0 reads neither A nor x, beta == 0 does not read y.  On error y is as it was,
 * or undefined.  Local. */
PSB_MUST_CHECK psb_err X(mat_vect_mv)(T alpha, struct X(mat) *a, struct X(vect) *x, T beta, struct X(vect) *y,
                                      char trans);

/* --- communication ------------------------------------------------------------------------------------ */

/* Bring the halo of x up to date (trans 'N'), or add what stands in each halo to its owner ('T'); one message
 * a neighbour for all columns.  trans is the same on all processes.  Collective over neighbours: where a
 * process fails those that receive from it fail too. */
PSB_MUST_CHECK psb_err X(halo)(struct X(vect) *x, char trans);

/* The two halves of psb_halo; between them x may be read, its halo holds no values in particular, and several
 * vectors may be under way, started in the same order on all processes, ended in any.  A start that failed
 * needs no end; a second start and an end without start are errors, which nobody else learns of.  Of a vector
 * on a device the start waits until the boundary has been packed.  Collective over neighbours. */
PSB_MUST_CHECK psb_err X(halo_start)(struct X(vect) *x, char trans);
PSB_MUST_CHECK psb_err X(halo_end)(struct X(vect) *x);

/* Collect x, in global order, in all[0..global rows), rows of as many columns as x, on process root (-1: on
 * all), the same on all processes; elsewhere `all` is not used.  Collective. */
PSB_MUST_CHECK psb_err X(gather)(struct X(vect) *x, T *all, int root);

/* The way back: the owned rows of x, which is assembled, become those of all[0..global rows) on process root
 * (-1: each process has its own `all`, of which it reads the rows it owns), the same on all.  Collective. */
PSB_MUST_CHECK psb_err X(scatter)(struct X(vect) *x, const T *all, int root);

#include "geops.t.h"

/* --- inside base ---------------------------------------------------------------------------------- */

/* The side that computes op(A) x: PSB_DEV if a, x and y are on one device and a's format offers op there.
 * Local. */
enum psb_side X(mat_side)(const struct X(mat) *a, char trans, const struct X(vect) *x,
                          const struct X(vect) *y);
/* The elements of y on side s, of which those owned will all be overwritten (`all`) or changed; the halo is
 * as it was.  PSB_ESTATE while the halo is exchanged. */
PSB_MUST_CHECK psb_err X(vect_open)(struct X(vect) *y, enum psb_side s, int all, T **p);
/* What psb_gedot joins, of one column: the real and the imaginary part of the sum over the rows that count
 * here.  Local. */
PSB_MUST_CHECK psb_err X(gedot_parts)(struct X(vect) *x, struct X(vect) *y, double *sum);
/* PSB_ESTATE while the halo is exchanged. */
PSB_MUST_CHECK psb_err X(vect_check_idle)(const struct X(vect) *v);
/* Where an operation on x and y (may be x) runs: on their device if they share one. */
enum psb_side X(vect_side)(const struct X(vect) *x, const struct X(vect) *y);
/* The rows an operation works on: those owned, all of a local vector. */
psb_ipk X(vect_owned)(const struct X(vect) *x);
/* The two halves of psb_halo on side s; whatever lies between overlaps with the messages, and with the
 * packing on a device; nothing else may be started there.  `before` is what went wrong here already: then, as
 * where the start itself fails, the neighbours are told instead of left waiting, and fail too.  A start that
 * succeeded must be followed by its end. */
PSB_MUST_CHECK psb_err X(halo_begin)(struct X(vect) *x, enum psb_side s, char trans, psb_err before);
PSB_MUST_CHECK psb_err X(halo_finish)(struct X(vect) *x);
/* What psb_ovrl does that fails with e, for a process that has no vector. */
void X(ovrl_refuse)(psb_desc *d, psb_err e);

/* What a start that failed does, for a process that has no vector. */
void X(halo_refuse)(psb_desc *d, char trans);

/* Keep of irw[0..n) what others own; deal it out (collective); forget it. */
PSB_MUST_CHECK psb_err X(vect_keep_remote)(struct X(vect) *x, psb_epk n, const psb_lpk *irw, const T *val,
                                           enum psb_dupl dupl);
PSB_MUST_CHECK psb_err X(vect_fetch_remote)(struct X(vect) *x);
void X(vect_drop_remote)(struct X(vect) *x);
