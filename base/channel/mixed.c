/* mixed.c -- base/channel: the transport lsa+nccl: lsa for the neighbours on the same host whose memory can
 * be mapped, messages between devices for the others, which land in the same buffers.
 *
 * One put stores the rows for near neighbours and packs those for far ones.  A put also sets the own flags of
 * far neighbours, so that an arrival waits for near ones only. */
#include "nccl_channel.h"
#include "coll.h"

static const char *refusal_of_either(const struct psb_device *on)
{
    const char *why = psb_transport_lsa.refusal(on);
    return why ? why : psb_transport_nccl.refusal(on);
}

static psb_err open_mixed(struct psb_channel *c, const struct psb_opening *o, enum psb_obstacle *why)
{
    enum { LINE = 256 };
    struct psb_nccl *m = (struct psb_nccl *)c;
    const size_t flags = (psb_lsa_bytes(&m->lsa) + LINE - 1) / LINE * LINE;
    m->lsa.packed = 2 * c->stride + flags;
    PSB_TRY(psb_lsa_connect(&m->lsa, o->ctxt, flags + psb_nccl_bytes(m), why));
    if (!*why) {
        /* Unless the transport is forced, it is an obstacle if all neighbours are near or all are far. */
        bool near_far[2] = { 0 };
        for (int k = 0; k < m->lsa.c.n; k++)
            near_far[m->lsa.far[k]] = true;
        PSB_TRY(psb_max(o->ctxt, 2, near_far, -1));
        if (!o->forced && !(near_far[0] && near_far[1]))
            *why = near_far[1] ? PSB_NONE_NEAR : PSB_ALL_NEAR;
    }
    return *why ? PSB_OK : psb_nccl_connect(m, o->ctxt, PSB_NO_OBSTACLE, why);
}

/* If the put fails, the caller refuses the exchange, and far neighbours are told then. */
static psb_err put_mixed(struct psb_channel *c, const struct psb_outgoing_rows *out, bool failed)
{
    struct psb_nccl *m = (struct psb_nccl *)c;
    if (!failed)
        PSB_TRY(psb_nccl_check(m));
    psb_err e = psb_transport_lsa.put(c, out, failed);
    if (e != PSB_OK && !failed)
        return e;
    psb_err sent = psb_nccl_send(m, out, (char *)c->block->p + m->lsa.packed, failed);
    return e == PSB_OK ? sent : e;
}

static psb_err arrive_mixed(struct psb_channel *c, int *status)
{
    psb_err e = psb_transport_nccl.arrive(c, status), near = psb_transport_lsa.arrive(c, status);
    return e == PSB_OK ? near : e;
}

const struct psb_transport psb_transport_mixed = {
    .name = "lsa+nccl",
    .size = sizeof(struct psb_nccl),
    .refusal = refusal_of_either,
    .open = open_mixed,
    .close = psb_nccl_close,
    .put = put_mixed,
    .arrive = arrive_mixed,
};
