/* channel_make.c -- room: base/vect.  Channels are made: what neighbours tell each other, and a trial. */
#include "channel_inside.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include "reduce.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A device of one of the hosts. */
struct device_id {
    char text[32];
    unsigned long long host;
};
enum { MOST_ON_HOST = 256 }; /* processes; with more of them some share a device */

/* What a process tells a neighbour: how to reach its block, and where to store there. */
struct offer {
    struct psb_shared_name name;
    struct device_id device;
    size_t stride;
    psb_ipk place[PSB_DIRS]; /* row of the landing buffer for the neighbour's first */
    size_t flag;             /* byte of the block; the second flag is n flags later */
    int n;
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The ranks of `first`, then those of `then` that are not among them; their number. */
static int ranks_of(const struct psb_neighbours *first, const struct psb_neighbours *then, int *rank)
{
    int n = first->n;
    if (n)
        memcpy(rank, first->rank, (size_t)n * sizeof *rank);
    for (int k = 0; k < then->n; k++)
        if (psb_position(first, then->rank[k]) == first->n)
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
    struct device_id device;
    int forced; /* by PSB_HALO */
};

/* Reasons why there is no channel; if processes have different ones, the last of them here is reported. */
static const char *const reasons[] = {
    NULL,
    "asked for by PSB_HALO",
    "there is one process",
    "a process has no device",
    "the device has no one-sided exchanges",
    "neighbours are on different hosts",
    "processes share a device",
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
    const psb_ipk rows = psb_neighbour_rows(&h->recv) > psb_neighbour_rows(&h->send)
                             ? psb_neighbour_rows(&h->recv)
                             : psb_neighbour_rows(&h->send);
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
    for (int dir = 0; dir < PSB_DIRS; dir++)
        PSB_TRY(
            on->alloc((void **)&c->peer[dir], ((size_t)c->n + 1) * sizeof(struct psb_peer), "halo channel"));
    return psb_shared_take(on, 2 * c->stride + 2 * larger((size_t)c->n, 1) * sizeof(unsigned), &c->block);
}

static psb_err make_offers(struct opening *o)
{
    const struct psb_channel *c = o->c;
    const struct psb_shared_block *b = c->block;
    PSB_TRY(c->on->onesided->identify(o->device.text, &o->device.host));
    for (int k = 0; k < c->n; k++) {
        struct offer *f = &o->mine[k];
        const int r = psb_position(&c->h->recv, o->rank[k]), s = psb_position(&c->h->send, o->rank[k]);
        *f = (struct offer){ .name = b->name,
                             .stride = c->stride,
                             .flag = 2 * c->stride + (size_t)k * sizeof(unsigned),
                             .n = c->n };
        f->place[PSB_DIR_FORTH] = psb_neighbour_rows(&c->h->recv) ? c->h->recv.start[r] : 0;
        f->place[PSB_DIR_BACK] = psb_neighbour_rows(&c->h->send) ? c->h->send.start[s] : 0;
        f->device = o->device;
    }
    return PSB_OK;
}

static psb_err exchange_offers(struct opening *o)
{
    const int n = o->c->n;
    MPI_Comm comm = psb_comm_of(o->ctxt);
    MPI_Request *q = o->requests;
    for (int k = 0; k < 2 * n; k++)
        q[k] = MPI_REQUEST_NULL;
    for (int k = 0; k < n; k++) {
        MPI_Irecv(&o->theirs[k], (int)sizeof(struct offer), MPI_BYTE, o->rank[k], PSB_TAG_HALO, comm, &q[k]);
        MPI_Isend(&o->mine[k], (int)sizeof(struct offer), MPI_BYTE, o->rank[k], PSB_TAG_HALO, comm,
                  &q[n + k]);
    }
    int code = MPI_Waitall(2 * n, q, MPI_STATUSES_IGNORE);
    return code == MPI_SUCCESS ? PSB_OK : psb_mpi_fail(code, "MPI_Waitall");
}

static enum reason map_blocks(struct opening *o)
{
    for (int k = 0; k < o->c->n; k++) {
        const struct offer *a = &o->mine[k], *b = &o->theirs[k];
        if (a->device.host != b->device.host)
            return OTHER_HOST;
        if (psb_shared_map(o->c->on, &b->name, &o->mapped[k]) != PSB_OK)
            return NOT_MAPPED;
    }
    return NONE;
}

/* Does another process of this host, neighbour or not, use the same device?  They would wait for each other's
 * turns on it. */
static psb_err find_sharing(const struct device_id *mine, MPI_Comm comm, int *shared)
{
    MPI_Comm host;
    struct device_id all[MOST_ON_HOST];
    int n, same = 0;
    PSB_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
    MPI_Comm_size(host, &n);
    if (n <= MOST_ON_HOST)
        MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, all, (int)sizeof *mine, MPI_BYTE, host);
    MPI_Comm_free(&host);
    for (int i = 0; i < n && n <= MOST_ON_HOST; i++)
        same += memcmp(&all[i], mine, sizeof *mine) == 0;
    *shared = same > 1 || n > MOST_ON_HOST;
    return PSB_OK;
}

/* Store the table of one direction on the device. */
static psb_err put_peers(struct opening *o, int dir)
{
    struct psb_channel *c = o->c;
    const struct psb_neighbours *to = dir == PSB_DIR_BACK ? &c->h->recv : &c->h->send;
    const struct psb_neighbours *others = dir == PSB_DIR_BACK ? &c->h->send : &c->h->recv;
    struct psb_peer *p;
    (void)ranks_of(to, others, o->order);
    PSB_TRY(psb_alloc_zero(&p, (size_t)c->n + 1, sizeof *p, "halo channel"));
    for (int i = 0; i <= c->n; i++) {
        p[i].first = i < to->n ? to->start[i] : psb_neighbour_rows(to);
        if (i == c->n)
            break;
        int k = 0;
        while (o->rank[k] != o->order[i])
            k++;
        const struct offer *f = &o->theirs[k];
        char *base = o->mapped[k];
        p[i].place = f->place[dir];
        for (int turn = 0; turn < 2; turn++) {
            p[i].landing[turn] = base + (size_t)turn * f->stride;
            p[i].flag[turn] = (unsigned *)(void *)(base + f->flag) + turn * f->n;
        }
    }
    psb_err e = psb_put(c->on, c->peer[dir], p, ((size_t)c->n + 1) * sizeof *p, "halo channel");
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
    PSB_TRY(put_peers(o, PSB_DIR_FORTH));
    return put_peers(o, PSB_DIR_BACK);
}

static void no_completion(void *vector)
{
    (void)vector;
}

/* One exchange without rows; PSB_EMPI if it does not come to its end soon. */
static psb_err try_out(struct psb_channel *c)
{
    const double seconds = c->seconds;
    void *landed;
    c->seconds = seconds < 20 ? seconds : 20;
    psb_err e = psb_channel_start(c, &(struct psb_outgoing_rows){ .from = NULL }, c, no_completion);
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
    int shared = 0;
    PSB_TRY(agree(o->ctxt, why, PSB_OK));
    if (*why != NONE)
        return PSB_OK;
    *why = allocate(o, on, h, row) == PSB_OK && make_offers(o) == PSB_OK ? NONE : NO_MEMORY;
    PSB_TRY(agree(o->ctxt, why, PSB_OK));
    if (*why != NONE)
        return PSB_OK;
    PSB_TRY(psb_agree(o->ctxt, exchange_offers(o)));
    if (!o->forced)
        PSB_TRY(psb_agree(o->ctxt, find_sharing(&o->device, psb_comm_of(o->ctxt), &shared)));
    *why = shared ? SAME_DEVICE : map_blocks(o);
    if (*why == NONE && fill_tables(o) != PSB_OK)
        *why = NO_MEMORY;
    PSB_TRY(agree(o->ctxt, why, PSB_OK));
    if (*why != NONE)
        return PSB_OK;
    *why = try_out(o->c) == PSB_OK ? NONE : TRIAL_FAILED;
    o->c->broken |= *why != NONE;
    return agree(o->ctxt, why, PSB_OK);
}

/* Store the choice in h, and log it on process 0 if PSB_LOG contains "halo". */
static void decide(psb_ctxt *ctxt, struct psb_halo *h, const char *transport, const char *reason)
{
    const char *log = getenv("PSB_LOG");
    int me;
    h->transport = transport;
    h->reason = reason;
    psb_info(ctxt, &me, NULL);
    if (me == 0 && log && strstr(log, "halo"))
        fprintf(stderr, "psb: %s: %s%s%s\n", h->what ? h->what : "halo", transport,
                reason ? ", not lsa: " : "", reason ? reason : "");
}

/* Use the channel that was opened in place of the one that h has. */
static void replace(struct psb_halo *h, struct psb_channel *c)
{
    if (h->channel)
        psb_channel_land(h->channel);
    psb_channel_free(h->channel);
    h->channel = c;
    h->free_channel = psb_channel_free;
}

/* What PSB_HALO, the same on all processes, and PSB_HALO_TIMEOUT ask for. */
static psb_err read_wishes(struct opening *o, const struct psb_halo *h, const struct psb_device *on,
                           int *wanted)
{
    psb_err e = psb_alloc_zero(&o->c, 1, sizeof *o->c, "halo channel");
    *wanted = 0;
    if (e == PSB_OK)
        e = read_wish(on, wanted);
    if (e == PSB_OK)
        e = read_seconds(&o->c->seconds);
    if (h->channel)
        *wanted = 1; /* it is made larger */
    PSB_TRY(psb_agree_on(o->ctxt, *wanted, 0, e));
    o->forced = *wanted > 0;
    return PSB_OK;
}

static void free_opening(struct opening *o)
{
    psb_free(o->rank);
    psb_free(o->order);
    psb_free(o->mine);
    psb_free(o->theirs);
    psb_free(o->mapped);
    psb_free(o->requests);
}

psb_err psb_channel_make(psb_ctxt *ctxt, struct psb_halo *h, size_t row, const struct psb_device *on)
{
    int wanted;
    enum reason why = NONE;
    struct opening o = { .ctxt = ctxt };
    psb_err e = read_wishes(&o, h, on, &wanted);
    if (e == PSB_OK) {
        why = obstacle(ctxt, on, wanted);
        psb_expect_errors(!o.forced && !h->channel); /* without a channel there are messages */
        e = open_channel(&o, on, h, row, &why);
        psb_expect_errors(0);
    }
    free_opening(&o);
    if (e == PSB_OK && why == NONE) {
        replace(h, o.c);
        decide(ctxt, h, on->onesided->name, NULL);
        return PSB_OK;
    }
    psb_channel_free(o.c);
    PSB_TRY(e);
    PSB_CHECK(!h->channel, PSB_ENOMEM, "the halo channel cannot be made larger: %s", reasons[why]);
    PSB_CHECK(!o.forced || why < OTHER_HOST, PSB_EDEVICE, "PSB_HALO is lsa, which cannot be used: %s",
              reasons[why]);
    decide(ctxt, h, "staged", reasons[why]);
    return PSB_OK;
}
