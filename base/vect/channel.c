/* channel.c -- room: base/vect.  One-sided halo exchanges: memory that is shared, and the exchanges. */
#include "channel.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include "reduce.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- memory that is shared ------------------------------------------------------------------------------ */

/* Memory of a device that other processes may have mapped.  It is not freed with its channel, since they may
 * keep it mapped, but serves later channels. */
struct block {
    const struct psb_device *on;
    void *p;
    size_t bytes;
    struct psb_shared_handle handle;
    long serial; /* no other block of this process ever has it */
    int used;
    struct block *next;
};

/* Memory of another process, mapped here once. */
struct mapping {
    const struct psb_device *on;
    struct psb_shared_handle handle;
    long pid, serial;
    void *p;
    size_t bytes;
    struct mapping *next;
};

static struct block *blocks;
static struct mapping *mappings;

static psb_err new_block(const struct psb_device *on, size_t bytes, struct block **out)
{
    static long serial;
    struct block *b;
    PSB_TRY(psb_alloc_zero(&b, 1, sizeof *b, "halo channel"));
    psb_err e = on->onesided->share(&b->p, bytes, &b->handle);
    if (e != PSB_OK) {
        psb_free(b);
        return e;
    }
    b->on = on;
    b->bytes = bytes;
    b->serial = ++serial;
    b->next = blocks;
    *out = blocks = b;
    return PSB_OK;
}

/* *out = the smallest unused block of at least `bytes` bytes, or a new one. */
static psb_err take_block(const struct psb_device *on, size_t bytes, struct block **out)
{
    struct block *best = NULL;
    for (struct block *b = blocks; b; b = b->next)
        if (!b->used && b->on == on && b->bytes >= bytes && (!best || b->bytes < best->bytes))
            best = b;
    if (!best)
        PSB_TRY(new_block(on, bytes, &best));
    best->used = 1;
    *out = best;
    return PSB_OK;
}

static struct mapping *find_mapping(const struct psb_device *on, const struct psb_shared_handle *h, long pid,
                                    long serial)
{
    struct mapping *m = mappings;
    while (m &&
           (m->on != on || m->pid != pid || m->serial != serial || memcmp(&m->handle, h, sizeof *h) != 0))
        m = m->next;
    return m;
}

static void close_mappings(const struct psb_device *on)
{
    for (struct mapping **at = &mappings, *m = *at; m; m = *at) {
        if (m->on != on) {
            at = &m->next;
            continue;
        }
        on->onesided->close(m->p, m->bytes);
        *at = m->next;
        psb_free(m);
    }
}

void psb_channel_close_device(const struct psb_device *on)
{
    if (!on || !on->onesided)
        return;
    close_mappings(on);
    for (struct block **at = &blocks, *b = *at; b; b = *at) {
        if (b->on != on) {
            at = &b->next;
            continue;
        }
        on->onesided->unshare(b->p, b->bytes);
        *at = b->next;
        psb_free(b);
    }
}

/* --- a channel ------------------------------------------------------------------------------------------ */

enum { FORTH, BACK, WAYS };

struct psb_channel {
    const struct psb_device *on;
    const struct psb_halo *h;
    struct block *block; /* two landing buffers of `stride` bytes, then the flags of the neighbours */
    size_t row, stride;  /* row: the most bytes of one */
    int n;               /* neighbours that rows are received from or sent to */
    struct psb_peer *peer[WAYS];
    struct psb_channel_counts *counts;
    int *status;
    double seconds; /* to wait for a neighbour */
    unsigned started;
    const void *of; /* the vector whose exchange is under way, or NULL */
    psb_err (*land)(void *of);
    struct psb_dual staging;
};

/* What a process tells a neighbour: how to reach its block, and where to store there. */
struct offer {
    struct psb_shared_handle handle;
    char device[32];
    unsigned long long host;
    long pid, serial;
    size_t bytes, stride;
    psb_ipk place[WAYS]; /* row of the landing buffer for the neighbour's first */
    size_t flag;         /* byte of the block; the second flag is n flags later */
    int n;
};

static psb_ipk total(const struct psb_neighbours *s)
{
    return s->n ? s->start[s->n] : 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static int place_of(const struct psb_neighbours *s, int rank)
{
    int k = 0;
    while (k < s->n && s->rank[k] != rank)
        k++;
    return k;
}

/* The ranks of `first`, then those of `then` that are not among them; their number. */
static int ranks_of(const struct psb_neighbours *first, const struct psb_neighbours *then, int *rank)
{
    int n = first->n;
    if (n)
        memcpy(rank, first->rank, (size_t)n * sizeof *rank);
    for (int k = 0; k < then->n; k++)
        if (place_of(first, then->rank[k]) == first->n)
            rank[n++] = then->rank[k];
    return n;
}

/* --- opening a channel ---------------------------------------------------------------------------------- */

/* What is needed while a channel is opened. */
struct opening {
    struct psb_channel *c;
    psb_ctxt *ctxt;
    int *rank, *order; /* of the neighbours: receivers from, then others; for one direction */
    struct offer *mine, *theirs;
    void **mapped;
    MPI_Request *requests;
    int forced; /* by PSB_HALO */
};

/* Reasons why there is no channel, the first that holds for a process. */
static const char *const reasons[] = {
    NULL,
    "asked for by PSB_HALO",
    "there is one process",
    "a process has no device",
    "the device has no one-sided exchanges",
    "neighbours are on different hosts",
    "neighbours share a device",
    "the memory of a neighbour's device cannot be mapped",
    "there is no memory to share",
    "a trial exchange failed",
};
enum reason {
    NONE,
    UNWANTED,
    ALONE,
    NO_DEVICE,
    NO_ONESIDED,
    OTHER_HOST,
    SAME_DEVICE,
    NOT_MAPPED,
    NO_MEMORY,
    TRIAL_FAILED
};

/* Agree on the largest reason of all processes. */
static psb_err agree(psb_ctxt *ctxt, enum reason *why, psb_err mine)
{
    double most = *why;
    PSB_TRY(psb_reduce(ctxt, PSB_JOIN_MAX, &most, 1, mine));
    *why = (enum reason)most;
    return PSB_OK;
}

/* *wanted: is PSB_HALO unset or auto (0), a one-sided transport (1), or another one (-1)? */
static psb_err read_wish(const struct psb_device *on, int *wanted)
{
    const char *wish = getenv("PSB_HALO");
    *wanted = 0;
    if (!wish || !*wish || strcmp(wish, "auto") == 0)
        return PSB_OK;
    if (strcmp(wish, "staged") == 0) {
        *wanted = -1;
        return PSB_OK;
    }
    PSB_CHECK(strcmp(wish, "lsa") == 0, PSB_EARG,
              "the environment variable PSB_HALO is \"%s\"; expected auto, lsa or staged", wish);
    *wanted = !on || !on->onesided || strcmp(on->onesided->name, wish) == 0;
    return PSB_OK;
}

static psb_err read_seconds(double *seconds)
{
    const char *text = getenv("PSB_HALO_TIMEOUT");
    char *end;
    *seconds = 120;
    if (!text || !*text)
        return PSB_OK;
    *seconds = strtod(text, &end);
    PSB_CHECK(!*end && *seconds > 0 && *seconds <= 86400, PSB_EARG,
              "the environment variable PSB_HALO_TIMEOUT is \"%s\"; expected 0 < seconds <= 86400", text);
    return PSB_OK;
}

/* Why no channel can be tried, as far as this process knows alone. */
static enum reason obstacle(const psb_ctxt *ctxt, const struct psb_device *on, int wanted)
{
    int np;
    psb_info(ctxt, NULL, &np);
    return wanted < 0 ? UNWANTED : np == 1 ? ALONE : !on ? NO_DEVICE : !on->onesided ? NO_ONESIDED : NONE;
}

static psb_err allocate(struct opening *o, const struct psb_device *on, struct psb_halo *h, size_t row)
{
    struct psb_channel *c = o->c;
    const size_t most = (size_t)(h->recv.n + h->send.n);
    const psb_ipk rows = total(&h->recv) > total(&h->send) ? total(&h->recv) : total(&h->send);
    enum { LINE = 256 };
    c->on = on;
    c->h = h;
    c->row = row;
    PSB_TRY(psb_alloc(&o->rank, most, sizeof *o->rank, "halo channel"));
    PSB_TRY(psb_alloc(&o->order, most, sizeof *o->order, "halo channel"));
    c->n = ranks_of(&h->recv, &h->send, o->rank);
    PSB_TRY(psb_alloc_zero(&o->mine, (size_t)c->n, sizeof *o->mine, "halo channel"));
    PSB_TRY(psb_alloc_zero(&o->theirs, (size_t)c->n, sizeof *o->theirs, "halo channel"));
    PSB_TRY(psb_alloc_zero(&o->mapped, (size_t)c->n, sizeof *o->mapped, "halo channel"));
    PSB_TRY(psb_alloc(&o->requests, 2 * (size_t)c->n, sizeof *o->requests, "halo channel"));
    c->stride = ((size_t)rows * row + LINE - 1) / LINE * LINE;
    PSB_TRY(psb_dual_init(&c->staging, larger((size_t)rows * row, 1), 1, on, "staged halo"));
    PSB_TRY(on->alloc_host((void **)&c->status, sizeof *c->status));
    *c->status = 0;
    PSB_TRY(on->alloc((void **)&c->counts, sizeof *c->counts, "halo channel"));
    for (int way = 0; way < WAYS; way++)
        PSB_TRY(
            on->alloc((void **)&c->peer[way], ((size_t)c->n + 1) * sizeof(struct psb_peer), "halo channel"));
    return take_block(on, 2 * c->stride + 2 * larger((size_t)c->n, 1) * sizeof(unsigned), &c->block);
}

static psb_err make_offers(struct opening *o)
{
    const struct psb_channel *c = o->c;
    const struct block *b = c->block;
    for (int k = 0; k < c->n; k++) {
        struct offer *f = &o->mine[k];
        const int r = place_of(&c->h->recv, o->rank[k]), s = place_of(&c->h->send, o->rank[k]);
        *f = (struct offer){ .handle = b->handle,
                             .pid = (long)getpid(),
                             .serial = b->serial,
                             .bytes = b->bytes,
                             .stride = c->stride,
                             .flag = 2 * c->stride + (size_t)k * sizeof(unsigned),
                             .n = c->n };
        f->place[FORTH] = total(&c->h->recv) ? c->h->recv.start[r] : 0;
        f->place[BACK] = total(&c->h->send) ? c->h->send.start[s] : 0;
        PSB_TRY(c->on->onesided->identify(f->device, &f->host));
    }
    return PSB_OK;
}

static psb_err exchange_offers(struct opening *o)
{
    const int n = o->c->n;
    MPI_Comm comm = psb_comm_of(o->ctxt);
    MPI_Request *q = o->requests;
    for (int k = 0; k < n; k++) {
        MPI_Irecv(&o->theirs[k], (int)sizeof(struct offer), MPI_BYTE, o->rank[k], PSB_TAG_HALO, comm, &q[k]);
        MPI_Isend(&o->mine[k], (int)sizeof(struct offer), MPI_BYTE, o->rank[k], PSB_TAG_HALO, comm,
                  &q[n + k]);
    }
    int code = MPI_Waitall(2 * n, q, MPI_STATUSES_IGNORE);
    return code == MPI_SUCCESS ? PSB_OK : psb_mpi_fail(code, "MPI_Waitall");
}

/* Map the block that f offers, unless it is mapped already. */
static psb_err map_block(const struct psb_device *on, const struct offer *f, void **p)
{
    struct mapping *m = find_mapping(on, &f->handle, f->pid, f->serial);
    if (!m) {
        PSB_TRY(psb_alloc_zero(&m, 1, sizeof *m, "halo channel"));
        psb_err e = on->onesided->open(&f->handle, f->bytes, &m->p);
        if (e != PSB_OK) {
            psb_free(m);
            return e;
        }
        m->on = on;
        m->handle = f->handle;
        m->pid = f->pid;
        m->serial = f->serial;
        m->bytes = f->bytes;
        m->next = mappings;
        mappings = m;
    }
    *p = m->p;
    return PSB_OK;
}

static enum reason map_blocks(struct opening *o)
{
    for (int k = 0; k < o->c->n; k++) {
        const struct offer *a = &o->mine[k], *b = &o->theirs[k];
        if (a->host != b->host)
            return OTHER_HOST;
        if (!o->forced && memcmp(a->device, b->device, sizeof a->device) == 0)
            return SAME_DEVICE;
        if (map_block(o->c->on, b, &o->mapped[k]) != PSB_OK)
            return NOT_MAPPED;
    }
    return NONE;
}

/* Store the table of one direction on the device. */
static psb_err put_peers(struct opening *o, int way)
{
    struct psb_channel *c = o->c;
    const struct psb_neighbours *to = way == BACK ? &c->h->recv : &c->h->send;
    const struct psb_neighbours *others = way == BACK ? &c->h->send : &c->h->recv;
    struct psb_peer *p;
    (void)ranks_of(to, others, o->order);
    PSB_TRY(psb_alloc_zero(&p, (size_t)c->n + 1, sizeof *p, "halo channel"));
    for (int i = 0; i <= c->n; i++) {
        p[i].first = i < to->n ? to->start[i] : total(to);
        if (i == c->n)
            break;
        int k = 0;
        while (o->rank[k] != o->order[i])
            k++;
        const struct offer *f = &o->theirs[k];
        char *base = o->mapped[k];
        p[i].place = f->place[way];
        for (int turn = 0; turn < 2; turn++) {
            p[i].landing[turn] = base + (size_t)turn * f->stride;
            p[i].flag[turn] = (unsigned *)(void *)(base + f->flag) + turn * f->n;
        }
    }
    psb_err e = psb_put(c->on, c->peer[way], p, ((size_t)c->n + 1) * sizeof *p, "halo channel");
    psb_free(p);
    return e;
}

/* Fill the tables of c on the device; the flags in its block start at 0. */
static psb_err fill_tables(struct opening *o)
{
    struct psb_channel *c = o->c;
    const struct psb_channel_counts zero = { 0 };
    unsigned *flags;
    PSB_TRY(psb_put(c->on, c->counts, &zero, sizeof zero, "halo channel"));
    PSB_TRY(psb_alloc_zero(&flags, 2 * (size_t)c->n + 1, sizeof *flags, "halo channel"));
    psb_err e = c->n ? psb_put(c->on, (char *)c->block->p + 2 * c->stride, flags,
                               2 * (size_t)c->n * sizeof *flags, "halo channel")
                     : PSB_OK;
    psb_free(flags);
    PSB_TRY(e);
    PSB_TRY(put_peers(o, FORTH));
    return put_peers(o, BACK);
}

static psb_err no_land(void *of)
{
    (void)of;
    return PSB_OK;
}

/* One exchange without rows; PSB_EMPI if it does not come to its end soon. */
static psb_err try_out(struct psb_channel *c)
{
    const double seconds = c->seconds;
    void *landed;
    c->seconds = seconds < 20 ? seconds : 20;
    psb_err e = psb_channel_start(c, &(struct psb_outgoing_rows){ .from = NULL }, c, no_land);
    if (e == PSB_OK)
        e = psb_channel_finish(c, c, &landed);
    if (e == PSB_OK)
        e = c->on->sync();
    c->seconds = seconds;
    return e == PSB_OK && *c->status != 0 ? PSB_FAIL(PSB_EMPI, "no flag came") : e;
}

/* Open o->c, step by step; all processes take each step, or none. */
static psb_err open_channel(struct opening *o, const struct psb_device *on, struct psb_halo *h, size_t row,
                            enum reason *why)
{
    PSB_TRY(agree(o->ctxt, why, PSB_OK));
    if (*why != NONE)
        return PSB_OK;
    *why = allocate(o, on, h, row) == PSB_OK && make_offers(o) == PSB_OK ? NONE : NO_MEMORY;
    PSB_TRY(agree(o->ctxt, why, PSB_OK));
    if (*why != NONE)
        return PSB_OK;
    PSB_TRY(psb_agree(o->ctxt, exchange_offers(o)));
    *why = map_blocks(o);
    if (*why == NONE && fill_tables(o) != PSB_OK)
        *why = NO_MEMORY;
    PSB_TRY(agree(o->ctxt, why, PSB_OK));
    if (*why != NONE)
        return PSB_OK;
    *why = try_out(o->c) == PSB_OK ? NONE : TRIAL_FAILED;
    return agree(o->ctxt, why, PSB_OK);
}

/* Store the choice in h, and log it on process 0 if PSB_LOG contains "halo". */
static psb_err decide(psb_ctxt *ctxt, struct psb_halo *h, const char *transport, const char *reason)
{
    const char *log = getenv("PSB_LOG");
    int me;
    h->transport = transport;
    h->reason = reason;
    psb_info(ctxt, &me, NULL);
    if (me == 0 && log && strstr(log, "halo"))
        fprintf(stderr, "psb: halo: %s%s%s\n", transport, reason ? ", not lsa: " : "", reason ? reason : "");
    return PSB_OK;
}

/* Use the channel that was opened in place of the one that h has. */
static psb_err replace(struct psb_halo *h, struct psb_channel *c)
{
    struct psb_channel *old = h->channel;
    if (old && old->of)
        PSB_TRY(old->land((void *)old->of));
    psb_channel_free(old);
    h->channel = c;
    h->free_channel = psb_channel_free;
    return PSB_OK;
}

psb_err psb_channel_make(psb_ctxt *ctxt, struct psb_halo *h, size_t row, const struct psb_device *on,
                         psb_err mine)
{
    int wanted = 0;
    struct opening o = { .ctxt = ctxt };
    if (mine == PSB_OK)
        mine = read_wish(on, &wanted);
    if (mine == PSB_OK)
        mine = psb_alloc_zero(&o.c, 1, sizeof *o.c, "halo channel");
    if (mine == PSB_OK)
        mine = read_seconds(&o.c->seconds);
    psb_err e = psb_agree(ctxt, mine);
    enum reason why = NONE;
    if (e == PSB_OK) {
        why = obstacle(ctxt, on, wanted);
        o.forced = wanted > 0;
        e = open_channel(&o, on, h, row, &why);
    }
    psb_free(o.rank);
    psb_free(o.order);
    psb_free(o.mine);
    psb_free(o.theirs);
    psb_free(o.mapped);
    psb_free(o.requests);
    if (e == PSB_OK && why == NONE) {
        PSB_TRY(psb_agree(ctxt, replace(h, o.c)));
        return PSB_PASS(decide(ctxt, h, on->onesided->name, NULL));
    }
    psb_channel_free(o.c);
    PSB_TRY(e);
    PSB_CHECK(!h->channel, PSB_ENOMEM, "the halo channel cannot be made larger: %s", reasons[why]);
    PSB_CHECK(!o.forced || why < OTHER_HOST, PSB_EDEVICE, "PSB_HALO is lsa, which cannot be used: %s",
              reasons[why]);
    return PSB_PASS(decide(ctxt, h, "staged", reasons[why]));
}

void psb_channel_free(struct psb_channel *c)
{
    if (!c)
        return;
    if (c->on) {
        (void)!c->on->sync(); /* kernels may still use the memory */
        for (int way = 0; way < WAYS; way++)
            if (c->peer[way])
                c->on->free(c->peer[way]);
        if (c->counts)
            c->on->free(c->counts);
        if (c->status)
            c->on->free_host(c->status);
    }
    if (c->block)
        c->block->used = 0;
    psb_dual_free(&c->staging);
    psb_free(c);
}

/* --- exchanges ------------------------------------------------------------------------------------------ */

const struct psb_device *psb_channel_device(const struct psb_channel *c)
{
    return c->on;
}

psb_err psb_channel_staging(struct psb_channel *c, enum psb_side s, int write, void *p)
{
    return PSB_PASS(write ? psb_dual_write(&c->staging, s, p) : psb_dual_read(&c->staging, s, p));
}

int psb_channel_serves(const struct psb_channel *c, const void *of)
{
    return c->of == of;
}

/* Report a failure that the device has found. */
static psb_err look(struct psb_channel *c)
{
    const int status = *(volatile int *)c->status;
    if (status == 0)
        return PSB_OK;
    *c->status = 0;
    int k = (status > 0 ? status : -status) - 1, rank = k < c->h->recv.n ? c->h->recv.rank[k] : -1;
    for (int s = 0, j = c->h->recv.n; rank < 0 && s < c->h->send.n; s++)
        if (place_of(&c->h->recv, c->h->send.rank[s]) == c->h->recv.n && j++ == k)
            rank = c->h->send.rank[s];
    if (status > 0)
        return PSB_FAIL(PSB_EMPI, "process %d sent no halo rows: it failed", rank);
    return PSB_FAIL(PSB_EMPI, "process %d sent no halo rows within %g seconds (PSB_HALO_TIMEOUT)", rank,
                    c->seconds);
}

void psb_channel_settle(struct psb_channel *c)
{
    if (c && c->on->sync() == PSB_OK)
        *c->status = 0;
}

static psb_err put(struct psb_channel *c, const struct psb_outgoing_rows *out, int failed)
{
    const int way = out->back ? BACK : FORTH;
    struct psb_row_put job = { .peer = c->peer[way],
                               .n = c->n,
                               .rows = out->from && !failed ? total(out->back ? &c->h->recv : &c->h->send)
                                                            : 0,
                               .row = out->row,
                               .from = out->from,
                               .failed = failed,
                               .counts = c->counts };
    if (!out->back && !out->packed && job.rows)
        PSB_TRY(psb_dual_read(&c->h->idx, PSB_DEV, &job.idx));
    c->started++;
    return c->on->onesided->put(&job);
}

static psb_err arrive(struct psb_channel *c, int *status)
{
    struct psb_arrival job = { .flag = (const unsigned *)(void *)((char *)c->block->p + 2 * c->stride),
                               .n = c->n,
                               .seconds = c->seconds,
                               .counts = c->counts,
                               .status = status };
    c->of = NULL;
    return c->on->onesided->arrive(&job);
}

psb_err psb_channel_start(struct psb_channel *c, const struct psb_outgoing_rows *out, void *of,
                          psb_err (*land)(void *of))
{
    PSB_CHECK(out->row <= c->row, PSB_ESTATE, "a halo row has %zu bytes; expected at most %zu", out->row,
              c->row);
    if (c->of)
        PSB_TRY(c->land((void *)c->of));
    PSB_TRY(put(c, out, 0));
    c->of = of;
    c->land = land;
    return PSB_OK;
}

psb_err psb_channel_finish(struct psb_channel *c, const void *of, void **landed)
{
    PSB_CHECK(c->of == of, PSB_ESTATE, "no exchange of the vector is under way in the halo channel");
    *landed = (char *)c->block->p + (c->started & 1) * c->stride;
    PSB_TRY(arrive(c, c->status));
    return PSB_PASS(look(c));
}

void psb_channel_refuse(struct psb_channel *c)
{
    if (c->of)
        (void)!c->land((void *)c->of);
    if (put(c, &(struct psb_outgoing_rows){ .from = NULL }, 1) == PSB_OK)
        (void)!arrive(c, NULL);
}
