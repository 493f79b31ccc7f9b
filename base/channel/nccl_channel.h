/* nccl_channel.h -- base/channel: channels in which devices send messages to far neighbours.
 *
 * Arrays of n elements are those of the far neighbours; neighbour j of them is neighbour of[j] of the
 * channel. The bytes of the block for messages hold the packed rows, then the numbers of a trial. */
#ifndef PSB_NCCL_H
#define PSB_NCCL_H
#include "lsa.h"
#include "handshake.h"

/* Where the rows of far neighbour j are: rows first[j] .. first[j] + count[j] - 1 of those packed, or of
 * those received. */
struct psb_far_rows {
    psb_ipk *first, *count;
};

struct psb_nccl {
    struct psb_lsa lsa; /* a put packs the rows for far neighbours, and stores those for near ones */
    int n, *of;
    void *group;
    struct psb_far_rows recv, send;
    struct psb_device_message *message;
    struct psb_handshake *handshake;
    enum psb_outcome *outcome; /* of the handshake */
    int *trial;                /* the numbers of the neighbours and of this process, sent once */
};

/* The bytes of the block for messages. */
size_t psb_nccl_bytes(const struct psb_nccl *m);

/* Make what messages to the neighbours in lsa.far need, and try it out.  here: what hinders this process so
 * far; *why is agreed on.  Collective. */
PSB_MUST_CHECK psb_err psb_nccl_connect(struct psb_nccl *m, psb_ctxt *ctxt, enum psb_obstacle here,
                                        enum psb_obstacle *why);

/* PSB_OK if messages can be exchanged now.  Called before anything of an exchange is sent. */
PSB_MUST_CHECK psb_err psb_nccl_check(const struct psb_nccl *m);

/* Exchange the rows that lie packed at `at` with the far neighbours, or tell them that this process failed.
 * The exchange is counted already.  Collective over neighbours. */
PSB_MUST_CHECK psb_err psb_nccl_send(struct psb_nccl *m, const struct psb_outgoing_rows *out, const char *at,
                                     bool failed);

/* Free what m has besides struct psb_channel. */
void psb_nccl_close(struct psb_channel *c);
#endif
