/* group.h -- room: base/par.  Things sorted by the process they belong to, in memory of their own number. */
#ifndef PSB_GROUP_H
#define PSB_GROUP_H
#include "psb_ctxt.h"

/* The things of group k, all of process rank[k], are order[start[k]] .. order[start[k+1]-1]. */
struct psb_group {
    int n;
    int *rank; /* ascending */
    psb_ipk *start;
    psb_ipk *order;
};

/* Group 0..n-1 by the process rank[i] >= 0 each belongs to; within a group they keep their order.  Freed by
 * psb_group_free, also after an error.  Local.  Method: radix sort, so O(n) time and memory whatever the
 * number of processes. */
PSB_MUST_CHECK psb_err psb_group_by(struct psb_group *g, psb_ipk n, const int *rank);
void psb_group_free(struct psb_group *g);

/* Records of `size` bytes, all[i] of thing i, laid out by group in *packed (freed by psb_free), and one
 * message a group in *msg (freed by psb_free).  Local. */
PSB_MUST_CHECK psb_err psb_group_pack(const struct psb_group *g, const void *all, size_t size, void *packed,
                                      struct psb_msg **msg);
#endif
