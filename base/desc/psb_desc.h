/* psb_desc.h -- room: base/desc.  The descriptor: who owns which global row, who needs what from whom.
 *
 * Local numbers: the rows owned here come first, 0 .. nrow-1; behind them the halo, the indices this
 * process uses but others own, grouped by owner in rank order and sorted within.  A row may be owned by
 * several processes (overlap); its halo values come from the lowest.  A descriptor goes BUILD -> ASSEMBLED;
 * the halo is known, and final, after psb_cdasb.  A process that passes NULL for the only argument that
 * leads to the others, context or descriptor, fails alone, and in a collective call they may wait for it.
 *
 * Global indices that cross these calls, and those of matrices and vectors, count from psb_index_base():
 * "0 <= g < n" reads "1 <= g < n + 1" after psb_set_index_base(1). */
#ifndef PSB_DESC_H
#define PSB_DESC_H
#include "psb_ctxt.h"
#include "psb_dual.h"
#include "psb_index.h"
#include <stdio.h>

enum psb_state { PSB_NULL, PSB_BUILD, PSB_ASSEMBLED, PSB_UPDATE };

typedef struct psb_desc psb_desc;

/* --- making ----------------------------------------------------------------------------------------- */

/* A descriptor in which this process owns nl >= 0 consecutive rows, processes in rank order.  Freed by
 * psb_cdfree.  Collective.  On any error no process has one. */
PSB_MUST_CHECK psb_err psb_cdall_nl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl);

/* A descriptor of ng rows, row i owned by process vg[i]; vg has ng elements, the same on all processes.
 * PSB_EARG where a process would own 2^31 or more.  Collective; the only call that takes an array of global
 * length. */
PSB_MUST_CHECK psb_err psb_cdall_vg(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, const int *vg);

/* A descriptor in which this process owns the rows vl[0..nl), any order, which becomes the local order,
 * none twice.  The lists of all processes together are 0 .. N-1, each index in one list at least; rows in
 * several are overlapped.  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_vl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl);

/* The same where row vl[k] has the local number lidx[k]: lidx is a permutation of 0 .. nl-1.  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_vl_lidx(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl,
                                         const psb_ipk *lidx);

/* A descriptor of n >= 0 rows, the same on all processes, that every process owns.  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_repl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk n);

/* Says who owns global row g of n: stores 1 <= nv <= np processes, each once, in pv[0..nv) and returns nv. */
typedef int (*psb_parts)(psb_lpk g, psb_lpk n, int np, int *pv, void *arg);

/* A descriptor of ng rows owned by whom `parts` says, which is called for each row, in order, with `arg`, and
 * must say the same on all processes.  PSB_EARG where a process would own 2^31 or more.  Time O(ng), memory
 * O(local rows).  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_parts(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, psb_parts parts,
                                       void *arg);

/* Who owns which row, in one of five ways; what belongs to the others stays 0. */
struct psb_cdall_how {
    psb_ipk nl;          /* alone: as psb_cdall_nl; with vl: its length */
    const psb_lpk *vl;   /* as psb_cdall_vl, or with lidx as psb_cdall_vl_lidx */
    const psb_ipk *lidx; /* NULL: the order of vl */
    psb_lpk ng;          /* global rows, with vg, parts and repl */
    const int *vg;       /* as psb_cdall_vg */
    psb_parts parts;     /* as psb_cdall_parts, with arg */
    void *arg;
    int repl; /* not 0: as psb_cdall_repl */
};

/* The same as the call that `how` chooses: psb_cdall(&desc, ctxt, &(struct psb_cdall_how){ .nl = n }).  None
 * of the ways given, or more than one, on all processes together, is PSB_EARG and names them.  A process that
 * gives none has no rows, where others give nl or vl.  (Of no rows at all: psb_cdall_nl.)  Collective. */
PSB_MUST_CHECK psb_err psb_cdall(psb_desc **desc, psb_ctxt *ctxt, const struct psb_cdall_how *how);

/* A descriptor in BUILD with the rows of `like` where they lie there, and no halo.  Local. */
PSB_MUST_CHECK psb_err psb_cdall_like(psb_desc **desc, const psb_desc *like);

/* A copy of a descriptor, in its state, that nobody uses yet.  Local. */
PSB_MUST_CHECK psb_err psb_cdcpy(psb_desc **copy, const psb_desc *desc);

/* Say that row ia[k] uses index ja[k], for k < nz; rows owned elsewhere are ignored.  ia NULL: this
 * process uses every ja[k].  State BUILD.  An index out of range is an error that names it, and nothing
 * is inserted.  Local. */
PSB_MUST_CHECK psb_err psb_cdins(psb_desc *desc, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja);

/* Find the owner of every halo index and make the plan of the exchange; state BUILD -> ASSEMBLED.
 * Collective. */
PSB_MUST_CHECK psb_err psb_cdasb(psb_desc *desc);

/* Back to BUILD, so that the halo may grow; what was inserted stays.  An error where an assembled matrix or
 * vector relies on the local numbers.  Collective. */
PSB_MUST_CHECK psb_err psb_cd_reinit(psb_desc *desc);

/* Give up a descriptor; what was built on it keeps it alive until freed too.  NULL is fine.  Local. */
void psb_cdfree(psb_desc *desc);

/* How psb_cdbldext extends a descriptor: its halo reaches further, or rows of others become its own too
 * (overlap, for additive Schwarz methods). */
enum psb_extension { PSB_EXT_HALO, PSB_EXT_OVERLAP };

/* What psb_ovrl makes of rows that several own: nothing; the sum over the owners; the sum divided by their
 * number, or by its square root; the sum with the lowest owner, 0 with the others. */
enum psb_ovrl { PSB_OVRL_NONE, PSB_OVRL_SUM, PSB_OVRL_AVG, PSB_OVRL_SQRT, PSB_OVRL_ZERO };

/* --- queries: local, but for psb_cd_owners and psb_cd_print; what returns no psb_err says of NULL 0, "",
 * NULL, PSB_NULL or -1 for no number ----------------------------------------------------------------- */

/* Rows owned; local columns, owned and halo (final once assembled); global rows. */
psb_ipk psb_cd_local_rows(const psb_desc *desc);
psb_ipk psb_cd_local_cols(const psb_desc *desc);
psb_lpk psb_cd_global_rows(const psb_desc *desc);
enum psb_state psb_cd_state(const psb_desc *desc);
psb_ctxt *psb_cd_ctxt(const psb_desc *desc);

/* How rows are looked up: "block", "list", "hash" or "replicated". */
const char *psb_cd_kind(const psb_desc *desc);
int psb_cd_is_replicated(const psb_desc *desc);

/* Is global row g owned here? */
int psb_is_owned(const psb_desc *desc, psb_lpk g);

/* The local number of a global index, -1 where this process neither owns nor uses it (or, before
 * psb_cdasb, does not own it). */
psb_ipk psb_glob_to_loc(const psb_desc *desc, psb_lpk g);

/* The global index of local number 0 <= l < local columns of an assembled descriptor, -1 out of that
 * range. */
psb_lpk psb_loc_to_glob(const psb_desc *desc, psb_ipk l);

/* The same for arrays of n: l[k] or g[k] becomes -1 where there is none. */
PSB_MUST_CHECK psb_err psb_glob_to_loc_n(const psb_desc *desc, psb_epk n, const psb_lpk *g, psb_ipk *l);
PSB_MUST_CHECK psb_err psb_loc_to_glob_n(const psb_desc *desc, psb_epk n, const psb_ipk *l, psb_lpk *g);

/* How many indices of a kind there are here, once assembled (rows owned: always), and which, as local
 * numbers that ascend, in list[0..*n); list NULL: how many.  PSB_CD_BOUNDARY: rows owned here that are in
 * another's halo; PSB_CD_OVERLAP: rows that others own too. */
enum psb_cd_indices { PSB_CD_OWNED, PSB_CD_HALO, PSB_CD_BOUNDARY, PSB_CD_OVERLAP };
PSB_MUST_CHECK psb_err psb_cd_list(const psb_desc *desc, enum psb_cd_indices kind, psb_ipk *n, psb_ipk *list);

/* The processes this one exchanges halo elements with, ascending, in rank[0..*n); rank NULL: how many. */
PSB_MUST_CHECK psb_err psb_cd_neighbours(const psb_desc *desc, int *n, int *rank);

/* Elements this process sends and receives in one halo exchange, and with how many neighbours; any may be
 * NULL.  All 0 before psb_cdasb. */
void psb_cd_volume(const psb_desc *desc, psb_ipk *sent, psb_ipk *received, int *neighbours);

/* owner[k]: who owns global index g[k], k < n; the lowest of several, this process for a replicated
 * descriptor.  Collective. */
PSB_MUST_CHECK psb_err psb_cd_owners(const psb_desc *desc, psb_ipk n, const psb_lpk *g, int *owner);

/* Bytes of memory this process spends on the descriptor. */
size_t psb_cd_bytes(const psb_desc *desc);

/* Write to `out`, on process 0, a table with a line a process: rows, halo, neighbours, volume, bytes.
 * Collective. */
PSB_MUST_CHECK psb_err psb_cd_print(const psb_desc *desc, FILE *out);

/* --- inside base ---------------------------------------------------------------------------------- */

/* One side of an exchange: neighbour k's elements are start[k] .. start[k+1]-1. */
struct psb_neighbours {
    int n;
    int *rank;
    psb_ipk *start;
};

/* Halo elements arrive in place, from nrow + recv.start[k] on; those sent are idx[send.start[k] ..]. */
struct psb_halo {
    struct psb_neighbours recv, send;
    struct psb_dual idx;
};

/* The exchange of rows owned by several, by a plan that is the same both ways.  Shared row i is local row
 * loc[i]; the value of its owner number o, start[i] <= o < start[i+1], in rank order, is what was received at
 * place[o], or the one here where that is -1.  counted: the local rows that count here in a sum over all;
 * NULL: all do. */
struct psb_overlap {
    struct psb_halo plan;
    psb_ipk n;
    const psb_ipk *loc, *start;
    psb_ipk *place;
    psb_ipk ncounted;
    psb_ipk *counted;
};

/* The global columns, from 0, of the rows owned: those of row l are col[ptr[l]] .. col[ptr[l+1]-1]. */
struct psb_rows {
    psb_epk *ptr;
    psb_lpk *col;
};

/* psb_cdbldext for whoever has such a pattern.  Collective. */
PSB_MUST_CHECK psb_err psb_desc_extend(const psb_desc *desc, const struct psb_rows *own, int levels,
                                       enum psb_extension kind, psb_desc **ext);

/* Add a user, which psb_cdfree gives up; PSB_EARG, naming `argument`, where desc is NULL.  Local. */
psb_err psb_desc_hold(psb_desc *desc, const char *argument);
/* Count one matrix or vector more (1) or less (-1) that relies on desc's final local numbers; NULL is fine. */
void psb_desc_add_dependent(psb_desc *desc, int one);
struct psb_halo *psb_desc_halo(psb_desc *desc);
const struct psb_overlap *psb_desc_overlap(const psb_desc *desc);

/* Give a slot to each of ja[0..nz), global indices from 0, all in range; state BUILD.  A slot is the local
 * number of an owned index, and nrow and up, in order of insertion, for any other index in use.  After an
 * error some of ja may have a slot, which does no harm.  Local. */
PSB_MUST_CHECK psb_err psb_desc_use(psb_desc *desc, psb_epk nz, const psb_lpk *ja);
/* The final local number of a slot of an assembled descriptor. */
psb_ipk psb_desc_slot_to_loc(const psb_desc *desc, psb_ipk slot);
/* Check that g, element k of the argument `name`, which counts from psb_index_base(), is in range. */
PSB_MUST_CHECK psb_err psb_desc_check_one(const psb_desc *desc, psb_epk k, psb_lpk g, const char *name);
/* Check that g[0..n), which count from psb_index_base(), are in range; `name` is the argument's. */
PSB_MUST_CHECK psb_err psb_desc_check(const psb_desc *desc, psb_epk n, const psb_lpk *g, const char *name);
#endif
