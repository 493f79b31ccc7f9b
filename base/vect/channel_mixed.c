/* channel_mixed.c -- room: base/vect.  The transport lsa+nccl: lsa for the neighbours on the same host whose
 * memory can be mapped, messages between devices for the others, which land in the same buffers.
 *
 * One put stores the rows for near neighbours and packs those for far ones.  A put also sets the own flags of
 * far neighbours, so that an arrival waits for near ones only. */
#include "channel_parts.h"
#include "reduce.h"

static const char *refusal(const struct psb_device *on)
{
    const char *why = psb_transport_lsa.refusal(on);
    return why ? why : psb_transport_nccl.refusal(on);
}

/* Unless the transport is forced, pairs of both kinds are an obstacle if there are none of one kind. */
static psb_err count_pairs(const struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why)
{
    double near_far[2] = { 0 };
    for (int k = 0; k < c->n; k++)
        near_far[c->far[k]] = 1;
    PSB_TRY(psb_reduce(ctxt, PSB_JOIN_MAX, near_far, 2, PSB_OK));
    if (!c->forced && (near_far[0] == 0 || near_far[1] == 0))
        *why = near_far[1] == 0 ? PSB_ALL_NEAR : PSB_NONE_NEAR;
    return PSB_OK;
}

static psb_err open_mixed(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why)
{
    enum { LINE = 256 };
    const size_t flags = (psb_lsa_bytes(c) + LINE - 1) / LINE * LINE;
    c->packed = 2 * c->stride + flags;
    PSB_TRY(psb_lsa_connect(c, ctxt, flags + psb_mail_bytes(c), why));
    if (*why == PSB_NO_OBSTACLE)
        PSB_TRY(count_pairs(c, ctxt, why));
    return *why == PSB_NO_OBSTACLE ? PSB_PASS(psb_mail_open(c, ctxt, why)) : PSB_OK;
}

/* If the put fails, the caller refuses the exchange, and far neighbours are told then. */
static psb_err put(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed)
{
    if (!failed)
        PSB_TRY(psb_mail_check(c));
    psb_err e = psb_transport_lsa.put(c, out, failed);
    if (e != PSB_OK && !failed)
        return e;
    psb_err sent = psb_mail_send(c, out, (char *)c->block->p + c->packed, failed);
    return e == PSB_OK ? sent : e;
}

static psb_err arrive(struct psb_channel *c, int *status)
{
    psb_err e = psb_transport_nccl.arrive(c, status), near = psb_transport_lsa.arrive(c, status);
    return e == PSB_OK ? near : e;
}

static void close_mixed(struct psb_channel *c)
{
    psb_transport_lsa.close(c);
    psb_transport_nccl.close(c);
}

const struct psb_transport psb_transport_mixed = {
    .name = "lsa+nccl",
    .refusal = refusal,
    .open = open_mixed,
    .put = put,
    .arrive = arrive,
    .close = close_mixed,
};
