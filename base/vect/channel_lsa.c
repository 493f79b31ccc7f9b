/* channel_lsa.c -- room: base/vect.  The transport lsa: devices of one host store rows into each other's
 * memory, and flags say that they are there. */
#include "channel_inside.h"
#include "channel_parts.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include <string.h>

/* What a process tells a neighbour: how to reach its block, and where to store there. */
struct offer {
    struct psb_shared_name name;
    unsigned long long host;
    size_t stride;
    psb_ipk place[PSB_DIRS]; /* row of the landing buffer for the neighbour's first */
    size_t flag;             /* byte of the block; the second flag is n flags later */
    int n;
    int mapped; /* is the neighbour's block mapped here? */
};

/* What is needed while a channel is opened: for each neighbour its offer, and where its block is mapped. */
struct neighbours {
    struct offer *mine, *theirs;
    void **mapped;
    MPI_Request *requests;
    int *order; /* of the neighbours, for one direction */
};

static const char *refusal(const struct psb_device *on)
{
    return on->onesided ? NULL : "the device has no one-sided exchanges";
}

size_t psb_lsa_bytes(const struct psb_channel *c)
{
    return 2 * (size_t)(c->n ? c->n : 1) * sizeof(unsigned);
}

static psb_err allocate(struct psb_channel *c, size_t more, struct neighbours *s)
{
    const size_t n = (size_t)c->n;
    PSB_TRY(psb_alloc_zero(&s->mine, n, sizeof *s->mine, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->theirs, n, sizeof *s->theirs, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->mapped, n, sizeof *s->mapped, "halo channel"));
    PSB_TRY(psb_alloc(&s->requests, 2 * n, sizeof *s->requests, "halo channel"));
    PSB_TRY(psb_alloc(&s->order, n, sizeof *s->order, "halo channel"));
    for (int dir = 0; dir < PSB_DIRS; dir++)
        PSB_TRY(c->on->alloc((void **)&c->peer[dir], (n + 1) * sizeof(struct psb_peer), "halo channel"));
    return psb_channel_memory(c, more);
}

static void release(struct neighbours *s)
{
    psb_free(s->mine);
    psb_free(s->theirs);
    psb_free(s->mapped);
    psb_free(s->requests);
    psb_free(s->order);
}

/* --- what neighbours tell each other -------------------------------------------------------------------- */

static psb_err make_offers(const struct psb_channel *c, struct neighbours *s)
{
    const struct psb_neighbours *recv = &c->h->recv, *send = &c->h->send;
    char device[32];
    unsigned long long host;
    PSB_TRY(c->on->onesided->identify(device, &host));
    for (int k = 0; k < c->n; k++) {
        s->mine[k] = (struct offer){ .name = c->block->name,
                                     .host = host,
                                     .stride = c->stride,
                                     .flag = 2 * c->stride + (size_t)k * sizeof(unsigned),
                                     .n = c->n };
        psb_ipk *place = s->mine[k].place;
        place[PSB_DIR_FORTH] = psb_neighbour_rows(recv) ? recv->start[psb_position(recv, c->rank[k])] : 0;
        place[PSB_DIR_BACK] = psb_neighbour_rows(send) ? send->start[psb_position(send, c->rank[k])] : 0;
    }
    return PSB_OK;
}

static psb_err exchange_offers(const struct psb_channel *c, struct neighbours *s, MPI_Comm comm)
{
    enum { BYTES = sizeof(struct offer) };
    const int n = c->n;
    MPI_Request *q = s->requests;
    for (int k = 0; k < 2 * n; k++)
        q[k] = MPI_REQUEST_NULL;
    for (int k = 0; k < n; k++) {
        MPI_Irecv(&s->theirs[k], BYTES, MPI_BYTE, c->rank[k], PSB_TAG_HALO, comm, &q[k]);
        MPI_Isend(&s->mine[k], BYTES, MPI_BYTE, c->rank[k], PSB_TAG_HALO, comm, &q[n + k]);
    }
    int code = MPI_Waitall(2 * n, q, MPI_STATUSES_IGNORE);
    return code == MPI_SUCCESS ? PSB_OK : psb_mpi_fail(code, "MPI_Waitall");
}

static enum psb_obstacle map_block(const struct psb_channel *c, struct neighbours *s, int k)
{
    if (s->mine[k].host != s->theirs[k].host)
        return PSB_OTHER_HOST;
    return psb_shared_map(c->on, &s->theirs[k].name, &s->mapped[k]) == PSB_OK ? PSB_NO_OBSTACLE
                                                                              : PSB_NOT_MAPPED;
}

/* Map the blocks of the neighbours: of all, unless some may be far. */
static enum psb_obstacle map_blocks(const struct psb_channel *c, struct neighbours *s)
{
    enum psb_obstacle why = PSB_NO_OBSTACLE;
    psb_expect_errors(c->packed != 0);
    for (int k = 0; k < c->n && (why == PSB_NO_OBSTACLE || c->packed); k++) {
        why = map_block(c, s, k);
        s->mine[k].mapped = why == PSB_NO_OBSTACLE;
    }
    psb_expect_errors(0);
    return c->packed ? PSB_NO_OBSTACLE : why;
}

/* A neighbour is far unless both have mapped each other's block. */
static psb_err find_far(struct psb_channel *c, psb_ctxt *ctxt, struct neighbours *s)
{
    PSB_TRY(psb_agree(ctxt, exchange_offers(c, s, psb_comm_of(ctxt))));
    for (int k = 0; k < c->n; k++)
        c->far[k] = !s->mine[k].mapped || !s->theirs[k].mapped;
    return PSB_OK;
}

/* --- tables on the device ------------------------------------------------------------------------------- */

/* Fill in where rows for neighbour k go.  Those for a far one go where they are packed, as packed row i to
 * row i, and the flag that it would set here is set by this process. */
static void fill_peer(const struct psb_channel *c, const struct neighbours *s, int dir, int k,
                      struct psb_peer *p)
{
    const int far = c->far[k];
    const struct offer *f = far ? &s->mine[k] : &s->theirs[k];
    char *base = far ? c->block->p : s->mapped[k];
    p->place = far ? p->first : f->place[dir];
    for (int turn = 0; turn < 2; turn++) {
        p->landing[turn] = base + (far ? c->packed : (size_t)turn * f->stride);
        p->flag[turn] = (unsigned *)(void *)(base + f->flag) + turn * f->n;
    }
}

/* The first row for a neighbour of higher rank than `me`; 0 if there is none. */
static psb_ipk row_to_begin(const struct psb_neighbours *to, int me)
{
    int k = 0;
    while (k < to->n && to->rank[k] < me)
        k++;
    return k < to->n ? to->start[k] : 0;
}

/* Store the table of one direction on the device. */
static psb_err put_peers(const struct psb_channel *c, const struct neighbours *s, int dir)
{
    const struct psb_neighbours *to = dir == PSB_DIR_BACK ? &c->h->recv : &c->h->send;
    const struct psb_neighbours *others = dir == PSB_DIR_BACK ? &c->h->send : &c->h->recv;
    struct psb_peer *p;
    (void)psb_ranks_of(to, others, s->order);
    PSB_TRY(psb_alloc_zero(&p, (size_t)c->n + 1, sizeof *p, "halo channel"));
    for (int i = 0; i <= c->n; i++) {
        p[i].first = i < to->n ? to->start[i] : psb_neighbour_rows(to);
        if (i == c->n)
            break;
        int k = 0;
        while (c->rank[k] != s->order[i])
            k++;
        fill_peer(c, s, dir, k, &p[i]);
    }
    psb_err e = psb_put(c->on, c->peer[dir], p, ((size_t)c->n + 1) * sizeof *p, "halo channel");
    psb_free(p);
    return e;
}

static psb_err fill_tables(struct psb_channel *c, const psb_ctxt *ctxt, const struct neighbours *s)
{
    int me;
    psb_info(ctxt, &me, NULL);
    c->begin[PSB_DIR_FORTH] = row_to_begin(&c->h->send, me);
    c->begin[PSB_DIR_BACK] = row_to_begin(&c->h->recv, me);
    PSB_TRY(put_peers(c, s, PSB_DIR_FORTH));
    return put_peers(c, s, PSB_DIR_BACK);
}

static psb_err connect(struct psb_channel *c, psb_ctxt *ctxt, size_t more, struct neighbours *s,
                       enum psb_obstacle *why)
{
    *why = allocate(c, more, s) == PSB_OK && make_offers(c, s) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    PSB_TRY(psb_agree_on_obstacle(ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    PSB_TRY(psb_agree(ctxt, exchange_offers(c, s, psb_comm_of(ctxt))));
    *why = map_blocks(c, s);
    if (c->packed)
        PSB_TRY(find_far(c, ctxt, s));
    if (*why == PSB_NO_OBSTACLE && fill_tables(c, ctxt, s) != PSB_OK)
        *why = PSB_NO_MEMORY;
    return psb_agree_on_obstacle(ctxt, why);
}

psb_err psb_lsa_connect(struct psb_channel *c, psb_ctxt *ctxt, size_t more, enum psb_obstacle *why)
{
    struct neighbours s = { 0 };
    psb_err e = connect(c, ctxt, more, &s, why);
    release(&s);
    return PSB_PASS(e);
}

static psb_err open_lsa(struct psb_channel *c, psb_ctxt *ctxt, enum psb_obstacle *why)
{
    return psb_lsa_connect(c, ctxt, psb_lsa_bytes(c), why);
}

static void close_lsa(struct psb_channel *c)
{
    (void)c;
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

static psb_err outgoing(const struct psb_channel *c, const struct psb_outgoing_rows *out, int failed,
                        struct psb_row_put *job)
{
    const int dir = out->back ? PSB_DIR_BACK : PSB_DIR_FORTH;
    const struct psb_neighbours *to = out->back ? &c->h->recv : &c->h->send;
    *job = (struct psb_row_put){ .peer = c->peer[dir],
                                 .n = c->n,
                                 .rows = out->from && !failed ? psb_neighbour_rows(to) : 0,
                                 .begin = c->begin[dir],
                                 .row = out->row,
                                 .from = out->from,
                                 .failed = failed,
                                 .counts = c->counts };
    return out->back || out->packed || !job->rows ? PSB_OK : psb_dual_read(&c->h->idx, PSB_DEV, &job->idx);
}

static psb_err put(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed)
{
    struct psb_row_put job;
    PSB_TRY(outgoing(c, out, failed, &job));
    c->started++;
    c->landed = psb_landing(c);
    psb_err e = c->on->onesided->put(&job);
    c->broken |= e != PSB_OK;
    return e;
}

static void arrival(const struct psb_channel *c, int *status, struct psb_arrival *job)
{
    *job = (struct psb_arrival){ .flag = (const unsigned *)(void *)((char *)c->block->p + 2 * c->stride),
                                 .n = c->n,
                                 .seconds = c->seconds,
                                 .counts = c->counts,
                                 .status = status };
}

static psb_err arrive(struct psb_channel *c, int *status)
{
    struct psb_arrival job;
    arrival(c, status, &job);
    psb_err e = c->on->onesided->arrive(&job);
    c->broken |= e != PSB_OK;
    return e;
}

const struct psb_transport psb_transport_lsa = {
    .name = "lsa",
    .refusal = refusal,
    .open = open_lsa,
    .put = put,
    .arrive = arrive,
    .outgoing = outgoing,
    .arrival = arrival,
    .close = close_lsa,
};
