/* lsa.c -- base/channel: the transport lsa: devices of one host store rows into each other's memory, and
 * flags say that they are there. */
#include "lsa.h"
#include "psb_alloc.h"
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
struct offers {
    struct offer *mine, *theirs;
    void **mapped;
    MPI_Request *requests;
    int *order; /* of the neighbours, for one direction */
};

static const char *refusal_of_lsa(const struct psb_device *on)
{
    return on->onesided ? NULL : "the device has no one-sided exchanges";
}

/* --- opening -------------------------------------------------------------------------------------------- */

size_t psb_lsa_bytes(const struct psb_lsa *l)
{
    return 2 * (size_t)(l->c.n ? l->c.n : 1) * sizeof(unsigned);
}

psb_err psb_lsa_memory(struct psb_lsa *l, size_t more)
{
    const struct psb_channel_counts zero = { 0 };
    struct psb_channel *c = &l->c;
    void *zeros;
    PSB_TRY(psb_alloc_zero(&l->far, (size_t)c->n, sizeof *l->far, "halo channel"));
    PSB_TRY(psb_shared_take(c->on, 2 * c->stride + more, &c->block));
    PSB_TRY(c->on->alloc((void **)&l->counts, sizeof *l->counts, "halo channel"));
    PSB_TRY(psb_put(c->on, l->counts, &zero, sizeof zero, "halo channel"));
    PSB_TRY(psb_alloc_zero(&zeros, more, 1, "halo channel"));
    psb_err e = psb_put(c->on, (char *)c->block->p + 2 * c->stride, zeros, more, "halo channel");
    psb_free(zeros);
    return PSB_PASS(e);
}

static psb_err alloc_lsa(struct psb_lsa *l, size_t more, struct offers *s)
{
    const size_t n = (size_t)l->c.n;
    PSB_TRY(psb_alloc_zero(&s->mine, n, sizeof *s->mine, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->theirs, n, sizeof *s->theirs, "halo channel"));
    PSB_TRY(psb_alloc_zero(&s->mapped, n, sizeof *s->mapped, "halo channel"));
    PSB_TRY(psb_alloc(&s->requests, 2 * n, sizeof *s->requests, "halo channel"));
    PSB_TRY(psb_alloc(&s->order, n, sizeof *s->order, "halo channel"));
    for (int dir = 0; dir < PSB_DIRS; dir++)
        PSB_TRY(l->c.on->alloc((void **)&l->peer[dir], (n + 1) * sizeof(struct psb_peer), "halo channel"));
    return psb_lsa_memory(l, more);
}

static psb_err make_offers(const struct psb_channel *c, struct offers *s)
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

static psb_err exchange_offers(const struct psb_channel *c, struct offers *s, psb_ctxt *ctxt)
{
    enum { BYTES = sizeof(struct offer) };
    const int n = c->n;
    MPI_Comm comm = psb_comm_of(ctxt);
    MPI_Request *q = s->requests;
    for (int k = 0; k < 2 * n; k++)
        q[k] = MPI_REQUEST_NULL;
    for (int k = 0; k < n; k++) {
        MPI_Irecv(&s->theirs[k], BYTES, MPI_BYTE, c->rank[k], PSB_TAG_HALO, comm, &q[k]);
        MPI_Isend(&s->mine[k], BYTES, MPI_BYTE, c->rank[k], PSB_TAG_HALO, comm, &q[n + k]);
    }
    int code = MPI_Waitall(2 * n, q, MPI_STATUSES_IGNORE);
    return psb_agree(ctxt, code == MPI_SUCCESS ? PSB_OK : psb_mpi_fail(code, "MPI_Waitall"));
}

/* Map the blocks of the neighbours: of all, unless some may be far. */
static enum psb_obstacle map_blocks(const struct psb_lsa *l, struct offers *s)
{
    enum psb_obstacle why = PSB_NO_OBSTACLE;
    psb_expect_errors(l->packed != 0);
    for (int k = 0; k < l->c.n && (!why || l->packed); k++) {
        why = s->mine[k].host != s->theirs[k].host                                   ? PSB_OTHER_HOST
              : psb_shared_map(l->c.on, &s->theirs[k].name, &s->mapped[k]) != PSB_OK ? PSB_NOT_MAPPED
                                                                                     : PSB_NO_OBSTACLE;
        s->mine[k].mapped = !why;
    }
    psb_expect_errors(0);
    return l->packed ? PSB_NO_OBSTACLE : why;
}

/* Fill in where rows for neighbour k go.  Those for a far one go where they are packed, as packed row i to
 * row i, and the flag that it would set here is set by this process. */
static void fill_peer(const struct psb_lsa *l, const struct offers *s, int dir, int k, struct psb_peer *p)
{
    const bool far = l->far[k];
    const struct offer *f = far ? &s->mine[k] : &s->theirs[k];
    char *base = far ? l->c.block->p : s->mapped[k];
    p->place = far ? p->first : f->place[dir];
    for (int turn = 0; turn < 2; turn++) {
        p->landing[turn] = base + (far ? l->packed : (size_t)turn * f->stride);
        p->flag[turn] = (unsigned *)(void *)(base + f->flag) + turn * f->n;
    }
}

/* Store the table of one direction on the device; a put begins with a neighbour of higher rank than `me`. */
static psb_err put_peers(struct psb_lsa *l, const struct offers *s, int dir, int me)
{
    const struct psb_channel *c = &l->c;
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
        fill_peer(l, s, dir, k, &p[i]);
    }
    for (int i = to->n - 1; i >= 0 && to->rank[i] > me; i--)
        l->begin[dir] = to->start[i];
    psb_err e = psb_put(c->on, l->peer[dir], p, ((size_t)c->n + 1) * sizeof *p, "halo channel");
    psb_free(p);
    return e;
}

static psb_err connect_with(struct psb_lsa *l, psb_ctxt *ctxt, size_t more, struct offers *s,
                            enum psb_obstacle *why)
{
    int me;
    psb_info(ctxt, &me, NULL);
    const bool ready = alloc_lsa(l, more, s) == PSB_OK && make_offers(&l->c, s) == PSB_OK;
    PSB_TRY(psb_agree_on_obstacle(ctxt, ready ? PSB_NO_OBSTACLE : PSB_NO_MEMORY, why));
    if (*why)
        return PSB_OK;
    PSB_TRY(exchange_offers(&l->c, s, ctxt));
    enum psb_obstacle here = map_blocks(l, s);
    if (l->packed) /* each tells the others what it has mapped: a neighbour is far unless both have */
        PSB_TRY(exchange_offers(&l->c, s, ctxt));
    for (int k = 0; k < l->c.n && l->packed; k++)
        l->far[k] = !s->mine[k].mapped || !s->theirs[k].mapped;
    for (int dir = 0; dir < PSB_DIRS && !here; dir++)
        here = put_peers(l, s, dir, me) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    return psb_agree_on_obstacle(ctxt, here, why);
}

psb_err psb_lsa_connect(struct psb_lsa *l, psb_ctxt *ctxt, size_t more, enum psb_obstacle *why)
{
    struct offers s = { 0 };
    psb_err e = connect_with(l, ctxt, more, &s, why);
    psb_free(s.mine);
    psb_free(s.theirs);
    psb_free(s.mapped);
    psb_free(s.requests);
    psb_free(s.order);
    return PSB_PASS(e);
}

static psb_err open_lsa(struct psb_channel *c, const struct psb_opening *o, enum psb_obstacle *why)
{
    struct psb_lsa *l = (struct psb_lsa *)c;
    return psb_lsa_connect(l, o->ctxt, psb_lsa_bytes(l), why);
}

static void close_lsa(struct psb_channel *c)
{
    struct psb_lsa *l = (struct psb_lsa *)c;
    for (int dir = 0; dir < PSB_DIRS; dir++)
        if (l->peer[dir])
            c->on->free(l->peer[dir]);
    if (l->counts)
        c->on->free(l->counts);
    psb_free(l->far);
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

static psb_err describe_put(const struct psb_lsa *l, const struct psb_outgoing_rows *out, bool failed,
                            struct psb_row_put *job)
{
    const int dir = out->back ? PSB_DIR_BACK : PSB_DIR_FORTH;
    const struct psb_halo *h = l->c.h;
    *job = (struct psb_row_put){ .peer = l->peer[dir],
                                 .n = l->c.n,
                                 .rows = out->from && !failed
                                             ? psb_neighbour_rows(out->back ? &h->recv : &h->send)
                                             : 0,
                                 .begin = l->begin[dir],
                                 .row = out->row,
                                 .from = out->from,
                                 .failed = failed,
                                 .counts = l->counts };
    return out->back || out->packed || !job->rows ? PSB_OK : psb_dual_read(&h->idx, PSB_DEV, &job->idx);
}

static struct psb_arrival arrival(const struct psb_lsa *l, int *status)
{
    const struct psb_channel *c = &l->c;
    return (struct psb_arrival){ .flag = (const unsigned *)(void *)((char *)c->block->p + 2 * c->stride),
                                 .n = c->n,
                                 .seconds = c->seconds,
                                 .counts = l->counts,
                                 .status = status };
}

static psb_err put_lsa(struct psb_channel *c, const struct psb_outgoing_rows *out, bool failed)
{
    struct psb_lsa *l = (struct psb_lsa *)c;
    struct psb_row_put job;
    PSB_TRY(describe_put(l, out, failed, &job));
    psb_lsa_count(l);
    psb_err e = c->on->onesided->put(&job);
    c->broken |= e != PSB_OK;
    return e;
}

static psb_err arrive_lsa(struct psb_channel *c, int *status)
{
    const struct psb_arrival job = arrival((struct psb_lsa *)c, status);
    psb_err e = c->on->onesided->arrive(&job);
    c->broken |= e != PSB_OK;
    return e;
}

static psb_err prepare_lsa(struct psb_channel *c, const struct psb_outgoing_rows *out, struct psb_exchange *x)
{
    struct psb_lsa *l = (struct psb_lsa *)c;
    PSB_TRY(describe_put(l, out, false, &x->put));
    x->arrival = arrival(l, c->status);
    x->by = c->on->onesided;
    psb_lsa_count(l);
    return PSB_OK;
}

static void await_lsa(const struct psb_channel *c, struct psb_awaited *wait)
{
    *wait = (struct psb_awaited){ .by = c->on->onesided,
                                  .job = arrival((const struct psb_lsa *)c, c->status) };
}

const struct psb_transport psb_transport_lsa = {
    .name = "lsa",
    .size = sizeof(struct psb_lsa),
    .refusal = refusal_of_lsa,
    .open = open_lsa,
    .close = close_lsa,
    .put = put_lsa,
    .arrive = arrive_lsa,
    .prepare = prepare_lsa,
    .await = await_lsa,
};
