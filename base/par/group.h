/* group.h -- base/par: items grouped by process, in memory proportional to the number of items. */
#ifndef PSB_GROUP_H
#define PSB_GROUP_H
#include "coll.h"

/* The items of group k, all of process rank[k], are order[start[k]] .. order[start[k+1]-1]. */
struct psb_group {
    int n;     /* groups */
    int *rank; /* ascending */
    psb_ipk *start;
    psb_ipk *order;
};

/* Group items 0 .. n-1, where item i belongs to process rank[i] >= 0; the items of a group keep their order.
 * Freed by psb_group_free, also after an error.  Local.  Method: radix sort, O(n) time and memory for any
 * number of processes. */
PSB_MUST_CHECK psb_err psb_group_by(struct psb_group *g, psb_ipk n, const int *rank);
void psb_group_free(struct psb_group *g);

/* Copy records of `size` bytes, all[i] of item i, by group to *packed, and describe one message for each
 * group in *msg.  Both are freed by psb_free.  Local. */
PSB_MUST_CHECK psb_err psb_group_pack(const struct psb_group *g, const void *all, size_t size, void *packed,
                                      struct psb_msg **msg);

/* Send record i of all[0..n), `size` bytes each, to process rank[i], and receive (*in)[0..*nin), freed by
 * psb_msgs_free: one message from each sender, in rank order, its records in their order.  err: an earlier
 * error of this process.  After an error, on all processes, there are none.  Collective. */
PSB_MUST_CHECK psb_err psb_deal(psb_ctxt *ctxt, psb_err err, psb_ipk n, const int *rank, const void *all,
                                size_t size, struct psb_msg **in, int *nin);
#endif
