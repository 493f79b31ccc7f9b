/* channel_nccl.c -- room: base/vect.  The transport nccl: devices send each other packed rows, in the order
 * of their streams.
 *
 * Such a message cannot be refused, since its sender and its receiver have to know its length.  So neighbours
 * first agree by MPI how long their rows are, or hear that one failed (handshake.h); then every pair that
 * agreed sends.  The host waits for the neighbours' hosts to start the exchange, not for any device. */
#include "channel_inside.h"
#include "channel_parts.h"
#include "ctxt.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include "psb_twosided.h"
#include "handshake.h"

/* Where the rows of far neighbour j are: rows first[j] .. first[j] + count[j] - 1 of those packed, or of
 * those received. */
struct side {
    psb_ipk *first, *count;
};

/* Arrays of n elements are those of the far neighbours; neighbour j of them is neighbour of[j] of the
 * channel.
 */
struct psb_mail {
    int n, *of;
    void *group;
    struct side recv, send;
    struct psb_device_message *message;
    struct psb_handshake *handshake;
    enum psb_outcome *outcome; /* of the handshake */
    int *trial;                /* the numbers of the neighbours and of this process, sent once */
};

static const char *refusal(const struct psb_device *on)
{
    return !on->twosided || !on->onesided ? "the device has no messages of its own"
                                          : on->twosided->obstacle();
}

/* --- opening -------------------------------------------------------------------------------------------- */

static int rank_of(const struct psb_channel *c, int j)
{
    return c->rank[c->mail->of[j]];
}

/* The place of the numbers of a trial in the block. */
static size_t trial_at(const struct psb_channel *c)
{
    return c->packed + c->stride;
}

size_t psb_mail_bytes(const struct psb_channel *c)
{
    return c->stride + ((size_t)c->n + 1) * sizeof *c->mail->trial;
}

static psb_err fill_side(struct side *s, const struct psb_channel *c, const struct psb_neighbours *of)
{
    const struct psb_mail *m = c->mail;
    PSB_TRY(psb_alloc_zero(&s->first, (size_t)m->n, sizeof *s->first, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->count, (size_t)m->n, sizeof *s->count, "halo channel"));
    for (int j = 0; j < m->n; j++) {
        const int i = psb_position(of, rank_of(c, j));
        if (i == of->n)
            continue;
        s->first[j] = of->start[i];
        s->count[j] = of->start[i + 1] - of->start[i];
    }
    return PSB_OK;
}

/* List the far neighbours. */
static psb_err list_far(const struct psb_channel *c, struct psb_mail *m)
{
    PSB_TRY(psb_alloc(&m->of, (size_t)c->n, sizeof *m->of, "halo channel"));
    for (int k = 0; k < c->n; k++)
        if (c->far[k])
            m->of[m->n++] = k;
    return PSB_OK;
}

/* Make the handshake with the far neighbours; their ranks are listed in the memory for the trial.  After 1024
 * channels the tag is that of an earlier one, to which a process that failed may have sent messages in vain.
 */
static psb_err make_handshake(struct psb_channel *c, psb_ctxt *ctxt, int tag)
{
    struct psb_mail *m = c->mail;
    for (int j = 0; j < m->n; j++)
        m->trial[j] = rank_of(c, j);
    return psb_handshake_new(ctxt->inner, tag, (unsigned long long)ctxt->channels << 32, m->n, m->trial,
                             &m->handshake);
}

static psb_err allocate(struct psb_channel *c, psb_ctxt *ctxt, int tag)
{
    struct psb_mail *m;
    int me;
    psb_info(ctxt, &me, NULL);
    PSB_TRY(psb_alloc_zero(&c->mail, 1, sizeof *c->mail, "halo channel"));
    m = c->mail;
    PSB_TRY(list_far(c, m));
    const size_t n = (size_t)m->n;
    PSB_TRY(fill_side(&m->recv, c, &c->h->recv));
    PSB_TRY(fill_side(&m->send, c, &c->h->send));
    PSB_TRY(psb_alloc_zero(&m->message, n, sizeof *m->message, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->outcome, n, sizeof *m->outcome, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->trial, n + 1, sizeof *m->trial, "halo channel"));
    PSB_TRY(make_handshake(c, ctxt, tag));
    m->trial[n] = me;
    return psb_put(c->on, (char *)c->block->p + trial_at(c), m->trial, (n + 1) * sizeof *m->trial,
                   "halo channel");
}

/* Each process sends its number to all far neighbours, through memory of the device. */
static psb_err try_out(struct psb_channel *c)
{
    struct psb_mail *m = c->mail;
    const size_t n = (size_t)m->n, size = sizeof *m->trial;
    int *there = (int *)(void *)((char *)c->block->p + trial_at(c));
    for (int j = 0; j < m->n; j++)
        m->message[j] = (struct psb_device_message){ rank_of(c, j), there + n, size, there + j, size };
    PSB_TRY(c->on->twosided->exchange(m->group, m->message, m->n, c->seconds));
    PSB_TRY(c->on->twosided->complete(m->group));
    PSB_TRY(psb_get(c->on, m->trial, there, n * size, "halo channel"));
    for (int j = 0; j < m->n; j++)
        PSB_CHECK(m->trial[j] == rank_of(c, j), PSB_EMPI, "process %d sent %d", rank_of(c, j), m->trial[j]);
    return PSB_OK;
}

psb_err psb_mail_open(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why)
{
    const int tag = psb_next_channel_tag(ctxt);
    if (*why == PSB_NO_OBSTACLE && allocate(c, ctxt, tag) != PSB_OK)
        *why = PSB_NO_MEMORY;
    PSB_TRY(psb_agree_on_obstacle(ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    *why = c->on->twosided->join(ctxt->comm, c->seconds, &c->mail->group) == PSB_OK ? PSB_NO_OBSTACLE
                                                                                    : PSB_NO_GROUP;
    PSB_TRY(psb_agree_on_obstacle(ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    *why = try_out(c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_TRIAL_FAILED;
    return PSB_PASS(psb_agree_on_obstacle(ctxt, why));
}

/* The rows are packed by a put with one peer: this process, after what messages need in its block. */
static psb_err put_self(struct psb_channel *c)
{
    char *const packed = (char *)c->block->p + c->packed;
    unsigned *const flag = (unsigned *)(void *)(packed + psb_mail_bytes(c));
    const struct psb_peer p[2] = { { .landing = { packed, packed }, .flag = { flag, flag } },
                                   { .first = psb_neighbour_rows(&c->h->send) } };
    PSB_TRY(c->on->alloc((void **)&c->peer[PSB_DIR_FORTH], sizeof p, "halo channel"));
    return psb_put(c->on, c->peer[PSB_DIR_FORTH], p, sizeof p, "halo channel");
}

/* All neighbours are far. */
static psb_err prepare(struct psb_channel *c)
{
    for (int k = 0; k < c->n; k++)
        c->far[k] = 1;
    c->packed = 2 * c->stride;
    PSB_TRY(psb_channel_memory(c, psb_mail_bytes(c) + sizeof(unsigned)));
    return put_self(c);
}

static psb_err open_nccl(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why)
{
    *why = prepare(c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    return psb_mail_open(c, ctxt, why);
}

static void free_side(struct side *s)
{
    psb_free(s->first);
    psb_free(s->count);
}

static void close_nccl(struct psb_channel *c)
{
    struct psb_mail *m = c->mail;
    if (!m)
        return;
    psb_free(m->of);
    free_side(&m->recv);
    free_side(&m->send);
    psb_free(m->message);
    psb_handshake_free(m->handshake);
    psb_free(m->outcome);
    psb_free(m->trial);
    psb_free(m);
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

/* Where the rows to send lie: where the caller has them, or packed. */
static psb_err pack(struct psb_channel *c, const struct psb_outgoing_rows *out, const char **at)
{
    struct psb_row_put job = { .peer = c->peer[PSB_DIR_FORTH],
                               .n = 1,
                               .rows = psb_neighbour_rows(&c->h->send),
                               .row = out->row,
                               .from = out->from,
                               .counts = c->counts };
    *at = out->from;
    if (out->back || out->packed || !out->from)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&c->h->idx, PSB_DEV, &job.idx));
    PSB_TRY(c->on->onesided->put(&job));
    *at = (char *)c->block->p + c->packed;
    return PSB_OK;
}

/* Neighbour k has failed, or has not come.  A device may store another failure in *status later, so the
 * channel is broken from now on. */
static void record(struct psb_channel *c, int k, int late)
{
    if (*c->status == 0)
        *c->status = late ? -(k + 1) : k + 1;
    c->broken |= late;
}

/* Exchange rows with the far neighbours that agreed; record the first that did not. */
static psb_err exchange_rows(struct psb_channel *c, const struct psb_outgoing_rows *out, const char *at)
{
    struct psb_mail *m = c->mail;
    const struct side *from = out->back ? &m->send : &m->recv, *to = out->back ? &m->recv : &m->send;
    int n = 0;
    for (int j = 0; j < m->n; j++) {
        if (m->outcome[j] != PSB_AGREED) {
            record(c, m->of[j], m->outcome[j] == PSB_LATE);
            continue;
        }
        m->message[n++] =
            (struct psb_device_message){ .rank = rank_of(c, j),
                                         .out = at ? at + (size_t)to->first[j] * out->row : NULL,
                                         .out_bytes = (size_t)to->count[j] * out->row,
                                         .in = psb_landing(c) + (size_t)from->first[j] * out->row,
                                         .in_bytes = (size_t)from->count[j] * out->row };
    }
    /* A neighbour that agreed may be in its handshake with others for twice c->seconds. */
    return n ? c->on->twosided->exchange(m->group, m->message, n, 3 * c->seconds) : PSB_OK;
}

psb_err psb_mail_check(const struct psb_channel *c)
{
    if (c->mail->n == 0)
        return PSB_OK;
    return PSB_PASS(c->on->twosided->check_open(c->mail->group));
}

psb_err psb_mail_send(struct psb_channel *c, const struct psb_outgoing_rows *out, const char *at, int failed)
{
    struct psb_mail *m = c->mail;
    if (failed)
        return PSB_PASS(psb_handshake_refuse(m->handshake));
    psb_err e = psb_handshake(m->handshake, 1 + (unsigned long long)out->row, c->seconds, m->outcome);
    if (e == PSB_OK)
        e = exchange_rows(c, out, at);
    c->broken |= e != PSB_OK;
    return PSB_PASS(e);
}

static psb_err put(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed)
{
    const char *at = NULL;
    if (!failed) {
        PSB_TRY(psb_mail_check(c));
        PSB_TRY(pack(c, out, &at));
    }
    c->started++;
    c->landed = psb_landing(c);
    return psb_mail_send(c, out, at, failed);
}

static psb_err arrive(struct psb_channel *c, int *status)
{
    (void)status; /* set when the exchange started */
    psb_err e = c->on->twosided->complete(c->mail->group);
    c->broken |= e != PSB_OK;
    return e;
}

const struct psb_transport psb_transport_nccl = {
    .name = "nccl",
    .refusal = refusal,
    .open = open_nccl,
    .put = put,
    .arrive = arrive,
    .close = close_nccl,
};
