/* channel_nccl.c -- room: base/vect.  The transport nccl: devices send each other packed rows, in the order
 * of their streams.
 *
 * Such a message cannot be refused, since its sender and its receiver have to know its length.  So neighbours
 * first tell each other by MPI how long their rows are, or that they failed; then every pair that did not
 * fail sends.  The host waits for the neighbours' hosts to start the exchange, not for any device. */
#include "channel_inside.h"
#include "ctxt.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include "psb_twosided.h"

/* Where the rows of neighbour k are: rows first[k] .. first[k] + count[k] - 1 of those packed, or of those
 * received. */
struct side {
    psb_ipk *first, *count;
};

struct psb_mail {
    void *group;
    struct side recv, send;
    struct psb_device_message *message;
    unsigned long long *said, *heard; /* 1 + bytes of a row; 0: failed */
    MPI_Comm comm;                    /* of the words that are said and heard */
    int tag;                          /* theirs alone: a neighbour that failed may never receive them */
    MPI_Request *requests;            /* receives, then sends */
    int *trial;                       /* the numbers of the neighbours and of this process, sent once */
    size_t trial_at;                  /* their place in the block */
};

static const char *refusal(const struct psb_device *on)
{
    return !on->twosided || !on->onesided ? "the device has no messages of its own"
                                          : on->twosided->obstacle();
}

/* --- opening -------------------------------------------------------------------------------------------- */

static psb_err fill_side(struct side *s, const struct psb_channel *c, const struct psb_neighbours *of)
{
    PSB_TRY(psb_alloc_zero(&s->first, (size_t)c->n, sizeof *s->first, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->count, (size_t)c->n, sizeof *s->count, "halo channel"));
    for (int k = 0; k < c->n; k++) {
        const int i = psb_position(of, c->rank[k]);
        if (i == of->n)
            continue;
        s->first[k] = of->start[i];
        s->count[k] = of->start[i + 1] - of->start[i];
    }
    return PSB_OK;
}

/* The rows are packed by a put with one peer: this process, after the landing buffers of its block. */
static psb_err put_self(struct psb_channel *c)
{
    char *const packed = (char *)c->block->p + 2 * c->stride;
    unsigned *const flag = (unsigned *)(void *)(packed + c->stride);
    const struct psb_peer p[2] = { { .landing = { packed, packed }, .flag = { flag, flag } },
                                   { .first = psb_neighbour_rows(&c->h->send) } };
    PSB_TRY(c->on->alloc((void **)&c->peer[PSB_DIR_FORTH], sizeof p, "halo channel"));
    return psb_put(c->on, c->peer[PSB_DIR_FORTH], p, sizeof p, "halo channel");
}

static psb_err allocate(struct psb_channel *c, int me)
{
    const size_t n = (size_t)c->n;
    struct psb_mail *m;
    PSB_TRY(psb_alloc_zero(&c->mail, 1, sizeof *c->mail, "halo channel"));
    m = c->mail;
    PSB_TRY(fill_side(&m->recv, c, &c->h->recv));
    PSB_TRY(fill_side(&m->send, c, &c->h->send));
    PSB_TRY(psb_alloc_zero(&m->message, n, sizeof *m->message, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->said, n, sizeof *m->said, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->heard, n, sizeof *m->heard, "halo channel"));
    PSB_TRY(psb_alloc(&m->requests, 2 * n, sizeof *m->requests, "halo channel"));
    PSB_TRY(psb_alloc_zero(&m->trial, n + 1, sizeof *m->trial, "halo channel"));
    m->trial[n] = me;
    m->trial_at = 3 * c->stride + sizeof(unsigned);
    PSB_TRY(psb_channel_memory(c, m->trial_at - 2 * c->stride + (n + 1) * sizeof *m->trial));
    PSB_TRY(psb_put(c->on, (char *)c->block->p + m->trial_at, m->trial, (n + 1) * sizeof *m->trial,
                    "halo channel"));
    return put_self(c);
}

/* Each process sends its number to all neighbours, through memory of the device. */
static psb_err try_out(struct psb_channel *c)
{
    struct psb_mail *m = c->mail;
    const size_t n = (size_t)c->n, size = sizeof *m->trial;
    int *there = (int *)(void *)((char *)c->block->p + m->trial_at);
    for (int k = 0; k < c->n; k++)
        m->message[k] = (struct psb_device_message){ c->rank[k], there + n, size, there + k, size };
    PSB_TRY(c->on->twosided->exchange(m->group, m->message, c->n, c->seconds));
    PSB_TRY(c->on->twosided->complete());
    PSB_TRY(psb_get(c->on, m->trial, there, n * size, "halo channel"));
    for (int k = 0; k < c->n; k++)
        PSB_CHECK(m->trial[k] == c->rank[k], PSB_EMPI, "process %d sent %d", c->rank[k], m->trial[k]);
    return PSB_OK;
}

static psb_err open_nccl(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why)
{
    int me;
    psb_info(ctxt, &me, NULL);
    *why = allocate(c, me) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    PSB_TRY(psb_agree_on_obstacle(ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    c->mail->comm = ctxt->inner;
    c->mail->tag = psb_next_channel_tag(ctxt);
    *why = c->on->twosided->join(ctxt->comm, c->seconds, &c->mail->group) == PSB_OK ? PSB_NO_OBSTACLE
                                                                                    : PSB_NO_GROUP;
    PSB_TRY(psb_agree_on_obstacle(ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    *why = try_out(c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_TRIAL_FAILED;
    return PSB_PASS(psb_agree_on_obstacle(ctxt, why));
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
    free_side(&m->recv);
    free_side(&m->send);
    psb_free(m->message);
    psb_free(m->said);
    psb_free(m->heard);
    psb_free(m->requests);
    psb_free(m->trial);
    psb_free(m);
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

/* Wait until all requests are complete, or cancel those that are not after c->seconds. */
static psb_err wait_for_words(const struct psb_channel *c)
{
    struct psb_mail *m = c->mail;
    const double end = MPI_Wtime() + c->seconds;
    int done = 0;
    while (!done && MPI_Wtime() < end)
        PSB_MPI(MPI_Testall(2 * c->n, m->requests, &done, MPI_STATUSES_IGNORE));
    for (int k = 0; k < 2 * c->n && !done; k++) {
        if (m->requests[k] == MPI_REQUEST_NULL)
            continue;
        if (k < c->n)
            MPI_Cancel(&m->requests[k]);
        MPI_Request_free(&m->requests[k]);
    }
    return PSB_OK;
}

/* Tell all neighbours `word`, and hear theirs; ~0 from one that does not come in time. */
static psb_err exchange_words(struct psb_channel *c, unsigned long long word)
{
    struct psb_mail *m = c->mail;
    for (int k = 0; k < c->n; k++) {
        m->said[k] = word;
        m->heard[k] = ~0ULL;
        PSB_MPI(
            MPI_Irecv(&m->heard[k], 1, MPI_UNSIGNED_LONG_LONG, c->rank[k], m->tag, m->comm, &m->requests[k]));
        PSB_MPI(MPI_Isend(&m->said[k], 1, MPI_UNSIGNED_LONG_LONG, c->rank[k], m->tag, m->comm,
                          &m->requests[c->n + k]));
    }
    return wait_for_words(c);
}

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
    *at = (char *)c->block->p + 2 * c->stride;
    return PSB_OK;
}

/* Exchange rows with the neighbours that said what this process said; record the first that did not. */
static psb_err exchange_rows(struct psb_channel *c, const struct psb_outgoing_rows *out, const char *at)
{
    struct psb_mail *m = c->mail;
    const struct side *from = out->back ? &m->send : &m->recv, *to = out->back ? &m->recv : &m->send;
    int n = 0;
    for (int k = 0; k < c->n; k++) {
        if (m->heard[k] != m->said[k]) {
            if (*c->status == 0)
                *c->status = m->heard[k] == ~0ULL ? -(k + 1) : k + 1;
            continue;
        }
        m->message[n++] =
            (struct psb_device_message){ .rank = c->rank[k],
                                         .out = at ? at + (size_t)to->first[k] * out->row : NULL,
                                         .out_bytes = (size_t)to->count[k] * out->row,
                                         .in = psb_landing(c) + (size_t)from->first[k] * out->row,
                                         .in_bytes = (size_t)from->count[k] * out->row };
    }
    return n ? c->on->twosided->exchange(m->group, m->message, n, c->seconds) : PSB_OK;
}

/* Tell all neighbours that this process failed, and wait for nothing. */
static psb_err send_refusals(struct psb_channel *c)
{
    struct psb_mail *m = c->mail;
    for (int k = 0; k < c->n; k++) {
        m->said[k] = 0;
        PSB_MPI(
            MPI_Isend(&m->said[k], 1, MPI_UNSIGNED_LONG_LONG, c->rank[k], m->tag, m->comm, &m->requests[k]));
        PSB_MPI(MPI_Request_free(&m->requests[k]));
    }
    return PSB_OK;
}

static psb_err put(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed)
{
    const char *at = NULL;
    if (failed && c->broken)
        return send_refusals(c);
    if (!failed)
        PSB_TRY(pack(c, out, &at));
    c->started++;
    psb_err e = exchange_words(c, failed ? 0 : 1 + (unsigned long long)out->row);
    if (e == PSB_OK && !failed)
        e = exchange_rows(c, out, at);
    c->broken |= e != PSB_OK;
    return e;
}

static psb_err arrive(struct psb_channel *c, int *status)
{
    (void)status; /* set when the exchange started */
    return c->on->twosided->complete();
}

const struct psb_transport psb_transport_nccl = {
    .name = "nccl",
    .refusal = refusal,
    .open = open_nccl,
    .put = put,
    .arrive = arrive,
    .close = close_nccl,
};
