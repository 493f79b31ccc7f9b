/* choose.c -- base/channel: channels are made, by the first transport that all processes can use. */
#include "transport.h"
#include "ctxt.h"
#include "env.h"
#include "events.h"
#include "lines.h"
#include "psb_alloc.h"
#include "coll.h"
#include <stdio.h>
#include <string.h>

/* In the order in which they are tried. */
static const struct psb_transport *const transports[] = {
    &psb_transport_lsa, &psb_transport_mixed, &psb_transport_nccl, &psb_transport_mpi, &psb_transport_staged,
};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

const char *psb_transport_name(int i)
{
    return i >= 0 && i < TRANSPORTS ? transports[i]->name : NULL;
}

static const char *const obstacles[PSB_OBSTACLES] = {
    [PSB_NOT_OFFERED] = "a process cannot use it",
    [PSB_SAME_DEVICE] = "processes share a device",
    [PSB_NO_MEMORY] = "there is no memory for it",
    [PSB_OTHER_HOST] = "neighbours are on different hosts",
    [PSB_NOT_MAPPED] = "the memory of a neighbour's device cannot be mapped",
    [PSB_NO_GROUP] = "the processes do not find each other",
    [PSB_TRIAL_FAILED] = "a trial exchange failed",
    [PSB_ALL_NEAR] = "no neighbour needs messages",
    [PSB_NONE_NEAR] = "all neighbours need messages",
};

/* --- trying a transport --------------------------------------------------------------------------------- */

/* *out = a channel with what every transport needs; it is set also after an error. */
static psb_err new_channel(const struct psb_opening *o, const struct psb_transport *by,
                           struct psb_channel **out)
{
    enum { LINE = 256 };
    const struct psb_halo *h = o->h;
    const size_t received = (size_t)psb_neighbour_rows(&h->recv), sent = (size_t)psb_neighbour_rows(&h->send);
    const size_t bytes = (received > sent ? received : sent) * o->row;
    struct psb_channel *c;
    PSB_TRY(psb_alloc_zero(out, 1, by->size, "halo channel"));
    c = *out;
    *c = (struct psb_channel){
        .by = by, .on = o->on, .h = h, .row = o->row, .seconds = o->seconds, .hosts = o->hosts
    };
    PSB_TRY(psb_alloc(&c->rank, (size_t)(h->recv.n + h->send.n), sizeof *c->rank, "halo channel"));
    c->n = psb_ranks_of(&h->recv, &h->send, c->rank);
    c->stride = (bytes + LINE - 1) / LINE * LINE;
    PSB_TRY(psb_dual_init(&c->staging, bytes ? bytes : 1, 1, o->on, "staged halo"));
    c->staging.owner = PSB_OF_HALOS;
    PSB_TRY(o->on ? o->on->alloc_host((void **)&c->status, sizeof *c->status)
                  : psb_alloc(&c->status, 1, sizeof *c->status, "halo channel"));
    *c->status = 0;
    return PSB_OK;
}

/* One exchange of rows of 0 bytes; PSB_EMPI if it does not come to its end soon. */
static psb_err try_exchange(struct psb_channel *c)
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
    enum psb_obstacle here = by->refusal(o->on) ? PSB_NOT_OFFERED : PSB_NO_OBSTACLE;
    PSB_TRY(psb_agree_on_obstacle(o->ctxt, here, why));
    if (*why)
        return PSB_OK;
    here = new_channel(o, by, c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_NO_MEMORY;
    PSB_TRY(psb_agree_on_obstacle(o->ctxt, here, why));
    if (!*why)
        PSB_TRY(by->open(*c, o, why));
    if (*why)
        return PSB_OK;
    here = try_exchange(*c) == PSB_OK ? PSB_NO_OBSTACLE : PSB_TRIAL_FAILED;
    (*c)->broken |= here != PSB_NO_OBSTACLE;
    return psb_agree_on_obstacle(o->ctxt, here, why);
}

/* Try transport t, and use a channel by it in place of the one that the plan has; *why is what hinders it,
 * the same on all processes. */
static psb_err try_transport(const struct psb_opening *o, const struct psb_transport *t,
                             enum psb_obstacle *why)
{
    struct psb_channel *c = NULL;
    struct psb_halo *h = o->h;
    psb_err e = open_channel(o, t, &c, why);
    if (e != PSB_OK || *why) {
        psb_channel_free(c);
        return e;
    }
    if (h->channel)
        psb_channel_land(h->channel);
    psb_channel_free(h->channel);
    h->channel = c;
    h->free_channel = psb_channel_free;
    h->transport = t->name;
    return PSB_OK;
}

/* The obstacle to transport t, in words. */
static const char *reason_of(const struct psb_opening *o, const struct psb_transport *t,
                             enum psb_obstacle why)
{
    const char *reason = why == PSB_NOT_OFFERED ? t->refusal(o->on) : NULL;
    return reason ? reason : obstacles[why];
}

/* Use transport t, which `whose` names. */
static psb_err use_transport(const struct psb_opening *o, const struct psb_transport *t, const char *whose)
{
    enum psb_obstacle why;
    PSB_TRY(try_transport(o, t, &why));
    PSB_CHECK(!why, why == PSB_NO_MEMORY ? PSB_ENOMEM : PSB_EDEVICE, "%s is %s, which cannot be used: %s",
              whose, t->name, reason_of(o, t, why));
    return PSB_OK;
}

/* --- the choice ----------------------------------------------------------------------------------------- */

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
    const enum psb_obstacle here = e != PSB_OK            ? PSB_NO_MEMORY
                                   : same > 1 || n > MOST ? PSB_SAME_DEVICE
                                                          : PSB_NO_OBSTACLE;
    return psb_agree_on_obstacle(o->ctxt, here, why);
}

/* Try the transports between devices and those by MPI until one can be used; say why not those before it. */
static psb_err try_all(const struct psb_opening *o, bool between_devices, bool by_mpi)
{
    char *const text = o->h->why;
    enum psb_obstacle shared = PSB_NO_OBSTACLE;
    if (between_devices)
        PSB_TRY(find_sharing(o, &shared));
    for (int k = 0; k < TRANSPORTS; k++) {
        const struct psb_transport *t = transports[k];
        enum psb_obstacle why = t->by_mpi ? PSB_NO_OBSTACLE : shared;
        if (t->by_mpi ? !by_mpi : !between_devices)
            continue;
        if (!why)
            PSB_TRY(try_transport(o, t, &why));
        if (!why)
            return PSB_OK;
        const size_t n = strlen(text);
        snprintf(text + n, sizeof o->h->why - n, "%snot %s: %s", n ? "; " : "", t->name,
                 reason_of(o, t, why));
    }
    return PSB_OK;
}

/* *wish = the transport that PSB_HALO asks for, NULL for the best that can be used. */
static psb_err read_wishes(struct psb_opening *o, const struct psb_transport **wish)
{
    const char *names[1 + TRANSPORTS] = { "auto" };
    int k = 0;
    for (int t = 0; t < TRANSPORTS; t++)
        names[1 + t] = transports[t]->name;
    psb_err e = psb_env_choice("PSB_HALO", names, 1 + TRANSPORTS, &k);
    PSB_THEN(e, psb_halo_seconds(&o->seconds));
    PSB_TRY(psb_agree_on(o->ctxt, k, 0, e));
    *wish = k ? transports[k - 1] : NULL;
    return PSB_OK;
}

/* Choose among the transports that PSB_HALO and the devices allow. */
static psb_err choose_transport(struct psb_opening *o, const struct psb_transport *wish, bool devices_only)
{
    static const char *const lacks[] = { NULL, "the device has no exchanges of its own",
                                         "a process has no device" };
    int lack = !o->on ? 2 : !o->on->onesided ? 1 : 0;
    PSB_TRY(psb_max(o->ctxt, 1, &lack, -1));
    /* Why devices exchange no rows, or NULL; the same on all processes. */
    const char *const reason = wish && wish->by_mpi ? "asked for by PSB_HALO" : lacks[lack];
    snprintf(o->h->why, sizeof o->h->why, "%s", reason ? reason : "");
    if (reason && devices_only)
        return PSB_OK;
    o->forced = wish != NULL;
    if (wish && (wish->by_mpi || !reason))
        return use_transport(o, wish, "PSB_HALO");
    psb_expect_errors(1); /* the next transport is tried then */
    psb_err e = try_all(o, !reason, !devices_only);
    psb_expect_errors(0);
    PSB_TRY(e);
    PSB_CHECK(o->h->channel || devices_only, PSB_ENOMEM, "no halo channel can be made: %s", o->h->why);
    return PSB_OK;
}

psb_err psb_channel_make(psb_ctxt *ctxt, struct psb_halo *h, size_t row, const struct psb_device *on,
                         enum psb_channel_kind kind)
{
    struct psb_opening o = { .ctxt = ctxt, .h = h, .on = on, .row = row, .hosts = kind == PSB_CHANNEL_HOSTS };
    const struct psb_transport *wish = NULL;
    const int np = psb_np_of(ctxt);
    if (!o.hosts)
        PSB_TRY(read_wishes(&o, &wish));
    h->why[0] = 0;
    if (np > 1 && o.hosts)
        psb_note("halo: mpi, between hosts");
    if (np > 1 && o.hosts)
        return PSB_PASS(use_transport(&o, &psb_transport_mpi, "the transport of halos"));
    if (np > 1) {
        PSB_TRY(choose_transport(&o, wish, kind == PSB_CHANNEL_DEVICES));
        if (!h->channel)
            h->transport = psb_transport_staged.name;
        return PSB_OK;
    }
    h->transport = "none";
    snprintf(h->why, sizeof h->why, "there is one process");
    return PSB_OK;
}

psb_err psb_channel_lengthen(psb_ctxt *ctxt, struct psb_halo *h, size_t row)
{
    const struct psb_channel *c = h->channel;
    struct psb_opening o = {
        .ctxt = ctxt, .h = h, .on = c->on, .row = row, .hosts = c->hosts, .forced = true
    };
    PSB_TRY(psb_agree(ctxt, psb_halo_seconds(&o.seconds)));
    return PSB_PASS(use_transport(&o, c->by, "the transport of longer rows"));
}

void psb_transport_log(psb_ctxt *ctxt, const struct psb_halo *h)
{
    psb_note("%s: %s%s%s%s", h->what ? h->what : "halo", h->transport, *h->why ? " (" : "", h->why,
             *h->why ? ")" : "");
    if (psb_rank_of(ctxt) == 0 && psb_logs(PSB_LOGS_HALOS))
        psb_log_line(PSB_LOGS_HALOS, "%s: %s%s%s%s", h->what ? h->what : "halo", h->transport,
                     *h->why ? " (" : "", h->why, *h->why ? ")" : "");
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
