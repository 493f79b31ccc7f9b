/* nccl.c -- base/channel: the transport nccl: devices send each other packed rows, in the order of their
 * streams.
 *
 * Such a message cannot be refused, since its sender and its receiver have to know its length.  So neighbours
 * first agree by MPI how long their rows are, or hear that one failed (handshake.h); then every pair that
 * agreed sends.  The host waits for the neighbours' hosts to start the exchange, not for any device. */
#include "nccl_channel.h"
#include "ctxt.h"
#include "psb_alloc.h"
#include "psb_twosided.h"

static const char *refusal_of_nccl(const struct psb_device *on)
{
    return !on->twosided || !on->onesided ? "the device has no messages of its own"
                                          : on->twosided->obstacle();
}

/* --- opening -------------------------------------------------------------------------------------------- */

size_t psb_nccl_bytes(const struct psb_nccl *m)
{
    return m->lsa.c.stride + ((size_t)m->lsa.c.n + 1) * sizeof *m->trial;
}

/* The rank of far neighbour j. */
static int rank_of(const struct psb_nccl *m, int j)
{
    return m->lsa.c.rank[m->of[j]];
}

/* The numbers of a trial in the block. */
static int *trial_at(const struct psb_nccl *m)
{
    return (int *)(void *)((char *)m->lsa.c.block->p + m->lsa.packed + m->lsa.c.stride);
}

static psb_err fill_far_rows(struct psb_far_rows *s, const struct psb_nccl *m,
                             const struct psb_neighbours *of)
{
    PSB_TRY(psb_alloc_zero(&s->first, (size_t)m->n, sizeof *s->first, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->count, (size_t)m->n, sizeof *s->count, "halo channel"));
    for (int j = 0; j < m->n; j++) {
        const int i = psb_position(of, rank_of(m, j));
        if (i == of->n)
            continue;
        s->first[j] = of->start[i];
        s->count[j] = of->start[i + 1] - of->start[i];
    }
    return PSB_OK;
}

/* The ranks of a handshake are listed in the memory for the trial.  After 1024 channels the tag is that of an
 * earlier one, to which a process that failed may have sent messages in vain. */
static psb_err alloc_nccl(struct psb_nccl *m, psb_ctxt *ctxt, int tag)
{
    const struct psb_channel *c = &m->lsa.c;
    PSB_TRY(psb_alloc(&m->of, (size_t)c->n, sizeof *m->of, "halo channel"));
    for (int k = 0; k < c->n; k++)
        if (m->lsa.far[k])
            m->of[m->n++] = k;
    const size_t n = (size_t)m->n;
    PSB_TRY(fill_far_rows(&m->recv, m, &c->h->recv));
    PSB_TRY(fill_far_rows(&m->send, m, &c->h->send));
    PSB_TRY(psb_alloc_zero(&m->message, n, sizeof *m->message, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->outcome, n, sizeof *m->outcome, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->trial, n + 1, sizeof *m->trial, "halo channel"));
    for (int j = 0; j < m->n; j++)
        m->trial[j] = rank_of(m, j);
    psb_info(ctxt, &m->trial[n], NULL);
    PSB_TRY(psb_handshake_new(ctxt->inner, tag, (unsigned long long)ctxt->channels << 32, m->n, m->trial,
                              &m->handshake));
    return psb_put(c->on, trial_at(m), m->trial, (n + 1) * sizeof *m->trial, "halo channel");
}

/* Each process sends its number to all far neighbours, through memory of the device. */
static psb_err send_numbers(struct psb_nccl *m)
{
    const struct psb_device *on = m->lsa.c.on;
    const size_t n = (size_t)m->n, size = sizeof *m->trial;
    int *there = trial_at(m);
    for (int j = 0; j < m->n; j++)
        m->message[j] = (struct psb_device_message){ rank_of(m, j), there + n, size, there + j, size };
    PSB_TRY(on->twosided->exchange(m->group, m->message, m->n, m->lsa.c.seconds));
    PSB_TRY(on->twosided->complete(m->group));
    PSB_TRY(psb_get(on, m->trial, there, n * size, "halo channel"));
    for (int j = 0; j < m->n; j++)
        PSB_CHECK(m->trial[j] == rank_of(m, j), PSB_EMPI, "process %d sent %d", rank_of(m, j), m->trial[j]);
    return PSB_OK;
}

psb_err psb_nccl_connect(struct psb_nccl *m, psb_ctxt *ctxt, enum psb_obstacle here, enum psb_obstacle *why)
{
    const struct psb_channel *c = &m->lsa.c;
    const int tag = psb_next_channel_tag(ctxt);
    if (!here && alloc_nccl(m, ctxt, tag) != PSB_OK)
        here = PSB_NO_MEMORY;
    PSB_TRY(psb_agree_on_obstacle(ctxt, here, why));
    if (*why)
        return PSB_OK;
    here = c->on->twosided->join(ctxt->comm, c->seconds, &m->group) == PSB_OK ? here : PSB_NO_GROUP;
    PSB_TRY(psb_agree_on_obstacle(ctxt, here, why));
    if (*why)
        return PSB_OK;
    here = send_numbers(m) == PSB_OK ? here : PSB_TRIAL_FAILED;
    return PSB_PASS(psb_agree_on_obstacle(ctxt, here, why));
}

/* All neighbours are far.  The rows are packed by a put with one peer: this process, after what messages need
 * in its block. */
static psb_err prepare_packing(struct psb_nccl *m)
{
    struct psb_lsa *l = &m->lsa;
    const struct psb_channel *c = &l->c;
    l->packed = 2 * c->stride;
    PSB_TRY(psb_lsa_memory(l, psb_nccl_bytes(m) + sizeof(unsigned)));
    for (int k = 0; k < c->n; k++)
        l->far[k] = true;
    char *const packed = (char *)c->block->p + l->packed;
    unsigned *const flag = (unsigned *)(void *)(packed + psb_nccl_bytes(m));
    const struct psb_peer p[2] = { { .landing = { packed, packed }, .flag = { flag, flag } },
                                   { .first = psb_neighbour_rows(&c->h->send) } };
    PSB_TRY(c->on->alloc((void **)&l->peer[PSB_DIR_FORTH], sizeof p, "halo channel"));
    return psb_put(c->on, l->peer[PSB_DIR_FORTH], p, sizeof p, "halo channel");
}

static psb_err open_nccl(struct psb_channel *c, const struct psb_opening *o, enum psb_obstacle *why)
{
    struct psb_nccl *m = (struct psb_nccl *)c;
    const bool ready = prepare_packing(m) == PSB_OK;
    return psb_nccl_connect(m, o->ctxt, ready ? PSB_NO_OBSTACLE : PSB_NO_MEMORY, why);
}

void psb_nccl_close(struct psb_channel *c)
{
    struct psb_nccl *m = (struct psb_nccl *)c;
    psb_free(m->of);
    psb_free(m->recv.first);
    psb_free(m->recv.count);
    psb_free(m->send.first);
    psb_free(m->send.count);
    psb_free(m->message);
    psb_handshake_free(m->handshake);
    psb_free(m->outcome);
    psb_free(m->trial);
    psb_transport_lsa.close(c);
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

/* Where the rows to send lie: where the caller has them, or packed. */
static psb_err pack_far_rows(const struct psb_lsa *l, const struct psb_outgoing_rows *out, const char **at)
{
    const struct psb_channel *c = &l->c;
    struct psb_row_put job = { .peer = l->peer[PSB_DIR_FORTH],
                               .n = 1,
                               .rows = psb_neighbour_rows(&c->h->send),
                               .row = out->row,
                               .from = out->from,
                               .counts = l->counts };
    *at = out->from;
    if (out->back || out->packed || !out->from)
        return PSB_OK;
    PSB_TRY(psb_dual_read(&c->h->idx, PSB_DEV, &job.idx));
    PSB_TRY(c->on->onesided->put(&job));
    *at = (char *)c->block->p + l->packed;
    return PSB_OK;
}

/* Exchange rows with the far neighbours that agreed.  Record the first that did not in *status; a device may
 * store another failure there later, so the channel is broken once one is late. */
static psb_err exchange_rows(struct psb_nccl *m, const struct psb_outgoing_rows *out, const char *at)
{
    struct psb_channel *c = &m->lsa.c;
    const struct psb_far_rows *from = out->back ? &m->send : &m->recv, *to = out->back ? &m->recv : &m->send;
    int n = 0;
    for (int j = 0; j < m->n; j++) {
        if (m->outcome[j] != PSB_AGREED) {
            const bool late = m->outcome[j] == PSB_LATE;
            if (*c->status == 0)
                *c->status = late ? -(m->of[j] + 1) : m->of[j] + 1;
            c->broken |= late;
            continue;
        }
        m->message[n++] =
            (struct psb_device_message){ .rank = rank_of(m, j),
                                         .out = at ? at + (size_t)to->first[j] * out->row : NULL,
                                         .out_bytes = (size_t)to->count[j] * out->row,
                                         .in = (char *)c->landed + (size_t)from->first[j] * out->row,
                                         .in_bytes = (size_t)from->count[j] * out->row };
    }
    /* A neighbour that agreed may be in its handshake with others for twice c->seconds. */
    return n ? c->on->twosided->exchange(m->group, m->message, n, 3 * c->seconds) : PSB_OK;
}

psb_err psb_nccl_check(const struct psb_nccl *m)
{
    return PSB_PASS(m->n ? m->lsa.c.on->twosided->check_open(m->group) : PSB_OK);
}

psb_err psb_nccl_send(struct psb_nccl *m, const struct psb_outgoing_rows *out, const char *at, bool failed)
{
    struct psb_channel *c = &m->lsa.c;
    if (failed)
        return PSB_PASS(psb_handshake_refuse(m->handshake));
    psb_err e = psb_handshake(m->handshake, 1 + (unsigned long long)out->row, c->seconds, m->outcome);
    PSB_THEN(e, exchange_rows(m, out, at));
    c->broken |= e != PSB_OK;
    return PSB_PASS(e);
}

static psb_err put_nccl(struct psb_channel *c, const struct psb_outgoing_rows *out, bool failed)
{
    struct psb_nccl *m = (struct psb_nccl *)c;
    const char *at = NULL;
    if (!failed) {
        PSB_TRY(psb_nccl_check(m));
        PSB_TRY(pack_far_rows(&m->lsa, out, &at));
    }
    psb_lsa_count(&m->lsa);
    return psb_nccl_send(m, out, at, failed);
}

static psb_err arrive_nccl(struct psb_channel *c, int *status)
{
    (void)status; /* set when the exchange started */
    psb_err e = c->on->twosided->complete(((struct psb_nccl *)c)->group);
    c->broken |= e != PSB_OK;
    return e;
}

const struct psb_transport psb_transport_nccl = {
    .name = "nccl",
    .size = sizeof(struct psb_nccl),
    .refusal = refusal_of_nccl,
    .open = open_nccl,
    .close = psb_nccl_close,
    .put = put_nccl,
    .arrive = arrive_nccl,
};
