/* psb_desc.h -- room: base.  The descriptor: who owns which global row, who needs what from whom.
 *
 * Local numbers: the rows owned here come first, 0 .. nrow-1; behind them the halo, the indices this
 * process uses but others own, grouped by owner in rank order and sorted within.  A descriptor goes
 * BUILD -> ASSEMBLED; the halo is known, and final, after psb_cdasb. */
#ifndef PSB_DESC_H
#define PSB_DESC_H
#include "psb_ctxt.h"
#include "psb_dual.h"

enum psb_state { PSB_NULL, PSB_BUILD, PSB_ASSEMBLED };

typedef struct psb_desc psb_desc;

/* A descriptor in which this process owns nl >= 0 consecutive rows, processes in rank order.  Freed by
 * psb_cdfree.  Collective.  On any error no process has one. */
PSB_MUST_CHECK psb_err psb_cdall_nl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl);

/* A descriptor of ng rows, row i owned by process vg[i]; vg has ng elements, the same on all processes.
 * Collective; the only call that takes an array of global length. */
PSB_MUST_CHECK psb_err psb_cdall_vg(psb_desc **desc, psb_ctxt *ctxt, psb_lpk ng, const int *vg);

/* A descriptor in which this process owns the rows vl[0..nl), any order, which becomes the local order;
 * the lists of all processes together are 0 .. N-1, each index once.  Collective. */
PSB_MUST_CHECK psb_err psb_cdall_vl(psb_desc **desc, psb_ctxt *ctxt, psb_ipk nl, const psb_lpk *vl);

/* Say that row ia[k] uses index ja[k], for k < nz; rows owned elsewhere are ignored.  ia NULL: this
 * process uses every ja[k].  State BUILD.  An index out of range is an error that names it, and nothing
 * is inserted.  Local. */
PSB_MUST_CHECK psb_err psb_cdins(psb_desc *desc, psb_epk nz, const psb_lpk *ia, const psb_lpk *ja);

/* Find the owner of every halo index and make the plan of the exchange; state BUILD -> ASSEMBLED.
 * Collective. */
PSB_MUST_CHECK psb_err psb_cdasb(psb_desc *desc);

/* Give up a descriptor; what was built on it keeps it alive until freed too.  NULL is fine.  Local. */
void psb_cdfree(psb_desc *desc);

/* Queries.  Local.  Rows owned; local columns, owned and halo (final once assembled); global rows. */
psb_ipk psb_cd_local_rows(const psb_desc *desc);
psb_ipk psb_cd_local_cols(const psb_desc *desc);
psb_lpk psb_cd_global_rows(const psb_desc *desc);
enum psb_state psb_cd_state(const psb_desc *desc);
psb_ctxt *psb_cd_ctxt(const psb_desc *desc);

/* Is global row g owned here?  Local. */
int psb_is_owned(const psb_desc *desc, psb_lpk g);

/* The local number of a global index, -1 where this process neither owns nor uses it (or, before
 * psb_cdasb, does not own it).  Local. */
psb_ipk psb_glob_to_loc(const psb_desc *desc, psb_lpk g);

/* The global index of local number 0 <= l < local columns of an assembled descriptor, -1 out of that
 * range.  Local. */
psb_lpk psb_loc_to_glob(const psb_desc *desc, psb_ipk l);

/* Elements this process sends and receives in one halo exchange, and with how many neighbours; any may be
 * NULL.  All 0 before psb_cdasb.  Local. */
void psb_cd_volume(const psb_desc *desc, psb_ipk *sent, psb_ipk *received, int *neighbours);

/* --- inside base ---------------------------------------------------------------------------------- */

/* One side of an exchange: neighbour k's elements are start[k] .. start[k+1]-1. */
struct psb_side_plan {
    int n;
    int *rank;
    psb_ipk *start;
};

/* Halo elements arrive in place, from nrow + recv.start[k] on; those sent are idx[send.start[k] ..]. */
struct psb_halo {
    struct psb_side_plan recv, send;
    struct psb_dual idx;
};

psb_err psb_desc_hold(psb_desc *desc, const char *argument); /* one more user; checks it is not NULL */
struct psb_halo *psb_desc_halo(psb_desc *desc);

/* While in BUILD an index in use has a slot: owned ones their local number, others nrow and up in order of
 * insertion; -1 for one not in use. */
psb_ipk psb_desc_slot(const psb_desc *desc, psb_lpk g);
/* Give a slot to each ja[k] of rows ia[k] that `row` owns (ia NULL: to each); indices are in range, state
 * BUILD. On error some have one; no harm. */
PSB_MUST_CHECK psb_err psb_desc_use(psb_desc *desc, const psb_desc *row, psb_epk nz, const psb_lpk *ia,
                                    const psb_lpk *ja);
/* The final local number of a slot of an assembled descriptor. */
psb_ipk psb_desc_slot_to_loc(const psb_desc *desc, psb_ipk slot);
#endif
