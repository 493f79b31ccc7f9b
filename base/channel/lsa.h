/* lsa.h -- base/channel: channels in which devices store rows into each other's memory.
 *
 * The block of a channel holds two landing buffers of `stride` bytes each, in which rows land in turn, then
 * psb_lsa_bytes for flags, and from byte `packed` on what messages need (nccl_channel.h). */
#ifndef PSB_LSA_H
#define PSB_LSA_H
#include "transport.h"

struct psb_lsa {
    struct psb_channel c;
    unsigned started; /* exchanges */
    struct psb_channel_counts *counts;
    struct psb_peer *peer[PSB_DIRS]; /* on the device, for puts */
    psb_ipk begin[PSB_DIRS];         /* see psb_row_put */
    bool *far;                       /* for each neighbour: do messages take rows to it?  else puts */
    size_t packed;                   /* byte of the block where rows for messages are packed; 0: for none */
};

/* Count an exchange, and let its rows land in the other buffer.  Local. */
static inline void psb_lsa_count(struct psb_lsa *l)
{
    l->started++;
    l->c.landed = (char *)l->c.block->p + (l->started & 1) * l->c.stride;
}

/* The bytes for flags. */
size_t psb_lsa_bytes(const struct psb_lsa *l);

/* Take the block with `more` bytes after the landing buffers, the counters, all 0, and `far`.  Local. */
PSB_MUST_CHECK psb_err psb_lsa_memory(struct psb_lsa *l, size_t more);

/* Connect l with its neighbours, for puts and arrivals; its block gets `more` bytes after the landing
 * buffers.  If l->packed is set, a neighbour that is out of reach is no obstacle: l->far tells which, the
 * same on both sides, and a put packs the rows for it.  *why is agreed on.  Collective. */
PSB_MUST_CHECK psb_err psb_lsa_connect(struct psb_lsa *l, psb_ctxt *ctxt, size_t more,
                                       enum psb_obstacle *why);
#endif
