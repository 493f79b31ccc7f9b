/* channel_make.c -- room: base/vect.  Channels are made: by the first transport that all processes can use.
 */
#include "channel_inside.h"
#include "ctxt.h"
#include "env.h"
#include "psb_alloc.h"
#include "psb_coll.h"
#include "reduce.h"
#include <stdio.h>
#include <string.h>

/* The values of PSB_HALO: the best transport that can be used, or one, in the order in which they are tried.
 */
enum wish { AUTO, LSA, MIXED, NCCL, MPI, STAGED, WISHES };

static const struct psb_transport *const transports[WISHES] = {
    [LSA] = &psb_transport_lsa, [MIXED] = &psb_transport_mixed,   [NCCL] = &psb_transport_nccl,
    [MPI] = &psb_transport_mpi, [STAGED] = &psb_transport_staged,
};

static const char *const obstacles[PSB_OBSTACLES] = {
    [PSB_NOT_OFFERED] = "a process cannot use it",
    [PSB_SAME_DEVICE] = "processes share a device",
    [PSB_NO_MEMORY] = "there is no memory for it",
    [PSB_OTHER_HOST] = "neighbours are on different hosts",
    [PSB_NOT_MAPPED] = "the memory of a neighbour's device cannot be mapped",
    [PSB_NO_GROUP] = "the processes do not find each other",
    [PSB_TRIAL_FAILED] = "a trial exchange failed",
    [PSB_ALL_NEAR] = "lsa reaches all neighbours",
    [PSB_NONE_NEAR] = "lsa reaches no neighbour",
};

psb_err psb_agree_on_obstacle(psb_ctxt *ctxt, enum psb_obstacle *why)
{
    double most = *why;
    PSB_TRY(psb_reduce(ctxt, PSB_JOIN_MAX, &most, 1, PSB_OK));
    *why = (enum psb_obstacle)most;
    return PSB_OK;
}

/* --- what the environment asks for ---------------------------------------------------------------------- */

/* *wish = what PSB_HALO asks for; PSB_EARG if it is wrong.  Local. */
static psb_err read_wish(enum wish *wish)
{
    static const char *const names[] = { "auto", "lsa", "lsa+nccl", "nccl", "mpi", "staged" };
    int k = AUTO;
    psb_err e = psb_env_choice("PSB_HALO", names, WISHES, &k);
    *wish = (enum wish)k;
    return e;
}

/* --- memory of a channel -------------------------------------------------------------------------------- */

int psb_ranks_of(const struct psb_neighbours *first, const struct psb_neighbours *then, int *rank)
{
    int n = first->n;
    if (n)
        memcpy(rank, first->rank, (size_t)n * sizeof *rank);
    for (int k = 0; k < then->n; k++)
        if (psb_position(first, then->rank[k]) == first->n)
            rank[n++] = then->rank[k];
    return n;
}

psb_err psb_channel_memory(struct psb_channel *c, size_t more)
{
    const struct psb_channel_counts zero = { 0 };
    void *zeros;
    PSB_TRY(psb_shared_take(c->on, 2 * c->stride + more, &c->block));
    PSB_TRY(c->on->alloc((void **)&c->counts, sizeof *c->counts, "halo channel"));
    PSB_TRY(psb_put(c->on, c->counts, &zero, sizeof zero, "halo channel"));
    PSB_TRY(psb_alloc_zero(&zeros, more, 1, "halo channel"));
    psb_err e = psb_put(c->on, (char *)c->block->p + 2 * c->stride, zeros, more, "halo channel");
    psb_free(zeros);
    return PSB_PASS(e);
}

/* What every transport needs. */
static psb_err fill_in(struct psb_channel *c, const struct psb_opening *o)
{
    const struct psb_halo *h = o->h;
    const size_t received = (size_t)psb_neighbour_rows(&h->recv), sent = (size_t)psb_neighbour_rows(&h->send);
    const size_t bytes = (received > sent ? received : sent) * o->row;
    enum { LINE = 256 };
    PSB_TRY(psb_alloc(&c->rank, (size_t)(h->recv.n + h->send.n), sizeof *c->rank, "halo channel"));
    c->n = psb_ranks_of(&h->recv, &h->send, c->rank);
    PSB_TRY(psb_alloc_zero(&c->far, (size_t)c->n, sizeof *c->far, "halo channel"));
    c->stride = (bytes + LINE - 1) / LINE * LINE;
    PSB_TRY(psb_dual_init(&c->staging, bytes ? bytes : 1, 1, o->on, "staged halo"));
    PSB_TRY(o->on ? o->on->alloc_host((void **)&c->status, sizeof *c->status)
                  : psb_alloc(&c->status, 1, sizeof *c->status, "halo channel"));
    *c->status = 0;
    return PSB_OK;
}

static psb_err new_channel(const struct psb_opening *o, const struct psb_transport *by,
                           struct psb_channel **out)
{
    struct psb_channel *c;
    PSB_TRY(psb_alloc_zero(&c, 1, sizeof *c, "halo channel"));
    c->by = by;
    c->on = o->on;
    c->h = o->h;
    c->row = o->row;
    c->seconds = o->seconds;
    c->forced = o->forced;
    c->hosts = o->hosts;
    *out = c;
    return fill_in(c, o);
}

/* --- trying a transport --------------------------------------------------------------------------------- */

/* One exchange of rows of 0 bytes; PSB_EMPI if it does not come to its end soon. */
static psb_err try_out(struct psb_channel *c)
{
    const double seconds = c->seconds;
    void *landed;
    c->seconds = seconds < 20 ? seconds : 20;
    psb_err e = psb_channel_start(c, &(struct psb_outgoing_rows){ .on = c->on }, c, NULL);
    if (e == PSB_OK)
        e = psb_channel_finish(c, c, &landed);
    else
        psb_channel_refuse(c); /* the neighbours wait */
    if (e == PSB_OK && c->on)
        e = c->on->sync();
    c->seconds = seconds;
    return e == PSB_OK && *c->status != 0 ? PSB_FAIL(PSB_EMPI, "a neighbour sent nothing") : e;
}

/* Open *c, step by step; all processes take each step, or none. */
static psb_err open_channel(const struct psb_opening *o, const struct psb_transport *by,
                            struct psb_channel **c, enum psb_obstacle *why)
{
    *why = by->refusal(o->on) ? PSB_NOT_OFFERED : PSB_NO_OBSTACLE;
    PSB_TRY(psb_agree_on_obstacle(o->ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    *why = new_channel(o, by, c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    PSB_TRY(psb_agree_on_obstacle(o->ctxt, why));
    if (*why == PSB_NO_OBSTACLE)
        PSB_TRY(by->open(*c, o->ctxt, why));
    if (*why != PSB_NO_OBSTACLE)
        return PSB_OK;
    *why = try_out(*c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_TRIAL_FAILED;
    (*c)->broken |= *why != PSB_NO_OBSTACLE;
    return psb_agree_on_obstacle(o->ctxt, why);
}

/* Do two processes of a host use the same device?  They would wait for each other's turns on it. */
static psb_err find_sharing(const struct psb_opening *o, enum psb_obstacle *why)
{
    enum { MOST = 256 }; /* with more processes on a host some share a device */
    struct device {
        char text[32];
        unsigned long long host;
    } mine = { { 0 }, 0 }, all[MOST];
    MPI_Comm host;
    int n, same = 0;
    psb_err e = o->on->onesided ? o->on->onesided->identify(mine.text, &mine.host) : PSB_OK;
    PSB_MPI(MPI_Comm_split_type(psb_comm_of(o->ctxt), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
    MPI_Comm_size(host, &n);
    if (n <= MOST)
        MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, host);
    MPI_Comm_free(&host);
    for (int i = 0; i < n && n <= MOST; i++)
        same += memcmp(&all[i], &mine, sizeof mine) == 0;
    *why = e != PSB_OK ? PSB_NO_MEMORY : same > 1 || n > MOST ? PSB_SAME_DEVICE : PSB_NO_OBSTACLE;
    return psb_agree_on_obstacle(o->ctxt, why);
}

/* --- the choice ----------------------------------------------------------------------------------------- */

/* Add "not NAME: REASON" to the reasons for the transport of h. */
static void add_reason(struct psb_halo *h, const char *name, const char *reason)
{
    const size_t n = strlen(h->why);
    snprintf(h->why + n, sizeof h->why - n, "%snot %s: %s", n ? "; " : "", name, reason);
}

/* Use the channel that was opened in place of the one that h has. */
static void replace(struct psb_halo *h, struct psb_channel *c)
{
    if (h->channel)
        psb_channel_land(h->channel);
    psb_channel_free(h->channel);
    h->channel = c;
    h->free_channel = psb_channel_free;
    h->transport = c->by->name;
}

/* Try transport k; *why is what hinders it, the same on all processes. */
static psb_err try_transport(const struct psb_opening *o, int k, enum psb_obstacle *why)
{
    struct psb_channel *c = NULL;
    *why = PSB_NO_OBSTACLE;
    psb_err e = open_channel(o, transports[k], &c, why);
    if (e == PSB_OK && *why == PSB_NO_OBSTACLE)
        replace(o->h, c);
    else
        psb_channel_free(c);
    return e;
}

/* The obstacle to transport k, in words. */
static const char *reason_of(const struct psb_opening *o, int k, enum psb_obstacle why)
{
    const char *reason = why == PSB_NOT_OFFERED ? transports[k]->refusal(o->on) : NULL;
    return reason ? reason : obstacles[why];
}

/* Try the transports from number `first` to before `end` until one can be used. */
static psb_err try_all(const struct psb_opening *o, int first, int end)
{
    enum psb_obstacle shared = PSB_NO_OBSTACLE;
    if (first < MPI)
        PSB_TRY(find_sharing(o, &shared));
    for (int k = first; k < end; k++) {
        enum psb_obstacle why = shared;
        if (shared == PSB_NO_OBSTACLE || k >= MPI)
            PSB_TRY(try_transport(o, k, &why));
        if (why == PSB_NO_OBSTACLE)
            return PSB_OK;
        add_reason(o->h, transports[k]->name, reason_of(o, k, why));
    }
    return PSB_OK;
}

/* Use transport k, which `whose` names. */
static psb_err use_transport(const struct psb_opening *o, int k, const char *whose)
{
    enum psb_obstacle why;
    PSB_TRY(try_transport(o, k, &why));
    PSB_CHECK(why == PSB_NO_OBSTACLE, why == PSB_NO_MEMORY ? PSB_ENOMEM : PSB_EDEVICE,
              "%s is %s, which cannot be used: %s", whose, transports[k]->name, reason_of(o, k, why));
    return PSB_OK;
}

/* Why devices exchange no rows, or NULL; the same on all processes. */
static psb_err find_reason(const struct psb_opening *o, enum wish wish, const char **reason)
{
    static const char *const lacks[] = { NULL, "the device has no exchanges of its own",
                                         "a process has no device" };
    double lack = !o->on ? 2 : !o->on->onesided ? 1 : 0;
    PSB_TRY(psb_reduce(o->ctxt, PSB_JOIN_MAX, &lack, 1, PSB_OK));
    *reason = wish >= MPI ? "asked for by PSB_HALO" : lacks[(int)lack];
    return PSB_OK;
}

static psb_err read_wishes(struct psb_opening *o, enum wish *wish)
{
    psb_err e = read_wish(wish);
    if (e == PSB_OK)
        e = psb_halo_seconds(&o->seconds);
    return psb_agree_on(o->ctxt, *wish, 0, e);
}

/* Choose among the transports that PSB_HALO and the devices allow. */
static psb_err choose(struct psb_opening *o, enum psb_channel_kind kind, enum wish wish)
{
    const char *reason;
    PSB_TRY(find_reason(o, wish, &reason));
    snprintf(o->h->why, sizeof o->h->why, "%s", reason ? reason : "");
    if (reason && kind == PSB_CHANNEL_DEVICES)
        return PSB_OK;
    o->forced = wish != AUTO;
    if (wish >= MPI || (o->forced && !reason))
        return use_transport(o, wish, "PSB_HALO");
    psb_expect_errors(1); /* the next transport is tried then */
    psb_err e = try_all(o, reason ? MPI : LSA, kind == PSB_CHANNEL_DEVICES ? MPI : WISHES);
    psb_expect_errors(0);
    PSB_TRY(e);
    PSB_CHECK(o->h->channel || kind == PSB_CHANNEL_DEVICES, PSB_ENOMEM, "no halo channel can be made: %s",
              o->h->why);
    return PSB_OK;
}

psb_err psb_channel_make(psb_ctxt *ctxt, struct psb_halo *h, size_t row, const struct psb_device *on,
                         enum psb_channel_kind kind)
{
    struct psb_opening o = { .ctxt = ctxt, .h = h, .on = on, .row = row, .hosts = kind == PSB_CHANNEL_HOSTS };
    enum wish wish = MPI;
    int np;
    psb_info(ctxt, NULL, &np);
    if (kind != PSB_CHANNEL_HOSTS)
        PSB_TRY(read_wishes(&o, &wish));
    h->why[0] = 0;
    if (np > 1)
        return PSB_PASS(kind == PSB_CHANNEL_HOSTS ? use_transport(&o, MPI, "the transport of halos")
                                                  : choose(&o, kind, wish));
    h->transport = "none";
    snprintf(h->why, sizeof h->why, "there is one process");
    return PSB_OK;
}

psb_err psb_channel_lengthen(psb_ctxt *ctxt, struct psb_halo *h, size_t row)
{
    struct psb_opening o = {
        .ctxt = ctxt, .h = h, .on = h->channel->on, .row = row, .hosts = h->channel->hosts, .forced = 1
    };
    int k = LSA;
    while (transports[k] != h->channel->by)
        k++;
    PSB_TRY(psb_agree(ctxt, psb_halo_seconds(&o.seconds)));
    return PSB_PASS(use_transport(&o, k, "the transport of longer rows"));
}

void psb_transport_log(psb_ctxt *ctxt, const struct psb_halo *h)
{
    int me;
    psb_info(ctxt, &me, NULL);
    if (me == 0 && psb_env_logs("halo"))
        fprintf(stderr, "psb: %s: %s%s%s%s\n", h->what ? h->what : "halo", h->transport, *h->why ? " (" : "",
                h->why, *h->why ? ")" : "");
}

void psb_channel_drop_closed(struct psb_halo *h)
{
    if (!h->channel || psb_channel_is_open(h->channel))
        return;
    psb_channel_free(h->channel);
    h->channel = NULL;
    h->transport = NULL;
    h->settled = 0;
}
