/* desc_inside.h -- base/desc: what other layers use of a descriptor: the plans of its exchanges, its users.
 */
#ifndef PSB_DESC_USED_H
#define PSB_DESC_USED_H
#include "coll.h"
#include "psb_desc.h"
#include "psb_dual.h"

/* The neighbours that an exchange sends to, or receives from: neighbour k has rank rank[k], and its elements
 * are start[k] .. start[k+1]-1. */
typedef struct psb_neighbours {
    int n;
    int *rank;
    psb_ipk *start;
} psb_neighbours;

/* The plan of a halo exchange: elements from neighbour k are received at local number nrow + recv.start[k]
 * and up; those sent to neighbour k have the local numbers idx[send.start[k]] .. idx[send.start[k+1]-1].
 * channel: makes the exchanges; NULL before the first vector is assembled, and where there is one process.
 * transport: what exchanges use, NULL before the first vector is assembled; why: why not one that is faster,
 * or "".  settled: a vector on a device has been assembled, so that the transport is final.  row: the largest
 * row of a vector so far, in bytes.  what: what is exchanged, for messages; NULL: halo rows. */
struct psb_halo {
    struct psb_neighbours recv, send;
    struct psb_dual idx;
    struct psb_channel *channel;
    void (*free_channel)(struct psb_channel *c);
    const char *transport;
    char why[480];
    int settled;
    size_t row;
    const char *what;
};

/* The exchange of a vector: none is started; under way in the channel; completed there as another one
 * started, or where there is nothing to exchange. */
enum psb_exchange_state { PSB_IDLE, PSB_UNDER_WAY, PSB_COMPLETED };

/* The kind of an exchange: on host or device arrays, from owners to halos (FORTH) or from halos to owners
 * (BACK). */
enum psb_way { PSB_ON_HOST = 0, PSB_ON_DEV = 1, PSB_FORTH = 0, PSB_BACK = 2 };

/* The rows owned here and by other processes, and the plan of their exchange, the same in both directions.
 * Shared row i is local row loc[i].  Its owners o, start[i] <= o < start[i+1], are in rank order; the value
 * of owner o is received at place[o], or is the local one where place[o] is -1.  counted: the ncounted local
 * rows that this process adds to sums over all processes; NULL: all rows.  lists: loc, start and place, one
 * after the other, for a device. */
struct psb_overlap {
    struct psb_halo plan;
    psb_ipk n;
    const psb_ipk *loc, *start;
    psb_ipk *place;
    psb_ipk ncounted;
    psb_ipk *counted;
    struct psb_dual lists;
};

/* The global columns, counted from 0, of the rows owned: row l has col[ptr[l]] .. col[ptr[l+1]-1]. */
struct psb_rows {
    psb_epk *ptr;
    psb_lpk *col;
};

/* Return what is wrong with state s of a matrix that should be assembled, for error messages.  Local. */
static inline const char *psb_not_assembled(enum psb_state s)
{
    return s == PSB_UPDATE ? "open for new values (psb_sprn)" : "not assembled";
}

/* psb_cdbldext for the pattern `own`.  Collective. */
PSB_MUST_CHECK psb_err psb_desc_extend(const psb_desc *desc, const struct psb_rows *own, int levels,
                                       enum psb_extension kind, psb_desc **ext);

/* Add a user, which psb_cdfree gives up; PSB_EARG, naming `argument`, where desc is NULL.  Local. */
psb_err psb_desc_hold(psb_desc *desc, const char *argument);
/* Give up one use of desc; the last one frees it.  NULL is fine.  Local. */
void psb_desc_release(psb_desc *desc);
/* Count one matrix or vector more (1) or less (-1) that relies on desc's final local numbers; NULL is fine.
 */
void psb_desc_add_dependent(psb_desc *desc, int one);
struct psb_halo *psb_desc_halo(psb_desc *desc);
/* The plan of sums over all processes that stay on devices; empty before psb_sums_make.  Local. */
struct psb_halo *psb_desc_sums(psb_desc *desc);
const struct psb_overlap *psb_desc_overlap(const psb_desc *desc);

/* Give a slot to each of ja[0..nz), global indices from 0, all in range; state BUILD.  A slot is the local
 * number of an owned index, and nrow and up, in order of insertion, for any other index in use.  After an
 * error some of ja may have a slot, which does no harm.  Local. */
PSB_MUST_CHECK psb_err psb_desc_use(psb_desc *desc, psb_epk nz, const psb_lpk *ja);
/* Return the final local number of a slot of an assembled descriptor.  Local. */
psb_ipk psb_desc_slot_to_loc(const psb_desc *desc, psb_ipk slot);
/* PSB_EARG unless g, element k of the argument `name`, is in range, counted from psb_index_base().  Local. */
PSB_MUST_CHECK psb_err psb_desc_check_one(const psb_desc *desc, psb_epk k, psb_lpk g, const char *name);
/* The same for g[0..n), the argument `name`.  Local. */
PSB_MUST_CHECK psb_err psb_desc_check(const psb_desc *desc, psb_epk n, const psb_lpk *g, const char *name);
/* inverse[perm[i]] = i, 0 <= i < n; PSB_EARG, naming the argument perm, unless perm is a permutation.  Local.
 */
PSB_MUST_CHECK psb_err psb_perm_inverse(psb_ipk n, const psb_ipk *perm, psb_ipk *inverse);
/* PSB_ENOTIMPL if rows, of any process, have several owners.  Local; the same on all processes. */
PSB_MUST_CHECK psb_err psb_desc_single_owners(const psb_desc *desc);

/* Do the local numbers of the rows owned here ascend with their global indices?  Local. */
bool psb_desc_ascends(const psb_desc *d);
#endif
