/* psb_desc.h -- base/desc: the descriptor: the owners of global rows, and the plan of halo exchanges.
 *
 * Local numbers: the rows owned here come first, 0 .. nrow-1.  The halo follows: the indices that this
 * process uses and others own, grouped by owner in rank order and ascending within a group.  A row may be
 * owned by several processes (overlap); its halo values come from the lowest rank of them.  A descriptor goes
 * from state BUILD to ASSEMBLED; the halo is known, and final, after psb_cdasb.  In a collective call, a
 * process that passes NULL for the only argument that leads to the others (the context or the descriptor)
 * fails alone, and the others may wait for it.
 *
 * Global indices that cross these calls, and those of matrices and vectors, count from psb_index_base():
 * "0 <= g < n" reads "1 <= g < n + 1" after psb_set_index_base(1). */
#ifndef PSB_DESC_H
#define PSB_DESC_H
#include "psb_ctxt.h"
#include "psb_index.h"
#include <stdio.h>
#include "psb_lang.h"
PSB_BEGIN_C

typedef enum psb_state { PSB_NULL, PSB_BUILD, PSB_ASSEMBLED, PSB_UPDATE } psb_state;

typedef struct psb_desc psb_desc;

/* What happens to an entry of a row that is owned elsewhere, inserted into a matrix or a vector: it is
 * refused, an error, and nothing of that call is inserted; it is dropped and counted; it is sent to the owner
 * of its row by the assembly. */
typedef enum psb_remote_mode { PSB_REMOTE_REFUSE, PSB_REMOTE_DROP, PSB_REMOTE_SEND } psb_remote_mode;

/* --- creation --------------------------------------------------------------------------------------- */

/* Create a descriptor in which this process owns nl >= 0 consecutive rows, processes in rank order; the
 * caller frees it by psb_cdfree.  On an error on any process no descriptor is created.  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_nl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl);

/* Create a descriptor of ng rows, row i owned by process vg[i]; vg has ng elements, the same on all
 * processes. PSB_EARG if a process would own 2^31 rows or more.  This is the only call with an array of
 * global length. Collective. */
PSB_MUST_CHECK psb_err psb_cdall_vg(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, const int *vg);

/* Create a descriptor in which this process owns the rows vl[0..nl), which differ; their order in vl becomes
 * the local order.  Each of the indices 0 .. N-1 is in the list of at least one process; rows in several
 * lists are overlapped.  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_vl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl);

/* As psb_cdall_vl, but row vl[k] has the local number lidx[k]; lidx is a permutation of 0 .. nl-1.
 * Collective. */
PSB_MUST_CHECK psb_err psb_cdall_vl_lidx(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl,
                                         const psb_ipk *lidx);

/* Create a descriptor of n >= 0 rows, all owned by every process; n is the same on all processes.
 * Collective. */
PSB_MUST_CHECK psb_err psb_cdall_repl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk n);

/* Store the nv owners of global row g of n, 1 <= nv <= np different ranks, in pv[0..nv) and return nv. */
typedef int (*psb_parts)(psb_lpk g, psb_lpk n, int np, int *pv, void *arg);

/* Create a descriptor of ng rows, whose owners `parts` returns; it is called with `arg` for each row in order
 * and must return the same on all processes.  PSB_EARG if a process would own 2^31 rows or more.  Time O(ng),
 * memory O(local rows).  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_parts(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, psb_parts parts,
                                       void *arg);

/* The owners of rows, given in one of five ways; the members of the other ways are 0. */
typedef struct psb_cdall_how {
    psb_ipk nl;          /* without vl: as psb_cdall_nl; with vl: its length */
    const psb_lpk *vl;   /* as psb_cdall_vl, or with lidx as psb_cdall_vl_lidx */
    const psb_ipk *lidx; /* NULL: local order is the order of vl */
    psb_lpk ng;          /* global rows, with vg, parts and repl */
    const int *vg;       /* as psb_cdall_vg */
    psb_parts parts;     /* as psb_cdall_parts, with arg */
    void *arg;
    int repl; /* not 0: as psb_cdall_repl */
} psb_cdall_how;

/* Make the call that `how` chooses: psb_cdall(&desc, ctxt, &(struct psb_cdall_how){ .nl = n }).  PSB_EARG,
 * naming the ways, if the processes together give no way or more than one.  A process that gives none owns no
 * rows if others give nl or vl.  (For a descriptor without rows use psb_cdall_nl.)  Collective. */
PSB_MUST_CHECK psb_err psb_cdall(psb_desc **desc, psb_ctxt *ctxt, const struct psb_cdall_how *how);

/* Create a descriptor in state BUILD with the rows and owners of `like`, and no halo.  Local. */
PSB_MUST_CHECK psb_err psb_cdall_like(psb_desc **desc, const psb_desc *like);

/* Copy a descriptor, in its state; no matrix or vector relies on the copy.  Local. */
PSB_MUST_CHECK psb_err psb_cdcpy(psb_desc **copy, const psb_desc *desc);

/* Declare that row ia[k] uses index ja[k], 0 <= k < nz; rows owned elsewhere are ignored.  ia NULL: this
 * process uses every ja[k].  State BUILD.  An index out of range is an error that names it; then nothing is
 * inserted.  Local. */
PSB_MUST_CHECK psb_err psb_cdins(psb_desc *desc, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja);

/* Find the owner of every halo index and plan the halo exchange; state BUILD -> ASSEMBLED.  Collective. */
PSB_MUST_CHECK psb_err psb_cdasb(psb_desc *desc);

/* Return to state BUILD, so that the halo may grow; indices inserted before stay.  PSB_ESTATE if an assembled
 * matrix or vector relies on the local numbers.  Collective. */
PSB_MUST_CHECK psb_err psb_cd_reinit(psb_desc *desc);

/* Renumber the rows owned here: the row with local number perm[i] gets number i (trans 'N'), or the one with
 * number i gets perm[i] ('T'), 0 <= i < local rows; perm is a permutation of them, another one on each
 * process.  Global indices, owners and the order of the halo stay, so that vectors, files and what other
 * processes see are the same.  The descriptor then looks rows up in a list or a hash table (psb_cd_kind).
 * PSB_ESTATE unless it is assembled, and if a matrix or a vector lies on it, in any state (psb_cdcpy makes a
 * descriptor to renumber, psb_sp_renum a matrix too); PSB_ENOTIMPL if it is replicated.  After an error it
 * is as it was.  Collective. */
PSB_MUST_CHECK psb_err psb_cdren(char trans, const psb_ipk *perm, psb_desc *desc);

/* Free a descriptor, once the matrices and vectors built on it are freed too.  NULL is fine.  Local. */
void psb_cdfree(psb_desc *desc);

/* How psb_cdbldext extends a descriptor: by more halo indices, or by making rows of other processes own rows
 * too (overlap, for additive Schwarz methods). */
typedef enum psb_extension { PSB_EXT_HALO, PSB_EXT_OVERLAP } psb_extension;

/* --- queries: local, but for psb_cd_owners and psb_cd_print.  For a NULL descriptor, calls that return no
 * psb_err return 0, "", NULL, PSB_NULL, or -1 in place of an index ------------------------------------ */

/* Return 1 if a and b own the same rows here, in the same local order, else 0. */
int psb_cd_same_rows(const psb_desc *a, const psb_desc *b);

/* Return the number of rows owned; of local columns, owned and halo (final once assembled); of global rows;
 * the state; the context. */
psb_ipk psb_cd_local_rows(const psb_desc *desc);
psb_ipk psb_cd_local_cols(const psb_desc *desc);
psb_lpk psb_cd_global_rows(const psb_desc *desc);
enum psb_state psb_cd_state(const psb_desc *desc);
psb_ctxt *psb_cd_ctxt(const psb_desc *desc);

/* Return how rows are looked up: "block", "list", "hash" or "replicated"; 1 for a replicated descriptor. */
const char *psb_cd_kind(const psb_desc *desc);
int psb_cd_is_replicated(const psb_desc *desc);

/* Return 1 if global row g is owned here, else 0. */
int psb_is_owned(const psb_desc *desc, psb_lpk g);

/* Return the local number of global index g; -1 if this process neither owns nor uses it (before psb_cdasb:
 * if it does not own it). */
psb_ipk psb_glob_to_loc(const psb_desc *desc, psb_lpk g);

/* Return the global index of local number l, 0 <= l < local columns (before psb_cdasb: < local rows); -1 out
 * of that range. */
psb_lpk psb_loc_to_glob(const psb_desc *desc, psb_ipk l);

/* Convert n indices; l[k] or g[k] becomes -1 where the single call returns -1. */
PSB_MUST_CHECK psb_err psb_glob_to_loc_n(const psb_desc *desc, psb_epk n, const psb_lpk *g, psb_ipk *l);
PSB_MUST_CHECK psb_err psb_loc_to_glob_n(const psb_desc *desc, psb_epk n, const psb_ipk *l, psb_lpk *g);

/* Store in *n the number of indices of a kind here, and in list[0..*n) their local numbers, ascending; list
 * NULL: only count.  PSB_CD_BOUNDARY: rows owned here that are in the halo of another process;
 * PSB_CD_OVERLAP: rows that other processes own too.  PSB_ESTATE before psb_cdasb, but for PSB_CD_OWNED. */
enum psb_cd_indices { PSB_CD_OWNED, PSB_CD_HALO, PSB_CD_BOUNDARY, PSB_CD_OVERLAP };
PSB_MUST_CHECK psb_err psb_cd_list(const psb_desc *desc, enum psb_cd_indices kind, psb_ipk *n, psb_ipk *list);

/* Store in *n the number of processes with which this one exchanges halo elements, and in rank[0..*n) their
 * ranks, ascending; rank NULL: only count.  PSB_ESTATE before psb_cdasb. */
PSB_MUST_CHECK psb_err psb_cd_neighbours(const psb_desc *desc, int *n, int *rank);

/* Store the numbers of elements that this process sends and receives in one halo exchange, and of its
 * neighbours; each pointer may be NULL.  All are 0 before psb_cdasb. */
void psb_cd_volume(const psb_desc *desc, psb_ipk *sent, psb_ipk *received, int *neighbours);

/* Store in owner[k] the rank that owns global index g[k], 0 <= k < n: the lowest of several, this process for
 * a replicated descriptor.  Collective. */
PSB_MUST_CHECK psb_err psb_cd_owners(const psb_desc *desc, psb_ipk n, const psb_lpk *g, int *owner);

/* Return how halos of vectors are exchanged: "lsa" (devices of one host store into each other's memory),
 * "nccl" (devices send to each other by NCCL), "lsa+nccl" (the first within a host, the second between
 * hosts), "mpi" (MPI, from where the vectors are), "staged" (vectors on a device through pinned memory of the
 * host and MPI); "" before the first vector of desc is assembled.
 * Store in *reason, unless `reason` is NULL, why it is not one named before it, or NULL.  Local. */
const char *psb_cd_transport(const psb_desc *desc, const char **reason);

/* The same for sums over all processes into scalars on devices (psb_scal_new): "lsa", "lsa+nccl",
 * "nccl" or "staged"; "" on one process, and before the first scalar on a device.  Local. */
const char *psb_cd_sums_transport(const psb_desc *desc, const char **reason);

/* Return the bytes of memory that the descriptor occupies on this process. */
size_t psb_cd_bytes(const psb_desc *desc);

/* Write to `out`, on process 0, a table with a line for each process: rows, halo, neighbours, volume, bytes;
 * then how halos and sums on devices are exchanged, and why not faster, as far as that is decided.
 * Collective. */
PSB_MUST_CHECK psb_err psb_cd_print(const psb_desc *desc, FILE *out);
PSB_END_C
#endif
