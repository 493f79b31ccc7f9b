/* transport.h -- base/channel: what all channels have, and the table of a transport.
 *
 * The channels of a transport are structs of its own, which begin with a struct psb_channel. */
#ifndef PSB_TRANSPORT_H
#define PSB_TRANSPORT_H
#include "channel.h"
#include "desc.h"
#include "shared_memory.h"

enum psb_direction { PSB_DIR_FORTH, PSB_DIR_BACK, PSB_DIRS };

/* Why a transport cannot be used, in the order of the steps that find it; 0: it can. */
enum psb_obstacle {
    PSB_NO_OBSTACLE,
    PSB_NOT_OFFERED,
    PSB_SAME_DEVICE,
    PSB_NO_MEMORY,
    PSB_OTHER_HOST,
    PSB_NOT_MAPPED,
    PSB_NO_GROUP,
    PSB_TRIAL_FAILED,
    PSB_ALL_NEAR,
    PSB_NONE_NEAR,
    PSB_OBSTACLES
};

/* What opens a channel: see psb_channel_make. */
struct psb_opening {
    psb_ctxt *ctxt;
    struct psb_halo *h;
    const struct psb_device *on;
    size_t row;
    double seconds;
    bool hosts;  /* no process has a device */
    bool forced; /* PSB_HALO asks for this transport, or a channel by it is made longer */
};

/* A transport: one table.  `open` is called on all processes or on none.  Either both of `prepare` and
 * `await` are NULL, or neither is. */
struct psb_transport {
    const char *name;
    /* MPI carries the rows: from and to memory of the host as well, and straight to where the caller wants
     * them.  Else each process has a device, all different ones. */
    bool by_mpi;
    size_t size; /* bytes of the struct of a channel */
    /* Why this process cannot use it on the device, or NULL.  Local. */
    const char *(*refusal)(const struct psb_device *on);
    /* Make what c has besides struct psb_channel; all of that is 0 before.  *why is agreed on.  Collective.
     */
    psb_err (*open)(struct psb_channel *c, const struct psb_opening *o, enum psb_obstacle *why);
    /* Free that, also where `open` has failed or was not called. */
    void (*close)(struct psb_channel *c);
    /* Send the rows, or tell the neighbours that this process failed; set c->landed.  An error after
     * neighbours may have been told anything sets c->broken.  Collective over neighbours. */
    psb_err (*put)(struct psb_channel *c, const struct psb_outgoing_rows *out, bool failed);
    /* Send what `put` has left for later, as `arrive` does else.  NULL: it leaves nothing. */
    void (*send)(struct psb_channel *c);
    /* Let later kernels wait for the rows of the neighbours; a neighbour that failed sets *status; status
     * NULL: this process failed.  An error after which neighbours may wait in vain sets c->broken. */
    psb_err (*arrive)(struct psb_channel *c, int *status);
    /* *x = what `put` and `arrive` do, for a kernel that stores the rows and waits itself; set c->landed.
     * *wait = what `arrive` does.  NULL: no kernel can. */
    psb_err (*prepare)(struct psb_channel *c, const struct psb_outgoing_rows *out, struct psb_exchange *x);
    void (*await)(const struct psb_channel *c, struct psb_awaited *wait);
};
extern const struct psb_transport psb_transport_lsa, psb_transport_mixed, psb_transport_nccl,
    psb_transport_mpi, psb_transport_staged;

/* Return the name of transport i, NULL past the last; in the order in which they are tried.  Local. */
const char *psb_transport_name(int i);

struct psb_channel {
    const struct psb_transport *by;
    const struct psb_device *on; /* NULL: the host, for messages by MPI */
    bool hosts;                  /* no process has a device */
    const struct psb_halo *h;
    struct psb_shared_block
        *block;         /* on the device, or NULL: where rows land, and what the transport needs */
    size_t row, stride; /* row: the most bytes of one; stride: those of all rows, and a little more */
    int n;              /* neighbours that rows are received from or sent to */
    int *rank;          /* theirs: first those received from */
    int *status;        /* see psb_arrival */
    double seconds;     /* to wait for a neighbour */
    void *landed; /* the rows of the exchange that was started last; NULL: where the caller wants them */
    void *vector; /* whose exchange is under way, or NULL */
    void (*complete)(void *vector);
    bool broken; /* a neighbour did not come in time, or a put failed: counts may differ from the neighbours'
                  */
    struct psb_dual staging, buffer; /* buffer: on a device that the channel does not reach */
};

/* What the channel of h exchanges, for messages. */
static inline const char *psb_channel_what(const struct psb_halo *h)
{
    return h->what ? h->what : "halo rows";
}

/* The position of a rank among the neighbours s; s->n if it is not there. */
static inline int psb_position(const struct psb_neighbours *s, int rank)
{
    int k = 0;
    while (k < s->n && s->rank[k] != rank)
        k++;
    return k;
}

/* The ranks of `first`, then those of `then` that are not among them; their number.  Local. */
int psb_ranks_of(const struct psb_neighbours *first, const struct psb_neighbours *then, int *rank);

/* *why = the largest obstacle of all processes, `here` on this one.  Collective. */
PSB_MUST_CHECK psb_err psb_agree_on_obstacle(psb_ctxt *ctxt, enum psb_obstacle here, enum psb_obstacle *why);

/* Take part in an exchange by messages of plan h, between processes without a device, as a process that
 * failed. Collective over neighbours. */
void psb_messages_refuse(psb_ctxt *ctxt, const struct psb_halo *h);
#endif
